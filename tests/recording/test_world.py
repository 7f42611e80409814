"""The world at a frame: against a slow walk over all packets, and on every odd thing a file may hold."""

import math
import random
import struct
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.demo import make_town
from recorder_editor.reading.actor_state import ActorState, World
from recorder_editor.reading.actors import Actors
from recorder_editor.recording.frames import NO_LAYOUT
from recorder_editor.recording.snapshot import Derived, Snapshot
from tests import builders
from tests.builders import PAYLOAD_32, SIGNALLING_32, actor, frame, packet, pose, turn, xyz
from tests.recording.films import add, attach, box, delete, film, opened
from tests.recording.slow_world import OWN, SlowWorld, View, WorldView, doors_open, matrix_of

from ..real_recordings import only_one

Open = Callable[..., Recording]

EVERY_PACKET = "ue4-2026"
NEAR, TURNED = 0.05, 2e-5
"""How far a carried pose may be off: cm (a 32-bit float of 300,000 cm is no finer), and parts of an axis."""


@pytest.fixture
def open_bytes(tmp_path: Path) -> Iterator[Open]:
    found: list[Recording] = []

    def open_(data: bytes, dialect: str = EVERY_PACKET) -> Recording:
        path = tmp_path / f"{len(found)}.log"
        path.write_bytes(data)
        found.append(recorder_editor.open(path, dialect=dialect))
        return found[-1]

    yield open_
    for recording in found:
        recording.close()


# --- packets and poses ------------------------------------------------------------------------------------


def bits(*values: float) -> bytes:
    """A pose as stored, missing numbers being 0."""
    return struct.pack("<6f", *values, *[0.0] * (6 - len(values)))


def place(*records: tuple[Any, ...]) -> bytes:
    """A Position of (id, x, y, z, roll, pitch, yaw), of which the last may be missing."""
    made = [(number, *values, *[0.0] * (6 - len(values))) for number, *values in records]
    return packet(6, builders.position([pose(number, xyz(*v[:3]), turn(*v[3:])) for number, *v in made]))


def doors(*records: tuple[int, int, bool]) -> bytes:
    made = [{"id": number, "door": door, "open": is_open} for number, door, is_open in records]
    return packet(23, builders.vehicle_door(made))


def lamp(*records: tuple[int, float]) -> bytes:
    colour = {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0}
    return packet(
        11,
        builders.scene_light(
            [
                {"id": number, "intensity": intensity, "color": colour, "on": True, "group": 0}
                for number, intensity in records
            ]
        ),
    )


def sky(*clouds: float) -> bytes:
    return packet(24, builders.weather([dict.fromkeys(builders.WEATHER, cloud) for cloud in clouds]))


def light_times(*records: tuple[int, float]) -> bytes:
    made = [{"id": number, "green": green, "yellow": 3.0, "red": 2.0} for number, green in records]
    return packet(16, builders.traffic_light_time(made))


def physics(*records: tuple[int, float]) -> bytes:
    return packet(
        15, builders.physics_control([builders.physics(True) | {"id": n, "mass": mass} for n, mass in records])
    )


def car(number: int, *location: float, blueprint: str = "vehicle.lincoln.mkz_2017", yaw: float = 0.0) -> dict[str, Any]:
    return actor(number, blueprint=blueprint, location=xyz(*location), rotation=turn(yaw=yaw))


def standing(world: World, number: int) -> ActorState:
    found = world.state_of(number)
    assert found is not None
    return found


def poses(recording: Recording, number: int) -> list[tuple[bytes, str] | None]:
    """Where an id is in each frame and what tells it."""
    found = [recording.actors.world_at(index).state_of(number) for index in range(len(recording))]
    return [None if each is None else (each.pose, each.pose_source) for each in found]


def number_in(record: bytes | None, at: int) -> float:
    assert record is not None
    (number,) = struct.unpack_from("<f", record, at)
    return float(number)


def only_told(found: ActorState, packet: str) -> bytes | None:
    """The only record of a packet that makes an actor what it is, or None."""
    records = found.records(packet)
    assert len(records) < 2
    return records[0] if records else None


def lamps(world: World) -> dict[int, bytes]:
    """The lights of the map by their numbers."""
    return {int.from_bytes(key, "little"): record for key, record in world.records("SceneLight").items()}


# --- against a slow walk ------------------------------------------------------------------------------------


def assert_stands(found: ActorState, slow: View) -> None:
    assert (found.life.added, found.pose_source) == (slow.place, slow.how)
    assert_at(found.pose, slow.exact, slow.matrix)
    assert_at(found.spawn, slow.spawn.exact, slow.spawn.matrix)
    assert (None if found.parent is None else found.parent.added) == slow.parent
    assert [only_told(found, packet) for packet in OWN] == [slow.records.get(packet) for packet in OWN]
    doors = [doors_open(each) for each in (found.records("VehicleDoor"), found.records_of_new("VehicleDoor"))]
    assert doors == [doors_open(slow.doors)] * 2


def assert_at(found: bytes, exact: bytes | None, matrix: npt.NDArray[np.float64]) -> None:
    if exact is not None:
        assert found == exact
    else:
        near = matrix_of(found)
        assert np.allclose(near[:3, 3], matrix[:3, 3], atol=NEAR, rtol=1e-6, equal_nan=True)
        assert np.allclose(near[:3, :3], matrix[:3, :3], atol=TURNED, equal_nan=True)


def assert_is(found: World, slow: WorldView) -> None:
    assert [each.life.added for each in found.actors] == [each.place for each in slow.actors]
    for each, expected in zip(found.actors, slow.actors, strict=True):
        assert_stands(each, expected)
    assert list(lamps(found).items()) == list(slow.lamps.items())
    assert found.weather == slow.weather


def assert_worlds(actors: Actors, snapshot: Snapshot, frames: Collection[int]) -> None:
    """The worlds at these frames are those of a slow walk, in whatever order they are asked for."""
    expected = [*SlowWorld(snapshot).views(set(frames))]
    random.Random(7).shuffle(expected)
    for index, with_events, without in expected:
        found = actors.world_at(index)
        assert found.frame_index == index
        assert_is(found, with_events)
        assert_is(actors.world_at(index, own_events=False), without)


