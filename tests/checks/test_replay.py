"""The replay model against section 6 of the format reference, rule by rule, and against every real recording."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recorder_editor.api import open_recording
from recorder_editor.checks import rule
from recorder_editor.checks.replay import find
from recorder_editor.reading import rigid
from recorder_editor.reading.actors import Actors
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b
from ..recording.films import BIKES, COLLISIONS, RIDDEN, SCENE_LIGHTS, of_real
from ..replay import Replayer, Scene
from ..replay.offsets import are_offsets
from ..replay.rotation import angles, between, carried, composed, distance, numbers, rotation
from ..replaying import assert_no_new_warnings, assert_replays_same, complaints

CAR = "vehicle.tesla.model3"
LAMP = {"id": 3, "intensity": 5.0, "color": {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0}, "on": True, "group": 2}

Open = Callable[..., Snapshot]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens bytes, or a file, as a recording until the test is over."""
    recordings = []

    def open_it(data: bytes | Path, dialect: str | None = None) -> Snapshot:
        path = data if isinstance(data, Path) else tmp_path / f"{len(recordings)}.log"
        if isinstance(data, bytes):
            path.write_bytes(data)
        recordings.append(open_recording(path, dialect=dialect))
        return recordings[-1].snapshot

    yield open_it
    for recording in recordings:
        recording.close()


def film(*frames: Iterable[bytes], step: float = 1.0, version: int = 1, map_name: str | bytes = "Town01") -> bytes:
    """A recording of these packets, a frame a second, the last one lasting -1."""
    last = len(frames) - 1
    parts = [
        b.frame(index + 1, index * step, -1.0 if index == last else step, packets)
        for index, packets in enumerate(frames)
    ]
    return b.recording(*parts, version=version, map_name=map_name)


def add(*actors: b.Record) -> bytes:
    return b.packet(2, b.event_add(actors))


def car(number: int, x: float = 0.0, y: float = 0.0, yaw: float = 0.0, **more: Any) -> b.Record:
    return b.actor(number, 1, more.pop("blueprint", CAR), b.xyz(x, y), b.turn(yaw=yaw), **more)


def remove(*actors: int) -> bytes:
    return b.packet(3, b.event_del([{"id": actor} for actor in actors]))


def attach(child: int, parent: int) -> bytes:
    return b.packet(4, b.event_parent([{"child": child, "parent": parent}]))


def at(number: int, x: float, y: float = 0.0, yaw: float = 0.0) -> bytes:
    return b.packet(6, b.position([b.pose(number, b.xyz(x, y), b.turn(yaw=yaw))]))


def steer(number: int, steering: float) -> bytes:
    record = {"id": number, "steering": steering, "throttle": 0.0, "brake": 0.0, "handbrake": False, "gear": 1}
    return b.packet(8, b.anim_vehicle([record]))


def lamp(intensity: float) -> bytes:
    return b.packet(11, b.scene_light([{**LAMP, "intensity": intensity}]))


def door(number: int, which: int, is_open: bool) -> bytes:
    return b.packet(23, b.vehicle_door([{"id": number, "door": which, "open": is_open}]))


def sky(cloudiness: float) -> bytes:
    return b.packet(24, b.weather([{**dict.fromkeys(b.WEATHER, 0.0), "cloudiness": cloudiness}]))


def scenes(snapshot: Snapshot) -> list[Scene]:
    return list(Replayer(snapshot).frames())


def codes(snapshot: Snapshot) -> list[str]:
    return [each.code for each in complaints(snapshot)]


ROLLING = [[add(car(7)), at(7, 0.0)], *([at(7, 100.0 * n)] for n in range(1, 6))]
"""A car that rolls 1 m in every frame of a second."""


# --- advancing to a time (6.2) ------------------------------------------------------------------------------


def test_until_the_first_tick_everybody_is_where_it_was_created(opened: Open) -> None:
    snapshot = opened(film([add(car(7, x=5.0)), at(7, 9.0)], [at(7, 10.0)], []))
    called, ticked = Replayer(snapshot).play([0.1])
    assert called.share is None
    assert called.picture(7)[0] == 5.0
    assert ticked.picture(7)[0] == 9.0


def test_a_tick_within_the_frame_that_was_read_reads_nothing(opened: Open) -> None:
    snapshot = opened(film(*ROLLING))
    seen = [(scene.frame_index, scene.share) for scene in Replayer(snapshot).play([0.25, 0.75, 1.5, 1.75])]
    assert seen == [(0, None), (0, 0.25), (0, 0.75), (1, 0.5), (1, 0.75)]


def test_events_run_in_every_frame_that_is_passed(opened: Open) -> None:
    jumped = [add(car(8), car(9)), remove(9), attach(8, 7), sky(50.0), b.packet(20, b.f64(4.0))]
    snapshot = opened(film(ROLLING[0], jumped, [at(7, 300.0)], [], version=2), "ue4-2026")
    *_, scene = Replayer(snapshot).play([0.5, 2.5])
    assert scene.frame_index == 2
    assert list(scene.created) == [7, 8]
    assert scene.parents == {8: 7}
    assert scene.weather is not None
    assert scene.weather[:4] == b.f32(50.0)
    assert scene.visual_time == b.f64(4.0)


def test_what_frames_tell_is_lost_when_they_are_jumped_over(opened: Open) -> None:
    jumped = [at(7, 100.0), steer(7, 0.5), lamp(9.0), door(7, 0, True)]
    snapshot = opened(film([*ROLLING[0], lamp(5.0)], jumped, [at(7, 300.0)], [], version=2), "ue4-2026")
    *_, scene = Replayer(snapshot).play([0.5, 2.5])
    assert scene.scene_lights[3][:4] == b.f32(5.0)
    assert scene.actors[7].doors == (False,) * 6
    assert "AnimVehicle" not in scene.actors[7].records
    stepped = Replayer(snapshot).to_frame(2)
    assert stepped.scene_lights[3][:4] == b.f32(9.0)
    assert stepped.actors[7].doors == (True, False, False, False, False, False)
    assert stepped.actors[7].records["AnimVehicle"][:4] == b.f32(0.5)


def test_a_jump_is_interpolated_from_the_frame_that_was_found_before(opened: Open) -> None:
    *_, scene = Replayer(opened(film(*ROLLING))).play([0.5, 3.5])
    assert scene.frame_index == 3
    assert scene.picture(7)[0] == 150.0  # half way from 0 m to 3 m


