"""Verbs on many recordings at once: the same bytes as one by one, whatever happens to some of them."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from recorder_editor.cli import main, trim
from recorder_editor.fleet import pool as fleet

from .. import builders as b

Captured = pytest.CaptureFixture[str]
PROJECT = Path(__file__).resolve().parents[2]
RECORD = "recorder-editor-done.json"
METRIC = """
from srunner.metrics.examples.basic_metric import BasicMetric
class Frames(BasicMetric):
    def _create_metric(self, town_map, log, criteria):
        print("frames é", log.get_total_frame_count())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with recordings in `in`, a script, a metric and a recording that is torn."""
    monkeypatch.chdir(tmp_path)
    for place in ("in/deep/er", "torn"):
        Path(place).mkdir(parents=True)
    for number, name in enumerate(("in/a.log", "in/b.REC", "in/deep/c.log", "in/deep/er/a.log")):
        Path(name).write_bytes(b.drive(6 + number, vehicles=2))
    Path("torn/torn.log").write_bytes(b.drive(6)[:-7])
    for name in ("in/notes.txt", "in/.hidden.log", "in/a.log.bak"):
        Path(name).write_text("no recording", encoding="utf-8")
    steps = [{"operation": "retime", "label": "Slower", "arguments": {"factor": 2}}]
    Path("edits.json").write_text(json.dumps({"script": 2, "steps": steps, "left_out": ["Byte"]}), encoding="utf-8")
    Path("metric.py").write_text(METRIC, encoding="utf-8")
    return tmp_path


def files(place: str) -> dict[str, bytes]:
    return {each.relative_to(place).as_posix(): each.read_bytes() for each in Path(place).rglob("*") if each.is_file()}


def strict(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


# --- the same as one by one ---------------------------------------------------------------------------------

VERBS = (
    "info IN --utc : .txt",
    "info IN --json : .json",
    "check IN --strict : .txt",
    "check IN --json : .json",
    "metrics IN metric.py : .txt",
    "repair IN OUT --map Town01",
    "export IN OUT.csv --table EventAdd : .csv",
    "export IN OUT.jsonl --format jsonl --step 2 : .jsonl",
    "export IN OUT.xosc --format xosc --for esmini : .xosc",
    "convert IN OUT --write-as ue4-0.9.14 --damaged",
    "trim IN OUT --from #2 --to #4 --damaged",
    "edit IN OUT --remove-actor 100 --retime 2 --damaged",
    "run edits.json IN OUT --damaged",
)


@pytest.mark.parametrize("words", VERBS)
def test_many_recordings_come_out_as_each_alone(
    folder: Path, request: pytest.FixtureRequest, capfdbinary: pytest.CaptureFixture[bytes], words: str
) -> None:
    command, _, suffix = words.partition(" : ")
    if command.startswith("metrics"):
        request.getfixturevalue("carla")
    inputs = ["in/a.log", "in/b.REC", "torn/torn.log"]
    typed = command.split()
    form = typed.index("--format") if "--format" in typed else len(typed)
    alone, codes = {}, []
    for name in inputs:
        place = {"IN": name, "OUT": "alone.log"}
        codes.append(
            main([place.get(word, word.replace("OUT.", "alone.")) for word in typed[:form] + typed[form + 2 :]])
        )
        printed = capfdbinary.readouterr().out
        (out,) = folder.glob("alone.*") if "OUT" in command else [None]
        alone[Path(name).with_suffix(suffix).name if suffix else Path(name).name] = out.read_bytes() if out else printed
        if out is not None:
            out.unlink()
    together = [word for word in typed if not word.startswith("OUT")]
    together[together.index("IN") : together.index("IN") + 1] = inputs
    assert main([*together, "--out-dir", "out"]) == max(codes, key=(0, 3, 1, 2).index)
    assert files("out") == alone


def test_without_a_folder_for_them_texts_are_printed_in_order_each_under_its_name(
    folder: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    alone = b""
    for name in ("in/b.REC", "in/a.log"):
        main(["info", name, "--utc"])
        alone += f"==> {name} <==\n".encode() + capsysbinary.readouterr().out
    assert main(["info", "in/b.REC", "in/a.log", "--utc"]) == 0
    said = capsysbinary.readouterr()
    assert said.out == alone
    assert said.err.decode().splitlines() == ["done  in/b.REC", "done  in/a.log", "2 files: 2 done."]


def test_check_of_several_files_prints_what_it_always_did(folder: Path, capsys: Captured) -> None:
    assert main(["check", "in/a.log", "torn/torn.log", "--json"]) == 1
    assert [each["file"] for each in strict(capsys.readouterr().out)] == ["in/a.log", "torn/torn.log"]
    assert main(["check", "in/a.log", "torn", "--json"]) == 1
    told = strict(capsys.readouterr().out)
    assert told["verb"] == "check"
    assert [(each["file"], each["code"], each["counts"]["error"] > 0) for each in told["files"]] == [
        ("in/a.log", 0, False),
        ("torn/torn.log", 1, True),
    ]


def test_the_outcomes_are_said_in_the_language_of_the_verb(folder: Path, capsys: Captured) -> None:
    assert main(["repair", "in", "--out-dir", "out", "--lang", "zh_CN", "--map", "Town01"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "==> in/a.log <=="
    assert said[-2:] == ["完成  in/b.REC  out/b.REC", "2 个文件：2 完成。"]


# --- folders and names --------------------------------------------------------------------------------------


def test_folders_are_searched_for_recordings_and_keep_their_folders(folder: Path) -> None:
    assert main(["trim", "in", "--out-dir", "out", "--to", "#3"]) == 0
    assert sorted(files("out")) == ["a.log", "b.REC"]
    assert main(["trim", "in", "--out-dir", "whole", "--to", "#3", "--recursive"]) == 0
    assert sorted(files("whole")) == ["a.log", "b.REC", "deep/c.log", "deep/er/a.log"]


def test_what_was_written_into_a_folder_of_inputs_is_no_input(folder: Path, capsys: Captured) -> None:
    for _ in range(2):
        assert main(["trim", "in", "--out-dir", "in/deep/out", "--to", "#3", "--recursive", "-f"]) == 0
        assert capsys.readouterr().out.endswith("4 files: 4 done.\n")
    assert main(["trim", "in/deep", "--out-dir", "in/new/..", "--to", "#3"]) == 0
    assert sorted(path.name for path in Path("in").glob("*.log")) == [".hidden.log", "a.log", "c.log"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("trim in in/deep/er --out-dir out", "in/a.log and in/deep/er/a.log would both be written to out/a.log."),
        ("trim in/a.log in/a.log --out-dir out", "in/a.log and in/a.log would both be written to out/a.log."),
        ("info in/a.log in/../in/a.log --out-dir out", "would both be written to out/a.txt."),
        ("trim in --out-dir in", "in/a.log is an input itself; give another name or folder for the output."),
        ("run in/a.json in/a.log in/b.REC --out-dir in", "in/a.log is an input itself"),
        ("export in/a.log --out-dir . --xodr a.csv", "a.csv is an input itself"),
        ("info recorder-editor-done.log --out-dir out --json", "out/recorder-editor-done.json is an input itself"),
        ("trim torn in/empty --out-dir out/../in/empty/ --resume x", "unrecognized arguments: x"),
        ("trim in/empty --out-dir out", "in/empty: there is no recording (.log, .rec) in this folder."),
        ("info in/empty", "in/empty: there is no recording (.log, .rec) in this folder."),
        ("info in --resume", "give a folder for the outputs with --out-dir."),
        ("trim in/a.log out.log --recursive", "give a folder for the outputs with --out-dir."),
        ("trim in out.log", "in is a folder, not a recording."),
        ("trim in/a.log in/b.REC out.log", "unrecognized arguments: out.log"),
        (
            "export in/a.log out.csv --format csv",
            "--format is for --out-dir and for -; OUT says by its ending what to write.",
        ),
        ("export in --out-dir out --format csv --for esmini", "--for is for OpenSCENARIO (.xosc)."),
        ("check in --fix out.log", "--fix takes one recording."),
        ("edit in --out-dir out --retime 2 --save-script s.json", "--save-script takes one recording."),
        ("edit in --out-dir out --retime x", "--retime x: "),
        ("edit in --out-dir out", "Name a change, as in --remove-actor 174"),
        ("run missing.json in --out-dir out", "missing.json: No such file or directory."),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_written(
    folder: Path, capsys: Captured, words: str, message: str
) -> None:
    Path("in/empty").mkdir()
    shutil.copy("edits.json", "in/a.json")
    Path("a.csv").write_text("<OpenDRIVE/>", encoding="utf-8")
    before = files(".")
    assert main(words.split()) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""
    assert files(".") == before
    assert not Path("out").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_what_cannot_be_read_in_a_folder_is_told_and_stops_nothing(folder: Path, capsys: Captured) -> None:
    Path("in/gone.log").symlink_to("nowhere")
    Path("in/loop.log").symlink_to("loop.log")
    os.mkfifo("in/pipe.log")
    Path("in/folder.log").mkdir()
    told = {"in/a.log": "done", "in/b.REC": "done"}
    told |= dict.fromkeys(["in/gone.log", "in/loop.log", "in/pipe.log"], "failed")
    for out in ("out", "in/out"):
        assert main(["trim", "in", "--out-dir", out, "--to", "#3"]) == 2
        said = capsys.readouterr()
        assert words_of(said.out) == told
        assert "in/gone.log: No such file or directory." in said.err
        assert sorted(files(out)) == ["a.log", "b.REC"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_folders_that_cannot_be_read_are_told_and_stop_nothing(folder: Path, capsys: Captured) -> None:
    Path("in/deep").chmod(0o600)  # listed, not entered
    Path("torn").chmod(0o300)
    try:
        if os.access("torn", os.R_OK):
            pytest.skip("this user may read everything")
        assert main(["check", "in", "--recursive", "--out-dir", "out"]) == 2
        said = capsys.readouterr()
        told = dict.fromkeys(["in/a.log", "in/b.REC"], "done")
        assert words_of(said.out) == told | dict.fromkeys(["in/deep/c.log", "in/deep/er"], "failed")
        shutil.move("torn", "in/torn")
        assert main(["check", "in", "--recursive", "--out-dir", "out"]) == 2
        assert "\nin/torn: Permission denied.\n" in capsys.readouterr().err
        assert main(["check", "in/torn", "--out-dir", "out"]) == 1
        assert capsys.readouterr().err == "recorder-editor: in/torn: Permission denied\n"
    finally:
        for place in ("in/deep", "torn", "in/torn"):
            if Path(place).exists():
                Path(place).chmod(0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_odd_names_are_kept_and_do_not_reach_the_terminal(folder: Path, capfdbinary: Any) -> None:
    names = ["line\nbreak.log", "red\x1b[31m.log", "-dash.log", "two words.log", "小镇.log", ".hidden.log", "..log"]
    Path("odd").mkdir()
    for name in names:
        Path("odd", name).write_bytes(b.drive(6))
    with open(os.fsencode("odd") + b"/not-utf8-\xff.log", "wb") as file:
        file.write(b.drive(6))
    for again in ("done", "unchanged"):
        assert main(["trim", "odd", "odd/.hidden.log", "--out-dir", "out", "--to", "#3", "--resume"]) == 0
        said = capfdbinary.readouterr()
        assert b"\x1b" not in said.out + said.err
        assert said.out.decode().endswith(f"\n7 files: 7 {again}.\n")
        assert len(said.out.splitlines()) == 8
    written = {os.fsencode(each.name) for each in Path("out").iterdir()}
    expected = {*map(os.fsencode, names), b"not-utf8-\xff.log", RECORD.encode()} - {b"..log"}
    assert written == expected


# --- outcomes -----------------------------------------------------------------------------------------------


def test_a_file_that_fails_is_told_and_the_others_go_on(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = trim.find_frames

    def find_frames(snapshot: Any, *given: Any) -> Any:
        if len(snapshot) == 7:
            raise ZeroDivisionError("not foreseen")
        return before(snapshot, *given)

    monkeypatch.setattr(trim, "find_frames", find_frames)
    words = ["trim", "in/none.log", "in", "torn", "in/deep/c.log", "--from", "#8", "--out-dir", "out"]
    assert main(words) == 2
    said = capsys.readouterr()
    lasts = "The recording lasts from 0.000 to 0.250 s, frames f1 to f6."
    assert said.out.splitlines() == [
        "failed  in/none.log    in/none.log: No such file or directory.",
        f"failed  in/a.log       No frame lies from #8 up to the end. {lasts}",
        "failed  in/b.REC       ZeroDivisionError('not foreseen')",
        f"failed  torn/torn.log  {said.err.splitlines()[-1]}",
        "done    in/deep/c.log  out/c.log",
        "5 files: 4 failed, 1 done.",
    ]
    told = said.err.splitlines()
    assert told[:3] == [
        "in/none.log: No such file or directory.",
        f"in/a.log: No frame lies from #8 up to the end. {lasts}",
        "in/b.REC: Traceback (most recent call last):",
    ]
    assert told[-1].startswith("torn.log is damaged in 2 places, and nothing was written.")
    assert sorted(files("out")) == ["c.log"]


def test_the_table_has_the_reason_where_nothing_was_written(folder: Path, capsys: Captured) -> None:
    Path("in/empty.log").touch()
    assert main(["repair", "in", "--out-dir", "out", "--map", "Town01"]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("failed")]
    assert told == ["failed  in/empty.log  empty.log: The file is empty. Nothing can be recovered from it."]
    assert sorted(files("out")) == ["a.log", "b.REC"]


def test_one_json_document_tells_the_outcomes(folder: Path, capsys: Captured) -> None:
    assert main(["trim", "in/a.log", "torn", "--to", "#3", "--out-dir", "out", "--json"]) == 1
    told = strict(capsys.readouterr().out)
    good, bad = told.pop("files")
    assert told == {"verb": "trim"}
    done = {"file": "in/a.log", "out": "out/a.log", "code": 0, "unchanged": False, "error": None, "messages": []}
    assert good == done
    assert (bad["file"], bad["code"], len(bad["messages"])) == ("torn/torn.log", 1, 2)
    assert "torn.log is damaged" in bad["error"]
    assert main(["edit", "in/a.log", "in/b.REC", "--retime", "2", "--out-dir", "out", "--json", "-f"]) == 0
    (first, _) = strict(capsys.readouterr().out)["files"]
    assert first.items() >= (done | {"frames": 6, "lossless": True}).items()
    main(["info", "in/a.log", "--json"])
    alone = strict(capsys.readouterr().out)
    assert main(["info", "in/a.log", "in/b.REC", "--json"]) == 0
    assert strict(capsys.readouterr().out)["files"][0] == done | {"out": None} | alone


def test_a_dry_run_makes_nothing(folder: Path, capsys: Captured) -> None:
    assert main(["trim", "in", "--out-dir", "out", "--to", "#3", "--dry-run", "--resume"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["==> in/a.log <==", "2 frames, 0.050 s, 2 actors, 578 bytes"]
    assert not Path("out").exists()


def test_progress_counts_the_files(folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["trim", "in", "torn", "--out-dir", "out", "--to", "#3"]) == 1
    shown = capsys.readouterr().err.split("\r")
    assert [each for each in shown if "%" in each] == ["trim: 3 files 33 %", "trim: 3 files 66 %"]
    assert shown[-1].startswith("\x1b[Ktorn.log at 0x")


# --- what is done already -----------------------------------------------------------------------------------


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(PROJECT)}


def words_of(said: str) -> dict[str, str]:
    """The outcome of each recording in a table."""
    rows = re.findall(r"^(done|with loss|unchanged|failed) +(\S+)", said, re.MULTILINE)
    return {name: word for word, name in rows}


def test_a_second_run_leaves_out_what_is_done_and_unchanged(folder: Path, capsys: Captured) -> None:
    def again(*words: str, script: str = "edits.json") -> dict[str, str]:
        main(["run", script, "in", "--out-dir", "out", "--resume", *words])
        return words_of(capsys.readouterr().out)

    first, second = "in/a.log", "in/b.REC"
    assert again() == {first: "done", second: "done"}
    wrote = {path: os.stat(path).st_mtime_ns for path in ("out/a.log", "out/b.REC")}
    assert again("--workers", "1") == {first: "unchanged", second: "unchanged"}
    assert {path: os.stat(path).st_mtime_ns for path in wrote} == wrote
    kept = files("out")

    data = Path(first).read_bytes()  # other content, but size and time are the same
    status = os.stat(first)
    Path(first).write_bytes(data.replace(b"Town01", b"Town02"))
    os.utime(first, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert again() == {first: "done", second: "unchanged"}
    Path(first).write_bytes(data)

    out = Path("out/b.REC")  # a damaged output
    status = os.stat(out)
    out.write_bytes(out.read_bytes()[:-1] + b"\xff")
    os.utime(out, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert again() == {first: "done", second: "done"}
    out.unlink()
    assert again() == {first: "unchanged", second: "done"}
    assert files("out").items() >= {name: kept[name] for name in ("a.log", "b.REC")}.items()

    shutil.copy("edits.json", "other.json")  # the same script of another name
    assert again(script="other.json") == {first: "unchanged", second: "unchanged"}
    Path("other.json").write_text(Path("other.json").read_text("utf-8").replace("2}", "3}"), encoding="utf-8")
    assert again(script="other.json") == {first: "done", second: "done"}
    assert again("--damaged", script="other.json") == {first: "done", second: "done"}
    for torn in ("", "[]", '{"outputs": [1]}', '{"outputs": {"a.log": 7, "b.REC": [1, 2, 3]}}', "{" * 5000):
        Path("out", RECORD).write_text(torn, encoding="utf-8")
        made = files("out")
        if "a.log" not in torn:  # then nothing tells that the outputs are its own
            assert again() == {}
            assert files("out").items() >= {name: made[name] for name in ("a.log", "b.REC")}.items()
        assert again("-f") == {first: "done", second: "done"}


def test_an_output_left_out_keeps_its_exit_code_and_a_failure_is_tried_again(folder: Path, capsys: Captured) -> None:
    Path("in/lossy.log").write_bytes(b.everything("ue4-0.9.15"))
    for expected in ("with loss", "unchanged"):
        assert main(["convert", "in", "torn", "--write-as", "ue4-0.9.14", "--out-dir", "out", "--resume"]) == 1
        assert words_of(capsys.readouterr().out)["in/lossy.log"] == expected
        assert main(["convert", "in", "--write-as", "ue4-0.9.14", "--out-dir", "out", "--resume"]) == 3
        assert words_of(capsys.readouterr().out)["in/lossy.log"] == "unchanged"
        assert main(["check", "torn", "--out-dir", "checked", "--resume"]) == 1
        text = Path("checked/torn.txt").read_text("utf-8")
        assert "torn/torn.log: error: " in text
    assert words_of(capsys.readouterr().out) == {"torn/torn.log": "unchanged"}


def test_of_two_runs_into_one_folder_the_record_has_what_both_did(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    own = trim.run

    def run(arguments: Any) -> Any:
        """Another run, of other recordings, begins after this one and ends before it."""
        monkeypatch.setattr(trim, "run", own)
        command = ["trim", "in/b.REC", "--out-dir", "out", "--to", "#3", "--resume"]
        subprocess.run([sys.executable, "-m", "recorder_editor", *command], env=_environment(), check=True)
        return own(arguments)

    monkeypatch.setattr(trim, "run", run)
    assert main(["trim", "in/a.log", "--out-dir", "out", "--to", "#3", "--resume"]) == 0
    capsys.readouterr()
    assert main(["trim", "in", "--out-dir", "out", "--to", "#3", "--resume"]) == 0
    assert words_of(capsys.readouterr().out) == {"in/a.log": "unchanged", "in/b.REC": "unchanged"}


def test_nothing_is_kept_of_a_run_that_does_not_ask_for_it(folder: Path) -> None:
    assert main(["trim", "in", "--out-dir", "out", "--to", "#3"]) == 0
    assert sorted(files("out")) == ["a.log", "b.REC"]


# --- processes ----------------------------------------------------------------------------------------------


INTERRUPTED = """
import os, sys
from recorder_editor.__main__ import main
from recorder_editor.cli import trim

