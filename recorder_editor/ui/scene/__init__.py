"""The scene: the recording from above, in metres."""

from .pane import ScenePane

__all__ = ["ScenePane"]
