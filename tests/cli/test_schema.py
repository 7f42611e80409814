"""`--schema`: packets of users on the command line."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor import cli, ui
from recorder_editor.__main__ import main
from recorder_editor.fleet.pool import run_many
from recorder_editor.format.packet_files import read_packet_file
from recorder_editor.recording.packet_search import answer, using

from .. import builders as b
from ..edits.cargo import USERS_FILE, USERS_NUMBER, bytes_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two actors and a drive of four frames; the packet in the first and in the third."""
    path = tmp_path / "drive" / "own.log"
    path.parent.mkdir()
    actors = b.packet(2, b.event_add([b.actor(7, 1, "vehicle.car", uid=21), b.actor(8, 1, "vehicle.truck", uid=22)]))
    bodies = [[actors, cargo(7, 10.0)], [], [cargo(8, 20.0)], []]
    frames = [b.frame(number + 1, 0.1 * number, packets=packets) for number, packets in enumerate(bodies)]
    path.write_bytes(b.recording(*frames))
    return path


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "cargo.packets.json"
    path.write_bytes(USERS_FILE.content)
    return path


def cargo(actor: int, mass: float) -> bytes:
    return b.packet(USERS_NUMBER, b.u16(1) + bytes_of(actor, mass))


def run(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def packets(path: Path, capfdbinary: pytest.CaptureFixture[bytes], *more: object) -> list[dict[str, Any]]:
    assert run("dump", path, *more) == 0
    lines = capfdbinary.readouterr().out.splitlines()
    return [line for line in map(json.loads, lines) if line.get("id") == USERS_NUMBER]


def test_a_dump_holds_the_records_and_is_built_without_the_file(
    path: Path, schema: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert [packet["packet"] for packet in packets(path, capfdbinary)] == ["Unknown 150"] * 2
    assert run("dump", path, "--schema", schema) == 0
    dump = tmp_path / "own.jsonl"
    dump.write_bytes(capfdbinary.readouterr().out)
    assert b'"mass": 10.0' in dump.read_bytes()
    schema.unlink()
    assert run("build", dump, tmp_path / "again.log") == 0
    assert (tmp_path / "again.log").read_bytes() == path.read_bytes()


def test_what_lasts_is_carried_into_the_first_frame_and_what_is_not_declared_is_told(
    path: Path, schema: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    out = tmp_path / "out.log"
    assert run("trim", path, out, "--from", "#2", "--schema", schema) == 0
    first = packets(out, capfdbinary, "--schema", schema)[0]
    assert [(record["id"], record["mass"]) for record in first["records"]] == [(7, 10.0)]
    assert run("trim", path, tmp_path / "other.log", "--from", "#2") == 3
    assert b"1 packet 150 is cut away" in capfdbinary.readouterr().err


def test_actors_are_dropped_and_renumbered_in_it(
    path: Path, schema: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    out = tmp_path / "out.log"
    assert run("edit", path, out, "--remove-actor", "8", "--schema", schema) == 0
    assert [
        packet["records"][0]["id"] for packet in packets(out, capfdbinary, "--schema", schema) if packet["records"]
    ] == [7]


def test_many_recordings_get_it_in_every_process(
    path: Path, schema: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (path.parent / "second.log").write_bytes(path.read_bytes())
    folder = tmp_path / "out"
    arguments = ("trim", path.parent, "--out-dir", folder, "--from", "#2", "--workers", 2, "--schema", schema)
    assert run(*arguments) == 0
    capfdbinary.readouterr()
    for name in ("own.log", "second.log"):
        assert packets(folder / name, capfdbinary, "--schema", schema)[0]["records"][0]["mass"] == 10.0


def test_every_process_has_the_files_that_are_in_use(path: Path, tmp_path: Path) -> None:
    (tmp_path / "second.log").write_bytes(path.read_bytes())
    with using([USERS_FILE]):
        outcomes = list(run_many(name_in_it, [path, tmp_path / "second.log"], workers=2))
    assert [(outcome.result, outcome.error) for outcome in outcomes] == [("Cargo", None)] * 2


def name_in_it(path: Path) -> str:
    with recorder_editor.open(path) as recording:
        return recording.dialect.packet(USERS_NUMBER).name


def test_what_was_done_is_done_again_with_another_description(path: Path, schema: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    arguments = ("trim", path, "--out-dir", folder, "--from", "#2", "--resume")
    assert run(*arguments) == 3
    before = (folder / path.name).read_bytes()
    assert run(*arguments, "--schema", schema) == 0
    assert (folder / path.name).read_bytes() != before


def test_the_window_and_a_picture_get_it(
    path: Path, schema: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(ui, "run", lambda *_path, **options: asked.append(options) or 0)
    monkeypatch.setattr(ui, "screenshot", lambda *_paths, **options: asked.append(options))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.chdir(schema.parent)
    picture = str(tmp_path / "own.png")
    for words in ([str(path)], ["open", str(path)], ["screenshot", str(path), picture]):
        assert main([*words, "--schema", schema.name]) == 0
        assert [file.path for file in asked.pop()["packets"]] == [schema]
    assert main(["open", "--schema", schema.name]) == 2
    assert "name the recording, too" in capsys.readouterr().err
    schema.write_text("{", encoding="utf-8")
    assert main([str(path), "--schema", schema.name]) == 2
    assert "cargo.packets.json, line 1: " in capsys.readouterr().err
    assert not asked


def test_the_library_keeps_it_when_files_are_looked_for_again(path: Path, schema: Path) -> None:
    with recorder_editor.open(path, packets=[schema]) as recording:
        recording.describe_packets()
        assert recording.dialect.packet(USERS_NUMBER).name == "Cargo"


def test_the_weather_of_dreyevr_is_a_table_under_either_id(tmp_path: Path) -> None:
    for number in (18, 21):
        path = tmp_path / f"{number}.log"
        weather = b.packet(number, struct.pack("<H13f", 1, *range(13)))
        config = b.packet(141, b.u16(1) + b.string("a=b"))
        path.write_bytes(b.recording(b.frame(1, packets=[weather, config])))
        table = tmp_path / f"{number}.csv"
        assert run("export", path, table, "--table", "DReyeVRWeather") == 0
        assert table.read_text(encoding="utf-8").splitlines()[1].endswith(",9.0,10.0,11.0,12.0")


def test_one_beside_the_recording_is_told_until_it_was_accepted(
    path: Path, schema: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    beside = path.parent / schema.name
    beside.write_bytes(schema.read_bytes())
    assert run("info", path) == 0
    told = capfdbinary.readouterr().err.decode()
    assert told.count("\n") == 1
    assert "was not accepted yet; it is used with --schema" in told
    answer(read_packet_file(beside), "accepted")
    assert packets(path, capfdbinary)[0]["packet"] == "Cargo"


def test_a_body_that_does_not_fit_is_bytes_and_a_finding_and_saved_unchanged(
    path: Path, schema: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    data = path.read_bytes().replace(cargo(8, 20.0), b.packet(USERS_NUMBER, struct.pack("<HB", 1, 3)))
    path.write_bytes(data)
    assert run("check", path, "--schema", schema) == 0
    told = capfdbinary.readouterr().out.decode()
    assert "A packet of Cargo does not fit its description in cargo.packets.json, in frame 3" in told
    assert "description-misfit" in told
    assert run("rewrite", path, tmp_path / "out.log", "--schema", schema) == 0
    assert (tmp_path / "out.log").read_bytes() == data
    assert run("repair", path, tmp_path / "repaired.log", "--schema", schema) == 0
    assert b.packet(USERS_NUMBER, struct.pack("<HB", 1, 3)) in (tmp_path / "repaired.log").read_bytes()


def test_a_file_that_is_not_valid_is_wrong_usage(
    path: Path, schema: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    schema.write_text('{"packets": [\n{"id": 6, "name": "A", "members": [["x", "u8", "m"]]}]}', encoding="utf-8")
    assert run("info", path, "--schema", schema) == 2
    assert "cargo.packets.json, line 2: 6 is an id of CARLA's own" in capfdbinary.readouterr().err.decode()
    assert run("info", path, "--schema", schema.parent / "none") == 2
