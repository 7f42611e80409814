"""Recordings joined into one that replays; the actors of later ones get new ids.

The level's own actors (spectator, traffic lights and signs, props) are the same ones in all.
Example: recorder-editor join a.log b.log c.log all.log
"""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path

from ..edits import join, outcome
from .editing import outcome_text
from .files import WrongUsage, open_input, refuse_damaged, refuse_same
from .options import add_damaged, add_dialect, add_dry_run, add_output, finite
from .output import print_lines, progress_bar


def add_arguments(parser: ArgumentParser) -> None:
    """IN..., OUT, --gap, --match-actors, --dry-run."""
    parser.add_argument("files", type=Path, nargs="+", metavar="IN", help="two recordings or more, in their order")
    add_output(parser)
    parser.add_argument(
        "--gap", type=finite, metavar="S", help="seconds between recordings (default: the last duration before)"
    )
    parser.add_argument(
        "--match-actors",
        action="store_true",
        help="an actor with the id and blueprint of one alive at the seam is the same one, as in parts of a split",
    )
    add_dry_run(parser)
    add_damaged(parser)
    add_dialect(parser)


def run(arguments: Namespace) -> None:
    """Write the joined recording."""
    files: list[Path] = arguments.files
    if len(files) < 2:
        raise WrongUsage("Name at least two recordings to join, and the one to write.")
    for file in files:
        refuse_same(file, arguments.out)
    with ExitStack() as stack:
        recordings = [stack.enter_context(open_input(file, arguments.dialect)) for file in files]
        for recording in recordings:
            refuse_damaged(recording, arguments.damaged)
        first, *others = recordings
        bar = progress_bar("Joining")
        first.apply(join(first, others, gap=arguments.gap, match_actors=arguments.match_actors, progress=bar))
        if arguments.dry_run:
            print_lines([outcome_text(outcome(first))])
        else:
            first.save(arguments.out, progress=progress_bar(f"Writing {arguments.out.name}"))
