"""Recordings joined into one that replays; the actors of later ones get new ids.

The level's own actors (spectator, traffic lights and signs, props) are the same ones in all.
Example: recorder-editor join a.log b.log c.log all.log
"""

from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

from ..edits import join, outcome
from ..texts import say
from .editing import outcome_text
from .files import WrongUsage, open_input, refuse_damaged
from .output import print_lines, progress_bar


def run(arguments: Namespace) -> None:
    """Write the joined recording."""
    files: list[Path] = arguments.files
    if len(files) < 2:
        raise WrongUsage(say("Name at least two recordings to join, and the one to write."))
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
            bar = progress_bar(f"Writing {arguments.out.name}")
            first.save(arguments.out, overwrite=arguments.overwrite, progress=bar)
