"""The packet headers of a span whose layout nobody keeps, a window at a time.

A frame may hold millions of packets, or one of gigabytes: neither is read whole. Knows nothing of what packets mean.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..format.codec import PACKET_HEADER
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
