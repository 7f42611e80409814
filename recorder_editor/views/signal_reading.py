"""The values of signals: read once as columns of a state, and computed of these. No widget.

The whole record of an actor is read over time, so that a second field of it costs nothing. What runs long takes a
`Progress`.
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
from ..reading import Actors, Tracks
from ..reading.computed_signals import compute_signal
from ..reading.expression import ExpressionError
from ..reading.lanes import LanePlaces
from ..reading.motion import slopes, speeds_of
from ..reading.pair_signals import PAIR_MEASURES, PairSignal, rows_over_time
from ..reading.tracks import COLUMNS
from ..recording import Snapshot
from ..texts import say
from .signal_catalog import LANES
from .signal_expressions import parse_expression
from .signal_key import Key

_TRACK = {packet: (track, columns) for track, (packet, columns) in COLUMNS.items()}
"""The track of a packet, and its columns by path of the field."""

_SLOPES_OF_SPEED = {"speed": 0, "acceleration": 1, "jerk": 2}
"""How often the speed is differentiated, by signal."""

_ROAD_USERS = "road users"
"""The track of road users, with their boxes and velocities."""

_FIELD_TABLE = np.dtype([("frame", "i4"), ("value", "f8")])


class Source(NamedTuple):
    """What is read for a signal.

    Attributes:
        track: Track as `Tracks` names it, or packet, or `_ROAD_USERS`.
        actor: Id of the actor; None: records of no actor.
        path: Path of a single field, for packets that have records of different sizes; empty for all fields.
    """

    track: str
    actor: int | None
    path: str = ""


class Series(NamedTuple):
    """The values of one signal.

    Where the signal is missing for a while, a NaN stands at the first frame without it.

    Attributes:
        frames: Frame indices, rising, int64[n].
        values: Values, float64[n].
    """

    frames: IntArray
    values: FloatArray

    def at(self, frame: int, *, holds: bool = False) -> float:
        """Return the value in a frame.

        Args:
            frame: Frame index.
            holds: Whether a value holds until the next one.

        Returns:
            The value; NaN without one.
        """
        index = int(np.searchsorted(self.frames, frame, side="right")) - 1
        if index >= 0 and (holds or self.frames[index] == frame):
            return float(self.values[index])
        return float("nan")

    def over(self, frames: range, *, holds: bool = False) -> FloatArray:
        """Return the values in frames.

        Args:
            frames: Frame indices, a step of 1.
            holds: Whether a value holds until the next one.

        Returns:
            float64[n]; NaN in frames without one.
        """
        wanted = np.arange(frames.start, frames.stop)
        indices = np.searchsorted(self.frames, wanted, side="right") - 1
        has_value = indices >= 0
        if not holds:
            has_value[has_value] = self.frames[indices[has_value]] == wanted[has_value]
        values = np.full(len(wanted), np.nan)
        values[has_value] = self.values[indices[has_value]]
        return values


NOTHING = Series(np.zeros(0, np.int64), np.zeros(0))


@dataclass(frozen=True, eq=False)
class SignalTables:
    """What was read of a state for the signals that are shown.

    Attributes:
        snapshot: State that was read.
        tables: Records over time by source: a column "frame" (index, rising) and columns of values.
    """

    snapshot: Snapshot
    tables: Mapping[Source, StructuredArray]


class SignalResult(NamedTuple):
    """The result of reading signals.

    Attributes:
        stock: What was read.
        series: The values by signal.
        refused: A sentence for each signal that could not be read.
    """

    stock: SignalTables
    series: Mapping[Key, Series]
    refused: Mapping[Key, str]


def source_of(key: Key, snapshot: Snapshot) -> Source | None:
    """Return what has to be read for a signal of a field; None where the dialect has no such packet."""
    kind = snapshot.dialect.by_name(key.name)
    if kind is None:
        return None
    if key.name in _TRACK and key.path in _TRACK[key.name][1]:
        return Source(_TRACK[key.name][0], key.actor)
    if kind.dtype is not None:
        return Source(key.name, key.actor)
    return Source(key.name, key.actor, key.path)


def sources_of(key: Key, snapshot: Snapshot) -> tuple[Source, ...]:
    """Return everything that has to be read for a signal."""
    if key.kind == "field":
        source = source_of(key, snapshot)
        if source is not None:
            return (source,)
        return ()
    if key.kind == "expression":
        try:
            return (Source(parse_expression(key, snapshot.dialect).kind.name, key.actor),)
        except ExpressionError:
            return ()  # it is refused when it is computed
    if key.kind == "pair":
        return (Source(_ROAD_USERS, key.actor), Source(_ROAD_USERS, key.other))
    if key.kind != "motion":
        return ()
    positions = Source("positions", key.actor)
    if key.name == "distance":
        return (positions, Source("positions", key.other))
    if key.name == "yaw rate" or key.name in LANES:
        return (positions,)
    return (positions, Source("kinematics", key.actor))


def read_signals(
    snapshot: Snapshot,
    keys: list[Key],
    before: SignalTables | None,
    analysis: Analysis | None,
    progress: Progress = SILENT,
) -> SignalResult:
    """Read what is missing and compute signals; one that cannot be read is refused, the others are computed.

    Args:
        snapshot: State of the recording.
        keys: The signals.
        before: What was read before; used where it is of the same frame table.
        analysis: The analysis of that state; None: signals of the kind "traffic" have no values.
        progress: Told how far it is.

    Raises:
        Cancelled: The progress was cancelled.
    """
    wanted = tuple(keys)
    tables: dict[Source, StructuredArray] = {}
    if before is not None and before.snapshot.table is snapshot.table:
        tables.update(before.tables)
    sources: dict[Source, None] = {}
    for key in wanted:
        sources.update(dict.fromkeys(sources_of(key, snapshot)))
    missing = [source for source in sources if source not in tables]
    tables.update(_read(snapshot, missing, progress))
    stock = SignalTables(snapshot, {source: tables[source] for source in sources})
    series: dict[Key, Series] = {}
    refused: dict[Key, str] = {}
    builder = _SeriesBuilder(snapshot, stock, analysis, progress.quiet())
    for key in wanted:
        progress.check()
        try:
            with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
                series[key] = with_gaps(builder.series(key))
        except RecorderError as error:
            refused[key] = error.message
    return SignalResult(stock, series, refused)


# --- reading ----------------------------------------------------------------------------------------------


def _read(snapshot: Snapshot, sources: list[Source], progress: Progress) -> dict[Source, StructuredArray]:
    """Read sources: all actors of one track together."""
    tables: dict[Source, StructuredArray] = {}
    by_track: dict[str, list[Source]] = {}
    for source in sources:
        if source.path:
            tables[source] = _read_field(snapshot, source, progress)
        else:
            by_track.setdefault(source.track, []).append(source)
    users = by_track.pop(_ROAD_USERS, [])
    if users:
        rows = rows_over_time(snapshot, [source.actor for source in users if source.actor is not None], progress)
        for source in users:
            if source.actor is not None:
                tables[source] = rows[source.actor]
    tracks = Tracks(snapshot)
    for track, track_sources in by_track.items():
        ids = [source.actor for source in track_sources if source.actor is not None]
        # A source without an actor needs the records of all.
        actors = ids if len(ids) == len(track_sources) else None
        blocks = [np.empty(0, tracks.dtype(track))]
        blocks.extend(tracks.blocks(track, actors, progress=progress))
        table = np.concatenate(blocks)
        for source in track_sources:
            if source.actor is None:
                tables[source] = _last_of_frames(table)
            else:
                tables[source] = _last_of_frames(table[table["id"] == source.actor])
    return tables


def _last_of_frames(table: StructuredArray) -> StructuredArray:
    """Return the last record of each frame of a table."""
    is_last = np.ones(len(table), np.bool_)
    is_last[:-1] = table["frame"][1:] != table["frame"][:-1]
    if is_last.all():
        return table
    return table[is_last]


def _read_field(snapshot: Snapshot, source: Source, progress: Progress) -> StructuredArray:
    """Read a field of records of different sizes, frame by frame."""
    kind = snapshot.dialect.by_name(source.track)
    frames: list[int] = []
    if kind is not None:
        frames = frames_with(snapshot, kind, range(len(snapshot))).tolist()
    rows: list[tuple[int, float]] = []
    for frame in progress.over(frames, every=64):
        packet = snapshot.frame(frame).packet(source.track)
        if packet is None or not len(packet.decoded):
            continue
        record: int | None = 0
        if source.actor is not None:
            record = packet.decoded.find_actor(source.actor)
        if record is None:
            continue
        try:
            value = packet.decoded.get(record, source.path)
        except KeyError:
            continue
        if isinstance(value, (int, float)):
            rows.append((frame, float(value)))
    return np.array(rows, _FIELD_TABLE)


# --- computing --------------------------------------------------------------------------------------------


class _SeriesBuilder:
    """Computes series of what was read."""

    def __init__(self, snapshot: Snapshot, stock: SignalTables, analysis: Analysis | None, progress: Progress) -> None:
        self._snapshot = snapshot
        self._progress = progress
        self._tables = stock.tables
        self._analysis = analysis
        self._elapsed = snapshot.elapsed

    def series(self, key: Key) -> Series:
        """Return the values of a signal.

        Raises:
            RecorderError: It cannot be computed.
        """
        if key.kind == "field":
            return self._field(key)
        if key.kind == "frame":
            return self._of_frames(key)
        if key.kind == "expression":
            query = parse_expression(key, self._snapshot.dialect)
            table = self._tables[Source(query.kind.name, key.actor)]
            return Series(*query.series(table, self._snapshot))
        if key.kind == "computed":
            if key.actor is None:
                return NOTHING
            return Series(*compute_signal(key.name, self._snapshot, key.actor, self._progress))
        if key.kind == "traffic":
            return _traffic(key, self._analysis)
        if key.kind == "pair":
            return self._of_pair(key)
        if key.name in LANES:
            return self._of_lane(key)
        if key.name == "distance":
            return _distance(self._positions(key.actor), self._positions(key.other))
        if key.name == "yaw rate":
            return self._yaw_rate(key.actor)
        frames, values = self._speed(key.actor)
        for _ in range(_SLOPES_OF_SPEED[key.name]):
            values = self._slopes(frames, values)
        return Series(frames, values)

    def _of_pair(self, key: Key) -> Series:
        if key.actor is None or key.other is None:
            return NOTHING
        signal = PairSignal(PAIR_MEASURES[key.name], key.actor, key.other)
        signal.check(Actors.of(self._snapshot, self._progress))
        rows = self._tables[Source(_ROAD_USERS, key.actor)]
        others = self._tables[Source(_ROAD_USERS, key.other)]
        return Series(*signal.of_rows(rows, others))

    def _positions(self, actor: int | None) -> StructuredArray:
        return self._tables[Source("positions", actor)]

    def _slopes(self, frames: IntArray, values: FloatArray) -> FloatArray:
        starts_run = np.diff(frames, prepend=-1) != 1
        return slopes(self._elapsed[frames], values, starts_run)

    def _yaw_rate(self, actor: int | None) -> Series:
        positions = self._positions(actor)
        frames = positions["frame"].astype(np.int64)
        yaw = _unwrapped(positions["yaw"].astype(np.float64))
        return Series(frames, self._slopes(frames, yaw))

    def _speed(self, actor: int | None) -> Series:
        kinematics = self._tables[Source("kinematics", actor)]
        table = speeds_of(self._positions(actor), kinematics, self._elapsed)
        return Series(table["frame"].astype(np.int64), table["speed"])

    def _of_lane(self, key: Key) -> Series:
        roads = self._snapshot.roads
        positions = self._positions(key.actor)
        if roads is None:
            raise RecorderError(say("This needs a road map, and none of this town is known."))
        lanes = LanePlaces.of(roads, positions)
        if key.name == "lane offset":
            values = lanes.locations["offset"]
        elif key.name == "border distance":
            values = lanes.locations["border"]
        else:
            values = lanes.heading_error
        return Series(positions["frame"].astype(np.int64), values)

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
            dialect = self._snapshot.dialect.title
            raise RecorderError(
                say("{packet} has no {field} in {dialect}.", packet=key.name, field=key.path, dialect=dialect)
            )
        return Series(table["frame"].astype(np.int64), table[column].astype(np.float64))

    def _of_frames(self, key: Key) -> Series:
        frames = np.arange(len(self._snapshot), dtype=np.int64)
        if key.name == "step":
            return Series(frames[1:], np.diff(self._elapsed))
        return Series(frames, self._snapshot.frame_column(key.name).astype(np.float64))


def _traffic(key: Key, analysis: Analysis | None) -> Series:
    if analysis is None or key.actor is None:
        return NOTHING
    frames = []
    values = []
    for life in analysis.actors.of_id(key.actor):
        signal = analysis.signal(key.name, life.index)
        frames.append(signal.frames)
        values.append(signal.values)
    if not frames:
        return NOTHING
    return Series(np.concatenate(frames), np.concatenate(values))


def _distance(positions: StructuredArray, others: StructuredArray) -> Series:
    """Return the distance (m) between two actors, of which the positions (cm) are given."""
    frames, rows, other_rows = np.intersect1d(
        positions["frame"], others["frame"], assume_unique=True, return_indices=True
    )
    squares = np.zeros(len(frames))
    with np.errstate(over="ignore", invalid="ignore"):
        for axis in "xyz":
            squares += (positions[axis][rows].astype(np.float64) - others[axis][other_rows]) ** 2
        return Series(frames.astype(np.int64), np.sqrt(squares) * 0.01)


def _unwrapped(degrees: FloatArray) -> FloatArray:
    """Remove the jumps from 180 to -180; what is not finite stays so."""
    result = degrees.copy()
    is_finite = np.isfinite(degrees)
    result[is_finite] = np.unwrap(degrees[is_finite], period=360.0)
    return result


def with_gaps(series: Series) -> Series:
    """Return a series with a NaN at the first frame of each gap.

    A gap is more than three times the usual step: what is recorded now and then only is not missing.
    """
    steps = np.diff(series.frames)
    if not len(steps):
        return series
    gaps = np.flatnonzero(steps > 3 * np.median(steps))
    if not len(gaps):
        return series
    frames = np.insert(series.frames, gaps + 1, series.frames[gaps] + 1)
    return Series(frames, np.insert(series.values, gaps + 1, np.nan))


# --- fewer points -----------------------------------------------------------------------------------------


def thinned(x: FloatArray, y: FloatArray, low: float, high: float, columns: int) -> tuple[FloatArray, FloatArray]:
    """Return what of a curve is drawn: all points, or the least and the greatest value of each column of pixels.

    pyqtgraph's own downsampling leaves out every column in which a value is missing, and with it short episodes.

    Args:
        x: Moments, rising, float64[n].
        y: Values, float64[n].
        low: First moment that is visible.
        high: Last moment that is visible.
        columns: Width in pixels.

    Returns:
        Moments and values, float64[m] each with m at most 4 a column, and one point beyond each end.
    """
    first = max(0, int(np.searchsorted(x, low, side="right")) - 1)
    stop = min(len(x), int(np.searchsorted(x, high)) + 1)
    x = x[first:stop]
    y = y[first:stop]
    if len(x) <= 4 * columns:
        return x, y
    edges = np.unique(np.searchsorted(x, np.linspace(low, high, columns + 1)[:-1]))
    edges = edges[edges < len(x)]
    if edges[0] != 0:
        edges = np.concatenate(([0], edges))
    least = np.fmin.reduceat(y, edges)
    greatest = np.fmax.reduceat(y, edges)
    # The order changes from column to column, so that the line between two columns is short.
    is_falling = np.arange(len(edges)) % 2 == 1
    firsts = np.where(is_falling, greatest, least)
    seconds = np.where(is_falling, least, greatest)
    pairs = np.stack((firsts, seconds), axis=1)
    return np.repeat(x[edges], 2), pairs.ravel()
