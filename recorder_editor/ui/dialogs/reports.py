"""CARLA's own reports of what is open, unsaved edits included: to read, to search, to copy, to save."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QTableView, QWidget

from ...progress import Progress
from ...recording import Snapshot, atomic_write
from ...recording.notes import note_lines
from ...reports.blocked import BLOCKED_READS, blocked_report
from ...reports.collisions import COLLISIONS_READS, collision_report
from ...reports.info import info_reads, info_report
from ...reports.remarks import remarks
from ...reports.text import FAMILIES, family_of
from ...texts import listed, say, say_count
from ...views.text_lines import MOST_HITS, TextLines
from ..session import Session
from ..session.jobs import LatestJob
from ..style.boxes import push_button
from ..style.theme import Theme
from ..widgets import Label, SearchField, Segmented
from ..widgets.file_dialogs import REPORTS, ask_save
from ..widgets.rows import set_read_only
from ..widgets.rows_model import RowsModel
from .fields import FieldSpec
from .preview import PreviewDialog

Report = Callable[[Progress], Iterator[bytes]]
_INFO, _ALL, _COLLISIONS, _BLOCKED, _NOTES = range(5)
_LETTERS = "ahvwto"
_SEARCH, _LEAST_SEARCH = 230, 110  # pixels


class ReportsDialog(PreviewDialog):
    """Stays beside the window."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "reportsDialog", parent)
        self.setWindowTitle(say("Reports"))
        self.heading.hide()
        self.text: TextLines | None = None
        self._hits: list[int] = []
        self.searching = LatestJob(self, session.jobs, self._search)
        self._make_form()
        self.view = TextView(theme)
        self.view.refused.connect(self._say)
        self.place(self.stack(self.view, 200))
        self._make_foot()
        self.resize(theme.px(860), theme.px(640))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        session.editing.changed.connect(self._outdate)
        self.on_change()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_form(self) -> None:
        theme, form = self.theme, self.form
        names = (say("File info"), say("Everything"), say("Collisions"), say("Blocked actors"), say("Notes"))
        self.kind = Segmented(theme, names, name=say("Report"))
        own = FAMILIES.index(family_of(self.session.snapshot_or_refuse()))
        families = [say("CARLA {release}", release=say("newest") if name == "newest" else name) for name in FAMILIES]
        release = FieldSpec("family", say("Release"), "choice", own, choices=dict(enumerate(families)))
        self.family = form.add(release)
        about = say("The release whose format is used; the file was written by {families}", families=families[own])
        self.family.setToolTip(about)
        self.utc = QCheckBox(say("UTC"))
        self.utc.setToolTip(say("The date in UTC, not in local time"))
        form.add_row(say("Report"), self.kind, self.family, self.utc)
        kinds = dict(
            enumerate((say("any"), say("hero"), say("vehicle"), say("walker"), say("traffic light"), say("other")))
        )
        sides = [form.add(FieldSpec(name, say("Kind of actor"), "choice", 0, choices=kinds)) for name in ("a", "b")]
        self.seconds = form.add(FieldSpec("seconds", say("Minimum time"), "number", 30.0, "s", low=0, width=0))
        least = form.add(FieldSpec("centimetres", say("Minimum distance"), "number", 10.0, "cm", low=0, width=0))
        words = (Label(theme, text, "font", "muted") for text in (say("and"), say("moving less than")))
        self._limits = {
            _COLLISIONS: form.add_row(say("between"), sides[0], next(words), sides[1]),
            _BLOCKED: form.add_row(say("for at least"), self.seconds, next(words), least),
        }
        for changed in (self.kind.changed, form.changed, self.utc.toggled):
            changed.connect(self.on_change)

    def _make_foot(self) -> None:
        self.search = SearchField(self.theme, say("Find in the report"))
        self.search.setMinimumWidth(self.theme.px(_LEAST_SEARCH))
        self.search.setMaximumWidth(self.theme.px(_SEARCH))
        self.search.textChanged.connect(lambda: self.searching.begin())
        self.search.returnPressed.connect(lambda: self.step(1))
        self.previous = push_button(say("Find previous"), partial(self.step, -1))
        self.next = push_button(say("Find next"), partial(self.step, 1))
        self.note = Label(self.theme, "", "small", "muted")
        self.add_left(self.search, self.previous, self.next, self.note)
        self.stretch_left(self.search)
        self.add_button(say("Copy"), self.view.copy)
        self.go = self.add_button(say("Save..."), self.ask_save)
        self.add_button(say("Close"), self.reject)
        for key, does in (
            (QKeySequence.StandardKey.Find, self._find),
            (QKeySequence.StandardKey.FindNext, partial(self.step, 1)),
            (QKeySequence.StandardKey.FindPrevious, partial(self.step, -1)),
        ):
            QShortcut(key, self, does)

    # --- what is chosen ---------------------------------------------------------------------------------

    def on_change(self, *_what: object) -> None:
        """Something is chosen anew: its limits are shown, and the report is made."""
        for kind, row in self._limits.items():
            self.form.show_row(row, kind == self.kind.current)
        self.enable()
        self.looking.begin()

    def _outdate(self) -> None:
        self._say(say("The recording was edited; the report is updated."))
        self.on_change()

    def maker(self, snapshot: Snapshot) -> Report:
        """What makes the report that is chosen."""
        family, utc, kind = FAMILIES[self.form.values["family"]], self.utc.isChecked(), self.kind.current
        first, second = (_LETTERS[self.form.values[side]] for side in ("a", "b"))
        limits = float(self.form.values["seconds"]), float(self.form.values["centimetres"])

        def made(progress: Progress) -> Iterator[bytes]:
            if kind == _COLLISIONS:
                return collision_report(snapshot, first, second, utc=utc, progress=progress)
            if kind == _BLOCKED:
                return blocked_report(snapshot, *limits, utc=utc, progress=progress)
            if kind == _NOTES:
                return (f"{line}\n".encode(errors="backslashreplace") for line in note_lines(snapshot))
            everything = kind == _ALL
            return info_report(snapshot, show_all=everything, family=family, utc=utc, progress=progress)

        return made

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
        is_own = family == family_of(snapshot)
        return " ".join(remarks(snapshot, self.session.path, None if is_own else family, reads))

    # --- making -----------------------------------------------------------------------------------------

    def update_preview(self) -> None:
        """Make the report."""
        snapshot = self.session.snapshot_or_refuse()
        make = self.maker(snapshot)
        self.job_panel.tell(self.remark(snapshot), "warning")

        def work(progress: Progress) -> TextLines:
            text = TextLines()
            try:
                text.write(make(progress))
            except BaseException:
                text.close()
                raise
            return text

        self.preview(say("Generating the report"), work, self._show)

    def report(self, share: float) -> None:
        """Say how far the report is."""
        self._say(say("Generating the report, {share:.0f} %", share=share * 100))

    def _show(self, text: TextLines) -> None:
        self._forget_text()
        self.text = text
        self.view.show_text(text)
        self.show_view()
        self._say(say_count("1 line", "{count:,} lines", count=text.lines))
        if self.search.text():
            self._search()

    def _say(self, words: str) -> None:
        self.note.setText(words)

    def _forget_text(self) -> None:
        self._hits = []
        self.searching.stop()
        if self.text is not None:
            self.view.show_text(None)
            self.text.close()
            self.text = None

    # --- searching --------------------------------------------------------------------------------------

    def _search(self) -> None:
        text, words = self.text, self.search.text()
        self._hits = []
        if text is None or not words:
            self.searching.cancel()
            self._say("")
            return

        self.searching.run(say("Searching"), partial(text.find, words), self._found, self.job_panel.refuse)

    def _found(self, result: tuple[list[int], int]) -> None:
        self._hits, total = result
        if not total:
            self._say(say("not found"))
            return
        more = say("stepping through the first {count:,}", count=MOST_HITS) if total > MOST_HITS else ""
        self._say(listed((say_count("1 line", "{count:,} lines", count=total), more), "clauses"))
        self.step(0)

    def step(self, by: int) -> None:
        """The next (or previous) line that holds the words; 0: the first one from the current line on."""
        if self._hits:
            at = bisect_left(self._hits, self.view.current + (by > 0)) - (by < 0)
            self.view.go_to(self._hits[at % len(self._hits)])

    # --- what can be done with it -----------------------------------------------------------------------

    def ask_save(self) -> None:
        """Let a person choose a name, and save the text there."""
        if self.text is not None:
            place = self.session.path.with_suffix(".txt")
            ask_save(self, say("Save the report"), place, self.save, REPORTS[:1])

    def save(self, target: Path) -> None:
        """Save the text, as a job."""
        text = self.text
        if text is None:
            return

        def work(progress: Progress) -> bool:
            done = 0
            with atomic_write(target, overwrite=True) as file:
                for block in text.blocks():
                    file.write(block)
                    done += len(block)
                    progress.update(done, text.size)
            return True

        def done(_whole: bool) -> None:
            self.job_panel.tell(say("Saved {name}", name=target.name), "fine")

        self.run(say("Saving {name}", name=target.name), work, done)

    def _find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def release(self) -> None:
        """Stop what reads the text, and let go of it."""
        self.job_panel.stop()
        self.looking.stop()
        self._forget_text()


