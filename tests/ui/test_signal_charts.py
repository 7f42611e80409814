"""Histograms of signals, and one signal over another: opened from the menu, following, exported."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.recording.place import Place
from recorder_editor.ui.signals.charts import Against, Histogram, histogram
from recorder_editor.ui.signals.menu import context_menu

from .. import builders as b
from .test_signal_scales import choose
from .test_signals import LEFT, SPEED, THROTTLE, Alone, X, alone, plotted, read

__all__ = ["alone", "plotted"]


def open_histogram(plotted: Alone) -> Histogram:
    choose(context_menu(plotted.signals, plotted.signals.traces[:1]), "Histogram", "100 speed")
    chart = plotted.findChild(Histogram)
    assert isinstance(chart, Histogram)
    return chart


def open_xy(plotted: Alone, qtbot: QtBot) -> Against:
    plotted.signals.add(X)
    read(plotted, qtbot)
    lane = next(lane for lane in plotted.signals.plot.lanes if lane.unit == "cm")
    choose(context_menu(plotted.signals, [], lane), "Plot against", "100 location x over 100 speed")
    chart = plotted.findChild(Against)
    assert isinstance(chart, Against)
    return chart


def test_bins_hold_every_value() -> None:
    values = np.concatenate((np.linspace(-3.0, 9.0, 500), [2.0] * 40))
    edges, counts = histogram(values)
    assert counts.sum() == len(values)
    assert (edges[0], edges[-1]) == (-3.0, 9.0)
    edges, counts = histogram(np.array([1.0, 1.0, 3.0]), is_whole=True)
    assert edges.tolist() == [0.5, 1.5, 2.5, 3.5]
    assert counts.tolist() == [2, 0, 1]


@pytest.mark.parametrize("values", [[], [7.0], [1.0, np.nextafter(1.0, 2.0)], [-1e308, 1e308], [0.0, 5e-324]])
def test_bins_of_odd_values(values: list[float]) -> None:
    edges, counts = histogram(np.array(values))
    assert counts.sum() == len(values)
    assert np.isfinite(edges).all()
    assert (np.diff(edges) > 0).all()


def test_a_histogram_is_of_the_part_in_sight_and_follows(plotted: Alone, qtbot: QtBot) -> None:
    chart = open_histogram(plotted)
    assert chart.counts.sum() == 40
    canvas = plotted.timeline.canvas
    canvas.set_axis(canvas.axis.seeing(0.5, 1.0))
    assert chart.counts.sum() == len(canvas.axis.frames_in_sight())
    assert chart.told.text().startswith(f"{chart.counts.sum()} visible frames")
    plotted.session.selection.go_to_frame(12)
    assert chart.now.value() == pytest.approx(10.0, abs=1e-3)
    chart.close()


def test_a_chart_closes_with_its_signal(plotted: Alone, qtbot: QtBot) -> None:
    chart = open_histogram(plotted)
    with qtbot.waitSignal(chart.destroyed):
        plotted.signals.model.remove(plotted.signals.traces[0])
    assert [trace.key for trace in plotted.signals.traces] == [THROTTLE]


def test_a_chart_closes_with_the_recording_and_stays_when_it_is_read_again(
    plotted: Alone, tmp_path: Path, path: Path, qtbot: QtBot
) -> None:
    chart = open_histogram(plotted)
    plotted.session.open(path)
    read(plotted, qtbot)
    assert chart.counts.sum() == 40
    other = tmp_path / "b.log"
    other.write_bytes(b.drive(5))
    with qtbot.waitSignal(chart.destroyed):
        plotted.session.open(other)


def test_one_signal_over_another_marks_the_current_frame(plotted: Alone, qtbot: QtBot) -> None:
    chart = open_xy(plotted, qtbot)
    assert chart.shown.tolist() == list(range(40))
    x, y = chart.points.getOriginalDataset()
    assert x == pytest.approx(np.full(40, 10.0), abs=1e-3)
    assert y == pytest.approx(np.arange(40) * 50.0)
    plotted.session.selection.go_to_frame(17)
    assert chart.now.pos().y() == 17 * 50.0
    session = plotted.session
    packet = session.snapshot_or_refuse().frame(17).packet("Position")
    assert packet is not None
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), Place(17, packet.index, 0, "location.x"), 3.0))
    read(plotted, qtbot)
    assert chart.now.pos().y() == 3.0
    chart.close()


def test_a_click_on_a_point_goes_to_its_frame(plotted: Alone, qtbot: QtBot) -> None:
    chart = open_xy(plotted, qtbot)
    chart.view.grab()
    dataset = chart.points.getOriginalDataset()
    at = chart.plot.vb.mapViewToScene(chart.points.scatter.points()[25].pos())
    assert len(dataset[0]) == 40
    qtbot.mouseClick(chart.view.viewport(), LEFT, pos=at.toPoint())
    assert plotted.session.selection.frame_index == 25
    chart.close()


def test_charts_are_written_as_pictures(
    plotted: Alone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    for chart in (open_histogram(plotted), open_xy(plotted, qtbot)):
        buttons = {button.text(): button for button in chart.findChildren(type(chart.add_button("", chart.close)))}
        for ending in ("png", "svg"):
            target = tmp_path / f"{chart.name}.{ending}"
            monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, to=target: (str(to), ""))
            qtbot.mouseClick(buttons["Save picture..."], Qt.MouseButton.LeftButton)
        assert QImage(str(tmp_path / f"{chart.name}.png")).width() == 2 * chart.view.width()
        assert "100 speed" in (tmp_path / f"{chart.name}.svg").read_text(encoding="utf-8")
        chart.close()
    assert plotted.signals.traces[0].key == SPEED
