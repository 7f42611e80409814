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
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray, row_type
from ..edits.interpolation import median_step
from ..errors import SaveRefused
from ..progress import SILENT, Progress
from ..reading import Actors, Subset
from ..reading.motion import slopes
from ..recording import Recording, Snapshot
from ..roads import RoadMap
from ..texts import say
from .constants import NO_LEADER, SIGNALS, STANDARD, SURROUNDINGS, TRACKS_PER_RECORDING, Options, SignalKind, metadata
from .kinematics import find_runs, interpolate, resample, smooth_speed
from .lanes import VehicleLanes
from .leaders import MAX_DISTANCE, MAX_HEADING_DIFFERENCE, find_leaders, followers
from .paths import VehicleRows, build_paths, read_vehicles
from .steps import Columns, Setting, assess_risk, compute_fuel, compute_specific_power, measure_following, to_pixels

if TYPE_CHECKING:
    import polars as pl


RISK = row_type("life:i8 leader:i8 level:i1 first:i8 last:i8 worst:i8 ttc", align=True)
"""A stretch at risk: `life` (index) behind `leader` (index, that of the worst moment), the highest `level` (1 or 2),
from frame `first` to frame `last` (indices, both in), the frame of the `worst` moment and the TTC then (s)."""

_LEAST_STEP = 1e-9
"""Seconds: the slopes of shorter ones are endless."""


class Signal(NamedTuple):
    """A signal of one life: its kind, `frames` (indices, int64[n], rising), `times` (s) and `values` (float64[n], NaN
    where there is none)."""

    kind: SignalKind
    frames: IntArray
    times: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class Analysis:
    """The analysis of a state of a recording.

    Attributes: `snapshot` (that state), `actors`, `frames` (the analysed range), `step` (median step, s),
    `vehicles` (the rows: life, frame, position), `columns` (arrays in the order of these rows, named as in the L1
    table, with `leader`, the row of each row's leader or -1), `options`, `recording_id`, `roads` (the road map that
    lanes were found on, or None).
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
        """The number of rows."""
        return len(self.vehicles.life)

    def rows_of(self, life: int) -> slice:
        """The rows of a life, by its index; empty where it is not a vehicle."""
        first, last = self.vehicles.life.searchsorted((life, life + 1)).tolist()
        return slice(first, last)

    def signal(self, name: str, life: int) -> Signal:
        """A signal of a life, by a name of `SIGNALS` and the life's index; raises KeyError for another name."""
        kind = SIGNALS[name]
        rows = self.rows_of(life)
        values = self.columns[kind.column][rows].astype(np.float64)
        return Signal(kind, self.vehicles.frame[rows], self.vehicles.time[rows], values)

    def row_at(self, life: int, frame_index: int) -> int | None:
        """The row of a life in a frame, None where it has none."""
        rows = self.rows_of(life)
        row = rows.start + int(self.vehicles.frame[rows].searchsorted(frame_index))
        return row if row < rows.stop and self.vehicles.frame[row] == frame_index else None

    def leader_of(self, life: int, frame_index: int) -> int | None:
        """The life (index) that drives ahead of a life in a frame, None without one."""
        row = self.row_at(life, frame_index)
        if row is None:
            leader = NO_LEADER
        else:
            leader = int(self.columns["leader"][row])
        if leader == NO_LEADER:
            return None
        return int(self.vehicles.life[leader])

    def values_at(self, name: str, frame_index: int) -> tuple[IntArray, FloatArray]:
        """The lives (indices) with a row in a frame and a signal of `SIGNALS` of each, NaN where there is none."""
        order, frames = self._by_frame
        first, last = frames.searchsorted((frame_index, frame_index + 1)).tolist()
        rows = order[first:last]
        return self.vehicles.life[rows], self.columns[SIGNALS[name].column][rows].astype(np.float64)

    @cached_property
    def _by_frame(self) -> tuple[IntArray, IntArray]:
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
        if len(rows):
            tails = np.append(heads[1:], len(rows))
        else:
            tails = heads
        stretch = np.cumsum(begins) - 1
        if len(rows):
            worst = rows[np.lexsort((ttc[rows], stretch))[heads]]
        else:
            worst = rows
        made = np.zeros(len(heads), RISK)
        made["life"], made["first"], made["last"] = life[heads], frame[heads], frame[tails - 1]
        if len(heads):
            made["level"] = np.maximum.reduceat(level[rows], heads)
        else:
            made["level"] = 0
        made["worst"], made["ttc"] = self.vehicles.frame[worst], ttc[worst]
        made["leader"] = self.vehicles.life[self.columns["leader"][worst]]
        made = made[np.lexsort((made["life"], made["first"]))]
        made.flags.writeable = False
        return made

    # --- the table --------------------------------------------------------------------------------------

    def table(self, lives: BoolArray | None = None) -> "pl.DataFrame":
        """The L1 table, ordered by life and frame; only of the lives given (bool by index), if any.

        Raises `LibraryMissing` without polars.
        """
        from .table import build_table

        rows: Columns = dict(self.columns)
        setting = Setting(self.step, self.options)
        rows |= self._recorded_columns()
        rows |= compute_specific_power(rows, setting)
        rows |= to_pixels(rows, setting)
        if self.options.extra:
            rows |= {name: np.full(len(self), np.nan) for name in ("x_img_registered", "y_img_registered")}
        made = build_table(rows, self.options.extra)
        if lives is None:
            return made
        return made.filter(lives[self.vehicles.life])

    def about(self) -> dict[str, object]:
        """The metadata of the table: options, constants, and limits of the search for leaders."""
        step = None if math.isnan(self.step) else self.step
        return metadata(
            self.options,
            recording=self.recording_id,
            median_step_s=step,
            source="CARLA recording",
            leaders={"reach_m": MAX_DISTANCE, "heading_deg": math.degrees(MAX_HEADING_DIFFERENCE)},
            **({} if self.roads is None else {"road_map": self.roads.name}),
        )

    def export(self, target: Path, lives: BoolArray | None = None, *, overwrite: bool = False) -> None:
        """Write the table to `target` (.parquet, .csv, .jsonl), atomically.

        Without `overwrite` a file that nothing makes again stays. Raises `AnalysisError` for another ending,
        `LibraryMissing`, `WouldReplace`, `SaveRefused` and OSError.
        """
        from .table import write

        if self.snapshot.store.sources_at(target):
            raise SaveRefused(
                say("{name} is the recording itself, and would be replaced. Choose another name.", name=target.name)
            )
        write(self.table(lives), target, self.about(), overwrite=overwrite)

    def _recorded_columns(self) -> Columns:
        vehicles = self.vehicles
        rows = len(self)
        per_recording = max(TRACKS_PER_RECORDING, 10 ** len(str(len(self.actors))))
        nothing = np.full(rows, np.nan)
        return {
            "recordingId": np.full(rows, self.recording_id),
            "frame": vehicles.frame + 1,
            "trackId": vehicles.actor,
            "global_track_id": self.recording_id * per_recording + vehicles.life + 1,
            "time": vehicles.time,
            "x_raw": vehicles.x,
            "y_raw": vehicles.y,
            "height": 2 * vehicles.half_width,
            "d_lat": np.zeros(rows),
            **dict.fromkeys(("laneId_raw", "drivingDirection", *SURROUNDINGS), np.zeros(rows, np.int32)),
            **{name: self.columns[name] for name in ("laneId_raw", "drivingDirection") if name in self.columns},
            **{name: self._ids(each) for name in SURROUNDINGS if (each := name.removesuffix("Id")) in self.columns},
            **dict.fromkeys(("dist_headway_raw", "time_headway_raw", "ttc_raw"), nothing),
            "precedingId": self._ids("leader"),
            "followingId": self._ids("follower"),
        }

    def _ids(self, name: str) -> IntArray:
        row = self.columns[name]
        if len(row):
            return np.where(row == NO_LEADER, 0, self.vehicles.actor[row])
        return row


