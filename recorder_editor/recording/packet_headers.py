"""Reads the packet headers of a span without a stored layout, in windows of bounded size.

A frame may contain millions of packets, or one of gigabytes.
"""

from collections.abc import Iterator

from ..format import PACKET_HEADER
from .frames import LARGEST_FRAME, MAX_IN_FRAME
from .scan_buffer import is_likely
from .store import Store

WINDOW = 1 << 16
"""Bytes read at once."""


def read_headers(store: Store, source: int, offset: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Walk the contiguous complete packets from the beginning of a span; errors as `Store.read`.

    Args:
        store: The sources.
        source: The number of the source.
        offset: The start of the span.
        size: The size of the span.

    Yields:
        The id, the offset of the body from the start of the span, and the size of the body.
    """
    unpack_from = PACKET_HEADER.unpack_from
    head = PACKET_HEADER.size
    window = b""
    begin = 0  # of the window
    end = 0
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

    Args:
        store: The sources.
        source: The number of the row's source.
        offset: The offset of the row there.
        size: The size of the row.
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
