"""A road map as quadrilaterals to be filled: the ground of lanes by type, marks, stop lines, crosswalks, chevrons.

All of one colour is one path, which runs the same way round everywhere: what touches or overlaps in it has no seam.
Where two colours touch, the lower one goes on beneath the upper one. Arrays only, so that a job can make them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainterPath

from ....arrays import BoolArray, FloatArray, IndexArray
from ....roads import DRIVABLE, LANE_TYPES, MARK_COLORS, MARK_TYPES, RoadMap
from ....roads.intervals import repeated

MARKS_FROM = 2.5
"""Pixels a metre from which marks are drawn."""

CHEVRONS_FROM = 6.0
THINNEST = 1.1
"""Pixels of the thinnest mark."""

GROUNDS = {
    "road_sidewalk": ("sidewalk", "walking"),
    "road_median": ("median",),
    "road_shoulder": ("shoulder", "stop", "border", "restricted", "curb", "tram", "rail"),
    "road_parking": ("parking",),
    "road_biking": ("biking",),
    "road": (*DRIVABLE, "shared", "roadWorks", "special1", "special2", "special3"),
}
"""The types of lanes by the colour of their ground, the lowest first."""

_COLORS = {"yellow": "road_yellow", "orange": "road_yellow", "red": "road_red", "blue": "road_blue"}
_COLORS |= {"violet": "road_blue", "green": "road_green", "black": "road_black"}
_LINES = {"solid": "s", "broken": "b", "solid solid": "ss", "solid broken": "sb", "broken solid": "bs"}
_LINES |= {"broken broken": "bb", "botts dots": "b", "custom": "s"}
"""The lines that a type of mark is made of, from the outer one to the inner one; other types are not painted."""

_DASH = 3.0
_PERIOD = 7.5
_USUAL_WIDTH = 0.15
_STOP_WIDTH = 0.4
_STRIPE = 0.5
_NEAR, _FAR = (0.02, 4.0), (0.4, 200.0)  # m that borders may be off, and of the longest piece
_FAR_BELOW = 1.0
_MOST = 300_000
"""Pieces of one kind; of a map that would have more, each is longer."""

_MOST_STRIPES = 100
_FARTHEST = 1e7  # m
_OVERLAP = 0.05
_CHEVRON = np.array([(-0.55, -0.8), (0.45, 0.0), (-0.55, 0.8), (-0.95, 0.8), (0.05, 0.0), (-0.95, -0.8)])
_ARMS = np.array([(0, 1, 4, 5), (1, 2, 3, 4)])
_BETWEEN_CHEVRONS = 40.0
_LONG_ENOUGH = 16.0


@dataclass(frozen=True, eq=False)
class Quads:
    """Quadrilaterals: `corners` (float64[n, 4, 2], m), of strips the middle of each side; `across` (unit vectors from
    there to the corners) and `half` (float64[n, 4], half their width, m)."""

    corners: FloatArray
    across: FloatArray
    half: FloatArray

    @classmethod
    def of(cls, corners: FloatArray) -> "Quads":
        """Those that are no strips."""
        return cls(corners, np.broadcast_to(0.0, corners.shape), np.broadcast_to(0.0, corners.shape[:2]))

    @cached_property
    def _boxes(self) -> tuple[FloatArray, FloatArray]:
        reach = self.half[:, :, None]
        return (self.corners - reach).min(axis=1), (self.corners + reach).max(axis=1)

    def within(self, world: QRectF) -> "Quads":
        """Those that may lie in a rectangle."""
        low, high = self._boxes
        seen = (low > -_FARTHEST) & (low <= (world.right(), world.bottom()))
        seen &= (high < _FARTHEST) & (high >= (world.left(), world.top()))
        return Quads(*(each[seen[:, 0] & seen[:, 1]] for each in (self.corners, self.across, self.half)))

    def path(self, least: float = 0.0) -> QPainterPath:
        """All of them as one path; strips are at least `least` metres wide."""
        corners = self.corners + self.across * np.maximum(self.half, least / 2)[:, :, None]
        joins = np.tile(np.array([1, 1, 1, 0], np.int32), len(corners))
        path: QPainterPath = pg.arrayToQPath(*corners.reshape(-1, 2).T, joins, finiteCheck=False)
        path.setFillRule(Qt.FillRule.WindingFill)
        return path


class RoadShapes(NamedTuple):
    """A map by colour, the lowest first: `far` and `near` (grounds), `chevrons`, and `marks` on them."""

    far: Mapping[str, Quads]
    near: Mapping[str, Quads]
    chevrons: Mapping[str, Quads]
    marks: Mapping[str, Quads]

    def at(self, scale: float) -> Iterator[tuple[str, Quads]]:
        """What is drawn at so many pixels a metre, the lowest first."""
        yield from (self.far if scale < _FAR_BELOW else self.near).items()
        if scale >= CHEVRONS_FROM:
            yield from self.chevrons.items()
        if scale >= MARKS_FROM:
            yield from self.marks.items()


def road_shapes(road_map: RoadMap) -> RoadShapes:
    """The shapes of a map."""
    marks = [*_crosswalks(road_map), *_marks(road_map), *_stop_lines(road_map)]
    colors = dict.fromkeys(color for color, _ in marks)
    return RoadShapes(
        _grounds(road_map, *_FAR),
        _grounds(road_map, *_NEAR),
        _chevrons(road_map),
        {color: _joined(each for name, each in marks if name == color) for color in colors},
    )


def _joined(parts: Iterable[Quads]) -> Quads:
    return Quads(*(np.concatenate(each) for each in zip(*((q.corners, q.across, q.half) for q in parts), strict=True)))


def _are_of(road_map: RoadMap, names: Iterable[str]) -> BoolArray:
    """Which lanes are of these types."""
    return np.isin(road_map.lanes["type"], [LANE_TYPES.index(name) for name in names])


def _grounds(road_map: RoadMap, tolerance: float, longest: float) -> dict[str, Quads]:
    """The ground of all lanes in short pieces, of which all that are not seen can be left out."""
    samples = road_map.sample(tolerance=tolerance)
    lane = samples["lane"].astype(np.intp)
    s = samples["s"]
    gap = np.where(np.append(lane[1:] == lane[:-1], False), np.diff(s, append=0.0), 0.0)
    parts = np.maximum(np.ceil(gap / max(longest, float(gap.sum()) / _MOST)), 1).astype(np.intp)
    row, number = repeated(parts)
    lane, s = lane[row], s[row] + number * (gap / parts)[row]
    borders = road_map.edges(lane, s)[:, :, :2]
    is_left = road_map.lanes["lane_id"][lane] > 0
    borders[is_left] = borders[is_left, ::-1]
    follows = np.append(lane[1:] == lane[:-1], False)
    piece = np.flatnonzero(follows)
    # Lanes overlap by a hair with those before and after them.
    first, last = piece[~follows[piece - 1]], piece[~follows[piece + 1]]
    for end, inner in ((first, first + 1), (last + 1, last)):
        way = borders[end] - borders[inner]
        borders[end] += way * (_OVERLAP / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), _OVERLAP))
    corners = np.stack([borders[piece, 0], borders[piece + 1, 0], borders[piece + 1, 1], borders[piece, 1]], axis=1)
    found = {}
    names = list(GROUNDS)
    for number_, color in enumerate(names):
        if _are_of(road_map, GROUNDS[color]).any():
            above = _are_of(road_map, (type_name for each in names[number_:] for type_name in GROUNDS[each]))
            found[color] = Quads.of(corners[above[lane[piece]]])
    return found


# --- marks ----------------------------------------------------------------------------------------------


def _marks(road_map: RoadMap) -> Iterator[tuple[str, Quads]]:
    marks = road_map.marks
    mark, begin, end, offset, width = _painted(road_map)
    part, s = _stations(road_map, marks["section"][mark], begin, end)
    points = road_map.mark_points(mark[part], s)[:, :2]
    colors = np.array([_COLORS.get(name, "road_mark") for name in MARK_COLORS])[marks["color"][mark]]
    for color in dict.fromkeys(colors.tolist()):
        of = colors[part] == color
        yield color, _strips(points[of], part[of], width[part[of]] / 2, offset[part[of]])


def _painted(road_map: RoadMap) -> tuple[IndexArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """The lines of marks, broken ones as their dashes: mark, begin and end (s), offset to the left, width (m)."""
    marks = road_map.marks
    lanes = road_map.lanes
    # A broken line in the middle ends at a junction; there it only tells the lanes of crossing roads apart.
    is_left_out = np.isin(marks["road"], lanes["road"][lanes["junction"] >= 0])
    is_left_out &= (marks["lane_id"] == 0) & (marks["type"] == MARK_TYPES.index("broken"))
    types = np.where(is_left_out, MARK_TYPES.index("none"), marks["type"])
    patterns = []
    for type_ in types.tolist():
        patterns.append(_LINES.get(MARK_TYPES[type_], ""))
    counts = np.array([len(pattern) for pattern in patterns], np.intp)
    row, number = repeated(counts)
    is_broken = np.array(list("".join(patterns)), "U1") == "b"
    width = np.where(np.isfinite(marks["width"]) & (marks["width"] > 0), marks["width"], _USUAL_WIDTH)
    width = (width * np.where(marks["is_bold"], 2.0, 1.0))[row]
    offset = width * (2 * number - (counts[row] - 1))
    begin = marks["s_begin"][row]
    length = (marks["s_end"] - marks["s_begin"])[row]
    dash = np.where(marks["length"][row] > 0, marks["length"][row], _DASH)
    period = dash + np.where(marks["space"][row] > 0, marks["space"][row], _PERIOD - _DASH)
    rarer = np.where(is_broken, max(1.0, (length / period)[is_broken].sum() / _MOST), 1.0)
    # A solid line is a single dash.
    dash, period = (np.where(is_broken, each * rarer, length) for each in (dash, period))
    line, rank = repeated(np.maximum(np.ceil(length / period), 1).astype(np.intp))
    begins = begin[line] + rank * period[line]
    ends = np.minimum(begins + dash[line], (begin + length)[line])
    return row[line], begins, ends, offset[line], width[line]


def _stations(
    road_map: RoadMap, sections: IndexArray, begin: FloatArray, end: FloatArray
) -> tuple[IndexArray, FloatArray]:
    """The s at which each part is drawn: its ends, and between them those of the lanes beside it; ordered."""
    samples = road_map.sample(tolerance=_NEAR[0])
    # All lanes of a section have the same stations.
    samples = samples[np.isin(samples["lane"], np.unique(road_map.lanes["section"], return_index=True)[1])]
    far = float(samples["s"].max(initial=0.0)) + 1.0
    keys = road_map.lanes["section"][samples["lane"]] * far + samples["s"]
    low = np.searchsorted(keys, sections * far + begin, side="right")
    counts = np.maximum(np.searchsorted(keys, sections * far + end, side="left") - low, 0)
    which, number = repeated(counts)
    part = np.concatenate([np.arange(len(begin)), which, np.arange(len(begin))])
    every = np.concatenate([begin, samples["s"][low[which] + number], end])
    order = np.lexsort((every, part))
    return part[order], every[order]


def _strips(points: FloatArray, line: IndexArray, half: FloatArray, offset: FloatArray) -> Quads:
    """Lines of points as strips, moved to the left by `offset`."""
    follows = line[1:] == line[:-1]
    row = np.arange(len(line))
    way = points[row + np.append(follows, False)] - points[row - np.append(False, follows)]
    # To the right, seen from above, y down.
    across = np.stack([-way[:, 1], way[:, 0]], axis=-1) / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    points = points - across * offset[:, None]
    corner = np.flatnonzero(follows)[:, None] + [0, 1, 1, 0]
    return Quads(points[corner], across[corner] * np.array([-1, -1, 1, 1])[:, None], half[corner])


def _stop_lines(road_map: RoadMap) -> Iterator[tuple[str, Quads]]:
    if road_map.stop_lines:
        points = np.concatenate(road_map.stop_lines)[:, :2]
        line, _ = repeated(np.array([len(each) for each in road_map.stop_lines]))
        half = np.full(len(points), _STOP_WIDTH / 2)
        yield "road_mark", _strips(points, line, half, np.zeros(len(points)))


def _crosswalks(road_map: RoadMap) -> Iterator[tuple[str, Quads]]:
    """Crosswalks of four corners as parallel stripes across their length, others as they are."""
    for outline in road_map.crosswalks:
        corners = outline[:, :2]
        ahead = np.roll(corners, -1, axis=0)
        if corners[:, 0] @ ahead[:, 1] < corners[:, 1] @ ahead[:, 0]:
            corners, ahead = corners[::-1], np.roll(corners[::-1], -1, axis=0)
        quads = corners[np.arange(1, len(corners) - 1)[:, None] * [0, 1, 1, 1] + [0, 0, 1, 1]]
        if len(corners) == 4:
            sides = np.hypot(*(ahead - corners).T)
            corners = np.roll(corners, -int(sides[0] + sides[2] < sides[1] + sides[3]), axis=0)
            first, last = corners[[0, 0, 3, 3]], corners[[1, 1, 2, 2]]
            way = (last - first).sum(axis=0)
            begin, end = (each @ way / max(np.hypot(*way), 1e-9) for each in (first, last))
            low = begin.max()
            size = end.min() - begin.max()
            if size >= _STRIPE:
                number = round(min((size + _STRIPE) / (2 * _STRIPE), _MOST_STRIPES))
                at = low + size * (2 * np.arange(number)[:, None] + [0, 1, 1, 0]) / (2 * number - 1)
                quads = first + ((at - begin) / (end - begin))[:, :, None] * (last - first)
        yield "road_mark", Quads.of(quads)


def _chevrons(road_map: RoadMap) -> dict[str, Quads]:
    """Arrows in driving direction, a few to each lane for vehicles outside of junctions."""
    lanes = road_map.lanes
    length = lanes["s_end"] - lanes["s_begin"]
    has = _are_of(road_map, (name for name in DRIVABLE if name != "bidirectional"))
    has &= (lanes["junction"] < 0) & (length >= _LONG_ENOUGH)
    between = max(_BETWEEN_CHEVRONS, float(length[has].sum()) / _MOST)
    counts = np.where(has, np.maximum(np.round(length / between), 1), 0).astype(np.intp)
    lane, rank = repeated(counts)
    at = road_map.lane_points(lane, lanes["s_begin"][lane] + length[lane] * (rank + 0.5) / counts[lane])
    heading = np.radians(at["heading_deg"])
    size = np.minimum(at["width"] / 3.5, 1.0)
    ahead = size * np.exp(1j * heading)
    points = (at["x"] + 1j * at["y"])[:, None] + ahead[:, None] * (_CHEVRON @ [1, 1j])
    corners = np.stack([points.real, points.imag], axis=-1)[:, _ARMS].reshape(-1, 4, 2)
    if len(corners):
        return {"road_chevron": Quads.of(corners)}
    return {}
