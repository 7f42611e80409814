"""Height and slopes of a road map under road users."""

import numpy as np

from ...arrays import FloatArray
from ...roads import RoadMap


def ground_under(
    roads: RoadMap, x: FloatArray, y: FloatArray, z: FloatArray, yaw: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the height of the ground (m), and roll and pitch (radians) of what stands on it: float64[n] each.

    It is that of the driving lane at a place, else of the lane of any type in 10 m; NaN where there is none.

    Args:
        roads: The road map.
        x: Places in the axes of the simulator, m: float64[n].
        y: Places.
        z: Their heights, by which one of several roads above each other is chosen; NaN: not known.
        yaw: Headings in radians, clockwise: float64[n].
    """
    points = np.column_stack((x, y))
    is_high = np.isfinite(z)
    if is_high.all():
        points = np.column_stack((x, y, z))
    locations = roads.locate(points)
    beside = np.flatnonzero(~(locations["border"] >= 0))
    if len(beside):
        locations[beside] = roads.locate(points[beside], types=None)
    height = np.full(len(x), np.nan)
    slope_x = np.full(len(x), np.nan)
    slope_y = np.full(len(x), np.nan)
    found = np.flatnonzero(locations["lane"] >= 0)
    if len(found):
        height[found], slope_x[found], slope_y[found] = roads.plane_at(locations[found], points[found])
    ahead = slope_x * np.cos(yaw) + slope_y * np.sin(yaw)
    right = slope_y * np.cos(yaw) - slope_x * np.sin(yaw)
    # Roll is positive with the right side down, pitch with the nose up.
    pitch = np.arctan(ahead)
    roll = -np.arctan(right * np.cos(pitch))
    return height, roll, pitch
