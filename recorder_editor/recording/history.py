"""What was done, and how it is taken back.

An edit is an intent (what a person wanted, in terms that another recording understands) and an effect (rows replaced
by rows). The inverse is computed from the table the edit was applied to, never written by hand.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, TypeVar

from ..format.dialects import Detection
from ..format.header import FileHeader
from .frames import FrameTable

MOST_BYTES = 256 << 20
"""Memory that all steps together may hold; beyond it the oldest steps are forgotten."""

MOST_STEPS = 10_000

_FEW = 8
_COUNTED_EVERY, _LARGE = 64, 256 << 10  # steps between two counts of what is held; a larger step is counted at once
_TABLE = 2048  # what Python and numpy spend on a splice, beside the rows

T = TypeVar("T")

SEVERAL = "several"
"""The operation of an intent that holds others."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What was wanted: the name of an operation of `recorder_editor.edits` and its JSON arguments.

    A step that several edits made one after another has the operation `SEVERAL`, and their intents as `parts`.
    """

    operation: str
    arguments: Mapping[str, Any]

    @property
    def parts(self) -> "tuple[Intent, ...]":
        """What was wanted, one by one."""
        return tuple(self.arguments["intents"]) if self.operation == SEVERAL else (self,)


@dataclass(frozen=True, slots=True)
class Splice:
    """`removed` rows from row `at` on give way to those of `inserted`. Splices of one edit apply one after another."""

    at: int
    removed: int
    inserted: FrameTable


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that can be applied to the version it was made for.

    Attributes: `label` (as History shows it), `version` (of the snapshot it was made for), `splices`, `header` (a new
    file header, or None), `intent` (None: only for this file), `detection` (the dialect that the new bytes are to be
    read in; None: as before).
    """

    label: str
    version: int
    splices: tuple[Splice, ...]
    header: FileHeader | None = None
    intent: Intent | None = None
    detection: Detection | None = None


def detached(splices: Sequence[Splice]) -> tuple[Splice, ...]:
    """The same splices, whose rows keep no much larger table in memory."""
    return tuple(replace(splice, inserted=splice.inserted.detached()) for splice in splices)


def spliced(table: FrameTable, splices: Sequence[Splice]) -> tuple[FrameTable, tuple[Splice, ...]]:
    """The table after the splices, and those that lead back."""
    backward: list[Splice] = []
    for group, rises in _groups(splices):
        many = len(group) > _FEW
        table, taken = _spliced_at_once(table, group, rises=rises) if many else _spliced_in_turn(table, group)
        backward += taken
    return table, tuple(reversed(backward))


def _groups(splices: Sequence[Splice]) -> Iterator[tuple[Sequence[Splice], bool]]:
    """The splices in runs that only go up (true) or only go down, and do not overlap one another."""
    first = 0
    while first < len(splices):
        up = down = first + 1
        while down < len(splices) and splices[down].at + splices[down].removed <= splices[down - 1].at:
            down += 1
        while up < len(splices) and splices[up - 1].at + len(splices[up - 1].inserted) <= splices[up].at:
            up += 1
        yield splices[first : max(up, down)], up > down
        first = max(up, down)


def _spliced_in_turn(table: FrameTable, splices: Sequence[Splice]) -> tuple[FrameTable, list[Splice]]:
    backward: list[Splice] = []
    for splice in splices:
        taken = table.slice(splice.at, splice.at + splice.removed).detached()
        table = table.splice(splice.at, splice.removed, splice.inserted)
        backward.append(Splice(splice.at, len(splice.inserted), taken))
    return table, backward


