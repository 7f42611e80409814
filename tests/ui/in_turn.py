"""Several parts of one test in one window: to make a window costs five times as much as to open a recording in it."""

from collections.abc import Callable
from inspect import signature

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog

from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.shell.main_window import MainWindow

Part = Callable[..., None]
"""What a test function is, without `test_`: its parameters are fixtures."""


def in_turn(
    request: pytest.FixtureRequest,
    window: MainWindow,
    *parts: Part,
    opens: bool = True,
    between: Callable[[], None] = lambda: None,
) -> None:
    """Do one part after the other; each is a test of its own in what pytest tells, and fails alone.

    Between them dialogs are given up and the file is opened again: nothing is selected, edited or compared then.

    Args:
        request: Gives each part the fixtures that it names.
        window: With a recording open.
        parts: In an order in which none disturbs the next.
        opens: Open the file again; not needed where parts only look.
        between: What else is done in front of each part but the first.
    """
    subtests: pytest.Subtests = request.getfixturevalue("subtests")
    recording = window.session.recording
    assert recording is not None
    for number, part in enumerate(parts):
        if number:
            start_anew(window, opens=opens)
            between()
        with subtests.test(part.__name__):
            part(**{name: request.getfixturevalue(name) for name in signature(part).parameters})


def start_anew(window: MainWindow, *, opens: bool = True) -> None:
    """Bring a window back to how it is when its recording was opened; the order of its panes stays."""
    for dialog in window.findChildren(QDialog):
        dialog.reject()
        dialog.deleteLater()
    recording = window.session.recording
    assert recording is not None
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if opens:
        window.session.open(recording.path)
    wait_for_jobs(window)
    settle()
