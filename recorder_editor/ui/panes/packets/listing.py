"""Lists what a filter finds in the whole recording: jobs search it block by block, and each hands over its matches.

Knows no widget: signals say that there are more matches.
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

    Signals: `begun` (from nothing), `found(list[Match])` (in the order of rows, behind those before), `progressed`.

    Attributes:
        wanted: The filter; None while nothing is listed.
        matches: The matches so far, in the order of rows.
        row: The rows before this one are searched.
        is_full: Whether there are more, which are not listed.
        error: Why the filter cannot be evaluated; empty where it can.
    """

    begun = Signal()
    found = Signal(list)
    progressed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.wanted: Filter | None = None
        self._finder: Finder | None = None
        self._latest = LatestJob(self, session.jobs, self._search)
        self._matches: dict[int, Match] = {}  # by row
        self.row = 0
        self.is_full = False
        self.error = ""

    @property
    def is_running(self) -> bool:
        """Whether more matches may follow."""
        return self._latest.is_pending

    @property
    def matches(self) -> list[Match]:
        """Matches so far, in the order of rows."""
        return [self._matches[row] for row in sorted(self._matches)]

    def begin(self, wanted: Filter) -> None:
        """List what this filter finds, from the first frame on; a search that still runs is given up."""
        self._latest.cancel()
        self.wanted = wanted
        self._finder = None
        self._matches.clear()
        self.row = 0
        self.is_full = False
        self.error = ""
        self.begun.emit()
        self._search()

    def end(self) -> None:
        """Stop listing."""
        self._latest.cancel()
        self.wanted = None
        self._finder = None

    def change(self, change: Change) -> list[int] | None:
        """Follow an edit.

        Returns:
            The few rows that it changed; None where all rows are searched anew.
        """
        wanted = self.wanted
        if wanted is None:
            return None
        rows: list[int] = []
        is_moved = False
        for first, removed, inserted in change.splices:
            rows.extend(range(first, first + inserted)[: _MOST_ROWS_AT_ONCE + 1])
            is_moved = is_moved or removed != inserted
        if is_moved or len(rows) > _MOST_ROWS_AT_ONCE or change.dialect:
            self.begin(wanted)
            return None
        self._latest.cancel()
        self._finder = Finder(wanted, change.after, self._session.actors)
        rows = [row for row in rows if row < self.row]
        try:
            now = {row: self._finder.in_row(row, MAX_ROWS) for row in rows}
        except ExpressionError as error:
            self.error = error.message
        else:
            for row, match in now.items():
                self._matches.pop(row, None)
                if match is not None:
                    self._matches[match.row] = match
        self._search()
        return rows

    def _search(self) -> None:
        """Search the next block, unless there are enough matches, or the end was reached."""
        snapshot = self._session.snapshot
        wanted = self.wanted
        left = MAX_ROWS - sum(match.rows for match in self._matches.values())
        has_rows = snapshot is not None and self.row < snapshot.rows
        if snapshot is None or wanted is None or not has_rows or left < _SMALLEST or self.error:
            self.is_full = has_rows and left < _SMALLEST
            self.progressed.emit()
            return
        finder = self._finder or Finder(wanted, snapshot, self._session.actors)
        first = self.row
        self._finder = finder
        # What comes first is shown at once; later every further block lays a longer list out anew.
        most = max(_ROWS_OF_FIRST_BLOCK, (MAX_ROWS - left) // 2)

        def done(result: tuple[int, list[Match]]) -> None:
            self.row, matches = result
            if not matches:
                self._search()
                return
            for match in matches:
                self._matches[match.row] = match
            self._latest.begin(at_once=True)  # when the view has laid out the matches
            self.found.emit(matches)

        def failed(error: Exception) -> None:
            if isinstance(error, ExpressionError):
                self.error = error.message
            else:
                self.error = str(error)
            self.progressed.emit()

        work = partial(_search_rows, finder, first, left, most)
        self._latest.run(say("Listing matches"), work, done, failed)
        self.progressed.emit()


def _search_rows(finder: Finder, first: int, left: int, most: int, progress: Progress) -> tuple[int, list[Match]]:
    """Search rows until enough matches are found, or some time has passed.

    Args:
        finder: What finds the matches.
        first: The first row.
        left: Rows of the tree that further matches may take.
        most: Rows of the tree from which the search pauses.
        progress: Tells whether the job was cancelled.

    Returns:
        (The row that is next, the matches.)
    """
    matches: list[Match] = []
    count = 0
    enough = min(left - _SMALLEST + 1, most)
    stop = time.monotonic() + _SECONDS_OF_A_BLOCK
    for start in range(first, finder.snapshot.rows, _ROWS_AT_ONCE):
        for row in finder.candidates(start, min(start + _ROWS_AT_ONCE, finder.snapshot.rows)):
            match = finder.in_row(row, left - count)
            if match is not None:
                matches.append(match)
                count += match.rows
            if progress.is_cancelled or count >= enough or time.monotonic() > stop:
                return row + 1, matches
    return finder.snapshot.rows, matches