def test_the_last_frame_is_never_shown_but_its_events_are_run(opened: Open) -> None:
    snapshot = opened(film(ROLLING[0], [at(7, 100.0)], [at(7, 200.0), add(car(8)), steer(7, 1.0)]))
    last = scenes(snapshot)[-1]
    assert not last.shown
    assert list(last.created) == [7, 8]
    assert last.pose(7)[0] == 100.0
    assert last.told == {}
    *_, played = Replayer(snapshot).play([0.0, 1.0, 2.0])
    assert not played.shown
    assert list(played.created) == [7, 8]


def test_nothing_comes_after_the_end(opened: Open) -> None:
    assert len(list(Replayer(opened(film(*ROLLING))).play([0.5, 90.0, 91.0, 92.0]))) == 3


def test_a_frame_without_duration_is_never_shown(opened: Open) -> None:
    frames = [
        b.frame(1, 0.0, 1.0, ROLLING[0]),
        b.frame(2, 1.0, 0.0, [at(7, 100.0), add(car(8))]),
        b.frame(3, 1.0, 1.0, [at(7, 200.0)]),
        b.frame(4, 2.0, -1.0),
    ]
    snapshot = opened(b.recording(*frames))
    assert [scene.shown for scene in scenes(snapshot)] == [True, False, True, False]
    played = [scene.frame_index for scene in Replayer(snapshot).play([0.5, 1.0])]
    assert played == [0, 0, 2]
    assert scenes(snapshot)[2].picture(7, 0.5)[0] == 100.0
    assert 8 in scenes(snapshot)[1].created


def test_a_replay_from_the_middle_runs_all_events_before_it(opened: Open) -> None:
    called, ticked = Replayer(opened(film(*ROLLING))).play([3.5], start=3.0)
    assert (called.frame_index, list(called.created)) == (3, [7])
    assert ticked.picture(7)[0] == 300.0  # nothing was found before it


def test_packets_nobody_knows_are_skipped(opened: Open) -> None:
    snapshot = opened(film([b.packet(77, b"abc"), b.packet(139, b.dreyevr_sensor_data()), *ROLLING[0]], []))
    assert list(scenes(snapshot)[0].created) == [7]
    assert codes(snapshot) == []


def test_a_recording_without_frames_shows_nothing(opened: Open) -> None:
    replayer = Replayer(opened(b.header()))
    assert list(replayer.play([1.0])) == []
    assert list(replayer.frames()) == []
    with pytest.raises(IndexError):
        replayer.at_time(0.0)
    with pytest.raises(IndexError, match="no frame 1"):
        replayer.to_frame(0)


# --- interpolation (6.3) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "x"), [(0.5, 0.0), (1.0, 0.0), (1.5, 50.0), (1.75, 75.0), (4.25, 325.0)])
def test_the_picture_lags_one_frame(opened: Open, seconds: float, x: float) -> None:
    assert Replayer(opened(film(*ROLLING))).at_time(seconds).picture(7)[0] == x


def test_past_the_end_the_last_scene_is_given_unshown(opened: Open) -> None:
    scene = Replayer(opened(film(*ROLLING))).at_time(77.0)
    assert (scene.frame_index, scene.shown) == (5, False)


def test_rotations_take_the_short_way_round(opened: Open) -> None:
    snapshot = opened(film([add(car(7)), at(7, 0.0, yaw=170.0)], [at(7, 0.0, yaw=-170.0)], []))
    assert Replayer(snapshot).at_time(1.5).picture(7)[5] == pytest.approx(180.0)


def test_what_was_not_told_before_is_not_interpolated(opened: Open) -> None:
    both = b.packet(6, b.position([b.pose(7, b.xyz(200.0)), b.pose(8, b.xyz(90.0))]))
    frames = [ROLLING[0], [add(car(8, x=40.0)), at(8, 80.0)], [both], []]
    second, third = scenes(opened(film(*frames)))[1:3]
    assert second.picture(8, 0.5)[0] == 80.0
    assert second.picture(7, 0.5)[0] == 0.0  # not told of now: it stays
    assert third.picture(7, 0.5)[0] == 200.0
    assert third.picture(8, 0.5)[0] == 85.0


def test_of_two_packets_of_positions_the_second_counts_and_the_first_is_that_of_the_frame_before(opened: Open) -> None:
    born = [add(car(7), car(8), car(9)), at(7, 0.0), at(8, 0.0), at(9, 0.0)]
    moved = b.packet(6, b.position([b.pose(7, b.xyz(10.0)), b.pose(8, b.xyz(20.0))]))
    later = b.packet(6, b.position([b.pose(8, b.xyz(40.0)), b.pose(9, b.xyz(30.0))]))
    second = scenes(opened(film(born[:2], [moved, later], [])))[1]
    assert list(second.told["Position"]) == [8, 9]
    assert second.pose(7)[0] == 0.0  # only in the first packet
    assert second.picture(9, 0.5)[0] == 30.0  # told before, but not in the first packet
    assert second.picture(8, 0.5)[0] == 30.0  # from the first packet to the second


def test_of_two_packets_of_any_other_kind_each_is_applied(opened: Open) -> None:
    both = [steer(7, 0.25), steer(8, 0.5), steer(7, 0.75)]
    scene = scenes(opened(film([add(car(7), car(8)), at(7, 0.0), *both], [])))[0]
    steering = [scene.actors[actor].records["AnimVehicle"][:4] for actor in (7, 8)]
    assert steering == [b.f32(0.75), b.f32(0.5)]


def test_of_two_packets_of_wheels_the_newest_unreal_5_keeps_the_second(opened: Open) -> None:
    def turned(number: int) -> bytes:
        return b.packet(
            21, b.vehicle_wheels([{"id": number, "wheels": [{"location": 0, "steering": 1.0, "rotation": 2.0}]}])
        )

    wide = b.packet(2, b.event_add([car(7), car(8)], wide=True))
    for dialect, data, kept in (
        ("ue4-0.9.15", film([add(car(7), car(8)), turned(7), turned(8)], []), [7, 8]),
        ("ue5-2026", film([wide, turned(7), turned(8)], []), [8]),
    ):
        assert list(scenes(opened(data, dialect))[0].told["AnimVehicleWheels"]) == kept


def test_what_is_carried_follows_the_picture_of_what_carries_it(opened: Open) -> None:
    frames = [[add(car(7), car(8, y=50.0)), attach(8, 7), at(7, 0.0)], [at(7, 100.0)], []]
    scene = Replayer(opened(film(*frames))).at_time(1.25)
    assert scene.pose(8)[:2].tolist() == [100.0, 50.0]
    assert scene.picture(8)[:2].tolist() == [25.0, 50.0]


