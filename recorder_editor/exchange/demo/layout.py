"""Where a town's junctions and roads lie, before anyone drives on them.

A square of blocks: streets that meet at right angles inside, a ring road around them, and a few roads that leave the
map. Everything is turned and shifted a little, so that no road is straight. Knows no lanes and no traffic.
"""

from dataclasses import dataclass, field
from math import ceil, cos, hypot, pi, sin, sqrt
from random import Random

from .geometry import Curve, bend

BLOCK = 92.0
REACH = 13.5  # from the middle of a junction to its stop lines
CROSSING_REACH = 4.5  # the same for a zebra crossing between junctions
ROAD_FOR_EACH = 45.0  # metres of lane for each vehicle
EAST, SOUTH, WEST, NORTH = range(4)
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(slots=True)
class Arm:
    """One road's end at a junction: `angle` points away from the junction, `main` has right of way."""

    angle: float
    road: int
    begins: bool  # the road begins here, it does not end here
    main: bool
    zebra: bool


@dataclass(slots=True)
class Junction:
    """A place where roads meet: `arms` clockwise; only two of them at a zebra crossing between junctions."""

    x: float
    y: float
    turn: float
    reach: float = REACH
    arms: list[Arm] = field(default_factory=list)

    def end(self, angle: float) -> tuple[float, float]:
        """Where the road at that angle begins."""
        return self.x + self.reach * cos(angle), self.y + self.reach * sin(angle)


@dataclass(slots=True)
class Road:
    """A road from stop line to stop line along `middle`; `ring` has bicycle lanes, `leaves` leads off the map."""

    middle: Curve
    ring: bool = False
    leaves: bool = False


@dataclass(slots=True)
class Layout:
    """Junctions and roads; roads name no junctions, junctions' arms name roads."""

    junctions: list[Junction]
    roads: list[Road]


def lay_out(vehicles: int, lights: int, random: Random) -> Layout:
    """A town with road enough for so many vehicles, and junctions for so many traffic lights."""
    lane_in_block = 2 * (BLOCK - 2 * REACH)
    by_road = ceil((1 + sqrt(1 + 2 * vehicles * ROAD_FOR_EACH / lane_in_block)) / 2)
    by_lights = ceil(sqrt(lights / 4)) + 2
    return _Plan(max(3, by_road, by_lights), random).layout()


