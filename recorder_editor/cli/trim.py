"""The verb `trim`: a range of a recording as a recording of its own."""

from argparse import Namespace

from ..edits import trim
from ..reading.selectors import find_frames
from ..texts import N_
from . import options
from .editing import edit_file
from .output import Exit, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Its first frame holds the whole state: actors, attachments, lights, doors, weather.
Example: recorder-editor trim a.log b.log --from 5 --to 12.5"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_edited(parser)
    options.add_range(parser)
    options.add_rebase_clocks(parser)
    options.add_many(parser)
    options.add_outcomes(parser)


def run(arguments: Namespace) -> Exit:
    """Write the range."""
    with edit_file(arguments) as edited:
        recording = edited.recording
        frames = find_frames(recording.snapshot, arguments.start, arguments.stop)
        if len(frames) < len(recording):  # all frames: the copy is the recording
            bar = progress_bar(f"Trimming {arguments.file.name}")
            edited.apply(trim(recording, frames, rebase_clocks=arguments.rebase_clocks, progress=bar))
    return edited.code
