"""Many splices at once give what they give one after another, and so do those that lead back."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder_editor.recording.frames import ROW, FrameTable
from recorder_editor.recording.history import Splice, spliced

from ..extent import examples

ROWS = 60
STEPS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def table(number: int, first: int) -> FrameTable:
    rows = np.zeros(number, ROW)
    rows["key"] = np.arange(first, first + number)
    return FrameTable.from_rows(rows)


def keys(one: FrameTable) -> list[int]:
    found: list[int] = one.column("key").tolist()
    return found


def made(steps: list[tuple[float, int, int]]) -> tuple[Splice, ...]:
    """Splices for a table of so many rows, each counted in what those before it leave."""
    rows, splices = ROWS, []
    for number, (where, removed, inserted) in enumerate(steps):
        at = round(where * rows)
        removed = min(removed, rows - at)
        splices.append(Splice(at, removed, table(inserted, 1000 * (number + 1))))
        rows += inserted - removed
    return tuple(splices)


def expected(splices: tuple[Splice, ...]) -> list[int]:
    found = list(range(ROWS))
    for splice in splices:
        found[splice.row : splice.row + splice.removed] = keys(splice.inserted)
    return found


@settings(max_examples=examples(60))
@given(STEPS)
def test_splices_in_any_order(steps: list[tuple[float, int, int]]) -> None:
    before, splices = table(ROWS, 0), made(steps)
    after, backward = spliced(before, splices)
    assert keys(after) == expected(splices)
    again, forward = spliced(after, backward)
    assert keys(again) == keys(before)
    assert [keys(one.inserted) for one in forward] == [keys(one.inserted) for one in splices]


@settings(max_examples=examples(60))
@given(st.sets(st.integers(0, ROWS - 1), min_size=10, max_size=30), st.integers(0, 2), st.booleans())
def test_splices_that_rise_or_fall(places: set[int], inserted: int, rises: bool) -> None:
    splices = []
    for number, at in enumerate(sorted(places, reverse=not rises)):
        moved = number * (inserted - 1) if rises else 0
        splices.append(Splice(at + moved, 1, table(inserted, 1000 * (number + 1))))
    after, backward = spliced(table(ROWS, 0), splices)
    assert keys(after) == expected(tuple(splices))
    assert keys(spliced(after, backward)[0]) == list(range(ROWS))
