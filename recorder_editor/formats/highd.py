"""Import of highD recordings: positions, velocities and classes, as a recording in any dialect.

highD's image axes (x right, y down) and the simulator's have the same handedness, so nothing is mirrored. The records
of all frames are built at once, and each frame takes a slice of them. Boxes keep their size in highD, the blueprint is
the nearest one of the class. What highD does not have (controls, lights, wheels) is zero. Needs only numpy.
"""

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arrays import AnyArray, FloatArray, IntArray, StructuredArray
from ..edits.blueprints import CARS, Model, Release
from ..edits.new_actors.writer import Writer
from ..errors import RecorderError
from ..format import DEFAULT_DIALECT, DIALECTS, LONGEST_MAP_NAME, Dialect, FileHeader, PacketType
from ..format.highd import LARGEST, LEAST_RATE, MOST_RATE
from ..option_specs import NumberPart, OptionSpec, option
from ..progress import Progress
from ..texts import N_, listed, say
from .import_format import ImportFormat

__all__ = ["DEFAULT_MAP", "Highd", "HighdError", "HighdOptions", "Origin"]

DEFAULT_MAP = "highD"
"""Not a map of the simulator; to be replayed, a recording has to name one that is large enough."""

FIRST_DATE = 1_504_224_000  # 2017-09-01, when the first highD recordings were made
MIN_SPEED = 0.5  # m/s; a slower velocity gives no heading

_TRACKS = ("frame", "id", "x", "y", "width", "height", "xVelocity", "yVelocity")
_META = ("id", "finalFrame", "class", "drivingDirection")


class HighdError(RecorderError):
    """A highD recording cannot be read or converted."""


class Traffic(NamedTuple):
    """A recording, one row a frame and vehicle, ordered by track and frame; shape (n,) each.

    `rate` (frames a second), `date` (s since 1970 UTC), `frame`, `track`, `x`, `y` (middle of the box, m), `length`,
    `width` (m), `vx`, `vy` (m/s), `yaw` (radians, unwrapped within a track), `trucks` (by track, whether it is a
    truck).
    """

    rate: float
    date: int
    frame: IntArray
    track: IntArray
    x: FloatArray
    y: FloatArray
    length: FloatArray
    width: FloatArray
    vx: FloatArray
    vy: FloatArray
    yaw: FloatArray
    trucks: dict[int, bool]


def read_highd(folder: Path, number: int) -> Traffic:
    """The recording of a number in a folder. Raises `HighdError` for missing or damaged files, and OSError."""
    path = folder / f"{number:02}_recordingMeta.csv"
    recording = _read_lines(path, ("frameRate",))[0]
    rate = _rate(path, recording["frameRate"])
    meta = _read_lines(folder / f"{number:02}_tracksMeta.csv", _META)
    kinds = {}
    for line in meta:
        if _is_whole(line["id"]):
            kinds[int(line["id"])] = line
    path = folder / f"{number:02}_tracks.csv"
    rows = _read_tracks(path)
    _refuse_beyond_limits(rows, path)
    rows = rows[np.lexsort((rows["frame"], rows["id"]))]
    _refuse_bad_rows(rows, kinds, path, folder / f"{number:02}_tracksMeta.csv")
    track = rows["id"].astype(np.int64)
    frame = rows["frame"].astype(np.int64)
    duplicate = (track[1:] == track[:-1]) & (frame[1:] == frame[:-1])
    if duplicate.any():
        at = int(duplicate.argmax())
        raise HighdError(
            say(
                "{name} has two rows of track {track} in frame {frame}.",
                name=path.name,
                track=track[at],
                frame=frame[at],
            )
        )
    ahead = {}
    for each, line in kinds.items():
        ahead[each] = 0.0 if line["drivingDirection"].strip() == "2" else np.pi
    trucks = {}
    for each, line in kinds.items():
        trucks[each] = line["class"].strip() == "Truck"
    x, y, length, width, vx, vy = (rows[name] for name in _TRACKS[2:])
    yaw, x, y = headings(track, vx, vy, ahead), x + length / 2, y + width / 2
    return Traffic(rate, _date(recording), frame, track, x, y, length, width, vx, vy, yaw, trucks)


