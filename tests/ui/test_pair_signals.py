"""Measures of two road users in the pane Signals: picked, typed, with the line of near misses, exported."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from recorder_editor.reading.thresholds import Thresholds
from recorder_editor.ui.panes.signals.picker import Picker
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.signal_key import Key, packed, unpacked
from recorder_editor.views.signal_scale import Scale

from ..reading.films import Actor, along, film
from .test_signal_expressions import dialog_of
from .test_signals import Alone, read
from .windows import bring_up, idle

TTC = Key("pair", "ttc2d", actor=25, other=31)


@pytest.fixture
def alone(session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot) -> Iterator[Alone]:
    cars = {25: Actor(along(0, 0, 0, 10)), 31: Actor(along(30, 0, 0, 5))}
    alone = Alone(session, theme)
    alone.resize(1440, 600)
    bring_up(alone, qtbot)
    session.open(film(tmp_path / "pair.log", cars, seconds=4))
    idle(alone, qtbot)
    yield alone
    alone.close()
    alone.deleteLater()


def test_they_are_picked_for_two_selected_actors(alone: Alone, qtbot: QtBot) -> None:
    alone.session.selection.select_actors((25, 31))
    alone.signals.ask_add()
    picker = alone.findChild(Picker)
    assert picker is not None
    qtbot.keyClicks(picker.filter, "ttc2d")
    texts = [picker.list.item(row).text().split("   ")[1] for row in range(picker.list.count())]
    assert texts == ["2D-TTC to 31", "2D-TTC to 25"]
    picker.pick()
    read(alone, qtbot)
    (trace,) = alone.signals.traces
    assert trace.key == TTC
    assert trace.at(0) == pytest.approx(25.4 / 5, abs=0.01)


def test_one_is_typed_where_expressions_are(alone: Alone, qtbot: QtBot) -> None:
    dialog = dialog_of(alone)
    qtbot.keyClicks(dialog.line, "ttc2d(25, 32)")
    assert dialog.wrong.message == "ttc2d is of two vehicles or walkers, and 32 is none."
    assert not dialog.go.isEnabled()
    dialog.line.setText("ttc2d(25, 31)")
    assert dialog.wrong.message == ""
    dialog.pick()
    read(alone, qtbot)
    assert [trace.key for trace in alone.signals.traces] == [TTC]
    assert [trace.title for trace in alone.signals.traces] == ["25 2D-TTC to 31"]


def test_a_typed_one_has_the_name_that_is_given(alone: Alone, qtbot: QtBot) -> None:
    dialog = dialog_of(alone)
    dialog.line.setText("drac(31, 25)")
    dialog.name.setText("braking [m/s²]")
    dialog.pick()
    read(alone, qtbot)
    assert [trace.title for trace in alone.signals.traces] == ["31 braking"]


def test_the_plot_of_2d_ttc_has_the_line_of_near_misses(alone: Alone, qtbot: QtBot) -> None:
    alone.signals.add(Key("pair", "pet", actor=25, other=31))
    read(alone, qtbot)
    (plot,) = alone.signals.plot_view.plots
    (limit,) = plot.limits
    assert not limit.line.isVisible()
    alone.signals.add(TTC)
    read(alone, qtbot)
    assert limit.line.isVisible()
    assert limit.line.value() == 1.5
    assert limit.line.label.format == "near miss 1.5 s"
    alone.session.events.set_thresholds(Thresholds(near_miss=2.5))
    assert limit.line.value() == 2.5
    assert limit.line.label.format == "near miss 2.5 s"
    assert not any(line.isVisible() for line in plot._thresholds)
    low, high = plot.box.viewRange()[1]
    assert low < 0 < 1.5 < high


def test_they_are_exported_and_kept_as_they_are_named(alone: Alone, qtbot: QtBot) -> None:
    alone.signals.add(TTC)
    read(alone, qtbot)
    (signal,) = alone.signals.model.exported()
    assert (signal.name, signal.actor) == ("ttc2d_31", 25)
    assert unpacked(packed((TTC,))) == (TTC,)


def test_the_area_below_the_line_is_tinted_and_the_curve_ends_above_5_s(alone: Alone, qtbot: QtBot) -> None:
    alone.signals.add(TTC)
    read(alone, qtbot)
    (plot,) = alone.signals.plot_view.plots
    (limit,) = plot.limits
    (trace,) = alone.signals.traces
    x, y = plot.curves_of[0].getData()
    assert y[x < 0.05].size
    assert np.isnan(y[0])  # 5.08 s
    assert np.nanmax(y) <= 5.0
    # 25.4 m apart, 5 m/s faster: below 1.5 s from 3.58 s on, which is between two frames.
    area = limit.area.path().boundingRect()
    assert (area.left(), area.right()) == pytest.approx((25.4 / 5 - 1.5, 4.0), abs=0.01)
    assert (area.top(), area.bottom()) == pytest.approx((trace.at(80), 1.5), abs=0.01)
    brush = limit.area.brush().color()
    assert brush.alphaF() == pytest.approx(0.22, abs=0.01)
    assert brush.rgb() == alone.signals.theme.palette.error.rgb()


def test_on_a_logarithmic_axis_line_and_area_are_where_the_values_are(alone: Alone, qtbot: QtBot) -> None:
    alone.signals.add(TTC)
    read(alone, qtbot)
    (plot,) = alone.signals.plot_view.plots
    alone.signals.plot_view.set_scale("s", Scale(is_log=True))
    (limit,) = plot.limits
    assert limit.line.value() == pytest.approx(np.log10(1.5))
    assert limit.area.path().boundingRect().bottom() == pytest.approx(np.log10(1.5))
