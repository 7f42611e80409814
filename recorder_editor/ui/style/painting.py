"""What painted views draw with: texts at a side of a rectangle, boxes, and shapes with a ground and an edge."""

from functools import lru_cache
from operator import itemgetter

from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
RADIUS = 3
_LONGEST_WORD = 20
_KEPT_TEXTS = 4096
"""Texts whose widths are kept: most of what is painted is the same from frame to frame, and measuring it is slow."""


@lru_cache(_KEPT_TEXTS)
def text_width(text: str, font: QFont) -> int:
    """Return the width of a line of text, pixels."""
    return QFontMetrics(font).horizontalAdvance(text)


@lru_cache(_KEPT_TEXTS)
def elided(text: str, font: QFont, elide: Qt.TextElideMode, room: int) -> str:
    """Return a text, with an ellipsis where it is wider than a room in pixels."""
    return QFontMetrics(font).elidedText(text, elide, room)


@lru_cache
def _line_height(font: QFont) -> int:
    return QFontMetrics(font).height()


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
    """Draw a text at a side of a rectangle.

    Args:
        painter: Draws it.
        rect: The rectangle.
        text: The text.
        font: Its font.
        color: Its colour.
        side: Where it is in the rectangle.
        room: The width of a line from which on it gets an ellipsis, pixels; None: it is never cut.
        elide: Where the ellipsis is.
    """
    if not text:
        return
    painter.setFont(font)
    painter.setPen(color)
    if room is not None:
        text = elided(text, font, elide, room)
    lacking = _line_height(font) - rect.height()
    if 0 < lacking < _line_height(font):  # large text is whole, and reaches over what it stands in
        rect = QRectF(rect).adjusted(0, -lacking / 2, 0, lacking / 2)
    painter.drawText(rect, side, text)


def cut_between_words(metrics: QFontMetrics, text: str, width: int, stay: int = 1) -> str:
    """Shorten a text to a width by an ellipsis for as few words as possible.

    Args:
        metrics: Of the font.
        text: The text.
        width: The room, pixels.
        stay: How many words at the beginning are cut last.
    """
    words = text.split(" ")
    if len(text) > _LONGEST_WORD * len(words):  # Chinese has no spaces between words
        return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)
    if metrics.horizontalAdvance(text) <= width:
        return text
    for count in range(1, len(words)):
        for shorter in _without_words(words, count, stay):
            if metrics.horizontalAdvance(shorter) <= width:
                return shorter
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


def _without_words(words: list[str], count: int, stay: int) -> list[str]:
    """Return the texts in which an ellipsis replaces so many words; those with ends of similar length come first."""
    texts = []
    for index in range(stay, len(words) - count + 1):
        head = " ".join(words[:index])
        tail = " ".join(words[index + count :])
        texts.append((abs(len(head) - len(tail)), f"{head} … {tail}".rstrip()))
    texts.sort(key=itemgetter(0))
    return [text for _, text in texts]


def set_colors(painter: QPainter, ground: QColor | None, edge: QPen | None = None) -> None:
    """Set the fill and the edge of the shapes that are drawn next; None: without."""
    if edge is not None:
        painter.setPen(edge)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    if ground is not None:
        painter.setBrush(ground)
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)


def hatch(painter: QPainter, rect: QRectF, color: QColor, step: int = 5) -> None:
    """Fill a rectangle with lines at 45 degrees, `step` pixels apart, which meet those of its neighbours."""
    painter.save()
    painter.setClipRect(rect)
    painter.setPen(QPen(color, 1))
    height = rect.height()
    first = int((rect.left() + rect.top()) // step) * step - int(rect.bottom())
    xs = range(first, int(rect.right()) + step, step)
    painter.drawLines([QLineF(x, rect.bottom(), x + height, rect.top()) for x in xs])
    painter.restore()


def draw_box(painter: QPainter, rect: QRect, ground: QColor, edge: QColor) -> None:
    """Draw the ground of a control: a filled rectangle with an edge of one pixel inside it and round corners."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    set_colors(painter, ground, QPen(edge, 1))
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS - 0.5, RADIUS - 0.5)
    painter.restore()
