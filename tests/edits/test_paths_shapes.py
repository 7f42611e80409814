"""Smoothing a path, and shifting it sideways to its own heading."""

import math
from pathlib import Path

import numpy as np
import pytest

import recorder_editor
from recorder_editor.edits import offset_path, smooth_path
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors

from .. import builders as b
from ..recording.films import BIKES, of_real
from .drives import all_sound, drive, life_of, opened, others_are_the_same, path_of, pose_of, saved, velocity_of


def ahead(frame: int) -> tuple[float, float, float, float]:
    return 100.0 * frame, 0.0, 50.0, 0.0


def jagged(frame: int) -> tuple[float, float, float, float]:
    """Left and right of the way by 10 cm in turn, and looking there by 4 degrees, about the back side of the circle."""
    side = 1.0 if frame % 2 else -1.0
    return 100.0 * frame, 10.0 * side, 50.0, (180.0 + 4.0 * side + 180.0) % 360.0 - 180.0


def around(frame: int) -> tuple[float, float, float, float]:
    """A circle of 20 m about the origin at 18 degrees a frame, clockwise as seen from above (y is down)."""
    angle = math.radians(18.0 * frame)
    return 2000.0 * math.sin(angle), -2000.0 * math.cos(angle), 0.0, (18.0 * frame + 180.0) % 360.0 - 180.0


def test_a_steady_motion_stays_to_the_bit(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording, pytest.raises(EditError, match="would change"):
        smooth_path(recording, life_of(recording, 7), range(11), 0.4)


def test_the_mean_is_that_of_the_lines_between_the_frames(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: jagged})) as recording:
        recording.apply(smooth_path(recording, life_of(recording, 7), range(11), 0.2))
        path = path_of(recording, 7)
        # Over a frame to each side the zigzag -10, 10, -10 has the mean 0, and the lines to it as well.
        assert path[1:-1, 1] == pytest.approx(np.zeros(9), abs=1e-4)
        assert [math.remainder(yaw - 180.0, 360.0) for yaw in path[1:-1, 3]] == pytest.approx([0.0] * 9, abs=1e-4)
        assert (path[[0, -1]] == [jagged(0), jagged(10)]).all()
        assert (path[:, 2] == 50.0).all()
        assert path[:, 0] == pytest.approx(100.0 * np.arange(11), abs=1e-3)


def test_velocities_take_on_what_the_path_gains(tmp_path: Path) -> None:
    def bump(frame: int) -> tuple[float, float, float, float]:
        return 100.0 * frame, 80.0 if frame == 5 else 0.0, 0.0, 0.0

    with opened(tmp_path, drive({7: bump})) as recording:
        recording.apply(smooth_path(recording, life_of(recording, 7), range(11), 0.4))
        gained = path_of(recording, 7)[:, 1] - [bump(n)[1] for n in range(11)]
        # Two frames to each side hold 0, 0, 80, 0, 0: the triangle has half of 80 over half of the way.
        assert gained[5] == pytest.approx(20.0 - 80.0, abs=1e-3)
        expected = np.gradient(gained, 0.1) / 100.0
        assert [velocity_of(recording, n, 7)[1] for n in range(11)] == pytest.approx(expected, abs=1e-4)
        assert [velocity_of(recording, n, 7)[0] for n in range(11)] == pytest.approx([10.0] * 11, abs=1e-4)


def test_smoothing_needs_three_places_a_window_and_a_path(tmp_path: Path) -> None:
    camera = b.packet(2, b.event_add([b.actor(8, 5, "sensor.camera.rgb"), b.actor(3, 3, "traffic.stop")]))
    with opened(tmp_path, drive({7: jagged}, more=lambda n: [camera] if n == 0 else [])) as recording:
        life = life_of(recording, 7)
        with pytest.raises(EditError, match="fewer than three"):
            smooth_path(recording, life, range(2), 0.4)
        with pytest.raises(EditError, match="no position in these frames"):
            smooth_path(recording, life, range(40, 50), 0.4)
        for window in (0.0, -1.0, math.nan):
            with pytest.raises(EditError, match="above 0"):
                smooth_path(recording, life, range(11), window)
        with pytest.raises(EditError, match="only its EventAdd"):
            smooth_path(recording, life_of(recording, 8), range(11), 0.4)
        with pytest.raises(EditError, match="by their position"):
            smooth_path(recording, life_of(recording, 3), range(11), 0.4)


