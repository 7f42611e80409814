"""Traffic simulation: car following along rails, right of way at junctions, and the one collision of the town.

Acceleration follows the intelligent driver model, for walkers too. A junction serves one group at a time: traffic along
the avenue, driving along the street, or walking along it, so that paths never cross. Each row of the columns is one
road user; rows of those that left the map are used again. Knows no actors and no files.
"""

from random import Random
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..edits.blueprints import BICYCLES, DRIVERS, HERO_MODEL, Model
from ..edits.new_actors.driven_paths import MAX_BRAKING, idm_acceleration
from ..edits.paths.edit_path import MAX_STEERING
from .town import APPROACH, CORNER, GREEN_LAMP, RED_LAMP, STOP, Town, ground, wrap_angle

BRAKE_JERK = 18.0  # m/s3, as braking builds up
RELEASE_JERK = 4.0  # m/s3, as it is released
STOP_MARGIN = 0.8  # metres
CORNER_BRAKING = 1.2  # m/s2
CORNER_SPEED = 4.0  # m/s
YELLOW_BRAKING = 3.4  # m/s2; vehicles that would have to brake harder do not stop at yellow
WALK_START = 4.0  # seconds of green in which walkers may start
WALK_TIME = 9.0  # seconds that they need in their own phase
TURNS_RIGHT = 0.75
GRAVITY = 9.81  # m/s2
SUSPENSION = 0.25  # s
DIVE = 0.006  # radians for each m/s2
SWAY = 0.009  # radians for each m/s2


class Start(NamedTuple):
    """Where a road user begins.

    Attributes:
        rail: The index of its rail.
        along: Metres along that.
        speed: Its speed in m/s, if it is not slower by itself.
    """

    rail: int
    along: float
    speed: float = 4.5


