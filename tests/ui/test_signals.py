"""Numbers over time: which signals there are, how they are read, followed through edits, looked at and written."""

import csv
import importlib.util
import math
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor import open as open_recording
from recorder_editor.extras import install_command
from recorder_editor.reading.tracks import Tracks
from recorder_editor.recording.place import Place
from recorder_editor.recording.recording import Recording
from recorder_editor.ui.app import settle
from recorder_editor.ui.dialogs.export import ExportDialog
from recorder_editor.ui.dialogs.highd import HighdDialog
from recorder_editor.ui.dialogs.picture import PictureDialog
from recorder_editor.ui.panes.signals.picker import Picker
from recorder_editor.ui.panes.signals.plot_view import PlotView
from recorder_editor.ui.panes.signals.series import Trace
from recorder_editor.ui.panes.signals.signals_menu import context_menu
from recorder_editor.ui.panes.signals.signals_pane import SignalsPane
from recorder_editor.ui.panes.timeline.timeline_pane import TimelinePane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, PACKETS, SCENE, SIGNALS, TIMELINE
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.hover_card import GUIDE
from recorder_editor.views.signal_catalog import keys_at, signals_of_actor, texts_of, title_of
from recorder_editor.views.signal_key import MIME, Key, packed, unpacked
from recorder_editor.views.signal_reading import SignalResult, read_signals, thinned

from .. import builders as b
from ..format.test_json_text import ODD_JSON
from .parts import Parts
from .test_frame_step import Watch
from .windows import OpenWindow, bring_up, idle, point_of_frame

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
SPEED = Key("motion", "speed", "", 100)
THROTTLE = Key("field", "AnimVehicle", "throttle", 100)
X = Key("field", "Position", "location.x", 100)
NEEDS_SCIPY = pytest.mark.skipif(importlib.util.find_spec("scipy") is None, reason="SciPy is not installed")


