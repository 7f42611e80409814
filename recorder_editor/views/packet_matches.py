"""What a filter leaves of the whole recording, as an outline: frames with a match, and in them nothing else. No Qt."""

from bisect import bisect_left
from dataclasses import replace
from typing import NamedTuple

from ..reading import Actors
from ..recording import Place, Snapshot
from .outline import GROUP, MOST_CHILDREN, Outline, Path, TreeLine
from .units import AS_STORED, Units


class Match(NamedTuple):
    """What matches in a row: packets by their index, each with its records (None: the whole packet)."""

    row: int
    packets: tuple[tuple[int, tuple[int, ...] | None], ...]

    @property
    def number(self) -> int:
        """How many records match; a whole packet counts for one."""
        return sum(1 if records is None else len(records) for _, records in self.packets)

    @property
    def rows(self) -> int:
        """How many rows of a tree it takes: the frame, its packets, their records."""
        return 1 + sum(1 + len(records or ()) for _, records in self.packets)

    def first(self) -> Place:
        """The first thing that matches."""
        packet, records = self.packets[0]
        return Place(self.row, packet, records[0] if records else None)


class MatchOutline:
    """An outline of the whole recording that shows matches only; `matches` lists them in the order of rows, `every` is
    the outline of everything.

    The path of a node is translated into the one it has where everything is shown, which knows the rest.
    """

    whole = True

    def __init__(
        self, snapshot: Snapshot, actors: Actors | None, matches: list[Match], units: Units = AS_STORED
    ) -> None:
        self.snapshot = snapshot
        self.every = Outline(snapshot, actors, whole=True, units=units, groups=False)
        self.matches = matches
        self._rows = [match.row for match in matches]

    # --- the list ---------------------------------------------------------------------------------------

    def find(self, row: int) -> int:
        """Where the match of a row stands, or would stand."""
        return bisect_left(self._rows, row)

    def has(self, row: int) -> bool:
        """The row has a match that is listed."""
        at = self.find(row)
        return at < len(self._rows) and self._rows[at] == row

    # --- the shape --------------------------------------------------------------------------------------

    def _every_path(self, path: Path) -> Path:
        """Where a node stands in the outline of everything."""
        match = self.matches[path[0]]
        if len(path) == 1:
            return (1 + match.row,)
        packet, records = match.packets[path[1]]
        if records is None or len(path) == 2:
            return (1 + match.row, packet, *path[2:])
        record = records[path[2]]
        number: Path = divmod(record, GROUP) if self._is_grouped(match.row, packet) else (record,)
        return (1 + match.row, packet, *number, *path[3:])

    def _is_grouped(self, row: int, packet: int) -> bool:
        return len(self.snapshot.row(row).packets[packet].decoded) > MOST_CHILDREN

    def _listed(self, path: Path) -> int | None:
        """How many children the list of matches gives a node; None where it leaves them as they are."""
        if not path:
            return len(self.matches)
        packets = self.matches[path[0]].packets
        if len(path) == 1:
            return len(packets)
        records = packets[path[1]][1]
        if len(path) == 2 and records is not None:
            return len(records)
        return None

    def count(self, path: Path) -> int:
        """How many children a node has."""
        listed = self._listed(path)
        if listed is None:
            return self.every.count(self._every_path(path))
        return listed

    def is_parent(self, path: Path) -> bool:
        """Known to have children before they are counted."""
        if len(path) < 3:
            return bool(path) and (self._listed(path) or 0) > 0
        if len(path) == 3 and self.matches[path[0]].packets[path[1]][1] is not None:
            return True  # a record has fields; asked for each row of the list, and nothing is read to know that
        return self.every.is_parent(self._every_path(path))

    # --- places and what rows say -----------------------------------------------------------------------

    def row_of(self, path: Path) -> tuple[int | None, Path]:
        """(row of the frame table, rest of the path) of a node."""
        if path:
            return (self.matches[path[0]].row, path[1:])
        return (None, ())

    def row_beside(self, row: int, step: int) -> int | None:
        """The row with a match behind a row, or before it; None where there is none."""
        at = self.find(row) + (step if step < 0 or self.has(row) else 0)
        if 0 <= at < len(self.matches):
            return self.matches[at].row
        return None

    def place(self, path: Path) -> Place:
        """What a node stands for."""
        return self.every.place(self._every_path(path))

    def path(self, place: Place) -> Path | None:
        """The node of a place, or of what holds it; None where its row has no match."""
        every = None
        if self.has(place.row):
            every = self.every.path(place)
        if every is None:
            return None
        at = self.find(place.row)
        packets = self.matches[at].packets
        index = next((index for index, (packet, _) in enumerate(packets) if packet == place.packet), None)
        if index is None:
            return (at,)
        records = packets[index][1]
        if records is None or place.record is None:
            return (at, index, *every[2:])
        if place.record not in records:
            return at, index
        below = 4 if self._is_grouped(place.row, packets[index][0]) else 3
        return (at, index, bisect_left(records, place.record), *every[below:])

    def line(self, path: Path) -> TreeLine:
        """What a node's row says; a packet says how many of its records match."""
        line = self.every.line(self._every_path(path))
        records = None
        if len(path) == 2:
            records = self.matches[path[0]].packets[path[1]][1]
        if records is not None and f"{len(records):,}" != line.records:
            return replace(line, records=f"{len(records):,} / {line.records}")
        return line