def test_a_shift_to_the_right_is_sideways_to_the_heading_in_every_frame(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: around}, 21)) as recording:
        before = saved(recording)
        edit = offset_path(recording, life_of(recording, 7), None, 3.5)
        assert edit.label == "Shift 7 sideways by 3.5 m over 21 frames"
        recording.apply(edit)
        path = path_of(recording, 7)
        # On a circle to the right, the right is the middle.
        assert np.hypot(path[:, 0], path[:, 1]) == pytest.approx(np.full(21, 1650.0), abs=1e-2)
        assert path[:, 3] == pytest.approx([around(n)[3] for n in range(21)], abs=1e-4)
        assert pose_of(recording, 0, 7, "EventAdd") == pytest.approx((0.0, -1650.0, 0.0, 0.0), abs=1e-3)
        # 180 degrees a second over 3.5 m less of a radius, against the way it goes.
        assert velocity_of(recording, 0, 7)[:2] == pytest.approx((10.0 - math.pi * 3.5, 0.0), abs=1e-4)
        recording.undo()
        assert saved(recording) == before


def test_a_change_of_lanes_is_eased(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording:
        recording.apply(offset_path(recording, life_of(recording, 7), range(11), -3.0, ease_in=0.5, ease_out=0.5))
        weights = [3 * u * u - 2 * u**3 for u in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 0.8, 0.6, 0.4, 0.2, 0.0)]
        assert path_of(recording, 7)[:, 1] == pytest.approx([-300.0 * each for each in weights], abs=1e-3)
        assert velocity_of(recording, 2, 7)[:2] == pytest.approx((10.0, -3.0 * 6 * 0.4 * 0.6 / 0.5), abs=1e-4)
        assert velocity_of(recording, 0, 7) == (10.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("metres", [0.0, math.nan, math.inf])
def test_a_shift_is_a_number_other_than_0(tmp_path: Path, metres: float) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording, pytest.raises(EditError, match="other than 0"):
        offset_path(recording, life_of(recording, 7), None, metres)


def test_who_is_attached_follows_a_shift_and_a_turn(tmp_path: Path) -> None:
    attach = b.packet(4, b.event_parent([{"child": 9, "parent": 7}]))

    def behind(frame: int) -> tuple[float, float, float, float]:
        x, y, z, yaw = around(frame)
        angle = math.radians(yaw)
        return x - 500.0 * math.cos(angle), y - 500.0 * math.sin(angle), z, yaw

    data = drive({7: around, 9: behind}, more=lambda n: [attach] if n == 0 else [])
    with opened(tmp_path, data) as recording:
        recording.apply(smooth_path(recording, life_of(recording, 7), range(11), 0.6))
        car, trailer = path_of(recording, 7), path_of(recording, 9)
        assert np.abs(car[5] - around(5)).max() > 10.0
        angle = np.radians(car[:, 3])
        assert trailer[:, 0] == pytest.approx(car[:, 0] - 500.0 * np.cos(angle), abs=0.05)
        assert trailer[:, 1] == pytest.approx(car[:, 1] - 500.0 * np.sin(angle), abs=0.05)


def test_it_reports_and_can_be_cancelled_and_says_what_was_meant(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: jagged})) as recording:
        life, reports = life_of(recording, 7), []
        edit = smooth_path(recording, life, range(2, 9), 0.3, progress=Progress(lambda *at: reports.append(at)))
        assert reports
        assert edit.label == "Smooth the path of 7 over 7 frames"
        assert edit.intent is not None
        assert edit.intent.operation == "smooth_path"
        assert edit.intent.arguments["window"] == 0.3
        assert (edit.intent.arguments["from"], edit.intent.arguments["to"]) == (0.2, 0.8)
        for cancelled in (smooth_path, offset_path):
            with pytest.raises(Cancelled):
                cancelled(recording, life, range(11), 0.3, progress=Progress(is_cancelled=lambda: True))


@of_real(BIKES)
def test_real_recordings_change_in_the_named_actor_alone(sound_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        before = saved(recording)
        packet = recording[1].packet("AnimVehicle")
        assert packet is not None
        name = "AnimVehicle" if len(packet.decoded) else "Position"
        found = recording[1].packet(name)
        assert found is not None
        actor = int(found.array["id"][-1])
        life = Actors.of(recording.snapshot).at(actor, 1)
        assert life is not None
        stop = len(recording.snapshot) if life.gone is None else life.gone
        frames = range(life.born, stop)
        was = path_of(recording, actor, frames)
        recording.apply(offset_path(recording, life, frames, 3.5, ease_in=1.0, ease_out=1.0))
        shifted = path_of(recording, actor, frames)
        middle = len(was) // 2
        assert np.hypot(*(shifted - was)[middle, :2]) == pytest.approx(350.0, abs=0.1)
        assert (shifted[[0, -1]] == was[[0, -1]]).all()
        assert all_sound(recording)
        assert others_are_the_same(before, recording, {actor}, tmp_path)
        recording.undo()
        try:
            recording.apply(smooth_path(recording, life, frames, 0.5))
        except EditError:
            assert (was == was[0]).all()
            return
        now = path_of(recording, actor, frames)
        assert (now[[0, -1]] == was[[0, -1]]).all()
        assert all_sound(recording)
        assert others_are_the_same(before, recording, {actor}, tmp_path)
        recording.undo()
        assert saved(recording) == before
