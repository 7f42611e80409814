"""Nothing that a recording or a file's name holds steers the terminal; what machines read stays the same value."""

import json
import re
from pathlib import Path

import pytest

from recorder_editor.__main__ import main
from recorder_editor.terminal import printable, printable_json

from .. import builders as b
from ..recording.films import add, collide, film

HOSTILE = "\x1b]0;owned\x07\x1b[2J\n\x9b31m\x7f\u202evehicle\u2028.x\t"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def hostile(tmp_path: Path) -> list[Path]:
    """Two recordings, unlike each other, whose texts and names hold controls."""
    made = []
    for number, role in enumerate((HOSTILE, HOSTILE[::-1])):
        texts = [b.attribute(3, "role_name", role), b.attribute(3, HOSTILE, role)]
        one = b.actor(7, blueprint=HOSTILE, attributes=texts)
        placed = b.packet(6, b.position([b.pose(7, b.xyz(number * 1e5)), b.pose(9)]))
        frames = film([add(one, one, b.actor(8)), placed], [add(one), collide((7, 8)), placed], [placed])
        path = tmp_path / f"town\x1b[31m\u202e{number}\n.log"
        path.write_bytes(frames + b"\x05\xff")
        made.append(path)
    return made


COMMANDS = (
    "check A",
    "check A --json",
    "check A --fix OUT",
    "actors A",
    "actors A --json",
    "diff A B",
    "diff A B --details",
    "diff A B --details --json",
    "repair A OUT --dry-run",
    "repair A OUT",
    "repair A OUT --json",
    "info A --json",
    "info A --summary",
    "info A B --summary",
    "dump A",
    "export A --list",
    "edit A OUT --damaged --set-role 8=x --dry-run",
    "edit A OUT --damaged --remove-actor 9",
    "trim A OUT",
    "convert A OUT --damaged --write-as ue5-2026 --dry-run",
    "info GONE",
    "info A B --json",
    "trim A B OUT",
    "trim A B --out-dir OUT --json",
    "screenshot GONE x.png",
    "GONE",
    "build A OUT",
    "run A B OUT",
    "blocked A --json",
    "collisions A --json",
    "split A OUT --every 1 --damaged",
    "export A OUT.csv --table GONE",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_control_of_a_recording_or_a_name_is_printed(
    hostile: list[Path], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], command: str
) -> None:
    names = {
        "A": hostile[0],
        "B": hostile[1],
        "OUT": tmp_path / "out\x1b[1m.log",
        "GONE": tmp_path / "gone\x1b[1m\u202e.log",
        "OUT.csv": tmp_path / "out\x1b[1m.csv",
    }
    main([str(names.get(word, word)) for word in command.split()])
    said = capfdbinary.readouterr()
    assert said.out or said.err
    for text in (said.out.decode(), said.err.decode()):
        assert not CONTROLS.search(text)
        assert "owned" not in text or "\\x1b" in text or "\\u001b" in text
    assert all(not line.startswith("\x9b31m") for line in said.out.decode().splitlines())


def test_json_holds_the_same_texts(hostile: list[Path], capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["actors", str(hostile[0]), "--json"]) == 0
    told = json.loads(capfdbinary.readouterr().out)
    assert told["file"] == str(hostile[0])
    assert HOSTILE in {each["blueprint"] for each in told["actors"]}
    assert json.loads(printable_json(json.dumps(HOSTILE, ensure_ascii=False))) == HOSTILE


def test_what_can_be_printed_stays() -> None:
    assert printable("Ærø “x” °C – 日本 \\n") == "Ærø “x” °C – 日本 \\n"
    assert printable("\x1b[2J\r\n\t\x7f\x9b\u2028\u202e") == "\\x1b[2J\\r\\n\\t\\x7f\\x9b\\u2028\\u202e"
