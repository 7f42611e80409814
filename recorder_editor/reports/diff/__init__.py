"""Differences between two recordings: header, actors, frames, packets, records, fields.

The summary takes one pass over both; single differences of a pair of frames are computed on request.
"""

from .compare import ActorChange, Comparison, HeaderChange, compare
from .groups import FieldGroup
from .packets import Difference
from .take import refusal_of, take_group, take_thing
from .things import Thing

__all__ = [
    "ActorChange",
    "Comparison",
    "Difference",
    "FieldGroup",
    "HeaderChange",
    "Thing",
    "compare",
    "refusal_of",
    "take_group",
    "take_thing",
]
