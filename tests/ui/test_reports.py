"""The dialog of CARLA's reports."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor import edits
from recorder_editor.reports.collisions import collision_report
from recorder_editor.reports.info import info_report
from recorder_editor.reports.text import FAMILIES
from recorder_editor.ui.dialogs import reports
from recorder_editor.ui.dialogs.reports import ReportsDialog, read_beginning
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme

from .. import builders
from .parts import Parts
from .windows import OpenWindow

LEFT = Qt.MouseButton.LeftButton

part = Parts()


# --- what is shown --------------------------------------------------------------------------------------


def test_a_long_report_is_read_up_to_the_end_of_a_line_and_no_more_of_it_is_made() -> None:
    made: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number in range(1000):
            made.append(number)
            yield b"line %d of" % number
            yield b" many\n"

    read = read_beginning(pieces(), 100)
    assert read == ("".join(f"line {number} of many\n" for number in range(6)), 6, False)
    assert len(made) < 10
    assert read_beginning([b"ab\n", b"c"], 4) == ("ab\nc", 1, True)
    assert read_beginning([b"ab\n", b"cd"], 4) == ("ab\n", 1, False)
    assert read_beginning([b"abcdef"], 4) == ("abcd", 0, False)
    assert read_beginning([], 4) == ("", 0, True)


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
    """The report that is shown."""
    assert dialog.text is not None
    assert dialog.text.is_whole
    assert dialog.view.toPlainText() == dialog.text.text
    return dialog.text.text.encode()


def found(dialog: ReportsDialog) -> tuple[int, str]:
    """The place of the words that were found, and these words."""
    cursor = dialog.view.textCursor()
    return cursor.selectionStart(), cursor.selectedText()


@part
def nothing_overlaps_in_the_foot_of_a_narrow_dialog(dialog: ReportsDialog) -> None:
    dialog.resize(dialog.theme.px(860), 640)
    assert dialog.search.width() == dialog.theme.px(230)
    dialog.resize(dialog.theme.px(675), 344)
    assert dialog.width() == dialog.theme.px(675)
    row = [dialog.search, dialog.previous, dialog.next, dialog.note, dialog.go]
    assert [left for left, right in pairwise(row) if left.geometry().right() >= right.x()] == []


@part
def each_report_is_shown_as_the_command_prints_it(
    dialog: ReportsDialog, town: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MOST_SHOWN", 8 << 20)
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


@part
def the_report_is_of_the_unsaved_edits(dialog: ReportsDialog, town: Session, qtbot: QtBot) -> None:
    town.editing.apply(edits.set_header(town.snapshot_or_refuse(), map_name="Town99"))
    qtbot.waitUntil(lambda: dialog.text is not None and b"Map: Town99" in whole(dialog))


@part
def what_is_selected_is_copied_else_all_that_is_shown(dialog: ReportsDialog, qtbot: QtBot) -> None:
    dialog.view.setFocus()
    qtbot.keyClick(dialog.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    dialog.copy()
    assert QApplication.clipboard().text() == whole(dialog).decode().split("\n")[0] + "\n"
    qtbot.keyClick(dialog.view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    dialog.copy()
    assert QApplication.clipboard().text() == whole(dialog).decode()


@part
def words_are_found_and_stepped_through(dialog: ReportsDialog, qtbot: QtBot) -> None:
    qtbot.keyClicks(dialog.search, "DESTROY")
    assert dialog.text is not None
    text = dialog.text.text
    places = [match.start() for match in re.finditer("Destroy", text)]
    assert len(places) > 2
    assert dialog.note.text() == f"{sum('Destroy' in line for line in text.splitlines())} lines"
    assert found(dialog) == (places[0], "Destroy")
    qtbot.mouseClick(dialog.next, LEFT)
    assert found(dialog) == (places[1], "Destroy")
    qtbot.mouseClick(dialog.previous, LEFT)
    assert found(dialog) == (places[0], "Destroy")
    qtbot.keyClick(dialog.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert found(dialog) == (places[-1], "Destroy")
    qtbot.keyClick(dialog.view, Qt.Key.Key_F3)
    assert found(dialog) == (places[0], "Destroy")
    qtbot.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert dialog.search.hasFocus()
    qtbot.keyClicks(dialog.search, "no such words")
    assert dialog.note.text() == "not found"
    dialog.search.clear()
    assert dialog.note.text() == f"{dialog.text.lines:,} lines"


@part
def the_text_is_saved_whole(dialog: ReportsDialog, qtbot: QtBot, tmp_path: Path) -> None:
    dialog.save(tmp_path / "report.txt")
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text() == "Saved report.txt")
    assert (tmp_path / "report.txt").read_bytes() == whole(dialog)


def test_the_beginning_of_a_long_report_is_shown_and_all_of_it_saved(
    ask: Callable[[], ReportsDialog], town: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MOST_SHOWN", 3000)
    dialog = ask()
    made(dialog, qtbot)
    report = b"".join(info_report(town.snapshot_or_refuse()))
    shown = dialog.view.toPlainText().encode()
    assert report.startswith(shown)
    assert 2000 < len(shown) <= 3000 < len(report)
    assert shown.endswith(b"\n")
    assert dialog.note.text() == f"the first {shown.count(bytes([10]))} lines are shown"
    told = "The report is too long to be shown whole; Save writes all of it."
    assert dialog.job_panel.sentence.text() == told
    dialog.save(tmp_path / "report.txt")
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text() == "Saved report.txt")
    assert (tmp_path / "report.txt").read_bytes() == report


@part
def a_limit_that_is_no_number_is_refused_in_place(dialog: ReportsDialog, qtbot: QtBot) -> None:
    dialog.kind.set_current(3)
    dialog.seconds.committed.emit("soon")
    assert dialog.seconds.reason


def test_what_the_dialog_does(
    dialog: ReportsDialog, town: Session, qtbot: QtBot, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    def begin() -> dict[str, object]:
        dialog.search.clear()
        dialog.kind.set_current(0)
        made(dialog, qtbot)
        return {}

    part.run(subtests, begin, dialog=dialog, town=town, qtbot=qtbot, tmp_path=tmp_path)


def test_closing_while_a_report_is_made_ends_that(
    ask: Callable[[], ReportsDialog], town: Session, qtbot: QtBot
) -> None:
    dialog = ask()
    with qtbot.waitSignal(town.jobs.changed):
        dialog.kind.set_current(1)
    assert town.jobs.running
    dialog.close()
    qtbot.waitUntil(lambda: not town.jobs.running)
    assert dialog.text is None


def test_another_recording_closes_the_report(dialog: ReportsDialog, town: Session, qtbot: QtBot, path: Path) -> None:
    town.open(path)
    qtbot.waitUntil(lambda: not isValid(dialog) or not dialog.isVisible())


def test_a_damaged_file_is_told_as_the_server_tells_it(
    session: Session, theme: Theme, damaged_recording: Path, qtbot: QtBot
) -> None:
    session.open(damaged_recording)
    dialog = ReportsDialog(session, theme)
    dialog.show()
    made(dialog, qtbot)
    assert whole(dialog) == b""
    assert "crashes when it prints the date" in dialog.job_panel.sentence.text()
    dialog.close()


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
