"""The whole recording as a strip of 6 pixels: what is sound, damaged, edited, and where the caret is.

It is always there: if it came with the first edit, the columns of bytes would move.
"""

from typing import TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from ....arrays import FloatArray, IntArray
from ....recording import Snapshot
from ....texts import say
from ...session import Session
from ...session.marks import byte_spans
from ...style.painting import set_colors
from ...style.theme import Theme
from ...widgets import ThemedWidget

P = TypeVar("P", float, FloatArray)

_WIDTH = 6  # px
_POINTER = 5
_GAP = 2
_MOST_MARKS = 4096  # of one colour


class FileMap(ThemedWidget):
    """The strip; grey while there is neither damage nor an edit.

    Signal: `asked(int)`: a position was clicked.

    Attributes:
        caret: Position of the caret.
    """

    asked = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self.caret = 0
        self._damage: IntArray = np.zeros((0, 2), np.int64)
        self._edits = self._damage
        self._size = 1
        self.setAccessibleName(say("Map of the file: damage and edits"))
        self.setToolTip(say("The whole file: damage hatched, edits marked; click to go there"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        session.opened.connect(self.refresh)
        session.editing.changed.connect(self.refresh)
        session.lost.changed.connect(self.refresh)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(_WIDTH + _POINTER + 2 * _GAP), 40)

    def refresh(self) -> None:
        """Take in the rows anew."""
        snapshot = self.session.snapshot
        if snapshot is not None:
            table = snapshot.table
            lost = np.array(byte_spans(snapshot, self.session.lost.frames), np.int64).reshape(-1, 2)
            self._damage = np.concatenate([_spans(snapshot, table.raw_rows), lost])
            self._edits = _spans(snapshot, table.edited_rows)
            self._size = max(1, snapshot.size)
        self.update()

    def set_caret(self, position: int) -> None:
        """Point at a position."""
        self.caret = position
        self.update()

    def _y(self, positions: P) -> P:
        """Return the pixels of one position, or of several."""
        return 4 + (self.height() - 8) * positions / self._size

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        left = self.theme.px(_GAP)
        width = self.theme.px(_WIDTH)
        ground = palette.track
        if len(self._damage) or len(self._edits):
            ground = palette.fine
        painter.fillRect(QRect(left, 4, width, self.height() - 8), ground)
        for spans, color, share in ((self._edits, palette.edited, 0.5), (self._damage, palette.error, 1.0)):
            if not len(spans):
                continue
            # One mark a pixel, however many rows fall on it.
            marks = np.unique(self._y(spans.astype(np.float64)).astype(np.int64), axis=0)
            for top, bottom in marks[:_MOST_MARKS].tolist():
                mark = QRect(left, top, width, max(3, bottom - top))
                painter.fillRect(mark, palette.field)
                if mark.height() > 4:
                    mark = mark.adjusted(1, 1, -1, -1)
                mark.setWidth(round(mark.width() * share))
                painter.fillRect(mark, color)
        y = self._y(float(self.caret))
        tip = float(left + width + self.theme.px(_GAP))
        base = tip + self.theme.px(_POINTER)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        set_colors(painter, palette.text)
        painter.drawPolygon(QPolygonF([QPointF(tip, y), QPointF(base, y - 4), QPointF(base, y + 4)]))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        snapshot = self.session.snapshot
        if snapshot is not None and snapshot.size:
            share = (event.position().y() - 4) / max(1, self.height() - 8)
            self.asked.emit(int(max(0.0, min(share, 1.0)) * (snapshot.size - 1)))


def _spans(snapshot: Snapshot, rows: IntArray) -> IntArray:
    """Return where rows (rising) begin and end, int64[n, 2]."""
    if not len(rows):
        return np.zeros((0, 2), np.int64)
    edges = snapshot.table.positions(int(rows[0]), int(rows[-1]) + 1) + len(snapshot.header_bytes)
    offsets = rows - rows[0]
    return np.stack((edges[offsets], edges[offsets + 1]), axis=1)
