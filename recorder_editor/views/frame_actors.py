"""The contents of a frame to draw, as arrays: poses, sizes, classes, lights. No Qt.

Metres and radians; x to the right, y down, as in the simulator's own top view (its y axis points right of its x axis).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, FloatArray, IndexArray
from ..reading import Actors, Ghost, Life
from ..reading.event_index import CLASSES
from ..reading.tracks import speeds_in
from ..recording import Frame, Packet, Snapshot
from .frame_rays import FrameRay, frame_rays

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
    ((2.3, 0.95), (0.95, 0.35), (0.3, 0.3), (0.3, 0.3), (0.3, 0.3), (0.4, 0.4), (0.2, 0.2), (0.5, 0.5), (0.4, 0.4))
)
"""Half length and width of each kind, m, for actors without a recorded box."""

_FIXTURE = np.dtype([("id", "i8"), ("kind", "i8"), ("x", "f8"), ("y", "f8"), ("born", "i8"), ("gone", "i8")])
_FIXTURES = {"prop": Kind.PROP, "traffic sign": Kind.SIGN}
_LARGEST_HALF = 30.0
_LEAST_SEEN = 1e-3  # m, or degrees
FARTHEST_PLACE = 1e7
FLASH = 0.5
"""Seconds that a collision is shown."""

LIGHT_BRAKE = 0x8
LIGHT_RIGHT = 0x10
LIGHT_LEFT = 0x20


@dataclass(frozen=True, eq=False)
class LifeTraits:
    """What does not change during a life.

    The arrays have one entry a life, by `Life.index`, and a last one for records of no life.

    Attributes:
        actors: The actors of the recording.
        kind: Class, int64[n + 1].
        half: Half length and width, m, float64[n + 1, 2].
        centre: Centre of the box from the actor's position, m, float64[n + 1, 2].
        hero: Whether it is a hero, bool[n + 1].
        fixtures: The props and signs where their EventAdd put them (m), with the frames of their lives.
    """

    actors: Actors
    kind: Numbers
    half: Pairs
    centre: Pairs
    hero: Mask
    fixtures: Records


def life_traits(actors: Actors) -> LifeTraits:
    """Return class, half size (m) and box of all lives; the size is that of the class where no box was recorded."""
    kinds = [CLASSES.index(life.class_) for life in actors.lives]
    kinds.append(Kind.OTHER)
    heroes = [life.is_hero for life in actors.lives]
    heroes.append(False)
    kind = np.array(kinds, np.int64)
    half = _HALF_SIZES[kind]
    centre = np.zeros((len(kind), 2))
    for index, box in actors.boxes.items():
        extent = np.array(box.extent[:2]) / 100
        has_size = np.isfinite(extent).all() and (extent > 0.01).all() and (extent < _LARGEST_HALF).all()
        if has_size:
            half[index] = extent
            origin = np.array(box.origin[:2]) / 100
            if np.isfinite(origin).all() and (np.abs(origin) < _LARGEST_HALF).all():
                centre[index] = origin
    return LifeTraits(
        actors=actors,
        kind=kind,
        half=half,
        centre=centre,
        hero=np.array(heroes, np.bool_),
        fixtures=_fixtures_of(actors),
    )


def _fixtures_of(actors: Actors) -> Records:
    """Return the props and signs that are attached to nothing, in order of their lives."""
    gone = actors.spans[1].tolist()
    fixtures = []
    for life in actors:
        if life.class_ in _FIXTURES and life.parent is None:
            x, y = _place(life)
            fixtures.append((life.actor, _FIXTURES[life.class_], x, y, life.born, gone[life.index]))
    return np.array(fixtures, _FIXTURE)


@dataclass(frozen=True, eq=False)
class FrameActors:
    """The actors that have a position in a frame, one entry a record of Position.

    Attributes:
        ids: Actor, int64[n].
        life: Index of the life, -1 for none, int64[n].
        kind: Class, int64[n].
        x: Centre of the box, m, float64[n].
        y: Centre of the box, m, float64[n].
        z: Height as stored, m, float64[n].
        yaw: Heading, radians, clockwise, float64[n].
        half: Half length and width, m, float64[n, 2].
        hero: Whether it is a hero, bool[n].
        speed: Speed, m/s, NaN where unknown, float64[n].
        lights: Bits of VehicleLight, 0 where unknown, int64[n].
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
        """Which entries are vehicles, two-wheelers or walkers, bool[n]."""
        return self.kind <= Kind.WALKER

    def corners(self, chosen: IndexArray) -> FloatArray:
        """Return the corners of boxes.

        Args:
            chosen: Entries, int[m].

        Returns:
            Front left, front right, rear right, rear left of each, m, float64[m, 4, 2].
        """
        cos = np.cos(self.yaw[chosen])[:, None]
        sin = np.sin(self.yaw[chosen])[:, None]
        along = np.array([1.0, 1.0, -1.0, -1.0]) * self.half[chosen, :1]
        across = np.array([-1.0, 1.0, 1.0, -1.0]) * self.half[chosen, 1:]
        x = self.x[chosen, None] + along * cos - across * sin
        y = self.y[chosen, None] + along * sin + across * cos
        return np.stack([x, y], axis=2)

    def index_of(self, actor: int) -> int | None:
        """Return the entry of an actor, the last one where ids repeat; None where it is not in the frame."""
        (entries,) = np.nonzero(self.ids == actor)
        if len(entries):
            return int(entries[-1])
        return None

    def indices_of(self, actors: Iterable[int]) -> list[int]:
        """Return the entries of those of these actors that are in the frame, as `index_of` does."""
        entries = (self.index_of(actor) for actor in actors)
        return [entry for entry in entries if entry is not None]


