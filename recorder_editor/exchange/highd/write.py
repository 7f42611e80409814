"""Encodes highD traffic as frames of a recording, in any dialect.

The records of all frames are built at once, and each frame takes a slice of them. Boxes keep their size in highD, the
blueprint is the nearest one of the class. What highD does not have (controls, lights, wheels) is zero.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...arrays import AnyArray, FloatArray, IntArray, StructuredArray
from ...format.dialects import Dialect
from ...format.header import FileHeader
from ...format.schema import PacketType
from ...progress import Progress
from ..blueprints import CARS, Model, Release
from ..demo.packets import Writer
from .read import HighdError, Traffic

FIRST_ID = 100_000
"""Added to track numbers, since the replayer reuses an actor that already has the same id and blueprint."""

ROLE = "highd"
_POSE = ("location.x", "location.y", "location.z", "rotation.roll", "rotation.pitch", "rotation.yaw")


class Origin(NamedTuple):
    """Position of highD's origin in the world: `x`, `y`, `z` (m), and `yaw` of its x axis (degrees)."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0


IDENTITY = Origin()

Span = tuple[float | None, float | None]
"""Start (inclusive) and stop (exclusive), seconds since highD's first frame; None: from the first, to the last."""


def nearest_model(length: float, width: float, truck: bool) -> Model:
    """The blueprint of the class (trucks, or cars and vans) that is nearest in length and width (m)."""
    models = [model for model in CARS if (model.kind == "truck") == truck]
    return min(models, key=lambda model: np.hypot(model.half_length / 50 - length, model.half_width / 50 - width))


def frames(
    traffic: Traffic, dialect: Dialect, map_name: str, origin: Origin, span: Span, progress: Progress
) -> Iterator[bytes]:
    """The bytes of a recording in pieces: the file header, then a frame at a time.

    `progress` counts frames. Raises `HighdError` if no vehicle is there in the span, `Cancelled`.
    """
    first, end = _frames_in(traffic, *span)
    inside = (traffic.frame >= first) & (traffic.frame < end)
    if not inside.any():
        raise HighdError("No vehicle is there in that stretch of time.")
    yield FileHeader(dialect.header_version, traffic.date, map_name).encode()
    builder = _Builder(traffic, dialect, origin, np.flatnonzero(inside))
    for frame in progress.over(range(first, end), every=256):
        yield builder.frame(frame, frame - first, last=frame == end - 1)


def _frames_in(traffic: Traffic, start: float | None, stop: float | None) -> tuple[int, int]:
    """The frames `[first, end)` from `start` up to `stop`."""
    begin, end = int(traffic.frame.min()), int(traffic.frame.max()) + 1
    if not all(math.isfinite(seconds) for seconds in (start or 0.0, stop or 0.0)):
        raise HighdError("A stretch of time begins and ends at a number of seconds.")

    def frame_at(seconds: float) -> int:
        # A frame that is before the time only by rounding counts as not before it.
        return begin + math.ceil(min(max(seconds * traffic.rate - 1e-6, 0), end - begin))

    return begin if start is None else frame_at(start), end if stop is None else frame_at(stop)


