"""Speeds of a frame: as recorded where they are, else from frame to frame."""

import numpy as np
import pytest

from recorder_editor.api import Recording
from recorder_editor.reading.motion import slopes
from recorder_editor.reading.tracks import Tracks, speeds_in

from .. import builders as b
from .films import add, film, opened


def speeds(recording: Recording, frame: int) -> dict[int, float]:
    snapshot = recording.snapshot
    return speeds_in(snapshot, snapshot.frame(frame))


def at(*places: tuple[int, float, float, float]) -> bytes:
    """Positions of actors, in metres."""
    return b.packet(6, b.position([b.pose(n, b.xyz(100 * x, 100 * y, 100 * z)) for n, x, y, z in places]))


def velocities(**by_actor: tuple[float, float, float]) -> bytes:
    return b.packet(
        12,
        b.kinematics(
            [
                {"id": int(name[1:]), "linear_velocity": b.xyz(*values), "angular_velocity": b.xyz()}
                for name, values in by_actor.items()
            ]
        ),
    )


def test_recorded_velocities_are_taken_as_they_are() -> None:
    moving = velocities(a1=(3.0, 4.0, 0.0), a2=(0.0, 0.0, 2.0))
    with opened(film([add(b.actor(1)), at((1, 0, 0, 0)), moving], [at((1, 50, 0, 0)), moving])) as recording:
        assert speeds(recording, 0) == pytest.approx({1: 5.0, 2: 2.0})


@pytest.mark.parametrize(
    "moving",
    [
        velocities(a1=(3.0, 4.0, 0.0), a2=(0.1, 0.2, 0.3)),
        velocities(a1=(3.0, 4.0, 0.0)),
        velocities(a1=(3.0, 4.0, 0.0), a2=(float("nan"), 0.0, 0.0)),
        velocities(a1=(3.0, 4.0, 0.0), a2=(1.0, 0.0, 0.0)) + velocities(a1=(6.0, 8.0, 0.0)),
        velocities(a1=(3.0, 4.0, 0.0), a2=(1.0, 0.0, 0.0))[:-2],
    ],
    ids=["all", "one lacks", "one is no number", "two packets", "cut off"],
)
def test_the_speeds_of_a_frame_are_those_of_the_table(moving: bytes) -> None:
    frames = [[at((1, 0, 0, 0), (2, 0, 0, 0)), moving], [at((1, 5, 0, 0), (2, 2, 0, 0)), moving]]
    with opened(film(*frames, step=1.0)) as recording:
        table = Tracks(recording.snapshot).speeds(frames=range(1, 2))
        table = table[np.isfinite(table["speed"])]
        assert speeds(recording, 1) == dict(zip(table["id"].tolist(), table["speed"].tolist(), strict=True))


def test_without_velocities_the_way_from_frame_to_frame_counts() -> None:
    frames = [[at((1, 0.0, 0.0, 0.0))], [at((1, 0.3, 0.4, 0.0))], [at((1, 0.6, 0.8, 0.0))]]
    with opened(film(*frames, step=0.1)) as recording:
        assert [speeds(recording, frame)[1] for frame in range(3)] == pytest.approx([5.0, 5.0, 5.0])


def test_an_empty_kinematics_packet_says_nothing() -> None:
    nothing = b.packet(12, b.kinematics([]))
    with opened(film([at((1, 0, 0, 0)), nothing], [at((1, 1, 0, 0)), nothing], step=0.5)) as recording:
        assert speeds(recording, 0) == pytest.approx({1: 2.0})


def test_who_is_not_there_before_or_after_is_as_fast_as_on_the_other_side() -> None:
    frames = [[at((1, 0, 0, 0))], [at((1, 1, 0, 0), (2, 0, 0, 0))], [at((2, 1, 0, 0), (1, 2, 0, 0))]]
    with opened(film(*frames, step=1.0)) as recording:
        assert speeds(recording, 1) == pytest.approx({1: 1.0, 2: 1.0})


