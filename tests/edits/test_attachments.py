"""Actors that ride on others: their EventAdd holds an offset from the parent, and every edit has to know.

The car looks along Y (yaw 90), so its forward is the world's Y and its right the world's -X: a camera at the offset
(-500, 0, 280) stands 500 cm before it in Y. All numbers were worked out by hand.
"""

from collections.abc import Callable, Iterator

import pytest

from recorder_editor import Edit, Recording, edits
from recorder_editor.edits import (
    duplicate_actor,
    keep_only_actors,
    paste_actor,
    remove_actors,
    set_actor_id,
    swap_actors,
    trim_life,
)
from recorder_editor.errors import EditError
from recorder_editor.reading.lives import Life

from .. import builders as b
from ..recording.films import add, attach, delete, film, opened
from ..replaying import assert_no_new_warnings
from .conftest import saved
from .drives import moved_by_cm

CAR, OTHER, CAMERA, MICROPHONE = 7, 8, 9, 10
OFFSET = (-500.0, 0.0, 280.0, 0.0)
IN_WORLD = (1000.0, -500.0, 280.0, 90.0)

Numbers = tuple[float, ...]


def born(actor: int, x: float, y: float, z: float, yaw: float = 0.0) -> b.Record:
    kind, name = (1, "vehicle.car") if actor in (CAR, OTHER) else (5, "sensor.camera.rgb")
    return b.actor(actor, kind, name, b.xyz(x, y, z), b.turn(yaw=yaw), uid=21)


def cars(n: int, turned: bool = False) -> bytes:
    """The car comes along X, looking along Y (in the end it may look along -X); the other one stands far away."""
    yaw = 180.0 if turned and n >= 2 else 90.0
    return b.packet(
        6,
        b.position(
            [
                b.pose(CAR, b.xyz(1000.0 + 100.0 * n, 0.0, 0.0), b.turn(yaw=yaw)),
                b.pose(OTHER, b.xyz(0.0, 4000.0, 0.0), b.turn(yaw=0.0)),
            ]
        ),
    )


def road(*sensors: b.Record, on: int = CAR, turned: bool = False, frames: int = 4) -> bytes:
    """Cars from the first frame on, and what is attached to one of them in the same frame."""
    come = add(born(CAR, 1000.0, 0.0, 0.0, 90.0), born(OTHER, 0.0, 4000.0, 0.0), *sensors)
    first = [come, delete(), attach(*((each["id"], on) for each in sensors)), cars(0)]
    return film(first, *([add(), delete(), attach(), cars(n, turned)] for n in range(1, frames)))


@pytest.fixture
def drive() -> Iterator[Recording]:
    with opened(road(born(CAMERA, *OFFSET))) as recording:
        yield recording


def life_of(recording: Recording, actor: int) -> Life:
    (life,) = recording.actors.of_id(actor)
    return life


def births(recording: Recording, actor: int) -> list[tuple[int, Numbers]]:
    """Frames whose EventAdd names an actor, and what it says of its place: x, y, z, yaw."""
    found: list[tuple[int, Numbers]] = []
    for frame in recording:
        for packet in frame.packets:
            for record in packet.decoded.records() if packet.name == "EventAdd" else ():
                if record["id"] == actor:
                    place, turn = record["location"], record["rotation"]
                    found.append((frame.index, (place["x"], place["y"], place["z"], turn["yaw"])))
    return found


def place_of(recording: Recording, actor: int, frame: int) -> Numbers:
    standing = recording.actors.world_at(frame).state_of(actor)
    assert standing is not None
    now = standing.transform
    return now.x, now.y, now.z, now.yaw


def near(*numbers: float) -> object:
    return pytest.approx(numbers, abs=1e-3)


def applied(recording: Recording, edit: Edit) -> None:
    before, was = saved(recording), recording.snapshot
    recording.apply(edit)
    after = saved(recording)
    assert_no_new_warnings(was, recording.snapshot)
    recording.undo()
    assert saved(recording) == before
    recording.redo()
    assert saved(recording) == after


