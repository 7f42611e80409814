"""What this program is, its version and those of the libraries it stands on."""

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from ... import __version__
from ...texts import ENGLISH, language, say, speaking
from ...versions import versions
from ...views.extension_texts import extension_lines
from ..session import Session
from ..style.theme import Theme
from .base import BaseDialog


def surroundings(name: str = ENGLISH) -> list[str]:
    """Qt and the screen in a language, a line each."""
    platform = QGuiApplication.platformName()
    scale = QGuiApplication.primaryScreen().devicePixelRatio()
    with speaking(name):
        return [f"Qt {qVersion()}", say("Platform {platform}, scale {scale:g}", platform=platform, scale=scale)]


def facts() -> str:
    """What a report of a problem needs of the program and what it runs on, a line each."""
    with speaking(ENGLISH):
        extensions = extension_lines()
    return "\n".join([*versions(__version__), *extensions, *surroundings()])


def problem_report(session: Session) -> str:
    """What a report of a problem should say: versions, facts of the recording without its name, the last messages."""
    snapshot = session.snapshot
    contents = "No recording open."
    if snapshot is not None:
        edits = 0
        if session.recording is not None:
            edits = session.recording.history.position
        contents = (
            f"{snapshot.dialect.name}, {len(snapshot):,} frames, {snapshot.size:,} bytes, "
            f"{snapshot.rows - len(snapshot):,} damaged rows, {edits:,} edits"
        )
    lines = [facts(), contents, "Last messages:"]
    lines.extend(session.messages)
    return "\n".join(lines)


class AboutDialog(BaseDialog):
    """Name, purpose, versions."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent, "aboutDialog")
        words = say("Views and edits recordings of the CARLA simulator. Unedited bytes are saved unchanged.")
        self.say(say("About"), f"Recorder Editor {__version__}", words)
        for lines in (versions(__version__)[1:], surroundings(language()), extension_lines()):
            for line in lines:
                self.add_line(line, small=True, muted=True)
        self.add_line(say("MIT License"), small=True, muted=True)
        self.add_button(say("Copy"), self._copy, left=True)
        self.add_button(say("Close"), self.accept, filled=True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(facts())
