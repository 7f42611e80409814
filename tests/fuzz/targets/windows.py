"""The window, drawn without a screen, on damaged recordings: steps, edits, keys, layouts, dialogs, pictures."""

import gc
import os
import sys
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from recorder_editor.edits.script import ScriptError, read_script, run_step
from recorder_editor.errors import RecorderError
from recorder_editor.ui.app import application, create_window, settle, theme_of
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.style.look import TEXT_SIZE

from .. import steps
from ..command_lines import PICTURE
from ..command_lines import command as some_command
from ..damage import drawn, made_seeds, real_seed, struck
from ..hand import Hand
from ..watch import Broken, Watch, command
from .target import Target

LARGE = 24 << 10
WRITTEN = 1_600_000_000
"""When the file of every case was written, seconds since 1970: Repair gives a damaged header the date of its file."""
PRESETS = ("inspect", "scene", "trim", "repair")
KEYS = (
    "Down",
    "Up",
    "Right",
    "Left",
    "Return",
    "Escape",
    "Tab",
    "Home",
    "End",
    "PageDown",
    "PageUp",
    "Space",
    "Delete",
    "F2",
    "7",
    "F",
    "A",
)
LEFT_OUT = ("file.quit", "file.close", "file.new", "file.recent")
"""They leave the window."""


@dataclass(frozen=True)
class Case:
    """A recording and what is done with it: (what, which one); then, perhaps, command lines of `screenshot`."""

    recording: bytes
    doings: tuple[tuple[str, str], ...]
    pictures: tuple[tuple[str, ...], ...] = ()


class Windows(Target):
    """Attribute `trace`: where it is a list, what is there to be seen after each step is added to it, in words."""

    of_a_round = 25
    tries = 30

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.application = application()
        # Two keys are never one word, however quickly they follow, and no cursor blinks.
        self.application.setKeyboardInputInterval(0)
        self.application.setCursorFlashTime(0)
        _let_the_system_answer()
        self.hand = Hand()
        self.trace: list[str] | None = None
        window = self._window(keep)
        self.actions = [spec.id for spec in window.registry if not spec.id.startswith(LEFT_OUT)]
        self._close(window)

    def _window(self, home: Path, path: Path | None = None) -> MainWindow:
        """A window as on the first start in a new home."""
        # Two settings in the same place would be one, as long as the one before is held in a cycle.
        gc.collect()
        theme = theme_of(self.application)
        theme.set_mode("light")
        theme.set_text_size(TEXT_SIZE)
        self.application.clipboard().clear()
        window = create_window(path, theme=theme, settings=Settings(home / "settings.ini"))
        self.hand.take(window)
        return window

    def _close(self, window: MainWindow) -> None:
        """Close it, whatever was not saved; one that is still saving closes when that is over."""
        closed: list[None] = []
        window.closed.connect(lambda: closed.append(None))
        window.close_anyway()
        while not closed:
            self.hand.rest(window)
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        settle()

    def _look(self, window: MainWindow) -> None:
        if self.trace is None:
            return
        session, picture = window.session, window.grab().toImage()
        snapshot, dialogs = session.snapshot, [each.windowTitle() for each in _dialogs()]
        content = snapshot.read(0, snapshot.size) if snapshot is not None else b""
        told = (
            zlib.crc32(content),
            session.selection.value,
            session.background.findings,
            window.panes.preset,
            window.message_bar.words.text(),
            type(QApplication.focusWidget()).__name__,
            dialogs,
            zlib.crc32(picture.constBits()),
        )
        self.trace.append(repr(told))

    def make(self, random: Random) -> Case:
        seed, other = random.choice(made_seeds()), random.choice(made_seeds())
        if random.random() < 0.5:
            seed = real_seed(random, LARGE)
        doings = tuple(self._doing(random) for _ in range(random.randrange(3, 14)))
        pictures = (some_command(random, "screenshot"),) if random.random() < 0.3 else ()
        return Case(struck(seed, drawn(random), other), doings, pictures)

    def _doing(self, random: Random) -> tuple[str, str]:
        what = random.choice(
            ("action", "action", "action", "frame", "key", "key", "edit", "edit", "preset", "click", "grab", "place")
        )
        which = {
            "action": lambda: random.choice(self.actions),
            "frame": lambda: str(random.randrange(-2, 40)),
            "key": lambda: random.choice(KEYS),
            "edit": lambda: steps.well_formed(random),
            "preset": lambda: random.choice(PRESETS),
            "click": lambda: f"{random.random():.3f} {random.random():.3f}",
            "grab": lambda: "",
            "place": lambda: str(random.randrange(1 << 16)),
        }
        return what, which[what]()

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        path = Path("in.log")
        path.write_bytes(case.recording)
        os.utime(path, (WRITTEN, WRITTEN))
        did = ["window"]
        failed: list[object] = []
        window = self._window(watch.state, path)
        try:
            self._look(window)
            window.session.jobs.failed.connect(lambda *what: failed.append(what))
            for what, which in case.doings:
                DOINGS[what](window, which)
                self.hand.step(window)
                self._look(window)
                _close_dialogs()
                window.activateWindow()
                self.hand.rest(window)
                did.append(what)
        finally:
            window.session.jobs.cancel_all()
            _close_dialogs()
            self._close(window)
        if failed:
            raise Broken("a job of the window failed", failed)
        if path.read_bytes() != case.recording and ("action", "file.save") not in case.doings:
            raise Broken("the window writes without being asked")
        for arguments in case.pictures:
            spoken = command(arguments)
            if (spoken.code == 0) != Path(PICTURE).exists():
                raise Broken("screenshot and its file do not agree", spoken)
            did.append(f"screenshot {spoken.code}")
        return did


