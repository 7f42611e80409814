"""The recording that this one is compared with: outlines of what differs, the chosen thing, the line between both."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from .....texts import say
from .....views.frame_actors import FrameActors, Kind
from ....style.colors import with_alpha
from ....style.painting import set_colors
from ..label_layout import NOTE, Sides, Wish, sides_of
from ..shapes import chip_size, chip_wish, corners_of, draw_chip
from ..state import SceneState
from .layer import Layer

_APART = 0.01  # metres
_TURNED = 0.004  # the sine of half the angle: half a degree
_DASHES = (4.0, 3.0)
_OUTLINE = 1.3  # px, as all lengths here
_CHOSEN = 2.0
_FILL = 0.25  # opacity
_RING = 8.0
_BESIDE_LINE = 14.0
HANDLE = (27.0, 24.0)
_HANDLE_AT = 0.3
"""Where the handle is on the line, as a share of the height."""


class Outline(NamedTuple):
    """An actor that stands elsewhere in the recording that is not shown, or that is not in the shown one.

    Attributes:
        box: Its box, px.
        way: The line from there to where it is in the shown recording; None: it is not there.
        entry: Its entry among the actors of the recording that is not shown.
    """

    box: QPolygonF
    way: QLineF | None
    entry: int


class OtherRecording(Layer):
    """Actors that stand elsewhere in the recording that is not shown, as outlines with a line to where they are."""

    wipes = True
    _found: tuple[Outline, ...] | None = None

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        self._found = None

    def _outlines(self) -> tuple[Outline, ...]:
        """Return the outlines of the state; they are made once for it."""
        if self._found is None:
            self._found = ()
            if self.state.other is not None:
                self._found = tuple(_elsewhere(self.state, self.state.other))
        return self._found

    def occupied(self) -> Iterator[Sides]:
        return (sides_of(outline.box.boundingRect()) for outline in self._outlines())

    def draw(self, painter: QPainter) -> None:
        other = self.state.other
        if other is None:
            return
        for outline in self._outlines():
            color = self._color(other, outline)
            pen = QPen(color, _OUTLINE)
            pen.setDashPattern([length / _OUTLINE for length in _DASHES])
            set_colors(painter, None, pen)
            painter.drawConvexPolygon(outline.box)
            if outline.way is not None:
                painter.setPen(QPen(self.palette.muted, 1.0, Qt.PenStyle.DotLine))
                painter.drawLine(outline.way)

    def _color(self, other: FrameActors, outline: Outline) -> QColor:
        """Return the colour of an outline: the hero's, or that of its class; muted for an actor only here."""
        palette = self.palette
        if outline.way is None and self.state.is_there:
            return palette.muted
        if other.hero[outline.entry]:
            return palette.hero
        kinds = {Kind.VEHICLE: palette.vehicle, Kind.TWO_WHEELER: palette.two_wheeler, Kind.WALKER: palette.walker}
        return kinds.get(Kind(int(other.kind[outline.entry])), palette.muted)


class ComparedThing(Layer):
    """The chosen thing that differs: its outline in both recordings, filled where it is not shown, a ring, a chip."""

    def _places(self) -> Iterator[tuple[FrameActors, int]]:
        """Yield the actors of the thing: as the other recording has them, else as this one does."""
        state = self.state
        if state.compared is None:
            return
        for actor in state.compared.ids:
            for actors in (state.other, state.actors):
                if actors is None:
                    continue
                index = actors.index_of(actor)
                if index is not None and math.isfinite(float(actors.x[index] + actors.y[index])):
                    yield actors, index
                    break

    def _box(self, actors: FrameActors, index: int) -> QPolygonF:
        corners = corners_of(self.state.camera, actors, np.array([index])).tolist()[0]
        return QPolygonF([QPointF(left, top) for left, top in corners])

    def _radius(self, actors: FrameActors, index: int) -> float:
        return max(4.0, float(actors.half[index, 0]) * self.state.camera.scale) + _RING

    def occupied(self) -> Iterator[Sides]:
        for actors, index in self._places():
            yield sides_of(self._box(actors, index).boundingRect())

    def notes(self) -> Iterator[Wish]:
        compared = self.state.compared
        if compared is None:
            return
        for actors, index in self._places():
            centre = self.state.camera.point(float(actors.x[index]), float(actors.y[index]))
            radius = self._radius(actors, index)
            text = compared.text
            speed = float(actors.speed[index])
            if math.isfinite(speed):
                text = f"{text}  {self.theme.units.text(speed, 'm/s', 1)}"
            short = chip_wish(self.theme, compared.text, centre, (radius, radius), rank=NOTE + 1)
            wish = chip_wish(self.theme, text, centre, (radius, radius), rank=NOTE + 1)
            yield wish._replace(shorter=short)
            return

    def draw(self, painter: QPainter) -> None:
        palette = self.palette
        for actors, index in self._places():
            pen = QPen(palette.selection, _CHOSEN)
            pen.setDashPattern([length / _CHOSEN for length in _DASHES])
            set_colors(painter, with_alpha(palette.selection, _FILL), pen)
            painter.drawConvexPolygon(self._box(actors, index))
            set_colors(painter, None, QPen(palette.selection, _CHOSEN))
            radius = self._radius(actors, index)
            painter.drawEllipse(self.state.camera.point(float(actors.x[index]), float(actors.y[index])), radius, radius)


