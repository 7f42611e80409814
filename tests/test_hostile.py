"""Files that nobody can trust: no crash, no hang, no flood of memory, and no error but those that are documented.

A small budget of what `python tests/fuzz/run.py` does at length.
"""

import json
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder_editor import cli
from recorder_editor.recording.files import File
from recorder_editor.recording.frames import LARGEST_FRAME
from tests import builders
from tests.extent import examples
from tests.fuzz import verbs
from tests.fuzz.damage import KINDS, LARGEST, Blow, made_seeds, real_seeds, struck
from tests.fuzz.exercise import exercise
from tests.fuzz.special import MANY, SMALL

PROJECT = Path(__file__).resolve().parents[1]
MADE = made_seeds()
BLOWS = st.lists(
    st.builds(Blow, st.sampled_from(sorted(KINDS)), st.floats(0, 1), st.integers(1, 4096), st.integers(0, 2**32 - 1)),
    min_size=1,
    max_size=6,
)
SECONDS = 60.0
"""Far beyond what a case takes, so that a machine with other work to do fails no test."""


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(seed=st.sampled_from(MADE), blows=BLOWS, other=st.sampled_from(MADE))
def test_damaged_recordings_of_every_dialect_are_stood(
    tmp_path: Path, seed: bytes, blows: list[Blow], other: bytes
) -> None:
    exercise(struck(seed, blows, other), tmp_path, seconds=SECONDS)


def test_damaged_pieces_of_real_recordings_are_stood(tmp_path: Path, recordings: Path) -> None:
    random = Random(20261121)
    for number, seed in enumerate(real_seeds(random, most=LARGEST // 8)):
        kind = sorted(KINDS)[number % len(KINDS)]
        blow = Blow(kind, random.random(), random.randrange(1, 999), random.getrandbits(32))
        exercise(struck(seed, [blow], seed), tmp_path, seconds=SECONDS)


@pytest.mark.parametrize("name", SMALL)
def test_files_made_to_hurt_are_stood(tmp_path: Path, name: str) -> None:
    exercise(SMALL[name](), tmp_path, seconds=SECONDS)


def test_a_light_that_stands_nowhere_tells_no_town(tmp_path: Path) -> None:
    nowhere = builders.xyz(float("nan"), float("inf"), 0.0)
    lights = builders.event_add([builders.actor(9, 2, "traffic.traffic_light", nowhere)])
    exercise(builders.frame(1, packets=[builders.packet(2, lights)]), tmp_path, seconds=SECONDS)


HUGE = struct.pack("<BI", 99, LARGEST_FRAME)
UNREAD = {
    "a frame of one huge packet": builders.frame_start(41, 2.0) + HUGE,
    "a huge packet outside of frames": HUGE,
    "junk without end": b"",
}


@pytest.mark.parametrize("name", UNREAD)
def test_no_verb_reads_at_once_what_is_too_large_to_be_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    path, out = tmp_path / "huge.log", tmp_path / "out"
    drive = builders.drive(frames=40, vehicles=2)
    path.write_bytes(drive + UNREAD[name])
    with path.open("r+b") as file:
        file.truncate(len(drive) + len(UNREAD[name]) + LARGEST_FRAME)  # sparse: it takes no room
    sizes: list[int] = []

    def read(self: File, offset: int, size: int, _read: Callable[..., bytes] = File.read) -> bytes:
        sizes.append(size)
        return _read(self, offset, size)

    def read_into(self: File, offset: int, view: memoryview, _read: Callable[..., None] = File.read_into) -> None:
        sizes.append(len(view))
        _read(self, offset, view)

    monkeypatch.setattr(File, "read", read)
    monkeypatch.setattr(File, "read_into", read_into)
    monkeypatch.setattr(cli, "verb_parser", cache(cli.verb_parser))
    for verb in VERBS:
        words = [word.format(path=path, out=out) for word in verb.split()]
        code = cli.main(words)
        told = capfd.readouterr()
        assert code in (0, 1, 3), (verb, told.err)
        assert "Traceback" not in told.err, verb
        assert max(sizes) <= 16 << 20, verb
        out.unlink(missing_ok=True)


VERBS = (
    "info --all {path}",
    "info --json {path}",
    "collisions {path}",
    "blocked {path}",
    "actors {path}",
    "check {path}",
    "check --fix {out} {path}",
    "repair {path} {out}",
    "rewrite --reencode {path} {out}",
    "diff {path} {path}",
    "trim --damaged --from #5 {path} {out}",
    "cut --damaged --from #5 --to #9 {path} {out}",
    "join --damaged {path} {path} {out}",
    "edit --damaged --fixed-step 0.02 {path} {out}",
    "edit --damaged --remove-actor 100 {path} {out}",
    "convert --damaged --write-as ue4-0.9.15 {path} {out}",
    "export --table Position {path} {out}.csv",
)


MEASURED = """
import json, sys, time
import recorder_editor
from tests.fuzz.special import bodies_of_one_byte
from tests.memory import peak

data = bodies_of_one_byte(int(sys.argv[2]))
with open(sys.argv[1], "wb") as file:
    file.write(data)
size = len(data)
del data
before, started = peak() >> 20, time.process_time()
with recorder_editor.open(sys.argv[1]) as recording:
    opened, seconds = (peak() >> 20) - before, time.process_time() - started
    codes = [finding.code for finding in recording.findings]
    print(json.dumps([size >> 20, opened, seconds, len(recording), codes]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="measures with a module that only Unix has")
@pytest.mark.parametrize(("number", "most"), [(MANY // 5, 40), pytest.param(MANY, 100, marks=pytest.mark.long)])
def test_ten_million_packets_open_in_bounded_time_and_memory(tmp_path: Path, number: int, most: int) -> None:
    """And two million in less than half as much memory."""
    command = [sys.executable, "-c", MEASURED, str(tmp_path / "many.log"), str(number)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    size, memory, seconds, frames, findings = json.loads(done.stdout)
    assert (size, frames, findings) == (6 * number >> 20, 0, ["frame-too-large"])
    assert memory < most
    assert seconds < 60


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="measures with a call that only Unix has")
@pytest.mark.parametrize("group", range(verbs.GROUPS))
@pytest.mark.parametrize("name", verbs.FILES)
def test_every_verb_keeps_to_its_memory_on_a_file_made_to_fill_it(name: str, group: int) -> None:
    # From a small process: what is measured of a program begins with the memory of the one that started it.
    command = [sys.executable, "-m", verbs.__name__, name, "--group", str(group)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