def telling_frames(recording: Recording, others: int = 40) -> set[int]:
    """The first and the last frame, those in which something happens, those after them, and some others."""
    last = len(recording) - 1
    eventful = np.unique(recording.actors.events["frame_index"]).tolist()
    found = {0, last, *eventful, *(min(index + 1, last) for index in eventful)}
    return found | {random.Random(last).randrange(last + 1) for _ in range(others)}


@only_one
def test_worlds_of_real_recordings(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        assert_worlds(recording.actors, recording.snapshot, telling_frames(recording))


@pytest.mark.parametrize(
    "dialect",
    [
        "ue4-0.9.4",
        "ue4-doors",
        "ue5-2026",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("ue4-0.9.10", "ue4-0.9.12", "ue4-2026")),
    ],
)
def test_worlds_of_a_made_town(open_bytes: Open, dialect: str) -> None:
    town = make_town(4.0, vehicles=8, walkers=6, lights=2, seed=6, step=0.1, dialect=dialect)
    recording = open_bytes(b"".join(town), dialect)
    assert_worlds(recording.actors, recording.snapshot, range(len(recording)))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("carla-0.9.13-town05-collisions.log", marks=pytest.mark.long),
        "carla-0.9.10-town01-scene-lights.log",
    ],
)
def test_worlds_after_edits(recordings: Path, name: str) -> None:
    with recorder_editor.open(recordings / name) as recording:
        assert len(recording.actors.world_at(200).actors) > 100
        recording.apply(edits.delete_rows(recording, 100, 150))
        recording.apply(edits.insert_frame(recording, 0))
        recording.apply(edits.insert_frame(recording, 90, copy_of=89))
        recording.apply(edits.delete_rows(recording, 2, 3))
        where = edits.place(recording, frame=120, packet="Position", record=0, field="location.z")
        recording.apply(edits.set_field(recording, where, 4321.5))
        frames = telling_frames(recording) | {119, 120, 121}
        assert_worlds(recording.actors, recording.snapshot, frames)
        assert_worlds(Actors.of(replace(recording.snapshot, derived=Derived())), recording.snapshot, frames)
        recording.undo()
        assert_worlds(recording.actors, recording.snapshot, frames)


IDS = st.integers(1, 5)
SPOTS = st.tuples(IDS, *[st.integers(-9, 9).map(float)] * 3, *[st.sampled_from([0.0, 30.0, 90.0, -90.0, 180.0])] * 3)
BLUEPRINTS = ["vehicle.one", "traffic.traffic_light", "sensor.camera.rgb"]


def several(one: st.SearchStrategy[Any], make: Callable[..., bytes], most: int = 2) -> st.SearchStrategy[bytes]:
    return st.lists(one, min_size=1, max_size=most).map(lambda made: make(*made))


def mounted(child: dict[str, Any], parents: list[int]) -> bytes:
    """Somebody is born and attached."""
    return add(child) + attach(*((child["id"], parent) for parent in parents))


CARS = st.builds(
    lambda spot, blueprint: car(*spot[:4], blueprint=blueprint, yaw=spot[6]), SPOTS, st.sampled_from(BLUEPRINTS)
)
HAPPENINGS = st.one_of(
    st.builds(mounted, CARS, st.lists(IDS, min_size=1, max_size=2)),
    st.builds(mounted, CARS, st.lists(IDS, min_size=1, max_size=1)),
    several(CARS, add),
    several(IDS, delete, 1),
    several(st.tuples(IDS, IDS), attach),
    several(SPOTS, place, 4),
    several(SPOTS, place, 4),
    several(st.tuples(IDS, st.sampled_from([0, 1, 6, 99]), st.booleans()), doors),
    several(IDS, box),
    several(st.tuples(IDS, st.integers(1, 9).map(float)), lamp),
    several(st.integers(1, 9).map(float), sky),
    several(st.tuples(IDS, st.integers(1, 9).map(float)), physics),
    several(st.tuples(IDS, st.integers(1, 9).map(float)), light_times),
)
STORIES = st.lists(st.lists(HAPPENINGS, max_size=4), max_size=9).map(
    lambda frames: [[add(*(car(n, 10.0 * n, blueprint=BLUEPRINTS[n % 4 % 3]) for n in range(1, 5)))], *frames]
)
"""Frames in which a few ids come, go, move, are attached and get all that lasts, in no sensible order."""


@settings(max_examples=2 * settings.default.max_examples)
@given(frames=STORIES, strays=st.integers(0, 9))
def test_any_story_is_as_a_slow_walk_tells_it(frames: list[list[bytes]], strays: int) -> None:
    parts = [frame(n + 1, 0.05 * n, 0.05, packets) for n, packets in enumerate(frames)]
    if 0 < strays < len(frames):  # the packets of one frame stand before it, between frames
        parts[strays] = b"".join(frames[strays]) + frame(strays + 1, 0.05 * strays, 0.05)
    with opened(builders.recording(*parts), EVERY_PACKET) as recording:
        assert_worlds(recording.actors, recording.snapshot, range(len(recording)))


@given(frames=STORIES, cut=st.integers(1, 9))
def test_a_story_that_is_read_on_is_as_a_slow_walk_tells_it(frames: list[list[bytes]], cut: int) -> None:
    with opened(film(*frames), EVERY_PACKET) as recording:
        table = recording.snapshot.table
        beginning = replace(recording.snapshot, table=table.slice(0, cut), derived=Derived())
        actors = Actors.of(beginning)
        worlds = [actors.world_at(index) for index in range(len(beginning))]
        whole = beginning.following(table)
        assert_worlds(Actors.of(whole), whole, range(len(whole)))
        again = Actors.of(replace(beginning, derived=Derived()))
        for index, world in enumerate(worlds):
            assert repr(actors.world_at(index)) == repr(again.world_at(index)) == repr(world)


def test_what_an_edit_made_untrue_is_not_read_on_from(open_bytes: Open) -> None:
    recording = open_bytes(film([add(car(7)), place((7, 1.0))], [place((7, 2.0))], [place((8, 9.0))]))
    assert standing(recording.actors.world_at(2), 7).pose == bits(2.0)
    recording.apply(edits.delete_record(recording, edits.place(recording, frame=1, packet="Position", record=0)))
    assert standing(recording.actors.world_at(2), 7).pose == bits(1.0)


# --- where they are -----------------------------------------------------------------------------------------


