"""The verb `build`: a recording made of the lines of a dump."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from ..formats.dump import build_bytes
from ..texts import N_, say
from .files import Unreadable, write_recording
from .output import write_bytes
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Example: recorder-editor dump a.log | recorder-editor build - b.log"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("lines", type=Path, metavar="IN.jsonl", help=say("a dump; - reads stdin"))
    parser.add_written("out", kind="recording", metavar="OUT", help=say("the recording to write; - writes stdout"))


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
