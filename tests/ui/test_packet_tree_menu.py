"""What can be done in the tree by its menu and its keys: copying, going on, inserting, moving, bodies and files."""

import ast
import json
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from recorder_editor.edits import Place
from recorder_editor.ui.panes.packets.packets_pane import PacketPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.selection import HEADER

from .. import builders as b
from ..recording.films import add, film
from .parts import Parts
from .windows import bring_up, inner_menu

CONTROL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
POSES = b.packet(6, b.position([b.pose(1), b.pose(2), b.pose(3)]))
LAMPS = b.packet(7, b.traffic_light_state([{"id": 5, "frozen": False, "elapsed": 1.0, "state": 0}]))
NOBODY = b.packet(6, b.position([]))
UNKNOWN = b.packet(200, b"unknown")
# Packet 0 is FrameStart.
FRAMES = ([add(b.actor(1), b.actor(2)), POSES, LAMPS], [NOBODY, UNKNOWN], [POSES, LAMPS, POSES], [LAMPS])
POSE_SIZE = 28


part = Parts()


@pytest.fixture
def session(session: Session, tmp_path: Path) -> Session:
    path = tmp_path / "town.log"
    path.write_bytes(film(*FRAMES))
    session.open(path, dialect="ue4-0.9.12")
    return session


@pytest.fixture
def pane(session: Session, theme: Theme, qtbot: QtBot) -> PacketPane:
    pane = PacketPane(session, theme)
    qtbot.addWidget(pane)
    pane.resize(500, 500)
    bring_up(pane, qtbot)
    pane.tree.setFocus()
    return pane


@pytest.fixture
def refusals(session: Session) -> list[str]:
    told: list[str] = []
    session.refused.connect(told.append)
    return told


def actions(menu: QMenu) -> dict[str, QAction]:
    return {action.text(): action for action in menu.actions() if not action.isSeparator()}


def click(pane: PacketPane, text: str, inner: str = "") -> None:
    """Choose an entry of the context menu."""
    menu = pane.menu()
    action = actions(inner_menu(menu, text))[inner] if inner else actions(menu)[text]
    assert action.isEnabled()
    action.trigger()


def names(session: Session, row: int) -> list[str]:
    return [packet.name for packet in session.snapshot_or_refuse().row(row).packets]


def ids(session: Session, row: int, packet: int) -> list[int]:
    found: list[int] = session.snapshot_or_refuse().row(row).packets[packet].array["id"].tolist()
    return found


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


# --- the menu itself ------------------------------------------------------------------------------------


def test_a_right_click_selects_the_row_and_opens_its_menu(pane: PacketPane, qtbot: QtBot) -> None:
    index = pane.model.index_of(Place(0, 2))
    at = pane.tree.visualRect(index).center()
    qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.RightButton, pos=at)
    pane.tree.customContextMenuRequested.emit(QPoint(at))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    texts = list(actions(menu))
    menu.close()
    assert pane.session.selection.place == Place(0, 2)
    assert "Insert packet before" in texts
    assert "Next Position" in texts
    qtbot.waitUntil(lambda: not pane.findChildren(QMenu))


@pytest.mark.parametrize(
    ("place", "there", "missing"),
    [
        (Place(HEADER), {"Copy as hex", "Copy as JSON"}, {"Delete", "Duplicate", "Insert packet", "Move up"}),
        (Place(0), {"Insert packet", "Insert empty frame", "Duplicate", "Delete"}, {"Move up", "Export body..."}),
        (Place(0, 2), {"Insert packet before", "Insert record", "Move up", "Export body..."}, {"Insert packet"}),
        (Place(1, 2), {"Move up", "Replace body from file..."}, {"Insert record"}),
    ],
)
def test_the_menu_offers_what_fits(pane: PacketPane, place: Place, there: set[str], missing: set[str]) -> None:
    pane.session.selection.select(place)
    found = set(actions(pane.menu()))
    assert there <= found
    assert not missing & found


@part
def the_menu_greys_what_would_be_refused(pane: PacketPane) -> None:
    pane.session.selection.select(Place(0, 0))
    found = actions(pane.menu())
    greyed = ("Delete", "Duplicate", "Move up", "Move down", "Insert packet before")
    assert not any(found[text].isEnabled() for text in greyed)
    pane.session.selection.select(Place(0, 2, 0))
    found = actions(pane.menu())
    assert not found["Move up"].isEnabled()
    assert found["Move down"].isEnabled()


# --- copying --------------------------------------------------------------------------------------------


