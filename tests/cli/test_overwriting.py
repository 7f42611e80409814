"""No output replaces unasked what nothing makes again; which verbs write, and where, is found from their parsers."""

import argparse
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from recorder_editor import __main__ as program
from recorder_editor import cli
from recorder_editor.cli import window_parsers
from recorder_editor.format.header import MAGIC

from .. import builders as b
from ..analysis import highd
from .painted import paint
from .test_lanes import STREET

pytestmark = pytest.mark.usefixtures("one_parser")

Captured = pytest.CaptureFixture[str]

SMALL = "--size 64x64 --fps 2"
CASES: Mapping[str, tuple[str, ...]] = {
    "open": (),  # the window: what it writes was asked for by its dialogs
    "screenshot": (),  # below
    "info": ("a.log", "a.log --out-dir outs"),
    "collisions": ("a.log",),
    "blocked": ("a.log",),
    "events": (
        "a.log --xodr town.xodr --hard-steering 0 --trim 1 --out-dir outs",
        "a.log --hard-steering 0 --out out.csv",
        "a.log --hard-steering 0 --out out.mcap",
    ),
    "report": ("a.log b.log out.html --xodr town.xodr",),
    "actors": ("a.log",),
    "diff": ("a.log a.log",),
    "dump": ("a.log",),
    "build": ("a.jsonl out.log",),
    "rewrite": ("a.log out.log", "a.log out.log --reencode"),
    "check": ("a.log --xodr town.xodr", "a.log --fix out.log", "a.log --out-dir outs"),
    "repair": ("torn.log out.log --donor a.log", "torn.log --out-dir outs"),
    "export": (
        "a.log out.csv",
        "a.log out.jsonl",
        "a.log out.xosc",
        "a.log out.mcap --xodr town.xodr",
        "a.log --out-dir outs",
        "a.log --out-dir outs --format mcap",
    ),
    "picture": ("a.log out.svg --at #2 --xodr town.xodr",),
    "video": (
        f"a.log out.gif {SMALL} --xodr town.xodr",
        f"a.log out.png {SMALL}",
        f"a.log outs {SMALL} --segments list.csv --segment one",
    ),
    "trim": ("a.log out.log --from #2", "a.log b.log --to #4 --out-dir outs"),
    "cut": ("a.log out.log --from #2 --to #3",),
    "split": ("a.log outs --frames 3",),
    "segments": ("a.log --segments list.csv outs",),
    "notes": ("a.log",),
    "join": ("a.log b.log out.log",),
    "edit": ("a.log out.log --retime 2 --save-script out.json", "a.log --retime 2 --out-dir outs"),
    "run": ("script.json a.log out.log --xodr town.xodr", "script.json a.log --out-dir outs"),
    "convert": ("a.log out.log --write-as ue4-0.9.14", "a.log --write-as ue4-0.9.14 --out-dir outs"),
    "lanes": ("town.xodr out.csv",),
    "grammar": ("out.ksy", "out.hexpat"),
    "metrics": ("a.log metric.py --criteria criteria.json --xodr town.xodr --out-dir outs",),
    "replay": ("a.log --script out.py",),
    "index": ("drives --new",),
    "find": ("drives",),
    "l1": ("highd outs --recordings 7 --workers 1",),
    "import-highd": ("highd 7 out.log",),
    "import-report": ("report.txt out.log",),
    "import-trajectories": ("table.csv out.log --xodr town.xodr",),
    "demo": ("out.log --seconds 1",),
    "completion": ("names actors a.log",),
}
"""Command lines of each verb, which together name each of its files and folders; outputs begin with `out`."""

KEPT: Mapping[str, bytes] = {
    "recording": b.drive(3),
    "notes": b'[{"notes": 1, "fingerprint": "0"}\n,{"frame": 1, "text": "mine"}\n]\n',
    "segments": b'[\n{"start": 0, "end": 1.5, "name": "mine"}\n]\n',
    "list": b"start,end,name\n0,1.5,mine\n",
    "workspace": b'{"workspace": 1, "name": "mine", "layout": "inspect", "docks": [], "panes": {}}\n',
    "packets": b'{"packets": [{"id": 101, "name": "Mine"}]}\n',
}
"""What no table, picture or text may replace."""

