"""A real recording replays the same in another release, as far as that can tell it, and again when taken back."""

import random
from pathlib import Path

import pytest

from recorder_editor.api import open_recording
from recorder_editor.edits.convert import convert
from recorder_editor.edits.trim import trim

from ..recording.films import BIKES, SCENE_LIGHTS, of_real
from ..replaying import assert_no_new_warnings, assert_replays_same

LONGEST = 60


@pytest.mark.parametrize("target", ["ue4-0.9.6", "ue4-0.9.15", "ue5-2026"])
@of_real(SCENE_LIGHTS)
def test_a_stretch_of_a_real_recording_replays_the_same_there_and_back(short_recording: Path, target: str) -> None:
    chance = random.Random(short_recording.name + target)
    with open_recording(short_recording) as recording:
        snapshot = recording.snapshot
        source = snapshot.dialect.name
        if source == target:
            pytest.skip("it is one of that release already")
        first = chance.randrange(len(snapshot) - 2)
        stop = min(len(snapshot), first + chance.randint(2, LONGEST))
        stretch = snapshot.after(trim(snapshot, range(first, stop)))
        there = convert(stretch, target, keep_blueprints=True)
        converted = stretch.after(there.edit)
        lost = {loss.name for loss in there.losses if loss.kind == "packet"}
        # The newest simulators refuse the uid 0, which some releases wrote for the props of a level.
        assert_replays_same(snapshot, first, stop, converted, without=lost, release=source)
        assert_no_new_warnings(snapshot, converted)
        back = converted.after(convert(converted, source, keep_blueprints=True).edit)
        assert back.dialect.name == source
        assert_replays_same(snapshot, first, stop, back, without=lost)
        assert_no_new_warnings(snapshot, back)


@of_real(BIKES)
def test_a_converted_recording_is_trimmed_to_what_the_original_is(short_recording: Path) -> None:
    chance = random.Random(short_recording.name)
    with open_recording(short_recording) as recording:
        snapshot = recording.snapshot
        first = chance.randrange(len(snapshot) - 2)
        stop = min(len(snapshot), first + LONGEST)
        converted = snapshot.after(convert(snapshot, "ue5-2026", keep_blueprints=True).edit)
        trimmed = converted.after(trim(converted, range(first, stop)))
        # The newest simulators refuse the uid 0, which some releases wrote for the props of a level.
        assert_replays_same(snapshot, first, stop, trimmed, release=snapshot.dialect.name)
