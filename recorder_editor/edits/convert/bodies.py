"""Conversion of packet bodies: the same fields with other widths and other numbers of types.

A recipe maps bytes of the source to bytes of the target. It depends on the counts and lengths in a body alone, so that
one recipe converts all uniform frames with a few numpy operations. Floats and doubles are converted on their bits:
widening loses nothing, narrowing a widened float restores its bits, and values that are not finite are converted
without arithmetic, since hardware makes signalling NaNs quiet.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, ByteArray, IntArray, UInt32Array, UInt64Array
from ...format import WIDTHS, Array, Field, Struct, pack_value
from ...format.schema import CODES, NUMBER_CODES
from ...recording import Bytes
from ..uniform_frames import Records
from .packet_map import SENSOR, SIGN, Notes, PacketMap

_SIGN_32 = np.uint32(0x80000000)
_EXPONENT_32 = np.uint32(0x7F800000)
_FRACTION_32 = np.uint32(0x7FFFFF)
_EXPONENT_64 = np.uint64(0x7FF << 52)
_FRACTION_64 = np.uint64((1 << 52) - 1)
_SPARE = np.uint64(29)
"""Bits of a double's fraction that a float has no room for."""
_BELOW = np.uint64((1 << 29) - 1)


@dataclass(frozen=True)
class Narrowed:
    """Doubles as floats. The masks do not overlap.

    Attributes:
        bits: The floats.
        rounded: Not exactly the double: the nearest float, or a NaN with a shortened payload.
        beyond: Finite, but too large for a float: infinite.
    """

    bits: UInt32Array
    rounded: BoolArray
    beyond: BoolArray


def widened(bits: UInt32Array) -> UInt64Array:
    """Return the doubles of the same values; NaNs keep sign, quietness and payload. Any shape."""
    with np.errstate(all="ignore"):
        wide: UInt64Array = bits.view(np.float32).astype(np.float64).view(np.uint64)
    is_special = (bits & _EXPONENT_32) == _EXPONENT_32
    if is_special.any():
        special = bits[is_special].astype(np.uint64)
        sign = (special >> np.uint64(31)) << np.uint64(63)
        fraction = (special & np.uint64(_FRACTION_32)) << _SPARE
        wide[is_special] = sign | _EXPONENT_64 | fraction
    return wide


def narrowed(bits: UInt64Array) -> Narrowed:
    """Return the nearest floats; NaNs keep sign, quietness and the upper bits of the payload. Any shape."""
    with np.errstate(all="ignore"):
        narrow: UInt32Array = bits.view(np.float64).astype(np.float32).view(np.uint32)
        back = narrow.view(np.float32).astype(np.float64).view(np.uint64)
    rounded: BoolArray = back != bits
    beyond: BoolArray = np.zeros(bits.shape, np.bool_)
    is_special = (narrow & _EXPONENT_32) == _EXPONENT_32
    if is_special.any():
        special = bits[is_special]
        is_finite = (special & _EXPONENT_64) != _EXPONENT_64
        fraction = special & _FRACTION_64
        kept = (fraction >> _SPARE).astype(np.uint32)
        # Without a bit it would be an infinity.
        kept[(fraction != 0) & (kept == 0)] = 1
        sign = (special >> np.uint64(32)).astype(np.uint32) & _SIGN_32
        other = sign | _EXPONENT_32 | kept
        narrow[is_special] = np.where(is_finite, narrow[is_special], other)
        rounded[is_special] = ~is_finite & ((fraction & _BELOW) != 0)
        beyond[is_special] = is_finite
    return Narrowed(narrow, rounded, beyond)


Recipe = Callable[[Bytes, Notes], Bytes]
"""Makes bodies, (frames, bytes), of those of the source, (frames, bytes)."""


