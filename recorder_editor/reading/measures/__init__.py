"""Surrogate safety measures of pairs of road users, each a function of columns; numpy alone.

All take boxes on the ground with their velocities, row by row, and give a column: NaN where the measure has no value.
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

__all__ = [
    "Boxes",
    "are_apart",
    "closing_speed",
    "distance",
    "drac",
    "encroachment_time",
    "lateral_deceleration",
    "longitudinal_deceleration",
    "meet_turning",
    "post_encroachment_time",
    "predicted_pet",
    "time_headway",
    "ttc2d",
]
