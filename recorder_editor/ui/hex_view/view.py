"""The area that shows and takes bytes: paints what is visible, keeps the caret, turns keys into edits.

Reads only what it shows. Knows the session and the shading; finding, inspecting and filling are others' business.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from ...edits import overwrite, replace_bytes
from ...edits.place import Place
from ...edits.raw import insert_in_body
from ...errors import EditError, RecorderError
from ...recording.history import Edit
from ...recording.recording import Change
from ...recording.snapshot import Snapshot
from ..palette import mix, with_alpha
from ..selection import HEADER, look_up, place_at, span_of
from ..session import Session
from ..theme import Theme
from .shading import DAMAGED, FIELD_A, FIELD_B, PACKET_HEADER, Shading, shade

LINE = 18
TINT = 16
_MOST_LINES = 1 << 30
_TEXT = "".join(chr(code) if 32 <= code < 127 else "." for code in range(256))
_HEX = [f"{code:02x}" for code in range(256)]


@dataclass(frozen=True)
class Metrics:
    """Where things are, in pixels, for a number of bytes a row."""

    per_row: int
    digits: int
    pitch: int
    digit: float
    first: int
    text: int

    def byte_x(self, column: int) -> int:
        """The left edge of a byte's cell."""
        return self.first + column * self.pitch + (8 if column >= 8 else 0)

    def text_x(self, column: int) -> float:
        """The left edge of a byte's character."""
        return self.text + column * self.digit


def _runs(
    shading: Shading, per_row: int, span: tuple[int, int], strong: tuple[int, int]
) -> Iterator[tuple[int, int, tuple[int, bool, bool, bool]]]:
    """Neighbouring bytes of one line that look alike: (start, stop, (code, selected, in the record, edited))."""
    positions = np.arange(len(shading.codes)) + shading.start
    selected = (positions >= span[0]) & (positions < span[1])
    near = (positions >= strong[0]) & (positions < strong[1])
    keys = shading.codes.astype(np.int64) | (selected << 4) | (near << 5) | (shading.edited.astype(np.int64) << 6)
    edges = np.flatnonzero((np.diff(keys) != 0) | (positions[1:] % per_row == 0)) + 1
    bounds = [0, *edges.tolist(), len(keys)]
    for low, high in pairwise(bounds):
        key = int(keys[low]) if high > low else 0
        if key:
            yield shading.start + low, shading.start + high, (key & 15, bool(key & 16), bool(key & 32), bool(key & 64))


def _hatch(painter: QPainter, rect: QRect, color: QColor) -> None:
    """Lines at 45 degrees, 5 apart, in step with those of the neighbours."""
    painter.save()
    painter.setClipRect(rect)
    painter.setPen(QPen(color, 1))
    height = rect.height()
    first = rect.left() - height - (rect.left() - height + rect.bottom()) % 5
    for x in range(first, rect.right() + 1, 5):
        painter.drawLine(x, rect.bottom() + 1, x + height, rect.top())
    painter.restore()


