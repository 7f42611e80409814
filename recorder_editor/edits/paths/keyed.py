"""Paths with keys: the recorded path of a life as a curve of few keys, and the change of it by its keys.

The change is what keys add to the recorded path, so that the error of the fitted curve is in no file. Lengths are
metres, times seconds; curves run over the distance travelled. Knows no bytes.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, Literal, Self

import numpy as np

from ...arrays import FloatArray, IntArray, StructuredArray
from ...errors import EditError
from ...reading import Life, Tracks
from ...recording import Snapshot
from ...texts import say
from ..intents import is_number
from .motion import CM
from .moved_actors import elapsed_in

TOLERANCE = 0.02
"""Metres that a fitted curve is off the recorded path at most."""

KEY: Final = np.dtype([("at", "f8"), ("time", "f8"), ("pace", "f8"), ("change", "f8", (3, 2)), ("plain", "?")])
"""A key.

`at` is the time of the recording at which the actor was at its place, before it was moved; `time` when the actor is
there; `pace` the rate of the former by the latter; `change` what it adds to the recorded path (to the place, x and y,
and to its first and second derivative by distance); `plain` whether the path leads on as this key and the next one say,
without what was recorded between them.
"""

MOTION: Final = np.dtype(
    [
        ("path", "f8"),
        ("pace", "f8"),
        ("turn", "f8"),
        ("ratio", "f8"),
        ("shift", "f8", 2),
        ("bends", "f8", 2),
        ("added", "f8", (3, 2)),
        ("changed", "?"),
    ]
)
"""What a path with keys does at a time.