METRIC = """
from srunner.metrics.examples.basic_metric import BasicMetric
class Frames(BasicMetric):
    def _create_metric(self, town_map, log, criteria):
        print(log.get_total_frame_count())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with all inputs that the cases name."""
    monkeypatch.chdir(tmp_path)
    Path("a.log").write_bytes(b.drive(6))
    Path("b.log").write_bytes(b.drive(6, first_id=300))
    Path("torn.log").write_bytes(b.drive(6)[:-7])
    Path("drives").mkdir()
    shutil.copy("a.log", "drives/a.log")
    Path("town.xodr").write_bytes(STREET)
    Path("list.csv").write_text("#1,#3,one\n#3,#6,two", "utf-8")
    Path("metric.py").write_text(METRIC, "utf-8")
    Path("criteria.json").write_text("{}", "utf-8")
    steps = [{"operation": "retime", "label": "Slower", "arguments": {"factor": 2}}]
    Path("script.json").write_text(json.dumps({"script": 2, "steps": steps, "left_out": []}), "utf-8")
    return tmp_path


def parsers() -> Mapping[str, argparse.ArgumentParser]:
    verbs = {name: cli.verb_parser(name) for name in cli.VERBS}
    return {"open": window_parsers.open_parser(), "screenshot": window_parsers.screenshot_parser(), **verbs}


def paths_of(parser: argparse.ArgumentParser) -> set[str]:
    """The arguments that name files and folders."""
    return {action.dest for action in parser._actions if action.type is Path}


def files() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.fixture
def prepared(folder: Path, capsys: Captured) -> Path:
    """The working folder, with what only some verbs need."""
    assert cli.main(["dump", "a.log"]) == 0
    Path("a.jsonl").write_text(capsys.readouterr().out, "utf-8")
    assert cli.main(["info", "a.log", "--all"]) == 0
    Path("report.txt").write_text(capsys.readouterr().out, "utf-8")
    Path("table.csv").write_text("time,id,x,y\n0,7,0,0\n0.1,7,1,0\n", "utf-8")
    return folder


# --- every verb -----------------------------------------------------------------------------------------


def test_every_verb_has_a_case_which_names_all_of_its_files() -> None:
    assert CASES.keys() == parsers().keys()
    for verb, lines in CASES.items():
        if not lines:
            continue
        named: set[str] = set()
        for line in lines:
            parser = parsers()[verb]
            if "--out-dir" in line:
                parser = cli.verb_parser(verb, is_many=True)
            given = vars(parser.parse_args(line.split()))
            named |= {name for name in given if given[name] is not None}
        assert paths_of(parsers()[verb]) <= named, verb


def test_every_verb_that_writes_has_the_option_under_the_same_names() -> None:
    for verb, parser in parsers().items():
        short = parser._option_string_actions.get("-f")
        long = parser._option_string_actions.get("--overwrite")
        assert short is long, verb
        is_writing = verb == "screenshot" or any("out" in line for line in CASES[verb]) or verb == "index"
        assert (long is not None) == is_writing, verb


def commands() -> Iterator[tuple[str, str]]:
    for verb, lines in CASES.items():
        for line in lines:
            yield verb, line


def contents_to_keep(made: bytes) -> Mapping[str, bytes]:
    """What an output must not replace: a recording replaces nothing."""
    return {**KEPT, "text": b"mine"} if made[4 : 4 + len(MAGIC)] == MAGIC else KEPT


@pytest.mark.parametrize(("verb", "line"), [*commands()], ids=lambda text: text.partition(" --")[0])
def test_an_output_replaces_nothing_unasked_that_has_to_stay(
    prepared: Path, request: pytest.FixtureRequest, capsys: Captured, verb: str, line: str
) -> None:
    if verb == "metrics":
        request.getfixturevalue("carla")
    if "highd" in line:
        highd.write(Path("highd"), 7, highd.traffic(2))
    if verb == "find":
        assert cli.main(["index", "drives"]) == 0
    words = [verb, *line.split()]
    before = files()
    assert cli.main(words, paint) in (0, 3)
    made = {path: data for path, data in files().items() if path not in before}
    assert bool(made) == ("out" in line or verb == "index")
    assert {path: data for path, data in files().items() if path in before} == before
    for path, data in made.items():
        is_named = not path.name.endswith(".layout.json")  # nobody named that: it stays, and the rest is written
        for kind, kept in contents_to_keep(data).items():
            path.write_bytes(kept)
            capsys.readouterr()
            assert (cli.main(words, paint) == 2) == is_named, (path, kind)
            told = capsys.readouterr().err
            assert str(path) in told, (path, kind)
            assert "--overwrite" in told, (path, kind)
            assert path.read_bytes() == kept, (path, kind)
        others = {each for each in made if each != path}
        if is_named and others:
            for each in others:
                each.unlink()
            assert cli.main(words) == 2, path
            assert not any(each.exists() for each in others), path
        assert cli.main([*words, "--overwrite"], paint) in (0, 3)
        assert path.read_bytes()[:4] == data[:4]
    if made:
        assert cli.main([*words, "-f"], paint) in (0, 3)


