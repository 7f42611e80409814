"""What tests do with windows again and again: bring them up, wait until they rest, read what they hold."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.ui.main_window import MainWindow
from recorder_editor.ui.session import Session

OpenWindow = Callable[..., MainWindow]


class HasSession(Protocol):
    """A window, or what a test shows in its place."""

    @property
    def session(self) -> Session: ...


def bring_up(widget: QWidget, qtbot: QtBot) -> None:
    """Show a window, and wait until it has the keyboard."""
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()


def idle(window: HasSession, qtbot: QtBot) -> None:
    """Wait until no job runs."""
    qtbot.waitUntil(lambda: not window.session.jobs.running)


def data_of(window: HasSession) -> bytes:
    """The recording as it would be saved."""
    snapshot = window.session.snapshot_or_refuse()
    return snapshot.read(0, snapshot.size)
