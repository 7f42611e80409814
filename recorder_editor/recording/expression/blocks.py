"""The records of many frames as columns, without a Python loop per frame."""

from functools import cached_property
from typing import Any

import numpy as np

from ...arrays import AnyArray, FloatArray, IndexArray, IntArray, StructuredArray
from ...format.schema import Field, PacketType
from ..actors import Actors
from ..blocks import Block, RecordArray
from ..motion import at_keys, by_key, keys_of, speeds_at
from ..snapshot import Snapshot
from ..tracks import Tracks
from .records import Records
from .values import Column, Texts

_READ_AHEAD = 16 << 20  # bytes of the recording whose speeds are read together


class ActorColumns:
    """Blueprints, roles and speeds of actors as columns, read when needed."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._tracks = Tracks(snapshot)
        self._read = range(0)
        self._known, self._speeds = np.empty(0, np.uint64), np.empty(0)
        self._of: dict[str, tuple[IndexArray, list[str]]] = {}

    def texts(self, name: str, ids: AnyArray, frames: IntArray) -> Texts:
        """`blueprint` or `role` of the actors in their frames (arrays of one shape), empty if unknown."""
        actors = Actors.of(self._snapshot)
        if name not in self._of:
            words: dict[str, int] = {"": 0}
            texts = [life.blueprint if name == "blueprint" else life.role_name for life in actors.lives]
            # The last entry is for unknown actors, whose index is -1.
            codes = np.array([*(words.setdefault(text, len(words)) for text in texts), 0], np.intp)
            self._of[name] = codes, list(words)
        codes, listed = self._of[name]
        found = actors.indices_of(ids.ravel(), frames.ravel()).reshape(ids.shape)
        return Texts(codes[found], listed)

    def speeds(self, ids: AnyArray, frames: range) -> FloatArray:
        """Speeds of actors (frames, records) in these frames in m/s, NaN if unknown."""
        if frames.start < self._read.start or frames.stop > self._read.stop:
            ahead = max(len(frames), _READ_AHEAD * len(self._snapshot) // max(1, self._snapshot.size))
            self._read = range(frames.start, frames.start + ahead)
            self._known, self._speeds = by_key(self._tracks.speeds(frames=self._read))
        return at_keys(self._known, self._speeds, keys_of(np.arange(frames.start, frames.stop)[:, None], ids))


class BlockRecords(Records):
    """One packet of fixed-size records in every frame of a block; columns are of shape (frames, records).

    Attributes besides those of `Records`: `valid` (bool[frames, records]: records within the count of their body).
    `values` is writable.
    """

    values: StructuredArray

    def __init__(self, kind: PacketType, block: Block, packet: int, first: int, names: ActorColumns) -> None:
        """`packet` is its index in the layout, `first` the index of the block's first frame."""
        records = RecordArray(kind, block.bodies(packet))
        frames = first + np.arange(len(block))[:, None]
        super().__init__(kind, records.shape, records.values, frames, block.rows["elapsed"][:, None])
        self.valid = records.valid
        self._names = names

    @cached_property
    def _ids(self) -> AnyArray:
        return np.ascontiguousarray(self.values["id"])

    def speeds(self) -> FloatArray:
        first = int(self.frames[0, 0])
        return self._names.speeds(self._ids, range(first, first + self.shape[0]))

    def names(self, name: str) -> Texts:
        return self._names.texts(name, self._ids, np.broadcast_to(self.frames, self.shape))


class TrackRecords(Records):
    """The records of a track that was read under its packet's name (`Tracks.read`), as flat columns."""

    values: StructuredArray

    def __init__(self, kind: PacketType, table: StructuredArray, snapshot: Snapshot) -> None:
        frames = table["frame"].astype(np.int64)
        super().__init__(kind, table.shape, table, frames, snapshot.elapsed[frames])
        self._snapshot = snapshot

    def speeds(self) -> FloatArray:
        ids = self.values["id"]
        return speeds_at(Tracks(self._snapshot).speeds(np.unique(ids).tolist()), ids, self.frames)

    def names(self, name: str) -> Texts:
        return ActorColumns(self._snapshot).texts(name, self.values["id"], self.frames)


class RecordSubset:
    """Some of the given records, by the indices `entries`, as flat columns."""

    def __init__(self, records: Records, entries: tuple[IndexArray, ...]) -> None:
        self._records, self._entries = records, entries

    def column(self, name: str) -> Column:
        """A field or a derived value of every record."""
        column = self._records.column(name)
        if isinstance(column, Texts):
            return column[self._entries]
        subset: AnyArray = np.broadcast_to(column, self._records.shape)[self._entries]
        return subset

    @cached_property
    def frames(self) -> IntArray:
        """The frame index of each record."""
        frames: IntArray = np.broadcast_to(self._records.frames, self._records.shape)[self._entries]
        return frames


def bits_of(field: Field) -> np.dtype[Any]:
    """The unsigned integer type of a field's width; copying floats as integers keeps all NaN bits."""
    return np.dtype(f"<u{field.width}")
