"""Edits, and the undo history.

An edit is an intent (an operation and its arguments, which can be applied to other recordings) and an effect (rows
replaced by rows). The inverse is computed from the table to which the edit is applied.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from ..format import Detection, FileHeader
from ..texts import listed, say, say_count
from .frames import FrameTable

MAX_BYTES = 256 << 20
"""Bytes of memory that all steps may use if no other number is set; above it the oldest steps are dropped."""

MAX_STEPS = 10_000

_MEASURED_EVERY = 64  # steps between two measurements of memory
_LARGE = 256 << 10  # bytes of a step after which memory is measured at once
_OVERHEAD = 2048  # bytes of a splice without its rows

T = TypeVar("T")

SEVERAL = "several"
"""The operation of an intent with several parts."""


@dataclass(frozen=True, slots=True)
class Intent:
    """The name of an operation of `recorder_editor.edits` and its JSON arguments.

    A step of several edits has the operation `SEVERAL`, and their intents as `parts`.

    Attributes:
        operation: The name.
        arguments: The arguments by name.
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
    """Rows that are replaced by others. Splices of an edit are applied one after another.

    Attributes:
        row: The first row that is replaced.
        removed: The number of rows that are replaced.
        inserted: The rows in their place.
    """

    row: int
    removed: int
    inserted: FrameTable


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that can be applied to the version it was made for.

    Attributes:
        label: Its name, as History shows it.
        version: The version of the snapshot that it was made for.
        splices: The rows that it replaces.
        header: The new file header; None: unchanged.
        intent: The operation, which can be applied to other recordings; None: it is for this file only.
        detection: The dialect of the new bytes; None: unchanged.
        losses: The packets that it takes away besides those that it is about.
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

    The values that they set may still be valid in these frames, but cannot be carried over: their meaning is unknown.

    Attributes:
        number: The id.
        count: The number of packets.
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
    """Apply splices to a table.

    Args:
        table: The table.
        splices: The splices, each of which counts the rows of the table after those before it.

    Returns:
        The new table, and the splices that lead back from it.
    """
    backward: list[Splice] = []
    for group, rises in _groups(splices):
        parts = []
        grown = 0  # rows by which the splices of the group before this one have moved the rows behind them
        for splice in group:
            first = splice.row
            if rises:
                first -= grown
            parts.append((first, splice.removed, splice.inserted))
            replaced = table.slice(first, first + splice.removed).detached()
            backward.append(Splice(splice.row, len(splice.inserted), replaced))
            grown += len(splice.inserted) - splice.removed
        if not rises:
            parts.reverse()
        table = table.splice_at_once(parts)
    backward.reverse()
    return table, tuple(backward)


def _groups(splices: Sequence[Splice]) -> Iterator[tuple[Sequence[Splice], bool]]:
    """The splices in runs of rising (true) or falling rows that do not overlap."""
    first = 0
    while first < len(splices):
        falling_stop = first + 1
        while falling_stop < len(splices) and _is_above(splices[falling_stop], splices[falling_stop - 1]):
            falling_stop += 1
        rising_stop = first + 1
        while rising_stop < len(splices) and _is_below(splices[rising_stop], splices[rising_stop - 1]):
            rising_stop += 1
        stop = max(rising_stop, falling_stop)
        yield splices[first:stop], rising_stop > falling_stop
        first = stop


def _is_above(splice: Splice, previous: Splice) -> bool:
    """Whether a splice is about rows above those of the one that was applied before it."""
    return splice.row + splice.removed <= previous.row


def _is_below(splice: Splice, previous: Splice) -> bool:
    """Whether a splice is about rows below those of the one that was applied before it."""
    return previous.row + len(previous.inserted) <= splice.row


@dataclass(frozen=True, slots=True)
class Step:
    """An applied edit and its inverse.

    Attributes:
        number: Its number, which is unique in the history.
        label: Its name, as History shows it.
        intent: The operation; None if it cannot be applied to other recordings.
        forward: The splices that do it.
        backward: The splices that undo it.
        headers: The file header before and after it; None: unchanged.
        gesture: The name of the gesture that it is part of, or None.
        detections: The dialect before and after it; None: unchanged.
    """

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
        for splice in self.forward + self.backward:
            yield splice.inserted

    def reversed_step(self) -> "Step":
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
        return replace(self.reversed_step(), label=say("Undone: {label}", label=self.label), intent=None, gesture=None)


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
    """A state of a history.

    Attributes:
        number: The number of steps that lead to it from the opened state.
        last: The last of these steps; None if there is none, or if it was dropped.
    """

    number: int
    last: Step | None


