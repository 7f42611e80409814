"""Tools > Report: asks for a file, writes it beside the window, and offers to open it."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from recorder_editor.edits import set_header
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.message_bar import WrittenNotice

from .. import builders as b
from .windows import OpenWindow

CloseWindow = Callable[[MainWindow], None]


def test_it_is_written_as_a_job_and_can_be_opened(
    open_window: OpenWindow, close_window: CloseWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(6))
    window = open_window(path)
    session = window.session
    qtbot.waitUntil(lambda: session.is_complete and not session.jobs.running)
    session.editing.attempt(lambda: set_header(session.recording, map_name="Elsewhere"))
    asked: list[str] = []
    target = tmp_path / "out.html"

    def choose(*arguments: object) -> tuple[str, str]:
        asked.append(str(arguments[2]))
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    notice = window.findChild(WrittenNotice)
    assert notice is not None
    assert not notice.isVisible()
    window.registry.run("tools.report")
    assert asked == [str(tmp_path / "drive.html")]
    assert "Writing out.html" in [job.title for job in session.jobs.running]
    qtbot.waitUntil(notice.isVisible)
    assert notice.words.text().startswith("Wrote out.html, ")
    page = target.read_text("utf-8")
    assert "Elsewhere" in page  # what is open, not what is in the file
    assert f"<li>{session.recording.history.steps[-1].label}</li>" in page
    qtbot.mouseClick(notice.open, Qt.MouseButton.LeftButton)
    assert opened == [QUrl.fromLocalFile(str(target))]
    assert not notice.isVisible()

    # Cancelled, it leaves nothing; nor where it is refused, as a file that the dialog has not asked about.
    target.unlink()
    (tmp_path / "mine.html").write_bytes(path.read_bytes())
    target = tmp_path / "mine"
    with qtbot.waitSignal(session.refused) as refused:
        window.registry.run("tools.report")
    assert "mine.html exists already (a recording)" in refused.args[0]
    target = tmp_path / "out"
    window.registry.run("tools.report")
    session.jobs.running[-1].cancel()
    qtbot.waitUntil(lambda: not session.jobs.running)
    assert not target.with_suffix(".html").exists()
    assert not notice.isVisible()
    with qtbot.waitSignal(session.refused) as refused:
        monkeypatch.setitem(sys.modules, "jinja2", None)
        window.registry.run("tools.report")
    assert "This needs jinja2" in refused.args[0]
    assert [button.text() for button in notice.findChildren(QPushButton)] == ["Open", "Dismiss"]
    session.editing.undo()
    close_window(window)
