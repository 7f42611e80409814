"""CARLA's own reports of what is open, unsaved edits included: to read, to search, to copy, to save."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut, QTextCursor, QTextDocument
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QSizePolicy, QWidget

from ...progress import Progress
from ...recording import Snapshot, atomic_write
from ...recording.notes import note_lines
from ...reports.blocked import BLOCKED_READS, blocked_report
from ...reports.collisions import COLLISIONS_READS, collision_report
from ...reports.info import info_reads, info_report
from ...reports.remarks import remarks
from ...reports.text import FAMILIES, family_of
from ...texts import listed, say, say_count
from ..session import Session
from ..style.boxes import push_button
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label, SearchField, Segmented
from ..widgets.file_dialogs import REPORTS, ask_save
from .fields import FieldSpec
from .preview import PreviewDialog

Report = Callable[[Progress], Iterator[bytes]]
_INFO, _ALL, _COLLISIONS, _BLOCKED, _NOTES = range(5)
_LETTERS = "ahvwto"
_SEARCH = 230  # pixels
_LEAST_SEARCH = 110
_LEAST_NOTE = 60

MOST_SHOWN = 8 << 20
"""Bytes of a report that are shown: about 110,000 lines, which the view takes in within half a second."""


class ReportText(NamedTuple):
    """What is shown of a report.

    Attributes:
        text: Its text, or the beginning of it.
        lines: How many lines that has.
        is_whole: It is all of the report.
    """

    text: str
    lines: int
    is_whole: bool


def read_beginning(pieces: Iterable[bytes], most: int) -> ReportText:
    """Read a report up to a size.

    Args:
        pieces: The report; pieces may end anywhere. No more of them are made than are needed.
        most: Bytes that are read; what does not fit ends with a whole line.
    """
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > most:
            break
    is_whole = len(data) <= most
    if not is_whole:
        end_of_line = data.rfind(b"\n", 0, most) + 1
        del data[end_of_line or most :]
    return ReportText(text=data.decode("utf-8", "replace"), lines=data.count(b"\n"), is_whole=is_whole)


class ReportsDialog(PreviewDialog):
    """Stays beside the window."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "reportsDialog", parent)
        self.setWindowTitle(say("Reports"))
        self.heading.hide()
        self.text: ReportText | None = None
        self._make_form()
        self.view = QPlainTextEdit(readOnly=True, undoRedoEnabled=False, tabChangesFocus=True)
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.view.setObjectName("reportText")
        self.view.setAccessibleName(say("Report"))
        self.place(self.stack(self.view, 200))
        self._make_foot()
        self.resize(theme.px(860), theme.px(640))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        session.editing.changed.connect(self._outdate)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.on_change()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_form(self) -> None:
        theme = self.theme
        form = self.form
        names = (say("File info"), say("Everything"), say("Collisions"), say("Blocked actors"), say("Notes"))
        self.kind = Segmented(theme, names, name=say("Report"))
        own = FAMILIES.index(family_of(self.session.snapshot_or_refuse()))
        families = []
        for name in FAMILIES:
            release_text = say("newest") if name == "newest" else name
            families.append(say("CARLA {release}", release=release_text))
        release = FieldSpec("family", say("Release"), "choice", own, choices=dict(enumerate(families)))
        self.family = form.add(release)
        about = say("The release whose format is used; the file was written by {families}", families=families[own])
        self.family.setToolTip(about)
        self.utc = QCheckBox(say("UTC"))
        self.utc.setToolTip(say("The date in UTC, not in local time"))
        form.add_row(say("Report"), self.kind)
        form.add_row(say("Release"), self.family, self.utc)
        kinds = (say("any"), say("hero"), say("vehicle"), say("walker"), say("traffic light"), say("other"))
        side = FieldSpec("a", say("Kind of actor"), "choice", 0, choices=dict(enumerate(kinds)))
        first = form.add(side)
        second = form.add(replace(side, name="b"))
        self.seconds = form.add(FieldSpec("seconds", say("Minimum time"), "number", 30.0, "s", low=0, width=0))
        least = form.add(FieldSpec("centimetres", say("Minimum distance"), "number", 10.0, "cm", low=0, width=0))
        conjunction = Label(theme, say("and"), "font", "muted")
        comparison = Label(theme, say("moving less than"), "font", "muted")
        self._limits = {
            _COLLISIONS: form.add_row(say("between"), first, conjunction, second),
            _BLOCKED: form.add_row(say("for at least"), self.seconds, comparison, least),
        }
        form.declare_choices([[row] for row in self._limits.values()])
        self.kind.changed.connect(self.on_change)
        form.changed.connect(self.on_change)
        self.utc.toggled.connect(self.on_change)

    def _make_foot(self) -> None:
        self.search = SearchField(self.theme, say("Find in the report"))
        self.search.setMinimumWidth(self.theme.px(_LEAST_SEARCH))
        self.search.setMaximumWidth(self.theme.px(_SEARCH))
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(lambda: self.step(1))
        self.previous = push_button(say("Find previous"), partial(self.step, -1))
        self.next = push_button(say("Find next"), partial(self.step, 1))
        self.note = ElidedLabel(self.theme, "", "small", "muted")
        # As wide whatever it says, so that the buttons before it stay.
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.note.setMinimumWidth(self.theme.px(_LEAST_NOTE))
        self.add_left(self.search, self.previous, self.next, self.note)
        self.stretch_left(self.search)
        self.stretch_left(self.note, 20)
        self.add_button(say("Copy"), self.copy)
        self.go = self.add_button(say("Save..."), self.ask_save)
        self.add_button(say("Close"), self.reject)
        QShortcut(QKeySequence.StandardKey.Find, self, self._find)
        QShortcut(QKeySequence.StandardKey.FindNext, self, partial(self.step, 1))
        QShortcut(QKeySequence.StandardKey.FindPrevious, self, partial(self.step, -1))

    # --- what is chosen ---------------------------------------------------------------------------------

    def on_change(self, *_what: object) -> None:
        """Show the limits of the chosen report, and make it."""
        for kind, row in self._limits.items():
            self.form.show_row(row, kind == self.kind.current)
        self.enable()
        self.looking.begin()

    def _outdate(self) -> None:
        self._say(say("The recording was edited; the report is updated."))
        self.on_change()

    def maker(self, snapshot: Snapshot) -> Report:
        """Return the function that makes the chosen report."""
        family = FAMILIES[self.form.values["family"]]
        utc = self.utc.isChecked()
        kind = self.kind.current
        first = _LETTERS[self.form.values["a"]]
        second = _LETTERS[self.form.values["b"]]
        seconds = float(self.form.values["seconds"])
        centimetres = float(self.form.values["centimetres"])

        def report(progress: Progress) -> Iterator[bytes]:
            if kind == _COLLISIONS:
                return collision_report(snapshot, first, second, utc=utc, progress=progress)
            if kind == _BLOCKED:
                return blocked_report(snapshot, seconds, centimetres, utc=utc, progress=progress)
            if kind == _NOTES:
                return (f"{line}\n".encode(errors="backslashreplace") for line in note_lines(snapshot))
            return info_report(snapshot, show_all=kind == _ALL, family=family, utc=utc, progress=progress)

        return report

    def remark(self, snapshot: Snapshot) -> str:
        """What a server of the release would do wrong with the recording; empty if nothing."""
        kind = self.kind.current
        if kind == _NOTES:
            return ""
        family = FAMILIES[self.form.values["family"]]
        reads = info_reads(snapshot.dialect, family, show_all=kind == _ALL)
        if kind == _COLLISIONS:
            reads = COLLISIONS_READS
        elif kind == _BLOCKED:
            reads = BLOCKED_READS
        other_family = family
        if family == family_of(snapshot):
            other_family = None
        return " ".join(remarks(snapshot, self.session.path, other_family, reads))

    # --- making -----------------------------------------------------------------------------------------

    def update_preview(self) -> None:
        """Make the report."""
        snapshot = self.session.snapshot_or_refuse()
        make = self.maker(snapshot)
        remark = self.remark(snapshot)
        self.job_panel.show_sentence(remark, "warning")

        def work(progress: Progress) -> ReportText:
            return read_beginning(make(progress), MOST_SHOWN)

        self.preview(say("Generating the report"), work, partial(self._show, remark))

    def report(self, share: float) -> None:
        """Say how far the report is."""
        self._say(say("Generating the report, {share:.0f} %", share=share * 100))

    def _show(self, remark: str, text: ReportText) -> None:
        self.text = text
        self.view.setPlainText(text.text)
        self.show_view()
        if not text.is_whole:
            rest = say("The report is too long to be shown whole; Save writes all of it.")
            self.job_panel.show_sentence(listed((remark, rest), "sentences"), "warning")
        self._search()

    def _say(self, words: str) -> None:
        self.note.setText(words)

    def _restyle(self) -> None:
        self.view.setFont(self.theme.mono)

    # --- searching --------------------------------------------------------------------------------------

    def _search(self) -> None:
        """Count the lines that hold the words, and go to the first one from the current place on."""
        text = self.text
        if text is None:
            return
        words = self.search.text().lower()
        if not words:
            self._say(self._length_of(text))
            return
        lines = sum(words in line for line in text.text.lower().split("\n"))
        if lines:
            self._say(say_count("1 line", "{count:,} lines", count=lines))
        else:
            self._say(say("not found"))
        self.step(0)

    @staticmethod
    def _length_of(text: ReportText) -> str:
        if text.is_whole:
            return say_count("1 line", "{count:,} lines", count=text.lines)
        return say("the first {count:,} lines are shown", count=text.lines)

    def step(self, by: int) -> None:
        """Select the next (or previous) place of the words; 0: the first one from the current place on."""
        words = self.search.text()
        if not words:
            return
        cursor = self.view.textCursor()
        if by == 0:
            cursor.setPosition(cursor.selectionStart())
        direction = QTextDocument.FindFlag(0)
        other_end = QTextCursor.MoveOperation.Start
        if by < 0:
            direction = QTextDocument.FindFlag.FindBackward
            other_end = QTextCursor.MoveOperation.End
        document = self.view.document()
        match = document.find(words, cursor, direction)
        if match.isNull():
            cursor.movePosition(other_end)
            match = document.find(words, cursor, direction)
        if not match.isNull():
            self.view.setTextCursor(match)
            self.view.centerCursor()

    # --- what can be done with it -----------------------------------------------------------------------

    def ask_save(self) -> None:
        """Let a person choose a name, and save the text there."""
        if self.text is not None:
            place = self.session.path.with_suffix(".txt")
            ask_save(self, say("Save the report"), place, self.save, REPORTS[:1])

    def save(self, target: Path) -> None:
        """Save the whole report, as a job."""
        make = self.maker(self.session.snapshot_or_refuse())

        def work(progress: Progress) -> bool:
            with atomic_write(target, overwrite=True) as file:
                file.writelines(make(progress))
            return True

        def done(_whole: bool) -> None:
            self.job_panel.show_sentence(say("Saved {name}", name=target.name), "fine")

        self.run(say("Saving {name}", name=target.name), work, done)

    def copy(self) -> None:
        """Put the selected text on the clipboard; without a selection, all that is shown."""
        if self.view.textCursor().hasSelection():
            self.view.copy()
        elif self.text is not None:
            QGuiApplication.clipboard().setText(self.text.text)

    def _find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def release(self) -> None:
        """Stop what reads the recording."""
        self.job_panel.stop()
        self.looking.stop()
