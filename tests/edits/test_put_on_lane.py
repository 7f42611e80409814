"""Putting a path on the lanes of a road map: in the middle, with the lane's heading, and back as it was by undo."""

from pathlib import Path

import numpy as np
import pytest

from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.errors import EditError, MapError

from ..roads.builders import arc, geometry, opendrive, road
from .drives import all_sound, drive, life_of, opened, others_are_the_same, path_of, saved, velocity_of

CAR, OTHER = 7, 9
FRAMES = 31
RADIUS = 80.0
BEND = opendrive(road(plan=geometry(arc(-1 / RADIUS), 100.0)))
"""A road to the right in a bend (y is mirrored): lane -1 has a radius of 78.25 m about (0, 80 m)."""


def meandering(frame: int) -> tuple[float, float, float, float]:
    """About 2 m/frame along lane -1, a metre to both sides of it, with another heading."""
    angle, out = 0.025 * frame + 0.05, RADIUS - 1.75 + np.sin(frame)
    x, y = out * np.sin(angle), RADIUS - out * np.cos(angle)
    return 100 * x, 100 * y, 50.0 + frame, np.degrees(angle) + 5 * np.cos(frame)


def in_reverse(frame: int) -> tuple[float, float, float, float]:
    x, y, z, yaw = meandering(frame)
    return x, y, z, yaw + 180.0


@pytest.fixture
def xodr(tmp_path: Path) -> Path:
    path = tmp_path / "bend.xodr"
    path.write_bytes(BEND)
    return path


def recorded(tmp_path: Path, pose: object = meandering) -> bytes:
    still = (0.0, -99_900.0, 50.0, 0.0)
    return drive({CAR: pose, OTHER: lambda _frame: still}, FRAMES, velocity=lambda _actor, _frame: (0.0,) * 6, step=0.1)


def put(recording: Recording, xodr: Path, frames: range | None = None, **eased: float) -> None:
    recording.apply(edits.put_on_lane(recording, life_of(recording, CAR), frames, xodr, **eased))


@pytest.mark.parametrize(("pose", "turned"), [(meandering, 0.0), (in_reverse, 180.0)])
def test_each_place_is_in_the_middle_of_the_lane_with_its_heading_or_against_it(
    tmp_path: Path, xodr: Path, pose: object, turned: float
) -> None:
    with opened(tmp_path, recorded(tmp_path, pose), "ue4-2026") as recording:
        before = path_of(recording, CAR)
        put(recording, xodr)
        after = path_of(recording, CAR)
        x, y = after[:, 0] / 100, after[:, 1] / 100
        assert np.hypot(x, y - RADIUS) == pytest.approx(RADIUS - 1.75, abs=1e-3)
        heading = np.degrees(np.arctan2(x, RADIUS - y)) + turned
        assert (after[:, 3] - heading + 180) % 360 - 180 == pytest.approx(0.0, abs=0.01)
        assert np.array_equal(after[:, 2], before[:, 2])
        # To the side only: it is as far along the lane as it was.
        assert np.arctan2(x, RADIUS - y) == pytest.approx(0.025 * np.arange(FRAMES) + 0.05, abs=1e-4)
        assert recording.history.steps[0].label == "Put 7 on its lane over 31 frames"
        assert all_sound(recording)


def test_only_its_records_in_the_range_change_and_the_change_can_grow(tmp_path: Path, xodr: Path) -> None:
    with opened(tmp_path, recorded(tmp_path), "ue4-2026") as recording:
        before, there = saved(recording), path_of(recording, CAR)
        put(recording, xodr, range(10, 21), ease_in=0.5, ease_out=0.5)
        after = path_of(recording, CAR)
        changed = np.flatnonzero((after != there).any(axis=1))
        assert (changed[0], changed[-1]) == (11, 19)
        assert np.hypot(after[15, 0], after[15, 1] - 100 * RADIUS) == pytest.approx(100 * RADIUS - 175.0, abs=0.1)
        assert others_are_the_same(before, recording, {CAR}, tmp_path)
        recording.undo()
        assert saved(recording) == before


def test_the_velocity_of_the_change_is_added(tmp_path: Path, xodr: Path) -> None:
    with opened(tmp_path, recorded(tmp_path), "ue4-2026") as recording:
        there = path_of(recording, CAR)
        put(recording, xodr)
        gained = (path_of(recording, CAR) - there)[:, :2] / 100
        for frame in (5, 17):
            wanted = (gained[frame + 1] - gained[frame - 1]) / 0.2
            assert velocity_of(recording, frame, CAR)[:2] == pytest.approx(wanted, abs=1e-3)


def test_a_lane_that_crosses_the_path_does_not_turn_it(tmp_path: Path) -> None:
    along = road(1, 100.0)
    across = road(2, 100.0, geometry(length=100.0, x=50.0, y=-50.0, heading=np.pi / 2))
    xodr = tmp_path / "crossing.xodr"
    xodr.write_bytes(opendrive(along, across))

    def beside(frame: int) -> tuple[float, float, float, float]:
        return 300.0 * frame + 500.0, 220.0, 0.0, 3.0

    with opened(tmp_path, recorded(tmp_path, beside), "ue4-2026") as recording:
        put(recording, xodr)
        after = path_of(recording, CAR)
        assert after[:, 1] == pytest.approx(175.0, abs=0.1)
        assert after[:, 3] == pytest.approx(0.0, abs=0.01)
        assert after[:, 0] == pytest.approx(300.0 * np.arange(FRAMES) + 500.0, abs=0.1)


def test_what_cannot_be_done_is_a_sentence(tmp_path: Path, xodr: Path) -> None:
    with opened(tmp_path, recorded(tmp_path), "ue4-2026") as recording:
        with pytest.raises(EditError, match=r"Actor 9 is more than 10 m from every lane of bend\. \(frame 1\)"):
            edits.put_on_lane(recording, life_of(recording, OTHER), None, xodr)
        with pytest.raises(EditError, match="No such file"):
            edits.put_on_lane(recording, life_of(recording, CAR), None, tmp_path / "none.xodr")
        xodr.write_text("<OpenDRIVE>")
        with pytest.raises(MapError):
            edits.put_on_lane(recording, life_of(recording, CAR), None, xodr)
        xodr.write_bytes(opendrive(road(plan=geometry(length=100.0, heading=np.pi / 2, x=2.0, y=-50.0))))
        with pytest.raises(EditError, match="drives across the lanes of bend, not along them"):
            edits.put_on_lane(recording, life_of(recording, CAR), range(3), xodr)
