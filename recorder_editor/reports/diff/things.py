"""What differs between two recordings, by things: actors, frames, what else a packet tells, the file header.

They are collected in the pass of `compare`, and their number does not depend on the number of differences.
"""

import math
from array import array
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np

from ...edits.pairing import NO_FRAME, Alignment, frames_about, is_sound
from ...format import Body, PacketType
from ...reading import Actors
from ...recording import Frame, Packet, Snapshot
from .groups import MOST_SPANS, extend_spans
from .packets import Difference, is_ordered_otherwise

Kind = Literal["actor", "frames", "carried", "packet", "header", "order", "outside"]
Only = Literal["", "a", "b"]

MOST_THINGS = 20_000
"""Actors and packets."""


@dataclass(slots=True, eq=False)
class Thing:
    """One thing that differs.

    Attributes:
        kind: An actor; frames of one side; actors of one side that are in such frames only (`carried`); what a packet
            tells that is no actor's; the file header; the order of packets and records, in frames in which
            nothing else differs; bytes outside of frames.
        only: The side that alone has it; empty for both.
        ids: Ids of the actors.
        packet: The name of the packet.
        spans: The pairs of frames in which it differs, as rows of the alignment: start, stop, start, stop...
        frames: How many these are; of frames of one side, how many there are.
        first: Of frames of one side and of actors that come with them: index of the first frame.
        last: Index of the last one.
        moved: How far an actor is moved at most, cm; 0: it is not.
        turned: Its rotation differs.
        others: The names of the packets in which something else of it differs.
        time: Of frames of one side: the elapsed seconds of the first one.
    """

    kind: Kind
    only: Only = ""
    ids: tuple[int, ...] = ()
    packet: str = ""
    spans: "array[int]" = field(default_factory=lambda: array("q"))
    frames: int = 0
    first: int = 0
    last: int = 0
    moved: float = 0.0
    turned: bool = False
    others: set[str] = field(default_factory=set)
    time: float = 0.0

    @property
    def key(self) -> Hashable:
        """What identifies it in a later comparison, too, when frames may have other numbers."""
        return self.kind, self.ids, self.packet, self.time


