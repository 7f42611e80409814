"""Files that somebody made to hurt: sizes of 4 GB, counts without bodies, millions of packets, text that is none."""

import struct
from collections.abc import Callable

from tests import builders
from tests.builders import frame_end, frame_start, header, packet

MANY = 10_000_000


def sizes_of_4_gb() -> bytes:
    """Packets that claim to be as large as a size can be."""
    huge = struct.pack("<BI", 6, 2**32 - 1)
    return builders.drive(frames=3) + b"".join(frame_start(4 + n, n) + huge + bytes(40) for n in range(200))


def counts_without_bodies() -> bytes:
    """Lists of 65,535 records that end behind the count, in every packet there is."""
    frames = (frame_start(n + 1, n / 20) + packet(n, b"\xff\xff") + frame_end() for n in range(2, 256))
    return header() + b"".join(frames)


def broken_text() -> bytes:
    """Strings that are no UTF-8, as long as a string can be, and longer than their packet."""
    odd = (b"\xc3\x28" * 20, b"\xff" * 32_768, b"\xed\xa0\x80" * 9, b"\x00" * 300, "\u202e\u0000".encode())
    frames = []
    for number, raw in enumerate(odd):
        actor = builders.actor(200 + number, blueprint=raw, attributes=[builders.attribute(3, raw, raw)])
        body = builders.event_add([actor])
        frames.append(frame_start(2 * number + 1, number / 10) + packet(2, body) + frame_end())
        frames.append(frame_start(2 * number + 2, number / 10 + 0.05) + packet(2, body[:-7]) + frame_end())
    return header() + b"".join(frames)


def frames_in_frames() -> bytes:
    """As deep as the file is long."""
    return header() + b"".join(frame_start(n + 1, n / 20) for n in range(600)) + frame_end() * 600


def attributes_without_end() -> bytes:
    """Actors whose attributes are counted 65,535 times, in a packet that counts 65,535 actors."""
    one = builders.actor(7, attributes=[builders.attribute(3, "a", "b")] * 1000)
    body = builders.event_add([one] * 10)
    return header() + frame_start(1) + packet(2, b"\xff\xff" + body[2:]) + frame_end()


def nothing_but_ends() -> bytes:
    """Frame ends, one behind the other."""
    return header() + frame_end() * 10_000


def bodies_of_one_byte(number: int) -> bytes:
    """One frame of so many packets with a body of one byte."""
    return header() + frame_start(1) + struct.pack("<BIB", 77, 1, 0) * number + frame_end()


def alternating_layouts(number: int) -> bytes:
    """Frames of which no two that follow one another are alike."""
    bodies = [packet(77, bytes(n % 97)) for n in range(number)]
    return header() + b"".join(frame_start(n + 1, n / 20) + body + frame_end() for n, body in enumerate(bodies))


SMALL: dict[str, Callable[[], bytes]] = {
    "sizes of 4 GB": sizes_of_4_gb,
    "counts without bodies": counts_without_bodies,
    "broken text": broken_text,
    "frames in frames": frames_in_frames,
    "attributes without end": attributes_without_end,
    "nothing but ends": nothing_but_ends,
    "packets of one byte": lambda: bodies_of_one_byte(10_000),
    "alternating layouts": lambda: alternating_layouts(600),
}
