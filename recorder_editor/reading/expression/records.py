"""Records of one packet as columns, with derived columns: speed, heading, time, location, lane, blueprint, role.

The records of one packet, of one packet in every frame of a block, and of a track; no Python loop per frame.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...arrays import AnyArray, FloatArray, IndexArray, IntArray, StructuredArray
from ...format import Field, PacketType
from ...format.schema import CODES
from ...recording.blocks import FrameBlock, RecordArray
from ...recording.snapshot import Frame, Packet, Snapshot
from ...roads import LANE_TYPES, RoadMap
from ..actors import Actors
from ..lanes import LanePlaces
from ..motion import at_keys, by_key, keys_of, speeds_at
from ..tracks import Tracks, speeds_in
from .values import Column, Texts

CENTIMETRES = 100
LANE_NAMES = ("lane", "lane_type", "lane_offset", "in_junction", "off_road", "wrong_way")
"""The derived columns of records with a place that need a road map; without one they are NaN, empty or false."""


@dataclass(eq=False, repr=False)
class Records:
    """Columns of records, cached; arrays of any shape that broadcast to `shape`.

    Attributes: `kind`, `shape`, `values` (a structured array of the fields; None for records of variable length),
    `frames` (the frame index of each record), `times` (the elapsed seconds of its frame), `roads` (the road map, or
    None).
    """

    kind: PacketType
    shape: tuple[int, ...]
    values: StructuredArray | None
    frames: IntArray
    times: FloatArray
    roads: RoadMap | None = None
    _columns: dict[str, Column] = field(init=False, default_factory=dict)

    def column(self, name: str) -> Column:
        """A field or a derived value of every record."""
        if name not in self._columns:
            self._columns[name] = self._make(name)
        return self._columns[name]

    def _make(self, name: str) -> Column:
        if name in self.kind.record.fields:
            return self.stored(name)
        if name == "frame":
            return self.frames + 1
        if name == "time":
            return self.times
        if name in ("x", "y", "z"):
            return self._number(f"location.{name}") / CENTIMETRES
        if name == "heading":
            return self._number("rotation.yaw")
        if name in LANE_NAMES:
            return self._of_lanes(name)
        if name == "speed":
            if self.kind.actor_field is not None:
                return self.speeds()
            return np.full(self.shape, np.nan)
        if self.kind.actor_field is not None:
            return self.names(name)
        return empty_texts(self.shape)

    def _number(self, path: str) -> FloatArray:
        if path in self.kind.record.fields:
            return np.asarray(self.column(path), np.float64)
        return np.full(self.shape, np.nan)

    def _of_lanes(self, name: str) -> Column:
        places = self._lanes
        if places is None:
            if name == "lane_type":
                return empty_texts(self.shape)
            return np.full(self.shape, np.nan if name in _METRIC else 0)
        if name == "lane_type":
            return Texts(places.type.reshape(self.shape), (*LANE_TYPES, ""))
        if name == "lane":
            return places.of_lane("lane_id", np.nan).reshape(self.shape)
        values: AnyArray = places.found["offset"] if name == "lane_offset" else getattr(places, name)
        return values.reshape(self.shape)

    @cached_property
    def _lanes(self) -> LanePlaces | None:
        """The lanes at the places of all records; None without a map."""
        if self.roads is None:
            return None
        paths = ("location.x", "location.y", "location.z", "rotation.yaw")
        return LanePlaces.at(self.roads, *(np.broadcast_to(self._number(each), self.shape).ravel() for each in paths))

    def stored(self, path: str) -> Column:
        """A field in its own type."""
        assert self.values is not None
        return self.values[path]

    # --- for records with an actor ----------------------------------------------------------------------

    def speeds(self) -> FloatArray:
        """Speed in m/s as `motion` defines it, NaN if unknown."""
        raise NotImplementedError

    def names(self, name: str) -> Texts:
        """`blueprint` or `role` of each record's actor, empty if unknown."""
        raise NotImplementedError


def empty_texts(shape: tuple[int, ...]) -> Texts:
    """Empty texts."""
    return Texts(np.zeros(shape, np.intp), ("",))


