"""The full text of the beginning of real recordings, read by two parsers and held against what was recorded."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.recording.snapshot import Frame
from recorder_editor.reports.info import info_report
from recorder_editor.reports.text import FAMILIES, Family

from ..real_recordings import only_one
from ..recording.films import COLLISIONS, SCENE_LIGHTS, WALKERS, of_real
from .reader import NUMBER, SECTIONS, Line, count_words, read

PACKETS = {
    "Create": "EventAdd",
    "Destroy": "EventDel",
    "Parenting": "EventParent",
    "Collision": "Collision",
    "Positions": "Position",
    "State traffic lights": "State",
    "Vehicle animations": "AnimVehicle",
    "Walker animations": "AnimWalker",
    "Vehicle light animations": "VehicleLight",
    "Scene light changes": "SceneLight",
    "Dynamic actors": "Kinematics",
    "Actor bounding boxes": "BoundingBox",
    "Actor trigger volumes": "TriggerVolume",
    "platform": "PlatformTime",
    "Traffic Light time events": "TrafficLightTime",
}
EARLY = (
    "Create",
    "Destroy",
    "Parenting",
    "Collision",
    "Positions",
    "State traffic lights",
    "Vehicle animations",
    "Walker animations",
)
LAMPS = {
    "Position": 1,
    "LowBeam": 2,
    "HighBeam": 4,
    "Brake": 8,
    "RightBlinker": 16,
    "LeftBlinker": 32,
    "Reverse": 64,
    "Fog": 128,
    "Interior": 256,
    "Special1": 512,
    "Special2": 1024,
    "None": 0,
}


def flat(value: Any) -> Iterator[Any]:
    """The plain values in a record, in file order."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from flat(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from flat(inner)
    else:
        yield value


def means(text: str | None, value: Any) -> bool:
    """What was told is what was recorded, to six digits where it is a real number."""
    if isinstance(value, bool):
        return text is not None and {"0": False, "1": True, "True": True, "False": False}[text] is value
    if isinstance(value, int):
        return text is not None and int(text) == value
    if isinstance(value, str):
        return text == value
    assert text is not None
    told = float(text)
    if math.isnan(value):
        return math.isnan(told) and text.startswith("-") == bool(value.bits >> value.width - 1)
    digits = re.sub(r"e.*|\D", "", text).lstrip("0")
    return len(digits) <= 6 and (told == value or math.isclose(told, value, rel_tol=5.000001e-6))


def stored(frame: Frame, kind: str) -> list[list[Any]]:
    """The values that the lines of a kind have to tell of a frame."""
    packet = frame.packet(PACKETS[kind])
    rows = [list(flat({**record, "attributes": []})) for record in packet.records] if packet is not None else []
    if kind == "Create":
        return [[row[0], row[9], row[1], *row[2:5]] for row in rows]
    if kind == "State traffic lights":
        return [[actor, state, frozen, elapsed] for actor, frozen, elapsed, state in rows]
    if kind == "Scene light changes":
        return [[row[0], row[6], *row[1:5]] for row in rows]
    if kind == "Collision":
        return [[number, one, hero, two, hero_too] for number, one, two, hero, hero_too in rows]
    return rows


def told(line: Line) -> list[str | None]:
    """The words of a line, put as `stored` has them."""
    groups = list(line.groups)
    if line.kind == "Collision":
        groups[2], groups[4] = str(int(bool(groups[2]))), str(int(bool(groups[4])))
    if line.kind == "Vehicle light animations":
        groups[1] = str(sum(LAMPS[name] for name in groups[1].split(" ")))
    return groups


@of_real(COLLISIONS, SCENE_LIGHTS, WALKERS)
def test_every_line_is_read_and_means_what_was_recorded(short_recording: Path) -> None:
    with recorder_editor.open(short_recording) as recording:
        lines: dict[tuple[int, str], list[Line]] = defaultdict(list)
        for line in read(b"".join(info_report(recording.snapshot, show_all=True)).decode()):
            lines[line.frame, line.kind].append(line)
        for frame in recording:
            (head,) = lines[frame.frame_id, "frame"]
            assert means(head.groups[0], frame.elapsed)
            for kind in EARLY if recording.dialect.family == "0.9.6" else PACKETS:
                found, values = lines[frame.frame_id, kind], stored(frame, kind)
                assert len(found) == len(values), (frame.frame_id, kind)
                for line, row in zip(found, values, strict=True):
                    assert all(map(means, told(line), row)), (line, row)


def test_attributes_are_told_in_their_order(short_recording: Path) -> None:
    with recorder_editor.open(short_recording) as recording:
        text = b"".join(info_report(recording.snapshot)).decode()
        found = [line.groups for line in read(text) if line.kind == "attribute"]
        assert found == [(each.id, each.value) for life in recording.actors for each in life.attributes]


def test_physics_are_told_to_the_last_wheel(short_recording: Path) -> None:
    with recorder_editor.open(short_recording) as recording:
        lines = [
            line.groups[0]
            for line in read(b"".join(info_report(recording.snapshot, show_all=True)).decode())
            if line.kind == "Physics Control events"
        ]
        records = [
            record for frame in recording if (packet := frame.packet("PhysicsControl")) for record in packet.records
        ]
        numbers = re.findall(rf"(?<![\w.]){NUMBER}(?!\w|:)", "\n".join(lines))
        expected: list[Any] = []
        for record in records:
            for wheel in record["wheels"]:
                for name in ("lat_stiff_max_load", "lat_stiff_value", "long_stiff_value"):
                    wheel.pop(name, None)
            gears, steering = record.pop("forward_gears"), record.pop("steering_curve")
            wheels = record.pop("wheels")
            del record["use_gear_autobox"]
            values = [*flat(record), *flat(steering), *flat(gears), *flat(wheels)]
            expected += [*values[:6], 0.5, *values[6:]]
        assert len(numbers) == len(expected)
        assert all(map(means, numbers, expected))


@only_one
@pytest.mark.parametrize("family", ["0.9.13", "0.9.15"])
def test_a_client_that_counts_words_reads_it(short_recording: Path, family: Family) -> None:
    with recorder_editor.open(short_recording) as recording:
        text = b"".join(info_report(recording.snapshot, show_all=True, family=family)).decode()
        frames = count_words(text)
        assert [number for number, _, _ in frames] == [frame.frame_id for frame in recording]
        for frame, (_, time, sections) in zip(recording, frames, strict=True):
            assert time == pytest.approx(frame.elapsed, rel=5.01e-6)
            packet = frame.packet("Position")
            assert packet is not None
            for values in packet.array.tolist():
                assert sections["Positions"][values[0]] == pytest.approx(values[1:], rel=5.01e-6)


@only_one
@pytest.mark.parametrize("family", FAMILIES[1:])
def test_the_short_text_is_the_long_one_without_its_tables(short_recording: Path, family: Family) -> None:
    with recorder_editor.open(short_recording) as recording:
        long, short = (
            [
                line
                for line in read(b"".join(info_report(recording.snapshot, show_all=is_long, family=family)).decode())
                if line.kind not in SECTIONS and line.kind not in ("frame", "title", "platform")
            ]
            for is_long in (True, False)
        )
        assert long == short
