"""An immutable state of a recording: a frame table, a header, and access to the bytes; its frames and packets.

Views and jobs read from a snapshot while the recording is edited. A position counts bytes of the recording as it would
be saved, from the first byte of the file header. Successive states share a cache of values derived from them, as
`Actors`, which affects only speed.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TypeVar, overload
from weakref import WeakValueDictionary

import numpy as np

from ..arrays import StructuredArray
from ..format import PACKET_HEADER, Body, Detection, Dialect, FileHeader, PacketType, decode, packet_number
from ..format.codec import Record
from ..roads import RoadMap
from .context import Context
from .frames import OPEN_FRAME, RAW, START_SIZE, FrameTable, KeySource, Layouts
from .history import Edit, spliced
from .packet_headers import is_too_large
from .store import Store


@dataclass(frozen=True)
class Packet:
    """A packet and its location.

    Attributes: `index` (in its frame, FrameStart is 0), `id`, `type`, `offset` (of its 5-byte header, in the recording
    as it would be saved), `body` (bytes).
    """

    index: int
    id: int
    type: PacketType
    offset: int
    body: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """CARLA's name of the packet."""
        return self.type.name

    @property
    def size(self) -> int:
        """Bytes of the body."""
        return len(self.body)

    @cached_property
    def decoded(self) -> Body:
        """The body, decoded: located fields, numpy view, damage."""
        return decode(self.type, self.body)

    def record_span(self, index: int) -> tuple[int, int]:
        """Offset in the recording as it would be saved, and size, of a record; raises IndexError."""
        start, stop = self.decoded.span(index)
        return self.offset + PACKET_HEADER.size + start, stop - start

    @property
    def records(self) -> list[Record]:
        """The whole records as nested plain values."""
        return self.decoded.records()

    @property
    def array(self) -> StructuredArray:
        """The records as a read-only structured array; raises TypeError for records of variable length."""
        return self.decoded.array

    def to_bytes(self) -> bytes:
        """Header and body."""
        return PACKET_HEADER.pack(self.id, len(self.body)) + self.body


@dataclass(frozen=True)
class Row:
    """A row of the frame table with access to its bytes.

    Attributes: `row`, `key` (does not change when other rows are edited), `kind` (`FRAME`, `OPEN_FRAME`, `RAW`),
    `offset` (in the recording as it would be saved), `size` (bytes, FrameStart included), `has_packets` (False: bytes
    that are no packets).
    """

    row: int
    key: int
    kind: int
    offset: int
    size: int
    has_packets: bool
    dialect: Dialect = field(repr=False)
    _load: Callable[[], tuple[bytes, list[tuple[int, int, int]]]] = field(repr=False)

    @cached_property
    def _loaded(self) -> tuple[bytes, list[tuple[int, int, int]]]:
        return self._load()

    @property
    def data(self) -> bytes:
        """All bytes of the row, as they would be saved."""
        return self._loaded[0]

    @cached_property
    def packets(self) -> tuple[Packet, ...]:
        """The whole packets in file order; for a frame the first is its FrameStart. Empty, without reading, for rows
        without packets.
        """
        if not self.has_packets:
            return ()
        data, spans = self._loaded
        return tuple(
            Packet(index, number, self.dialect.packet(number), self.offset + at, data[at + 5 : at + 5 + size])
            for index, (number, at, size) in enumerate(spans)
        )

    def __iter__(self) -> Iterator[Packet]:
        return iter(self.packets)

    def packet(self, name: str | int) -> Packet | None:
        """The first packet of that name or id, as a number or its text, or None.

        Raises `PacketNameError` for a number that is no id.
        """
        if isinstance(name, str) and not name[:1].isdigit():
            return next((packet for packet in self.packets if packet.name == name), None)
        number = packet_number(str(name))
        return next((packet for packet in self.packets if packet.id == number), None)


