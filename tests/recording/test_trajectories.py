"""Everybody's way in one pass: against a slow loop, whatever the seams between blocks, and within its bounds."""

import math
import struct
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorder_editor
from recorder_editor.errors import Cancelled
from recorder_editor.progress import Progress
from recorder_editor.reading import columns, tracks, trajectories
from recorder_editor.reading.trajectories import Trajectories, Trajectory
from tests import builders
from tests.builders import actor, frame, packet, pose, xyz
from tests.recording import films, naive
from tests.recording.films import add, collide, delete, opened

from ..real_recordings import only_one

look = trajectories.find_trajectories
film = partial(films.film, step=0.1)


def surveyed(data: bytes) -> Trajectories:
    with opened(data) as recording:
        return look(recording.snapshot)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    shrink(monkeypatch)


def shrink(patch: pytest.MonkeyPatch, block: int = 200) -> None:
    """Blocks so small that every life is carried over many seams."""
    patch.setattr(columns, "BLOCK", block)
    patch.setattr(tracks, "BLOCK", block)
    patch.setattr(trajectories, "_WINDOW", 1)


def at(**places: float | tuple[float, float, float]) -> bytes:
    """Positions by name (`a1` is actor 1), metres along x or all three."""
    records = []
    for name, place in places.items():
        x, y, z = place if isinstance(place, tuple) else (place, 0.0, 0.0)
        records.append(pose(int(name[1:]), xyz(100 * x, 100 * y, 100 * z)))
    return packet(6, builders.position(records))


def moved(**speeds: float) -> bytes:
    return packet(
        12,
        builders.kinematics(
            [
                {"id": int(name[1:]), "linear_velocity": xyz(speed), "angular_velocity": xyz()}
                for name, speed in speeds.items()
            ]
        ),
    )


def drive(*places: float) -> bytes:
    """Actor 1 at these places, metres along x, a tenth of a second from one to the next."""
    frames = [[at(a1=place)] for place in places]
    return film([add(actor(1)), *frames[0]], *frames[1:])


def points(trajectory: Trajectory) -> list[tuple[int, float, float] | None]:
    return [None if math.isnan(x) else (n, round(x, 6), round(y, 6)) for n, x, y in trajectory.path.tolist()]


# --- a slow loop ----------------------------------------------------------------------------------------


class Slow:
    """One life's way, a record at a time."""

    def __init__(self) -> None:
        self.places: list[tuple[int, float, float]] = []
        self.distance = 0.0
        self.speeds: list[tuple[int, float]] = []
        self.pieces: list[list[tuple[int, float, float]]] = []

    def go(self, number: int, x: float, y: float, seconds: list[float]) -> None:
        if self.places:
            last, last_x, last_y = self.places[-1]
            length = math.hypot(x - last_x, y - last_y)
            time = seconds[number] - seconds[last]
            jump = length > 10 and not (time > 0 and length / time <= 150)
            if jump:
                self.pieces.append([])
            else:
                self.distance += length
        else:
            self.pieces.append([])
        self.places.append((number, x, y))
        self.pieces[-1].append((number, x, y))


def intervals(flags: list[tuple[int, bool]], seconds: list[float]) -> list[list[int]]:
    """Frames `[start, stop)` of the flags that are set, shorter stops bridged."""
    found: list[list[int]] = []
    for index, (number, moving) in enumerate(flags):
        if moving and not (index and flags[index - 1][1]):
            if found and seconds[number] - seconds[found[-1][1]] < 0.5:
                found[-1].pop()
            else:
                found.append([number])
        elif not moving and index and flags[index - 1][1]:
            found[-1].append(number)
    if found and len(found[-1]) == 1:
        found[-1].append(flags[-1][0] + 1)
    return found