@dataclass
class History:
    """The steps of a recording, and its position among them.

    Attributes:
        steps: The steps, oldest first.
        position: The number of steps that are applied.
        dropped: The number of oldest steps that were removed to limit memory.
        max_bytes: The bytes of memory that all steps may use, measured at the next one.
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
        """The position of the saved state; None if undo and redo cannot reach it."""
        return self._clean

    def bookmark(self) -> Bookmark:
        """The current state, for `mark_saved` after further edits."""
        return Bookmark(self.dropped + self.position, self._step_before(self.position))

    def mark_saved(self, state: Bookmark) -> None:
        """Mark a state as saved, which undo and redo may no longer reach.

        A later edit of the same gesture starts a new step there.
        """
        position = state.number - self.dropped
        self._clean = None
        if 0 <= position <= len(self.steps) and self._step_before(position) is state.last:
            self._clean = position

    def _step_before(self, position: int) -> Step | None:
        """The step that leads to a position; None at the beginning."""
        if position:
            return self.steps[position - 1]
        return None

    def extend(self, step: Step, *, is_undone: bool) -> None:
        """Take up a step that this history lacks.

        Args:
            step: The step.
            is_undone: It was undone, and comes before all others; else it was redone, and comes after all.

        Raises:
            ValueError: The position is not at that end.
        """
        end = len(self.steps)
        if is_undone:
            end = 0
        if self.position != end:
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

        Returns:
            The removed steps: undone ones, the oldest beyond the limits, the one that it was merged into.
        """
        removed = self.steps[self.position :]
        del self.steps[self.position :]
        if self._clean is not None and self._clean > self.position:
            self._clean = None
        last = None
        if self.steps:
            last = self.steps[-1]
        if last is not None and step.gesture and last.gesture == step.gesture and self._clean != self.position:
            self.steps[-1] = _merged(last, step)
            removed.append(last)
        else:
            self.steps.append(step)
            self.position += 1
        return removed + self._drop_oldest()

    def next_number(self) -> int:
        """A number for a new step."""
        self._next_number += 1
        return self._next_number - 1

    def _drop_oldest(self) -> list[Step]:
        """Remove the oldest steps beyond the limits, but not the last step."""
        last = self.steps[-1]
        most = MAX_STEPS
        if last.number % _MEASURED_EVERY == 0 or next(memory_used([last])) > _LARGE:
            most = min(most, self._steps_that_fit())
        removed = self.steps[: -max(most, 1)]
        del self.steps[: len(removed)]
        self.position -= len(removed)
        self.dropped += len(removed)
        if self._clean is not None:
            self._clean -= len(removed)
            if self._clean < 0:
                self._clean = None
        return removed

    def _steps_that_fit(self) -> int:
        """The number of newest steps that fit in `max_bytes` together."""
        count = 0
        for used in memory_used(reversed(self.steps)):
            if used > self.max_bytes:
                break
            count += 1
        return count


def _merged(first: Step, second: Step) -> Step:
    forward = first.forward + second.forward
    backward = second.backward + first.backward
    first_rows = _replaced(first.forward)
    if first_rows and first_rows == _replaced(second.forward):
        # A drag replaces the same rows repeatedly; intermediate states are not needed.
        forward = second.forward
        backward = first.backward
    return Step(
        number=first.number,
        label=second.label,
        intent=combined([first.intent, second.intent]),
        forward=forward,
        backward=backward,
        headers=_first_and_last(first.headers, second.headers),
        gesture=first.gesture,
        detections=_first_and_last(first.detections, second.detections),
    )


def _first_and_last(first: tuple[T, T] | None, second: tuple[T, T] | None) -> tuple[T, T] | None:
    """The value before the first of two changes, and after the second."""
    if first is not None and second is not None:
        return (first[0], second[1])
    return second or first


def combined(intents: Sequence[Intent | None]) -> Intent | None:
    """One intent for several in order; None if one of them is None."""
    parts: list[Intent] = []
    for intent in intents:
        if intent is None:
            return None
        parts += intent.parts
    return Intent(SEVERAL, {"intents": tuple(parts)})


def _replaced(splices: tuple[Splice, ...]) -> tuple[tuple[int, int], ...] | None:
    """The rows (first, number) that splices replace one for one; None if they shift others."""
    if any(splice.removed != len(splice.inserted) for splice in splices):
        return None
    return tuple((splice.row, splice.removed) for splice in splices)
