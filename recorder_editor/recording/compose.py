"""Several edits as one: made one after another, applied whole or not at all, one step of the history."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from ..errors import NothingToDo
from .frames import FrameTable
from .history import Edit, Splice, combined
from .snapshot import Snapshot


def compose(snapshot: Snapshot, label: str, steps: Iterable[Callable[[Snapshot], Edit]]) -> Edit:
    """One edit for what `steps` do, each of them made for the state that those before it lead to.

    Without a `label` it is called after the first of them. A step that raises `NothingToDo` is left out; where all of
    them do, that is raised. Whatever else a step raises is raised, and nothing was changed. The intent is that of all,
    None where one of them belongs to this file only.
    """
    state, made = snapshot, list[Edit]()
    nothing = NothingToDo("There is nothing to be done.")
    for make in steps:
        try:
            made.append(make(state))
        except NothingToDo as error:
            nothing = error
            continue
        state = state.after(made[-1])
    if not made:
        raise nothing
    if len(made) == 1:
        return replace(made[0], label=label or made[0].label)
    splices = tuple(splice for edit in made for splice in edit.splices)
    return Edit(
        label or f"{made[0].label} and {len(made) - 1:,} more",
        snapshot.version,
        _once(state.table, splices),
        next((edit.header for edit in reversed(made) if edit.header is not None), None),
        combined([edit.intent for edit in made]),
        next((edit.detection for edit in reversed(made) if edit.detection is not None), None),
    )


def _once(table: FrameTable, splices: tuple[Splice, ...]) -> tuple[Splice, ...]:
    """The splices; where all only replace rows, each row once by what it is in `table`, the last of the states."""
    if any(splice.removed != len(splice.inserted) for splice in splices):
        return splices
    touched = np.zeros(len(table) + 1, np.int64)
    for splice in splices:
        touched[splice.at] += 1
        touched[splice.at + splice.removed] -= 1
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.cumsum(touched) > 0, [0])))).reshape(-1, 2)
    return tuple(Splice(first, stop - first, table.slice(first, stop)) for first, stop in edges.tolist())