class Alone(QWidget):
    """The pane below the timeline, whose axis it shares, without a window around them."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.timeline = TimelinePane(session, theme, Player(session, self))
        self.signals = SignalsPane(session, theme, self.timeline.canvas)
        column = QVBoxLayout(self)
        column.addWidget(self.timeline)
        column.addWidget(self.signals)


def pane_of(window: Alone | MainWindow) -> SignalsPane:
    return window.signals if isinstance(window, Alone) else window.panes.get(SIGNALS)


def read(window: Alone | MainWindow, qtbot: QtBot) -> None:
    """Waits until all signals are read."""
    signals = pane_of(window)
    qtbot.waitUntil(lambda: all(trace.is_read or trace.reason for trace in signals.traces))
    idle(window, qtbot)


def gathered(recording: Recording, *keys: Key, before: SignalResult | None = None) -> SignalResult:
    return read_signals(recording.snapshot, keys, before.stock if before is not None else None, None)


@pytest.fixture
def recording(path: Path) -> Iterator[Recording]:
    with open_recording(path) as recording:
        yield recording


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.resize(1440, 900)
    window.show()
    idle(window, qtbot)
    window.panes.focus("signals")
    return window


@pytest.fixture
def alone(session: Session, theme: Theme, path: Path, qtbot: QtBot) -> Iterator[Alone]:
    alone = Alone(session, theme)
    alone.resize(1440, 600)
    bring_up(alone, qtbot)
    session.open(path)
    idle(alone, qtbot)
    yield alone
    alone.close()
    alone.deleteLater()


@pytest.fixture
def plotted(alone: Alone, qtbot: QtBot) -> Alone:
    alone.signals.add(SPEED, THROTTLE)
    read(alone, qtbot)
    return alone


@pytest.fixture
def plotted_in_window(window: MainWindow, qtbot: QtBot) -> MainWindow:
    window.panes.get(SIGNALS).add(SPEED, THROTTLE)
    read(window, qtbot)
    return window


# --- which signals there are ------------------------------------------------------------------------------


def test_every_number_of_an_actor_is_offered_and_no_id(recording: Recording) -> None:
    keys = signals_of_actor(recording.snapshot, recording.actors, 100, 5)
    assert {SPEED, THROTTLE, X, Key("motion", "jerk", "", 100), Key("traffic", "ttc", "", 100)} <= set(keys)
    assert not [key for key in keys if key.path == "id"]


def test_signals_have_titles_and_units(recording: Recording) -> None:
    dialect = recording.dialect
    assert title_of(X, dialect) == "100 location x"
    assert texts_of(X, dialect).unit == "cm"
    assert title_of(Key("motion", "distance", "", 100, 101), dialect) == "100 distance to 101"
    assert texts_of(Key("field", "AnimVehicle", "gear", 100), dialect).is_stepped
    assert title_of(Key("field", "PhysicsControl", "wheels[2].max_steer_angle", 7), dialect) == (
        "7 PhysicsControl wheels[2] max steer angle"
    )


def test_a_field_stands_for_itself_and_a_record_for_the_speed_of_its_actor(recording: Recording) -> None:
    snapshot = recording.snapshot
    packet = snapshot.frame(5).packet("Position")
    assert packet is not None
    place = Place(5, packet.index, 1)
    assert keys_at(snapshot, place) == (Key("motion", "speed", "", 101),)
    assert keys_at(snapshot, place._replace(field="rotation.yaw")) == (Key("field", "Position", "rotation.yaw", 101),)
    assert keys_at(snapshot, place._replace(field="id")) == ()
    assert keys_at(snapshot, Place(5)) == ()


def test_dragged_signals_come_back_and_rubbish_does_not() -> None:
    assert unpacked(packed((SPEED, X))) == (SPEED, X)
    assert unpacked(b"[1, 2") == ()
    for odd in (*ODD_JSON, '[["field", 1]]', '[["field", "a", "b", "c"]]', '[[["field"], "a"]]'):
        assert unpacked(odd.encode()) == ()


# --- reading ----------------------------------------------------------------------------------------------


def test_fields_and_what_follows_from_them(recording: Recording) -> None:
    apart = Key("motion", "distance", "", 100, 102)
    rate, slope = Key("motion", "yaw rate", "", 100), Key("motion", "acceleration", "", 100)
    series = gathered(recording, X, SPEED, apart, rate, slope).series
    assert series[X].frames.tolist() == list(range(40))
    assert series[X].values == pytest.approx([50.0 * frame for frame in range(40)])
    assert series[SPEED].values == pytest.approx(np.full(40, 10.0), abs=1e-3)
    assert series[apart].values == pytest.approx(np.full(40, 8.0))
    assert series[rate].values == pytest.approx(np.zeros(40))
    assert series[slope].values == pytest.approx(np.zeros(40), abs=0.1)


def test_a_signalling_nan_is_no_value(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(struct.pack("<f", 250.0), b"\x01\x00\x80\x7f", 1))
    with open_recording(path) as recording:
        values = gathered(recording, X).series[X].values
        assert np.flatnonzero(np.isnan(values)).tolist() == [5]


def test_speeds_are_those_of_the_tracks(sound_recording: Path) -> None:
    with open_recording(sound_recording) as recording:
        actor = next(life.actor for life in recording.actors if life.class_ in ("vehicle", "walker"))
        key = Key("motion", "speed", "", actor)
        expected = Tracks(recording.snapshot).speeds([actor])
        frames, values = gathered(recording, key).series[key]
        found = np.isin(frames, expected["frame"])
        np.testing.assert_array_equal(values[found], expected["speed"])


def test_what_every_frame_has_can_be_plotted(recording: Recording) -> None:
    step, size = Key("frame", "step"), Key("frame", "size")
    series = gathered(recording, step, size).series
    assert series[step].values == pytest.approx(np.full(39, 0.05))
    assert len(series[size].values) == 40


def test_records_that_differ_in_size_are_read_field_by_field(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    light = b.samples("ue4-0.9.12")
    physics = next(sample for sample in light if sample.name == "PhysicsControl")
    frames = [b.frame(n + 1, n * 0.05, 0.05, [physics.data] if n == 3 else []) for n in range(8)]
    path.write_bytes(b.recording(*frames))
    with open_recording(path) as recording:
        packet = recording[3].packet("PhysicsControl")
        assert packet is not None
        actor = packet.decoded.get(0, "id")
        assert isinstance(actor, int)
        key = Key("field", "PhysicsControl", "mass", actor)
        series = gathered(recording, key).series[key]
        assert series.frames.tolist() == [3]
        assert series.values.tolist() == [packet.decoded.get(0, "mass")]


def test_a_signal_that_is_missing_for_a_while_is_broken_there(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    shown = [n for n in range(30) if not 10 <= n < 20]
    pose = [b.pose(7, b.xyz(100.0))]
    frames = [b.frame(n + 1, n * 0.05, 0.05, [b.packet(6, b.position(pose if n in shown else []))]) for n in range(30)]
    path.write_bytes(b.recording(*frames))
    with open_recording(path) as recording:
        key = X._replace(actor=7)
        frames_read, values = gathered(recording, key).series[key]
        assert frames_read[np.isnan(values)].tolist() == [10]
        assert frames_read.tolist() == [*range(11), *range(20, 30)]


def test_a_million_values_become_the_least_and_the_greatest_of_each_pixel() -> None:
    x = np.arange(1_000_000.0)
    y = np.sin(x / 7919)
    y[123_456] = 99.0
    y[500_000:510_000] = np.nan
    few_x, few_y = thinned(x, y, 0.0, 1e6, 800)
    assert len(few_x) <= 4 * 800
    assert np.nanmax(few_y) == 99.0
    assert np.isnan(few_y).any()
    assert (np.diff(few_x) >= 0).all()
    near_x, near_y = thinned(x, y, 1000.0, 1100.0, 800)
    np.testing.assert_array_equal(near_y, y[near_x.astype(int)])
    assert near_x[0] <= 1000.0
    assert near_x[-1] >= 1100.0


@pytest.mark.parametrize("kind", ["set", "delete", "insert", "several"])
def test_what_was_read_is_not_read_again_and_after_an_edit_all_is_right(recording: Recording, kind: str) -> None:
    keys = (X, SPEED, THROTTLE, Key("motion", "jerk", "", 101), Key("frame", "step"))
    before = gathered(recording, *keys)
    again = gathered(recording, *keys, before=before)
    assert all(again.stock.tables[source] is table for source, table in before.stock.tables.items())
    snapshot = recording.snapshot
    packet = snapshot.frame(9).packet("Position")
    assert packet is not None
    makes = {
        "set": lambda s: edits.set_field(s, Place(9, packet.index, 0, "location.x"), -5.0),
        "delete": lambda s: edits.delete_rows(s, 20),
        "insert": lambda s: edits.insert_frame(s, 12, 11),
    }
    for make in [makes[name] for name in (makes if kind == "several" else [kind])]:
        recording.apply(make(recording.snapshot))
    quick, whole = gathered(recording, *keys, before=before), gathered(recording, *keys)
    for key in keys:
        np.testing.assert_array_equal(quick.series[key].frames, whole.series[key].frames)
        np.testing.assert_array_equal(quick.series[key].values, whole.series[key].values)


# --- the pane ---------------------------------------------------------------------------------------------


def it_is_hidden_at_first_and_comes_up_below_the_timeline_which_keeps_its_transport(window: MainWindow) -> None:
    assert window.panes.docks["signals"].isHidden()
    window.registry.run("view.signals")
    assert pane_of(window).isVisible()
    timeline = window.panes.docks["timeline"].geometry()
    assert window.panes.get(TIMELINE).transport.isVisible()
    assert (
        window.panes.get(TIMELINE).canvas.timeline_layout.timeline_lanes_top
        < window.panes.get(TIMELINE).canvas.height()
    )
    assert timeline.bottom() < window.panes.docks["signals"].geometry().top()
    window.panes.show("signals", False)
    assert window.panes.docks["timeline"].height() > timeline.height()
    for preset in ("trim", "repair"):
        window.panes.set_preset(preset)
        assert window.panes.docks["signals"].isHidden()


def a_recording_without_frames_has_nothing_to_plot(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "empty.log"
    path.write_bytes(b.header())
    window.session.open(path)
    idle(window, qtbot)
    window.panes.focus("signals")
    pane_of(window).add(SPEED, Key("frame", "step"))
    read(window, qtbot)
    pane_of(window).show_cursors(True)
    assert pane_of(window).cursors == {}
    pane_of(window).grab()


def test_signals_in_a_window_that_has_shown_none(
    open_window: OpenWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    """The recording is opened again before each part."""
    window = open_window(path)
    parts = Parts()
    for part in (
        it_is_hidden_at_first_and_comes_up_below_the_timeline_which_keeps_its_transport,
        a_recording_without_frames_has_nothing_to_plot,
    ):
        parts(part)

    def begin() -> dict[str, object]:
        window.panes.set_preset("inspect")
        window.session.open(path)
        idle(window, qtbot)
        return {}

    parts.run(subtests, begin, window=window, tmp_path=path.parent, qtbot=qtbot)


def test_without_signals_it_says_what_to_do(alone: Alone, qtbot: QtBot) -> None:
    signals = alone.signals
    assert signals.empty.isVisible()
    assert signals.empty.text() == "Plot numbers over time"
    qtbot.mouseClick(signals.add_first, LEFT)
    picker = alone.findChild(Picker)
    assert picker is not None
    picker.reject()


def test_tooltips_name_the_keys_of_this_moment(alone: Alone) -> None:
    tips = {name: button.toolTip for name, button in alone.signals.buttons.items()}
    alone.signals.show_keys({"signals.add": "Ctrl+T", "file.open": "Ctrl+O"})
    assert (tips["add"](), tips["whole"]()) == ("Plot signal (Ctrl+T)", "Show the whole recording (0)")
    alone.signals.show_keys({"signals.add": "", "file.open": "0"})
    assert (tips["add"](), tips["whole"]()) == ("Plot signal", "Show the whole recording")


def test_a_signal_is_picked_by_typing(alone: Alone, qtbot: QtBot) -> None:
    qtbot.mouseClick(alone.signals.buttons["add"], LEFT)
    picker = alone.findChild(Picker)
    assert picker is not None
    qtbot.keyClicks(picker.filter, "101 thro")
    assert picker.keys()[0] == THROTTLE._replace(actor=101)
    qtbot.keyClick(picker.filter, Qt.Key.Key_Return)
    assert [trace.title for trace in alone.signals.traces] == ["101 throttle"]
    read(alone, qtbot)
    assert set(alone.signals.traces[0].series.values) == {0.5}


def test_signals_are_picked_plotted_from_menus_and_read_while_somebody_looks(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("nothing is read while nobody looks"):
        window.panes.show("signals", False)
        pane_of(window).add(SPEED)
        idle(window, qtbot)
        assert not pane_of(window).traces[0].is_read
        window.panes.focus("signals")
        read(window, qtbot)
        assert pane_of(window).traces[0].is_read
    with subtests.test("several are picked from the list with keys"):
        pane_of(window).model.clear()
        window.session.selection.select_actor(100)
        window.registry.run("signals.add")
        picker = window.findChild(Picker)
        assert picker is not None
        assert picker.keys()[0] == SPEED
        qtbot.keyClick(picker.filter, Qt.Key.Key_Down)
        assert picker.focusWidget() is picker.list
        qtbot.keyClick(picker.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        qtbot.mouseClick(picker.go, LEFT)
        assert [trace.key.name for trace in pane_of(window).traces] == ["acceleration", "jerk"]
    with subtests.test("plot over time shows what is selected"):
        pane_of(window).model.clear()
        window.panes.docks["signals"].hide()
        session = window.session
        session.selection.select_actor(101)
        texts = [action.text() for action in window.panes.get(PACKETS).menu().actions()]
        assert "Plot over time" in texts
        window.registry.run("signals.plot")
        assert pane_of(window).isVisible()
        assert pane_of(window).traces[0].title == "101 speed"
        session.selection.select(Place(session.selection.row))
        assert not window.registry.is_enabled("signals.plot")


def test_nothing_found_is_said(alone: Alone, qtbot: QtBot) -> None:
    alone.signals.ask_add()
    picker = alone.findChild(Picker)
    assert picker is not None
    qtbot.keyClicks(picker.filter, "qqqq")
    assert picker.note.text() == "No signal matches."
    assert not picker.go.isEnabled()
    picker.reject()


def move(plot_view: PlotView, to: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Moves the mouse with the left button down."""
    viewport = plot_view.viewport()
    kind = QMouseEvent.Type.MouseMove
    event = QMouseEvent(kind, QPointF(to), QPointF(viewport.mapToGlobal(to)), Qt.MouseButton.NoButton, LEFT, modifiers)
    QApplication.sendEvent(viewport, event)


