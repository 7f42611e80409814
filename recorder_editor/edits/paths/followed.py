"""A life that follows its recorded path at another pace: places, velocities and the records that describe motion.

Its records are those of the time at which it was at that point of its path, with speeds scaled; attached actors keep
their place beside it. What else a change makes of them is added by its own class.
"""

from collections.abc import Sequence

import numpy as np

from ...arrays import BoolArray, FloatArray, IndexArray, IntArray, StructuredArray
from ...format import PacketType
from ...reading import Tracks
from ...recording import Bytes, FrameBlock
from ..actors.stream import Frames, RigidTransform, Stream
from ..interpolation import interpolate, locate
from ..records import RecordSelection
from .motion import rotated, wrapped
from .moved_actors import MovedActors

_ANGLES = np.array([False, False, False, True, True, True])


class FollowedPath:
    """The change of the life of `moved` within `span`, and of the actors attached to it; extended by subclasses.

    Attributes, each for the frames of the span: `times` (s), `before` and `after` (cm and degrees, shape (n, 6)),
    `velocity_before` and `velocity_after` (shape (n, 6)), `ratio` (of its speeds to the recorded ones). `after` and
    `velocity_after` may be changed until `settle` is called.
    """

    def __init__(self, moved: MovedActors, span: range, times: FloatArray, path: FloatArray, ratio: FloatArray) -> None:
        """`path`: for each frame of the span the time whose records it gets."""
        snapshot = moved.snapshot
        (self._life,) = moved.lives
        self.moved = moved
        self.span = span
        self.times = times
        self.ratio = ratio
        self._sources, share = locate(times, path)
        tracks = Tracks(snapshot)
        self.before = self._columns(tracks.path(self._life.actor, span), ("x", "y", "z", "roll", "pitch", "yaw"))
        self.after = self._sampled(self.before, share, _ANGLES)
        names = []
        for group in ("v", "w"):
            for axis in "xyz":
                names.append(f"{group}{axis}")
        self.velocity_before = self._columns(tracks.kinematics([self._life.actor], span), names)
        self.velocity_after = self._sampled(self.velocity_before, share, np.zeros(6, np.bool_)) * ratio[:, None]
        # What describes motion, but no places and velocities.
        kinds = snapshot.dialect.packets.values()
        self._kinds = [kind for kind in kinds if kind.motion and not kind.record.vectors and kind.body == "list"]
        sources = Frames(span.start, span.start + self._sources, share)
        identity = RigidTransform((0.0, 0.0, 0.0), 0.0, (0.0, 0.0))
        self._stream = Stream(snapshot, snapshot, self._life.actor, sources, identity, self._life.actor)

    def settle(self) -> BoolArray:
        """bool[n]: the frames of the span in which the actor is elsewhere; to be called once."""
        with np.errstate(invalid="ignore"):
            self._turn = wrapped(self.after[:, 5] - self.before[:, 5])
            finite = np.isfinite(self.after - self.before).all(axis=1)
            self._moves = np.asarray((self.after != self.before).any(axis=1) & finite)
        return self._moves

    def _columns(self, table: StructuredArray, names: Sequence[str]) -> FloatArray:
        """Columns by frame of the span, shape (n, 6); NaN for frames without a record."""
        made = np.full((len(self.span), len(names)), np.nan)
        with np.errstate(invalid="ignore"):
            made[table["frame"].astype(np.int64) - self.span.start] = np.column_stack(
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
        """Poses on the changed path; attached actors keep their place relative to it."""
        at, moved, own = self._entries(frames, lives)
        before = self.before[at]
        after = self.after[at]
        turn = self._turn[at]
        dx, dy = rotated(poses[:, 0] - before[:, 0], poses[:, 1] - before[:, 1], turn)
        made = poses.copy()
        made[:, 0], made[:, 1] = after[:, 0] + dx, after[:, 1] + dy
        made[:, 2] = poses[:, 2] + after[:, 2] - before[:, 2]
        made[:, 5] = np.where(turn != 0.0, wrapped(poses[:, 5] + turn), poses[:, 5])
        # An EventAdd may be elsewhere than the Position of its frame.
        own &= (poses[:, :3] == before[:, :3]).all(axis=1)
        made[own] = after[own]
        made[~moved] = poses[~moved]
        return made

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Velocities on the changed path; those of attached actors change by the same amount."""
        at, _, own = self._entries(frames, lives)
        old = self.velocity_before[at]
        new = self.velocity_after[at]
        turn = self._turn[at]
        gained = velocities - old
        for column in (0, 3):
            gained[:, column], gained[:, column + 1] = rotated(gained[:, column], gained[:, column + 1], turn)
        made = np.where(own[:, None], new, new + gained)
        same = (new == old).all(axis=1) & (turn == 0.0)
        made[same] = velocities[same]
        return made

    def _entries(self, frames: IntArray, lives: IntArray) -> tuple[IntArray, BoolArray, BoolArray]:
        """For each record: index in the span, whether the actor is moved then, whether the record is its own."""
        at = frames - self.span.start
        within = (at >= 0) & (at < len(self.span))
        at = np.clip(at, 0, len(self.span) - 1)
        return at, within & self._moves[at], lives == self._life.index

    # --- other records ----------------------------------------------------------------------------------

    def visit(self, block: FrameBlock, first: int, chosen: RecordSelection, touched: BoolArray) -> None:
        """Replace its other records in a block by those of the time on its path."""
        for kind in self._kinds:
            for found in chosen.find(block, first, kind, self.moved.patterns):
                (own,) = np.nonzero(found.lives == self._life.index)
                if not len(own):
                    continue
                at = found.frames[own] - self.span.start
                here, made = self._stream.of_size(kind.name, at, found.values.shape[1])
                values, at = found.values.copy(), at[here]
                self._adapt(kind, made, at)
                values[own[here]] = made
                touched[found.rows[found.put(values)]] = True

    def _adapt(self, kind: PacketType, records: Bytes, at: IndexArray) -> None:
        if kind.dtype is None:
            self.change(kind, records, at)
            return
        table = records.view(kind.dtype)[:, 0]
        ratio = self.ratio[at].astype("<f4")
        for name in {"speed", "forward_speed"} & set(kind.record.fields):
            table[name] = np.where(ratio == 1.0, table[name], table[name] * ratio)
        if "throttle" in kind.record.fields:
            self.control(table, at)

    def control(self, table: StructuredArray, at: IndexArray) -> None:
        """Change records of controls in the frames `at` of the span."""

    def change(self, kind: PacketType, records: Bytes, at: IndexArray) -> None:
        """Change records of another kind of one length, that is not fixed, in the frames `at` of the span."""
