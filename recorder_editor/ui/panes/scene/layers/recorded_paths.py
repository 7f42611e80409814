"""The roads as far as they were driven: each recorded path as a faint line on a swath as wide as a lane."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF, QTransform

from .....reading import Trajectories, Trajectory
from .....views.frame_actors import Reals
from ....style.theme import Theme
from ..label_layout import sides_of
from ..state import SceneState
from .layer import AT_ONCE, PictureLayer

SWATH = 3.2  # m
_SHORTEST = 1.0  # m of a path that is drawn
_LONGEST_PIECE = 400  # points
_LEVELS_KEPT = 4


@dataclass(frozen=True, eq=False)
class Piece:
    """An unbroken stretch of a way.

    Attributes:
        x: Its points, m.
        y: Its points, m.
        is_walked: Whether a walker went there: it gets no swath.
    """

    x: Reals
    y: Reals
    is_walked: bool


class RecordedPaths(PictureLayer):
    """The paths of the survey of a state."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._pieces: list[Piece] = []
        self._boxes = np.zeros((0, 4))
        self._levels: dict[int, dict[int, QPainterPath]] = {}
        self._survey: Trajectories | None = None

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        if state.survey is self._survey:
            return
        self._survey = state.survey
        self._pieces = []
        if state.survey is not None:
            for trajectory in state.survey.trajectories:
                self._pieces.extend(pieces(trajectory))
        boxes = []
        for piece in self._pieces:
            boxes.append((piece.x.min(), piece.y.min(), piece.x.max(), piece.y.max()))
        self._boxes = np.array(boxes, np.float64).reshape(-1, 4)
        self._levels.clear()
        self.set_source(self._pieces or None)

    def points(self, world: QRectF, scale: float) -> int:
        count = 0
        for index in self._seen(world):
            count += self._path(index, scale).elementCount()
            if count > AT_ONCE:
                break
        return count

    def strokes(self, painter: QPainter, world: QRectF, scale: float) -> Iterator[int]:
        """Draw all swaths, then all lines; yield after each path."""
        painter.setTransform(QTransform.fromScale(scale, scale).translate(-world.left(), -world.top()), True)
        seen = self._seen(world)
        if SWATH * scale >= 1.5:
            swath = QPen(self.palette.swath, SWATH)
            swath.setCapStyle(Qt.PenCapStyle.RoundCap)
            swath.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            for index in seen:
                if not self._pieces[index].is_walked:
                    painter.strokePath(self._path(index, scale), swath)
                    yield index
        hairline = QPen(self.palette.path, 1.0)
        hairline.setCosmetic(True)
        for index in seen:
            painter.strokePath(self._path(index, scale), hairline)
            yield index

    def _seen(self, world: QRectF) -> list[int]:
        """Return the indices of the pieces that may lie in a rectangle (m)."""
        left, top, right, bottom = sides_of(world.adjusted(-SWATH, -SWATH, SWATH, SWATH))
        begins_before = (self._boxes[:, :2] <= (right, bottom)).all(axis=1)
        ends_behind = (self._boxes[:, 2:] >= (left, top)).all(axis=1)
        return np.flatnonzero(begins_before & ends_behind).tolist()

    def _path(self, index: int, scale: float) -> QPainterPath:
        """Return a piece with no more points than can be told apart at that scale."""
        level = math.floor(math.log2(1.5 / scale))
        paths = self._levels.setdefault(level, {})
        if len(self._levels) > _LEVELS_KEPT:
            oldest = next(kept for kept in self._levels if kept != level)
            del self._levels[oldest]
        path = paths.get(index)
        if path is None:
            path = _thinned(self._pieces[index], 2.0**level)
            paths[index] = path
        return path


def _thinned(piece: Piece, spacing: float) -> QPainterPath:
    """Return a piece with points that are about `spacing` metres apart, and its last one."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(piece.x), np.diff(piece.y)))])
    kept = np.diff(np.floor(way / spacing), prepend=-1.0) > 0
    kept[-1] = True
    path = QPainterPath()
    points = zip(piece.x[kept].tolist(), piece.y[kept].tolist(), strict=True)
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    return path


def pieces(trajectory: Trajectory) -> list[Piece]:
    """Return the unbroken pieces of a path, cut where they are long; those shorter than a metre are left out."""
    life = trajectory.life
    if life is not None and not life.is_road_user:
        return []
    is_walked = life is not None and life.class_ == "walker"
    points: npt.NDArray[np.void] = trajectory.path
    breaks = np.flatnonzero(np.isnan(points["x"]))
    starts = np.append(0, breaks + 1)
    stops = np.append(breaks, len(points))
    unbroken = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        x = points["x"][start:stop].astype(np.float64)
        y = points["y"][start:stop].astype(np.float64)
        if len(x) < 2 or np.hypot(np.ptp(x), np.ptp(y)) < _SHORTEST:
            continue
        for first in range(0, len(x) - 1, _LONGEST_PIECE):
            part = slice(first, first + _LONGEST_PIECE + 1)
            unbroken.append(Piece(x=x[part], y=y[part], is_walked=is_walked))
    return unbroken
