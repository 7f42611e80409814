"""Read-only views of the rows of a snapshot, decoded on demand: frames, packets, raw bytes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..format import PACKET_HEADER, Body, Dialect, PacketType, decode
from ..format.codec import Record
from .frames import OPEN_FRAME


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
    def array(self) -> Any:
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

    def packet(self, name: str) -> Packet | None:
        """The first packet of that name, or None."""
        return next((packet for packet in self.packets if packet.name == name), None)


@dataclass(frozen=True)
class Frame(Row):
    """A frame.

    Attributes besides those of `Row`: `index` (from 0 among frames), `frame_id` (the number in the file), `elapsed` and
    `duration` (seconds), `is_open` (no FrameEnd), `speeds` (filled by `motion.speeds_in`).
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
