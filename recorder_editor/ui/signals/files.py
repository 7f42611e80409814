"""Asks for the names of CSV files and pictures, and has them written; what goes wrong is said."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from ...errors import RecorderError
from ..session import Session

Write = Callable[[Path], None]


def _tr(text: str) -> str:
    return QCoreApplication.translate("SignalsPane", text)


def ask_table(parent: QWidget, session: Session, name: str, write: Write) -> None:
    """Write a CSV file where a person wants it; `name` without an ending is proposed."""
    chosen, _ = QFileDialog.getSaveFileName(parent, _tr("Export signals"), f"{name}.csv", "CSV (*.csv)")
    if chosen:
        path = Path(chosen)
        _write(session, write, path if path.suffix else path.with_suffix(".csv"))


def ask_picture(parent: QWidget, session: Session, name: str, write: Write) -> None:
    """Write a picture, PNG or SVG, where a person wants it; `name` without an ending is proposed."""
    kinds = "PNG (*.png);;SVG (*.svg)"
    chosen, kind = QFileDialog.getSaveFileName(parent, _tr("Save picture"), f"{name}.png", kinds)
    if chosen:
        path = Path(chosen)
        _write(session, write, path if path.suffix else path.with_suffix(".svg" if "svg" in kind else ".png"))


def _write(session: Session, write: Write, path: Path) -> None:
    try:
        write(path)
    except RecorderError as error:
        session.refused.emit(error.message)
    except OSError as error:
        session.refused.emit(f"{path}: {error.strerror or error}.")
