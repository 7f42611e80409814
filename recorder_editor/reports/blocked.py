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
    """Yield the text of `show_recorder_actors_blocked(name, min_time, min_distance)` in pieces.

    All families print alike.

    Args:
        snapshot: The recording.
        min_time: The shortest stay, in seconds.
        min_distance: An actor stands still while it is nearer than this to where it last moved, in centimetres.
        utc: The date is in UTC, not in local time.
        progress: Counts rows.

    Raises:
        Cancelled: The user cancelled it.
    """
    if snapshot.header is None:
        yield report_without_header(snapshot)
        return
    yield report_header(snapshot, utc=utc) + _COLUMNS
    detector = _BlockedDetector(snapshot, min_time, min_distance, as_printed=True)
    stays = detector.run(progress)
    for start in range(0, len(stays), _PIECE):
        lines = []
        for index, _, time, duration in stays[start : start + _PIECE].tolist():
            before = f"{format_whole(time):>8} {detector.ids[index]:6d} "
            after = f" {format_whole(duration):>10}\n"
            lines.append(before.encode() + pad(detector.names[index]) + after.encode())
        yield b"".join(lines)
    yield report_footer(snapshot)


@dataclass(frozen=True, slots=True)
class Blocked:
    """An actor that stood still.

    Attributes:
        actor: Its id.
        life: Its life; None if it is not known.
        frame: The index of the frame in which it began.
        time: The elapsed seconds of that frame.
        duration: How long it lasted, in seconds.
    """

    actor: int
    life: Life | None
    frame: int
    time: float
    duration: float


def blocked(
    snapshot: Snapshot, min_time: float = SECONDS, min_distance: float = CENTIMETRES, progress: Progress = SILENT
) -> list[Blocked]:
    """Return actors that moved less than `min_distance` cm for at least `min_time` seconds; the longest first.

    Unlike the report, it ends a stay when the actor is destroyed, and ignores the last duration of -1.

    Args:
        snapshot: The recording.
        min_time: The shortest stay, in seconds.
        min_distance: An actor stands still while it is nearer than this to where it last moved, in centimetres.
        progress: Counts rows.

    Raises:
        Cancelled: The user cancelled it.
    """
    detector = _BlockedDetector(snapshot, min_time, min_distance, as_printed=False)
    stays = detector.run(progress)
    actors = Actors.of(snapshot, progress.quiet())
    result = []
    for index, frame, time, duration in stays.tolist():
        actor = detector.ids[index]
        result.append(Blocked(actor, actors.at(actor, frame), frame, time, duration))
    return result


class _BlockedDetector:
    """Finds actors that stand still, with array operations on all actors of a frame.

    An actor gets a new index with each EventAdd.

    Attributes:
        ids: Ids by index.
        names: Blueprints by index.
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
        self._positions: AnyArray = np.zeros((0, 3), np.float32)
        if snapshot.dialect.wide:
            self._positions = np.zeros((0, 3), np.float64)
        self._state = np.zeros(0, _STAY)
        self._last_ids: tuple[bytes, IndexArray, bool] | None = None

    def run(self, progress: Progress) -> StructuredArray:
        """Read the recording, and return every stay of `min_time` and more, the longest first: dtype `_STAY`."""
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
                if self._as_printed:
                    self._remove_actor(self._last_added)
                else:
                    self._remove_actor(actor)

    def _add_actor(self, actor: int, name: bytes = b"") -> int:
        index = len(self.ids)
        self._current[actor] = index
        self.ids.append(actor)
        self.names.append(name)
        self._last_ids = None
        if index >= len(self._state):
            more = max(64, index)
            positions = np.zeros((more, 3), self._positions.dtype)
            self._positions = np.concatenate([self._positions, positions])
            self._state = np.concatenate([self._state, np.zeros(more, _STAY)])
        self._state[index]["index"] = index
        return index

    def _remove_actor(self, actor: int | None) -> None:
        index = None
        if actor is not None:
            index = self._current.pop(actor, None)
        self._last_ids = None
        if index is not None and not self._as_printed:
            self._keep_long_stays([index])

    def _keep_long_stays(self, indices: Sequence[int] | IndexArray) -> None:
        """Keep the stays of at least the minimum time."""
        if not len(indices):
            return
        stays = self._state[indices]
        stays = stays[stays["duration"] >= self._min_time]
        if len(stays):
            self._stays.append(stays)

    def _compare_positions(self, packet: Packet) -> None:
        array = packet.array
        places = np.stack([array[f"location.{axis}"] for axis in "xyz"], axis=1)
        indices, are_unique = self._indices_of(array["id"])
        if are_unique:
            self._compare(indices, places)
        else:
            self._compare_one_by_one(indices, places)

    def _indices_of(self, ids: UInt32Array) -> tuple[IndexArray, bool]:
        """The indices of actors, and whether they are unique; cached: most frames have the same ids."""
        key = ids.tobytes()
        if self._last_ids is None or self._last_ids[0] != key:
            indices = []
            for actor in ids.tolist():
                index = self._current.get(actor)
                if index is None:
                    index = self._add_actor(actor)
                indices.append(index)
            are_unique = len(set(indices)) == len(indices)
            self._last_ids = (key, np.array(indices, np.intp), are_unique)
        return self._last_ids[1:]

    def _compare(self, indices: IndexArray, places: AnyArray) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            apart = self._positions[indices] - places
            squares = apart * apart
            is_still = np.sqrt(squares[:, 0] + squares[:, 1] + squares[:, 2]) < self._min_distance
        stays = indices[is_still]
        moves = indices[~is_still]
        durations = self._state["duration"]
        begins = stays[durations[stays] == 0]
        self._state["time"][begins] = self._elapsed
        self._state["frame"][begins] = self._frame
        with np.errstate(all="ignore"):
            durations[stays] += self._step
        self._keep_long_stays(moves)
        durations[moves] = 0
        self._positions[moves] = places[~is_still]

    def _compare_one_by_one(self, indices: IndexArray, places: AnyArray) -> None:
        """As `_compare`, for packets with several records of an actor: each is compared with the one before."""
        durations = self._state["duration"]
        real = self._positions.dtype.type
        last_places = {index: tuple(self._positions[index]) for index in set(indices.tolist())}
        with np.errstate(over="ignore", invalid="ignore"):
            for index, place in zip(indices.tolist(), places, strict=True):
                x, y, z = place
                last_x, last_y, last_z = last_places[index]
                dx = last_x - x
                dy = last_y - y
                dz = last_z - z
                if real(sqrt(dx * dx + dy * dy + dz * dz)) < self._min_distance:
                    if durations[index] == 0:
                        self._state["time"][index] = self._elapsed
                        self._state["frame"][index] = self._frame
                    durations[index] += self._step
                    continue
                if durations[index] >= self._min_time:
                    self._keep_long_stays([index])
                durations[index] = 0
                last_places[index] = (x, y, z)
        for index, last_place in last_places.items():
            self._positions[index] = last_place
