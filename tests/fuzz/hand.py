"""Time that passes for a window only when it is told to: a case is the same one however busy the machine is.

What waits until a person pauses comes when nothing else is left to do, the shortest wait first; what ticks (playback,
the look at the disk) ticks once a step; notes stay.
"""

import time
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer

from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.session.jobs import Jobs
from recorder_editor.ui.shell.main_window import MainWindow

SECONDS_OF_A_STEP = 0.25
_FAR = 1 << 30
_LONGEST = 1000
"""Milliseconds: longer than anybody runs, and the longest wait that is no note to be read."""
_OWN = "own interval"


class Hand:
    """A clock and the hand that moves it; stands for `time.monotonic` in this process."""

    def __init__(self) -> None:
        self.now = 1000.0
        time.monotonic = lambda: self.now

    def take(self, window: MainWindow) -> None:
        """Move the time of this window from now on."""
        window.player._clock = time.monotonic  # it was handed the other one when its class was made
        self.rest(window)

    def step(self, window: MainWindow) -> None:
        """Let what was done have all its consequences, and a little time pass."""
        self.rest(window)
        self.now += SECONDS_OF_A_STEP
        for timer in [each for each in _held(window) if each.isActive() and not each.isSingleShot()]:
            timer.timeout.emit()
        self.rest(window)

    def rest(self, window: MainWindow) -> None:
        """Run the events until no job is at work and nothing is due."""
        quiet = 0
        while quiet < 2:
            list(_held(window))
            QCoreApplication.sendPostedEvents()
            QCoreApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            due = [each for each in _held(window) if each.isActive() and each.isSingleShot() and _own(each) <= _LONGEST]
            quiet = 0 if due or _is_at_work(window) else quiet + 1
            if _is_at_work(window):
                QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            elif due:
                first = min(due, key=_own)
                first.stop()
                first.timeout.emit()


def _is_at_work(window: MainWindow) -> bool:
    return bool(window.session.jobs.running) or any(view.is_drawing for view in window.findChildren(SceneView))


def _held(window: MainWindow) -> Iterator[QTimer]:
    """The timers of a window, none of which comes by itself but those that look after threads."""
    for timer in window.findChildren(QTimer):
        if not timer.isSingleShot() and isinstance(timer.parent(), Jobs):
            continue
        if timer.interval() < _FAR:
            timer.setProperty(_OWN, timer.interval())
            timer.setInterval(_FAR)
        yield timer


def _own(timer: QTimer) -> int:
    return int(timer.property(_OWN))
