"""Records of one packet as columns, with derived columns: speed, heading, time, location, blueprint, role.

`blocks` has the same for blocks of frames.
"""

from dataclasses import dataclass, field

import numpy as np

from ...arrays import FloatArray, IntArray, StructuredArray
from ...format.schema import CODES, PacketType
from ..actors import Actors
from ..motion import speeds_in
from ..snapshot import Snapshot
from ..views import Frame, Packet
from .values import Column, Texts

CENTIMETRES = 100


@dataclass(eq=False, repr=False)
class Records:
    """Columns of records, cached; arrays of any shape that broadcast to `shape`.

    Attributes: `kind`, `shape`, `values` (a structured array of the fields; None for records of variable length),
    `frames` (the frame index of each record), `times` (the elapsed seconds of its frame).
    """

    kind: PacketType
    shape: tuple[int, ...]
    values: StructuredArray | None
    frames: IntArray
    times: FloatArray
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
        if name == "speed":
            return self.speeds() if self.kind.actor_field is not None else np.full(self.shape, np.nan)
        return self.names(name) if self.kind.actor_field is not None else empty_texts(self.shape)

    def _number(self, path: str) -> FloatArray:
        if path in self.kind.record.fields:
            return np.asarray(self.column(path), np.float64)
        return np.full(self.shape, np.nan)

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
        super().__init__(packet.type, shape, values, np.full(shape, frame.index), np.full(shape, frame.elapsed))
        self._snapshot, self._frame, self._body, self._actors = snapshot, frame, packet.decoded, actors

    def stored(self, path: str) -> Column:
        if self.values is not None:
            return self.values[path]
        body, field = self._body, self.kind.record.fields[path]
        leaves = [body.leaf(record, path) for record in range(len(body))]
        if field.type == "str":
            texts = [body.data[leaf.start + 2 : leaf.stop].decode("utf-8", "surrogateescape") for leaf in leaves]
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
        lives = [actors.at(actor, self._frame.index) for actor in self._ids()]
        words = ["" if life is None else life.blueprint if name == "blueprint" else life.role_name for life in lives]
        return Texts(np.arange(len(words)), words)
