"""The verb that does an edit script to recordings: one or many, in one process or in several."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor import edits, resources
from recorder_editor.cli import main
from recorder_editor.edits.operations import OPERATIONS
from recorder_editor.edits.script import read_script, save_script
from recorder_editor.reading.actors import Actors

from .. import builders as b
from ..real_recordings import only_one

Captured = pytest.CaptureFixture[str]


def strict(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def scripted(folder: Path, *steps: tuple[str, dict[str, Any]], left_out: tuple[str, ...] = ()) -> str:
    path = folder / "edits.json"
    told = [{"operation": operation, "label": f"Do {operation}", "arguments": given} for operation, given in steps]
    path.write_text(json.dumps({"script": 2, "steps": told, "left_out": left_out}), encoding="utf-8")
    return str(path)


REMOVE = ("remove_actors", {"actors": [{"id": 100}]})
RETIME = ("retime", {"factor": 2})


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(6, vehicles=2))
    return path


def ids(path: Path) -> tuple[int, ...]:
    with recorder_editor.open(path) as recording:
        return tuple(Actors.of(recording.snapshot).ids)


@only_one
def test_the_script_of_a_history_makes_the_same_of_the_same_recording(sound_recording: Path, tmp_path: Path) -> None:
    script, out = tmp_path / "edits.json", tmp_path / "out.log"
    with recorder_editor.open(sound_recording) as recording:
        moving = next(each for each in Actors.of(recording.snapshot) if each.class_ == "vehicle")
        recording.apply(edits.move_actors(recording, [moving], (0.0, 3.5, 0.0)))
        recording.apply(edits.trim(recording, range(len(recording) // 4, len(recording) // 2)))
        recording.apply(edits.retime(recording, 2.0))
        script.write_text(save_script(recording.history.steps).text, encoding="utf-8")
        made = recording.snapshot.read(0, recording.snapshot.size)
    assert main(["run", str(script), str(sound_recording), str(out)]) == 0
    assert out.read_bytes() == made


def test_one_file_is_done_without_a_word(small: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out.log"
    assert main(["run", scripted(tmp_path, REMOVE), str(small), str(out)]) == 0
    assert ids(out) == (101,)
    assert capsys.readouterr() == ("", "")


def test_many_files_go_to_a_folder_each_under_its_own_name(recordings: Path, tmp_path: Path, capsys: Captured) -> None:
    script = scripted(tmp_path, ("set_header", {"map_name": "Town99"}), ("trim", {"from": 1, "to": 2}))
    files = sorted(path for path in recordings.iterdir() if path.name.startswith("carla-"))
    out = tmp_path / "made" / "here"
    assert main(["run", script, *map(str, files), "--out-dir", str(out)]) == 0
    assert sorted(path.name for path in out.iterdir()) == [path.name for path in files]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:-1]] == [["done", str(path), str(out / path.name)] for path in files]
    for path in out.iterdir():
        with recorder_editor.open(path) as recording:
            assert recording.header is not None
            assert recording.header.map_name == "Town99"
            assert recording.snapshot.elapsed[0] == 0.0


def test_two_workers_write_what_one_writes(tmp_path: Path, capsys: Captured) -> None:
    """As a program of its own, so that the workers start as they do for people."""
    files = []
    for number in range(4):
        files.append(str(tmp_path / f"{number}.log"))
        Path(files[-1]).write_bytes(b.drive(4 + number, vehicles=2))
    Path(files[2]).write_bytes(b.drive(5)[:-7])
    script = scripted(tmp_path, REMOVE, RETIME)
    told = []
    for workers in (1, 2):
        out = tmp_path / f"out{workers}"
        run = [sys.executable, "-m", "recorder_editor", "run", script, *files, str(tmp_path / "none.log")]
        done = subprocess.run(
            [*run, "--out-dir", str(out), "--workers", str(workers)],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ,
            cwd=Path(__file__).parents[2],
            encoding="utf-8",
        )
        assert done.returncode == 2
        assert "2.log is damaged in 2 places" in done.stderr
        assert "none.log: No such file" in done.stderr
        told.append(
            (done.stdout.replace(str(out), "OUT"), done.stderr, {p.name: p.read_bytes() for p in out.iterdir()})
        )
    assert told[0] == told[1]
    assert sorted(told[0][2]) == ["0.log", "1.log", "3.log"]


def test_the_worst_exit_code_is_that_of_the_run(small: Path, tmp_path: Path, capsys: Captured) -> None:
    lossy = tmp_path / "lossy.log"
    lossy.write_bytes(b.everything("ue4-0.9.15"))
    out = str(tmp_path / "out")
    convert = scripted(tmp_path, ("convert", {"dialect": "ue4-0.9.14"}))
    assert main(["run", convert, str(small), "--out-dir", out, "--read-as", "ue4-0.9.12"]) == 0
    assert main(["run", convert, str(small), str(lossy), "--out-dir", out, "-f"]) == 3
    assert "lossy.log: 2 records of AnimBiker are left out" in capsys.readouterr().err
    hero = scripted(tmp_path, ("convert", {"dialect": "ue4-0.9.14"}), ("set_hero", {"actors": ["101"]}))
    assert main(["run", hero, str(lossy), str(small), "--out-dir", out, "-f"]) == 1


def test_a_step_that_cannot_be_done_is_named_and_the_others_go_on(
    small: Path, tmp_path: Path, capsys: Captured
) -> None:
    other = tmp_path / "other.log"
    other.write_bytes(b.drive(6, first_id=7))
    out = tmp_path / "out"
    assert (
        main(
            [
                "run",
                scripted(tmp_path, RETIME, ("set_hero", {"actors": ["100"]})),
                str(other),
                str(small),
                "--out-dir",
                str(out),
            ]
        )
        == 1
    )
    said = capsys.readouterr()
    assert said.err == (
        "other.log: Step 2 of 2, “Do set_hero”, cannot be done: There is no actor 100 in this recording.\n"
    )
    assert [path.name for path in out.iterdir()] == ["small.log"]


def test_what_is_so_already_is_a_remark_and_no_failure(small: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out.log"
    assert main(["run", scripted(tmp_path, ("order_times", {}), REMOVE), str(small), str(out)]) == 0
    assert capsys.readouterr().err == "small.log: The times are like that already. Nothing is changed by that.\n"
    assert ids(out) == (101,)


def test_what_a_script_leaves_out_is_told(small: Path, tmp_path: Path, capsys: Captured) -> None:
    script = scripted(tmp_path, left_out=("Set byte 7",))
    assert main(["run", script, str(small), str(tmp_path / "out.log")]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "edits.json: “Set byte 7” is left out: it belongs to one file only.",
        "edits.json: The script holds no step, so nothing is changed.",
    ]
    assert (tmp_path / "out.log").read_bytes() == small.read_bytes()


def test_a_dry_run_returns_the_same_and_writes_nothing(small: Path, tmp_path: Path, capsys: Captured) -> None:
    script, out = scripted(tmp_path, REMOVE), tmp_path / "out"
    assert main(["run", script, str(small), str(out), "--dry-run"]) == 0
    assert capsys.readouterr().out.startswith("6 frames, 0.250 s, 1 actors, ")
    assert main(["run", script, str(small), "--out-dir", str(out), "--dry-run"]) == 0
    assert capsys.readouterr().out.startswith(f"==> {small} <==\n6 frames, 0.250 s, 1 actors, ")
    assert main(["run", scripted(tmp_path, ("set_hero", {"actors": ["7"]})), str(small), str(out), "--dry-run"]) == 1
    assert not out.exists()


def test_json_tells_what_became_of_each(small: Path, tmp_path: Path, capsys: Captured) -> None:
    torn = tmp_path / "torn.log"
    torn.write_bytes(b.drive(6)[:-7])
    script, out = scripted(tmp_path, REMOVE, ("order_times", {}), left_out=("Paste 7",)), tmp_path / "out"
    assert main(["run", script, str(small), str(torn), "--out-dir", str(out), "--json"]) == 1
    told = strict(capsys.readouterr().out)
    assert (told["script"], told["left_out"]) == (script, ["Paste 7"])
    good, bad = told["files"]
    assert good == {
        "file": str(small),
        "out": str(out / "small.log"),
        "code": 0,
        "unchanged": False,
        "error": None,
        "messages": ["small.log: The times are like that already. Nothing is changed by that."],
        "damage": [],
        "remarks": ["The times are like that already. Nothing is changed by that."],
        "frames": 6,
        "seconds": pytest.approx(0.25),
        "actors": 1,
        "size": (out / "small.log").stat().st_size,
    }
    assert (bad["code"], bad["frames"], len(bad["damage"])) == (1, None, 2)
    assert "recorder-editor repair" in bad["error"]


def test_a_damaged_recording_is_refused_with_the_command_that_helps(
    damaged_recording: Path, tmp_path: Path, capsys: Captured
) -> None:
    out = tmp_path / "out.log"
    assert main(["run", scripted(tmp_path, RETIME), str(damaged_recording), str(out)]) == 1
    assert "recorder-editor repair" in capsys.readouterr().err
    assert not out.exists()


def test_a_torn_recording_is_edited_where_that_is_asked_for(tmp_path: Path) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(b.drive(6)[:-7])
    script = scripted(tmp_path, ("set_header", {"map_name": "Town99"}))
    assert main(["run", script, str(source), str(out), "--damaged"]) == 0
    assert out.read_bytes() == source.read_bytes().replace(b"Town01", b"Town99")


def test_nothing_is_written_onto_an_input(small: Path, tmp_path: Path, capsys: Captured) -> None:
    before, folder = small.read_bytes(), tmp_path / "there"
    folder.mkdir()
    other = folder / "small.log"
    other.write_bytes(before)
    script = scripted(tmp_path, RETIME)
    for words in (
        [str(small), str(small)],
        [str(small), "--out-dir", str(tmp_path)],
        [str(small), script],
        [str(small), str(other), "--out-dir", str(folder)],
        [str(small), str(other), "--out-dir", str(tmp_path / "new")],
        [str(small)],
        [str(small), str(other), str(tmp_path / "out.log")],
        [str(small), str(tmp_path / "out.log"), "--workers", "0"],
    ):
        assert main(["run", script, *words]) == 2, words
    assert small.read_bytes() == other.read_bytes() == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1: This is not JSON"),
        ('{"script": 2, "steps": [{"operation": "rm"}]}', "There is no operation “rm”."),
        ('{"script": 2, "steps": [%s]}' % ("1" * 5000), "This holds a number of too many digits."),
        ("\udcff", "This is not an edit script: it is not text."),
    ],
)
def test_what_is_no_script_is_wrong_usage(
    text: str, message: str, small: Path, tmp_path: Path, capsys: Captured
) -> None:
    script = tmp_path / "edits.json"
    script.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert main(["run", str(script), str(small), str(tmp_path / "out.log")]) == 2
    assert message in capsys.readouterr().err
    assert main(["run", str(tmp_path / "none.json"), str(small), str(tmp_path / "out.log")]) == 2
    assert not (tmp_path / "out.log").exists()


def test_the_script_in_the_guide_is_one() -> None:
    page = resources.path("guide/editing.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^    \{\n.*?^    \}\n", page, re.MULTILINE | re.DOTALL)
    script = read_script(text)
    assert [step.operation for step in script.steps] == ["move_actors"]
    assert script.left_out == ("Set byte 0x001234",)


def test_the_guide_tells_every_operation_and_its_arguments() -> None:
    page = resources.path("guide/operations.md").read_text(encoding="utf-8")
    told = {
        name: re.findall(r"^\| `(\w+)`", section, re.MULTILINE)
        for section in page.split("\n## ")
        for name in re.findall(r"^- Script: `(\w+)`", section, re.MULTILINE)
    }
    assert told == {name: list(operation.arguments) for name, operation in OPERATIONS.items()}
