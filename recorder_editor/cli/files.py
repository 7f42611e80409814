"""Opening and writing of recordings by verbs, and refusals that verbs share.

Every verb loads this module, so that packages which few verbs need are loaded in the functions that use them.
"""

import os
import shlex
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..errors import EditError, MapError, RecorderError, WouldReplace, os_error_text, reason_of, with_notes
from ..recording import Recording, atomic_write, open_recording
from ..recording.existing import kept_files, kind_of
from ..recording.notes import NoteBook
from ..roads import RoadMap, read_road_map
from ..texts import N_, say, say_count
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
    if isinstance(error, WouldReplace):
        return Exit.WRONG_USAGE, with_notes(error.in_commands, error)
    return Exit.FAILED, with_notes(os_error_text(error) if isinstance(error, OSError) else str(error), error)


@contextmanager
def open_input(
    path: Path, dialect: str | None = None, *, quiet: bool = False, damaged: bool = True, xodr: Path | None = None
) -> Iterator[Recording]:
    """An open recording, with its road map if one is given; its damage is printed to stderr.

    Raises `Unreadable`, and `EditError` as `refuse_damaged`.
    """
    try:
        recording = open_recording(path, dialect=dialect, progress=progress_bar(say("Reading {name}", name=path.name)))
    except OSError as error:
        reason = reason_of(error)
        if reason.endswith((".", "。")):
            said = reason
        else:
            said = say("{file}: {reason}.", file=path, reason=reason)
        raise Unreadable(said) from None
    with recording:
        if xodr is not None:
            recording.context.use_road_map(open_road_map(xodr), xodr)
        if not quiet:
            for line in damage_lines(recording):
                print_error(line)
        refuse_damaged(recording, damaged)
        yield recording


def find_lanes(recording: Recording) -> None:
    """Look for the road map of a recording that has none yet, and tell which one was taken; raises `Unreadable`."""
    from ..simulator.road_maps import find_road_maps

    snapshot = recording.snapshot
    if snapshot.roads is None and snapshot.header is not None and isinstance(snapshot.header.map_name, str):
        found = next(find_road_maps(snapshot.header.map_name, recording.path), None)
        if found is not None:
            recording.context.use_road_map(open_road_map(found.path), found.path)
            print_error(say("Road map: {path}, {origin}.", path=found.path, origin=found.origin))


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
        raise Unreadable(say("{file}: {reason}.", file=path, reason=reason_of(error))) from None


def open_road_map(path: Path) -> RoadMap:
    """A road map; raises `Unreadable`."""
    try:
        return read_road_map(path, progress=progress_bar(say("Reading {name}", name=path.name)))
    except OSError as error:
        raise Unreadable(say("{file}: {reason}.", file=path, reason=reason_of(error))) from None
    except MapError as error:
        raise Unreadable(say("{file}: {reason}", file=path, reason=error)) from None


def damage_lines(recording: Recording) -> Iterator[str]:
    """The damage of a recording, a line each."""
    for finding in recording.findings:
        message = finding.message
        if finding.code == "no-header":
            from ..checks import diagnosis

            message = diagnosis(recording.snapshot)
        if finding.offset is None:
            template = N_("{name}: {message}")
        else:
            template = N_("{name} at 0x{offset:06x}: {message}")
        yield say(template, name=recording.path.name, offset=finding.offset, message=message)


def refuse_outputs(arguments: Namespace) -> None:
    """Refuse the outputs of a verb for one recording that it must not replace, before anything is read.

    Raises:
        WrongUsage: An output is an input.
        WouldReplace: An output exists and has to stay, and --overwrite was not given.
        OSError: A file cannot be read.
    """
    written = [(path, kind) for path, kind in _written(arguments) if kind != "folder"]
    for path, kind in written:
        refuse_inputs(arguments, path)
        if kind == "file":
            from ..formats.export import paths_beside

            for beside in paths_beside(path):
                refuse_inputs(arguments, beside)
    if not written or may_replace(arguments):
        return
    kept: list[tuple[Path, str]] = []
    for path, kind in written:
        kept += kept_files([path], is_recording=kind == "recording")
    if not kept:
        return
    error = WouldReplace(kept)
    hint = _hint(arguments, kept)
    if hint:
        error.add_note(hint)
    raise error


def may_replace(arguments: Namespace) -> bool:
    """Whether nothing is written, or files that exist may be replaced."""
    return bool(arguments.overwrite or getattr(arguments, "dry_run", False))


def refuse_inputs(arguments: Namespace, target: Path) -> None:
    """Raise `WrongUsage` if a file to be written is an input of the verb: no verb overwrites its input."""
    for source in _inputs(arguments):
        if source.exists() and target.exists() and os.path.samefile(source, target):
            raise WrongUsage(say("{target} is the input itself; give another name for the output.", target=target))


def _written(arguments: Namespace) -> Iterator[tuple[Path, str]]:
    """The paths that a verb writes, and what it writes there; stdout is none."""
    for name, kind in arguments.outputs.items():
        path = getattr(arguments, name)
        if path is not None and str(path) != "-":
            yield path, kind


def _inputs(arguments: Namespace) -> Iterator[Path]:
    """The paths that a verb reads."""
    for name, value in vars(arguments).items():
        if name not in arguments.outputs:
            if isinstance(value, list):
                values = value
            else:
                values = [value]
            yield from (each for each in values if isinstance(each, Path))


def _hint(arguments: Namespace, kept: Sequence[tuple[Path, str]]) -> str:
    """What may have been meant where a wildcard gave all names, and the last one was taken for the output."""
    names = [path for path, _ in kept]
    named = getattr(arguments, "files", None) or getattr(arguments, "file", None) or []
    if isinstance(named, list):
        names += named
    else:
        names += [named]
    if len(names) < 2 or any(kind_of(name) != "recording" for name in names):
        return ""
    if hasattr(arguments, "out_dir"):
        return say("Give --out-dir for several recordings.")
    if isinstance(named, list):
        return say("OUT, the recording to write, seems to be missing: all names are recordings.")
    return ""


def refuse_damaged(recording: Recording, allowed: bool) -> None:
    """Raise `EditError` for a damaged recording, unless that is allowed."""
    number = sum(finding.severity == "error" for finding in recording.findings)
    if number and not allowed:
        path = shlex.quote(str(recording.path))
        raise EditError(
            say_count(
                "{name} is damaged in one place, and nothing was written. Repair it first "
                "(recorder-editor repair {path} OUT), or take it as it is with --damaged.",
                "{name} is damaged in {count:,} places, and nothing was written. Repair it "
                "first (recorder-editor repair {path} OUT), or take it as it is with --damaged.",
                name=recording.path.name,
                count=number,
                path=path,
            )
        )


def write_recording(path: Path, pieces: Iterable[bytes], *, overwrite: bool) -> None:
    """Write a recording from pieces of bytes, atomically."""
    with atomic_write(path, overwrite=overwrite, is_recording=True) as file:
        file.writelines(pieces)