def test_the_camera_of_these_tests_stands_where_the_numbers_say(drive: Recording) -> None:
    assert drive.actors.offset_parent_of(life_of(drive, CAMERA)) == life_of(drive, CAR)
    assert place_of(drive, CAMERA, 0) == near(*IN_WORLD)
    assert place_of(drive, CAMERA, 3) == near(1300.0, -500.0, 280.0, 90.0)


# --- the parent is changed ----------------------------------------------------------------------------------

PARENT_MOVED: list[Callable[[Recording, Life], Edit]] = [
    lambda recording, car: moved_by_cm(recording, car, range(4), offset=(50.0, 0.0, 7.0)),
    lambda recording, car: edits.move_actors(recording, [car], (0.5, 0.0, 0.07)),
    lambda recording, car: edits.place_actors(recording, [car], 0, location=(10.5, None, 0.07)),
]


@pytest.mark.parametrize("move", PARENT_MOVED)
def test_a_parent_that_is_moved_takes_the_camera_along(
    drive: Recording, move: Callable[[Recording, Life], Edit]
) -> None:
    applied(drive, move(drive, life_of(drive, CAR)))
    assert births(drive, CAMERA) == [(0, OFFSET)]
    assert place_of(drive, CAMERA, 0) == near(1050.0, -500.0, 287.0, 90.0)
    assert place_of(drive, CAMERA, 3) == near(1350.0, -500.0, 287.0, 90.0)


def test_a_parent_that_is_turned_takes_the_camera_along(drive: Recording) -> None:
    applied(drive, edits.move_actors(drive, [life_of(drive, CAR)], turn=90.0))
    assert births(drive, CAMERA) == [(0, OFFSET)]
    # It looks along -X now, and drives along Y: the camera is 500 cm behind, and further in Y with every frame.
    assert place_of(drive, CAMERA, 0)[:3] == near(1500.0, 0.0, 280.0)
    assert place_of(drive, CAMERA, 3)[:3] == near(1500.0, 300.0, 280.0)


def test_both_chosen_move_as_one(drive: Recording) -> None:
    chosen = [life_of(drive, actor) for actor in (CAR, CAMERA)]
    applied(drive, edits.move_actors(drive, chosen, (0.5, 0.0, 0.0), turn=30.0))
    assert births(drive, CAMERA) == [(0, OFFSET)]


def test_a_place_in_the_world_goes_along_with_a_parent_that_moves_from_birth_on() -> None:
    with opened(road(born(CAMERA, *IN_WORLD))) as recording:
        assert recording.actors.offset_parent_of(life_of(recording, CAMERA)) is None
        for edit in (PARENT_MOVED[0], PARENT_MOVED[1]):
            applied(recording, edit(recording, life_of(recording, CAR)))
            assert births(recording, CAMERA) == [(0, (1050.0, -500.0, 287.0, 90.0))]
            assert place_of(recording, CAMERA, 3) == near(1350.0, -500.0, 287.0, 90.0)
            recording.undo()
        applied(recording, moved_by_cm(recording, life_of(recording, CAR), range(1, 4), offset=(0.0, 0.0, 7.0)))
        assert births(recording, CAMERA) == [(0, IN_WORLD)]


def test_a_camera_whose_parent_is_removed_is_born_where_it_was_in_the_world(drive: Recording) -> None:
    applied(drive, remove_actors(drive, [life_of(drive, CAR)], children=False))
    assert births(drive, CAMERA) == [(0, IN_WORLD)]
    assert place_of(drive, CAMERA, 3) == near(*IN_WORLD)


def test_keeping_the_camera_keeps_its_car_and_its_offset(drive: Recording) -> None:
    applied(drive, keep_only_actors(drive, [life_of(drive, CAMERA)]))
    assert births(drive, CAMERA) == [(0, OFFSET)]


