"""What is said of names that were mistyped: the name that may be meant, and the usage of the verb."""

from pathlib import Path

import pytest

from recorder_editor.__main__ import main

from .. import builders as b

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(6))
    return str(path)


@pytest.mark.parametrize(
    ("verb", "meant"),
    [
        ("trimm", " Did you mean “trim”?"),
        ("exprot", " Did you mean “export”?"),
        ("import-higd", " Did you mean “import-highd”?"),
        ("screenshoot", " Did you mean “screenshot”?"),
        ("zzz", ""),
    ],
)
def test_a_verb_like_the_mistyped_one_is_suggested(verb: str, meant: str, capsys: Captured) -> None:
    assert main([verb, "gone.log"]) == 2
    sentence = f"There is no verb “{verb}”, and no such file; --help lists the verbs."
    assert capsys.readouterr().err == f"recorder-editor: {sentence}{meant}\n"


@pytest.mark.parametrize(
    ("verb", "word", "meant"),
    [
        ("trim", "--form", " Did you mean “--from”?"),
        ("trim", "--form=#2", " Did you mean “--from”?"),
        ("convert", "--rite-as", " Did you mean “--write-as”?"),
        ("edit", "--remove-acter", " Did you mean “--remove-actor”?"),
        ("trim", "--zzz", ""),
        ("trim", "more.log", ""),
    ],
)
def test_an_option_like_the_mistyped_one_is_suggested_below_the_usage_of_the_verb(
    verb: str, word: str, meant: str, capsys: Captured
) -> None:
    needed = ["--write-as", "ue4-2026"] if verb == "convert" else []
    assert main([verb, "a.log", "b.log", *needed, word]) == 2
    usage, *_, reason = capsys.readouterr().err.splitlines()
    assert usage.startswith(f"usage: recorder-editor {verb} ")
    stop = "." if meant else ""
    assert reason == f"recorder-editor {verb}: error: unrecognized arguments: {word}{stop}{meant}"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--move", "hero", "0,3,0"], ". Did you mean “--move hero=0,3,0”?"),
        (["--move", "hero=0,3,0", "0,3,0"], ""),
        (["--remove-actor", "hero", "0,3,0"], ""),
    ],
)
def test_a_change_with_a_space_for_its_equals_sign_is_suggested_with_it(
    words: list[str], meant: str, capsys: Captured
) -> None:
    assert main(["edit", "a.log", "b.log", *words]) == 2
    reason = capsys.readouterr().err.splitlines()[-1]
    assert reason == f"recorder-editor edit: error: unrecognized arguments: 0,3,0{meant}"


def test_several_recordings_are_told_of_out_dir(small: str, tmp_path: Path, capsys: Captured) -> None:
    assert main(["trim", small, str(tmp_path / "out.log"), small]) == 2
    reason = capsys.readouterr().err.splitlines()[-1]
    assert reason.endswith(f"unrecognized arguments: {small}. Give --out-dir for several recordings.")


def test_a_packet_like_the_mistyped_one_is_suggested(small: str, tmp_path: Path, capsys: Captured) -> None:
    assert main(["dump", small, "--packets", "FrameStart,positon"]) == 2
    assert "“positon” is not a packet of CARLA" in (told := capsys.readouterr().err)
    assert " Did you mean “Position”? Its packets: FrameStart, " in told
    assert main(["dump", small, "--packets", "zzz"]) == 2
    assert "Did you mean" not in capsys.readouterr().err


def test_a_table_like_the_mistyped_one_is_suggested(small: str, tmp_path: Path, capsys: Captured) -> None:
    out = str(tmp_path / "out.csv")
    assert main(["export", small, out, "--table", "postions"]) == 2
    assert "“postions” is not a table. Did you mean “positions”? There are: " in capsys.readouterr().err
    assert main(["export", small, out, "--table", "zzz"]) == 2
    assert "“zzz” is not a table. There are: " in capsys.readouterr().err


def test_suggestions_are_translated(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert main(["trimm", "gone.log"]) == 2
    assert capsys.readouterr().err == (
        "recorder-editor: 没有命令“trimm”，也没有这个文件；--help 列出所有命令。是否指“trim”？\n"
    )
    assert main(["trim", "a.log", "b.log", "--form", "1"]) == 2
    reason = capsys.readouterr().err.splitlines()[-1]
    assert reason == "recorder-editor trim: 错误：无法识别的参数：--form 1。是否指“--from”？"


@pytest.mark.parametrize(("words", "same"), [(["help"], ["--help"]), (["help", "trim"], ["trim", "--help"])])
def test_help_is_read_as_the_option(words: list[str], same: list[str], capsys: Captured) -> None:
    assert main(words) == 0
    text = capsys.readouterr().out
    assert main(same) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["find", "nosuchdir"], "nosuchdir: there is no such folder."),
        (["edit", "IN", "OUT", "--set", "Positon: x = 1"], "There is no packet “Positon”. Did you mean “Position”?"),
        (["dump", "IN", "--packets", "Positions"], "Did you mean “Position”?"),
        (["events", "IN", "--actors", "foo"], "“foo” names no actor"),
    ],
)
def test_wrong_words_are_wrong_usage_whatever_reads_them(
    words: list[str], sentence: str, small: str, tmp_path: Path, capsys: Captured
) -> None:
    names = {"IN": small, "OUT": str(tmp_path / "out.log")}
    assert main([names.get(word, word) for word in words]) == 2
    assert sentence in capsys.readouterr().err
