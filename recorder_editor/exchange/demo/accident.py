"""The one collision of the town: a cyclist swerves off the bicycle lane, and the hero behind does not brake in time.

They ride along the long approach, where nobody else comes from the side, so that it happens whatever the traffic does.
"""

import numpy as np

from ..blueprints import BICYCLES, HERO_MODEL
from .town import APPROACH, STOP
from .traffic import Traffic

HERO, CYCLIST = 0, 1  # rows
LEAD = 16.0  # metres between the two before it happens
WHERE = APPROACH - STOP - 75.0  # of the hero, when it speeds up
RIDING, HASTE, STROLL = 7.0, 9.5, 3.6  # m/s
LATEST = 15.0  # seconds
ASIDE, SWERVING, MEETS = 2.25, 1.3, 1.3  # metres to the left, in seconds; metres from which the bicycle is in the way
REACTION = 1.15  # of the time until they meet, when the cyclist swerves
FALL, FALLING = 1.36, 0.6  # radians the bicycle falls over, in seconds


class Accident:
    """Hero and cyclist, who speed up and slow down at `begins` (seconds).

    Attributes: `starts` (rail, metres along it and speed of both), `touching` (in the last step).
    """

    def __init__(self, traffic: Traffic, begins: float) -> None:
        self.traffic, self.begins, self.touching = traffic, min(begins, LATEST), False
        start = max(10.0, WHERE - RIDING * self.begins)
        self._pace = (WHERE - start) / max(self.begins, 1.0)
        self.starts = {HERO: (0, start, self._pace), CYCLIST: (1, start + LEAD, self._pace)}
        self._since = 0.0  # the cyclist began to swerve, then to fall

    def steer(self, time: float, dt: float) -> None:
        """Sets what the two want to do in the step that follows."""
        traffic = self.traffic
        traffic.wish[[HERO, CYCLIST]] = (HASTE, STROLL) if time >= self.begins else self._pace
        closing = traffic.speed[HERO] - traffic.speed[CYCLIST]
        if traffic.driving[CYCLIST] and (self._since or (closing > 2.0 and self._gap() < REACTION * closing)):
            self._since += dt
            share = min(self._since / SWERVING, 1.0)
            traffic.swerve[CYCLIST] = -ASIDE * share**2 * (3 - 2 * share)
            traffic.swerve_speed[CYCLIST] = -ASIDE * 6 * share * (1 - share) / SWERVING

    def after(self, dt: float) -> None:
        """Lets them touch, and the hero push the bicycle, once the traffic has moved."""
        traffic, pose, gap = self.traffic, self.traffic.pose, self._gap()
        if traffic.driving[CYCLIST] and traffic.swerve[CYCLIST] < -MEETS and gap < 0.0:
            traffic.driving[CYCLIST], traffic.emergency[HERO], self._since = False, True, 0.0
        self.touching = bool(traffic.emergency[HERO] and traffic.speed[HERO] > 0.05)
        if traffic.emergency[HERO]:
            self._since += dt
            traffic.speed[CYCLIST] = traffic.speed[HERO]
            traffic.lean[CYCLIST] = FALL * min(self._since / FALLING, 1.0) ** 2
            (x, y), yaw = pose[:2, CYCLIST], pose[5, HERO]
            traffic.park(CYCLIST, x - gap * np.cos(yaw), y - gap * np.sin(yaw), pose[5, CYCLIST])

    def _gap(self) -> float:
        """How far the bicycle's end is before the hero's bumper."""
        x, y, _, _, _, yaw = self.traffic.pose[:, CYCLIST]
        (hero_x, hero_y), hero_yaw = self.traffic.pose[:2, HERO], self.traffic.pose[5, HERO]
        ahead = (x - hero_x) * np.cos(hero_yaw) + (y - hero_y) * np.sin(hero_yaw)
        long, wide = abs(np.cos(yaw - hero_yaw)), abs(np.sin(yaw - hero_yaw))
        reach = BICYCLES[0].half_length * long + BICYCLES[0].half_width * wide + HERO_MODEL.half_length
        return float(ahead - reach / 100)
