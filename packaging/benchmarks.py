"""Runs the benchmarks and tells their figures as a Markdown table, for the README or for a look.

    python packaging/benchmarks.py            run tests/bench, print the table
    python packaging/benchmarks.py --write    the same, and put the table into README.md
    python packaging/benchmarks.py --no-run   the table of the last run

Other arguments go to pytest: `-k scan` runs some of them.

A benchmark may say more than its name in `benchmark.extra_info`: `title` (what the row is called), `bytes` (how many
one round works through, which gives the row a rate), and `ratios` (what it was compared with, by name: how many times
the other's time it took).  Knows nothing of the program itself.
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
README = PROJECT / "README.md"
BEGIN = "<!-- benchmarks: begin -->"
END = "<!-- benchmarks: end -->"
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def run(arguments: Sequence[str]) -> int:
    """Runs tests/bench, leaving its figures in build/bench/results.json; pytest's exit code."""
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "tests/bench", f"--benchmark-json={RESULTS}", *arguments]
    return subprocess.run(command, cwd=PROJECT, check=False).returncode


def told(seconds: float) -> str:
    """A duration with three digits that count, in the unit that suits it."""
    size, unit = next((pair for pair in UNITS if seconds >= pair[0]), (1e-9, "ns"))
    number = seconds / size
    return f"{number:.{2 if number < 10 else 1 if number < 100 else 0}f} {unit}"


def row(benchmark: Mapping[str, Any]) -> str:
    extra, stats = benchmark["extra_info"], benchmark["stats"]
    name = benchmark["name"].removeprefix("test_").replace("_", " ")
    title = extra.get("title") or name[:1].upper() + name[1:]
    rate = f"{extra['bytes'] / stats['median'] / 1e6:,.0f} MB/s" if "bytes" in extra else ""
    return f"| {title} | {told(stats['median'])} | {told(stats['min'])} | {rate} |"


def table(results: Mapping[str, Any]) -> str:
    """What pytest-benchmark wrote as Markdown: the figures in its order, the comparisons, a line on where."""
    machine = results["machine_info"]
    lines = ["| what | median | best | rate |", "|---|---:|---:|---:|", *map(row, results["benchmarks"])]
    ratios = [pair for each in results["benchmarks"] for pair in each["extra_info"].get("ratios", {}).items()]
    if ratios:
        lines += ["", "| comparison | ratio of times |", "|---|---:|"]
        lines += [f"| {name[:1].upper()}{name[1:]} | {ratio:.2f} |" for name, ratio in ratios]
    system, cores, python = machine["system"], machine["cpu"]["count"], machine["python_version"]
    return "\n".join([*lines, "", f"{system}, {cores} cores, Python {python}, {results['datetime'][:10]}."])


def put(readme: str, text: str) -> str:
    """The README with `text` between its two marks; ValueError without them."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"README.md lacks the marks {BEGIN} and {END} that the table belongs between.")
    return f"{before}{BEGIN}\n{text}\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run the benchmarks and print their figures as Markdown.")
    parser.add_argument("--no-run", action="store_true", help="take the figures of the last run")
    parser.add_argument("--write", action="store_true", help="put the table into README.md as well")
    options, others = parser.parse_known_args(arguments)
    if not options.no_run and (code := run(others)):
        return code
    if not RESULTS.exists():
        print(f"There are no figures yet in {RESULTS}: run this without --no-run.", file=sys.stderr)
        return 1
    text = table(json.loads(RESULTS.read_text(encoding="utf-8")))
    print(text)
    if options.write:
        README.write_text(put(README.read_text(encoding="utf-8"), text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
