"""The words a packet is described with: fields, arrays, records, packet types.

A description is a frozen table, compiled once into `struct.Struct` objects and a numpy dtype. Nothing here knows
which packets exist; that is `packets`. Descriptions are made once and compared by identity, so that caches may
hang on them.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby
from typing import Any, Literal, get_args

import numpy as np

FieldType = Literal["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "bool", "str"]

CODES: Mapping[str, str] = dict(zip(get_args(FieldType)[:-1], "BbHhIiQqfdB", strict=True))
"""The characters of `struct` for all field types but `str`; a bool is a byte that may hold more than 0 and 1."""

WIDTHS: Mapping[str, int] = {name: struct.calcsize("<" + code) for name, code in CODES.items()}
INTEGER_RANGES: Mapping[str, tuple[int, int]] = {
    name: (-(1 << 8 * width - 1), (1 << 8 * width - 1) - 1) if name[0] == "i" else (0, (1 << 8 * width) - 1)
    for name, width in WIDTHS.items()
    if name[0] != "f"
}


class RawFloat(float):
    """A NaN that remembers its bits, so that signalling and signed ones survive.

    Attributes: `bits` (the pattern as an unsigned integer) and `width` (32 or 64).
    Compares equal to another `RawFloat` with the same bits and width, unlike an ordinary NaN.
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

    def __reduce__(self) -> tuple[Any, ...]:
        return (RawFloat, (self.bits, self.width))


World = Literal["place", "rotation", "velocity"]
"""What a vector in world axes is: a shift moves places, a turn all of them."""

Value = int | float | bool | str | bytes
"""What a field holds: numbers; `RawFloat` for NaN; `str`, or `bytes` where the text is not valid UTF-8."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One value of a record.

    Attributes: `path` (dotted, as in `location.x`), `type`, `meaning` (one line), `unit`, `choices` (enumeration),
    `flags` (bit masks), `low`/`high`/`step` (what an editor offers, not a limit of the format), `actor` (the value is
    an actor id), `angle` (degrees on a circle), `clock` (a time that goes on from frame to frame), `world` (what a
    component of a vector in world axes is), `every` (the value that stands for all the others of a key).
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

    @property
    def width(self) -> int | None:
        """Bytes the value takes, or None for a string."""
        return WIDTHS.get(self.type)

    @property
    def label(self) -> str:
        """The path as words: `location x`."""
        return self.path.replace(".", " ").replace("_", " ")

    @property
    def group(self) -> str:
        """What the field belongs to (`location`), or an empty string."""
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]


@dataclass(frozen=True, eq=False)
class Array:
    """A counted list inside a record: a count of type `count`, then that many `element`s."""

    path: str
    count: Literal["u16", "u32"]
    element: "Struct"
    meaning: str

    @cached_property
    def count_field(self) -> Field:
        """The stored count, as a field that can be looked at."""
        return Field(self.path, self.count, f"How many {self.path} follow")


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Neighbouring fixed-width fields, unpacked in one call.

    Attributes: `unpack`, `fields`, `places` (byte offsets inside the run), `names` (group and name of each field).
    """

    unpack: struct.Struct
    fields: tuple[Field, ...]
    places: tuple[int, ...]
    names: tuple[tuple[str, str], ...]


Step = Run | Field | Array
"""How a record is read, in order: a run of fixed fields, a string, or a counted array."""


