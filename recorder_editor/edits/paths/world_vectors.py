"""Vectors in world axes of records of moved actors, as of the eyes of a driver in a packet of a user.

They keep their place beside the actor: they are shifted as its Position is, and turned with it about the vertical axis.
"""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from ...arrays import FloatArray, UInt64Array
from ...format import PacketType
from ...format.dialects import Dialect
from ...format.schema import World
from ...reading.motion import keys_of
from ...recording import Bytes
from ..records import SelectedRecords


def kinds_with_vectors(dialect: Dialect, others: Collection[PacketType | None]) -> tuple[PacketType, ...]:
    """Return the packet types with records of actors that hold vectors in world axes.

    Args:
        dialect: The dialect.
        others: Types that are left out.
    """
    kinds = []
    for kind in dialect.packets.values():
        if kind.actor_field is not None and kind.record.vectors and kind not in others:
            kinds.append(kind)
    return tuple(kinds)


class PoseChanges:
    """The poses of actors in frames, before and after an edit."""

    def __init__(self, keys: UInt64Array, before: FloatArray, after: FloatArray) -> None:
        """Store poses.

        Args:
            keys: `keys_of` the frames and lives, shape (n,).
            before: Locations (cm) and rotations (roll, pitch, yaw; degrees), shape (n, 6).
            after: The same after the edit.
        """
        order = np.argsort(keys, kind="stable")
        self.keys = keys[order]
        self.before = before[order]
        self._after = after[order]

    def moved(self, records: SelectedRecords) -> Bytes:
        """Return records with their vectors in world axes moved as their actors are; others stay as they are."""
        values = records.values.copy()
        wanted = keys_of(records.frames, records.lives)
        indices = np.maximum(self.keys.searchsorted(wanted, side="right") - 1, 0)
        before = self.before[indices]
        after = self._after[indices]
        is_moved = (self.keys[indices] == wanted) & (before != after).any(axis=1)
        is_moved &= np.isfinite(before).all(axis=1) & np.isfinite(after).all(axis=1)
        for world, start, real in records.kind.record.vectors:
            place = slice(start, start + 3 * np.dtype(real).itemsize)
            vectors = np.ascontiguousarray(values[is_moved, place]).view(real)
            values[is_moved, place] = _moved(world, vectors, before[is_moved], after[is_moved]).view(np.uint8)
        return values


def _moved(
    world: World, vectors: npt.NDArray[np.floating], before: FloatArray, after: FloatArray
) -> npt.NDArray[np.floating]:
    """Return vectors of a kind, shape (n, 3), in their own width; numbers that do not change keep their bits."""
    with np.errstate(all="ignore"):
        numbers = vectors.astype(np.float64)
        moved = numbers.copy()
        turns = after[:, 5] - before[:, 5]
        is_turned = turns != 0.0
        if world == "rotation":
            moved[is_turned, 2] = (numbers[is_turned, 2] + turns[is_turned] + 180.0) % 360.0 - 180.0
        elif world == "velocity":
            moved[is_turned] = _turned(numbers[is_turned], turns[is_turned])
        else:
            moved += after[:, :3] - before[:, :3]
            offsets = numbers[is_turned] - before[is_turned, :3]
            moved[is_turned] = after[is_turned, :3] + _turned(offsets, turns[is_turned])
        stored = vectors.copy()
        rounded = moved.astype(vectors.dtype)
        changed = (moved != numbers) & np.isfinite(rounded)
        stored[changed] = rounded[changed]
    return stored


def _turned(vectors: FloatArray, degrees: FloatArray) -> FloatArray:
    """Return vectors, shape (n, 3), turned about the vertical axis."""
    angles = np.radians(degrees)
    cosines = np.cos(angles)
    sines = np.sin(angles)
    turned = vectors.copy()
    turned[:, 0] = cosines * vectors[:, 0] - sines * vectors[:, 1]
    turned[:, 1] = sines * vectors[:, 0] + cosines * vectors[:, 1]
    return turned
