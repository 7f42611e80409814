"""What all layers of the scene have in common: an item as large as the view that paints one state.

What takes long to draw is drawn once, wider than the view, and that picture is moved about; where even that takes long
it is drawn in slices while the old picture, scaled, stands in.
"""

import math
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QGraphicsObject, QWidget

from ....style.colors import Palette
from ....style.look import Look
from ..label_layout import Sides, Wish
from ..state import SceneState


class Layer(QGraphicsObject):
    """One kind of thing in the scene, for all actors at once, in pixels of the view box that is its parent.

    A layer overrides `draw`, `occupied` where labels must keep away, `notes` where it has something to say beside what
    it draws, and `set_state` where it prepares something.

    Attributes:
        state: What is painted.
        theme: Colours and fonts.
        is_faint: Whether labels with a ground of their own may lie on what it occupies.
        wipes: Where two recordings are shown, it is drawn for each, and cut at the line between them.
        peers: All layers of the view box.
    """

    is_faint = False
    wipes = False
    peers: "tuple[Layer, ...]" = ()

    def __init__(self, theme: Look) -> None:
        super().__init__()
        self.theme = theme
        self.state = SceneState()
        self._pane = self.state.camera.pane

    @property
    def palette(self) -> Palette:
        """The colours of this moment."""
        return self.theme.palette

    def set_state(self, state: SceneState) -> None:
        """Set what is painted next."""
        self.state = state
        pane = state.camera.pane
        if pane != self._pane:
            self.prepareGeometryChange()
            self._pane = pane

    def boundingRect(self) -> QRectF:
        return self._pane

    def shape(self) -> QPainterPath:
        """Return an empty shape: the view box handles the mouse."""
        return QPainterPath()

    def occupied(self) -> Iterable[Sides]:
        """Return where labels must not lie, px."""
        return ()

    def notes(self) -> Iterable[Wish]:
        """Return labels that the layer wants to be placed with all others."""
        return ()

    def paint(self, painter: QPainter, _option: object = None, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.wipes and self.state.wipe is not None:
            self._draw_halves(painter)
        else:
            self.draw(painter)

    def _draw_halves(self, painter: QPainter) -> None:
        """Draw what each recording shows at its side of the line."""
        whole = self.state
        for half in whole.halves:
            assert half.sides is not None
            left, right = half.sides
            painter.save()
            painter.setClipRect(QRectF(left, 0, right - left, self._pane.height()))
            self.set_state(half)
            self.draw(painter)
            painter.restore()
        self.set_state(whole)

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
    """A picture of a part of the world.

    Attributes:
        picture: The pixels.
        world: The part of the world, m.
        scale: Pixels of the view a metre.
        key: What it was drawn with: source, ratio, and colour of the ground.
    """

    picture: QPixmap
    world: QRectF
    scale: float
    key: tuple[object, ...]

    def shows(self, key: tuple[object, ...], scale: float, view: QRectF) -> bool:
        """Return whether the picture shows a view (m) as it is now."""
        return self.key == key and self.scale == scale and self.world.contains(view)


def _nearest_pixel(place: float) -> int:
    """Return the pixel that a place (px) is nearest to; a half, told as a little less or more, is always rounded up."""
    return math.floor(place + 0.5 + 1e-6)


class PictureLayer(Layer):
    """A layer that is drawn once and moved about.

    A subclass says what is drawn (`set_source`, `points`) and how (`strokes`). On the screen a picture is moved about;
    everything else (`widget` is None: a PNG or SVG file) gets the strokes. Signal: `drawn` (a picture that was drawn in
    slices is ready).

    Attributes:
        is_patient: Pictures are drawn whole before they are shown, however long that takes.
    """

    drawn = Signal()
    is_patient = False

    def __init__(self, theme: Look) -> None:
        super().__init__(theme)
        self._source: object = None
        self._tile: _Tile | None = None
        self._next: _Tile | None = None
        self._slices: Generator[None, None, None] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._draw_slice)

    def set_source(self, source: object) -> None:
        """Draw this source from now on; None: nothing."""
        if source is not self._source:
            self._source = source
            self.forget()

    def points(self, world: QRectF, scale: float) -> int:
        """Return about how many points a picture of a rectangle (m) takes, at `scale` pixels a metre."""
        raise NotImplementedError

    def strokes(self, painter: QPainter, world: QRectF, scale: float) -> Iterator[object]:
        """Draw what lies in a rectangle of the world; yield where drawing may be interrupted.

        Args:
            painter: The painter; its origin is the top left of the rectangle.
            world: The rectangle, m.
            scale: Pixels a metre.
        """
        raise NotImplementedError

    @property
    def is_drawing(self) -> bool:
        """Whether a picture is being drawn in slices."""
        return self._slices is not None

    def paint(self, painter: QPainter, _option: object = None, widget: QWidget | None = None) -> None:
        if widget is None:
            super().paint(painter)
        else:
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
        """Draw the picture as far as it is ready; `drawn` follows where some of it is missing.

        Args:
            painter: The painter, in pixels of the view.
            ratio: Pixels of the screen for one of the view.
        """
        if self._source is None:
            return
        camera = self.state.camera.level
        view = self.state.camera.view
        key = (self._source, ratio, self.palette.scene.rgb())
        if self._tile is None or not self._tile.shows(key, camera.scale, view):
            self._begin(key, ratio)
        tile = self._tile
        if tile is None or tile.key[2] != key[2]:
            return
        corner = camera.point(tile.world.left(), tile.world.top())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, bool(self.state.camera.angle))
        self._turn(painter)
        if tile.scale == camera.scale:
            if not self.state.camera.angle:
                corner = QPointF(_nearest_pixel(corner.x()), _nearest_pixel(corner.y()))
            painter.drawPixmap(corner, tile.picture)
        else:
            far = camera.point(tile.world.right(), tile.world.bottom())
            painter.drawPixmap(QRectF(corner, far), tile.picture, QRectF(tile.picture.rect()))

    def forget(self) -> None:
        """Stop drawing in slices; without a source, forget the picture, too."""
        self._timer.stop()
        if self._source is None:
            self._tile = None
        if self._slices is not None:
            # The generator holds a painter that must end before its picture goes.
            self._slices.close()
        self._slices = None
        self._next = None

    def _begin(self, key: tuple[object, ...], ratio: float) -> None:
        """Draw a new picture, at once where it has few points, else in slices."""
        camera = self.state.camera
        view = self.state.camera.view
        if self._next is not None and self._next.shows(key, camera.scale, view):
            return
        self.forget()
        # The pixels lie where they would for any other view of this scale: what is seen does not depend on what was.
        left = math.floor(view.left() * camera.scale) - MARGIN
        top = math.floor(view.top() * camera.scale) - MARGIN
        width = math.ceil(round(view.width() * camera.scale, 6)) + 2 * MARGIN + 1
        height = math.ceil(round(view.height() * camera.scale, 6)) + 2 * MARGIN + 1
        world = QRectF(left / camera.scale, top / camera.scale, width / camera.scale, height / camera.scale)
        picture = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(self.palette.scene)
        tile = _Tile(picture, world, camera.scale, key)
        slices = self._in_slices(tile)
        if self.is_patient or self.points(world, camera.scale) <= AT_ONCE:
            for _ in slices:
                pass
            self._tile = tile
            return
        self._next = tile
        self._slices = slices
        self._timer.start()

    def _draw_slice(self) -> None:
        if self._slices is None:
            return
        try:
            next(self._slices)
        except StopIteration:
            self._tile = self._next
            self.forget()
            self.drawn.emit()

    def _in_slices(self, tile: _Tile) -> Generator[None, None, None]:
        """Draw a picture; yield whenever the time of a slice is over."""
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