# --- actors (6.4) -------------------------------------------------------------------------------------------


def test_an_actor_has_what_its_record_says(opened: Open) -> None:
    born = b.actor(7, 1, CAR, b.xyz(1.0, 2.0, 3.0), b.turn(4.0, 5.0, 6.0), 21, [b.attribute(3, "role_name", "hero")])
    shown = scenes(opened(film([add(born)], [])))[0].actors[7]
    assert (shown.created.blueprint, shown.created.uid, shown.created.type) == (CAR, 21, 1)
    assert shown.created.attributes == ((3, "role_name", "hero"),)
    assert shown.created.pose == b"".join(map(b.f32, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)))
    assert shown.pose.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert shown.parent is None


def test_traffic_actors_and_sensors_are_told_apart(opened: Open) -> None:
    actors = [b.actor(1, 3, "traffic.traffic_light"), b.actor(2, 5, "sensor.camera.rgb"), car(3)]
    created = scenes(opened(film([add(*actors)], [])))[0].created
    assert [(each.is_traffic, each.is_sensor) for each in created.values()] == [
        (True, False),
        (False, True),
        (False, False),
    ]


def test_a_deleted_actor_is_forgotten_with_all_that_was_told_of_it(opened: Open) -> None:
    frames = [[*ROLLING[0], steer(7, 1.0), door(7, 6, True)], [remove(7)], [add(car(7))], []]
    first, second, third, _ = scenes(opened(film(*frames, version=2), "ue4-2026"))
    assert first.actors[7].doors == (True,) * 6
    assert second.actors == {}
    assert third.actors[7].records == {}
    assert third.actors[7].doors == (False,) * 6


def test_adds_run_before_deletes_so_that_one_id_in_both_is_gone(opened: Open) -> None:
    snapshot = opened(film(ROLLING[0], [add(car(7, x=50.0)), remove(7)], []))
    assert scenes(snapshot)[1].actors == {}


def test_a_living_actor_added_again_is_moved_up_to_0_9_15(opened: Open) -> None:
    snapshot = opened(film(ROLLING[0], [add(car(7, x=50.0))], []))
    scene = scenes(snapshot)[1]
    assert scene.left_behind == ()
    assert scene.pose(7)[0] == 50.0
    newest = Replayer(snapshot, release="ue4-2026").to_frame(1)
    assert [actor for actor, _ in newest.left_behind] == [7]
    with pytest.raises(KeyError):
        Replayer(snapshot, release="ue3")


def test_a_living_actor_replaced_by_another_kind_stays_behind(opened: Open) -> None:
    bus = car(7, blueprint="vehicle.volkswagen.t2")
    frames = [[*ROLLING[0], steer(7, 1.0)], [add(bus)], []]
    scene = scenes(opened(film(*frames)))[1]
    ((actor, left),) = scene.left_behind
    assert (actor, left.blueprint) == (7, CAR)
    assert scene.actors[7].created.blueprint == "vehicle.volkswagen.t2"
    assert scene.actors[7].records == {}


def test_a_child_moves_and_turns_with_its_parent(opened: Open) -> None:
    frames = [[add(car(7), car(8, x=100.0, yaw=10.0)), attach(8, 7), at(7, 0.0)], [at(7, 50.0, yaw=90.0)], []]
    scene = scenes(opened(film(*frames)))[1]
    assert scene.actors[8].parent == 7
    assert scene.pose(8) == pytest.approx([50.0, 100.0, 0.0, 0.0, 0.0, 100.0])


def test_an_attachment_makes_an_offset_of_a_place_in_the_world(opened: Open) -> None:
    frames = [ROLLING[0], [add(car(8, x=150.0)), attach(8, 7), at(7, 100.0)], [at(7, 200.0)], []]
    snapshot = opened(film(*frames))
    assert [scene.pose(8)[0] for scene in scenes(snapshot)[1:3]] == [250.0, 350.0]
    # What its author meant: it is 50 cm ahead.
    meant = list(Replayer(snapshot, keeps_places=True).frames())
    assert [scene.pose(8)[0] for scene in meant[1:3]] == [150.0, 250.0]


def test_an_attachment_in_a_later_frame_makes_an_offset_as_well(opened: Open) -> None:
    waits = [add(car(7), camera(8, 130.0), car(9, x=50.0)), b.packet(6, b.position([b.pose(9, b.xyz(60.0))]))]
    joins = [attach(8, 7), attach(9, 7), at(7, FAR, yaw=90.0)]
    one, two, three, _ = scenes(opened(film(waits, joins, [at(7, FAR + 10.0)], [])))
    assert [one.pose(actor)[0] for actor in (8, 9)] == [130.0, 60.0]
    assert two.pose(8)[:2] == pytest.approx([FAR, 130.0])
    assert two.pose(9)[:2] == pytest.approx([FAR, 60.0])  # where it was told to be last
    assert [three.pose(actor)[0] for actor in (8, 9)] == [FAR + 140.0, FAR + 70.0]


def test_attachments_are_run_where_they_stand(opened: Open) -> None:
    """Before the Positions of their frame, and before or after what goes in it."""
    told = b.packet(6, b.position([b.pose(7, b.xyz(100.0))]))
    first = [add(car(7), camera(8, 30.0)), at(7, 10.0)]
    before, after = (
        scenes(opened(film(first, [told, *order], [])))[1]
        for order in ([attach(8, 7), remove(7)], [remove(7), attach(8, 7)])
    )
    assert (before.pose(8)[0], before.parents) == (40.0, {})
    assert (after.pose(8)[0], after.parents) == (30.0, {})


@pytest.mark.parametrize(
    ("release", "places"),
    [("ue4-0.9.10", (500.0, 600.0)), ("ue4-0.9.12", (600.0, 700.0)), ("ue5-2026", (600.0, 700.0))],
)
def test_a_position_of_an_attached_actor_is_its_offset_from_0_9_12_on(
    opened: Open, release: str, places: tuple[float, float]
) -> None:
    first = [add(car(7), car(8, x=10.0)), attach(8, 7), at(7, 0.0)]
    both = b.packet(6, b.position([b.pose(7, b.xyz(100.0)), b.pose(8, b.xyz(500.0))]))
    snapshot = opened(film(first, [both], [at(7, 200.0)], []))
    played = list(Replayer(snapshot, release=release).frames())
    assert tuple(scene.pose(8)[0] for scene in played[1:3]) == places


