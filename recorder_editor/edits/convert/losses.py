"""Losses and changes of a conversion: counts, and the first frame of each."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...arrays import IntArray
from ...format import Dialect
from ...sentences import say

Kind = Literal[
    "packet", "engine", "id", "stiffness", "attribute-type", "actor-type", "beyond", "unreadable", "rounded", "filled"
]
"""Kinds of losses: `packet` (the target has none of that name), `engine` (Unreal 4 and 5 fill it differently), `id`
(the target uses the id for another packet), `stiffness` (the target has no place for that of wheels), `attribute-type`
and `actor-type` (no such type), `beyond` (a double too large for a float), `unreadable` (a body that does not decode
whole); and without loss: `rounded` (doubles to the nearest float), `filled` (stiffness of wheels that was not
recorded)."""

_HARMLESS = frozenset(("rounded", "filled"))


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss or change of one kind in one packet.

    Attributes: `kind`, `name` (of the packet), `count`, `frame_index` (the first one; None if there are no frames),
    `message` (a sentence).
    """

    kind: Kind
    name: str
    count: int
    frame_index: int | None
    message: str

    @property
    def is_lossy(self) -> bool:
        """Whether something is lost; rounding to the nearest float and filling in are no loss."""
        return self.kind not in _HARMLESS


@dataclass
class Tally:
    """The number, and the first frame, of each kind in each packet."""

    found: dict[tuple[Kind, str], tuple[int, int]] = field(default_factory=dict)

    def losses(self, source: Dialect, target: Dialect, frames: int) -> tuple[Loss, ...]:
        """The counts as losses, then changes without loss; `frames` is the number of frames of the recording."""
        made = []
        for (kind, name), (count, first) in self.found.items():
            # Packets after the last frame are plural with it.
            index = min(first, frames - 1) if frames else None
            made.append(Loss(kind, name, count, index, _message(kind, name, count, source, target)))
        return tuple(sorted(made, key=lambda loss: (not loss.is_lossy, loss.frame_index or 0, loss.kind, loss.name)))


@dataclass(frozen=True)
class Notes:
    """A tally for some frames (their indices, int64[n])."""

    tally: Tally
    frames: IntArray

    def add(self, kind: Kind, name: str, counts: npt.NDArray[np.integer | np.bool_]) -> None:
        """`counts[i]` of them in the i-th of the frames."""
        (rows,) = np.nonzero(counts)
        if len(rows):
            here = int(self.frames[rows[0]])
            number, first = self.tally.found.get((kind, name), (0, here))
            self.tally.found[kind, name] = number + int(counts.sum(dtype=np.int64)), min(first, here)


def _message(kind: Kind, name: str, count: int, source: Dialect, target: Dialect) -> str:
    packet = source.by_name(name)
    of_records = kind in ("packet", "engine") and packet is not None and packet.body == "list"
    code = f"loss.{kind}-records" if of_records else f"loss.{kind}"
    return say(code, count=count, packet=name, source=source.name, target=target.name)


def is_lossy(losses: Iterable[Loss]) -> bool:
    """Whether any of them is a loss."""
    return any(loss.is_lossy for loss in losses)
