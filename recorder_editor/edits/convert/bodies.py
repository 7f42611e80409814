"""Conversion of packet bodies: the same fields with other widths and other numbers of types.

A recipe maps bytes of the source to bytes of the target. It depends on the counts and lengths in a body alone, so that
one recipe converts all uniform frames with a few numpy operations. Floats and doubles are converted on their bits:
widening loses nothing, narrowing a widened float restores its bits, and values that are not finite are converted
without arithmetic, since hardware makes signalling NaNs quiet.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from ...arrays import BoolArray, ByteArray, IntArray, UInt32Array, UInt64Array
from ...format import WIDTHS, Array, Field, Struct
from ...recording import Bytes
from ..uniform_frames import Records
from .packet_map import SENSOR, SIGN, Notes, PacketMap

_SIGN_32, _EXPONENT_32, _FRACTION_32 = np.uint32(0x80000000), np.uint32(0x7F800000), np.uint32(0x7FFFFF)
_EXPONENT_64, _FRACTION_64 = np.uint64(0x7FF << 52), np.uint64((1 << 52) - 1)
_SPARE = np.uint64(29)
"""Bits of a double's fraction that a float has no room for."""
_BELOW = np.uint64((1 << 29) - 1)


@dataclass(frozen=True)
class Narrowed:
    """Doubles as floats.

    Attributes: `bits`, `rounded` (not exactly the double: the nearest float, or a NaN with a shortened payload),
    `beyond` (finite, but too large for a float: infinite). The masks do not overlap.
    """

    bits: UInt32Array
    rounded: BoolArray
    beyond: BoolArray


def widened(bits: UInt32Array) -> UInt64Array:
    """The doubles of the same values; NaNs keep sign, quietness and payload. Any shape."""
    with np.errstate(all="ignore"):
        wide: UInt64Array = bits.view(np.float32).astype(np.float64).view(np.uint64)
    odd = (bits & _EXPONENT_32) == _EXPONENT_32
    if odd.any():
        strange = bits[odd].astype(np.uint64)
        sign = (strange >> np.uint64(31)) << np.uint64(63)
        wide[odd] = sign | _EXPONENT_64 | ((strange & np.uint64(_FRACTION_32)) << _SPARE)
    return wide


def narrowed(bits: UInt64Array) -> Narrowed:
    """The nearest floats; NaNs keep sign, quietness and the upper bits of the payload. Any shape."""
    with np.errstate(all="ignore"):
        narrow: UInt32Array = bits.view(np.float64).astype(np.float32).view(np.uint32)
        back = narrow.view(np.float32).astype(np.float64).view(np.uint64)
    rounded: BoolArray = back != bits
    beyond: BoolArray = np.zeros(bits.shape, np.bool_)
    odd = (narrow & _EXPONENT_32) == _EXPONENT_32
    if odd.any():
        strange = bits[odd]
        finite = (strange & _EXPONENT_64) != _EXPONENT_64
        fraction = strange & _FRACTION_64
        kept = (fraction >> _SPARE).astype(np.uint32)
        # Without a bit it would be an infinity.
        kept[(fraction != 0) & (kept == 0)] = 1
        sign = (strange >> np.uint64(32)).astype(np.uint32) & _SIGN_32
        narrow[odd] = np.where(finite, narrow[odd], sign | _EXPONENT_32 | kept)
        rounded[odd] = ~finite & ((fraction & _BELOW) != 0)
        beyond[odd] = finite
    return Narrowed(narrow, rounded, beyond)


STIFFNESS = {"lat_stiff_max_load": 2.0, "lat_stiff_value": 17.0, "long_stiff_value": 1000.0}
"""Default stiffness of wheels in the engine; wheels of 36 bytes hold none (format reference 4.15)."""
_DEFAULT = np.array(list(STIFFNESS.values()), "<f4").view(np.uint8)

Recipe = Callable[[Bytes, Notes], Bytes]
"""Makes bodies, (frames, bytes), of those of the source, (frames, bytes)."""


