"""The stop lines of the recorded traffic lights, by the lights of the road map that stand where they do."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...arrays import BoolArray, IndexArray, StructuredArray, row_type, run_starts
from ...roads import RoadMap
from ..lives import Life
from ..near_users import HEIGHT

STOP_LINE: Final = row_type("x y z cos sin half_width within")
"""A line across a lane at its end, where a junction begins: the middle (m), the heading of the lane, half the width
(m), and how far behind it vehicles may wait (m)."""

_AS_FAR = 1.0  # m: the simulator puts lights 0.25 m before their signals; in all recordings at hand it is up to 0.34
_AROUND = 50.0  # m from the middle of a line to a vehicle that passes it
_SAME_WAY = float(np.cos(np.radians(60.0)))


def lights_at(lights: Sequence[Life], roads: RoadMap) -> dict[int, int]:
    """Find the lights of a road map at which recorded ones stand.

    Lights of old releases may hold elsewhere than the map tells: in recordings of 0.9.6 vehicles wait far within the
    junction, and some lights do not stand at those of the map. Therefore every light must stand at one.

    Args:
        lights: The recorded lights.
        roads: The road map.

    Returns:
        Rows of `RoadMap.lights` by the indices of the lives; none where a light stands elsewhere.
    """
    found: dict[int, int] = {}
    if not len(roads.lights):
        return found
    for light in lights:
        with np.errstate(invalid="ignore", over="ignore"):
            x = roads.lights["x"] - light.transform.x / 100
            y = roads.lights["y"] - light.transform.y / 100
            apart = np.hypot(x, y)
        nearest = int(apart.argmin())
        if not apart[nearest] <= _AS_FAR:
            return {}
        found[light.index] = nearest
    return found


def lines_of(roads: RoadMap, light: int) -> StructuredArray:
    """Return the stop lines of a light of a road map, by its row: dtype `STOP_LINE`."""
    held = roads.light_lanes[roads.light_lanes["light"] == light]
    lane = roads.lanes[held["lane"]]
    ends = roads.lane_points(held["lane"], np.where(lane["direction"] > 0, lane["s_end"], lane["s_begin"]))
    lines = np.zeros(len(held), STOP_LINE)
    lines["x"] = ends["x"]
    lines["y"] = ends["y"]
    lines["z"] = ends["z"]
    lines["cos"] = np.cos(np.radians(ends["heading_deg"]))
    lines["sin"] = np.sin(np.radians(ends["heading_deg"]))
    lines["half_width"] = ends["width"] / 2
    lines["within"] = held["within"]
    return lines


class Passings:
    """Which vehicles pass stop lines."""

    def __init__(self, rows: StructuredArray) -> None:
        """Sort the rows.

        Args:
            rows: Vehicles, dtype `ROAD_USER`, by life and frame.
        """
        self._rows = rows
        self._order = np.argsort(rows["x"], kind="stable")
        self._x = rows["x"][self._order]

    def of(self, line: np.void) -> list[tuple[int, int]]:
        """Return who passes a line.

        Args:
            line: A row of dtype `STOP_LINE`.

        Returns:
            For each vehicle that drives over it along the lane, the first rows in which its front is over it, and in
            which its rear is and has left the place behind it where vehicles may wait.
        """
        chosen = self._near(line)
        if not len(chosen):
            return []
        rows = self._rows[chosen]
        front = _Ends(line, rows, 1)
        rear = _Ends(line, rows, -1)
        begins = run_starts(rows["life"])
        begins[1:] |= np.diff(rows["frame"]) != 1
        ends = np.append(np.flatnonzero(begins)[1:], len(rows))
        run = np.cumsum(begins) - 1
        yaw = rows["yaw"]
        line_cos = line["cos"]
        line_sin = line["sin"]
        same_way = np.cos(yaw) * line_cos + np.sin(yaw) * line_sin > _SAME_WAY
        enters = front.crosses(float(line["half_width"])) & ~begins & same_way
        dx = np.diff(rows["x"])
        dy = np.diff(rows["y"])
        way = np.append(0.0, np.cumsum(np.hypot(dx, dy)))
        passed = []
        for row in np.flatnonzero(enters).tolist():
            following = slice(row, ends[run[row]])
            driven = way[following] - way[row] + front.along[row]
            is_through = driven > 2 * rows["half_length"][row] + line["within"]
            beyond = np.flatnonzero(is_through & (rear.along[following] > 0))
            if len(beyond):
                passed.append((int(chosen[row]), int(chosen[row + beyond[0]])))
        return passed

    def _near(self, line: np.void) -> IndexArray:
        """Return the rows near a line and on its level, in their order."""
        first, last = self._x.searchsorted((line["x"] - _AROUND, line["x"] + _AROUND))
        strip = self._order[first:last]
        near = np.abs(self._rows["y"][strip] - line["y"]) <= _AROUND
        near &= np.abs(self._rows["z"][strip] - line["z"]) < HEIGHT
        return np.sort(strip[near])


class _Ends:
    """The fronts (1) or the rears (-1) of vehicles, in the axes of a line."""

    def __init__(self, line: np.void, rows: StructuredArray, end: int) -> None:
        x = rows["x"] + end * rows["half_length"] * np.cos(rows["yaw"]) - line["x"]
        y = rows["y"] + end * rows["half_length"] * np.sin(rows["yaw"]) - line["y"]
        self.along = x * line["cos"] + y * line["sin"]
        self._across = y * line["cos"] - x * line["sin"]

    def crosses(self, half_width: float) -> BoolArray:
        """Return which rows are beyond the line while the one before is not, and in between were on it."""
        found = np.zeros(len(self.along), np.bool_)
        before = self.along[:-1]
        after = self.along[1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = before / (before - after)
            across = self._across[:-1] + share * np.diff(self._across)
            found[1:] = (before <= 0) & (after > 0) & (np.abs(across) <= half_width)
        return found
