"""The path that is drawn for a new actor: places one after another, and the ways along lanes between them.

Knows no view.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ...roads import find_route
from ...texts import say
from .roads import Roads
from .state import SessionState

if TYPE_CHECKING:
    from ...edits.new_actors.add_actor import NewActor

Point = tuple[float, float]


class PathDrawing(QObject):
    """Attributes: `is_on` (clicks in the scene add places), `on_lanes` (ways to them lead along lanes, where there is a
    map), `legs` (the points up to each place, m), `aim` (where keys put the next place; None: they did not move it),
    `actor` (what comes of it; None: not known). Signals: `changed`, `turned(bool)` (the keyboard should follow).
    """

    changed = Signal()
    turned = Signal(bool)

    def __init__(self, state: SessionState, roads: Roads) -> None:
        super().__init__(state)
        self._state = state
        self._roads = roads
        self.stop()

    def stop(self) -> None:
        """Draw no more, and forget what was drawn."""
        self.is_on = False
        self.on_lanes = True
        self.legs: list[list[Point]] = []
        self.aim: Point | None = None
        self.preview(None)

    def preview(self, actor: "NewActor | None") -> None:
        """Show what comes of it."""
        self.actor = actor
        self.changed.emit()

    def turn(self, *, on: bool) -> None:
        """Draw on, or end that and keep what was drawn."""
        self.is_on = on
        self.move_aim(None)
        self.turned.emit(on)

    def move_aim(self, place: Point | None) -> None:
        """Have the next place somewhere, by keys."""
        self.aim = place
        self.changed.emit()

    @property
    def points(self) -> list[Point]:
        """All points, m."""
        return [point for leg in self.legs for point in leg]

    def add(self, place: Point, *, straight: bool = False) -> None:
        """Lead the path on to a place; refused where it is to follow lanes, and none lead there."""
        roads = self._roads.map if self.on_lanes and not straight else None
        last = self.points[-1:]
        route = None
        if roads is not None:
            route = find_route(roads, (*last, place)[0], place)
        if route is None and last and roads is not None:
            words = say("No lanes lead from the last place to this one. With Shift the path leads there straight.")
            self._state.refused.emit(words)
            return
        self.legs.append([place] if route is None else [(x, y) for x, y, _ in route[len(last) :].round(2).tolist()])
        self.move_aim(None)

    def take_back(self) -> None:
        """Forget the last place."""
        del self.legs[-1:]
        self.move_aim(None)
