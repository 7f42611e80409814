"""The table of figures, from what a run of the benchmarks leaves behind."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "packaging" / "benchmarks.py"


@pytest.fixture(scope="module")
def benchmarks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmarks", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def results() -> dict[str, Any]:
    return {
        "datetime": "2026-11-21T10:00:00+00:00",
        "machine_info": {"system": "Linux", "python_version": "3.11.7", "cpu": {"count": 2}},
        "benchmarks": [
            {
                "name": "test_opening",
                "extra_info": {
                    "figures": [
                        {"what": "Open 800 MB", "this": 84.04, "unit": "ms", "goal": 1.5, "beside": "C", "other": 80.0},
                        {"what": "Memory", "this": 120.0, "unit": "MB", "goal": 100, "beside": "", "other": None},
                    ]
                },
                "stats": {"median": 0.08, "min": 0.0625},
            },
            {
                "name": "test_one_frame",
                "extra_info": {"title": "Reading one frame"},
                "stats": {"median": 0.00123, "min": 0.0009},
            },
            {"name": "test_without_a_title", "extra_info": {}, "stats": {"median": 1.5, "min": 1.4}},
        ],
    }


def test_each_figure_is_a_row_beside_its_goal_and_what_has_none_comes_last(
    benchmarks: ModuleType, results: dict[str, Any]
) -> None:
    assert benchmarks.table(results).splitlines() == [
        "| what | this | beside | ratio | goal | met |",
        "|---|---:|---:|---:|---:|---|",
        "| Open 800 MB | 84.0 ms | 80.0 ms (C) | 1.05 | ≤ 1.5 × | yes |",
        "| Memory | 120 MB |  |  | ≤ 100 MB | **no** |",
        "| Reading one frame | 1.23 ms | | | | |",
        "| Without a title | 1,500 ms | | | | |",
        "",
        "Linux, 2 cores, Python 3.11.7, 2026-11-21. Medians.",
    ]


def test_the_readme_tells_the_headlines_alone(
    benchmarks: ModuleType, results: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmarks, "HEADLINES", ("Open 800 MB", "Not measured"))
    assert benchmarks.headlines(results).splitlines() == [
        "| what | this | beside |",
        "|---|---:|---:|",
        "| Open 800 MB | 84.0 ms | 80.0 ms (C) |",
        "",
        "Linux, 2 cores, Python 3.11.7, 2026-11-21. Medians.",
    ]


def test_both_pages_have_the_marks(benchmarks: ModuleType) -> None:
    for page in (benchmarks.PAGE, benchmarks.README):
        assert "\nnew\n" in benchmarks.put(page.read_text(encoding="utf-8"), "new")


def test_every_headline_is_a_row_of_both_pages(benchmarks: ModuleType) -> None:
    for page in (benchmarks.PAGE, benchmarks.README):
        text = page.read_text(encoding="utf-8")
        assert [what for what in benchmarks.HEADLINES if f"| {what} |" not in text] == []


def test_the_table_goes_between_the_marks_of_a_page(benchmarks: ModuleType) -> None:
    readme = f"# Title\n\n{benchmarks.BEGIN}\nold\n{benchmarks.END}\n\nmore\n"
    assert benchmarks.put(readme, "new") == f"# Title\n\n{benchmarks.BEGIN}\nnew\n{benchmarks.END}\n\nmore\n"


def test_a_page_without_marks_is_left_alone(benchmarks: ModuleType) -> None:
    with pytest.raises(ValueError, match="lacks the marks"):
        benchmarks.put("# Title\n", "new")
