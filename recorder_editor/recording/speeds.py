"""How fast everybody is in a frame: by Kinematics where it is recorded, else from one frame to the next."""

import math
from collections.abc import Mapping

import numpy as np

from .contents import Frame
from .snapshot import Snapshot
from .tracks import Reals, driven


def speeds_in(snapshot: Snapshot, frame: Frame) -> dict[int, float]:
    """Speed over ground and height in m/s by actor id; NaN-free, kept with the snapshot's frame.

    Kinematics hold m/s (format reference 4.12). Who has none in the frame is as fast as `tracks.driven` says.
    """
    if not frame.speeds:
        # Whatever is no number, or too large a one, is left out.
        with np.errstate(invalid="ignore", over="ignore"):
            recorded = _recorded(frame)
            here = _places(frame)
            if here.keys() - recorded.keys():
                recorded = {**_stepped(snapshot, frame, here), **recorded}
        frame.speeds.update(recorded)
    return frame.speeds


def _recorded(frame: Frame) -> dict[int, float]:
    packet = frame.packet("Kinematics")
    if packet is None or not len(packet.decoded):
        return {}
    rows = packet.array
    squares = sum(rows[f"linear_velocity.{axis}"].astype(np.float64) ** 2 for axis in "xyz")
    return _finite(rows["id"].tolist(), np.sqrt(squares).tolist())


def _stepped(snapshot: Snapshot, frame: Frame, here: Mapping[int, Reals]) -> dict[int, float]:
    before = snapshot.frame(max(0, frame.index - 1))
    after = snapshot.frame(min(len(snapshot) - 1, frame.index + 1))
    nowhere = np.full(3, np.nan)
    beside = [[found.get(actor, nowhere) for actor in here] for found in (_places(before), _places(after))]
    places = np.array(beside[0]), np.array(list(here.values())), np.array(beside[1])
    times = np.array(before.elapsed), np.array(frame.elapsed), np.array(after.elapsed)
    return _finite(list(here), driven(places, times).tolist())


def _places(frame: Frame) -> dict[int, Reals]:
    """Where everybody is; of several records of an actor the last one counts."""
    packet = frame.packet("Position")
    if packet is None:
        return {}
    rows = packet.array
    places = np.stack([rows[f"location.{axis}"].astype(np.float64) for axis in "xyz"], axis=-1)
    return dict(zip(rows["id"].tolist(), places, strict=True))


def _finite(ids: list[int], speeds: list[float]) -> dict[int, float]:
    return {actor: speed for actor, speed in zip(ids, speeds, strict=True) if math.isfinite(speed)}
