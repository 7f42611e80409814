"""Copies of actors: where they are, when, and that they are whole; from this recording and from others."""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Edit, Recording
from recorder_editor.edits import duplicate_actor, paste_actor
from recorder_editor.edits.convert import convert
from recorder_editor.edits.join import join
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.reading.lives import Life

from .. import builders as b
from ..recording.films import add, attach, box, collide, delete, film, opened
from .conftest import saved

CAR, CAMERA = 7, 9


def born(
    actor: int = CAR, x: float = 0.0, role: str = "ego", blueprint: str = "vehicle.car", uid: int = 21
) -> b.Record:
    roles = [b.attribute(3, "role_name", role)]
    return b.actor(actor, 1, blueprint, b.xyz(x, 0.0, 1.0), b.turn(yaw=170.0), uid, roles)


def at(**places: float) -> bytes:
    """Where they are: `_7=2.0` is the x of 7."""
    poses = [b.pose(int(name[1:]), b.xyz(x, 0.0, 1.0), b.turn(yaw=170.0)) for name, x in places.items()]
    return b.packet(6, b.position(poses))


def moving(*actors: int, x: float = 2.0, y: float = 0.0) -> bytes:
    return b.packet(
        12,
        b.kinematics(
            [
                {"id": actor, "linear_velocity": b.xyz(x, y), "angular_velocity": b.xyz(0.0, 0.0, 5.0)}
                for actor in actors
            ]
        ),
    )


def door(*actors: int) -> bytes:
    return b.packet(21, b.vehicle_door([{"id": actor, "door": 4, "open": True} for actor in actors]))


def empty() -> list[bytes]:
    return [add(), delete(), at()]


def drive() -> bytes:
    """A car from frame 2 to frame 4, twenty frames a second."""
    return film(
        empty(),
        [add(born()), delete(), at(_7=0.0), moving(7), box(7)],
        [add(), delete(), at(_7=10.0), moving(7), box()],
        [add(), delete(), at(_7=20.0), moving(7), box()],
        [add(), delete(7), at(), box()],
        empty(),
    )


@pytest.fixture
def road() -> Iterator[Recording]:
    with opened(drive()) as recording:
        yield recording


def car(recording: Recording) -> Life:
    return recording.actors.of_id(CAR)[0]


def applied(recording: Recording, edit: Edit) -> bytes:
    before = saved(recording)
    recording.apply(edit)
    after = saved(recording)
    recording.undo()
    assert saved(recording) == before
    recording.redo()
    return after


# --- in the same recording --------------------------------------------------------------------------------


def test_a_copy_beside_its_original_comes_last_in_every_packet(road: Recording) -> None:
    edit = duplicate_actor(road, car(road), offset=(0.5, 0.0, 0.0))
    assert edit.label == "Duplicate 7 as 8"
    assert edit.intent is not None
    assert edit.intent.arguments["offset"] == [0.5, 0.0, 0.0]
    assert applied(road, edit) == film(
        empty(),
        [add(born(), born(8, 50.0)), delete(), at(_7=0.0, _8=50.0), moving(7, 8), box(7, 8)],
        [add(), delete(), at(_7=10.0, _8=60.0), moving(7, 8), box()],
        [add(), delete(), at(_7=20.0, _8=70.0), moving(7, 8), box()],
        [add(), delete(7, 8), at(), box()],
        empty(),
    )


def test_a_later_copy_makes_the_packets_that_its_frames_lack(road: Recording) -> None:
    edit = duplicate_actor(road, car(road), seconds=0.05, new_id=77)
    # The last frame has no additional data, so that no velocity comes to it.
    assert applied(road, edit) == film(
        empty(),
        [add(born()), delete(), at(_7=0.0), moving(7), box(7)],
        [add(born(77)), delete(), at(_7=10.0, _77=0.0), moving(7, 77), box(77)],
        [add(), delete(), at(_7=20.0, _77=10.0), moving(7, 77), box()],
        [add(), delete(7), at(_77=20.0), moving(77), box()],
        [add(), delete(77), at()],
    )


