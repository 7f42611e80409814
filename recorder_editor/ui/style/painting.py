"""What painted views draw with: words at a side of a rectangle, boxes, and shapes with a ground and an edge."""

from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
RADIUS = 3
_LONGEST_WORD = 20


def draw_text(
    painter: QPainter,
    rect: QRect | QRectF,
    text: str,
    font: QFont,
    color: QColor,
    side: Qt.AlignmentFlag = LEFT,
    *,
    room: int | None = None,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Draw a text at a side of a rectangle; a line that is wider than `room` (pixels) gets an ellipsis."""
    if not text:
        return
    painter.setFont(font)
    painter.setPen(color)
    if room is not None:
        text = painter.fontMetrics().elidedText(text, elide, room)
    lacking = painter.fontMetrics().height() - rect.height()
    if 0 < lacking < painter.fontMetrics().height():  # large text is whole, and reaches over what it stands in
        rect = QRectF(rect).adjusted(0, -lacking / 2, 0, lacking / 2)
    painter.drawText(rect, side, text)


def cut_between_words(metrics: QFontMetrics, text: str, width: int, stay: int = 1) -> str:
    """The text with an ellipsis for as few words as have no room, behind those that `stay`, which are cut last."""
    words = text.split(" ")
    if len(text) > _LONGEST_WORD * len(words):  # Chinese, which has none
        return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)
    for gone in range(len(words)):
        last = len(words) - gone
        ends = []
        for at in range(stay, last + 1):
            ends.append((" ".join(words[:at]), " ".join(words[at + gone :])))
        for head, tail in sorted(ends, key=lambda each: abs(len(each[0]) - len(each[1]))):
            if gone:
                kept = f"{head} … {tail}".rstrip()
            else:
                kept = text
            if metrics.horizontalAdvance(kept) <= width:
                return kept
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


def set_colors(painter: QPainter, ground: QColor | None, edge: QPen | None = None) -> None:
    """Fill the shapes that follow with a colour, and draw their edges; None: not."""
    painter.setPen(edge if edge is not None else Qt.PenStyle.NoPen)
    painter.setBrush(ground if ground is not None else Qt.BrushStyle.NoBrush)


def hatch(painter: QPainter, rect: QRectF, color: QColor, step: int = 5) -> None:
    """Fill a rectangle with lines at 45 degrees, `step` pixels apart, in step with those of its neighbours."""
    painter.save()
    painter.setClipRect(rect)
    painter.setPen(QPen(color, 1))
    height = rect.height()
    first = int((rect.left() + rect.top()) // step) * step - int(rect.bottom())
    xs = range(first, int(rect.right()) + step, step)
    painter.drawLines([QLineF(x, rect.bottom(), x + height, rect.top()) for x in xs])
    painter.restore()


def draw_box(painter: QPainter, rect: QRect, ground: QColor, edge: QColor) -> None:
    """A control's ground: ``rect`` filled, with an edge of one pixel inside it and round corners."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    set_colors(painter, ground, QPen(edge, 1))
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS - 0.5, RADIUS - 0.5)
    painter.restore()
