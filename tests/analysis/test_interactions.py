"""Leaders, gaps and headways, against numbers worked out by hand."""

from types import SimpleNamespace

import numpy as np

from recorder_editor.analysis import Options
from recorder_editor.analysis.constants import NO_LEADER
from recorder_editor.analysis.steps import Setting, assign_leaders, measure_following

NAN = np.nan
NAMES = ("leader", "s_long", "v_long_smooth", "a_long_smooth", "width", "leader_place")


def find_rows(track: np.ndarray, frame: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    rows = {"trackId": track, "frame": frame, "precedingId": wanted}
    return assign_leaders(rows, Setting(0.04, Options()))["leader"]


def follow_leader(*columns: np.ndarray) -> SimpleNamespace:
    return SimpleNamespace(**measure_following(dict(zip(NAMES, columns, strict=False)), Setting(0.04, Options())))


def test_the_leader_is_looked_up_in_the_same_frame() -> None:
    track = np.array([1, 1, 1, 2, 2, 4])
    frame = np.array([1, 2, 3, 2, 3, 3])
    wanted = np.array([2, 2, 4, 1, 0, 9])
    # Track 2 is not there in frame 1, nobody is called 9, and 0 means none.
    assert find_rows(track, frame, wanted).tolist() == [NO_LEADER, 3, 5, 1, NO_LEADER, NO_LEADER]


def test_a_leader_whose_track_has_a_gap_is_found_on_both_sides_of_it() -> None:
    track = np.array([1, 1, 1, 1, 2, 2])
    frame = np.array([1, 2, 3, 4, 1, 4])
    wanted = np.array([2, 2, 2, 2, 1, 1])
    assert find_rows(track, frame, wanted).tolist() == [4, NO_LEADER, NO_LEADER, 5, 0, 3]


def test_nobody_follows_in_an_empty_table() -> None:
    nothing = np.zeros(0)
    assert find_rows(nothing.astype(int), nothing.astype(int), nothing.astype(int)).tolist() == []
    made = follow_leader(nothing.astype(int), nothing, nothing, nothing, nothing)
    assert all(len(column) == 0 for column in vars(made).values())


def test_a_gap_that_closes() -> None:
    """A car of 4 m at 100 m and 30 m/s behind a truck of 16 m at 140 m and 25 m/s: 40 - (4 + 16) / 2 = 30 m."""
    made = follow_leader(
        np.array([1, NO_LEADER]),
        np.array([100.0, 140.0]),
        np.array([30.0, 25.0]),
        np.array([-1.0, 0.5]),
        np.array([4.0, 16.0]),
    )
    first = [float(column[0]) for column in vars(made).values()]
    assert first == [140.0, 25.0, 0.5, 30.0, 5.0, 1.0]
    assert all(np.isnan(column[1]) for column in vars(made).values())


def test_a_gap_that_opens_and_one_that_is_none() -> None:
    """20 m/s behind 25 m/s; and two cars of 4 m whose middles are 3 m apart overlap by 1 m."""
    leader = np.array([1, NO_LEADER, 3, NO_LEADER])
    made = follow_leader(
        leader, np.array([0.0, 24.0, 50.0, 53.0]), np.array([20.0, 25.0, 10.0, 10.0]), np.zeros(4), np.full(4, 4.0)
    )
    assert made.rel_velocity[[0, 2]].tolist() == [-5.0, 0.0]
    assert made.dist_headway[[0, 2]].tolist() == [20.0, -1.0]
    assert made.time_headway[[0, 2]].tolist() == [1.0, -0.1]


def test_who_hardly_moves_has_no_time_headway() -> None:
    """None below 0.1 m/s; 10 m at exactly 0.1 m/s are 100 s."""
    leader = np.array([2, 2, NO_LEADER])
    made = follow_leader(leader, np.array([0.0, 0.0, 14.0]), np.array([0.0999, 0.1, 0.0]), np.zeros(3), np.full(3, 4.0))
    np.testing.assert_allclose(made.time_headway, [NAN, 100.0, NAN])


def test_the_leaders_place_on_the_way_of_the_follower_counts_where_it_is_given() -> None:
    made = follow_leader(
        np.array([1, NO_LEADER]),
        np.array([10.0, 500.0]),
        np.array([10.0, 5.0]),
        np.zeros(2),
        np.full(2, 4.0),
        np.array([34.0, NAN]),
    )
    assert (made.leader_s_long[0], made.dist_headway[0], made.leader_v_long[0]) == (34.0, 20.0, 5.0)
