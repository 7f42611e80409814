"""The shortest way along the lanes of a map from one place to another, and a path through the middle of these lanes."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray
from .road_map import RoadMap

LANE_CHANGE: Final = 20.0
"""Metres that a change of lanes counts as, on a way."""

_STEP = 3.0  # m between points of a path
_CHANGE = 30.0  # m in which a path leads to the lane beside
_JOINT = 0.01  # m: nearer points are one
_ON = 2.0  # m from the middle of a lane
_WITHIN = 6.0  # m from that of the nearest one
Point = Sequence[float] | FloatArray
_Key = tuple[int, bool]


class Stretch(NamedTuple):
    """A part of a way.

    Attributes: `lane` (row of `RoadMap.lanes`), `begin` and `end` (where the way comes to it and leaves it: metres from
    where it begins in driving direction, spread evenly over its s), `is_change` (it came from the lane beside).
    """

    lane: int
    begin: float
    end: float
    is_change: bool = False


def find_route(roads: RoadMap, begin: Point, end: Point) -> FloatArray | None:
    """Points (float64[n, 3], m) of the shortest way between two places: at most 3 m apart, and where lanes are changed
    30 m for each, in which a smooth curve through them leads over.

    It begins and ends in the middle of the lanes that are there; None where there is no lane or no way.
    """
    way = shortest_way(roads, places_on(roads, begin).items(), places_on(roads, end))
    if way:
        return _points(roads, way)
    return None


def shortest_way(roads: RoadMap, begins: Iterable[tuple[int, float]], ends: Mapping[int, float]) -> tuple[Stretch, ...]:
    """The shortest way from one of some lanes to another, each with the metres along it; empty if there is none.

    It goes on at the ends of lanes, and changes, for the price of 20 m, between neighbours for the same vehicles.
    """
    # A lane is come to twice at the most: beside the begin, and at its own begin.
    came: dict[_Key, tuple[_Key, float, bool]] = {}
    queue = [(0.0, lane, at, (-1, False), False) for lane, at in begins]
    heapq.heapify(queue)
    while queue:
        metres, lane, at, before, is_change = heapq.heappop(queue)
        if lane < 0:
            return _way_to(roads, came, before, at)
        key = lane, at > 0
        if key in came:
            continue
        came[key], length = (before, at, is_change), float(roads.lengths[lane])
        if ends.get(lane, -1.0) >= at:
            heapq.heappush(queue, (metres + ends[lane] - at, -1, ends[lane], key, False))
        for other in roads.successors(lane):
            heapq.heappush(queue, (metres + length - at, other, 0.0, key, False))
        for other in roads.beside[lane].tolist():
            if other >= 0:
                if at:
                    there = at / length * float(roads.lengths[other])
                else:
                    there = 0.0
                heapq.heappush(queue, (metres + LANE_CHANGE, other, there, key, True))
    return ()


def _way_to(
    roads: RoadMap, came: Mapping[_Key, tuple[_Key, float, bool]], key: _Key, end: float
) -> tuple[Stretch, ...]:
    way: list[Stretch] = []
    while key[0] >= 0:
        before, at, is_change = came[key]
        way.append(Stretch(key[0], at, end, is_change))
        if is_change:
            end = came[before][1]
        else:
            end = float(roads.lengths[before[0]])
        key = before
    return tuple(reversed(way))


def places_on(roads: RoadMap, point: Point) -> dict[int, float]:
    """The lanes that a point is on, else the nearest one within reach, and the metres along them."""
    lane, share, x, y, half = roads.driving_samples
    away = np.hypot(x - point[0], y - point[1])
    most = np.maximum(np.minimum(half, _ON), min(float(away.min(initial=np.inf)) + _JOINT, _WITHIN))
    near = np.flatnonzero(away < most)
    near = near[np.argsort(-away[near])]  # of each lane the nearest one is the last
    along = (share * roads.lengths[lane])[near]
    return dict(zip(lane[near].tolist(), along.tolist(), strict=True))


# --- points ---------------------------------------------------------------------------------------------


def _points(roads: RoadMap, way: Sequence[Stretch]) -> FloatArray:
    """The middle of the lanes of a way, without points where it leads over to a lane beside."""
    runs = [[way[0]]]
    changes = [0]
    for each in way[1:]:
        if not each.is_change:
            runs[-1].append(each)
        elif len(runs) > 1 and sum(part.end - part.begin for part in runs[-1]) < _STEP:  # passed at once
            runs[-1], changes[-1] = [each], changes[-1] + 1
        else:
            runs.append([each])
            changes.append(1)
    path, *others = (_middle(roads, run) for run in runs)
    for onward, number in zip(others, changes[1:], strict=True):
        before = _run(path)
        after = _run(onward)
        metres = _CHANGE * number
        room = float(after[-1]) * (1.0 if onward is others[-1] else 0.5)
        early = before[-1] - min(max(metres - room, 0.0), _CHANGE / 2)
        path = np.concatenate([path[: max(int((before <= early).sum()), 1)], onward[after >= min(metres, room)]])
    return path


def _middle(roads: RoadMap, run: Sequence[Stretch]) -> FloatArray:
    """The middle of lanes that follow one another: x, y, z (m), float64[n, 3]."""
    parts = []
    for each in run:
        parts.append(np.linspace(each.begin, each.end, int((each.end - each.begin) // _STEP) + 2))
    lane = np.repeat([each.lane for each in run], [len(each) for each in parts])
    share = np.concatenate(parts) / np.maximum(roads.lengths[lane], _JOINT)
    rows = roads.lanes[lane]
    share = np.where(rows["direction"] > 0, share, 1 - share)
    there = roads.lane_points(lane, rows["s_begin"] + (rows["s_end"] - rows["s_begin"]) * share)
    path = np.stack([there[axis] for axis in "xyz"], axis=-1)
    is_apart: BoolArray = np.append(True, np.diff(_run(path)) > _JOINT)
    return np.asarray(path[is_apart])


def _run(path: FloatArray) -> FloatArray:
    """Metres along a path."""
    return np.append(0.0, np.cumsum(np.hypot(*np.diff(path[:, :2], axis=0).T)))
