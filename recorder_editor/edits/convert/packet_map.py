"""The packet map of a conversion (packets that are kept, renumbered, rewritten, left out and added), and its losses.

Packets are matched by name, so that 21 to 24 are renumbered by meaning (format reference 3.3). Unknown packets keep
their id unless the target uses it for another packet. The numbers in EventAdd that differ between releases, types of
attributes and classes of actors (format reference 4.2), are mapped by tables of all 256; classes also depend on the
blueprint, since releases without a class for sensors or signs use Other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...arrays import BoolArray, ByteArray, IntArray
from ...format import PACKET_HEADER, Array, Dialect, PacketType, Struct
from ...format.schema import EMPTY
from ...recording.frames import Layout
from ...texts import N_count, Plural, listed, say

Kind = Literal[
    "packet",
    "always-empty",
    "engine",
    "id",
    "field",
    "number",
    "attribute-type",
    "actor-type",
    "beyond",
    "unreadable",
    "blueprint",
    "rounded",
    "filled",
    "renamed",
    "uid",
    "uid-kept",
]
"""Kinds of losses: `packet` (the target has none of that name), `always-empty` (the target writes it without records),
`engine` (Unreal 4 and 5 fill it differently), `id` (the target uses the id for another packet), `field` (the target
lacks fields, which say something else than their default), `number` (of a type that the target's field has not, and so
another one), `attribute-type` and `actor-type` (no such type), `beyond` (a double too large for a
float), `unreadable` (a body that does not decode whole), `blueprint` (the target has none of that name, also where
another one stands in for it); and without loss: `rounded` (doubles to the nearest float), `filled` (fields that the
source lacks, with their defaults), `renamed` (blueprints that have another name), `uid` (blueprints that have another
uid), `uid-kept` (blueprints whose uid in the target is not known)."""

_HARMLESS = frozenset(("rounded", "filled", "renamed", "uid", "uid-kept"))


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss or change of one kind in one packet.

    Attributes: `kind`, `name` (of the packet), `count`, `frame_index` (the first one; None if there are no frames),
    `message` (a sentence), `fields` (their paths, or the names of blueprints, where it is about some), `blueprint` (the
    one that it is about, or empty), `becomes` (what it becomes; empty: it stays).
    """

    kind: Kind
    name: str
    count: int
    frame_index: int | None
    message: str
    fields: tuple[str, ...] = ()
    blueprint: str = ""
    becomes: str = ""

    @property
    def is_lossy(self) -> bool:
        """Whether something is lost; rounding, filling in, and other names and uids are no loss."""
        return self.kind not in _HARMLESS


@dataclass
class Tally:
    """The number, and the first frame, of each kind in each packet, for the fields that it is about."""

    found: dict[tuple[Kind, str, tuple[str, ...]], tuple[int, int]] = field(default_factory=dict)

    def losses(self, source: Dialect, target: Dialect, frames: int) -> tuple[Loss, ...]:
        """The counts as losses, then changes without loss; `frames` is the number of frames of the recording."""
        made = []
        for (kind, name, fields), (count, first) in self.found.items():
            # Packets after the last frame are plural with it.
            index = None
            if frames:
                index = min(first, frames - 1)
            message = _message(kind, name, count, source, target, fields)
            made.append(Loss(kind, name, count, index, message, fields))
        made.sort(key=lambda loss: (not loss.is_lossy, loss.frame_index or 0, loss.kind, loss.name, loss.fields))
        return tuple(made)


@dataclass(frozen=True)
class Notes:
    """A tally for some frames (their indices, int64[n])."""

    tally: Tally
    frames: IntArray

    def add(
        self, kind: Kind, name: str, counts: npt.NDArray[np.integer | np.bool_], fields: tuple[str, ...] = ()
    ) -> None:
        """`counts[i]` of them in the i-th of the frames."""
        (rows,) = np.nonzero(counts)
        if len(rows):
            here = int(self.frames[rows[0]])
            number, first = self.tally.found.get((kind, name, fields), (0, here))
            self.tally.found[kind, name, fields] = number + int(counts.sum(dtype=np.int64)), min(first, here)


