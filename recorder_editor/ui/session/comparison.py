"""Another recording beside the open one: read as a job, compared again after every edit, applied piece by piece.

Knows what differs, not how that is shown.
"""

from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal

import recorder_editor as library

from ...errors import EditError, RecorderError, error_sentence
from ...progress import SILENT, Progress
from ...recording import Edit, Frame, Place, Recording, Snapshot, open_recording
from ...texts import say
from ...views.selection import HEADER
from .editing import Editing
from .jobs import SECONDS_TO_STOP, Failed, Job, LatestJob
from .selection import CurrentSelection
from .state import SessionState

if TYPE_CHECKING:
    from ...reports.diff import ActorChange, Comparison, Difference, FieldGroup, HeaderChange, Thing


_AT_ONCE = 100  # frames that are taken over on the spot, at about 2 ms each; more of them as a job


class Item(NamedTuple):
    """One thing that differs; the first part that is not None says what it is.

    Attributes:
        header: A field of the file header.
        actor: An actor that only one recording has, or that differs.
        group: The differences of one field, in all its frames.
        pair: The number of a pair of frames in the comparison.
        difference: One in that pair; None: the pair as a whole.
        thing: An actor, frames, a packet or the header, with all its differences.
    """

    header: "HeaderChange | None" = None
    actor: "ActorChange | None" = None
    group: "FieldGroup | None" = None
    pair: int | None = None
    difference: "Difference | None" = None
    thing: "Thing | None" = None

    @property
    def key(self) -> Hashable:
        """What identifies a thing or a group in a later comparison, too; None for others."""
        if self.thing is not None:
            return self.thing.key
        if self.group is not None:
            return self.group.key
        return None


