"""Which lane follows which.

A link joins an end of one lane to an end of another one. Where the two agree in the direction in which they are driven,
the one follows the other.
"""

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, StructuredArray
from .opendrive import OpenDrive
from .surface import Surface

_NEAR = 1.0  # m between two ends that a file joins without saying which


class LaneLinks:
    """The lanes before and behind each lane, in the direction in which it is driven."""

    def __init__(self, drive: OpenDrive, surface: Surface) -> None:
        joints = _Joints(surface)
        joints.find(drive)
        table = joints.table()
        # Every joint from both of its lanes.
        joined = np.concatenate([table, table[:, [2, 3, 0, 1]]])
        lane = joined[:, 0]
        next_lane = joined[:, 2]
        # A lane is left at its end (1) if it is driven with s, else at its begin (0); and entered at the other one.
        with_s = surface.lanes["direction"] > 0
        follows = (joined[:, 1] == with_s[lane]) & (joined[:, 3] != with_s[next_lane])
        pairs = np.unique(np.stack([lane, next_lane], axis=-1)[follows], axis=0)
        self._next = _table(pairs, len(with_s))
        self._previous = _table(pairs[:, ::-1], len(with_s))

    def successors(self, lane: int) -> IndexArray:
        """Return the lanes that a lane leads to in driving direction."""
        return _of(self._next, lane)

    def predecessors(self, lane: int) -> IndexArray:
        """Return the lanes that lead to a lane."""
        return _of(self._previous, lane)


