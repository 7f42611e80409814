"""Measures of one that follows another one, by the gap between them and their speeds along the way.

The one source of their formulas: boxes on the ground and the traffic analysis differ in what the gap is (the shortest
line between two boxes, or the way along the follower's path, from bumper to bumper), not in these.
"""

import numpy as np

from ...arrays import FloatArray

SLOWEST = 0.1
"""m/s: below there is no time headway."""


def time_to_close(gap: FloatArray, closing: FloatArray) -> FloatArray:
    """Return the time to collision (TTC): the gap over the speed at which it closes (Hayward, 1972).

    Args:
        gap: m, float64[n].
        closing: m/s, float64[n], above 0 while the gap shrinks.

    Returns:
        s, float64[n]: 0 where they overlap and close, NaN where they do not close.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(closing > 0, np.maximum(gap, 0.0) / closing, np.nan)


def deceleration_to_avoid(gap: FloatArray, closing: FloatArray, reaction: float = 0.0) -> FloatArray:
    """Return the deceleration to avoid a crash (DRAC): closing² / (2 gap) (Almqvist, Hyden and Risser, 1991).

    With a reaction the modified DRAC (MDRAC): the gap is less by what is driven until the brakes act.

    Args:
        gap: m, float64[n].
        closing: m/s, float64[n], above 0 while the gap shrinks.
        reaction: s.

    Returns:
        m/s², float64[n]: 0 where they do not close, inf where there is no room left, NaN where a number is missing.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        room = gap
        if reaction:
            room = gap - closing * reaction
        braking = closing**2 / (2 * np.maximum(room, 0.0))
        return np.where(closing > 0, braking, np.where(np.isnan(closing), np.nan, 0.0))


def time_gap(gap: FloatArray, speed: FloatArray) -> FloatArray:
    """Return the time headway (THW): the gap over the speed of the one that follows.

    Args:
        gap: m, float64[n].
        speed: m/s, float64[n].

    Returns:
        s, float64[n]: negative where the gap is, NaN below `SLOWEST`.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(speed < SLOWEST, np.nan, gap / speed)
