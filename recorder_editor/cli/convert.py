"""A recording of one release as one of another: ids, types, header version, widths of vectors and wheels.

What cannot be carried is listed on stderr, and makes the exit code 3; values that are merely rounded to 32 bits are
listed, too, and do not. Blueprints get the names and uids of the dialect; one that it does not have is a loss, also if
another one stands in for it. The map stays as it is.
Example: recorder-editor convert a.log b.log --dialect ue4-0.9.15
"""

from argparse import Namespace
from typing import Any

from ..edits.convert import Conversion, Loss, convert
from ..format import Dialect
from ..recording import Recording
from .files import open_input
from .output import Exit, frame_as_json, print_error, print_json, progress_bar


def run(arguments: Namespace) -> Exit:
    """Write the converted recording."""
    with open_input(arguments.file, arguments.read_as, damaged=arguments.damaged) as recording:
        source = recording.dialect
        conversion = convert(
            recording,
            arguments.dialect,
            progress=progress_bar(f"Converting {arguments.file.name}"),
            keep_blueprints=arguments.keep_blueprints,
            substitutes=dict(arguments.substitute),
        )
        recording.apply(conversion.edit)
        bar = progress_bar(f"Writing {arguments.out.name}")
        recording.save(arguments.out, overwrite=arguments.overwrite, progress=bar)
        for line in conversion.remarks:
            print_error(f"{arguments.file.name}: {line}")
        if arguments.json:
            print_json(_report(arguments, source, recording, conversion))
    return Exit.LOSS if conversion.is_lossy else Exit.OK


def _report(arguments: Namespace, source: Dialect, recording: Recording, conversion: Conversion) -> dict[str, Any]:
    return {
        "file": str(arguments.file),
        "out": str(arguments.out),
        "from": source.name,
        "to": arguments.dialect,
        "lossless": not conversion.is_lossy,
        "losses": [_loss(recording, loss) for loss in conversion.losses],
        "warning": conversion.warning or None,
    }


def _loss(recording: Recording, loss: Loss) -> dict[str, Any]:
    return {
        "kind": loss.kind,
        "packet": loss.name,
        "count": loss.count,
        "blueprint": loss.blueprint or None,
        "becomes": loss.becomes or None,
        **frame_as_json(recording.snapshot, loss.frame_index),
        "lossy": loss.is_lossy,
        "message": loss.message,
    }
