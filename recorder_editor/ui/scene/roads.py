"""The roads: everybody's recorded way as a faint line on a swath as wide as a lane.

One idea: they are drawn once, a good deal wider than the view, and that picture is moved about; where drawing it takes
long it is drawn in slices while the old one, scaled, stands in.
"""

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QTransform

from ...recording.trajectories import Trajectories, Trajectory
from ..palette import Palette
from .camera import Camera
from .world import Reals

SWATH = 3.2
MARGIN = 240
"""Pixels that are drawn beyond each edge of the view, so that it can be moved without drawing anew."""

AT_ONCE = 4_000
"""Points up to which a picture is drawn at once."""

SLICE = 0.003
"""Seconds at a time, beyond that."""

_DRIVE = {"vehicle", "two-wheeler"}
_SHORTEST = 1.0
_LONGEST_PIECE = 400
_LEVELS_KEPT = 4


@dataclass(frozen=True, eq=False)
class Piece:
    """An unbroken stretch of a way, m; `is_walked`: no swath."""

    x: Reals
    y: Reals
    is_walked: bool


@dataclass(frozen=True, eq=False)
class _Tile:
    """A picture of the roads: what of the world it shows, and what it was drawn with."""

    picture: QPixmap
    world: QRectF
    key: tuple[object, ...]


