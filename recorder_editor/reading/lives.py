"""Lives: actors from their EventAdd to their EventDel.

A life is identified by (id, frame of its EventAdd), because ids are used again. `Lifetimes` reads the packets of
events in file order, as the simulator's replayer does.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from ..recording.place import RecordPlace
from .event_index import ActorClass, Added, Attribute, EventPacket, EventRow, Transform

SPECTATOR_ID = 1
"""The id that simulators take for their spectator's: from 0.9.15 on a replay does not move it (reference 6.4)."""


class Attachment(NamedTuple):
    """One record of EventParent; the lives are indices, None if no actor with the id is alive."""

    frame_index: int
    child: int
    parent: int
    child_life: int | None
    parent_life: int | None
    place: RecordPlace


class Box(NamedTuple):
    """A BoundingBox (in the actor's axes) or TriggerVolume (world): centre and half size, cm. NaN is normal data."""

    origin: tuple[float, float, float]
    extent: tuple[float, float, float]
    place: RecordPlace


@dataclass(frozen=True, slots=True)
class Life:
    """An actor from its EventAdd to its EventDel.

    Attributes: `index` (among all lives, in order of birth), `actor` (id), `born` (frame index of the EventAdd), `gone`
    (first frame index in which it is not alive: that of its EventDel, or of another EventAdd of its id; None: it lives
    to the end), `type` (code as stored), `class_`, `blueprint`, `uid`, `attributes`, `role_name` (empty without one),
    `colour` (red, green, blue, 0 to 255, or None), `transform` (of its EventAdd, cm and degrees), `added` (where that
    EventAdd is), `deleted` (where its EventDel is, None without one), `parent` (index of the life it was attached to
    last, or None).
    A packet between frames counts for the frame after it.
    """

    index: int
    actor: int
    born: int
    gone: int | None
    type: int
    class_: ActorClass
    blueprint: str
    uid: int
    attributes: tuple[Attribute, ...] = field(repr=False)
    role_name: str
    colour: tuple[int, int, int] | None
    transform: Transform
    added: RecordPlace
    deleted: RecordPlace | None
    parent: int | None

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
    def is_spectator(self) -> bool:
        """Whether it is the simulator's own view."""
        return self.blueprint == "spectator"

    def is_alive(self, frame_index: int) -> bool:
        """Whether it is alive in that frame."""
        return self.born <= frame_index and (self.gone is None or frame_index < self.gone)

    def within(self, frames: range) -> range:
        """The part of a range of frames in which it is alive."""
        return range(max(frames.start, self.born), frames.stop if self.gone is None else min(frames.stop, self.gone))

    def attribute(self, name: str) -> str | None:
        """The value of the last attribute of that name, or None."""
        return next((each.value for each in reversed(self.attributes) if each.id == name), None)


def short_blueprint(blueprint: str) -> str:
    """A blueprint without its class: `lincoln.mkz_2017`."""
    head, dot, rest = blueprint.partition(".")
    if dot and head in ("vehicle", "walker", "static", "sensor", "traffic", "controller"):
        return rest
    return blueprint


_BOX = ("id", *(f"{part}.{axis}" for part in ("origin", "extent") for axis in "xyz"))
"""The fields of a box or a trigger volume."""


class Lifetimes:
    """The lives of a recording, from its event packets in file order.

    `frames` is their number. Attributes: `lives`, `boxes` and `triggers` (the last ones,
    by index of the life), `attachments`.
    """

    def __init__(self, frames: int, lines: Iterable[EventRow]) -> None:
        self.boxes: dict[int, Box] = {}
        self.triggers: dict[int, Box] = {}
        self.attachments: list[Attachment] = []
        self._last = max(0, frames - 1)
        self._born: list[tuple[Added, int, RecordPlace]] = []
        self._gone: dict[int, tuple[int, RecordPlace | None]] = {}
        self._parent: dict[int, int | None] = {}
        self._current: dict[int, int] = {}
        readers: dict[str, Callable[[EventRow, EventPacket], None]] = {
            "EventAdd": self._add,
            "EventDel": self._delete,
            "EventParent": self._attach,
            "BoundingBox": partial(self._put, self.boxes),
            "TriggerVolume": partial(self._put, self.triggers),
        }
        for line in lines:
            for event in line.packets:
                reader = readers.get(event.kind)
                if reader is not None:
                    reader(line, event)
        self.lives = tuple(map(self._life, range(len(self._born))))

    def _life(self, index: int) -> Life:
        added, born, place = self._born[index]
        about, (gone, deleted) = added.description, self._gone.get(index, (None, None))
        return Life(
            index=index,
            actor=added.actor,
            born=born,
            gone=gone,
            type=added.type,
            class_=about.class_,
            blueprint=about.blueprint,
            uid=added.uid,
            attributes=about.attributes,
            role_name=about.role_name,
            colour=about.colour,
            transform=added.transform,
            added=place,
            deleted=deleted,
            parent=self._parent.get(index),
        )

    def _add(self, line: EventRow, event: EventPacket) -> None:
        for ordinal, added in enumerate(event.added):
            before = self._current.get(added.actor)
            if before is not None:
                self._gone[before] = line.frame, None
            self._current[added.actor] = len(self._born)
            place = RecordPlace(line.row, event.packet, ordinal)
            self._born.append((added, min(line.frame, self._last), place))

    def _delete(self, line: EventRow, event: EventPacket) -> None:
        for ordinal, actor in enumerate(event.table["id"].tolist()):
            ended = self._current.pop(actor, None)
            if ended is not None:
                self._gone[ended] = line.frame, RecordPlace(line.row, event.packet, ordinal)

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

    def _put(self, boxes: dict[int, Box], line: EventRow, event: EventPacket) -> None:
        columns = (event.table[path].tolist() for path in _BOX)
        for ordinal, (actor, *origin_and_extent) in enumerate(zip(*columns, strict=True)):
            index = self._current.get(actor)
            if index is not None:
                x, y, z, length, width, height = origin_and_extent
                place = RecordPlace(line.row, event.packet, ordinal)
                boxes[index] = Box((x, y, z), (length, width, height), place)
