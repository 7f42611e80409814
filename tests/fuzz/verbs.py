"""Every verb on files made to fill the memory: `python tests/fuzz/verbs.py [NAME ...] [--group NUMBER]`.

Each verb runs in a process of its own. Printed are its exit code, the most memory it held and its processor time; the
program ends with 1 where one of them held more than 512 MB, took more than 30 s (on files that are not sparse) or died.
"""

import argparse
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from tests import builders  # noqa: E402
from tests.builders import frame, frame_end, frame_start, header, packet  # noqa: E402

MAX_MEMORY = 512 << 20
MAX_SECONDS = 30.0
HUGE = 0xFFFFFFF0
MANY = 10_000_000
LARGE = 60 << 20
LARGEST_WRITTEN = 256 << 20

Parts = Iterable[bytes | int]
"""What a file holds, one after another; a number stands for so many zeros that take no room on the disk."""


def _drive() -> bytes:
    return builders.drive(frames=40, vehicles=3)


def _large_frames(number: int) -> Parts:
    yield header()
    for index in range(30):
        yield frame_start(index + 1, index / 20, 0.05) + struct.pack("<BI", number, LARGE)
        yield LARGE
        yield frame_end()


def _many(number: int, before: bytes) -> Parts:
    yield before
    for _ in range(MANY // 10_000):  # in pieces: a child is told to have held what its parent held
        yield packet(number) * 10_000


def _attributes() -> Parts:
    """One EventAdd of 60 MB whose actors have nothing but attributes without a name or a value."""
    actor = builders.event_add([builders.actor(1, attributes=[builders.attribute(0, "", "")] * 65_000)])[2:]
    yield header() + frame_start(1) + struct.pack("<BIH", 2, 2 + 180 * len(actor), 180)
    for number in range(180):
        yield struct.pack("<I", number) + actor[4:]
    yield frame_end()


FILES: dict[str, Callable[[], Parts]] = {
    "one-unknown": lambda: [header(), frame_start(1), struct.pack("<BI", 99, HUGE), HUGE],
    "one-known": lambda: [header(), frame_start(1), struct.pack("<BI", 6, HUGE), HUGE],
    "outside": lambda: [header(), frame(1), struct.pack("<BI", 6, HUGE), HUGE],
    "between": lambda: [
        _drive(),
        frame_start(41, 2.0, 0.05),
        struct.pack("<BI", 99, HUGE),
        HUGE,
        frame_end(),
        frame(42, 2.05),
    ],
    "zeros": lambda: [header(), frame(1), 4 << 30],
    "no-header": lambda: [4 << 30],
    "large-unknown": lambda: _large_frames(99),
    "large-positions": lambda: _large_frames(6),
    "large-births": lambda: _large_frames(2),
    "many-unknown": lambda: _many(99, header() + frame_start(1)),
    "many-known": lambda: _many(9, header() + frame_start(1)),
    "many-outside": lambda: _many(9, _drive()),
    "attributes": _attributes,
}

VERBS = (
    "info {path}",
    "info --all {path}",
    "info --json {path}",
    "collisions {path}",
    "blocked {path}",
    "actors {path}",
    "events {path} --json",
    "check {path}",
    "check --fix {out} {path}",
    "repair {path} {out}",
    "rewrite {path} {out}",
    "rewrite --reencode {path} {out}",
    "diff {path} {path}",
    "diff {path} {drive}",
    "dump {path}",
    "trim --damaged --from #1 --to #20 {path} {out}",
    "cut --damaged --from #2 --to #4 {path} {out}",
    "split --damaged --frames 10 {path} {out}.parts",
    "join --damaged {drive} {path} {out}",
    "edit --damaged {path} {out} --fixed-step 0.02",
    "edit --damaged {path} {out} --remove-actor 100",
    "edit --damaged {path} {out} --set Position:location.z=0",
    "convert --damaged --write-as ue5-0.10.0 {path} {out}",
    "export {path} {out}.csv",
    "export --table Position {path} {out}.csv",
    "export --list {path}",
    "export {path} {out}.xosc",
    "export {path} {out}.mcap --signals 'slip = Kinematics: linear_velocity.y'",
    "export {path} {out}.omega.mcap",
    "screenshot {path} {out}.png",
    "run --damaged {script} {path} {out}",
)


SCRIPT = """{"script": 1, "steps": [
  {"operation": "order_times"}, {"operation": "retime", "arguments": {"factor": 2}},
  {"operation": "replace_where", "arguments": {"text": "Position: location.z = 0"}}
]}"""


GROUPS = 8
"""Number of groups of about four verbs, of which each is a test of its own."""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"a file: {', '.join(FILES)}; all where none is named")
    parser.add_argument("--group", type=int, choices=range(GROUPS), help=f"one of {GROUPS} groups of verbs")
    arguments = parser.parse_args(words)
    verbs = VERBS
    if arguments.group is not None:
        verbs = VERBS[arguments.group :: GROUPS]  # neighbours take about as long: they are in different groups
    return _run(arguments.names or list(FILES), verbs)


def _run(names: list[str], verbs: Iterable[str]) -> int:
    failed = False
    with tempfile.TemporaryDirectory(prefix="recorder-editor-verbs-") as folder:
        drive = Path(folder) / "drive.log"
        drive.write_bytes(_drive())
        script = Path(folder) / "script.json"
        script.write_text(SCRIPT)
        for name in names:
            path = Path(folder) / f"{name}.log"
            _write(path, FILES[name]())
            is_sparse = path.stat().st_size > LARGEST_WRITTEN
            for verb in verbs:
                out = Path(tempfile.mkdtemp(dir=folder)) / "out.log"
                code, memory, seconds, told = measured(
                    [w.format(path=path, out=out, drive=drive, script=script) for w in verb.split()]
                )
                slow = seconds > MAX_SECONDS and not is_sparse
                bad = memory > MAX_MEMORY or slow or not 0 <= code <= 3 or "Traceback" in told
                failed |= bad
                print(
                    f"{name:16}{verb:56}{code:3}{memory >> 20:6} MB{seconds:7.1f} s{'  BROKEN' if bad else ''}",
                    flush=True,
                )
                if bad:
                    print(told[-2000:], flush=True)
                subprocess.run(["rm", "-rf", str(out.parent)], check=True)
            path.unlink()
    return int(failed)


def _write(path: Path, parts: Parts) -> None:
    with path.open("wb") as file:
        for part in parts:
            if isinstance(part, int):
                file.seek(part, os.SEEK_CUR)
                file.truncate()
            else:
                file.write(part)


def measured(words: list[str]) -> tuple[int, int, float, str]:
    """Exit code, most memory (bytes), processor seconds and stderr of a verb."""
    with tempfile.TemporaryFile() as told:
        command = [sys.executable, "-m", "recorder_editor", *words]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        started = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=told, env=environment)
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return started.returncode, memory, used.ru_utime + used.ru_stime, told.read().decode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
