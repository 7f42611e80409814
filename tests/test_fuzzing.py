"""The fuzzing harness finds what it is there for: each kind of failure, planted, is told with its seed."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.shrink import shrunk

from . import builders

PROJECT = Path(__file__).resolve().parents[1]

PLANTED = """
import os, resource, sys, tempfile, threading, time, warnings
from dataclasses import dataclass
from pathlib import Path
sys.path.insert(0, sys.argv.pop(1))
from tests.fuzz import run, watch
from tests.fuzz.targets.target import Target

watch.CPU_SECONDS = 0.3
run.KEPT = Path(__file__).parent / "kept"

@dataclass(frozen=True)
class Case:
    number: int

def busy():
    while True:
        pass

def raised_in_a_thread():
    thread = threading.Thread(target=lambda: {}["missing"])
    thread.start()
    thread.join()

def said(words):
    main = watch.cli.main
    watch.cli.main = lambda _: 0 * sys.stderr.write(words)
    try:
        watch.command(["info"])
    finally:
        watch.cli.main = main

kept = []
PLANTS = {
    "RuntimeWarning": lambda: warnings.warn("planted", RuntimeWarning),
    "ZeroDivisionError": lambda: 1 / 0,
    "KeyError in a thread": raised_in_a_thread,
    "Hang": busy,
    "a descriptor is left": lambda: kept.append(open(os.devnull)),
    "a temporary file is left": lambda: Path(tempfile.mkdtemp(), "left").write_bytes(b""),
    "said past Python on stderr": lambda: os.write(2, b"planted"),
    "MemoryError": lambda: bytearray(watch.ADDRESS_SPACE),
    "the process ended with 7": lambda: os._exit(7),
    "the process ended with -11": lambda: os.kill(os.getpid(), 11),
    "info: a control character on stderr": lambda: said("in.log: \\x1b[2J.\\n"),
    "info: words of Python on stderr": lambda: said("RuntimeWarning: planted\\n"),
    "info: no sentence on stderr": lambda: said("planted"),
    "fine": lambda: watch.command(["info", "missing.log"]),
}

class Planted(Target):
    of_a_round = len(PLANTS)
    def make(self, random):
        return Case(random.randrange(1 << 30))
    def run(self, case, watch):
        list(PLANTS.values())[NUMBERS[case.number]]()
        return ("a case",)

NUMBERS = {Planted(Path()).make(run.random_of("planted", seed)).number: seed for seed in range(len(PLANTS))}
run.TARGETS.clear()
run.TARGETS["planted"] = Planted
sys.exit(run.main())
"""


def test_every_kind_of_failure_is_found_and_told_with_its_seed(tmp_path: Path) -> None:
    script = tmp_path / "planted.py"
    script.write_text(PLANTED.replace("sys.argv.pop(1)", repr(str(PROJECT))))
    command = [sys.executable, str(script), "--rounds", "1", "--processes", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    told = [line for line in done.stdout.splitlines() if line.startswith("BROKEN planted: ")]
    wanted = [line.strip().split('"')[1] for line in PLANTED.splitlines() if line.strip().startswith('"')]
    assert wanted.pop() == "fine"
    assert done.returncode == 1, done.stdout + done.stderr
    for seed, kind in enumerate(wanted):
        assert f"BROKEN planted: {kind}" in told[seed], (kind, told, done.stderr)
        assert told[seed].endswith(f"1 times, first --target planted --seed {seed}")
    assert len(told) == len(wanted)
    command = [sys.executable, str(script), "--target", "planted", "--seed", "1"]
    again = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert again.returncode == 1
    assert "ZeroDivisionError" in again.stdout


@dataclass(frozen=True)
class Case:
    recording: bytes
    text: str
    commands: tuple[str, ...]


def test_a_case_that_breaks_is_made_small() -> None:
    recording = builders.drive(3, vehicles=2)
    found = shrunk(
        Case(recording, "a\nneedle in hay\nb\n", ("one", "two", "three")),
        lambda case: b"mkz" in case.recording and "needle" in case.text and "two" in case.commands,
    )
    assert found == Case(b"mkz", "needle", ("two",))


CASES = """
import hashlib
from pathlib import Path
from tests.fuzz.run import TARGETS, random_of

for name, target in TARGETS.items():
    keep = Path(name)
    keep.mkdir()
    made = target(keep.absolute())
    cases = repr([made.make(random_of(name, seed)) for seed in range(5)])
    print(name, hashlib.sha256(cases.encode("utf-8", "surrogatepass")).hexdigest())
"""


def test_a_seed_is_the_same_case_in_every_process(tmp_path: Path) -> None:
    def made(number: str) -> str:
        folder = tmp_path / number
        folder.mkdir()
        environment = os.environ | {"PYTHONHASHSEED": number, "PYTHONPATH": str(PROJECT)}
        command = [sys.executable, "-c", CASES]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    first = made("1")
    assert len(first.splitlines()) > 5
    assert made("2") == first
