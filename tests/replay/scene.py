"""What a simulator that replays a recording has in its world at one moment.

A scene never changes: it shares its mappings with the scenes before and after it. Knows no files and no packets, only
what their records left behind.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .rotation import Pose, between, carried, composed, numbers

DOORS = 6
ALL_DOORS = 6
SHUT = (False,) * DOORS

Records = Mapping[int, bytes]
"""Records by actor id, each without the id it begins with."""


class Attribute(NamedTuple):
    """An attribute of a blueprint as stored."""

    type: int
    id: str | bytes
    value: str | bytes


@dataclass(frozen=True, slots=True)
class Created:
    """What an EventAdd record asks for.

    Attributes: `frame_index`, `type` (the byte the replayer does not use), `pose` (location and rotation as stored),
    `uid`, `blueprint`, `attributes`.
    """

    frame_index: int
    type: int
    pose: bytes = field(repr=False)
    uid: int
    blueprint: str | bytes
    attributes: tuple[Attribute, ...] = field(repr=False)

    @property
    def is_traffic(self) -> bool:
        """Never spawned: looked for among the map's own lights and signs, by its place (format reference 6.4)."""
        return isinstance(self.blueprint, str) and self.blueprint.startswith("traffic.")

    @property
    def is_of_level(self) -> bool:
        """There before the replay, with the blueprint uid 0: a traffic actor, or the spectator."""
        return self.is_traffic or self.blueprint == "spectator"

    @property
    def is_sensor(self) -> bool:
        """Created only where the simulator is told to replay sensors."""
        return isinstance(self.blueprint, str) and self.blueprint.startswith("sensor.")


class Link(NamedTuple):
    """An attachment: the parent, and the offset of the child from it.

    With `parent_then`, `child_then` is a place in the world instead, on a parent that was there.
    """

    parent: int
    child_then: Pose
    parent_then: Pose | None

    def place(self, parent: Pose) -> Pose:
        """Where the child is when its parent is there."""
        if self.parent_then is None:
            return composed(parent, self.child_then)
        return carried(self.child_then, self.parent_then, parent)


@dataclass(frozen=True, slots=True)
class Shown:
    """An actor of a scene.

    Attributes: `actor` (its recorded id), `created`, `pose` (float64[6], where the last found frame puts it), `parent`
    (or None), `records` (the last record of each kind that was applied to it, without the id: `AnimVehicle`, `State`,
    ...), `doors` (open or not: front left, front right, rear left, rear right, hood, trunk).
    """

    actor: int
    created: Created
    pose: Pose = field(repr=False)
    parent: int | None
    records: Mapping[str, bytes] = field(repr=False)
    doors: tuple[bool, ...]


@dataclass(frozen=True)
class Scene:
    """The world after a frame, or at a time.

    Attributes: `frame_index` (the last frame that was passed), `elapsed` and `duration` (of it), `shown` (it was found:
    what it tells was applied, not only its events), `share` (how far time went from it to the next one; None before the
    first tick, when everybody is where EventAdd created them), `created` (the living by id), `links` (attachments by
    child), `told` (by kind, what the found frame tells of the living; empty where none was found), `held` (by kind, the
    last that was told of each), `where` (stored poses: last told, else created), `previous` (the poses of the
    Position packet before that of the found frame), `scene_lights` (records by lamp, its number taken as unsigned),
    `doors`, `weather`, `visual_time` (the last records, or None), `left_behind` (actors that lost their id to another
    one and stay in the world, with that id), `positions_are_offsets` (Positions of attached actors are offsets from
    their parents).
    """

    frame_index: int = -1
    elapsed: float = 0.0
    duration: float = 0.0
    shown: bool = False
    share: float | None = None
    created: Mapping[int, Created] = field(default_factory=dict, repr=False)
    links: Mapping[int, Link] = field(default_factory=dict, repr=False)
    told: Mapping[str, Records] = field(default_factory=dict, repr=False)
    held: Mapping[str, Records] = field(default_factory=dict, repr=False)
    where: Records = field(default_factory=dict, repr=False)
    previous: Records = field(default_factory=dict, repr=False)
    scene_lights: Records = field(default_factory=dict, repr=False)
    doors: Mapping[int, tuple[bool, ...]] = field(default_factory=dict, repr=False)
    weather: bytes | None = field(default=None, repr=False)
    visual_time: bytes | None = field(default=None, repr=False)
    left_behind: tuple[tuple[int, Created], ...] = field(default=(), repr=False)
    positions_are_offsets: bool = field(default=False, repr=False)

    @cached_property
    def actors(self) -> Mapping[int, Shown]:
        """The living by recorded id, in order of creation."""
        return {actor: self._shown(actor, created) for actor, created in self.created.items()}

    @property
    def parents(self) -> Mapping[int, int]:
        """The parent of each that is attached."""
        return {child: link.parent for child, link in self.links.items()}

    def pose(self, actor: int) -> Pose:
        """Where the last found frame puts an actor, float64[6]; raises KeyError."""
        return self._placed(actor, None)

    def picture(self, actor: int, share: float | None = None) -> Pose:
        """Where an actor is seen, `share` of the frame gone (default: the scene's own); raises KeyError.

        It lags one frame: the way leads from the pose the previously found frame told to the one this frame tells.
        """
        share = self.share if share is None else share
        return self._spawned(actor) if share is None else self._placed(actor, share)

    def _spawned(self, actor: int) -> Pose:
        pose, link = numbers(self.created[actor].pose), self.links.get(actor)
        return pose if link is None or link.parent_then is not None else link.place(self._spawned(link.parent))

    def _placed(self, actor: int, share: float | None) -> Pose:
        is_told = actor in self.told.get("Position", ())
        link = self.links.get(actor)
        if link is not None and not is_told:
            return link.place(self._placed(link.parent, share))
        pose = numbers(self.where[actor])
        if share is not None and is_told and actor in self.previous:
            pose = between(numbers(self.previous[actor]), pose, share)
        if link is not None and self.positions_are_offsets:
            return composed(self._placed(link.parent, share), pose)
        return pose

    def _shown(self, actor: int, created: Created) -> Shown:
        records = {kind: held[actor] for kind, held in self.held.items() if actor in held}
        parent = self.links[actor].parent if actor in self.links else None
        return Shown(actor, created, self.pose(actor), parent, records, self.doors.get(actor, SHUT))