@pytest.mark.parametrize(("release", "is_there"), [("ue4-0.9.15", True), ("ue4-2026", False), ("ue5-2026", False)])
def test_an_actor_with_uid_0_is_refused_by_the_newest_simulators(opened: Open, release: str, is_there: bool) -> None:
    level = [b.actor(1, 0, "spectator", uid=0), b.actor(2, 3, "traffic.traffic_light", uid=0)]
    first = [add(*level, car(7, uid=0), camera(8, 100.0)), attach(8, 7), at(7, FAR)]
    scene = next(Replayer(opened(film(first, [])), release=release).frames())
    assert (7 in scene.created) is is_there
    assert (scene.parents, scene.pose(8)[0]) == (({8: 7}, FAR + 100.0) if is_there else ({}, 100.0))
    assert {1, 2} <= scene.created.keys()


def test_a_child_of_a_child_is_carried_as_well(opened: Open) -> None:
    first = [add(car(7), car(8, x=10.0), car(9, x=20.0)), attach(8, 7), attach(9, 8), at(7, 0.0)]
    scene = scenes(opened(film(first, [at(7, 100.0)], [])))[1]
    assert [scene.pose(actor)[0] for actor in (7, 8, 9)] == [100.0, 110.0, 130.0]


def test_a_child_that_is_told_of_goes_where_it_is_told_and_on_from_there(opened: Open) -> None:
    first = [add(car(7), car(8, x=10.0)), attach(8, 7), at(7, 0.0)]
    both = b.packet(6, b.position([b.pose(7, b.xyz(100.0)), b.pose(8, b.xyz(500.0))]))
    frames = list(Replayer(opened(film(first, [both], [at(7, 200.0)], [])), release="ue4-0.9.10").frames())
    assert [scene.pose(8)[0] for scene in frames[:3]] == [10.0, 500.0, 600.0]


def test_a_child_stays_where_it_is_when_its_parent_goes(opened: Open) -> None:
    first = [add(car(7), car(8, x=10.0)), attach(8, 7), at(7, 0.0)]
    frames = scenes(opened(film(first, [at(7, 100.0)], [remove(7)], [add(car(7, x=900.0)), at(7, 950.0)], [])))
    assert [scene.pose(8)[0] for scene in frames[:4]] == [10.0, 110.0, 110.0, 110.0]
    assert [scene.parents for scene in frames[:4]] == [{8: 7}, {8: 7}, {}, {}]


def test_a_child_attached_to_another_parent_takes_its_offset_along(opened: Open) -> None:
    first = [add(car(7), car(8, x=10.0), car(9, x=300.0)), attach(8, 7), at(7, 50.0)]
    frames = scenes(opened(film(first, [attach(8, 9), at(7, 100.0)], [at(9, 500.0)], [])))
    assert [scene.pose(8)[0] for scene in frames[:3]] == [60.0, 310.0, 510.0]


FAR = 20000.0
"""A car here, and a camera born at 100 cm and attached to it, say that EventAdds hold offsets."""


def camera(number: int, x: float, y: float = 0.0, pitch: float = 0.0) -> b.Record:
    return b.actor(number, 5, "sensor.camera.rgb", b.xyz(x, y), b.turn(pitch=pitch), uid=5)


def test_a_camera_rides_at_its_offset_from_the_frame_of_its_birth_on(opened: Open) -> None:
    first = [add(car(7), camera(8, 100.0, 20.0, pitch=-15.0)), attach(8, 7), at(7, FAR)]
    one, other, _ = scenes(opened(film(first, [at(7, FAR, yaw=90.0)], [])))
    assert one.pose(8) == pytest.approx([FAR + 100.0, 20.0, 0.0, 0.0, -15.0, 0.0])
    assert other.pose(8) == pytest.approx([FAR - 20.0, 100.0, 0.0, 0.0, -15.0, 90.0])
    assert other.parents == {8: 7}


def test_the_picture_of_a_camera_follows_that_of_its_car(opened: Open) -> None:
    first = [add(car(7, x=FAR - 50.0), camera(8, 100.0)), attach(8, 7), at(7, FAR)]
    called, ticked, halfway = Replayer(opened(film(first, [at(7, FAR + 10.0)], []))).play([0.5, 1.5])
    assert [scene.picture(8)[0] for scene in (called, ticked, halfway)] == [FAR + 50.0, FAR + 100.0, FAR + 105.0]


def test_offsets_add_up_along_a_chain(opened: Open) -> None:
    first = [add(car(7), camera(9, 30.0), camera(8, 100.0, pitch=90.0)), attach(9, 8), attach(8, 7), at(7, FAR)]
    scene = scenes(opened(film(first, [at(7, FAR, yaw=90.0)], [])))[1]
    assert scene.pose(9)[:3] == pytest.approx([FAR, 100.0, 30.0])


def test_a_camera_stays_where_its_car_took_it_when_that_one_goes(opened: Open) -> None:
    first = [add(car(7), camera(8, 100.0)), attach(8, 7), at(7, FAR)]
    found = scenes(opened(film(first, [at(7, FAR + 10.0)], [remove(7)], [add(car(7)), at(7, 0.0)], [])))
    assert [scene.pose(8)[0] for scene in found[:4]] == [FAR + 100.0, *[FAR + 110.0] * 3]


