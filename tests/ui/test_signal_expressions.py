"""Signals by expression: typed, refused in place."""

from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from recorder_editor.reading.expression import find_matching_actors, parse_value
from recorder_editor.recording.recording import Recording
from recorder_editor.ui.panes.signals import expression_dialog
from recorder_editor.ui.panes.signals.expression_dialog import EXAMPLE, ExpressionDialog
from recorder_editor.ui.panes.signals.picker import Picker
from recorder_editor.ui.panes.signals.signals_menu import context_menu
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.views.signal_catalog import texts_of, title_of
from recorder_editor.views.signal_key import Key, packed, unpacked

from .test_signal_scales import choose
from .test_signals import LEFT, SPEED, Alone, alone, gathered, plotted, read, recording, window

__all__ = ["alone", "plotted", "recording", "window"]

FAST = Key("expression", "fast [km/h]", "Position: speed * 3.6", 100)


def dialog_of(alone: Alone) -> ExpressionDialog:
    choose(context_menu(alone.signals, []), "Plot expression...")
    dialog = alone.findChild(ExpressionDialog)
    assert isinstance(dialog, ExpressionDialog)
    return dialog


def test_an_expression_is_worked_out_over_all_frames(recording: Recording) -> None:
    behind = Key("expression", "", "Position where frame > 11: location.x / 100", 100)
    series = gathered(recording, FAST, SPEED, behind).series
    np.testing.assert_array_equal(series[FAST].values, series[SPEED].values * 3.6)
    assert series[behind].frames.tolist() == list(range(11, 40))
    assert series[behind].values == pytest.approx(np.arange(11, 40) * 0.5)


def test_it_has_its_name_and_unit(recording: Recording) -> None:
    dialect = recording.dialect
    assert title_of(FAST, dialect) == "100 fast"
    assert texts_of(FAST, dialect).unit == "km/h"
    assert title_of(FAST._replace(name=""), dialect) == "100 speed * 3.6"
    assert unpacked(packed((FAST,))) == (FAST,)


@pytest.mark.parametrize("text", ["Position: nothing", "no expression", "EventAdd: id", "State:"])
def test_what_cannot_be_worked_out_is_refused_with_a_sentence(recording: Recording, text: str) -> None:
    key = Key("expression", "", text, 100)
    found = gathered(recording, key, SPEED)
    assert found.refused[key].endswith(".")
    assert SPEED in found.series


def test_one_of_actors_needs_an_actor(recording: Recording) -> None:
    key = FAST._replace(actor=None)
    assert gathered(recording, key).refused[key] == "Position is recorded for each actor: select one first."


def test_it_is_typed_and_plotted_of_the_selected_actors(alone: Alone, qtbot: QtBot) -> None:
    alone.session.selection.select_actors((100, 101))
    dialog = dialog_of(alone)
    qtbot.keyClicks(dialog.line, "Position: sped")
    assert dialog.wrong.message == "Position has no field “sped”. Did you mean “speed”?"
    assert dialog.wrong.column == 11
    assert not dialog.go.isEnabled()
    qtbot.keyClick(dialog.line, Qt.Key.Key_Backspace)
    qtbot.keyClicks(dialog.line, "ed * 3.6")
    assert dialog.line.text() == FAST.path
    qtbot.keyClicks(dialog.name, FAST.name)
    assert dialog.wrong.message == ""
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    read(alone, qtbot)
    assert [trace.title for trace in alone.signals.traces] == ["100 fast", "101 fast"]
    assert alone.signals.traces[0].at(5) == pytest.approx(36.0, abs=0.01)
    assert alone.signals.plot_view.plots[0].unit == "km/h"


def test_without_a_selected_actor_it_says_so(alone: Alone, qtbot: QtBot) -> None:
    dialog = dialog_of(alone)
    qtbot.keyClicks(dialog.line, FAST.path)
    assert dialog.wrong.message == "Position is recorded for each actor: select one first."
    alone.session.selection.select_actor(101)
    assert dialog.wrong.message == ""
    assert dialog.go.isEnabled()
    dialog.reject()


def test_it_is_asked_for_from_the_list_of_signals(alone: Alone, qtbot: QtBot) -> None:
    alone.signals.ask_add()
    picker = alone.findChild(Picker)
    assert picker is not None
    qtbot.mouseClick(picker.expression, LEFT)
    dialog = alone.findChild(ExpressionDialog)
    assert isinstance(dialog, ExpressionDialog)
    dialog.reject()


def test_it_is_asked_for_from_the_menu_of_the_window(window: MainWindow) -> None:
    window.registry.run("signals.expression")
    dialog = window.findChild(ExpressionDialog)
    assert isinstance(dialog, ExpressionDialog)
    assert dialog.line.placeholderText() == EXAMPLE
    dialog.reject()


def test_it_is_plotted_for_all_actors_that_meet_the_condition(
    alone: Alone, qtbot: QtBot, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = dialog_of(alone)
    qtbot.mouseClick(dialog.actors.segment(1), LEFT)
    with subtests.test("it has to be of actors"):
        dialog.line.setText("FrameStart: duration")
        assert dialog.wrong.message == "FrameStart is not recorded for each actor."
    with subtests.test("none that meets it is said in place"):
        dialog.line.setText('Position where class == "walker": speed')
        qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: dialog.wrong.message == "No actor meets the condition.")
        assert dialog.isVisible()
    with subtests.test("those that meet it in the most frames are plotted, and the others are counted"):
        monkeypatch.setattr(expression_dialog, "MOST_ACTORS", 2)
        dialog.line.setText('Position where class == "vehicle" and (id != 100 or frame > 30): speed')
        with qtbot.waitSignal(alone.session.informed) as informed:
            qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
        read(alone, qtbot)
        assert [trace.key.actor for trace in alone.signals.traces] == [101, 102]
        assert informed.args == ["3 actors meet the condition; plotted are the 2 that do in the most frames."]


def test_actors_that_are_found_after_the_dialog_was_closed_are_not_plotted(
    alone: Alone, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_closed = Event()

    def find(*_arguments: object) -> list[int]:
        is_closed.wait()
        return [100]

    monkeypatch.setattr(expression_dialog, "find_matching_actors", find)
    dialog = dialog_of(alone)
    qtbot.mouseClick(dialog.actors.segment(1), LEFT)
    dialog.line.setText("Position: speed")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    dialog.reject()
    is_closed.set()
    qtbot.waitUntil(lambda: not alone.session.jobs.running)
    assert alone.signals.traces == []


def test_the_frames_of_the_range_decide_who_meets_it(recording: Recording) -> None:
    query = parse_value("Position where id == 101 and frame > 11 or id == 102: speed", recording.dialect)
    assert find_matching_actors(query, recording.snapshot) == [102, 101]
    assert find_matching_actors(query, recording.snapshot, range(11)) == [102]
