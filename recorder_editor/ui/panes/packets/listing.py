"""Lists what a filter finds in the whole recording: jobs look through it block by block, each hands over its matches.

Knows no widget: who shows the matches is told of them.
"""

import time
from functools import partial

from PySide6.QtCore import QObject, Signal

from ....progress import Progress
from ....recording import Change
from ....texts import say
from ....views.packet_filter import ExpressionError, Filter, Finder
from ....views.packet_matches import Match
from ...session import Session
from ...session.jobs import LatestJob

MAX_ROWS = 5_000
"""Rows of the tree that matches may take, with their frames and packets."""

_SMALLEST = 3  # a frame, a packet, a record
_ROWS_OF_FIRST_BLOCK = 200
_SECONDS_OF_A_BLOCK = 0.3
_ROWS_AT_ONCE = 4_096
_MOST_ROWS_AT_ONCE = 16


class Listing(QObject):
    """The matches of one filter.

    Attributes: `wanted` (the filter; None while nothing is listed), `matches` (so far), `row` (the rows before it are
    looked through), `is_full` (there are more, which are not listed), `error` (a sentence, or empty). Signals: `begun`
    (from nothing), `found(list[Match])` (in the order of rows, behind those before), `progressed`.
    """

    begun = Signal()
    found = Signal(list)
    progressed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.wanted: Filter | None = None
        self._finder: Finder | None = None
        self._latest = LatestJob(self, session.jobs, self._look)
        self._matches: dict[int, Match] = {}  # by row
        self.row = 0
        self.is_full = False
        self.error = ""

    @property
    def is_running(self) -> bool:
        """There may be more to come."""
        return self._latest.is_pending

    @property
    def matches(self) -> list[Match]:
        """Matches so far, in the order of rows."""
        return [self._matches[row] for row in sorted(self._matches)]

    def begin(self, wanted: Filter) -> None:
        """List what this filter finds, from the first frame on; whatever was looked for before is given up."""
        self._latest.cancel()
        self.wanted = wanted
        self._finder = None
        self._matches.clear()
        self.row = 0
        self.is_full = False
        self.error = ""
        self.begun.emit()
        self._look()

    def end(self) -> None:
        """List nothing any more."""
        self._latest.cancel()
        self.wanted = None
        self._finder = None

    def change(self, change: Change) -> list[int] | None:
        """Follow an edit; returns the few rows that it changed, and None where everything is looked at anew."""
        wanted = self.wanted
        if wanted is None:
            return None
        rows: list[int] = []
        for at, _, inserted in change.splices:
            rows.extend(range(at, at + inserted)[: _MOST_ROWS_AT_ONCE + 1])
        moved = any(removed != inserted for _, removed, inserted in change.splices)
        if moved or len(rows) > _MOST_ROWS_AT_ONCE or change.dialect:
            self.begin(wanted)
            return None
        self._latest.cancel()
        self._finder = Finder(wanted, change.after, self._session.actors)
        rows = [row for row in rows if row < self.row]
        try:
            found = [self._finder.in_row(row, MAX_ROWS) for row in rows]
            self._matches = {row: match for row, match in self._matches.items() if row not in rows}
            self._matches.update((match.row, match) for match in found if match is not None)
        except ExpressionError as error:
            self.error = error.message
        self._look()
        return rows

    def _look(self) -> None:
        snapshot = self._session.snapshot
        wanted = self.wanted
        left = MAX_ROWS - sum(match.rows for match in self._matches.values())
        if snapshot is None or wanted is None or self.row >= snapshot.rows or left < _SMALLEST or self.error:
            self.is_full = snapshot is not None and self.row < snapshot.rows and left < _SMALLEST
            self.progressed.emit()
            return
        finder = self._finder or Finder(wanted, snapshot, self._session.actors)
        first = self.row
        self._finder = finder
        # What comes first is shown at once; later every further block lays a longer list out anew.
        most = max(_ROWS_OF_FIRST_BLOCK, (MAX_ROWS - left) // 2)

        def done(result: tuple[int, list[Match]]) -> None:
            self.row = result[0]
            self._matches.update((match.row, match) for match in result[1])
            if not result[1]:
                self._look()
                return
            self._latest.begin(at_once=True)  # when the view has laid out what was found
            self.found.emit(result[1])

        def failed(error: Exception) -> None:
            if isinstance(error, ExpressionError):
                self.error = error.message
            else:
                self.error = str(error)
            self.progressed.emit()

        work = partial(_look_through, finder, first, left, most)
        self._latest.run(say("Listing matches"), work, done, failed)
        self.progressed.emit()


def _look_through(finder: Finder, first: int, left: int, most: int, progress: Progress) -> tuple[int, list[Match]]:
    """(The row that is next, the matches from row `first` on): until some are found, or some time has passed."""
    found: list[Match] = []
    taken = 0
    stop = time.monotonic() + _SECONDS_OF_A_BLOCK
    for start in range(first, finder.snapshot.rows, _ROWS_AT_ONCE):
        for row in finder.candidates(start, min(start + _ROWS_AT_ONCE, finder.snapshot.rows)):
            match = finder.in_row(row, left - taken)
            if match is not None:
                found.append(match)
                taken += match.rows
            if progress.is_cancelled or taken >= min(left - _SMALLEST + 1, most) or time.monotonic() > stop:
                return row + 1, found
    return finder.snapshot.rows, found
