"""What differs between two recordings: header, actors, frames, packets, records, fields.

The summary is made in one pass over both; the single differences of a pair of frames are worked out when asked for.
"""

from .align import Alignment, align
from .compare import ActorChange, Comparison, FieldTotal, HeaderChange, PacketTotal, Pair, compare
from .packets import Difference, compare_frames

__all__ = [
    "ActorChange",
    "Alignment",
    "Comparison",
    "Difference",
    "FieldTotal",
    "HeaderChange",
    "PacketTotal",
    "Pair",
    "align",
    "compare",
    "compare_frames",
]
