"""CARLA's own reports of what is open, unsaved edits included: to read, to search, to copy, to save."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from ...progress import Progress
from ...queries.reports import FAMILIES, blocked_report, collision_report, family_of, info_report
from ...recording.atomic_file import atomic_write
from ...recording.snapshot import Snapshot
from ..jobs import Job
from ..rest import Rest
from ..session import Session
from ..text_lines import MOST_HITS, TextLines
from ..text_view import TextView
from ..theme import Theme
from ..widgets import CheckEdit, ChoiceEdit, EmptyState, Label, NumberEdit, ProgressStrip, SearchField, Segmented

Report = Callable[[Progress], Iterator[bytes]]
_INFO, _ALL, _COLLISIONS, _BLOCKED = range(4)
_LETTERS = "ahvwto"
_FRAME = re.compile(r"^Frame (\d+) at ")
_ACTOR = re.compile(r"^ (?: Id: | Vehicle id |Create |Destroy |Parenting )(\d+)")


class ReportsDialog(QDialog):
    """Stays beside the window; a double click on a line goes to the frame or actor that it names."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reportsDialog")
        self.setWindowTitle(self.tr("Reports"))
        self.session = session
        self.theme = theme
        self.text: TextLines | None = None
        self._job: Job | None = None
        self._searching: Job | None = None
        self._hits: list[int] = []
        self._soon = Rest(self, self._make)
        self._search_soon = Rest(self, self._search)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addLayout(self._make_choices())
        column.addLayout(self._make_limits())
        column.addWidget(self._make_view(), 1)
        column.addLayout(self._make_foot())
        self.resize(theme.px(860), theme.px(640))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        session.opened.connect(self.close)
        session.changed.connect(self._outdate)
        self._changed()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_choices(self) -> QHBoxLayout:
        names = (self.tr("File info"), self.tr("Everything"), self.tr("Collisions"), self.tr("Blocked actors"))
        self.kind = Segmented(self.theme, names, name=self.tr("Report"))
        own = family_of(self.session.snapshot_or_refuse())
        families = {number: self.tr("CARLA %1").replace("%1", name) for number, name in enumerate(FAMILIES)}
        self.family = ChoiceEdit(self.theme, families, numbers=False, name=self.tr("Release"))
        self.family.set_value(FAMILIES.index(own))
        about = self.tr("The release whose words are used; the file was written by %1").replace("%1", own)
        self.family.setToolTip(about)
        self.utc = CheckEdit(self.theme, self.tr("UTC"))
        self.utc.setText(self.tr("UTC"))
        self.utc.setToolTip(self.tr("The date in UTC, not in local time"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.kind)
        row.addStretch(1)
        row.addWidget(self.family)
        row.addWidget(self.utc)
        self.kind.changed.connect(self._changed)
        self.family.committed.connect(self._choose_family)
        self.utc.toggled.connect(self._changed)
        return row

    def _make_limits(self) -> QHBoxLayout:
        kinds = {
            0: self.tr("any"),
            1: self.tr("hero"),
            2: self.tr("vehicle"),
            3: self.tr("walker"),
            4: self.tr("traffic light"),
            5: self.tr("other"),
        }
        self.sides = [ChoiceEdit(self.theme, kinds, numbers=False, name=self.tr("Kind of actor")) for _ in range(2)]
        for side in self.sides:
            side.set_value(0)
            side.committed.connect(lambda value, side=side: self._choose_side(side, int(value)))
        self.seconds = NumberEdit(self.theme, "s", low=0, step=1, name=self.tr("Least time"))
        self.seconds.set_value(30.0)
        self.centimetres = NumberEdit(self.theme, "cm", low=0, step=1, name=self.tr("Least distance"))
        self.centimetres.set_value(10.0)
        for limit in (self.seconds, self.centimetres):
            limit.committed.connect(lambda text, limit=limit: self._choose_limit(limit, text))
        groups: tuple[tuple[int, tuple[QWidget, ...]], ...] = (
            (
                _COLLISIONS,
                (
                    Label(self.theme, self.tr("between"), "font", "muted"),
                    self.sides[0],
                    Label(self.theme, self.tr("and"), "font", "muted"),
                    self.sides[1],
                ),
            ),
            (
                _BLOCKED,
                (
                    Label(self.theme, self.tr("for at least"), "font", "muted"),
                    self.seconds,
                    Label(self.theme, self.tr("moving less than"), "font", "muted"),
                    self.centimetres,
                ),
            ),
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        self._limits: dict[int, QWidget] = {}
        for kind, parts in groups:
            holder = QWidget()
            line = QHBoxLayout(holder)
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(8)
            for part in parts:
                line.addWidget(part)
            self._limits[kind] = holder
            row.addWidget(holder)
        row.addStretch(1)
        return row

    def _make_view(self) -> QWidget:
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self.view = TextView(self.theme)
        self.view.activated.connect(self._go)
        self.view.refused.connect(self._say)
        self.empty = EmptyState(self.theme, self.tr("Making the report..."), ground="field")
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.view)
        return holder

    def _make_foot(self) -> QVBoxLayout:
        self.search = SearchField(self.theme, self.tr("Find in the report"))
        self.search.setFixedWidth(self.theme.px(230))
        self.search.textChanged.connect(lambda: self._search_soon.begin())
        self.search.returnPressed.connect(lambda: self.step(1))
        self.previous = QPushButton(self.tr("Previous"))
        self.next = QPushButton(self.tr("Next"))
        self.previous.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self.note = Label(self.theme, "", "small", "muted")
        copy, save, close = (QPushButton(words) for words in (self.tr("Copy"), self.tr("Save..."), self.tr("Close")))
        copy.clicked.connect(self.view.copy)
        save.clicked.connect(self.ask_save)
        close.clicked.connect(self.close)
        self.save_button = save
        for button in (self.previous, self.next, copy, save, close):
            button.setAutoDefault(False)
        row = QHBoxLayout()
        row.setSpacing(8)
        for part in (self.search, self.previous, self.next, self.note):
            row.addWidget(part)
        row.addStretch(1)
        for part in (copy, save, close):
            row.addWidget(part)
        self.strip = ProgressStrip(self.theme)
        self.strip.cancelled.connect(self._cancel)
        self.strip.hide()
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(self.strip)
        column.addLayout(row)
        return column

    # --- what is chosen ---------------------------------------------------------------------------------

    def _choose_family(self, value: str) -> None:
        self.family.set_value(int(value))
        self._changed()

    def _choose_side(self, side: ChoiceEdit, value: int) -> None:
        side.set_value(value)
        self._changed()

    def _choose_limit(self, limit: NumberEdit, text: str) -> None:
        try:
            limit.set_value(float(text))
        except ValueError:
            limit.refuse(self.tr("This is no number."))
            return
        self._changed()

    def _changed(self, _value: object = None) -> None:
        for kind, holder in self._limits.items():
            holder.setVisible(kind == self.kind.current)
        self._soon.begin()

    def _outdate(self) -> None:
        self._say(self.tr("The recording was edited since; choose again to make the report anew."))
        self._soon.begin()

    def report(self, snapshot: Snapshot) -> Report:
        """What makes the report that is chosen."""
        family, utc, kind = FAMILIES[self.family.value or 0], self.utc.isChecked(), self.kind.current
        first, second = (_LETTERS[side.value or 0] for side in self.sides)
        limits = float(self.seconds.value or 0), float(self.centimetres.value or 0)

        def made(progress: Progress) -> Iterator[bytes]:
            if kind == _COLLISIONS:
                return collision_report(snapshot, first, second, family=family, utc=utc, progress=progress)
            if kind == _BLOCKED:
                return blocked_report(snapshot, *limits, family=family, utc=utc, progress=progress)
            everything = kind == _ALL
            return info_report(snapshot, show_all=everything, family=family, utc=utc, progress=progress)

        return made

    # --- making -----------------------------------------------------------------------------------------

    def _make(self) -> None:
        self._cancel()
        report = self.report(self.session.snapshot_or_refuse())

        def work(progress: Progress) -> TextLines:
            text = TextLines()
            try:
                text.write(report(progress))
            except BaseException:
                text.close()
                raise
            return text

        self._start(self.tr("Making the report"), work, self._show)

    def _show(self, text: TextLines) -> None:
        self._forget()
        self.text = text
        self.view.show_text(text)
        self._stack.setCurrentIndex(1)
        lines = self.tr("1 line") if text.lines == 1 else self.tr("%1 lines")
        self._say(lines.replace("%1", f"{text.lines:,}"))
        if self.search.text():
            self._search()

    def _start(self, title: str, work: Callable[[Progress], object], done: Callable[..., None]) -> None:
        job = self.session.jobs.start(title, work, done, self._failed)
        self._job = job
        self.strip.set_cancellable(True)
        self.strip.set_progress(title, None)
        self.strip.show()
        job.progressed.connect(lambda: self._report(job))
        job.ended.connect(lambda: self._end(job))

    def _report(self, job: Job) -> None:
        if self._job is job:
            self.strip.set_progress(job.title, job.share, job.seconds_left)

    def _end(self, job: Job) -> None:
        # The dialog may have gone meanwhile; then it has let go of its job.
        if self._job is job:
            self._job = None
            self.strip.hide()
            if self.text is None:
                self.empty.set_text(self.tr("No report was made"))

    def _failed(self, error: Exception) -> None:
        self._say(str(error))

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _say(self, words: str) -> None:
        self.note.setText(words)

    def _forget(self) -> None:
        self._hits = []
        if self._searching is not None:
            self._searching.cancel()
            self._searching.wait(5.0)
            self._searching = None
        if self.text is not None:
            self.view.show_text(None)
            self.text.close()
            self.text = None

    # --- searching --------------------------------------------------------------------------------------

    def _search(self) -> None:
        if self._searching is not None:
            self._searching.cancel()
        text, words = self.text, self.search.text()
        self._hits = []
        if text is None or not words:
            self._say("")
            return

        def work(progress: Progress) -> tuple[list[int], int]:
            return text.find(words, progress)

        self._searching = self.session.jobs.start(self.tr("Searching"), work, self._found, self._failed, quiet=True)

    def _found(self, result: tuple[list[int], int]) -> None:
        self._searching = None
        self._hits, total = result
        if not total:
            self._say(self.tr("not found"))
            return
        lines = self.tr("1 line") if total == 1 else self.tr("%1 lines")
        more = self.tr(", the first %1 can be stepped through") if total > MOST_HITS else ""
        self._say(lines.replace("%1", f"{total:,}") + more.replace("%1", f"{MOST_HITS:,}"))
        self.step(0)

    def step(self, by: int) -> None:
        """The next (or previous) line that holds the words; 0: the first one from the current line on."""
        if not self._hits:
            return
        here = self.view.current
        after = [line for line in self._hits if (line > here if by > 0 else line >= here)]
        if by < 0:
            before = [line for line in self._hits if line < here]
            self.view.go_to(before[-1] if before else self._hits[-1])
        else:
            self.view.go_to(after[0] if after else self._hits[0])

    # --- what can be done with it -----------------------------------------------------------------------

    def _go(self, line: str) -> None:
        """To the frame or the actor that a line names."""
        frame, actor = _FRAME.match(line), _ACTOR.match(line)
        snapshot = self.session.snapshot
        if frame is not None and snapshot is not None:
            ids = snapshot.frame_column("frame_id")
            places = (ids == int(frame[1])).nonzero()[0]
            if len(places):
                self.session.go_to_frame(int(places[0]))
        elif actor is not None:
            self.session.select_actor(int(actor[1]))

    def ask_save(self) -> None:
        """Let a person choose a name, and save the text there."""
        recording = self.session.recording
        if recording is None or self.text is None:
            return
        place = str(recording.path.with_suffix(".txt"))
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save the report"), place, self.tr("Text (*.txt)"))
        if name:
            self.save(Path(name))

    def save(self, target: Path) -> None:
        """Save the text, as a job."""
        text = self.text
        if text is None:
            return

        def work(progress: Progress) -> bool:
            done = 0
            with atomic_write(target) as file:
                for block in text.blocks():
                    file.write(block)
                    done += len(block)
                    progress.update(done, text.size)
            return True

        def finish(_whole: bool) -> None:
            self._say(self.tr("Saved %1").replace("%1", target.name))

        self._start(self.tr("Saving %1").replace("%1", target.name), work, finish)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() == Qt.Key.Key_F:
            self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.search.selectAll()
        elif event.key() == Qt.Key.Key_F3:
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._soon.stop()
        self._search_soon.stop()
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
            job.wait(5.0)
        self._forget()
        event.accept()

    def reject(self) -> None:
        self.close()
