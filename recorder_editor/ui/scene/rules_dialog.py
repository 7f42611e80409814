"""The dialog of colour rules: a line each, and what is wrong with the first that is."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ..dialogs.base import SessionDialog
from ..session import Session
from ..theme import Theme
from .color_rules import EXAMPLE, ColorRules

_WIDTH, _HEIGHT = 540, 120


class RulesDialog(SessionDialog):
    """Signal: `chosen(ColorRules)`. Attributes: `editor`, `wrong`, `go`."""

    chosen = Signal(object)

    def __init__(self, session: Session, rules: ColorRules, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "colorRules", parent, _WIDTH)
        words = self.tr(
            "A rule in each line: a condition on Position, as in Find and replace, a colon and a colour. For another "
            "packet, begin with its name: AnimVehicle where brake > 0.5: red. The first rule that is met counts."
        )
        self.say(self.tr("Colour by rules"), self.tr("Colour actors by rules"), words)
        self.editor = QPlainTextEdit("\n".join(rules.lines))
        self.editor.setPlaceholderText(EXAMPLE)
        self.editor.setAccessibleName(self.tr("Rules"))
        self.editor.setFont(theme.mono)
        self.editor.setFixedHeight(theme.px(_HEIGHT))
        self.editor.setTabChangesFocus(True)
        self.body.addWidget(self.editor)
        self.wrong = self.add_line("", small=True)
        self.wrong.setMinimumHeight(2 * theme.metrics(theme.small).height())
        self.add_answers(self.tr("Colour by rules"), self.choose)
        self.editor.textChanged.connect(self._check)
        self._check()
        self.editor.setFocus()

    @property
    def rules(self) -> ColorRules:
        """What is typed."""
        return ColorRules(self.editor.toPlainText().splitlines())

    def _check(self) -> None:
        rules, snapshot = self.rules, self.session.snapshot
        message = rules.wrong(snapshot.dialect) if snapshot is not None else ""
        note = message or (rules.lacking(snapshot) if snapshot is not None else "")
        self.wrong.setText(note)
        self.editor.setAccessibleDescription(note)
        self.go.setEnabled(bool(rules.lines) and not message)

    def choose(self) -> None:
        """Colour by what is typed."""
        rules = self.rules
        self.accept()
        self.chosen.emit(rules)