class _Builder:
    """Encodes frames in order."""

    def __init__(self, traffic: Traffic, dialect: Dialect, origin: Origin, rows: IntArray) -> None:
        self._writer, self._rate = Writer(dialect, additional_data=True), traffic.rate
        self._kinds, self._release = dialect.kinds(), Release.of(dialect)
        rows = rows[np.lexsort((traffic.track[rows], traffic.frame[rows]))]
        self._frame, self._track = traffic.frame[rows], traffic.track[rows]
        _, firsts = np.unique(self._track, return_index=True)
        lasts = len(rows) - 1 - np.unique(self._track[::-1], return_index=True)[1]
        self._born, self._gone = np.sort(firsts), np.sort(lasts)
        sizes, born = np.stack((traffic.length[rows], traffic.width[rows]))[:, self._born], self._track[self._born]
        trucks = (traffic.trucks[track] for track in born.tolist())
        self._models = list(map(nearest_model, *sizes.tolist(), trucks))
        self._columns = _columns(traffic, origin, rows)
        self._tables = {
            kind.name: self._table(kind, np.arange(len(rows)), self._columns)
            for kind in self._kinds
            if kind.name in ("Position", "AnimVehicle", "VehicleLight", "Kinematics")
        }
        height = np.array([model.half_height for model in self._models])
        box = {"id": FIRST_ID + born, "origin.z": height, "extent.z": height}
        box |= {"extent.x": 50 * sizes[0], "extent.y": 50 * sizes[1]}
        boxes = (self._table(kind, self._born, box) for kind in self._kinds if kind.name == "BoundingBox")
        self._boxes = next(boxes, np.zeros(len(born)))

    def _table(self, kind: PacketType, rows: IntArray, columns: Mapping[str, AnyArray]) -> StructuredArray:
        """The records of these rows, from the columns that the packet has."""
        table: StructuredArray = np.zeros(len(rows), kind.dtype)
        for path in (path for path in kind.record.fields if path in columns):
            column = columns[path]
            with np.errstate(over="ignore"):
                table[path] = column
            if (beyond := np.isfinite(column) & ~np.isfinite(table[path])).any():
                row = int(beyond.argmax())
                where = f"track {self._track[rows[row]]} in frame {self._frame[rows[row]]}"
                raise HighdError(f"The {path} of {where} would be {column[row]:g}, which no recording can hold.")
        return table

    def frame(self, number: int, index: int, *, last: bool) -> bytes:
        """The frame of that number in highD, the `index`-th of the recording."""
        begin, end = self._frame.searchsorted((number, number + 1)).tolist()
        born = slice(*self._born.searchsorted((begin, end)).tolist())
        earlier = self._frame.searchsorted((number - 1, number))
        gone = self._gone[slice(*self._gone.searchsorted(earlier))]
        elapsed, step = index / self._rate, 1 / self._rate
        packets: dict[str, Any] = {kind.name: [(elapsed,)] for kind in self._kinds if kind.is_clock}
        packets |= {name: table[begin:end] for name, table in self._tables.items()}
        packets["FrameStart"] = [(index + 1, -1.0 if last else step, elapsed)]
        packets["EventAdd"] = list(map(self._event_add, self._born[born].tolist(), self._models[born]))
        packets["EventDel"] = [(FIRST_ID + track,) for track in self._track[gone].tolist()]
        packets["BoundingBox"] = self._boxes[born]
        return self._writer.frame(packets)

    def _event_add(self, row: int, model: Model) -> tuple[Any, ...]:
        track = int(self._track[row])
        blueprint, uid, attributes = self._release.vehicle(model, model.colors[track % len(model.colors)], ROLE)
        pose = (float(self._columns[path][row]) for path in _POSE)
        return FIRST_ID + track, "Vehicle", *pose, uid, blueprint, attributes


def _columns(traffic: Traffic, origin: Origin, rows: IntArray) -> Mapping[str, AnyArray]:
    """Values by the paths of fields: centimetres and degrees, velocities in m/s and degrees/s, in the world."""
    turn = np.radians(origin.yaw)
    cosine, sine = np.cos(turn), np.sin(turn)
    x, y, vx, vy = (column[rows] for column in (traffic.x, traffic.y, traffic.vx, traffic.vy))
    zero = np.zeros(len(rows))
    return {
        "id": FIRST_ID + traffic.track[rows],
        "location.x": 100 * (origin.x + cosine * x - sine * y),
        "location.y": 100 * (origin.y + sine * x + cosine * y),
        "location.z": zero + 100 * origin.z,
        "rotation.roll": zero,
        "rotation.pitch": zero,
        "rotation.yaw": np.degrees(traffic.yaw[rows]) + origin.yaw,
        "linear_velocity.x": cosine * vx - sine * vy,
        "linear_velocity.y": sine * vx + cosine * vy,
        "angular_velocity.z": _yaw_rates(traffic)[rows],
    }


def _yaw_rates(traffic: Traffic) -> FloatArray:
    """Yaw rates, degrees/s, by central differences within a track."""
    rate = np.zeros(len(traffic.yaw))
    inner = (traffic.track[2:] == traffic.track[:-2]) & (traffic.frame[2:] - traffic.frame[:-2] == 2)
    turned = np.degrees(traffic.yaw[2:] - traffic.yaw[:-2]) * traffic.rate / 2
    rate[1:-1] = np.where(inner, turned, 0.0)
    return rate
