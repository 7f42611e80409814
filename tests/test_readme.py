"""What README, ARCHITECTURE and CONTRIBUTING promise: the example runs, every file they point to is there."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import cli, resources

PROJECT = Path(__file__).resolve().parents[1]
MADE_BY_USERS = {"resources/locale/NAME.po", "packaging/reference_NAME.po"}
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_the_example_turns_the_car(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(resources.path("sample/town.log"), tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    runpy.run_path("example.py")
    with recorder_editor.open("turned.log") as turned:
        position = turned[100].packet("Position")
        assert position is not None
        (hero,) = [record for record in position.records if record["id"] == 25]
    assert hero["rotation"]["yaw"] == 92.5


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "packaging/README.md"])
def test_everything_a_page_points_to_is_there(name: str) -> None:
    page = PROJECT / name
    targets = set(re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")))
    assert targets or name == "packaging/README.md"
    assert [target for target in sorted(targets) if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md", "packaging/README.md"])
def test_every_file_that_a_page_names_is_there(name: str) -> None:
    """By its path from the project or the package, or by its name alone within a folder that the sentence names."""
    text = re.sub(r"```.*?```", "", (PROJECT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    names = set(re.findall(r"`(?:python )?([\w/.-]+\.(?:py|json|md|po|qss|txt|yml))`", text))
    assert len(names) > 10
    roots = (PROJECT, PROJECT / "recorder_editor")
    files = [
        path.as_posix()
        for root in ("recorder_editor", "resources", "packaging", "tests")
        for path in (PROJECT / root).rglob("*.*")
    ]
    for path in sorted(names):
        is_there = any((root / path).is_file() for root in roots) or any(file.endswith(f"/{path}") for file in files)
        assert is_there or path in MADE_BY_USERS, f"{name}: {path}"


def test_the_architecture_page_names_every_folder_of_the_package() -> None:
    text = (PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = PROJECT / "recorder_editor"
    for path in sorted([*package.glob("*/__init__.py"), *package.glob("ui/*/__init__.py")]):
        assert path.parent.name in text, path.parent


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_every_option_that_the_tables_of_verbs_name_is_one(name: str) -> None:
    text = (PROJECT / name).read_text(encoding="utf-8")
    lines = [line for line in re.findall(r"^\| `([^`]*)`", text, re.MULTILINE) if line.partition(" ")[0] in cli.VERBS]
    assert {line.partition(" ")[0] for line in lines} == cli.VERBS.keys()
    for line in lines:
        verb = line.partition(" ")[0]
        options = cli.verb_parser(verb).option_names()
        assert set(re.findall(r"--[a-z0-9-]+", line)) <= set(options), verb
