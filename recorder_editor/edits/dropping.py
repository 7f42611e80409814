"""Removal of whole packets from all frames: of additional data, or of packets that are named.

Recorders write each packet on its own, so a recording without those of additional data is, byte for byte, what the
recorder writes without that switch (format reference 3.2 and 3.4).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..errors import EditError, NothingToDo, PacketNameError
from ..format import PACKET_HEADER, Dialect, packets_named
from ..progress import SILENT, Progress
from ..recording import START_SIZE, Edit, FrameBlock, Intent, RecordingLike
from ..texts import listed, say
from .block_rewrite import Piece, RewrittenFrames, join_pieces, rewrite_blocks
from .wrong_class import refuse_crash


def drop_packets(
    recording: RecordingLike, packets: Sequence[str | int] | None = None, *, progress: Progress = SILENT
) -> Edit:
    """Return the edit that removes packets from all frames; bytes outside of frames stay.

    Args:
        recording: The recording, which is not changed.
        packets: Names or ids of the packets; None: those of additional data.
        progress: Reports progress and cancels.

    Raises:
        EditError: There is no such packet, a packet holds frames together, or the simulator would crash on a record
            that is left.
        NothingToDo: No frame holds such a packet.
        Cancelled: The user cancelled it.
    """
    snapshot = recording.snapshot
    dialect = snapshot.dialect
    if packets is None:
        ids = {kind.id for kind in dialect.kinds() if kind.additional}
        label = say("Drop additional data")
        arguments: dict[str, object] = {}
    else:
        ids = _ids_of(dialect, packets)
        label = say("Drop {names}", names=listed(_names_of(dialect, ids)))
        arguments = {"packets": list(packets)}
    splices = rewrite_blocks(snapshot, range(len(snapshot)), _Dropping(ids).frames, progress)
    if not splices:
        raise NothingToDo(_reason(dialect, ids, is_additional=packets is None))
    edit = Edit(label, snapshot.version, splices, intent=Intent("drop_packets", arguments))
    return refuse_crash(snapshot, edit, [dialect.packet(number) for number in ids])


def _ids_of(dialect: Dialect, packets: Sequence[str | int]) -> set[int]:
    """Return the ids of packets by names and ids. Raises `EditError`."""
    ids: set[int] = set()
    for packet in packets:
        try:
            kinds = packets_named(dialect, str(packet))
        except PacketNameError as error:
            raise EditError(error.message) from None
        for kind in kinds:
            if kind.lifetime == "structural":
                raise EditError(say("{name} holds the frame together; it cannot be dropped.", name=kind.name))
            ids.add(kind.id)
    return ids


def _names_of(dialect: Dialect, ids: set[int]) -> list[str]:
    """Return the names of packets by id, each once."""
    return list(dict.fromkeys(dialect.packet(number).name for number in sorted(ids)))


def _reason(dialect: Dialect, ids: set[int], *, is_additional: bool) -> str:
    """Return why nothing is dropped."""
    if is_additional:
        return say("The recording has no additional data.")
    return say("The recording has no packets of {names}.", names=listed(_names_of(dialect, ids)))


class _Dropping:
    """Removes packets from frames.

    Attributes:
        ids: The ids of the packets.
    """

    def __init__(self, ids: set[int]) -> None:
        self.ids = ids

    def frames(self, block: FrameBlock) -> Iterator[RewrittenFrames]:
        """Yield the frames of a block without the packets; none if it has none of them."""
        if not self.ids.intersection(block.layout.ids.tolist()):
            return
        pieces: list[Piece] = [slice(0, START_SIZE)]
        headers: list[bytes] = []
        for number, offset, size in block.layout.packets():
            if number not in self.ids:
                start = START_SIZE + offset
                pieces.append(slice(start, start + PACKET_HEADER.size + size))
                headers.append(PACKET_HEADER.pack(number, size))
        yield RewrittenFrames(
            rows=np.arange(len(block)), data=join_pieces(block.data, pieces), headers=b"".join(headers)
        )
