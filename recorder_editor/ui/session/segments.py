"""The segments of the recording, and where their frames are after edits.

One whose frames are all gone is out of sight until an undo brings them back. What a person does to the list is a step
of undo.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

import recorder_editor as library

from ...arrays import IntArray
from ...errors import RecorderError
from ...recording import Change, write_file
from ...recording.frame_keys import FrameKeys, follow
from ...texts import say, say_count
from .debounce import Debounce
from .editing import Editing
from .state import SessionState
from .undo import MarkStep

if TYPE_CHECKING:
    from ...edits.segments import Segment


@dataclass(frozen=True, slots=True)
class SegmentList:
    """A state of the list: `items` in sight, and all that are `held` with keys of rows."""

    items: "tuple[Segment, ...]"
    held: "tuple[tuple[Segment, IntArray], ...]" = field(compare=False)


class Segments(QObject):
    """The segments in the order of their list.

    Attributes: `skips` (playing leaves out what is off), `recall` (the list that is remembered of a file). Signals:
    `changed`, `kept(str, str, str)` (the list of a file is to be remembered, as JSON, in place of the last one that was
    recalled or kept here).
    """

    changed = Signal()
    kept = Signal(str, str, str)

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self.skips = False
        self.recall: Callable[[str], str] = lambda _path: ""
        self._held: list[tuple[Segment, IntArray]] = []  # each with keys of rows
        self._known = "", ""  # the file and its list, as recalled or kept last
        self._rest = Debounce(self, self.keep)
        editing.changed.connect(self._follow)

    # --- the list ---------------------------------------------------------------------------------------

    @property
    def items(self) -> "tuple[Segment, ...]":
        """Those that have frames."""
        return tuple(each for each, _ in self._held if each.frames)

    @property
    def chosen(self) -> list[range]:
        """The frames of each that is on."""
        return [each.frames for each in self.items if each.is_on]

    def set(self, items: "Iterable[Segment]", label: str = "", gesture: str | None = None) -> None:
        """Have these segments in this order.

        Args:
            items: All that are in sight.
            label: The name of the step; empty: *Change segments*.
            gesture: Steps of the same one in a row are one step.
        """
        before = SegmentList(self.items, tuple(self._held))
        items = tuple(items)
        keys = FrameKeys(self._state.snapshot_or_refuse())
        known = dict(self._held)
        changed = {}
        for each, rows in self._held:
            if each not in items:
                changed[each[1:3]] = rows
        held = []
        for each in items:
            held.append((each, known.get(each, changed.get(each[1:3], keys.of(each)))))
        for at, pair in enumerate(self._held):
            if not pair[0].frames:  # out of sight it keeps its place
                held.insert(at, pair)
        after = SegmentList(items, tuple(held))
        self._show(before, after)
        if after != before:
            self._state.add_step(MarkStep(label or say("Change segments"), self._show, before, after, gesture))

    def _show(self, before: SegmentList, after: SegmentList) -> None:
        """Show a state of the list in place of another one."""
        self._held = list(after.held)
        if len(after.items) != len(before.items):
            self._state.announced.emit(say_count("1 segment", "{count:,} segments", count=len(after.items)))
        self.changed.emit()
        self._rest.begin()

    def _attempt(self, label: str, make: Callable[[], "Iterable[Segment]"]) -> None:
        """Have the segments that are made; a refusal is told."""
        self._state.attempt(lambda: self.set(make(), label))

    def split(self, frame_index: int) -> None:
        """Have the segment that holds the start of a frame as two, and without segments the whole recording."""
        split = library.edits.segments.split_segments
        self._attempt(say("Split segment"), lambda: split(self.items, frame_index, self._state.frames))

    def read(self, path: Path) -> None:
        """Have the segments of a list, too: CSV or JSON."""
        read = library.edits.segments.read_segments
        label = say("Import segments")
        self._attempt(label, lambda: (*self.items, *read(self._state.snapshot_or_refuse(), path.read_bytes())))

    def write(self, path: Path) -> None:
        """Write the list: JSON where the name ends so, else CSV. Raises OSError."""
        snapshot = self._state.snapshot_or_refuse()
        write = library.edits.segments.write_segments
        text = write(snapshot, self.items, as_json=path.suffix == ".json")
        write_file(path, text.encode(), overwrite=True)

    def add(self, frames: range) -> None:
        """Have a further segment of these frames."""
        self.set((*self.items, library.edits.segments.new_segment(self.items, frames)), say("Add segment"))

    def change(self, at: int, gesture: str | None = None, **values: Any) -> None:
        """Give a segment another name, colour, start or stop, or switch it on or off; an end stays before the other."""
        before, after = self.items[at], self.items[at]._replace(**values)
        start = max(0, min(after.start, before.stop - 1))
        stop = max(before.start + 1, min(after.stop, self._state.frames))
        if after != before:
            items = (*self.items[:at], after._replace(start=start, stop=stop), *self.items[at + 1 :])
            self.set(items, say("Change segment"), gesture)

    def move(self, at: int, to: int, gesture: str | None = None) -> None:
        """Put a segment at another place of the list."""
        rest = [*self.items[:at], *self.items[at + 1 :]]
        self.set((*rest[:to], self.items[at], *rest[to:]), say("Move segment"), gesture)

    def remove(self, at: int) -> None:
        """Have a segment no more; its frames stay."""
        self.set((*self.items[:at], *self.items[at + 1 :]), say("Remove segment"))

    def next_shown(self, frame_index: int, by: int) -> int:
        """The first frame that playing shows, from this one on, or with -1 back; beyond the recording where none is."""
        while self.skips and 0 <= frame_index < self._state.frames:
            around = []
            for each in self.items:
                if frame_index in each.frames:
                    around.append(each.is_on)
            if any(around) or not around:
                break
            ends: list[int] = []
            for each in self.items:
                ends.extend((each.start, each.stop))
            on = (end for end in ends if end > frame_index)
            back = (end - 1 for end in ends if end <= frame_index)
            if by > 0:
                frame_index = min(on)
            else:
                frame_index = max(back)
        return frame_index

    # --- following --------------------------------------------------------------------------------------

    def open(self) -> None:
        """Take up the recording that was opened, with the segments that are remembered of its file."""
        recording = self._state.recording
        if recording is not None:
            path = str(recording.path.absolute())
        else:
            path = ""
        listed = self.recall(path)
        self._known = path, listed
        if recording is not None and listed:
            keys = FrameKeys(recording.saved)
            with suppress(RecorderError):  # the file is another one now, or the settings are spoilt
                found = library.edits.segments.read_segments(recording.saved, listed.encode())
                self._held = follow(recording.saved, recording.snapshot, [(each, keys.of(each)) for each in found])
        self.changed.emit()

    def close(self) -> None:
        """Remember the segments, and have none."""
        self.keep()
        if self._held:
            self._held = []
            self.changed.emit()

    def keep(self) -> None:
        """Remember the segments of the file, as its frames are."""
        recording = self._state.recording
        if recording is not None:
            placed = follow(recording.snapshot, recording.saved, self._held)
            there = [each for each, _ in placed if each.frames]
            if there:
                listed = library.edits.segments.write_segments(recording.saved, there, as_json=True)
            else:
                listed = ""
            path = str(recording.path.absolute())
            known_path, known = self._known
            if known_path != path:
                known = ""
            if listed != known:
                self.kept.emit(path, listed, known)
            self._known = path, listed

    def _follow(self, change: Change) -> None:
        if self._held:
            self._held = follow(change.before, change.after, self._held)
            self.changed.emit()  # times and sizes are others, too
