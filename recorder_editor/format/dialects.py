"""Dialects: the packets of a release family by id, with what its simulators do.

A dialect is an entry of `dialects` in `resources/packets.json`. What it does not say is as in the dialect that it comes
`after`. How the dialect of a file is detected stands in `detection`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Literal

from ..texts import say
from .codec import encode_record
from .packet_file import LAST_RANK, PacketFile
from .packets import ACTOR_TYPES_0912, CHOICES, FORK_PACKETS, TABLE, Real, dialect_line, packet_types
from .schema import EMPTY, Lifetime, PacketType

AttachedPositions = Literal["place", "offset"]
MakesActorsBy = Literal["uid", "name"]


@dataclass(frozen=True)
class Sign:
    """A value in a packet that tells since or before which release it was recorded.

    Attributes:
        packet: The name of the packet.
        field: The path of the field.
        meaning: The sign in words.
        value: The value that stands there in at least one record.
        since: The first release with the sign; empty if `before` is given.
        before: The first release without the sign; empty if `since` is given.
        begins: Only records count in which each of these fields begins with its text; None: all records.
        actors_of_type: Instead of `value`: the field holds the id of an actor of this type.
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

    Attributes:
        name: The name, as on the command line.
        first: The first release that matches the bytes.
        last: The last release that matches the bytes.
        engine: The version of Unreal, 4 or 5.
        real: The type of vectors.
        header_version: The version in the header of such files.
        family: The family of CARLA's text reports.
        packets: The packet types by id.
        after: The dialect that it was made from; empty for the first one.
        ignores_spectator: Its replayer creates no spectator unless asked to, and leaves live actor 1 alone.
        replays_sensors: Its replayer can be asked to create sensors.
        interpolated: The packets that its replayer keeps and interpolates to the next one of the kind; others are
            applied one by one.
        attached_positions: What a simulator takes a Position of an attached actor for: a `place` in the world, or its
            `offset` from the parent.
        makes_actors_by: What a simulator finds the class of an actor by: the `uid` of its blueprint, or the `name`; the
            uid then only has to be that of an actor of the same kind.
        signs: The values by which its releases are detected.
        source: The sections of the format reference.
        packet_files: The files of users that were used; in the order in which they count.
        described: The ids of packets that they describe.
    """

    name: str
    first: str
    last: str
    engine: int
    real: Real
    header_version: int
    family: str
    packets: Mapping[int, PacketType] = field(repr=False)
    after: str = ""
    ignores_spectator: bool = False
    replays_sensors: bool = False
    interpolated: tuple[str, ...] = ("Position",)
    attached_positions: AttachedPositions = "offset"
    makes_actors_by: MakesActorsBy = "uid"
    signs: tuple[Sign, ...] = field(default=(), repr=False)
    source: str = ""
    packet_files: tuple[PacketFile, ...] = field(default=(), repr=False)
    described: frozenset[int] = frozenset()

    @property
    def releases(self) -> str:
        """As in `CARLA 0.9.12 to 0.9.13`."""
        first = say(self.first)
        last = say(self.last)
        if first == last:
            return f"CARLA {first}"
        return say("CARLA {first} to {last}", first=first, last=last)

    @property
    def title(self) -> str:
        """As in `CARLA 0.9.12 to 0.9.13 (floats)`."""
        if self.wide:
            return say("{releases} (doubles)", releases=self.releases)
        return say("{releases} (floats)", releases=self.releases)

    @property
    def wide(self) -> bool:
        """Vectors are doubles (UE5)."""
        return self.real == "f64"

    def holds(self, release: str) -> bool:
        """Whether a release, by its number, is one of this dialect; never a build between releases."""
        number = release_numbers(release)
        first = release_numbers(self.first)
        last = release_numbers(self.last)
        if not number or not first or not last:
            return False
        return first <= number <= last

    def packet(self, number: int) -> PacketType:
        """The packet type of an id; unknown ids are opaque."""
        if number in self.packets:
            return self.packets[number]
        return _unknown(number)

    def described_by(self, file: PacketFile) -> Mapping[int, PacketType]:
        """The packet types of a file of users by id, with the members that they have in this dialect."""
        return file.types(self.name, self.real)

    def by_name(self, name: str) -> PacketType | None:
        """The packet type of a name, None if this dialect has none."""
        for kind in self.packets.values():
            if kind.name == name:
                return kind
        return None

    @cached_property
    def event_add(self) -> PacketType:
        """EventAdd, which every release has."""
        return self._always("EventAdd")

    def deletion(self, actor: int) -> bytes:
        """A record of EventDel."""
        record = self._always("EventDel").record
        values = record.default_record()
        values["id"] = actor
        return encode_record(record, values)

    def attachment(self, child: int, parent: int) -> bytes:
        """A record of EventParent."""
        record = self._always("EventParent").record
        values = record.default_record()
        values["child"] = child
        values["parent"] = parent
        return encode_record(record, values)

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
        written = []
        for kind in self.packets.values():
            is_asked_for = lifetime is None or (kind.lifetime == lifetime and kind.body != "opaque")
            if kind.rank >= 0 and is_asked_for:
                written.append(kind)
        written.sort(key=lambda kind: kind.rank)
        return tuple(written)

    @property
    def lasting_bodies(self) -> tuple[PacketType, ...]:
        """The lasting packets that are not decoded, in the order of their ids: each body holds as a whole."""
        kinds = []
        for number in sorted(self.packets):
            kind = self.packets[number]
            if kind.lifetime == "lasting" and kind.body == "opaque":
                kinds.append(kind)
        return tuple(kinds)

    @cached_property
    def kinds_in_scene(self) -> tuple[PacketType, ...]:
        """The packets of users whose records hold places or rays, in the order of their ids."""
        kinds = [self.packets[number] for number in sorted(self.described)]
        return tuple(kind for kind in kinds if kind.rays or kind.places_in_scene)


_RELEASE = re.compile("[0-9]{1,6}([.][0-9]{1,6})*")


def release_numbers(release: str) -> tuple[int, ...]:
    """A release as numbers, as (0, 9, 13); empty for one that is named otherwise."""
    if _RELEASE.fullmatch(release) is None:
        return ()
    return tuple(int(part) for part in release.split("."))


@cache
def _unknown(number: int) -> PacketType:
    if number >= 100:
        meaning = say("Packet {number}, reserved for users", number=number)
    else:
        meaning = say("Packet {number}, not one of CARLA's", number=number)
    return PacketType(number, f"Unknown {number}", "opaque", EMPTY, meaning)


def _real(engine: int) -> Real:
    """The type of vectors in an engine."""
    if engine == 4:
        return "f32"
    return "f64"


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
    types = packet_types(
        _real(engine),
        dialect=name,
        actor_types=CHOICES[f"actor types {actor_types}"],
        attribute_types=CHOICES[f"attribute types {attribute_types}"],
    )
    table = dict(types)
    for packet in always_empty:
        table[packet] = replace(table[packet], always_empty=True)
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
    """A dialect of packets of a table.

    Args:
        table: Packet types by name, in the order of the recorder.
        ids: The names of the packets of the dialect by id.
        name: The name of the dialect.
        releases: The first and the last release.
        engine: The version of Unreal, 4 or 5.
        header_version: The version in the header of its files.
        family: The family of CARLA's text reports.
    """
    ranks = {kind.name: rank for rank, kind in enumerate(table.values()) if kind.presence != "never"}
    ranks["FrameEnd"] = LAST_RANK
    packets = dict(FORK_PACKETS)
    for number, packet in ids.items():
        packets[number] = replace(table[packet], id=number, rank=ranks.get(packet, -1))
    first, last = releases
    return Dialect(
        name=name,
        first=first,
        last=last,
        engine=engine,
        real=_real(engine),
        header_version=header_version,
        family=family,
        packets=packets,
    )


_OWN = ("name", "first", "last", "after", "source")
"""What a dialect does not take over from the one that it comes after, besides its signs."""


def _dialects() -> Iterable[Dialect]:
    """The dialects of the table; `packets` are in the order of their ids, behind those of the dialect named `after`."""
    ids: dict[str, list[str]] = {"": []}
    taken_over: dict[str, dict[str, Any]] = {"": {}}
    for entry in TABLE["dialects"]:
        name = entry["name"]
        after = entry.get("after", "")
        members = taken_over[after] | entry
        packets = members.pop("packets", [])
        signs = [Sign(**sign) for sign in members.pop("signs", ())]
        ids[name] = ids[after] + packets
        taken_over[name] = {key: value for key, value in members.items() if key not in _OWN}
        yield _dialect(ids[name], **members, signs=signs)


DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in _dialects()}
"""All dialects by name, in the order of the releases, those of Unreal 5 last."""

NEWEST: Mapping[int, Dialect] = {dialect.engine: dialect for dialect in DIALECTS.values()}
"""The newest dialect of each engine."""


def _largest_known_id() -> int:
    largest = 0
    for dialect in DIALECTS.values():
        for number, kind in dialect.packets.items():
            if kind.body != "opaque":
                largest = max(largest, number)
    return largest


LARGEST_KNOWN_ID = _largest_known_id()
"""The largest id of a packet of CARLA."""


def can_describe(number: int) -> bool:
    """Whether a packet may be described: no packet of CARLA has its id."""
    return number > LARGEST_KNOWN_ID


DEFAULT_DIALECT: str = TABLE["default_dialect"]
"""The dialect of new recordings where none is chosen."""

ASSUMED_DIALECT: str = TABLE["assumed_dialect"]
"""The dialect of a file in which nothing tells releases apart."""


def dialect_named(text: str) -> Dialect:
    """Find a dialect.

    Args:
        text: Its name, or the number of a release, as `0.9.13`.

    Raises:
        KeyError: There is none.
    """
    if text in DIALECTS:
        return DIALECTS[text]
    for dialect in DIALECTS.values():
        if dialect.holds(text):
            return dialect
    raise KeyError(text)


def with_header_version(dialect: Dialect, version: int) -> Dialect:
    """The dialect nearest to one, on the line to the newest of Unreal 4, that has this version of the header."""
    line = dialect_line(NEWEST[4].name)
    place = 0
    for name in dialect_line(dialect.name):
        if name in line:
            place = max(place, line.index(name))
    places = [index for index, name in enumerate(line) if DIALECTS[name].header_version == version]
    nearest = min(places, key=lambda index: abs(index - place))
    return DIALECTS[line[nearest]]


def with_attribute_types(dialect: Dialect, numbering: Mapping[int, str]) -> Dialect:
    """The dialect with another numbering of attribute types."""
    kind = dialect.event_add
    table = packet_types(
        dialect.real,
        dialect=dialect.name,
        actor_types=kind.record.fields["type"].choices or ACTOR_TYPES_0912,
        attribute_types=numbering,
    )
    renumbered = replace(kind, record=table["EventAdd"].record)
    return replace(dialect, packets={**dialect.packets, kind.id: renumbered})
