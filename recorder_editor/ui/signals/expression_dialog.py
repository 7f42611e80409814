"""A signal by expression: a name, the expression, and those that were plotted before."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ...recording.expression import ExpressionError, completion
from ..boxes import fill
from ..completion import ExpressionCompleter
from ..dialogs.base import BaseDialog
from ..dialogs.fields import Fields
from ..session import Session
from ..settings import Settings
from ..signal_key import Key
from ..theme import Theme
from ..widgets.error_line import ErrorLine
from .expressions import Expression, parsed, parsed_for

EXAMPLE = "Kinematics: abs(linear_velocity.x) * 3.6"
_WIDTH, _LIST = 540, 132
_STORED = int(Qt.ItemDataRole.UserRole)


class ExpressionDialog(BaseDialog):
    """Signal: `picked(tuple)` of keys, one for each selected actor. Attributes: `name`, `line`, `wrong`, `known`."""

    picked = Signal(object)

    def __init__(self, session: Session, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session, self.settings = session, settings
        self.setObjectName("signalExpression")
        self.setMinimumWidth(theme.px(_WIDTH))
        words = self.tr("A number from each record, as in Find and replace, plotted for the selected actors.")
        self.say(self.tr("Plot expression"), self.tr("Plot an expression over time"), words)
        self.name, self.line = QLineEdit(), QLineEdit()
        self.name.setPlaceholderText("speed [km/h]")
        self.name.setAccessibleName(self.tr("Name and unit"))
        self.line.setPlaceholderText(EXAMPLE)
        self.line.setAccessibleName(self.tr("Expression"))
        self.line.textChanged.connect(self._check)
        self.completer = ExpressionCompleter(session, theme, self.line, partial(completion, sets=False))
        self.wrong = ErrorLine(theme, self.line)
        typed = QWidget()
        fill(QVBoxLayout(typed), self.line, self.wrong, spacing=1)
        form = Fields(theme)
        form.add_row(self.tr("Expression"), typed)
        form.add_row(self.tr("Name"), self.name, tip=self.tr("Write the unit in brackets after the name"))
        self.known = QListWidget()
        self.known.setProperty("framed", True)
        self.known.setMaximumHeight(theme.px(_LIST))
        self.known.setAccessibleName(self.tr("Recent expressions"))
        self.known.currentItemChanged.connect(lambda item, _before: self._take(item))
        self.body.addWidget(form)
        self.body.addWidget(self.known)
        self.forget = self.add_button(self.tr("Delete"), self._forget, left=True)
        self.add_button(self.tr("Cancel"), self.reject)
        self.go = self.add_button(self.tr("Plot"), self.pick, filled=True)
        session.opened.connect(self.reject)
        session.selection.changed.connect(self._check)
        self._fill()
        self._check()
        self.line.setFocus()

    def _fill(self) -> None:
        self.known.clear()
        for name, text in self.settings.expressions:
            item = QListWidgetItem(f"{name}   {text}" if name else text, self.known)
            item.setData(_STORED, Expression(name, text))
        self.known.setVisible(self.known.count() > 0)
        self.forget.setVisible(self.known.count() > 0)
        self.forget.setEnabled(False)

    def _take(self, item: QListWidgetItem | None) -> None:
        self.forget.setEnabled(item is not None)
        if item is not None:
            name, text = item.data(_STORED)
            self.name.setText(name)
            self.line.setText(text)

    def _forget(self) -> None:
        gone = self.known.currentItem().data(_STORED)
        self.settings.expressions = tuple(each for each in self.settings.expressions if each != gone)
        self._fill()

    def keys(self) -> tuple[Key, ...]:
        """The signals that are meant; raises `ExpressionError`."""
        dialect = self.session.snapshot_or_refuse().dialect
        expression = Expression(self.name.text().strip(), self.line.text().strip())
        has_actor = parsed(expression.text, dialect).kind.actor_field is not None
        actors = self.session.selection.actors if has_actor else ()
        keys = tuple(expression.key(actor) for actor in actors or (None,))
        for key in keys:
            parsed_for(key, dialect)
        return keys

    def _check(self) -> None:
        message, column = "", 0
        try:
            self.keys()
        except ExpressionError as error:
            message, column = error.message, error.column
        self.go.setEnabled(not message)
        self.wrong.say(*(message, column) if self.line.text().strip() else ("", 0))

    def pick(self) -> None:
        """Plot it, and remember it."""
        keys = self.keys()
        expression = Expression(keys[0].name, keys[0].path)
        others = (each for each in self.settings.expressions if each != expression)
        self.settings.expressions = (expression, *others)
        self.accept()
        self.picked.emit(keys)
