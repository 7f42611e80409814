"""The one collision of the town: a cyclist swerves off the bicycle lane, and the hero behind does not brake in time.

Until then the cyclist is kept a little ahead of the hero on the ring road. Moves those two only, and says when they
touch. Knows no other actors.
"""

from enum import Enum
from math import pi

import numpy as np

from .geometry import Floats, turned
from .junctions import PATIENCE
from .town import Town
from .traffic import Traffic

LEAD = 15.0  # metres between the two before it happens
NEEDED = 40.0  # metres of lane still ahead of the cyclist when the hero speeds up
HASTE, STROLL = 9.5, 3.6  # m/s of the hero and of the cyclist then
ASIDE, SWERVING = 2.25, 1.3  # metres to the left, in seconds
REACTION = 1.15  # of the time until they meet, when the cyclist swerves
SCRAPE = 7.8  # m/s2 that slow a bicycle sliding on the road
TOUCH = 0.03  # metres
FALL, SPIN = 1.36, 0.5  # radians the bicycle falls over and turns
FALLING = 0.6  # seconds


class Stage(Enum):
    """How far it has come."""

    RIDING = 0
    CLOSING = 1
    SWERVING = 2
    SLIDING = 3


class Accident:
    """Hero and cyclist on the ring road, from `begins` (seconds) on.

    Attributes: `stage`, `hero` and `bicycle` (rows), `touching` (in the last step).
    """

    def __init__(self, town: Town, traffic: Traffic, hero: int, bicycle: int, begins: float) -> None:
        self.traffic, self.hero, self.bicycle, self.begins = traffic, hero, bicycle, begins
        self.stage, self.touching = Stage.RIDING, False
        self._town = town
        self._own_pace = float(traffic.wanted[hero])
        self._since = 0.0
        self._slide, self._heading = 0.0, 0.0
        ring = town.ring(int(traffic.fleet.link[hero]))
        bicycles = town.ring(int(traffic.fleet.link[bicycle]))
        length = town.curves.length
        starts = np.concatenate(([0.0], np.cumsum(length[ring])))
        self._round = float(starts[-1])
        self._starts = {link: float(start) for link, start in zip(ring, starts, strict=False)}
        self._beside = {
            bicycle: (car, float(length[car] / length[bicycle])) for car, bicycle in zip(ring, bicycles, strict=True)
        }

    def steer(self, time: float, dt: float) -> None:
        """Sets what the two want to do in the step that follows."""
        fleet, wanted = self.traffic.fleet, self.traffic.wanted
        lead = self._lead()
        self._since += dt
        # Both are let through first everywhere, so that they meet while the recording lasts.
        self.traffic.junctions.waited[[self.hero, self.bicycle]] = 2 * PATIENCE
        if self.stage is Stage.RIDING:
            wanted[self.bicycle] = np.clip(5.4 + 0.2 * (LEAD + 2.0 - lead), 3.0, 6.8)
            wanted[self.hero] = np.clip(fleet.speed[self.bicycle] + 0.25 * (lead - LEAD), 3.0, self._own_pace)
            if time >= self.begins and self._good_place(lead):
                self._enter(Stage.CLOSING)
        elif self.stage is Stage.CLOSING:
            wanted[self.bicycle], wanted[self.hero] = STROLL, HASTE
            closing = float(fleet.speed[self.hero] - fleet.speed[self.bicycle])
            gap = lead - float(fleet.nose[self.hero] + fleet.tail[self.bicycle])
            if closing > 2.0 and gap < closing * REACTION:
                self._enter(Stage.SWERVING)
            elif self._since > 6.0 or gap < 0.5:
                self._enter(Stage.RIDING)
        elif self.stage is Stage.SWERVING:
            share = min(self._since / SWERVING, 1.0)
            fleet.swerve[self.bicycle] = -ASIDE * share**2 * (3 - 2 * share)
            fleet.swerve_speed[self.bicycle] = -ASIDE * 6 * share * (1 - share) / SWERVING

    def after(self, dt: float) -> None:
        """Lets them touch, push and slide, once the traffic has moved."""
        self.touching = False
        if self.stage is Stage.SWERVING and self._depth() > -TOUCH:
            self._hit()
            self.touching = True
        elif self.stage is Stage.SLIDING:
            self._slide_on(dt)

    def _enter(self, stage: Stage) -> None:
        self.stage, self._since = stage, 0.0

    def _lead(self) -> float:
        """How far the cyclist is ahead of the hero along the ring road."""
        fleet = self.traffic.fleet
        car = self._starts.get(int(fleet.link[self.hero]), 0.0) + float(fleet.along[self.hero])
        beside = self._beside.get(int(fleet.link[self.bicycle]))
        if beside is None:
            return LEAD
        bicycle = self._starts[beside[0]] + beside[1] * float(fleet.along[self.bicycle])
        lead = (bicycle - car) % self._round
        return lead - self._round if lead > self._round / 2 else lead

    def _good_place(self, lead: float) -> bool:
        """The cyclist is on a lane with enough of it to go, and the hero on it too or about to come onto it."""
        fleet = self.traffic.fleet
        link = int(fleet.link[self.bicycle])
        beside = self._beside.get(link)
        if beside is None or self._town.is_way[link]:
            return False
        lane = beside[0]
        if lane not in (int(fleet.link[self.hero]), int(fleet.ahead[self.hero, 0])):
            return False
        left = float(self._town.curves.length[link] - fleet.along[self.bicycle])
        return left > NEEDED and 8.0 < lead < 26.0 and self._clear_ahead(lane, lead)

    def _clear_ahead(self, lane: int, lead: float) -> bool:
        """Nobody drives between the two or right before the cyclist."""
        fleet = self.traffic.fleet
        rows = np.flatnonzero(fleet.driving & (fleet.link == lane))
        rows = rows[rows != self.hero]
        before = fleet.along[rows] - fleet.tail[rows] - float(fleet.along[self.bicycle]) + lead
        return not np.any((before > 0) & (before < lead + 20.0))

    def _hit(self) -> None:
        fleet = self.traffic.fleet
        self._enter(Stage.SLIDING)
        fleet.driving[self.bicycle] = False
        self.traffic.junctions.forget(self.bicycle)
        self.traffic.emergency[self.hero] = True
        self._slide = float(fleet.speed[self.hero])
        self._heading = float(fleet.yaw[self.hero])

    def _slide_on(self, dt: float) -> None:
        fleet, row = self.traffic.fleet, self.bicycle
        self._slide = max(0.0, self._slide - SCRAPE * dt)
        share = min(self._since / FALLING, 1.0)
        fleet.x[row] += self._slide * dt * np.cos(self._heading)
        fleet.y[row] += self._slide * dt * np.sin(self._heading)
        if self._slide > 0.1:
            fleet.yaw[row] = turned(fleet.yaw[row] - SPIN * dt)
        fleet.lean[row] = FALL * share**2
        depth = self._depth()
        if depth > 0.0:
            fleet.x[row] += depth * np.cos(self._heading)
            fleet.y[row] += depth * np.sin(self._heading)
            self._slide = max(self._slide, float(fleet.speed[self.hero]))
        fleet.speed[row] = self._slide
        fleet.lie_on_ground(np.array([row]))
        self.touching = depth > -TOUCH and fleet.speed[self.hero] > 0.05

    def _depth(self) -> float:
        """How far the bicycle reaches into the hero's box along the hero's way; negative for a gap."""
        fleet = self.traffic.fleet
        yaw = float(fleet.yaw[self.hero])
        corners = self._corners()
        to = corners - self._middle(self.hero)
        ahead = to[:, 0] * np.cos(yaw) + to[:, 1] * np.sin(yaw)
        aside = -to[:, 0] * np.sin(yaw) + to[:, 1] * np.cos(yaw)
        if aside.min() > fleet.half_width[self.hero] or aside.max() < -fleet.half_width[self.hero]:
            return -1.0
        return float(fleet.half_length[self.hero] - ahead.min())

    def _middle(self, row: int) -> Floats:
        fleet = self.traffic.fleet
        model, yaw = fleet.model[row], float(fleet.yaw[row])
        ahead = model.ahead / 100 if model is not None else 0.0
        return np.array([fleet.x[row] + ahead * np.cos(yaw), fleet.y[row] + ahead * np.sin(yaw)])

    def _corners(self) -> Floats:
        fleet, row = self.traffic.fleet, self.bicycle
        angle = np.arctan2(fleet.half_width[row], fleet.half_length[row])
        far = np.hypot(fleet.half_width[row], fleet.half_length[row])
        around = fleet.yaw[row] + np.array([angle, -angle, pi + angle, pi - angle])
        corners: Floats = self._middle(row) + far * np.stack((np.cos(around), np.sin(around)), axis=1)
        return corners
