"""The path that is drawn for a new actor: places one after another, and the routes along lanes between them.

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
    """The path of a new actor while it is drawn.

    Attributes:
        is_on: Clicks in the scene add places.
        on_lanes: Routes to places follow lanes, where there is a road map.
        legs: For each place the points that lead to it, m.
        aim: Where keys have moved the next place, m; None: they have not moved it.
        actor: The actor that drives the path; None: not known.

    Signals:
        changed(): Any of them is another.
        switched(bool): Drawing was switched on or off; the keyboard follows.
    """

    changed = Signal()
    switched = Signal(bool)

    def __init__(self, state: SessionState, roads: Roads) -> None:
        super().__init__(state)
        self._state = state
        self._roads = roads
        self.stop()

    def stop(self) -> None:
        """End drawing, and forget what was drawn."""
        self.is_on = False
        self.on_lanes = True
        self.legs: list[list[Point]] = []
        self.aim: Point | None = None
        self.preview(None)

    def preview(self, actor: "NewActor | None") -> None:
        """Show the actor that drives the path; None: it is not known."""
        self.actor = actor
        self.changed.emit()

    def begin(self) -> None:
        """Begin to draw; the keyboard stays where it is."""
        self.is_on = True
        self.changed.emit()

    def set_on(self, *, on: bool) -> None:
        """Switch drawing on or off; what was drawn stays."""
        self.is_on = on
        self.move_aim(None)
        self.switched.emit(on)

    def move_aim(self, place: Point | None) -> None:
        """Set where keys have moved the next place, m; None: nowhere yet."""
        self.aim = place
        self.changed.emit()

    @property
    def points(self) -> list[Point]:
        """All points, m."""
        points = []
        for leg in self.legs:
            points.extend(leg)
        return points

    def add(self, place: Point, *, straight: bool = False) -> None:
        """Extend the path to a place; refused where it is to follow lanes and no route leads there.

        Args:
            place: The place, m.
            straight: Go there without following lanes.
        """
        points = self.points
        roads = None
        if self.on_lanes and not straight:
            roads = self._roads.map
        leg = [place]
        if roads is not None:
            start = points[-1] if points else place
            route = find_route(roads, start, place)
            if route is None and points:
                self._state.refused.emit(
                    say("No lanes lead from the last place to this one. With Shift the path leads there straight.")
                )
                return
            if route is not None:
                if points:
                    route = route[1:]  # the last place has its point
                leg = [(x, y) for x, y, _ in route.round(2).tolist()]
        self.legs.append(leg)
        self.move_aim(None)

    def take_back(self) -> None:
        """Remove the last place."""
        del self.legs[-1:]
        self.move_aim(None)
