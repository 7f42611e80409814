"""A signal by expression: a name and the expression."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from ....reading.expression import ExpressionError, completion, parse_value
from ....texts import say
from ....views.signal_expressions import parsed_for
from ....views.signal_key import Key
from ...dialogs.base import SessionDialog
from ...dialogs.fields import Fields
from ...session import Session
from ...style.boxes import fill
from ...style.theme import Theme
from ...widgets.completion import ExpressionCompleter
from ...widgets.error_line import ErrorLine

EXAMPLE = "Kinematics: abs(linear_velocity.x) * 3.6"
_WIDTH = 540


class ExpressionDialog(SessionDialog):
    """Signal: `picked(tuple)` of keys, one for each selected actor. Attributes: `name`, `line`, `wrong`."""

    picked = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "signalExpression", parent, _WIDTH)
        words = say("A number from each record, as in Find and replace, plotted for the selected actors.")
        self.say(say("Plot expression"), say("Plot an expression over time"), words)
        self.name = QLineEdit()
        self.line = QLineEdit()
        self.name.setPlaceholderText("speed [km/h]")
        self.name.setAccessibleName(say("Name and unit"))
        self.line.setPlaceholderText(EXAMPLE)
        self.line.setAccessibleName(say("Expression"))
        self.line.textChanged.connect(self._check)
        self.completer = ExpressionCompleter(session, theme, self.line, partial(completion, sets=False))
        self.wrong = ErrorLine(theme, self.line)
        typed = QWidget()
        fill(QVBoxLayout(typed), self.line, self.wrong, spacing=1)
        form = Fields(theme)
        form.add_row(say("Expression"), typed)
        form.add_row(say("Name"), self.name, tip=say("Write the unit in brackets after the name"))
        self.body.addWidget(form)
        self.add_answers(say("Plot"), self.pick)
        session.selection.changed.connect(self._check)
        self._check()
        self.line.setFocus()

    def keys(self) -> tuple[Key, ...]:
        """The signals that are meant; raises `ExpressionError`."""
        dialect = self.session.snapshot_or_refuse().dialect
        name = self.name.text().strip()
        text = self.line.text().strip()
        has_actor = parse_value(text, dialect).kind.actor_field is not None
        actors = self.session.selection.actors if has_actor else ()
        keys = tuple(Key("expression", name, text, actor) for actor in actors or (None,))
        for key in keys:
            parsed_for(key, dialect)
        return keys

    def _check(self) -> None:
        message = ""
        column = 0
        try:
            self.keys()
        except ExpressionError as error:
            message = error.message
            column = error.column
        self.go.setEnabled(not message)
        self.wrong.say(*(message, column) if self.line.text().strip() else ("", 0))

    def pick(self) -> None:
        """Plot it."""
        keys = self.keys()
        self.accept()
        self.picked.emit(keys)
