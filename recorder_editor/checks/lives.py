"""What is found about lives over many frames, told once for each: the first frame, how many, and the worst value."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..edits.place import packet_of
from ..errors import EditError
from ..format.schema import PacketType
from ..recording.actors import Actors
from ..recording.findings import Finding
from ..recording.lives import Life
from ..recording.snapshot import Snapshot
from .rule import Rule, place_of

Integers = npt.NDArray[np.int32]
Reals = npt.NDArray[np.float64]


@dataclass
class Seen:
    """Frames in which something is wrong with lives, of which there are `number`."""

    number: int
    _first: Integers = field(init=False)
    _count: npt.NDArray[np.int64] = field(init=False)
    _worst: Reals = field(init=False)

    def __post_init__(self) -> None:
        self._first = np.full(self.number, np.iinfo(np.int32).max, np.int32)
        self._count = np.zeros(self.number, np.int64)
        self._worst = np.zeros(self.number)

    def add(self, lives: Integers, frames: Integers, values: Reals) -> None:
        """Take in records, by index of the life (-1 is nobody); `values` are the worse the larger they are."""
        known = lives >= 0
        lives, frames, values = lives[known], frames[known], values[known]
        if len(lives):
            np.minimum.at(self._first, lives, frames)
            with np.errstate(invalid="ignore"):
                np.fmax.at(self._worst, lives, values)
            self._count += np.bincount(lives, minlength=self.number)

    def lives(self, actors: Actors) -> Iterator[tuple[Life, int, int, float]]:
        """(life, first frame, number of records, worst value), in order of birth."""
        for index in np.flatnonzero(self._count).tolist():
            yield actors.lives[index], int(self._first[index]), int(self._count[index]), float(self._worst[index])


def of_life(snapshot: Snapshot, rule: Rule, life: Life, packet: str, frame: int, message: str) -> Finding:
    """A finding about a life at its record in a packet of a frame."""
    found = snapshot.frame(frame)
    for each in found.packets:
        record = each.decoded.find_actor(life.actor) if each.name == packet else None
        if record is not None:
            start, stop = each.decoded.span(record)
            return rule.found(message, each.offset + 5 + start, frame, found.row, stop - start)
    return rule.found(message, found.offset, frame, found.row, 29)


def life_told(snapshot: Snapshot, finding: Finding) -> tuple[PacketType, Life]:
    """The packet kind and the life of the record that a finding begins with. Raises `EditError`."""
    where = place_of(snapshot, finding)
    _, packet = packet_of(snapshot, where)
    frame = snapshot.table.frame_of_row(where.row)
    life = None
    if where.record is not None and packet.type.actor_field is not None:
        start = packet.decoded.span(where.record)[0]
        life = Actors.of(snapshot).at(int.from_bytes(packet.body[start : start + 4], "little"), frame)
    if life is None:
        raise EditError("What was found is not there any more.", offset=finding.offset)
    return packet.type, life
