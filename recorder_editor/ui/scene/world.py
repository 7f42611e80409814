"""What there is to draw in a frame, as arrays: poses, sizes, classes, lights, controls. No Qt.

Metres and radians; x to the right, y down, as in the simulator's own top view (its y axis points right of its x axis).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...recording.actors import Actors
from ...recording.event_index import CLASSES
from ...recording.lives import Life
from ...recording.motion import speeds_in
from ...recording.snapshot import Snapshot
from ...recording.views import Frame

Reals = np.ndarray[tuple[int], np.dtype[np.float64]]
Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]

VEHICLE, TWO_WHEELER, WALKER, LIGHT, SIGN, PROP, SENSOR, SPECTATOR, OTHER = range(9)
_HALF_SIZES = {
    VEHICLE: (2.3, 0.95),
    TWO_WHEELER: (0.95, 0.35),
    WALKER: (0.3, 0.3),
    PROP: (0.4, 0.4),
    SENSOR: (0.2, 0.2),
    SPECTATOR: (0.5, 0.5),
    OTHER: (0.4, 0.4),
    LIGHT: (0.3, 0.3),
    SIGN: (0.3, 0.3),
}
_LARGEST_HALF = 30.0
FARTHEST_PLACE = 1e7
LIGHT_BRAKE, LIGHT_RIGHT, LIGHT_LEFT = 0x8, 0x10, 0x20


@dataclass(frozen=True, eq=False)
class Cast:
    """What of the lives does not change with the frame: arrays over lives, by `Life.index`."""

    actors: Actors
    kind: Numbers
    half: np.ndarray[tuple[int, int], np.dtype[np.float64]]
    centre: np.ndarray[tuple[int, int], np.dtype[np.float64]]
    hero: np.ndarray[tuple[int], np.dtype[np.bool_]]
    standing: "Standing"


@dataclass(frozen=True, eq=False)
class Standing:
    """The props and signs of a recording where their EventAdd put them: ids, kinds, places (m), lives in frames."""

    ids: Numbers
    kind: Numbers
    x: Reals
    y: Reals
    born: Numbers
    gone: Numbers


def cast_of(actors: Actors) -> Cast:
    """The classes, half sizes (m) and heroes of all lives; sizes by class where no box was recorded."""
    lives = actors.lives
    kind = np.array([CLASSES.index(life.class_) for life in lives], np.int64)
    half = np.array([_HALF_SIZES[int(one)] for one in kind], np.float64).reshape(-1, 2)
    centre = np.zeros((len(lives), 2))
    for index, box in actors.boxes.items():
        extent = np.array(box.extent[:2]) / 100
        if np.isfinite(extent).all() and (extent > 0.01).all() and (extent < _LARGEST_HALF).all():
            half[index] = extent
            origin = np.array(box.origin[:2]) / 100
            if np.isfinite(origin).all() and (np.abs(origin) < _LARGEST_HALF).all():
                centre[index] = origin
    return Cast(actors, kind, half, centre, np.array([life.is_hero for life in lives], np.bool_), _standing(actors))


def _standing(actors: Actors) -> Standing:
    kinds = {"prop": PROP, "traffic sign": SIGN}
    chosen = [life for life in actors if life.class_ in kinds and life.parent is None]
    far = np.iinfo(np.int64).max
    return Standing(
        np.array([life.actor for life in chosen], np.int64),
        np.array([kinds[life.class_] for life in chosen], np.int64),
        np.array([life.transform.x / 100 for life in chosen], np.float64),
        np.array([life.transform.y / 100 for life in chosen], np.float64),
        np.array([life.born for life in chosen], np.int64),
        np.array([far if life.gone is None else life.gone for life in chosen], np.int64),
    )


@dataclass(frozen=True, eq=False)
class Crowd:
    """Everybody with a position in a frame, one entry a record.

    Attributes: `ids`, `life` (index, -1 for nobody), `kind`, `x`, `y` (m, centre of the box), `yaw` (radians,
    clockwise), `half` (half length and width, m), `hero`, `speed` (m/s, NaN unknown), `lights` (bits, 0 unknown).
    """

    ids: Numbers
    life: Numbers
    kind: Numbers
    x: Reals
    y: Reals
    yaw: Reals
    half: np.ndarray[tuple[int, int], np.dtype[np.float64]]
    hero: np.ndarray[tuple[int], np.dtype[np.bool_]]
    speed: Reals
    lights: Numbers
    row: int
    packet: int

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def road_users(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Vehicles, two-wheelers and walkers."""
        return self.kind <= WALKER

    def corners(
        self, chosen: np.ndarray[tuple[int], np.dtype[np.intp]]
    ) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
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
        return int(found[-1]) if len(found) else None


@dataclass(frozen=True, slots=True)
class TrafficLight:
    """A light in a frame: `state` as stored, `seconds` in it, place in metres."""

    actor: int
    x: float
    y: float
    state: int
    seconds: float