def test_a_position_says_where_somebody_is(open_bytes: Open) -> None:
    recording = open_bytes(film([add(car(7, 1.0)), place((7, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0))], [place((7, 8.0))]))
    assert poses(recording, 7) == [(bits(2.0, 3.0, 4.0, 5.0, 6.0, 7.0), "position"), (bits(8.0), "position")]
    found = standing(recording.actors.world_at(0), 7)
    assert found.transform == (2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
    assert found.life is recording.actors.lives[0]
    assert recording.actors.world_at(0).state_of(8) is None


def test_of_several_positions_in_a_frame_the_last_one_counts(open_bytes: Open) -> None:
    recording = open_bytes(
        film([add(car(7)), place((7, 1.0), (8, 5.0), (7, 2.0))], [place((7, 1.0)), place((8, 5.0)), place((7, 3.0))])
    )
    assert poses(recording, 7) == [(bits(2.0), "position"), (bits(3.0), "position")]


def test_a_traffic_actor_is_where_it_was_created_to_the_bit(open_bytes: Open) -> None:
    odd = actor(
        7, blueprint="traffic.traffic_light", location=xyz(SIGNALLING_32, PAYLOAD_32, -0.0), rotation=turn(yaw=270.0)
    )
    recording = open_bytes(film([add(odd, car(8)), place((7, 1.0), (8, 1.0)), attach((7, 8))], [place((8, 2.0))]))
    expected = struct.pack("<IIffff", SIGNALLING_32.bits, PAYLOAD_32.bits, -0.0, 0.0, 0.0, 270.0)
    assert poses(recording, 7) == [(expected, "birth")] * 2


def test_without_any_position_somebody_is_where_it_was_created(open_bytes: Open) -> None:
    recording = open_bytes(film([add(car(7, 1.5)), place((8, 9.0))], [], [place((8, 9.0))]))
    assert poses(recording, 7) == [(bits(1.5), "birth")] * 3


def test_the_bits_of_a_birth_are_kept(open_bytes: Open) -> None:
    odd = actor(7, location=xyz(SIGNALLING_32, -0.0, builders.INFINITE), rotation=turn(PAYLOAD_32))
    even = actor(8, location=xyz(0.1, -0.0, -builders.INFINITE), rotation=turn(yaw=1e-40))
    recording = open_bytes(film([add(odd, even)], []))
    expected = struct.pack("<IffIff", SIGNALLING_32.bits, -0.0, math.inf, PAYLOAD_32.bits, 0.0, 0.0)
    assert poses(recording, 7) == [(expected, "birth")] * 2
    assert poses(recording, 8) == [(bits(0.1, -0.0, -math.inf, 0.0, 0.0, 1e-40), "birth")] * 2


def test_who_is_no_longer_told_of_stays_where_it_was(open_bytes: Open) -> None:
    recording = open_bytes(
        film([add(car(7, 1.0), car(8))], [place((7, 2.0), (8, 9.0))], [], [], [place((7, 3.0))], [place((8, 9.0))])
    )
    expected = [(1.0, "birth"), *[(2.0, "position")] * 3, *[(3.0, "position")] * 2]
    assert poses(recording, 7) == [(bits(x), how) for x, how in expected]


def test_where_an_id_was_in_another_life_says_nothing(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(7, 1.0)), place((7, 2.0))],
            [delete(7)],
            [add(car(7, 3.0))],
            [],
            [place((7, 4.0))],
            [add(car(7, 5.0))],
            [place((7, 6.0))],
        )
    )
    expected = [
        (2.0, "position"),
        None,
        (3.0, "birth"),
        (3.0, "birth"),
        (4.0, "position"),
        (5.0, "birth"),
        (6.0, "position"),
    ]
    assert poses(recording, 7) == [None if each is None else (bits(each[0]), each[1]) for each in expected]


def test_double_vectors_are_kept_whole(open_bytes: Open) -> None:
    born = packet(2, builders.event_add([car(7, 0.1, 0.2, 0.3), car(8, 1 / 3)], wide=True))
    at = packet(6, builders.position([pose(7, xyz(0.7, 0.8, 0.9))], wide=True))
    recording = open_bytes(film([born, at], []), "ue5-2026")
    assert poses(recording, 7) == [(struct.pack("<6d", 0.7, 0.8, 0.9, 0.0, 0.0, 0.0), "position")] * 2
    assert poses(recording, 8) == [(struct.pack("<6d", 1 / 3, 0.0, 0.0, 0.0, 0.0, 0.0), "birth")] * 2


# --- attachments --------------------------------------------------------------------------------------------


def near(recording: Recording, number: int, frame_index: int, *expected: float) -> bool:
    """Whether it is about there, told by what it is attached to."""
    found = standing(recording.actors.world_at(frame_index), number)
    return found.pose_source == "attached" and np.allclose(
        found.transform, [*expected, *[0.0] * (6 - len(expected))], atol=1e-4
    )


def test_what_is_attached_goes_and_turns_with_its_parent(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(2, 1300.0, 500.0, 40.0, yaw=10.0)), attach((2, 1)), place((1, 1000.0, 500.0))],
            [place((1, 1000.0, 500.0))],
            [place((1, 2000.0, 600.0, 5.0))],
            [place((1, 2000.0, 600.0, 5.0, 0.0, 0.0, 90.0))],
            [place((1, 2000.0, 600.0, 5.0, 0.0, 90.0, 0.0))],
        )
    )
    assert poses(recording, 2)[:3] == [
        (bits(1300.0, 500.0, 40.0, 0.0, 0.0, 10.0), "birth"),
        (bits(1300.0, 500.0, 40.0, 0.0, 0.0, 10.0), "attached"),
        (bits(2300.0, 600.0, 45.0, 0.0, 0.0, 10.0), "attached"),
    ]
    assert near(recording, 2, 3, 2000.0, 900.0, 45.0, 0.0, 0.0, 100.0)
    assert np.allclose(standing(recording.actors.world_at(4), 2).transform[:3], (1960.0, 600.0, 305.0), atol=1e-4)
    car_, camera = recording.actors.lives
    for index in range(5):
        assert recording.actors.world_at(index).parents == ((camera, car_),)


def test_what_is_attached_and_told_of_is_where_it_is_told_to_be(open_bytes: Open) -> None:
    recording = open_bytes(
        film([add(car(1), car(2)), attach((2, 1)), place((1, 0.0), (2, 5.0))], [place((1, 100.0), (2, 7.0))])
    )
    assert poses(recording, 2) == [(bits(5.0), "position"), (bits(7.0), "position")]
    assert standing(recording.actors.world_at(1), 2).parent is recording.actors.lives[0]