class PacketRecords(Records):
    """The complete records of one packet; without `actors`, blueprints and roles are empty."""

    def __init__(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> None:
        shape = (len(packet.decoded),)
        values = packet.array if packet.type.dtype is not None else None
        times = np.full(shape, frame.elapsed)
        super().__init__(packet.type, shape, values, np.full(shape, frame.index), times, snapshot.roads)
        self._snapshot = snapshot
        self._frame = frame
        self._body = packet.decoded
        self._actors = actors

    def stored(self, path: str) -> Column:
        if self.values is not None:
            return self.values[path]
        body = self._body
        field = self.kind.record.fields[path]
        leaves = [body.leaf(record, path) for record in range(len(body))]
        if field.type == "str":
            texts = []
            for leaf in leaves:
                texts.append(body.data[leaf.start + 2 : leaf.stop].decode("utf-8", "surrogateescape"))
            return Texts(np.arange(len(body)), texts)
        data = b"".join([body.data[leaf.start : leaf.stop] for leaf in leaves])
        return np.frombuffer(data, "<" + CODES[field.type])

    def _ids(self) -> list[int]:
        ids = self.column("id")
        assert isinstance(ids, np.ndarray)
        listed: list[int] = ids.tolist()
        return listed

    def speeds(self) -> FloatArray:
        known = speeds_in(self._snapshot, self._frame)
        return np.array([known.get(actor, np.nan) for actor in self._ids()], np.float64)

    def names(self, name: str) -> Texts:
        actors = self._actors
        if actors is None:
            return empty_texts(self.shape)
        lives = []
        for actor in self._ids():
            lives.append(actors.at(actor, self._frame.index))
        words = []
        for life in lives:
            words.append("" if life is None else life.blueprint if name == "blueprint" else life.role_name)
        return Texts(np.arange(len(words)), words)


_METRIC = ("lane", "lane_offset")
_READ_AHEAD = 16 << 20  # bytes of the recording whose speeds are read together


# --- in blocks of frames --------------------------------------------------------------------------------


class ActorColumns:
    """Blueprints, roles and speeds of actors as columns, read when needed. Attribute: `roads` (the map, or None)."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.roads = snapshot.roads
        self._tracks = Tracks(snapshot)
        self._read = range(0)
        self._known = np.empty(0, np.uint64)
        self._speeds = np.empty(0)
        self._of: dict[str, tuple[IndexArray, list[str]]] = {}

    def texts(self, name: str, ids: AnyArray, frames: IntArray) -> Texts:
        """`blueprint` or `role` of the actors in their frames (arrays of one shape), empty if unknown."""
        actors = Actors.of(self._snapshot)
        if name not in self._of:
            words: dict[str, int] = {"": 0}
            texts = []
            for life in actors.lives:
                texts.append(life.blueprint if name == "blueprint" else life.role_name)
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

    def __init__(self, kind: PacketType, block: FrameBlock, packet: int, first: int, names: ActorColumns) -> None:
        """`packet` is its index in the layout, `first` the index of the block's first frame."""
        records = RecordArray(kind, block.bodies(packet))
        frames = first + np.arange(len(block))[:, None]
        super().__init__(kind, records.shape, records.values, frames, block.rows["elapsed"][:, None], names.roads)
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
        super().__init__(kind, table.shape, table, frames, snapshot.elapsed[frames], snapshot.roads)
        self._snapshot = snapshot

    def speeds(self) -> FloatArray:
        ids = self.values["id"]
        return speeds_at(Tracks(self._snapshot).speeds(np.unique(ids).tolist()), ids, self.frames)

    def names(self, name: str) -> Texts:
        return ActorColumns(self._snapshot).texts(name, self.values["id"], self.frames)


class RecordSubset:
    """Some of the given records, by the indices `entries`, as flat columns."""

    def __init__(self, records: Records, entries: tuple[IndexArray, ...]) -> None:
        self._records = records
        self._entries = entries

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
        return np.asarray(np.broadcast_to(self._records.frames, self._records.shape)[self._entries])


def bits_of(field: Field) -> np.dtype:
    """The unsigned integer type of a field's width; copying floats as integers keeps all NaN bits."""
    return np.dtype(f"<u{field.width}")
