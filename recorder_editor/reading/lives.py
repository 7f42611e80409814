"""Lives: actors from their EventAdd to their EventDel.

A life is identified by (id, frame of its EventAdd), because ids are used again. `Lifetimes` reads the packets of
events in file order, as the simulator's replayer does.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..recording.place import RecordPlace
from .event_index import ActorClass, Added, Attribute, EventPacket, EventRow, Transform

SPECTATOR_ID = 1
"""The id that simulators take for their spectator's: from 0.9.15 on a replay does not move it (reference 6.4)."""


class Attachment(NamedTuple):
    """One record of EventParent.

    Attributes:
        frame_index: Its frame.
        child: The id of the actor that is attached.
        parent: The id of the actor that it is attached to.
        child_life: The index of the child's life; None if no actor of the id is alive.
        parent_life: The index of the parent's life, likewise.
        place: Where the record is.
    """

    frame_index: int
    child: int
    parent: int
    child_life: int | None
    parent_life: int | None
    place: RecordPlace


class Box(NamedTuple):
    """A BoundingBox (in the actor's axes) or TriggerVolume (world). NaN is normal data.

    Attributes:
        origin: The centre, cm.
        extent: Half the size, cm.
        place: Where the record is.
    """

    origin: tuple[float, float, float]
    extent: tuple[float, float, float]
    place: RecordPlace


@dataclass(frozen=True, slots=True)
class Life:
    """An actor from its EventAdd to its EventDel. A packet between frames counts for the frame after it.

    Attributes:
        index: Its number among all lives, in order of birth.
        actor: The id.
        born: The frame index of the EventAdd.
        gone: The first frame index in which it is not alive: that of its EventDel, or of another EventAdd of its id;
            None: it lives to the end.
        type: The code of its type as stored.
        class_: Its class.
        blueprint: Its blueprint.
        uid: The uid of its EventAdd.
        attributes: The attributes of its EventAdd.
        role_name: Its role name, empty without one.
        colour: Its own colour as red, green, blue, 0 to 255, or None.
        transform: The pose of its EventAdd, cm and degrees.
        added: Where that EventAdd is.
        deleted: Where its EventDel is; None without one.
        parent: The index of the life it was attached to last, or None.
    """

    index: int
    actor: int
    born: int
    gone: int | None
    type: int
    class_: ActorClass
    blueprint: str
    uid: int
    attributes: tuple[Attribute, ...]
    role_name: str
    colour: tuple[int, int, int] | None
    transform: Transform
    added: RecordPlace
    deleted: RecordPlace | None
    parent: int | None

    def __repr__(self) -> str:
        parts = [self.blueprint, self.role_name, f"born={self.born}", f"gone={self.gone}", f"parent={self.parent}"]
        return f"<Life {self.actor} {' '.join(filter(None, parts))}>"

    @property
    def events(self) -> tuple[RecordPlace, ...]:
        """The places of its EventAdd and its EventDel."""
        if self.deleted is None:
            return (self.added,)
        return (self.added, self.deleted)

    @property
    def is_hero(self) -> bool:
        """Whether its role name is `hero`."""
        return self.role_name == "hero"

    @property
    def is_road_user(self) -> bool:
        """Whether it is a vehicle, a two-wheeler or a walker."""
        return self.class_ in ("vehicle", "two-wheeler", "walker")

    @property
    def is_traffic(self) -> bool:
        """Whether it is a traffic light or sign, which the simulator finds by its place (format reference 6.4)."""
        return self.blueprint.startswith("traffic.")

    @property
    def is_of_the_map(self) -> bool:
        """Whether it belongs to the map or to the simulator itself, which creates none for a recording."""
        return self.is_traffic or self.is_spectator

    @property
    def is_spectator(self) -> bool:
        """Whether it is the simulator's own view."""
        return self.blueprint == "spectator"

    def is_alive(self, frame_index: int) -> bool:
        """Whether it is alive in a frame."""
        return self.born <= frame_index and (self.gone is None or frame_index < self.gone)

    def within(self, frames: range) -> range:
        """Return the part of a range of frames in which it is alive."""
        stop = frames.stop
        if self.gone is not None:
            stop = min(stop, self.gone)
        return range(max(frames.start, self.born), stop)

    def attribute(self, name: str) -> str | None:
        """Return the value of the last attribute of a name, or None."""
        for attribute in reversed(self.attributes):
            if attribute.id == name:
                return attribute.value
        return None


