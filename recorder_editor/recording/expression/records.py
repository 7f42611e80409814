"""Records as columns, and what is worked out from them: speed, heading, time, place, who it is.

Of one packet, for whoever looks at a frame; of whole blocks of frames there is `blocks`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ...format.schema import PacketType, Run, Struct
from ..actors import Actors
from ..motion import speeds_in
from ..snapshot import Snapshot
from ..views import Frame, Packet
from .values import Column, Texts

Numbers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]
CENTIMETRES = 100


class Records:
    """Columns of records, each made once; an array of any shape that broadcasts to `shape`."""

    def __init__(self, kind: PacketType, shape: tuple[int, ...]) -> None:
        self.kind = kind
        self.shape = shape
        self._columns: dict[str, Column] = {}

    def column(self, name: str) -> Column:
        """A field or a derived value of every record."""
        made = self._columns.get(name)
        if made is None:
            made = self._columns[name] = self._made(name)
        return made

    def _made(self, name: str) -> Column:
        if name in self.kind.record.fields:
            return self.stored(name)
        if name == "frame":
            return self.frames() + 1
        if name == "time":
            return self.times()
        if name in ("x", "y", "z"):
            return self._number(f"location.{name}") / CENTIMETRES
        if name == "heading":
            return self._number("rotation.yaw")
        if name == "speed":
            return self.speeds() if self.kind.actor_field is not None else np.full(self.shape, np.nan)
        return self.told(name) if self.kind.actor_field is not None else nothing(self.shape)

    def _number(self, path: str) -> Reals:
        if path in self.kind.record.fields:
            return np.asarray(self.column(path), np.float64)
        return np.full(self.shape, np.nan)

    # --- what the subclasses know -----------------------------------------------------------------------

    def stored(self, path: str) -> Column:
        """A field, in its own type."""
        raise NotImplementedError

    def frames(self) -> Numbers:
        """The frame index of each record."""
        raise NotImplementedError

    def times(self) -> Reals:
        """The elapsed seconds of each record's frame."""
        raise NotImplementedError

    def speeds(self) -> Reals:
        """Speed in m/s as `speeds_in` tells it, NaN where nothing does."""
        raise NotImplementedError

    def told(self, name: str) -> Texts:
        """`blueprint` or `role` of each record's actor, empty for nobody."""
        raise NotImplementedError


def nothing(shape: tuple[int, ...]) -> Texts:
    """Empty texts."""
    return Texts(np.zeros(shape, np.intp), ("",))


class PacketRecords(Records):
    """The whole records of one packet; `actors` None: nobody is known yet."""

    def __init__(self, snapshot: Snapshot, frame: Frame, packet: Packet, actors: Actors | None) -> None:
        super().__init__(packet.type, (len(packet.decoded),))
        self._snapshot, self._frame, self._packet, self._actors = snapshot, frame, packet, actors

    def stored(self, path: str) -> Column:
        body = self._packet.decoded
        if self.kind.dtype is not None:
            return body.array[path]
        number = len(body)
        field = self.kind.record.fields[path]
        if field.type == "str":
            leaves = [body.leaf(record, path) for record in range(number)]
            texts = [body.data[leaf.start + 2 : leaf.stop].decode("utf-8", "surrogateescape") for leaf in leaves]
            return Texts(np.arange(number), texts)
        begin = _place_in_front(self.kind.record, path)
        if begin is not None:
            starts = [body.span(record)[0] + begin for record in range(number)]
        else:
            starts = [body.leaf(record, path).start for record in range(number)]
        width = field.width
        assert width is not None
        bytes_ = np.frombuffer(body.data, np.uint8)
        places = np.array(starts, np.int64).reshape(-1, 1) + np.arange(width)
        values: npt.NDArray[Any] = np.ascontiguousarray(bytes_[places]).view(number_type(field.type))[:, 0]
        return values

    def frames(self) -> Numbers:
        return np.full(self.shape, self._frame.index)

    def times(self) -> Reals:
        return np.full(self.shape, self._frame.elapsed)

    def _ids(self) -> list[int]:
        ids = self.column("id")
        assert isinstance(ids, np.ndarray)
        listed: list[int] = ids.tolist()
        return listed

    def speeds(self) -> Reals:
        known = speeds_in(self._snapshot, self._frame)
        return np.array([known.get(actor, np.nan) for actor in self._ids()], np.float64)

    def told(self, name: str) -> Texts:
        actors = self._actors
        if actors is None:
            return nothing(self.shape)
        lives = [actors.at(actor, self._frame.index) for actor in self._ids()]
        words = ["" if life is None else life.blueprint if name == "blueprint" else life.role_name for life in lives]
        return Texts(np.arange(len(words)), words)


def number_type(name: str) -> np.dtype[Any]:
    """The little-endian numpy dtype of a field's type; booleans are u1."""
    return np.dtype("u1" if name == "bool" else f"<{name[0]}{int(name[1:]) // 8}")


def _place_in_front(record: Struct, path: str) -> int | None:
    """Where a field is from the beginning of its record, for those before the first string or list."""
    run = record.steps[0] if record.steps else None
    if isinstance(run, Run):
        for field, place in zip(run.fields, run.places, strict=True):
            if field.path == path:
                return place
    return None
