"""Shapes of the ground and of road users as SVG: what is shared by all pictures of a report stands in it once.

Ground and paths are in centimetres, x to the right, y down, as the recording has them; each picture has its own scale.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray, StructuredArray
from ...reading import Life
from ...roads import RoadMap
from ...texts import display_width, say
from ..road_shapes import Quads, ground_shapes, mark_shapes
from ..streets import STREET_WIDTH, WALKWAY_WIDTH, Streets

_CM = 100.0
_TOLERANCE = 0.1  # m that borders of lanes may be off
_LONGEST = 30.0  # m of a piece of a lane
_FAR_TOLERANCE = 0.4
_FAR_LONGEST = 200.0
_THINNEST = 0.2  # m of a mark: a pixel at the scale of the map
_OFF_LINE = 0.15  # m that a path may be off
_KERB = 2.4  # px of both kerbs of a street
_CHEVRON = ((-0.55, -0.8), (0.45, 0.0), (-0.55, 0.8))  # m
_LABEL_HEIGHT = 18
_LABEL_PADDING = 6
_BAR_LENGTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)  # m
_COLUMN_WIDTH = 6.3  # px of a letter at 11 px, semi-bold


def number(value: float, decimals: int = 1) -> str:
    """Write a coordinate as short as it can be: `-12.5`, `3`."""
    text = f"{value:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text


def polyline(points: Iterable[tuple[float, float]], decimals: int = 1) -> str:
    """Return the path of a line through points, float pairs."""
    parts = [f"{number(x, decimals)},{number(y, decimals)}" for x, y in points]
    if not parts:
        return ""
    return "M" + "L".join(parts)


class View(NamedTuple):
    """What a picture shows of the ground.

    Attributes:
        x: The place in its middle, m.
        y: The same.
        width: px.
        height: px.
        scale: px a metre.
    """

    x: float
    y: float
    width: float
    height: float
    scale: float

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the ground that is shown, m."""
        half_width = self.width / 2 / self.scale
        half_height = self.height / 2 / self.scale
        return self.x - half_width, self.y - half_height, self.x + half_width, self.y + half_height

    @property
    def ground_transform(self) -> str:
        """The transform of what is in centimetres."""
        left, top, _, _ = self.bounds
        scale = number(self.scale / _CM, 5)
        return f"translate({number(-left * self.scale)} {number(-top * self.scale)}) scale({scale})"

    @property
    def kerb_width(self) -> str:
        """The width of a street with its kerbs, cm."""
        return number(_CM * (STREET_WIDTH + _KERB / self.scale), 0)

    def stroke(self, pixels: float) -> str:
        """Return a width in pixels as centimetres on the ground."""
        return number(_CM * pixels / self.scale, 1)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of a place (m)."""
        left, top, _, _ = self.bounds
        return (x - left) * self.scale, (y - top) * self.scale

    def places(self, points: FloatArray) -> FloatArray:
        """Return the pixels of places (m), float64[n, 2]."""
        left, top, _, _ = self.bounds
        return (points - (left, top)) * self.scale


# --- the ground -------------------------------------------------------------------------------------------


class Filled(NamedTuple):
    """An area of one colour.

    Attributes:
        color: The name of its colour.
        path: Its outline, cm.
    """

    color: str
    path: str


class Ground(NamedTuple):
    """What lies under the road users in the pictures of a report.

    Attributes:
        areas: Lanes and marks of a road map, the lowest first; empty without a map.
        streets: Ways of vehicles, cm; empty with a map.
        walkways: Ways of walkers, cm; empty with a map.
        chevrons: Which way vehicles drove, cm; empty with a map.
    """

    areas: Sequence[Filled]
    streets: str
    walkways: str
    chevrons: str

    @property
    def street_width(self) -> int:
        """The width of streets, cm."""
        return round(_CM * STREET_WIDTH)

    @property
    def walkway_width(self) -> int:
        """The width of ways of walkers, cm."""
        return round(_CM * WALKWAY_WIDTH)


def ground_of(roads: RoadMap | None, streets: Streets, views: Sequence[View], *, is_far: bool = False) -> Ground:
    """Return the ground that pictures show.

    Args:
        roads: The road map, or None.
        streets: What is drawn without one.
        views: The pictures.
        is_far: They show much of a town: lanes are coarser, of two colours, and there are no marks.
    """
    if roads is None:
        return _streets_in(streets, views)
    shapes: list[tuple[str, Quads]] = []
    if is_far:
        grounds = list(ground_shapes(roads, tolerance=_FAR_TOLERANCE, longest=_FAR_LONGEST).items())
        # The lowest one has the outline of all lanes, the highest one what is driven on.
        shapes.extend(grounds[:1] + grounds[1:][-1:])
    else:
        shapes.extend(ground_shapes(roads, tolerance=_TOLERANCE, longest=_LONGEST).items())
        shapes.extend(mark_shapes(roads).items())
    areas = []
    for color, quads in shapes:
        path = _areas_path(_seen(quads, views))
        if path:
            areas.append(Filled(color, path))
    return Ground(tuple(areas), "", "", "")


def _seen(quads: Quads, views: Sequence[View]) -> FloatArray:
    """Return the corners of the quadrilaterals that pictures show, float64[n, 4, 2], m."""
    is_seen = np.zeros(len(quads.corners), np.bool_)
    for view in views:
        is_seen |= quads.are_within(*view.bounds)
    return quads.outlines(_THINNEST)[is_seen]


def _areas_path(corners: FloatArray) -> str:
    """Return quadrilaterals (m) as one path, each corner as the way from the one before it."""
    places = np.round(corners * _CM).astype(np.int64)
    parts = []
    for first, *others in places.tolist():
        parts.append(f"M{first[0]},{first[1]}l")
        before = first
        steps = []
        for corner in others:
            steps.append(f"{corner[0] - before[0]},{corner[1] - before[1]}")
            before = corner
        parts.append(" ".join(steps) + "z")
    return "".join(parts)


def _streets_in(streets: Streets, views: Sequence[View]) -> Ground:
    chosen: set[int] = set()
    for view in views:
        chosen.update(streets.near(*view.bounds))
    driven = []
    walked = []
    for index in sorted(chosen):
        piece = streets.pieces[index]
        line = ground_line(np.column_stack((piece.x, piece.y)).astype(np.float64))
        if piece.is_walked:
            walked.append(line)
        else:
            driven.append(line)
    chevrons = []
    for x, y, cos, sin in _within(streets.chevrons, views).tolist():
        corners = [(x + ahead * cos - aside * sin, y + ahead * sin + aside * cos) for ahead, aside in _CHEVRON]
        chevrons.append(polyline([(_CM * px, _CM * py) for px, py in corners], 0))
    return Ground((), "".join(driven), "".join(walked), "".join(chevrons))


def _within(rows: FloatArray, views: Sequence[View]) -> FloatArray:
    """Return the rows whose first two numbers, a place (m), are in a picture."""
    is_seen = np.zeros(len(rows), np.bool_)
    for view in views:
        is_seen |= _are_inside(rows[:, :2], view)
    return rows[is_seen]


def _are_inside(points: FloatArray, view: View, margin: float = 0.0) -> BoolArray:
    left, top, right, bottom = view.bounds
    inside = (points >= (left - margin, top - margin)) & (points <= (right + margin, bottom + margin))
    return np.asarray(inside.all(axis=1))


# --- paths ------------------------------------------------------------------------------------------------


def ground_line(points: FloatArray) -> str:
    """Return a line through points (m, float64[n, 2]) as a path in centimetres, with as few points as show it."""
    kept = points[corner_rows(points, _OFF_LINE)]
    places = np.round(kept * _CM).astype(np.int64)
    steps = np.diff(places, axis=0)
    if not len(steps):
        return ""
    words = " ".join(f"{x},{y}" for x, y in steps.tolist())
    return f"M{places[0, 0]},{places[0, 1]}l{words}"


def corner_rows(points: FloatArray, tolerance: float) -> list[int]:
    """Return the rows of a line without which it would be off by more than a tolerance (Ramer, Douglas, Peucker).

    Args:
        points: float64[n, 2].
        tolerance: In the unit of the points.
    """
    if len(points) < 3:
        return list(range(len(points)))
    kept = {0, len(points) - 1}
    stretches = [(0, len(points) - 1)]
    while stretches:
        first, last = stretches.pop()
        if last - first < 2:
            continue
        way = points[last] - points[first]
        length = math.hypot(*way)
        inner = points[first + 1 : last] - points[first]
        if length:
            off = np.abs(inner[:, 0] * way[1] - inner[:, 1] * way[0]) / length
        else:
            off = np.hypot(inner[:, 0], inner[:, 1])
        farthest = int(off.argmax())
        if off[farthest] > tolerance:
            corner = first + 1 + farthest
            kept.add(corner)
            stretches.extend(((first, corner), (corner, last)))
    return sorted(kept)


def runs_of(chosen: BoolArray) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end (exclusive) of each run of True."""
    begins = np.flatnonzero(chosen & ~np.append(False, chosen)[:-1])
    ends = np.flatnonzero(chosen & ~np.append(chosen, False)[1:]) + 1
    yield from zip(begins.tolist(), ends.tolist(), strict=True)


