"""Full screen: the window keeps the rest of its state."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from recorder_editor.ui.shell.main_window import MainWindow


def test_a_window_that_is_maximised_is_so_again_after_full_screen(
    open_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = open_window()
    window.showMaximized()
    states = Qt.WindowState
    qtbot.waitUntil(lambda: bool(window.windowState() & states.WindowMaximized))
    window.registry.run("view.full_screen")
    qtbot.waitUntil(lambda: bool(window.windowState() & states.WindowFullScreen))
    assert window.windowState() & states.WindowMaximized
    window.registry.run("view.full_screen")
    qtbot.waitUntil(lambda: not window.windowState() & states.WindowFullScreen)
    assert window.windowState() & states.WindowMaximized
