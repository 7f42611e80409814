"""The file info text, held against texts written by hand from the rules of the format reference, 7.1."""

import tracemalloc

import pytest

from recorder_editor.edits.fields import set_field
from recorder_editor.progress import Progress
from recorder_editor.recording.place import Place
from recorder_editor.reports.info import info_report
from recorder_editor.reports.text import FAMILIES, Family

from .. import builders as b
from ..recording.films import add, delete, film, opened
from .texts import CAST, HEAD, at, info, lines_of, one

EVENTS = b.recording(
    b.frame(
        1,
        0.0,
        0.5,
        [
            add(
                b.actor(
                    7,
                    1,
                    "vehicle.audi.tt",
                    b.xyz(1.5, -2.0, 1234567.0),
                    attributes=[b.attribute(3, "role_name", "hero"), b.attribute(3, "object_type", "")],
                )
            ),
            delete(),
            b.packet(4, b.event_parent([{"child": 8, "parent": 7}])),
        ],
    ),
    b.frame(2, 0.5, 0.5, [add(), delete()]),
    b.frame(
        3,
        1.0,
        -1.0,
        [
            delete(7),
            b.packet(
                5,
                b.collision(
                    [
                        {"id": 4, "actor1": 7, "actor2": 9, "hero1": True, "hero2": False},
                        {"id": 5, "actor1": 9, "actor2": 7, "hero1": False, "hero2": True},
                    ]
                ),
            ),
        ],
    ),
)
TOLD = (
    "Frame 1 at 0 seconds\n"
    " Create 7: vehicle.audi.tt (1) at (1.5, -2, 1.23457e+06)\n"
    "  role_name = hero\n"
    "  object_type = \n"
    " Parenting 8 with {parent} (parent)\n"
    "Frame 3 at 1 seconds\n"
    " Destroy 7\n"
    " Collision id 4 between 7 (hero)  with 9\n"
    " Collision id 5 between 9 with 7 (hero) \n"
)


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "newest"])
def test_events_are_told_with_the_frames_that_hold_any(family: Family) -> None:
    told = TOLD.format(parent=8 if family == "0.9.4" else 7)
    assert lines_of(EVENTS, family, everything=False) == told


def test_the_newest_release_ends_each_frame_with_an_empty_line_and_the_last_one_twice() -> None:
    told = TOLD.format(parent=7)
    first, third = told.split("Frame 3")
    assert info(EVENTS, "newest", everything=False) == (
        f"{HEAD}{first}\n\nFrame 3{third}\n\n\nFrames: 3\nDuration: 1 seconds\n"
    )


def test_the_oldest_release_does_not_know_everything() -> None:
    data = film([b.packet(6, b.position([b.pose(1)])), b.packet(8, b.u16(0))])
    assert lines_of(data, "0.9.4") == "Unknown packet id: 8\n"