def test_what_is_attached_late_has_its_place_in_the_world_as_its_offset(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(2, 1.0), car(3, 2.0)), place((1, 0.0))],
            [place((1, 10.0), (3, 50.0))],
            [place((1, 20.0)), attach((2, 1), (3, 1))],
            [place((1, 30.0))],
        )
    )
    born, *later = poses(recording, 2)
    assert born == (bits(1.0), "birth")
    assert later == [(bits(1.0), "birth"), (bits(21.0), "attached"), (bits(31.0), "attached")]
    born, *later = poses(recording, 3)
    assert born == (bits(2.0), "birth")
    assert later == [(bits(50.0), "position"), (bits(70.0), "attached"), (bits(80.0), "attached")]


def test_who_stays_behind_when_its_parent_goes_is_where_that_one_was_last(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(2, 5.0)), attach((2, 1)), place((1, 0.0))],
            [place((1, 10.0))],
            [delete(1)],
            [add(car(1, 70.0)), place((1, 70.0))],
            [place((1, 80.0))],
        )
    )
    assert poses(recording, 2)[1:] == [(bits(15.0), "attached")] * 4
    assert [len(recording.actors.world_at(index).parents) for index in range(5)] == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("end", [delete(1), add(car(1))])
def test_who_stays_behind_is_where_its_positions_take_it_from_then_on(open_bytes: Open, end: bytes) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(2, 5.0)), attach((2, 1)), place((1, 0.0), (2, 5.0))],
            [end, place((2, 50.0))],
            [],
            [place((2, 60.0))],
            [],
        )
    )
    assert poses(recording, 2) == [(bits(x), "position") for x in (5.0, 50.0, 50.0, 60.0, 60.0)]


def test_who_goes_is_not_moved_by_an_attachment_in_the_same_frame(open_bytes: Open) -> None:
    recording = open_bytes(
        film([add(car(1, 10.0), car(2, 20.0), car(3, 5.0))], [attach((2, 1)), delete(1), attach((3, 2)), delete(2)], [])
    )
    assert poses(recording, 3)[1:] == [(bits(25.0), "attached")] * 2
    assert_worlds(recording.actors, recording.snapshot, range(3))


def test_who_is_born_with_the_id_of_a_parent_carries_nobody(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(2, 5.0)), attach((2, 1)), place((1, 0.0))],
            [place((1, 10.0))],
            [add(car(1, 70.0)), place((1, 70.0))],
            [place((1, 80.0))],
        )
    )
    assert poses(recording, 2)[1:] == [(bits(15.0), "attached")] * 3
    assert [len(recording.actors.world_at(index).parents) for index in range(4)] == [1, 1, 0, 0]


def test_a_parent_of_a_parent_carries_both(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(3, 2.0), car(2, 1.0), car(1)), attach((3, 2)), attach((2, 1)), place((1, 0.0))],
            [place((1, 100.0))],
            [place((1, 100.0, 0.0, 0.0, 0.0, 0.0, 90.0))],
        )
    )
    assert poses(recording, 3)[1] == (bits(103.0), "attached")
    assert near(recording, 3, 2, 100.0, 3.0, 0.0, 0.0, 0.0, 90.0)


def test_another_parent_takes_over_the_offset(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(2), car(3, 1.0)), attach((3, 1)), place((1, 0.0), (2, 0.0))],
            [place((1, 10.0), (2, 100.0))],
            [place((1, 20.0), (2, 200.0)), attach((3, 2))],
            [place((1, 30.0), (2, 300.0))],
            [place((1, 40.0), (2, 400.0)), attach((3, 99))],
            [place((1, 50.0), (2, 500.0)), attach((3, 3))],
        )
    )
    assert [where for where, _ in filter(None, poses(recording, 3))] == [
        bits(x) for x in (1.0, 11.0, 201.0, 301.0, 401.0, 501.0)
    ]
    one, two, three = recording.actors.lives
    assert [recording.actors.world_at(n).parents for n in range(6)] == [((three, one),)] * 2 + [((three, two),)] * 4


def test_an_attachment_told_again_changes_nothing(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(2, 1.0)), attach((2, 1)), place((1, 0.0))],
            *([attach((2, 1)), place((1, 0.1 * n, 0.0, 0.0, 0.0, 0.0, 7.0 * n))] for n in range(1, 8)),
            [place((1, 0.0))],
        )
    )
    assert poses(recording, 2)[-1] == (bits(1.0), "attached")


def test_nobody_carries_itself(open_bytes: Open) -> None:
    recording = open_bytes(
        film([add(car(1, 1.0), car(2, 2.0), car(3, 3.0)), attach((1, 2), (2, 3), (3, 1), (2, 1), (1, 1))], [], [])
    )
    one, two, three = recording.actors.lives
    assert recording.actors.world_at(2).parents == ((one, two), (two, three))
    found = [standing(recording.actors.world_at(2), n).pose for n in (1, 2, 3)]
    assert found == [bits(6.0), bits(5.0), bits(3.0)]


@pytest.mark.parametrize("end", [delete(3), add(car(3))])
def test_who_was_attached_to_somebody_gone_may_carry_others(open_bytes: Open, end: bytes) -> None:
    # 2 hung on 3, which hung on 1: with 3 gone, 1 may hang on 2.
    recording = open_bytes(
        film(
            [add(car(1), car(2, 2.0), car(3, 3.0)), attach((3, 1), (2, 3)), place((1, 0.0))],
            [end, attach((1, 2)), place((1, 10.0), (2, 20.0))],
            [place((2, 30.0))],
        )
    )
    one, two, *_ = recording.actors.lives
    assert recording.actors.world_at(2).parents == ((one, two),)
    assert poses(recording, 1)[2] == (bits(20.0), "attached")


def test_thousands_attached_in_a_chain_harm_nobody(open_bytes: Open) -> None:
    ids = range(1, 2001)
    pairs = [(n, n + 1) for n in ids[:-1]]
    recording = open_bytes(
        film([add(*(car(n, float(n)) for n in ids)), attach(*pairs), place((2000, 2000.0))], [place((2000, 2010.0))])
    )
    assert poses(recording, 1) == [(bits(1.0), "birth"), (bits(11.0), "attached")]


