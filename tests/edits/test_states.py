"""Setting traffic lights, vehicle lights and the weather over a range of frames."""

import math
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.api import Recording
from recorder_editor.edits.states import set_traffic_lights, set_vehicle_lights, set_weather
from recorder_editor.errors import Cancelled, EditError, FieldError
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors

from .. import builders as b
from ..recording.films import OPENDRIVE, of_real
from .drives import all_sound, drive, life_of, opened, others_are_the_same, saved, told

STATE = ("state", "frozen", "elapsed")


def ahead(frame: int) -> tuple[float, float, float, float]:
    return 100.0 * frame, 0.0, 50.0, 0.0


def crossing(frame: int) -> list[bytes]:
    """Two lights, red for as long as the drive lasts, and a stop sign; a car's low beam."""
    lights = [
        b.actor(2, 3, "traffic.traffic_light"),
        b.actor(3, 3, "traffic.traffic_light"),
        b.actor(4, 4, "traffic.stop"),
    ]
    states = [{"id": each, "frozen": False, "elapsed": 0.5 * frame, "state": 0} for each in (2, 3)]
    return [
        b.packet(2, b.event_add(lights if frame == 0 else [])),
        b.packet(7, b.traffic_light_state(states)),
        b.packet(10, b.vehicle_light([{"id": 7, "lights": 0x2}, {"id": 9, "lights": 0x2}])),
    ]


DRIVE = drive({7: ahead, 9: ahead}, more=crossing)


# --- traffic lights -------------------------------------------------------------------------------------


def test_a_light_is_green_over_the_range_and_the_rest_stays_to_the_bit(tmp_path: Path) -> None:
    with opened(tmp_path, DRIVE) as recording:
        before = saved(recording)
        edit = set_traffic_lights(recording, [life_of(recording, 3)], "Green", range(2, 5))
        assert edit.label == "Set 3 to green over 3 frames"
        recording.apply(edit)
        assert [told(recording, frame, "State", 3, *STATE) for frame in (1, 2, 4, 5)] == [
            (0.0, 0.0, 0.5),
            (2.0, 0.0, 1.0),
            (2.0, 0.0, 2.0),
            (0.0, 0.0, 2.5),
        ]
        after = saved(recording)
        assert sum(one != two for one, two in zip(before, after, strict=True)) == 3
        assert others_are_the_same(before, recording, {3}, tmp_path)
        recording.undo()
        assert saved(recording) == before


def test_the_time_in_the_state_counts_on_unless_it_is_frozen(tmp_path: Path) -> None:
    with opened(tmp_path, DRIVE) as recording:
        lives = [life_of(recording, 2), life_of(recording, 3)]
        recording.apply(set_traffic_lights(recording, lives, 1, range(2, 5), elapsed=3.0))
        assert [told(recording, frame, "State", 2, *STATE) for frame in (2, 3, 4)] == [
            (1.0, 0.0, 3.0),
            (1.0, 0.0, pytest.approx(3.1)),
            (1.0, 0.0, pytest.approx(3.2)),
        ]
        recording.apply(set_traffic_lights(recording, lives, "off", frozen=True, elapsed=7.0))
        assert {told(recording, frame, "State", 3, *STATE) for frame in range(11)} == {(3.0, 1.0, 7.0)}


def test_what_is_no_traffic_light_and_no_state_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path, DRIVE) as recording:
        light = life_of(recording, 2)
        for wrong in ("purple", 9, -1):
            with pytest.raises(EditError, match="red, yellow, green, off, unknown"):
                set_traffic_lights(recording, [light], wrong)
        for actor in (4, 7):
            with pytest.raises(EditError, match="not a traffic light"):
                set_traffic_lights(recording, [life_of(recording, actor)], "red")
        with pytest.raises(EditError, match="already"):
            set_traffic_lights(recording, [light], "red")
        with pytest.raises(EditError, match="no State of these actors"):
            set_traffic_lights(recording, [light], "green", range(40, 50))
        with pytest.raises(EditError, match="No actor"):
            set_traffic_lights(recording, [], "green")
        for wrong in (math.nan, 1e308):
            with pytest.raises(FieldError, match="seconds"):
                set_traffic_lights(recording, [light], "green", elapsed=wrong)
        with pytest.raises(Cancelled):
            set_traffic_lights(recording, [light], "green", progress=Progress(is_cancelled=lambda: True))