MOST_COPIED = 100_000
"""Lines that are copied at once."""

_LONGEST = 4096  # characters of a line that are shown
_MARGINS = 16


class _Lines(RowsModel[int]):
    text: TextLines | None = None

    def shown(self, line: int, _column: int, role: int) -> object:
        if role != Qt.ItemDataRole.DisplayRole or self.text is None:
            return None
        return self.text.read(line, 1)[0][:_LONGEST].decode("utf-8", "replace")


class TextView(QTableView):
    """Signal: `refused(str)` (why nothing was copied)."""

    refused = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.text_model = _Lines(self)
        self.setModel(self.text_model)
        set_read_only(self, theme, say("Report"))
        self.setSelectionMode(QTableView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        QShortcut(QKeySequence.StandardKey.Copy, self, self.copy, context=Qt.ShortcutContext.WidgetShortcut)
        theme.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Take over font and lengths."""
        self.setFont(self.theme.mono)
        self.verticalHeader().setMinimumSectionSize(self.theme.px(18))
        self.verticalHeader().setDefaultSectionSize(self.theme.px(18))
        longest = self.text_model.text.longest if self.text_model.text is not None else 0
        width = QFontMetrics(self.theme.mono).horizontalAdvance("0") * min(longest, _LONGEST)
        self.horizontalHeader().setMinimumSectionSize(width + _MARGINS)

    def show_text(self, text: TextLines | None) -> None:
        """Show another text from its beginning."""
        self.text_model.text = text
        self.text_model.show(range(text.lines if text is not None else 0))
        self.restyle()
        self.selectRow(0)

    @property
    def current(self) -> int:
        """The line that was chosen last."""
        return max(0, self.currentIndex().row())

    @property
    def selection(self) -> range:
        """The lines that are selected."""
        chosen = self.selectionModel().selection()
        return range(chosen.at(0).top(), chosen.at(0).bottom() + 1) if chosen.count() else range(0)

    def go_to(self, line: int) -> None:
        """Make a line the current one, and show it."""
        self.selectRow(line)
        self.scrollTo(self.currentIndex(), QTableView.ScrollHint.PositionAtCenter)

    def moveCursor(self, action: QTableView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action in (QTableView.CursorAction.MoveHome, QTableView.CursorAction.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier  # the ends of the text, not of the line
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, search: str) -> None:
        """Look for no line by its first letters: Qt would read all of them."""

    def copy(self) -> None:
        """Put the selected lines on the clipboard; too many of them are refused."""
        text, chosen = self.text_model.text, self.selection
        if len(chosen) > MOST_COPIED:
            self.refused.emit(say("This is too much to copy; save the report instead."))
        elif text is not None and chosen:
            lines = text.read(chosen.start, len(chosen))
            QGuiApplication.clipboard().setText(b"\n".join(lines).decode("utf-8", "replace") + "\n")
