"""A form for one edit: fields from a description, a sentence what would come of them, and the edit as a job.

Which fields there are, and what is made of them, is said by whoever opens it; it knows no edit.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from PySide6.QtCore import QPoint, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QGridLayout, QWidget

from ...edits.operations.schema import Ghost
from ...errors import RecorderError
from ...progress import Progress
from ...recording.history import Edit
from ...recording.snapshot import Snapshot
from ..jobs import Job
from ..session import Scope, Session
from ..theme import Theme
from ..widgets import AngleEdit, CheckEdit, ChoiceEdit, FlagsEdit, Label, NumberEdit, TextEdit
from ..working import Sentence, Working
from .base import BaseDialog
from .widgets import CommandLine

Kind = Literal["number", "angle", "whole", "text", "choice", "flags", "check", "frames"]
Values = Mapping[str, Any]
Editor = NumberEdit | TextEdit | ChoiceEdit | FlagsEdit | CheckEdit
SCOPES: tuple[tuple[Scope, str], ...] = (
    ("life", "Whole life"),
    ("range", "In to out"),
    ("onward", "From here on"),
    ("frame", "This frame"),
)
_LONGEST_LIST = 5_000
_WIDTH = 168
_BELOW_TOOLBAR = 72


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a form.

    Attributes: `name`, `label`, `kind` (`whole`: a whole number; `frames`: for which frames, a `Scope` that is handed
    on as a range, None for the whole life), `value` (None: nothing stands there), `unit`, `choices` (of `choice`:
    number and name; of `flags`: bit and name; of `frames`: other names), `offers` (texts that are proposed), `low`,
    `high`, `step`, `optional` (may stay empty, which is None), `hint` (what stands there then), `tip`.
    """

    name: str
    label: str
    kind: Kind
    value: Any = None
    unit: str = ""
    choices: Mapping[int, str] = field(default_factory=dict)
    offers: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    step: float = 1
    optional: bool = False
    hint: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class FormSpec:
    """What a form is for.

    Attributes: `title` (of the window), `heading`, `words` (a sentence below it), `verb` (on the button), `fields`,
    `make` (state, values, progress to the edit), `tell` (values to a sentence what they lead to; raises
    `RecorderError` for a reason against them), `command` (values to the arguments of the command line behind IN and
    OUT, the verb first; None where there is none), `count` (state, values, progress to a further sentence that
    takes longer to find out), `ghosts` (values to where actors of this frame would be), `follow` (the name of a field
    that was changed and all values, to the values of others that follow it).
    """

    title: str
    heading: str
    verb: str
    fields: tuple[FieldSpec, ...]
    make: Callable[[Snapshot, Values, Progress], Edit]
    words: str = ""
    tell: Callable[[Values], str] | None = None
    command: Callable[[Values], Sequence[str] | None] | None = None
    count: Callable[[Snapshot, Values, Progress], str] | None = None
    ghosts: Callable[[Values], Sequence[Ghost]] | None = None
    follow: Callable[[str, Values], Values] | None = None


class OptionalNumber(NumberEdit):
    """A number that may be missing. Attribute: `hint` (stands in its place)."""

    hint = ""

    def reason_against(self, text: str) -> str:
        return super().reason_against(text) if text.strip() else ""

    def set_missing(self) -> None:
        """Show that there is none."""
        self._value, self._exact = None, ""
        self.revert()

    def show_value(self) -> None:
        """Show the number, or what stands in its place."""
        super().show_value()
        self.setPlaceholderText(self.hint)


