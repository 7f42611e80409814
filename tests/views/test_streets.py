"""Streets of recorded paths: what is a street, which way it was driven, and who drove over a place."""

import numpy as np
import pytest

from recorder_editor.reading.lives import Life
from recorder_editor.reading.trajectories import POINT, Trajectories, Trajectory
from recorder_editor.views.streets import Streets, street_text, streets_of
from recorder_editor.views.units import Units


def driven(*points: tuple[float, float], frames: range | None = None, life: Life | None = None) -> Trajectory:
    path = np.zeros(len(points), POINT)
    path["x"], path["y"] = np.array(points).T
    path["frame"] = frames or range(len(points))
    return Trajectory(5, life, 0.0, 9.0, 0, np.zeros((0, 2), np.int32), path)


def along(length: int, y: float = 0.0, *, back: bool = False) -> list[tuple[float, float]]:
    xs = range(length, -1, -1) if back else range(length + 1)
    return [(float(x), y) for x in xs]


def streets(*ways: Trajectory) -> Streets:
    return streets_of(Trajectories(ways, None, 0, 1, 1.0))  # type: ignore[arg-type]  # whose they are is not asked


def test_a_parked_car_makes_no_street_and_a_jump_ends_one() -> None:
    nowhere = (float("nan"), float("nan"))
    parked = driven((0.0, 0.0), (2.0, 1.0), (0.0, 0.0))
    jumped = driven(*along(10), nowhere, *along(10, 50.0))
    made = streets(parked, jumped)
    assert [(len(piece.x), piece.path) for piece in made.pieces] == [(11, 1), (11, 1)]
    assert made.paths == 1
    assert streets().paths == 0


def test_far_apart_in_a_slow_hour_is_no_street() -> None:
    """Where the times of frames jump, a place that is light years away is reached at less than the speed of a jump."""
    with np.errstate(all="raise"):
        made = streets(driven(*along(10), (1e30, 0.0), (0.0, 50.0), *along(10, 50.0), (1e7, 50.0)))
        assert [len(piece.x) for piece in made.pieces] == [11, 12]
        assert len(made.chevrons) == 2
        assert made.places(1.0).max() < 60.0


def test_arrows_show_both_directions_and_keep_apart() -> None:
    both = streets(driven(*along(60)), driven(*along(60, 3.0, back=True)), driven(*along(60, 1.0)))
    arrows = both.chevrons
    assert sorted(np.unique(np.round(arrows[:, 2])).tolist()) == [-1.0, 1.0]
    for way in (-1.0, 1.0):
        places = arrows[np.round(arrows[:, 2]) == way, :2]
        apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
        assert apart[~np.eye(len(places), dtype=bool)].min() >= 9.0
        assert 4 <= len(places) <= 6
    assert streets(driven((0.0, 0.0), (2.0, 4.0))).chevrons.shape == (1, 4)
    assert streets().chevrons.shape == (0, 4)


def test_a_point_that_stays_has_no_direction_and_breaks_nothing() -> None:
    stands = driven((0.0, 0.0), (0.0, 0.0), (4.0, 0.0), (4.0, 0.0), (20.0, 0.0), (20.0, 0.0))
    with np.errstate(all="raise"):
        assert streets(stands).chevrons[:, 2].tolist() == [1.0, 1.0]


def test_many_arrows_are_thinned_without_comparing_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder_editor.views.streets._MOST_COMPARED", 3)
    assert len(streets(driven(*along(200))).chevrons) > 3


def test_who_drove_over_a_place_is_told_with_the_times_of_the_first_and_the_last() -> None:
    made = streets(driven(*along(50), frames=range(10, 61)), driven(*along(50, 1.0, back=True)))
    elapsed = np.arange(61) * 0.5
    here = made.drives_at(20.0, 0.5)
    assert here is not None
    assert here.vehicles == 2
    assert here.first < 30 <= here.last
    text = street_text(made, (20.0, 0.5), elapsed, Units())
    assert text == "2 vehicles drove here, the first one at 13.5 s, the last one at 16.0 s"
    assert made.drives_at(20.0, 3.5) is None
    assert street_text(made, (20.0, 9.0), elapsed, Units()) == ""
    once = street_text(streets(driven(*along(50))), (20.0, 2.0), elapsed, Units())
    assert once == "1 vehicle drove here, at 9.0 s"
