"""The suite of five minutes takes some of a matrix, the same cases each time; the long one takes all."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import settings

from . import extent

PROJECT = Path(__file__).resolve().parents[1]
TESTS = """
import pytest

SOME = pytest.param("c", marks=pytest.mark.long)
LONG_ONE = pytest.mark.parametrize("second", ["a", "b", SOME])

@pytest.mark.sampled()
@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("second", "abc")
def test_values(first, second): pass

@pytest.mark.sampled(strength=2)
@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("second", "abc")
@pytest.mark.parametrize("third", [None, True])
def test_pairs(first, second, third): pass

@pytest.mark.sampled(cases=3)
@pytest.mark.parametrize("number", range(11))
def test_some(number): pass

@pytest.mark.sampled(cases=2)
@LONG_ONE
def test_long_ones_are_not_chosen(second): pass

@pytest.mark.parametrize("number", range(4))
def test_all(number): pass
"""


def collected(folder: Path, *options: str) -> list[str]:
    """The cases of `TESTS` that would run."""
    (folder / "test_one.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text(
        "[pytest]\naddopts = -m 'not long'\nmarkers =\n    long: more\n    sampled: some\n", encoding="utf-8"
    )
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "pytest", "-p", "tests.extent", "-p", "no:cacheprovider", "--collect-only", "-q"]
    run = subprocess.run([*command, *options], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return [line.partition("::")[2] for line in run.stdout.splitlines() if "::" in line]


def of(test: str, cases: Sequence[str]) -> list[str]:
    return [case.partition("[")[2].rstrip("]") for case in cases if case.partition("[")[0] == test]


def test_a_sample_has_each_value_and_where_that_is_wanted_each_pair(tmp_path: Path) -> None:
    cases = collected(tmp_path)
    assert len(of("test_values", cases)) == 3
    assert {value for case in of("test_values", cases) for value in case.split("-")} == {*"abc", "0", "1", "2"}
    pairs = {tuple(case.split("-")) for case in of("test_pairs", cases)}
    assert 9 <= len(pairs) < 18
    assert len({(third, second) for third, second, _ in pairs}) == 6
    assert len({(second, first) for _, second, first in pairs}) == 9
    assert of("test_some", cases) == ["0", "5", "10"]
    assert of("test_long_ones_are_not_chosen", cases) == ["a", "b"]
    assert of("test_all", cases) == ["0", "1", "2", "3"]
    assert of("test_some", collected(tmp_path, "-k", "test_some and (3 or 4)")) == ["3", "4"]


def test_the_long_suite_has_all(tmp_path: Path) -> None:
    cases = collected(tmp_path, "-m", "")
    numbers = {test: len(of(test, cases)) for test in ("test_values", "test_pairs", "test_some", "test_all")}
    assert numbers == {"test_values": 9, "test_pairs": 18, "test_some": 11, "test_all": 4}
    assert of("test_long_ones_are_not_chosen", cases) == ["a", "b", "c"]


@pytest.mark.parametrize(("profile", "number", "expected"), [("project", 60, 18), ("project", 10, 5), ("long", 60, 60)])
def test_random_cases_are_fewer_in_the_short_suite(
    request: pytest.FixtureRequest, profile: str, number: int, expected: int
) -> None:
    settings.load_profile(profile)
    try:
        assert extent.examples(number) == expected
    finally:
        settings.load_profile("long" if extent.is_long(request.config) else "project")
