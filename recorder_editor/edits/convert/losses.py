"""What a conversion cannot carry over, and what it has to change on the way: counted, with the first frame.

Knows no bytes: whoever converts says what happened to how many records of which frames.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...format.dialects import Dialect

Kind = Literal[
    "packet", "engine", "id", "stiffness", "attribute-type", "actor-type", "beyond", "unreadable", "rounded", "filled"
]
"""What happened: `packet` (the target has none of that name), `engine` (Unreal 4 and 5 fill it differently), `id` (the
target has another packet there), `stiffness` (of wheels, no place for it), `attribute-type` and `actor-type` (no
such type), `beyond` (a double too large for a float), `unreadable` (a body that does not decode whole); and without
loss: `rounded` (doubles to the nearest float), `filled` (stiffness of wheels that nobody recorded)."""

_HARMLESS = frozenset(("rounded", "filled"))
Counts = npt.NDArray[np.integer | np.bool_]
Frames = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Loss:
    """One kind of thing that does not come through as it was.

    Attributes: `kind`, `name` (of the packet), `count` (of what the message counts), `frame_index` (the first one, None
    where the recording has no frames), `message` (a sentence), `is_lossy` (something is gone for good; doubles that are
    rounded to the nearest float are not, nor are values that were filled in).
    """

    kind: Kind
    name: str
    count: int
    frame_index: int | None
    message: str

    @property
    def is_lossy(self) -> bool:
        """Something is gone for good."""
        return self.kind not in _HARMLESS


@dataclass
class Tally:
    """Counts what happens, by kind and packet."""

    _found: dict[tuple[Kind, str], tuple[int, int]] = field(default_factory=dict)

    def add(self, kind: Kind, name: str, counts: Counts, frames: Frames) -> None:
        """`counts[i]` of them in the frame of index `frames[i]`."""
        (rows,) = np.nonzero(counts)
        if len(rows):
            number, first = self._found.get((kind, name), (0, int(frames[rows[0]])))
            self._found[kind, name] = number + int(counts.sum(dtype=np.int64)), min(first, int(frames[rows[0]]))

    def losses(self, source: Dialect, target: Dialect, frames: int) -> tuple[Loss, ...]:
        """What was counted, losses first; `frames` is how many the recording has."""
        made = []
        for (kind, name), (count, first) in self._found.items():
            # What stands behind the last frame is told with it.
            index = min(first, frames - 1) if frames else None
            made.append(Loss(kind, name, count, index, _message(kind, name, count, source, target)))
        return tuple(sorted(made, key=lambda loss: (not loss.is_lossy, loss.frame_index or 0, loss.kind, loss.name)))


@dataclass(frozen=True)
class Notes:
    """A tally for some frames (their indices, int64[n])."""

    tally: Tally
    frames: Frames

    def add(self, kind: Kind, name: str, counts: Counts) -> None:
        """`counts[i]` of them in the i-th of the frames."""
        self.tally.add(kind, name, counts, self.frames)

    def of(self, rows: npt.NDArray[np.intp]) -> "Notes":
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
    """Something is gone for good."""
    return any(loss.is_lossy for loss in losses)
