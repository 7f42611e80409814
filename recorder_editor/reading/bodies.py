"""Bodies of packets that are not decoded: those in force at a row, and those of ids that no table knows.

A lasting packet of a fork, as its weather, holds as a whole until the next one that is not empty. The layouts of the
frame table tell which rows hold one, so that few bodies are read.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import IndexArray
from ..format import PACKET_HEADER
from ..progress import SILENT, Progress
from ..recording.frames import NO_LAYOUT, RAW
from ..recording.layout_filter import LayoutFilter
from ..recording.packet_headers import read_headers
from ..recording.snapshot import Snapshot

NO_RECORDS = b"\0\0"
"""A list without records, which recorders write where nothing is set."""

_CHECKED_EVERY = 256


class _Place(NamedTuple):
    """The place of a body in a source, and the id of its packet."""

    number: int
    source: int
    offset: int
    size: int


def is_empty(body: bytes) -> bool:
    """Whether a body that is not decoded holds nothing: it has no bytes, or is a list without records."""
    return body in (b"", NO_RECORDS)


class Bodies:
    """The bodies that are not decoded, in one state of a recording."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._dialect = snapshot.dialect
        self._table = snapshot.table
        self._rows: dict[frozenset[int], IndexArray] = {}

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Bodies":
        """Return those of a state, which are kept with the last states."""
        for cached in snapshot.derived.newest(cls):
            if cached._table is snapshot.table and cached._dialect is snapshot.dialect:
                return cached
        bodies = cls(snapshot)
        snapshot.derived.keep(bodies)
        return bodies

    def at(self, row: int) -> dict[int, bytes]:
        """Return the bodies in force before a row, of the lasting packets that are not decoded.

        Args:
            row: The rows before this one count, also those that are no frames.

        Returns:
            The last body of each packet that is not empty, by id; ids without one are absent.
        """
        bodies: dict[int, bytes] = {}
        for kind in self._dialect.lasting_bodies:
            body = self._last(kind.id, row)
            if body is not None:
                bodies[kind.id] = body
        return bodies

    def undeclared(self, rows: range, progress: Progress = SILENT) -> Counter[int]:
        """Count the packets in rows with ids that are in no table; without empty ones.

        Args:
            rows: The rows of the frame table.
            progress: Is asked whether to stop.

        Returns:
            The number of packets by id.

        Raises:
            Cancelled: The user stopped it.
        """
        ids = frozenset(range(256)).difference(self._dialect.packets)
        indices = self._rows_with(ids, rows)
        layouts, layout_of, numbers = np.unique(
            self._table.column("layout")[indices], return_inverse=True, return_counts=True
        )
        counts: Counter[int] = Counter()
        is_read = np.zeros(len(layouts), np.bool_)
        for index, (layout, frames) in enumerate(zip(layouts.tolist(), numbers.tolist(), strict=True)):
            sizes = self._sizes_in(layout, ids)
            # A body as long as a list without records may be one.
            is_read[index] = sizes is None or any(size == len(NO_RECORDS) for _, size in sizes)
            if sizes is not None and not is_read[index]:
                for number, _ in sizes:
                    counts[number] += frames
        for count, row in enumerate(indices[is_read[layout_of]].tolist()):
            if count % _CHECKED_EVERY == 0:
                progress.check()
            for place in _places(self._snapshot, row):
                if place.number in ids and not self._is_empty(place):
                    counts[place.number] += 1
        return counts

    def _sizes_in(self, layout: int, ids: frozenset[int]) -> list[tuple[int, int]] | None:
        """Return (id, size) of the packets of some ids that have a body; None for rows that have to be walked."""
        if layout == NO_LAYOUT:
            return None
        packets = self._snapshot.layouts.get(layout).packets()
        return [(number, size) for number, _, size in packets if size and number in ids]

    def _last(self, number: int, row: int) -> bytes | None:
        """Return the last body of a packet before a row that is not empty, or None."""
        for index in self._rows_with(frozenset([number]), range(row))[::-1].tolist():
            for place in reversed(list(_places(self._snapshot, index))):
                if place.number == number and not self._is_empty(place):
                    return self._read(place)
        return None

    def _rows_with(self, ids: frozenset[int], rows: range) -> IndexArray:
        """Return the rows that may hold packets of some ids with a body."""
        if ids not in self._rows:
            self._rows[ids] = _rows_of(self._snapshot, ids)
        indices = self._rows[ids]
        first, stop = np.searchsorted(indices, (rows.start, rows.stop)).tolist()
        return indices[first:stop]

    def _is_empty(self, place: _Place) -> bool:
        return place.size <= len(NO_RECORDS) and is_empty(self._read(place))

    def _read(self, place: _Place) -> bytes:
        return self._snapshot.store.read(place.source, place.offset, place.size)


def _rows_of(snapshot: Snapshot, ids: frozenset[int]) -> IndexArray:
    """Return all rows that may hold packets of some ids with a body, by their layouts."""
    wanted = np.zeros(256, np.bool_)
    wanted[list(ids)] = True

    def holds(number: int) -> bool:
        layout = snapshot.layouts.get(number)
        return bool((wanted[layout.ids] & (layout.sizes > 0)).any())

    return LayoutFilter(holds).rows(snapshot.table)


def _places(snapshot: Snapshot, row: int) -> Iterator[_Place]:
    """Yield the packets of a row."""
    where = snapshot.table.row(row)
    source = int(where["source"])
    offset = int(where["offset"])
    layout = int(where["layout"])
    if layout >= 0:
        for number, position, size in snapshot.layouts.get(layout).packets():
            yield _Place(number, source, offset + position + PACKET_HEADER.size, size)
    elif int(where["kind"]) != RAW:
        for number, position, size in read_headers(snapshot.store, source, offset, int(where["size"])):
            yield _Place(number, source, offset + position, size)
