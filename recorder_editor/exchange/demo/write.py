"""A moment of the town as the packets of a frame, in the dialect's own order and by its own rules of presence.

Whatever the dialect has no packet for is left out (format reference, sections 3.2 to 3.4).
"""

import struct
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...format.codec import encode, encode_array
from ...format.dialects import Dialect
from ...format.schema import PacketType
from .cast import Actor, Kind, Triple
from .controls import controls
from .geometry import Floats, Ints
from .physics import physics_body_ue5, physics_record
from .stencil import Stencil, counted
from .story import LAMP_COLOR, LAMP_INTENSITY, Moment, Play
from .town import ALL_RED, GREEN, YELLOW

Table = NDArray[np.void]
Record = dict[str, Any]
STREET = 2
VISUAL_TIME = 312.5  # seconds the simulator's effects have run before the recording
FIRST_FRAME_TAKES = 0.03
WHEEL_TURNS_WRAP = 1800.0  # degrees
SWING, BRISK = 24.0, 1.4  # degrees that limbs swing at so many m/s
LIMBS: Mapping[str, tuple[float, Triple]] = {
    "crl_thigh__L": (1.0, (0.0, -9.0, -4.0)), "crl_thigh__R": (-1.0, (0.0, 9.0, -4.0)),
    "crl_arm__L": (-0.6, (0.0, -16.0, 2.0)), "crl_arm__R": (0.6, (0.0, 16.0, 2.0)),
}  # fmt: skip
KINDS: Mapping[Kind, str] = {
    "spectator": "Other", "prop": "Other", "vehicle": "Vehicle", "walker": "Walker", "light": "TrafficLight",
    "sign": "TrafficSign", "sensor": "Sensor",
}  # fmt: skip
WEATHER = (
    "cloudiness", "precipitation", "precipitation_deposits", "wind_intensity", "sun_azimuth_angle",
    "sun_altitude_angle", "fog_density", "fog_distance", "fog_falloff", "wetness", "scattering_intensity",
    "mie_scattering_scale", "rayleigh_scattering_scale", "dust_storm",
)  # fmt: skip