def recipe(packet_map: PacketMap, records: Records, sample: ByteArray) -> Recipe:
    """Return the recipe for bodies of the same counts and lengths; bytes after the last whole record stay.

    Args:
        packet_map: The conversion.
        records: The records of uniform frames, of a packet that is rewritten.
        sample: The body of one of the frames, uint8[bytes].
    """
    kind = records.kind
    target = packet_map.mapping(kind.id).target
    assert target is not None
    walker = _Walker(sample.tobytes())
    if kind.body == "list":
        walker.copy(2)
    for _ in range(len(records)):
        walker.walk(kind.record, target.record)
    moves = _Moves(kind.name, packet_map, walker.places)
    source_end = int(records.starts[-1])
    target_end = walker.target
    rest = len(sample) - source_end
    is_unreadable = rest > 0 or len(records) != records.count

    def convert(data: Bytes, notes: Notes) -> Bytes:
        out = np.zeros((len(data), target_end + rest), np.uint8)
        moves.apply(data, out, notes)
        out[:, target_end:] = data[:, source_end:]
        if is_unreadable:
            notes.add("unreadable", kind.name, np.ones(len(data), np.bool_))
        return out

    return convert


# --- members of both dialects ---------------------------------------------------------------------------


Member = Field | Array

Pair = tuple[Member | None, Member | None]
"""The same member in the source and in the target; None where one of them lacks it."""


@cache
def _pairs(source: Struct, target: Struct) -> tuple[Pair, ...]:
    """Members of the same path, in file order: new members of the target before the one that follows them there."""
    by_path = {member.path: member for member in target.members}
    common: dict[str, Member] = {}
    for member in source.members:
        counterpart = by_path.get(member.path)
        if counterpart is not None and _is_comparable(member, counterpart):
            common[member.path] = counterpart
    pairs: list[Pair] = []
    remaining = iter(target.members)
    for member in source.members:
        counterpart = common.get(member.path)
        if counterpart is not None:
            # Takes the new members up to the next common one, and that one.
            for candidate in remaining:
                if candidate.path in common:
                    break
                pairs.append((None, candidate))
        pairs.append((member, counterpart))
    for candidate in remaining:
        pairs.append((None, candidate))
    return tuple(pairs)


def _is_comparable(member: Member, counterpart: Member) -> bool:
    """Whether values of a member can be values of its counterpart."""
    if isinstance(member, Array) and isinstance(counterpart, Array):
        return member.count == counterpart.count
    if isinstance(member, Field) and isinstance(counterpart, Field):
        types = {member.type, counterpart.type}
        return len(types) == 1 or types <= NUMBER_CODES.keys()
    return False


def _default(member: Member) -> bytes:
    """The bytes of a member that says nothing: its default, or an empty list."""
    if isinstance(member, Array):
        return bytes(WIDTHS[member.count])
    return pack_value(member, member.initial)


# --- places of fields -----------------------------------------------------------------------------------


class _Copy(NamedTuple):
    """Bytes that stay as they are."""

    source: int
    target: int
    size: int


class _Move(NamedTuple):
    """Where a field begins in both bodies."""

    source: int
    target: int


class _ActorClass(NamedTuple):
    """Where the class of an actor is in both bodies, and its blueprint in the source."""

    source: int
    target: int
    blueprint: int
    length: int


@dataclass(frozen=True)
class _Unmatched:
    """Neighbouring members that only one of two dialects has.

    Attributes:
        paths: Their paths.
        data: The bytes of their defaults; empty for one member of another size.
    """

    paths: tuple[str, ...]
    data: bytes


@dataclass
class _FieldPlaces:
    """The places of fields in a body and in the converted body.

    Attributes:
        copies: Bytes that stay.
        reals: Floats that become doubles, or doubles that become floats.
        numbers: Other numbers of another type, by both types.
        attributes: Types of attributes.
        actors: Classes of actors.
        lost: Where members begin in the source that the target lacks.
        filled: Where members begin in the target that the source lacks.
    """

    copies: list[_Copy] = field(default_factory=list)
    reals: list[_Move] = field(default_factory=list)
    numbers: dict[tuple[str, str], list[_Move]] = field(default_factory=dict)
    attributes: list[_Move] = field(default_factory=list)
    actors: list[_ActorClass] = field(default_factory=list)
    lost: dict[_Unmatched, list[int]] = field(default_factory=dict)
    filled: dict[_Unmatched, list[int]] = field(default_factory=dict)


