"""Rows of all vehicles in order of life and frame, and their driven paths as evenly spaced points.

A jump (teleport) begins another segment. Leaders are searched along these paths.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import BoolArray, FloatArray, IntArray, StructuredArray, run_ends
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
    """Return `veh_class` of a vehicle: truck or car, by its base type or, without one, by its blueprint."""
    base = (life.attribute("base_type") or "").lower()
    if base:
        if base in TRUCKS:
            return TRUCK
        return CAR
    blueprint = life.blueprint.lower()
    if any(part in blueprint for part in TRUCK_BLUEPRINTS):
        return TRUCK
    return CAR


_BODY = np.dtype(
    [
        ("drives", "?"),
        ("kind", "i1"),
        ("half_length", "f8"),
        ("half_width", "f8"),
        ("middle_x", "f8"),
        ("middle_y", "f8"),
    ]
)
"""Of a life: whether it drives, its `veh_class`, half length and half width, the middle of its box in its axes (m)."""


def _bodies(actors: Actors) -> StructuredArray:
    """Return the body of each life, dtype `_BODY`."""
    bodies = np.zeros(len(actors), _BODY)
    for life in actors:
        body = bodies[life.index]
        body["drives"] = life.class_ in VEHICLES
        body["kind"] = vehicle_class(life)
        box = actors.boxes.get(life.index)
        if box is not None and _has_size(box):
            body["half_length"] = box.extent[0] / 100
            body["half_width"] = box.extent[1] / 100
            body["middle_x"] = box.origin[0] / 100
            body["middle_y"] = box.origin[1] / 100
        elif life.class_ == "two-wheeler":
            body["half_length"], body["half_width"] = _CYCLE
        elif body["kind"] == TRUCK:
            body["half_length"], body["half_width"] = _BUS
        else:
            body["half_length"], body["half_width"] = _CAR
    return bodies


def _has_size(box: Box) -> bool:
    """Return whether a box has finite numbers and an area over the ground."""
    return all(map(math.isfinite, box.origin + box.extent)) and min(box.extent[:2]) > 0


MAX_ROWS = 5_000_000
"""The most rows (frames × vehicles) that are analysed together."""

SPACING = 1.0  # m between the points of a path
EXTENSION = 200.0  # m that a path continues straight beyond its last position
_LONGEST_STEP = 1e9  # s, since the times of a damaged file may be any number
_MAX_GAP = 1.0  # s: a longer one ends a run, ...
_MAX_GAP_STEPS = 10.0  # ... if it is longer than so many median steps, too


class VehicleRows(NamedTuple):
    """A row for each frame and vehicle, ordered by life, then frame; shape (n,) each.

    Attributes:
        life: Index of the life.
        actor: Its id.
        frame: Index of the frame.
        time: s.
        x: Place of the actor, m.
        y: Place of the actor, m.
        cx: Middle of the box, m.
        cy: Middle of the box, m.
        z: Middle of the box, m.
        yaw: Radians.
        speed: m/s, as `motion` defines it; NaN where unknown.
        distance: m since the first row of the life.
        half_length: Of the box, m.
        half_width: Of the box, m.
        kind: `veh_class`.
        runs: First rows of stretches without a break in time.
        segments: First rows of stretches without a jump.
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
    """The paths of all segments as points `SPACING` apart.

    Attributes:
        x: m, of all points.
        y: m.
        z: m, NaN in the straight extension.
        first: The first point of each segment.
        last: The last point of each segment.
    """

    x: FloatArray
    y: FloatArray
    z: FloatArray
    first: IntArray
    last: IntArray


def read_vehicles(snapshot: Snapshot, actors: Actors, frames: range, step: float) -> VehicleRows:
    """Read all vehicles: the last finite position of each frame and life.

    Args:
        snapshot: The recording.
        actors: Its actors.
        frames: Frame indices.
        step: The median time step, s.

    Raises:
        AnalysisError: There are more than `MAX_ROWS` positions.
        OSError: As `Store.read`.
    """
    bodies = _bodies(actors)
    ids = sorted({life.actor for life in actors if bodies["drives"][life.index]})
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
        places = np.stack([placed[name].astype(np.float64) for name in ("x", "y", "z", "yaw")])
    if ids:
        keep = np.flatnonzero((life >= 0) & bodies["drives"][life] & np.isfinite(places).all(axis=0))
    else:
        keep = np.zeros(0, int)
    keep = keep[np.lexsort((placed["frame"][keep], life[keep]))]
    keep = keep[run_ends(life[keep], placed["frame"][keep])]
    life = life[keep]
    frame = placed["frame"][keep].astype(np.int64)
    actor = placed["id"][keep].astype(np.int64)
    # Centimetres and degrees to metres and radians.
    x, y, z, yaw = places[:, keep] * np.array([0.01, 0.01, 0.01, np.pi / 180])[:, None]
    body = bodies[life]
    cx = x + body["middle_x"] * np.cos(yaw) - body["middle_y"] * np.sin(yaw)
    cy = y + body["middle_x"] * np.sin(yaw) + body["middle_y"] * np.cos(yaw)
    time = snapshot.elapsed[frame]
    distance, runs, segments = _split(life=life, frame=frame, time=time, x=cx, y=cy, step=step)
    return VehicleRows(
        life=life,
        actor=actor,
        frame=frame,
        time=time,
        x=x,
        y=y,
        cx=cx,
        cy=cy,
        z=z,
        yaw=yaw,
        speed=speeds_at(tracks.speeds(ids, frames), actor, frame),
        distance=distance,
        half_length=np.ascontiguousarray(body["half_length"]),
        half_width=np.ascontiguousarray(body["half_width"]),
        kind=np.ascontiguousarray(body["kind"]),
        runs=runs,
        segments=segments,
    )