def test_weather_is_told_by_the_newest_release_alone() -> None:
    names = (
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
    data = one(24, b.weather([{name: float(index) for index, name in enumerate(names)}]))
    assert lines_of(data, "newest", everything=False, dialect="ue4-2026").startswith(
        "Frame 1 at 0.5 seconds\n Weathers: 1\n"
        "  Cloudiness: 0 Precipitation: 1 PrecipitationDeposits: 2 WindIntensity: 3 SunAzimuthAngle: 4"
        " SunAltitudeAngle: 5 FogDensity: 6 FogDistance: 7 FogFalloff: 8 Wetness: 9 ScatteringIntensity: 10"
        " MieScatteringScale: 11 RayleighScatteringScale: 12 DustStorm: 13\n"
    )
    assert lines_of(data, "0.9.15", everything=False, dialect="ue4-2026") == "\n"


POSE = b.position([b.pose(9, b.xyz(1.0, 2.0, 3.5), b.turn(0.5, -1.0, 90.25))])
CONTROL = b.anim_vehicle([{"id": 9, "steering": -0.5, "throttle": 0.25, "brake": 1.0, "handbrake": True, "gear": -1}])
LIGHT = b.traffic_light_state([{"id": 3, "frozen": True, "elapsed": 2.5, "state": 2}])
SPEED = b.anim_walker([{"id": 5, "speed": 133.0}])
TABLES: dict[Family, tuple[str, str, str]] = {
    "0.9.6": (
        "  Id: 9 Location (1, 2, 3.5) Rotation (0.5, -1, 90.25)",
        "  Vehicle id 9: Steering -0.5 Throttle 0.25 Brake 1 Handbrake 1 Gear -1",
        "  Walker id 5: speed 133",
    ),
    "0.9.10": (
        "  Id: 9 Location: (1, 2, 3.5) Rotation (0.5, -1, 90.25)",
        "  Id: 9 Steering: -0.5 Throttle: 0.25 Brake 1 Handbrake: 1 Gear: -1",
        "  Id: 5 speed: 133",
    ),
    "0.9.15": (
        "  Id: 9 Location: (1, 2, 3.5) Rotation: (0.5, -1, 90.25)",
        "  Id: 9 Steering: -0.5 Throttle: 0.25 Brake: 1 Handbrake: 1 Gear: -1",
        "  Id: 5 speed: 133",
    ),
}
TABLES["0.9.13"] = TABLES["0.9.10"]
TABLES["newest"] = TABLES["0.9.15"]


@pytest.mark.parametrize("family", TABLES)
def test_everything_is_told_in_the_words_of_the_release(family: Family) -> None:
    data = film([b.packet(6, POSE), b.packet(7, LIGHT), b.packet(8, CONTROL), b.packet(9, SPEED)])
    pose, control, speed = TABLES[family]
    end = "\n\n" if family == "newest" else ""
    assert lines_of(data, family) == (
        f"Frame 1 at 0 seconds\n Positions: 1\n{pose}\n"
        " State traffic lights: 1\n  Id: 3 state: 2 frozen: 1 elapsedTime: 2.5\n"
        f" Vehicle animations: 1\n{control}\n Walker animations: 1\n{speed}\n{end}"
    )


@pytest.mark.parametrize(("state", "letter"), [(4, b"4"), (10, b":"), (-1, b"/"), (100, b"\x94")])
def test_the_state_of_a_light_is_one_character_whatever_it_is(state: int, letter: bytes) -> None:
    light = b.traffic_light_state([{"id": 3, "frozen": False, "elapsed": 0.0, "state": state}])
    with opened(one(7, light)) as recording:
        assert b"  Id: 3 state: " + letter + b" frozen: 0 elapsedTime: 0\n" in b"".join(
            info_report(recording.snapshot, show_all=True)
        )


@pytest.mark.parametrize("count", [2, 40])
def test_lines_follow_their_records_from_frame_to_frame(count: int) -> None:
    """A line is kept while its record stays as it was, so records that move, come and go must not mix theirs up."""
    frames = [
        [(actor, float(actor * (moves and frame))) for actor in range(frame % 3, count - frame % 5)]
        for moves in (False, True)
        for frame in range(8)
    ]
    told = lines_of(film(*([at(*frame)] for frame in frames), step=0.5))
    assert told == "".join(
        f"Frame {number + 1} at {number / 2:g} seconds\n Positions: {len(frame)}\n"
        + "".join(f"  Id: {actor} Location: ({x:g}, 0, 0) Rotation (0, 0, 0)\n" for actor, x in frame)
        for number, frame in enumerate(frames)
    )


def test_a_title_is_told_of_an_empty_packet_too() -> None:
    data = film([b.packet(number, b.u16(0)) for number in (6, 7, 8, 9, 10, 11, 12, 13, 16, 17)])
    assert lines_of(data) == (
        "Frame 1 at 0 seconds\n Positions: 0\n State traffic lights: 0\n Vehicle animations: 0\n Walker animations: 0\n"
        " Vehicle light animations: 0\n Scene light changes: 0\n Dynamic actors: 0\n Actor bounding boxes: 0\n"
        " Traffic Light time events: 0\n Actor trigger volumes: 0\n"
    )


def test_frames_come_with_everything_though_they_are_empty() -> None:
    assert lines_of(film([], [], step=0.5)) == "Frame 1 at 0 seconds\nFrame 2 at 0.5 seconds\n"


def test_vehicle_lights_are_named_with_interior_before_fog() -> None:
    data = one(10, b.vehicle_light([{"id": 4, "lights": 0x7FF}, {"id": 5, "lights": 0}, {"id": 6, "lights": 0x180}]))
    assert lines_of(data) == (
        "Frame 1 at 0.5 seconds\n Vehicle light animations: 3\n"
        "  Id: 4 Position LowBeam HighBeam Brake RightBlinker LeftBlinker Reverse Interior Fog Special1 Special2\n"
        "  Id: 5 None\n  Id: 6 Interior Fog\n"
    )


def test_scene_lights_times_and_velocities() -> None:
    light = {"id": -2, "intensity": 1200.5, "color": {"r": 1.0, "g": 0.5, "b": 0.25, "a": 1.0}, "on": False, "group": 2}
    motion = {"id": 9, "linear_velocity": b.xyz(1.0, 2.0, 3.0), "angular_velocity": b.xyz(4.0, 5.0, 6.0)}
    times = {"id": 3, "green": 10.0, "yellow": 3.0, "red": 2.0}
    data = film(
        [
            b.packet(11, b.scene_light([light, {**light, "on": True}])),
            b.packet(12, b.kinematics([motion])),
            b.packet(14, b.platform_time({"time": 0.125})),
            b.packet(16, b.traffic_light_time([times])),
        ]
    )
    assert lines_of(data) == (
        "Frame 1 at 0 seconds\n Scene light changes: 2\n"
        "  Id: -2 enabled: False intensity: 1200.5 RGB_color: (1, 0.5, 0.25)\n"
        "  Id: -2 enabled: True intensity: 1200.5 RGB_color: (1, 0.5, 0.25)\n"
        " Dynamic actors: 1\n  Id: 9 linear_velocity: (1, 2, 3) angular_velocity: (4, 5, 6)\n"
        " Current platform time: 0.125\n"
        " Traffic Light time events: 1\n  Id: 3 green_time: 10 yellow_time: 3 red_time: 2\n"
    )


def test_physics_tells_steering_before_gears() -> None:
    wheel = {
        "tire_friction": 3.5,
        "damping_rate": 0.25,
        "max_steer_angle": 70.0,
        "radius": 35.5,
        "max_brake_torque": 1500.0,
        "max_handbrake_torque": 0.0,
        "lat_stiff_max_load": 2.0,
        "lat_stiff_value": 17.0,
        "long_stiff_value": 1000.0,
        "position": b.xyz(1.0, 2.0, 3.0),
    }
    record = {
        "id": 9,
        "max_rpm": 5800.0,
        "moi": 1.0,
        "damping_full_throttle": 0.15,
        "damping_zero_throttle_clutch_engaged": 2.0,
        "damping_zero_throttle_clutch_disengaged": 0.35,
        "use_gear_autobox": True,
        "clutch_strength": 10.0,
        "final_ratio": 4.0,
        "mass": 1845.0,
        "drag_coefficient": 0.3,
        "center_of_mass": b.xyz(0.45, 0.0, -0.3),
        "torque_curve": [{"rpm": 0.0, "torque": 500.0}, {"rpm": 5000.0, "torque": 400.0}],
        "forward_gears": [{"ratio": 4.0, "down_ratio": 0.5, "up_ratio": 0.65}],
        "steering_curve": [],
        "wheels": [wheel, wheel],
    }
    told = (
        "tire_friction 3.5 damping_rate 0.25 max_steer_angle 70 radius 35.5 max_brake_torque 1500"
        " max_handbrake_torque 0 position (1, 2, 3)\n"
    )
    assert lines_of(one(15, b.physics_control([record]))) == (
        "Frame 1 at 0.5 seconds\n Physics Control events: 1\n  Id: 9\n   max_rpm = 5800\n   MOI = 1\n"
        "   damping_rate_full_throttle = 0.15\n   damping_rate_zero_throttle_clutch_engaged = 2\n"
        "   damping_rate_zero_throttle_clutch_disengaged = 0.35\n   use_gear_auto_box = true\n"
        "   gear_switch_time = 0.5\n   clutch_strength = 10\n   final_ratio = 4\n   mass = 1845\n"
        "   drag_coefficient = 0.3\n   center_of_mass = (0.45, 0, -0.3)\n   torque_curve = (0, 500) (5000, 400)\n"
        "   steering_curve =\n   forward_gears:\n    gear 0: ratio 4 down_ratio 0.5 up_ratio 0.65\n"
        f"   wheels:\n    wheel 0: {told}    wheel 1: {told}"
    )


def test_bones_end_with_an_empty_line_but_for_the_newest_release() -> None:
    bone = {"name": "crl_hips__C", "location": b.xyz(1.0, 2.0, 3.0), "rotation": b.turn(4.0, 5.0, 6.0)}
    data = one(19, b.walker_bones([{"id": 5, "bones": [bone]}]))
    told = (
        "Frame 1 at 0.5 seconds\n Walkers Bones: 1\n  Id: 5\n"
        '     Bone: "crl_hips__C" relative: Loc(1, 2, 3) Rot(4, 5, 6)\n'
    )
    assert info(data, "0.9.13", dialect="ue4-0.9.14") == (f"{HEAD}{told}\n\nFrames: 1\nDuration: 0.5 seconds\n")
    assert info(data, "newest", dialect="ue4-2026") == f"{HEAD}{told}\n\n\nFrames: 1\nDuration: 0.5 seconds\n"


def test_doors_are_told_without_saying_whether_they_open() -> None:
    doors = [{"id": 9, "door": door, "open": bool(door % 2)} for door in (0, 3, 6)]
    told = "".join(f"  Id: 9\n  Doors opened:  {name} \n" for name in ("Front Left", "Rear Right", "All"))
    data = one(23, b.vehicle_door(doors))
    assert lines_of(data, "0.9.15", dialect="ue4-0.9.16") == (
        f"Frame 1 at 0.5 seconds\n Vehicle door animations: 3\n{told}"
    )
    assert lines_of(data, "0.9.13", dialect="ue4-0.9.16") == "Frame 1 at 0.5 seconds\n"


def test_an_unknown_door_ends_without_a_newline() -> None:
    data = one(23, b.vehicle_door([{"id": 9, "door": 7, "open": True}, {"id": 9, "door": 4, "open": True}]))
    assert lines_of(data, "0.9.15", dialect="ue4-0.9.16").endswith(
        "  Id: 9\n  Doors opened:   Id: 9\n  Doors opened:  Hood \n"
    )


def wheel_of_unreal_5(number: int, graph: str = "[]") -> str:
    return (
        f"wheel #{number}:\n"
        " axle_type: \x01 offset: (135.000000, -80.000000, 30.000000) wheel_radius: 32 wheel_width: 22 wheel_mass: 30"
        " cornering_stiffness: 1000 friction_force_multiplier: 3.5 side_slip_modifier: 1 slip_threshold: 20"
        " skid_threshold: 20 max_steer_angle: 70 affected_by_steering: 1 affected_by_brake: 1 affected_by_handbrake: 1"
        " affected_by_engine: 0 abs_enabled: 1 traction_control_enabled: 0 max_wheelspin_rotation: 30"
        f" external_torque_combine_method: \x00 lateral_slip_graph: {graph} suspension_axis: (0.000000, 0.000000,"
        " -1.000000) suspension_force_offset: (0.000000, 0.000000, 0.000000) suspension_max_raise: 8"
        " suspension_max_drop: 10 suspension_damping_ratio: 0.5 wheel_load_ratio: 0.5 spring_rate: 250"
        " spring_preload: 50 suspension_smoothing: -4 rollbar_scaling: 0.15 sweep_shape: \x00 sweep_type: \udcc8"
        f" max_brake_torque: 1500 max_hand_brake_torque: 3000 wheel_index: {number}"
        " location: (1.000000, 2.000000, 3.000000) old_location: (1.000000, 2.000000, 3.500000)"
        " velocity: (0.000000, 0.000000, 0.000000)\n"
    )


ENGINE_OF_UNREAL_5 = (
    "   max_torque = 300\n   max_rpm = 5000\n   MOI = 5\n   rev_down_rate = 600\n   differential_type = \x03\n"
    "   front_rear_split = 0.5\n   use_gear_auto_box = true\n   gear_change_time = 0.5\n   final_ratio = 4\n"
    "   change_up_rpm = 4500\n   change_down_rpm = 2000\n   transmission_efficiency = 0.875\n   mass = 1845\n"
    "   drag_coefficient = 0.25\n   center_of_mass = (0.5, 0, -0.25)\n"
)


def test_physics_of_unreal_5_are_told_as_a_server_for_linux_does() -> None:
    """Behind the points that every new object has stand those of the file, sorted, a later one before its equal."""
    unsorted = [(0.0, 500.0), (5000.0, 500.0), (0.0, 400.0), (1890.0, 520.0)]
    record = b.physics_ue5(9, pointers=b.NO_POINTERS)
    record["torque_curve"] = [{"rpm": speed, "torque": torque} for speed, torque in unsorted]
    bare = b.bare_physics_ue5()
    data = film([b.packet(15, b.physics_control_ue5([record, bare])), b.packet(14, b.platform_time({"time": 2.0}))])
    assert lines_of(data, dialect="ue5-0.10.0") == (
        f"Frame 1 at 0 seconds\n Physics Control events: 2\n  Id: 9\n{ENGINE_OF_UNREAL_5}"
        "   torque_curve = (0, 500) (5000, 500) (0, 400) (0, 500) (1890, 520) (5000, 500)\n"
        "   steering_curve = (0, 1) (10, 0.5) (20, 0.875)\n"
        "   forward_gear_ratios:\n    gear 0: ratio 4.25\n    gear 1: ratio 2.5\n    gear 2: ratio 1.75\n"
        f"   reverse_gear_ratios:\n    gear 0: ratio 4\n   wheels:\n{wheel_of_unreal_5(0)}{wheel_of_unreal_5(1)}"
        f"  Id: 175\n{ENGINE_OF_UNREAL_5}   torque_curve = (0, 500) (5000, 500)\n"
        "   steering_curve = (0, 1) (10, 0.5)\n   forward_gear_ratios:\n   reverse_gear_ratios:\n   wheels:\n"
        " Current platform time: 2\n"
    )


def test_a_slip_graph_in_the_memory_of_another_server_is_not_told() -> None:
    data = film([b.packet(15, b.physics_control_ue5([b.physics_ue5(9, wheels=1)]))])
    assert wheel_of_unreal_5(0, "[?]") in lines_of(data, dialect="ue5-0.10.0")


def test_packets_before_the_first_frame_are_told_of_a_frame_that_is_not_there() -> None:
    data = b.header() + add(b.actor(7, 1, "vehicle.audi.tt")) + b.frame(1, 0.5, -1.0, [delete(7)])
    told = "Frame 0 at 0 seconds\n Create 7: vehicle.audi.tt (1) at (0, 0, 0)\nFrame 1 at 0.5 seconds\n Destroy 7\n"
    assert lines_of(data) == lines_of(data, everything=False) == told


def test_a_torn_recording_is_told_as_far_as_it_goes() -> None:
    whole_frames = b.frame(1, 0.0, 0.5, [CAST]), b.frame(2, 0.5, -1.0, [delete(7), b.packet(6, POSE)])
    for cut in range(1, len(whole_frames[1])):
        told = info(b.recording(*whole_frames)[:-cut], everything=False)
        assert told.startswith(HEAD + "Frame 1 at 0 seconds\n Create 7: vehicle.audi.tt")
        assert told.endswith(" seconds\n")
    assert " Destroy 7\n" in info(b.recording(*whole_frames)[:-9], everything=False)


def test_the_newest_release_handles_a_last_packet_twice_only_where_it_ends_a_frame() -> None:
    frames = b.frame(1, 0.0, 0.5), b.frame(2, 0.5, -1.0, [delete(7)])
    assert info(b.recording(*frames)[:-5], "newest", dialect="ue4-2026") == (
        f"{HEAD}Frame 1 at 0 seconds\n\nFrame 2 at 0.5 seconds\n Destroy 7\n\nFrames: 2\nDuration: 0.5 seconds\n"
    )


def test_what_was_edited_is_told_before_it_is_saved() -> None:
    with opened(film([CAST, b.packet(6, POSE)])) as recording:
        before = recording.snapshot
        recording.apply(set_field(recording, Place(0, 2, 0, "location.x"), -7.25))
        told = [b"".join(info_report(each, show_all=True)) for each in (before, recording.snapshot)]
        assert b"  Id: 9 Location: (1, 2, 3.5)" in told[0]
        assert b"  Id: 9 Location: (-7.25, 2, 3.5)" in told[1]


def test_a_long_text_takes_no_more_memory_than_a_short_one() -> None:
    def peak(frames: int) -> tuple[int, int]:
        poses = [b.packet(6, b.position([b.pose(actor, b.xyz(float(n))) for actor in range(100)])) for n in range(20)]
        with opened(film(*([poses[n % 20]] for n in range(frames)))) as recording:
            list(info_report(recording.snapshot, progress=Progress(is_cancelled=lambda: False)))
            tracemalloc.start()
            size = sum(map(len, info_report(recording.snapshot, show_all=True)))
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return size, most

    (short, little), (long, much) = peak(60), peak(600)
    assert long > 9 * short
    assert much < little + 200_000 < long


def test_doubles_are_told_like_floats() -> None:
    data = film([b.packet(6, b.position([b.pose(9, b.xyz(1 / 3, 2e10, -1e-7))], wide=True))])
    assert "  Id: 9 Location: (0.333333, 2e+10, -1e-07) Rotation: (0, 0, 0)\n" in lines_of(data, dialect="ue5-0.10.0")


def test_a_birth_with_very_many_attributes_is_told_in_pieces() -> None:
    many = [b.attribute(3, "", "")] * 4_000
    data = film([add(*(b.actor(number, attributes=many) for number in range(20)))])
    with opened(data) as recording:
        pieces = list(info_report(recording.snapshot))
    assert b"".join(pieces).count(b"   = \n") == 80_000
    assert max(map(len, pieces)) < 100_000
