"""The packets of every CARLA release, as `resources/packets.json` has them.

A new packet type needs an entry there and an id in a dialect. Decoder, encoder, editors, tooltips and dumps are derived
from its fields; edits, states and the replay model from its traits (`PacketType`).
Units and meanings: format reference, section 4.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack

from .. import resources
from .schema import EMPTY, Array, BodyKind, Field, Lifetime, PacketType, Presence, Replayed, Struct, WrongClass

Real = Literal["f32", "f64"]

Member = Sequence[Any] | dict[str, Any]
"""A member as it stands in the table."""

TABLE: Mapping[str, Any] = resources.table("packets")
"""The table: `packets` in the order of the recorder, `dialects`, and what they name.

A member is a path, a type or one of the `kinds`, its meaning, maybe a unit and options, or an `Array` as an object.
Options are further attributes of `Field`, and `since` and `until`: the first and the last dialect that has the member,
along the line of dialects that follow one another (`after`). A field that changed its type stands there twice. Vectors
and rotations have a field for each of the `axes`; `real` is f32 in UE4 and f64 in UE5.
`unreal_5_members` of a packet are its members in UE5, where these are not those of UE4.
"""

CHOICES: Mapping[str, dict[int, str]] = {
    **{name: dict(enumerate(words)) for name, words in TABLE["choices"].items()},
    **{name: {1 << bit: word for bit, word in enumerate(words)} for name, words in TABLE["flags"].items()},
}
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


@dataclass(frozen=True)
class _Reader:
    """Makes packet types of entries of the table."""

    real: Real
    line: tuple[str, ...]  # of dialects, to the one that the packets are of
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
        if key is None:
            if body == "list":
                key = ["id"]
            else:
                key = []
        by_engine = unreal_5_members is not None
        if unreal_5_members is not None and self.real == "f64":
            members = unreal_5_members
        if record:
            struct = Struct(record, tuple(self.members(members)))
        else:
            struct = EMPTY
        return PacketType(
            id=-1,
            name=name,
            body=body,
            record=struct,
            meaning=meaning,
            key=tuple(key),
            actors=tuple(actors),
            by_engine=by_engine,
            **traits,
        )

    def members(self, rows: Iterable[Member]) -> Iterator[Field | Array]:
        for row in rows:
            if not self.has(row if isinstance(row, dict) else row[-1]):
                continue
            if isinstance(row, dict):
                element = Struct(row["element"], tuple(self.members(row["members"])))
                yield Array(row["path"], row["count"], element, row["meaning"])
            else:
                yield from self.fields(*row)

    def has(self, options: Mapping[str, object] | str) -> bool:
        """Whether the dialect has a member with these options."""
        if isinstance(options, str):
            return True
        since = options.get("since")
        until = options.get("until")
        return (since is None or since in self.line) and (until is None or until not in self.line[:-1])

    def fields(self, path: str, kind: str, meaning: str, *more: str | Mapping[str, object]) -> Iterator[Field]:
        said = {"type": kind, **TABLE["kinds"].get(kind, {})}
        for each in more:
            if isinstance(each, str):
                said |= {"unit": each}
            else:
                said |= each
        said.pop("since", None)
        said.pop("until", None)
        if said["type"] == "real":
            said["type"] = self.real
        said |= {name: self.choices[said[name]] for name in said.keys() & {"choices", "flags"}}
        for axis, direction in TABLE["axes"].get(kind, {"": ""}).items():
            yield Field(path + axis, meaning=meaning + direction, **said)


def dialect_line(name: str) -> tuple[str, ...]:
    """The dialects that lead to one, from the first to itself."""
    after = {}
    for each in TABLE["dialects"]:
        after[each["name"]] = each.get("after", "")
    line = [name]
    while before := after.get(line[-1]):
        line.append(before)
    return tuple(reversed(line))


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
    return {each["name"]: reader.packet(**each) for each in TABLE["packets"]}


def _fork_packet(number: int, name: str, meaning: str, traits: _Traits | None = None) -> PacketType:
    known: _Traits = traits or {}
    return PacketType(number, name, "opaque", EMPTY, meaning, **known)


FORK_PACKETS: Mapping[int, PacketType] = {
    int(number): _fork_packet(int(number), *entry) for number, entry in TABLE["forks"].items()
}
"""The packets of forks by id, whose bodies are not decoded; `lifetime` is the trait that edits ask for."""
