"""The centres of all lanes as short cubics, on which points are located; and stations along lanes.

Between two stations of a section no formula of its lanes changes, and a cubic through place and direction at both ends
is within a tenth of a millimetre of each centre. All lanes of a section have the same stations, so that areas drawn
between them have no seams.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, ends
from .intervals import repeated
from .reference_line import hermite
from .surface import Surface

EXACT = 1e-4
"""Metres that a cubic is off its centre at most, and what that is in s."""
LONGEST = 16.0
"""Metres of a segment, in maps of usual size."""

_MAX_SEGMENTS = 400_000
_ROUNDS = 12
_LEFT = 1e-7  # m: what holds at the end of a segment is what holds so far before it
_SHORTEST = 1e-3
_SLOWEST, _SLOW = 0.01, 0.1  # m of a centre for each of s
_THIRDS = np.array([0.25, 0.5, 0.75])


class Stations(NamedTuple):
    """Neighbouring s of sections, ordered: `section` (intp[n]), `begin` and `end` (float64[n], m)."""

    section: IndexArray
    begin: FloatArray
    end: FloatArray

    def chosen(self, rows: BoolArray | IndexArray) -> "Stations":
        """Some of them."""
        return Stations(self.section[rows], self.begin[rows], self.end[rows])


class CentreLines(NamedTuple):
    """The segments of all lanes, ordered by lane and s.

    Attributes: `lane` (intp[n]), `s` and `size` (float64[n], m: begin and length in s), `cubics` (float64[16, n]:
    the four coefficients of x, y, z and half the width, in a parameter from 0 to 1), `first` (intp[lanes + 1]).
    """

    lane: IndexArray
    s: FloatArray
    size: FloatArray
    cubics: FloatArray
    first: IndexArray

    def lengths(self) -> FloatArray:
        """Metres along each segment, float64[n]."""
        x, y = (self.cubics[4 * axis + 1 : 4 * axis + 4] for axis in range(2))
        total = np.zeros(len(self.lane))
        for node, weight in ((0.5 - 0.3872983346207417, 5 / 18), (0.5, 8 / 18), (0.5 + 0.3872983346207417, 5 / 18)):
            powers = np.array([1.0, 2 * node, 3 * node**2])
            total += weight * np.hypot(powers @ x, powers @ y)
        return total


def find_stations(surface: Surface) -> Stations:
    """The stations between which the cubics of `centre_lines` are exact."""
    owner, s = surface.breaks()
    last = ends(owner)
    end = np.where(last, surface.sections["s_end"][owner], np.append(s[1:], 0.0)[: len(owner)])
    # A break so close to another one is rounding: the segment before it takes its place.
    keep = (end - s > _SHORTEST) | (s == surface.sections["s"][owner])
    owner, s, end = owner[keep], s[keep], end[keep]
    follows = np.flatnonzero(owner[1:] == owner[:-1])
    end[follows] = s[follows + 1]
    last = ends(owner)
    end[last] = surface.sections["s_end"][owner[last]]
    number = np.diff(surface.first_lane)
    longest = max(LONGEST, float(((end - s) * number[owner]).sum()) / (_MAX_SEGMENTS / 4))
    stations = split(Stations(owner, s, end), np.ceil((end - s) / longest).astype(np.intp))
    done: list[Stations] = []
    for _ in range(_ROUNDS):
        off = _deviation(surface, stations, exact=True)
        rough = off > EXACT
        done.append(stations.chosen(~rough))
        stations = stations.chosen(rough)
        used, more = (
            int(number[each].sum()) for each in (np.concatenate([each.section for each in done]), stations.section)
        )
        room = (_MAX_SEGMENTS - used) // max(more, 1)
        if not more or room < 2:
            break
        # The error of a cubic falls with the fourth power of its length.
        parts = np.ceil((off[rough] / EXACT) ** 0.25 * 1.1)
        stations = split(stations, np.clip(parts, 2, min(room, 64)).astype(np.intp))
    return _joined([*done, stations])


def centre_lines(surface: Surface, stations: Stations) -> CentreLines:
    """The cubics of all lanes between stations."""
    number = np.diff(surface.first_lane)[stations.section]
    station, rank = repeated(number)
    lane = surface.first_lane[stations.section[station]] + rank
    order = np.argsort(lane, kind="stable")
    lane, station = lane[order], station[order]
    begin, end = stations.begin[station], stations.end[station]
    size = end - begin
    both = []
    for at in (begin, np.maximum(end - _LEFT, begin)):
        both.append(surface.centre(lane, at))
    (first, half, d_half), (last, half_end, d_half_end) = both
    rows: list[FloatArray] = []
    for name in ("x", "y", "z"):
        slopes = []
        for track in (first, last):
            slopes.append(getattr(track, f"d{name}") * size)
        rows += _cubic(getattr(first, name), getattr(last, name), *slopes)
    rows += _cubic(half, half_end, d_half * size, d_half_end * size)
    bounds = np.searchsorted(lane, np.arange(len(surface.lanes) + 1))
    return CentreLines(lane, begin, size, np.array(rows), bounds)


def _cubic(begin: FloatArray, end: FloatArray, slope: FloatArray, last_slope: FloatArray) -> list[FloatArray]:
    return [begin, slope, *hermite(end - begin, slope, last_slope)]


def split(stations: Stations, parts: IndexArray) -> Stations:
    """Stations that divide each of these into so many equal parts."""
    whole, number = repeated(np.maximum(parts, 1))
    step = ((stations.end - stations.begin) / np.maximum(parts, 1))[whole]
    begin = stations.begin[whole] + number * step
    is_last = number == np.maximum(parts, 1)[whole] - 1
    end = np.where(is_last, stations.end[whole], begin + step)
    return Stations(stations.section[whole], begin, end)


def _joined(parts: list[Stations]) -> Stations:
    section, begin, end = (np.concatenate([each[n] for each in parts]) for n in range(3))
    whole = Stations(section.astype(np.intp), begin, end)
    return whole.chosen(np.lexsort((begin, section)))


def _deviation(surface: Surface, stations: Stations, *, exact: bool) -> FloatArray:
    """How far the centres of lanes leave their cubics (`exact`) or chords between stations, m.

    Cubics are also as exact in direction, at the border, and where a centre moves little with s, near that of a bend,
    exact in s.
    """
    station, rank = repeated(np.diff(surface.first_lane)[stations.section])
    lane = surface.first_lane[stations.section[station]] + rank
    begin, end = stations.begin[station], stations.end[station]
    size = end - begin
    first, last = (surface.centre(lane, at)[0] for at in (begin, np.maximum(end - _LEFT, begin)))
    most = np.zeros(len(stations.section))
    for share in _THIRDS:
        there, half, _ = surface.centre(lane, begin + share * size)
        off, turn = np.zeros((2, len(begin)))
        for name, across in (("x", there.dy), ("y", -there.dx)):
            a, b = (getattr(track, name) for track in (first, last))
            slope = getattr(first, f"d{name}") * size
            c, d = hermite(b - a, slope, getattr(last, f"d{name}") * size)
            guess = a + (slope * share + c * share**2 + d * share**3 if exact else (b - a) * share)
            off = np.hypot(off, getattr(there, name) - guess)
            turn += (slope + 2 * c * share + 3 * d * share**2) / size * across
        if exact:
            speed = np.hypot(there.dx, there.dy)
            off = off / np.clip(speed, _SLOWEST, 1.0) + np.abs(half * turn) / np.maximum(speed, _SLOW) ** 2
        np.maximum.at(most, station, off)
    return most


# --- stations of samples ------------------------------------------------------------------------------------


def every(surface: Surface, step: float) -> tuple[IndexArray, FloatArray]:
    """Sections and s: the begin of each, then every `step` metres, and its end."""
    begin, end = surface.sections["s"], surface.sections["s_end"]
    counts = np.ceil((end - begin) / step - 1e-9).astype(np.intp) + 1
    section, number = repeated(np.maximum(counts, 2))
    is_last = number == np.maximum(counts, 2)[section] - 1
    return section, np.where(is_last, end[section], begin[section] + number * step)


def sparse(surface: Surface, stations: Stations, tolerance: float) -> tuple[IndexArray, FloatArray]:
    """Sections and s: as few as keep the chords of all borders of a section within `tolerance` metres of them."""
    off = _deviation(surface, stations, exact=False)
    # A quarter of the tolerance is for what lies between these points, the rest for those that are left out.
    parts = np.ceil(np.sqrt(8 * off / tolerance))
    whole = float((parts * np.diff(surface.first_lane)[stations.section]).sum())
    fine = split(stations, (parts * min(1.0, 4 * _MAX_SEGMENTS / max(whole, 1.0))).astype(np.intp))
    last = ends(fine.section)
    section = np.concatenate([fine.section, fine.section[last]])
    s = np.concatenate([fine.begin, fine.end[last]])
    order = np.lexsort((s, section))
    section, s = section[order], s[order]
    kept = _thinned(surface, section, s, 0.75 * tolerance)
    return section[kept], s[kept]


def _thinned(surface: Surface, section: IndexArray, s: FloatArray, tolerance: float) -> BoolArray:
    """Which stations Ramer, Douglas and Peucker keep, for all sections at once: one pass for each depth."""
    kept = np.ones(len(s), bool)
    kept[1:-1] = (section[1:-1] != section[:-2]) | (section[1:-1] != section[2:])
    counts = np.diff(surface.first_lane)[section]
    point, rank = repeated(counts)
    lane = surface.first_lane[section[point]] + rank
    road = surface.lanes["road"][lane].astype(np.intp)
    inner, _, outer, _ = surface.borders(lane, s[point])
    borders = []
    for t in (inner, outer):
        borders.append(surface.place(road, s[point], t)[:2])
    at = np.cumsum(counts) - counts  # of the first lane at a station
    while True:
        chosen = np.flatnonzero(kept)
        span = np.searchsorted(chosen, np.arange(len(s)), side="right") - 1
        low = chosen[span]
        high = chosen[np.minimum(span + 1, len(chosen) - 1)]
        off = np.zeros(len(s))
        inside = np.flatnonzero(~kept[point])
        of = point[inside]
        for x, y in borders:
            x0 = x[at[low[of]] + rank[inside]]
            y0 = y[at[low[of]] + rank[inside]]
            dx, dy = x[at[high[of]] + rank[inside]] - x0, y[at[high[of]] + rank[inside]] - y0
            px = x[inside] - x0
            py = y[inside] - y0
            share = np.clip((px * dx + py * dy) / np.maximum(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
            np.maximum.at(off, of, np.hypot(px - share * dx, py - share * dy))
        if not len(inside) or off.max() <= tolerance:
            return kept
        # Of each span the point that is farthest off.
        order = np.lexsort((off, span))
        farthest = order[ends(span[order])]
        kept[farthest[off[farthest] > tolerance]] = True
