"""What a recorder writes of actors: records of their states, and frames of packets by a dialect's rules of presence.

Records are tuples in the order of those of their fields that have no default, arrays in them lists of such tuples.
"""

from collections.abc import Mapping, Sequence
from math import cos, sin
from typing import Any

import numpy as np

from ...arrays import AnyArray, FloatArray
from ...format import Array, Dialect, PacketType, Struct, pack_value, packet_bytes
from ...format.codec import counted, encode_array, encode_record
from ...recording import Bytes
from ..blueprints import LIMBS, Model
from ..paths.edit_path import MAX_STEERING

STEERING = ((0.0, 1.0), (20.0, 0.9), (60.0, 0.8), (120.0, 0.7))  # shares by km/h
TORQUE = ((0.15, 0.55), (0.3, 0.86), (0.5, 1.0), (0.75, 0.94), (1.0, 0.68))  # shares of engine speed and torque


Record = tuple[Any, ...]
"""A record, as values of its fields."""

Records = Sequence[Any]
"""Records, or an array of the dtype of the packet."""

Elements = Mapping[str, Sequence[Mapping[str, object]]]
"""The elements of the arrays of a record, by path."""


class Writer:
    """Encodes records and frames in a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._kinds = dialect.kinds()
        (adding,) = (kind.record for kind in self._kinds if kind.name == "EventAdd")
        fields = adding.fields["type"], adding.arrays["attributes"].element.fields["type"]
        self._actors, self._attributes = ({name: at for at, name in (field.choices or {}).items()} for field in fields)

    def frame(self, packets: Mapping[str, Records]) -> bytes:
        """The bytes of a frame, FrameStart to FrameEnd; records may be an array of the packet's dtype."""
        records = ((kind, packets.get(kind.name, [])) for kind in self._kinds)
        return b"".join(
            packet_bytes(kind.id, self.body(kind, each))
            for kind, each in records
            if len(each) or kind.presence == "always"
        )

    def records(self, kind: PacketType, records: Records) -> Bytes:
        """Records of one length, as they follow the count: shape (n, bytes)."""
        return np.frombuffer(self.body(kind, records), np.uint8)[2:].reshape(len(records) or 1, -1)

    def body(self, kind: PacketType, records: Records) -> bytes:
        """The body of a packet with these records."""
        if kind.name == "PhysicsControl":
            return counted(kind, len(records)) + b"".join(_physics(kind, *record) for record in records)
        if kind.name == "EventAdd":
            # A class that a release does not know is "Other" there: signs before 0.9.9, sensors before 0.9.12.
            records = [
                (actor, self._actors.get(name, 0), *rest, [(self._attributes.get(of, of), *text) for of, *text in own])
                for actor, name, *rest, own in records
            ]
        elif kind.always_empty:
            records = []
        if kind.dtype is None:
            if kind.body == "empty":
                count = b""
            else:
                count = counted(kind, len(records))
            return count + b"".join(_packed(kind.record, record) for record in records)
        table = _table(kind.record, kind.dtype, records)
        if kind.body == "list":
            return encode_array(kind, table)
        return table.tobytes()


