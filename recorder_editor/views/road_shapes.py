"""A road map as quadrilaterals to be filled: the ground of lanes by type, marks, stop lines, crosswalks, chevrons.

All of one colour is one path, which runs the same way round everywhere: what touches or overlaps in it has no seam.
Where two colours touch, the lower one goes on beneath the upper one. Arrays only, so that a job can make them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray
from ..roads import DRIVABLE, LANE_TYPES, MARK_COLORS, MARK_TYPES, RoadMap
from ..roads.intervals import repeated

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

_COLORS = {
    "yellow": "road_yellow",
    "orange": "road_yellow",
    "red": "road_red",
    "blue": "road_blue",
    "violet": "road_blue",
    "green": "road_green",
    "black": "road_black",
}
_LINES = {
    "solid": "s",
    "broken": "b",
    "solid solid": "ss",
    "solid broken": "sb",
    "broken solid": "bs",
    "broken broken": "bb",
    "botts dots": "b",
    "custom": "s",
}
"""The lines that a type of mark is made of, from the outer one to the inner one; other types are not painted."""

_DASH = 3.0  # m, of a broken line without a length
_PERIOD = 7.5  # m from dash to dash
_USUAL_WIDTH = 0.15  # m
_STOP_WIDTH = 0.4  # m
_STRIPE = 0.5  # m, of a crosswalk
_NEAR_TOLERANCE = 0.02  # m that borders may be off
_NEAR_LONGEST = 4.0  # m of the longest piece
_FAR_TOLERANCE = 0.4
_FAR_LONGEST = 200.0
_FAR_BELOW = 1.0  # px a metre
_MOST = 300_000
"""Pieces of one kind; of a map that would have more, each is longer."""

_MOST_STRIPES = 100
_PART = 200  # quadrilaterals of one path
_FARTHEST = 1e7  # m
_OVERLAP = 0.05
_CHEVRON = np.array([(-0.55, -0.8), (0.45, 0.0), (-0.55, 0.8), (-0.95, 0.8), (0.05, 0.0), (-0.95, -0.8)])
_ARMS = np.array([(0, 1, 4, 5), (1, 2, 3, 4)])
_BETWEEN_CHEVRONS = 40.0
_LONG_ENOUGH = 16.0


@dataclass(frozen=True, eq=False)
class Quads:
    """Quadrilaterals, as corners; of strips as the middle of each side, with the way from there to the corners.

    Attributes:
        corners: float64[n, 4, 2], m; of strips the middle of the side that a corner belongs to.
        across: Unit vectors from there to the corners, float64[n, 4, 2].
        half: Half the width of the strip, float64[n, 4], m.
    """

    corners: FloatArray
    across: FloatArray
    half: FloatArray

    @classmethod
    def of(cls, corners: FloatArray) -> "Quads":
        """Return quadrilaterals that are no strips, of their corners (float64[n, 4, 2], m)."""
        across = np.broadcast_to(0.0, corners.shape)
        half = np.broadcast_to(0.0, corners.shape[:2])
        return cls(corners, across, half)

    @classmethod
    def joined(cls, parts: "list[Quads]") -> "Quads":
        """Return the quadrilaterals of several parts (at least one) in their order."""
        return cls(
            corners=np.concatenate([part.corners for part in parts]),
            across=np.concatenate([part.across for part in parts]),
            half=np.concatenate([part.half for part in parts]),
        )

    @cached_property
    def _boxes(self) -> tuple[FloatArray, FloatArray]:
        """The top left and the bottom right of the box of each, float64[n, 2]."""
        reach = self.half[:, :, None]
        return (self.corners - reach).min(axis=1), (self.corners + reach).max(axis=1)

    def are_within(self, left: float, top: float, right: float, bottom: float) -> BoolArray:
        """Return which of them may lie in a rectangle (m)."""
        low, high = self._boxes
        seen = (low > -_FARTHEST) & (low <= (right, bottom))
        seen &= (high < _FARTHEST) & (high >= (left, top))
        return np.asarray(seen[:, 0] & seen[:, 1])

    def within(self, left: float, top: float, right: float, bottom: float) -> "Quads":
        """Return those that may lie in a rectangle (m)."""
        chosen = self.are_within(left, top, right, bottom)
        return Quads(self.corners[chosen], self.across[chosen], self.half[chosen])

    def outlines(self, least: float = 0.0) -> FloatArray:
        """Return the corners of all, float64[n, 4, 2] (m); strips are at least `least` metres wide."""
        return self.corners + self.across * np.maximum(self.half, least / 2)[:, :, None]


class RoadShapes(NamedTuple):
    """A map by colour, the lowest first.

    Attributes:
        far: Grounds, for pictures of much of a town.
        near: Grounds, more exact.
        chevrons: Arrows in driving direction.
        marks: Marks, stop lines and crosswalks.
    """

    far: Mapping[str, Quads]
    near: Mapping[str, Quads]
    chevrons: Mapping[str, Quads]
    marks: Mapping[str, Quads]

    def at(self, scale: float) -> Iterator[tuple[str, Quads]]:
        """Yield what is drawn at so many pixels a metre, with the name of its colour, the lowest first."""
        if scale < _FAR_BELOW:
            yield from self.far.items()
        else:
            yield from self.near.items()
        if scale >= CHEVRONS_FROM:
            yield from self.chevrons.items()
        if scale >= MARKS_FROM:
            yield from self.marks.items()

    def roads_in_parts(self) -> Iterator[Quads]:
        """Yield what vehicles drive on, few at a time: the time for a long path grows with the square of its length."""
        roads = self.far.get("road")
        if roads is None:
            return
        for first in range(0, len(roads.corners), _PART):
            part = slice(first, first + _PART)
            yield Quads(roads.corners[part], roads.across[part], roads.half[part])


def road_shapes(road_map: RoadMap) -> RoadShapes:
    """Return the shapes of a map."""
    return RoadShapes(
        far=ground_shapes(road_map, tolerance=_FAR_TOLERANCE, longest=_FAR_LONGEST),
        near=ground_shapes(road_map, tolerance=_NEAR_TOLERANCE, longest=_NEAR_LONGEST),
        chevrons=_chevrons(road_map),
        marks=mark_shapes(road_map),
    )


def mark_shapes(road_map: RoadMap) -> dict[str, Quads]:
    """Return marks, stop lines and crosswalks by colour."""
    parts: dict[str, list[Quads]] = {}
    for marks in (_crosswalks(road_map), _marks(road_map), _stop_lines(road_map)):
        for color, quads in marks:
            parts.setdefault(color, []).append(quads)
    return {color: Quads.joined(quads) for color, quads in parts.items()}


def _are_of(road_map: RoadMap, names: Iterable[str]) -> BoolArray:
    """Return which lanes are of these types."""
    return np.isin(road_map.lanes["type"], [LANE_TYPES.index(name) for name in names])


def ground_shapes(road_map: RoadMap, tolerance: float, longest: float) -> dict[str, Quads]:
    """Return the ground of all lanes by colour, in short pieces: those that are not seen can be left out.

    Args:
        road_map: The map.
        tolerance: How far borders may be off, m.
        longest: Length of the longest piece, m.
    """
    samples = road_map.sample(tolerance=tolerance)
    lane = samples["lane"].astype(np.intp)
    s = samples["s"]
    gap = np.where(np.append(lane[1:] == lane[:-1], False), np.diff(s, append=0.0), 0.0)
    parts = np.maximum(np.ceil(gap / max(longest, float(gap.sum()) / _MOST)), 1).astype(np.intp)
    row, number = repeated(parts)
    lane = lane[row]
    s = s[row] + number * (gap / parts)[row]
    borders = road_map.edges(lane, s)[:, :, :2]
    is_left = road_map.lanes["lane_id"][lane] > 0
    borders[is_left] = borders[is_left, ::-1]
    follows = np.append(lane[1:] == lane[:-1], False)
    piece = np.flatnonzero(follows)
    # Lanes overlap by a hair with those before and after them.
    first = piece[~follows[piece - 1]]
    last = piece[~follows[piece + 1]]
    for end, inner in ((first, first + 1), (last + 1, last)):
        way = borders[end] - borders[inner]
        borders[end] += way * (_OVERLAP / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), _OVERLAP))
    corners = np.stack([borders[piece, 0], borders[piece + 1, 0], borders[piece + 1, 1], borders[piece, 1]], axis=1)
    # From the highest ground down: a lower one goes on beneath all that are above it.
    grounds = {}
    above: list[str] = []
    for color, types in reversed(GROUNDS.items()):
        above.extend(types)
        if _are_of(road_map, types).any():
            is_above = _are_of(road_map, above)
            grounds[color] = Quads.of(corners[is_above[lane[piece]]])
    return dict(reversed(grounds.items()))


# --- marks ----------------------------------------------------------------------------------------------


def _marks(road_map: RoadMap) -> Iterator[tuple[str, Quads]]:
    """Yield the painted lines of each colour."""
    marks = road_map.marks
    mark, begin, end, offset, width = _painted(road_map)
    part, s = _stations(road_map, marks["section"][mark], begin, end)
    points = road_map.mark_points(mark[part], s)[:, :2]
    names = np.array([_COLORS.get(name, "road_mark") for name in MARK_COLORS])
    colors = names[marks["color"][mark]]
    for color in dict.fromkeys(colors.tolist()):
        chosen = colors[part] == color
        line = part[chosen]
        yield color, _strips(points[chosen], line, half=width[line] / 2, offset=offset[line])


def _painted(road_map: RoadMap) -> tuple[IndexArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the lines of marks, broken ones as their dashes.

    Returns:
        The mark of each line or dash, its begin and end (s), its offset to the left and its width (m).
    """
    marks = road_map.marks
    lanes = road_map.lanes
    # A broken line in the middle ends at a junction; there it only tells the lanes of crossing roads apart.
    is_left_out = np.isin(marks["road"], lanes["road"][lanes["junction"] >= 0])
    is_left_out &= (marks["lane_id"] == 0) & (marks["type"] == MARK_TYPES.index("broken"))
    types = np.where(is_left_out, MARK_TYPES.index("none"), marks["type"])
    patterns = [_LINES.get(MARK_TYPES[type_], "") for type_ in types.tolist()]
    counts = np.array([len(pattern) for pattern in patterns], np.intp)
    row, number = repeated(counts)
    is_broken = np.array(list("".join(patterns)), "U1") == "b"
    width = np.where(np.isfinite(marks["width"]) & (marks["width"] > 0), marks["width"], _USUAL_WIDTH)
    width = (width * np.where(marks["is_bold"], 2.0, 1.0))[row]
    offset = width * (2 * number - (counts[row] - 1))
    begin = marks["s_begin"][row]
    begins = marks["s_begin"][row]
    ends = marks["s_end"][row]
    length = ends - begins
    lengths = marks["length"][row]
    spaces = marks["space"][row]
    dash = np.where(lengths > 0, lengths, _DASH)
    period = dash + np.where(spaces > 0, spaces, _PERIOD - _DASH)
    rarer = np.where(is_broken, max(1.0, (length / period)[is_broken].sum() / _MOST), 1.0)
    # A solid line is a single dash.
    dash = np.where(is_broken, dash * rarer, length)
    period = np.where(is_broken, period * rarer, length)
    line, rank = repeated(np.maximum(np.ceil(length / period), 1).astype(np.intp))
    begins = begin[line] + rank * period[line]
    ends = np.minimum(begins + dash[line], (begin + length)[line])
    return row[line], begins, ends, offset[line], width[line]


