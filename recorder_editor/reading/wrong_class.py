"""Records that name an actor of a class that they must not name, on which the simulator crashes.

Which classes a packet may name, and what the simulator does with others, are traits of the packet (`PacketType`). It
leaves out records of actors that do not exist, whatever their packet.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import Int32Array
from ..format import Dialect, PacketType
from ..progress import SILENT, Progress
from ..recording.snapshot import Snapshot
from .actors import Actors
from .lives import Life
from .tracks import Tracks


class WrongRecords(NamedTuple):
    """The records of one packet that name one life.

    Attributes:
        kind: The packet type.
        life: The life.
        frame_index: The first frame with such a record.
        number: The number of records.
    """

    kind: PacketType
    life: Life
    frame_index: int
    number: int


def crashing_kinds(dialect: Dialect) -> tuple[PacketType, ...]:
    """Return the packets of a dialect that crash the simulator by records of the wrong class."""
    return tuple(kind for kind in dialect.kinds() if kind.wrong_class == "crash")


def crashing_records(
    snapshot: Snapshot, progress: Progress = SILENT, *, ids: Collection[int] | None = None
) -> Iterator[WrongRecords]:
    """Find records on which the simulator crashes.

    Args:
        snapshot: The state of the recording.
        progress: Counts the packet types, and their frames.
        ids: The ids of actors; None for all.

    Yields:
        The records by packet and life.

    Raises:
        Cancelled: The user stopped it.
        OSError: The file cannot be read, as by `Store.read`.
    """
    for kind, part in progress.parts(crashing_kinds(snapshot.dialect)):
        yield from _of_kind(snapshot, kind, ids, part)


def _of_kind(
    snapshot: Snapshot, kind: PacketType, ids: Collection[int] | None, progress: Progress
) -> Iterator[WrongRecords]:
    tracks = Tracks(snapshot)
    if not tracks.count(kind.name):
        return
    actors = Actors.of(snapshot, progress.quiet())
    is_wrong = np.array([not kind.may_name(life.class_) for life in actors], np.bool_)
    if not is_wrong.any():
        return
    counts = np.zeros(len(actors), np.int64)
    first = np.full(len(actors), np.iinfo(np.int32).max, np.int32)
    for block in tracks.blocks(kind.name, ids, progress=progress):
        lives: Int32Array = actors.indices_of(block["id"], block["frame"])
        wrong = (lives >= 0) & is_wrong[lives]
        if wrong.any():
            counts += np.bincount(lives[wrong], minlength=len(counts))
            np.minimum.at(first, lives[wrong], block["frame"][wrong])
    for index in np.flatnonzero(counts).tolist():
        yield WrongRecords(kind, actors.lives[index], int(first[index]), int(counts[index]))
