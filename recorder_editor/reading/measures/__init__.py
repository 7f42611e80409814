"""Surrogate safety measures of pairs of road users, each a function of columns; numpy alone.

All but those of followers take boxes on the ground with their velocities, row by row, and give a column: NaN where the
measure has no value. Those of followers take gaps and speeds.
"""

from .boxes import Boxes, are_apart, distance
from .conflicts import (
    closing_speed,
    drac,
    encroachment_time,
    lateral_deceleration,
    longitudinal_deceleration,
    meet_turning,
    post_encroachment_time,
    predicted_pet,
    time_headway,
    ttc2d,
)
from .following import SLOWEST, deceleration_to_avoid, time_gap, time_to_close

__all__ = [
    "SLOWEST",
    "Boxes",
    "are_apart",
    "closing_speed",
    "deceleration_to_avoid",
    "distance",
    "drac",
    "encroachment_time",
    "lateral_deceleration",
    "longitudinal_deceleration",
    "meet_turning",
    "post_encroachment_time",
    "predicted_pet",
    "time_gap",
    "time_headway",
    "time_to_close",
    "ttc2d",
]
