"""The context menu of the Signals pane."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QMenu, QWidget

from ....texts import listed, say
from ....views.signal_scale import LARGEST, Mode, Scale
from ...dialogs.base import BaseDialog
from ...dialogs.fields import Fields, FieldSpec
from ...widgets.menus import make_checkable
from .plot import Plot
from .plot_view import PlotView
from .series import Trace
from .signal_parts import HISTOGRAM, STATISTICS, XY

if TYPE_CHECKING:
    from .signals_pane import SignalsPane


def offer_menus(pane: "SignalsPane") -> None:
    """Show the context menu where a person asks for it, on the curves, in the legend or in the parts below."""
    pane.offer_menu(pane.parts.xy, lambda _point: part_menu(pane, XY))
    pane.offer_menu(pane.parts.histogram, lambda _point: part_menu(pane, HISTOGRAM))
    pane.offer_menu(pane.parts.table, lambda _point: part_menu(pane, STATISTICS))
    pane.offer_menu(pane.plot_view, lambda point: context_menu(pane, [], pane.plot_view.plot_at(QPointF(point))))
    pane.offer_menu(pane.legend, lambda _point: context_menu(pane, pane.legend.chosen()))


def context_menu(pane: "SignalsPane", chosen: list[Trace], plot: Plot | None = None) -> QMenu:
    """Return the context menu.

    Args:
        pane: The pane.
        chosen: Signals that the menu is about.
        plot: Plot that it is about; None: that of the first signal.
    """
    menu = QMenu(pane)
    if plot is None and chosen:
        plot = _plot_of(pane, chosen[0])
    if chosen:
        _add_signal_actions(menu, pane, chosen)
        menu.addSeparator()
    if plot is not None:
        _fill_range(menu.addMenu(say("Range")), pane, plot)
        menu.addSeparator()
    if chosen:
        noted = chosen
    elif plot is not None:
        noted = plot.traces
    else:
        noted = pane.shown
    if noted:
        menu.addAction(say("Make a note of this"), partial(_make_note, pane, noted))
        menu.addSeparator()
    menu.addAction(say("Plot signal..."), pane.ask_add)
    menu.addAction(say("Plot expression..."), pane.ask_expression)
    if pane.traces:
        _add_pane_actions(menu, pane)
    return menu


def part_menu(pane: "SignalsPane", part: str) -> QMenu:
    """Return the context menu of a part below the curves, by its name."""
    parts = pane.parts
    menu = QMenu(pane)
    if parts.brushed is not None:
        menu.addAction(say("Set In and Out"), pane.set_brushed_range)
        pane.offer(menu, say("Take the brush back"), lambda: parts.brush(None), key="Esc")
        menu.addSeparator()
    for axis, text in (("x", say("Signal along X")), ("y", say("Signal along Y"))):
        _fill_axis(menu.addMenu(text), pane, axis)
    _fill_parts(menu.addMenu(say("Parts of the pane")), pane)
    menu.addSeparator()
    if part in parts.plots:
        pane.offer(menu, say("Show everything"), parts.plots[part].show_whole, key="0")
    pane.offer_copies(menu, parts.frames[part].body)
    return menu


def _fill_axis(menu: QMenu, pane: "SignalsPane", axis: str) -> None:
    """Fill a menu with the signals that can be along an axis."""
    choice = pane.parts.choice
    present = choice.group(axis)
    for group in choice.groups:
        action = menu.addAction(group.title, partial(choice.choose, axis, group.key))
        make_checkable(action, group == present)


def _fill_parts(menu: QMenu, pane: "SignalsPane") -> None:
    """Fill a menu with the switches of the parts."""
    parts = pane.parts
    for name, chip in parts.chips.items():
        is_shown = name in parts.shown
        action = menu.addAction(chip.text(), partial(parts.show_part, name, on=not is_shown))
        make_checkable(action, is_shown)


def _plot_of(pane: "SignalsPane", trace: Trace) -> Plot | None:
    for plot in pane.plot_view.plots:
        if trace in plot.traces:
            return plot
    return None


def _add_signal_actions(menu: QMenu, pane: "SignalsPane", chosen: list[Trace]) -> None:
    if any(trace.is_shown for trace in chosen):
        menu.addAction(say("Hide"), lambda: pane.model.show_all(chosen, on=False))
    else:
        menu.addAction(say("Show"), lambda: pane.model.show_all(chosen, on=True))
    menu.addAction(say("Remove"), lambda: pane.model.remove(*chosen))
    actor = chosen[0].key.actor
    if actor is None:
        return
    text = say("Select actor {actor}", actor=actor)
    menu.addAction(text, lambda: pane.session.selection.select_actor(actor))
    others = [selected for selected in pane.session.selection.actors if selected != actor]
    if others:
        text = say("Plot the same for the selected actors")
        menu.addAction(text, lambda: pane.model.add_for(others, chosen))


def _add_pane_actions(menu: QMenu, pane: "SignalsPane") -> None:
    frame = pane.session.selection.frame_index
    menu.addAction(say("Remove all signals"), pane.model.clear)
    menu.addSeparator()
    _fill_parts(menu.addMenu(say("Parts of the pane")), pane)
    cursors = menu.addAction(say("Cursors"), lambda: pane.show_cursors(not pane.cursors))
    make_checkable(cursors, bool(pane.cursors))
    menu.addAction(say("Put cursor A here"), lambda: pane.set_cursor("A", frame))
    menu.addAction(say("Put cursor B here"), lambda: pane.set_cursor("B", frame))
    menu.addSeparator()
    pane.offer_copies(menu, pane.plot_view)
    menu.addAction(say("Export as CSV..."), pane.ask_export)
    pane.offer(menu, say("Export picture..."), partial(pane.action_asked.emit, "file.picture"), "file.picture")


def _make_note(pane: "SignalsPane", traces: list[Trace]) -> None:
    """Make a note of the values of signals in the current frame, for their actor where they have only one."""
    frame = pane.session.selection.frame_index
    values = []
    actors = set()
    for trace in traces:
        values.append(f"{trace.title} {trace.text(trace.at(frame))} {trace.unit}".strip())
        actors.add(trace.key.actor)
    actor = actors.pop() if len(actors) == 1 else None
    if pane.session.notes.make(listed(values), range(frame, frame + 1), actor):
        pane.action_asked.emit("notes.edit")


def _fill_range(menu: QMenu, pane: "SignalsPane", plot: Plot) -> None:
    scale = plot.scale
    set_scale = partial(pane.plot_view.set_scale, plot.unit)
    modes: tuple[tuple[Mode, str], ...] = (("all", say("Automatic")), ("robust", say("1st to 99th percentile")))
    for mode, text in modes:
        action = menu.addAction(text, partial(set_scale, scale._replace(mode=mode)))
        make_checkable(action, scale.mode == mode)
    fixed = menu.addAction(say("Fixed..."), lambda: ScaleDialog(pane.plot_view, plot, pane.window()).open_())
    make_checkable(fixed, scale.mode == "fixed")
    menu.addSeparator()
    toggled = scale._replace(is_log=not scale.is_log)
    if scale.mode == "fixed" and scale.low <= 0:
        # A logarithmic axis cannot begin there.
        toggled = toggled._replace(mode="all")
    log = menu.addAction(say("Logarithmic"), partial(set_scale, toggled))
    make_checkable(log, scale.is_log)
    log.setEnabled(scale.is_log or plot.is_positive)
    menu.setToolTipsVisible(True)
    if not log.isEnabled():
        log.setToolTip(say("Only where all visible values are above 0"))


class ScaleDialog(BaseDialog):
    """Asks for the least and the greatest value of a plot's axis.

    Attributes:
        fields: The fields for both values.
        message: The line that says why they cannot be taken.
    """

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
        self.message = self.add_line("", small=True)
        self.add_answers(say("Set range"), self._set)
        self.fields.editors["low"].setFocus()

    def _set(self) -> None:
        if not self.fields.commit():
            return
        low = float(self.fields.values["low"])
        high = float(self.fields.values["high"])
        if low >= high:
            self.message.setText(say("The first number must be smaller than the second."))
        elif low <= 0 and self._is_log:
            self.message.setText(say("A logarithmic axis begins above 0."))
        else:
            self._plot_view.set_scale(self._unit, Scale("fixed", low=low, high=high, is_log=self._is_log))
            self.accept()
