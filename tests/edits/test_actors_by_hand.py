"""Actors removed, trimmed, renumbered and swapped in recordings written by hand: the exact bytes that come out."""

import struct
from collections.abc import Callable, Iterator

import pytest

from recorder_editor import Edit, Recording
from recorder_editor.edits import (
    add_actor,
    duplicate_actor,
    join,
    keep_only_actors,
    paste_actor,
    remove_actors,
    set_actor_id,
    swap_actors,
    trim_life,
)
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.reading.lives import Life

from .. import builders as b
from ..recording.films import add, attach, box, collide, delete, film, opened
from .conftest import saved

CAR, TRUCK, CAMERA, LIGHT = 7, 8, 9, 3


def born(actor: int, x: float = 0.0, uid: int = 21, **about: object) -> b.Record:
    names = {CAR: "vehicle.car", TRUCK: "vehicle.truck", CAMERA: "sensor.camera", LIGHT: "traffic.traffic_light"}
    return b.actor(actor, 1, names[actor], b.xyz(x, float(actor), 1.0), uid=uid) | about


def other_car() -> b.Record:
    """The one that comes under the truck's id."""
    return b.actor(TRUCK, 1, "vehicle.car", uid=21)


def at(**places: float) -> bytes:
    """Where they are: `_7=2.0` is the x of 7, whose y is 7."""
    poses = [b.pose(int(name[1:]), b.xyz(x, float(name[1:]), 1.0)) for name, x in places.items()]
    return b.packet(6, b.position(poses))


def physics(*actors: int) -> bytes:
    return b.packet(15, b.physics_control([b.physics(True) | {"id": actor} for actor in actors]))


@pytest.fixture
def street() -> Iterator[Recording]:
    """A car with a camera, a truck that hits it and goes; then another car comes under the truck's id."""
    frames = [
        [add(born(LIGHT), born(CAR), born(CAMERA)), delete(), attach((CAMERA, CAR)), collide(), at(_7=0.0), box(7, 9)],
        [add(born(TRUCK, 50.0)), delete(), attach(), collide(), at(_7=1.0, _8=50.0), box(8), physics(8)],
        [add(), delete(), attach(), collide((7, 8), (8, 7), (7, 0xFFFFFFFF)), at(_7=2.0, _8=49.0), box()],
        [add(), delete(8), attach(), collide((7, 8)), at(_7=3.0), box()],
        [add(other_car()), delete(), attach(), collide(), at(_7=4.0, _8=0.0), box(8)],
        [add(), delete(), attach(), collide(), at(_7=5.0, _8=1.0), box()],
    ]
    with opened(film(*frames)) as recording:
        yield recording


def life_of(recording: Recording, actor: int, number: int = 0) -> Life:
    return recording.actors.of_id(actor)[number]


def applied(recording: Recording, edit: Edit) -> bytes:
    before = saved(recording)
    recording.apply(edit)
    after = saved(recording)
    recording.undo()
    assert saved(recording) == before
    recording.redo()
    assert saved(recording) == after
    return after


# --- removing ---------------------------------------------------------------------------------------------


def test_every_record_goes_and_the_next_life_of_the_id_stays(street: Recording) -> None:
    edit = remove_actors(street, [life_of(street, TRUCK)])
    assert edit.label == "Remove 8"
    none = b.packet(5, b.collision([]))
    lonely = b.packet(5, b.collision([{"id": 2, "actor1": 7, "actor2": 0xFFFFFFFF, "hero1": False, "hero2": True}]))
    assert applied(street, edit) == film(
        [add(born(LIGHT), born(CAR), born(CAMERA)), delete(), attach((CAMERA, CAR)), none, at(_7=0.0), box(7, 9)],
        [add(), delete(), attach(), none, at(_7=1.0), box()],
        [add(), delete(), attach(), lonely, at(_7=2.0), box()],
        [add(), delete(), attach(), none, at(_7=3.0), box()],
        [add(other_car()), delete(), attach(), none, at(_7=4.0, _8=0.0), box(8)],
        [add(), delete(), attach(), none, at(_7=5.0, _8=1.0), box()],
    )