def slow_survey(data: bytes, speeds: Mapping[tuple[int, int], float]) -> list[tuple[naive.Life, Slow]]:
    """Of every life: its way, and how fast it was in which frames."""
    seconds = naive.elapsed(data)
    found = [(life, Slow()) for life in naive.world(data).lives]

    def of(number: int, frame: int) -> Any:
        return next(
            (
                each
                for each in reversed(found)
                if each[0].actor == number and each[0].born <= frame and (each[0].gone is None or frame < each[0].gone)
            ),
            None,
        )

    last = {(number, record[:4]): record for number, record in naive.track(data, "positions")}
    for (number, _), record in sorted(last.items(), key=lambda item: item[0][0]):
        who, x, y = struct.unpack("<Iff16x", record)
        each = of(who, number)
        if each is not None:
            each[1].go(number, x / 100, y / 100, seconds)
    for (number, who), speed in sorted(speeds.items()):
        each = of(who, number)
        if each is not None and math.isfinite(speed):
            each[1].speeds.append((number, speed))
    return found


def compare(survey: Trajectories, data: bytes, whole: bytes | None = None) -> None:
    """`whole`: the recording with the positions that are not finite, which speeds do not skip."""
    seconds = naive.elapsed(data)
    expected = slow_survey(data, naive.speeds(whole or data))
    assert len(survey.trajectories) >= len(expected)
    for trajectory, (life, slow) in zip(survey.trajectories, expected, strict=False):
        assert (trajectory.actor, trajectory.life and trajectory.life.born) == (life.actor, life.born)
        assert trajectory.distance == pytest.approx(slow.distance, rel=1e-9, abs=1e-9)
        top = max((speed for _, speed in slow.speeds), default=math.nan)
        assert trajectory.top_speed == pytest.approx(top, nan_ok=True, rel=1e-9, abs=1e-9)
        flags = [(number, speed > 0.1) for number, speed in slow.speeds]
        assert trajectory.moving.tolist() == intervals(flags, seconds)
        compare_path(trajectory, slow, survey.spacing)


def compare_path(trajectory: Trajectory, slow: Slow, spacing: float) -> None:
    """The path is some of the way's points, in order, with its ends, its breaks, and no wide gap between them."""
    pieces: list[list[tuple[int, float, float]]] = [[]]
    for point in trajectory.path.tolist():
        if math.isnan(point[1]):
            assert pieces[-1]
            pieces.append([])
        else:
            pieces[-1].append(point)
    if not slow.places:
        assert pieces == [[]]
        return
    assert len(pieces) == len(slow.pieces)
    for piece, whole in zip(pieces, slow.pieces, strict=True):
        where = [whole.index(next(place for place in whole if place[0] == number)) for number, _, _ in piece]
        assert where == sorted(set(where))
        assert [tuple(point) for point in piece] == [pytest.approx(whole[n]) for n in where]
        assert where[0] == 0
        ways = [math.dist(one[1:], two[1:]) for one, two in pairwise(whole)]
        assert sum(ways[where[-1] :]) == pytest.approx(0.0, abs=1e-9)
        for start, stop in pairwise(where):
            assert sum(ways[start:stop]) <= 2 * spacing + max(ways[start:stop])


@only_one
def test_the_survey_of_real_recordings_is_what_a_slow_loop_finds(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        found = look(recording.snapshot)
    compare(found, sound_recording.read_bytes())
    assert found.step == 1


def test_small_blocks_of_real_recordings_give_the_same(recordings: Path, small_blocks: None) -> None:
    for name in ("carla-0.9.13-town05-collisions.log", "carla-0.9.6-town03-walkers.rec"):
        path = recordings / name
        with recorder_editor.open(path) as recording:
            compare(look(recording.snapshot), path.read_bytes())


def test_the_damaged_real_recording_is_surveyed_as_far_as_it_goes(damaged_recording: Path) -> None:
    with recorder_editor.open(damaged_recording) as recording:
        assert look(recording.snapshot).version == recording.snapshot.version


PLACE = st.one_of(
    st.sampled_from([0.0, 0.004, 0.5, 1.0, 3.0, 9.0, 500.0, math.nan, math.inf]), st.floats(-200, 200, width=32)
)
SPEEDS = st.dictionaries(st.sampled_from(["a1", "a2", "a3"]), st.sampled_from([0.0, 0.05, 0.2, 5.0]), max_size=2)
FRAME = st.tuples(
    st.lists(st.integers(1, 3), max_size=2, unique=True),  # born
    st.lists(st.integers(1, 3), max_size=1),  # gone
    st.lists(st.tuples(st.integers(1, 4), PLACE, PLACE), max_size=4),
    SPEEDS,
    st.sampled_from([0.0, 0.05, 0.3, 1.0, -0.2]),  # time to the next frame
)


@given(frames=st.lists(FRAME, min_size=1, max_size=25), block=st.integers(5, 40))
def test_any_ways_are_surveyed_as_a_slow_loop_does(frames: list[Any], block: int) -> None:
    parts, time = [], 0.0
    for index, (born, gone, places, speeds, step) in enumerate(frames):
        poses = [pose(number, xyz(100 * x, 100 * y)) for number, x, y in places]
        packets = [add(*map(actor, born)), delete(*gone), packet(6, builders.position(poses)), moved(**speeds)]
        parts.append(frame(index + 1, time, 0.1, packets))
        time += step
    data = builders.recording(*parts)
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch, block)
        found = surveyed(data)
    compare(found, without_odd(data), data)


