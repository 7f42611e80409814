"""The steps of a repair as rows with check boxes. They know the texts of a row, not what a step does."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ....texts import say
from ...style.boxes import fill
from ...style.theme import Theme
from ...widgets import ElidedLabel
from ...widgets.base import set_state
from ...widgets.keyboard import ViewKeys


class StepLine(NamedTuple):
    """The texts of a row.

    Attributes:
        code: Code of the step.
        title: Its title.
        cost: What it costs, below the title.
        tip: Tooltip.
        is_taken: Whether the step is taken.
    """

    code: str
    title: str
    cost: str
    tip: str
    is_taken: bool


class StepRow(QFrame):
    """A row.

    Attributes:
        line: Its texts.
        box: Its check box.

    Signals: `taken(bool)` (the box was clicked), `chosen` (the row was clicked), `entered` (it has the keyboard).
    """

    taken = Signal(bool)
    chosen = Signal()
    entered = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.line = StepLine("", "", "", "", is_taken=True)
        self.box = QCheckBox()
        self.box.clicked.connect(self.taken)
        self.box.installEventFilter(self)
        up = partial(self.focusNextPrevChild, False)
        down = partial(self.focusNextPrevChild, True)
        ViewKeys(self.box, {"Return; Enter": self.chosen.emit, "Up": up, "Down": down})
        self.setFocusProxy(self.box)
        self._title = ElidedLabel(theme)
        self._cost = ElidedLabel(theme, "", "small", "muted")
        texts = fill(QVBoxLayout(), self._title, self._cost, spacing=3, margins=(0, 2, 0, 0))
        fill(QHBoxLayout(self), (self.box, 0, Qt.AlignmentFlag.AlignTop), (texts, 1), spacing=4, margins=(10, 3, 8, 4))
        self.setProperty("current", False)

    def show_line(self, line: StepLine) -> None:
        """Show other texts."""
        self.line = line
        self._title.setText(line.title)
        self._title.set_color("text" if line.is_taken else "muted")
        self._cost.setText(line.cost)
        self.box.setChecked(line.is_taken)
        self.box.setAccessibleName(line.title)
        self.box.setAccessibleDescription(line.cost)
        self.setToolTip(line.tip)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.entered.emit()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.box.isEnabled():
            self.box.setFocus(Qt.FocusReason.MouseFocusReason)
            self.chosen.emit()


class Steps(QWidget):
    """The rows, the first step on top.

    Attributes:
        theme: The theme.
        current: Index of the marked row; -1 for none.
        rows: The rows, of which further ones are hidden.

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
        self.setAccessibleName(say("Proposed steps"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def lines(self) -> tuple[StepLine, ...]:
        """Texts of the rows that are shown."""
        return tuple(row.line for row in self.rows if not row.isHidden())

    def show_lines(self, lines: Sequence[StepLine]) -> None:
        """Show other steps; rows are made once and used again."""
        while len(self.rows) < len(lines):
            self._add_row()
        for row, line in zip(self.rows, lines, strict=False):
            row.show_line(line)
        for index, row in enumerate(self.rows):
            row.setVisible(index < len(lines))
        self.set_current(self.current if self.current < len(lines) else -1)

    def _add_row(self) -> None:
        row = StepRow(self.theme)
        index = len(self.rows)
        row.taken.connect(lambda on: self.taken.emit(row.line.code, on))
        row.chosen.connect(lambda: self.chosen.emit(index))
        row.entered.connect(lambda: self.set_current(index))
        self.rows.append(row)
        self._column.addWidget(row)

    def set_current(self, current: int) -> None:
        """Mark a row by its index; -1 for none."""
        self.current = current
        for index, row in enumerate(self.rows):
            set_state(row, "current", index == current)
