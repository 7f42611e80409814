"""What becomes of each packet of a dialect in another one: kept, renumbered, written anew, left out, and what is added.

Packets are matched by name, so that 21 to 24 are renumbered by meaning (format reference 3.3). Packets of nobody's
table are carried under their own id unless the target means something else by it.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ...format.codec import PACKET_HEADER
from ...format.dialects import Dialect
from ...format.schema import EMPTY, Array, PacketType, Struct
from ...recording.frames import Layout
from .losses import Kind
from .numbering import ActorTypes, AttributeTypes, actor_types, attribute_types

_OF_EVERY_RELEASE = frozenset(range(2, 8))  # what every recorder writes in every frame, empty or not
_FRAME_END = 1


@dataclass(frozen=True, eq=False)
class PacketMapping:
    """What becomes of a packet.

    Attributes: `kind` (as the source reads it), `number` (its id in the target, None: left out), `target` (as the
    target reads it, where the body is written anew), `reason` (why it is left out).
    """

    kind: PacketType
    number: int | None
    target: PacketType | None = None
    reason: Kind | None = None


class PacketMap:
    """From one dialect to another.

    Attributes: `source`, `target`, `attribute_types` and `actor_types` (None: numbered alike), `carried` (packets of
    nobody's table that were met, by id).
    """

    def __init__(self, source: Dialect, target: Dialect) -> None:
        self.source, self.target = source, target
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
        """What becomes of packets of that id."""
        found = self._mappings.get(number)
        if found is None:
            found = self._mappings[number] = self._decide(number)
        return found

    def source_type(self, number: int) -> PacketType:
        """The type of a packet whose body is written anew; for all others one without records."""
        mapping = self.mapping(number)
        return mapping.kind if mapping.target is not None else _closed(number)

    def changes(self, layout: Layout, *, whole: bool) -> bool:
        """Frames of that layout (`whole`: from FrameStart to FrameEnd) do not stay as they are."""
        numbers = layout.ids.tolist()
        mappings = [
            (number, self.mapping(number), size) for number, size in zip(numbers, layout.sizes.tolist(), strict=True)
        ]
        touched = any(
            mapping.number != number or (mapping.target is not None and size != 2) for number, mapping, size in mappings
        )
        return touched or (whole and bool(self.added(layout)))

    def added(self, layout: Layout) -> dict[int, list[bytes]]:
        """Empty packets that the target's recorder writes in every frame, by the index of the packet they precede.

        None for frames that lack what every recorder writes: they are somebody else's.
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
        """The target, with the packets that are carried as they are."""
        strange = {number: kind for number, kind in self.carried.items() if number in self.source.packets}
        return replace(self.target, packets={**self.target.packets, **strange}) if strange else self.target

    def _decide(self, number: int) -> PacketMapping:
        kind = self.source.packet(number)
        if kind.body == "opaque" and kind.rank < 0:
            return self._carry(number, kind)
        found = self.target.by_name(kind.name)
        if found is None:
            return PacketMapping(kind, None, reason="packet")
        if "opaque" in (kind.body, found.body):
            same = kind.body == found.body
            return PacketMapping(kind, found.id if same else None, reason=None if same else "engine")
        renumbered = kind.name == "EventAdd" and (self.attribute_types is not None or self.actor_types is not None)
        other = renumbered or _layout(kind.record) != _layout(found.record)
        return PacketMapping(kind, found.id, found if other else None)

    def _carry(self, number: int, kind: PacketType) -> PacketMapping:
        there = self.target.packets.get(number)
        # Id 18 is the frame counter between servers, which no recording ever holds (reference 3.2).
        if there is None or there.body == "opaque" or there.presence == "never":
            if there is None or there.name != kind.name:
                self.carried[number] = kind
            return PacketMapping(kind, number)
        return PacketMapping(kind, None, reason="id")


@cache
def _closed(number: int) -> PacketType:
    return PacketType(number, f"Packet {number}", "opaque", EMPTY, "Bytes that are only moved")


def _layout(struct: Struct) -> list[Any]:
    """Paths and types of the members of a struct."""
    return [(each.path, _layout(each.element) if isinstance(each, Array) else each.type) for each in struct.members]