def find_frames(snapshot, *given, before=trim.find_frames):
    if len(snapshot) == 22:
        os.killpg(0, int(os.environ["SIGNAL"]))
    return before(snapshot, *given)

trim.find_frames = find_frames  # in workers, too, which run this file but for the last line
if __name__ == "__main__":
    sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("number", "workers"),
    [
        (signal.SIGINT, "2"),
        pytest.param(signal.SIGTERM, "2", marks=pytest.mark.long),
        pytest.param(signal.SIGINT, "1", marks=pytest.mark.long),
        pytest.param(signal.SIGTERM, "1", marks=pytest.mark.long),
    ],
)
def test_an_interrupted_run_leaves_whole_files_only_and_is_resumed(
    folder: Path, capsys: Captured, number: signal.Signals, workers: str
) -> None:
    Path("many").mkdir()
    for frame in range(30):
        Path(f"many/{frame:02}.log").write_bytes(b.drive(10 + frame, vehicles=2))
    Path("interrupted.py").write_text(INTERRUPTED, encoding="utf-8")
    words = ["trim", "many", "--to", "#9", "--resume", "--out-dir", "out", "--workers", workers]
    done = subprocess.run(
        [sys.executable, "interrupted.py", *words],
        env=os.environ | {"PYTHONPATH": str(PROJECT), "SIGNAL": str(int(number))},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,  # so that the signal goes to the workers, too, and not to the tests
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # tests in the background ignore it
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("", "recorder-editor: Stopped.\n")
    assert done.returncode == (-number if number == signal.SIGINT else 128 + number)
    written = files("out")
    assert main([*words[:4], "--out-dir", "whole"]) == 0
    whole = files("whole")
    assert 10 <= len(written) < 16
    assert {name for name, data in written.items() if whole.get(name) != data} == {RECORD}
    capsys.readouterr()
    assert main([*words[:-1], "1"]) == 0
    assert files("out").items() >= whole.items()
    assert list(words_of(capsys.readouterr().out).values()).count("unchanged") >= 9


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_run_that_ignores_interrupts_has_workers_that_do(folder: Path) -> None:
    """As one in the background of a script."""
    Path("many").mkdir()
    for frame in range(10, 15):
        Path(f"many/{frame}.log").write_bytes(b.drive(10 + frame, vehicles=2))
    Path("interrupted.py").write_text(INTERRUPTED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "interrupted.py", "trim", "many", "--to", "#9", "--out-dir", "out", "--workers", "2"],
        env=os.environ | {"PYTHONPATH": str(PROJECT), "SIGNAL": str(int(signal.SIGINT))},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("5 files: 5 done.\n")


def test_a_dask_cluster_of_two_workers_writes_the_same_files(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=2,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address=":0",
        local_directory="scratch",
    )
    with cluster:
        for command in ("edit in torn --retime 2", "info in torn --utc", "check in torn --json"):
            told = []
            for number, words in enumerate(([], ["--dask", cluster.scheduler_address])):
                main([*command.split(), "--recursive", "--out-dir", f"out{number}", *words])
                told.append([each.replace(f"out{number}", "OUT") for each in capsys.readouterr()])
                told.append(files(f"out{number}"))
            assert told[:2] == told[2:]
    monkeypatch.setattr(fleet, "_CONNECTING", "100ms")
    assert main(["info", "in", "--dask", "nowhere:1", "--out-dir", "out"]) == 1
    assert "No Dask scheduler answers at nowhere:1." in capsys.readouterr().err


@pytest.mark.parametrize("address", ["nowhere", "", "tcp://", "foo://x:1", "x:y"])
def test_what_is_no_address_of_a_scheduler_makes_no_client(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", None)  # it would wait for its own end
    assert main(["info", "in", "--dask", address]) == 1
    assert capsys.readouterr().err == f"recorder-editor: No Dask scheduler answers at {address}.\n"


def test_a_metric_that_ends_its_process_or_fails_does_not_end_the_run(
    folder: Path, carla: ModuleType, capsys: Captured
) -> None:
    says = """        import os, sys
        {7: lambda: os._exit(1), 8: sys.exit}.get(log.get_total_frame_count(), print)()
"""
    Path("metric.py").write_text(METRIC + says, encoding="utf-8")
    words = ["metrics", "in", "metric.py", "--recursive", "--workers", "2", "--out-dir", "out"]
    assert main(words) == 1
    table = words_of(capsys.readouterr().out)
    assert table == {"in/a.log": "done", "in/b.REC": "failed", "in/deep/c.log": "failed", "in/deep/er/a.log": "done"}
    assert sorted(files("out")) == ["a.txt", "deep/er/a.txt"]
