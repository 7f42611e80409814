"""Find and replace by an expression: what matches, before and after, and then all of it as one step.

What the language is, and what a value may become, is said in `reading.expression` and `edits.replace`.
"""

import math
import shlex
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtWidgets import QLineEdit, QTableView, QVBoxLayout, QWidget

from ...edits.replace import FieldChange, ReplacePreview, preview, replace_where
from ...errors import FieldError, error_sentence
from ...format import Field, exact_text
from ...format.schema import Value
from ...format.values import flag_names
from ...reading import short_blueprint
from ...reading.expression import ExpressionError, Query, parse
from ...recording import Edit, Place
from ...texts import N_, listed, say, say_count, value_names
from ...views.command_words import schema_words
from ..session import Session
from ..style.boxes import fill
from ..style.theme import Theme
from ..widgets import Label, Segmented
from ..widgets.completion import ExpressionCompleter
from ..widgets.error_line import ErrorLine
from ..widgets.keyboard import ViewKeys
from ..widgets.rows import set_read_only
from ..widgets.rows_model import RowsModel
from .preview import PreviewDialog

MOST = 5_000
EXAMPLE = "Position where id == 174 and location.z < 0: location.z = 0"
_WHOLE, _RANGE, _FRAME = range(3)


_COLUMNS = (N_("Frame"), N_("Record"), N_("Actor"), N_("Field"), N_("Before"), N_("After"))
WIDTHS = (70, 60, 220, 130, 150, 150)
FRAME_AT, RECORD_AT, ACTOR_AT, FIELD_AT, BEFORE_AT, AFTER_AT = range(6)


class ChangesModel(RowsModel[FieldChange]):
    """The first changes of a preview: texts are made of the rows in sight alone.

    Attribute: `query`, which found them.
    """

    columns = len(_COLUMNS)
    numbers = FRAME_AT, RECORD_AT

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.query: Query | None = None

    def shown(self, change: FieldChange, column: int, role: int) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(change, column)
        palette = self.theme.palette
        if role == Qt.ItemDataRole.FontRole:
            if column == FIELD_AT:
                return self.theme.font
            return self.theme.mono
        if role == Qt.ItemDataRole.ForegroundRole:
            if column in (RECORD_AT, BEFORE_AT):
                return palette.muted
            return palette.text
        return None

    def _text(self, change: FieldChange, column: int) -> str:
        if column == FRAME_AT:
            return f"{change.frame_index + 1:,}"
        if column == RECORD_AT:
            return f"{change.record + 1:,}"
        if column == ACTOR_AT:
            return self._actor(change)
        if self.query is None or not change.field:
            return ""
        field = self.query.kind.record.fields[change.field]
        if column == FIELD_AT:
            return field.label
        if column == BEFORE_AT:
            return value_text(field, change.before)
        return value_text(field, change.after)

    def _actor(self, change: FieldChange) -> str:
        if change.actor is None:
            return ""
        actors = self.session.actors
        life = None
        if actors is not None:
            life = actors.at(change.actor, change.frame_index)
        if life is not None:
            return f"{change.actor}  {short_blueprint(life.blueprint)}"
        return str(change.actor)

    def head(self, column: int) -> str:
        return say(_COLUMNS[column])


def value_text(field: Field, value: Value) -> str:
    """A value in full, with the name that an enumeration or bits give it."""
    text = exact_text(field, value)
    if isinstance(value, int) and not isinstance(value, bool):
        if field.choices:
            return f"{text} {value_names(field.choices).get(value, '')}".strip()
        if field.flags:
            return f"{text} {flag_names(field, value)}"
    return text


