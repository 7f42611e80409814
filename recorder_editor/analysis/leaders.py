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

LaneDistances = Callable[[IntArray, IntArray], FloatArray]
"""How far ahead other vehicles (second) are of vehicles (first; rows) on their own lanes, m, or NaN."""


class Leaders(NamedTuple):
    """The leader of each row of vehicles.

    Attributes:
        row: Row of the leader or `NO_LEADER`, int64[n].
        ahead: Distance between their middles along the path of the follower, m, float64[n]; NaN without a leader.
    """

    row: IntArray
    ahead: FloatArray


class Pairs(NamedTuple):
    """Followers and candidates of the same frame, as rows."""

    follower: IntArray
    other: IntArray

    def part(self, chosen: BoolArray) -> "Pairs":
        """Return the chosen ones (bool[pairs])."""
        return Pairs(follower=self.follower[chosen], other=self.other[chosen])


def find_leaders(
    vehicles: VehicleRows, paths: Paths, progress: Progress = SILENT, *, by_lane: LaneDistances | None = None
) -> Leaders:
    """Return the nearest box ahead of each row that overlaps the corridor along the path of the follower.

    Its heading is within 45 degrees of the path there, and it is at most 200 m ahead from middle to middle.

    Args:
        vehicles: The rows.
        paths: Their paths.
        progress: Counts rows, and cancels.
        by_lane: Distances on the lanes of a road map; the nearest of these vehicles comes before any other.

    Raises:
        Cancelled: The user cancelled.
    """
    row = np.full(len(vehicles.life), NO_LEADER, np.int64)
    ahead = np.full(len(vehicles.life), np.nan)
    lengths = np.diff(np.append(vehicles.segments, len(vehicles.life)))
    segment = np.repeat(np.arange(len(vehicles.segments)), lengths)
    start = np.repeat(vehicles.distance[vehicles.segments], lengths)

    def assign(pairs: Pairs, distance: FloatArray) -> None:
        gap = distance - vehicles.half_length[pairs.follower] - vehicles.half_length[pairs.other]
        order = np.argsort(-gap, kind="stable")  # the nearest is written last
        row[pairs.follower[order]] = pairs.other[order]
        ahead[pairs.follower[order]] = distance[order]

    done = 0
    for pairs, rows in pairs_by_frame(vehicles):
        progress.update(done, len(vehicles.life))
        if by_lane is not None:
            distance = by_lane(pairs.follower, pairs.other)
            is_ahead = ~np.isnan(distance)
            assign(pairs.part(is_ahead), distance[is_ahead])
            pairs = pairs.part(row[pairs.follower] == NO_LEADER)
        is_leader, distance = _search_paths(vehicles, paths, pairs, segment=segment, along=vehicles.distance - start)
        assign(pairs.part(is_leader), distance[is_leader])
        done += rows
    progress.update(done, len(vehicles.life))
    return Leaders(row=row, ahead=ahead)


def followers(leaders: Leaders, gap: FloatArray) -> IntArray:
    """Return the nearest row that follows each row, `NO_LEADER` without one.

    Args:
        leaders: The leaders of n rows.
        gap: m between each row and its leader, shape (n,).
    """
    follower = np.full(len(leaders.row), NO_LEADER, np.int64)
    led = np.flatnonzero(leaders.row != NO_LEADER)
    order = led[np.argsort(-gap[led], kind="stable")]  # the nearest is written last
    follower[leaders.row[order]] = order
    return follower


def pairs_by_frame(vehicles: VehicleRows) -> Iterator[tuple[Pairs, int]]:
    """Yield all pairs of the same frame within `MAX_DISTANCE`, in batches of frames, with the number of their rows."""
    order = np.argsort(vehicles.frame, kind="stable")
    firsts = np.flatnonzero(np.diff(vehicles.frame[order], prepend=-1))
    counts = np.diff(np.append(firsts, len(order)))
    pair_counts = np.cumsum(counts * counts)
    start = 0
    while start < len(firsts):
        done = 0
        if start:
            done = int(pair_counts[start - 1])
        stop = max(start + 1, int(pair_counts.searchsorted(done + _PAIRS, side="right")))
        first = firsts[start:stop]
        count = counts[start:stop]
        # Each row of a frame with all rows of the frame.
        row_counts = np.repeat(count, count)
        follower_index = np.repeat(np.arange(first[0], first[-1] + count[-1]), row_counts)
        begin = np.repeat(np.repeat(first, count), row_counts)
        pair_begin = np.repeat(np.cumsum(row_counts) - row_counts, row_counts)
        other_index = begin + np.arange(len(follower_index)) - pair_begin
        follower = order[follower_index]
        other = order[other_index]
        dx = vehicles.cx[follower] - vehicles.cx[other]
        dy = vehicles.cy[follower] - vehicles.cy[other]
        is_near = (follower != other) & (dx * dx + dy * dy <= MAX_DISTANCE * MAX_DISTANCE)
        yield Pairs(follower=follower[is_near], other=other[is_near]), int(count.sum())
        start = stop


