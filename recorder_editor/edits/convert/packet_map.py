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
"""Kinds of losses.

- `packet`: the target has none of that name.
- `always-empty`: the target writes it without records.
- `engine`: Unreal 4 and 5 fill it differently.
- `id`: the target uses the id for another packet.
- `field`: the target lacks fields, which say something else than their default.
- `number`: a number that the target's field cannot hold, and so another one.
- `attribute-type`, `actor-type`: no such type.
- `beyond`: a double too large for a float.
- `unreadable`: a body that does not decode whole.
- `blueprint`: the target has none of that name, also where another one stands in for it.

Without loss:

- `rounded`: doubles to the nearest float.
- `filled`: fields that the source lacks, with their defaults.
- `renamed`: blueprints that have another name.
- `uid`: blueprints that have another uid.
- `uid-kept`: blueprints with a uid that is not known for the target.
"""

_HARMLESS = frozenset(("rounded", "filled", "renamed", "uid", "uid-kept"))


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss or change of one kind in one packet.

    Attributes:
        kind: The kind.
        name: The name of the packet.
        count: How often it occurs.
        frame_index: The first frame with it; None if there are no frames.
        message: A sentence.
        fields: Paths of fields, or names of blueprints, where it is about some.
        blueprint: The blueprint that it is about, or empty.
        becomes: The blueprint that this becomes; empty: it stays.
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
    """Counts losses.

    Attributes:
        counts: The number, and the first frame, by kind, packet and the fields that it is about.
    """

    counts: dict[tuple[Kind, str, tuple[str, ...]], tuple[int, int]] = field(default_factory=dict)

    def losses(self, source: Dialect, target: Dialect, frames: int) -> tuple[Loss, ...]:
        """Return the counts as losses, then changes without loss.

        Args:
            source: The dialect of the recording.
            target: The dialect that it is converted to.
            frames: The number of frames of the recording.
        """
        losses = []
        for (kind, name, fields), (count, first) in self.counts.items():
            # Packets after the last frame are plural with it.
            index = None
            if frames:
                index = min(first, frames - 1)
            message = _message(kind, name, count, fields, source=source, target=target)
            losses.append(Loss(kind, name, count, index, message, fields))
        losses.sort(key=_order)
        return tuple(losses)


def _order(loss: Loss) -> tuple[bool, int, str, str, tuple[str, ...]]:
    """Losses come before changes, then the first frame decides."""
    return not loss.is_lossy, loss.frame_index or 0, loss.kind, loss.name, loss.fields


@dataclass(frozen=True)
class Notes:
    """A tally for some frames.

    Attributes:
        tally: Counts the losses.
        frames: Indices of the frames, int64[n].
    """

    tally: Tally
    frames: IntArray

    def add(
        self, kind: Kind, name: str, counts: npt.NDArray[np.integer | np.bool_], fields: tuple[str, ...] = ()
    ) -> None:
        """Count losses in the frames.

        Args:
            kind: Their kind.
            name: The name of the packet.
            counts: How many there are in each of the frames, shape (n,).
            fields: Paths of the fields that they are about.
        """
        rows = np.flatnonzero(counts)
        if not len(rows):
            return
        key = (kind, name, fields)
        first_here = int(self.frames[rows[0]])
        count, first = self.tally.counts.get(key, (0, first_here))
        count += int(counts.sum(dtype=np.int64))
        self.tally.counts[key] = (count, min(first, first_here))


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


def _message(kind: Kind, name: str, count: int, fields: tuple[str, ...], *, source: Dialect, target: Dialect) -> str:
    packet = source.by_name(name)
    key: str = kind
    if kind in ("packet", "always-empty", "engine") and packet is not None and packet.body == "list":
        key = f"{kind}-records"
    return say(LOSSES[key], count=count, packet=name, fields=listed(fields), source=source.name, target=target.name)


def is_lossy(losses: Iterable[Loss]) -> bool:
    """Whether any of them is more than a change without loss."""
    return any(loss.is_lossy for loss in losses)


SENSOR = "Sensor"
SIGN = "TrafficSign"


@dataclass(frozen=True, eq=False)
class AttributeTypes:
    """The new numbers of attribute types.

    Attributes:
        table: New numbers by number in the source, uint8[256].
        strange: Whether the target has no such type, bool[256].
    """

    table: ByteArray
    strange: BoolArray


