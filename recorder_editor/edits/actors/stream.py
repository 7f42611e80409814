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
from ..uniform_frames import Patterns, Records, UniformFrames
from .rewrite import Streamed

_WINDOW = 256  # least number of source frames to read at once
_FARTHEST = 1e30  # metres; floats of 32 bits hold more


@dataclass(frozen=True)
class Frames:
    """Consecutive frames and their source frames.

    Attributes:
        start: Index of the first frame.
        sources: The source frame of each, rising, shape (n,).
        shares: The position of each between its source frame and the next one, 0 to 1, shape (n,).
    """

    start: int
    sources: IndexArray
    shares: FloatArray

    @property
    def stop(self) -> int:
        """The index after the last one."""
        return self.start + len(self.sources)

    def first_from(self, frame: int) -> int:
        """Return the first frame that has a source frame or a later one as its source."""
        return self.start + int(np.searchsorted(self.sources, frame))


@dataclass(frozen=True)
class RigidTransform:
    """A turn about a point, then a shift.

    Attributes:
        offset: x, y, z; cm.
        degrees: The turn.
        pivot: The point to turn about (x, y; cm).
    """

    offset: tuple[float, float, float]
    degrees: float
    pivot: tuple[float, float]

    @classmethod
    def of(cls, metres: tuple[float, float, float], degrees: float, pivot: tuple[float, float]) -> Self:
        """Return the transform of an offset in metres.

        Args:
            metres: x, y, z.
            degrees: The turn.
            pivot: The point to turn about (x, y; cm).

        Raises:
            FieldError: A number is too large.
        """
        for number in (*metres, degrees):
            if not abs(number) < _FARTHEST:
                raise FieldError(
                    say("An actor is shifted by numbers of metres, and turned by degrees, that a recording can hold.")
                )
        x, y, z = metres
        return cls((100.0 * x, 100.0 * y, 100.0 * z), degrees, pivot)

    def pose(self, raw: bytes) -> bytes:
        """Return a location and rotation as stored (24 bytes, 48 in UE5), moved."""
        real = np.dtype("<f4" if len(raw) == 24 else "<f8")
        return self._moved_poses(np.frombuffer(raw, real).reshape(1, 6)).tobytes()

    def numbers(self, pose: FloatArray) -> FloatArray:
        """Return a location and rotation, float64[6], moved."""
        return np.asarray(self._moved_poses(pose.reshape(1, 6))[0], np.float64)

    def records(self, kind: PacketType, records: Bytes) -> Bytes:
        """Return records of a packet with all vectors in world axes moved.

        Args:
            kind: The packet type.
            records: Their bytes, shape (n, size).
        """
        moved = records.copy()
        for world, start, real in kind.record.vectors:
            place = slice(start, start + 3 * np.dtype(real).itemsize)
            vectors = np.ascontiguousarray(records[:, place]).view(real)
            moved[:, place] = self._moved(world, vectors).view(np.uint8)
        return moved

    def _moved_poses(self, poses: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        """Return locations and rotations, shape (n, 6), moved."""
        locations = self._moved("place", poses[:, :3])
        rotations = self._moved("rotation", poses[:, 3:])
        return np.concatenate([locations, rotations], axis=1)

    def _moved(self, world: World, vectors: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        """Return vectors of a kind, shape (n, 3), moved in their own width."""
        # Components that do not change keep their bits; signalling NaNs cause no warning.
        moved = vectors.copy()
        with np.errstate(invalid="ignore", over="ignore"):
            if world == "place":
                self._move_places(moved, vectors)
            elif self.degrees and world == "rotation":
                moved[:, 2] = (vectors[:, 2].astype(np.float64) + self.degrees + 180.0) % 360.0 - 180.0
            elif self.degrees:
                x, y = self._rotated(vectors[:, 0].astype(np.float64), vectors[:, 1].astype(np.float64))
                moved[:, 0] = x
                moved[:, 1] = y
        return moved

    def _move_places(self, moved: npt.NDArray[np.floating], places: npt.NDArray[np.floating]) -> None:
        """Set `moved` to places, shape (n, 3), that are turned and shifted."""
        axes: tuple[int, ...] = (0, 1, 2)
        if self.degrees:
            axes = (2,)
            pivot_x, pivot_y = self.pivot
            dx = places[:, 0].astype(np.float64) - pivot_x
            dy = places[:, 1].astype(np.float64) - pivot_y
            x, y = self._rotated(dx, dy)
            moved[:, 0] = x + pivot_x + self.offset[0]
            moved[:, 1] = y + pivot_y + self.offset[1]
        for axis in axes:
            if self.offset[axis]:
                moved[:, axis] = places[:, axis].astype(np.float64) + self.offset[axis]

    def _rotated(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return vectors on the ground, turned."""
        cos = math.cos(math.radians(self.degrees))
        sin = math.sin(math.radians(self.degrees))
        return x * cos - y * sin, x * sin + y * cos


@dataclass
class _Track:
    """The records of one packet kind in a window.

    Attributes:
        kind: The packet type.
        number: The part of the record of each frame; -1: it has none.
        place: The index of that record in its part; -1: the frame has none.
        parts: Arrays of records of one size, shape (records, size) each.
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
        """Return sizes of the records of frames, -1 without one."""
        sizes = [part.shape[1] for part in self.parts]
        sizes.append(-1)  # the number of frames without a record is the last index
        return np.array(sizes, np.int64)[self.number[frames]]

    def take(self, frames: IndexArray) -> Bytes:
        """Return the records of frames, all of one size, shape (frames, size)."""
        numbers = self.number[frames]
        places = self.place[frames]
        size = self.parts[int(numbers[0])].shape[1]
        records = np.empty((len(frames), size), np.uint8)
        for number in np.unique(numbers).tolist():
            is_in_part = numbers == number
            records[is_in_part] = self.parts[number][places[is_in_part]]
        return records


class Stream:
    """The per-frame records of a copy."""

    def __init__(
        self, snapshot: Snapshot, source: Snapshot, actor: int, frames: Frames, rigid: RigidTransform, new_id: int
    ) -> None:
        """Prepare the records.

        Args:
            snapshot: The recording that gets the copy.
            source: The recording of the life.
            actor: The id of the life in `source`.
            frames: Frames of the copy, with their sources.
            rigid: What moves it.
            new_id: The id of the copy.
        """
        self._table = snapshot.table
        self._source = source
        self._actor = actor
        self._frames = frames
        self._rigid = rigid
        self._id = np.frombuffer(new_id.to_bytes(4, "little"), np.uint8)
        self._patterns = Patterns(source.dialect.packet)
        # The window: source frames `[first, stop)` that are read, and their records by packet name.
        self._first = 0
        self._stop = 0
        self._tracks: Mapping[str, _Track] = {}

    def visit(self, uniform: UniformFrames) -> Iterator[tuple[UniformFrames, Streamed]]:
        """Yield groups of uniform frames that get records of the same sizes, with these records."""
        indices = self._table.frame_of_row(uniform.block.first) + uniform.rows - self._frames.start
        is_within = (indices >= 0) & (indices < len(self._frames.sources))
        if not is_within.all():
            yield select_frames(uniform, np.flatnonzero(~is_within)), {}
        chosen = np.flatnonzero(is_within)
        if not len(chosen):
            return
        sources, shares = self._loaded(indices[chosen])
        names = list(self._tracks)
        sizes_by_name = [track.sizes(sources) for track in self._tracks.values()]
        sizes = np.array(sizes_by_name).reshape(len(names), len(chosen))
        combinations, numbers = np.unique(sizes, axis=1, return_inverse=True)
        for number in range(combinations.shape[1]):
            group = np.flatnonzero(numbers.reshape(-1) == number)
            records: dict[str, Bytes] = {}
            for name, size in zip(names, combinations[:, number].tolist(), strict=True):
                if size >= 0:
                    records[name] = self._records(name, sources[group], shares[group])
            yield select_frames(uniform, chosen[group]), records

    def of_size(self, name: str, indices: IndexArray, size: int) -> tuple[IndexArray, Bytes]:
        """Return the records of a packet that have a size.

        Args:
            name: The name of the packet.
            indices: Frames, counted from the first one of the copy, rising.
            size: Bytes.

        Returns:
            Which of `indices` get such a record (n positions), and the records, shape (n, size).
        """
        sources, shares = self._loaded(indices)
        track = self._tracks.get(name)
        if track is None:
            return sources[:0], np.empty((0, size), np.uint8)
        positions = np.flatnonzero(track.sizes(sources) == size)
        if not len(positions):
            return positions, np.empty((0, size), np.uint8)
        return positions, self._records(name, sources[positions], shares[positions])

    def _loaded(self, indices: IndexArray) -> tuple[IndexArray, FloatArray]:
        """Read the sources of frames (rising, from the first one of the copy) into the window.

        Returns:
            The source frames, counted from the first of the window, and the shares.
        """
        sources = self._frames.sources[indices]
        shares = self._frames.shares[indices]
        self._load(int(sources[0]), _stop_of(sources, shares))
        return sources - self._first, shares

    def _records(self, name: str, sources: IndexArray, shares: FloatArray) -> Bytes:
        """Return the records of the copy at source frames of the window, all of one size."""
        track = self._tracks[name]
        records = track.take(sources)
        if track.kind.is_continuous:
            between = np.flatnonzero(shares)
            between = between[track.sizes(sources[between] + 1) == records.shape[1]]
            if len(between):
                following = track.take(sources[between] + 1)
                records[between] = interpolate_records(track.kind, records[between], following, shares[between])
        records = self._rigid.records(track.kind, records)
        start = track.kind.actor_offsets[0]
        records[:, start : start + 4] = self._id
        return records

    # --- the window -------------------------------------------------------------------------------------

    def _load(self, first: int, stop: int) -> None:
        """Read these source frames into the window."""
        if self._first <= first and stop <= self._stop:
            return
        end = _stop_of(self._frames.sources, self._frames.shares)
        stop = min(max(stop, first + _WINDOW), end)
        tracks: dict[str, _Track] = {}
        table = self._source.table
        for block in blocks(self._source, table.row_of_frame(first), table.row_of_frame(stop - 1) + 1):
            begin = table.frame_of_row(block.first) - first
            for uniform in self._patterns.groups(block, np.arange(len(block))):
                for records in uniform.lists:
                    self._collect(tracks, uniform, records, begin, stop - first)
        self._first = first
        self._stop = stop
        self._tracks = tracks

    def _collect(
        self, tracks: dict[str, _Track], uniform: UniformFrames, records: Records, begin: int, length: int
    ) -> None:
        """Add the records of the life in a record list to its tracks.

        Args:
            tracks: By packet name.
            uniform: The frames of the record list.
            records: The record list.
            begin: The first frame of the block, counted from the first of the window.
            length: Of the window.
        """
        kind = records.kind
        if kind.is_recorded_once or kind.actor_field is None or not len(records):
            return  # it has no records of actors in every frame
        is_own = records.numbers(uniform.data, kind.actor_offsets[0]) == self._actor
        rows = np.flatnonzero(is_own.any(axis=1))
        if not len(rows):
            return
        columns = len(records) - 1 - np.argmax(is_own[rows, ::-1], axis=1)
        track = tracks.get(kind.name)
        if track is None:
            track = _Track(kind, number=np.full(length, -1, np.int64), place=np.full(length, -1, np.int64))
            tracks[kind.name] = track
        for column in np.unique(columns).tolist():
            chosen = rows[columns == column]
            track.put(begin + uniform.rows[chosen], uniform.data[chosen, records.span(column)])


def _stop_of(sources: IndexArray, shares: FloatArray) -> int:
    """Return the index after the last source frame that is read: also the one after the last, if that has a share."""
    stop = int(sources[-1]) + 1
    if shares[-1]:
        stop += 1
    return stop
