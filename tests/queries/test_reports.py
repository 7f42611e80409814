"""CARLA's reports, held against texts written by hand from the rules of the format reference, section 7."""

import time
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.errors import Cancelled
from recorder_editor.queries.reports import (
    FAMILIES,
    Family,
    blocked,
    blocked_report,
    collision_report,
    collisions,
    family_of,
    info_report,
)
from recorder_editor.queries.reports.text import general

from .. import builders as b
from ..recording.films import add, collide, delete, film, opened

HEAD = "Version: 1\nMap: Town01\nDate: 11/23/21 14:08:48\n\n"


def info(data: bytes, family: Family | None = None, *, everything: bool = True, dialect: str = "ue4-0.9.12") -> str:
    with opened(data, dialect) as recording:
        pieces = info_report(recording.snapshot, show_all=everything, family=family, utc=True)
        return b"".join(pieces).decode("utf-8", "surrogateescape")


def lines_of(data: bytes, family: Family | None = None, *, everything: bool = True, dialect: str = "ue4-0.9.12") -> str:
    """What stands between head and foot."""
    text = info(data, family, everything=everything, dialect=dialect)
    assert text.startswith(HEAD)
    return text.removeprefix(HEAD).rpartition("\n\nFrames: ")[0] + "\n"


def one(number: int, body: bytes) -> bytes:
    """A recording of one frame that holds one packet."""
    return b.recording(b.frame(1, 0.5, -1.0, [b.packet(number, body)]))


# --- head, foot, numbers --------------------------------------------------------------------------------


def test_the_head_names_version_map_and_date_and_the_foot_frames_and_duration() -> None:
    data = b.recording(b.frame(1, 0.0, 0.25), b.frame(2, 0.25, -1.0))
    assert info(data, everything=False) == HEAD + "\nFrames: 2\nDuration: 0.25 seconds\n"


def test_the_date_is_local_unless_utc_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        with opened(b.recording(b.frame(1))) as recording:
            assert b"Date: 11/23/21 23:08:48\n" in b"".join(info_report(recording.snapshot))
            assert b"Date: 11/23/21 14:08:48\n" in b"".join(info_report(recording.snapshot, utc=True))
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("report", [info_report, collision_report, blocked_report])
def test_a_file_that_is_no_recording_is_told_in_one_line(report: Any) -> None:
    with opened(b"no recording at all", None) as recording:
        assert b"".join(report(recording.snapshot)) == b"File is not a CARLA recorder\n"


@given(st.floats(allow_nan=False))
def test_a_number_has_six_digits_as_printf_writes_it(value: float) -> None:
    assert general(value) == "%g" % value  # noqa: UP031 - the other way to say it


@pytest.mark.parametrize(
    ("bits", "text"),
    [(0x7FC00000, "nan"), (0xFFC00000, "-nan"), (0x7F800000, "inf"), (0xFF800000, "-inf"), (0x80000000, "-0"),
     (0x3727C5AC, "1e-05"), (0x49967E54, "1.23284e+06")],
)  # fmt: skip
def test_odd_numbers_are_written_as_glibc_does(bits: int, text: str) -> None:
    box = {"id": 5, "origin": b.xyz(b.Bits32(bits)), "extent": b.xyz()}
    assert lines_of(one(13, b.bounding_box([box]))) == (
        "Frame 1 at 0.5 seconds\n Actor bounding boxes: 1\n"
        f"  Id: 5 origin: ({text}, 0, 0) extension: (0, 0, 0)\n"
    )


def test_texts_that_are_not_utf8_come_out_as_they_were() -> None:
    with opened(one(2, b.event_add([b.actor(3, blueprint=b.NOT_UTF8)]))) as recording:
        text = b"".join(info_report(recording.snapshot))
        assert b" Create 3: " + b.NOT_UTF8 + b" (1) at (0, 0, 0)\n" in text


# --- events ---------------------------------------------------------------------------------------------


