"""In whom actors stand that were just added: the check of the rule `overlap` for these alone."""

import pytest

from recorder_editor.checks.overlaps import overlaps_of

from .. import builders as b
from .test_rules import BORN, at, attach, opened, story, walker

CLOSE = at((1, 0.0), (2, 150.0))
APART = at((1, 0.0), (2, 900.0))


def found(data: bytes, actor: int) -> list[tuple[int, int]]:
    """(other, index of the first frame)."""
    with opened(data) as recording:
        lives = recording.actors.of_id(actor)
        return [(each.other.actor, each.first) for each in overlaps_of(recording.snapshot, lives)]


@pytest.mark.parametrize("actor", [1, 2])
def test_the_first_frame_of_each_other_is_told(actor: int) -> None:
    assert found(story([BORN, APART], [CLOSE], [CLOSE], [APART], [CLOSE]), actor) == [(3 - actor, 1)]


def test_who_stands_apart_or_is_attached_is_in_nobody() -> None:
    assert found(story([BORN, APART], [APART]), 1) == []
    assert found(story([BORN, attach((2, 1)), CLOSE], [CLOSE]), 1) == []
    assert found(story([BORN, attach((2, 1)), CLOSE], [CLOSE]), 2) == []


def test_a_walker_stands_in_a_car_and_not_in_another_walker() -> None:
    places = b.packet(6, b.position([b.pose(1), b.pose(3, b.xyz(50.0, 0.0)), b.pose(4, b.xyz(50.0, 0.0))]))
    data = story([BORN, walker(3), walker(4), places], [places])
    assert found(data, 3) == [(1, 0)]
    assert found(data, 1) == [(3, 0), (4, 0)]
