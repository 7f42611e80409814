"""The verb `segments`: each segment of a list as a recording of its own."""

from argparse import Namespace
from pathlib import Path

from ..edits import outcome
from ..edits.segments import PATTERN, chosen_segments, file_names, read_segments
from ..edits.trim import losses_before, part_of
from ..errors import EditError
from ..texts import N_, say
from . import options
from .editing import outcome_as_json, print_losses
from .files import Unreadable, open_input, read_input
from .output import Exit, print_json, print_lines
from .parsing import VerbParser
from .split import write_parts

DESCRIPTION = N_(
    """\
The list is CSV (start, end, name), or JSON as the window saves it; segments that are off there are left out.
Example: recorder-editor segments a.log --segments segments.csv parts"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_input(parser)
    parser.add_argument(
        "--segments", type=Path, required=True, metavar="S", help=say("the segments: CSV (start, end, name) or JSON")
    )
    parser.add_written("out", kind="folder", metavar="OUTDIR", help=say("the folder of the files; created if missing"))
    parser.add_argument(
        "--names",
        metavar="PATTERN",
        help=say(
            "names of the files, of {{name}}, {{index}} and {{segment}} (default {file_names})", file_names=PATTERN
        ),
    )
    options.add_json(parser, help=say("what was written as JSON, on stdout"))
    options.add_dry_run(parser)
    options.add_damaged(parser)
    options.add_dialect(parser)


def run(arguments: Namespace) -> Exit:
    """Write the files, and name them on stdout."""
    with open_input(arguments.file, arguments.dialect, damaged=arguments.damaged) as recording:
        try:
            segments = chosen_segments(read_segments(recording.snapshot, read_input(arguments.segments)))
        except EditError as error:
            raise Unreadable(say("{file}: {reason}", file=arguments.segments, reason=error)) from None
        names = file_names(segments, arguments.file, arguments.names or PATTERN)
        parts = [segment.frames for segment in segments]
        lines = list(write_parts(recording, arguments, names, parts))
        losses = losses_before(recording, parts)
        print_losses(arguments.file.name, losses)
        code = Exit.LOSS if losses else Exit.OK
        if not arguments.json:
            print_lines(lines)
            return code
        files = []
        for segment, name in zip(segments, names, strict=True):
            out = str(arguments.out / name)
            file = {"name": segment.name, "from": segment.start + 1, "to": segment.stop, "out": out}
            files.append(file | outcome_as_json(outcome(part_of(recording, segment.frames))))
        remarks = [loss.message for loss in losses]
        print_json({"file": str(arguments.file), "segments": files, "remarks": remarks, "lossless": not losses})
    return code
