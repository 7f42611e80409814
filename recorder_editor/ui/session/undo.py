"""The one history of a window: edits of the recording, and what is done beside the file, in the order of a person.

The document keeps its edits (`recording.history`) and knows nothing of notes, segments and the in-out range. Their
steps stand here between the edits. They change no file of the simulator: they count as no edit, are in no script and no
journal, and leave what was undone and follows them to be redone.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ...recording.history import MAX_STEPS, History, Step


class MarkStep(NamedTuple):
    """A change of notes, segments or the in-out range.

    Attributes: `label` (as Undo and History name it), `move` (called with the state that is shown and the one that is
    wanted: `before` and `after`, or the other way round; raises `EditError` where that cannot be any more), `gesture`
    (steps of the same one in a row are one).
    """

    label: str
    move: Callable[[Any, Any], object]
    before: object
    after: object
    gesture: str | None = None


Entry = MarkStep | Step


class UndoHistory:
    """The entries, oldest first, and the position among them: so many of them are done.

    Attributes: `position`, `version` (another one after each change).

    An edit is held by the number of its step, since the document replaces steps that it merges or moves.
    """

    def __init__(self) -> None:
        self.position = 0
        self.version = 0
        self._history: History | None = None
        self._entries: list[MarkStep | int] = []
        self._breaks = 0  # steps beside the file, and steps that were undone or redone: no gesture goes on over them
        self._dropped = 0

    def open(self, history: History | None) -> None:
        """Begin with the edits of a recording that was opened, or with none."""
        self.version += 1
        self._history = history
        if history is not None:
            self._entries = [step.number for step in history.steps]
        else:
            self._entries = []
        self.position = history.position if history is not None else 0
        self._dropped = history.dropped if history is not None else 0

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The steps: those of the document, and those beside the file."""
        if self._history is not None:
            steps = {step.number: step for step in self._history.steps}
        else:
            steps = {}
        return tuple(each if isinstance(each, MarkStep) else steps[each] for each in self._entries)

    @property
    def saved_position(self) -> int | None:
        """The position at which the file has all edits; None where undo and redo do not lead there."""
        clean = self._history.clean_position if self._history is not None else None
        if not clean or self._history is None:
            return clean
        return self._entries.index(self._history.steps[clean - 1].number) + 1

    @property
    def undo_label(self) -> str:
        """The name of the step that Undo takes back; empty where there is none."""
        if not self.position or self._history is None:
            return ""
        mark = self.next_back()
        if mark is not None:
            return mark.label
        return self._history.steps[self._history.position - 1].label

    @property
    def redo_label(self) -> str:
        """The name of the step that Redo does again; empty where there is none."""
        if self.position == len(self._entries) or self._history is None:
            return ""
        mark = self.next_forward()
        if mark is not None:
            return mark.label
        return self._history.steps[self._history.position].label

    def next_back(self) -> MarkStep | None:
        """The step beside the file that Undo takes back; None where that is an edit."""
        entry = self._entries[self.position - 1]
        if isinstance(entry, MarkStep):
            return entry
        return None

    def next_forward(self) -> MarkStep | None:
        """The step beside the file that Redo does again; None where that is an edit."""
        entry = self._entries[self.position]
        if isinstance(entry, MarkStep):
            return entry
        return None

    def gesture(self, gesture: str | None) -> str | None:
        """The name under which the document merges edits of a gesture: not over what else was done meanwhile."""
        if gesture is not None:
            return f"{gesture}:{self._breaks}"
        return None

    def take_edit(self) -> None:
        """Take up the edit that was just made."""
        history = self._history
        assert history is not None
        self.version += 1
        number = history.steps[history.position - 1].number
        del self._entries[self.position :]
        if not self.position or self._entries[-1] != number:
            self._entries.append(number)
            self.position += 1
        if history.dropped != self._dropped:
            self._drop_oldest(history)

    def add(self, step: MarkStep) -> None:
        """Take up a step that was just done beside the file; edits that were undone can still be redone."""
        if self._history is None:
            return
        self._breaks += 1
        self.version += 1
        edits = []
        for each in self._entries[self.position :]:
            if not isinstance(each, MarkStep):
                edits.append(each)
        done = self._entries[: self.position]
        last = None
        if done:
            last = done[-1]
        if isinstance(last, MarkStep) and step.gesture is not None and last.gesture == step.gesture:
            done.pop()
            step = step._replace(before=last.before)
        is_nothing = step.gesture is not None and step.before == step.after
        if not is_nothing:
            done.append(step)
        self._entries = [*done, *edits]
        self.position = len(done)
        if len(self._entries) > MAX_STEPS and isinstance(self._entries[0], MarkStep):
            del self._entries[0]
            self.position -= 1
        if is_nothing:
            step.move(step.after, step.before)  # with what is not compared of it

    def move(self, by: int) -> None:
        """Note that the step before (-1) or after (1) the position was undone or redone."""
        self._breaks += 1
        self.position += by
        self.version += 1

    def forget(self, step: MarkStep) -> None:
        """Forget a step that can no longer be undone or redone."""
        self.version += 1
        at = next(at for at, each in enumerate(self._entries) if each is step)
        del self._entries[at]
        self.position -= at < self.position

    def _drop_oldest(self, history: History) -> None:
        """Forget the edits that the document forgot, and what was done before them."""
        self._dropped = history.dropped
        kept = {step.number for step in history.steps}
        gone = []
        for at, each in enumerate(self._entries):
            if not isinstance(each, MarkStep) and each not in kept:
                gone.append(at)
        if gone:
            del self._entries[: gone[-1] + 1]
            self.position -= gone[-1] + 1
