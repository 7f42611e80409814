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
    """A finding that is about a row without a number yet.

    Attributes:
        run: The index of the row's run among the pending ones.
        step: The index of the row in the run.
        code: The code of the finding.
        offset: The first byte, in the source.
        size: The number of bytes.
        packets: The number of packets in them, where the finding tells it.
    """

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
        self._unlisted = 0  # findings beyond `MAX_FINDINGS`
        self._unlisted_from = 0  # the offset of the first of them
        self._frames = 0
        self._full: list[StructuredArray] = []  # whole chunks
        self._last = np.zeros(CHUNK, ROW)  # the chunk that is filled
        self._used = 0  # rows in it

    # --- input ------------------------------------------------------------------------------------------

    def put_frame(self, kind: int, at: int, stop: int, layout: int, *, odd: bool, values: bytes | None = None) -> None:
        """Enter one frame.

        Args:
            kind: `FRAME` or `OPEN_FRAME`.
            at: The offset of its FrameStart in the source.
            stop: The offset after it.
            layout: The number of its layout, or `NO_LAYOUT`.
            odd: It holds a FrameEnd with a body.
            values: The 24 bytes of its FrameStart; None: they are in the buffer when rows are numbered.
        """
        if odd:
            self._mark("odd-frame-end", at, stop - at)
        if values is not None:
            self._apart[len(self.runs)] = values
        self.runs.append((at, stop - at, 1, layout, kind))

    def put_packets(self, at: int, stop: int, layout: int, count: int, *, odd: bool) -> None:
        """Enter packets outside of frames.

        Args:
            at: The offset of the first one in the source.
            stop: The offset after the last one.
            layout: The number of their layout, or `NO_LAYOUT`.
            count: The number of packets.
            odd: They begin with a FrameStart of another size.
        """
        code = "stray-packets"
        if odd:
            code = "odd-frame-start"
        self._mark(code, at, stop - at, count)
        self.runs.append((at, stop - at, 1, layout, RAW))

    def put_raw(self, code: str, at: int, stop: int) -> None:
        """Enter bytes that are no packets.

        Args:
            code: The code of the finding about them.
            at: The offset of the first one in the source.
            stop: The offset after the last one.
        """
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
        chunks = self._full.copy()
        if self._used:
            chunks.append(frozen(self._last[: self._used].copy()))
        return FrameTable(chunks)

    def findings(self) -> tuple[Finding, ...]:
        """The findings about those rows, in their order; beyond `MAX_FINDINGS` they are only counted."""
        if not self._unlisted:
            return tuple(self._findings)
        text = say("{unlisted} more places are damaged like these.", unlisted=self._unlisted)
        return (*self._findings, Finding("more-damage", "error", text, self._unlisted_from))

    def number_rows(self) -> None:
        """Turn the pending runs into rows. The buffer must still contain them."""
        if not self.runs:
            return
        offset, stride, count, layout, kind = np.array(self.runs, np.int64).T
        before = np.cumsum(count) - count
        frames = np.where(kind == RAW, 0, count)
        self._mark_open_frames(offset, stride, count, kind)
        self._make_findings(kind, rows_before=before, frames_before=self._frames + np.cumsum(frames) - frames)
        self._frames += int(frames.sum())
        apart = {}
        for run, values in self._apart.items():
            apart[int(before[run])] = values
        self._apart.clear()
        self.runs.clear()
        if len(count) and int(count.max()) > 1:
            step = np.arange(int(count.sum())) - np.repeat(before, count)
            stride = np.repeat(stride, count)
            offset = np.repeat(offset, count) + step * stride
            layout = np.repeat(layout, count)
            kind = np.repeat(kind, count)
        self._write(offset=offset, stride=stride, layout=layout, kind=kind, apart=apart)

    def _mark_open_frames(self, offset: IntArray, stride: IntArray, count: IntArray, kind: IntArray) -> None:
        """Mark each open frame; of those beyond `MAX_FINDINGS` one, so that the first offset is known."""
        for run in np.flatnonzero(kind == OPEN_FRAME).tolist():
            begin = int(offset[run])
            size = int(stride[run])
            free = max(MAX_FINDINGS - len(self._findings) - len(self._marks), 0)
            marked = min(int(count[run]), free + 1)
            for step in range(marked):
                self._marks.append(_Mark(run, step, "no-frame-end", begin + step * size, size))
            self._unlisted += int(count[run]) - marked

    def _make_findings(self, kind: IntArray, *, rows_before: IntArray, frames_before: IntArray) -> None:
        """Turn the marks into findings; all arrays have an element for each pending run."""
        marks = sorted(self._marks)
        self._marks = []
        for mark in marks:
            if len(self._findings) == MAX_FINDINGS:
                self._unlisted_from = self._unlisted_from or mark.offset
                self._unlisted += 1
                continue
            frames = int(frames_before[mark.run])
            if kind[mark.run] != RAW:
                frames += mark.step + 1
            row = len(self) + int(rows_before[mark.run]) + mark.step
            finding = damage(mark.code, mark.offset, mark.size, frames=frames, row=row, packets=mark.packets)
            self._findings.append(finding)

    def _write(
        self, *, offset: IntArray, stride: IntArray, layout: IntArray, kind: IntArray, apart: dict[int, bytes]
    ) -> None:
        """Make rows of arrays with an element for each; `apart` has the FrameStart values that left the buffer."""
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
            count = min(CHUNK - self._used, len(rows))
            self._last[self._used : self._used + count] = rows[:count]
            self._used += count
            rows = rows[count:]
            if self._used == CHUNK:
                self._full.append(frozen(self._last))
                self._last = np.zeros(CHUNK, ROW)
                self._used = 0
