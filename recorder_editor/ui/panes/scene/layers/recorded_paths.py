"""The roads as far as they were driven: everybody's recorded path as a faint line on a swath as wide as a lane."""

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

SWATH = 3.2
_SHORTEST = 1.0
_LONGEST_PIECE = 400
_LEVELS_KEPT = 4


@dataclass(frozen=True, eq=False)
class Piece:
    """An unbroken stretch of a way, m; `is_walked`: no swath."""

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
        trajectories = state.survey.trajectories if state.survey is not None else ()
        self._pieces = [piece for trajectory in trajectories for piece in pieces(trajectory)]
        boxes = []
        for piece in self._pieces:
            boxes.append((piece.x.min(), piece.y.min(), piece.x.max(), piece.y.max()))
        self._boxes = np.array(boxes, np.float64).reshape(-1, 4)
        self._levels.clear()
        self.hold(self._pieces or None)

    def points(self, world: QRectF, scale: float) -> int:
        found = 0
        for index in self._seen(world):
            found += self._path(index, scale).elementCount()
            if found > AT_ONCE:
                break
        return found

    def strokes(self, painter: QPainter, world: QRectF, scale: float) -> Iterator[int]:
        """All swaths, then all lines; pauses after each path."""
        painter.setTransform(QTransform.fromScale(scale, scale).translate(-world.left(), -world.top()), True)
        seen = self._seen(world)
        if SWATH * scale >= 1.5:
            round_ = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
            swath = QPen(self.palette.swath, SWATH, Qt.PenStyle.SolidLine, *round_)
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
        left, top, right, bottom = sides_of(world.adjusted(-SWATH, -SWATH, SWATH, SWATH))
        begin = (self._boxes[:, :2] <= (right, bottom)).all(axis=1)
        return np.flatnonzero(begin & (self._boxes[:, 2:] >= (left, top)).all(axis=1)).tolist()

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


def _drawn(piece: Piece, spacing: float) -> QPainterPath:
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(piece.x), np.diff(piece.y)))])
    kept = np.diff(np.floor(way / spacing), prepend=-1.0) > 0
    kept[-1] = True
    path = QPainterPath()
    points = zip(piece.x[kept].tolist(), piece.y[kept].tolist(), strict=True)
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    return path


def pieces(trajectory: Trajectory) -> list[Piece]:
    """The unbroken pieces of a path, cut where they are long; those shorter than a metre are left out."""
    life = trajectory.life
    if life is not None and not life.is_road_user:
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
            found.append(Piece(x[part], y[part], life is not None and life.class_ == "walker"))
    return found
