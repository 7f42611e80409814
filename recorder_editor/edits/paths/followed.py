"""A life that follows its recorded path at another pace: places, velocities and the records that describe motion.

Its records are those of the time at which it was at that point of its path, with speeds scaled; attached actors keep
their place beside it. What else a change makes of them is added by its own class.
"""

from collections.abc import Sequence

import numpy as np

from ...arrays import AnyArray, BoolArray, FloatArray, IndexArray, IntArray, StructuredArray
from ...format import PacketType
from ...reading import Tracks
from ...recording import Bytes, FrameBlock
from ..actors.stream import Frames, RigidTransform, Stream
from ..interpolation import interpolate, locate
from ..records import RecordSelection
from .motion import rotated, wrapped
from .moved_actors import MovedActors

_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_VELOCITY = ("vx", "vy", "vz", "wx", "wy", "wz")
_ANGLES = ("roll", "pitch", "yaw")  # columns that are interpolated the shorter way around


class FollowedPath:
    """The change of the life of `moved` within a span of frames, and of the actors attached to it.

    Subclasses change `after` and `velocity_after`, call `settle` once, and extend `control` and `change`.

    Attributes:
        moved: The life, and the records to change.
        span: Indices of the frames that change, n of them.
        times: Times of these frames (s), shape (n,).
        before: Recorded poses (cm and degrees), shape (n, 6).
        after: Poses after the change (cm and degrees), shape (n, 6).
        velocity_before: Recorded velocities (m/s and degrees/s), shape (n, 6).
        velocity_after: Velocities after the change (m/s and degrees/s), shape (n, 6).
        ratio: Speeds after the change by the recorded ones, shape (n,).
    """

    def __init__(self, moved: MovedActors, span: range, times: FloatArray, path: FloatArray, ratio: FloatArray) -> None:
        """Sample the recorded path.

        Args:
            moved: A single life.
            span: Indices of the frames that change.
            times: Times of these frames (s), rising.
            path: For each of them the time (s) of the records that it gets.
            ratio: For each of them the speed by the recorded one.
        """
        snapshot = moved.snapshot
        (self._life,) = moved.lives
        self.moved = moved
        self.span = span
        self.times = times
        self.ratio = ratio
        self._sources, share = locate(times, path)
        tracks = Tracks(snapshot)
        self.before = self._columns(tracks.path(self._life.actor, span), _POSE)
        self.after = self._sampled(self.before, _POSE, share)
        self.velocity_before = self._columns(tracks.kinematics([self._life.actor], span), _VELOCITY)
        self.velocity_after = self._sampled(self.velocity_before, _VELOCITY, share) * ratio[:, None]
        self._kinds = [kind for kind in snapshot.dialect.packets.values() if _describes_motion(kind)]
        self._stream = Stream(
            snapshot,
            snapshot,
            self._life.actor,
            Frames(span.start, span.start + self._sources, share),
            RigidTransform((0.0, 0.0, 0.0), 0.0, (0.0, 0.0)),  # leaves places as they are
            self._life.actor,
        )

    def settle(self) -> BoolArray:
        """Compute turns and moves from `after`; called once.

        Returns:
            bool[n]: the frames of the span in which the actor is elsewhere than recorded.
        """
        with np.errstate(invalid="ignore"):
            self._turn = wrapped(self.after[:, 5] - self.before[:, 5])
            finite = np.isfinite(self.after - self.before).all(axis=1)
            self._moves = np.asarray((self.after != self.before).any(axis=1) & finite)
        return self._moves

    def _columns(self, table: StructuredArray, names: Sequence[str]) -> FloatArray:
        """Return columns by frame of the span, shape (n, columns); NaN for frames without a record."""
        values = np.full((len(self.span), len(names)), np.nan)
        rows = table["frame"].astype(np.int64) - self.span.start
        with np.errstate(invalid="ignore"):
            for column, name in enumerate(names):
                values[rows, column] = table[name].astype(np.float64)
        return values

    def _sampled(self, values: FloatArray, names: Sequence[str], share: FloatArray) -> FloatArray:
        """Return columns (n, columns) at the places on the recorded path that the frames get."""
        first = values[self._sources]
        following = values[np.minimum(self._sources + 1, len(values) - 1)]
        columns: list[AnyArray] = []
        for column, name in enumerate(names):
            is_angle = name in _ANGLES
            columns.append(interpolate(first[:, column], following[:, column], share, is_angle))
        return np.column_stack(columns)

    # --- places and velocities --------------------------------------------------------------------------

    def pose(self, poses: FloatArray, frames: IntArray, lives: IntArray) -> FloatArray:
        """Return poses on the changed path; attached actors keep their place relative to it."""
        index, moves, is_own = self._entries(frames, lives)
        before = self.before[index]
        after = self.after[index]
        turn = self._turn[index]
        dx, dy = rotated(poses[:, 0] - before[:, 0], poses[:, 1] - before[:, 1], turn)
        changed = poses.copy()
        changed[:, 0] = after[:, 0] + dx
        changed[:, 1] = after[:, 1] + dy
        changed[:, 2] = poses[:, 2] + after[:, 2] - before[:, 2]
        changed[:, 5] = np.where(turn != 0.0, wrapped(poses[:, 5] + turn), poses[:, 5])
        # An EventAdd may be elsewhere than the Position of its frame.
        is_own &= (poses[:, :3] == before[:, :3]).all(axis=1)
        changed[is_own] = after[is_own]
        changed[~moves] = poses[~moves]
        return changed

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Return velocities on the changed path; those of attached actors change by the same amount."""
        index, _, is_own = self._entries(frames, lives)
        before = self.velocity_before[index]
        after = self.velocity_after[index]
        turn = self._turn[index]
        gained = velocities - before
        for column in (0, 3):
            gained[:, column], gained[:, column + 1] = rotated(gained[:, column], gained[:, column + 1], turn)
        changed = np.where(is_own[:, None], after, after + gained)
        is_same = (after == before).all(axis=1) & (turn == 0.0)
        changed[is_same] = velocities[is_same]
        return changed

    def _entries(self, frames: IntArray, lives: IntArray) -> tuple[IntArray, BoolArray, BoolArray]:
        """Return for each record: index in the span, whether the actor moves then, whether the record is its own."""
        index = frames - self.span.start
        is_within = (index >= 0) & (index < len(self.span))
        index = np.clip(index, 0, len(self.span) - 1)
        return index, is_within & self._moves[index], lives == self._life.index

    # --- other records ----------------------------------------------------------------------------------

    def visit(self, block: FrameBlock, first: int, chosen: RecordSelection, touched: BoolArray) -> None:
        """Replace the other records of the life in a block by those of the time on its path.

        Args:
            block: The block, which is changed.
            first: Index of the first frame of the block.
            chosen: The records of the life and of attached actors.
            touched: bool[rows], set for rows that changed.
        """
        for kind in self._kinds:
            for records in chosen.find(block, first, kind, self.moved.patterns):
                own = np.flatnonzero(records.lives == self._life.index)
                if not len(own):
                    continue
                index = records.frames[own] - self.span.start
                present, sampled = self._stream.of_size(kind.name, index, records.values.shape[1])
                self._adapt(kind, sampled, index[present])
                values = records.values.copy()
                values[own[present]] = sampled
                touched[records.rows[records.put(values)]] = True

    def _adapt(self, kind: PacketType, records: Bytes, index: IndexArray) -> None:
        """Scale speeds of records of the frames `index` of the span, and change controls."""
        if kind.dtype is None:
            self.change(kind, records, index)
            return
        table = records.view(kind.dtype)[:, 0]
        ratio = self.ratio[index].astype("<f4")
        for name in ("speed", "forward_speed"):
            if name in kind.record.fields:
                table[name] = np.where(ratio == 1.0, table[name], table[name] * ratio)
        if "throttle" in kind.record.fields:
            self.control(table, index)

    def control(self, table: StructuredArray, index: IndexArray) -> None:
        """Change records of controls in place; `index` holds their frames, as indices in the span."""

    def change(self, kind: PacketType, records: Bytes, index: IndexArray) -> None:
        """Change records of a packet without a fixed size in place.

        Args:
            kind: The packet type.
            records: Records of one length, shape (k, size).
            index: Their frames, as indices in the span, shape (k,).
        """


def _describes_motion(kind: PacketType) -> bool:
    """Return whether a packet describes motion, but holds no places and velocities."""
    return kind.motion and not kind.record.vectors and kind.body == "list"
