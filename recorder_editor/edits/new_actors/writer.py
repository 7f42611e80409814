"""What a recorder writes of actors: records of their states, and frames of packets by a dialect's rules of presence.

Records are tuples in the order of those of their fields that have no default, arrays in them lists of such tuples.
"""

from collections.abc import Mapping, Sequence
from math import cos, sin
from typing import Any, NamedTuple

import numpy as np

from ...arrays import AnyArray, FloatArray
from ...format import Array, Dialect, Field, PacketType, Struct, pack_value, packet_bytes
from ...format.codec import counted, encode_array, encode_record
from ...recording import Bytes
from ..blueprints import LIMBS, Model
from ..paths.edit_path import MAX_STEERING

STEERING = ((0.0, 1.0), (20.0, 0.9), (60.0, 0.8), (120.0, 0.7))  # shares by km/h
_CRAWL = 0.5  # m/s: below it wheels are straight
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
        self._kinds = dialect.kinds()
        record = dialect.event_add.record
        self._actors = _numbers(record.fields["type"])
        self._attributes = _numbers(record.arrays["attributes"].element.fields["type"])

    def frame(self, packets: Mapping[str, Records]) -> bytes:
        """Return the bytes of a frame, FrameStart to FrameEnd.

        Args:
            packets: Records by the name of the packet; they may be an array of the packet's dtype.
        """
        parts = []
        for kind in self._kinds:
            records = packets.get(kind.name, [])
            if len(records) or kind.presence == "always":
                parts.append(packet_bytes(kind.id, self.body(kind, records)))
        return b"".join(parts)

    def records(self, kind: PacketType, records: Records) -> Bytes:
        """Return records of one length, as they follow the count: shape (n, bytes)."""
        body = np.frombuffer(self.body(kind, records), np.uint8)
        return body[2:].reshape(len(records) or 1, -1)

    def body(self, kind: PacketType, records: Records) -> bytes:
        """Return the body of a packet with these records."""
        if kind.name == "PhysicsControl":
            parts = [counted(kind, len(records))]
            for actor, model, pose in records:
                parts.append(_physics(kind, actor, model, pose))
            return b"".join(parts)
        if kind.name == "EventAdd":
            records = [self._numbered(record) for record in records]
        elif kind.always_empty:
            records = []
        if kind.dtype is None:
            parts = []
            if kind.body != "empty":
                parts.append(counted(kind, len(records)))
            for record in records:
                parts.append(_packed(kind.record, record))
            return b"".join(parts)
        table = _table(kind.record, kind.dtype, records)
        if kind.body == "list":
            return encode_array(kind, table)
        return table.tobytes()

    def _numbered(self, record: Record) -> Record:
        """A record of EventAdd with numbers for the names of the class and of types of attributes.

        A class that a release does not know is "Other" there: signs before 0.9.9, sensors before 0.9.12.
        """
        actor, class_, *rest, attributes = record
        numbered = []
        for type_, name, value in attributes:
            numbered.append((self._attributes.get(type_, type_), name, value))
        return (actor, self._actors.get(class_, 0), *rest, numbered)


def _numbers(field: Field) -> dict[object, int]:
    """The numbers of a field by their names."""
    choices = field.choices or {}
    return {name: number for number, name in choices.items()}


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
    gears = np.array([model.drive[2] for model in models], np.int64)
    throttle, brake, gear = pedals_and_gear(speed, accel, gears)
    throttle = is_driven * throttle
    brake = is_driven * brake
    gear = is_driven * gear
    is_two_wheeler = np.array([model.is_two_wheeler for model in models], np.bool_)
    wheels = []
    turns = spin % -1800.0
    for actor, two, angle, turn in zip(ids.tolist(), is_two_wheeler.tolist(), steer, turns, strict=True):
        wheels.append((actor, _wheels(two, angle, turn)))
    pedals = rider_effort(speed[is_two_wheeler])
    return {
        "AnimVehicle": rows(ids, steer / MAX_STEERING, throttle, brake, ~is_driven, gear),
        "AnimVehicleWheels": wheels,
        "AnimBiker": rows(ids[is_two_wheeler], speed[is_two_wheeler], pedals),
    }


