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
                "name": "test_scanning_long_runs",
                "extra_info": {"bytes": 800_000_000, "ratios": {"scanning beside a plain loop": 0.2}},
                "stats": {"median": 0.08, "min": 0.0625},
            },
            {
                "name": "test_one_frame",
                "extra_info": {"title": "Reading one frame"},
                "stats": {"median": 0.0000123, "min": 0.000009},
            },
        ],
    }


def test_each_benchmark_is_a_row_with_its_rate_where_it_has_one(
    benchmarks: ModuleType, results: dict[str, Any]
) -> None:
    assert benchmarks.table(results).splitlines() == [
        "| what | median | best | rate |",
        "|---|---:|---:|---:|",
        "| Scanning long runs | 80.0 ms | 62.5 ms | 10,000 MB/s |",
        "| Reading one frame | 12.3 µs | 9.00 µs |  |",
        "",
        "| comparison | ratio of times |",
        "|---|---:|",
        "| Scanning beside a plain loop | 0.20 |",
        "",
        "Linux, 2 cores, Python 3.11.7, 2026-11-21.",
    ]


def test_the_table_goes_between_the_marks_of_the_readme(benchmarks: ModuleType) -> None:
    readme = f"# Title\n\n{benchmarks.BEGIN}\nold\n{benchmarks.END}\n\nmore\n"
    assert benchmarks.put(readme, "new") == f"# Title\n\n{benchmarks.BEGIN}\nnew\n{benchmarks.END}\n\nmore\n"


def test_a_readme_without_marks_is_left_alone(benchmarks: ModuleType) -> None:
    with pytest.raises(ValueError, match="lacks the marks"):
        benchmarks.put("# Title\n", "new")
