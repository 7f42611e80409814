"""Encoding of frames: the packets of a dialect, in its order and by its rules of presence.

Records are tuples in the order of their fields, arrays in them lists of such tuples.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import cos, sin
from typing import Any

import numpy as np

from ...format.codec import counted, encode_array, packet_bytes
from ...format.dialects import Dialect
from ...format.schema import Array, PacketType, Struct
from ...format.values import pack_value
from ..blueprints import Model
from .traffic import MAX_STEER

STEERING = ((0.0, 1.0), (20.0, 0.9), (60.0, 0.8), (120.0, 0.7))  # shares by km/h
TORQUE = ((0.15, 0.55), (0.3, 0.86), (0.5, 1.0), (0.75, 0.94), (1.0, 0.68))  # shares of engine speed and torque


class Writer:
    """Encodes frames of a scenario in a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._kinds = dialect.kinds()
        (adding,) = (kind.record for kind in self._kinds if kind.name == "EventAdd")
        fields = adding.fields["type"], adding.arrays["attributes"].element.fields["type"]
        self._actors, self._attributes = ({name: at for at, name in (field.choices or {}).items()} for field in fields)

    def frame(self, packets: Mapping[str, Any]) -> bytes:
        """The bytes of a frame, FrameStart to FrameEnd; records may be an array of the packet's dtype."""
        records = ((kind, packets.get(kind.name, [])) for kind in self._kinds)
        return b"".join(
            packet_bytes(kind.id, self._body(kind, each))
            for kind, each in records
            if len(each) or kind.presence == "always"
        )

    def _body(self, kind: PacketType, records: Sequence[Any]) -> bytes:
        if kind.name == "PhysicsControl":
            # UE5 stores the memory of a server (format reference 4.15), so there is no record.
            records = [_physics(kind, *record) for record in records] if kind.body == "list" else []
        elif kind.name == "EventAdd":
            # A class that a release does not know is "Other" there: signs before 0.9.9, sensors before 0.9.12.
            records = [
                (actor, self._actors.get(name, 0), *rest, [(self._attributes[type_], *value) for type_, *value in own])
                for actor, name, *rest, own in records
            ]
        elif kind.name == "AnimVehicleWheels" and self._dialect.name == "ue5-0.10.0":
            records = []  # never filled there (format reference 4.21)
        if kind.dtype is None:
            count = b"" if kind.body == "empty" else counted(kind, len(records))
            return count + b"".join(_packed(kind.record, record) for record in records)
        table = np.asarray(records, kind.dtype)
        return encode_array(kind, table) if kind.body == "list" else table.tobytes()


def _packed(shape: Struct, values: Iterable[Any]) -> bytes:
    return b"".join(
        pack_value(member.count_field, len(value)) + b"".join(_packed(member.element, element) for element in value)
        if isinstance(member, Array)
        else pack_value(member, value)
        for member, value in zip(shape.members, values, strict=True)
    )


def _physics(kind: PacketType, actor: int, model: Model, pose: Any) -> tuple[Any, ...]:
    """The record of the physics of a vehicle at a pose (metres, radians); numbers follow from mass and engine."""
    mass, strongest, (radius, rpm, gears) = model.mass, 0.32 * model.mass + 40.0, model.drive
    torque = [(share * rpm, part * strongest) for share, part in TORQUE]
    ratios = [(4.2 * 0.68**gear, 0.25, 0.55) for gear in range(gears)]
    stiffness = (3.0, 20.0, 3000.0)[: len(kind.record.arrays["wheels"].element.members) - 9]
    wheels, yaw = [], float(pose[5])
    for ahead, right in ((1, -1), (1, 1), (-1, -1), (-1, 1)):  # two-wheelers have four, too
        along, across, is_front = 0.5 * ahead * model.wheelbase, 0.0079 * right * model.half_width, ahead > 0
        x, y = pose[0] + along * cos(yaw) - across * sin(yaw), pose[1] + along * sin(yaw) + across * cos(yaw)
        sizes = 3.5, 0.25, MAX_STEER * is_front, 100 * radius, 0.45 * mass, 0.9 * mass * (not is_front)
        wheels.append((*sizes, *stiffness, 100.0 * x, 100.0 * y, 100.0 * (pose[2] + radius)))
    engine = rpm, 1.0, 0.15, 2.0, 0.35, True, 10.0, 4.0, mass, 0.3, 0.1 * model.wheelbase, 0.0, -0.3
    return actor, *engine, torque, ratios, STEERING, wheels
