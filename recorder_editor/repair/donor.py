"""Another copy of the same recording, from which good frames are taken.

One idea: two copies are of one recording where frames of the same number and time are the same byte for byte.
"""

import numpy as np

from ..errors import EditError
from ..recording.frames import FRAME
from ..recording.snapshot import Snapshot

_LOOKED_AT = 64
_MOST_TAKEN = 1 << 20


class Donor:
    """A copy, known to be of the same recording. Raises `EditError` where it is not."""

    def __init__(self, snapshot: Snapshot, of: Snapshot) -> None:
        self.snapshot = snapshot
        self._rows = _frames_of(snapshot)
        _require_copy(self._rows, snapshot, of)

    def frames(self, after: int | None, before: int | None) -> list[bytes] | None:
        """The frames whose numbers lie between those two, whole and without a gap; None where one is missing.

        None for `after` is the beginning, for `before` the end.
        """
        first = 1 if after is None else after + 1
        last = max(self._rows, default=0) if before is None else before - 1
        if last - first > _MOST_TAKEN or (before is None and last < first):
            return None
        rows = [self._rows.get(number) for number in range(first, last + 1)]
        if any(row is None for row in rows):
            return None
        return [row_bytes(self.snapshot, row) for row in rows if row is not None]


def _frames_of(snapshot: Snapshot) -> dict[int, int]:
    """The rows of sound frames by their numbers."""
    kinds, ids = snapshot.table.column("kind"), snapshot.table.column("frame_id")
    rows = np.flatnonzero(kinds == FRAME)
    return dict(zip(ids[rows].tolist(), rows.tolist(), strict=True))


def _require_copy(rows: dict[int, int], donor: Snapshot, of: Snapshot) -> None:
    mine = _frames_of(of)
    both = sorted(rows.keys() & mine.keys())
    some = both[:: max(1, len(both) // _LOOKED_AT)]
    if any(row_bytes(of, mine[number]) == row_bytes(donor, rows[number]) for number in some):
        return
    raise EditError("The other file is no copy of this recording: no frame of the same number is the same in both.")


def row_bytes(snapshot: Snapshot, row: int) -> bytes:
    """The bytes of a row as it would be saved."""
    low = snapshot.position(row)
    return snapshot.read(low, snapshot.position(row + 1) - low)
