"""Painting what is visible: tints by what a byte is, digits, characters, outline, caret.

Gets the bytes and where they stand; knows no session, no recording, no keys.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen

from ....texts import say
from ....views.byte_shading import DAMAGED, FIELD_A, FIELD_B, PACKET_HEADER, Shading
from ...style.colors import Palette, mix, with_alpha
from ...style.painting import LEFT, draw_text, hatch, set_colors
from .geometry import GAP_AT, MARGIN
from .scroll_area import HexScrollArea

Span = tuple[int, int]

_TEXT = bytes(code if 32 <= code < 127 else ord(".") for code in range(256))
"""The character of each byte: a full stop where it has none."""

_FAINT_TINT = 0.45

# A key of bytes that look alike: the code in the lowest four bits, and a bit for each other trait.
_CODE = 15
_SELECTED = 16
_NEAR = 32
_EDITED = 64


class Caret(NamedTuple):
    """Where typing goes.

    Attributes:
        position: Position of the byte.
        low_digit: Whether its second digit is typed next.
        in_text: Whether the caret is in the column of text.
        inserting: Whether typing inserts.
        focused: Whether the pane has the keyboard.
    """

    position: int
    low_digit: bool
    in_text: bool
    inserting: bool
    focused: bool


class Page(NamedTuple):
    """What one picture of the pane shows.

    Attributes:
        area: What it is painted on.
        shading: The bytes in sight, and what they are.
        span: Bytes filled with the selection's colour.
        outline: The selected record, packet or frame; None without one.
        caret: Where typing goes.
    """

    area: HexScrollArea
    shading: Shading
    span: Span
    outline: Span | None
    caret: Caret

    @property
    def strong(self) -> Span:
        """The bytes whose tints are strong."""
        return self.outline or self.span

    def paint(self, painter: QPainter) -> None:
        """Paint everything."""
        painter.setFont(self.area.theme.mono)
        self._paint_tints(painter)
        self._paint_text(painter)
        self._paint_outline(painter)
        self._paint_caret(painter)
        self._paint_header(painter)

    def _paint_header(self, painter: QPainter) -> None:
        area = self.area
        palette = self.area.theme.palette
        m = self.area.metrics_
        left = area.horizontalScrollBar().value()
        painter.fillRect(QRect(left, 0, area.viewport().width(), m.header), palette.alternate)
        for x, width, text in ((area.theme.px(MARGIN), m.first, say("offset")), (m.text, 200, say("text"))):
            draw_text(painter, QRect(x, 0, width, m.header), text, area.theme.small, palette.muted)
        for column in range(m.per_row):
            cell = QRect(m.byte_x(column), 0, m.pitch, m.header)
            draw_text(painter, cell, f"{column:x}", area.theme.mono, palette.faint, Qt.AlignmentFlag.AlignCenter)

    def _paint_tints(self, painter: QPainter) -> None:
        palette = self.area.theme.palette
        tints, faded = _tints(palette)
        lines = with_alpha(palette.error, 0.35)
        hatched = with_alpha(palette.on_selection, 0.3)
        first_line = self.area.first_line
        for start, stop, (code, selected, near, edited) in self._runs():
            color: QColor | None = None
            if selected:
                color = palette.selection
            elif code != DAMAGED and near:
                color = tints.get(code)
            elif code != DAMAGED:
                color = faded.get(code)
            for rect in self.area.metrics_.cells(start, stop, first_line):
                if color is not None:
                    painter.fillRect(rect, color)
                if code == DAMAGED:
                    if not selected:
                        painter.fillRect(rect, palette.cut)
                    hatch(painter, QRectF(rect), hatched if selected else lines)
                    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, palette.error)
                if edited and not selected:
                    painter.fillRect(rect, palette.edited_tint)
                if edited:
                    painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), palette.edited)

    def _runs(self) -> Iterator[tuple[int, int, tuple[int, bool, bool, bool]]]:
        """Yield neighbouring bytes of one line that look alike: (start, stop, (code, selected, in the record, edited)).

        Bytes without anything to paint are left out.
        """
        shading = self.shading
        per_row = self.area.metrics_.per_row
        positions = np.arange(len(shading.codes)) + shading.start
        selected = (positions >= self.span[0]) & (positions < self.span[1])
        near = (positions >= self.strong[0]) & (positions < self.strong[1])
        keys = shading.codes.astype(np.int64)
        keys[selected] |= _SELECTED
        keys[near] |= _NEAR
        keys[shading.edited] |= _EDITED
        if not len(keys):
            return
        edges = np.flatnonzero((np.diff(keys) != 0) | (positions[1:] % per_row == 0)) + 1
        bounds = [0]
        bounds.extend(edges.tolist())
        bounds.append(len(keys))
        for low, high in pairwise(bounds):
            key = int(keys[low])
            if key:
                looks = (key & _CODE, bool(key & _SELECTED), bool(key & _NEAR), bool(key & _EDITED))
                yield shading.start + low, shading.start + high, looks

    def _paint_text(self, painter: QPainter) -> None:
        palette = self.area.theme.palette
        m = self.area.metrics_
        span = self.span
        base = self.shading.start
        data = self.shading.data
        left = self.area.theme.px(MARGIN)
        caret_line = self.caret.position // m.per_row
        digits = QFont(self.area.theme.mono)
        characters = QFont(self.area.theme.mono)
        for font in (digits, characters):
            font.setStyleStrategy(QFont.StyleStrategy.PreferNoShaping)  # neighbouring bytes form no ligature
        digits.setWordSpacing(m.pitch - 3 * m.digit)  # from byte to byte
        pairs = []
        painter.setFont(characters)
        for line, position in enumerate(range(base, base + len(data), m.per_row)):
            is_selected = span[0] < position + m.per_row and position < span[1]
            if is_selected or position // m.per_row == caret_line:
                painter.setPen(palette.text)
            else:
                painter.setPen(palette.faint)
            top = m.line_y(line)
            painter.drawText(QRectF(left, top, m.first, m.line), LEFT, f"{position:0{m.digits}x}")
            for start, stop, ink in self._inks(position, min(position + m.per_row, base + len(data))):
                column = start - position
                part = data[start - base : stop - base]
                place = QRectF(m.text_x(column), top, len(part) * m.digit + 1, m.line)
                painter.setPen(ink)
                painter.drawText(place, LEFT, part.translate(_TEXT).decode())
                pairs.append((QRectF(m.byte_x(column) + m.pad, top, len(part) * m.pitch, m.line), ink, part.hex(" ")))
        painter.setFont(digits)
        for place, ink, text in pairs:
            painter.setPen(ink)
            painter.drawText(place, LEFT, text)

    def _inks(self, start: int, stop: int) -> Iterator[tuple[int, int, QColor]]:
        """Yield the bytes `[start, stop)` of one line in parts of one colour, parted at the gap, too."""
        palette = self.area.theme.palette
        span = self.span
        strong = self.strong
        cuts = {start, stop}
        for cut in (*span, *strong, start + GAP_AT):
            if start < cut < stop:
                cuts.add(cut)
        for low, high in pairwise(sorted(cuts)):
            if span[0] <= low < span[1]:
                yield low, high, palette.on_selection
            elif strong[0] <= low < strong[1]:
                yield low, high, palette.text
            else:
                yield low, high, palette.muted

    def _paint_outline(self, painter: QPainter) -> None:
        if self.outline is None:
            return
        per_row = self.area.metrics_.per_row
        first = self.area.first_line * per_row
        start = max(self.outline[0], first)
        stop = min(self.outline[1], first + (self.area.lines_shown + 1) * per_row)
        if start >= stop:
            return
        path = QPainterPath()
        while start < stop:
            end = min(stop, (start // per_row + 1) * per_row)
            rect, _ = self.area.metrics_.cells(start, end, self.area.first_line)
            # Lines touch, so that the outline runs round all of them.
            path.addRect(QRectF(rect.adjusted(0, -1, 0, 1)))
            start = end
        set_colors(painter, None, QPen(self.area.theme.palette.selection, 1))
        painter.drawPath(path.simplified().translated(0.5, 0.5))

    def _paint_caret(self, painter: QPainter) -> None:
        m = self.area.metrics_
        caret = self.caret
        line, column = divmod(caret.position - self.area.first_line * m.per_row, m.per_row)
        if not 0 <= line <= self.area.lines_shown:
            return
        color = self.area.theme.palette.text if caret.focused else self.area.theme.palette.faint
        y = m.line_y(line) + 1
        height = m.tint
        hex_left = m.byte_x(column) + m.pad
        if caret.low_digit:
            hex_left += m.digit
        active = int(hex_left)
        passive = int(m.text_x(column))
        if caret.in_text:
            active, passive = passive, active
        if caret.inserting:
            painter.fillRect(QRect(active - 1, y, 2, height), color)
        else:
            painter.fillRect(QRect(active, y + height - 2, int(m.digit), 2), color)
        if caret.focused:
            painter.fillRect(QRect(passive, y + height - 1, int(m.digit), 1), with_alpha(color, 0.6))


def _tints(palette: Palette) -> tuple[dict[int, QColor], dict[int, QColor]]:
    """Return the colours of codes in the selected record, and outside it, where they are faint."""
    tints = {PACKET_HEADER: palette.packet_header, FIELD_A: palette.tint_a, FIELD_B: palette.tint_b}
    faded = {}
    for code, color in tints.items():
        faded[code] = mix(palette.field, color, _FAINT_TINT)
    return tints, faded | {PACKET_HEADER: palette.packet_header}
