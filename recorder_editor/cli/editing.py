"""What verbs share that change one recording and write another: their arguments, and the way from IN to OUT."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..edits import outcome
from ..recording.choice import ChoiceError
from ..recording.history import Edit
from ..recording.recording import Recording
from .files import WrongUsage, add_damaged, add_dialect, opened, progress, refuse_damaged, refuse_same, say


def add_files(parser: ArgumentParser) -> None:
    """IN, OUT, --dry-run, --damaged, --dialect."""
    parser.add_argument("file", type=Path, metavar="IN", help="a recording")
    parser.add_argument("out", type=Path, metavar="OUT", help="the recording to write")
    parser.add_argument("--dry-run", action="store_true", help="say what would be written, and write nothing")
    add_damaged(parser)
    add_dialect(parser)


def add_range(parser: ArgumentParser) -> None:
    """--from, --to."""
    parser.add_argument("--from", dest="start", metavar="X", help="from here on: seconds (12.5) or a frame (#250)")
    parser.add_argument("--to", dest="stop", metavar="X", help="up to here, which is left out")


def add_clocks(parser: ArgumentParser) -> None:
    """--rebase-clocks."""
    parser.add_argument(
        "--rebase-clocks", action="store_true", help="let wall clock and visual time go on without a gap, too"
    )


@contextmanager
def edited(arguments: Namespace) -> Iterator[tuple[Recording, Callable[[Edit], object]]]:
    """IN, open, and what applies an edit to it; OUT is written when the block ends well, or told of with --dry-run.

    A damaged IN is refused without --damaged.
    """
    refuse_same(arguments.file, arguments.out)
    with opened(arguments.file, arguments.dialect) as recording:
        refuse_damaged(recording, arguments.damaged)
        try:
            yield recording, recording.apply
        except ChoiceError as error:
            raise WrongUsage(error.message) from None
        if arguments.dry_run:
            say([outcome_line(recording)])
        else:
            recording.save(arguments.out, progress=progress(f"Writing {arguments.out.name}"))


def outcome_line(recording: Recording) -> str:
    """What would be written."""
    found = outcome(recording)
    return f"{found.frames:,} frames, {found.seconds:.3f} s, {found.actors:,} actors, {found.size:,} bytes"
