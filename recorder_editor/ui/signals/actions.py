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
    tr, panes = services.tr, services.panes
    has = panes.when(spec, lambda pane: bool(pane.traces))
    no_signals = tr("Plot a signal first.")
    in_pane = partial(
        ActionSpec, menu="View/Signals", enabled=has, context="pane", where=tr("Signals"), needs=no_signals
    )
    of_curves = partial(in_pane, keywords=tr("plot curve chart"))

    def pane() -> "SignalsPane":
        return panes.get(spec)

    return [
        in_pane(
            "signals.cursors",
            tr("Cursors"),
            lambda on: pane().show_cursors(on),
            "C",
            tooltip=tr("Two cursors with differences"),
            checked=panes.when(spec, lambda pane: bool(pane.cursors)),
            keywords=tr("signals measure difference"),
        ),
        of_curves(
            "signals.back",
            tr("Previous view"),
            lambda: pane().step_view(-1),
            "Backspace",
            "previous",
            tr("Back to the view before the last move or zoom"),
        ),
        of_curves(
            "signals.forward",
            tr("Next view"),
            lambda: pane().step_view(1),
            "Shift+Backspace",
            "next",
            tr("Forward to the view before going back"),
        ),
        of_curves(
            "signals.export",
            tr("Export signals as CSV..."),
            lambda: pane().ask_export(),
            "",
            "export",
            tr("Write the plotted values, frame by frame"),
        ),
        of_curves(
            "signals.copy",
            tr("Copy picture of the signals"),
            lambda: pane().copy_picture(),
            tooltip=tr("Copy the plot as a picture"),
        ),
        of_curves(
            "signals.save",
            tr("Save picture of the signals..."),
            lambda: pane().ask_and_save_picture(),
            tooltip=tr("Save the plot as a PNG or SVG file"),
        ),
        of_curves(
            "signals.clear",
            tr("Remove all signals"),
            lambda: pane().model.clear(),
            tooltip=tr("Remove all signals from the plot"),
        ),
    ]
