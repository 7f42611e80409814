"""The context menu of the Signals pane."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QMenu, QWidget

from ....texts import listed, say
from ....views.signal_scale import LARGEST, Mode, Scale
from ...dialogs.base import BaseDialog
from ...dialogs.fields import Fields, FieldSpec
from ...widgets.menus import ticked
from .plot import Plot
from .plot_view import PlotView
from .series import Trace

if TYPE_CHECKING:
    from .signals_pane import SignalsPane


def offer_menus(pane: "SignalsPane") -> None:
    """Show the context menu where a person asks for it, on the curves or in the legend."""
    pane.offer_menu(pane.plot_view, lambda point: context_menu(pane, [], pane.plot_view.plot_at(QPointF(point))))
    pane.offer_menu(pane.legend, lambda _point: context_menu(pane, pane.legend.chosen()))


def context_menu(pane: "SignalsPane", chosen: list[Trace], plot: Plot | None = None) -> QMenu:
    """What can be done with these signals, with a plot (without one, that of the first signal), and with all."""
    menu = QMenu(pane)
    plot = plot or next((each for each in pane.plot_view.plots if chosen and chosen[0] in each.traces), None)
    if chosen:
        hides = any(trace.is_shown for trace in chosen)
        menu.addAction(say("Hide") if hides else say("Show"), lambda: pane.model.show_all(chosen, on=not hides))
        menu.addAction(say("Remove"), lambda: pane.model.remove(*chosen))
        actor = chosen[0].key.actor
        if actor is not None:
            text = say("Select actor {actor}", actor=actor)
            menu.addAction(text, lambda: pane.session.selection.select_actor(actor))
        others = []
        for other in pane.session.selection.actors:
            if other != actor:
                others.append(other)
        if actor is not None and others:
            text = say("Plot the same for the selected actors")
            menu.addAction(text, lambda: pane.model.add_for(others, chosen))
        menu.addSeparator()
    if plot is not None:
        _fill_range(menu.addMenu(say("Range")), pane, plot)
        menu.addSeparator()
    if meant := chosen or (plot.traces if plot is not None else pane.shown):
        menu.addAction(say("Make a note of this"), partial(_note, pane, meant))
        menu.addSeparator()
    menu.addAction(say("Plot signal..."), pane.ask_add)
    menu.addAction(say("Plot expression..."), pane.ask_expression)
    if not pane.traces:
        return menu
    menu.addAction(say("Remove all signals"), pane.model.clear)
    menu.addSeparator()
    ticked(menu.addAction(say("Cursors"), lambda: pane.show_cursors(not pane.cursors)), bool(pane.cursors))
    frame = pane.session.selection.frame_index
    menu.addAction(say("Put cursor A here"), lambda: pane.set_cursor("A", frame))
    menu.addAction(say("Put cursor B here"), lambda: pane.set_cursor("B", frame))
    menu.addSeparator()
    menu.addAction(say("Export as CSV..."), pane.ask_export)
    menu.addAction(say("Save picture..."), pane.ask_and_save_picture)
    return menu


def _note(pane: "SignalsPane", traces: list[Trace]) -> None:
    """Make a note of the values of signals in this frame."""
    frame, (actor, *others) = pane.session.selection.frame_index, {trace.key.actor for trace in traces}
    said = listed(f"{trace.title} {trace.text(trace.at(frame))} {trace.unit}".strip() for trace in traces)
    if pane.session.notes.make(said, range(frame, frame + 1), None if others else actor):
        pane.action_asked.emit("notes.edit")


def _fill_range(menu: QMenu, pane: "SignalsPane", plot: Plot) -> None:
    unit = plot.unit
    scale = plot.scale
    modes: tuple[tuple[Mode, str], ...] = (("all", say("Automatic")), ("robust", say("1st to 99th percentile")))
    for mode, text in modes:
        action = menu.addAction(text, partial(pane.plot_view.set_scale, unit, scale._replace(mode=mode)))
        ticked(action, scale.mode == mode)
    fixed = menu.addAction(say("Fixed..."), lambda: ScaleDialog(pane.plot_view, plot, pane.window()).open_())
    ticked(fixed, scale.mode == "fixed")
    menu.addSeparator()
    mode = "all" if scale.mode == "fixed" and scale.low <= 0 else scale.mode
    other = scale._replace(mode=mode, is_log=not scale.is_log)
    log = ticked(menu.addAction(say("Logarithmic"), partial(pane.plot_view.set_scale, unit, other)), scale.is_log)
    log.setEnabled(scale.is_log or plot.is_positive)
    menu.setToolTipsVisible(True)
    if not log.isEnabled():
        log.setToolTip(say("Only where all visible values are above 0"))


class ScaleDialog(BaseDialog):
    """Asks for the least and the greatest value, and scales the plot. Attribute: `fields`."""

    def __init__(self, plot_view: PlotView, plot: Plot, parent: QWidget | None = None) -> None:
        super().__init__(plot_view.theme, parent, "signalRange")
        self.say(say("Range"), say("Range of the axis"))
        self._plot_view = plot_view
        self._unit = plot.unit
        self._is_log = plot.scale.is_log
        low, high = plot.view_values()
        self.fields = Fields(plot_view.theme)
        for name, label, value in (("low", say("From"), low), ("high", say("To"), high)):
            shown = float(f"{value:.4g}")
            self.fields.add_field(FieldSpec(name, label, "number", shown, plot.unit, low=-LARGEST, high=LARGEST))
        self.body.addWidget(self.fields)
        self.told = self.add_line("", small=True)
        self.add_answers(say("Set range"), self._set)
        self.fields.editors["low"].setFocus()

    def _set(self) -> None:
        if not self.fields.commit():
            return
        low, high = float(self.fields.values["low"]), float(self.fields.values["high"])
        if low >= high:
            self.told.setText(say("The first number must be smaller than the second."))
        elif low <= 0 and self._is_log:
            self.told.setText(say("A logarithmic axis begins above 0."))
        else:
            self._plot_view.set_scale(self._unit, Scale("fixed", low, high, self._is_log))
            self.accept()
