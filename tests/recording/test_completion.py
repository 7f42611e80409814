"""What is proposed at the cursor of an expression."""

from pathlib import Path

import pytest

from recorder_editor.api import open_recording
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.expression import completion, parse
from recorder_editor.texts import speaking

DIALECT = DIALECTS["ue4-0.9.12"]


@pytest.fixture(scope="module")
def actors(recordings: Path) -> Actors:
    with open_recording(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        return recording.actors


def proposed(text: str, actors: Actors | None = None, *, sets: bool = True) -> list[str]:
    return [each.word for each in completion(text, DIALECT, actors, sets=sets).proposals]


def test_a_text_begins_with_a_packet_and_goes_on_with_where() -> None:
    assert proposed("posi") == ["Position"]
    assert "State" in proposed("")
    assert proposed("Position w") == ["where"]
    assert proposed("Positon where ") == []


def test_a_condition_is_of_fields_derived_names_and_functions() -> None:
    assert proposed("Position where loc") == ["location.x", "location.y", "location.z"]
    assert proposed("Position where location.z < 0 and ya") == ["rotation.yaw"]
    assert proposed("Position where sp") == ["speed"]
    assert proposed("Position where isn") == ["isnan("]
    assert proposed("Position where id ") == ["and", "or", "in", "like"]
    assert proposed('Position where role == "hero" a')[:1] == ["and"]


def test_a_compared_field_has_the_names_of_its_values() -> None:
    assert proposed("State where state == ")[:3] == ["Red", "Yellow", "Green"]
    assert proposed("State where state in (Red, G")[0] == "Green"
    assert proposed("State where state == 'G") == ['"Green"']
    assert proposed("State: state = Y")[0] == "Yellow"


def test_values_are_typed_in_english_and_explained_in_the_language_that_is_set() -> None:
    with speaking("zh_CN"):
        told = completion("State where state == ", DIALECT, None).proposals
    assert told[:2] == (("Red", "0，红灯"), ("Yellow", "1，黄灯"))
    assert completion("State where state == ", DIALECT, None).proposals[0] == ("Red", "0")


def test_blueprints_and_roles_are_those_of_the_recording(actors: Actors) -> None:
    assert proposed('Position where role == "h', actors) == ['"hero"']
    assert '"vehicle.chevrolet.impala"' in proposed("Position where blueprint == ", actors)
    assert proposed('Position where blueprint like "impa', actors) == ['"vehicle.chevrolet.impala"']


def test_behind_the_colon_stands_a_field_to_be_set_or_a_value() -> None:
    assert proposed("Position where id == 1: sp") == []
    assert proposed("Position: location.x = 1, location.y") == ["location.y"]
    assert proposed("Position: location.x = max(1, sp") == ["speed"]
    assert proposed("Position: sp", sets=False) == ["speed"]


def test_what_is_proposed_can_be_parsed() -> None:
    for kind in DIALECT.packets.values():
        for name in proposed(f"{kind.name} where "):
            if not name.endswith("("):
                parse(f"{kind.name} where {name} == {name}", DIALECT)
        for path, field in kind.record.fields.items():
            for word in proposed(f"{kind.name} where {path} == ")[: len(field.choices or field.flags or ())]:
                parse(f"{kind.name} where {path} == {word}", DIALECT)