def test_an_event_add_is_an_offset_whether_its_frame_is_shown_or_not(opened: Open) -> None:
    positions = b.packet(6, b.position([b.pose(7, b.xyz(FAR)), b.pose(9, b.xyz(FAR + 5.0))]))
    born = [add(car(9, x=FAR + 5.0), camera(8, 100.0)), attach(9, 7), attach(8, 7), positions]
    frames = [
        b.frame(1, 0.0, 1.0, [add(car(7)), at(7, FAR)]),
        b.frame(2, 1.0, 0.0, born),
        b.frame(3, 1.0, 1.0, [at(7, FAR)]),
        b.frame(4, 2.0, -1.0),
    ]
    found = scenes(opened(b.recording(*frames)))
    assert [(scene.pose(8)[0], scene.pose(9)[0]) for scene in found[1:3]] == [(FAR + 100.0, FAR + FAR + 5.0)] * 2


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ([add(car(7), camera(8, 100.0)), attach(8, 7), at(7, FAR)], True),
        ([add(car(7), camera(8, FAR + 100.0)), attach(8, 7), at(7, FAR)], False),
        ([add(car(7), camera(8, 100.0)), attach(8, 7), at(7, 0.0)], True),  # the same either way
        ([add(car(7), camera(8, 100.0)), attach(8, 7), at(7, 200.0)], True),  # a tie
        ([add(car(7), camera(8, 100.0)), attach(8, 7)], True),
        ([add(car(7), camera(8, 100.0)), at(7, FAR), at(8, FAR), attach(8, 7)], True),
        ([add(car(7), car(8, blueprint="traffic.stop")), attach(8, 7), at(7, FAR)], True),
        ([add(car(7), camera(8, float("nan"))), attach(8, 7), at(7, FAR)], True),
        ([add(car(7), camera(8, 100.0)), attach(8, 7), at(7, float("inf"))], True),
    ],
)
def test_a_recording_holds_offsets_where_they_are_shorter(opened: Open, first: list[bytes], expected: bool) -> None:
    snapshot = opened(film(first, [at(7, FAR)], []))
    assert are_offsets(snapshot) is expected
    assert Actors.of(snapshot).holds_places is not expected


def test_offsets_are_told_of_packets_between_frames_and_in_frames_of_too_many_packets(opened: Open) -> None:
    many = [b.packet(100, b"x")] * 5000
    stray = add(camera(8, 100.0)) + attach(8, 7)
    for between_frames, more in ((stray, []), (add(camera(8, 100.0)), [attach(8, 7)]), (b"", [*many, stray])):
        frames = [
            b.frame(1, 0.0, 1.0, [add(car(7)), at(7, FAR)]),
            between_frames,
            b.frame(2, 1.0, 1.0, [*more, at(7, FAR)]),
            b.frame(3, 2.0),
        ]
        snapshot = opened(b.recording(*frames))
        assert are_offsets(snapshot)
        assert scenes(snapshot)[1].pose(8)[0] == FAR + 100.0


def test_nothing_carries_itself(opened: Open) -> None:
    frames = [[add(car(7), car(8)), attach(8, 7), attach(7, 8), attach(7, 7), at(7, 0.0)], [at(7, 100.0)], []]
    assert scenes(opened(film(*frames)))[1].parents == {8: 7}


def test_unknown_children_and_parents_are_left_out(opened: Open) -> None:
    assert scenes(opened(film([add(car(7)), attach(7, 99), attach(98, 7)], [])))[0].parents == {}


def test_a_position_of_an_unknown_id_moves_nobody_of_the_recording(opened: Open) -> None:
    scene = scenes(opened(film([*ROLLING[0], b.packet(9, b.anim_walker([{"id": 55, "speed": 1.0}]))], [])))[0]
    assert list(scene.actors) == [7]
    assert scene.told["AnimWalker"] == {}


def test_a_door_of_an_unknown_number_is_no_door(opened: Open) -> None:
    frames = [[add(car(7)), door(7, 9, True), door(8, 0, True), door(7, 5, True)], [door(7, 6, False)], []]
    first, second, _ = scenes(opened(film(*frames, version=2), "ue4-2026"))
    assert first.doors == {7: (False, False, False, False, False, True)}
    assert second.actors[7].doors == (False,) * 6


def test_double_vectors_are_read_as_such(opened: Open) -> None:
    first = [
        b.packet(2, b.event_add([car(7), car(8, x=10.0)], wide=True)),
        attach(8, 7),
        b.packet(6, b.position([b.pose(7, b.xyz(0.1))], wide=True)),
    ]
    second = [b.packet(6, b.position([b.pose(7, b.xyz(100.1))], wide=True))]
    scene = scenes(opened(film(first, second, []), "ue5-2026"))[1]
    assert (scene.pose(7)[0], scene.pose(8)[0]) == (100.1, 110.1)


def test_every_packet_of_every_release_is_taken_in(opened: Open) -> None:
    for dialect in b.RELEASES:
        snapshot = opened(b.everything(dialect), dialect)
        assert len(scenes(snapshot)) == 3
        assert "body-size" not in codes(snapshot)


# --- what a valid file needs, and damaged ones (6.5, 6.6) -----------------------------------------------------


def test_a_recording_that_does_not_begin_at_0_is_shown_far_away(opened: Open) -> None:
    last = 5
    frames = [b.frame(n + 1, 50.0 + n, -1.0 if n == last else 1.0, packets) for n, packets in enumerate(ROLLING)]
    snapshot = opened(b.recording(*frames))
    played = list(Replayer(snapshot).play([0.05, 0.1]))
    assert [scene.frame_index for scene in played] == [0, 1, 2]  # a frame a tick
    assert played[1].picture(7)[0] == pytest.approx(-5095.0)
    assert codes(snapshot) == ["replay-starts-late"]
    assert list(Replayer(snapshot).play([51.5], start=50.0))[-1].picture(7)[0] == 50.0


def test_a_last_frame_that_lasts_creates_nobody_when_a_replay_starts_in_it(opened: Open) -> None:
    data = b.recording(b.frame(1, 0.0, 1.0, ROLLING[0]), b.frame(2, 1.0, 1.0, ROLLING[1]))
    snapshot = opened(data)
    assert [scene.actors for scene in Replayer(snapshot).play([1.5], start=1.0)] == [{}, {}]
    assert list(Replayer(snapshot).play([1.5])) != []
    assert codes(snapshot) == ["replay-last-duration"]


def test_without_a_frame_end_the_next_frame_is_shown_instead(opened: Open) -> None:
    open_frame = b.frame(1, 0.0, 1.0, ROLLING[0])[:-5]
    data = b.recording(open_frame, *(b.frame(n, n - 1.0, 1.0, ROLLING[n - 1]) for n in (2, 3)), b.frame(4, 3.0))
    snapshot = opened(data)
    called, ticked = Replayer(snapshot).play([0.5])
    assert (called.frame_index, ticked.frame_index) == (1, 2)  # a tick is in neither, and reads on
    assert called.previous == {7: ROLLING[0][1][11:]}
    assert codes(snapshot) == ["no-frame-end"]


