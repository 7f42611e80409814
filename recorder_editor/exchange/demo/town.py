"""The town: lanes on every road, ways through every junction, and where those ways get into each other's way.

Lanes and ways are both links of one network. A lane ends at a junction (or at the edge of the map), a way leads from
a lane through the junction to the next lane. Traffic keeps to the right. Knows nothing of vehicles.
"""

from dataclasses import dataclass, field
from math import pi
from random import Random

import numpy as np

from .geometry import Curve, Curves, Floats, bend, turned
from .layout import REACH, Junction, Layout, Road, lay_out, middle_first

LANE, BICYCLE_LANE = 1.75, 4.25  # metres from the middle of the road
ZEBRA = (1.3, 4.7)  # metres from the stop line, where the zebra crossing lies
SIDEWAYS = 1.9  # m/s2 in bends
SLOWING = 1.5  # m/s2 before bends
FASTEST = 13.9
APART = {(False, False): 2.95, (False, True): 2.1, (True, False): 2.1, (True, True): 1.3}
LEFT, STRAIGHT, RIGHT = -1, 0, 1
NOWHERE = -1
GREEN, YELLOW, ALL_RED = 9.0, 3.0, 2.0
DRIVE, WALK = 12.0, 9.0  # green for vehicles and for walkers where a zebra crossing has lights


@dataclass(frozen=True, slots=True)
class Signal:
    """A set of lights that change together: `starts` and `green` of each group inside a cycle of `cycle` seconds."""

    junction: int
    starts: tuple[float, ...]
    green: float
    cycle: float
    shift: float


@dataclass(frozen=True, slots=True)
class Head:
    """A traffic light: the signal and group it shows, its place (metres), where it faces, where it is obeyed."""

    signal: int
    group: int
    x: float
    y: float
    yaw: float
    stop: tuple[float, float]


@dataclass(slots=True)
class Crossroads:
    """What is needed to decide who may go: everything by way.

    Attributes: `ways`; `origin` (the lane a way comes from); `conflicts` (other ways, and how far along them a rear
    bumper must be before this way is free); `siblings` (ways from the same lane, and where they have parted);
    `zebras` (zebra crossing, from and to where on the way); `rank` (0 goes first); `group` (of the signal); `signal`.
    """

    ways: list[int] = field(default_factory=list)
    origin: dict[int, int] = field(default_factory=dict)
    conflicts: dict[int, list[tuple[int, float]]] = field(default_factory=dict)
    siblings: dict[int, list[tuple[int, float]]] = field(default_factory=dict)
    zebras: dict[int, list[tuple[int, float, float]]] = field(default_factory=dict)
    rank: dict[int, int] = field(default_factory=dict)
    group: dict[int, int] = field(default_factory=dict)
    signal: int = NOWHERE


@dataclass(slots=True)
class Ends:
    """The lanes at an arm: arriving and leaving, for cars and for bicycles (NOWHERE where there is none)."""

    into: int
    out: int
    bicycle_into: int = NOWHERE
    bicycle_out: int = NOWHERE
    zebra: int = NOWHERE


@dataclass(slots=True)
class Zebra:
    """A zebra crossing: the junction and arm it lies at, and the junction's signal group that it crosses."""

    junction: int
    arm: int
    group: int