def without_odd(data: bytes) -> bytes:
    """The recording without positions that are not finite."""
    frames: dict[int, list[bytes]] = {}
    for each in naive.packets(data):
        body = each.body
        if each.id == 6:
            kept = [r for r in naive.raw_records(body, 28) if all(map(math.isfinite, struct.unpack_from("<2f", r, 4)))]
            body = builders.u16(len(kept)) + b"".join(kept)
        frames.setdefault(each.frame, []).append(packet(each.id, body))
    return builders.header() + b"".join(part for parts in frames.values() for part in parts)


# --- by hand --------------------------------------------------------------------------------------------


def test_a_drive_is_measured(small_blocks: None) -> None:
    found = surveyed(drive(0.0, 0.0, 1.0, 3.0, 4.0, 4.0))
    (trajectory,) = found.trajectories
    assert (round(trajectory.distance, 6), round(trajectory.top_speed, 6)) == (4.0, 15.0)
    assert trajectory.moving.tolist() == [[1, 5]]
    assert points(trajectory) == [(0, 0.0, 0.0), (2, 1.0, 0.0), (3, 3.0, 0.0), (4, 4.0, 0.0)]
    assert found.of(found.actors.lives[0]) is trajectory
    assert found.points == 4


def test_short_stops_are_bridged_and_long_ones_are_not() -> None:
    (trajectory,) = surveyed(drive(0, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5)).trajectories
    assert trajectory.moving.tolist() == [[0, 8], [14, 16]]


def test_who_is_put_elsewhere_does_not_drive_there() -> None:
    (trajectory,) = surveyed(drive(0, 1, 2, 500, 501)).trajectories
    assert (trajectory.distance, round(trajectory.top_speed, 6)) == (pytest.approx(3.0), 10.0)
    assert points(trajectory) == [(0, 0, 0), (1, 1, 0), (2, 2, 0), None, (3, 500, 0), (4, 501, 0)]
    assert trajectory.path["frame"][3] == 3


def test_a_jump_over_the_seam_of_two_blocks_keeps_both_its_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    shrink(monkeypatch, block=1)
    (trajectory,) = surveyed(drive(0, 0.2, 0.3, 500, 500.2)).trajectories
    assert points(trajectory) == [(0, 0, 0), (2, 0.3, 0), None, (3, 500, 0), (4, 500.2, 0)]


def test_what_falls_is_fast_and_neither_drives_nor_jumps() -> None:
    falls = [[add(actor(1)), at(a1=(0, 0, 0))], *([at(a1=(0, 0, -40.0 * n))] for n in range(1, 5))]
    (trajectory,) = surveyed(film(*falls)).trajectories
    assert (trajectory.distance, trajectory.top_speed, trajectory.moving.tolist()) == (
        0.0,
        pytest.approx(400),
        [[0, 5]],
    )
    assert points(trajectory) == [(0, 0, 0)]


def test_lives_of_one_id_have_a_way_each() -> None:
    data = film([add(actor(1)), at(a1=0)], [at(a1=1)], [delete(1)], [add(actor(1)), at(a1=5)], [at(a1=7)])
    first, second = surveyed(data).trajectories
    assert (first.distance, second.distance) == (pytest.approx(1), pytest.approx(2))
    assert [point[0] for point in points(first) + points(second) if point] == [0, 1, 3, 4]
    assert (first.moving.tolist(), second.moving.tolist()) == ([[0, 2]], [[3, 5]])


