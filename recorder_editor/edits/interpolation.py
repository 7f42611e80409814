"""What lies between two frames: which old frame a new time finds, and records on the way from it to the next.

One idea: numbers of what moves change steadily from frame to frame; everything else is that of the frame at or before
the time. Knows nothing of packets' places and of what happens (`event_schedule`).
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..format.schema import PacketType, Struct

Reals = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]

HIT = 1e-6
"""A time this close to a frame's (s) is that frame: elapsed is summed up of floats."""

_FLOAT = 2.0**-24  # how far, of its size, a float is from the number it stands for; sums of floats are no farther

LATEST = 1e12  # s: beyond it a float tells no milliseconds apart, and what is calculated with times leaves the floats


def is_rising(times: Reals) -> bool:
    """Each time is a number behind the one before, and none of them so large that nothing can be calculated with it."""
    # Compared and not subtracted: times that are no numbers make no difference.
    return bool((np.abs(times) <= LATEST).all() and (times[1:] > times[:-1]).all())


def tolerance(times: Reals, wanted: Reals, shift: float = 0.0) -> Reals:
    """How close (s) a wanted time must be to that of a frame to be it; `times` do not fall.

    `shift` (s) is how far the wanted times were moved from frames that are summed up in the same way.
    """
    if len(times) < 2:
        return np.full(len(wanted), HIT)
    # Never so much that a time could be two frames.
    most = float(np.median(np.diff(times))) / 4
    with np.errstate(over="ignore"):  # whoever asks for times beyond all numbers finds none
        near: Reals = np.maximum(HIT, np.minimum(_FLOAT * (np.abs(wanted - times[0]) + abs(shift)), most))
    return near


def locate(times: Reals, wanted: Reals, shift: float = 0.0) -> tuple[Numbers, Reals]:
    """The frame at or before each wanted time (-1: none), and how far that is on the way to the next, 0 to 1.

    `times` are those of the frames and do not fall; the share is 0 where the time is that of the frame, and behind the
    last one. `shift` as in `tolerance`.
    """
    near = tolerance(times, wanted, shift)
    found = np.searchsorted(times, wanted + near, side="right") - 1
    share = np.zeros(len(wanted))
    inner = (found >= 0) & (found < len(times) - 1)
    at = found[inner]
    since, length = wanted[inner] - times[at], times[at + 1] - times[at]
    share[inner] = np.where(since > near[inner], since / length, 0.0)
    return found, share


def interpolate_records(kind: PacketType, one: Bytes, two: Bytes, share: Reals) -> Bytes:
    """Records of a packet whose numbers are `steady` on the way from one frame to the next.

    `one` and `two` are bytes of shape (..., record size), `share` float64 of shape (...) or what broadcasts to it.
    """
    made = np.array(one)
    for start, stop, real, is_angle in _runs(kind.record):
        first, last = (np.ascontiguousarray(each[..., start:stop]).view(real) for each in (one, two))
        made[..., start:stop] = interpolate(first, last, share[..., None], is_angle).view(np.uint8)
    return made


def interpolate(one: Floats, two: Floats, share: Reals, is_angle: bool = False) -> Floats:
    """Numbers on the way from one to the other, in their own width; what does not change keeps its bits.

    Angles are degrees, and go the shorter way (format reference 6.3).
    """
    with np.errstate(all="ignore"):
        start, way = one.astype(np.float64), two.astype(np.float64) - one.astype(np.float64)
        if is_angle:
            way = np.where((way > -180.0) & (way <= 180.0), way, 180.0 - (180.0 - way) % 360.0)
        reached = start + way * share
        if is_angle:
            beyond = (np.abs(reached) > 180.0) & (np.abs(start) <= 180.0)
            reached = np.where(beyond, (reached + 180.0) % 360.0 - 180.0, reached)
        made = one.copy()
        moved = (way != 0.0) & (share != 0.0) & ~np.isnan(reached)
        made[moved] = reached[moved]
    return made


class _Run(NamedTuple):
    """Neighbouring fields of one type in a record: bytes `[start, stop)`."""

    start: int
    stop: int
    real: str
    is_angle: bool


@cache
def _runs(record: Struct) -> tuple[_Run, ...]:
    """The fields of a record of one size that are no whole numbers."""
    assert record.dtype is not None
    assert record.dtype.fields is not None
    places = record.dtype.fields
    runs: list[_Run] = []
    for path, field in record.fields.items():
        if field.type not in ("f32", "f64"):
            continue
        stored, start = places[path][:2]
        run = _Run(start, start + stored.itemsize, stored.str, field.angle)
        last = runs[-1] if runs else None
        if last is not None and (last.stop, last.real, last.is_angle) == (run.start, run.real, run.is_angle):
            runs[-1] = last._replace(stop=run.stop)
        else:
            runs.append(run)
    return tuple(runs)
