"""Traffic simulation: car following along rails, right of way at junctions, and the one collision of the town.

Acceleration follows the intelligent driver model, for walkers too. A junction serves one group at a time: traffic along
the avenue, driving along the street, or walking along it, so that paths never cross. Each row of the columns is one
road user; rows of those that left the map are used again. Knows no actors and no files.
"""

from random import Random

import numpy as np

from ..arrays import FloatArray, IntArray
from ..edits.blueprints import BICYCLES, DRIVERS, HERO_MODEL, Model
from ..edits.new_actors.driven_paths import MAX_BRAKING, idm_acceleration
from ..edits.paths.edit_path import MAX_STEERING
from .town import APPROACH, CORNER, GREEN_LAMP, RED_LAMP, STOP, Town, ground, wrap_angle

BRAKE_JERK, RELEASE_JERK = 18.0, 4.0  # m/s3, as braking builds up and is released
STOP_MARGIN, CORNER_BRAKING, CORNER_SPEED = 0.8, 1.2, 4.0  # metres, m/s2, m/s
YELLOW_BRAKING = 3.4  # m/s2; vehicles that would have to brake harder do not stop at yellow
WALK_START, WALK_TIME = 4.0, 9.0  # seconds of green in which walkers may start, and that they need in their own phase
TURNS_RIGHT = 0.75
GRAVITY, SUSPENSION, DIVE, SWAY = 9.81, 0.25, 0.006, 0.009  # m/s2, s, radians for each m/s2


