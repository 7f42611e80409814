"""Sensors of a made town and of real recordings are replayed where they were, whichever frame creates them.

Judged by the replay model, which attaches as simulators do: the place in an EventAdd becomes the offset.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Recording, Snapshot, edits
from recorder_editor.edits.trim import part_of, parts_of_frames
from recorder_editor.reading.actors import Actors
from recorder_editor.recording.save import save_copy

from ..recording import films
from ..recording.films import COLLISIONS, RIDDEN, of_real
from ..replay import Replayer
from ..replay.rotation import Pose

NEAR = 0.01  # cm, and degrees

Poses = list[Mapping[int, Pose]]


@pytest.fixture(params=["ue4-0.9.6", "ue5-2026"])
def town(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Recording]:
    """Two seconds of a town in which several cars carry sensors."""
    path = tmp_path / "town.log"
    path.write_bytes(films.town(2.0, vehicles=6, walkers=2, seed=3, step=0.1, dialect=request.param))
    with recorder_editor.open(path, dialect=request.param) as recording:
        yield recording


def poses_of_children(snapshot: Snapshot) -> Poses:
    """Where a simulator shows attached actors in each frame; nobody in those that it never shows, as the last one."""
    found: Poses = []
    for scene in Replayer(snapshot).frames():
        found.append({child: scene.pose(child) for child in scene.links} if scene.shown else {})
    return found


def assert_same_places(before: Poses, after: Poses, frames: Callable[[int], int], *, ids: Mapping[int, int]) -> None:
    """Who is attached before and after an edit is at the same place; `frames` tells the old frame of a new one."""
    compared = 0
    for number, shown in enumerate(after):
        known = before[frames(number)]
        for actor, pose in known.items():
            now = shown.get(ids.get(actor, actor))
            if now is not None:
                assert np.abs(now - pose).max() < NEAR, (number, actor, pose, now)
                compared += 1
    assert compared


def chosen_range(recording: Recording) -> range:
    chance = random.Random(recording.dialect.name)
    first, stop = sorted(chance.sample(range(2, len(recording) - 2), 2))
    return range(first, stop + 2)


def test_a_trimmed_town(town: Recording) -> None:
    before, frames = poses_of_children(town.snapshot), chosen_range(town)
    town.apply(edits.trim(town, frames))
    assert_same_places(before, poses_of_children(town.snapshot), lambda n: n + frames.start, ids={})


def test_a_town_without_a_stretch(town: Recording) -> None:
    before, gone = poses_of_children(town.snapshot), chosen_range(town)
    town.apply(edits.cut(town, gone))
    after = poses_of_children(town.snapshot)
    assert_same_places(before, after, lambda n: n if n < gone.start else n + len(gone), ids={})


def test_a_town_in_parts_and_put_together(town: Recording, tmp_path: Path) -> None:
    before = poses_of_children(town.snapshot)
    opened = []
    for number, each in enumerate(parts_of_frames(town, 9)):
        path = tmp_path / f"{number}.log"
        save_copy(part_of(town, each), path)
        opened.append(recorder_editor.open(path, dialect=town.dialect.name))
        assert_same_places(before[each.start : each.stop], poses_of_children(opened[-1].snapshot), int, ids={})
    first, *others = opened
    first.apply(edits.join(first, others, match_actors=True))
    after = poses_of_children(first.snapshot)
    assert_same_places(before, after, int, ids={})
    assert [shown.keys() for shown in after] == [shown.keys() for shown in before]
    assert len(first) == len(before)
    for recording in opened:
        recording.close()


@pytest.mark.parametrize("share", [0.2, 0.6])
def test_a_town_in_which_cars_with_sensors_come_later(town: Recording, share: float) -> None:
    actors = town.actors
    cars = {each.parent_life for each in actors.parents}
    assert len(cars) > 1
    before = poses_of_children(town.snapshot)
    for index in sorted(car for car in cars if car is not None):
        life = actors.lives[index]
        whole = life.within(range(len(town)))
        first = whole.start + max(1, int(share * len(whole)))
        town.apply(edits.trim_life(town, life, range(first, whole.stop)))
        after = poses_of_children(town.snapshot)
        assert_same_places(before, after, int, ids={})
        children = {child.actor for child in actors.children_of(life)}
        assert children <= after[first].keys()
        assert not children & after[first - 1].keys()
        # Nobody waits anywhere.
        scenes = list(Replayer(town.snapshot).frames())
        assert not children & scenes[first - 1].created.keys()
        town.undo()


def test_a_town_with_other_ids(town: Recording) -> None:
    before = poses_of_children(town.snapshot)
    car = town.actors.lives[next(each.parent_life for each in town.actors.parents if each.parent_life is not None)]
    town.apply(edits.set_actor_id(town, car, 5000))
    assert_same_places(before, poses_of_children(town.snapshot), int, ids={})
    child = town.actors.children_of(town.actors.of_id(5000)[0])[0]
    town.apply(edits.set_actor_id(town, child, 6000))
    assert_same_places(before, poses_of_children(town.snapshot), int, ids={child.actor: 6000})


def test_the_scene_shows_attached_actors_where_a_simulator_does(town: Recording) -> None:
    for frame, shown in enumerate(poses_of_children(town.snapshot)):
        world = Actors.of(town.snapshot).world_at(frame)
        for actor, pose in shown.items():
            state = world.state_of(actor)
            assert state is not None
            assert np.abs(np.array(state.transform)[:3] - pose[:3]).max() < 0.05  # the scene rounds to 32 bits


@of_real(COLLISIONS, long=RIDDEN)
def test_cars_with_sensors_of_a_real_recording_come_later(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        actors = recording.actors
        cars = sorted({each.parent_life for each in actors.parents if each.parent_life is not None})
        assert cars
        before = poses_of_children(recording.snapshot)
        for index in cars:
            life = actors.lives[index]
            whole = life.within(range(len(recording)))
            if len(whole) < 4:
                continue
            first = whole.start + len(whole) // 2
            recording.apply(edits.trim_life(recording, life, range(first, whole.stop)))
            after = poses_of_children(recording.snapshot)
            assert_same_places(before, after, int, ids={})
            assert {child.actor for child in actors.children_of(life) if child.born <= first} <= after[first].keys()
            recording.undo()
