"""The bytes with mouse and keys: what a click selects, what typing writes, what is found, read and drawn."""

import shutil
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialogButtonBox, QInputDialog
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import edits
from recorder_editor.edits import Place
from recorder_editor.recording.snapshot import Snapshot
from recorder_editor.ui.panes.bytes import scroll_area as area_module
from recorder_editor.ui.panes.bytes.bytes_pane import HexPane
from recorder_editor.ui.panes.bytes.copied_bytes import as_text, from_text
from recorder_editor.ui.panes.bytes.find_bytes import find, pattern_of
from recorder_editor.ui.panes.bytes.geometry import fitting_metrics
from recorder_editor.ui.panes.bytes.hex_view import HexView
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.pane_list import BYTES
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.hover_card import Explanation
from recorder_editor.views.byte_shading import DAMAGED, FIELD_A, FIELD_B, PACKET_HEADER, shade

from .. import builders as b
from .windows import OpenWindow, bring_up

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
KEYS = Qt.Key

POSES = [b.pose(n, b.xyz(100.0 * n, 0.0, 50.0)) for n in (1, 2, 3)]
HEADER = b.header()
POSITION = b.packet(6, b.position(POSES))
SMALL = b.recording(b.frame(1, 0.0, 0.1, [POSITION]), b.frame(2, 0.1, 0.1, [POSITION]), b.frame(3, 0.2))
AT_POSITION = len(HEADER) + 29
BODY = AT_POSITION + 5
RECORD = 28


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, session: Session, tmp_path: Path) -> Callable[..., HexPane]:
    """Opens bytes, or a file, in a pane of 500 x 400 that has the keyboard."""

    def make(data: bytes | Path | None, size: tuple[int, int] = (500, 400), dialect: str | None = None) -> HexPane:
        if data is not None:
            path = data if isinstance(data, Path) else tmp_path / "bytes.log"
            if isinstance(data, bytes):
                path.write_bytes(data)
            session.open(path, dialect=dialect)
        pane = HexPane(session, theme)
        qtbot.addWidget(pane)
        pane.resize(*size)
        bring_up(pane, qtbot)
        pane.view.setFocus()
        return pane

    return make


@pytest.fixture
def pane(show: Callable[..., HexPane]) -> HexPane:
    return show(SMALL, dialect="ue4-0.9.12")


@pytest.fixture
def view(pane: HexPane) -> HexView:
    return pane.view


def click(qtbot: QtBot, view: HexView, position: int, modifier: Any = NONE) -> None:
    view.scroll_to(position)
    qtbot.mouseClick(view.viewport(), LEFT, modifier, view.rect_of(position).center())


