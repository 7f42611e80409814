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

    Attributes:
        lane: The row of `RoadMap.lanes`.
        begin: Where the way comes to it: metres from where it begins in driving direction, spread evenly over its s.
        end: Where the way leaves it, likewise.
        is_change: Whether the way came from the lane beside.
    """

    lane: int
    begin: float
    end: float
    is_change: bool = False


def find_route(roads: RoadMap, begin: Point, end: Point) -> FloatArray | None:
    """Find the shortest way between two places.

    Args:
        roads: The road map.
        begin: x and y of the first place (m, in the simulator's coordinates).
        end: x and y of the last place.

    Returns:
        Points in the middle of the lanes, float64[n, 3] (m): at most 3 m apart, and where lanes are changed 30 m for
        each, in which a smooth curve through them leads over. None where there is no lane or no way.
    """
    way = shortest_way(roads, places_on(roads, begin).items(), places_on(roads, end))
    if way:
        return _points(roads, way)
    return None


def shortest_way(roads: RoadMap, begins: Iterable[tuple[int, float]], ends: Mapping[int, float]) -> tuple[Stretch, ...]:
    """Find the shortest way along lanes.

    It goes on at the ends of lanes, and changes, for the price of 20 m, between neighbours for the same vehicles.

    Args:
        roads: The road map.
        begins: The lanes at which it may begin, each with the metres along it.
        ends: The lanes at which it may end, with the metres along them.

    Returns:
        The parts of the way in order; empty if there is none.
    """
    # A lane is come to twice at the most: beside the begin, and at its own begin.
    came: dict[_Key, tuple[_Key, float, bool]] = {}
    queue = [(0.0, lane, begin, (-1, False), False) for lane, begin in begins]
    heapq.heapify(queue)
    while queue:
        metres, lane, begin, before, is_change = heapq.heappop(queue)
        if lane < 0:
            return _way_to(roads, came, before, begin)
        key = lane, begin > 0
        if key in came:
            continue
        came[key] = before, begin, is_change
        length = float(roads.lengths[lane])
        if ends.get(lane, -1.0) >= begin:
            heapq.heappush(queue, (metres + ends[lane] - begin, -1, ends[lane], key, False))
        for successor in roads.successors(lane):
            heapq.heappush(queue, (metres + length - begin, successor, 0.0, key, False))
        for neighbour in roads.beside[lane].tolist():
            if neighbour >= 0:
                there = begin / length * float(roads.lengths[neighbour]) if begin else 0.0
                heapq.heappush(queue, (metres + LANE_CHANGE, neighbour, there, key, True))
    return ()


def _way_to(
    roads: RoadMap, came: Mapping[_Key, tuple[_Key, float, bool]], key: _Key, end: float
) -> tuple[Stretch, ...]:
    """Return the way to a lane, by the lanes from which each was come to."""
    way: list[Stretch] = []
    while key[0] >= 0:
        before, begin, is_change = came[key]
        way.append(Stretch(lane=key[0], begin=begin, end=end, is_change=is_change))
        if is_change:
            end = came[before][1]
        else:
            end = float(roads.lengths[before[0]])
        key = before
    return tuple(reversed(way))


def places_on(roads: RoadMap, point: Point) -> dict[int, float]:
    """Find the lanes that a point is on, else the nearest one within reach.

    Args:
        roads: The road map.
        point: x and y (m, in the simulator's coordinates).

    Returns:
        The metres along each lane, by row of `RoadMap.lanes`.
    """
    lane, share, x, y, half = roads.driving_samples
    away = np.hypot(x - point[0], y - point[1])
    most = np.maximum(np.minimum(half, _ON), min(float(away.min(initial=np.inf)) + _JOINT, _WITHIN))
    near = np.flatnonzero(away < most)
    near = near[np.argsort(-away[near])]  # of each lane the nearest one is the last
    along = (share * roads.lengths[lane])[near]
    return dict(zip(lane[near].tolist(), along.tolist(), strict=True))


# --- points ---------------------------------------------------------------------------------------------


def _points(roads: RoadMap, way: Sequence[Stretch]) -> FloatArray:
    """Return the middle of the lanes of a way, without points where it leads over to a lane beside."""
    runs = [[way[0]]]
    changes = [0]
    for stretch in way[1:]:
        if not stretch.is_change:
            runs[-1].append(stretch)
        elif len(runs) > 1 and sum(part.end - part.begin for part in runs[-1]) < _STEP:  # passed at once
            runs[-1] = [stretch]
            changes[-1] += 1
        else:
            runs.append([stretch])
            changes.append(1)
    path = _middle(roads, runs[0])
    for index in range(1, len(runs)):
        onward = _middle(roads, runs[index])
        before = _run(path)
        after = _run(onward)
        metres = _CHANGE * changes[index]
        # The last lane may be changed to on its whole length, another one on half of it.
        room = float(after[-1])
        if index < len(runs) - 1:
            room *= 0.5
        early = before[-1] - min(max(metres - room, 0.0), _CHANGE / 2)
        path = np.concatenate([path[: max(int((before <= early).sum()), 1)], onward[after >= min(metres, room)]])
    return path


def _middle(roads: RoadMap, run: Sequence[Stretch]) -> FloatArray:
    """Return the middle of lanes that follow one another: x, y, z (m), float64[n, 3]."""
    lanes = []
    parts = []
    for stretch in run:
        points = int((stretch.end - stretch.begin) // _STEP) + 2
        lanes.append(np.full(points, stretch.lane))
        parts.append(np.linspace(stretch.begin, stretch.end, points))
    lane = np.concatenate(lanes)
    share = np.concatenate(parts) / np.maximum(roads.lengths[lane], _JOINT)
    rows = roads.lanes[lane]
    share = np.where(rows["direction"] > 0, share, 1 - share)
    there = roads.lane_points(lane, rows["s_begin"] + (rows["s_end"] - rows["s_begin"]) * share)
    path = np.stack([there["x"], there["y"], there["z"]], axis=-1)
    is_apart: BoolArray = np.append(True, np.diff(_run(path)) > _JOINT)
    return np.asarray(path[is_apart])


def _run(path: FloatArray) -> FloatArray:
    """Return the metres along a path at each of its points."""
    return np.append(0.0, np.cumsum(np.hypot(np.diff(path[:, 0]), np.diff(path[:, 1]))))
