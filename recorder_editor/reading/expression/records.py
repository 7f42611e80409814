"""Records of one packet as columns, with derived columns: speed, heading, time, location, lane, blueprint, role, and
the worst measures of the actor with others near it.

The records of one packet, of one packet in every frame of a block, and of a track; no Python loop per frame.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from ...arrays import AnyArray, FloatArray, IndexArray, IntArray, StructuredArray, UInt64Array
from ...format import Field, PacketType
from ...format.schema import CODES
from ...recording.blocks import FrameBlock, RecordArray
from ...recording.snapshot import Frame, Packet, Snapshot
from ...roads import LANE_TYPES, RoadMap
from ..actors import Actors
from ..lanes import LanePlaces
from ..lives import Life
from ..motion import at_keys, by_key, keys_of, speeds_at
from ..pair_signals import PAIR_MEASURES, PairMeasure
from ..tracks import Tracks, speeds_in
from ..worst_measures import WorstMeasures
from .values import Column, Texts

CENTIMETRES = 100
LANE_NAMES = ("lane", "lane_type", "lane_offset", "in_junction", "off_road", "wrong_way")
"""The derived columns of records with a place that need a road map; without one they are NaN, empty or false."""


@dataclass(eq=False, repr=False)
class Records:
    """Columns of records, cached; arrays of any shape that broadcast to `shape`.

    Attributes:
        kind: The packet type.
        shape: The shape of the columns.
        values: The fields as a structured array; None for records of variable length.
        frames: The frame index of each record.
        times: The elapsed seconds of its frame.
        roads: The road map, or None.
    """

    kind: PacketType
    shape: tuple[int, ...]
    values: StructuredArray | None
    frames: IntArray
    times: FloatArray
    roads: RoadMap | None = None
    _columns: dict[str, Column] = field(init=False, default_factory=dict)

    def column(self, name: str) -> Column:
        """Return a field or a derived value of every record."""
        if name not in self._columns:
            self._columns[name] = self._compute(name)
        return self._columns[name]

    def _compute(self, name: str) -> Column:
        """Return a column that is not in the cache."""
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
        has_actor = self.kind.actor_field is not None
        if name == "speed":
            return self.speeds() if has_actor else np.full(self.shape, np.nan)
        if name in PAIR_MEASURES:
            return self.worst(PAIR_MEASURES[name]) if has_actor else np.full(self.shape, np.nan)
        return self.names(name) if has_actor else empty_texts(self.shape)

    def _number(self, path: str) -> FloatArray:
        """Return a field as float64, NaN where records have none of that path."""
        if path in self.kind.record.fields:
            return np.asarray(self.column(path), np.float64)
        return np.full(self.shape, np.nan)

    def _of_lanes(self, name: str) -> Column:
        """Return a derived column that needs the road map."""
        places = self._lanes
        if places is None:
            if name == "lane_type":
                return empty_texts(self.shape)
            return np.full(self.shape, np.nan if name in _METRIC else 0)
        if name == "lane_type":
            return Texts(places.type.reshape(self.shape), (*LANE_TYPES, ""))
        values: AnyArray
        if name == "lane":
            values = places.of_lane("lane_id", np.nan)
        elif name == "lane_offset":
            values = places.locations["offset"]
        elif name == "in_junction":
            values = places.in_junction
        elif name == "off_road":
            values = places.off_road
        else:
            values = places.wrong_way
        return values.reshape(self.shape)

    @cached_property
    def _lanes(self) -> LanePlaces | None:
        """The lanes at the places of all records; None without a map."""
        if self.roads is None:
            return None
        return LanePlaces.at(
            self.roads,
            x=self._flat("location.x"),
            y=self._flat("location.y"),
            z=self._flat("location.z"),
            yaw=self._flat("rotation.yaw"),
        )

    def _flat(self, path: str) -> FloatArray:
        """Return a field of every record as float64[n]."""
        return np.broadcast_to(self._number(path), self.shape).ravel()

    def stored(self, path: str) -> Column:
        """Return a field in its own type."""
        assert self.values is not None
        return self.values[path]

    # --- for records with an actor ----------------------------------------------------------------------

    def speeds(self) -> FloatArray:
        """Return the speed in m/s as `motion` defines it, NaN if unknown: float64 of the shape."""
        raise NotImplementedError

    def worst(self, measure: PairMeasure) -> FloatArray:
        """Return the worst value of a measure as `worst_measures` defines it, NaN without one: float64 of the shape."""
        raise NotImplementedError

    def names(self, name: str) -> Texts:
        """Return `blueprint`, `role` or `class` of each record's actor, empty if unknown."""
        raise NotImplementedError


def empty_texts(shape: tuple[int, ...]) -> Texts:
    """Return empty texts of a shape."""
    return Texts(np.zeros(shape, np.intp), ("",))


def actor_text(life: Life, name: str) -> str:
    """Return the blueprint of a life, or for the name `role` its role name, for `class` its class."""
    if name == "blueprint":
        return life.blueprint
    if name == "class":
        return life.class_
    return life.role_name