def test_a_parent_that_is_nowhere_takes_its_child_there(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(2, 5.0)), attach((2, 1)), place((1, 0.0))],
            [place((1, math.nan, 0.0, 0.0, 0.0, 0.0, math.nan))],
            [place((1, 20.0))],
        )
    )
    assert math.isnan(standing(recording.actors.world_at(1), 2).transform.x)
    assert poses(recording, 2)[2] == (bits(25.0), "attached")


def test_a_child_that_was_put_nowhere_keeps_its_bits_while_its_parent_stays(open_bytes: Open) -> None:
    odd = actor(2, location=xyz(SIGNALLING_32))
    first = [add(car(1), odd, camera(3, FAR)), attach((2, 1), (3, 1)), place((1, FAR))]
    recording = open_bytes(film(first, [place((1, FAR))]))
    assert recording.actors.holds_places
    assert poses(recording, 2)[1] == (struct.pack("<I", SIGNALLING_32.bits) + bytes(20), "attached")


# --- offsets ------------------------------------------------------------------------------------------------


def camera(number: int, *where: float, pitch: float = 0.0, blueprint: str = "sensor.camera.rgb") -> dict[str, Any]:
    return actor(number, blueprint=blueprint, location=xyz(*where), rotation=turn(pitch=pitch))


FAR = 20000.0
"""Of the map's middle, so that it is plain what EventAdds hold."""


def test_a_camera_stands_at_its_offset_from_the_car_from_the_first_frame_on(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), camera(2, -550.0, 20.0, 280.0, pitch=-15.0)), attach((2, 1)), place((1, FAR, 100.0, 5.0))],
            [place((1, FAR, 100.0, 5.0, 0.0, 0.0, 90.0))],
            [place((1, FAR, 100.0, 5.0, 0.0, 90.0, 0.0))],
            [],
        )
    )
    assert near(recording, 2, 0, FAR - 550.0, 120.0, 285.0, 0.0, -15.0)
    assert near(recording, 2, 1, FAR - 20.0, -450.0, 285.0, 0.0, -15.0, 90.0)
    assert near(recording, 2, 2, FAR - 280.0, 120.0, 5.0 - 550.0, 0.0, 75.0)
    assert poses(recording, 2)[3] == poses(recording, 2)[2]
    for index in range(4):
        found = standing(recording.actors.world_at(index), 2)
        assert found.spawn == bits(-550.0, 20.0, 280.0, 0.0, -15.0)
        assert found.parent is recording.actors.lives[0]
    car_, camera_ = recording.actors.lives
    assert [recording.actors.offset_parent_of(life) for life in (car_, camera_)] == [None, car_]


def test_places_in_the_world_are_told_as_they_are_and_created_where_they_are_now(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), camera(2, FAR - 550.0, 0.0, 280.0)), attach((2, 1)), place((1, FAR))],
            [place((1, FAR, 0.0, 0.0, 0.0, 0.0, 90.0))],
        )
    )
    assert poses(recording, 2)[0] == (bits(FAR - 550.0, 0.0, 280.0), "birth")
    assert near(recording, 2, 1, FAR, -550.0, 280.0, 0.0, 0.0, 90.0)
    found = standing(recording.actors.world_at(1), 2)
    assert found.spawn == found.pose
    assert recording.actors.offset_parent_of(found.life) is None


@pytest.mark.parametrize(
    "told",
    [
        [place((1, 0.0))],  # the same either way
        [place((1, -500.0))],  # as long as it is from the car
        [],  # nothing tells where the car is
    ],
)
def test_what_cannot_be_told_is_taken_for_an_offset(open_bytes: Open, told: list[bytes]) -> None:
    recording = open_bytes(film([add(car(1), camera(2, -250.0)), attach((2, 1)), *told], [place((1, FAR))], []))
    first = standing(recording.actors.world_at(0), 2)
    assert (first.spawn, first.pose_source) == (bits(-250.0), "attached")
    assert not recording.actors.holds_places


def test_what_is_told_of_itself_is_where_it_is_told_to_be(open_bytes: Open) -> None:
    told = place((1, FAR), (2, FAR))
    recording = open_bytes(film([add(car(1), camera(2, -250.0)), attach((2, 1)), told], [place((1, FAR))], []))
    first = standing(recording.actors.world_at(0), 2)
    assert first.spawn == first.pose
    assert first.pose_source == "position"


def test_a_recording_holds_offsets_as_a_whole(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), camera(2, 100.0)), attach((2, 1)), place((1, 110.0))],
            [add(camera(3, 200.0)), attach((3, 1)), place((1, FAR))],
        )
    )
    assert poses(recording, 2) == [(bits(210.0), "attached"), (bits(FAR + 100.0), "attached")]
    assert poses(recording, 3)[1] == (bits(FAR + 200.0), "attached")


def test_offsets_add_up_along_a_chain(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [
                add(camera(3, 30.0), camera(2, 100.0, 0.0, 50.0, pitch=90.0), car(1)),
                attach((3, 2), (2, 1)),
                place((1, FAR)),
            ],
            [place((1, FAR, 0.0, 0.0, 0.0, 0.0, 90.0))],
        )
    )
    assert near(recording, 3, 0, FAR + 100.0, 0.0, 80.0, 0.0, 90.0)
    assert np.allclose(standing(recording.actors.world_at(1), 3).transform[:3], (FAR, 100.0, 80.0), atol=1e-2)
    assert standing(recording.actors.world_at(1), 3).spawn == bits(30.0)


def test_thousands_of_offsets_in_a_chain_harm_nobody(open_bytes: Open) -> None:
    ids = range(1, 2001)
    recording = open_bytes(
        film([add(*(car(n, 1.0) for n in ids)), attach(*((n, n + 1) for n in ids[:-1])), place((2000, FAR))], [])
    )
    assert poses(recording, 1) == [(bits(FAR + 1999.0), "attached")] * 2


def test_an_offset_from_a_car_at_zero_keeps_every_bit(open_bytes: Open) -> None:
    odd = actor(2, blueprint="sensor.camera.rgb", location=xyz(SIGNALLING_32, PAYLOAD_32, -0.0))
    recording = open_bytes(
        film(
            [add(car(1), camera(3), odd), attach((2, 1), (3, 1)), place((1, FAR))],
            [place((1, 0.0))],
            [place((1, -0.0))],
        )
    )
    expected = struct.pack("<IIf", SIGNALLING_32.bits, PAYLOAD_32.bits, -0.0) + bytes(12)
    assert poses(recording, 2)[1:] == [(expected, "attached")] * 2
    assert standing(recording.actors.world_at(0), 2).spawn == expected