def lives_in(analysis: Analysis, subset: Subset) -> BoolArray:
    """Which lives belong to a subset: bool by index."""
    return np.array([subset.holds(life) for life in analysis.actors], np.bool_)


def of_recording(
    recording: Recording | Snapshot,
    *,
    frames: range | None = None,
    options: Options = STANDARD,
    recording_id: int = 0,
    progress: Progress = SILENT,
) -> Analysis:
    """Analyse the vehicles of a recording, in these frames (a rising range without steps; None: all of them).

    `options.raw_ttc` is ignored. `progress` counts rows of the search for leaders. Raises `AnalysisError` for
    more than 5,000,000 positions, `LibraryMissing` without SciPy, `Cancelled`, and errors of reading as `Store.read`.
    """
    snapshot = recording.snapshot
    actors = Actors.of(snapshot, progress.quiet())
    if frames is None:
        chosen = range(len(snapshot))
    else:
        chosen = range(len(snapshot))[frames.start : frames.stop]
    step = median_step(snapshot.elapsed)
    vehicles = read_vehicles(snapshot, actors, chosen, step)
    progress.check()
    roads = snapshot.roads
    if roads is None:
        lanes = None
    else:
        lanes = VehicleLanes(roads, vehicles)
    by_lane = None if lanes is None else lanes.ahead
    found = find_leaders(vehicles, build_paths(vehicles), progress, by_lane=by_lane)
    setting = Setting(step, Options(options.window, options.order, raw_ttc=False, extra=options.extra))
    begins = np.zeros(len(vehicles.life), np.bool_)
    begins[find_runs(vehicles.life, vehicles.frame)] = True
    rows: Columns = {
        "leader": found.row,
        "leader_place": vehicles.distance + found.ahead,
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
    rows["follower"] = followers(found, rows["dist_headway"])
    if lanes is not None:
        rows |= lanes.columns()
    return Analysis(snapshot, actors, chosen, step, vehicles, rows, setting.options, recording_id, roads)


def _smooth_resampled(vehicles: VehicleRows, setting: Setting) -> Columns:
    """Step 4 on uneven times: resampled to the median step, smoothed, and interpolated back."""
    if not len(vehicles.life):
        return {"v_long_smooth": np.zeros(0), "a_long_smooth": np.zeros(0)}
    # A row without a finite time is a run by itself, as is every row if time never advances.
    time = np.where(np.isfinite(vehicles.time), vehicles.time, 0.0)
    step = setting.step if math.isfinite(setting.step) and setting.step >= _LEAST_STEP else 1.0
    even, starts, times = resample(time, vehicles.speed, vehicles.runs, step)
    speed, slope = smooth_speed(even, starts, step, setting.options.window, setting.options.order)
    back = (interpolate(times, column, starts, time, vehicles.runs) for column in (speed, slope))
    return dict(zip(("v_long_smooth", "a_long_smooth"), back, strict=True))