class TrafficLight(NamedTuple):
    """A traffic light in a frame.

    Attributes:
        actor: Id.
        x: Place, m.
        y: Place, m.
        state: State as stored.
        seconds: Time in this state, s.
    """

    actor: int
    x: float
    y: float
    state: int
    seconds: float


@dataclass(frozen=True, eq=False)
class FrameContents:
    """The contents of a frame, to be drawn.

    Attributes:
        frame: The frame; None where there is none.
        actors: The actors with a position in it.
        lights: The traffic lights with a state in it.
        fixtures: The props and signs that live in it and of which no packet tells.
        rays: The places, gazes and beams of packets of users that hold in it.
    """

    frame: Frame | None
    actors: FrameActors
    lights: tuple[TrafficLight, ...]
    fixtures: Records
    rays: tuple[FrameRay, ...] = ()


def _empty() -> FrameActors:
    reals = np.zeros(0)
    numbers = np.zeros(0, np.int64)
    return FrameActors(
        ids=numbers,
        life=numbers,
        kind=numbers,
        x=reals,
        y=reals,
        z=reals,
        yaw=reals,
        half=np.zeros((0, 2)),
        hero=np.zeros(0, np.bool_),
        speed=reals,
        lights=numbers,
    )


EMPTY = FrameContents(None, _empty(), (), np.zeros(0, _FIXTURE))


def frame_contents(snapshot: Snapshot, frame: Frame, traits: LifeTraits) -> FrameContents:
    """Return what is to be drawn in a frame.

    Args:
        snapshot: State of the recording.
        frame: One of its frames.
        traits: Traits of the lives of that state.

    Returns:
        Actors, traffic lights, fixtures and rays.
    """
    actors = actors_in(snapshot, frame, traits)
    fixtures = traits.fixtures
    is_alive = (fixtures["born"] <= frame.index) & (fixtures["gone"] > frame.index)
    is_recorded = np.isin(fixtures["id"], actors.ids)
    return FrameContents(
        frame=frame,
        actors=actors,
        lights=tuple(_lights(frame, traits)),
        fixtures=fixtures[is_alive & ~is_recorded],
        rays=frame_rays(snapshot, frame, traits.actors),
    )


def positions_in(frame: Frame) -> Packet | None:
    """Return the packet of a frame with the positions of actors; None where there is none, or none with a record."""
    packet = frame.packet("Position")
    if packet is None or not len(packet.decoded):
        return None
    return packet


def light_states_in(frame: Frame) -> Packet | None:
    """Return the packet of a frame with the states of traffic lights, as `positions_in` does."""
    packet = frame.packet("State")
    if packet is None or packet.type.dtype is None or not len(packet.decoded):
        return None
    return packet


def actors_in(snapshot: Snapshot, frame: Frame, traits: LifeTraits) -> FrameActors:
    """Return the actors that have a position in a frame; the arguments are those of `frame_contents`."""
    with np.errstate(invalid="ignore", over="ignore"):
        return _actors_of(snapshot, frame, traits)


