"""The verb `cut`: a recording without a range."""

from argparse import Namespace

from ..edits import cut
from ..reading.selectors import find_frames
from ..texts import N_, say
from . import options
from .editing import edit_file
from .files import WrongUsage
from .output import Exit, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Actors that come or go within the range do so at the seam.
Example: recorder-editor cut a.log b.log --from f100 --to f250"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_edited(parser)
    options.add_range(parser)
    options.add_rebase_clocks(parser)


def run(arguments: Namespace) -> Exit:
    """Write the rest."""
    if arguments.start is None and arguments.stop is None:
        raise WrongUsage(say("Say what to remove, with --from, --to or both."))
    with edit_file(arguments) as edited:
        recording = edited.recording
        frames = find_frames(recording.snapshot, arguments.start, arguments.stop)
        bar = progress_bar(f"Cutting {arguments.file.name}")
        edited.apply(cut(recording, frames, rebase_clocks=arguments.rebase_clocks, progress=bar))
    return edited.code
