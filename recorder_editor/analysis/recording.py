"""The L1 table, signals, leaders and risks of an open recording.

Positions, boxes and velocities of a recording give the same columns as highD. An analysis belongs to one snapshot.
Needs SciPy; polars only for the table.

    analysis = of_recording(recording)
    ttc = analysis.signal("ttc", life)          # times and values, NaN where there is none
    ahead = analysis.leader_of(life, frame_index)
    for risk in analysis.risks: ...
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray, row_type
from ..errors import SaveRefused
from ..progress import SILENT, Progress
from ..reading import Actors, Subset
from ..reading.motion import median_step, slopes
from ..recording import Recording, Snapshot
from ..roads import RoadMap
from ..texts import say
from .constants import NO_LEADER, SIGNALS, STANDARD, SURROUNDINGS, TRACKS_PER_RECORDING, Options, SignalKind, metadata
from .kinematics import find_runs, interpolate, resample, smooth_speed
from .lanes import VehicleLanes
from .leaders import MAX_DISTANCE, MAX_HEADING_DIFFERENCE, LaneDistances, find_leaders, followers
from .paths import VehicleRows, build_paths, read_vehicles
from .steps import Columns, Setting, assess_risk, compute_fuel, compute_specific_power, measure_following, to_pixels

if TYPE_CHECKING:
    import polars as pl


RISK = row_type("life:i8 leader:i8 level:i1 first:i8 last:i8 worst:i8 ttc", align=True)
"""A stretch at risk: `life` (index) behind `leader` (index, that of the worst moment), the highest `level` (1 or 2),
from frame `first` to frame `last` (indices, both in), the frame of the `worst` moment and the TTC then (s)."""

_SHORTEST_STEP = 1e-9
"""Seconds: the slopes of shorter ones are endless."""


class Signal(NamedTuple):
    """A signal of one life.

    Attributes:
        kind: The signal.
        frames: Indices, int64[n], rising.
        times: s, float64[n].
        values: float64[n], NaN where there is none.
    """

    kind: SignalKind
    frames: IntArray
    times: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class Analysis:
    """The analysis of a state of a recording.

    Attributes:
        snapshot: The state.
        actors: Its actors.
        frames: The frames that were analysed.
        step: The median time step, s.
        vehicles: The rows: life, frame, position.
        columns: Arrays in the order of these rows, named as in the L1 table, with `leader`, the row of the leader of
            each row or -1.
        options: The options of the table.
        recording_id: The number of the recording in the table.
        roads: The road map that lanes were found on, or None.
    """

    snapshot: Snapshot
    actors: Actors
    frames: range
    step: float
    vehicles: VehicleRows
    columns: Mapping[str, AnyArray]
    options: Options
    recording_id: int
    roads: RoadMap | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.vehicles.life)

    def rows_of(self, life: int) -> slice:
        """Return the rows of a life (index); empty where it is not a vehicle."""
        first, last = self.vehicles.life.searchsorted((life, life + 1)).tolist()
        return slice(first, last)

    def signal(self, name: str, life: int) -> Signal:
        """Return a signal of a life.

        Args:
            name: A name of `SIGNALS`.
            life: Index of the life.

        Raises:
            KeyError: The name is another one.
        """
        kind = SIGNALS[name]
        rows = self.rows_of(life)
        values = self.columns[kind.column][rows].astype(np.float64)
        return Signal(kind=kind, frames=self.vehicles.frame[rows], times=self.vehicles.time[rows], values=values)

    def row_at(self, life: int, frame_index: int) -> int | None:
        """Return the row of a life (index) in a frame, None where it has none."""
        rows = self.rows_of(life)
        row: int = rows.start + int(self.vehicles.frame[rows].searchsorted(frame_index))
        if row < rows.stop and self.vehicles.frame[row] == frame_index:
            return row
        return None

    def leader_of(self, life: int, frame_index: int) -> int | None:
        """Return the life (index) that drives ahead of a life (index) in a frame, None without one."""
        row = self.row_at(life, frame_index)
        if row is None:
            return None
        leader = int(self.columns["leader"][row])
        if leader == NO_LEADER:
            return None
        return int(self.vehicles.life[leader])

    def values_at(self, name: str, frame_index: int) -> tuple[IntArray, FloatArray]:
        """Return a signal of all vehicles in a frame.

        Args:
            name: A name of `SIGNALS`.
            frame_index: Index of the frame.

        Returns:
            Indices of the lives with a row in the frame, int64[n], and the values, float64[n], NaN where there is none.
        """
        order, frames = self._by_frame
        first, last = frames.searchsorted((frame_index, frame_index + 1)).tolist()
        rows = order[first:last]
        values = self.columns[SIGNALS[name].column][rows].astype(np.float64)
        return self.vehicles.life[rows], values

    @cached_property
    def _by_frame(self) -> tuple[IntArray, IntArray]:
        """The rows in order of frames, and their frames."""
        order = np.argsort(self.vehicles.frame, kind="stable")
        return order, self.vehicles.frame[order]

    @cached_property
    def least_ttc(self) -> FloatArray:
        """The smallest TTC in each frame of the recording, s: float64[frames], inf where there is none."""
        order, frames = self._by_frame
        least = np.full(len(self.snapshot), np.inf)
        starts = np.flatnonzero(np.diff(frames, prepend=-1))
        if len(starts):
            ttc = self.columns["TTC"][order].astype(np.float64)
            least[frames[starts]] = np.minimum.reduceat(np.where(np.isnan(ttc), np.inf, ttc), starts)
        return least

    @cached_property
    def risks(self) -> StructuredArray:
        """The stretches at risk in order of time: dtype `RISK`, read-only; frames that follow one another are one."""
        level = self.columns["risk_level"]
        ttc = self.columns["TTC"]
        rows = np.flatnonzero(level)
        life = self.vehicles.life[rows]
        frame = self.vehicles.frame[rows]
        begins = np.ones(len(rows), np.bool_)
        begins[1:] = (life[1:] != life[:-1]) | (np.diff(rows) != 1) | (np.diff(frame) != self.frames.step)
        heads = np.flatnonzero(begins)
        risks = np.zeros(len(heads), RISK)
        if len(heads):
            tails = np.append(heads[1:], len(rows))
            stretch = np.cumsum(begins) - 1
            worst = rows[np.lexsort((ttc[rows], stretch))[heads]]
            risks["life"] = life[heads]
            risks["first"] = frame[heads]
            risks["last"] = frame[tails - 1]
            risks["level"] = np.maximum.reduceat(level[rows], heads)
            risks["worst"] = self.vehicles.frame[worst]
            risks["ttc"] = ttc[worst]
            risks["leader"] = self.vehicles.life[self.columns["leader"][worst]]
        risks = risks[np.lexsort((risks["life"], risks["first"]))]
        risks.flags.writeable = False
        return risks

    # --- the table --------------------------------------------------------------------------------------

    def table(self, lives: BoolArray | None = None) -> "pl.DataFrame":
        """Return the L1 table, ordered by life and frame.

        Args:
            lives: The lives in it, bool by index; None: all.

        Raises:
            LibraryMissing: polars is not installed.
        """
        from .table import build_table

        rows: Columns = dict(self.columns)
        setting = Setting(self.step, self.options)
        rows |= self._recorded_columns()
        rows |= compute_specific_power(rows, setting)
        rows |= to_pixels(rows, setting)
        if self.options.extra:
            rows["x_img_registered"] = np.full(len(self), np.nan)
            rows["y_img_registered"] = np.full(len(self), np.nan)
        table = build_table(rows, self.options.extra)
        if lives is None:
            return table
        return table.filter(lives[self.vehicles.life])

    def about(self) -> dict[str, object]:
        """Return the metadata of the table: options, constants, and limits of the search for leaders."""
        facts: dict[str, object] = {
            "recording": self.recording_id,
            "median_step_s": None if math.isnan(self.step) else self.step,
            "source": "CARLA recording",
            "leaders": {"reach_m": MAX_DISTANCE, "heading_deg": math.degrees(MAX_HEADING_DIFFERENCE)},
        }
        if self.roads is not None:
            facts["road_map"] = self.roads.name
        return metadata(self.options, **facts)

    def export(self, target: Path, lives: BoolArray | None = None, *, overwrite: bool = False) -> None:
        """Write the table to a file, atomically.

        Args:
            target: The file (.parquet, .csv, .jsonl).
            lives: The lives in the table, bool by index; None: all.
            overwrite: Whether a file that nothing makes again may be replaced.

        Raises:
            AnalysisError: The ending is another one.
            LibraryMissing: polars or pyarrow is not installed.
            WouldReplace: There is a file that nothing makes again.
            SaveRefused: The file is the recording, or cannot be written safely.
            OSError: The file cannot be written.
        """
        from .table import write

        if self.snapshot.store.sources_at(target):
            raise SaveRefused(
                say("{name} is the recording itself, and would be replaced. Choose another name.", name=target.name)
            )
        write(self.table(lives), target, self.about(), overwrite=overwrite)

    def _recorded_columns(self) -> Columns:
        """Return the columns that need no computation; those that only highD has are empty."""
        vehicles = self.vehicles
        rows = len(self)
        per_recording = max(TRACKS_PER_RECORDING, 10 ** len(str(len(self.actors))))
        missing = np.full(rows, np.nan)
        columns: Columns = {
            "recordingId": np.full(rows, self.recording_id),
            "frame": vehicles.frame + 1,
            "trackId": vehicles.actor,
            "global_track_id": self.recording_id * per_recording + vehicles.life + 1,
            "time": vehicles.time,
            "x_raw": vehicles.x,
            "y_raw": vehicles.y,
            "height": 2 * vehicles.half_width,
            "d_lat": np.zeros(rows),
            "dist_headway_raw": missing,
            "time_headway_raw": missing,
            "ttc_raw": missing,
        }
        for name in ("laneId_raw", "drivingDirection"):
            columns[name] = self.columns.get(name, np.zeros(rows, np.int32))
        for name in SURROUNDINGS:
            row_name = name.removesuffix("Id")
            if row_name in self.columns:
                columns[name] = self._ids(row_name)
            else:
                columns[name] = np.zeros(rows, np.int32)
        columns["precedingId"] = self._ids("leader")
        columns["followingId"] = self._ids("follower")
        return columns

    def _ids(self, name: str) -> IntArray:
        """Return the ids of the actors in a column of rows; 0 for none."""
        row = self.columns[name]
        if len(row):
            return np.where(row == NO_LEADER, 0, self.vehicles.actor[row])
        return row


def lives_in(analysis: Analysis, subset: Subset) -> BoolArray:
    """Return which lives belong to a subset, bool by index."""
    return np.array([subset.holds(life) for life in analysis.actors], np.bool_)


def of_recording(
    recording: Recording | Snapshot,
    *,
    frames: range | None = None,
    options: Options = STANDARD,
    recording_id: int = 0,
    progress: Progress = SILENT,
) -> Analysis:
    """Analyse the vehicles of a recording.

    Args:
        recording: The recording.
        frames: Frame indices, a rising range without steps; None: all of them.
        options: Options of the L1 table; `raw_ttc` is ignored.
        recording_id: The number of the recording in the table.
        progress: Counts rows of the search for leaders, and cancels.

    Raises:
        AnalysisError: There are more than 5,000,000 positions.
        LibraryMissing: SciPy is not installed.
        Cancelled: The user cancelled.
        OSError: As `Store.read`.
    """
    snapshot = recording.snapshot
    actors = Actors.of(snapshot, progress.quiet())
    chosen = range(len(snapshot))
    if frames is not None:
        chosen = chosen[frames.start : frames.stop]
    step = median_step(snapshot.elapsed)
    vehicles = read_vehicles(snapshot, actors, chosen, step)
    progress.check()
    roads = snapshot.roads
    lanes: VehicleLanes | None = None
    by_lane: LaneDistances | None = None
    if roads is not None:
        lanes = VehicleLanes(roads, vehicles)
        by_lane = lanes.ahead
    leaders = find_leaders(vehicles, build_paths(vehicles), progress, by_lane=by_lane)
    setting = Setting(step, replace(options, raw_ttc=False))
    begins = np.zeros(len(vehicles.life), np.bool_)
    begins[find_runs(vehicles.life, vehicles.frame)] = True
    rows: Columns = {
        "leader": leaders.row,
        "leader_place": vehicles.distance + leaders.ahead,
        "s_long": vehicles.distance,
        "width": 2 * vehicles.half_length,
        "veh_class": vehicles.kind,
        "v_long_raw": vehicles.speed,
        "a_long_raw": slopes(vehicles.time, vehicles.speed, begins),
    }
    rows |= _smooth_resampled(vehicles, setting)
    rows |= measure_following(rows, setting)
    rows |= assess_risk(rows, setting)
    rows |= compute_fuel(rows, setting)
    rows["follower"] = followers(leaders, rows["dist_headway"])
    if lanes is not None:
        rows |= lanes.columns()
    return Analysis(
        snapshot=snapshot,
        actors=actors,
        frames=chosen,
        step=step,
        vehicles=vehicles,
        columns=rows,
        options=setting.options,
        recording_id=recording_id,
        roads=roads,
    )


def _smooth_resampled(vehicles: VehicleRows, setting: Setting) -> Columns:
    """Step 4 on uneven times: resample to the median step, smooth, and interpolate back."""
    if not len(vehicles.life):
        return {"v_long_smooth": np.zeros(0), "a_long_smooth": np.zeros(0)}
    # A row without a finite time is a run by itself, as is every row if time never advances.
    time = np.where(np.isfinite(vehicles.time), vehicles.time, 0.0)
    step = 1.0
    if math.isfinite(setting.step) and setting.step >= _SHORTEST_STEP:
        step = setting.step
    even, starts, times = resample(time, vehicles.speed, vehicles.runs, step)
    speed, slope = smooth_speed(even, starts, step, window=setting.options.window, order=setting.options.order)
    return {
        "v_long_smooth": interpolate(times, speed, starts, wanted=time, firsts=vehicles.runs),
        "a_long_smooth": interpolate(times, slope, starts, wanted=time, firsts=vehicles.runs),
    }
