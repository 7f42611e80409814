"""The verb `rewrite`: a recording read and written again."""

from argparse import Namespace
from collections.abc import Iterator

from ..format import packet_bytes
from ..format.codec import encode
from ..recording import Packet, Recording
from ..texts import N_, say
from . import options
from .files import open_input, write_recording
from .output import progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
With --reencode every packet is decoded and encoded on the way. Example: recorder-editor rewrite a.log b.log"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_input(parser, help=say("a recording, damaged or not"))
    options.add_output(parser, help=say("the copy"))
    parser.add_argument("--reencode", action="store_true", help=say("decode and encode every packet"))
    options.add_dialect(parser)


def run(arguments: Namespace) -> None:
    """Write the copy."""
    with open_input(arguments.file, arguments.dialect) as recording:
        if not arguments.reencode:
            bar = progress_bar(f"Writing {arguments.out.name}")
            recording.save(arguments.out, overwrite=arguments.overwrite, progress=bar)
            return
        write_recording(arguments.out, _reencoded(recording), overwrite=arguments.overwrite)


def _reencoded(recording: Recording) -> Iterator[bytes]:
    snapshot = recording.snapshot
    if snapshot.header is not None:
        yield snapshot.header.encode()
    else:
        yield snapshot.header_bytes
    for number in range(snapshot.rows):
        row = snapshot.row(number)
        end = row.offset
        for packet in row.packets:
            yield packet_bytes(packet.id, _body(packet))
            end = packet.offset + 5 + packet.size
        yield from snapshot.pieces(end, row.offset + row.size)


def _body(packet: Packet) -> bytes:
    kind = packet.type
    decoded = packet.decoded
    if kind.body in ("opaque", "empty") or decoded.damage is not None:
        return packet.body
    return encode(kind, decoded)
