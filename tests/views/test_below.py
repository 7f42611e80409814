"""The areas between a curve and a line above it."""

import math

import numpy as np
import pytest

from recorder_editor.views.below import areas_below

X = np.arange(7.0)


def areas(*values: float, level: float = 1.0) -> list[list[tuple[float, float]]]:
    found = areas_below(X[: len(values)], np.array(values), level)
    return [[(x, y) for x, y in area.tolist()] for area in found]


def test_an_area_begins_and_ends_where_the_curve_crosses_the_line() -> None:
    assert areas(2, 0, 0.5, 2.5) == [[(0.5, 1), (1, 0), (2, 0.5), (2.25, 1), (2.25, 1), (0.5, 1)]]


def test_it_is_upright_where_the_curve_has_a_gap() -> None:
    assert areas(math.nan, 0.5, 0.25, math.inf) == [[(1, 0.5), (2, 0.25), (2, 1), (1, 1)]]


def test_each_stretch_has_its_own() -> None:
    first, second = areas(0, 2, 2, 0, 0, 3)
    assert first == [(0, 0), (0.5, 1), (0.5, 1), (0, 1)]
    assert second[0] == (pytest.approx(2.5), 1)
    assert second[-1] == (pytest.approx(2.5), 1)


@pytest.mark.parametrize("values", [(), (0.5,), (2, 3), (math.nan, 0.5, math.nan), (math.nan, math.nan)])
def test_without_a_stretch_below_there_is_none(values: tuple[float, ...]) -> None:
    assert areas(*values) == []
