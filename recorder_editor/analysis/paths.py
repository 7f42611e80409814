"""Rows of all vehicles in order of life and frame, and their driven paths as evenly spaced points.

A jump (teleport) begins another segment. Leaders are searched along these paths.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray, ends
from ..reading import Actors, Life, Tracks
from ..reading.lives import Box
from ..reading.motion import speeds_at, steps
from ..recording import Snapshot
from ..texts import say
from .constants import CAR, TRUCK
from .libraries import AnalysisError

VEHICLES = ("vehicle", "two-wheeler")
"""The classes of lives that drive."""

TRUCKS = frozenset(("truck", "bus"))
"""Values of CARLA's `base_type` attribute (since 0.9.14) that mean a truck."""

TRUCK_BLUEPRINTS = ("carlacola", "firetruck", "european_hgv", "fusorosa", "cement", "dumptruck", "garbage", "truck.")
"""Parts of the blueprints of trucks and buses, for recordings without that attribute."""

_CAR = (2.3, 0.95)
_BUS = (5.0, 1.35)
_CYCLE = (1.0, 0.35)
"""Half length and half width, m, without a recorded box."""


def vehicle_class(life: Life) -> int:
    """`veh_class` of a vehicle: truck or car, by its base type or, without one, by its blueprint."""
    base = (life.attribute("base_type") or "").lower()
    if base:
        if base in TRUCKS:
            return TRUCK
        return CAR
    if any(part in life.blueprint.lower() for part in TRUCK_BLUEPRINTS):
        return TRUCK
    return CAR


def _body(life: Life, box: Box | None) -> tuple[float, ...]:
    """Whether a life drives, its `veh_class`, half length, half width, and the middle of its box in its axes (m)."""
    drives = life.class_ in VEHICLES
    kind = vehicle_class(life)
    if box is not None and all(map(math.isfinite, box.origin + box.extent)) and min(box.extent[:2]) > 0:
        return drives, kind, *(each / 100 for each in (*box.extent[:2], *box.origin[:2]))
    if life.class_ == "two-wheeler":
        half = _CYCLE
    elif kind == TRUCK:
        half = _BUS
    else:
        half = _CAR
    return drives, kind, *half, 0.0, 0.0


MAX_ROWS = 5_000_000
"""The most rows (frames × vehicles) that are analysed together."""

SPACING = 1.0  # m between the points of a path
EXTENSION = 200.0  # m that a path continues straight beyond its last position
_LONGEST_STEP = 1e9  # s, since the times of a damaged file may be any number
_MAX_GAP = 1.0, 10.0  # s, and median steps: a longer one ends a run


class VehicleRows(NamedTuple):
    """A row for each frame and vehicle, ordered by life, then frame; shape (n,) each.

    `life` (index), `actor` (id), `frame` (index), `time` (s), `x`, `y` (of the actor, m), `cx`, `cy`, `z` (middle of
    the box, m), `yaw` (radians), `speed` (m/s, as `motion` defines it; NaN where unknown), `distance` (m since the
    first row of the life), `half_length`, `half_width` (m), `kind` (`veh_class`); `runs` and `segments` are the first
    rows of stretches without a break in time, and without a jump.
    """

    life: IntArray
    actor: IntArray
    frame: IntArray
    time: FloatArray
    x: FloatArray
    y: FloatArray
    cx: FloatArray
    cy: FloatArray
    z: FloatArray
    yaw: FloatArray
    speed: FloatArray
    distance: FloatArray
    half_length: FloatArray
    half_width: FloatArray
    kind: npt.NDArray[np.int8]
    runs: IntArray
    segments: IntArray


class Paths(NamedTuple):
    """The paths of all segments as points `SPACING` apart: `x`, `y`, `z` (m; z is NaN in the straight extension),
    `first` and `last` (the first and last point of each segment)."""

    x: FloatArray
    y: FloatArray
    z: FloatArray
    first: IntArray
    last: IntArray


