"""The replay model: what CARLA's replayer would create, move and show at any time, and what it would complain about."""

from .diagnostics import diagnose
from .replayer import Replayer
from .scene import Attribute, Created, Link, Scene, Shown

__all__ = ["Attribute", "Created", "Link", "Replayer", "Scene", "Shown", "diagnose"]
