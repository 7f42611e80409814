"""Holding an actor still: within a range of frames it follows its recorded path at another pace.

It brakes, stops and catches up, so that its pose in the first and last frame is the recorded one. Its records are those
of the time at which it was at that point of its path, with speeds scaled by the pace.
"""

from typing import Any, NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray, IntArray
from ...errors import EditError, NothingToDo
from ...format.schema import PacketType
from ...progress import SILENT, Progress
from ...recording.blocks import Block, Bytes
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.place import RecordingLike
from ...recording.snapshot import Snapshot
from ...recording.tracks import Tracks
from ..actors.stream import Frames, RigidTransform, Stream
from ..interpolation import HIT, interpolate, locate
from ..records import RecordSelection
from ..uniform_frames import Patterns, Records
from .motion import rotated, wrapped
from .moved_actors import MovedActors, elapsed_in
from .ranges import weights

_ANGLES = np.array([False, False, False, True, True, True])


def hold_actor(
    recording: RecordingLike,
    life: Life,
    frames: range | None = None,
    *,
    ease_in: float = 1.0,
    ease_out: float = 1.0,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that holds an actor still within `frames` (indices; None: its whole life), on its own path.

    It brakes within the first `ease_in` seconds and catches up within the last `ease_out` seconds; 0 is at once. Place,
    velocity, controls, wheels and walking speed are those of its path at that pace; while it is still, it has no
    velocity and brakes. The first and the last frame do not change. Attached actors with a Position move with it.
    Raises `EditError` for traffic actors, for an actor without Position, for easing that does not fit into the frames,
    and if times do not rise; `NothingToDo` if it is still already.
    """
    snapshot = recording.snapshot
    held = _HeldActor(snapshot, life, frames, ease_in, ease_out)
    return held.moved.edit("hold_actor", "Hold %", held, progress, extra=held.visit, ease_in=ease_in, ease_out=ease_out)


def paced(times: FloatArray, ease_in: float, ease_out: float) -> tuple[FloatArray, FloatArray]:
    """The time on the recorded path at each time, and the pace: 1 as recorded, 0 while it is still.

    Both are continuous if the easing is not 0. `times` rise, and the easing fits into them.
    """
    start, end = float(times[0]), float(times[-1])
    halt = start + ease_in / 2
    path, pace = np.full(len(times), halt), np.zeros(len(times))
    braking = times < start + ease_in
    if ease_in > 0:
        u = (times[braking] - start) / ease_in
        path[braking] = start + ease_in * (u - u**3 + u**4 / 2)
        pace[braking] = 1.0 - u * u * (3.0 - 2.0 * u)
    late = times > end - ease_out
    if ease_out > 0:
        # The pace is a rise from 0 to 1 plus a bow that covers the rest of the path.
        u, bow = (times[late] - end) / ease_out + 1.0, (end - halt) / ease_out - 0.5
        path[late] = halt + ease_out * (u**3 - u**4 / 2 + bow * u**3 * (10.0 - 15.0 * u + 6.0 * u * u))
        pace[late] = u * u * (3.0 - 2.0 * u) + bow * 30.0 * (u * (1.0 - u)) ** 2
    path[[0, -1]], pace[[0, -1]] = times[[0, -1]], 1.0
    return path, pace


class Timing(NamedTuple):
    """The timing of a held actor: `span` (frame indices), `times` (s), `path` and `pace` (see `paced`)."""

    span: range
    times: FloatArray
    path: FloatArray
    pace: FloatArray

    def source(self, frame: int) -> int:
        """The recorded frame whose pose it has in this frame."""
        at = frame - self.span.start
        return self.span.start + int(locate(self.times, self.path[at : at + 1])[0][0]) if frame in self.span else frame


def timing(snapshot: Snapshot, life: Life, frames: range, ease_in: float, ease_out: float) -> Timing:
    """The timing of a life that is held within frames. Raises `EditError` if that is not possible."""
    span = life.within(range(frames.start, min(frames.stop, len(snapshot))))
    if len(span) < 3:
        raise EditError(f"Actor {life.actor} is there in fewer than three of these frames; it cannot be held.")
    weights(snapshot, span, ease_in, ease_out)  # raises for easing that does not fit
    times = elapsed_in(snapshot, span)
    return Timing(span, times, *paced(times, ease_in, ease_out))


class _HeldActor:
    """The change of a held life and of the actors attached to it. Attribute: `moved`."""

    def __init__(self, snapshot: Snapshot, life: Life, frames: range | None, ease_in: float, ease_out: float) -> None:
        self.moved = MovedActors(snapshot, [life], frames)
        self.moved.refuse_without_path()
        self._life = life
        self._span, times, path, self._pace = timing(snapshot, life, self.moved.frames, ease_in, ease_out)
        self._brakes = np.where(times < times[-1] - ease_out + HIT, 1.0 - self._pace, 0.0)
        self._sources, share = locate(times, path)
        tracks = Tracks(snapshot)
        before = self._columns(tracks.path(life.actor, self._span), ("x", "y", "z", "roll", "pitch", "yaw"))
        self._before, self._after = before, self._sampled(before, share, _ANGLES)
        names = [f"{group}{axis}" for group in ("v", "w") for axis in "xyz"]
        self._old = self._columns(tracks.kinematics([life.actor], self._span), names)
        self._new = self._sampled(self._old, share, np.zeros(6, np.bool_)) * self._pace[:, None]
        with np.errstate(invalid="ignore"):
            self._turn = wrapped(self._after[:, 5] - before[:, 5])
            self._moves = (self._after != before).any(axis=1) & np.isfinite(self._after - before).all(axis=1)
        if not self._moves.any():
            raise NothingToDo(f"Actor {life.actor} stands still in these frames already.")
        self._patterns = Patterns(snapshot.dialect.packet)
        sources = Frames(self._span.start, self._span.start + self._sources, share)
        identity = RigidTransform((0.0, 0.0, 0.0), 0.0, (0.0, 0.0))
        self._stream = Stream(snapshot, snapshot, life.actor, sources, identity, life.actor)

    def _columns(self, table: Any, names: Any) -> FloatArray:
        """Columns by frame of the span, shape (n, 6); NaN for frames without a record."""
        made = np.full((len(self._span), len(names)), np.nan)
        with np.errstate(invalid="ignore"):
            made[table["frame"].astype(np.int64) - self._span.start] = np.column_stack(
                [table[name].astype(np.float64) for name in names]
            )
        return made

    def _sampled(self, values: FloatArray, share: FloatArray, angles: BoolArray) -> FloatArray:
        following = values[np.minimum(self._sources + 1, len(values) - 1)]
        columns = (
            interpolate(values[self._sources, column], following[:, column], share, bool(angle))
            for column, angle in enumerate(angles)
        )
        return np.column_stack(tuple(columns))

    # --- places and velocities --------------------------------------------------------------------------

    def pose(self, poses: FloatArray, frames: IntArray, lives: IntArray) -> FloatArray:
        """Poses at the other pace; attached actors keep their place relative to it."""
        at, moved, own = self._entries(frames, lives)
        before, after, turn = self._before[at], self._after[at], self._turn[at]
        dx, dy = rotated(poses[:, 0] - before[:, 0], poses[:, 1] - before[:, 1], turn)
        made = poses.copy()
        made[:, 0], made[:, 1] = after[:, 0] + dx, after[:, 1] + dy
        made[:, 2] = poses[:, 2] + after[:, 2] - before[:, 2]
        made[:, 5] = np.where(turn != 0.0, wrapped(poses[:, 5] + turn), poses[:, 5])
        made[own] = after[own]
        made[~moved] = poses[~moved]
        return made

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Velocities at the other pace; those of attached actors change by the same amount."""
        at, _, own = self._entries(frames, lives)
        gained, turn = velocities - self._old[at], self._turn[at]
        for column in (0, 3):
            gained[:, column], gained[:, column + 1] = rotated(gained[:, column], gained[:, column + 1], turn)
        made = np.where(own[:, None], self._new[at], self._new[at] + gained)
        same = (self._new[at] == self._old[at]).all(axis=1) & (turn == 0.0)
        made[same] = velocities[same]
        return made

    def _entries(self, frames: IntArray, lives: IntArray) -> tuple[IntArray, BoolArray, BoolArray]:
        """For each record: index in the span, whether the actor is moved then, whether the record is its own."""
        at = frames - self._span.start
        within = (at >= 0) & (at < len(self._span))
        at = np.clip(at, 0, len(self._span) - 1)
        return at, within & self._moves[at], lives == self._life.index

    # --- other records ----------------------------------------------------------------------------------

    def visit(self, block: Block, first: int, _chosen: RecordSelection, touched: BoolArray) -> None:
        """Replace its other records in a block by those of the time on its path."""
        for uniform in self._patterns.groups(block, np.arange(len(block))):
            at = uniform.rows + first - self._span.start
            within = (at >= 0) & (at < len(self._span))
            for records in uniform.lists:
                # What describes motion, but no places and velocities.
                if not records.kind.motion or records.kind.record.vectors or not len(records):
                    continue
                mine = (records.numbers(uniform.data) == self._life.actor) & within[:, None]
                for number in np.flatnonzero(mine.any(axis=0)).tolist():
                    here = np.flatnonzero(mine[:, number])
                    self._put(block, uniform.rows[here], at[here], records, records.span(number), touched)

    def _put(self, block: Block, rows: Any, at: Any, records: Records, span: slice, touched: BoolArray) -> None:
        found, made = self._stream.of_size(records.kind.name, at, span.stop - span.start)
        rows, at = rows[found], at[found]
        self._pace_records(records.kind, made, at)
        before = block.data[rows, span]
        block.data[rows, span] = made
        touched[rows[(made != before).any(axis=1)]] = True

    def _pace_records(self, kind: PacketType, values: Bytes, at: Any) -> None:
        """Scale speeds by the pace; set throttle and brake until it catches up."""
        if kind.dtype is None:
            return
        table = values.view(kind.dtype)[:, 0]
        pace = self._pace[at].astype("<f4")
        for name in {"speed", "forward_speed"} & set(kind.record.fields):
            table[name] = np.where(pace == 1.0, table[name], table[name] * pace)
        if kind.name == "AnimVehicle":
            brakes = self._brakes[at].astype("<f4")
            table["throttle"] = np.where(brakes > 0, np.float32(0.0), table["throttle"])
            table["brake"] = np.where(brakes > table["brake"], brakes, table["brake"])