class _Plan:
    """The square while it is being drawn: `size` junctions along each side, none at the four corners."""

    def __init__(self, size: int, random: Random) -> None:
        self.size = size
        self.random = random
        self.places: dict[tuple[int, int], int] = {}
        self.town = Layout([], [])
        self.long_ways: list[int] = []

    def layout(self) -> Layout:
        """All of it."""
        for row in range(self.size):
            for column in range(self.size):
                if not self._corner(column, row):
                    self._junction(column, row)
        for column, row in self.places:
            for direction in (EAST, SOUTH):
                self._road_towards(column, row, direction)
        self._corner_roads()
        self._ways_out()
        self._zebra_crossings()
        for junction in self.town.junctions:
            junction.arms.sort(key=lambda arm: arm.angle)
            if any(self.town.roads[arm.road].ring for arm in junction.arms):
                for arm in junction.arms:
                    arm.main = self.town.roads[arm.road].ring
        return self.town

    def _corner(self, column: int, row: int) -> bool:
        edge = (0, self.size - 1)
        return column in edge and row in edge

    def _edge(self, column: int, row: int) -> bool:
        edge = (0, self.size - 1)
        return column in edge or row in edge

    def _vary(self, most: float) -> float:
        return (2 * self.random.random() - 1) * most

    def _junction(self, column: int, row: int) -> None:
        middle = (self.size - 1) / 2
        x, y = (column - middle) * BLOCK, (row - middle) * BLOCK
        outward = 1.0 + self.random.random() * 6.0 if self._edge(column, row) else 0.0
        far = max(abs(x), abs(y), 1.0)
        x, y = x + outward * x / far + self._vary(9.0), y + outward * y / far + self._vary(9.0)
        self.places[column, row] = len(self.town.junctions)
        self.town.junctions.append(Junction(x, y, self._vary(0.16)))

    def _road_towards(self, column: int, row: int, direction: int) -> None:
        step = STEPS[direction]
        other = (column + step[0], row + step[1])
        if other not in self.places:
            return
        along_edge = (row in (0, self.size - 1)) if direction == EAST else (column in (0, self.size - 1))
        back = (direction + 2) % 4
        self._connect(self.places[column, row], direction, self.places[other], back, ring=along_edge, pull=0.4)

    def _connect(self, start: int, leaving: int, end: int, arriving: int, *, ring: bool, pull: float) -> None:
        first, second = self.town.junctions[start], self.town.junctions[end]
        out, into = first.turn + leaving * pi / 2, second.turn + arriving * pi / 2
        middle = bend(first.end(out), out, second.end(into), into + pi, pull)
        number = len(self.town.roads)
        self.town.roads.append(Road(middle, ring))
        main = ring or leaving in (EAST, WEST)
        first.arms.append(Arm(out, number, begins=True, main=main, zebra=not ring))
        second.arms.append(Arm(into, number, begins=False, main=main, zebra=not ring))

    def _corner_roads(self) -> None:
        last = self.size - 1
        corners = (
            ((last - 1, 0), EAST, (last, 1), NORTH), ((last, last - 1), SOUTH, (last - 1, last), EAST),
            ((1, last), WEST, (0, last - 1), SOUTH), ((0, 1), NORTH, (1, 0), WEST),
        )  # fmt: skip
        for start, leaving, end, arriving in corners:
            self.long_ways.append(len(self.town.roads))
            pull = 0.44 + self.random.random() * 0.12
            self._connect(self.places[start], leaving, self.places[end], arriving, ring=True, pull=pull)

    def _ways_out(self) -> None:
        """Roads off the map, at every second to third place along the edge, but not at all of them."""
        last = self.size - 1
        rim = [
            ((column, row), direction)
            for column, row in self.places
            for direction in range(4)
            if self._edge(column, row)
            and not (0 <= column + STEPS[direction][0] <= last and 0 <= row + STEPS[direction][1] <= last)
        ]
        self.random.shuffle(rim)
        for place, direction in rim[: max(3, len(rim) * 2 // 5)]:
            self._way_out(self.town.junctions[self.places[place]], direction)

    def _way_out(self, junction: Junction, direction: int) -> None:
        angle = junction.turn + direction * pi / 2
        start, length = junction.end(angle), 62.0 + self.random.random() * 16.0
        swing = self._vary(0.3)
        end = (start[0] + length * cos(angle + swing), start[1] + length * sin(angle + swing))
        middle = bend(start, angle, end, angle + 2 * swing, 0.35)
        junction.arms.append(Arm(angle, len(self.town.roads), begins=True, main=False, zebra=False))
        self.town.roads.append(Road(middle, leaves=True))

    def _zebra_crossings(self) -> None:
        """A zebra crossing in the middle of two of the four corner roads: the road becomes two roads."""
        for number in (self.long_ways[0], self.long_ways[2]):
            road = self.town.roads[number]
            half = road.middle.length * (0.46 + 0.08 * self.random.random())
            x, y, heading = road.middle.at(half)
            crossing = Junction(x, y, heading, CROSSING_REACH)
            rest = len(self.town.roads)
            crossing.arms.append(Arm(heading + pi, number, begins=False, main=True, zebra=True))
            crossing.arms.append(Arm(heading, rest, begins=True, main=True, zebra=False))
            far_end = next(
                arm for junction in self.town.junctions for arm in junction.arms
                if arm.road == number and not arm.begins
            )  # fmt: skip
            far_end.road = rest
            whole = road.middle
            road.middle = whole.part(0.0, half - CROSSING_REACH)
            self.town.roads.append(Road(whole.part(half + CROSSING_REACH, whole.length), ring=True))
            self.town.junctions.append(crossing)


def middle_first(layout: Layout) -> list[int]:
    """The junctions from the middle of the town outwards."""
    return sorted(range(len(layout.junctions)), key=lambda i: (hypot(layout.junctions[i].x, layout.junctions[i].y), i))
