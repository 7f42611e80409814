"""How people walk: along pavements, round corners, over zebra crossings once they may.

Each walker follows a mark that moves along the network of paths, so that no corner makes anyone jump. Knows no
vehicles; asks the junctions before stepping onto a road.
"""

from random import Random

import numpy as np

from .fleet import world_rates
from .geometry import Flags, Floats, Ints, ground, turned
from .junctions import Junctions
from .pavements import Pavements, Place
from .town import NOWHERE

KERB = 1.1  # metres from the end of a zebra path to the kerb
CHILD_HEIGHT, HEIGHT = 0.62, 0.93  # half a body's height: where the actor's middle is
LOOK_ROUND = 3.5  # radians/s
TRAIL = 0.5  # metres a walker stays behind its mark
WAIT_BEFORE = 0.4  # seconds at the kerb
ROAD = 1.5  # how much likelier a zebra crossing is than a pavement


class Walkers:
    """Columns of shape (places,).

    Attributes: `alive`, `id`, `number` (of the pedestrian blueprint), `height` (half of it), pose `x y z yaw`,
    `speed`, `velocity` and `rotation`, `stride` (radians of the walking movement), `gone` (rows that left the map).
    """

    def __init__(self, pavements: Pavements, junctions: Junctions, places: int, random: Random) -> None:
        self.pavements, self.junctions, self.random = pavements, junctions, random
        self.alive: Flags = np.zeros(places, dtype=np.bool_)
        self.crossing: Flags = np.zeros(places, dtype=np.bool_)
        self.id: Ints = np.zeros(places, dtype=np.int64)
        self.number: Ints = np.ones(places, dtype=np.int64)
        self.path: Ints = np.zeros(places, dtype=np.int64)
        self.back: Flags = np.zeros(places, dtype=np.bool_)
        self.done, self.wish, self.side, self.waited, self.height, self.rests = (np.zeros(places) for _ in range(6))
        self.x, self.y, self.z, self.yaw, self.speed, self.stride = (np.zeros(places) for _ in range(6))
        self.velocity, self.rotation = np.zeros((places, 3)), np.zeros((places, 3))
        self.gone: list[int] = []
        self._zebra = np.array(pavements.zebra)
        self._length = pavements.curves.length
        self._dead_ends = frozenset(pavements.exits)
        self._pavement = np.flatnonzero((self._zebra == NOWHERE) & (self._length > 20))
        self._crossings = np.flatnonzero(self._zebra != NOWHERE)

    def __len__(self) -> int:
        return len(self.alive)

    def appear(self, row: int, actor: int, number: int, *, child: bool) -> None:
        """Puts a walker into a free row; one of the `start` methods says where."""
        self.alive[row], self.crossing[row] = True, False
        self.id[row], self.number[row] = actor, number
        self.height[row] = CHILD_HEIGHT if child else HEIGHT
        self.wish[row] = (0.95 if child else 1.1) + 0.5 * self.random.random()
        self.side[row] = 0.15 + 0.75 * self.random.random()
        self.waited[row] = self.speed[row] = self.rests[row] = 0.0
        self.stride[row] = 6.28 * self.random.random()
        self.velocity[row], self.rotation[row] = 0.0, 0.0

    def start_anywhere(self, row: int) -> None:
        """Starts somewhere on a pavement, or on the way to a zebra crossing."""
        if self._crossings.size and self.random.random() < 0.4:
            crossing = int(self._crossings[int(self.random.random() * self._crossings.size)])
            point = self.pavements.ends[crossing][int(self.random.random() * 2)]
            path = self.pavements.paths_at[point][int(self.random.random() * len(self.pavements.paths_at[point]))]
            length = float(self._length[path])
            before = min(length * 0.9, 2.0 + 18.0 * self.random.random())
            if self._zebra[path] == NOWHERE:
                self._start(row, path, self.pavements.ends[path][0] == point, length - before)
                return
        path = int(self._pavement[int(self.random.random() * len(self._pavement))])
        self._start(row, path, self.random.random() < 0.5, self.random.random() * float(self._length[path]))

    def start_at_edge(self, row: int) -> None:
        """Starts where a pavement enters the map."""
        point = self.pavements.exits[int(self.random.random() * len(self.pavements.exits))]
        path = self.pavements.paths_at[point][0]
        self._start(row, path, self.pavements.ends[path][1] == point, 0.0)

    def start_beside(self, row: int, place: Place) -> None:
        """Starts on the pavement beside a place, standing for a moment."""
        curves = self.pavements.curves
        first, count = int(curves.first[place.path]), int(curves.last[place.path]) + 1
        points = slice(first, first + count)
        nearest = int(np.argmin(np.hypot(curves.x[points] - place.x, curves.y[points] - place.y)))
        along = nearest * float(curves.spacing[place.path])
        back = self.random.random() < 0.5
        self._start(row, place.path, back, float(curves.length[place.path]) - along if back else along)
        self.rests[row] = 3.0

    def _start(self, row: int, path: int, back: bool, done: float) -> None:
        self.path[row], self.back[row], self.done[row] = path, back, done
        one = np.array([row])
        x, y, heading = self._mark(one)
        self.x[row], self.y[row], self.yaw[row] = x[0], y[0], turned(heading)[0]
        self.z[row] = ground(x, y)[0] + self.height[row]

    def leave(self, row: int) -> None:
        """Takes a walker out of the world."""
        self._off_zebra(row)
        self.alive[row] = False

    def _mark(self, rows: Ints) -> tuple[Floats, Floats, Floats]:
        """Where walkers are headed: on the right of their path, and the direction it goes there."""
        length, back = self._length[self.path[rows]], self.back[rows]
        along = np.where(back, length - self.done[rows], self.done[rows])
        x, y, heading = self.pavements.curves.at(self.path[rows], along)
        heading = np.where(back, heading + np.pi, heading)
        side = self.side[rows]
        return x - side * np.sin(heading), y + side * np.cos(heading), heading

    def step(self, dt: float) -> None:
        """Moves everybody by `dt` seconds."""
        self.gone = []
        rows = np.flatnonzero(self.alive)
        if not rows.size:
            return
        x, y, _ = self._mark(rows)
        lag = np.hypot(x - self.x[rows], y - self.y[rows])
        pace = self.wish[rows] * np.clip((2 * TRAIL - lag) / TRAIL, 0.0, 1.0) * (self.rests[rows] <= 0)
        pace *= self._not_too_close(rows)
        self.rests[rows] = np.maximum(self.rests[rows] - dt, 0.0)
        for i in np.flatnonzero(self._zebra[self.path[rows]] != NOWHERE).tolist():
            pace[i] = self._at_zebra(int(rows[i]), float(pace[i]), dt)
        self.done[rows] += pace * dt
        for row in rows[self.done[rows] >= self._length[self.path[rows]]].tolist():
            self._next_path(row)
        self._follow(rows, dt)

    def _not_too_close(self, rows: Ints) -> Floats:
        """0 for walkers right behind another one on the same path, 1 for the rest."""
        free = np.ones(rows.size)
        lane = self.path[rows] * 2 + self.back[rows]
        order = np.lexsort((self.done[rows], lane))
        behind, ahead = order[:-1], order[1:]
        close = (lane[behind] == lane[ahead]) & (self.done[rows][ahead] - self.done[rows][behind] < 0.8)
        close &= np.abs(self.side[rows][ahead] - self.side[rows][behind]) < 0.45
        free[behind[close]] = 0.0
        return free

    def _at_zebra(self, row: int, pace: float, dt: float) -> float:
        """The pace of somebody on a zebra path: waits at the kerb until it is safe."""
        zebra, length = int(self._zebra[self.path[row]]), float(self._length[self.path[row]])
        done = float(self.done[row])
        if self.crossing[row]:
            if done > length - KERB + TRAIL:
                self._off_zebra(row)
            return pace
        if done > length / 2 or done + pace * dt < KERB:
            return pace
        self.waited[row] += dt
        needed = (length - 2 * KERB + TRAIL) / float(self.wish[row]) + 1.0
        if self.waited[row] >= WAIT_BEFORE and self.junctions.may_walk(zebra, needed):
            self.crossing[row], self.waited[row] = True, 0.0
            self.junctions.walking[zebra] += 1
            return pace
        return 0.0

    def _off_zebra(self, row: int) -> None:
        if self.crossing[row]:
            self.crossing[row] = False
            self.junctions.walking[int(self._zebra[self.path[row]])] -= 1

    def _next_path(self, row: int) -> None:
        self._off_zebra(row)
        path = int(self.path[row])
        point = self.pavements.ends[path][0 if self.back[row] else 1]
        if point in self._dead_ends:
            self.gone.append(row)
            return
        choices = [other for other in self.pavements.paths_at[point] if other != path] or [path]
        weights = [1.0 if self._zebra[other] == NOWHERE else ROAD for other in choices]
        pick = self.random.random() * sum(weights)
        chosen = choices[-1]
        for other, weight in zip(choices, weights, strict=True):
            pick -= weight
            if pick < 0:
                chosen = other
                break
        self.done[row] -= self._length[path]
        self.path[row] = chosen
        ends = self.pavements.ends[chosen]
        self.back[row] = ends[1] == point and (ends[0] != point or self.random.random() < 0.5)

    def _follow(self, rows: Ints, dt: float) -> None:
        before = np.stack((self.x[rows], self.y[rows], self.z[rows]))
        yaw_before = self.yaw[rows]
        x, y, heading = self._mark(rows)
        to_x, to_y = x - before[0], y - before[1]
        away = np.hypot(to_x, to_y)
        # A walker keeps TRAIL behind the mark while the mark moves, and so cuts every corner smoothly.
        go = np.clip((away - TRAIL * 0.6) * 4.0, 0.0, 1.25 * self.wish[rows])
        speed = self.speed[rows] + np.clip(go - self.speed[rows], -2.5 * dt, 2.0 * dt)
        share = speed * dt / np.maximum(away, 1e-6)
        self.x[rows], self.y[rows] = before[0] + share * to_x, before[1] + share * to_y
        self.z[rows] = ground(self.x[rows], self.y[rows]) + self.height[rows]
        wanted = np.where(speed > 0.1, np.arctan2(to_y, to_x), heading)
        turn = np.clip(turned(wanted - yaw_before), -LOOK_ROUND * dt, LOOK_ROUND * dt)
        self.yaw[rows] = turned(yaw_before + turn)
        self.speed[rows] = speed
        self.stride[rows] += speed * dt * 4.2
        moved = (np.stack((self.x[rows], self.y[rows], self.z[rows])) - before) / dt
        self.velocity[rows] = moved.T
        level = np.zeros((2, rows.size))
        self.rotation[rows] = world_rates(np.vstack((level, yaw_before)), np.vstack((level, self.yaw[rows])), dt)
