"""The packet headers of a span whose layout nobody keeps, a window at a time.

A frame may hold millions of packets, or one of gigabytes: neither is read whole. Knows nothing of what packets mean.
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
    """A packet in a span: its place among them, its id, where its body begins (from the span's start), its size."""

    ordinal: int
    id: int
    body: int
    size: int


def heads(store: Store, source: int, offset: int, size: int) -> Iterator[Head]:
    """The whole packets that follow one another from the beginning of a span; errors as `Store.read`."""
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
    """Whether a span of a raw row holds packets, and more of them or larger ones than are looked into.

    Reads no more headers than may be looked into; errors as `Store.read`.
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
