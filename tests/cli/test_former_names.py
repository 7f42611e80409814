"""Names that options had before stay valid, and a line says what they are called now."""

import json
from pathlib import Path

import pytest

from recorder_editor.__main__ import main
from recorder_editor.cli import VERBS, verb_parser
from recorder_editor.cli.completions.commands import commands
from recorder_editor.cli.former_names import FORMER_NAMES

from .. import builders as b

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(6))
    (tmp_path / "list.csv").write_text("#1,#3,one\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("former", "present", "code"),
    [
        ("info small.log --json --dialect ue4-0.9.12", "info small.log --json --read-as ue4-0.9.12", 0),
        ("trim small.log out.log --dialect=ue4-0.9.12", "trim small.log out.log --read-as=ue4-0.9.12", 0),
        ("convert small.log out.log --dialect ue4-0.9.14", "convert small.log out.log --write-as ue4-0.9.14", 0),
        ("demo out.log --seconds 1 --dialect 0.9.13", "demo out.log --seconds 1 --write-as 0.9.13", 0),
        ("segments small.log out --list list.csv --dry-run", "segments small.log out --segments list.csv --dry-run", 0),
        ("lanes gone.xodr out.csv --step 5", "lanes gone.xodr out.csv --spacing 5", 2),
        ("l1 gone out --num-workers 2", "l1 gone out --workers 2", 2),
        ("import-trajectories gone.csv out.log --step 1", "import-trajectories gone.csv out.log --fixed-step 1", 2),
        ("replay small.log --start 0.1 --script out.py", "replay small.log --from 0.1 --script out.py", 0),
    ],
)
def test_a_former_name_does_what_the_present_one_does_and_is_told_once(
    former: str, present: str, code: int, small: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    del small
    done = []
    for words in (present, former):
        for name in ("out.log", "out.csv", "out.py"):
            Path(name).unlink(missing_ok=True)
        assert main(words.split()) == code
        done.append(capsysbinary.readouterr())
    old = next(word for word in former.split() if word.startswith("--") and word not in present.split())
    new = next(word for word in present.split() if word.startswith("--") and word not in former.split())
    note = f"{old.partition('=')[0]} is now called {new.partition('=')[0]}.\n".encode()
    assert note not in done[0].err
    assert done[1].out == done[0].out
    assert sorted(done[1].err.splitlines()) == sorted((done[0].err + note).splitlines())


def test_the_note_is_told_with_a_refusal_and_not_with_quiet(small: Path, capsys: Captured) -> None:
    assert main(["info", str(small), "--json", "--quiet", "--dialect", "ue4-0.9.12"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["info", str(small), "--dialect", "0.9.99"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "--dialect is now called --read-as."
    assert "argument --read-as: '0.9.99' is no dialect" in lines[-1]


def test_a_former_name_may_be_shortened_and_takes_no_beginning_of_a_present_one(small: Path, capsys: Captured) -> None:
    assert main(["info", str(small), "--json", "--dial", "ue4-0.9.12"]) == 0
    assert capsys.readouterr().err == "--dialect is now called --read-as.\n"
    assert main(["lanes", "gone.xodr", "out.csv", "--s", "5"]) == 2
    assert "--step" not in capsys.readouterr().err


def test_behind_two_dashes_a_name_is_a_file(small: Path, capsys: Captured) -> None:
    del small
    assert main(["info", "--", "--dialect"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "recorder-editor: --dialect: No such file or directory."


@pytest.mark.parametrize("verb", VERBS)
def test_former_names_are_in_no_help_and_take_no_present_one(verb: str) -> None:
    parser = verb_parser(verb)
    text = parser.format_help()
    for former, present in parser.former_names.items():
        assert f"{former} " not in text
        assert present in text
        assert former not in parser.option_names()


def test_every_former_name_is_one_of_a_verb_and_none_is_completed() -> None:
    taken = set()
    completed = set()
    for verb in VERBS:
        taken.update(verb_parser(verb).former_names.items())
    assert taken == {(name.former, name.present) for name in FORMER_NAMES}
    for command in commands():
        completed.update((command.name, name) for argument in command.arguments() for name in argument.names)
    for verb in VERBS:
        assert not {(verb, former) for former in verb_parser(verb).former_names} & completed


def test_a_table_in_another_case_is_told(small: Path, capsys: Captured) -> None:
    assert main(["export", str(small), "out.csv", "--table", "position"]) == 0
    assert capsys.readouterr().err == "--table position is now called Position.\n"
    for name in ("Position", "positions", "6"):
        assert main(["export", str(small), "out.csv", "--table", name]) == 0
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize("words", ["trim small.log out.log --from #2", "export small.log out.csv"])
def test_json_tells_the_outcome_of_one_recording_as_that_of_many(words: str, small: Path, capsys: Captured) -> None:
    out = words.split()[2]
    assert main([*words.split(), "--json"]) == 0
    (outcome,) = json.loads(capsys.readouterr().out)["files"]
    assert (outcome["file"], outcome["out"], outcome["code"]) == ("small.log", out, 0)
    assert Path(out).exists()
    before = Path(out).read_bytes()
    if out == "out.log":
        assert main([*words.split(), "--json"]) == 2
        assert "out.log exists already (a recording)" in capsys.readouterr().err
    assert main([words.split()[0], "small.log", "small.log", "--json", "-f"]) == 2
    assert "is the input itself" in capsys.readouterr().err
    assert main([words.split()[0], "small.log", "-", "--json"]) == 2
    assert "--json goes to standard output" in capsys.readouterr().err
    assert Path(out).read_bytes() == before
    assert small.exists()


def test_the_end_of_a_replay_is_a_time_as_elsewhere(small: Path, capsys: Captured) -> None:
    Path("a.py").unlink(missing_ok=True)
    assert main(["replay", str(small), "--from", "0.1", "--to", "0:00.35", "--script", "a.py"]) == 0
    assert main(["replay", str(small), "--from", "0.1", "--duration", "0.25", "--script", "b.py"]) == 0
    assert Path("a.py").read_bytes() == Path("b.py").read_bytes()
    capsys.readouterr()
    assert main(["replay", str(small), "--from", "2", "--to", "1"]) == 2
    assert "The end, 1 s, is not behind the start, 2 s." in capsys.readouterr().err
    assert main(["replay", str(small), "--to", "1", "--duration", "1"]) == 2
    assert "give one of them" in capsys.readouterr().err
