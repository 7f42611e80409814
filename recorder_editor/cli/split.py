"""The verb `split`: a recording in parts."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

from ..edits.trim import losses_before, part_of, parts_of_bytes, parts_of_frames, parts_of_seconds
from ..recording import Recording
from ..recording.existing import refuse_existing
from ..recording.save import save_copies
from ..texts import N_, Measure, say
from . import options
from .editing import print_losses
from .files import WrongUsage, may_replace, open_input, refuse_inputs
from .output import Exit, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
The parts are named as the recording, with a number. Example: recorder-editor split a.log parts --every 60"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_input(parser)
    parser.add_written("out", kind="folder", metavar="OUTDIR", help=say("the folder of the parts; created if missing"))
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--every", type=options.finite, metavar="S", help=say("seconds of a part"))
    size.add_argument("--frames", type=options.positive, metavar="N", help=say("frames of a part"))
    size.add_argument("--max-size", type=options.positive, metavar="BYTES", help=say("bytes that no part exceeds"))
    options.add_dry_run(parser)
    options.add_damaged(parser)
    options.add_dialect(parser)


def run(arguments: Namespace) -> Exit:
    """Write the parts, and name them on stdout."""
    if arguments.every is not None and arguments.every <= 0:
        raise WrongUsage(say("A part cannot last {every:g} s; the time is a number above 0.", every=arguments.every))
    with open_input(arguments.file, arguments.dialect, damaged=arguments.damaged) as recording:
        parts = _parts(recording, arguments)
        digits = max(3, len(str(len(parts))))
        names = []
        for number in range(1, len(parts) + 1):
            names.append(f"{arguments.file.stem}-{number:0{digits}}{arguments.file.suffix}")
        print_lines(write_parts(recording, arguments, names, parts))
        losses = losses_before(recording, parts)
        print_losses(arguments.file.name, losses)
    if losses:
        return Exit.LOSS
    return Exit.OK


def write_parts(
    recording: Recording, arguments: Namespace, names: Sequence[str], parts: Sequence[range]
) -> Iterator[str]:
    """Write parts of a recording to a folder, unless it is a dry run.

    Args:
        recording: The recording.
        arguments: The arguments of the verb.
        names: The names of the files.
        parts: The frames of each.

    Returns:
        An iterator over a line of text for each file; nothing is written before it is asked for the first one.

    Raises:
        WrongUsage: A file is an input.
        WouldReplace: A file exists and has to stay.
        OSError: A file cannot be written.
    """
    paths = [arguments.out / name for name in names]
    for path in paths:
        refuse_inputs(arguments, path)
    if not may_replace(arguments):
        refuse_existing(paths, is_recording=True)
    pairs = list(zip(names, parts, strict=True))
    if not arguments.dry_run:
        copies = ((name, part_of(recording, frames), progress_bar(f"Writing {name}")) for name, frames in pairs)
        save_copies(arguments.out, copies, overwrite=arguments.overwrite)
    elapsed = recording.snapshot.elapsed
    for name, frames in pairs:
        seconds = float(elapsed[frames.stop - 1]) - float(elapsed[frames.start])
        yield f"{arguments.out / name}: frames {frames.start + 1} to {frames.stop}, {Measure(seconds):.3f} s"


def _parts(recording: Recording, arguments: Namespace) -> list[range]:
    if arguments.every is not None:
        return parts_of_seconds(recording, arguments.every)
    if arguments.frames is not None:
        return parts_of_frames(recording, arguments.frames)
    return list(parts_of_bytes(recording, arguments.max_size))
