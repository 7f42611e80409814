"""Where people walk: pavements along both sides of every road, corners, and zebra crossings; and what stands there.

A network of paths between points; paths can be walked either way. Knows the town's roads, not its traffic.
"""

from dataclasses import dataclass
from math import cos, pi, sin
from random import Random

import numpy as np

from .geometry import Curve, Curves, curve_through
from .layout import REACH
from .town import NOWHERE, Town

PAVEMENT = 7.3  # metres from the middle of the road
ZEBRA_AT = REACH - 3.0  # the zebra crossing of an arm, from the middle of the junction
BAY = 4.8  # a parked car's middle, from the middle of the road
BAY_EVERY = 7.5
LAMP_EVERY = 28.0
FURNITURE = ("bench", "bin", "plant", "mailbox", "kiosk", "bench", "plant", "advertisement")


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: metres and radians; `path` is the pavement beside it."""

    x: float
    y: float
    heading: float
    path: int


class Pavements:
    """The network of paths.

    Attributes: `curves`, `ends` (points at both ends of a path), `paths_at` (a point's paths), `zebra` (the zebra
    crossing of a path, or NOWHERE), `exits` (points at the edge of the map), `bays` (for parked cars), `furniture`,
    `lamps` (how many there are).
    """

    def __init__(self, town: Town, random: Random) -> None:
        self.town = town
        self._drawn: list[Curve] = []
        self.ends: list[tuple[int, int]] = []
        self.zebra: list[int] = []
        self.paths_at: list[list[int]] = []
        self.exits: list[int] = []
        self.bays: list[Place] = []
        self.furniture: list[tuple[str, Place]] = []
        self.lamps = 0
        self._points: dict[tuple[int, int, int], int] = {}
        for number in range(len(town.layout.junctions)):
            self._corners(number)
        for number, road in enumerate(town.layout.roads):
            sides = [self._along(number, side) for side in (1, -1)]
            self.lamps += round(road.middle.length / LAMP_EVERY)
            if not road.ring and not road.leaves:
                for side, path in zip((1, -1), sides, strict=True):
                    self._bays(road.middle, side, path)
        self.curves = Curves(self._drawn)
        random.shuffle(self.bays)
        self._put_furniture(random)

    def _point(self, junction: int, arm: int, side: int) -> int:
        """The point on a side of an arm: 1 is the side clockwise of the arm, which is the right, going away."""
        arms = self.town.layout.junctions[junction].arms
        if len(arms) == 2 and arm == 1:
            arm, side = 0, -side
        key = (junction, arm, side)
        if key not in self._points:
            self._points[key] = len(self.paths_at)
            self.paths_at.append([])
        return self._points[key]

    def _place(self, junction: int, arm: int, side: int) -> tuple[float, float]:
        at = self.town.layout.junctions[junction]
        angle, away = at.arms[arm].angle, ZEBRA_AT if len(at.arms) > 2 else 0.0
        return (
            at.x + away * cos(angle) - side * PAVEMENT * sin(angle),
            at.y + away * sin(angle) + side * PAVEMENT * cos(angle),
        )

    def _path(self, curve: Curve, start: int, end: int, zebra: int = NOWHERE) -> int:
        number = len(self._drawn)
        self._drawn.append(curve)
        self.ends.append((start, end))
        self.zebra.append(zebra)
        self.paths_at[start].append(number)
        self.paths_at[end].append(number)
        return number

    def _corners(self, number: int) -> None:
        arms = self.town.layout.junctions[number].arms
        for arm in range(len(arms)):
            zebra = self.town.ends[number][arm].zebra
            if zebra != NOWHERE:
                ends = [(number, arm, side) for side in (-1, 1)]
                line = np.array([self._place(*end) for end in ends])
                self._path(curve_through(line[:, 0], line[:, 1]), self._point(*ends[0]), self._point(*ends[1]), zebra)
            if len(arms) > 2:
                here, there = (number, arm, 1), (number, (arm + 1) % len(arms), -1)
                line = np.array([self._place(*here), self._place(*there)])
                self._path(curve_through(line[:, 0], line[:, 1]), self._point(*here), self._point(*there))

    def _along(self, number: int, side: int) -> int:
        curve = self.town.layout.roads[number].middle.beside(side * PAVEMENT)
        start, end = self.town.road_end(number, begins=True), self.town.road_end(number, begins=False)
        x, y = curve.x, curve.y
        points = []
        for at, own_side, first in ((start, side, True), (end, -side, False)):
            if at is None:
                self.exits.append(len(self.paths_at))
                points.append(len(self.paths_at))
                self.paths_at.append([])
                continue
            points.append(self._point(*at, own_side))
            extra = self._place(*at, own_side)
            x = np.concatenate(([extra[0]], x) if first else (x, [extra[0]]))
            y = np.concatenate(([extra[1]], y) if first else (y, [extra[1]]))
        return self._path(curve_through(x, y), points[0], points[1])

    def _bays(self, middle: Curve, side: int, path: int) -> None:
        along = 9.0
        while along < middle.length - 9.0:
            x, y, heading = middle.at(along)
            x, y = x - side * BAY * sin(heading), y + side * BAY * cos(heading)
            self.bays.append(Place(x, y, heading if side > 0 else heading + pi, path))
            along += BAY_EVERY

    def _put_furniture(self, random: Random) -> None:
        roads = [road for road in self.town.layout.roads if not road.leaves]
        for number in range(min(40, 4 + len(roads) // 2)):
            road = roads[int(random.random() * len(roads))]
            side = 1 if random.random() < 0.5 else -1
            x, y, heading = road.middle.at((0.15 + 0.7 * random.random()) * road.middle.length)
            x, y = x - side * 9.4 * sin(heading), y + side * 9.4 * cos(heading)
            facing = heading - side * pi / 2
            self.furniture.append((FURNITURE[number % len(FURNITURE)], Place(x, y, facing, NOWHERE)))
