"""What there is to draw in a frame, as arrays: poses, sizes, classes, lights, controls. No Qt.

Metres and radians; x to the right, y down, as in the simulator's own top view (its y axis points right of its x axis).
"""

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, FloatArray, IndexArray
from ..reading import Actors, Life
from ..reading.event_index import CLASSES
from ..reading.tracks import speeds_in
from ..recording import Frame, Snapshot

Reals = np.ndarray[tuple[int], np.dtype[np.float64]]
Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]
Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]

Records = np.ndarray[tuple[int], np.dtype[np.void]]
Pairs = np.ndarray[tuple[int, int], np.dtype[np.float64]]

Kind = IntEnum(
    "Kind", ("VEHICLE", "TWO_WHEELER", "WALKER", "LIGHT", "SIGN", "PROP", "SENSOR", "SPECTATOR", "OTHER"), start=0
)
"""The classes of actors, in the order of `CLASSES`."""
_HALF_SIZES = np.array(
    ((2.3, 0.95, 0.3, 0.3, 0.3, 0.4, 0.2, 0.5, 0.4), (0.95, 0.35, 0.3, 0.3, 0.3, 0.4, 0.2, 0.5, 0.4))
).T
"""Half lengths and widths of the kinds, m, for those without a recorded box."""

_FIXTURE = np.dtype([("id", "i8"), ("kind", "i8"), ("x", "f8"), ("y", "f8"), ("born", "i8"), ("gone", "i8")])
_FIXTURES = {"prop": Kind.PROP, "traffic sign": Kind.SIGN}
_LARGEST_HALF = 30.0
FARTHEST_PLACE = 1e7
LIGHT_BRAKE = 0x8
LIGHT_RIGHT = 0x10
LIGHT_LEFT = 0x20


@dataclass(frozen=True, eq=False)
class LifeTraits:
    """What of the lives does not change with the frame: arrays by `Life.index`, their last entry for nobody's.

    Attributes: `kind`, `half` (half length and width, m), `centre` (of the box, m from the actor), `hero`; `fixtures`:
    the props and signs where their EventAdd put them (m), with the frames of their lives.
    """

    actors: Actors
    kind: Numbers
    half: Pairs
    centre: Pairs
    hero: Mask
    fixtures: Records


def life_traits(actors: Actors) -> LifeTraits:
    """The classes, half sizes (m) and heroes of all lives; sizes by class where no box was recorded."""
    kind = np.array([*(CLASSES.index(life.class_) for life in actors.lives), Kind.OTHER], np.int64)
    hero = np.array([*(life.is_hero for life in actors.lives), False], np.bool_)
    half = _HALF_SIZES[kind]
    centre = np.zeros((len(kind), 2))
    for index, box in actors.boxes.items():
        extent = np.array(box.extent[:2]) / 100
        if np.isfinite(extent).all() and (extent > 0.01).all() and (extent < _LARGEST_HALF).all():
            half[index] = extent
            origin = np.array(box.origin[:2]) / 100
            if np.isfinite(origin).all() and (np.abs(origin) < _LARGEST_HALF).all():
                centre[index] = origin
    gone = actors.spans[1].tolist()
    fixtures = []
    for life in actors:
        if life.class_ in _FIXTURES and life.parent is None:
            fixtures.append((life.actor, _FIXTURES[life.class_], *_place(life), life.born, gone[life.index]))
    return LifeTraits(actors, kind, half, centre, hero, np.array(fixtures, _FIXTURE))


@dataclass(frozen=True, eq=False)
class FrameActors:
    """Everybody with a position in a frame, one entry a record.

    Attributes: `ids`, `life` (index, -1 for nobody), `kind`, `x`, `y` (m, centre of the box), `z` (m, as stored), `yaw`
    (radians, clockwise), `half` (half length and width, m), `hero`, `speed` (m/s, NaN unknown), `lights` (bits, 0
    unknown).
    """

    ids: Numbers
    life: Numbers
    kind: Numbers
    x: Reals
    y: Reals
    z: Reals
    yaw: Reals
    half: Pairs
    hero: Mask
    speed: Reals
    lights: Numbers

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def road_users(self) -> Mask:
        """Vehicles, two-wheelers and walkers."""
        return self.kind <= Kind.WALKER

    def corners(self, chosen: IndexArray) -> FloatArray:
        """The chosen boxes' corners: front left, front right, rear right, rear left; shape (n, 4, 2), m."""
        cos, sin = np.cos(self.yaw[chosen])[:, None], np.sin(self.yaw[chosen])[:, None]
        along = np.array([1.0, 1.0, -1.0, -1.0]) * self.half[chosen, :1]
        across = np.array([-1.0, 1.0, 1.0, -1.0]) * self.half[chosen, 1:]
        x = self.x[chosen, None] + along * cos - across * sin
        y = self.y[chosen, None] + along * sin + across * cos
        return np.stack([x, y], axis=2)

    def index_of(self, actor: int) -> int | None:
        """The entry of an actor (the last one, where ids repeat), or None."""
        (found,) = np.nonzero(self.ids == actor)
        if len(found):
            return int(found[-1])
        return None


