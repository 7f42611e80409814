"""Holding an actor still: it brakes on its own way, stands, and is where it was when the range ends."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.edits.paths.hold import paced
from recorder_editor.errors import EditError, NothingToDo

from .. import builders as b
from .drives import all_sound, drive, life_of, opened, others_are_the_same, path_of, pose_of, saved, told, velocity_of

CAR, TRAILER, OTHER, WALKER = 7, 8, 9, 12
FRAMES, STEP = 61, 0.1
HELD = range(10, 51)
"""From 1 s to 5 s."""


def round_the_bend(frame: int) -> tuple[float, float, float, float]:
    """A circle of 50 m at 10 m/s: 0.02 rad a frame."""
    turn = 0.02 * frame
    return 5000.0 * np.sin(turn), 5000.0 * (1.0 - np.cos(turn)), 50.0, np.degrees(turn)


def behind(frame: int) -> tuple[float, float, float, float]:
    """Four metres behind the car, on its axis."""
    x, y, z, yaw = round_the_bend(frame)
    heading = np.radians(yaw)
    return x - 400.0 * np.cos(heading), y - 400.0 * np.sin(heading), z, yaw


def velocity(actor: int, frame: int) -> tuple[float, ...]:
    if actor == OTHER:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    turn = 0.02 * frame
    return 10.0 * np.cos(turn), 10.0 * np.sin(turn), 0.0, 0.0, 0.0, np.degrees(0.2)


def more(frame: int) -> list[bytes]:
    control = {"steering": frame / 100, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": 3}
    wheels = [{"location": k, "steering": frame / 10, "rotation": float(frame)} for k in range(4)]
    packets = [
        b.packet(8, b.anim_vehicle([{"id": CAR, **control}, {"id": OTHER, **control}])),
        b.packet(9, b.anim_walker([{"id": CAR, "speed": 140.0}])),
        b.packet(10, b.vehicle_light([{"id": CAR, "lights": frame}])),
        b.packet(21, b.vehicle_wheels([{"id": CAR, "wheels": wheels}])),
    ]
    return [b.packet(4, b.event_parent([{"child": TRAILER, "parent": CAR}])), *packets] if frame == 0 else packets


def street() -> bytes:
    poses = {CAR: round_the_bend, TRAILER: behind, OTHER: lambda frame: (-900.0, 0.0, 50.0, 0.0)}
    return drive(poses, FRAMES, velocity=velocity, more=more, step=STEP)


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    with opened(tmp_path, street(), "ue4-2026") as recording:
        yield recording


def hold(recording: Recording, ease_in: float = 1.0, ease_out: float = 1.5, frames: range = HELD) -> None:
    recording.apply(edits.hold_actor(recording, life_of(recording, CAR), frames, ease_in=ease_in, ease_out=ease_out))


STANDING = range(20, 36)
"""From 2 s to 3.5 s: it brakes for 1 s, and catches up in the last 1.5 s."""


def test_it_stands_where_half_a_second_of_its_way_brought_it(recording: Recording) -> None:
    there = pose_of(recording, 15, CAR)
    hold(recording)
    for frame in STANDING:
        assert pose_of(recording, frame, CAR) == there
        assert velocity_of(recording, frame, CAR) == (0.0,) * 6
        assert told(recording, frame, "AnimVehicle", CAR, "throttle", "brake", "steering") == pytest.approx(
            (0, 1, 0.15)
        )
        assert told(recording, frame, "AnimWalker", CAR, "speed") == (0.0,)
        assert told(recording, frame, "AnimVehicleWheels", CAR, "wheels[2].rotation") == (15.0,)
    assert recording.history.steps[0].label == "Hold 7 over 41 frames"


def test_the_first_and_the_last_frame_and_all_outside_stay_bit_for_bit(recording: Recording, tmp_path: Path) -> None:
    before = saved(recording)
    frames = [frame.data for frame in recording]
    hold(recording)
    changed = [index for index, frame in enumerate(recording) if frame.data != frames[index]]
    assert (changed[0], changed[-1]) == (HELD[1], HELD[-2])
    assert others_are_the_same(before, recording, {CAR, TRAILER}, tmp_path)
    assert all_sound(recording)
    recording.undo()
    assert saved(recording) == before


def test_it_stays_on_its_way_and_never_goes_back(recording: Recording) -> None:
    hold(recording)
    poses = path_of(recording, CAR)
    # Between two recorded places the way is a line: half a centimetre inside of the bend at the most.
    assert np.hypot(poses[:, 0], poses[:, 1] - 5000.0) == pytest.approx(5000.0, abs=0.5)
    angle = np.degrees(np.arctan2(poses[:, 0], 5000.0 - poses[:, 1]))
    assert poses[:, 3] == pytest.approx(angle, abs=0.01)
    assert (np.diff(angle) >= -1e-4).all()


def test_velocities_are_those_of_the_motion(recording: Recording) -> None:
    hold(recording)
    poses = path_of(recording, CAR)
    speeds = [float(np.hypot(*velocity_of(recording, frame, CAR)[:2])) for frame in range(FRAMES)]
    turning = [velocity_of(recording, frame, CAR)[5] for frame in range(FRAMES)]
    steps = np.hypot(*np.diff(poses[:, :2], axis=0).T) / 100 / STEP
    means = [(one + other) / 2 for one, other in pairwise(speeds)]
    # It catches up at up to four times its speed, and the mean of two frames is not what was driven between them.
    assert steps == pytest.approx(means, abs=0.8)
    assert np.degrees(0.2) * np.array(speeds) / 10 == pytest.approx(turning, rel=1e-4, abs=1e-5)
    assert max(abs(one - other) for one, other in pairwise(speeds)) < 10.0
    assert max(speeds) > 25.0
    assert (speeds[HELD[0]], speeds[HELD[-1]]) == pytest.approx((10.0, 10.0))


def test_who_is_attached_keeps_its_place_beside_it(recording: Recording) -> None:
    hold(recording)
    for frame in range(FRAMES):
        x, y, _, yaw = pose_of(recording, frame, CAR)
        child = pose_of(recording, frame, TRAILER)
        heading = np.radians(yaw)
        assert child[:2] == pytest.approx((x - 400.0 * np.cos(heading), y - 400.0 * np.sin(heading)), abs=0.05)
        assert child[3] == pytest.approx(yaw, abs=1e-3)
    for frame in STANDING:
        assert velocity_of(recording, frame, TRAILER) == pytest.approx((0.0,) * 6, abs=1e-5)


def test_speeds_and_pedals_follow_the_pace_and_lights_the_time(recording: Recording) -> None:
    hold(recording)
    _, pace = paced(np.arange(FRAMES)[HELD.start : HELD.stop] * STEP, 1.0, 1.5)
    for frame, wanted in zip(HELD, pace.tolist(), strict=True):
        assert told(recording, frame, "AnimWalker", CAR, "speed") == pytest.approx(
            (140.0 * wanted,), rel=1e-5, abs=1e-4
        )
        assert told(recording, frame, "VehicleLight", CAR, "lights") == (frame,)
        throttle, brake = told(recording, frame, "AnimVehicle", CAR, "throttle", "brake")
        if frame < STANDING.stop:
            assert brake == pytest.approx(1.0 - wanted, abs=1e-6)
            assert throttle == (0.5 if wanted == 1.0 else 0.0)
        elif frame > STANDING.stop:
            assert (throttle, brake) == (0.5, 0.0)


def test_who_brakes_harder_than_the_pace_needs_goes_on_to_do_so(tmp_path: Path) -> None:
    control = {"steering": 0.0, "throttle": 0.0, "brake": 0.75, "handbrake": False, "gear": 3}
    data = drive(
        {CAR: round_the_bend}, FRAMES, more=lambda n: [b.packet(8, b.anim_vehicle([{"id": CAR, **control}]))], step=STEP
    )
    with opened(tmp_path, data, "ue4-2026") as recording:
        hold(recording)
        assert told(recording, HELD[1], "AnimVehicle", CAR, "brake") == (0.75,)
        assert told(recording, STANDING[0], "AnimVehicle", CAR, "brake") == (1.0,)


def test_without_easing_it_halts_and_is_back_at_once(recording: Recording) -> None:
    first = pose_of(recording, HELD[0], CAR)
    hold(recording, 0.0, 0.0)
    assert [pose_of(recording, frame, CAR) for frame in HELD[:-1]] == [first] * (len(HELD) - 1)
    assert pose_of(recording, HELD[-1], CAR) == pytest.approx(round_the_bend(HELD[-1]), rel=1e-6)


def test_records_stay_where_its_path_has_none(tmp_path: Path) -> None:
    control = {"steering": 0.2, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": 3}

    def late(frame: int) -> list[bytes]:
        return [b.packet(8, b.anim_vehicle([{"id": CAR, **control}]))] if frame in STANDING else []

    with opened(tmp_path, drive({CAR: round_the_bend}, FRAMES, more=late, step=STEP), "ue4-2026") as recording:
        there = pose_of(recording, 15, CAR)
        hold(recording)
        assert pose_of(recording, STANDING[3], CAR) == there
        assert told(recording, STANDING[3], "AnimVehicle", CAR, "throttle", "brake") == (0.5, 0.0)


@pytest.mark.parametrize(
    ("actor", "frames", "ease", "message"),
    [
        (CAR, range(10, 20), 1.0, "does not fit into the 0.9 s"),
        (CAR, range(10, 12), 0.0, "fewer than three"),
        (CAR, range(10, 20), -1.0, "0 seconds or more"),
    ],
)
def test_what_cannot_be_held_is_refused(
    recording: Recording, actor: int, frames: range, ease: float, message: str
) -> None:
    with pytest.raises(EditError, match=message):
        edits.hold_actor(recording, life_of(recording, actor), frames, ease_in=ease, ease_out=ease)


def test_who_stands_already_is_left_alone(recording: Recording) -> None:
    with pytest.raises(NothingToDo, match="stands still in these frames already"):
        edits.hold_actor(recording, life_of(recording, OTHER), HELD)


@given(
    st.lists(st.floats(0.001, 2.0), min_size=2, max_size=30), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0, 99)
)
def test_the_pace_takes_the_path_from_end_to_end_and_never_back(
    steps: list[float], into: float, out: float, start: float
) -> None:
    times = start + np.concatenate(([0.0], np.cumsum(steps)))
    span = float(times[-1] - times[0])
    share = 1.0 / max(1.0, into + out)
    path, pace = paced(times, into * share * span, out * share * span)
    assert (path[0], path[-1]) == (times[0], times[-1])
    assert (np.diff(path) >= -1e-9).all()
    assert (pace >= -1e-12).all()
    assert (path <= times + 1e-9).all()


def test_the_pace_is_the_slope_of_the_path() -> None:
    times = np.linspace(0.0, 10.0, 100_001)
    path, pace = paced(times, 2.0, 3.0)
    assert np.gradient(path, times)[1:-1] == pytest.approx(pace[1:-1], abs=1e-3)
