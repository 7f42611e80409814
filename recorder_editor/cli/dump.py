"""The verb `dump`: every packet as a line of JSON."""

import re
from argparse import Namespace

from ..errors import PacketNameError
from ..format import Dialect, packets_named
from ..formats.dump import dump_pieces
from ..texts import N_, say
from . import options
from .files import WrongUsage, open_input
from .output import print_json_pieces
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Example: recorder-editor dump crash.log --frames 10:12 --packets Position"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recording(parser)
    parser.add_argument("--frames", metavar="A:B", help=say("only these frames, both ends included, counted from 1"))
    parser.add_argument("--packets", metavar="NAME,...", help=say("only these packets, by name or id (139)"))
    parser.add_argument("--bytes", action="store_true", help=say("add every body as hex"))


def run(arguments: Namespace) -> None:
    """Write the dump to stdout."""
    with open_input(arguments.file, arguments.dialect) as recording:
        frames = _frames(arguments.frames, len(recording))
        ids = _ids(arguments.packets, recording.dialect)
        print_json_pieces(dump_pieces(recording.snapshot, frames=frames, ids=ids, with_bytes=arguments.bytes))


def _frames(text: str | None, frames: int) -> range | None:
    """Return the indices of chosen frames of a recording with so many frames; None: all."""
    if text is None:
        return None
    match = re.fullmatch(r"#?(\d*)(:)?#?(\d*)", text.strip())
    if match is None or not text.strip(": #"):
        raise WrongUsage(say("“{text}” are not frames; write 10:12, 10: or 10.", text=text))
    first = int(match[1] or 1)
    if not match[2]:
        last = first
    elif match[3]:
        last = int(match[3])
    else:
        last = max(first, frames)
    if first < 1 or last < first:
        raise WrongUsage(say("“{text}” are not frames: they count from 1, the smaller number first.", text=text))
    if first > frames:
        raise WrongUsage(say("There is no frame {first:,}: the recording has {frames:,}.", first=first, frames=frames))
    return range(first - 1, min(last, frames))


def _ids(text: str | None, dialect: Dialect) -> frozenset[int] | None:
    """Return the ids of packets by names and numbers.

    Raises:
        WrongUsage: One is unknown, so that a typo does not look like an empty file.
    """
    if text is None:
        return None
    ids: set[int] = set()
    try:
        for name in text.split(","):
            ids.update(kind.id for kind in packets_named(dialect, name))
    except PacketNameError as error:
        raise WrongUsage(error.message) from None
    return frozenset(ids)
