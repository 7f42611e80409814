"""`show_recorder_actors_blocked`: who stood still for how long, and the same as data without the report's quirks.

One idea: everybody of a frame is looked at together, as arrays; a row comes out only when somebody moves on.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import Cancelled
from ...recording.actors import EVENT_KINDS, Actors
from ...recording.contents import Row
from ...recording.snapshot import Snapshot
from .text import NOT_A_RECORDING, Family, foot, head, padded, raw

Progress = Callable[[int, int], None]
Cancel = Callable[[], bool]

SECONDS, CENTIMETRES = 30.0, 10.0
"""What the documentation asks with."""

_COLUMNS = b"    Time     Id %s   Duration\n" % padded(b"Actor")


@dataclass(frozen=True, slots=True)
class Blocked:
    """An actor that stood still: `actor` (id), `name` (blueprint), `time` (when it began) and `duration`, seconds."""

    actor: int
    name: bytes
    time: float
    duration: float


def blocked_report(
    snapshot: Snapshot, min_time: float = SECONDS, min_distance: float = CENTIMETRES, *, family: Family | None = None,
    utc: bool = False, progress: Progress | None = None, cancel: Cancel | None = None,
) -> Iterator[bytes]:  # fmt: skip
    """The text of `show_recorder_actors_blocked(name, min_time, min_distance)` in pieces; all families print alike.

    `min_time` in seconds, `min_distance` in centimetres. Raises `Cancelled`.
    """
    if snapshot.header is None:
        yield NOT_A_RECORDING
        return
    yield head(snapshot, utc=utc) + _COLUMNS
    watch = _Watch(min_time, min_distance, as_printed=True)
    watch.run(snapshot, progress, cancel)
    for each in sorted(watch.rows, key=lambda row: -row.duration):
        text = f"{each.time:8.0f} {each.actor:6d} ".encode()
        yield text + padded(each.name) + f" {each.duration:10.0f}\n".encode()
    yield foot(snapshot)


def blocked(
    snapshot: Snapshot, min_time: float = SECONDS, min_distance: float = CENTIMETRES,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> list[Blocked]:  # fmt: skip
    """Who stood still for at least `min_time` seconds, moving less than `min_distance` cm; the longest first.

    Unlike the report, it takes an actor's end into account and no second away for the last frame.
    """
    watch = _Watch(min_time, min_distance, as_printed=False)
    watch.run(snapshot, progress, cancel)
    return sorted(watch.rows, key=lambda row: -row.duration)


@dataclass
class _Watch:
    """Attributes: `rows` (found so far); the rest is one entry for each actor, in the order they were first seen."""

    min_time: float
    min_distance: float
    as_printed: bool
    rows: list[Blocked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._slots: dict[int, int] = {}
        self._names: list[bytes] = []
        self._ids: list[int] = []
        self._here: npt.NDArray[Any] = np.zeros((0, 3))
        self._time = np.zeros(0)
        self._duration = np.zeros(0)
        self._last_added: int | None = None

    def run(self, snapshot: Snapshot, progress: Progress | None, cancel: Cancel | None) -> None:
        """Go through the recording."""
        self._here = np.zeros((0, 3), np.float64 if snapshot.dialect.wide else np.float32)
        events = _event_rows(snapshot)
        for done, number in enumerate(range(snapshot.rows)):
            if done % 64 == 0:
                if cancel is not None and cancel():
                    raise Cancelled("The report was cancelled.")
                if progress is not None:
                    progress(done, snapshot.rows)
            row = snapshot.row(number)
            if events is None or number in events:
                self._take_events(row)
            self._look(row)
        if progress is not None:
            progress(snapshot.rows, snapshot.rows)
        for slot in self._slots.values():
            self._give(slot)

    def _take_events(self, row: Row) -> None:
        for packet in row.packets:
            if packet.name == "EventAdd":
                for record in packet.records:
                    self._last_added = record["id"]
                    self._forget(record["id"])
                    self._make(record["id"], raw(record["blueprint"]))
            elif packet.name == "EventDel":
                for actor in packet.array["id"].tolist() if len(packet.decoded) else ():
                    if self.as_printed:
                        # As the simulator does: it is the actor that was added last who is forgotten.
                        if self._last_added is not None:
                            self._slots.pop(self._last_added, None)
                    else:
                        self._forget(actor)

    def _forget(self, actor: int) -> None:
        slot = self._slots.pop(actor, None)
        if slot is not None and not self.as_printed:
            self._give(slot)

    def _make(self, actor: int, name: bytes) -> int:
        slot = len(self._ids)
        self._slots[actor] = slot
        self._ids.append(actor)
        self._names.append(name)
        if slot >= len(self._time):
            more = max(64, slot)
            self._here = np.concatenate([self._here, np.zeros((more, 3), self._here.dtype)])
            self._time = np.concatenate([self._time, np.zeros(more)])
            self._duration = np.concatenate([self._duration, np.zeros(more)])
        return slot

    def _give(self, slot: int) -> None:
        """A row for somebody who stood long enough."""
        duration = float(self._duration[slot])
        if duration >= self.min_time:
            self.rows.append(Blocked(self._ids[slot], self._names[slot], float(self._time[slot]), duration))

    def _look(self, row: Row) -> None:
        for packet in row.packets:
            if packet.name == "Position" and len(packet.decoded):
                array = packet.array
                ids = array["id"].tolist()
                slots = np.array([self._slot(actor) for actor in ids], np.intp)
                places = np.stack([array[f"location.{axis}"] for axis in "xyz"], axis=1)
                if len(set(ids)) == len(ids):
                    self._compare(row, slots, places)
                else:
                    for index in range(len(ids)):
                        self._compare(row, slots[index : index + 1], places[index : index + 1])

    def _slot(self, actor: int) -> int:
        slot = self._slots.get(actor)
        return slot if slot is not None else self._make(actor, b"")

    def _compare(self, row: Row, slots: npt.NDArray[np.intp], places: npt.NDArray[Any]) -> None:
        elapsed, duration = getattr(row, "elapsed", 0.0), getattr(row, "duration", 0.0)
        if not self.as_printed:
            duration = max(duration, 0.0)
        with np.errstate(over="ignore", invalid="ignore"):
            apart = self._here[slots] - places
            squares = apart * apart
            still = np.sqrt(squares[:, 0] + squares[:, 1] + squares[:, 2]) < self.min_distance
        stays, goes = slots[still], slots[~still]
        begins = stays[self._duration[stays] == 0]
        self._time[begins] = elapsed
        self._duration[stays] += duration
        for slot in goes[self._duration[goes] >= self.min_time].tolist():
            self._give(slot)
        self._duration[goes] = 0
        self._here[goes] = places[~still]


def _event_rows(snapshot: Snapshot) -> set[int] | None:
    """The rows in which actors are added or deleted; None where that is not known of all."""
    actors = Actors.of(snapshot)
    if not actors.is_whole:
        return None
    kinds = [EVENT_KINDS.index(kind) for kind in ("born", "gone")]
    return set(actors.events["row"][np.isin(actors.events["kind"], kinds)].tolist())
