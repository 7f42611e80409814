"""The centres of all lanes as short cubics, on which points are located; and stations along lanes.

Between two stations of a section no formula of its lanes changes, and a cubic through place and direction at both ends
is within a tenth of a millimetre of each centre. All lanes of a section have the same stations, so that areas drawn
between them have no seams.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, run_ends
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
_SLOWEST = 0.01  # m of a centre for each of s
_SLOW = 0.1  # m of a centre for each of s
_THIRDS = np.array([0.25, 0.5, 0.75])


class Stations(NamedTuple):
    """Neighbouring s of sections, ordered.

    Attributes:
        section: The rows of sections, intp[n].
        begin: The s at which a station begins, float64[n] (m).
        end: The s at which it ends, float64[n] (m).
    """

    section: IndexArray
    begin: FloatArray
    end: FloatArray

    def select(self, rows: BoolArray | IndexArray) -> "Stations":
        """Return some of the stations, by a mask or by indices."""
        return Stations(self.section[rows], self.begin[rows], self.end[rows])


class CentreLines(NamedTuple):
    """The segments of all lanes, ordered by lane and s.

    Attributes:
        lane: The row of the lane, intp[n].
        s: The s at which a segment begins, float64[n] (m).
        size: Its length in s, float64[n] (m).
        cubics: The four coefficients of x, y, z and half the width, in a parameter from 0 to 1, float64[16, n].
        first: The first segment of each lane, intp[lanes + 1].
    """

    lane: IndexArray
    s: FloatArray
    size: FloatArray
    cubics: FloatArray
    first: IndexArray

    def lengths(self) -> FloatArray:
        """Return the metres along each segment, float64[n]."""
        x = self.cubics[1:4]
        y = self.cubics[5:8]
        total = np.zeros(len(self.lane))
        # The nodes and weights of Gauss and Legendre for three points.
        for node, weight in ((0.5 - 0.3872983346207417, 5 / 18), (0.5, 8 / 18), (0.5 + 0.3872983346207417, 5 / 18)):
            powers = np.array([1.0, 2 * node, 3 * node**2])
            total += weight * np.hypot(powers @ x, powers @ y)
        return total


def find_stations(surface: Surface) -> Stations:
    """Find the stations between which the cubics of `centre_lines` are exact."""
    lanes_of = np.diff(surface.first_lane)
    stations = _first_stations(surface, lanes_of)
    done: list[Stations] = []
    used = 0
    for _ in range(_ROUNDS):
        off = _deviation(surface, stations, exact=True)
        rough = off > EXACT
        smooth = stations.select(~rough)
        done.append(smooth)
        stations = stations.select(rough)
        used += int(lanes_of[smooth.section].sum())
        more = int(lanes_of[stations.section].sum())
        room = (_MAX_SEGMENTS - used) // max(more, 1)
        if not more or room < 2:
            break
        # The error of a cubic falls with the fourth power of its length.
        parts = np.ceil((off[rough] / EXACT) ** 0.25 * 1.1)
        stations = split(stations, np.clip(parts, 2, min(room, 64)).astype(np.intp))
    done.append(stations)
    return _joined(done)


def _first_stations(surface: Surface, lanes_of: IndexArray) -> Stations:
    """Find stations between which no formula changes, and none of which is longer than the map allows.

    Args:
        surface: The lanes.
        lanes_of: The number of lanes of each section, intp[sections].
    """
    section, s = surface.breaks()
    last = run_ends(section)
    end = np.where(last, surface.sections["s_end"][section], np.append(s[1:], 0.0)[: len(section)])
    # A break so close to another one is rounding: the segment before it takes its place.
    keep = (end - s > _SHORTEST) | (s == surface.sections["s"][section])
    section = section[keep]
    s = s[keep]
    end = end[keep]
    follows = np.flatnonzero(section[1:] == section[:-1])
    end[follows] = s[follows + 1]
    last = run_ends(section)
    end[last] = surface.sections["s_end"][section[last]]
    metres = float(((end - s) * lanes_of[section]).sum())
    longest = max(LONGEST, metres / (_MAX_SEGMENTS / 4))
    return split(Stations(section, s, end), np.ceil((end - s) / longest).astype(np.intp))


def centre_lines(surface: Surface, stations: Stations) -> CentreLines:
    """Compute the cubics of all lanes between stations."""
    lane, station = _lanes_at(surface, stations.section)
    order = np.argsort(lane, kind="stable")
    lane = lane[order]
    station = station[order]
    begin = stations.begin[station]
    end = stations.end[station]
    size = end - begin
    first, half, d_half = surface.centre(lane, begin)
    last, half_end, d_half_end = surface.centre(lane, np.maximum(end - _LEFT, begin))
    rows = _cubic(first.x, last.x, first.dx * size, last.dx * size)
    rows += _cubic(first.y, last.y, first.dy * size, last.dy * size)
    rows += _cubic(first.z, last.z, first.dz * size, last.dz * size)
    rows += _cubic(half, half_end, d_half * size, d_half_end * size)
    bounds = np.searchsorted(lane, np.arange(len(surface.lanes) + 1))
    return CentreLines(lane, begin, size, np.array(rows), bounds)


def _lanes_at(surface: Surface, section: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Return the lanes of each of some sections, one after another: their rows, and the index in `section`."""
    index, rank = repeated(np.diff(surface.first_lane)[section])
    return surface.first_lane[section[index]] + rank, index


