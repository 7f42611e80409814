"""What verbs say in the language of their user, and what stays English."""

import re
from pathlib import Path

import pytest

from recorder_editor import __main__ as program
from recorder_editor import texts as sentences
from recorder_editor.cli import VERBS, main, verb_parser
from recorder_editor.cli.completions.commands import commands
from recorder_editor.texts import display_width, language_of, speaking
from tests import builders as b
from tests.outputs.__main__ import make_input, outputs_of
from tests.repair.made import town

CHINESE = re.compile("[㐀-鿿]")
TOWN = town(frames=8, cars=2, seed=5)


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    path = tmp_path / "torn.log"
    path.write_bytes(TOWN[:-300])
    return path


@pytest.mark.parametrize(
    ("arguments", "locale", "said"),
    [
        (["check", "--lang", "zh_CN"], {}, "zh_CN"),
        (["check", "--lang=zh_CN"], {}, "zh_CN"),
        (["check"], {"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        (["check"], {"LANG": "zh_CN.UTF-8", "LC_ALL": "de_DE.UTF-8"}, "en"),
        (["check", "--lang", "en"], {"LC_ALL": "zh_CN.UTF-8"}, "en"),
        (["check"], {}, "en"),
        (["check"], {"LANG": "C.UTF-8"}, "en"),
        (["check"], {"LANG": "eo.UTF-8"}, "eo"),
        (["check"], {"LANG": "pt_PT@euro"}, "pt_BR"),
        (["check"], {"LANG": "pt_PT.UTF-8"}, "pt_BR"),
    ],
)
def test_the_language_is_that_of_the_option_or_of_the_locale(
    arguments: list[str], locale: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentences, "LANGUAGES", ("en", "eo", "pt_BR", "zh_CN"))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, locale.get(name, ""))
    assert language_of(arguments) == said


def test_check_and_repair_speak_chinese(torn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--lang", "zh_CN", str(torn)]) == 1
    assert main(["repair", "--lang", "zh_CN", str(torn), str(tmp_path / "out.log")]) == 3
    for line in capsys.readouterr().out.splitlines():
        assert CHINESE.search(line), line
        assert not re.search("[a-z]{2} [a-z]{2}", line.replace(str(tmp_path), "")), line
    missing = str(tmp_path / "missing.log")
    assert main(["check", "--lang", "zh_CN", missing]) == 2
    assert capsys.readouterr().err == f"recorder-editor: {missing}：没有这个文件或文件夹。\n"


def test_sentences_that_are_made_of_others_end_as_chinese_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.log"
    path.write_bytes(b.recording(b.frame(1, packets=[b.packet(6, b"\x01\0" + bytes(30))])))
    main(["check", "--lang", "zh_CN", str(path)])
    out = capsys.readouterr().out
    assert "字节" in out
    assert not re.search("[㐀-鿿][.,;:]", out), out


@pytest.mark.parametrize("option", [["--lang", "zh_CN"], ["--lang=zh_CN"]])
def test_the_language_may_stand_before_the_verb(
    option: list[str], torn: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for rest, code in ((["check", str(torn)], 1), (["repair", "--help"], 0), (["--help"], 0)):
        assert program.main([*option, *rest]) == program.main([*rest, *option]) == code
        before, after = (out := capsys.readouterr().out)[: len(out) // 2], out[len(out) // 2 :]
        assert before == after
        assert CHINESE.search(before)


def test_a_locale_changes_what_check_repair_and_info_say_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = tmp_path / "town.log"
    recording.write_bytes(TOWN)
    for name in ("TZ", "COLUMNS", "QT_QPA_PLATFORM", "RECORDER_EDITOR_STATE_DIR"):  # outputs_of sets them
        monkeypatch.setenv(name, "")
    monkeypatch.chdir(tmp_path)
    make_input(tmp_path / "inputs", recording)
    said = []
    for name in ("en_GB.UTF-8", "zh_CN.UTF-8"):
        monkeypatch.setenv("LC_ALL", name)
        said.append(outputs_of(tmp_path / "inputs"))
    other = {command for command, output in said[0].items() if output != said[1][command]}
    told = {command for command in said[0] if command.startswith(("check", "repair")) and "--json" not in command}
    # CARLA's own text stays as it is: what info says beside it, of damage, follows, and so does what is refused.
    assert told | {"info torn.log --utc", "info missing.log"} <= other
    for command in other - told - {"info torn.log --utc"}:
        english, chinese = (output[command] for output in said)
        assert english["code"] in (1, 2), command
        assert {name for name in english if english[name] != chinese[name]} == {"stderr", "said"}, command


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["trim", "missing.log", "out.log"], "missing.log：没有这个文件或文件夹。"),
        (["find", "nosuchdir"], "nosuchdir：没有这个文件夹。"),
        (["actors", "missing.log", "--json"], "missing.log：没有这个文件或文件夹。"),
        (
            ["edit", "torn.log", "out.log", "--damaged", "--remove-actor", "999"],
            "--remove-actor 999：此记录文件中没有参与者 999。",
        ),
    ],
)
def test_refusals_of_all_verbs_follow_the_option_and_the_locale(
    words: list[str], sentence: str, torn: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(torn.parent)
    assert main([*words, "--lang", "zh_CN"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"recorder-editor: {sentence}"
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert main(words) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"recorder-editor: {sentence}"
    assert main([*words, "--lang", "en"]) == 2
    assert not CHINESE.search(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("trim a.log", "trim: 错误：缺少必需的参数：OUT"),
        ("trim a.log b.log --from", "trim: 错误：参数 --from：需要一个值"),
        ("trim a.log b.log --workers x", "trim: 错误：参数 --workers：'x' 不是整数"),
        ("trim a.log b.log --dry=3", "trim: 错误：参数 --dry-run：不接受值 '3'"),
        ("trim a.log b.log --d", "trim: 错误：选项 --d 有歧义，可能是 --dry-run, --damaged, --dask"),
        ("trim a.log b.log c", "trim: 错误：无法识别的参数：c"),
        ("split a.log b", "split: 错误：必须给出参数 --every --frames --max-size 之一"),
        ("split a.log b --every 1 --frames 3", "split: 错误：参数 --frames：不能与参数 --every 同时使用"),
        ("events gone.log", ": gone.log：没有这个文件或文件夹。"),
        ("demo out.log --seconds -1", ": 记录文件的时长不小于 0 秒，步长为 0.001 到 10 秒。"),
        ("screenshot gone.log x.png", ": gone.log：没有这个文件或文件夹。"),
        ("screenshot torn.log x.png --frame 0", "screenshot: 错误：参数 --frame：帧从 1 开始计数"),
        ("screenshot torn.log torn.log", ": torn.log 就是记录文件本身；请为图片另取名称。"),
        ("screenshot torn.log x.xyz", ": x.xyz：不能以这样的名称写入图片；请以 .png 结尾。"),
        ("open gone.log --time z", ": 错误：参数 --time：'z' 不是时间；请写秒数，例如 12.5 或 0:12.5"),
        ("open gone.log", ": gone.log：没有这个文件或文件夹。"),
        ("gone.log", ": gone.log：没有这个文件或文件夹。"),
    ],
)
def test_what_is_wrong_with_the_words_of_a_command_is_told_in_chinese(
    command: str, reason: str, torn: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(torn.parent)
    for words in ([*command.split(), "--lang", "zh_CN"], command.split()):
        assert program.main(words) in (1, 2)
        told = capsys.readouterr().err.splitlines()
        assert told[-1] == f"recorder-editor{'' if reason.startswith(':') else ' '}{reason}"
        assert len(told) == 1 or told[0].startswith("用法：recorder-editor ")
        monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")


def test_the_usage_of_every_verb_begins_with_the_program_in_every_language() -> None:
    with speaking("zh_CN"):
        assert all(command.usage.startswith("recorder-editor") for command in commands())


def test_english_refusals_are_those_of_argparse(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trim", "a.log", "--lang", "en"]) == 2
    usage, *_, reason = capsys.readouterr().err.splitlines()
    assert usage.startswith("usage: recorder-editor trim ")
    assert reason == "recorder-editor trim: error: the following arguments are required: OUT"


def test_what_programs_read_stays_english(
    torn: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert main(["actors", str(torn)]) == 0
    assert not CHINESE.search(capsys.readouterr().out)


@pytest.mark.parametrize("verb", VERBS)
def test_every_help_speaks_chinese(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with speaking("zh_CN"):
        made = verb_parser(verb)
        assert CHINESE.search(made.description or "")
        assert [action.help for action in made._actions if not CHINESE.search(action.help or "")] == []
        said = made.format_help()
    _, _, told = said.partition("\n\n")  # argparse breaks no option of the usage, however many choices it has
    assert all(display_width(line) <= 80 for line in told.splitlines() if line.startswith("  "))
    heads = re.findall(r"^\S.*[:：]$", said, re.MULTILINE)
    assert heads
    assert all(head.endswith("：") for head in heads)


@pytest.mark.parametrize("arguments", [["--help"], ["open", "--help"], ["screenshot", "--help"]])
def test_the_help_of_the_window_speaks_chinese(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert program.main(arguments) == 0
    said = capsys.readouterr().out
    assert said.startswith("用法：")
    assert len(CHINESE.findall(said)) > 50
