"""The roads: everybody's recorded way as a faint line on a swath as wide as a lane, drawn once for a view."""

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap, QTransform

from ...recording.survey import Journey, Survey
from ..palette import Palette

SWATH = 3.2
_DRIVE = {"vehicle", "two-wheeler"}
_SHORTEST = 1.0


class Roads:
    """The paths of a survey. `picture` gives them as seen in a view, made anew only when something changed."""

    def __init__(self) -> None:
        self._driven: list[tuple[QRectF, QPainterPath]] = []
        self._walked: list[tuple[QRectF, QPainterPath]] = []
        self._key: tuple[object, ...] = ()
        self._picture: QPixmap | None = None
        self._version = 0

    def set_survey(self, survey: Survey | None) -> None:
        """Take in other paths."""
        self._driven, self._walked = [], []
        self._version += 1
        for journey in survey.journeys if survey is not None else ():
            kind = journey.life.class_ if journey.life is not None else "vehicle"
            if kind not in (*_DRIVE, "walker") or len(journey.path) < 2:
                continue
            (self._walked if kind == "walker" else self._driven).extend(pieces(journey))

    @property
    def is_empty(self) -> bool:
        """There is no path."""
        return not self._driven and not self._walked

    def picture(self, view: QRectF, size: QSize, ratio: float, palette: Palette) -> QPixmap:
        """The roads of the world rectangle `view` (m) on the scene's ground."""
        key = (self._version, view.getRect(), size.toTuple(), ratio, palette.scene.rgb())
        if key != self._key or self._picture is None:
            self._key = key
            self._picture = self._drawn(view, size, ratio, palette)
        return self._picture

    def _drawn(self, view: QRectF, size: QSize, ratio: float, palette: Palette) -> QPixmap:
        picture = QPixmap(int(size.width() * ratio), int(size.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(palette.scene)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = size.width() / view.width()
        transform = QTransform.fromScale(scale, scale).translate(-view.left(), -view.top())
        painter.setTransform(transform, True)
        seen = view.adjusted(-SWATH, -SWATH, SWATH, SWATH)
        driven = [path for box, path in self._driven if box.intersects(seen)]
        walked = [path for box, path in self._walked if box.intersects(seen)]
        if SWATH * scale >= 1.5:
            for path in driven:
                painter.strokePath(path, _pen(palette.swath, SWATH))
        hairline = QPen(palette.path, 1.0)
        hairline.setCosmetic(True)
        for path in (*driven, *walked):
            painter.strokePath(path, hairline)
        painter.end()
        return picture


def _pen(color: object, width: float) -> QPen:
    pen = QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)  # type: ignore[call-overload]
    assert isinstance(pen, QPen)
    return pen


def pieces(journey: Journey) -> list[tuple[QRectF, QPainterPath]]:
    """The unbroken pieces of a path with their boxes; those shorter than a metre are left out."""
    points = journey.path
    breaks = np.flatnonzero(np.isnan(points["x"]))
    found = []
    for start, stop in zip([0, *(breaks + 1).tolist()], [*breaks.tolist(), len(points)], strict=True):
        x, y = points["x"][start:stop], points["y"][start:stop]
        if len(x) < 2 or np.hypot(np.ptp(x), np.ptp(y)) < _SHORTEST:
            continue
        path = QPainterPath()
        path.moveTo(float(x[0]), float(y[0]))
        for px, py in zip(x[1:].tolist(), y[1:].tolist(), strict=True):
            path.lineTo(px, py)
        found.append((path.boundingRect().adjusted(-0.1, -0.1, 0.1, 0.1), path))
    return found
