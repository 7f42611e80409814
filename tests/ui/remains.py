"""What a test of the window leaves behind: told, so that this test fails, and closed, so that the next one does not."""

import gc
import os
import threading
from collections.abc import Iterator

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from recorder_editor.ui.session.gc_guard import GcGuard
from recorder_editor.ui.session.jobs import Jobs
from recorder_editor.ui.shell.main_window import MainWindow

PATIENCE = float(os.environ.get("PATIENCE_OF_TESTS", "60"))
"""Seconds that nobody waits, unless something is wrong: a busy machine holds a thread up for long."""


def clear_away(threads: set[threading.Thread]) -> list[str]:
    """Close what is still visible, running or ticking; `threads` were there before. What it was, as sentences."""
    told = [*_windows()]
    _destroy()
    told += _jobs_and_timers()
    told += _threads(threads)
    if told:
        _destroy()
    return told


def destroy_widgets() -> None:
    """Destroy all widgets, which a connection may keep for good: every look of a later test would be given to them."""
    for widget in QApplication.topLevelWidgets():
        widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def release_mouse_and_keys() -> None:
    """Release what a test holds down, and put the mouse into a corner, where nothing opens.

    A double click of Qt's tests ends pressed, and a key with Control leaves that held: the next test has no tooltip
    then, and what it moves is dragged. A menu that opens under the mouse takes no click until that has moved.
    """
    QCursor.setPos(QApplication.primaryScreen().geometry().bottomRight())
    button = QApplication.mouseButtons()
    if button or QApplication.keyboardModifiers():
        QTest.mouseRelease(QWidget(), Qt.MouseButton(button) if button else Qt.MouseButton.LeftButton)


def _destroy() -> None:
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def _windows() -> Iterator[str]:
    for widget in QApplication.topLevelWidgets():
        if isValid(widget) and widget.isVisible():
            yield f"{type(widget).__name__} {widget.objectName() or widget.windowTitle()} is visible."
            if isinstance(widget, MainWindow):
                widget.close_anyway()
            widget.hide()
            widget.deleteLater()


def _jobs_and_timers() -> Iterator[str]:
    jobs = _with_subclasses(Jobs)
    timers = _with_subclasses(QTimer)
    kinds = jobs | timers  # a test leaves thousands of objects: `isinstance` would ask for each
    for each in [each for each in gc.get_objects() if type(each) in kinds]:
        if not isValid(each):
            continue
        if type(each) in jobs:
            if each.running:
                yield f"{', '.join(job.title for job in each.running)} has not ended."
                each.cancel_all(PATIENCE)
                each.deleteLater()
        elif each.isActive():
            owner = each.parent()
            if not isinstance(owner, GcGuard):
                yield f"A timer of {type(owner).__name__} is ticking."
                each.stop()


def _with_subclasses(kind: type) -> set[type]:
    """A class, and all classes that were derived from it."""
    return {kind}.union(*(_with_subclasses(each) for each in kind.__subclasses__()))


def _threads(before: set[threading.Thread]) -> Iterator[str]:
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
        if thread.is_alive():
            yield f"The thread {thread.name} is running."
