"""The packet map of a conversion: packets that are kept, renumbered, rewritten, left out and added.

Packets are matched by name, so that 21 to 24 are renumbered by meaning (format reference 3.3). Unknown packets keep
their id unless the target uses it for another packet.
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

_OF_EVERY_RELEASE = frozenset(range(2, 8))  # packets that all recorders write in every frame
_FRAME_END = 1


@dataclass(frozen=True, eq=False)
class PacketMapping:
    """The conversion of one packet.

    Attributes: `kind` (type in the source), `number` (id in the target; None: left out), `target` (type in the target
    if the body is rewritten), `reason` (why it is left out).
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
        """The conversion of packets of an id."""
        found = self._mappings.get(number)
        if found is None:
            found = self._mappings[number] = self._decide(number)
        return found

    def source_type(self, number: int) -> PacketType:
        """The type of a packet whose body is rewritten; for others an opaque type."""
        mapping = self.mapping(number)
        return mapping.kind if mapping.target is not None else _closed(number)

    def changes(self, layout: Layout, *, whole: bool) -> bool:
        """Whether frames of a layout change; `whole`: they reach from FrameStart to FrameEnd."""
        mappings = [(number, self.mapping(number), size) for number, _, size in layout.packets()]
        touched = any(
            mapping.number != number or (mapping.target is not None and size != 2) for number, mapping, size in mappings
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
        # Id 18 is the frame counter between servers, which no recording holds (reference 3.2).
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
