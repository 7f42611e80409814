"""The dialog of CARLA's reports, and the view of long texts it is made of."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor import edits
from recorder_editor.reports.collisions import collision_report
from recorder_editor.reports.info import info_report
from recorder_editor.reports.text import FAMILIES
from recorder_editor.ui.dialogs import reports
from recorder_editor.ui.dialogs.reports import ReportsDialog, TextView
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.text_lines import STRIDE, TextLines

from .. import builders
from .windows import OpenWindow

LEFT = Qt.MouseButton.LeftButton


# --- long texts -----------------------------------------------------------------------------------------


@pytest.fixture
def text(home: Path) -> TextLines:
    made = TextLines()
    whole = b"".join(b"line %d of many\n" % number for number in range(1000))
    # In pieces that end anywhere.
    made.write(whole[at : at + 37] for at in range(0, len(whole), 37))
    return made


def test_lines_are_read_from_anywhere(text: TextLines) -> None:
    assert text.lines == 1000
    for first in (0, 1, STRIDE - 1, STRIDE, STRIDE + 1, 500, 997):
        expected = [b"line %d of many" % number for number in range(first, min(first + 5, 1000))]
        assert text.read(first, 5) == expected
    assert text.read(1000, 5) == []
    text.close()


def test_a_search_finds_lines_whatever_their_case(text: TextLines) -> None:
    assert text.find("LINE 99") == ([99, *range(990, 1000)], 11)
    assert text.find("nothing") == ([], 0)
    assert text.find("") == ([], 0)
    text.close()


def test_the_file_goes_with_the_text(text: TextLines, home: Path) -> None:
    assert list(home.rglob("report-*.txt"))
    text.close()
    assert not list(home.rglob("report-*.txt"))


@pytest.fixture
def view(theme: Theme, qtbot: QtBot, text: TextLines) -> TextView:
    view = TextView(theme)
    qtbot.addWidget(view, before_close_func=lambda _view: text.close())
    view.resize(400, 300)
    view.show_text(text)
    view.show()
    view.setFocus()
    return view


def test_keys_and_clicks_move_and_select(view: TextView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert list(view.selection) == [1]
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert list(view.selection) == [1, 2]
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert list(view.selection) == [999]
    assert view.rowAt(view.viewport().height() - 1) == 999
    qtbot.mouseClick(view.viewport(), LEFT, pos=QPoint(20, 5))
    assert list(view.selection) == [view.rowAt(5)]


def test_a_letter_looks_for_no_line(view: TextView, qtbot: QtBot) -> None:
    view.go_to(5)
    qtbot.keyClicks(view, "line 9")
    assert view.current == 5


def test_selected_lines_are_copied(view: TextView, qtbot: QtBot) -> None:
    view.go_to(3)
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "line 3 of many\nline 4 of many\n"
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert list(view.selection) == list(range(1000))


def test_more_than_the_clipboard_should_hold_is_refused(
    view: TextView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MOST_COPIED", 999)
    view.selectAll()
    with qtbot.waitSignal(view.refused):
        view.copy()


def test_the_longest_line_can_be_scrolled_to_its_end(theme: Theme, qtbot: QtBot, home: Path) -> None:
    text, view = TextLines(), TextView(theme)
    text.write([b"short\n", b"long " * 30, b"long " * 30, b"\n", b"short\n"])
    qtbot.addWidget(view, before_close_func=lambda _view: text.close())
    assert text.longest == 300
    view.resize(400, 300)
    view.show_text(text)
    view.show()
    width = theme.metrics(theme.mono).horizontalAdvance("long " * 60)
    assert width <= view.horizontalScrollBar().maximum() + view.viewport().width()


# --- the dialog -----------------------------------------------------------------------------------------


@pytest.fixture
def ask(town: Session, theme: Theme) -> Iterator[Callable[[], ReportsDialog]]:
    dialogs: list[ReportsDialog] = []

    def ask() -> ReportsDialog:
        dialogs.append(ReportsDialog(town, theme))
        dialogs[-1].show()
        return dialogs[-1]

    yield ask
    for dialog in dialogs:
        if isValid(dialog):
            dialog.close()


@pytest.fixture
def dialog(ask: Callable[[], ReportsDialog], qtbot: QtBot) -> ReportsDialog:
    dialog = ask()
    made(dialog, qtbot)
    return dialog


def made(dialog: ReportsDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: dialog.text is not None and not dialog.looking.is_pending)


def whole(dialog: ReportsDialog) -> bytes:
    assert dialog.text is not None
    return b"".join(dialog.text.blocks())


def test_nothing_overlaps_in_the_foot_of_a_narrow_dialog(dialog: ReportsDialog) -> None:
    dialog.resize(dialog.theme.px(860), 640)
    assert dialog.search.width() == dialog.theme.px(230)
    dialog.resize(dialog.theme.px(675), 344)
    assert dialog.width() == dialog.theme.px(675)
    row = [dialog.search, dialog.previous, dialog.next, dialog.note, dialog.go]
    assert [left for left, right in pairwise(row) if left.geometry().right() >= right.x()] == []


def test_each_report_is_shown_as_the_command_prints_it(dialog: ReportsDialog, town: Session, qtbot: QtBot) -> None:
    snapshot = town.snapshot_or_refuse()
    assert whole(dialog) == b"".join(info_report(snapshot))
    dialog.kind.set_current(1)
    made(dialog, qtbot)
    assert whole(dialog) == b"".join(info_report(snapshot, show_all=True))
    dialog.kind.set_current(2)
    made(dialog, qtbot)
    assert whole(dialog) == b"".join(collision_report(snapshot))
    dialog.kind.set_current(3)
    dialog.seconds.committed.emit("5")
    made(dialog, qtbot)
    assert b"static" in whole(dialog) or b"vehicle" in whole(dialog)


def test_the_report_is_of_the_unsaved_edits(dialog: ReportsDialog, town: Session, qtbot: QtBot) -> None:
    town.editing.apply(edits.set_header(town.snapshot_or_refuse(), map_name="Town99"))
    qtbot.waitUntil(lambda: dialog.text is not None and b"Map: Town99" in whole(dialog))


def test_words_are_found_and_stepped_through(dialog: ReportsDialog, qtbot: QtBot) -> None:
    qtbot.keyClicks(dialog.search, "destroy")
    qtbot.waitUntil(lambda: bool(dialog._hits))
    assert dialog.text is not None
    first = dialog.view.current
    assert b"Destroy" in dialog.text.read(first, 1)[0]
    qtbot.mouseClick(dialog.next, LEFT)
    assert dialog.view.current > first
    qtbot.mouseClick(dialog.previous, LEFT)
    assert dialog.view.current == first
    qtbot.keyClick(dialog.view, Qt.Key.Key_F3)
    assert dialog.view.current > first
    qtbot.keyClick(dialog.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.view.current == first
    qtbot.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert dialog.search.hasFocus()
    assert dialog.note.text().endswith("lines")


def test_the_text_is_saved_whole(dialog: ReportsDialog, qtbot: QtBot, tmp_path: Path) -> None:
    dialog.save(tmp_path / "report.txt")
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text() == "Saved report.txt")
    assert (tmp_path / "report.txt").read_bytes() == whole(dialog)


def test_a_limit_that_is_no_number_is_refused_in_place(dialog: ReportsDialog, qtbot: QtBot) -> None:
    dialog.kind.set_current(3)
    dialog.seconds.committed.emit("soon")
    assert dialog.seconds.reason


def test_closing_while_a_report_is_made_leaves_nothing_behind(
    ask: Callable[[], ReportsDialog], town: Session, qtbot: QtBot, home: Path
) -> None:
    dialog = ask()
    dialog.kind.set_current(1)
    qtbot.waitUntil(lambda: dialog.looking.is_running)
    dialog.close()
    qtbot.waitUntil(lambda: not town.jobs.running)
    assert not list(home.rglob("report-*.txt"))


def test_another_recording_closes_the_report(dialog: ReportsDialog, town: Session, qtbot: QtBot, path: Path) -> None:
    town.open(path)
    qtbot.waitUntil(lambda: not isValid(dialog) or not dialog.isVisible())


def test_a_damaged_file_is_told_as_the_server_tells_it(
    open_window: OpenWindow, damaged_recording: Path, qtbot: QtBot
) -> None:
    window = open_window(damaged_recording)
    window.show()
    qtbot.waitUntil(lambda: not window.session.jobs.running)
    window.registry.run("tools.reports")
    (dialog,) = window.findChildren(ReportsDialog)
    made(dialog, qtbot)
    assert whole(dialog) == b""
    assert "crashes when it prints the date" in dialog.job_panel.sentence.text()


def test_a_server_that_would_lose_its_place_in_the_file_is_told(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "old.log"
    path.write_bytes(builders.everything("ue4-0.9.10"))
    window = open_window(path)
    window.show()
    qtbot.waitUntil(lambda: not window.session.jobs.running)
    window.registry.run("tools.reports")
    (dialog,) = window.findChildren(ReportsDialog)
    for kind, family, is_told in (
        (1, "0.9.10", False),
        (1, "0.9.13", True),
        (0, "0.9.13", False),
        (4, "0.9.13", False),
    ):
        dialog.kind.set_current(kind)
        dialog.form.set_value("family", FAMILIES.index(family))
        dialog.on_change()
        made(dialog, qtbot)
        assert ("loses its place" in dialog.job_panel.sentence.text()) is is_told


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_picture_of_the_dialog(dialog: ReportsDialog, theme: Theme, qtbot: QtBot, artefacts: Path, mode: str) -> None:
    theme.set_mode("light" if mode == "light" else "dark")
    dialog.kind.set_current(3)
    made(dialog, qtbot)
    assert dialog.grab().save(str(artefacts / f"dialog-reports-{mode}.png"))
