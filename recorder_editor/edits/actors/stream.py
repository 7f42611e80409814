"""The per-frame records of one life, moved into other frames; the source is read window by window."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from ...arrays import FloatArray, IndexArray, IntArray
from ...errors import FieldError
from ...format import PacketType
from ...format.schema import World
from ...recording import Bytes, Snapshot
from ...recording.blocks import blocks
from ...texts import say
from ..block_rewrite import select_frames
from ..interpolation import interpolate_records
from ..uniform_frames import Patterns, UniformFrames
from .rewrite import Streamed

_WINDOW = 256  # least number of source frames to read at once
_FARTHEST = 1e30  # metres; floats of 32 bits hold more


@dataclass(frozen=True)
class Frames:
    """Consecutive frames and their source frames.

    Attributes: `start` (index of the first), `sources` (source frame of each), `shares` (position of each between its
    source frame and the next one, 0 to 1).
    """

    start: int
    sources: IndexArray
    shares: FloatArray

    @property
    def stop(self) -> int:
        """The index after the last one."""
        return self.start + len(self.sources)

    def first_from(self, frame: int) -> int:
        """The first frame whose source is this frame or a later one."""
        return self.start + int(np.searchsorted(self.sources, frame))


@dataclass(frozen=True)
class RigidTransform:
    """A turn about a point, then a shift: `offset` (cm), `degrees`, `pivot` (x, y in cm)."""

    offset: tuple[float, float, float]
    degrees: float
    pivot: tuple[float, float]

    @classmethod
    def of(cls, metres: tuple[float, float, float], degrees: float, pivot: tuple[float, float]) -> Self:
        """From an offset in metres and a pivot in cm. Raises `FieldError` for numbers that are too large."""
        if not all(abs(each) < _FARTHEST for each in (*metres, degrees)):
            raise FieldError(
                say("An actor is shifted by numbers of metres, and turned by degrees, that a recording can hold.")
            )
        x, y, z = (100.0 * each for each in metres)
        return cls((x, y, z), degrees, pivot)

    def pose(self, raw: bytes) -> bytes:
        """Location and rotation as stored (24 bytes, 48 in UE5), moved."""
        real = np.dtype("<f4" if len(raw) == 24 else "<f8")
        return self._posed(np.frombuffer(raw, real).reshape(1, 6)).tobytes()

    def numbers(self, pose: FloatArray) -> FloatArray:
        """Location and rotation, float64[6], moved."""
        return np.asarray(self._posed(pose.reshape(1, 6))[0], np.float64)

    def records(self, kind: PacketType, records: Bytes) -> Bytes:
        """Records of a packet, shape (n, bytes), with all vectors in world axes moved."""
        made = records.copy()
        for world, at, real in kind.record.vectors:
            vector = slice(at, at + 3 * np.dtype(real).itemsize)
            numbers = np.ascontiguousarray(records[:, vector]).view(real)
            made[:, vector] = self._moved(world, numbers).view(np.uint8)
        return made

    def _posed(self, numbers: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        return np.concatenate([self._moved("place", numbers[:, :3]), self._moved("rotation", numbers[:, 3:])], axis=1)

    def _moved(self, world: World, numbers: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        # Components that do not change keep their bits; signalling NaNs cause no warning.
        made = numbers.copy()
        with np.errstate(invalid="ignore", over="ignore"):
            if self.degrees and world == "rotation":
                made[:, 2] = (numbers[:, 2].astype(np.float64) + self.degrees + 180.0) % 360.0 - 180.0
            elif self.degrees:
                if world == "place":
                    center = self.pivot
                else:
                    center = (0.0, 0.0)
                x, y = (numbers[:, axis].astype(np.float64) - center[axis] for axis in (0, 1))
                for axis, value in enumerate(self._rotated(x, y)):
                    if world == "place":
                        made[:, axis] = value + center[axis] + self.offset[axis]
                    else:
                        made[:, axis] = value
            for axis, shift in enumerate(self.offset if world == "place" else ()):
                if shift and (axis == 2 or not self.degrees):
                    made[:, axis] = numbers[:, axis].astype(np.float64) + shift
        return made

    def _rotated(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        cos, sin = math.cos(math.radians(self.degrees)), math.sin(math.radians(self.degrees))
        return x * cos - y * sin, x * sin + y * cos


@dataclass
class _Track:
    """The records of one packet kind in a window.

    Attributes: `parts` (arrays of records of one size), `number` and `place` (part and index of the record of each
    frame; -1: none).
    """

    kind: PacketType
    number: IntArray
    place: IntArray
    parts: list[Bytes] = field(default_factory=list)

    def put(self, frames: IndexArray, records: Bytes) -> None:
        """Add the records of these frames (relative to the window); of several in a frame the last one is kept."""
        self.number[frames] = len(self.parts)
        self.place[frames] = np.arange(len(frames))
        self.parts.append(records)

    def sizes(self, frames: IndexArray) -> IntArray:
        """Sizes of the records of these frames, -1 without one."""
        sizes = np.array([*(part.shape[1] for part in self.parts), -1], np.int64)
        return sizes[self.number[frames]]

    def take(self, frames: IndexArray) -> Bytes:
        """The records of these frames, all of one size."""
        numbers = self.number[frames]
        places = self.place[frames]
        made = np.empty((len(frames), self.parts[int(numbers[0])].shape[1]), np.uint8)
        for number in np.unique(numbers).tolist():
            here = numbers == number
            made[here] = self.parts[number][places[here]]
        return made


class Stream:
    """The per-frame records of a copy.

    `actor` is the id in `source`, `new_id` that of the copy; `frames` are those of `snapshot`.
    """

    def __init__(
        self, snapshot: Snapshot, source: Snapshot, actor: int, frames: Frames, rigid: RigidTransform, new_id: int
    ) -> None:
        self._table = snapshot.table
        self._source = source
        self._actor = actor
        self._frames = frames
        self._rigid = rigid
        self._id = np.frombuffer(new_id.to_bytes(4, "little"), np.uint8)
        self._patterns = Patterns(source.dialect.packet)
        self._first = self._stop = 0
        self._tracks: Mapping[str, _Track] = {}

    def visit(self, uniform: UniformFrames) -> Iterator[tuple[UniformFrames, Streamed]]:
        """Groups of uniform frames that get records of the same sizes, with these records."""
        indices = self._table.frame_of_row(uniform.block.first) + uniform.rows - self._frames.start
        within = (indices >= 0) & (indices < len(self._frames.sources))
        if not within.all():
            yield select_frames(uniform, np.flatnonzero(~within)), {}
        chosen = np.flatnonzero(within)
        if not len(chosen):
            return
        sources = self._frames.sources[indices[chosen]]
        shares = self._frames.shares[indices[chosen]]
        self._load(int(sources[0]), int(sources[-1]) + 1 + bool(shares[-1]))
        sources = sources - self._first
        names = list(self._tracks)
        sizes = np.array([self._tracks[name].sizes(sources) for name in names]).reshape(len(names), len(chosen))
        kinds, numbers = np.unique(sizes, axis=1, return_inverse=True)
        for number in range(kinds.shape[1]):
            here = np.flatnonzero(numbers.reshape(-1) == number)
            records = {}
            for name, size in zip(names, kinds[:, number].tolist(), strict=True):
                if size >= 0:
                    records[name] = self._made(name, sources[here], shares[here])
            yield select_frames(uniform, chosen[here]), records

    def of_size(self, name: str, indices: IndexArray, size: int) -> tuple[IndexArray, Bytes]:
        """The frames of `indices` (from the first one, rising) that get a record of `size` bytes, and the records."""
        sources = self._frames.sources[indices]
        shares = self._frames.shares[indices]
        self._load(int(sources[0]), int(sources[-1]) + 1 + bool(shares[-1]))
        track = self._tracks.get(name)
        if track is not None:
            here = np.flatnonzero(track.sizes(sources - self._first) == size)
        else:
            here = sources[:0]
        if not len(here):
            return here, np.empty((0, size), np.uint8)
        return here, self._made(name, (sources - self._first)[here], shares[here])

    def _made(self, name: str, sources: IndexArray, shares: FloatArray) -> Bytes:
        track = self._tracks[name]
        records = track.take(sources)
        if track.kind.is_continuous:
            (moved,) = np.nonzero(shares)
            moved = moved[track.sizes(sources[moved] + 1) == records.shape[1]]
            if len(moved):
                following = track.take(sources[moved] + 1)
                records[moved] = interpolate_records(track.kind, records[moved], following, shares[moved])
        records = self._rigid.records(track.kind, records)
        records[:, :4] = self._id
        return records

    # --- the window -------------------------------------------------------------------------------------

    def _load(self, first: int, stop: int) -> None:
        """Read these source frames into the window."""
        if self._first <= first and stop <= self._stop:
            return
        end = int(self._frames.sources[-1]) + 1 + bool(self._frames.shares[-1])
        stop = min(max(stop, first + _WINDOW), end)
        tracks: dict[str, _Track] = {}
        table = self._source.table
        for block in blocks(self._source, table.row_of_frame(first), table.row_of_frame(stop - 1) + 1):
            begin = table.frame_of_row(block.first) - first
            for uniform in self._patterns.groups(block, np.arange(len(block))):
                for records in uniform.lists:
                    kind = records.kind
                    if kind.is_recorded_once or kind.actor_offsets != (0,) or not len(records):
                        continue  # it has no records of actors in every frame
                    mine = records.numbers(uniform.data) == self._actor
                    (rows,) = np.nonzero(mine.any(axis=1))
                    columns = len(records) - 1 - np.argmax(mine[rows, ::-1], axis=1)
                    track = tracks.get(kind.name)
                    if track is None and len(rows):
                        nothing = np.full(stop - first, -1, np.int64)
                        track = tracks[kind.name] = _Track(kind, nothing, nothing.copy())
                    for column in np.unique(columns).tolist():
                        here = rows[columns == column]
                        assert track is not None
                        track.put(begin + uniform.rows[here], uniform.data[here, records.span(column)])
        self._first = first
        self._stop = stop
        self._tracks = tracks
