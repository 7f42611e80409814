"""The bytes of a body with the members that describe them: header grey, members in two tints, the rest hatched."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from ...texts import say
from ...views.packet_draft import Reading
from ..style.painting import LEFT, draw_text, hatch
from ..style.theme import Theme

_CELL = 18
_WIDE = 16
_NARROW = 8
_OFFSET_WIDTH = 44
_GAP = 8
_FIRST_PRINTABLE = 0x20
_BEHIND_PRINTABLE = 0x7F


class PacketBytes(QAbstractScrollArea):
    """Shows a body, 16 bytes a row, or 8 where it is narrow.

    Attributes:
        selected: The index of the member that is marked; None: none.

    Signals:
        member_clicked(int): A byte of this member was clicked.
    """

    member_clicked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.selected: int | None = None
        self._body = b""
        self._stop = 0
        self._members: list[int | None] = []
        self._header = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(say("Bytes"))
        theme.changed.connect(self._fit)

    def show_body(self, body: bytes, reading: Reading) -> None:
        """Show a body as a draft reads it."""
        self._body = body
        self._header = reading.header
        self._stop = reading.stop
        self._members = [None] * len(body)
        for span in (*reading.spans, *reading.more):
            for offset in range(span.start, span.stop):
                self._members[offset] = span.member
        self.setAccessibleDescription(body[:64].hex(" "))
        self._fit()

    def select(self, member: int | None) -> None:
        """Mark the bytes of a member."""
        if member != self.selected:
            self.selected = member
            self.viewport().update()

    @property
    def columns(self) -> int:
        """The bytes of a row."""
        if self.viewport().width() >= self._left(_WIDE):
            return _WIDE
        return _NARROW

    def sizeHint(self) -> QSize:
        return QSize(self._left(_WIDE) + self.theme.px(120), self.theme.px(532))

    def _left(self, column: int) -> int:
        """The left edge of a column; there is a gap after eight."""
        gap = self.theme.px(_GAP) * (column // _NARROW)
        return self.theme.px(_OFFSET_WIDTH) + column * self.theme.px(_CELL) + gap

    def _fit(self) -> None:
        rows = -(-len(self._body) // self.columns) + 1
        height = rows * self.theme.px(_CELL)
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self.theme.px(_CELL))
        bar.setRange(0, max(0, height - self.viewport().height()))
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def cell(self, offset: int) -> QRect:
        """The rectangle of a byte in the viewport."""
        row = offset // self.columns + 1
        top = row * self.theme.px(_CELL) - self.verticalScrollBar().value()
        column = offset % self.columns
        left = self._left(column)
        right = left + self.theme.px(_CELL)
        return QRect(left, top, right - left, self.theme.px(_CELL))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.theme.palette.field)
        painter.setFont(self.theme.mono)
        size = self.theme.px(_CELL)
        first = max(0, self.verticalScrollBar().value() // size - 1)
        last = first + self.viewport().height() // size + 2
        for row in range(first, last):
            start = row * self.columns
            if start >= len(self._body):
                break
            self._paint_row(painter, start)
        self._paint_head(painter)

    def _paint_head(self, painter: QPainter) -> None:
        palette = self.theme.palette
        size = self.theme.px(_CELL)
        painter.fillRect(0, 0, self.viewport().width(), size, palette.field)
        head_place = QRect(0, 0, self.theme.px(_OFFSET_WIDTH), size)
        draw_text(painter, head_place, say("offset"), self.theme.small, palette.faint, LEFT)
        painter.setFont(self.theme.mono)
        for column in range(self.columns):
            place = QRect(self._left(column), 0, size, size)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{column:x}")

    def _paint_row(self, painter: QPainter, start: int) -> None:
        palette = self.theme.palette
        first = self.cell(start)
        offset_place = QRect(0, first.top(), self.theme.px(_OFFSET_WIDTH), first.height())
        draw_text(painter, offset_place, f"{start:04x}", self.theme.mono, palette.faint, LEFT)
        text_left = self._left(self.columns) + self.theme.px(_GAP)
        advance = painter.fontMetrics().horizontalAdvance("0")
        for offset in range(start, min(start + self.columns, len(self._body))):
            cell = self.cell(offset)
            self._paint_ground(painter, offset, cell)
            pen = palette.text
            if self._is_selected(offset):
                pen = palette.on_selection
            painter.setPen(pen)
            value = self._body[offset]
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, f"{value:02x}")
            letter = "."
            if _FIRST_PRINTABLE <= value < _BEHIND_PRINTABLE:
                letter = chr(value)
            painter.setPen(palette.text)
            if self._is_selected(offset):
                painter.setPen(palette.selection)
            place = QRect(text_left + (offset - start) * advance, cell.top(), advance, cell.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, letter)

    def _is_selected(self, offset: int) -> bool:
        return self.selected is not None and self._members[offset] == self.selected

    def _paint_ground(self, painter: QPainter, offset: int, cell: QRect) -> None:
        palette = self.theme.palette
        tint = cell.adjusted(0, 1, 0, -1)
        member = self._members[offset]
        if (offset + 1) % _NARROW == 0 and (offset + 1) % self.columns:
            tint.setRight(tint.right() + self.theme.px(_GAP))
        if self._is_selected(offset):
            painter.fillRect(tint, palette.selection)
        elif offset < self._header:
            painter.fillRect(tint, palette.packet_header)
        elif member is not None:
            painter.fillRect(tint, palette.tint_b if member % 2 else palette.tint_a)
        else:
            hatch(painter, QRectF(tint), palette.hatch, 5)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        for offset, member in enumerate(self._members):
            if member is not None and self.cell(offset).contains(point):
                self.member_clicked.emit(member)
                return
