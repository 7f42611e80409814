"""Measures of two road users over time: as typed, in signals and in files, with the values of the measures."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Recording
from recorder_editor.errors import Cancelled
from recorder_editor.formats.signals import Signal, find_signals
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.measures import Boxes, closing_speed, distance, drac, predicted_pet, ttc2d
from recorder_editor.reading.pair_signals import PAIR_MEASURES, pair_signal
from recorder_editor.reading.selectors import SelectorError, find_subset
from recorder_editor.views.signal_catalog import signals_of_actor, texts_of, title_of
from recorder_editor.views.signal_key import Key
from recorder_editor.views.signal_reading import SignalResult, read_signals

from .. import builders as b
from .films import STEP, Actor, along, film

CARS = {25: Actor(along(0, 0, 0, 10), role="hero"), 31: Actor(along(30, 0, 0, 5)), 32: Actor(along(20, -13, 90, 6))}
"""A hero closes in on a car ahead, while one crosses before both."""

MEASURES = {"ttc2d": ttc2d, "distance": distance, "closing": closing_speed, "pet": predicted_pet, "drac": drac}


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    with recorder_editor.open(film(tmp_path / "pair.log", CARS, seconds=4)) as recording:
        yield recording


def boxes(actor: int, frames: np.ndarray) -> Boxes:
    places = np.array([CARS[actor].course(frame * STEP) for frame in frames.tolist()])
    later = np.array([CARS[actor].course(frame * STEP + 1) for frame in frames.tolist()])
    x, y, heading = places.T
    vx, vy, _ = (later - places).T
    size = np.ones(len(frames))
    angle = np.radians(heading)
    return Boxes(x, y, np.cos(angle), np.sin(angle), 2.3 * size, 0.95 * size, vx, vy)


def gathered(recording: Recording, *keys: Key) -> SignalResult:
    return read_signals(recording.snapshot, list(keys), None, None)


# --- as typed -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["ttc2d(25, 31)", " ttc2d ( 25,31 ) "])
def test_a_pair_is_typed_with_a_measure_and_two_ids(text: str) -> None:
    pair = pair_signal(text)
    assert pair is not None
    assert (pair.measure.name, pair.actor, pair.other) == ("ttc2d", 25, 31)


@pytest.mark.parametrize("text", ["ttc2d", "ttc2d(25)", "abs(25, 31)", "Position: ttc2d(25, 31)", "ttc2d(-1, 2)"])
def test_other_texts_are_no_pair(text: str) -> None:
    assert pair_signal(text) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pet(25, 25)", "pet is of two actors, and both are 25."),
        ("pet(25, 99)", "pet is of two vehicles or walkers, and 99 is none."),
        ("pet(4294967295, 25)", "pet is of two vehicles or walkers, and 4294967295 is none."),
    ],
)
def test_a_pair_is_of_two_road_users(recording: Recording, text: str, message: str) -> None:
    pair = pair_signal(text)
    assert pair is not None
    with pytest.raises(SelectorError) as refused:
        pair.over_time(recording.snapshot)
    assert refused.value.message == message


# --- values -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("other", [31, 32])
def test_values_are_those_of_the_measure(recording: Recording, name: str, other: int) -> None:
    key = Key("pair", name, actor=25, other=other)
    series = gathered(recording, key).series[key]
    assert series.frames.tolist() == list(range(81))
    wanted = MEASURES[name](boxes(25, series.frames), boxes(other, series.frames))
    # Velocities of positions in f32 are known to a few thousandths; a measure may begin or end a frame beside.
    is_same = np.isclose(series.values, wanted, rtol=0.02, atol=0.02, equal_nan=True)
    assert is_same.mean() > 0.97
    assert np.isfinite(series.values).any() == ((name, other) != ("pet", 31))  # their ways are parallel


def test_the_2d_ttc_of_a_follower_is_the_gap_over_the_closing_speed(recording: Recording) -> None:
    key = Key("pair", "ttc2d", actor=25, other=31)
    series = gathered(recording, key).series[key]
    assert series.at(0) == pytest.approx((30 - 4.6) / 5, abs=0.01)


def test_what_is_no_road_user_is_refused_and_others_are_read(recording: Recording) -> None:
    wrong = Key("pair", "drac", actor=25, other=7)
    right = Key("pair", "drac", actor=25, other=31)
    found = gathered(recording, wrong, right)
    assert found.refused == {wrong: "drac is of two vehicles or walkers, and 7 is none."}
    assert len(found.series[right].frames) == 81


def test_a_pair_is_there_while_both_are(tmp_path: Path) -> None:
    cars = [b.actor(1, 1, "vehicle.a.b"), b.actor(2, 1, "vehicle.a.b")]
    frames = []
    for index in range(20):
        packets = []
        if index == 0:
            packets.append(b.packet(2, b.event_add(cars[:1])))
        if index == 5:
            packets.append(b.packet(2, b.event_add(cars[1:])))
        if index == 15:
            packets.append(b.packet(3, b.event_del([{"id": 2}])))
        poses = [b.pose(1, b.xyz(0, 0), b.turn())]
        if 5 <= index < 15:
            poses.append(b.pose(2, b.xyz(1000, 0), b.turn()))
        packets.append(b.packet(6, b.position(poses)))
        frames.append(b.frame(index + 1, index * STEP, STEP, packets))
    path = tmp_path / "short.log"
    path.write_bytes(b.recording(*frames))
    with recorder_editor.open(path) as recording:
        key = Key("pair", "distance", actor=1, other=2)
        series = gathered(recording, key).series[key]
    assert series.frames.tolist() == list(range(5, 15))
    assert series.values == pytest.approx(10 - 4.6)


def test_reading_a_pair_is_cancelled(recording: Recording) -> None:
    pair = pair_signal("ttc2d(25, 31)")
    assert pair is not None
    with pytest.raises(Cancelled):
        pair.over_time(recording.snapshot, Progress(is_cancelled=lambda: True))


# --- the list of signals ------------------------------------------------------------------------------------


def test_measures_are_offered_of_a_road_user_and_up_to_three_others(recording: Recording) -> None:
    actors = Actors.of(recording.snapshot)
    offered = signals_of_actor(recording.snapshot, actors, 25, 0, (25, 31, 99))
    pairs = [key for key in offered if key.kind == "pair"]
    assert pairs == [Key("pair", name, actor=25, other=31) for name in PAIR_MEASURES]
    assert not [key for key in signals_of_actor(recording.snapshot, actors, 25, 0) if key.kind == "pair"]


def test_measures_have_titles_and_units(recording: Recording) -> None:
    key = Key("pair", "ttc2d", actor=25, other=31)
    assert title_of(key, recording.dialect) == "25 2D-TTC to 31"
    assert texts_of(key, recording.dialect).unit == "s"
    assert title_of(key._replace(path="conflict"), recording.dialect) == "25 conflict"
    assert texts_of(key._replace(name="drac"), recording.dialect).unit == "m/s²"


# --- in files -----------------------------------------------------------------------------------------------


def signals_of(
    recording: Recording, *texts: str, start: str | None = None, stop: str | None = None
) -> dict[str, Signal]:
    chosen = find_subset(recording.snapshot, start=start, stop=stop)
    return {signal.name: signal for signal in find_signals(recording.snapshot, chosen, texts)}


def test_files_have_them_of_the_first_actor_under_a_name(recording: Recording) -> None:
    signals = signals_of(recording, "ttc2d(25, 31); near = distance(31, 32)", start="#11", stop="#21")
    assert signals["ttc2d_31"].actor == 25
    assert signals["ttc2d_31"].frames.tolist() == list(range(10, 20))
    assert signals["ttc2d_31"].values[0] == pytest.approx((30 - 4.6) / 5 - 10 * STEP, abs=0.01)
    assert signals["near"].actor == 31
    assert not any(math.isnan(value) for value in signals["near"].values.tolist())


def test_files_have_no_value_where_there_is_none(recording: Recording) -> None:
    assert len(signals_of(recording, "ttc2d(31, 25)")["ttc2d_25"].frames) == 81
    assert len(signals_of(recording, "pet(25, 31)")["pet_31"].frames) == 0


def test_files_refuse_what_is_no_road_user(recording: Recording) -> None:
    with pytest.raises(SelectorError, match="99 is none"):
        signals_of(recording, "ttc2d(25, 99)")
