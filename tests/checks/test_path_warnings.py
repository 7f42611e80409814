"""What is wrong with a path that is edited by keys: only where the keys change it, and only what was not so before."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor.api import Recording
from recorder_editor.checks.path_warnings import PathJudge, PathWarning
from recorder_editor.edits.paths.keyed import KeyedPath, RecordedPath
from recorder_editor.reading.actors import Actors
from recorder_editor.roads import read_road_map

from ..edits.drives import drive, life_of, opened
from ..roads.builders import opendrive, road

CAR, PARKED, FOLLOWER = 7, 11, 12


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    """A car that drives along x at 10 m/s, one that stands 4 m beside it, one inside it all along."""
    poses = {
        CAR: lambda frame: (100.0 * frame, 0.0, 50.0, 0.0),
        PARKED: lambda frame: (5000.0, 400.0, 50.0, 0.0),
        FOLLOWER: lambda frame: (100.0 * frame - 200.0, 0.0, 50.0, 0.0),
    }
    with opened(tmp_path, drive(poses, 101)) as recording:
        yield recording


def found(recording: Recording, *keys: dict[str, Any]) -> tuple[PathWarning, ...]:
    life = life_of(recording, CAR)
    path = KeyedPath.from_json(RecordedPath.of(recording.snapshot, life), list(keys))
    return PathJudge(recording.snapshot, life).warnings(path)


def test_a_path_as_recorded_and_a_gentle_one_are_all_right(recording: Recording) -> None:
    assert not found(recording, {"at": 2.0}, {"at": 5.0}, {"at": 8.0})
    assert not found(recording, {"at": 1.0}, {"at": 5.0, "y": -1.5}, {"at": 9.0})


def test_too_hard_a_brake_is_told_with_its_acceleration_and_frames(recording: Recording) -> None:
    (warning, *_) = found(recording, {"at": 4.0}, {"at": 5.0, "time": 5.0, "speed": 2.0}, {"at": 6.0})
    assert warning.text.startswith("Acceleration ")
    assert float(warning.text.split()[1]) > 8.0
    assert 40 <= warning.frames.min() <= warning.frames.max() <= 60


def test_brakes_that_take_hold_at_once_and_a_bend_too_tight_are_told(recording: Recording) -> None:
    told = " ".join(
        each.text for each in found(recording, {"at": 4.0}, {"at": 5.0, "tangent": [-0.3, 0.5]}, {"at": 6.0})
    )
    assert "Jerk" in told
    assert "Steering" in told


def test_whoever_is_overlapped_is_named_with_the_frames_of_it(recording: Recording) -> None:
    (warning,) = found(recording, {"at": 1.0}, {"at": 5.0, "y": 3.0}, {"at": 9.0})
    assert warning.text == "tesla.model3 11 is in the way"
    assert warning.frames.tolist() == list(range(warning.frames[0], warning.frames[-1] + 1))
    assert 50 in warning.frames
    assert warning.frames.min() > 40
    assert warning.frames.max() < 60


def test_leaving_the_road_is_told_where_a_map_is_known(recording: Recording) -> None:
    keys = {"at": 1.0}, {"at": 5.0, "y": -30.0}, {"at": 9.0}
    assert "Off the road" not in [each.text for each in found(recording, *keys)]
    recording.context.use_road_map(read_road_map(opendrive(road())))
    (warning,) = (each for each in found(recording, *keys) if each.text == "Off the road")
    assert 50 in warning.frames
    assert "Off the road" not in [
        each.text for each in found(recording, {"at": 1.0}, {"at": 5.0, "y": 0.2}, {"at": 9.0})
    ]


def test_no_real_path_is_wrong_as_it_is_recorded(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        for life in [life for life in Actors.of(recording.snapshot) if life.class_ == "vehicle"][:3]:
            path = KeyedPath.as_recorded(RecordedPath.of(recording.snapshot, life))
            key = len(path.keys) // 2
            aside = path.with_key(key, point=path.values[key, 0] + np.array([1e-6, 0.0]))
            assert PathJudge(recording.snapshot, life).warnings(aside) == (), life.actor
