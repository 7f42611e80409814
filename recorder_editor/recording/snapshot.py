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
from typing import NamedTuple, TypeVar, overload
from weakref import WeakValueDictionary

import numpy as np

from ..arrays import StructuredArray
from ..format import PACKET_HEADER, Body, Detection, Dialect, FileHeader, PacketType, decode, packet_number
from ..format.codec import Record
from ..format.packet_names import refuse_misspelt
from ..roads import RoadMap
from .context import Context
from .frames import OPEN_FRAME, RAW, START_SIZE, FrameTable, KeySource, Layouts
from .history import Edit, spliced
from .packet_headers import is_too_large
from .store import Store


@dataclass(frozen=True)
class Packet:
    """A packet and its location.

    Attributes:
        index: The index in its frame, where FrameStart is 0.
        id: The id.
        type: The type.
        offset: The offset of its 5-byte header in the recording as it would be saved.
        body: The bytes behind the header.
    """

    index: int
    id: int
    type: PacketType = field(repr=False)
    offset: int
    body: bytes = field(repr=False)

    def __repr__(self) -> str:
        return f"<Packet {self.index} {self.name} ({self.id}) at 0x{self.offset:06x}: {self.size:,} bytes>"

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
        """The bytes of a record.

        Args:
            index: The number of the record, from 0.

        Returns:
            The offset in the recording as it would be saved, and the size.

        Raises:
            IndexError: There is no such record.
        """
        start, stop = self.decoded.span(index)
        return self.offset + PACKET_HEADER.size + start, stop - start

    @property
    def records(self) -> list[Record]:
        """The whole records as nested plain values."""
        return self.decoded.records()

    @property
    def array(self) -> StructuredArray:
        """The records as a read-only structured array, shape (records,).

        Raises:
            TypeError: The records have variable length, or are not decoded.
        """
        return self.decoded.array

    def to_bytes(self) -> bytes:
        """Header and body."""
        return PACKET_HEADER.pack(self.id, len(self.body)) + self.body


@dataclass(frozen=True)
class Row:
    """A row of the frame table with access to its bytes.

    Attributes:
        row: The number of the row.
        key: Its key, which does not change when other rows are edited.
        kind: `FRAME`, `OPEN_FRAME` or `RAW`.
        offset: The offset in the recording as it would be saved.
        size: The number of bytes, FrameStart included.
        has_packets: False: its bytes are no packets.
        dialect: The dialect that the packets are read with.
    """

    row: int
    key: int
    kind: int
    offset: int
    size: int
    has_packets: bool
    dialect: Dialect = field(repr=False)
    _load: Callable[[], "_Loaded"] = field(repr=False)

    @cached_property
    def _loaded(self) -> "_Loaded":
        return self._load()

    @property
    def data(self) -> bytes:
        """All bytes of the row, as they would be saved."""
        return self._loaded.data

    @cached_property
    def packets(self) -> tuple[Packet, ...]:
        """The whole packets in file order; the first one of a frame is its FrameStart.

        A row without packets has none, without being read.
        """
        if not self.has_packets:
            return ()
        packets = []
        data, spans = self._loaded
        head = PACKET_HEADER.size
        for index, (number, start, size) in enumerate(spans):
            body = data[start + head : start + head + size]
            # Not by name, which takes longer: every view of frames comes through here.
            packets.append(Packet(index, number, self.dialect.packet(number), self.offset + start, body))
        return tuple(packets)

    def __iter__(self) -> Iterator[Packet]:
        return iter(self.packets)

    def packet(self, name: str | int) -> Packet | None:
        """Find the first packet of a name or an id.

        Args:
            name: The name, or the id as a number or as text.

        Returns:
            The packet; None if there is none.

        Raises:
            PacketNameError: The number is no id, or no release has a packet of this name (a KeyError, too).
        """
        if isinstance(name, str) and not name[:1].isdigit():
            for packet in self.packets:
                if packet.name == name:
                    return packet
            refuse_misspelt(self.dialect, name)
            return None
        number = packet_number(str(name))
        for packet in self.packets:
            if packet.id == number:
                return packet
        return None


class _Loaded(NamedTuple):
    """The bytes of a row.

    Attributes:
        data: All bytes of the row.
        spans: Of each whole packet the id, the offset of the header in `data`, and the size of the body.
    """

    data: bytes
    spans: list[tuple[int, int, int]]


