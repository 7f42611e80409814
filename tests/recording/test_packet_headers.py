"""Packet headers of many spans at once."""

import struct

import numpy as np

from recorder_editor.recording.packet_headers import parse_headers


def packet(number: int, size: int) -> bytes:
    return struct.pack("<BI", number, size) + bytes(size)


def test_each_span_gives_its_whole_packets_in_order() -> None:
    spans = [
        packet(6, 30) + packet(1, 0),
        b"",
        packet(8, 3) + packet(9, 0) + packet(10, 7) + packet(1, 0)[:4],  # the last header is cut off
        struct.pack("<BI", 6, 100) + bytes(99),  # the last byte of the body is missing
        struct.pack("<BI", 6, 0xFFFFFFFF),
        packet(2, 2),
    ]
    sizes = np.array([len(span) for span in spans])
    stops = np.cumsum(sizes)
    starts = stops - sizes
    headers = parse_headers(np.frombuffer(b"".join(spans), np.uint8), starts, stops)
    assert headers.spans.tolist() == [0, 0, 2, 2, 2, 5]
    assert headers.ids.tolist() == [6, 1, 8, 9, 10, 2]
    assert headers.sizes.tolist() == [30, 0, 3, 0, 7, 2]
    assert (headers.bodies - starts[headers.spans]).tolist() == [5, 40, 5, 13, 18, 5]


def test_spans_without_bytes_have_no_packets() -> None:
    headers = parse_headers(np.empty(0, np.uint8), np.array([0]), np.array([0]))
    assert len(headers.ids) == 0
