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
from ...format import WIDTHS, Array, Field, Struct, pack_value
from ...format.schema import CODES, NUMBER_CODES
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


Recipe = Callable[[Bytes, Notes], Bytes]
"""Makes bodies, (frames, bytes), of those of the source, (frames, bytes)."""


def recipe(packet_map: PacketMap, records: Records, sample: ByteArray) -> Recipe:
    """The recipe for bodies like `sample`; bytes after the last whole record stay."""
    kind = records.kind
    target = packet_map.mapping(records.kind.id).target
    assert target is not None
    end = int(records.starts[-1])
    found = _FieldPlaces()
    data = sample.tobytes()
    if kind.body == "list":
        found.copy(2)
    for _ in range(len(records)):
        _walk(kind.record, target.record, data, found)
    made = _Moves(kind.name, packet_map, found)
    stop = found.to
    rest = len(sample) - end
    unreadable = rest > 0 or len(records) != records.count

    def converted(data: Bytes, notes: Notes) -> Bytes:
        out = np.zeros((len(data), stop + rest), np.uint8)
        made(data, out, notes)
        out[:, stop:] = data[:, end:]
        if unreadable:
            notes.add("unreadable", kind.name, np.ones(len(data), np.bool_))
        return out

    return converted


# --- places of fields -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Apart:
    """Neighbouring members that only one of two dialects has: their `paths`, and the `data` of their defaults."""

    paths: tuple[str, ...]
    data: bytes


@dataclass
class _FieldPlaces:
    """The places of fields in a body and in the converted body.

    Attributes: `at`, `to` (the cursors), `copies` (from, to, bytes), `reals` (from, to), `numbers` (other numbers of
    another type: from, to, by both types), `attributes` (types: from, to), `actors` (classes: from, to, blueprint's
    first byte, its length), `lost` (from, by the members that the target lacks and the bytes that say nothing),
    `filled` (to, by the members that the source lacks and their bytes).
    """

    at: int = 0
    to: int = 0
    copies: list[tuple[int, int, int]] = field(default_factory=list)
    reals: list[tuple[int, int]] = field(default_factory=list)
    attributes: list[tuple[int, int]] = field(default_factory=list)
    actors: list[tuple[int, int, int, int]] = field(default_factory=list)
    numbers: dict[tuple[str, str], list[tuple[int, int]]] = field(default_factory=dict)
    lost: dict[_Apart, list[int]] = field(default_factory=dict)
    filled: dict[_Apart, list[int]] = field(default_factory=dict)

    def copy(self, size: int) -> None:
        """Copy `size` bytes at the cursors."""
        if self.copies:
            start, to, before = self.copies[-1]
        else:
            start, to, before = (0, 0, -1)
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
    theirs = {each.path: theirs[each.path] for each in source.members if _is_comparable(each, theirs.get(each.path))}
    mine = theirs.keys()
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


def _is_comparable(mine: Member, its: Member | None) -> bool:
    """Whether values of a member can be values of another one."""
    if not isinstance(mine, Field) or not isinstance(its, Field):
        return isinstance(mine, Array) and isinstance(its, Array) and mine.count == its.count
    return mine.type == its.type or {mine.type, its.type} <= NUMBER_CODES.keys()


def _walk(source: Struct, target: Struct, data: bytes, found: _FieldPlaces) -> None:
    """Collect the places of the fields of a record and advance the cursors; `data` is read for lengths alone."""
    kind: tuple[int, int] | None = None
    lost = _Beside(found.lost)
    filled = _Beside(found.filled)
    for mine, its in _pairs(source, target):
        if its is None:
            assert mine is not None
            size = _size(mine, data, found.at)
            lost.add(mine.path, found.at, _default(mine), size)
            found.at += size
            continue
        if mine is None:
            default = _default(its)
            filled.add(its.path, found.to, default, len(default))
            found.to += len(default)
            continue
        lost.end()
        filled.end()
        if isinstance(mine, Array):
            assert isinstance(its, Array)
            width = WIDTHS[mine.count]
            number = int.from_bytes(data[found.at : found.at + width], "little")
            found.copy(width)
            for _ in range(number):
                _walk(mine.element, its.element, data, found)
            continue
        assert isinstance(its, Field)
        if mine.type == "str":
            length = int.from_bytes(data[found.at : found.at + 2], "little")
            if mine.path == "blueprint" and kind is not None:
                found.actors.append((*kind, found.at + 2, length))
            found.copy(2 + length)
        elif mine.type != its.type:
            if {mine.type, its.type} == {"f32", "f64"}:
                found.reals.append((found.at, found.to))
            else:
                found.numbers.setdefault((mine.type, its.type), []).append((found.at, found.to))
            found.at, found.to = found.at + WIDTHS[mine.type], found.to + WIDTHS[its.type]
        else:
            if mine.path == "type" and source.name == "attribute":
                found.attributes.append((found.at, found.to))
            elif mine.path == "type":
                kind = found.at, found.to
            found.copy(WIDTHS[mine.type])
    lost.end()
    filled.end()