class ReplaceDialog(PreviewDialog):
    """Stays beside the window: a row of the list selects its record there.

    Attributes: `query` (what was typed; None while it is no expression), `found` (its matches; None while they are
    not known).
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "replaceDialog", parent)
        self.query: Query | None = None
        self.found: ReplacePreview | None = None
        about = say("Change fields of the records that match a condition")
        self.say(say("Find and replace"), say("Find and replace"), about)
        self._text = ""
        self._asked = range(0)
        self._make_question()
        self._make_list()
        self.total = Label(theme, "", "small", "muted")
        self.place(self.stack(self.view, 200), self.total)
        self.add_answers(say("Apply"), self.apply, stays=True)
        self.go.setToolTip(say("Apply all changes as one undo step"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(theme.px(860), theme.px(580))
        session.editing.changed.connect(self.on_change)
        session.selection.changed.connect(self._follow_frame)
        session.range.changed.connect(self._follow_range)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.line.setText(suggestion(session))
        self.line.selectAll()
        self.line.setFocus()
        self._follow_range()
        self.on_change()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_question(self) -> None:
        self.line = QLineEdit(placeholderText=EXAMPLE)
        self.line.setAccessibleName(say("Expression"))
        self.line.setToolTip(
            say(
                "PACKET where CONDITION: FIELD = VALUE, FIELD = VALUE. Fields are in the "
                "file's units; speed (m/s), heading, frame, time (s), blueprint, role and x, "
                "y, z (m) can be used in conditions."
            )
        )
        self.line.textChanged.connect(self.on_change)
        self.completer = ExpressionCompleter(self.session, self.theme, self.line)
        self.wrong = ErrorLine(self.theme, self.line)
        scopes = (say("Whole recording"), say("In-out range"), say("This frame"))
        self.scope = Segmented(self.theme, scopes, name=say("Frames"))
        self.scope.changed.connect(self.on_change)
        typed = QWidget()
        fill(QVBoxLayout(typed), self.line, self.wrong, spacing=1)
        self.form.add_row(say("Expression"), typed)
        self.form.add_row(say("Frames"), self.scope)

    def _make_list(self) -> None:
        self.model = ChangesModel(self.session, self.theme, self)
        self.view = QTableView()
        self.view.setModel(self.model)
        set_read_only(self.view, self.theme, say("Before and after"))
        self.view.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.view.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.clicked.connect(self.go_to)
        # Enter on a row shows it, and is not meant for the button.
        ViewKeys(self.view, {"Return; Enter": lambda: self.go_to(self.view.currentIndex())})
        self.view.selectionModel().currentRowChanged.connect(self.go_to)

    def _restyle(self) -> None:
        self.line.setFont(self.theme.mono)
        self.view.verticalHeader().setDefaultSectionSize(self.theme.px(22))
        for column, width in enumerate(WIDTHS):
            self.view.setColumnWidth(column, self.theme.px(width))

    # --- what is asked ----------------------------------------------------------------------------------

    def frames(self) -> range:
        """The frames that are meant, as indices."""
        if self.scope.current == _RANGE:
            return self.session.range.frames
        index = self.session.selection.frame_index
        if self.scope.current == _FRAME:
            return range(index, index + 1)
        return range(self.session.frames)

    def command_line(self) -> str:
        """The command that does the same; empty where nothing is set."""
        recording = self.session.recording
        query = self.query
        frames = self.frames()
        if query is None or not query.assignments or recording is None:
            return ""
        text = self._text
        path = recording.path
        if self.scope.current != _WHOLE and frames:
            text = query.within(frames[0] + 1, frames[-1] + 1)
        target = path.with_stem(f"{path.stem}-edited")
        words = ["recorder-editor", "edit", path.name, target.name, "--set", text]
        words += schema_words(path, recording.snapshot)
        return shlex.join(words)

    def _follow_frame(self) -> None:
        # A click in the list goes to a frame; what is meant by “this frame” is the one the window shows then.
        if self.scope.current == _FRAME and self.found is not None and self.frames() != self._asked:
            self.on_change()

    def _follow_range(self) -> None:
        self.scope.segment(_RANGE).setEnabled(self.session.range.is_set)
        if self.scope.current == _RANGE:
            if not self.session.range.is_set:
                self.scope.set_current(_WHOLE)
            self.on_change()

    # --- looking before ---------------------------------------------------------------------------------

    def invalidate(self) -> None:
        """The matches are not known."""
        super().invalidate()
        self.found = None

    def update_preview(self) -> None:
        """Look for matches, or say what is wrong with the expression."""
        snapshot = self.session.snapshot
        text = self.line.text()
        self.query = None
        self._text = text.strip()
        if snapshot is None:
            return
        try:
            if self._text:
                query = parse(text, snapshot.dialect)
                query.need_map(snapshot)
                self.query = query
            self.wrong.show_error("")
        except ExpressionError as error:
            self.wrong.show_error(error.message, error.column)
        self.command.say(self.command_line())
        if self.wrong.message:
            self._show_nothing(say("The search starts when the expression is complete."))
        elif self.query is None:
            self._show_nothing(say("Type a condition, then a colon and the new values"), EXAMPLE)
        else:
            frames = self._asked = self.frames()
            work = partial(preview, snapshot, text, MOST, frames)
            self.preview(say("Looking for matches"), work, self._show)

    def report(self, share: float) -> None:
        """Say how much was looked through."""
        self.total.setText(say("Looking, {share:.0f} %", share=share * 100))

    def _show(self, result: ReplacePreview) -> None:
        self.found = result
        query = self.query
        assert query is not None
        self.is_ready = result.changed > 0
        self.model.query = query
        self.model.show(result.changes)
        for column in (FIELD_AT, BEFORE_AT, AFTER_AT):
            self.view.setColumnHidden(column, not query.assignments)
        self.total.setText(self._count_text(result, has_assignments=bool(query.assignments)))
        if result.changes:
            self.show_view()
            self.view.scrollToTop()
        elif result.matches:
            self.show_words(say("All matching records have these values already"))
        else:
            suggestion = ""
            if self.session.actors is not None:
                suggestion = query.misspelt(self.session.actors)
            self.show_words(say("No record of {kind} matches", kind=query.type_name), suggestion)

    def _count_text(self, result: ReplacePreview, *, has_assignments: bool) -> str:
        text = say_count(
            "1 record matches in {frames}",
            "{count:,} records match in {frames}",
            count=result.matches,
            frames=say_count("1 frame", "{count:,} frames", count=result.frames),
        )
        if has_assignments and result.matches:
            text = listed((text, say("{count:,} of them would change", count=result.changed)), "clauses")
        if result.more:
            text = listed((text, say("the first {count:,} lines are shown", count=len(result.changes))), "parts")
        return text

    def _show_nothing(self, words: str, detail: str = "", icon: str = "") -> None:
        self.model.show(())
        self.total.setText("")
        self.show_words(words, detail, icon, "error")

    def show_refusal(self, error: Exception) -> None:
        """Say which value cannot be set."""
        detail = ""
        if isinstance(error, FieldError):
            detail = say("Nothing can be applied; exclude these records in the condition.")
        self._show_nothing(error_sentence(error), detail, "error")
        self.command.say("")

    def go_to(self, index: QModelIndex) -> None:
        """Select the record of a row in the window."""
        snapshot = self.session.snapshot
        if not index.isValid() or snapshot is None:
            return
        change = self.model.rows[index.row()]
        if change.frame_index < len(snapshot):
            row = snapshot.table.row_of_frame(change.frame_index)
            self.session.selection.select(Place(row, change.packet, change.record, change.field or None))

    # --- applying ---------------------------------------------------------------------------------------

    def apply(self) -> None:
        """Make the changes, as a job."""
        snapshot = self.session.snapshot
        text = self.line.text()
        frames = self.frames()
        if snapshot is None or self.job_panel.is_busy:
            return

        def done(edit: Edit) -> None:
            self.session.editing.apply(edit)
            self.job_panel.show_sentence(say("{label}. Undo takes it back.", label=edit.label), "fine")

        self.run(say("Replacing"), partial(replace_where, snapshot, text, frames), done)


def suggestion(session: Session) -> str:
    """Return an expression for the selected field, to begin with: it changes nothing as it stands."""
    selected = session.selection.target
    packet = selected.packet
    leaf = selected.leaf
    actor = selected.actor
    if packet is None or selected.record is None:
        return ""
    text = packet.name
    if packet.type.actor_field is not None and actor is not None:
        text += f" where id == {actor}"
    if leaf is None or leaf.path not in packet.type.record.fields or leaf.field.actor:
        return text
    value = packet.decoded.value(leaf)
    if isinstance(value, bytes) or (isinstance(value, float) and not math.isfinite(value)):
        return text
    if not isinstance(value, str):
        return f"{text}: {leaf.path} = {exact_text(leaf.field, value)}"
    if '"' in value:
        return text
    return f'{text}: {leaf.path} = "{value}"'
