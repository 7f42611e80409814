"""Damage as data: what is done to the bytes of a recording, so that a run can be repeated."""

import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import NamedTuple

from tests import builders
from tests.edits.gazes import street_with_gazes
from tests.real_recordings import DAMAGED, RECORDINGS, SOUND

LARGEST = 96 << 10
"""Bytes of a case: more of them say nothing new, and take their time."""

SIZES = (0, 1, 2, 3, 23, 24, 25, 255, 65_535, 2**31 - 1, 2**31, 2**32 - 1)
COUNTS = (0, 1, 2, 255, 256, 32_767, 32_768, 65_535)
ODD = (
    b"\xff" * 4,
    b"\xff" * 8,
    b"\x00" * 8,
    b"\x00\x00\xc0\x7f",
    b"\x00\x00\x80\x7f",
    b"\x00\x00\xa0\x7f",
    struct.pack("<d", float("nan")),
    struct.pack("<d", float("-inf")),
    struct.pack("<d", 1e308),
    b"\xc3\x28\xff\xfe",
    b"\x80" * 8,
    builders.frame_start(2**64 - 1),
    builders.frame_end(),
    builders.header(),
)
FRAME_IDS = (0, 1, 2, 2**31, 2**32, 2**53 + 1, 2**63, 2**64 - 1)
TIMES = (
    0.0,
    -0.0,
    -1.0,
    1e-300,
    0.05,
    1e6,
    1e15,
    1e18,
    1e300,
    1.7e308,
    -1e308,
    float("inf"),
    float("-inf"),
    float("nan"),
)
NUMBERS = (
    *(struct.pack("<f", value) for value in (0.0, -1.0, 1e-40, 1e9, 1e30, 3.4e38, float("inf"), float("nan"))),
    *(struct.pack("<d", value) for value in (1e300, 1.7e308, float("-inf"), float("nan"))),
    *(struct.pack("<I", value) for value in (0, 1, 7, 174, 2**31 - 1, 2**31, 2**32 - 1)),
)
STRINGS = (
    b"",
    b"\x1b]0;title\x07\x1b[31m",
    b"two\nlines\r\tand a tab",
    b"\x00",
    b"\xff\xfe",
    b"hero",
    "\u202eevil\u2028\x9b2J".encode(),
    b"vehicle.",
    b"traffic.traffic_light",
    b"sensor.camera.rgb",
    b"walker.pedestrian.0001",
    b"=cmd|'/c calc'!A1",
    b"a" * 300,
    b"x" * 40_000,
    b"\"<&'>]]>,;",
    "\U0001f697\ud7ff".encode(),
    b"../../etc/passwd",
    b"%s{0}%n",
    b"nan",
    b"True",
    b"1,2,3",
    b"999999999999999999999",
    b"number_of_wheels",
    b"role_name",
)
_STRING = re.compile(rb"(?s)..([\x20-\x7e]{1,255})")
_HEADER = struct.Struct("<BI")


class Blow(NamedTuple):
    """One change: its `kind`, `where` (a share of the bytes), `size` and `value`, which mean what the kind makes of
    them."""

    kind: str
    where: float
    size: int
    value: int


def packets_of(data: bytes) -> list[int]:
    """Where the headers of the packets are that follow one another behind the file header."""
    found: list[int] = []
    at = 28 + int.from_bytes(data[26:28], "little") if data[4:18] == builders.MAGIC else 0
    while at + 5 <= len(data):
        found.append(at)
        at += 5 + int.from_bytes(data[at + 1 : at + 5], "little")
    return found


def struck(data: bytes, blows: list[Blow], other: bytes = b"") -> bytes:
    """The bytes after all blows; `other` are those that a blow of two recordings takes from."""
    for blow in blows:
        data = KINDS[blow.kind](data, blow, other)[: 2 * LARGEST]
    return data


def _place(data: bytes, blow: Blow) -> int:
    return min(len(data), int(blow.where * (len(data) + 1)))