class _Walker:
    """Walks over a body and the converted body, and collects the places of their fields.

    Attributes:
        places: The places so far.
        source: The place in the body.
        target: The place in the converted body.
    """

    def __init__(self, data: bytes) -> None:
        self.places = _FieldPlaces()
        self.source = 0
        self.target = 0
        self._data = data  # read for counts and lengths alone

    def copy(self, size: int) -> None:
        """Step over bytes that stay, in both bodies."""
        copies = self.places.copies
        copy = _Copy(self.source, self.target, size)
        if copies:
            last = copies[-1]
            is_next = last.source + last.size == self.source and last.target + last.size == self.target
            if is_next:
                copy = _Copy(last.source, last.target, last.size + size)
                copies.pop()
        copies.append(copy)
        self.source += size
        self.target += size

    def walk(self, source: Struct, target: Struct) -> None:
        """Step over a record."""
        actor_class: _Move | None = None
        lost = _Neighbours(self.places.lost)
        filled = _Neighbours(self.places.filled)
        for member, counterpart in _pairs(source, target):
            if member is None:
                assert counterpart is not None
                self._fill(counterpart, filled)
                continue
            if counterpart is None:
                self._lose(member, lost)
                continue
            lost.end()
            filled.end()
            if isinstance(member, Array):
                assert isinstance(counterpart, Array)
                self._walk_array(member, counterpart)
                continue
            assert isinstance(counterpart, Field)
            if member.type == "str":
                self._walk_text(member, actor_class)
            elif member.type != counterpart.type:
                self._walk_number(member, counterpart)
            else:
                if member.path == "type" and source.name == "attribute":
                    self.places.attributes.append(_Move(self.source, self.target))
                elif member.path == "type":
                    actor_class = _Move(self.source, self.target)
                self.copy(WIDTHS[member.type])
        lost.end()
        filled.end()

    def _lose(self, member: Member, lost: "_Neighbours") -> None:
        """Step over a member that the target lacks."""
        size = self._size(member, self.source)
        lost.add(member.path, self.source, _default(member), size)
        self.source += size

    def _fill(self, member: Member, filled: "_Neighbours") -> None:
        """Step over a member that the source lacks."""
        default = _default(member)
        filled.add(member.path, self.target, default, len(default))
        self.target += len(default)

    def _walk_array(self, array: Array, counterpart: Array) -> None:
        width = WIDTHS[array.count]
        count = self._integer(self.source, width)
        self.copy(width)
        for _ in range(count):
            self.walk(array.element, counterpart.element)

    def _walk_text(self, member: Field, actor_class: _Move | None) -> None:
        length = self._integer(self.source, 2)
        if member.path == "blueprint" and actor_class is not None:
            place = _ActorClass(actor_class.source, actor_class.target, self.source + 2, length)
            self.places.actors.append(place)
        self.copy(2 + length)

    def _walk_number(self, member: Field, counterpart: Field) -> None:
        """Step over a number that gets another type."""
        move = _Move(self.source, self.target)
        if {member.type, counterpart.type} == {"f32", "f64"}:
            self.places.reals.append(move)
        else:
            types = (member.type, counterpart.type)
            self.places.numbers.setdefault(types, []).append(move)
        self.source += WIDTHS[member.type]
        self.target += WIDTHS[counterpart.type]

    def _size(self, member: Member, start: int) -> int:
        """The size in bytes of a member of the source at a place."""
        if isinstance(member, Field):
            if member.width is not None:
                return member.width
            return 2 + self._integer(start, 2)
        width = WIDTHS[member.count]
        end = start + width
        for _ in range(self._integer(start, width)):
            for inner in member.element.members:
                end += self._size(inner, end)
        return end - start

    def _integer(self, start: int, width: int) -> int:
        return int.from_bytes(self._data[start : start + width], "little")