class ComparedRecording(QObject):
    """The recording that the open one is compared with.

    Attributes:
        other: The other recording; None while nothing is compared.
        result: The comparison of the newest state that was compared; None before the first one.
        ignored: The keys of things and groups that are ignored.
        chosen: The thing that the scene highlights; None: none.
        is_selected: The chosen thing is what is selected: nothing else was selected since.
        is_wiping: The scene shows this recording at the left of a line, and the other one at its right.

    Signals:
        changed(): Either of them is another.
        marked(): What is ignored, the thing that is chosen, whether it is selected, or whether the scene wipes, is
            another.
        shown(): The chosen thing is to be looked at in the scene.
    """

    changed = Signal()
    marked = Signal()
    shown = Signal()

    def __init__(self, state: SessionState, selection: CurrentSelection, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self._editing = editing
        editing.followed.connect(self.update)
        selection.picked.connect(self._deselect)
        self.other: Recording | None = None
        self.result: Comparison | None = None
        self.ignored: frozenset[Hashable] = frozenset()
        self.chosen: Thing | None = None
        self.is_selected = False
        self.is_wiping = False
        self._reasons: dict[Hashable, str] = {}
        self._partners = np.zeros(0, np.int64)
        self._latest = LatestJob(self, state.jobs, self._start)
        self._taking: Job | None = None  # the newest, which may have ended

    @property
    def is_current(self) -> bool:
        """Whether the comparison is of the state that is shown: no edit came since."""
        comparison = self.result
        snapshot = self._state.snapshot
        if comparison is None or snapshot is None:
            return False
        return comparison.a.table is snapshot.table and comparison.a.header_bytes == snapshot.header_bytes

    @property
    def frames(self) -> npt.NDArray[np.int64]:
        """The frames, rising, that differ or that only the open recording has; none while the comparison is old."""
        comparison = self.result
        if comparison is None or not self.is_current:
            return np.zeros(0, np.int64)
        frames = comparison.alignment.pairs[comparison.differing, 0]
        own: npt.NDArray[np.int64] = frames[frames >= 0]
        return own

    def frame_of_other(self, frame_index: int) -> Frame | None:
        """Return the other recording's frame of the same moment, or None."""
        if self.other is None or self.result is None or frame_index >= len(self._partners):
            return None
        partner = int(self._partners[frame_index])
        if partner >= 0:
            return self.other.snapshot.frame(partner)
        return None

    # --- beginning and ending ---------------------------------------------------------------------------

    def begin_later(self, path: Path, failed: Failed) -> Job:
        """Open another recording beside the open one and compare the two, as a job.

        It is read with the files of packets that were given for the open one, as by the verb `diff`.

        Args:
            path: The other file.
            failed: Is called with the error where it cannot be read.

        Raises:
            EditError: The file that is open is not read to its end.
        """
        # Loaded with the first comparison: the window starts without.
        from ...reports.diff import compare

        snapshot = self._state.snapshot_or_refuse()

        def work(progress: Progress) -> "tuple[Recording, Comparison]":
            other = open_recording(path, progress=progress.part(0, 0.5), packets=snapshot.context.packets.given)
            try:
                return other, compare(snapshot, other.snapshot, progress=progress.part(0.5, 1))
            except BaseException:
                other.close()
                raise

        def done(result: "tuple[Recording, Comparison]") -> None:
            self.stop()
            self.other, comparison = result
            self._take(comparison)
            self.update()

        return self._state.jobs.start(
            title=say("Comparing with {name}", name=path.name), work=work, done=done, failed=failed
        )

    def stop(self) -> None:
        """End the comparison and close the other recording; what is being taken over from it is cancelled."""
        self._latest.stop()
        if self._taking is not None:
            self._taking.cancel()
            self._taking.wait(SECONDS_TO_STOP)
            self._taking = None
        other = self.other
        self.other = None
        self.result = None
        self.ignored = frozenset()
        self.chosen = None
        self.is_selected = False
        self.is_wiping = False
        if other is not None:
            other.close()
            self.changed.emit()

    def update(self) -> None:
        """Compare again, where there was an edit since and none follows for a moment."""
        if self.other is not None and not self.is_current:
            self._latest.begin()

    def _start(self) -> None:
        from ...reports.diff import compare

        snapshot = self._state.snapshot
        other = self.other
        if snapshot is None or other is None:
            return
        other_snapshot = other.snapshot

        def work(progress: Progress) -> "Comparison":
            return compare(snapshot, other_snapshot, progress=progress)

        self._latest.run(say("Comparing with {name}", name=other.path.name), work, self._take)

    def _take(self, comparison: "Comparison") -> None:
        """Keep a comparison, and for each frame the index of the other recording's frame (-1: none)."""
        self.result = comparison
        self._reasons.clear()
        self.chosen = self._same_thing(comparison)
        self.is_selected = self.is_selected and self.chosen is not None
        pairs = comparison.alignment.pairs
        self._partners = np.full(len(comparison.a), -1, np.int64)
        is_own = pairs[:, 0] >= 0
        self._partners[pairs[is_own, 0]] = pairs[is_own, 1]
        self.changed.emit()

    def _same_thing(self, comparison: "Comparison") -> "Thing | None":
        """Return the chosen thing in another comparison; None where it does not differ any more."""
        if self.chosen is not None:
            for thing in comparison.things:
                if thing.key == self.chosen.key:
                    return thing
        return None

    # --- ignoring and choosing --------------------------------------------------------------------------

    def ignore(self, item: Item, *, on: bool = True) -> None:
        """Ignore a thing or a group, or list it again, until the comparison ends."""
        if item.key is None:
            return
        if on:
            self.ignored |= {item.key}
        else:
            self.ignored -= {item.key}
        self.marked.emit()

    def choose(self, thing: "Thing | None") -> None:
        """Highlight a thing in the scene, and select it; None: highlight none."""
        if thing is None and self.chosen is None:
            return
        self.chosen = thing
        if thing is not None:
            self.select(Item(thing=thing))
        self.is_selected = thing is not None
        self.marked.emit()

    def _deselect(self) -> None:
        """Something else is being selected: the thing stays the chosen one in the scene."""
        if self.is_selected:
            self.is_selected = False
            self.marked.emit()

    def is_shown(self, thing: "Thing") -> bool:
        """Return whether the scene shows both recordings at the place of a thing."""
        return self.is_wiping and self.chosen is not None and self.chosen.key == thing.key

    def show(self, thing: "Thing") -> None:
        """Choose a thing, and let the scene show both recordings at its place; the second time end that."""
        if self.is_shown(thing):
            self.wipe(on=False)
            return
        self.is_wiping = True
        self.choose(thing)
        self.marked.emit()
        self.shown.emit()

    def wipe(self, *, on: bool) -> None:
        """Let the scene show both recordings side by side, or only this one with outlines of the other one."""
        if on != self.is_wiping and self.other is not None:
            self.is_wiping = on
            self.marked.emit()

    # --- selecting and taking over ----------------------------------------------------------------------

    def select(self, item: Item) -> None:
        """Select what differs; of a group its first frame, and what is nearest where only the other recording has it.

        An actor that is selected so is brought into sight.
        """
        comparison = self.result
        snapshot = self._state.snapshot
        if comparison is None or snapshot is None or not self.is_current:
            return
        if item.group is not None:
            pair = int(comparison.pairs_of(item.group)[0])
            try:
                item = Item(pair=pair, difference=comparison.details(pair, item.group)[0])
            except (RecorderError, OSError) as error:  # a file was rewritten
                self._state.refused.emit(error_sentence(error))
                return
        if item.header is not None:
            self._selection.select(Place(HEADER, field=item.header.field))
        elif item.thing is not None:
            self._select_thing(comparison, snapshot, item.thing)
        elif item.actor is not None:
            life = item.actor.life_a
            if life is not None:
                self._selection.go_to_frame(life.born)
                self._selection.seek_actor(life.actor)
        elif item.pair is not None:
            frame = self._frame_near(comparison, item.pair)
            if frame is not None:
                self._select_in(snapshot, frame, item.difference)

    def _select_thing(self, comparison: "Comparison", snapshot: Snapshot, thing: "Thing") -> None:
        """Select an actor in a frame in which it differs, the shown one if it does; else a frame or the header."""
        if thing.kind == "header":
            self._selection.select(Place(HEADER))
            return
        frame = self._frame_of(comparison, thing)
        if frame is None:
            return
        row = snapshot.table.row_of_frame(frame)
        is_here = thing.kind == "actor" and thing.only != "b"
        if not is_here:
            self._selection.select(Place(row))
            return
        self._selection.go_to_frame(frame)
        self._selection.seek_actor(thing.ids[0])

    def _frame_of(self, comparison: "Comparison", thing: "Thing") -> int | None:
        """Return a frame of the open recording in which a thing differs: the shown one, else the first or nearest."""
        from ...reports.diff.groups import rows_of_spans

        pairs = comparison.alignment.pairs
        if thing.kind == "carried":
            side = 1 if thing.only == "b" else 0
            rows = np.flatnonzero((pairs[:, side] >= thing.first) & (pairs[:, side] <= thing.last))
        else:
            rows = rows_of_spans(thing.spans)
        if not len(rows):
            return None
        own = pairs[rows, 0]
        shown = self._selection.frame_index
        if (own == shown).any():
            return shown
        frames = own[own >= 0]
        if len(frames):
            return int(frames[0])
        earlier = pairs[: int(rows[0]), 0]
        earlier = earlier[earlier >= 0]
        if len(earlier):
            return int(earlier[-1])
        return 0 if len(comparison.a) else None

    def _select_in(self, snapshot: Snapshot, frame: int, difference: "Difference | None") -> None:
        """Select what differs in a frame, or the frame where the open recording lacks the packet."""
        selection = self._selection
        if difference is None or difference.packet_a is None:
            selection.go_to_frame(frame)
            return
        field = None
        if difference.value_a is not None and difference.path:
            field = difference.path
        row = snapshot.table.row_of_frame(frame)
        selection.select(Place(row, difference.packet_a, difference.record_a, field))
        if selection.actor is not None:
            selection.sought.emit()

    def can_take(self, item: Item) -> bool:
        """Return whether an item can be taken over now."""
        return not self.refusal_of(item)

    def refusal_of(self, item: Item) -> str:
        """Return why an item cannot be taken over; empty where it can."""
        from ...reports.diff import refusal_of

        comparison = self.result
        snapshot = self._state.snapshot
        if comparison is None or snapshot is None or not self.is_current:
            return say("The recordings are being compared again.")
        if not self._state.is_complete:
            return say("The file is still being read.")
        thing = item.thing
        if thing is not None:
            if thing.key not in self._reasons:
                self._reasons[thing.key] = refusal_of(snapshot, comparison, thing)
            return self._reasons[thing.key]
        if item.header is None and item.pair is None and item.group is None:
            return say("Select a thing, or one of the differences below.")
        return ""

    def take(self, item: Item) -> None:
        """Make an item as it is in the other recording, as one step of undo; a refusal is emitted."""
        from ...reports.diff import take_group, take_thing

        comparison = self.result
        frames = 1
        title = say("Taking over the difference")
        if item.thing is not None:
            frames = item.thing.frames
        elif item.group is not None:
            frames = item.group.frames
        if comparison is None or (item.thing is None and item.group is None):
            self._editing.attempt(lambda: self.edit_for(item))
            return
        if not self.can_take(item):
            self._state.refused.emit(self.refusal_of(item))
            return

        def make(snapshot: Snapshot, progress: Progress) -> Edit:
            if item.thing is not None:
                return take_thing(snapshot, comparison, item.thing, progress)
            assert item.group is not None
            return take_group(snapshot, comparison, item.group, progress)

        if frames > _AT_ONCE:
            self._taking = self._editing.attempt_later(title, make)
        else:
            snapshot = self._state.snapshot_or_refuse()
            self._editing.attempt(lambda: make(snapshot, SILENT))

    def edit_for(self, item: Item) -> Edit:
        """Return the edit that makes a field of the header, or a pair of frames, as it is in the other recording.

        Raises:
            EditError: The comparison is old, or the item is another one.
            FieldError: A value does not fit into its field.
        """
        comparison = self.result
        snapshot = self._state.snapshot_or_refuse()
        if comparison is None or not self.is_current:
            raise EditError(say("The recordings are being compared again; try again when that is done."))
        if item.header is not None:
            return _take_header(snapshot, item.header)
        if item.pair is None:
            raise EditError(say("Select a thing, or one of the differences below."))
        if item.difference is not None:
            return _take_difference(comparison, snapshot, item.difference)
        return self._take_pair(comparison, snapshot, item.pair)

    def _take_pair(self, comparison: "Comparison", snapshot: Snapshot, number: int) -> Edit:
        pair = comparison.pair(number)
        if pair.frame_b is None:
            assert pair.frame_a is not None
            return library.edits.delete_rows(snapshot, snapshot.table.row_of_frame(pair.frame_a))
        frame = comparison.b.frame(pair.frame_b)
        later_frames = comparison.alignment.pairs[int(comparison.differing[number]) :, 0]
        later_frames = later_frames[later_frames >= 0]
        if len(later_frames):
            row = snapshot.table.row_of_frame(int(later_frames[0]))
        else:
            row = snapshot.rows
        return library.edits.take_frame(snapshot, row, frame)

    @staticmethod
    def _frame_near(comparison: "Comparison", number: int) -> int | None:
        """Return the frame of a pair, or the last one before it where only the other recording has it."""
        pair = comparison.pair(number)
        if pair.frame_a is not None:
            return pair.frame_a
        earlier_frames = comparison.alignment.pairs[: int(comparison.differing[number]), 0]
        earlier_frames = earlier_frames[earlier_frames >= 0]
        if len(earlier_frames):
            return int(earlier_frames[-1])
        if len(comparison.a):
            return 0
        return None


def _take_header(snapshot: Snapshot, change: "HeaderChange") -> Edit:
    names = {"map": "map_name", "date": "date", "version": "version"}
    if change.field not in names or not isinstance(change.value_b, str | int):
        raise EditError(say("The {field} of the other recording cannot be applied.", field=change.field))
    values: dict[str, Any] = {names[change.field]: change.value_b}
    return library.edits.set_header(snapshot, **values)


def _take_difference(comparison: "Comparison", snapshot: Snapshot, difference: "Difference") -> Edit:
    row = snapshot.table.row_of_frame(difference.frame_a)
    if difference.packet_b is None:
        return library.edits.delete_packet(snapshot, Place(row, difference.packet_a))
    other_packet = comparison.b.frame(difference.frame_b).packets[difference.packet_b]
    place = Place(row, difference.packet_a, difference.record_a)
    if difference.level in ("packet", "bytes"):
        return library.edits.take_packet(snapshot, Place(row, difference.packet_a), other_packet)
    if difference.record_b is None:
        return library.edits.delete_record(snapshot, place)
    is_plain = difference.level == "field" and "[" not in difference.path
    value = difference.value_b
    if is_plain and value is not None and difference.path not in other_packet.type.record.arrays:
        return library.edits.set_field(snapshot, place._replace(field=difference.path), value)
    return library.edits.take_record(snapshot, place, other_packet, difference.record_b)