class Traffic:
    """Columns of shape (places,), in metres, seconds and radians.

    Attributes:
        town: The road network.
        random: The source of what is left to chance.
        departed: Rows that left the map in the last step.
        model: Models of the road users.
        rail: The rail that a row is on.
        ahead: The next crossing on it.
        alive: Whether the row is in the world.
        driving: Whether it moves along the rails.
        walks: Whether it is a walker.
        two_wheels: Whether it is a motorcycle or a bicycle.
        permit: Whether it may enter the next junction.
        turning: Whether it turns right there.
        emergency: Whether it brakes as hard as it can.
        along: Position of the front axle on the rail.
        speed: Its speed.
        accel: Its acceleration.
        target_speed: The speed that it aims at.
        max_accel: Its highest acceleration.
        min_gap: Its gap to a leader at standstill.
        front: Metres from the front axle to the front.
        rear: Metres from the front axle to the rear.
        wheelbase: Metres between the axles.
        radius: Of its wheels.
        height: Of its origin above the ground.
        swerve: Metres that it is to the right of the rail.
        swerve_speed: Its speed to the right.
        lean: Its roll by the suspension.
        dive: Its pitch by the suspension.
        steer: Angle of the front wheels in degrees.
        spin: Angle by which wheels have turned, in degrees.
        pose: x, y, z, roll, pitch, yaw, shape (6, places).
    """

    def __init__(self, town: Town, places: int, random: Random) -> None:
        self.town = town
        self.random = random
        self.departed = np.zeros(0, np.int64)
        self.model: list[Model] = [HERO_MODEL] * places
        self.rail = np.zeros(places, np.int64)
        self.ahead = np.zeros(places, np.int64)
        self.alive = np.zeros(places, bool)
        self.driving = np.zeros(places, bool)
        self.walks = np.zeros(places, bool)
        self.two_wheels = np.zeros(places, bool)
        self.permit = np.zeros(places, bool)
        self.turning = np.zeros(places, bool)
        self.emergency = np.zeros(places, bool)
        self.along = np.zeros(places)
        self.speed = np.zeros(places)
        self.accel = np.zeros(places)
        self.target_speed = np.zeros(places)
        self.max_accel = np.zeros(places)
        self.min_gap = np.zeros(places)
        self.front = np.ones(places)
        self.rear = np.ones(places)
        self.wheelbase = np.ones(places)
        self.radius = np.ones(places)
        self.height = np.ones(places)
        self.swerve = np.zeros(places)
        self.swerve_speed = np.zeros(places)
        self.lean = np.zeros(places)
        self.dive = np.zeros(places)
        self.steer = np.zeros(places)
        self.spin = np.zeros(places)
        self.pose = np.zeros((6, places))

    def add(self, row: int, model: Model) -> None:
        """Initialize a free row with a model; `place_on_rail` or `park` sets its position."""
        self.alive[row] = True
        self.model[row] = model
        self.two_wheels[row] = model.is_two_wheeler
        self.walks[row] = model.kind == "walker"
        half_length = model.half_length / 100
        self.wheelbase[row] = model.wheelbase
        self.front[row] = half_length - model.wheelbase / 2
        self.rear[row] = half_length + model.wheelbase / 2
        self.height[row] = 0.0
        if self.walks[row]:
            self.height[row] = model.half_height / 100
        self.radius[row] = model.drive[0]
        slowest, fastest, max_accel, min_gap = DRIVERS[model.kind]
        self.min_gap[row] = min_gap
        self.target_speed[row] = slowest + (fastest - slowest) * self.random.random()
        self.max_accel[row] = max_accel + 0.4 * self.random.random()
        self.accel[row] = 0.0
        self.swerve[row] = 0.0
        self.swerve_speed[row] = 0.0
        self.lean[row] = 0.0
        self.dive[row] = 0.0
        self.steer[row] = 0.0

    def place_on_rail(self, row: int, rail: int, along: float, speed: float) -> None:
        """Place a row on a rail, outside of junctions.

        Args:
            row: The row.
            rail: The index of the rail.
            along: Metres from its begin to the front axle.
            speed: The speed in m/s.
        """
        self.driving[row] = True
        self.permit[row] = False
        self.rail[row] = rail
        self.along[row] = along
        self.speed[row] = speed
        self.ahead[row] = np.searchsorted(self.town.ends[rail], along)
        self.pose[[0, 1, 5], row] = self.town.along(rail, along - self.wheelbase[row] / 2)
        self._choose_turns(np.array([row]))
        self._update_poses(np.array([row]), 0.0)

    def park(self, row: int, x: float, y: float, yaw: float) -> None:
        """Place a vehicle at rest, off the rails."""
        self.driving[row] = False
        self.pose[[0, 1, 5], row] = (x, y, yaw)
        self._update_attitudes(np.array([row]))

    def free_places(self, kind: int, every: float) -> list[Start]:
        """Return starts on rails of a kind, every so many metres, away from junctions and in random order."""
        town = self.town
        places = []
        for rail in np.flatnonzero(town.kind == kind).tolist():
            for along in np.arange(8.0, town.length[rail] - 8.0, every):
                is_near = (town.begins[rail] < along + 2.5 * every) & (along < town.ends[rail] + every)
                if not np.any(is_near):
                    places.append(Start(rail, float(along)))
        return self.random.sample(places, len(places))

    def is_free(self, rail: int, along: float, metres: float) -> bool:
        """Whether no road user is within so many metres of a position on a rail."""
        is_near = np.abs(self.along - along) < metres
        return not np.any(self.driving & (self.rail == rail) & is_near)

    def step(self, time: float, dt: float) -> None:
        """Advance all rows by `dt` seconds, to `time`."""
        town = self.town
        width = town.junction.shape[1]
        rows = np.flatnonzero(self.driving)
        rows = rows[np.lexsort((self.along[rows], self.rail[rows]))]
        rail = self.rail[rows]
        ahead = self.ahead[rows]
        along = self.along[rows]
        is_turn = self.turning[rows]
        speed = self.speed[rows]
        # The last element stands for no road user at all.
        rears = np.append(along - self.rear[rows], 0.0)
        speeds = np.append(speed, 0.0)
        rails = np.append(rail, -1)
        line = town.begins[rail, ahead] - along
        # Obstacles: the leader on the rail, the last one beyond a right turn, the stop line.
        gap = np.full((3, rows.size), np.inf)
        closing = np.zeros((3, rows.size))
        led = rails[1:] == rail
        gap[0, led] = (rears[1:] - along)[led]
        closing[0, led] = (speed - speeds[1:])[led]
        # A right turn leads to another rail; all others stay on theirs.
        exit_rail, exit_crossing = np.where(is_turn, town.corner[:, rail, ahead], (rail, ahead))
        key = rail * width + ahead  # grows along the rows
        exit_key = exit_rail * width + exit_crossing
        beyond = np.searchsorted(key, exit_key, side="right")
        exit_ends = np.minimum(town.ends[exit_rail, exit_crossing], 1e9)
        free = np.where(rails[beyond] == exit_rail, rears[beyond] - exit_ends, np.inf)
        gap[1] = np.where(is_turn, line + CORNER + free, np.inf)
        closing[1] = speed - speeds[beyond]
        self._assign_junctions(time, rows, key, exit_key, line - self.front[rows], free)
        gap[2] = np.where(self.permit[rows], np.inf, line + self.min_gap[rows] - STOP_MARGIN)
        closing[2] = speed
        corner_speed = np.sqrt(CORNER_SPEED**2 + 2 * CORNER_BRAKING * np.maximum(line, 0.0))
        target_speed = np.minimum(self.target_speed[rows], np.where(is_turn, corner_speed, np.inf))
        accel = self._acceleration(rows, target_speed, gap - self.front[rows], closing)
        self._move(rows, accel, dt)
        self._leave_junctions(rows)
        self._update_poses(rows, dt)

    def _acceleration(self, rows: IntArray, target: FloatArray, gap: FloatArray, closing: FloatArray) -> FloatArray:
        """Accelerations; `gap` and `closing` are of shape (obstacles, n)."""
        driver = (self.max_accel[rows], self.min_gap[rows])
        accel = idm_acceleration(driver, self.speed[rows], target, gap, closing)
        return np.where(self.emergency[rows], -MAX_BRAKING, accel)

    def _move(self, rows: IntArray, accel: FloatArray, dt: float) -> None:
        """Change accelerations as fast as pedals allow, and speeds and positions by them."""
        change = np.clip(accel - self.accel[rows], -BRAKE_JERK * dt, RELEASE_JERK * dt)
        self.accel[rows] += change
        self.speed[rows] = np.maximum(self.speed[rows] + self.accel[rows] * dt, 0.0)
        least = np.where(self.speed[rows] > 0, -np.inf, 0.0)
        self.accel[rows] = np.maximum(self.accel[rows], least)
        self.along[rows] += self.speed[rows] * dt

    def _assign_junctions(
        self, time: float, rows: IntArray, key: IntArray, exit_key: IntArray, left: FloatArray, free: FloatArray
    ) -> None:
        """Grant junctions to rows with right of way and enough space behind them.

        Args:
            time: The time.
            rows: Rows in driving order.
            key: Numbers of their next crossings.
            exit_key: Numbers of the crossings by which they leave the junction.
            left: Metres to the junction.
            free: Metres behind it that are free.
        """
        town = self.town
        permit = self.permit[rows]
        speed = self.speed[rows]
        walks = self.walks[rows]
        junction = town.junction[self.rail[rows], self.ahead[rows]]
        group = town.group[self.rail[rows]]
        axis = np.minimum(group, 1)
        lamps, lamp_times, walk_times = town.lamps(time)
        lit = town.lit[junction]
        lamp = lamps[junction, axis]
        lamp_time = lamp_times[junction, axis]
        shown = np.where(lit & ~walks, lamp, GREEN_LAMP)
        stopping_distance = speed**2 / (2 * YELLOW_BRAKING) + 0.15 * speed + 0.6
        can_stop = (left > stopping_distance) | (shown == RED_LAMP)
        permit &= (left <= 0) | (shown == GREEN_LAMP) | ~can_stop
        held = np.zeros((len(town.lit), 3), np.int64)
        np.add.at(held, (junction[permit], group[permit]), 1)
        # Behind one that waits at the same crossing, a row does not ask yet.
        is_second = np.append((key[1:] == key[:-1]) & ~permit[1:], False)[: rows.size]
        is_close = left < np.where(walks, 2.0, 8.0 + 3.5 * speed)
        asks = ~permit & ~is_second & is_close
        asked = np.zeros((len(town.lit), 3), np.int64)
        np.add.at(asked, (junction[asks], group[asks]), 1)
        may_drive = (lamp == GREEN_LAMP) & ~(walks & (lamp_time > WALK_START))
        green = np.where(group == 2, walk_times[junction] > WALK_TIME, may_drive)
        # Without lights: first the avenue, then the street, then walkers along it.
        asked_before = asked[junction].cumsum(axis=1)[np.arange(rows.size), group]
        is_first = asked_before == asked[junction, group]
        has_right = np.where(lit, green, is_first)
        is_clear = held[junction].sum(axis=1) == held[junction, group]
        needs = self.front[rows] + self.rear[rows] + self.min_gap[rows]
        promised = np.bincount(exit_key[permit], weights=needs[permit], minlength=town.junction.size)
        has_room = free - promised[exit_key] > needs
        self.permit[rows] = permit | (asks & has_right & is_clear & has_room)

    def _leave_junctions(self, rows: IntArray) -> None:
        """Update the next junction of rows that left one, and `departed` of those that left the map."""
        town = self.town
        beyond_corner = self.along[rows] - town.begins[self.rail[rows], self.ahead[rows]] - CORNER
        has_turned = self.turning[rows] & (beyond_corner > 0)
        turners = rows[has_turned]
        exit_rail, exit_crossing = town.corner[:, self.rail[turners], self.ahead[turners]]
        self.along[turners] = town.ends[exit_rail, exit_crossing] + beyond_corner[has_turned]
        self.rail[turners] = exit_rail
        self.ahead[turners] = exit_crossing
        self.turning[turners] = False
        rears = self.along[rows] - self.rear[rows]
        passed = rows[rears > town.ends[self.rail[rows], self.ahead[rows]]]
        self.ahead[passed] += 1
        self.permit[passed] = False
        self._choose_turns(passed)
        self.departed = rows[rears > town.length[self.rail[rows]]]

    def _choose_turns(self, rows: IntArray) -> None:
        """Draw which rows turn right at their next junction, where possible."""
        wishes = np.array([self.random.random() < TURNS_RIGHT for _ in rows], bool)
        has_corner = self.town.corner[0, self.rail[rows], self.ahead[rows]] >= 0
        self.turning[rows] = wishes & has_corner

    def _update_poses(self, rows: IntArray, dt: float) -> None:
        """Update poses: the front axle is on the rail, the rear axle follows it."""
        speed = self.speed[rows]
        base = self.wheelbase[rows]
        inside = self.along[rows] - self.town.begins[self.rail[rows], self.ahead[rows]]
        corner = np.where(self.turning[rows], np.clip(inside, 0.0, CORNER), 0.0)
        x, y, heading = self.town.along(self.rail[rows], self.along[rows], self.swerve[rows], corner)
        old_x, old_y = self.pose[:2, rows]
        old_yaw = self.pose[5, rows]
        # The rear axle rolls along the mean of both headings, without side slip.
        yaw = old_yaw
        for _ in range(4):
            course = old_yaw + wrap_angle(yaw - old_yaw) / 2
            rolled_x = x - old_x + base * (np.cos(old_yaw) / 2 - np.cos(yaw))
            rolled_y = y - old_y + base * (np.sin(old_yaw) / 2 - np.sin(yaw))
            yaw = yaw + (rolled_y * np.cos(course) - rolled_x * np.sin(course)) / base
        rate = wrap_angle(yaw - old_yaw) / max(dt, 1e-9)
        yaw = wrap_angle(yaw)
        swerve_angle = np.arctan2(self.swerve_speed[rows], np.maximum(speed, 1.0))
        steer = np.degrees(wrap_angle(heading + swerve_angle - yaw))
        self.steer[rows] = np.clip(steer, -MAX_STEERING, MAX_STEERING)
        self.pose[0, rows] = x - base / 2 * np.cos(yaw)
        self.pose[1, rows] = y - base / 2 * np.sin(yaw)
        self.pose[5, rows] = yaw
        two_wheels = self.two_wheels[rows]
        bank = np.arctan(speed * rate / GRAVITY)
        sway = -np.clip(SWAY * speed * rate, -0.05, 0.05)
        lean = np.where(two_wheels, bank, sway)
        dive = np.where(two_wheels, 0.0, DIVE * self.accel[rows])
        share = min(1.0, dt / SUSPENSION)
        self.lean[rows] += share * (lean - self.lean[rows])
        self.dive[rows] += share * (dive - self.dive[rows])
        self.spin[rows] -= np.degrees(speed * dt / self.radius[rows])
        self._update_attitudes(rows)

    def _update_attitudes(self, rows: IntArray) -> None:
        """Update height, roll and pitch from the terrain and the suspension; walkers stay upright."""
        x, y, _, _, _, yaw = self.pose[:, rows]
        height, slope_x, slope_y = ground(x, y)
        is_vehicle = ~self.walks[rows]
        slope_right = np.arctan(slope_y * np.cos(yaw) - slope_x * np.sin(yaw))
        slope_ahead = np.arctan(slope_x * np.cos(yaw) + slope_y * np.sin(yaw))
        self.pose[2, rows] = height + self.height[rows]
        self.pose[3, rows] = is_vehicle * (self.lean[rows] - slope_right)
        self.pose[4, rows] = is_vehicle * (self.dive[rows] + slope_ahead)


