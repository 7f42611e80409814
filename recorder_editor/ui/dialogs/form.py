"""A form for one edit: fields from a description, a sentence what would come of them, and the edit as a job.

Which fields there are, and what is made of them, is said by whoever opens it; it knows no edit.
"""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from ...edits.new_actors.add_actor import NewActor
from ...errors import NothingToDo, RecorderError, error_sentence
from ...progress import Progress
from ...reading import Ghost
from ...recording import Edit, Snapshot
from ...texts import say
from ...views.command_words import schema_words
from ..session import Session
from ..style.theme import Theme
from ..widgets import Label
from ..widgets.job_panel import Sentence
from .fields import FieldSpec, Values
from .preview import PreviewDialog
from .widgets import reset_button

_BELOW_TOOLBAR = 72


@dataclass(frozen=True, slots=True)
class FormSpec:
    """What a form asks, and what it does with the values.

    Attributes:
        title: The title of the window.
        heading: The heading in it.
        verb: The text of the button.
        fields: The fields.
        make: Makes the edit, of a state and the values.
        note: A sentence below the heading.
        tell: Returns a sentence that says what the values lead to; raises `RecorderError` for a reason against them.
        command: Returns the verb, and its arguments behind IN and OUT; None where no command does the same.
        ghosts: Returns the poses that actors of the current frame would have.
        follow: Takes the name of a changed field and all values; returns the values of other fields that follow it.
        drive: Drives the actor along the drawn path, of a state and the values.
    """

    title: str
    heading: str
    verb: str
    fields: tuple[FieldSpec, ...]
    make: Callable[[Snapshot, Values, Progress], Edit]
    note: str = ""
    tell: Callable[[Values], str] | None = None
    command: Callable[[Values], Sequence[str] | None] | None = None
    ghosts: Callable[[Values], Sequence[Ghost]] | None = None
    follow: Callable[[str, Values], Values] | None = None
    drive: Callable[[Snapshot, Values, Progress], NewActor] | None = None