def test_children_go_too_unless_they_shall_stay(street: Recording) -> None:
    car = life_of(street, CAR)
    edit = remove_actors(street, [car])
    assert edit.label == "Remove 7 and 1 child"
    assert edit.intent is not None
    assert (edit.intent.operation, edit.intent.arguments["children"]) == ("remove_actors", True)
    street.apply(edit)
    assert [life.actor for life in street.actors] == [LIGHT, TRUCK, TRUCK]
    street.undo()
    alone = remove_actors(street, [car], children=False)
    assert alone.label == "Remove 7"
    street.apply(alone)
    assert [life.actor for life in street.actors] == [LIGHT, CAMERA, TRUCK, TRUCK]
    assert street.actors.parents == ()


def test_only_one_stays_with_those_it_carries_and_the_map(street: Recording) -> None:
    street.apply(keep_only_actors(street, [life_of(street, CAMERA)]))
    assert [life.actor for life in street.actors] == [LIGHT, CAR, CAMERA]
    with pytest.raises(EditError, match="There are no other actors"):
        keep_only_actors(street, [life_of(street, CAR)])


def test_nobody_named_and_work_that_is_cancelled_change_nothing(street: Recording) -> None:
    with pytest.raises(EditError, match="No actor is named"):
        remove_actors(street, [])
    with pytest.raises(Cancelled):
        remove_actors(street, [life_of(street, CAR)], progress=Progress(is_cancelled=lambda: True))


def test_a_birth_outside_of_any_frame_is_refused() -> None:
    data = b.recording(add(born(CAR)), b.frame(1, 0.0, -1.0, [at(_7=1.0)]))
    with opened(data) as recording:
        for edit in (lambda life: remove_actors(recording, [life]), lambda life: set_actor_id(recording, life, 5)):
            with pytest.raises(EditError, match="outside of any frame; repair"):
                edit(life_of(recording, CAR))


# --- a part of a life -------------------------------------------------------------------------------------


def test_a_life_begins_later_where_it_is_then_and_ends_sooner(street: Recording) -> None:
    edit = trim_life(street, life_of(street, CAR), range(2, 4))
    assert edit.label == "Trim 7 to 2 frames"
    three = collide((7, 8), (8, 7), (7, 0xFFFFFFFF))
    come = add(born(CAMERA, 2.0), born(CAR, 2.0))
    assert applied(street, edit) == film(
        [add(born(LIGHT)), delete(), attach(), collide(), at(), box()],
        [add(born(TRUCK, 50.0)), delete(), attach(), collide(), at(_8=50.0), box(8), physics(8)],
        [come, delete(), attach((CAMERA, CAR)), three, at(_7=2.0, _8=49.0), box(9, 7)],
        [add(), delete(8), attach(), collide((7, 8)), at(_7=3.0), box()],
        [add(other_car()), delete(CAR), attach(), collide(), at(_8=0.0), box(8)],
        [add(), delete(), attach(), collide(), at(_8=1.0), box()],
    )


def test_what_is_set_once_is_told_where_the_life_begins_now(street: Recording) -> None:
    street.apply(trim_life(street, life_of(street, TRUCK), range(2, 3)))
    assert saved(street) == film(
        [add(born(LIGHT), born(CAR), born(CAMERA)), delete(), attach((CAMERA, CAR)), collide(), at(_7=0.0), box(7, 9)],
        [add(), delete(), attach(), collide(), at(_7=1.0), box()],
        [
            add(born(TRUCK, 49.0)),
            delete(),
            attach(),
            collide((7, 8), (8, 7), (7, 0xFFFFFFFF)),
            at(_7=2.0, _8=49.0),
            box(8),
            physics(8),
        ],
        [add(), delete(8), attach(), collide((7, 8)), at(_7=3.0), box()],
        [add(other_car()), delete(), attach(), collide(), at(_7=4.0, _8=0.0), box(8)],
        [add(), delete(), attach(), collide(), at(_7=5.0, _8=1.0), box()],
    )


