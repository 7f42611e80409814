"""Vehicles on the lanes of a road map: those ahead on the same lane, and those around on the lanes beside it.

Distances are those along the middles of lanes, in driving direction.
"""

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray
from ..reading.lanes import LanePlaces
from ..roads import RoadMap
from .constants import NO_LEADER, SURROUNDINGS
from .leaders import MAX_DISTANCE, MAX_HEADING_DIFFERENCE, Pairs, pairs_by_frame
from .paths import VehicleRows

_WAYS = np.dtype([("key", "i8"), ("ahead", "f8"), ("only", "?")])
"""A way from one lane to another: a key of both, the distance from begin to begin (m; NaN for none), and whether there
is no other way on until there."""


class VehicleLanes:
    """The lanes of vehicles.

    Attributes:
        places: The lane under the middle of each box.
        lane: Its row, -1 where the vehicle is not on a lane for driving or not along it, int64[n].
    """

    def __init__(self, roads: RoadMap, vehicles: VehicleRows) -> None:
        """Find the lanes of vehicles (n rows) on a road map."""
        yaw = np.degrees(vehicles.yaw)
        self.places = LanePlaces.at(roads, 100 * vehicles.cx, 100 * vehicles.cy, 100 * vehicles.z, yaw)
        is_along = np.abs(self.places.heading_error) <= np.degrees(MAX_HEADING_DIFFERENCE)
        lane = np.where(self.places.on_driving & is_along, self.places.locations["lane"], -1)
        self.lane: IntArray = lane.astype(np.int64)
        self._vehicles = vehicles
        self._lanes = len(roads.lanes)
        left, right = np.append(roads.beside, [[-1, -1]], axis=0)[self.lane].T
        self._along = self._distance_along(roads, self.lane)
        self._sides = {
            "left": (left, self._distance_along(roads, left)),
            "right": (right, self._distance_along(roads, right)),
        }
        used = np.unique([self.lane, left, right])
        self._ways = self._find_ways(roads, used[used >= 0].tolist())

    def _distance_along(self, roads: RoadMap, lanes: IntArray) -> FloatArray:
        """Return the distance of each vehicle from the begin of a lane (m), NaN without one."""
        return np.where(lanes < 0, np.nan, roads.along(lanes, self.places.locations["s"]))

    def _find_ways(self, roads: RoadMap, lanes: list[int]) -> StructuredArray:
        """Return the ways from each of these lanes to all within `MAX_DISTANCE`, dtype `_WAYS`, ordered by key."""
        ways = [(-1, np.nan, False)]
        for first in lanes:
            is_only = {-1: True}
            for ahead, lane, before in roads.ways(first):
                if ahead - roads.lengths[first] > MAX_DISTANCE:
                    break
                is_only[lane] = is_only[before] and (before < 0 or len(roads.successors(before)) == 1)
                ways.append((first * self._lanes + lane, ahead, is_only[lane]))
        return np.sort(np.array(ways, _WAYS), order="key")

    def _way(self, first: IntArray, last: IntArray) -> tuple[FloatArray, BoolArray]:
        """Return the ways from lanes to others ahead.

        Args:
            first: Rows of lanes, -1 for none, shape (n,).
            last: Rows of lanes ahead, -1 for none, shape (n,).

        Returns:
            The distance from begin to begin (m), NaN without a way, and whether it is the only way, shape (n,) each.
        """
        key = np.where((first >= 0) & (last >= 0), first * self._lanes + last, -1)
        way = self._ways[self._ways["key"].searchsorted(key, side="right") - 1]
        exists = way["key"] == key
        return np.where(exists, way["ahead"], np.nan), exists & way["only"]

    def ahead(self, follower: IntArray, other: IntArray) -> FloatArray:
        """Return how far ahead of vehicles other ones are on their lanes or on those that follow.

        Only as far as there is one way on, and from no junction, where lanes lie over each other: where a vehicle will
        turn is known by its own path.

        Args:
            follower: Rows of vehicles, shape (p,).
            other: Rows of other vehicles, shape (p,).

        Returns:
            Metres, shape (p,); NaN where the other one is not ahead.
        """
        way, is_only = self._way(self.lane[follower], self.lane[other])
        ahead = way + self._along[other] - self._along[follower]
        with np.errstate(invalid="ignore"):
            is_near = (ahead > 0) & (ahead <= MAX_DISTANCE)
        return np.where(is_only & ~self.places.in_junction[follower] & is_near, ahead, np.nan)

    def columns(self) -> dict[str, AnyArray]:
        """Return columns of lanes.

        Returns:
            `laneId_raw` (the id of the lane in the map) and `drivingDirection` (2 along the reference line of the road,
            1 against it), both 0 on no lane; and the rows of those around each vehicle on the lanes beside it,
            `NO_LEADER` without one: int64[n], named as in the table, without `Id`. Boxes that overlap along the lane
            are alongside.
        """
        columns: dict[str, AnyArray] = {}
        for name in SURROUNDINGS:
            if name.startswith(("left", "right")):
                columns[name.removesuffix("Id")] = np.full(len(self.lane), NO_LEADER, np.int64)
        is_on_lane = self.places.on_lane
        direction = np.where(self.places.of_lane("direction", 0) > 0, 2, 1)
        columns["laneId_raw"] = np.where(is_on_lane, self.places.of_lane("lane_id", 0), 0)
        columns["drivingDirection"] = np.where(is_on_lane, direction, 0)
        for pairs, _ in pairs_by_frame(self._vehicles):
            for side in self._sides:
                self._find_beside(columns, pairs, side)
        return columns

    def _find_beside(self, columns: dict[str, AnyArray], pairs: Pairs, side: str) -> None:
        """Write the nearest of the other vehicles on one side of vehicles into the columns of that side."""
        beside, along = self._sides[side]
        vehicle = pairs.follower
        other = pairs.other
        onward, _ = self._way(beside[vehicle], self.lane[other])
        back, _ = self._way(self.lane[other], beside[vehicle])
        offset = np.where(np.isnan(onward), -back, onward) + self._along[other] - along[vehicle]
        distance = np.abs(offset)
        with np.errstate(invalid="ignore"):
            overlaps = distance < self._vehicles.half_length[vehicle] + self._vehicles.half_length[other]
            is_ahead = offset > 0
            is_near = distance <= MAX_DISTANCE
        places = {"Alongside": overlaps, "Preceding": ~overlaps & is_ahead, "Following": ~overlaps & ~is_ahead}
        for place, is_there in places.items():
            chosen = np.flatnonzero(is_there & is_near)
            chosen = chosen[np.argsort(-distance[chosen], kind="stable")]  # the nearest is written last
            columns[side + place][vehicle[chosen]] = other[chosen]
