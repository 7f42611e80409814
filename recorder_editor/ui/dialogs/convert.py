"""Making the recording one of another release, with a look at what cannot be carried before.

What is lost, and what it is made of, is `edits.convert`'s business.
"""

import shlex
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedLayout,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from ...edits.convert import Conversion, Loss, convert, foresee, is_lossy, warning
from ...errors import RecorderError
from ...format.dialects import DIALECTS
from ...progress import Progress
from ..jobs import Job
from ..session import Session
from ..theme import Theme
from ..widgets import ChoiceEdit, ElidedLabel, EmptyState, Label, ProgressStrip
from .base import BaseDialog


class _Sign(NamedTuple):
    icon: str
    color: str
    word: str


class ConvertDialog(BaseDialog):
    """Chooses a dialect, shows what would be lost, and converts: one step that can be undone."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("convertDialog")
        self.session = session
        snapshot = session.snapshot_or_refuse()
        self.snapshot = snapshot
        self.say(
            self.tr("Convert"),
            self.tr("Convert to another release"),
            self.tr("Now it is %1, %2").replace("%1", snapshot.dialect.title).replace("%2", snapshot.dialect.name),
        )
        self.names = tuple(name for name in DIALECTS if name != snapshot.dialect.name)
        titles = {number: f"{DIALECTS[name].title}, {name}" for number, name in enumerate(self.names)}
        self.choice = ChoiceEdit(theme, titles, numbers=False, name=self.tr("Dialect"))
        self.choice.set_value(self._nearest())
        self.choice.committed.connect(self._choose)
        self.body.addWidget(self.choice)
        self._make_list()
        self.caution = Label(theme, "", "small")
        self.caution.setWordWrap(True)
        self.body.addWidget(self.caution)
        self._make_foot()
        self._job: Job | None = None
        self.losses: tuple[Loss, ...] | None = None
        session.opened.connect(self.reject)
        self.resize(theme.px(640), self.minimumHeight())
        self._look()

    def _nearest(self) -> int:
        """The dialect after the present one, or the newest."""
        order = tuple(DIALECTS)
        following = order.index(self.snapshot.dialect.name) + 1
        return self.names.index(order[following]) if following < len(order) else len(self.names) - 1

    # --- parts ------------------------------------------------------------------------------------------

    def _make_list(self) -> None:
        self.list = QTableWidget(0, 2)
        self.list.setHorizontalHeaderLabels((self.tr("What does not come through as it is"), self.tr("First frame")))
        self.list.setProperty("framed", True)
        self.list.setAccessibleName(self.tr("What does not come through as it is"))
        self.list.setShowGrid(False)
        self.list.setWordWrap(False)
        self.list.verticalHeader().hide()
        self.list.verticalHeader().setDefaultSectionSize(self.theme.px(22))
        self.list.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.list.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        header = self.list.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, side in enumerate((Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)):
            item = self.list.horizontalHeaderItem(column)
            if item is not None:
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.list.setColumnWidth(1, self.theme.px(90))
        self.empty = EmptyState(self.theme, self.tr("Looking..."), ground="field")
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.empty)
        holder.setMinimumHeight(self.theme.px(180))
        self.body.addWidget(holder, 1)

    def _make_foot(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.command = ElidedLabel(self.theme, "", "mono", "muted")
        self.command.setAccessibleName(self.tr("The command that does the same"))
        copy = QPushButton(self.tr("Copy command"))
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command_line()))
        line.addWidget(self.command, 1)
        line.addWidget(copy)
        self.body.addLayout(line)
        self.strip = ProgressStrip(self.theme)
        self.strip.cancelled.connect(self._stop)
        self.strip.hide()
        self.body.addWidget(self.strip)
        self.outcome = Label(self.theme, "", "font", "error")
        self.outcome.setWordWrap(True)
        self.outcome.hide()
        self.body.addWidget(self.outcome)
        self.close_button = self.add_button(self.tr("Cancel"), self.reject)
        self.go = self.add_button(self.tr("Convert"), self.convert, filled=True)

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def dialect(self) -> str:
        """The name of the dialect that is chosen."""
        return self.names[self.choice.value or 0]

    def command_line(self) -> str:
        """The command that does the same."""
        recording = self.session.recording
        path = recording.path if recording is not None else Path("IN.log")
        out = f"{path.stem}-{self.dialect}{path.suffix}"
        return shlex.join(["recorder-editor", "convert", path.name, out, "--dialect", self.dialect])

    def _choose(self, value: str) -> None:
        self.choice.set_value(int(value))
        self._look()

    # --- looking before ---------------------------------------------------------------------------------

    def _look(self) -> None:
        self._stop()
        snapshot, name = self.snapshot, self.dialect
        self.command.setText(self.command_line())
        self.command.setToolTip(self.command_line())
        self._tell("")
        self._warn(warning(snapshot.dialect, DIALECTS[name]))
        self.losses = None
        self.go.setEnabled(False)
        self.empty.set_icon("")
        self.empty.set_text(self.tr("Looking..."))
        self._stack.setCurrentWidget(self.empty)

        def work(progress: Progress) -> tuple[Loss, ...]:
            return foresee(snapshot, name, progress=progress)

        self._job = self.session.jobs.start(
            self.tr("Looking at what would be lost"), work, self._show, self._refuse, quiet=True
        )

    def _warn(self, sentence: str) -> None:
        self.caution.setText(sentence)
        self.caution.setVisible(bool(sentence))
        self.make_room()

    def _show(self, losses: tuple[Loss, ...]) -> None:
        self._job = None
        self.losses = losses
        self.list.setRowCount(len(losses))
        for row, loss in enumerate(losses):
            sign = self._sign(loss)
            what = QTableWidgetItem(self.theme.icons.icon(sign.icon, sign.color), loss.message)
            what.setToolTip(f"{sign.word}: {loss.message}")
            what.setData(Qt.ItemDataRole.AccessibleTextRole, f"{sign.word}: {loss.message}")
            first = QTableWidgetItem(f"{loss.frame_index + 1:,}" if loss.frame_index is not None else "")
            first.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            first.setFont(self.theme.mono)
            self.list.setItem(row, 0, what)
            self.list.setItem(row, 1, first)
        self.empty.set_icon("checks", "fine")
        self.empty.set_text(
            self.tr("Nothing is lost"), self.tr("Converted back, it is the same recording again, byte for byte")
        )
        self._stack.setCurrentWidget(self.list if losses else self.empty)
        self.go.setText(self.tr("Convert with loss") if is_lossy(losses) else self.tr("Convert"))
        self.go.setEnabled(True)

    def _sign(self, loss: Loss) -> _Sign:
        if loss.is_lossy:
            return _Sign("warning", "warning", self.tr("Lost"))
        return _Sign("info", "muted", self.tr("Changed"))

    def _refuse(self, error: Exception) -> None:
        self._job = None
        self.strip.hide()
        self.choice.setEnabled(True)
        self._tell(error.message if isinstance(error, RecorderError) else str(error))
        self.empty.set_icon("error", "error")
        self.empty.set_text(self.tr("This cannot be converted"))
        self._stack.setCurrentWidget(self.empty)

    # --- converting -------------------------------------------------------------------------------------

    def convert(self) -> None:
        """Convert, as a job; the dialog goes when it is done."""
        snapshot, name = self.snapshot, self.dialect

        def work(progress: Progress) -> Conversion:
            return convert(snapshot, name, progress=progress)

        title = self.tr("Converting to %1").replace("%1", name)
        job = self.session.jobs.start(title, work, self._apply, self._refuse)
        self._job = job
        self._tell("")
        self.strip.set_cancellable(True)
        self.strip.set_progress(title, None)
        self.strip.show()
        self.go.setEnabled(False)
        self.choice.setEnabled(False)
        job.progressed.connect(lambda: self._report(job))
        job.ended.connect(lambda: self._end(job))

    def _apply(self, conversion: Conversion) -> None:
        self._job = None
        try:
            self.session.apply(conversion.edit)
        except RecorderError as error:
            self._refuse(error)
            return
        self.accept()

    def _report(self, job: Job) -> None:
        if self._job is job:
            self.strip.set_progress(job.title, job.share, job.seconds_left)

    def _end(self, job: Job) -> None:
        # After a cancel nobody else is told; the dialog may have gone meanwhile, and has let go of its job then.
        if self._job is job:
            self._job = None
            self.strip.hide()
            self.choice.setEnabled(True)
            self.go.setEnabled(True)

    def _tell(self, words: str) -> None:
        self.outcome.setText(words)
        self.outcome.setVisible(bool(words))
        self.make_room()

    def _stop(self) -> None:
        """Let a job that runs come to its end soon."""
        if self._job is not None:
            self._job.cancel()

    def let_go(self) -> None:
        """Cancel what runs, and let go of what was read."""
        self._stop()
        self._job = None
