"""View: what is plotted over time, and risks; those of the Signals pane itself stand with it in `pane_list`."""

from ....texts import N_
from ...panes.signals.selected import selected_keys
from ..action import RECORDING, Action, Condition, Switch, on_pane
from ..pane_list import SIGNALS
from ..panes import Services


def _no_traffic_reason(services: Services) -> str:
    return services.not_ready_reason() or services.session.traffic.lacks()


def _selects_signals(services: Services) -> bool:
    return bool(selected_keys(services.session))


def plot_selected(services: Services) -> None:
    """Plot the selected field, or the speed of the actor."""
    services.panes.show(SIGNALS.name)
    services.panes.get(SIGNALS).add(*selected_keys(services.session))


SIGNAL_SELECTED = Condition(_selects_signals, N_("Select an actor or a numeric field first."))

ACTIONS = (
    Switch(
        "traffic.show",
        lambda services, on: services.session.traffic.show(on),
        checked=lambda services: services.session.traffic.is_shown,
        disabled_reason=_no_traffic_reason,
        text=N_("Risks and leaders"),
        menu="View",
        section="traffic",
        tooltip=N_("Mark near collisions on the timeline, and draw the leaders of selected vehicles"),
        keywords=N_("ttc drac gap safety traffic analysis"),
    ),
    Action(
        "signals.add",
        on_pane(SIGNALS, lambda pane: pane.ask_add(), opens=True),
        needs=RECORDING,
        text=N_("Plot signal..."),
        key="Ctrl+T",
        icon="signals",
        menu="View/Plot",
        tooltip=N_("Plot values of the recording over time"),
        keywords=N_("plot curve chart graph add"),
    ),
    Action(
        "signals.expression",
        on_pane(SIGNALS, lambda pane: pane.ask_expression(), opens=True),
        needs=RECORDING,
        text=N_("Plot expression..."),
        menu="View/Plot",
        tooltip=N_("Plot the value of an expression over time"),
        keywords=N_("plot curve chart graph formula custom signal"),
    ),
    Action(
        "signals.plot",
        plot_selected,
        needs=SIGNAL_SELECTED,
        text=N_("Plot over time"),
        key="Ctrl+Shift+T",
        menu="View/Plot",
        tooltip=N_("Plot the selected field, or the speed of the actor, over time"),
        keywords=N_("plot curve chart graph signal selection"),
    ),
)
