"""Streets as the paths of a recording make them: where vehicles drove and which way, and where walkers went. No Qt."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray, IndexArray, IntArray
from ..reading import Trajectories, Trajectory
from ..texts import say_count
from .frame_actors import Reals
from .units import Units

STREET_WIDTH = 4.6
"""Metres: a lane and what a driver keeps free beside it, so that the paths of both directions join to one street."""

WALKWAY_WIDTH = 3.0  # m

_SHORTEST_DRIVE = 4.0  # m, of a vehicle: a parked one makes no street
_SHORTEST_WALK = 1.0  # m
_LONGEST_PIECE = 400  # points
_LONGEST_STEP = 100.0
"""Metres from one point of a path to the next, beyond which nothing is known of the way between them."""

_MOST_SPACINGS = 4  # the same, of paths that are thinned to fewer points
_CHEVRON_EVERY = 6.0  # m along a path
_CHEVRONS_APART = 9.0  # m, of those of about one direction
_DIRECTIONS = 8  # sectors of headings that count as one direction
_ABOUT_ONE_WAY = 0.7  # the least cosine between two headings of about one direction
_CELL = 3.0
"""Metres of a cell in which one chevron of a direction is as good as another: fewer are left to be compared."""

_MOST_CELLS = 1 << 29
"""Cells of a grid at each side of its middle that are told apart."""

_MOST_COMPARED = 20_000
"""Chevrons up to which each is compared with those around it; of more only one stands in a larger cell."""


Chevron = tuple[float, ...]
"""x and y (m), cosine and sine of the heading."""


@dataclass(frozen=True, eq=False)
class StreetPiece:
    """An unbroken stretch of a path.

    Attributes:
        x: Its points, m, float64[n].
        y: Its points, m, float64[n].
        frame: The frame of each point, int[n].
        path: Number of the path that it is of.
        is_walked: Whether a walker went there.
    """

    x: Reals
    y: Reals
    frame: IntArray
    path: int
    is_walked: bool


class Drives(NamedTuple):
    """The vehicles that drove over a place.

    Attributes:
        vehicles: How many.
        first: The frame in which the first one did.
        last: The frame in which the last one did.
    """

    vehicles: int
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Streets:
    """The streets and ways of a recording.

    Attributes:
        pieces: The stretches that they are made of.
    """

    pieces: tuple[StreetPiece, ...]

    @cached_property
    def paths(self) -> int:
        """How many paths of vehicles the streets are made of."""
        return len({piece.path for piece in self.pieces if not piece.is_walked})

    @cached_property
    def boxes(self) -> FloatArray:
        """Least x and y and greatest x and y of each piece, m, float64[n, 4]."""
        boxes = [(piece.x.min(), piece.y.min(), piece.x.max(), piece.y.max()) for piece in self.pieces]
        return np.array(boxes, np.float64).reshape(-1, 4)

    def near(self, left: float, top: float, right: float, bottom: float) -> list[int]:
        """Return the indices of the pieces whose box is nearer to a rectangle (m) than a street is wide."""
        begins_before = (self.boxes[:, :2] <= (right + STREET_WIDTH, bottom + STREET_WIDTH)).all(axis=1)
        ends_behind = (self.boxes[:, 2:] >= (left - STREET_WIDTH, top - STREET_WIDTH)).all(axis=1)
        return np.flatnonzero(begins_before & ends_behind).tolist()

    @cached_property
    def chevrons(self) -> FloatArray:
        """Arrows that show which way was driven: x and y (m), cosine and sine of the heading, float64[n, 4]."""
        stations = [_along(piece, _CHEVRON_EVERY) for piece in self.pieces if not piece.is_walked]
        if not stations:
            return np.zeros((0, 4))
        return _thinned(np.concatenate(stations))

    def places(self, spacing: float) -> FloatArray:
        """Return places that vehicles drove over, one in each square of a grid with cells of `spacing` metres.

        Returns:
            x and y, m, float64[n, 2].
        """
        stations = [_along(piece, spacing)[:, :2] for piece in self.pieces if not piece.is_walked]
        if not stations:
            return np.zeros((0, 2))
        places = np.concatenate(stations)
        _, firsts = np.unique(_cells(places, spacing), return_index=True)
        return np.floor(places[firsts] / spacing) * spacing + spacing / 2

    def drives_at(self, x: float, y: float) -> Drives | None:
        """Return the vehicles that drove over a place (m); None where there is no street."""
        paths = set()
        frames: list[int] = []
        for index in self.near(x, y, x, y):
            piece = self.pieces[index]
            if piece.is_walked:
                continue
            passes = piece.frame[:-1][_distances(piece, x, y) <= STREET_WIDTH / 2]
            if len(passes):
                paths.add(piece.path)
                frames.extend((int(passes.min()), int(passes.max())))
        if not paths:
            return None
        return Drives(len(paths), min(frames), max(frames))


NO_STREETS = Streets(())


def streets_of(survey: Trajectories) -> Streets:
    """Return the streets and ways that the trajectories of a recording make."""
    pieces: list[StreetPiece] = []
    longest_step = max(_LONGEST_STEP, _MOST_SPACINGS * survey.spacing)
    for number, trajectory in enumerate(survey.trajectories):
        pieces.extend(_pieces(trajectory, number, longest_step))
    return Streets(tuple(pieces))


def _pieces(trajectory: Trajectory, number: int, longest_step: float) -> Iterator[StreetPiece]:
    """Yield the unbroken pieces of a path, cut where they are long; short paths are left out.

    Args:
        trajectory: Has the path.
        number: Its number.
        longest_step: Metres between two points beyond which the path is broken.
    """
    life = trajectory.life
    if life is not None and not life.is_road_user:
        return
    is_walked = life is not None and life.class_ == "walker"
    if is_walked:
        shortest = _SHORTEST_WALK
    else:
        shortest = _SHORTEST_DRIVE
    points = trajectory.path
    path_x = points["x"].astype(np.float64)
    path_y = points["y"].astype(np.float64)
    steps = np.hypot(np.diff(path_x), np.diff(path_y))
    breaks = np.flatnonzero(~(steps <= longest_step)) + 1  # those to a place that is NaN, too
    for start, stop in pairwise((0, *breaks.tolist(), len(points))):
        x = path_x[start:stop]
        y = path_y[start:stop]
        frame = points["frame"][start:stop]
        if len(x) < 2 or np.hypot(np.ptp(x), np.ptp(y)) < shortest:
            continue
        for first in range(0, len(x) - 1, _LONGEST_PIECE):
            part = slice(first, first + _LONGEST_PIECE + 1)
            yield StreetPiece(x=x[part], y=y[part], frame=frame[part], path=number, is_walked=is_walked)


def _along(piece: StreetPiece, spacing: float) -> FloatArray:
    """Return places along a piece, so many metres from one to the next, with the heading there.

    Returns:
        x and y (m), cosine and sine of the heading, float64[n, 4].
    """
    dx = np.diff(piece.x)
    dy = np.diff(piece.y)
    lengths = np.hypot(dx, dy)
    way = np.append(0.0, lengths.cumsum())
    at = np.arange(spacing / 2, way[-1], spacing)
    step = np.searchsorted(way, at, side="right") - 1
    x = np.interp(at, way, piece.x)
    y = np.interp(at, way, piece.y)
    return np.column_stack((x, y, dx[step] / lengths[step], dy[step] / lengths[step]))


def _thinned(chevrons: FloatArray) -> FloatArray:
    """Return chevrons (float64[n, 4]) without those near another one of about the same direction."""
    chosen = chevrons[_one_in_each_cell(chevrons, _CELL)]
    if len(chosen) > _MOST_COMPARED:
        return chevrons[_one_in_each_cell(chevrons, _CHEVRONS_APART)]
    kept: dict[tuple[int, int], list[Chevron]] = {}
    for chevron in map(tuple, chosen.tolist()):
        column = math.floor(chevron[0] / _CHEVRONS_APART)
        row = math.floor(chevron[1] / _CHEVRONS_APART)
        if not any(_is_beside(chevron, other) for other in _around(kept, column, row)):
            kept.setdefault((column, row), []).append(chevron)
    result: list[Chevron] = []
    for chevrons_of_cell in kept.values():
        result.extend(chevrons_of_cell)
    return np.array(result, np.float64).reshape(-1, 4)


def _one_in_each_cell(chevrons: FloatArray, side: float) -> IndexArray:
    """Return the index of the first chevron of each direction in each cell of a grid, in their order.

    Args:
        chevrons: float64[n, 4].
        side: Of a cell, m.
    """
    sector = np.round(np.arctan2(chevrons[:, 3], chevrons[:, 2]) / (2 * np.pi) * _DIRECTIONS) % _DIRECTIONS
    keys = _cells(chevrons[:, :2], side) * _DIRECTIONS + sector.astype(np.int64)
    _, firsts = np.unique(keys, return_index=True)
    return np.sort(firsts)


def _cells(places: FloatArray, side: float) -> IntArray:
    """Return the number of the cell of a grid in which each place is, int64[n]: one number sorts faster than two.

    Args:
        places: float64[n, 2], m; those very far away are in the last cells.
        side: Of a cell, m.
    """
    cells = np.clip(np.floor(places / side), -_MOST_CELLS, _MOST_CELLS - 1).astype(np.int64) + _MOST_CELLS
    numbers: IntArray = cells[:, 0] * (2 * _MOST_CELLS) + cells[:, 1]
    return numbers


def _around(kept: dict[tuple[int, int], list[Chevron]], column: int, row: int) -> Iterator[Chevron]:
    """Yield the chevrons in a cell and in the eight around it."""
    for x in (column - 1, column, column + 1):
        for y in (row - 1, row, row + 1):
            yield from kept.get((x, y), ())


def _is_beside(one: Chevron, other: Chevron) -> bool:
    """Return whether two chevrons are near each other and of about the same direction."""
    is_near = (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 < _CHEVRONS_APART**2
    return is_near and one[2] * other[2] + one[3] * other[3] >= _ABOUT_ONE_WAY


def _distances(piece: StreetPiece, x: float, y: float) -> Reals:
    """Return how far a place (m) is from each step of a piece, m, float64[n - 1]."""
    dx = np.diff(piece.x)
    dy = np.diff(piece.y)
    along = ((x - piece.x[:-1]) * dx + (y - piece.y[:-1]) * dy) / np.maximum(dx * dx + dy * dy, 1e-9)
    along = np.clip(along, 0.0, 1.0)
    distances: Reals = np.hypot(piece.x[:-1] + along * dx - x, piece.y[:-1] + along * dy - y)
    return distances


def street_text(streets: Streets, place: tuple[float, float], elapsed: FloatArray, units: Units) -> str:
    """Return how many vehicles drove over a place (m), and when; empty where there is no street.

    Args:
        streets: The streets of a recording.
        place: The place, m.
        elapsed: Time of each of its frames, s.
        units: The units in which quantities are shown.
    """
    drives = streets.drives_at(*place)
    if drives is None or not len(elapsed):
        return ""
    last_frame = len(elapsed) - 1
    first = units.text(float(elapsed[min(drives.first, last_frame)]), "s", 1)
    last = units.text(float(elapsed[min(drives.last, last_frame)]), "s", 1)
    return say_count(
        "1 vehicle drove here, at {first}",
        "{count:,} vehicles drove here, the first one at {first}, the last one at {last}",
        count=drives.vehicles,
        first=first,
        last=last,
    )
