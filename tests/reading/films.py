"""Recordings of road users on courses, for tests of what they do."""

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from .. import builders as b

STEP = 0.05

Course = Callable[[float], tuple[float, float, float]]
"""From seconds to a place (m) and a heading (degrees)."""


class Actor(NamedTuple):
    """An actor that drives or walks a course."""

    course: Course
    kind: str = "vehicle"
    role: str = ""
    height: float = 0.0  # m

    def added(self, actor: int) -> b.Record:
        code, blueprint, wheels = {
            "vehicle": (1, "vehicle.lincoln.mkz_2017", "4"),
            "two-wheeler": (1, "vehicle.bh.crossbike", "2"),
            "walker": (2, "walker.pedestrian.0001", ""),
        }[self.kind]
        attributes = [b.attribute(3, "role_name", self.role), b.attribute(1, "number_of_wheels", wheels)]
        pose = self.pose(actor, 0.0)
        return b.actor(actor, code, blueprint, pose["location"], pose["rotation"], attributes=attributes)

    def pose(self, actor: int, seconds: float) -> b.Record:
        x, y, heading = self.course(seconds)
        return b.pose(actor, b.xyz(x * 100, y * 100, self.height * 100), b.turn(yaw=heading))


def film(
    path: Path, actors: Mapping[int, Actor], seconds: float = 6.0, more: Callable[[int], Iterable[bytes]] = lambda _: ()
) -> Path:
    """Write a recording of actors on their courses, with more packets by frame; cars are 4.6 x 1.9 m."""
    frames = []
    last = round(seconds / STEP)
    for index in range(last + 1):
        packets = []
        if not index:
            packets.append(b.packet(2, b.event_add([one.added(actor) for actor, one in actors.items()])))
        poses = [one.pose(actor, index * STEP) for actor, one in actors.items()]
        packets.append(b.packet(6, b.position(poses)))
        packets.extend(more(index))
        frames.append(b.frame(index + 1, index * STEP, STEP if index < last else -1.0, packets))
    path.write_bytes(b.recording(*frames))
    return path


def along(x: float, y: float, heading: float, speed: float | Callable[[float], float]) -> Course:
    """A straight course; `speed` (m/s), or a function from seconds to the way (m)."""
    angle = math.radians(heading)

    def place(seconds: float) -> tuple[float, float, float]:
        way = speed(seconds) if callable(speed) else speed * seconds
        return x + way * math.cos(angle), y + way * math.sin(angle), heading

    return place


def braking(speed: float, rate: float, begin: float = 1.0) -> Callable[[float], float]:
    """The way of one that drives, then brakes (rate < 0) until it stands."""

    def way(seconds: float) -> float:
        after = min(max(seconds - begin, 0.0), speed / -rate)
        return speed * min(seconds, begin) + speed * after + rate * after**2 / 2

    return way
