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
    "",
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
    if path is not None:
        file = str(path)
    else:
        file = ""
    if isinstance(error, RecorderError):
        places = {N_("offset 0x{at:06x}"): error.offset, N_("frame {at:,}"): error.frame, N_("field {at}"): error.field}
        said = []
        for template, at in places.items():
            if at is not None:
                said.append(say(template, at=at))
        return ErrorReport(error.message, listed(said), _now_of(error), file, details)
    if isinstance(error, PermissionError) and sys.platform == "win32":
        return ErrorReport(*map(say, _HELD), str(error.filename or "") or file, details)
    if isinstance(error, OSError):
        number = error.errno or (errno.EISDIR if isinstance(error, IsADirectoryError) else 0)
        other = say("{text}.", text=reason_of(error).rstrip("."))
        what, now = _WORDS.get(number, (other, say("Nothing was changed. Try again, or choose another folder.")))
        return ErrorReport(say(what), "", say(now), str(error.filename or "") or file, details)
    return ErrorReport(
        say("An unexpected error occurred."),
        say("{name}: {error}", name=type(error).__name__, error=error),
        say(
            "The file on disk is unchanged. {kept} Please report the error.", kept=say(_KEPT if is_kept else _NOT_KEPT)
        ),
        file,
        details,
        is_expected=False,
    )


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
        if not report.is_expected and (page := issue_page()):
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
