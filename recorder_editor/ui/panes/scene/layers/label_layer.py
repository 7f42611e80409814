"""All labels of the scene: who is marked, how long a light has been as it is, plain ids, the gap to a leader.

The important ones choose their place first, and none lies on what another layer says it occupies.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from .....texts import say
from .....views.frame_actors import Kind, Mask, Pairs, TrafficLight
from ..label_layout import CROWDED, NOTE, Board, Sides, Wish, place_labels, sides_of
from ..shapes import chip_size, draw_chip
from ..state import Lamp
from .layer import Layer

LABELS_FROM = 2.0
"""Pixels a metre from which plain labels are drawn."""

_TIMES_FROM = 2.5


class Labels(Layer):
    """Places the labels anew for each state."""

    def draw(self, painter: QPainter) -> None:
        state = self.state
        actors = self.state.actors
        scale = self.state.camera.scale
        half = self._halves()
        seen = self._in_pane(half)
        users = seen & actors.road_users
        marked = np.zeros(len(actors), np.bool_)
        marked[state.entries(state.selected)] = True
        marked[state.entries(state.colliding)] = True
        marked = (marked | actors.hero) & seen
        lamps = []
        for lamp in state.lamps:
            if lamp[0].actor in state.selected:
                lamps.append(lamp)
        plain = state.ids and scale >= LABELS_FROM and int(users.sum()) <= CROWDED
        timed = scale >= _TIMES_FROM and bool(state.lamps)
        notes = [wish for layer in self.peers for wish in layer.notes()]
        if not (plain or timed or lamps or notes or marked.any() or state.leader_ends):
            return
        board = Board(state.camera.pane)
        board.take(*self._sides(users | marked, half))
        self._take_layers(board, is_faint=False)
        wishes = notes + [self._wish(index, half) for index in np.flatnonzero(marked).tolist()]
        wishes += [self._lamp_wish(lamp) for lamp in lamps]
        # What is asked for is placed before the seconds of the lamps, and those before the plain numbers; only a chip
        # has a ground of its own, and may lie on a trail.
        for wish, rect in place_labels(wishes, board):
            inks = self.palette.edge, self.palette.selection, self.palette.hero, self.palette.error
            draw_chip(painter, self.theme, rect, wish.text, inks[wish.rank - NOTE])
        if not (plain or timed or state.leader_ends):
            return
        self._take_layers(board, is_faint=True)
        painter.setFont(self.theme.small)
        painter.setPen(self.palette.muted)
        if timed:
            self._lamp_times(painter, board)
        if plain:
            self._plain_labels(painter, board, np.flatnonzero(users & ~marked).tolist(), half)
        painter.setPen(self.palette.text)
        for wish, rect in place_labels(self._leader_wishes(), board):
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, wish.text)

    # --- what is taken ----------------------------------------------------------------------------------

    def _take_layers(self, board: Board, *, is_faint: bool) -> None:
        for layer in self.peers:
            if layer.is_faint == is_faint and layer.isVisible():
                board.take(*layer.occupied())

    def _in_pane(self, half: Pairs) -> Mask:
        """Actors whose shape is inside the view; only these get labels."""
        camera = self.state.camera
        actors = self.state.actors
        x, y = camera.points(actors.x, actors.y)
        inside_x = (x + half[:, 0] > 0) & (x - half[:, 0] < camera.width)
        return self.state.seen & inside_x & (y + half[:, 1] > 0) & (y - half[:, 1] < camera.height)

    def _halves(self) -> Pairs:
        """Half width and height of what everybody takes on the screen, rings included; shape (n, 2), px."""
        state = self.state
        actors = self.state.actors
        yaw = actors.yaw + state.camera.angle
        cos, sin = np.abs(np.cos(yaw)), np.abs(np.sin(yaw))
        along, across = (actors.half * state.camera.scale).T
        walks = actors.kind == Kind.WALKER
        wide = np.where(walks, state.radii + state.radii * 0.9 * cos, along * cos + across * sin)
        high = np.where(walks, state.radii + state.radii * 0.9 * sin, along * sin + across * cos)
        ringed = np.where(actors.hero, state.radii + 11, 0.0)
        for index in state.entries(state.selected):
            ringed[index] = state.radii[index] + (16 if actors.hero[index] else 7)
        half: Pairs = np.maximum(np.stack([wide, high], axis=1), np.maximum(ringed, 3.0)[:, None])
        return half

    def _sides(self, chosen: Mask, half: Pairs) -> Iterable[Sides]:
        actors, half = self.state.actors, half[chosen]
        x, y = self.state.camera.points(actors.x[chosen], actors.y[chosen])
        sides = x - half[:, 0], y - half[:, 1], x + half[:, 0], y + half[:, 1]
        return zip(*(side.tolist() for side in sides), strict=True)

    # --- the labels -------------------------------------------------------------------------------------

    def _wish(self, index: int, half: Pairs) -> Wish:
        """The label of somebody who is selected, a hero, or in a collision."""
        actors = self.state.actors
        actor = int(actors.ids[index])
        speed = float(actors.speed[index])
        if actor in self.state.selected:
            rank = 0
        elif actors.hero[index]:
            rank = 1
        else:
            rank = 2
        if np.isfinite(speed):
            beside = f"  {self.theme.units.text(speed, 'm/s', 1)}"
        else:
            beside = ""
        if rank == 1:
            text = say("{actor} hero", actor=actor)
        else:
            text = f"{actor}{beside}"
        wide, high = half[index].tolist()
        return Wish(text, self.state.centre(index), (wide, high), *chip_size(self.theme, text), rank, actor)

    def _lamp_wish(self, lamp: Lamp) -> Wish:
        light, box = lamp
        text = f"{light.actor}  {_seconds(light)}".rstrip()
        half = box.width() / 2 + 6, box.height() / 2 + 6
        return Wish(text, box.center(), half, *chip_size(self.theme, text), 0, light.actor)

    def _lamp_times(self, painter: QPainter, board: Board) -> None:
        """How long each light has been as it is: at its right, or left where something stands there."""
        metrics = QFontMetricsF(self.theme.small)
        for light, box in self.state.lamps:
            text = _seconds(light)
            if light.actor in self.state.selected or not text:
                continue
            width = metrics.horizontalAdvance(text)
            top = box.center().y() - self.theme.px(14) / 2
            for left in (box.right() + 4, box.left() - 4 - width):
                if _draw_where_free(painter, board, QRectF(left, top, width, self.theme.px(14)), text):
                    break

    def _plain_labels(self, painter: QPainter, board: Board, chosen: list[int], half: Pairs) -> None:
        metrics = QFontMetricsF(self.theme.small)
        wishes = []
        words = self.state.coloring.words if self.state.coloring is not None else {}
        for index, (wide, high) in zip(chosen, half[chosen].tolist(), strict=True):
            actor = int(self.state.actors.ids[index])
            text = f"{actor} {words.get(int(self.state.actors.life[index]), '')}".rstrip()
            width = metrics.horizontalAdvance(text)
            wishes.append(Wish(text, self.state.centre(index), (wide, high), width, self.theme.px(14), 3, actor))
        for wish, rect in place_labels(wishes, board):
            painter.drawText(rect.adjusted(-2, 0, 2, 0), Qt.AlignmentFlag.AlignCenter, wish.text)

    def _leader_wishes(self) -> Iterator[Wish]:
        """What stands beside the lines to leaders, or the gap alone, where there is room."""
        metrics = QFontMetricsF(self.theme.small)
        height = self.theme.px(16)
        for line, ends in self.state.leader_ends:
            wish: Wish | None = None
            for text in reversed(line.texts(self.theme.units)):
                width = metrics.horizontalAdvance(text) + 4
                wish = Wish(text, ends.center(), (0.0, 3.0), width, height, 2, line.actor, wish)
            if wish is not None:
                yield wish


def _draw_where_free(painter: QPainter, board: Board, place: QRectF, text: str) -> bool:
    is_free = board.is_free(sides_of(place))
    if is_free:
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        board.take(sides_of(place))
    return is_free


def _seconds(light: TrafficLight) -> str:
    """How long it has been as it is; empty where that is not recorded: a light that does not run has zero."""
    if abs(light.seconds) < 0.05:
        return ""
    if abs(light.seconds) < 1e6:
        return f"{light.seconds:.1f} s"
    return "–"
