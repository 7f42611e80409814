"""Arguments of `add_actor` for a car that is parked, one that follows the hero, and a walker that crosses before it."""

from typing import Any

import numpy as np

from ...recording import Snapshot
from ..intents import moment
from .add_actor import life_named
from .blueprints import catalogue
from .ways import ground, recorded_way

_ASIDE, _SPEED = 4.0, 1.5  # m from the middle of the hero's path, where a walker begins and ends, and its m/s
_LEAD = 2.0  # s before the front of the hero is there; one of them it loses until it goes at that speed
_SOON, _NEAREST, _FRONT = 4.0, 8.0, 3.0  # s after a frame; m before a hero that stands; m from its middle to its front


@np.errstate(all="ignore")  # files may hold any number
def parked_car(snapshot: Snapshot, frame_index: int, place: tuple[float, float]) -> dict[str, Any]:
    """A car that stands at a place (m) from beginning to end, along the lane or as others drove there."""
    heading = float(ground(snapshot, np.array([place]))[0, 1])
    return {"blueprint": usual(snapshot, "car"), "path": [list(place)], "yaw": heading, "role": "parked"}


def follower(snapshot: Snapshot, frame_index: int, place: object = None) -> dict[str, Any]:
    """A car behind the hero, from a frame on."""
    return {"blueprint": usual(snapshot, "car"), "follow": "hero", "from": moment(snapshot, frame_index)}


@np.errstate(all="ignore")
def crossing_walker(snapshot: Snapshot, frame_index: int, place: tuple[float, float] | None = None) -> dict[str, Any]:
    """A walker that crosses the hero's path shortly before it comes, at the point of it that is nearest to a place
    (None: where its front is 4 s after a frame)."""
    hero, now = life_named(snapshot, "hero", frame_index), float(snapshot.elapsed[frame_index])
    times, distance, way = recorded_way(snapshot, hero)
    at = np.add(np.interp((now, now + _SOON), times, distance), (_NEAREST, _FRONT)).max()
    if place is not None:
        at = way.distance[np.argmin(np.hypot(*(way.poses[:, :2] - place).T))]
    x, y, _, _, _, yaw = way.at(np.array([at]))[0]
    aside = _ASIDE * np.array([-np.sin(np.radians(yaw)), np.cos(np.radians(yaw))])
    starts = float(np.interp(at - _FRONT, distance, times)) - _LEAD - _ASIDE / _SPEED
    born = snapshot.frame_at_time(min(now, starts))  # before the frame if it would come too late
    return {
        "blueprint": usual(snapshot, "walker"),
        "path": [((x, y) + side * aside).tolist() for side in (1, -1)],
        "speed": _SPEED,
        "wait": round(max(0.001, starts - float(snapshot.elapsed[born])), 3),
        "from": moment(snapshot, born),
    }


def usual(snapshot: Snapshot, kind: str) -> str:
    """A blueprint of a kind, of the recording if it has one."""
    return next(each.name for each in catalogue(snapshot).values() if each.model.kind == kind and each.uid)
