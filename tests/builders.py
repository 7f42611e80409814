"""Recorder bytes written by hand: what a simulator writes, told field by field.

The records of a packet are plain nested dicts, written here with `struct.pack` and compared in the tests
with what the library reads.  This module must never import the library: a mistake both make alike would
cancel out.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

Record = dict[str, Any]

MAGIC = b"CARLA_RECORDER"
DATE = 1637676528  # 2021-11-23 14:08:48 UTC


class Bits32(NamedTuple):
    """A float of four bytes given by its bits, for values Python's own floats cannot carry unharmed."""

    bits: int


class Bits64(NamedTuple):
    """A float of eight bytes given by its bits."""

    bits: int


SIGNALLING_32 = Bits32(0x7F800001)
PAYLOAD_32 = Bits32(0xFFC12345)
BOX_NAN_32 = Bits32(0xFFC00000)
SIGNALLING_64 = Bits64(0x7FF0000000000001)
PAYLOAD_64 = Bits64(0xFFF8000012345678)
BOX_NAN_64 = Bits64(0xFFF8000000000000)
INFINITE = float("inf")
NOT_UTF8 = b"vehicle.\xff\xfe\x80"


# --- primitives -----------------------------------------------------------------------------------------


def u8(value: int) -> bytes:
    return struct.pack("<B", value)


def i8(value: int) -> bytes:
    return struct.pack("<b", value)


def u16(value: int) -> bytes:
    return struct.pack("<H", value)


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


def i32(value: int) -> bytes:
    return struct.pack("<i", value)


def u64(value: int) -> bytes:
    return struct.pack("<Q", value)


def i64(value: int) -> bytes:
    return struct.pack("<q", value)


def f32(value: float | Bits32) -> bytes:
    return struct.pack("<I", value.bits) if isinstance(value, Bits32) else struct.pack("<f", value)


def f64(value: float | Bits64) -> bytes:
    return struct.pack("<Q", value.bits) if isinstance(value, Bits64) else struct.pack("<d", value)


def boolean(value: bool | int) -> bytes:
    return struct.pack("<B", int(value))


def string(value: str | bytes) -> bytes:
    data = value.encode("utf-8") if isinstance(value, str) else value
    return u16(len(data)) + data


def vector(value: Record, wide: bool) -> bytes:
    real: Any = f64 if wide else f32
    return b"".join(real(component) for component in value.values())


# --- the file -------------------------------------------------------------------------------------------


def header(version: int = 1, map_name: str | bytes = "Town01", date: int = DATE, magic: bytes = MAGIC) -> bytes:
    return b"".join([u16(version), string(magic), i64(date), string(map_name)])


def packet(packet_id: int, body: bytes = b"") -> bytes:
    return u8(packet_id) + u32(len(body)) + body


def frame_start_body(frame_id: int, elapsed: float | Bits64 = 0.0, duration: float | Bits64 = -1.0) -> bytes:
    return u64(frame_id) + f64(duration) + f64(elapsed)


def frame_start(frame_id: int, elapsed: float | Bits64 = 0.0, duration: float | Bits64 = -1.0) -> bytes:
    return packet(0, frame_start_body(frame_id, elapsed, duration))


def frame_end() -> bytes:
    return packet(1)


def frame(
    frame_id: int, elapsed: float | Bits64 = 0.0, duration: float | Bits64 = -1.0, packets: Iterable[bytes] = ()
) -> bytes:
    """A whole frame; `packets` come with their headers, in the order given."""
    return b"".join([frame_start(frame_id, elapsed, duration), *packets, frame_end()])


def recording(*frames: bytes, version: int = 1, map_name: str | bytes = "Town01", date: int = DATE) -> bytes:
    return b"".join([header(version, map_name, date), *frames])


# --- records, as they are put in and as they should come out ----------------------------------------------


def xyz(x: Any = 0.0, y: Any = 0.0, z: Any = 0.0) -> Record:
    return {"x": x, "y": y, "z": z}


def turn(roll: Any = 0.0, pitch: Any = 0.0, yaw: Any = 0.0) -> Record:
    return {"roll": roll, "pitch": pitch, "yaw": yaw}


def pose(actor: int, location: Record | None = None, rotation: Record | None = None) -> Record:
    return {"id": actor, "location": location or xyz(), "rotation": rotation or turn()}


def attribute(kind: int, name: str | bytes, value: str | bytes) -> Record:
    return {"type": kind, "id": name, "value": value}


def actor(
    actor_id: int,
    kind: int = 1,
    blueprint: str | bytes = "vehicle.lincoln.mkz_2017",
    location: Record | None = None,
    rotation: Record | None = None,
    uid: int = 26,
    attributes: Sequence[Record] = (),
) -> Record:
    return {
        "id": actor_id,
        "type": kind,
        "location": location or xyz(),
        "rotation": rotation or turn(),
        "uid": uid,
        "blueprint": blueprint,
        "attributes": list(attributes),
    }


# --- bodies, in the order of their ids --------------------------------------------------------------------


