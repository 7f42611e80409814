"""Damage as data: what is done to the bytes of a recording, so that a run can be repeated."""

import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests import builders
from tests.conftest import DAMAGED, RECORDINGS, SOUND

LARGEST = 96 << 10
"""Bytes of a case: more of them say nothing new, and take their time."""

SIZES = (0, 1, 2, 3, 23, 24, 25, 255, 65_535, 2**31 - 1, 2**31, 2**32 - 1)
COUNTS = (0, 1, 2, 255, 256, 32_767, 32_768, 65_535)
ODD = (
    b"\xff" * 4, b"\xff" * 8, b"\x00" * 8, b"\x00\x00\xc0\x7f", b"\x00\x00\x80\x7f", b"\x00\x00\xa0\x7f",
    struct.pack("<d", float("nan")), struct.pack("<d", float("-inf")), struct.pack("<d", 1e308), b"\xc3\x28\xff\xfe",
    b"\x80" * 8, builders.frame_start(2**64 - 1), builders.frame_end(), builders.header(),
)  # fmt: skip
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


def _text_mode(data: bytes, _blow: Blow, _: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def _as_text(data: bytes, _blow: Blow, _: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode()


def _again(data: bytes, _blow: Blow, other: bytes) -> bytes:
    return data + other


KINDS = {
    "flip": _flip, "noise": _noise, "zeros": _zeros, "hole": _hole, "twice": _twice, "strange": _strange, "cut": _cut,
    "odd": _odd, "size": _size, "count": _count, "id": _id, "packet": _packet, "move": _move, "text mode": _text_mode,
    "as text": _as_text, "again": _again,
}  # fmt: skip
RARE = frozenset({"text mode", "as text", "again", "cut"})
_OFTEN = [kind for kind in KINDS if kind not in RARE] * 3 + sorted(RARE)


def drawn(random: Random) -> list[Blow]:
    """A few blows."""
    return [
        Blow(random.choice(_OFTEN), random.random(), int(2 ** (random.random() * 12)), random.getrandbits(32))
        for _ in range(1 + min(int(random.expovariate(0.6)), 9))
    ]


# --- what is damaged ----------------------------------------------------------------------------------------


def made_seeds() -> list[bytes]:
    """Recordings of every dialect that the builders know, and short drives."""
    every = [builders.everything(name) for name in builders.RELEASES]
    return [*every, *(builders.drive(frames=n, vehicles=v) for n, v in ((1, 1), (6, 2), (30, 3))), builders.dreyevr()]


def real_seeds(random: Random, most: int = LARGEST) -> Iterator[bytes]:
    """Pieces of the real recordings, where there are any: a header, the first frames, and some from the middle."""
    if not RECORDINGS.is_dir():
        return
    for name in (*SOUND, DAMAGED):
        data = (RECORDINGS / name).read_bytes()
        yield _piece(data, random, most)
        yield _piece(data, random, most)


def _piece(data: bytes, random: Random, most: int) -> bytes:
    packets = packets_of(data)
    starts = [at for at in packets if data[at] == 0]
    if len(starts) < 9:
        return data[:most]
    room = random.choice((most // 8, most // 2))
    first = data[: min(starts[random.randrange(1, 4)], room)]
    begin = starts[random.randrange(1, len(starts) - 1)]
    end = next((at for at in starts if at >= begin + room), len(data))
    return first + data[begin : min(end, begin + 2 * room)]


def read_seeds(folder: Path) -> list[bytes]:
    """The cases of earlier runs."""
    return [path.read_bytes() for path in sorted(folder.glob("*.case"))] if folder.is_dir() else []
