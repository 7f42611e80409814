"""Editing a path by keys: they add to what was recorded, between a changed key and its neighbours, and nowhere else."""

import math
import random
import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.arrays import FloatArray
from recorder_editor.checks import check
from recorder_editor.edits.paths.keyed import TOLERANCE, KeyedPath, RecordedPath, are_keys
from recorder_editor.errors import EditError, NothingToDo
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.lives import Life
from recorder_editor.reading.tracks import Tracks
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b
from ..recording.films import BIKES, SCENE_LIGHTS, of_real
from .drives import all_sound, drive, life_of, opened, others_are_the_same, path_of, pose_of, saved, told, velocity_of

CAR, TRAILER, OTHER, PARKED = 7, 8, 9, 11
FRAMES, STEP, RADIUS = 101, 0.1, 50.0


def round_the_bend(frame: int) -> tuple[float, float, float, float]:
    """A circle of 50 m at 10 m/s, to the right."""
    turn = 0.02 * frame
    return 5000.0 * np.sin(turn), 5000.0 * (1.0 - np.cos(turn)), 50.0, np.degrees(turn)


def behind(frame: int) -> tuple[float, float, float, float]:
    x, y, z, yaw = round_the_bend(frame)
    heading = np.radians(yaw)
    return x - 400.0 * np.cos(heading), y - 400.0 * np.sin(heading), z, yaw


def trembling(frame: int) -> tuple[float, float, float, float]:
    return 3000.0 + 0.01 * (frame % 2), 900.0 + 0.002 * frame, 50.0, 45.0


def velocity(actor: int, frame: int) -> tuple[float, ...]:
    turn = 0.02 * frame
    moving = 10.0 * np.cos(turn), 10.0 * np.sin(turn), 0.0, 0.0, 0.0, np.degrees(0.2)
    return moving if actor in (CAR, TRAILER) else (0.0,) * 6