def listed(records: Sequence[Record], one: Any) -> bytes:
    return u16(len(records)) + b"".join(one(record) for record in records)


def event_add(records: Sequence[Record], wide: bool = False) -> bytes:
    def one(record: Record) -> bytes:
        return b"".join(
            [
                u32(record["id"]),
                u8(record["type"]),
                vector(record["location"], wide),
                vector(record["rotation"], wide),
                u32(record["uid"]),
                string(record["blueprint"]),
                u16(len(record["attributes"])),
                *(u8(a["type"]) + string(a["id"]) + string(a["value"]) for a in record["attributes"]),
            ]
        )

    return listed(records, one)


def event_del(records: Sequence[Record]) -> bytes:
    return listed(records, lambda record: u32(record["id"]))


def event_parent(records: Sequence[Record]) -> bytes:
    return listed(records, lambda record: u32(record["child"]) + u32(record["parent"]))


def collision(records: Sequence[Record]) -> bytes:
    def one(record: Record) -> bytes:
        return b"".join(
            [
                u32(record["id"]),
                u32(record["actor1"]),
                u32(record["actor2"]),
                boolean(record["hero1"]),
                boolean(record["hero2"]),
            ]
        )

    return listed(records, one)


def position(records: Sequence[Record], wide: bool = False) -> bytes:
    def one(record: Record) -> bytes:
        return b"".join([u32(record["id"]), vector(record["location"], wide), vector(record["rotation"], wide)])

    return listed(records, one)


def traffic_light_state(records: Sequence[Record]) -> bytes:
    def one(record: Record) -> bytes:
        return b"".join([u32(record["id"]), boolean(record["frozen"]), f32(record["elapsed"]), i8(record["state"])])

    return listed(records, one)


def anim_vehicle(records: Sequence[Record]) -> bytes:
    def one(record: Record) -> bytes:
        return b"".join(
            [
                u32(record["id"]),
                f32(record["steering"]),
                f32(record["throttle"]),
                f32(record["brake"]),
                boolean(record["handbrake"]),
                i32(record["gear"]),
            ]
        )

    return listed(records, one)


def anim_walker(records: Sequence[Record]) -> bytes:
    return listed(records, lambda record: u32(record["id"]) + f32(record["speed"]))


def vehicle_light(records: Sequence[Record]) -> bytes:
    return listed(records, lambda record: u32(record["id"]) + u32(record["lights"]))


def scene_light(records: Sequence[Record]) -> bytes:
    def one(record: Record) -> bytes:
        return b"".join(
            [
                i32(record["id"]),
                f32(record["intensity"]),
                f32(record["color"]["r"]),
                f32(record["color"]["g"]),
                f32(record["color"]["b"]),
                f32(record["color"]["a"]),
                boolean(record["on"]),
                u8(record["group"]),
            ]
        )

    return listed(records, one)


def kinematics(records: Sequence[Record], wide: bool = False) -> bytes:
    def one(record: Record) -> bytes:
        return b"".join(
            [u32(record["id"]), vector(record["linear_velocity"], wide), vector(record["angular_velocity"], wide)]
        )

    return listed(records, one)


def bounding_box(records: Sequence[Record], wide: bool = False) -> bytes:
    """The body of ids 13 (BoundingBox) and 17 (TriggerVolume)."""

    def one(record: Record) -> bytes:
        return b"".join([u32(record["id"]), vector(record["origin"], wide), vector(record["extent"], wide)])

    return listed(records, one)


def platform_time(record: Record) -> bytes:
    return f64(record["time"])


def physics_control(records: Sequence[Record], stiffness: bool = True) -> bytes:
    """`stiffness` writes wheels of 48 bytes (0.9.12 and newer), without it they have 36."""

    def wheel(record: Record) -> bytes:
        return b"".join(
            [
                f32(record["tire_friction"]),
                f32(record["damping_rate"]),
                f32(record["max_steer_angle"]),
                f32(record["radius"]),
                f32(record["max_brake_torque"]),
                f32(record["max_handbrake_torque"]),
                f32(record["lat_stiff_max_load"]) if stiffness else b"",
                f32(record["lat_stiff_value"]) if stiffness else b"",
                f32(record["long_stiff_value"]) if stiffness else b"",
                vector(record["position"], wide=False),
            ]
        )

    def one(record: Record) -> bytes:
        return b"".join(
            [
                u32(record["id"]),
                f32(record["max_rpm"]),
                f32(record["moi"]),
                f32(record["damping_full_throttle"]),
                f32(record["damping_zero_throttle_clutch_engaged"]),
                f32(record["damping_zero_throttle_clutch_disengaged"]),
                boolean(record["use_gear_autobox"]),
                f32(record["clutch_strength"]),
                f32(record["final_ratio"]),
                f32(record["mass"]),
                f32(record["drag_coefficient"]),
                vector(record["center_of_mass"], wide=False),
                u32(len(record["torque_curve"])),
                *(f32(p["rpm"]) + f32(p["torque"]) for p in record["torque_curve"]),
                u32(len(record["forward_gears"])),
                *(f32(g["ratio"]) + f32(g["down_ratio"]) + f32(g["up_ratio"]) for g in record["forward_gears"]),
                u32(len(record["steering_curve"])),
                *(f32(p["speed"]) + f32(p["value"]) for p in record["steering_curve"]),
                u32(len(record["wheels"])),
                *(wheel(w) for w in record["wheels"]),
            ]
        )

    return listed(records, one)


