"""The same signal of several actors: dragged in, picked for all of them, added from the menu, told apart by colour."""

from PySide6.QtCore import QItemSelectionModel, Qt
from pytestqt.qtbot import QtBot

from recorder_editor.texts import speaking
from recorder_editor.ui.panes.signals.picker import Picker
from recorder_editor.ui.panes.signals.signals_menu import context_menu
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, SIGNALS
from recorder_editor.views.signal_key import MIME, Key, unpacked

from .test_signal_scales import choose
from .test_signals import SPEED, THROTTLE, Alone, alone, drop, plotted, read, window

__all__ = ["alone", "plotted", "window"]


def test_rows_of_the_actors_are_dragged_into_it(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.focus("actors")
    table, model = window.panes.get(ACTORS).table, window.panes.get(ACTORS).model
    rows = [row for row in range(model.rowCount()) if model.life(row).actor in (100, 102)]
    flags = QItemSelectionModel.SelectionFlag
    for row in rows:
        table.selectionModel().select(model.index(row, 0), flags.Select | flags.Rows)
    indexes = table.selectionModel().selectedIndexes()
    assert model.flags(indexes[0]) & Qt.ItemFlag.ItemIsDragEnabled
    data = model.mimeData(indexes)
    assert unpacked(bytes(data.data(MIME).data())) == (SPEED, SPEED._replace(actor=102))
    drop(window, data)
    read(window, qtbot)
    assert [trace.title for trace in window.panes.get(SIGNALS).traces] == ["100 speed", "102 speed"]
    assert len(window.panes.get(SIGNALS).plot_view.plots) == 1


def test_a_signal_is_picked_for_all_selected_actors(alone: Alone, qtbot: QtBot) -> None:
    alone.session.selection.select_actors((100, 101, 102))
    alone.signals.ask_add()
    picker = alone.findChild(Picker)
    assert picker is not None
    assert picker.list.item(0).text() == "3 selected actors   speed"
    qtbot.keyClicks(picker.filter, "selected thro")
    assert picker.list.count() == 1
    qtbot.keyClick(picker.filter, Qt.Key.Key_Return)
    assert [trace.title for trace in alone.signals.traces] == ["100 throttle", "101 throttle", "102 throttle"]


def test_one_selected_actor_is_no_group(alone: Alone) -> None:
    alone.session.selection.select_actor(100)
    alone.signals.ask_add()
    picker = alone.findChild(Picker)
    assert picker is not None
    texts = [picker.list.item(row).text() for row in range(picker.list.count())]
    assert not [text for text in texts if "selected actors" in text]
    picker.reject()


def test_in_another_language_a_signal_is_found_by_its_title_and_by_its_english_name(alone: Alone) -> None:
    alone.session.selection.select_actor(100)
    with speaking("zh_CN"):
        alone.signals.ask_add()
        picker = alone.findChild(Picker)
        assert picker is not None
        for typed in ("横摆", "yaw rate", "100 rate"):
            picker.filter.setText(typed)
            found = [picker.list.item(row).text().split()[-1] for row in range(picker.list.count())]
            assert found == ["横摆角速度"], typed
    picker.reject()


def test_the_menu_adds_the_same_of_the_selected_actors(plotted: Alone) -> None:
    signals = plotted.signals
    plotted.session.selection.select_actors((100, 102))
    choose(context_menu(signals, signals.traces), "Plot the same for the selected actors")
    keys = [trace.key for trace in signals.traces]
    assert keys == [SPEED, THROTTLE, SPEED._replace(actor=102), THROTTLE._replace(actor=102)]
    plotted.session.selection.select_actor(100)
    assert "Plot the same for the selected actors" not in [
        action.text() for action in context_menu(signals, signals.traces[:1]).actions()
    ]


def test_each_of_several_actors_has_its_colour_in_all_plots(alone: Alone) -> None:
    signals = alone.signals
    for actor in (100, 101):
        signals.add(SPEED._replace(actor=actor))
    for actor in (100, 101):
        signals.add(THROTTLE._replace(actor=actor))
    number = {(trace.key.name, trace.key.actor): trace.number for trace in signals.traces}
    assert number["speed", 100] == number["AnimVehicle", 100]
    assert number["speed", 101] == number["AnimVehicle", 101] != number["speed", 100]
    signals.add(Key("field", "AnimVehicle", "brake", 100))  # in the plot of throttle, where its colour is taken
    assert signals.traces[-1].number not in (number["speed", 100], number["speed", 101])