class Traffic:
    """Columns of shape (places,), metres, seconds, radians; `steer` and `spin` in degrees.

    Attributes: `alive` (in the world), `driving` (moved along the rails), `model`; `rail`, `along` (of the front axle),
    `speed`, `accel`, `target_speed` (m/s), `ahead` (index of the next junction on the rail), `permit` (may enter it),
    `turning` (turns right there), `emergency` (full braking), `swerve` and `swerve_speed`; `pose` (x, y, z,
    roll, pitch, yaw; shape (6, places)); `departed` (rows that left the map in the last step).
    """

    def __init__(self, town: Town, places: int, random: Random) -> None:
        self.town = town
        self.random = random
        self.departed = np.zeros(0, np.int64)
        self.model: list[Model] = [HERO_MODEL] * places
        self.rail, self.ahead = np.zeros((2, places), np.int64)
        self.alive, self.driving, self.walks, self.two_wheels = np.zeros((4, places), bool)
        self.permit, self.turning, self.emergency = np.zeros((3, places), bool)
        self.along, self.speed, self.accel, self.target_speed, self.max_accel, self.min_gap = np.zeros((6, places))
        self.front, self.rear, self.wheelbase, self.radius, self.height = np.ones((5, places))
        self.swerve, self.swerve_speed, self.lean, self.dive, self.steer, self.spin = np.zeros((6, places))
        self.pose = np.zeros((6, places))

    def add(self, row: int, model: Model) -> None:
        """Initialize a free row with a model; `place_on_rail` or `park` sets its position."""
        self.alive[row], self.model[row], self.two_wheels[row] = True, model, model.is_two_wheeler
        half = model.half_length / 100
        base = model.wheelbase
        self.front[row], self.rear[row], self.wheelbase[row] = half - base / 2, half + base / 2, base
        self.walks[row] = model.kind == "walker"
        self.height[row], self.radius[row] = model.half_height / 100 * self.walks[row], model.drive[0]
        slow, fast, max_accel, self.min_gap[row] = DRIVERS[model.kind]
        self.target_speed[row] = slow + (fast - slow) * self.random.random()
        self.max_accel[row] = max_accel + 0.4 * self.random.random()
        for column in (self.accel, self.swerve, self.swerve_speed, self.lean, self.dive, self.steer):
            column[row] = 0.0

    def place_on_rail(self, row: int, rail: int, along: float, speed: float) -> None:
        """Place a row on a rail, outside of junctions."""
        self.driving[row], self.permit[row], self.rail[row], self.along[row] = True, False, rail, along
        self.speed[row], self.ahead[row] = speed, np.searchsorted(self.town.ends[rail], along)
        self.pose[[0, 1, 5], row] = self.town.along(rail, along - self.wheelbase[row] / 2)
        self._choose_turns(np.array([row]))
        self._update_poses(np.array([row]), 0.0)

    def park(self, row: int, x: float, y: float, yaw: float) -> None:
        """Place a vehicle at rest, off the rails."""
        self.driving[row], self.pose[[0, 1, 5], row] = False, (x, y, yaw)
        self._update_attitudes(np.array([row]))

    def free_places(self, kind: int, every: float) -> list[tuple[int, float]]:
        """Start positions (rail, along) on rails of a kind, in random order."""
        found = []
        for rail in np.flatnonzero(self.town.kind == kind).tolist():
            for along in np.arange(8.0, self.town.length[rail] - 8.0, every):
                if not np.any((self.town.begins[rail] < along + 2.5 * every) & (along < self.town.ends[rail] + every)):
                    found.append((rail, float(along)))
        return self.random.sample(found, len(found))

    def is_free(self, rail: int, along: float, metres: float) -> bool:
        """Whether a position on a rail has no one within so many metres."""
        return not np.any(self.driving & (self.rail == rail) & (np.abs(self.along - along) < metres))

    def step(self, time: float, dt: float) -> None:
        """Advance all rows by `dt` seconds, to `time`."""
        town = self.town
        width = self.town.junction.shape[1]
        rows = np.flatnonzero(self.driving)
        rows = rows[np.lexsort((self.along[rows], self.rail[rows]))]
        rail = self.rail[rows]
        ahead = self.ahead[rows]
        is_turn = self.turning[rows]
        speed = self.speed[rows]
        back = np.append(self.along[rows] - self.rear[rows], 0.0)
        line = town.begins[rail, ahead] - self.along[rows]
        gap = np.full((3, rows.size), np.inf)
        closing = np.zeros((3, rows.size))
        led = np.append(rail[1:] == rail[:-1], False)[: rows.size]
        gap[0, led], closing[0, led] = (back[1:] - self.along[rows])[led], (speed - np.roll(speed, -1))[led]
        # A right turn leads to another rail; all others stay on theirs.
        onto, at = np.where(is_turn, town.corner[:, rail, ahead], (rail, ahead))
        key, target = rail * width + ahead, onto * width + at  # the key grows along the rows
        beyond = np.searchsorted(key, target, side="right")
        there = np.append(rail, -1)[beyond] == onto
        free = np.where(there, back[beyond] - np.minimum(town.ends[onto, at], 1e9), np.inf)
        gap[1], closing[1] = np.where(is_turn, line + CORNER + free, np.inf), speed - np.append(speed, 0.0)[beyond]
        self._assign_junctions(time, rows, key, target, line - self.front[rows], free)
        gap[2], closing[2] = np.where(self.permit[rows], np.inf, line + self.min_gap[rows] - STOP_MARGIN), speed
        slow = np.where(is_turn, np.sqrt(CORNER_SPEED**2 + 2 * CORNER_BRAKING * np.maximum(line, 0.0)), np.inf)
        accel = self._acceleration(rows, np.minimum(self.target_speed[rows], slow), gap - self.front[rows], closing)
        self.accel[rows] += np.clip(accel - self.accel[rows], -BRAKE_JERK * dt, RELEASE_JERK * dt)
        self.speed[rows] = np.maximum(speed + self.accel[rows] * dt, 0.0)
        self.accel[rows] = np.maximum(self.accel[rows], np.where(self.speed[rows] > 0, -np.inf, 0.0))
        self.along[rows] += self.speed[rows] * dt
        self._leave_junctions(rows)
        self._update_poses(rows, dt)

    def _acceleration(self, rows: IntArray, target: FloatArray, gap: FloatArray, closing: FloatArray) -> FloatArray:
        """Accelerations; `gap` and `closing` are of shape (obstacles, n)."""
        drivers = self.max_accel[rows], self.min_gap[rows]
        accel = idm_acceleration(drivers, self.speed[rows], target, gap, closing)
        return np.where(self.emergency[rows], -MAX_BRAKING, accel)

    def _assign_junctions(
        self, time: float, rows: IntArray, key: IntArray, target: IntArray, left: FloatArray, free: FloatArray
    ) -> None:
        """Grant junctions, `left` metres ahead, to rows with right of way and enough `free` space behind them."""
        town = self.town
        permit = self.permit[rows]
        speed = self.speed[rows]
        walks = self.walks[rows]
        junction = town.junction[self.rail[rows], self.ahead[rows]]
        group = town.group[self.rail[rows]]
        lamps, sinces, walk = town.lamps(time)
        axis = np.minimum(group, 1)
        lit = town.lit[junction]
        lamp = lamps[junction, axis]
        since = sinces[junction, axis]
        shows = np.where(lit & ~walks, lamp, GREEN_LAMP)
        can_stop = (left > speed**2 / (2 * YELLOW_BRAKING) + 0.15 * speed + 0.6) | (shows == RED_LAMP)
        permit &= (left <= 0) | (shows == GREEN_LAMP) | ~can_stop
        held, asks = np.zeros((2, len(town.lit), 3), np.int64)
        np.add.at(held, (junction[permit], group[permit]), 1)
        second = np.append((key[1:] == key[:-1]) & ~permit[1:], False)[: rows.size]
        asking = ~permit & ~second & (left < np.where(walks, 2.0, 8.0 + 3.5 * speed))
        np.add.at(asks, (junction[asking], group[asking]), 1)
        green = np.where(group == 2, walk[junction] > WALK_TIME, (lamp == GREEN_LAMP) & ~(walks & (since > WALK_START)))
        # Without lights: first the avenue, then the street, then walkers along it.
        first = asks[junction].cumsum(axis=1)[np.arange(rows.size), group] == asks[junction, group]
        mine = np.where(lit, green, first)
        clear = held[junction].sum(axis=1) == held[junction, group]
        needs = self.front[rows] + self.rear[rows] + self.min_gap[rows]
        promised = np.bincount(target[permit], weights=needs[permit], minlength=town.junction.size)
        self.permit[rows] = permit | (asking & mine & clear & (free - promised[target] > needs))

    def _leave_junctions(self, rows: IntArray) -> None:
        """Update the next junction of rows that left one, and `departed` of those that left the map."""
        town = self.town
        inside = self.along[rows] - town.begins[self.rail[rows], self.ahead[rows]] - CORNER
        turners, inside = rows[self.turning[rows] & (inside > 0)], inside[self.turning[rows] & (inside > 0)]
        onto, at = town.corner[:, self.rail[turners], self.ahead[turners]]
        self.along[turners] = town.ends[onto, at] + inside
        self.rail[turners], self.ahead[turners], self.turning[turners] = onto, at, False
        back = self.along[rows] - self.rear[rows]
        passed = rows[back > town.ends[self.rail[rows], self.ahead[rows]]]
        self.ahead[passed] += 1
        self.permit[passed] = False
        self._choose_turns(passed)
        self.departed = rows[back > town.length[self.rail[rows]]]

    def _choose_turns(self, rows: IntArray) -> None:
        """Draw which rows turn right at their next junction, where possible."""
        turns = np.array([self.random.random() < TURNS_RIGHT for _ in rows], bool)
        self.turning[rows] = turns & (self.town.corner[0, self.rail[rows], self.ahead[rows]] >= 0)

    def _update_poses(self, rows: IntArray, dt: float) -> None:
        """Update poses: the front axle is on the rail, the rear axle follows it."""
        speed = self.speed[rows]
        base = self.wheelbase[rows]
        before = self.pose[5, rows]
        inside = self.along[rows] - self.town.begins[self.rail[rows], self.ahead[rows]]
        corner = np.where(self.turning[rows], np.clip(inside, 0.0, CORNER), 0.0)
        x, y, heading = self.town.along(self.rail[rows], self.along[rows], self.swerve[rows], corner)
        # The rear axle rolls along the mean of both headings, without side slip.
        yaw, (old_x, old_y) = before, self.pose[:2, rows]
        for _ in range(4):
            course = before + wrap_angle(yaw - before) / 2
            rolled_x = x - old_x + base * (np.cos(before) / 2 - np.cos(yaw))
            rolled_y = y - old_y + base * (np.sin(before) / 2 - np.sin(yaw))
            yaw = yaw + (rolled_y * np.cos(course) - rolled_x * np.sin(course)) / base
        rate, yaw = wrap_angle(yaw - before) / max(dt, 1e-9), wrap_angle(yaw)
        front = heading + np.arctan2(self.swerve_speed[rows], np.maximum(speed, 1.0)) - yaw
        self.steer[rows] = np.clip(np.degrees(wrap_angle(front)), -MAX_STEERING, MAX_STEERING)
        self.pose[:2, rows], self.pose[5, rows] = (x - base / 2 * np.cos(yaw), y - base / 2 * np.sin(yaw)), yaw
        two = self.two_wheels[rows]
        share = min(1.0, dt / SUSPENSION)
        outward = np.where(two, np.arctan(speed * rate / GRAVITY), -np.clip(SWAY * speed * rate, -0.05, 0.05))
        self.lean[rows] += share * (outward - self.lean[rows])
        self.dive[rows] += share * (np.where(two, 0.0, DIVE * self.accel[rows]) - self.dive[rows])
        self.spin[rows] -= np.degrees(speed * dt / self.radius[rows])
        self._update_attitudes(rows)

    def _update_attitudes(self, rows: IntArray) -> None:
        """Update height, roll and pitch from the terrain and the suspension; walkers stay upright."""
        x, y, _, _, _, yaw = self.pose[:, rows]
        (height, along_x, along_y), rolls = ground(x, y), ~self.walks[rows]
        self.pose[2, rows] = height + self.height[rows]
        self.pose[3, rows] = rolls * (self.lean[rows] - np.arctan(along_y * np.cos(yaw) - along_x * np.sin(yaw)))
        self.pose[4, rows] = rolls * (self.dive[rows] + np.arctan(along_x * np.cos(yaw) + along_y * np.sin(yaw)))


