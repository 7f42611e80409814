"""A file of packets beside a recording: the window asks once for each content, and remembers."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from recorder_editor.ui.shell.main_window import MainWindow

from .. import builders as b
from .parts import close_dialogs
from .windows import idle


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "own.log"
    path.write_bytes(b.recording(b.frame(1, packets=[b.packet(150, b.u16(1) + b"\7")])))
    write(path, "Own")
    return path


def write(path: Path, name: str, **more: object) -> None:
    packet = {"id": 150, "name": name, "members": [["level", "u8", "A level"]], **more}
    (path.parent / "own.packets.json").write_text(json.dumps({"packets": [packet]}), encoding="utf-8")


def name_of(window: MainWindow) -> str:
    snapshot = window.session.snapshot_or_refuse()
    return snapshot.frame(0).packets[1].name


def test_it_is_used_or_left_as_was_answered(
    open_window: Callable[..., MainWindow], path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    window = open_window(path)
    window.show()
    idle(window, qtbot)
    notice = window.packets_notice
    with subtests.test("it is asked and not used yet"):
        assert notice.isVisible()
        assert notice.words.text() == "own.packets.json beside this recording describes packet 150."
        assert name_of(window) == "Unknown 150"
    qtbot.mouseClick(notice.use, Qt.MouseButton.LeftButton)
    idle(window, qtbot)
    with subtests.test("accepted it is used at once"):
        assert not notice.isVisible()
        assert name_of(window) == "Own"
        assert not window.session.is_modified
    window.session.open(path)
    idle(window, qtbot)
    with subtests.test("and is asked of no more"):
        assert not notice.isVisible()
        assert name_of(window) == "Own"
    write(path, "Other")
    window.session.open(path)
    idle(window, qtbot)
    with subtests.test("another content is asked of again"):
        assert notice.isVisible()
        assert name_of(window) == "Unknown 150"
    qtbot.mouseClick(notice.refuse, Qt.MouseButton.LeftButton)
    window.session.open(path)
    idle(window, qtbot)
    with subtests.test("refused it is never used"):
        assert not notice.isVisible()
        assert name_of(window) == "Unknown 150"
    write(path, "Other", body="x")
    window.session.open(path)
    idle(window, qtbot)
    with subtests.test("what is wrong with one is told"):
        assert notice.isVisible()
        assert notice.words.text() == 'own.packets.json, line 1: "x" is no body; there are list, single.'
        assert not notice.use.isVisible()
    close_dialogs()
