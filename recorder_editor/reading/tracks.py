"""Packet types as columns over frames: positions, velocities, controls, walkers, lights and traffic lights.

A track is a packet type as columns, for selected actors, frames and steps, or in blocks. Knows nothing of lives;
`trajectories` combines both.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from ..arrays import StructuredArray, UInt32Array
from ..format import NEWEST, PacketType, packet_number
from ..progress import SILENT, Progress
from ..recording.frames import RAW
from ..recording.snapshot import Frame, Snapshot
from .columns import BLOCK, BodySpans, RecordCopier, body_spans
from .motion import last_in_frame, speeds_of


def _named(fields: str, columns: str) -> Mapping[str, str]:
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

    All of them give frames in order and, in a frame, records in file order; `frame` counts from 0. `actors`
    are ids (None: all), `frames` a range or slice of frame indices (None: all).
    A track is named as in `COLUMNS`, or as a packet whose records have one size: then its columns are all its fields.
    Values are in the file's units and, vectors, in the file's width, bit for bit. Packets between frames are left out.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def positions(self, actors: Iterable[int] | None = None, frames: Frames = None) -> StructuredArray:
        """Positions: frame, id, x, y, z (cm, world), roll, pitch, yaw (degrees); of Position."""
        return self.read("positions", actors, frames)

    def kinematics(self, actors: Iterable[int] | None = None, frames: Frames = None) -> StructuredArray:
        """Velocities: frame, id, vx, vy, vz (m/s), wx, wy, wz (degrees/s), world axes; of Kinematics."""
        return self.read("kinematics", actors, frames)

    def path(self, actor: int, frames: Frames = None) -> StructuredArray:
        """One actor's positions, as `positions`; the last record of a frame where several are its."""
        return last_in_frame(self.positions([actor], frames))

    def speeds(self, actors: Iterable[int] | None = None, frames: Frames = None) -> StructuredArray:
        """The speeds of actors: dtype `SPEED`, ordered by frame.

        From Kinematics where an actor has it in a frame, else by positions, also those in the frames before and
        after the requested ones; NaN if unknown.
        """
        if actors is None:
            chosen = None
        else:
            chosen = tuple(actors)
        wanted = self._frames(frames)
        return speeds_of(self.around(chosen, wanted), self.kinematics(chosen, wanted), self._snapshot.elapsed, wanted)

    def around(self, actors: Iterable[int] | None, frames: range) -> StructuredArray:
        """The positions of these frames and of those just before and after them, ordered by frame."""
        if frames.step < 4:
            return self.positions(actors, range(max(frames.start - 1, 0), frames.stop + 1))
        if actors is None:
            chosen = None
        else:
            chosen = tuple(actors)
        spans = (range(frames.start + beside, frames.stop + beside, frames.step) for beside in (-1, 0, 1))
        found = np.concatenate([self.positions(chosen, span) for span in spans])
        return found[np.argsort(found["frame"], kind="stable")]

    def dtype(self, name: str) -> np.dtype[np.void]:
        """The columns of a track: frame (i4), then those of the record, as `COLUMNS` names them. Raises KeyError."""
        kind = self._kind(name)
        record = kind.record.dtype
        columns = _columns(name, kind)
        assert record is not None
        return np.dtype([("frame", "i4"), *((columns[path], record[path]) for path in columns)], align=True)

    def count(self, name: str, frames: Frames = None) -> int:
        """The number of records of a track by the sizes of its packets; not less than the number that is read."""
        return sum(int(slots.records.sum()) for slots in self._slots(name, self._frames(frames)))

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, name: str, actors: Iterable[int] | None = None, frames: Frames = None) -> StructuredArray:
        """A track as one structured array; use `blocks` for one that does not fit into memory.

        Raises KeyError for an unknown name, and errors of reading as `Store.read`.
        """
        if actors is not None:
            return np.concatenate([np.empty(0, self.dtype(name)), *self.blocks(name, actors, frames)])
        found = list(self._slots(name, self._frames(frames)))
        table = np.empty(sum(int(slots.records.sum()) for slots in found), self.dtype(name))
        copier = self._copier(name, None)
        done = 0
        for slots in found:
            for batch in copier.batches(slots):
                done += copier.put(copier.load(batch), table[done:])
        return table[:done]

    def blocks(
        self, name: str, actors: Iterable[int] | None = None, frames: Frames = None, *, progress: Progress = SILENT
    ) -> Iterator[StructuredArray]:
        """The same as `read` in arrays of at most 1,048,576 records, none of them empty.

        `progress` counts frames. Raises `Cancelled`.
        """
        chosen = self._frames(frames)
        if actors is None:
            wanted = None
        else:
            wanted = [actor for actor in actors if 0 <= actor <= _LARGEST_ID]
        copier = self._copier(name, None if wanted is None else np.unique(np.array(wanted, np.uint32)))
        table = np.empty(0, self.dtype(name))
        done = 0
        for slots in self._slots(name, chosen):
            for batch in copier.batches(slots):
                found = copier.load(batch)
                if done + len(found.frames) > len(table):
                    if done:
                        yield table[:done]
                    table = np.empty(BLOCK, table.dtype)
                    done = 0
                done += copier.put(found, table[done:])
                progress.update((int(batch.slots.frames[-1]) - chosen.start) // chosen.step + 1, len(chosen))
        if done:
            yield table[:done] if done > BLOCK // 2 else table[:done].copy()

    # --- where the records are --------------------------------------------------------------------------

    def _kind(self, name: str) -> PacketType:
        """The packet type of a track; if the dialect has none, that of another dialect, so that columns are known."""
        dialect = self._snapshot.dialect
        if name in COLUMNS:
            packet = COLUMNS[name][0]
        else:
            packet = name
        number = packet_number(packet)
        if number is not None:
            packet = dialect.packet(number).name
        found = dialect.by_name(packet) or NEWEST[dialect.engine].by_name(packet)
        if found is None or found.dtype is None:
            raise KeyError(name)
        return found

    def _copier(self, name: str, wanted: UInt32Array | None) -> RecordCopier:
        kind = self._kind(name)
        return RecordCopier(self._snapshot.store, kind, _columns(name, kind), wanted)

    def _frames(self, frames: Frames) -> range:
        """The requested frames, rising."""
        every = range(len(self._snapshot))
        if frames is None:
            return every
        if isinstance(frames, slice):
            chosen = every[frames]
        else:
            if frames.step > 0:
                rising = frames
            else:
                rising = frames[::-1]
            if rising.start >= 0:
                first = rising.start
            else:
                first = rising.start % rising.step
            chosen = range(first, min(rising.stop, len(every)), rising.step)
        if chosen.step > 0:
            return chosen
        return chosen[::-1]

    def _slots(self, name: str, frames: range) -> Iterator[BodySpans]:
        """The packets of a track in the frames, a window of the table at a time."""
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
    """The finite speeds of a frame in m/s by actor id, as `Tracks.speeds`; cached in the frame."""
    if not frame.speeds:
        found = Tracks(snapshot).speeds(frames=range(frame.index, frame.index + 1))
        found = found[np.isfinite(found["speed"])]
        frame.speeds.update(zip(found["id"].tolist(), found["speed"].tolist(), strict=True))
    return frame.speeds


def _columns(name: str, kind: PacketType) -> Mapping[str, str]:
    if name in COLUMNS:
        return COLUMNS[name][1]
    return {path: path for path in kind.record.fields}
