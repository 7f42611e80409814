"""The dialog of colour rules: a line each, with its colour, and what is wrong with those that are."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from ...texts import say
from ..session import Session
from ..session.color_rules import EXAMPLE, ColorRules
from ..style.colors import RULE_TINT, mix
from ..style.theme import Theme
from .base import SessionDialog

_WIDTH = 540
_HEIGHT = 120
_MOST_SAID = 5


class RulesDialog(SessionDialog):
    """Signal: `chosen(ColorRules)`. Attributes: `editor`, `wrong`, `go`."""

    chosen = Signal(object)

    def __init__(self, session: Session, rules: ColorRules, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "colorRules", parent, _WIDTH)
        words = say(
            "A rule in each line: a condition on Position, as in Find and replace, a colon "
            "and a colour. For another packet, begin with its name: AnimVehicle where "
            "brake > 0.5: red. The first rule that is met counts."
        )
        self.say(say("Colour by rules"), say("Colour actors by rules"), words)
        self.editor = QPlainTextEdit("\n".join(rules.lines), placeholderText=EXAMPLE, tabChangesFocus=True)
        self.editor.setAccessibleName(say("Rules"))
        self.editor.setFont(theme.mono)
        self.editor.setFixedHeight(theme.px(_HEIGHT))
        self.body.addWidget(self.editor)
        self.wrong = self.add_line("", small=True)
        self.wrong.setMinimumHeight(2 * theme.metrics(theme.small).height())
        self.add_answers(say("Colour by rules"), self.choose)
        self.editor.textChanged.connect(self._check)
        self._check()
        self.editor.setFocus()

    @property
    def rules(self) -> ColorRules:
        """What is typed."""
        return ColorRules(self.editor.toPlainText().splitlines())

    def _check(self) -> None:
        """Say what is wrong, mark it where it stands, and show each colour behind its name."""
        typed = self.rules
        snapshot = self.session.snapshot
        wrong: list[tuple[int, int, str]] = []
        lacking = ""
        if snapshot is not None:
            wrong = typed.errors(snapshot.dialect)
            if not wrong:
                lacking = typed.missing_map_sentence(snapshot)
        sentences = [sentence for _, _, sentence in wrong[:_MOST_SAID]]
        self.wrong.setText("\n".join(sentences) or lacking)
        self.editor.setAccessibleDescription(self.wrong.text())
        self.go.setEnabled(any(typed.lines) and not wrong)
        marks = []
        columns = {number: column for number, column, _ in wrong}
        for number, line in enumerate(typed.lines, 1):
            mark = QTextEdit.ExtraSelection()
            block = self.editor.document().findBlockByNumber(number - 1)
            at = columns.get(number, len(line.rpartition(":")[0]) + 3) - 1
            mark.cursor = QTextCursor(block)
            mark.cursor.setPosition(block.position() + max(0, min(at, len(line) - 1)))
            mark.cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            if number in columns:
                mark.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
                mark.format.setUnderlineColor(self.theme.palette.error)
                mark.format.setBackground(mix(self.theme.palette.field, self.theme.palette.error, RULE_TINT))
            elif line:
                color = QColor(line[at:].strip())
                mark.format.setBackground(color)
                mark.format.setForeground(self.theme.palette.wedge_on(color))
            marks.append(mark)
        self.editor.setExtraSelections(marks)
        self.make_room()

    def choose(self) -> None:
        """Colour by what is typed."""
        self.accept()
        self.chosen.emit(self.rules)
