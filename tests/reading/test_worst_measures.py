"""Measures as words of expressions: of an actor in a frame the worst value with all others near it."""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording
from recorder_editor.edits import remove_actors
from recorder_editor.edits.replace import preview
from recorder_editor.errors import Cancelled
from recorder_editor.progress import Progress
from recorder_editor.reading import Tracks
from recorder_editor.reading.expression import ExpressionError, completion, parse, parse_value
from recorder_editor.reading.pair_signals import PAIR_MEASURES, PairSignal, rows_over_time
from recorder_editor.reading.worst_measures import WorstMeasures

from ..extent import examples
from .films import STEP, Actor, along, film

FRAMES = 5

Values = Mapping[tuple[int, int], float]
"""By frame index and id."""


def by_words(recording: Recording, name: str) -> Values:
    """What the word is for each record of Position; those without a value are left out."""
    snapshot = recording.snapshot
    query = parse_value(f"Position: {name}", snapshot.dialect)
    table = Tracks(snapshot).read("Position")
    frames, values = query.series(table, snapshot)
    rows = zip(frames.tolist(), table["id"].tolist(), values.tolist(), strict=True)
    return {(frame, actor): value for frame, actor, value in rows if not math.isnan(value)}


def by_pairs(recording: Recording, name: str, walkers: frozenset[int] = frozenset()) -> Values:
    """The worst values of the signals of pairs that are near each other."""
    ids = [life.actor for life in recording.actors]
    rows = rows_over_time(recording.snapshot, ids)
    places = {}
    for actor, table in rows.items():
        for row in table:
            places[int(row["frame"]), actor] = (float(row["x"]), float(row["y"]))
    found: dict[tuple[int, int], list[float]] = {}
    for actor in ids:
        for other in ids:
            if actor == other or {actor, other} <= walkers:
                continue
            values = series(name, rows, actor, other)
            times = series("ttc2d", rows, actor, other)
            for frame, value in values.items():
                apart = math.dist(places[frame, actor], places[frame, other])
                if (apart <= 50 or times[frame] <= 5) and not math.isnan(value):
                    found.setdefault((frame, actor), []).append(abs(value) if name == "pet" else value)
    worst = max if name in ("closing", "drac", "long_decel", "lat_accel") else min
    return {key: worst(values) for key, values in found.items()}


def series(name: str, rows: Mapping[int, np.ndarray], actor: int, other: int) -> dict[int, float]:
    frames, values = PairSignal(PAIR_MEASURES[name], actor, other).of_rows(rows[actor], rows[other])
    return dict(zip(frames.tolist(), values.tolist(), strict=True))


def assert_same(words: Values, pairs: Values) -> None:
    assert words.keys() == pairs.keys()
    for key, value in words.items():
        assert value == pytest.approx(pairs[key], rel=1e-9, abs=1e-9)


number = st.floats(-60, 60, allow_nan=False).map(lambda value: round(value, 2))
courses = st.tuples(number, number, st.integers(-180, 180), st.floats(0, 40).map(lambda value: round(value, 1)))
crowds = st.lists(st.tuples(courses, st.sampled_from(["vehicle", "two-wheeler", "walker"])), min_size=1, max_size=6)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(crowd=crowds)
def test_a_word_is_the_worst_of_the_signals_of_pairs(
    tmp_path: Path, crowd: list[tuple[tuple[float, ...], str]]
) -> None:
    actors = {
        number: Actor(along(x, y, heading, speed), kind)
        for number, ((x, y, heading, speed), kind) in enumerate(crowd, 1)
    }
    walkers = frozenset(actor for actor, one in actors.items() if one.kind == "walker")
    with recorder_editor.open(film(tmp_path / "crowd.log", actors, FRAMES * STEP)) as recording:
        for name in PAIR_MEASURES:
            assert_same(by_words(recording, name), by_pairs(recording, name, walkers))


@pytest.fixture
def recording(recordings: Path) -> Recording:
    return recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log")


@pytest.mark.parametrize("name", PAIR_MEASURES)
def test_frames_blocks_and_tracks_have_the_same_values(recording: Recording, name: str) -> None:
    snapshot = recording.snapshot
    frames = range(300, 340)
    words = {key: value for key, value in by_words(recording, name).items() if key[0] in frames}
    limit = float(np.median(list(words.values())))
    query = parse(f"Position where {name} < {limit!r}", recording.dialect)
    in_frames = set()
    for frame in frames:
        packet = snapshot[frame].packet("Position")
        assert packet is not None
        matches = query.matches(snapshot, snapshot[frame], packet, recording.actors)
        in_frames |= {(frame, actor) for actor in packet.array["id"][matches].tolist()}
        assert not query.matches(snapshot, snapshot[frame], packet, None).any()
    assert in_frames == {key for key, value in words.items() if value < limit}
    in_blocks = preview(recording, f"Position where {name} < {limit!r}", frames=frames)
    assert {(change.frame_index, change.actor) for change in in_blocks.changes} == in_frames


