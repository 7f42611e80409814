"""What went wrong, for a person: what, which file, where, what now. The rest stands behind Details."""

import errno
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from ...errors import RecorderError, RestoreRefused, SaveRefused, SourceChanged, SourceReplaced, reason_of
from ...texts import N_, listed, say
from ...versions import issue_page
from ..style.boxes import Does
from ..style.theme import Theme
from .about import facts
from .base import BaseDialog

_DENIED = (N_("Permission was denied."), N_("Ask its owner for permission, or choose another file or folder."))
_HELD = (
    N_("Windows refused access: another program has the file open, or permission is denied."),
    N_("Close it in the other program and try again, or choose another name."),
)
_GONE = (N_("The disk is no longer there."), N_("Nothing was changed. Connect it again, or choose another one."))
_FAILING = N_("Nothing was changed. Check that the disk is still connected, or choose another one.")
_KEPT = N_("All edits are in the journal; if the program ends, they are offered at its next start.")
_NOT_KEPT = N_("The journal does not hold all edits: save under another name now.")
_WORDS = {
    errno.ENOENT: (N_("There is no file of that name."), N_("Check the name, or choose another file.")),
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.EISDIR: (N_("That is a folder, not a file."), N_("Choose a file in it.")),
    errno.ENOSPC: (N_("The disk is full."), N_("Free some space, or save to another disk.")),
    errno.EROFS: (N_("The disk is read-only."), N_("Save to another disk.")),
    errno.EIO: (N_("The disk does not answer, or is failing."), _FAILING),
    errno.ENODEV: _GONE,
    errno.ENXIO: _GONE,
}
"""What happened and what can be done now; the system's own words stand in Details, and for what is not listed here."""


Remedy = tuple[str, Does]
"""What can be done about an error: the words on a button, and what that does."""


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error in words.

    Attributes:
        what: A sentence.
        where: Offset, frame and field; may be empty.
        now: What can be done about it.
        file: The path of the file.
        details: The traceback, for developers.
        is_expected: Whether it is an error of a file or a user, and not of the program.
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
    """Put an exception into words.

    Args:
        error: The exception.
        path: The file that it concerns, if it names none itself.
        is_kept: Whether all edits are in the journal.
    """
    details = "".join(traceback.format_exception(error)).strip()
    file = ""
    if path is not None:
        file = str(path)
    if isinstance(error, RecorderError):
        return ErrorReport(what=error.message, where=_place_of(error), now=_now_of(error), file=file, details=details)
    if isinstance(error, OSError):
        file = str(error.filename or "") or file
        what, now = _texts_of(error)
        return ErrorReport(what=what, now=now, file=file, details=details)
    kept = say(_KEPT) if is_kept else say(_NOT_KEPT)
    return ErrorReport(
        what=say("An unexpected error occurred."),
        where=say("{name}: {error}", name=type(error).__name__, error=error),
        now=say("The file on disk is unchanged. {kept} Please report the error.", kept=kept),
        file=file,
        details=details,
        is_expected=False,
    )


def _place_of(error: RecorderError) -> str:
    places = []
    if error.offset is not None:
        places.append(say("offset 0x{at:06x}", at=error.offset))
    if error.frame is not None:
        places.append(say("frame {at:,}", at=error.frame))
    if error.field is not None:
        places.append(say("field {at}", at=error.field))
    return listed(places)


def _texts_of(error: OSError) -> tuple[str, str]:
    """What happened, and what can be done now."""
    if isinstance(error, PermissionError) and sys.platform == "win32":
        what, now = _HELD
        return say(what), say(now)
    number = error.errno or 0
    if isinstance(error, IsADirectoryError):
        number = errno.EISDIR
    if number in _WORDS:
        what, now = _WORDS[number]
        return say(what), say(now)
    what = say("{text}.", text=reason_of(error).rstrip("."))
    return what, say("Nothing was changed. Try again, or choose another folder.")


def _now_of(error: RecorderError) -> str:
    if isinstance(error, SaveRefused | RestoreRefused):
        return ""
    if isinstance(error, SourceChanged):
        return say("Reload the file to see what it holds now.")
    if isinstance(error, SourceReplaced):
        return say("Reload the new file, or save this recording under another name.")
    return say("Nothing was changed.")


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
        self.details_text = self.add_text(report.details, say("Details"), 160)
        self.details_text.setFont(theme.mono)
        self.details: QPushButton | None = None
        if report.details:
            self.details = self.add_button(say("Details"), self._unfold, left=True)
        self.copy = self.add_button(say("Copy"), self._copy, left=True)
        page = issue_page()
        if page and not report.is_expected:
            self.add_button(say("Open issue page"), lambda: QDesktopServices.openUrl(QUrl(page)), left=True)
        close = self.add_button(say("Close"), self.reject, filled=remedy is None)
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
