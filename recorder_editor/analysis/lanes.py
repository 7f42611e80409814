"""Vehicles on the lanes of a road map: who is ahead on the same lane, and who is around on the lanes beside it.

Distances are those along the middles of lanes, in driving direction.
"""

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray
from ..reading.lanes import LanePlaces
from ..roads import RoadMap
from .constants import NO_LEADER, SURROUNDINGS
from .leaders import MAX_DISTANCE, MAX_HEADING_DIFFERENCE, pairs_by_frame
from .paths import VehicleRows


class VehicleLanes:
    """The lanes of vehicles.

    Attributes: `places` (the lane under the middle of each box), `lane` (its row, -1 where the vehicle is not on a lane
    for driving or not along it: int64[n]).
    """

    def __init__(self, roads: RoadMap, vehicles: VehicleRows) -> None:
        x, y, z = 100 * vehicles.cx, 100 * vehicles.cy, 100 * vehicles.z
        self.places = LanePlaces.at(roads, x, y, z, np.degrees(vehicles.yaw))
        on = self.places.on_driving & (np.abs(self.places.heading_error) <= np.degrees(MAX_HEADING_DIFFERENCE))
        self.lane: IntArray = np.where(on, self.places.found["lane"], -1).astype(np.int64)
        self._vehicles = vehicles
        self._lanes = len(roads.lanes)
        beside = np.append(roads.beside, [[-1, -1]], axis=0)[self.lane]
        own, left, right = (
            (lane, np.where(lane < 0, np.nan, roads.along(lane, self.places.found["s"])))
            for lane in (self.lane, *beside.T)
        )
        self._along = own[1]
        self._sides = {"left": left, "right": right}
        used = np.unique([self.lane, *beside.T])
        self._ways = self._reach(roads, used[used >= 0].tolist())

    def _reach(self, roads: RoadMap, lanes: list[int]) -> StructuredArray:
        """From each of these lanes all that it leads to within `MAX_DISTANCE`: a key of both, the distance from begin
        to begin, and whether there is no other way on until there; ordered by key."""
        ways = [(-1, np.nan, False)]
        for first in lanes:
            only = {-1: True}
            for ahead, lane, before in roads.ways(first):
                if ahead - roads.lengths[first] > MAX_DISTANCE:
                    break
                only[lane] = only[before] and (before < 0 or len(roads.successors(before)) == 1)
                ways.append((first * self._lanes + lane, ahead, only[lane]))
        return np.sort(np.array(ways, [("key", "i8"), ("ahead", "f8"), ("only", "?")]), order="key")

    def _way(self, first: IntArray, last: IntArray) -> tuple[FloatArray, BoolArray]:
        """The distances from the begin of lanes to the begin of others ahead, NaN without a way, and whether each is
        the only way."""
        key = np.where((first >= 0) & (last >= 0), first * self._lanes + last, -1)
        way = self._ways[self._ways["key"].searchsorted(key, side="right") - 1]
        found = way["key"] == key
        return np.where(found, way["ahead"], np.nan), found & way["only"]

    def ahead(self, follower: IntArray, other: IntArray) -> FloatArray:
        """How far ahead of a vehicle another one is (rows) on its lane or on those that follow, m; else NaN.

        Only as far as there is one way on, and from no junction, where lanes lie over each other: where a vehicle will
        turn is told by its own path.
        """
        way, only = self._way(self.lane[follower], self.lane[other])
        ahead = way + self._along[other] - self._along[follower]
        with np.errstate(invalid="ignore"):
            known = only & ~self.places.in_junction[follower] & (ahead > 0) & (ahead <= MAX_DISTANCE)
        return np.where(known, ahead, np.nan)

    def columns(self) -> dict[str, AnyArray]:
        """`laneId_raw` (the id of the lane in the map), `drivingDirection` (2 along the reference line of the road, 1
        against it), both 0 on no lane; and the rows of those around each vehicle on the lanes beside it, `NO_LEADER`
        without one: int64[n], named as in the table, without `Id`. Boxes that overlap along the lane are alongside."""
        on = self.places.on_lane
        way = self.places.of_lane("direction", 0)
        names = []
        for name in SURROUNDINGS:
            if name.startswith(("left", "right")):
                names.append(name.removesuffix("Id"))
        rows: dict[str, AnyArray] = {}
        for name in names:
            rows[name] = np.full(len(self.lane), NO_LEADER, np.int64)
        rows["laneId_raw"] = np.where(on, self.places.of_lane("lane_id", 0), 0)
        rows["drivingDirection"] = np.where(on, np.where(way > 0, 2, 1), 0)
        for (one, two), _ in pairs_by_frame(self._vehicles):
            room = self._vehicles.half_length[one] + self._vehicles.half_length[two]
            for side, (beside, along) in self._sides.items():
                onward = self._way(beside[one], self.lane[two])[0]
                back = self._way(self.lane[two], beside[one])[0]
                offset = np.where(np.isnan(onward), -back, onward) + self._along[two] - along[one]
                far = np.abs(offset)
                with np.errstate(invalid="ignore"):
                    near = far < room
                    ahead = offset > 0
                    known = far <= MAX_DISTANCE
                chosen = {"Alongside": near, "Preceding": ~near & ahead, "Following": ~near & ~ahead}
                for place, meant in chosen.items():
                    at = np.flatnonzero(meant & known)
                    at = at[np.argsort(-far[at], kind="stable")]  # the nearest is written last
                    rows[side + place][one[at]] = two[at]
        return rows
