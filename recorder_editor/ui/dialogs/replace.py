"""Find and replace by an expression: what matches, before and after, and then all of it as one step.

What the language is, and what a value may become, is said in `recording.expression` and `edits.replace`.
"""

import math
import shlex

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from ...edits.place import Place
from ...edits.replace import Preview, preview, replace_where
from ...errors import FieldError, RecorderError
from ...format.values import exact_text
from ...progress import Progress
from ...recording.expression import ExpressionError, Query, parse
from ...recording.history import Edit
from ..jobs import Job
from ..rest import Rest
from ..session import Session
from ..theme import Theme
from ..widgets import ElidedLabel, EmptyState, Label, ProgressStrip, Segmented
from ..widgets.error_line import ErrorLine
from .base import BaseDialog
from .changes import AFTER_AT, BEFORE_AT, FIELD_AT, WIDTHS, ChangesModel

Index = QModelIndex | QPersistentModelIndex
MOST = 5_000
EXAMPLE = "Position where id == 174 and location.z < 0: location.z = 0"
_WHOLE, _RANGE, _FRAME = range(3)


class ReplaceDialog(BaseDialog):
    """Stays beside the window: a row of the list selects its record there."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("replaceDialog")
        self.session = session
        self.query: Query | None = None
        self.found: Preview | None = None
        about = self.tr("Records of a packet that meet a condition, and what becomes of their fields")
        self.say(self.tr("Find and replace"), self.tr("Find and replace"), about)
        self._asked = range(0)
        self._job: Job | None = None
        self._looking: Job | None = None
        self._soon = Rest(self, self._look)
        self._make_question()
        self._make_list()
        self._make_foot()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(theme.px(860), theme.px(580))
        session.opened.connect(self.close)
        session.changed.connect(self._follow)
        session.selected.connect(self._follow_frame)
        session.range_changed.connect(self._follow_range)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.line.setText(suggestion(session))
        self.line.selectAll()
        self.line.setFocus()
        self._follow_range()
        self._typed()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_question(self) -> None:
        self.line = QLineEdit()
        self.line.setAccessibleName(self.tr("Expression"))
        self.line.setPlaceholderText(EXAMPLE)
        self.line.setToolTip(
            self.tr(
                "PACKET where CONDITION: FIELD = VALUE, FIELD = VALUE. Fields are in the file's units; speed (m/s), "
                "heading, frame, time (s), blueprint, role and x, y, z (m) can be asked for."
            )
        )
        self.line.textChanged.connect(self._typed)
        self.wrong = ErrorLine(self.theme, self.line)
        scopes = (self.tr("Whole recording"), self.tr("In to out"), self.tr("This frame"))
        self.scope = Segmented(self.theme, scopes, name=self.tr("Frames"))
        self.scope.changed.connect(self._typed)
        typed = QVBoxLayout()
        typed.setSpacing(1)
        typed.addWidget(self.line)
        typed.addWidget(self.wrong)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        top = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        middle = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        label = Label(self.theme, self.tr("Expression"), "font", "muted")
        label.setContentsMargins(0, 4, 0, 0)
        grid.addWidget(label, 0, 0, top)
        grid.addLayout(typed, 0, 1)
        grid.addWidget(Label(self.theme, self.tr("Frames"), "font", "muted"), 1, 0, middle)
        grid.addWidget(self.scope, 1, 1, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)

    def _make_list(self) -> None:
        self.model = ChangesModel(self.session, self.theme, self)
        self.view = QTableView()
        self.view.setModel(self.model)
        self.view.setProperty("framed", True)
        self.view.setAccessibleName(self.tr("Before and after"))
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setTabKeyNavigation(False)
        self.view.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.view.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.view.verticalHeader().hide()
        header = self.view.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        self.view.clicked.connect(self.go_to)
        self.view.activated.connect(self.go_to)
        self.view.selectionModel().currentRowChanged.connect(self.go_to)
        self.empty = EmptyState(self.theme, "", ground="field")
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        holder.setMinimumHeight(self.theme.px(200))
        self.total = Label(self.theme, "", "small", "muted")
        self.body.addWidget(holder, 1)
        self.body.addWidget(self.total)

    def _make_foot(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.command = ElidedLabel(self.theme, "", "mono", "muted")
        self.command.setAccessibleName(self.tr("The command that does the same"))
        self.copy_button = QPushButton(self.tr("Copy command"))
        self.copy_button.setAutoDefault(False)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command_line()))
        line.addWidget(self.command, 1)
        line.addWidget(self.copy_button)
        self.body.addLayout(line)
        self.strip = ProgressStrip(self.theme)
        self.strip.cancelled.connect(self._cancel)
        self.strip.hide()
        self.body.addWidget(self.strip)
        self.outcome = Label(self.theme, "", "font")
        self.outcome.setWordWrap(True)
        self.outcome.hide()
        self.body.addWidget(self.outcome)
        self.close_button = self.add_button(self.tr("Close"), self.close)
        self.go = self.add_button(self.tr("Apply"), self.apply, filled=True)
        self.go.setToolTip(self.tr("Make all of these changes; one step in History"))

    def _restyle(self) -> None:
        self.line.setFont(self.theme.mono)
        self.view.verticalHeader().setDefaultSectionSize(self.theme.px(22))
        for column, width in enumerate(WIDTHS):
            self.view.setColumnWidth(column, self.theme.px(width))

    # --- what is asked ----------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What was typed."""
        return self.line.text().strip()

    def frames(self) -> range:
        """The frames that are meant, as indices."""
        if self.scope.current == _RANGE:
            return self.session.range
        index = self.session.frame_index
        return range(index, index + 1) if self.scope.current == _FRAME else range(self.session.frames)

    def command_line(self) -> str:
        """The command that does the same."""
        recording = self.session.recording
        text, name = self.text, "IN"
        frames = self.frames()
        if self.query is not None and self.scope.current != _WHOLE and frames:
            text = self.query.within(frames[0] + 1, frames[-1] + 1)
        target = "OUT"
        if recording is not None:
            name = recording.path.name
            target = recording.path.with_stem(f"{recording.path.stem}-edited").name
        return shlex.join(["recorder-editor", "edit", name, target, "--set", text])

    def _typed(self, _value: object = None) -> None:
        """Something is asked anew: nothing can be applied before it was looked at."""
        self._tell("")
        self.go.setEnabled(False)
        self._soon.begin()

    def _follow(self) -> None:
        self._tell("")
        self.go.setEnabled(False)
        self._soon.begin()

    def _follow_frame(self) -> None:
        # A click in the list goes to a frame; what is meant by “this frame” is the one the window shows then.
        if self.scope.current == _FRAME and self.found is not None and self.frames() != self._asked:
            self._typed()

    def _follow_range(self) -> None:
        self.scope.segment(_RANGE).setEnabled(self.session.has_range)
        if self.scope.current == _RANGE:
            if not self.session.has_range:
                self.scope.set_current(_WHOLE)
            self._typed()

    # --- looking before ---------------------------------------------------------------------------------

    def _look(self) -> None:
        self._stop_looking()
        snapshot, text = self.session.snapshot, self.line.text()
        self.query, self.found = None, None
        if snapshot is None:
            return
        try:
            self.query = parse(text, snapshot.dialect) if text.strip() else None
        except ExpressionError as error:
            self.wrong.say(error.message, error.column)
            self._show_nothing(self.tr("Nothing is looked for until the expression is whole."))
            return
        finally:
            self._show_command()
        self.wrong.say("")
        if self.query is None:
            self._show_nothing(self.tr("Type what to look for, and behind a colon what it becomes"), EXAMPLE)
            return
        frames = self._asked = self.frames()

        def work(progress: Progress) -> Preview:
            return preview(snapshot, text, MOST, frames, progress)

        title = self.tr("Looking for matches")
        job = self._looking = self.session.jobs.start(title, work, self._show, self._refuse, quiet=True)
        job.progressed.connect(lambda: self._report_looking(job))

    def _show_command(self) -> None:
        usable = self.query is not None and bool(self.query.assignments)
        self.command.setText(self.command_line() if usable else "")
        self.command.setToolTip(self.command.text())
        self.copy_button.setEnabled(usable)

    def _report_looking(self, job: Job) -> None:
        if self._looking is job and job.share is not None:
            self.total.setText(self.tr("Looking, %1 %").replace("%1", f"{job.share * 100:.0f}"))

    def _show(self, found: Preview) -> None:
        self._looking, self.found = None, found
        query = self.query
        assert query is not None
        self.model.show(query, found.changes)
        for column in (FIELD_AT, BEFORE_AT, AFTER_AT):
            self.view.setColumnHidden(column, not query.assignments)
        self.total.setText(self._count(found, bool(query.assignments)))
        self.go.setEnabled(found.changed > 0 and self._job is None)
        if found.changes:
            self._stack.setCurrentIndex(0)
            self.view.scrollToTop()
        elif found.matches:
            self._say_in_list(self.tr("All that match hold these values already"))
        else:
            self._say_in_list(self.tr("No record of %1 matches").replace("%1", query.type_name))

    def _count(self, found: Preview, sets: bool) -> str:
        frames = self.tr("1 frame") if found.frames == 1 else self.tr("%1 frames").replace("%1", f"{found.frames:,}")
        records = self.tr("1 record matches") if found.matches == 1 else self.tr("%1 records match")
        said = records.replace("%1", f"{found.matches:,}") + self.tr(" in %1").replace("%1", frames)
        if sets and found.matches:
            said += self.tr(", %1 of them would change").replace("%1", f"{found.changed:,}")
        if found.more:
            said += self.tr("; the first %1 lines are shown").replace("%1", f"{len(found.changes):,}")
        return said

    def _show_nothing(self, words: str, detail: str = "", *, wrong: bool = False) -> None:
        self.model.show(None, ())
        self.total.setText("")
        self.go.setEnabled(False)
        self._say_in_list(words, detail, wrong=wrong)

    def _say_in_list(self, words: str, detail: str = "", *, wrong: bool = False) -> None:
        self.empty.set_text(words, detail)
        self.empty.set_icon("error" if wrong else "", "error")
        self._stack.setCurrentIndex(1)

    def _refuse(self, error: Exception) -> None:
        self._looking = None
        self.copy_button.setEnabled(False)
        detail = self.tr("Nothing can be applied; the condition could leave it out.")
        self._show_nothing(_sentence(error), detail if isinstance(error, FieldError) else "", wrong=True)

    def go_to(self, index: QModelIndex) -> None:
        """Select the record of a row in the window."""
        snapshot = self.session.snapshot
        if not index.isValid() or snapshot is None:
            return
        change = self.model.changes[index.row()]
        if change.frame_index < len(snapshot):
            row = snapshot.table.row_of_frame(change.frame_index)
            self.session.select(Place(row, change.packet, change.record, change.field or None))

    # --- applying ---------------------------------------------------------------------------------------

    def apply(self) -> None:
        """Make the changes, as a job."""
        snapshot, text, frames = self.session.snapshot, self.line.text(), self.frames()
        if snapshot is None or self._job is not None:
            return

        def work(progress: Progress) -> Edit:
            return replace_where(snapshot, text, frames=frames, progress=progress)

        title = self.tr("Replacing")
        job = self._job = self.session.jobs.start(title, work, self._take, self._fail)
        self._tell("")
        self.go.setEnabled(False)
        self.strip.set_cancellable(True)
        self.strip.set_progress(title, None)
        self.strip.show()
        job.progressed.connect(lambda: self._report(job))
        job.ended.connect(lambda: self._end(job))

    def _take(self, edit: Edit) -> None:
        try:
            self.session.apply(edit)
        except RecorderError as error:
            self._fail(error)
            return
        self._tell(self.tr("%1. One step in History takes it back.").replace("%1", edit.label), "fine")

    def _fail(self, error: Exception) -> None:
        self._tell(_sentence(error), "error")

    def _report(self, job: Job) -> None:
        if self._job is job:
            self.strip.set_progress(job.title, job.share, job.seconds_left)

    def _end(self, job: Job) -> None:
        # The dialog may have gone meanwhile; then it has let go of its job.
        if self._job is job:
            self._job = None
            self.strip.hide()
            self._soon.begin()

    def _tell(self, words: str, color: str = "text") -> None:
        """Say what came of it."""
        self.outcome.set_color(color)
        self.outcome.setText(words)
        self.outcome.setVisible(bool(words))

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _stop_looking(self) -> None:
        self._soon.stop()
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.view.hasFocus():
            # Enter on a row shows it, and is not meant for the button.
            event.accept()
            return
        super().keyPressEvent(event)

    def reject(self) -> None:
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop_looking()
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
        event.accept()


def suggestion(session: Session) -> str:
    """An expression for what is selected, to begin with: it changes nothing as it stands."""
    packet, record, leaf, actor = (getattr(session.found, name) for name in ("packet", "record", "leaf", "actor"))
    if packet is None or record is None:
        return ""
    text = str(packet.name)
    if packet.type.actor_field is not None and actor is not None:
        text += f" where id == {actor}"
    if leaf is None or leaf.path not in packet.type.record.fields or leaf.field.actor:
        return text
    value = packet.decoded.value(leaf)
    if isinstance(value, bytes) or (isinstance(value, float) and not math.isfinite(value)):
        return text
    shown = f'"{value}"' if isinstance(value, str) else exact_text(leaf.field, value)
    return text if isinstance(value, str) and '"' in value else f"{text}: {leaf.path} = {shown}"


def _sentence(error: Exception) -> str:
    if isinstance(error, RecorderError):
        return error.message
    if isinstance(error, OSError):
        return f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ") + "."
    return str(error)