class FormDialog(BaseDialog):
    """Asks for a few values and makes one edit of them, as one step that can be undone.

    Signal: `ghosts_changed(tuple)` of `Ghost`, where the scene may show what is meant.
    """

    ghosts_changed = Signal(object)

    def __init__(self, session: Session, theme: Theme, spec: FormSpec, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("formDialog")
        self.session = session
        self.spec = spec
        self.values: dict[str, Any] = {}
        self._against = ""
        self._counting: Job | None = None
        self._counted: tuple[Snapshot, Values] | None = None
        self.editors: dict[str, Editor] = {}
        self.say(spec.title, spec.heading, spec.words)
        self.body.addLayout(self._grid())
        self.outlook = Label(theme, "", "small", "muted")
        self.outlook.setWordWrap(True)
        self.body.addWidget(self.outlook)
        self.against = Sentence(theme)
        self.body.addWidget(self.against)
        self.number = Label(theme, "", "small", "muted")
        self.number.setWordWrap(True)
        self.number.hide()
        self.body.addWidget(self.number)
        self.command = CommandLine(theme)
        self.body.addWidget(self.command)
        self.working = Working(session, theme)
        self.working.changed.connect(self.make_room)
        self.working.ended.connect(self._enable)
        self.body.addWidget(self.working)
        self.close_button = self.add_button(self.tr("Cancel"), self.reject)
        self.go = self.add_button(spec.verb, self.apply, filled=True)
        session.opened.connect(self.reject)
        session.selected.connect(self._look)
        session.range_changed.connect(self._look)
        self._look()
        if self.editors:
            first = next(iter(self.editors.values()))
            first.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.go.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- parts ------------------------------------------------------------------------------------------

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, ask in enumerate(self.spec.fields):
            editor = self._editor(ask)
            self.editors[ask.name] = editor
            editor.setObjectName(ask.name)
            label = Label(self.theme, ask.label, "font", "muted")
            label.setBuddy(editor)
            top = Qt.AlignmentFlag.AlignTop if ask.kind == "flags" else Qt.AlignmentFlag.AlignVCenter
            if ask.kind == "flags":
                label.setContentsMargins(0, 4, 0, 0)
            if ask.tip:
                # An editor's own says its exact value.
                label.setToolTip(ask.tip)
                editor.setAccessibleDescription(ask.tip)
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignRight | top)
            if isinstance(editor, ChoiceEdit):
                editor.setMinimumWidth(self.theme.px(_WIDTH))
            is_fixed = isinstance(editor, (NumberEdit, CheckEdit, ChoiceEdit))
            grid.addWidget(editor, row, 1, Qt.AlignmentFlag.AlignLeft if is_fixed else Qt.AlignmentFlag(0))
        return grid

    def _editor(self, ask: FieldSpec) -> Editor:
        editor: Editor
        if ask.kind in ("number", "whole"):
            kind = OptionalNumber if ask.optional else NumberEdit
            editor = kind(
                self.theme,
                ask.unit,
                integer=ask.kind == "whole",
                low=ask.low,
                high=ask.high,
                step=ask.step,
                name=ask.label,
            )
            editor.set_width(_WIDTH)
            if isinstance(editor, OptionalNumber):
                editor.hint = ask.hint
        elif ask.kind == "angle":
            editor = AngleEdit(self.theme, name=ask.label)
            editor.set_width(_WIDTH)
        elif ask.kind == "text":
            editor = TextEdit(self.theme, name=ask.label)
            self._propose(editor, ask.offers)
        elif ask.kind == "choice":
            editor = ChoiceEdit(self.theme, ask.choices, numbers=False, name=ask.label)
        elif ask.kind == "frames":
            names = dict(enumerate(self.tr(text) for _, text in SCOPES)) | dict(ask.choices)
            editor = ChoiceEdit(self.theme, names, numbers=False, name=ask.label)
        elif ask.kind == "flags":
            editor = FlagsEdit(self.theme, ask.choices, name=ask.label)
        else:
            editor = CheckEdit(self.theme, ask.label)
        self._put(ask, editor, ask.value)
        editor.committed.connect(lambda text: self._commit(ask, editor, text))
        return editor

    def _propose(self, editor: TextEdit, offers: Sequence[str]) -> None:
        if not offers:
            return
        completer = QCompleter(QStringListModel(list(offers[:_LONGEST_LIST]), editor), editor)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.activated.connect(lambda text: self._take_offer(editor, text))
        editor.setCompleter(completer)

    def _take_offer(self, editor: TextEdit, text: str) -> None:
        editor.setText(text)
        editor.textEdited.emit(text)
        editor.commit()

    # --- what is chosen ---------------------------------------------------------------------------------

    def _put(self, ask: FieldSpec, editor: Editor, value: Any) -> None:
        """Show a value, and hold it."""
        self.values[ask.name] = value
        if isinstance(editor, OptionalNumber) and value is None:
            editor.set_missing()
        elif isinstance(editor, TextEdit):
            editor.set_value(str(value or ""))
        elif isinstance(editor, ChoiceEdit) and ask.kind == "frames":
            editor.set_value([scope for scope, _ in SCOPES].index(value))
        elif isinstance(editor, CheckEdit):
            editor.set_value(bool(value))
        else:
            editor.set_value(value)

    def _commit(self, ask: FieldSpec, editor: Editor, text: str) -> None:
        value: Any = text
        if ask.kind in ("number", "angle"):
            try:
                value = float(text) if text.strip() else None
            except ValueError:
                # By its bits a field takes any number; what is reckoned with is one that can be written.
                assert isinstance(editor, NumberEdit)
                editor.refuse(self.tr("Not a number."))
                return
        elif ask.kind == "whole":
            value = int(text, 16 if "x" in text.lower() else 10) if text.strip() else None
        elif ask.kind == "frames":
            value = SCOPES[int(text)][0]
        elif ask.kind in ("choice", "flags"):
            value = int(text)
        elif ask.kind == "check":
            value = text == "1"
        self._put(ask, editor, value)
        if self.spec.follow is not None:
            others = self.spec.follow(ask.name, self.values)
            for other in self.spec.fields:
                if other.name in others:
                    self._put(other, self.editors[other.name], others[other.name])
        self.working.tell("")
        self._look()

    def given(self) -> dict[str, Any]:
        """The values as the edit takes them."""
        values = dict(self.values)
        for ask in self.spec.fields:
            if ask.kind == "frames":
                values[ask.name] = None if values[ask.name] == "life" else self.session.frames_for(values[ask.name])
        return values

    def command_line(self) -> str:
        """The command that does the same to the file; empty where there is none."""
        recording = self.session.recording
        try:
            words = self.spec.command(self.given()) if self.spec.command is not None else None
        except RecorderError:
            # What is against it is said elsewhere.
            words = None
        if recording is None or not words:
            return ""
        path = recording.path
        verb, *more = words
        return shlex.join(["recorder-editor", verb, path.name, f"{path.stem}-edited{path.suffix}", *more])

    def _look(self, _what: object = None) -> None:
        """Say what the values lead to."""
        words, self._against = "", ""
        try:
            words = self.spec.tell(self.given()) if self.spec.tell is not None else ""
        except RecorderError as error:
            self._against = error.message
        self.outlook.setText(words)
        self.outlook.setVisible(bool(words))
        self.against.say(self._against, "error")
        self._enable()
        self.command.say(self.command_line())
        if self.spec.ghosts is not None and self.session.snapshot is not None:
            try:
                self.ghosts_changed.emit(tuple(self.spec.ghosts(self.given())))
            except RecorderError:
                self.ghosts_changed.emit(())
        self._count()
        self.make_room()

    def _count(self) -> None:
        """Find out as a job what takes longer to be told."""
        count, snapshot, values = self.spec.count, self.session.snapshot, self.given()
        if count is None or snapshot is None or not self.session.is_complete:
            return
        if self._counted is not None and self._counted[0] is snapshot and self._counted[1] == values:
            return
        self._counted = snapshot, values
        if self._counting is not None:
            self._counting.cancel()
        if not self.number.text():
            self._say_number(self.tr("Counting its records..."))

        def work(progress: Progress) -> str:
            return count(snapshot, values, progress)

        def failed(error: Exception) -> None:
            self._say_number(error.message if isinstance(error, RecorderError) else "")

        self._counting = self.session.jobs.start(self.spec.heading, work, self._say_number, failed, quiet=True)

    def _say_number(self, words: str) -> None:
        self.number.setText(words)
        self.number.setVisible(bool(words))
        self.make_room()

    # --- doing ------------------------------------------------------------------------------------------

    def apply(self) -> None:
        """Make the edit, as a job; the dialog goes when it is done, and says why where it cannot be."""
        for editor in self.editors.values():
            # Not every system gives a button the keyboard when it is clicked.
            if isinstance(editor, (NumberEdit, TextEdit)):
                editor.commit()
        refused = any(getattr(editor, "reason", "") for editor in self.editors.values())
        if self.working.is_busy or self._against or refused:
            return
        snapshot, values, make = self.session.snapshot_or_refuse(), self.given(), self.spec.make

        def work(progress: Progress) -> Edit:
            return make(snapshot, values, progress)

        self.working.run(self.spec.heading, work, self._take)
        self._enable()

    def _take(self, edit: Edit) -> None:
        self.session.apply(edit)
        self.accept()

    def _enable(self) -> None:
        busy = self.working.is_busy
        self.go.setEnabled(not busy and not self._against)
        for editor in self.editors.values():
            editor.setEnabled(not busy)

    def show_(self) -> None:
        """Show it beside its window, which stays usable; it goes away with its edit."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._look()
        self.fit()
        window = self.parentWidget()
        if self.spec.ghosts is not None and window is not None:
            # Beside the scene, not over it.
            self.move(window.mapToGlobal(QPoint(window.width() - self.width() - 12, _BELOW_TOOLBAR)))
        self.show()
        self.activateWindow()

    def done(self, result: int) -> None:
        self.let_go()
        super().done(result)

    def let_go(self) -> None:
        """Cancel what runs, and let go of what was read."""
        self.working.let_go()
        if self._counting is not None:
            self._counting.cancel()
        self.ghosts_changed.emit(())
