"""Opening and writing of recordings by verbs, and refusals that verbs share.

Every verb loads this module, so that packages which few verbs need are loaded in the functions that use them.
"""

import os
import shlex
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..errors import (
    EditError,
    MapError,
    PacketNameError,
    RecorderError,
    WouldReplace,
    error_sentence,
    reason_of,
    with_notes,
)
from ..recording import Recording, atomic_write, open_recording
from ..recording.existing import kept_files, kind_of
from ..recording.files import recordings_in
from ..recording.findings import Severity
from ..recording.notes import NoteBook
from ..recording.packet_search import unaccepted_line
from ..roads import RoadMap, read_road_map
from ..terminal import toned
from ..texts import N_, say, say_again, say_count
from .output import TONES, Exit, Loudness, loudness, print_error, progress_bar


class Unreadable(Exception):
    """An input file is missing or cannot be read; the message is a whole sentence."""


class WrongUsage(Exception):
    """The arguments are wrong; the message is a whole sentence."""


FAILURES = (Unreadable, WrongUsage, RecorderError, OSError)
"""What verbs raise."""


def failure(error: Exception) -> tuple[Exit, str]:
    """Return the exit code and the sentence of one of `FAILURES`, in the language that is set."""
    if isinstance(error, Unreadable | WrongUsage):
        (sentence,) = error.args
        return Exit.WRONG_USAGE, say_again(sentence)
    if isinstance(error, WouldReplace):
        return Exit.WRONG_USAGE, with_notes(error.command_line_message, error)
    if isinstance(error, _typed_errors()):
        return Exit.WRONG_USAGE, with_notes(str(error), error)
    if isinstance(error, OSError):
        return Exit.FAILED, error_sentence(error)
    return Exit.FAILED, with_notes(str(error), error)


def _typed_errors() -> tuple[type[RecorderError], ...]:
    """Return the errors of what was typed: selectors, expressions and names of packets."""
    from ..reading.expression.grammar import ExpressionError
    from ..reading.selectors import SelectorError

    return (ExpressionError, PacketNameError, SelectorError)


