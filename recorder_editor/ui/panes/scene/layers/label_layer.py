"""All labels of the scene: marked actors, how long a light has been as it is, plain ids, the gap to a leader.

The important ones choose their place first, and none lies on what another layer says it occupies.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from .....texts import say
from .....views.frame_actors import Kind, Mask, Pairs, TrafficLight
from ..label_layout import CROWDED, NOTE, Board, Sides, Wish, place_labels, sides_of
from ..shapes import LAMPS_WHOLE_FROM, chip_wish, draw_chip
from ..state import Lamp
from .layer import Layer


class Labels(Layer):
    """Places the labels anew for each state.

    Attributes:
        selected_boxes: The room of the selected actors, rings included, and of their labels as they were drawn, px.
    """

    selected_boxes: tuple[QRectF, ...] = ()

    def draw(self, painter: QPainter) -> None:
        self.selected_boxes = ()
        whole = self.state
        board = Board(whole.camera.pane)
        for half in whole.halves[1:]:
            self.set_state(half)
            halves = self._halves()
            board.take(*self._sides(self._in_pane(halves) & half.actors.road_users, halves))
        for half in whole.halves:
            self.set_state(half)
            self._draw_labels(painter, board)
        self.set_state(whole)

    def _draw_labels(self, painter: QPainter, board: Board) -> None:
        """Draw the labels of a recording; those that layers want to be placed with those of the open one."""
        state = self.state
        actors = state.actors
        half = self._halves()
        seen = self._in_pane(half)
        users = seen & actors.road_users
        marked = self._marked() & seen
        self._note_selected(half)
        notes: list[Wish] = []
        if not state.is_there:
            for layer in self.peers:
                notes.extend(layer.notes())
        lamps = [lamp for lamp in self._lamps() if lamp[0].actor in state.selected]
        shows_ids = bool(state.labelled.any()) and int(users.sum()) <= CROWDED
        shows_times = state.camera.scale >= LAMPS_WHOLE_FROM and bool(self._lamps())
        shows_quiet = shows_ids or shows_times or bool(state.leader_ends)
        if not (shows_quiet or lamps or notes or marked.any()):
            return
        board.take(*self._sides(users | marked, half))
        self._take_layers(board, is_faint=False)
        for index in np.flatnonzero(marked).tolist():
            notes.append(self._wish(index, half))
        for lamp in lamps:
            notes.append(self._lamp_wish(lamp))
        # Chips are placed before the seconds of the lamps, and those before the plain numbers; only a chip has a ground
        # of its own, and may lie on a trail.
        palette = self.palette
        edges = (palette.edge, palette.selection, palette.hero, palette.error)
        for wish, rect in place_labels(notes, board):
            draw_chip(painter, self.theme, rect, wish.text, wish.edge or edges[wish.rank - NOTE])
            if wish.actor in state.selected:
                self.selected_boxes += (rect,)
        if not shows_quiet:
            return
        self._take_layers(board, is_faint=True)
        painter.setFont(self.theme.small)
        painter.setPen(palette.muted)
        if shows_times:
            self._lamp_times(painter, board)
        if shows_ids:
            self._plain_labels(painter, board, np.flatnonzero(users & state.labelled & ~marked).tolist(), half)
        painter.setPen(palette.text)
        for wish, rect in place_labels(self._leader_wishes(), board):
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, wish.text)

    def _marked(self) -> Mask:
        """Return which actors get a chip where they are in view: selected ones, those in a collision, and heroes."""
        state = self.state
        marked = np.zeros(len(state.actors), np.bool_)
        marked[state.entries(state.selected)] = True
        marked[state.entries(state.colliding)] = True
        marked |= state.actors.hero
        if state.compared is not None and state.compared.text:
            marked &= ~np.isin(state.actors.ids, state.compared.ids)  # it has a chip of its own
        return marked

    def _lamps(self) -> list[Lamp]:
        """Return the traffic lights at the side of the recording."""
        return [lamp for lamp in self.state.lamps if self.state.is_at_side(lamp[1].center().x())]

    def _note_selected(self, half: Pairs) -> None:
        """Keep the room of the selected actors in the view."""
        for index in self.state.entries(self.state.selected):
            centre = self.state.centre(index)
            width, height = half[index].tolist()
            box = QRectF(centre.x() - width, centre.y() - height, 2 * width, 2 * height)
            self.selected_boxes += (box,)

    # --- what is taken ----------------------------------------------------------------------------------

    def _take_layers(self, board: Board, *, is_faint: bool) -> None:
        for layer in self.peers:
            if layer.is_faint == is_faint and layer.isVisible():
                board.take(*layer.occupied())

    def _in_pane(self, half: Pairs) -> Mask:
        """Return which actors have their shape inside the view; only these get labels."""
        camera = self.state.camera
        actors = self.state.actors
        x, y = camera.points(actors.x, actors.y)
        inside_x = (x + half[:, 0] > 0) & (x - half[:, 0] < camera.width)
        inside_y = (y + half[:, 1] > 0) & (y - half[:, 1] < camera.height)
        inside: Mask = self.state.seen & inside_x & inside_y
        if self.state.sides is not None:
            left, right = self.state.sides
            inside &= (x >= left) & (x <= right)
        return inside

    def _halves(self) -> Pairs:
        """Return half width and height of what actors take on the screen, rings included; shape (n, 2), px."""
        state = self.state
        actors = self.state.actors
        yaw = actors.yaw + state.camera.angle
        cos = np.abs(np.cos(yaw))
        sin = np.abs(np.sin(yaw))
        along, across = (actors.half * state.camera.scale).T
        walks = actors.kind == Kind.WALKER
        wide = np.where(walks, state.radii + state.radii * 0.9 * cos, along * cos + across * sin)
        high = np.where(walks, state.radii + state.radii * 0.9 * sin, along * sin + across * cos)
        ringed = np.where(actors.hero, state.radii + 11, 0.0)
        for index in state.entries(state.selected):
            if actors.hero[index]:
                ringed[index] = state.radii[index] + 16
            else:
                ringed[index] = state.radii[index] + 7
        half: Pairs = np.maximum(np.stack([wide, high], axis=1), np.maximum(ringed, 3.0)[:, None])
        return half

    def _sides(self, chosen: Mask, half: Pairs) -> Iterable[Sides]:
        """Return the rectangles of actors, with these halves."""
        actors = self.state.actors
        half = half[chosen]
        x, y = self.state.camera.points(actors.x[chosen], actors.y[chosen])
        left = (x - half[:, 0]).tolist()
        top = (y - half[:, 1]).tolist()
        right = (x + half[:, 0]).tolist()
        bottom = (y + half[:, 1]).tolist()
        return zip(left, top, right, bottom, strict=True)

    # --- the labels -------------------------------------------------------------------------------------

    def _wish(self, index: int, half: Pairs) -> Wish:
        """Return the label of an actor that is selected, a hero, or in a collision."""
        actors = self.state.actors
        actor = int(actors.ids[index])
        speed = float(actors.speed[index])
        text = str(actor)
        if np.isfinite(speed):
            text = f"{actor}  {self.theme.units.text(speed, 'm/s', 1)}"
        if actor in self.state.selected:
            rank = 0
        elif actors.hero[index]:
            rank = 1
            text = say("{actor} hero", actor=actor)
        else:
            rank = 2
        width, height = half[index].tolist()
        return chip_wish(self.theme, text, self.state.centre(index), (width, height), rank=rank, actor=actor)

    def _lamp_wish(self, lamp: Lamp) -> Wish:
        light, box = lamp
        text = f"{light.actor}  {_seconds(light)}".rstrip()
        half = (box.width() / 2 + 6, box.height() / 2 + 6)
        return chip_wish(self.theme, text, box.center(), half, rank=0, actor=light.actor)

    def _lamp_times(self, painter: QPainter, board: Board) -> None:
        """Draw how long each light has been as it is: at its right, or left where something stands there."""
        metrics = QFontMetricsF(self.theme.small)
        for light, box in self._lamps():
            text = _seconds(light)
            if light.actor in self.state.selected or not text:
                continue
            width = metrics.horizontalAdvance(text)
            top = box.center().y() - self.theme.px(14) / 2
            for left in (box.right() + 4, box.left() - 4 - width):
                if _draw_where_free(painter, board, QRectF(left, top, width, self.theme.px(14)), text):
                    break

    def _plain_labels(self, painter: QPainter, board: Board, chosen: list[int], half: Pairs) -> None:
        """Draw the ids of actors (by index), with their role where actors are filled by it."""
        state = self.state
        metrics = QFontMetricsF(self.theme.small)
        roles: Mapping[int, str] = {}
        if state.coloring is not None:
            roles = state.coloring.roles
        wishes = []
        for index, (half_width, half_height) in zip(chosen, half[chosen].tolist(), strict=True):
            actor = int(state.actors.ids[index])
            role = roles.get(int(state.actors.life[index]), "")
            text = f"{actor} {role}".rstrip()
            wish = Wish(
                text=text,
                centre=state.centre(index),
                half=(half_width, half_height),
                width=metrics.horizontalAdvance(text),
                height=self.theme.px(14),
                rank=3,
                actor=actor,
            )
            wishes.append(wish)
        for wish, rect in place_labels(wishes, board):
            painter.drawText(rect.adjusted(-2, 0, 2, 0), Qt.AlignmentFlag.AlignCenter, wish.text)

    def _leader_wishes(self) -> Iterator[Wish]:
        """Yield what stands beside the lines to leaders: the whole text, or the gap alone where there is less room."""
        metrics = QFontMetricsF(self.theme.small)
        for line, ends in self.state.leader_ends:
            whole, gap = line.texts(self.theme.units)
            shorter = Wish(
                text=gap,
                centre=ends.center(),
                half=(0.0, 3.0),
                width=metrics.horizontalAdvance(gap) + 4,
                height=self.theme.px(16),
                rank=2,
                actor=line.actor,
            )
            yield shorter._replace(text=whole, width=metrics.horizontalAdvance(whole) + 4, shorter=shorter)


def _draw_where_free(painter: QPainter, board: Board, place: QRectF, text: str) -> bool:
    """Draw a text if nothing stands there; return whether it was drawn."""
    is_free = board.is_free(sides_of(place))
    if is_free:
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        board.take(sides_of(place))
    return is_free


def _seconds(light: TrafficLight) -> str:
    """Return how long a light has been as it is; empty where that is not recorded: one that does not run has zero."""
    if abs(light.seconds) < 0.05:
        return ""
    if abs(light.seconds) < 1e6:
        return f"{light.seconds:.1f} s"
    return "–"
