"""How everybody moves: keeps the distance on a rail, and waits before the junctions.

Following is the intelligent driver model, for walkers, too. A junction belongs to one group at a time: those along the
avenue, those who drive along the street, those who walk along it; so nobody's ways cross. One row of the columns is
a place for somebody; when they have left, others may take it. Knows no actors and no files.
"""

from random import Random

import numpy as np

from ..blueprints import HERO_MODEL, Model
from .town import CORNER, GREEN_LAMP, RED_LAMP, Floats, Ints, Town, ground, turned

HEADWAY, COMFORT, HARDEST = 1.2, 2.0, 6.8  # seconds, m/s2 twice
GRIP, EASE = 18.0, 4.0  # m/s3, how fast braking builds up and is let go
BEFORE_LINE, SLOWING, IN_CORNER = 0.8, 1.2, 4.0  # metres, m/s2, m/s
BRAKES = 3.4  # m/s2: who would have to brake harder drives on at yellow
SET_OUT, WALK_TAKES = 4.0, 9.0  # seconds of green in which walkers may set out, and which they need in their own phase
TURNS_RIGHT = 0.75
MANNERS = {  # slowest and fastest (m/s), acceleration (m/s2), metres to the one ahead when standing
    "walker": (0.95, 1.5, 0.9, 0.7),
    "bicycle": (3.8, 5.0, 0.9, 2.0),
    "motorcycle": (9.0, 11.0, 1.5, 2.0),
    "truck": (7.2, 8.2, 0.9, 2.0),
    "van": (8.2, 10.6, 1.5, 2.0),
    "car": (8.2, 10.6, 1.7, 2.0),
}
MAX_STEER, GRAVITY, SETTLE, DIVE, SWAY = 70.0, 9.81, 0.25, 0.006, 0.009  # degrees, m/s2, s, radians for each m/s2


