"""The leader of each vehicle: the nearest box on the path that the vehicle is going to take.

One idea: a corridor of the follower's width is swept along its own recorded way, because a straight one leaves the
road in every bend. The way is walked in strides that cannot pass what is looked for: over a metre of way, the distance
to a point changes by a metre at most. Knows arrays only.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..progress import SILENT, Progress
from .courses import SPACING, Paths, VehicleRows
from .interactions import NO_LEADER

Reals = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MAX_DISTANCE = 200.0  # m along the way
MAX_HEADING_DIFFERENCE = np.pi / 4  # between the leader and the way where it is
MAX_HEIGHT_DIFFERENCE = 3.0  # m: a vehicle further above or below is on another road
_PAIRS = 1 << 17  # looked at together


class Leaders(NamedTuple):
    """For each row the row of its leader or `NO_LEADER`, int64[n], and how far ahead its middle is along the follower's
    way, m, float64[n] (NaN without one)."""

    row: Integers
    ahead: Reals


class _Pairs(NamedTuple):
    """Followers and candidates of the same frame, as rows."""

    follower: Integers
    other: Integers


def find_leaders(driven: VehicleRows, ways: Paths, progress: Progress = SILENT) -> Leaders:
    """The nearest box ahead of each row: one whose corridor overlaps the follower's along the follower's way, whose
    heading is within 45 degrees of the way there, at most 200 m ahead from middle to middle.

    `progress` counts rows. Raises `Cancelled`.
    """
    row, ahead = np.full(len(driven.life), NO_LEADER, np.int64), np.full(len(driven.life), np.nan)
    lengths = np.diff(np.append(driven.courses, len(driven.life)))
    course = np.repeat(np.arange(len(driven.courses)), lengths)
    begun = np.repeat(driven.way[driven.courses], lengths)
    done = 0
    for pairs, rows in _pairs_by_frame(driven):
        progress.update(done, len(driven.life))
        found, place = _search_paths(driven, ways, pairs, course, driven.way - begun)
        pairs, place = _Pairs(pairs.follower[found], pairs.other[found]), place[found]
        gap = place - driven.half_length[pairs.follower] - driven.half_length[pairs.other]
        order = np.argsort(-gap, kind="stable")  # the nearest is written last
        row[pairs.follower[order]] = pairs.other[order]
        ahead[pairs.follower[order]] = place[order]
        done += rows
    progress.update(done, len(driven.life))
    return Leaders(row, ahead)


def followers(leaders: Leaders, gap: Reals) -> Integers:
    """The nearest row that follows each row, `NO_LEADER` without one; `gap` (m) is that of each row to its leader."""
    made = np.full(len(leaders.row), NO_LEADER, np.int64)
    led = np.flatnonzero(leaders.row != NO_LEADER)
    order = led[np.argsort(-gap[led], kind="stable")]
    made[leaders.row[order]] = order
    return made


def _pairs_by_frame(driven: VehicleRows) -> Iterator[tuple[_Pairs, int]]:
    """All pairs of the same frame that are near enough, some frames at a time, with the rows of those frames."""
    order = np.argsort(driven.frame, kind="stable")
    firsts = np.flatnonzero(np.diff(driven.frame[order], prepend=-1))
    counts = np.diff(np.append(firsts, len(order)))
    filled = np.cumsum(counts * counts)
    at = 0
    while at < len(firsts):
        base = int(filled[at - 1]) if at else 0
        stop = max(at + 1, int(filled.searchsorted(base + _PAIRS, side="right")))
        first, count = firsts[at:stop], counts[at:stop]
        # Of each row of a frame, all rows of the frame.
        own = np.repeat(np.arange(first[0], first[-1] + count[-1]), np.repeat(count, count))
        begin = np.repeat(np.repeat(first, count), np.repeat(count, count))
        run = np.repeat(count, count)
        other = begin + np.arange(len(own)) - np.repeat(np.cumsum(run) - run, run)
        one, two = order[own], order[other]
        dx, dy = driven.cx[one] - driven.cx[two], driven.cy[one] - driven.cy[two]
        near = (one != two) & (dx * dx + dy * dy <= MAX_DISTANCE * MAX_DISTANCE)
        yield _Pairs(one[near], two[near]), int(count.sum())
        at = stop


class _Search(NamedTuple):
    """Candidates that are looked for: rows of follower and other; on the follower's way, the `first` and `last` point,
    where the follower is itself (`own`, m), and how near the middle of the other has to be (`wide`, m)."""

    follower: Integers
    other: Integers
    first: Integers
    last: Integers
    own: Reals
    wide: Reals

    def part(self, rows: Integers) -> "_Search":
        """The same for some of them."""
        return _Search._make(column[rows] for column in self)


def _search_paths(
    driven: VehicleRows, ways: Paths, pairs: _Pairs, course: Integers, along: Reals
) -> tuple[npt.NDArray[np.bool_], Reals]:
    """Which candidates are on the way, bool[p], and how far ahead, float64[p]."""
    one, two = pairs
    # Turned by up to 45 degrees, a box is this wide across the way.
    wide = driven.half_width[one] + (driven.half_length[two] + driven.half_width[two]) * np.sqrt(0.5) + SPACING / 2
    every = _Search(one, two, ways.first[course[one]], ways.last[course[one]], along[one], wide)
    window = np.arange(int(2 * wide.max(initial=0.0) / SPACING) + 4)
    point = every.first + np.floor(every.own / SPACING).astype(np.int64)
    stop = np.minimum(every.last, point + round(MAX_DISTANCE / SPACING) + 1)
    found, place = np.zeros(len(one), np.bool_), np.full(len(one), np.nan)
    left = np.arange(len(one))
    while len(left):
        at = point[left]
        distance = np.hypot(ways.x[at] - driven.cx[two[left]], ways.y[at] - driven.cy[two[left]])
        room = distance - wide[left]
        touching = left[room <= 0]
        if len(touching):
            found[touching], place[touching] = _check_overlap(
                driven, ways, every.part(touching), point[touching, None] + window
            )
        strides = np.where(room <= 0, len(window), np.maximum(1, np.floor(room / SPACING)))
        point[left] = at + strides.astype(np.int64)
        left = left[(point[left] <= stop[left]) & ~found[left]]
    return found, place


def _check_overlap(
    driven: VehicleRows, ways: Paths, search: _Search, points: Integers
) -> tuple[npt.NDArray[np.bool_], Reals]:
    """Which candidates the corridor meets within these points of the way, and how far ahead of the follower (m)."""
    one, two, first, last, own, _ = search
    points = np.minimum(points, last[:, None])
    x, y = driven.cx[two], driven.cy[two]
    far = np.hypot(ways.x[points] - x[:, None], ways.y[points] - y[:, None])
    at = points[np.arange(len(one)), far.argmin(axis=1)]
    before, after = np.maximum(at - 1, first), np.minimum(at + 1, last)
    tx, ty = ways.x[after] - ways.x[before], ways.y[after] - ways.y[before]
    size = np.maximum(np.hypot(tx, ty), 1e-9)
    tx, ty = tx / size, ty / size
    dx, dy = x - ways.x[at], y - ways.y[at]
    on, aside = dx * tx + dy * ty, np.abs(dx * ty - dy * tx)
    ahead = (at - first) * SPACING + on - own
    cosine, sine = np.cos(driven.yaw[two]), np.sin(driven.yaw[two])
    straight, across = cosine * tx + sine * ty, np.abs(cosine * ty - sine * tx)
    overlap = driven.half_width[one] + driven.half_width[two] * straight + driven.half_length[two] * across
    with np.errstate(invalid="ignore"):
        level = ~(np.abs(driven.z[two] - ways.z[at]) > MAX_HEIGHT_DIFFERENCE)
    met = (
        (ahead > 0)
        & (ahead <= MAX_DISTANCE)
        & (np.abs(on) <= 2 * SPACING)
        & (straight >= np.cos(MAX_HEADING_DIFFERENCE))
        & (aside < overlap)
        & level
    )
    return met, ahead
