"""The table of mutants is true of the program as it is, and what is planted is found, or said to be missed."""

import ast
import subprocess
from pathlib import Path

import pytest

from .planting import Mutant, copied, read, tried, written
from .table import MUTANTS

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "recorder_editor"


def test_every_mutant_applies_once_and_is_still_a_program() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)
    for mutant in MUTANTS:
        places = mutant.places(PROJECT)
        assert len(places) == 1, f"{mutant.name}: give it a text that stands once in {mutant.package}"
        assert mutant.new != mutant.old, mutant.name
        ast.parse(places[0].read_text(encoding="utf-8").replace(mutant.old, mutant.new))
        assert mutant.tests, mutant.name
        for name in mutant.tests:
            assert (PROJECT / name).is_file(), f"{mutant.name}: {name}"


def test_mutants_are_planted_in_every_package() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py") if not path.parent.name.startswith("_")}
    assert {mutant.package for mutant in MUTANTS} == packages


def test_a_mutant_is_found_by_tests_that_pass_without_it_and_is_taken_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    tree = tmp_path / "tree"
    sums = Path("recorder_editor", "sums", "sums.py")
    (tree / sums.parent).mkdir(parents=True)
    for folder in (sums.parent, sums.parent.parent):
        (tree / folder / "__init__.py").touch()
    (tree / sums).write_text("def more(number):\n    return number + 1\n", encoding="utf-8")
    (tree / "test_sums.py").write_text(
        "from recorder_editor.sums.sums import more\n\n"
        "def test_one():\n    assert more(0) == 1\n\n"
        "def test_number():\n    assert more(0) is not None\n\n"
        "def test_wrong():\n    assert more(0) == 7\n",
        encoding="utf-8",
    )
    subprocess.run(["git", "init", "--quiet"], cwd=tree, check=True)
    copy = tmp_path / "copy"
    copied(tree, copy)
    found, missed = ("test_sums.py",), ("test_sums.py::test_number",)
    minus = ("number + 1", "number - 1")
    results = {
        "found": tried(Mutant("", "sums", *minus, found), copy),
        "missed": tried(Mutant("", "sums", *minus, missed), copy),
        "alone": tried(Mutant("", "sums", *minus, ("test_sums.py::test_wrong",)), copy),
        "twice": tried(Mutant("", "sums", "number", "other", found), copy),
        "gone": tried(Mutant("", "differences", *minus, found), copy),
        "nowhere": tried(Mutant("", "sums", *minus, ("test_sums.py::test_gone",)), copy),
    }
    assert {name: (result.outcome, result.tests) for name, result in results.items()} == {
        "found": ("found", ("test_sums.py::test_one",)),
        "missed": ("missed", ()),
        "alone": ("fails without it", ("test_sums.py::test_wrong",)),
        "twice": ("does not apply", ()),
        "gone": ("does not apply", ()),
        "nowhere": ("broken", ()),
    }
    assert (copy / sums).read_bytes() == (tree / sums).read_bytes()
    written(results, tmp_path / "out.json")
    assert read(tmp_path / "out.json") == results
    assert read(tmp_path / "none.json") == {}