def physics_control_ue5(records: Sequence[Record]) -> bytes:
    """The records of the double-vector releases; a wheel is the server's memory, padding and pointers too."""

    def wheel(record: Record) -> bytes:
        data = b"".join(
            [
                u8(record["axle_type"]),
                record["padding_1"],
                vector(record["offset"], wide=False),
                f32(record["wheel_radius"]),
                f32(record["wheel_width"]),
                f32(record["wheel_mass"]),
                f32(record["cornering_stiffness"]),
                f32(record["friction_force_multiplier"]),
                f32(record["side_slip_modifier"]),
                f32(record["slip_threshold"]),
                f32(record["skid_threshold"]),
                f32(record["max_steer_angle"]),
                boolean(record["affected_by_steering"]),
                boolean(record["affected_by_brake"]),
                boolean(record["affected_by_handbrake"]),
                boolean(record["affected_by_engine"]),
                boolean(record["abs_enabled"]),
                boolean(record["traction_control_enabled"]),
                record["padding_58"],
                f32(record["max_wheelspin_rotation"]),
                u8(record["external_torque_combine_method"]),
                record["padding_65"],
                record["lateral_slip_graph"],
                vector(record["suspension_axis"], wide=False),
                vector(record["suspension_force_offset"], wide=False),
                f32(record["suspension_max_raise"]),
                f32(record["suspension_max_drop"]),
                f32(record["suspension_damping_ratio"]),
                f32(record["wheel_load_ratio"]),
                f32(record["spring_rate"]),
                f32(record["spring_preload"]),
                i32(record["suspension_smoothing"]),
                f32(record["rollbar_scaling"]),
                u8(record["sweep_shape"]),
                u8(record["sweep_type"]),
                record["padding_154"],
                f32(record["max_brake_torque"]),
                f32(record["max_hand_brake_torque"]),
                i32(record["wheel_index"]),
                vector(record["location"], wide=False),
                vector(record["old_location"], wide=False),
                vector(record["velocity"], wide=False),
                record["padding_204"],
            ]
        )
        assert len(data) == 208
        return data

    def one(record: Record) -> bytes:
        return b"".join(
            [
                u32(record["id"]),
                f32(record["max_torque"]),
                f32(record["max_rpm"]),
                f32(record["idle_rpm"]),
                f32(record["brake_effect"]),
                f32(record["rev_up_moi"]),
                f32(record["rev_down_rate"]),
                u8(record["differential_type"]),
                f32(record["front_rear_split"]),
                boolean(record["use_automatic_gears"]),
                f32(record["gear_change_time"]),
                f32(record["final_ratio"]),
                f32(record["change_up_rpm"]),
                f32(record["change_down_rpm"]),
                f32(record["transmission_efficiency"]),
                f32(record["mass"]),
                f32(record["drag_coefficient"]),
                vector(record["center_of_mass"], wide=False),
                f32(record["chassis_width"]),
                f32(record["chassis_height"]),
                f32(record["downforce_coefficient"]),
                f32(record["drag_area"]),
                vector(record["inertia_tensor_scale"], wide=False),
                f32(record["sleep_threshold"]),
                f32(record["sleep_slope_limit"]),
                boolean(record["use_sweep_wheel_collision"]),
                u32(len(record["torque_curve"])),
                *(f32(p["rpm"]) + f32(p["torque"]) for p in record["torque_curve"]),
                u32(len(record["forward_gear_ratios"])),
                *(f32(g["ratio"]) for g in record["forward_gear_ratios"]),
                u32(len(record["reverse_gear_ratios"])),
                *(f32(g["ratio"]) for g in record["reverse_gear_ratios"]),
                u32(len(record["steering_curve"])),
                *(f32(p["speed"]) + f32(p["value"]) for p in record["steering_curve"]),
                u32(len(record["wheels"])),
                *(wheel(w) for w in record["wheels"]),
            ]
        )

    return listed(records, one)


def traffic_light_time(records: Sequence[Record]) -> bytes:
    def one(record: Record) -> bytes:
        return b"".join([u32(record["id"]), f32(record["green"]), f32(record["yellow"]), f32(record["red"])])

    return listed(records, one)


trigger_volume = bounding_box


def frame_counter(value: int) -> bytes:
    """Id 18 on the multi-GPU network; never seen in a file."""
    return u64(value)


def walker_bones(records: Sequence[Record], wide: bool = False) -> bytes:
    def bone(record: Record) -> bytes:
        return b"".join([string(record["name"]), vector(record["location"], wide), vector(record["rotation"], wide)])

    def one(record: Record) -> bytes:
        return u32(record["id"]) + u16(len(record["bones"])) + b"".join(bone(b) for b in record["bones"])

    return listed(records, one)


