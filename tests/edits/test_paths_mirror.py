"""Mirroring paths: places, headings, velocities, and what says left or right."""

import math
from pathlib import Path

import numpy as np
import pytest

import recorder_editor
from recorder_editor.edits import mirror_path, replace_where
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors

from .. import builders as b
from ..recording.films import BIKES, of_real
from .drives import all_sound, drive, life_of, opened, others_are_the_same, path_of, pose_of, saved, told, velocity_of


def aslant(frame: int) -> tuple[float, float, float, float]:
    return 100.0 * frame, 50.0 * frame + 300.0, 20.0, 30.0


def moving(actor: int, frame: int) -> tuple[float, ...]:
    return 10.0, 5.0, 1.0, 2.0, 3.0, 4.0


def turns(wheels: list[tuple[int, float, float]], actor: int = 7) -> bytes:
    told = [{"location": place, "steering": steering, "rotation": rotation} for place, steering, rotation in wheels]
    return b.packet(21, b.vehicle_wheels([{"id": actor, "wheels": told}]))


def control(steering: object) -> bytes:
    return b.packet(
        8,
        b.anim_vehicle(
            [
                {"id": actor, "steering": steering, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": 1}
                for actor in (7, 9)
            ]
        ),
    )


def test_over_the_x_axis_y_and_every_turn_change_their_sign(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: aslant, 9: aslant}, velocity=moving)) as recording:
        before = saved(recording)
        edit = mirror_path(recording, [life_of(recording, 7)], None, (5.0, 1.0), 0.0)
        assert edit.label == "Mirror 7 over 11 frames"
        recording.apply(edit)
        for frame in (0, 4, 10):
            x, y, z, yaw = aslant(frame)
            assert pose_of(recording, frame, 7) == (x, 200.0 - y, z, -yaw)
        assert pose_of(recording, 0, 7, "EventAdd") == (0.0, -100.0, 20.0, -30.0)
        assert velocity_of(recording, 3, 7) == (10.0, -5.0, 1.0, -2.0, 3.0, -4.0)
        assert others_are_the_same(before, recording, {7}, tmp_path)
        recording.undo()
        assert saved(recording) == before


def test_over_any_line_the_line_stays_and_the_path_is_as_far_from_it(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: aslant}, velocity=moving)) as recording:
        was = path_of(recording, 7)
        recording.apply(mirror_path(recording, [life_of(recording, 7)], range(11), (2.0, 1.0), 20.0))
        now = path_of(recording, 7)
        normal = np.array([-math.sin(math.radians(20.0)), math.cos(math.radians(20.0))])
        along = np.array([math.cos(math.radians(20.0)), math.sin(math.radians(20.0))])
        before, after = was[:, :2] - [200.0, 100.0], now[:, :2] - [200.0, 100.0]
        assert after @ normal == pytest.approx(-(before @ normal), abs=1e-3)
        assert after @ along == pytest.approx(before @ along, abs=1e-3)
        assert now[:, 3] == pytest.approx(np.full(11, 10.0), abs=1e-4)
        velocity = np.array(velocity_of(recording, 3, 7)[:2])
        assert velocity @ along == pytest.approx(np.array([10.0, 5.0]) @ along, abs=1e-5)
        assert velocity @ normal == pytest.approx(-(np.array([10.0, 5.0]) @ normal), abs=1e-5)


def test_who_leans_to_the_left_leans_to_the_right_and_as_far_forwards(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: aslant})) as recording:
        recording.apply(replace_where(recording, "Position: rotation.roll = 10"))
        recording.apply(replace_where(recording, "Position: rotation.pitch = 5"))
        recording.apply(mirror_path(recording, [life_of(recording, 7)], None, (5.0, 1.0), 20.0))
        assert told(recording, 4, "Position", 7, "rotation.roll", "rotation.pitch") == (-10.0, 5.0)


def test_mirroring_twice_is_what_it_was(tmp_path: Path) -> None:
    more = [
        control(0.25),
        turns([(0, 10.0, 1.0), (1, 12.0, 2.0), (2, 0.0, 3.0), (3, 0.5, 4.0)]),
        b.packet(10, b.vehicle_light([{"id": 7, "lights": 0x11}, {"id": 9, "lights": 0x30}])),
    ]
    data = drive({7: aslant, 9: aslant}, velocity=moving, more=lambda n: more)
    with opened(tmp_path, data, "ue4-0.9.15") as recording:
        before = saved(recording)
        for _ in range(2):
            recording.apply(mirror_path(recording, [life_of(recording, 7)], None, (5.0, 1.0), 90.0))
        assert saved(recording) == before


