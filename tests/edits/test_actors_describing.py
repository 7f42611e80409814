"""What actors are: blueprint, attributes, role name and hero, and nothing else of the bytes."""

from collections.abc import Iterator
from typing import Any

import pytest

from recorder_editor import Edit, Recording
from recorder_editor.edits import set_attribute, set_blueprint, set_hero, set_role
from recorder_editor.errors import EditError, FieldError
from recorder_editor.reading.lives import Life

from .. import builders as b
from ..recording.films import add, delete, film, opened
from .conftest import saved

STRING = 3


def born(actor: int, blueprint: str, role: str = "", kind: int = 1, uid: int = 5, **more: str) -> b.Record:
    attributes = [b.attribute(STRING, "role_name", role)] if role else []
    attributes += [b.attribute(STRING, name, value) for name, value in more.items()]
    return b.actor(actor, kind, blueprint, uid=uid, attributes=attributes)


def hit(one: int, two: int, hero1: bool = False, hero2: bool = False) -> bytes:
    return b.packet(5, b.collision([{"id": 4, "actor1": one, "actor2": two, "hero1": hero1, "hero2": hero2}]))


CAR, TRUCK = born(7, "vehicle.car", "hero", color="1,2,3"), born(8, "vehicle.truck", "autopilot", uid=6)
WALKER, LIGHT = born(9, "walker.a", kind=2, uid=40), born(3, "traffic.stop", kind=4, uid=0)


@pytest.fixture
def street() -> Iterator[Recording]:
    with opened(street_of(LIGHT, CAR, TRUCK)) as recording:
        yield recording


def life_of(recording: Recording, actor: int) -> Life:
    return recording.actors.of_id(actor)[0]


def applied(recording: Recording, edit: Edit) -> bytes:
    before = saved(recording)
    recording.apply(edit)
    after = saved(recording)
    recording.undo()
    assert saved(recording) == before
    recording.redo()
    return after


def street_of(*first: b.Record, walker: b.Record = WALKER, hits: tuple[Any, Any] = (True, True)) -> bytes:
    return film([add(*first), hit(7, 8, hero1=hits[0])], [add(walker), delete(8)], [hit(9, 7, hero2=hits[1])])


# --- blueprint --------------------------------------------------------------------------------------------


def test_a_blueprint_that_others_have_brings_its_number(street: Recording) -> None:
    edit = set_blueprint(street, [life_of(street, 7)], "vehicle.truck")
    assert edit.label == "Change 7 to vehicle.truck"
    assert applied(street, edit) == street_of(LIGHT, CAR | {"blueprint": "vehicle.truck", "uid": 6}, TRUCK)


def test_an_unknown_blueprint_needs_its_number(street: Recording) -> None:
    car = life_of(street, 7)
    with pytest.raises(EditError, match=r"number \(uid\) of vehicle.van is not known"):
        set_blueprint(street, [car], "vehicle.van")
    after = applied(street, set_blueprint(street, [car], "vehicle.van", 99))
    assert after == street_of(LIGHT, CAR | {"blueprint": "vehicle.van", "uid": 99}, TRUCK)


def test_several_change_at_once_and_the_type_follows(street: Recording) -> None:
    edit = set_blueprint(street, [life_of(street, 7), life_of(street, 8)], "walker.a")
    assert edit.label == "Change 2 actors to walker.a"
    changed = {"blueprint": "walker.a", "uid": 40, "type": 2}
    assert applied(street, edit) == street_of(LIGHT, CAR | changed, TRUCK | changed)


def test_what_belongs_to_the_map_keeps_its_blueprint(street: Recording) -> None:
    with pytest.raises(EditError, match="belong to the map"):
        set_blueprint(street, [life_of(street, 3)], "vehicle.car")
    with pytest.raises(EditError, match="belong to the map"):
        set_blueprint(street, [life_of(street, 7)], "traffic.stop")


def test_a_blueprint_that_is_there_already_is_refused(street: Recording) -> None:
    with pytest.raises(EditError, match="like that already"):
        set_blueprint(street, [life_of(street, 7)], "vehicle.car")


# --- attributes -------------------------------------------------------------------------------------------


