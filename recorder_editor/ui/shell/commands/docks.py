"""View: which panes are shown."""

from functools import partial

from ....texts import N_, say
from ...widgets.actions import ActionSpec
from ..action import RECORDING, Action, Condition, Switch
from ..dock_layout import PRESETS
from ..docks import Dock
from ..pane_list import TIMELINE
from ..panes import Services


def pane_switches(services: Services) -> list[ActionSpec]:
    """Return a switch for each pane that has a dock; a pane that a layout is named after comes with that layout."""
    docks = services.panes.docks
    return [_pane_switch(services, name, dock) for name, dock in docks.items() if name not in PRESETS]


def _pane_switch(services: Services, name: str, dock: Dock) -> ActionSpec:
    panes = services.panes
    return ActionSpec(
        id=f"view.{name}",
        text=dock.windowTitle(),
        handler=partial(panes.show, name),
        menu="View/Panes",
        enabled=services.is_open,
        checked=partial(panes.is_open, name),
        keywords=" ".join((say("pane"), panes.specs[name].title)),
        tooltip=say("Show or hide the pane {pane}", pane=dock.windowTitle()),
    )


def _timeline(services: Services) -> Dock:
    return services.panes.docks[TIMELINE.name]


def _lacks_room(services: Services) -> bool:
    pane = services.panes.if_made(TIMELINE)
    return pane is not None and pane.isVisible() and pane.canvas.timeline_layout.lacks > 0


HIDDEN_LANES = Condition(_lacks_room, N_("All lanes of the timeline have room."))

ACTIONS = (
    Action(
        "view.timeline_lanes",
        lambda services: services.panes.get(TIMELINE).canvas.ask_room(),
        needs=HIDDEN_LANES,
        text=N_("Make room for all timeline lanes"),
        menu="View",
        section="panes",
        tooltip=N_("Make the timeline so high that all of its lanes are shown"),
        keywords=N_("higher taller more marks"),
    ),
    Switch(
        "view.float_timeline",
        lambda services, on: _timeline(services).setFloating(on),
        checked=lambda services: _timeline(services).isFloating(),
        needs=RECORDING,
        text=N_("Float timeline"),
        menu="View/Panes",
        section="float",
        tooltip=N_("Show the timeline in a separate window"),
    ),
)
