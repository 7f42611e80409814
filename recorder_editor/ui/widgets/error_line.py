"""Where in a line of text something is wrong, said beneath it."""

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPolygon
from PySide6.QtWidgets import QLineEdit

from recorder_editor.ui.style.painting import draw_text
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import ThemedWidget, set_state

from ...texts import say


class ErrorLine(ThemedWidget):
    """One line beneath a line of text: what is wrong, and a mark at the column where it is."""

    def __init__(self, theme: Theme, editor: QLineEdit) -> None:
        super().__init__(theme)
        self._editor = editor
        self.message = ""
        self.column = 0
        editor.cursorPositionChanged.connect(self.update)

    def say(self, message: str, column: int = 0) -> None:
        """Say a sentence; `column` counts from 1, 0 for none."""
        self.message = message
        self.column = column
        if column:
            words = say("{message} (column {column})", message=message, column=column)
        else:
            words = message
        self.setAccessibleName(words)
        self.setToolTip(words)
        self._editor.setAccessibleDescription(words)
        set_state(self._editor, "refused", bool(message))
        self.update()

    def mark(self) -> int:
        """Where the column is, in pixels from the left, held within the line."""
        metrics = self._editor.fontMetrics()
        text = self._editor.text()
        # A line that is scrolled says where it is by its cursor alone.
        begin = self._editor.cursorRect().center().x() - metrics.horizontalAdvance(
            text[: self._editor.cursorPosition()]
        )
        there = begin + metrics.horizontalAdvance(text[: self.column - 1]) + metrics.horizontalAdvance("0") // 2
        return max(6, min(there, self.width() - 6))

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
            at = self.mark()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.error)
            painter.drawPolygon(QPolygon([QPoint(at, 0), QPoint(at + 4, 5), QPoint(at - 4, 5)]))
            left = max(22, min(at + 12, room - width - 4))
        self.theme.icons.draw(painter, "error", left - 18, 5, 14, palette.error)
        place = self.rect().adjusted(left, 5, 0, 0)
        draw_text(painter, place, self.message, self.theme.small, palette.text, room=place.width())
