"""Who may go where ways cross: a vehicle enters a junction only with a permit for its way, and never loses it inside.

A permit is given when the light is green, no vehicle with a permit for a conflicting way is still in the way, the
zebra crossings on the way are empty, and there is room behind the junction. Those who must give way ask late.
Walkers ask for zebra crossings in the same manner.
"""

import numpy as np

from .fleet import Fleet
from .geometry import Flags, Floats, Ints
from .signals import GREEN_LAMP, RED_LAMP, Signals
from .town import NOWHERE, Crossroads, Town

ASK_EARLY, ASK_LATE = 8.0, 13.0  # metres before the stop line
TIME_AHEAD = 4.6  # seconds before those metres, for who need not give way
PATIENCE = 9.0  # seconds of waiting after which others let one go first
BRAKES = 3.4  # m/s2: a vehicle that must brake harder than this drives on at yellow
ROOM = 2.5


class Junctions:
    """Permits of vehicles and walkers.

    Attributes: `holders` (by junction: the rows that hold a permit, with their way), `walking` (walkers on each zebra
    crossing), `claimed` (somebody waits at it and vehicles must let them cross).
    """

    def __init__(self, town: Town, fleet: Fleet, signals: Signals) -> None:
        self.town, self.fleet, self.signals = town, fleet, signals
        self.holders: list[list[tuple[int, int]]] = [[] for _ in town.crossroads]
        self.walking = np.zeros(len(town.zebras), dtype=np.int64)
        self.claimed: Flags = np.zeros(len(town.zebras), dtype=np.bool_)
        self.waited: Floats = np.zeros(len(fleet))
        self._is_way = np.array(town.is_way)
        self._junction = np.array(town.junction)
        self._rank = np.zeros(len(town.is_way), dtype=np.int64)
        for at in town.crossroads:
            for way, rank in at.rank.items():
                self._rank[way] = rank

    def inside(self, row: int, way: int) -> float:
        """How far a vehicle's front axle is along its way; negative before it, beyond its length after it."""
        fleet, length = self.fleet, self.town.curves.length
        link = int(fleet.link[row])
        if link == way:
            return float(fleet.along[row])
        if int(fleet.ahead[row, 0]) == way:
            return float(fleet.along[row] - length[link])
        return float(length[way] + fleet.along[row])

    def release(self) -> None:
        """Takes back the permits of those who have passed."""
        length, fleet = self.town.curves.length, self.fleet
        for number, holders in enumerate(self.holders):
            if holders:
                self.holders[number] = [
                    (row, way) for row, way in holders
                    if fleet.driving[row] and self.inside(row, way) - fleet.tail[row] <= length[way]
                ]  # fmt: skip

    def forget(self, row: int) -> None:
        """Takes back a permit of a vehicle that is no longer there."""
        for number, holders in enumerate(self.holders):
            self.holders[number] = [holder for holder in holders if holder[0] != row]

    def decide(self, leader: Ints, last_on: Ints, dt: float) -> None:
        """Gives permits; `leader` is the row ahead on the same link, `last_on` the last row on each link."""
        fleet, length = self.fleet, self.town.curves.length
        self._stop_at_red()
        on_lane = fleet.driving & (fleet.ahead[:, 0] != NOWHERE)
        on_lane &= ~self._is_way[fleet.link]
        distance = length[fleet.link] - fleet.along - fleet.nose
        asking = np.flatnonzero(on_lane & (fleet.permit == NOWHERE) & (distance < ASK_EARLY + TIME_AHEAD * fleet.speed))
        slow = asking[fleet.speed[asking] < 0.5]
        self.waited[slow] += dt
        ways = fleet.ahead[asking, 0]
        rank = np.where(self.waited[asking] > PATIENCE, -1, self._rank[ways])
        near = (rank <= 0) | (distance[asking] < ASK_LATE)
        ahead = leader[asking]
        first = (ahead == NOWHERE) | (fleet.permit[ahead] != NOWHERE)
        chosen = np.flatnonzero(near & first)
        order = chosen[np.lexsort((distance[asking][chosen], rank[chosen]))]
        for i in order.tolist():
            row, way = int(asking[i]), int(ways[i])
            if self._free(row, way, last_on):
                fleet.permit[row] = way
                self.holders[self._junction[way]].append((row, way))
                self.waited[row] = 0.0

    def _stop_at_red(self) -> None:
        fleet, length = self.fleet, self.town.curves.length
        for number, at in enumerate(self.town.crossroads):
            if at.signal == NOWHERE or not self.holders[number]:
                continue
            kept = []
            for row, way in self.holders[number]:
                lamp = self.signals.lamp[at.signal, at.group[way]]
                left = length[fleet.link[row]] - fleet.along[row] - fleet.nose[row]
                before = fleet.permit[row] == way and left > 0
                can_stop = left > fleet.speed[row] ** 2 / (2 * BRAKES) + 0.15 * fleet.speed[row] + 0.6
                if before and lamp != GREEN_LAMP and (lamp == RED_LAMP or can_stop):
                    fleet.permit[row] = NOWHERE
                else:
                    kept.append((row, way))
            self.holders[number] = kept

    def _free(self, row: int, way: int, last_on: Ints) -> bool:
        number = int(self._junction[way])
        at, holders = self.town.crossroads[number], self.holders[number]
        if at.signal != NOWHERE and self.signals.lamp[at.signal, at.group[way]] != GREEN_LAMP:
            return False
        if any(self.walking[zebra] or self.claimed[zebra] for zebra, _, _ in at.zebras[way]):
            return False
        conflicts = dict(at.conflicts[way])
        for other, theirs in holders:
            until = conflicts.get(theirs)
            if until is not None and self.inside(other, theirs) - self.fleet.tail[other] <= until:
                return False
        return self._room(row, way, last_on, holders)

    def _room(self, row: int, way: int, last_on: Ints, holders: list[tuple[int, int]]) -> bool:
        fleet, lane = self.fleet, self.town.following[way][0]
        needed = float(fleet.nose[row] + fleet.tail[row]) + ROOM
        for other, theirs in holders:
            if self.town.following[theirs][0] == lane and fleet.link[other] != lane:
                needed += float(fleet.nose[other] + fleet.tail[other]) + ROOM
        last = int(last_on[lane])
        if last == NOWHERE:
            return True
        free = float(fleet.along[last] - fleet.tail[last])
        return free + (1.5 * float(fleet.speed[last]) if fleet.speed[last] > 3 else 0.0) > needed

    def parting(self) -> list[tuple[int, float, float]]:
        """Vehicles that follow another into the junction before their ways part: (row, gap, speed of the other)."""
        fleet, found = self.fleet, []
        for number, holders in enumerate(self.holders):
            if len(holders) < 2:
                continue
            at: Crossroads = self.town.crossroads[number]
            for row, way in holders:
                for other, theirs in holders:
                    apart = next((apart for sibling, apart in at.siblings[way] if sibling == theirs), None)
                    if apart is None:
                        continue
                    front, rear = self.inside(row, way), self.inside(other, theirs) - float(fleet.tail[other])
                    if rear < apart and rear + float(fleet.tail[other]) > front:
                        found.append((row, rear - front - float(fleet.nose[row]), float(fleet.speed[other])))
        return found

    def may_walk(self, zebra: int, needed: float) -> bool:
        """Whether a walker may step onto a zebra crossing that takes `needed` seconds; claims it where that helps."""
        place = self.town.zebras[zebra]
        at = self.town.crossroads[place.junction]
        if at.signal != NOWHERE:
            lamp = self.signals.lamp[at.signal, place.group]
            if lamp != RED_LAMP or self.signals.until_green[at.signal, place.group] < needed:
                return False
        self.claimed[zebra] = True
        return not self._driven_over(zebra, at, place.junction)

    def _driven_over(self, zebra: int, at: Crossroads, junction: int) -> bool:
        for row, way in self.holders[junction]:
            for crossed, _, end in at.zebras[way]:
                if crossed == zebra and self.inside(row, way) - self.fleet.tail[row] <= end:
                    return True
        return False
