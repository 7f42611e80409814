"""What this program is, its version and those of the libraries it stands on."""

import platform

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from ... import __version__
from ..session import Session
from ..theme import Theme
from .base import BaseDialog


def versions() -> tuple[tuple[str, str], ...]:
    """(name, version) of Python and the main libraries."""
    # It brings the parser of e-mails with it, which no start of the window should wait for.
    from importlib.metadata import version

    libraries = (("NumPy", "numpy"), ("PySide6", "PySide6-Essentials"), ("pyqtgraph", "pyqtgraph"))
    return (("Python", platform.python_version()), *((name, version(package)) for name, package in libraries))


def about_text() -> str:
    """The versions of the program, its libraries and the system, a line each."""
    libraries = (f"{name} {number}" for name, number in versions())
    return "\n".join((f"Recorder Editor {__version__}", *libraries, platform.platform()))


def problem_report(session: Session) -> str:
    """What a report of a problem should say: versions, facts of the recording without its name, the last messages."""
    snapshot = session.snapshot
    facts = "No recording open."
    if snapshot is not None:
        edits = session.recording.history.position if session.recording is not None else 0
        facts = (
            f"{snapshot.dialect.name}, {len(snapshot):,} frames, {snapshot.size:,} bytes, "
            f"{snapshot.rows - len(snapshot):,} damaged rows, {edits:,} edits"
        )
    screen = f"Platform {QGuiApplication.platformName()}, scale {QGuiApplication.primaryScreen().devicePixelRatio():g}"
    return "\n".join((about_text(), screen, facts, "Last messages:", *session.messages))


class AboutDialog(BaseDialog):
    """Name, purpose, versions."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        words = self.tr("Views and edits recordings of the CARLA simulator. Unedited bytes are saved unchanged.")
        self.say(self.tr("About"), f"Recorder Editor {__version__}", words)
        self.setObjectName("aboutDialog")
        for name, number in versions():
            self.add_line(f"{name} {number}", small=True, muted=True)
        self.add_line(self.tr("MIT License"), small=True, muted=True)
        self.add_button(self.tr("Copy"), self._copy, left=True)
        self.add_button(self.tr("Close"), self.accept, filled=True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(about_text())
