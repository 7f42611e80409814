"""The schema of packets: fields, arrays, records, packet types.

Schema objects are immutable, compiled once into `struct.Struct` objects and a numpy dtype, and compared by identity, so
that they can be keys of caches. Which packets exist is defined in `packets`.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal, get_args

import numpy as np

from ..texts import N_, field_title

NumberType = Literal["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "bool"]
RawType = Literal["bytes2", "bytes3", "bytes4", "bytes7", "bytes24"]
"""Bytes that are kept as they are, as padding and pointers in the memory of a server; the number is their width."""

FieldType = Literal[NumberType, RawType, "str"]

NUMBER_CODES: Mapping[str, str] = dict(zip(get_args(NumberType), "BbHhIiQqfdB", strict=True))
"""The `struct` codes of numbers; a bool is a byte, which may hold other values than 0 and 1."""

_WIDEST_RAW = 64

RAW_CODES: Mapping[str, str] = {f"bytes{width}": f"{width}s" for width in range(1, _WIDEST_RAW + 1)}
"""The `struct` codes of raw bytes; those of `RawType` stand in packets of CARLA, others in packets of users."""

CODES: Mapping[str, str] = {**NUMBER_CODES, **RAW_CODES}
"""The `struct` codes of all field types but `str`."""

WIDTHS: Mapping[str, int] = {name: struct.calcsize("<" + code) for name, code in CODES.items()}
"""The bytes of a value of each field type but `str`."""


def _integer_ranges() -> dict[str, tuple[int, int]]:
    ranges = {}
    for name in NUMBER_CODES:
        bits = 8 * WIDTHS[name]
        if name.startswith("i"):
            ranges[name] = (-(1 << bits - 1), (1 << bits - 1) - 1)
        elif not name.startswith("f"):
            ranges[name] = (0, (1 << bits) - 1)
    return ranges


INTEGER_RANGES: Mapping[str, tuple[int, int]] = _integer_ranges()
"""The smallest and the largest value of each type of whole numbers; a bool is a byte."""


class RawFloat(float):
    """A NaN with its bits, so that its sign and payload are preserved.

    It equals another `RawFloat` with the same bits and width, unlike an ordinary NaN.

    Attributes:
        bits: The pattern as an unsigned integer.
        width: 32 or 64.
    """

    bits: int
    width: int

    def __new__(cls, bits: int, width: int) -> "RawFloat":
        self = super().__new__(cls, "nan")
        self.bits = bits
        self.width = width
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawFloat) and (self.bits, self.width) == (other.bits, other.width)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.bits, self.width))

    def __repr__(self) -> str:
        return f"RawFloat(0x{self.bits:0{self.width // 4}x}, {self.width})"

    def __reduce__(self) -> tuple[object, ...]:
        return (RawFloat, (self.bits, self.width))


World = Literal["place", "rotation", "velocity"]
"""The kind of a vector in world axes: a translation changes places, a rotation all of them."""

Value = int | float | bool | str | bytes
"""The value of a field: a number; `RawFloat` for NaN; `str`, or `bytes` if the text is not valid UTF-8; raw `bytes`."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One value of a record.

    Attributes:
        path: The dotted path, as in `location.x`.
        type: The type of the value.
        meaning: The meaning, one line.
        unit: The unit; empty without one.
        choices: The names of the values of an enumeration.
        flags: The names of the bits of a bit mask, by the mask of each bit.
        low: The least value that the editor offers; no limit of the format.
        high: The largest value that the editor offers; no limit of the format.
        step: The step of the editor.
        actor: The value is an actor id.
        angle: The value is in degrees on a circle.
        clock: The value is a time that increases from frame to frame.
        world: The kind of the vector in world axes that this is a component of; None for other values.
        every: The value that means all values of this part of the key.
        pointers: A server takes these raw bytes for pointers of its own when it reads them back, and crashes if they
            are not zero.
        default: The value where a recording has none, as one of an older release; None: zero, or empty.
    """

    path: str
    type: FieldType
    meaning: str
    unit: str = ""
    choices: Mapping[int, str] | None = None
    flags: Mapping[int, str] | None = None
    low: float | None = None
    high: float | None = None
    step: float | None = None
    actor: bool = False
    angle: bool = False
    clock: bool = False
    world: World | None = None
    every: int | None = None
    pointers: bool = False
    default: "Value | None" = None

    @property
    def initial(self) -> "Value":
        """The value in a new record: its default, else zero or an empty string."""
        if self.default is None:
            return _zero(self)
        return self.default

    @property
    def is_raw(self) -> bool:
        """Its value is bytes that are kept as they are: nothing is calculated with them."""
        return self.type in RAW_CODES

    @property
    def width(self) -> int | None:
        """Size of the value in bytes, None for a string."""
        return WIDTHS.get(self.type)

    @property
    def label(self) -> str:
        """Its name in the language that is set: `location x`."""
        return field_title(self.path)

    @property
    def group(self) -> str:
        """The path without its last part (`location`), or an empty string."""
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]


COUNT_MEANING = N_("Number of {path} that follow")
"""The meaning of the count of an array, by its path."""


@dataclass(frozen=True, eq=False)
class Array:
    """A counted list inside a record: the count, then that many elements.

    Attributes:
        path: The path.
        count: The type of the count.
        element: An element.
        meaning: The meaning, one line.
    """

    path: str
    count: Literal["u16", "u32"]
    element: "Struct"
    meaning: str

    @cached_property
    def count_field(self) -> Field:
        """The stored count as a field."""
        return Field(self.path, self.count, COUNT_MEANING.format(path=self.path))


@dataclass(frozen=True, slots=True)
class Ray:
    """A line that starts at a point and has a direction, as a gaze.

    Attributes:
        origin: The path of the vector of its start, in world axes.
        direction: The path of the vector of its direction.
        rotation: The path of the rotation of the axes that the direction is in; empty: those of the world.
        valid: The path of a number that is 0 where there is no ray; empty: there always is one.
    """

    origin: str
    direction: str
    rotation: str = ""
    valid: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Neighbouring fixed-width fields, unpacked in one call.

    Attributes:
        unpack: The `struct` of all fields.
        fields: The fields in file order.
        places: The byte offset of each field inside the run.
        names: The group and the name of each field.
        has_raw: Some fields are raw bytes, which `unpack.pack` would pad or shorten without a word.
    """

    unpack: struct.Struct
    fields: tuple[Field, ...]
    places: tuple[int, ...]
    names: tuple[tuple[str, str], ...]
    has_raw: bool