def wheel(
    plot_view: object, at: QPoint, steps: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    viewport = plot_view.viewport()  # type: ignore[attr-defined]
    where = QPointF(at), QPointF(viewport.mapToGlobal(at))
    none = Qt.MouseButton.NoButton
    event = QWheelEvent(*where, QPoint(), QPoint(0, 120 * steps), none, modifiers, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(viewport, event)


def test_the_legend_and_the_axis_are_those_of_the_frame_and_the_timeline(
    plotted: Alone, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("the tooltip of a plotted field leads to its packet in the guide"):
        legend = plotted.signals.legend.legend
        assert [legend.index(row, 0).data(GUIDE) for row in range(2)] == ["", "packets.md#AnimVehicle ("]
    with subtests.test("the legend shows the values of the current frame"):
        legend = plotted.signals.legend.legend
        assert [legend.index(row, 1).data() for row in range(2)] == ["10.000", "0.500"]
        assert [legend.index(row, 5).data() for row in range(2)] == ["m/s", ""]
        assert [plot.unit for plot in plotted.signals.plot_view.plots] == ["m/s", ""]
    with subtests.test("a click goes to that frame and a drag scrubs"):
        plot_view = plotted.signals.plot_view
        qtbot.mouseClick(plot_view.viewport(), LEFT, pos=point_of_frame(plot_view, 17))
        assert plotted.session.selection.frame_index == 17
        qtbot.mousePress(plot_view.viewport(), LEFT, pos=point_of_frame(plot_view, 20))
        for frame in (24, 28):
            move(plot_view, point_of_frame(plot_view, frame))
        qtbot.mouseRelease(plot_view.viewport(), LEFT, pos=point_of_frame(plot_view, 28))
        assert plotted.session.selection.frame_index == 28
        assert plot_view.frame == 28
    with subtests.test("it shares the axis of the timeline both ways"):
        plot_view, canvas = plotted.signals.plot_view, plotted.timeline.canvas
        wheel(plot_view, point_of_frame(plot_view, 10), 3)
        assert not canvas.axis.is_whole
        assert (plot_view.axis.low, plot_view.axis.high) == (canvas.axis.low, canvas.axis.high)
        before = plot_view.axis.low
        wheel(plot_view, point_of_frame(plot_view, 10), -2, Qt.KeyboardModifier.ShiftModifier)
        assert plot_view.axis.low > before
        canvas.zoom(0)
        assert plot_view.axis.is_whole
    with subtests.test("the curves stand below the same moments of the timeline"):
        plot_view, canvas = plotted.signals.plot_view, plotted.timeline.canvas
        for _ in range(2):
            for frame in (0, 17, 39):
                here, there = point_of_frame(plot_view, frame), point_of_frame(canvas, frame)
                assert abs(plot_view.mapTo(plotted, here).x() - canvas.mapTo(plotted, there).x()) <= 1
            plotted.signals.show_cursors(True)  # which makes the legend wider
        box = plot_view.plots[0].box
        assert box.mapSceneToView(QPointF(point_of_frame(plot_view, 17))).x() == pytest.approx(0.85, abs=0.01)
        plotted.signals.hide()
        assert canvas.axis.left == canvas.theme.px(104)
        plotted.signals.show()
        assert canvas.axis.left > canvas.theme.px(104)
        plotted.signals.model.clear()
        assert canvas.axis.left == plotted.timeline.canvas.theme.px(104)


def test_a_band_with_ctrl_zooms_and_one_looks_back_and_forward(plotted: Alone, qtbot: QtBot) -> None:
    signals, plot_view = plotted.signals, plotted.signals.plot_view
    control = Qt.KeyboardModifier.ControlModifier
    whole = plot_view.axis.low, plot_view.axis.high
    qtbot.mousePress(plot_view.viewport(), LEFT, control, point_of_frame(plot_view, 10))
    move(plot_view, point_of_frame(plot_view, 20), control)
    qtbot.mouseRelease(plot_view.viewport(), LEFT, control, point_of_frame(plot_view, 20))
    near = plot_view.axis.low, plot_view.axis.high
    assert near == pytest.approx((0.5, 1.0), abs=0.01)
    assert plotted.session.selection.frame_index == 0
    qtbot.mouseClick(signals.buttons["back"], LEFT)
    assert (plot_view.axis.low, plot_view.axis.high) == pytest.approx(whole)
    assert not signals.buttons["back"].isEnabled()
    plot_view.setFocus()
    qtbot.keyClick(plot_view, Qt.Key.Key_Backspace, Qt.KeyboardModifier.ShiftModifier)
    assert (plot_view.axis.low, plot_view.axis.high) == pytest.approx(near)
    qtbot.keyClick(plot_view, Qt.Key.Key_0)
    assert plot_view.axis.is_whole


def test_two_cursors_show_values_and_differences(alone: Alone, qtbot: QtBot) -> None:
    signals = alone.signals
    signals.add(X)
    read(alone, qtbot)
    qtbot.mouseClick(signals.chip, LEFT)
    assert set(signals.cursors) == {"A", "B"}
    plot_view = signals.plot_view
    plot_view.setFocus()
    alone.session.selection.go_to_frame(10)
    qtbot.keyClick(plot_view, Qt.Key.Key_A)
    assert signals.cursors["A"] == 10
    start = point_of_frame(plot_view, signals.cursors["B"])
    qtbot.mousePress(plot_view.viewport(), LEFT, pos=start)
    move(plot_view, point_of_frame(plot_view, 30))
    qtbot.mouseRelease(plot_view.viewport(), LEFT, pos=point_of_frame(plot_view, 30))
    assert signals.cursors == {"A": 10, "B": 30}
    assert alone.session.selection.frame_index == 10
    legend = signals.legend.legend
    assert [legend.index(0, column).data() for column in (2, 3, 4)] == ["500.000", "1500.000", "1000.000"]
    assert signals.caption == "A 0.500 s   B 1.500 s   B − A 1.000 s, 20 frames"
    qtbot.keyClick(plot_view, Qt.Key.Key_C)
    assert signals.cursors == {}
    assert signals.legend.isColumnHidden(4)


def test_a_signal_that_is_there_comes_back_and_signals_are_hidden_and_removed(
    plotted: Alone, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a signal that is there comes back instead of coming twice"):
        plotted.signals.model.toggle(plotted.signals.traces[0])
        plotted.signals.add(SPEED)
        assert len(plotted.signals.traces) == 2
        assert plotted.signals.traces[0].is_shown
    with subtests.test("signals are hidden and removed"):
        signals = plotted.signals
        legend = signals.legend
        sign = QPoint(8, legend.rowViewportPosition(0) + 8)
        qtbot.mouseClick(legend.viewport(), LEFT, pos=sign)
        assert [trace.is_shown for trace in signals.traces] == [False, True]
        assert [plot.unit for plot in signals.plot_view.plots] == [""]
        legend.setFocus()
        legend.selectRow(0)
        qtbot.keyClick(legend, Qt.Key.Key_Space)
        assert signals.traces[0].is_shown
        qtbot.keyClick(legend, Qt.Key.Key_Delete)
        assert [trace.key for trace in signals.traces] == [THROTTLE]
        menu = context_menu(signals, signals.traces)
        next(action for action in menu.actions() if action.text() == "Remove").trigger()
        assert signals.empty.isVisible()


def test_colours_and_signs_are_told_apart(alone: Alone) -> None:
    keys = signals_of_actor(alone.session.snapshot, alone.session.actors, 100, 0)[:8]  # type: ignore[arg-type]
    alone.signals.add(*keys)
    assert len({trace.number for trace in alone.signals.traces}) == 8


def test_signals_follow_edits_undo_and_the_selection(plotted: Alone, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    with subtests.test("it follows edits and undo"):
        window, session = plotted, plotted.session
        packet = session.snapshot_or_refuse().frame(5).packet("AnimVehicle")
        assert packet is not None
        place = Place(5, packet.index, 0, "throttle")
        session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place, 0.9))
        read(window, qtbot)
        assert pane_of(window).traces[1].at(5) == pytest.approx(0.9)
        session.editing.undo()
        read(window, qtbot)
        assert pane_of(window).traces[1].at(5) == 0.5
        session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 0))
        read(window, qtbot)
        assert len(pane_of(window).traces[1].series.frames) == 39
    with subtests.test("signals follow the selection where that is switched on"):
        plotted.session.editing.undo()
        read(plotted, qtbot)
        signals, session = plotted.signals, plotted.session
        session.selection.select_actor(100)
        assert signals.follows.text() == "Selected actor"
        qtbot.mouseClick(signals.follows, LEFT)
        session.selection.select_actor(102)
        assert [trace.title for trace in signals.traces] == ["102 speed", "102 throttle"]
        read(plotted, qtbot)
        session.selection.go_to_frame(5)
        session.selection.select(Place(session.selection.row))
        session.selection.select_actor(101)
        assert [trace.key.actor for trace in signals.traces] == [101, 101]
        qtbot.mouseClick(signals.follows, LEFT)
        session.selection.select_actor(100)
        assert [trace.key.actor for trace in signals.traces] == [101, 101]


def test_a_step_of_frames_repaints_only_where_the_cursor_was_and_is_which_covers_whole_words(
    plotted: Alone, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a step of frames repaints only where the cursor was and is"):
        plot_view = plotted.signals.plot_view
        QApplication.processEvents()
        before = plot_view.plots[0].curves_of[0].xData
        with qtbot.waitSignal(plot_view.scene().changed) as changed:
            plotted.session.selection.go_to_frame(12)
        assert plot_view.plots[0].curves_of[0].xData is before
        columns = {x for rect in changed.args[0] for x in range(math.floor(rect.left()), math.ceil(rect.right()) + 1)}
        assert point_of_frame(plot_view, 12).x() in columns
        assert len(columns) < plot_view.width() / 4
    with subtests.test("the time at the cursor covers words of the ruler wholly or not at all"):
        plot_view, session, hidden = plotted.signals.plot_view, plotted.session, set[str]()
        metrics = plot_view.theme.metrics(plot_view.theme.small)
        for frame in range(session.frames):
            session.selection.go_to_frame(frame)
            tag, cover = plot_view.tag.sceneBoundingRect(), plot_view.cover.rect()
            for tick in plot_view.axis.ticks():
                at, half = plot_view.axis.x(tick.time), metrics.horizontalAdvance(tick.text) / 2
                words = QRectF(at - half, 4, 2 * half, 8)
                is_under = tag.intersects(words)
                assert cover.contains(words) if is_under else not cover.intersects(words), (frame, tick)
                hidden |= {tick.text} if is_under else set()
        assert len(hidden) > 2
    with subtests.test("plots in a low pane are within it"):
        plotted.signals.keep_height(1)
        plotted.signals.setFixedHeight(36)
        settle()
        plot_view = plotted.signals.plot_view
        assert plot_view.height() <= 36
        assert all(plot.geometry().bottom() <= plot_view.height() for plot in plot_view.plots)
        first, second = (plot.geometry() for plot in plot_view.plots)
        assert first.bottom() < second.top()


# --- dragging and menus -----------------------------------------------------------------------------------


def drop(window: MainWindow, data: QMimeData) -> None:
    """Drags something over the curves and lets go of it: the pane takes it wherever it is dropped."""
    pane, action = pane_of(window), Qt.DropAction.CopyAction
    over = QDragEnterEvent(QPoint(50, 50), action, data, LEFT, NONE)
    QApplication.sendEvent(pane.plot_view.viewport(), over)
    if over.isAccepted():
        QApplication.sendEvent(pane, QDropEvent(QPointF(50, 50), action, data, LEFT, NONE))


def test_rows_of_the_tree_and_fields_of_the_attribute_panel_are_dragged_into_it(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("rows of the tree are dragged into it"):
        session, model = window.session, window.panes.get(PACKETS).model
        frame = session.selection.frame
        assert frame is not None
        packet = frame.packet("Position")
        assert packet is not None
        place = Place(session.selection.row, packet.index, 0, "rotation.yaw")
        session.selection.select(place)
        index = model.index_of(place)
        assert model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
        data = model.mimeData([index, index.siblingAtColumn(1)])
        assert unpacked(bytes(data.data(MIME).data())) == (Key("field", "Position", "rotation.yaw", 100),)
        drop(window, data)
        assert pane_of(window).traces[0].title == "100 rotation yaw"
        text = QMimeData()
        text.setData("text/plain", QByteArray(b"no"))
        drop(window, text)
        assert len(pane_of(window).traces) == 1
    with subtests.test("a field of the attribute panel is dragged and has a menu"):
        pane_of(window).model.clear()
        window.session.selection.select_actor(100)
        panel = window.panes.get(ATTRIBUTES)
        selected = window.session.selection.target
        assert selected is not None
        page = panel._records[selected.packet.type]
        label = page.form.lines["location.x"].row.label
        dragged: list[str] = []
        page.form.dragged.disconnect()
        page.form.dragged.connect(dragged.append)
        qtbot.mousePress(label, LEFT, pos=QPoint(3, 3))
        for x in (6, 40):
            where = QPoint(x, 3)
            event = QMouseEvent(
                QMouseEvent.Type.MouseMove,
                QPointF(where),
                QPointF(label.mapToGlobal(where)),
                Qt.MouseButton.NoButton,
                LEFT,
                Qt.KeyboardModifier.NoModifier,
            )
            QApplication.sendEvent(label, event)
        qtbot.mouseRelease(label, LEFT, pos=QPoint(40, 3))
        assert dragged == ["location.x"]
        data = panel.dragged_data("location.x")
        assert data is not None
        assert unpacked(bytes(data.data(MIME).data())) == (X,)
        assert panel.dragged_data("id") is None
        panel._menu("location.x", QPoint(0, 0))
        (menu,) = [each for each in panel.findChildren(QMenu) if each.isVisible()]
        panel._choose("location.x")
        menu.actions()[0].trigger()
        menu.close()
        assert [trace.key for trace in pane_of(window).traces] == [X]


# --- files ------------------------------------------------------------------------------------------------


def test_what_is_shown_is_written_as_csv_or_why_it_is_not_is_said(
    plotted: Alone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a file that cannot be written is said"):
        said: list[str] = []
        plotted.session.refused.connect(said.append)
        target = str(tmp_path / "none" / "a.csv")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (target, "CSV (*.csv)"))
        plotted.signals.ask_export()
        assert said
        assert "none" in said[0]
    with subtests.test("a name without an ending replaces no file that has it"):
        said: list[str] = []
        plotted.session.refused.connect(said.append)
        existing = tmp_path / "a.csv"
        existing.write_text("mine")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(tmp_path / "a"), "CSV (*.csv)"))
        plotted.signals.ask_export()
        assert "a.csv exists already" in said[0]
        assert existing.read_text() == "mine"
    with subtests.test("what is shown is written as csv"):
        signals, canvas = plotted.signals, plotted.timeline.canvas
        signals.add(X)
        read(plotted, qtbot)
        signals.model.toggle(signals.traces[0])
        canvas.set_axis(canvas.axis.showing(0.5, 1.0))
        out = tmp_path / "out"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(out), "CSV (*.csv)"))
        qtbot.mouseClick(signals.buttons["export"], LEFT)
        with out.with_suffix(".csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0] == ["frame", "frame_id", "elapsed [s]", "100 throttle", "100 location x [cm]"]
        frames = canvas.axis.visible_frames()
        assert [int(row[0]) for row in rows[1:]] == [frame + 1 for frame in frames]
        assert float(rows[1][4]) == pytest.approx(50.0 * frames.start)
        assert float(rows[1][3]) == 0.5


def test_curves_are_written_as_a_picture_and_another_recording_forgets_them(
    plotted_in_window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    with subtests.test("the curves are written as a picture"):
        plotted_in_window.panes.show(SIGNALS.name)
        pane_of(plotted_in_window).plot_view.setFocus()
        plotted_in_window.registry.run("file.picture")
        dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, PictureDialog))
        assert dialog.of_signals
        qtbot.waitUntil(lambda: dialog.is_ready)
        target = tmp_path / "a.svg"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(target), "SVG (*.svg)"))
        qtbot.mouseClick(dialog.go, LEFT)
        qtbot.waitUntil(target.exists)
        qtbot.waitUntil(lambda: not dialog.job_panel.is_busy)
        assert "100 speed" in target.read_text(encoding="utf-8")
        dialog.close()
    with subtests.test("a step of frames lays out nothing"):
        pane_of(plotted_in_window).show_cursors(True)
        plotted_in_window.session.selection.go_to_frame(11)
        plotted_in_window.session.selection.select_actor(100)
        assert Watch(QEvent.Type.LayoutRequest).during(lambda: plotted_in_window.session.selection.step(1)) == {}
    with subtests.test("another recording forgets the signals and the same one keeps them"):
        plotted_in_window.registry.run("file.reload")
        idle(plotted_in_window, qtbot)
        read(plotted_in_window, qtbot)
        assert [trace.key for trace in pane_of(plotted_in_window).traces] == [SPEED, THROTTLE]
        other = tmp_path / "b.log"
        other.write_bytes(b.drive(5))
        plotted_in_window.session.open(other)
        assert pane_of(plotted_in_window).traces == []


