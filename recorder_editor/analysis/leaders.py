"""The leader of each vehicle: the nearest box on the vehicle's future path.

A corridor of the follower's width is swept along its recorded path, because a straight one leaves the road in bends.
The search advances in steps that cannot skip a candidate: over a metre of path, the distance to a point changes by at
most a metre. Knows arrays only.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..progress import SILENT, Progress
from .constants import NO_LEADER
from .paths import SPACING, Paths, VehicleRows

MAX_DISTANCE = 200.0  # m along the path
MAX_HEADING_DIFFERENCE = np.pi / 4  # between the leader and the path at its position
MAX_HEIGHT_DIFFERENCE = 3.0  # m; vehicles further above or below are on another road
_PAIRS = 1 << 17  # of a batch


class Leaders(NamedTuple):
    """For each row the row of its leader or `NO_LEADER`, int64[n], and the distance between their middles along the
    follower's path, m, float64[n] (NaN without a leader)."""

    row: IntArray
    ahead: FloatArray


class Pairs(NamedTuple):
    """Followers and candidates of the same frame, as rows."""

    follower: IntArray
    other: IntArray

    def part(self, chosen: BoolArray) -> "Pairs":
        """Some of them."""
        return Pairs(self.follower[chosen], self.other[chosen])


def find_leaders(
    vehicles: VehicleRows,
    paths: Paths,
    progress: Progress = SILENT,
    *,
    by_lane: Callable[[IntArray, IntArray], FloatArray] | None = None,
) -> Leaders:
    """The nearest box ahead of each row that overlaps the corridor along the follower's path, with a heading within
    45 degrees of the path there, at most 200 m ahead from middle to middle.

    `by_lane` tells how far ahead on its own lane others (second) are of vehicles (first, rows), m, or NaN: the nearest
    of these comes before any other. `progress` counts rows. Raises `Cancelled`.
    """
    row = np.full(len(vehicles.life), NO_LEADER, np.int64)
    ahead = np.full(len(vehicles.life), np.nan)
    lengths = np.diff(np.append(vehicles.segments, len(vehicles.life)))
    segment = np.repeat(np.arange(len(vehicles.segments)), lengths)
    start = np.repeat(vehicles.distance[vehicles.segments], lengths)
    done = 0
    for pairs, rows in pairs_by_frame(vehicles):
        progress.update(done, len(vehicles.life))

        def take(pairs: Pairs, place: FloatArray) -> None:
            gap = place - vehicles.half_length[pairs.follower] - vehicles.half_length[pairs.other]
            order = np.argsort(-gap, kind="stable")  # the nearest is written last
            row[pairs.follower[order]] = pairs.other[order]
            ahead[pairs.follower[order]] = place[order]

        if by_lane is not None:
            place = by_lane(*pairs)
            take(pairs.part(~np.isnan(place)), place[~np.isnan(place)])
            pairs = pairs.part(row[pairs.follower] == NO_LEADER)
        found, place = _search_paths(vehicles, paths, pairs, segment, vehicles.distance - start)
        take(pairs.part(found), place[found])
        done += rows
    progress.update(done, len(vehicles.life))
    return Leaders(row, ahead)


def followers(leaders: Leaders, gap: FloatArray) -> IntArray:
    """The nearest row that follows each row, `NO_LEADER` without one; `gap` (m) is that of each row to its leader."""
    made = np.full(len(leaders.row), NO_LEADER, np.int64)
    led = np.flatnonzero(leaders.row != NO_LEADER)
    order = led[np.argsort(-gap[led], kind="stable")]
    made[leaders.row[order]] = order
    return made


def pairs_by_frame(vehicles: VehicleRows) -> Iterator[tuple[Pairs, int]]:
    """All pairs of the same frame within `MAX_DISTANCE`, in batches of frames, with the number of rows of a batch."""
    order = np.argsort(vehicles.frame, kind="stable")
    firsts = np.flatnonzero(np.diff(vehicles.frame[order], prepend=-1))
    counts = np.diff(np.append(firsts, len(order)))
    filled = np.cumsum(counts * counts)
    at = 0
    while at < len(firsts):
        if at:
            base = int(filled[at - 1])
        else:
            base = 0
        stop = max(at + 1, int(filled.searchsorted(base + _PAIRS, side="right")))
        first = firsts[at:stop]
        count = counts[at:stop]
        # Each row of a frame with all rows of the frame.
        own = np.repeat(np.arange(first[0], first[-1] + count[-1]), np.repeat(count, count))
        begin = np.repeat(np.repeat(first, count), np.repeat(count, count))
        run = np.repeat(count, count)
        other = begin + np.arange(len(own)) - np.repeat(np.cumsum(run) - run, run)
        one = order[own]
        two = order[other]
        dx, dy = vehicles.cx[one] - vehicles.cx[two], vehicles.cy[one] - vehicles.cy[two]
        near = (one != two) & (dx * dx + dy * dy <= MAX_DISTANCE * MAX_DISTANCE)
        yield Pairs(one[near], two[near]), int(count.sum())
        at = stop


