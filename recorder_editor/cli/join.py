"""The verb `join`: recordings joined into one."""

from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

from ..edits import join, outcome
from ..texts import N_, say
from . import options
from .editing import outcome_text
from .files import WrongUsage, open_input, refuse_damaged
from .output import print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
The level's own actors (spectator, traffic lights and signs, props) are the same ones in all.
Example: recorder-editor join a.log b.log c.log all.log"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("files", type=Path, nargs="+", metavar="IN", help=say("two recordings or more, in their order"))
    options.add_output(parser)
    parser.add_argument(
        "--gap",
        type=options.finite,
        metavar="S",
        help=say("seconds between recordings (default: the last duration before)"),
    )
    parser.add_argument(
        "--match-actors",
        action="store_true",
        help=say("an actor with the id and blueprint of one alive at the seam is the same one, as in parts of a split"),
    )
    options.add_dry_run(parser)
    options.add_damaged(parser)
    options.add_dialect(parser)


def run(arguments: Namespace) -> None:
    """Write the joined recording."""
    files: list[Path] = arguments.files
    if len(files) < 2:
        raise WrongUsage(say("Name at least two recordings to join, and the one to write."))
    with ExitStack() as stack:
        recordings = []
        for file in files:
            recordings.append(stack.enter_context(open_input(file, arguments.dialect)))
        for recording in recordings:
            refuse_damaged(recording, arguments.damaged)
        first, *others = recordings
        bar = progress_bar("Joining")
        first.apply(join(first, others, gap=arguments.gap, match_actors=arguments.match_actors, progress=bar))
        if arguments.dry_run:
            print_lines([outcome_text(outcome(first))])
        else:
            bar = progress_bar(f"Writing {arguments.out.name}")
            first.save(arguments.out, overwrite=arguments.overwrite, progress=bar)