# --- traffic ----------------------------------------------------------------------------------------------


def follow(tmp_path: Path) -> Path:
    """Two vehicles in one plot: the second drives 15 m/s towards the first, which stands 40 m ahead."""
    path = tmp_path / "follow.log"
    frames = []
    for n in range(50):
        poses = [b.pose(1, b.xyz(4000.0)), b.pose(2, b.xyz(n * 0.05 * 1500.0))]
        births = [b.actor(p["id"], location=p["location"]) for p in poses] if n == 0 else []
        boxes = [{"id": p["id"], "origin": b.xyz(), "extent": b.xyz(200.0, 100.0, 80.0)} for p in poses]
        packets = [b.packet(2, b.event_add(births)), b.packet(6, b.position(poses))]
        packets += [b.packet(13, b.bounding_box(boxes))] if n == 0 else []
        frames.append(b.frame(n + 1, n * 0.05, 0.05, packets))
    path.write_bytes(b.recording(*frames))
    return path


@NEEDS_SCIPY
def test_ttc_and_gap_are_signals_and_risks_are_marked(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    path = follow(tmp_path)
    window = open_window(path)
    idle(window, qtbot)
    with subtests.test("ttc and gap of a vehicle are signals"):
        window.panes.focus("signals")
        pane_of(window).add(Key("traffic", "gap", "", 2), Key("traffic", "ttc", "", 2))
        read(window, qtbot)
        gap, ttc = pane_of(window).traces
        assert gap.at(10) == pytest.approx(40 - 7.5 - 4, abs=0.2)
        assert ttc.at(10) == pytest.approx((40 - 7.5 - 4) / 15, abs=0.05)
    with subtests.test("risks are marked on the timeline and the leader in the scene"):
        pane_of(window).model.clear()
        window.session.open(path)
        assert window.session.traffic.shown is None
        window.resize(1440, 900)
        idle(window, qtbot)
        session, canvas = window.session, window.panes.get(TIMELINE).canvas
        assert "Risk" not in [plot.name for plot in canvas.timeline_layout.timeline_lanes]
        window.registry.run("traffic.show")
        idle(window, qtbot)
        plot = next(plot for plot in canvas.timeline_layout.timeline_lanes if plot.name == "Risk")
        analysis = session.traffic.shown
        assert analysis is not None
        worst = int(analysis.risks["worst"][0])
        at = QPoint(point_of_frame(canvas, worst - 5).x(), plot.top + 9)
        assert "Risk</b>" not in canvas.pointing.tip(QPointF(at))
        assert "2 behind 1" in canvas.pointing.tip(QPointF(at))
        assert "least_ttc" in vars(analysis), "made with the analysis, not while it is painted"
        over = QPointF(canvas.timeline_layout.overview_x(float(canvas.axis.times[worst])) + 1, 3)
        assert "<br>minimum TTC " in canvas.pointing.tip(over)
        image, palette = canvas.grab().toImage(), window.theme.palette
        heat = [
            image.pixelColor(int(canvas.timeline_layout.overview_x(time)) + 1, 3).rgb()
            for time in (0.0, canvas.axis.times[worst])
        ]
        assert heat == [palette.warning.rgb(), palette.error.rgb()]
        qtbot.mouseClick(canvas, LEFT, pos=at)
        assert (session.selection.frame_index, session.selection.actor) == (worst, 2)
        (following,) = window.panes.get(SCENE).view.state.leaders
        assert (following.actor, following.leader, following.risk) == (2, 1, 2)
        window.panes.get(SCENE).view.grab()
        session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 0))
        qtbot.waitUntil(lambda: session.traffic.is_current)
        window.registry.run("traffic.show")
        assert window.panes.get(SCENE).view.state.leaders == ()
        assert "Risk" not in [plot.name for plot in canvas.timeline_layout.timeline_lanes]
        assert canvas.grab().toImage().pixelColor(over.toPoint()).rgb() not in heat