def headings(track: IntArray, vx: FloatArray, vy: FloatArray, ahead: dict[int, float]) -> FloatArray:
    """Headings of the velocities, radians, float64[n], unwrapped within a track.

    Below `MIN_SPEED` the last heading holds, or the first one before it is known; tracks that are never faster have the
    heading `ahead[track]`.
    """
    yaw = np.arctan2(vy, vx)
    moving = np.hypot(vx, vy) >= MIN_SPEED
    starts = np.flatnonzero(np.diff(track, prepend=-1))
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(track)], strict=True):
        known = np.flatnonzero(moving[start:stop])
        if not len(known):
            yaw[start:stop] = ahead[int(track[start])]
            continue
        last = np.maximum(np.searchsorted(known, np.arange(stop - start), side="right") - 1, 0)
        yaw[start:stop] = np.unwrap(yaw[start:stop][known[last]])
    return yaw


# --- files ------------------------------------------------------------------------------------------------


def _column_names(path: Path, required: Sequence[str]) -> list[str]:
    """The names of a file's columns. Raises `HighdError` where the file, a required column or every row is missing."""
    if not path.is_file():
        raise HighdError(say("{path} is missing; a recording consists of three files.", path=path))
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        names = [name.strip() for name in file.readline().split(",")]
        has_rows = bool(file.readline().strip())
    missing = [name for name in required if name not in names]
    if missing or not has_rows:
        if missing:
            template = N_("{name} holds no column {names}.")
        else:
            template = N_("{name} holds no rows.")
        raise HighdError(say(template, name=path.name, names=listed(missing, "or") if missing else ""))
    return names


def _read_lines(path: Path, required: Sequence[str]) -> list[dict[str, str]]:
    names = _column_names(path, required)
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        lines = list(csv.DictReader(file, names))[1:]
    if not lines or any(line[name] is None for line in lines for name in required):
        raise HighdError(say("{name} breaks off.", name=path.name))
    return lines


def _read_tracks(path: Path) -> AnyArray:
    names = _column_names(path, _TRACKS)
    columns = [names.index(name) for name in _TRACKS]
    dtype = np.dtype([(name, "f8") for name in _TRACKS])
    try:
        return np.loadtxt(path, dtype, delimiter=",", skiprows=1, usecols=columns, ndmin=1, encoding="utf-8")
    except ValueError as error:
        raise HighdError(
            say("{name} cannot be read: {reason}.", name=path.name, reason=str(error).rstrip("."))
        ) from None


def _refuse_beyond_limits(rows: AnyArray, path: Path) -> None:
    """Refuse numbers that are not finite, or so large that what is computed from them would not be."""
    for column in _TRACKS:
        values = rows[column]
        bad = ~(np.abs(values) <= LARGEST)
        if bad.any():
            row = int(bad.argmax())
            if np.isfinite(values[row]):
                template = N_(
                    "{name}, line {line}: {column} is {value:g}; no number there may be larger than {most:,.0f}."
                )
            else:
                template = N_("{name}, line {line}: {column} is not a finite number.")
            raise HighdError(
                say(template, name=path.name, line=row + 2, column=column, value=values[row], most=LARGEST)
            )