def recipe(packet_map: PacketMap, records: Records, sample: ByteArray) -> Recipe:
    """The recipe for bodies like `sample`; bytes after the last whole record stay."""
    kind, target = records.kind, packet_map.mapping(records.kind.id).target
    assert target is not None
    end = int(records.starts[-1])
    found = _FieldPlaces()
    data = sample.tobytes()
    found.at = found.to = 2
    found.copies.append((0, 0, 2))
    for _ in range(len(records)):
        _walk(kind.record, target.record, data, found)
    made, stop = _Moves(kind.name, packet_map, found), found.to
    rest = len(sample) - end
    unreadable = rest > 0 or len(records) != records.count

    def converted(data: Bytes, notes: Notes) -> Bytes:
        out = np.empty((len(data), stop + rest), np.uint8)
        made(data, out, notes)
        out[:, stop:] = data[:, end:]
        if unreadable:
            notes.add("unreadable", kind.name, np.ones(len(data), np.bool_))
        return out

    return converted


# --- places of fields -----------------------------------------------------------------------------------


@dataclass
class _FieldPlaces:
    """The places of fields in a body and in the converted body.

    Attributes: `at`, `to` (the cursors), `copies` (from, to, bytes), `reals` (from, to), `attributes` (types: from,
    to), `actors` (classes: from, to, blueprint's first byte, its length), `lost` (from: 12 bytes), `filled` (to: 12
    bytes).
    """

    at: int = 0
    to: int = 0
    copies: list[tuple[int, int, int]] = field(default_factory=list)
    reals: list[tuple[int, int]] = field(default_factory=list)
    attributes: list[tuple[int, int]] = field(default_factory=list)
    actors: list[tuple[int, int, int, int]] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    filled: list[int] = field(default_factory=list)

    def copy(self, size: int) -> None:
        """Copy `size` bytes at the cursors."""
        start, to, before = self.copies[-1] if self.copies else (0, 0, -1)
        if (start + before, to + before) == (self.at, self.to):
            self.copies[-1] = start, to, before + size
        else:
            self.copies.append((self.at, self.to, size))
        self.at, self.to = self.at + size, self.to + size


Member = Field | Array


@cache
def _pairs(source: Struct, target: Struct) -> tuple[tuple[Member | None, Member | None], ...]:
    """Pairs of members of the same path, in file order; None for a missing one."""
    theirs = {member.path: member for member in target.members}
    mine = {member.path for member in source.members}
    pairs: list[tuple[Member | None, Member | None]] = []
    new = iter(target.members)
    for member in source.members:
        found = theirs.get(member.path)
        for other in new if found is not None else ():
            if other.path in mine:
                break
            pairs.append((None, other))
        pairs.append((member, found))
    return (*pairs, *((None, other) for other in new))


def _walk(source: Struct, target: Struct, data: bytes, found: _FieldPlaces) -> None:
    """Collect the places of the fields of a record and advance the cursors; `data` is read for lengths alone."""
    kind: tuple[int, int] | None = None
    for mine, its in _pairs(source, target):
        if isinstance(mine, Array):
            assert isinstance(its, Array)
            width = WIDTHS[mine.count]
            number = int.from_bytes(data[found.at : found.at + width], "little")
            found.copy(width)
            for _ in range(number):
                _walk(mine.element, its.element, data, found)
        elif mine is None:
            assert isinstance(its, Field)
            if its.path == next(iter(STIFFNESS)):
                found.filled.append(found.to)
            found.to += WIDTHS[its.type]
        elif its is None:
            if mine.path == next(iter(STIFFNESS)):
                found.lost.append(found.at)
            found.at += WIDTHS[mine.type]
        elif mine.type == "str":
            length = int.from_bytes(data[found.at : found.at + 2], "little")
            if mine.path == "blueprint" and kind is not None:
                found.actors.append((*kind, found.at + 2, length))
            found.copy(2 + length)
        elif isinstance(its, Field) and mine.type != its.type:
            found.reals.append((found.at, found.to))
            found.at, found.to = found.at + WIDTHS[mine.type], found.to + WIDTHS[its.type]
        else:
            if mine.path == "type" and source.name == "attribute":
                found.attributes.append((found.at, found.to))
            elif mine.path == "type":
                kind = found.at, found.to
            found.copy(WIDTHS[mine.type])


# --- recipes --------------------------------------------------------------------------------------------


