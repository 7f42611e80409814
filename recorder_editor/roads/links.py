"""Which lane follows which.

A link joins an end of one lane to an end of another one. Where the two agree in the direction in which they are driven,
the one follows the other.
"""

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray
from .opendrive import OpenDrive
from .surface import Surface

_NEAR = 1.0  # m between two ends that a file joins without saying which


class LaneLinks:
    """The lanes before and behind each lane, in the direction in which it is driven."""

    def __init__(self, drive: OpenDrive, surface: Surface) -> None:
        joints = _Joints(surface)
        joints.find(drive)
        found = np.concatenate([np.empty((0, 4), np.intp), *joints.found])
        one, one_end, other, other_end = np.concatenate([found, found[:, [2, 3, 0, 1]]]).T
        # A lane is left at its end (1) if it is driven with s, else at its begin (0); and entered at the other one.
        with_s = surface.lanes["direction"] > 0
        follows = (one_end == with_s[one]) & (other_end != with_s[other])
        pairs = np.unique(np.stack([one, other], axis=-1)[follows], axis=0)
        self._next = _table(pairs, len(with_s))
        self._previous = _table(pairs[:, ::-1], len(with_s))

    def successors(self, lane: int) -> IndexArray:
        return _of(self._next, lane)

    def predecessors(self, lane: int) -> IndexArray:
        return _of(self._previous, lane)


class _Joints:
    """`found`: a lane, its end (0: where s begins, 1: where it ends), another lane, its end; intp[n, 4] each."""

    def __init__(self, surface: Surface) -> None:
        self.found: list[IndexArray] = []
        self._surface = surface
        lanes = surface.lanes
        self._first = np.searchsorted(surface.sections["road"], np.arange(len(surface.roads) + 1))
        tracks = []
        for name in ("s_begin", "s_end"):
            tracks.append(surface.centre(np.arange(len(lanes)), lanes[name])[0])
        self._ends = np.array([track.x + 1j * track.y for track in tracks])

    def find(self, drive: OpenDrive) -> None:
        """Find those of lanes within a road, at the ends of roads that are joined, and at those of junctions."""
        surface = self._surface
        lanes = self._surface.lanes
        links = drive.lane_links.table()
        lane = surface.row_of[links["lane"].astype(np.intp)]
        links, lane = links[lane >= 0], lane[lane >= 0]
        end = (links["is_successor"] > 0).astype(np.intp)
        road = lanes["road"][lane].astype(np.intp)
        beside = lanes["section"][lane] + np.where(end, 1, -1)
        is_inside = (beside >= self._first[road]) & (beside < self._first[road + 1])
        self._add(lane, end, self._row(np.where(is_inside, beside, -1), links["id"]), 1 - end)
        # By road and end: the road that is joined, the end of it, and the junction; the last one that a file tells.
        ends = drive.road_links.table()
        at = (2 * ends["road"] + ends["is_successor"]).astype(np.intp)
        other, contact = np.full((2, 2 * len(surface.roads)), -1)
        junction = np.full(2 * len(surface.roads), np.nan)
        is_junction = ends["is_junction"] > 0
        other[at[~is_junction]] = surface.road_rows(ends["id"][~is_junction])
        contact[at[~is_junction]] = ends["contact"][~is_junction]
        junction[at[is_junction]] = ends["id"][is_junction]
        at = 2 * road + end
        out = np.flatnonzero(~is_inside & (other[at] >= 0))
        self._join(lane[out], end[out], other[at[out]], contact[at[out]], links["id"][out], np.zeros(len(out), bool))
        # Lanes that lead into a junction.
        rows = drive.connection_lanes.table()
        connection = drive.connections.table()[rows["connection"].astype(np.intp)]
        road, other = (surface.road_rows(connection[name]) for name in ("incoming", "connecting"))
        is_known = (road >= 0) & (other >= 0)
        leads = [is_known & (junction[2 * road + end] == connection["junction"]) for end in (0, 1)]
        for number, lead in enumerate(leads):
            end = np.full(len(road), number)
            lane = self._row(np.where(lead, self._section_at(road, end), -1), rows["begin"])
            # A road with both ends at one junction leads into it at the end that is near.
            self._join(lane, end, other, connection["contact"], rows["end"], leads[0] & leads[1])

    def _join(
        self, lane: IndexArray, end: IndexArray, road: IndexArray, contact: FloatArray, id_: FloatArray, near: BoolArray
    ) -> None:
        """The lanes of an id at an end of roads (-1: at the end that is near, as where `near` asks for it)."""
        for number in (0, 1):
            other_end = np.full(len(lane), number)
            other = self._row(self._section_at(road, other_end), id_)
            is_near = np.abs(self._ends[end, lane] - self._ends[number, other]) < _NEAR
            is_it = ((contact < 0) | (contact == number)) & (is_near | ((contact >= 0) & ~near))
            self._add(lane, end, np.where(is_it, other, -1), other_end)

    def _add(self, *joint: IndexArray) -> None:
        found = np.stack(joint, axis=-1)
        self.found.append(found[(found >= 0).all(axis=1)])

    def _section_at(self, road: IndexArray, end: IndexArray) -> IndexArray:
        """The first or the last section of roads, -1 where there is none."""
        first, last = self._first[road], self._first[road + 1] - 1
        return np.where(first > last, -1, np.where(end, last, first))

    def _row(self, section: IndexArray, id_: FloatArray) -> IndexArray:
        return self._surface.rows(section, id_.astype(np.int64))


def _table(pairs: IndexArray, lanes: int) -> tuple[IndexArray, IndexArray]:
    """Pairs by their first: where those of each begin, and the second ones."""
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return np.searchsorted(pairs[:, 0], np.arange(lanes + 1)), pairs[:, 1]


def _of(table: tuple[IndexArray, IndexArray], lane: int) -> IndexArray:
    return table[1][table[0][lane] : table[0][lane + 1]]
