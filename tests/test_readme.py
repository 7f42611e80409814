"""What the README promises: its example runs, and every file it points to is there."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import cli, resources

PROJECT = Path(__file__).resolve().parents[1]
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


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", README))))
def test_everything_it_points_to_is_there(target: str) -> None:
    assert (PROJECT / target).exists()


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_every_option_that_the_tables_of_verbs_name_is_one(name: str) -> None:
    text = (PROJECT / name).read_text(encoding="utf-8")
    lines = [line for line in re.findall(r"^\| `([^`]*)`", text, re.MULTILINE) if line.partition(" ")[0] in cli.VERBS]
    assert {line.partition(" ")[0] for line in lines} == cli.VERBS.keys()
    for line in lines:
        verb = line.partition(" ")[0]
        options = cli.verb_parser(verb).option_names()
        assert set(re.findall(r"--[a-z0-9-]+", line)) <= set(options), verb
