"""Which words of a command line are options: those that its parser takes for them."""

import shutil
from pathlib import Path

import pytest

from recorder_editor import __main__ as program
from recorder_editor import cli
from recorder_editor.texts import language_of, option_value

from .. import builders as b

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two recordings."""
    monkeypatch.chdir(tmp_path)
    Path("a.log").write_bytes(b.drive(6))
    Path("b.log").write_bytes(b.drive(6))
    return tmp_path


def test_an_expression_that_begins_with_an_equals_sign_is_taken_for_one(folder: Path, capsys: Captured) -> None:
    assert cli.main(["edit", "a.log", "o.log", "--set", "=abcde"]) != 0
    assert "--set =abcde: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["trim", "=town.log", "o.log", "--from", "#2", "--to", "#4"], 0),
        (["trim", "a.log", "=out.log", "--from", "#2", "--to", "#4"], 0),
        (["convert", "=town.log", "o.log", "--write-as", "ue4-0.9.15"], 0),
        (["repair", "a.log", "=out.log"], 0),
        (["export", "a.log", "=out.csv"], 0),
        (["export", "a.log", "o.csv", "--actors", "=hero1"], 2),
        (["export", "a.log", "o.mcap", "--signals", "=Position:speed"], 2),
        (["info", "=town.log"], 0),
        (["check", "=town.log"], 0),
        (["actors", "=town.log"], 0),
        (["trim", "--from", "#2", "--", "a.log", "--out-dir.log"], 0),
    ],
)
def test_a_word_that_begins_with_an_equals_sign_is_no_option(
    folder: Path, capsys: Captured, words: list[str], code: int
) -> None:
    shutil.copy("a.log", "=town.log")
    assert cli.main(words) == code
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert "Name the file" not in told
    named = [word for word in words if word in ("o.log", "=out.log", "=out.csv", "--out-dir.log")]
    assert code == 2 or all(Path(word).exists() for word in named)


@pytest.mark.parametrize("option", ["--out-dir", "--out-di", "--out", "--ou"])
@pytest.mark.parametrize("joint", [" ", "="])
def test_the_folder_of_outputs_may_be_shortened_as_every_option(folder: Path, option: str, joint: str) -> None:
    assert cli.main(["trim", "a.log", "b.log", "--to", "#3", *f"{option}{joint}outs".split()]) == 0
    assert sorted(path.name for path in Path("outs").iterdir()) == ["a.log", "b.log"]


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["trim", "--out-dir", "D", "a"], "D"),
        (["trim", "--out-dir=D", "a"], "D"),
        (["trim", "--out-dir=", "a"], ""),
        (["trim", "a", "--out-dir"], ""),
        (["trim", "=a", "--", "--out-dir"], None),
        (["trim", "--set=--out-dir", "a"], None),
        (["trim", "out-dir", "-out-dir", "="], None),
        ([], None),
    ],
)
def test_an_option_is_found_as_parsers_find_it(words: list[str], value: str | None) -> None:
    assert option_value(words, "--out-dir") == value


@pytest.mark.parametrize(
    "words", [["check", "my --lang zh_CN.log"], ["check", "--", "--lang", "zh_CN"], ["edit", "--set=a --lang=zh_CN"]]
)
def test_a_language_within_another_word_is_none(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "")
    assert language_of(words) == "en"


def test_a_language_before_the_verb_is_an_option_where_all_other_words_are_names(
    folder: Path, capsys: Captured
) -> None:
    assert program.main(["--lang", "zh_CN", "check", "--", "a.log"]) == 0
    assert "没有" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    ["export a.log --table positions out.csv", "export --step 2 a.log --actors 100 out.csv", "export a.log out.csv -f"],
)
def test_the_output_may_stand_behind_options(command: str, folder: Path) -> None:
    assert cli.main(command.split()) == 0
    assert (folder / "out.csv").exists()


def test_an_expression_may_stand_behind_options(folder: Path, capsys: Captured) -> None:
    assert cli.main(["index", str(folder), "--workers", "1"]) == 0
    capsys.readouterr()
    assert cli.main(["find", str(folder), "--json", "frames == 6"]) == 0
    assert '"path": "a.log"' in capsys.readouterr().out
    assert cli.main(["find", str(folder), "--events", "value < 0", "more"]) == 2
    assert "unrecognized arguments: value < 0 more" in capsys.readouterr().err
