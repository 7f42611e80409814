"""What a test of the window leaves behind is found and closed: a check of the check."""

import threading
from threading import Event

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor.progress import Progress
from recorder_editor.ui.app import Program
from recorder_editor.ui.session.jobs import Jobs

from .remains import clear_away, destroy_widgets, release_mouse_and_keys


def left() -> list[str]:
    return clear_away(set(threading.enumerate()))


def test_windows_that_are_visible_are_told_and_closed(qapp: object, program: Program) -> None:
    widget = QWidget()
    widget.setObjectName("forgotten")
    assert left() == []
    widget.show()
    program.new_window()
    assert sorted(left()) == ["MainWindow Recorder Editor is visible.", "QWidget forgotten is visible."]
    assert program.windows == []
    assert left() == []


def test_a_widget_that_its_own_connection_keeps_is_destroyed(qapp: object) -> None:
    button = QPushButton()
    button.clicked.connect(lambda: button.setText("again"))
    destroy_widgets()
    assert not isValid(button)


def test_a_button_and_a_key_that_are_held_are_released(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.mouseDClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.mouseButtons() == Qt.MouseButton.LeftButton
    assert QApplication.keyboardModifiers() == Qt.KeyboardModifier.ControlModifier
    release_mouse_and_keys()
    assert QApplication.mouseButtons() == Qt.MouseButton.NoButton
    assert QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier


def test_jobs_and_timers_that_go_on_are_told_and_stopped(qtbot: QtBot) -> None:
    timer, jobs, stopped = QTimer(interval=1000), Jobs(), Event()
    assert left() == []
    timer.start()

    def work(progress: Progress) -> None:
        while not progress.is_cancelled:
            stopped.wait(0.01)

    jobs.start("Waiting", work, print)
    timers = ["A timer of Jobs is ticking.", "A timer of NoneType is ticking."]
    assert sorted(left()) == [*timers, "Waiting has not ended."]
    assert left() == []
