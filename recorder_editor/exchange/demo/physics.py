"""The physics of a vehicle as the recorder stores it at creation: engine, gearbox, tyres and wheels.

UE4 stores plain values, which the format's own table describes. UE5 stores the server's memory of every wheel, which
the format leaves as opaque bytes; they are packed here as a server without pointers in them would (format reference
4.15). Numbers follow from mass, engine speed and gears.
"""

import struct
from math import cos, radians, sin
from typing import Any

from .cast import Actor
from .catalog import Model
from .fleet import MAX_STEER

TRACK = 0.79  # of the width
STEERING_CURVE = ((0.0, 1.0), (20.0, 0.9), (60.0, 0.8), (120.0, 0.7))
TOP_RATIO, EACH_GEAR = 4.2, 0.68
WHEEL_SIZE_UE5 = 208


def _model(actor: Actor) -> Model:
    if actor.model is None:
        raise ValueError(f"actor {actor.id} is no vehicle")
    return actor.model


def _torque(model: Model) -> list[tuple[float, float]]:
    most = 0.32 * model.mass + 40.0
    shares = ((0.15, 0.55), (0.3, 0.86), (0.5, 1.0), (0.75, 0.94), (1.0, 0.68))
    return [(round(share * model.max_rpm, 1), round(part * most, 1)) for share, part in shares]


def _ratios(model: Model) -> list[float]:
    return [round(TOP_RATIO * EACH_GEAR**gear, 3) for gear in range(model.gears)] if model.gears > 1 else [1.0]


def _wheel_places(actor: Actor) -> list[tuple[float, float, float]]:
    """The four wheels CARLA's physics gives every vehicle, two-wheelers too; world cm, front left first."""
    model = _model(actor)
    yaw = radians(actor.rotation[2])
    half_base, half_track = 50 * model.wheelbase, TRACK * model.half_width
    corners = ((half_base, -half_track), (half_base, half_track), (-half_base, -half_track), (-half_base, half_track))
    places = []
    for ahead, right in corners:
        x = actor.location[0] + ahead * cos(yaw) - right * sin(yaw)
        y = actor.location[1] + ahead * sin(yaw) + right * cos(yaw)
        places.append((x, y, actor.location[2] + 100 * model.radius))
    return places


def physics_record(actor: Actor, *, long_wheels: bool) -> dict[str, Any]:
    """A record of a UE4 PhysicsControl packet, as nested values."""
    model = _model(actor)
    brakes = round(0.45 * model.mass)
    stiffness = {"lat_stiff_max_load": 3.0, "lat_stiff_value": 20.0, "long_stiff_value": 3000.0} if long_wheels else {}
    wheels = [
        {
            "tire_friction": 3.5, "damping_rate": 0.25, "max_steer_angle": MAX_STEER if number < 2 else 0.0,
            "radius": 100 * model.radius, "max_brake_torque": brakes,
            "max_handbrake_torque": 0.0 if number < 2 else 2 * brakes, **stiffness,
            "position": dict(zip("xyz", place, strict=True)),
        }
        for number, place in enumerate(_wheel_places(actor))
    ]  # fmt: skip
    return {
        "id": actor.id, "max_rpm": model.max_rpm, "moi": 1.0, "damping_full_throttle": 0.15,
        "damping_zero_throttle_clutch_engaged": 2.0, "damping_zero_throttle_clutch_disengaged": 0.35,
        "use_gear_autobox": True, "clutch_strength": 10.0, "final_ratio": 4.0 if model.gears > 1 else 9.0,
        "mass": model.mass, "drag_coefficient": 0.3,
        "center_of_mass": {"x": round(0.1 * model.wheelbase, 3), "y": 0.0, "z": -0.3},
        "torque_curve": [{"rpm": rpm, "torque": torque} for rpm, torque in _torque(model)],
        "forward_gears": [{"ratio": ratio, "down_ratio": 0.25, "up_ratio": 0.55} for ratio in _ratios(model)],
        "steering_curve": [{"speed": speed, "value": value} for speed, value in STEERING_CURVE],
        "wheels": wheels,
    }  # fmt: skip


def physics_body_ue5(actors: list[Actor]) -> bytes:
    """The body of a UE5 PhysicsControl packet; the pointers inside its wheels are null."""
    return struct.pack("<H", len(actors)) + b"".join(_record_ue5(actor) for actor in actors)


def _record_ue5(actor: Actor) -> bytes:
    model = _model(actor)
    torque, ratios = _torque(model), _ratios(model)
    strongest = max(value for _, value in torque)
    parts = [
        struct.pack("<I6fBf?", actor.id, strongest, model.max_rpm, 900.0, 0.05, 5.0, 600.0, 1, 0.5, True),
        struct.pack("<7f", 0.2, 4.0, 0.75 * model.max_rpm, 0.3 * model.max_rpm, 0.9, model.mass, 0.3),
        struct.pack("<3f", 0.1 * model.wheelbase, 0.0, -0.3),
        struct.pack("<4f", 2 * model.half_width, 2 * model.half_height, 0.3, 2.2),
        struct.pack("<3f2f?", 1.0, 1.0, 1.0, 10.0, 0.866, False),
        _points(torque),
        struct.pack(f"<I{len(ratios)}f", len(ratios), *ratios),
        struct.pack("<I1f", 1, 2.86),
        _points(list(STEERING_CURVE)),
        struct.pack("<I", 4),
        *(_wheel_ue5(model, number, place) for number, place in enumerate(_wheel_places(actor))),
    ]
    return b"".join(parts)


def _points(curve: list[tuple[float, float]]) -> bytes:
    return struct.pack("<I", len(curve)) + b"".join(struct.pack("<2f", *point) for point in curve)


def _wheel_ue5(model: Model, number: int, place: tuple[float, float, float]) -> bytes:
    front, brakes = number < 2, 0.9 * model.mass
    wheel = bytearray(WHEEL_SIZE_UE5)
    struct.pack_into("<B", wheel, 0, 1 if front else 2)
    struct.pack_into(
        "<9f", wheel, 16, 100 * model.radius, 20.0, 30.0, 1000.0, 3.0, 1.0, 20.0, 20.0, MAX_STEER if front else 0.0
    )
    struct.pack_into("<6?", wheel, 52, front, True, not front, True, False, False)
    struct.pack_into("<f", wheel, 60, 30.0)
    struct.pack_into("<6f", wheel, 96, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0)
    struct.pack_into("<6f", wheel, 120, 10.0, 10.0, 0.5, 0.5, 250.0, 50.0)
    struct.pack_into("<if2B", wheel, 144, 0, 0.15, 0, 1)
    struct.pack_into("<2fi", wheel, 156, brakes, 0.0 if front else 2 * brakes, number)
    struct.pack_into("<9f", wheel, 168, *place, *place, 0.0, 0.0, 0.0)
    return bytes(wheel)