class Traffic:
    """Columns of shape (places,), metres, seconds, radians; `steer` and `spin` in degrees.

    Attributes: `alive` (in the world), `driving` (moved along the rails), `model`; `rail`, `along` (of the front axle),
    `speed`, `pull` (acceleration), `wish` (m/s), `ahead` (the next junction on the rail), `permit` (to enter it),
    `right` (it turns there), `emergency` (brakes as hard as it can), `swerve` and `swerve_speed`; `pose` (x, y, z,
    roll, pitch, yaw; shape (6, places)); `gone` (rows that left the map in the last step).
    """

    def __init__(self, town: Town, places: int, random: Random) -> None:
        self.town, self.random, self.gone = town, random, np.zeros(0, np.int64)
        self.model: list[Model] = [HERO_MODEL] * places
        self.rail, self.ahead = np.zeros((2, places), np.int64)
        self.alive, self.driving, self.walks, self.two_wheels = np.zeros((4, places), bool)
        self.permit, self.right, self.emergency = np.zeros((3, places), bool)
        self.along, self.speed, self.pull, self.wish, self.strength, self.apart = np.zeros((6, places))
        self.nose, self.tail, self.wheelbase, self.radius, self.height = np.ones((5, places))
        self.swerve, self.swerve_speed, self.lean, self.dive, self.steer, self.spin = np.zeros((6, places))
        self.pose = np.zeros((6, places))

    def enter(self, row: int, model: Model) -> None:
        """Puts somebody new into a free row; `drive` or `park` says where."""
        self.alive[row], self.model[row], self.two_wheels[row] = True, model, model.two_wheels
        half, base = model.half_length / 100, model.wheelbase
        self.nose[row], self.tail[row], self.wheelbase[row] = half - base / 2, half + base / 2, base
        self.walks[row] = model.kind == "walker"
        self.height[row], self.radius[row] = model.half_height / 100 * self.walks[row], model.drive[0]
        slow, fast, strength, self.apart[row] = MANNERS[model.kind]
        self.wish[row] = slow + (fast - slow) * self.random.random()
        self.strength[row] = strength + 0.4 * self.random.random()
        for column in (self.pull, self.swerve, self.swerve_speed, self.lean, self.dive, self.steer):
            column[row] = 0.0

    def drive(self, row: int, rail: int, along: float, speed: float) -> None:
        """Sets somebody on a rail, not inside a junction."""
        self.driving[row], self.permit[row], self.rail[row], self.along[row] = True, False, rail, along
        self.speed[row], self.ahead[row] = speed, np.searchsorted(self.town.ends[rail], along)
        self.pose[[0, 1, 5], row] = self.town.along(rail, along - self.wheelbase[row] / 2)
        self._choose(np.array([row]))
        self._stand(np.array([row]), 0.0)

    def park(self, row: int, x: float, y: float, yaw: float) -> None:
        """Leaves a vehicle standing somewhere."""
        self.driving[row], self.pose[[0, 1, 5], row] = False, (x, y, yaw)
        self._lie(np.array([row]))

    def slots(self, kind: int, every: float) -> list[tuple[int, float]]:
        """Places (rail, along) on rails of a kind where somebody can begin, in any order."""
        found = [
            (rail, float(along))
            for rail in np.flatnonzero(self.town.kind == kind).tolist()
            for along in np.arange(8.0, self.town.length[rail] - 8.0, every)
            if not np.any((self.town.begins[rail] < along + 2.5 * every) & (along < self.town.ends[rail] + every))
        ]
        return self.random.sample(found, len(found))

    def has_room(self, rail: int, along: float, metres: float) -> bool:
        """Whether nobody is so near to a place on a rail."""
        return not np.any(self.driving & (self.rail == rail) & (np.abs(self.along - along) < metres))

    def step(self, time: float, dt: float) -> None:
        """Moves everybody by `dt` seconds up to `time`."""
        town, width = self.town, self.town.junction.shape[1]
        rows = np.flatnonzero(self.driving)
        rows = rows[np.lexsort((self.along[rows], self.rail[rows]))]
        rail, ahead, right, speed = self.rail[rows], self.ahead[rows], self.right[rows], self.speed[rows]
        back = np.append(self.along[rows] - self.tail[rows], 0.0)
        line = town.begins[rail, ahead] - self.along[rows]
        gap, closing = np.full((3, rows.size), np.inf), np.zeros((3, rows.size))
        led = np.append(rail[1:] == rail[:-1], False)[: rows.size]
        gap[0, led], closing[0, led] = (back[1:] - self.along[rows])[led], (speed - np.roll(speed, -1))[led]
        # A right turn leads to another rail; everybody else goes on to where they are.
        onto, at = np.where(right, town.corner[:, rail, ahead], (rail, ahead))
        key, target = rail * width + ahead, onto * width + at  # the key grows along the rows
        beyond = np.searchsorted(key, target, side="right")
        there = np.append(rail, -1)[beyond] == onto
        free = np.where(there, back[beyond] - np.minimum(town.ends[onto, at], 1e9), np.inf)
        gap[1], closing[1] = np.where(right, line + CORNER + free, np.inf), speed - np.append(speed, 0.0)[beyond]
        self._permit(time, rows, key, target, line - self.nose[rows], free)
        gap[2], closing[2] = np.where(self.permit[rows], np.inf, line + self.apart[rows] - BEFORE_LINE), speed
        slow = np.where(right, np.sqrt(IN_CORNER**2 + 2 * SLOWING * np.maximum(line, 0.0)), np.inf)
        pull = self._wanted(rows, np.minimum(self.wish[rows], slow), gap - self.nose[rows], closing)
        self.pull[rows] += np.clip(pull - self.pull[rows], -GRIP * dt, EASE * dt)
        self.speed[rows] = np.maximum(speed + self.pull[rows] * dt, 0.0)
        self.pull[rows] = np.maximum(self.pull[rows], np.where(self.speed[rows] > 0, -np.inf, 0.0))
        self.along[rows] += self.speed[rows] * dt
        self._pass(rows)
        self._stand(rows, dt)

    def _wanted(self, rows: Ints, wish: Floats, gap: Floats, closing: Floats) -> Floats:
        """The intelligent driver's acceleration before the nearest of some obstacles (shape (obstacles, n) both)."""
        speed, strength = self.speed[rows], self.strength[rows]
        kept = np.maximum(speed * HEADWAY + speed * closing / (2 * np.sqrt(strength * COMFORT)), 0.0) + self.apart[rows]
        pull = np.maximum(1 - (speed / wish) ** 4, -COMFORT / strength) - (kept / np.maximum(gap, 0.1)).max(axis=0) ** 2
        return np.where(self.emergency[rows], -HARDEST, np.maximum(strength * pull, -HARDEST))

    def _permit(self, time: float, rows: Ints, key: Ints, target: Ints, left: Floats, free: Floats) -> None:
        """Lets in who has so much `left` to the junction, finds it open and room enough `free` behind it."""
        town, permit, speed, walks = self.town, self.permit[rows], self.speed[rows], self.walks[rows]
        junction, group = town.junction[self.rail[rows], self.ahead[rows]], town.group[self.rail[rows]]
        lamps, sinces, walk = town.lamps(time)
        axis, lit = np.minimum(group, 1), town.lit[junction]
        lamp, since = lamps[junction, axis], sinces[junction, axis]
        shows = np.where(lit & ~walks, lamp, GREEN_LAMP)
        can_stop = (left > speed**2 / (2 * BRAKES) + 0.15 * speed + 0.6) | (shows == RED_LAMP)
        permit &= (left <= 0) | (shows == GREEN_LAMP) | ~can_stop
        held, asks = np.zeros((2, len(town.lit), 3), np.int64)
        np.add.at(held, (junction[permit], group[permit]), 1)
        second = np.append((key[1:] == key[:-1]) & ~permit[1:], False)[: rows.size]
        asking = ~permit & ~second & (left < np.where(walks, 2.0, 8.0 + 3.5 * speed))
        np.add.at(asks, (junction[asking], group[asking]), 1)
        green = np.where(group == 2, walk[junction] > WALK_TAKES, (lamp == GREEN_LAMP) & ~(walks & (since > SET_OUT)))
        # Without lights the avenue goes first, then the street, then who walks along it.
        first = asks[junction].cumsum(axis=1)[np.arange(rows.size), group] == asks[junction, group]
        mine = np.where(lit, green, first)
        clear = held[junction].sum(axis=1) == held[junction, group]
        needs = self.nose[rows] + self.tail[rows] + self.apart[rows]
        promised = np.bincount(target[permit], weights=needs[permit], minlength=town.junction.size)
        self.permit[rows] = permit | (asking & mine & clear & (free - promised[target] > needs))

    def _pass(self, rows: Ints) -> None:
        """Who has left a junction goes on to the next one, and who has left the map is gone."""
        town = self.town
        inside = self.along[rows] - town.begins[self.rail[rows], self.ahead[rows]] - CORNER
        turning, inside = rows[self.right[rows] & (inside > 0)], inside[self.right[rows] & (inside > 0)]
        onto, at = town.corner[:, self.rail[turning], self.ahead[turning]]
        self.along[turning] = town.ends[onto, at] + inside
        self.rail[turning], self.ahead[turning], self.right[turning] = onto, at, False
        back = self.along[rows] - self.tail[rows]
        passed = rows[back > town.ends[self.rail[rows], self.ahead[rows]]]
        self.ahead[passed] += 1
        self.permit[passed] = False
        self._choose(passed)
        self.gone = rows[back > town.length[self.rail[rows]]]

    def _choose(self, rows: Ints) -> None:
        """Decides who turns right at the next junction, where one can."""
        turns = np.array([self.random.random() < TURNS_RIGHT for _ in rows], bool)
        self.right[rows] = turns & (self.town.corner[0, self.rail[rows], self.ahead[rows]] >= 0)

    def _stand(self, rows: Ints, dt: float) -> None:
        """Brings everybody to where they are: the front axle is on the rail, the rear axle follows it."""
        speed, base, before = self.speed[rows], self.wheelbase[rows], self.pose[5, rows]
        inside = self.along[rows] - self.town.begins[self.rail[rows], self.ahead[rows]]
        corner = np.where(self.right[rows], np.clip(inside, 0.0, CORNER), 0.0)
        x, y, heading = self.town.along(self.rail[rows], self.along[rows], self.swerve[rows], corner)
        # The rear axle rolls along the mean of both headings, and never sideways.
        yaw, (old_x, old_y) = before, self.pose[:2, rows]
        for _ in range(4):
            way = before + turned(yaw - before) / 2
            rolled_x = x - old_x + base * (np.cos(before) / 2 - np.cos(yaw))
            rolled_y = y - old_y + base * (np.sin(before) / 2 - np.sin(yaw))
            yaw = yaw + (rolled_y * np.cos(way) - rolled_x * np.sin(way)) / base
        rate, yaw = turned(yaw - before) / max(dt, 1e-9), turned(yaw)
        front = heading + np.arctan2(self.swerve_speed[rows], np.maximum(speed, 1.0)) - yaw
        self.steer[rows] = np.clip(np.degrees(turned(front)), -MAX_STEER, MAX_STEER)
        self.pose[:2, rows], self.pose[5, rows] = (x - base / 2 * np.cos(yaw), y - base / 2 * np.sin(yaw)), yaw
        two, share = self.two_wheels[rows], min(1.0, dt / SETTLE)
        outward = np.where(two, np.arctan(speed * rate / GRAVITY), -np.clip(SWAY * speed * rate, -0.05, 0.05))
        self.lean[rows] += share * (outward - self.lean[rows])
        self.dive[rows] += share * (np.where(two, 0.0, DIVE * self.pull[rows]) - self.dive[rows])
        self.spin[rows] -= np.degrees(speed * dt / self.radius[rows])
        self._lie(rows)

    def _lie(self, rows: Ints) -> None:
        """Height, roll and pitch from the land under everybody and how bodies move on it; people walk upright."""
        x, y, _, _, _, yaw = self.pose[:, rows]
        (height, along_x, along_y), rolls = ground(x, y), ~self.walks[rows]
        self.pose[2, rows] = height + self.height[rows]
        self.pose[3, rows] = rolls * (self.lean[rows] - np.arctan(along_y * np.cos(yaw) - along_x * np.sin(yaw)))
        self.pose[4, rows] = rolls * (self.dive[rows] + np.arctan(along_x * np.cos(yaw) + along_y * np.sin(yaw)))
