"""Rows to frames: a place of every road user in each frame of its life, and how it moves there.

Rows come in order of time and are worked on in blocks, so that memory does not grow with the length of the file. A
block is finished as far as it is known what comes next: gaps are filled from the rows on both sides.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...arrays import AnyArray, BoolArray, FloatArray, IndexArray, IntArray, StructuredArray
from ...format import Dialect
from ...progress import SILENT, Progress
from ...texts import say
from .ground import ground_under
from .lives import Lives
from .options import Origin, RecordingOptions
from .trajectories import BLOCK_ROWS, Trajectories, TrajectoryError, small_numbers

Columns = dict[str, AnyArray]
"""Road users in frames, by columns of shape (n,).

`frame` and `life` are indices; `x y z` the centre of the box, of `ground` the height below it where no row tells z
(m); `roll pitch yaw` radians in the axes of the simulator; `vx vy vz` m/s, `turn` radians/s, `speed` along the heading,
`accel` m/s2, `distance` m driven since its birth; `born`: it was not there in the frame before.
"""

Frames = tuple[FloatArray, IntArray, BoolArray]
"""Times of frames, float64[m]; of each row the first frame at or behind it, int64[n], and whether it is at that."""

_NUMBERS = ("x", "y", "z", "roll", "pitch", "yaw", "vx", "vy", "vz")
_MARGIN = 2  # frames on both sides that speeds and accelerations are found by
_MIN_SPEED = 0.5  # m/s; a slower one gives no heading
_MOST_FRAMES = 100_000  # of few rows, by a short step
_FRAMES_A_ROW = 20
_MOST_SAMPLES = 4 * BLOCK_ROWS  # of a block
_LEAST_FRAMES = 16  # of a block
_ROUNDING = 1e-6  # of a step, by which times are off their frames
_SAME_TIME = 1e-6  # s; times of one moment that were added up in several ways differ by less


class FrameBlock(NamedTuple):
    """Neighbouring frames.

    Attributes:
        first: Index of the first frame.
        elapsed: Seconds since the first frame of the recording, float64[frames].
        next_elapsed: That of the frame behind the last one; None: there is none.
        samples: Road users in these frames, ordered by frame.
        actors: What is known of the lives of these: columns of `Lives.table`, of shape (n,).
        gone: Frames, and lives that ended in the frame before: int64[n, 2].
    """

    first: int
    elapsed: FloatArray
    next_elapsed: float | None
    samples: Columns
    actors: Columns
    gone: IntArray


class Sampler:
    """Samples of trajectories, block by block.

    Attributes:
        lives: The lives of the rows that were read.
    """

    def __init__(self, trajectories: Trajectories, options: RecordingOptions, dialect: Dialect) -> None:
        self._trajectories = trajectories
        self._options = options
        self._roads = options.roads
        self.lives = Lives(
            trajectories, dialect, hero=options.hero or "", gap=options.gap, split_jumps=options.split_jumps
        )
        self._rows: Columns = {}
        self._life = np.zeros(0, np.int64)
        self._begin: float | None = None  # time of the first row of the file
        self._zero: float | None = None  # time of the first frame
        self._base = 0  # index of the frame of the first row that is kept
        self._done = 0  # frames that were given

    def blocks(self, progress: Progress = SILENT) -> Iterator[FrameBlock]:
        """Yield blocks of frames in order.

        Args:
            progress: Counts rows.

        Raises:
            TrajectoryError: A road user has two rows at one time, or the step makes far too many frames.
            OSError: The rows cannot be read.
            Cancelled: The user stopped it.
        """
        count = len(self._trajectories.rows)
        read = 0
        waiting: list[Columns] = []
        waiting_rows = 0
        for rows in self._trajectories.rows.blocks():
            progress.update(read, count)
            read += len(rows)
            chosen = self._chosen(rows)
            if len(chosen["time"]):
                waiting.append(chosen)
                waiting_rows += len(chosen["time"])
            if waiting_rows < BLOCK_ROWS:
                continue
            self._take(waiting)
            waiting = []
            waiting_rows = 0
            yield from self._blocks(is_last=False)
        if waiting:
            self._take(waiting)
        yield from self._blocks(is_last=True)
        progress.update(count, count)

    def _chosen(self, rows: StructuredArray) -> Columns:
        """The rows in the chosen range of time, in the axes of the simulator."""
        options = self._options
        if self._begin is None and len(rows):
            self._begin = float(rows["time"][0])
        seconds = rows["time"] - (self._begin or 0.0)
        is_in = np.ones(len(rows), np.bool_)
        # A row that is before the time only by rounding counts as not before it.
        if options.start is not None:
            is_in &= seconds >= options.start - 1e-6
        if options.stop is not None:
            is_in &= seconds < options.stop - 1e-6
        if not is_in.all():
            rows = rows[is_in]
        columns: Columns = {name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names or ()}
        in_simulator_axes(columns, is_mirrored=self._trajectories.axes == "opendrive", origin=options.origin)
        return columns

    def _take(self, waiting: list[Columns]) -> None:
        """Add rows to those that are kept, with their lives."""
        kept = len(self._life)
        parts = waiting
        if self._rows:
            parts = [self._rows, *waiting]
        self._rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        new = {name: column[kept:] for name, column in self._rows.items()}
        last = -np.inf
        if kept:
            last = float(self._rows["time"][kept - 1])
        _join_times(new["time"], last)
        if self._zero is None:
            self._zero = float(new["time"][0])
        self._life = np.concatenate((self._life, self.lives.assign(new)))
        step = self._options.step
        if not step:
            return
        count = len(self._trajectories.rows)
        frames = (float(new["time"][-1]) - self._zero) / step
        if frames > max(_MOST_FRAMES, _FRAMES_A_ROW * count):
            raise TrajectoryError(
                say(
                    "A step of {step:g} s would make {frames:,.0f} frames of {rows:,} rows; choose a longer one.",
                    step=step,
                    frames=frames,
                    rows=count,
                )
            )

    def _blocks(self, *, is_last: bool) -> Iterator[FrameBlock]:
        """The frames that can be finished with the rows that are kept; many short steps make several blocks."""
        if not len(self._life):
            return
        frames = self._frames()
        block = self._block(frames, is_last=is_last)
        while block is not None:
            yield block
            block = self._block(frames, is_last=is_last)
        if not is_last and self._done > self._base:
            times, _, _ = frames
            self._drop(times)

    def _block(self, frames: Frames, *, is_last: bool) -> FrameBlock | None:
        """Some of these frames; None: there are no more."""
        zero = self._zero or 0.0
        times, row_frame, is_on_frame = frames
        stop = self._base + len(times)
        if not is_last:
            horizon = self._rows["time"][-1] - self.lives.gap
            stop = self._base + int(np.searchsorted(times, horizon, side="right")) - _MARGIN
        if stop <= self._done:
            return None
        begin, end, order = self._spans(row_frame, is_on_frame)
        count = int(np.maximum(end - np.maximum(begin, self._done - self._base), 0).sum())
        if count > _MOST_SAMPLES:
            most = max(_LEAST_FRAMES, (self._base + len(times) - self._done) * _MOST_SAMPLES // count)
            stop = min(stop, self._done + most)
        columns, next_row = self._sampled(times, begin, end, order, stop - self._base + _MARGIN)
        self._move(columns, times)
        frame = columns["frame"] + self._base
        columns["frame"] = frame
        is_end = ~next_row
        is_before = (frame >= self._done - 1) & (frame < stop - 1) & is_end
        gone = np.stack((frame[is_before] + 1, columns["life"][is_before]), axis=1)
        given = np.flatnonzero((frame >= self._done) & (frame < stop))
        self._drive(columns, given)
        order = given[np.argsort(small_numbers(frame[given] - self._done), kind="stable")]
        samples = {name: column.take(order) for name, column in columns.items()}
        next_elapsed = None
        if stop < self._base + len(times):
            next_elapsed = float(times[stop - self._base]) - zero
        elapsed = times[self._done - self._base : stop - self._base] - zero
        block = FrameBlock(
            first=self._done,
            elapsed=elapsed,
            next_elapsed=next_elapsed,
            samples=samples,
            actors=self.lives.columns_of(samples["life"]),
            gone=gone,
        )
        self._done = stop
        return block

    def _frames(self) -> Frames:
        """The frames from `_base` on, and which of these the rows are at or before."""
        time = self._rows["time"]
        step = self._options.step
        if not step:
            is_new = np.ones(len(time), np.bool_)
            is_new[1:] = time[1:] != time[:-1]
            return time[is_new], np.cumsum(is_new) - 1, np.ones(len(time), np.bool_)
        exact = (time - (self._zero or 0.0)) / step
        number = np.ceil(exact - _ROUNDING).astype(np.int64)
        count = int(np.floor(exact[-1] + _ROUNDING)) + 1 - self._base
        times: FloatArray = (self._zero or 0.0) + step * (self._base + np.arange(max(count, 0), dtype=np.float64))
        return times, number - self._base, np.abs(exact - number) <= 2 * _ROUNDING

    def _spans(self, row_frame: IntArray, is_on_frame: BoolArray) -> tuple[IntArray, IntArray, IndexArray]:
        """The frames in which each row tells the place, first and behind the last, by life and time; and that order."""
        order = np.argsort(small_numbers(self._life - self._life.min()), kind="stable")
        begin = row_frame[order]
        end = np.where(self._goes_on(order), np.roll(begin, -1), begin + is_on_frame[order])
        return begin, end, order

    def _goes_on(self, order: IndexArray) -> BoolArray:
        """Whether the next row in an order is of the same life."""
        life = self._life[order]
        goes_on = np.zeros(len(life), np.bool_)
        goes_on[:-1] = life[1:] == life[:-1]
        return goes_on

    def _sampled(
        self, times: FloatArray, begin: IntArray, end: IntArray, order: IndexArray, limit: int
    ) -> tuple[Columns, BoolArray]:
        """Places in frames, ordered by life and frame, and whether the life goes on in the next one.

        Args:
            times: Times of the frames, which are counted from `_base`.
            begin: The first frame of each row, in the order.
            end: The frame behind its last one.
            order: Rows by life and time.
            limit: The frame behind the last one that is made; those before `_done` by more than the margin are not.
        """
        first = np.clip(begin, self._done - self._base - _MARGIN, limit)
        count = np.maximum(np.minimum(end, limit) - first, 0)
        rows = np.repeat(np.arange(len(order)), count)
        frame = first[rows]
        is_row = bool((end - begin == 1).all()) and not self._options.step
        if not is_row:
            frame = frame + np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        life = self._life[order]
        source = order[rows]
        columns: Columns = {"frame": frame, "life": life[rows]}
        for name in _NUMBERS:
            if name in self._rows:
                columns[name] = self._rows[name].take(source).astype(np.float64)
            else:
                columns[name] = np.full(len(source), np.nan)
        if not is_row:
            following = order[np.minimum(rows + 1, len(order) - 1)]
            share = self._shares(times[frame], source, following, self._goes_on(order)[rows])
            for name in _NUMBERS:
                if name in self._rows:
                    ahead = self._rows[name].take(following)
                    _interpolate(columns[name], ahead, share, is_angle=name in ("roll", "pitch", "yaw"))
        next_row = np.zeros(len(frame), np.bool_)
        next_row[:-1] = columns["life"][1:] == columns["life"][:-1]
        return columns, next_row

    def _shares(self, time: FloatArray, source: IndexArray, following: IndexArray, goes_on: BoolArray) -> FloatArray:
        """How far frames are from their rows to the next ones, 0 to 1."""
        row_time = self._rows["time"]
        seconds = np.where(goes_on, row_time[following] - row_time[source], 1.0)
        share = np.where(goes_on, (time - row_time[source]) / seconds, 0.0)
        return np.clip(share, 0.0, 1.0)

    def _move(self, columns: Columns, times: FloatArray) -> None:
        """Add velocities, headings, heights and slopes where rows do not tell them."""
        neighbours = _Neighbours(columns["life"])
        columns["born"] = neighbours.is_first
        time = times[columns["frame"]]
        seconds = neighbours.difference(time)
        pace = np.divide(1.0, seconds, out=np.zeros(len(time)), where=seconds > 0)
        for name in "xy":
            _fill(columns["v" + name], neighbours.difference(columns[name]) * pace)
        self._head(columns)
        self._stand(columns)
        _fill(columns["vz"], neighbours.difference(columns["z"]) * pace)
        yaw = columns["yaw"]
        turned = neighbours.difference(yaw)
        turned -= 2 * np.pi * np.round(turned / (2 * np.pi))
        columns["turn"] = turned * pace
        speed = columns["vx"] * np.cos(yaw) + columns["vy"] * np.sin(yaw)
        columns["speed"] = speed
        columns["accel"] = neighbours.difference(speed) * pace
        columns["distance"] = speed * neighbours.step(time)

    def _head(self, columns: Columns) -> None:
        """Give those a heading that have none: that of their velocity, or the last one where they are slow."""
        yaw = columns["yaw"]
        missing = np.isnan(yaw)
        if not missing.any():
            return
        vx = columns["vx"]
        vy = columns["vy"]
        is_moving = missing & (np.hypot(vx, vy) >= _MIN_SPEED)
        yaw[is_moving] = np.arctan2(vy[is_moving], vx[is_moving])
        self._hold(columns, "yaw", 0.0)

    def _stand(self, columns: Columns) -> None:
        """Put those on the ground that have no height, and tilt those without an attitude as the ground."""
        origin = self._options.origin
        missing = np.isnan(columns["z"])
        columns["on_ground"] = missing
        if self._roads is not None:
            walks = self.lives.table["is_walker"][columns["life"]]
            height, roll, pitch = ground_under(
                self._roads, columns["x"], columns["y"], np.where(missing, np.nan, columns["z"]), columns["yaw"]
            )
            columns["z"] = np.where(missing, height, columns["z"])
            for name, slope in (("roll", roll), ("pitch", pitch)):
                _fill(columns[name], np.where(walks, 0.0, slope))
        for name in ("roll", "pitch"):
            columns[name] = np.nan_to_num(columns[name], nan=0.0)
        if np.isnan(columns["z"]).any():
            self._hold(columns, "z", origin.z)

    def _hold(self, columns: Columns, name: str, default: float) -> None:
        """Replace NaN in a column by the last value of the same life, else by its next one, else by a default."""
        life = columns["life"]
        values = columns[name]
        is_known = ~np.isnan(values)
        if not is_known.any():
            values[:] = self.lives.table[name][life]
            np.nan_to_num(values, copy=False, nan=default)
            return
        here = np.arange(len(values))
        first = np.maximum.accumulate(np.where(columns["born"], here, 0))
        last = np.maximum.accumulate(np.where(is_known, here, -1))
        carried = self.lives.table[name][life]
        is_held = last >= first
        values[:] = np.where(is_held, values[np.maximum(last, 0)], carried)
        behind = np.minimum.accumulate(np.where(is_known, here, len(values))[::-1])[::-1]
        end = np.minimum(behind, len(values) - 1)
        is_ahead = (behind < len(values)) & (life[end] == life)
        values[:] = np.where(np.isnan(values) & is_ahead, values[end], values)
        np.nan_to_num(values, copy=False, nan=default)

    def _drive(self, columns: Columns, given: IndexArray) -> None:
        """Add up the ways of the frames that are given, and keep what their lives go on with."""
        if not len(given):
            return
        table = self.lives.table
        life = columns["life"][given]
        ways = np.where(columns["born"][given], 0.0, columns["distance"][given])
        is_first = np.ones(len(life), np.bool_)
        is_first[1:] = life[1:] != life[:-1]
        starts = np.flatnonzero(is_first)
        total = np.cumsum(ways)
        before = np.where(starts > 0, total[starts - 1], 0.0)
        offset = table["distance"][life[starts]] - before
        lengths = np.diff(np.append(starts, len(life)))
        distance = total + np.repeat(offset, lengths)
        columns["distance"][given] = distance
        ends = starts + lengths - 1
        table["distance"][life[ends]] = distance[ends]
        for name in ("yaw", "z"):
            table[name][life[ends]] = columns[name][given[ends]]

    def _drop(self, times: FloatArray) -> None:
        """Forget the rows that no later frame needs."""
        first = max(self._done - _MARGIN - self._base, 0)
        keep_from = times[first] - self.lives.gap
        time = self._rows["time"]
        dropped = int(np.searchsorted(time, keep_from, side="left"))
        if not self._options.step:
            self._base += int(np.count_nonzero(time[1 : dropped + 1] != time[:dropped]))
        else:
            self._base += int(np.searchsorted(times, keep_from, side="left"))
        self._rows = {name: column[dropped:].copy() for name, column in self._rows.items()}
        self._life = self._life[dropped:].copy()


class _Neighbours:
    """The samples of the same lives in the frames before and after; at an end of a life the sample itself.

    Attributes:
        is_first: Whether a sample is the first one of its life, bool[n].
    """

    def __init__(self, life: IntArray) -> None:
        """Find the ends of lives.

        Args:
            life: The lives of the samples, which are ordered by life and frame: int64[n].
        """
        goes_on = np.zeros(len(life) + 1, np.bool_)
        goes_on[1:-1] = life[1:] == life[:-1]
        self.is_first = ~goes_on[:-1]
        self._ends = np.flatnonzero(~(goes_on[:-1] & goes_on[1:]))
        self._before = self._ends - goes_on[self._ends]
        self._after = self._ends + goes_on[self._ends + 1]

    def difference(self, values: FloatArray) -> FloatArray:
        """Return the values after samples minus those before them, float64[n]."""
        result = np.empty(len(values))
        np.subtract(values[2:], values[:-2], out=result[1:-1])
        result[self._ends] = values[self._after] - values[self._before]
        return result

    def step(self, values: FloatArray) -> FloatArray:
        """Return the values minus those before them, float64[n]: 0 of the first ones."""
        result = np.zeros(len(values))
        np.subtract(values[1:], values[:-1], out=result[1:])
        result[self.is_first] = 0.0
        return result


def in_simulator_axes(rows: Columns, *, is_mirrored: bool, origin: Origin) -> None:
    """Put rows into the axes of the simulator and into its world.

    Args:
        rows: Columns of `ROW`; x and y are there, others may be.
        is_mirrored: They have the axes of OpenDRIVE.
        origin: Where their origin is in the world.
    """
    if is_mirrored:
        for name in ("y", "pitch", "yaw", "vy"):
            if name in rows:
                rows[name] = -rows[name]
    turn = np.radians(origin.yaw)
    if turn:
        for prefix in ("", "v"):
            if prefix + "x" not in rows:
                continue
            along = rows[prefix + "x"]
            across = rows[prefix + "y"]
            rows[prefix + "x"] = (np.cos(turn) * along - np.sin(turn) * across).astype(along.dtype)
            rows[prefix + "y"] = (np.sin(turn) * along + np.cos(turn) * across).astype(across.dtype)
        if "yaw" in rows:
            rows["yaw"] += turn
    rows["x"] += origin.x
    rows["y"] += origin.y  # makes a mirrored 0 positive again
    if origin.z and "z" in rows:
        rows["z"] += origin.z


def _join_times(time: FloatArray, last: float) -> None:
    """Give times that are the same but for rounding the first one of them.

    Args:
        time: Times of rows in order, s: float64[n], n at least 1.
        last: The time before them.
    """
    is_new = np.diff(time, prepend=last) > _SAME_TIME
    first = np.maximum.accumulate(np.where(is_new, np.arange(len(time)), -1))
    time[:] = np.where(first >= 0, time[first], last)


def _interpolate(values: FloatArray, following: AnyArray, share: FloatArray, *, is_angle: bool) -> None:
    """Move values to the next ones by shares; those with a share of 0 stay as they are."""
    moved = following - values
    if is_angle:
        moved = moved - 2 * np.pi * np.round(moved / (2 * np.pi))
    np.add(values, share * moved, out=values, where=share > 0)


def _fill(values: FloatArray, others: FloatArray) -> None:
    """Replace NaN by other values."""
    np.copyto(values, others, where=np.isnan(values))