def test_events_outside_of_frames_are_run(opened: Open) -> None:
    frames = [b.frame(n + 1, float(n), 1.0 if n < 2 else -1.0, packets) for n, packets in enumerate(ROLLING[:3])]
    snapshot = opened(b.recording(frames[0], add(car(8)), at(7, 77.0), *frames[1:]))
    assert [list(scene.created) for scene in scenes(snapshot)] == [[7], [7, 8], [7, 8]]
    assert [scene.pose(7)[0] for scene in scenes(snapshot)[:2]] == [0.0, 100.0]
    assert codes(snapshot) == ["stray-packets"]
    assert [scene.frame_index for scene in Replayer(snapshot).play([0.5, 1.5])] == [0, 0, 1]


# --- warnings -----------------------------------------------------------------------------------------------

WALK = b.packet(9, b.anim_walker([{"id": 55, "speed": 1.0}]))
BONES = b.packet(19, b.walker_bones([{"id": 55, "bones": []}]))


@pytest.mark.parametrize(
    ("frames", "code", "frame", "words"),
    [
        ([ROLLING[0], [add(car(7))], []], "replay-added-twice", 1, f"creates actor 7 ({CAR}), which exists already"),
        ([ROLLING[0], [add(car(7, blueprint="static.box"))], []], "replay-added-twice", 1, "stays behind in the world"),
        ([[add(car(7), car(7))], []], "replay-added-twice", 0, "up to 0.9.15"),
        ([ROLLING[0], [remove(8)], []], "replay-deleted-unknown", 1, "destroys actor 8"),
        ([ROLLING[0], [remove(7)], [remove(7)], []], "replay-deleted-unknown", 2, "only logs it"),
        ([ROLLING[0], [attach(7, 8)], []], "replay-parent-unknown", 1, "but actor 8 does not exist"),
        ([ROLLING[0], [attach(8, 9)], []], "replay-parent-unknown", 1, "actors 8 and 9"),
        ([ROLLING[0], [attach(7, 7)], []], "replay-parent-unknown", 1, "to itself"),
        ([ROLLING[0], [add(car(8)), remove(8)], []], "replay-added-and-deleted", 1, "creates and destroys actor 8"),
        ([ROLLING[0], [at(8, 1.0)], [at(8, 2.0)], []], "replay-moves-unknown", 1, "may move another actor"),
        ([ROLLING[0], [WALK], [WALK], []], "replay-unknown-actor", 1, "AnimWalker of actor 55"),
        ([ROLLING[0], [add(car(8, uid=0), car(9, uid=0))], []], "replay-uid-0", 1, "creates actors 8 and 9"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_the_simulator_would_complain_of_is_told_once(
    opened: Open, frames: Sequence[Sequence[bytes]], code: str, frame: int, words: str
) -> None:
    snapshot = opened(film(*frames))
    (warning,) = find(snapshot)
    assert (warning.code, warning.frame_index, warning.row) == (code, frame, frame)
    assert words in warning.message
    assert warning.message.endswith(".")
    assert warning.severity == rule(code).severity
    assert warning.offset is not None
    position = snapshot.position(frame)
    assert position < warning.offset < warning.offset + warning.size <= position + snapshot.frame(frame).size


def test_a_record_of_a_stranger_is_pointed_at(opened: Open) -> None:
    strangers = b.packet(6, b.position([b.pose(7), b.pose(8)]))
    snapshot = opened(film([add(car(7)), strangers], []))
    (warning,) = find(snapshot)
    assert warning.offset is not None
    assert snapshot.read(warning.offset, warning.size) == b.position([b.pose(8)])[2:]


def test_a_stranger_is_told_of_again_once_it_lived(opened: Open) -> None:
    snapshot = opened(film([at(7, 0.0)], [add(car(7)), at(7, 0.0)], [remove(7), at(7, 0.0)], []))
    assert [each.frame_index for each in find(snapshot)] == [0, 2]


def test_bones_of_a_stranger_are_told_of(opened: Open) -> None:
    snapshot = opened(film([BONES], [BONES], []), "ue4-0.9.14")
    assert codes(snapshot) == ["replay-unknown-actor"]


def test_many_actors_without_a_number_are_one_warning(opened: Open) -> None:
    actors = [b.actor(n, 0, "static.prop", uid=0) for n in range(20)]
    level = [b.actor(90, 0, "spectator", uid=0), b.actor(91, 3, "traffic.stop", uid=0)]
    (warning,) = find(opened(film([add(*actors, *level)], [])))
    assert "creates actors 0, 1, 2, 3 and 16 more as static.prop" in warning.message


@pytest.mark.parametrize(
    ("packet", "words"),
    [
        (b.packet(6, b.position([b.pose(7)]) + b"\0\0"), "2 bytes after the last record of Position: a simulator"),
        (b.packet(6, b.u16(3) + b.position([b.pose(7)])[2:]), "says 3 records"),
        (b.packet(3, b"\1"), "needs 2 bytes"),
        (b.packet(5, b.u16(0) + b"\0"), "1 byte after the last record of Collision"),  # skipped by its size
        (b.packet(14, b"\0" * 9), "1 byte after the end of PlatformTime"),
        (b.packet(2, b.u16(5)), "says 5 records"),
        (b.packet(1, b"x"), "has no body"),
    ],
    ids=["trailing", "count", "no count", "skipped", "single", "cut", "FrameEnd"],
)
def test_a_body_that_is_not_as_long_as_its_content_is_damage_alone(opened: Open, packet: bytes, words: str) -> None:
    snapshot = opened(film([add(car(7)), packet], [at(7, 1.0)], []))
    (found,) = complaints(snapshot)
    assert found.code == "body-size"
    assert words in found.message
    assert not list(find(snapshot))


def wheels(number: int, count: int = 4) -> bytes:
    turned = [{"location": n, "steering": 0.0, "rotation": 9.0} for n in range(count)]
    return b.packet(21, b.vehicle_wheels([{"id": 7, "wheels": turned}, {"id": number, "wheels": turned}]))


@pytest.mark.parametrize(
    ("usual", "odd", "code"),
    [
        (at(7, 1.0), at(9, 1.0), "replay-moves-unknown"),
        (at(7, 1.0), b.packet(6, b.u16(2) + b.position([b.pose(7)])[2:]), "body-size"),
        (wheels(7), wheels(9), "replay-unknown-actor"),
        (wheels(7), b.packet(21, b.u16(2) + (b.u32(7) + b.u32(3) + bytes(27)) * 2 + bytes(18)), "body-size"),
        (b.packet(2, b.u16(0)), b.packet(2, b.u16(1)), "body-size"),
        (b.packet(10, b.vehicle_light([{"id": 7, "lights": 0}])), b.packet(10, b.u16(0) + bytes(8)), "body-size"),
    ],
    ids=[
        "Position of a stranger",
        "Position count",
        "wheels of a stranger",
        "wheels count",
        "EventAdd count",
        "no lights",
    ],
)
def test_the_odd_one_among_many_like_frames_is_found(opened: Open, usual: bytes, odd: bytes, code: str) -> None:
    assert len(usual) == len(odd)
    middle = [[odd] if n == 30 else [usual] for n in range(60)]
    snapshot = opened(film([add(car(7))], *middle, []), "ue4-0.9.15")
    assert [(each.code, each.frame_index) for each in complaints(snapshot)] == [(code, 31)]


@pytest.mark.parametrize(
    ("name", "can_be_loaded"),
    [("Town10HD_Opt", True), ("/Game/Carla/Maps/Town01", True), ("Carla/Maps/Town01", False), (b"Town\xff", False)],
)
def test_a_map_that_cannot_be_loaded_is_told(opened: Open, name: str | bytes, can_be_loaded: bool) -> None:
    snapshot = opened(film(*ROLLING, map_name=name))
    if snapshot.header is not None:
        assert codes(snapshot) == ([] if can_be_loaded else ["replay-map"])


def test_times_that_hide_frames_are_told(opened: Open) -> None:
    times = [(0.0, 1.0), (1.0, 0.0), (1.0, -2.0), (2.0, float("nan")), (3.0, 1.0), (4.0, -1.0)]
    snapshot = opened(b.recording(*(b.frame(n + 1, *each) for n, each in enumerate(times))))
    found = list(find(snapshot))
    assert [(each.code, each.frame_index) for each in found] == [("replay-never-shown", n) for n in (1, 2, 3)]
    assert found[0].offset == snapshot.position(1)


def test_junk_between_frames_is_told(opened: Open) -> None:
    frames = [b.frame(n + 1, float(n), 1.0 if n < 2 else -1.0, packets) for n, packets in enumerate(ROLLING[:3])]
    snapshot = opened(b.recording(frames[0], b"\xee" * 1000, *frames[1:]))
    (warning,) = complaints(snapshot)
    assert (warning.code, warning.frame_index) == ("junk", 0)


def test_what_stands_before_the_first_frame_belongs_to_none(opened: Open) -> None:
    snapshot = opened(b.recording(remove(5), b.frame(1, 0.0, 1.0, ROLLING[0]), b.frame(2, 1.0)))
    found = complaints(snapshot)
    assert [(each.code, each.frame_index) for each in found] == [
        ("stray-packets", None),
        ("replay-deleted-unknown", None),
    ]


def test_a_file_beyond_two_gibibytes_is_told(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder_editor.checks.replay.LARGEST", 100)
    assert codes(opened(film(*ROLLING))) == ["replay-too-large"]


# --- places -------------------------------------------------------------------------------------------------


def test_two_ways_of_reckoning_rigid_motion_agree() -> None:
    random = np.random.default_rng(7)
    for _ in range(200):
        child, then, now = random.uniform(-1.0, 1.0, (3, 6)) * (9000.0, 9000.0, 900.0, 180.0, 80.0, 180.0)
        assert max(distance(carried(child, then, now), rigid.carried(child, then, now))) < 1e-5


def test_two_ways_of_reckoning_offsets_agree() -> None:
    random = np.random.default_rng(8)
    for _ in range(200):
        parent, offset = random.uniform(-1.0, 1.0, (2, 6)) * (9000.0, 9000.0, 900.0, 180.0, 80.0, 180.0)
        assert max(distance(composed(parent, offset), rigid.composed(parent, offset))) < 1e-5
    assert composed(np.zeros(6), offset) is offset


def test_angles_are_read_back() -> None:
    random = np.random.default_rng(11)
    for pose in random.uniform(-1.0, 1.0, (100, 6)) * (1.0, 1.0, 1.0, 179.0, 89.0, 179.0):
        assert angles(rotation(pose)) == pytest.approx(pose[3:])


def test_poses_that_are_no_numbers_are_where_they_are() -> None:
    nowhere = np.full(6, np.nan)
    assert distance(nowhere, nowhere) == (0.0, 0.0)
    assert np.isnan(distance(nowhere, np.zeros(6))[0])
    assert carried(np.ones(6), nowhere, nowhere).tolist() == [1.0] * 6
    assert np.isnan(between(nowhere, np.zeros(6), 0.5)).all()


# --- real recordings ----------------------------------------------------------------------------------------

KNOWN = {
    # 115 props of the map, which that release wrote without the number of their blueprint.
    "carla-0.9.10-town01-scene-lights.log": ["replay-uid-0"]
}


@of_real(SCENE_LIGHTS)
def test_a_real_recording_replays_with_no_complaint_but_those_known(sound_recording: Path, opened: Open) -> None:
    snapshot = opened(sound_recording)
    assert codes(snapshot) == KNOWN.get(sound_recording.name, [])
    replayed = scenes(snapshot)
    assert [scene.shown for scene in replayed] == [True] * (len(snapshot) - 1) + [False]
    assert not any(scene.left_behind for scene in replayed)


@of_real(BIKES)
def test_like_frames_are_passed_over_without_missing_anything(
    sound_recording: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With damage here and there: what is said does not depend on how frames are read."""
    data = bytearray(sound_recording.read_bytes())
    for begin in range(len(data) // 3, len(data), 50_000):
        data[begin : begin + 100 : 16] = b"\x07" * 7
    damaged = opened(bytes(data))
    found = list(find(damaged))
    monkeypatch.setattr("recorder_editor.checks.replay._Diagnosis.is_quiet", lambda self, block: False)
    assert list(find(damaged)) == found


@of_real(BIKES)
def test_a_real_recording_is_shown_where_it_tells(sound_recording: Path, opened: Open) -> None:
    snapshot = opened(sound_recording)
    middle = len(snapshot) // 2
    scene = Replayer(snapshot).to_frame(middle)
    packet = snapshot.frame(middle).packet("Position")
    assert packet is not None
    for record in packet.records:
        told = [*record["location"].values(), *record["rotation"].values()]
        assert scene.pose(record["id"]).tolist() == told
    assert Replayer(snapshot).at_time(scene.elapsed).frame_index == middle


@of_real(COLLISIONS)
def test_sensors_of_a_real_recording_are_where_its_world_has_them(sound_recording: Path, opened: Open) -> None:
    snapshot = opened(sound_recording)
    actors = Actors.of(snapshot)
    riding = [life for life in actors if life.class_ == "sensor" and life.parent is not None]
    assert bool(riding) == (sound_recording.name in RIDDEN)
    assert are_offsets(snapshot)
    for scene in scenes(snapshot)[:-1:9]:
        world = actors.world_at(scene.frame_index)
        for standing in world.actors:
            away, turned = distance(scene.pose(standing.life.actor), numbers(standing.pose))
            assert (away < 0.05 and turned < 0.01) if standing.life in riding else away == 0


@of_real(BIKES)
def test_a_real_recording_replays_as_itself(short_recording: Path, opened: Open) -> None:
    snapshot = opened(short_recording)
    first = len(snapshot) // 3
    assert_replays_same(snapshot, first, len(snapshot), snapshot, result_first=first)
    assert_no_new_warnings(snapshot, snapshot)


# --- the comparison other tests judge by --------------------------------------------------------------------


def story(
    *,
    x: float = 200.0,
    steering: float = 0.5,
    parent: int = 7,
    blueprint: str = CAR,
    role: str = "hero",
    intensity: float = 9.0,
    cloudiness: float = 50.0,
    which: int = 2,
    sensor: float = 30.0,
    light: float = 400.0,
    born: int = 11,
    visual: float = 3.0,
    car_id: int = 7,
) -> bytes:
    """A film of six frames in which everything happens that a recording can tell; the arguments change one thing."""
    hero = car(car_id, blueprint=blueprint, attributes=[b.attribute(4, "role_name", role)])
    lights = b.actor(1, 3, "traffic.traffic_light", b.xyz(light), uid=0)
    camera = b.actor(9, 5, "sensor.camera.rgb", b.xyz(sensor), uid=5)
    parent = car_id if parent == 7 else parent
    frames = [
        [
            b.packet(20, b.f64(1.0)),
            add(lights, hero, car(8, y=900.0), camera),
            attach(9, parent),
            at(car_id, 0.0),
            steer(car_id, 0.0),
            lamp(5.0),
            sky(10.0),
        ],
        [b.packet(20, b.f64(2.0)), door(car_id, which, True), at(car_id, 100.0), steer(car_id, 0.1)],
        [
            b.packet(20, b.f64(visual)),
            add(car(born)),
            at(car_id, x),
            steer(car_id, steering),
            lamp(intensity),
            sky(cloudiness),
        ],
        [b.packet(20, b.f64(4.0)), at(car_id, 300.0), steer(car_id, 0.3)],
        [b.packet(20, b.f64(5.0)), remove(born), at(car_id, 400.0), steer(car_id, 0.4)],
        [],
    ]
    return film(*frames, version=2)


def test_the_same_story_replays_the_same(opened: Open) -> None:
    one, other = opened(story(), "ue4-2026"), opened(story(), "ue4-2026")
    assert_replays_same(one, 0, 6, other)
    assert_no_new_warnings(one, other)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"x": 200.01}, "frame 3 of the original, 3 of the result, 7: Position"),
        ({"steering": 0.6}, "7: AnimVehicle"),
        ({"parent": 8}, "9: parent: 7 in the original, 8 in the result"),
        ({"blueprint": "vehicle.audi.a2"}, "frame 1 of the original, 1 of the result, 7: blueprint"),
        ({"role": "autopilot"}, "7: attributes"),
        ({"intensity": 8.0}, "frame 3 of the original, 3 of the result, 3: lamp"),
        ({"cloudiness": 51.0}, "weather"),
        ({"which": 3}, "frame 2 of the original, 2 of the result, 7: open doors"),
        ({"sensor": 30.6}, "9: pose (0.600 cm"),
        ({"light": 400.25}, "1: place of creation"),
        ({"born": 12}, "11: lives: yes in the original, no in the result"),
        ({"visual": 3.5}, "visual time"),
    ],
)
def test_a_story_in_which_one_thing_is_another_replays_differently(
    opened: Open, change: dict[str, Any], words: str
) -> None:
    one, other = opened(story(), "ue4-2026"), opened(story(**change), "ue4-2026")
    with pytest.raises(AssertionError) as failure:
        assert_replays_same(one, 0, 6, other)
    assert words in str(failure.value)


def test_what_is_carried_may_differ_by_rounding(opened: Open) -> None:
    assert_replays_same(opened(story(), "ue4-2026"), 0, 6, opened(story(sensor=30.4), "ue4-2026"))


def test_other_ids_are_the_same_story_where_they_are_told(opened: Open) -> None:
    one, other = opened(story(), "ue4-2026"), opened(story(car_id=70), "ue4-2026")
    assert_replays_same(one, 0, 6, other, ids={7: 70})
    with pytest.raises(AssertionError, match="7: lives"):
        assert_replays_same(one, 0, 6, other)


def test_kinds_that_the_result_need_not_carry_are_not_compared(opened: Open) -> None:
    one, other = opened(story(), "ue4-2026"), opened(story(steering=0.6, visual=9.0), "ue4-2026")
    assert_replays_same(one, 0, 6, other, without=("AnimVehicle", "VisualTime"))


def test_the_first_kept_frame_may_come_from_elsewhere(opened: Open) -> None:
    """The frame before the stretch differs: only what is seen on the way from it does, and that is not compared."""
    one = opened(film(ROLLING[0], [at(7, 100.0)], [at(7, 200.0)], [at(7, 300.0)], []))
    other = opened(film([add(car(7)), at(7, 900.0)], [at(7, 100.0)], [at(7, 200.0)], [at(7, 300.0)], []))
    assert_replays_same(one, 1, 5, other, result_first=1)
    with pytest.raises(AssertionError, match="frame 1 of the original"):
        assert_replays_same(one, 0, 5, other)


def test_the_last_frame_is_not_compared(opened: Open) -> None:
    one = opened(film(*ROLLING))
    assert_replays_same(one, 0, 3, opened(film(*ROLLING[:2], [at(7, 5.0)])))


def test_a_result_that_is_too_short_is_no_result(opened: Open) -> None:
    with pytest.raises(AssertionError, match="2 frames, but 3"):
        assert_replays_same(opened(film(*ROLLING)), 0, 3, opened(film(*ROLLING[:2])))


def test_a_warning_that_was_not_there_before_is_told(opened: Open) -> None:
    with pytest.raises(AssertionError, match="replay-deleted-unknown"):
        assert_no_new_warnings(opened(film(*ROLLING)), opened(film(*ROLLING, [remove(99)], [])))