def test_a_traffic_light_begins_later_in_its_old_place(street: Recording) -> None:
    street.apply(trim_life(street, life_of(street, LIGHT), range(4, 6)))
    (light,) = street.actors.of_id(LIGHT)
    assert (light.born, light.gone) == (4, None)
    assert light.transform[:3] == (0.0, 3.0, 1.0)


def test_frames_without_the_life_and_frames_that_hold_it_all_are_refused(street: Recording) -> None:
    truck = life_of(street, TRUCK)
    with pytest.raises(EditError, match="not alive in these frames"):
        trim_life(street, truck, range(4, 6))
    with pytest.raises(EditError, match="in these frames alone already"):
        trim_life(street, truck, range(6))


# --- other ids --------------------------------------------------------------------------------------------


def test_another_id_stands_in_every_record(street: Recording) -> None:
    edit = set_actor_id(street, life_of(street, CAR), 20)
    assert edit.label == "Change id 7 to 20"
    # Nothing but the id is a u32 of 7 in there.
    expected = saved(street).replace(struct.pack("<I", 7), struct.pack("<I", 20))
    assert applied(street, edit) == expected


@pytest.mark.parametrize("new_id", [TRUCK, CAMERA, 0, 0xFFFFFFFF, CAR])
def test_an_id_that_is_taken_or_none_is_refused(street: Recording, new_id: int) -> None:
    with pytest.raises(EditError, match=r"has the id|is not an id|has that id already"):
        set_actor_id(street, life_of(street, CAR), new_id)


def test_an_id_is_free_again_after_its_life_but_not_in_its_last_frame() -> None:
    one, two = b.actor(1), b.actor(2)
    with opened(film([add(one)], [delete(1)], [add(two)], [])) as recording:
        recording.apply(set_actor_id(recording, recording.actors.of_id(2)[0], 1))
        assert [(life.actor, life.born, life.gone) for life in recording.actors] == [(1, 0, 1), (1, 2, None)]
    with (
        opened(film([add(one)], [add(two), delete(1)], [])) as recording,
        pytest.raises(EditError, match="has the id 1 from frame 1 to 1"),
    ):
        set_actor_id(recording, recording.actors.of_id(2)[0], 1)


GIVING_1: dict[str, Callable[[Recording], Edit]] = {
    "set_actor_id": lambda recording: set_actor_id(recording, life_of(recording, CAR), 1),
    "duplicate_actor": lambda recording: duplicate_actor(recording, life_of(recording, CAR), new_id=1),
    "paste_actor": lambda recording: paste_actor(
        recording, recording.snapshot, life_of(recording, CAR), at=0.0, new_id=1
    ),
    "add_actor": lambda recording: add_actor(recording, "vehicle.tesla.model3", path=[[0.0, 0.0]], new_id=1),
}


@pytest.mark.parametrize("way", GIVING_1)
def test_the_id_of_the_spectator_is_given_to_nobody_else_since_0_9_15(way: str) -> None:
    data = film([add(born(CAR)), at(_7=0.0)], [at(_7=1.0)], [at(_7=2.0)])
    with opened(data, "ue4-0.9.14") as recording:
        recording.apply(GIVING_1[way](recording))
        assert recording.actors.of_id(1)
    for dialect in ("ue4-0.9.15", "ue4-doors", "ue4-0.9.16", "ue4-2026"):
        with opened(data, dialect) as recording, pytest.raises(EditError, match=r"1 is the id of the spectator.* 8 is"):
            GIVING_1[way](recording)


def test_the_spectator_may_get_the_id_1() -> None:
    eye = b.actor(24, 0, "spectator", uid=0)
    with opened(film([add(eye), at(_24=0.0)], [at(_24=1.0)]), "ue4-0.9.15") as recording:
        recording.apply(set_actor_id(recording, life_of(recording, 24), 1))
        assert recording.tracks.positions([1])["x"].tolist() == [0.0, 1.0]