def read_vehicles(snapshot: Snapshot, actors: Actors, frames: range, step: float) -> VehicleRows:
    """All vehicles in these frames: the last finite position of each frame and life.

    Raises `AnalysisError` for more than `MAX_ROWS`, and errors of reading as `Store.read`.
    """
    bodies = np.array([_body(life, actors.boxes.get(life.index)) for life in actors], np.float64).reshape(-1, 6)
    drives = bodies[:, 0] > 0
    ids = sorted({life.actor for life in actors if drives[life.index]})
    tracks = Tracks(snapshot)
    placed = tracks.positions(ids, frames)
    if len(placed) > MAX_ROWS:
        raise AnalysisError(
            say(
                "That is {rows:,} positions of vehicles, and {most:,} can be analysed "
                "together. Choose a shorter range of time.",
                rows=len(placed),
                most=MAX_ROWS,
            )
        )
    life = actors.indices_of(placed["id"], placed["frame"]).astype(np.int64)
    with np.errstate(invalid="ignore"):
        place = np.stack([placed[name].astype(np.float64) for name in ("x", "y", "z", "yaw")])
    if ids:
        keep = np.flatnonzero((life >= 0) & drives[life] & np.isfinite(place).all(axis=0))
    else:
        keep = np.zeros(0, int)
    keep = keep[np.lexsort((placed["frame"][keep], life[keep]))]
    keep = keep[ends(life[keep], placed["frame"][keep])]
    life = life[keep]
    frame = placed["frame"][keep].astype(np.int64)
    x, y, z, yaw = place[:, keep] * np.array([0.01, 0.01, 0.01, np.pi / 180])[:, None]
    _, kind, long, wide, *middle = bodies[life].T
    cx = x + middle[0] * np.cos(yaw) - middle[1] * np.sin(yaw)
    cy = y + middle[0] * np.sin(yaw) + middle[1] * np.cos(yaw)
    time = snapshot.elapsed[frame]
    distance, runs, segments = _split(life, frame, time, cx, cy, step)
    actor = placed["id"][keep].astype(np.int64)
    speed = speeds_at(tracks.speeds(ids, frames), actor, frame)
    class_ = kind.astype(np.int8)
    return VehicleRows(
        life, actor, frame, time, x, y, cx, cy, z, yaw, speed, distance, long, wide, class_, runs, segments
    )


def _split(
    life: IntArray, frame: IntArray, time: FloatArray, x: FloatArray, y: FloatArray, step: float
) -> tuple[FloatArray, IntArray, IntArray]:
    """The distance since a life's first row, the first rows of runs, and those of segments."""
    if not len(life):
        return np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)
    other = life[1:] != life[:-1]
    with np.errstate(over="ignore", invalid="ignore"):
        seconds = np.diff(time)
        dx = 100 * np.diff(x)
        dy = 100 * np.diff(y)
    length, _, jump = steps(dx, dy, seconds)
    jump |= length > EXTENSION  # in a step of any duration, since the path between is unknown
    with np.errstate(over="ignore", invalid="ignore"):
        gap = ~((seconds > 0) & (seconds <= min(max(_MAX_GAP[0], _MAX_GAP[1] * step), _LONGEST_STEP)))
    total = np.concatenate(([0.0], np.cumsum(np.where(other | jump, 0.0, length))))
    born = np.concatenate(([0], np.flatnonzero(other) + 1))
    distance = total - np.repeat(total[born], np.diff(np.append(born, len(life))))
    runs = np.concatenate(([0], np.flatnonzero(other | jump | gap | (np.diff(frame) != 1)) + 1))
    return distance, runs, np.concatenate(([0], np.flatnonzero(other | jump) + 1))


def build_paths(vehicles: VehicleRows) -> Paths:
    """The paths of all segments, each extended straight by `EXTENSION` metres in its last direction."""
    ends = np.append(vehicles.segments[1:], len(vehicles.life))[: len(vehicles.segments)]
    columns = []
    for both in zip(vehicles.segments.tolist(), ends.tolist(), strict=True):
        columns.append(_path(vehicles, slice(*both)))
    x, y, z = (np.concatenate([np.zeros(0), *(each[axis] for each in columns)]) for axis in range(3))
    counts = np.array([len(each[0]) for each in columns], np.int64)
    last = np.cumsum(counts) - 1
    return Paths(x, y, z, last - counts + 1, last)


def _path(vehicles: VehicleRows, rows: slice) -> tuple[FloatArray, FloatArray, FloatArray]:
    along = vehicles.distance[rows] - vehicles.distance[rows.start]
    even = SPACING * np.arange(int(along[-1] // SPACING) + 1)
    x, y, z = (np.interp(even, along, column[rows]) for column in (vehicles.cx, vehicles.cy, vehicles.z))
    yaw = float(vehicles.yaw[rows.stop - 1])
    direction = np.array([np.cos(yaw), np.sin(yaw)])
    back = max(0, len(even) - 4)
    if (x[-1] - x[back]) * direction[0] + (y[-1] - y[back]) * direction[1] < 0:
        direction = -direction  # it drives backwards
    # From the last position, which is less than `SPACING` beyond the last even point.
    beyond = even[-1] - along[-1] + SPACING * np.arange(1, round(EXTENSION / SPACING) + 2)
    return (
        np.concatenate((x, vehicles.cx[rows.stop - 1] + beyond * direction[0])),
        np.concatenate((y, vehicles.cy[rows.stop - 1] + beyond * direction[1])),
        np.concatenate((z, np.full(len(beyond), np.nan))),
    )