class PacketRecords(Records):
    """The complete records of one packet; without `actors`, blueprints and roles are empty, and measures NaN."""

    def __init__(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> None:
        shape = (len(packet.decoded),)
        super().__init__(
            kind=packet.type,
            shape=shape,
            values=packet.array if packet.type.dtype is not None else None,
            frames=np.full(shape, frame.index),
            times=np.full(shape, frame.elapsed),
            roads=snapshot.roads,
        )
        self._snapshot = snapshot
        self._frame = frame
        self._body = packet.decoded
        self._actors = actors

    def stored(self, path: str) -> Column:
        """Return a field in its own type; of records of variable length it is read from the body."""
        if self.values is not None:
            return self.values[path]
        body = self._body
        field = self.kind.record.fields[path]
        parts: list[bytes] = []
        for record in range(len(body)):
            leaf = body.leaf(record, path)
            parts.append(body.data[leaf.start : leaf.stop])
        if field.type == "str":
            texts = []
            for part in parts:
                texts.append(part[2:].decode("utf-8", "surrogateescape"))  # behind the u16 number of its bytes
            return Texts(np.arange(len(body)), texts)
        return np.frombuffer(b"".join(parts), "<" + CODES[field.type])

    def _ids(self) -> list[int]:
        """Return the id in each record."""
        ids: list[int] = self._id_column().tolist()
        return ids

    def speeds(self) -> FloatArray:
        """Return the speed in m/s, NaN if unknown: float64[n]."""
        speeds = speeds_in(self._snapshot, self._frame)
        return np.array([speeds.get(actor, np.nan) for actor in self._ids()], np.float64)

    def worst(self, measure: PairMeasure) -> FloatArray:
        """Return the worst value of a measure, NaN without one: float64[n]."""
        if self._actors is None:
            return np.full(self.shape, np.nan)
        index = self._frame.index
        keys, values = WorstMeasures.of(self._snapshot).read(measure, range(index, index + 1))
        return at_keys(keys, values, keys_of(self.frames, self._id_column()))

    def _id_column(self) -> AnyArray:
        column = self.column("id")
        assert isinstance(column, np.ndarray)
        return column

    def names(self, name: str) -> Texts:
        """Return `blueprint`, `role` or `class` of each record's actor, empty if unknown."""
        actors = self._actors
        if actors is None:
            return empty_texts(self.shape)
        texts = []
        for actor in self._ids():
            life = actors.at(actor, self._frame.index)
            texts.append(actor_text(life, name) if life is not None else "")
        return Texts(np.arange(len(texts)), texts)


_METRIC = ("lane", "lane_offset")
_READ_AHEAD = 16 << 20  # bytes of the recording for which values of actors are read together


# --- in blocks of frames --------------------------------------------------------------------------------


class _ReadAhead:
    """Numbers of actors by frame, read for more frames than those that are asked for."""

    def __init__(self, snapshot: Snapshot, read: Callable[[range], tuple[UInt64Array, FloatArray]]) -> None:
        """Take the function that reads.

        Args:
            snapshot: The state of the recording.
            read: Returns for frames that follow one another rising keys of frame and id, and their values.
        """
        self._read = read
        self._share = _READ_AHEAD * len(snapshot) // max(1, snapshot.size)
        self._frames_read = range(0)
        self._keys = np.empty(0, np.uint64)
        self._values = np.empty(0)

    def at(self, ids: AnyArray, frames: range) -> FloatArray:
        """Return the numbers of actors.

        Args:
            ids: The ids of actors, of shape (frames, records).
            frames: The indices of these frames, with a step of 1.

        Returns:
            float64 of the same shape, NaN if unknown.
        """
        if frames.start < self._frames_read.start or frames.stop > self._frames_read.stop:
            self._frames_read = range(frames.start, frames.start + max(len(frames), self._share))
            self._keys, self._values = self._read(self._frames_read)
        keys = keys_of(np.arange(frames.start, frames.stop)[:, None], ids)
        return at_keys(self._keys, self._values, keys)


class ActorColumns:
    """Blueprints, roles, speeds and worst measures of actors as columns, read when needed.

    Attributes:
        roads: The road map, or None.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.roads = snapshot.roads
        self._speeds = _ReadAhead(snapshot, self._read_speeds)
        self._worst: dict[str, _ReadAhead] = {}
        self._texts: dict[str, tuple[IndexArray, list[str]]] = {}

    def texts(self, name: str, ids: AnyArray, frames: IntArray) -> Texts:
        """Return a text of actors in their frames.

        Args:
            name: `blueprint`, `role` or `class`.
            ids: The ids of actors, of any shape.
            frames: The frame index of each, of the same shape.

        Returns:
            The texts, of the same shape; empty if unknown.
        """
        actors = Actors.of(self._snapshot)
        if name not in self._texts:
            code_of = {"": 0}
            codes = []
            for life in actors.lives:
                codes.append(code_of.setdefault(actor_text(life, name), len(code_of)))
            codes.append(0)  # for unknown actors, the index of which is -1
            self._texts[name] = np.array(codes, np.intp), list(code_of)
        codes_of_lives, distinct = self._texts[name]
        lives = actors.indices_of(ids.ravel(), frames.ravel()).reshape(ids.shape)
        return Texts(codes_of_lives[lives], distinct)

    def speeds(self, ids: AnyArray, frames: range) -> FloatArray:
        """Return the speeds of actors in m/s.

        Args:
            ids: The ids of actors, of shape (frames, records).
            frames: The indices of these frames, with a step of 1.

        Returns:
            float64 of the same shape, NaN if unknown.
        """
        return self._speeds.at(ids, frames)

    def _read_speeds(self, frames: range) -> tuple[UInt64Array, FloatArray]:
        return by_key(Tracks(self._snapshot).speeds(frames=frames))

    def worst(self, measure: PairMeasure, ids: AnyArray, frames: range) -> FloatArray:
        """Return the worst values of a measure of actors with those near them.

        Args:
            measure: The measure.
            ids: The ids of actors, of shape (frames, records).
            frames: The indices of these frames, with a step of 1.

        Returns:
            float64 of the same shape, NaN without one.
        """
        if measure.name not in self._worst:
            measures = WorstMeasures.of(self._snapshot)
            self._worst[measure.name] = _ReadAhead(self._snapshot, partial(measures.read, measure))
        return self._worst[measure.name].at(ids, frames)


class BlockRecords(Records):
    """One packet of fixed-size records in every frame of a block; columns are of shape (frames, records).

    Attributes:
        values: The fields as a structured array, which is writable.
        valid: Whether a record is within the count of its body: bool[frames, records].
    """

    values: StructuredArray

    def __init__(self, kind: PacketType, block: FrameBlock, packet: int, first: int, names: ActorColumns) -> None:
        """Read one packet of a block.

        Args:
            kind: The packet type.
            block: The frames.
            packet: The index of the packet in the layout.
            first: The index of the block's first frame.
            names: What gives blueprints, roles, speeds and measures.
        """
        records = RecordArray(kind, block.bodies(packet))
        super().__init__(
            kind=kind,
            shape=records.shape,
            values=records.values,
            frames=first + np.arange(len(block))[:, None],
            times=block.rows["elapsed"][:, None],
            roads=names.roads,
        )
        self.valid = records.valid
        self._names = names

    @cached_property
    def _ids(self) -> AnyArray:
        return np.ascontiguousarray(self.values["id"])

    def speeds(self) -> FloatArray:
        """Return the speed in m/s, NaN if unknown: float64[frames, records]."""
        return self._names.speeds(self._ids, self._span)

    def worst(self, measure: PairMeasure) -> FloatArray:
        """Return the worst value of a measure, NaN without one: float64[frames, records]."""
        return self._names.worst(measure, self._ids, self._span)

    @property
    def _span(self) -> range:
        """The frames of the block."""
        first = int(self.frames[0, 0])
        return range(first, first + self.shape[0])

    def names(self, name: str) -> Texts:
        """Return `blueprint`, `role` or `class` of each record's actor, empty if unknown."""
        return self._names.texts(name, self._ids, np.broadcast_to(self.frames, self.shape))


class TrackRecords(Records):
    """The records of a track that was read under its packet's name (`Tracks.read`), as flat columns."""

    values: StructuredArray

    def __init__(self, kind: PacketType, table: StructuredArray, snapshot: Snapshot) -> None:
        """Take over a table.

        Args:
            kind: The packet type.
            table: The track.
            snapshot: The state of the recording that it was read from.
        """
        frames = table["frame"].astype(np.int64)
        super().__init__(
            kind=kind,
            shape=table.shape,
            values=table,
            frames=frames,
            times=snapshot.elapsed[frames],
            roads=snapshot.roads,
        )
        self._snapshot = snapshot

    def speeds(self) -> FloatArray:
        """Return the speed in m/s, NaN if unknown: float64[n]."""
        ids = self.values["id"]
        return speeds_at(Tracks(self._snapshot).speeds(np.unique(ids).tolist()), ids, self.frames)

    def worst(self, measure: PairMeasure) -> FloatArray:
        """Return the worst value of a measure, NaN without one: float64[n]."""
        if not len(self.frames):
            return np.full(self.shape, np.nan)
        ids = self.values["id"]
        frames = range(int(self.frames.min()), int(self.frames.max()) + 1)
        keys, values = WorstMeasures.of(self._snapshot).read(measure, frames, np.unique(ids))
        return at_keys(keys, values, keys_of(self.frames, ids))

    def names(self, name: str) -> Texts:
        """Return `blueprint`, `role` or `class` of each record's actor, empty if unknown."""
        return ActorColumns(self._snapshot).texts(name, self.values["id"], self.frames)


class RecordSubset:
    """Some of the given records, by the indices `entries`, as flat columns."""

    def __init__(self, records: Records, entries: tuple[IndexArray, ...]) -> None:
        self._records = records
        self._entries = entries

    def column(self, name: str) -> Column:
        """Return a field or a derived value of every record."""
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
    """Return the unsigned integer type of a field's width; copying floats as integers keeps all NaN bits."""
    return np.dtype(f"<u{field.width}")
