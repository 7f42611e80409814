"""A range of a recording as a recording of its own, which replays as that range did.

Its first frame holds the whole state: actors, attachments, lights, doors, weather.
Example: recorder-editor trim a.log b.log --from 5 --to 12.5
"""

from argparse import Namespace

from ..edits import trim
from ..reading.selectors import find_frames
from .editing import edit_file
from .output import Exit, progress_bar


def run(arguments: Namespace) -> Exit:
    """Write the range."""
    with edit_file(arguments) as edited:
        recording = edited.recording
        frames = find_frames(recording.snapshot, arguments.start, arguments.stop)
        if len(frames) < len(recording):  # all frames: the copy is the recording
            bar = progress_bar(f"Trimming {arguments.file.name}")
            edited.apply(trim(recording, frames, rebase_clocks=arguments.rebase_clocks, progress=bar))
    return edited.code
