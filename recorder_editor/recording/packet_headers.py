"""Reads the packet headers of a span without a stored layout, in windows of bounded size.

A frame may contain millions of packets, or one of gigabytes.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import ByteArray, IntArray
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


class Headers(NamedTuple):
    """Packet headers of several spans, in the order of the spans and of the bytes.

    Attributes:
        spans: The indices of the spans, int64 (n,).
        ids: The packet ids, uint8 (n,).
        bodies: The offsets of the bodies from the start of the data, int64 (n,).
        sizes: The sizes of the bodies, int64 (n,).
    """

    spans: IntArray
    ids: ByteArray
    bodies: IntArray
    sizes: IntArray


def parse_headers(data: ByteArray, starts: IntArray, stops: IntArray) -> Headers:
    """Walk the contiguous complete packets from the beginning of each span, a packet of all spans at a time.

    Args:
        data: Bytes with all spans, uint8 (n,).
        starts: Where the spans begin in `data`, int64 (spans,).
        stops: Where they end.
    """
    head = PACKET_HEADER.size
    sizes_at = np.ndarray((max(len(data) - 3, 0),), "<u4", data, 0, (1,))  # a number at every byte
    spans = np.arange(len(starts))
    bodies = starts + head
    found: list[tuple[IntArray, IntArray, IntArray]] = [(spans[:0], bodies[:0], bodies[:0])]
    while len(spans):
        has_header = bodies <= stops[spans]
        spans = spans[has_header]
        bodies = bodies[has_header]
        sizes = sizes_at[bodies - 4].astype(np.int64)
        is_whole = bodies + sizes <= stops[spans]
        spans = spans[is_whole]
        bodies = bodies[is_whole]
        sizes = sizes[is_whole]
        found.append((spans, bodies, sizes))
        bodies = bodies + sizes + head
    all_spans, all_bodies, all_sizes = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(all_spans, kind="stable")
    return Headers(
        spans=all_spans[order], ids=data[all_bodies[order] - head], bodies=all_bodies[order], sizes=all_sizes[order]
    )


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
