"""Encodes highD traffic as frames of a recording, in any dialect.

The records of all frames are built at once, and each frame takes a slice of them. Boxes keep their size in highD, the
blueprint is the nearest one of the class. What highD does not have (controls, lights, wheels) is zero.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...arrays import AnyArray, FloatArray, IntArray, StructuredArray
from ...format.codec import encode, encode_array, packet_bytes
from ...format.dialects import Dialect
from ...format.header import FileHeader
from ...progress import SILENT, Progress
from ..blueprints import CARS, Model, Release
from .read import HighdError, Traffic

FIRST_ID = 100_000
"""Added to track numbers, since the replayer reuses an actor that already has the same id and blueprint."""

ROLE = "highd"


class Origin(NamedTuple):
    """Position of highD's origin in the world: `x`, `y`, `z` (m), and `yaw` of its x axis (degrees)."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0


IDENTITY = Origin()


def nearest_model(length: float, width: float, truck: bool) -> Model:
    """The blueprint of the class (trucks, or cars and vans) that is nearest in length and width (m)."""
    models = [model for model in CARS if (model.kind == "truck") == truck]
    return min(models, key=lambda model: np.hypot(model.half_length / 50 - length, model.half_width / 50 - width))


def frames(
    traffic: Traffic,
    dialect: Dialect,
    map_name: str,
    origin: Origin = IDENTITY,
    start: float | None = None,
    stop: float | None = None,
    progress: Progress = SILENT,
) -> Iterator[bytes]:
    """The bytes of a recording in pieces: the file header, then a frame at a time.

    `start` (inclusive) and `stop` (exclusive) are seconds since highD's first frame. `progress` counts frames.
    Raises `HighdError` if no vehicle is there in between, `Cancelled`.
    """
    first, end = _span(traffic, start, stop)
    inside = (traffic.frame >= first) & (traffic.frame < end)
    if not inside.any():
        raise HighdError("No vehicle is there in that stretch of time.")
    yield FileHeader(dialect.header_version, traffic.date, map_name).encode()
    builder = _Builder(traffic, dialect, origin, np.flatnonzero(inside))
    for frame in progress.over(range(first, end), every=256):
        yield builder.frame(frame, frame - first, last=frame == end - 1)


def _span(traffic: Traffic, start: float | None, stop: float | None) -> tuple[int, int]:
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
        self._dialect, self._rate = dialect, traffic.rate
        self._kinds = {kind.name: kind for kind in dialect.packets.values()}
        self._release = Release.of(dialect)
        self._trucks = traffic.trucks
        rows = rows[np.lexsort((traffic.track[rows], traffic.frame[rows]))]
        self._frame, self._track = traffic.frame[rows], traffic.track[rows]
        self._size = np.stack((traffic.length[rows], traffic.width[rows]), axis=1)
        self._columns = _columns(traffic, origin, rows)
        self._tables = {name: self._table(name) for name in ("Position", "AnimVehicle", "VehicleLight", "Kinematics")}
        _, firsts = np.unique(self._track, return_index=True)
        lasts = len(rows) - 1 - np.unique(self._track[::-1], return_index=True)[1]
        self._born, self._gone = np.sort(firsts), np.sort(lasts)

    def _table(self, name: str) -> StructuredArray | None:
        """The records of all frames, None if the dialect has no such packet."""
        kind = self._kinds.get(name)
        if kind is None or kind.dtype is None:
            return None
        table: StructuredArray = np.zeros(len(self._track), kind.dtype)
        for path in kind.record.fields:
            if path in self._columns:
                column = self._columns[path]
                with np.errstate(over="ignore"):
                    table[path] = column
                if (beyond := np.isfinite(column) & ~np.isfinite(table[path])).any():
                    row = int(beyond.argmax())
                    where = f"track {self._track[row]} in frame {self._frame[row]}"
                    raise HighdError(f"The {path} of {where} would be {column[row]:g}, which no recording can hold.")
        return table

    def frame(self, number: int, index: int, *, last: bool) -> bytes:
        """The frame of that number in highD, the `index`-th of the recording."""
        begin, end = self._frame.searchsorted((number, number + 1)).tolist()
        born = self._born[slice(*self._born.searchsorted((begin, end)))]
        earlier = self._frame.searchsorted((number - 1, number))
        gone = self._gone[slice(*self._gone.searchsorted(earlier))]
        elapsed, step = index / self._rate, 1 / self._rate
        start = {"frame_id": index + 1, "duration": -1.0 if last else step, "elapsed": elapsed}
        kinds = self._dialect.kinds()
        bodies: dict[str, bytes | None] = {
            **{kind.name: encode(kind, []) for kind in kinds if (kind.body, kind.presence) == ("list", "always")},
            **{kind.name: encode(kind, [{"time": elapsed}]) for kind in kinds if kind.is_clock},
            "FrameStart": self._encoded("FrameStart", [start]),
            "EventAdd": self._encoded("EventAdd", [self._event_add(row) for row in born.tolist()]),
            "EventDel": self._encoded("EventDel", [{"id": FIRST_ID + int(self._track[row])} for row in gone.tolist()]),
            "BoundingBox": self._encoded("BoundingBox", [self._box(row) for row in born.tolist()]),
            **{name: self._table_packet(name, begin, end) for name in self._tables},
            "FrameEnd": b"",
        }
        packets = ((kind.id, bodies.get(kind.name)) for kind in kinds)
        return b"".join(packet_bytes(number, body) for number, body in packets if body is not None)

    def _encoded(self, name: str, records: list[dict[str, Any]]) -> bytes | None:
        kind = self._kinds.get(name)
        return None if kind is None else encode(kind, records)

    def _table_packet(self, name: str, begin: int, end: int) -> bytes | None:
        table = self._tables[name]
        if table is None or (begin == end and self._kinds[name].presence == "filled"):
            return None
        return encode_array(self._kinds[name], table[begin:end])

    def _model(self, row: int) -> Model:
        length, width = self._size[row].tolist()
        return nearest_model(length, width, self._trucks[int(self._track[row])])

    def _event_add(self, row: int) -> dict[str, Any]:
        model, track = self._model(row), int(self._track[row])
        adding = self._kinds["EventAdd"].record
        types = {name: number for number, name in (adding.fields["type"].choices or {}).items()}
        choices = adding.arrays["attributes"].element.fields["type"].choices or {}
        attribute_types = {name: number for number, name in choices.items()}
        color = model.colors[track % len(model.colors)]
        blueprint, uid, attributes = self._release.vehicle(model, color, ROLE)
        return {
            "id": FIRST_ID + track,
            "type": types["Vehicle"],
            "uid": uid,
            "blueprint": blueprint,
            **{
                group: {axis: float(self._columns[f"{group}.{axis}"][row]) for axis in axes}
                for group, axes in (("location", ("x", "y", "z")), ("rotation", ("roll", "pitch", "yaw")))
            },
            "attributes": [
                {"type": attribute_types[kind], "id": name, "value": value} for kind, name, value in attributes
            ],
        }

    def _box(self, row: int) -> dict[str, Any]:
        length, width = self._size[row].tolist()
        height = self._model(row).half_height
        return {
            "id": FIRST_ID + int(self._track[row]),
            "origin": {"x": 0.0, "y": 0.0, "z": height},
            "extent": {"x": 50 * length, "y": 50 * width, "z": height},
        }


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
