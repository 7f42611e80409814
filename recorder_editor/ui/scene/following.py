"""A vehicle's leader: a line from the one to the other, with the gap and, where it closes, the time that is left."""

import math
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from ...analysis import Analysis
from ...recording.actors import Actors
from ..theme import Theme
from .labels import Board

_TICK = 5.0
_LONGEST_TTC = 20.0


class Following(NamedTuple):
    """`actor` drives behind `leader` (ids): `gap` (m), `ttc` (s, NaN where the gap does not close), `risk` (0 to 2)."""

    actor: int
    leader: int
    gap: float
    ttc: float
    risk: int

    @property
    def words(self) -> str:
        """`12.3 m, TTC 3.1 s`; a time that is long says nothing."""
        gap = f"{self.gap:.1f} m"
        return f"{gap}, TTC {self.ttc:.1f} s" if self.ttc < _LONGEST_TTC else gap


def followings(analysis: Analysis, actors: Actors, chosen: tuple[int, ...], frame_index: int) -> tuple[Following, ...]:
    """Whom these actors (ids) follow in a frame."""
    found = []
    for actor in chosen:
        life = actors.at(actor, frame_index)
        row = analysis.row_at(life.index, frame_index) if life is not None else None
        leader = analysis.leader_of(life.index, frame_index) if life is not None else None
        if row is not None and leader is not None:
            gap, ttc = float(analysis.columns["dist_headway"][row]), float(analysis.columns["TTC"][row])
            level = int(analysis.columns["risk_level"][row])
            found.append(Following(actor, analysis.actors.lives[leader].actor, gap, ttc, level))
    return tuple(found)


def draw_line(painter: QPainter, theme: Theme, ends: tuple[QPointF, QPointF], following: Following) -> None:
    """The line from the follower to its leader, with a tick at the leader; broken unless there is a risk."""
    palette, (start, end) = theme.palette, ends
    color = (palette.selection, palette.warning, palette.error)[following.risk]
    style = Qt.PenStyle.SolidLine if following.risk else Qt.PenStyle.DashLine
    painter.setPen(QPen(color, 2.5 if following.risk == 2 else 1.8, style))
    painter.drawLine(start, end)
    length = math.hypot(end.x() - start.x(), end.y() - start.y())
    if length > _TICK:
        across = QPointF(end.y() - start.y(), start.x() - end.x()) * (_TICK / length)
        painter.setPen(QPen(color, 1.8))
        painter.drawLine(QLineF(end - across, end + across))


def draw_words(
    painter: QPainter, theme: Theme, board: Board, ends: tuple[QPointF, QPointF], following: Following
) -> None:
    """The gap beside the middle of the line, where there is room."""
    metrics = QFontMetricsF(theme.small)
    start, end = ends
    middle, width = (start + end) / 2, metrics.horizontalAdvance(following.words) + 4
    centred = -width / 2
    for dx, dy in ((centred, 10), (centred, -26), (10, -8), (-10 - width, -8), (centred, 28), (centred, -44)):
        place = QRectF(middle.x() + dx, middle.y() + dy, width, 16)
        if board.is_free(place):
            painter.setFont(theme.small)
            painter.setPen(theme.palette.text)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, following.words)
            board.take(place)
            return