def _let_the_system_answer() -> None:
    """Dialogs of the system would wait for somebody: a file is there at once, and nothing else is started or asked."""

    def saved(*arguments: object, **_: object) -> tuple[str, str]:
        kinds = next((str(each) for each in arguments[3:] if "*." in str(each)), "Any (*.log)")
        first = kinds.split(";;")[0]
        return f"picked.{first.partition('*.')[2].partition(' ')[0].rstrip(')')}", first

    QFileDialog.getSaveFileName = saved  # type: ignore[assignment] # stands for the system's
    QFileDialog.getOpenFileName = lambda *_, **__: ("in.log", "")  # type: ignore[assignment] # as above
    QFileDialog.getExistingDirectory = lambda *_, **__: "parts"  # type: ignore[assignment] # as above
    QDesktopServices.openUrl = lambda *_: True  # type: ignore[assignment] # as above
    sys.modules["carla"] = None  # type: ignore[assignment] # the simulator's package, as if it were not installed


def _close_dialogs() -> None:
    for each in _dialogs():
        each.close()


def _dialogs() -> list[QDialog]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]


def _edit(window: MainWindow, script: str) -> None:
    session = window.session
    try:
        steps_ = read_script(script).steps
    except ScriptError:
        return
    for step in steps_:
        if session.snapshot is None or not session.is_complete:
            return
        try:
            session.editing.apply(run_step(session.snapshot, step).edit)
        except RecorderError:
            continue


def _click(window: MainWindow, where: str) -> None:
    x, y = (float(part) for part in where.split())
    point = QPoint(int(x * window.width()), int(y * window.height()))
    target = window.childAt(point)
    if target is not None and target.isEnabled():
        QTest.mouseClick(
            target, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, target.mapFrom(window, point)
        )


def _key(window: MainWindow, name: str) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, getattr(Qt.Key, f"Key_{name}"))


def _place(window: MainWindow, number: str) -> None:
    snapshot = window.session.snapshot
    if snapshot is not None and snapshot.size:
        window.session.selection.select_byte(int(number) * 7919 % snapshot.size)


def _grab(window: MainWindow, _: str) -> None:
    if window.grab().isNull():
        raise Broken("no picture of the window")


DOINGS = {
    "action": lambda window, name: window.registry.run(name),
    "frame": lambda window, number: window.session.selection.go_to_frame(int(number)),
    "key": _key,
    "edit": _edit,
    "preset": lambda window, name: window.panes.set_preset(name),
    "click": _click,
    "grab": _grab,
    "place": _place,
}
