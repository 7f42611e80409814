"""Statistics of numbers over frames, against Python's own, and bins that hold every value once."""

import math
import statistics
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.reading.statistics import bins_of, correlation, summarize

NUMBERS = st.floats(-1e6, 1e6).map(lambda value: round(value, 6))
VALUES = st.one_of(NUMBERS, st.just(math.nan), st.sampled_from((math.inf, -math.inf)))
ANY = st.lists(VALUES, max_size=30)


def finite(values: Sequence[float]) -> list[float]:
    return [value for value in values if math.isfinite(value)]


def same(found: float, expected: float) -> bool:
    return found == expected or (math.isnan(found) and math.isnan(expected))


@given(ANY)
def test_a_summary_is_what_python_computes(values: list[float]) -> None:
    frames = np.arange(7, 7 + len(values), dtype=np.int64)
    summary = summarize(np.array(values, np.float64), frames)
    known = finite(values)
    assert summary.count == len(known)
    if not known:
        assert summary.least_frame is summary.greatest_frame is None
        assert math.isnan(summary.least)
        assert math.isnan(summary.mean)
        assert math.isnan(summary.deviation)
        return
    assert (summary.least, summary.greatest) == (min(known), max(known))
    assert summary.least_frame == 7 + values.index(min(known))
    assert summary.greatest_frame == 7 + values.index(max(known))
    assert summary.mean == pytest.approx(statistics.fmean(known), abs=1e-6)
    assert summary.median == pytest.approx(statistics.median(known), abs=1e-6)
    assert summary.deviation == pytest.approx(statistics.pstdev(known), abs=1e-3)
    first, last = (value if math.isfinite(value) else math.nan for value in (values[0], values[-1]))
    assert same(summary.first, first)
    assert same(summary.last, last)
    assert same(summary.difference, last - first)


def test_no_frames_have_no_summary() -> None:
    summary = summarize(np.zeros(0), np.zeros(0, np.int64))
    assert summary.count == 0
    assert math.isnan(summary.first)
    assert math.isnan(summary.difference)


@given(st.lists(st.tuples(VALUES, VALUES), max_size=30))
def test_the_correlation_is_that_of_the_frames_with_both_values(pairs: list[tuple[float, float]]) -> None:
    table = np.array(pairs, np.float64).reshape(-1, 2)
    found = correlation(table[:, 0], table[:, 1])
    both = [pair for pair in pairs if math.isfinite(pair[0]) and math.isfinite(pair[1])]
    firsts = [first for first, _ in both]
    seconds = [second for _, second in both]
    if len(set(firsts)) < 2 or len(set(seconds)) < 2:
        assert math.isnan(found)
        return
    assert -1 <= found <= 1
    assert found == pytest.approx(statistics.correlation(firsts, seconds), abs=1e-3)


@given(ANY, st.booleans())
def test_every_value_is_in_one_bin_of_a_round_width(values: list[float], are_whole: bool) -> None:
    if are_whole:
        values = [float(round(value)) if math.isfinite(value) else value for value in values]
    column = np.array(values, np.float64)
    bins = bins_of(column, are_whole=are_whole)
    known = finite(values)
    if not known:
        assert bins is None
        return
    assert bins is not None
    assert 1 <= bins.count <= 22
    counts = [0] * bins.count
    for value in known:
        place = math.floor((value - bins.shift) / bins.width) - bins.first
        counts[place] += 1
    assert bins.counts(column).tolist() == counts
    assert f"{bins.width:e}"[:3] in ("1.0", "2.0", "2.5", "5.0")
    assert len(bins.edges) == bins.count + 1


def test_bins_of_speeds_are_those_of_a_ruler() -> None:
    bins = bins_of(np.array([0.0, 2.6, 4.4, math.nan]))
    assert bins is not None
    assert bins.width == 0.25
    assert bins.edges[[0, -1]].tolist() == [0.0, 4.5]
    assert bins.holds(np.array([0.1, 2.5, 2.6, 2.75, math.nan]), 2.6, 2.7).tolist() == [False, True, True, False, False]


def test_whole_numbers_are_in_the_middle_of_their_bins() -> None:
    bins = bins_of(np.array([0.0, 1.0, 3.0]), are_whole=True)
    assert bins is not None
    assert bins.edges.tolist() == [-0.5, 0.5, 1.5, 2.5, 3.5]
    assert bins.counts(np.array([0.0, 1.0, 3.0, 9.0])).tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize("value", [0.0, 1e300, -1e300, 5e-324, 3.1e38])
def test_a_value_that_never_changes_is_one_bin(value: float) -> None:
    bins = bins_of(np.array([value, value]))
    assert bins is not None
    assert bins.counts(np.array([value, value])).tolist() == [2]


def test_values_beyond_all_plots_are_in_no_bin() -> None:
    assert bins_of(np.array([1.79e308, -1.79e308])) is None
    bins = bins_of(np.array([1.0, 3.0, -1e308]))
    assert bins is not None
    assert bins.counts(np.array([1.0, 3.0, -1e308])).sum() == 2
