"""The tests of what was changed, as far as 40 seconds reach: `python -m tests.quick [BASE]`.

Changed is what differs from the merge base with the branch `main` (or BASE), committed or not, what git does not know
yet, and what is gone: a module that was moved has its old name, too. In this order run: test modules that were changed;
those named after a changed module or one of its folders (`ui/timeline/axis.py`: `tests/ui/test_timeline.py`); `CORE`,
always; those that import a changed module; those that import a module which imports it; and the others of its package's
folder. What is not begun within `SECONDS` is left out and counted, but for the core: the whole suite has the last word.
A run without any test fails.
"""

import ast
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from types import MappingProxyType

import pytest

PROJECT = Path(__file__).resolve().parents[1]
CORE = (
    "tests/test_house.py",
    "tests/format/test_packets.py",
    "tests/recording/test_recording.py",
    "tests/edits/test_fields.py",
    "tests/recording/test_save.py",
    "tests/cli/test_check.py",
    "tests/cli/test_diff.py",
    "tests/ui/test_main_window.py::test_the_window_tells_of_its_file_its_jobs_and_its_look",
    "tests/ui/test_main_window.py::test_what_a_window_shows_and_its_keys",
)
"""Bytes to values, open-edit-save, two verbs, and a window that opens: a few seconds."""

READ_BY = {
    "resources/blueprints.json": "recorder_editor/edits/blueprints.py",
    "resources/l1.json": "recorder_editor/analysis/constants.py",
    "resources/lights.json": "recorder_editor/repair/file_header.py",
    "resources/packets.json": "recorder_editor/format/packets.py",
    "resources/preferences.json": "recorder_editor/ui/session/preferences.py",
    "resources/reports.json": "recorder_editor/reports/info.py",
    "resources/trajectories.json": "recorder_editor/formats/trajectories/columns.py",
}
"""The module that a table belongs to, whose tests are those of the table."""

SECONDS = 40.0
UNTIL = "RECORDER_EDITOR_QUICK_UNTIL"
"""The environment variable that says when they are over, in seconds since 1970."""

_LEFT_OUT = "the time of the quick run is over"


def main() -> int:
    """Choose the tests and run them; returns pytest's exit code."""
    os.environ.setdefault(UNTIL, str(time.time() + SECONDS))
    names = changed(sys.argv[1] if len(sys.argv) > 1 else "main")
    found = chosen(names, test_modules(), modules())
    sys.stdout.write(f"{len(names)} changed files, {len(found) - len(CORE)} test modules beside the core\n")
    sys.stdout.flush()
    in_order = ["--numprocesses", "auto", "--maxprocesses", "8", "--dist", "load", "--maxschedchunk", "2"]
    return int(pytest.main(["-p", "tests.quick", "--quiet", *in_order, *found]))


# --- what was changed ---------------------------------------------------------------------------------------


def changed(branch: str) -> list[str]:
    """Files that differ from the merge base with a branch (HEAD where there is none), are new, or are gone."""
    base = _git("merge-base", "HEAD", branch) or ["HEAD"]
    differing = _git("diff", "--name-only", "--no-renames", base[0])
    return sorted({*differing, *_git("ls-files", "--others", "--exclude-standard")})


def _git(*arguments: str) -> list[str]:
    run = subprocess.run(["git", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False)
    return run.stdout.splitlines() if run.returncode == 0 else []


def test_modules() -> dict[str, set[str]]:
    """The test modules of the suite, with what each imports."""
    paths = [path.relative_to(PROJECT) for path in (PROJECT / "tests").rglob("test_*.py")]
    return {path.as_posix(): set(imported(PROJECT / path)) for path in paths if path.parts[1] not in ("bench", "fuzz")}


def modules() -> dict[str, set[str]]:
    """The modules of the package by their whole names, with what each imports."""
    paths = sorted((PROJECT / "recorder_editor").rglob("*.py"))
    return {_name_of(path.relative_to(PROJECT)): set(imported(path)) for path in paths}


def _name_of(path: Path) -> str:
    """The whole name of a module in a file."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> Iterator[str]:
    """The modules that a module imports by name, and what it takes from them, which may be modules, too."""
    folder = path.relative_to(PROJECT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = folder[: len(folder) - node.level + 1] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


# --- what belongs to it -------------------------------------------------------------------------------------


def chosen(
    names: Iterable[str], tests: dict[str, set[str]], package: Mapping[str, set[str]] = MappingProxyType({})
) -> list[str]:
    """Choose the test modules that belong to changed files, the closest first, and the core.

    Args:
        names: The files, by their paths in the project.
        tests: All test modules, with what each imports.
        package: The modules of the package, with what each imports.
    """
    near: dict[str, int] = {}
    for name in names:
        path = Path(READ_BY.get(name, name))
        if name in tests:
            near[name] = 0
        if path.suffix == ".py" and path.parts[0] in ("recorder_editor", "tests"):
            importers = {module for module, uses in package.items() if _name_of(path) in uses}
            for test, uses in tests.items():
                closeness = _closeness(path, Path(test), uses, importers)
                if closeness is not None:
                    near[test] = min(closeness, near.get(test, closeness))
    order = [test for test in sorted(near, key=lambda test: (near[test], test)) if test not in CORE]
    named = [test for test in order if near[test] < 2]
    return [*named, *CORE, *order[len(named) :]]


def _closeness(path: Path, test: Path, uses: set[str], importers: Set[str]) -> int | None:
    """How near a test is to a changed module.

    1 by its name, 2 as it imports it, 3 as it imports one of the importers, 4 by its folder; None: not at all.
    """
    parts = path.with_suffix("").parts
    module = _name_of(path)
    words = test.stem.removeprefix("test_")
    if path.parts[0] == "recorder_editor":
        folder = Path("tests", *parts[1:2]) if len(parts) > 2 else Path("tests")
        is_beside = folder == test.parent or (folder in test.parents and folder != Path("tests"))
        subjects = parts[2:] if len(parts) > 2 else parts[1:]
        if is_beside and any(words == each or words.startswith(f"{each}_") for each in subjects):
            return 1
        if module in uses:
            return 2
        if importers & uses:
            return 3
        return 4 if is_beside and folder != Path("tests") else None
    return 2 if module in uses else None


# --- within the time, in the processes that run the tests ---------------------------------------------------


def is_core(test: str) -> bool:
    """Whether a test, by its id, is one of the core."""
    return any(test == each or test.startswith((f"{each}::", f"{each}[")) for each in CORE)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what begins too late, but for the core."""
    if time.time() > float(os.environ.get(UNTIL, "inf")) and not is_core(item.nodeid):
        pytest.skip(_LEFT_OUT)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a run fail in which no test ran: it says nothing of the change."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and session.exitstatus == pytest.ExitCode.OK and not _has_run(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _has_run(reporter: pytest.TerminalReporter) -> bool:
    return any(reporter.stats.get(outcome) for outcome in ("passed", "failed", "error", "xfailed", "xpassed"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many were left out."""
    skipped: Sequence[pytest.TestReport] = terminalreporter.stats.get("skipped", [])
    late = sum(_LEFT_OUT in str(report.longrepr) for report in skipped)
    if late:
        terminalreporter.write_line(f"{late:,} tests were left out, for {_LEFT_OUT}: packaging/test runs all.")
    if not _has_run(terminalreporter):
        terminalreporter.write_line("No test was run, so this says nothing of the change.")


if __name__ == "__main__":
    sys.exit(main())
