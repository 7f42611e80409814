"""The segments of the recording, and where their frames are after edits.

A segment whose frames are all gone is hidden until an undo brings them back. What a person does to the list is a step
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
    """A state of the list.

    Attributes:
        items: The segments that have frames.
        held: All segments, each with the keys of its rows.
    """

    items: "tuple[Segment, ...]"
    held: "tuple[tuple[Segment, IntArray], ...]" = field(compare=False)


class Segments(QObject):
    """The segments in the order of their list.

    Attributes:
        skips: Playing leaves out the segments that are off.
        recall: Returns the list that is remembered of a file, as JSON, by its path.

    Signals:
        changed(): The segments are others.
        list_changed(str, str, str): The list of a file is to be remembered: its path, the list as JSON, and the last
            one that was recalled or kept here.
    """

    changed = Signal()
    list_changed = Signal(str, str, str)

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self.skips = False
        self.recall: Callable[[str], str] = lambda _path: ""
        self._held: list[tuple[Segment, IntArray]] = []  # each with keys of rows
        self._kept_path = ""
        self._kept_list = ""  # the list of that file, as recalled or kept last
        self._debounce = Debounce(self, self.keep)
        editing.changed.connect(self._follow)

    # --- the list ---------------------------------------------------------------------------------------

    @property
    def items(self) -> "tuple[Segment, ...]":
        """The segments that have frames."""
        return tuple(segment for segment, _ in self._held if segment.frames)

    @property
    def chosen(self) -> list[range]:
        """The frames of each segment that is on."""
        return [segment.frames for segment in self.items if segment.is_on]

    def set(self, items: "Iterable[Segment]", label: str = "", gesture: str | None = None) -> None:
        """Make these the segments, in this order.

        Args:
            items: All that have frames.
            label: The name of the step; empty: *Change segments*.
            gesture: Consecutive steps of the same gesture are one step.
        """
        before = SegmentList(self.items, tuple(self._held))
        items = tuple(items)
        keys = FrameKeys(self._state.snapshot_or_refuse())
        rows_of = dict(self._held)
        rows_of_replaced = {}  # by start and stop: another name or colour leaves the rows as they are
        for segment, rows in self._held:
            if segment not in items:
                rows_of_replaced[segment.start, segment.stop] = rows
        held = []
        for segment in items:
            if segment in rows_of:
                rows = rows_of[segment]
            elif (segment.start, segment.stop) in rows_of_replaced:
                rows = rows_of_replaced[segment.start, segment.stop]
            else:
                rows = keys.of(segment)
            held.append((segment, rows))
        for index, pair in enumerate(self._held):
            if not pair[0].frames:  # a hidden segment keeps its place
                held.insert(index, pair)
        after = SegmentList(items, tuple(held))
        self._show(before, after)
        if after != before:
            step = MarkStep(
                label=label or say("Change segments"), move=self._show, before=before, after=after, gesture=gesture
            )
            self._state.add_step(step)

    def _show(self, before: SegmentList, after: SegmentList) -> None:
        """Show a state of the list in place of another one."""
        self._held = list(after.held)
        if len(after.items) != len(before.items):
            self._state.announced.emit(say_count("1 segment", "{count:,} segments", count=len(after.items)))
        self.changed.emit()
        self._debounce.begin()

    def _attempt(self, label: str, make: Callable[[], "Iterable[Segment]"]) -> None:
        """Set the segments that are made; errors become refusals."""
        self._state.attempt(lambda: self.set(make(), label))

    def split(self, frame_index: int) -> None:
        """Split the segment that holds a frame at the start of that; without segments, the whole recording."""
        split = library.edits.segments.split_segments
        self._attempt(say("Split segment"), lambda: split(self.items, frame_index, self._state.frames))

    def read(self, path: Path) -> None:
        """Add the segments of a file, CSV or JSON."""
        read = library.edits.segments.read_segments

        def make() -> "list[Segment]":
            segments = list(self.items)
            segments.extend(read(self._state.snapshot_or_refuse(), path.read_bytes()))
            return segments

        self._attempt(say("Import segments"), make)

    def write(self, path: Path) -> None:
        """Write the list to a file: JSON where its name ends so, else CSV.

        Raises:
            EditError: No recording is read to its end.
            OSError: The file cannot be written.
        """
        snapshot = self._state.snapshot_or_refuse()
        write = library.edits.segments.write_segments
        text = write(snapshot, self.items, as_json=path.suffix == ".json")
        write_file(path, text.encode(), overwrite=True)

    def add(self, frames: range) -> None:
        """Add a segment of these frames."""
        segments = list(self.items)
        segments.append(library.edits.segments.new_segment(self.items, frames))
        self.set(segments, say("Add segment"))

    def change(self, index: int, gesture: str | None = None, **values: Any) -> None:
        """Change a segment; its start stays before its stop.

        Args:
            index: Its place in the list.
            gesture: Consecutive steps of the same gesture are one step.
            values: New values of attributes of `Segment`.
        """
        before = self.items[index]
        after = before._replace(**values)
        start = max(0, min(after.start, before.stop - 1))
        stop = max(before.start + 1, min(after.stop, self._state.frames))
        if after != before:
            segments = list(self.items)
            segments[index] = after._replace(start=start, stop=stop)
            self.set(segments, say("Change segment"), gesture)

    def move(self, index: int, to: int, gesture: str | None = None) -> None:
        """Move a segment of the list from an index to another one."""
        segments = list(self.items)
        segments.insert(to, segments.pop(index))
        self.set(segments, say("Move segment"), gesture)

    def remove(self, index: int) -> None:
        """Remove a segment from the list; its frames stay in the recording."""
        self.set(self.items[:index] + self.items[index + 1 :], say("Remove segment"))

    def next_shown(self, frame_index: int, by: int) -> int:
        """Return the first frame that playing shows.

        Args:
            frame_index: The frame to begin with.
            by: 1: go forward, -1: backward.

        Returns:
            A frame outside the recording where there is none.
        """
        while self.skips and 0 <= frame_index < self._state.frames and self._is_left_out(frame_index):
            ends: list[int] = []
            for segment in self.items:
                ends.extend((segment.start, segment.stop))
            if by > 0:
                frame_index = min(end for end in ends if end > frame_index)
            else:
                frame_index = max(end - 1 for end in ends if end <= frame_index)
        return frame_index

    def _is_left_out(self, frame_index: int) -> bool:
        """Return whether a frame is in a segment, and in none that is on."""
        is_in_segment = False
        for segment in self.items:
            if frame_index in segment.frames:
                if segment.is_on:
                    return False
                is_in_segment = True
        return is_in_segment

    # --- following --------------------------------------------------------------------------------------

    def open(self) -> None:
        """Take the segments that are remembered of the file that was opened."""
        recording = self._state.recording
        path = ""
        if recording is not None:
            path = str(recording.path.absolute())
        remembered = self.recall(path)
        self._kept_path = path
        self._kept_list = remembered
        if recording is not None and remembered:
            keys = FrameKeys(recording.saved)
            with suppress(RecorderError):  # the file is another one now, or the settings are spoilt
                segments = library.edits.segments.read_segments(recording.saved, remembered.encode())
                placed = [(segment, keys.of(segment)) for segment in segments]
                self._held = follow(recording.saved, recording.snapshot, placed)
        self.changed.emit()

    def close(self) -> None:
        """Remember the segments, and show none."""
        self.keep()
        if self._held:
            self._held = []
            self.changed.emit()

    def keep(self) -> None:
        """Remember the segments of the file, as its frames are."""
        recording = self._state.recording
        if recording is None:
            return
        placed = follow(recording.snapshot, recording.saved, self._held)
        segments = [segment for segment, _ in placed if segment.frames]
        text = ""
        if segments:
            text = library.edits.segments.write_segments(recording.saved, segments, as_json=True)
        path = str(recording.path.absolute())
        before = ""
        if self._kept_path == path:
            before = self._kept_list
        if text != before:
            self.list_changed.emit(path, text, before)
        self._kept_path = path
        self._kept_list = text

    def _follow(self, change: Change) -> None:
        if self._held:
            self._held = follow(change.before, change.after, self._held)
            self.changed.emit()  # times and sizes are others, too
