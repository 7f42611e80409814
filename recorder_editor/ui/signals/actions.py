"""The actions of the Signals pane, and which signals the selection stands for."""

from collections.abc import Sequence
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
    panes = services.panes
    has = panes.when(spec, lambda pane: bool(pane.traces))
    action = services.action

    def pane() -> "SignalsPane":
        return panes.get(spec)

    return [
        action(
            "signals.cursors",
            lambda on: pane().show_cursors(on),
            enabled=has,
            checked=panes.when(spec, lambda pane: bool(pane.cursors)),
        ),
        action("signals.back", lambda: pane().step_view(-1), enabled=has),
        action("signals.forward", lambda: pane().step_view(1), enabled=has),
        action("signals.export", lambda: pane().ask_export(), enabled=has),
        action("signals.save", lambda: pane().ask_and_save_picture(), enabled=has),
        action("signals.clear", lambda: pane().model.clear(), enabled=has),
    ]