def more(frame: int) -> list[bytes]:
    control = {"steering": 0.1, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": 3}
    wheels = [{"location": k, "steering": 7.0, "rotation": -160.0 * frame} for k in range(4)]
    packets = [
        b.packet(8, b.anim_vehicle([{"id": CAR, **control}, {"id": OTHER, **control}])),
        b.packet(9, b.anim_walker([{"id": CAR, "speed": 140.0}])),
        b.packet(10, b.vehicle_light([{"id": CAR, "lights": frame}])),
        b.packet(21, b.vehicle_wheels([{"id": CAR, "wheels": wheels}])),
    ]
    return [b.packet(4, b.event_parent([{"child": TRAILER, "parent": CAR}])), *packets] if frame == 0 else packets


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    poses = {CAR: round_the_bend, TRAILER: behind, OTHER: lambda frame: (-900.0, 0.0, 50.0, 0.0), PARKED: trembling}
    with opened(tmp_path, drive(poses, FRAMES, velocity=velocity, more=more, step=STEP), "ue4-2026") as recording:
        yield recording


def recorded(recording: Recording, actor: int = CAR) -> RecordedPath:
    return RecordedPath.of(recording.snapshot, life_of(recording, actor))


def lead(recording: Recording, keys: Any, actor: int = CAR) -> None:
    recording.apply(edits.edit_path(recording, life_of(recording, actor), keys))


def derivative(places: FloatArray) -> FloatArray:
    """Central differences of what is stored, m/s."""
    return np.asarray((places[2:] - places[:-2]) / (2 * STEP))


# --- the curve ----------------------------------------------------------------------------------------------


def test_a_circle_has_few_keys_and_the_curve_is_on_it(recording: Recording) -> None:
    found = recorded(recording)
    assert len(KeyedPath.as_recorded(found).keys) <= 5
    x, y = found.curve(np.linspace(0.0, found.distance[-1], 999))[0].T
    assert np.hypot(x, y - RADIUS) == pytest.approx(RADIUS, abs=TOLERANCE)


@of_real(SCENE_LIGHTS)
def test_every_real_path_has_a_curve_two_centimetres_off_at_most(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        for life in movers(recording.snapshot):
            found = RecordedPath.of(recording.snapshot, life)
            off = np.hypot(*(found.curve(found.distance)[0] - found.places).T)
            assert off.max() <= TOLERANCE, life.actor
            assert not KeyedPath.as_recorded(found).moved.any()


# --- what changes, and what does not ------------------------------------------------------------------------

SIDEWAYS = [{"at": 3.0}, {"at": 5.0, "x": 40.0, "y": 26.0}, {"at": 7.0}]


def test_a_key_is_reached_and_only_frames_between_its_neighbours_change(recording: Recording, tmp_path: Path) -> None:
    before = saved(recording)
    frames = [frame.data for frame in recording]
    lead(recording, SIDEWAYS)
    changed = [index for index, frame in enumerate(recording) if frame.data != frames[index]]
    assert changed == list(range(31, 70))
    assert pose_of(recording, 50, CAR)[:3] == pytest.approx((4000.0, 2600.0, 50.0))
    assert others_are_the_same(before, recording, {CAR, TRAILER}, tmp_path)
    assert all_sound(recording)
    assert recording.history.steps[0].label.startswith("Edit the path of 7 over")
    recording.undo()
    assert saved(recording) == before


def test_velocity_and_heading_are_those_of_the_new_way(recording: Recording) -> None:
    lead(recording, SIDEWAYS)
    places = path_of(recording, CAR)
    moving = np.array([velocity_of(recording, frame, CAR) for frame in range(FRAMES)])
    wanted = derivative(places[:, :2] / 100)
    assert np.hypot(*(moving[1:-1, :2] - wanted).T).max() < 0.01 * 10.0
    heading = np.degrees(np.arctan2(wanted[:, 1], wanted[:, 0]))
    assert (places[1:-1, 3] - heading + 180) % 360 - 180 == pytest.approx(0.0, abs=0.3)
    assert derivative(places[:, 3])[30:69] == pytest.approx(moving[31:70, 5], abs=0.01 * 11.5)
    # Nothing jumps where the change begins and ends.
    assert np.abs(np.diff(moving[:, :2], axis=0)).max() < 1.0
    assert np.abs(np.diff(moving[:, 5])).max() < 15.0


def test_keys_as_recorded_are_nothing_to_do(recording: Recording) -> None:
    fitted = KeyedPath.as_recorded(recorded(recording))
    with pytest.raises(NothingToDo, match="as it was recorded"):
        lead(recording, fitted.to_json())
    key = fitted.values[1]
    with pytest.raises(NothingToDo, match=r"as it was recorded|where it was"):
        lead(recording, fitted.with_key(1, point=key[0], tangent=key[1], time=fitted.keys["time"][1], pace=1).to_json())


def test_keys_survive_json(recording: Recording) -> None:
    found = recorded(recording)
    path = KeyedPath.from_json(found, SIDEWAYS).with_key(1, pace=0.5).with_key_at(6.0).with_key(2, time=6.2)
    path = path.with_key_at(4.0).without_key(1).with_key(1, tangent=(1.0, 0.5))
    again = KeyedPath.from_json(found, path.to_json())
    for name in path.keys.dtype.names or ():
        assert again.keys[name] == pytest.approx(path.keys[name], abs=1e-12)
    assert are_keys(path.to_json())


def test_a_further_key_changes_nothing_and_one_less_leads_straight_on(recording: Recording) -> None:
    times = np.linspace(0.0, 10.0, 777)
    path = KeyedPath.from_json(recorded(recording), SIDEWAYS)
    more_keys = path.with_key_at(4.2).with_key_at(6.6)
    for name in ("shift", "turn", "bends", "ratio"):
        assert more_keys.motion(times)[name] == pytest.approx(path.motion(times)[name], abs=1e-9)
    straight = KeyedPath.from_json(recorded(recording), [{"at": 2.0}, {"at": 5.0}, {"at": 8.0}]).without_key(1)
    shift = straight.motion(times)["shift"]
    assert (np.flatnonzero(shift.any(axis=1))[[0, -1]] == np.flatnonzero((times > 2.0) & (times < 8.0))[[0, -1]]).all()
    assert straight.with_key_at(4.0).motion(times)["shift"] == pytest.approx(shift, abs=1e-9)


# --- times and speeds ---------------------------------------------------------------------------------------

STOP = [{"at": 2.0}, {"at": 4.0, "time": 5.0}, {"at": 4.0, "time": 7.0}, {"at": 9.0}]
"""It is where it was after 4 s from 5 s to 7 s, and has caught up at 9 s."""


def test_it_stands_where_two_keys_are_and_brakes(recording: Recording) -> None:
    there = pose_of(recording, 40, CAR)
    lead(recording, STOP)
    for frame in range(51, 70):
        assert pose_of(recording, frame, CAR) == pytest.approx(there, abs=1e-3)
        assert velocity_of(recording, frame, CAR) == pytest.approx((0.0,) * 6, abs=1e-3)
        assert told(recording, frame, "AnimVehicle", CAR, "throttle", "brake") == (0.0, 1.0)
        assert told(recording, frame, "AnimWalker", CAR, "speed") == (0.0,)
    poses = path_of(recording, CAR)
    assert np.hypot(poses[:, 0], poses[:, 1] - 5000.0) == pytest.approx(5000.0, abs=0.5)
    angle = np.degrees(np.arctan2(poses[:, 0], 5000.0 - poses[:, 1]))
    assert poses[:, 3] == pytest.approx(angle, abs=0.01)
    assert (np.diff(angle) >= -1e-3).all()
    assert told(recording, 45, "AnimVehicle", CAR, "brake")[0] > 0.1
    assert told(recording, 60, "AnimVehicleWheels", CAR, "wheels[2].rotation") == pytest.approx((-160.0 * 40,), abs=1.0)
    assert told(recording, 60, "VehicleLight", CAR, "lights") == (60.0,)
    for frame in range(FRAMES):
        child, heading = pose_of(recording, frame, TRAILER), np.radians(poses[frame, 3])
        hitch = poses[frame, :2] - 400.0 * np.array([np.cos(heading), np.sin(heading)])
        assert child[:2] == pytest.approx(hitch, abs=0.05)


def test_speeds_over_distance_are_driven(recording: Recording) -> None:
    keys = [{"distance": 20.0}, {"distance": 45.0, "speed": 5.0}, {"distance": 50.0, "speed": 5.0}, {"distance": 90.0}]
    path = KeyedPath.from_json(recorded(recording), keys)
    # 25 m at 7.5 m/s on average, then 5 m at 5 m/s.
    assert path.keys["time"][1:3] == pytest.approx((2.0 + 25 / 7.5, 2.0 + 25 / 7.5 + 1.0), rel=1e-3)
    assert path.speeds == pytest.approx((10.0, 5.0, 5.0, 10.0), rel=1e-3)
    lead(recording, keys)
    assert np.hypot(*velocity_of(recording, 58, CAR)[:2]) == pytest.approx(5.0, abs=0.1)
    assert pose_of(recording, 90, CAR) == pytest.approx(round_the_bend(90), rel=1e-6)


def test_a_later_key_has_a_pace_between_those_beside_it(recording: Recording) -> None:
    path = KeyedPath.from_json(recorded(recording), [{"at": 2.0}, {"at": 4.0}, {"at": 8.0}]).with_key(1, time=6.0)
    assert path.keys["pace"][1] == pytest.approx(2 / (1 / 0.5 + 1 / 2.0))
    assert path.motion(np.array([6.0]))["path"] == pytest.approx(4.0)


# --- controls -----------------------------------------------------------------------------------------------


def test_steering_and_wheels_are_those_of_the_curvature(tmp_path: Path) -> None:
    """A straight way that becomes an arc: a plain key in the middle of it, with the bend of a circle of 40 m."""

    def straight(frame: int) -> tuple[float, float, float, float]:
        return 100.0 * frame, 0.0, 50.0, 0.0

    box = {"id": CAR, "origin": b.xyz(), "extent": b.xyz(250.0, 90.0, 70.0)}

    def with_box(frame: int) -> list[bytes]:
        return more(frame) + ([b.packet(13, b.bounding_box([box]))] if frame == 0 else [])

    with opened(tmp_path, drive({CAR: straight}, FRAMES, more=with_box, step=STEP), "ue4-2026") as recording:
        keys = [{"at": 1.0}, {"at": 5.0, "y": 3.0, "bend": [0.0, 1 / 40]}, {"at": 9.0}]
        lead(recording, keys)
        angle = math.degrees(math.atan(3.0 / 40))  # an axle base of 0.6 of 5 m
        assert told(recording, 50, "AnimVehicle", CAR, "steering") == pytest.approx((0.1 + angle / 70.0,), rel=1e-3)
        wheels = [told(recording, 50, "AnimVehicleWheels", CAR, f"wheels[{k}].steering")[0] for k in range(4)]
        assert wheels == pytest.approx([7.0 + angle] * 2 + [7.0] * 2, rel=1e-3)
        turns = [told(recording, each, "AnimVehicleWheels", CAR, "wheels[0].rotation")[0] for each in range(FRAMES)]
        steps = np.diff(np.array(turns) + 160.0 * np.arange(FRAMES))
        # No jump of the wheels but by whole turns, at the end.
        assert np.abs((steps + 180) % 360 - 180).max() < 25.0
        assert turns[91:] == [-160.0 * frame for frame in range(91, FRAMES)]


def test_a_bicycle_steers_in_front_and_who_reverses_to_the_other_side(tmp_path: Path) -> None:
    def backwards(frame: int) -> tuple[float, float, float, float]:
        return -50.0 * frame, 0.0, 50.0, 0.0

    def riding(frame: int) -> list[bytes]:
        control = {"steering": 0.0, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": -1}
        wheels = [{"location": k, "steering": 0.0, "rotation": 0.0} for k in range(2)]
        return [
            b.packet(8, b.anim_vehicle([{"id": CAR, **control}])),
            b.packet(21, b.vehicle_wheels([{"id": CAR, "wheels": wheels}])),
        ]

    with opened(tmp_path, drive({CAR: backwards}, FRAMES, more=riding, step=STEP), "ue4-2026") as recording:
        # Seen along its way it bends to the right: backwards, the wheels are turned to the left for that.
        lead(recording, [{"at": 1.0}, {"at": 5.0, "y": -1.0, "bend": [0.0, -0.1]}, {"at": 9.0}])
        angle = math.degrees(math.atan(0.6 * 4.7 * 0.1))
        assert told(recording, 50, "AnimVehicleWheels", CAR, "wheels[0].steering") == pytest.approx((-angle,), rel=1e-3)
        assert told(recording, 50, "AnimVehicleWheels", CAR, "wheels[1].steering") == (0.0,)
        assert abs(pose_of(recording, 40, CAR)[3]) < 45.0


def test_who_is_pulled_back_over_its_own_way_reverses_and_does_not_turn_round(tmp_path: Path) -> None:
    def straight(frame: int) -> tuple[float, float, float, float]:
        return 100.0 * frame, 0.0, 50.0, 0.0

    with opened(tmp_path, drive({CAR: straight}, FRAMES, step=STEP), "ue4-2026") as recording:
        lead(recording, [{"at": 2.0}, {"at": 4.0, "x": 30.0}, {"at": 6.0, "x": 20.0}, {"at": 9.0}])
        path = path_of(recording, CAR)
        assert path[60, 0] < path[40, 0]
        assert path[:, 3] == pytest.approx(0.0, abs=1e-3)


# --- ends of a life -----------------------------------------------------------------------------------------


def test_the_first_key_of_a_life_moves_its_birth(recording: Recording) -> None:
    lead(recording, [{"at": 0.0, "x": 3.0, "y": -2.0}, {"at": 4.0}])
    born = told(recording, 0, "EventAdd", CAR, "location.x", "location.y")
    assert born == pytest.approx((300.0, -200.0), abs=0.01) == pose_of(recording, 0, CAR)[:2]
    assert pose_of(recording, 40, CAR) == pytest.approx(round_the_bend(40), rel=1e-6)


def test_a_parked_car_is_put_elsewhere_as_it_stands(recording: Recording) -> None:
    times = recorded(recording, PARKED).times
    lead(recording, [{"at": times[0], "x": 20.0, "y": 5.0}, {"at": times[-1], "x": 20.0, "y": 5.0}], PARKED)
    poses = path_of(recording, PARKED)
    assert poses[:, :2] == pytest.approx(np.tile((2000.0, 500.0), (FRAMES, 1)), abs=0.3)
    assert (poses[:, 3] == 45.0).all()


def test_who_is_teleported_has_no_velocity_of_that(tmp_path: Path) -> None:
    def jumping(frame: int) -> tuple[float, float, float, float]:
        return 100.0 * frame + (90_000.0 if frame >= 50 else 0.0), 0.0, 0.0, 0.0

    with opened(tmp_path, drive({CAR: jumping}, FRAMES, step=STEP), "ue4-2026") as recording:
        lead(recording, [{"at": 3.0}, {"at": 4.9, "y": 2.0}, {"at": 5.0, "y": 2.0}, {"at": 8.0}])
        assert pose_of(recording, 49, CAR)[1] == pytest.approx(200.0)
        assert all(velocity_of(recording, frame, CAR)[0] < 11.0 for frame in range(FRAMES))


def test_who_trembles_at_a_stop_is_pushed_aside_without_a_turn(recording: Recording) -> None:
    lead(recording, [{"at": 2.0}, {"at": 5.0, "x": 32.0}, {"at": 8.0}], PARKED)
    path = path_of(recording, PARKED)
    assert path[50, :2] == pytest.approx((3200.0, 900.0), abs=0.3)
    assert (np.diff(path[20:51, 0]) > -0.02).all()
    assert (path[:, 3] == 45.0).all()


def test_an_event_add_elsewhere_than_the_first_position_stays_as_far_from_it(tmp_path: Path) -> None:
    def dropped(frame: int) -> tuple[float, float, float, float]:
        return 100.0 * frame, 0.0, 80.0 if frame == 0 else 50.0, 0.0

    data = drive({CAR: dropped}, FRAMES, step=STEP)
    at = data.rindex(struct.pack("<fff", 0.0, 0.0, 80.0))
    data = data[:at] + struct.pack("<fff", 0.0, 0.0, 79.0) + data[at + 12 :]
    with opened(tmp_path, data, "ue4-2026") as recording:
        lead(recording, [{"at": 0.0, "x": 3.0, "y": -2.0}, {"at": 4.0}])
        heights = [pose_of(recording, 0, CAR, packet)[:3] for packet in ("EventAdd", "Position")]
        assert heights == [pytest.approx((300.0, -200.0, 80.0)), pytest.approx((300.0, -200.0, 79.0))]


def test_keys_before_and_after_a_life_are_its_ends(recording: Recording) -> None:
    path = KeyedPath.from_json(recorded(recording), [{"at": -9.0, "time": 0.0}, {"at": 5.0}])
    assert path.motion(np.array([0.0, 1.0]))["path"].tolist() == [0.0, 0.0]


def test_traffic_lights_and_those_without_a_path_are_refused(tmp_path: Path) -> None:
    more_actors = b.packet(2, b.event_add([b.actor(8, 5, "sensor.camera.rgb"), b.actor(3, 3, "traffic.stop")]))
    data = drive({CAR: round_the_bend}, more=lambda n: [more_actors] if n == 0 else [])
    with opened(tmp_path, data) as recording:
        with pytest.raises(EditError, match="by their position"):
            lead(recording, SIDEWAYS, 3)
        with pytest.raises(EditError, match="only its EventAdd"):
            lead(recording, SIDEWAYS, 8)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ([{"at": 3.0, "x": 9.0}, {"at": 5.0}], "would jump"),
        ([{"at": 3.0}, {"at": 5.0, "time": 6.0}], "would jump"),
        ([{"at": 5.0}, {"at": 3.0}], "order of their times"),
        ([{"at": 3.0}, {"at": 3.0}], "order of their times"),
        ([{"at": 2.0}, {"at": 3.0, "pace": -1.0}, {"at": 4.0}], "order of their times"),
        ([{"at": 2.0}, {"at": 3.0, "x": 1e300}, {"at": 4.0}], "usual size"),
        ([{"at": 2.0, "speed": 0.0}, {"at": 3.0, "speed": 0.0}, {"at": 4.0}], "needs a time"),
        ([{"at": 2.0}], "two or more keys"),
        ([{"at": 2.0, "distance": 3.0}, {"at": 3.0}], "two or more keys"),
        ([{"at": 2.0}, {"at": 3.0, "speed": 3.0, "pace": 1.0}], "two or more keys"),
        ([{"at": 2.0}, {"at": 3.0, "tangent": 1.0}], "two or more keys"),
        ([{"at": 2.0}, {"at": 3.0, "when": 1.0}], "two or more keys"),
    ],
)
def test_keys_that_cannot_be_are_refused(recording: Recording, keys: Any, message: str) -> None:
    with pytest.raises(EditError, match=message):
        lead(recording, keys)


# --- smooth joints ------------------------------------------------------------------------------------------

places = st.floats(-30.0, 30.0)


@st.composite
def some_keys(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Keys one second apart or more; all but the outermost may be anywhere."""
    at = np.cumsum([draw(st.floats(1.0, 2.5)) for _ in range(draw(st.integers(3, 5)))]).tolist()
    keys: list[dict[str, Any]] = [{"at": each} for each in at]
    for key in keys[1:-1]:
        given_ = draw(st.sets(st.sampled_from(("x", "y", "tangent", "bend", "time", "pace"))))
        key |= {name: draw(places) for name in ("x", "y") if name in given_}
        key |= {
            name: [draw(st.floats(-2, 2)), draw(st.floats(-2, 2))] for name in ("tangent", "bend") if name in given_
        }
        key |= {"time": key["at"] + draw(st.floats(-0.45, 0.45))} if "time" in given_ else {}
        key |= {"pace": draw(st.floats(0.0, 3.0))} if "pace" in given_ else {}
    keys[1]["plain"] = draw(st.booleans())
    return keys


def circle() -> RecordedPath:
    """The path of the car without a recording."""
    turn = 0.02 * np.arange(140)
    points = RADIUS * np.column_stack((np.sin(turn), 1.0 - np.cos(turn)))
    return RecordedPath(np.arange(140), STEP * np.arange(140), points)


@given(some_keys())
@settings(deadline=None)
def test_place_pace_and_their_rates_are_continuous_and_nothing_changes_outside(keys: list[dict[str, Any]]) -> None:
    path = KeyedPath.from_json(circle(), keys)
    outside = np.concatenate((np.linspace(0.0, path.keys["time"][0], 50), np.linspace(path.keys["time"][-1], 13.9, 50)))
    still = path.motion(outside)
    assert (still["path"] == outside).all()
    assert not still["shift"].any()
    assert not still["turn"].any()
    near = 1e-6
    for time in path.keys["time"]:
        around = path.motion(time + near * np.array([-2.0, -1.0, 0.0, 1.0, 2.0]))
        # Half of the knots of the recorded polyline lie within a step; its corners are not those of the keys.
        speed = np.diff(around["shift"], axis=0) / near
        assert np.abs(np.diff(around["shift"], axis=0)).max() < 1e4 * near
        assert np.abs(np.diff(speed, axis=0)).max() < 0.02 * (1.0 + np.abs(speed).max()) + 0.2
        assert around["pace"] == pytest.approx(around["pace"][2], abs=1e-3)
    times = np.linspace(*path.keys["time"][[0, -1]], 500)
    assert (np.diff(path.motion(times)["path"]) >= -1e-9).all()
    assert (path.motion(times)["pace"] >= 0.0).all()


# --- real recordings ----------------------------------------------------------------------------------------


def movers(snapshot: Snapshot) -> list[Life]:
    lives = Actors.of(snapshot).lives
    return [life for life in lives if life.blueprint.startswith(("vehicle.", "walker.")) and life.within(range(9))]


def packets(data: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """(frame, start, stop) of the body of every packet from `at` on, read without the library."""
    frame = -1
    while at < len(data):
        number, size = struct.unpack_from("<BI", data, at)
        frame += number == 0
        yield frame, at + 5, at + 5 + size
        at += 5 + size


def changed_frames(before: bytes, after: bytes, start: int, actor: int) -> set[int]:
    """The frames whose bytes differ: only records differ, of one size in a body or wheels, and only the actor's."""
    assert len(before) == len(after)
    frames = set()
    for frame, at, stop in packets(before, start):
        if before[at:stop] == after[at:stop]:
            continue
        frames.add(frame)
        (count,) = struct.unpack_from("<H", before, at)
        size, rest = divmod(stop - at - 2, count)
        bounds = [at + 2 + size * each for each in range(count + 1)]
        if rest or size in (26, 44):  # two or four wheels of nine bytes
            bounds = [at + 2]
            while bounds[-1] < stop:
                bounds.append(bounds[-1] + 8 + 9 * struct.unpack_from("<I", before, bounds[-1] + 4)[0])
        assert bounds[-1] == stop
        for one, other in pairwise(bounds):
            if before[one:other] != after[one:other]:
                assert struct.unpack_from("<I", before, one) == struct.unpack_from("<I", after, one) == (actor,)
    assert before[:start] == after[:start]
    return frames


def some_keys_of(path: KeyedPath, chance: random.Random) -> KeyedPath:
    """The path with one of its keys moved by half a metre at most, and earlier or later."""
    if len(path.keys) < 3:
        path = path.with_key_at(float(path.recorded.times.mean()))
    key = chance.randrange(1, len(path.keys) - 1)
    before, at, after = path.keys["time"][key - 1 : key + 2].tolist()
    # A walker's keys lie close together.
    most = min(0.5, 0.1 * float(np.diff(path.distance[key - 1 : key + 2]).min()))
    x, y = path.values[key, 0]
    path = path.with_key(key, point=(x + chance.uniform(-most, most), y + chance.uniform(-most, most)))
    return path.with_key(key, time=at + chance.uniform(-0.1, 0.1) * min(after - at, at - before))


@of_real(BIKES)
def test_random_keys_of_real_paths_change_nothing_else_and_no_check_finds_more(sound_recording: Path) -> None:
    chance = random.Random(sound_recording.name)
    with recorder_editor.open(sound_recording) as recording:
        snapshot, start = recording.snapshot, recording[0].offset
        before, found = saved(recording), {each.code for each in check(snapshot)}
        every = [(life, RecordedPath.of(snapshot, life)) for life in movers(snapshot)]
        moving = [(life, path) for life, path in every if path.distance[-1] > 3.0]
        for life, recorded_path in chance.sample(moving, min(3, len(moving))):
            path = some_keys_of(KeyedPath.as_recorded(recorded_path), chance)
            assert path.span is not None
            recording.apply(edits.edit_path(recording, life, path.to_json()))
            frames = changed_frames(before, saved(recording), start, life.actor)
            (within,) = np.nonzero((snapshot.elapsed > path.span[0]) & (snapshot.elapsed < path.span[1]))
            assert frames
            assert frames <= set(within.tolist())
            assert {each.code for each in check(recording.snapshot)} - {"overlap"} <= found, life.actor
            velocities_are_derivatives(recording.snapshot, snapshot, life)
            recording.undo()
            assert saved(recording) == before


def velocities_are_derivatives(snapshot: Snapshot, before: Snapshot, life: Life) -> None:
    """In every frame in which the actor is elsewhere than before."""
    tracks, span = Tracks(snapshot), life.within(range(len(snapshot)))
    moving, placed = tracks.kinematics([life.actor], span), tracks.path(life.actor, span)
    if not len(moving):
        return
    times = snapshot.elapsed[placed["frame"]]
    assert (moving["frame"] == placed["frame"]).all()
    stored = np.column_stack([moving[axis].astype(float) for axis in ("vx", "vy", "vz")])
    rates = np.gradient(np.column_stack([placed[axis].astype(float) / 100 for axis in "xyz"]), times, axis=0)
    is_elsewhere = placed[["x", "y", "z"]] != Tracks(before).path(life.actor, span)[["x", "y", "z"]]
    off = np.linalg.norm(stored - rates, axis=1)[is_elsewhere]
    assert off.max(initial=0.0) <= 0.01 * max(1.0, np.linalg.norm(stored, axis=1).max())