@dataclass(frozen=True, eq=False)
class Struct:
    """A record: its members in file order."""

    name: str
    members: tuple[Field | Array, ...]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The members, with neighbouring fixed-width fields joined into runs."""
        steps: list[Step] = []
        for is_fixed, members in groupby(self.members, lambda each: isinstance(each, Field) and each.width is not None):
            if not is_fixed:
                steps += members
                continue
            run = tuple(member for member in members if isinstance(member, Field))
            places = tuple(accumulate((WIDTHS[field.type] for field in run[:-1]), initial=0))
            unpack = struct.Struct("<" + "".join(CODES[field.type] for field in run))
            steps.append(Run(unpack, run, places, tuple((field.group, field.name) for field in run)))
        return tuple(steps)

    @cached_property
    def size(self) -> int | None:
        """Bytes of every record, or None where records differ in length."""
        steps = self.steps
        if not steps:
            return 0
        return steps[0].unpack.size if len(steps) == 1 and isinstance(steps[0], Run) else None

    @cached_property
    def head(self) -> tuple[tuple[Field, int], ...]:
        """The fields that stand at the same place in every record, with that place in bytes."""
        first = self.steps[0] if self.steps else None
        return tuple(zip(first.fields, first.places, strict=True)) if isinstance(first, Run) else ()

    @cached_property
    def places(self) -> Mapping[str, tuple[Field, int]]:
        """The fields of `head` by path."""
        return {field.path: (field, at) for field, at in self.head}

    @cached_property
    def vectors(self) -> tuple[tuple[World, int, str], ...]:
        """The vectors in world axes among the fields of `head`: what each is, where it begins, and its numpy type."""
        firsts: dict[str, tuple[World, int, str]] = {}
        for field, at in self.head:
            if field.world is not None:
                firsts.setdefault(field.group, (field.world, at, f"<f{field.width}"))
        return tuple(firsts.values())

    @cached_property
    def least(self) -> int:
        """The fewest bytes a record can take: bounds every count before anything is allocated."""
        return sum(WIDTHS[each.count] if isinstance(each, Array) else each.width or 2 for each in self.members)

    @cached_property
    def gaps(self) -> tuple[tuple[int, ...], int] | None:
        """Bytes before each string, its length included, and after the last; None for a record that holds an array."""
        if self.arrays:
            return None
        gaps, fixed = [], 0
        for member in self.members:
            assert isinstance(member, Field)
            fixed += member.width or 2
            if member.width is None:
                gaps.append(fixed)
                fixed = 0
        return tuple(gaps), fixed

    @cached_property
    def dtype(self) -> np.dtype[np.void] | None:
        """Packed little-endian numpy dtype, dotted paths as names, booleans as u1; None when variable."""
        if self.size is None:
            return None
        return np.dtype([(path, np.dtype("<" + CODES[field.type])) for path, field in self.fields.items()])

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """The plain fields by path; those inside arrays are not here."""
        return {member.path: member for member in self.members if isinstance(member, Field)}

    @cached_property
    def arrays(self) -> Mapping[str, Array]:
        """The counted arrays by path."""
        return {member.path: member for member in self.members if isinstance(member, Array)}


EMPTY = Struct("nothing", ())
BodyKind = Literal["list", "single", "opaque", "empty"]
Lifetime = Literal["structural", "event", "shown", "lasting"]
Presence = Literal["always", "filled", "never"]
Keyed = Literal["actor", "actors", "number", "nothing"]
Replayed = Literal["skipped", "run", "applied"]


@dataclass(frozen=True, eq=False)
class PacketType:
    """What the body of a packet holds, and how it behaves.

    Attributes: `id`, `name` (as CARLA calls it), `body` (`list`: u16 count and records; `single`: one record without a
    count; `opaque`: bytes nobody decodes; `empty`), `record`, `meaning` (one line), `lifetime` (`structural`: the frame
    itself; `event`: happens in its frame; `shown`: holds for its frame alone; `lasting`: each record holds until the
    next one of its key), `presence` (when recorders write it: `always`, empty too; only when `filled`; `never`),
    `additional` (it comes only to frames with additional data), `key` (paths of the fields that say what a record is
    about; the life of an actor ends what is told of it), `motion` (it tells how an actor moves; lights and doors do
    not), `replayed` (what the replayer does with it: `run` in each frame that passes, `applied` from the frame that is
    found, or `skipped`), `reported` (text reports tell of it), `rank` (its place among the packets of a frame; -1: the
    recorder writes none).
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
    rank: int = -1

    @property
    def dtype(self) -> np.dtype[np.void] | None:
        """The records' numpy dtype where they are of one size, else None."""
        return self.record.dtype if self.body in ("list", "single") else None

    @property
    def actor_field(self) -> Field | None:
        """The field that says whose record it is (a plain `id` that names an actor), or None."""
        field = self.record.fields.get("id")
        return field if field is not None and field.actor else None

    @cached_property
    def actor_places(self) -> tuple[int, ...]:
        """Where in a record the ids of actors stand: bytes from its start, none for what is nobody's."""
        return tuple(at for field, at in self.record.head if field.actor)

    @cached_property
    def keyed(self) -> Keyed:
        """What the key of a record is: an actor (and more, as one of its doors), two of them, a number, or nothing."""
        actors = sum(field.actor for field, _ in self._key)
        return "actors" if actors > 1 else "actor" if actors else "number" if self._key else "nothing"

    @property
    def happens(self) -> bool:
        """It is told once, in the frame in which it happened or was set, and not again in each frame."""
        return self.lifetime in ("event", "lasting")

    @property
    def steady(self) -> bool:
        """Its numbers change steadily, so that what lies between two frames is between their values."""
        return self.motion and self.record.size is not None

    @property
    def is_clock(self) -> bool:
        """It holds a time that goes on from frame to frame, and nothing else."""
        return self.body == "single" and self.record.size == 8 and any(field.clock for field, _ in self.record.head)

    def actor_in(self, record: bytes) -> int:
        """The first actor that a record names; its packet names some."""
        at = self.actor_places[0]
        return int.from_bytes(record[at : at + 4], "little")

    def key_of(self, record: bytes) -> bytes:
        """The bytes of a record that say what it is about."""
        return b"".join(record[at : at + WIDTHS[field.type]] for field, at in self._key)

    def every_key(self, record: bytes) -> bytes | None:
        """The key of a record that would tell this for all there are (`Field.every`), or None."""
        if all(field.every is None for field, _ in self._key):
            return None
        return b"".join(
            record[at : at + WIDTHS[field.type]]
            if field.every is None
            else field.every.to_bytes(WIDTHS[field.type], "little")
            for field, at in self._key
        )

    @cached_property
    def _key(self) -> tuple[tuple[Field, int], ...]:
        return tuple(self.record.places[path] for path in self.key)
