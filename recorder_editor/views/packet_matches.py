"""The matches of a filter in the whole recording, as an outline: frames with a match, and nothing else. No Qt."""

from bisect import bisect_left
from dataclasses import replace
from typing import NamedTuple

from ..reading import Actors
from ..recording import Place, Snapshot
from .outline import GROUP, MOST_CHILDREN, Outline, Path, TreeLine
from .units import AS_STORED, Units


class Match(NamedTuple):
    """The matches in a row.

    Attributes:
        row: Row of the frame table.
        packets: Packets by their index, each with the indices of its records (None: the whole packet).
    """

    row: int
    packets: tuple[tuple[int, tuple[int, ...] | None], ...]

    @property
    def record_count(self) -> int:
        """Number of records that match; a whole packet counts for one."""
        number = 0
        for _, records in self.packets:
            if records is None:
                number += 1
            else:
                number += len(records)
        return number

    @property
    def rows(self) -> int:
        """Number of rows of a tree that it takes: the frame, its packets, their records."""
        return 1 + sum(1 + len(records or ()) for _, records in self.packets)

    def first(self) -> Place:
        """Return the place of the first match."""
        packet, records = self.packets[0]
        if records:
            return Place(self.row, packet, records[0])
        return Place(self.row, packet)


class MatchOutline:
    """An outline of the whole recording that shows matches only.

    The path of a node is translated into its path in the outline of everything, which knows the rest.

    Attributes:
        snapshot: State of the recording.
        full_outline: Outline of everything.
        matches: The matches, in the order of rows.
    """

    whole = True

    def __init__(
        self, snapshot: Snapshot, actors: Actors | None, matches: list[Match], units: Units = AS_STORED
    ) -> None:
        self.snapshot = snapshot
        self.full_outline = Outline(snapshot, actors, whole=True, units=units, groups=False)
        self.matches = matches
        self._rows = [match.row for match in matches]

    # --- the list ---------------------------------------------------------------------------------------

    def find(self, row: int) -> int:
        """Return the index of the match of a row, or that at which it would be inserted."""
        return bisect_left(self._rows, row)

    def has(self, row: int) -> bool:
        """Return whether a row has a match that is listed."""
        index = self.find(row)
        return index < len(self._rows) and self._rows[index] == row

    # --- the shape --------------------------------------------------------------------------------------

    def _every_path(self, path: Path) -> Path:
        """Return the path of a node in the outline of everything."""
        match = self.matches[path[0]]
        if len(path) == 1:
            return (1 + match.row,)
        packet, records = match.packets[path[1]]
        packet_path: Path = (1 + match.row, packet)
        if records is None or len(path) == 2:
            return packet_path + path[2:]
        record = records[path[2]]
        record_path: Path = (record,)
        if self._is_grouped(match.row, packet):
            record_path = divmod(record, GROUP)
        return packet_path + record_path + path[3:]

    def _is_grouped(self, row: int, packet: int) -> bool:
        return len(self.snapshot.row(row).packets[packet].decoded) > MOST_CHILDREN

    def _matching_children(self, path: Path) -> int | None:
        """Return how many children of a node are shown because they match; None where all of its children are."""
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
        """Return how many children a node has."""
        count = self._matching_children(path)
        if count is None:
            return self.full_outline.count(self._every_path(path))
        return count

    def is_parent(self, path: Path) -> bool:
        """Return whether a node is known to have children before they are counted."""
        if not path:
            return False
        if len(path) < 3:
            return bool(self._matching_children(path))
        if len(path) == 3 and self.matches[path[0]].packets[path[1]][1] is not None:
            return True  # a record has fields; asked for each row of the list, and nothing is read to know that
        return self.full_outline.is_parent(self._every_path(path))

    # --- places and texts of rows -----------------------------------------------------------------------

    def row_of(self, path: Path) -> tuple[int | None, Path]:
        """Return the row of the frame table of a node and the rest of its path; (None, ()) for the root."""
        if path:
            return (self.matches[path[0]].row, path[1:])
        return (None, ())

    def row_beside(self, row: int, step: int) -> int | None:
        """Return the next row with a match behind a row (step 1), or before it (step -1); None for none."""
        index = self.find(row)
        if step < 0 or self.has(row):
            index += step
        if 0 <= index < len(self.matches):
            return self.matches[index].row
        return None

    def place(self, path: Path) -> Place:
        """Return what a node stands for."""
        return self.full_outline.place(self._every_path(path))

    def path(self, place: Place) -> Path | None:
        """Return the node of a place, or of what holds it; None where its row has no match."""
        if not self.has(place.row):
            return None
        every_path = self.full_outline.path(place)
        if every_path is None:
            return None
        match_index = self.find(place.row)
        match = self.matches[match_index]
        packet_index = _index_of_packet(match, place.packet)
        if packet_index is None:
            return (match_index,)
        packet, records = match.packets[packet_index]
        packet_path: Path = (match_index, packet_index)
        if records is None or place.record is None:
            return packet_path + every_path[2:]
        if place.record not in records:
            return packet_path
        record_path = (*packet_path, bisect_left(records, place.record))
        # In the outline of everything a record that is grouped has a number more in its path.
        below = 4 if self._is_grouped(place.row, packet) else 3
        return record_path + every_path[below:]

    def line(self, path: Path) -> TreeLine:
        """Return the texts of a node's row; that of a packet says how many of its records match."""
        line = self.full_outline.line(self._every_path(path))
        records = None
        if len(path) == 2:
            records = self.matches[path[0]].packets[path[1]][1]
        if records is not None and f"{len(records):,}" != line.records:
            return replace(line, records=f"{len(records):,} / {line.records}")
        return line


def _index_of_packet(match: Match, packet: int | None) -> int | None:
    """Return the index of a packet among those that match; None where it does not."""
    for index, (matching, _) in enumerate(match.packets):
        if matching == packet:
            return index
    return None
