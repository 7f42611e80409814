"""Output of verbs: lines, JSON, bytes, progress and exit codes; and frames, findings and numbers as JSON values."""

import json
import math
import struct
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from typing import TYPE_CHECKING

from ..progress import SILENT, Progress
from ..terminal import Line, Span, Tone, is_coloured, line_text, printable, printable_json
from ..texts import display_width

if TYPE_CHECKING:
    from ..recording import Finding, Snapshot
    from ..recording.findings import Severity


TONES: Mapping["Severity", Tone] = {"error": "error", "warning": "warning", "info": "faint"}
"""How findings stand out."""


class Exit(IntEnum):
    """The exit codes of verbs, as the guide documents them."""

    OK = 0
    FAILED = 1
    WRONG_USAGE = 2
    LOSS = 3


def exit_code(outcome: bool | Exit | None) -> Exit:
    """Return the exit code of what a verb returns; None and True are success."""
    if isinstance(outcome, Exit):
        return outcome
    if outcome is False:
        return Exit.FAILED
    return Exit.OK


class Loudness(IntEnum):
    """How much is told on stderr beside failures and damage."""

    QUIET = 0
    USUAL = 1
    VERBOSE = 2


_loudness: ContextVar[Loudness] = ContextVar("loudness", default=Loudness.USUAL)


def loudness() -> Loudness:
    """Return how much is told."""
    return _loudness.get()


@contextmanager
def telling(level: Loudness | None) -> Iterator[None]:
    """Set how much is told for the time of a `with` statement; None: as usual."""
    if level is None:
        level = Loudness.USUAL
    token = _loudness.set(level)
    try:
        yield
    finally:
        _loudness.reset(token)


def progress_bar(title: str) -> Progress:
    """Return progress that is a line on stderr, if that is a terminal; at its end the line is cleared."""
    if not sys.stderr.isatty() or loudness() == Loudness.QUIET:
        return SILENT

    title = printable(title)

    def show(done: int, total: int) -> None:
        if done < total:
            sys.stderr.write(f"\r{title} {100 * done // total} %")
        else:
            sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()

    return Progress(show)


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines to stdout: UTF-8, `\\n` on every system, control characters escaped; with tones on a terminal."""
    coloured = is_coloured(sys.stdout)
    _write_lines(line_text(line, coloured=coloured) for line in lines)


def aligned(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> Iterator[str]:
    """Yield the lines of a table.

    Args:
        rows: The texts of the cells of each row.
        right: Numbers (from 0) of the columns that are aligned on the right.
    """
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = []
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - display_width(cell))
            cells.append(gap + cell if index in right else cell + gap)
        yield "  ".join(cells).rstrip()


def print_spans(lines: Iterable[Sequence[Span]], *, coloured: bool) -> None:
    """Print lines of pieces to stdout, as `print_lines`.

    Args:
        lines: The pieces of each line.
        coloured: Write the tones.
    """
    _write_lines(line_text(line, coloured=coloured) for line in lines)


def print_json_lines(lines: Iterable[str]) -> None:
    """Print lines of JSON to stdout."""
    _write_lines(map(printable_json, lines))


def print_json_pieces(pieces: Iterable[str]) -> None:
    """Print a text of JSON to stdout that comes in pieces, which hold its line ends."""
    for piece in pieces:
        sys.stdout.buffer.write(printable_json(piece).encode("utf-8", "backslashreplace"))


def write_bytes(pieces: Iterable[bytes]) -> None:
    """Write bytes to stdout."""
    sys.stdout.buffer.writelines(pieces)


def print_json(value: object) -> None:
    """Print a value as indented, strict JSON."""
    print_json_lines([json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)])


def print_error(line: Line) -> None:
    """Print a line to stderr; with tones on a terminal."""
    sys.stderr.write(f"{line_text(line, coloured=is_coloured(sys.stderr))}\n")


def _write_lines(lines: Iterable[str]) -> None:
    sys.stdout.buffer.writelines(line.encode("utf-8", "backslashreplace") + b"\n" for line in lines)


def number_as_json(value: float) -> float | str:
    """Return a number as a JSON value; one that is not finite as a string of its bits."""
    if math.isfinite(value):
        return value
    return "f64:" + struct.pack(">d", value).hex()


def text_as_json(value: object) -> object:
    """Return a value as a JSON value; bytes (text that is not UTF-8) as hex."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return value


def frame_times(snapshot: "Snapshot") -> Callable[[int], dict[str, object]]:
    """Return a function from a frame index to number (from 1), id and time of the frame, as JSON values.

    All are null behind the last frame.
    """
    ids = snapshot.frame_column("frame_id")
    elapsed = snapshot.elapsed

    def time_of(index: int) -> dict[str, object]:
        if index >= len(elapsed):
            return {"frame": None, "frame_id": None, "time": None}
        return {"frame": index + 1, "frame_id": int(ids[index]), "time": number_as_json(float(elapsed[index]))}

    return time_of


def frame_as_json(snapshot: "Snapshot", index: int | None) -> dict[str, int | None]:
    """Return number (from 1) and id of a frame as JSON values; both null if there is no such frame."""
    if index is None or not 0 <= index < len(snapshot):
        return {"frame": None, "frame_id": None}
    return {"frame": index + 1, "frame_id": snapshot.frame(index).frame_id}


def finding_as_json(snapshot: "Snapshot", finding: "Finding", *, fixable: bool) -> dict[str, object]:
    """Return a finding, as the guide documents it.

    Args:
        snapshot: The state in which it was found.
        finding: The finding.
        fixable: Whether an edit can fix it.
    """
    return {
        "code": finding.code,
        "severity": finding.severity,
        "offset": finding.offset,
        **frame_as_json(snapshot, finding.frame_index),
        "message": finding.message,
        "fixable": fixable,
    }
