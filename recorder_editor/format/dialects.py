"""Dialects, and the detection of a file's dialect.

A dialect is the packets of a release family by id. It is detected once per file from packet ids, sizes and values
(format reference, sections 3.3 and 5), with the reasons as sentences. Nothing here reads files: the caller passes the
packet ids of the frames and a few bodies of each kind.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from ..sentences import listed, say, translated
from .codec import decode
from .packets import (
    ACTOR_TYPES_0912,
    ATTRIBUTE_TYPES_1,
    ATTRIBUTE_TYPES_2,
    CHOICES,
    FORK_PACKETS,
    TABLE,
    Real,
    packet_types,
)
from .schema import EMPTY, Lifetime, PacketType

AttachedPositions = Literal["place", "offset"]
MakesActorsBy = Literal["uid", "name"]


@dataclass(frozen=True)
class Dialect:
    """The packets of a release family.

    Attributes: `name` (as on the command line), `first`/`last` (releases that match the bytes), `engine` (4 or 5),
    `real` (type of vectors), `header_version` (of such files), `family` (of CARLA's text reports), `packets` (by id),
    `ignores_spectator` (its replayer creates no spectator unless asked to, and leaves live actor 1 alone),
    `interpolated` (packets that its replayer keeps and interpolates to the next one of the kind; others are applied
    one by one), `attached_positions` (what a simulator takes a Position of an attached actor for: a `place` in the
    world, or its `offset` from the parent), `makes_actors_by` (what a simulator finds the class of an actor by: the
    `uid` of its blueprint, or the `name`, of which the uid only has to be that of an actor of the same kind).
    """

    name: str
    first: str
    last: str
    engine: int
    real: Real
    header_version: int
    family: str
    packets: Mapping[int, PacketType]
    ignores_spectator: bool = False
    interpolated: tuple[str, ...] = ("Position",)
    attached_positions: AttachedPositions = "offset"
    makes_actors_by: MakesActorsBy = "uid"

    @property
    def releases(self) -> str:
        """As in `CARLA 0.9.12 to 0.9.13`."""
        first, last = translated(self.first), translated(self.last)
        return f"CARLA {first}" if first == last else say("format.releases", first=first, last=last)

    @property
    def title(self) -> str:
        """As in `CARLA 0.9.12 to 0.9.13 (floats)`."""
        return say("format.title_floats" if self.real == "f32" else "format.title_doubles", releases=self.releases)

    @property
    def wide(self) -> bool:
        """Vectors are doubles (UE5)."""
        return self.real == "f64"

    def packet(self, number: int) -> PacketType:
        """The packet type of an id; unknown ids are opaque."""
        known = self.packets.get(number)
        return known if known is not None else _unknown(number)

    def by_name(self, name: str) -> PacketType | None:
        """The packet type of a name, None if this dialect has none."""
        return next((kind for kind in self.packets.values() if kind.name == name), None)

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


@cache
def _unknown(number: int) -> PacketType:
    meaning = say("format.unknown_reserved" if number >= 100 else "format.unknown_packet", number=number)
    return PacketType(number, f"Unknown {number}", "opaque", EMPTY, meaning)


def _dialect(
    ids: Sequence[str],
    *,
    name: str,
    first: str,
    last: str,
    family: str,
    engine: int = 4,
    header_version: int = 1,
    actor_types: str = "0.9.12",
    attribute_types: str = "1",
    always_empty: Sequence[str] = (),
    ignores_spectator: bool = False,
    interpolated: Sequence[str] = ("Position",),
    attached_positions: AttachedPositions = "offset",
    makes_actors_by: MakesActorsBy = "uid",
) -> Dialect:
    table = packet_types(
        "f32" if engine == 4 else "f64",
        dialect=name,
        actor_types=CHOICES[f"actor types {actor_types}"],
        attribute_types=CHOICES[f"attribute types {attribute_types}"],
    )
    table = {**table, **{each: replace(table[each], always_empty=True) for each in always_empty}}
    dialect = dialect_of(
        table, dict(enumerate(ids)), name, (first, last), engine=engine, header_version=header_version, family=family
    )
    return replace(
        dialect,
        ignores_spectator=ignores_spectator,
        interpolated=tuple(interpolated),
        attached_positions=attached_positions,
        makes_actors_by=makes_actors_by,
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


def _all() -> Iterable[Dialect]:
    """The dialects of the table; `packets` are in the order of their ids, behind those of the dialect named `after`."""
    ids: dict[str, list[str]] = {}
    for each in TABLE["dialects"]:
        said = dict(each)
        ids[said["name"]] = [*ids.get(said.pop("after", ""), ()), *said.pop("packets", ())]
        yield _dialect(ids[said["name"]], **said)


DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in _all()}


_Added = tuple[int, int, str]  # id, type, blueprint


@dataclass(frozen=True, slots=True)
class Detection:
    """The dialect of a file; `reasons` are sentences, `forced` means chosen by the user."""

    dialect: Dialect
    reasons: tuple[str, ...]
    forced: bool = False


@dataclass(frozen=True)
class Sample:
    """The input of the detection.

    Attributes: `orders` (packet ids of frames, in file order, each distinct order once), `bodies` (by id, some
    non-empty bodies from early frames).
    """

    orders: Sequence[Sequence[int]]
    bodies: Mapping[int, Sequence[bytes]]

    @property
    def ids(self) -> frozenset[int]:
        """Every packet id that occurs."""
        return frozenset(number for order in self.orders for number in order)


def force(dialect: str | Dialect) -> Detection:
    """The detection for a dialect, or the name of one, that the user chose; raises KeyError."""
    chosen = dialect if isinstance(dialect, Dialect) else DIALECTS[dialect]
    return Detection(chosen, (say("format.chosen_by_hand"),), forced=True)


def detect(header_version: int | None, sample: Sample) -> Detection:
    """The dialect that matches the header version (None without a header) and the sample, with the reasons."""
    reasons: list[str] = []
    wide = _vectors_are_wide(sample, reasons)
    between = {number for order in sample.orders for number in _between_collision_and_position(order)}
    ids = sample.ids
    fork = _fork(sample, reasons)
    mapping = _mapping(sample, between, fork, reasons)
    dialect = _ue5(mapping, ids, reasons) if wide else _ue4(header_version, sample, mapping, ids - fork, reasons)
    dialect = _attribute_numbering(dialect, sample, reasons)
    for number in sorted(fork):
        dialect = replace(dialect, packets={**dialect.packets, number: replace(FORK_PACKETS[18], id=number)})
    return Detection(dialect, tuple(reasons))


def _vectors_are_wide(sample: Sample, reasons: list[str]) -> bool:
    for number, name in ((6, "Position"), (12, "Kinematics"), (13, "BoundingBox"), (17, "TriggerVolume")):
        sizes = [_record_size(body) for body in sample.bodies.get(number, ())]
        narrow, wide = sizes.count(28), sizes.count(52)
        # The majority decides: one wrong count can turn 13 records of 28 bytes into 7 of 52.
        if narrow or wide:
            size, kind = (52, "format.doubles") if wide > narrow else (28, "format.floats")
            reasons.append(say("format.records_are_bytes_long_vectors_are", name=name, size=size, kind=say(kind)))
            return wide > narrow
    for body in sample.bodies.get(2, ()):
        for name, wide in (("ue4-0.9.12", False), ("ue5-0.10.0", True)):
            decoded = decode(DIALECTS[name].packets[2], body)
            if decoded.damage is None and len(decoded):
                reasons.append(say("format.event_add_fits", kind=say("format.doubles" if wide else "format.floats")))
                return wide
    reasons.append(say("format.no_packet_shows_how_wide_vectors"))
    return False


def _record_size(body: bytes) -> float | None:
    count = int.from_bytes(body[:2], "little")
    return (len(body) - 2) / count if count and len(body) > 2 else None


def _between_collision_and_position(order: Sequence[int]) -> Sequence[int]:
    try:
        return order[order.index(5) + 1 : order.index(6)]
    except ValueError:
        return ()


def _fork(sample: Sample, reasons: list[str]) -> frozenset[int]:
    fork = set()
    if 18 in sample.ids and not all(len(body) == 8 for body in sample.bodies.get(18, (b"",))):
        fork.add(18)
    if any(_is_weather_of_a_fork(body) for body in sample.bodies.get(21, ())):
        fork.add(21)
    own = sorted(fork | {number for number in sample.ids if number > 24})
    if own:
        numbers = listed(str(number) for number in own)
        reasons.append(say("format.foreign_packets", numbers=numbers, count=len(own)))
    return frozenset(fork)


def _is_weather_of_a_fork(body: bytes) -> bool:
    # Wheels of cars and trucks can also average 52 bytes a record; they decode as wheels.
    return _record_size(body) == 52 and decode(DIALECTS["ue4-0.9.15"].packets[21], body).damage is not None


def _mapping(sample: Sample, between: set[int], fork: frozenset[int], reasons: list[str]) -> str | None:
    """`A`, `B` or None (no id 21 to 23 in the file), by position in the frame, then by record size (reference 3.3)."""
    ids = sample.ids - fork
    if 21 in between and 21 not in fork:
        reasons.append(say("format.packet_21_stands_between_collision_and"))
        return "B"
    if 23 in between:
        reasons.append(say("format.packet_23_stands_between_collision_and"))
        return "A"
    if not ids & {21, 22, 23}:
        return None
    for number, sizes in ((21, {6.0: "B"}), (22, {12.0: "A"}), (23, {6.0: "A", 12.0: "B"})):
        if number in fork:
            continue
        for body in sample.bodies.get(number, ()):
            mapping = sizes.get(_record_size(body) or 0.0)
            if mapping is not None:
                size = _record_size(body)
                reasons.append(
                    say("format.packet_has_records_of_bytes_mapping", number=number, size=size, mapping=mapping)
                )
                return mapping
    reasons.append(say("format.packets_21_and_22_stand_after"))
    return "A"


def _ue5(mapping: str | None, ids: frozenset[int], reasons: list[str]) -> Dialect:
    newest = DIALECTS["ue5-2026"]
    if 24 in ids or mapping == "A":
        reasons.append(say("format.ids_21_to_24_stand_as"))
        return newest
    if mapping == "B":
        reasons.append(say("format.nothing_newer_than_0_10_0"))
        return DIALECTS["ue5-0.10.0"]
    reasons.append(say("format.nothing_in_it_tells_0_10"))
    return replace(DIALECTS["ue5-0.10.0"], last=newest.last)


def _ue4(
    header_version: int | None, sample: Sample, mapping: str | None, ids: frozenset[int], reasons: list[str]
) -> Dialect:
    if 24 in ids:
        reasons.append(say("format.it_holds_weather_24"))
        return DIALECTS["ue4-2026"]
    if mapping == "B":
        return DIALECTS["ue4-doors"]
    if header_version is not None and header_version >= 2:
        reasons.append(say("format.the_header_says_version_2_as"))
        return replace(DIALECTS["ue4-0.9.16"], last=say("format.newest_without_weather"))
    if 23 in ids:
        reasons.append(say("format.vehicledoor_has_id_23_but_the"))
        return DIALECTS["ue4-0.9.16"]
    if mapping == "A":
        return DIALECTS["ue4-0.9.15"]
    if 20 in ids or 19 in ids:
        reasons.append(say("format.it_holds_visualtime_20_but_no"))
        return DIALECTS["ue4-0.9.14"]
    if ids & {10, 11, 12, 13, 14, 15, 16, 17}:
        return _ue4_with_lights(sample, reasons)
    if ids & {8, 9}:
        return _ue4_animated(sample, reasons)
    if ids.isdisjoint(range(2, 8)):  # those of every release, without the begin and end of a frame
        reasons.append(say("format.it_holds_nothing_that_tells_releases"))
        return replace(DIALECTS["ue4-0.9.12"], first=DIALECTS["ue4-0.9.4"].first, last=DIALECTS["ue4-0.9.15"].last)
    reasons.append(say("format.no_packet_has_an_id_above"))
    return DIALECTS["ue4-0.9.4"]


def _ue4_animated(sample: Sample, reasons: list[str]) -> Dialect:
    reasons.append(say("format.it_holds_animations_8_9_but"))
    dialect = DIALECTS["ue4-0.9.6"]
    if any(kind == 4 for _, kind, _ in _added(sample)):
        reasons.append(say("format.traffic_signs_have_a_type_of"))
        return replace(dialect, first="0.9.9")
    return dialect


def _ue4_with_lights(sample: Sample, reasons: list[str]) -> Dialect:
    reasons.append(say("format.it_holds_packets_of_0_9"))
    added = _added(sample)
    for body in sample.bodies.get(15, ()):
        for size, name in ((48, "ue4-0.9.12"), (36, "ue4-0.9.10")):
            decoded = decode(DIALECTS[name].packets[15], body)
            if decoded.damage is None and len(decoded) and any(record["wheels"] for record in decoded):
                reasons.append(say("format.wheels_in_physicscontrol_are_bytes_long", size=size))
                return _narrowed(DIALECTS[name], sample, added, reasons)
    if any(kind == 5 for _, kind, _ in added):
        reasons.append(say("format.sensors_have_a_type_of_their"))
        return _narrowed(DIALECTS["ue4-0.9.12"], sample, added, reasons)
    if any(kind == 0 and blueprint.startswith("sensor.") for _, kind, blueprint in added):
        reasons.append(say("format.sensors_have_type_0_as_before"))
        return _narrowed(DIALECTS["ue4-0.9.10"], sample, added, reasons)
    reasons.append(say("format.nothing_in_it_tells_0_9"))
    return _narrowed(replace(DIALECTS["ue4-0.9.12"], first="0.9.10"), sample, added, reasons)


def _narrowed(dialect: Dialect, sample: Sample, added: Sequence[_Added], reasons: list[str]) -> Dialect:
    others = {actor for actor, kind, _ in added if kind == 0}
    kind = dialect.packets[6]
    held = others and any(
        actor in others for body in sample.bodies.get(6, ()) for actor in decode(kind, body).array["id"].tolist()
    )
    if held and dialect.first == "0.9.10":
        reasons.append(say("format.position_holds_props_or_the_spectator"))
        dialect = replace(dialect, first="0.9.11")
    collisions = (decode(dialect.packets[5], body).array for body in sample.bodies.get(5, ()))
    if dialect.last == "0.9.13" and any((array["actor2"] == 0xFFFFFFFF).any() for array in collisions):
        reasons.append(say("format.a_collision_with_something_that_is"))
        dialect = replace(dialect, first="0.9.13")
    return dialect


def _added(sample: Sample) -> list[_Added]:
    """The actors in the sampled EventAdd bodies, decoded with floats."""
    added = []
    for body in sample.bodies.get(2, ()):
        decoded = decode(DIALECTS["ue4-0.9.12"].packets[2], body)
        for index in range(len(decoded)):
            actor, kind, blueprint = (decoded.get(index, name) for name in ("id", "type", "blueprint"))
            if isinstance(actor, int) and isinstance(kind, int):
                added.append((actor, kind, str(blueprint)))
    return added


_KNOWN_ATTRIBUTES = {"role_name": "String", "number_of_wheels": "Int", "sticky_control": "Bool"}


def shown_version(sample: Sample) -> int | None:
    """The header version that matches the attribute types of the sample; None if nothing shows it.

    Simulators use the version for these types only (format reference 2, 4.2).
    """
    if _vectors_are_wide(sample, []):
        return 1
    shifted = _is_numbered_from_1(DIALECTS["ue4-0.9.16"], sample)
    return None if shifted is None else 2 if shifted else 1


def _is_numbered_from_1(dialect: Dialect, sample: Sample) -> bool | None:
    """Whether attribute types are numbered from 1, by well-known attributes (reference 4.2); None: unknown."""
    votes = {1: 0, 2: 0}
    first = {name: number for number, name in ATTRIBUTE_TYPES_1.items()}
    for body in sample.bodies.get(2, ()):
        for record in decode(dialect.packets[2], body):
            for attribute in record["attributes"]:
                kind = _KNOWN_ATTRIBUTES.get(str(attribute["id"]))
                if kind is not None:
                    votes[1] += attribute["type"] == first[kind]
                    votes[2] += attribute["type"] == first[kind] + 1
    return None if votes[1] == votes[2] else votes[2] > votes[1]


def _attribute_numbering(dialect: Dialect, sample: Sample, reasons: list[str]) -> Dialect:
    """The dialect with the attribute types numbered as well-known attributes show, else by the header version."""
    shifted = _is_numbered_from_1(dialect, sample)
    if shifted is None or shifted == (dialect.header_version == 2):
        return dialect
    reasons.append(
        say("format.attribute_types_are_numbered_from_1")
        if shifted
        else say("format.attribute_types_are_numbered_from_0")
    )
    numbering = ATTRIBUTE_TYPES_2 if shifted else ATTRIBUTE_TYPES_1
    return with_attribute_types(dialect, numbering)


def with_attribute_types(dialect: Dialect, numbering: Mapping[int, str]) -> Dialect:
    """The dialect with another numbering of attribute types."""
    kind = dialect.packets[2]
    table = packet_types(
        dialect.real,
        dialect=dialect.name,
        actor_types=kind.record.fields["type"].choices or ACTOR_TYPES_0912,
        attribute_types=numbering,
    )
    return replace(dialect, packets={**dialect.packets, 2: replace(kind, record=table["EventAdd"].record)})
