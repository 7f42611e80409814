"""The verbs as people use them: what they print, what they write, what they return."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder_editor.cli import VERBS, main, verb_parser

from .. import builders as b
from ..extent import examples
from ..real_recordings import only_one

DIALECTS = (
    "ue4-0.9.4",
    "ue4-0.9.6",
    "ue4-0.9.10",
    "ue4-0.9.12",
    "ue4-0.9.14",
    "ue4-0.9.15",
    "ue4-doors",
    "ue4-0.9.16",
    "ue4-2026",
    "ue5-0.10.0",
    "ue5-2026",
)


def strict(text: str | bytes) -> Any:
    """JSON as the standard has it: no NaN, no Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(6))
    return path


def dumped(path: Path, capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> bytes:
    assert main(["dump", str(path), *arguments]) == 0
    return capsysbinary.readouterr().out


def rebuilt(path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> bytes:
    lines, out = path.with_suffix(".jsonl"), path.with_suffix(".out")
    lines.write_bytes(dumped(path, capsysbinary))
    assert main(["build", str(lines), str(out), "--overwrite"]) == 0
    return out.read_bytes()


# --- dump and build -------------------------------------------------------------------------------------


@only_one
def test_every_real_recording_comes_back_identical(
    short_recording: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    copy = tmp_path / "copy.log"
    copy.write_bytes(short_recording.read_bytes())
    assert rebuilt(copy, capsysbinary) == short_recording.read_bytes()


def test_the_damaged_recording_comes_back_identical(
    damaged_recording: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    copy = tmp_path / "copy.log"
    copy.write_bytes(damaged_recording.read_bytes())
    assert rebuilt(copy, capsysbinary) == damaged_recording.read_bytes()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_packet_of_every_dialect_comes_back_identical(
    dialect: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "all.log"
    path.write_bytes(b.everything(dialect))
    assert rebuilt(path, capsysbinary) == b.everything(dialect)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(50))
@given(cut=st.integers(0, 4000), at=st.integers(0, 4000), junk=st.binary(max_size=40))
def test_whatever_happened_to_a_file_its_dump_builds_the_same_bytes(
    cut: int, at: int, junk: bytes, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    data = b.everything("ue4-2026")
    data = (data[:at] + junk + data[at:])[: max(0, len(data) - cut)]
    path = tmp_path / "hurt.log"
    path.write_bytes(data)
    assert rebuilt(path, capsysbinary) == data


def test_every_line_of_a_dump_is_strict_json(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "odd.log"
    path.write_bytes(b.everything("ue4-0.9.15"))
    lines = dumped(path, capsysbinary, "--bytes").splitlines()
    assert set(strict(lines[0])) == {"header", "dialect", "format"}
    assert all(isinstance(strict(line), dict) for line in lines)


def test_a_signalling_nan_is_told_by_its_bits(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "nan.log"
    record = b.pose(7, b.xyz(b.Bits32(0x7F800001), 1.5, float("inf")))
    path.write_bytes(b.recording(b.frame(1, packets=[b.packet(6, b.position([record]))])))
    line = next(line for line in dumped(path, capsysbinary).splitlines() if b"Position" in line)
    assert strict(line)["records"][0]["location"] == {"x": "f32:7f800001", "y": 1.5, "z": "f32:7f800000"}


def test_a_filtered_dump_says_so_and_cannot_be_built(
    small: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = dumped(small, capsysbinary, "--frames", "2:3", "--packets", "position").splitlines()
    assert strict(lines[0])["partial"] is True
    assert [strict(line).get("frame") for line in lines if b'"frame"' in line] == [2, 3]
    assert {strict(line)["packet"] for line in lines if b'"packet"' in line} == {"Position"}
    part = tmp_path / "part.jsonl"
    part.write_bytes(b"\n".join(lines))
    assert main(["build", str(part), str(tmp_path / "out.log")]) == 1
    assert b"partial" in capsysbinary.readouterr().err
    assert not (tmp_path / "out.log").exists()


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("not json", "This is not JSON"),
        ("[1]", "object"),
        ('{"packet": "Position", "id": 6, "records": [{"id": 1}]}', "missing"),
        ('{"packet": "Position", "id": 600, "records": []}', "id from 0"),
        ('{"packet": "EventDel", "id": 3, "records": [], "hex": "0100"}', "differ"),
        ('{"packet": "EventDel", "id": 3, "records": [{"id": -1}]}', "does not fit"),
        ('{"packet": "EventDel", "id": 3, "records": [{"id": NaN}]}', "NaN"),
        ('{"raw": "zz"}', "Hex"),
        ('{"packet": "PlatformTime", "id": 14, "records": [{"time": 1%s}]}' % ("0" * 400), "too large"),
        ('{"packet": "PlatformTime", "id": 14, "records": [{"time": 1%s}]}' % ("0" * 5000), "too many digits"),
        ('{"packet": "PlatformTime", "id": 14, "records": [{"time": 1e999}]}', "too large"),
        ('{"packet": "EventDel", "id": 3, "records": [{"id": true}]}', "cannot be"),
        ('{"frame": 1, "frame_id": true, "elapsed": 0, "duration": 0}', "cannot be"),
        ('{"what": 1}', "neither"),
        ("[" * 100_000, "nested too deep"),
        (f'{{"packet": "EventDel", "id": 3, "records": [{{"id": {"[" * 900}{"]" * 900}}}]}}', "cannot be"),
    ],
)
def test_a_bad_line_is_named_with_its_number(
    line: str, word: str, small: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = dumped(small, capsysbinary).splitlines()[:2]
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"\n".join([*lines, line.encode()]))
    assert main(["build", str(bad), str(tmp_path / "out.log")]) == 1
    said = capsysbinary.readouterr().err.decode()
    assert "Line 3" in said
    assert word in said


@pytest.mark.parametrize("name", ["version", "magic", "date", "map", "header", "dialect", "format"])
@pytest.mark.parametrize("odd", [None, True, -1, 1.5, "\ud800", "", [], {}, {"hex": "\ud800"}, {"hex": 1}, 10**400])
def test_a_header_of_odd_values_is_refused_in_a_sentence(
    name: str, odd: Any, small: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    told = strict(dumped(small, capsysbinary).splitlines()[0])
    (told if name in told else told["header"])[name] = odd
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(told), encoding="utf-8")
    # A map may be called nothing.
    assert main(["build", str(bad), str(tmp_path / "out.log")]) == (0 if (name, odd) == ("map", "") else 1)
    said = capsysbinary.readouterr().err.decode()
    assert said.startswith("recorder-editor: Line 1: ") or (name, odd) == ("map", "")
    assert len(said.splitlines()) <= 1


# --- rewrite, check, info, actors, demo -----------------------------------------------------------------


@only_one
@pytest.mark.parametrize("how", [[], ["--reencode"]])
def test_rewriting_a_real_recording_gives_the_same_bytes(sound_recording: Path, tmp_path: Path, how: list[str]) -> None:
    out = tmp_path / "out.log"
    assert main(["rewrite", str(sound_recording), str(out), *how]) == 0
    assert out.read_bytes() == sound_recording.read_bytes()


def test_rewriting_takes_any_file(damaged_recording: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.log"
    assert main(["rewrite", str(damaged_recording), str(out)]) == 0
    assert out.read_bytes() == damaged_recording.read_bytes()


def test_no_verb_writes_onto_its_input(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = small.read_bytes()
    assert main(["rewrite", str(small), str(small)]) == 2
    assert "another name" in capsys.readouterr().err
    assert small.read_bytes() == before


def test_the_real_recordings_have_no_errors(sound_recording: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["check", str(sound_recording), "--json"]) == 0
    counts = strict(capsysbinary.readouterr().out)["counts"]
    assert (counts["error"], counts["info"]) == (0, 0)


def test_a_torn_file_has_errors_with_their_place(small: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    data = small.read_bytes()
    small.write_bytes(data[:-3])
    assert main(["check", str(small), "--json"]) == 1
    report = strict(capsysbinary.readouterr().out)
    assert {finding["code"] for finding in report["findings"]} == {"no-frame-end", "torn-tail"}
    for finding in report["findings"]:
        assert set(finding) == {"code", "severity", "offset", "frame", "frame_id", "message", "fixable"}
        assert 0 < finding["offset"] < len(data)
        assert finding["frame"] == 6


def test_the_mangled_recording_is_diagnosed(
    damaged_recording: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["check", str(damaged_recording)]) == 1
    assert b"as text" in capsysbinary.readouterr().out


def test_info_tells_header_dialect_and_counts(recordings: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["info", str(recordings / "carla-0.9.13-town05-collisions.log"), "--json"]) == 0
    found = strict(capsysbinary.readouterr().out)
    assert found["header"]["map"] == "Town05"
    assert found["dialect"] == "ue4-0.9.12"
    assert found["dialect_reason"]
    assert found["frames"] == 555
    assert found["packets"]["Position"] == {"count": 555, "bytes": 396890, "records": 14135}
    assert found["packets"]["EventAdd"]["records"] == 170
    assert found["collisions"] == {"records": 38, "contacts": 1}
    assert found["damage"] == []


def test_a_damaged_file_is_read_with_its_damage_on_stderr(
    damaged_recording: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["info", str(damaged_recording), "--json"]) == 0
    out, err = capsysbinary.readouterr()
    assert strict(out)["frames"] == 0
    assert strict(out)["damage"]
    assert b"as text" in err


def test_actors_are_listed_with_life_and_distance(recordings: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["actors", str(recordings / "carla-0.9.13-town05-collisions.log"), "--json"]) == 0
    rows = strict(capsysbinary.readouterr().out)["actors"]
    hero = next(row for row in rows if row["hero"])
    assert (hero["id"], hero["class"], hero["born"]["frame"], hero["gone"]) == (3890, "vehicle", 1, None)
    assert 60 < hero["distance_m"] < 120
    assert hero["collisions"] == 1
    assert main(["actors", str(recordings / "carla-0.9.13-opendrive.log")]) == 0
    assert b"blueprint" in capsysbinary.readouterr().out


def test_a_demo_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.log", "b.log", "c.log")]
    for path, seed in zip(paths, "778", strict=True):
        assert main(["demo", str(path), "--seconds", "2", "--vehicles", "6", "--walkers", "3", "--seed", seed]) == 0
    one, same, other = (path.read_bytes() for path in paths)
    assert one == same
    assert one != other
    assert main(["check", str(paths[0])]) == 0


@pytest.mark.parametrize("arguments", [["--vehicles", "-3"], ["--seconds", "-1"]])
def test_a_town_that_cannot_be_is_refused(tmp_path: Path, arguments: list[str]) -> None:
    assert main(["demo", str(tmp_path / "a.log"), *arguments]) == 2
    assert not list(tmp_path.iterdir())


# --- manners --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["info", "actors", "dump", "check"])
def test_a_missing_file_is_wrong_usage_with_a_sentence(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([verb, str(tmp_path / "none.log")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_a_folder_is_wrong_usage_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["actors", str(tmp_path)]) == 2
    assert "is a folder, not a recording." in capsys.readouterr().err


@pytest.mark.parametrize("frames", ["0:3", "5:2", "x", ":"])
def test_frames_that_are_none_are_wrong_usage(small: Path, frames: str) -> None:
    assert main(["dump", str(small), "--frames", frames]) == 2


def test_a_closed_pipe_is_silent(recordings: Path) -> None:
    path = recordings / "carla-0.9.13-town01.log"
    code = f"import sys; from recorder_editor.cli import main; sys.exit(main(['dump', {str(path)!r}]))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
        run.stderr.close()
        assert run.wait() == 0


def test_help_has_an_example_for_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("info", "actors", "dump", "build", "rewrite", "check", "demo"):
        assert main([verb, "--help"]) == 0
        assert "Example:" in capsys.readouterr().out or "example" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new"), [('"Town01"', "5"), ('"Town01"', '{"hex": "ff"}'), ("1637676528", "0"), ("CARLA_RECORDER", "CARLA")]
)
def test_a_header_that_would_not_be_read_back_is_not_built(
    old: str, new: str, small: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(dumped(small, capsysbinary).replace(old.encode(), new.encode()))
    assert main(["build", str(bad), str(tmp_path / "out.log")]) == 1
    assert "Line 1" in capsysbinary.readouterr().err.decode()
    assert not (tmp_path / "out.log").exists()


@pytest.mark.parametrize("frames", ["7", "7:", "7:9", "#900:#1000"])
def test_frames_behind_the_last_are_wrong_usage(small: Path, frames: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", str(small), "--frames", frames]) == 2
    assert "the recording has 6" in capsys.readouterr().err


def test_a_packet_that_does_not_exist_is_wrong_usage(small: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["dump", str(small), "--packets", "Position,Posn"]) == 2
    assert "“Posn” is not a packet" in capsysbinary.readouterr().err.decode()
    assert dumped(small, capsysbinary, "--packets", "unknown 77, framestart")


def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_being_checked(
    small: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["check", str(tmp_path / "none.log"), str(small), "--json"]) == 2
    out, err = capsysbinary.readouterr()
    assert [report["file"] for report in strict(out)] == [str(small)]
    assert b"none.log: No such file" in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_what_is_no_ordinary_file_is_neither_read_nor_replaced(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for verb in ("info", "actors", "dump", "check"):
        assert main([verb, str(pipe)]) == 2
    for arguments in (["demo", str(pipe), "--seconds", "1"], ["rewrite", str(small), str(pipe), "--reencode"]):
        assert main(arguments) == 1
        assert "not an ordinary file" in capsys.readouterr().err
    assert pipe.is_fifo()
    assert main(["demo", str(tmp_path), "--seconds", "1"]) == 1
    assert f"{tmp_path}: Is a directory" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "small.log"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_to_the_output_stays_a_link(small: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "target.log", tmp_path / "link.log"
    target.write_bytes(b"old")
    link.symlink_to(target)
    assert main(["rewrite", str(small), str(link), "--reencode", "-f"]) == 0
    assert link.is_symlink()
    assert target.read_bytes() == small.read_bytes()


def test_a_write_protected_output_is_not_replaced(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.log"
    out.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    assert main(["rewrite", str(small), str(out), "--reencode", "-f"]) == 1
    assert "Permission denied" in capsys.readouterr().err
    assert out.read_bytes() == b"old"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes streams here")
@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_stream_that_was_closed_from_the_start_is_no_failure(small: Path, closed: str) -> None:
    run = f'"{sys.executable}" -m recorder_editor dump "{small}" {closed}'
    done = subprocess.run(["sh", "-c", run], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) == (closed == "2>&-")


def test_times_that_are_no_numbers_are_strict_json_and_no_warning(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "inf.log"
    path.write_bytes(b.recording(b.frame(1, float("inf")), b.frame(2, float("inf"))))
    assert main(["info", str(path), "--json"]) == 0
    out, err = capsysbinary.readouterr()
    assert strict(out)["duration"] == "f64:7ff0000000000000"
    assert err == b""


def test_the_module_of_each_verb_has_what_the_table_promises() -> None:
    for name, verb in VERBS.items():
        assert name == verb.name
        parser = verb_parser(name)
        assert parser.prog == f"recorder-editor {name}"
        # That of `events` is for what it cuts out, of however many recordings.
        assert ("--out-dir" in parser.option_names()) == (verb.takes_many or name == "events"), name
        if verb.is_translated:
            assert "--lang" in parser.option_names(), name
            # Pages, pictures and videos are for people alone.
            assert "--json" in parser.option_names() or name in ("report", "picture", "video"), name
        assert verb.help.endswith(".")
        assert "Example: recorder-editor" in verb.load().DESCRIPTION
