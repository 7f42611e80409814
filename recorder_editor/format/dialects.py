"""Dialects: the packets of a release family by id, with what its simulators do.

A dialect is an entry of `dialects` in `resources/packets.json`. What it does not say is as in the dialect that it comes
`after`. How the dialect of a file is detected stands in `detection`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Literal

from ..texts import N_, say
from .codec import encode_record
from .packets import ACTOR_TYPES_0912, CHOICES, FORK_PACKETS, TABLE, Real, dialect_line, packet_types
from .schema import EMPTY, Lifetime, PacketType

AttachedPositions = Literal["place", "offset"]
MakesActorsBy = Literal["uid", "name"]


@dataclass(frozen=True)
class Sign:
    """A value in a packet that tells since or before which release it was recorded.

    Attributes: `packet` and `field` (where), `value` (what stands there in one record at least), `meaning` (in words),
    `since` or `before` (the release), `begins` (only records are meant whose fields of text begin so),
    `actors_of_type` (only records whose `field` is the id of an actor of this type are meant; no `value` then).
    """

    packet: str
    field: str
    meaning: str
    value: int | None = None
    since: str = ""
    before: str = ""
    begins: Mapping[str, str] | None = None
    actors_of_type: int | None = None


@dataclass(frozen=True)
class Dialect:
    """The packets of a release family.

    Attributes: `name` (as on the command line), `first`/`last` (releases that match the bytes), `engine` (4 or 5),
    `real` (type of vectors), `header_version` (of such files), `family` (of CARLA's text reports), `packets` (by id),
    `after` (the dialect that it was made from, empty for the first), `ignores_spectator` (its replayer creates no
    spectator unless asked to, and leaves live actor 1 alone), `replays_sensors` (its replayer can be asked to create
    sensors), `interpolated` (packets that its replayer keeps and interpolates to the next one of the kind; others are
    applied one by one), `attached_positions` (what a simulator takes a Position of an attached actor for: a `place` in
    the world, or its `offset` from the parent), `makes_actors_by` (what a simulator finds the class of an actor by: the
    `uid` of its blueprint, or the `name`, of which the uid only has to be that of an actor of the same kind), `signs`
    (values by which its releases are detected), `source` (sections of the format reference).
    """

    name: str
    first: str
    last: str
    engine: int
    real: Real
    header_version: int
    family: str
    packets: Mapping[int, PacketType]
    after: str = ""
    ignores_spectator: bool = False
    replays_sensors: bool = False
    interpolated: tuple[str, ...] = ("Position",)
    attached_positions: AttachedPositions = "offset"
    makes_actors_by: MakesActorsBy = "uid"
    signs: tuple[Sign, ...] = ()
    source: str = ""

    @property
    def releases(self) -> str:
        """As in `CARLA 0.9.12 to 0.9.13`."""
        first, last = say(self.first), say(self.last)
        if first == last:
            return f"CARLA {first}"
        return say("CARLA {first} to {last}", first=first, last=last)

    @property
    def title(self) -> str:
        """As in `CARLA 0.9.12 to 0.9.13 (floats)`."""
        return say(
            N_("{releases} (floats)") if self.real == "f32" else N_("{releases} (doubles)"), releases=self.releases
        )

    @property
    def wide(self) -> bool:
        """Vectors are doubles (UE5)."""
        return self.real == "f64"

    def holds(self, release: str) -> bool:
        """Whether a release, by its number, is one of this dialect; never a build between releases."""
        number, first, last = (release_numbers(each) for each in (release, self.first, self.last))
        return bool(number and first and last) and first <= number <= last

    def packet(self, number: int) -> PacketType:
        """The packet type of an id; unknown ids are opaque."""
        known = self.packets.get(number)
        if known is not None:
            return known
        return _unknown(number)

    def by_name(self, name: str) -> PacketType | None:
        """The packet type of a name, None if this dialect has none."""
        return next((kind for kind in self.packets.values() if kind.name == name), None)

    @cached_property
    def event_add(self) -> PacketType:
        """EventAdd, which every release has."""
        return self._always("EventAdd")

    def deletion(self, actor: int) -> bytes:
        """A record of EventDel."""
        record = self._always("EventDel").record
        return encode_record(record, {**record.default_record(), "id": actor})

    def attachment(self, child: int, parent: int) -> bytes:
        """A record of EventParent."""
        record = self._always("EventParent").record
        return encode_record(record, {**record.default_record(), "child": child, "parent": parent})

    def _always(self, name: str) -> PacketType:
        kind = self.by_name(name)
        assert kind is not None
        return kind

    @property
    def order(self) -> tuple[int, ...]:
        """The ids in the order in which the recorder writes them in a frame (format reference 3.4)."""
        return tuple(kind.id for kind in self.kinds())

    def kinds(self, lifetime: Lifetime | None = None) -> tuple[PacketType, ...]:
        """The packets in the order of the recorder: all that it writes, or the decodable ones of a lifetime."""
        written = sorted((kind for kind in self.packets.values() if kind.rank >= 0), key=lambda kind: kind.rank)
        if lifetime is None:
            return tuple(written)
        return tuple(kind for kind in written if kind.lifetime == lifetime and kind.body != "opaque")

    @property
    def lasting_bodies(self) -> tuple[PacketType, ...]:
        """The lasting packets that are not decoded, in the order of their ids: each body holds as a whole."""
        kinds = (self.packets[number] for number in sorted(self.packets))
        return tuple(kind for kind in kinds if kind.lifetime == "lasting" and kind.body == "opaque")


_RELEASE = re.compile("[0-9]{1,6}([.][0-9]{1,6})*")


def release_numbers(release: str) -> tuple[int, ...]:
    """A release as numbers, as (0, 9, 13); empty for one that is named otherwise."""
    if _RELEASE.fullmatch(release) is None:
        return ()
    return tuple(int(part) for part in release.split("."))


@cache
def _unknown(number: int) -> PacketType:
    meaning = say(
        N_("Packet {number}, reserved for users") if number >= 100 else N_("Packet {number}, not one of CARLA's"),
        number=number,
    )
    return PacketType(number, f"Unknown {number}", "opaque", EMPTY, meaning)


def _dialect(  # noqa: PLR0913 - a keyword for each member of an entry in the table
    ids: Sequence[str],
    *,
    name: str,
    first: str,
    family: str,
    last: str = "",
    engine: int = 4,
    header_version: int = 1,
    actor_types: str = "0.9.12",
    attribute_types: str = "1",
    always_empty: Sequence[str] = (),
    after: str = "",
    ignores_spectator: bool = False,
    replays_sensors: bool = False,
    interpolated: Sequence[str] = ("Position",),
    attached_positions: AttachedPositions = "offset",
    makes_actors_by: MakesActorsBy = "uid",
    signs: Sequence[Sign] = (),
    source: str = "",
) -> Dialect:
    table = packet_types(
        "f32" if engine == 4 else "f64",
        dialect=name,
        actor_types=CHOICES[f"actor types {actor_types}"],
        attribute_types=CHOICES[f"attribute types {attribute_types}"],
    )
    table = {**table, **{each: replace(table[each], always_empty=True) for each in always_empty}}
    dialect = dialect_of(
        table,
        dict(enumerate(ids)),
        name,
        (first, last or first),
        engine=engine,
        header_version=header_version,
        family=family,
    )
    return replace(
        dialect,
        after=after,
        ignores_spectator=ignores_spectator,
        replays_sensors=replays_sensors,
        interpolated=tuple(interpolated),
        attached_positions=attached_positions,
        makes_actors_by=makes_actors_by,
        signs=tuple(signs),
        source=source,
    )


def dialect_of(
    table: Mapping[str, PacketType],
    ids: Mapping[int, str],
    name: str,
    releases: tuple[str, str],
    *,
    engine: int,
    header_version: int,
    family: str,
) -> Dialect:
    """A dialect of the packets of a table, which is in the order of the recorder, with these ids."""
    ranks = {kind.name: rank for rank, kind in enumerate(table.values()) if kind.presence != "never"}
    packets = dict(FORK_PACKETS)
    for number, kind in ids.items():
        packets[number] = replace(table[kind], id=number, rank=ranks.get(kind, -1))
    return Dialect(name, *releases, engine, "f32" if engine == 4 else "f64", header_version, family, packets)


_OWN = ("name", "first", "last", "after", "source")
"""What a dialect does not take over from the one that it comes after."""


def _all() -> Iterable[Dialect]:
    """The dialects of the table; `packets` are in the order of their ids, behind those of the dialect named `after`."""
    ids: dict[str, list[str]] = {}
    taken_over: dict[str, dict[str, Any]] = {}
    for each in TABLE["dialects"]:
        entry = dict(each)
        name = entry["name"]
        after = entry.get("after", "")
        ids[name] = [*ids.get(after, ()), *entry.pop("packets", ())]
        signs = [Sign(**sign) for sign in entry.pop("signs", ())]
        entry = {**taken_over.get(after, {}), **entry}
        taken_over[name] = {key: value for key, value in entry.items() if key not in _OWN}
        yield _dialect(ids[name], **entry, signs=signs)


DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in _all()}
"""All dialects by name, in the order of the releases, those of Unreal 5 last."""

NEWEST: Mapping[int, Dialect] = {dialect.engine: dialect for dialect in DIALECTS.values()}
"""The newest dialect of each engine."""

LARGEST_KNOWN_ID = max(
    number for dialect in DIALECTS.values() for number, kind in dialect.packets.items() if kind.body != "opaque"
)
"""The largest id of a packet of CARLA."""

DEFAULT_DIALECT: str = TABLE["default_dialect"]
"""The dialect of new recordings where none is chosen."""

ASSUMED_DIALECT: str = TABLE["assumed_dialect"]
"""The dialect of a file in which nothing tells releases apart."""


def dialect_named(text: str) -> Dialect:
    """The dialect of a name, or of the number of a release, as `0.9.13`; raises KeyError."""
    if text in DIALECTS:
        return DIALECTS[text]
    for dialect in DIALECTS.values():
        if dialect.holds(text):
            return dialect
    raise KeyError(text)


def with_header_version(dialect: Dialect, version: int) -> Dialect:
    """The dialect nearest to one on the line to the newest of Unreal 4 whose files have this version of the header."""
    line = dialect_line(NEWEST[4].name)
    own = dialect_line(dialect.name)
    place = max(line.index(name) for name in own if name in line)
    there = []
    for name in line:
        if DIALECTS[name].header_version == version:
            there.append(DIALECTS[name])
    return min(there, key=lambda each: abs(line.index(each.name) - place))


def with_attribute_types(dialect: Dialect, numbering: Mapping[int, str]) -> Dialect:
    """The dialect with another numbering of attribute types."""
    kind = dialect.event_add
    table = packet_types(
        dialect.real,
        dialect=dialect.name,
        actor_types=kind.record.fields["type"].choices or ACTOR_TYPES_0912,
        attribute_types=numbering,
    )
    return replace(dialect, packets={**dialect.packets, kind.id: replace(kind, record=table["EventAdd"].record)})