def test_steering_and_blinkers_change_sides(tmp_path: Path) -> None:
    lamps = b.packet(10, b.vehicle_light([{"id": 7, "lights": 0x511}, {"id": 9, "lights": 0x10}]))
    data = drive({7: aslant, 9: aslant}, more=lambda n: [control(0.25 if n else -0.0), lamps])
    with opened(tmp_path, data) as recording:
        before = saved(recording)
        recording.apply(mirror_path(recording, [life_of(recording, 7)], range(5), (0.0, 0.0), 0.0))
        assert told(recording, 1, "AnimVehicle", 7, "steering", "throttle") == (-0.25, 0.5)
        assert told(recording, 1, "AnimVehicle", 9, "steering") == (0.25,)
        assert math.copysign(1.0, told(recording, 0, "AnimVehicle", 7, "steering")[0]) == -1.0
        assert told(recording, 1, "VehicleLight", 7, "lights") == (float(0x521),)
        assert told(recording, 1, "VehicleLight", 9, "lights") == (float(0x10),)
        assert told(recording, 6, "VehicleLight", 7, "lights") == (float(0x511),)
        assert others_are_the_same(before, recording, {7}, tmp_path)


def test_wheels_change_places_with_those_across_and_a_bicycle_has_none_across(tmp_path: Path) -> None:
    def both(frame: int) -> list[bytes]:
        car = [(0, 10.0, 1.0), (1, 12.0, 2.0), (2, 0.0, 3.0), (3, 0.5, 4.0)]
        return [
            b.packet(
                21,
                b.vehicle_wheels(
                    [
                        {
                            "id": actor,
                            "wheels": [{"location": at, "steering": s, "rotation": r + frame} for at, s, r in wheels],
                        }
                        for actor, wheels in ((7, car), (9, car[:2]), (11, car))
                    ]
                ),
            )
        ]

    with opened(tmp_path, drive({7: aslant, 9: aslant, 11: aslant}, more=both), "ue4-0.9.15") as recording:
        before = saved(recording)
        lives = [life_of(recording, 7), life_of(recording, 9)]
        recording.apply(mirror_path(recording, lives, range(2, 11), (0.0, 0.0), 0.0))
        packet = recording[5].packet("AnimVehicleWheels")
        assert packet is not None
        wheels = [
            [(w["location"], w["steering"], w["rotation"]) for w in record["wheels"]] for record in packet.records
        ]
        assert wheels[0] == [(0, -12.0, 7.0), (1, -10.0, 6.0), (2, -0.5, 9.0), (3, 0.0, 8.0)]
        assert wheels[1] == [(0, -10.0, 6.0), (1, -12.0, 7.0)]
        assert wheels[2] == [(0, 10.0, 6.0), (1, 12.0, 7.0), (2, 0.0, 8.0), (3, 0.5, 9.0)]
        assert recording[1].data == before[len(b.header()) :][len(recording[0].data) :][: len(recording[1].data)]
        assert others_are_the_same(before, recording, {7, 9}, tmp_path)


def test_what_cannot_be_mirrored_is_refused(tmp_path: Path) -> None:
    light = b.packet(2, b.event_add([b.actor(3, 3, "traffic.traffic_light")]))
    with opened(tmp_path, drive({7: aslant}, more=lambda n: [light] if n == 0 else [])) as recording:
        life = life_of(recording, 7)
        with pytest.raises(EditError, match="by their position"):
            mirror_path(recording, [life_of(recording, 3)], None, (0.0, 0.0), 0.0)
        with pytest.raises(EditError, match="point in metres"):
            mirror_path(recording, [life], None, (math.nan, 0.0), 0.0)
        with pytest.raises(EditError, match="no position"):
            mirror_path(recording, [life], range(20, 30), (0.0, 0.0), 0.0)
        with pytest.raises(Cancelled):
            mirror_path(recording, [life], None, (0.0, 0.0), 0.0, progress=Progress(is_cancelled=lambda: True))


@of_real(BIKES)
def test_real_recordings_change_in_the_named_actors_alone(sound_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        before = saved(recording)
        lives = [life for life in Actors.of(recording.snapshot) if life.class_ in ("vehicle", "two-wheeler", "walker")]
        recording.apply(mirror_path(recording, lives, None, (10.0, -20.0), 35.0))
        assert all_sound(recording)
        assert others_are_the_same(before, recording, {life.actor for life in lives}, tmp_path)
        recording.undo()
        assert saved(recording) == before