def test_an_attribute_changes_in_its_place(street: Recording) -> None:
    edit = set_attribute(street, [life_of(street, 7)], "color", "9,9,9")
    assert edit.label == "Set color to 9,9,9 of 7"
    assert applied(street, edit) == street_of(LIGHT, born(7, "vehicle.car", "hero", color="9,9,9"), TRUCK)


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("color", "4,5,6", STRING),  # as the car has it, odd as that is
        ("number_of_wheels", "4", 1),
        ("sticky_control", "true", 0),
        ("driver_id", "17,3,4", 1),
        ("note", "1,2,255", 4),
        ("note", "-12", 1),
        ("note", "1.5e3", 2),
        ("note", ".5", 2),
        ("note", "False", 0),
        ("note", "half past", STRING),
        ("note", "", STRING),
    ],
)
def test_a_new_attribute_comes_last_with_a_type_that_fits(street: Recording, key: str, value: str, kind: int) -> None:
    after = applied(street, set_attribute(street, [life_of(street, 8)], key, value))
    truck = TRUCK | {"attributes": [*TRUCK["attributes"], b.attribute(kind, key, value)]}
    assert after == street_of(LIGHT, CAR, truck)


def test_types_are_numbered_as_the_file_numbers_them() -> None:
    data = b.recording(b.frame(1, 0.0, -1.0, [add(b.actor(7))]), version=2)
    with opened(data, "ue4-0.9.16") as recording:
        recording.apply(set_attribute(recording, [life_of(recording, 7)], "role_name", "hero"))
        assert life_of(recording, 7).attributes == ((4, "role_name", "hero"),)


def test_an_attribute_goes_and_what_is_not_there_cannot_go(street: Recording) -> None:
    edit = set_attribute(street, [life_of(street, 7)], "color", None)
    assert edit.label == "Remove color of 7"
    assert applied(street, edit) == street_of(LIGHT, born(7, "vehicle.car", "hero"), TRUCK)
    with pytest.raises(EditError, match="like that already"):
        set_attribute(street, [life_of(street, 8)], "color", None)


def test_names_and_texts_that_do_not_fit_are_refused(street: Recording) -> None:
    with pytest.raises(EditError, match="needs a name"):
        set_attribute(street, [life_of(street, 7)], "", "x")
    with pytest.raises(FieldError, match="32,767"):
        set_attribute(street, [life_of(street, 7)], "note", "x" * 40_000)
    with pytest.raises(FieldError, match="40,000 bytes"):
        set_blueprint(street, [life_of(street, 7)], "vehicle." + "ü" * 19_996, 4)


# --- role and hero ----------------------------------------------------------------------------------------


def test_a_role_name_that_makes_no_hero_takes_the_flags_along(street: Recording) -> None:
    edit = set_role(street, [life_of(street, 7)], "ego")
    assert edit.label == "Set role name of 7 to ego"
    expected = street_of(LIGHT, born(7, "vehicle.car", "ego", color="1,2,3"), TRUCK, hits=(False, False))
    assert applied(street, edit) == expected


def test_there_is_one_hero_and_the_former_one_drives_on_its_own(street: Recording) -> None:
    edit = set_hero(street, life_of(street, 8))
    assert edit.label == "Make 8 the hero"
    car, truck = born(7, "vehicle.car", "autopilot", color="1,2,3"), born(8, "vehicle.truck", "hero", uid=6)
    expected = film([add(LIGHT, car, truck), hit(7, 8, hero2=True)], [add(WALKER), delete(8)], [hit(9, 7)])
    assert applied(street, edit) == expected
    assert [life.actor for life in street.actors if life.is_hero] == [8]


def test_a_walker_may_be_the_hero_and_a_sign_may_not(street: Recording) -> None:
    street.apply(set_hero(street, life_of(street, 9)))
    assert [life.actor for life in street.actors if life.is_hero] == [9]
    with pytest.raises(EditError, match="vehicle or a walker"):
        set_hero(street, life_of(street, 3))
    with pytest.raises(EditError, match="is the hero already"):
        set_hero(street, life_of(street, 9))


def test_odd_bytes_of_other_records_survive() -> None:
    odd = b.actors_added(False, 0, 5)
    with opened(film([add(*odd), b.packet(77, b"odd")])) as recording:
        spectator = recording.actors.lives[0]
        recording.apply(set_attribute(recording, [spectator], "note", "x"))
        changed = [odd[0] | {"attributes": [b.attribute(STRING, "note", "x")]}, *odd[1:]]
        assert saved(recording) == film([add(*changed), b.packet(77, b"odd")])
        recording.undo()
        recording.apply(set_attribute(recording, [recording.actors.lives[3]], "note", "x"))
        changed = [*odd[:3], odd[3] | {"attributes": [b.attribute(STRING, "note", "x")]}]
        assert saved(recording) == film([add(*changed), b.packet(77, b"odd")])
