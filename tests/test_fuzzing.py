"""The fuzzing harness finds what it is there for: each kind of failure, planted, is told with its seed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from recorder_editor.edits.operations import OPERATIONS
from tests.fuzz.shrink import shrunk
from tests.fuzz.steps import KINDS
from tests.fuzz.targets import TARGETS

from . import builders

PROJECT = Path(__file__).resolve().parents[1]

PLANTED = """
import os, resource, sys, tempfile, threading, time, warnings
from dataclasses import dataclass
from pathlib import Path
sys.path.insert(0, sys.argv.pop(1))
from tests.fuzz import run, watch
from tests.fuzz.targets.target import Target

run.KEPT = Path(__file__).parent / "kept"

@dataclass(frozen=True)
class Case:
    number: int

def busy():
    while True:
        pass

def blocked():
    threading.Event().wait()

def plant(number):
    return list(PLANTS.values())[NUMBERS[number]]

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
    "the process ended with -14": blocked,
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
    tries = 9  # there is nothing to be made small
    def make(self, random):
        number = random.randrange(1 << 30)
        # What imports much takes its time on a slow machine.
        watch.CPU_SECONDS = 0.3 if plant(number) is busy else 60.0
        watch.WALL_SECONDS = 0.1 if plant(number) is blocked else 900.0
        return Case(number)
    def run(self, case, watch):
        plant(case.number)()
        return ("a case",)

NUMBERS = {run.random_of("planted", seed).randrange(1 << 30): seed for seed in range(len(PLANTS))}
run.TARGETS.data.clear()  # its own would import each of them
run.TARGETS["planted"] = Planted
sys.exit(run.main())
"""


def fuzzed(text: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = folder / "planted.py"
    script.write_text(text.replace("sys.argv.pop(1)", repr(str(PROJECT))))
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_kind_of_failure_is_found_and_told_with_its_seed(tmp_path: Path) -> None:
    done = fuzzed(PLANTED, tmp_path, "--rounds", "1", "--processes", "1")
    told = [line for line in done.stdout.splitlines() if line.startswith("BROKEN planted: ")]
    kinds = [line.strip().split('"')[1] for line in PLANTED.splitlines() if line.strip().startswith('"')]
    assert kinds.pop() == "fine"
    assert done.returncode == 1, done.stdout + done.stderr
    seeds = {line.rpartition("1 times, first ")[2]: line for line in told}
    for seed, kind in enumerate(kinds):
        line = seeds.get(f"--target planted --seed {seed}", "")
        assert line.startswith(f"BROKEN planted: {kind}"), (kind, done.stdout, done.stderr)
    assert len(told) == len(kinds), done.stdout
    again = fuzzed(PLANTED, tmp_path, "--target", "planted", "--seed", "1")
    assert again.returncode == 1
    assert "ZeroDivisionError" in again.stdout


def test_a_failure_is_told_with_its_traceback_before_it_is_made_small(tmp_path: Path) -> None:
    text = PLANTED.replace("sys.exit", "run.shrunk = lambda *_: os._exit(9)\nPlanted.of_a_round = 4\nsys.exit")
    done = fuzzed(text, tmp_path, "--seed", "0", "--rounds", "0.3", "--processes", "1")
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["planted-0.txt"]
    before, ended, _ = done.stdout.partition("the process ended with 9")
    assert ended, done.stdout + done.stderr
    assert "RuntimeWarning at planted.py: planted" in before
    kept = (tmp_path / "kept" / "planted-0.txt").read_text("utf-8")
    assert kept.index("RuntimeWarning at planted.py: planted") < kept.index("the process ended with 9")


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
import hashlib, sys
from pathlib import Path
from tests.fuzz.run import TARGETS, random_of

for name in sys.argv[1:]:
    keep = Path(name)
    keep.mkdir()
    made = TARGETS[name](keep.absolute())
    cases = repr([made.make(random_of(name, seed)) for seed in range(3)])
    print(name, hashlib.sha256(cases.encode("utf-8", "surrogatepass")).hexdigest())
"""


COSTLY = ("journals", "windows")
"""Targets that take long to begin with."""


@pytest.mark.parametrize(
    "names",
    [[name for name in TARGETS if name not in COSTLY], pytest.param(COSTLY, marks=pytest.mark.long)],
    ids=["most", "costly"],
)
def test_a_seed_is_the_same_case_in_every_process(tmp_path: Path, names: Sequence[str]) -> None:
    def made(number: str) -> str:
        folder = tmp_path / number
        folder.mkdir()
        environment = os.environ | {"PYTHONHASHSEED": number, "PYTHONPATH": str(PROJECT)}
        command = [sys.executable, "-c", CASES, *names]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    first = made("1")
    assert len(first.splitlines()) == len(names)
    assert made("2") == first


STARTER = """
import subprocess, sys
large = b"x" * (300 << 20)
subprocess.run([sys.executable, "-c", "from tests.memory import peak; print(peak() >> 20)"], check=True)
"""


def test_memory_of_the_process_that_starts_the_cases_is_not_counted_as_theirs() -> None:
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, "-c", STARTER], env=environment, capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 200


TRACES = """
import os, sys
from pathlib import Path
from tests.fuzz.run import TARGETS, Watch, random_of

watch = Watch(Path(sys.argv[1]))
target = TARGETS["windows"](watch.keep)
for seed in sys.argv[2:]:
    target.trace = []
    case = target.make(random_of("windows", int(seed)))
    watch.run(lambda: target.run(case, watch))
    print(seed, *target.trace, sep="\\x1e", flush=True)
os._exit(0)
"""


def seen(folder: Path, *seeds: str) -> list[str]:
    """What was there to be seen in cases of the window, one after another."""
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", TRACES, str(folder), *seeds]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + (folder / "stderr").read_text()
    return done.stdout.split("\n")[:-1]


def test_a_case_of_the_window_is_the_same_again_and_after_another(tmp_path: Path) -> None:
    one, _, again = seen(tmp_path, "43", "1307", "43")  # the one goes dark, the other makes texts larger
    assert one.count("\x1e") > 2
    assert again == one


@pytest.mark.long
def test_a_case_of_the_window_is_the_same_alone_again_and_after_others(tmp_path: Path) -> None:
    one, other, again, dated, later = seen(tmp_path / "one", "48", "191", "48", "47", "47")
    assert one.count("\x1e") > 5
    assert again == one
    assert later == dated  # Repair shows the date that the header of a damaged file gets: that of the file
    assert seen(tmp_path / "other", "191") == [other]


def test_steps_have_arguments_of_every_kind() -> None:
    named = {
        argument.kind.name
        for operation in OPERATIONS.values()
        for name, argument in operation.arguments.items()
        if name != "actors"
    }
    assert named <= KINDS.keys()