@pytest.fixture
def planted(tmp_path: Path) -> Recording:
    """1 closes in on 2 at 5 m/s; 3 is alone; 4 and 5 meet head-on from 100 m at 50 m/s; two walkers stand together."""
    actors = {
        1: Actor(along(0, 0, 0, 10)),
        2: Actor(along(30, 0, 0, 5)),
        3: Actor(along(0, 500, 0, 10)),
        4: Actor(along(0, 1000, 0, 25)),
        5: Actor(along(100, 1000, 180, 25)),
        6: Actor(along(0, 2000, 0, 0), "walker"),
        7: Actor(along(1, 2000, 0, 0), "walker"),
    }
    return recorder_editor.open(film(tmp_path / "planted.log", actors, FRAMES * STEP))


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("ttc2d < 5.1", [1, 2, 4, 5]),
        ("ttc2d < 2", [4, 5]),
        ("distance < 26", [1, 2]),
        ("drac > 0.4", [1, 2, 4, 5]),
        ("headway < 3", [1]),  # 2 has nobody ahead; those that meet are 95.4 m apart at 25 m/s
        ("long_decel > 0.4 and id < 3", [1]),
        ("isnan(ttc2d)", [3, 6, 7]),
        ("not (distance > 0)", [3, 6, 7]),
        ("speed > 9 and ttc2d < 5.1 and frame == 1", [1, 4, 5]),
    ],
)
def test_planted_courses_are_found(planted: Recording, condition: str, ids: list[int]) -> None:
    packet = planted[0].packet("Position")
    assert packet is not None
    query = parse(f"Position where {condition}", planted.dialect)
    matches = query.matches(planted.snapshot, planted[0], packet, planted.actors)
    assert packet.array["id"][matches].tolist() == ids


def test_those_that_meet_soon_are_near_however_far_they_are(planted: Recording) -> None:
    values = by_words(planted, "ttc2d")
    assert values[0, 4] == pytest.approx((100 - 4.6) / 50, abs=0.01)
    assert values[0, 1] == pytest.approx((30 - 4.6) / 5, abs=0.01)


def test_packets_of_no_actor_refuse_the_words_and_none_is_set(planted: Recording) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse("FrameStart where elapsed > 1 and ttc2d < 1.5", planted.dialect)
    assert refused.value.column == 34
    assert refused.value.message == "FrameStart is of no actor; “ttc2d” is known of Position."
    with pytest.raises(ExpressionError) as refused:
        parse("Position: ttc2d = 1", planted.dialect)
    assert refused.value.message.startswith("ttc2d is calculated and not stored; set")


def test_words_are_proposed_with_what_they_mean(planted: Recording) -> None:
    offered = dict(completion("Position where ", planted.dialect, None).proposals)
    assert offered["ttc2d"] == "minimum 2D-TTC to others near it, s"
    assert offered["drac"] == "greatest DRAC to others near it, m/s²"
    assert offered.keys() >= PAIR_MEASURES.keys()
    assert "ttc2d" not in dict(completion("FrameStart where ", planted.dialect, None).proposals)


def test_nothing_is_computed_without_a_word(planted: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_snapshot: object) -> WorstMeasures:
        raise AssertionError("computed")

    monkeypatch.setattr(WorstMeasures, "of", refuse)
    assert preview(planted, "Position where speed > 9").matches == (FRAMES + 1) * 4
    with pytest.raises(AssertionError, match="computed"):
        preview(planted, "Position where ttc2d > 9")


def test_reading_is_cancelled(planted: Recording) -> None:
    measures = WorstMeasures.of(planted.snapshot)
    with pytest.raises(Cancelled):
        measures.read(PAIR_MEASURES["pet"], range(FRAMES), progress=Progress(is_cancelled=lambda: True))


def test_values_follow_an_edit(planted: Recording) -> None:
    before = by_words(planted, "distance")
    planted.apply(remove_actors(planted, planted.actors.of_id(2)))
    after = by_words(planted, "distance")
    assert (0, 1) in before
    assert (0, 1) not in after
