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
_BOX = 10.0
_MOST_BOXES = 200
_ALONG = (0.5, 0.62, 0.38, 0.75, 0.25)
_BESIDE = (-22.0, 6.0, -38.0, 22.0, -54.0, 38.0)


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


def draw_line(
    painter: QPainter, theme: Theme, board: Board, ends: tuple[QPointF, QPointF], following: Following
) -> None:
    """The line from the follower to its leader, with a tick at the leader; broken unless there is a risk."""
    palette, (start, end) = theme.palette, ends
    color = (palette.selection, palette.warning, palette.error)[following.risk]
    style = Qt.PenStyle.SolidLine if following.risk else Qt.PenStyle.DashLine
    painter.setPen(QPen(color, 2.5 if following.risk == 2 else 1.8, style))
    painter.drawLine(start, end)
    length = math.hypot(end.x() - start.x(), end.y() - start.y())
    for part in range(1, min(_MOST_BOXES, int(length / _BOX))):
        # Labels keep off the line.
        at = start + (end - start) * (part * _BOX / length)
        board.take(QRectF(at.x() - 3, at.y() - 3, 6, 6))
    if length > _TICK:
        across = QPointF(end.y() - start.y(), start.x() - end.x()) * (_TICK / length)
        painter.setPen(QPen(color, 1.8))
        painter.drawLine(QLineF(end - across, end + across))


def draw_words(
    painter: QPainter, theme: Theme, board: Board, ends: tuple[QPointF, QPointF], following: Following
) -> None:
    """The words beside the line, or the gap alone, where there is room."""
    metrics = QFontMetricsF(theme.small)
    start, end = ends
    painter.setFont(theme.small)
    painter.setPen(theme.palette.text)
    for words in (following.words, f"{following.gap:.1f} m"):
        width = metrics.horizontalAdvance(words) + 4
        for share, beside in ((share, beside) for beside in _BESIDE for share in _ALONG):
            at = start + (end - start) * share
            place = QRectF(at.x() - width / 2, at.y() + beside, width, 16)
            if board.is_free(place):
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
                board.take(place)
                return
