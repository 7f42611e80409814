"""The lives that meet each colour rule: in a frame at once, over the recording as a job, and again after edits."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, Signal

from ...arrays import IntArray
from ...errors import RecorderError
from ...recording import Change, Frame, Snapshot
from ...texts import say
from .color_rules import NO_MATCHES, ColorRule, ColorRules, find_matches
from .editing import Editing
from .jobs import LatestJob
from .state import SessionState

_MOST_FRAMES = 256


class RuleColors(QObject):
    """The colour rules of all panes.

    Attributes:
        rules: The rules.
        is_on: Actors are coloured by them.
        matches: What `find_matches` has returned for the recording; empty until the job is done.

    Signals:
        changed(): Any of them is another.
    """

    changed = Signal()

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self.rules = ColorRules()
        self.is_on = False
        self.matches = NO_MATCHES
        self._frames: dict[int, Mapping[int, ColorRule]] = {}
        self._frames_of: Snapshot | None = None
        self._latest = LatestJob(self, state.jobs, self._start)
        editing.followed.connect(self._follow)
        state.lanes_changed.connect(self.restart)

    def show(self, rules: ColorRules, *, on: bool) -> None:
        """Colour actors by these rules, or where they are not `on` do not colour them."""
        if (rules.lines, on) != (self.rules.lines, self.is_on):
            self.rules = rules
            self.is_on = on
            self.restart()

    def restart(self) -> None:
        """Drop all results, which are of another state or of other rules, and compute them anew."""
        self.matches = NO_MATCHES
        self._frames_of = None
        self.changed.emit()
        self._begin(at_once=True)

    def _follow(self, _change: Change) -> None:
        self._begin()

    def _begin(self, *, at_once: bool = False) -> None:
        if self.is_on:
            self._latest.begin(at_once=at_once)

    def stop(self) -> None:
        """Release the recording."""
        self._latest.stop()
        self._frames_of = None

    def of_row(self, row: int) -> Mapping[int, ColorRule]:
        """Return the rules that lives meet in the frame of a row.

        Returns:
            The first rule of each life, by its index; none where rules are off, or the row cannot be read.
        """
        snapshot = self._state.snapshot
        actors = self._state.actors
        if not self.is_on or snapshot is None or actors is None or not 0 <= row < snapshot.rows:
            return {}
        if self._frames_of is not snapshot or len(self._frames) > _MOST_FRAMES:
            self._frames = {}
            self._frames_of = snapshot
        if row not in self._frames:
            self._frames[row] = {}
            with suppress(RecorderError, OSError):  # views call this while they paint
                frame = snapshot.row(row)
                if isinstance(frame, Frame):
                    self._frames[row] = self.rules.first_rules(snapshot, frame, actors)
        return self._frames[row]

    def _start(self) -> None:
        snapshot = self._state.snapshot
        if snapshot is not None and self._state.is_complete and self.is_on:
            work = partial(find_matches, snapshot, self.rules.of(snapshot.dialect))
            self._latest.run(say("Colouring by rules"), work, self._take)

    def _take(self, met: IntArray) -> None:
        self.matches = met
        self.changed.emit()