@pytest.mark.parametrize("kind", KEPT)
def test_a_picture_of_the_window_replaces_nothing_unasked_either(folder: Path, capsys: Captured, kind: str) -> None:
    out = Path("out.png")
    out.write_bytes(KEPT[kind])
    assert program.main(["screenshot", "a.log", "out.png"]) == 2
    told = capsys.readouterr().err
    assert "out.png exists already" in told
    assert "--overwrite" in told
    assert out.read_bytes() == KEPT[kind]


def test_an_empty_file_and_what_can_be_written_again_are_replaced(folder: Path) -> None:
    Path("out.log").touch()
    assert cli.main(["trim", "a.log", "out.log", "--from", "#2"]) == 0
    for number in range(2):
        Path("out.csv").write_text("any,table\n1,2\n")
        assert cli.main(["export", "a.log", "out.csv"]) == 0, number
    assert cli.main(["export", "a.log", "out.csv", "--table", "actors"]) == 0


def test_a_dry_run_is_refused_nothing(folder: Path) -> None:
    assert cli.main(["trim", "a.log", "b.log", "--from", "#2", "--dry-run"]) == 0
    assert cli.main(["split", "a.log", ".", "--frames", "3", "--dry-run"]) == 0


def test_it_is_refused_before_the_input_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_words: object, **_named: object) -> None:
        raise AssertionError("read")

    monkeypatch.setattr("recorder_editor.cli.files.open_recording", fail)
    assert cli.main(["trim", "a.log", "b.log", "--from", "#2"]) == 2


def test_a_file_that_comes_to_be_while_the_output_is_made_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    out = Path("out.log")
    from recorder_editor.recording import recording as module

    save = module.save

    def late(*words: object, **named: object) -> object:
        out.write_bytes(KEPT["recording"])
        return save(*words, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "save", late)
    assert cli.main(["trim", "a.log", "out.log", "--from", "#2"]) == 2
    assert "out.log exists already (a recording); give --overwrite to replace it." in capsys.readouterr().err
    assert out.read_bytes() == KEPT["recording"]


# --- a wildcard gave the names --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("trim a.log b.log --from #2", "--out-dir"),
        ("edit a.log b.log --retime 2", "--out-dir"),
        ("convert a.log b.log --write-as ue4-0.9.15", "--out-dir"),
        ("repair a.log b.log", "--out-dir"),
        ("export a.log b.log", "--out-dir"),
        ("run script.json a.log b.log", "--out-dir"),
        ("trim a.log b.log torn.log --from #2", "--out-dir"),
        ("run script.json a.log b.log torn.log", "--out-dir"),
        ("join a.log b.log torn.log", "OUT"),
        ("join a.log b.log", "OUT"),
    ],
)
def test_where_all_names_are_recordings_what_was_meant_is_said(
    folder: Path, capsys: Captured, words: str, said: str
) -> None:
    before = files()
    assert cli.main(words.split()) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert files() == before


def test_what_is_no_recording_gives_no_such_hint(folder: Path, capsys: Captured) -> None:
    Path("out.log").write_text("mine")
    assert cli.main(["trim", "a.log", "out.log", "--from", "#2"]) == 2
    assert "--out-dir" not in capsys.readouterr().err
    assert cli.main(["trim", "a.log", "out.log", "nowhere", "--from", "#2"]) == 2
    assert capsys.readouterr().err.endswith("unrecognized arguments: nowhere\n")


# --- many at once ---------------------------------------------------------------------------------------


def test_of_many_outputs_all_that_exist_are_named_before_one_is_written(folder: Path, capsys: Captured) -> None:
    for name in ("torn.log", "b.log"):
        Path("outs").mkdir(exist_ok=True)
        Path("outs", name).write_bytes(b"mine")
    before = files()
    words = ["trim", "a.log", "b.log", "torn.log", "--damaged", "--to", "#3", "--out-dir", "outs"]
    assert cli.main(words) == 2
    told = capsys.readouterr().err
    places = [str(Path("outs", name)) for name in ("b.log", "torn.log")]
    assert f"2 files exist already: {', '.join(places)}; give --overwrite to replace them." in told
    assert files() == before
    assert cli.main([*words, "--overwrite"]) == 0