class Roads(QObject):
    """The paths of a survey. Signal: `drawn` (a picture that was drawn in slices is ready)."""

    drawn = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pieces: list[Piece] = []
        self._boxes = np.zeros((0, 4))
        self._levels: dict[int, dict[int, QPainterPath]] = {}
        self._survey: Trajectories | None = None
        self._version = 0
        self._tile: _Tile | None = None
        self._next: _Tile | None = None
        self._strokes: Generator[int, None, None] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._draw_on)

    def set_survey(self, survey: Trajectories | None) -> None:
        """Take in other paths; the same ones change nothing."""
        if survey is self._survey:
            return
        self._survey = survey
        self._pieces = (
            [piece for trajectory in survey.trajectories for piece in pieces(trajectory)] if survey is not None else []
        )
        self._boxes = np.array(
            [(piece.x.min(), piece.y.min(), piece.x.max(), piece.y.max()) for piece in self._pieces], np.float64
        ).reshape(-1, 4)
        self._levels.clear()
        self._version += 1
        self._stop()
        if survey is None:
            self._tile = None

    @property
    def is_empty(self) -> bool:
        """There is no path."""
        return not self._pieces

    @property
    def is_drawing(self) -> bool:
        """A picture is being drawn in slices."""
        return self._strokes is not None

    def paint(self, painter: QPainter, camera: Camera, ratio: float, palette: Palette) -> None:
        """The ground and the roads as far as they are drawn; `drawn` follows where something was missing."""
        key = (self._version, camera.scale, ratio, palette.scene.rgb())
        if not _serves(self._tile, key, camera.view):
            self._begin(key, camera, ratio, palette)
        tile = self._tile
        if tile is None or tile.key[3] != key[3] or not tile.world.contains(camera.view):
            painter.fillRect(QRectF(0, 0, camera.width, camera.height), palette.scene)
        if tile is None or tile.key[3] != key[3]:
            return
        corner = camera.point(tile.world.left(), tile.world.top())
        if tile.key[1] == camera.scale:
            painter.drawPixmap(QPointF(round(corner.x()), round(corner.y())), tile.picture)
        else:
            far = camera.point(tile.world.right(), tile.world.bottom())
            painter.drawPixmap(QRectF(corner, far), tile.picture, QRectF(tile.picture.rect()))

    def draw(self, painter: QPainter, camera: Camera, palette: Palette) -> None:
        """The ground and the roads with any painter, as lines: for pictures in more pixels, or in none (SVG)."""
        painter.save()
        painter.fillRect(QRectF(0, 0, camera.width, camera.height), palette.scene)
        for _ in self._stroked(painter, camera.view, camera.scale, palette):
            pass
        painter.restore()

    # --- drawing ----------------------------------------------------------------------------------------

    def _begin(self, key: tuple[object, ...], camera: Camera, ratio: float, palette: Palette) -> None:
        """Draw at once what is little; begin to draw what is more."""
        if self._strokes is not None and _serves(self._next, key, camera.view):
            return
        self._stop()
        reach = MARGIN / camera.scale
        world = camera.view.adjusted(-reach, -reach, reach, reach)
        picture = QPixmap(
            math.ceil((camera.width + 2 * MARGIN) * ratio), math.ceil((camera.height + 2 * MARGIN) * ratio)
        )
        picture.setDevicePixelRatio(ratio)
        picture.fill(palette.scene)
        tile = _Tile(picture, world, key)
        if self._points(world, camera.scale) <= AT_ONCE:
            painter = QPainter(picture)
            for _ in self._stroked(painter, world, camera.scale, palette):
                pass
            painter.end()
            self._tile = tile
            return
        self._next = tile
        self._strokes = self._in_slices(tile, camera.scale, palette)
        self._timer.start()

    def _stop(self) -> None:
        self._timer.stop()
        if self._strokes is not None:
            # The generator holds a painter that must end before its picture goes.
            self._strokes.close()
        self._strokes = self._next = None

    def _draw_on(self) -> None:
        strokes = self._strokes
        if strokes is None:
            self._timer.stop()
            return
        if next(strokes, None) is None:
            self._tile = self._next
            self._stop()
            self.drawn.emit()

    def _in_slices(self, tile: _Tile, scale: float, palette: Palette) -> Generator[int, None, None]:
        painter = QPainter(tile.picture)
        try:
            until = perf_counter() + SLICE
            for done in self._stroked(painter, tile.world, scale, palette):
                if perf_counter() >= until:
                    yield done
                    until = perf_counter() + SLICE
        finally:
            painter.end()

    def _stroked(self, painter: QPainter, world: QRectF, scale: float, palette: Palette) -> Iterator[int]:
        """Stroke what lies in a rectangle of the world: all swaths, then all lines; pauses after each path."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setTransform(QTransform.fromScale(scale, scale).translate(-world.left(), -world.top()), True)
        seen = self._seen(world)
        if SWATH * scale >= 1.5:
            swath = _pen(palette.swath, SWATH)
            for index in seen:
                if not self._pieces[index].is_walked:
                    painter.strokePath(self._path(index, scale), swath)
                    yield index
        hairline = QPen(palette.path, 1.0)
        hairline.setCosmetic(True)
        for index in seen:
            painter.strokePath(self._path(index, scale), hairline)
            yield index

    def _seen(self, world: QRectF) -> list[int]:
        boxes = self._boxes
        return np.flatnonzero(
            (boxes[:, 0] <= world.right() + SWATH)
            & (boxes[:, 2] >= world.left() - SWATH)
            & (boxes[:, 1] <= world.bottom() + SWATH)
            & (boxes[:, 3] >= world.top() - SWATH)
        ).tolist()

    def _points(self, world: QRectF, scale: float) -> int:
        """How many points a picture of that rectangle would take."""
        found = 0
        for index in self._seen(world):
            found += self._path(index, scale).elementCount()
            if found > AT_ONCE:
                break
        return found

    def _path(self, index: int, scale: float) -> QPainterPath:
        """A piece with no more points than can be told apart at that scale."""
        level = math.floor(math.log2(1.5 / scale))
        paths = self._levels.setdefault(level, {})
        if len(self._levels) > _LEVELS_KEPT:
            del self._levels[next(one for one in self._levels if one != level)]
        path = paths.get(index)
        if path is None:
            path = paths[index] = _drawn(self._pieces[index], 2.0**level)
        return path


def _serves(tile: _Tile | None, key: tuple[object, ...], view: QRectF) -> bool:
    return tile is not None and tile.key == key and tile.world.contains(view)


def _pen(color: QColor, width: float) -> QPen:
    return QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _drawn(piece: Piece, spacing: float) -> QPainterPath:
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(piece.x), np.diff(piece.y)))])
    kept = np.diff(np.floor(way / spacing), prepend=-1.0) > 0
    kept[-1] = True
    path = QPainterPath()
    points = zip(piece.x[kept].tolist(), piece.y[kept].tolist(), strict=True)
    path.moveTo(*next(points))
    for x, y in points:
        path.lineTo(x, y)
    return path


def pieces(trajectory: Trajectory) -> list[Piece]:
    """The unbroken pieces of a path, cut where they are long; those shorter than a metre are left out."""
    kind = trajectory.life.class_ if trajectory.life is not None else "vehicle"
    if kind not in (*_DRIVE, "walker"):
        return []
    points: npt.NDArray[np.void] = trajectory.path
    breaks = np.flatnonzero(np.isnan(points["x"]))
    found = []
    for start, stop in zip([0, *(breaks + 1).tolist()], [*breaks.tolist(), len(points)], strict=True):
        x, y = points["x"][start:stop].astype(np.float64), points["y"][start:stop].astype(np.float64)
        if len(x) < 2 or np.hypot(np.ptp(x), np.ptp(y)) < _SHORTEST:
            continue
        for first in range(0, len(x) - 1, _LONGEST_PIECE):
            part = slice(first, first + _LONGEST_PIECE + 1)
            found.append(Piece(x[part], y[part], kind == "walker"))
    return found
