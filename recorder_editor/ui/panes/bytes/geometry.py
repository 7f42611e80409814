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
    """Where things are, in pixels.

    Attributes:
        per_row: Bytes a row.
        digits: Digits of an offset.
        pitch: From byte to byte.
        digit: Width of a digit.
        first: Left edge of the first byte's cell.
        text: Left edge of the first character.
        line: Height of a line.
        tint: Height of the ground of a byte.
        header: Height of the header.
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
        """Return the left edge of a byte's cell."""
        left = self.first + column * self.pitch
        if column >= GAP_AT:
            return left + _GAP
        return left

    def text_x(self, column: int) -> float:
        """Return the left edge of a byte's character."""
        return self.text + column * self.digit

    @property
    def pad(self) -> float:
        """From the left edge of a byte's cell to its first digit."""
        return (self.pitch - 2 * self.digit) / 2

    def line_y(self, line: int) -> int:
        """Return the upper edge of a line of the pane, 0 being the first one below the header."""
        return self.header + line * self.line

    def cells(self, start: int, stop: int, first_line: int) -> tuple[QRect, QRect]:
        """Return the rectangles of neighbouring bytes of one line, in the hex and in the text column.

        Args:
            start: Position of the first byte.
            stop: Position behind the last one.
            first_line: The line at the top of the pane.
        """
        line, first = divmod(start - first_line * self.per_row, self.per_row)
        last = first + (stop - start)
        top = self.line_y(line) + (self.line - self.tint) // 2
        left = self.byte_x(first)
        right = self.byte_x(last - 1) + self.pitch
        text_left = int(self.text_x(first))
        text_right = int(self.text_x(last))
        digits = QRect(left, top, right - left, self.tint)
        characters = QRect(text_left, top, text_right - text_left, self.tint)
        return digits, characters

    def spot(self, point: QPoint, first_line: int) -> "Spot":
        """Return the byte with the cell that is nearest to a point on or below the first line."""
        line = first_line + (point.y() - self.header) // self.line
        in_text = point.x() >= self.text - 4
        if in_text:
            column = int((point.x() - self.text) // self.digit)
        else:
            left = self.first
            if self.per_row == 16 and point.x() >= self.byte_x(GAP_AT):
                left += _GAP
            column = (point.x() - left) // self.pitch
        column = max(0, min(column, self.per_row - 1))
        return Spot(max(0, line) * self.per_row + column, in_text)


class Spot(NamedTuple):
    """A byte that was pointed at.

    Attributes:
        position: Its position in the recording.
        in_text: Whether its character was meant.
    """

    position: int
    in_text: bool


def fitting_metrics(theme: Theme, size: int, room: int) -> Metrics:
    """Return the metrics for a recording: 16 bytes a row, or 8.

    Args:
        theme: Its fonts are measured.
        size: Bytes of the recording.
        room: Width of the pane, px.
    """
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
        text = first + per_row * pitch + theme.px(MARGIN)
        if per_row == 16:
            text += _GAP
        return Metrics(
            per_row=per_row,
            digits=digits,
            pitch=pitch,
            digit=digit,
            first=first,
            text=text,
            line=theme.px(LINE),
            tint=theme.px(TINT),
            header=theme.px(20),
        )

    # Sixteen a row stand one pixel closer where that is all they lack, beside the file map for one.
    for pitch in (loose, loose - 1):
        sixteen = metrics(16, pitch)
        if sixteen.text_x(16) <= room:
            return sixteen
    return metrics(8, loose)
