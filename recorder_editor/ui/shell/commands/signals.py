"""The actions of the Signals pane."""

from functools import partial

from ...widgets.actions import ActionSpec
from ..pane_list import SIGNALS
from ..panes import Services


def pane_actions(services: Services) -> list[ActionSpec]:
    """What can be done with the signals that are plotted."""
    action = partial(services.action_of, SIGNALS, enabled=lambda pane: pane.traces)
    return [
        action("signals.cursors", lambda pane: pane.show_cursors(not pane.cursors), checked=lambda pane: pane.cursors),
        action("signals.back", lambda pane: pane.step_view(-1)),
        action("signals.forward", lambda pane: pane.step_view(1)),
        action("signals.export", lambda pane: pane.ask_export()),
        action("signals.save", lambda pane: pane.ask_and_save_picture()),
        action("signals.clear", lambda pane: pane.model.clear()),
    ]
