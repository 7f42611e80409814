"""How headings of a table are counted, and whether they point where road users go."""

from typing import Final, NamedTuple

import numpy as np

from ...arrays import FloatArray, IntArray
from ...texts import say
from .trajectories import Axes

HEADINGS: Final = ("counter-clockwise", "clockwise", "compass")
"""How headings may be counted, as of `--heading`."""

_SHORTEST = 0.1  # m between two rows by which a direction is told
_LEAST_STEPS = 20
_NEAR = np.pi / 6
_FEW = 0.5  # share of steps along the heading below which it is doubted
_MANY = 0.9  # share above which another way to count is named


class Steps(NamedTuple):
    """Rows of a table in the axes of its places.

    Attributes:
        user: A number for the road user of each row, int64[n].
        time: Seconds, float64[n].
        x: Metres, float64[n].
        y: Metres, float64[n].
        yaw: Headings as the file counts them, rad, float64[n].
    """

    user: IntArray
    time: FloatArray
    x: FloatArray
    y: FloatArray
    yaw: FloatArray


def heading_in_axes(yaw: FloatArray, heading: str, axes: Axes) -> FloatArray:
    """Return headings as the axes of the places count them.

    Args:
        yaw: Headings as the file counts them, rad, float64[n].
        heading: How that is, one of `HEADINGS`.
        axes: The axes of the places.

    Returns:
        Radians from -π to π, float64[n].
    """
    if axes == "opendrive":
        natural, compass_zero, sign = "counter-clockwise", np.pi / 2, -1.0
    else:
        natural, compass_zero, sign = "clockwise", -np.pi / 2, 1.0
    if heading == "compass":
        yaw = compass_zero + sign * yaw
    elif heading != natural:
        yaw = -yaw
    return _within_half_turn(yaw)


def heading_remark(steps: Steps, heading: str, axes: Axes) -> str:
    """Return what is odd about headings: that most point elsewhere than the road users go, and that another way fits.

    Args:
        steps: Some rows.
        heading: How headings are counted, one of `HEADINGS`.
        axes: The axes of the places.

    Returns:
        A sentence; empty where headings fit, or too few rows tell.
    """
    order = np.lexsort((steps.time, steps.user))
    dx = np.diff(steps.x[order])
    dy = np.diff(steps.y[order])
    with np.errstate(invalid="ignore"):
        is_step = (np.diff(steps.user[order]) == 0) & (np.hypot(dx, dy) >= _SHORTEST)
    is_step &= ~np.isnan(steps.yaw[order][:-1])
    if int(is_step.sum()) < _LEAST_STEPS:
        return ""
    direction = np.arctan2(dy, dx)[is_step]
    yaw = steps.yaw[order][:-1][is_step]
    shares = {}
    for way in HEADINGS:
        apart = np.abs(_within_half_turn(heading_in_axes(yaw, way, axes) - direction))
        shares[way] = float((apart < _NEAR).mean())
    best = max(shares, key=shares.__getitem__)
    if shares[heading] >= _FEW or shares[best] < _MANY:
        return ""
    return say(
        "Only {share:.0%} of the headings point where road users go; counted as {other} it would be {best:.0%}: "
        "--heading {other}.",
        share=shares[heading],
        other=best,
        best=shares[best],
    )


def _within_half_turn(angle: FloatArray) -> FloatArray:
    return angle - 2 * np.pi * np.round(angle / (2 * np.pi))
