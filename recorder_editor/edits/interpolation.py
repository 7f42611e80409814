"""Interpolation between frames: the frame at or before a time, and records between it and the next one."""

from functools import cache
from itertools import groupby

import numpy as np

from ..arrays import AnyArray, ByteArray, FloatArray, IntArray
from ..format import WIDTHS, Field, PacketType, Struct

HIT = 1e-6
"""Tolerance for times of frames (s): elapsed is a sum of floats."""

_FLOAT = 2.0**-24  # relative rounding error of a float, and of sums of floats

LATEST = 1e12  # s: beyond it a double has no milliseconds


def is_rising(times: FloatArray) -> bool:
    """Return whether times rise strictly and are within `LATEST`."""
    # Compared, not subtracted: differences of values that are not finite are not numbers.
    return bool((np.abs(times) <= LATEST).all() and (times[1:] > times[:-1]).all())


def does_not_fall(times: FloatArray) -> bool:
    """Return whether times are finite and none is before the one before it."""
    return bool(np.isfinite(times).all() and (times[1:] >= times[:-1]).all())


def tolerance(times: FloatArray, wanted: FloatArray, shift: float = 0.0) -> FloatArray:
    """Return the tolerances within which wanted times are those of frames.

    Args:
        times: Of the frames, s, not falling.
        wanted: s, shape (n,).
        shift: By how much the wanted times are those of frames, shifted, s.

    Returns:
        s, shape (n,).
    """
    if len(times) < 2:
        return np.full(len(wanted), HIT)
    # At most a quarter of the usual step, so that it matches one frame.
    most = float(np.median(np.diff(times))) / 4
    with np.errstate(over="ignore"):  # infinite times match no frame
        return np.asarray(np.maximum(HIT, np.minimum(_FLOAT * (np.abs(wanted - times[0]) + abs(shift)), most)))


def locate(times: FloatArray, wanted: FloatArray, shift: float = 0.0) -> tuple[IntArray, FloatArray]:
    """Return the frame at or before each wanted time, and the share of the way to the next one.

    Args:
        times: Of the frames, s, not falling.
        wanted: s, shape (n,).
        shift: As of `tolerance`.

    Returns:
        Indices, -1 for none, and shares, 0 to 1: 0 at the time of a frame, and after the last one; shape (n,) each.
    """
    near = tolerance(times, wanted, shift)
    frames = np.searchsorted(times, wanted + near, side="right") - 1
    share = np.zeros(len(wanted))
    inner = (frames >= 0) & (frames < len(times) - 1)
    before = frames[inner]
    since = wanted[inner] - times[before]
    length = times[before + 1] - times[before]
    share[inner] = np.where(since > near[inner], since / length, 0.0)
    return frames, share


def interpolate_records(kind: PacketType, one: ByteArray, two: ByteArray, share: FloatArray) -> ByteArray:
    """Return records of a continuous packet (`is_continuous`) between two frames.

    Args:
        kind: The packet type.
        one: Bytes of the records before, shape (..., record size).
        two: Bytes of the records after, of the same shape.
        share: float64 of shape (...) or what broadcasts to it.
    """
    records = np.array(one)
    for start, stop, real, is_angle in _runs(kind.record):
        first = np.ascontiguousarray(one[..., start:stop]).view(real)
        last = np.ascontiguousarray(two[..., start:stop]).view(real)
        records[..., start:stop] = interpolate(first, last, share[..., None], is_angle).view(np.uint8)
    return records


def interpolate(one: AnyArray, two: AnyArray, share: FloatArray, is_angle: bool = False) -> AnyArray:
    """Return numbers between two of their own width; unchanged ones keep their bits.

    Args:
        one: Numbers at a share of 0.
        two: Numbers at a share of 1, of the same shape.
        share: What broadcasts to that shape.
        is_angle: Whether they are degrees, which take the shorter way (format reference 6.3).
    """
    with np.errstate(all="ignore"):
        start = one.astype(np.float64)
        way = two.astype(np.float64) - one.astype(np.float64)
        if is_angle:
            way = np.where((way > -180.0) & (way <= 180.0), way, 180.0 - (180.0 - way) % 360.0)
        reached = start + way * share
        if is_angle:
            is_beyond = (np.abs(reached) > 180.0) & (np.abs(start) <= 180.0)
            reached = np.where(is_beyond, (reached + 180.0) % 360.0 - 180.0, reached)
        result = one.copy()
        moved = (way != 0.0) & (share != 0.0) & ~np.isnan(reached)
        result[moved] = reached[moved]
    return result


@cache
def _runs(record: Struct) -> tuple[tuple[int, int, str, bool], ...]:
    """Return the runs of float fields of one type in a record of fixed size.

    Returns:
        For each run its first byte, the byte after it, its numpy type, and whether its fields are angles.
    """
    runs: list[tuple[int, int, str, bool]] = []
    for (kind, is_angle), group in groupby(record.head, _type_and_angle):
        starts = [start for _, start in group]
        if kind in ("f32", "f64"):
            width = WIDTHS[kind]
            runs.append((starts[0], starts[0] + len(starts) * width, f"<f{width}", is_angle))
    return tuple(runs)


def _type_and_angle(place: tuple[Field, int]) -> tuple[str, bool]:
    field, _ = place
    return field.type, field.angle
