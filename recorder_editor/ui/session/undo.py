"""The one history of a window: edits of the recording, and what was done beside the file, in the order of time.

The document keeps its edits (`recording.history`) and knows nothing of notes, segments and the in-out range. Their
steps are kept here between the edits. They change no file of the simulator: they count as no edit, are in no script and
no journal, and edits that were undone can be redone after them.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from ...recording.history import MAX_STEPS, History, Step
from ...texts import say


class MarkStep(NamedTuple):
    """A change of notes, segments or the in-out range.

    Attributes:
        label: The name in Undo and History.
        move: Is called with the state that is shown and the one that is wanted: `before` and `after`, or the other way
            round; raises `EditError` where that cannot be any more.
        before: The state before the step.
        after: The state after it.
        gesture: Consecutive steps of the same gesture are one.
    """

    label: str
    move: Callable[[Any, Any], object]
    before: object
    after: object
    gesture: str | None = None


Entry = MarkStep | Step

_Last = Literal["nothing", "done", "undone"]
"""What happened last: a step was done or redone, or one was undone, or neither."""


class UndoHistory:
    """The entries, oldest first, and how many of them are done.

    An edit is held by the number of its step, since the document replaces steps that it merges or moves.

    Attributes:
        position: How many entries are done.
        version: Another number after each change.
    """

    def __init__(self) -> None:
        self.position = 0
        self.version = 0
        self._history: History | None = None
        self._entries: list[MarkStep | int] = []
        self._last: _Last = "nothing"
        self._breaks = 0  # steps beside the file, and steps that were undone or redone: no gesture goes on over them
        self._dropped = 0

    def open(self, history: History | None) -> None:
        """Begin with the edits of a recording that was opened, or with none."""
        self.version += 1
        self._last = "nothing"
        self._history = history
        self._entries = []
        self.position = 0
        self._dropped = 0
        if history is not None:
            self._entries.extend(step.number for step in history.steps)
            self.position = history.position
            self._dropped = history.dropped

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The steps: those of the document, and those beside the file."""
        steps = {}
        if self._history is not None:
            steps = {step.number: step for step in self._history.steps}
        entries: list[Entry] = []
        for entry in self._entries:
            if isinstance(entry, MarkStep):
                entries.append(entry)
            else:
                entries.append(steps[entry])
        return tuple(entries)

    @property
    def saved_position(self) -> int | None:
        """The position at which the file has all edits; None where undo and redo do not lead there."""
        if self._history is None:
            return None
        clean = self._history.clean_position
        if not clean:
            return clean
        return self._entries.index(self._history.steps[clean - 1].number) + 1

    @property
    def undo_label(self) -> str:
        """The name of the step that Undo undoes; empty where there is none."""
        if not self.position or self._history is None:
            return ""
        mark = self.next_back()
        if mark is not None:
            return mark.label
        return self._history.steps[self._history.position - 1].label

    @property
    def redo_label(self) -> str:
        """The name of the step that Redo redoes; empty where there is none."""
        if self.position == len(self._entries) or self._history is None:
            return ""
        mark = self.next_forward()
        if mark is not None:
            return mark.label
        return self._history.steps[self._history.position].label

    @property
    def was_undone(self) -> bool:
        """Whether the last thing that happened was that a step was undone."""
        return self._last == "undone"

    @property
    def news(self) -> str:
        """What happened last: the name of the step that was done, or that it was undone; empty for neither."""
        if self._last == "done":
            return self.undo_label
        if self._last == "undone":
            return say("Undone: {step}", step=self.redo_label)
        return ""

    def next_back(self) -> MarkStep | None:
        """Return the step beside the file that is undone next; None where that is an edit."""
        entry = self._entries[self.position - 1]
        if isinstance(entry, MarkStep):
            return entry
        return None

    def next_forward(self) -> MarkStep | None:
        """Return the step beside the file that is redone next; None where that is an edit."""
        entry = self._entries[self.position]
        if isinstance(entry, MarkStep):
            return entry
        return None

    def gesture(self, gesture: str | None) -> str | None:
        """Return the name by which the document merges edits of a gesture: a new one after any other step."""
        if gesture is not None:
            return f"{gesture}:{self._breaks}"
        return None

    def take_edit(self) -> None:
        """Add the edit that was just made."""
        history = self._history
        assert history is not None
        self.version += 1
        self._last = "done"
        number = history.steps[history.position - 1].number
        del self._entries[self.position :]
        if not self.position or self._entries[-1] != number:
            self._entries.append(number)
            self.position += 1
        if history.dropped != self._dropped:
            self._drop_oldest(history)

    def add(self, step: MarkStep) -> None:
        """Add a step that was just done beside the file; edits that were undone can still be redone."""
        if self._history is None:
            return
        self._breaks += 1
        self.version += 1
        self._last = "done"
        undone_edits = [entry for entry in self._entries[self.position :] if not isinstance(entry, MarkStep)]
        done = self._entries[: self.position]
        last = done[-1] if done else None
        if isinstance(last, MarkStep) and step.gesture is not None and last.gesture == step.gesture:
            done.pop()
            step = step._replace(before=last.before)
        is_empty = step.gesture is not None and step.before == step.after
        if not is_empty:
            done.append(step)
        self.position = len(done)
        self._entries = done
        self._entries.extend(undone_edits)
        if len(self._entries) > MAX_STEPS and isinstance(self._entries[0], MarkStep):
            del self._entries[0]
            self.position -= 1
        if is_empty:
            self._last = "nothing"
            step.move(step.after, step.before)  # restores what the comparison of the two states leaves out

    def move(self, by: int) -> None:
        """Note that the step before (-1) or after (1) the position was undone or redone."""
        self._breaks += 1
        self.position += by
        self.version += 1
        self._last = "undone" if by < 0 else "done"

    def forget(self, step: MarkStep) -> None:
        """Forget a step that can no longer be undone or redone."""
        self.version += 1
        self._last = "nothing"
        index = next(index for index, entry in enumerate(self._entries) if entry is step)
        del self._entries[index]
        if index < self.position:
            self.position -= 1

    def _drop_oldest(self, history: History) -> None:
        """Forget the edits that the document forgot, and what was done before them."""
        self._dropped = history.dropped
        kept = {step.number for step in history.steps}
        count = 0
        for index, entry in enumerate(self._entries):
            if not isinstance(entry, MarkStep) and entry not in kept:
                count = index + 1
        del self._entries[:count]
        self.position -= count