def test_who_has_the_id_1_already_is_swapped_all_the_same() -> None:
    one, two = (born(CAR, 9.0 * n) | {"id": n} for n in (1, 2))
    with opened(film([add(one, two), at(_1=1.0, _2=2.0)], [at(_1=1.0, _2=2.0)]), "ue4-0.9.15") as recording:
        recording.apply(swap_actors(recording, life_of(recording, 1), life_of(recording, 2)))
        assert recording.tracks.positions([1])["x"].tolist() == [2.0, 2.0]


def test_ids_that_are_picked_are_never_1() -> None:
    with opened(film([add(), at()], [at()], [at()])) as recording:
        recording.apply(add_actor(recording, "vehicle.tesla.model3", path=[[0.0, 0.0]]))
        assert recording.actors.ids == (2,)
    with (
        opened(film([add(born(CAR) | {"id": 0}), at()], [at()])) as one,
        opened(film([add(born(CAR) | {"id": 0})])) as two,
    ):
        one.apply(join(one, [two]))
        assert [life.actor for life in one.actors] == [0, 2]


def test_two_change_places_and_keep_what_they_are() -> None:
    hero = [b.attribute(3, "role_name", "hero")]
    frames = [
        [add(born(CAR, 1.0, attributes=hero), born(CAMERA)), delete(), attach((9, 7)), at(_7=1.0), box(7, size=1.0)],
        [add(born(TRUCK, 5.0, uid=4)), delete(), attach(), at(_7=2.0, _8=5.0), box(8, size=9.0), physics(8)],
        [add(), delete(7), attach(), at(_8=6.0), box()],
    ]
    hits = [
        collide(),
        b.packet(5, b.collision([{"id": 0, "actor1": 7, "actor2": 8, "hero1": True, "hero2": False}])),
        collide(),
    ]
    frames = [[*frame[:3], hit, *frame[3:]] for frame, hit in zip(frames, hits, strict=True)]
    with opened(film(*frames)) as recording:
        car, truck = (life_of(recording, actor) for actor in (CAR, TRUCK))
        edit = swap_actors(recording, car, truck)
        assert edit.label == "Swap 7 and 8"
        after = applied(recording, edit)

    def place(actor: int, x: float, y: float) -> b.Record:
        return b.pose(actor, b.xyz(x, y, 1.0))

    def there(record: b.Record, x: float, y: float) -> b.Record:
        return record | {"location": b.xyz(x, y, 1.0)}

    hit = b.packet(5, b.collision([{"id": 0, "actor1": 8, "actor2": 7, "hero1": False, "hero2": True}]))
    assert after == film(
        [
            add(born(CAMERA), there(born(TRUCK, uid=4), 1.0, 7.0)),
            delete(),
            attach((9, 8)),
            collide(),
            b.packet(6, b.position([place(8, 1.0, 7.0)])),
            b.packet(13, b.bounding_box([])),
            physics(8),
        ],
        [
            add(there(born(CAR, attributes=hero), 5.0, 8.0)),
            delete(),
            attach(),
            hit,
            b.packet(6, b.position([place(8, 2.0, 7.0), place(7, 5.0, 8.0)])),
            box(7, size=1.0),
        ],
        [add(), delete(8), attach(), collide(), b.packet(6, b.position([place(7, 6.0, 8.0)])), box()],
    ).replace(b.packet(13, b.bounding_box([])) + physics(8), box(8, size=9.0) + physics(8))


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [(LIGHT, CAR, "by their position"), (CAR, CAMERA, "recorded by different packets"), (CAR, CAR, "with itself")],
)
def test_places_are_changed_among_those_who_are_alike(street: Recording, one: int, other: int, why: str) -> None:
    with pytest.raises(EditError, match=why):
        swap_actors(street, life_of(street, one), life_of(street, other))


def test_another_life_of_the_id_is_in_the_way_of_a_swap(street: Recording) -> None:
    with pytest.raises(EditError, match="has the id 8 from frame 5 on"):
        swap_actors(street, life_of(street, CAR), life_of(street, TRUCK))
