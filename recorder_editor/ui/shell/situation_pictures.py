"""The pictures of the start page: a collision, a range in the timeline, damaged bytes. Drawn in the theme's colours.

Each is drawn on 272 x 124, which is scaled to the room that there is.
"""

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF

from ..style.colors import Palette, mix
from ..style.painting import draw_text, hatch, set_colors
from ..style.theme import Theme

WIDTH = 272
HEIGHT = 124

Draw = Callable[[QPainter, Theme], None]

_CARS = (QRectF(180, 34, 13, 32), QRectF(181, 91, 12, 25), QRectF(163, 101, 12, 26))
_HERO = QRectF(147, 57, 11, 26)
_RING = 23.0
_MARKS = (124, 141, 159, 178, 196)
_BURST = QPointF(151, 74)

_RANGE = QRectF(200, 0, 46, HEIGHT)
_SEEN = QRectF(12, 0, 249, HEIGHT)
_FRAMES = (11, 12, 12, 15, 12, 13, 14, 16, 17, 16, 15, 17, 16, 15, 14, 15, 13, 9, 10, 9, 8)
"""How high the overview is, from left to right."""

_BARS: Sequence[tuple[float, Sequence[tuple[float, float]]]] = (
    (58, ((22, 59), (63, 65), (69, 71), (73, 75), (84, 261))),
    (84, ((12, 15), (18, 25), (220, 246), (250, 255), (257, 261))),
    (97, ((12, 15), (18, 25), (210, 250))),
    (110, ((207, 210), (211, 214), (253, 261))),
)
"""The lives of some vehicles: how far down, and from where to where they move."""

_BYTES = (
    ("08efd0", "43 45 ae 1a 25 40 01 40"),
    ("08efe0", "b4 c2 55 0f 00 00 2a 30"),
    ("08eff0", "b3 40 ce 09 c1 37 4b df"),
    ("08f000", "00 00 00 00 00 00 00 00"),
    ("08f010", "00 00 00 00 00 00 00 00"),
    ("08f020", "00 00 00 00 00 00 00 00"),
)
_FIRST_LOST = 3
_BYTE = 18


def draw_picture(painter: QPainter, rect: QRect, draw: Draw, theme: Theme) -> None:
    """Draw a picture in the middle of a rectangle, which it fills; what has no room is cut off."""
    scale = max(rect.width() / WIDTH, rect.height() / HEIGHT)
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(QRectF(rect).center())
    painter.scale(scale, scale)
    painter.translate(-WIDTH / 2, -HEIGHT / 2)
    draw(painter, theme)
    painter.restore()


