"""The full text of every real recording, read by patterns and held against the recording's values."""

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.queries.reports import info_report
from recorder_editor.recording.contents import Frame

from .reader import read

KINDS = {
    "position": ("Position", ("id", "location.x", "location.y", "location.z", "rotation.roll", "rotation.pitch",
                              "rotation.yaw")),
    "light": ("State", ("id", "state", "frozen", "elapsed")),
    "vehicle": ("AnimVehicle", ("id", "steering", "throttle", "brake", "handbrake", "gear")),
    "walker": ("AnimWalker", ("id", "speed")),
    "kinematics": ("Kinematics", ("id", *(f"{group}_velocity.{axis}" for group in ("linear", "angular")
                                          for axis in "xyz"))),
    "times": ("TrafficLightTime", ("id", "green", "yellow", "red")),
    "destroy": ("EventDel", ("id",)),
    "parenting": ("EventParent", ("child", "parent")),
}  # fmt: skip


def near(text: str, value: Any) -> bool:
    """The text is the value to six digits."""
    return text == f"{float(value):g}" or text.lstrip("-") == "nan" != value


def stored(frame: Frame, name: str, paths: Sequence[str]) -> list[tuple[Any, ...]]:
    packet = frame.packet(name)
    if packet is None or not len(packet.decoded):
        return []
    return list(zip(*(packet.array[path].tolist() for path in paths), strict=True))


def test_every_line_is_read_and_means_what_was_recorded(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        text = b"".join(info_report(recording.snapshot, show_all=True)).decode()
        told: dict[tuple[int, str], list[tuple[str, ...]]] = {}
        counts: Counter[str] = Counter()
        for frame_id, kind, groups in read(text):
            counts[kind] += 1
            told.setdefault((frame_id, kind), []).append(groups)
        assert counts["frame"] == len(recording)
        for frame in recording:
            assert told[frame.frame_id, "frame"] == [(float(f"{frame.elapsed:g}"),)]
            for kind, (name, paths) in KINDS.items():
                lines = told.get((frame.frame_id, kind), [])
                values = stored(frame, name, paths)
                if len(lines) == 0 and recording.dialect.family == "0.9.6":
                    values = [] if name in ("Kinematics", "TrafficLightTime") else values
                assert len(lines) == len(values)
                for line, row in zip(lines, values, strict=True):
                    assert all(map(near, line, row)), (frame.frame_id, name, line, row)
        created = [life.actor for life in recording.actors]
        assert counts["create"] == len(created)
        assert counts["attribute"] == sum(len(life.attributes) for life in recording.actors)
        assert counts["collision"] == len(recording.actors.collisions)


def test_the_short_text_is_the_long_one_without_its_tables(sound_recording: Path) -> None:
    events = ("create", "attribute", "destroy", "parenting", "collision")
    with recorder_editor.open(sound_recording) as recording:
        long, short = (
            [row for row in read(b"".join(info_report(recording.snapshot, show_all=everything)).decode())
             if row[1] in events]
            for everything in (True, False)
        )  # fmt: skip
        assert long == short


def test_the_verbs_print_the_same_bytes(
    sound_recording: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["info", str(sound_recording), "--all", "--utc"]) == 0
    printed = capsysbinary.readouterr().out
    with recorder_editor.open(sound_recording) as recording:
        assert printed == b"".join(info_report(recording.snapshot, show_all=True, utc=True))


@pytest.mark.parametrize("verb", ["info", "collisions", "blocked"])
def test_a_reader_that_has_enough_is_no_error(verb: str, recordings: Path) -> None:
    command = [sys.executable, "-m", "recorder_editor", verb, str(recordings / "carla-0.9.13-town01.log")]
    more = ["--all"] if verb == "info" else []
    root = Path(recorder_editor.__file__).parents[1]
    with subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0
