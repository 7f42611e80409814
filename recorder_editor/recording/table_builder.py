"""Builds the frame table and findings of a scan from runs of frames.

A run of any length is one entry of a list; before the buffer moves, all pending runs become rows, with their FrameStart
values read from the buffer at once.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import IntArray, StructuredArray
from ..texts import say
from .findings import Finding, damage
from .frames import CHUNK, NO_LAYOUT, OPEN_FRAME, RAW, ROW, START_SIZE, FrameTable, KeySource, frozen
from .scan_buffer import HEADER, VALUES, ScanBuffer

MAX_FINDINGS = 10_000


class _Mark(NamedTuple):
    """A finding whose row has no number yet: `run` is its index among the pending runs, `step` within the run."""

    run: int
    step: int
    code: str
    offset: int
    size: int
    packets: int = 0


class TableBuilder:
    """The rows and findings of a scan.

    Attributes:
        runs: The pending runs as (offset, stride, count, layout, kind): so many consecutive frames or open frames of
            so many bytes, or one raw row. The scan appends valid frames there directly.
    """

    def __init__(self, source: int, buffer: ScanBuffer, keys: KeySource) -> None:
        self.runs: list[tuple[int, int, int, int, int]] = []
        self._source = source
        self._buffer = buffer
        self._keys = keys
        self._apart: dict[int, bytes] = {}
        self._marks: list[_Mark] = []
        self._findings: list[Finding] = []
        self._unlisted = 0
        self._untold_from = 0
        self._frames = 0
        self._full: list[StructuredArray] = []
        self._last = np.zeros(CHUNK, ROW)
        self._used = 0

    # --- input ------------------------------------------------------------------------------------------

    def put_frame(self, kind: int, at: int, stop: int, layout: int, *, odd: bool, values: bytes | None = None) -> None:
        """Enter one frame. `odd`: it holds a FrameEnd with a body; `values`: its FrameStart's, if the buffer moved."""
        if odd:
            self._mark("odd-frame-end", at, stop - at)
        if values is not None:
            self._apart[len(self.runs)] = values
        self.runs.append((at, stop - at, 1, layout, kind))

    def put_packets(self, at: int, stop: int, layout: int, count: int, *, odd: bool) -> None:
        """Enter packets outside of frames. `odd`: they begin with a FrameStart of another size."""
        self._mark("odd-frame-start" if odd else "stray-packets", at, stop - at, count)
        self.runs.append((at, stop - at, 1, layout, RAW))

    def put_raw(self, code: str, at: int, stop: int) -> None:
        """Enter bytes that are no packets."""
        self._mark(code, at, stop - at)
        self.runs.append((at, stop - at, 1, NO_LAYOUT, RAW))

    def _mark(self, code: str, offset: int, size: int, packets: int = 0) -> None:
        self._marks.append(_Mark(len(self.runs), 0, code, offset, size, packets))

    # --- result -----------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Rows that have their numbers."""
        return CHUNK * len(self._full) + self._used

    def table(self) -> FrameTable:
        """The rows that have their numbers; more may come afterwards."""
        last = frozen(self._last[: self._used].copy())
        return FrameTable([*self._full, *([last] if len(last) else [])])

    def findings(self) -> tuple[Finding, ...]:
        """The findings about those rows, in their order; beyond `MAX_FINDINGS` they are only counted."""
        if not self._unlisted:
            return tuple(self._findings)
        text = say("{unlisted} more places are damaged like these.", unlisted=self._unlisted)
        return (*self._findings, Finding("more-damage", "error", text, self._untold_from))

    def number_rows(self) -> None:
        """Turn the pending runs into rows. The buffer must still contain them."""
        if not self.runs:
            return
        offset, stride, count, layout, kind = np.array(self.runs, np.int64).T
        before = np.cumsum(count) - count
        frames = np.where(kind == RAW, 0, count)
        self._make_findings(offset, stride, count, kind, before, self._frames + np.cumsum(frames) - frames)
        self._frames += int(frames.sum())
        apart = {}
        for run, values in self._apart.items():
            apart[int(before[run])] = values
        self._apart.clear()
        self.runs.clear()
        if len(count) and int(count.max()) > 1:
            step = np.arange(int(count.sum())) - np.repeat(before, count)
            offset, stride, layout, kind = (np.repeat(each, count) for each in (offset, stride, layout, kind))
            offset += step * stride
        self._write(offset, stride, layout, kind, apart)

    def _make_findings(
        self, offset: IntArray, stride: IntArray, count: IntArray, kind: IntArray, before: IntArray, frames: IntArray
    ) -> None:
        """Turn marks and open frames into findings; `before` and `frames` count rows and frames before each run."""
        marks = self._marks
        self._marks = []
        for run in np.flatnonzero(kind == OPEN_FRAME).tolist():
            begin = int(offset[run])
            size = int(stride[run])
            wanted = min(int(count[run]), max(MAX_FINDINGS - len(self._findings) - len(marks), 0) + 1)
            marks += [_Mark(run, step, "no-frame-end", begin + step * size, size) for step in range(wanted)]
            self._unlisted += int(count[run]) - wanted
        marks.sort()
        for mark in marks:
            if len(self._findings) == MAX_FINDINGS:
                self._untold_from = self._untold_from or mark.offset
                self._unlisted += 1
                continue
            number = int(frames[mark.run]) + (mark.step + 1 if kind[mark.run] != RAW else 0)
            row = len(self) + int(before[mark.run]) + mark.step
            found = damage(mark.code, mark.offset, mark.size, frames=number, row=row, packets=mark.packets)
            self._findings.append(found)

    def _write(
        self, offset: IntArray, stride: IntArray, layout: IntArray, kind: IntArray, apart: dict[int, bytes]
    ) -> None:
        rows = np.zeros(len(offset), ROW)
        framed = kind != RAW
        head = START_SIZE * framed
        rows["key"] = self._keys.take(len(rows))
        rows["offset"] = offset + head
        rows["size"] = stride - head
        rows["layout"] = layout
        rows["source"] = self._source
        rows["kind"] = kind
        rows["stored"] = 1
        framed[list(apart)] = False
        values = np.zeros(len(rows), VALUES)
        values[framed] = self._buffer.values[offset[framed] - self._buffer.start + HEADER]
        for row, data in apart.items():
            values[row] = np.frombuffer(data, VALUES)[0]
        for name in ("frame_id", "elapsed", "duration"):
            rows[name] = values[name]
        self._add(rows)

    def _add(self, rows: StructuredArray) -> None:
        while len(rows):
            fits = min(CHUNK - self._used, len(rows))
            self._last[self._used : self._used + fits] = rows[:fits]
            self._used += fits
            rows = rows[fits:]
            if self._used == CHUNK:
                self._full.append(frozen(self._last))
                self._last = np.zeros(CHUNK, ROW)
                self._used = 0