def pedals_and_gear(speed: FloatArray, accel: FloatArray, gears: AnyArray) -> tuple[FloatArray, FloatArray, AnyArray]:
    """Return throttle and brake, 0 to 1, and the gear that a driver needs, of shape (n,) each.

    Args:
        speed: Speeds in m/s.
        accel: Accelerations in m/s2.
        gears: How many gears the vehicles have, int64[n].
    """
    need = accel + 0.2 + 0.003 * speed**2  # rolling resistance and drag
    holds = (speed < 0.05) & (need < 0.3)
    brake = np.where(holds, 0.35, np.clip(-need / 6.5, 0.0, 1.0))
    throttle = np.where(brake > 0, 0.0, np.clip(need / 4.0, 0.0, 0.85))
    gear = np.minimum(1 + (speed // 4.3).astype(np.int64), gears)
    return throttle, brake, gear


def front_wheel_angles(speed: FloatArray, turn: FloatArray, wheelbase: FloatArray | float) -> FloatArray:
    """Return the angles of the front wheels in degrees, float64[n]: straight at a crawl.

    Args:
        speed: Speeds in m/s.
        turn: Turns of the heading in degrees/s.
        wheelbase: Metres between the axles.
    """
    bend = np.radians(turn) / np.where(np.abs(speed) > _CRAWL, speed, np.inf)
    angles: FloatArray = np.clip(np.degrees(np.arctan(bend * wheelbase)), -MAX_STEERING, MAX_STEERING)
    return angles


def rider_effort(speed: FloatArray) -> FloatArray:
    """Return how hard riders pedal at speeds in m/s, 0 to 1: float64[n]."""
    effort: FloatArray = np.clip(speed / 12.0, 0.0, 1.0)
    return effort


def limb_swing(speed: FloatArray, spin: FloatArray) -> FloatArray:
    """Return the angles by which limbs of walkers swing, in degrees: float64[n].

    Args:
        speed: Speeds in m/s.
        spin: Angles that wheels would have turned by, in degrees.
    """
    swing: FloatArray = 24.0 * np.clip(speed / 1.4, 0.0, 1.3) * np.sin(np.radians(4.2 * spin))
    return swing


def _wheels(is_two_wheeler: bool, angle: float, turn: float) -> list[Record]:
    """Records of wheels: number, steering angle of the front ones, and by which they have turned, in degrees.

    The zero of the rear wheels has the sign of the angle.
    """
    if is_two_wheeler:
        return [(0, angle, turn), (1, 0.0 * angle, turn)]
    return [(0, angle, turn), (1, angle, turn), (2, 0.0 * angle, turn), (3, 0.0 * angle, turn)]


def walker_states(ids: AnyArray, speed: FloatArray, spin: FloatArray) -> dict[str, list[Record]]:
    """Return records of the controls and bones of walkers by packet name; columns as of vehicles."""
    bones = []
    for actor, angle in zip(ids.tolist(), limb_swing(speed, spin), strict=True):
        limbs = [(limb, 0.0, y, 2.0, 0.0, share * angle, 0.0) for limb, share, y in LIMBS]
        bones.append((actor, limbs))
    return {"AnimWalker": rows(ids, 100 * speed), "WalkerBones": bones}


def rows(*columns: AnyArray) -> list[Record]:
    """Return columns as tuples, one for each row."""
    values = [column.tolist() for column in columns]
    return list(zip(*values, strict=True))


def _table(shape: Struct, dtype: np.dtype[np.void], records: Records) -> AnyArray:
    """Records of one size as an array, with the defaults of the fields that have one."""
    defaults = {}
    given = []
    for path, field in shape.fields.items():
        if field.default is None:
            given.append(path)
        else:
            defaults[path] = field.default
    if not defaults or getattr(records, "dtype", None) == dtype:
        return np.asarray(records, dtype)
    given_dtype = np.dtype([(path, dtype[path]) for path in given])
    values = np.asarray(records, given_dtype)
    table = np.zeros(len(records), dtype)
    for path in given:
        table[path] = values[path]
    for path, default in defaults.items():
        table[path] = default
    return table


def _packed(shape: Struct, values: Record) -> bytes:
    """A record of values, with the defaults of the fields that have one."""
    remaining = iter(values)
    parts: list[bytes] = []
    for member in shape.members:
        if isinstance(member, Array):
            elements = next(remaining)
            parts.append(pack_value(member.count_field, len(elements)))
            for element in elements:
                parts.append(_packed(member.element, element))
        elif member.default is not None:
            parts.append(pack_value(member, member.default))
        else:
            parts.append(pack_value(member, next(remaining)))
    return b"".join(parts)


# --- physics --------------------------------------------------------------------------------------------


class _Wheel(NamedTuple):
    """A wheel at its place in the world, in cm."""

    is_front: bool
    x: float
    y: float
    z: float

    @property
    def location(self) -> dict[str, float]:
        return {"x": self.x, "y": self.y, "z": self.z}


def _physics(kind: PacketType, actor: int, model: Model, pose: FloatArray) -> bytes:
    """The physics of a vehicle at a pose (metres, radians); numbers follow from mass and engine."""
    yaw = float(pose[5])
    radius = model.drive[0]
    wheels = []
    for ahead, right in ((1, -1), (1, 1), (-1, -1), (-1, 1)):  # two-wheelers have four, too
        along = 0.5 * ahead * model.wheelbase
        across = 0.0079 * right * model.half_width
        x = pose[0] + along * cos(yaw) - across * sin(yaw)
        y = pose[1] + along * sin(yaw) + across * cos(yaw)
        z = pose[2] + radius
        wheels.append(_Wheel(ahead > 0, 100.0 * x, 100.0 * y, 100.0 * z))
    if "max_torque" in kind.record.fields:
        return _unreal_5_physics(kind.record, actor, model, wheels)
    return _unreal_4_physics(kind.record, actor, model, wheels)


def _max_torque(model: Model) -> float:
    return 0.32 * model.mass + 40.0


def _torque_curve(model: Model) -> list[Mapping[str, object]]:
    """Torque (Nm) by engine speed."""
    _, max_rpm, _ = model.drive
    strongest = _max_torque(model)
    curve: list[Mapping[str, object]] = []
    for speed_share, torque_share in TORQUE:
        curve.append({"rpm": speed_share * max_rpm, "torque": torque_share * strongest})
    return curve


def _gear_ratios(model: Model) -> list[float]:
    gears = model.drive[2]
    return [4.2 * 0.68**gear for gear in range(gears)]


def _steering_curve() -> list[Mapping[str, object]]:
    return [{"speed": speed, "value": share} for speed, share in STEERING]


def _centre_of_mass(model: Model) -> dict[str, float]:
    return {"x": 0.1 * model.wheelbase, "y": 0.0, "z": -0.3}


def _encoded(shape: Struct, values: Mapping[str, object], lists: Elements) -> bytes:
    """A record of values by path, with the initial values of all other fields."""
    elements = {}
    for path, array in shape.arrays.items():
        elements[path] = [array.element.default_record() | dict(element) for element in lists[path]]
    return encode_record(shape, shape.default_record() | dict(values) | elements)


def _unreal_4_physics(shape: Struct, actor: int, model: Model, wheels: Sequence[_Wheel]) -> bytes:
    """The physics as Unreal 4 has it."""
    mass = model.mass
    radius, max_rpm, _ = model.drive
    wheel_records: list[Mapping[str, object]] = []
    for wheel in wheels:
        if wheel.is_front:
            steer_angle = MAX_STEERING
            handbrake_torque = 0.0
        else:
            steer_angle = 0.0
            handbrake_torque = 0.9 * mass
        record = {
            "tire_friction": 3.5,
            "damping_rate": 0.25,
            "max_steer_angle": steer_angle,
            "radius": 100 * radius,
            "max_brake_torque": 0.45 * mass,
            "max_handbrake_torque": handbrake_torque,
            "lat_stiff_max_load": 3.0,
            "lat_stiff_value": 20.0,
            "long_stiff_value": 3000.0,
            "position": wheel.location,
        }
        wheel_records.append(record)
    gears: list[Mapping[str, object]] = []
    for ratio in _gear_ratios(model):
        gears.append({"ratio": ratio, "down_ratio": 0.25, "up_ratio": 0.55})
    values = {
        "id": actor,
        "max_rpm": max_rpm,
        "moi": 1.0,
        "damping_full_throttle": 0.15,
        "damping_zero_throttle_clutch_engaged": 2.0,
        "damping_zero_throttle_clutch_disengaged": 0.35,
        "use_gear_autobox": True,
        "clutch_strength": 10.0,
        "final_ratio": 4.0,
        "mass": mass,
        "drag_coefficient": 0.3,
        "center_of_mass": _centre_of_mass(model),
    }
    lists: Elements = {
        "torque_curve": _torque_curve(model),
        "forward_gears": gears,
        "steering_curve": _steering_curve(),
        "wheels": wheel_records,
    }
    return _encoded(shape, values, lists)


def _unreal_5_physics(shape: Struct, actor: int, model: Model, wheels: Sequence[_Wheel]) -> bytes:
    """The same as Unreal 5 has it; what is not set of a wheel is zero, as its pointers (format reference 4.15)."""
    mass = model.mass
    radius, max_rpm, _ = model.drive
    wheel_records: list[Mapping[str, object]] = []
    for index, wheel in enumerate(wheels):
        if wheel.is_front:
            axle_type = 1
            steer_angle = MAX_STEERING
            handbrake_torque = 0.0
        else:
            axle_type = 2
            steer_angle = 0.0
            handbrake_torque = 1.8 * mass
        record = {
            "axle_type": axle_type,
            "wheel_radius": 100 * radius,
            "wheel_width": 20.0,
            "wheel_mass": 30.0,
            "cornering_stiffness": 1000.0,
            "friction_force_multiplier": 3.0,
            "side_slip_modifier": 1.0,
            "slip_threshold": 20.0,
            "skid_threshold": 20.0,
            "max_steer_angle": steer_angle,
            "affected_by_steering": wheel.is_front,
            "affected_by_brake": True,
            "affected_by_handbrake": not wheel.is_front,
            "affected_by_engine": True,
            "max_brake_torque": 0.9 * mass,
            "max_hand_brake_torque": handbrake_torque,
            "wheel_index": index,
            "location": wheel.location,
            "old_location": wheel.location,
        }
        wheel_records.append(record)
    values = {
        "id": actor,
        "max_torque": _max_torque(model),
        "max_rpm": max_rpm,
        "idle_rpm": 900.0,
        "brake_effect": 0.05,
        "rev_up_moi": 5.0,
        "rev_down_rate": 600.0,
        "differential_type": 1,
        "front_rear_split": 0.5,
        "use_automatic_gears": True,
        "gear_change_time": 0.2,
        "final_ratio": 4.0,
        "change_up_rpm": 0.75 * max_rpm,
        "change_down_rpm": 0.3 * max_rpm,
        "transmission_efficiency": 0.9,
        "mass": mass,
        "drag_coefficient": 0.3,
        "center_of_mass": _centre_of_mass(model),
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
        "torque_curve": _torque_curve(model),
        "forward_gear_ratios": [{"ratio": ratio} for ratio in _gear_ratios(model)],
        "reverse_gear_ratios": [{"ratio": 2.86}],
        "steering_curve": _steering_curve(),
        "wheels": wheel_records,
    }
    return _encoded(shape, values, lists)
