"""What is done with the mouse is done with keys, too: moves in the scene, handles of the range, paths, typed bytes."""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QDateTimeEdit,
    QDialog,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.recording.place import Place
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.panes.signals.signals_menu import context_menu
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import (
    ACTORS,
    ATTRIBUTES,
    BYTES,
    DIFFERENCES,
    PACKETS,
    PROBLEMS,
    REPAIR,
    SCENE,
    SIGNALS,
    TIMELINE,
    TRIM,
)
from recorder_editor.ui.shell.panes import PaneSpec
from recorder_editor.ui.style.theme import Mode, Theme
from recorder_editor.ui.widgets import NumberEdit
from recorder_editor.ui.widgets.keyboard import ViewKeys, tab_stops
from recorder_editor.ui.widgets.pane import Pane
from recorder_editor.views.signal_key import Key

from ..extent import is_long
from .parts import in_turn
from .windows import OpenWindow, beginning, bring_up, data_of, dialogs, idle, inner_menu

COLLISIONS = "carla-0.9.13-town05-collisions.log"
HERO = 3890
KEY = Qt.Key
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
DATE = 18  # its offset in the header
PRESETS = "inspect", "scene", "trim", "repair"


@pytest.fixture
def window(open_window: OpenWindow, recordings: Path, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    path = tmp_path / COLLISIONS
    path.write_bytes(beginning(recordings / COLLISIONS, frames=260, actor=HERO))
    window = open_window(path, preset="inspect")
    bring_up(window, qtbot)
    wait_for_jobs(window)
    return window


@pytest.fixture
def view(window: MainWindow) -> SceneView:
    """The scene, with the keyboard and the hero selected."""
    hold_the_hero(window)
    return window.panes.get(SCENE).view


def hold_the_hero(window: MainWindow) -> None:
    window.session.selection.go_to_frame(40)
    window.session.selection.select_actor(HERO)
    window.panes.get(SCENE).view.setFocus()


def place_of(session: Session) -> tuple[float, ...]:
    """Where the hero is in the current frame, m and degrees."""
    frame = session.selection.frame
    assert frame is not None
    packet = frame.packet("Position")
    assert packet is not None
    record = packet.decoded.find_actor(HERO)
    assert record is not None
    x, y, yaw = (float(packet.array[name][record]) for name in ("location.x", "location.y", "rotation.yaw"))
    return x / 100, y / 100, yaw


def arrow_keys_move_and_turn_the_selected_actor(view: SceneView, window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    x, y, yaw = place_of(session)
    qtbot.keyClick(view, KEY.Key_G)
    assert session.messages[-1].startswith("Arrow keys move it by 0.1 m")
    for _ in range(3):
        qtbot.keyClick(view, KEY.Key_Right)
    qtbot.keyClick(view, KEY.Key_Down, SHIFT)
    qtbot.keyClick(view, KEY.Key_Left, CONTROL)
    assert place_of(session) == (x, y, yaw)
    lines = view.spoken()
    assert lines.line(lines.current).endswith("moved by x 0.3 m, y 1.0 m, turned by -1 degrees")
    qtbot.keyClick(view, KEY.Key_Return)
    idle(window, qtbot)
    assert place_of(session) == pytest.approx((x + 0.3, y + 1.0, yaw - 1.0), abs=0.001)
    assert session.selection.frame_index == 40
    qtbot.keyClick(view, KEY.Key_Right)
    assert session.selection.frame_index == 41


def escape_takes_a_move_by_keys_back(view: SceneView, window: MainWindow, qtbot: QtBot) -> None:
    before = data_of(window)
    qtbot.keyClick(view, KEY.Key_G)
    qtbot.keyClick(view, KEY.Key_Up, SHIFT)
    assert view.state.ghosts
    qtbot.keyClick(view, KEY.Key_Escape)
    assert not view.state.ghosts
    qtbot.keyClick(view, KEY.Key_Right)
    assert window.session.selection.frame_index == 41
    qtbot.keyClick(view, KEY.Key_G)
    qtbot.keyClick(view, KEY.Key_Return)
    idle(window, qtbot)
    assert data_of(window) == before
    assert not window.session.is_modified


def nothing_is_moved_by_keys_where_nobody_is_selected(view: SceneView, window: MainWindow) -> None:
    window.session.selection.select(Place(window.session.selection.row))
    view.move_by_keys()
    assert window.session.messages[-1] == "Select an actor first that has a position in this frame."
    assert not view.state.ghosts


def nobody_is_moved_by_keys_from_a_place_that_is_no_number(view: SceneView, window: MainWindow) -> None:
    session = window.session
    snapshot = session.snapshot_or_refuse()
    packet = snapshot.frame(session.selection.frame_index).packet("Position")
    assert packet is not None
    place = Place(session.selection.row, packet.index, packet.decoded.find_actor(HERO), "location.x")
    session.editing.apply(edits.set_field(snapshot, place, math.nan))
    wait_for_jobs(window)
    view.move_by_keys()
    assert session.messages[-1] == "Select an actor first that has a position in this frame."
    assert not view.state.ghosts


def a_distance_is_measured_by_keys(view: SceneView, window: MainWindow, qtbot: QtBot) -> None:
    session, actors = window.session, view.contents.actors
    x, y = (float(each[actors.index_of(HERO)]) for each in (actors.x, actors.y))

    def told() -> str:
        lines = view.spoken()
        return lines.line(lines.current)

    qtbot.keyClick(view, KEY.Key_M)
    assert session.messages[-1].startswith("Clicks or Enter set both ends")
    qtbot.keyClick(view, KEY.Key_Right)
    assert session.selection.frame_index == 41  # nothing is measured yet
    qtbot.keyClick(view, KEY.Key_Left)
    qtbot.keyClick(view, KEY.Key_Enter)
    assert told().startswith("0.00 m, heading 0.0 degrees, hero, 3890, ")
    for _ in range(3):
        qtbot.keyClick(view, KEY.Key_Right, SHIFT)
    for _ in range(40):
        qtbot.keyClick(view, KEY.Key_Down)
    assert told() == "5.00 m, heading 53.1 degrees"
    qtbot.keyClick(view, KEY.Key_Return)
    assert view.state.measured == (pytest.approx((x, y)), pytest.approx((x + 3, y + 4)))
    assert told().startswith("hero, 3890")
    qtbot.keyClick(view, KEY.Key_Escape)
    assert view.state.measured is None
    assert not view.switches["measure"]


def the_distance_to_another_actor_is_measured_by_keys(view: SceneView, window: MainWindow, qtbot: QtBot) -> None:
    actors, selection = view.contents.actors, window.session.selection
    for key in (KEY.Key_M, KEY.Key_Return):
        qtbot.keyClick(view, key)
    qtbot.keyClick(view, KEY.Key_Up, SHIFT)
    qtbot.keyClick(view, KEY.Key_Down, CONTROL)
    assert selection.actor not in (None, HERO)
    ends = [(actors.x[index], actors.y[index]) for index in map(actors.index_of, (HERO, selection.actor))]
    distance = float(np.hypot(*np.subtract(*ends)))
    told = view.spoken().line(0)
    assert told.startswith(f"{distance:.2f} m, heading ")
    assert f", {selection.actor}, " in told
    qtbot.keyClick(view, KEY.Key_Return)
    assert view.state.measured == tuple(map(pytest.approx, ends))


def arrow_keys_move_the_chosen_key_of_a_path(view: SceneView, window: MainWindow, qtbot: QtBot) -> None:
    session, editing = window.session, window.session.path_editing

    def rest() -> None:
        qtbot.waitUntil(lambda: not session.jobs.running and not editing.is_busy)

    qtbot.keyClick(view, KEY.Key_P)
    rest()
    assert editing.path is not None
    qtbot.keyClick(view, KEY.Key_Down)
    key = editing.key
    assert 0 < key < len(editing.path.keys)
    before = editing.path.values[key, 0].copy()
    qtbot.keyClick(view, KEY.Key_G)
    qtbot.keyClick(view, KEY.Key_Right, SHIFT)
    rest()
    assert editing.path.values[key, 0] == pytest.approx(np.add(before, (1.0, 0.0)))
    lines = view.spoken()
    assert lines.line(lines.current).startswith(f"key {key + 1} of {len(editing.path.keys)}, ")
    qtbot.keyClick(view, KEY.Key_Escape)
    assert editing.path.values[key, 0] == pytest.approx(before)
    assert editing.life is not None
    qtbot.keyClick(view, KEY.Key_G)
    qtbot.keyClick(view, KEY.Key_Up)
    rest()
    qtbot.keyClick(view, KEY.Key_Return)
    rest()
    assert session.is_modified
    assert editing.path.values[editing.key, 0] == pytest.approx(np.subtract(before, (0.0, 0.1)), abs=0.01)


def test_actors_are_moved_and_distances_measured_by_keys(request: pytest.FixtureRequest, window: MainWindow) -> None:
    in_turn(
        request,
        window,
        arrow_keys_move_and_turn_the_selected_actor,
        escape_takes_a_move_by_keys_back,
        nothing_is_moved_by_keys_where_nobody_is_selected,
        nobody_is_moved_by_keys_from_a_place_that_is_no_number,
        a_distance_is_measured_by_keys,
        the_distance_to_another_actor_is_measured_by_keys,
        arrow_keys_move_the_chosen_key_of_a_path,
        between=lambda: hold_the_hero(window),
    )


def the_ends_of_the_range_are_moved_by_keys_and_trimmed_to(window: MainWindow, qtbot: QtBot) -> None:
    canvas, span = window.panes.get(TIMELINE).canvas, window.session.range
    canvas.setFocus()
    window.session.selection.go_to_frame(100)
    qtbot.keyClick(canvas, KEY.Key_I)
    window.session.selection.go_to_frame(200)
    qtbot.keyClick(canvas, KEY.Key_O)
    assert span.frames == range(100, 201)
    qtbot.keyClick(canvas, KEY.Key_I, SHIFT)
    qtbot.keyClick(canvas, KEY.Key_Left)
    qtbot.keyClick(canvas, KEY.Key_O, SHIFT)
    qtbot.keyClick(canvas, KEY.Key_Right)
    assert span.frames == range(99, 202)
    qtbot.keyClick(canvas, KEY.Key_Escape)
    qtbot.keyClick(canvas, KEY.Key_Right)
    assert span.frames == range(99, 202)


def a_handle_is_let_go_when_frames_were_cut(window: MainWindow, qtbot: QtBot) -> None:
    canvas, session = window.panes.get(TIMELINE).canvas, window.session
    canvas.setFocus()
    session.range.set(100, 200)
    qtbot.keyClick(canvas, KEY.Key_I, SHIFT)
    window.registry.run("range.cut")
    idle(window, qtbot)
    session.selection.go_to_frame(50)
    qtbot.keyClick(canvas, KEY.Key_Right)
    assert session.selection.frame_index == 51
    assert not session.range.is_set


def tab_goes_on_behind_a_pane_in_which_nothing_can_be_pressed(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.set_preset("trim")
    wait_for_jobs(window)
    pane, dock = window.panes.get(TRIM), window.panes.docks["trim"]
    pane.tools.hide()
    window.panes.get(TIMELINE).setFocus()
    every = stops_of(window, qtbot)
    last = max(at for at, each in enumerate(every) if dock.isAncestorOf(each))
    for key, then in ((KEY.Key_Tab, every[(last + 1) % len(every)]), (KEY.Key_Backtab, every[last])):
        pane.setFocus()
        assert QApplication.focusWidget() is pane
        qtbot.keyClick(pane, key)
        assert QApplication.focusWidget() is then


def space_presses_a_button_and_leaves_the_keyboard_to_its_pane_when_it_goes_grey(
    window: MainWindow, qtbot: QtBot
) -> None:
    press_the_button_of_trim(window, qtbot, KEY.Key_Space)


def return_presses_a_button_too(window: MainWindow, qtbot: QtBot) -> None:
    press_the_button_of_trim(window, qtbot, KEY.Key_Return)


def enter_presses_a_button_too(window: MainWindow, qtbot: QtBot) -> None:
    press_the_button_of_trim(window, qtbot, KEY.Key_Enter)


def press_the_button_of_trim(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    window.panes.set_preset("trim")
    window.session.range.set(20, 40)
    wait_for_jobs(window)
    pane = window.panes.get(TRIM)
    pane.go.setFocus()
    assert QApplication.focusWidget() is pane.go
    qtbot.keyClick(pane.go, key)
    idle(window, qtbot)
    assert window.session.is_modified
    assert not pane.go.isEnabled()
    for step in range(2):
        assert QApplication.focusWidget() is pane, step
        place = rect_in(window, pane)
        focused = grabbed(window, place)
        window.panes.focus_next(1)
        settle()
        assert grabbed(window, place) != focused
        window.panes.focus_next(-1)


def bytes_are_reached_and_typed_with_keys_alone(window: MainWindow, qtbot: QtBot) -> None:
    before = data_of(window)
    window.panes.get(PACKETS).setFocus()
    qtbot.keyClick(QApplication.focusWidget(), KEY.Key_F6)
    for _ in range(len(window.panes.docks) + 1):
        if QApplication.focusWidget() is window.panes.get(BYTES).view:
            break
        qtbot.keyClick(QApplication.focusWidget(), KEY.Key_F6)
    view = window.panes.get(BYTES).view
    assert QApplication.focusWidget() is view
    qtbot.keyClick(view, KEY.Key_Home, CONTROL)
    for _ in range(DATE):
        qtbot.keyClick(view, KEY.Key_Right)
    qtbot.keyClicks(view, "42")
    assert data_of(window) == before[:DATE] + b"\x42" + before[DATE + 1 :]


def stops_of(window: MainWindow, qtbot: QtBot) -> list[QWidget]:
    """The widgets at which Tab stops, from the present one until it is reached again."""
    found: list[QWidget] = []
    while True:
        present = QApplication.focusWidget()
        assert present is not None
        if present in found:
            assert present is found[0]
            return found
        found.append(present)
        qtbot.keyClick(present, KEY.Key_Tab)


def rect_in(window: QWidget, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def grabbed(window: QWidget, around: QRect) -> bytes:
    """The pixels in and around a place."""
    image = window.grab(around.adjusted(-3, -3, 3, 3)).toImage().convertToFormat(QImage.Format.Format_RGB32)
    return bytes(image.constBits())


def test_tab_goes_in_the_order_of_sight_and_the_focus_is_seen(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    for preset in PRESETS:
        with subtests.test(preset=preset):
            assert_order_of_sight(window, qtbot, preset)


def assert_order_of_sight(window: MainWindow, qtbot: QtBot, preset: str) -> None:
    window.panes.set_preset(preset)
    wait_for_jobs(window)
    window.panes.get(TIMELINE).setFocus()
    found = stops_of(window, qtbot)
    docks = [dock for dock in window.panes.docks.values() if dock.isVisible()]
    parts: list[QWidget] = [window.toolbar, window.centre, *docks]
    unseen, order = [], []
    for widget in found:
        part = next((part for part in parts if part.isAncestorOf(widget)), None)
        assert part is not None, widget
        if not order or order[-1][0] is not part:
            order.append((part, []))
        order[-1][1].append(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        settle()
        place = rect_in(window, widget)
        focused = grabbed(window, place)
        elsewhere = window.search_field if widget is not window.search_field else window.panes.get(SCENE)
        elsewhere.setFocus(Qt.FocusReason.OtherFocusReason)
        settle()
        if grabbed(window, place) == focused:
            unseen.append(widget.objectName() or widget.accessibleName() or type(widget).__name__)
    assert unseen == []
    # No part is entered twice, but for the one in which it began.
    entered = [part for part, _ in order]
    assert len(entered) - len(set(map(id, entered))) <= 1
    for part, widgets in order[1:]:
        pages = [(page_of(each), each) for each in widgets if not isinstance(each, QScrollArea)]
        for page in dict.fromkeys(page for page, _ in pages):
            rects = [rect_in(window, each) for around, each in pages if around is page]
            rows = [(rect.center().y() // 12, rect.x()) for rect in rects]
            assert rows == sorted(rows), part.objectName()
        assert_not_apart([id(page) for page, _ in pages if page is not None])


def page_of(widget: QWidget) -> QWidget | None:
    """The page that scrolls with a widget."""
    while widget is not None and not isinstance(widget, QScrollArea):
        widget = widget.parentWidget()
    return widget


def assert_not_apart(keys: list[int]) -> None:
    """Equal ones stand beside one another."""
    assert keys == sorted(keys, key=keys.index)


def what_scrolls_out_of_sight_keeps_its_place_in_the_order(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1100, 700)
    window.panes.set_preset("trim")
    window.session.range.set(99, 241)
    wait_for_jobs(window)
    pane = window.panes.get(TRIM)
    box = next(each for each in pane.findChildren(QCheckBox) if each.isVisible())
    area = page_of(box)
    assert isinstance(area, QScrollArea)
    orders = []
    for place in (area.verticalScrollBar().minimum(), area.verticalScrollBar().maximum()):
        area.verticalScrollBar().setValue(place)
        orders.append([each for each in tab_stops(window, [pane]) if not isinstance(each, QScrollArea)])
    assert orders[0] == orders[1]
    assert orders[0].index(box) < min(orders[0].index(each) for each in orders[0] if isinstance(each, QPushButton))


def contrasts(window: QWidget, around: QRect) -> NDArray[np.float64]:
    """The luminance of the pixels in and around a place (WCAG 2), each with 0.05 added."""
    image = window.grab(around.adjusted(-3, -3, 3, 3)).toImage().convertToFormat(QImage.Format.Format_RGB32)
    channels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4)[:, :3] / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ (0.0722, 0.7152, 0.2126) + 0.05)


def dim_or_trapping(dialog: QDialog, qtbot: QtBot) -> list[str]:
    """Where Tab does not go on in a dialog, and where the focus has less than 3:1."""
    found: list[str] = []
    first = present = QApplication.focusWidget()
    for _ in range(60):
        assert present is not None
        place = rect_in(dialog, present)
        focused = contrasts(dialog, place)
        qtbot.keyClick(present, KEY.Key_Tab)
        settle()
        then, name = QApplication.focusWidget(), f"{type(present).__name__} {present.accessibleName()}"
        if then is present and not isinstance(present, (QTextBrowser, QDateTimeEdit)):  # with links or parts of its own
            return found if then is first else [*found, f"trap: {name}"]
        rest = contrasts(dialog, place)
        # A page that Tab has scrolled is another picture.
        seen = len(rest) != len(focused) or (np.maximum(rest / focused, focused / rest) >= 3).sum() >= 8
        found += [] if seen else [f"dim: {name}"]
        if then is first:
            return found
        present = then
    return [*found, "Tab does not come back"]


def test_in_every_dialog_tab_goes_round_and_the_focus_is_seen(
    window: MainWindow,
    theme: Theme,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    subtests: pytest.Subtests,
) -> None:
    """A part of the dialogs in each of two looks; with `--long` all of them in three."""
    for asks in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, asks, lambda *_: ("", ""))
    looks: dict[Mode, slice] = {"light": slice(1, None, 4), "contrast_dark": slice(2, None, 4)}
    if is_long(request.config):
        looks = dict.fromkeys(("light", "contrast_light", "contrast_dark"), slice(None))
    for mode, part in looks.items():
        with subtests.test(mode):
            theme.set_mode(mode)
            window.panes.focus(PACKETS.name)
            assert_dialogs_are_gone_round(window, part, qtbot)


def assert_dialogs_are_gone_round(window: MainWindow, part: slice, qtbot: QtBot) -> None:
    window.session.selection.select_actor(HERO)
    wrong, seen = {}, 0
    actions = dialogs(window, part)
    for action in [each for each in actions if window.registry.is_enabled(each)]:
        window.panes.get(PACKETS).setFocus()
        before = window.focusWidget()
        window.registry.run(action)
        wait_for_jobs(window)
        for dialog in [each for each in window.findChildren(QDialog) if each.isVisible()]:
            seen += 1
            dialog.activateWindow()
            qtbot.waitUntil(dialog.isActiveWindow)
            if dialog.focusWidget() is not None:
                wrong[action] = dim_or_trapping(dialog, qtbot)
            qtbot.keyClick(dialog, KEY.Key_Escape)
            assert not dialog.isVisible(), action
            window.activateWindow()
            assert window.focusWidget() is before or action.startswith("signals."), action
    assert {action: found for action, found in wrong.items() if found} == {}
    assert seen > len(actions) / 3


def test_the_row_of_the_keyboard_is_seen_where_it_is_not_selected(
    window: MainWindow, recordings: Path, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    window.session.comparison.begin_later(path, pytest.fail)
    for of in (PACKETS, ACTORS, DIFFERENCES, PROBLEMS):
        if of is PROBLEMS:  # of which a part has few
            window.session.open(recordings / COLLISIONS)
        wait_for_jobs(window)
        with subtests.test(pane=of.name):
            assert_row_is_seen(window, qtbot, of)


def assert_row_is_seen(window: MainWindow, qtbot: QtBot, of: PaneSpec[Pane]) -> None:
    window.panes.focus(of.name)
    idle(window, qtbot)
    views = [each for each in window.panes.get(of).findChildren(QAbstractItemView) if not isinstance(each, QHeaderView)]
    view = next(each for each in views if each.isVisible())
    view.setFocus(Qt.FocusReason.TabFocusReason)
    index = view.indexAt(QPoint(40, view.viewport().height() // 2))
    assert index.isValid()
    looks = []
    for current in (QModelIndex(), index):
        view.clearSelection()
        view.selectionModel().setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
        settle()
        looks.append(contrasts(view.viewport(), view.visualRect(index)))
    assert not view.selectionModel().hasSelection()
    assert (np.maximum(looks[0] / looks[1], looks[1] / looks[0]) >= 3).sum() >= 60


def a_pane_that_floats_is_reached_and_left_with_keys(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.get(PACKETS).setFocus()
    window.registry.run("view.float_timeline")
    dock = window.panes.docks[TIMELINE.name]
    assert dock.isFloating()
    settle()
    title = next(each for each in dock.title.findChildren(QAbstractButton) if each.text() == dock.windowTitle())
    assert title.height() > 20
    timeline, order = window.panes.get(TIMELINE), []
    for _ in range(len(window.panes.docks)):
        before = window.panes.focused()
        window.panes.focus_next(1)
        qtbot.waitUntil(lambda before=before: window.panes.focused() not in (None, before))
        order.append(window.panes.focused())
        assert QApplication.activeWindow() is (dock if order[-1] is timeline else window)
    assert timeline in order[:-1]
    dock.setFloating(False)


def the_field_that_is_selected_is_told_from_the_one_that_has_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    field = next(each for each in window.panes.get(ATTRIBUTES).findChildren(NumberEdit) if each.isVisible())
    middle, looks = field.width() // 2, []
    for selects in (True, False):
        field.set_selected(selects)
        (window.panes.get(PACKETS) if selects else field).setFocus()
        field.deselect()
        settle()
        picture = field.grab().toImage()
        looks.append((picture.pixelColor(middle, 0), picture.pixelColor(middle, 1)))
    ink = window.theme.palette.selection
    assert looks == [(ink, window.theme.palette.hover), (ink, ink)]


def the_line_around_the_view_stays_above_what_is_opened_beside_it(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    view = window.panes.get(SCENE).view
    view.setFocus()
    window.session.comparison.begin_later(path, pytest.fail)
    wait_for_jobs(window)
    assert QApplication.focusWidget() is view
    place = rect_in(window, view)
    qtbot.waitUntil(lambda: window.grab(place).toImage().pixelColor(0, 100) == window.theme.palette.selection)


def test_the_repair_pane_keeps_the_keyboard_when_its_button_goes(
    open_window: OpenWindow, recordings: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    damaged = tmp_path / "damaged.log"
    damaged.write_bytes(beginning(recordings / COLLISIONS, frames=260, actor=HERO)[:-1000])
    window = open_window(damaged, preset="repair")
    bring_up(window, qtbot)
    wait_for_jobs(window)
    pane = window.panes.get(REPAIR)
    pane.setFocus()
    qtbot.keyClick(pane.go, KEY.Key_Return)
    wait_for_jobs(window)
    assert pane.is_done
    assert QApplication.focusWidget() is pane


def test_a_view_takes_its_keys_whatever_the_window_does_with_them_and_leaves_letters_to_it(qtbot: QtBot) -> None:
    outside, inside = list[str](), list[str]()
    window, table = QMainWindow(), QTableWidget(2, 1)
    window.setCentralWidget(table)
    qtbot.addWidget(window)
    for row, text in enumerate(("a", "b")):
        table.setItem(row, 0, QTableWidgetItem(text))
    for key in ("Space", "Del", "F9"):
        QShortcut(QKeySequence(key), window, lambda key=key: outside.append(key))
    ViewKeys(table, {"Space; Del; F8": lambda: inside.append("taken")}, letters_pass=True)
    bring_up(window, qtbot)
    table.setFocus()
    table.setCurrentCell(0, 0)
    for pressed in (KEY.Key_Space, KEY.Key_Delete, KEY.Key_F9, KEY.Key_B):
        qtbot.keyClick(table, pressed)
    assert (inside, outside, table.currentRow()) == (["taken", "taken"], ["F9"], 0)
    table.editItem(table.item(0, 0))
    (line,) = table.findChildren(QLineEdit)
    line.selectAll()
    for pressed in (KEY.Key_Delete, KEY.Key_F8):
        qtbot.keyClick(line, pressed)
    assert (line.text(), inside) == ("", ["taken", "taken"])


def a_signal_is_scaled_and_removed_by_keys_in_the_legend(window: MainWindow, qtbot: QtBot) -> None:
    pane = window.panes.get(SIGNALS)
    pane.add(Key("motion", "speed", "", HERO), Key("motion", "acceleration", "", HERO))
    window.panes.focus(SIGNALS.name)
    wait_for_jobs(window)
    pane.legend.setFocus()
    qtbot.keyClick(pane.legend, KEY.Key_Down)
    menu = context_menu(pane, pane.legend.chosen())
    percentiles = inner_menu(menu, "Range").actions()[1]
    percentiles.trigger()
    assert {unit: scale.mode for unit, scale in pane.plot_view.scales.items()} == {"m/s\u00b2": "robust"}
    pane.legend.clearSelection()
    assert pane.legend.currentIndex().row() == 1
    qtbot.keyClick(pane.legend, KEY.Key_Delete)
    assert [trace.title for trace in pane.traces] == ["3890 speed"]


def test_ranges_bytes_signals_panes_and_trim_are_reached_by_keys(
    request: pytest.FixtureRequest, window: MainWindow
) -> None:
    in_turn(
        request,
        window,
        the_ends_of_the_range_are_moved_by_keys_and_trimmed_to,
        a_handle_is_let_go_when_frames_were_cut,
        bytes_are_reached_and_typed_with_keys_alone,
        the_field_that_is_selected_is_told_from_the_one_that_has_the_keyboard,
        a_signal_is_scaled_and_removed_by_keys_in_the_legend,
        a_pane_that_floats_is_reached_and_left_with_keys,
        the_line_around_the_view_stays_above_what_is_opened_beside_it,
        space_presses_a_button_and_leaves_the_keyboard_to_its_pane_when_it_goes_grey,
        return_presses_a_button_too,
        enter_presses_a_button_too,
        what_scrolls_out_of_sight_keeps_its_place_in_the_order,
        tab_goes_on_behind_a_pane_in_which_nothing_can_be_pressed,
    )