def test_who_stays_behind_is_created_where_its_parent_took_it(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), camera(2, 50.0)), attach((2, 1)), place((1, FAR))],
            [place((1, FAR, 0.0, 0.0, 0.0, 0.0, 90.0))],
            [delete(1)],
            [add(car(1, 70.0)), place((1, 70.0))],
        )
    )
    last = standing(recording.actors.world_at(1), 2)
    assert last.spawn == bits(50.0)
    for index in (2, 3):
        for own_events in (False, True):
            found = standing(recording.actors.world_at(index, own_events=own_events), 2)
            assert (found.pose, found.spawn, found.parent) == (last.pose, last.pose, None)


def test_a_parent_that_goes_in_the_frame_of_a_birth_leaves_its_child_where_it_was(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), camera(2, 50.0)), attach((2, 1)), place((1, FAR))],
            [add(camera(3, 60.0)), attach((3, 1)), delete(1)],
        )
    )
    assert poses(recording, 3)[1] == (bits(FAR + 60.0), "attached")


def test_who_is_attached_later_waits_at_its_offset_from_the_middle_of_the_map(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), camera(2, 50.0), camera(3, FAR, 500.0)), attach((2, 1)), place((1, FAR))],
            [attach((3, 1)), place((1, FAR, 0.0, 0.0, 0.0, 0.0, 90.0))],
            [place((1, FAR, 900.0, 0.0, 0.0, 0.0, 90.0))],
        )
    )
    worlds = [recording.actors.world_at(index, own_events=own) for index in range(3) for own in (False, True)]
    found = [each for world in worlds if (each := world.state_of(3)) is not None]
    places = [each.transform[:2] for each in found]
    assert places == [(FAR, 500.0)] + [(FAR - 500.0, FAR)] * 2 + [(FAR - 500.0, FAR + 900.0)] * 2
    assert [each.pose_source for each in found] == ["birth"] + ["attached"] * 4
    assert [each.spawn for each in found] == [bits(FAR, 500.0)] * 5
    assert recording.actors.mount_of(recording.actors.lives[2]) == (recording.actors.lives[0], 1)


def test_another_attachment_keeps_an_offset(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), car(4), camera(2, 50.0)), attach((2, 1)), place((1, FAR), (4, 0.0))],
            [attach((2, 4)), place((1, FAR + 10.0), (4, FAR))],
            [place((1, 0.0), (4, FAR + 100.0))],
        )
    )
    assert poses(recording, 2) == [(bits(FAR + x), "attached") for x in (50.0, 50.0, 150.0)]
    spawns = [standing(recording.actors.world_at(index), 2).spawn for index in range(3)]
    assert spawns == [bits(50.0)] * 3


def test_of_two_parents_at_birth_the_last_one_counts(open_bytes: Open) -> None:
    recording = open_bytes(
        film([add(car(1), car(4), camera(2, 50.0)), attach((2, 1), (2, 4)), place((1, -FAR), (4, FAR))], [])
    )
    assert poses(recording, 2)[0] == (bits(FAR + 50.0), "attached")


def test_who_has_a_position_is_created_there_whatever_carries_it(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(1), camera(2, 50.0), car(3, 60.0)), attach((2, 1), (3, 1)), place((1, FAR), (3, FAR + 70.0))],
            [place((1, FAR + 5.0))],
        )
    )
    first, second = (standing(recording.actors.world_at(index), 3) for index in range(2))
    assert (first.pose, first.spawn, first.pose_source) == (bits(FAR + 70.0), bits(FAR + 70.0), "position")
    assert (second.pose, second.spawn, second.pose_source) == (bits(FAR + 75.0), bits(70.0), "attached")


def test_a_traffic_actor_has_no_offset(open_bytes: Open) -> None:
    light = camera(3, 60.0, blueprint="traffic.traffic_light")
    recording = open_bytes(film([add(car(1), camera(2, 50.0), light), attach((2, 1), (3, 1)), place((1, FAR))], []))
    for index in range(2):
        found = standing(recording.actors.world_at(index), 3)
        assert (found.pose, found.spawn, found.pose_source) == (bits(60.0), bits(60.0), "birth")


def test_an_actor_that_packets_between_frames_create_has_its_offset(open_bytes: Open) -> None:
    recording = open_bytes(
        builders.recording(
            frame(1, 0.0, 0.05, [add(car(1)), place((1, FAR))]),
            add(camera(2, 50.0)),
            frame(2, 0.05, 0.05, [attach((2, 1)), place((1, FAR))]),
            frame(3, 0.1, 0.05, [place((1, FAR + 9.0))]),
        )
    )
    assert poses(recording, 2)[1:] == [(bits(FAR + 50.0), "attached"), (bits(FAR + 59.0), "attached")]


def test_double_offsets_are_kept_whole(open_bytes: Open) -> None:
    born = packet(2, builders.event_add([car(1), camera(2, 0.1)], wide=True))
    at = packet(6, builders.position([pose(1, xyz(1000.1))], wide=True))
    recording = open_bytes(film([born, attach((2, 1)), at], []), "ue5-2026")
    assert poses(recording, 2) == [(struct.pack("<6d", 1000.1 + 0.1, 0.0, 0.0, 0.0, 0.0, 0.0), "attached")] * 2
    assert standing(recording.actors.world_at(1), 2).spawn == struct.pack("<6d", 0.1, *[0.0] * 5)


@pytest.mark.parametrize(
    ("name", "sensors"),
    [
        ("carla-0.9.10-town01-scene-lights.log", 5),
        ("carla-0.9.13-town01.log", 5),
        ("carla-0.9.13-opendrive.log", 1),
        pytest.param("carla-0.9.13-town05-collisions.log", 6, marks=pytest.mark.long),
    ],
)
def test_sensors_of_real_recordings_ride_with_their_car(recordings: Path, name: str, sensors: int) -> None:
    with recorder_editor.open(recordings / name) as recording:
        actors = recording.actors
        riding = [life for life in actors if life.class_ == "sensor" and life.parent is not None]
        assert len(riding) == sensors
        for life in riding:
            assert life.parent is not None
            parent = actors.lives[life.parent]
            for index in range(life.born, min(parent.gone or len(recording), len(recording)), 7):
                world = actors.world_at(index)
                sensor, car_ = standing(world, life.actor), standing(world, parent.actor)
                assert (sensor.pose_source, sensor.parent, sensor.spawn) == ("attached", parent, bits(*life.transform))
                away = math.dist(sensor.transform[:3], car_.transform[:3])
                assert math.isclose(away, math.hypot(*life.transform[:3]), abs_tol=0.02)