def _refuse_bad_rows(rows: AnyArray, kinds: Mapping[int, Mapping[str, str]], path: Path, meta: Path) -> None:
    """Refuse unknown tracks and frames out of range, since every frame up to the last one is written."""
    unknown = set(np.unique(rows["id"]).tolist()) - set(kinds)
    if unknown:
        raise HighdError(
            say(
                "{name} holds track {track:g}, which is not in {other}.",
                name=path.name,
                track=min(unknown),
                other=meta.name,
            )
        )
    frame = rows["frame"]
    invalid = frame[~((frame >= 0) & (frame == np.floor(frame)))]
    if len(invalid):
        raise HighdError(
            say("{name} holds frame {frame:g}; frames are whole numbers from 0 on.", name=path.name, frame=invalid[0])
        )
    endless = [track for track, line in kinds.items() if not _is_whole(line["finalFrame"])]
    if endless:
        raise HighdError(
            say("{name} does not say in which frame track {track} ends.", name=meta.name, track=endless[0])
        )
    lasts = {track: int(line["finalFrame"]) for track, line in kinds.items()}
    beyond = np.flatnonzero(frame > np.array([lasts[int(track)] for track in rows["id"].tolist()]))
    if len(beyond):
        track = int(rows["id"][beyond[0]])
        at = frame[beyond[0]]
        if at < 1 << 53:
            number = f"{int(at):,}"
        else:
            number = f"{at:g}"
        found = {"track": track, "frame": number, "last": lasts[track]}
        raise HighdError(
            say(
                "{name} has track {track} in frame {frame}, but {other} says that it ends in frame {last:,}.",
                name=path.name,
                other=meta.name,
                **found,
            )
        )


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,15}", text.strip()) is not None


def _rate(path: Path, text: str) -> float:
    with suppress(ValueError):
        if LEAST_RATE <= (rate := float(text)) <= MOST_RATE:
            return rate
    raise HighdError(
        say(
            "{name}, line 2: frameRate has to be a number from {least:g} to {most:,.0f}.",
            name=path.name,
            least=LEAST_RATE,
            most=MOST_RATE,
        )
    )


def _date(recording: dict[str, str]) -> int:
    """Seconds since 1970 of month and start time in recordingMeta; `FIRST_DATE` without them."""
    text = f"{recording.get('month')} {recording.get('startTime') or '0:00'}"
    try:
        return int(datetime.strptime(text, "%m.%Y %H:%M").replace(tzinfo=UTC).timestamp())
    except ValueError:
        return FIRST_DATE


# --- encoding ---------------------------------------------------------------------------------------------


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


def _refuse_far_origin(origin: Origin) -> None:
    """Refuse an origin that is so far away that positions would not be finite."""
    if not all(abs(number) <= LARGEST for number in origin):
        raise HighdError(
            say("The origin has to lie within {most:,.0f} m, and its yaw within {most:,.0f}°.", most=LARGEST)
        )


def nearest_model(length: float, width: float, truck: bool) -> Model:
    """The blueprint of the class (trucks, or cars and vans) that is nearest in length and width (m)."""
    models = [model for model in CARS if (model.kind == "truck") == truck]
    return min(models, key=lambda model: np.hypot(model.half_length / 50 - length, model.half_width / 50 - width))


def frames(
    traffic: Traffic, dialect: Dialect, map_name: str, origin: Origin, span: range, progress: Progress
) -> Iterator[bytes]:
    """The bytes of a recording in pieces: the file header, then a frame at a time; `span` are numbers of highD.

    `progress` counts frames. Raises `HighdError` if no vehicle is there in the span, `Cancelled`.
    """
    first = span.start
    end = span.stop
    inside = (traffic.frame >= first) & (traffic.frame < end)
    if not inside.any():
        raise HighdError(say("No vehicle is there in that range of time."))
    yield FileHeader(dialect.header_version, traffic.date, map_name).encode()
    builder = _Builder(traffic, dialect, origin, np.flatnonzero(inside))
    for frame in progress.over(span, every=256):
        yield builder.frame(frame, frame - first, last=frame == end - 1)


def _frames_in(traffic: Traffic, start: float | None, stop: float | None) -> range:
    """The frames from `start` (inclusive) to `stop` (exclusive), seconds since highD's first frame."""
    begin, end = int(traffic.frame.min()), int(traffic.frame.max()) + 1
    if not all(math.isfinite(seconds) for seconds in (start or 0.0, stop or 0.0)):
        raise HighdError(say("A range of time begins and ends at a number of seconds."))

    def frame_at(seconds: float) -> int:
        # A frame that is before the time only by rounding counts as not before it.
        return begin + math.ceil(min(max(seconds * traffic.rate - 1e-6, 0), end - begin))

    return range(begin if start is None else frame_at(start), end if stop is None else frame_at(stop))


