"""The verb that makes a recording one of another release: what it writes, says and returns."""

import json
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.cli import main

from .. import builders as b

Captured = pytest.CaptureFixture[str]


def strict(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def made(folder: Path, dialect: str) -> Path:
    path = folder / "in.log"
    path.write_bytes(b.everything(dialect))
    return path


def torn(folder: Path) -> Path:
    path = folder / "torn one.log"
    path.write_bytes(b.everything("ue4-0.9.15")[:-7])
    return path


def test_nothing_is_said_where_nothing_is_lost(tmp_path: Path, capsys: Captured) -> None:
    source, there, back = made(tmp_path, "ue4-0.9.15"), tmp_path / "there.log", tmp_path / "back.log"
    assert main(["convert", str(source), str(there), "--write-as", "ue4-0.9.16"]) == 0
    assert main(["convert", str(there), str(back), "--write-as", "ue4-0.9.15"]) == 0
    assert there.read_bytes()[0] == 2
    assert back.read_bytes() == source.read_bytes() == b.everything("ue4-0.9.15")
    assert capsys.readouterr() == ("", "")


ODD_NAME = "vehicle.\\xff\\xfe\\x80"


def test_what_cannot_be_carried_is_listed_with_the_first_frame(tmp_path: Path, capsys: Captured) -> None:
    source, out = made(tmp_path, "ue4-0.9.15"), tmp_path / "out.log"
    assert main(["convert", str(source), str(out), "--write-as", "ue4-0.9.14"]) == 3
    assert out.read_bytes() != source.read_bytes()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "in.log: 2 records of AnimBiker are left out: ue4-0.9.14 has none. First in frame 1.",
        "in.log: 3 records of AnimVehicleWheels are left out: ue4-0.9.14 has none. First in frame 1.",
        "in.log: 1 actor gets the blueprint uid of ue4-0.9.14: vehicle.lincoln.mkz_2017. First in frame 1.",
        f"in.log: 1 actor keeps its blueprint uid, which is not known for ue4-0.9.14: {ODD_NAME}. First in frame 1.",
    ]


def test_rounding_alone_is_listed_but_no_loss(tmp_path: Path, capsys: Captured) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    place = b.packet(6, b.position([b.pose(1, b.xyz(0.1))], wide=True))
    source.write_bytes(b.recording(b.frame(1, packets=[place]), b.frame(2)))
    assert main(["convert", str(source), str(out), "--write-as", "ue4-2026", "--json"]) == 0
    report = strict(capsys.readouterr().out)
    assert (report["from"], report["to"], report["lossless"]) == ("ue5-0.10.0", "ue4-2026", True)
    assert "Unreal 4 and 5" in report["warning"]
    assert report["losses"] == [
        {
            "kind": "rounded",
            "packet": "Position",
            "count": 1,
            "blueprint": None,
            "becomes": None,
            "frame": 1,
            "frame_id": 1,
            "lossy": False,
            "message": "1 value of Position is rounded to 32 bits.",
        }
    ]


def test_json_lists_the_losses(tmp_path: Path, capsys: Captured) -> None:
    source, out = made(tmp_path, "ue4-2026"), tmp_path / "out.log"
    assert main(["convert", str(source), str(out), "--write-as", "ue4-0.9.16", "--json"]) == 3
    report = strict(capsys.readouterr().out)
    assert (report["file"], report["out"], report["lossless"], report["warning"]) == (
        str(source),
        str(out),
        False,
        None,
    )
    assert [(loss["kind"], loss["packet"], loss["count"], loss["lossy"]) for loss in report["losses"]] == [
        ("packet", "Weather", len(b.SKIES), True)
    ]


def test_a_damaged_recording_is_refused_with_the_command_that_helps(tmp_path: Path, capsys: Captured) -> None:
    source, out = torn(tmp_path), tmp_path / "out.log"
    assert main(["convert", str(source), str(out), "--write-as", "ue4-doors"]) == 1
    assert not out.exists()
    said = capsys.readouterr().err
    assert f"recorder-editor repair '{source}' OUT" in said
    assert "--damaged" in said


def test_a_damaged_recording_is_converted_where_that_is_asked_for(tmp_path: Path) -> None:
    source, out = torn(tmp_path), tmp_path / "out.log"
    assert main(["convert", str(source), str(out), "--write-as", "ue4-doors", "--damaged"]) == 0
    assert main(["convert", str(out), str(tmp_path / "back.log"), "--write-as", "ue4-0.9.15", "--damaged"]) == 0
    assert (tmp_path / "back.log").read_bytes() == source.read_bytes()


def test_the_real_damaged_recording_is_refused(damaged_recording: Path, tmp_path: Path) -> None:
    assert main(["convert", str(damaged_recording), str(tmp_path / "out.log"), "--write-as", "ue4-0.9.15"]) == 1


def test_the_input_can_be_read_as_another_dialect(tmp_path: Path) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(b.recording(b.frame(1, packets=[b.packet(21, b"\0\0")]), b.frame(2)))
    arguments = ["convert", str(source), str(out), "--write-as", "ue4-0.9.15", "--read-as", "ue4-doors"]
    assert main(arguments) == 0
    assert out.read_bytes() == b.recording(b.frame(1), b.frame(2))


def test_wrong_usage_is_told(tmp_path: Path, capsys: Captured) -> None:
    source = made(tmp_path, "ue4-0.9.15")
    assert main(["convert", str(source), str(source), "--write-as", "ue4-0.9.14"]) == 2
    assert main(["convert", str(source), str(tmp_path / "out.log")]) == 2
    assert main(["convert", str(source), str(tmp_path / "out.log"), "--write-as", "0.9.99"]) == 2
    assert main(["convert", str(tmp_path / "none.log"), str(tmp_path / "out.log"), "--write-as", "ue4-0.9.14"]) == 2
    assert "ue4-0.9.14" in capsys.readouterr().err
    assert source.read_bytes() == b.everything("ue4-0.9.15")


def with_blueprint(folder: Path, name: str, uid: int) -> Path:
    path = folder / "blueprint.log"
    births = b.packet(2, b.event_add([b.actor(7, blueprint=name, uid=uid)]))
    path.write_bytes(b.recording(b.frame(1, packets=[births]), b.frame(2)))
    return path


def test_a_blueprint_that_the_target_does_not_have_is_a_loss_also_with_another_in_its_place(
    tmp_path: Path, capsys: Captured
) -> None:
    source = with_blueprint(tmp_path, "vehicle.tesla.cybertruck", 10)
    words = ["convert", str(source), str(tmp_path / "out.log"), "--read-as", "0.9.13", "--write-as", "ue5-0.10.0", "-f"]
    assert main(words) == 3
    assert "vehicle.tesla.cybertruck" in capsys.readouterr().err
    assert main([*words, "--substitute", "--json"]) == 3
    (loss,) = (each for each in json.loads(capsys.readouterr().out)["losses"] if each["lossy"])
    assert loss["blueprint"] == "vehicle.tesla.cybertruck"
    assert loss["becomes"].startswith("vehicle.")
    assert main([*words, "--substitute", f"vehicle.tesla.cybertruck={loss['becomes']}"]) == 3
    with recorder_editor.open(tmp_path / "out.log", dialect="ue5-0.10.0") as recording:
        assert [life.blueprint for life in recording.actors] == [loss["becomes"]]
    assert main([*words, "--keep-blueprints"]) == 0
    with recorder_editor.open(tmp_path / "out.log", dialect="ue5-0.10.0") as recording:
        assert [(life.blueprint, life.uid) for life in recording.actors] == [("vehicle.tesla.cybertruck", 10)]
