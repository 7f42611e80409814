"""The world of a recording the slow way: every packet from the first on, frame by frame, to compare with.

Uses the packets and records of the library, nothing of its actors.
"""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from recorder_editor.recording.snapshot import Frame, Packet, Snapshot

Matrix = npt.NDArray[np.float64]
Place = tuple[int, int, int]
OWN = ("BoundingBox", "TriggerVolume", "PhysicsControl", "TrafficLightTime")
ALL = 6


class View(NamedTuple):
    """One who is there: by whom (place of the EventAdd), where, since what, on whom, and its last records."""

    place: Place
    matrix: Matrix
    exact: bytes | None  # None: carried, so that only the matrix says where
    how: str
    spawn: "Where"
    parent: Place | None
    records: dict[str, bytes]
    doors: tuple[bytes, ...]  # all that it ever had


class WorldView(NamedTuple):
    actors: list[View]
    lamps: dict[int, bytes]
    weather: bytes | None


@dataclass(eq=False)
class Tie:
    parent: "Being"
    parents_then: "Where"
    own_then: "Where"


class Where(NamedTuple):
    matrix: Matrix
    exact: bytes | None
    how: str


@dataclass(eq=False)
class Being:
    actor: int
    place: Place
    blueprint: str
    where: Where
    birth: "Where"
    last: "Where"  # where the last frame left it; its birth in the frame of that
    parent: "Being | None" = None
    offset: Where | None = None  # on its parent
    is_young_tie: bool = False  # attached in this frame
    is_deaf: bool = False  # attached at birth without a Position there: later ones count in their frames alone
    is_told: bool = False
    tie: Tie | None = None
    ride: Where | None = None
    records: dict[str, bytes] = field(default_factory=dict)
    doors: tuple[bytes, ...] = ()

    @property
    def is_traffic(self) -> bool:
        return self.blueprint.startswith("traffic.")


def matrix_of(pose: bytes) -> Matrix:
    """A pose as the matrix that takes the axes of its owner into the world."""
    x, y, z, roll, pitch, yaw = np.frombuffer(pose, "<f4" if len(pose) == 24 else "<f8").astype(np.float64).tolist()
    made = np.eye(4)
    made[:3, 3] = x, y, z
    for first, second, degrees in ((0, 1, yaw), (0, 2, pitch), (2, 1, roll)):
        turn = np.eye(4)
        turn[first, first] = turn[second, second] = math.cos(math.radians(degrees))
        turn[second, first] = math.sin(math.radians(degrees))
        turn[first, second] = -turn[second, first]
        made = made @ turn
    return made


def records_of(packet: Packet) -> list[bytes]:
    body = packet.decoded
    return [packet.body[slice(*body.span(index))] for index in range(len(body))]


