"""The road network: a grid of avenues and streets, the rails along them, traffic lights and the terrain.

Avenues (axis 0) have bicycle lanes and no turns; from streets (axis 1) vehicles may turn right onto an avenue. Both
have pavements. The grid is straight (metres, x forward, y to the right, angles clockwise from above); `bend` maps it
to the world.
"""

from math import ceil, pi, sqrt
from random import Random
from typing import TypeVar

import numpy as np

from ..arrays import FloatArray, IntArray

LANE, BICYCLE_LANE, BAY, PAVEMENT, BESIDE = 1.75, 4.25, 4.9, 7.5, 9.4  # metres from the middle of a road
CAR, BICYCLE, FOOT = range(3)  # kinds of rails
STREET = ((CAR, LANE), (FOOT, PAVEMENT + 0.4), (FOOT, 0.4 - PAVEMENT))
AVENUE = ((CAR, LANE), (BICYCLE, BICYCLE_LANE), *STREET[1:])
STOP, STOP_FOOT = 10.0, 9.0  # metres from the middle of a junction to where vehicles and walkers wait
RADIUS = STOP - LANE  # of right turns
CORNER = RADIUS * pi / 2
APPROACH, OUTSKIRTS = 165.0, 85.0  # metres outside the junctions: west of the town, and elsewhere
GREEN = 9.0
YELLOW = 3.0
ALL_RED = 2.0
WALK = 14.0
PHASE = GREEN + YELLOW + ALL_RED
CYCLE = 2 * PHASE + WALK
RED_LAMP, YELLOW_LAMP, GREEN_LAMP = range(3)
BEND, WAVE = 11.0, 65.0  # metres
HILL = 1.3
HILL_X = 95.0
HILL_Y = 80.0

Numbers = TypeVar("Numbers", float, FloatArray)
"""One number, or an array of numbers."""