class _Neighbours:
    """Joins neighbouring members of one dialect alone, and notes where they are.

    A member of another size than its default stands for itself: what it holds is lost whatever it is.
    """

    def __init__(self, places: dict[_Unmatched, list[int]]) -> None:
        self._places = places
        self._start = 0
        self._paths: list[str] = []
        self._data = b""

    def add(self, path: str, start: int, default: bytes, size: int) -> None:
        """Take up a member.

        Args:
            path: Its path.
            start: Where it begins.
            default: The bytes of its default.
            size: The number of its bytes.
        """
        if size != len(default):
            self.end()
            self._note(_Unmatched((path,), b""), start)
            return
        if not self._paths:
            self._start = start
        self._paths.append(path)
        self._data += default

    def end(self) -> None:
        """Note the members so far."""
        if self._paths:
            self._note(_Unmatched(tuple(self._paths), self._data), self._start)
        self._paths = []
        self._data = b""

    def _note(self, members: _Unmatched, start: int) -> None:
        self._places.setdefault(members, []).append(start)


# --- recipes --------------------------------------------------------------------------------------------


class _Moves:
    """The steps of a recipe: bytes are gathered from places and written to others.

    Places are arrays, so that all fields of one kind of all frames are moved at once: those of moves are of shape
    (fields, 2), source and target.
    """

    def __init__(self, name: str, packet_map: PacketMap, places: _FieldPlaces) -> None:
        self._name = name
        self._packet_map = packet_map
        self._copied_from, self._copied_to = _copied_bytes(places.copies)
        self._reals = _table(places.reals, 2)
        self._attributes = _table(places.attributes, 2)
        self._actors = _table(places.actors, 4)
        self._numbers = {types: _table(moves, 2) for types, moves in places.numbers.items()}
        self._lost = {members: np.array(starts, np.int64) for members, starts in places.lost.items()}
        self._filled = {members: np.array(starts, np.int64) for members, starts in places.filled.items()}

    def apply(self, data: Bytes, out: Bytes, notes: Notes) -> None:
        """Fill converted bodies, (frames, bytes), but for bytes after the last whole record."""
        out[:, self._copied_to] = data[:, self._copied_from]
        if len(self._reals):
            self._resize_reals(data, out, notes)
        for types, places in self._numbers.items():
            self._convert_numbers(types, places, data, out, notes)
        for members, starts in self._lost.items():
            self._count_lost(members, starts, data, notes)
        for members, starts in self._filled.items():
            out[:, _fields_at(starts, len(members.data))] = np.frombuffer(members.data, np.uint8)
            notes.add("filled", self._name, np.full(len(data), len(starts)), members.paths)
        if len(self._attributes):
            self._number_attributes(data, out, notes)
        if len(self._actors):
            self._number_actors(data, out, notes)

    def _resize_reals(self, data: Bytes, out: Bytes, notes: Notes) -> None:
        """Write reals of the other width."""
        starts = self._reals[:, 0]
        targets = self._reals[:, 1]
        if self._packet_map.target.wide:
            floats = np.ascontiguousarray(data[:, _fields_at(starts, 4)]).view(np.uint32)
            out[:, _fields_at(targets, 8)] = widened(floats).view(np.uint8)
            return
        doubles = np.ascontiguousarray(data[:, _fields_at(starts, 8)]).view(np.uint64)
        result = narrowed(doubles)
        out[:, _fields_at(targets, 4)] = result.bits.view(np.uint8)
        across = tuple(range(1, doubles.ndim))
        if result.rounded.any():
            notes.add("rounded", self._name, result.rounded.sum(axis=across))
        if result.beyond.any():
            notes.add("beyond", self._name, result.beyond.sum(axis=across))

    def _convert_numbers(self, types: tuple[str, str], places: IntArray, data: Bytes, out: Bytes, notes: Notes) -> None:
        """Write numbers of another type: the nearest that it holds."""
        source = np.dtype("<" + CODES[types[0]])
        target = np.dtype("<" + CODES[types[1]])
        fields = np.ascontiguousarray(data[:, _fields_at(places[:, 0], source.itemsize)])
        numbers = fields.view(source)[..., 0]
        values = numbers.ravel().tolist()
        nearest = np.array([_nearest(value, target) for value in values], target)
        # Compared as Python numbers: numpy would compare large integers as doubles.
        pairs = zip(values, nearest.tolist(), strict=True)
        is_changed = np.array([value != new for value, new in pairs], np.bool_)
        notes.add("number", self._name, is_changed.reshape(numbers.shape).sum(axis=1))
        written = nearest.reshape(numbers.shape)[..., None].view(np.uint8)
        out[:, _fields_at(places[:, 1], target.itemsize)] = written

    def _count_lost(self, members: _Unmatched, starts: IntArray, data: Bytes, notes: Notes) -> None:
        """Count members that say something else than their defaults."""
        if members.data:
            fields = data[:, _fields_at(starts, len(members.data))]
            is_lost = (fields != np.frombuffer(members.data, np.uint8)).any(axis=2)
        else:
            is_lost = np.ones((len(data), len(starts)), np.bool_)
        notes.add("field", self._name, is_lost.sum(axis=1), members.paths)

    def _number_attributes(self, data: Bytes, out: Bytes, notes: Notes) -> None:
        """Write the numbers that types of attributes have in the target."""
        types = self._packet_map.attribute_types
        if types is None:
            return
        numbers = data[:, self._attributes[:, 0]]
        out[:, self._attributes[:, 1]] = types.table[numbers]
        notes.add("attribute-type", self._name, types.strange[numbers].sum(axis=1))

    def _number_actors(self, data: Bytes, out: Bytes, notes: Notes) -> None:
        """Write the numbers that classes of actors have in the target."""
        types = self._packet_map.actor_types
        if types is None:
            return
        numbers = data[:, self._actors[:, 0]]
        new_numbers = types.table[numbers]
        is_light = self._begins(data, b"traffic.traffic_light")
        by_blueprint = {SENSOR: self._begins(data, b"sensor."), SIGN: self._begins(data, b"traffic.") & ~is_light}
        for name, number in types.gained.items():
            new_numbers[(numbers == 0) & by_blueprint[name]] = number
        for number, name in types.lost.items():
            is_lost = numbers == number
            if name in by_blueprint:
                # A class that follows from the blueprint is restored when converting back.
                is_lost &= ~by_blueprint[name]
            notes.add("actor-type", self._name, is_lost.sum(axis=1))
        out[:, self._actors[:, 1]] = new_numbers

    def _begins(self, data: Bytes, text: bytes) -> BoolArray:
        """bool[frames, actors]: blueprints that begin with a text."""
        blueprints = self._actors[:, 2]
        is_long = self._actors[:, 3] >= len(text)
        begins = np.zeros((len(data), len(is_long)), np.bool_)
        beginnings = data[:, _fields_at(blueprints[is_long], len(text))]
        begins[:, is_long] = (beginnings == np.frombuffer(text, np.uint8)).all(axis=2)
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


def _fields_at(starts: IntArray, width: int) -> IntArray:
    """The places of all bytes of fields of one width, shape (fields, width)."""
    return starts[:, None] + np.arange(width)


def _table(places: Sequence[tuple[int, ...]], width: int) -> IntArray:
    return np.array(places, np.int64).reshape(-1, width)


def _copied_bytes(copies: Sequence[_Copy]) -> tuple[IntArray, IntArray]:
    """The places of every copied byte in the source and in the target."""
    source, target, size = _table(copies, 3).T
    begin = np.cumsum(size) - size
    within = np.arange(int(size.sum())) - np.repeat(begin, size)
    return np.repeat(source, size) + within, np.repeat(target, size) + within
