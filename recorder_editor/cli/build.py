"""A recording from the lines of a dump.

Example: recorder-editor dump a.log | recorder-editor build - b.log
"""

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from ..formats.dump import build_bytes
from .files import Unreadable, write_recording
from .output import write_bytes


def run(arguments: Namespace) -> None:
    """Build the recording; OUT is written atomically, once every line was parsed."""
    if str(arguments.lines) == "-":
        _build(sys.stdin.buffer, arguments.out, arguments.overwrite)
        return
    try:
        lines = arguments.lines.open("rb")
    except OSError as error:
        raise Unreadable(f"{arguments.lines}: {error.strerror}.") from None
    with lines:
        _build(lines, arguments.out, arguments.overwrite)


def _build(lines: Iterable[bytes], out: Path, overwrite: bool) -> None:
    pieces = build_bytes(lines)
    if str(out) == "-":
        write_bytes(pieces)
    else:
        write_recording(out, pieces, overwrite=overwrite)
