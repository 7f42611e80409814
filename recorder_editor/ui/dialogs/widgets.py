"""Lines that several dialogs have: a path with a button that chooses another, and the command that does the same."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ..theme import Theme
from ..widgets import ElidedLabel


class PathLine(QWidget):
    """A path, shortened where it is too long, and `button`. `choose` is what the button does."""

    def __init__(self, theme: Theme, name: str, choose: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.words = ElidedLabel(theme, "")
        self.words.setAccessibleName(name)
        self.button = QPushButton(self.tr("Choose..."))
        self.button.setAutoDefault(False)
        self.button.setAccessibleName(self.tr("Choose %1").replace("%1", name))
        self.button.clicked.connect(lambda: choose())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)

    def show_path(self, path: Path, *, whole: bool = False) -> None:
        """Show the name of a file, or the `whole` path of a folder."""
        self.path = path
        self.words.setText(str(path) if whole else path.name)
        self.words.setToolTip(str(path))


class CommandLine(QWidget):
    """A command in one line, and a button that copies it; hidden while there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ""
        self.words = ElidedLabel(theme, "", "mono", "muted")
        self.words.setAccessibleName(self.tr("The command that does the same"))
        self.copy = QPushButton(self.tr("Copy command"))
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self.copy)
        self.hide()

    def say(self, line: str) -> None:
        """Show this command, or none."""
        self.text = line
        self.words.setText(line)
        self.words.setToolTip(line)
        self.setVisible(bool(line))
