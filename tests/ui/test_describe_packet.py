"""Describe this packet: by clicks and keys from unknown bytes to values in the tree; undo; files with other packets."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from recorder_editor.edits import Place
from recorder_editor.recording.packet_search import FOLDER
from recorder_editor.recording.user_folders import config_folder
from recorder_editor.ui.dialogs.describe_packet import DescribePacketDialog
from recorder_editor.ui.panes.packets.packets_model import LINE
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, PACKETS
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from .windows import bring_up, idle


def own(index: int) -> bytes:
    return b.f32(0.5 + index) + b.boolean(index % 2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "own.log"
    frames = [b.frame(number, number * 0.1, packets=[b.packet(150, own(number))]) for number in range(6)]
    path.write_bytes(b.recording(*frames))
    return path


@pytest.fixture
def dialog(session: Session, theme: Theme, path: Path, qtbot: QtBot) -> DescribePacketDialog:
    session.open(path)
    qtbot.waitUntil(lambda: not session.jobs.running)
    session.selection.select(Place(0, 1))
    dialog = DescribePacketDialog(session, theme, 150)
    qtbot.addWidget(dialog)
    bring_up(dialog, qtbot)
    return dialog


def button(dialog: DescribePacketDialog, text: str) -> QPushButton:
    (one,) = [found for found in dialog.findChildren(QPushButton) if found.text() == text and found.isVisibleTo(dialog)]
    return one


def add(dialog: DescribePacketDialog, text: str, name: str, qtbot: QtBot) -> None:
    """Click the button that adds a member, and type its name."""
    qtbot.mouseClick(button(dialog, text), Qt.MouseButton.LeftButton)
    editor = dialog.focusWidget()
    assert isinstance(editor, QLineEdit)
    qtbot.keyClicks(editor, name)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.draft.members[-1].name == name)


def cell(dialog: DescribePacketDialog, row: int, column: int) -> str:
    item = dialog.table.item(row, column)
    assert item is not None
    return item.text()


def describe(dialog: DescribePacketDialog, qtbot: QtBot) -> None:
    qtbot.keyClicks(dialog.name, "Sensor")
    add(dialog, "Add as f32", "level", qtbot)
    add(dialog, "Add as bool", "valid", qtbot)


def test_an_unknown_packet_gets_a_name_and_members(
    dialog: DescribePacketDialog, session: Session, path: Path, qtbot: QtBot
) -> None:
    describe(dialog, qtbot)
    assert [cell(dialog, row, 1) for row in range(2)] == ["level", "valid"]
    assert (cell(dialog, 0, 5), cell(dialog, 1, 0), cell(dialog, 1, 5)) == ("0.500", "0004", "false")
    assert dialog.next_title.text() == "All bytes are described."
    qtbot.mouseClick(dialog.next, Qt.MouseButton.LeftButton)
    assert (cell(dialog, 0, 5), cell(dialog, 1, 5)) == ("1.500", "true")
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()
    packet = session.snapshot_or_refuse().row(1).packets[1]
    assert packet.name == "Sensor"
    assert packet.records == [{"level": 1.5, "valid": True}]
    assert (path.parent / "packet-150.packets.json").exists()


def test_ctrl_z_takes_back_one_change_after_another(dialog: DescribePacketDialog, qtbot: QtBot) -> None:
    describe(dialog, qtbot)
    dialog.table.setFocus()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert cell(dialog, 1, 1) == "member"
    qtbot.keyClick(dialog.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert dialog.table.rowCount() == 1
    qtbot.keyClick(dialog.table, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert cell(dialog, 1, 1) == "valid"


def test_members_are_moved_and_deleted_by_keys(dialog: DescribePacketDialog, qtbot: QtBot) -> None:
    describe(dialog, qtbot)
    dialog.table.setCurrentCell(1, 1)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [member.name for member in dialog.draft.members] == ["valid", "level"]
    qtbot.keyClick(dialog.table, Qt.Key.Key_Delete)
    assert [member.name for member in dialog.draft.members] == ["level"]


def test_the_other_packets_of_a_file_stay(dialog: DescribePacketDialog, path: Path, qtbot: QtBot) -> None:
    other = {"id": 151, "name": "Other", "members": [["a", "u8", "A"]]}
    old = {"id": 150, "name": "Old", "members": [["b", "u8", "B"]]}
    target = path.parent / "packet-150.packets.json"
    target.write_text(json.dumps({"packets": [other, old]}), encoding="utf-8")
    describe(dialog, qtbot)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    packets = json.loads(target.read_text(encoding="utf-8"))["packets"]
    assert packets[0] == other
    assert packets[1]["name"] == "Sensor"


def test_a_file_that_cannot_be_read_is_not_written_over(dialog: DescribePacketDialog, path: Path, qtbot: QtBot) -> None:
    target = path.parent / "packet-150.packets.json"
    target.write_text("notes", encoding="utf-8")
    describe(dialog, qtbot)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert dialog.refusal.isVisible()
    assert target.read_text(encoding="utf-8") == "notes"


def test_a_draft_without_a_name_is_refused_in_a_sentence(dialog: DescribePacketDialog, qtbot: QtBot) -> None:
    add(dialog, "Add as f32", "level", qtbot)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert "is not a name of a packet" in dialog.refusal.text()


def test_it_may_be_read_for_all_recordings(dialog: DescribePacketDialog, session: Session, qtbot: QtBot) -> None:
    describe(dialog, qtbot)
    dialog.where.setCurrentIndex(1)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert (config_folder() / FOLDER / "packet-150.packets.json").exists()
    assert session.snapshot_or_refuse().row(0).packets[1].name == "Sensor"


def test_what_is_saved_is_seen_in_the_window(open_window: Callable[..., MainWindow], path: Path, qtbot: QtBot) -> None:
    window = open_window(path)
    window.show()
    idle(window, qtbot)
    window.session.selection.select(Place(2, 1))
    window.registry.run("recording.describe_packet")
    (dialog,) = window.findChildren(DescribePacketDialog)
    bring_up(dialog, qtbot)
    describe(dialog, qtbot)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    idle(window, qtbot)
    assert not window.packets_notice.isVisible()
    assert not dialog.isVisible(), dialog.refusal.text()
    assert window.session.snapshot_or_refuse().row(2).packets[1].name == "Sensor"
    tree = window.panes.get(PACKETS).tree
    assert tree.currentIndex().data(LINE).name == "Sensor"
    window.session.selection.select(Place(2, 1, 0, "level"))
    idle(window, qtbot)
    fields = [editor.text() for editor in window.panes.get(ATTRIBUTES).findChildren(QLineEdit) if editor.isVisible()]
    assert "2.500" in fields


def test_a_name_that_is_typed_is_one_step_and_stays_where_nothing_takes_the_keyboard(
    dialog: DescribePacketDialog, qtbot: QtBot
) -> None:
    qtbot.keyClicks(dialog.name, "Sensor")
    dialog.add_as("f32")
    assert dialog.name.text() == dialog.draft.name == "Sensor"
    dialog.undo()
    assert (dialog.draft.name, dialog.draft.members) == ("Sensor", ())
    dialog.undo()
    assert dialog.name.text() == dialog.draft.name == ""


def test_the_action_opens_it_for_a_packet_that_carla_does_not_know(
    open_window: Callable[..., MainWindow], path: Path, qtbot: QtBot
) -> None:
    window = open_window(path)
    qtbot.waitUntil(lambda: window.session.is_complete)
    window.session.selection.select(Place(0, 0))
    assert not window.registry.is_enabled("recording.describe_packet")
    window.session.selection.select(Place(0, 1))
    window.registry.run("recording.describe_packet")
    (dialog,) = window.findChildren(DescribePacketDialog)
    assert dialog.number == 150
    dialog.reject()