EVENTS = b.recording(
    b.frame(1, 0.0, 0.5, [
        add(b.actor(7, 1, "vehicle.audi.tt", b.xyz(1.5, -2.0, 1234567.0), attributes=[
            b.attribute(3, "role_name", "hero"), b.attribute(3, "object_type", ""),
        ])),
        delete(), b.packet(4, b.event_parent([{"child": 8, "parent": 7}])),
    ]),
    b.frame(2, 0.5, 0.5, [add(), delete()]),
    b.frame(3, 1.0, -1.0, [delete(7), b.packet(5, b.collision([
        {"id": 4, "actor1": 7, "actor2": 9, "hero1": True, "hero2": False},
        {"id": 5, "actor1": 9, "actor2": 7, "hero1": False, "hero2": True},
    ]))]),
)  # fmt: skip
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
        "cloudiness", "precipitation", "precipitation_deposits", "wind_intensity", "sun_azimuth_angle",
        "sun_altitude_angle", "fog_density", "fog_distance", "fog_falloff", "wetness", "scattering_intensity",
        "mie_scattering_scale", "rayleigh_scattering_scale", "dust_storm",
    )  # fmt: skip
    data = one(24, b.weather([{name: float(index) for index, name in enumerate(names)}]))
    assert lines_of(data, "newest", everything=False, dialect="ue4-2026").startswith(
        "Frame 1 at 0.5 seconds\n Weathers: 1\n"
        "  Cloudiness: 0 Precipitation: 1 PrecipitationDeposits: 2 WindIntensity: 3 SunAzimuthAngle: 4"
        " SunAltitudeAngle: 5 FogDensity: 6 FogDistance: 7 FogFalloff: 8 Wetness: 9 ScatteringIntensity: 10"
        " MieScatteringScale: 11 RayleighScatteringScale: 12 DustStorm: 13\n"
    )
    assert lines_of(data, "0.9.15", everything=False, dialect="ue4-2026") == "\n"


# --- everything -----------------------------------------------------------------------------------------


POSE = b.position([b.pose(9, b.xyz(1.0, 2.0, 3.5), b.turn(0.5, -1.0, 90.25))])
CONTROL = b.anim_vehicle([
    {"id": 9, "steering": -0.5, "throttle": 0.25, "brake": 1.0, "handbrake": True, "gear": -1},
])  # fmt: skip
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
    light = {
        "id": -2, "intensity": 1200.5, "color": {"r": 1.0, "g": 0.5, "b": 0.25, "a": 1.0}, "on": False, "group": 2,
    }  # fmt: skip
    motion = {"id": 9, "linear_velocity": b.xyz(1.0, 2.0, 3.0), "angular_velocity": b.xyz(4.0, 5.0, 6.0)}
    times = {"id": 3, "green": 10.0, "yellow": 3.0, "red": 2.0}
    data = film([
        b.packet(11, b.scene_light([light, {**light, "on": True}])), b.packet(12, b.kinematics([motion])),
        b.packet(14, b.platform_time({"time": 0.125})), b.packet(16, b.traffic_light_time([times])),
    ])  # fmt: skip
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
        "tire_friction": 3.5, "damping_rate": 0.25, "max_steer_angle": 70.0, "radius": 35.5, "max_brake_torque": 1500.0,
        "max_handbrake_torque": 0.0, "lat_stiff_max_load": 2.0, "lat_stiff_value": 17.0, "long_stiff_value": 1000.0,
        "position": b.xyz(1.0, 2.0, 3.0),
    }  # fmt: skip
    record = {
        "id": 9, "max_rpm": 5800.0, "moi": 1.0, "damping_full_throttle": 0.15,
        "damping_zero_throttle_clutch_engaged": 2.0, "damping_zero_throttle_clutch_disengaged": 0.35,
        "use_gear_autobox": True, "clutch_strength": 10.0, "final_ratio": 4.0, "mass": 1845.0,
        "drag_coefficient": 0.3, "center_of_mass": b.xyz(0.45, 0.0, -0.3),
        "torque_curve": [{"rpm": 0.0, "torque": 500.0}, {"rpm": 5000.0, "torque": 400.0}],
        "forward_gears": [{"ratio": 4.0, "down_ratio": 0.5, "up_ratio": 0.65}],
        "steering_curve": [], "wheels": [wheel, wheel],
    }  # fmt: skip
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
    assert info(data, "0.9.13", dialect="ue4-0.9.14") == (
        f"{HEAD}{told}\n\nFrames: 1\nDuration: 0.5 seconds\n"
    )
    assert info(data, "newest", dialect="ue4-2026") == f"{HEAD}{told}\n\n\nFrames: 1\nDuration: 0.5 seconds\n"


def test_doors_are_told_without_saying_whether_they_open() -> None:
    doors = [{"id": 9, "door": door, "open": bool(door % 2)} for door in (0, 3, 6)]
    told = "".join(f"  Id: 9\n  Doors opened:  {name} \n" for name in ("Front Left", "Rear Right", "All"))
    data = one(23, b.vehicle_door(doors))
    assert lines_of(data, "0.9.15", dialect="ue4-0.9.16") == (
        f"Frame 1 at 0.5 seconds\n Vehicle door animations: 3\n{told}"
    )
    assert lines_of(data, "0.9.13", dialect="ue4-0.9.16") == "Frame 1 at 0.5 seconds\n"


