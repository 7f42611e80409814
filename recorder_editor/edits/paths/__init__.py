"""Edits of where actors go: moved, turned, placed, mirrored, smoothed, shifted sideways, over any range of frames."""

from .actor import move_actor
from .mirror import mirror_path
from .ranges import move_actors, place_actors
from .shapes import offset_path, smooth_path

__all__ = ["mirror_path", "move_actor", "move_actors", "offset_path", "place_actors", "smooth_path"]
