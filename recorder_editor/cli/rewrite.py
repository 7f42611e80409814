"""A recording read and written again: the same bytes.

With --reencode every packet is decoded and encoded on the way. Example: recorder-editor rewrite a.log b.log
"""

from argparse import Namespace
from collections.abc import Iterator

from ..format import packet_bytes
from ..format.codec import encode
from ..recording import Packet, Recording
from .files import open_input, write_recording
from .output import progress_bar


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
    yield snapshot.header.encode() if snapshot.header is not None else snapshot.header_bytes
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