@dataclass(frozen=True)
class Frame(Row):
    """A frame.

    Attributes besides those of `Row`: `index` (from 0 among frames), `frame_id` (the number in the file), `elapsed` and
    `duration` (seconds), `is_open` (no FrameEnd), `speeds` (filled by `tracks.speeds_in`).
    """

    index: int = 0
    frame_id: int = 0
    elapsed: float = 0.0
    duration: float = 0.0

    speeds: dict[int, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_open(self) -> bool:
        """Whether the FrameEnd is missing."""
        return self.kind == OPEN_FRAME


_MOST = 2
"""Values per class: of the current state and the one before, to which a preview or an undo returns."""

T = TypeVar("T")


class Derived:
    """The values computed last, by their class. Any thread may use it."""

    def __init__(self) -> None:
        self._values: dict[type[object], tuple[object, ...]] = {}
        self._lock = Lock()

    def newest(self, kind: type[T]) -> tuple[T, ...]:
        """The values of a class, newest first."""
        return tuple(value for value in self._values.get(kind, ()) if isinstance(value, kind))

    def keep(self, value: object) -> None:
        """Add a value; the oldest one of its class is dropped."""
        with self._lock:
            kind = type(value)
            self._values[kind] = (value, *self._values.get(kind, ()))[:_MOST]


FRAME_START_HEADER = PACKET_HEADER.pack(0, 24)
FRAME_END = PACKET_HEADER.pack(1, 0)
_PIECE = 1 << 16
_ROWS_AT_ONCE = 4096
_ROWS_KEPT, _BYTES_KEPT = 24, 1 << 20  # rows cached last; decoded, they take many times their bytes
_LARGEST_KEPT = 16 << 20  # of a single cached row; a larger one is only weakly referenced


@dataclass(frozen=True)
class Snapshot:
    """A state of a recording.

    Attributes: `store`, `layouts`, `keys` (numbers for new rows), `table`, `header` (None if it is not credible),
    `header_bytes` (as saved; empty without a header), `detection` (the dialect and why), `version` (grows with every
    change), `derived` (cache of values computed from states), `context` (what is known from beside the file). Behaves
    as a sequence of frames: `len()`, index from 0, iteration.
    """

    store: Store = field(repr=False)
    layouts: Layouts = field(repr=False)
    keys: KeySource = field(repr=False)
    table: FrameTable = field(repr=False)
    header: FileHeader | None
    header_bytes: bytes = field(repr=False)
    detection: Detection = field(repr=False)
    version: int = 0
    derived: Derived = field(default_factory=Derived, repr=False, compare=False)
    context: Context = field(default_factory=Context, repr=False, compare=False)
    _kept: OrderedDict[int, Row] = field(default_factory=OrderedDict, init=False, repr=False, compare=False)
    # Rows above `_BYTES_KEPT` that are in use, to share their bytes.
    _held: WeakValueDictionary[int, Row] = field(
        default_factory=WeakValueDictionary, init=False, repr=False, compare=False
    )
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    @property
    def snapshot(self) -> "Snapshot":
        """Itself: functions that take a recording take a snapshot as well."""
        return self

    @property
    def roads(self) -> RoadMap | None:
        """The road map under the recording; None where none is known."""
        return self.context.road_map

    @property
    def road_file(self) -> Path | None:
        """The file that `roads` was read from; None where none is known."""
        return self.context.road_file

    @property
    def dialect(self) -> Dialect:
        """The dialect that the bodies are read with."""
        return self.detection.dialect

    @property
    def size(self) -> int:
        """Bytes of the recording as it would be saved."""
        return len(self.header_bytes) + self.table.size

    @property
    def rows(self) -> int:
        """Rows: frames, open frames and raw stretches."""
        return len(self.table)

    def __len__(self) -> int:
        return self.table.frames

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...
    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        if isinstance(index, slice):
            return [self.frame(i) for i in range(*index.indices(len(self)))]
        return self.frame(index + len(self) if index < 0 else index)

    def __iter__(self) -> Iterator[Frame]:
        return (self.frame(index) for index in range(len(self)))

    def frame(self, index: int) -> Frame:
        """The frame of that index, from 0; raises IndexError."""
        if not 0 <= index < len(self):
            raise IndexError(f"There is no frame {index + 1}; the recording has {len(self)}.")
        found = self.row(self.table.row_of_frame(index))
        assert isinstance(found, Frame)
        return found

    def row(self, row: int) -> Row:
        """The row of that number, a `Frame` if it is one; raises IndexError."""
        with self._lock:
            kept = self._kept.get(row)
            if kept is not None:
                self._kept.move_to_end(row)
                return kept
            held = self._held.get(row)
        if held is None:
            made = self._make(row)
        else:
            made = held
        with self._lock:
            if made.size > _BYTES_KEPT:
                self._held[row] = made
            if made.size > _LARGEST_KEPT:
                return made
            self._kept[row] = made
            kept_bytes = sum(each.size for each in self._kept.values())
            while len(self._kept) > 1 and (len(self._kept) > _ROWS_KEPT or kept_bytes > _BYTES_KEPT):
                kept_bytes -= self._kept.popitem(last=False)[1].size
        return made

    def following(
        self, table: FrameTable, header: FileHeader | None = None, detection: Detection | None = None
    ) -> "Snapshot":
        """The next state, with another table; header and dialect stay unless given."""
        if header is None:
            raw = self.header_bytes
        else:
            raw = header.encode()
        kept = header or self.header
        read_with = detection or self.detection
        version = self.version + 1
        return replace(self, table=table, header=kept, header_bytes=raw, detection=read_with, version=version)

    def without_derived(self) -> "Snapshot":
        """The same state for what is itself kept in `derived`, so that none of its values holds all others."""
        return replace(self, derived=Derived())

    def after(self, edit: Edit) -> "Snapshot":
        """The state after an edit that was made for this one; the recording does not change."""
        return self.following(spliced(self.table, edit.splices)[0], edit.header, edit.detection)

    def position(self, row: int) -> int:
        """The position of a row; for the number of rows, that of the end."""
        return len(self.header_bytes) + self.table.position(row)

    def is_too_large(self, row: int) -> bool:
        """Whether a row is raw because it exceeds the limits of a frame (`frames.LARGEST_FRAME`, `MAX_IN_FRAME`)."""
        record = self.table.row(row)
        if record["kind"] != RAW or record["layout"] >= 0:
            return False
        return is_too_large(self.store, int(record["source"]), int(record["offset"]), int(record["size"]))

    def is_large_frame(self, row: int) -> bool:
        """Whether such a row is a whole frame, from its FrameStart to its FrameEnd."""
        first, stop = self.position(row), self.position(row + 1)
        begins = self.read(first, min(len(FRAME_START_HEADER), stop - first)) == FRAME_START_HEADER
        return begins and self.read(stop - len(FRAME_END), len(FRAME_END)) == FRAME_END and self.is_too_large(row)

    def row_at(self, position: int) -> int | None:
        """The row that holds a position, None in the file header and after the end."""
        within = position - len(self.header_bytes)
        if 0 <= within < self.table.size:
            return self.table.row_at(within)
        return None

    def _make(self, row: int) -> Row:
        if not 0 <= row < len(self.table):
            raise IndexError(f"There is no row {row}.")
        record = self.table.row(row)
        kind = int(record["kind"])
        size = int(record["size"])
        layout = int(record["layout"])
        source = int(record["source"])
        offset = int(record["offset"])
        if kind == RAW:
            head, has_packets = (0, layout >= 0)
        else:
            head, has_packets = (START_SIZE, True)
        if head and not record["stored"]:
            start = frame_start(record)
        else:
            start = b""
        ahead = head - len(start)  # a stored FrameStart is read with it, so that the bytes are in memory once

        def load() -> tuple[bytes, list[tuple[int, int, int]]]:
            data = start + self.store.read(source, offset - ahead, size + ahead)
            if has_packets:
                spans = self._spans(data, layout, head)
            else:
                spans = []
            return data, [(0, 0, 24), *spans] if head else spans

        key = int(record["key"])
        position = self.position(row)
        whole = head + size
        if kind == RAW:
            return Row(row, key, kind, position, whole, has_packets, self.dialect, load)
        index = self.table.frame_of_row(row)
        frame_id = int(record["frame_id"])
        times = float(record["elapsed"]), float(record["duration"])
        return Frame(row, key, kind, position, whole, True, self.dialect, load, index, frame_id, *times)

    def _spans(self, data: bytes, layout: int, base: int) -> list[tuple[int, int, int]]:
        """(id, offset of the packet header in `data`, size of the body) of the whole packets from `base` on."""
        if layout >= 0:
            packets = self.layouts.get(layout)
        else:
            packets = Layouts.walk(memoryview(data)[base:])
        return [(number, base + at, size) for number, at, size in packets.packets()]

    def read(self, position: int, size: int) -> bytes:
        """Up to `size` bytes of the recording as it would be saved; fewer at its end."""
        parts: list[bytes] = []
        left = max(0, min(size, self.size - position))
        if left and position < len(self.header_bytes):
            part = self.header_bytes[position : position + left]
            parts.append(part)
            position, left = position + len(part), left - len(part)
        row = None
        if left:
            row = self.row_at(position)
        if row is not None:
            at = position - self.position(row)
        else:
            at = 0
        while left and row is not None and row < len(self.table):
            rows = self._going_on(row, 1 + (at + left) // START_SIZE)
            part = self._read_rows(rows, at, left)
            parts.append(part)
            at, left, row = 0, left - len(part), row + len(rows)
        return b"".join(parts)

    def _going_on(self, row: int, most: int) -> np.ndarray[tuple[int], np.dtype[np.void]]:
        """This row and the following ones whose bytes are contiguous in the source as saved; at most `most`."""
        rows = self.table.rows(row, row + min(most, _ROWS_AT_ONCE))
        starts = rows["offset"] - np.where(rows["kind"] == RAW, 0, START_SIZE)
        goes_on = (starts[1:] == rows["offset"][:-1] + rows["size"][:-1]) & (rows["source"][1:] == rows["source"][0])
        goes_on &= (rows["stored"][1:] == 1) | (rows["kind"][1:] == RAW)
        return rows[: 1 + int(np.argmin(np.append(goes_on, False)))]

    def pieces(self, position: int, stop: int) -> Iterator[bytes]:
        """The bytes `[position, stop)` of the recording as it would be saved, 64 KiB at a time."""
        for at in range(position, stop, _PIECE):
            yield self.read(at, min(_PIECE, stop - at))

    def _read_rows(self, rows: np.ndarray[tuple[int], np.dtype[np.void]], at: int, size: int) -> bytes:
        """Up to `size` bytes of contiguous rows, from `at` in the first one, whose FrameStart may have changed."""
        first = rows[0]
        end = int(rows["offset"][-1]) + int(rows["size"][-1])
        if first["kind"] == RAW:
            start = b""
        else:
            start = frame_start(first)
        head = start[at : at + size]
        begin = int(first["offset"]) + max(0, at - len(start))
        return head + self.store.read(int(first["source"]), begin, min(size - len(head), end - begin))

    def frame_at_time(self, seconds: float) -> int:
        """The last frame whose elapsed is at most `seconds` (0 before the first one), if times rise.

        The tolerance is a microsecond: times are sums of floats, and 12.5 s is stored as 12.500000186.
        """
        return max(0, int(np.searchsorted(self.elapsed, seconds + 1e-6, side="right")) - 1)

    @cached_property
    def elapsed(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Elapsed seconds of every frame, shape (len,), read-only."""
        values = self.frame_column("elapsed")
        values.flags.writeable = False
        return values

    def frame_column(self, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """A column of the table for the frames alone, shape (len,)."""
        values: np.ndarray[tuple[int], np.dtype[np.float64]] = self.table.column(name)
        if len(self.table) == self.table.frames:
            return values
        frames: np.ndarray[tuple[int], np.dtype[np.float64]] = values[self.table.column("kind") != RAW]
        return frames


def frame_start(record: np.void) -> bytes:
    """The 29 bytes of a row's FrameStart, bit for bit."""
    return b"".join(
        (FRAME_START_HEADER, record["frame_id"].tobytes(), record["duration"].tobytes(), record["elapsed"].tobytes())
    )