LOSSES: Mapping[str, Plural] = {
    "actor-type": N_count(
        "1 actor becomes Other: {target} has no such type.", "{count:,} actors become Other: {target} has no such type."
    ),
    "always-empty": N_count(
        "1 packet of {packet} is emptied: {target} never fills it.",
        "{count:,} packets of {packet} are emptied: {target} never fills it.",
    ),
    "always-empty-records": N_count(
        "1 record of {packet} is left out: {target} never fills it.",
        "{count:,} records of {packet} are left out: {target} never fills it.",
    ),
    "attribute-type": N_count(
        "1 attribute becomes text: {target} has no such type.",
        "{count:,} attributes become text: {target} has no such type.",
    ),
    "beyond": N_count(
        "1 value of {packet} becomes infinite: too large for 32 bits.",
        "{count:,} values of {packet} become infinite: too large for 32 bits.",
    ),
    "engine": N_count(
        "1 packet of {packet} is left out: Unreal 4 and 5 fill it differently.",
        "{count:,} packets of {packet} are left out: Unreal 4 and 5 fill it differently.",
    ),
    "engine-records": N_count(
        "1 record of {packet} is left out: Unreal 4 and 5 fill it differently.",
        "{count:,} records of {packet} are left out: Unreal 4 and 5 fill it differently.",
    ),
    "field": N_count(
        "{fields} of {packet} is left out, once: {target} has no place for it.",
        "{fields} of {packet} is left out, {count:,} times: {target} has no place for it.",
    ),
    "filled": N_count(
        "{fields} of {packet} gets its default, once: {source} recorded none.",
        "{fields} of {packet} gets its default, {count:,} times: {source} recorded none.",
    ),
    "id": N_count(
        "1 packet of {packet} is left out: {target} uses the id for something else.",
        "{count:,} packets of {packet} are left out: {target} uses the id for something else.",
    ),
    "number": N_count(
        "1 number of {packet} changes: the field of {target} cannot hold it.",
        "{count:,} numbers of {packet} change: the fields of {target} cannot hold them.",
    ),
    "packet": N_count(
        "1 packet of {packet} is left out: {target} has none.",
        "{count:,} packets of {packet} are left out: {target} has none.",
    ),
    "packet-records": N_count(
        "1 record of {packet} is left out: {target} has none.",
        "{count:,} records of {packet} are left out: {target} has none.",
    ),
    "renamed": N_count(
        "1 actor of {blueprints} becomes {name}, as {target} calls it.",
        "{count:,} actors of {blueprints} become {name}, as {target} calls it.",
    ),
    "rounded": N_count(
        "1 value of {packet} is rounded to 32 bits.", "{count:,} values of {packet} are rounded to 32 bits."
    ),
    "uid": N_count(
        "1 actor gets the blueprint uid of {target}: {blueprints}.",
        "{count:,} actors get the blueprint uids of {target}: {blueprints}.",
    ),
    "uid-kept": N_count(
        "1 actor keeps its blueprint uid, which is not known for {target}: {blueprints}.",
        "{count:,} actors keep their blueprint uids, which are not known for {target}: {blueprints}.",
    ),
    "unreadable": N_count(
        "1 packet of {packet} cannot be read whole; what cannot be read stays as it is.",
        "{count:,} packets of {packet} cannot be read whole; what cannot be read stays as it is.",
    ),
}
"""What is said of a loss, by its kind."""


def _message(kind: Kind, name: str, count: int, source: Dialect, target: Dialect, fields: tuple[str, ...]) -> str:
    packet = source.by_name(name)
    of_records = kind in ("packet", "always-empty", "engine") and packet is not None and packet.body == "list"
    message = LOSSES[f"{kind}-records" if of_records else kind]
    return say(message, count=count, packet=name, fields=listed(fields), source=source.name, target=target.name)


def is_lossy(losses: Iterable[Loss]) -> bool:
    """Whether any of them is a loss."""
    return any(loss.is_lossy for loss in losses)


SENSOR = "Sensor"
SIGN = "TrafficSign"


@dataclass(frozen=True, eq=False)
class AttributeTypes:
    """The new numbers of attribute types. Attributes: `table` (uint8[256]), `strange` (bool[256]: no such type)."""

    table: ByteArray
    strange: BoolArray