def _resized(reals: ByteArray, wide: bool, name: str, notes: Notes) -> ByteArray:
    """Reals of the other width, as bytes; any shape (frames, ...), contiguous along the last axis."""
    if wide:
        return widened(reals.view(np.uint32)).view(np.uint8)
    made = narrowed(reals.view(np.uint64))
    across = tuple(range(1, made.bits.ndim))
    if made.rounded.any():
        notes.add("rounded", name, made.rounded.sum(axis=across))
    if made.beyond.any():
        notes.add("beyond", name, made.beyond.sum(axis=across))
    return made.bits.view(np.uint8)


class _Moves:
    """A recipe: bytes are gathered from places and written to others."""

    def __init__(self, name: str, packet_map: PacketMap, found: _FieldPlaces) -> None:
        self.name, self.packet_map = name, packet_map
        self.wide = packet_map.target.wide
        self.origin, self.goal = _spread(found.copies)
        self.reals = _columns(found.reals, 2)
        self.attributes = _columns(found.attributes, 2)
        self.actors = _columns(found.actors, 4)
        self.lost, self.filled = np.array(found.lost, np.int64), np.array(found.filled, np.int64)

    def __call__(self, data: Bytes, out: Bytes, notes: Notes) -> None:
        """Fill converted bodies, (frames, bytes), but for bytes after the last whole record."""
        out[:, self.goal] = data[:, self.origin]
        if len(self.reals):
            one, other = (4, 8) if self.wide else (8, 4)
            reals = np.ascontiguousarray(data[:, self.reals[:, :1] + np.arange(one)])
            made = _resized(reals, self.wide, self.name, notes)
            out[:, self.reals[:, 1:] + np.arange(other)] = made
        if len(self.lost):
            gone = data[:, self.lost[:, None] + np.arange(len(_DEFAULT))]
            notes.add("stiffness", self.name, (gone != _DEFAULT).any(axis=2).sum(axis=1))
        if len(self.filled):
            out[:, self.filled[:, None] + np.arange(len(_DEFAULT))] = _DEFAULT
            notes.add("filled", self.name, np.full(len(data), len(self.filled)))
        self._number_attributes(data, out, notes)
        self._number_actors(data, out, notes)

    def _number_attributes(self, data: Bytes, out: Bytes, notes: Notes) -> None:
        types = self.packet_map.attribute_types
        if types is not None and len(self.attributes):
            held = data[:, self.attributes[:, 0]]
            out[:, self.attributes[:, 1]] = types.table[held]
            notes.add("attribute-type", self.name, types.strange[held].sum(axis=1))

    def _number_actors(self, data: Bytes, out: Bytes, notes: Notes) -> None:
        types = self.packet_map.actor_types
        if types is None or not len(self.actors):
            return
        held = data[:, self.actors[:, 0]]
        made = types.table[held]
        by_blueprint = {SENSOR: self._begins(data, b"sensor."), SIGN: self._begins(data, b"traffic.")}
        by_blueprint[SIGN] &= ~self._begins(data, b"traffic.traffic_light")
        for name, number in types.found.items():
            made[(held == 0) & by_blueprint[name]] = number
        for number, name in types.lost.items():
            # A class that follows from the blueprint is restored when converting back.
            gone = (held == number) & ~by_blueprint.get(name, np.zeros(held.shape, np.bool_))
            notes.add("actor-type", self.name, gone.sum(axis=1))
        out[:, self.actors[:, 1]] = made

    def _begins(self, data: Bytes, text: bytes) -> BoolArray:
        """bool[frames, actors]: blueprints that begin with a text."""
        long = self.actors[:, 3] >= len(text)
        begins = np.zeros((len(data), len(long)), np.bool_)
        places = self.actors[long, 2][:, None] + np.arange(len(text))
        begins[:, long] = (data[:, places] == np.frombuffer(text, np.uint8)).all(axis=2)
        return begins


def _columns(found: Sequence[tuple[int, ...]], width: int) -> IntArray:
    return np.array(found, np.int64).reshape(-1, width)


def _spread(copies: list[tuple[int, int, int]]) -> tuple[IntArray, IntArray]:
    """Source and target index of every copied byte."""
    start, to, size = np.array(copies, np.int64).reshape(-1, 3).T
    within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    return np.repeat(start, size) + within, np.repeat(to, size) + within
