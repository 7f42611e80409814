"""Rows on disk, ordered by time: those that come in order are only written; others are sorted in runs and merged."""

import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...arrays import StructuredArray
from ...texts import say
from .trajectories import BLOCK_ROWS, ROW

_RUN_ROWS = 1 << 20
"""Rows that are sorted at once: 60 MB, and as much again while they are."""

_LEAST_READ = 1 << 12  # rows of each run at a time, however many runs there are


class _Run(NamedTuple):
    """Rows in order: the first one in the file, and how many."""

    first: int
    rows: int


class SortedRows:
    """Rows that are added in any order, and read ordered by time. The file is gone when this is."""

    def __init__(self, dtype: np.dtype[np.void] = ROW) -> None:
        """Make the file.

        Args:
            dtype: That of the rows, `ROW` or some columns of it.

        Raises:
            OSError: It cannot be made.
        """
        self._dtype = dtype
        self._file = tempfile.TemporaryFile(prefix="recorder-editor-", buffering=0)  # noqa: SIM115 - closed with this
        self._count = 0
        self._runs: list[_Run] = []
        self._last = -np.inf  # time of the last row of the last run
        self._waiting: list[StructuredArray] = []

    def __len__(self) -> int:
        return self._count

    def add(self, rows: StructuredArray) -> None:
        """Add rows.

        Raises:
            OSError: They cannot be written.
        """
        if not len(rows):
            return
        self._count += len(rows)
        time = rows["time"]
        is_next = time[0] >= self._last and bool((time[1:] >= time[:-1]).all())
        if is_next and not self._waiting:
            self._write(rows)
            return
        self._waiting.append(rows)
        if sum(map(len, self._waiting)) >= _RUN_ROWS:
            self._sort()

    def blocks(self) -> Iterator[StructuredArray]:
        """Yield all rows in blocks, ordered by time.

        Raises:
            OSError: They cannot be read.
        """
        if self._waiting:
            self._sort()
        if len(self._runs) == 1:
            yield from self._read(self._runs[0], BLOCK_ROWS)
            return
        size = max(BLOCK_ROWS // max(len(self._runs), 1), _LEAST_READ)
        sources = [self._read(run, size) for run in self._runs]
        buffers = [next(source) for source in sources]
        is_at_end = [len(buffer) == run.rows for buffer, run in zip(buffers, self._runs, strict=True)]
        taken = [len(buffer) for buffer in buffers]
        while any(map(len, buffers)):
            # Behind this time a run may have rows that were not read yet.
            known = min(
                (buffer["time"][-1] for buffer, end in zip(buffers, is_at_end, strict=True) if not end), default=np.inf
            )
            parts = []
            for index, buffer in enumerate(buffers):
                stop = int(np.searchsorted(buffer["time"], known, side="right"))
                parts.append(buffer[:stop])
                buffers[index] = buffer[stop:]
                if len(buffers[index]) or is_at_end[index]:
                    continue
                buffers[index] = next(sources[index])
                taken[index] += len(buffers[index])
                is_at_end[index] = taken[index] == self._runs[index].rows
            merged = np.concatenate(parts)
            yield merged[np.argsort(merged["time"], kind="stable")]

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def _sort(self) -> None:
        """Write the rows that wait as a run of their own, or behind the last one where they follow it."""
        rows = np.concatenate(self._waiting)
        self._waiting = []
        rows = rows[np.argsort(rows["time"], kind="stable")]
        self._write(rows)

    def _write(self, rows: StructuredArray) -> None:
        """Write rows that are in order."""
        if self._runs and rows["time"][0] >= self._last:
            last = self._runs[-1]
            self._runs[-1] = _Run(last.first, last.rows + len(rows))
        else:
            first = 0
            if self._runs:
                first = self._runs[-1].first + self._runs[-1].rows
            self._runs.append(_Run(first, len(rows)))
        self._last = float(rows["time"][-1])
        flat: Any = np.ascontiguousarray(rows).view(np.uint8).reshape(-1)
        view = memoryview(flat)
        while len(view):
            view = view[self._file.write(view) :]

    def _read(self, run: _Run, size: int) -> Iterator[StructuredArray]:
        """Yield the rows of a run in blocks of a size."""
        for begin in range(0, run.rows, size):
            count = min(size, run.rows - begin)
            rows = np.empty(count, self._dtype)
            flat: Any = rows.view(np.uint8).reshape(-1)
            view = memoryview(flat)
            self._file.seek((run.first + begin) * self._dtype.itemsize)
            while len(view):
                read = self._file.readinto(view)
                if not read:
                    raise OSError(say("The temporary file of sorted rows is shorter than it was."))
                view = view[read:]
            yield rows
