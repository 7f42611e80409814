"""The vehicles of the town as columns: what they are, where they drive, how they stand in the world.

One row is a place for a vehicle; when it has left, another may take the row. Knows no rules of traffic.
"""

from collections.abc import Sequence

import numpy as np

from .catalog import Model
from .geometry import Flags, Floats, Ints, ground, slope, turned
from .town import NOWHERE, Town

LOOKAHEAD = 3
GRAVITY = 9.81
MAX_STEER = 70.0  # degrees, as in every vehicle's physics
DIVE, SWAY = 0.006, 0.009  # radians of pitch and roll for each m/s2
SETTLE = 0.25  # seconds
WANDER, WAVE = 0.1, 75.0  # metres to the side, over metres of road
LATERAL_GRIP = 0.9


class Fleet:
    """Columns of shape (places,), metres, seconds, radians; `steer` and `spin` in degrees.

    Attributes: `alive` (in the world), `driving` (moved along the links by the traffic), `id`, `model`, `color`,
    `role`; `link`, `along` (of the front axle), `speed`, `pull` (acceleration), `ahead` (the next links), `permit` (the
    way it may enter), `nose` and `tail` (bumpers before and behind the front axle), `wheelbase`; `swerve` and
    `swerve_speed`; pose `x y z roll pitch yaw`; `velocity` and `rotation` (world axes, m/s and degrees/s, shape
    (places, 3)).
    """

    def __init__(self, town: Town, places: int) -> None:
        self.town = town

        def floats() -> Floats:
            return np.zeros(places)

        def flags() -> Flags:
            return np.zeros(places, dtype=np.bool_)

        def links() -> Ints:
            return np.full(places, NOWHERE, dtype=np.int64)

        self.alive, self.driving, self.two_wheels = flags(), flags(), flags()
        self.id, self.link, self.permit = links(), links(), links()
        self.model: list[Model | None] = [None] * places
        self.color, self.role = [""] * places, [""] * places
        self.ahead = np.full((places, LOOKAHEAD), NOWHERE, dtype=np.int64)
        self.along, self.speed, self.pull, self.travelled, self.phase = (floats() for _ in range(5))
        self.nose, self.tail, self.wheelbase, self.radius = (floats() for _ in range(4))
        self.half_length, self.half_width, self.forward_of_middle = (floats() for _ in range(3))
        self.swerve, self.swerve_speed, self.lean, self.dive = (floats() for _ in range(4))
        self.x, self.y, self.z, self.roll, self.pitch, self.yaw = (floats() for _ in range(6))
        self.steer, self.spin = floats(), floats()
        self.velocity, self.rotation = np.zeros((places, 3)), np.zeros((places, 3))

    def __len__(self) -> int:
        return len(self.alive)

    def enter(self, place: int, actor: int, model: Model, color: str, role: str) -> None:
        """Puts a new vehicle into a free row; `drive` or `park` says where."""
        self.alive[place] = True
        self.id[place], self.model[place], self.color[place], self.role[place] = actor, model, color, role
        self.two_wheels[place] = model.two_wheels
        half, base = model.half_length / 100, model.wheelbase
        self.forward_of_middle[place] = base / 2
        self.half_length[place], self.half_width[place] = half, model.half_width / 100
        self.nose[place] = half + model.ahead / 100 - base / 2
        self.tail[place] = half - model.ahead / 100 + base / 2
        self.wheelbase[place], self.radius[place] = base, model.radius
        for column in (self.pull, self.travelled, self.swerve, self.swerve_speed, self.lean, self.dive, self.steer):
            column[place] = 0.0
        self.spin[place] = -model.mass % 360.0

    def drive(self, place: int, link: int, along: float, speed: float, ahead: Sequence[int], phase: float) -> None:
        """Sets a vehicle on a link with its front axle at `along`, in the lane's direction."""
        self.driving[place], self.permit[place] = True, NOWHERE
        self.link[place], self.along[place], self.speed[place] = link, along, speed
        self.ahead[place], self.phase[place] = ahead, phase
        one = np.array([place])
        _, _, heading = self.town.curves.at(self.link[one], self.along[one] - self.wheelbase[one])
        self.yaw[place] = heading[0]
        self.pose(0.0, one)
        forward = np.array([np.cos(self.yaw[place]), np.sin(self.yaw[place]), 0.0])
        self.velocity[place], self.rotation[place] = speed * forward, 0.0

    def park(self, place: int, x: float, y: float, yaw: float) -> None:
        """Leaves a vehicle standing somewhere."""
        self.driving[place], self.link[place], self.permit[place] = False, NOWHERE, NOWHERE
        self.x[place], self.y[place], self.yaw[place], self.speed[place] = x, y, yaw, 0.0
        self.velocity[place], self.rotation[place] = 0.0, 0.0
        self.lie_on_ground(np.array([place]))

    def leave(self, place: int) -> None:
        """Takes a vehicle out of the world."""
        self.alive[place] = self.driving[place] = False
        self.link[place] = self.permit[place] = NOWHERE

    def pose(self, dt: float, rows: Ints) -> None:
        """Brings driving vehicles to where they are: the front axle is on the link, the rear axle follows it."""
        speed = self.speed[rows]
        x, y, heading = self.town.curves.at(self.link[rows], self.along[rows])
        wave = 2 * np.pi / WAVE
        swing = wave * self.travelled[rows] + self.phase[rows]
        aside = WANDER * np.sin(swing) + self.swerve[rows]
        aside_speed = WANDER * wave * np.cos(swing) * speed + self.swerve_speed[rows]
        front = heading + np.arctan2(aside_speed, np.maximum(speed, 1.0))
        # Heun's rule: with the turn at the beginning of the step alone, the rear axle would slide sideways.
        per_turn = speed / self.wheelbase[rows]
        begin = per_turn * np.sin(np.radians(self.steer[rows]))
        end = per_turn * np.sin(turned(front - self.yaw[rows] - begin * dt))
        rate = (begin + end) / 2
        self.yaw[rows] = turned(self.yaw[rows] + rate * dt)
        self.steer[rows] = np.clip(np.degrees(turned(front - self.yaw[rows])), -MAX_STEER, MAX_STEER)
        x, y = x - aside * np.sin(heading), y + aside * np.cos(heading)
        back = self.forward_of_middle[rows]
        self.x[rows], self.y[rows] = x - back * np.cos(self.yaw[rows]), y - back * np.sin(self.yaw[rows])
        share = min(1.0, dt / SETTLE)
        outward = np.where(
            self.two_wheels[rows],
            LATERAL_GRIP * np.arctan(speed * rate / GRAVITY),
            -np.clip(SWAY * speed * rate, -0.05, 0.05),
        )
        self.lean[rows] += share * (outward - self.lean[rows])
        sink = np.where(self.two_wheels[rows], 0.0, DIVE * self.pull[rows])
        self.dive[rows] += share * (sink - self.dive[rows])
        self.spin[rows] -= np.degrees(speed * dt / self.radius[rows])
        self.lie_on_ground(rows)

    def lie_on_ground(self, rows: Ints) -> None:
        """Height, pitch and roll from the land under the vehicles and how their bodies move on it."""
        x, y, yaw = self.x[rows], self.y[rows], self.yaw[rows]
        along_x, along_y = slope(x, y)
        cosine, sine = np.cos(yaw), np.sin(yaw)
        self.z[rows] = ground(x, y)
        self.pitch[rows] = np.arctan(along_x * cosine + along_y * sine) + self.dive[rows]
        self.roll[rows] = -np.arctan(along_y * cosine - along_x * sine) + self.lean[rows]

    def measure(self, before: Floats, dt: float) -> None:
        """Velocities from how far everything moved since `before` (as `stand` gave it) within `dt`."""
        rows = np.flatnonzero(self.alive)
        now = self.stand()[:, rows]
        moved = (now - before[:, rows]) / dt
        self.velocity[rows] = moved[:3].T
        self.rotation[rows] = world_rates(before[3:, rows], now[3:], dt)

    def stand(self) -> Floats:
        """x, y, z, roll, pitch and yaw of all rows, shape (6, places)."""
        return np.stack((self.x, self.y, self.z, self.roll, self.pitch, self.yaw))


def world_rates(before: Floats, now: Floats, dt: float) -> Floats:
    """Angular velocity in world axes, degrees/s, shape (n, 3), from two (roll, pitch, yaw) of shape (3, n).

    Yaw turns with the left-handed axes, roll and pitch against them (measured on real recordings).
    """
    roll, pitch, yaw = np.degrees(turned(now - before)) / dt
    cosine, sine = np.cos(now[2]), np.sin(now[2])
    return np.stack((-roll * cosine + pitch * sine, -roll * sine - pitch * cosine, yaw), axis=1)
