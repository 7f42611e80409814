"""The actions of the Signals pane, and which signals the selection stands for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..actions import ActionSpec
from ..panes import Services
from ..session import Session
from ..signal_key import Key
from . import SIGNALS
from .catalog import keys_at

if TYPE_CHECKING:
    from .pane import SignalsPane


def selected_keys(session: Session) -> tuple[Key, ...]:
    """The signals that the selection stands for."""
    snapshot, selection = session.snapshot, session.selection
    if snapshot is None or selection.place.record is None:
        return ()
    keys = list(keys_at(snapshot, selection.place))
    for place in selection.more:
        keys += keys_at(snapshot, place._replace(field=selection.place.field))
    return tuple(dict.fromkeys(keys))


def pane_actions(services: Services) -> Sequence[ActionSpec]:
    """What can be done with the signals that are plotted."""
    tr, panes = services.tr, services.panes
    where = tr("Signals")

    def has() -> bool:
        plotted = panes.if_made(SIGNALS)
        return plotted is not None and bool(plotted.traces)

    def has_cursors() -> bool:
        plotted = panes.if_made(SIGNALS)
        return plotted is not None and bool(plotted.cursors)

    def spec(
        name: str, text: str, does: Callable[["SignalsPane"], object], key: str, tip: str, icon: str = ""
    ) -> ActionSpec:
        return ActionSpec(
            f"signals.{name}",
            text,
            lambda: does(panes.get(SIGNALS)),
            key,
            icon,
            tip,
            "View/Signals",
            has,
            context="pane",
            where=where,
            words=tr("plot curve chart"),
        )

    return [
        ActionSpec(
            "signals.cursors",
            tr("Cursors"),
            lambda on: panes.get(SIGNALS).show_cursors(on),
            "C",
            "",
            tr("Two cursors with differences"),
            "View/Signals",
            has,
            checked=has_cursors,
            context="pane",
            where=where,
            words=tr("signals measure difference"),
        ),
        spec(
            "back",
            tr("Look back"),
            lambda plotted: plotted.back(),
            "Backspace",
            tr("The part that was looked at before"),
            "previous",
        ),
        spec(
            "forward",
            tr("Look forward"),
            lambda plotted: plotted.forward(),
            "Shift+Backspace",
            tr("The part before going back"),
            "next",
        ),
        spec(
            "export",
            tr("Export signals as CSV..."),
            lambda plotted: plotted.ask_export(),
            "",
            tr("What is shown, frame by frame"),
            "export",
        ),
        spec(
            "copy",
            tr("Copy picture of the signals"),
            lambda plotted: plotted.copy_picture(),
            "",
            tr("The curves, to the clipboard"),
        ),
        spec(
            "save",
            tr("Save picture of the signals..."),
            lambda plotted: plotted.ask_and_save_picture(),
            "",
            tr("The curves, as a PNG or SVG file"),
        ),
        spec("clear", tr("Remove all signals"), lambda plotted: plotted.model.clear(), "", tr("Plot nothing")),
    ]