def test_a_parent_that_comes_later_brings_the_camera_along(drive: Recording) -> None:
    applied(drive, trim_life(drive, life_of(drive, CAR), range(2, 4)))
    assert births(drive, CAMERA) == [(2, OFFSET)]
    assert place_of(drive, CAMERA, 2) == near(1200.0, -500.0, 280.0, 90.0)
    assert [life.actor for _, life in drive.actors.world_at(2).parents] == [CAR]
    assert place_of(drive, CAMERA, 3) == near(1300.0, -500.0, 280.0, 90.0)


def test_a_parent_that_comes_later_brings_a_whole_chain_along() -> None:
    sensors = (born(CAMERA, *OFFSET), born(MICROPHONE, 10.0, 0.0, 0.0))
    come = add(born(CAR, 1000.0, 0.0, 0.0, 90.0), born(OTHER, 0.0, 4000.0, 0.0), *sensors)
    first = [come, delete(), attach((MICROPHONE, CAMERA), (CAMERA, CAR)), cars(0)]
    with opened(film(first, *([add(), delete(), attach(), cars(n)] for n in range(1, 4)))) as recording:
        before = place_of(recording, MICROPHONE, 3)
        applied(recording, trim_life(recording, life_of(recording, CAR), range(2, 4)))
        assert births(recording, CAMERA) == [(2, OFFSET)]
        assert births(recording, MICROPHONE) == [(2, (10.0, 0.0, 0.0, 0.0))]
        assert place_of(recording, MICROPHONE, 3) == near(*before)


def changing_cars() -> bytes:
    """A camera on one car, and from frame 3 on at the same offset on the other one."""
    come = add(born(CAR, 1000.0, 0.0, 0.0, 90.0), born(OTHER, 0.0, 4000.0, 0.0), born(CAMERA, *OFFSET))
    first = [come, delete(), attach((CAMERA, CAR)), cars(0)]
    later = [[add(), delete(), attach(*([(CAMERA, OTHER)] if n == 2 else [])), cars(n)] for n in range(1, 5)]
    return film(first, *later)


@pytest.mark.parametrize("frames", [None, range(3, 5), range(1, 5)])
def test_a_camera_that_changes_cars_keeps_its_offset_without_the_first_one(frames: range | None) -> None:
    with opened(changing_cars()) as recording:
        car = life_of(recording, CAR)
        if frames is None:
            applied(recording, remove_actors(recording, [car], children=False))
        else:
            applied(recording, trim_life(recording, car, frames))
        # Where it is created, a car is there to carry it.
        assert births(recording, CAMERA) == [(1 if frames == range(1, 5) else 2, OFFSET)]
        assert place_of(recording, CAMERA, 4) == near(-500.0, 4000.0, 280.0, 0.0)


def test_a_place_in_the_world_comes_with_the_parent_too() -> None:
    with opened(road(born(CAMERA, *IN_WORLD))) as recording:
        applied(recording, trim_life(recording, life_of(recording, CAR), range(2, 4)))
        assert births(recording, CAMERA) == [(2, near(1200.0, -500.0, 280.0, 90.0))]
        assert place_of(recording, CAMERA, 3) == near(1300.0, -500.0, 280.0, 90.0)


def test_a_camera_that_is_gone_before_its_parent_comes_waits_for_nobody() -> None:
    frames = (
        [
            add(born(CAR, 1000.0, 0.0, 0.0, 90.0), born(OTHER, 0.0, 4000.0, 0.0), born(CAMERA, *OFFSET)),
            delete(),
            attach((CAMERA, CAR)),
            cars(0),
        ],
        [add(), delete(CAMERA), attach(), cars(1)],
    )
    with opened(film(*frames, *([add(), delete(), attach(), cars(n)] for n in (2, 3)))) as recording:
        applied(recording, trim_life(recording, life_of(recording, CAR), range(2, 4)))
        assert births(recording, CAMERA) == [(0, IN_WORLD)]


def test_a_parent_that_goes_sooner_leaves_the_offset(drive: Recording) -> None:
    applied(drive, trim_life(drive, life_of(drive, CAR), range(2)))
    assert births(drive, CAMERA) == [(0, OFFSET)]
    assert place_of(drive, CAMERA, 3) == near(1100.0, -500.0, 280.0, 90.0)