visual_time = platform_time


def vehicle_wheels(records: Sequence[Record]) -> bytes:
    """AnimVehicleWheels: id 21 in 0.9.15 and again since 0.9.16, id 22 in between and in 0.10.0."""

    def one(record: Record) -> bytes:
        wheels = (u8(w["location"]) + f32(w["steering"]) + f32(w["rotation"]) for w in record["wheels"])
        return u32(record["id"]) + u32(len(record["wheels"])) + b"".join(wheels)

    return listed(records, one)


def biker(records: Sequence[Record]) -> bytes:
    """AnimBiker: id 22 in 0.9.15 and again since 0.9.16, id 23 in between and in 0.10.0."""

    def one(record: Record) -> bytes:
        return b"".join([u32(record["id"]), f32(record["forward_speed"]), f32(record["engine_rotation"])])

    return listed(records, one)


def vehicle_door(records: Sequence[Record]) -> bytes:
    """VehicleDoor: id 21 in the doors builds and 0.10.0, id 23 since 0.9.16."""

    def one(record: Record) -> bytes:
        return b"".join([u32(record["id"]), u8(record["door"]), boolean(record["open"])])

    return listed(records, one)


WEATHER = (
    "cloudiness",
    "precipitation",
    "precipitation_deposits",
    "wind_intensity",
    "sun_azimuth_angle",
    "sun_altitude_angle",
    "fog_density",
    "fog_distance",
    "fog_falloff",
    "wetness",
    "scattering_intensity",
    "mie_scattering_scale",
    "rayleigh_scattering_scale",
    "dust_storm",
)


def weather(records: Sequence[Record], dust: bool = True) -> bytes:
    """Id 24, 56 bytes each; without `dust` the 52 bytes of DReyeVR's id 18."""
    names = WEATHER if dust else WEATHER[:-1]
    return listed(records, lambda record: b"".join(f32(record[name]) for name in names))


def dreyevr_sensor_data() -> bytes:
    """A body in the manner of DReyeVR's id 139: a count, then fields of its own."""
    return u16(1) + i64(1_234_567) + b"".join(f32(value) for value in (0.1, 0.2, 0.97, 3.5)) + boolean(True)


def dreyevr_custom_actor() -> bytes:
    return u16(1) + u8(2) + string("LegacyObject") + vector(xyz(1.0, 2.0, 3.0), wide=False)


def dreyevr_config_file() -> bytes:
    return string("[EgoVehicle]\nDisplaySpeedInMPH=True\n")


# --- example records with everything odd that a file may hold ----------------------------------------------


def real(wide: bool, narrow_value: Any, wide_value: Any) -> Any:
    return wide_value if wide else narrow_value


def odd_vectors(wide: bool) -> tuple[Record, Record]:
    """Two vectors of values that only survive when their bits do."""
    first = xyz(real(wide, SIGNALLING_32, SIGNALLING_64), real(wide, PAYLOAD_32, PAYLOAD_64), -0.0)
    second = xyz(INFINITE, -INFINITE, real(wide, 2.0**-149, 5e-324))
    return first, second


def as_turn(value: Record) -> Record:
    return turn(*value.values())


def actors_added(wide: bool, shift: int, newest_kind: int) -> list[Record]:
    """`shift` is 0 or 1, the attribute numbering; `newest_kind` the largest actor type of the release."""
    first, second = odd_vectors(wide)
    return [
        actor(1, 0, "spectator", xyz(542.5, 4236.75, 490.875), turn(0.0, 0.0, -131.75), 0),
        actor(
            174,
            1,
            "vehicle.lincoln.mkz_2017",
            xyz(10700.0, 13300.0, 64.5),
            turn(0.125, -0.25, 92.5),
            21,
            [
                attribute(1 + shift, "number_of_wheels", "4"),
                attribute(3 + shift, "role_name", "hero"),
                attribute(3 + shift, "object_type", ""),
                attribute(0 + shift, "sticky_control", "True"),
                attribute(4 + shift, "color", "17,37,103"),
                attribute(77, b"\xffodd", b"\x00\xc3\x28"),
            ],
        ),
        actor(2, 3, "traffic.traffic_light", first, as_turn(second), 0),
        actor(174, newest_kind, NOT_UTF8, second, as_turn(first), 0xFFFFFFFF),
    ]


def poses(wide: bool, props: bool) -> list[Record]:
    """`props`: the spectator and the props are told too, as since 0.9.11."""
    first, second = odd_vectors(wide)
    return [
        *([pose(1, xyz(542.5, 4236.75, 490.875), turn(0.0, 0.0, -131.75))] if props else []),
        pose(174, first, as_turn(second)),
        pose(174, second, as_turn(first)),
        pose(0xFFFFFFFF, xyz(-19660.5, 302.75, 2.5), turn(180.0, -90.0, 359.5)),
    ]


