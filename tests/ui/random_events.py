"""A hand that does anything anywhere in a window, by chance and by its seed alone, and an ear for every complaint.

A run has its seed in the name of its test, which does it again: `pytest tests/ui/test_random_events.py -m "" -k SEED`.
"""

import contextlib
import os
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import QEvent, QMessageLogContext, QPoint, QPointF, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QWheelEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QScrollBar, QToolButton, QWidget
from shiboken6 import isValid

from recorder_editor.errors import RecorderError
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE

from ..fuzz.hand import Hand

MODES = ("light", "dark", "contrast_light", "contrast_dark")
LEAVES = ("file.quit", "file.new_window", "help.tour")
"""After them nothing would be left to do anything in, or another window."""

_NOTHING = Qt.KeyboardModifier.NoModifier
_HELD = (_NOTHING,) * 4 + (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
_KEYS = tuple(
    getattr(Qt.Key, f"Key_{name}")
    for name in (
        *("Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "Tab", "Backtab", "Return", "Enter"),
        *("Escape", "Escape", "Space", "Space", "Delete", "Backspace", "Insert", "F2", "F3", "F4", "F5", "F6", "F10"),
        *"ABCDEFGHIJKLMNOPRSTUVWXYZ0123456789",
        *("Plus", "Minus", "Slash", "BracketLeft", "BracketRight", "Comma", "Period", "Menu"),
    )
)
"""Without Q, with which Ctrl ends the program."""

_TEXTS = (
    *(
        "0",
        "-1",
        "7",
        "12.5",
        "1e308",
        "-1e308",
        "3e38",
        "1e-320",
        "nan",
        "inf",
        "-inf",
        "99999999999999999999",
        "0x10",
    ),
    *("speed", "speed > 3", "id:3890", "#todo", "ff 00", "vehicle.*", "a b", "(", "[", '"', "\\", "é漢", "%s {x}", ""),
)
_NOT_OF_THE_PROGRAM = ("This plugin does not support ", "occurs outside target window")
"""What the platform without a screen says, and QTest of a mouse that left the window."""
_MS_OF_A_DRAG = 100
_START_PAGE_STEPS = 8


class Complaints:
    """While it is entered, collects what Qt says, warnings, lines on stderr, and exceptions that nothing took."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._exit = contextlib.ExitStack()

    def __enter__(self) -> "Complaints":
        exit_ = self._exit
        exit_.enter_context(warnings.catch_warnings())
        warnings.simplefilter("always")
        warnings.showwarning = self._warned
        before = qInstallMessageHandler(self._qt_said)
        exit_.callback(lambda: qInstallMessageHandler(before))
        for of, name in ((sys, "excepthook"), (sys, "unraisablehook"), (threading, "excepthook")):
            exit_.callback(setattr, of, name, getattr(of, name))
        sys.excepthook = lambda _kind, error, _trace: self.raised("an event", error)
        sys.unraisablehook = lambda each: self.raised("a destructor", each.exc_value)
        threading.excepthook = lambda each: self.raised("a thread", each.exc_value)
        self._stderr = exit_.enter_context(tempfile.TemporaryFile())
        screen = os.dup(2)
        exit_.callback(os.close, screen)
        exit_.callback(os.dup2, screen, 2)
        sys.stderr.flush()
        os.dup2(self._stderr.fileno(), 2)
        exit_.callback(sys.stderr.flush)
        return self

    def __exit__(self, *_: object) -> None:
        self._exit.close()

    def take(self) -> list[str]:
        """What was found since the last time."""
        sys.stderr.flush()
        self._stderr.seek(0)
        text = self._stderr.read().decode(errors="replace").strip()
        self._stderr.seek(0)
        self._stderr.truncate()
        found, self._found = self._found, []
        return [*found, f"stderr: {text}"] if text else found

    def raised(self, where: str, error: BaseException | None) -> None:
        """Collect an exception."""
        if error is not None:
            self._found.append(f"in {where}: {''.join(traceback.format_exception(error))}")

    def failed(self, error: Exception) -> None:
        """Collect the error of a job, unless it is one that the program foresees."""
        if not isinstance(error, RecorderError | OSError):
            self.raised("a job", error)

    def _warned(self, message: Warning | str, category: type[Warning], filename: str, line: int, *_: Any) -> None:
        stack = "".join(traceback.format_stack(limit=14)[:-1])
        self._found.append(f"{category.__name__}: {message} ({filename}:{line})\n{stack}")

    def _qt_said(self, kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if kind in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) or any(
            words in message for words in _NOT_OF_THE_PROGRAM
        ):
            return
        self._found.append(f"Qt: {message}\n{''.join(traceback.format_stack(limit=14)[:-1])}")


class RandomHand:
    """Does one event after another in a window; equal for equal seeds. Attribute `done`: what it did, in words."""

    def __init__(self, window: MainWindow, path: Path, seed: str) -> None:
        self.window = window
        self.done: list[str] = []
        self._path = path
        self._random = Random(seed)
        self._hand = Hand()
        self._hand.take(window)
        self._actions = [spec.id for spec in window.registry if spec.id not in LEAVES]
        self._steps_closed = 0
        self._was_on_tool = False
        self._events = (
            (self._click, 26),
            (self._double_click, 4),
            (self._right_click, 5),
            (self._drag, 12),
            (self._wheel, 7),
            (self._key, 18),
            (self._type, 6),
            (self._act, 12),
            (self._undo, 4),
            (self._give_up, 4),
            (self._resize, 2),
            (self._lay_out, 2),
            (self._switch_theme, 1),
        )
        self._drag_ends = QTimer(interval=_MS_OF_A_DRAG)
        self._drag_ends.timeout.connect(self._end_drag)

    def step(self) -> None:
        """Do one event, and let it have all its consequences."""
        events = [does for does, _ in self._events]
        (does,) = self._random.choices(events, [weight for _, weight in self._events])
        self.done.append(does.__name__[1:])
        does()
        self._rest()
        if self.window.session.snapshot is None:
            self._steps_closed += 1
            if self._steps_closed > _START_PAGE_STEPS:
                self._steps_closed = 0
                self._note("opens the recording")
                self.close_dialogs()
                self.window.documents.open(self._path)
                self._rest()
        self._hand.step(self.window)

    def _rest(self) -> None:
        self._hand.rest(self.window)

    def check(self) -> Iterator[str]:
        """What must never be between two events."""
        focus = self.window.focusWidget()
        is_on_tool = isinstance(focus, QAbstractButton) and self.window.toolbar.isAncestorOf(focus)
        came, self._was_on_tool = is_on_tool and not self._was_on_tool, is_on_tool
        if came and not self.done[-1].lower().endswith("tab"):
            yield f"The keyboard fell onto {focus.objectName()}."
        scene = self.window.panes.if_made(SCENE)
        if scene is not None and scene.view.box.ghost is not None and scene.view.moves.moved is None:
            yield "A ghost stays in the scene with no button down."

    # --- events -----------------------------------------------------------------------------------------

    def _note(self, text: str) -> None:
        self.done[-1] += f" {text}"

    def _surface(self) -> QWidget:
        popup = QApplication.activePopupWidget()
        if popup is not None:
            return popup
        modal = QApplication.activeModalWidget()
        if modal is not None:
            return modal
        floating = [
            each
            for each in QApplication.topLevelWidgets()
            if each.isVisible() and each is not self.window and each.windowHandle()
        ]
        floating = [each for each in floating if each.windowType() in (Qt.WindowType.Tool, Qt.WindowType.Dialog)]
        if floating and self._random.random() < 0.3:
            return min(floating, key=lambda each: (each.objectName(), each.width()))
        return self.window

    def _place(self) -> tuple[QWindow | None, QPoint]:
        surface = self._surface()
        x, y = self._random.random(), self._random.random()
        point = QPoint(int(x * surface.width()), int(y * surface.height()))
        child = surface.childAt(point)
        self._note(f"{type(surface).__name__} {point.x()},{point.y()} {type(child).__name__}")
        handle = surface.windowHandle()
        return (handle if isValid(handle) else None), point

    def _held(self) -> Qt.KeyboardModifier:
        held = self._random.choice(_HELD)
        if held != _NOTHING:
            self._note(held.name or "")
        return held

    def _answer_menu_of(self, widget: QWidget | None) -> None:
        """Let a menu that waits in a loop of its own, as those of tool buttons and scroll bars do, be answered."""
        steps = self._random.randrange(6)

        def answer() -> None:
            popup = QApplication.activePopupWidget()
            if popup is not None:
                for key in (*(Qt.Key.Key_Down,) * steps, Qt.Key.Key_Return if steps else Qt.Key.Key_Escape):
                    QTest.keyClick(popup, key)
                if isValid(popup):
                    popup.close()

        has_menu = isinstance(widget, QToolButton) and widget.menu() is not None
        if has_menu or isinstance(widget, QScrollBar):
            QTimer.singleShot(0, answer)

    def _press_and_release(self, button: Qt.MouseButton, times: int = 1) -> None:
        surface = self._surface()
        handle, point = self._place()
        held = self._held()
        self._answer_menu_of(surface.childAt(point))
        for _ in range(times):
            # What is pressed may close its window.
            if handle is not None and isValid(handle):
                QTest.mousePress(handle, button, held, point)
            if handle is not None and isValid(handle):
                QTest.mouseRelease(handle, button, held, point)

    def _click(self) -> None:
        self._press_and_release(Qt.MouseButton.LeftButton)

    def _double_click(self) -> None:
        self._press_and_release(Qt.MouseButton.LeftButton, 2)

    def _right_click(self) -> None:
        surface = self._surface()
        handle, point = self._place()
        if handle is not None:
            child, on_screen = surface.childAt(point), handle.mapToGlobal(point)
            self._answer_menu_of(child)
            QTest.mousePress(handle, Qt.MouseButton.RightButton, _NOTHING, point)
            if isValid(handle):
                QTest.mouseRelease(handle, Qt.MouseButton.RightButton, _NOTHING, point)
            if QApplication.activePopupWidget() is None and child is not None and isValid(child):
                self._answer_menu_of(child)
                _ask_for_menu(child, on_screen)

    def _drag(self) -> None:
        surface = self._surface()
        handle, point = self._place()
        self._answer_menu_of(surface.childAt(point))
        held = self._held()
        path, interrupts = self._path_of(point), self._random.choice(("", "", "", "escape", "undo", "action", "leave"))
        stop = self._random.randrange(len(path))
        action = self._random.choice(self._actions)
        self._note(f"by {path[-1].x() - point.x()},{path[-1].y() - point.y()} {interrupts}")
        if handle is None or not isValid(handle):
            return
        left = Qt.MouseButton.LeftButton
        QTest.mousePress(handle, left, held, point)
        self._drag_ends.start()
        for number, at in enumerate(path):
            if not isValid(handle):
                break
            QTest.mouseMove(handle, at)
            if number == stop and interrupts:
                self._interrupt(interrupts, action)
        self._drag_ends.stop()
        if interrupts != "leave" and isValid(handle):
            QTest.mouseRelease(handle, left, held, path[-1])

    def _interrupt(self, how: str, action: str) -> None:
        if how == "escape":
            self._press(Qt.Key.Key_Escape, _NOTHING)
        elif how == "undo":
            self.window.registry.run("edit.undo")
        elif how == "action":
            self._note(action)
            self._run(action)
        else:
            other = QWidget()
            other.show()
            other.activateWindow()
            QApplication.processEvents()
            other.close()
            self.window.activateWindow()

    def _path_of(self, start: QPoint) -> list[QPoint]:
        by = [self._random.choice((3, 20, 80, 400)) * self._random.choice((-1, 0, 1)) for _ in range(2)]
        count = self._random.randrange(2, 7)
        return [start + QPoint(by[0] * at // count, by[1] * at // count) for at in range(1, count + 1)]

    def _end_drag(self) -> None:
        """Let go where Qt itself waits for the end of a drag."""
        if any(each.metaObject().className() == "QShapedPixmapWindow" for each in QGuiApplication.allWindows()):
            handle = self.window.windowHandle()
            for x in (100, 300, 500):
                QTest.mouseMove(handle, QPoint(x, 300))
            QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, _NOTHING, QPoint(500, 300))

    def _wheel(self) -> None:
        surface = self._surface()
        _handle, point = self._place()
        held, by = self._held(), self._random.choice((-1200, -120, 120, 1200, 15))
        child = surface.childAt(point) or surface
        local, on_screen = QPointF(child.mapFrom(surface, point)), QPointF(surface.mapToGlobal(point))
        none = Qt.MouseButton.NoButton
        sideways = self._random.random() < 0.2
        delta = QPoint(by, 0) if sideways else QPoint(0, by)
        event = QWheelEvent(local, on_screen, QPoint(), delta, none, held, Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(child, event)

    def _press(self, key: Qt.Key, held: Qt.KeyboardModifier) -> None:
        # Of a window that the key closes, QTest would use what is gone: it takes widgets with more care.
        target = QApplication.activePopupWidget() or QApplication.focusWidget() or QApplication.activeWindow()
        self._answer_menu_of(target)
        QTest.keyClick(target or self.window, key, held)

    def _key(self) -> None:
        key, held = self._random.choice(_KEYS), self._held()
        self._note(key.name)
        if key == Qt.Key.Key_F4 and held == Qt.KeyboardModifier.AltModifier:
            return
        for _ in range(self._random.choice((1, 1, 1, 5))):
            self._press(key, held)

    def _type(self) -> None:
        text = self._random.choice(_TEXTS)
        enters = self._random.random() < 0.7
        self._note(repr(text))
        focus = QApplication.focusWidget()
        if focus is not None:
            for character in text:
                # QTest ends the process with a letter that is not Latin.
                QApplication.sendEvent(focus, QKeyEvent(QEvent.Type.KeyPress, 0, _NOTHING, character))
        if enters:
            self._press(Qt.Key.Key_Return, _NOTHING)

    def _run(self, action: str) -> None:
        if QApplication.activeModalWidget() is None and self.window.registry.is_enabled(action):
            self.window.registry.run(action)

    def _act(self) -> None:
        action = self._random.choice(self._actions)
        self._note(action)
        self._run(action)

    def _undo(self) -> None:
        action = self._random.choice(("edit.undo", "edit.undo", "edit.redo"))
        self._note(action)
        self._run(action)

    def _give_up(self) -> None:
        if self._random.random() < 0.5:
            self._press(Qt.Key.Key_Escape, _NOTHING)
        else:
            self.close_dialogs()

    def close_dialogs(self) -> None:
        """Close whatever was opened beside the window."""
        while QApplication.activePopupWidget() is not None:
            QApplication.activePopupWidget().close()
        for each in QApplication.topLevelWidgets():
            if isinstance(each, QDialog) and each.isVisible():
                each.close()
        self.window.activateWindow()

    def _resize(self) -> None:
        width, height = self._random.randrange(400, 1900), self._random.randrange(300, 1200)
        self._note(f"{width}x{height}")
        self.window.resize(width, height)

    def _lay_out(self) -> None:
        preset = self._random.choice(("inspect", "scene", "trim", "repair"))
        self._note(preset)
        if QApplication.activeModalWidget() is None:
            self.window.panes.set_preset(preset)

    def _switch_theme(self) -> None:
        mode = self._random.choice(MODES)
        self._note(mode)
        self.window.theme.set_mode(mode)


def _ask_for_menu(child: QWidget, on_screen: QPoint) -> None:
    """Send what the system sends with a click of the right button."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, child.mapFromGlobal(on_screen), on_screen)
    QApplication.sendEvent(child, event)


def run(window: MainWindow, path: Path, seed: str, events: int) -> list[str]:
    """Do that many events; what was complained about, each with the events before it. It ends with the window."""
    found: list[str] = []
    with Complaints() as complaints:
        window.session.jobs.failed.connect(complaints.failed)
        hand = RandomHand(window, path, seed)
        for number in range(events):
            hand.step()
            before = "; ".join(hand.done[-8:])
            told = [*complaints.take(), *hand.check()]
            found += [f"Seed {seed}, event {number}: {each}\nafter: {before}" for each in told]
            if not window.isVisible():
                break
        hand.close_dialogs()
        window.session.jobs.failed.disconnect(complaints.failed)
    return found
