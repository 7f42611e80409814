"""The replay model: what CARLA's replayer creates, moves and shows at any time, to judge edits by."""

from .replayer import Replayer
from .scene import Attribute, Created, Link, Scene, Shown

__all__ = ["Attribute", "Created", "Link", "Replayer", "Scene", "Shown"]