def test_doubles_are_told_like_floats() -> None:
    data = film([b.packet(6, b.position([b.pose(9, b.xyz(1 / 3, 2e10, -1e-7))], wide=True))])
    assert "  Id: 9 Location: (0.333333, 2e+10, -1e-07) Rotation: (0, 0, 0)\n" in lines_of(data, dialect="ue5-0.10.0")


@pytest.mark.parametrize(
    ("dialect", "family"),
    [("ue4-0.9.4", "0.9.4"), ("ue4-0.9.6", "0.9.6"), ("ue4-0.9.10", "0.9.13"), ("ue4-0.9.14", "0.9.13"),
     ("ue4-doors", "0.9.15"), ("ue4-2026", "newest"), ("ue5-0.10.0", "0.9.15")],
)  # fmt: skip
def test_the_family_is_that_of_the_release_that_wrote_the_file(dialect: str, family: str) -> None:
    with opened(film([]), dialect) as recording:
        assert family_of(recording.snapshot) == family


def test_a_report_can_be_cancelled() -> None:
    with opened(film([], [])) as recording, pytest.raises(Cancelled):
        list(info_report(recording.snapshot, show_all=True, cancel=lambda: True))


# --- collisions -----------------------------------------------------------------------------------------


COLUMNS = "    Time  Types     Id Actor 1                                 Id Actor 2                            \n"


def hits(*pairs: tuple[int, int, bool, bool]) -> bytes:
    return b.packet(5, b.collision([
        {"id": number, "actor1": one, "actor2": two, "hero1": hero, "hero2": hero_too}
        for number, (one, two, hero, hero_too) in enumerate(pairs)
    ]))  # fmt: skip


def collided(frames: Iterable[list[bytes]], first: str = "a", second: str = "a") -> str:
    with opened(film(*frames, step=0.5)) as recording:
        text = b"".join(collision_report(recording.snapshot, first, second, utc=True)).decode()
    assert text.startswith(HEAD + COLUMNS)
    return text.removeprefix(HEAD + COLUMNS)


CAST = add(b.actor(7, 1, "vehicle.audi.tt"), b.actor(8, 2, "walker.pedestrian.0001"), b.actor(9, 4, "traffic.stop"))


def row(when: int, letters: str, one: tuple[int, str], two: tuple[int, str]) -> str:
    return f"{when:8d}   {letters}  {one[0]:6d} {one[1]:<35} {two[0]:6d} {two[1]:<35}\n"


def test_a_pair_is_told_once_while_it_touches() -> None:
    hit = hits((7, 8, False, False))
    told = collided([[CAST], [hit], [hit], [], [hit]])
    audi, walker = (7, "vehicle.audi.tt"), (8, "walker.pedestrian.0001")
    assert told == row(0, "v w", audi, walker) + row(2, "v w", audi, walker) + "\nFrames: 5\nDuration: 2 seconds\n"


def test_without_a_row_the_duration_keeps_its_decimals() -> None:
    assert collided([[CAST], []]) == "\nFrames: 2\nDuration: 0.5 seconds\n"


def test_filters_take_letters_and_heroes() -> None:
    frames = [[CAST, hits((7, 8, True, False), (8, 7, False, True), (9, 8, False, False))]]
    assert collided(frames, "h", "w").startswith(row(0, "v w", (7, "vehicle.audi.tt"), (8, "walker.pedestrian.0001")))
    assert collided(frames, "w", "v").count("\n") == 1 + 3
    # The letter of a sign is that of a hero, by the table's accident.
    assert collided(frames, "h", "a").count("walker") == 2
    assert collided(frames, "t", "a").startswith("\nFrames")


def test_what_is_no_actor_is_other_and_keeps_its_number() -> None:
    told = collided([[CAST, hits((7, 0xFFFFFFFF, False, False))]])
    assert told.startswith(row(0, "v o", (7, "vehicle.audi.tt"), (4294967295, "")))


def test_a_deletion_forgets_the_actor_that_was_added_last() -> None:
    told = collided([[CAST], [delete(7)], [hits((7, 9, False, False))]])
    assert told.startswith(row(1, "v o", (7, "vehicle.audi.tt"), (9, "")))


