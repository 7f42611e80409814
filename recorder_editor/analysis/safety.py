"""Surrogate safety measures: time to collision, required deceleration (DRAC), and level of risk."""

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .constants import REACTION_TIME, RISK_TTC


def time_to_collision(headway: FloatArray, closing: FloatArray) -> FloatArray:
    """Step 6: TTC in s, float64[n], from the headway (m) and the closing speed (m/s).

    0 if the two overlap and close, NaN if they do not close or there is no leader.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(closing > 0, np.maximum(headway, 0.0) / closing, np.nan)


def recorded_time_to_collision(ttc_raw: FloatArray) -> FloatArray:
    """Step 6 with `--use-raw-ttc`: highD's own TTC (s), NaN where it is 0 (no leader) or negative (the gap opens)."""
    return np.where(ttc_raw > 0, ttc_raw, np.nan)


def required_deceleration(headway: FloatArray, closing: FloatArray, reaction: float = REACTION_TIME) -> FloatArray:
    """Step 6: the modified DRAC in m/s2, float64[n]: braking that avoids the collision after `reaction` seconds.

    0 if the gap (m) does not close, NaN without a leader, inf if it closes within the reaction time. With a reaction
    of 0 s it is the standard DRAC, `closing`² / (2 `headway`).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.maximum(headway - closing * reaction, 0.0)
        return np.where(closing > 0, closing**2 / (2 * room), np.where(np.isnan(closing), np.nan, 0.0))


def risk_level(ttc: FloatArray, limits: tuple[float, float] = RISK_TTC) -> npt.NDArray[np.int8]:
    """Step 6: 2 for a TTC below 2 s, 1 from 2 s to below 4 s, else 0, NaN included: int8[n]."""
    near, nearest = limits
    return (ttc < near).astype(np.int8) + (ttc < nearest).astype(np.int8)
