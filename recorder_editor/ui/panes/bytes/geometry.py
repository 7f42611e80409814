"""Where offset, hex and text stand: columns of a line, and how many bytes go into one.

Knows lengths alone: no recording, no painting.
"""

from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFontMetricsF

from ...style.theme import Theme

LINE = 18
TINT = 16
MARGIN = 10
GAP_AT = 8
_GAP = 8


class Metrics(NamedTuple):
    """Where things are, in pixels, for a number of bytes a row.

    Attributes: `digits` (of an offset), `pitch` (from byte to byte), `digit` (width of one), `first` (left edge of
    the first byte's cell), `text` (of the first character), `line`, `tint` and `header` (heights).
    """

    per_row: int
    digits: int
    pitch: int
    digit: float
    first: int
    text: int
    line: int = LINE
    tint: int = TINT
    header: int = 20

    def byte_x(self, column: int) -> int:
        """The left edge of a byte's cell."""
        return self.first + column * self.pitch + (_GAP if column >= GAP_AT else 0)

    def text_x(self, column: int) -> float:
        """The left edge of a byte's character."""
        return self.text + column * self.digit

    @property
    def pad(self) -> float:
        """From the left edge of a byte's cell to its first digit."""
        return (self.pitch - 2 * self.digit) / 2

    def line_y(self, line: int) -> int:
        """The upper edge of a line of the pane, 0 being the first one below the header."""
        return self.header + line * self.line

    def cells(self, start: int, stop: int, first_line: int) -> tuple[QRect, QRect]:
        """The rectangles of neighbouring bytes of one line, in the hex and in the text column."""
        line, first = divmod(start - first_line * self.per_row, self.per_row)
        last = first + (stop - start)
        y = self.line_y(line) + (self.line - self.tint) // 2
        left, right = self.byte_x(first), self.byte_x(last - 1) + self.pitch
        text_left = int(self.text_x(first))
        text_right = int(self.text_x(last))
        return QRect(left, y, right - left, self.tint), QRect(text_left, y, text_right - text_left, self.tint)

    def spot(self, point: QPoint, first_line: int) -> "Spot":
        """The byte whose cell is nearest to a point on or below the first line."""
        line = first_line + (point.y() - self.header) // self.line
        in_text = point.x() >= self.text - 4
        if in_text:
            column = int((point.x() - self.text) // self.digit)
        else:
            gap = _GAP if self.per_row == 16 and point.x() >= self.byte_x(GAP_AT) else 0
            column = (point.x() - self.first - gap) // self.pitch
        return Spot(max(0, line) * self.per_row + max(0, min(column, self.per_row - 1)), in_text)


class Spot(NamedTuple):
    """A byte's position in the recording, and whether its character was meant."""

    position: int
    in_text: bool


def fitting_metrics(theme: Theme, size: int, room: int) -> Metrics:
    """The metrics for a recording of `size` bytes in a pane `room` pixels wide: 16 bytes a row, or 8."""
    digit = QFontMetricsF(theme.mono).horizontalAdvance("0")
    loose = max(theme.px(18), int(2 * digit + theme.px(4)))
    if size < 1 << 24:
        digits = 6
    elif size < 1 << 32:
        digits = 8
    else:
        digits = 10
    first = int(theme.px(MARGIN) + digits * digit + theme.px(14))

    def metrics(per_row: int, pitch: int) -> Metrics:
        text = first + per_row * pitch + (_GAP if per_row == 16 else 0) + theme.px(MARGIN)
        heights = theme.px(LINE), theme.px(TINT), theme.px(20)
        return Metrics(per_row, digits, pitch, digit, first, text, *heights)

    # Sixteen a row stand one pixel closer where that is all they lack, beside the file map for one.
    choices = (metrics(16, loose), metrics(16, loose - 1), metrics(8, loose))
    return next((one for one in choices if one.text_x(one.per_row) <= room), choices[-1])