@dataclass(frozen=True)
class Frame(Row):
    """A frame.

    Attributes:
        index: The index among frames, from 0.
        frame_id: The number in the file.
        elapsed: The elapsed seconds in its FrameStart.
        duration: The duration in its FrameStart, in seconds.
        speeds: The speeds of actors, which `tracks.speeds_in` fills in.
    """

    index: int = 0
    frame_id: int = 0
    elapsed: float = 0.0
    duration: float = 0.0

    speeds: dict[int, float] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Frame {self.index + 1} (id {self.frame_id}) at {self.elapsed:.3f} s: {self.size:,} bytes>"

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
        kind = type(value)
        with self._lock:
            values = (value, *self._values.get(kind, ()))
            self._values[kind] = values[:_MOST]


FRAME_START_HEADER = PACKET_HEADER.pack(0, 24)
FRAME_END = PACKET_HEADER.pack(1, 0)
_PIECE = 1 << 16
_ROWS_AT_ONCE = 4096
_ROWS_KEPT = 24  # rows that are cached
_BYTES_KEPT = 1 << 20  # bytes of them; decoded, they take many times as much
_LARGEST_KEPT = 16 << 20  # of a single cached row; a larger one is only weakly referenced


@dataclass(frozen=True)
class Snapshot:
    """A state of a recording: a sequence of frames, with `len()`, an index from 0, and iteration.

    Attributes:
        store: The sources of bytes.
        layouts: The pool of layouts.
        keys: The source of keys for new rows.
        table: The frame table.
        header: The file header; None if it is not credible.
        header_bytes: The header as saved; empty without a header.
        detection: The dialect, and the reasons for it.
        version: A number that grows with every change.
        derived: The cache of values that are computed from states.
        context: The road map and the notes, which are beside the file.
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
            return [self.frame(position) for position in range(len(self))[index]]
        if index < 0:
            index += len(self)
        return self.frame(index)

    def __iter__(self) -> Iterator[Frame]:
        return (self.frame(index) for index in range(len(self)))

    def frame(self, index: int) -> Frame:
        """The frame of an index, from 0.

        Raises:
            IndexError: There is no such frame.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"There is no frame {index + 1}; the recording has {len(self)}.")
        frame = self.row(self.table.row_of_frame(index))
        assert isinstance(frame, Frame)
        return frame

    def row(self, number: int) -> Row:
        """The row of a number, a `Frame` if it is one.

        Raises:
            IndexError: There is no such row.
        """
        with self._lock:
            row = self._kept.get(number)
            if row is not None:
                self._kept.move_to_end(number)
                return row
            row = self._held.get(number)
        if row is None:
            row = self._make(number)
        with self._lock:
            if row.size > _BYTES_KEPT:
                self._held[number] = row
            if row.size <= _LARGEST_KEPT:
                self._kept[number] = row
                self._drop_oldest_rows()
        return row

    def _drop_oldest_rows(self) -> None:
        """Keep the limits of the cache of rows, but at least one row."""
        kept_bytes = sum(row.size for row in self._kept.values())
        while len(self._kept) > 1 and (len(self._kept) > _ROWS_KEPT or kept_bytes > _BYTES_KEPT):
            _, oldest = self._kept.popitem(last=False)
            kept_bytes -= oldest.size

    def following(
        self, table: FrameTable, header: FileHeader | None = None, detection: Detection | None = None
    ) -> "Snapshot":
        """The next state.

        Args:
            table: Its frame table.
            header: Its file header; None: the same.
            detection: Its dialect; None: the same.
        """
        following = replace(self, table=table, detection=detection or self.detection, version=self.version + 1)
        if header is None:
            return following
        return replace(following, header=header, header_bytes=header.encode())

    def with_empty_cache(self) -> "Snapshot":
        """The same state for a value that is kept in `derived` itself, so that it does not hold all other values."""
        return replace(self, derived=Derived())

    def after(self, edit: Edit) -> "Snapshot":
        """The state after an edit that was made for this one; the recording does not change."""
        table, _ = spliced(self.table, edit.splices)
        return self.following(table, edit.header, edit.detection)

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
        first = self.position(row)
        stop = self.position(row + 1)
        if self.read(first, min(len(FRAME_START_HEADER), stop - first)) != FRAME_START_HEADER:
            return False
        if self.read(stop - len(FRAME_END), len(FRAME_END)) != FRAME_END:
            return False
        return self.is_too_large(row)

    def row_at(self, position: int) -> int | None:
        """The row that holds a position; None in the file header and after the end."""
        within = position - len(self.header_bytes)
        if 0 <= within < self.table.size:
            return self.table.row_at(within)
        return None

    def _make(self, number: int) -> Row:
        if not 0 <= number < len(self.table):
            raise IndexError(f"There is no row {number}.")
        record = self.table.row(number)
        kind = int(record["kind"])
        key = int(record["key"])
        size = int(record["size"])
        position = self.position(number)
        load = self._loader(record)
        if kind == RAW:
            return Row(
                row=number,
                key=key,
                kind=kind,
                offset=position,
                size=size,
                has_packets=bool(record["layout"] >= 0),
                dialect=self.dialect,
                _load=load,
            )
        return Frame(
            row=number,
            key=key,
            kind=kind,
            offset=position,
            size=START_SIZE + size,
            has_packets=True,
            dialect=self.dialect,
            _load=load,
            index=self.table.frame_of_row(number),
            frame_id=int(record["frame_id"]),
            elapsed=float(record["elapsed"]),
            duration=float(record["duration"]),
        )

    def _loader(self, record: np.void) -> Callable[[], _Loaded]:
        """The function that reads the bytes of a row."""
        is_frame = int(record["kind"]) != RAW
        layout = int(record["layout"])
        source = int(record["source"])
        start = int(record["offset"])
        stop = start + int(record["size"])
        changed_start = b""
        if is_frame and record["stored"]:
            start -= START_SIZE  # read with the FrameStart, so that the bytes are in memory once
        elif is_frame:
            changed_start = frame_start(record)

        def load() -> _Loaded:
            data = changed_start + self.store.read(source, start, stop - start)
            if is_frame:
                spans = [(0, 0, 24)]  # the FrameStart
                spans += self._spans(data, layout, START_SIZE)
            elif layout >= 0:
                spans = self._spans(data, layout, 0)
            else:
                spans = []
            return _Loaded(data, spans)

        return load

    def _spans(self, data: bytes, layout: int, base: int) -> list[tuple[int, int, int]]:
        """(id, offset of the packet header in `data`, size of the body) of the whole packets from `base` on."""
        if layout >= 0:
            packets = self.layouts.get(layout)
        else:
            packets = Layouts.walk(memoryview(data)[base:])
        return [(number, base + start, size) for number, start, size in packets.packets()]

    def read(self, position: int, size: int) -> bytes:
        """Read bytes of the recording as it would be saved.

        Args:
            position: The position of the first byte.
            size: The number of bytes; at the end of the recording they are fewer.
        """
        parts: list[bytes] = []
        left = max(0, min(size, self.size - position))
        if left and position < len(self.header_bytes):
            part = self.header_bytes[position : position + left]
            parts.append(part)
            position += len(part)
            left -= len(part)
        row = None
        skipped = 0  # bytes of the first row
        if left:
            row = self.row_at(position)
        if row is not None:
            skipped = position - self.position(row)
        while left and row is not None and row < len(self.table):
            rows = self._contiguous_rows(row, 1 + (skipped + left) // START_SIZE)
            part = self._read_rows(rows, skipped, left)
            parts.append(part)
            skipped = 0
            left -= len(part)
            row += len(rows)
        return b"".join(parts)

    def _contiguous_rows(self, row: int, most: int) -> np.ndarray[tuple[int], np.dtype[np.void]]:
        """A row and the following ones, at most `most`, that are contiguous in one source as they would be saved."""
        rows = self.table.rows(row, row + min(most, _ROWS_AT_ONCE))
        starts = rows["offset"] - np.where(rows["kind"] == RAW, 0, START_SIZE)
        offsets = rows["offset"]
        sizes = rows["size"]
        sources = rows["source"]
        continues = (starts[1:] == offsets[:-1] + sizes[:-1]) & (sources[1:] == sources[0])
        continues &= (rows["stored"][1:] == 1) | (rows["kind"][1:] == RAW)
        return rows[: 1 + int(np.argmin(np.append(continues, False)))]

    def pieces(self, position: int, stop: int) -> Iterator[bytes]:
        """The bytes `[position, stop)` of the recording as it would be saved, 64 KiB at a time."""
        for start in range(position, stop, _PIECE):
            yield self.read(start, min(_PIECE, stop - start))

    def _read_rows(self, rows: np.ndarray[tuple[int], np.dtype[np.void]], skipped: int, size: int) -> bytes:
        """Read up to `size` bytes of contiguous rows, of which the first may have a changed FrameStart.

        Args:
            rows: The rows.
            skipped: The bytes of the first row that are not read.
            size: The most bytes to read.
        """
        first = rows[0]
        end = int(rows["offset"][-1]) + int(rows["size"][-1])
        start = b""
        if first["kind"] != RAW:
            start = frame_start(first)
        head = start[skipped : skipped + size]
        begin = int(first["offset"]) + max(0, skipped - len(start))
        return head + self.store.read(int(first["source"]), begin, min(size - len(head), end - begin))

    def frame_at_time(self, seconds: float) -> int:
        """The last frame with an elapsed time of at most `seconds` (0 before the first one), if times rise.

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
