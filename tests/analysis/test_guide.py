"""What the guide promises of the analysis: its example runs, and it knows every option of the verb."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

from recorder_editor import resources
from recorder_editor.cli import verb_parser

PAGE = resources.path("guide/analysis.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(resources.path("sample/town.log"), tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = runpy.run_path("example.py")
    assert len(found["table"]) == len(found["analysis"])
    assert capsys.readouterr().out


def test_every_option_of_the_verb_stands_in_the_guide() -> None:
    for action in verb_parser("l1")._actions:
        # Those of all verbs stand in the page of the command line.
        if action.option_strings and action.dest not in ("help", "loudness", "lang"):
            assert f"`{action.option_strings[0]}" in PAGE