def boxes(wide: bool) -> list[Record]:
    nan = real(wide, BOX_NAN_32, BOX_NAN_64)
    return [
        {"id": 1, "origin": xyz(nan, nan, nan), "extent": xyz(-INFINITE, -INFINITE, -INFINITE)},
        {"id": 174, "origin": xyz(0.0, -0.0, 71.5), "extent": xyz(245.0, 91.75, 76.0)},
    ]


def motions(wide: bool) -> list[Record]:
    first, second = odd_vectors(wide)
    return [
        {"id": 174, "linear_velocity": xyz(9.25, -0.5, 0.0), "angular_velocity": xyz(0.0, 0.0, -12.5)},
        {"id": 175, "linear_velocity": first, "angular_velocity": second},
    ]


def bones(wide: bool) -> list[Record]:
    first, second = odd_vectors(wide)
    return [
        {"id": 176, "bones": []},
        {
            "id": 177,
            "bones": [
                {"name": "crl_hips__C", "location": xyz(0.0, 0.0, 96.5), "rotation": turn(1.0, 2.0, 3.0)},
                {"name": "", "location": first, "rotation": as_turn(second)},
                {"name": b"\x80", "location": second, "rotation": as_turn(first)},
            ],
        },
    ]


def physics(stiffness: bool) -> Record:
    def wheel(number: float) -> Record:
        record: Record = {
            "tire_friction": 3.5,
            "damping_rate": 0.25,
            "max_steer_angle": 70.0,
            "radius": 35.5,
            "max_brake_torque": 1500.0,
            "max_handbrake_torque": SIGNALLING_32,
        }
        if stiffness:
            record |= {"lat_stiff_max_load": 3.0, "lat_stiff_value": 20.0, "long_stiff_value": 3000.0}
        return record | {"position": xyz(10840.0 + number, 13220.0, PAYLOAD_32)}

    return {
        "id": 174,
        "max_rpm": 5800.0,
        "moi": 1.0,
        "damping_full_throttle": 0.125,
        "damping_zero_throttle_clutch_engaged": 2.0,
        "damping_zero_throttle_clutch_disengaged": -0.0,
        "use_gear_autobox": 2,
        "clutch_strength": 10.0,
        "final_ratio": 4.0,
        "mass": 2404.0,
        "drag_coefficient": 0.25,
        "center_of_mass": xyz(0.5, 0.0, -INFINITE),
        "torque_curve": [{"rpm": 0.0, "torque": 500.0}, {"rpm": 5729.5, "torque": SIGNALLING_32}],
        "forward_gears": [{"ratio": 2.75, "down_ratio": 0.5, "up_ratio": 0.625}],
        "steering_curve": [{"speed": 20.0, "value": 0.875}, {"speed": 120.0, "value": 0.75}],
        "wheels": [wheel(0.0), wheel(1.0)],
    }


NO_POINTERS = bytes(24)
POINTERS = b"".join(u64(value) for value in (0x7F12_3456_7890, 0x7F12_3456_78A0, 0x7F12_3456_78A0))
"""What is in a wheel of Unreal 5 where its slip graph is: nothing, or where the points were in the server's memory."""


def wheel_ue5(number: int = 0, pointers: bytes = POINTERS) -> Record:
    return {
        "axle_type": 1,
        "padding_1": b"\xcd" * 3,
        "offset": xyz(135.0, -80.0, 30.0),
        "wheel_radius": 32.0,
        "wheel_width": 22.0,
        "wheel_mass": 30.0,
        "cornering_stiffness": 1000.0,
        "friction_force_multiplier": 3.5,
        "side_slip_modifier": 1.0,
        "slip_threshold": 20.0,
        "skid_threshold": 20.0,
        "max_steer_angle": 70.0,
        "affected_by_steering": True,
        "affected_by_brake": True,
        "affected_by_handbrake": True,
        "affected_by_engine": False,
        "abs_enabled": True,
        "traction_control_enabled": False,
        "padding_58": b"\xcd\x00",
        "max_wheelspin_rotation": 30.0,
        "external_torque_combine_method": 0,
        "padding_65": b"\x00\xcd\xcd\xcd\xcd\xcd\x00",
        "lateral_slip_graph": pointers,
        "suspension_axis": xyz(0.0, 0.0, -1.0),
        "suspension_force_offset": xyz(0.0, 0.0, 0.0),
        "suspension_max_raise": 8.0,
        "suspension_max_drop": 10.0,
        "suspension_damping_ratio": 0.5,
        "wheel_load_ratio": 0.5,
        "spring_rate": 250.0,
        "spring_preload": 50.0,
        "suspension_smoothing": -4,
        "rollbar_scaling": 0.15000000596046448,
        "sweep_shape": 0,
        "sweep_type": 200,
        "padding_154": b"\xcd\xcd",
        "max_brake_torque": 1500.0,
        "max_hand_brake_torque": 3000.0,
        "wheel_index": number,
        "location": xyz(1.0, 2.0, 3.0),
        "old_location": xyz(1.0, 2.0, 3.5),
        "velocity": xyz(0.0, 0.0, 0.0),
        "padding_204": b"\xff\xff\xff\xff",
    }


