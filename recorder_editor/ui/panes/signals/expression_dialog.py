"""The dialog for a signal by expression: a name and the expression."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from ....reading import SelectorError
from ....reading.expression import ExpressionError, completion, parse_value
from ....reading.pair_signals import PairSignal, pair_signal
from ....texts import say
from ....views.signal_expressions import name_and_unit, parse_expression
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
    """Asks for an expression.

    Attributes:
        name: The field for name and unit.
        line: The field for the expression.
        completer: Completes the expression.
        wrong: The line that says what is wrong with it.

    Signal: `picked(tuple)` of keys, one for each selected actor.
    """

    picked = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "signalExpression", parent, _WIDTH)
        text = say("A number from each record, as in Find and replace, plotted for the selected actors.")
        self.say(say("Plot expression"), say("Plot an expression over time"), text)
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
        """Return the signals of the expression: one for each selected actor, or one without an actor.

        Raises:
            ExpressionError: It is no expression, or needs an actor and none is selected.
        """
        pair = pair_signal(self.line.text())
        if pair is not None:
            return (self._key_of_pair(pair),)
        dialect = self.session.snapshot_or_refuse().dialect
        whole = Key("expression", self.name.text().strip(), self.line.text().strip())
        keys = [whole]
        if parse_value(whole.path, dialect).kind.actor_field is not None and self.session.selection.actors:
            keys = [whole._replace(actor=actor) for actor in self.session.selection.actors]
        for key in keys:
            parse_expression(key, dialect)
        return tuple(keys)

    def _key_of_pair(self, pair: PairSignal) -> Key:
        if self.session.actors is not None:
            try:
                pair.check(self.session.actors)
            except SelectorError as error:
                raise ExpressionError(error.message, 1) from None
        title = ""
        if self.name.text().strip():
            title, _ = name_and_unit(Key("expression", self.name.text()))
        return Key("pair", pair.measure.name, path=title, actor=pair.actor, other=pair.other)

    def _check(self) -> None:
        message = ""
        column = 0
        try:
            self.keys()
        except ExpressionError as error:
            message = error.message
            column = error.column
        self.go.setEnabled(not message)
        if self.line.text().strip():
            self.wrong.show_error(message, column)
        else:
            self.wrong.show_error("", 0)

    def pick(self) -> None:
        """Plot the expression."""
        keys = self.keys()
        self.accept()
        self.picked.emit(keys)
