"""The replay model: what CARLA's replayer would create, move and show at any time, and what it would complain about."""

from .diagnostics import CODES, ReplayWarning, findings, warnings
from .replayer import Replayer
from .scene import Attribute, Created, Link, Scene, Shown

__all__ = [
    "CODES",
    "Attribute",
    "Created",
    "Link",
    "ReplayWarning",
    "Replayer",
    "Scene",
    "Shown",
    "findings",
    "warnings",
]
