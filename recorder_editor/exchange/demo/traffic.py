"""How vehicles drive: they follow each other, slow before bends and stop where they have no permit.

Following is the improved intelligent driver model. One step moves every vehicle along its links. Knows lanes and
junctions; knows no actors, no files and no story.
"""

from random import Random

import numpy as np

from .catalog import Model
from .fleet import LOOKAHEAD, Fleet
from .geometry import Flags, Floats, Ints
from .junctions import Junctions
from .signals import Signals
from .town import LEFT, NOWHERE, RIGHT, SLOWING, STRAIGHT, Town

FAR = 1e6
STANDSTILL = 2.0  # metres kept to the one ahead when standing
COMFORT = 2.0  # m/s2
HARDEST = 7.0
GRIP = 18.0  # m/s3, how fast braking builds up
EASE = 4.0  # m/s3, how fast it is let go
BEFORE_LINE = 1.0  # metres kept to a stop line
BLINK_FROM = 32.0
ENTRY = 36.0  # metres that must be free before a vehicle that comes onto the map
TURNS = {STRAIGHT: 0.42, RIGHT: 0.32, LEFT: 0.26}


class Traffic:
    """Everything that drives.

    Attributes: `fleet`, `junctions`, `left` (rows that drove off the map in the last step), `straight_on` (rows that
    never turn), `emergency` (rows that brake as hard as they can), `wanted` (m/s, by row).
    """

    def __init__(self, town: Town, signals: Signals, places: int, random: Random) -> None:
        self.town, self.signals, self.random = town, signals, random
        self.fleet = Fleet(town, places)
        self.junctions = Junctions(town, self.fleet, signals)
        self.left: list[int] = []
        self.straight_on: Flags = np.zeros(places, dtype=np.bool_)
        self.emergency: Flags = np.zeros(places, dtype=np.bool_)
        self.wanted, self.headway, self.strength = np.zeros(places), np.ones(places), np.ones(places)
        self._turn = np.array(town.turn)
        self._is_way = np.array(town.is_way)
        self._start_limit = town.limit[town.curves.first]
        self._last = np.full(len(town.is_way) + 1, NOWHERE, dtype=np.int64)

    def set_off(self, row: int, model: Model, link: int, along: float, share: float) -> None:
        """Starts a vehicle that is already in the fleet, at a share of the speed it would like."""
        pace = {"bicycle": (4.2, 5.2), "motorcycle": (9.0, 11.0), "truck": (7.2, 8.2)}.get(model.kind, (8.2, 10.6))
        self.wanted[row] = pace[0] + (pace[1] - pace[0]) * self.random.random()
        self.headway[row] = 1.0 + 0.5 * self.random.random()
        self.strength[row] = (0.9 if model.kind in ("bicycle", "truck") else 1.5) + 0.5 * self.random.random()
        self.straight_on[row] = self.emergency[row] = False
        self.junctions.waited[row] = 0.0
        limit = float(self.town.limit[self.town.curves.first[link]])
        speed = share * min(limit, float(self.wanted[row]))
        self.fleet.drive(row, link, along, speed, self._route(row, link), 6.28 * self.random.random())

    def go_straight(self, row: int) -> None:
        """Makes a vehicle go straight on from now on."""
        self.straight_on[row] = True
        self.fleet.ahead[row] = self._route(row, int(self.fleet.link[row]))

    def _route(self, row: int, link: int) -> list[int]:
        links: list[int] = []
        for _ in range(LOOKAHEAD):
            link = self._onward(row, link) if link != NOWHERE else NOWHERE
            links.append(link)
        return links

    def _onward(self, row: int, link: int) -> int:
        choices = self.town.following[link]
        if len(choices) < 2:
            return choices[0] if choices else NOWHERE
        if self.straight_on[row]:
            return next((way for way in choices if self._turn[way] == STRAIGHT), choices[0])
        weights = [TURNS[int(self._turn[way])] for way in choices]
        pick = self.random.random() * sum(weights)
        for way, weight in zip(choices, weights, strict=True):
            pick -= weight
            if pick < 0:
                return way
        return choices[-1]

    def room_to_enter(self, link: int) -> bool:
        """Whether a vehicle can come onto the map here without braking hard for the one before it."""
        fleet = self.fleet
        rows = np.flatnonzero(fleet.driving & (fleet.link == link))
        return not np.any(fleet.along[rows] - fleet.tail[rows] + 2.0 * fleet.speed[rows] < ENTRY)

    def room_at(self, link: int, along: float, length: float) -> bool:
        """Whether a vehicle's length fits on a link with its front axle at `along`, with some distance to others."""
        fleet = self.fleet
        rows = np.flatnonzero(fleet.driving & (fleet.link == link))
        apart = fleet.along[rows] - along
        return not np.any((apart < fleet.tail[rows] + length + 5.0) & (apart > -(fleet.nose[rows] + length + 5.0)))

    def step(self, dt: float) -> None:
        """Moves everything that drives by `dt` seconds (at most 0.1)."""
        fleet = self.fleet
        self.left = []
        rows = np.flatnonzero(fleet.driving)
        if not rows.size:
            return
        gap, their_speed = self._look_ahead(dt)
        allowed = self._allowed(rows)
        pull = self._pull(rows, allowed, gap[rows], their_speed[rows])
        line = self._to_stop_line(rows)
        at_line = np.isfinite(line)
        if at_line.any():
            held = rows[at_line]
            stop = self._pull(held, allowed[at_line], line[at_line] + BEFORE_LINE, np.zeros(held.size))
            needed = fleet.speed[held] ** 2 / (2 * np.maximum(line[at_line] - 0.5, 0.1))
            pull[at_line] = np.minimum(pull[at_line], np.maximum(stop, -1.2 * needed - 0.4))
        before = fleet.pull[rows]
        pull = np.clip(pull, before - GRIP * dt, before + EASE * dt)
        pull = np.where(self.emergency[rows], -HARDEST, np.clip(pull, -HARDEST, self.strength[rows]))
        closest = np.minimum(gap[rows] - 0.3, np.where(at_line, line - 0.2, FAR))
        speed = np.maximum(fleet.speed[rows] + pull * dt, 0.0)
        speed = np.minimum(speed, np.maximum(closest, 0.0) / 0.3)
        fleet.pull[rows] = (speed - fleet.speed[rows]) / dt
        fleet.speed[rows] = speed
        fleet.along[rows] += speed * dt
        fleet.travelled[rows] += speed * dt
        self._next_links(rows)
        fleet.pose(dt, np.flatnonzero(fleet.driving))
        self.junctions.release()

    def _look_ahead(self, dt: float) -> tuple[Floats, Floats]:
        """Each row's gap to the one ahead on its links and that one's speed; gives permits on the way."""
        fleet, length = self.fleet, self.town.curves.length
        gap, their_speed = np.full(len(fleet), FAR), np.zeros(len(fleet))
        leader = np.full(len(fleet), NOWHERE, dtype=np.int64)
        rows = np.flatnonzero(fleet.driving)
        order = rows[np.lexsort((fleet.along[rows], fleet.link[rows]))]
        same = fleet.link[order[1:]] == fleet.link[order[:-1]]
        follower, ahead = order[:-1][same], order[1:][same]
        leader[follower] = ahead
        self._last[:] = NOWHERE
        first = order[np.concatenate(([True], ~same))]
        self._last[fleet.link[first]] = first
        gap[follower] = fleet.along[ahead] - fleet.tail[ahead] - fleet.along[follower] - fleet.nose[follower]
        their_speed[follower] = fleet.speed[ahead]
        alone = rows[leader[rows] == NOWHERE]
        before = length[fleet.link[alone]] - fleet.along[alone]
        for depth in range(LOOKAHEAD):
            following = fleet.ahead[alone, depth]
            found = self._last[following]
            met = (found != NOWHERE) & (following != NOWHERE) & (gap[alone] == FAR)
            one, other = alone[met], found[met]
            gap[one] = before[met] + fleet.along[other] - fleet.tail[other] - fleet.nose[one]
            their_speed[one] = fleet.speed[other]
            before = before + np.where(following != NOWHERE, length[following], 0.0)
        self.junctions.decide(leader, self._last, dt)
        for row, distance, speed in self.junctions.parting():
            if distance < gap[row]:
                gap[row], their_speed[row] = distance, speed
        return gap, their_speed

    def _allowed(self, rows: Ints) -> Floats:
        """How fast each row may go here, with the bends of the next two links in mind."""
        fleet, curves = self.fleet, self.town.curves
        link = fleet.link[rows]
        place, _ = curves.place(link, fleet.along[rows])
        allowed = np.minimum(self.wanted[rows], self.town.limit[place])
        before = curves.length[link] - fleet.along[rows]
        for depth in range(2):
            following = fleet.ahead[rows, depth]
            comes = np.sqrt(self._start_limit[following] ** 2 + 2 * SLOWING * np.maximum(before, 0.0))
            allowed = np.where(following != NOWHERE, np.minimum(allowed, comes), allowed)
            before = before + np.where(following != NOWHERE, curves.length[following], 0.0)
        slowest: Floats = np.maximum(allowed, 1.0)
        return slowest

    def _pull(self, rows: Ints, allowed: Floats, gap: Floats, their_speed: Floats) -> Floats:
        """Acceleration of the improved intelligent driver model."""
        speed, most = self.fleet.speed[rows], self.strength[rows]
        share = speed / allowed
        slower = share <= 1
        free = np.where(
            slower,
            most * (1 - np.minimum(share, 1.0) ** 4),
            -COMFORT * (1 - np.minimum(1.0, 1 / np.maximum(share, 1e-6)) ** (4 * most / COMFORT)),
        )
        closing = speed * (speed - their_speed) / (2 * np.sqrt(most * COMFORT))
        need = STANDSTILL + np.maximum(0.0, speed * self.headway[rows] + closing)
        near = need / np.maximum(gap, 0.1)
        base = np.maximum(free, 1e-3)
        eased = base * (1 - np.minimum(near, 1.0) ** (2 * most / base))
        pushed = most * (1 - near**2)
        pull: Floats = np.where(slower, np.where(near >= 1, pushed, eased), np.where(near >= 1, free + pushed, free))
        return pull

    def _to_stop_line(self, rows: Ints) -> Floats:
        """Metres from the front bumper to the stop line a row has to stop at, infinite where it has none."""
        fleet = self.fleet
        following = fleet.ahead[rows, 0]
        held = (following != NOWHERE) & ~self._is_way[fleet.link[rows]] & (fleet.permit[rows] != following)
        left = self.town.curves.length[fleet.link[rows]] - fleet.along[rows] - fleet.nose[rows]
        return np.where(held & (left > -0.2), left, np.inf)

    def _next_links(self, rows: Ints) -> None:
        fleet, length = self.fleet, self.town.curves.length
        over = fleet.along[rows] > length[fleet.link[rows]]
        for row in rows[over].tolist():
            following = int(fleet.ahead[row, 0])
            if following == NOWHERE:
                self.left.append(row)
                continue
            fleet.along[row] -= length[fleet.link[row]]
            fleet.link[row] = following
            fleet.ahead[row, :-1] = fleet.ahead[row, 1:]
            last = int(fleet.ahead[row, -1])
            fleet.ahead[row, -1] = self._onward(row, last) if last != NOWHERE else NOWHERE
            if self._is_way[following]:
                fleet.permit[row] = NOWHERE

    def blinkers(self) -> Ints:
        """-1 for rows that show they turn left, 1 for right, 0 for none."""
        fleet = self.fleet
        on_way = self._is_way[fleet.link]
        left = self.town.curves.length[fleet.link] - fleet.along
        way = np.where(on_way, fleet.link, np.where(left < BLINK_FROM, fleet.ahead[:, 0], NOWHERE))
        return np.where(fleet.driving & (way != NOWHERE), self._turn[way], 0)
