"""A message beneath a line of text that says what is wrong in it, and where."""

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPolygon
from PySide6.QtWidgets import QLineEdit

from recorder_editor.ui.style.painting import draw_text
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import ThemedWidget, set_state

from ...texts import say


class ErrorLine(ThemedWidget):
    """One line beneath a line of text: what is wrong, and a mark at the column where it is.

    Attributes:
        message: The sentence; empty: nothing is wrong.
        column: The column, from 1; 0: none.
    """

    def __init__(self, theme: Theme, editor: QLineEdit) -> None:
        super().__init__(theme)
        self._editor = editor
        self.message = ""
        self.column = 0
        editor.cursorPositionChanged.connect(self.update)

    def show_error(self, message: str, column: int = 0) -> None:
        """Show a sentence; `column` counts from 1, 0 for none."""
        self.message = message
        self.column = column
        text = message
        if column:
            text = say("{message} (column {column})", message=message, column=column)
        self.setAccessibleName(text)
        self.setToolTip(text)
        self._editor.setAccessibleDescription(text)
        set_state(self._editor, "refused", bool(message))
        self.update()

    def mark(self) -> int:
        """Return where the column is, in pixels from the left, within the line."""
        metrics = self._editor.fontMetrics()
        text = self._editor.text()
        # How far a line is scrolled is known by its cursor alone.
        before_cursor = text[: self._editor.cursorPosition()]
        begin = self._editor.cursorRect().center().x() - metrics.horizontalAdvance(before_cursor)
        before_column = text[: self.column - 1]
        x = begin + metrics.horizontalAdvance(before_column) + metrics.horizontalAdvance("0") // 2
        return max(6, min(x, self.width() - 6))

    def sizeHint(self) -> QSize:
        return QSize(200, self.theme.px(20))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.theme.px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.message:
            return
        palette = self.theme.palette
        painter = QPainter(self)
        width = self.theme.metrics(self.theme.small).horizontalAdvance(self.message)
        room = self.width()
        left = 22
        if self.column:
            x = self.mark()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.error)
            painter.drawPolygon(QPolygon([QPoint(x, 0), QPoint(x + 4, 5), QPoint(x - 4, 5)]))
            left = max(22, min(x + 12, room - width - 4))
        self.theme.icons.draw(painter, "error", left - 18, 5, 14, palette.error)
        place = self.rect().adjusted(left, 5, 0, 0)
        draw_text(painter, place, self.message, self.theme.small, palette.text, room=place.width())
