"""Statistics, histogram and XY plot below the curves: what they show, how they are brushed, where they have no room."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.signals import xy_plot
from recorder_editor.ui.panes.signals.side_plot import SidePlot
from recorder_editor.ui.panes.signals.signal_parts import HISTOGRAM, OVER_TIME, STATISTICS, XY, SignalParts
from recorder_editor.ui.panes.signals.signals_menu import part_menu
from recorder_editor.views.signal_key import Key
from recorder_editor.views.units import Units

from .test_signal_scales import choose
from .test_signals import LEFT, SPEED, Alone, alone, read, wheel
from .test_signals import X as WAY
from .windows import inner_menu

__all__ = ["alone"]


@pytest.fixture
def driven(alone: Alone, qtbot: QtBot) -> Alone:
    """The way of an actor, 50 cm a frame, and its speed, with all parts."""
    alone.resize(1440, 900)
    alone.signals.add(WAY, SPEED)
    read(alone, qtbot)
    for name in (XY, HISTOGRAM, STATISTICS):
        qtbot.mouseClick(alone.signals.parts.chips[name], LEFT)
    settle()
    return alone


@pytest.fixture
def parts(driven: Alone) -> SignalParts:
    return driven.signals.parts


def cell(parts: SignalParts, label: str, column: int = 0) -> str:
    """The number of a signal in the row of that label, and its unit."""
    model = parts.table.statistics
    row = next(number for number, row in enumerate(model.rows) if row.label == label)
    texts = [str(model.index(row, 1 + 2 * column + part).data() or "") for part in (0, 1)]
    return " ".join(texts).strip()


def point_of(plot: SidePlot, x: float, y: float) -> QPoint:
    """Where values are in a plot."""
    return plot.mapFromScene(plot.box.mapViewToScene(QPointF(x, y)))


def drag(qtbot: QtBot, plot: SidePlot, start: QPoint, end: QPoint) -> None:
    view = plot.viewport()
    qtbot.mousePress(view, LEFT, pos=start)
    for share in (0.3, 0.7, 1.0):
        qtbot.mouseMove(view, start + (end - start) * share)
    qtbot.mouseRelease(view, LEFT, pos=end)


# --- statistics -------------------------------------------------------------------------------------------


def test_statistics_are_of_the_range(
    driven: Alone, parts: SignalParts, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    table = parts.table
    with subtests.test("without a range they are of all frames"):
        assert parts.frames[STATISTICS].caption.text() == "of all 40 frames"
        assert cell(parts, "least") == "0.000 cm"
        assert cell(parts, "greatest") == "1950.000 cm"
        assert cell(parts, "frames with a value") == "40"
    with subtests.test("Enter goes to the frame of a number"):
        table.setFocus()
        table.setCurrentIndex(table.statistics.index(1, 1))
        qtbot.keyClick(table, Qt.Key.Key_Return)
        assert driven.session.selection.frame_index == 39
    with subtests.test("with one they are of that"):
        driven.session.range.set(10, 21)
        assert parts.frames[STATISTICS].caption.text() == "of 11 frames, 0.500 s to 1.000 s"
        assert cell(parts, "mean") == cell(parts, "median") == "750.000 cm"
        assert cell(parts, "standard deviation") == "158.114 cm"
        assert cell(parts, "first frame, 0.500 s") == "500.000 cm"
        assert cell(parts, "difference") == "500.000 cm"
        assert cell(parts, "time of the greatest") == "1.000 s"
        assert cell(parts, "greatest", column=1).endswith("m/s")
    with subtests.test("they follow the current frame and the cursors"):
        driven.session.selection.go_to_frame(7)
        assert cell(parts, "current frame, 0.350 s") == "350.000 cm"
        driven.signals.set_cursor("A", 4)
        driven.signals.set_cursor("B", 24)
        assert cell(parts, "cursor A, 0.200 s") == "200.000 cm"
        assert cell(parts, "B − A") == "1000.000 cm"
        driven.signals.show_cursors(False)
    with subtests.test("they are copied as a table"):
        table.setFocus()
        qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
        assert lines[0] == ["", "location x [cm]", "speed [m/s]"]
        assert lines[1][:2] == ["least", "500.0"]
        assert all(len(line) == 3 for line in lines)
    with subtests.test("other units are those of the numbers"):
        driven.signals.theme.set_units(Units(length="m"))
        assert cell(parts, "mean") == "7.500 m"


# --- histogram and XY plot --------------------------------------------------------------------------------


def test_frames_are_brushed_in_the_histogram(
    driven: Alone, parts: SignalParts, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    histogram = parts.histogram
    assert histogram.bins is not None
    with subtests.test("its bars are of all frames and of the range"):
        assert histogram.bins.width == 100
        assert histogram.totals.tolist() == histogram.counts.tolist() == [2] * 20
        driven.session.range.set(0, 10)
        assert histogram.counts.tolist() == [2] * 5 + [0] * 15
        assert parts.frames[HISTOGRAM].caption.text() == "frames by bins of 100 cm"
    with subtests.test("a line is at the current frame, and the tooltip counts"):
        driven.session.selection.go_to_frame(6)
        assert histogram.present.value() == 300
        tip = histogram.tip(QPointF(point_of(histogram, 450, 1)))
        assert tip == "400.000 to 500.000 cm: 2 frames, 2 of them in the range"
    with subtests.test("a drag over bars brushes their frames"):
        drag(qtbot, histogram, point_of(histogram, 420, 1.0), point_of(histogram, 680, 0.5))
        assert parts.chosen.frames.tolist() == list(range(8, 14))
        assert parts.frames[STATISTICS].caption.text() == "of 6 brushed frames"
        tip = histogram.tip(QPointF(point_of(histogram, 450, 1)))
        assert tip == "400.000 to 500.000 cm: 2 frames, 2 of them brushed"
    with subtests.test("the brushed frames become In and Out"):
        parts.brush(np.isin(np.arange(40), (5, 6, 20)))
        assert len(parts.stretches()) == 2
        choose(part_menu(driven.signals, XY), "Set In and Out")
        assert driven.session.range.value == (5, 21)
        assert parts.brushed is None


def test_one_signal_is_plotted_against_another(
    driven: Alone, parts: SignalParts, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    plot = parts.xy
    signals = driven.signals
    with subtests.test("they are the first two until others are chosen"):
        assert [(pair.x.key, pair.y.key) for pair in parts.pairs] == [(SPEED, WAY)]
        assert parts.frames[XY].title.text() == "Location x against speed"
        field = parts.choice.fields["x"]
        field.setFocus()
        qtbot.keyClick(field, Qt.Key.Key_Up)
        assert [(pair.x.key, pair.y.key) for pair in parts.pairs] == [(WAY, WAY)]
        assert parts.frames[XY].below.text() == "location x, cm"
        assert cell(parts, "correlation of X and Y") == "–"
    with subtests.test("the dot under the pointer is told in all views, and a click goes there"):
        qtbot.mouseMove(plot.viewport(), point_of(plot, 1000, 1000))
        assert plot.tag.text == "1.000 s   1000.000 cm   1000.000 cm"
        curves = signals.plot_view.plots
        assert [round(curve.pointed.value(), 6) for curve in curves if curve.pointed.isVisible()] == [1.0, 1.0]
        qtbot.mouseClick(plot.viewport(), LEFT, pos=point_of(plot, 1000, 1000))
        assert driven.session.selection.frame_index == 20
        qtbot.mouseMove(plot.viewport(), point_of(plot, 300, 1500))
        assert not curves[0].pointed.isVisible()
        assert plot.tag.text == "1.000 s   1000.000 cm   1000.000 cm"
    with subtests.test("a drag brushes, and Escape gives the range back"):
        driven.session.range.set(0, 30)
        drag(qtbot, plot, point_of(plot, 480, 480), point_of(plot, 920, 920))
        assert parts.chosen.frames.tolist() == list(range(10, 19))
        assert parts.histogram.counts.sum() == 9
        assert parts.stretches() == [(pytest.approx(0.5), pytest.approx(0.95))]
        plot.setFocus()
        qtbot.keyClick(plot, Qt.Key.Key_Escape)
        assert parts.chosen.frames.tolist() == list(range(30))
        assert driven.session.range.value == (0, 30)
    with subtests.test("the wheel zooms at the pointer, and 0 shows everything"):
        whole = plot.box.viewRange()
        wheel(plot, point_of(plot, 1000, 1000), 2)
        (low, high), _ = plot.box.viewRange()
        assert whole[0][0] < low < 1000 < high < whole[0][1]
        qtbot.keyClick(plot, Qt.Key.Key_0)
        assert plot.box.viewRange() == whole
        wheel(plot, point_of(plot, 1000, 1000), 2)
        qtbot.keyClick(plot, Qt.Key.Key_Backspace)
        assert plot.box.viewRange() == whole
    with subtests.test("a signal without a value in the range is named"):
        late = Key("expression", "late", "Position where frame > 21: speed", 100)
        signals.add(late)
        read(driven, qtbot)
        parts.choice.choose("x", late)
        assert parts.frames[XY].empty.isVisible() is False
        driven.session.range.set(2, 9)
        assert parts.frames[XY].empty.text() == "late has no value from 0.100 s to 0.400 s"


def test_each_of_several_actors_is_paired_with_itself(
    driven: Alone, parts: SignalParts, subtests: pytest.Subtests, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subtests.test("of many dots the density is drawn"):
        monkeypatch.setattr(xy_plot, "MOST_DOTS", 39)
        parts.choice.choose("x", WAY)
        plot = parts.xy
        assert plot.density.isVisible()
        colors = {tuple(color) for color in np.asarray(plot.density.image).reshape(-1, 4).tolist() if color[3]}
        assert len(colors) == 1
        assert plot.frames_in(QRectF(-1, -1, 102, 102)).sum() == 3
        parts.choice.restore([None, None])
        monkeypatch.undo()
    driven.signals.add(WAY._replace(actor=101), SPEED._replace(actor=101))
    read(driven, qtbot)
    titles = [group.title for group in parts.choice.groups]
    assert titles == ["location x", "100 location x", "101 location x", "speed", "100 speed", "101 speed"]
    assert [pair.x.key.actor for pair in parts.pairs] == [pair.y.key.actor for pair in parts.pairs] == [100, 101]
    assert parts.frames[XY].caption.text() == "2 actors, one dot a frame"
    parts.choice.choose("x", SPEED)
    assert [(pair.x.key.actor, pair.y.key.actor) for pair in parts.pairs] == [(100, 100), (100, 101)]


# --- room, workspaces, menus --------------------------------------------------------------------------------


def resized(driven: Alone, width: int, height: int) -> None:
    driven.resize(width, height)
    settle()


def test_parts_are_switched_and_kept(
    driven: Alone, parts: SignalParts, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    with subtests.test("they belong to the workspace"):
        values = driven.signals.workspace_values
        parts.choice.choose("x", WAY)
        kept = {name: values[name].read() for name in ("parts", "axes")}
        assert kept == {"parts": [OVER_TIME, XY, HISTOGRAM, STATISTICS], "axes": [list(WAY), []]}
        values["parts"].show([STATISTICS])
        values["axes"].show([[], []])
        assert parts.shown == [STATISTICS]
        assert [pair.x.key for pair in parts.pairs] == [SPEED]
        for name, value in kept.items():
            assert values[name].allows(value)
            values[name].show(value)
        assert [pair.x.key for pair in parts.pairs] == [WAY]
        assert not values["parts"].allows(["pie"])
        assert not values["axes"].allows([["field", 1], []])
    with subtests.test("where there is little room one is shown at a time"):
        assert parts.frames[STATISTICS].y() == parts.frames[HISTOGRAM].y()
        resized(driven, 1000, 1200)
        assert parts.frames[STATISTICS].y() > parts.frames[HISTOGRAM].y()
        resized(driven, 1000, 560)
        assert parts.frames[STATISTICS].y() == parts.frames[HISTOGRAM].y()
        resized(driven, 700, 900)
        assert len(parts.shown) == 1
        parts.show_part(XY, on=True)
        assert parts.shown == [XY]
        assert [name for name, chip in parts.chips.items() if chip.isChecked()] == [XY]
        resized(driven, 1440, 900)
        parts.resize(1440, 240)
        assert parts.shown == [XY], "of several below one another none would be read"
        parts.resize(1440, 600)
        resized(driven, 1440, 900)
        assert parts.shown == [OVER_TIME, XY, HISTOGRAM, STATISTICS]
    with subtests.test("menus do what the title does"):
        menu = part_menu(driven.signals, HISTOGRAM)
        choose(inner_menu(menu, "Signal along Y"), "speed")
        assert parts.frames[HISTOGRAM].title.text() == "Histogram of speed"
        choose(inner_menu(menu, "Parts of the pane"), "Statistics")
        assert STATISTICS not in parts.shown
        choose(menu, "Copy picture")
        assert not QGuiApplication.clipboard().image().isNull()
    with subtests.test("without any the curves are shown"):
        for name in (OVER_TIME, XY, HISTOGRAM):
            qtbot.mouseClick(parts.chips[name], LEFT)
        assert parts.shown == [OVER_TIME]
        assert parts.chips[OVER_TIME].isChecked()
    with subtests.test("one signal alone asks for a second"):
        parts.show_part(XY, on=True)
        driven.signals.model.remove(driven.signals.traces[0])
        assert parts.frames[XY].empty.text() == "Choose a second signal for X"
        driven.signals.model.clear()
        assert not parts.chips[XY].isEnabled()