class SlowWorld:
    """Goes through a snapshot once; `views` gives (frame, with its own events, without) of those asked for."""

    def __init__(self, snapshot: Snapshot, offsets: bool | None = None) -> None:
        self.snapshot = snapshot
        self.lengths: list[tuple[float, float]] = []  # of births, as offsets from the parent and in the world
        self.young: list[Being] = []  # born in this frame
        self.here: dict[int, Being] = {}
        self.lamps: dict[int, bytes] = {}
        self.weather: bytes | None = None
        self.late: list[Being] = []  # attached by what stands between frames
        self.pose_size = 48 if snapshot.dialect.wide else 24
        self.real = "<f8" if snapshot.dialect.wide else "<f4"
        self.offsets = are_offsets(snapshot) if offsets is None else offsets

    def views(self, wanted: Collection[int]) -> Iterator[tuple[int, WorldView, WorldView]]:
        for number in range(self.snapshot.rows):
            row = self.snapshot.row(number)
            asked = isinstance(row, Frame) and row.index in wanted
            before = self.state() if asked else None
            tied: list[Being] = []
            for packet in row.packets:
                self.hear(number, packet, tied)
            if not isinstance(row, Frame):
                self.late += tied
                continue
            self.settle(row, [*self.late, *tied])
            self.late = []
            if before is not None:
                yield row.index, self.seen(self.state()), self.seen(before)

    # --- packets ----------------------------------------------------------------------------------------

    def hear(self, row: int, packet: Packet, tied: list[Being]) -> None:
        for ordinal, record in enumerate(records_of(packet)):
            number = int.from_bytes(record[:4], "little")
            if packet.name == "EventAdd":
                birth = record[5 : 5 + self.pose_size]
                blueprint = str(packet.decoded.record(ordinal)["blueprint"])
                where = Where(matrix_of(birth), birth, "birth")
                # Again at the end: they are told of in order of birth.
                self.leave(number)
                self.here[number] = Being(number, (row, packet.index, ordinal), blueprint, where, where, where)
                self.young.append(self.here[number])
            elif packet.name == "EventDel":
                self.leave(number)
            elif packet.name == "EventParent":
                self.tie(self.here.get(number), self.here.get(int.from_bytes(record[4:], "little")), tied)
            elif packet.name == "SceneLight":
                self.lamps[number] = record
            elif packet.name == "Weather":
                self.weather = record
            elif packet.name == "VehicleDoor" and number in self.here:
                self.here[number].doors += (record,)
            elif packet.name in OWN and number in self.here:
                self.here[number].records[packet.name] = record

    def is_here(self, being: Being | None) -> bool:
        return being is not None and self.here.get(being.actor) is being

    def tie(self, child: Being | None, parent: Being | None, tied: list[Being]) -> None:
        if child is None or parent is None or child.parent is parent:
            return
        above: Being | None = parent
        while above is not None and self.is_here(above):
            if above is child:
                return
            above = above.parent
        if self.offsets:
            self.set_offset(child)
        child.parent = parent
        child.is_young_tie = True
        tied.append(child)

    def set_offset(self, child: Being) -> None:
        """Its place on the parent before, or in the world, is that on the next parent."""
        keeps = child.is_young_tie or self.is_here(child.parent)
        if child.offset is None or not keeps:
            child.offset = child.where
        elif child.tie is not None and child.parent is not None:
            child.offset = Where(np.linalg.inv(child.parent.last.matrix) @ child.where.matrix, None, "")
        child.tie = None

    def leave(self, number: int) -> None:
        """Somebody goes; what is attached to it stays where it is.

        What was attached in this frame stays on the place that the last frame left to who goes: attachments of the
        latter in this frame do not count, as recorders write those of a frame after all that goes in it.
        """
        gone = self.here.pop(number, None)
        if gone is None:
            return
        for child in self.here.values():
            if child.parent is gone and child.offset is not None and not child.is_traffic:
                if child.is_young_tie:
                    child.where = self.on(gone.last, child.offset)
                child.where = child.where._replace(how="attached")
                child.ride = child.where

    def on(self, parent: Where, offset: Where) -> Where:
        at_zero = parent.exact is not None and not any(np.frombuffer(parent.exact, self.real))
        return Where(parent.matrix @ offset.matrix, offset.exact if at_zero else None, "attached")

    # --- where they are ---------------------------------------------------------------------------------

    def settle(self, frame: Frame, tied: list[Being]) -> None:
        """Move everybody to where this frame has them, then take up the attachments that it told of."""
        told: dict[int, bytes] = {}
        for packet in frame.packets:
            if packet.name == "Position":
                told.update((int.from_bytes(record[:4], "little"), record[4:]) for record in records_of(packet))
        mounted = [being for being in dict.fromkeys(tied) if self.may_ride(being, told)]
        for being in mounted:
            assert being.parent is not None
            if being.parent.actor in told and not being.parent.is_traffic:
                spawn, place = (coordinates(each) for each in (being.birth.exact, told[being.parent.actor]))
                if all(map(math.isfinite, (*spawn, *place))):
                    self.lengths.append((math.hypot(*spawn), math.dist(spawn, place)))
        for being in tied:
            being.is_deaf = being in self.young and being.actor not in told
        done: set[int] = set()
        for being in self.here.values():
            being.is_told = being.actor in told
            self.move(being, told, done)
        for being in self.here.values():
            being.is_young_tie = False
            being.last = being.where
        self.young = []
        for being in tied if not self.offsets else ():
            if being.parent is not None:
                being.tie = Tie(being.parent, being.parent.where, being.where)
                being.ride = being.where._replace(how="attached")

    def may_ride(self, being: Being, told: dict[int, bytes]) -> bool:
        """Born and attached in this frame, and not told of in it; both are still here."""
        both_here = self.is_here(being) and being.parent is not None and self.is_here(being.parent)
        return both_here and being in self.young and being.actor not in told and not being.is_traffic

    def move(self, being: Being, told: dict[int, bytes], done: set[int]) -> None:
        if id(being) in done:
            return
        done.add(id(being))
        tie = being.tie
        is_attached = self.is_here(being.parent)
        if is_attached and being.parent is not None:
            self.move(being.parent, told, done)
        if tie is not None and self.is_here(tie.parent):
            self.move(tie.parent, told, done)
            then, now, own = tie.parents_then, tie.parent.where, tie.own_then
            still = then.exact == now.exact if then.exact or now.exact else bool((then.matrix == now.matrix).all())
            matrix = now.matrix @ np.linalg.inv(then.matrix) @ own.matrix
            being.ride = own._replace(how="attached") if still else Where(matrix, None, "attached")
        elif is_attached and being.parent is not None and being.offset is not None:
            being.ride = self.on(being.parent.where, being.offset)
        if being.is_traffic:
            return
        if being.actor in told:
            being.where = Where(matrix_of(told[being.actor]), told[being.actor], "position")
            if self.offsets and not being.is_deaf:
                being.ride = being.where
                if is_attached and being.parent is not None:
                    being.tie = Tie(being.parent, being.parent.where, being.where)
        elif being.ride is not None:
            being.where = being.ride

    def spawn(self, being: Being) -> Where:
        """Where an EventAdd of this frame has to put it."""
        parent = being.parent
        if not self.offsets or parent is None or not self.is_here(parent) or being.is_told or being.is_traffic:
            return being.where
        if being.tie is None and being.offset is not None:
            return being.offset
        return Where(np.linalg.inv(parent.where.matrix) @ being.where.matrix, None, "")

    # --- telling ----------------------------------------------------------------------------------------

    def state(self) -> tuple[list[tuple[Being, Being | None, dict[str, bytes], tuple[bytes, ...]]], Any, bytes | None]:
        beings = [(being, being.parent, dict(being.records), being.doors) for being in self.here.values()]
        return beings, dict(self.lamps), self.weather

    def seen(self, state: Any) -> WorldView:
        """A state as it stands now: of those who are in it and still here, where they are now."""
        beings, lamps, weather = state
        there = {id(being) for being, *_ in beings if self.is_here(being)}
        return WorldView(
            [
                View(
                    being.place,
                    being.where.matrix,
                    being.where.exact,
                    being.where.how,
                    self.spawn(being),
                    parent.place if parent is not None and id(parent) in there else None,
                    records,
                    doors,
                )
                for being, parent, records, doors in beings
                if id(being) in there
            ],
            lamps,
            weather,
        )


def are_offsets(snapshot: Snapshot) -> bool:
    """Whether EventAdds of what is attached at birth tell offsets from the parents, as the simulator writes them."""
    first = SlowWorld(snapshot, offsets=False)
    for _ in first.views(()):
        pass
    offsets, places = (sum(sorted(each)) for each in zip(*first.lengths or [(0.0, 0.0)], strict=True))
    return bool(offsets <= places)


def coordinates(pose: bytes | None) -> list[float]:
    assert pose is not None
    found: list[float] = np.frombuffer(pose, "<f4" if len(pose) == 24 else "<f8")[:3].astype(np.float64).tolist()
    return found


def doors_open(records: tuple[bytes, ...]) -> tuple[bool, dict[int, bool]]:
    """What the records make of an actor whose doors are shut: of all doors not named, and of those named."""
    rest, named = False, dict[int, bool]()
    for record in records:
        if record[4] == ALL:
            rest, named = bool(record[5]), {}
        else:
            named[record[4]] = bool(record[5])
    return rest, {door: is_open for door, is_open in named.items() if is_open != rest}