# --- the accident -----------------------------------------------------------------------------------------


# Rows.
HERO = 0
CYCLIST = 1
# Rails: those of the first avenue, eastwards.
HERO_RAIL = 0
CYCLIST_RAIL = 1
LEAD = 16.0  # metres between the two before the accident
HERO_SPEEDS_UP = APPROACH - STOP - 75.0  # metres along the rail
# m/s
CRUISE_SPEED = 7.0
HERO_SPEED = 9.5
CYCLIST_SPEED = 3.6
LATEST_BEGIN = 15.0  # seconds
SWERVE = 2.25  # metres to the left
SWERVE_TIME = 1.3  # seconds
IN_PATH = 1.3  # metres to the left at which the cyclist is in the hero's path
REACTION = 1.15  # seconds to contact at which the cyclist swerves
FALL_ANGLE = 1.36  # radians
FALL_TIME = 0.6  # seconds


class Accident:
    """A cyclist swerves off the bicycle lane, and the hero behind does not brake in time.

    It happens on the long approach, which has no junctions, so that it does not depend on the other traffic. Controls
    the speeds of both.

    Attributes:
        traffic: The traffic that both are in.
        begins: When they change their speeds, in seconds.
        collides: Without it the cyclist stays on the lane, and the hero passes.
        in_contact: Whether they touched in the last step.
        starts: Where both begin, by row.
    """

    def __init__(self, traffic: Traffic, begins: float, *, collides: bool = True) -> None:
        self.traffic = traffic
        self.begins = min(begins, LATEST_BEGIN)
        self.in_contact = False
        self.collides = collides
        along = max(10.0, HERO_SPEEDS_UP - CRUISE_SPEED * self.begins)
        self._pace = (HERO_SPEEDS_UP - along) / max(self.begins, 1.0)
        self.starts = {
            HERO: Start(HERO_RAIL, along, self._pace),
            CYCLIST: Start(CYCLIST_RAIL, along + LEAD, self._pace),
        }
        self._since = 0.0  # seconds since the cyclist began to swerve, then to fall

    def prepare_step(self, time: float, dt: float) -> None:
        """Set the speeds and the swerve of the next step."""
        traffic = self.traffic
        if time >= self.begins:
            traffic.target_speed[HERO] = HERO_SPEED
            traffic.target_speed[CYCLIST] = CYCLIST_SPEED
        else:
            traffic.target_speed[HERO] = self._pace
            traffic.target_speed[CYCLIST] = self._pace
        if self.collides and traffic.driving[CYCLIST] and (self._since or self._is_close()):
            self._since += dt
            share = min(self._since / SWERVE_TIME, 1.0)
            traffic.swerve[CYCLIST] = -SWERVE * share**2 * (3 - 2 * share)
            traffic.swerve_speed[CYCLIST] = -SWERVE * 6 * share * (1 - share) / SWERVE_TIME

    def _is_close(self) -> bool:
        """Whether the hero is about to pass the cyclist."""
        closing = self.traffic.speed[HERO] - self.traffic.speed[CYCLIST]
        return bool(closing > 2.0 and self._gap() < REACTION * closing)

    def resolve_contact(self, dt: float) -> None:
        """Detect contact after a step, and let the hero push the bicycle."""
        traffic = self.traffic
        gap = self._gap()
        is_in_path = traffic.driving[CYCLIST] and traffic.swerve[CYCLIST] < -IN_PATH
        if is_in_path and gap < 0.0:
            traffic.driving[CYCLIST] = False
            traffic.emergency[HERO] = True
            self._since = 0.0
        self.in_contact = bool(traffic.emergency[HERO] and traffic.speed[HERO] > 0.05)
        if traffic.emergency[HERO]:
            self._since += dt
            traffic.speed[CYCLIST] = traffic.speed[HERO]
            traffic.lean[CYCLIST] = FALL_ANGLE * min(self._since / FALL_TIME, 1.0) ** 2
            x, y, _, _, _, yaw = traffic.pose[:, CYCLIST]
            hero_yaw = traffic.pose[5, HERO]
            traffic.park(CYCLIST, x - gap * np.cos(hero_yaw), y - gap * np.sin(hero_yaw), yaw)

    def _gap(self) -> float:
        """Metres from the hero's bumper to the bicycle."""
        x, y, _, _, _, yaw = self.traffic.pose[:, CYCLIST]
        hero_x, hero_y, _, _, _, hero_yaw = self.traffic.pose[:, HERO]
        ahead = (x - hero_x) * np.cos(hero_yaw) + (y - hero_y) * np.sin(hero_yaw)
        bicycle = BICYCLES[0]
        along = bicycle.half_length * abs(np.cos(yaw - hero_yaw))
        across = bicycle.half_width * abs(np.sin(yaw - hero_yaw))
        reach = along + across + HERO_MODEL.half_length
        return float(ahead - reach / 100)
