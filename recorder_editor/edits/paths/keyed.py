"""Paths with keys: the recorded path of a life as a curve of few keys, and the change of it by its keys.

The change is what keys add to the recorded path, so that the error of the fitted curve is in no file. Lengths are
metres, times seconds; curves run over the distance travelled. Knows no bytes.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, Self

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
"""A key: the time of the recording whose place it is, or was before it was moved; the time at which the actor is there;
its pace, the rate of the former by the latter; what it adds to the recorded path (to the place, x and y, and to its
first and second derivative by distance); whether the path leads on as this key and the next one say, without what was
recorded between them."""

_MOTION = [(name, "f8") for name in ("path", "pace", "turn", "ratio")]
MOTION: Final = np.dtype([*_MOTION, ("shift", "f8", 2), ("bends", "f8", 2), ("added", "f8", (3, 2)), ("changed", "?")])
"""What a path with keys does at a time: the time of the recording whose place it has, and its rate; the turn of the
heading (degrees); the ratio of its speed to the recorded one; the shift from the recorded place; the curvature (1/m) of
the recorded and of the changed path; what a key there would add; whether it is between keys that change anything."""

_REACH = 0.5  # m between the places by which the direction of a recorded path is taken
_FARTHEST, _LARGEST = 1e7, 1e9  # m, and numbers of keys
_SHORT, _SLOW = 1e-6, 0.05  # m, m/s: a piece has no length, or its actor only trembles
_LEAST = 0.02  # of the time between the keys beside it that a key keeps from them
_MEANINGLESS = np.errstate(all="ignore")  # files may hold any number


class RecordedPath:
    """The recorded path of a life, and a curve of cubic pieces through some of its places.

    Attributes, of m frames with a place: `frames` (indices), `times`, `places` (x, y; shape (m, 2)), `distance` (over
    the ground), `speeds`; `knots` (indices of the places that the curve leads through).
    """

    @_MEANINGLESS
    def __init__(self, frames: IntArray, times: FloatArray, places: FloatArray) -> None:
        """Two places or more, at times that rise."""
        self.frames = frames
        self.times = times
        self.places = places
        self.distance = np.append(0.0, np.cumsum(np.hypot(*np.diff(places, axis=0).T)))
        self.speeds: FloatArray = np.gradient(self.distance, times)
        some = np.unique(self.distance // _REACH, return_index=True)[1]
        some = np.append(some[: max(1, len(some) - 1)], len(places) - 1)
        rates = np.gradient(places[some], self.distance[some], axis=0, edge_order=2 if len(some) > 2 else 1)
        slopes = []
        for axis in np.nan_to_num(rates).T:
            slopes.append(np.interp(self.distance, self.distance[some], axis))
        self._values = np.stack((places, np.column_stack(slopes)), axis=1)
        worst = self.knots = np.array([0, len(places) - 1])
        while len(worst):  # a further knot at the worst place of each piece that is too far off
            self.knots = np.union1d(self.knots, worst)
            values = self._values[self.knots]
            length = np.diff(self.distance[self.knots])
            self._controls = controls(values[:-1], values[1:], length)
            off = np.hypot(*(self.curve(self.distance)[0] - places).T)
            piece = np.searchsorted(self.knots, np.arange(len(places)), side="right")
            order = np.lexsort((off, piece))
            worst = order[np.append(np.diff(piece[order]) > 0, True)]
            worst = worst[off[worst] > TOLERANCE]

    @classmethod
    @_MEANINGLESS
    def of(cls, snapshot: Snapshot, life: Life) -> Self:
        """That of a life. Raises `EditError` for fewer than two places, and if times do not rise."""
        span = life.within(range(len(snapshot)))
        found = Tracks(snapshot).path(life.actor, span)
        places = np.column_stack([found[axis].astype(np.float64) / CM for axis in "xy"])
        sound = (np.abs(places) < _FARTHEST).all(axis=1)
        frames = found["frame"][sound].astype(np.int64)
        if len(frames) < 2:
            raise EditError(
                say("Actor {actor} has fewer than two positions, so its path has no keys.", actor=life.actor)
            )
        return cls(frames, elapsed_in(snapshot, span)[frames - span.start], places[sound])

    def curve(self, distance: FloatArray) -> FloatArray:
        """Place and its first two derivatives by distance: shape (3, n, 2)."""
        knots = self.distance[self.knots]
        at = np.clip(np.searchsorted(knots, distance, side="right") - 1, 0, len(knots) - 2)
        length = knots[at + 1] - knots[at]
        length = np.where(length > _SHORT, length, np.inf)
        return bezier(self._controls[at], (distance - knots[at]) / length, length)


class KeyedPath:
    """A path with keys; methods return another one.

    Between two keys that are as they were recorded nothing changes, not in the last bit. The change is twice
    differentiable, times are once. Attributes: `recorded`, `keys` (dtype `KEY`), and of each key `distance` (along the
    recorded path), `values` (its place, its tangent, that is the change of place by distance, and the second derivative
    that is added: shape (n, 3, 2)), `speeds`, `moved` (whether it is not as recorded).
    """

    @_MEANINGLESS
    def __init__(self, recorded: RecordedPath, keys: StructuredArray) -> None:
        """At least two keys; they are not changed afterwards."""
        self.recorded = recorded
        self.keys = keys
        self.distance = np.interp(keys["at"], recorded.times, recorded.distance)
        self._places = recorded.curve(self.distance).transpose(1, 0, 2)
        self._places[:, 2] = 0.0
        self.values: FloatArray = self._places + keys["change"]
        new, old = (np.hypot(*each[:, 1].T) for each in (self.values, self._places))
        self._full = np.interp(keys["at"], recorded.times, recorded.speeds) * new / np.maximum(old, 1e-9)
        self.speeds = keys["pace"] * self._full
        self.moved = keys["change"].any(axis=(1, 2)) | (keys["time"] != keys["at"]) | (keys["pace"] != 1.0)
        # The pieces, from each key to the next: of the change, or of the path where it is plain.
        plain = keys["plain"][:-1, None, None]
        one = keys["change"][:-1] + plain * self._places[:-1]
        two = keys["change"][1:] + plain * self._places[1:]
        self._controls = controls(one, two, np.diff(self.distance))
        self._active = self.moved[:-1] | self.moved[1:] | keys["plain"][:-1]

    @property
    def span(self) -> tuple[float, float] | None:
        """From when to when anything changes; None for never."""
        (active,) = np.nonzero(self._active)
        if len(active):
            return (self.keys["time"][active[0]], self.keys["time"][active[-1] + 1])
        return None

    def time_within(self, key: int, time: float) -> float:
        """The time nearest to this one that a key between two others can have; of the first and last key their own."""
        before, now, after = self.keys["time"][[max(0, key - 1), key, min(key + 1, len(self.keys) - 1)]].tolist()
        least = _LEAST * (after - before)
        if before < now < after:
            return float(np.clip(time, before + least, after - least))
        return float(now)

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
        """With another `point` (x, y), `tangent`, `time`, `pace` or `speed` (m/s) of a key.

        A time without a pace gets one between those before and after it. Raises `EditError`, as all that change keys.
        """
        keys = self.keys.copy()
        if speed is not None:
            if speed:
                pace = speed / self._full[key]
            else:
                pace = 0.0
        if point is not None:
            keys["change"][key, 0] = np.asarray(point) - self._places[key, 0]
        if tangent is not None:
            keys["change"][key, 1] = tangent - self._places[key, 1]
        if time is not None:
            keys["time"][key] = time
        if pace is not None:
            keys["pace"][key] = pace
        elif time is not None:
            keys["pace"][key] = _pace(keys, key)
        return type(self)(self.recorded, keys)._checked()

    def with_key_at(self, time: float) -> Self:
        """With a further key where the actor is at a time; its way stays as it is."""
        if time in self.keys["time"]:
            raise EditError(say("There is a key at this time already."))
        key = int(np.searchsorted(self.keys["time"], time, side="right"))
        (now,) = self.motion(np.array([time]))
        row = (now["path"], time, now["pace"], now["added"], self.keys["plain"][max(0, key - 1)])
        return type(self)(self.recorded, np.insert(self.keys, key, np.array(row, KEY)))._checked()

    def without_key(self, key: int) -> Self:
        """Without a key that is neither the first nor the last: the path leads straight on from the one before."""
        if not 0 < key < len(self.keys) - 1:
            raise EditError(say("The first and the last key of a path stay."))
        keys = np.delete(self.keys, key)
        keys["plain"][key - 1] = True
        return type(self)(self.recorded, keys)._checked()

    def _checked(self) -> Self:
        keys, (first, last) = self.keys, self.recorded.times[[0, -1]]
        numbers = np.concatenate([keys[name].ravel() for name in ("at", "time", "pace", "change")])
        if not (np.abs(numbers) < _LARGEST).all():
            raise EditError(
                say("A key has numbers of usual size; if an actor stands still before it, it needs a time.")
            )
        if not (np.diff(keys["time"]) > 0).all() or (np.diff(keys["at"]) < 0).any() or (keys["pace"] < 0).any():
            raise EditError(
                say("Keys are in the order of their times, and nobody goes back along the path between them.")
            )
        if (self.moved[0] and keys["time"][0] > first) or (self.moved[-1] and keys["time"][-1] < last):
            raise EditError(
                say("The path would jump at its first or last key: put an unchanged key before or after it.")
            )
        return self

    # --- the path ---------------------------------------------------------------------------------------

    @_MEANINGLESS
    def motion(self, times: FloatArray) -> StructuredArray:
        """What the path does at these times, which rise: dtype `MOTION`."""
        made = np.zeros(len(times), MOTION)
        keys = self.keys
        made["path"], made["pace"], made["ratio"] = times, 1.0, 1.0
        at = np.clip(np.searchsorted(keys["time"], times, side="right") - 1, 0, len(self.keys) - 2)
        still = (times < keys["time"][0]) | (times > keys["time"][-1]) | np.isin(times, keys["time"][~self.moved])
        (here,) = np.nonzero(self._active[at] & ~still)
        if not len(here):
            return made
        at = at[here]
        share, path, pace = _timing(times[here], keys[at], keys[at + 1])
        path = np.clip(path, *self.recorded.times[[0, -1]])
        distance = np.interp(path, self.recorded.times, self.recorded.distance)
        length = np.diff(self.distance)[at]
        plain = keys["plain"][at, None]
        stands = length <= _SHORT + _SLOW * (keys["at"][at + 1] - keys["at"][at])
        length = np.where(stands, np.inf, length)
        added = bezier(self._controls[at], np.where(stands, share, (distance - self.distance[at]) / length), length)
        if stands.any():  # over time, since there is no distance
            ends = (keys["change"][each] + plain[..., None] * self._places[each] for each in (at, at + 1))
            one, two = (each.transpose(1, 0, 2)[1:, stands] for each in ends)
            added[1:, stands] = one + (two - one) * share[stands, None]
        recorded = self.recorded.curve(distance)
        changed = np.where(plain, added, recorded + added)
        made["added"][here] = (added - plain * recorded * np.array([1.0, 1.0, 0.0])[:, None, None]).transpose(1, 0, 2)
        made["path"][here], made["pace"][here], made["changed"][here] = path, pace, True
        made["shift"][here] = changed[0] - recorded[0]
        made["turn"][here] = _turned(recorded[1], changed[1])
        old, new = (np.hypot(*each[1].T) for each in (recorded, changed))
        made["ratio"][here] = pace * np.where(old > 1e-6, new / np.maximum(old, 1e-6), 1.0)
        for column, (each, size) in enumerate(((recorded, old), (changed, new))):
            bend = _cross(each[1], each[2]) / size**3
            made["bends"][here, column] = np.where(size > 0.1, bend, 0.0)
        return made

    @cached_property
    def way(self) -> FloatArray:
        """Where the actor is at the times of `recorded`, and how fast: x, y (m) and speed (m/s), shape (m, 3)."""
        recorded = self.recorded
        motion = self.motion(recorded.times)
        columns = *recorded.places.T, recorded.speeds
        made = np.column_stack([np.interp(motion["path"], recorded.times, each) for each in columns])
        made[:, :2] += motion["shift"]
        made[:, 2] *= motion["ratio"]
        return made

    # --- JSON -------------------------------------------------------------------------------------------

    def to_json(self) -> list[dict[str, object]]:
        """The keys as JSON objects, without the values that are as recorded."""
        rows: list[dict[str, object]] = []
        for key, moved, values in zip(self.keys, self.moved, self.values.tolist(), strict=True):
            row: dict[str, object] = {"at": float(key["at"])}
            if key["plain"]:
                row["plain"] = True
            if moved:
                row |= {"time": float(key["time"]), "pace": float(key["pace"])}
            if key["change"].any():
                row |= {"x": values[0][0], "y": values[0][1], "tangent": values[1], "bend": values[2]}
            rows.append(row)
        return rows

    @classmethod
    @_MEANINGLESS
    def from_json(cls, recorded: RecordedPath, rows: Sequence[Mapping[str, Any]]) -> Self:
        """The path with these keys. Raises `EditError` for those that are not (`are_keys`) or cannot be.

        A key is `at` a time of the recording, or at a `distance` along the path; what else it says is changed: `x`,
        `y`, `tangent`, `bend`, `time`, `pace` or `speed` (m/s; without a time it is reached steadily), `plain`.
        """
        if not are_keys(rows):
            raise EditError(say("A path is edited by a list of two or more keys, each at a time or a distance."))
        track = recorded.distance, recorded.times
        at = [np.interp(row["distance"], *track) if "distance" in row else row["at"] for row in rows]
        keys = cls.as_recorded(recorded, at).keys
        for key, row, place in zip(keys, rows, cls(recorded, keys).values, strict=True):
            point = row.get("x", place[0, 0]), row.get("y", place[0, 1])
            key["change"] = np.array((point, row.get("tangent", place[1]), row.get("bend", place[2]))) - place
            key["plain"] = row.get("plain", False)
        path = cls(recorded, keys)  # at the recorded pace
        pairs = zip(rows, path.speeds, strict=True)
        speeds = [np.float64(row.get("speed", row.get("pace", 1.0) * each)) for row, each in pairs]
        for n, row in enumerate(rows):
            keys["time"][n] = row.get("time", at[n])
            if "speed" in row and "time" not in row and n:
                way = path.distance[n] - path.distance[n - 1]
                keys["time"][n] = keys["time"][n - 1] + 2 * way / (speeds[n - 1] + speeds[n])
        for n, row in enumerate(rows):
            if "speed" in row:
                if row["speed"]:
                    keys["pace"][n] = row["speed"] / path.speeds[n]
                else:
                    keys["pace"][n] = 0.0
            elif "pace" in row or keys["time"][n] != at[n]:
                keys["pace"][n] = row.get("pace", _pace(keys, n))
        return cls(recorded, keys)._checked()

    @classmethod
    def as_recorded(cls, recorded: RecordedPath, at: FloatArray | Sequence[float] | None = None) -> Self:
        """The path with keys at these times that change nothing; without times at the knots of the fitted curve."""
        if at is None:
            at = recorded.times[recorded.knots]
        keys = np.zeros(len(at), KEY)
        keys["at"], keys["time"], keys["pace"] = at, at, 1.0
        return cls(recorded, keys)


def are_keys(value: object) -> bool:
    """Whether it is a JSON list of keys, as `KeyedPath.from_json` takes them."""
    return isinstance(value, list) and len(value) > 1 and all(map(_is_key, value))


def _is_key(value: object) -> bool:
    if not isinstance(value, dict) or len({"at", "distance"} & set(value)) != 1 or {"speed", "pace"} <= set(value):
        return False
    return all(name in _FIELDS and _FIELDS[name](each) for name, each in value.items())


_FIELDS: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(("at", "distance", "time", "x", "y", "speed", "pace"), is_number),
    **dict.fromkeys(("tangent", "bend"), lambda each: isinstance(each, list) and [*map(is_number, each)] == [True] * 2),
    "plain": lambda each: isinstance(each, bool),
}


# --- times ----------------------------------------------------------------------------------------------


@_MEANINGLESS
def _pace(keys: StructuredArray, key: int) -> float:
    """The pace at a key: the harmonic mean of those before and after it; 0 where the actor stands."""
    near = keys[max(0, key - 1) : key + 2]
    seconds = np.diff(near["time"])
    way = np.diff(near["at"])
    if (seconds > 0).all() and (way > 0).all():
        return float(len(way) / (seconds / way).sum())
    return 0.0


def _timing(times: FloatArray, one: StructuredArray, two: StructuredArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Share of the piece between two keys, time of the recording and pace: rational quadratics, which never go back."""
    seconds = two["time"] - one["time"]
    mean = (two["at"] - one["at"]) / seconds
    share = (times - one["time"]) / seconds
    bow, (into, out) = share * (1.0 - share), (one["pace"], two["pace"])
    below = np.where(mean > 1e-9, mean + (into + out - 2.0 * mean) * bow, 1.0)
    path = one["at"] + (two["at"] - one["at"]) * (mean * share**2 + into * bow) / below
    pace = mean**2 * (out * share**2 + 2.0 * mean * bow + into * (1.0 - share) ** 2) / below**2
    return share, path, pace