def test_who_was_never_born_has_a_way_without_a_life() -> None:
    found = surveyed(film([add(actor(1)), at(a1=0, a9=0)], [at(a1=1, a9=3)], [at(a9=4, a8=0)]))
    known, eight, nine = sorted(found.trajectories, key=lambda trajectory: trajectory.actor)
    assert (known.actor, eight.actor, nine.actor) == (1, 8, 9)
    assert found.trajectories[0] is known
    assert (nine.life, eight.life) == (None, None)
    assert nine.distance == pytest.approx(4)


def test_strangers_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectories, "_MAX_STRANGERS", 2)
    found = surveyed(film([at(a1=0, a2=0, a3=0, a4=0)], [at(a3=1, a1=1)]))
    assert [trajectory.actor for trajectory in found.trajectories] == [1, 2]
    assert found.trajectories[0].distance == pytest.approx(1)


def test_velocities_say_more_than_positions() -> None:
    data = film(
        *([*([add(actor(1))] if n == 0 else []), at(a1=n), moved(a1=0.05 if n < 6 else 7.0)] for n in range(12))
    )
    (trajectory,) = surveyed(data).trajectories
    assert (trajectory.top_speed, trajectory.moving.tolist()) == (7.0, [[6, 12]])


def test_contacts_are_counted_for_both() -> None:
    hit = collide((1, 2), (2, 1), (1, 0xFFFFFFFF), (3, 3))
    found = surveyed(film([add(*map(actor, (1, 2, 3)))], [hit], [hit], [], [hit]))
    assert [trajectory.collisions for trajectory in found.trajectories] == [4, 2, 2]


def test_a_recording_without_anybody_is_surveyed() -> None:
    assert surveyed(builders.recording()).trajectories == ()
    (trajectory,) = surveyed(film([add(actor(1))], [])).trajectories
    assert (trajectory.distance, len(trajectory.path), len(trajectory.moving)) == (0.0, 0, 0)
    assert math.isnan(trajectory.top_speed)


# --- bounds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [40, 100, 1000, 5000])
def test_paths_keep_within_their_bound_and_keep_their_shape(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shrink(monkeypatch, block=500)
    data = builders.drive(400, vehicles=10)
    monkeypatch.setattr(trajectories, "MAX_POINTS", most)
    found = surveyed(data)
    assert found.points <= most
    assert found.spacing >= 0.5
    for trajectory in found.trajectories:
        assert trajectory.distance == pytest.approx(199.5)
        assert len(trajectory.path) == pytest.approx(199.5 / found.spacing, abs=2)
        assert trajectory.path["x"][0] == 0.0
        gaps = np.diff(trajectory.path["x"])
        assert gaps.max() <= found.spacing + 0.5 + 1e-9


def test_even_noise_keeps_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    places = [1000.0 * (n % 2) for n in range(300)]
    monkeypatch.setattr(trajectories, "MAX_POINTS", 50)
    assert surveyed(drive(*places)).points <= 50
    everybody = film([add(*map(actor, range(1, 101))), at(**{f"a{n}": n for n in range(1, 101)})])
    monkeypatch.setattr(trajectories, "MAX_POINTS", 30)
    assert surveyed(everybody).points <= 30


def test_long_recordings_are_looked_at_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectories, "MAX_RECORDS", 50)
    found = surveyed(builders.drive(100, vehicles=2))
    assert found.step == 4
    assert found.trajectories[0].distance == pytest.approx(48.0)
    assert found.trajectories[0].top_speed == pytest.approx(10.0)


def test_a_survey_tells_how_far_it_is_and_can_be_cancelled(small_blocks: None) -> None:
    with opened(builders.drive(200, vehicles=3)) as recording:
        done: list[tuple[int, int]] = []
        look(recording.snapshot, Progress(lambda *numbers: done.append(numbers)))
        assert done == sorted(done)
        assert done[-1] == (200, 200)
        assert len(done) > 2
        asked = iter(range(1000))
        with pytest.raises(Cancelled):
            look(recording.snapshot, Progress(is_cancelled=lambda: next(asked) > 5))