class _Search(NamedTuple):
    """Candidates of the search, p of them.

    Attributes:
        follower: Rows of followers.
        other: Rows of the others.
        first: The first point of the path of the follower.
        last: The last point of that path.
        own: Position of the follower along it, m.
        reach: How near the middle of the other has to be, m.
    """

    follower: IntArray
    other: IntArray
    first: IntArray
    last: IntArray
    own: FloatArray
    reach: FloatArray

    def part(self, chosen: IntArray) -> "_Search":
        """Return the candidates of these indices."""
        return _Search(
            follower=self.follower[chosen],
            other=self.other[chosen],
            first=self.first[chosen],
            last=self.last[chosen],
            own=self.own[chosen],
            reach=self.reach[chosen],
        )


def _search_paths(
    vehicles: VehicleRows, paths: Paths, pairs: Pairs, segment: IntArray, along: FloatArray
) -> tuple[BoolArray, FloatArray]:
    """Search others on the paths of followers.

    Args:
        vehicles: The rows.
        paths: Their paths.
        pairs: The candidates, p of them.
        segment: The segment of each row.
        along: Position of each row along its segment, m.

    Returns:
        Which candidates are on the path, bool[p], and how far ahead (m), float64[p], NaN for the others.
    """
    # The width across the path of a box turned by up to 45 degrees.
    across = (vehicles.half_length[pairs.other] + vehicles.half_width[pairs.other]) * np.sqrt(0.5)
    candidates = _Search(
        follower=pairs.follower,
        other=pairs.other,
        first=paths.first[segment[pairs.follower]],
        last=paths.last[segment[pairs.follower]],
        own=along[pairs.follower],
        reach=vehicles.half_width[pairs.follower] + across + SPACING / 2,
    )
    window = np.arange(int(2 * candidates.reach.max(initial=0.0) / SPACING) + 4)
    point = candidates.first + np.floor(candidates.own / SPACING).astype(np.int64)
    stop = np.minimum(candidates.last, point + round(MAX_DISTANCE / SPACING) + 1)
    is_met = np.zeros(len(pairs.follower), np.bool_)
    ahead = np.full(len(pairs.follower), np.nan)
    left = np.arange(len(pairs.follower))
    while len(left):
        nearest = point[left]
        other = pairs.other[left]
        distance = np.hypot(paths.x[nearest] - vehicles.cx[other], paths.y[nearest] - vehicles.cy[other])
        room = distance - candidates.reach[left]
        is_touching = room <= 0
        touching = left[is_touching]
        if len(touching):
            points = point[touching, None] + window
            is_met[touching], ahead[touching] = _check_overlap(vehicles, paths, candidates.part(touching), points)
        # Over a metre of path the distance changes by at most a metre, so that no candidate is skipped.
        steps = np.where(is_touching, len(window), np.maximum(1, np.floor(room / SPACING)))
        point[left] = nearest + steps.astype(np.int64)
        left = left[(point[left] <= stop[left]) & ~is_met[left]]
    return is_met, ahead


def _check_overlap(
    vehicles: VehicleRows, paths: Paths, search: _Search, points: IntArray
) -> tuple[BoolArray, FloatArray]:
    """Return which candidates overlap the corridor within some points of the path, and how far ahead they are (m).

    Args:
        vehicles: The rows.
        paths: Their paths.
        search: The candidates, p of them.
        points: Points of the path of each candidate, shape (p, points).
    """
    other = search.other
    x = vehicles.cx[other]
    y = vehicles.cy[other]
    points = np.minimum(points, search.last[:, None])
    distances = np.hypot(paths.x[points] - x[:, None], paths.y[points] - y[:, None])
    nearest = points[np.arange(len(other)), distances.argmin(axis=1)]
    before = np.maximum(nearest - 1, search.first)
    after = np.minimum(nearest + 1, search.last)
    # The direction of the path at the nearest point.
    tangent_x = paths.x[after] - paths.x[before]
    tangent_y = paths.y[after] - paths.y[before]
    length = np.maximum(np.hypot(tangent_x, tangent_y), 1e-9)
    tangent_x = tangent_x / length
    tangent_y = tangent_y / length
    dx = x - paths.x[nearest]
    dy = y - paths.y[nearest]
    beyond = dx * tangent_x + dy * tangent_y
    aside = np.abs(dx * tangent_y - dy * tangent_x)
    ahead = (nearest - search.first) * SPACING + beyond - search.own
    # The box of the other, turned against the path.
    cosine = np.cos(vehicles.yaw[other])
    sine = np.sin(vehicles.yaw[other])
    straight = cosine * tangent_x + sine * tangent_y
    across = np.abs(cosine * tangent_y - sine * tangent_x)
    overlap = vehicles.half_width[search.follower] + vehicles.half_width[other] * straight
    overlap = overlap + vehicles.half_length[other] * across
    with np.errstate(invalid="ignore"):
        is_level = ~(np.abs(vehicles.z[other] - paths.z[nearest]) > MAX_HEIGHT_DIFFERENCE)
    is_met = (
        (ahead > 0)
        & (ahead <= MAX_DISTANCE)
        & (np.abs(beyond) <= 2 * SPACING)
        & (straight >= np.cos(MAX_HEADING_DIFFERENCE))
        & (aside < overlap)
        & is_level
    )
    return is_met, ahead
