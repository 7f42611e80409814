"""A signal: speed times yaw rate."""

import numpy as np

from recorder_editor.arrays import FloatArray, IntArray
from recorder_editor.progress import Progress
from recorder_editor.reading import Tracks
from recorder_editor.reading.computed_signals import ComputedSignal
from recorder_editor.recording import Snapshot


class LateralAcceleration(ComputedSignal):
    """The acceleration across the direction of travel, m/s²."""

    name = "lateral_acceleration"
    title = "lateral acceleration"
    unit = "m/s²"
    meaning = "Speed times yaw rate, of positions"

    def compute(self, snapshot: Snapshot, actor: int, progress: Progress) -> tuple[IntArray, FloatArray]:
        """Compute it of the actor's positions."""
        placed = Tracks(snapshot).read("positions", [actor])
        frames = placed["frame"].astype(np.int64)
        if len(frames) < 2:
            return frames[:0], np.zeros(0)
        time = snapshot.elapsed[frames]
        x = placed["x"].astype(np.float64) / 100
        y = placed["y"].astype(np.float64) / 100
        yaw = np.radians(np.unwrap(placed["yaw"].astype(np.float64), period=360))
        speed = np.hypot(np.gradient(x, time), np.gradient(y, time))
        return frames, speed * np.gradient(yaw, time)