@dataclass(frozen=True, eq=False)
class ActorTypes:
    """The new numbers of actor classes.

    Attributes:
        table: New numbers by number in the source, uint8[256].
        lost: Classes that the target lacks and that become Other, by number in the source.
        gained: Numbers in the target of classes that are Other in the source.
    """

    table: ByteArray
    lost: Mapping[int, str]
    gained: Mapping[str, int]


def attribute_types(source: Dialect, target: Dialect) -> AttributeTypes | None:
    """Return the new numbers of attribute types; None if they are equal."""
    names = _attribute_names(source)
    target_numbers = _numbers(_attribute_names(target))
    text = target_numbers["String"]
    shift = text - _numbers(names)["String"]
    table = np.zeros(256, np.uint8)
    strange = np.zeros(256, np.bool_)
    for number in range(256):
        new: int | None = number + shift  # a number without a name is shifted as the others
        if number in names:
            new = target_numbers.get(names[number])
        if new is None or not 0 <= new <= 255:
            strange[number] = True
            table[number] = text
        else:
            table[number] = new
    if not strange.any() and (table == np.arange(256)).all():
        return None
    return AttributeTypes(table, strange)


def _numbers(choices: Mapping[int, str]) -> dict[str, int]:
    """Numbers of a field by their names."""
    return {name: number for number, name in choices.items()}


def actor_types(source: Dialect, target: Dialect) -> ActorTypes | None:
    """Return the new numbers of actor classes; None if they are equal."""
    source_names = _actor_names(source)
    target_names = _actor_names(target)
    if source_names == target_names:
        return None
    if not (_is_sure(source_names) or _is_sure(target_names)):
        return None
    target_numbers = _numbers(target_names)
    table = np.arange(256, dtype=np.uint8)
    lost: dict[int, str] = {}
    for number, name in source_names.items():
        if name in target_numbers:
            table[number] = target_numbers[name]
        elif not (_is_sign(name) and _is_sign(target_names.get(number, ""))):
            table[number] = 0
            lost[number] = name
    gained = {}
    for name in (SENSOR, SIGN):
        is_known = any(source_name.startswith(name) for source_name in source_names.values())
        if name in target_numbers and not is_known:
            gained[name] = target_numbers[name]
    return ActorTypes(table, lost, gained)


def _is_sign(name: str) -> bool:
    return name.startswith(SIGN)


def _is_sure(choices: Mapping[int, str]) -> bool:
    """Whether a number means sensors or signs in all releases of the dialect.

    Up to 0.9.9.4 it is unknown in which releases 4 is a sign: the name of such a number is in brackets.
    """
    sure = [name for name in choices.values() if "(" not in name]
    return any(name == SENSOR or _is_sign(name) for name in sure)


