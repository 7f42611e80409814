"""What stands at fixed places of the view: the grid under the actors, north, scale bar, the legend of the trails."""

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter, QPainterPath, QPen, QPolygonF

from ....style.colors import with_alpha
from ....style.painting import draw_text, set_colors
from ..camera import nice_length
from ..coloring import Legend
from ..label_layout import Sides, sides_of
from .layer import Layer

_EDGE = 14.0
_ROW = 18.0
_CLOSE = 24.0
_VERY_CLOSE = 90.0
_BESIDE = 340.0
"""So wide must the view be for the legend of the trails, which stands beside the scale bar."""
_LOW = 160.0
"""In a lower view there are no legends: they would lie over the actors."""
_RINGS = 16.0
_SHARES = tuple(np.linspace(0, 1, 13).tolist())


class Grid(Layer):
    """Lines every ten metres, or every metre, only where one looks closely."""

    def draw(self, painter: QPainter) -> None:
        camera = self.state.camera
        if camera.scale < _CLOSE or self.state.contents.frame is None:
            return
        step = 10.0 if camera.scale < _VERY_CLOSE else 1.0
        view = camera.view
        x = np.arange(math.ceil(view.left() / step) * step, view.right(), step)
        y = np.arange(math.ceil(view.top() / step) * step, view.bottom(), step)
        ends = []
        for at in x.tolist():
            ends.append(((at, view.top()), (at, view.bottom())))
        ends += [((view.left(), at), (view.right(), at)) for at in y.tolist()]
        lines = []
        for first, last in ends:
            lines.append(QLineF(camera.point(*first), camera.point(*last)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, bool(camera.angle))
        painter.setPen(QPen(with_alpha(self.palette.path, 0.35), 1))
        painter.drawLines(lines)


class Overlays(Layer):
    """The instruments in the corners, and a message where there is nothing to see."""

    def occupied(self) -> Iterator[Sides]:
        width, height = self.state.camera.width, self.state.camera.height
        bar, text = self.scale()
        reach = bar + QFontMetricsF(self.theme.small).horizontalAdvance(text) + 2 * _EDGE + 6
        yield 0, height - 40, reach, height
        x = self._north_at
        yield x - 22, 0, x + 22, 60
        if height >= _LOW:
            if width >= _BESIDE:
                yield width - 180, height - 40, width, height
            yield sides_of(self._key_box())

    def draw(self, painter: QPainter) -> None:
        state = self.state
        if state.contents.frame is not None:
            self._north(painter)
            self._scale_bar(painter)
        if state.trails and state.camera.height >= _LOW and state.camera.width >= _BESIDE:
            self._legend(painter, state.trails[0][1].fastest)
        if state.coloring is not None and state.coloring.legend and self._key_box().top() > 0:
            self._key(painter, state.coloring.legend)
        if state.message:
            sides = Qt.AlignmentFlag.AlignCenter
            theme = self.theme
            draw_text(painter, state.camera.pane, state.message, theme.font, self.palette.muted, sides)

    @property
    def _north_at(self) -> float:
        """Where the arrow stands, px: at the right or, where a traffic light or a ring is, at the left."""
        state = self.state
        right = self.state.camera.width - _EDGE - 8
        left = _EDGE + 8
        boxes = [box for _, box in state.lamps]
        for index in {*state.entries(state.selected), *np.flatnonzero(state.actors.hero & state.seen).tolist()}:
            centre = state.centre(index)
            reach = float(state.radii[index]) + _RINGS
            boxes.append(QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach))
        free = (x for x in (right, left) if not any(box.intersects(QRectF(x - 14, 0, 28, 60)) for box in boxes))
        return next(free, right)

    def _north(self, painter: QPainter) -> None:
        """An arrow to where the simulator's top view has its top."""
        x = self._north_at
        top = _EDGE + 2
        wide = self.theme.px(20)
        high = self.theme.px(14)
        self._ground(painter, QRectF(x - wide / 2 - 1, top - 5, wide + 2, high + 30))
        painter.setPen(QPen(self.palette.text, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.save()
        painter.translate(x, top + 11)
        painter.rotate(math.degrees(self.state.camera.angle))
        arrow = QPainterPath(QPointF(0, 11))
        arrow.lineTo(0, -11)
        arrow.addPolygon(QPolygonF([QPointF(-4, -6), QPointF(0, -11), QPointF(4, -6)]))
        painter.strokePath(arrow, painter.pen())
        painter.restore()
        place = QRectF(x - wide / 2, top + 23, wide, high)
        color = self.palette.text
        draw_text(painter, place, "N", self.theme.small, color, Qt.AlignmentFlag.AlignCenter)

    def _write(self, painter: QPainter, rect: QRectF, text: str) -> None:
        draw_text(painter, rect, text, self.theme.small, self.palette.muted, Qt.AlignmentFlag.AlignVCenter)

    def _ground(self, painter: QPainter, rect: QRectF) -> None:
        """What lies beneath an instrument shows through faintly."""
        set_colors(painter, with_alpha(self.palette.scene, 0.85))
        painter.drawRoundedRect(rect, 3, 3)

    def scale(self) -> tuple[float, str]:
        """Length (px) and text of the scale bar."""
        length = nice_length(120 / self.state.camera.scale)
        chosen = self.theme.units.length
        if length < 1000:
            shown, unit = (length, "m")
        else:
            shown, unit = (length / 1000, "km")
        if chosen == "cm" or (chosen == "file" and length < 1):
            shown = length * 100
            unit = "cm"
        return length * self.state.camera.scale, f"{shown:,.10g} {unit}"

    def _scale_bar(self, painter: QPainter) -> None:
        """A round length of at most 120 pixels."""
        pixels, text = self.scale()
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        left = _EDGE
        base = self.state.camera.height - _EDGE
        self._ground(painter, QRectF(left - 6, base - 14, pixels + width + 20, 22))
        painter.setPen(QPen(self.palette.text, 1.3))
        right = left + pixels
        ends = ((left, base, right, base), (left, base - 5, left, base), (right, base - 5, right, base))
        painter.drawLines([QLineF(*each) for each in ends])
        self._write(painter, QRectF(left + pixels + 6, base - 11, width + 4, 16), text)

    def _key_box(self) -> QRectF:
        """The room of what the colours of actors mean: a row each, above the legend of the trails."""
        legend = self.state.coloring.legend if self.state.coloring is not None else ()
        metrics = QFontMetricsF(self.theme.small)
        camera = self.state.camera
        wide = max((metrics.horizontalAdvance(text) for text, _ in legend), default=-32.0) + 32
        high = _ROW * len(legend)
        return QRectF(camera.width - _EDGE - wide, camera.height - 44 - high, wide, high)

    def _key(self, painter: QPainter, legend: Legend) -> None:
        box = self._key_box()
        self._ground(painter, box)
        for row, (text, color) in enumerate(legend):
            top = box.top() + _ROW * row
            set_colors(painter, color, QPen(self.palette.edge_of(color), 1))
            painter.drawRect(QRectF(box.left() + 6, top + 4, 12, _ROW - 8))
            self._write(painter, QRectF(box.left() + 24, top, box.width(), _ROW), text)

    def _legend(self, painter: QPainter, fastest: float) -> None:
        """What the colours of the trails mean."""
        text = self.theme.units.short(fastest, "m/s")
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        right = self.state.camera.width - _EDGE
        middle = self.state.camera.height - _EDGE - 3
        bar = QRectF(right - width - 6 - 72, middle - 2.5, 72, 5)
        zero = self.theme.px(12)
        self._ground(painter, bar.adjusted(-zero - 8, -10, width + 12, 10))
        colors = QLinearGradient(bar.topLeft(), bar.topRight())
        colors.setStops([(share, self.palette.speed_color(share)) for share in _SHARES])
        painter.fillRect(bar, colors)
        self._write(painter, QRectF(bar.left() - zero - 2, middle - 8, zero, 16), "0")
        self._write(painter, QRectF(bar.right() + 6, middle - 8, width + 2, 16), text)
