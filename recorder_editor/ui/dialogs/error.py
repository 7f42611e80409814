"""What went wrong, for a person: what, which file, where, what now. The rest stands behind Details."""

import errno
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from ...errors import RecorderError, RestoreRefused, SaveRefused, SourceChanged, SourceReplaced, listed, reason_of, say
from ...versions import issue_page
from ...views.language import put, tr
from ..style.boxes import Does
from ..style.theme import Theme
from .about import facts
from .base import BaseDialog

_DENIED = ("Permission was denied.", "Ask its owner for permission, or choose another file or folder.")
_HELD = (
    "Windows refused access: another program has the file open, or permission is denied.",
    "",
    "Close it in the other program and try again, or choose another name.",
)
_GONE = ("The disk is no longer there.", "Nothing was changed. Connect it again, or choose another one.")
_FAILING = "Nothing was changed. Check that the disk is still connected, or choose another one."
_KEPT = "All edits are in the journal; if the program ends, they are offered at its next start."
_NOT_KEPT = "The journal does not hold all edits: save under another name now."
_WORDS = {
    errno.ENOENT: ("There is no file of that name.", "Check the name, or choose another file."),
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.EISDIR: ("That is a folder, not a file.", "Choose a file in it."),
    errno.ENOSPC: ("The disk is full.", "Free some space, or save to another disk."),
    errno.EROFS: ("The disk is read-only.", "Save to another disk."),
    errno.EIO: ("The disk does not answer, or is failing.", _FAILING),
    errno.ENODEV: _GONE,
    errno.ENXIO: _GONE,
}
"""What happened and what can be done now; the system's own words stand in Details, and for what is not listed here."""


Remedy = tuple[str, Does]
"""What can be done about an error: the words on a button, and what that does."""


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error in words.

    Attributes: `what` (a sentence), `where` (offset, frame, field; may be empty), `now` (what can be done), `file`,
    `details` (for whoever mends the program), `is_expected` (else it is a mistake of the program).
    """

    what: str
    where: str = ""
    now: str = ""
    file: str = ""
    details: str = ""
    is_expected: bool = True

    @property
    def text(self) -> str:
        """All of it, for the clipboard."""
        parts = (self.what, self.file, self.where, self.now, "", self.details, facts())
        return "\n".join(part for part in parts if part)


def error_report(error: BaseException, path: Path | None = None, *, is_kept: bool = False) -> ErrorReport:
    """An exception in words; `is_kept`: all edits are in the journal."""
    details = "".join(traceback.format_exception(error)).strip()
    file = str(path) if path is not None else ""
    if isinstance(error, RecorderError):
        places = {"ui.at_offset": error.offset, "ui.at_frame": error.frame, "ui.at_field": error.field}
        said = [say(code, at=at) for code, at in places.items() if at is not None]
        return ErrorReport(error.message, listed(said), _now_of(error), file, details)
    if isinstance(error, PermissionError) and sys.platform == "win32":
        return ErrorReport(*map(tr, _HELD), str(error.filename or "") or file, details)
    if isinstance(error, OSError):
        number = error.errno or (errno.EISDIR if isinstance(error, IsADirectoryError) else 0)
        other = say("errors.sentence", text=reason_of(error).rstrip("."))
        what, now = _WORDS.get(number, (other, tr("Nothing was changed. Try again, or choose another folder.")))
        return ErrorReport(tr(what), "", tr(now), str(error.filename or "") or file, details)
    return ErrorReport(
        tr("An unexpected error occurred."),
        put(tr("%1: %2"), type(error).__name__, error),
        put(tr("The file on disk is unchanged. %1 Please report the error."), tr(_KEPT if is_kept else _NOT_KEPT)),
        file,
        details,
        is_expected=False,
    )


def _now_of(error: RecorderError) -> str:
    if isinstance(error, SaveRefused | RestoreRefused):
        return ""
    if isinstance(error, SourceChanged):
        return tr("Reload the file to see what it holds now.")
    if isinstance(error, SourceReplaced):
        return tr("Reload the new file, or save this recording under another name.")
    return tr("Nothing was changed.")


class ErrorDialog(BaseDialog):
    """Shows what went wrong; Details unfolds what lies behind it, Copy puts all of it on the clipboard."""

    def __init__(
        self,
        theme: Theme,
        heading: str,
        report: ErrorReport,
        remedy: Remedy | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self.say(heading, heading)
        self.report = report
        for text, muted in ((report.what, False), (report.where, True), (report.now, False)):
            if text:
                self.add_line(text, muted=muted)
        if report.file:
            self.add_path(report.file)
        self.details_text = self.add_text(report.details, self.tr("Details"), 160)
        self.details_text.setFont(theme.mono)
        self.details: QPushButton | None = None
        if report.details:
            self.details = self.add_button(self.tr("Details"), self._unfold, left=True)
        self.copy = self.add_button(self.tr("Copy"), self._copy, left=True)
        if not report.is_expected and (page := issue_page()):
            self.add_button(self.tr("Open issue page"), lambda: QDesktopServices.openUrl(QUrl(page)), left=True)
        close = self.add_button(self.tr("Close"), self.reject, filled=remedy is None)
        self.remedy: QPushButton | None = None
        if remedy is not None:
            text, does = remedy

            def mend() -> None:
                self.accept()
                does()

            self.remedy = self.add_button(text, mend, filled=True)
        (self.remedy or close).setFocus()

    def _unfold(self) -> None:
        self.details_text.setVisible(self.details_text.isHidden())
        self.fit()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.text)