def _stations(
    road_map: RoadMap, sections: IndexArray, begin: FloatArray, end: FloatArray
) -> tuple[IndexArray, FloatArray]:
    """Return the s at which each part is drawn: its ends, and between them those of the lanes beside it.

    Args:
        road_map: The map.
        sections: The section of each part.
        begin: Where each part begins, s.
        end: Where it ends, s.

    Returns:
        (The part of each station, its s), ordered by both.
    """
    samples = road_map.sample(tolerance=_NEAR_TOLERANCE)
    # All lanes of a section have the same stations.
    samples = samples[np.isin(samples["lane"], np.unique(road_map.lanes["section"], return_index=True)[1])]
    far = float(samples["s"].max(initial=0.0)) + 1.0
    keys = road_map.lanes["section"][samples["lane"]] * far + samples["s"]
    low = np.searchsorted(keys, sections * far + begin, side="right")
    counts = np.maximum(np.searchsorted(keys, sections * far + end, side="left") - low, 0)
    between, number = repeated(counts)
    part = np.concatenate([np.arange(len(begin)), between, np.arange(len(begin))])
    stations = np.concatenate([begin, samples["s"][low[between] + number], end])
    order = np.lexsort((stations, part))
    return part[order], stations[order]


def _strips(points: FloatArray, line: IndexArray, *, half: FloatArray, offset: FloatArray) -> Quads:
    """Return lines of points as strips.

    Args:
        points: Points of all lines, float64[n, 2], m.
        line: The line of each point; equal numbers stand together.
        half: Half the width at each point, m.
        offset: How far each point is moved to the left, m.
    """
    follows = line[1:] == line[:-1]
    row = np.arange(len(line))
    way = points[row + np.append(follows, False)] - points[row - np.append(False, follows)]
    lengths = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    # To the right, seen from above, y down.
    across = np.stack([-way[:, 1], way[:, 0]], axis=-1) / lengths[:, None]
    points = points - across * offset[:, None]
    corner = np.flatnonzero(follows)[:, None] + [0, 1, 1, 0]
    return Quads(points[corner], across[corner] * np.array([-1, -1, 1, 1])[:, None], half[corner])


