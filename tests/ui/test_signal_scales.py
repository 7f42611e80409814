"""The y axes of signals: zoomed and moved by the mouse, robust, fixed, logarithmic; what is off the scale."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPicture
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from recorder_editor.ui.panes.signals.plot import Plot
from recorder_editor.ui.panes.signals.plot_view import PlotView
from recorder_editor.ui.panes.signals.signals_menu import ScaleDialog, context_menu
from recorder_editor.ui.shell.pane_list import SIGNALS, TIMELINE
from recorder_editor.ui.widgets.plots import off_scale
from recorder_editor.views.signal_key import Key
from recorder_editor.views.signal_scale import Scale, limits

from .. import builders as b
from .parts import Parts, begin_anew
from .test_signals import LEFT, NEEDS_SCIPY, NONE, SPEED, THROTTLE, Alone, X, alone, follow, move, read, wheel
from .windows import OpenWindow, idle, inner_menu, point_of_frame

__all__ = ["alone"]

part = Parts()

SIZE = Key("frame", "size")


def y_range(plot: Plot) -> tuple[float, float]:
    low, high = plot.box.viewRange()[1]
    return low, high


def over_axis(plot_view: PlotView, plot: Plot) -> QPoint:
    """A point on the y axis of a plot."""
    middle = plot.box.sceneBoundingRect().center()
    return QPoint(plot_view.theme.px(20), round(middle.y()))


def choose(menu: QMenu, *texts: str) -> None:
    """Triggers an entry of a menu, or of one inside it."""
    for text in texts[:-1]:
        menu = inner_menu(menu, text)
    next(action for action in menu.actions() if action.text() == texts[-1]).trigger()


@part
def the_wheel_over_an_axis_zooms_it_and_leaves_the_time_alone(plotted: Alone) -> None:
    plot_view = plotted.signals.plot_view
    plot = plot_view.plots[0]
    before, times = y_range(plot), (plot_view.axis.low, plot_view.axis.high)
    wheel(plot_view, over_axis(plot_view, plot), 2)
    low, high = y_range(plot)
    assert before[0] < low < high < before[1]
    assert plot.scale.mode == "fixed"
    assert (plot_view.axis.low, plot_view.axis.high) == times
    plotted.timeline.canvas.zoom(2.0)
    assert y_range(plot) == pytest.approx((low, high))


@part
def small_numbers_at_the_axis_are_those_of_the_signal_also_after_a_change_of_theme(plotted: Alone) -> None:
    plot_view = plotted.signals.plot_view
    plot = plot_view.plots[0]
    plot_view.set_scale(plot.unit, Scale("fixed", -0.9, 0.9))
    plot_view.restyle()
    picture = QPicture()
    painter = QPainter(picture)
    _, _, texts = plot.getAxis("left").generateDrawSpecs(painter)
    painter.end()
    assert len(texts) > 2
    assert max(abs(float(text)) for _, _, text in texts) == 0.5


@part
def a_drag_of_an_axis_moves_it(plotted: Alone, qtbot: QtBot) -> None:
    plot_view = plotted.signals.plot_view
    plot, frame = plot_view.plots[0], plotted.session.selection.frame_index
    (low, high), start = y_range(plot), over_axis(plot_view, plot)
    qtbot.mousePress(plot_view.viewport(), LEFT, pos=start)
    for distance in (8, 20):
        where = start + QPoint(0, distance)
        at = QPointF(where), QPointF(plot_view.viewport().mapToGlobal(where))
        event = QMouseEvent(QMouseEvent.Type.MouseMove, *at, Qt.MouseButton.NoButton, LEFT, NONE)
        QApplication.sendEvent(plot_view.viewport(), event)
    qtbot.mouseRelease(plot_view.viewport(), LEFT, pos=start + QPoint(0, 20))
    moved = y_range(plot)
    assert moved[0] > low
    assert moved[1] - moved[0] == pytest.approx(high - low)
    assert plotted.session.selection.frame_index == frame


@part
def the_menu_gives_back_the_automatic_range(plotted: Alone) -> None:
    signals, plot = plotted.signals, plotted.signals.plot_view.plots[0]
    before = y_range(plot)
    wheel(signals.plot_view, over_axis(signals.plot_view, plot), 3)
    choose(context_menu(signals, [], plot), "Range", "Automatic")
    assert y_range(plot) == pytest.approx(before)


@part
def a_range_of_two_numbers_is_typed(plotted: Alone, qtbot: QtBot) -> None:
    signals, plot = plotted.signals, plotted.signals.plot_view.plots[0]
    choose(context_menu(signals, [], plot), "Range", "Fixed...")
    dialog = plotted.findChild(ScaleDialog)
    assert dialog is not None
    for name, text in (("low", "30"), ("high", "20")):
        editor = dialog.fields.editors[name]
        editor.setFocus()
        editor.selectAll()  # type: ignore[union-attr]
        qtbot.keyClicks(editor, text)
    qtbot.keyClick(dialog.fields.editors["high"], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "smaller" in dialog.message.text())
    editor = dialog.fields.editors["low"]
    editor.setFocus()
    editor.selectAll()  # type: ignore[union-attr]
    qtbot.keyClicks(editor, "-5")
    dialog._set()
    assert y_range(plot) == (-5.0, 20.0)
    assert signals.plot_view.scales["m/s"] == Scale("fixed", -5.0, 20.0)


@part
def an_axis_is_logarithmic_only_where_all_is_positive(plotted: Alone, qtbot: QtBot) -> None:
    signals = plotted.signals
    signals.add(SIZE, X)
    read(plotted, qtbot)
    plots = {plot.unit: plot for plot in signals.plot_view.plots}
    assert not plots["cm"].is_positive  # it begins at 0
    plot = plots["B"]
    choose(context_menu(signals, [], plot), "Range", "Logarithmic")
    sizes = plot.traces[0].series.values
    low, high = y_range(plot)
    assert low < np.log10(sizes.min()) < np.log10(sizes.max()) < high
    assert np.nanmax(plot.curves_of[0].yData) == pytest.approx(np.log10(sizes.max()))
    log = inner_menu(context_menu(signals, [], plots["cm"]), "Range").actions()[-1]
    assert (log.text(), log.isEnabled()) == ("Logarithmic", False)


def test_robust_limits_leave_out_the_outer_percents() -> None:
    values = np.concatenate((np.linspace(0.0, 1.0, 999), [1e6]))
    low, high = limits(values, Scale("robust"))
    assert -0.2 < low < 0.02
    assert 0.98 < high < 1.2
    assert limits(values, Scale("all"))[1] > 1e6
    assert limits(np.array([np.nan, np.inf]), Scale()) == limits(np.zeros(0), Scale())


def test_the_ends_of_runs_are_marked_with_room_between_the_marks() -> None:
    is_off = np.array([1, 1, 1, 0, 0, 1, 0, 1], np.bool_)
    assert off_scale(np.arange(8) * 20.0, is_off).tolist() == [0, 2, 5, 7]
    assert off_scale(np.arange(8) * 1.0, is_off).tolist() == [0]
    assert off_scale(np.zeros(0), np.zeros(0, np.bool_)).tolist() == []


@NEEDS_SCIPY
def test_ttc_is_capped_with_marks_and_has_the_thresholds_of_the_analysis(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window(follow(tmp_path))
    idle(window, qtbot)
    window.panes.focus("signals")
    signals, key = window.panes.get(SIGNALS), Key("traffic", "ttc", "", 2)
    signals.add(key)
    read(window, qtbot)
    (plot,), (trace,) = signals.plot_view.plots, signals.traces
    values = trace.series.values
    values[5:9] = (400.0, np.inf, 60_000.0, 11.0)  # a gap that all but stays
    signals.plot_view.refresh()
    low, high = y_range(plot)
    assert low < 0
    assert high < 12
    drawn = plot.curves_of[0].yData
    assert np.isnan(drawn[5:9]).all()
    assert np.isfinite(drawn[[4, 9]]).all()
    moments = window.panes.get(TIMELINE).canvas.axis.times[[5, 8]]
    assert plot.marks.data["x"].tolist() == pytest.approx(moments.tolist())
    lines = [(line.value(), line.label.format) for line in plot._thresholds if line.isVisible()]
    assert lines == [(4.0, "risk 1, below 4 s"), (2.0, "risk 2, below 2 s")]
    for size, most in ((12, 12.0), (18, 12.0), (12, 4.2)):
        window.theme.set_text_size(size)
        signals.plot_view.set_scale("s", Scale("fixed", -0.2, most))
        first, second = (line.label.sceneBoundingRect() for line in plot._thresholds)
        shown = plot.box.sceneBoundingRect()
        assert shown.top() <= first.top() < first.bottom() <= second.top() + 1
        assert first.right() == pytest.approx(shown.right(), abs=1)
        assert second.right() == pytest.approx(shown.right(), abs=1)
    values[5] = 400.0
    signals.plot_view.set_scale("s", Scale("fixed", 0.0, 500.0))
    assert plot.curves_of[0].yData[5] == 400.0
    assert signals.legend.legend.value(trace, 1) == trace.at(0)


def test_numbers_at_the_ends_of_their_range_are_drawn(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "odd.log"
    durations = [1e308, -1e308, np.nan, np.inf, 5e-324, 0.0, 1.0, 1.0]
    path.write_bytes(b.recording(*(b.frame(n + 1, n * 0.05, duration) for n, duration in enumerate(durations))))
    window = open_window(path)
    idle(window, qtbot)
    window.panes.focus("signals")
    signals = window.panes.get(SIGNALS)
    signals.add(Key("frame", "duration"), Key("frame", "step"))
    read(window, qtbot)
    for scale in (Scale(), Scale("robust"), Scale("all", is_log=True), Scale("fixed", -1e307, 1e307)):
        signals.plot_view.set_scale("s", scale)
        signals.plot_view.grab()
        assert np.isfinite(y_range(signals.plot_view.plots[0])).all()
    for frame in range(len(durations)):
        window.session.selection.go_to_frame(frame)
    plot = signals.plot_view.plots[0]
    for _ in range(10):
        wheel(signals.plot_view, over_axis(signals.plot_view, plot), -20)
    assert np.isfinite(y_range(plot)).all()


@part
def what_goes_is_veiled(plotted: Alone) -> None:
    session, plot = plotted.session, plotted.signals.plot_view.plots[0]
    assert not plot.kept.isVisible()
    session.range.set_in(10)
    session.range.set_out(20)
    start, stop = plot.kept.getRegion()
    assert (start, stop) == pytest.approx((0.5, 1.05))
    palette = plotted.signals.theme.palette
    assert plot.kept.brush.color() == palette.in_range
    assert plot.box.background.brush().color() == palette.cut
    assert [edge.pen.color() for edge in plot.kept.lines] == [palette.selection] * 2
    session.range.set_cuts(True)
    assert plot.kept.brush.color() == palette.cut
    assert plot.box.background.brush().color() == palette.in_range
    session.range.clear()
    assert not plot.kept.isVisible()


@part
def a_scale_is_kept_for_its_unit_until_another_recording_is_opened(
    plotted: Alone, tmp_path: Path, path: Path, qtbot: QtBot
) -> None:
    signals = plotted.signals
    signals.plot_view.set_scale("m/s", Scale("fixed", 0.0, 50.0))
    signals.model.remove(signals.traces[0])
    signals.add(SPEED)
    assert y_range(next(plot for plot in signals.plot_view.plots if plot.unit == "m/s")) == (0.0, 50.0)
    other = tmp_path / "b.log"
    other.write_bytes(b.drive(20))
    plotted.session.open(other)
    signals.add(SPEED)
    read(plotted, qtbot)
    assert y_range(signals.plot_view.plots[0])[1] < 20


@part
def a_range_behind_the_last_frame_veils_what_is_there(plotted: Alone) -> None:
    plot_view = plotted.signals.plot_view
    plot_view.set_range(range(35, 39))
    plot_view.set_axis(dataclasses.replace(plot_view.axis, times=plot_view.axis.times[:10]).whole())
    assert plot_view.plots[0].kept.isVisible()


@part
def escape_ends_a_zoom_that_was_begun(plotted: Alone, qtbot: QtBot) -> None:
    plot_view, control = plotted.signals.plot_view, Qt.KeyboardModifier.ControlModifier
    qtbot.mousePress(plot_view.viewport(), LEFT, control, point_of_frame(plot_view, 10))
    move(plot_view, point_of_frame(plot_view, 20), control)
    assert plot_view.plots[0].band.isVisible()
    qtbot.keyClick(plot_view, Qt.Key.Key_Escape)
    assert not plot_view.plots[0].band.isVisible()
    qtbot.mouseRelease(plot_view.viewport(), LEFT, control, point_of_frame(plot_view, 30))
    assert plot_view.axis.is_whole


def test_scales_of_signals(alone: Alone, path: Path, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    begin_with_a_copy = begin_anew(alone, path, qtbot)

    def begin() -> dict[str, Path]:
        own = begin_with_a_copy()
        alone.signals.model.clear()
        alone.signals.add(SPEED, THROTTLE)
        read(alone, qtbot)
        return own

    part.run(subtests, begin, plotted=alone, tmp_path=tmp_path, qtbot=qtbot)
