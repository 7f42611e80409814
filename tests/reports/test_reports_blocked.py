"""The report of blocked actors, held against texts written by hand from the rules of the format reference, 7.3."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.reports.blocked import _BlockedDetector, blocked, blocked_report

from .. import builders as b
from ..recording.films import add, delete, film, opened
from .texts import CAST, HEAD, at

BLOCKED_COLUMNS = "    Time     Id Actor                                 Duration\n"


def waited(frames: Iterable[list[bytes]], seconds: float = 1.0, distance: float = 10.0) -> str:
    with opened(film(*frames, step=0.5)) as recording:
        text = b"".join(blocked_report(recording.snapshot, seconds, distance, utc=True)).decode()
    assert text.startswith(HEAD + BLOCKED_COLUMNS)
    return text.removeprefix(HEAD + BLOCKED_COLUMNS).rpartition("\n\nFrames")[0]


def waits(time: float, actor: int, name: str, duration: float) -> str:
    return f"{time:8.0f} {actor:6d} {name:<35} {duration:10.0f}"


def test_who_stands_long_enough_gets_a_row() -> None:
    frames = [[CAST, at((7, 500.0))], *([[at((7, 505.0))]] * 4), [at((7, 900.0))]]
    # It moves from the origin in the first frame, and stands from the second to the last but one.
    assert waited(frames) == waits(0.5, 7, "vehicle.audi.tt", 2.0)
    assert waited(frames, seconds=2.5) == ""


def test_creeping_is_measured_from_where_it_stopped() -> None:
    frames = [[CAST, at((7, 500.0))], *([at((7, 500.0 + 6 * step))] for step in range(1, 8))]
    assert waited(frames, seconds=0.5) == "\n".join(
        waits(time, 7, "vehicle.audi.tt", 0.5) for time in (0.5, 1.5, 2.5, 3.5)
    )


def test_rows_are_sorted_and_equal_ones_stay_in_their_order() -> None:
    frames = [[CAST, at((7, 500.0), (8, 700.0))], *([[at((7, 500.0), (8, 700.0))]] * 3), [at((7, 0.0), (8, 0.0))]]
    assert waited(frames).splitlines() == [
        waits(0.5, 7, "vehicle.audi.tt", 1.5),
        waits(0.5, 8, "walker.pedestrian.0001", 1.5),
    ]


def test_the_last_frame_takes_a_second_away() -> None:
    frames = [b.frame(1, 0.0, 5.0, [CAST, at((7, 500.0))]), b.frame(2, 5.0, 5.0, [at((7, 500.0))])]
    data = b.recording(*frames, b.frame(3, 10.0, -1.0, [at((7, 500.0))]))
    with opened(data) as recording:
        text = b"".join(blocked_report(recording.snapshot, 1.0, 10.0)).decode()
        assert waits(5, 7, "vehicle.audi.tt", 4.0) in text
        (row_,) = blocked(recording.snapshot, 1.0, 10.0)
        assert (row_.actor, row_.time, row_.duration) == (7, 5.0, 5.0)


def test_a_deletion_forgets_the_wrong_one_here_too_but_not_in_the_data() -> None:
    frames = [
        [CAST, at((7, 500.0), (9, 600.0))],
        *([[at((7, 500.0), (9, 600.0))]] * 3),
        [delete(7), at((9, 600.0))],
        [at((9, 600.0))],
    ]
    with opened(film(*frames, step=0.5)) as recording:
        text = b"".join(blocked_report(recording.snapshot, 1.0, 10.0)).decode()
        assert "vehicle.audi.tt" in text
        assert "traffic.stop" not in text
        assert [(each.actor, each.duration) for each in blocked(recording.snapshot, 1.0, 10.0)] == [(9, 2.5), (7, 1.5)]
        first = blocked(recording.snapshot, 1.0, 10.0)[0]
        assert first.frame == 1
        assert first.life is not None
        assert first.life.blueprint == "traffic.stop"


def test_the_distance_is_a_float_but_the_limit_a_double() -> None:
    """0.7 as a float is less than 0.7 as a double; 0.3 as a float is more."""
    for distance, stands in ((0.7, True), (0.3, False)):
        frames = [[CAST, at((7, 500.0))], [add(b.actor(7, 1, "x")), at((7, distance))], [at((7, 500.0))]]
        assert bool(waited(frames, 0.5, distance)) == stands


def test_without_a_least_time_every_move_is_a_row() -> None:
    frames = [[CAST, at((7, 500.0))], [at((7, 900.0))], [at((7, 905.0))], [at((7, 0.0))]]
    assert waited(frames, seconds=0.0).splitlines() == [
        waits(1.0, 7, "vehicle.audi.tt", 0.5),
        waits(0, 7, "vehicle.audi.tt", 0),
        waits(0, 7, "vehicle.audi.tt", 0),
        waits(1.0, 7, "vehicle.audi.tt", 0),
        waits(0, 8, "walker.pedestrian.0001", 0),
        waits(0, 9, "traffic.stop", 0),
    ]


def test_an_actor_twice_in_one_frame_is_compared_with_itself() -> None:
    frames = [[CAST, at((7, 500.0), (7, 505.0))], [at((7, 500.0), (7, 505.0))], [at((7, 0.0))]]
    assert waited(frames, seconds=0.5) == waits(0, 7, "vehicle.audi.tt", 1.5)


def test_many_records_of_one_actor_take_no_array_each(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(_BlockedDetector, "_compare", lambda *_: made.append(1))
    many = [(7, 500.0 + step % 3) for step in range(1000)]
    assert waited([[CAST, at(*many)], [at(*many)]], seconds=0.5) == waits(0.0, 7, "vehicle.audi.tt", 1000.0)
    assert made == []


def test_who_was_forgotten_is_seen_anew_without_a_name() -> None:
    # The sign, added last, is forgotten in the second frame, and starts again from the origin.
    frames = [[CAST, at((9, 600.0))], [delete(7), at((9, 600.0))], [at((9, 600.0))], [at((9, 0.0))]]
    assert waited(frames, seconds=0.5) == waits(1.0, 9, "", 0.5)


def test_distances_of_doubles_are_doubles() -> None:
    far = 2.0**30
    wide = [b.packet(6, b.position([b.pose(7, b.xyz(x))], wide=True)) for x in (far, far + 11.0, far + 11.0, 0.0)]
    data = film([b.packet(2, b.event_add([b.actor(7)], wide=True)), wide[0]], *([each] for each in wide[1:]), step=0.5)
    with opened(data, "ue5-0.10.0") as recording:
        assert [(each.time, each.duration) for each in blocked(recording.snapshot, 0.1, 10.0)] == [(1.0, 0.5)]


@given(st.lists(st.lists(st.tuples(st.sampled_from([7, 8, 9]), st.integers(0, 3)), max_size=4), max_size=8))
def test_the_report_is_that_of_a_plain_loop(steps: list[list[tuple[int, int]]]) -> None:
    frames = [[CAST], *([at(*((actor, 8.0 * place) for actor, place in step))] for step in steps)]
    assert sorted(waited(frames, 0.5).splitlines()) == sorted(plain(steps))


def plain(steps: list[list[tuple[int, int]]]) -> list[str]:
    names = {7: "vehicle.audi.tt", 8: "walker.pedestrian.0001", 9: "traffic.stop"}
    place, begun, lasted = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    rows = []
    for number, step in enumerate(steps, 1):
        for actor, where in step:
            if abs(place[actor] - 8.0 * where) < 10:
                begun[actor] = begun[actor] if lasted[actor] else number / 2
                lasted[actor] += 0.5
            else:
                if lasted[actor] >= 0.5:
                    rows.append(waits(begun[actor], actor, names[actor], lasted[actor]))
                place[actor], lasted[actor] = 8.0 * where, 0.0
    return rows + [waits(begun[one], one, name, lasted[one]) for one, name in names.items() if lasted[one] >= 0.5]