@dataclass(frozen=True, eq=False)
class Fixtures:
    """The props and signs that no packet of the frame tells of: kinds, and places in metres."""

    kind: Numbers
    x: Reals
    y: Reals


@dataclass(frozen=True, eq=False)
class Scenery:
    """A frame to be drawn."""

    frame: Frame | None
    crowd: Crowd
    lights: tuple[TrafficLight, ...]
    fixtures: Fixtures


def _empty() -> Crowd:
    none, numbers = np.zeros(0), np.zeros(0, np.int64)
    nobody = np.zeros(0, np.bool_)
    return Crowd(numbers, numbers, numbers, none, none, none, np.zeros((0, 2)), nobody, none, numbers, -1, -1)


EMPTY = Scenery(None, _empty(), (), Fixtures(np.zeros(0, np.int64), np.zeros(0), np.zeros(0)))


def scenery_of(snapshot: Snapshot, frame: Frame | None, cast: Cast) -> Scenery:
    """What there is in a frame."""
    if frame is None:
        return EMPTY
    with np.errstate(invalid="ignore", over="ignore"):
        crowd = _crowd(snapshot, frame, cast)
    standing = cast.standing
    here = (standing.born <= frame.index) & (standing.gone > frame.index)
    if len(crowd):
        here &= ~np.isin(standing.ids, crowd.ids)
    fixtures = Fixtures(standing.kind[here], standing.x[here], standing.y[here])
    return Scenery(frame, crowd, tuple(_lights(frame, cast)), fixtures)


def _crowd(snapshot: Snapshot, frame: Frame, cast: Cast) -> Crowd:
    packet = frame.packet("Position")
    if packet is None or not len(packet.decoded):
        return EMPTY.crowd
    array = packet.array
    ids = array["id"].astype(np.int64)
    life = cast.actors.indices_of(ids, np.full(len(ids), frame.index)).astype(np.int64)
    known = life >= 0
    kind, hero = np.full(len(ids), OTHER), np.zeros(len(ids), np.bool_)
    half, centre = np.full((len(ids), 2), _HALF_SIZES[OTHER][0]), np.zeros((len(ids), 2))
    kind[known], hero[known] = cast.kind[life[known]], cast.hero[life[known]]
    half[known], centre[known] = cast.half[life[known]], cast.centre[life[known]]
    # A heading that is no number is drawn as none: Qt has no shape for it.
    yaw = np.nan_to_num(np.radians(array["rotation.yaw"].astype(np.float64)), posinf=0.0, neginf=0.0)
    x, y = (_metres(array[f"location.{axis}"]) for axis in "xy")
    cos, sin = np.cos(yaw), np.sin(yaw)
    known_speeds = speeds_in(snapshot, frame)
    speeds = np.array([known_speeds.get(actor, np.nan) for actor in ids.tolist()])
    return Crowd(
        ids,
        np.where(known, life, -1),
        kind,
        x + centre[:, 0] * cos - centre[:, 1] * sin,
        y + centre[:, 0] * sin + centre[:, 1] * cos,
        yaw,
        half,
        hero,
        speeds,
        _joined(frame, "VehicleLight", ids, lambda rows: rows["lights"], 0).astype(np.int64),
        frame.row,
        packet.index,
    )


def _metres(centimetres: Any) -> Reals:
    """Places in metres; NaN, which is drawn nowhere, for what is no place in any world."""
    metres = centimetres.astype(np.float64) / 100
    known: Reals = np.where(np.abs(metres) < FARTHEST_PLACE, metres, np.nan)
    return known


def _joined(frame: Frame, name: str, ids: Numbers, value: Any, missing: float) -> Reals:
    """A value of another packet's records, for each id; `missing` where that packet has none."""
    out = np.full(len(ids), missing, np.float64)
    packet = frame.packet(name)
    if packet is None or packet.type.dtype is None or not len(packet.decoded):
        return out
    rows = packet.array
    order = np.argsort(rows["id"], kind="stable")
    keys = rows["id"][order].astype(np.int64)
    place = np.searchsorted(keys, ids, side="right") - 1
    found = (place >= 0) & (keys[place] == ids)
    out[found] = value(rows)[order[place[found]]]
    return out


def _lights(frame: Frame, cast: Cast) -> list[TrafficLight]:
    packet = frame.packet("State")
    if packet is None or packet.type.dtype is None:
        return []
    found: list[TrafficLight] = []
    columns = (packet.array[name].tolist() for name in ("id", "elapsed", "state"))
    for actor, seconds, state in zip(*columns, strict=True):
        life = cast.actors.at(actor, frame.index)
        if life is not None:
            x, y = _place(life)
            if math.isfinite(x) and math.isfinite(y):
                found.append(TrafficLight(actor, x, y, state, seconds))
    return found


def _place(life: Life) -> tuple[float, float]:
    return life.transform.x / 100, life.transform.y / 100


__all__ = ["EMPTY", "Cast", "Crowd", "Fixtures", "Scenery", "TrafficLight", "cast_of", "scenery_of"]