def test_another_id_of_the_parent_leaves_the_offset(drive: Recording) -> None:
    applied(drive, set_actor_id(drive, life_of(drive, CAR), 70))
    assert births(drive, CAMERA) == [(0, OFFSET)]
    assert place_of(drive, CAMERA, 3) == near(1300.0, -500.0, 280.0, 90.0)


def test_cars_that_change_places_leave_the_camera_where_it_was(drive: Recording) -> None:
    applied(drive, swap_actors(drive, life_of(drive, CAR), life_of(drive, OTHER)))
    assert births(drive, CAMERA) == [(0, OFFSET)]
    assert drive.actors.offset_parent_of(life_of(drive, CAMERA)) == life_of(drive, OTHER)
    assert place_of(drive, CAMERA, 3) == near(1300.0, -500.0, 280.0, 90.0)


def test_sensors_that_change_places_take_over_the_offsets() -> None:
    with opened(road(born(CAMERA, *OFFSET), born(MICROPHONE, 0.0, 60.0, 150.0))) as recording:
        applied(recording, swap_actors(recording, life_of(recording, CAMERA), life_of(recording, MICROPHONE)))
        assert births(recording, MICROPHONE) == [(0, OFFSET)]
        assert births(recording, CAMERA) == [(0, (0.0, 60.0, 150.0, 0.0))]


# --- the one who rides is changed ---------------------------------------------------------------------------


def test_a_camera_moves_in_the_world_and_keeps_its_offset_by_what_that_is_to_the_car(drive: Recording) -> None:
    camera = life_of(drive, CAMERA)
    # 100 cm along X is to the left of a car that looks along Y.
    ways: list[Callable[[], Edit]] = [
        lambda: moved_by_cm(drive, camera, range(4), offset=(100.0, 0.0, 50.0)),
        lambda: edits.move_actors(drive, [camera], (1.0, 0.0, 0.5)),
    ]
    for way in ways:
        applied(drive, way())
        assert births(drive, CAMERA) == [(0, near(-500.0, -100.0, 330.0, 0.0))]
        assert place_of(drive, CAMERA, 3) == near(1400.0, -500.0, 330.0, 90.0)
        drive.undo()


def test_what_a_move_does_not_name_keeps_its_bits(drive: Recording) -> None:
    applied(drive, edits.move_actors(drive, [life_of(drive, CAMERA)], (0.0, 0.0, 0.5)))
    assert births(drive, CAMERA) == [(0, (-500.0, 0.0, 330.0, 0.0))]


def test_a_camera_turns_about_itself(drive: Recording) -> None:
    applied(drive, edits.move_actors(drive, [life_of(drive, CAMERA)], turn=30.0))
    assert births(drive, CAMERA) == [(0, near(-500.0, 0.0, 280.0, 30.0))]


def test_a_camera_turns_about_a_point(drive: Recording) -> None:
    camera = life_of(drive, CAMERA)
    # About the car: from 500 cm before it in Y to 500 cm in X, which is at its left, looking to the left.
    ways: list[Callable[[], Edit]] = [
        lambda: moved_by_cm(drive, camera, range(4), turn=90.0, pivot=(1000.0, 0.0)),
        lambda: edits.move_actors(drive, [camera], turn=90.0, pivot=(10.0, 0.0)),
    ]
    for way in ways:
        applied(drive, way())
        assert births(drive, CAMERA) == [(0, near(0.0, -500.0, 280.0, 90.0))]
        drive.undo()


def test_a_range_means_the_axes_of_the_car_in_its_first_frame() -> None:
    with opened(road(born(CAMERA, *OFFSET), turned=True)) as recording:
        # From frame 3 on the car looks along -X: 100 cm along X are backward.
        applied(
            recording, edits.move_actors(recording, [life_of(recording, CAMERA)], (1.0, 0.0, 0.0), 0.0, range(2, 4))
        )
        assert births(recording, CAMERA) == [(0, near(-600.0, 0.0, 280.0, 0.0))]