@dataclass(frozen=True, eq=False)
class ActorTypes:
    """The new numbers of actor classes.

    Attributes: `table` (uint8[256]), `lost` (classes that the target lacks and that become Other, by number in the
    source), `found` (numbers in the target of classes that are Other in the source).
    """

    table: ByteArray
    lost: Mapping[int, str]
    found: Mapping[str, int]


def attribute_types(source: Dialect, target: Dialect) -> AttributeTypes | None:
    """The new numbers of attribute types; None if they are equal."""
    names = _attribute_names(source)
    numbers = {name: number for number, name in _attribute_names(target).items()}
    text = numbers["String"]
    shift = text - next(number for number, name in names.items() if name == "String")
    table = np.zeros(256, np.uint8)
    strange = np.zeros(256, np.bool_)
    for number in range(256):
        # A number without a name is shifted as the others.
        if number in names:
            new = numbers.get(names[number])
        else:
            new = number + shift
        strange[number] = new is None or not 0 <= new <= 255
        table[number] = text if strange[number] or new is None else new
    same = not strange.any() and bool((table == np.arange(256)).all())
    if same:
        return None
    return AttributeTypes(table, strange)


def actor_types(source: Dialect, target: Dialect) -> ActorTypes | None:
    """The new numbers of actor classes; None if they are equal."""
    here = _actor_names(source)
    there = _actor_names(target)
    numbers = {name: number for number, name in there.items()}
    if here == there or not any(_is_sign(name) or name == SENSOR for name in (*_sure(here), *_sure(there))):
        # Up to 0.9.9.4 it is unknown in which releases 4 is a sign.
        return None
    table = np.arange(256, dtype=np.uint8)
    lost: dict[int, str] = {}
    for number, name in here.items():
        if name in numbers:
            table[number] = numbers[name]
        elif not (_is_sign(name) and _is_sign(there.get(number, ""))):
            table[number] = 0
            lost[number] = name
    known = [name for name in (SENSOR, SIGN) if any(each.startswith(name) for each in here.values())]
    found = {name: numbers[name] for name in (SENSOR, SIGN) if name in numbers and name not in known}
    return ActorTypes(table, lost, found)


def _is_sign(name: str) -> bool:
    return name.startswith(SIGN)


def _sure(choices: Mapping[int, str]) -> list[str]:
    """The classes whose number has one meaning in all releases of the dialect."""
    return [name for name in choices.values() if "(" not in name]


def attributes_apart(mine: Dialect, theirs: Dialect) -> str:
    """Why recordings of one dialect cannot be joined: a sentence, or empty if attribute types are equal."""
    if mine.name != theirs.name or attribute_types(theirs, mine) is None:
        return ""
    odd = 0 if mine.header_version == 2 else 1
    return say(
        "Both recordings are of {title}, but number the types of attributes "
        "differently. Convert the one that counts them from {odd} first, as in "
        "recorder-editor convert IN OUT --dialect {name}",
        title=mine.title,
        odd=odd,
        name=mine.name,
    )


def _attribute_names(dialect: Dialect) -> Mapping[int, str]:
    return dialect.packets[2].record.arrays["attributes"].element.fields["type"].choices or {}


def _actor_names(dialect: Dialect) -> Mapping[int, str]:
    return dialect.packets[2].record.fields["type"].choices or {}


# --- packets --------------------------------------------------------------------------------------------


_OF_EVERY_RELEASE = frozenset(range(2, 8))  # packets that all recorders write in every frame
_FRAME_END = 1


@dataclass(frozen=True, eq=False)
class PacketMapping:
    """The conversion of one packet.

    Attributes: `kind` (type in the source), `number` (id in the target; None: left out), `target` (type in the target
    if the body is rewritten), `reason` (why it is left out, or its records with an id: it stays as an empty one).
    """

    kind: PacketType
    number: int | None
    target: PacketType | None = None
    reason: Kind | None = None


