"""What the tests cost: a line in front of pytest's summary, and with `--costs FILE.json` a table of every test.

Processor time, of the tests and of the programs that they start, changes little from run to run, as the time on the
clock does on a busy machine.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from .memory import peak

_SHOWN = 5
"""Modules that are named in the summary."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one test, or one fixture where it was made, took.

    Attributes:
        name: The test, as pytest names it, or the fixture.
        kind: "test" or "fixture"; the time of a fixture is part of that of the test for which it was made.
        seconds: On the clock.
        processor: Seconds of the processor, those of processes that ended included.
        megabytes: The most resident memory that the process of the tests ever had, after it.
    """

    name: str
    kind: str
    seconds: float
    processor: float
    megabytes: int


class Costs:
    """Measures in each process that runs tests; the process that shows the result adds up."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.costs: list[Cost] = []
        self.of_workers = 0.0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Measure a test with all that is set up and taken down for it."""
        begin = _Moment()
        result = yield
        self.costs.append(begin.cost(item.nodeid, "test"))
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        """Measure the making of a fixture, where the table is wanted: nothing else shows it."""
        if self.path is None:
            return (yield)
        begin = _Moment()
        result = yield
        self.costs.append(begin.cost(f"{fixturedef.baseid}::{fixturedef.argname}", "fixture"))
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand on what was measured here."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["costs"] = [asdict(cost) for cost in self.costs]
            output["processor_time"] = _processor_time()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what another process has measured."""
        output = getattr(node, "workeroutput", {})  # a process that died has none
        self.costs += [Cost(**values) for values in output.get("costs", [])]
        self.of_workers += output.get("processor_time", 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say it, and write the table where one is wanted."""
        if self.path is not None:
            self.path.write_text(json.dumps([asdict(cost) for cost in self.costs], indent=0), encoding="utf-8")
        tests = [cost for cost in self.costs if cost.kind == "test"]
        modules: Counter[str] = Counter()
        for cost in tests:
            modules[cost.name.partition("::")[0]] += cost.processor
        most = ", ".join(f"{module} {seconds:.0f} s" for module, seconds in modules.most_common(_SHOWN))
        inside = sum(modules.values())
        total = self.of_workers or _processor_time()
        terminalreporter.write_line(
            f"Processor time: {total:.0f} s, {inside:.0f} s of them in {len(tests):,} tests; most in {most}."
        )


class _Moment:
    """When something began."""

    def __init__(self) -> None:
        self.clock = time.perf_counter()
        self.processor = _processor_time()

    def cost(self, name: str, kind: str) -> Cost:
        seconds = time.perf_counter() - self.clock
        processor = _processor_time() - self.processor
        return Cost(name, kind, round(seconds, 4), round(processor, 4), peak() >> 20)


def _processor_time() -> float:
    """Seconds of this process and of those it started and has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