def test_a_camera_is_put_at_a_place_in_a_frame(drive: Recording) -> None:
    edit = edits.place_actors(drive, [life_of(drive, CAMERA)], 2, location=(11.0, -6.0, 3.0), yaw=120.0)
    applied(drive, edit)
    assert place_of(drive, CAMERA, 2) == near(1100.0, -600.0, 300.0, 120.0)
    # The car is at (1200, 0) then: 600 cm behind, 100 cm to the right.
    assert births(drive, CAMERA) == [(0, near(-600.0, 100.0, 300.0, 30.0))]


def test_a_camera_is_mirrored_in_the_world(drive: Recording) -> None:
    # Over the line along X through y = -300: from -500 to -100, and from yaw 90 to yaw -90.
    applied(drive, edits.mirror_path(drive, [life_of(drive, CAMERA)], None, (0.0, -3.0), 0.0))
    assert place_of(drive, CAMERA, 0) == near(1000.0, -100.0, 280.0, -90.0)
    ((_, offset),) = births(drive, CAMERA)
    assert offset[:3] == near(-100.0, 0.0, 280.0)
    assert abs(offset[3]) == pytest.approx(180.0)


def test_a_chain_of_offsets_is_undone_link_by_link() -> None:
    first = [
        add(
            born(CAR, 1000.0, 0.0, 0.0, 90.0),
            born(OTHER, 0.0, 4000.0, 0.0),
            born(CAMERA, *OFFSET),
            born(MICROPHONE, 10.0, 20.0, 30.0, 90.0),
        ),
        delete(),
        attach((CAMERA, CAR), (MICROPHONE, CAMERA)),
        cars(0),
    ]
    with opened(film(first, [add(), delete(), attach(), cars(1)])) as recording:
        microphone = life_of(recording, MICROPHONE)
        assert place_of(recording, MICROPHONE, 0) == near(980.0, -490.0, 310.0, 180.0)
        applied(recording, edits.move_actors(recording, [microphone], (0.0, 1.0, 0.0)))
        assert births(recording, MICROPHONE) == [(0, near(110.0, 20.0, 30.0, 90.0))]
        chosen = [life_of(recording, actor) for actor in (CAR, MICROPHONE)]
        applied(recording, edits.move_actors(recording, chosen, (3.0, 0.0, 0.0)))
        assert births(recording, MICROPHONE) == [(0, near(110.0, 20.0, 30.0, 90.0))]


def test_a_camera_that_lives_shorter_is_created_at_its_offset(drive: Recording) -> None:
    applied(drive, trim_life(drive, life_of(drive, CAMERA), range(2, 4)))
    assert births(drive, CAMERA) == [(2, OFFSET)]
    assert place_of(drive, CAMERA, 3) == near(1300.0, -500.0, 280.0, 90.0)


def test_a_copy_rides_on_the_same_car(drive: Recording) -> None:
    applied(drive, duplicate_actor(drive, life_of(drive, CAMERA), offset=(0.0, 1.0, 0.0), turn=90.0, new_id=77))
    # Turned about where the camera is, and 100 cm on in Y, which is forward.
    assert births(drive, 77) == [(0, near(-400.0, 0.0, 280.0, 90.0))]
    assert place_of(drive, 77, 3) == near(1300.0, -400.0, 280.0, 180.0)
    assert births(drive, CAMERA) == [(0, OFFSET)]


def test_a_copy_at_the_same_place_has_the_same_offset_to_the_bit(drive: Recording) -> None:
    applied(drive, duplicate_actor(drive, life_of(drive, CAMERA), new_id=77))
    assert births(drive, 77) == [(0, OFFSET)]


def test_a_later_copy_stands_where_the_camera_was_in_the_world(drive: Recording) -> None:
    applied(drive, duplicate_actor(drive, life_of(drive, CAMERA), seconds=0.1, new_id=77))
    assert births(drive, 77) == [(2, near(*IN_WORLD))]
    assert place_of(drive, 77, 3) == near(*IN_WORLD)