def _cubic(begin: FloatArray, end: FloatArray, slope: FloatArray, last_slope: FloatArray) -> list[FloatArray]:
    """Return the four coefficients of cubics from 0 to 1 with these values and slopes at both ends."""
    c, d = hermite(end - begin, slope, last_slope)
    return [begin, slope, c, d]


def split(stations: Stations, parts: IndexArray) -> Stations:
    """Divide each station into equal parts.

    Args:
        stations: The stations.
        parts: The number of parts of each, intp[n]; 0 counts as 1.
    """
    whole, number = repeated(np.maximum(parts, 1))
    step = ((stations.end - stations.begin) / np.maximum(parts, 1))[whole]
    begin = stations.begin[whole] + number * step
    is_last = number == np.maximum(parts, 1)[whole] - 1
    end = np.where(is_last, stations.end[whole], begin + step)
    return Stations(stations.section[whole], begin, end)


def _joined(parts: list[Stations]) -> Stations:
    """Return the stations of several tables, ordered by section and s."""
    sections, begins, ends = zip(*parts, strict=True)
    section = np.concatenate(sections).astype(np.intp)
    begin = np.concatenate(begins)
    whole = Stations(section, begin, np.concatenate(ends))
    return whole.select(np.lexsort((begin, section)))


def _deviation(surface: Surface, stations: Stations, *, exact: bool) -> FloatArray:
    """Measure how far the centres of lanes leave their cubics or chords between stations.

    Cubics are also as exact in direction, at the border, and where a centre moves little with s, near that of a bend,
    exact in s.

    Args:
        surface: The lanes.
        stations: The stations.
        exact: Whether the cubics are measured, instead of the chords.

    Returns:
        The largest deviation of the lanes of each station, float64[n] (m).
    """
    lane, station = _lanes_at(surface, stations.section)
    begin = stations.begin[station]
    end = stations.end[station]
    size = end - begin
    first = surface.centre(lane, begin)[0]
    last = surface.centre(lane, np.maximum(end - _LEFT, begin))[0]
    most = np.zeros(len(stations.section))
    for share in _THIRDS:
        there, half, _ = surface.centre(lane, begin + share * size)
        if exact:
            x, x_slope = _cubic_at(share, first.x, last.x, first.dx * size, last.dx * size)
            y, y_slope = _cubic_at(share, first.y, last.y, first.dy * size, last.dy * size)
            off = np.hypot(there.x - x, there.y - y)
            turn = x_slope / size * there.dy - y_slope / size * there.dx
            speed = np.hypot(there.dx, there.dy)
            off = off / np.clip(speed, _SLOWEST, 1.0) + np.abs(half * turn) / np.maximum(speed, _SLOW) ** 2
        else:
            x = first.x + (last.x - first.x) * share
            y = first.y + (last.y - first.y) * share
            off = np.hypot(there.x - x, there.y - y)
        np.maximum.at(most, station, off)
    return most