@part
def a_packet_is_copied_as_hex_json_and_python(pane: PacketPane, session: Session) -> None:
    session.selection.select(Place(1, 2))
    click(pane, "Copy as hex")
    assert bytes.fromhex(clipboard()) == UNKNOWN
    click(pane, "Copy as Python bytes")
    assert ast.literal_eval(clipboard()) == UNKNOWN
    click(pane, "Copy as JSON")
    assert json.loads(clipboard()) == {"packet": "Unknown 200", "id": 200, "hex": b"unknown".hex()}


@part
def header_record_and_field_are_copied(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    session.selection.select(Place(HEADER))
    click(pane, "Copy as JSON")
    assert json.loads(clipboard())["header"]["map"] == "Town01"
    session.selection.select(Place(0, 2, 1))
    click(pane, "Copy as JSON")
    assert json.loads(clipboard())["id"] == 2
    session.selection.select(Place(0, 2, 1, "id"))
    click(pane, "Copy as hex")
    assert clipboard() == "02 00 00 00"
    qtbot.keyClick(pane.tree, Qt.Key.Key_C, CONTROL)
    assert clipboard() == "id\n2"


@part
def several_records_are_copied_one_a_line(pane: PacketPane, session: Session) -> None:
    session.selection.select(Place(0, 2, 2), more=(Place(0, 2, 0),))
    pane.copy("json")
    assert [json.loads(line)["id"] for line in clipboard().splitlines()] == [1, 3]
    pane.copy("hex")
    assert [len(bytes.fromhex(line)) for line in clipboard().splitlines()] == [POSE_SIZE] * 2


# --- going ----------------------------------------------------------------------------------------------


@part
def the_next_packet_of_a_kind_holds_something(
    pane: PacketPane, session: Session, refusals: list[str], qtbot: QtBot
) -> None:
    def go(text: str, place: Place) -> None:
        click(pane, text)
        qtbot.waitUntil(lambda: session.selection.place == place)

    session.selection.select(Place(0, 2))
    # The one of the second frame is empty; the third frame has two.
    go("Next Position", Place(2, 1))
    go("Next Position", Place(2, 3))
    click(pane, "Next Position")
    qtbot.waitUntil(lambda: bool(refusals))
    assert session.selection.place == Place(2, 3)
    assert "no other Position" in refusals[0]
    go("Previous Position", Place(2, 1))
    go("Previous Position", Place(0, 2))
    session.selection.select(Place(0, 0))
    go("Next FrameStart", Place(1, 0))


@part
def page_keys_go_from_packet_to_packet_and_frame_to_frame(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    session.selection.select(Place(0, 2))
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown)
    assert session.selection.place == Place(0, 3)
    for _ in range(2):
        qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown)
    assert session.selection.place == Place(1, 0)
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageUp)
    assert session.selection.place == Place(0, 4)
    session.selection.select(Place(0, 2))
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown, CONTROL)
    assert session.selection.place.row == 1
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageUp, CONTROL)
    assert session.selection.place == Place(0, 2)


@part
def page_keys_pass_over_what_the_filter_hides(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    session.selection.select(Place(0))
    qtbot.keyClicks(pane.filter, "State")
    qtbot.waitUntil(lambda: pane.tree.isRowHidden(2, pane.model.index_of(Place(0))))
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown)
    assert session.selection.place == Place(0, 3)
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown)
    assert session.selection.place == Place(1)
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown)
    assert session.selection.place == Place(2, 2)


@part
def enter_folds_and_arrows_go_in_and_out(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    session.selection.select(Place(0, 2))
    index = pane.model.index_of(Place(0, 2))
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return)
    assert pane.tree.isExpanded(index)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Right)
    assert session.selection.place == Place(0, 2, 0)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Down)
    assert session.selection.place == Place(0, 2, 1)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Left)
    assert session.selection.place == Place(0, 2)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return)
    assert not pane.tree.isExpanded(index)


# --- changing -------------------------------------------------------------------------------------------


@part
def packets_are_inserted_before_and_behind(pane: PacketPane, session: Session) -> None:
    session.selection.select(Place(0, 2))
    click(pane, "Insert packet before", "AnimVehicle (8)")
    assert names(session, 0)[1:4] == ["EventAdd", "AnimVehicle", "Position"]
    assert session.selection.place == Place(0, 2)
    session.selection.select(Place(0, 3))
    click(pane, "Insert packet after", "Collision (5)")
    assert names(session, 0)[3:6] == ["Position", "Collision", "State"]
    assert session.selection.place == Place(0, 4)
    for _ in range(2):
        session.editing.undo()
    assert not session.is_modified