def test_without_scipy_the_entries_say_what_to_install(
    open_window: OpenWindow, path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    for name in ("scipy", "scipy.signal"):
        monkeypatch.setitem(sys.modules, name, None)
    window = open_window(path)
    idle(window, qtbot)
    window.panes.focus("signals")
    reason = window.registry.spec("traffic.show").reason()
    assert reason is not None
    assert install_command("analysis") in reason
    window.session.selection.select_actor(100)
    pane_of(window).ask_add()
    picker = window.findChild(Picker)
    assert picker is not None
    qtbot.keyClicks(picker.filter, "100 ttc")
    assert picker.list.count() == 1
    assert picker.keys() == []
    assert install_command("analysis") in picker.note.text()
    picker.reject()
    pane_of(window).add(Key("traffic", "ttc", "", 100))
    qtbot.waitUntil(lambda: bool(pane_of(window).traces[0].reason))
    assert pane_of(window).legend.legend.index(0, 1).data() == "not read"


@NEEDS_SCIPY
def test_the_l1_table_is_looked_at_and_exported(session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot) -> None:
    pytest.importorskip("polars")
    session.open(follow(tmp_path))
    dialog = ExportDialog(session, theme)
    qtbot.addWidget(dialog)
    dialog.table.setCurrentIndex(dialog.table.count() - 1)
    dialog.table.activated.emit(dialog.table.count() - 1)
    qtbot.waitUntil(lambda: not dialog.looking.is_pending and dialog.go.isEnabled())
    assert dialog.total.text().startswith("about 100 rows")
    shown = [dialog.view.horizontalHeaderItem(column).text() for column in range(dialog.view.columnCount())]
    target = tmp_path / "table.csv"
    dialog.write(target)
    qtbot.waitUntil(lambda: not dialog.job_panel.is_busy)
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == dialog.view.rowCount() == 100
    assert list(rows[0]) == shown
    assert rows[-1]["precedingId"] == "1"
    assert "--table l1" in dialog.command.text
    target = tmp_path / "one.csv"
    dialog.actors.setText("1")
    qtbot.waitUntil(lambda: not dialog.looking.is_pending and dialog.go.isEnabled())
    dialog.write(target)
    qtbot.waitUntil(lambda: not dialog.job_panel.is_busy)
    with target.open(newline="") as file:
        assert {row["trackId"] for row in csv.DictReader(file)} == {"1"}


def test_a_highd_recording_is_imported_and_opened_and_another_folder_says_so(
    open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    from ..analysis import highd

    folder = tmp_path / "raw"
    folder.mkdir()
    highd.write(folder, 7, highd.traffic(6))
    window = open_window()
    window.show()
    with subtests.test("a highd recording is imported and opened"):
        window.registry.run("file.import_highd")
        dialog = window.findChild(HighdDialog)
        assert dialog is not None
        assert not dialog.go.isEnabled()
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args: str(folder))
        qtbot.mouseClick(dialog.folder.button, LEFT)
        assert dialog.number.currentText() == "07"
        words = dialog.folder.words
        assert isinstance(words, QLineEdit)
        words.setText(str(tmp_path / "elsewhere"))
        words.editingFinished.emit()
        assert dialog.number.count() == 0
        assert "elsewhere" in dialog.job_panel.sentence.text()
        words.setText(str(folder))
        words.editingFinished.emit()
        assert dialog.number.currentText() == "07"
        dialog.activateWindow()
        dialog.stop.setFocus()
        qtbot.waitUntil(dialog.stop.hasFocus)
        qtbot.keyClicks(dialog.stop, "2")
        qtbot.keyClick(dialog.stop, Qt.Key.Key_Tab)
        assert "--to 2" in dialog.command_line()
        target = tmp_path / "seven.log"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(target), ""))
        qtbot.mouseClick(dialog.go, LEFT)
        qtbot.waitUntil(lambda: window.documents.path == target)
        idle(window, qtbot)
        assert window.session.frames <= 51
    with subtests.test("a folder without highd says so"):
        dialog = HighdDialog(window.session, window.theme, window)
        dialog.set_folder(tmp_path)
        assert dialog.job_panel.sentence.text() == "There is no NN_tracks.csv in this folder."
        assert not dialog.go.isEnabled()
        dialog.reject()