def physics_ue5(actor_id: int = 174, wheels: int = 2, pointers: bytes = POINTERS) -> Record:
    return {
        "id": actor_id,
        "max_torque": 300.0,
        "max_rpm": 5000.0,
        "idle_rpm": 900.0,
        "brake_effect": 0.0625,
        "rev_up_moi": 5.0,
        "rev_down_rate": 600.0,
        "differential_type": 3,
        "front_rear_split": 0.5,
        "use_automatic_gears": True,
        "gear_change_time": 0.5,
        "final_ratio": 4.0,
        "change_up_rpm": 4500.0,
        "change_down_rpm": 2000.0,
        "transmission_efficiency": 0.875,
        "mass": 1845.0,
        "drag_coefficient": 0.25,
        "center_of_mass": xyz(0.5, 0.0, -0.25),
        "chassis_width": 180.0,
        "chassis_height": 140.0,
        "downforce_coefficient": 0.25,
        "drag_area": 0.0,
        "inertia_tensor_scale": xyz(1.0, 1.0, 1.0),
        "sleep_threshold": 10.0,
        "sleep_slope_limit": 0.875,
        "use_sweep_wheel_collision": False,
        "torque_curve": [{"rpm": 0.0, "torque": 400.0}, {"rpm": 1890.0, "torque": 500.0}],
        "forward_gear_ratios": [{"ratio": 4.25}, {"ratio": 2.5}, {"ratio": 1.75}],
        "reverse_gear_ratios": [{"ratio": 4.0}],
        "steering_curve": [{"speed": 20.0, "value": 0.875}],
        "wheels": [wheel_ue5(number, pointers) for number in range(wheels)],
    }


def odd_physics_ue5() -> Record:
    """Values that Python's own do not hold unharmed, in a vehicle and in its wheel."""
    wheel = wheel_ue5(-1, NO_POINTERS) | {"abs_enabled": 2, "spring_rate": SIGNALLING_32, "padding_1": b"\x80\xff\x00"}
    wheel["velocity"] = xyz(PAYLOAD_32, -0.0, INFINITE)
    odd = {"use_automatic_gears": 2, "mass": SIGNALLING_32, "drag_coefficient": -0.0, "differential_type": 255}
    return physics_ue5(176) | odd | {"center_of_mass": xyz(PAYLOAD_32, INFINITE, -INFINITE), "wheels": [wheel]}


def bare_physics_ue5() -> Record:
    """Five empty lists: the shortest record there is."""
    names = ("torque_curve", "forward_gear_ratios", "reverse_gear_ratios", "steering_curve", "wheels")
    return physics_ue5(175) | {name: [] for name in names}


def bare_physics() -> Record:
    """Four empty lists: the shortest record there is."""
    empty: Record = {"torque_curve": [], "forward_gears": [], "steering_curve": [], "wheels": []}
    return physics(stiffness=False) | {"id": 175} | empty


COLLISIONS: list[Record] = [
    {"id": 0, "actor1": 174, "actor2": 0xFFFFFFFF, "hero1": True, "hero2": False},
    {"id": 2, "actor1": 175, "actor2": 174, "hero1": 2, "hero2": 255},
    {"id": 2, "actor1": 175, "actor2": 174, "hero1": False, "hero2": True},
]
PARENTS: list[Record] = [{"child": 176, "parent": 174}, {"child": 176, "parent": 174}]
DELETED: list[Record] = [{"id": 180}, {"id": 0}, {"id": 180}]
LIGHT_STATES: list[Record] = [
    {"id": 2, "frozen": False, "elapsed": 0.125, "state": 2},
    {"id": 3, "frozen": 2, "elapsed": SIGNALLING_32, "state": -1},
    {"id": 3, "frozen": True, "elapsed": INFINITE, "state": 0},
]
CONTROLS: list[Record] = [
    {"id": 174, "steering": -0.5, "throttle": 0.75, "brake": 0.0, "handbrake": False, "gear": 2},
    {"id": 175, "steering": SIGNALLING_32, "throttle": -0.0, "brake": PAYLOAD_32, "handbrake": 2, "gear": -1},
]
WALKERS: list[Record] = [{"id": 176, "speed": 141.5}, {"id": 177, "speed": PAYLOAD_32}]
LAMPS: list[Record] = [{"id": 174, "lights": 0x7FF}, {"id": 175, "lights": 0xFFFFF800}, {"id": 176, "lights": 0}]
SCENE_LIGHTS: list[Record] = [
    {"id": 4, "intensity": 9.5, "color": {"r": 1.0, "g": 0.5, "b": 0.25, "a": 1.0}, "on": True, "group": 2},
    {
        "id": -1,
        "intensity": SIGNALLING_32,
        "color": {"r": -0.0, "g": INFINITE, "b": PAYLOAD_32, "a": 0.0},
        "on": 2,
        "group": 9,
    },
    {"id": 4, "intensity": 9.5, "color": {"r": 1.0, "g": 0.5, "b": 0.25, "a": 1.0}, "on": False, "group": 2},
]
LIGHT_TIMES: list[Record] = [
    {"id": 2, "green": 10.0, "yellow": 3.0, "red": 2.0},
    {"id": 2, "green": SIGNALLING_32, "yellow": -INFINITE, "red": -0.0},
]
WHEELS: list[Record] = [
    {"id": 174, "wheels": [{"location": n, "steering": 2.5 * n, "rotation": -180.0} for n in range(4)]},
    {"id": 178, "wheels": []},
    {
        "id": 179,
        "wheels": [
            {"location": 0, "steering": SIGNALLING_32, "rotation": PAYLOAD_32},
            {"location": 200, "steering": -0.0, "rotation": INFINITE},
        ],
    },
]
BIKERS: list[Record] = [
    {"id": 179, "forward_speed": 5.5, "engine_rotation": 0.25},
    {"id": 179, "forward_speed": SIGNALLING_32, "engine_rotation": -0.0},
]
DOORS: list[Record] = [
    {"id": 174, "door": 0, "open": True},
    {"id": 174, "door": 6, "open": False},
    {"id": 175, "door": 99, "open": 2},
]
SKIES: list[Record] = [
    {name: 5.5 * number for number, name in enumerate(WEATHER)},
    {name: SIGNALLING_32 if number % 2 else -0.0 for number, name in enumerate(WEATHER)},
]


