"""`show_recorder_actors_blocked`: the actors that stood still, as text and, without its quirks, as data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ..arrays import AnyArray, IndexArray, StructuredArray, UInt32Array
from ..progress import SILENT, Progress
from ..reading import Actors, Life
from ..recording import Frame, Packet, Snapshot
from .text import (
    added_actors,
    format_whole,
    pad,
    read_rows,
    report_footer,
    report_header,
    report_without_header,
    rows_with_packets,
)

SECONDS = 30.0
CENTIMETRES = 10.0
"""The limits in CARLA's documentation."""

_COLUMNS = b"    Time     Id %s   Duration\n" % pad(b"Actor")
_STAY = np.dtype([("index", "u4"), ("frame", "i8"), ("time", "f8"), ("duration", "f8")])
_PIECE = 1024  # rows of a batch

_ADD = "EventAdd"
_DELETE = "EventDel"
_POSITION = "Position"

BLOCKED_READS = frozenset((_ADD, _DELETE, _POSITION))
"""The packets that this report reads by their content; it skips others by their size."""


def blocked_report(
    snapshot: Snapshot,
    min_time: float = SECONDS,
    min_distance: float = CENTIMETRES,
    *,
    utc: bool = False,
    progress: Progress = SILENT,
) -> Iterator[bytes]:
    """The text of `show_recorder_actors_blocked(name, min_time, min_distance)` in pieces; all families print alike.

    `min_time` in seconds, `min_distance` in centimetres. `progress` counts rows. Raises `Cancelled`.
    """
    if snapshot.header is None:
        yield report_without_header(snapshot)
        return
    yield report_header(snapshot, utc=utc) + _COLUMNS
    detector = _BlockedDetector(snapshot, min_time, min_distance, as_printed=True)
    stays = detector.run(progress)
    for start in range(0, len(stays), _PIECE):
        yield b"".join(
            f"{format_whole(time):>8} {detector.ids[index]:6d} ".encode()
            + pad(detector.names[index])
            + f" {format_whole(duration):>10}\n".encode()
            for index, _, time, duration in stays[start : start + _PIECE].tolist()
        )
    yield report_footer(snapshot)


@dataclass(frozen=True, slots=True)
class Blocked:
    """An actor that stood still.

    Attributes: `actor` (id), `life` (None if unknown), `frame` (index, when it began), `time` (the same, elapsed
    seconds), `duration` (seconds).
    """

    actor: int
    life: Life | None
    frame: int
    time: float
    duration: float


def blocked(
    snapshot: Snapshot, min_time: float = SECONDS, min_distance: float = CENTIMETRES, progress: Progress = SILENT
) -> list[Blocked]:
    """Actors that moved less than `min_distance` cm for at least `min_time` seconds; the longest first.

    Unlike the report, it ends a stay when the actor is destroyed, and ignores the last duration of -1. Raises
    `Cancelled`.
    """
    detector = _BlockedDetector(snapshot, min_time, min_distance, as_printed=False)
    stays = detector.run(progress)
    actors = Actors.of(snapshot, progress.quiet())
    ids = [detector.ids[index] for index in stays["index"].tolist()]
    return [
        Blocked(actor, actors.at(actor, frame), frame, time, duration)
        for actor, (_, frame, time, duration) in zip(ids, stays.tolist(), strict=True)
    ]