def recordings_of(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield recordings, and those in folders.

    Raises:
        Unreadable: There is none in a folder.
    """
    for path in paths:
        if path.is_dir():
            found = list(recordings_in(path, recursive=True))
            if not found:
                raise Unreadable(say("{path}: there is no recording (.log, .rec) in this folder.", path=path))
            yield from found
        else:
            yield path


@contextmanager
def open_input(
    path: Path, dialect: str | None = None, *, quiet: bool = False, damaged: bool = True, xodr: Path | None = None
) -> Iterator[Recording]:
    """Open a recording; its damage is printed to stderr.

    Args:
        path: The file.
        dialect: The name of the dialect to read it as; None: it is detected.
        quiet: Print no damage.
        damaged: Accept a damaged recording.
        xodr: The file of its road map; None: it gets none.

    Raises:
        Unreadable: The recording or the road map cannot be read.
        EditError: It is damaged, and must not be.
    """
    try:
        recording = open_recording(path, dialect=dialect, progress=progress_bar(say("Reading {name}", name=path.name)))
    except OSError as error:
        reason = reason_of(error)
        if reason.endswith((".", "。")):
            raise Unreadable(reason) from None
        raise Unreadable(say("{file}: {reason}.", file=path, reason=reason)) from None
    with recording:
        packets = recording.context.packets
        for remark in packets.remarks:
            print_error(remark)
        for file in packets.asked:
            print_error(unaccepted_line(path, file))
        if xodr is not None:
            recording.context.use_road_map(open_road_map(xodr), xodr)
        if loudness() == Loudness.VERBOSE:
            print_error(_reading_line(recording))
        if not quiet:
            for line, severity in zip(damage_lines(recording), _severities(recording), strict=True):
                print_error(toned(line, name=TONES[severity]))
        refuse_damaged(recording, damaged)
        if xodr is not None:
            _warn_of_misfit(recording, xodr)
        yield recording


def _reading_line(recording: Recording) -> str:
    """Say how a recording is read."""
    return say(
        "{name}: read as {dialect}, {frames}, {size}.",
        name=recording.path.name,
        dialect=recording.dialect.title,
        frames=say_count("{count:,} frame", "{count:,} frames", count=len(recording)),
        size=say_count("1 byte", "{count:,} bytes", count=recording.snapshot.size),
    )


def find_lanes(recording: Recording) -> None:
    """Look for the road map of a recording that has none yet, and tell which one was taken.

    Raises:
        Unreadable: The road map that was found cannot be read.
    """
    from ..simulator.road_maps import find_road_maps

    snapshot = recording.snapshot
    if snapshot.roads is not None or snapshot.header is None or not isinstance(snapshot.header.map_name, str):
        return
    road_map = next(find_road_maps(snapshot.header.map_name, recording.path), None)
    if road_map is not None:
        recording.context.use_road_map(open_road_map(road_map.path), road_map.path)
        print_error(say("Road map: {path}, {origin}.", path=road_map.path, origin=road_map.origin))
        _warn_of_misfit(recording, road_map.path)


def _warn_of_misfit(recording: Recording, road_file: Path) -> None:
    """Tell that the road map of a recording is that of another town, as the window does."""
    from ..reading.lanes import LaneUse, misfit_sentence

    bar = progress_bar(say("Comparing {name} with its road map", name=recording.path.name))
    use = LaneUse.of(recording.snapshot, bar)
    if use is not None and not use.fits:
        sentence = misfit_sentence(road_file.name, use.near)
        print_error(toned(say("{name}: {message}", name=recording.path.name, message=sentence), name="warning"))


def tell_notes(recording: Recording) -> None:
    """Read the notes of a recording where there are some, for what shows them beside all else; tell what is wrong."""
    book = NoteBook(recording)
    for remark in (book.error, book.doubt):
        if remark:
            print_error(remark)


def read_notes(recording: Recording) -> NoteBook:
    """Return the notes of a recording; what makes them doubtful is printed.

    Raises:
        Unreadable: The file of the notes cannot be read.
    """
    book = NoteBook(recording)
    if book.error:
        raise Unreadable(book.error)
    if book.doubt:
        print_error(book.doubt)
    return book


def read_input(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        Unreadable: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(say("{file}: {reason}.", file=path, reason=reason_of(error))) from None


def refuse_missing_folder(folder: Path) -> None:
    """Refuse a folder that is not there.

    Raises:
        Unreadable: There is no such folder.
    """
    if not folder.is_dir():
        raise Unreadable(say("{raw}: there is no such folder.", raw=folder))


def open_road_map(path: Path) -> RoadMap:
    """Return the road map in a file.

    Raises:
        Unreadable: It cannot be read.
    """
    try:
        return read_road_map(path, progress=progress_bar(say("Reading {name}", name=path.name)))
    except OSError as error:
        raise Unreadable(say("{file}: {reason}.", file=path, reason=reason_of(error))) from None
    except MapError as error:
        raise Unreadable(say("{file}: {reason}", file=path, reason=error)) from None


def damage_lines(recording: Recording) -> Iterator[str]:
    """Yield the damage of a recording, a line each."""
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


def _severities(recording: Recording) -> list[Severity]:
    return [finding.severity for finding in recording.findings]


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
        kept.extend(kept_files([path], is_recording=kind == "recording"))
    if not kept:
        return
    error = WouldReplace(kept)
    hint = _hint(arguments, kept)
    if hint:
        error.add_note(hint)
    raise error


def may_replace(arguments: Namespace) -> bool:
    """Whether nothing is written, or files that exist may be replaced."""
    return bool(arguments.overwrite) or is_dry_run(arguments)


def is_dry_run(arguments: Namespace) -> bool:
    """Whether a verb that has --dry-run was given it."""
    # No default of all verbs: --resume would count it among the arguments that make an output.
    return bool(vars(arguments).get("dry_run"))


def refuse_inputs(arguments: Namespace, target: Path) -> None:
    """Refuse a file to be written that is an input of the verb, since no verb overwrites its input.

    Args:
        arguments: The arguments of the verb.
        target: The file.

    Raises:
        WrongUsage: It is an input.
    """
    for source in _inputs(arguments):
        if source.exists() and target.exists() and os.path.samefile(source, target):
            raise WrongUsage(say("{target} is the input itself; give another name for the output.", target=target))


def _written(arguments: Namespace) -> Iterator[tuple[Path, str]]:
    """Yield the paths that a verb writes, and what it writes there."""
    for name, kind in arguments.outputs.items():
        path = vars(arguments)[name]
        if path is not None:
            yield path, kind


def _inputs(arguments: Namespace) -> Iterator[Path]:
    """Yield the paths that a verb reads."""
    for name, value in vars(arguments).items():
        if name in arguments.outputs:
            continue
        values = value if isinstance(value, list) else [value]
        for path in values:
            if isinstance(path, Path):
                yield path


def _hint(arguments: Namespace, kept: Sequence[tuple[Path, str]]) -> str:
    """Return what may have been meant where a wildcard gave all names, and the last one was taken for the output."""
    inputs: Path | list[Path] = arguments.files or arguments.file or []
    names = [path for path, _ in kept]
    if isinstance(inputs, list):
        names.extend(inputs)
    else:
        names.append(inputs)
    if len(names) < 2 or any(kind_of(name) != "recording" for name in names):
        return ""
    if "out_dir" in arguments.outputs:
        return say("Give --out-dir for several recordings.")
    if isinstance(inputs, list):
        return say("OUT, the recording to write, seems to be missing: all names are recordings.")
    return ""


def refuse_damaged(recording: Recording, allowed: bool) -> None:
    """Refuse a damaged recording.

    Args:
        recording: The recording.
        allowed: Accept it all the same.

    Raises:
        EditError: It is damaged, and that is not allowed.
    """
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
