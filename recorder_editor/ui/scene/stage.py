"""Draws a frame: boxes with wedges, discs, rings, trails, lamps, bursts, labels, and the instruments in the corners.

Pixels throughout; the camera says where. Knows nothing of the session: it is handed what to draw.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from ...edits.operations.schema import Ghost
from ...recording.trajectories import Trajectory
from ..palette import Palette, with_alpha
from ..theme import Theme
from .camera import Camera
from .corners import Corners
from .figures import Figures, Mask, lamp_size, walker_radius
from .following import Following, draw_line, draw_words
from .labels import CROWDED, Board, Wish, place_labels
from .trails import draw_trail, trail_of
from .world import WALKER, Crowd, Reals, Scenery, TrafficLight

LABELS_FROM = 2.0
"""Pixels a metre from which plain labels are drawn."""

_APART = 0.01  # metres
_TURNED = 0.004  # the sine of half the angle: half a degree
_CHIP = 18.0
_CHIP_REACH = 300.0


@dataclass
class Show:
    """What to draw, and how.

    Attributes: `selected` (ids, the first one first), `trajectories` (of the selected, for trails), `frame_index`,
    `elapsed` (of all frames), `own_colours` (by life index), `other` (everybody in the recording compared with), and
    what is switched on.
    """

    scenery: Scenery
    selected: tuple[int, ...] = ()
    trajectories: tuple[Trajectory, ...] = ()
    frame_index: int = 0
    elapsed: Reals = field(default_factory=lambda: np.zeros(0))
    hits: frozenset[int] = frozenset()
    own_colours: dict[int, QColor] | None = None
    trails: bool = True
    ids: bool = True
    ghosts: tuple[Ghost, ...] = ()
    other: Crowd | None = None
    measure: tuple[tuple[float, float], tuple[float, float]] | None = None
    band: QRectF | None = None
    leaders: tuple[Following, ...] = ()


class Stage:
    """One drawing of a frame."""

    def __init__(self, painter: QPainter, theme: Theme, camera: Camera, show: Show) -> None:
        self.painter = painter
        self.theme = theme
        self.palette: Palette = theme.palette
        self.camera = camera
        self.show = show
        self.board = Board(QRectF(0, 0, camera.width, camera.height))
        self.figures = Figures(painter, theme, camera, show.own_colours)
        self.corners = Corners(painter, theme, camera)
        self.marks: list[QPointF] = []
        crowd = show.scenery.crowd
        self.seen = self._visible(crowd.x, crowd.y)
        self.radii = np.where(
            crowd.kind == WALKER, walker_radius(camera), np.maximum(4.0, crowd.half[:, 0] * camera.scale)
        )

    def draw(self) -> None:
        """Everything but the ground."""
        painter, scenery = self.painter, self.show.scenery
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.corners.grid()
        for rect in self.corners.taken():
            self.board.take(rect)
        fastest = self._trails() if self.show.trails else None
        fixtures = scenery.fixtures
        self.figures.fixtures(fixtures, self._visible(fixtures.x, fixtures.y))
        lamps = [self.figures.lamp(light) for light in scenery.lights]
        if self.show.other is not None:
            self._other(scenery.crowd, self.show.other)
        for following, ends in self._followings(scenery.crowd):
            draw_line(painter, self.theme, self.board, ends, following)
        self.figures.crowd(scenery.crowd, self.seen)
        self._rings(scenery.crowd)
        self._labels(scenery.crowd, lamps)
        for following, ends in self._followings(scenery.crowd):
            draw_words(painter, self.theme, self.board, ends, following)
        for ghost in self.show.ghosts:
            self._ghost(scenery.crowd, ghost)
        if self.show.measure is not None:
            self._measure(*self.show.measure)
        if self.show.band is not None:
            painter.setPen(QPen(self.palette.selection, 1))
            painter.setBrush(with_alpha(self.palette.selection, 0.12))
            painter.drawRect(self.show.band)
        if scenery.frame is not None:
            self.corners.north()
            self.corners.scale_bar()
        if fastest is not None:
            self.corners.legend(fastest)

    def _followings(self, crowd: Crowd) -> list[tuple[Following, tuple[QPointF, QPointF]]]:
        """The lines to leaders: from box to box."""
        found = []
        for following in self.show.leaders:
            one, other = crowd.index_of(following.actor), crowd.index_of(following.leader)
            if one is not None and other is not None and (self.seen[one] or self.seen[other]):
                found.append((following, (self._centre(crowd, one), self._centre(crowd, other))))
        return found

    def _visible(self, x: Reals, y: Reals) -> Mask:
        view, margin = self.camera.view, 12.0
        seen: Mask = (
            (x > view.left() - margin)
            & (x < view.right() + margin)
            & (y > view.top() - margin)
            & (y < view.bottom() + margin)
        )
        return seen

    def _centre(self, crowd: Crowd, index: int) -> QPointF:
        return self.camera.point(float(crowd.x[index]), float(crowd.y[index]))

    def _entries(self, crowd: Crowd, actors: tuple[int, ...] | frozenset[int]) -> list[int]:
        """Where these actors are in the crowd, those out of sight left out."""
        found = (crowd.index_of(actor) for actor in actors)
        return [index for index in found if index is not None and self.seen[index]]

    def _trails(self) -> float | None:
        """The trails of the selected; gives where the colours of the fastest end."""
        crowd = self.show.scenery.crowd
        trajectories = [
            (trajectory.actor, trail_of(trajectory, self.show.elapsed, self.show.frame_index))
            for trajectory in self.show.trajectories
        ]
        trails = [(actor, trail) for actor, trail in trajectories if trail is not None]
        if not trails:
            return None
        # One scale for all of them, or a colour would mean another speed on each.
        fastest = max(trail.fastest for _, trail in trails)
        for actor, trail in trails:
            index = crowd.index_of(actor)
            here = self._centre(crowd, index) if index is not None and math.isfinite(float(crowd.x[index])) else None
            shown = replace(trail, fastest=fastest)
            self.marks += draw_trail(self.painter, self.palette, self.camera, shown, here)
        return fastest

    # --- marks ------------------------------------------------------------------------------------------

    def _rings(self, crowd: Crowd) -> None:
        painter = self.painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.palette.hero, 1.6))
        for index in np.flatnonzero(crowd.hero & self.seen).tolist():
            centre = self._centre(crowd, index)
            for extra in (6, 10):
                radius = float(self.radii[index]) + extra
                painter.drawEllipse(centre, radius, radius)
        painter.setPen(QPen(self.palette.selection, 2.2))
        for index in self._entries(crowd, self.show.selected):
            radius = float(self.radii[index]) + (15 if crowd.hero[index] else 6)
            painter.drawEllipse(self._centre(crowd, index), radius, radius)
        wide, high = (length / 2 + 5 for length in lamp_size(self.camera))
        for light in self.show.scenery.lights:
            if light.actor in self.show.selected:
                centre = self.camera.point(light.x, light.y)
                painter.drawRoundedRect(QRectF(centre.x() - wide, centre.y() - high, 2 * wide, 2 * high), 5, 5)
        self._bursts(crowd)

    def _bursts(self, crowd: Crowd) -> None:
        """A collision: rays round those who touch."""
        self.painter.setPen(QPen(self.palette.error, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        touching = self._entries(crowd, self.show.hits)
        for index in touching:
            if _is_covered(crowd, index, touching):
                continue
            centre = self._centre(crowd, index)
            rings = 20 if crowd.hero[index] else 12 if int(crowd.ids[index]) in self.show.selected else 8
            inner = float(self.radii[index]) + rings
            rays = []
            for turn in range(12):
                angle = math.radians(turn * 30 + 15)
                outer = inner + (12 if turn % 2 else 8)
                cos, sin = math.cos(angle), math.sin(angle)
                rays.append(
                    QLineF(
                        centre.x() + inner * cos,
                        centre.y() + inner * sin,
                        centre.x() + outer * cos,
                        centre.y() + outer * sin,
                    )
                )
            self.painter.drawLines(rays)
            reach = inner + 12
            self.board.take(QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach))

    # --- labels -----------------------------------------------------------------------------------------

    def _labels(self, crowd: Crowd, lamps: list[QRectF | None]) -> None:
        half = self._halves(crowd)
        seen = self._in_pane(crowd, half)
        users = seen & crowd.road_users
        marked = crowd.hero.copy()
        marked[self._entries(crowd, self.show.selected)] = True
        marked[self._entries(crowd, self.show.hits)] = True
        marked &= seen
        chosen = [
            (light, box)
            for light, box in zip(self.show.scenery.lights, lamps, strict=True)
            if box is not None and light.actor in self.show.selected
        ]
        plain = self.show.ids and self.camera.scale >= LABELS_FROM and int(users.sum()) <= CROWDED
        timed = self.camera.scale >= 2.5 and any(lamps)
        if not (plain or timed or chosen or marked.any()):
            return
        self._take_crowd(crowd, users | marked if plain or timed else self._near(crowd, users, marked), half)
        for box in lamps:
            if box is not None:
                self.board.take(box)
        wishes = [self._wish(crowd, index, half) for index in np.flatnonzero(marked).tolist()]
        wishes += [self._lamp_wish(light, box) for light, box in chosen]
        # What is asked for is placed before the seconds of the lamps, and those before the plain numbers; only a chip
        # has a ground of its own, and may lie on a trail.
        for wish, rect in place_labels(wishes, self.board):
            self._chip(rect, wish.text, (self.palette.selection, self.palette.hero, self.palette.error)[wish.rank])
        for point in self.marks:
            self.board.take_sides((point.x() - 3, point.y() - 3, point.x() + 3, point.y() + 3))
        if timed:
            self._lamp_times(lamps)
        if plain:
            self._plain_labels(crowd, np.flatnonzero(users & ~marked), half)

    def _in_pane(self, crowd: Crowd, half: npt.NDArray[np.float64]) -> Mask:
        """Those of whom something is to be seen: the others have nothing that a label could stand by."""
        x, y = self.camera.points(crowd.x, crowd.y)
        inside: Mask = (
            (x + half[:, 0] > 0)
            & (x - half[:, 0] < self.camera.width)
            & (y + half[:, 1] > 0)
            & (y - half[:, 1] < self.camera.height)
        )
        return self.seen & inside

    def _near(self, crowd: Crowd, users: Mask, marked: Mask) -> Mask:
        """Those who may stand in the way of a chip."""
        near, reach = marked.copy(), _CHIP_REACH / self.camera.scale
        for index in np.flatnonzero(marked).tolist():
            near |= np.hypot(crowd.x - crowd.x[index], crowd.y - crowd.y[index]) < reach + crowd.half[:, 0]
        near &= users | marked
        return near

    def _halves(self, crowd: Crowd) -> npt.NDArray[np.float64]:
        """Half width and height of what everybody takes on the screen, rings included; shape (n, 2), px."""
        cos, sin = np.abs(np.cos(crowd.yaw)), np.abs(np.sin(crowd.yaw))
        along, across = crowd.half[:, 0] * self.camera.scale, crowd.half[:, 1] * self.camera.scale
        walks = crowd.kind == WALKER
        wide = np.where(walks, self.radii + self.radii * 0.9 * cos, along * cos + across * sin)
        high = np.where(walks, self.radii + self.radii * 0.9 * sin, along * sin + across * cos)
        ringed = np.where(crowd.hero, self.radii + 11, 0.0)
        for index in self._entries(crowd, self.show.selected):
            ringed[index] = self.radii[index] + (16 if crowd.hero[index] else 7)
        half: npt.NDArray[np.float64] = np.maximum(np.stack([wide, high], axis=1), np.maximum(ringed, 3.0)[:, None])
        return half

    def _take_crowd(self, crowd: Crowd, chosen: Mask, half: npt.NDArray[np.float64]) -> None:
        x, y = self.camera.points(crowd.x[chosen], crowd.y[chosen])
        half = half[chosen]
        sides = np.stack([x - half[:, 0], y - half[:, 1], x + half[:, 0], y + half[:, 1]], axis=1)
        for left, top, right, bottom in sides.tolist():
            self.board.take_sides((left, top, right, bottom))

    def _wish(self, crowd: Crowd, index: int, half: npt.NDArray[np.float64]) -> Wish:
        """The label of somebody who is selected, a hero, or in a collision."""
        actor, speed = int(crowd.ids[index]), float(crowd.speed[index])
        rank = 0 if actor in self.show.selected else 1 if crowd.hero[index] else 2
        text = f"{actor}  {speed:.1f} m/s" if rank != 1 and math.isfinite(speed) else str(actor)
        if rank == 1:
            text = f"{actor} hero"
        width = QFontMetricsF(self.theme.small_bold).horizontalAdvance(text) + 12
        wide, high = half[index].tolist()
        return Wish(text, self._centre(crowd, index), (wide, high), width, _CHIP, rank, actor)

    def _lamp_wish(self, light: TrafficLight, box: QRectF) -> Wish:
        text = f"{light.actor}  {_seconds(light)}"
        width = QFontMetricsF(self.theme.small_bold).horizontalAdvance(text) + 12
        return Wish(text, box.center(), (box.width() / 2 + 6, box.height() / 2 + 6), width, _CHIP, 0, light.actor)

    def _lamp_times(self, lamps: list[QRectF | None]) -> None:
        """How long each light has been as it is: at its right, or left where something stands there."""
        metrics = QFontMetricsF(self.theme.small)
        self.painter.setFont(self.theme.small)
        self.painter.setPen(self.palette.muted)
        for light, box in zip(self.show.scenery.lights, lamps, strict=True):
            if box is None or light.actor in self.show.selected:
                continue
            text = _seconds(light)
            width, top = metrics.horizontalAdvance(text), box.center().y() - 7
            for left in (box.right() + 4, box.left() - 4 - width):
                place = QRectF(left, top, width, 14)
                if self.board.is_free(place):
                    self.painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                    self.board.take(place)
                    break

    def _plain_labels(self, crowd: Crowd, chosen: npt.NDArray[np.intp], half: npt.NDArray[np.float64]) -> None:
        metrics = QFontMetricsF(self.theme.small)
        wishes = []
        for index, actor, (wide, high) in zip(
            chosen.tolist(), crowd.ids[chosen].tolist(), half[chosen].tolist(), strict=True
        ):
            text = str(actor)
            width = metrics.horizontalAdvance(text)
            wishes.append(Wish(text, self._centre(crowd, index), (wide, high), width, 14.0, 3, actor))
        self.painter.setFont(self.theme.small)
        self.painter.setPen(self.palette.muted)
        for wish, rect in place_labels(wishes, self.board):
            self.painter.drawText(rect.adjusted(-2, 0, 2, 0), Qt.AlignmentFlag.AlignCenter, wish.text)

    def _chip(self, rect: QRectF, text: str, edge: QColor) -> None:
        chip = QRectF(round(rect.x()) + 0.5, round(rect.y()) + 0.5, round(rect.width()), round(rect.height()))
        self.painter.setPen(QPen(edge, 1))
        self.painter.setBrush(self.palette.field)
        self.painter.drawRoundedRect(chip, 3, 3)
        self.painter.setFont(self.theme.small_bold)
        self.painter.setPen(self.palette.text)
        self.painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)

    # --- the recording compared with --------------------------------------------------------------------

    def _other(self, crowd: Crowd, other: Crowd) -> None:
        """Those who stand elsewhere in the other recording, as outlines with a line to where they are here."""
        here = {actor: index for index, actor in enumerate(crowd.ids.tolist())}
        mine = np.array([here.get(actor, -1) for actor in other.ids.tolist()], np.intp)
        known = mine >= 0
        apart = np.full(len(other), np.inf)
        apart[known] = np.hypot(other.x[known] - crowd.x[mine[known]], other.y[known] - crowd.y[mine[known]])
        turned = np.zeros(len(other), np.bool_)
        turned[known] = np.abs(np.sin((other.yaw[known] - crowd.yaw[mine[known]]) / 2)) > _TURNED
        chosen = np.flatnonzero(self._visible(other.x, other.y) & ((apart > _APART) | turned))
        painter = self.painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        corners = other.corners(chosen)
        corners[:, :, 0], corners[:, :, 1] = self.camera.points(corners[:, :, 0], corners[:, :, 1])
        for index, four in zip(chosen.tolist(), corners.tolist(), strict=True):
            centre = self._centre(other, index)
            painter.setPen(QPen(self.palette.muted, 1.4, Qt.PenStyle.DashLine))
            painter.drawConvexPolygon([QPointF(x, y) for x, y in four])
            if math.isfinite(apart[index]):
                painter.setPen(QPen(self.palette.muted, 1.0, Qt.PenStyle.DotLine))
                painter.drawLine(centre, self._centre(crowd, int(mine[index])))

    # --- tools ------------------------------------------------------------------------------------------

    def _ghost(self, crowd: Crowd, ghost: Ghost) -> None:
        index = crowd.index_of(ghost.actor)
        if index is None:
            return
        painter, camera = self.painter, self.camera
        x, y = float(crowd.x[index]), float(crowd.y[index])
        here, there = camera.point(x, y), camera.point(x + ghost.dx, y + ghost.dy)
        yaw = float(crowd.yaw[index]) + math.radians(ghost.turn)
        cos, sin = math.cos(yaw), math.sin(yaw)
        along, across = (crowd.half[index] * camera.scale).tolist()
        corners = [
            QPointF(there.x() + a * along * cos - b * across * sin, there.y() + a * along * sin + b * across * cos)
            for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))
        ]
        painter.setPen(QPen(self.palette.edited, 1.6, Qt.PenStyle.DashLine))
        painter.setBrush(with_alpha(self.palette.edited, 0.25))
        painter.drawPolygon(QPolygonF(corners))
        painter.drawLine(there, QPointF(there.x() + (along + 10) * cos, there.y() + (along + 10) * sin))
        if ghost.dx or ghost.dy:
            painter.drawLine(here, there)
        distance = math.hypot(ghost.dx, ghost.dy)
        self._note(there + QPointF(0, -along - 24), f"{ghost.turn:+.1f}°" if ghost.turn else f"{distance:.2f} m")

    def _measure(self, first: tuple[float, float], second: tuple[float, float]) -> None:
        a, b = self.camera.point(*first), self.camera.point(*second)
        painter = self.painter
        painter.setPen(QPen(self.palette.text, 1.4, Qt.PenStyle.DashLine))
        painter.drawLine(a, b)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette.text)
        for point in (a, b):
            painter.drawEllipse(point, 3, 3)
        dx, dy = second[0] - first[0], second[1] - first[1]
        heading = math.degrees(math.atan2(dy, dx))
        self._note((a + b) / 2 + QPointF(0, -16), f"{math.hypot(dx, dy):.2f} m  {heading:.1f}°")

    def _note(self, centre: QPointF, text: str) -> None:
        """A figure beside a tool."""
        width = QFontMetricsF(self.theme.small_bold).horizontalAdvance(text) + 12
        self._chip(QRectF(centre.x() - width / 2, centre.y() - _CHIP / 2, width, _CHIP), text, self.palette.edge)


def _seconds(light: TrafficLight) -> str:
    """How long it has been as it is."""
    return f"{light.seconds:.1f} s" if abs(light.seconds) < 1e6 else "–"


def _is_covered(crowd: Crowd, index: int, touching: list[int]) -> bool:
    """A larger one of those who collide stands so near that one burst round it says enough."""
    return any(
        crowd.half[other, 0] > crowd.half[index, 0]
        and math.hypot(crowd.x[other] - crowd.x[index], crowd.y[other] - crowd.y[index]) < 2 * crowd.half[other, 0] + 1
        for other in touching
    )