class TrafficLight(NamedTuple):
    """A light in a frame: `state` as stored, `seconds` in it, place in metres."""

    actor: int
    x: float
    y: float
    state: int
    seconds: float


@dataclass(frozen=True, eq=False)
class FrameContents:
    """What a frame holds, for drawing: `actors` have a position in it, no packet tells of the `fixtures`."""

    frame: Frame | None
    actors: FrameActors
    lights: tuple[TrafficLight, ...]
    fixtures: Records


def _empty() -> FrameActors:
    none = np.zeros(0)
    numbers = np.zeros(0, np.int64)
    nobody = np.zeros(0, np.bool_)
    return FrameActors(numbers, numbers, numbers, none, none, none, none, np.zeros((0, 2)), nobody, none, numbers)


EMPTY = FrameContents(None, _empty(), (), np.zeros(0, _FIXTURE))


def frame_contents(snapshot: Snapshot, frame: Frame, traits: LifeTraits) -> FrameContents:
    """What there is in a frame."""
    with np.errstate(invalid="ignore", over="ignore"):
        actors = _actors_of(snapshot, frame, traits)
    fixtures = traits.fixtures
    here = (fixtures["born"] <= frame.index) & (fixtures["gone"] > frame.index) & ~np.isin(fixtures["id"], actors.ids)
    return FrameContents(frame, actors, tuple(_lights(frame, traits)), fixtures[here])


def _actors_of(snapshot: Snapshot, frame: Frame, traits: LifeTraits) -> FrameActors:
    packet = frame.packet("Position")
    if packet is None or not len(packet.decoded):
        return EMPTY.actors
    array = packet.array
    ids = array["id"].astype(np.int64)
    life = traits.actors.indices_of(ids, np.full(len(ids), frame.index)).astype(np.int64)
    half = traits.half[life]
    centre = traits.centre[life]
    # A heading that is no number is drawn as none: Qt has no shape for it.
    yaw = np.nan_to_num(np.radians(array["rotation.yaw"].astype(np.float64)), posinf=0.0, neginf=0.0)
    x, y, z = (_metres(array[f"location.{axis}"]) for axis in "xyz")
    cos, sin = np.cos(yaw), np.sin(yaw)
    known_speeds = speeds_in(snapshot, frame)
    speeds = np.array([known_speeds.get(actor, np.nan) for actor in ids.tolist()])
    x = x + centre[:, 0] * cos - centre[:, 1] * sin
    y = y + centre[:, 0] * sin + centre[:, 1] * cos
    lights = _vehicle_lights(frame, ids)
    return FrameActors(ids, life, traits.kind[life], x, y, z, yaw, half, traits.hero[life], speeds, lights)


def _metres(centimetres: AnyArray) -> Reals:
    """Places in metres; NaN, which is drawn nowhere, for what is no place in any world."""
    metres = centimetres.astype(np.float64) / 100
    known: Reals = np.where(np.abs(metres) < FARTHEST_PLACE, metres, np.nan)
    return known


def _vehicle_lights(frame: Frame, ids: Numbers) -> Numbers:
    """The light bits of each id; 0 where the frame holds none."""
    packet = frame.packet("VehicleLight")
    if packet is None or packet.type.dtype is None:
        return np.zeros(len(ids), np.int64)
    bits = dict(zip(packet.array["id"].tolist(), packet.array["lights"].tolist(), strict=True))
    return np.array([bits.get(actor, 0) for actor in ids.tolist()], np.int64)


def _lights(frame: Frame, traits: LifeTraits) -> list[TrafficLight]:
    packet = frame.packet("State")
    if packet is None or packet.type.dtype is None:
        return []
    columns = (packet.array[name].tolist() for name in ("id", "elapsed", "state"))
    rows = ((traits.actors.at(row[0], frame.index), *row) for row in zip(*columns, strict=True))
    lights = []
    for life, actor, time, state in rows:
        if life is not None:
            lights.append(TrafficLight(actor, *_place(life), state, time))
    return [light for light in lights if math.isfinite(light.x) and math.isfinite(light.y)]


def _place(life: Life) -> tuple[float, float]:
    return life.transform.x / 100, life.transform.y / 100
