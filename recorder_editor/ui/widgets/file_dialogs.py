"""Dialogs for the names of files to open or to write; writes exported files, and reports that, or why not."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QWidget

from ...recording.existing import refuse_existing
from ...texts import N_, say
from ...views.units import size_text
from ..session import Session

RECORDINGS = (N_("CARLA recordings (*.log *.rec)"), N_("All files (*)"))
REPORTS = (N_("Text (*.txt)"), RECORDINGS[1])
SCRIPTS = (N_("Edit scripts (*.json)"), RECORDINGS[1])
PAGES = (N_("Pages for a browser (*.html)"), RECORDINGS[1])
LISTS = (N_("Lists of segments (*.csv *.json)"), RECORDINGS[1])
EVENT_FILES = "CSV (*.csv);;JSON (*.json);;MCAP (*.mcap)"
"""The kinds of files of traffic events, as Qt takes them."""

EDITED = "-edited"
_COPY = re.compile(rf"{EDITED}(-\d+)?$")


def ask_open(
    parent: QWidget, title: str, folder: Path | str, then: Callable[[Path], object], kinds: Sequence[str] = RECORDINGS
) -> None:
    """Let a person choose a file to open; `then` gets its path."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), _filters(kinds))
    if name:
        then(Path(name))


def ask_save(
    parent: QWidget, title: str, place: Path | str, then: Callable[[Path], object], kinds: Sequence[str] = RECORDINGS
) -> None:
    """Let a person choose where a file is written.

    Args:
        parent: The window.
        title: The title of the dialog.
        place: The name to begin with; for a recording the next one that is free, so that Enter replaces no file.
        then: Is called with the path.
        kinds: The kinds of files to choose from.
    """
    if kinds is RECORDINGS:
        place = free_path(Path(place))
    QTimer.singleShot(0, parent, _select_stem)  # once the dialog is open, which waits for its answer
    name, _ = QFileDialog.getSaveFileName(parent, title, str(place), _filters(kinds))
    if name:
        then(Path(name))


def _filters(kinds: Sequence[str]) -> str:
    """Return kinds of files as Qt's dialogs take them."""
    return ";;".join(say(kind) for kind in kinds)


def edited_path(path: Path) -> Path:
    """Return the name for an edited copy beside a recording; for a copy of such a copy the next one."""
    stem = _COPY.sub("", path.stem)
    return free_path(path.with_stem(stem + EDITED), besides=path)


def free_path(path: Path, *, besides: Path | None = None) -> Path:
    """Return a path, or where it is taken the same with the first number from 2 on that is free.

    Args:
        path: The path.
        besides: A path that counts as taken.
    """
    candidate = path
    number = 1
    while candidate == besides or os.path.lexists(candidate):
        number += 1
        candidate = path.with_stem(f"{path.stem}-{number}")
    return candidate


def _select_stem() -> None:
    """Select in Qt's own dialog what is typed over: the name without its ending."""
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QFileDialog):
        for line in dialog.findChildren(QLineEdit):
            line.setSelection(0, len(Path(line.text()).stem))


Write = Callable[[Path], object]


def ask_file(parent: QWidget, session: Session, title: str, name: str, write: Write, kinds: str = "") -> None:
    """Write a file where a person wants it; a name without an ending gets that of the chosen kind.

    The dialog asks about a file that exists under the chosen name only: any other is kept, and that is refused.

    Args:
        parent: The window.
        session: Gets a sentence that the file was written, or why not.
        title: The title of the dialog.
        name: The name to begin with.
        write: Writes the file.
        kinds: The kinds of files to choose from, as Qt takes them.
    """
    chosen, kind = QFileDialog.getSaveFileName(parent, title, name, kinds)
    if not chosen:
        return
    path = Path(chosen)
    if kinds and not path.suffix:
        suffix = kind.rpartition("*")[2].rstrip(")")
        path = path.with_suffix(suffix or Path(name).suffix)

    def write_chosen() -> None:
        refuse_completed(chosen, path)
        write(path)

    if session.attempt(write_chosen):
        sentence = say("Saved {file}, {size}.", file=path.name, size=size_text(path.stat().st_size))
        session.informed.emit(sentence)


def refuse_completed(chosen: str, path: Path) -> None:
    """Refuse to replace a file by a name that was completed with an ending.

    Args:
        chosen: The name that was chosen.
        path: The same, perhaps with an ending.

    Raises:
        WouldReplace: The path is not the chosen one, and exists.
    """
    if path != Path(chosen):
        refuse_existing([path], is_recording=True)


def ask_table(parent: QWidget, session: Session, title: str, name: str, write: Write) -> None:
    """Write a CSV file; `name` without an ending is proposed."""
    ask_file(parent, session, title=title, name=f"{name}.csv", write=write, kinds="CSV (*.csv)")
