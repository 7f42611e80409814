"""The one collision of the town: a cyclist swerves off the bicycle lane, and the hero behind does not brake in time.

It happens on the long approach, which has no junctions, so that it does not depend on the other traffic.
"""

import numpy as np

from ..blueprints import BICYCLES, HERO_MODEL
from .town import APPROACH, STOP
from .traffic import Traffic

HERO, CYCLIST = 0, 1  # rows
LEAD = 16.0  # metres between the two before the accident
HERO_SPEEDS_UP = APPROACH - STOP - 75.0  # metres along the rail
CRUISE_SPEED, HERO_SPEED, CYCLIST_SPEED = 7.0, 9.5, 3.6  # m/s
LATEST_BEGIN = 15.0  # seconds
SWERVE, SWERVE_TIME, IN_PATH = 2.25, 1.3, 1.3  # metres to the left, seconds, metres at which it is in the hero's path
REACTION = 1.15  # seconds to contact at which the cyclist swerves
FALL_ANGLE, FALL_TIME = 1.36, 0.6  # radians, seconds


class Accident:
    """Controls hero and cyclist, who change their speeds at `begins` (seconds).

    Attributes: `starts` (rail, metres along it and speed of both), `in_contact` (in the last step).
    """

    def __init__(self, traffic: Traffic, begins: float) -> None:
        self.traffic, self.begins, self.in_contact = traffic, min(begins, LATEST_BEGIN), False
        start = max(10.0, HERO_SPEEDS_UP - CRUISE_SPEED * self.begins)
        self._pace = (HERO_SPEEDS_UP - start) / max(self.begins, 1.0)
        self.starts = {HERO: (0, start, self._pace), CYCLIST: (1, start + LEAD, self._pace)}
        self._since = 0.0  # seconds since the cyclist began to swerve, then to fall

    def prepare_step(self, time: float, dt: float) -> None:
        """Set the speeds and the swerve of the next step."""
        traffic = self.traffic
        traffic.target_speed[[HERO, CYCLIST]] = (HERO_SPEED, CYCLIST_SPEED) if time >= self.begins else self._pace
        closing = traffic.speed[HERO] - traffic.speed[CYCLIST]
        if traffic.driving[CYCLIST] and (self._since or (closing > 2.0 and self._gap() < REACTION * closing)):
            self._since += dt
            share = min(self._since / SWERVE_TIME, 1.0)
            traffic.swerve[CYCLIST] = -SWERVE * share**2 * (3 - 2 * share)
            traffic.swerve_speed[CYCLIST] = -SWERVE * 6 * share * (1 - share) / SWERVE_TIME

    def resolve_contact(self, dt: float) -> None:
        """Detect contact after a step, and let the hero push the bicycle."""
        traffic, pose, gap = self.traffic, self.traffic.pose, self._gap()
        if traffic.driving[CYCLIST] and traffic.swerve[CYCLIST] < -IN_PATH and gap < 0.0:
            traffic.driving[CYCLIST], traffic.emergency[HERO], self._since = False, True, 0.0
        self.in_contact = bool(traffic.emergency[HERO] and traffic.speed[HERO] > 0.05)
        if traffic.emergency[HERO]:
            self._since += dt
            traffic.speed[CYCLIST] = traffic.speed[HERO]
            traffic.lean[CYCLIST] = FALL_ANGLE * min(self._since / FALL_TIME, 1.0) ** 2
            (x, y), yaw = pose[:2, CYCLIST], pose[5, HERO]
            traffic.park(CYCLIST, x - gap * np.cos(yaw), y - gap * np.sin(yaw), pose[5, CYCLIST])

    def _gap(self) -> float:
        """Metres from the hero's bumper to the bicycle."""
        x, y, _, _, _, yaw = self.traffic.pose[:, CYCLIST]
        (hero_x, hero_y), hero_yaw = self.traffic.pose[:2, HERO], self.traffic.pose[5, HERO]
        ahead = (x - hero_x) * np.cos(hero_yaw) + (y - hero_y) * np.sin(hero_yaw)
        long, wide = abs(np.cos(yaw - hero_yaw)), abs(np.sin(yaw - hero_yaw))
        reach = BICYCLES[0].half_length * long + BICYCLES[0].half_width * wide + HERO_MODEL.half_length
        return float(ahead - reach / 100)