def pieces_in(points: FloatArray, view: View) -> Iterator[FloatArray]:
    """Yield the pieces of a path that pass through a picture, each with a point beyond either end.

    Args:
        points: x and y, m, float64[n, 2]; a row of NaN breaks the path.
        view: The picture.
    """
    if not len(points):
        return
    with np.errstate(invalid="ignore"):
        seen = _are_inside(points, view, margin=10.0)
    known = np.isfinite(points).all(axis=1)
    chosen = known & (seen | np.append(seen[1:], False) | np.append(False, seen[:-1]))
    for begin, end in runs_of(chosen):
        if end - begin > 1:
            yield points[begin:end]


# --- road users -------------------------------------------------------------------------------------------


class Figure(NamedTuple):
    """A road user in a picture.

    Attributes:
        transform: Where it is and where it heads, in pixels and degrees.
        kind: The name of the colour of its class.
        length: px.
        width: px.
        wedge: The path of the wedge that shows where it heads.
        is_meant: The picture is about it.
        is_round: It is a walker, which is a disc.
    """

    transform: str
    kind: str
    length: float
    width: float
    wedge: str
    is_meant: bool
    is_round: bool


def color_of(life: Life) -> str:
    """Return the name of the colour of a road user's class."""
    return life.class_.replace("-", "_")