def _split(
    life: IntArray, frame: IntArray, time: FloatArray, x: FloatArray, y: FloatArray, step: float
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the distance since the first row of a life, the first rows of runs, and those of segments."""
    if not len(life):
        return np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)
    is_other_life = life[1:] != life[:-1]
    with np.errstate(over="ignore", invalid="ignore"):
        seconds = np.diff(time)
        dx = 100 * np.diff(x)
        dy = 100 * np.diff(y)
    length, _, jump = steps(dx, dy, seconds)
    jump |= length > EXTENSION  # in a step of any duration, since the path between is unknown
    longest = min(max(_MAX_GAP, _MAX_GAP_STEPS * step), _LONGEST_STEP)
    with np.errstate(over="ignore", invalid="ignore"):
        gap = ~((seconds > 0) & (seconds <= longest))
    is_break = is_other_life | jump
    total = np.concatenate(([0.0], np.cumsum(np.where(is_break, 0.0, length))))
    born = _first_rows(is_other_life)
    distance = total - np.repeat(total[born], np.diff(np.append(born, len(life))))
    runs = _first_rows(is_break | gap | (np.diff(frame) != 1))
    return distance, runs, _first_rows(is_break)


def _first_rows(breaks: BoolArray) -> IntArray:
    """Return the first rows of stretches of rows; `breaks` says for each row but the last whether one ends there."""
    return np.concatenate(([0], np.flatnonzero(breaks) + 1))


def build_paths(vehicles: VehicleRows) -> Paths:
    """Return the paths of all segments, each extended straight by `EXTENSION` metres in its last direction."""
    segment_ends = np.append(vehicles.segments[1:], len(vehicles.life))[: len(vehicles.segments)]
    xs = [np.zeros(0)]
    ys = [np.zeros(0)]
    zs = [np.zeros(0)]
    counts: list[int] = []
    for start, stop in zip(vehicles.segments.tolist(), segment_ends.tolist(), strict=True):
        x, y, z = _path(vehicles, slice(start, stop))
        xs.append(x)
        ys.append(y)
        zs.append(z)
        counts.append(len(x))
    last = np.cumsum(np.array(counts, np.int64)) - 1
    return Paths(
        x=np.concatenate(xs),
        y=np.concatenate(ys),
        z=np.concatenate(zs),
        first=last - np.array(counts, np.int64) + 1,
        last=last,
    )


def _path(vehicles: VehicleRows, rows: slice) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the points of the path of a segment: x, y, z (m)."""
    along = vehicles.distance[rows] - vehicles.distance[rows.start]
    even = SPACING * np.arange(int(along[-1] // SPACING) + 1)
    x = np.interp(even, along, vehicles.cx[rows])
    y = np.interp(even, along, vehicles.cy[rows])
    z = np.interp(even, along, vehicles.z[rows])
    yaw = float(vehicles.yaw[rows.stop - 1])
    direction = np.array([np.cos(yaw), np.sin(yaw)])
    back = max(0, len(even) - 4)
    if (x[-1] - x[back]) * direction[0] + (y[-1] - y[back]) * direction[1] < 0:
        direction = -direction  # it drives backwards
    # From the last position, which is less than `SPACING` beyond the last even point.
    beyond = even[-1] - along[-1] + SPACING * np.arange(1, round(EXTENSION / SPACING) + 2)
    x_beyond = vehicles.cx[rows.stop - 1] + beyond * direction[0]
    y_beyond = vehicles.cy[rows.stop - 1] + beyond * direction[1]
    z_beyond = np.full(len(beyond), np.nan)
    return np.concatenate((x, x_beyond)), np.concatenate((y, y_beyond)), np.concatenate((z, z_beyond))
