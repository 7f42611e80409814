"""A recording without a range, the gap closed.

Actors that come or go within the range do so at the seam.
Example: recorder-editor cut a.log b.log --from '#100' --to '#250'
"""

from argparse import Namespace

from ..edits import cut
from ..reading.selectors import find_frames
from ..texts import say
from .editing import edit_file
from .files import WrongUsage
from .output import Exit, progress_bar


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
