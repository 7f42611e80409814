"""The values of signals: read once as columns of a state, and computed from there. No widget.

One idea: what is read is the whole record of an actor over time, so that a second field of it costs nothing. Whatever
runs long takes a `Progress`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..analysis import Analysis
from ..arrays import FloatArray, IntArray, StructuredArray
from ..edits.rows import frames_with
from ..errors import RecorderError
from ..progress import SILENT, Progress
from ..reading import Tracks
from ..reading.computed_signals import compute_signal
from ..reading.expression import ExpressionError
from ..reading.lanes import LanePlaces
from ..reading.motion import slopes, speeds_of
from ..reading.tracks import COLUMNS
from ..recording import Snapshot
from ..texts import say
from .signal_catalog import LANES
from .signal_expressions import parsed_for
from .signal_key import Key

_TRACK = {packet: (name, columns) for name, (packet, columns) in COLUMNS.items()}
_SLOW = np.dtype([("frame", "i4"), ("value", "f8")])


class Source(NamedTuple):
    """What is read for a signal: a `track` as `Tracks` names it, and whose. With a `path` it is a single field of a
    packet whose records differ in size."""

    track: str
    actor: int | None
    path: str = ""


class Series(NamedTuple):
    """The values of one signal: `frames` (indices, int64[n], rising) and `values` (float64[n]).

    Where the signal is missing for a while, a NaN stands at the first frame without it.
    """

    frames: IntArray
    values: FloatArray

    def at(self, frame: int, *, holds: bool = False) -> float:
        """The value in a frame, NaN without one; a signal that `holds` keeps its last value."""
        index = int(np.searchsorted(self.frames, frame, side="right")) - 1
        if index < 0 or not (holds or self.frames[index] == frame):
            return float("nan")
        return float(self.values[index])


NOTHING = Series(np.zeros(0, np.int64), np.zeros(0))


@dataclass(frozen=True, eq=False)
class Stock:
    """What was read of a state for the signals that are shown, by source."""

    snapshot: Snapshot
    tables: Mapping[Source, StructuredArray]


class Gathered(NamedTuple):
    """What a job brings: the stock, the series, and a sentence for each signal that could not be read."""

    stock: Stock
    series: Mapping[Key, Series]
    refused: Mapping[Key, str]


def source_of(key: Key, snapshot: Snapshot) -> Source | None:
    """What has to be read for a field; None where the dialect has no such packet."""
    kind = snapshot.dialect.by_name(key.name)
    if kind is None:
        return None
    if key.name in _TRACK and key.path in _TRACK[key.name][1]:
        return Source(_TRACK[key.name][0], key.actor)
    if kind.dtype is not None:
        return Source(key.name, key.actor)
    return Source(key.name, key.actor, key.path)


def sources_of(key: Key, snapshot: Snapshot) -> tuple[Source, ...]:
    """Everything that has to be read for a signal."""
    if key.kind == "field":
        source = source_of(key, snapshot)
        if source is not None:
            return (source,)
        return ()
    if key.kind == "expression":
        try:
            return (Source(parsed_for(key, snapshot.dialect).kind.name, key.actor),)
        except ExpressionError:
            return ()  # it is refused when it is worked out
    if key.kind != "motion":
        return ()
    placed = Source("positions", key.actor)
    if key.name == "distance":
        return placed, Source("positions", key.other)
    if key.name in ("yaw rate", *LANES):
        return (placed,)
    return (placed, Source("kinematics", key.actor))


def gather(
    snapshot: Snapshot, keys: list[Key], before: Stock | None, analysis: Analysis | None, progress: Progress = SILENT
) -> Gathered:
    """Read what is missing and compute the signals; `before` is what was read of the same state, or of an earlier one.

    A signal that cannot be read is refused with a sentence, the others come. Raises `Cancelled`.
    """
    wanted = tuple(keys)
    if before is not None and before.snapshot.table is snapshot.table:
        tables = dict(before.tables)
    else:
        tables = {}
    sources = dict.fromkeys(source for key in wanted for source in sources_of(key, snapshot))
    tables |= _read(snapshot, [source for source in sources if source not in tables], progress)
    stock = Stock(snapshot, {source: tables[source] for source in sources})
    series: dict[Key, Series] = {}
    refused: dict[Key, str] = {}
    maker = _Maker(snapshot, stock, analysis, progress.quiet())
    for key in wanted:
        progress.check()
        try:
            with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
                series[key] = broken(maker.series(key))
        except RecorderError as error:
            refused[key] = error.message
    return Gathered(stock, series, refused)


# --- reading ----------------------------------------------------------------------------------------------


def _read(snapshot: Snapshot, sources: list[Source], progress: Progress) -> dict[Source, StructuredArray]:
    """Read sources: all actors of one track together."""
    tables: dict[Source, StructuredArray] = {}
    by_track: dict[str, list[Source]] = {}
    for source in sources:
        if source.path:
            tables[source] = _read_slowly(snapshot, source, progress)
        else:
            by_track.setdefault(source.track, []).append(source)
    tracks = Tracks(snapshot)
    for track, several in by_track.items():
        ids = [source.actor for source in several if source.actor is not None]
        actors = ids if len(ids) == len(several) else None
        blocks = tracks.blocks(track, actors, progress=progress)
        found = np.concatenate([np.empty(0, tracks.dtype(track)), *blocks])
        for source in several:
            if source.actor is None:
                own = found
            else:
                own = found[found["id"] == source.actor]
            last = np.append(own["frame"][1:] != own["frame"][:-1], np.ones(min(1, len(own)), np.bool_))
            if last.all():
                tables[source] = own
            else:
                tables[source] = own[last]
    return tables


def _read_slowly(snapshot: Snapshot, source: Source, progress: Progress) -> StructuredArray:
    """A field of records that differ in size, frame by frame."""
    kind = snapshot.dialect.by_name(source.track)
    rows: list[tuple[int, float]] = []
    if kind is not None:
        held = frames_with(snapshot, kind, range(len(snapshot))).tolist()
    else:
        held = []
    for frame in progress.over(held, every=64):
        packet = snapshot.frame(frame).packet(source.track)
        if packet is None or not len(packet.decoded):
            continue
        if source.actor is not None:
            record = packet.decoded.find_actor(source.actor)
        else:
            record = 0
        if record is None:
            continue
        try:
            value = packet.decoded.get(record, source.path)
        except KeyError:
            continue
        if isinstance(value, (int, float)):
            rows.append((frame, float(value)))
    return np.array(rows, _SLOW)


# --- computing --------------------------------------------------------------------------------------------


class _Maker:
    """Makes series of what was read."""

    def __init__(self, snapshot: Snapshot, stock: Stock, analysis: Analysis | None, progress: Progress) -> None:
        self._snapshot = snapshot
        self._progress = progress
        self._tables = stock.tables
        self._analysis = analysis
        self._elapsed = snapshot.elapsed

    def series(self, key: Key) -> Series:
        """The values of a signal. Raises `RecorderError` for one that cannot be."""
        if key.kind == "field":
            return self._field(key)
        if key.kind == "frame":
            return self._of_frames(key)
        if key.kind == "expression":
            query = parsed_for(key, self._snapshot.dialect)
            table = self._tables[Source(query.kind.name, key.actor)]
            return Series(*query.series(table, self._snapshot))
        if key.kind == "computed":
            if key.actor is None:
                return NOTHING
            return Series(*compute_signal(key.name, self._snapshot, key.actor, self._progress))
        if key.kind == "traffic":
            return _traffic(key, self._analysis)
        if key.name in LANES:
            return self._of_lane(key)
        if key.name == "distance":
            return _distance(*(self._tables[Source("positions", actor)] for actor in (key.actor, key.other)))
        if key.name == "yaw rate":
            placed = self._tables[Source("positions", key.actor)]
            frames = placed["frame"].astype(np.int64)
            return Series(frames, self._slopes(frames, _unwrapped(placed["yaw"].astype(np.float64))))
        frames, values = self._speed(key.actor)
        for _ in range(("speed", "acceleration", "jerk").index(key.name)):
            values = self._slopes(frames, values)
        return Series(frames, values)

    def _slopes(self, frames: IntArray, values: FloatArray) -> FloatArray:
        return slopes(self._elapsed[frames], values, np.diff(frames, prepend=-1) != 1)

    def _speed(self, actor: int | None) -> Series:
        placed, moved = (self._tables[Source(track, actor)] for track in ("positions", "kinematics"))
        table = speeds_of(placed, moved, self._elapsed)
        return Series(table["frame"].astype(np.int64), table["speed"])

    def _of_lane(self, key: Key) -> Series:
        roads = self._snapshot.roads
        placed = self._tables[Source("positions", key.actor)]
        if roads is None:
            raise RecorderError(say("This needs a road map, and none of this town is known."))
        lanes = LanePlaces.of(roads, placed)
        values = {"lane offset": lanes.found["offset"], "border distance": lanes.found["border"]}
        return Series(placed["frame"].astype(np.int64), values.get(key.name, lanes.heading_error))

    def _field(self, key: Key) -> Series:
        source = source_of(key, self._snapshot)
        if source is None:
            raise RecorderError(
                say("{dialect} has no {packet}.", dialect=self._snapshot.dialect.title, packet=key.name)
            )
        table = self._tables[source]
        if source.path:
            column = "value"
        elif source.track in COLUMNS:
            column = _TRACK[key.name][1][key.path]
        else:
            column = key.path
        if column not in (table.dtype.names or ()):
            named = {"packet": key.name, "field": key.path, "dialect": self._snapshot.dialect.title}
            raise RecorderError(say("{packet} has no {field} in {dialect}.", **named))
        return Series(table["frame"].astype(np.int64), table[column].astype(np.float64))

    def _of_frames(self, key: Key) -> Series:
        frames = np.arange(len(self._snapshot), dtype=np.int64)
        if key.name == "step":
            return Series(frames[1:], np.diff(self._elapsed))
        return Series(frames, self._snapshot.frame_column(key.name).astype(np.float64))


def _traffic(key: Key, analysis: Analysis | None) -> Series:
    if analysis is None or key.actor is None:
        return NOTHING
    parts = []
    for life in analysis.actors.of_id(key.actor):
        parts.append(analysis.signal(key.name, life.index))
    if not parts:
        return NOTHING
    return Series(np.concatenate([part.frames for part in parts]), np.concatenate([part.values for part in parts]))


def _distance(one: StructuredArray, other: StructuredArray) -> Series:
    frames, here, there = np.intersect1d(one["frame"], other["frame"], assume_unique=True, return_indices=True)
    with np.errstate(over="ignore", invalid="ignore"):
        squares = sum((one[axis][here].astype(np.float64) - other[axis][there]) ** 2 for axis in "xyz")
        return Series(frames.astype(np.int64), np.sqrt(squares) * 0.01)


def _unwrapped(degrees: FloatArray) -> FloatArray:
    """Without the jump from 180 to -180; what is no number stays none."""
    turned = degrees.copy()
    sound = np.isfinite(degrees)
    turned[sound] = np.unwrap(degrees[sound], period=360.0)
    return turned


def broken(series: Series) -> Series:
    """The same with a NaN at the first frame of each gap. What comes now and then only is not missing."""
    steps = np.diff(series.frames)
    if len(steps):
        gaps = np.flatnonzero(steps > 3 * np.median(steps))
    else:
        gaps = np.zeros(0, np.intp)
    if not len(gaps):
        return series
    frames = np.insert(series.frames, gaps + 1, series.frames[gaps] + 1)
    return Series(frames, np.insert(series.values, gaps + 1, np.nan))


# --- fewer points -----------------------------------------------------------------------------------------


def thinned(x: FloatArray, y: FloatArray, low: float, high: float, columns: int) -> tuple[FloatArray, FloatArray]:
    """What of a curve is to be drawn between two moments: all of it, or the least and the greatest of each column.

    pyqtgraph's own downsampling leaves out every column in which a value is missing, and with it short episodes.
    `x` rises; `columns` are pixels. Returns float64[m] each with m at most 4 a column, and one point beyond each end.
    """
    first = max(0, int(np.searchsorted(x, low, side="right")) - 1)
    part = slice(first, min(len(x), int(np.searchsorted(x, high)) + 1))
    x, y = x[part], y[part]
    if len(x) <= 4 * columns:
        return x, y
    edges = np.unique(np.searchsorted(x, np.linspace(low, high, columns + 1)[:-1]))
    edges = edges[edges < len(x)]
    if edges[0] != 0:
        edges = np.concatenate(([0], edges))
    least, most = np.fmin.reduceat(y, edges), np.fmax.reduceat(y, edges)
    # From column to column in turns, so that the line between two columns is short.
    down = np.arange(len(edges)) % 2 == 1
    pair = np.stack((np.where(down, most, least), np.where(down, least, most)), axis=1)
    return np.repeat(x[edges], 2), pair.ravel()
