"""Uniform frames: frames whose records begin at the same bytes, so that numpy can process them together.

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

    Attributes: `packet` (index in the layout), `kind`, `body` (its first byte in a row of `data`), `count` (as stored),
    `starts` (of the records and of what follows them, int64[n + 1], bytes of the body).
    """

    packet: int
    kind: PacketType
    body: int
    count: int
    starts: IntArray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def span(self, record: int) -> slice:
        """The bytes of a record in a row of `data`."""
        return slice(self.body + int(self.starts[record]), self.body + int(self.starts[record + 1]))

    def numbers(self, data: Bytes, offset: int = 0) -> UInt32Array:
        """The u32 at an offset of every record: shape (rows, records)."""
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
    """Frames of a block whose records begin at the same bytes.

    Attributes: `block`, `rows` (indices in it, rising), `data` (their bytes, shape (rows, bytes); that of the block if
    all its frames are uniform), `lists` (all record lists, in file order).
    """

    block: FrameBlock
    rows: IndexArray
    data: Bytes
    lists: tuple[Records, ...]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class _Pattern:
    """The starts of the records of a body, and the bytes that decide them: `places`, and `held`, their values.

    `is_alone`: there are too many of these bytes to compare other bodies.
    """

    count: int
    starts: IntArray
    is_alone: bool
    places: IntArray
    held: ByteArray


@dataclass
class Patterns:
    """A cache of patterns by packet id and size of the body, for one pass over a recording.

    Attributes: `packet` (the type of an id), `with_single` (a body of one record without a count is a list of it, too).
    """

    packet: Callable[[int], PacketType]
    with_single: bool = False
    _seen: dict[tuple[int, int], _Pattern] = field(default_factory=dict)

    def of(self, kind: PacketType, body: ByteArray) -> _Pattern:
        """The pattern of a body."""
        key = kind.id, len(body)
        found = self._seen.get(key)
        if found is None or not np.array_equal(body[found.places], found.held):
            found = _pattern(kind, body.tobytes())
            if found.is_alone:
                return found
            if len(self._seen) >= _PATTERNS_KEPT:
                self._seen.clear()
            self._seen[key] = found
        return found

    def groups(self, block: FrameBlock, rows: IndexArray) -> Iterator[UniformFrames]:
        """Groups of uniform frames among the rows of a block (indices, rising)."""
        left = rows
        while len(left):
            first = block.data[left[0]]
            lists: list[Records] = []
            places: list[IntArray] = []
            is_alone = False
            for index, (number, at, size) in enumerate(block.layout.packets()):
                kind = self.packet(number)
                is_list = kind.body == "list" and size >= 2
                if is_list or (self.with_single and kind.body == "single"):
                    body = START_SIZE + at + 5
                    pattern = self.of(kind, first[body : body + size])
                    lists.append(Records(index, kind, body, pattern.count, pattern.starts))
                    places.append(body + pattern.places)
                    is_alone |= pattern.is_alone
            if is_alone:
                same = np.arange(len(left)) == 0
            else:
                same = _equal_to_first(block.data, left, places)
            chosen = left[same]
            if len(chosen) == len(block):
                data = block.data
            else:
                data = block.data[chosen]
            yield UniformFrames(block, chosen, data, tuple(lists))
            left = left[~same]


def _equal_to_first(data: Bytes, rows: IndexArray, places: list[IntArray]) -> BoolArray:
    """bool[rows]: rows that equal the first one at these places."""
    if not places or len(rows) == 1:
        return np.ones(len(rows), np.bool_)
    held = data[np.ix_(rows, np.concatenate(places))]
    return np.asarray((held == held[0]).all(axis=1))


def _pattern(kind: PacketType, data: bytes) -> _Pattern:
    body = decode(kind, data)
    starts = [body.span(index)[0] for index in range(len(body))]
    if kind.body == "list":
        places = [0, 1]
    else:
        places = []
    if kind.record.size is None:
        for start in starts:
            _lengths(kind.record, data, start, places)
            if len(places) > MAX_PLACES:
                break
    # The damage of the last record may depend on any byte after the whole ones.
    if body.damage is not None:
        tail = range(*body.tail)
    else:
        tail = range(0)
    is_alone = len(places) + len(tail) > MAX_PLACES
    where = np.array([] if is_alone else [*places, *tail], np.int64)
    held = np.frombuffer(data, np.uint8)[where]
    bounds = np.array([*starts, body.tail[0]], np.int64)
    if kind.body == "list":
        count = int.from_bytes(data[:2], "little")
    else:
        count = 1
    return _Pattern(count, bounds, is_alone, where, held)


def _lengths(record: Struct, data: bytes, at: int, places: list[int]) -> int:
    """Collect the places of length bytes in a record; returns its end."""
    for step in record.steps:
        if isinstance(step, Run):
            at += step.unpack.size
            continue
        if isinstance(step, Array):
            width = WIDTHS[step.count]
        else:
            width = 2
        places.extend(range(at, at + width))
        number = int.from_bytes(data[at : at + width], "little")
        at += width
        if not isinstance(step, Array):
            at += number
        elif step.element.size is not None:
            at += number * step.element.size
        else:
            for _ in range(number):
                at = _lengths(step.element, data, at, places)
    return at
