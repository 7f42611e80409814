"""Differences between two recordings: header, actors, frames, packets, records, fields.

The summary takes one pass over both; single differences of a pair of frames are computed on request.
"""

from .align import Alignment, align
from .compare import ActorChange, Comparison, FieldTotal, HeaderChange, PacketTotal, Pair, compare
from .groups import FieldGroup
from .packets import Difference, compare_frames

__all__ = [
    "ActorChange",
    "Alignment",
    "Comparison",
    "Difference",
    "FieldGroup",
    "FieldTotal",
    "HeaderChange",
    "PacketTotal",
    "Pair",
    "align",
    "compare",
    "compare_frames",
]