def _spliced_at_once(table: FrameTable, splices: Sequence[Splice], *, rises: bool) -> tuple[FrameTable, list[Splice]]:
    """The same for a run of splices; where each of them begins is counted in the table before all of them."""
    places = [splice.at for splice in splices]
    if rises:
        grown = accumulate((len(splice.inserted) - splice.removed for splice in splices), initial=0)
        places = [at - by for at, by in zip(places, grown, strict=False)]
    parts = [(at, splice.removed, splice.inserted) for at, splice in zip(places, splices, strict=True)]
    after = table.splice_at_once(parts if rises else reversed(parts))
    return after, [
        Splice(splice.at, len(splice.inserted), table.slice(at, at + splice.removed).detached())
        for at, splice in zip(places, splices, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Step:
    """An edit that was applied, in both directions. `number` never returns, so that views can tell steps apart."""

    number: int
    label: str
    intent: Intent | None
    forward: tuple[Splice, ...]
    backward: tuple[Splice, ...]
    headers: tuple[FileHeader | None, FileHeader | None] | None = None
    gesture: str | None = None
    detections: tuple[Detection, Detection] | None = None

    @property
    def tables(self) -> Iterator[FrameTable]:
        """The rows that undoing and redoing the step needs."""
        return (splice.inserted for splice in (*self.forward, *self.backward))


def held_by(steps: Iterable[Step]) -> Iterator[int]:
    """The bytes in memory that steps keep, those up to each of them together; what several share counts once."""
    seen: set[int] = set()
    held = 0
    for step in steps:
        for table in step.tables:
            held += _TABLE
            for array in table.arrays:
                if id(array) not in seen:
                    seen.add(id(array))
                    held += array.nbytes
        yield held


@dataclass
class History:
    """The steps, and where in them the recording stands.

    Attributes: `steps` (oldest first), `position` (how many of them are applied), `forgotten` (steps dropped to keep
    memory bounded: undo ends there).
    """

    steps: list[Step] = field(default_factory=list)
    position: int = 0
    forgotten: int = 0
    _clean: int | None = 0
    _next_number: int = 1

    @property
    def is_clean(self) -> bool:
        """The recording is as it was opened or last saved."""
        return self._clean == self.position

    @property
    def clean_position(self) -> int | None:
        """The position that equals the saved file, or None where no undo or redo leads there."""
        return self._clean

    def mark_clean(self) -> None:
        """The present state is what the file holds; a later step of the same gesture starts a new one."""
        self._clean = self.position

    def add(self, step: Step) -> list[Step]:
        """Append an applied step, or join it to those of its running gesture.

        Returns the steps that are gone by that: those that were undone, the oldest of too many, the joined one.
        """
        gone = self.steps[self.position :]
        del self.steps[self.position :]
        if self._clean is not None and self._clean > self.position:
            self._clean = None
        last = self.steps[-1] if self.steps else None
        if last is not None and step.gesture and last.gesture == step.gesture and self._clean != self.position:
            self.steps[-1] = _joined(last, step)
            gone.append(last)
        else:
            self.steps.append(step)
            self.position += 1
        return gone + self._forget()

    def insert_step(self, step: Step, *, made_again: bool) -> None:
        """Put in a step from before the oldest one, which was just taken back or made again."""
        self.steps.insert(self.position, step)
        if made_again:
            self.position += 1
        elif self._clean is not None:
            self._clean += 1

    def next_number(self) -> int:
        """A number for a new step."""
        self._next_number += 1
        return self._next_number - 1

    def _forget(self) -> list[Step]:
        last, most = self.steps[-1], MOST_STEPS
        if last.number % _COUNTED_EVERY == 0 or next(held_by([last])) > _LARGE:
            most = min(most, sum(held <= MOST_BYTES for held in held_by(reversed(self.steps))))
        gone = self.steps[: -max(most, 1)]
        del self.steps[: len(gone)]
        self.position -= len(gone)
        self.forgotten += len(gone)
        if self._clean is not None:
            self._clean = self._clean - len(gone) if self._clean >= len(gone) else None
        return gone


def _joined(first: Step, second: Step) -> Step:
    forward, backward = first.forward + second.forward, second.backward + first.backward
    if _replaced(first.forward) and _replaced(first.forward) == _replaced(second.forward):
        # A drag replaces the same rows again and again; what they were in between is never shown any more.
        forward, backward = second.forward, first.backward
    intent = together([first.intent, second.intent])
    headers = _outer(first.headers, second.headers)
    detections = _outer(first.detections, second.detections)
    return Step(first.number, second.label, intent, forward, backward, headers, first.gesture, detections)


def _outer(first: tuple[T, T] | None, second: tuple[T, T] | None) -> tuple[T, T] | None:
    """What was before the first of two changes, and is after the second one."""
    return (first[0], second[1]) if first is not None and second is not None else second or first


def together(intents: Sequence[Intent | None]) -> Intent | None:
    """Several intents, one after another; None where another recording would not understand one of them."""
    known = [intent for intent in intents if intent is not None]
    if len(known) < len(intents):
        return None
    return Intent(SEVERAL, {"intents": tuple(part for intent in known for part in intent.parts)})


def _replaced(splices: tuple[Splice, ...]) -> tuple[tuple[int, int], ...] | None:
    """The rows (first, number) that splices replace one for one, or None where they move others."""
    if any(splice.removed != len(splice.inserted) for splice in splices):
        return None
    return tuple((splice.at, splice.removed) for splice in splices)