def test_long_names_are_not_cut() -> None:
    long = "vehicle." + "x" * 40
    told = collided([[add(b.actor(7, 1, long)), hits((7, 7, False, False))]])
    assert told.startswith(f"       0   v v       7 {long}      7 {long}\n")


def test_collisions_as_data_know_who_was_meant() -> None:
    frames = [[CAST], [delete(9)], [collide((7, 8))], [collide((8, 7))], [], [collide((7, 8))]]
    with opened(film(*frames, step=0.5)) as recording:
        first, second = collisions(recording.snapshot)
        assert (first.first, first.last, first.records, second.first) == (2, 3, 2, 5)
        assert first.lives[0] is not None
        assert first.lives[0].blueprint == "vehicle.audi.tt"
        assert len(collisions(recording.snapshot, "w", "v")) == 2
        assert collisions(recording.snapshot, "t", "a") == []


# --- blocked actors -------------------------------------------------------------------------------------


BLOCKED_COLUMNS = "    Time     Id Actor                                 Duration\n"


def waited(frames: Iterable[list[bytes]], seconds: float = 1.0, distance: float = 10.0) -> str:
    with opened(film(*frames, step=0.5)) as recording:
        text = b"".join(blocked_report(recording.snapshot, seconds, distance, utc=True)).decode()
    assert text.startswith(HEAD + BLOCKED_COLUMNS)
    return text.removeprefix(HEAD + BLOCKED_COLUMNS).rpartition("\n\nFrames")[0]


def at(*places: tuple[int, float]) -> bytes:
    return b.packet(6, b.position([b.pose(actor, b.xyz(x)) for actor, x in places]))


def waits(time: float, actor: int, name: str, duration: float) -> str:
    return f"{time:8.0f} {actor:6d} {name:<35} {duration:10.0f}"


def test_who_stands_long_enough_gets_a_row() -> None:
    frames = [[CAST, at((7, 500.0))], *([[at((7, 505.0))]] * 4), [at((7, 900.0))]]
    # It moves from the origin in the first frame, and stands from the second to the last but one.
    assert waited(frames) == waits(0.5, 7, "vehicle.audi.tt", 2.0)
    assert waited(frames, seconds=2.5) == ""


def test_creeping_is_measured_from_where_it_stopped() -> None:
    frames = [[CAST, at((7, 500.0))], *([at((7, 500.0 + 6 * step))] for step in range(1, 8))]
    assert waited(frames, seconds=0.5) == "\n".join(
        waits(time, 7, "vehicle.audi.tt", 0.5) for time in (0.5, 1.5, 2.5, 3.5)
    )


def test_rows_are_sorted_and_equal_ones_stay_in_their_order() -> None:
    frames = [[CAST, at((7, 500.0), (8, 700.0))], *([[at((7, 500.0), (8, 700.0))]] * 3), [at((7, 0.0), (8, 0.0))]]
    assert waited(frames).splitlines() == [
        waits(0.5, 7, "vehicle.audi.tt", 1.5), waits(0.5, 8, "walker.pedestrian.0001", 1.5),
    ]  # fmt: skip


def test_the_last_frame_takes_a_second_away() -> None:
    frames = [b.frame(1, 0.0, 5.0, [CAST, at((7, 500.0))]), b.frame(2, 5.0, 5.0, [at((7, 500.0))])]
    data = b.recording(*frames, b.frame(3, 10.0, -1.0, [at((7, 500.0))]))
    with opened(data) as recording:
        text = b"".join(blocked_report(recording.snapshot, 1.0, 10.0)).decode()
        assert waits(5, 7, "vehicle.audi.tt", 4.0) in text
        (row_,) = blocked(recording.snapshot, 1.0, 10.0)
        assert (row_.actor, row_.time, row_.duration) == (7, 5.0, 5.0)


def test_a_deletion_forgets_the_wrong_one_here_too_but_not_in_the_data() -> None:
    frames = [
        [CAST, at((7, 500.0), (9, 600.0))], *([[at((7, 500.0), (9, 600.0))]] * 3), [delete(7), at((9, 600.0))],
        [at((9, 600.0))],
    ]  # fmt: skip
    with opened(film(*frames, step=0.5)) as recording:
        text = b"".join(blocked_report(recording.snapshot, 1.0, 10.0)).decode()
        assert "vehicle.audi.tt" in text
        assert "traffic.stop" not in text
        assert [(each.actor, each.duration) for each in blocked(recording.snapshot, 1.0, 10.0)] == [(9, 2.5), (7, 1.5)]
