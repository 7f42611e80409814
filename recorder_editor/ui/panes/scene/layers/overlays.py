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
from ..shapes import EDGE
from .layer import Layer

_LONGEST_BAR = 120.0  # px
_BAR_SHARE = 0.45  # of a narrow view
_ROW = 18.0  # px of a line of the legend
_CLOSE = 24.0  # px a metre from which the grid is drawn
_VERY_CLOSE = 90.0  # px a metre from which it has a line every metre
_BESIDE = 340.0
"""So wide must the view be for the legend of the trails, which stands beside the scale bar."""
_LOW = 160.0
"""In a lower view there are no legends: they would lie over the actors."""
_RINGS = 16.0  # px of the rings round an actor
_SHARES = tuple(np.linspace(0, 1, 13).tolist())


class Grid(Layer):
    """Lines every ten metres, or every metre, only where one looks closely."""

    def draw(self, painter: QPainter) -> None:
        camera = self.state.camera
        if camera.scale < _CLOSE or self.state.contents.frame is None:
            return
        step = 10.0 if camera.scale < _VERY_CLOSE else 1.0
        view = camera.view
        lines = []
        for x in np.arange(math.ceil(view.left() / step) * step, view.right(), step).tolist():
            lines.append(QLineF(camera.point(x, view.top()), camera.point(x, view.bottom())))
        for y in np.arange(math.ceil(view.top() / step) * step, view.bottom(), step).tolist():
            lines.append(QLineF(camera.point(view.left(), y), camera.point(view.right(), y)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, bool(camera.angle))
        painter.setPen(QPen(with_alpha(self.palette.grid, 0.35), 1))
        painter.drawLines(lines)


class Overlays(Layer):
    """The instruments in the corners, and a message where there is nothing to see."""

    def occupied(self) -> Iterator[Sides]:
        width = self.state.camera.width
        height = self.state.camera.height
        bar, text = self.bar()
        reach = bar + QFontMetricsF(self.theme.small).horizontalAdvance(text) + 2 * EDGE + 6
        yield 0, height - 40, reach, height
        x = self._north_x
        yield x - 22, 0, x + 22, 60
        for rect in self.state.covered:
            yield sides_of(rect)
        if height >= _LOW:
            if width >= _BESIDE:
                foot = height - self._lift
                yield width - 180, foot - 40, width, foot
            yield sides_of(self._key_box())

    def seen(self) -> list[QRectF]:
        """Return where scale bar and legends are now, and what covers the view besides, px."""
        boxes = list(self.state.covered)
        if self.state.contents.frame is not None:
            boxes.append(self._scale_box())
        if self._has_legend:
            boxes.append(self._legend_box())
        if self._has_key:
            boxes.append(self._key_box())
        return boxes

    @property
    def _has_legend(self) -> bool:
        camera = self.state.camera
        return bool(self.state.trails) and camera.height >= _LOW and camera.width >= _BESIDE

    @property
    def _has_key(self) -> bool:
        coloring = self.state.coloring
        return coloring is not None and bool(coloring.legend) and self._key_box().top() > 0

    def draw(self, painter: QPainter) -> None:
        state = self.state
        if state.contents.frame is not None:
            self._north(painter)
            self._scale_bar(painter)
        if self._has_legend:
            self._legend(painter)
        if state.coloring is not None and self._has_key:
            self._key(painter, state.coloring.legend)
        if state.message:
            alignment = Qt.AlignmentFlag.AlignCenter
            theme = self.theme
            draw_text(painter, state.camera.pane, state.message, theme.font, self.palette.muted, alignment)

    @property
    def _lift(self) -> float:
        """How much higher the legends stand, px: above what covers the corner at the right of the foot."""
        pane = self.state.camera.pane
        corner = QRectF(pane.right() - 60, pane.bottom() - 40, 60, 40)
        tops = [rect.top() for rect in self.state.covered if rect.intersects(corner)]
        return pane.bottom() - EDGE + 8 - min(tops, default=pane.bottom() - EDGE + 8)

    @property
    def _north_x(self) -> float:
        """Where the arrow stands, px: at the right or, where a traffic light or a ring is, at the left."""
        state = self.state
        boxes = [box for _, box in state.lamps]
        ringed = set(state.entries(state.selected))
        ringed.update(np.flatnonzero(state.actors.hero & state.seen).tolist())
        for index in ringed:
            centre = state.centre(index)
            reach = float(state.radii[index]) + _RINGS
            boxes.append(QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach))
        boxes.extend(state.covered)
        right = self.state.camera.width - EDGE - 8
        left = EDGE + 8
        for x in (right, left):
            arrow = QRectF(x - 14, 0, 28, 60)
            if not any(box.intersects(arrow) for box in boxes):
                return x
        return right

    def _north(self, painter: QPainter) -> None:
        """Draw an arrow to where the simulator's top view has its top."""
        x = self._north_x
        top = EDGE + 2
        width = self.theme.px(20)
        height = self.theme.px(14)
        self._ground(painter, QRectF(x - width / 2 - 1, top - 5, width + 2, height + 30))
        painter.setPen(QPen(self.palette.text, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.save()
        painter.translate(x, top + 11)
        painter.rotate(math.degrees(self.state.camera.angle))
        arrow = QPainterPath(QPointF(0, 11))
        arrow.lineTo(0, -11)
        arrow.addPolygon(QPolygonF([QPointF(-4, -6), QPointF(0, -11), QPointF(4, -6)]))
        painter.strokePath(arrow, painter.pen())
        painter.restore()
        place = QRectF(x - width / 2, top + 23, width, height)
        draw_text(painter, place, "N", self.theme.small, self.palette.text, Qt.AlignmentFlag.AlignCenter)

    def _write(self, painter: QPainter, rect: QRectF, text: str) -> None:
        draw_text(painter, rect, text, self.theme.small, self.palette.muted, Qt.AlignmentFlag.AlignVCenter)

    def _ground(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the ground of an instrument; what lies beneath shows through faintly."""
        set_colors(painter, with_alpha(self.palette.scene, 0.85))
        painter.drawRoundedRect(rect, 3, 3)

    def bar(self) -> tuple[float, str]:
        """Return length (px) and text of the scale bar."""
        camera = self.state.camera
        length = nice_length(min(_LONGEST_BAR, camera.width * _BAR_SHARE) / camera.scale)
        chosen = self.theme.units.length
        number = length
        unit = "m"
        if chosen == "cm" or (chosen == "file" and length < 1):
            number = length * 100
            unit = "cm"
        elif length >= 1000:
            number = length / 1000
            unit = "km"
        return length * self.state.camera.scale, f"{number:,.10g} {unit}"

    def _scale_box(self) -> QRectF:
        pixels, text = self.bar()
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        return QRectF(EDGE - 6, self.state.camera.height - EDGE - 14, pixels + width + 20, 22)

    def _scale_bar(self, painter: QPainter) -> None:
        """Draw a round length, of at most 120 pixels or a share of a narrow view."""
        pixels, text = self.bar()
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        left = EDGE
        base = self.state.camera.height - EDGE
        self._ground(painter, self._scale_box())
        painter.setPen(QPen(self.palette.text, 1.3))
        right = left + pixels
        bar = QLineF(left, base, right, base)
        first_tick = QLineF(left, base - 5, left, base)
        last_tick = QLineF(right, base - 5, right, base)
        painter.drawLines([bar, first_tick, last_tick])
        self._write(painter, QRectF(left + pixels + 6, base - 11, width + 4, 16), text)

    def _key_box(self) -> QRectF:
        """Return the room of what the colours of actors mean: a row each, above the legend of the trails."""
        legend: Legend = ()
        if self.state.coloring is not None:
            legend = self.state.coloring.legend
        metrics = QFontMetricsF(self.theme.small)
        camera = self.state.camera
        width = max((metrics.horizontalAdvance(text) for text, _ in legend), default=-32.0) + 32
        height = _ROW * len(legend)
        return QRectF(camera.width - EDGE - width, camera.height - self._lift - 44 - height, width, height)

    def _key(self, painter: QPainter, legend: Legend) -> None:
        """Draw what the colours of actors mean."""
        box = self._key_box()
        self._ground(painter, box)
        for row, (text, color) in enumerate(legend):
            top = box.top() + _ROW * row
            set_colors(painter, color, QPen(self.palette.edge_of(color), 1))
            painter.drawRect(QRectF(box.left() + 6, top + 4, 12, _ROW - 8))
            self._write(painter, QRectF(box.left() + 24, top, box.width(), _ROW), text)

    def _legend_bar(self) -> tuple[QRectF, str]:
        """Return the bar of the colours of the trails, and the speed at its end."""
        text = self.theme.units.short(self.state.trails[0][1].fastest, "m/s")
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        right = self.state.camera.width - EDGE
        middle = self.state.camera.height - self._lift - EDGE - 3
        return QRectF(right - width - 6 - 72, middle - 2.5, 72, 5), text

    def _legend_box(self) -> QRectF:
        bar, text = self._legend_bar()
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        return bar.adjusted(-self.theme.px(12) - 8, -10, width + 12, 10)

    def _legend(self, painter: QPainter) -> None:
        """Draw what the colours of the trails mean."""
        bar, text = self._legend_bar()
        self._ground(painter, self._legend_box())
        colors = QLinearGradient(bar.topLeft(), bar.topRight())
        colors.setStops([(share, self.palette.speed_color(share)) for share in _SHARES])
        painter.fillRect(bar, colors)
        zero = self.theme.px(12)
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        top = bar.center().y() - 8
        self._write(painter, QRectF(bar.left() - zero - 2, top, zero, 16), "0")
        self._write(painter, QRectF(bar.right() + 6, top, width + 2, 16), text)
