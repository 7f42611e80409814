"""The traffic events of the open recording: found as a job once its paths are known.

They are looked for again after edits, with another road map, and by other thresholds; those of before are shown until
then. Of a long recording that is opened, those about the frame that is shown come first.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

import recorder_editor as library

from ...errors import RecorderError, error_sentence
from ...progress import Progress
from ...reading.events.moments import Seconds, frames_about, moments_about
from ...reading.thresholds import STANDARD, Thresholds
from ...recording import Change, Edit, LostPackets, Snapshot
from ...recording.history import loss_text
from ...recording.save import save_copy
from ...texts import say, say_count
from ...views.units import size_text
from .background import Background
from .editing import Editing
from .jobs import LatestJob
from .range import InOutRange
from .selection import CurrentSelection
from .state import SessionState

if TYPE_CHECKING:
    from ...reading.events import EventKind, Events
    from ...roads import RoadMap


FRAMES_FIRST = 2_000
"""So many about the one that is shown are looked at before all others, where there are more than twice as many."""

USUAL_SECONDS = Seconds(before=5.0, after=5.0)
"""What is kept about an event, until other numbers are typed."""


class SoughtEvent(NamedTuple):
    """What an event is known by before it is found.

    Attributes:
        kind: The name of its kind.
        frame: The index of the frame of its worst moment.
        actor: The id of its first actor.
        other: The id of its second actor; None without one.
    """

    kind: str
    frame: int
    actor: int
    other: int | None = None


class TrafficEvents(QObject):
    """The events, their kinds that are shown, the chosen one and what is kept about it, the one under the pointer.

    Attributes:
        found: Those of the newest state that was looked at; None before.
        snapshot: That state, to which the frames of `found` belong; None before.
        is_whole: All frames were looked at, not only those about the one that was shown.
        chosen: The row of the chosen event; None: none.
        pointed: The row of the event under the pointer; None: none.
        switched: Whether a kind is shown, by name, for those that a person showed or hid.
        thresholds: The limits from which something is an event.
        is_selected: Whether the chosen event is what is selected: nothing else was selected since.
        seconds: What is kept about an event.

    Signals:
        changed(): Others were found.
        chosen_changed(): An event was chosen, or none; or it is selected no more; or `seconds` are others.
        pointed_changed(): Another one is under the pointer, or none.
        kinds_changed(): Other kinds are shown.
        thresholds_changed(): Others hold from now on.
    """

    changed = Signal()
    thresholds_changed = Signal()
    chosen_changed = Signal()
    pointed_changed = Signal()
    kinds_changed = Signal()

    def __init__(
        self,
        state: SessionState,
        selection: CurrentSelection,
        span: InOutRange,
        editing: Editing,
        background: Background,
    ) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self._range = span
        self._editing = editing
        self._background = background
        self.found: Events | None = None
        self.snapshot: Snapshot | None = None
        self.is_whole = False
        self.chosen: int | None = None
        self.pointed: int | None = None
        self.switched: Mapping[str, bool] = {}
        self.thresholds = STANDARD
        self.is_selected = False
        self.seconds = USUAL_SECONDS
        self._sought: SoughtEvent | None = None
        self._looked_at: tuple[int, RoadMap | None, Thresholds] | None = None  # version, roads and thresholds
        self._first = LatestJob(self, state.jobs, self._look_first)
        self._latest = LatestJob(self, state.jobs)
        background.trajectories_changed.connect(self._follow)
        selection.picked.connect(self._deselect)

    @property
    def is_looking(self) -> bool:
        """Whether events are being looked for."""
        return self.found is None or self._latest.is_pending or not self.is_whole

    def begin(self) -> None:
        """Begin with the recording that is shown now."""
        self._first.begin(opening=True)

    def set_thresholds(self, thresholds: Thresholds) -> None:
        """Look for events by these thresholds from now on; those that were found stay until others are."""
        if thresholds != self.thresholds:
            self.thresholds = thresholds
            self.thresholds_changed.emit()
            self._follow()

    def stop(self) -> None:
        """Release the recording, without a signal."""
        self._first.stop()
        self._latest.stop()
        self.is_whole = False
        self.found = None
        self.snapshot = None
        self.chosen = None
        self.pointed = None
        self.is_selected = False
        self._sought = None
        self._looked_at = None

    def shows(self, kind: "EventKind") -> bool:
        """Return whether a kind is shown: as a person wished, else where it is not frequent."""
        return self.switched.get(kind.name, not kind.is_frequent)

    def show_kinds(self, switched: Mapping[str, bool]) -> None:
        """Show or hide kinds, by name, and the others as they are at first."""
        if switched != self.switched:
            self.switched = switched
            self.kinds_changed.emit()

    def point_at(self, row: int | None) -> None:
        """Set the event under the pointer; None: none."""
        if row != self.pointed:
            self.pointed = row
            self.pointed_changed.emit()

    def actors_of(self, row: int | None) -> tuple[int, ...]:
        """Return the ids of the actors of an event, one or two; none for None."""
        if self.found is None or row is None:
            return ()
        other = self.found.other(row)
        if other is None:
            return (self.found.life(row).actor,)
        return self.found.life(row).actor, other.actor

    @property
    def is_current(self) -> bool:
        """Whether the events are those of the state that is shown."""
        shown = self._state.snapshot
        return shown is not None and self.snapshot is not None and shown.version == self.snapshot.version

    def choose(self, row: int | None) -> None:
        """Choose an event, by its row: go to its worst moment, show its actors and propose the range about it.

        Args:
            row: The row; None: choose none, and take the proposed range back.
        """
        if self.found is None or (row is not None and row >= len(self.found)):
            row = None
        is_other = row != self.chosen
        self.chosen = row
        if row is not None and self.found is not None:
            self._selection.go_to_frame(int(self.found.table["worst"][row]))
            self._selection.select_actors(self.actors_of(row))
            self._selection.sought.emit()
        self.is_selected = row is not None
        self.propose()
        if is_other or row is not None:
            self.chosen_changed.emit()

    def seek(self, sought: SoughtEvent) -> None:
        """Choose an event as soon as it is found, unless something else is selected before that."""
        self._sought = sought
        self._choose_sought()

    def _choose_sought(self) -> None:
        sought = self._sought
        if sought is None or self.found is None or not self.is_current:
            return
        row = _row_of(self.found, sought)
        if row is not None:
            self.choose(row)
        elif self.is_whole:
            self._sought = None

    def leave(self) -> bool:
        """Choose no event any more, and take the proposed range back; return False where none was chosen."""
        if self.chosen is None:
            return False
        self.choose(None)
        return True

    def _deselect(self) -> None:
        """Something else is being selected: the event stays the chosen one, where the next one is looked for."""
        self._sought = None
        if self.is_selected:
            self.is_selected = False
            self.chosen_changed.emit()

    # --- the seconds about it ---------------------------------------------------------------------------

    @property
    def frames_about(self) -> range:
        """The frames about the worst moment of the chosen event; none without one, or until it is found anew."""
        if self.chosen is None or self.found is None or self.snapshot is None or not self.is_current:
            return range(0)
        return frames_about(self.snapshot, self.found, self.chosen, self.seconds)

    @property
    def worst_frame(self) -> int | None:
        """The frame of the worst moment of the chosen event; None without one, or until it is found anew."""
        if self.chosen is None or self.found is None or not self.is_current:
            return None
        return int(self.found.table["worst"][self.chosen])

    def propose(self) -> None:
        """Propose the range about the chosen event; without one take the proposed range back."""
        self._range.propose(self.frames_about)

    def set_seconds(self, seconds: Seconds) -> None:
        """Keep other seconds about events, and propose the range of these."""
        self.seconds = seconds
        self.propose()
        self.chosen_changed.emit()

    @property
    def file_name(self) -> str:
        """The name for a recording of the chosen event alone; empty without one."""
        if self.chosen is None or self.found is None or self.snapshot is None:
            return ""
        names = moments_about(self.snapshot, self.found.only(self.chosen), self.seconds, self._state.path)
        name, _ = next(names)
        return name

    def trim(self) -> None:
        """Keep only the frames about the chosen event, as a job and one step of undo."""
        frames = self.frames_about
        if not frames:
            return

        def work(snapshot: Snapshot, progress: Progress) -> Edit:
            return library.edits.trim(snapshot, frames, progress=progress)

        def done(change: Change) -> None:
            text = say_count(
                "Kept 1 frame. Undo takes it back.",
                "Kept {count:,} frames. Undo takes it back.",
                count=len(change.after),
            )
            self._state.informed.emit(text)

        self._editing.attempt_later(say("Trimming"), work, done=done, clears_range=True)

    def save(self, target: Path) -> None:
        """Write the frames about the chosen event as a recording of its own, as a job; an existing file is replaced."""
        frames = self.frames_about
        snapshot = self.snapshot
        if not frames or snapshot is None:
            return
        from ...edits.trim import losses_before, part_of  # the first picture does without

        def work(progress: Progress) -> tuple[int, tuple[LostPackets, ...]]:
            part = part_of(snapshot, frames)
            losses = losses_before(snapshot, [frames], progress.quiet())
            save_copy(part, target, progress, overwrite=True)
            return part.size, losses

        self._state.jobs.start(
            say("Writing {name}", name=target.name), work, partial(self._tell_saved, target, len(frames)), self._refuse
        )

    def _tell_saved(self, target: Path, frames: int, result: tuple[int, tuple[LostPackets, ...]]) -> None:
        size, losses = result
        text = say_count(
            "Wrote {name}: 1 frame, {size}",
            "Wrote {name}: {count:,} frames, {size}",
            name=target.name,
            count=frames,
            size=size_text(size),
        )
        self._state.informed.emit(text)
        if losses:
            self._state.refused.emit(loss_text(losses))

    def _refuse(self, error: Exception) -> None:
        if isinstance(error, (RecorderError, OSError)):
            self._state.refused.emit(error_sentence(error))
        else:
            self._state.jobs.failed.emit(error)

    # --- following the recording ------------------------------------------------------------------------

    def _follow(self) -> None:
        """Look for the events of a state whose paths are known; once for each state, road map and thresholds."""
        snapshot = self._state.snapshot
        trajectories = self._background.trajectories
        if snapshot is None or trajectories is None or trajectories.version != snapshot.version:
            return
        state = (snapshot.version, snapshot.roads, self.thresholds)
        if state != self._looked_at:
            self._looked_at = state
            self._start(snapshot)

    def _look_first(self) -> None:
        """Look for the events about the frame that is shown, if the recording is long and none are known."""
        snapshot = self._state.snapshot
        if self.found is not None or snapshot is None or len(snapshot) <= 2 * FRAMES_FIRST:
            return
        start = max(0, min(self._selection.frame_index - FRAMES_FIRST // 2, len(snapshot) - FRAMES_FIRST))
        self._run(self._first, snapshot, range(start, start + FRAMES_FIRST))

    def _start(self, snapshot: Snapshot) -> None:
        self._run(self._latest, snapshot, None)

    def _run(self, latest: LatestJob, snapshot: Snapshot, frames: range | None) -> None:
        # The first picture does without. Not in the job: two threads that load a package could wait for each other.
        from ...reading.events import find_events

        thresholds = self.thresholds

        def work(progress: Progress) -> "Events":
            return find_events(snapshot, thresholds, frames=frames, progress=progress)

        latest.run(say("Looking for traffic events"), work, partial(self._take, snapshot, frames is None))

    def _take(self, snapshot: Snapshot, is_whole: bool, found: "Events") -> None:
        """Show what was found in a state; the chosen event stays where it is found again."""
        chosen = self._found_again(snapshot, found)
        if is_whole:
            self._first.cancel()
        self.is_whole = is_whole
        had_chosen = self.chosen is not None
        self.found = found
        self.snapshot = snapshot
        self.chosen = chosen
        self.point_at(None)
        if chosen is None:
            self.is_selected = False
        self.propose()
        self.changed.emit()
        if had_chosen and chosen is None:
            self.chosen_changed.emit()
        self._choose_sought()

    def _found_again(self, snapshot: Snapshot, found: "Events") -> int | None:
        """Return the row of the chosen event among those of another state; None where it is no more.

        It is of the same kind and actors and has frames of before, by their ids, which cuts and inserted frames leave.
        """
        if self.chosen is None or self.found is None or self.snapshot is None:
            return None
        before = self.found
        chosen = self.chosen
        first, worst, last = _frame_ids(self.snapshot, before, chosen)
        same = []
        for row in range(len(found)):
            if _who(found, row) != _who(before, chosen):
                continue
            new_first, new_worst, new_last = _frame_ids(snapshot, found, row)
            if new_first <= last and new_last >= first:
                same.append((abs(new_worst - worst), row))
        return min(same)[1] if same else None


def _frame_ids(snapshot: Snapshot, events: "Events", row: int) -> tuple[int, int, int]:
    """Return the ids in the file of the first, the worst and the last frame of an event."""
    event = events.table[row]
    first, worst, last = (snapshot.frame(int(event[name])).frame_id for name in ("first", "worst", "last"))
    return first, worst, last


def _row_of(events: "Events", sought: SoughtEvent) -> int | None:
    """Return the row of an event that is known by its kind, worst moment and actors; None where there is none."""
    wanted = (sought.kind, sought.actor, sought.other)
    for row in range(len(events)):
        if int(events.table["worst"][row]) == sought.frame and _who(events, row) == wanted:
            return row
    return None


def _who(events: "Events", row: int) -> tuple[str, int, int | None]:
    """Return kind and actors of an event; lives have other indices after edits."""
    other = events.other(row)
    return events.kind(row).name, events.life(row).actor, other.actor if other is not None else None