# --- the releases -------------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """One packet of a release: its bytes, and the records that were put in."""

    id: int
    name: str
    body: bytes
    records: list[Record] | None  # None: the body is not to be read by anyone
    empty: bytes | None  # what the release writes when there is nothing to say; None: no packet at all

    @property
    def data(self) -> bytes:
        return packet(self.id, self.body)


class Release(NamedTuple):
    """What decides the bytes of a release, from the tables of the format reference."""

    version: int = 1
    wide: bool = False
    animations: bool = True  # ids 8 and 9
    lights: bool = True  # ids 10 and 11, and additional data
    stiffness: bool = True  # wheels of 48 bytes
    props: bool = True  # Position holds actors of type 0
    bones: bool = True  # ids 19 and 20
    wheels: int | None = None
    biker: int | None = None
    door: int | None = None
    weather: int | None = None
    newest_kind: int = 5  # the actor type of sensors
    shift: int = 0  # added to every attribute type


RELEASES: Mapping[str, Release] = {
    "ue4-0.9.4": Release(animations=False, lights=False, stiffness=False, props=False, bones=False, newest_kind=3),
    "ue4-0.9.6": Release(lights=False, stiffness=False, props=False, bones=False, newest_kind=3),
    "ue4-0.9.10": Release(stiffness=False, props=False, bones=False, newest_kind=4),
    "ue4-0.9.12": Release(bones=False),
    "ue4-0.9.14": Release(),
    "ue4-0.9.15": Release(wheels=21, biker=22),
    "ue4-doors": Release(door=21, wheels=22, biker=23),
    "ue4-0.9.16": Release(version=2, shift=1, wheels=21, biker=22, door=23),
    "ue4-2026": Release(version=2, shift=1, wheels=21, biker=22, door=23, weather=24),
    "ue5-0.10.0": Release(wide=True, door=21, wheels=22, biker=23),
    "ue5-2026": Release(wide=True, wheels=21, biker=22, door=23, weather=24),
}


@cache
def samples(dialect: str) -> tuple[Sample, ...]:
    """Every packet kind a release writes between FrameStart and FrameEnd, in the recorder's own order."""
    release = RELEASES[dialect]
    wide = release.wide
    nothing = u16(0)
    found: list[Sample] = []

    def add(packet_id: int, name: str, body: bytes, records: list[Record] | None, empty: bytes | None) -> None:
        found.append(Sample(packet_id, name, body, records, empty))

    if release.bones:
        visual: Record = {"time": PAYLOAD_64}
        add(20, "VisualTime", visual_time(visual), [visual], f64(0.5))
    added = actors_added(wide, release.shift, release.newest_kind)
    add(2, "EventAdd", event_add(added, wide), added, nothing)
    add(3, "EventDel", event_del(DELETED), DELETED, nothing)
    add(4, "EventParent", event_parent(PARENTS), PARENTS, nothing)
    add(5, "Collision", collision(COLLISIONS), COLLISIONS, nothing)
    if release.door is not None:
        add(release.door, "VehicleDoor", vehicle_door(DOORS), DOORS, nothing)
    placed = poses(wide, release.props)
    add(6, "Position", position(placed, wide), placed, nothing)
    add(7, "State", traffic_light_state(LIGHT_STATES), LIGHT_STATES, nothing)
    if release.animations:
        add(8, "AnimVehicle", anim_vehicle(CONTROLS), CONTROLS, nothing)
        add(9, "AnimWalker", anim_walker(WALKERS), WALKERS, nothing)
    if release.lights:
        add(10, "VehicleLight", vehicle_light(LAMPS), LAMPS, nothing)
        add(11, "SceneLight", scene_light(SCENE_LIGHTS), SCENE_LIGHTS, None)
    if release.wheels is not None:
        add(release.wheels, "AnimVehicleWheels", vehicle_wheels(WHEELS), WHEELS, nothing)
    if release.biker is not None:
        add(release.biker, "AnimBiker", biker(BIKERS), BIKERS, nothing)
    if release.weather is not None:
        add(release.weather, "Weather", weather(SKIES), SKIES, None)
    if release.lights:
        add(12, "Kinematics", kinematics(motions(wide), wide), motions(wide), None)
        add(13, "BoundingBox", bounding_box(boxes(wide), wide), boxes(wide), nothing)
        add(17, "TriggerVolume", trigger_volume(boxes(wide), wide), boxes(wide), None)
        platform: Record = {"time": SIGNALLING_64}
        add(14, "PlatformTime", platform_time(platform), [platform], f64(0.25))
        if wide:
            engines = [physics_ue5(174), bare_physics_ue5(), odd_physics_ue5()]
            add(15, "PhysicsControl", physics_control_ue5(engines), engines, None)
        else:
            engines = [physics(release.stiffness), bare_physics()]
            add(15, "PhysicsControl", physics_control(engines, release.stiffness), engines, None)
        add(16, "TrafficLightTime", traffic_light_time(LIGHT_TIMES), LIGHT_TIMES, None)
    if release.bones:
        add(19, "WalkerBones", walker_bones(bones(wide), wide), bones(wide), nothing)
    return tuple(found)