def drag(qtbot: QtBot, view: HexView, start: int, stop: int) -> None:
    qtbot.mousePress(view.viewport(), LEFT, NONE, view.rect_of(start).center())
    qtbot.mouseMove(view.viewport(), view.rect_of((start + stop) // 2).center())
    qtbot.mouseMove(view.viewport(), view.rect_of(stop).center())
    qtbot.mouseRelease(view.viewport(), LEFT, NONE, view.rect_of(stop).center())


def show_values(pane: HexPane) -> None:
    (switch,) = pane.switches
    assert isinstance(switch, QAbstractButton)
    switch.click()


def everything(session: Session) -> bytes:
    assert session.snapshot is not None
    return session.snapshot.read(0, session.snapshot.size)


def steps(session: Session) -> int:
    return session.recording.history.position if session.recording is not None else 0


def patched(data: bytes, at: int, new: bytes, removed: int | None = None) -> bytes:
    return data[:at] + new + data[at + (len(new) if removed is None else removed) :]


# --- clicking and dragging ----------------------------------------------------------------------------------


def test_a_click_selects_the_smallest_field_that_holds_the_byte(qtbot: QtBot, view: HexView, session: Session) -> None:
    click(qtbot, view, BODY + 2 + RECORD + 6)
    assert session.selection.place[1:] == (1, 1, "location.x")
    assert session.selection.span == (BODY + 2 + RECORD + 4, BODY + 2 + RECORD + 8)
    assert view.caret == BODY + 2 + RECORD + 6
    click(qtbot, view, AT_POSITION + 2)
    assert session.selection.place[1:] == (1, None, None)
    click(qtbot, view, BODY)
    assert session.selection.place[1:] == (1, None, "count")
    click(qtbot, view, 3)
    assert session.selection.place.field == "magic"


def test_a_click_on_a_character_goes_to_the_text_column(qtbot: QtBot, view: HexView) -> None:
    m = view.metrics_
    qtbot.mouseClick(view.viewport(), LEFT, NONE, QPoint(int(m.text_x(5)) + 2, m.line_y(0) + 4))
    assert (view.caret, view.in_text) == (5, True)
    click(qtbot, view, 7)
    assert (view.caret, view.in_text) == (7, False)


def test_dragging_over_a_record_selects_it(qtbot: QtBot, view: HexView, session: Session) -> None:
    start = BODY + 2 + RECORD
    drag(qtbot, view, start, start + RECORD - 1)
    assert session.selection.place[1:] == (1, 1, None)
    assert session.selection.span == (start, start + RECORD)


def test_dragging_backwards_over_two_records_selects_their_packet(
    qtbot: QtBot, view: HexView, session: Session
) -> None:
    drag(qtbot, view, BODY + 2 + RECORD + 3, BODY + 5)
    assert session.selection.place[1:] == (1, None, None)
    assert session.selection.span == (BODY + 5, BODY + 2 + RECORD + 4)


def test_a_drag_is_one_step_of_the_way_back(qtbot: QtBot, view: HexView, session: Session) -> None:
    before = session.selection.place
    drag(qtbot, view, BODY + 2, BODY + 60)
    session.selection.back()
    session.selection.back()
    assert session.selection.place == before


def test_dragging_below_the_pane_scrolls_on(qtbot: QtBot, show: Callable[..., HexPane], session: Session) -> None:
    view = show(b.drive(20), (500, 200)).view
    qtbot.mousePress(view.viewport(), LEFT, NONE, view.rect_of(16).center())
    qtbot.mouseMove(view.viewport(), QPoint(100, view.viewport().height() + 40))
    qtbot.waitUntil(lambda: view.first_line > 4)
    qtbot.mouseRelease(view.viewport(), LEFT, NONE, QPoint(100, view.viewport().height() + 40))
    here = view.first_line
    assert session.selection.span[0] == 16
    assert session.selection.span[1] > 16 * here


def test_shift_and_arrows_extend_what_is_selected(qtbot: QtBot, view: HexView, session: Session) -> None:
    click(qtbot, view, BODY + 2)
    for _ in range(3):
        qtbot.keyClick(view, KEYS.Key_Right, SHIFT)
    assert session.selection.span == (BODY + 2, BODY + 6)
    qtbot.keyClick(view, KEYS.Key_Down, SHIFT)
    assert session.selection.span == (BODY + 2, BODY + 22)
    click(qtbot, view, BODY + 40, SHIFT)
    assert session.selection.span == (BODY + 2, BODY + 41)


def test_a_double_click_selects_the_record(qtbot: QtBot, view: HexView, session: Session) -> None:
    cell = view.rect_of(BODY + 2 + 6).center()
    qtbot.mouseDClick(view.viewport(), LEFT, NONE, cell)
    assert session.selection.place[1:] == (1, 0, None)


def test_keys_move_the_caret_over_the_whole_file(qtbot: QtBot, view: HexView, session: Session) -> None:
    click(qtbot, view, 0)
    for key, modifier, expected in (
        (KEYS.Key_Right, NONE, 1),
        (KEYS.Key_Down, NONE, 17),
        (KEYS.Key_End, NONE, 31),
        (KEYS.Key_Home, NONE, 16),
        (KEYS.Key_Left, NONE, 15),
        (KEYS.Key_Up, NONE, 0),
        (KEYS.Key_Left, NONE, 0),
        (KEYS.Key_End, CONTROL, len(SMALL) - 1),
        (KEYS.Key_Right, NONE, len(SMALL)),
        (KEYS.Key_Right, NONE, len(SMALL)),
        (KEYS.Key_Home, CONTROL, 0),
    ):
        qtbot.keyClick(view, key, modifier)
        assert view.caret == expected
    qtbot.keyClick(view, KEYS.Key_PageDown)
    assert view.caret == min(len(SMALL), view.lines_shown * 16)
    assert steps(session) == 0


def test_what_is_selected_elsewhere_is_scrolled_to(show: Callable[..., HexPane], session: Session) -> None:
    view = show(b.drive(100)).view
    session.selection.go_to_frame(80)
    assert session.snapshot is not None
    place = session.selection.place._replace(packet=5, record=0, field="location.y")
    session.selection.select(place)
    start, _ = session.selection.span
    assert view.viewport().rect().contains(view.rect_of(start))
    assert view.caret == start


def covers(view: HexView) -> bool:
    """Every line in sight has its bytes."""
    start, end = view.first_line * view.per_row, (view.first_line + view.lines_shown) * view.per_row
    shading = view._visible()
    return shading.start == start and len(shading.data) >= min(end, view.size_) - start > 0


def test_no_line_is_blank_after_the_text_size_the_find_bar_or_the_file_changed(
    show: Callable[..., HexPane], session: Session, theme: Theme, tmp_path: Path
) -> None:
    pane = show(b.drive(40, 2), dialect="ue4-0.9.12", size=(520, 300))
    pane.open_find()
    for size in (16, 9, 12, 10):
        theme.set_text_size(size)
        assert covers(pane.view)
    other = tmp_path / "other.log"
    other.write_bytes(b.drive(60, 3))
    session.open(other)
    assert covers(pane.view)
    pane.grab()
    pane.find_bar.close_bar()
    assert covers(pane.view)


def test_the_byte_at_the_top_stays_there_when_lines_become_shorter(show: Callable[..., HexPane], theme: Theme) -> None:
    view = show(b.drive(40, 2), dialect="ue4-0.9.12", size=(520, 300)).view
    view.go_to(800)
    top = view.first_line * view.per_row
    theme.set_text_size(20)
    assert view.per_row == 8
    assert view.first_line * view.per_row == top


def test_a_hidden_pane_reads_nothing_until_it_is_seen(pane: HexPane, session: Session) -> None:
    pane.hide()
    session.selection.step(1)
    caret = pane.view.caret
    session.selection.step(1)
    assert pane.view.caret == caret
    pane.show()
    assert pane.view.caret == session.selection.span[0]


# --- typing -------------------------------------------------------------------------------------------------


def test_hex_digits_overwrite_at_once(qtbot: QtBot, view: HexView, session: Session) -> None:
    at = BODY + 2 + 4
    click(qtbot, view, at)
    qtbot.keyClicks(view, "aB1")
    assert everything(session) == patched(SMALL, at, bytes([0xAB, 0x10 | (SMALL[at + 1] & 15)]))
    assert (view.caret, view.low_digit) == (at + 1, True)
    assert steps(session) == 1
    session.editing.undo()
    assert everything(session) == SMALL


def test_after_undo_the_next_digit_is_a_first_one_and_a_step_of_its_own(
    qtbot: QtBot, view: HexView, session: Session
) -> None:
    at = BODY + 6
    click(qtbot, view, at)
    qtbot.keyClicks(view, "ab1")
    session.editing.undo()
    assert not view.low_digit
    view.go_to(at)
    qtbot.keyClicks(view, "7")
    assert everything(session) == patched(SMALL, at, bytes([0x70 | (SMALL[at] & 15)]))


def test_two_places_typed_at_are_two_steps(qtbot: QtBot, view: HexView, session: Session) -> None:
    for at in (BODY + 6, BODY + 40):
        click(qtbot, view, at)
        qtbot.keyClicks(view, "11")
    assert steps(session) == 2


def test_ctrl_tab_goes_to_the_text_column_and_back(qtbot: QtBot, view: HexView, session: Session) -> None:
    click(qtbot, view, BODY + 6)
    qtbot.keyClick(view, KEYS.Key_Tab, CONTROL)
    qtbot.keyClicks(view, "Az ")
    # QTest knows no keys but those of ASCII.
    QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyPress, 0, NONE, "é"))
    assert everything(session) == patched(SMALL, BODY + 6, "Az é".encode())
    qtbot.keyClick(view, KEYS.Key_Tab, CONTROL)
    qtbot.keyClicks(view, "00")
    assert everything(session) == patched(SMALL, BODY + 6, "Az é".encode() + b"\0")


