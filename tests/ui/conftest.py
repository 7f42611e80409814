"""What the tests of the window share: the look that every widget is drawn with."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor.ui.app import create_window
from recorder_editor.ui.main_window import MainWindow
from recorder_editor.ui.session import Session
from recorder_editor.ui.settings import Settings
from recorder_editor.ui.theme import Theme

from .. import builders as b


@pytest.fixture(scope="session", autouse=True)
def what_was_there_before_is_not_swept() -> None:
    """Keeps modules and the tests themselves out of each sweep, which would else take longer than most tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def what_is_over_goes_in_this_thread(what_was_there_before_is_not_swept: None) -> Iterator[None]:
    """Sweeps up after each test: a collection in the thread of a later job would destroy widgets and timers there."""
    yield
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The application's look, light and at its normal size."""
    theme = Theme(qapp, "light")
    yield theme
    theme.release()
    theme.setParent(None)  # or the next test finds it with the application while it waits to be deleted
    theme.deleteLater()


@pytest.fixture
def settings(home: Path) -> Settings:
    """What the program remembers: nothing yet, in the home of this test."""
    return Settings(home / "settings.ini")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small drive; its name holds a blank, as people's names of files do."""
    path = tmp_path / "town 1.log"
    path.write_bytes(b.drive(40, vehicles=3))
    return path


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    """A session without a recording; what it opens is closed after the test, and its jobs are over."""
    session = Session()
    yield session
    session.jobs.cancel_all()
    session.close()
    session.deleteLater()  # what is connected to its signals goes with it


@pytest.fixture
def open_window(theme: Theme, settings: Settings) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows as `create_window` does, and closes them after the test, whatever was not saved."""
    windows: list[MainWindow] = []

    def make(path: Path | None = None, **more: Any) -> MainWindow:
        windows.append(create_window(path, theme=theme, settings=settings, **more))
        return windows[-1]

    yield make
    for window in windows:
        if isValid(window):
            window.close_anyway()
            window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
