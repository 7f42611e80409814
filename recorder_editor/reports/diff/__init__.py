"""Differences between two recordings: header, actors, frames, packets, records, fields.

The summary takes one pass over both; single differences of a pair of frames are computed on request.
"""

from .compare import ActorChange, Comparison, HeaderChange, compare
from .groups import FieldGroup
from .packets import Difference

__all__ = ["ActorChange", "Comparison", "Difference", "FieldGroup", "HeaderChange", "compare"]