def test_ctrl_tab_works_in_the_window_too(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "small.log"
    path.write_bytes(SMALL)
    window = open_window(path)
    bring_up(window, qtbot)
    view = window.panes.get(BYTES).view
    view.setFocus()
    qtbot.keyClick(view, KEYS.Key_Tab, CONTROL)
    assert view.in_text
    assert view.hasFocus()
    qtbot.keyClick(view, KEYS.Key_Tab, CONTROL)
    # Among digits Space is no text.
    qtbot.keyClick(window, KEYS.Key_Space)
    assert window.player.is_playing
    window.player.pause()


def test_other_letters_are_told_what_is_wanted(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    qtbot.keyClicks(pane.view, "g")
    assert "hex digits" in pane.note.text()
    assert pane.note.isVisible()
    assert steps(session) == 0


def test_typing_behind_the_end_of_the_file_is_refused_with_the_way_out(
    qtbot: QtBot, pane: HexPane, session: Session
) -> None:
    qtbot.keyClick(pane.view, KEYS.Key_End, CONTROL)
    qtbot.keyClick(pane.view, KEYS.Key_Right)
    qtbot.keyClicks(pane.view, "a")
    assert "ends here" in pane.note.text()
    assert everything(session) == SMALL
    pane.set_raw(not pane.is_raw)
    qtbot.keyClick(pane.view, KEYS.Key_Insert)
    qtbot.keyClicks(pane.view, "a1b")
    assert everything(session) == SMALL + b"\xa1\xb0"
    assert pane.view.caret == len(SMALL) + 1


def test_the_file_header_is_typed_over_as_long_as_it_stays_one(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    view = pane.view
    click(qtbot, view, len(HEADER) - 1)
    qtbot.keyClick(view, KEYS.Key_Tab, CONTROL)
    qtbot.keyClicks(view, "9")
    assert session.snapshot is not None
    assert session.snapshot.header is not None
    assert session.snapshot.header.map_name == "Town09"
    view.go_to(4)
    qtbot.keyClicks(view, "X")
    assert "no longer be readable" in pane.note.text()
    assert steps(session) == 1


def test_a_file_that_is_still_read_is_not_changed(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    recording, session.recording = session.recording, None
    click(qtbot, pane.view, BODY + 6)
    qtbot.keyClicks(pane.view, "ff")
    assert "still being read" in pane.note.text()
    session.recording = recording
    assert everything(session) == SMALL


# --- inserting and taking out -------------------------------------------------------------------------------


def test_inserting_in_a_body_makes_size_and_count_follow(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    view = pane.view
    click(qtbot, view, BODY + 2)
    qtbot.keyClick(view, KEYS.Key_Insert)
    assert pane.is_inserting
    QGuiApplication.clipboard().setText(struct.pack("<I6f", 9, *range(6)).hex(" "))
    qtbot.keyClick(view, KEYS.Key_V, CONTROL)
    expected = b.packet(6, b.position([b.pose(9, b.xyz(0.0, 1.0, 2.0), b.turn(3.0, 4.0, 5.0)), *POSES]))
    # Roll, pitch and yaw stand in another order in the file.
    assert everything(session)[AT_POSITION : AT_POSITION + 7] == expected[:7]
    assert len(everything(session)) == len(SMALL) + RECORD
    assert session.snapshot is not None
    packet = session.snapshot.frame(0).packets[1]
    assert packet.decoded.damage is None
    assert [record["id"] for record in packet.records] == [9, 1, 2, 3]


def test_a_digit_inserted_is_completed_by_the_next_one(qtbot: QtBot, view: HexView, session: Session) -> None:
    click(qtbot, view, BODY + 10)
    qtbot.keyClick(view, KEYS.Key_Insert)
    qtbot.keyClicks(view, "c")
    qtbot.keyClicks(view, "d")
    grown = patched(SMALL, BODY + 10, b"\xcd", 0)
    size = struct.pack("<I", len(POSITION) - 5 + 1)
    assert everything(session) == patched(grown, AT_POSITION + 1, size)
    assert steps(session) == 1
    session.editing.undo()
    assert everything(session) == SMALL


def test_bytes_are_appended_behind_the_last_record_of_a_list(qtbot: QtBot, view: HexView, session: Session) -> None:
    end = AT_POSITION + len(POSITION)
    click(qtbot, view, end)
    qtbot.keyClick(view, KEYS.Key_Insert)
    QGuiApplication.clipboard().setText((b.position([b.pose(4)])[2:]).hex())
    qtbot.keyClick(view, KEYS.Key_V, CONTROL)
    assert session.snapshot is not None
    packet = session.snapshot.frame(0).packets[1]
    assert [record["id"] for record in packet.records] == [1, 2, 3, 4]
    assert packet.decoded.damage is None


def test_bytes_between_packets_are_refused_with_the_way_out(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    click(qtbot, pane.view, AT_POSITION + 2)
    qtbot.keyClick(pane.view, KEYS.Key_Insert)
    qtbot.keyClicks(pane.view, "1")
    assert "raw mode" in pane.note.text()
    assert everything(session) == SMALL


def test_in_raw_mode_nothing_follows_and_the_bytes_decide(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    pane.set_raw(not pane.is_raw)
    assert "raw" in pane.caption
    click(qtbot, pane.view, BODY + 10)
    qtbot.keyClick(pane.view, KEYS.Key_Insert)
    qtbot.keyClicks(pane.view, "77")
    assert everything(session) == patched(SMALL, BODY + 10, b"\x77", 0)
    session.editing.undo()
    assert everything(session) == SMALL


def test_backspace_and_delete_take_bytes_out_where_bytes_are_inserted(
    qtbot: QtBot, pane: HexPane, session: Session
) -> None:
    view = pane.view
    click(qtbot, view, BODY + 2)
    qtbot.keyClick(view, KEYS.Key_Delete)
    assert "insert mode only" in pane.note.text()
    assert everything(session) == SMALL
    qtbot.keyClick(view, KEYS.Key_Insert)
    drag(qtbot, view, BODY + 2, BODY + 2 + RECORD - 1)
    qtbot.keyClick(view, KEYS.Key_Delete)
    assert session.snapshot is not None
    packet = session.snapshot.frame(0).packets[1]
    assert [record["id"] for record in packet.records] == [2, 3]
    view.go_to(BODY + 2 + RECORD)
    qtbot.keyClick(view, KEYS.Key_Backspace)
    assert session.snapshot.frame(0).packets[1].size == 2 + 2 * RECORD - 1


def test_taking_out_more_than_one_body_is_refused(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    qtbot.keyClick(pane.view, KEYS.Key_Insert)
    drag(qtbot, pane.view, AT_POSITION - 3, BODY + 10)
    qtbot.keyClick(pane.view, KEYS.Key_Delete)
    assert "inside one body" in pane.note.text()
    assert everything(session) == SMALL


# --- clipboard and filling ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["hex", "python"])
def test_what_is_copied_can_be_pasted(form: str) -> None:
    data = bytes(range(256))
    assert from_text(as_text(data, form)) == data


def test_a_low_pane_shows_bytes_and_no_header(show: Callable[..., HexPane]) -> None:
    view = show(SMALL, dialect="ue4-0.9.12").view
    view.resize(220, 30)
    assert view.metrics_.header == 0
    assert view.viewport().height() >= view.metrics_.line
    assert view.viewport().rect().contains(view.rect_of(0))
    view.resize(220, 200)
    assert view.metrics_.header > 0
    assert view.viewport().height() < view.height()  # there is the bar for what lies at the right


def test_the_pane_comes_to_rest_in_every_size(
    theme: Theme, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "small.log"
    path.write_bytes(b.recording(b.frame(1, packets=[b.packet(77, bytes(110))])))
    resized: list[object] = []
    measure = area_module.HexScrollArea.resizeEvent

    def counted(area: area_module.HexScrollArea, event: QResizeEvent) -> None:
        resized.append(event)
        if len(resized) < 100:  # else the scroll bars would come and go for ever
            measure(area, event)

    monkeypatch.setattr(area_module.HexScrollArea, "resizeEvent", counted)
    with recorder_editor.open(path) as recording:
        area = area_module.HexScrollArea(theme, recording.snapshot)
        qtbot.addWidget(area)
        area.show()
        roomy = fitting_metrics(theme, recording.snapshot.size, 10_000)
        lines = recording.snapshot.size // roomy.per_row + 1
        for width in range(int(roomy.text_x(16)) - 30, int(roomy.text_x(16)) + 30):
            resized.clear()
            area.resize(width, roomy.header + lines * roomy.line + 3)
            QApplication.processEvents()
            assert len(resized) < 20, width


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("de ad\nBE ef", b"\xde\xad\xbe\xef"),
        ("b'\\x00a'", b"\0a"),
        ("hello", b"hello"),
        ("b'unfinished", b"b'unfinished"),
        ("b'' + b''", b"b'' + b''"),
        ("", b""),
        (r"b'\a\'\101\n\\'", b"\a'A\n\\"),
        (r"b'\d'", rb"b'\d'"),
        (r"b'\777'", rb"b'\777'"),
        ("b'a'b'", b"b'a'b'"),
        ("b'é'", "b'é'".encode()),
        ("b'\n'", b"b'\n'"),
        (r"b'\X00'", rb"b'\X00'"),
    ],
)
def test_a_text_is_taken_for_the_bytes_it_spells(text: str, meant: bytes) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert from_text(text) == meant
    assert seen == []


def test_copying_gives_hex_text_and_python(pane: HexPane, session: Session) -> None:
    session.selection.select_span(4, 9)
    for form, expected in (("hex", "43 41 52 4c 41"), ("text", "CARLA"), ("python", "b'CARLA'")):
        pane.copy(form)
        assert QGuiApplication.clipboard().text() == expected


def test_ctrl_c_copies_what_the_column_shows(qtbot: QtBot, view: HexView, session: Session) -> None:
    session.selection.select_span(4, 9)
    qtbot.keyClick(view, KEYS.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "43 41 52 4c 41"
    qtbot.keyClick(view, KEYS.Key_Tab, CONTROL)
    qtbot.keyClick(view, KEYS.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "CARLA"


def test_pasting_overwrites_and_goes_on_behind(qtbot: QtBot, view: HexView, session: Session) -> None:
    click(qtbot, view, BODY + 6)
    QGuiApplication.clipboard().setText("01 02 03")
    qtbot.keyClick(view, KEYS.Key_V, CONTROL)
    qtbot.keyClick(view, KEYS.Key_V, CONTROL)
    assert everything(session) == patched(SMALL, BODY + 6, b"\1\2\3\1\2\3")
    assert view.caret == BODY + 12
    assert steps(session) == 2


def test_pasting_more_than_is_left_is_refused(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    pane.view.go_to(len(SMALL) - 2)
    QGuiApplication.clipboard().setText("00 00 00")
    qtbot.keyClick(pane.view, KEYS.Key_V, CONTROL)
    assert "3 bytes do not fit" in pane.note.text()
    QGuiApplication.clipboard().setText("")
    qtbot.keyClick(pane.view, KEYS.Key_V, CONTROL)
    assert "clipboard" in pane.note.text()
    assert everything(session) == SMALL


def test_filling_asks_for_a_pattern_and_keeps_the_length_even_where_bytes_are_inserted(
    qtbot: QtBot, pane: HexPane, session: Session
) -> None:
    pane.view.set_inserting(True)
    session.selection.select_span(BODY + 6, BODY + 13)
    pane.fill()
    dialog = pane.findChild(QInputDialog, "fillBytes")
    assert isinstance(dialog, QInputDialog)
    box = dialog.findChild(QDialogButtonBox)
    assert box is not None
    places = {box.buttonRole(button): button.x() for button in box.buttons()}  # as in all other dialogs
    assert places[QDialogButtonBox.ButtonRole.RejectRole] < places[QDialogButtonBox.ButtonRole.AcceptRole]
    dialog.setTextValue("de ad")
    dialog.accept()
    assert everything(session) == patched(SMALL, BODY + 6, b"\xde\xad\xde\xad\xde\xad\xde")
    assert session.selection.span == (BODY + 6, BODY + 13)


def test_filling_with_what_is_no_bytes_is_told(pane: HexPane, session: Session) -> None:
    session.selection.select_span(BODY + 6, BODY + 13)
    pane.fill()
    dialog = pane.findChild(QInputDialog, "fillBytes")
    assert isinstance(dialog, QInputDialog)
    dialog.setTextValue("xyz")
    dialog.accept()
    assert "hex bytes" in pane.note.text()
    assert steps(session) == 0


def test_filling_over_packet_headers_leaves_a_frame_without_its_end(view: HexView, session: Session) -> None:
    session.selection.select_span(AT_POSITION - 2, AT_POSITION + 8)
    view.fill(b"\xff")
    assert everything(session) == patched(SMALL, AT_POSITION - 2, b"\xff" * 10)
    assert session.snapshot is not None
    assert session.snapshot.frame(0).is_open
    view.viewport().grab()
    session.editing.undo()
    assert everything(session) == SMALL
    assert not session.snapshot.frame(0).is_open


def test_filling_everything_is_refused_by_the_header(pane: HexPane, session: Session, qtbot: QtBot) -> None:
    qtbot.keyClick(pane.view, KEYS.Key_A, CONTROL)
    assert session.selection.span == (0, len(SMALL))
    pane.view.fill(b"\0")
    assert "edited apart" in pane.note.text()
    assert everything(session) == SMALL


# --- finding ------------------------------------------------------------------------------------------------


def searched(qtbot: QtBot, pane: HexPane, kind: str, text: str, *, backward: bool = False) -> tuple[int, int]:
    pane.find_bytes(kind, text, backward)
    qtbot.waitUntil(lambda: not pane.session.jobs.running)
    return pane.session.selection.span


def test_bytes_are_found_by_the_keyboard_alone(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    qtbot.keyClick(pane.view, KEYS.Key_F, CONTROL)
    assert pane.find_bar.line.hasFocus()
    qtbot.keyClicks(pane.find_bar.line, "43 41 52")
    qtbot.keyClick(pane.find_bar.line, KEYS.Key_Return)
    qtbot.waitUntil(lambda: session.selection.span == (4, 7))
    qtbot.keyClick(pane.find_bar.line, KEYS.Key_Escape)
    assert pane.find_bar.isHidden()
    assert pane.view.hasFocus()


def test_find_goes_on_from_match_to_match_round_the_end_and_back(qtbot: QtBot, pane: HexPane) -> None:
    first = SMALL.index(struct.pack("<f", 200.0))
    second = SMALL.index(struct.pack("<f", 200.0), first + 1)
    assert [searched(qtbot, pane, "f32", "200")[0] for _ in range(3)] == [first, second, first]
    assert [searched(qtbot, pane, "f32", "200", backward=True)[0] for _ in range(2)] == [second, first]


def test_finding_backwards_misses_no_neighbour(session: Session, pane: HexPane) -> None:
    assert session.snapshot is not None
    at = SMALL.index(b"CARLA")
    assert find(session.snapshot, SMALL[at : at + 1], at, backward=True) == at
    assert find(session.snapshot, SMALL[at : at + 2], at, backward=True) == at
    assert find(session.snapshot, b"nowhere", 5, backward=True) is None


def test_texts_with_blanks_and_values_are_found(qtbot: QtBot, show: Callable[..., HexPane]) -> None:
    pane = show(b.recording(b.frame(1, 0.0, -1.0, [b.packet(77, b"a name  with blanks")])))
    at = everything(pane.session).index(b"e  w")
    assert searched(qtbot, pane, "text", "e  w") == (at, at + 4)
    assert searched(qtbot, pane, "f64", "-1") == (HEADER.__len__() + 13, len(HEADER) + 21)


@pytest.mark.parametrize(("kind", "text"), [("bytes", "f"), ("u8", "256"), ("i16", "x"), ("f32", "1e99"), ("text", "")])
def test_what_cannot_be_looked_for_is_told(pane: HexPane, kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"\."):
        pattern_of(kind, text)
    pane.find_bytes(kind, text)
    assert pane.note.isVisible()


def test_what_is_nowhere_is_said_so(qtbot: QtBot, pane: HexPane) -> None:
    pane.open_find()
    before = pane.session.selection.span
    assert searched(qtbot, pane, "text", "nowhere") == before
    assert pane.find_bar.note.text() == "not found"


# --- the values at the caret --------------------------------------------------------------------------------


def test_the_switch_of_the_inspector_has_the_name_of_its_action(pane: HexPane) -> None:
    assert [chip.text() for chip in pane.switches] == ["Data inspector"]


def test_the_values_at_the_caret_are_shown_and_edited(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    low = pane.minimumHeight()
    show_values(pane)
    assert pane.minimumHeight() > max(low, pane.inspector.sizeHint().height())
    at = BODY + 2 + 4
    pane.view.go_to(at)
    lines = pane.inspector.lines
    assert lines["f32"].text() == "100.0"
    assert lines["u8"].text() == "0"
    line = lines["f32"]
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "-2.5")
    qtbot.keyClick(line, KEYS.Key_Return)
    assert everything(session) == patched(SMALL, at, struct.pack("<f", -2.5))
    assert lines["u32"].text() == str(struct.unpack("<I", struct.pack("<f", -2.5))[0])


def test_a_value_that_does_not_fit_is_refused_in_place(qtbot: QtBot, pane: HexPane, session: Session) -> None:
    show_values(pane)
    pane.view.go_to(BODY + 6)
    line = pane.inspector.lines["u8"]
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "256")
    qtbot.keyClick(line, KEYS.Key_Return)
    assert "256 does not fit" in line.reason
    assert everything(session) == SMALL


def test_where_too_few_bytes_are_left_a_value_is_empty(qtbot: QtBot, pane: HexPane) -> None:
    show_values(pane)
    pane.view.go_to(len(SMALL) - 3)
    lines = pane.inspector.lines
    assert lines["u16"].text()
    assert lines["u32"].text() == ""
    assert not lines["u32"].isEnabled()


def test_a_signalling_nan_is_shown_by_its_bits(show: Callable[..., HexPane]) -> None:
    poses = [b.pose(1, b.xyz(b.Bits32(0x7F800001)))]
    pane = show(b.recording(b.frame(1, 0.0, -1.0, [b.packet(6, b.position(poses))])))
    show_values(pane)
    pane.view.go_to(BODY + 6)
    assert pane.inspector.lines["f32"].text() == "f32:7f800001"


# --- odd recordings -----------------------------------------------------------------------------------------

ODD: dict[str, bytes] = {
    "empty": b"",
    "three bytes": b"abc",
    "header alone": HEADER,
    "zeros": bytes(5000),
    "torn": SMALL[:-40],
    "no frames": HEADER + b"\xff" * 100,
    "unknown": b.recording(b.frame(1, 0.0, -1.0, [b.packet(77, b"?" * 300), b.packet(200)])),
    "empty bodies": b.recording(b.frame(1, 0.0, -1.0, [b.packet(6), b.packet(6, b"\1"), b.packet(2, b"\xff\xff")])),
    "no utf-8": b.recording(b.frame(1, 0.0, -1.0, [b.packet(2, b.event_add([b.actor(1, blueprint=b"\xff\xfe")]))])),
}


@pytest.mark.parametrize("name", ODD)
def test_every_file_can_be_walked_typed_into_and_undone(
    qtbot: QtBot, show: Callable[..., HexPane], session: Session, name: str
) -> None:
    pane = show(ODD[name])
    view = pane.view
    show_values(pane)
    for raw in (False, True):
        if raw:
            pane.set_raw(not pane.is_raw)
        for key in (KEYS.Key_Home, KEYS.Key_End):
            for keys in ("a5", "7"):
                qtbot.keyClick(view, key, CONTROL)
                qtbot.keyClicks(view, keys)
                qtbot.keyClick(view, KEYS.Key_Delete)
                qtbot.keyClick(view, KEYS.Key_Backspace)
                qtbot.keyClick(view, KEYS.Key_Insert)
                qtbot.keyClick(view, KEYS.Key_PageDown)
                view.viewport().grab()
    while steps(session):
        session.editing.undo()
    assert everything(session) == ODD[name]


def test_an_empty_recording_takes_its_first_bytes_in_raw_mode(
    qtbot: QtBot, show: Callable[..., HexPane], session: Session
) -> None:
    pane = show(b"")
    pane.set_raw(not pane.is_raw)
    pane.view.set_inserting(True)
    QGuiApplication.clipboard().setText(SMALL.hex())
    qtbot.keyClick(pane.view, KEYS.Key_V, CONTROL)
    assert everything(session) == SMALL


def test_the_damaged_recording_is_hatched_and_can_be_typed_into(
    qtbot: QtBot, show: Callable[..., HexPane], session: Session, damaged_recording: Path
) -> None:
    view = show(damaged_recording).view
    assert session.snapshot is not None
    assert DAMAGED in shade(session.snapshot, None, 0, 400).codes
    picture, line = view.viewport().grab().toImage(), view.theme.palette.error
    x, height = picture.width() // 4, picture.height()
    assert sum(picture.pixelColor(x, y) == line for y in range(height)) > 3  # hatching alone is too pale a sign
    before = everything(session)
    click(qtbot, view, 100)
    qtbot.keyClicks(view, "5a")
    assert everything(session) == patched(before, 100, b"\x5a")


def test_without_a_recording_nothing_happens(qtbot: QtBot, show: Callable[..., HexPane]) -> None:
    pane = show(None)
    qtbot.keyClicks(pane.view, "a")
    qtbot.keyClick(pane.view, KEYS.Key_Delete)
    qtbot.keyClick(pane.view, KEYS.Key_End, CONTROL)
    qtbot.mouseClick(pane.view.viewport(), LEFT, NONE, QPoint(80, 40))
    pane.copy()
    pane.fill()
    pane.find_bytes("text", "a")
    assert pane.view.caret == 0


def test_another_file_begins_at_its_beginning(
    show: Callable[..., HexPane], session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    pane = show(b.drive(50))
    show_values(pane)
    pane.view.go_to(4000)
    (tmp_path / "other.log").write_bytes(b"xyz")
    session.open(tmp_path / "other.log")
    assert pane.view.caret == 0
    assert pane.view.first_line == 0
    assert pane.inspector.lines["u8"].text() == str(ord("x"))


def test_a_file_rewritten_on_disk_breaks_nothing(
    qtbot: QtBot, show: Callable[..., HexPane], session: Session, recordings: Path, tmp_path: Path
) -> None:
    path = tmp_path / "rewritten.log"
    shutil.copy(recordings / "carla-0.9.13-town01.log", path)
    pane = show(path)
    show_values(pane)
    size = session.snapshot.size if session.snapshot is not None else 0
    assert not pane.view.is_unreadable()
    path.write_bytes(b"rewritten in place, and much shorter")
    for position in (size // 2, size // 3, 40):
        pane.view.go_to(position)
        qtbot.keyClicks(pane.view, "ab")
        qtbot.keyClick(pane.view, KEYS.Key_Down, SHIFT)
        pane.view.viewport().grab()
        pane.copy()
        hover(pane, position)
        qtbot.mouseDClick(pane.view.viewport(), LEFT, NONE, QPoint(100, 60))
    assert pane.view.is_unreadable()
    searched(qtbot, pane, "text", "nowhere in it")
    assert steps(session) == 0


def test_a_file_that_is_closed_while_it_is_shown_breaks_nothing(pane: HexPane, session: Session) -> None:
    # As when reading is cancelled: the thread that reads has closed the file before the window shows none.
    assert session.recording is not None
    session.recording.close()
    pane.resize(500, 600)
    pane.view.viewport().grab()
    assert pane.view.is_unreadable()


def test_a_row_that_vanishes_takes_the_caret_to_what_is_left(view: HexView, session: Session) -> None:
    assert session.snapshot is not None
    session.selection.go_to_frame(2)
    view.go_to(len(SMALL) - 1)
    session.editing.apply(edits.delete_rows(session.snapshot, 2, 1))
    assert view.caret <= len(everything(session))
    view.viewport().grab()
    session.editing.undo()
    assert everything(session) == SMALL


# --- reading and painting -----------------------------------------------------------------------------------


def test_a_pane_reads_only_what_it_shows(
    show: Callable[..., HexPane], session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = show(b.drive(300, vehicles=20)).view
    read: list[int] = []
    real = Snapshot.read

    def counted(snapshot: Snapshot, position: int, size: int) -> bytes:
        read.append(size)
        return real(snapshot, position, size)

    monkeypatch.setattr(Snapshot, "read", counted)
    for value in (0, 1000, view.verticalScrollBar().maximum()):
        view.verticalScrollBar().setValue(value)
        view.viewport().grab()
    assert max(read) <= (view.lines_shown + 1) * 16


def test_more_lines_than_a_scroll_bar_counts_are_all_reached(
    show: Callable[..., HexPane], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(area_module, "MOST_LINES", 200)
    data = b.drive(30)
    view = show(data).view
    assert view.verticalScrollBar().maximum() <= 200
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    assert view.first_line + view.lines_shown >= len(data) // 16 + 1
    for position in (0, 4000, 77, len(data) - 1):
        view.go_to(position)
        assert view.viewport().rect().contains(view.rect_of(position))


@pytest.mark.parametrize(("size", "digits"), [(100, 6), ((1 << 24) - 1, 6), (1 << 24, 8), (10 * 10**9, 10)])
def test_offsets_have_as_many_digits_as_the_file_needs(theme: Theme, size: int, digits: int) -> None:
    assert fitting_metrics(theme, size, 2000).digits == digits


@pytest.mark.parametrize(("width", "per_row"), [(500, 16), (490, 16), (340, 8), (120, 8)])
def test_a_row_has_sixteen_bytes_or_eight(show: Callable[..., HexPane], width: int, per_row: int) -> None:
    pane = show(SMALL, (width, 300))
    assert pane.view.per_row == per_row
    assert pane.caption == f"{per_row} per row"


def test_headers_fields_and_damage_are_told_apart(session: Session, pane: HexPane) -> None:
    assert session.snapshot is not None
    codes = shade(session.snapshot, None, 0, len(SMALL)).codes
    assert set(codes[AT_POSITION:BODY].tolist()) == {PACKET_HEADER}
    assert codes[BODY : BODY + 2].tolist() == [FIELD_A] * 2
    first = codes[BODY + 2 : BODY + 2 + RECORD].tolist()
    assert first == ([FIELD_B] * 4 + [FIELD_A] * 4) * 3 + [FIELD_B] * 4


def test_sixty_thousand_records_are_shaded_where_they_are_seen(show: Callable[..., HexPane], session: Session) -> None:
    many = b.packet(2, b.event_add([b.actor(n, attributes=[b.attribute(3, "a", "b")]) for n in range(60_000)]))
    view = show(b.recording(b.frame(1, 0.0, -1.0, [many]))).view
    assert session.snapshot is not None
    middle = session.snapshot.size // 2
    view.go_to(middle)
    place = session.selection.place
    assert place.record is not None
    assert 25_000 < place.record < 35_000
    assert set(shade(session.snapshot, None, middle, middle + 400).codes.tolist()) == {FIELD_A, FIELD_B}
    view.viewport().grab()


def test_what_differs_from_the_saved_file_is_marked_until_it_is_saved(
    qtbot: QtBot, view: HexView, session: Session
) -> None:
    def edited() -> list[int]:
        assert session.snapshot is not None
        assert session.recording is not None
        marks = shade(session.snapshot, session.recording.saved, 0, session.snapshot.size).edited
        return [int(at) for at in marks.nonzero()[0]]

    assert edited() == []
    click(qtbot, view, BODY + 6)
    qtbot.keyClicks(view, "ff")
    assert edited() == [BODY + 6]
    qtbot.keyClick(view, KEYS.Key_Insert)
    qtbot.keyClicks(view, "aa")
    assert set(edited()) == {AT_POSITION + 1, BODY + 6, BODY + 7}
    session.editing.save()
    assert edited() == []
    session.editing.undo()
    assert edited() != []


def test_a_record_that_moved_is_not_marked_in_bytes_nor_tree(show: Callable[..., HexPane], session: Session) -> None:
    poses = [b.pose(n, b.xyz(100.0 * n)) for n in range(1, 9)]
    show(b.recording(b.frame(1, 0.0, -1.0, [b.packet(6, b.position(poses))])), dialect="ue4-0.9.12")
    gone = [Place(0, 1, record) for record in (1, 3, 6)]  # of 2, 4 and 7
    session.editing.apply(edits.delete_records(session.snapshot_or_refuse(), gone))
    session.editing.apply(edits.insert_record(session.snapshot_or_refuse(), Place(0, 1, 1)))
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), Place(0, 1, 5, "location.x"), 0.0))  # of 8
    after, recording = session.snapshot_or_refuse(), session.recording
    assert recording is not None
    marks = shade(after, recording.saved, 0, after.size).edited
    packet = after.frame(0).packets[1]
    spans = [packet.record_span(record) for record in range(6)]
    marked = [int(marks[start : start + size].sum()) for start, size in spans]
    assert marked == [0, RECORD, 0, 0, 0, 2]
    assert [session.editing.is_edited(Place(0, 1, record)) for record in range(6)] == [bool(each) for each in marked]
    assert not session.editing.is_edited(Place(0, 1, 4, "location.x"))
    assert session.editing.is_edited(Place(0, 1, 5, "location.x"))


def test_a_frame_chosen_above_its_record_is_shown_from_its_first_byte_on(
    qtbot: QtBot, show: Callable[..., HexPane], session: Session
) -> None:
    view = show(b.drive(3, vehicles=90), dialect="ue4-0.9.12").view
    frame = session.snapshot_or_refuse().frame(0)
    record = next(packet for packet in frame.packets if packet.name == "Position")
    session.selection.select(Place(0, record.index, 80))
    first = view.first_line
    assert first * view.per_row > frame.offset + 16
    session.selection.select(Place(0))
    assert view.first_line * view.per_row <= frame.offset
    assert view.caret == frame.offset
    session.selection.select(Place(0, record.index, 80))
    at = session.selection.span[0] + 6
    click(qtbot, view, at)
    qtbot.mouseDClick(view.viewport(), LEFT, NONE, view.rect_of(at).center())
    first = view.first_line
    session.selection.select_span(at, at + 1)
    for _ in range(40):  # from here on down, until the first of these bytes is out of sight
        qtbot.keyClick(view, KEYS.Key_Down, SHIFT)
    assert view.first_line > first
    assert at < view.first_line * view.per_row < view.caret


def test_a_long_damaged_stretch_is_compared_only_where_it_is_seen(
    show: Callable[..., HexPane], session: Session
) -> None:
    show(HEADER + b"\xff" * 100_000)
    session.editing.apply(edits.overwrite(session.snapshot_or_refuse(), 60_000, b"\0"))
    assert session.recording is not None
    assert session.snapshot is not None
    shading = shade(session.snapshot, session.recording.saved, 59_990, 60_010)
    assert shading.edited.nonzero()[0].tolist() == [10]


def hover(pane: HexPane, position: int) -> Explanation:
    explained = pane.explained_at(pane.view, pane.view.rect_of(position).center())
    assert explained is not None
    return explained


def test_hovering_says_what_a_byte_is_and_what_the_colours_mean(pane: HexPane) -> None:
    text, place, _ = hover(pane, BODY + 2 + 5)
    assert place == "packets.md#Position (6)"
    for words in ("Position of 1", "location x = 100.000 cm", "f32", f"0x{BODY + 6:06x}", "packet header"):
        assert words in text
    text, place, _ = hover(pane, 5)
    assert "CARLA_RECORDER" in text
    assert not place


def test_what_cannot_be_read_under_the_mouse_is_told_as_plain_text(
    pane: HexPane, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise OSError("<img src=a.png> cannot be read")

    monkeypatch.setattr("recorder_editor.ui.panes.bytes.bytes_pane.describe", fail)
    text, place, _ = hover(pane, 5)
    assert text.startswith("&lt;img src=a.png&gt; cannot be read.<br>")
    assert not place


def test_the_context_menu_offers_everything_and_greys_what_cannot_be_done(pane: HexPane, session: Session) -> None:
    def texts(enabled: bool) -> set[str]:
        return {one.text() for one in pane.context_menu().actions() if one.text() and one.isEnabled() == enabled}

    assert texts(False) == set()
    assert {"Copy as hex", "Copy as text", "Copy as Python bytes", "Paste", "Fill...", "Find..."} <= texts(True)
    recording, session.recording = session.recording, None
    assert texts(False) == {"Paste", "Fill..."}
    session.recording = recording


def test_the_map_shows_where_damage_is_and_goes_there(
    qtbot: QtBot, show: Callable[..., HexPane], session: Session
) -> None:
    pane = show(SMALL)
    palette, width = pane.theme.palette, pane.view.viewport().width()

    def drawn() -> set[int]:
        image = pane.map.grab().toImage()
        return {image.pixel(4, y) for y in range(image.height())}

    assert palette.track.rgb() in drawn()
    session.editing.apply(edits.overwrite(session.snapshot_or_refuse(), AT_POSITION, b"\xff"))
    assert {palette.fine.rgb(), palette.edited.rgb()} <= drawn()
    assert pane.view.viewport().width() == width
    qtbot.mouseClick(pane.map, LEFT, NONE, QPoint(8, pane.map.height() - 5))
    assert pane.view.caret > len(SMALL) - 20


def test_the_map_marks_each_edited_row_where_it_lies(show: Callable[..., HexPane], session: Session) -> None:
    pane = show(b.recording(*(b.frame(n + 1, n / 10, 0.1) for n in range(60))))
    for row in (3, 39, 40, 58):
        snapshot = session.snapshot_or_refuse()
        session.editing.apply(edits.overwrite(snapshot, snapshot.position(row) + 5, b"\xff"))
    snapshot, image = session.snapshot_or_refuse(), pane.map.grab().toImage()
    middles = [4 + (image.height() - 8) * (snapshot.position(row) + 17) / snapshot.size for row in range(60)]
    edited = pane.theme.palette.edited.rgb()
    assert [row for row, y in enumerate(middles) if image.pixel(4, int(y)) == edited] == [3, 39, 40, 58]


def test_the_map_is_painted_as_it_was_while_a_window_closes(pane: HexPane, session: Session) -> None:
    session.editing.apply(edits.overwrite(session.snapshot_or_refuse(), AT_POSITION, b"\xff"))
    before = pane.map.grab().toImage()
    session.close()
    assert pane.map.grab().toImage() == before


# --- what it looks like -------------------------------------------------------------------------------------

REAL = [
    ("carla-0.9.13-town05-collisions.log", 0x0F399F),
    ("carla-0.9.6-town03-walkers.rec", 0x062718),
    ("carla-0.9.10-town01-scene-lights.log", 30),
    ("damaged-saved-as-text.log", 300),
]


@pytest.mark.parametrize(("width", "mode"), [pytest.param(500, "light", marks=pytest.mark.pictures), (340, "dark")])
@pytest.mark.parametrize(("name", "position"), REAL, ids=[name[:12] for name, _ in REAL])
def test_pictures_of_real_recordings(
    show: Callable[..., HexPane],
    theme: Theme,
    recordings: Path,
    artefacts: Path,
    mode: Any,
    width: int,
    name: str,
    position: int,
    session: Session,
) -> None:
    theme.set_mode(mode)
    pane = show(recordings / name, (width, 420))
    pane.view.go_to(position)
    session.editing.apply(edits.overwrite(session.snapshot_or_refuse(), position + 40, b"\x12\x34"))
    show_values(pane)
    pane.show_note("Bytes can be inserted inside a body, adjusting size and count, or in raw mode.")
    picture = pane.grab().toImage()
    corner = picture.pixelColor(width // 2, 150).lightness()
    assert corner > 150 if mode == "light" else corner < 110
    picture.save(str(artefacts / f"bytes-{name.partition('.log')[0].partition('.rec')[0]}-{width}-{mode}.png"))
