"""Another recording beside the open one: read as a job, compared again after every edit, taken from piece by piece.

Knows what differs, not how that is shown.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal

import recorder_editor as library

from ...errors import EditError
from ...progress import Progress
from ...recording import Edit, Frame, Place, Recording, Snapshot, open_recording
from ...texts import say
from ...views.selection import HEADER
from .editing import Editing
from .jobs import Failed, Job, LatestJob
from .selection import CurrentSelection
from .state import SessionState

if TYPE_CHECKING:
    from ...reports.diff import ActorChange, Comparison, Difference, FieldGroup, HeaderChange


class Item(NamedTuple):
    """One thing that differs; the first part that is not None says what it is.

    Attributes: `header`, `actor`, `group` (of one field, in all its frames), `pair` (number of a pair of frames in the
    comparison), `difference` (in that pair; None: the pair as a whole).
    """

    header: "HeaderChange | None" = None
    actor: "ActorChange | None" = None
    group: "FieldGroup | None" = None
    pair: int | None = None
    difference: "Difference | None" = None


class ComparedRecording(QObject):
    """The recording that the open one is compared with.

    Attributes: `other` (None while nothing is compared), `found` (of the newest state that was compared; None before
    the first one). Signal: `changed` (either of them is another).
    """

    changed = Signal()

    def __init__(self, state: SessionState, selection: CurrentSelection, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self._editing = editing
        editing.followed.connect(self.look)
        self.other: Recording | None = None
        self.found: Comparison | None = None
        self._partners = np.zeros(0, np.int64)
        self._latest = LatestJob(self, state.jobs, self._again)

    @property
    def is_current(self) -> bool:
        """What is shown is what was compared: no edit came since."""
        found = self.found
        snapshot = self._state.snapshot
        if found is None or snapshot is None:
            return False
        return found.a.table is snapshot.table and found.a.header_bytes == snapshot.header_bytes

    @property
    def frames(self) -> npt.NDArray[np.int64]:
        """The frames, rising, that differ or that only the open recording has; none while that is not known."""
        found = self.found
        if found is None or not self.is_current:
            return np.zeros(0, np.int64)
        frames = found.alignment.pairs[found.differing, 0]
        here: npt.NDArray[np.int64] = frames[frames >= 0]
        return here

    def frame_of_other(self, frame_index: int) -> Frame | None:
        """The other's frame of the same moment, or None."""
        if self.other is None or self.found is None or frame_index >= len(self._partners):
            return None
        partner = int(self._partners[frame_index])
        if partner >= 0:
            return self.other.snapshot.frame(partner)
        return None

    # --- beginning and ending ---------------------------------------------------------------------------

    def begin_later(self, path: Path, failed: Failed) -> Job:
        """Open another recording beside the open one and compare the two, as a job."""
        # Loaded when somebody compares: the window starts without.
        from ...reports.diff import compare

        snapshot = self._state.snapshot_or_refuse()

        def work(progress: Progress) -> "tuple[Recording, Comparison]":
            other = open_recording(path, progress=progress.part(0, 0.5))
            try:
                return other, compare(snapshot, other.snapshot, progress=progress.part(0.5, 1))
            except BaseException:
                other.close()
                raise

        def done(result: "tuple[Recording, Comparison]") -> None:
            self.stop()
            self.other = result[0]
            self._take(result[1])
            self.look()

        return self._state.jobs.start(say("Comparing with {name}", name=path.name), work, done, failed)

    def stop(self) -> None:
        """Compare no more."""
        self._latest.stop()
        other = self.other
        self.other = None
        self.found = None
        if other is not None:
            other.close()
            self.changed.emit()

    def look(self) -> None:
        """Compare again when edits have come to rest, if there was one since."""
        if self.other is not None and not self.is_current:
            self._latest.begin()

    def _again(self) -> None:
        from ...reports.diff import compare

        snapshot = self._state.snapshot
        other = self.other
        if snapshot is None or other is None:
            return
        theirs = other.snapshot

        def work(progress: Progress) -> "Comparison":
            return compare(snapshot, theirs, progress=progress)

        self._latest.run(say("Comparing with {name}", name=other.path.name), work, self._take)

    def _take(self, found: "Comparison") -> None:
        """Keep a comparison, and for each frame the index of the other's, -1 for none; tell that it is another."""
        self.found = found
        pairs = found.alignment.pairs
        self._partners = np.full(len(found.a), -1, np.int64)
        here = pairs[:, 0] >= 0
        self._partners[pairs[here, 0]] = pairs[here, 1]
        self.changed.emit()

    # --- where, and taking ------------------------------------------------------------------------------

    def select(self, item: Item) -> None:
        """Select what differs, of a group in its first frame; where only the other has it, what stands nearest.

        An actor that is selected so is brought into sight.
        """
        selection = self._selection
        found = self.found
        snapshot = self._state.snapshot
        if found is None or snapshot is None or not self.is_current:
            return
        if item.group is not None:
            pair = int(found.pairs_of(item.group)[0])
            item = Item(pair=pair, difference=found.details(pair, item.group)[0])
        if item.header is not None:
            selection.select(Place(HEADER, field=item.header.field))
        elif item.actor is not None:
            life = item.actor.life_a or item.actor.life_b
            assert life is not None
            if item.actor.life_a is not None:
                selection.go_to_frame(life.born)
                selection.seek_actor(life.actor)
        elif item.pair is not None:
            frame = self._frame_near(found, item.pair)
            if frame is None:
                return
            difference = item.difference
            if difference is None or difference.packet_a is None:
                selection.go_to_frame(frame)
            else:
                field = difference.path if difference.value_a is not None else None
                row = snapshot.table.row_of_frame(frame)
                selection.select(Place(row, difference.packet_a, difference.record_a, field or None))
                if selection.actor is not None:
                    selection.sought.emit()

    def can_take(self, item: Item) -> bool:
        """There is something to take from the other: actors come with their records, groups frame by frame."""
        one = item.header is not None or item.pair is not None
        return self.is_current and one and self._state.is_complete

    def take(self, item: Item) -> None:
        """Make this here as it is in the other; one undo step. A refusal is announced."""
        self._editing.attempt(lambda: self.edit_for(item))

    def edit_for(self, item: Item) -> Edit:
        """The edit that makes this here as it is in the other; raises `EditError`, `FieldError`."""
        found = self.found
        snapshot = self._state.snapshot_or_refuse()
        if found is None or not self.is_current:
            raise EditError(say("The recordings are being compared again; try again when that is done."))
        if item.header is not None:
            return _take_header(snapshot, item.header)
        if item.pair is None:
            raise EditError(say("Actors and groups are applied frame by frame: select one of their frames."))
        if item.difference is not None:
            return _take_difference(found, snapshot, item.difference)
        return self._take_pair(found, snapshot, item.pair)

    def _take_pair(self, found: "Comparison", snapshot: Snapshot, number: int) -> Edit:
        pair = found.pair(number)
        if pair.frame_b is None:
            assert pair.frame_a is not None
            return library.edits.delete_rows(snapshot, snapshot.table.row_of_frame(pair.frame_a))
        frame = found.b.frame(pair.frame_b)
        following = found.alignment.pairs[int(found.differing[number]) :, 0]
        following = following[following >= 0]
        if len(following):
            row = snapshot.table.row_of_frame(int(following[0]))
        else:
            row = snapshot.rows
        return library.edits.take_frame(snapshot, row, frame)

    @staticmethod
    def _frame_near(found: "Comparison", number: int) -> int | None:
        """The frame of a pair, or the last one before it where only the other has it."""
        pair = found.pair(number)
        if pair.frame_a is not None:
            return pair.frame_a
        before = found.alignment.pairs[: int(found.differing[number]), 0]
        before = before[before >= 0]
        if len(before):
            return int(before[-1])
        if len(found.a):
            return 0
        return None


