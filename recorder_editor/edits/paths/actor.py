"""Moving and turning actors: an offset over a range of frames, with everything that must go along."""

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from ...errors import EditError
from ...format.schema import PacketType
from ...recording.history import Edit, Intent
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ..intents import name_lives, seconds
from ..place import HasSnapshot
from ..sweep import Block, Bytes, Mask, held_within, sweep

Point = tuple[float, float, float]
Number = TypeVar("Number", float, np.ndarray[tuple[int], np.dtype[np.float64]])


def move_actor(
    recording: HasSnapshot, life: Life, frames: range, *, offset: Point = (0.0, 0.0, 0.0), turn: float = 0.0,
    pivot: tuple[float, float] | None = None, progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Edit:  # fmt: skip
    """The edit that shifts an actor's path by `offset` (cm, world axes), turned by `turn` degrees about `pivot`.

    `frames` are indices from 0; `pivot` is (x, y) in cm and needed for a turn. Velocities turn with the path; a range
    that holds the birth moves the EventAdd too; an actor without Position has only that. Raises `EditError` for traffic
    actors (the simulator finds them by their place) and where nothing is to be moved.
    """
    snapshot = recording.snapshot
    blueprint = str(life.blueprint)
    if blueprint.startswith("traffic."):
        raise EditError(f"{blueprint} {life.actor} cannot be moved: the simulator finds traffic actors by their place.")
    if turn and pivot is None:
        raise EditError("A turn needs a point to turn about.")
    kinds = {name: snapshot.dialect.by_name(name) for name in ("Position", "Kinematics", "EventAdd")}
    held = held_within(snapshot, frames)
    alive = range(max(held.start, life.born), min(held.stop, life.gone if life.gone is not None else held.stop))
    rigid = _Rigid(offset, math.radians(turn), turn, pivot or (0.0, 0.0))
    moved = 0

    def visit(block: Block) -> Mask:
        nonlocal moved
        touched = np.zeros(len(block), np.bool_)
        for name, change in (("Position", rigid.pose), ("Kinematics", rigid.velocity)):
            kind = kinds[name]
            located = block.locate(kind, life.actor) if kind is not None else None
            if kind is not None and located is not None:
                # A NaN that signals is data too, and not worth a warning.
                with np.errstate(invalid="ignore", over="ignore"):
                    change(kind, located.values)
                located.write()
                touched[located.rows] = True
                moved += len(located.rows) if name == "Position" else 0
        row = life.added.row - block.first
        if 0 <= row < len(block):
            with np.errstate(invalid="ignore", over="ignore"):
                _move_birth(block, kinds["EventAdd"], row, life, rigid)
            touched[row] = True
        return touched

    splices = sweep(snapshot, alive, visit, progress, cancel)
    if not moved and len(alive) and life.born not in alive and not _has_positions(snapshot, life):
        splices = sweep(snapshot, range(life.born, life.born + 1), visit, progress, cancel)
    if not splices:
        raise EditError(f"Actor {life.actor} has no place in these frames.")
    verb = "Turn" if turn and not any(offset) else "Move"
    arguments = {
        "actors": name_lives(snapshot, [life]), "offset": list(offset), "turn": turn,
        "pivot": list(pivot) if pivot else None, **seconds(snapshot, held, [life]),
    }  # fmt: skip
    over = f" over {len(alive):,} frames" if len(alive) > 1 else ""
    return Edit(f"{verb} {life.actor}{over}", snapshot.version, splices, intent=Intent("move_actor", arguments))


def _has_positions(snapshot: Snapshot, life: Life) -> bool:
    """Its place is told frame by frame. What places a sensor or an attached prop is its EventAdd alone."""
    for index in range(life.born, min(life.born + 3, len(snapshot))):
        packet = snapshot.frame(index).packet("Position")
        if packet is not None and packet.decoded.find_actor(life.actor) is not None:
            return True
    return False


class _Rigid:
    """A turn about a pivot, then a shift; on the bytes of records."""

    def __init__(self, offset: Point, radians: float, degrees: float, pivot: tuple[float, float]) -> None:
        self.offset, self.degrees, self.pivot = offset, degrees, pivot
        self.cos, self.sin = math.cos(radians), math.sin(radians)

    def pose(self, kind: PacketType, values: Bytes) -> None:
        """Location and yaw of Position records."""
        records = _records(kind, values)
        x, y = self.place(records["location.x"].astype(np.float64), records["location.y"].astype(np.float64))
        for axis, moved in enumerate((x, y)):
            if self.moves(axis):
                records[f"location.{'xy'[axis]}"] = moved
        if self.offset[2]:
            records["location.z"] += self.offset[2]
        if self.degrees:
            records["rotation.yaw"] = wrapped(records["rotation.yaw"].astype(np.float64) + self.degrees)
        values[:] = records.view(np.uint8).reshape(values.shape)

    def velocity(self, kind: PacketType, values: Bytes) -> None:
        """Velocities of Kinematics records: they turn, and do not shift."""
        if not self.degrees:
            return
        records = _records(kind, values)
        for group in ("linear_velocity", "angular_velocity"):
            x, y = (records[f"{group}.{axis}"].astype(np.float64) for axis in "xy")
            records[f"{group}.x"], records[f"{group}.y"] = x * self.cos - y * self.sin, x * self.sin + y * self.cos
        values[:] = records.view(np.uint8).reshape(values.shape)

    def moves(self, axis: int) -> bool:
        """The values of that axis (0: x, 1: y) change; else they stay bit for bit, minus zero and NaN too."""
        return bool(self.degrees or self.offset[axis])

    def place(self, x: Number, y: Number) -> tuple[Number, Number]:
        """A point, turned and shifted."""
        if self.degrees:
            dx, dy = x - self.pivot[0], y - self.pivot[1]
            x = self.pivot[0] + dx * self.cos - dy * self.sin
            y = self.pivot[1] + dx * self.sin + dy * self.cos
        return x + self.offset[0], y + self.offset[1]


def wrapped(degrees: Number) -> Number:
    """Degrees within -180 to 180."""
    return (degrees + 180.0) % 360.0 - 180.0


def _records(kind: PacketType, values: Bytes) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    dtype = kind.dtype
    assert dtype is not None
    return np.ascontiguousarray(values).view(dtype)[:, 0].copy()


def _move_birth(block: Block, kind: PacketType | None, row: int, life: Life, rigid: _Rigid) -> None:
    assert kind is not None
    record = life.added.record

    def at(path: str) -> np.ndarray[tuple[int], np.dtype[np.floating]]:
        span = block.field(kind, row, record, path)
        return block.data[row, span].view("<f4" if span.stop - span.start == 4 else "<f8")

    x, y, z, yaw = at("location.x"), at("location.y"), at("location.z"), at("rotation.yaw")
    moved = rigid.place(float(x[0]), float(y[0]))
    for axis, value in enumerate((x, y)):
        if rigid.moves(axis):
            value[0] = moved[axis]
    if rigid.offset[2]:
        z[0] += rigid.offset[2]
    if rigid.degrees:
        yaw[0] = wrapped(float(yaw[0]) + rigid.degrees)