def test_who_is_there_for_one_frame_has_no_speed() -> None:
    with opened(film([at((1, 0, 0, 0))], [at((1, 1, 0, 0), (2, 0, 0, 0))], [at((1, 2, 0, 0))])) as recording:
        assert speeds(recording, 1).keys() == {1}


def test_who_has_no_velocity_among_those_that_have_goes_by_the_way() -> None:
    frames = [[at((1, 0, 0, 0), (2, n, 0, 0)), velocities(a1=(3.0, 4.0, 0.0))] for n in range(3)]
    with opened(film(*frames, step=0.5)) as recording:
        assert [speeds(recording, n) for n in range(3)] == [pytest.approx({1: 5.0, 2: 2.0})] * 3


def test_the_order_of_records_does_not_matter() -> None:
    frames = [[at((2, 0, 0, 0), (1, 5, 0, 0))], [at((2, 0, 1, 0), (1, 7, 0, 0))], [at((1, 9, 0, 0), (2, 0, 2, 0))]]
    with opened(film(*frames, step=1.0)) as recording:
        assert speeds(recording, 1) == pytest.approx({1: 2.0, 2: 1.0})


def test_a_clock_that_stands_or_runs_back_gives_no_speed() -> None:
    still = b.recording(*(b.frame(n, 1.0, 0.1, [at((1, n, 0, 0))]) for n in (1, 2, 3)))
    back = b.recording(*(b.frame(n, 5.0 - n, 0.1, [at((1, n, 0, 0))]) for n in (1, 2, 3)))
    for data in (still, back):
        with opened(data) as recording:
            assert speeds(recording, 1) == {}


def test_frames_without_positions_have_no_speeds() -> None:
    with opened(film([], [at((1, 0, 0, 0))], [])) as recording:
        assert [speeds(recording, frame) for frame in range(3)] == [{}, {}, {}]


def test_what_is_no_number_is_left_out() -> None:
    odd = velocities(a1=(float("nan"), 0.0, 0.0), a2=(float("inf"), 0.0, 0.0), a3=(1.0, 0.0, 0.0))
    with opened(film([at((1, 0, 0, 0)), odd])) as recording:
        assert speeds(recording, 0) == {3: 1.0}


def test_places_that_are_no_places_give_no_speed() -> None:
    inf, far = float("inf"), 3e36
    frames = [[at((1, inf, 0, 0), (2, -far, 0, 0), (3, 0, 0, 0))], [at((1, inf, 0, 0), (2, far, 0, 0), (3, 1, 0, 0))]]
    with opened(film(*frames, step=1.0)) as recording:
        assert speeds(recording, 0) == {3: pytest.approx(1.0)}


def test_they_are_worked_out_once_a_frame() -> None:
    with opened(film([at((1, 0, 0, 0))], [at((1, 1, 0, 0))], step=1.0)) as recording:
        frame = recording.snapshot.frame(0)
        assert speeds_in(recording.snapshot, frame) is speeds_in(recording.snapshot, frame)


# --- acceleration ---------------------------------------------------------------------------------------


def test_slopes_over_uneven_times_go_from_the_row_before_to_the_row_after() -> None:
    """0, 1, 3 s: 10 m in the first second, 40 m in three, 30 m in the last two; then a row alone."""
    times, values = np.array([0.0, 1.0, 3.0, 9.0]), np.array([0.0, 10.0, 40.0, 7.0])
    found = slopes(times, values, np.array([True, False, False, True]))
    np.testing.assert_allclose(found, [10.0, 40 / 3, 15.0, np.nan])
    for number in (0, 1):
        assert np.isnan(slopes(times[:number], values[:number], np.ones(number, np.bool_))).all()


def test_time_that_does_not_go_on_has_no_slopes() -> None:
    assert np.isnan(slopes(np.zeros(5), np.arange(5.0), np.zeros(5, np.bool_))).all()
