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
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arrays import AnyArray, FloatArray, IntArray, StructuredArray
from ..edits.blueprints import CARS, Model, Release
from ..edits.new_actors.writer import Writer
from ..errors import RecorderError
from ..format import DEFAULT_DIALECT, DIALECTS, LONGEST_MAP_NAME, Dialect, FileHeader, PacketType
from ..format.highd import LARGEST, LEAST_RATE, MOST_RATE
from ..format.ind import is_family_file, other_importer
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
    """A recording: arrays of shape (n,), one row a frame and vehicle, ordered by track and frame.

    Attributes:
        rate: Frames a second.
        date: When it was made, s since 1970 UTC.
        frame: Numbers of frames, as highD has them.
        track: Numbers of tracks.
        x: Middle of the box, m.
        y: Middle of the box, m.
        length: Length of the box, m.
        width: Width of the box, m.
        vx: Velocity, m/s.
        vy: Velocity, m/s.
        yaw: Headings, radians, unwrapped within a track.
        trucks: Whether it is a truck, by track.
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
    """Read the recording of a number in a folder.

    Raises:
        HighdError: A file is missing or damaged, or of another data set.
        OSError: A file cannot be read.
    """
    recording_path = folder / f"{number:02}_recordingMeta.csv"
    meta_path = folder / f"{number:02}_tracksMeta.csv"
    tracks_path = folder / f"{number:02}_tracks.csv"
    if is_family_file(tracks_path):
        raise HighdError(other_importer(tracks_path))
    recording = _read_lines(recording_path, ("frameRate",))[0]
    rate = _rate(recording_path, recording["frameRate"])
    meta = {}
    for line in _read_lines(meta_path, _META):
        if _is_whole(line["id"]):
            meta[int(line["id"])] = line
    rows = _read_tracks(tracks_path)
    _refuse_beyond_limits(rows, tracks_path)
    rows = rows[np.lexsort((rows["frame"], rows["id"]))]
    _refuse_bad_rows(rows, meta, tracks_path=tracks_path, meta_path=meta_path)
    track = rows["id"].astype(np.int64)
    frame = rows["frame"].astype(np.int64)
    _refuse_duplicates(track, frame, tracks_path)
    ahead = {}
    trucks = {}
    for number_of_track, line in meta.items():
        ahead[number_of_track] = 0.0 if line["drivingDirection"].strip() == "2" else np.pi
        trucks[number_of_track] = line["class"].strip() == "Truck"
    return Traffic(
        rate=rate,
        date=_date(recording),
        frame=frame,
        track=track,
        x=rows["x"] + rows["width"] / 2,  # highD calls the side along x width, and that along y height
        y=rows["y"] + rows["height"] / 2,
        length=rows["width"],
        width=rows["height"],
        vx=rows["xVelocity"],
        vy=rows["yVelocity"],
        yaw=headings(track, vx=rows["xVelocity"], vy=rows["yVelocity"], ahead=ahead),
        trucks=trucks,
    )


def headings(track: IntArray, vx: FloatArray, vy: FloatArray, ahead: dict[int, float]) -> FloatArray:
    """Return the headings of velocities.

    Below `MIN_SPEED` the last heading holds, or the first one before it is known.

    Args:
        track: The track of each row, int64[n]; rows of a track are neighbours.
        vx: Velocity along x, m/s, float64[n].
        vy: Velocity along y, m/s, float64[n].
        ahead: The heading of tracks that are never faster, radians, by track.

    Returns:
        Radians, float64[n], unwrapped within a track.
    """
    yaw = np.arctan2(vy, vx)
    is_moving = np.hypot(vx, vy) >= MIN_SPEED
    edges = np.append(np.flatnonzero(np.diff(track, prepend=-1)), len(track))
    for start, stop in pairwise(edges.tolist()):
        moving = np.flatnonzero(is_moving[start:stop])
        if not len(moving):
            yaw[start:stop] = ahead[int(track[start])]
            continue
        last = np.maximum(np.searchsorted(moving, np.arange(stop - start), side="right") - 1, 0)
        yaw[start:stop] = np.unwrap(yaw[start:stop][moving[last]])
    return yaw


# --- files ------------------------------------------------------------------------------------------------


def _column_names(path: Path, required: Sequence[str]) -> list[str]:
    """Return the names of a file's columns.

    Raises:
        HighdError: The file, a required column or every row is missing.
    """
    if not path.is_file():
        raise HighdError(say("{path} is missing; a recording consists of three files.", path=path))
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        names = [name.strip() for name in file.readline().split(",")]
        has_rows = bool(file.readline().strip())
    missing = [name for name in required if name not in names]
    if missing:
        raise HighdError(say("{name} holds no column {names}.", name=path.name, names=listed(missing, "or")))
    if not has_rows:
        raise HighdError(say("{name} holds no rows.", name=path.name))
    return names


def _read_lines(path: Path, required: Sequence[str]) -> list[dict[str, str]]:
    names = _column_names(path, required)
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        lines = list(csv.DictReader(file, names))[1:]
    breaks_off = not lines
    for name in required:
        breaks_off |= any(line[name] is None for line in lines)
    if breaks_off:
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
                say(
                    template,
                    name=path.name,
                    line=row + 2,  # the first line holds the names
                    column=column,
                    value=values[row],
                    most=LARGEST,
                )
            )


def _refuse_duplicates(track: IntArray, frame: IntArray, path: Path) -> None:
    """Refuse two rows of a track in one frame; rows are ordered by both."""
    duplicate = (track[1:] == track[:-1]) & (frame[1:] == frame[:-1])
    if duplicate.any():
        row = int(duplicate.argmax())
        raise HighdError(
            say(
                "{name} has two rows of track {track} in frame {frame}.",
                name=path.name,
                track=track[row],
                frame=frame[row],
            )
        )


def _refuse_bad_rows(rows: AnyArray, meta: Mapping[int, Mapping[str, str]], tracks_path: Path, meta_path: Path) -> None:
    """Refuse unknown tracks and frames out of range, since every frame up to the last one is written.

    Args:
        rows: The rows of all tracks.
        meta: What is said of each track.
        tracks_path: The file of the rows.
        meta_path: The file that says it.
    """
    unknown = set(np.unique(rows["id"]).tolist()) - set(meta)
    if unknown:
        raise HighdError(
            say(
                "{name} holds track {track:g}, which is not in {other}.",
                name=tracks_path.name,
                track=min(unknown),
                other=meta_path.name,
            )
        )
    frame = rows["frame"]
    invalid = frame[~((frame >= 0) & (frame == np.floor(frame)))]
    if len(invalid):
        raise HighdError(
            say(
                "{name} holds frame {frame:g}; frames are whole numbers from 0 on.",
                name=tracks_path.name,
                frame=invalid[0],
            )
        )
    last_frames = {}
    for track, line in meta.items():
        if not _is_whole(line["finalFrame"]):
            raise HighdError(
                say("{name} does not say in which frame track {track} ends.", name=meta_path.name, track=track)
            )
        last_frames[track] = int(line["finalFrame"])
    beyond = np.flatnonzero(frame > np.array([last_frames[int(track)] for track in rows["id"].tolist()]))
    if len(beyond):
        track = int(rows["id"][beyond[0]])
        beyond_frame = frame[beyond[0]]
        # Not every whole number from here on is a float.
        number = f"{int(beyond_frame):,}" if beyond_frame < 1 << 53 else f"{beyond_frame:g}"
        raise HighdError(
            say(
                "{name} has track {track} in frame {frame}, but {other} says that it ends in frame {last:,}.",
                name=tracks_path.name,
                other=meta_path.name,
                track=track,
                frame=number,
                last=last_frames[track],
            )
        )


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,15}", text.strip()) is not None


def _rate(path: Path, text: str) -> float:
    with suppress(ValueError):
        rate = float(text)
        if LEAST_RATE <= rate <= MOST_RATE:
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
    """Return month and start time in recordingMeta as seconds since 1970; `FIRST_DATE` without them."""
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
    """Position of highD's origin in the world.

    Attributes:
        x: Metres.
        y: Metres.
        z: Metres.
        yaw: Rotation of its x axis, degrees.
    """

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0


IDENTITY = Origin()


def _refuse_far_origin(origin: Origin) -> None:
    """Refuse an origin that is so far away that positions would not be finite."""
    for number in origin:
        if not abs(number) <= LARGEST:  # as NaN is not
            raise HighdError(
                say("The origin has to lie within {most:,.0f} m, and its yaw within {most:,.0f}°.", most=LARGEST)
            )


def nearest_model(length: float, width: float, truck: bool) -> Model:
    """Return the blueprint that is nearest in size.

    Args:
        length: Metres.
        width: Metres.
        truck: Whether it is one of a truck, or of a car or van.
    """
    models = [model for model in CARS if (model.kind == "truck") == truck]

    def difference(model: Model) -> float:
        # Half sizes of models are centimetres.
        return float(np.hypot(model.half_length / 50 - length, model.half_width / 50 - width))

    return min(models, key=difference)


def frames(
    traffic: Traffic, dialect: Dialect, map_name: str, origin: Origin, span: range, progress: Progress
) -> Iterator[bytes]:
    """Yield the bytes of a recording in pieces: the file header, then a frame at a time.

    Args:
        traffic: What is converted.
        dialect: The dialect of the recording.
        map_name: The name of the map in its header.
        origin: Where highD's origin is in the world.
        span: The frames, by their numbers in highD.
        progress: Counts frames.

    Raises:
        HighdError: No vehicle is there in the span.
        Cancelled: The user stopped it.
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
    """Return the frames from `start` (inclusive) to `stop` (exclusive), seconds since highD's first frame."""
    begin = int(traffic.frame.min())
    end = int(traffic.frame.max()) + 1

    def frame_at(seconds: float) -> int:
        # A frame that is before the time only by rounding counts as not before it.
        return begin + math.ceil(min(max(seconds * traffic.rate - 1e-6, 0), end - begin))

    for seconds in (start, stop):
        if seconds is not None and not math.isfinite(seconds):
            raise HighdError(say("A range of time begins and ends at a number of seconds."))
    first = begin if start is None else frame_at(start)
    behind = end if stop is None else frame_at(stop)
    return range(first, behind)


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
        lengths = traffic.length[rows][self._born]
        widths = traffic.width[rows][self._born]
        born = self._track[self._born]
        self._models = []
        for length, width, track in zip(lengths.tolist(), widths.tolist(), born.tolist(), strict=True):
            self._models.append(nearest_model(length, width, traffic.trucks[track]))
        self._columns = _columns(traffic, origin, rows)
        half_heights = np.array([model.half_height for model in self._models])
        box = {
            "id": FIRST_ID + born,
            "origin.z": half_heights,
            "extent.x": 50 * lengths,
            "extent.y": 50 * widths,
            "extent.z": half_heights,
        }
        self._tables: dict[str, StructuredArray] = {}
        self._boxes: AnyArray = np.zeros(len(born))
        for kind in self._kinds:
            if kind.name in ("Position", "AnimVehicle", "VehicleLight", "Kinematics"):
                self._tables[kind.name] = self._table(kind, np.arange(len(rows)), self._columns)
            elif kind.name == "BoundingBox":
                self._boxes = self._table(kind, self._born, box)

    def _table(self, kind: PacketType, rows: IntArray, columns: Mapping[str, AnyArray]) -> StructuredArray:
        """Return the records of these rows, from the columns that the packet has."""
        table: StructuredArray = np.zeros(len(rows), kind.dtype)
        for path in kind.record.fields:
            if path in columns:
                table[path] = columns[path]
        return table

    def frame(self, number: int, index: int, *, last: bool) -> bytes:
        """Return the bytes of a frame.

        Args:
            number: Its number in highD.
            index: Its index in the recording.
            last: Whether it is the last frame; its duration is not known.
        """
        begin, end = self._frame.searchsorted((number, number + 1)).tolist()
        first_born, last_born = self._born.searchsorted((begin, end)).tolist()
        # Vehicles that have their last row in the frame before.
        earlier = self._frame.searchsorted((number - 1, number))
        first_gone, last_gone = self._gone.searchsorted(earlier).tolist()
        elapsed = index / self._rate
        duration = -1.0 if last else 1 / self._rate
        packets: dict[str, Any] = {}
        for kind in self._kinds:
            if kind.clock is not None:
                packets[kind.name] = [(elapsed,)]
        for name, table in self._tables.items():
            packets[name] = table[begin:end]
        packets["FrameStart"] = [(index + 1, duration, elapsed)]
        packets["EventAdd"] = [self._event_add(vehicle) for vehicle in range(first_born, last_born)]
        gone = self._track[self._gone[first_gone:last_gone]]
        packets["EventDel"] = [(FIRST_ID + track,) for track in gone.tolist()]
        packets["BoundingBox"] = self._boxes[first_born:last_born]
        return self._writer.frame(packets)

    def _event_add(self, vehicle: int) -> tuple[Any, ...]:
        """Return the values of the EventAdd of a vehicle; vehicles are numbered as they appear."""
        row = int(self._born[vehicle])
        model = self._models[vehicle]
        track = int(self._track[row])
        color = model.colors[track % len(model.colors)]
        blueprint, uid, attributes = self._release.vehicle(model, color, ROLE)
        pose = [float(self._columns[path][row]) for path in _POSE]
        return (FIRST_ID + track, "Vehicle", *pose, uid, blueprint, attributes)


def _columns(traffic: Traffic, origin: Origin, rows: IntArray) -> Mapping[str, AnyArray]:
    """Return values by the paths of fields: centimetres and degrees, m/s and degrees/s, in the world."""
    turn = np.radians(origin.yaw)
    cosine = np.cos(turn)
    sine = np.sin(turn)
    x = traffic.x[rows]
    y = traffic.y[rows]
    vx = traffic.vx[rows]
    vy = traffic.vy[rows]
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
    """Return yaw rates, degrees/s, by central differences within a track."""
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
            kind="time",
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
            flag="--to", kind="time", metavar="S", label=N_("To"), unit="s", hint=N_("end"), help=N_("end (exclusive)")
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
            flag="--write-as",
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
        yield from frames(
            traffic,
            dialect=DIALECTS[options.dialect],
            map_name=options.map_name,
            origin=options.origin,
            span=span,
            progress=progress,
        )