def test_the_intent_names_the_state_and_the_seconds(tmp_path: Path) -> None:
    with opened(tmp_path, DRIVE) as recording:
        intent = set_traffic_lights(recording, [life_of(recording, 2)], 2, range(2, 5)).intent
        assert intent is not None
        assert intent.operation == "set_traffic_lights"
        assert dict(intent.arguments) == {
            "actors": [{"id": 2, "blueprint": "traffic.traffic_light", "life": 0, "place": [0, 0, 0]}],
            "state": "green",
            "frozen": None,
            "elapsed": None,
            "from": 0.2,
            "to": 0.4,
        }


# --- vehicle lights -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "mask", "expected", "label"),
    [
        ("set", 0x9, 0x9, "Set lights of 7: Position, Brake, over 4 frames"),
        ("set", 0x0, 0x0, "Set lights of 7: none, over 4 frames"),
        ("add", 0x21, 0x23, "Switch on lights of 7: Position, LeftBlinker, over 4 frames"),
        ("remove", 0x6, 0x0, "Switch off lights of 7: LowBeam, HighBeam, over 4 frames"),
    ],
)
def test_lights_are_set_switched_on_and_off(tmp_path: Path, mode: Any, mask: int, expected: int, label: str) -> None:
    with opened(tmp_path, DRIVE) as recording:
        before = saved(recording)
        edit = set_vehicle_lights(recording, [life_of(recording, 7)], mask, range(3, 7), mode=mode)
        assert edit.label == label
        recording.apply(edit)
        lights = [told(recording, frame, "VehicleLight", 7, "lights")[0] for frame in range(11)]
        assert lights == [2.0] * 3 + [float(expected)] * 4 + [2.0] * 4
        assert others_are_the_same(before, recording, {7}, tmp_path)
        recording.undo()
        assert saved(recording) == before


def test_lights_that_cannot_be_set_are_refused(tmp_path: Path) -> None:
    with opened(tmp_path, DRIVE) as recording:
        car = life_of(recording, 7)
        with pytest.raises(EditError, match="already"):
            set_vehicle_lights(recording, [car], 0x2)
        with pytest.raises(EditError, match="no VehicleLight"):
            set_vehicle_lights(recording, [life_of(recording, 2)], 0x2)
        with pytest.raises(EditError, match="set, added or removed"):
            set_vehicle_lights(recording, [car], 1, mode="blink")  # type: ignore[arg-type]
        for mask in (-1, 1 << 32):
            with pytest.raises(FieldError, match="32 bits"):
                set_vehicle_lights(recording, [car], mask)
    with opened(tmp_path, drive({7: ahead}), "ue4-0.9.6") as recording, pytest.raises(EditError, match="`convert`"):
        set_vehicle_lights(recording, [life_of(recording, 7)], 1)


# --- weather --------------------------------------------------------------------------------------------


def sky(**values: Any) -> dict[str, Any]:
    return {**{name: 10.0 + number for number, name in enumerate(b.WEATHER)}, **values}


def skies(*told_in: int) -> bytes:
    """A drive whose weather is told in these frames: cloudiness is the number of the frame."""
    return drive(
        {7: ahead}, 8, more=lambda n: [b.packet(24, b.weather([sky(cloudiness=float(n))]))] if n in told_in else []
    )


def weather_of(recording: Recording) -> dict[int, list[tuple[float, float, float]]]:
    """Cloudiness, rain and wind by the frames that tell them."""
    return {
        frame.index: [(w["cloudiness"], w["precipitation"], w["wind_intensity"]) for w in packet.records]
        for frame in recording
        for packet in frame.packets
        if packet.name == "Weather"
    }


def test_a_range_gets_the_weather_in_force_with_other_values_and_ends_with_what_it_was(tmp_path: Path) -> None:
    with opened(tmp_path, skies(0), "ue4-2026") as recording:
        before = saved(recording)
        reports: list[tuple[int, int]] = []
        edit = set_weather(
            recording, {"precipitation": 80.0}, range(3, 6), progress=Progress(lambda *at: reports.append(at))
        )
        assert reports == [(2, 2)]
        assert edit.label == "Set precipitation over 3 frames"
        recording.apply(edit)
        assert weather_of(recording) == {0: [(0.0, 11.0, 13.0)], 3: [(0.0, 80.0, 13.0)], 6: [(0.0, 11.0, 13.0)]}
        names = [packet.name for packet in recording[3].packets]
        assert names.index("Weather") == names.index("Kinematics") - 1
        assert all_sound(recording)
        recording.undo()
        assert saved(recording) == before


