"""Reads the packet headers of a span without a stored layout, in windows of bounded size.

A frame may contain millions of packets, or one of gigabytes.
"""

from collections.abc import Iterator

import numpy as np

from ..arrays import IntArray
from ..format import PACKET_HEADER
from .frames import LARGEST_FRAME, MAX_IN_FRAME
from .scan_buffer import is_likely
from .store import Store

WINDOW = 1 << 16
"""Bytes read at once."""

_KEPT = 1 << 21  # headers of which a reader keeps the values: 48 MB
_SPAN = 16  # headers that take as much memory as what is kept of a span besides them


def read_headers(store: Store, source: int, offset: int, size: int) -> Iterator[tuple[int, int, int]]:
    """The contiguous complete packets from the beginning of a span: (id, body, size of the body).

    `body` is an offset from the start of the span. Errors as `Store.read`.
    """
    unpack_from, head = PACKET_HEADER.unpack_from, PACKET_HEADER.size
    begin = end = 0  # of the window
    window = b""
    body = head
    while body <= size:
        if body > end:
            begin = body - head
            window = store.read(source, offset + begin, min(WINDOW, size - begin))
            end = begin + len(window)
        number, length = unpack_from(window, body - head - begin)
        if body + length > size:
            return
        yield number, body, length
        body += length + head


def is_too_large(store: Store, source: int, offset: int, size: int) -> bool:
    """Whether a raw row contains packets that exceed the limits of a frame.

    Reads at most `MAX_IN_FRAME` headers; errors as `Store.read`.
    """
    if size <= PACKET_HEADER.size * MAX_IN_FRAME:
        return False
    end = 0
    for ordinal, (number, body, length) in enumerate(read_headers(store, source, offset, size)):
        if not is_likely((number, length)):
            return False
        if ordinal == MAX_IN_FRAME:
            return True
        end = body + length
    return end == size > LARGEST_FRAME


class SpanHeaders:
    """The packet headers of spans, for several readers in turn: those of the first spans are kept in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[int, int, int], IntArray] = {}
        self._left = _KEPT

    def read(self, source: int, offset: int, size: int) -> IntArray:
        """The headers of a span, shape (n, 3), as `read_headers` returns them; errors as `Store.read`."""
        span = source, offset, size
        found = self._kept.get(span)
        if found is None:
            found = np.array([*read_headers(self._store, *span)], np.int64).reshape(-1, 3)
            if len(found) + _SPAN <= self._left:
                self._kept[span] = found
                self._left -= len(found) + _SPAN
        return found
