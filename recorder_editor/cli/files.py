"""How verbs open, report and write files."""

import json
import math
import os
import shlex
import struct
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..checks import diagnosis
from ..errors import EditError
from ..format.dialects import DIALECTS
from ..progress import SILENT, Progress
from ..recording.recording import Recording, open_recording
from ..recording.recovery import sweep_state
from ..recording.snapshot import Snapshot
from ..terminal import printable, printable_json


class Unreadable(Exception):
    """An input file is missing, or cannot be read; the message is the whole sentence."""


class WrongUsage(Exception):
    """The arguments do not go together; the message is the whole sentence."""


def add_input(parser: ArgumentParser) -> None:
    """The positional FILE and `--dialect`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a recording")
    add_dialect(parser)


def add_dialect(parser: ArgumentParser) -> None:
    """`--dialect`: read the bodies with other tables than the bytes show."""
    parser.add_argument("--dialect", choices=sorted(DIALECTS), metavar="NAME", help="read it as this dialect")


@contextmanager
def opened(path: Path, dialect: str | None = None, *, quiet: bool = False) -> Iterator[Recording]:
    """An open recording; its damage is told on stderr. Raises `Unreadable`."""
    sweep_state()
    try:
        recording = open_recording(path, dialect=dialect, progress=progress(f"Reading {path.name}"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unreadable(reason if reason.endswith(".") else f"{path}: {reason}.") from None
    with recording:
        if not quiet:
            for line in damage(recording):
                say_error(line)
        yield recording


def damage(recording: Recording) -> Iterator[str]:
    """What could not be read, a line each."""
    for finding in recording.findings:
        place = f" at 0x{finding.offset:06x}" if finding.offset is not None else ""
        message = diagnosis(recording.snapshot) if finding.code == "no-header" else finding.message
        yield f"{recording.path.name}{place}: {message}"


def progress(title: str) -> Progress:
    """A line of progress on stderr where that is a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        return SILENT

    title = printable(title)

    def show(done: int, total: int) -> None:
        share = 100 * done // total if total else 100
        sys.stderr.write(f"\r{title} {share} %" if done < total else "\r\x1b[K")
        sys.stderr.flush()

    return Progress(show)


def refuse_same(source: Path, target: Path) -> None:
    """Raises `WrongUsage` where both names lead to one file: no verb writes onto its input."""
    if source.exists() and target.exists() and os.path.samefile(source, target):
        raise WrongUsage(f"{target} is the input itself; give another name for the output.")


def add_damaged(parser: ArgumentParser) -> None:
    """`--damaged`: edit a damaged recording all the same."""
    parser.add_argument("--damaged", action="store_true", help="take a damaged recording, too, and keep its damage")


def refuse_damaged(recording: Recording, allowed: bool) -> None:
    """Raises `EditError` for a recording that is damaged, unless that is allowed; for every verb that edits."""
    number = sum(finding.severity == "error" for finding in recording.findings)
    if number and not allowed:
        places = "in one place" if number == 1 else f"in {number:,} places"
        name = shlex.quote(str(recording.path))
        raise EditError(
            f"{recording.path.name} is damaged {places}, and nothing was written. Repair it first "
            f"(recorder-editor repair {name} OUT), or take it as it is with --damaged."
        )


def say_error(line: str) -> None:
    """A line to stderr."""
    sys.stderr.write(f"{printable(line)}\n")


def say(lines: Iterable[str]) -> None:
    """Lines for people to stdout: UTF-8, `\\n`, whatever the system prefers, and no controls."""
    _put(map(printable, lines))


def say_data(lines: Iterable[str]) -> None:
    """Lines of JSON to stdout."""
    _put(map(printable_json, lines))


def say_json(value: Any) -> None:
    """A value as indented JSON that a strict parser takes."""
    say_data([json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)])


def _put(lines: Iterable[str]) -> None:
    out = sys.stdout.buffer
    for line in lines:
        out.write(line.encode("utf-8", "backslashreplace"))
        out.write(b"\n")


def number(value: float) -> float | str:
    """A finite number as it is; every other one by its bits, since JSON has none."""
    return value if math.isfinite(value) else "f64:" + struct.pack(">d", value).hex()


def moments(snapshot: Snapshot) -> Callable[[int], dict[str, Any]]:
    """What JSON says of a frame, by its index: its number, the number in the file and the time.

    All null for what happens behind the last frame.
    """
    ids, elapsed = snapshot.frame_column("frame_id"), snapshot.elapsed

    def moment(index: int) -> dict[str, Any]:
        if index >= len(elapsed):
            return {"frame": None, "frame_id": None, "time": None}
        return {"frame": index + 1, "frame_id": int(ids[index]), "time": number(float(elapsed[index]))}

    return moment


def text(value: str | bytes) -> str | dict[str, str]:
    """Text as it is; bytes that are not UTF-8 as hex."""
    return value if isinstance(value, str) else {"hex": value.hex()}
