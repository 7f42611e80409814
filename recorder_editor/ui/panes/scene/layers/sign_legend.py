"""What the signs of the scene mean: those in view, in the corner where the fewest road users are."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from .....texts import N_, say
from .....views.frame_actors import Kind
from ....style.colors import with_alpha
from ....style.look import Look
from ....style.painting import draw_text, set_colors
from ....widgets.toast import NARROW
from ..label_layout import Sides, sides_of
from ..shapes import EDGE, draw_symbol_at
from ..state import SceneState
from .actor_layer import draw_lamp
from .layer import Layer
from .overlays import Overlays
from .recorded_paths import RecordedPaths

_WIDTH = 226.0
_ROW = 18.0
_SIGN = 46.0  # px at the left of the words
_AROUND = 6.0  # px above the first row and below the last one
_BESIDE = 10.0  # px behind the longest text
_APART = 8.0  # px from other instruments
_STAYS = 2
"""How many road users more there are in its corner than in another one before it moves there."""


class _Sign(NamedTuple):
    """A sign of the scene.

    Attributes:
        text: What it means (English).
        is_seen: Whether it is in view.
        draw: Draws it in a rectangle.
    """

    text: str
    is_seen: Callable[[SceneState], bool]
    draw: Callable[[QPainter, Look, QRectF], None]


# --- what is in view ------------------------------------------------------------------------------------


def _sees(kind: Kind) -> Callable[[SceneState], bool]:
    """Return what says whether an actor of a kind is in view."""

    def is_seen(state: SceneState) -> bool:
        return bool((state.seen & (state.actors.kind == kind)).any())

    return is_seen


def _sees_fixture(kind: Kind) -> Callable[[SceneState], bool]:
    """Return what says whether an actor of a kind is in view, also one that no packet of the frame tells of."""

    def is_seen(state: SceneState) -> bool:
        fixtures = state.contents.fixtures
        seen = state.sees(fixtures["x"], fixtures["y"]) & (fixtures["kind"] == kind)
        return bool(seen.any()) or _sees(kind)(state)

    return is_seen


def _sees_in_colour(kind: Kind, *, own: bool) -> Callable[[SceneState], bool]:
    """Return what says whether an actor of a kind is in view, and filled with its own colour or not."""

    def is_seen(state: SceneState) -> bool:
        is_own = state.coloring is not None and state.coloring.is_own
        return is_own is own and _sees(kind)(state)

    return is_seen


def _sees_hero(state: SceneState) -> bool:
    return bool((state.seen & state.actors.hero).any())


def _sees_selected(state: SceneState) -> bool:
    return bool(state.entries(state.selected))


def _sees_collision(state: SceneState) -> bool:
    return bool(state.entries(state.colliding))


def _sees_light(state: SceneState) -> bool:
    return bool(state.lamps)


def _sees_trail(state: SceneState) -> bool:
    return bool(state.trails)


def _sees_leader(state: SceneState) -> bool:
    return bool(state.leader_ends)


# --- how it is drawn ------------------------------------------------------------------------------------


def _box(painter: QPainter, theme: Look, place: QRectF, fill: QColor, edge: QColor, wedge: QColor) -> None:
    """Draw a box with a wedge that fills a rectangle."""
    set_colors(painter, fill, QPen(edge, 1))
    painter.drawRect(place)
    set_colors(painter, wedge)
    middle = place.center().y()
    tip = place.right() - 0.09 * place.width()
    base = place.right() - 0.38 * place.width()
    half = 0.34 * place.height()
    painter.drawConvexPolygon([QPointF(tip, middle), QPointF(base, middle - half), QPointF(base, middle + half)])


def _middle(room: QRectF, width: float, height: float) -> QRectF:
    """Return a rectangle of a size in the middle of another one."""
    centre = room.center()
    return QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)


def _own_car(painter: QPainter, theme: Look, room: QRectF) -> None:
    palette = theme.palette
    fill = palette.error
    _box(painter, theme, _middle(room, 18, 8), fill, palette.text, palette.wedge_on_own(fill))


def _own_two_wheeler(painter: QPainter, theme: Look, room: QRectF) -> None:
    palette = theme.palette
    fill = palette.error
    _box(painter, theme, _middle(room, 14, 5), fill, palette.text, palette.wedge_on_own(fill))


def _car(painter: QPainter, theme: Look, room: QRectF) -> None:
    palette = theme.palette
    fill = palette.vehicle
    _box(painter, theme, _middle(room, 18, 8), fill, palette.edge_of(fill), palette.wedge_on(fill))


def _two_wheeler(painter: QPainter, theme: Look, room: QRectF) -> None:
    palette = theme.palette
    fill = palette.two_wheeler
    _box(painter, theme, _middle(room, 14, 5), fill, palette.edge_of(fill), palette.wedge_on(fill))


def _walker(painter: QPainter, theme: Look, room: QRectF) -> None:
    color = theme.palette.walker
    centre = room.center()
    edge = theme.palette.edge_of(color)
    set_colors(painter, edge, QPen(edge, 1))
    ahead = centre + QPointF(6.5, 0)
    painter.drawConvexPolygon([ahead, centre + QPointF(2.8, 2.3), centre + QPointF(2.8, -2.3)])
    painter.setBrush(color)
    painter.drawEllipse(centre, 3.5, 3.5)


def _hero(painter: QPainter, theme: Look, room: QRectF) -> None:
    set_colors(painter, None, QPen(theme.palette.hero, 1.6))
    for radius in (4.5, 7.0):
        painter.drawEllipse(room.center(), radius, radius)


def _selected(painter: QPainter, theme: Look, room: QRectF) -> None:
    set_colors(painter, None, QPen(theme.palette.selection, 2.2))
    painter.drawEllipse(room.center(), 6.5, 6.5)


def _collision(painter: QPainter, theme: Look, room: QRectF) -> None:
    painter.setPen(QPen(theme.palette.error, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    rays = []
    for number in range(8):
        ray = QLineF.fromPolar(7.0, number * 45 + 22)
        ray.translate(room.center())
        rays.append(QLineF(ray.pointAt(0.55), ray.p2()))
    painter.drawLines(rays)


def _way(painter: QPainter, room: QRectF, width: float, *, edge: QColor, fill: QColor) -> QRectF:
    """Draw a short way with round ends, and return it."""
    way = _middle(room, 28, width)
    set_colors(painter, fill, QPen(edge, 1))
    painter.drawRoundedRect(way, width / 2, width / 2)
    return way


def _walkway(painter: QPainter, theme: Look, room: QRectF) -> None:
    palette = theme.palette
    way = _way(painter, room, 10, edge=palette.walkway_edge, fill=palette.walkway)
    middle = way.center().y()
    dotted = QPen(with_alpha(palette.walker, 0.7), 1.2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    dotted.setDashPattern([1.0, 3.0])
    painter.setPen(dotted)
    painter.drawLine(QLineF(way.left() + 4, middle, way.right() - 4, middle))


def _street(painter: QPainter, theme: Look, room: QRectF) -> None:
    palette = theme.palette
    _way(painter, room, 13, edge=palette.kerb, fill=palette.road)
    centre = room.center()
    painter.setPen(QPen(palette.street_chevron, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for side in (-3.4, 3.4):
        painter.drawLine(QLineF(centre + QPointF(2, 0), centre + QPointF(-2, side)))


def _trail(painter: QPainter, theme: Look, room: QRectF) -> None:
    for number in range(14):
        painter.fillRect(
            QRectF(room.center().x() - 14 + 2 * number, room.center().y() - 2, 2.5, 4),
            theme.palette.speed_color(number / 13),
        )


def _light(painter: QPainter, theme: Look, room: QRectF) -> None:
    draw_lamp(painter, theme.palette, 0, _middle(room, 6.4, 16))


def _leader(painter: QPainter, theme: Look, room: QRectF) -> None:
    painter.setPen(QPen(theme.palette.selection, 1.8, Qt.PenStyle.DashLine))
    middle = room.center().y()
    painter.drawLine(QLineF(room.center().x() - 14, middle, room.center().x() + 14, middle))


def _symbol(kind: Kind) -> Callable[[QPainter, Look, QRectF], None]:
    def draw(painter: QPainter, theme: Look, room: QRectF) -> None:
        draw_symbol_at(painter, theme, kind, [(room.center().x(), room.center().y())], half=4.0)

    return draw


_SIGNS = (
    _Sign(N_("car, in its own colour"), _sees_in_colour(Kind.VEHICLE, own=True), _own_car),
    _Sign(N_("car"), _sees_in_colour(Kind.VEHICLE, own=False), _car),
    _Sign(N_("hero"), _sees_hero, _hero),
    _Sign(N_("selected"), _sees_selected, _selected),
    _Sign(N_("two-wheeler, in its own colour"), _sees_in_colour(Kind.TWO_WHEELER, own=True), _own_two_wheeler),
    _Sign(N_("two-wheeler"), _sees_in_colour(Kind.TWO_WHEELER, own=False), _two_wheeler),
    _Sign(N_("walker"), _sees(Kind.WALKER), _walker),
    _Sign(N_("path of the selected, by speed"), _sees_trail, _trail),
    _Sign(N_("gap to the leader"), _sees_leader, _leader),
    _Sign(N_("collision"), _sees_collision, _collision),
    _Sign(N_("traffic light, state by place"), _sees_light, _light),
    _Sign(N_("prop"), _sees_fixture(Kind.PROP), _symbol(Kind.PROP)),
    _Sign(N_("traffic sign"), _sees_fixture(Kind.SIGN), _symbol(Kind.SIGN)),
    _Sign(N_("sensor"), _sees(Kind.SENSOR), _symbol(Kind.SENSOR)),
    _Sign(N_("spectator"), _sees(Kind.SPECTATOR), _symbol(Kind.SPECTATOR)),
)
"""From the top of the legend; those of the ground come last."""


def _sees_walked(state: SceneState) -> bool:
    return _sees_street(state, is_walked=True)


def _sees_driven(state: SceneState) -> bool:
    return _sees_street(state, is_walked=False)


def _sees_street(state: SceneState, *, is_walked: bool) -> bool:
    near = state.streets.near(*sides_of(state.camera.view))
    return any(state.streets.pieces[index].is_walked is is_walked for index in near)


_STREETS = (
    _Sign(N_("way of walkers"), _sees_walked, _walkway),
    _Sign(N_("street as driven, arrow: direction"), _sees_driven, _street),
)


class SignLegend(Layer):
    """The legend of the signs in view, while it is on."""

    _signs: tuple[_Sign, ...] = ()
    _box: QRectF | None = None
    _corner = 0

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        self._signs = ()
        self._box = None
        is_narrow = state.camera.width < self.theme.px(NARROW)
        if not state.signs or state.contents.frame is None or is_narrow:
            return
        shown = list(_SIGNS)
        if any(isinstance(layer, RecordedPaths) and layer.isVisible() for layer in self.peers):
            shown.extend(_STREETS)
        self._signs = tuple(sign for sign in shown if sign.is_seen(state))
        if self._signs:
            self._box = self._placed()

    def occupied(self) -> Iterable[Sides]:
        if self._box is not None:
            yield sides_of(self._box)

    def draw(self, painter: QPainter) -> None:
        if self._box is None:
            return
        theme = self.theme
        box = QRectF(round(self._box.x()) + 0.5, round(self._box.y()) + 0.5, self._box.width(), self._box.height())
        set_colors(painter, self.palette.field, QPen(self.palette.edge, 1))
        painter.drawRoundedRect(box, 3, 3)
        row = theme.px(_ROW)
        for number, sign in enumerate(self._signs):
            top = box.top() + _AROUND + row * number
            sign.draw(painter, theme, QRectF(box.left(), top, _SIGN, row))
            words = QRectF(box.left() + _SIGN, top, box.width() - _SIGN, row)
            draw_text(painter, words, say(sign.text), theme.small, self.palette.text, Qt.AlignmentFlag.AlignVCenter)

    def _placed(self) -> QRectF | None:
        """Return the room of the legend; None where there is none."""
        metrics = QFontMetricsF(self.theme.small)
        widest = max(metrics.horizontalAdvance(say(sign.text)) for sign in self._signs)
        width = max(float(self.theme.px(_WIDTH)), _SIGN + widest + _BESIDE)
        height = 2 * _AROUND + self.theme.px(_ROW) * len(self._signs)
        places = self._places(width, height)
        crowds = {}
        for corner, place in places.items():
            crowds[corner] = self._road_users_in(place)
        if not crowds:
            return None
        best = min(crowds, key=crowds.__getitem__)
        if self._corner not in crowds or crowds[self._corner] > crowds[best] + _STAYS:
            self._corner = best
        return places[self._corner]

    def _places(self, width: float, height: float) -> dict[int, QRectF]:
        """Return where the legend has room, by number: the corners, then the middle of the left and of the right."""
        pane = self.state.camera.pane
        left = EDGE
        right = pane.width() - EDGE - width
        top = EDGE
        middle = (pane.height() - height) / 2
        bottom = pane.height() - EDGE - height
        wanted = [(left, top, 1), (right, top, 1), (left, bottom, -1), (right, bottom, -1)]
        wanted += [(left, middle, 1), (right, middle, 1)]
        taken = self._instruments()
        places = {}
        for number, (x, y, way) in enumerate(wanted):
            place = _beside(QRectF(x, y, width, height), taken, way)
            if pane.contains(place):
                places[number] = place
        return places

    def _instruments(self) -> list[QRectF]:
        """Return where other instruments are, px."""
        taken: list[QRectF] = []
        for layer in self.peers:
            if isinstance(layer, Overlays):
                taken.extend(QRectF(QPointF(x, y), QPointF(far_x, far_y)) for x, y, far_x, far_y in layer.occupied())
        return taken

    def _road_users_in(self, place: QRectF) -> int:
        state = self.state
        x, y = state.camera.points(state.actors.x, state.actors.y)
        is_in = (x > place.left()) & (x < place.right()) & (y > place.top()) & (y < place.bottom())
        return int(np.count_nonzero(is_in & state.actors.road_users))


def _beside(place: QRectF, taken: list[QRectF], way: int) -> QRectF:
    """Return a place moved down (`way` 1) or up (-1) until it is over nothing that is taken."""
    for rect in sorted(taken, key=lambda rect: way * rect.center().y()):
        if place.intersects(rect):
            if way > 0:
                place.moveTop(rect.bottom() + _APART)
            else:
                place.moveBottom(rect.top() - _APART)
    return place
