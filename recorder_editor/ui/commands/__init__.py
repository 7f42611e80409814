"""Every action of the window: its words, its key, its place in the menus, when it can be done.

What an action does is said here in a line or a small function; the panes and documents do the work.
"""

from typing import TYPE_CHECKING

from ..actions import ActionSpec
from .actors import actor_actions
from .content import header_actions, tool_actions
from .document import document_actions
from .frames import frame_actions
from .operations import operation_actions
from .problems import problem_actions
from .repairing import repair_actions
from .signals import signal_actions
from .travel import travel_actions
from .view import view_actions
from .whole import script_actions, whole_actions

if TYPE_CHECKING:
    from ..main_window import MainWindow

MENUS = ("File", "Edit", "View", "Go", "Recording", "Actor", "Tools", "Help")


def every_action(window: "MainWindow") -> list[ActionSpec]:
    """The window's actions, in the order of the menus."""
    return [
        *document_actions(window),
        *view_actions(window),
        *signal_actions(window),
        *travel_actions(window),
        *frame_actions(window),
        *whole_actions(window),
        *operation_actions(window, "Recording"),
        *header_actions(window),
        *actor_actions(window),
        *operation_actions(window, "Actor"),
        *tool_actions(window),
        *problem_actions(window),
        *repair_actions(window),
        *script_actions(window),
    ]
