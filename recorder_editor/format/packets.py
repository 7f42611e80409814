"""The packets of every CARLA release, as `resources/packets.json` has them.

A new packet type needs an entry there and an id in a dialect. Decoder, encoder, editors, tooltips and dumps are derived
from its fields; edits, states and the replay model from its traits (`PacketType`).
Units and meanings: format reference, section 4.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack

from .. import resources
from .schema import EMPTY, Array, BodyKind, Field, Lifetime, PacketType, Presence, Ray, Replayed, Struct, WrongClass

Real = Literal["f32", "f64"]

Member = Sequence[Any] | dict[str, Any]
"""A member in the table: a row of a field, or an object of an array."""

TABLE: Mapping[str, Any] = resources.table("packets")
"""The table: `packets` in the order of the recorder, `dialects`, and what they name.

A member is a row of a path, a type or one of the `kinds`, its meaning, maybe a unit and options (`_FieldRow`), or an
`Array` as an object. Options are further attributes of `Field`, and `since` and `until`: the first and the last dialect
that has the member, along the line of dialects that follow one another (`after`). A field that changed its type stands
there twice. Vectors and rotations have a field for each of the `axes`; `real` is f32 in UE4 and f64 in UE5.
`unreal_5_members` of a packet are its members in UE5, where these are not those of UE4.
"""


def _choices() -> dict[str, dict[int, str]]:
    choices = {}
    for name, values in TABLE["choices"].items():
        choices[name] = dict(enumerate(values))
    for name, bits in TABLE["flags"].items():
        choices[name] = {1 << bit: meaning for bit, meaning in enumerate(bits)}
    return choices


CHOICES: Mapping[str, dict[int, str]] = _choices()
"""Enumerations, numbered from 0, and bit masks, by their names."""

ACTOR_TYPES_0912 = CHOICES["actor types 0.9.12"]
ATTRIBUTE_TYPES_1 = CHOICES["attribute types 1"]
ATTRIBUTE_TYPES_2 = CHOICES["attribute types 2"]
LIGHT_STATES = CHOICES["light states"]
DOORS = CHOICES["doors"]
VEHICLE_LIGHTS = CHOICES["vehicle lights"]


class _Traits(TypedDict, total=False):
    """Attributes of `PacketType` that stand in the table as they are."""

    lifetime: Lifetime
    presence: Presence
    additional: bool
    motion: bool
    replayed: Replayed
    reported: bool
    wrong_class: WrongClass
    source: str
    rays: tuple[Ray, ...]


@dataclass(frozen=True)
class _FieldRow:
    """A member of the table that is a field, or one field for each axis.

    Attributes:
        path: The path, for a vector or a rotation without the axis.
        kind: A type of fields, or one of the `kinds` of the table.
        meaning: The meaning, for a vector or a rotation without the direction of the axis.
        unit: The unit; empty for that of the kind.
        options: Further attributes of `Field`, `since` and `until`.
    """

    path: str
    kind: str
    meaning: str
    unit: str
    options: Mapping[str, Any]


def _field_row(row: Sequence[Any]) -> _FieldRow:
    """Name the parts of a row, of which the unit and the options may be missing."""
    path, kind, meaning = row[:3]
    unit = ""
    options: Mapping[str, Any] = {}
    for part in row[3:]:
        if isinstance(part, str):
            unit = part
        else:
            options = part
    return _FieldRow(path=path, kind=kind, meaning=meaning, unit=unit, options=options)


@dataclass(frozen=True)
class _Reader:
    """Makes packet types of entries of the table.

    Attributes:
        real: The type of vectors.
        line: The dialects that lead to that of the packets, from the first to itself.
        choices: The enumerations and bit masks by name.
    """

    real: Real
    line: tuple[str, ...]
    choices: Mapping[str, Mapping[int, str]]

    def packet(
        self,
        name: str,
        record: str = "",
        members: Iterable[Member] = (),
        unreal_5_members: Iterable[Member] | None = None,
        body: BodyKind = "list",
        key: Sequence[str] | None = None,
        actors: Sequence[str] = (),
        meaning: str = "",
        **traits: Unpack[_Traits],
    ) -> PacketType:
        """Make the type of an entry of `packets`; an entry without a `key` has the key `id` if it is a list."""
        if unreal_5_members is not None and self.real == "f64":
            own_members = unreal_5_members
        else:
            own_members = members
        struct = EMPTY
        if record:
            struct = Struct(record, tuple(self.members(own_members)))
        if key is None and body == "list":
            key = ("id",)
        return PacketType(
            id=-1,
            name=name,
            body=body,
            record=struct,
            meaning=meaning,
            key=tuple(key or ()),
            actors=tuple(actors),
            by_engine=unreal_5_members is not None,
            **traits,
        )

    def members(self, members: Iterable[Member]) -> list[Field | Array]:
        """Make the fields and arrays of members, without those that the dialect lacks."""
        kept: list[Field | Array] = []
        for member in members:
            if isinstance(member, dict):
                if self.has_member(member):
                    kept.append(self.array(member))
            else:
                row = _field_row(member)
                if self.has_member(row.options):
                    kept.extend(self.fields(row))
        return kept

    def has_member(self, options: Mapping[str, Any]) -> bool:
        """Whether the dialect has a member with these options."""
        since = options.get("since")
        until = options.get("until")
        if since is not None and since not in self.line:
            return False
        return until is None or until not in self.line[:-1]

    def array(self, member: Mapping[str, Any]) -> Array:
        """Make an array of its object."""
        element = Struct(member["element"], tuple(self.members(member["members"])))
        return Array(path=member["path"], count=member["count"], element=element, meaning=member["meaning"])

    def fields(self, row: _FieldRow) -> Iterator[Field]:
        """Make the field of a row, or the fields of its axes. Options go before the unit, the unit before the kind."""
        spec: dict[str, Any] = {"type": row.kind}
        spec.update(TABLE["kinds"].get(row.kind, {}))
        if row.unit:
            spec["unit"] = row.unit
        spec.update(row.options)
        spec.pop("since", None)
        spec.pop("until", None)
        if spec["type"] == "real":
            spec["type"] = self.real
        for name in ("choices", "flags"):
            if name in spec:
                spec[name] = self.choices[spec[name]]
        axes = TABLE["axes"].get(row.kind, {"": ""})
        for axis, direction in axes.items():
            yield Field(path=row.path + axis, meaning=row.meaning + direction, **spec)


def dialect_line(name: str) -> tuple[str, ...]:
    """The dialects that lead to one, from the first to itself."""
    after = {}
    for entry in TABLE["dialects"]:
        after[entry["name"]] = entry.get("after", "")
    line = []
    while name:
        line.append(name)
        name = after.get(name, "")
    line.reverse()
    return tuple(line)


def packet_types(
    real: Real, *, dialect: str, actor_types: Mapping[int, str], attribute_types: Mapping[int, str]
) -> Mapping[str, PacketType]:
    """Every packet by name in the order of the recorder, with the members that they have in a dialect.

    All ids are -1; `dialects` assigns them.

    Args:
        real: The type of vectors.
        dialect: The name of the dialect.
        actor_types: The enumeration of classes of actors.
        attribute_types: The enumeration of types of attributes.
    """
    choices = {**CHOICES, "actor types": actor_types, "attribute types": attribute_types}
    reader = _Reader(real, dialect_line(dialect), choices)
    return {entry["name"]: reader.packet(**entry) for entry in TABLE["packets"]}


def packet_type(
    entry: Mapping[str, Any], real: Real, *, dialect: str, choices: Mapping[str, Mapping[int, str]]
) -> PacketType:
    """The packet of an entry like those of the table, with the members that it has in a dialect; its id is -1.

    Args:
        entry: The entry; it was checked.
        real: The type of vectors.
        dialect: The name of the dialect.
        choices: The enumerations and bit masks by name.
    """
    return _Reader(real, dialect_line(dialect), choices).packet(**entry)


def _fork_packets() -> dict[int, PacketType]:
    packets = {}
    for text, (name, meaning, *rest) in TABLE["forks"].items():
        number = int(text)
        traits: _Traits = {}
        if rest:
            traits = rest[0]
        packets[number] = PacketType(id=number, name=name, body="opaque", record=EMPTY, meaning=meaning, **traits)
    return packets


FORK_PACKETS: Mapping[int, PacketType] = _fork_packets()
"""The packets of forks by id. Their bodies are not decoded; edits only need their `lifetime`."""
