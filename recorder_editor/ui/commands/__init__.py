"""Every action of the window: its words, its key, its place in the menus, when it can be done.

What an action does is said here in a line or a small function; the panes and documents do the work.
"""

from typing import TYPE_CHECKING

from ..actions import ActionSpec
from .content import content_actions
from .document import document_actions
from .travel import travel_actions
from .view import view_actions

if TYPE_CHECKING:
    from ..main_window import MainWindow

MENUS = ("File", "Edit", "View", "Go", "Recording", "Actor", "Tools", "Help")


def every_action(window: "MainWindow") -> list[ActionSpec]:
    """The window's actions, in the order of the menus."""
    return [
        *document_actions(window), *view_actions(window), *travel_actions(window), *content_actions(window),
    ]  # fmt: skip