def figure_of(row: np.void, life: Life, view: View, *, is_meant: bool) -> Figure:
    """Return a road user in a picture.

    Args:
        row: Where it is, dtype `ROAD_USER`.
        life: Its life.
        view: The picture.
        is_meant: The picture is about it.
    """
    x, y = view.place(float(row["x"]), float(row["y"]))
    half_length = float(row["half_length"]) * view.scale
    half_width = float(row["half_width"]) * view.scale
    is_round = life.class_ == "walker"
    if is_round:
        half_length = half_width = max(3.0, 0.52 * view.scale)
    tip = 0.86 * half_length
    base = tip - min(0.9 * view.scale, 0.5 * half_length)
    side = min(0.56 * half_width, tip - base)
    return Figure(
        transform=f"translate({number(x)} {number(y)}) rotate({number(math.degrees(float(row['yaw'])))})",
        kind=color_of(life),
        length=2 * half_length,
        width=2 * half_width,
        wedge=f"M{number(tip)},0L{number(base)},{number(-side)}V{number(side)}z",
        is_meant=is_meant,
        is_round=is_round,
    )


def is_in_picture(row: np.void, view: View) -> bool:
    """Whether any of a road user may be seen in a picture."""
    place = np.array([[row["x"], row["y"]]], np.float64)
    return bool(_are_inside(place, view, margin=float(row["half_length"]))[0])


def box_of(row: np.void, view: View) -> "Box":
    """Return the room that a road user takes in a picture, px."""
    x, y = view.place(float(row["x"]), float(row["y"]))
    cos = abs(math.cos(float(row["yaw"])))
    sin = abs(math.sin(float(row["yaw"])))
    half_length = float(row["half_length"]) * view.scale
    half_width = float(row["half_width"]) * view.scale
    across = half_length * cos + half_width * sin
    down = half_length * sin + half_width * cos
    return Box(x - across, y - down, x + across, y + down)