def _stop_lines(road_map: RoadMap) -> Iterator[tuple[str, Quads]]:
    """Yield the stop lines as strips."""
    if road_map.stop_lines:
        points = np.concatenate(road_map.stop_lines)[:, :2]
        line, _ = repeated(np.array([len(stop_line) for stop_line in road_map.stop_lines]))
        half = np.full(len(points), _STOP_WIDTH / 2)
        yield "road_mark", _strips(points, line, half=half, offset=np.zeros(len(points)))


def _crosswalks(road_map: RoadMap) -> Iterator[tuple[str, Quads]]:
    """Yield crosswalks of four corners as parallel stripes across their length, others as they are."""
    for outline in road_map.crosswalks:
        corners = outline[:, :2]
        ahead = np.roll(corners, -1, axis=0)
        if corners[:, 0] @ ahead[:, 1] < corners[:, 1] @ ahead[:, 0]:
            corners = corners[::-1]
        # A fan of triangles, each with its first corner twice.
        quads = corners[np.arange(1, len(corners) - 1)[:, None] * [0, 1, 1, 1] + [0, 0, 1, 1]]
        if len(corners) == 4:
            stripes = _stripes(corners)
            if stripes is not None:
                quads = stripes
        yield "road_mark", Quads.of(quads)


def _stripes(corners: FloatArray) -> FloatArray | None:
    """Return the stripes across a crosswalk; None where it is too short for one.

    Args:
        corners: The four corners, float64[4, 2], m.

    Returns:
        float64[n, 4, 2], m.
    """
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    if lengths[0] + lengths[2] < lengths[1] + lengths[3]:
        corners = np.roll(corners, -1, axis=0)
    # The two long sides: where each corner of a stripe comes from, and where it goes to.
    first = corners[[0, 0, 3, 3]]
    last = corners[[1, 1, 2, 2]]
    way = (last - first).sum(axis=0)
    distance = max(np.hypot(way[0], way[1]), 1e-9)
    begin = first @ way / distance
    end = last @ way / distance
    low = begin.max()
    size = end.min() - low
    if size < _STRIPE:
        return None
    number = round(min((size + _STRIPE) / (2 * _STRIPE), _MOST_STRIPES))
    along = low + size * (2 * np.arange(number)[:, None] + [0, 1, 1, 0]) / (2 * number - 1)
    shares = (along - begin) / (end - begin)
    stripes: FloatArray = first + shares[:, :, None] * (last - first)
    return stripes


