"""The road network: a grid of avenues and streets, the rails along them, traffic lights and the terrain.

Avenues (axis 0) have bicycle lanes and no turns; from streets (axis 1) vehicles may turn right onto an avenue. Both
have pavements. The grid is straight (metres, x forward, y to the right, angles clockwise from above); `bend` maps it
to the world.
"""

from math import ceil, pi, sqrt
from random import Random
from typing import NamedTuple, TypeVar

import numpy as np

from ..arrays import FloatArray, IntArray

# Metres from the middle of a road.
LANE = 1.75
BICYCLE_LANE = 4.25
BAY = 4.9
PAVEMENT = 7.5
BESIDE = 9.4
CAR, BICYCLE, FOOT = range(3)  # kinds of rails
# Kinds and metres from the middle of a road of the rails in one direction.
STREET = ((CAR, LANE), (FOOT, PAVEMENT + 0.4), (FOOT, 0.4 - PAVEMENT))
AVENUE = ((CAR, LANE), (BICYCLE, BICYCLE_LANE), (FOOT, PAVEMENT + 0.4), (FOOT, 0.4 - PAVEMENT))
STOP = 10.0  # metres from the middle of a junction to where vehicles wait
STOP_FOOT = 9.0  # the same of walkers
RADIUS = STOP - LANE  # of right turns
CORNER = RADIUS * pi / 2
APPROACH = 165.0  # metres outside the junctions, west of the town
OUTSKIRTS = 85.0  # metres outside the junctions elsewhere
GREEN = 9.0
YELLOW = 3.0
ALL_RED = 2.0
WALK = 14.0
PHASE = GREEN + YELLOW + ALL_RED
CYCLE = 2 * PHASE + WALK
RED_LAMP, YELLOW_LAMP, GREEN_LAMP = range(3)
BEND = 11.0  # metres
WAVE = 65.0  # metres
HILL = 1.3
HILL_X = 95.0
HILL_Y = 80.0

Numbers = TypeVar("Numbers", float, FloatArray)
"""One number, or an array of numbers."""


class Grid(NamedTuple):
    """The roads of a town before they are bent.

    Attributes:
        xs: The x of the middle of each street.
        ys: The y of the middle of each avenue.
        junctions: Numbers of the junctions, of shape (streets, avenues).
    """

    xs: FloatArray
    ys: FloatArray
    junctions: IntArray

    @property
    def west(self) -> float:
        """Where avenues begin."""
        return float(self.xs[0] - APPROACH)

    @property
    def east(self) -> float:
        """Where avenues end."""
        return float(self.xs[-1] + OUTSKIRTS)

    @property
    def north(self) -> float:
        """Where streets begin."""
        return float(self.ys[0] - OUTSKIRTS)

    @property
    def south(self) -> float:
        """Where streets end."""
        return float(self.ys[-1] + OUTSKIRTS)


class Rail(NamedTuple):
    """A line that road users of one kind move along.

    Attributes:
        x: Where it begins.
        y: Where it begins.
        heading: Its direction.
        length: Its length.
        kind: `CAR`, `BICYCLE` or `FOOT`.
        axis: 0 along an avenue, 1 along a street.
        sign: 1 towards higher coordinates, -1 towards lower ones.
        middles: Distances along it to the middles of its junctions, in driving order.
        junctions: Numbers of its junctions, in driving order.
    """

    x: float
    y: float
    heading: float
    length: float
    kind: int
    axis: int
    sign: int
    middles: FloatArray
    junctions: IntArray


