"""Opening and writing of recordings by verbs, and refusals that verbs share."""

import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..checks import diagnosis
from ..errors import EditError, MapError, RecorderError, os_error_text, reason_of, say, with_notes
from ..exchange.road_maps import find_road_maps
from ..recording import Recording, atomic_write, open_recording
from ..recording.notes import NoteBook
from ..roads import RoadMap, read_road_map
from .output import Exit, print_error, progress_bar


class Unreadable(Exception):
    """An input file is missing or cannot be read; the message is a whole sentence."""


class WrongUsage(Exception):
    """The arguments are wrong; the message is a whole sentence."""


FAILURES = (Unreadable, WrongUsage, RecorderError, OSError)
"""What verbs raise."""


def failure(error: Exception) -> tuple[Exit, str]:
    """The exit code and the sentence of one of `FAILURES`."""
    if isinstance(error, Unreadable | WrongUsage):
        return Exit.WRONG_USAGE, str(error)
    return Exit.FAILED, with_notes(os_error_text(error) if isinstance(error, OSError) else str(error), error)


@contextmanager
def open_input(
    path: Path, dialect: str | None = None, *, quiet: bool = False, damaged: bool = True, xodr: Path | None = None
) -> Iterator[Recording]:
    """An open recording, with its road map if one is given; its damage is printed to stderr.

    Raises `Unreadable`, and `EditError` as `refuse_damaged`.
    """
    try:
        recording = open_recording(path, dialect=dialect, progress=progress_bar(say("cli.reading", name=path.name)))
    except OSError as error:
        reason = reason_of(error)
        said = reason if reason.endswith((".", "。")) else say("errors.file_sentence", file=path, reason=reason)
        raise Unreadable(said) from None
    with recording:
        if xodr is not None:
            recording.snapshot.derived.road_map = open_road_map(xodr), xodr
        if not quiet:
            for line in damage_lines(recording):
                print_error(line)
        refuse_damaged(recording, damaged)
        yield recording


def find_lanes(recording: Recording) -> None:
    """Look for the road map of a recording that has none yet, and tell which one was taken; raises `Unreadable`."""
    snapshot = recording.snapshot
    if snapshot.roads is None and snapshot.header is not None and isinstance(snapshot.header.map_name, str):
        found = next(find_road_maps(snapshot.header.map_name, recording.path), None)
        if found is not None:
            snapshot.derived.road_map = open_road_map(found.path), found.path
            print_error(say("cli.road_map", path=found.path, origin=found.origin))


def read_notes(recording: Recording) -> NoteBook:
    """The notes of a recording; what makes one doubt them is printed. Raises `Unreadable`."""
    book = NoteBook(recording)
    if book.error:
        raise Unreadable(book.error)
    if book.doubt:
        print_error(book.doubt)
    return book


def read_input(path: Path) -> bytes:
    """The bytes of a file; raises `Unreadable`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(say("errors.file_sentence", file=path, reason=reason_of(error))) from None


def open_road_map(path: Path) -> RoadMap:
    """A road map; raises `Unreadable`."""
    try:
        return read_road_map(path, progress=progress_bar(say("cli.reading", name=path.name)))
    except OSError as error:
        raise Unreadable(say("errors.file_sentence", file=path, reason=reason_of(error))) from None
    except MapError as error:
        raise Unreadable(say("errors.file", file=path, reason=error)) from None


def damage_lines(recording: Recording) -> Iterator[str]:
    """The damage of a recording, a line each."""
    for finding in recording.findings:
        message = diagnosis(recording.snapshot) if finding.code == "no-header" else finding.message
        code = "cli.file_message" if finding.offset is None else "cli.damage_at"
        yield say(code, name=recording.path.name, offset=finding.offset, message=message)


def refuse_same(source: Path, target: Path) -> None:
    """Raise `WrongUsage` if both paths are the same file: no verb overwrites its input."""
    if source.exists() and target.exists() and os.path.samefile(source, target):
        raise WrongUsage(say("cli.is_the_input_itself_give_another", target=target))


def refuse_damaged(recording: Recording, allowed: bool) -> None:
    """Raise `EditError` for a damaged recording, unless that is allowed."""
    number = sum(finding.severity == "error" for finding in recording.findings)
    if number and not allowed:
        path = shlex.quote(str(recording.path))
        raise EditError(say("cli.damaged", name=recording.path.name, count=number, path=path))


def write_recording(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file from pieces of bytes, atomically."""
    with atomic_write(path) as file:
        file.writelines(pieces)