def test_changes_on_the_way_keep_their_other_values_and_the_last_one_is_put_back(tmp_path: Path) -> None:
    with opened(tmp_path, skies(0, 3, 4), "ue4-2026") as recording:
        recording.apply(set_weather(recording, {"precipitation": 80.0, "wind_intensity": 5.0}, range(3, 6)))
        assert weather_of(recording) == {
            0: [(0.0, 11.0, 13.0)],
            3: [(3.0, 80.0, 5.0)],
            4: [(4.0, 80.0, 5.0)],
            6: [(4.0, 11.0, 13.0)],
        }


def test_a_frame_that_tells_its_own_weather_needs_none_put_back(tmp_path: Path) -> None:
    with opened(tmp_path, skies(0, 6), "ue4-2026") as recording:
        recording.apply(set_weather(recording, {"precipitation": 80.0}, range(3, 6)))
        assert weather_of(recording) == {0: [(0.0, 11.0, 13.0)], 3: [(0.0, 80.0, 13.0)], 6: [(6.0, 11.0, 13.0)]}


def test_a_range_to_the_end_has_nothing_to_put_back(tmp_path: Path) -> None:
    with opened(tmp_path, skies(0), "ue4-2026") as recording:
        recording.apply(set_weather(recording, {"precipitation": 80.0}))
        assert weather_of(recording) == {0: [(0.0, 80.0, 13.0)]}


def test_without_weather_before_the_range_all_values_are_needed(tmp_path: Path) -> None:
    with opened(tmp_path, skies(), "ue4-2026") as recording:
        with pytest.raises(EditError, match="missing are cloudiness, precipitation_deposits, "):
            set_weather(recording, {"precipitation": 80.0}, range(3, 6))
        recording.apply(set_weather(recording, sky(), range(3, 6)))
        assert weather_of(recording) == {3: [(10.0, 11.0, 13.0)]}


def test_weather_of_other_releases_and_unknown_values_are_refused(tmp_path: Path) -> None:
    with opened(tmp_path, skies(0), "ue4-0.9.12") as recording, pytest.raises(EditError, match="`convert` to ue4-2026"):
        set_weather(recording, {"precipitation": 80.0})
    with opened(tmp_path, skies(0), "ue4-2026") as recording:
        with pytest.raises(EditError, match="hail is not a value of the weather; there are cloudiness"):
            set_weather(recording, {"hail": 1.0})
        with pytest.raises(EditError, match="change a value first"):
            set_weather(recording, {})
        with pytest.raises(FieldError, match="number"):
            set_weather(recording, {"precipitation": math.inf})
        with pytest.raises(FieldError):
            set_weather(recording, {"precipitation": 1e300})
        with pytest.raises(EditError, match="no frames"):
            set_weather(recording, {"precipitation": 1.0}, range(20, 30))
        for frames in (None, range(2, 4)):
            with pytest.raises(EditError, match="already"):
                set_weather(recording, {"precipitation": 11.0}, frames)
        with pytest.raises(Cancelled):
            set_weather(recording, {"precipitation": 1.0}, progress=Progress(is_cancelled=lambda: True))


# --- real recordings ------------------------------------------------------------------------------------


@of_real(OPENDRIVE)
def test_real_lights_change_in_the_named_actors_alone(sound_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        before = saved(recording)
        lives = [life for life in Actors.of(recording.snapshot) if life.class_ == "traffic light"][:2]
        frames = range(3, min(60, len(recording.snapshot)))
        if not lives:
            with pytest.raises(EditError, match="No actor"):
                set_traffic_lights(recording, lives, "off", frames)
            return
        recording.apply(set_traffic_lights(recording, lives, "off", frames, frozen=True, elapsed=0.0))
        named = {life.actor for life in lives}
        assert all_sound(recording)
        assert others_are_the_same(before, recording, named, tmp_path)
        for life in lives:
            assert {told(recording, frame, "State", life.actor, *STATE) for frame in frames} == {(3.0, 1.0, 0.0)}
        recording.undo()
        assert saved(recording) == before