class Writer:
    """Turns the moments of a play into frames of a dialect."""

    def __init__(self, play: Play, dialect: Dialect, *, additional_data: bool, random: Random) -> None:
        self.play, self.dialect, self.additional_data = play, dialect, additional_data
        self._random = random
        self._kinds = {kind.name: kind for kind in dialect.packets.values()}
        adding = self._kinds["EventAdd"].record
        self._actor_types = {name: number for number, name in (adding.fields["type"].choices or {}).items()}
        attribute = adding.arrays["attributes"].element.fields["type"]
        self._attribute_types = {name: number for number, name in (attribute.choices or {}).items()}
        # Since 0.9.12 sensors have a type of their own, and Position tells of what is neither vehicle nor walker.
        self._others_move = "Sensor" in self._actor_types
        self._wheels, self._bones = self._stencils()
        self._index, self._elapsed, self._wall = 0, 0.0, FIRST_FRAME_TAKES

    def _stencils(self) -> tuple[tuple[Stencil, Stencil] | None, Stencil | None]:
        wheels = bones = None
        if "AnimVehicleWheels" in self._kinds:
            kind = self._kinds["AnimVehicleWheels"]
            four, two = (
                [{"location": place, "steering": 0.0, "rotation": 0.0} for place in range(count)] for count in (4, 2)
            )
            wheels = Stencil(kind, {"id": 0, "wheels": four}), Stencil(kind, {"id": 0, "wheels": two})
        if "WalkerBones" in self._kinds:
            poses = [
                {"name": name, "location": _xyz(place), "rotation": _turns((0.0, 0.0, 0.0))}
                for name, (_, place) in LIMBS.items()
            ]
            bones = Stencil(self._kinds["WalkerBones"], {"id": 0, "bones": poses})
        return wheels, bones

    def frame(self, moment: Moment, *, last: bool) -> bytes:
        """The frame of the next moment, FrameStart to FrameEnd; `last` gives it a duration of -1."""
        step = self.play.step
        self._index += 1
        start = {"frame_id": self._index, "duration": -1.0 if last else step, "elapsed": self._elapsed}
        bodies: dict[str, bytes | None] = {
            "FrameStart": self._encode("FrameStart", [start]),
            **self._events(moment),
            **self._moving(moment),
            **(self._additional(moment) if self.additional_data else {}),
            "FrameEnd": b"",
        }
        parts = []
        for number in self.dialect.order:
            body = bodies.get(self.dialect.packet(number).name)
            if body is not None:
                parts.append(struct.pack("<BI", number, len(body)) + body)
        self._elapsed += step
        self._wall += step * (0.75 + 0.5 * self._random.random())
        return b"".join(parts)

    def _encode(self, name: str, records: Sequence[Mapping[str, Any]]) -> bytes | None:
        kind = self._kinds.get(name)
        return None if kind is None else encode(kind, records)

    def _if_any(self, name: str, records: Sequence[Mapping[str, Any]]) -> bytes | None:
        return self._encode(name, records) if records else None

    def _table(self, name: str, columns: Mapping[str, Any], number: int) -> bytes | None:
        kind = self._kinds.get(name)
        if kind is None or kind.dtype is None:
            return None
        table: Table = np.zeros(number, dtype=kind.dtype)
        for path, column in columns.items():
            table[path] = column
        return encode_array(kind, table)

    # --- what happened ------------------------------------------------------------------------------------

    def _events(self, moment: Moment) -> dict[str, bytes | None]:
        red, green, blue = LAMP_COLOR
        color = {"r": red, "g": green, "b": blue, "a": 1.0}
        lamps = [
            {"id": lamp.id, "intensity": LAMP_INTENSITY, "color": color, "on": lamp.on, "group": STREET}
            for lamp in moment.lamps
        ]
        weather = [] if moment.weather is None else [dict(zip(WEATHER, moment.weather, strict=True))]
        names = ("id", "actor1", "actor2", "hero1", "hero2")
        return {
            "VisualTime": self._encode("VisualTime", [{"time": VISUAL_TIME + self._elapsed}]),
            "EventAdd": self._encode("EventAdd", [self._introduction(actor) for actor in moment.added]),
            "EventDel": self._encode("EventDel", [{"id": actor} for actor in moment.removed]),
            "EventParent": self._encode("EventParent", [{"child": c, "parent": p} for c, p in moment.parented]),
            "Collision": self._encode("Collision", [dict(zip(names, hit, strict=True)) for hit in moment.collisions]),
            "VehicleDoor": self._encode(
                "VehicleDoor", [{"id": actor, "door": door, "open": is_open} for actor, door, is_open in moment.doors]
            ),
            "SceneLight": self._if_any("SceneLight", lamps),
            "Weather": self._if_any("Weather", weather),
        }

    def _introduction(self, actor: Actor) -> Record:
        return {
            "id": actor.id,
            # A class that a release does not know yet is "Other" there: signs before 0.9.9, sensors before 0.9.12.
            "type": self._actor_types.get(KINDS[actor.kind], 0),
            "location": _xyz(actor.location),
            "rotation": _turns(actor.rotation),
            "uid": actor.uid,
            "blueprint": actor.blueprint,
            "attributes": [
                {"type": self._attribute_types[kind], "id": name, "value": value}
                for kind, name, value in actor.attributes
            ],
        }

    # --- what moves ---------------------------------------------------------------------------------------

    def _moving(self, moment: Moment) -> dict[str, bytes | None]:
        fleet, walkers = self.play.traffic.fleet, self.play.walkers
        rows = _by_id(np.flatnonzero(fleet.alive), fleet.id)
        people = _by_id(np.flatnonzero(walkers.alive), walkers.id)
        driven = controls(self.play.traffic, moment, rows)
        ids = fleet.id[rows]
        pedals = {name: getattr(driven, name) for name in ("steering", "throttle", "brake", "handbrake", "gear")}
        return {
            "Position": self._positions(moment, rows, people),
            "State": self._states(),
            "AnimVehicle": self._table("AnimVehicle", {"id": ids, **pedals}, rows.size),
            "AnimWalker": self._table(
                "AnimWalker", {"id": walkers.id[people], "speed": 100 * walkers.speed[people]}, people.size
            ),
            "VehicleLight": self._table("VehicleLight", {"id": ids, "lights": driven.lights}, rows.size),
            "AnimVehicleWheels": self._wheel_angles(rows),
            "AnimBiker": self._riders(rows[fleet.two_wheels[rows]]),
        }

    def _positions(self, moment: Moment, rows: Ints, people: Ints) -> bytes | None:
        fleet, walkers = self.play.traffic.fleet, self.play.walkers
        zero = np.zeros(people.size)
        others = self._others(moment)
        columns = [
            np.concatenate(parts)
            for parts in zip(
                others,
                (fleet.id[rows], 100 * fleet.x[rows], 100 * fleet.y[rows], 100 * fleet.z[rows],
                 *(np.degrees(angle[rows]) for angle in (fleet.roll, fleet.pitch, fleet.yaw))),
                (walkers.id[people], 100 * walkers.x[people], 100 * walkers.y[people], 100 * walkers.z[people],
                 zero, zero, np.degrees(walkers.yaw[people])),
                strict=True,
            )
        ]  # fmt: skip
        order = np.argsort(columns[0], kind="stable")
        paths = ("id", "location.x", "location.y", "location.z", "rotation.roll", "rotation.pitch", "rotation.yaw")
        return self._table(
            "Position", {path: column[order] for path, column in zip(paths, columns, strict=True)}, order.size
        )

    def _others(self, moment: Moment) -> Floats:
        """The spectator and the props: shape (7, n), nothing where the release does not tell of them."""
        if not self._others_move:
            return np.zeros((7, 0))
        standing = [(actor.id, *actor.location, *actor.rotation) for actor in self.play.props]
        return np.array([(self.play.spectator, *moment.location, *moment.rotation), *standing]).T

    def _states(self) -> bytes | None:
        heads, signals = self.play.town.heads, self.play.signals
        signal = np.array([head.signal for head in heads], dtype=np.int64)
        group = np.array([head.group for head in heads], dtype=np.int64)
        columns = {"id": self.play.lights, "frozen": 0}
        if heads:
            columns |= {"elapsed": signals.since[signal, group], "state": signals.lamp[signal, group]}
        return self._table("State", columns, len(heads))

    def _wheel_angles(self, rows: Ints) -> bytes | None:
        if self._wheels is None:
            return None
        fleet = self.play.traffic.fleet
        groups = []
        # Early UE5 never fills this packet (format reference 4.21).
        rows = rows[:0] if self.dialect.name == "ue5-0.10.0" else rows
        two = fleet.two_wheels[rows]
        for stencil, chosen in zip(self._wheels, (rows[~two], rows[two]), strict=True):
            table = stencil.copies(chosen.size)
            steer, spin = fleet.steer[chosen], np.fmod(fleet.spin[chosen], WHEEL_TURNS_WRAP)
            table["id"] = fleet.id[chosen]
            four = stencil is self._wheels[0]
            for wheel in range(4 if four else 2):
                # The wheel on the inner side of a bend stands steeper.
                inner = 1.0 + (0.0015 if wheel else -0.0015) * steer if four else 1.0
                front = wheel < (2 if four else 1)
                table[f"wheels[{wheel}].steering"] = steer * inner if front else 0.0
                table[f"wheels[{wheel}].rotation"] = spin
            groups.append(table)
        return counted(*groups)

    def _riders(self, rows: Ints) -> bytes | None:
        fleet = self.play.traffic.fleet
        speed = fleet.speed[rows]
        most = np.array([(model.max_rpm if (model := fleet.model[row]) else 1.0) for row in rows.tolist()])
        turns = np.clip(speed / np.where(most > 1500, 18.0, 8.0), 0.0, 1.0)
        columns = {"id": fleet.id[rows], "forward_speed": speed, "engine_rotation": turns}
        return self._table("AnimBiker", columns, rows.size)

    # --- additional data ----------------------------------------------------------------------------------

    def _additional(self, moment: Moment) -> dict[str, bytes | None]:
        boxes = [_box(actor.id, actor.box) for actor in moment.added if actor.box is not None]
        triggers = [_box(actor.id, actor.trigger) for actor in moment.added if actor.trigger is not None]
        box_columns = dict(zip(BOX_PATHS, np.array(boxes).T, strict=True)) if boxes else {}
        trigger_columns = dict(zip(BOX_PATHS, np.array(triggers).T, strict=True)) if triggers else {}
        times = [
            {"id": actor.id, "green": self._green(actor.id), "yellow": YELLOW, "red": ALL_RED}
            for actor in moment.added if actor.kind == "light"
        ]  # fmt: skip
        return {
            "Kinematics": self._velocities(),
            "BoundingBox": self._table("BoundingBox", box_columns, len(boxes)),
            "TriggerVolume": self._table("TriggerVolume", trigger_columns, len(triggers)) if triggers else None,
            "PlatformTime": self._encode("PlatformTime", [{"time": self._wall}]),
            "PhysicsControl": self._physics([actor for actor in moment.added if actor.kind == "vehicle"]),
            "TrafficLightTime": self._if_any("TrafficLightTime", times),
            "WalkerBones": self._skeletons(),
        }

    def _green(self, light: int) -> float:
        heads = self.play.town.heads
        signal = heads[self.play.lights.index(light)].signal
        return self.play.town.signals[signal].green if self.play.town.signals else GREEN

    def _velocities(self) -> bytes | None:
        fleet, walkers = self.play.traffic.fleet, self.play.walkers
        rows, people = np.flatnonzero(fleet.alive), np.flatnonzero(walkers.alive)
        ids = np.concatenate((fleet.id[rows], walkers.id[people]))
        if not ids.size:
            return None
        order = np.argsort(ids, kind="stable")
        linear = np.concatenate((fleet.velocity[rows], walkers.velocity[people]))[order]
        angular = np.concatenate((fleet.rotation[rows], walkers.rotation[people]))[order]
        columns: dict[str, Any] = {"id": ids[order]}
        for axis, name in enumerate("xyz"):
            columns[f"linear_velocity.{name}"] = linear[:, axis]
            columns[f"angular_velocity.{name}"] = angular[:, axis]
        return self._table("Kinematics", columns, ids.size)

    def _physics(self, vehicles: list[Actor]) -> bytes | None:
        kind: PacketType | None = self._kinds.get("PhysicsControl")
        if kind is None or not vehicles:
            return None
        if kind.body == "opaque":
            return physics_body_ue5(vehicles)
        long_wheels = "lat_stiff_value" in kind.record.arrays["wheels"].element.fields
        return encode(kind, [physics_record(actor, long_wheels=long_wheels) for actor in vehicles])

    def _skeletons(self) -> bytes | None:
        if self._bones is None:
            return None
        walkers = self.play.walkers
        people = _by_id(np.flatnonzero(walkers.alive), walkers.id)
        table = self._bones.copies(people.size)
        table["id"] = walkers.id[people]
        swing = SWING * np.clip(walkers.speed[people] / BRISK, 0.0, 1.3) * np.sin(walkers.stride[people])
        for number, (share, _) in enumerate(LIMBS.values()):
            table[f"bones[{number}].rotation.pitch"] = share * swing
        return counted(table)


BOX_PATHS = ("id", "origin.x", "origin.y", "origin.z", "extent.x", "extent.y", "extent.z")


def _box(actor: int, box: tuple[Triple, Triple] | None) -> tuple[float, ...]:
    centre, half = box or ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return actor, *centre, *half


def _by_id(rows: Ints, ids: Ints) -> Ints:
    return rows[np.argsort(ids[rows], kind="stable")]


def _xyz(values: Triple) -> Record:
    return dict(zip(("x", "y", "z"), values, strict=True))


def _turns(values: Triple) -> Record:
    return dict(zip(("roll", "pitch", "yaw"), values, strict=True))