def test_an_earlier_copy_stands_where_the_camera_is_in_its_first_frame() -> None:
    with opened(road(born(CAMERA, *OFFSET), frames=5)) as recording:
        applied(recording, duplicate_actor(recording, life_of(recording, CAMERA), seconds=-0.1, new_id=77))
        assert births(recording, 77) == [(0, near(1200.0, -500.0, 280.0, 90.0))]


def test_a_camera_is_pasted_where_it_was_in_the_world(drive: Recording) -> None:
    with opened(road(born(CAMERA, *OFFSET))) as target:
        applied(target, paste_actor(target, drive.snapshot, life_of(drive, CAMERA), at=0.05, new_id=77))
        assert births(target, 77) == [(1, near(*IN_WORLD))]
        assert births(target, CAMERA) == [(0, OFFSET)]


def test_doubles_stay_doubles() -> None:
    def wide(kind: int, body: bytes) -> bytes:
        return b.packet(kind, body)

    come = b.event_add([born(CAR, 1000.1, 0.0, 0.0, 90.0), born(CAMERA, -500.1, 0.0, 280.1)], wide=True)
    here = b.position([b.pose(CAR, b.xyz(1000.1, 0.0, 0.0), b.turn(yaw=90.0))], wide=True)
    data = film([wide(2, come), delete(), attach((CAMERA, CAR)), wide(6, here)], [wide(6, here)])
    with opened(data, "ue5-0.10.0") as recording:
        camera = life_of(recording, CAMERA)
        applied(recording, edits.move_actors(recording, [camera], (0.0, 0.001, 0.0)))
        ((_, offset),) = births(recording, CAMERA)
        assert offset == pytest.approx((-500.0, 0.0, 280.1, 0.0), abs=1e-10)
        assert offset[2:] == (280.1, 0.0)


def test_a_camera_is_nowhere_before_it_is_born(drive: Recording) -> None:
    with pytest.raises(EditError, match="is not alive in frame"):
        edits.place_actors(drive, [life_of(drive, CAMERA)], 9, yaw=0.0)


# --- recordings are put together ----------------------------------------------------------------------------


@pytest.mark.parametrize("places", [(OFFSET, IN_WORLD), (IN_WORLD, OFFSET)])
def test_places_become_offsets_where_a_recording_of_offsets_is_joined(places: tuple[Numbers, Numbers]) -> None:
    one, other = (road(born(CAMERA, *each)) for each in places)
    with opened(one) as first, opened(other) as second:
        applied(first, edits.join(first, [second]))
        cameras = [life for life in first.actors if life.blueprint == "sensor.camera.rgb"]
        assert [life.born for life in cameras] == [0, 4]
        for life in cameras:
            assert births(first, life.actor) == [(life.born, near(*OFFSET))]
            assert place_of(first, life.actor, life.born) == near(*IN_WORLD)
            assert place_of(first, life.actor, life.born + 3) == near(1300.0, -500.0, 280.0, 90.0)


def test_recordings_of_places_keep_them_when_they_are_joined() -> None:
    with opened(road(born(CAMERA, *IN_WORLD))) as first, opened(road(born(CAMERA, *IN_WORLD))) as second:
        applied(first, edits.join(first, [second, second]))
        cameras = [life for life in first.actors if life.blueprint == "sensor.camera.rgb"]
        assert [births(first, life.actor) for life in cameras] == [[(n, IN_WORLD)] for n in (0, 4, 8)]


def test_offsets_that_would_be_read_as_places_are_not_joined() -> None:
    # 50 m before its car: that far along X is nearer to where the car is in the world than to nothing.
    far = b.actor(MICROPHONE, 5, "sensor.camera.rgb", b.xyz(1000.0, 5000.0, 0.0), b.turn(), uid=21)
    with opened(road(born(CAMERA, *OFFSET))) as first, opened(road(far)) as second:
        with pytest.raises(EditError, match="would be read as if both held places"):
            edits.join(first, [second])
        assert len(first) == 4
