"""Another copy of the same recording, from which undamaged frames are taken.

Two files are copies of one recording if a frame with the same id is the same in both, byte for byte.
"""

import numpy as np

from ..errors import EditError
from ..recording.frames import FRAME
from ..recording.snapshot import Snapshot

_LOOKED_AT = 64
_MAX_TAKEN = 1 << 20


class Donor:
    """A copy of a recording. Raises `EditError` if it is none."""

    def __init__(self, snapshot: Snapshot, of: Snapshot) -> None:
        self.snapshot = snapshot
        self._rows = _frames_of(snapshot)
        _require_copy(self._rows, snapshot, of)

    def frames(self, after: int | None, before: int | None) -> list[bytes] | None:
        """The bytes of all frames with ids between `after` (None: from the first) and `before` (None: to the last).

        None if one is missing.
        """
        first = 1 if after is None else after + 1
        last = max(self._rows, default=0) if before is None else before - 1
        if last - first > _MAX_TAKEN or (before is None and last < first):
            return None
        rows = [self._rows.get(number) for number in range(first, last + 1)]
        if any(row is None for row in rows):
            return None
        return [row_bytes(self.snapshot, row) for row in rows if row is not None]


def _frames_of(snapshot: Snapshot) -> dict[int, int]:
    """The rows of undamaged frames by frame id."""
    kinds, ids = snapshot.table.column("kind"), snapshot.table.column("frame_id")
    rows = np.flatnonzero(kinds == FRAME)
    return dict(zip(ids[rows].tolist(), rows.tolist(), strict=True))


def _require_copy(rows: dict[int, int], donor: Snapshot, of: Snapshot) -> None:
    mine = _frames_of(of)
    both = sorted(rows.keys() & mine.keys())
    some = both[:: max(1, len(both) // _LOOKED_AT)]
    if any(row_bytes(of, mine[number]) == row_bytes(donor, rows[number]) for number in some):
        return
    raise EditError("The other file is not a copy of this recording: no frame of the same number is the same in both.")


def row_bytes(snapshot: Snapshot, row: int) -> bytes:
    """The bytes of a row as saved."""
    low = snapshot.position(row)
    return snapshot.read(low, snapshot.position(row + 1) - low)