def test_a_run_with_resume_makes_its_own_outputs_again_and_no_others(folder: Path, capsys: Captured) -> None:
    words = ["trim", "a.log", "b.log", "--to", "#3", "--out-dir", "outs", "--resume"]
    assert cli.main(words) == 0
    Path("a.log").write_bytes(b.drive(7))
    assert cli.main(words) == 0
    Path("outs/torn.log").write_bytes(b"mine")
    assert cli.main(["trim", "torn.log", "a.log", "--damaged", "--to", "#3", "--out-dir", "outs", "--resume"]) == 2
    assert str(Path("outs/torn.log")) in capsys.readouterr().err
    assert Path("outs/torn.log").read_bytes() == b"mine"


def test_an_output_of_a_run_that_was_killed_is_made_again(folder: Path) -> None:
    words = ["trim", "a.log", "b.log", "--to", "#3", "--out-dir", "outs", "--resume"]
    assert cli.main(words) == 0
    record = Path("outs/recorder-editor-done.json")
    told = json.loads(record.read_text())
    record.write_text(json.dumps({"outputs": dict.fromkeys(told["outputs"])}))  # as it is while outputs are made
    assert cli.main(words) == 0
    assert json.loads(record.read_text()) == told


def test_an_output_that_failed_is_none_of_the_next_run(folder: Path) -> None:
    words = ["trim", "a.log", "torn.log", "--to", "#3", "--out-dir", "outs", "--resume"]
    assert cli.main(words) == 1
    assert [*json.loads(Path("outs/recorder-editor-done.json").read_text())["outputs"]] == ["a.log"]


def test_a_file_in_the_place_of_the_record_of_resume_stays(folder: Path, capsys: Captured) -> None:
    record = Path("outs/recorder-editor-done.json")
    record.parent.mkdir()
    record.write_text("mine")
    words = ["trim", "a.log", "--to", "#3", "--out-dir", "outs", "--resume"]
    assert cli.main(words) == 2
    assert f"{record} exists already" in capsys.readouterr().err
    assert files()[record] == b"mine"
    assert cli.main([*words, "-f"]) == 0


# --- files that nobody named ----------------------------------------------------------------------------


def test_another_layout_beside_an_export_is_kept_and_told(folder: Path, capsys: Captured) -> None:
    layout = Path("out.layout.json")
    assert cli.main(["export", "a.log", "out.mcap"]) == 0
    own = layout.read_bytes()
    assert cli.main(["export", "a.log", "out.mcap"]) == 0
    assert capsys.readouterr().err == ""
    layout.write_text('{"mine": 1}')
    assert cli.main(["export", "a.log", "out.mcap"]) == 0
    told = "out.layout.json is another layout than that of this export, and was kept; --overwrite replaces it.\n"
    assert capsys.readouterr().err == told
    assert layout.read_text() == '{"mine": 1}'
    assert cli.main(["export", "a.log", "out.mcap", "-f"]) == 0
    assert layout.read_bytes() == own


def test_a_layout_that_would_replace_the_recording_is_refused(folder: Path, capsys: Captured) -> None:
    recording = Path("out.layout.json")
    recording.write_bytes(b.drive(3))
    for words in (["out.mcap"], ["out.mcap", "-f"]):
        assert cli.main(["export", "out.layout.json", *words]) == 2
        assert "is the input itself" in capsys.readouterr().err
    assert recording.read_bytes() == b.drive(3)


def test_the_layouts_of_many_are_looked_at_too(folder: Path, capsys: Captured) -> None:
    Path("outs").mkdir()
    recording = Path("outs/a.layout.json")
    recording.write_bytes(b.drive(3))
    words = ["export", "a.log", str(recording), "--format", "mcap", "--out-dir", "outs"]
    for more in ([], ["-f"]):
        assert cli.main([*words, *more]) == 2
        assert f"{recording} is an input itself" in capsys.readouterr().err
    assert recording.read_bytes() == b.drive(3)
    assert [*Path("outs").iterdir()] == [recording]


@pytest.mark.parametrize("verb", ["trim", "cut"])
def test_a_backup_replaces_an_earlier_one_and_nothing_else(folder: Path, capsys: Captured, verb: str) -> None:
    Path("b.log.bak").write_text("mine")
    words = [verb, "a.log", "b.log", "--from", "#2", "--to", "#3", "--backup", "-f"]
    before = files()
    assert cli.main(words) == 1
    assert "b.log.bak is no recording" in capsys.readouterr().err
    assert files() == before
    Path("b.log.bak").write_bytes(b.drive(3))
    assert cli.main(words) == 0
    assert files()[Path("b.log.bak")] == before[Path("b.log")]