# --- labels -----------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """A rectangle in a picture, px."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: "Box") -> float:
        """Return the area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        if width <= 0 or height <= 0:
            return 0.0
        return width * height

    def outside(self, other: "Box") -> float:
        """Return the area of this one that is outside of another one."""
        return (self.right - self.left) * (self.bottom - self.top) - self.shared(other)


class Label(NamedTuple):
    """A text on a ground of its own.

    Attributes:
        text: The text.
        color: The name of the colour of its edge.
        x: Its left, px.
        y: Its top, px.
        width: px.
    """

    text: str
    color: str
    x: float
    y: float
    width: float


class Wish(NamedTuple):
    """A label that is to be placed.

    Attributes:
        text: The text.
        color: The name of the colour of its edge.
        x: What it is about, px.
        y: The same.
        reach: px that this reaches to all sides.
    """

    text: str
    color: str
    x: float
    y: float
    reach: float


def place_labels(wishes: Sequence[Wish], taken: Sequence[Box], area: Box) -> list[Label]:
    """Return labels where they cover least: beside, below or above what they are about, nearer before farther.

    Args:
        wishes: The labels, the most important first.
        taken: What they must not cover.
        area: Where they may be.
    """
    boxes = list(taken)
    labels = []
    for wish in wishes:
        width = label_width(wish.text)
        best = min(_candidates(wish, width), key=lambda box: _cost(box, boxes, area))
        boxes.append(best)
        labels.append(Label(wish.text, wish.color, round(best.left) + 0.5, round(best.top) + 0.5, width))
    return labels


def label_width(text: str) -> float:
    """Return the width of a label, px."""
    return round(_COLUMN_WIDTH * display_width(text) + 2 * _LABEL_PADDING)


def _candidates(wish: Wish, width: float) -> Iterator[Box]:
    half = _LABEL_HEIGHT / 2
    for away in (6, 16, 30, 48):
        gap = wish.reach + away
        lefts_and_tops = (
            (wish.x + gap, wish.y - half),
            (wish.x - gap - width, wish.y - half),
            (wish.x - width / 2, wish.y + gap),
            (wish.x - width / 2, wish.y - gap - _LABEL_HEIGHT),
            (wish.x + 0.7 * gap, wish.y + 0.7 * gap),
            (wish.x + 0.7 * gap, wish.y - 0.7 * gap - _LABEL_HEIGHT),
            (wish.x - 0.7 * gap - width, wish.y + 0.7 * gap),
            (wish.x - 0.7 * gap - width, wish.y - 0.7 * gap - _LABEL_HEIGHT),
        )
        for left, top in lefts_and_tops:
            yield Box(left, top, left + width, top + _LABEL_HEIGHT)


def _cost(box: Box, taken: Sequence[Box], area: Box) -> float:
    wider = Box(box.left - 3, box.top - 3, box.right + 3, box.bottom + 3)
    return sum(wider.shared(other) for other in taken) + 100 * box.outside(area)


def rows_by_life(rows: StructuredArray) -> dict[int, np.void]:
    """Return rows of dtype `ROAD_USER` of one frame by the index of their life."""
    return {int(row["life"]): row for row in rows}


# --- the scale ---------------------------------------------------------------------------------------------


class ScaleBar(NamedTuple):
    """How long a metre is.

    Attributes:
        text: Its length, with the unit.
        pixels: Its length.
        width: px of its ground.
        top: Its top, px.
    """

    text: str
    pixels: float
    width: float
    top: float

    @property
    def box(self) -> Box:
        """The room that it takes."""
        return Box(0, self.top - 4, self.width + 8, self.top + 28)


def scale_bar(view: View, most: float) -> ScaleBar:
    """Return the longest bar of a round length that is at most so many pixels long."""
    metres = _BAR_LENGTHS[0]
    for length in _BAR_LENGTHS:
        if length * view.scale <= most:
            metres = length
    pixels = metres * view.scale
    return ScaleBar(say("{metres:,} m", metres=metres), pixels, pixels + 46, view.height - 26)
