"""Events of one vehicle: hard braking and steering, U-turns, long standstills."""

from itertools import pairwise
from typing import Final

import numpy as np

from ...arrays import BoolArray, FloatArray, StructuredArray, row_type, run_starts
from ..motion import slopes
from ..thresholds import Thresholds
from .stretches import STRETCH, moments, stretches_of

_SMOOTHED = 5  # frames that speed and heading are averaged over
DRIVES = 1.0
"""m/s: a vehicle that is slower stands, or creeps."""
_STANDS = 0.1  # m/s
_TURN = 150.0  # degrees of a U-turn
_TURNS = 2.0  # degrees/s: what turns more slowly drives straight on
_TURN_TIME = 20.0  # s that it takes at most
_TURN_WAY = 60.0  # m that it takes at most

_COURSE: Final = row_type("life:i4 frame:i4 time x y speed acceleration lateral heading")


class Courses:
    """How the vehicles of some frames drive, by life and frame.

    Attributes:
        rows: dtype `_COURSE`: acceleration along and across the heading (m/s²), heading without jumps (degrees).
        begins: Whether a row begins a stretch without missing frames, bool[n].
    """

    def __init__(self, users: StructuredArray, elapsed: FloatArray, is_walker: BoolArray) -> None:
        users = users[~is_walker[users["life"]]]
        users = users[np.lexsort((users["frame"], users["life"]))]
        rows = np.zeros(len(users), _COURSE)
        for name in ("life", "frame", "x", "y"):
            rows[name] = users[name]
        rows["time"] = elapsed[users["frame"]]
        self.rows = rows
        self.begins = np.ones(len(rows), np.bool_)
        if not len(rows):
            return
        self.begins = run_starts(rows["life"])
        self.begins[1:] |= np.diff(rows["frame"]) != 1
        yaw = _unwrapped(users["yaw"], self.begins)
        rows["speed"] = _averaged(np.hypot(users["vx"], users["vy"]), self.begins)
        rows["heading"] = np.degrees(yaw)
        rows["acceleration"] = slopes(rows["time"], rows["speed"], self.begins)
        rows["lateral"] = rows["speed"] * slopes(rows["time"], _averaged(yaw, self.begins), self.begins)

    def hard_braking(self, thresholds: Thresholds) -> StructuredArray:
        """Return the moments of hard braking, with the acceleration (m/s²)."""
        with np.errstate(invalid="ignore"):
            return self._moments(self.rows["acceleration"] <= thresholds.hard_braking, self.rows["acceleration"])

    def hard_steering(self, thresholds: Thresholds) -> StructuredArray:
        """Return the moments of hard steering, with the acceleration to the side (m/s²)."""
        lateral = np.abs(self.rows["lateral"])
        with np.errstate(invalid="ignore"):
            return self._moments(lateral >= thresholds.hard_steering, lateral)

    def _moments(self, holds: BoolArray, value: FloatArray) -> StructuredArray:
        chosen = np.flatnonzero(holds & np.isfinite(value))
        rows = self.rows[chosen]
        return moments(rows["life"], -1, rows["frame"], value[chosen], rows["x"], rows["y"])

    def standing(self) -> StructuredArray:
        """Return the stretches in which vehicles stand, with their seconds: dtype `STRETCH`."""
        return stretches_of(self._moments(self.rows["speed"] < _STANDS, self.rows["time"]), "least")

    def moving(self) -> set[int]:
        """Return the lives that drive at some time."""
        return set(self.rows["life"][self.rows["speed"] > DRIVES].tolist())

    def u_turns(self) -> StructuredArray:
        """Return where vehicles turn round, with the change of the heading (degrees): dtype `STRETCH`."""
        found = []
        bounds = [*np.flatnonzero(self.begins).tolist(), len(self.rows)]
        for start, stop in pairwise(bounds):
            course = self.rows[start:stop]
            turn = float(np.ptp(course["heading"]))
            if turn >= _TURN:
                found.extend(_turns_round(course))
        return np.array(found, STRETCH)


def _turns_round(course: StructuredArray) -> list[tuple[float, ...]]:
    """Return the U-turns of one vehicle, as rows of `STRETCH`."""
    dx = np.diff(course["x"])
    dy = np.diff(course["y"])
    way = np.append(0.0, np.cumsum(np.hypot(dx, dy)))
    heading = course["heading"]
    time = course["time"]
    found: list[tuple[float, ...]] = []
    start = 0
    last = -1
    for row in range(len(course)):
        if row <= last:
            continue
        while time[row] - time[start] > _TURN_TIME or way[row] - way[start] > _TURN_WAY:
            start += 1
        change = np.abs(heading[row] - heading[start : row + 1])
        if change.max() < _TURN:
            continue
        # From the last moment with that heading, as it may have driven straight before, to the end of the turn.
        first, last = _whole_turn(course, start + int(np.flatnonzero(change >= _TURN)[-1]), row)
        middle = (first + last) // 2
        frames = (course["frame"][first], course["frame"][last], course["frame"][middle])
        turn = abs(float(heading[last] - heading[first]))
        found.append((course["life"][row], -1, *frames, turn, course["x"][middle], course["y"][middle]))
        start = last
    return found


def _whole_turn(course: StructuredArray, first: int, last: int) -> tuple[int, int]:
    """Return the first and the last row of a turn of which these two rows are a part."""
    turned = np.diff(course["heading"]) * np.sign(course["heading"][last] - course["heading"][first])
    with np.errstate(divide="ignore", invalid="ignore"):
        turns = turned / np.diff(course["time"]) > _TURNS
    while first > 0 and turns[first - 1]:
        first -= 1
    while last < len(turns) and turns[last]:
        last += 1
    return first, last


def _unwrapped(yaw: FloatArray, begins: BoolArray) -> FloatArray:
    """Return headings (radians) without jumps of whole turns, per stretch."""
    step = np.diff(yaw)
    turns = -np.round(step / (2 * np.pi))
    turns[begins[1:]] = 0.0
    total = np.append(0.0, np.cumsum(turns)) * 2 * np.pi
    return yaw + total


def _averaged(values: FloatArray, begins: BoolArray) -> FloatArray:
    """Return the mean of each value and its neighbours in its stretch, over five rows at most."""
    stretch = np.cumsum(begins)
    sums = values.copy()
    counts = np.ones(len(values))
    for shift in range(1, _SMOOTHED // 2 + 1):
        same = np.flatnonzero(stretch[shift:] == stretch[:-shift])
        for row, neighbour in ((same, same + shift), (same + shift, same)):
            sums[row] += values[neighbour]
            counts[row] += 1
    return np.asarray(sums / counts)