# --- curves ---------------------------------------------------------------------------------------------


def controls(one: FloatArray, two: FloatArray, lengths: FloatArray) -> FloatArray:
    """Control points (n, degree + 1, 2) of pieces by what they are at their ends (n, 2 or 3, 2).

    Cubics by value and slope, quintics by value, slope and bend.
    """
    degree = 2 * one.shape[1] - 1
    sides = []
    for end, step in ((one, lengths[:, None]), (two, -lengths[:, None])):
        first = end[:, 0] + step / degree * end[:, 1]
        sides.append(
            [end[:, 0], first, *(2 * first - end[:, 0] + step**2 / 20 * end[:, 2] for _ in range(degree // 5))]
        )
    return np.stack([*sides[0], *reversed(sides[1])], axis=1)


def bezier(controls: FloatArray, share: FloatArray, length: FloatArray) -> FloatArray:
    """Value and first two derivatives (3, n, 2) of pieces with these control points (n, degree + 1, 2)."""
    x = share[:, None]
    step = length[:, None]
    degree = controls.shape[1] - 1
    points = list(controls.transpose(1, 0, 2))
    while len(points) > 3:
        points = [one + (two - one) * x for one, two in pairwise(points)]
    slopes = [two - one for one, two in pairwise(points)]
    slope = slopes[0] + (slopes[1] - slopes[0]) * x
    second = slopes[1] - slopes[0]
    value = points[0] + slopes[0] * x + slope * x
    return np.stack((value, degree * slope / step, degree * (degree - 1) * second / step**2))


def _turned(one: FloatArray, two: FloatArray) -> FloatArray:
    """The angles between directions, degrees; where one is reversed at once the actor goes backwards."""
    angle = np.arctan2(_cross(one, two), (one * two).sum(axis=1))
    turn = np.unwrap(angle, period=math.pi)
    return np.asarray(np.degrees(turn if math.cos(turn[-1] - angle[-1]) > 0 else np.unwrap(angle)))


def _cross(one: FloatArray, two: FloatArray) -> FloatArray:
    return np.asarray(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0])
