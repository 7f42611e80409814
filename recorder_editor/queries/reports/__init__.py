"""CARLA's own three text reports, byte for byte as the server of a release prints them (format reference, section 7).

Each is a generator of bytes, so that memory is bounded. `collisions` and `blocked` return the same as data.
"""

from .blocked import CENTIMETRES, SECONDS, blocked, blocked_report
from .collisions import Collision, collision_report, collisions
from .info import info_report
from .text import FAMILIES, Family, family_of

__all__ = [
    "CENTIMETRES",
    "FAMILIES",
    "SECONDS",
    "Collision",
    "Family",
    "blocked",
    "blocked_report",
    "collision_report",
    "collisions",
    "family_of",
    "info_report",
]
