"""What the guide says of packets of one's own: its files are valid, its commands and its program work."""

import json
import re
import runpy
import shlex
import struct
from pathlib import Path
from typing import Any

import pytest

from recorder_editor import resources
from recorder_editor.cli import main
from recorder_editor.format.packet_file_check import (
    _COUNTS,
    _DEEPEST,
    _KINDS,
    _LIFETIMES,
    _LONGEST_TEXT,
    _MOST_CHOICES,
    _MOST_FAULTS,
    _MOST_MEMBERS,
    _MOST_PACKETS,
    _OPTIONS,
    _PACKET,
)
from recorder_editor.format.packet_files import LARGEST_FILE, PacketFileError, parse_packet_file
from recorder_editor.format.schema import NUMBER_CODES, RAW_CODES

from . import builders as b

PAGE = resources.path("guide/own-packets.md").read_text(encoding="utf-8")
JSON = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"^    recorder-editor (.*--schema.*)$", PAGE, re.MULTILINE)
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording with the packets of the page, in the current folder, and the file of the page in another."""
    record = struct.pack("<I9ffBB", 7, 100, 200, 150, 0, 0, 90, 1, 0, 0, 0.5, 1, 3) + b"\4\0sign" + b"\1\0" + bytes(4)
    gaze = b.packet(150, b.u16(1) + record)
    car = b.packet(2, b.event_add([b.actor(7)]))
    place = b.packet(6, b.position([b.pose(7)]))
    frames = [b.frame(1, 0.0, 0.1, [car, place, gaze]), b.frame(2, 0.1, 0.1, [place]), b.frame(3, 0.2, -1.0, [place])]
    (tmp_path / "drive.log").write_bytes(b.recording(*frames))
    (tmp_path / "gaze.packets.json").write_text(JSON[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def records(path: str, capsys: Captured) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["dump", path, "--schema", "gaze.packets.json", "--packets", "DriverGaze"]) == 0
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return [record for line in lines if line.get("packet") == "DriverGaze" for record in line["records"]]


def test_the_files_are_valid() -> None:
    assert len(JSON) == 2
    for text in JSON:
        assert set(parse_packet_file(text.encode(), Path("own.packets.json")).packets) == {150}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_work(command: str) -> None:
    assert main(shlex.split(command)) == 0


def test_the_commands_do_what_the_page_says(capsys: Captured) -> None:
    assert [line.split()[0] for line in COMMANDS] == ["check", "dump", "export", "edit", "trim", "grammar", "grammar"]
    for command in COMMANDS:
        main(shlex.split(command))
    assert [record["mood"] for record in records("drive.log", capsys)] == [1]
    assert [record["mood"] for record in records("calm.log", capsys)] == [0]
    assert [record["target"] for record in records("part.log", capsys)] == ["sign"]
    assert "eyes_x_cm" in Path("gaze.csv").read_text(encoding="utf-8")
    assert "warned_light" in Path("gaze.ksy").read_text(encoding="utf-8")
    assert "DriverGaze_body" in Path("gaze.hexpat").read_text(encoding="utf-8")


def test_the_edits_do_what_the_page_says(capsys: Captured) -> None:
    schema = ["--schema", "gaze.packets.json"]
    assert main(["edit", "drive.log", "copy.log", "--duplicate", "7=10,0,0", "--as", "9", *schema]) == 0
    found = {record["id"]: record["eyes"]["x"] for record in records("copy.log", capsys)}
    assert found == {7: 100.0, 9: 1100.0}
    assert main(["edit", "drive.log", "moved.log", "--move", "7=10,0,0", "--set-id", "7=8", *schema]) == 0
    assert {record["id"]: record["eyes"]["x"] for record in records("moved.log", capsys)} == {8: 1100.0}
    assert main(["edit", "drive.log", "gone.log", "--remove-actor", "7", *schema]) == 0
    assert records("gone.log", capsys) == []


def test_the_program_works(capsys: Captured) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    Path("program.py").write_text(program, encoding="utf-8")
    runpy.run_path("program.py")
    assert capsys.readouterr().out == "0.0 7 1.0 sign\n"


def test_a_file_beside_the_recording_is_told_and_not_used(capsys: Captured) -> None:
    assert main(["check", "drive.log"]) == 0
    assert "gaze.packets.json" in capsys.readouterr().err


def test_the_sentence_of_a_fault_is_one_of_the_program() -> None:
    content = JSON[1].replace('"lasting"', '"lasts"').encode()
    with pytest.raises(PacketFileError) as caught:
        parse_packet_file(content, Path("gaze.packets.json"))
    assert f"\n    {caught.value}\n" in PAGE


def test_every_name_of_a_file_stands_in_the_page() -> None:
    names = {*_OPTIONS, *_COUNTS, *_LIFETIMES, *_KINDS, *NUMBER_CODES, "shown", "fork", "header_versions", "bytes1"}
    names |= {"path", "count", "element", "meaning", "members", *(each for each in _PACKET if each != "source")}
    told = set(re.findall(r"\w+", PAGE))
    assert names <= told
    assert f"bytes{len(RAW_CODES)}" in told


def test_the_limits_are_those_of_the_check() -> None:
    (limits,) = re.findall(r"There may be (.*?\.)", PAGE, re.DOTALL)
    assert re.findall(r"\d+", limits) == list(
        map(str, (LARGEST_FILE >> 20, _MOST_PACKETS, _MOST_MEMBERS, _MOST_CHOICES))
    )
    assert f"{_MOST_FAULTS} at most" in PAGE
    assert f"at most {_LONGEST_TEXT} characters" in PAGE
    assert _DEEPEST == 4
    assert "nested four deep" in PAGE