# --- the accident -----------------------------------------------------------------------------------------


HERO, CYCLIST = 0, 1  # rows
LEAD = 16.0  # metres between the two before the accident
HERO_SPEEDS_UP = APPROACH - STOP - 75.0  # metres along the rail
CRUISE_SPEED, HERO_SPEED, CYCLIST_SPEED = 7.0, 9.5, 3.6  # m/s
LATEST_BEGIN = 15.0  # seconds
SWERVE, SWERVE_TIME, IN_PATH = 2.25, 1.3, 1.3  # metres to the left, seconds, metres at which it is in the hero's path
REACTION = 1.15  # seconds to contact at which the cyclist swerves
FALL_ANGLE, FALL_TIME = 1.36, 0.6  # radians, seconds


class Accident:
    """A cyclist swerves off the bicycle lane, and the hero behind does not brake in time.

    It happens on the long approach, which has no junctions, so that it does not depend on the other traffic. Controls
    both, who change their speeds at `begins` (seconds). With `collides` off the cyclist stays on the lane, and the hero
    passes.

    Attributes: `starts` (rail, metres along it and speed of both), `in_contact` (in the last step).
    """

    def __init__(self, traffic: Traffic, begins: float, *, collides: bool = True) -> None:
        self.traffic = traffic
        self.begins = min(begins, LATEST_BEGIN)
        self.in_contact = False
        self.collides = collides
        start = max(10.0, HERO_SPEEDS_UP - CRUISE_SPEED * self.begins)
        self._pace = (HERO_SPEEDS_UP - start) / max(self.begins, 1.0)
        self.starts = {HERO: (0, start, self._pace), CYCLIST: (1, start + LEAD, self._pace)}
        self._since = 0.0  # seconds since the cyclist began to swerve, then to fall

    def prepare_step(self, time: float, dt: float) -> None:
        """Set the speeds and the swerve of the next step."""
        traffic = self.traffic
        if time >= self.begins:
            traffic.target_speed[[HERO, CYCLIST]] = (HERO_SPEED, CYCLIST_SPEED)
        else:
            traffic.target_speed[[HERO, CYCLIST]] = self._pace
        if not self.collides:
            return
        closing = traffic.speed[HERO] - traffic.speed[CYCLIST]
        if traffic.driving[CYCLIST] and (self._since or (closing > 2.0 and self._gap() < REACTION * closing)):
            self._since += dt
            share = min(self._since / SWERVE_TIME, 1.0)
            traffic.swerve[CYCLIST] = -SWERVE * share**2 * (3 - 2 * share)
            traffic.swerve_speed[CYCLIST] = -SWERVE * 6 * share * (1 - share) / SWERVE_TIME

    def resolve_contact(self, dt: float) -> None:
        """Detect contact after a step, and let the hero push the bicycle."""
        traffic = self.traffic
        pose = self.traffic.pose
        gap = self._gap()
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
        long = abs(np.cos(yaw - hero_yaw))
        wide = abs(np.sin(yaw - hero_yaw))
        reach = BICYCLES[0].half_length * long + BICYCLES[0].half_width * wide + HERO_MODEL.half_length
        return float(ahead - reach / 100)