class _Search(NamedTuple):
    """Candidates of the search: rows of follower and other; the `first` and `last` point of the follower's path, its
    position along it (`own`, m), and how near the middle of the other has to be (`wide`, m)."""

    follower: IntArray
    other: IntArray
    first: IntArray
    last: IntArray
    own: FloatArray
    wide: FloatArray

    def part(self, rows: IntArray) -> "_Search":
        """Some of the candidates."""
        return _Search._make(column[rows] for column in self)


def _search_paths(
    vehicles: VehicleRows, paths: Paths, pairs: Pairs, segment: IntArray, along: FloatArray
) -> tuple[BoolArray, FloatArray]:
    """Which candidates are on the path, bool[p], and how far ahead (m), float64[p]."""
    one, two = pairs
    # The width across the path of a box turned by up to 45 degrees.
    across = (vehicles.half_length[two] + vehicles.half_width[two]) * np.sqrt(0.5)
    wide = vehicles.half_width[one] + across + SPACING / 2
    every = _Search(one, two, paths.first[segment[one]], paths.last[segment[one]], along[one], wide)
    window = np.arange(int(2 * wide.max(initial=0.0) / SPACING) + 4)
    point = every.first + np.floor(every.own / SPACING).astype(np.int64)
    stop = np.minimum(every.last, point + round(MAX_DISTANCE / SPACING) + 1)
    found = np.zeros(len(one), np.bool_)
    place = np.full(len(one), np.nan)
    left = np.arange(len(one))
    while len(left):
        at = point[left]
        distance = np.hypot(paths.x[at] - vehicles.cx[two[left]], paths.y[at] - vehicles.cy[two[left]])
        room = distance - wide[left]
        touching = left[room <= 0]
        if len(touching):
            found[touching], place[touching] = _check_overlap(
                vehicles, paths, every.part(touching), point[touching, None] + window
            )
        steps = np.where(room <= 0, len(window), np.maximum(1, np.floor(room / SPACING)))
        point[left] = at + steps.astype(np.int64)
        left = left[(point[left] <= stop[left]) & ~found[left]]
    return found, place


def _check_overlap(
    vehicles: VehicleRows, paths: Paths, search: _Search, points: IntArray
) -> tuple[BoolArray, FloatArray]:
    """Which candidates overlap the corridor within these points of the path, and how far ahead they are (m)."""
    one, two, first, last, own, _ = search
    points = np.minimum(points, last[:, None])
    x, y = vehicles.cx[two], vehicles.cy[two]
    far = np.hypot(paths.x[points] - x[:, None], paths.y[points] - y[:, None])
    at = points[np.arange(len(one)), far.argmin(axis=1)]
    before, after = np.maximum(at - 1, first), np.minimum(at + 1, last)
    tx = paths.x[after] - paths.x[before]
    ty = paths.y[after] - paths.y[before]
    size = np.maximum(np.hypot(tx, ty), 1e-9)
    tx, ty = tx / size, ty / size
    dx, dy = x - paths.x[at], y - paths.y[at]
    on = dx * tx + dy * ty
    aside = np.abs(dx * ty - dy * tx)
    ahead = (at - first) * SPACING + on - own
    cosine, sine = np.cos(vehicles.yaw[two]), np.sin(vehicles.yaw[two])
    straight = cosine * tx + sine * ty
    across = np.abs(cosine * ty - sine * tx)
    overlap = vehicles.half_width[one] + vehicles.half_width[two] * straight + vehicles.half_length[two] * across
    with np.errstate(invalid="ignore"):
        level = ~(np.abs(vehicles.z[two] - paths.z[at]) > MAX_HEIGHT_DIFFERENCE)
    met = (
        (ahead > 0)
        & (ahead <= MAX_DISTANCE)
        & (np.abs(on) <= 2 * SPACING)
        & (straight >= np.cos(MAX_HEADING_DIFFERENCE))
        & (aside < overlap)
        & level
    )
    return met, ahead