Step = Run | Field | Array
"""One step of reading a record: a run of fixed-width fields, a string, or a counted array."""


def _run(fields: list[Field]) -> Run:
    codes = "".join(CODES[field.type] for field in fields)
    places = accumulate((WIDTHS[field.type] for field in fields[:-1]), initial=0)
    return Run(
        unpack=struct.Struct("<" + codes),
        fields=tuple(fields),
        places=tuple(places),
        names=tuple((field.group, field.name) for field in fields),
        has_raw=any(field.is_raw for field in fields),
    )


@dataclass(frozen=True, eq=False)
class Struct:
    """A record.

    Attributes:
        name: The name of the record.
        members: The members in file order.
    """

    name: str
    members: tuple[Field | Array, ...]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The members, with neighbouring fixed-width fields joined into runs."""
        steps: list[Step] = []
        fields: list[Field] = []  # fixed-width ones that no run holds yet
        for member in self.members:
            if isinstance(member, Field) and member.width is not None:
                fields.append(member)
                continue
            if fields:
                steps.append(_run(fields))
                fields = []
            steps.append(member)
        if fields:
            steps.append(_run(fields))
        return tuple(steps)

    @cached_property
    def size(self) -> int | None:
        """Size of a record in bytes, None if it varies."""
        steps = self.steps
        if not steps:
            return 0
        if len(steps) == 1 and isinstance(steps[0], Run):
            return steps[0].unpack.size
        return None

    @cached_property
    def head(self) -> tuple[tuple[Field, int], ...]:
        """The fields before the first string or array, with their byte offsets, which are the same in every record."""
        if not self.steps or not isinstance(self.steps[0], Run):
            return ()
        run = self.steps[0]
        return tuple(zip(run.fields, run.places, strict=True))

    @cached_property
    def places(self) -> Mapping[str, tuple[Field, int]]:
        """The fields of `head` by path."""
        return {field.path: (field, offset) for field, offset in self.head}

    @cached_property
    def six_numbers(self) -> slice:
        """The bytes of its first two vectors: a location and a rotation, or two velocities.

        Raises:
            ValueError: It has no vector.
        """
        for field, offset in self.head:
            if field.group:
                return slice(offset, offset + 6 * WIDTHS[field.type])
        raise ValueError(f"{self.name} has no vector")

    @cached_property
    def vectors(self) -> tuple[tuple[World, int, str], ...]:
        """The vectors in world axes among the fields of `head`: kind, byte offset, numpy type of a component."""
        vectors: dict[str, tuple[World, int, str]] = {}  # by the group, at its first component
        for field, offset in self.head:
            if field.world is not None and field.group not in vectors:
                vectors[field.group] = (field.world, offset, f"<f{field.width}")
        return tuple(vectors.values())

    @cached_property
    def least(self) -> int:
        """The smallest size of a record in bytes, to check counts with before anything is allocated."""
        size = 0
        for member in self.members:
            if isinstance(member, Array):
                size += WIDTHS[member.count]
            elif member.width is None:
                size += WIDTHS["u16"]  # the length of a string
            else:
                size += member.width
        return size

    @cached_property
    def layout(self) -> tuple[object, ...]:
        """The types of the members in file order, nested for arrays: what decides how many bytes a record has."""
        types: list[object] = []
        for member in self.members:
            if isinstance(member, Array):
                types.append((member.count, member.element.layout))
            else:
                types.append(member.type)
        return tuple(types)

    @cached_property
    def gaps(self) -> tuple[tuple[int, ...], int] | None:
        """Bytes before the text of each string, and after the last string; None for a record with an array."""
        if self.arrays:
            return None
        gaps = []
        fixed = 0
        for member in self.members:
            assert isinstance(member, Field)
            fixed += member.width or 2
            if member.width is None:
                gaps.append(fixed)
                fixed = 0
        return tuple(gaps), fixed

    @cached_property
    def dtype(self) -> np.dtype[np.void] | None:
        """The packed little-endian numpy dtype; None for a record of variable size.

        Names are dotted paths, booleans are u1, raw bytes void.
        """
        if self.size is None:
            return None
        return np.dtype([(path, _numpy_type(field)) for path, field in self.fields.items()])

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """The fields by path, without those of array elements."""
        return {member.path: member for member in self.members if isinstance(member, Field)}

    @cached_property
    def arrays(self) -> Mapping[str, Array]:
        """The counted arrays by path."""
        return {member.path: member for member in self.members if isinstance(member, Array)}

    def default_record(self) -> dict[str, object]:
        """A new record of defaults and empty arrays, as nested plain values."""
        values: dict[str, object] = {}
        groups: dict[str, dict[str, Value]] = {}
        for member in self.members:
            if isinstance(member, Array):
                values[member.path] = []
            elif member.group:
                group = groups.setdefault(member.group, {})
                group[member.name] = member.initial
                values[member.group] = group  # the same one for each of its members
            else:
                values[member.name] = member.initial
        return values


def _numpy_type(field: Field) -> str:
    if field.is_raw:
        return f"V{field.width}"
    return "<" + CODES[field.type]


def _zero(field: Field) -> Value:
    if field.type == "str":
        return ""
    if field.is_raw:
        return bytes(WIDTHS[field.type])
    if field.type == "bool":
        return False
    if field.type in ("f32", "f64"):
        return 0.0
    return 0


EMPTY = Struct("nothing", ())
BodyKind = Literal["list", "single", "opaque", "empty"]
Lifetime = Literal["structural", "event", "shown", "lasting"]
Presence = Literal["always", "filled", "never"]
Keyed = Literal["actor", "actors", "number", "nothing"]
Replayed = Literal["skipped", "run", "applied"]
WrongClass = Literal["ignored", "crash"]


@dataclass(frozen=True, eq=False)
class PacketType:
    """The format of a packet, and how it behaves.

    Attributes:
        id: The id; -1 in a table that no dialect has taken it from.
        name: The name, as CARLA calls it.
        body: `list`: u16 count and records; `single`: one record without a count; `opaque`: not decoded; `empty`.
        record: A record of the body.
        meaning: The meaning, one line.
        lifetime: `structural`: the frame itself; `event`: happens in its frame; `shown`: valid in its frame only;
            `lasting`: each record is valid until the next one with its key, or until its actor is destroyed; a body
            that is not decoded, until the next one that is not empty.
        presence: When recorders write it: `always`, even if empty; only when `filled`; `never`.
        additional: It is only in recordings with additional data.
        key: The paths of the fields that identify the subject of a record.
        motion: It describes how an actor moves; lights and doors do not.
        replayed: By the replayer: `run` in each frame that passes, `applied` from the frame shown, or `skipped`.
        reported: It appears in text reports.
        actors: The classes of actors that its records may name, as in `CLASSES` of `reading.event_index`; empty: any.
        wrong_class: What the replayer does with a record of an actor of another class: it is `ignored`, or the
            simulator will `crash`.
        always_empty: Recorders of this dialect write it without records.
        by_engine: Unreal 4 and 5 have other members for it, which mean other things, so that none is converted.
        source: The section of the format reference.
        rays: The lines that its records describe.
        described_by: The name of the file of a user that describes it; empty for packets of CARLA.
        rank: Its position in the packet order of a frame; -1: the recorder writes none.
    """

    id: int
    name: str
    body: BodyKind
    record: Struct
    meaning: str
    lifetime: Lifetime = "shown"
    presence: Presence = "always"
    additional: bool = False
    key: tuple[str, ...] = ()
    motion: bool = False
    replayed: Replayed = "skipped"
    reported: bool = True
    actors: tuple[str, ...] = ()
    wrong_class: WrongClass = "ignored"
    always_empty: bool = False
    by_engine: bool = False
    source: str = ""
    rays: tuple[Ray, ...] = ()
    described_by: str = ""
    rank: int = -1

    @property
    def dtype(self) -> np.dtype[np.void] | None:
        """The numpy dtype of records of fixed size, else None."""
        if self.body in ("list", "single"):
            return self.record.dtype
        return None

    @property
    def actor_field(self) -> Field | None:
        """The actor id of a record (a field `id` that names an actor), or None."""
        field = self.record.fields.get("id")
        if field is not None and field.actor:
            return field
        return None

    @cached_property
    def actor_offsets(self) -> tuple[int, ...]:
        """The byte offsets of actor ids in a record; first that of its subject, by the key or the name `id`."""
        offsets = [offset for field, offset in self._key if field.actor]
        if self.actor_field is not None:
            offsets.append(self.record.places["id"][1])
        offsets += [offset for field, offset in self.record.head if field.actor]
        return tuple(dict.fromkeys(offsets))

    @cached_property
    def keyed(self) -> Keyed:
        """The kind of key: an actor (maybe with a part, as a door), two actors, a number, or nothing."""
        actor_fields = [field for field, _ in self._key if field.actor]
        if len(actor_fields) > 1:
            return "actors"
        if actor_fields:
            return "actor"
        if self._key:
            return "number"
        return "nothing"

    @cached_property
    def places_in_scene(self) -> tuple[str, ...]:
        """The paths of the places in the world that its records hold, without those where rays begin."""
        origins = {ray.origin for ray in self.rays}
        groups = dict.fromkeys(field.group for field, _ in self.record.head if field.world == "place")
        known = self.record.places
        whole = [group for group in groups if all(f"{group}.{axis}" in known for axis in "xyz")]
        return tuple(group for group in whole if group not in origins)

    def may_name(self, actor_class: str) -> bool:
        """Whether its records may name an actor of a class."""
        return not self.actors or actor_class in self.actors

    @property
    def is_recorded_once(self) -> bool:
        """It is recorded once, in the frame in which it happened or was set, and not repeated in each frame."""
        return self.lifetime in ("event", "lasting")

    @property
    def is_continuous(self) -> bool:
        """Its numbers are continuous, so that values between two frames can be interpolated."""
        return self.motion and self.record.size is not None

    @cached_property
    def clock(self) -> int | None:
        """The byte offset of the time that increases from frame to frame, in a body of one record; None without one."""
        if self.body != "single" or self.record.size is None:
            return None
        for field, offset in self.record.head:
            if field.clock:
                return offset
        return None

    def actor_in(self, record: bytes) -> int:
        """The id of the subject of a record of a packet with actor ids."""
        offset = self.actor_offsets[0]
        return int.from_bytes(record[offset : offset + 4], "little")

    def key_of(self, record: bytes) -> bytes:
        """The key of a record as bytes."""
        return b"".join(record[offset : offset + WIDTHS[field.type]] for field, offset in self._key)

    def every_key(self, record: bytes) -> bytes | None:
        """The key of a record that would set the same for all subjects (`Field.every`); None if there is none."""
        if not self._has_every:
            return None
        parts = []
        for field, offset in self._key:
            width = WIDTHS[field.type]
            if field.every is None:
                parts.append(record[offset : offset + width])
            else:
                parts.append(field.every.to_bytes(width, "little"))
        return b"".join(parts)

    @cached_property
    def _has_every(self) -> bool:
        return any(field.every is not None for field, _ in self._key)

    @cached_property
    def _key(self) -> tuple[tuple[Field, int], ...]:
        return tuple(self.record.places[path] for path in self.key)