class _Builder:
    """Encodes frames in order."""

    def __init__(self, traffic: Traffic, dialect: Dialect, origin: Origin, rows: IntArray) -> None:
        self._writer = Writer(dialect)
        self._rate = traffic.rate
        self._kinds = dialect.kinds()
        self._release = Release.of(dialect)
        rows = rows[np.lexsort((traffic.track[rows], traffic.frame[rows]))]
        self._frame = traffic.frame[rows]
        self._track = traffic.track[rows]
        _, firsts = np.unique(self._track, return_index=True)
        lasts = len(rows) - 1 - np.unique(self._track[::-1], return_index=True)[1]
        self._born = np.sort(firsts)
        self._gone = np.sort(lasts)
        sizes = np.stack((traffic.length[rows], traffic.width[rows]))[:, self._born]
        born = self._track[self._born]
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
            table[path] = columns[path]
        return table

    def frame(self, number: int, index: int, *, last: bool) -> bytes:
        """The frame of that number in highD, the `index`-th of the recording."""
        begin, end = self._frame.searchsorted((number, number + 1)).tolist()
        born = slice(*self._born.searchsorted((begin, end)).tolist())
        earlier = self._frame.searchsorted((number - 1, number))
        gone = self._gone[slice(*self._gone.searchsorted(earlier))]
        elapsed = index / self._rate
        step = 1 / self._rate
        packets: dict[str, Any] = {}
        for kind in self._kinds:
            if kind.clock is not None:
                packets[kind.name] = [(elapsed,)]
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


@dataclass(frozen=True)
class HighdOptions:
    """What may be chosen of a recording that is made of highD.

    Attributes:
        number: The number of the highD recording.
        start: Seconds since its first frame; None: the first frame.
        stop: End (exclusive), seconds since its first frame; None: behind the last frame.
        origin: Where highD's origin is in the world.
        map_name: The name of the map to write.
        dialect: The name of the dialect to write.
    """

    number: int
    start: float | None = option(
        None,
        OptionSpec(
            flag="--from",
            kind="number",
            metavar="S",
            label=N_("From"),
            unit="s",
            hint=N_("beginning"),
            help=N_("start, s since its first frame"),
        ),
    )
    stop: float | None = option(
        None,
        OptionSpec(
            flag="--to",
            kind="number",
            metavar="S",
            label=N_("To"),
            unit="s",
            hint=N_("end"),
            help=N_("end (exclusive)"),
        ),
    )
    origin: Origin = option(
        IDENTITY,
        OptionSpec(
            flag="--origin",
            kind="numbers",
            metavar="X,Y,Z,YAW",
            label=N_("Origin"),
            parts=(NumberPart("x", "m"), NumberPart("y", "m"), NumberPart("z", "m"), NumberPart(N_("yaw"), "°")),
            help=N_(
                "where highD's origin is in the world: metres, and degrees of its x axis (default 0,0,0,0; with a "
                "minus: --origin=-1,...)"
            ),
        ),
    )
    map_name: str = option(
        DEFAULT_MAP,
        OptionSpec(
            flag="--map",
            kind="text",
            metavar="M",
            label=N_("Map"),
            longest=LONGEST_MAP_NAME,
            help=N_("map name to write (default {highd_map})"),
            help_values={"highd_map": DEFAULT_MAP},
        ),
    )
    dialect: str = option(
        DEFAULT_DIALECT,
        OptionSpec(
            flag="--dialect",
            kind="dialect",
            metavar="NAME",
            label=N_("Release"),
            help=N_("dialect to write, or a release of it (default {new_dialect})"),
            help_values={"new_dialect": DEFAULT_DIALECT},
        ),
    )


class Highd(ImportFormat[HighdOptions]):
    """highD: a folder of three CSV files for each recording."""

    name = "highd"
    title = "highD"
    options = HighdOptions

    def pieces(self, source: Path, options: HighdOptions, progress: Progress) -> Iterator[bytes]:
        """Yield the frames of the recording with the chosen number."""
        _refuse_far_origin(options.origin)
        traffic = read_highd(source, options.number)
        span = _frames_in(traffic, options.start, options.stop)
        yield from frames(traffic, DIALECTS[options.dialect], options.map_name, options.origin, span, progress)
