"""Scripts of earlier forms: one step of every operation, as the version that saved it, does what it did then."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from recorder_editor.api import Recording
from recorder_editor.edits.script import read_script, run_step

from .. import builders as b
from .drives import opened, saved

FORM_1 = Path(__file__).with_name("scripts_of_form_1.json")
"""By name: `dialect` of the recording, `script` as saved, `sha256` of the result, by the last version of form 1."""

TESLA, AUDI, LAMP = "vehicle.tesla.model3", "vehicle.audi.tt", "traffic.traffic_light"


def town(frames: int = 12, step: float = 0.1) -> bytes:
    """A hero (7) who drives along x and trembles, another car (9) from the third frame on, a lamp (3)."""
    made = []
    for n in range(frames):
        places = {7: b.xyz(100.0 * n, 3.0 * (n % 3), 50.0)} | ({9: b.xyz(700.0, 80.0 * n, 40.0)} if n >= 2 else {})
        turns = {7: b.turn(), 9: b.turn(0.0, 0.0, 90.0)}
        births = [b.actor(9, 1, AUDI, places[9], turns[9], 31)] if n == 2 else []
        if n == 0:
            role = [b.attribute(6, "role_name", "hero"), b.attribute(6, "color", "1,2,3")]
            lamp = b.actor(3, 3, LAMP, b.xyz(500.0, 900.0, 0.0), b.turn(), uid=7)
            births = [lamp, b.actor(7, 1, TESLA, places[7], turns[7], 24, role)]
        control = {"steering": 0.25, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": 1}
        velocity = {"linear_velocity": b.xyz(10.0, 0.5, 0.0), "angular_velocity": b.xyz(0.0, 0.0, 2.0)}
        lamp_state = {"id": 3, "frozen": False, "elapsed": n * step, "state": 0}
        packets = [
            b.packet(2, b.event_add(births)),
            b.packet(6, b.position([b.pose(actor, place, turns[actor]) for actor, place in places.items()])),
            b.packet(7, b.traffic_light_state([lamp_state])),
            b.packet(8, b.anim_vehicle([{"id": actor, **control} for actor in places])),
            b.packet(10, b.vehicle_light([{"id": actor, "lights": 2} for actor in places])),
            b.packet(12, b.kinematics([{"id": actor, **velocity} for actor in places])),
        ]
        made.append(b.frame(n + 1, n * step, -1.0 if n == frames - 1 else step, packets))
    return b.recording(*made)


def recording_of(dialect: str) -> bytes:
    return town() if dialect == "ue4-0.9.12" else b.everything(dialect)


def done(recording: Recording, text: str) -> str:
    for step in read_script(text).steps:
        recording.apply(run_step(recording.snapshot, step).edit)
    return hashlib.sha256(saved(recording)).hexdigest()


def test_a_step_of_every_operation_saved_by_form_1_does_what_it_did(tmp_path: Path, subtests: pytest.Subtests) -> None:
    told: dict[str, dict[str, Any]] = json.loads(FORM_1.read_text(encoding="utf-8"))
    for name, case in told.items():
        with subtests.test(name), opened(tmp_path, recording_of(case["dialect"]), case["dialect"]) as recording:
            assert case["script"]["script"] == 1
            assert done(recording, json.dumps(case["script"])) == case["sha256"]