class _Joints:
    """The joints of lanes."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._tables: list[IndexArray] = [np.empty((0, 4), np.intp)]
        lanes = surface.lanes
        self._first = np.searchsorted(surface.sections["road"], np.arange(len(surface.roads) + 1))
        tracks = []
        for name in ("s_begin", "s_end"):
            tracks.append(surface.centre(np.arange(len(lanes)), lanes[name])[0])
        self._ends = np.array([track.x + 1j * track.y for track in tracks])

    def table(self) -> IndexArray:
        """Return all joints: a lane, its end (0: s begins, 1: s ends), another lane, its end; intp[n, 4]."""
        return np.concatenate(self._tables)

    def find(self, drive: OpenDrive) -> None:
        """Find the joints within roads, at the ends of roads that are joined, and at those of junctions."""
        surface = self._surface
        lanes = surface.lanes
        links = drive.lane_links.table()
        lane = surface.row_of[links["lane"].astype(np.intp)]
        links = links[lane >= 0]
        lane = lane[lane >= 0]
        end = (links["is_successor"] > 0).astype(np.intp)
        road = lanes["road"][lane].astype(np.intp)
        beside = lanes["section"][lane] + np.where(end, 1, -1)
        is_inside = (beside >= self._first[road]) & (beside < self._first[road + 1])
        self._add(lane, end, self._row(np.where(is_inside, beside, -1), links["id"]), 1 - end)
        junction = self._find_between_roads(drive, links, lane, end, np.flatnonzero(~is_inside))
        self._find_in_junctions(drive, junction)

    def _find_between_roads(
        self, drive: OpenDrive, links: StructuredArray, lane: IndexArray, end: IndexArray, outer: IndexArray
    ) -> FloatArray:
        """Find the joints at the ends of roads that are joined.

        Args:
            drive: What was read.
            links: Rows of `OpenDrive.lane_links`.
            lane: The lane of each, intp[n].
            end: The end of that lane, intp[n].
            outer: The indices of those at the end of a road.

        Returns:
            The junction at each end of each road (index `2 * road + end`), NaN for none.
        """
        surface = self._surface
        # By road and end: the road that is joined, the end of it, and the junction; the last one that a file tells.
        joined = np.full(2 * len(surface.roads), -1)
        contact = np.full(2 * len(surface.roads), -1)
        junction = np.full(2 * len(surface.roads), np.nan)
        road_links = drive.road_links.table()
        key = (2 * road_links["road"] + road_links["is_successor"]).astype(np.intp)
        is_junction = road_links["is_junction"] > 0
        to_road = road_links[~is_junction]
        joined[key[~is_junction]] = surface.road_rows(to_road["id"])
        contact[key[~is_junction]] = to_road["contact"]
        junction[key[is_junction]] = road_links["id"][is_junction]
        key = 2 * surface.lanes["road"][lane].astype(np.intp) + end
        out = outer[joined[key[outer]] >= 0]
        self._join(
            lane=lane[out],
            end=end[out],
            road=joined[key[out]],
            contact=contact[key[out]],
            lane_id=links["id"][out],
            near=np.zeros(len(out), bool),
        )
        return junction

    def _find_in_junctions(self, drive: OpenDrive, junction: FloatArray) -> None:
        """Find the joints of lanes that lead into a junction; `junction` as `_find_between_roads` returns it."""
        surface = self._surface
        rows = drive.connection_lanes.table()
        connection = drive.connections.table()[rows["connection"].astype(np.intp)]
        road = surface.road_rows(connection["incoming"])
        connecting = surface.road_rows(connection["connecting"])
        is_known = (road >= 0) & (connecting >= 0)
        leads = []
        for end in (0, 1):
            leads.append(is_known & (junction[2 * road + end] == connection["junction"]))
        for number, lead in enumerate(leads):
            end_of_lane = np.full(len(road), number)
            section = np.where(lead, self._section_at(road, end_of_lane), -1)
            self._join(
                lane=self._row(section, rows["begin"]),
                end=end_of_lane,
                road=connecting,
                contact=connection["contact"],
                lane_id=rows["end"],
                # A road with both ends at one junction leads into it at the end that is near.
                near=leads[0] & leads[1],
            )

    def _join(
        self,
        lane: IndexArray,
        end: IndexArray,
        road: IndexArray,
        contact: FloatArray,
        lane_id: FloatArray,
        near: BoolArray,
    ) -> None:
        """Join lanes to those of an id at an end of roads.

        Args:
            lane: The lanes, intp[n].
            end: The end of each, intp[n].
            road: The roads that they are joined to, intp[n].
            contact: The end of each road, float64[n]; -1: the end that is near.
            lane_id: The ids of lanes of these roads, float64[n].
            near: Where the end must be near in any case, bool[n].
        """
        for number in (0, 1):
            contact_end = np.full(len(lane), number)
            target = self._row(self._section_at(road, contact_end), lane_id)
            is_near = np.abs(self._ends[end, lane] - self._ends[number, target]) < _NEAR
            is_joined = ((contact < 0) | (contact == number)) & (is_near | ((contact >= 0) & ~near))
            self._add(lane, end, np.where(is_joined, target, -1), contact_end)

    def _add(self, lane: IndexArray, end: IndexArray, target: IndexArray, target_end: IndexArray) -> None:
        """Add joints, without those of which a part is -1."""
        joints = np.stack([lane, end, target, target_end], axis=-1)
        self._tables.append(joints[(joints >= 0).all(axis=1)])

    def _section_at(self, road: IndexArray, end: IndexArray) -> IndexArray:
        """Return the first or the last section of roads, -1 where there is none."""
        first = self._first[road]
        last = self._first[road + 1] - 1
        return np.where(first > last, -1, np.where(end, last, first))

    def _row(self, section: IndexArray, lane_id: FloatArray) -> IndexArray:
        """Return the lanes of ids in sections, -1 where there is none."""
        return self._surface.rows(section, lane_id.astype(np.int64))


def _table(pairs: IndexArray, lanes: int) -> tuple[IndexArray, IndexArray]:
    """Return pairs by their first lane: where those of each lane begin, and the second lanes."""
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return np.searchsorted(pairs[:, 0], np.arange(lanes + 1)), pairs[:, 1]


def _of(table: tuple[IndexArray, IndexArray], lane: int) -> IndexArray:
    """Return the second lanes of a table for one lane."""
    first, lanes = table
    return lanes[first[lane] : first[lane + 1]]