class PacketMap:
    """The packet map from one dialect to another.

    Attributes: `source`, `target`, `attribute_types` and `actor_types` (None: equal), `carried` (unknown packets that
    were kept, by id).
    """

    def __init__(self, source: Dialect, target: Dialect) -> None:
        self.source = source
        self.target = target
        self.attribute_types: AttributeTypes | None = attribute_types(source, target)
        self.actor_types: ActorTypes | None = actor_types(source, target)
        self.carried: dict[int, PacketType] = {}
        self._mappings: dict[int, PacketMapping] = {}
        self._ranks = {number: rank for rank, number in enumerate(target.order)}
        self._empty = [
            kind
            for kind in target.kinds()
            if (kind.body, kind.presence) == ("list", "always") and source.by_name(kind.name) is None
        ]

    def mapping(self, number: int) -> PacketMapping:
        """The conversion of packets of an id."""
        found = self._mappings.get(number)
        if found is None:
            found = self._mappings[number] = self._decide(number)
        return found

    def source_type(self, number: int) -> PacketType:
        """The type of a packet whose body is rewritten; for others an opaque type."""
        mapping = self.mapping(number)
        if mapping.target is not None:
            return mapping.kind
        return _closed(number)

    def changes(self, layout: Layout, *, whole: bool) -> bool:
        """Whether frames of a layout change; `whole`: they reach from FrameStart to FrameEnd."""
        mappings = []
        for number, _, size in layout.packets():
            mappings.append((number, self.mapping(number), size))
        touched = any(
            mapping.number != number or (size != 2 and (mapping.target is not None or mapping.reason is not None))
            for number, mapping, size in mappings
        )
        return touched or (whole and bool(self.added(layout)))

    def added(self, layout: Layout) -> dict[int, list[bytes]]:
        """Empty packets that the target's recorder writes in every frame, by the index of the packet they precede.

        None for frames without the packets of every recorder: other programs wrote them.
        """
        numbers = layout.ids.tolist()
        if not self._empty or not _OF_EVERY_RELEASE.issubset(numbers) or numbers[-1] != _FRAME_END:
            return {}
        additional = any(self.mapping(number).kind.additional for number in numbers)
        ranks = [
            self._ranks.get(mapping.number, -1) if (mapping := self.mapping(number)).number is not None else -1
            for number in numbers
        ]
        by_index: dict[int, list[bytes]] = {}
        for kind in self._empty:
            if additional or not kind.additional:
                before = next(index for index, rank in enumerate(ranks) if rank > self._ranks[kind.id])
                by_index.setdefault(before, []).append(PACKET_HEADER.pack(kind.id, 2))
        return by_index

    def dialect(self) -> Dialect:
        """The target dialect, with the unknown packets that were kept."""
        strange = {}
        for number, kind in self.carried.items():
            if number in self.source.packets:
                strange[number] = kind
        if strange:
            return replace(self.target, packets={**self.target.packets, **strange})
        return self.target

    def _decide(self, number: int) -> PacketMapping:
        kind = self.source.packet(number)
        if kind.body == "opaque" and kind.rank < 0:
            return self._carry(number, kind)
        found = self.target.by_name(kind.name)
        if found is None:
            return PacketMapping(kind, None, reason="packet")
        if found.always_empty and not kind.always_empty:
            return PacketMapping(kind, found.id, reason="always-empty")
        if kind.by_engine and self.source.engine != self.target.engine:
            return PacketMapping(kind, None, reason="engine")
        renumbered = kind.name == "EventAdd" and (self.attribute_types is not None or self.actor_types is not None)
        other = renumbered or _layout(kind.record) != _layout(found.record)
        return PacketMapping(kind, found.id, found if other else None)

    def _carry(self, number: int, kind: PacketType) -> PacketMapping:
        there = self.target.packets.get(number)
        # Id 18 is the frame counter between servers, which no recording holds (reference 3.2).
        if there is None or there.body == "opaque" or there.presence == "never":
            if there is None or there.name != kind.name:
                self.carried[number] = kind
            return PacketMapping(kind, number)
        return PacketMapping(kind, None, reason="id")


@cache
def _closed(number: int) -> PacketType:
    return PacketType(number, f"Packet {number}", "opaque", EMPTY, "")


def _layout(struct: Struct) -> list[object]:
    """Paths and types of the members of a struct."""
    return [(each.path, _layout(each.element) if isinstance(each, Array) else each.type) for each in struct.members]
