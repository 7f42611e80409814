"""Asks for names of files to open or to write, has what is exported written, and says that it was, or why not."""

import os
import re
from collections.abc import Callable, Sequence
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QTimer
from PySide6.QtGui import QImage, QImageWriter, QPaintDevice
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QWidget

from ...recording import write_file
from ...recording.existing import refuse_existing
from ...texts import N_, say
from ...views.units import size_text
from ..session import Session

RECORDINGS = (N_("CARLA recordings (*.log *.rec)"), N_("All files (*)"))
REPORTS = (N_("Text (*.txt)"), RECORDINGS[1])
SCRIPTS = (N_("Edit scripts (*.json)"), RECORDINGS[1])
LISTS = (N_("Lists of segments (*.csv *.json)"), RECORDINGS[1])

EDITED = "-edited"
_COPY = re.compile(rf"{EDITED}(-\d+)?$")


def ask_open(
    parent: QWidget, title: str, folder: Path | str, then: Callable[[Path], object], kinds: Sequence[str] = RECORDINGS
) -> None:
    """Let a person choose a file to open; `then` gets its path."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), ";;".join(map(say, kinds)))
    if name:
        then(Path(name))


def ask_save(
    parent: QWidget, title: str, place: Path | str, then: Callable[[Path], object], kinds: Sequence[str] = RECORDINGS
) -> None:
    """Let a person choose where a file is written, with a name to begin with; `then` gets its path.

    For a recording that name is of no file yet: with Enter nothing is written over.
    """
    if kinds is RECORDINGS:
        place = free_path(Path(place))
    QTimer.singleShot(0, parent, _select_stem)  # once the dialog is open, which waits for its answer
    name, _ = QFileDialog.getSaveFileName(parent, title, str(place), ";;".join(map(say, kinds)))
    if name:
        then(Path(name))


def edited_path(path: Path) -> Path:
    """The name for an edited copy beside a recording; that of the next one, where it is such a copy itself."""
    return free_path(path.with_stem(_COPY.sub("", path.stem) + EDITED), besides=path)


def free_path(path: Path, *, besides: Path | None = None) -> Path:
    """This path, or with the first number from 2 on that makes it the name of no file, nor of another path."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(each for each in chain([path], numbered) if each != besides and not os.path.lexists(each))


def _select_stem() -> None:
    """Select in the toolkit's own dialog what is typed over: the name without its ending."""
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QFileDialog):
        lines = dialog.findChildren(QLineEdit)
    else:
        lines = []
    for line in lines:
        line.setSelection(0, len(Path(line.text()).stem))


Write = Callable[[Path], object]


def ask_file(parent: QWidget, session: Session, title: str, name: str, write: Write, kinds: str = "") -> None:
    """Write a file where a person wants it; one without an ending gets that of the chosen kind.

    The dialog asks about a file that exists under the chosen name, and about no other, which is therefore kept.
    """
    chosen, kind = QFileDialog.getSaveFileName(parent, title, name, kinds)
    if not chosen:
        return
    path = Path(chosen)
    if kinds and not path.suffix:
        path = path.with_suffix(kind.rpartition("*")[2].rstrip(")") or Path(name).suffix)

    def write_chosen() -> None:
        refuse_completed(chosen, path)
        write(path)

    if session.attempt(write_chosen):
        words = say("Saved {file}, {size}.", file=path.name, size=size_text(path.stat().st_size))
        session.informed.emit(words)


def refuse_completed(chosen: str, path: Path) -> None:
    """Raise `WouldReplace` if a file exists whose name is not the chosen one, but the chosen one with an ending."""
    if path != Path(chosen):
        refuse_existing([path], is_recording=True)


def ask_table(parent: QWidget, session: Session, name: str, write: Write) -> None:
    """Write a CSV file; `name` without an ending is proposed."""
    ask_file(parent, session, say("Export signals"), f"{name}.csv", write, "CSV (*.csv)")


def write_picture(
    path: Path,
    view: QWidget,
    svg: QSvgGenerator,
    title: str,
    picture: Callable[[], QImage],
    draw: Callable[[QPaintDevice], None],
) -> None:
    """Write a picture as PNG, or by `svg`, drawn anew, where the name ends so; raises OSError, `SaveRefused`.

    `draw` draws the view in its own pixels.
    """
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    if path.suffix.lower() == ".svg":
        svg.setOutputDevice(held)
        svg.setSize(view.size())
        svg.setViewBox(view.rect())
        svg.setTitle(title)
        draw(svg)
    else:
        QImageWriter(held, QByteArray(b"png")).write(picture())
    write_file(path, held.data().data(), overwrite=True)


def ask_picture(parent: QWidget, session: Session, name: str, write: Write) -> None:
    """Write a picture, PNG or SVG; `name` without an ending is proposed."""
    ask_file(parent, session, say("Save picture"), f"{name}.png", write, "PNG (*.png);;SVG (*.svg)")
