"""Asks for the name of a file to open or to write."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

RECORDINGS = "CARLA recordings (*.log *.rec);;All files (*)"


def ask_open(
    parent: QWidget, title: str, folder: Path | str, then: Callable[[Path], object], kinds: str = RECORDINGS
) -> None:
    """Let a person choose a file to open; `then` gets its path."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), kinds)
    if name:
        then(Path(name))


def ask_save(
    parent: QWidget, title: str, place: Path | str, then: Callable[[Path], object], kinds: str = RECORDINGS
) -> None:
    """Let a person choose where a file is written, with a name to begin with; `then` gets its path."""
    name, _ = QFileDialog.getSaveFileName(parent, title, str(place), kinds)
    if name:
        then(Path(name))