def vehicle_states(
    ids: AnyArray,
    models: Sequence[Model],
    *,
    speed: FloatArray,
    accel: FloatArray,
    steer: FloatArray,
    spin: FloatArray,
    is_driven: AnyArray,
) -> dict[str, list[Record]]:
    """Return records of the controls and wheels of n vehicles, or of one in n frames, by packet name.

    Args:
        ids: Ids of the actors.
        models: Their models.
        speed: Speeds in m/s.
        accel: Accelerations in m/s2.
        steer: Angles of the front wheels in degrees.
        spin: Angles by which wheels have turned, in degrees.
        is_driven: bool[n]; the handbrake holds the others.
    """
    need = accel + 0.2 + 0.003 * speed**2  # rolling resistance and drag
    brake = is_driven * np.where((speed < 0.05) & (need < 0.3), 0.35, np.clip(-need / 6.5, 0.0, 1.0))
    throttle = is_driven * np.where(brake > 0, 0.0, np.clip(need / 4.0, 0.0, 0.85))
    gears = np.array([model.drive[2] for model in models], np.int64)
    gear = is_driven * np.minimum(1 + (speed // 4.3).astype(np.int64), gears)
    two = np.array([model.is_two_wheeler for model in models], np.bool_)
    turned = zip(ids.tolist(), np.where(two, 2, 4).tolist(), steer, spin % -1800.0, strict=True)
    return {
        "AnimVehicle": rows(ids, steer / MAX_STEERING, throttle, brake, ~is_driven, gear),
        "AnimVehicleWheels": [
            (each, [(wheel, angle * (2 * wheel < wheels), turn) for wheel in range(wheels)])
            for each, wheels, angle, turn in turned
        ],
        "AnimBiker": rows(ids[two], speed[two], np.clip(speed[two] / 12.0, 0.0, 1.0)),
    }


def walker_states(ids: AnyArray, speed: FloatArray, spin: FloatArray) -> dict[str, list[Record]]:
    """Records of the controls and bones of walkers by packet name; columns as of vehicles."""
    swing = 24.0 * np.clip(speed / 1.4, 0.0, 1.3) * np.sin(np.radians(4.2 * spin))
    return {
        "AnimWalker": rows(ids, 100 * speed),
        "WalkerBones": [
            (each, [(limb, 0.0, y, 2.0, 0.0, share * angle, 0.0) for limb, share, y in LIMBS])
            for each, angle in zip(ids.tolist(), swing, strict=True)
        ],
    }


def rows(*columns: AnyArray) -> list[Record]:
    """Columns as tuples."""
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _table(shape: Struct, dtype: np.dtype[np.void], records: Records) -> AnyArray:
    """Records of one size as an array, with the defaults of the fields that have one."""
    defaults = {path: field.default for path, field in shape.fields.items() if field.default is not None}
    if not defaults or getattr(records, "dtype", None) == dtype:
        return np.asarray(records, dtype)
    given = [path for path in shape.fields if path not in defaults]
    values = np.asarray(records, np.dtype([(path, dtype[path]) for path in given]))
    table = np.zeros(len(records), dtype)
    for path in given:
        table[path] = values[path]
    for path, default in defaults.items():
        table[path] = default
    return table


def _packed(shape: Struct, values: Record) -> bytes:
    """A record of values, with the defaults of the fields that have one."""
    rest = iter(values)
    parts: list[bytes] = []
    for member in shape.members:
        if isinstance(member, Array):
            elements = next(rest)
            parts.append(pack_value(member.count_field, len(elements)))
            parts += [_packed(member.element, element) for element in elements]
        elif member.default is not None:
            parts.append(pack_value(member, member.default))
        else:
            parts.append(pack_value(member, next(rest)))
    return b"".join(parts)


def _physics(kind: PacketType, actor: int, model: Model, pose: FloatArray) -> bytes:
    """The physics of a vehicle at a pose (metres, radians); numbers follow from mass and engine."""
    radius, rpm, gears = model.drive
    strongest = 0.32 * model.mass + 40.0
    torque = [(share * rpm, part * strongest) for share, part in TORQUE]
    ratios = [(4.2 * 0.68**gear, 0.25, 0.55) for gear in range(gears)]
    centre = (0.1 * model.wheelbase, 0.0, -0.3)
    wheels = []
    for ahead, right in ((1, -1), (1, 1), (-1, -1), (-1, 1)):  # two-wheelers have four, too
        along = 0.5 * ahead * model.wheelbase
        across = 0.0079 * right * model.half_width
        yaw = float(pose[5])
        x, y = pose[0] + along * cos(yaw) - across * sin(yaw), pose[1] + along * sin(yaw) + across * cos(yaw)
        wheels.append((ahead > 0, 100.0 * x, 100.0 * y, 100.0 * (pose[2] + radius)))
    if "max_torque" not in kind.record.fields:
        return _unreal_4_physics(kind.record, actor, model, torque, ratios, centre, wheels)
    return _unreal_5_physics(kind.record, actor, model, torque, [ratio[0] for ratio in ratios], centre, wheels)


def _encoded(shape: Struct, values: Mapping[str, object], lists: Elements) -> bytes:
    """A record of values by path, with the initial values of all other fields."""
    elements = {}
    for path, array in shape.arrays.items():
        elements[path] = [array.element.default_record() | dict(element) for element in lists[path]]
    return encode_record(shape, shape.default_record() | dict(values) | elements)


def _unreal_4_physics(
    shape: Struct,
    actor: int,
    model: Model,
    torque: Sequence[tuple[float, float]],
    ratios: Sequence[tuple[float, float, float]],
    centre: tuple[float, float, float],
    wheels: Sequence[tuple[bool, float, float, float]],
) -> bytes:
    """The physics as Unreal 4 has it."""
    mass, (radius, rpm, _) = model.mass, model.drive
    sets: list[Mapping[str, object]] = []
    for is_front, *place in wheels:
        said = {
            "tire_friction": 3.5,
            "damping_rate": 0.25,
            "max_steer_angle": MAX_STEERING * is_front,
            "radius": 100 * radius,
            "max_brake_torque": 0.45 * mass,
            "max_handbrake_torque": 0.9 * mass * (not is_front),
            "lat_stiff_max_load": 3.0,
            "lat_stiff_value": 20.0,
            "long_stiff_value": 3000.0,
            "position": dict(zip("xyz", place, strict=True)),
        }
        sets.append(said)
    body = {
        "max_rpm": rpm,
        "moi": 1.0,
        "damping_full_throttle": 0.15,
        "damping_zero_throttle_clutch_engaged": 2.0,
        "damping_zero_throttle_clutch_disengaged": 0.35,
        "use_gear_autobox": True,
        "clutch_strength": 10.0,
        "final_ratio": 4.0,
        "mass": mass,
        "drag_coefficient": 0.3,
        "center_of_mass": dict(zip("xyz", centre, strict=True)),
    }
    lists: Elements = {
        "torque_curve": [{"rpm": speed, "torque": strength} for speed, strength in torque],
        "forward_gears": [{"ratio": one, "down_ratio": down, "up_ratio": up} for one, down, up in ratios],
        "steering_curve": [{"speed": speed, "value": share} for speed, share in STEERING],
        "wheels": sets,
    }
    return _encoded(shape, {"id": actor, **body}, lists)


def _unreal_5_physics(
    shape: Struct,
    actor: int,
    model: Model,
    torque: Sequence[tuple[float, float]],
    ratios: Sequence[float],
    centre: tuple[float, float, float],
    wheels: Sequence[tuple[bool, float, float, float]],
) -> bytes:
    """The same as Unreal 5 has it; what is not said of a wheel is zero, as its pointers (format reference 4.15)."""
    mass, (radius, rpm, _) = model.mass, model.drive
    memories: list[Mapping[str, object]] = []
    for number, (is_front, *place) in enumerate(wheels):
        location = dict(zip("xyz", place, strict=True))
        said = {
            "axle_type": 1 if is_front else 2,
            "wheel_radius": 100 * radius,
            "wheel_width": 20.0,
            "wheel_mass": 30.0,
            "cornering_stiffness": 1000.0,
            "friction_force_multiplier": 3.0,
            "side_slip_modifier": 1.0,
            "slip_threshold": 20.0,
            "skid_threshold": 20.0,
            "max_steer_angle": MAX_STEERING * is_front,
            "affected_by_steering": is_front,
            "affected_by_brake": True,
            "affected_by_handbrake": not is_front,
            "affected_by_engine": True,
            "max_brake_torque": 0.9 * mass,
            "max_hand_brake_torque": 1.8 * mass * (not is_front),
            "wheel_index": number,
            "location": location,
            "old_location": location,
        }
        memories.append(said)
    engine = {
        "max_torque": max(strength for _, strength in torque),
        "max_rpm": rpm,
        "idle_rpm": 900.0,
        "brake_effect": 0.05,
        "rev_up_moi": 5.0,
        "rev_down_rate": 600.0,
        "differential_type": 1,
        "front_rear_split": 0.5,
        "use_automatic_gears": True,
        "gear_change_time": 0.2,
        "final_ratio": 4.0,
        "change_up_rpm": 0.75 * rpm,
        "change_down_rpm": 0.3 * rpm,
        "transmission_efficiency": 0.9,
    }
    body = {
        "mass": mass,
        "drag_coefficient": 0.3,
        "center_of_mass": dict(zip("xyz", centre, strict=True)),
        "chassis_width": 2 * model.half_width,
        "chassis_height": 2 * model.half_height,
        "downforce_coefficient": 0.3,
        "drag_area": 2.2,
        "inertia_tensor_scale": {"x": 1.0, "y": 1.0, "z": 1.0},
        "sleep_threshold": 10.0,
        "sleep_slope_limit": 0.866,
        "use_sweep_wheel_collision": False,
    }
    lists: Elements = {
        "torque_curve": [{"rpm": speed, "torque": strength} for speed, strength in torque],
        "forward_gear_ratios": [{"ratio": ratio} for ratio in ratios],
        "reverse_gear_ratios": [{"ratio": 2.86}],
        "steering_curve": [{"speed": speed, "value": share} for speed, share in STEERING],
        "wheels": memories,
    }
    return _encoded(shape, {"id": actor, **engine, **body}, lists)
