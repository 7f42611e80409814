"""A message about a missing library tells what can be done here, and the commands in it can be typed."""

import importlib.util
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from recorder_editor import extras, resources
from recorder_editor.texts import LANGUAGES, speaking

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """As pip installs the program, on a system with packages of everything."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(extras, "machine", lambda: "x86_64")
    monkeypatch.setattr(extras, "_python", (3, 12))
    return monkeypatch


def command_in(sentence: str) -> list[str]:
    """The words of the command in a sentence, as a shell takes them."""
    return shlex.split(sentence.split("`")[1])


def test_the_packages_are_those_of_the_project() -> None:
    table = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for name, packages in extras.PACKAGES.items():
        assert sorted(packages) == sorted(each.partition(";")[0] for each in table[name])
    assert extras.PACKAGES.keys() == table.keys() - {"test", "translations"}


@pytest.mark.parametrize("extra", extras.PACKAGES)
def test_the_command_is_for_the_python_that_runs(extra: str, plain: pytest.MonkeyPatch) -> None:
    for language in LANGUAGES:
        with speaking(language):
            command = command_in(extras.remedy(extra))
        assert command == [sys.executable, "-m", "pip", "install", *extras.PACKAGES[extra]]
        assert "recorder-editor" not in command


def test_pip_understands_the_command(plain: pytest.MonkeyPatch) -> None:
    """All is there already, so nothing is installed."""
    command = command_in(extras.remedy("parquet"))
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip is not installed")
    done = subprocess.run(
        [*command, "--dry-run", "--no-index"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    assert "Would install" not in done.stdout


def test_an_environment_without_pip_is_named_to_another_one(plain: pytest.MonkeyPatch) -> None:
    plain.setattr(extras, "_has_pip", lambda: False)
    command = command_in(extras.remedy("parquet"))
    assert command == ["pip", "--python", sys.executable, "install", *extras.PACKAGES["parquet"]]


def test_pipx_is_told_the_name_of_its_environment(plain: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment = tmp_path / "recorder-editor"
    environment.mkdir()
    (environment / "pipx_metadata.json").write_text("{}", encoding="utf-8")
    plain.setattr(sys, "prefix", str(environment))
    command = command_in(extras.remedy("parquet"))
    assert command == ["pipx", "inject", "recorder-editor", *extras.PACKAGES["parquet"]]


def test_a_folder_with_blanks_and_the_shell_of_windows_get_their_quotes(plain: pytest.MonkeyPatch) -> None:
    plain.setattr(sys, "executable", "/home/a b/bin/python")
    assert command_in(extras.remedy("parquet"))[0] == "/home/a b/bin/python"
    plain.setattr(sys, "platform", "win32")
    plain.setattr(sys, "executable", r"C:\Program Files\Python\python.exe")
    command = extras.remedy("parquet").split("`")[1]
    assert command == r'"C:\Program Files\Python\python.exe" -m pip install "pyarrow>=17"'


def test_the_bundle_says_that_nothing_can_be_added_to_it(plain: pytest.MonkeyPatch) -> None:
    plain.setattr(sys, "frozen", True, raising=False)
    for extra in extras.PACKAGES:
        sentence = extras.remedy(extra)
        assert sentence.startswith("Nothing can be added to this package of the program")
        assert f"'.[{extra}]'" in sentence
        assert sys.executable not in sentence


@pytest.mark.parametrize(
    ("system", "processor", "python", "reason"),
    [
        ("linux", "x86_64", (3, 13), "Python 3.13"),
        ("win32", "AMD64", (3, 14), "Python 3.14"),
        ("darwin", "arm64", (3, 12), "macOS"),
        ("linux", "aarch64", (3, 12), "aarch64"),
    ],
)
def test_where_carla_has_no_packages_that_is_the_reason(
    plain: pytest.MonkeyPatch, system: str, processor: str, python: tuple[int, int], reason: str
) -> None:
    plain.setattr(sys, "platform", system)
    plain.setattr(extras, "machine", lambda: processor)
    plain.setattr(extras, "_python", python)
    for language in LANGUAGES:
        with speaking(language):
            sentence = extras.remedy("carla")
        assert reason in sentence
        assert "pip install" not in sentence
    assert "pip install" in extras.remedy("parquet")


def test_no_message_names_the_program_on_an_index() -> None:
    """It is on none, so whoever registers that name would be installed."""
    texts = [*(PROJECT / "resources").rglob("*.json"), *(PROJECT / "resources").rglob("*.md")]
    texts += [*PROJECT.glob("README*.md"), *(PROJECT / "recorder_editor").rglob("*.py")]
    named = [path for path in texts if "install 'recorder-editor" in path.read_text(encoding="utf-8")]
    assert named == []


def test_each_message_that_something_is_not_installed_tells_the_remedy() -> None:
    with resources.path("locale/zh_CN.po").open("rb") as file:
        catalog = read_po(file, locale="zh_CN")
    told = 0
    for message in catalog:
        for text, words in ((message.id, "not installed"), (message.string, "未安装")):
            if words in str(text):
                told += 1
                assert "{remedy}" in str(text), message.id
    assert told >= 4