def test_a_copy_that_would_come_before_the_beginning_is_cut_off(road: Recording) -> None:
    edit = duplicate_actor(road, car(road), seconds=-0.1)
    assert applied(road, edit) == film(
        [add(born(8, 10.0)), delete(), at(_8=10.0)],
        [add(born()), delete(), at(_7=0.0, _8=20.0), moving(7, 8), box(7)],
        [add(), delete(8), at(_7=10.0), moving(7), box()],
        [add(), delete(), at(_7=20.0), moving(7), box()],
        [add(), delete(7), at(), box()],
        empty(),
    )


def test_a_copy_that_would_outlast_the_recording_ends_with_it(road: Recording) -> None:
    road.apply(duplicate_actor(road, car(road), seconds=0.2))
    assert [(life.actor, life.born, life.gone) for life in road.actors] == [(7, 1, 4), (8, 5, None)]
    with pytest.raises(EditError, match="would lie within"):
        duplicate_actor(road, car(road), seconds=0.3)


def test_a_turn_is_about_the_place_of_birth_and_turns_velocities(road: Recording) -> None:
    road.apply(duplicate_actor(road, car(road), turn=90.0, offset=(0.0, 0.0, 1.0)))
    path = road.tracks.path(8)
    assert path["x"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-5)
    assert path["y"] == pytest.approx([0.0, 10.0, 20.0])
    assert path["z"] == pytest.approx([101.0] * 3)
    assert path["yaw"] == pytest.approx([-100.0] * 3)
    speeds = road.tracks.kinematics([8])
    assert speeds["vx"] == pytest.approx([0.0] * 3, abs=1e-6)
    assert speeds["vy"] == pytest.approx([2.0] * 3)
    assert speeds["wz"].tolist() == [5.0] * 3
    (copy,) = road.actors.of_id(8)
    assert (copy.transform.z, copy.transform.yaw) == pytest.approx((101.0, -100.0))


def test_numbers_that_are_none_stay_to_the_bit() -> None:
    odd = struct.pack("<I6I", CAR, 0x7F800001, 0xFFC12345, 0x80000000, 1, 0x7FC00000, 0xFF800000)
    with opened(film([add(born()), b.packet(6, b"\1\0" + odd)])) as recording:
        recording.apply(duplicate_actor(recording, car(recording)))
        packet = recording[0].packet("Position")
        assert packet is not None
        assert packet.body[30:] == struct.pack("<I", 8) + odd[4:]


def test_the_copy_of_a_hero_is_none_and_collides_with_nobody() -> None:
    with opened(film([add(born(role="hero")), collide((7, 7)), at(_7=1.0)])) as recording:
        recording.apply(duplicate_actor(recording, car(recording)))
        assert saved(recording) == film(
            [add(born(role="hero"), born(8, role="autopilot")), collide((7, 7)), at(_7=1.0, _8=1.0)]
        )


def test_a_camera_is_attached_as_its_original_unless_it_comes_at_another_time() -> None:
    # So near to the car, and so far from the middle of the map, that it is a place in the world.
    camera = born(CAMERA, 300.0, blueprint="sensor.camera")
    data = film([add(born(), camera), attach((CAMERA, CAR)), at(_7=290.0)], [add(), attach(), at(_7=290.0)])
    with opened(data) as recording:
        (life,) = recording.actors.of_id(CAMERA)
        recording.apply(duplicate_actor(recording, life, offset=(1.0, 0.0, 0.0)))
        copied = born(10, 400.0, blueprint="sensor.camera")
        assert saved(recording) == film(
            [add(born(), camera, copied), attach((CAMERA, CAR), (10, CAR)), at(_7=290.0)],
            [add(), attach(), at(_7=290.0)],
        )
        recording.undo()
        recording.apply(duplicate_actor(recording, life, seconds=0.05))
        assert len(recording.actors.parents) == 1


