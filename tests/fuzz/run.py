"""Fuzzing, with nothing left to chance: a target and a seed are one case, the same one every time.

    python tests/fuzz/run.py --rounds 0.3            a fixed number of cases of every target: what CI runs
    python tests/fuzz/run.py --minutes 30            as many rounds as fit; prints the seed it begins with
    python tests/fuzz/run.py --cases 1000000         so many cases or a few more: what a release is checked with
    python tests/fuzz/run.py --target verbs --seed 7 the one case again, with its traceback, made small

Each batch of cases has a process of its own, with bounds on its memory and its time, so that a crash, a hang and a
flood are found, too. What breaks is told once for each kind of failure, and kept in build/fuzz.
"""

import argparse
import faulthandler
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from pprint import pformat
from random import Random
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))
os.environ |= {"QT_QPA_PLATFORM": "offscreen", "POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# The offscreen platform's remark on any window of a fixed size.
os.environ["QT_LOGGING_RULES"] = "default.warning=false"

from tests.fuzz.shrink import shrunk  # noqa: E402
from tests.fuzz.targets import TARGETS, Target  # noqa: E402
from tests.fuzz.watch import Hang, Watch, key_of  # noqa: E402
from tests.memory import peak  # noqa: E402

KEPT = PROJECT / "build" / "fuzz"
PROCESSES = 2
MAX_MADE_SMALL = 3
"""Failures of a batch that are made small; the others are told by their seeds."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", choices=TARGETS, action="append", help="only this one (may be repeated)")
    parser.add_argument("--seed", type=int, help="the case to run; with --rounds or --minutes the first one")
    parser.add_argument("--rounds", type=float, help="so many rounds of every target, or that part of one")
    parser.add_argument("--minutes", type=float, help="rounds until that time is over")
    parser.add_argument("--cases", type=int, help="as many rounds as have so many cases")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--batch", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--base", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    names: list[str] = arguments.target or list(TARGETS)
    if arguments.batch is not None:
        work(names[0], arguments.seed, arguments.batch, arguments.base)
        return 0
    rounds = arguments.rounds
    if arguments.cases is not None:
        rounds = math.ceil(arguments.cases / sum(TARGETS[name].of_a_round for name in names))
    if rounds is None and arguments.minutes is None:
        if arguments.seed is None or len(names) != 1:
            parser.error("give --rounds, --minutes, --cases, or one --target and --seed")
        return replay(names[0], arguments.seed)
    seed = arguments.seed
    if seed is None:
        seed = 0 if arguments.minutes is None else int(time.time())
    print(f"seed {seed}", flush=True)
    run = Run(arguments.processes)
    end = None if arguments.minutes is None else time.monotonic() + 60 * arguments.minutes
    run.all(_batches(names, seed, rounds), end)
    print(run.summary())
    return 1 if run.failures else 0


def _batches(names: list[str], seed: int, rounds: float | None) -> Iterator[tuple[str, int, int]]:
    """Target, first seed, number of cases; without end where no number of rounds is given."""
    done = 0
    while rounds is None or done < rounds:
        for name in names:
            number = TARGETS[name].of_a_round
            share = 1.0 if rounds is None else min(rounds - done, 1.0)
            yield name, seed * 1_000_000 + done * number, max(round(share * number), 1)
        done += 1


@dataclass
class Run:
    """Batches in processes of their own. Attributes: `failures` (kind to where it was seen), `cases`, `did`."""

    processes: int
    failures: dict[str, list[str]] = field(default_factory=dict)
    cases: Counter[str] = field(default_factory=Counter)
    did: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    memory: int = 0
    slowest: tuple[float, str] = (0.0, "")

    def all(self, batches: Iterator[tuple[str, int, int]], end: float | None) -> None:
        """Run batches until there are no more, or the time is over."""
        with ThreadPoolExecutor(self.processes) as pool:
            running = set()
            for name, first, number in batches:
                if end is not None and time.monotonic() > end:
                    break
                running.add(pool.submit(self.one, name, first, number))
                while len(running) > self.processes:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for each in done:
                        each.result()
            for each in running:
                each.result()

    def one(self, name: str, first: int, number: int) -> None:
        """A batch; where its process dies, the rest of it in another one."""
        while number:
            with tempfile.TemporaryDirectory(prefix="recorder-editor-fuzz-") as base:
                command = [
                    sys.executable,
                    sys.argv[0],
                    "--target",
                    name,
                    "--seed",
                    str(first),
                    "--batch",
                    str(number),
                    "--base",
                    base,
                ]
                at, is_over = first, False
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
                    assert child.stdout is not None
                    for line in child.stdout:
                        if line.startswith("{"):
                            told = json.loads(line)
                            self._take(name, told)
                            at, is_over = told.get("seed", at), told.get("over", False)
                if is_over:
                    return
                stderr = Path(base) / "stderr"
                last = stderr.read_text("utf-8", "replace")[-4000:] if stderr.exists() else ""
            why = f"the process ended with {child.returncode}"
            self._fail(name, {"seed": at, "key": why, "text": f"{why}\n{last}"})
            number -= at + 1 - first
            first = at + 1

    def _take(self, name: str, told: dict[str, Any]) -> None:
        if "small" in told:
            self._tell(name, told["seed"], told["small"])
        elif "key" in told:
            self._fail(name, told)
        if told.get("over"):
            self.cases[name] += told["cases"]
            self.seconds[name] += told["seconds"]
            self.did.update(told["did"])
            self.memory = max(self.memory, told["memory"])
            self.slowest = max(self.slowest, (told["slowest"][0], f"{name} --seed {told['slowest'][1]}"))

    def _fail(self, name: str, told: dict[str, Any]) -> None:
        seen = self.failures.setdefault(f"{name}: {told['key']}", [])
        seen.append(f"--target {name} --seed {told['seed']}")
        if len(seen) == 1:
            self._tell(name, told["seed"], f"BROKEN {seen[0]}\n{told['text']}")

    def _tell(self, name: str, seed: int, text: str) -> None:
        KEPT.mkdir(parents=True, exist_ok=True)
        with (KEPT / f"{name}-{seed}.txt").open("a", encoding="utf-8", errors="backslashreplace") as kept:
            kept.write(f"{text}\n")
        print(f"\n{text}", flush=True)

    def summary(self) -> str:
        """Cases by target, what was done in them, and what broke."""
        lines = [f"{name}: {self.cases[name]:,} cases, {self.seconds[name]:.0f} s" for name in self.cases]
        did = ", ".join(f"{name} {number:,}" for name, number in sorted(self.did.items()))
        lines += [
            f"done in them: {did}",
            f"slowest: {self.slowest[0]:.1f} s ({self.slowest[1]})",
            f"most memory: {self.memory >> 20} MiB",
        ]
        for key, seen in self.failures.items():
            lines.append(f"BROKEN {key}: {len(seen):,} times, first {seen[0]}")
        total = sum(self.cases.values())
        lines.append(f"{total:,} cases, {sum(map(len, self.failures.values())):,} broken")
        return "\n".join(lines)


# --- in the process of a batch ------------------------------------------------------------------------------


def work(name: str, first: int, number: int, base: Path) -> None:
    """Cases one after another; failures and the end are told as lines of JSON on stdout."""
    watch, began = Watch(base), time.process_time()
    target = TARGETS[name](watch.keep)
    did: Counter[str] = Counter()
    slowest, made_small, known = (0.0, first), 0, set()
    for seed in range(first, first + number):
        _tell({"seed": seed})
        before = time.process_time()
        error = attempt(target, target.make(random_of(name, seed)), watch, did)
        slowest = max(slowest, (time.process_time() - before, seed))
        if error is None:
            continue
        key = key_of(error)
        is_new = key not in known and made_small < MAX_MADE_SMALL
        known.add(key)
        # At once: making it small may take long, and end the process.
        _tell({"seed": seed, "key": key, "text": _trace(error)})
        if is_new:
            made_small += 1
            _tell({"seed": seed, "small": small(target, name, seed, error, watch)})
    memory = peak()
    _tell(
        {
            "over": True,
            "cases": number,
            "seconds": time.process_time() - began,
            "did": did,
            "memory": memory,
            "slowest": slowest,
        }
    )
    # Windows and threads that a failure left behind are not waited for.
    sys.stdout.flush()
    os._exit(0)


def random_of(name: str, seed: int) -> Random:
    """What all of a case is drawn from."""
    return Random(f"{name} {seed}")


def _tell(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def attempt(target: Target, case: Any, watch: Watch, did: Counter[str]) -> BaseException | None:
    """Run a case; what broke, or None."""
    try:
        did.update(watch.run(lambda: target.run(case, watch)))
    except (Exception, Hang) as error:  # noqa: BLE001 # that is what is looked for
        return error
    except BaseException as error:  # a panic of a library in another language
        if isinstance(error, KeyboardInterrupt):
            raise
        return error
    return None


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


def small(target: Target, name: str, seed: int, error: BaseException, watch: Watch) -> str:
    """The smallest case that breaks alike, to be pasted into a test."""
    case, key = target.make(random_of(name, seed)), key_of(error)

    def breaks(candidate: Any) -> bool:
        again = attempt(target, candidate, watch, Counter())
        return again is not None and key_of(again) == key

    # A hang takes its time with every try.
    found = shrunk(case, breaks, 6 if isinstance(error, Hang) else target.tries)
    return f"small: --target {name} --seed {seed}\n{pformat(found, width=110)}"


def replay(name: str, seed: int) -> int:
    """One case again, in this process."""
    with tempfile.TemporaryDirectory(prefix="recorder-editor-fuzz-") as base:
        screen = os.dup(2)
        watch = Watch(Path(base))
        target = TARGETS[name](watch.keep)
        did: Counter[str] = Counter()
        error = attempt(target, target.make(random_of(name, seed)), watch, did)
        print(f"fine: {dict(did)}" if error is None else _trace(error), flush=True)
        if error is not None:
            print(small(target, name, seed, error, watch), flush=True)
        faulthandler.disable()
        os.dup2(screen, 2)
        os.chdir(PROJECT)
    return 0 if error is None else 1


if __name__ == "__main__":
    sys.exit(main())
