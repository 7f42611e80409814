"""Packet types as columns over frames: positions, velocities, controls, walkers, lights and traffic lights.

A track is a packet type as columns, for selected actors, frames and steps, or in blocks. Knows nothing of lives;
`trajectories` combines both.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..arrays import StructuredArray, UInt32Array
from ..format import NEWEST, PacketType, packet_number
from ..progress import SILENT, Progress
from ..recording.frames import RAW
from ..recording.snapshot import Frame, Snapshot
from .columns import BLOCK, BodySpans, RecordCopier, body_spans
from .motion import last_in_frame, length_of, speeds_of


def _named(fields: str, columns: str) -> Mapping[str, str]:
    """Return the names of columns by those of fields, two texts of words."""
    return dict(zip(fields.split(), columns.split(), strict=True))


_CONTROL = "id steering throttle brake handbrake gear"
_PLACE = "location.x location.y location.z rotation.roll rotation.pitch rotation.yaw"
_VELOCITY = "linear_velocity.x linear_velocity.y linear_velocity.z"
_TURN = "angular_velocity.x angular_velocity.y angular_velocity.z"

COLUMNS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "positions": ("Position", _named(f"id {_PLACE}", "id x y z roll pitch yaw")),
    "kinematics": ("Kinematics", _named(f"id {_VELOCITY} {_TURN}", "id vx vy vz wx wy wz")),
    "controls": ("AnimVehicle", _named(_CONTROL, _CONTROL)),
    "walkers": ("AnimWalker", _named("id speed", "id speed")),
    "lights": ("VehicleLight", _named("id lights", "id lights")),
    "states": ("State", _named("id frozen elapsed state", "id frozen elapsed state")),
}
"""By name of a track: the packet type, and its fields with the names of their columns."""

_LARGEST_ID = 0xFFFFFFFF
_WINDOW = 1 << 16  # rows of the frame table looked at together

Frames = range | slice | None


class Tracks:
    """Columnar reads of a snapshot.

    All of them give frames in order and, in a frame, records in file order; `frame` counts from 0. `actors` are ids
    (None: all), `frames` a range or slice of frame indices (None: all).
    A track is named as in `COLUMNS`, or as a packet with records of one size: then its columns are all its fields.
    Values are in the file's units and, vectors, in the file's width, bit for bit. Packets between frames are left out.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def positions(self, actors: Iterable[int] | None = None, frames: Frames = None) -> StructuredArray:
        """Return the positions: frame, id, x, y, z (cm, world), roll, pitch, yaw (degrees); of Position.

        Args:
            actors: The ids of actors; None for all.
            frames: The frame indices; None for all.
        """
        return self.read("positions", actors, frames)

    def kinematics(self, actors: Iterable[int] | None = None, frames: Frames = None) -> StructuredArray:
        """Return the velocities: frame, id, vx, vy, vz (m/s), wx, wy, wz (degrees/s), world axes; of Kinematics.

        Args:
            actors: The ids of actors; None for all.
            frames: The frame indices; None for all.
        """
        return self.read("kinematics", actors, frames)

    def path(self, actor: int, frames: Frames = None) -> StructuredArray:
        """Return one actor's positions, as `positions`; the last record of a frame that has several of it."""
        return last_in_frame(self.positions([actor], frames))

    def speeds(self, actors: Iterable[int] | None = None, frames: Frames = None) -> StructuredArray:
        """Return the speeds of actors: dtype `SPEED`, ordered by frame.

        From Kinematics where an actor has it in a frame, else by positions, also those in the frames before and after
        the requested ones; NaN if unknown.

        Args:
            actors: The ids of actors; None for all.
            frames: The frame indices; None for all.
        """
        ids = None if actors is None else tuple(actors)
        wanted = self._frames(frames)
        return speeds_of(
            placed=self.around(ids, wanted),
            moved=self.kinematics(ids, wanted),
            elapsed=self._snapshot.elapsed,
            frames=wanted,
        )

    def around(
        self, actors: Iterable[int] | None, frames: range, reach: int = 1, name: str = "positions"
    ) -> StructuredArray:
        """Return the positions of frames and of those just before and after them, ordered by frame.

        Args:
            actors: The ids of actors; None for all.
            frames: The frames, rising.
            reach: So many frames before and after each.
            name: The name of another track.
        """
        if frames.step < 2 * reach + 2:
            return self.read(name, actors, range(max(frames.start - reach, 0), frames.stop + reach))
        ids = None if actors is None else tuple(actors)
        parts = []
        for shift in range(-reach, reach + 1):
            beside = range(frames.start + shift, frames.stop + shift, frames.step)
            parts.append(self.read(name, ids, beside))
        table = np.concatenate(parts)
        return table[np.argsort(table["frame"], kind="stable")]

    def dtype(self, name: str) -> np.dtype[np.void]:
        """Return the columns of a track: frame (i4), then those of the record, as `COLUMNS` names them.

        Raises:
            KeyError: There is no such track.
        """
        kind = self._kind(name)
        record = kind.record.dtype
        assert record is not None
        columns: list[tuple[str, np.dtype[Any] | str]] = [("frame", "i4")]
        for path, column in _columns(name, kind).items():
            columns.append((column, record[path]))
        return np.dtype(columns, align=True)

    def count(self, name: str, frames: Frames = None) -> int:
        """Return the number of records of a track by the sizes of its packets; at least the number that is read."""
        return sum(int(slots.records.sum()) for slots in self._slots(name, self._frames(frames)))

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, name: str, actors: Iterable[int] | None = None, frames: Frames = None) -> StructuredArray:
        """Return a track as one structured array; use `blocks` for one that does not fit into memory.

        Args:
            name: The name of the track, or of a packet.
            actors: The ids of actors; None for all.
            frames: The frame indices; None for all.

        Raises:
            KeyError: There is no such track.
            OSError: The file cannot be read, as by `Store.read`.
        """
        if actors is not None:
            return np.concatenate([np.empty(0, self.dtype(name)), *self.blocks(name, actors, frames)])
        spans = list(self._slots(name, self._frames(frames)))
        table = np.empty(sum(int(slots.records.sum()) for slots in spans), self.dtype(name))
        copier = self._copier(name, None)
        done = 0
        for slots in spans:
            for batch in copier.batches(slots):
                done += copier.put(copier.load(batch), table[done:])
        return table[:done]

    def blocks(
        self, name: str, actors: Iterable[int] | None = None, frames: Frames = None, *, progress: Progress = SILENT
    ) -> Iterator[StructuredArray]:
        """Yield the same as `read` in arrays of bounded size, none of them empty.

        Args:
            name: The name of the track, or of a packet.
            actors: The ids of actors; None for all.
            frames: The frame indices; None for all.
            progress: Counts frames.

        Raises:
            KeyError: There is no such track.
            OSError: The file cannot be read, as by `Store.read`.
            Cancelled: The user stopped it.
        """
        chosen = self._frames(frames)
        wanted = None
        if actors is not None:
            ids = [actor for actor in actors if 0 <= actor <= _LARGEST_ID]
            wanted = np.unique(np.array(ids, np.uint32))
        copier = self._copier(name, wanted)
        table = np.empty(0, self.dtype(name))
        done = 0
        for slots in self._slots(name, chosen):
            for batch in copier.batches(slots):
                loaded = copier.load(batch)
                if done + len(loaded.frames) > len(table):
                    if done:
                        yield table[:done]
                    table = np.empty(BLOCK, table.dtype)
                    done = 0
                done += copier.put(loaded, table[done:])
                progress.update((int(batch.slots.frames[-1]) - chosen.start) // chosen.step + 1, len(chosen))
        if done > BLOCK // 2:
            yield table[:done]
        elif done:
            yield table[:done].copy()  # so that a small block does not keep a large one

    # --- where the records are --------------------------------------------------------------------------

    def _kind(self, name: str) -> PacketType:
        """Return the packet type of a track, of another dialect if this one has none, so that columns are known."""
        dialect = self._snapshot.dialect
        packet = COLUMNS[name][0] if name in COLUMNS else name
        number = packet_number(packet)
        if number is not None:
            packet = dialect.packet(number).name
        kind = dialect.by_name(packet) or NEWEST[dialect.engine].by_name(packet)
        if kind is None or kind.dtype is None:
            raise KeyError(name)
        return kind

    def _copier(self, name: str, wanted: UInt32Array | None) -> RecordCopier:
        """Return what reads the records of a track; `wanted` are the ids to keep, None for all."""
        kind = self._kind(name)
        return RecordCopier(self._snapshot.store, kind, _columns(name, kind), wanted)

    def _frames(self, frames: Frames) -> range:
        """Return the requested frames, rising."""
        every = range(len(self._snapshot))
        if frames is None:
            return every
        if isinstance(frames, slice):
            chosen = every[frames]
        else:
            rising = frames if frames.step > 0 else frames[::-1]
            first = rising.start if rising.start >= 0 else rising.start % rising.step
            chosen = range(first, min(rising.stop, len(every)), rising.step)
        if chosen.step > 0:
            return chosen
        return chosen[::-1]

    def _slots(self, name: str, frames: range) -> Iterator[BodySpans]:
        """Yield the packets of a track in the frames, a window of the table at a time."""
        kind = self._kind(name)
        if self._snapshot.dialect.by_name(kind.name) is None or not len(frames):
            return
        table = self._snapshot.table
        row = table.row_of_frame(frames[0])
        stop = table.row_of_frame(frames[-1]) + 1
        frame = frames[0]
        while row < stop:
            rows = table.rows(row, min(row + _WINDOW, stop))
            row += len(rows)
            if table.frames != len(table):
                rows = rows[rows["kind"] != RAW]
            first = -(frame - frames[0]) % frames.step
            indices = np.arange(frame + first, frame + len(rows), frames.step)
            frame += len(rows)
            if len(indices):
                yield from body_spans(self._snapshot, kind, rows[first :: frames.step], indices)


def speeds_in(snapshot: Snapshot, frame: Frame) -> dict[int, float]:
    """Return the finite speeds of a frame in m/s by actor id, as `Tracks.speeds`; cached in the frame."""
    if not frame.speeds:
        frame.speeds.update(_recorded_speeds(frame))
    if not frame.speeds:
        table = Tracks(snapshot).speeds(frames=range(frame.index, frame.index + 1))
        table = table[np.isfinite(table["speed"])]
        frame.speeds.update(zip(table["id"].tolist(), table["speed"].tolist(), strict=True))
    return frame.speeds


def _recorded_speeds(frame: Frame) -> dict[int, float]:
    """Return the recorded speeds of a frame by actor id; none unless all actors with a position have a finite one.

    They are the same as those of a table, which takes several times as long for a single frame.
    """
    placed = _records_in(frame, "positions")
    moved = _records_in(frame, "kinematics")
    if placed is None or moved is None:
        return {}
    speed = length_of(moved["linear_velocity.x"], moved["linear_velocity.y"], moved["linear_velocity.z"])
    if not np.isfinite(speed).all() or not np.isin(placed["id"], moved["id"]).all():
        return {}
    return dict(zip(moved["id"].tolist(), speed.tolist(), strict=True))


def _records_in(frame: Frame, track: str) -> StructuredArray | None:
    """Return the records of the only packet of a track in a frame; None where it has several, or a damaged one."""
    name, _ = COLUMNS[track]
    packets = [packet for packet in frame.packets if packet.name == name]
    if len(packets) != 1 or packets[0].type.dtype is None or packets[0].decoded.damage is not None:
        return None
    return packets[0].array


def _columns(name: str, kind: PacketType) -> Mapping[str, str]:
    """Return the columns of a track by the fields of its records."""
    if name in COLUMNS:
        return COLUMNS[name][1]
    return {path: path for path in kind.record.fields}
