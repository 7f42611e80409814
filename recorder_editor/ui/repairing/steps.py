"""The steps of a repair as rows with check boxes. They know what a row says, not what a step does."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QVBoxLayout, QWidget

from ..boxes import fill
from ..painting import draw_text
from ..theme import Theme
from ..widgets import ThemedWidget

_ROW = 40
_INDENT = 23
_BOX = 14


class StepLine(NamedTuple):
    """One row: `code` of the step, `title`, `cost` beneath it, `tip`, `is_taken`."""

    code: str
    title: str
    cost: str
    tip: str
    is_taken: bool


class StepRow(ThemedWidget):
    """Signals: `taken(bool)` (the box was clicked), `chosen` (the row was), `entered` (it has the keyboard)."""

    taken = Signal(bool)
    chosen = Signal()
    entered = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.line = StepLine("", "", "", "", is_taken=True)
        self.is_current = False
        self.box = QCheckBox(self)
        self.box.clicked.connect(self.taken)
        self.box.installEventFilter(self)
        self.setFocusProxy(self.box)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.restyle()

    def show_line(self, line: StepLine) -> None:
        """Show this."""
        self.line = line
        self.box.setChecked(line.is_taken)
        self.box.setAccessibleName(line.title)
        self.box.setAccessibleDescription(line.cost)
        self.box.setObjectName(f"repairStep.{line.code}")
        self.setToolTip(line.tip)
        self.update()

    def set_current(self, current: bool) -> None:
        """Whether it is the one that is looked at."""
        if current != self.is_current:
            self.is_current = current
            self.update()

    def restyle(self) -> None:
        super().restyle()
        size = self.theme.px(_BOX) + 4
        self.box.setGeometry(10, self.theme.px(3), size, self.theme.px(18))

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.theme.px(_ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(120), self.theme.px(_ROW))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.entered.emit()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.chosen.emit()
                return True
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
                return True
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.box.setFocus(Qt.FocusReason.MouseFocusReason)
            self.chosen.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, palette = self.theme, self.theme.palette
        painter = QPainter(self)
        if self.is_current:
            painter.fillRect(self.rect(), palette.hover)
            painter.fillRect(QRect(0, 0, 3, self.height()), palette.selection)
        left = 12 + theme.px(_INDENT)
        room = max(0, self.width() - left - 8)
        upper, lower = QRect(left, theme.px(3), room, theme.px(18)), QRect(left, theme.px(20), room, theme.px(16))
        color = palette.text if self.line.is_taken else palette.muted
        draw_text(painter, upper, self.line.title, theme.font, color, room=room)
        draw_text(painter, lower, self.line.cost, theme.small, palette.muted, room=room)


class Steps(QWidget):
    """The rows, the first step on top.

    Signals: `taken(str, bool)` (code; a box was clicked), `chosen(int)` (a row was clicked, or Enter pressed in it).
    """

    taken = Signal(str, bool)
    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.current = -1
        self.rows: list[StepRow] = []
        self._column = fill(QVBoxLayout(self), spacing=0)
        self.setAccessibleName(self.tr("Proposed steps"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def lines(self) -> tuple[StepLine, ...]:
        """What is shown."""
        return tuple(row.line for row in self.rows if not row.isHidden())

    def show_lines(self, lines: Sequence[StepLine]) -> None:
        """Show these; rows are made once and used again."""
        while len(self.rows) < len(lines):
            self._add()
        for row, line in zip(self.rows, lines, strict=False):
            row.show_line(line)
        for number, row in enumerate(self.rows):
            row.setVisible(number < len(lines))
        self.set_current(self.current if self.current < len(lines) else -1)

    def _add(self) -> None:
        row, number = StepRow(self.theme), len(self.rows)
        row.taken.connect(lambda on: self.taken.emit(row.line.code, on))
        row.chosen.connect(lambda: self.chosen.emit(number))
        row.entered.connect(lambda: self.set_current(number))
        self.rows.append(row)
        self._column.addWidget(row)

    def set_current(self, number: int) -> None:
        """Mark one row; -1 for none."""
        self.current = number
        for index, row in enumerate(self.rows):
            row.set_current(index == number)
