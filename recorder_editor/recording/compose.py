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
    """Make one edit with the effect of several. Its intent combines theirs, or is None if one of them has none.

    Args:
        snapshot: The state that the edit is made for.
        label: The label of the edit; empty for one that begins with that of the first edit.
        steps: Functions that make an edit, each for the state after the edits before it.

    Raises:
        NothingToDo: All steps raise it; otherwise a step that raises it is skipped.
        Exception: Other errors of a step.
    """
    state = snapshot
    edits = list[Edit]()
    splices = list[Splice]()
    header = None
    detection = None
    nothing = NothingToDo(say("There is nothing to be done."))
    for make in steps:
        try:
            edit = make(state)
        except NothingToDo as error:
            nothing = error
            continue
        state = state.after(edit)
        edits.append(edit)
        splices += edit.splices
        header = edit.header or header
        detection = edit.detection or detection
    if not edits:
        raise nothing
    if len(edits) == 1:
        return replace(edits[0], label=label or edits[0].label)
    return Edit(
        label=label or say("{label} and {more:,} more", label=edits[0].label, more=len(edits) - 1),
        version=snapshot.version,
        splices=_once(state.table, tuple(splices)),
        header=header,
        intent=combined([edit.intent for edit in edits]),
        detection=detection,
        losses=all_losses(edits),
    )


def _once(table: FrameTable, splices: tuple[Splice, ...]) -> tuple[Splice, ...]:
    """The splices; if all of them only replace rows, each row once, by that of `table`, the last state."""
    if any(splice.removed != len(splice.inserted) for splice in splices):
        return splices
    touched = np.zeros(len(table) + 1, np.int64)
    for splice in splices:
        touched[splice.row] += 1
        touched[splice.row + splice.removed] -= 1
    combined_splices = []
    for first, stop in runs(np.cumsum(touched) > 0):
        combined_splices.append(Splice(first, stop - first, table.slice(first, stop)))
    return tuple(combined_splices)