def attributes_apart(mine: Dialect, theirs: Dialect) -> str:
    """Return why recordings of one dialect cannot be joined: a sentence, or empty if attribute types are equal."""
    if mine.name != theirs.name or attribute_types(theirs, mine) is None:
        return ""
    if mine.header_version == 2:
        odd = 0
    else:
        odd = 1
    return say(
        "Both recordings are of {title}, but number the types of attributes "
        "differently. Convert the one that counts them from {odd} first, as in "
        "recorder-editor convert IN OUT --write-as {name}",
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

    Attributes:
        kind: Its type in the source.
        number: Its id in the target; None: it is left out.
        target: Its type in the target if the body is rewritten; None: the body stays.
        reason: Why it is left out; with an id only its records are, and it stays as an empty packet. None: it is not.
    """

    kind: PacketType
    number: int | None
    target: PacketType | None = None
    reason: Kind | None = None


class PacketMap:
    """The packet map from one dialect to another.

    Attributes:
        source: The dialect that is converted.
        target: The dialect that it becomes.
        attribute_types: New numbers of attribute types; None: equal.
        actor_types: New numbers of actor classes; None: equal.
        carried: Unknown packets that were kept, by id.
    """

    def __init__(self, source: Dialect, target: Dialect) -> None:
        self.source = source
        self.target = target
        self.attribute_types: AttributeTypes | None = attribute_types(source, target)
        self.actor_types: ActorTypes | None = actor_types(source, target)
        self.carried: dict[int, PacketType] = {}
        self._mappings: dict[int, PacketMapping] = {}
        self._ranks = {number: rank for rank, number in enumerate(target.order)}
        self._empty: list[PacketType] = []  # written by every recorder of the target, unknown in the source
        for kind in target.kinds():
            is_always_written = kind.body == "list" and kind.presence == "always"
            if is_always_written and source.by_name(kind.name) is None:
                self._empty.append(kind)

    def mapping(self, number: int) -> PacketMapping:
        """Return the conversion of packets of an id."""
        if number not in self._mappings:
            self._mappings[number] = self._decide(number)
        return self._mappings[number]

    def source_type(self, number: int) -> PacketType:
        """Return the type of packets of an id if their bodies are rewritten, else an opaque type."""
        mapping = self.mapping(number)
        if mapping.target is not None:
            return mapping.kind
        return _closed(number)

    def changes(self, layout: Layout, *, whole: bool) -> bool:
        """Whether frames of a layout change.

        Args:
            layout: Their layout.
            whole: They reach from FrameStart to FrameEnd.
        """
        is_changed = False
        for number, _, size in layout.packets():
            mapping = self.mapping(number)  # decided for every packet: it collects those that are carried
            is_rewritten = mapping.target is not None or mapping.reason is not None
            # Without records (2 bytes) there is nothing to rewrite.
            if mapping.number != number or (is_rewritten and size != 2):
                is_changed = True
        return is_changed or (whole and bool(self.added(layout)))

    def added(self, layout: Layout) -> dict[int, list[bytes]]:
        """Return headers of empty packets that the target's recorder writes in every frame.

        Returns:
            Headers by the index of the packet that they precede; empty for frames without the packets of every
            recorder, which other programs wrote.
        """
        numbers = layout.ids.tolist()
        if not self._empty or not _OF_EVERY_RELEASE.issubset(numbers) or numbers[-1] != _FRAME_END:
            return {}
        ranks = []
        has_additional = False
        for number in numbers:
            mapping = self.mapping(number)
            has_additional |= mapping.kind.additional
            if mapping.number is None:
                ranks.append(-1)
            else:
                ranks.append(self._ranks.get(mapping.number, -1))
        by_index: dict[int, list[bytes]] = {}
        for kind in self._empty:
            if has_additional or not kind.additional:
                index = next(index for index, rank in enumerate(ranks) if rank > self._ranks[kind.id])
                by_index.setdefault(index, []).append(PACKET_HEADER.pack(kind.id, 2))
        return by_index

    def dialect(self) -> Dialect:
        """Return the target dialect, with the unknown packets that were kept."""
        added = {}
        for number, kind in self.carried.items():
            if number in self.source.packets:
                added[number] = kind
        if added:
            return replace(self.target, packets=dict(self.target.packets) | added)
        return self.target

    def _decide(self, number: int) -> PacketMapping:
        kind = self.source.packet(number)
        if kind.body == "opaque" and kind.rank < 0:
            return self._carry(number, kind)
        target = self.target.by_name(kind.name)
        if target is None:
            return PacketMapping(kind, None, reason="packet")
        if target.always_empty and not kind.always_empty:
            return PacketMapping(kind, target.id, reason="always-empty")
        if kind.by_engine and self.source.engine != self.target.engine:
            return PacketMapping(kind, None, reason="engine")
        has_new_numbers = self.attribute_types is not None or self.actor_types is not None
        if kind.name == "EventAdd" and has_new_numbers:
            return PacketMapping(kind, target.id, target)
        if _layout(kind.record) != _layout(target.record):
            return PacketMapping(kind, target.id, target)
        return PacketMapping(kind, target.id)

    def _carry(self, number: int, kind: PacketType) -> PacketMapping:
        """Keep a packet that the source does not know, unless the target uses its id for another one."""
        target = self.target.packets.get(number)
        # Id 18 is the frame counter between servers, which no recording holds (reference 3.2).
        is_free = target is None or target.body == "opaque" or target.presence == "never"
        if not is_free:
            return PacketMapping(kind, None, reason="id")
        if target is None or target.name != kind.name:
            self.carried[number] = kind
        return PacketMapping(kind, number)


@cache
def _closed(number: int) -> PacketType:
    return PacketType(number, f"Packet {number}", "opaque", EMPTY, "")


def _layout(struct: Struct) -> list[object]:
    """Paths and types of the members of a struct."""
    layout: list[object] = []
    for member in struct.members:
        if isinstance(member, Array):
            layout.append((member.path, _layout(member.element)))
        else:
            layout.append((member.path, member.type))
    return layout
