"""Everything that is done to a file nobody can trust, and what must come of it.

Whatever the bytes are: they open, they are read and saved back byte for byte, a dump of them builds them again, checks
and repair come to an end. Nothing is raised but `RecorderError` and OSError, and the time is bounded by the size.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import recorder_editor
from recorder_editor import Recording, checks, repair
from recorder_editor.errors import RecorderError
from recorder_editor.formats.dump import build_bytes, dump_lines
from recorder_editor.recording.save import save_copy

SECONDS = 4.0
SECONDS_PER_BYTE = 150e-6
"""Processor time for all steps together; a sound recording takes a hundredth of it."""


class Broken(AssertionError):
    """A file that the program could not stand: the step and why."""


class Effort(NamedTuple):
    """Processor seconds of the steps."""

    seconds: float
    slowest: str


def exercise(data: bytes, folder: Path, *, seconds: float = SECONDS) -> Effort:
    """Do everything to a file of these bytes; raises `Broken`."""
    path = folder / "case.log"
    path.write_bytes(data)
    took: dict[str, float] = {}

    def step(name: str, does: Callable[[], object]) -> None:
        before = time.process_time()
        try:
            does()
        except (RecorderError, OSError) as refused:
            if name in STRICT:
                raise Broken(f"{name}: {type(refused).__name__}: {refused}") from refused
        except Broken:
            raise
        except Exception as error:
            raise Broken(f"{name}: {type(error).__name__}: {error}") from error
        finally:
            took[name] = time.process_time() - before

    opened: list[Recording] = []
    step("open", lambda: opened.append(recorder_editor.open(path)))
    with opened[0] as recording:
        for name, does in STEPS.items():
            step(name, lambda does=does: does(recording, data, folder))  # type: ignore[misc] # bound at once
    spent = sum(took.values())
    slowest = max(took, key=lambda name: took[name])
    if spent > seconds + SECONDS_PER_BYTE * len(data):
        raise Broken(f"{slowest}: all took {spent:.1f} s for {len(data):,} bytes, this {took[slowest]:.1f} s")
    return Effort(spent, slowest)


def _same(found: bytes, data: bytes, what: str) -> None:
    if found != data:
        raise Broken(f"{what}: {len(found):,} bytes are not the {len(data):,} of the file")


def _read(recording: Recording, data: bytes, _folder: Path) -> None:
    snapshot = recording.snapshot
    _same(snapshot.read(0, len(data) + 1), data, "reading")
    _same(snapshot.header_bytes + b"".join(snapshot.row(row).data for row in range(snapshot.rows)), data, "rows")


def _decode(recording: Recording, _data: bytes, _folder: Path) -> None:
    snapshot = recording.snapshot
    for row in range(snapshot.rows):
        for packet in snapshot.row(row):
            body = packet.decoded
            for index in range(min(len(body), 40)):
                body.record(index)
                for leaf in body.leaves(index):
                    body.value(leaf)


def _state(recording: Recording, _data: bytes, _folder: Path) -> None:
    assert recording.actors.lives is not None


def _save(recording: Recording, data: bytes, folder: Path) -> None:
    save_copy(recording.snapshot, folder / "copy.log", overwrite=True)
    _same((folder / "copy.log").read_bytes(), data, "saving")


def _dump(recording: Recording, data: bytes, _folder: Path) -> None:
    _same(b"".join(build_bytes(dump_lines(recording.snapshot))), data, "building from the dump")


def _check(recording: Recording, _data: bytes, _folder: Path) -> None:
    for finding in checks.check(recording.snapshot):
        assert finding.message.endswith("."), finding


def _repair(recording: Recording, _data: bytes, folder: Path) -> None:
    proposal = repair.propose(recording.snapshot)
    if proposal.problem is not None or proposal.is_sound:
        return
    recording.apply(proposal.edit())
    recording.save(folder / "repaired.log", overwrite=True)
    repair.find_errors_in_file(folder / "repaired.log")
    recording.undo()


STEPS: dict[str, Callable[[Recording, bytes, Path], None]] = {
    "read": _read,
    "decode": _decode,
    "actors": _state,
    "save": _save,
    "dump": _dump,
    "check": _check,
    "repair": _repair,
}
STRICT = frozenset({"open", "read", "decode", "save", "dump"})
"""Here a refusal is a fault, too: these can be done to any file."""
