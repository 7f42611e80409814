"""The actions of the Signals pane, and which signals the selection stands for."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..actions import ActionSpec
from ..panes import PaneSpec, Services
from ..session import Session
from ..signal_key import Key
from .catalog import keys_at

if TYPE_CHECKING:
    from .pane import SignalsPane


def selected_keys(session: Session) -> tuple[Key, ...]:
    """The signals that the selection stands for."""
    snapshot, selection = session.snapshot, session.selection.value
    if snapshot is None or selection.place.record is None:
        return ()
    keys = list(keys_at(snapshot, selection.place))
    for place in selection.more:
        keys += keys_at(snapshot, place._replace(field=selection.place.field))
    return tuple(dict.fromkeys(keys))


def pane_actions(services: Services, spec: "PaneSpec[SignalsPane]") -> Sequence[ActionSpec]:
    """What can be done with the signals that are plotted; `spec` declares their pane."""
    action = partial(services.action_of, spec, enabled=lambda pane: pane.traces)
    return [
        action("signals.cursors", lambda pane: pane.show_cursors(not pane.cursors), checked=lambda pane: pane.cursors),
        action("signals.back", lambda pane: pane.step_view(-1)),
        action("signals.forward", lambda pane: pane.step_view(1)),
        action("signals.export", lambda pane: pane.ask_export()),
        action("signals.save", lambda pane: pane.ask_and_save_picture()),
        action("signals.clear", lambda pane: pane.model.clear()),
    ]