@cache
def everything(dialect: str) -> bytes:
    """A recording of three frames: every packet kind of a release, then the empty ones twice."""
    kinds = samples(dialect)
    full = [kind.data for kind in kinds]
    empty = [packet(kind.id, kind.empty) for kind in kinds if kind.empty is not None]
    return recording(
        frame(1, 0.0, 0.05, full),
        frame(2, 0.05, 0.0625, empty),
        frame(3, 0.1125, -1.0, empty),
        version=RELEASES[dialect].version,
    )


@cache
def nothing_in_it(dialect: str) -> bytes:
    """A recording of two frames whose packets are all empty."""
    empty = [packet(kind.id, kind.empty) for kind in samples(dialect) if kind.empty is not None]
    return recording(frame(1, 0.0, 0.05, empty), frame(2, 0.05, -1.0, empty), version=RELEASES[dialect].version)


FOREIGN: tuple[Sample, ...] = (
    Sample(18, "", weather(SKIES, dust=False), None, u16(0)),
    Sample(77, "", b"\x01\x02\x03", None, b""),
    Sample(100, "", b"mine", None, b""),
    Sample(139, "", dreyevr_sensor_data(), None, b""),
    Sample(140, "", dreyevr_custom_actor(), None, b""),
    Sample(141, "", dreyevr_config_file(), None, b""),
    Sample(255, "", b"", None, b""),
)


def dreyevr() -> bytes:
    """What a fork on 0.9.13 writes: the packets of the release, and its own before FrameEnd."""
    kinds = [*samples("ue4-0.9.12"), *FOREIGN]
    return recording(frame(1, 0.0, 0.05, [kind.data for kind in kinds]), frame(2, 0.05))


def drive(frames: int = 10, step: float = 0.05, vehicles: int = 1, first_id: int = 100) -> bytes:
    """A sound 0.9.13 recording: vehicles that roll along x at 10 m/s, 4 m apart, from the first frame on."""
    actors = range(first_id, first_id + vehicles)
    parts: list[bytes] = []
    for index in range(frames):
        travelled = index * step * 1000.0
        poses_now = [pose(n, xyz(travelled, 400.0 * (n - first_id), 50.0)) for n in actors]
        births = [actor(n, location=p["location"]) for n, p in zip(actors, poses_now, strict=True)]
        controls = [
            {"id": n, "steering": 0.0, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": 1} for n in actors
        ]
        packets = [
            packet(2, event_add(births if index == 0 else [])),
            packet(3, event_del([])),
            packet(4, event_parent([])),
            packet(5, collision([])),
            packet(6, position(poses_now)),
            packet(7, traffic_light_state([])),
            packet(8, anim_vehicle(controls)),
            packet(9, anim_walker([])),
            packet(10, vehicle_light([{"id": n, "lights": 0} for n in actors])),
        ]
        last = index == frames - 1
        parts.append(frame(index + 1, index * step, -1.0 if last else step, packets))
    return recording(*parts)


# --- comparing ----------------------------------------------------------------------------------------------


def exactly(value: Any) -> Any:
    """A value (or records of them) in a form that is equal only when every bit is: NaN, -0.0, True and 1.

    A float that knows its own `bits` and `width` counts as those bits.
    """
    if isinstance(value, Mapping):
        return {key: exactly(inner) for key, inner in value.items()}
    if isinstance(value, Bits32 | Bits64):
        return ("bits", 32 if isinstance(value, Bits32) else 64, value.bits)
    if isinstance(value, list):
        return [exactly(inner) for inner in value]
    if hasattr(value, "bits") and hasattr(value, "width"):
        return ("bits", value.width, value.bits)
    if isinstance(value, float):
        return ("float", struct.pack("<d", value))
    return (type(value).__name__, value)