# --- the look ---------------------------------------------------------------------------------------------


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_pictures(
    open_window: OpenWindow, recordings: Path, theme: Theme, artefacts: Path, mode: str, qtbot: QtBot
) -> None:
    theme.set_mode("dark" if mode == "dark" else "light")
    window = open_window(recordings / "carla-0.9.13-town05-collisions.log", size=(1440, 900))
    qtbot.waitUntil(lambda: window.session.background.trajectories is not None)
    idle(window, qtbot)
    window.session.selection.go_to_frame(330)
    window.session.selection.select_actor(3932)
    window.panes.focus("signals")
    assert window.grab().save(str(artefacts / f"signals-empty-{mode}.png"))
    actor, hero = 3932, 3890
    pane_of(window).add(
        Key("motion", "speed", "", actor),
        Key("motion", "speed", "", hero),
        Key("field", "AnimVehicle", "throttle", actor),
        Key("field", "AnimVehicle", "brake", actor),
        Key("motion", "acceleration", "", actor),
    )
    pane_of(window).set_cursor("A", 270)
    pane_of(window).set_cursor("B", 350)
    read(window, qtbot)
    assert all(isinstance(trace, Trace) and len(trace.series.frames) for trace in pane_of(window).traces)
    assert window.grab().save(str(artefacts / f"signals-{mode}.png"))
