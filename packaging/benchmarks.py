"""Runs the benchmarks and prints their figures as a Markdown table.

    python packaging/benchmarks.py            run tests/bench, print the table
    python packaging/benchmarks.py --write    the same, put the table into tests/bench/README.md and its headlines into
                                              README.md
    python packaging/benchmarks.py --no-run   the table of the last run

Other arguments go to pytest: `-k scan` runs some of them.

A benchmark stores figures in `benchmark.extra_info["figures"]`, one for each row: `what`, `this` in its `unit`, and
`goal`, the upper limit. With a reference `beside` it, which took `other`, the goal is for the ratio of the two. A
benchmark without figures is a row without a goal, with its `title`, and with a rate if it gives `rows`.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
RESULTS = PROJECT / "build" / "bench" / "results.json"
PAGE = PROJECT / "tests" / "bench" / "README.md"
README = PROJECT / "README.md"
BEGIN = "<!-- benchmarks: begin -->"
END = "<!-- benchmarks: end -->"
HEADLINES = (
    "Open 800 MB, 72,000 frames, ready to show the first",
    "Save 800 MB without edits, copied by the kernel",
    "Trim 800 MB to the middle half, and save",
    "Remove one actor from every frame of 800 MB, and save",
    "Check everything of 800 MB",
    "`repair` of 800 MB with ten holes: everything, written, opened anew and checked",
    "Frame step, every pane visible, 130 actors",
    "Frame step, every pane visible, 130 actors, on the road map of Town04",
    "A picture of Town04 while it is dragged, 3 px/m",
    "Read the road map of Town04, 3.4 MB",
    "Locate a million positions on Town04",
    "Start to the first painted frame of 3 MB",
)
"""The figures in the README; of equal names the first."""


def run(arguments: Sequence[str]) -> int:
    """Run tests/bench, and write its figures to build/bench/results.json; returns pytest's exit code."""
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "tests/bench", f"--benchmark-json={RESULTS}", *arguments]
    return subprocess.run(command, cwd=PROJECT, check=False).returncode


def with_unit(number: float, unit: str) -> str:
    """A number with three significant digits, and its unit."""
    return f"{number:,.{2 if number < 10 else 1 if number < 100 else 0}f} {unit}"


def row(figure: Mapping[str, Any]) -> str:
    """The row of a figure with a goal."""
    what, this, unit, goal, other = (figure[name] for name in ("what", "this", "unit", "goal", "other"))
    value = this if other is None else this / other
    beside, ratio = ("", "") if other is None else (f"{with_unit(other, unit)} ({figure['beside']})", f"{value:.3g}")
    most = f"{goal:g} {unit}" if other is None else f"{goal:g} ×"
    met = "yes" if value <= goal else "**no**"
    return f"| {what} | {with_unit(this, unit)} | {beside} | {ratio} | ≤ {most} | {met} |"


def plain_row(benchmark: Mapping[str, Any]) -> str:
    """The row of a benchmark without a goal."""
    name = benchmark["name"].removeprefix("test_").replace("_", " ")
    title = benchmark["extra_info"].get("title") or name[:1].upper() + name[1:]
    median, rows = benchmark["stats"]["median"], benchmark["extra_info"].get("rows")
    rate = "" if rows is None else f"{with_unit(rows / median, 'rows/s')} "
    return f"| {title} | {with_unit(median * 1e3, 'ms')} | {rate}| | | |"


def table(results: Mapping[str, Any]) -> str:
    """The results of pytest-benchmark as Markdown: figures with and without a goal, and the machine."""
    every = results["benchmarks"]
    lines = ["| what | this | beside | ratio | goal | met |", "|---|---:|---:|---:|---:|---|"]
    lines += [row(figure) for each in every for figure in each["extra_info"].get("figures", ())]
    lines += [plain_row(each) for each in every if "figures" not in each["extra_info"]]
    return "\n".join([*lines, "", where(results)])


def headlines(results: Mapping[str, Any]) -> str:
    """The table of the README, with fewer columns."""
    figures = [figure for each in results["benchmarks"] for figure in each["extra_info"].get("figures", ())]
    first = {figure["what"]: figure for figure in reversed(figures)}
    lines = ["| what | this | beside |", "|---|---:|---:|"]
    for what in HEADLINES:
        if what in first:
            this, unit, other = (first[what][name] for name in ("this", "unit", "other"))
            beside = "" if other is None else f"{with_unit(other, unit)} ({first[what]['beside']})"
            lines.append(f"| {what} | {with_unit(this, unit)} | {beside} |")
    return "\n".join([*lines, "", where(results)])


def where(results: Mapping[str, Any]) -> str:
    """The machine and the date."""
    machine = results["machine_info"]
    system, cores, python = machine["system"], machine["cpu"]["count"], machine["python_version"]
    return f"{system}, {cores} cores, Python {python}, {results['datetime'][:10]}. Medians."


def put(page: str, text: str) -> str:
    """The page with `text` between its two marks; raises ValueError without them."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"The page lacks the marks {BEGIN} and {END} that the table belongs between.")
    return f"{before}{BEGIN}\n{text}\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run the benchmarks and print their figures as Markdown.")
    parser.add_argument("--no-run", action="store_true", help="take the figures of the last run")
    parser.add_argument("--write", action="store_true", help="put the tables into their pages as well")
    options, others = parser.parse_known_args(arguments)
    if not options.no_run and (code := run(others)):
        return code
    if not RESULTS.exists():
        print(f"There are no figures yet in {RESULTS}: run this without --no-run.", file=sys.stderr)
        return 1
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    print(table(results))
    if options.write:
        for page, text in ((PAGE, table(results)), (README, headlines(results))):
            page.write_text(put(page.read_text(encoding="utf-8"), text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
