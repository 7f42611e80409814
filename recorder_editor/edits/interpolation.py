"""Interpolation between frames: the frame at or before a time, and records between it and the next one."""

from functools import cache
from itertools import groupby

import numpy as np

from ..arrays import AnyArray, ByteArray, FloatArray, IntArray
from ..format import WIDTHS, PacketType, Struct

HIT = 1e-6
"""Tolerance for times of frames (s): elapsed is a sum of floats."""

_FLOAT = 2.0**-24  # relative rounding error of a float, and of sums of floats

LATEST = 1e12  # s: beyond it a double has no milliseconds


def is_rising(times: FloatArray) -> bool:
    """Whether times rise strictly and are within `LATEST`."""
    # Compared, not subtracted: differences of values that are not finite are not numbers.
    return bool((np.abs(times) <= LATEST).all() and (times[1:] > times[:-1]).all())


def does_not_fall(times: FloatArray) -> bool:
    """Whether times are finite and none is before the one before it."""
    return bool(np.isfinite(times).all() and (times[1:] >= times[:-1]).all())


def median_step(times: FloatArray) -> float:
    """The median of the positive time steps, s; NaN without one."""
    with np.errstate(over="ignore", invalid="ignore"):
        steps = np.diff(times)
        forward = steps[(steps > 0) & np.isfinite(steps)]
    if len(forward):
        return float(np.median(forward))
    return float("nan")


def tolerance(times: FloatArray, wanted: FloatArray, shift: float = 0.0) -> FloatArray:
    """The tolerance (s) within which a wanted time is that of a frame; `times` do not fall.

    `shift` (s): the wanted times are those of frames, shifted by so much.
    """
    if len(times) < 2:
        return np.full(len(wanted), HIT)
    # At most a quarter of the usual step, so that it matches one frame.
    most = float(np.median(np.diff(times))) / 4
    with np.errstate(over="ignore"):  # infinite times match no frame
        return np.asarray(np.maximum(HIT, np.minimum(_FLOAT * (np.abs(wanted - times[0]) + abs(shift)), most)))


def locate(times: FloatArray, wanted: FloatArray, shift: float = 0.0) -> tuple[IntArray, FloatArray]:
    """The frame at or before each wanted time (-1: none), and the share of the way to the next one, 0 to 1.

    `times` are those of the frames and do not fall; the share is 0 at the time of a frame, and after the last one.
    `shift` as in `tolerance`.
    """
    near = tolerance(times, wanted, shift)
    found = np.searchsorted(times, wanted + near, side="right") - 1
    share = np.zeros(len(wanted))
    inner = (found >= 0) & (found < len(times) - 1)
    at = found[inner]
    since = wanted[inner] - times[at]
    length = times[at + 1] - times[at]
    share[inner] = np.where(since > near[inner], since / length, 0.0)
    return found, share


def interpolate_records(kind: PacketType, one: ByteArray, two: ByteArray, share: FloatArray) -> ByteArray:
    """Interpolate records of a continuous packet (`is_continuous`).

    `one` and `two` are bytes of shape (..., record size), `share` float64 of shape (...) or what broadcasts to it.
    """
    made = np.array(one)
    for start, stop, real, is_angle in _runs(kind.record):
        first, last = (np.ascontiguousarray(each[..., start:stop]).view(real) for each in (one, two))
        made[..., start:stop] = interpolate(first, last, share[..., None], is_angle).view(np.uint8)
    return made


def interpolate(one: AnyArray, two: AnyArray, share: FloatArray, is_angle: bool = False) -> AnyArray:
    """Interpolate numbers in their own width; unchanged ones keep their bits.

    Angles are degrees and take the shorter way (format reference 6.3).
    """
    with np.errstate(all="ignore"):
        start = one.astype(np.float64)
        way = two.astype(np.float64) - one.astype(np.float64)
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


@cache
def _runs(record: Struct) -> tuple[tuple[int, int, str, bool], ...]:
    """The runs of float fields of one type in a record of fixed size: bytes `[start, stop)`, type, is it an angle."""
    runs = []
    for (kind, is_angle), fields in groupby(record.head, lambda each: (each[0].type, each[0].angle)):
        (_, start), *others = fields
        if kind in ("f32", "f64"):
            runs.append((start, start + (1 + len(others)) * WIDTHS[kind], f"<f{WIDTHS[kind]}", is_angle))
    return tuple(runs)