def _cubic_at(
    share: float, begin: FloatArray, end: FloatArray, slope: FloatArray, last_slope: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the values and slopes at a share of cubics from 0 to 1 with these values and slopes at both ends."""
    c, d = hermite(end - begin, slope, last_slope)
    value = begin + (slope * share + c * share**2 + d * share**3)
    return value, slope + 2 * c * share + 3 * d * share**2


# --- stations of samples ------------------------------------------------------------------------------------


def stations_every(surface: Surface, step: float) -> tuple[IndexArray, FloatArray]:
    """Return s at regular distances: the begin of each section, then every `step` metres, and its end.

    Args:
        surface: The lanes.
        step: Metres of s between two stations.

    Returns:
        Rows of sections (intp[n]) and s (float64[n], m), ordered.
    """
    begin = surface.sections["s"]
    end = surface.sections["s_end"]
    counts = np.ceil((end - begin) / step - 1e-9).astype(np.intp) + 1
    section, number = repeated(np.maximum(counts, 2))
    is_last = number == np.maximum(counts, 2)[section] - 1
    return section, np.where(is_last, end[section], begin[section] + number * step)


def sparse_stations(surface: Surface, stations: Stations, tolerance: float) -> tuple[IndexArray, FloatArray]:
    """Return as few s as keep the chords of all borders of a section near them.

    Args:
        surface: The lanes.
        stations: The stations of `find_stations`.
        tolerance: Metres that a chord is off its border at most.

    Returns:
        Rows of sections (intp[n]) and s (float64[n], m), ordered.
    """
    off = _deviation(surface, stations, exact=False)
    # A quarter of the tolerance is for what lies between these points, the rest for those that are left out.
    parts = np.ceil(np.sqrt(8 * off / tolerance))
    whole = float((parts * np.diff(surface.first_lane)[stations.section]).sum())
    fine = split(stations, (parts * min(1.0, 4 * _MAX_SEGMENTS / max(whole, 1.0))).astype(np.intp))
    last = run_ends(fine.section)
    section = np.concatenate([fine.section, fine.section[last]])
    s = np.concatenate([fine.begin, fine.end[last]])
    order = np.lexsort((s, section))
    section = section[order]
    s = s[order]
    kept = _thinned(surface, section, s, 0.75 * tolerance)
    return section[kept], s[kept]


def _thinned(surface: Surface, section: IndexArray, s: FloatArray, tolerance: float) -> BoolArray:
    """Find the stations that Ramer, Douglas and Peucker keep, for all sections at once: one pass for each depth."""
    kept = np.ones(len(s), bool)
    kept[1:-1] = (section[1:-1] != section[:-2]) | (section[1:-1] != section[2:])
    counts = np.diff(surface.first_lane)[section]
    station, rank = repeated(counts)
    lane = surface.first_lane[section[station]] + rank
    road = surface.lanes["road"][lane].astype(np.intp)
    inner, _, outer, _ = surface.borders(lane, s[station])
    borders = [surface.place(road, s[station], t)[:2] for t in (inner, outer)]
    first_point = np.cumsum(counts) - counts  # of a station: that of its first lane
    while True:
        chosen = np.flatnonzero(kept)
        span = np.searchsorted(chosen, np.arange(len(s)), side="right") - 1
        low = chosen[span]
        high = chosen[np.minimum(span + 1, len(chosen) - 1)]
        off = np.zeros(len(s))
        inside = np.flatnonzero(~kept[station])
        owner = station[inside]
        begin = first_point[low[owner]] + rank[inside]
        end = first_point[high[owner]] + rank[inside]
        for x, y in borders:
            dx = x[end] - x[begin]
            dy = y[end] - y[begin]
            px = x[inside] - x[begin]
            py = y[inside] - y[begin]
            share = np.clip((px * dx + py * dy) / np.maximum(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
            np.maximum.at(off, owner, np.hypot(px - share * dx, py - share * dy))
        if not len(inside) or off.max() <= tolerance:
            return kept
        # Of each span the point that is farthest off.
        order = np.lexsort((off, span))
        farthest = order[run_ends(span[order])]
        kept[farthest[off[farthest] > tolerance]] = True
