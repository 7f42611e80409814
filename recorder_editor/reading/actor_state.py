"""Values for the world at a frame: actors, poses, and the lasting records in force, as bytes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..format import PacketType
from .event_index import Transform
from .lives import Life
from .rigid import Pose

ALL_DOORS = 6
_DOORS = "VehicleDoor"

PoseKind = Literal["position", "birth", "attached"]


@dataclass(frozen=True, slots=True)
class ActorState:
    """An actor in the world at a frame.

    Attributes:
        life: Its life.
        pose: Location and rotation as stored: 24 bytes, 48 in UE5.
        spawn: The same of the EventAdd for creating it in this frame, before its EventParent: the original one of a
            traffic actor; the offset from the parent if EventAdds hold offsets; else the pose.
        pose_source: What the pose is taken from: its Position, in this frame or the last one with it; its EventAdd; its
            parent since it was attached.
        parent: The living actor to which it is attached, or None.
        lasting: By packet, the records in force: the last one of each key.
    """

    life: Life
    pose: bytes = field(repr=False)
    spawn: bytes = field(repr=False)
    pose_source: PoseKind
    parent: Life | None
    lasting: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict, repr=False)

    @property
    def transform(self) -> Transform:
        """The pose as numbers, cm and degrees."""
        return Transform(*numbers_of(self.pose).tolist())

    def records(self, packet: str) -> tuple[bytes, ...]:
        """Return the lasting records of a packet for this actor."""
        return self.lasting.get(packet, ())

    def records_of_new(self, packet: str) -> tuple[bytes, ...]:
        """Return the lasting records of a packet for an actor that is created now, with all doors shut.

        Args:
            packet: The name of the packet.
        """
        records = self.records(packet)
        if packet != _DOORS:
            return records
        are_all_open = bool(records) and records[0][4] == ALL_DOORS and bool(records[0][5])
        if are_all_open:
            return records
        return tuple(record for record in records if record[5])


@dataclass(frozen=True, slots=True)
class World:
    """The world at a frame.

    Attributes:
        frame_index: The frame.
        actors: The living actors, in order of birth.
        lasting: By packet, the records of no actor: the last one of each key, in the order of their first appearance.
    """

    frame_index: int
    actors: tuple[ActorState, ...] = field(repr=False)
    lasting: Mapping[str, Mapping[bytes, bytes]] = field(repr=False)

    def state_of(self, actor: int) -> ActorState | None:
        """Return the living actor of an id, or None."""
        for state in self.actors:
            if state.life.actor == actor:
                return state
        return None

    def records(self, packet: str) -> Mapping[bytes, bytes]:
        """Return the lasting records of a packet, by key."""
        return self.lasting.get(packet, {})

    @property
    def weather(self) -> bytes | None:
        """The weather record, or None."""
        return self.records("Weather").get(b"")

    @property
    def parents(self) -> tuple[tuple[Life, Life], ...]:
        """(child, parent) of all attachments."""
        return tuple((state.life, state.parent) for state in self.actors if state.parent is not None)


def numbers_of(pose: bytes) -> Pose:
    """Return a stored location and rotation (24 or 48 bytes) as numbers, float64[6]."""
    dtype = "<f4" if len(pose) == 24 else "<f8"
    with np.errstate(invalid="ignore"):
        return np.frombuffer(pose, dtype).astype(np.float64)


def last_records(kind: PacketType, records: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the records in force among those of one actor.

    Args:
        kind: The packet type.
        records: The records in file order.

    Returns:
        The last record of each key; one for every key replaces all before it.
    """
    by_key: dict[bytes, bytes] = {}
    for record in records:
        key = kind.key_of(record)
        if key == kind.every_key(record):
            by_key.clear()
        by_key.pop(key, None)
        by_key[key] = record
    return tuple(by_key.values())
