"""Combines several edits into one, which is applied as a whole or not at all and is one step of the history."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from ..errors import NothingToDo
from ..texts import say
from .blocks import runs
from .frames import FrameTable
from .history import Edit, Splice, all_losses, combined
from .snapshot import Snapshot


def compose(snapshot: Snapshot, label: str, steps: Iterable[Callable[[Snapshot], Edit]]) -> Edit:
    """One edit with the effect of `steps`, each made for the state after the steps before it.

    Without a `label` it has that of the first one. Steps that raise `NothingToDo` are skipped; if all do, it is raised.
    Other errors of a step are raised. The intent combines those of all steps; None if one of them has none.
    """
    state = snapshot
    made = list[Edit]()
    nothing = NothingToDo(say("There is nothing to be done."))
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
        label or say("{label} and {more:,} more", label=made[0].label, more=len(made) - 1),
        snapshot.version,
        _once(state.table, splices),
        next((edit.header for edit in reversed(made) if edit.header is not None), None),
        combined([edit.intent for edit in made]),
        next((edit.detection for edit in reversed(made) if edit.detection is not None), None),
        all_losses(made),
    )


def _once(table: FrameTable, splices: tuple[Splice, ...]) -> tuple[Splice, ...]:
    """The splices; if all of them only replace rows, each row once, by that of `table`, the last state."""
    if any(splice.removed != len(splice.inserted) for splice in splices):
        return splices
    touched = np.zeros(len(table) + 1, np.int64)
    for splice in splices:
        touched[splice.at] += 1
        touched[splice.at + splice.removed] -= 1
    replaced = runs(np.cumsum(touched) > 0)
    return tuple(Splice(first, stop - first, table.slice(first, stop)) for first, stop in replaced)
