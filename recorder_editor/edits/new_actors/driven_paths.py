"""Paths of new actors, a smooth curve through points or the recorded path of another actor, and how they are driven.

Lengths are metres, angles degrees, times seconds. Knows no packets.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from ...arrays import FloatArray, StructuredArray, row_type
from ...errors import EditError
from ...progress import Progress
from ...reading import Actors, Life, Tracks
from ...reading.motion import speeds_at, speeds_of
from ...recording import Snapshot
from ...texts import say
from ..blueprints import DRIVERS, Model, typical_model
from ..paths.keyed import bezier, controls
from ..paths.motion import CM
from .blueprints import catalogue

Numbers = FloatArray | float
"""Numbers of shape (n,), or one for all."""

HEADWAY = 1.2
COMFORT = 2.0
MAX_BRAKING = 6.8
"""Seconds to a leader; m/s2 that drivers brake with, if they need not brake harder; m/s2 at most."""

FARTHEST = 1e7
"""Metres from the origin that places may be."""

ROAD_USER: Final = row_type("frame:i8 life:i8 x y z yaw speed length width")
"""A vehicle or walker in a frame, on the ground, with half its length and width; its heading is in radians."""

_SPACING, _POINTS = 0.25, 2.0  # m between points of a curve, and between those by which others are found
_ACROSS = 3.0  # m/s2 in bends
_BEYOND = 300.0  # m that the path of another actor is led straight on
_SIGHT, _BEHIND = 100.0, 60.0  # m within which others are looked for, and how far of that is behind a leader
_REACH = 8.0  # m beside a path that a leader may be
_LEVEL = 3.0  # m: others that are further above or below are on another road
_MOST = 50_000  # positions by which the ground is known
_MOST_POINTS = 200_000  # of a path
_ROOM = 0.5  # m that are left to those ahead in any case


class DrivenPath(NamedTuple):
    """Fields: `distance` (rises); the `poses` there (x, y, height of the ground, roll, pitch, heading, which never
    jumps; shape (n, 6)); `limit` (m/s that it may be driven at)."""

    distance: FloatArray
    poses: FloatArray
    limit: FloatArray

    def at(self, distance: FloatArray) -> FloatArray:
        """The poses at these distances: shape (n, 6)."""
        return np.column_stack([np.interp(distance, self.distance, column) for column in self.poses.T])


def path_through(points: FloatArray) -> DrivenPath:
    """The smooth curve through points x, y, z; slow in bends, and to a stop at its end. Raises `EditError`."""
    points = points[np.append(True, np.hypot(*np.diff(points[:, :2], axis=0).T) > 0.01)]
    if len(points) < 2:
        raise EditError(say("The points of the path are at one place; a path needs two that are apart."))
    chord = _lengths(points)
    ends = np.stack((points, np.gradient(points, chord, axis=0)), axis=1)
    length = np.diff(chord)
    at = np.linspace(0.0, chord[-1], int(min(chord[-1] / _SPACING, _MOST_POINTS)) + 2)
    piece = np.clip(np.searchsorted(chord, at, side="right") - 1, 0, len(length) - 1)
    share = (at - chord[piece]) / length[piece]
    place, (x, y, z), _ = bezier(controls(ends[:-1], ends[1:], length)[piece], share, length[piece]).transpose(0, 2, 1)
    heading = np.unwrap(np.arctan2(y, x))
    pitch = np.arctan2(z, np.hypot(x, y))
    distance = _lengths(place.T)
    bend = np.abs(np.gradient(heading, distance))
    # What can still be braked for before each bend and the end.
    top = np.append(_ACROSS / np.maximum(bend[:-1], 1e-6), 0.0) + 2 * COMFORT * distance
    limit = np.sqrt(np.maximum(np.minimum.accumulate(top[::-1])[::-1] - 2 * COMFORT * distance, 0.0))
    return DrivenPath(distance, np.column_stack((place.T, 0.0 * pitch, *np.degrees((pitch, heading)))), limit)


def recorded_path(snapshot: Snapshot, life: Life) -> tuple[FloatArray, FloatArray, DrivenPath]:
    """The times at which a life has a position, how far along its path it is then, and the path, led straight on by
    300 m at both ends. Raises `EditError` without positions."""
    placed = Tracks(snapshot).path(life.actor, life.within(range(len(snapshot))))
    poses = np.column_stack([placed[name].astype(np.float64) for name in ("x", "y", "z", "roll", "pitch", "yaw")])
    if not len(poses) or not (np.abs(poses) < FARTHEST * CM).all():
        raise EditError(say("Actor {actor} has no path: only its EventAdd says where it is.", actor=life.actor))
    poses[:, :3] /= CM
    poses[:, 2] -= _models(snapshot)[life.index].above / CM
    poses[:, 5] = np.unwrap(poses[:, 5], period=360.0)
    yaw = np.radians(poses[[0, -1], 5])
    poses = np.vstack((poses[:1], poses, poses[-1:]))
    poses[[0, -1], :2] += _BEYOND * np.column_stack((np.cos(yaw), np.sin(yaw))) * ((-1,), (1,))
    distance = _lengths(poses)
    return (
        snapshot.elapsed[placed["frame"]],
        distance[1:-1],
        DrivenPath(distance, poses, np.full(len(distance), np.inf)),
    )


def _lengths(places: FloatArray) -> FloatArray:
    return np.append(0.0, np.cumsum(np.hypot(*np.diff(places[:, :2], axis=0).T)))


# --- others ---------------------------------------------------------------------------------------------


def _models(snapshot: Snapshot) -> list[Model]:
    """The model of every life; a usual car where it has none."""
    known = catalogue(snapshot)
    usual = typical_model()
    return [known[life.blueprint].model if life.blueprint in known else usual for life in Actors.of(snapshot)]


def road_users(snapshot: Snapshot, frames: range) -> StructuredArray:
    """The vehicles and walkers in these frames, dtype `ROAD_USER`, by frame."""
    actors = Actors.of(snapshot)
    tracks = Tracks(snapshot)
    placed = tracks.positions(None, frames)
    models = _models(snapshot)
    sound = np.all([np.abs(placed[axis]) < FARTHEST * CM for axis in "xyz"], axis=0)
    whose = actors.indices_of(placed["id"], placed["frame"])
    sound &= np.array([*(life.is_road_user for life in actors), False])[whose]
    placed, whose = placed[sound], whose[sound]
    made = np.zeros(len(placed), ROAD_USER)
    made["frame"], made["life"] = placed["frame"], whose
    for axis in "xyz":
        made[axis] = placed[axis] / CM
    made["z"] -= np.array([model.above for model in models])[whose] / CM
    made["yaw"] = np.radians(np.nan_to_num(placed["yaw"]))
    # By places: who is moved by a script may stand still by its Kinematics.
    speeds = speeds_of(tracks.around(None, frames), np.empty(0, tracks.dtype("kinematics")), snapshot.elapsed, frames)
    made["speed"] = np.nan_to_num(speeds_at(speeds, placed["id"], placed["frame"]))
    made["length"], made["width"] = np.array([model.box[3:5] for model in models]).reshape(-1, 2)[whose].T / CM
    return made


def ground(snapshot: Snapshot, points: FloatArray) -> FloatArray:
    """The height of the ground and its heading at points x, y: shape (n, 2).

    Those of the lanes of the map, else of the nearest place where a road user was; 0 where nothing is known.
    """
    made = np.zeros((len(points), 2))
    step = Tracks(snapshot).count("positions") // _MOST + 1
    known = road_users(snapshot, range(0, len(snapshot), step))
    for number, (x, y) in enumerate(points if len(known) else ()):
        nearest = known[np.argmin(np.hypot(known["x"] - x, known["y"] - y))]
        made[number] = nearest["z"], np.degrees(nearest["yaw"])
    if snapshot.roads is not None:
        found = snapshot.roads.locate(points)
        on = np.flatnonzero(found["lane"] >= 0)
        made[on, 0] = snapshot.roads.lane_points(found["lane"][on], found["s"][on])["z"]
        made[on, 1] = found["heading_deg"][on]
    return made


# --- driving --------------------------------------------------------------------------------------------


def idm_acceleration(
    driver: tuple[Numbers, Numbers],
    speed: Numbers,
    target: Numbers,
    gap: FloatArray,
    closing: FloatArray,
    headway: float = HEADWAY,
) -> FloatArray:
    """Return accelerations by the intelligent driver model.

    Args:
        driver: The acceleration in m/s2, and the gap at standstill in m.
        speed: The speed in m/s.
        target: The speed that is aimed at, in m/s.
        gap: What is ahead, in m: shape (obstacles, n).
        closing: The speeds at which it comes nearer, in m/s: shape (obstacles, n).
        headway: The time that is kept, in s.

    Returns:
        float64[n], m/s2.
    """
    max_accel, min_gap = driver
    braking = speed * closing / (2 * np.sqrt(max_accel * COMFORT))
    ratio = (np.maximum(speed * headway + braking, 0.0) + min_gap) / np.maximum(gap, 0.1)
    accel = np.maximum(1 - (speed / target) ** 4, -COMFORT / max_accel) - ratio.max(axis=0) ** 2
    limited: FloatArray = np.maximum(max_accel * accel, -MAX_BRAKING)
    return limited


class Driver(NamedTuple):
    """A driver on a path among others, of whom it heeds those on the path, and its leader near it.

    Fields: `others` (dtype `ROAD_USER`, for each frame), `leader`, `model` (its own), `gap` (s to those ahead), `wait`
    (s that it stands first), `is_exact` (it has the speeds it aims at, where nobody is ahead).
    """

    path: DrivenPath
    others: Sequence[StructuredArray]
    leader: Life | None
    model: Model
    gap: float
    wait: float
    is_exact: bool

    def _met(self, frame: int, begin: float) -> FloatArray:
        """Who is on the next 100 m: how far along the path, half its length on it, its speed along it, index of the
        life; shape (4, n)."""
        others = self.others[frame]
        at = begin + np.arange(0.0, _SIGHT, _POINTS)
        poses = self.path.at(at)
        near = np.argmin(np.hypot(*(others[axis][:, None] - poses[:, n] for n, axis in enumerate("xy"))), axis=1)
        dx, dy, dz = (others[axis] - poses[near, n] for n, axis in enumerate("xyz"))
        yaw = np.radians(poses[near, 5])
        is_leader = others["life"] == getattr(self.leader, "index", -1)
        turn = others["yaw"] - yaw
        aside = np.abs(dy * np.cos(yaw) - dx * np.sin(yaw))
        cos, sin = np.abs((np.cos(turn), np.sin(turn)))
        aside -= others["width"] * cos + others["length"] * sin
        there = at[near] + dx * np.cos(yaw) + dy * np.sin(yaw)
        half = others["length"] * cos + others["width"] * sin
        met = (np.hypot(dx, dy) < _REACH) & (np.abs(dz) < _LEVEL) & ((aside < self.model.half_width / CM) | is_leader)
        return np.stack((there, half, others["speed"] * np.cos(turn), others["life"]))[:, met]

    def behind(self, begin: float) -> tuple[float, float]:
        """Where it is at first, behind its leader, which is at `begin`, and those behind that; and how fast it is."""
        assert self.leader is not None
        others = self._met(0, begin - _BEHIND).T.tolist()
        own = next((each for each in others if each[3] == self.leader.index), None)
        if own is None:
            raise EditError(
                say("Actor {actor}, the leader, is not there when its follower would be born.", actor=self.leader.actor)
            )
        first, half, speed, _ = own
        least = self.model.half_length / CM + DRIVERS[self.model.kind][3]
        speed = max(0.0, speed)
        at = first - half - least - self.gap * speed
        for there, half, *_ in sorted(others, reverse=True):
            if there < first and abs(there - at) < half + least:
                at = there - half - least
        return at, speed

    def run(self, times: FloatArray, wanted: FloatArray, at: float, speed: float, progress: Progress) -> FloatArray:
        """How far along the path it is at each time, from a place and a speed on: float64[n].

        `wanted` are the speeds it aims at.
        """
        path = self.path
        made = np.full(len(times), at)
        _, _, max_accel, min_gap = DRIVERS[self.model.kind]
        if self.wait:
            speed = 0.0
        else:
            speed = min(speed, float(np.interp(at, *path[::2])))
        for number in progress.over(range(len(times) - 1), every=256):
            if times[number] - times[0] < self.wait - 1e-9:
                continue
            seconds = float(times[number + 1] - times[number])
            target = max(float(wanted[number + 1]), 1e-6)
            met = self._met(number, at)
            there, half, pace, _ = met[:, met[0] > at]
            room = np.append(there - half - self.model.half_length / CM - at, np.inf)
            closing = speed - np.append(pace, 0.0)
            gain = float(
                idm_acceleration((max_accel, min_gap), speed, target, room[:, None], closing[:, None], self.gap)[0]
            )
            if self.is_exact and (len(room) == 1 or gain > 0):
                gain = (target - speed) / seconds
            speed = min(max(0.0, speed + gain * seconds), max(speed, target), float(np.interp(at, *path[::2])))
            least = max(0.0, float(room[room > 0.0].min()) - _ROOM)
            moved = min(speed * seconds, least, float(path.distance[-1]) - at)
            at = at + moved
            speed = moved / seconds
            made[number + 1] = at
        return made