class HexView(QAbstractScrollArea):
    """Offset, hex and text of the whole recording.

    Signals: `caret_moved(int)` (position), `inserting_changed(bool)`, `told(str)` (a sentence: refusal or hint),
    `row_length_changed(int)`.
    """

    caret_moved = Signal(object)
    inserting_changed = Signal(bool)
    told = Signal(str)
    row_length_changed = Signal(int)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.snapshot: Snapshot | None = session.snapshot
        self.caret = 0
        self.low_digit = False
        self.in_text = False
        self.inserting = False
        self.raw_mode = False
        self._anchor: int | None = None
        self._pressed: int | None = None
        self._gesture = 0
        self._shading: Shading | None = None
        self._line_at_rest = -1
        self._stretch = 1
        self.metrics_ = Metrics(16, 6, 18, 6.6, 60, 380)
        self.setObjectName("hexView")
        self.setAccessibleName(self.tr("Bytes of the recording"))
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.restyle()
        theme.changed.connect(self.restyle)
        session.opened.connect(self._open)
        session.changed.connect(self._change)
        session.selected.connect(self._follow)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)

    # --- measures ---------------------------------------------------------------------------------------

    def restyle(self) -> None:
        """Take over fonts and colours."""
        self.setFont(self.theme.mono)
        self._measure()
        self.viewport().update()

    def _measure(self) -> None:
        digit = QFontMetricsF(self.theme.mono).horizontalAdvance("0")
        loose = max(self.theme.px(18), int(2 * digit + self.theme.px(4)))
        digits = 6 if self.snapshot is None or self.snapshot.size < 1 << 24 else 8
        first = int(self.theme.px(10) + digits * digit + self.theme.px(14))

        def metrics(per_row: int, pitch: int) -> Metrics:
            gap = 8 if per_row == 16 else 0
            return Metrics(per_row, digits, pitch, digit, first, first + per_row * pitch + gap + self.theme.px(10))

        before = self.metrics_.per_row
        # Sixteen a row stand one pixel closer where that is all they lack, beside the file map for one.
        choices = (metrics(16, loose), metrics(16, loose - 1), metrics(8, loose))
        room = self.viewport().width()
        self.metrics_ = next((one for one in choices if one.text_x(one.per_row) <= room), choices[-1])
        if before != self.metrics_.per_row:
            self.row_length_changed.emit(self.metrics_.per_row)
        self._fit_scroll_bars()

    @property
    def per_row(self) -> int:
        """Bytes a row."""
        return self.metrics_.per_row

    @property
    def header_height(self) -> int:
        """Height of the line with the columns' digits."""
        return self.theme.px(20)

    @property
    def lines_shown(self) -> int:
        """Whole lines that fit."""
        return max(1, (self.viewport().height() - self.header_height) // self.theme.px(LINE))

    def _lines(self) -> int:
        size = self.snapshot.size if self.snapshot is not None else 0
        return size // self.per_row + 1

    def _fit_scroll_bars(self) -> None:
        bar = self.verticalScrollBar()
        self._stretch = max(1, -(-self._lines() // _MOST_LINES))
        bar.setRange(0, max(0, (self._lines() - self.lines_shown) // self._stretch))
        bar.setPageStep(max(1, self.lines_shown // self._stretch))
        bar.setSingleStep(3)
        side = self.horizontalScrollBar()
        side.setRange(0, max(0, int(self.metrics_.text_x(self.per_row)) + 6 - self.viewport().width()))
        side.setPageStep(self.viewport().width())

    @property
    def first_line(self) -> int:
        """The line at the top."""
        return self.verticalScrollBar().value() * self._stretch

    def scroll_to(self, position: int, *, line: int | None = None) -> None:
        """Make a byte visible; `line` says on which line of the pane, else it moves only where it must."""
        wanted = position // self.per_row
        if line is None:
            if self.first_line <= wanted < self.first_line + self.lines_shown:
                return
            line = self.lines_shown // 3
        self.verticalScrollBar().setValue(max(0, wanted - line) // self._stretch)

    def resizeEvent(self, event: QResizeEvent) -> None:
        top = self.first_line * self.per_row
        self._measure()
        self.verticalScrollBar().setValue(top // self.per_row // self._stretch)
        self._shading = None

    def _scrolled(self) -> None:
        self._shading = None
        self.viewport().update()

    # --- following the session --------------------------------------------------------------------------

    def _open(self) -> None:
        self.snapshot = self.session.snapshot
        self.caret, self.low_digit, self._anchor, self._shading = 0, False, None, None
        self._measure()
        self.verticalScrollBar().setValue(0)
        self._follow()

    def _change(self, change: Change) -> None:
        self.snapshot = change.after
        self.caret = min(self.caret, change.after.size)
        self._shading = None
        self._measure()
        self.viewport().update()

    def _follow(self) -> None:
        """Show what is selected: on the same line of the pane as before while frames are stepped."""
        if self.snapshot is None or not self.isVisible():
            return
        start, stop = self.session.span
        rest = self._line_at_rest
        if not start <= self.caret < max(stop, start + 1):
            self.caret, self.low_digit, self._anchor = start, False, None
            self.caret_moved.emit(self.caret)
        line = start // self.per_row
        if not self.first_line <= line < self.first_line + self.lines_shown:
            self.scroll_to(start, line=rest if 0 <= rest < self.lines_shown else None)
        self._line_at_rest = line - self.first_line
        self.viewport().update()

    def showEvent(self, event: QEvent) -> None:
        self._follow()

    # --- painting ---------------------------------------------------------------------------------------

    def _visible(self) -> Shading:
        assert self.snapshot is not None
        start = self.first_line * self.per_row
        stop = start + (self.lines_shown + 1) * self.per_row
        if self._shading is None or self._shading.start != start:
            saved = self.session.recording.saved if self.session.recording is not None else None
            try:
                self._shading = shade(self.snapshot, saved, start, stop)
            except (RecorderError, OSError):
                # Rewritten beneath by another program, which the window tells: here is nothing left to show.
                return Shading(start, b"", np.zeros(0, np.uint8), np.zeros(0, np.bool_))
        return self._shading

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        palette = self.theme.palette
        painter.fillRect(self.viewport().rect(), palette.field)
        if self.snapshot is None:
            return
        painter.translate(-self.horizontalScrollBar().value(), 0)
        shading = self._visible()
        span = self._filled_span()
        outline = self._outline_span()
        painter.setFont(self.theme.mono)
        self._paint_tints(painter, shading, span, outline)
        self._paint_text(painter, shading, span)
        self._paint_outline(painter, outline)
        self._paint_caret(painter)
        self._paint_header(painter)

    def _outline_span(self) -> tuple[int, int] | None:
        """The bytes of the selected record, packet or frame, to be drawn with an outline."""
        place = self.session.selection.place
        if self.snapshot is None or place.row == HEADER:
            return None
        return span_of(self.snapshot, place._replace(field=None))

    def _filled_span(self) -> tuple[int, int]:
        """The bytes to be filled: a field, or what was chosen by hand. A whole frame in blue would say nothing."""
        selection = self.session.selection
        if selection.span is None and selection.place.field is None:
            return self.caret, self.caret
        return self.session.span

    def _line_y(self, line: int) -> int:
        return self.header_height + line * self.theme.px(LINE)

    def _paint_header(self, painter: QPainter) -> None:
        palette, m = self.theme.palette, self.metrics_
        left = self.horizontalScrollBar().value()
        painter.fillRect(QRect(left, 0, self.viewport().width(), self.header_height), palette.alternate)
        painter.setFont(self.theme.small)
        painter.setPen(palette.muted)
        height = self.header_height
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(self.theme.px(10), 0, m.first, height), flags, self.tr("offset"))
        painter.drawText(QRect(m.text, 0, 200, height), flags, self.tr("text"))
        painter.setFont(self.theme.mono)
        painter.setPen(palette.faint)
        for column in range(m.per_row):
            cell = QRect(m.byte_x(column), 0, m.pitch, height)
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, f"{column:x}")

    def _tints(self) -> dict[int, QColor]:
        palette = self.theme.palette
        return {PACKET_HEADER: palette.packet_header, FIELD_A: palette.tint_a, FIELD_B: palette.tint_b}

    def _paint_tints(
        self, painter: QPainter, shading: Shading, span: tuple[int, int], outline: tuple[int, int] | None
    ) -> None:
        palette, tints = self.theme.palette, self._tints()
        # Outside the selected record the tints step back, or the pane becomes a carpet.
        share = 0.45
        faded = {code: mix(palette.field, color, share) for code, color in tints.items()} | {
            PACKET_HEADER: palette.packet_header
        }
        strong = outline or span
        hatch = with_alpha(palette.error, 0.35)
        for start, stop, key in _runs(shading, self.per_row, span, strong):
            code, selected, near, edited = key
            if selected:
                color: QColor | None = palette.selection
            elif code == DAMAGED:
                color = None
            else:
                color = (tints if near else faded).get(code)
            for rect in self._cells(start, stop):
                if color is not None:
                    painter.fillRect(rect, color)
                elif code == DAMAGED:
                    painter.fillRect(rect, palette.cut)
                    _hatch(painter, rect, hatch)
                if edited and not selected:
                    painter.fillRect(rect, palette.edited_tint)
                if edited:
                    painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), palette.edited)

    def _cells(self, start: int, stop: int) -> list[QRect]:
        """The rectangles of neighbouring bytes of one line, in the hex and in the text column."""
        m = self.metrics_
        line, first = divmod(start - self.first_line * m.per_row, m.per_row)
        last = first + (stop - start)
        y = self._line_y(line) + (self.theme.px(LINE) - self.theme.px(TINT)) // 2
        left, right = m.byte_x(first), m.byte_x(last - 1) + m.pitch
        text_left, text_right = int(m.text_x(first)), int(m.text_x(last))
        height = self.theme.px(TINT)
        return [QRect(left, y, right - left, height), QRect(text_left, y, text_right - text_left, height)]

    def _paint_text(self, painter: QPainter, shading: Shading, span: tuple[int, int]) -> None:
        palette, m = self.theme.palette, self.metrics_
        base = shading.start
        strong = self._outline_span() or span
        height = self.theme.px(LINE)
        ascent = (height + QFontMetricsF(self.theme.mono).capHeight()) / 2
        caret_line = self.caret // m.per_row
        pad = (m.pitch - 2 * m.digit) / 2
        data = shading.data
        for line in range(-(-len(data) // m.per_row)):
            y = self._line_y(line) + ascent
            position = base + line * m.per_row
            painter.setFont(self.theme.mono)
            in_span = span[0] < position + m.per_row and position < span[1]
            painter.setPen(palette.text if position // m.per_row == caret_line or in_span else palette.faint)
            painter.drawText(QPoint(self.theme.px(10), int(y)), f"{position:0{m.digits}x}")
            for column, byte in enumerate(data[line * m.per_row : (line + 1) * m.per_row]):
                at = position + column
                if span[0] <= at < span[1]:
                    painter.setPen(palette.on_selection)
                elif strong[0] <= at < strong[1]:
                    painter.setPen(palette.text)
                else:
                    painter.setPen(palette.muted)
                painter.drawText(QRectF(m.byte_x(column) + pad, y - ascent, m.pitch, height), _AT, _HEX[byte])
                painter.drawText(QRectF(m.text_x(column), y - ascent, m.digit + 1, height), _AT, _TEXT[byte])

    def _paint_outline(self, painter: QPainter, outline: tuple[int, int] | None) -> None:
        if outline is None:
            return
        m = self.metrics_
        first = self.first_line * m.per_row
        start = max(outline[0], first)
        stop = min(outline[1], first + (self.lines_shown + 1) * m.per_row)
        if start >= stop:
            return
        path = QPainterPath()
        while start < stop:
            end = min(stop, (start // m.per_row + 1) * m.per_row)
            rect = self._cells(start, end)[0]
            # Lines touch, so that the outline runs round all of them.
            path.addRect(QRectF(rect.adjusted(0, -1, 0, 1)))
            start = end
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.theme.palette.selection, 1))
        painter.drawPath(path.simplified().translated(0.5, 0.5))

    def _paint_caret(self, painter: QPainter) -> None:
        m = self.metrics_
        line, column = divmod(self.caret - self.first_line * m.per_row, m.per_row)
        if not 0 <= line <= self.lines_shown:
            return
        color = self.theme.palette.text if self.hasFocus() else self.theme.palette.faint
        y, height = self._line_y(line) + 1, self.theme.px(TINT)
        pad = (m.pitch - 2 * m.digit) / 2
        hex_x = int(m.byte_x(column) + pad + (m.digit if self.low_digit else 0))
        text_x = int(m.text_x(column))
        active, other = (text_x, hex_x) if self.in_text else (hex_x, text_x)
        if self.inserting:
            painter.fillRect(QRect(active - 1, y, 2, height), color)
        else:
            painter.fillRect(QRect(active, y + height - 2, int(m.digit), 2), color)
        if self.hasFocus():
            painter.fillRect(QRect(other, y + height - 1, int(m.digit), 1), with_alpha(color, 0.6))

    # --- where is what ----------------------------------------------------------------------------------

    def position_at(self, point: QPoint) -> tuple[int, bool] | None:
        """(position, over the text column) of the byte under a point of the viewport; None beside them."""
        if self.snapshot is None or point.y() < self.header_height:
            return None
        m = self.metrics_
        x = point.x() + self.horizontalScrollBar().value()
        line = self.first_line + (point.y() - self.header_height) // self.theme.px(LINE)
        in_text = x >= m.text - self.theme.px(4)
        if in_text:
            column = int((x - m.text) // m.digit)
        else:
            gap = 8 if m.per_row == 16 and x >= m.byte_x(8) else 0
            column = (x - m.first - gap) // m.pitch
        position = line * m.per_row + max(0, min(column, m.per_row - 1))
        return (position, in_text) if position < self.snapshot.size else None

    def rect_of(self, position: int) -> QRect:
        """The cell of a byte in the hex column, in the viewport."""
        rect = self._cells(position, position + 1)[0]
        return rect.translated(-self.horizontalScrollBar().value(), 0)

    # --- mouse ------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.position_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or found is None:
            return
        position, self.in_text = found
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._extend_to(position)
            return
        self._pressed = position
        self._set_caret(position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.position_at(event.position().toPoint())
        if self._pressed is not None and found is not None and found[0] != self.caret:
            low, high = sorted((self._pressed, found[0]))
            self.caret = found[0]
            self.session.select_span(low, high + 1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self.position_at(event.position().toPoint())
        if found is not None and self.snapshot is not None:
            place = place_at(self.snapshot, found[0])
            self.session.select(place._replace(field=None) if place.row != HEADER else place)

    # --- the caret --------------------------------------------------------------------------------------

    def _set_caret(self, position: int, *, select: bool = True) -> None:
        assert self.snapshot is not None
        self._gesture += 1
        self.caret = max(0, min(position, self.snapshot.size))
        self.low_digit = False
        self._anchor = None
        self.scroll_to(self.caret)
        self.caret_moved.emit(self.caret)
        if select and self.caret < self.snapshot.size:
            self._select_under_caret()
        self.viewport().update()

    def _select_under_caret(self) -> None:
        assert self.snapshot is not None
        place = place_at(self.snapshot, self.caret)
        if place != self.session.selection.place or self.session.selection.span is not None:
            self.session.select(place)

    def _extend_to(self, position: int) -> None:
        assert self.snapshot is not None
        if self._anchor is None:
            self._anchor = self.caret
        anchor = self._anchor
        position = max(0, min(position, self.snapshot.size - 1))
        low, high = sorted((anchor, position))
        self.caret = position
        self.session.select_span(low, high + 1)
        self._anchor, self.caret = anchor, position
        self.scroll_to(position)
        self.viewport().update()

    def set_inserting(self, inserting: bool) -> None:
        """Typing inserts bytes, or overwrites them."""
        if inserting != self.inserting:
            self.inserting = inserting
            self.inserting_changed.emit(inserting)
            self.viewport().update()

    # --- keys -------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # Tab moves on to the next widget; Ctrl+Tab is ours.
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) and control:
                self.in_text, self.low_digit = not self.in_text, False
                self.viewport().update()
                return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._wants(event):
            event.accept()
            return True
        return super().event(event)

    def _wants(self, event: QKeyEvent) -> bool:
        """Keys that type a byte here, before a shortcut of the window takes them."""
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        return plain and (bool(event.text().strip()) or event.key() in (*_MOVES, Qt.Key.Key_Space, Qt.Key.Key_Delete))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.snapshot is None:
            super().keyPressEvent(event)
            return
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        target = self._target(key, control)
        if target is not None:
            self._extend_to(target) if shift else self._set_caret(target)
        elif key == Qt.Key.Key_Insert and not control and not shift:
            self.set_inserting(not self.inserting)
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete) and not control:
            self._remove(back=key == Qt.Key.Key_Backspace)
        elif event.text() and not control and event.text().isprintable():
            self._type(event.text())
        else:
            super().keyPressEvent(event)

    def _target(self, key: Qt.Key, control: bool) -> int | None:
        assert self.snapshot is not None
        row, page = self.per_row, self.per_row * self.lines_shown
        start = self.caret - self.caret % row
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -row, Qt.Key.Key_Down: row,
            Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page,
        }  # fmt: skip
        if key in steps and not control:
            return self.caret + steps[key]
        if key == Qt.Key.Key_Home:
            return 0 if control else start
        if key == Qt.Key.Key_End:
            return self.snapshot.size - 1 if control else start + row - 1
        return None

    # --- editing ----------------------------------------------------------------------------------------

    def _type(self, text: str) -> None:
        if self.in_text:
            self._put(text.encode("utf-8"), advance=True)
            return
        digit = text.lower()
        if digit not in "0123456789abcdef" or len(digit) != 1:
            self.told.emit(self.tr("Type hex digits here; Ctrl+Tab goes to the text column."))
            return
        assert self.snapshot is not None
        value = int(digit, 16)
        if self.low_digit:
            before = self.snapshot.read(self.caret, 1)
            self._put(bytes([(before[0] & 0xF0) | value]), advance=True, overwrite_only=True)
        elif self.inserting:
            self._put(bytes([value << 4]), advance=False)
        elif self.caret < self.snapshot.size:
            before = self.snapshot.read(self.caret, 1)
            self._put(bytes([(value << 4) | (before[0] & 0x0F)]), advance=False)

    def _put(self, data: bytes, *, advance: bool, overwrite_only: bool = False) -> None:
        caret = self.caret
        inserting = self.inserting and not overwrite_only
        if not self._attempt(lambda: self._insertion(caret, data) if inserting else self._overwriting(caret, data)):
            return
        if advance:
            self.caret, self.low_digit = caret + len(data), False
        else:
            self.caret, self.low_digit = caret, True
        self.scroll_to(self.caret)
        self.caret_moved.emit(self.caret)
        assert self.snapshot is not None
        if self.caret < self.snapshot.size:
            low = self.low_digit
            self._select_under_caret()
            self.low_digit = low

    def _overwriting(self, position: int, data: bytes) -> Edit:
        return overwrite(self.session.snapshot_or_refuse(), position, data)

    def _insertion(self, position: int, data: bytes, removed: int = 0) -> Edit:
        snapshot = self.session.snapshot_or_refuse()
        if self.raw_mode:
            return replace_bytes(snapshot, position, position + removed, data)
        where = place_at(snapshot, min(position, snapshot.size - 1))
        found = look_up(snapshot, where)
        if found.packet is None or where.row == HEADER or position < found.packet.offset + 5:
            raise EditError(self.tr("Bytes are inserted inside a body, where size and count follow, or in raw mode."))
        return insert_in_body(
            snapshot, Place(where.row, where.packet), position - found.packet.offset - 5, data, removed
        )

    def _remove(self, *, back: bool) -> None:
        assert self.snapshot is not None
        if not self.inserting:
            self.told.emit(self.tr("Insert switches to inserting; only there bytes can be taken out."))
            return
        start, stop = self.session.selection.span or (self.caret - back, self.caret - back + 1)
        if start < 0 or start >= self.snapshot.size:
            return
        if self._attempt(lambda: self._insertion(start, b"", stop - start)):
            self._set_caret(start)

    def put_block(self, data: bytes, label: str = "") -> None:
        """Write bytes at the caret, or in the place of the selected ones: paste and fill."""
        start = self.session.selection.span[0] if self.session.selection.span is not None else self.caret
        self._gesture += 1
        if not data:
            return
        if self.inserting:
            self._attempt(lambda: self._insertion(start, data))
        else:
            self._attempt(lambda: self._overwriting(start, data))

    def _attempt(self, make: Callable[[], Edit]) -> bool:
        try:
            self.session.apply(make(), gesture=f"type {self._gesture}")
        except RecorderError as error:
            self.told.emit(error.message)
            return False
        return True

    def paste(self) -> None:
        """Bytes from the clipboard: hex digits where it holds only those, else its text as UTF-8."""
        text = QGuiApplication.clipboard().text()
        try:
            data = text.encode("utf-8") if self.in_text else bytes.fromhex(text)
        except ValueError:
            data = text.encode("utf-8")
        self.put_block(data)

    def selected_bytes(self, most: int = 1 << 24) -> bytes:
        """The selected bytes, at most 16 MiB of them."""
        start, stop = self.session.span
        return self.snapshot.read(start, min(stop - start, most)) if self.snapshot is not None else b""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._gesture += 1
        self.viewport().update()


_AT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_MOVES = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
    Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Insert, Qt.Key.Key_Backspace,
)  # fmt: skip