def _flip(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _place(data, blow)
    return data[:at] + bytes([data[at] ^ (1 << (blow.value & 7))]) + data[at + 1 :] if at < len(data) else data


def _noise(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _place(data, blow)
    return data[:at] + Random(blow.value).randbytes(blow.size) + data[at + blow.size :]


def _zeros(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _place(data, blow)
    return data[:at] + bytes(blow.size) + data[at + blow.size :]


def _hole(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _place(data, blow)
    return data[:at] + data[at + blow.size :]


def _twice(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _place(data, blow)
    return data[: at + blow.size] + data[at:]


def _strange(data: bytes, blow: Blow, other: bytes) -> bytes:
    at, begin = _place(data, blow), blow.value % (len(other) + 1)
    return data[:at] + other[begin : begin + blow.size] + data[at:]


def _cut(data: bytes, blow: Blow, _: bytes) -> bytes:
    return data[: _place(data, blow)]


def _odd(data: bytes, blow: Blow, _: bytes) -> bytes:
    at, odd = _place(data, blow), ODD[blow.value % len(ODD)]
    return data[:at] + odd + data[at + len(odd) * (blow.size & 1) :]


def _header_at(data: bytes, blow: Blow) -> int | None:
    packets = packets_of(data)
    return packets[min(int(blow.where * len(packets)), len(packets) - 1)] if packets else None


def _size(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _header_at(data, blow)
    if at is None:
        return data
    now = int.from_bytes(data[at + 1 : at + 5], "little")
    size = SIZES[blow.value % len(SIZES)] if blow.size & 1 else max(0, now + blow.value % 9 - 4)
    return data[: at + 1] + struct.pack("<I", size & 0xFFFFFFFF) + data[at + 5 :]


def _count(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _header_at(data, blow)
    if at is None or at + 7 > len(data):
        return data
    return data[: at + 5] + struct.pack("<H", COUNTS[blow.value % len(COUNTS)]) + data[at + 7 :]


def _id(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _header_at(data, blow)
    return data if at is None else data[:at] + bytes([blow.value & 255]) + data[at + 1 :]


def _packet(data: bytes, blow: Blow, _: bytes) -> bytes:
    """A packet that nobody wrote: any id, a body of noise."""
    at = _header_at(data, blow)
    at = 0 if at is None else at
    size = blow.size % 64
    return data[:at] + _HEADER.pack(blow.value & 255, size) + Random(blow.value).randbytes(size) + data[at:]


def _move(data: bytes, blow: Blow, _: bytes) -> bytes:
    packets = packets_of(data)
    if len(packets) < 3:
        return data
    first = min(int(blow.where * (len(packets) - 1)), len(packets) - 2)
    one, rest = data[packets[first] : packets[first + 1]], data[: packets[first]] + data[packets[first + 1] :]
    to = packets[blow.value % len(packets)]
    return rest[:to] + one + rest[to:]


def _without(data: bytes, blow: Blow, _: bytes) -> bytes:
    at = _header_at(data, blow)
    return data if at is None else data[:at] + data[at + 5 + int.from_bytes(data[at + 1 : at + 5], "little") :]


def _frame(data: bytes, blow: Blow, _: bytes) -> bytes:
    """A frame less, a frame twice, or two frames that change places."""
    starts = [at for at in packets_of(data) if data[at] == 0]
    frames = [data[first:stop] for first, stop in pairwise([*starts, len(data)])]
    if not frames:
        return data
    at, other = int(blow.where * (len(frames) - 1)), (blow.value >> 2) % len(frames)
    if blow.value % 3 == 0:
        del frames[at]
    elif blow.value % 3 == 1:
        frames.insert(other, frames[at])
    else:
        frames[at], frames[other] = frames[other], frames[at]
    return data[: starts[0]] + b"".join(frames)


def _time(data: bytes, blow: Blow, _: bytes) -> bytes:
    """Frame id, duration or elapsed of a frame, or of all frames from there on."""
    starts = [at + 5 for at in packets_of(data) if data[at] == 0 and at + 29 <= len(data)]
    if not starts:
        return data
    first, made = int(blow.where * (len(starts) - 1)), bytearray(data)
    for at in starts[first : None if blow.size & 1 else first + 1]:
        if blow.value % 4 == 0:
            struct.pack_into("<Q", made, at, FRAME_IDS[blow.size % len(FRAME_IDS)])
        else:
            struct.pack_into("<d", made, at + (8 if blow.value % 4 == 1 else 16), TIMES[blow.size % len(TIMES)])
    return bytes(made)


def _real(data: bytes, blow: Blow, _: bytes) -> bytes:
    """Four or eight bytes of a record, where a number may stand."""
    at = _header_at(data, blow)
    odd = NUMBERS[blow.value % len(NUMBERS)]
    if at is None:
        return data
    words = (int.from_bytes(data[at + 1 : at + 5], "little") - 2) // 4
    at += 7 + (4 * (blow.size % words) if words > 0 else 0)
    return data[:at] + odd + data[at + len(odd) :]


def _text(data: bytes, blow: Blow, _: bytes) -> bytes:
    """A string of a packet becomes another one; all sizes fit."""
    packets = [at for at in packets_of(data) if data[at] in (2, 19)]
    odd = STRINGS[blow.value % len(STRINGS)]
    if not packets:
        return data
    at = packets[int(blow.where * (len(packets) - 1))]
    size = int.from_bytes(data[at + 1 : at + 5], "little")
    found = list(_STRING.finditer(data, at + 7, at + 5 + size))
    found = [each for each in found if len(each[1]) == int.from_bytes(data[each.start() : each.start() + 2], "little")]
    if not found:
        return data
    each = found[blow.size % len(found)]
    size += len(odd) - len(each[1])
    body = data[at + 5 : each.start()] + struct.pack("<H", len(odd)) + odd + data[each.end() :]
    return data[: at + 1] + struct.pack("<I", size) + body


def _header(data: bytes, blow: Blow, _: bytes) -> bytes:
    """Another version, date or map."""
    if data[4:18] != builders.MAGIC:
        return data
    end = 28 + int.from_bytes(data[26:28], "little")
    version, date = struct.unpack_from("<H", data)[0], struct.unpack_from("<q", data, 18)[0]
    name = data[28:end]
    if blow.value % 3 == 0:
        version = (0, 1, 2, 3, 65_535)[blow.size % 5]
    elif blow.value % 3 == 1:
        date = (0, -1, 1, 2**31, 2**40, 2**62, -(2**63))[blow.size % 7]
    else:
        name = STRINGS[blow.size % len(STRINGS)]
    return builders.header(version, name, date) + data[end:]


def _text_mode(data: bytes, _blow: Blow, _: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def _as_text(data: bytes, _blow: Blow, _: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode()


def _again(data: bytes, _blow: Blow, other: bytes) -> bytes:
    return data + other


KINDS = {
    "flip": _flip,
    "noise": _noise,
    "zeros": _zeros,
    "hole": _hole,
    "twice": _twice,
    "strange": _strange,
    "cut": _cut,
    "odd": _odd,
    "size": _size,
    "count": _count,
    "id": _id,
    "packet": _packet,
    "move": _move,
    "text mode": _text_mode,
    "as text": _as_text,
    "again": _again,
    "without": _without,
    "frame": _frame,
    "time": _time,
    "real": _real,
    "text": _text,
    "header": _header,
}
RARE = frozenset({"text mode", "as text", "again", "cut"})
_OFTEN = [kind for kind in KINDS if kind not in RARE] * 3 + sorted(RARE)


def drawn(random: Random) -> list[Blow]:
    """A few blows."""
    return [
        Blow(random.choice(_OFTEN), random.random(), int(2 ** (random.random() * 12)), random.getrandbits(32))
        for _ in range(1 + min(int(random.expovariate(0.6)), 9))
    ]


# --- what is damaged ----------------------------------------------------------------------------------------


@lru_cache
def made_seeds() -> list[bytes]:
    """Recordings of every dialect that the builders know, and short drives."""
    every = [builders.everything(name) for name in builders.RELEASES]
    drives = [builders.drive(frames=n, vehicles=v) for n, v in ((1, 1), (6, 2), (30, 3))]
    return [*every, *drives, builders.dreyevr(), street_with_gazes()]


def real_seeds(random: Random, most: int = LARGEST) -> Iterator[bytes]:
    """Pieces of the real recordings, where there are any: a header, the first frames, and some from the middle."""
    for data, starts in _real_recordings():
        yield _piece(data, starts, random, most)
        yield _piece(data, starts, random, most)


def real_seed(random: Random, most: int) -> bytes:
    """One such piece; a made recording where there are no real ones."""
    every = _real_recordings()
    return _piece(*random.choice(every), random, most) if every else random.choice(made_seeds())


@lru_cache
def _real_recordings() -> list[tuple[bytes, list[int]]]:
    """Each with the offsets of its frames."""
    if not RECORDINGS.is_dir():
        return []
    every = [(RECORDINGS / name).read_bytes() for name in (*SOUND, DAMAGED)]
    return [(data, [at for at in packets_of(data) if data[at] == 0]) for data in every]


def _piece(data: bytes, starts: list[int], random: Random, most: int) -> bytes:
    if len(starts) < 9:
        return data[:most]
    room = random.choice((most // 8, most // 2))
    first = data[: min(starts[random.randrange(1, 4)], room)]
    begin = starts[random.randrange(1, len(starts) - 1)]
    end = next((at for at in starts if at >= begin + room), len(data))
    return first + data[begin : min(end, begin + 2 * room)]