def short_blueprint(blueprint: str) -> str:
    """Return a blueprint without its class: `lincoln.mkz_2017`."""
    head, dot, rest = blueprint.partition(".")
    if dot and head in ("vehicle", "walker", "static", "sensor", "traffic", "controller"):
        return rest
    return blueprint


class Lifetimes:
    """The lives of a recording, from its event packets in file order.

    Attributes:
        lives: The lives, in order of birth.
        boxes: The last bounding boxes, by index of the life.
        triggers: The last trigger volumes, by index of the life.
        attachments: Every record of EventParent.
    """

    def __init__(self, frames: int, lines: Iterable[EventRow]) -> None:
        """Read the events.

        Args:
            frames: The number of frames.
            lines: The rows with events, in file order.
        """
        self.boxes: dict[int, Box] = {}
        self.triggers: dict[int, Box] = {}
        self.attachments: list[Attachment] = []
        self._last = max(0, frames - 1)
        self._born: list[tuple[Added, int, RecordPlace]] = []
        self._gone: dict[int, tuple[int, RecordPlace | None]] = {}
        self._parent: dict[int, int | None] = {}
        self._current: dict[int, int] = {}
        for line in lines:
            for event in line.packets:
                if event.kind == "EventAdd":
                    self._add(line, event)
                elif event.kind == "EventDel":
                    self._delete(line, event)
                elif event.kind == "EventParent":
                    self._attach(line, event)
                elif event.kind == "BoundingBox":
                    self._read_boxes(line, event, self.boxes)
                elif event.kind == "TriggerVolume":
                    self._read_boxes(line, event, self.triggers)
        self.lives = tuple(map(self._life, range(len(self._born))))

    def _life(self, index: int) -> Life:
        added, born, place = self._born[index]
        gone, deleted = self._gone.get(index, (None, None))
        description = added.description
        return Life(
            index=index,
            actor=added.actor,
            born=born,
            gone=gone,
            type=added.type,
            class_=description.class_,
            blueprint=description.blueprint,
            uid=added.uid,
            attributes=description.attributes,
            role_name=description.role_name,
            colour=description.colour,
            transform=added.transform,
            added=place,
            deleted=deleted,
            parent=self._parent.get(index),
        )

    def _add(self, line: EventRow, event: EventPacket) -> None:
        for ordinal, added in enumerate(event.added):
            before = self._current.get(added.actor)
            if before is not None:
                self._gone[before] = (line.frame, None)
            self._current[added.actor] = len(self._born)
            place = RecordPlace(line.row, event.packet, ordinal)
            self._born.append((added, min(line.frame, self._last), place))

    def _delete(self, line: EventRow, event: EventPacket) -> None:
        for ordinal, actor in enumerate(event.table["id"].tolist()):
            ended = self._current.pop(actor, None)
            if ended is not None:
                self._gone[ended] = (line.frame, RecordPlace(line.row, event.packet, ordinal))

    def _attach(self, line: EventRow, event: EventPacket) -> None:
        pairs = zip(event.table["child"].tolist(), event.table["parent"].tolist(), strict=True)
        for ordinal, (child, parent) in enumerate(pairs):
            child_life = self._current.get(child)
            parent_life = self._current.get(parent)
            if child_life is not None:
                self._parent[child_life] = parent_life
            place = RecordPlace(line.row, event.packet, ordinal)
            frame = min(line.frame, self._last)
            self.attachments.append(Attachment(frame, child, parent, child_life, parent_life, place))

    def _read_boxes(self, line: EventRow, event: EventPacket, boxes: dict[int, Box]) -> None:
        """Read a packet of boxes or of trigger volumes."""
        table = event.table
        ids = table["id"].tolist()
        centre = zip(table["origin.x"].tolist(), table["origin.y"].tolist(), table["origin.z"].tolist(), strict=True)
        half = zip(table["extent.x"].tolist(), table["extent.y"].tolist(), table["extent.z"].tolist(), strict=True)
        for ordinal, (actor, origin, extent) in enumerate(zip(ids, centre, half, strict=True)):
            index = self._current.get(actor)
            if index is not None:
                boxes[index] = Box(origin, extent, RecordPlace(line.row, event.packet, ordinal))
