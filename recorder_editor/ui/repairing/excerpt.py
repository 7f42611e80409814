"""The bytes around a damage, as they are and as they would be, side by side.

It finds where a byte of the one state stands in the other; it knows no session and no proposal.
"""

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ...recording import Snapshot
from ..colors import mix, with_alpha
from ..hex_view.shading import DAMAGED, FIELD_A, FIELD_B, PACKET_HEADER, Shading, shade
from ..painting import LEFT, RIGHT, draw_text, hatch
from ..saved_rows import row_of_key
from ..theme import Theme
from ..widgets import ThemedWidget

_LINE, _TINT, _HEAD = 18, 16, 20
_LINES = 5
_LEAD = 16
_GAP = 16
_ROWS_BACK = 64
_FAINT = 0.45
_HEX = [f"{code:02x}" for code in range(256)]


def counterpart(before: Snapshot, after: Snapshot, position: int) -> int | None:
    """Where the byte at a position stands after the change, or where what comes in its place begins.

    None where nothing near it is left.
    """
    header = len(before.header_bytes)
    if position < max(header, 1) or not before.rows:
        return min(position, len(after.header_bytes))
    row = before.row_at(min(position, before.size - 1))
    for earlier in range(row if row is not None else 0, max(-1, (row or 0) - _ROWS_BACK), -1):
        found = row_of_key(after, int(before.table.row(earlier)["key"]), earlier)
        if found is not None:
            low, high = after.position(found), after.position(found + 1)
            return min(low + position - before.position(earlier), high) if earlier == row else high
    return None if row else len(after.header_bytes)


class Excerpt(ThemedWidget):
    """Five lines of either state. Attributes: `before` and `after` (what is shown, or None), `heading`, `titles`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.before: Shading | None = None
        self.after: Shading | None = None
        self.heading = self.tr("Bytes at the damage")
        self.titles = (self.tr("now"), self.tr("after"))
        self._states: tuple[Snapshot, Snapshot] | None = None
        self._at: int | None = None
        self._span = (0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Bytes before and after the repair"))

    def show_place(self, states: tuple[Snapshot, Snapshot] | None, at: int | None, size: int = 0) -> None:
        """Show what stands around a position of the first state, and what comes of it in the second one.

        Raises what reading the recording raises.
        """
        self._states, self._at, self._span = states, at, ((at or 0), (at or 0) + max(1, size))
        self._take()

    def _take(self) -> None:
        if self._states is None or self._at is None:
            self.before = self.after = None
            self.update()
            return
        before, after = self._states
        room = self._per_row() * _LINES
        start = max(0, min(self._at, max(0, before.size - 1)) - _LEAD)
        start -= start % self._per_row()
        self.before = shade(before, None, start, start + room)
        there = counterpart(before, after, start)
        self.after = shade(after, before, there, there + room) if there is not None else None
        self.setAccessibleDescription(
            self.tr("From 0x%1: %2").replace("%1", f"{start:06x}").replace("%2", self.before.data[:32].hex(" "))
        )
        self.update()

    # --- room -------------------------------------------------------------------------------------------

    def _side(self) -> int:
        return max(0, (self.width() - self.theme.px(_GAP)) // 2)

    def _pitch(self) -> float:
        return min(float(self.theme.px(18)), self._side() / self._per_row())

    def _per_row(self) -> int:
        needed = 2 * QFontMetricsF(self.theme.mono).horizontalAdvance("0") + 2
        return 8 if self._side() / 8 >= needed else 4

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(240), self.theme.px(_HEAD) * 2 + _LINES * self.theme.px(_LINE))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(160), self.sizeHint().height())

    def resizeEvent(self, event: object) -> None:
        if self.before is not None and len(self.before.data) != self._per_row() * _LINES:
            self._take()

    # --- painting ---------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, palette = self.theme, self.theme.palette
        painter = QPainter(self)
        draw_text(painter, QRect(0, 0, self.width(), theme.px(_HEAD)), self.heading, theme.bold, palette.text)
        second = self._side() + theme.px(_GAP)
        self._half(painter, 0, self.titles[0], self.before, self._span)
        self._half(painter, second, self.titles[1], self.after, (0, 0))
        x = self._side() + theme.px(_GAP) // 2
        top = theme.px(_HEAD)
        painter.fillRect(QRect(x, top + 3, 1, self.height() - top - 6), palette.hairline)

    def _half(self, painter: QPainter, left: int, title: str, shading: Shading | None, span: tuple[int, int]) -> None:
        theme, palette = self.theme, self.theme.palette
        head = QRect(left, theme.px(_HEAD), self._side(), theme.px(_HEAD))
        draw_text(painter, head, title, theme.small, palette.muted)
        if shading is None or not shading.data:
            words = self.tr("nothing is left here") if shading is None else self.tr("the recording ends here")
            painter.drawText(head.translated(0, theme.px(_HEAD)), LEFT, words)
            return
        draw_text(painter, head, f"0x{shading.start:06x}", theme.mono, palette.faint, RIGHT)
        self._tints(painter, left, shading)
        for index, byte in enumerate(shading.data):
            damaged = int(shading.codes[index]) == DAMAGED or span[0] <= shading.start + index < span[1]
            painter.setPen(palette.text if damaged or bool(shading.edited[index]) else palette.muted)
            painter.drawText(self._cell(left, index, index + 1), Qt.AlignmentFlag.AlignCenter, _HEX[byte])

    def _cell(self, left: int, start: int, stop: int) -> QRectF:
        """Where neighbouring bytes of one line stand."""
        line, column = divmod(start, self._per_row())
        top = 2 * self.theme.px(_HEAD) + line * self.theme.px(_LINE) + 1
        pitch = self._pitch()
        return QRectF(left + column * pitch, top, (stop - start) * pitch, self.theme.px(_TINT))

    def _tints(self, painter: QPainter, left: int, shading: Shading) -> None:
        palette, per_row = self.theme.palette, self._per_row()
        faint = {FIELD_A: palette.tint_a, FIELD_B: palette.tint_b, PACKET_HEADER: palette.packet_header}
        keys = shading.codes.astype(np.int64) | shading.edited.astype(np.int64) << 4
        places = np.arange(1, len(keys))
        bounds = [0, *(np.flatnonzero((np.diff(keys) != 0) | (places % per_row == 0)) + 1).tolist(), len(keys)]
        for low, high in pairwise(bounds):
            rect, code = self._cell(left, low, high), int(keys[low]) & 15
            if code == DAMAGED:
                painter.fillRect(rect, palette.cut)
                hatch(painter, rect, with_alpha(palette.error, 0.5))
            elif code in faint:
                share = 1.0 if code == PACKET_HEADER else _FAINT
                painter.fillRect(rect, mix(palette.window, faint[code], share))
            if int(keys[low]) & 16:
                painter.fillRect(rect, palette.edited_tint)
                painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 2), palette.edited)
