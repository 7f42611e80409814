"""Edits, and the undo history.

An edit is an intent (an operation and its arguments, which can be applied to other recordings) and an effect (rows
replaced by rows). The inverse is computed from the table to which the edit is applied.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from ..format import Detection, FileHeader
from ..texts import listed, say, say_count
from .frames import FrameTable

MAX_BYTES = 256 << 20
"""Bytes of memory that all steps may use if no other number is set; above it the oldest steps are dropped."""

MAX_STEPS = 10_000

_MEASURED_EVERY, _LARGE = 64, 256 << 10  # steps between two measurements of memory; after a larger step at once
_OVERHEAD = 2048  # bytes of a splice without its rows

T = TypeVar("T")

SEVERAL = "several"
"""The operation of an intent with several parts."""


@dataclass(frozen=True, slots=True)
class Intent:
    """The name of an operation of `recorder_editor.edits` and its JSON arguments.

    A step of several edits has the operation `SEVERAL`, and their intents as `parts`.
    """

    operation: str
    arguments: Mapping[str, Any]

    @property
    def parts(self) -> "tuple[Intent, ...]":
        """The intents of the single edits."""
        if self.operation == SEVERAL:
            return tuple(self.arguments["intents"])
        return (self,)


@dataclass(frozen=True, slots=True)
class Splice:
    """`removed` rows from row `at` on are replaced by `inserted`. Splices of an edit are applied one after another."""

    at: int
    removed: int
    inserted: FrameTable


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that can be applied to the version it was made for.

    Attributes: `label` (as History shows it), `version` (of the snapshot it was made for), `splices`, `header` (a new
    file header, or None), `intent` (None: only for this file), `detection` (the dialect of the new
    bytes; None: unchanged), `losses` (what it takes away besides what was asked for).
    """

    label: str
    version: int
    splices: tuple[Splice, ...]
    header: FileHeader | None = None
    intent: Intent | None = None
    detection: Detection | None = None
    losses: "tuple[LostPackets, ...]" = ()


@dataclass(frozen=True, slots=True)
class LostPackets:
    """Packets of an id that no table has, in frames that are cut away before others that stay.

    What they set may hold on in these, so that it would have to be carried on, and nothing is known of it.

    Attributes: `number` (the id), `count`.
    """

    number: int
    count: int

    @property
    def message(self) -> str:
        """The loss as a sentence."""
        return say_count(
            "1 packet {number} is cut away before frames that stay: no table knows this "
            "id, so what it sets is not carried on.",
            "{count:,} packets {number} are cut away before frames that stay: no table "
            "knows this id, so what they set is not carried on.",
            number=self.number,
            count=self.count,
        )


def lost_packets(counts: Mapping[int, int]) -> tuple[LostPackets, ...]:
    """The losses of numbers of packets by id, in the order of ids."""
    return tuple(LostPackets(number, counts[number]) for number in sorted(counts))


def loss_text(losses: Iterable[LostPackets]) -> str:
    """The losses as sentences one after another; empty without one."""
    return listed((loss.message for loss in losses), "sentences")


def all_losses(edits: Iterable[Edit]) -> tuple[LostPackets, ...]:
    """The losses of several edits, one for each id."""
    counts: Counter[int] = Counter()
    for edit in edits:
        for loss in edit.losses:
            counts[loss.number] += loss.count
    return lost_packets(counts)


def detached(splices: Sequence[Splice]) -> tuple[Splice, ...]:
    """The same splices, with rows copied where they would keep a larger array in memory."""
    return tuple(replace(splice, inserted=splice.inserted.detached()) for splice in splices)


def spliced(table: FrameTable, splices: Sequence[Splice]) -> tuple[FrameTable, tuple[Splice, ...]]:
    """The table after the splices, and the inverse splices."""
    backward: list[Splice] = []
    for group, rises in _groups(splices):
        places = [splice.at for splice in group]
        if rises:  # the rows of the table before all of them
            grown = accumulate((len(splice.inserted) - splice.removed for splice in group), initial=0)
            places = [at - by for at, by in zip(places, grown, strict=False)]
        parts = []
        for at, splice in zip(places, group, strict=True):
            parts.append((at, splice.removed, splice.inserted))
        backward += [
            Splice(splice.at, len(splice.inserted), table.slice(at, at + removed).detached())
            for splice, (at, removed, _) in zip(group, parts, strict=True)
        ]
        table = table.splice_at_once(parts if rises else parts[::-1])
    return table, tuple(reversed(backward))


def _groups(splices: Sequence[Splice]) -> Iterator[tuple[Sequence[Splice], bool]]:
    """The splices in runs of rising (true) or falling rows that do not overlap."""
    first = 0
    while first < len(splices):
        up = down = first + 1
        while down < len(splices) and splices[down].at + splices[down].removed <= splices[down - 1].at:
            down += 1
        while up < len(splices) and splices[up - 1].at + len(splices[up - 1].inserted) <= splices[up].at:
            up += 1
        yield splices[first : max(up, down)], up > down
        first = max(up, down)


@dataclass(frozen=True, slots=True)
class Step:
    """An applied edit and its inverse; `number` is unique in the history."""

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
        """The rows needed to undo and redo the step."""
        return (splice.inserted for splice in (*self.forward, *self.backward))

    def turned(self) -> "Step":
        """The same with its two ways exchanged."""
        headers = None
        if self.headers is not None:
            headers = self.headers[::-1]
        detections = None
        if self.detections is not None:
            detections = self.detections[::-1]
        return replace(self, forward=self.backward, backward=self.forward, headers=headers, detections=detections)

    def inverse(self) -> "Step":
        """The edit that undoes this one."""
        return replace(self.turned(), label=say("Undone: {label}", label=self.label), intent=None, gesture=None)


