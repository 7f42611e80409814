"""Times to collision, decelerations and levels of risk, against numbers worked out by hand."""

import numpy as np

from recorder_editor.analysis import Options
from recorder_editor.analysis.steps import Columns, Setting, assess_risk

NAN, INF = np.nan, np.inf


def assessed(headway: np.ndarray, closing: np.ndarray) -> Columns:
    return assess_risk({"dist_headway": headway, "rel_velocity": closing}, Setting(0.04, Options()))


def assessed_by_highd(ttc: np.ndarray) -> Columns:
    unknown = np.full(len(ttc), NAN)
    rows = {"dist_headway": unknown, "rel_velocity": unknown, "ttc_raw": ttc}
    return assess_risk(rows, Setting(0.04, Options(raw_ttc=True)))


def test_a_time_to_collision_needs_a_gap_that_closes() -> None:
    """30 m at 5 m/s: 6 s. An opening gap, an equal speed, nobody ahead: none. Overlapping and closing: 0."""
    headway = np.array([30.0, 30.0, 30.0, NAN, -1.0, -1.0, 0.0])
    closing = np.array([5.0, -5.0, 0.0, NAN, 2.0, -2.0, 1.0])
    np.testing.assert_array_equal(assessed(headway, closing)["TTC"], [6.0, NAN, NAN, NAN, 0.0, NAN, 0.0])


def test_highds_own_time_counts_where_it_is_positive() -> None:
    np.testing.assert_array_equal(assessed_by_highd(np.array([3.5, 0.0, -4.0, NAN]))["TTC"], [3.5, NAN, NAN, NAN])


def test_the_deceleration_allows_for_a_second_of_reaction() -> None:
    """At 5 m/s, of 30 m 25 m are left: 25 / 50 = 0.5 m/s2. Of 5 m nothing is left, and of 4 m even less."""
    headway = np.array([30.0, 5.0, 4.0, -1.0, 30.0, 30.0, NAN])
    closing = np.array([5.0, 5.0, 5.0, 2.0, 0.0, -5.0, NAN])
    np.testing.assert_array_equal(assessed(headway, closing)["DRAC"], [0.5, INF, INF, INF, 0.0, 0.0, NAN])


def test_without_reaction_it_is_the_standard_deceleration() -> None:
    """25 / (2 x 30) m/s2."""
    rows = {"dist_headway": np.array([30.0]), "rel_velocity": np.array([5.0])}
    found = assess_risk(rows, Setting(0.04, Options(extra=True)))["drac_standard"]
    np.testing.assert_allclose(found, [25 / 60])


def test_the_levels_of_risk_begin_exactly_at_two_and_four_seconds() -> None:
    ttc = np.array([0.0, 1.999, 2.0, 3.999, 4.0, 100.0, NAN, INF])
    found = assessed(ttc, np.ones(len(ttc)))["risk_level"]
    assert found.tolist() == [2, 2, 1, 1, 0, 0, 0, 0]
    assert found.dtype == np.int8