class Town:
    """Columns by rail, and by rail and junction in driving order.

    Attributes: `start` (shape (2, rails)), `heading`, `length`, `kind`, `group` (that may be on a junction
    together: 0 along the avenue, 1 driving along the street, 2 walking along it); `begins` and `ends` (of the junctions
    along the rail, infinite after the last) and `junction`, of shape (rails, size + 1); `corner` (the rail and the
    junction on it that a right turn leads to, -1: none) of shape (2, rails, size + 1); `heads` and `unlit` (rail and
    junction on it with a light, and in streets without one), `lit` (by junction), `bays` (x, y, heading).
    """

    def __init__(self, vehicles: int, walkers: int, lights: int, random: Random) -> None:
        size = max(2, *(ceil(sqrt(need)) for need in (vehicles / 12, walkers / 50, lights / 4)))
        xs, ys = (np.cumsum([80.0 + 25.0 * random.random() for _ in range(size)]) for _ in "xy")
        xs, ys = xs - xs.mean(), ys - ys.mean()
        low, high = (xs[0] - APPROACH, ys[0] - OUTSKIRTS), (xs[-1] + OUTSKIRTS, ys[-1] + OUTSKIRTS)
        numbers = np.arange(size * size).reshape(size, size)
        rails: list[tuple[float, ...]] = []
        middles = []
        junctions = []
        heads = []
        for axis, road, sign in ((axis, road, sign) for axis in (0, 1) for road in range(size) for sign in (1, -1)):
            begin = (low, high)[sign < 0][axis]
            for kind, side in (AVENUE, STREET)[axis]:
                across = (ys, xs)[axis][road] + (sign, -sign)[axis] * side
                place = (begin, across)[:: 1 - 2 * axis]
                rails.append((*place, axis * pi / 2 + (sign < 0) * pi, high[axis] - low[axis], kind, axis, sign))
                middles.append([*abs((xs, ys)[axis] - begin)[::sign], np.inf])
                junctions.append([*(numbers[:, road], numbers[road])[axis][::sign], size * size])
        x, y, self.heading, self.length, self.kind, axes, signs = (np.array(each) for each in zip(*rails, strict=True))
        self.start = np.stack((x, y))
        self.junction = np.array(junctions)
        self.group = np.where((self.kind == FOOT) & (axes == 1), 2, axes)
        stop = np.where(self.kind == FOOT, STOP_FOOT, STOP)[:, None]
        self.begins = np.array(middles) - stop
        self.ends = np.array(middles) + stop
        self.corner = np.full((2, *self.junction.shape), -1)
        far = np.argsort(np.hypot(xs[:, None], ys[None, :]).ravel(), kind="stable")
        for junction in far.tolist():
            arms = np.argwhere((self.junction == junction) & (self.kind == CAR)[:, None]).tolist()
            heads += arms
            for rail, at in arms:
                onto = []
                for other in arms:
                    if axes[other[0]] < axes[rail] and signs[other[0]] == -signs[rail]:
                        onto.append(other)
                if onto:
                    self.corner[:, rail, at] = onto[0]
                else:
                    self.corner[:, rail, at] = -1
        # Exactly `lights` of them, junction by junction from the middle outwards.
        self.heads = heads[:lights]
        self.unlit = [head for head in heads[lights:] if axes[head[0]] == 1]
        self.lit = np.isin(np.arange(numbers.size + 1), [self.junction[rail, at] for rail, at in self.heads])
        self.shift = np.array([CYCLE * random.random() for _ in self.lit])
        self.bays = [
            (x - side * BAY, y, side * pi / 2)
            for x in xs
            for side in (1, -1)
            for road in ys
            for y in road + np.arange(-50.0, 51.0, 8.0)
            if STOP + 7.0 < np.abs(ys - y).min() == abs(road - y)
        ]
        random.shuffle(self.bays)

    def lamps(self, time: float) -> tuple[IntArray, FloatArray, FloatArray]:
        """Lamps and seconds in that state, shape (junctions, 2) each, and seconds left to walk, shape (junctions,)."""
        passed = (time + self.shift[:, None] - [0.0, PHASE]) % CYCLE
        green = passed < GREEN
        yellow = passed < GREEN + YELLOW
        lamp = np.where(green, GREEN_LAMP, np.where(yellow, YELLOW_LAMP, RED_LAMP))
        since = passed - np.where(green, 0.0, np.where(yellow, GREEN, GREEN + YELLOW))
        return lamp, since, np.where(passed[:, 0] > 2 * PHASE, CYCLE - passed[:, 0], 0.0)

    def along(
        self, rail: int | IntArray, along: Numbers, right: float | FloatArray = 0.0, corner: float | FloatArray = 0.0
    ) -> tuple[Numbers, Numbers, Numbers]:
        """x, y and heading at positions along rails, `right` metres beside them, `corner` metres into a right turn."""
        turn = corner / RADIUS
        heading = self.heading[rail]
        ahead = along - corner + RADIUS * np.sin(turn)
        aside = right + RADIUS * (1 - np.cos(turn))
        cosine, sine = np.cos(heading), np.sin(heading)
        x, y = self.start[:, rail]
        return bend(x + ahead * cosine - aside * sine, y + ahead * sine + aside * cosine, heading + turn)


def bend(x: Numbers, y: Numbers, heading: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """World x, y and heading of positions on the straight grid."""
    cosine, sine = np.cos(heading), np.sin(heading)
    forward = cosine + BEND / WAVE * np.cos(y / WAVE) * sine
    right = sine + BEND / WAVE * np.cos(x / WAVE) * cosine
    return x + BEND * np.sin(y / WAVE), y + BEND * np.sin(x / WAVE), np.arctan2(right, forward)


def ground(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Height of the terrain (m), and its slopes along x and y."""
    a = x / HILL_X
    b = y / HILL_Y
    along_x = HILL / HILL_X * np.cos(a) * np.cos(b)
    along_y = -HILL / HILL_Y * np.sin(a) * np.sin(b)
    return HILL * np.sin(a) * np.cos(b), along_x, along_y


def wrap_angle(angle: Numbers) -> Numbers:
    """Angles normalized to -pi to pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
