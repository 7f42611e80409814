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
    return [
        *specs(services, file.ACTIONS),
        *specs(services, edit.ACTIONS),
        *specs(services, help.ACTIONS),
        *docks.pane_switches(services),
        *specs(services, docks.ACTIONS),
        *specs(services, workspace.ACTIONS),
        *specs(services, scene.SWITCHES),
        *scene.color_actions(services),
        *specs(services, scene.ACTIONS),
        *specs(services, appearance.ACTIONS),
        *specs(services, plots.ACTIONS),
        *specs(services, travel.ACTIONS),
        *specs(services, playback.ACTIONS),
        *specs(services, frames.ACTIONS),
        *specs(services, segments.ACTIONS),
        *specs(services, road_map.ACTIONS),
    ]


def later_actions(services: Services) -> list[ActionSpec]:
    """Return those in the midst: with the operations, and with all modules that carry these out."""
    from . import copies, new_actors, path_keys
    from .operations import operation_actions

    return [
        *operation_actions(services, "Recording"),
        *specs(services, recording_file.ACTIONS),
        *specs(services, actors.ACTIONS),
        *specs(services, notes.ACTIONS),
        *specs(services, copies.ACTIONS),
        *specs(services, path_keys.ACTIONS),
        *specs(services, new_actors.ACTIONS),
        *operation_actions(services, "Actor"),
    ]


def last_actions(services: Services) -> list[ActionSpec]:
    """Return those behind them; those of panes follow."""
    return specs(services, tools.ACTIONS)