class Town:
    """Columns by rail, and by rail and crossing: a crossing is the index of a junction along a rail.

    Attributes:
        start: Where rails begin, of shape (2, rails).
        heading: Their directions.
        length: Their lengths.
        kind: Their kinds.
        group: Rails of one group may be on a junction together: 0 along the avenue, 1 driving along the street,
            2 walking along it.
        begins: Where junctions begin along the rail, of shape (rails, size + 1); infinite after the last.
        ends: Where they end, likewise.
        junction: Their numbers, likewise.
        corner: The rail, and the crossing on it, that a right turn leads to, of shape (2, rails, size + 1); -1: none.
        heads: Rail and crossing of each traffic light.
        unlit: Rails and crossings of streets without a light.
        lit: Whether a junction has a light, by junction.
        shift: Seconds by which its lights are ahead, by junction.
        bays: Parking bays: x, y, heading.
    """

    def __init__(self, vehicles: int, walkers: int, lights: int, random: Random) -> None:
        size = max(2, ceil(sqrt(vehicles / 12)), ceil(sqrt(walkers / 50)), ceil(sqrt(lights / 4)))
        xs = _road_positions(size, random)
        ys = _road_positions(size, random)
        junctions = np.arange(size * size).reshape(size, size)
        grid = Grid(xs, ys, junctions)
        rails = _avenue_rails(grid) + _street_rails(grid)
        self.start = np.array([(rail.x, rail.y) for rail in rails]).T
        self.heading = np.array([rail.heading for rail in rails])
        self.length = np.array([rail.length for rail in rails])
        self.kind = np.array([rail.kind for rail in rails])
        self.group = np.array([_group(rail) for rail in rails])
        stop = np.where(self.kind == FOOT, STOP_FOOT, STOP)[:, None]
        middles = np.array([np.append(rail.middles, np.inf) for rail in rails])
        self.begins = middles - stop
        self.ends = middles + stop
        # The crossing after the last has a number of its own.
        self.junction = np.array([np.append(rail.junctions, junctions.size) for rail in rails])
        self.corner = np.full((2, len(rails), size + 1), -1)
        heads = []
        for junction in _from_the_middle(grid):
            crossings = self._crossings_of_cars(junction)
            self._connect_corners(rails, crossings)
            heads += crossings
        self.heads = heads[:lights]
        self.unlit = [(rail, crossing) for rail, crossing in heads[lights:] if rails[rail].axis == 1]
        with_light = [self.junction[rail, crossing] for rail, crossing in self.heads]
        self.lit = np.isin(np.arange(junctions.size + 1), with_light)
        self.shift = np.array([CYCLE * random.random() for _ in self.lit])
        self.bays = _parking_bays(grid)
        random.shuffle(self.bays)

    def _crossings_of_cars(self, junction: int) -> list[tuple[int, int]]:
        """Return the rails of cars across a junction, each with its crossing there."""
        is_here = self.junction == junction
        is_here[self.kind != CAR] = False
        rails, crossings = np.nonzero(is_here)
        return list(zip(rails.tolist(), crossings.tolist(), strict=True))

    def _connect_corners(self, rails: list[Rail], crossings: list[tuple[int, int]]) -> None:
        """Let right turns at a junction lead from the streets to the avenue."""
        for rail, crossing in crossings:
            for target in crossings:
                onto = rails[target[0]]
                if onto.axis < rails[rail].axis and onto.sign == -rails[rail].sign:
                    self.corner[:, rail, crossing] = target

    def lamps(self, time: float) -> tuple[IntArray, FloatArray, FloatArray]:
        """Lamps and seconds in that state, shape (junctions, 2) each, and seconds left to walk, shape (junctions,)."""
        passed = (time + self.shift[:, None] - [0.0, PHASE]) % CYCLE
        green = passed < GREEN
        yellow = passed < GREEN + YELLOW
        lamp = np.where(green, GREEN_LAMP, np.where(yellow, YELLOW_LAMP, RED_LAMP))
        begin = np.where(green, 0.0, np.where(yellow, GREEN, GREEN + YELLOW))
        walk = np.where(passed[:, 0] > 2 * PHASE, CYCLE - passed[:, 0], 0.0)
        return lamp, passed - begin, walk

    def along(
        self, rail: int | IntArray, along: Numbers, right: float | FloatArray = 0.0, corner: float | FloatArray = 0.0
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Return x, y and heading in the world of positions along rails.

        Args:
            rail: Indexes of the rails.
            along: Metres along them.
            right: Metres to the right of them.
            corner: Metres that are driven into a right turn.
        """
        turn = corner / RADIUS
        heading = self.heading[rail]
        ahead = along - corner + RADIUS * np.sin(turn)
        aside = right + RADIUS * (1 - np.cos(turn))
        cosine = np.cos(heading)
        sine = np.sin(heading)
        x, y = self.start[:, rail]
        return bend(x + ahead * cosine - aside * sine, y + ahead * sine + aside * cosine, heading + turn)


def _road_positions(size: int, random: Random) -> FloatArray:
    """Positions of parallel roads, around 0."""
    distances = [80.0 + 25.0 * random.random() for _ in range(size)]
    positions: FloatArray = np.cumsum(distances)
    middle = float(positions.mean())
    return positions - middle


def _avenue_rails(grid: Grid) -> list[Rail]:
    """The rails along avenues: by avenue, eastwards before westwards."""
    length = grid.east - grid.west
    rails = []
    for y, junctions in zip(grid.ys, grid.junctions.T, strict=True):
        for kind, side in AVENUE:
            middles = grid.xs - grid.west
            rails.append(
                Rail(
                    x=grid.west,
                    y=y + side,
                    heading=0.0,
                    length=length,
                    kind=kind,
                    axis=0,
                    sign=1,
                    middles=middles,
                    junctions=junctions,
                )
            )
        for kind, side in AVENUE:
            middles = grid.east - grid.xs[::-1]
            rails.append(
                Rail(
                    x=grid.east,
                    y=y - side,
                    heading=pi,
                    length=length,
                    kind=kind,
                    axis=0,
                    sign=-1,
                    middles=middles,
                    junctions=junctions[::-1],
                )
            )
    return rails


def _street_rails(grid: Grid) -> list[Rail]:
    """The rails along streets: by street, southwards before northwards."""
    length = grid.south - grid.north
    rails = []
    for x, junctions in zip(grid.xs, grid.junctions, strict=True):
        for kind, side in STREET:
            middles = grid.ys - grid.north
            rails.append(
                Rail(
                    x=x - side,
                    y=grid.north,
                    heading=pi / 2,
                    length=length,
                    kind=kind,
                    axis=1,
                    sign=1,
                    middles=middles,
                    junctions=junctions,
                )
            )
        for kind, side in STREET:
            middles = grid.south - grid.ys[::-1]
            rails.append(
                Rail(
                    x=x + side,
                    y=grid.south,
                    heading=1.5 * pi,
                    length=length,
                    kind=kind,
                    axis=1,
                    sign=-1,
                    middles=middles,
                    junctions=junctions[::-1],
                )
            )
    return rails


def _group(rail: Rail) -> int:
    if rail.kind == FOOT and rail.axis == 1:
        return 2
    return rail.axis


def _from_the_middle(grid: Grid) -> list[int]:
    """Numbers of junctions from the middle of the town outwards: lights are given out in this order."""
    distances = np.hypot(grid.xs[:, None], grid.ys[None, :]).ravel()
    order: list[int] = np.argsort(distances, kind="stable").tolist()
    return order


def _parking_bays(grid: Grid) -> list[tuple[float, float, float]]:
    """Bays on both sides of the streets, away from junctions: x, y, heading."""
    bays = []
    for x in grid.xs:
        for side in (1, -1):
            for avenue in grid.ys:
                for y in avenue + np.arange(-50.0, 51.0, 8.0):
                    distance = abs(avenue - y)
                    is_nearest = distance == np.abs(grid.ys - y).min()
                    if is_nearest and distance > STOP + 7.0:
                        bays.append((x - side * BAY, y, side * pi / 2))
    return bays


def bend(x: Numbers, y: Numbers, heading: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return x, y and heading in the world of positions on the straight grid."""
    cosine = np.cos(heading)
    sine = np.sin(heading)
    forward = cosine + BEND / WAVE * np.cos(y / WAVE) * sine
    right = sine + BEND / WAVE * np.cos(x / WAVE) * cosine
    return x + BEND * np.sin(y / WAVE), y + BEND * np.sin(x / WAVE), np.arctan2(right, forward)


def ground(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return the height of the terrain in metres, and its slopes along x and y."""
    a = x / HILL_X
    b = y / HILL_Y
    along_x = HILL / HILL_X * np.cos(a) * np.cos(b)
    along_y = -HILL / HILL_Y * np.sin(a) * np.sin(b)
    return HILL * np.sin(a) * np.cos(b), along_x, along_y


def wrap_angle(angle: Numbers) -> Numbers:
    """Return angles normalized to -pi to pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