def _chevrons(road_map: RoadMap) -> dict[str, Quads]:
    """Return arrows in driving direction, a few to each lane for vehicles outside of junctions."""
    lanes = road_map.lanes
    begins = lanes["s_begin"]
    ends = lanes["s_end"]
    length = ends - begins
    is_marked = _are_of(road_map, (name for name in DRIVABLE if name != "bidirectional"))
    is_marked &= (lanes["junction"] < 0) & (length >= _LONG_ENOUGH)
    between = max(_BETWEEN_CHEVRONS, float(length[is_marked].sum()) / _MOST)
    counts = np.where(is_marked, np.maximum(np.round(length / between), 1), 0).astype(np.intp)
    lane, rank = repeated(counts)
    s = lanes["s_begin"][lane] + length[lane] * (rank + 0.5) / counts[lane]
    middles = road_map.lane_points(lane, s)
    heading = np.radians(middles["heading_deg"])
    size = np.minimum(middles["width"] / 3.5, 1.0)
    # Complex numbers turn and scale all points of the arrow at once.
    ahead = size * np.exp(1j * heading)
    points = (middles["x"] + 1j * middles["y"])[:, None] + ahead[:, None] * (_CHEVRON @ [1, 1j])
    corners = np.stack([points.real, points.imag], axis=-1)[:, _ARMS].reshape(-1, 4, 2)
    if len(corners):
        return {"road_chevron": Quads.of(corners)}
    return {}