def memory_used(steps: Iterable[Step]) -> Iterator[int]:
    """Cumulative bytes of memory used by the steps; shared arrays count once."""
    seen: set[int] = set()
    used = 0
    for step in steps:
        for table in step.tables:
            used += _OVERHEAD
            for chunk in table.chunks:
                if id(chunk) not in seen:
                    seen.add(id(chunk))
                    used += chunk.nbytes
        yield used


class Bookmark(NamedTuple):
    """A state of a history: its `number` from the opened one on, and the `last` step that leads to it, if any."""

    number: int
    last: Step | None


@dataclass
class History:
    """The steps of a recording, and its position among them.

    Attributes: `steps` (oldest first), `position` (number of applied steps), `dropped` (number of oldest steps removed
    to limit memory), `max_bytes` (of memory that all steps may use, measured at the next one).
    """

    steps: list[Step] = field(default_factory=list)
    position: int = 0
    dropped: int = 0
    max_bytes: int = MAX_BYTES
    _clean: int | None = 0
    _next_number: int = 1

    @property
    def is_clean(self) -> bool:
        """The recording is unchanged since it was opened or saved."""
        return self._clean == self.position

    @property
    def clean_position(self) -> int | None:
        """The position of the saved state, None if undo and redo cannot reach it."""
        return self._clean

    def bookmark(self) -> Bookmark:
        """The current state, for `mark_saved` after further edits."""
        return Bookmark(self.dropped + self.position, self.steps[self.position - 1] if self.position else None)

    def mark_saved(self, state: Bookmark) -> None:
        """Mark a state as saved, which undo and redo may no longer reach.

        A later edit of the same gesture starts a new step there.
        """
        at = state.number - self.dropped
        is_there = 0 <= at <= len(self.steps) and (self.steps[at - 1] if at else None) is state.last
        self._clean = at if is_there else None

    def extend(self, step: Step, *, is_undone: bool) -> None:
        """Take up a step that this history lacks: an undone one before all others, a redone one after all.

        Raises:
            ValueError: The position is not at that end.
        """
        if self.position != (0 if is_undone else len(self.steps)):
            raise ValueError("Other steps stand between.")
        if is_undone:
            self.steps.insert(0, step)
            if self._clean is not None:
                self._clean += 1
        else:
            self.steps.append(step)
            self.position += 1

    def add(self, step: Step) -> list[Step]:
        """Append an applied step, or merge it into the last one of the same gesture.

        Returns the removed steps: undone ones, the oldest beyond the limits, the one merged into.
        """
        gone = self.steps[self.position :]
        del self.steps[self.position :]
        if self._clean is not None and self._clean > self.position:
            self._clean = None
        last = None
        if self.steps:
            last = self.steps[-1]
        if last is not None and step.gesture and last.gesture == step.gesture and self._clean != self.position:
            self.steps[-1] = _merged(last, step)
            gone.append(last)
        else:
            self.steps.append(step)
            self.position += 1
        return gone + self._drop_oldest()

    def next_number(self) -> int:
        """A number for a new step."""
        self._next_number += 1
        return self._next_number - 1

    def _drop_oldest(self) -> list[Step]:
        last = self.steps[-1]
        most = MAX_STEPS
        if last.number % _MEASURED_EVERY == 0 or next(memory_used([last])) > _LARGE:
            most = min(most, sum(used <= self.max_bytes for used in memory_used(reversed(self.steps))))
        gone = self.steps[: -max(most, 1)]
        del self.steps[: len(gone)]
        self.position -= len(gone)
        self.dropped += len(gone)
        if self._clean is not None:
            if self._clean >= len(gone):
                self._clean = self._clean - len(gone)
            else:
                self._clean = None
        return gone


def _merged(first: Step, second: Step) -> Step:
    forward = first.forward + second.forward
    backward = second.backward + first.backward
    if _replaced(first.forward) and _replaced(first.forward) == _replaced(second.forward):
        # A drag replaces the same rows repeatedly; intermediate states are not needed.
        forward = second.forward
        backward = first.backward
    intent = combined([first.intent, second.intent])
    headers = _first_and_last(first.headers, second.headers)
    detections = _first_and_last(first.detections, second.detections)
    return Step(first.number, second.label, intent, forward, backward, headers, first.gesture, detections)


def _first_and_last(first: tuple[T, T] | None, second: tuple[T, T] | None) -> tuple[T, T] | None:
    """The value before the first of two changes, and after the second."""
    if first is not None and second is not None:
        return (first[0], second[1])
    return second or first


def combined(intents: Sequence[Intent | None]) -> Intent | None:
    """One intent for several in order; None if one of them is None."""
    known = [intent for intent in intents if intent is not None]
    if len(known) < len(intents):
        return None
    return Intent(SEVERAL, {"intents": tuple(part for intent in known for part in intent.parts)})


def _replaced(splices: tuple[Splice, ...]) -> tuple[tuple[int, int], ...] | None:
    """The rows (first, number) that splices replace one for one, None if they shift others."""
    if any(splice.removed != len(splice.inserted) for splice in splices):
        return None
    return tuple((splice.at, splice.removed) for splice in splices)