`path` is the time of the recording at which the actor was at that place, and `pace` its rate; `turn` the turn of the
heading (degrees); `ratio` the speed by the recorded one; `shift` the shift from the recorded place (m); `bends` the
curvature (1/m) of the recorded and of the changed path; `added` what a key there would add; `changed` whether it is
between keys that change anything.
"""

_REACH = 0.5  # m between the places by which the direction of a recorded path is taken
_FARTHEST = 1e7  # m, of places
_LARGEST = 1e9  # of the numbers of keys
_SHORT = 1e-6  # m: a shorter piece has no length
_SLOW = 0.05  # m/s: the actor of a slower piece only trembles
_LEAST_GAP = 0.02  # of the time between the keys beside it that a key keeps from them
_MEANINGLESS = np.errstate(all="ignore")  # files may hold any number


class RecordedPath:
    """The recorded path of a life, and a curve of cubic pieces through some of its places.

    Attributes:
        frames: Indices of the m frames with a place.
        times: Their times (s), shape (m,).
        places: x, y (m), shape (m, 2).
        distance: Over the ground from the first place (m), shape (m,).
        speeds: Along the path (m/s), shape (m,).
        knots: Indices of the places that the curve leads through, rising.
    """

    @_MEANINGLESS
    def __init__(self, frames: IntArray, times: FloatArray, places: FloatArray) -> None:
        """Fit the curve.

        Args:
            frames: Frame indices, shape (m,), two or more.
            times: Their times (s), shape (m,), rising.
            places: x, y (m), shape (m, 2).
        """
        self.frames = frames
        self.times = times
        self.places = places
        dx, dy = np.diff(places, axis=0).T
        self.distance = np.append(0.0, np.cumsum(np.hypot(dx, dy)))
        self.speeds: FloatArray = np.gradient(self.distance, times)
        self._values = np.stack((places, self._slopes()), axis=1)
        self.knots = np.array([0, len(places) - 1])
        worst = self.knots
        while len(worst):  # a further knot at the worst place of each piece that is too far off
            self.knots = np.union1d(self.knots, worst)
            values = self._values[self.knots]
            self._controls = controls(values[:-1], values[1:], np.diff(self.distance[self.knots]))
            errors = _lengths(self.curve(self.distance)[0] - places)
            piece = np.searchsorted(self.knots, np.arange(len(places)), side="right")
            order = np.lexsort((errors, piece))
            is_worst = np.append(np.diff(piece[order]) > 0, True)
            worst = order[is_worst]
            worst = worst[errors[worst] > TOLERANCE]

    def _slopes(self) -> FloatArray:
        """Return the directions of the path at its places: the change of x and y by distance, shape (m, 2).

        They are those of places `_REACH` apart, since nearer ones tremble.
        """
        _, sample = np.unique(self.distance // _REACH, return_index=True)
        sample = np.append(sample[: max(1, len(sample) - 1)], len(self.places) - 1)
        edge_order: Literal[1, 2] = 2 if len(sample) > 2 else 1
        rates = np.gradient(self.places[sample], self.distance[sample], axis=0, edge_order=edge_order)
        rate_x, rate_y = np.nan_to_num(rates).T
        slope_x = np.interp(self.distance, self.distance[sample], rate_x)
        slope_y = np.interp(self.distance, self.distance[sample], rate_y)
        return np.column_stack((slope_x, slope_y))

    @classmethod
    @_MEANINGLESS
    def of(cls, snapshot: Snapshot, life: Life) -> Self:
        """Return the path of a life.

        Raises:
            EditError: It has fewer than two places, or times do not rise.
        """
        span = life.within(range(len(snapshot)))
        table = Tracks(snapshot).path(life.actor, span)
        x = table["x"].astype(np.float64) / CM
        y = table["y"].astype(np.float64) / CM
        places = np.column_stack((x, y))
        is_usable = (np.abs(places) < _FARTHEST).all(axis=1)
        frames = table["frame"][is_usable].astype(np.int64)
        if len(frames) < 2:
            raise EditError(
                say("Actor {actor} has fewer than two positions, so its path has no keys.", actor=life.actor)
            )
        times = elapsed_in(snapshot, span)
        return cls(frames=frames, times=times[frames - span.start], places=places[is_usable])

    def curve(self, distance: FloatArray) -> FloatArray:
        """Return the fitted curve at distances from the first place.

        Args:
            distance: m, shape (n,).

        Returns:
            Place (m) and its first two derivatives by distance, shape (3, n, 2).
        """
        knots = self.distance[self.knots]
        piece = np.clip(np.searchsorted(knots, distance, side="right") - 1, 0, len(knots) - 2)
        length = knots[piece + 1] - knots[piece]
        length = np.where(length > _SHORT, length, np.inf)
        return bezier(self._controls[piece], (distance - knots[piece]) / length, length)


class KeyedPath:
    """A path with keys; methods return another one.

    Between two keys that are as they were recorded nothing changes, not in the last bit. The change is twice
    differentiable, times are once.

    Attributes:
        recorded: The recorded path.
        keys: The n keys, dtype `KEY`.
        distance: Of each key along the recorded path (m), shape (n,).
        values: Of each key its place (m), its tangent, that is the change of place by distance, and the second
            derivative that is added, shape (n, 3, 2).
        speeds: Of each key, m/s, shape (n,).
        moved: Whether each key is not as recorded, bool[n].
    """

    @_MEANINGLESS
    def __init__(self, recorded: RecordedPath, keys: StructuredArray) -> None:
        """Compute the path; `keys` are two or more, and not changed afterwards."""
        self.recorded = recorded
        self.keys = keys
        self.distance = np.interp(keys["at"], recorded.times, recorded.distance)
        self._recorded_values = recorded.curve(self.distance).transpose(1, 0, 2)
        self._recorded_values[:, 2] = 0.0
        self.values: FloatArray = self._recorded_values + keys["change"]
        stretch = _lengths(self.values[:, 1])
        recorded_stretch = _lengths(self._recorded_values[:, 1])
        recorded_speeds = np.interp(keys["at"], recorded.times, recorded.speeds)
        self._full_speeds = recorded_speeds * stretch / np.maximum(recorded_stretch, 1e-9)  # at a pace of 1
        self.speeds = keys["pace"] * self._full_speeds
        self.moved = keys["change"].any(axis=(1, 2)) | (keys["time"] != keys["at"]) | (keys["pace"] != 1.0)
        # The pieces, from each key to the next: of the change, or of the path where it is plain.
        is_plain = keys["plain"][:-1, None, None]
        begins = keys["change"][:-1] + is_plain * self._recorded_values[:-1]
        ends = keys["change"][1:] + is_plain * self._recorded_values[1:]
        self._controls = controls(begins, ends, np.diff(self.distance))
        self._active = self.moved[:-1] | self.moved[1:] | keys["plain"][:-1]

    @property
    def span(self) -> tuple[float, float] | None:
        """From when to when anything changes (s); None for never."""
        active = np.flatnonzero(self._active)
        if len(active):
            return (self.keys["time"][active[0]], self.keys["time"][active[-1] + 1])
        return None

    def time_within(self, key: int, time: float) -> float:
        """Return the time nearest to another one that a key can have.

        Args:
            key: Index of the key; the first and the last key keep their time.
            time: Seconds.
        """
        times = self.keys["time"]
        before = float(times[max(0, key - 1)])
        now = float(times[key])
        after = float(times[min(key + 1, len(times) - 1)])
        if before < now < after:
            gap = _LEAST_GAP * (after - before)
            return float(np.clip(time, before + gap, after - gap))
        return now

    # --- changes of keys --------------------------------------------------------------------------------

    def with_key(
        self,
        key: int,
        *,
        point: tuple[float, float] | None = None,
        tangent: FloatArray | None = None,
        time: float | None = None,
        pace: float | None = None,
        speed: float | None = None,
    ) -> Self:
        """Return the path with a changed key; what is None stays.

        Args:
            key: Index of the key.
            point: Its place (x, y; m).
            tangent: The change of place by distance, shape (2,).
            time: Seconds; without a pace and a speed the key gets a pace between those before and after it.
            pace: Its pace, 1 as recorded.
            speed: m/s, instead of a pace.

        Raises:
            EditError: The keys are not possible, as in all methods that change keys.
        """
        keys = self.keys.copy()
        if speed is not None:
            pace = 0.0
            if speed:
                pace = speed / self._full_speeds[key]
        if point is not None:
            keys["change"][key, 0] = np.asarray(point) - self._recorded_values[key, 0]
        if tangent is not None:
            keys["change"][key, 1] = tangent - self._recorded_values[key, 1]
        if time is not None:
            keys["time"][key] = time
        if pace is not None:
            keys["pace"][key] = pace
        elif time is not None:
            keys["pace"][key] = _pace(keys, key)
        return type(self)(self.recorded, keys)._checked()

    def with_key_at(self, time: float) -> Self:
        """Return the path with a further key where the actor is at a time; its movement stays as it is.

        Raises:
            EditError: There is a key at this time.
        """
        if time in self.keys["time"]:
            raise EditError(say("There is a key at this time already."))
        key = int(np.searchsorted(self.keys["time"], time, side="right"))
        (motion,) = self.motion(np.array([time]))
        row = np.zeros((), KEY)
        row["at"] = motion["path"]
        row["time"] = time
        row["pace"] = motion["pace"]
        row["change"] = motion["added"]
        row["plain"] = self.keys["plain"][max(0, key - 1)]
        return type(self)(self.recorded, np.insert(self.keys, key, row))._checked()

    def without_key(self, key: int) -> Self:
        """Return the path without a key: it leads straight on from the key before to the one after.

        Raises:
            EditError: It is the first or the last key.
        """
        if not 0 < key < len(self.keys) - 1:
            raise EditError(say("The first and the last key of a path stay."))
        keys = np.delete(self.keys, key)
        keys["plain"][key - 1] = True
        return type(self)(self.recorded, keys)._checked()

    def _checked(self) -> Self:
        """Return itself; raises `EditError` for keys that are not possible."""
        keys = self.keys
        numbers = np.concatenate([keys[name].ravel() for name in ("at", "time", "pace", "change")])
        if not (np.abs(numbers) < _LARGEST).all():
            raise EditError(
                say("A key has numbers of usual size; if an actor stands still before it, it needs a time.")
            )
        is_ordered = (np.diff(keys["time"]) > 0).all() and (np.diff(keys["at"]) >= 0).all()
        if not is_ordered or (keys["pace"] < 0).any():
            raise EditError(
                say("Keys are in the order of their times, and nobody goes back along the path between them.")
            )
        jumps_at_first = self.moved[0] and keys["time"][0] > self.recorded.times[0]
        jumps_at_last = self.moved[-1] and keys["time"][-1] < self.recorded.times[-1]
        if jumps_at_first or jumps_at_last:
            raise EditError(
                say("The path would jump at its first or last key: put an unchanged key before or after it.")
            )
        return self

    # --- the path ---------------------------------------------------------------------------------------

    @_MEANINGLESS
    def motion(self, times: FloatArray) -> StructuredArray:
        """Return what the path does at some times.

        Args:
            times: Seconds, rising, shape (n,).

        Returns:
            Shape (n,), dtype `MOTION`.
        """
        result = np.zeros(len(times), MOTION)
        result["path"] = times
        result["pace"] = 1.0
        result["ratio"] = 1.0
        keys = self.keys
        piece = np.clip(np.searchsorted(keys["time"], times, side="right") - 1, 0, len(keys) - 2)
        is_outside = (times < keys["time"][0]) | (times > keys["time"][-1])
        is_at_recorded_key = np.isin(times, keys["time"][~self.moved])
        here = np.flatnonzero(self._active[piece] & ~is_outside & ~is_at_recorded_key)
        if not len(here):
            return result
        piece = piece[here]
        share, path, pace = _timing(times[here], keys[piece], keys[piece + 1])
        path = np.clip(path, self.recorded.times[0], self.recorded.times[-1])
        distance = np.interp(path, self.recorded.times, self.recorded.distance)
        recorded = self.recorded.curve(distance)
        added = self._added(piece, share, distance)
        is_plain = keys["plain"][piece, None]
        changed = np.where(is_plain, added, recorded + added)
        # Of a plain piece the curve is the path itself: a key there adds what it differs by, but for the bend.
        place_and_slope = np.array([1.0, 1.0, 0.0])[:, None, None]
        result["added"][here] = (added - is_plain * recorded * place_and_slope).transpose(1, 0, 2)
        result["path"][here] = path
        result["pace"][here] = pace
        result["changed"][here] = True
        result["shift"][here] = changed[0] - recorded[0]
        result["turn"][here] = _turned(recorded[1], changed[1])
        recorded_stretch = _lengths(recorded[1])
        stretch = _lengths(changed[1])
        ratio = np.where(recorded_stretch > 1e-6, stretch / np.maximum(recorded_stretch, 1e-6), 1.0)
        result["ratio"][here] = pace * ratio
        result["bends"][here, 0] = _curvature(recorded, recorded_stretch)
        result["bends"][here, 1] = _curvature(changed, stretch)
        return result

    def _added(self, piece: IntArray, share: FloatArray, distance: FloatArray) -> FloatArray:
        """Return the values of pieces: what they add to the recorded path, or the path itself where it is plain.

        Args:
            piece: The piece of each place, shape (k,).
            share: How much of the time of the piece has passed, 0 to 1.
            distance: Of each place along the recorded path, m.

        Returns:
            Place and its first two derivatives by distance, shape (3, k, 2).
        """
        keys = self.keys
        length = np.diff(self.distance)[piece]
        stands = length <= _SHORT + _SLOW * (keys["at"][piece + 1] - keys["at"][piece])
        length = np.where(stands, np.inf, length)
        along = np.where(stands, share, (distance - self.distance[piece]) / length)
        added = bezier(self._controls[piece], along, length)
        if stands.any():  # derivatives over time, since there is no distance
            is_plain = keys["plain"][piece, None, None]
            begins = keys["change"][piece] + is_plain * self._recorded_values[piece]
            ends = keys["change"][piece + 1] + is_plain * self._recorded_values[piece + 1]
            begins = begins.transpose(1, 0, 2)[1:, stands]
            ends = ends.transpose(1, 0, 2)[1:, stands]
            added[1:, stands] = begins + (ends - begins) * share[stands, None]
        return added

    @cached_property
    def way(self) -> FloatArray:
        """Where the actor is at the times of `recorded`, and how fast: x, y (m) and speed (m/s), shape (m, 3)."""
        recorded = self.recorded
        motion = self.motion(recorded.times)
        values = np.column_stack((recorded.places, recorded.speeds))
        way = np.column_stack([np.interp(motion["path"], recorded.times, column) for column in values.T])
        way[:, :2] += motion["shift"]
        way[:, 2] *= motion["ratio"]
        return way

    # --- JSON -------------------------------------------------------------------------------------------

    def to_json(self) -> list[dict[str, object]]:
        """Return the keys as JSON objects, without the values that are as recorded."""
        rows: list[dict[str, object]] = []
        for key, moved, values in zip(self.keys, self.moved, self.values.tolist(), strict=True):
            row: dict[str, object] = {"at": float(key["at"])}
            if key["plain"]:
                row["plain"] = True
            if moved:
                row["time"] = float(key["time"])
                row["pace"] = float(key["pace"])
            if key["change"].any():
                (x, y), tangent, bend = values
                row["x"] = x
                row["y"] = y
                row["tangent"] = tangent
                row["bend"] = bend
            rows.append(row)
        return rows

    @classmethod
    @_MEANINGLESS
    def from_json(cls, recorded: RecordedPath, rows: Sequence[Mapping[str, Any]]) -> Self:
        """Return the path with keys of a script.

        Args:
            recorded: The recorded path.
            rows: Keys. A key is `at` a time of the recording, or at a `distance` along the path; what else it has is
                changed: `x`, `y`, `tangent`, `bend`, `time`, `pace` or `speed` (m/s; without a time it is reached
                steadily), `plain`.

        Raises:
            EditError: They are not keys (`are_keys`), or not possible.
        """
        if not are_keys(rows):
            raise EditError(say("A path is edited by a list of two or more keys, each at a time or a distance."))
        recorded_times: list[float] = []
        for row in rows:
            if "distance" in row:
                recorded_times.append(np.interp(row["distance"], recorded.distance, recorded.times))
            else:
                recorded_times.append(row["at"])
        keys = cls.as_recorded(recorded, recorded_times).keys
        for key, row, values in zip(keys, rows, cls(recorded, keys).values, strict=True):
            place, tangent, bend = values
            point = (row.get("x", place[0]), row.get("y", place[1]))
            key["change"] = np.array((point, row.get("tangent", tangent), row.get("bend", bend))) - values
            key["plain"] = row.get("plain", False)
        path = cls(recorded, keys)  # at the recorded pace
        speeds: list[np.float64] = []
        for row, full_speed in zip(rows, path.speeds, strict=True):
            speeds.append(np.float64(row.get("speed", row.get("pace", 1.0) * full_speed)))
        for index, row in enumerate(rows):
            keys["time"][index] = row.get("time", recorded_times[index])
            if "speed" in row and "time" not in row and index:
                length = path.distance[index] - path.distance[index - 1]
                keys["time"][index] = keys["time"][index - 1] + 2 * length / (speeds[index - 1] + speeds[index])
        for index, row in enumerate(rows):
            if "speed" in row:
                keys["pace"][index] = 0.0
                if row["speed"]:
                    keys["pace"][index] = row["speed"] / path.speeds[index]
            elif "pace" in row:
                keys["pace"][index] = row["pace"]
            elif keys["time"][index] != recorded_times[index]:
                keys["pace"][index] = _pace(keys, index)
        return cls(recorded, keys)._checked()

    @classmethod
    def as_recorded(cls, recorded: RecordedPath, times: FloatArray | Sequence[float] | None = None) -> Self:
        """Return the path with keys that change nothing.

        Args:
            recorded: The recorded path.
            times: Times of the keys (s); None: those of the knots of the fitted curve.
        """
        if times is None:
            times = recorded.times[recorded.knots]
        keys = np.zeros(len(times), KEY)
        keys["at"] = times
        keys["time"] = times
        keys["pace"] = 1.0
        return cls(recorded, keys)


def are_keys(value: object) -> bool:
    """Return whether it is a JSON list of keys, as `KeyedPath.from_json` takes them."""
    return isinstance(value, list) and len(value) > 1 and all(map(_is_key, value))


def _is_key(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if ("at" in value) == ("distance" in value):
        return False
    if "speed" in value and "pace" in value:
        return False
    for name, member in value.items():
        is_valid = _FIELDS.get(name)
        if is_valid is None or not is_valid(member):
            return False
    return True


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


_FIELDS: Mapping[str, Callable[[object], bool]] = {
    "at": is_number,
    "distance": is_number,
    "time": is_number,
    "x": is_number,
    "y": is_number,
    "speed": is_number,
    "pace": is_number,
    "tangent": _is_pair,
    "bend": _is_pair,
    "plain": _is_bool,
}
"""The fields of a key as JSON, and what checks their values."""


# --- times ----------------------------------------------------------------------------------------------


@_MEANINGLESS
def _pace(keys: StructuredArray, key: int) -> float:
    """Return the pace at a key: the harmonic mean of those before and after it; 0 where the actor stands."""
    near = keys[max(0, key - 1) : key + 2]
    seconds = np.diff(near["time"])
    recorded_seconds = np.diff(near["at"])
    if (seconds > 0).all() and (recorded_seconds > 0).all():
        return float(len(recorded_seconds) / (seconds / recorded_seconds).sum())
    return 0.0


def _timing(
    times: FloatArray, begins: StructuredArray, ends: StructuredArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the share of the time between two keys, the time of the recording and the pace.

    The last two are rational quadratics, which never go back.

    Args:
        times: Seconds, shape (n,).
        begins: The key before each of them.
        ends: The key after each of them.
    """
    time = begins["time"]
    seconds = ends["time"] - time
    at = begins["at"]
    way = ends["at"] - at
    mean = way / seconds
    share = (times - time) / seconds
    bow = share * (1.0 - share)
    pace_in = begins["pace"]
    pace_out = ends["pace"]
    below = np.where(mean > 1e-9, mean + (pace_in + pace_out - 2.0 * mean) * bow, 1.0)
    path = at + way * (mean * share**2 + pace_in * bow) / below
    pace = mean**2 * (pace_out * share**2 + 2.0 * mean * bow + pace_in * (1.0 - share) ** 2) / below**2
    return share, path, pace