def test_doors_and_physics_come_once_though_time_is_another() -> None:
    physics = b.packet(15, b.physics_control([b.physics(True) | {"id": CAR}]))
    times = [0.0, 0.1, 0.2, 0.3, 0.34, 0.4, 0.44, 0.5]
    packets = [
        [add(born()), door(), at(_7=0.0), box(7), physics],
        [add(), door(CAR), at(_7=1.0), box()],
        *([add(), door(), at(_7=float(n)), box()] for n in range(2, 8)),
    ]
    told = zip(times, packets, strict=True)
    data = b.recording(*(b.frame(n + 1, time, 0.1, each) for n, (time, each) in enumerate(told)))
    with opened(data, "ue4-doors") as recording:
        recording.apply(duplicate_actor(recording, car(recording), seconds=0.3, new_id=8))
        copied = [
            (frame.index, packet.name)
            for frame in recording
            for packet in frame.packets
            if packet.name in ("EventAdd", "VehicleDoor", "BoundingBox", "PhysicsControl")
            and packet.decoded.find_actor(8) is not None
        ]
        assert copied == [(3, "EventAdd"), (3, "BoundingBox"), (3, "PhysicsControl"), (5, "VehicleDoor")]
        assert recording.tracks.path(8)["x"] == pytest.approx([0.0, 0.4, 1.0, 1.4, 2.0])


def uneven() -> bytes:
    """A car that starts from rest at 2 m/s², and turns over 180 degrees, in frames of uneven lengths."""

    def packets(n: int, time: float) -> list[bytes]:
        yaw = (175.0 + 20.0 * time + 180.0) % 360.0 - 180.0
        pose = b.pose(CAR, b.xyz(100.0 * time * time, 0.0, 1.0), b.turn(yaw=yaw))
        velocity = {"id": CAR, "linear_velocity": b.xyz(2.0 * time), "angular_velocity": b.xyz(0.0, 0.0, 20.0)}
        control = {"id": CAR, "steering": 0.1 * time, "throttle": 0.0, "brake": 0.0, "handbrake": n > 5, "gear": n}
        return [
            add(*[born()] * (n == 0)),
            delete(),
            b.packet(6, b.position([pose])),
            b.packet(8, b.anim_vehicle([control])),
            b.packet(12, b.kinematics([velocity])),
        ]

    times = [0.0, 0.03, 0.1, 0.11, 0.18, 0.25, 0.29, 0.36, 0.4, 0.47, 0.5]
    return b.recording(*(b.frame(n + 1, time, 0.05, packets(n, time)) for n, time in enumerate(times)))


def test_a_later_copy_is_where_its_original_was_at_that_time() -> None:
    with opened(uneven()) as recording, opened(uneven()) as source:
        copies: list[Callable[[], Edit]] = [
            lambda: duplicate_actor(recording, car(recording), seconds=0.15, new_id=8),
            lambda: paste_actor(recording, source.snapshot, car(source), at=0.15, new_id=8),
        ]
        for make in copies:
            recording.apply(make())
            copy, elapsed = recording.tracks.path(8), recording.snapshot.elapsed
            assert copy["frame"].tolist() == [4, 5, 6, 7, 8, 9, 10]
            then = elapsed[copy["frame"]] - 0.15
            # Between two frames the way is a straight line: a = 2 m/s² bends it by less than 1.3 mm in 0.07 s.
            assert copy["x"] == pytest.approx(100.0 * then**2, abs=0.13)
            assert (copy["yaw"] + 360.0) % 360.0 == pytest.approx(175.0 + 20.0 * then, abs=1e-3)
            assert recording.tracks.kinematics([8])["vx"] == pytest.approx(2.0 * then, abs=1e-6)
            controls = recording.tracks.read("controls", [8])
            assert controls["steering"] == pytest.approx(0.1 * then, abs=1e-6)
            found = np.searchsorted(elapsed, then + 1e-9, side="right") - 1
            assert controls["gear"].tolist() == found.tolist()
            assert (controls["handbrake"] != 0).tolist() == (found > 5).tolist()
            recording.undo()


def test_a_copy_is_not_drawn_towards_whoever_has_the_id_next() -> None:
    def at_(x: float) -> list[bytes]:
        return [add(), delete(), at(_7=x)]

    other = [add(born(x=900.0)), delete(7), at(_7=900.0)]
    with opened(film([add(born()), delete(), at(_7=0.0)], at_(10.0), other, at_(910.0), at_(920.0))) as recording:
        recording.apply(duplicate_actor(recording, car(recording), seconds=0.02, new_id=8))
        assert recording.tracks.path(8)["x"] == pytest.approx([6.0, 10.0])
        (life,) = recording.actors.of_id(8)
        assert (life.born, life.gone) == (1, 3)