def _take_header(snapshot: Snapshot, change: "HeaderChange") -> Edit:
    names = {"map": "map_name", "date": "date", "version": "version"}
    if change.field not in names or not isinstance(change.value_b, str | int):
        raise EditError(say("The {field} of the other recording cannot be applied.", field=change.field))
    values: dict[str, Any] = {names[change.field]: change.value_b}
    return library.edits.set_header(snapshot, **values)


def _take_difference(found: "Comparison", snapshot: Snapshot, difference: "Difference") -> Edit:
    row = snapshot.table.row_of_frame(difference.frame_a)
    if difference.packet_b is None:
        return library.edits.delete_packet(snapshot, Place(row, difference.packet_a))
    theirs = found.b.frame(difference.frame_b).packets[difference.packet_b]
    here = Place(row, difference.packet_a, difference.record_a)
    if difference.level in ("packet", "bytes"):
        return library.edits.take_packet(snapshot, Place(row, difference.packet_a), theirs)
    if difference.record_b is None:
        return library.edits.delete_record(snapshot, here)
    is_plain = difference.level == "field" and "[" not in difference.path and difference.value_b is not None
    if is_plain and difference.path not in theirs.type.record.arrays:
        assert difference.value_b is not None
        return library.edits.set_field(snapshot, here._replace(field=difference.path), difference.value_b)
    return library.edits.take_record(snapshot, here, theirs, difference.record_b)