def draw_collision(painter: QPainter, theme: Theme) -> None:
    """A hero that has hit another one, on a road from above."""
    palette = theme.palette
    painter.fillRect(QRectF(0, 0, WIDTH, HEIGHT), palette.scene)
    painter.fillRect(QRectF(117, 0, 86, HEIGHT), palette.road)
    for outer, inner in (
        (QRectF(-20, -20, 141, 170), QRectF(24, 11, 83, 140)),
        (QRectF(199, -20, 100, 170), QRectF(223, 22, 80, 140)),
    ):
        set_colors(painter, palette.road_sidewalk)
        painter.drawRoundedRect(outer, 16, 16)
        set_colors(painter, palette.scene)
        painter.drawRoundedRect(inner, 8, 8)
    painter.setPen(QPen(palette.road_mark, 1.4))
    for x in _MARKS:
        painter.drawLine(QLineF(x, 35, x, 67))
        painter.drawLine(QLineF(x, 92, x, 114))
    for car in _CARS:
        _draw_car(painter, palette, car)
    way = QPainterPath(QPointF(161, -2))
    way.quadTo(QPointF(152, 22), QPointF(152, 62))
    painter.setPen(QPen(palette.speed_color(0.45), 3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(way)
    _draw_car(painter, palette, _HERO, heads_down=True)
    painter.setPen(QPen(palette.error, 1.6))
    for turn in range(8):
        angle = turn * math.pi / 4 + 0.3
        ray = QPointF(math.cos(angle), math.sin(angle))
        painter.drawLine(QLineF(_BURST + ray * 3.5, _BURST + ray * 9))
    set_colors(painter, None, QPen(palette.hero, 1.6))
    for radius in (_RING, _RING - 4):
        painter.drawEllipse(_HERO.center(), radius, radius)
    _draw_chip(painter, theme, QRectF(44, 46, 68, 19), "3890 hero", palette.hero)
    _draw_chip(painter, theme, QRectF(64, 94, 40, 19), "3891", palette.two_wheeler)


def _draw_car(painter: QPainter, palette: Palette, car: QRectF, *, heads_down: bool = False) -> None:
    set_colors(painter, palette.vehicle)
    painter.drawRoundedRect(car, 1.5, 1.5)
    set_colors(painter, palette.wedge)
    middle = car.center().x()
    front = car.top() + 3
    back = front + 4
    if heads_down:
        front = car.bottom() - 3
        back = front - 4
    painter.drawPolygon(QPolygonF([QPointF(middle, front), QPointF(middle - 3, back), QPointF(middle + 3, back)]))


def _draw_chip(painter: QPainter, theme: Theme, place: QRectF, text: str, edge: QColor) -> None:
    set_colors(painter, theme.palette.field, QPen(edge, 1.2))
    painter.drawRoundedRect(place, 3, 3)
    draw_text(painter, place, text, _font(theme.small_bold), theme.palette.text, Qt.AlignmentFlag.AlignCenter)


def draw_range(painter: QPainter, theme: Theme) -> None:
    """A timeline of which a few seconds are kept."""
    palette = theme.palette
    whole = QRectF(0, 0, WIDTH, HEIGHT)
    painter.fillRect(whole, palette.cut)
    hatch(painter, whole, palette.hatch, 10)
    painter.fillRect(_RANGE, palette.in_range)
    step = _SEEN.width() / (len(_FRAMES) - 1)
    points = [QPointF(_SEEN.left() + index * step, 30 - height) for index, height in enumerate(_FRAMES)]
    set_colors(painter, palette.overview)
    painter.drawPolygon(QPolygonF([QPointF(_SEEN.left(), 30), *points, QPointF(_SEEN.right(), 30)]))
    for inside in (False, True):
        painter.save()
        if inside:
            painter.setClipRect(_RANGE, Qt.ClipOperation.IntersectClip)
        _draw_lives(painter, palette, 1.0 if inside else 0.4)
        painter.restore()
    painter.setPen(QPen(palette.selection, 2))
    for x in (_RANGE.left(), _RANGE.right()):
        painter.drawLine(QLineF(x, 0, x, HEIGHT))
    painter.fillRect(QRectF(_RANGE.left(), 0, 9, 15), palette.selection)
    painter.fillRect(QRectF(_RANGE.right() - 9, 0, 9, 15), palette.selection)


def _draw_lives(painter: QPainter, palette: Palette, strength: float) -> None:
    """Bars of some road users, and the mark of a collision."""
    vehicle = mix(palette.cut, palette.vehicle, strength)
    two_wheeler = mix(palette.cut, palette.two_wheeler, strength)
    painter.fillRect(QRectF(_SEEN.left(), 71, _SEEN.width() - 26, 1), two_wheeler)
    for y, spans in _BARS:
        painter.fillRect(QRectF(spans[0][0], y, spans[-1][1] - spans[0][0], 1), vehicle)
        for start, stop in spans:
            painter.fillRect(QRectF(start, y - 3.5, stop - start, 8), vehicle)
    if strength == 1.0:
        painter.fillRect(QRectF(203, 67.5, 33, 8), two_wheeler)
        painter.fillRect(QRectF(218, 39, 18, 9), palette.error)


def draw_damage(painter: QPainter, theme: Theme) -> None:
    """Bytes of which the last ones are lost, and the map of the file beside them."""
    palette = theme.palette
    font = _font(theme.mono)
    painter.fillRect(QRectF(0, 0, WIDTH, HEIGHT), palette.field)
    tints = (palette.tint_a, palette.tint_b)
    for number, (address, values) in enumerate(_BYTES):
        top = 14 + number * 18
        draw_text(painter, QRectF(10, top, 50, 18), address, font, palette.faint)
        is_lost = number >= _FIRST_LOST
        if is_lost:
            hatch(painter, QRectF(62, top, 8 * _BYTE, 18), mix(palette.field, palette.error, 0.4), 7)
        for index, value in enumerate(values.split()):
            place = QRectF(62 + index * _BYTE, top, _BYTE, 18)
            if not is_lost:
                painter.fillRect(place.adjusted(0, 1, 0, -1), tints[(number + index // 4) % 2])
            ink = palette.faint if is_lost else palette.text
            draw_text(painter, place, value, font, ink, Qt.AlignmentFlag.AlignCenter)
    painter.fillRect(QRectF(238, 12, 7, 98), palette.fine)
    set_colors(painter, palette.field, QPen(palette.error, 1.4))
    for y, height in ((36, 3), (50, 4), (108, 4)):
        painter.drawRect(QRectF(235, y, 13, height))
    set_colors(painter, palette.text)
    painter.drawPolygon(QPolygonF([QPointF(252, 52), QPointF(259, 48), QPointF(259, 56)]))


def _font(font: QFont) -> QFont:
    """A font at its normal size: the picture is scaled as a whole."""
    normal = QFont(font)
    normal.setPixelSize(11)
    return normal