@part
def a_packet_inserted_in_a_frame_comes_where_the_recorder_writes_it(pane: PacketPane, session: Session) -> None:
    session.selection.select(Place(3))
    click(pane, "Insert packet", "Position (6)")
    assert names(session, 3) == ["FrameStart", "Position", "State", "FrameEnd"]
    assert session.selection.place == Place(3, 1)


@part
def a_record_and_a_frame_are_inserted_and_selected(pane: PacketPane, session: Session) -> None:
    session.selection.select(Place(0, 2, 1))
    click(pane, "Insert record")
    assert ids(session, 0, 2) == [1, 2, 0, 3]
    assert session.selection.place == Place(0, 2, 2)
    session.selection.select(Place(0))
    click(pane, "Insert empty frame")
    assert names(session, 1) == ["FrameStart", "FrameEnd"]
    assert session.selection.place == Place(1)


@part
def packets_and_frames_are_duplicated_moved_and_deleted(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    session.selection.select(Place(0, 2))
    click(pane, "Duplicate")
    assert names(session, 0)[2:4] == ["Position", "Position"]
    click(pane, "Move down")
    assert names(session, 0)[2:5] == ["Position", "State", "Position"]
    assert session.selection.place == Place(0, 4)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Up, ALT)
    assert session.selection.place == Place(0, 3)
    click(pane, "Delete")
    assert names(session, 0) == ["FrameStart", "EventAdd", "Position", "State", "FrameEnd"]
    session.selection.select(Place(1))
    qtbot.keyClick(pane.tree, Qt.Key.Key_D, CONTROL)
    assert names(session, 2) == names(session, 1)
    assert session.frames == 5
    qtbot.keyClick(pane.tree, Qt.Key.Key_Delete)
    assert session.frames == 4


@part
def several_records_are_duplicated_and_deleted_as_one_step(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    pane.tree.expand(pane.model.index_of(Place(0, 2)))
    first, last = (pane.model.index_of(Place(0, 2, record)) for record in (0, 1))
    qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, pos=pane.tree.visualRect(first).center())
    qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, SHIFT, pane.tree.visualRect(last).center())
    assert session.selection.actors == (2, 1)
    qtbot.keyClick(pane.tree, Qt.Key.Key_D, CONTROL)
    assert ids(session, 0, 2) == [1, 1, 2, 2, 3]
    assert session.recording is not None
    assert [step.label for step in session.recording.history.steps] == ["Duplicate 2 records"]
    session.editing.undo()
    session.selection.select(Place(0, 2, 0), more=(Place(0, 2, 2),))
    qtbot.keyClick(pane.tree, Qt.Key.Key_Delete)
    assert ids(session, 0, 2) == [2]
    session.editing.undo()
    assert not session.is_modified


@part
def the_header_stays(pane: PacketPane, session: Session, qtbot: QtBot, refusals: list[str]) -> None:
    session.selection.select(Place(HEADER))
    qtbot.keyClick(pane.tree, Qt.Key.Key_Delete)
    qtbot.keyClick(pane.tree, Qt.Key.Key_D, CONTROL)
    assert len(refusals) == 2
    assert not session.is_modified


