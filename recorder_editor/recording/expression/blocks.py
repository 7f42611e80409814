"""The records of many frames as columns, without a Python loop per frame: what the expression language is fast by."""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...format.schema import Field, PacketType
from ..actors import Actors
from ..blocks import Block, RecordArray
from ..motion import driven
from ..snapshot import Snapshot
from .records import Numbers, Reals, Records
from .values import Column, Texts

_AXES = ("x", "y", "z")
_OF_AN_ID = np.uint64(32)


class Names:
    """Blueprints and roles of all lives, each different one once; read when somebody asks."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._of: dict[str, tuple[npt.NDArray[np.intp], list[str]]] = {}

    def told(self, name: str, ids: npt.NDArray[Any], frames: Numbers) -> Texts:
        """`blueprint` or `role` of the actors in their frames (arrays of one shape), empty for nobody."""
        actors = Actors.of(self._snapshot)
        if name not in self._of:
            words: dict[str, int] = {"": 0}
            texts = [life.blueprint if name == "blueprint" else life.role_name for life in actors.lives]
            # The last entry stands for nobody, whose index is -1.
            codes = np.array([*(words.setdefault(text, len(words)) for text in texts), 0], np.intp)
            self._of[name] = codes, list(words)
        codes, listed = self._of[name]
        found = actors.indices_of(ids.ravel(), frames.ravel()).reshape(ids.shape)
        return Texts(codes[found], listed)


class FrameRecords(Records):
    """The FrameStarts of rows of the frame table, `first` being the index of the first frame."""

    def __init__(self, kind: PacketType, rows: npt.NDArray[np.void], first: int) -> None:
        super().__init__(kind, (len(rows),))
        self._rows, self._first = rows, first

    def stored(self, path: str) -> Column:
        values: npt.NDArray[Any] = self._rows[path]
        return values

    def frames(self) -> Numbers:
        return self._first + np.arange(len(self._rows))

    def times(self) -> Reals:
        values: Reals = self._rows["elapsed"]
        return values


class BlockRecords(Records):
    """One packet of fixed-size records in every frame of a block; columns are of shape (frames, records).

    Attributes: `view` (all of them, a structured view that can be written), `valid` (those that their frame's count
    means: bool[frames, records]).
    """

    def __init__(
        self, snapshot: Snapshot, kind: PacketType, block: Block, packet: int, first: int, names: Names
    ) -> None:
        """`packet` is its index in the layout, `first` the index of the block's first frame."""
        records = RecordArray(kind, block.bodies(packet))
        self.view, self.valid = records.values, records.valid
        super().__init__(kind, records.shape)
        self._snapshot, self._block, self._first, self._names = snapshot, block, first, names

    def stored(self, path: str) -> Column:
        values: npt.NDArray[Any] = self.view[path]
        return values

    def frames(self) -> Numbers:
        return self._first + np.arange(self.shape[0])[:, None]

    def times(self) -> Reals:
        values: Reals = self._block.rows["elapsed"][:, None]
        return values

    def _ids(self) -> npt.NDArray[Any]:
        return np.ascontiguousarray(self.view["id"])

    def speeds(self) -> Reals:
        return speeds_of(self._snapshot, self._block, self._first, self._ids())

    def told(self, name: str) -> Texts:
        ids = self._ids()
        return self._names.told(name, ids, np.broadcast_to(self.frames(), ids.shape))


class Picked:
    """Some of the records of others, as flat columns; `entries` index them."""

    def __init__(self, records: Records, entries: tuple[npt.NDArray[np.intp], ...]) -> None:
        self._records, self._entries = records, entries

    def column(self, name: str) -> Column:
        """A field or a derived value of every record."""
        found = self._records.column(name)
        if isinstance(found, Texts):
            return found[self._entries]
        picked: npt.NDArray[Any] = np.broadcast_to(found, self._records.shape)[self._entries]
        return picked

    @cached_property
    def frames(self) -> Numbers:
        """The frame index of each."""
        frames: Numbers = np.broadcast_to(self._records.frames(), self._records.shape)[self._entries]
        return frames


def bits_of(field: Field) -> np.dtype[Any]:
    """The unsigned integers as wide as a field: moving floats as such leaves every NaN as it is."""
    return np.dtype(f"<u{field.width}")


# --- speed ----------------------------------------------------------------------------------------------