class _BlockedDetector:
    """Finds actors that stand still, with array operations on all actors of a frame.

    Attributes: `ids` and `names` (blueprints), by index: an actor gets a new index with each EventAdd.
    """

    def __init__(self, snapshot: Snapshot, min_time: float, min_distance: float, *, as_printed: bool) -> None:
        self.ids: list[int] = []
        self.names: list[bytes] = []
        self._snapshot = snapshot
        self._min_time = min_time
        self._min_distance = np.float64(min_distance)  # compared as doubles, as the simulator does
        self._as_printed = as_printed
        self._current: dict[int, int] = {}
        self._last_added: int | None = None
        self._stays: list[StructuredArray] = []
        self._frame = 0
        self._elapsed = 0.0
        self._step = 0.0
        self._positions: AnyArray = np.zeros((0, 3), np.float64 if snapshot.dialect.wide else np.float32)
        self._state = np.zeros(0, _STAY)
        self._last_ids: tuple[bytes, IndexArray, bool] | None = None

    def run(self, progress: Progress) -> StructuredArray:
        """Read the recording; returns every stay of `min_time` and more, the longest first: dtype `_STAY`."""
        rows = rows_with_packets(self._snapshot, BLOCKED_READS)
        for row in read_rows(self._snapshot, rows, progress):
            if isinstance(row, Frame):
                self._frame = row.index
                self._elapsed = row.elapsed
                self._step = row.duration
                if not self._as_printed and not self._step > 0:
                    self._step = 0.0
            for packet in row.packets:
                if packet.size > 2:
                    self._read_packet(packet)
        self._keep_long_stays(list(self._current.values()))
        stays = np.concatenate([np.zeros(0, _STAY), *self._stays])
        order: IndexArray = np.argsort(-stays["duration"], kind="stable")
        return stays[order]

    def _read_packet(self, packet: Packet) -> None:
        if packet.name == _POSITION:
            self._compare_positions(packet)
        elif packet.name == _ADD:
            for actor, _, blueprint in added_actors(packet.decoded):
                self._last_added = actor
                self._remove_actor(actor)
                self._add_actor(actor, blueprint)
        elif packet.name == _DELETE:
            for actor in packet.array["id"].tolist():
                # The simulator removes the actor that was added last, whichever the packet names.
                self._remove_actor(self._last_added if self._as_printed else actor)

    def _add_actor(self, actor: int, name: bytes = b"") -> int:
        number = self._current[actor] = len(self.ids)
        self.ids.append(actor)
        self.names.append(name)
        self._last_ids = None
        if number >= len(self._state):
            more = max(64, number)
            self._positions = np.concatenate([self._positions, np.zeros((more, 3), self._positions.dtype)])
            self._state = np.concatenate([self._state, np.zeros(more, _STAY)])
        self._state[number]["index"] = number
        return number

    def _remove_actor(self, actor: int | None) -> None:
        number = None
        if actor is not None:
            number = self._current.pop(actor, None)
        self._last_ids = None
        if number is not None and not self._as_printed:
            self._keep_long_stays([number])

    def _keep_long_stays(self, numbers: Sequence[int] | IndexArray) -> None:
        """Keep the stays of at least the minimum time."""
        if len(numbers):
            stays = self._state[numbers]
        else:
            stays = self._state[:0]
        stays = stays[stays["duration"] >= self._min_time]
        if len(stays):
            self._stays.append(stays)

    def _compare_positions(self, packet: Packet) -> None:
        array = packet.array
        places = np.stack([array[f"location.{axis}"] for axis in "xyz"], axis=1)
        numbers, are_unique = self._indices_of(array["id"])
        if are_unique:
            self._compare(numbers, places)
        else:
            self._compare_one_by_one(numbers, places)

    def _indices_of(self, ids: UInt32Array) -> tuple[IndexArray, bool]:
        """The indices of actors, and whether they are unique; cached: most frames have the same ids."""
        key = ids.tobytes()
        if self._last_ids is None or self._last_ids[0] != key:
            known = self._current
            numbers = []
            for actor in ids.tolist():
                numbers.append(known[actor] if actor in known else self._add_actor(actor))
            self._last_ids = key, np.array(numbers, np.intp), len(set(numbers)) == len(numbers)
        return self._last_ids[1:]

    def _compare(self, numbers: IndexArray, places: AnyArray) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            apart = self._positions[numbers] - places
            squares = apart * apart
            still = np.sqrt(squares[:, 0] + squares[:, 1] + squares[:, 2]) < self._min_distance
        stays = numbers[still]
        moves = numbers[~still]
        durations = self._state["duration"]
        begins = stays[durations[stays] == 0]
        self._state["time"][begins] = self._elapsed
        self._state["frame"][begins] = self._frame
        with np.errstate(all="ignore"):
            durations[stays] += self._step
        self._keep_long_stays(moves)
        durations[moves] = 0
        self._positions[moves] = places[~still]

    def _compare_one_by_one(self, numbers: IndexArray, places: AnyArray) -> None:
        """As `_compare`, for packets with several records of an actor: each is compared with the one before."""
        durations = self._state["duration"]
        real = self._positions.dtype.type
        min_distance = self._min_distance
        last_places = {number: tuple(self._positions[number]) for number in set(numbers.tolist())}
        with np.errstate(over="ignore", invalid="ignore"):
            for number, x, y, z in zip(numbers.tolist(), *places.T, strict=True):
                old_x, old_y, old_z = last_places[number]
                a = old_x - x
                b = old_y - y
                c = old_z - z
                if real(sqrt(a * a + b * b + c * c)) < min_distance:
                    if durations[number] == 0:
                        self._state["time"][number], self._state["frame"][number] = self._elapsed, self._frame
                    durations[number] += self._step
                    continue
                if durations[number] >= self._min_time:
                    self._keep_long_stays([number])
                durations[number] = 0
                last_places[number] = x, y, z
        for number, place in last_places.items():
            self._positions[number] = place