# --- what lasts ---------------------------------------------------------------------------------------------


def test_the_last_records_of_a_life_hold(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [add(car(7), car(8)), box(7, size=1.0), box(8, 7, size=2.0), box(7, size=3.0, number=17)],
            [physics((8, 5.0), (7, 6.0), (7, 7.0)), light_times((7, 8.0), (7, 9.0))],
            [box(7, size=4.0), physics((7, 10.0))],
        )
    )
    found = [standing(recording.actors.world_at(index), 7) for index in range(3)]
    boxes, triggers, masses, times = ([only_told(each, packet) for each in found] for packet in OWN)
    assert [number_in(each, 16) for each in boxes] == [2.0, 2.0, 4.0]
    assert [number_in(each, 16) for each in triggers] == [3.0] * 3
    assert [each and len(each) for each in masses] == [None, *[len(physics((7, 0.0))) - 7] * 2]
    assert [number_in(each, 33) for each in masses[1:]] == [7.0, 10.0]
    assert [each and number_in(each, 4) for each in times] == [None, 9.0, 9.0]


def test_nothing_is_left_to_the_next_life_of_an_id(open_bytes: Open) -> None:
    everything = [box(7), box(7, number=17), physics((7, 1.0)), light_times((7, 1.0)), doors((7, 0, True))]
    recording = open_bytes(
        film(
            [*everything, add(car(7), car(8)), *everything, attach((7, 8), (8, 8)), place((7, 1.0), (8, 0.0))],
            [delete(7), *everything],
            [*everything, add(car(7, 5.0)), place((8, 9.0))],
            [add(car(7, 6.0))],
        )
    )
    first = standing(recording.actors.world_at(0), 7)
    assert None not in (first.parent, *(only_told(first, packet) for packet in OWN))
    assert len(first.records("VehicleDoor")) == 1
    for index, x in ((2, 5.0), (3, 6.0)):
        life = recording.actors.lives[index]
        assert standing(recording.actors.world_at(index), 7) == ActorState(life, bits(x), bits(x), "birth", None)


@pytest.mark.parametrize(
    ("told", "kept", "to_open"),
    [
        ([(0, True)], [(0, True)], [(0, True)]),
        ([(0, True), (1, True), (0, False)], [(1, True), (0, False)], [(1, True)]),
        ([(0, True), (6, False)], [(6, False)], []),
        ([(6, False), (2, True)], [(6, False), (2, True)], [(2, True)]),
        ([(1, True), (6, True), (0, False)], [(6, True), (0, False)], [(6, True), (0, False)]),
        ([(6, True), (0, False), (0, True), (99, True)], [(6, True), (0, True), (99, True)], None),
    ],
)
def test_doors_are_what_the_records_made_them(
    open_bytes: Open, told: list[tuple[int, bool]], kept: list[tuple[int, bool]], to_open: list[tuple[int, bool]] | None
) -> None:
    actors = open_bytes(film([add(car(7), car(8))], *([doors((7, *each), (9, 0, True))] for each in told))).actors
    found = standing(actors.world_at(len(told)), 7)
    turned = found.records("VehicleDoor")
    opened = found.records_of_new("VehicleDoor")
    assert [(record[4], bool(record[5])) for record in turned] == kept
    assert [(record[4], bool(record[5])) for record in opened] == (kept if to_open is None else to_open)
    assert all(record[:4] == builders.u32(7) and len(record) == 6 for record in turned)
    untouched = standing(actors.world_at(0), 7), standing(actors.world_at(len(told)), 8)
    assert [each.records("VehicleDoor") for each in untouched] == [(), ()]


def test_lamps_of_the_map_and_the_weather_hold_until_they_are_told_again(open_bytes: Open) -> None:
    actors = open_bytes(
        film(
            [],
            [lamp((-1, 1.0), (4, 2.0), (4, 3.0)), sky(1.0, 2.0)],
            [lamp((3, 4.0))],
            [lamp((4, 5.0)), sky(3.0), sky()],
        )
    ).actors
    worlds = [actors.world_at(index) for index in range(4)]
    lit = [{number: number_in(record, 4) for number, record in lamps(world).items()} for world in worlds]
    down = 0xFFFFFFFF
    assert lit == [{}, {down: 1.0, 4: 3.0}, {down: 1.0, 4: 3.0, 3: 4.0}, {down: 1.0, 4: 5.0, 3: 4.0}]
    assert [list(each) for each in lit[1:]] == [[down, 4], [down, 4, 3], [down, 4, 3]]
    assert worlds[0].weather is None
    assert [number_in(world.weather, 0) for world in worlds[1:]] == [2.0, 2.0, 3.0]
    assert worlds[3].weather == struct.pack("<14f", *[3.0] * 14)


def test_a_weather_that_tells_nothing_changes_nothing(open_bytes: Open) -> None:
    nothing = packet(24, builders.u16(1) + bytes(20))
    actors = open_bytes(film([nothing], [sky(5.0)], [nothing])).actors
    assert actors.world_at(0).weather is None
    assert number_in(actors.world_at(2).weather, 0) == 5.0


def test_physics_of_unreal_5_last_until_the_next_of_the_actor(open_bytes: Open) -> None:
    born = packet(2, builders.event_add([car(7), car(8)], wide=True))
    first = [builders.physics_ue5(7), builders.physics_ue5(8, wheels=4)]
    later = builders.physics_ue5(7) | {"mass": 5.0}
    frames = (
        [born, packet(15, builders.physics_control_ue5(first))],
        [packet(15, builders.physics_control_ue5([later]))],
    )
    actors = open_bytes(film(*frames, []), "ue5-2026").actors
    for index, of_7 in enumerate((first[0], later, later)):
        world = actors.world_at(index)
        assert only_told(standing(world, 7), "PhysicsControl") == builders.physics_control_ue5([of_7])[2:]
        assert only_told(standing(world, 8), "PhysicsControl") == builders.physics_control_ue5(first[1:])[2:]


