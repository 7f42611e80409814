"""Every action of the window, done to recordings that hold next to nothing: none may fail in a way nobody foresaw."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from pytestqt.qtbot import QtBot

from recorder_editor.edits import Place
from recorder_editor.ui.app import settle
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS, TIMELINE

from .. import builders as b
from ..extent import is_long
from ..simulator import answer_with
from .windows import LEAVES, OpenWindow, ask_nobody, idle

ODD = {
    "empty": b"",
    "torn": b.drive(6)[:-37],
    "header only": b.recording(),
    "one frame": b.drive(1),
    "no time": b.recording(*(b.frame(n + 1, float("nan"), 0.05, []) for n in range(3))),
}


def put_away(window: MainWindow) -> None:
    """Close whatever an action opened."""
    for each in QApplication.topLevelWidgets():
        if each is not window and each.isVisible() and isinstance(each, QDialog | QMenu):
            each.close()


def test_no_action_fails_on_them(
    open_window: OpenWindow,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    subtests: pytest.Subtests,
) -> None:
    """Each action is done to one of them, with `--long` to all, in one window, which has to stand all of that."""
    ask_nobody(monkeypatch)
    answer_with("raise RuntimeError('nobody is there')", tmp_path, monkeypatch)
    window = open_window(size=(1200, 800))
    failures: list[tuple[str, Exception]] = []
    doing = ""
    window.session.jobs.failed.connect(lambda error: failures.append((doing, error)))
    for number, (name, data) in enumerate(ODD.items()):
        with subtests.test(name):
            path = tmp_path / f"{name}.log"
            path.write_bytes(data)
            window.session.open(path)
            idle(window, qtbot)
            part = slice(None) if is_long(request.config) else slice(number, None, len(ODD))
            for spec in list(window.registry)[part]:
                if spec.id not in LEAVES and window.registry.is_enabled(spec.id):
                    doing = spec.id
                    window.registry.run(spec.id)
                    QApplication.processEvents()
                    put_away(window)
            idle(window, qtbot)
            assert failures == []
            assert window.documents.path == path, "something else was tried"


def test_clicks_and_keys_are_taken_where_next_to_no_frame_is(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    path = tmp_path / "odd.log"
    path.write_bytes(ODD["one frame"])
    window = open_window(path)
    tree = window.panes.get(PACKETS).tree
    with subtests.test("the only frame is deleted and comes back"):
        window.session.selection.select(Place(0))
        qtbot.keyClick(tree, Qt.Key.Key_Delete)
        settle()
        assert tree.packets.rowCount() == 1
        window.registry.run("edit.undo")
        settle()
        assert tree.packets.rowCount() == 2
    window.panes.set_preset("trim")
    canvas = window.panes.get(TIMELINE).canvas
    for name in ("empty", "header only"):
        with subtests.test("the timeline takes clicks where no frame is", name=name):
            path.write_bytes(ODD[name])
            window.session.open(path)
            idle(window, qtbot)
            settle()
            for x in range(4, canvas.width(), 50):
                qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(x, canvas.height() // 3))
            assert not window.session.range.is_set
