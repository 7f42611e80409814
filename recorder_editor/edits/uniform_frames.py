"""Uniform frames: frames with records that begin at the same bytes, so that numpy can process them together.

If counts and the lengths of strings and lists are equal, all records begin at the same bytes. So one frame of a block
is parsed, and the others are compared with it in these bytes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ..arrays import BoolArray, ByteArray, IndexArray, IntArray, UInt32Array
from ..format import WIDTHS, Array, PacketType, Struct, decode
from ..format.schema import Run
from ..recording import START_SIZE, Bytes, FrameBlock

MAX_PLACES = 1 << 16
"""Largest number of length bytes by which bodies are compared; a frame with more is processed alone."""

_PATTERNS_KEPT = 64


@dataclass(frozen=True)
class Records:
    """The record list of one packet.

    Attributes:
        packet: Index of the packet in the layout.
        kind: The packet type.
        body: The first byte of the body in a row of `data`.
        count: As stored.
        starts: Of the n records and of what follows them, bytes of the body, int64[n + 1].
    """

    packet: int
    kind: PacketType
    body: int
    count: int
    starts: IntArray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def span(self, record: int) -> slice:
        """Return the bytes of a record (ordinal) in a row of `data`."""
        return slice(self.body + int(self.starts[record]), self.body + int(self.starts[record + 1]))

    def numbers(self, data: Bytes, offset: int) -> UInt32Array:
        """Return the u32 at an offset of every record, shape (rows, records); `data` is that of the frames."""
        size = self.kind.record.size
        if size is not None:
            if not len(self):
                return np.empty((len(data), 0), np.uint32)
            shape = (len(data), len(self))
            strides = (data.strides[0], size)
            return np.ndarray(shape, "<u4", data, self.body + 2 + offset, strides)
        places = self.body + self.starts[:-1, None] + offset + np.arange(4)
        return np.ascontiguousarray(data[:, places]).view("<u4")[:, :, 0]


@dataclass(frozen=True)
class UniformFrames:
    """Frames of a block with records that begin at the same bytes.

    Attributes:
        block: The block.
        rows: Indices in it, rising, shape (rows,).
        data: Their bytes, shape (rows, bytes); that of the block if all its frames are uniform.
        lists: All record lists, in file order.
    """

    block: FrameBlock
    rows: IndexArray
    data: Bytes
    lists: tuple[Records, ...]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class _Pattern:
    """The starts of the records of a body, and the bytes that decide them.

    Attributes:
        count: Of records, as stored.
        starts: As of `Records`.
        is_alone: Whether there are too many of these bytes to compare other bodies.
        places: The bytes that decide the starts.
        values: Their values.
    """

    count: int
    starts: IntArray
    is_alone: bool
    places: IntArray
    values: ByteArray


@dataclass
class Patterns:
    """A cache of patterns by packet id and size of the body, for one pass over a recording.

    Attributes:
        packet: Returns the packet type of an id.
        with_single: Whether a body of one record without a count is a list of it, too.
    """

    packet: Callable[[int], PacketType]
    with_single: bool = False
    _seen: dict[tuple[int, int], _Pattern] = field(default_factory=dict)

    def of(self, kind: PacketType, body: ByteArray) -> _Pattern:
        """Return the pattern of a body."""
        key = (kind.id, len(body))
        pattern = self._seen.get(key)
        if pattern is None or not np.array_equal(body[pattern.places], pattern.values):
            pattern = _pattern(kind, body.tobytes())
            if pattern.is_alone:
                return pattern
            if len(self._seen) >= _PATTERNS_KEPT:
                self._seen.clear()
            self._seen[key] = pattern
        return pattern

    def groups(self, block: FrameBlock, rows: IndexArray) -> Iterator[UniformFrames]:
        """Yield groups of uniform frames among the rows of a block (indices, rising)."""
        left = rows
        while len(left):
            first = block.data[left[0]]
            lists: list[Records] = []
            places: list[IntArray] = []
            is_alone = False
            for index, (packet_id, offset, size) in enumerate(block.layout.packets()):
                kind = self.packet(packet_id)
                is_list = kind.body == "list" and size >= 2
                if is_list or (self.with_single and kind.body == "single"):
                    body = START_SIZE + offset + 5
                    pattern = self.of(kind, first[body : body + size])
                    lists.append(Records(index, kind, body, pattern.count, pattern.starts))
                    places.append(body + pattern.places)
                    is_alone |= pattern.is_alone
            if is_alone:
                is_same = np.arange(len(left)) == 0
            else:
                is_same = _equal_to_first(block.data, left, places)
            chosen = left[is_same]
            data = block.data
            if len(chosen) < len(block):
                data = block.data[chosen]
            yield UniformFrames(block=block, rows=chosen, data=data, lists=tuple(lists))
            left = left[~is_same]


def _equal_to_first(data: Bytes, rows: IndexArray, places: list[IntArray]) -> BoolArray:
    """Return which rows equal the first one at some places, bool[rows]."""
    if not places or len(rows) == 1:
        return np.ones(len(rows), np.bool_)
    values = data[np.ix_(rows, np.concatenate(places))]
    return np.asarray((values == values[0]).all(axis=1))


def _pattern(kind: PacketType, data: bytes) -> _Pattern:
    """Return the pattern of a body."""
    body = decode(kind, data)
    starts = [body.span(index)[0] for index in range(len(body))]
    count = 1
    places: list[int] = []
    if kind.body == "list":
        count = int.from_bytes(data[:2], "little")
        places += [0, 1]
    if kind.record.size is None:
        for start in starts:
            _collect_lengths(kind.record, data, start, places)
            if len(places) > MAX_PLACES:
                break
    end, stop = body.tail
    tail = range(0)
    if body.damage is not None:
        # The damage of the last record may depend on any byte after the whole ones.
        tail = range(end, stop)
    is_alone = len(places) + len(tail) > MAX_PLACES
    if is_alone:
        places = []
    else:
        places.extend(tail)
    deciding = np.array(places, np.int64)
    return _Pattern(
        count=count,
        starts=np.array([*starts, end], np.int64),
        is_alone=is_alone,
        places=deciding,
        values=np.frombuffer(data, np.uint8)[deciding],
    )


def _collect_lengths(record: Struct, data: bytes, start: int, places: list[int]) -> int:
    """Add the places of length bytes in a record at `start` to `places`, and return its end."""
    end = start
    for step in record.steps:
        if isinstance(step, Run):
            end += step.unpack.size
            continue
        width = 2
        if isinstance(step, Array):
            width = WIDTHS[step.count]
        places.extend(range(end, end + width))
        number = int.from_bytes(data[end : end + width], "little")
        end += width
        if not isinstance(step, Array):
            end += number
        elif step.element.size is not None:
            end += number * step.element.size
        else:
            for _ in range(number):
                end = _collect_lengths(step.element, data, end, places)
    return end