def test_a_frame_of_too_many_packets_to_keep_is_heard(open_bytes: Open) -> None:
    many = [packet(100, b"x")] * 5000
    told = [add(car(7)), lamp((4, 2.0)), sky(3.0), physics((7, 9.0)), box(7), place((7, 1.0))]
    recording = open_bytes(film([*many, *told, *many], []))
    assert recording.snapshot.table.column("layout").tolist()[0] == NO_LAYOUT
    assert_worlds(recording.actors, recording.snapshot, range(2))
    assert number_in(recording.actors.world_at(1).weather, 0) == 3.0


# --- its own events, and what stands between frames -----------------------------------------------------------


def test_without_its_own_events_only_the_positions_of_a_frame_count(open_bytes: Open) -> None:
    recording = open_bytes(
        film(
            [
                add(car(1), car(2), car(3)),
                attach((2, 1)),
                doors((1, 0, True)),
                lamp((4, 1.0)),
                sky(1.0),
                box(1, size=1.0),
            ],
            [
                add(car(4), car(5)),
                delete(3, 5),
                attach((2, 4), (1, 2)),
                doors((1, 1, True)),
                lamp((4, 2.0), (5, 2.0)),
                sky(2.0),
                box(1, size=2.0),
                place((1, 10.0), (4, 40.0)),
            ],
        )
    )
    one, two, _, four, _ = recording.actors.lives
    before, after = (recording.actors.world_at(1, own_events=own) for own in (False, True))
    assert [each.life for each in before.actors] == [one, two]
    assert [each.life for each in after.actors] == [one, two, four]
    assert (before.parents, after.parents) == (((two, one),), ((one, two), (two, four)))
    assert [standing(world, 1).pose for world in (before, after)] == [bits(10.0)] * 2
    assert [len(standing(world, 1).records("VehicleDoor")) for world in (before, after)] == [1, 2]
    assert [number_in(only_told(standing(world, 1), "BoundingBox"), 16) for world in (before, after)] == [1.0, 2.0]
    assert [sorted(lamps(world)) for world in (before, after)] == [[4], [4, 5]]
    assert [number_in(world.weather, 0) for world in (before, after)] == [1.0, 2.0]


def test_who_is_born_again_in_a_frame_was_not_there_before_its_events(open_bytes: Open) -> None:
    recording = open_bytes(film([add(car(7, 1.0))], [add(car(7, 2.0))], []))
    assert recording.actors.world_at(1, own_events=False).actors == ()
    assert poses(recording, 7) == [(bits(1.0), "birth"), (bits(2.0), "birth"), (bits(2.0), "birth")]


def test_packets_between_frames_count_for_the_frame_after_them_and_come_before_its_own(open_bytes: Open) -> None:
    stray = add(car(8, 5.0)) + attach((8, 7)) + lamp((4, 1.0)) + sky(1.0) + delete(9) + place((8, 99.0))
    recording = open_bytes(
        builders.recording(
            frame(1, 0.0, 0.05, [add(car(7), car(9)), place((7, 0.0))]),
            stray,
            frame(2, 0.05, 0.05, [place((7, 10.0))]),
            frame(3, 0.1, 0.05, [place((7, 30.0))]),
        )
    )
    first, second, third = (recording.actors.world_at(index) for index in range(3))
    assert [each.life.actor for each in first.actors] == [7, 9]
    assert (lamps(first), first.weather) == ({}, None)
    assert [each.life.actor for each in second.actors] == [7, 8]
    assert recording.actors.world_at(1, own_events=False) == second
    assert poses(recording, 8)[1:] == [(bits(15.0), "attached"), (bits(35.0), "attached")]
    assert standing(third, 8).parent is recording.actors.lives[0]


def test_packets_behind_the_last_frame_count_for_it(open_bytes: Open) -> None:
    stray = add(car(8, 5.0)) + attach((8, 7)) + box(8) + sky(1.0)
    recording = open_bytes(builders.recording(frame(1, 0.0, 0.05, [add(car(7))]), frame(2, 0.05), stray))
    last = recording.actors.world_at(1)
    assert [each.life.actor for each in last.actors] == [7, 8]
    assert only_told(standing(last, 8), "BoundingBox") is not None
    assert standing(last, 8).parent is recording.actors.lives[0]
    assert last.weather is not None
    before = recording.actors.world_at(1, own_events=False)
    assert ([each.life.actor for each in before.actors], before.weather) == ([7], None)
    assert recording.actors.world_at(0).state_of(8) is None


@pytest.mark.parametrize("index", [-1, 2, 1000])
def test_there_is_no_world_where_there_is_no_frame(open_bytes: Open, index: int) -> None:
    actors = open_bytes(film([add(car(7))], [])).actors
    with pytest.raises(IndexError):
        actors.world_at(index)


def test_a_recording_without_frames_has_no_world(open_bytes: Open) -> None:
    actors = open_bytes(builders.recording(add(car(7)) + attach((7, 7)))).actors
    with pytest.raises(IndexError):
        actors.world_at(0)


# --- many at once -------------------------------------------------------------------------------------------


def test_several_threads_see_the_same_worlds(recordings: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        frames = random.Random(3).choices(range(len(recording)), k=120)
        alone = [Actors.of(replace(recording.snapshot, derived=Derived())).world_at(index) for index in frames[:20]]
        actors = recording.actors
        with ThreadPoolExecutor(4) as pool:
            found = [*pool.map(actors.world_at, frames)]
        assert repr(found[:20]) == repr(alone)
        assert [[each.pose for each in world.actors] for world in found[:20]] == [
            [each.pose for each in world.actors] for world in alone
        ]
        assert found == [actors.world_at(index) for index in frames]


def test_a_world_costs_one_read_once_others_were_asked_for(recordings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town01.log") as recording:
        actors = recording.actors
        assert len(actors.world_at(431).actors) > 100
        reads: list[int] = []
        read = recording.store.read

        def listen(source: int, offset: int, size: int) -> bytes:
            reads.append(offset)
            return read(source, offset, size)

        monkeypatch.setattr(recording.store, "read", listen)
        for index in (5, 400, 300, 431):
            assert len(actors.world_at(index).actors) > 100
        assert len(reads) <= 4