def _actors_of(snapshot: Snapshot, frame: Frame, traits: LifeTraits) -> FrameActors:
    packet = positions_in(frame)
    if packet is None:
        return EMPTY.actors
    array = packet.array
    ids = array["id"].astype(np.int64)
    life = traits.actors.indices_of(ids, np.full(len(ids), frame.index)).astype(np.int64)
    half = traits.half[life]
    centre = traits.centre[life]
    # A heading that is no number is drawn as none: Qt has no shape for it.
    yaw = np.nan_to_num(np.radians(array["rotation.yaw"].astype(np.float64)), posinf=0.0, neginf=0.0)
    cos = np.cos(yaw)
    sin = np.sin(yaw)
    x = _metres(array["location.x"]) + centre[:, 0] * cos - centre[:, 1] * sin
    y = _metres(array["location.y"]) + centre[:, 0] * sin + centre[:, 1] * cos
    speeds = speeds_in(snapshot, frame)
    return FrameActors(
        ids=ids,
        life=life,
        kind=traits.kind[life],
        x=x,
        y=y,
        z=_metres(array["location.z"]),
        yaw=yaw,
        half=half,
        hero=traits.hero[life],
        speed=np.array([speeds.get(actor, np.nan) for actor in ids.tolist()]),
        lights=_vehicle_lights(frame, ids),
    )


def colliding_in(actors: Actors, snapshot: Snapshot, frame: Frame) -> frozenset[int]:
    """Return the ids of actors that collide in a frame, or did so less than half a second before it."""
    if not len(actors.collisions):
        return frozenset()
    first = snapshot.frame_at_time(frame.elapsed - FLASH)
    low, high = np.searchsorted(actors.collisions["frame_index"], [first, frame.index + 1])
    recent = actors.collisions[low:high]
    return frozenset(recent["actor1"].tolist()) | frozenset(recent["actor2"].tolist())


def former_places(actors: FrameActors, saved: Frame, traits: LifeTraits, ids: Iterable[int]) -> tuple[Ghost, ...]:
    """Return where actors were before they were edited, relative to where they are.

    Args:
        actors: The actors of a frame as it is.
        saved: The same frame as the file holds it.
        traits: Traits of the lives of the present state.
        ids: The actors that are asked for.

    Returns:
        Of those that have moved or turned; z is left out.
    """
    ghosts: list[Ghost] = []
    packet = positions_in(saved)
    if packet is None:
        return ()
    for actor in ids:
        index = actors.index_of(actor)
        record = packet.decoded.find_actor(actor)
        if index is None or record is None:
            continue
        yaw = math.radians(float(packet.array["rotation.yaw"][record]))
        if not math.isfinite(yaw):
            continue
        ahead, right = traits.centre[actors.life[index]].tolist()
        x = float(packet.array["location.x"][record]) / 100 + ahead * math.cos(yaw) - right * math.sin(yaw)
        y = float(packet.array["location.y"][record]) / 100 + ahead * math.sin(yaw) + right * math.cos(yaw)
        ghost = Ghost(
            actor,
            dx=x - float(actors.x[index]),
            dy=y - float(actors.y[index]),
            turn=(math.degrees(yaw - float(actors.yaw[index])) + 180.0) % 360.0 - 180.0,
        )
        reach = max(abs(ghost.dx), abs(ghost.dy), abs(ghost.turn))
        if math.isfinite(ghost.dx + ghost.dy) and reach > _LEAST_SEEN:
            ghosts.append(ghost)
    return tuple(ghosts)


def _metres(centimetres: AnyArray) -> Reals:
    """Convert coordinates to metres; what lies outside of any world becomes NaN, which is drawn nowhere."""
    metres = centimetres.astype(np.float64) / 100
    places: Reals = np.where(np.abs(metres) < FARTHEST_PLACE, metres, np.nan)
    return places


def _vehicle_lights(frame: Frame, ids: Numbers) -> Numbers:
    """Return the light bits of each actor; 0 where the frame holds none."""
    packet = frame.packet("VehicleLight")
    if packet is None or packet.type.dtype is None:
        return np.zeros(len(ids), np.int64)
    bits = dict(zip(packet.array["id"].tolist(), packet.array["lights"].tolist(), strict=True))
    return np.array([bits.get(actor, 0) for actor in ids.tolist()], np.int64)


def _lights(frame: Frame, traits: LifeTraits) -> list[TrafficLight]:
    packet = light_states_in(frame)
    if packet is None:
        return []
    lights = []
    for actor, elapsed, state in packet.array[["id", "elapsed", "state"]].tolist():
        life = traits.actors.at(actor, frame.index)
        if life is None:
            continue
        x, y = _place(life)
        if math.isfinite(x) and math.isfinite(y):
            lights.append(TrafficLight(actor=actor, x=x, y=y, state=state, seconds=elapsed))
    return lights


def _place(life: Life) -> tuple[float, float]:
    return life.transform.x / 100, life.transform.y / 100
