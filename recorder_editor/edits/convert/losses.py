"""Losses and changes of a conversion: counts, and the first frame of each."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...arrays import IndexArray, IntArray
from ...format.dialects import Dialect

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
    """npt.NDArray[np.integer | np.bool_] by kind and packet."""

    _found: dict[tuple[Kind, str], tuple[int, int]] = field(default_factory=dict)

    def add(self, kind: Kind, name: str, counts: npt.NDArray[np.integer | np.bool_], frames: IntArray) -> None:
        """`counts[i]` of them in the frame of index `frames[i]`."""
        (rows,) = np.nonzero(counts)
        if len(rows):
            number, first = self._found.get((kind, name), (0, int(frames[rows[0]])))
            self._found[kind, name] = number + int(counts.sum(dtype=np.int64)), min(first, int(frames[rows[0]]))

    def losses(self, source: Dialect, target: Dialect, frames: int) -> tuple[Loss, ...]:
        """The counts as losses, then changes without loss; `frames` is the number of frames of the recording."""
        made = []
        for (kind, name), (count, first) in self._found.items():
            # Packets after the last frame are counted with it.
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
        self.tally.add(kind, name, counts, self.frames)

    def of(self, rows: IndexArray) -> "Notes":
        """The same for some of the frames."""
        return Notes(self.tally, self.frames[rows])


def counted(number: int, one: str, several: str | None = None) -> str:
    """`1 record`, `2,000 records`."""
    return f"1 {one}" if number == 1 else f"{number:,} {several or one + 's'}"


def _message(kind: Kind, name: str, count: int, source: Dialect, target: Dialect) -> str:
    packet = source.by_name(name)
    one = "record" if packet is not None and packet.body == "list" else "packet"
    left_out = "is left out" if count == 1 else "are left out"
    become = "becomes" if count == 1 else "become"
    match kind:
        case "packet":
            return f"{counted(count, one)} of {name} {left_out}: {target.name} has none."
        case "engine":
            return f"{counted(count, one)} of {name} {left_out}: Unreal 4 and 5 fill it differently."
        case "id":
            return f"{counted(count, 'packet')} of {name} {left_out}: {target.name} uses the id for something else."
        case "stiffness":
            return f"The stiffness of {counted(count, 'wheel')} is left out: {target.name} has no place for it."
        case "attribute-type":
            return f"{counted(count, 'attribute')} {become} text: {target.name} has no such type."
        case "actor-type":
            return f"{counted(count, 'actor')} {become} Other: {target.name} has no such type."
        case "beyond":
            return f"{counted(count, 'value')} of {name} {become} infinite: too large for 32 bits."
        case "unreadable":
            cannot = f"{counted(count, 'packet')} of {name} cannot be read whole"
            return f"{cannot}; what cannot be read stays as it is."
        case "rounded":
            are = "is" if count == 1 else "are"
            return f"{counted(count, 'value')} of {name} {are} rounded to 32 bits."
        case "filled":
            get = "gets" if count == 1 else "get"
            return f"{counted(count, 'wheel')} {get} the engine's own stiffness: {source.name} recorded none."


def is_lossy(losses: Iterable[Loss]) -> bool:
    """Whether any of them is a loss."""
    return any(loss.is_lossy for loss in losses)
