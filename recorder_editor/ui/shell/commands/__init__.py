"""Every action of the window: a tuple `ACTIONS` in the module of its subject, with what each does.

The panes and documents do the work. The order here is that of the list under Ctrl+K, and within each menu.
"""

from ...widgets.actions import ActionSpec
from ..action import specs
from ..panes import Services
from . import (
    actors,
    appearance,
    docks,
    edit,
    events,
    file,
    frames,
    help,
    notes,
    playback,
    plots,
    recording_file,
    road_map,
    scene,
    segments,
    tools,
    travel,
    workspace,
)


def first_actions(services: Services) -> list[ActionSpec]:
    """Return the window's actions before those of `later_actions`."""
    actions = specs(services, file.ACTIONS)
    actions += specs(services, edit.ACTIONS)
    actions += specs(services, help.ACTIONS)
    actions += docks.pane_switches(services)
    actions += specs(services, docks.ACTIONS)
    actions += specs(services, workspace.ACTIONS)
    actions += specs(services, scene.SWITCHES)
    actions += specs(services, scene.COLORS)
    actions += specs(services, scene.ACTIONS)
    actions += specs(services, appearance.ACTIONS)
    actions += specs(services, plots.ACTIONS)
    actions += specs(services, travel.ACTIONS)
    actions += specs(services, playback.ACTIONS)
    actions += specs(services, frames.ACTIONS)
    actions += specs(services, events.ACTIONS)
    actions += specs(services, segments.ACTIONS)
    actions += specs(services, road_map.ACTIONS)
    return actions


def later_actions(services: Services) -> list[ActionSpec]:
    """Return the actions between the others: operations, and what loads the modules of operations."""
    from . import copies, new_actors, path_keys
    from .operations import operation_actions

    actions = list(operation_actions(services, "Recording"))
    actions += specs(services, recording_file.ACTIONS)
    actions += specs(services, actors.ACTIONS)
    actions += specs(services, notes.ACTIONS)
    actions += specs(services, copies.ACTIONS)
    actions += specs(services, path_keys.ACTIONS)
    actions += specs(services, new_actors.ACTIONS)
    actions += operation_actions(services, "Actor")
    return actions


def last_actions(services: Services) -> list[ActionSpec]:
    """Return the last actions; those of panes follow."""
    return specs(services, tools.ACTIONS)
