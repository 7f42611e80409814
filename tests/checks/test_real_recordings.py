"""The warnings that the simulator's own recordings have; each was looked at in the data, and is right."""

from collections import Counter
from pathlib import Path

import recorder_editor
from recorder_editor.checks import check

SEEN: dict[str, dict[str, int]] = {
    # 115 props of the level (static.prop) are recorded without a uid.
    "carla-0.9.10-town01-scene-lights.log": {"replay-uid-0": 1},
    # Five cars of the background brake with a NaN of their controller, up to 414 frames each.
    "carla-0.9.13-town05-collisions.log": {"not-a-number": 5},
    # The spectator has the id 24, and a position in every frame.
    "carla-0.9.15-town05-bikes.log": {"replay-spectator": 1},
    # Six cars were falling under the map when the recording began, and were put back onto it in frame 61.
    "carla-0.9.6-town03-walkers.rec": {"below-ground": 6, "teleport": 6},
}


def test_real_recordings_have_no_errors_and_the_warnings_that_are_right(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        findings = check(recording.snapshot)
    assert {finding.severity for finding in findings} <= {"warning"}
    assert Counter(finding.code for finding in findings) == Counter(SEEN.get(sound_recording.name, {}))
