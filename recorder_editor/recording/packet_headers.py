"""Reads the packet headers of a span without a stored layout, in windows of bounded size.

A frame may contain millions of packets, or one of gigabytes.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..format.codec import PACKET_HEADER
from .frames import LARGEST_FRAME, MOST_IN_FRAME
from .scan_buffer import is_likely
from .store import Store

WINDOW = 1 << 16
"""Bytes read at once."""


class Head(NamedTuple):
    """A packet in a span: its index, its id, the offset of its body from the span's start, the size of its body."""

    ordinal: int
    id: int
    body: int
    size: int


def heads(store: Store, source: int, offset: int, size: int) -> Iterator[Head]:
    """The contiguous complete packets from the beginning of a span; errors as `Store.read`."""
    ordinal = at = 0
    window, begin = b"", 0
    while at + PACKET_HEADER.size <= size:
        if at + PACKET_HEADER.size > begin + len(window):
            begin = at
            window = store.read(source, offset + at, min(WINDOW, size - at))
        number, length = PACKET_HEADER.unpack_from(window, at - begin)
        at += PACKET_HEADER.size
        if at + length > size:
            return
        yield Head(ordinal, number, at, length)
        ordinal, at = ordinal + 1, at + length


def is_too_large(store: Store, source: int, offset: int, size: int) -> bool:
    """Whether a raw row contains packets that exceed the limits of a frame.

    Reads at most `MOST_IN_FRAME` headers; errors as `Store.read`.
    """
    if size <= PACKET_HEADER.size * MOST_IN_FRAME:
        return False
    end = 0
    for head in heads(store, source, offset, size):
        if not is_likely((head.id, head.size)):
            return False
        if head.ordinal == MOST_IN_FRAME:
            return True
        end = head.body + head.size
    return end == size > LARGEST_FRAME
