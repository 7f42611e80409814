"""Journals that a crash, a failing disk or somebody's hand left behind: a start looks at all of them, and restores."""

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import recorder_editor
from recorder_editor.edits.script import read_script, run_step
from recorder_editor.errors import Cancelled, RecorderError, RestoreRefused
from recorder_editor.recording.recovery import find_leftovers, other_sessions
from recorder_editor.recording.store import SCRATCH_FOLDER

from ...edits.choices import street
from .. import steps
from ..texts import mangled, odd_value, some, worse
from ..watch import Broken, Watch, refused
from .target import Target, content

STORIES = 12
RECORDING = "street.log"


@dataclass(frozen=True)
class Case:
    """The lines of a journal as JSON (what a machine has of its own as @words), its scratch file, and damage that no
    checksum covers: (line, share of it, byte)."""

    lines: tuple[str, ...]
    scratch: bytes
    damage: tuple[tuple[int, float, int], ...] = ()


class Journals(Target):
    of_a_round = 1_000

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.stories = [_story(keep, Random(number)) for number in range(STORIES)]

    def make(self, random: Random) -> Case:
        story = random.choice(self.stories)
        lines, scratch, damage = list(story.lines), story.scratch, []
        for _ in range(some(random, 0.7)):
            at, kind = random.randrange(len(lines)), random.randrange(12)
            if kind == 0:
                damage.append((at, random.random(), random.randrange(256)))
            elif kind == 1:
                scratch = scratch[: random.randrange(len(scratch) + 1)]
            elif kind == 2 and scratch:
                hit = random.randrange(len(scratch))
                scratch = scratch[:hit] + bytes([random.randrange(256)]) + scratch[hit + 1 :]
            elif kind == 3:
                del lines[at]
                lines = lines or ["{}"]
            elif kind == 4:
                lines.insert(random.randrange(len(lines) + 1), lines[at])
            elif kind == 5:
                lines[at] = mangled(lines[at], random).replace("\n", " ")
            elif kind == 6:
                entry = {
                    random.choice(("form", "base", "move", "edit", "undo", "saved", "since", "x")): odd_value(random)
                }
                lines.insert(at, json.dumps(entry))
            else:
                lines[at] = _worse(lines[at], random)
        return Case(tuple(lines), scratch, tuple(damage))

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        path = Path(RECORDING)
        before = street()
        path.write_bytes(before)
        _put(case, path, watch.state)
        did = ["journal"]
        with recorder_editor.open(path) as recording:
            other_sessions(recording)
        for leftover in find_leftovers():
            for words in (leftover.describe(), leftover.obstacle(), *leftover.labels):
                if not isinstance(words, str):
                    raise Broken("a journal is told with something else than words", words)
            try:
                recording, words = leftover.restore()
            except (RestoreRefused, Cancelled, OSError) as refused:
                if not str(refused).strip():
                    raise Broken("refused without a word") from refused
                did.append("restore refused")
                continue
            with recording:
                try:
                    content(recording)
                    while recording.undo() is not None:
                        pass
                    content(recording)
                except RecorderError as error:
                    raise Broken("restored, and cannot be read", error) from error
            did.append("restored in part" if words else "restored")
        if path.read_bytes() != before:
            raise Broken("a journal changes the file")
        for folder in ("journals", SCRATCH_FOLDER):
            for each in (watch.state / folder).glob("*"):
                each.unlink()
        return did


def _story(keep: Path, random: Random) -> Case:
    """What a window leaves that edited, took back, made again and saved, and was killed."""
    path = keep / RECORDING
    path.write_bytes(street())
    recording = recorder_editor.open(path)
    recording.keep_journal()
    assert recording.journal is not None
    wanted = random.randrange(1, 7)
    while len(recording.history.steps) < wanted:
        # One after another, so that the lines are the same ones in every process.
        recording.journal.flush()
        kind = random.randrange(12)
        if kind == 0:
            recording.undo()
        elif kind == 1:
            recording.redo()
        elif kind == 2:
            recording.save()
        with refused(RecorderError):
            for step in read_script(steps.well_formed(random, (7, 8, 9, 12, 14, 20))).steps if kind > 2 else ():
                recording.apply(run_step(recording.snapshot, step).edit)
                recording.journal.flush()
    journal, scratch = recording.journal, recording.store.scratch_path
    recording.release()
    told = [json.loads(line[9:]) for line in journal.path.read_bytes().splitlines()]
    here = {str(path.absolute()): "@path", scratch.name if scratch else "": "@scratch"}
    lines = tuple(json.dumps(_replaced(entry, here)) for entry in told)
    data = scratch.read_bytes() if scratch is not None else b""
    journal.path.unlink()
    if scratch is not None:
        scratch.unlink()
    return Case(lines, data)


def _replaced(value: Any, words: dict[str, str]) -> Any:
    """The value with words in place of what this machine and this moment made."""
    if isinstance(value, dict):
        fixed = {"opened": 1.0e9, "time": 1.0e9, "process": 1, "identity": "@identity"}
        return {key: fixed[key] if key in fixed else _replaced(each, words) for key, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, words) for each in value]
    return words.get(value, value) if isinstance(value, str) and value else value


def _put(case: Case, path: Path, state: Path) -> None:
    """Write the journal and its scratch file where a start finds them."""
    with recorder_editor.open(path) as recording:
        identity = list(recording.store.identity(recording.store.file))
    for folder in ("journals", SCRATCH_FOLDER):
        (state / folder).mkdir(exist_ok=True, mode=0o700)
    (state / SCRATCH_FOLDER / "left.scratch").write_bytes(case.scratch)
    data = list(_lines(case, {"@path": str(path.absolute()), "@identity": identity, "@scratch": "left.scratch"}))
    for line, share, byte in case.damage:
        if line < len(data):
            at = int(share * len(data[line]))
            data[line] = data[line][:at] + bytes([byte]) + data[line][at + 1 :]
    (state / "journals" / "left.journal").write_bytes(b"".join(data))


def _lines(case: Case, here: dict[str, Any]) -> Iterator[bytes]:
    for line in case.lines:
        for word, value in here.items():
            line = line.replace(json.dumps(word), json.dumps(value))
        text = line.encode("utf-8", "surrogatepass")
        yield b"%08x %s\n" % (zlib.crc32(text), text)


def _worse(line: str, random: Random) -> str:
    try:
        return json.dumps(worse(json.loads(line), random))
    except (ValueError, RecursionError):
        return mangled(line, random).replace("\n", " ")
