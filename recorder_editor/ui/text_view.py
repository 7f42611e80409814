"""Shows a text of any length: draws the lines in sight, and reads no others."""

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from .text_lines import TextLines
from .theme import Theme

MOST_COPIED = 16 << 20
"""Bytes that are copied at once."""

_LONGEST = 4096  # characters of a line that are drawn


class TextView(QAbstractScrollArea):
    """Signals: `activated(str)` (a line was double-clicked), `refused(str)` (why nothing was copied)."""

    activated = Signal(str)
    refused = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.text: TextLines | None = None
        self.current = 0
        self._anchor = 0
        self._widest = 0
        self._stretch = 1
        self.setObjectName("textView")
        self.setProperty("framed", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Report"))
        self.verticalScrollBar().valueChanged.connect(self.viewport().update)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        theme.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Take over fonts and colours."""
        self.setFont(self.theme.mono)
        self._line = self.theme.px(18)
        self._fit()
        self.viewport().update()

    def show_text(self, text: TextLines | None) -> None:
        """Show another text from its beginning."""
        self.text = text
        self.current = self._anchor = self._widest = 0
        self._fit()
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    # --- places -----------------------------------------------------------------------------------------

    @property
    def lines(self) -> int:
        """Lines of the text."""
        return self.text.lines if self.text is not None else 0

    @property
    def first_line(self) -> int:
        """The line at the top."""
        return self.verticalScrollBar().value() * self._stretch

    @property
    def lines_shown(self) -> int:
        """Whole lines that fit."""
        return max(1, self.viewport().height() // self._line)

    @property
    def selection(self) -> range:
        """The lines that are selected."""
        low, high = sorted((self._anchor, self.current))
        return range(low, min(high + 1, self.lines))

    def _fit(self) -> None:
        bar = self.verticalScrollBar()
        room = max(0, self.lines - self.lines_shown)
        # A scroll bar counts to two thousand million.
        self._stretch = max(1, -(-room // 2_000_000_000))
        bar.setRange(0, -(-room // self._stretch))
        bar.setPageStep(self.lines_shown)
        side = self.horizontalScrollBar()
        side.setRange(0, max(0, self._widest + 16 - self.viewport().width()))
        side.setPageStep(self.viewport().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def go_to(self, line: int, *, extend: bool = False) -> None:
        """Make a line the current one, and show it."""
        self.current = max(0, min(line, self.lines - 1))
        if not extend:
            self._anchor = self.current
        if not self.first_line <= self.current < self.first_line + self.lines_shown:
            self.verticalScrollBar().setValue(max(0, self.current - self.lines_shown // 3) // self._stretch)
        self.viewport().update()

    def line_at(self, point: QPoint) -> int:
        """The line under a point of the viewport."""
        return self.first_line + point.y() // self._line

    # --- drawing ----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, viewport = self.theme.palette, self.viewport()
        painter = QPainter(viewport)
        painter.fillRect(viewport.rect(), palette.field)
        if self.text is None:
            return
        painter.setFont(self.theme.mono)
        chosen, first = self.selection, self.first_line
        left, widest = 8 - self.horizontalScrollBar().value(), self._widest
        metrics = painter.fontMetrics()
        for row, raw in enumerate(self.text.read(first, self.lines_shown + 1)):
            place = QRect(0, row * self._line, viewport.width(), self._line)
            selected = first + row in chosen
            if selected:
                painter.fillRect(place, palette.selection if self.hasFocus() else palette.hover)
            painter.setPen(palette.on_selection if selected and self.hasFocus() else palette.text)
            words = raw[:_LONGEST].decode("utf-8", "replace")
            widest = max(widest, metrics.horizontalAdvance(words))
            painter.drawText(place.adjusted(left, 0, widest + left, 0), Qt.AlignmentFlag.AlignVCenter, words)
        if widest > self._widest:
            self._widest = widest
            self._fit()

    # --- mouse and keys ---------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.go_to(self.line_at(event.position().toPoint()), extend=extend)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.go_to(self.line_at(event.position().toPoint()), extend=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._activate()

    def _activate(self) -> None:
        if self.text is not None and self.lines:
            self.activated.emit(self.text.read(self.current, 1)[0].decode("utf-8", "replace"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -self.lines_shown,
            Qt.Key.Key_PageDown: self.lines_shown,
            Qt.Key.Key_Home: -self.lines,
            Qt.Key.Key_End: self.lines,
        }
        step = steps.get(Qt.Key(event.key()))
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._anchor, self.current = 0, max(0, self.lines - 1)
            self.viewport().update()
        elif step is not None:
            self.go_to(self.current + step, extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Put the selected lines on the clipboard; too many of them are refused."""
        if self.text is None or not len(self.selection):
            return
        taken, size = [], 0
        for line in range(self.selection.start, self.selection.stop, 4096):
            part = self.text.read(line, min(4096, self.selection.stop - line))
            size += sum(map(len, part))
            if size > MOST_COPIED:
                self.refused.emit(self.tr("This is too much to copy; save the report instead."))
                return
            taken += part
        QGuiApplication.clipboard().setText(b"\n".join(taken).decode("utf-8", "replace") + "\n")
