"""Rows of road users: box on the ground, heading and velocity of each in each frame, in metres.

What measures and events are computed of. Of an actor that is recorded twice in a frame the last record counts.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray, StructuredArray, row_type
from ..progress import SILENT, Progress
from ..recording.snapshot import Snapshot
from .actors import Actors
from .lives import Box, Life
from .measures import Boxes
from .motion import Motion, last_in_frame, matching_rows, motion_by_position
from .tracks import Tracks

ROAD_USER: Final = row_type("frame:i4 life:i4 x y z yaw half_length half_width vx vy turn")
"""A road user in a frame: middle of its box (m), heading (radians), half sizes (m), velocity (m/s, world axes), rate of
turn (radians/s)."""

SIZES = {"vehicle": (2.3, 0.95), "two-wheeler": (0.95, 0.35), "walker": (0.3, 0.3)}
"""Half length and half width, m, of those without a recorded box, by class."""

FASTEST = 150.0
"""m/s: what is faster, or has no position, is left out."""

_LARGEST = 20.0  # m: half sizes of boxes beyond it are not valid
_FARTHEST = 1e7  # m
_AT_ONCE = 1 << 18  # rows, about


class RoadUsers:
    """The road users of a recording."""

    def __init__(self, snapshot: Snapshot, progress: Progress = SILENT) -> None:
        """Collect the sizes of the lives.

        Args:
            snapshot: The state of the recording.
            progress: Counts the rows of events that are read.
        """
        self.actors = Actors.of(snapshot, progress.quiet())
        self._snapshot = snapshot
        self._tracks = Tracks(snapshot)
        number = len(self.actors)
        self._half = np.zeros((number + 1, 2))
        self._centre = np.zeros((number + 1, 2))
        self._is_user = np.zeros(number + 1, np.bool_)  # the last one for records of no life
        for life in self.actors:
            if life.class_ in SIZES:
                self._is_user[life.index] = True
                self._take_box(life, self.actors.boxes.get(life.index))
        self._ids = sorted({life.actor for life in self.actors if life.class_ in SIZES})

    def _take_box(self, life: Life, box: Box | None) -> None:
        self._half[life.index] = SIZES[life.class_]
        if box is not None and 0 < min(box.extent[:2]) <= max(box.extent[:2]) < 100 * _LARGEST:
            self._half[life.index] = np.array(box.extent[:2]) / 100
            centre = np.array(box.origin[:2]) / 100
            if np.isfinite(centre).all() and np.abs(centre).max() < _LARGEST:
                self._centre[life.index] = centre

    def rows(self, frames: range, actors: Collection[int] | None = None) -> StructuredArray:
        """Return the road users of some frames: dtype `ROAD_USER`, by frame and life.

        The velocity is the recorded one (Kinematics), or else that by the positions before and after.

        Args:
            frames: Frame indices that follow one another.
            actors: Ids of actors; None for all.
        """
        ids = self._ids
        if actors is not None:
            ids = [actor for actor in ids if actor in actors]
        if not ids or not len(frames):
            return np.zeros(0, ROAD_USER)
        placed = last_in_frame(self._tracks.around(ids, frames))
        motion = motion_by_position(placed, self._snapshot.elapsed)
        vx, vy = self._velocities(ids, placed, motion, frames)
        life = self.actors.indices_of(placed["id"], placed["frame"])
        with np.errstate(invalid="ignore", over="ignore"):
            x = placed["x"] / 100
            y = placed["y"] / 100
            z = placed["z"] / 100
            yaw = np.radians(placed["yaw"].astype(np.float64))
            is_sound = self._is_user[life] & (placed["frame"] >= frames.start) & (placed["frame"] < frames.stop)
            for column, most in ((x, _FARTHEST), (y, _FARTHEST), (z, _FARTHEST), (yaw, _FARTHEST)):
                is_sound &= np.abs(column) < most
            is_sound &= np.hypot(vx, vy) <= FASTEST
        chosen = np.flatnonzero(is_sound)
        chosen = chosen[np.lexsort((life[chosen], placed["frame"][chosen]))]
        life = life[chosen]
        cos = np.cos(yaw[chosen])
        sin = np.sin(yaw[chosen])
        along, across = self._centre[life].T
        rows = np.zeros(len(chosen), ROAD_USER)
        rows["frame"] = placed["frame"][chosen]
        rows["life"] = life
        rows["x"] = x[chosen] + along * cos - across * sin
        rows["y"] = y[chosen] + along * sin + across * cos
        rows["z"] = z[chosen]
        rows["yaw"] = yaw[chosen]
        rows["half_length"], rows["half_width"] = self._half[life].T
        rows["vx"] = vx[chosen]
        rows["vy"] = vy[chosen]
        rows["turn"] = np.radians(np.nan_to_num(motion.turn[chosen], posinf=0.0, neginf=0.0))
        return rows

    def find(self, lives: IntArray, frames: IntArray) -> StructuredArray:
        """Return the rows of some lives, each in a frame: dtype `ROAD_USER`; numbers are NaN where it has no position.

        Args:
            lives: Indices of lives, int[n].
            frames: The frame index of each, int[n].
        """
        found = np.zeros(len(lives), ROAD_USER)
        for name in ROAD_USER.names or ():
            if ROAD_USER[name].kind == "f":
                found[name] = np.nan
        for frame in np.unique(frames).tolist():
            rows = self.rows(range(frame, frame + 1))
            wanted = np.flatnonzero(frames == frame)
            _, here, there = np.intersect1d(lives[wanted], rows["life"], return_indices=True)
            found[wanted[here]] = rows[there]
        found["life"] = lives
        found["frame"] = frames
        return found

    def portions(
        self,
        progress: Progress = SILENT,
        overlap: int = 0,
        frames: range | None = None,
        actors: Collection[int] | None = None,
    ) -> Iterator[tuple[range, StructuredArray]]:
        """Yield frames in portions of bounded size, with their road users.

        Args:
            progress: Counts frames; raises `Cancelled` when the user stops it.
            overlap: So many frames of each portion are those at the end of the one before.
            frames: Frame indices that follow one another; None for all.
            actors: Ids of actors; None for all.
        """
        if frames is None:
            frames = range(len(self._snapshot))
        number = len(frames)
        records = max(1, self._tracks.count("positions", frames))
        size = max(1, _AT_ONCE * number // records) + overlap
        for start in range(0, max(number - overlap, 1), size - overlap):
            portion = frames[start : start + size]
            yield portion, self.rows(portion, actors)
            progress.update(min(start + size, number), number)

    def _velocities(
        self, ids: Sequence[int], placed: StructuredArray, motion: Motion, frames: range
    ) -> tuple[FloatArray, FloatArray]:
        """Return the velocity of each position of some actors, m/s: float64[n] twice; 0 where it is unknown."""
        moved = last_in_frame(self._tracks.kinematics(ids, frames))
        vx, vy, _ = np.nan_to_num(motion.velocity, nan=0.0, posinf=np.inf, neginf=-np.inf)
        if len(moved):
            rows, found = matching_rows(placed, moved)
            with np.errstate(invalid="ignore"):
                recorded_x = moved["vx"][found].astype(np.float64)
                recorded_y = moved["vy"][found].astype(np.float64)
            is_sound = np.isfinite(recorded_x) & np.isfinite(recorded_y)
            vx[rows] = np.where(is_sound, recorded_x, vx[rows])
            vy[rows] = np.where(is_sound, recorded_y, vy[rows])
        return vx, vy


def boxes_of(rows: StructuredArray) -> Boxes:
    """Return the boxes of rows of dtype `ROAD_USER`."""
    return Boxes(
        x=rows["x"],
        y=rows["y"],
        cos=np.cos(rows["yaw"]),
        sin=np.sin(rows["yaw"]),
        half_length=rows["half_length"],
        half_width=rows["half_width"],
        vx=rows["vx"],
        vy=rows["vy"],
    )
