"""What the tests of the window share: the look that every widget is drawn with."""

import gc
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor.ui.app import Program, create_window
from recorder_editor.ui.session import Session
from recorder_editor.ui.session import debounce as rest
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from .alone import Alone
from .remains import PATIENCE, clear_away, destroy_widgets, release_mouse_and_keys


@pytest.fixture(scope="session", autouse=True)
def no_debounce_waits() -> Iterator[None]:
    """Begins at the next turn of the event loop what the program begins when typing or editing has paused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rest, "MS_OF_REST", 0)
        patch.setattr(rest, "MS_OF_OPENING", 0)
        patch.setattr(rest, "MS_UNTIL_AGAIN", 0)
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_stays_on_the_clipboard() -> Iterator[None]:
    """Off screen it outlives Python, and what Python put there ends the process when it is destroyed."""
    yield
    if QApplication.instance() is not None:
        QApplication.clipboard().clear()


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    """Fails a test that leaves a window, a job or a timer behind, and closes that before the next one begins.

    Sweeps up in this thread: a collection in the thread of a later job would destroy widgets and timers there.
    """
    gc.collect()  # what the fixtures of the test before held to its very end
    gc.freeze()  # what outlives a test is looked through no more: it would slow every later one
    threads = set(threading.enumerate())
    yield
    if QApplication.instance() is not None:
        release_mouse_and_keys()
    told = clear_away(threads)
    destroy_widgets()
    if told:
        pytest.fail("The test left something behind:\n" + "\n".join(told), pytrace=False)


@pytest.fixture
def qtbot(qtbot: QtBot) -> QtBot:
    """Waits so long that a defect makes a test fail, and a busy machine does not."""
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitActive", "waitExposed"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=round(PATIENCE * 1000)))
    return qtbot


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
def town(session: Session, recordings: Path, qtbot: QtBot) -> Session:
    """The session with a real recording of collisions, and its jobs over: for dialogs that need no window."""
    session.open(recordings / "carla-0.9.13-town05-collisions.log")
    qtbot.waitUntil(lambda: not session.jobs.running)
    return session


@pytest.fixture
def alone(session: Session, theme: Theme, path: Path, qtbot: QtBot) -> Iterator[Alone]:
    """The session with the small drive open, and dialogs about it."""
    session.open(path)
    qtbot.waitUntil(lambda: not session.jobs.running)
    alone = Alone(session, theme)
    yield alone
    for dialog in alone.findChildren(QDialog):
        dialog.reject()
    alone.deleteLater()


@pytest.fixture
def close_window(qtbot: QtBot) -> Callable[[MainWindow], None]:
    """Closes a window, whatever was not saved; one that is still saving closes when that is over."""

    def close(window: MainWindow) -> None:
        window.close_anyway()
        qtbot.waitUntil(lambda: window.session.recording is None)

    return close


@pytest.fixture
def open_window(
    theme: Theme, settings: Settings, close_window: Callable[[MainWindow], None]
) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows as `create_window` does, and closes them after the test."""
    windows: list[MainWindow] = []

    def make(path: Path | None = None, **more: Any) -> MainWindow:
        windows.append(create_window(path, theme=theme, settings=settings, **more))
        return windows[-1]

    yield make
    for window in windows:
        if isValid(window):
            close_window(window)
            window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def make_program(
    qapp: QApplication, theme: Theme, settings: Settings, close_window: Callable[[MainWindow], None]
) -> Iterator[Callable[..., Program]]:
    """Makes programs, with these settings or others, and closes all their windows after the test."""
    programs: list[Program] = []

    def make(others: Settings | None = None) -> Program:
        programs.append(Program(qapp, others or settings, theme))
        return programs[-1]

    yield make
    for program in programs:
        for window in tuple(program.windows):
            close_window(window)
        program.deleteLater()


@pytest.fixture
def program(make_program: Callable[..., Program]) -> Program:
    """The program, without a window."""
    return make_program()