class Town:
    """All links with their curves, junctions, signals, zebra crossings.

    Attributes: `curves`; by link: `drawn` (its curve), `following`, `turn`, `bicycle`, `is_way`, `junction` (the one a
    lane leads to), `beside` (the bicycle lane along a lane); `limit` (m/s, by row of the curves' table); `crossroads`
    (by junction), `zebras`, `signals`, `heads`; `lanes`, and the `entries` among them, where cars come onto the map.
    """

    def __init__(self, layout: Layout, lights: int, random: Random) -> None:
        self.layout = layout
        self.drawn: list[Curve] = []
        self.following: list[tuple[int, ...]] = []
        self.turn: list[int] = []
        self.bicycle: list[bool] = []
        self.is_way: list[bool] = []
        self.junction: list[int] = []
        self.beside: dict[int, int] = {}
        self.zebras: list[Zebra] = []
        self.signals: list[Signal] = []
        self.heads: list[Head] = []
        self.ends = [[Ends(NOWHERE, NOWHERE) for _ in junction.arms] for junction in layout.junctions]
        for number in range(len(layout.roads)):
            self._lanes_along(number)
        self.crossroads = [self._crossroads(number) for number in range(len(layout.junctions))]
        self.curves = Curves(self.drawn)
        self.limit = np.concatenate([_limits(curve) for curve in self.drawn])
        self._signals(lights, random)
        self._right_of_way()
        arrivals = {link for links in self.following for link in links}
        self.lanes = [i for i, way in enumerate(self.is_way) if not way]
        self.entries = [i for i in self.lanes if i not in arrivals and not self.bicycle[i]]

    def _link(self, curve: Curve, *, way: bool, bicycle: bool, junction: int, turn: int = STRAIGHT) -> int:
        self.drawn.append(curve)
        self.following.append(())
        self.turn.append(turn)
        self.bicycle.append(bicycle)
        self.is_way.append(way)
        self.junction.append(junction)
        return len(self.drawn) - 1

    def _lanes_along(self, number: int) -> None:
        road = self.layout.roads[number]
        start, end = self.road_end(number, begins=True), self.road_end(number, begins=False)
        there = self._lane_pair(road, road.middle, end)
        back = self._lane_pair(road, road.middle.reversed(), start)
        for at, leaving, arriving in ((start, there, back), (end, back, there)):
            if at is not None:
                ends = self.ends[at[0]][at[1]]
                ends.out, ends.bicycle_out = leaving
                ends.into, ends.bicycle_into = arriving

    def _lane_pair(self, road: Road, middle: Curve, end: tuple[int, int] | None) -> tuple[int, int]:
        junction = NOWHERE if end is None else end[0]
        lane = self._link(middle.beside(LANE), way=False, bicycle=False, junction=junction)
        if not road.ring:
            return lane, NOWHERE
        bicycles = self._link(middle.beside(BICYCLE_LANE), way=False, bicycle=True, junction=junction)
        self.beside[lane] = bicycles
        return lane, bicycles

    def road_end(self, road: int, *, begins: bool) -> tuple[int, int] | None:
        """The junction and the arm at an end of a road, or None at the edge of the map."""
        for number, junction in enumerate(self.layout.junctions):
            for place, arm in enumerate(junction.arms):
                if arm.road == road and arm.begins == begins:
                    return number, place
        return None

    def _crossroads(self, number: int) -> Crossroads:
        junction, result = self.layout.junctions[number], Crossroads()
        for place, arm in enumerate(junction.arms):
            if arm.zebra:
                self.ends[number][place].zebra = len(self.zebras)
                self.zebras.append(Zebra(number, place, 0))
        for start, first in enumerate(junction.arms):
            for end, second in enumerate(junction.arms):
                if start == end:
                    continue
                swing = float(turned(np.array(second.angle - first.angle - pi)))
                turn = STRAIGHT if abs(swing) < pi / 4 else RIGHT if swing > 0 else LEFT
                here, there = self.ends[number][start], self.ends[number][end]
                self._way(result, number, (here.into, there.out), (here, there), turn)
                if turn == STRAIGHT and here.bicycle_into != NOWHERE != there.bicycle_out:
                    self._way(result, number, (here.bicycle_into, there.bicycle_out), (here, there), turn)
        self._get_in_the_way(result)
        return result

    def _way(self, at: Crossroads, number: int, lanes: tuple[int, int], ends: tuple[Ends, Ends], turn: int) -> None:
        before, after = (self.drawn[lane] for lane in lanes)
        start, out = (float(before.x[-1]), float(before.y[-1])), float(before.heading[-1])
        end, into = (float(after.x[0]), float(after.y[0])), float(after.heading[0])
        curve = bend(start, out, end, into, 0.36 if turn == STRAIGHT else 0.39)
        way = self._link(curve, way=True, bicycle=self.bicycle[lanes[0]], junction=number, turn=turn)
        self.following[way] = (lanes[1],)
        self.following[lanes[0]] = (*self.following[lanes[0]], way)
        at.ways.append(way)
        at.origin[way] = lanes[0]
        at.zebras[way] = []
        near, far = ZEBRA if curve.length > 2 * REACH / 3 + 1 else (2.8, 6.2)
        if ends[0].zebra != NOWHERE:
            at.zebras[way].append((ends[0].zebra, near, far))
        if ends[1].zebra != NOWHERE:
            at.zebras[way].append((ends[1].zebra, curve.length - far, curve.length - near))

    def _get_in_the_way(self, at: Crossroads) -> None:
        for way in at.ways:
            at.conflicts[way], at.siblings[way] = [], []
            mine = self.drawn[way]
            for other in at.ways:
                if other == way:
                    continue
                theirs = self.drawn[other]
                gaps = np.hypot(theirs.x[:, None] - mine.x[None, :], theirs.y[:, None] - mine.y[None, :])
                close = gaps.min(axis=1) < APART[self.bicycle[way], self.bicycle[other]]
                if not close.any():
                    continue
                until = float(np.flatnonzero(close)[-1]) * theirs.spacing
                if at.origin[way] == at.origin[other]:
                    at.siblings[way].append((other, until + 0.5))
                else:
                    at.conflicts[way].append((other, min(until + 0.8, theirs.length)))

    def _signals(self, lights: int, random: Random) -> None:
        """Deals out exactly `lights` heads: whole junctions from the middle outwards, then zebra crossings."""
        crossings = [i for i, at in enumerate(self.layout.junctions) if len(at.arms) == 2]
        waiting = [i for i in middle_first(self.layout) if len(self.layout.junctions[i].arms) > 2]
        left = lights
        for arms in (4, 3):
            for number in waiting:
                if len(self.layout.junctions[number].arms) == arms <= left:
                    left -= arms
                    self._signal(number, arms, random)
        for number in crossings:
            if left > 0:
                self._signal(number, min(left, 2), random)
                left -= min(left, 2)
        for number in range(left):
            head = self.heads[number % len(self.heads)]
            away = 1.5 + number // max(1, lights - left)
            x, y = head.x + away * np.cos(head.yaw), head.y + away * np.sin(head.yaw)
            self.heads.append(Head(head.signal, head.group, float(x), float(y), head.yaw, head.stop))

    def _signal(self, number: int, heads: int, random: Random) -> None:
        at, junction, signal = self.crossroads[number], self.layout.junctions[number], len(self.signals)
        at.signal = signal
        if len(junction.arms) == 2:
            starts: tuple[float, ...] = (0.0,)
            green, cycle = DRIVE, DRIVE + YELLOW + ALL_RED + WALK + ALL_RED
            groups = [0, 0]
        else:
            phase = GREEN + YELLOW + ALL_RED
            starts, green, cycle = (0.0, phase), GREEN, 2 * phase
            groups = _groups(junction)
        self.signals.append(Signal(number, starts, green, cycle, random.random() * cycle))
        for way in at.ways:
            lane = at.origin[way]
            arm = next(i for i, e in enumerate(self.ends[number]) if lane in (e.into, e.bicycle_into))
            at.group[way] = groups[arm]
        for place, ends in enumerate(self.ends[number]):
            if ends.zebra != NOWHERE:
                self.zebras[ends.zebra].group = groups[place]
            if place < heads:
                self.heads.append(self._head(signal, groups[place], junction, junction.arms[place].angle, ends))

    def _head(self, signal: int, group: int, junction: Junction, angle: float, ends: Ends) -> Head:
        lane = self.drawn[ends.into]
        x, y = junction.x + (junction.reach + 0.4) * np.cos(angle), junction.y + (junction.reach + 0.4) * np.sin(angle)
        x, y = x + 5.7 * np.sin(angle), y - 5.7 * np.cos(angle)
        stop = lane.at(lane.length - 2.5)
        return Head(signal, group, float(x), float(y), float(angle), stop[:2])

    def _right_of_way(self) -> None:
        for number, at in enumerate(self.crossroads):
            arms = self.layout.junctions[number].arms
            for way in at.ways:
                lane = at.origin[way]
                ends = self.ends[number]
                arm = next(i for i, e in enumerate(ends) if lane in (e.into, e.bicycle_into))
                # Left turns wait for those straight ahead, right turns for the bicycles beside them.
                across_bicycles = self.turn[way] == RIGHT and lane in self.beside
                own = 2 if self.turn[way] == LEFT else int(across_bicycles)
                at.rank[way] = own + (0 if at.signal != NOWHERE or arms[arm].main else 3)

    def ring(self, lane: int) -> list[int]:
        """The links of the way round the town that begins with a lane and always goes straight on."""
        links = [lane]
        while True:
            ahead = [link for link in self.following[links[-1]] if self.turn[link] == STRAIGHT]
            if not ahead:
                return []
            if ahead[0] == lane:
                return links
            links.append(ahead[0])


def _groups(junction: Junction) -> list[int]:
    """Opposite arms share a group; where one stands alone, it has its own."""
    first = junction.arms[0].angle
    across = [abs(np.sin(arm.angle - first)) > 0.7 for arm in junction.arms]
    return [int(side) for side in across]


def _limits(curve: Curve) -> Floats:
    """How fast each point of a curve may be taken, slowing in good time before its bends."""
    bending = np.abs(np.gradient(curve.heading, curve.spacing))
    limit = np.minimum(FASTEST, np.sqrt(SIDEWAYS / np.maximum(bending, 1e-6)))
    for i in range(len(limit) - 2, -1, -1):
        limit[i] = min(limit[i], np.sqrt(limit[i + 1] ** 2 + 2 * SLOWING * curve.spacing))
    return limit


def build_town(vehicles: int, lights: int, random: Random) -> Town:
    """A town big enough for so many vehicles, with exactly so many traffic lights."""
    return Town(lay_out(vehicles, lights, random), lights, random)
