"""Where a curve is below a line, as polygons. No widget."""

import numpy as np

from ..arrays import FloatArray, run_starts


def areas_below(x: FloatArray, y: FloatArray, level: float) -> list[FloatArray]:
    """Return the areas between a curve and a level line above it.

    Args:
        x: The moments of the curve, float64[n], rising.
        y: Its values, float64[n]; where one is not finite the curve has a gap.
        level: The value of the line.

    Returns:
        A polygon for each area, float64[k, 2]: its corners on the curve, between two on the line. A single point with
        gaps on both sides has none.
    """
    x, y = _with_crossings(x, np.where(np.isfinite(y), y, np.nan), level)
    is_below = np.isfinite(y) & (y <= level)
    areas = []
    for part in np.split(np.arange(len(x)), np.flatnonzero(run_starts(is_below))[1:]):
        if len(part) > 1 and is_below[part[0]]:
            ends = np.array([(x[part[-1]], level), (x[part[0]], level)])
            areas.append(np.concatenate([np.stack([x[part], y[part]], axis=-1), ends]))
    return areas


def _with_crossings(x: FloatArray, y: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the curve with a point more wherever it crosses the level."""
    with np.errstate(invalid="ignore", over="ignore"):
        above = y - level
        crosses = np.flatnonzero(above[:-1] * above[1:] < 0)
        share = above[crosses] / (above[crosses] - above[crosses + 1])
        moments = x[crosses] + share * (x[crosses + 1] - x[crosses])
    return np.insert(x, crosses + 1, moments), np.insert(y, crosses + 1, level)
