"""The first walk: open a real recording, find a car, see its bytes, turn it, undo, redo, save; right to the byte."""

import struct
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.errors import SaveRefused
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, BYTES, PACKETS, SCENE, TIMELINE
from recorder_editor.ui.widgets.value_edit import ValueEdit

from ..recording.films import COLLISIONS, beginning
from .parts import Parts, begin_anew
from .windows import OpenWindow, bring_up, place_of, point_of_frame

CAR, FRAME, YAW_AT = 3932, 330, 0x0F399E
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier

pytestmark = pytest.mark.xcb

part = Parts()


@pytest.fixture
def path(recordings: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "town05.log"
    copy.write_bytes(beginning(recordings / COLLISIONS, FRAME + 40))
    return copy


@pytest.fixture
def window(path: Path, open_window: OpenWindow, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.resize(1440, 900)
    bring_up(window, qtbot)
    qtbot.waitUntil(lambda: window.session.background.trajectories is not None)
    return window


def typed(qtbot: QtBot, widget: QWidget, text: str) -> None:
    qtbot.keyClicks(widget, text)
    qtbot.keyClick(widget, Qt.Key.Key_Return)


def editor_of(window: MainWindow, name: str) -> ValueEdit:
    """The panel's editor of that field."""
    lines = window.panes.get(ATTRIBUTES).findChildren(QLineEdit)
    found = next(line for line in lines if line.isVisible() and line.accessibleName() == name)
    assert isinstance(found, ValueEdit)
    return found


def pressed(qtbot: QtBot, window: MainWindow, action: str, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    """Press a key of the window as soon as its action can be used."""
    qtbot.waitUntil(window.registry[action].isEnabled)
    qtbot.keyClick(window, key, modifiers)


def at_the_car(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.selection.go_to_frame(FRAME)
    window.panes.get(SCENE).view.fit()
    view = window.panes.get(SCENE).view
    point = place_of(view, CAR)
    assert point is not None
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point.toPoint())
    assert session.selection.actor == CAR


@part
def the_first_walk(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    session, before = window.session, path.read_bytes()
    at_the_car(window, qtbot)
    place = session.selection.place
    assert session.selection.target.packet is not None
    assert session.selection.target.packet.name == "Position"

    # Its bytes are in sight, and clicking the last field's selects that field.
    cell = window.panes.get(BYTES).view.rect_of(YAW_AT + 1)
    assert window.panes.get(BYTES).view.viewport().rect().contains(cell)
    qtbot.mouseClick(window.panes.get(BYTES).view.viewport(), Qt.MouseButton.LeftButton, pos=cell.center())
    assert session.selection.place == place._replace(field="rotation.yaw")
    assert session.selection.span == (YAW_AT, YAW_AT + 4)

    # Turned in the panel, by typing.
    editor = editor_of(window, "rotation yaw")
    qtbot.mouseClick(editor, Qt.MouseButton.LeftButton)
    editor.selectAll()
    typed(qtbot, editor, "92.5")
    assert session.is_modified
    expected = before[:YAW_AT] + struct.pack("<f", 92.5) + before[YAW_AT + 4 :]
    assert session.snapshot is not None
    assert session.snapshot.read(0, len(before)) == expected

    pressed(qtbot, window, "edit.undo", Qt.Key.Key_Z, CONTROL)
    assert session.snapshot.read(0, len(before)) == before
    assert not session.is_modified
    pressed(qtbot, window, "edit.redo", Qt.Key.Key_Z, CONTROL | SHIFT)
    assert session.snapshot.read(0, len(before)) == expected

    pressed(qtbot, window, "file.save", Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: not session.is_modified and not session.jobs.running)
    assert path.read_bytes() == expected
    pressed(qtbot, window, "edit.undo", Qt.Key.Key_Z, CONTROL)
    assert session.snapshot.read(0, len(before)) == before
    assert session.is_modified


@part
def a_car_is_found_by_ctrl_k(window: MainWindow, qtbot: QtBot) -> None:
    window.session.selection.go_to_frame(FRAME)
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    field = window.search_field
    target = field if isinstance(field, QLineEdit) else field.findChild(QLineEdit)
    assert target is not None
    typed(qtbot, target, f"id:{CAR}")
    qtbot.waitUntil(lambda: window.session.selection.actor == CAR)


@part
def one_selection_shows_everywhere(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    at_the_car(window, qtbot)
    place = session.selection.place._replace(field="location.x")
    session.selection.select(place)
    tree = window.panes.get(PACKETS).tree
    assert tree.packets.place(tree.currentIndex()) == place
    assert window.panes.get(BYTES).view.rect_of(session.selection.span[0]).isValid()
    qtbot.waitUntil(lambda: session.selection.actors == (CAR,))

    # From the tree: the row below is the next field.
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert session.selection.place == place._replace(field="location.y")
    # From the timeline: a click on another moment keeps actor and field.
    point = point_of_frame(window.panes.get(TIMELINE).canvas, FRAME + 30) + QPoint(1, 0)
    qtbot.mouseClick(window.panes.get(TIMELINE).canvas, Qt.MouseButton.LeftButton, pos=point)
    assert session.selection.frame_index == FRAME + 30
    assert session.selection.actor == CAR
    assert session.selection.place.field == "location.y"
    # Back and forward.
    pressed(qtbot, window, "go.back", Qt.Key.Key_Left, ALT)
    assert session.selection.place == place
    pressed(qtbot, window, "go.forward", Qt.Key.Key_Right, ALT)
    assert session.selection.place.field == "location.y"


@part
def a_byte_typed_in_the_hex_pane_is_one_undo_step(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    session, before = window.session, path.read_bytes()
    session.selection.select_byte(YAW_AT)
    view = window.panes.get(BYTES).view
    view.setFocus()
    qtbot.keyClicks(view, "ab")
    assert session.snapshot is not None
    assert session.snapshot.read(YAW_AT, 2) == b"\xab" + before[YAW_AT + 1 : YAW_AT + 2]
    assert session.recording is not None
    assert len(session.recording.history.steps) == 1
    session.editing.undo()
    assert session.snapshot.read(0, len(before)) == before


@part
def a_value_that_cannot_be_stored_changes_nothing(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    session = window.session
    at_the_car(window, qtbot)
    editor = editor_of(window, "location x")
    qtbot.mouseClick(editor, Qt.MouseButton.LeftButton)
    editor.selectAll()
    typed(qtbot, editor, "1e99")
    assert "too large" in editor.reason
    assert not session.is_modified


@part
def saving_over_a_file_that_changed_is_refused(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    session = window.session
    at_the_car(window, qtbot)
    place = session.selection.place._replace(field="rotation.yaw")
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place, 10.0))
    path.unlink()
    path.write_bytes(b"somebody else's")
    with pytest.raises(SaveRefused):
        session.editing.save()
    assert path.read_bytes() == b"somebody else's"
    assert session.is_modified


def test_walks(window: MainWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    begin_with_a_copy = begin_anew(window, path, qtbot)

    def begin() -> dict[str, Path]:
        own = begin_with_a_copy()
        qtbot.waitUntil(lambda: window.session.background.trajectories is not None)
        return own

    part.run(subtests, begin, window=window, qtbot=qtbot)
