"""The traffic events of the open recording: found as a job once its paths are known.

They are looked for again after edits, with another road map, and by other thresholds.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ...progress import Progress
from ...reading.events.moments import frames_about
from ...reading.thresholds import STANDARD, Thresholds
from ...recording import Snapshot
from ...texts import say
from .background import Background
from .jobs import LatestJob
from .selection import CurrentSelection
from .state import SessionState

if TYPE_CHECKING:
    from ...reading.events import EventKind, Events
    from ...roads import RoadMap


class TrafficEvents(QObject):
    """The events, the kinds of them that are shown, the one that was chosen and the one under the pointer.

    Attributes:
        found: Those of the newest state that was looked at; None before.
        chosen: The row of the chosen event; None: none.
        pointed: The row of the event under the pointer; None: none.
        switched: Whether a kind is shown, by name, for those that a person showed or hid.
        thresholds: The limits from which something is an event.

    Signals:
        changed(): Others were found.
        chosen_changed(): Another one was chosen, or none.
        pointed_changed(): Another one is under the pointer, or none.
        kinds_changed(): Other kinds are shown.
        thresholds_changed(): Others hold from now on.
    """

    changed = Signal()
    thresholds_changed = Signal()
    chosen_changed = Signal()
    pointed_changed = Signal()
    kinds_changed = Signal()

    def __init__(self, state: SessionState, selection: CurrentSelection, background: Background) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self._background = background
        self.found: Events | None = None
        self.chosen: int | None = None
        self.pointed: int | None = None
        self.switched: Mapping[str, bool] = {}
        self.thresholds = STANDARD
        self._looked_at: tuple[int, RoadMap | None, Thresholds] | None = None  # version, roads and thresholds
        self._latest = LatestJob(self, state.jobs)
        background.trajectories_changed.connect(self._follow)

    @property
    def is_looking(self) -> bool:
        """Whether events are being looked for."""
        return self.found is None or self._latest.is_pending

    def set_thresholds(self, thresholds: Thresholds) -> None:
        """Look for events by these thresholds from now on; those that were found stay until others are."""
        if thresholds != self.thresholds:
            self.thresholds = thresholds
            self.thresholds_changed.emit()
            self._follow()

    def stop(self) -> None:
        """Release the recording, without a signal."""
        self._latest.stop()
        self.found = None
        self.chosen = None
        self.pointed = None
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

    def choose(self, row: int | None) -> None:
        """Choose an event, by its row: go to its worst moment and select its actors; None: choose none."""
        if self.found is None or (row is not None and row >= len(self.found)):
            row = None
        is_other = row != self.chosen
        self.chosen = row
        if row is not None and self.found is not None:
            self._selection.go_to_frame(int(self.found.table["worst"][row]))
            self._selection.select_actors(self.actors_of(row))
        if is_other:
            self.chosen_changed.emit()

    def frames_about(self, seconds: float) -> range:
        """Return the frames so many seconds before and after the worst moment of the chosen event; none without one."""
        snapshot = self._state.snapshot
        if self.chosen is None or self.found is None or snapshot is None:
            return range(0)
        return frames_about(snapshot, self.found, self.chosen, seconds)

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

    def _start(self, snapshot: Snapshot) -> None:
        # The first picture does without. Not in the job: two threads that load a package could wait for each other.
        from ...reading.events import find_events

        thresholds = self.thresholds

        def work(progress: Progress) -> "Events":
            return find_events(snapshot, thresholds, progress=progress)

        self._latest.run(say("Looking for traffic events"), work, self._take)

    def _take(self, found: "Events") -> None:
        """Show what was found; the chosen event stays where it is found again."""
        chosen = self._found_again(found)
        had_chosen = self.chosen is not None
        self.found = found
        self.chosen = chosen
        self.point_at(None)
        self.changed.emit()
        if had_chosen and chosen is None:
            self.chosen_changed.emit()

    def _found_again(self, found: "Events") -> int | None:
        """Return the row of the chosen event among others: that of the same kind and actors with the nearest moment."""
        if self.chosen is None or self.found is None:
            return None
        before = self.found
        chosen = self.chosen
        worst = int(before.table["worst"][chosen])
        same = []
        for row in range(len(found)):
            if _who(found, row) == _who(before, chosen):
                same.append((abs(int(found.table["worst"][row]) - worst), row))
        return min(same)[1] if same else None


def _who(events: "Events", row: int) -> tuple[str, int, int | None]:
    """Return kind and actors of an event; lives have other indices after edits."""
    other = events.other(row)
    return events.kind(row).name, events.life(row).actor, other.actor if other is not None else None
