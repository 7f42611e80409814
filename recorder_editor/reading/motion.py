"""Speed and acceleration, as the whole program defines them.

The speed of an actor in a frame is the length of its recorded velocity (Kinematics, m/s, including height, as
`get_velocity().length()` in the simulator). Without one it is the central difference of positions, from the frame
before to the frame after. Acceleration is the central difference of speed. A heading is the stored yaw.
"""

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IndexArray, StructuredArray, UInt64Array

SPEED = np.dtype([("frame", "i4"), ("id", "u4"), ("speed", "f8")])
"""The speed of an actor in a frame, m/s; NaN if unknown."""

JUMP_LENGTH = 10.0
JUMP_SPEED = 150.0
"""A step of more than 10 m over the ground, faster than 150 m/s, is a jump: the actor was teleported."""


# --- of tables --------------------------------------------------------------------------------------------


def speed_of(moved: StructuredArray) -> FloatArray:
    """The length of the velocities of `kinematics`, m/s: float64[n]."""
    with np.errstate(over="ignore", invalid="ignore"):
        vx, vy, vz = (moved[axis].astype(np.float64) for axis in ("vx", "vy", "vz"))
        return np.asarray(np.sqrt(vx * vx + vy * vy + vz * vz))


def steps(dx: FloatArray, dy: FloatArray, seconds: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Length (m), speed (m/s, NaN without time) and jumps (bool) of displacements over the ground, in cm.

    Height is ignored, so that falling (real recordings contain falling cars) is neither driving nor a jump.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        length = np.hypot(dx, dy) * 0.01
        speed = np.where(seconds > 0, length / seconds, np.nan)
        return length, speed, (length > JUMP_LENGTH) & ~(speed <= JUMP_SPEED)


def _is_driven(moved: FloatArray, seconds: FloatArray) -> BoolArray:
    """Which displacements (cm, float64[3, ...]) are finite, no jumps, and in increasing time."""
    _, _, jump = steps(moved[0], moved[1], seconds)
    return np.asarray(np.isfinite(moved).all(axis=0) & (seconds > 0) & np.isfinite(seconds) & ~jump)


def _speed(moved: FloatArray, seconds: FloatArray, known: BoolArray) -> FloatArray:
    """Displacements (cm, float64[3, ...]) over time, m/s; NaN where it is not known or not finite."""
    x, y, z = moved
    speed = np.sqrt(x * x + y * y + z * z) * 0.01 / seconds
    return np.asarray(np.where(known & np.isfinite(speed), speed, np.nan))


def speeds_of(
    placed: StructuredArray, moved: StructuredArray, elapsed: FloatArray, frames: range | None = None
) -> StructuredArray:
    """The speeds of actors (dtype `SPEED`) from tables of positions and velocities, and the seconds of every frame.

    Without a velocity, a position with no neighbour in `placed` has no speed. `frames`: rising, those of the speeds and
    of `moved` (None: all of `placed`).
    """
    speed = speed_of(moved)
    if not np.isfinite(speed).all():
        moved = moved[np.isfinite(speed)]
    placed, moved = last_in_frame(placed), last_in_frame(moved)
    wanted = slice(None) if frames is None else rows_in(placed, frames)
    here = placed[wanted]
    speed = speed_of(moved)
    keys = _keys(here)
    known = _keys(moved)
    if np.array_equal(keys, known):
        return _speed_table(here, speed)
    lacking = np.isin(keys, known, assume_unique=True, invert=True)
    found = np.full(len(here), np.nan)
    if lacking.any():
        stepped = np.full(len(placed), np.nan)
        rows = np.isin(placed["id"], here["id"][lacking])
        stepped[rows] = _stepped(placed[rows], elapsed)
        found[lacking] = stepped[wanted][lacking]
    order = np.argsort(keys, kind="stable")
    both = np.isin(known, keys, assume_unique=True)
    found[order[keys[order].searchsorted(known[both])]] = speed[both]
    made = np.concatenate((_speed_table(here, found), _speed_table(moved[~both], speed[~both])))
    if both.all():
        return made
    return made[np.argsort(made["frame"], kind="stable")]


def _speed_table(table: StructuredArray, speed: FloatArray) -> StructuredArray:
    made = np.empty(len(table), SPEED)
    made["frame"], made["id"], made["speed"] = table["frame"], table["id"], speed
    return made


def rows_in(table: StructuredArray, frames: range) -> slice | IndexArray:
    """The rows of a table, ordered by frame, that lie in these rising frames."""
    first, stop = np.ascontiguousarray(table["frame"]).searchsorted([frames.start, frames.stop]).tolist()
    if frames.step == 1:
        return slice(first, stop)
    return np.asarray(first + np.flatnonzero((table["frame"][first:stop] - frames.start) % frames.step == 0))


def speeds_at(speeds: StructuredArray, ids: AnyArray, frames: AnyArray) -> FloatArray:
    """The speeds of these actors in these frames, from a table of dtype `SPEED`: float64[n] (m/s), NaN without one."""
    return at_keys(*by_key(speeds), keys_of(frames, ids))


def by_key(speeds: StructuredArray) -> tuple[UInt64Array, FloatArray]:
    """The keys (frame, id) of a table of dtype `SPEED`, rising, and the speeds in their order."""
    keys = _keys(speeds)
    order = np.argsort(keys, kind="stable")
    return keys[order], speeds["speed"][order]


def at_keys(known: UInt64Array, speeds: FloatArray, wanted: UInt64Array) -> FloatArray:
    """The speeds of the wanted keys among known ones; NaN where there is none."""
    if not len(known):
        return np.full(wanted.shape, np.nan)
    at = np.minimum(known.searchsorted(wanted), len(known) - 1)
    return np.where(known[at] == wanted, speeds[at], np.nan)


def keys_of(first: AnyArray, second: AnyArray) -> UInt64Array:
    """Two numbers of 32 bits, as frame and id, combined in one, by which they sort."""
    return np.asarray((first.astype(np.uint64) << np.uint64(32)) | second.astype(np.uint64))


def _keys(table: StructuredArray) -> UInt64Array:
    return keys_of(table["frame"], table["id"])


def last_in_frame(table: StructuredArray) -> StructuredArray:
    """The table with only the last record of each actor in a frame."""
    keys = _keys(table)
    if bool((keys[1:] > keys[:-1]).all()):
        return table
    _, last = np.unique(keys[::-1], return_index=True)
    return table[np.sort(len(table) - 1 - last)]


def _stepped(placed: StructuredArray, elapsed: FloatArray) -> FloatArray:
    """Speeds by positions (m/s; NaN if unknown) in their order; there is one per actor and frame.

    A central difference, since single frames may repeat a position; one-sided at a missing position, at a jump, and
    where time does not increase.
    """
    if not len(placed):
        return np.empty(0)
    order = np.argsort(keys_of(placed["id"], placed["frame"]), kind="stable")
    frame = placed["frame"][order].astype(np.int64)
    ids = placed["id"][order]
    with np.errstate(all="ignore"):
        here = np.array([placed[axis][order] for axis in "xyz"], np.float64)
        now = elapsed[frame]
        # Whether each row leads on to the next one.
        is_next = (ids[1:] == ids[:-1]) & (np.diff(frame) == 1) & _is_driven(np.diff(here), np.diff(now))
        row = np.arange(len(frame))
        before, after = row - np.append(False, is_next), row + np.append(is_next, False)
        made = np.empty(len(frame))
        made[order] = _speed(here[:, after] - here[:, before], now[after] - now[before], before < after)
    return made


def slopes(times: FloatArray, values: FloatArray, begins: BoolArray) -> FloatArray:
    """The rate of change per second: central difference, one-sided at the ends of a segment.

    `times` (s) and `values` are float64[n], `begins` bool[n]: first rows of segments (the first row always is one). NaN
    for a segment of one row, and where time does not increase.
    """
    index = np.arange(len(values))
    joined = ~begins[1:]
    before = np.where(np.append(False, joined)[: len(index)], index - 1, index)
    after = np.where(np.append(joined, False)[: len(index)], index + 1, index)
    with np.errstate(over="ignore", invalid="ignore"):
        seconds = times[after] - times[before]
        rise = values[after] - values[before]
        return np.asarray(np.divide(rise, seconds, out=np.full(len(values), np.nan), where=seconds > 0))