class _Beside:
    """Joins neighbouring members of one dialect alone, and notes where they are.

    A member whose size is not that of its default stands for itself: what it holds is lost whatever it is.
    """

    def __init__(self, places: dict[_Apart, list[int]]) -> None:
        self._places = places
        self._start = 0
        self._paths: list[str] = []
        self._data = b""

    def add(self, path: str, at: int, default: bytes, size: int) -> None:
        """Take up a member of so many bytes."""
        if size != len(default):
            self.end()
            self._places.setdefault(_Apart((path,), b""), []).append(at)
            return
        if not self._paths:
            self._start = at
        self._paths.append(path)
        self._data += default

    def end(self) -> None:
        """Note the members so far."""
        if self._paths:
            self._places.setdefault(_Apart(tuple(self._paths), self._data), []).append(self._start)
        self._paths = []
        self._data = b""


def _default(member: Member) -> bytes:
    """The bytes of a member that says nothing: its default, or an empty list."""
    if isinstance(member, Array):
        return bytes(WIDTHS[member.count])
    return pack_value(member, member.initial)


def _size(member: Member, data: bytes, at: int) -> int:
    """The size in bytes of a member at a place."""
    if isinstance(member, Field):
        if member.width is not None:
            return member.width
        return 2 + int.from_bytes(data[at : at + 2], "little")
    width = WIDTHS[member.count]
    stop = at + width
    for _ in range(int.from_bytes(data[at:stop], "little")):
        for inner in member.element.members:
            stop += _size(inner, data, stop)
    return stop - at


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
        self.name = name
        self.packet_map = packet_map
        self.wide = packet_map.target.wide
        self.origin, self.goal = _spread(found.copies)
        self.reals = _columns(found.reals, 2)
        self.attributes = _columns(found.attributes, 2)
        self.actors = _columns(found.actors, 4)
        self.numbers = {types: _columns(places, 2) for types, places in found.numbers.items()}
        self.lost = {apart: np.array(places, np.int64) for apart, places in found.lost.items()}
        self.filled = {apart: np.array(places, np.int64) for apart, places in found.filled.items()}

    def __call__(self, data: Bytes, out: Bytes, notes: Notes) -> None:
        """Fill converted bodies, (frames, bytes), but for bytes after the last whole record."""
        out[:, self.goal] = data[:, self.origin]
        if len(self.reals):
            if self.wide:
                one, other = (4, 8)
            else:
                one, other = (8, 4)
            reals = np.ascontiguousarray(data[:, self.reals[:, :1] + np.arange(one)])
            made = _resized(reals, self.wide, self.name, notes)
            out[:, self.reals[:, 1:] + np.arange(other)] = made
        for (one_type, other_type), places in self.numbers.items():
            self._convert_numbers(one_type, other_type, places, data, out, notes)
        for apart, starts in self.lost.items():
            gone = data[:, starts[:, None] + np.arange(len(apart.data))]
            default = np.frombuffer(apart.data, np.uint8)
            if apart.data:
                is_lost = (gone != default).any(axis=2)
            else:
                is_lost = np.ones(gone.shape[:2], np.bool_)
            notes.add("field", self.name, is_lost.sum(axis=1), apart.paths)
        for apart, starts in self.filled.items():
            out[:, starts[:, None] + np.arange(len(apart.data))] = np.frombuffer(apart.data, np.uint8)
            notes.add("filled", self.name, np.full(len(data), len(starts)), apart.paths)
        self._number_attributes(data, out, notes)
        self._number_actors(data, out, notes)

    def _convert_numbers(
        self, one_type: str, other_type: str, places: IntArray, data: Bytes, out: Bytes, notes: Notes
    ) -> None:
        """Numbers of another type: the nearest that it holds."""
        one = np.dtype("<" + CODES[one_type])
        other = np.dtype("<" + CODES[other_type])
        held = np.ascontiguousarray(data[:, places[:, :1] + np.arange(one.itemsize)]).view(one)[..., 0]
        values = held.ravel().tolist()
        made = np.array([_nearest(value, other) for value in values], other)
        is_other = np.array([value != new for value, new in zip(values, made.tolist(), strict=True)], np.bool_)
        notes.add("number", self.name, is_other.reshape(held.shape).sum(axis=1))
        out[:, places[:, 1:] + np.arange(other.itemsize)] = made.reshape(*held.shape, 1).view(np.uint8)

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


def _nearest(value: float, kind: np.dtype) -> float:
    """The number of a type that is nearest to a value; 0 for NaN where the type has none."""
    if kind.kind == "f":
        with np.errstate(over="ignore"):
            return float(kind.type(value))
    limits = np.iinfo(kind)
    if value != value:
        return 0
    return round(min(max(value, limits.min), limits.max))


def _columns(found: Sequence[tuple[int, ...]], width: int) -> IntArray:
    return np.array(found, np.int64).reshape(-1, width)


def _spread(copies: list[tuple[int, int, int]]) -> tuple[IntArray, IntArray]:
    """Source and target index of every copied byte."""
    start, to, size = np.array(copies, np.int64).reshape(-1, 3).T
    within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    return np.repeat(start, size) + within, np.repeat(to, size) + within
