"""Findings about lives over many frames, one for each life: first frame, number of frames, worst value."""

from collections.abc import Iterator

import numpy as np

from ..arrays import FloatArray, Int32Array
from ..errors import EditError
from ..format.schema import PacketType
from ..recording.actors import Actors
from ..recording.findings import Finding
from ..recording.lives import Life
from ..recording.snapshot import Snapshot
from .rule import Rule, record_of


class LifeProblems:
    """Collects frames in which something is wrong with lives; `number` is that of all lives."""

    def __init__(self, number: int) -> None:
        self._first = np.full(number, np.iinfo(np.int32).max, np.int32)
        self._count = np.zeros(number, np.int64)
        self._worst = np.zeros(number)

    def add(self, lives: Int32Array, frames: Int32Array, values: FloatArray) -> None:
        """Add records by index of the life (-1: none); larger `values` are worse."""
        known = lives >= 0
        lives, frames, values = lives[known], frames[known], values[known]
        if len(lives):
            np.minimum.at(self._first, lives, frames)
            with np.errstate(invalid="ignore"):
                np.fmax.at(self._worst, lives, values)
            self._count += np.bincount(lives, minlength=len(self._count))

    def lives(self, actors: Actors) -> Iterator[tuple[Life, int, int, float]]:
        """(life, first frame, number of records, worst value), in the order of the EventAdds."""
        for index in np.flatnonzero(self._count).tolist():
            yield actors.lives[index], int(self._first[index]), int(self._count[index]), float(self._worst[index])


def frames_text(first: int, number: int) -> str:
    """Text for `number` frames from index `first`: `frame 5`, `frame 5 and 11 more`."""
    return f"frame {first + 1:,}" + (f" and {number - 1:,} more" if number > 1 else "")


def finding_of(snapshot: Snapshot, rule: Rule, life: Life, packet: str, frame: int, message: str) -> Finding:
    """A finding at the record of a life in a packet of a frame; at the FrameStart if there is none."""
    found = snapshot.frame(frame)
    for each in found.packets:
        record = each.decoded.find_actor(life.actor) if each.name == packet else None
        if record is not None:
            offset, size = each.record_span(record)
            return rule.finding(message, offset, frame, found.row, size)
    return rule.finding(message, found.offset, frame, found.row, 29)


def found_life(snapshot: Snapshot, finding: Finding) -> tuple[PacketType, Life]:
    """The packet type and the life of the record of a finding. Raises `EditError`."""
    kind, place, actor = record_of(snapshot, finding)
    life = Actors.of(snapshot).at(actor, snapshot.table.frame_of_row(place.row))
    if life is None:
        raise EditError("The data of this finding no longer exists.", offset=finding.offset)
    return kind, life