class Things:
    """The actors and packets that differ while differences are added, pair by pair of frames.

    Attributes:
        unlisted: The ids of further actors that differ, where there are more than `MOST_THINGS`.
    """

    def __init__(self, a: Snapshot, b: Snapshot, alignment: Alignment) -> None:
        """Begin with no differences of two states."""
        self._a = a
        self._b = b
        self._pairs = alignment.pairs
        self._ids_a = frozenset(Actors.of(a).ids)
        self._ids_b = frozenset(Actors.of(b).ids)
        self.unlisted: set[int] = set()
        self._actors: dict[int, Thing] = {}
        self._packets: dict[str, Thing] = {}
        self._order = Thing("order")
        self._spans = 0
        self._row = -1
        self._shifts: dict[int, float] = {}

    def add(self, difference: Difference, row: int, frame_a: Frame, frame_b: Frame) -> None:
        """Add a difference of a row of the alignment, not before the last one.

        Args:
            difference: The difference.
            row: The row.
            frame_a: The frame of the first state.
            frame_b: The frame of the second state.
        """
        if row != self._row:
            self._measure_shifts()
            self._row = row
        bodies = _bodies_of(difference, frame_a, frame_b)
        kind = bodies[0][0].type
        ids = self._ids_of(difference, kind, bodies)
        if not ids:
            self._extend(self._thing_of_packet(difference.packet), row)
        for actor in ids:
            thing = self._thing_of_actor(actor)
            self._extend(thing, row)
            if thing is not None:
                self._describe(thing, difference, kind)

    def add_order(self, row: int, frame_a: Frame, frame_b: Frame) -> None:
        """Add a pair of frames without a difference, if packets or records are in another order.

        Args:
            row: The row of the alignment, not before the last one.
            frame_a: The frame of the first state.
            frame_b: The frame of the second state.
        """
        if is_ordered_otherwise(frame_a, frame_b):
            self._extend(self._order, row)

    def _ids_of(self, difference: Difference, kind: PacketType, bodies: "_Bodies") -> set[int]:
        """Return the actors that a difference is of; none for one that is of its packet."""
        if kind.actor_field is not None:
            if difference.level in ("record", "field") and difference.id is not None:
                return {difference.id}
            if difference.level == "packet" and is_sound(bodies[0][0]):
                return set(bodies[0][0].actors)
            return set()
        ids: set[int] = set()
        if kind.keyed == "actors" and difference.level in ("record", "packet"):
            for body, records in bodies:
                for index in records:
                    ids |= self._only_of(body.raw(index), kind.actor_offsets)
        return ids

    def _only_of(self, record: bytes, offsets: tuple[int, ...]) -> set[int]:
        """Return those actors of a record that one side alone has."""
        actors = {int.from_bytes(record[start : start + 4], "little") for start in offsets}
        return {actor for actor in actors if (actor in self._ids_a) != (actor in self._ids_b)}

    def _describe(self, thing: Thing, difference: Difference, kind: PacketType) -> None:
        """Note what differs of an actor: where it is, how it is turned, or something else."""
        world = None
        if kind.motion and difference.field is not None:
            world = difference.field.world
        if world == "place":
            change = difference.change
            if change is not None and math.isfinite(change):
                actor = thing.ids[0]
                self._shifts[actor] = self._shifts.get(actor, 0.0) + change * change
        elif world == "rotation":
            thing.turned = True
        else:
            thing.others.add(difference.packet)

    def _measure_shifts(self) -> None:
        """Keep how far the actors of the last row are moved."""
        for actor, square in self._shifts.items():
            thing = self._actors[actor]
            thing.moved = max(thing.moved, math.sqrt(square))
        self._shifts.clear()

    def _thing_of_actor(self, actor: int) -> Thing | None:
        thing = self._actors.get(actor)
        if thing is not None:
            return thing
        if len(self._actors) >= MOST_THINGS:
            self.unlisted.add(actor)
            return None
        thing = Thing("actor", self._only(actor), ids=(actor,))
        self._actors[actor] = thing
        return thing

    def _thing_of_packet(self, name: str) -> Thing | None:
        thing = self._packets.get(name)
        if thing is None and len(self._packets) < MOST_THINGS:
            thing = Thing("packet", packet=name)
            self._packets[name] = thing
        return thing

    def _only(self, actor: int) -> Only:
        """Return the side that alone has an actor; empty for both, and for an id without an EventAdd."""
        if actor in self._ids_a and actor not in self._ids_b:
            return "a"
        if actor in self._ids_b and actor not in self._ids_a:
            return "b"
        return ""

    def _extend(self, thing: Thing | None, row: int) -> None:
        if thing is None:
            return
        before = len(thing.spans)
        if extend_spans(thing.spans, row, self._spans < MOST_SPANS):
            thing.frames += 1
        if len(thing.spans) > before:
            self._spans += 1

    def finish(self, *, header: bool, outside: bool) -> tuple[Thing, ...]:
        """Return the things: actors of one side, other actors, frames, the header, packets, and what else is not equal.

        Args:
            header: The file header differs.
            outside: Bytes outside of frames differ.
        """
        self._measure_shifts()
        alone: list[Thing] = []
        shared: list[Thing] = []
        for thing in self._actors.values():
            if thing.only:
                alone.append(thing)
            else:
                shared.append(thing)
        alone.sort(key=lambda thing: (thing.only != "b", -thing.frames, thing.ids))
        shared.sort(key=lambda thing: (-thing.moved, -thing.frames, thing.ids))
        packets = sorted(self._packets.values(), key=lambda thing: -thing.frames)
        things = [*alone, *shared, *self._frames_of_one_side()]
        if header:
            things.append(Thing("header"))
        things.extend(packets)
        if self._order.frames:
            things.append(self._order)
        things.extend(self._carried())
        if outside:
            things.append(Thing("outside"))
        return tuple(things)

    def _frames_of_one_side(self) -> Iterator[Thing]:
        """Yield the runs of frames that one side alone has."""
        sides = np.zeros(len(self._pairs), np.int64)
        sides[self._pairs[:, 1] == NO_FRAME] = 1
        sides[self._pairs[:, 0] == NO_FRAME] = 2
        bounds = np.flatnonzero(np.diff(sides, prepend=-1, append=-1)).tolist()
        for start, stop in pairwise(bounds):
            if not sides[start]:
                continue
            side = int(sides[start]) - 1
            only: Only = "b" if side else "a"
            first = int(self._pairs[start, side])
            last = int(self._pairs[stop - 1, side])
            snapshot = self._b if side else self._a
            yield Thing(
                "frames",
                only,
                frames=stop - start,
                first=first,
                last=last,
                spans=array("q", (start, stop)),
                time=float(snapshot.elapsed[first]),
            )

    def _carried(self) -> Iterator[Thing]:
        """Yield the actors of one side that are in frames of that side only, those of the same frames together."""
        together: dict[tuple[Only, int, int], list[int]] = {}
        sides: tuple[tuple[Only, Snapshot, int], ...] = (("b", self._b, 1), ("a", self._a, 0))
        is_paired = (self._pairs != NO_FRAME).all(axis=1)
        for only, snapshot, side in sides:
            alone = set(self._pairs[~is_paired, side].tolist())
            for life in Actors.of(snapshot):
                is_other = life.actor not in self._actors and life.actor not in self.unlisted
                if is_other and self._only(life.actor) == only and life.born in alone:
                    first, last = frames_about(self._pairs, life.born, there=side == 1)
                    together.setdefault((only, first, last), []).append(life.actor)
        for (only, first, last), ids in together.items():
            yield Thing("carried", only, ids=tuple(dict.fromkeys(ids)), first=first, last=last)


_Bodies = list[tuple[Body, list[int]]]
"""Bodies of the packets of a difference, each with the records that it is of."""


def _bodies_of(difference: Difference, frame_a: Frame, frame_b: Frame) -> _Bodies:
    """Return the bodies of the packets of a difference; of a packet of one side only that one."""
    bodies: _Bodies = []
    for packet_index, frame, record in (
        (difference.packet_a, frame_a, difference.record_a),
        (difference.packet_b, frame_b, difference.record_b),
    ):
        if packet_index is not None:
            packet = frame.packets[packet_index]
            bodies.append((packet.decoded, _records_of(packet, difference, record)))
    return bodies


def _records_of(packet: Packet, difference: Difference, record: int | None) -> list[int]:
    """Return the records of a packet that a difference is of."""
    if difference.level == "packet" and is_sound(packet.decoded):
        return list(range(len(packet.decoded)))
    if record is None:
        return []
    return [record]
