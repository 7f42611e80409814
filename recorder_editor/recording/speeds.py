"""How fast everybody is in a frame: by Kinematics where it is recorded, else from one frame to the next."""

import math

import numpy as np

from .contents import Frame, Packet
from .snapshot import Snapshot


def speeds_in(snapshot: Snapshot, frame: Frame) -> dict[int, float]:
    """Speed over ground and height in m/s by actor id; NaN-free, kept with the snapshot's frame.

    Kinematics hold m/s (format reference 4.12). Without them the way from the frame before to the frame after counts;
    actors that are in one of the two only are left out.
    """
    if not frame.speeds:
        packet = frame.packet("Kinematics")
        recorded = packet is not None and len(packet.decoded) > 0
        # Whatever is no number, or too large a one, is left out at the end.
        with np.errstate(invalid="ignore", over="ignore"):
            frame.speeds.update(_recorded(packet) if packet is not None and recorded else _stepped(snapshot, frame))
    return frame.speeds


def _recorded(packet: Packet) -> dict[int, float]:
    rows = packet.array
    squares = sum(rows[f"linear_velocity.{axis}"].astype(np.float64) ** 2 for axis in "xyz")
    return _finite(rows["id"].tolist(), np.sqrt(squares).tolist())


def _stepped(snapshot: Snapshot, frame: Frame) -> dict[int, float]:
    """From the frame before to the frame after: single frames may repeat a position."""
    before = snapshot.frame(max(0, frame.index - 1))
    after = snapshot.frame(min(len(snapshot) - 1, frame.index + 1))
    first, last = before.packet("Position"), after.packet("Position")
    seconds = after.elapsed - before.elapsed
    if first is None or last is None or not seconds > 0 or not math.isfinite(seconds):
        return {}
    then, now = first.array, last.array
    ids, left, right = np.intersect1d(then["id"], now["id"], return_indices=True)
    paths = [f"location.{axis}" for axis in "xyz"]
    squares = sum((now[path][right].astype(np.float64) - then[path][left]) ** 2 for path in paths)
    return _finite(ids.tolist(), (np.sqrt(squares) / 100 / seconds).tolist())


def _finite(ids: list[int], speeds: list[float]) -> dict[int, float]:
    return {actor: speed for actor, speed in zip(ids, speeds, strict=True) if math.isfinite(speed)}
