"""The verb `build`: a recording made of the lines of a dump."""

from argparse import Namespace
from pathlib import Path

from ..errors import reason_of
from ..formats.dump import build_bytes
from ..texts import N_, say
from .files import Unreadable, write_recording
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Example: recorder-editor dump a.log | recorder-editor build - b.log"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("lines", type=Path, metavar="IN.jsonl", help=say("a dump"))
    parser.add_written("out", kind="recording", metavar="OUT", help=say("the recording to write"))


def run(arguments: Namespace) -> None:
    """Build the recording; OUT is written atomically, once every line was parsed."""
    try:
        lines = arguments.lines.open("rb")
    except OSError as error:
        raise Unreadable(say("{file}: {reason}.", file=arguments.lines, reason=reason_of(error))) from None
    with lines:
        write_recording(arguments.out, build_bytes(lines), overwrite=arguments.overwrite)
