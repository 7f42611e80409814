"""Try mistakes that a seed draws from all of the package: `python -m tests.mutants.drawn OUT.json [--long]`.

The tests are collected once. Then they run once with probes in the functions that were drawn, which tells which test
reaches which mistake; and for each mistake the tests that reach it run, the quickest first, until one fails. Each of
these runs is a fork of the process that has everything imported, so that a mistake costs little more than its tests.
With `--long` only the mistakes that OUT.json says were not found are tried again, with all tests.

At last the tests that failed run once more without a mistake: one that fails then has found nothing.

What runs in a program that a test starts has no mistake in it, nor what was computed before: while modules are
imported, or for a cache that other tests filled.
"""

import argparse
import ast
import builtins
import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

# A fork has only the thread that forked.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
os.environ.setdefault("PATIENCE_OF_TESTS", "10")

import pytest

from .drawing import PROBE, PROJECT, Site, draw, mutated, probed

PROCESSES = 2
_AT_ONCE = 40
"""Tests of one process while it is found out what they reach."""
_PROCESSOR_SECONDS = 100.0
_SECONDS = 600.0
"""A test that runs longer hangs: its process is ended by the system, and has found its mistake."""

Task = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one mistake.

    Attributes:
        outcome: "found", "missed" by all tests that reach it, "not reached" by any, "unsure" where the test that failed
            fails without the mistake, too, or "broken" where the mistake could not be made.
        by: The test that failed, or how the process ended.
        tests: How many tests reach it.
        seconds: How long they ran.
    """

    outcome: str
    by: str = ""
    tests: int = 0
    seconds: float = 0.0


class Trial:
    """The plugin of pytest that tries the mistakes in place of running the tests."""

    def __init__(self, out: Path, sites: Sequence[Site]) -> None:
        self.out = out
        self.sites = sites
        self.results: dict[str, Result] = {}
        if out.exists():
            stored = json.loads(out.read_text(encoding="utf-8"))
            self.results = {name: Result(**values) for name, values in stored.items()}
        self._failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails."""
        if report.failed:
            self._failed.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try what is not known yet."""
        gc.unfreeze()
        retry = ("missed", "not reached") if session.config.getoption("markexpr") == "" else ()
        sites = []
        for site in self.sites:
            if site.name not in self.results or self.results[site.name].outcome in retry:
                sites.append(site)
        reaching = self._tests_that_reach(sites, session.items)
        tasks: list[Task] = [
            lambda site=site, items=items: self._try(site, items) for site, items in zip(sites, reaching, strict=True)
        ]
        for number, answer in forks(tasks):
            name = sites[number].name
            if isinstance(answer, dict):
                self.results[name] = Result(**answer)
            else:
                self.results[name] = Result("found", str(answer), len(reaching[number]))
            _say(f"{name}: {self.results[name].outcome} {self.results[name].by}")
            self._write()
        self._control(sites, session.items)
        found = sum(self.results[site.name].outcome == "found" for site in self.sites)
        _say(f"{found} of {len(self.sites)} mistakes are found.")
        return True

    def _control(self, sites: Sequence[Site], items: Sequence[pytest.Item]) -> None:
        """Run the tests that failed without a mistake."""
        by_name = {item.nodeid: item for item in items}
        failed = sorted({self.results[site.name].by for site in sites} & by_name.keys())
        tasks: list[Task] = [lambda name=name: self._fails(by_name[name]) for name in failed]
        for number, answer in forks(tasks):
            if answer is False:
                continue
            for site in sites:
                if self.results[site.name].by == failed[number]:
                    self.results[site.name] = replace(self.results[site.name], outcome="unsure")
                    _say(f"{site.name}: {failed[number]} fails without it, too")
        self._write()

    def _fails(self, item: pytest.Item) -> bool:
        self._failed.clear()
        _run(item, None)
        return bool(self._failed)

    def _write(self) -> None:
        text = json.dumps({name: asdict(result) for name, result in self.results.items()}, indent=1)
        self.out.write_text(text, encoding="utf-8")

    # --- which test reaches what ------------------------------------------------------------------------

    def _tests_that_reach(self, sites: Sequence[Site], items: Sequence[pytest.Item]) -> list[list[pytest.Item]]:
        """The tests that reach each site, the quickest first, without those that fail in a fork."""
        portions = [items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE)]
        tasks: list[Task] = [lambda portion=portion: self._probe(sites, portion) for portion in portions]
        reaching: list[list[tuple[float, int]]] = [[] for _ in sites]
        for done, (number, answer) in enumerate(forks(tasks)):
            if not isinstance(answer, dict) or "outcome" in answer:
                _say(f"Tests from {portions[number][0].nodeid} on: {answer}")
                continue
            for index, (seconds, numbers) in answer.items():
                for site in numbers:
                    reaching[site].append((seconds, number * _AT_ONCE + int(index)))
            if done % 20 == 0:
                _say(f"{done} of {len(portions)} portions of tests were probed.")
        return [[items[index] for _, index in sorted(tests)] for tests in reaching]

    def _probe(self, sites: Sequence[Site], items: Sequence[pytest.Item]) -> dict[int, tuple[float, list[int]]]:
        """Run tests with probes; by index the seconds of each and the numbers of the sites that it reached."""
        reached: set[int] = set()
        setattr(builtins, PROBE, reached.add)
        for path in sorted({site.path for site in sites}):
            numbered = [(number, site) for number, site in enumerate(sites) if site.path == path]
            put(path, probed(path, numbered))
        answer = {}
        for index, item in enumerate(items):
            reached.clear()
            begin = time.perf_counter()
            self._failed.clear()
            _run(item, items[index + 1] if index + 1 < len(items) else None)
            if not self._failed:
                answer[index] = (round(time.perf_counter() - begin, 3), sorted(reached))
        return answer

    # --- one mistake ------------------------------------------------------------------------------------

    def _try(self, site: Site, items: Sequence[pytest.Item]) -> dict[str, Any]:
        if not items:
            return asdict(Result("not reached"))
        begin = time.perf_counter()
        if put(site.path, mutated(site)) == 0:
            return asdict(Result("broken", "no function has it", len(items)))
        for item in items:
            _run(item, None)
            if self._failed:
                break
        outcome = "found" if self._failed else "missed"
        seconds = round(time.perf_counter() - begin, 1)
        return asdict(Result(outcome, "".join(self._failed[:1]), len(items), seconds))


def _run(item: pytest.Item, following: pytest.Item | None) -> None:
    signal.setitimer(signal.ITIMER_PROF, _PROCESSOR_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def put(path: str, tree: ast.Module) -> int:
    """Give the functions of a module the code that this tree has for them; returns how many have another one now."""
    file = str(PROJECT / path)
    with suppress(ImportError):  # of what is not installed
        import_module(".".join(Path(path).with_suffix("").parts).removesuffix(".__init__"))
    codes: dict[tuple[str, int], CodeType] = {}
    waiting: list[CodeType] = [compile(tree, file, "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        codes[code.co_qualname, code.co_firstlineno] = code
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
    changed = 0
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == file:
            before = function.__code__
            after = codes.get((before.co_qualname, before.co_firstlineno))
            if after is not None and after.co_freevars == before.co_freevars:
                function.__code__ = after
                changed += before != after
    return changed


# --- processes ------------------------------------------------------------------------------------------


def forks(tasks: Sequence[Task]) -> Iterator[tuple[int, object]]:
    """Run each task in a fork of this process, some at once; yields its number and its answer, or how it ended."""
    waiting = list(enumerate(tasks))
    running: dict[int, tuple[int, int, bytearray]] = {}
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            number, task = waiting.pop(0)
            process, end = _fork(task)
            running[end] = number, process, bytearray()
        for end in select.select(list(running), [], [], 1.0)[0]:
            received = os.read(end, 1 << 16)
            running[end][2].extend(received)
            if not received or received.endswith(b"\n"):
                yield _answer(end, *running.pop(end))


def _fork(task: Task) -> tuple[int, int]:
    end, other_end = os.pipe()
    process = os.fork()
    if process:
        os.close(other_end)
        return process, end
    os.setpgid(0, 0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    try:
        answer = json.dumps(task())
    except BaseException as error:  # noqa: BLE001 - whatever it is, it must not leave the fork
        answer = json.dumps(asdict(Result("broken", repr(error))))
    try:
        with os.fdopen(other_end, "w") as pipe:
            pipe.write(answer + "\n")
    finally:
        os._exit(0)


def _answer(end: int, number: int, process: int, received: bytearray) -> tuple[int, object]:
    os.close(end)
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    if received.endswith(b"\n"):
        return number, json.loads(received)
    return number, f"the process ended with {os.waitstatus_to_exitcode(status)}"


def _say(text: str) -> None:
    sys.__stderr__.write(f"{text}\n")
    sys.__stderr__.flush()


def main() -> int:
    """Try the mistakes."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.drawn", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, metavar="OUT.json")
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--long", action="store_true", help="try what was not found with all tests")
    parser.add_argument("tests", nargs="*", default=["tests"], help="files and folders of tests")
    arguments = parser.parse_intermixed_args()
    trial = Trial(arguments.out, draw(arguments.number, arguments.seed))
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *(["-m", ""] if arguments.long else [])]
    return int(pytest.main([*options, *arguments.tests], plugins=[trial]))


if __name__ == "__main__":
    sys.exit(main())
