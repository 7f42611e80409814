"""Which lane follows which, and the way along them.

A link joins an end of one lane to an end of another one. Where the two agree in the direction in which they are driven,
the one follows the other.
"""

import heapq
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from ..arrays import FloatArray, IndexArray, StructuredArray
from .opendrive import MAX_LANE_ID, OpenDrive
from .surface import Surface

LANE_CHANGE: Final = 20.0
"""Metres that a change of lanes counts as, on a way."""

_BEGIN, _END = 0, 1
_NEAR = 1.0  # m between two ends that a file joins without saying which


class LaneLinks:
    """The lanes before and behind each lane, in the direction in which it is driven."""

    def __init__(self, drive: OpenDrive, surface: Surface) -> None:
        self._surface = surface
        lanes = surface.lanes
        joints = np.concatenate([np.array(list(each), np.intp).reshape(-1, 4) for each in self._joints(drive)])
        one, one_end, other, other_end = np.concatenate([joints, joints[:, [2, 3, 0, 1]]]).T
        # A lane is left at its end if it is driven with s, else at its begin; and entered at the other one.
        leaves = one_end == np.where(lanes["direction"][one] > 0, _END, _BEGIN)
        enters = other_end == np.where(lanes["direction"][other] > 0, _BEGIN, _END)
        pairs = np.unique(np.stack([one, other], axis=-1)[leaves & enters], axis=0)
        self._next = _table(pairs, len(lanes))
        self._previous = _table(pairs[:, ::-1], len(lanes))

    def successors(self, lane: int) -> IndexArray:
        return _of(self._next, lane)

    def predecessors(self, lane: int) -> IndexArray:
        return _of(self._previous, lane)

    # --- reading ------------------------------------------------------------------------------------------------

    def _joints(self, drive: OpenDrive) -> Iterator[Iterator[tuple[int, int, int, int]]]:
        """Lane, its end, another lane, its end."""
        lanes, sections = self._surface.lanes, self._surface.sections
        self._roads_by_id = {int(id_): row for row, id_ in enumerate(self._surface.roads["id"].tolist())}
        names = zip(lanes["section"].tolist(), lanes["lane_id"].tolist(), strict=True)
        self._rows = {name: row for row, name in enumerate(names)}
        tracks = [self._surface.centre(np.arange(len(lanes)), lanes[name])[0] for name in ("s_begin", "s_end")]
        self._ends = [np.stack([track.x, track.y], axis=-1).tolist() for track in tracks]
        self._section_of, self._road_of = lanes["section"].tolist(), lanes["road"].tolist()
        bounds = np.searchsorted(sections["road"], np.arange(len(self._surface.roads) + 1)).tolist()
        self._sections = list(pairwise(bounds))
        yield self._within_roads(drive)
        yield self._between_roads(drive)
        yield self._in_junctions(drive)

    def _lane_links(self, drive: OpenDrive) -> StructuredArray:
        links = drive.lane_links.table()
        links["lane"] = self._surface.row_of[links["lane"].astype(np.intp)]
        return np.asarray(links[(links["lane"] >= 0) & (np.abs(links["id"]) <= MAX_LANE_ID)])

    def _within_roads(self, drive: OpenDrive) -> Iterator[tuple[int, int, int, int]]:
        for lane, id_, is_successor in self._lane_links(drive).tolist():
            beside = self._section_of[int(lane)] + (1 if is_successor else -1)
            first, last = self._sections[self._road_of[int(lane)]]
            other = self._row(beside, id_) if first <= beside < last else -1
            if other >= 0:
                yield (int(lane), _END, other, _BEGIN) if is_successor else (int(lane), _BEGIN, other, _END)

    def _between_roads(self, drive: OpenDrive) -> Iterator[tuple[int, int, int, int]]:
        """Lanes at the ends of roads that are joined without a junction, or lead out of one."""
        links = {}
        for road, is_successor, is_junction, id_, contact in drive.road_links.table().tolist():
            if not is_junction and int(id_) in self._roads_by_id:
                links[int(road), bool(is_successor)] = self._roads_by_id[int(id_)], int(contact)
        for number, id_, is_successor in self._lane_links(drive).tolist():
            lane = int(number)
            road = self._road_of[lane]
            found = links.get((road, bool(is_successor)))
            end = _END if is_successor else _BEGIN
            if found is None or self._section_at(road, end) != self._section_of[lane]:
                continue
            yield from self._joined(lane, end, *found, id_)

    def _joined(self, lane: int, end: int, road: int, contact: int, id_: float) -> Iterator[tuple[int, int, int, int]]:
        """The lane of that id at an end of a road (-1: at the end that is near)."""
        for other_end in (_BEGIN, _END) if contact < 0 else (contact,):
            other = self._row(self._section_at(road, other_end), id_)
            if other >= 0 and (contact >= 0 or self._distance(lane, end, other, other_end) < _NEAR):
                yield lane, end, other, other_end

    def _in_junctions(self, drive: OpenDrive) -> Iterator[tuple[int, int, int, int]]:
        """Lanes that lead into a junction."""
        into: dict[tuple[int, int], list[int]] = {}
        for road, is_successor, is_junction, id_, _contact in drive.road_links.table().tolist():
            if is_junction:
                into.setdefault((int(road), int(id_)), []).append(_END if is_successor else _BEGIN)
        connections = drive.connections.table().tolist()
        for number, begin, end in drive.connection_lanes.table().tolist():
            junction, incoming, connecting, contact = connections[int(number)]
            road, other = (self._roads_by_id.get(int(id_)) for id_ in (incoming, connecting))
            ends = into.get((-1 if road is None else road, int(junction)), [])
            if road is None or other is None or not ends:
                continue
            for at in ends:
                lane = self._row(self._section_at(road, at), begin)
                if lane >= 0:
                    # A road with both ends at one junction leads into it at the end that is near.
                    for joint in self._joined(lane, at, other, int(contact), end):
                        if len(ends) == 1 or self._distance(*joint) < _NEAR:
                            yield joint

    def _section_at(self, road: int, end: int) -> int:
        """The first or the last section of a road, -1 if it has none."""
        first, last = self._sections[road]
        return -1 if first == last else first if end == _BEGIN else last - 1

    def _row(self, section: int, id_: float) -> int:
        return self._rows.get((section, int(id_)), -1)

    def _distance(self, lane: int, end: int, other: int, other_end: int) -> float:
        (x0, y0), (x1, y1) = self._ends[end][lane], self._ends[other_end][other]
        return math.hypot(x1 - x0, y1 - y0)

    # --- ways ---------------------------------------------------------------------------------------------------

    def route(self, first: int, last: int, lengths: FloatArray, beside: IndexArray) -> tuple[int, ...]:
        """The shortest way between lanes, both included; empty if there is none.

        `lengths` are those of lanes (m), `beside` (intp[lanes, 2]) the neighbours one may change to, or -1.
        """
        cost = {first: 0.0}
        came: dict[int, int] = {}
        queue = [(0.0, first)]
        done: set[int] = set()
        while queue:
            so_far, lane = heapq.heappop(queue)
            if lane == last:
                way = [lane]
                while way[-1] != first:
                    way.append(came[way[-1]])
                return tuple(reversed(way))
            if lane in done:
                continue
            done.add(lane)
            onward = [(other, float(lengths[lane])) for other in self.successors(lane).tolist()]
            onward += [(other, LANE_CHANGE) for other in beside[lane].tolist() if other >= 0]
            for other, metres in onward:
                if so_far + metres < cost.get(other, np.inf):
                    cost[other], came[other] = so_far + metres, lane
                    heapq.heappush(queue, (so_far + metres, other))
        return ()


def _table(pairs: IndexArray, lanes: int) -> tuple[IndexArray, IndexArray]:
    """Pairs by their first: where those of each begin, and the second ones."""
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return np.searchsorted(pairs[:, 0], np.arange(lanes + 1)), pairs[:, 1]


def _of(table: tuple[IndexArray, IndexArray], lane: int) -> IndexArray:
    return table[1][table[0][lane] : table[0][lane + 1]]
