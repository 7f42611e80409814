"""The actor in the name of a step is set off, wherever the language puts it."""

import pytest

from recorder_editor.edits.intents import over_frames
from recorder_editor.texts import say, speaking
from recorder_editor.views.step_names import split_at_actor


def turned() -> str:
    return over_frames(say("Set {field} of {actor}", field="yaw", actor=3932), 1)


def test_the_id_is_split_off() -> None:
    assert split_at_actor(turned()) == ("Set yaw of ", "3932", " in 1 frame")


def test_it_is_found_in_another_language_and_within_another_text() -> None:
    with speaking("zh_CN"):
        undone = say("Undone: {step}", step=turned())
        before, actor, after = split_at_actor(undone)
        assert actor == "3932"
        assert before + actor + after == undone


def test_a_number_that_is_the_same_is_not_taken_for_it() -> None:
    added = say("Add {delta:g} to {field} of {actor}", delta=7.0, field="yaw", actor=7)
    assert split_at_actor(added) == ("Add 7 to yaw of ", "7", "")


@pytest.mark.parametrize("name", ["Retime", say("Set {name} of {actors} actors", name="yaw", actors=3), say("Undo")])
def test_without_an_actor_all_is_before_it(name: str) -> None:
    assert split_at_actor(name) == (name, "", "")


def test_of_several_the_names_are_set_off_together() -> None:
    several = say("Move {actors}", actors=say("{actor} and {count:,} others", actor=3, count=2))
    before, actor, after = split_at_actor(several)
    assert (before, actor, after) == ("Move ", "3", " and 2 others")
