"""Every action of the window: when it can be done, and what it does, in a line or a small function.

The panes and documents do the work; words, keys and menus stand in `resources/actions.json`.
"""

from ....texts import N_
from ...widgets.actions import ActionSpec
from ..panes import Services
from .actors import actor_actions, note_actions
from .document import document_actions
from .recording import frame_actions, header_actions, road_actions
from .travel import travel_actions
from .view import signal_actions, view_actions

MENUS = (N_("File"), N_("Edit"), N_("View"), N_("Go"), N_("Recording"), N_("Actor"), N_("Tools"), N_("Help"))


def first_actions(services: Services) -> list[ActionSpec]:
    """The window's actions before those of `later_actions`, in the order of the menus."""
    return [
        *document_actions(services),
        *view_actions(services),
        *signal_actions(services),
        *travel_actions(services),
        *frame_actions(services),
        *road_actions(services),
    ]


def later_actions(services: Services) -> list[ActionSpec]:
    """Those in the midst: with the operations, and with all modules that carry these out."""
    from .operations import operation_actions

    return [
        *operation_actions(services, "Recording"),
        *header_actions(services),
        *actor_actions(services),
        *note_actions(services),
        *operation_actions(services, "Actor"),
    ]