class FormDialog(PreviewDialog):
    """Asks for a few values and makes one edit of them, as one step that can be undone.

    Signal: `ghosts_changed(tuple)` of `Ghost`, where the scene may show what is meant.
    """

    ghosts_changed = Signal(object)

    def __init__(self, session: Session, theme: Theme, spec: FormSpec, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "formDialog", parent)
        self.spec = spec
        self._against = ""
        self._driven: tuple[Snapshot, Values] | None = None
        self.say(spec.title, spec.heading, spec.note)
        for field in spec.fields:
            if field.kind == "path":
                self._add_path(field)
            else:
                self.form.add_field(field)
        self.editors = self.form.editors
        self.values = self.form.values
        self.form.changed.connect(self._follow)
        self.outlook = Label(theme, "", "small", "muted", wraps=True)
        self.against = Sentence(theme)
        self.outlook.hide()
        self.place(self.outlook, self.against)
        self.add_answers(spec.verb, self.apply)
        session.selection.changed.connect(self._show)
        session.range.changed.connect(self._show)
        self._show()
        first = next(iter(self.editors.values()), self.go)
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def _add_path(self, field: FieldSpec) -> None:
        """A button to draw a path in the scene."""
        drawing = self.session.drawing
        draw = reset_button(say("Draw"), field.label, lambda: drawing.set_on(on=True))
        self.form.add_row(field.label, draw, tip=field.tip)
        drawing.changed.connect(self._show)
        drawing.switched.connect(self._follow_drawing)

    def _follow_drawing(self, on: bool) -> None:
        """Give the keyboard to the scene's window, or take it back."""
        window = self.parentWidget()
        if on and window is not None:
            window.activateWindow()
        else:
            self.activateWindow()
        if not on:
            self.go.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what is chosen ---------------------------------------------------------------------------------

    def _follow(self, name: str) -> None:
        if self.spec.follow is not None:
            for other, value in self.spec.follow(name, self.values).items():
                self.form.set_value(other, value)
        self.job_panel.show_sentence("")
        self._show()

    def given(self) -> dict[str, object]:
        """The values as the edit takes them: a scope as a range of frames, None for the whole life."""
        values = dict(self.values)
        for field in self.spec.fields:
            if field.kind == "frames":
                scope = values[field.name]
                if scope == "life":
                    values[field.name] = None
                else:
                    values[field.name] = self.session.editing.frames_for(scope)
            elif field.kind == "path":
                values[field.name] = self.session.drawing.points or None
        return values

    def command_line(self) -> str:
        """The command that does the same to the file; empty where there is none."""
        if self.spec.command is None:
            return ""
        try:
            words = self.spec.command(self.given())
        except RecorderError:  # `_show` says the reason
            return ""
        if not words:
            return ""
        verb = words[0]
        options = words[1:]
        path = self.session.path
        command = ["recorder-editor", verb, path.name, f"{path.stem}-edited{path.suffix}", *options]
        command += schema_words(path, self.session.snapshot)
        return shlex.join(command)

    def _show(self, _what: object = None) -> None:
        """Say what the values lead to."""
        outlook = ""
        self._against = ""
        sign = "error"
        try:
            if self.spec.tell is not None:
                outlook = self.spec.tell(self.given())
        except NothingToDo as error:
            self._against = error.message
            sign = "info"
        except RecorderError as error:
            self._against = error.message
        self.outlook.setText(outlook)
        self.outlook.setVisible(bool(outlook))
        self.against.say(self._against, sign)
        self.session.announced.emit(self._against)
        self.is_ready = not self._against
        self.enable()
        self.command.say(self.command_line())
        if self.spec.ghosts is not None and self.session.snapshot is not None:
            try:
                self.ghosts_changed.emit(tuple(self.spec.ghosts(self.given())))
            except RecorderError:
                self.ghosts_changed.emit(())
        self.update_preview()
        self.make_room()

    def update_preview(self) -> None:
        """Find out as a job what comes of the path that is drawn."""
        drive = self.spec.drive
        snapshot = self.session.snapshot
        values = self.given()
        drawing = self.session.drawing
        if drive is not None and snapshot is not None and self._driven != (snapshot, values):
            self._driven = snapshot, values
            self.looking.run(self.spec.heading, partial(drive, snapshot, values), drawing.preview, self._refuse)

    def show_refusal(self, error: Exception) -> None:
        self.session.drawing.preview(None)
        self.against.say(self._against or error_sentence(error), "error")

    # --- doing ------------------------------------------------------------------------------------------

    def apply(self) -> None:
        """Make the edit, as a job; the dialog goes when it is done, and says why where it cannot be."""
        is_whole = self.form.commit()
        if self.job_panel.is_busy or not self.is_ready or not is_whole:
            return
        snapshot = self.session.snapshot_or_refuse()
        values = self.given()
        make = self.spec.make
        self.run(self.spec.heading, partial(make, snapshot, values), self._take)

    def _take(self, edit: Edit) -> None:
        self.session.editing.apply(edit)
        if self.spec.drive is not None:
            self.session.selection.seek_newest()
        self.accept()

    def show_(self) -> None:
        """Show it beside its window, which stays usable; it goes away with its edit."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.spec.drive is not None:
            self.session.drawing.begin()
        self._show()
        self.fit()
        window = self.parentWidget()
        if window is not None:  # beside the scene, not over it
            self.move(window.mapToGlobal(QPoint(window.width() - self.width() - 12, _BELOW_TOOLBAR)))
        self.show()
        self.activateWindow()

    def done(self, result: int) -> None:
        self.release()
        super().done(result)

    def release(self) -> None:
        """Cancel what runs, and take the ghosts away."""
        for shown in (self.session.drawing, self.session.selection, self.session.range):
            shown.disconnect(self)  # a closed dialog looks at no more changes
        self.session.drawing.stop()
        super().release()
        self.ghosts_changed.emit(())