def test_a_copy_in_a_recording_of_uneven_steps_accelerates_as_its_original(recordings: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.10-town01-scene-lights.log") as recording:
        original = recording.tracks.path(259)
        elapsed = recording.snapshot.elapsed
        (life,) = recording.actors.of_id(259)
        recording.apply(duplicate_actor(recording, life, seconds=1.0, new_id=77777))
        copy = recording.tracks.path(77777)
        assert len(copy) > 300
        then = elapsed[copy["frame"]] - 1.0
        for axis in "xyz":
            on_path = np.interp(then, elapsed[original["frame"]], original[axis].astype(np.float64))
            assert copy[axis] == pytest.approx(on_path, abs=0.01)

        # Faster by no more from frame to frame than the original is anywhere, where it was off by metres a second.
        def rises(path: np.ndarray) -> np.ndarray:
            way = np.hypot(np.diff(path["x"].astype(float)), np.diff(path["y"].astype(float))) / 100.0
            return np.abs(np.diff(way / np.diff(elapsed[path["frame"]])))

        assert rises(copy).max() <= rises(original).max()


@pytest.mark.parametrize(
    ("blueprint", "uid", "why"),
    [
        ("traffic.traffic_light", 0, "belong to the map"),
        ("spectator", 0, "belong to the map"),
        ("static.prop", 0, "no number"),
    ],
)
def test_what_no_simulator_would_create_is_refused(blueprint: str, uid: int, why: str) -> None:
    with opened(film([add(born(blueprint=blueprint, uid=uid)), at(_7=1.0)])) as recording:
        with pytest.raises(EditError, match=why):
            duplicate_actor(recording, car(recording))
        with pytest.raises(EditError, match=why):
            paste_actor(recording, recording.snapshot, car(recording))


def test_who_comes_and_goes_in_one_frame_has_no_copy() -> None:
    data = film(empty(), [add(born()), delete(7), at()], empty())
    with opened(data) as recording, pytest.raises(EditError, match="created and destroyed in one frame"):
        duplicate_actor(recording, car(recording))


def test_ids_that_are_taken_and_times_out_of_order_are_refused(road: Recording) -> None:
    with pytest.raises(EditError, match="has the id 7 from frame 2 to 4"):
        duplicate_actor(road, car(road), new_id=7)
    with pytest.raises(Cancelled):
        duplicate_actor(road, car(road), progress=Progress(is_cancelled=lambda: True))
    for seconds in (1e308, -1e308):
        with pytest.raises(EditError, match="Nothing of"):
            duplicate_actor(road, car(road), seconds=seconds)
    data = b.recording(b.frame(1, 0.0, 0.1, [add(born())]), b.frame(2, 5.0, 0.1), b.frame(3, 2.0, 0.1))
    with opened(data) as recording, pytest.raises(EditError, match="put the times in order"):
        duplicate_actor(recording, car(recording), seconds=1.0)


def test_a_fresh_id_is_above_all_and_free_where_there_is_no_above() -> None:
    with opened(film([add(born(), born(0xFFFFFFFE)), at()])) as recording:
        # 1 is free, too, but that of the spectator.
        assert duplicate_actor(recording, car(recording)).label == "Duplicate 7 as 2"


def test_packets_that_are_full_take_no_copy() -> None:
    full = b.packet(10, b.vehicle_light([{"id": CAR, "lights": 0}] * 65_535))
    with opened(film([add(born()), full])) as recording, pytest.raises(EditError, match="65,536 records"):
        duplicate_actor(recording, car(recording))


def test_long_ways_are_copied_a_window_at_a_time() -> None:
    """More frames than are read of the source at once, with layouts that change all the time."""
    number = 700
    places = [{"_7": float(n)} if n % 3 else {"_7": float(n), "_8": 1.0} for n in range(number)]
    frames = [[add(*[born()] * (n == 0)), at(**each)] for n, each in enumerate(places)]
    with opened(film(*frames)) as recording:
        recording.apply(duplicate_actor(recording, car(recording), offset=(10.0, 0.0, 0.0), seconds=0.1, new_id=9))
        assert recording.tracks.path(9)["x"].tolist() == [1000.0 + n for n in range(number - 2)]
        assert recording.tracks.path(9)["frame"].tolist() == list(range(2, number))
        assert np.array_equal(recording.tracks.path(7)["x"], np.arange(number))


def test_doubles_are_copied_and_moved_as_doubles() -> None:
    def made(*actors: int) -> bytes:
        births = b.event_add([b.actor(each, 1, "vehicle.a", place(each)) for each in actors], wide=True)
        poses = b.position([b.pose(each, place(each)) for each in actors], wide=True)
        speeds = [{"id": each, "linear_velocity": b.xyz(0.1), "angular_velocity": b.xyz(0.2)} for each in actors]
        packets = [
            b.packet(2, births),
            b.packet(6, poses),
            b.packet(12, b.kinematics(speeds, wide=True)),
            b.packet(13, b.bounding_box([], wide=True)),
        ]
        return b.recording(b.frame(1, 0.0, 0.1, packets))

    def place(actor: int) -> b.Record:
        return b.xyz(0.1 if actor == CAR else 0.1 + 25.0, 1e12, -0.0)

    with opened(made(CAR), "ue5-0.10.0") as recording:
        recording.apply(duplicate_actor(recording, car(recording), offset=(0.25, 0.0, 0.0)))
        assert saved(recording) == made(CAR, 8)


# --- from another recording -------------------------------------------------------------------------------


def test_an_actor_of_another_recording_comes_with_its_track(road: Recording) -> None:
    there = [add(born(3, 5.0, uid=4)), delete(), at(_3=5.0), box(3)]
    with opened(film(empty(), empty(), empty(), there, empty())) as other:
        edit = paste_actor(other, road.snapshot, car(road), at=0.05, offset=(0.0, 1.0, 0.0))
        assert edit.label == "Paste vehicle.car as 4"
        assert edit.intent is None
        before = saved(other)
        after = applied(other, edit)
        assert [(life.actor, life.born, life.gone, life.uid) for life in other.actors] == [
            (4, 1, 4, 4),
            (3, 3, None, 4),
        ]
        path = other.tracks.path(4)
        assert (path["frame"].tolist(), path["x"].tolist(), path["y"].tolist()) == (
            [1, 2, 3],
            [0.0, 10.0, 20.0],
            [100.0] * 3,
        )
        assert len(after) > len(before)


def test_an_actor_ends_where_the_recording_it_comes_from_does(road: Recording) -> None:
    with opened(film([add(born()), at(_7=1.0)], [at(_7=2.0)])) as short:
        road.apply(paste_actor(road, short.snapshot, car(short), at=0.1))
        (life,) = road.actors.of_id(8)
        assert (life.born, life.gone) == (2, 4)


def test_recordings_of_other_dialects_are_to_be_converted_first(road: Recording) -> None:
    with opened(drive(), "ue4-0.9.15") as newer, pytest.raises(EditError, match=r"Convert it first .*ue4-0\.9\.12"):
        paste_actor(road, newer.snapshot, car(newer))


def test_recordings_of_one_dialect_that_number_attributes_differently_are_told_apart() -> None:
    def road_of(numbered: int) -> bytes:
        attributes = [b.attribute(numbered, "role_name", "autopilot")]
        return film([add(b.actor(7, 1, "vehicle.car", uid=3, attributes=attributes)), at(_7=0.0)], [at(_7=1.0)])

    with opened(road_of(3), None) as mine, opened(road_of(4), None) as theirs:
        assert mine.dialect.name == theirs.dialect.name
        words = r"number the types of attributes differently\. Convert the one that counts them from 1 first"
        for one, other in ((mine, theirs), (theirs, mine)):
            with pytest.raises(EditError, match=words):
                paste_actor(one, other.snapshot, car(other))
            with pytest.raises(EditError, match=words):
                join(one, [other])
        theirs.apply(convert(theirs, theirs.dialect.name).edit)
        paste_actor(mine, theirs.snapshot, car(theirs), new_id=9)