class WipeLine(Layer):
    """The line between both recordings, its handle, and which recording is at which side."""

    def handle(self) -> QRectF:
        """Return the handle, px; empty without a line."""
        wipe = self.state.wipe
        if wipe is None:
            return QRectF()
        width = self.theme.px(HANDLE[0])
        height = self.theme.px(HANDLE[1])
        middle = round(self.state.camera.height * _HANDLE_AT)
        return QRectF(round(wipe.x) - width / 2, middle - height / 2, width, height)

    def _chips(self) -> Iterator[tuple[str, QRectF]]:
        wipe = self.state.wipe
        if wipe is None:
            return
        handle = self.handle()
        texts = [say("here"), say("there")]
        if wipe.is_swapped:
            texts.reverse()
        for text, is_left in zip(texts, (True, False), strict=True):
            width, height = chip_size(self.theme, text)
            left = handle.left() - 7 - width if is_left else handle.right() + 7
            yield text, QRectF(left, handle.center().y() - height / 2, width, height)

    def occupied(self) -> Iterator[Sides]:
        wipe = self.state.wipe
        if wipe is None:
            return
        yield wipe.x - _BESIDE_LINE, 0.0, wipe.x + _BESIDE_LINE, self.state.camera.height
        for _, rect in self._chips():
            yield sides_of(rect)

    def draw(self, painter: QPainter) -> None:
        wipe = self.state.wipe
        if wipe is None:
            return
        palette = self.palette
        x = round(wipe.x) + 0.5
        painter.setPen(QPen(palette.text, 1))
        painter.drawLine(QLineF(x, 0, x, self.state.camera.height))
        handle = self.handle()
        set_colors(painter, palette.field, QPen(palette.text, 1))
        painter.drawRoundedRect(handle.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        middle = handle.center() + QPointF(0.5, 0)
        set_colors(painter, None, QPen(palette.text, 1.4))
        for side in (-1, 1):
            tip = middle + QPointF(side * 8, 0)
            painter.drawPolyline([tip + QPointF(-side * 4, -4), tip, tip + QPointF(-side * 4, 4)])
        for text, rect in self._chips():
            draw_chip(painter, self.theme, rect, text, palette.edge)


def _elsewhere(state: SceneState, other: FrameActors) -> Iterator[Outline]:
    """Yield the actors that stand elsewhere in the recording that is not shown, or that the shown one does not have."""
    actors = state.actors
    index_of = {actor: index for index, actor in enumerate(actors.ids.tolist())}
    own = np.array([index_of.get(actor, -1) for actor in other.ids.tolist()], np.intp)
    # An actor that is not here (index -1) stands infinitely far away.
    x = np.append(actors.x, np.inf)[own]
    y = np.append(actors.y, 0.0)[own]
    yaw = np.append(actors.yaw, 0.0)[own]
    distances = np.hypot(other.x - x, other.y - y)
    is_turned = np.abs(np.sin((other.yaw - yaw) / 2)) > _TURNED
    chosen = np.flatnonzero(state.sees(other.x, other.y) & ((distances > _APART) | is_turned))
    boxes = corners_of(state.camera, other, chosen).tolist()
    for index, corners in zip(chosen.tolist(), boxes, strict=True):
        there = state.camera.point(float(other.x[index]), float(other.y[index]))
        way = None
        if math.isfinite(distances[index]):
            way = QLineF(there, state.centre(int(own[index])))
        yield Outline(QPolygonF([QPointF(left, top) for left, top in corners]), way, index)