@part
def fields_of_the_header_are_typed_and_wrong_ones_refused(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    def type_in(field: str, text: str) -> None:
        session.selection.select(Place(HEADER, field=field))
        qtbot.keyClick(pane.tree, Qt.Key.Key_F2)
        editor = pane.tree.findChild(QLineEdit, "fieldEditor")
        assert editor is not None
        editor.selectAll()
        qtbot.keyClicks(editor, text)
        qtbot.keyClick(editor, Qt.Key.Key_Return)

    type_in("map", "Town05")
    qtbot.waitUntil(lambda: pane.tree.findChild(QLineEdit, "fieldEditor") is None)
    header = session.snapshot_or_refuse().header
    assert header is not None
    assert header.map_name == "Town05"
    type_in("version", "two")
    assert session.snapshot_or_refuse().header == header
    # Whoever goes on leaves what was refused behind.
    session.selection.select(Place(HEADER, field="magic"))
    qtbot.waitUntil(lambda: pane.tree.findChild(QLineEdit, "fieldEditor") is None)
    assert not pane.tree.edit_current()


@part
def an_editor_in_which_nothing_was_typed_closes_when_it_is_left(
    pane: PacketPane, session: Session, qtbot: QtBot
) -> None:
    session.selection.select(Place(0, 2, 0, "location.x"))
    qtbot.keyClick(pane.tree, Qt.Key.Key_F2)
    assert pane.tree.findChild(QLineEdit, "fieldEditor") is not None
    pane.filter.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(lambda: pane.tree.findChild(QLineEdit, "fieldEditor") is None)
    assert not session.is_modified


@part
def a_body_goes_to_a_file_and_comes_from_one(
    pane: PacketPane, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: list[str]
) -> None:
    file = tmp_path / "body.bin"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    session.selection.select(Place(0, 2))
    click(pane, "Export body...")
    assert file.read_bytes() == POSES[5:]
    file.write_bytes(b.position([b.pose(9)]))
    click(pane, "Replace body from file...")
    assert ids(session, 0, 2) == [9]
    file.unlink()
    click(pane, "Replace body from file...")
    assert str(file) in refusals[0]


# --- what is unfolded -----------------------------------------------------------------------------------


def unfolded(pane: PacketPane, *places: Place) -> list[bool]:
    return [pane.tree.isExpanded(pane.model.index_of(place)) for place in places]


@pytest.mark.parametrize("mode", [0, 1])
def test_what_is_unfolded_stays_with_its_packet(pane: PacketPane, session: Session, mode: int) -> None:
    pane.mode.set_current(mode)
    session.selection.go_to_frame(2)
    session.selection.select(Place(2, 2))
    pane.tree.expand(pane.model.index_of(Place(2, 3)))
    click(pane, "Insert packet before", "AnimVehicle (8)")
    assert unfolded(pane, Place(2, 3), Place(2, 4)) == [False, True]
    click(pane, "Delete")
    assert unfolded(pane, Place(2, 2), Place(2, 3)) == [False, True]
    session.editing.undo()
    assert unfolded(pane, Place(2, 3), Place(2, 4)) == [False, True]


@part
def what_is_unfolded_stays_with_its_record(pane: PacketPane, session: Session) -> None:
    session.selection.select(Place(0, 2, 0))
    pane.tree.expand(pane.model.index_of(Place(0, 2, 1)))
    click(pane, "Delete")
    assert unfolded(pane, Place(0, 2, 0), Place(0, 2, 1)) == [True, False]
    session.editing.undo()
    assert unfolded(pane, Place(0, 2, 0), Place(0, 2, 1)) == [False, True]


@part
def a_record_that_a_selected_field_unfolded_folds_again_after_records_came(pane: PacketPane, session: Session) -> None:
    session.selection.select(Place(0, 2, 1, "location.x"))
    click(pane, "Duplicate")
    session.selection.select(Place(0, 2, 1, "location.x"))
    click(pane, "Insert record")
    session.selection.select(Place(0, 2, 0, "location.x"))
    assert unfolded(pane, *(Place(0, 2, record) for record in range(5))) == [True, False, False, False, False]


@part
def attributes_stay_unfolded_when_actors_come(pane: PacketPane, session: Session, tmp_path: Path) -> None:
    path, model = tmp_path / "attributes.log", pane.model
    attributes = [b.attribute(1, "number_of_wheels", "4"), b.attribute(3, "role_name", "hero")]
    path.write_bytes(film([add(b.actor(1, attributes=attributes), b.actor(2))]))
    session.open(path, dialect="ue4-0.9.12")

    def second() -> QModelIndex:
        return model.index_of(Place(0, 1, 0, "attributes[1].value")).parent()

    for index in (model.index_of(Place(0, 1, 0)), second().parent(), second()):
        pane.tree.expand(index)
    session.selection.select(Place(0, 1, 1))
    click(pane, "Insert record")
    assert pane.tree.isExpanded(second())


@part
def what_is_unfolded_stays_with_its_frame(pane: PacketPane, session: Session) -> None:
    pane.mode.set_current(1)
    pane.tree.expand(pane.model.index_of(Place(2)))
    pane.tree.expand(pane.model.index_of(Place(2, 1)))
    session.selection.select(Place(0))
    click(pane, "Duplicate")
    assert unfolded(pane, Place(2), Place(3), Place(3, 1)) == [False, True, True]
    # Back over two steps at once: rows come and go in several places.
    session.selection.select(Place(0))
    click(pane, "Duplicate")
    session.editing.go_to_step(0)
    assert unfolded(pane, Place(2), Place(2, 1), Place(3)) == [True, True, False]


def test_the_menu_and_the_keys(
    pane: PacketPane, session: Session, refusals: list[str], tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    path = tmp_path / "town.log"

    def begin() -> dict[str, object]:
        refusals.clear()
        pane.filter.clear()
        pane.mode.set_current(0)
        session.open(path, dialect="ue4-0.9.12")
        pane.tree.setFocus()
        return {}

    given = {"pane": pane, "session": session, "refusals": refusals}
    part.run(subtests, begin, tmp_path=tmp_path, qtbot=qtbot, **given)
