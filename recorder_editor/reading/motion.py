"""Speed and acceleration, as the whole program defines them.

The speed of an actor in a frame is the length of its recorded velocity (Kinematics, m/s, including height, as
`get_velocity().length()` in the simulator). Without one it is the central difference of positions, from the frame
before to the frame after. Acceleration is the central difference of speed. A heading is the stored yaw.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import (
    AnyArray,
    BoolArray,
    FloatArray,
    IndexArray,
    Int32Array,
    StructuredArray,
    UInt32Array,
    UInt64Array,
    run_starts,
)

SPEED = np.dtype([("frame", "i4"), ("id", "u4"), ("speed", "f8")])
"""The speed of an actor in a frame, m/s; NaN if unknown."""

JUMP_LENGTH = 10.0
JUMP_SPEED = 150.0
"""A step of more than 10 m over the ground, faster than 150 m/s, is a jump: the actor was teleported."""


# --- of tables --------------------------------------------------------------------------------------------


def speed_of(moved: StructuredArray) -> FloatArray:
    """Return the length of the velocities of `kinematics`, m/s: float64[n]."""
    return length_of(moved["vx"], moved["vy"], moved["vz"])


def length_of(x: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    """Return the length of vectors by their components, in float64 whatever these are."""
    with np.errstate(over="ignore", invalid="ignore"):
        x = x.astype(np.float64)
        y = y.astype(np.float64)
        z = z.astype(np.float64)
        return np.asarray(np.sqrt(x * x + y * y + z * z))


def steps(dx: FloatArray, dy: FloatArray, seconds: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Measure displacements over the ground.

    Height is ignored, so that falling (real recordings contain falling cars) is neither driving nor a jump.

    Args:
        dx: float64[n] (cm).
        dy: float64[n] (cm).
        seconds: The time of each displacement, float64[n].

    Returns:
        Length (m), speed (m/s, NaN without time), and whether it is a jump (bool); n each.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        length = np.hypot(dx, dy) * 0.01
        speed = np.where(seconds > 0, length / seconds, np.nan)
        return length, speed, (length > JUMP_LENGTH) & ~(speed <= JUMP_SPEED)


def _is_driven(moved: FloatArray, seconds: FloatArray) -> BoolArray:
    """Find the displacements (cm, float64[3, ...]) that are finite, no jumps, and in increasing time."""
    _, _, jump = steps(moved[0], moved[1], seconds)
    return np.asarray(np.isfinite(moved).all(axis=0) & (seconds > 0) & np.isfinite(seconds) & ~jump)


def _speed(moved: FloatArray, seconds: FloatArray, usable: BoolArray) -> FloatArray:
    """Return displacements (cm, float64[3, ...]) over time, m/s; NaN where it is not usable or not finite."""
    x, y, z = moved
    speed = np.sqrt(x * x + y * y + z * z) * 0.01 / seconds
    return np.asarray(np.where(usable & np.isfinite(speed), speed, np.nan))


def speeds_of(
    placed: StructuredArray, moved: StructuredArray, elapsed: FloatArray, frames: range | None = None
) -> StructuredArray:
    """Compute the speeds of actors: their velocities, and where there is none by positions.

    Without a velocity, a position with no neighbour in `placed` has no speed.

    Args:
        placed: A table of positions, ordered by frame.
        moved: A table of velocities of `frames`.
        elapsed: The seconds of every frame.
        frames: The frames of the speeds, rising; None: all of `placed`.

    Returns:
        A table of dtype `SPEED`.
    """
    speed = speed_of(moved)
    if not np.isfinite(speed).all():
        moved = moved[np.isfinite(speed)]
    placed = last_in_frame(placed)
    moved = last_in_frame(moved)
    wanted = slice(None) if frames is None else rows_in(placed, frames)
    here = placed[wanted]
    speed = speed_of(moved)
    keys = _keys(here)
    moved_keys = _keys(moved)
    if np.array_equal(keys, moved_keys):
        return _speed_table(here, speed)
    lacking = np.isin(keys, moved_keys, assume_unique=True, invert=True)
    here_speed = np.full(len(here), np.nan)
    if lacking.any():
        stepped = np.full(len(placed), np.nan)
        rows = np.isin(placed["id"], here["id"][lacking])
        stepped[rows] = _stepped(placed[rows], elapsed)
        here_speed[lacking] = stepped[wanted][lacking]
    order = np.argsort(keys, kind="stable")
    both = np.isin(moved_keys, keys, assume_unique=True)
    here_speed[order[keys[order].searchsorted(moved_keys[both])]] = speed[both]
    speeds = np.concatenate((_speed_table(here, here_speed), _speed_table(moved[~both], speed[~both])))
    if both.all():
        return speeds
    return speeds[np.argsort(speeds["frame"], kind="stable")]


def _speed_table(table: StructuredArray, speed: FloatArray) -> StructuredArray:
    """Return speeds with the frames and ids of a table, dtype `SPEED`."""
    speeds = np.empty(len(table), SPEED)
    speeds["frame"] = table["frame"]
    speeds["id"] = table["id"]
    speeds["speed"] = speed
    return speeds


def rows_in(table: StructuredArray, frames: range) -> slice | IndexArray:
    """Find the rows of some frames.

    Args:
        table: A table with a column `frame`, ordered by it.
        frames: The frames, rising.

    Returns:
        A slice, or for a step above 1 the indices.
    """
    first, stop = np.ascontiguousarray(table["frame"]).searchsorted([frames.start, frames.stop]).tolist()
    if frames.step == 1:
        return slice(first, stop)
    return np.asarray(first + np.flatnonzero((table["frame"][first:stop] - frames.start) % frames.step == 0))


def speeds_at(speeds: StructuredArray, ids: AnyArray, frames: AnyArray) -> FloatArray:
    """Look up the speeds of actors in frames.

    Args:
        speeds: A table of dtype `SPEED`.
        ids: The ids of actors, of shape (n,).
        frames: The frame index of each, of shape (n,).

    Returns:
        float64[n] (m/s), NaN without one.
    """
    keys, values = by_key(speeds)
    return at_keys(keys, values, keys_of(frames, ids))


def by_key(speeds: StructuredArray) -> tuple[UInt64Array, FloatArray]:
    """Return the keys (frame, id) of a table of dtype `SPEED`, rising, and the speeds in their order."""
    keys = _keys(speeds)
    order = np.argsort(keys, kind="stable")
    return keys[order], speeds["speed"][order]


def at_keys(keys: UInt64Array, speeds: FloatArray, wanted: UInt64Array) -> FloatArray:
    """Look up the speeds of keys.

    Args:
        keys: Rising keys, uint64[n].
        speeds: The speed of each, float64[n].
        wanted: The keys to look up, of any shape.

    Returns:
        float64 of the shape of `wanted`; NaN where there is none.
    """
    if not len(keys):
        return np.full(wanted.shape, np.nan)
    index = np.minimum(keys.searchsorted(wanted), len(keys) - 1)
    return np.where(keys[index] == wanted, speeds[index], np.nan)


def keys_of(first: AnyArray, second: AnyArray) -> UInt64Array:
    """Combine two numbers of 32 bits in one, by which they sort.

    Args:
        first: The upper numbers, as frames.
        second: The lower numbers, as ids; the two broadcast.

    Returns:
        uint64 of their common shape.
    """
    return np.asarray((first.astype(np.uint64) << np.uint64(32)) | second.astype(np.uint64))


def _keys(table: StructuredArray) -> UInt64Array:
    return keys_of(table["frame"], table["id"])


def matching_rows(placed: StructuredArray, moved: StructuredArray) -> tuple[IndexArray | slice, IndexArray | slice]:
    """Find the rows of two tables that tell of the same actor in the same frame.

    Args:
        placed: A table with one row per actor and frame.
        moved: Another one.

    Returns:
        The rows in the first table and those in the second one, intp[n] each; slices of all where all match in order.
    """
    if np.array_equal(placed["id"], moved["id"]) and np.array_equal(placed["frame"], moved["frame"]):
        return slice(None), slice(None)
    _, rows, found = np.intersect1d(_keys(placed), _keys(moved), assume_unique=True, return_indices=True)
    return rows, found


def last_in_frame(table: StructuredArray) -> StructuredArray:
    """Return the table with only the last record of each actor in a frame."""
    keys = _keys(table)
    if bool((keys[1:] > keys[:-1]).all()):
        return table
    _, last = np.unique(keys[::-1], return_index=True)
    return table[np.sort(len(table) - 1 - last)]


class Motion(NamedTuple):
    """How actors move by their positions, in the order of these; NaN where it is unknown.

    Attributes:
        velocity: m/s, world axes, float64[3, n].
        turn: Change of the yaw, degrees/s, float64[n].
    """

    velocity: FloatArray
    turn: FloatArray


class Neighbours(NamedTuple):
    """The rows before and after those of a table of positions, from which and to which their actors are driven.

    At a missing position, at a jump, and where time does not increase, it is the row itself.

    Attributes:
        before: The row before each, intp[n].
        after: The row after each, intp[n].
        seconds: The time between those two, float64[n].
    """

    before: IndexArray
    after: IndexArray
    seconds: FloatArray

    @property
    def usable(self) -> BoolArray:
        """Whether there is a position before or after, bool[n]."""
        return np.asarray(self.before != self.after)

    def change(self, values: AnyArray) -> FloatArray:
        """Return values after less those before, float64[n]."""
        numbers = np.asarray(values, np.float64)
        return np.asarray(numbers[self.after] - numbers[self.before])


def neighbours_of(placed: StructuredArray, elapsed: FloatArray) -> Neighbours:
    """Find the neighbours of the rows of a table with one position per actor and frame.

    Args:
        placed: A table of positions.
        elapsed: The seconds of every frame.
    """
    frames = np.ascontiguousarray(placed["frame"])
    now = elapsed[frames]
    rows, following = _rows_that_follow(frames, np.ascontiguousarray(placed["id"]))
    with np.errstate(all="ignore"):
        moved = np.empty((3, len(rows)))
        for axis, column in enumerate(("x", "y", "z")):
            place = placed[column].astype(np.float64)
            moved[axis] = place[following] - place[rows]
        driven = _is_driven(moved, now[following] - now[rows])
        before = np.arange(len(frames))
        after = np.arange(len(frames))
        before[following[driven]] = rows[driven]
        after[rows[driven]] = following[driven]
        return Neighbours(before=before, after=after, seconds=now[after] - now[before])


def _rows_that_follow(frames: Int32Array, ids: UInt32Array) -> tuple[IndexArray, IndexArray]:
    """Return the rows of actors that have one in the next frame, too, and those rows.

    Mostly a frame holds the actors of the one before in the same order: then the rows are as far apart as that frame
    has rows, and nothing is sorted.
    """
    if not len(frames):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    starts = np.flatnonzero(run_starts(frames))
    sizes = np.diff(starts, append=len(frames))
    rows = np.arange(len(frames))
    guess = np.minimum(rows + np.repeat(sizes, sizes), len(frames) - 1)
    is_next = (ids[guess] == ids) & (frames[guess] == frames + 1)
    is_taken = np.zeros(len(frames), np.bool_)
    is_taken[guess[is_next]] = True
    others = np.flatnonzero(~is_next)
    wanted = keys_of(frames[others] + 1, ids[others])
    left = np.flatnonzero(~is_taken)
    keys = keys_of(frames[left], ids[left])
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    index = np.minimum(keys.searchsorted(wanted), len(keys) - 1)
    matches = keys[index] == wanted
    return (
        np.concatenate((rows[is_next], others[matches])),
        np.concatenate((guess[is_next], left[order[index[matches]]])),
    )


def motion_by_position(placed: StructuredArray, elapsed: FloatArray) -> Motion:
    """Return velocities and rates of turn by positions.

    There is one position per actor and frame. A central difference, since single frames may repeat a position;
    one-sided at a missing position, at a jump, and where time does not increase.

    Args:
        placed: A table of positions.
        elapsed: The seconds of every frame.
    """
    return motion_between(placed, neighbours_of(placed, elapsed))


def motion_between(placed: StructuredArray, neighbours: Neighbours) -> Motion:
    """Return velocities and rates of turn by positions, as `motion_by_position`.

    Args:
        placed: A table of positions.
        neighbours: Those of its rows.
    """
    usable = neighbours.usable
    with np.errstate(all="ignore"):
        velocity = np.where(usable, _moved(placed, neighbours) * 0.01 / neighbours.seconds, np.nan)
        turned = (neighbours.change(placed["yaw"]) + 180.0) % 360.0 - 180.0
        turn = np.where(usable, turned / neighbours.seconds, np.nan)
    return Motion(velocity, turn)


def accelerations_between(velocity: FloatArray, neighbours: Neighbours) -> FloatArray:
    """Return the rates of change of velocities: central differences, one-sided where those of positions are.

    Args:
        velocity: The velocity at each row of a table of positions, m/s, float64[3, n].
        neighbours: Those of the rows.

    Returns:
        m/s², float64[3, n]; NaN where it is unknown.
    """
    acceleration = np.empty(velocity.shape)
    usable = neighbours.usable
    with np.errstate(all="ignore"):
        for axis, values in enumerate(velocity):
            acceleration[axis] = np.where(usable, neighbours.change(values) / neighbours.seconds, np.nan)
    return acceleration


def _moved(placed: StructuredArray, neighbours: Neighbours) -> FloatArray:
    """Return the displacements from the position before to that after, cm, float64[3, n]."""
    moved = np.empty((3, len(placed)))
    for axis, column in enumerate(("x", "y", "z")):
        moved[axis] = neighbours.change(placed[column])
    return moved


def _stepped(placed: StructuredArray, elapsed: FloatArray) -> FloatArray:
    """Return speeds by positions (m/s; NaN if unknown) in their order; there is one per actor and frame."""
    neighbours = neighbours_of(placed, elapsed)
    with np.errstate(all="ignore"):
        return _speed(_moved(placed, neighbours), neighbours.seconds, neighbours.usable)


def median_step(times: FloatArray) -> float:
    """Return the median of the positive time steps, s; NaN without one."""
    with np.errstate(over="ignore", invalid="ignore"):
        steps = np.diff(times)
        forward = steps[(steps > 0) & np.isfinite(steps)]
    if len(forward):
        return float(np.median(forward))
    return float("nan")


def slopes(times: FloatArray, values: FloatArray, begins: BoolArray) -> FloatArray:
    """Compute the rate of change per second: central difference, one-sided at the ends of a segment.

    Args:
        times: float64[n] (s).
        values: float64[n].
        begins: Whether a row is the first one of a segment, bool[n]; the first row always is.

    Returns:
        float64[n], NaN for a segment of one row, and where time does not increase.
    """
    index = np.arange(len(values))
    joined = ~begins[1:]
    before = np.where(np.append(False, joined)[: len(index)], index - 1, index)
    after = np.where(np.append(joined, False)[: len(index)], index + 1, index)
    with np.errstate(over="ignore", invalid="ignore"):
        seconds = times[after] - times[before]
        rise = values[after] - values[before]
        return np.asarray(np.divide(rise, seconds, out=np.full(len(values), np.nan), where=seconds > 0))