def speeds_of(snapshot: Snapshot, block: Block, first: int, ids: npt.NDArray[Any]) -> Reals:
    """What `speeds_in` says of these actors (frames, records) in the frames of a block, NaN where it says nothing."""
    recorded = _first_packet(snapshot, block, "Kinematics")
    with np.errstate(all="ignore"):
        speeds = np.full(ids.shape, np.nan) if recorded is None else _recorded(recorded, ids)
        bare = np.isnan(speeds)
        if bare.any():
            speeds[bare] = _stepped(snapshot, block, first, np.nonzero(bare)[0], ids[bare])
        return speeds


def _first_packet(snapshot: Snapshot, block: Block, name: str) -> RecordArray | None:
    kind = snapshot.dialect.by_name(name)
    return next(block.records(kind), None) if kind is not None else None


def _keys(rows: npt.NDArray[Any], ids: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """One number for a frame and an actor."""
    keys: npt.NDArray[np.uint64] = (rows.astype(np.uint64) << _OF_AN_ID) | ids.astype(np.uint64)
    return keys


def _recorded(records: RecordArray, ids: npt.NDArray[Any]) -> Reals:
    """By Kinematics; of an actor's records the last one that is a number counts."""
    axes = [records.values[f"linear_velocity.{axis}"].astype(np.float64) for axis in _AXES]
    speeds = np.sqrt(axes[0] ** 2 + axes[1] ** 2 + axes[2] ** 2)
    rows, columns = np.nonzero(records.valid & np.isfinite(speeds))
    keys, told = _keys(rows, records.ids[rows, columns]), speeds[rows, columns]
    wanted = _keys(np.arange(len(ids))[:, None], ids)
    return _found(*_sorted(keys, told), wanted)


def _sorted(keys: npt.NDArray[np.uint64], values: Reals) -> tuple[npt.NDArray[np.uint64], Reals]:
    if bool((keys[1:] >= keys[:-1]).all()):
        return keys, values
    order = np.argsort(keys, kind="stable")
    return keys[order], values[order]


def _found(keys: npt.NDArray[np.uint64], values: Reals, wanted: npt.NDArray[np.uint64]) -> Reals:
    """The value of the last entry of each wanted key, NaN without one; the keys rise."""
    if not len(keys):
        return np.full((*wanted.shape, *values.shape[1:]), np.nan)
    at = np.maximum(np.searchsorted(keys, wanted, side="right") - 1, 0)
    made = values[at]
    made[keys[at] != wanted] = np.nan
    return made


def _stepped(snapshot: Snapshot, block: Block, first: int, rows: npt.NDArray[np.intp], ids: npt.NDArray[Any]) -> Reals:
    """As `driven` says of actors in rows of the block (one each), by the frames before, in and behind it."""
    number, last = len(block.rows), len(snapshot) - 1
    actors = np.unique(ids)
    keys: list[npt.NDArray[np.uint64]] = [np.zeros(0, np.uint64)]
    places: list[Reals] = [np.zeros((0, 3))]

    def take(rows: npt.NDArray[Any], records: npt.NDArray[np.void]) -> None:
        meant = np.isin(records["id"], actors)
        records = records[meant]
        keys.append(_keys(rows[meant], records["id"]))
        places.append(np.stack([records[f"location.{axis}"].astype(np.float64) for axis in _AXES], axis=-1))

    # Frames count from the one before the block, so that no number is negative.
    for frame in (first - 1, first + number):
        packet = snapshot.frame(frame).packet("Position") if 0 <= frame <= last else None
        if packet is not None:
            take(np.full(len(packet.decoded), frame - first + 1), packet.array)
    own = _first_packet(snapshot, block, "Position")
    if own is not None:
        within, columns = np.nonzero(own.valid)
        take(within + 1, own.values[within, columns])
    every, where = _sorted(np.concatenate(keys), np.concatenate(places))
    frames = np.arange(first, first + number)
    moments = np.maximum(frames - 1, 0), frames, np.minimum(frames + 1, last)
    before, here, after = (_found(every, where, _keys((step - first + 1)[rows], ids)) for step in moments)
    then, now, later = (_elapsed(snapshot, block, first, step)[rows] for step in moments)
    return driven((before, here, after), (then, now, later))


def _elapsed(snapshot: Snapshot, block: Block, first: int, frames: Numbers) -> Reals:
    """The elapsed seconds of frames of the block, and of its neighbours."""
    table, number = snapshot.table, len(block.rows)
    own: Reals = block.rows["elapsed"][np.clip(frames - first, 0, number - 1)]
    made = own.copy()
    for index in np.flatnonzero((frames < first) | (frames >= first + number)).tolist():
        made[index] = table.row(table.row_of_frame(int(frames[index])))["elapsed"]
    return made
