"""What all layers of the scene have in common: an item as large as the view that paints one state.

What takes long to draw is drawn once, wider than the view, and that picture is moved about; where even that takes long
it is drawn in slices while the old picture, scaled, stands in.
"""

import math
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QWidget

from ....style.colors import Palette
from ....style.theme import Theme
from ..label_layout import Sides, Wish
from ..state import SceneState


class Layer(pg.GraphicsObject):  # type: ignore[misc]
    """One kind of thing in the scene, for all actors at once, in pixels of the view box that is its parent.

    A layer overrides `draw`, `occupied` where labels must keep away, `notes` where it has something to say beside what
    it draws, and `set_state` where it prepares something.

    Attributes: `state`, `theme`, `is_faint` (labels with a ground of their own may lie on what it occupies), `peers`
    (all layers of the view box).
    """

    is_faint = False
    peers: "tuple[Layer, ...]" = ()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.state = SceneState()
        self._pane = self.state.camera.pane

    @property
    def palette(self) -> Palette:
        """The colours of this moment."""
        return self.theme.palette

    def set_state(self, state: SceneState) -> None:
        """Take over what is to be painted next."""
        self.state = state
        pane = state.camera.pane
        if pane != self._pane:
            self.prepareGeometryChange()
            self._pane = pane

    def boundingRect(self) -> QRectF:
        return self._pane

    def shape(self) -> QPainterPath:
        """Nothing: the mouse is the view box's."""
        return QPainterPath()

    def occupied(self) -> Iterable[Sides]:
        """Where labels must not lie, px."""
        return ()

    def notes(self) -> Iterable[Wish]:
        """What the labels are to say for it."""
        return ()

    def paint(self, painter: QPainter, _option: object = None, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter)

    def draw(self, painter: QPainter) -> None:
        """Draw the state."""
        raise NotImplementedError


MARGIN = 240
"""Pixels that are drawn beyond each edge of the view, so that it can be moved without drawing anew."""

AT_ONCE = 4_000
"""Points up to which a picture is drawn at once."""

SLICE = 0.003
"""Seconds at a time, beyond that."""


@dataclass(frozen=True, eq=False)
class _Tile:
    """A picture: what of the world it shows, and what it was drawn with."""

    picture: QPixmap
    world: QRectF
    scale: float
    key: tuple[object, ...]

    def serves(self, key: tuple[object, ...], scale: float, view: QRectF) -> bool:
        """It shows a view as it is to be."""
        return self.key == key and self.scale == scale and self.world.contains(view)


class PictureLayer(Layer):
    """The lowest layer: a subclass says what is there (`hold`, `points`) and how to draw it (`strokes`).

    On the screen a picture is moved about; everything else (`widget` is None: a PNG or SVG file) gets the strokes.
    Signal: `drawn` (a picture that was drawn in slices is ready).
    """

    drawn = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._source: object = None
        self._tile: _Tile | None = None
        self._next: _Tile | None = None
        self._slices: Generator[None, None, None] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._draw_slice)

    def hold(self, source: object) -> None:
        """Draw this from now on; None: nothing."""
        if source is not self._source:
            self._source = source
            self.forget()

    def points(self, world: QRectF, scale: float) -> int:
        """About how many points a picture of that rectangle takes."""
        raise NotImplementedError

    def strokes(self, painter: QPainter, world: QRectF, scale: float) -> Iterator[object]:
        """Draw what lies in a rectangle of the world, whose top left is the painter's; pauses where it may be left."""
        raise NotImplementedError

    @property
    def is_drawing(self) -> bool:
        """A picture is being drawn in slices."""
        return self._slices is not None

    def paint(self, painter: QPainter, _option: object = None, widget: QWidget | None = None) -> None:
        if widget is None:
            super().paint(painter)
        elif self._source is not None:
            self.draw_picture(painter, widget.devicePixelRatioF())

    def draw(self, painter: QPainter) -> None:
        camera = self.state.camera
        self._turn(painter)
        painter.translate(camera.level.point(camera.view.left(), camera.view.top()))
        for _ in self.strokes(painter, camera.view, camera.scale):
            pass

    def _turn(self, painter: QPainter) -> None:
        """Turn the painter as the world is, about the middle of the view."""
        camera = self.state.camera
        if camera.angle:
            middle = camera.pane.center()
            painter.translate(middle)
            painter.rotate(math.degrees(camera.angle))
            painter.translate(-middle)

    def draw_picture(self, painter: QPainter, ratio: float) -> None:
        """Draw the picture as far as it is there, in `ratio` pixels a pixel; `drawn` follows where some is missing."""
        camera = self.state.camera.level
        view = self.state.camera.view
        key = self._source, ratio, self.palette.scene.rgb()
        if self._tile is None or not self._tile.serves(key, camera.scale, view):
            self._begin(key, ratio)
        tile = self._tile
        if tile is None or tile.key[2] != key[2]:
            return
        corner = camera.point(tile.world.left(), tile.world.top())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, bool(self.state.camera.angle))
        self._turn(painter)
        if tile.scale == camera.scale:
            whole = QPointF(round(corner.x()), round(corner.y()))
            painter.drawPixmap(corner if self.state.camera.angle else whole, tile.picture)
        else:
            far = camera.point(tile.world.right(), tile.world.bottom())
            painter.drawPixmap(QRectF(corner, far), tile.picture, QRectF(tile.picture.rect()))

    def forget(self) -> None:
        """Give up what is being drawn; and the picture, where there is nothing to draw any more."""
        self._timer.stop()
        if self._source is None:
            self._tile = None
        if self._slices is not None:
            # The generator holds a painter that must end before its picture goes.
            self._slices.close()
        self._slices = self._next = None

    def _begin(self, key: tuple[object, ...], ratio: float) -> None:
        """Draw at once what is little; begin to draw what is more."""
        camera = self.state.camera
        view = self.state.camera.view
        if self._next is not None and self._next.serves(key, camera.scale, view):
            return
        self.forget()
        reach = MARGIN / camera.scale
        world = view.adjusted(-reach, -reach, reach, reach)
        sides = view.width() * camera.scale, view.height() * camera.scale
        size = (math.ceil(round(side + 2 * MARGIN, 6) * ratio) for side in sides)
        picture = QPixmap(*size)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self.palette.scene)
        tile = _Tile(picture, world, camera.scale, key)
        slices = self._in_slices(tile)
        if self.points(world, camera.scale) <= AT_ONCE:
            for _ in slices:
                pass
            self._tile = tile
            return
        self._next = tile
        self._slices = slices
        self._timer.start()

    def _draw_slice(self) -> None:
        if self._slices is not None and next(self._slices, self) is self:
            self._tile = self._next
            self.forget()
            self.drawn.emit()

    def _in_slices(self, tile: _Tile) -> Generator[None, None, None]:
        painter = QPainter(tile.picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        try:
            until = perf_counter() + SLICE
            for _ in self.strokes(painter, tile.world, tile.scale):
                if perf_counter() >= until:
                    yield
                    until = perf_counter() + SLICE
        finally:
            painter.end()