# --- curves ---------------------------------------------------------------------------------------------


def controls(begins: FloatArray, ends: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return the control points of pieces, shape (n, degree + 1, 2).

    Args:
        begins: Values at the begin of each piece: value and slope for cubics, shape (n, 2, 2); also the second
            derivative for quintics, shape (n, 3, 2).
        ends: Values at the end of each piece, of the same shape.
        lengths: Of the pieces, shape (n,).
    """
    points = _end_controls(begins, lengths[:, None])
    points.extend(reversed(_end_controls(ends, -lengths[:, None])))
    return np.stack(points, axis=1)


def _end_controls(values: FloatArray, step: FloatArray) -> list[FloatArray]:
    """Return the control points of one end of pieces, from the end inwards; `step` is negative at their ends."""
    degree = 2 * values.shape[1] - 1
    end = values[:, 0]
    first = end + step / degree * values[:, 1]
    points = [end, first]
    if degree == 5:
        points.append(2 * first - end + step**2 / 20 * values[:, 2])
    return points


def bezier(controls: FloatArray, share: FloatArray, length: FloatArray) -> FloatArray:
    """Return values of pieces.

    Args:
        controls: The control points of each piece, shape (n, degree + 1, 2).
        share: Where on each piece, 0 to 1, shape (n,).
        length: Of each piece, shape (n,).

    Returns:
        Value and first two derivatives, shape (3, n, 2).
    """
    x = share[:, None]
    step = length[:, None]
    degree = controls.shape[1] - 1
    points = list(controls.transpose(1, 0, 2))
    while len(points) > 3:
        points = [begin + (end - begin) * x for begin, end in pairwise(points)]
    slopes = [end - begin for begin, end in pairwise(points)]
    slope = slopes[0] + (slopes[1] - slopes[0]) * x
    second = slopes[1] - slopes[0]
    value = points[0] + slopes[0] * x + slope * x
    return np.stack((value, degree * slope / step, degree * (degree - 1) * second / step**2))


def _turned(before: FloatArray, after: FloatArray) -> FloatArray:
    """Return the angles between directions, degrees; where one is reversed at once the actor goes backwards."""
    angle = np.arctan2(_cross(before, after), (before * after).sum(axis=1))
    turn = np.unwrap(angle, period=math.pi)
    if not math.cos(turn[-1] - angle[-1]) > 0:  # not a number counts, too
        turn = np.unwrap(angle)
    return np.asarray(np.degrees(turn))


def _curvature(curve: FloatArray, stretch: FloatArray) -> FloatArray:
    """Return the curvature (1/m) of a curve; 0 where it stands.

    Args:
        curve: Place and its first two derivatives, shape (3, n, 2).
        stretch: Length of the first derivative, shape (n,).
    """
    return np.where(stretch > 0.1, _cross(curve[1], curve[2]) / stretch**3, 0.0)


def _lengths(vectors: FloatArray) -> FloatArray:
    """Return the lengths of vectors (n, 2)."""
    return np.asarray(np.hypot(vectors[:, 0], vectors[:, 1]))


def _cross(before: FloatArray, after: FloatArray) -> FloatArray:
    """Return the cross products of vectors (n, 2)."""
    return np.asarray(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])
