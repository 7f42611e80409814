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
"""Seconds to a leader."""
COMFORT = 2.0
"""m/s2 that drivers brake with, if they need not brake harder."""
MAX_BRAKING = 6.8
"""m/s2 that they brake with at most."""

FARTHEST = 1e7
"""Metres from the origin that places may be."""

ROAD_USER: Final = row_type("frame:i8 life:i8 x y z yaw speed length width")
"""A vehicle or walker in a frame, on the ground, with half its length and width; its heading is in radians."""

_SPACING = 0.25  # m between points of a curve
_POINTS = 2.0  # m between points of a path by which others are found
_ACROSS = 3.0  # m/s2 in bends
_BEYOND = 300.0  # m that the path of another actor is led straight on
_SIGHT = 100.0  # m within which others are looked for
_BEHIND = 60.0  # m of that behind a leader
_REACH = 8.0  # m beside a path that a leader may be
_LEVEL = 3.0  # m: others that are further above or below are on another road
_MOST = 50_000  # positions by which the ground is known
_MOST_POINTS = 200_000  # of a path
_ROOM = 0.5  # m that are left to those ahead in any case


class DrivenPath(NamedTuple):
    """A path with what is known along it.

    Attributes:
        distance: Distances along it in m, rising: float64[n].
        poses: Poses there: x, y, height of the ground, roll, pitch, heading, which never jumps: shape (n, 6).
        limit: Speeds in m/s that it may be driven at: float64[n].
    """

    distance: FloatArray
    poses: FloatArray
    limit: FloatArray

    def at(self, distance: FloatArray) -> FloatArray:
        """Return the poses at n distances: shape (n, 6)."""
        columns = [np.interp(distance, self.distance, column) for column in self.poses.T]
        return np.column_stack(columns)

    def limit_at(self, distance: float) -> float:
        """Return the speed in m/s that it may be driven at there."""
        return float(np.interp(distance, self.distance, self.limit))


class RecordedPath(NamedTuple):
    """The path of a life, led straight on by 300 m at both ends.

    Attributes:
        times: Times in s at which it has a position: float64[n].
        distance: How far along the path it is then, in m: float64[n].
        path: The path.
    """

    times: FloatArray
    distance: FloatArray
    path: DrivenPath


def path_through(points: FloatArray) -> DrivenPath:
    """Return the smooth curve through points; slow in bends, and to a stop at its end.

    Args:
        points: x, y, z in m: shape (n, 3).

    Raises:
        EditError: The points are at one place.
    """
    dx, dy = np.diff(points[:, :2], axis=0).T
    points = points[np.append(True, np.hypot(dx, dy) > 0.01)]
    if len(points) < 2:
        raise EditError(say("The points of the path are at one place; a path needs two that are apart."))
    chord = _lengths(points)
    tangents = np.gradient(points, chord, axis=0)
    ends = np.stack((points, tangents), axis=1)
    length = np.diff(chord)
    count = int(min(chord[-1] / _SPACING, _MOST_POINTS)) + 2
    along = np.linspace(0.0, chord[-1], count)
    piece = np.clip(np.searchsorted(chord, along, side="right") - 1, 0, len(length) - 1)
    share = (along - chord[piece]) / length[piece]
    curves = controls(ends[:-1], ends[1:], length)
    places, velocities, _ = bezier(curves[piece], share, length[piece])
    x, y, z = velocities.T
    heading = np.unwrap(np.arctan2(y, x))
    pitch = np.arctan2(z, np.hypot(x, y))
    distance = _lengths(places)
    bend = np.abs(np.gradient(heading, distance))
    # What can still be braked for before each bend and the end: squares of speeds.
    top = np.append(_ACROSS / np.maximum(bend[:-1], 1e-6), 0.0)
    braked = np.minimum.accumulate((top + 2 * COMFORT * distance)[::-1])[::-1]
    limit = np.sqrt(np.maximum(braked - 2 * COMFORT * distance, 0.0))
    roll = 0.0 * pitch
    poses = np.column_stack((places, roll, np.degrees(pitch), np.degrees(heading)))
    return DrivenPath(distance, poses, limit)


def recorded_path(snapshot: Snapshot, life: Life) -> RecordedPath:
    """Return the path of a life.

    Raises:
        EditError: It has no positions.
    """
    placed = Tracks(snapshot).path(life.actor, life.within(range(len(snapshot))))
    poses = np.empty((len(placed), 6))
    for column, name in enumerate(("x", "y", "z", "roll", "pitch", "yaw")):
        poses[:, column] = placed[name]
    if not len(poses) or not (np.abs(poses) < FARTHEST * CM).all():
        raise EditError(say("Actor {actor} has no path: only its EventAdd says where it is.", actor=life.actor))
    poses[:, :3] /= CM
    poses[:, 2] -= _models(snapshot)[life.index].above / CM
    poses[:, 5] = np.unwrap(poses[:, 5], period=360.0)
    first_yaw = np.radians(poses[0, 5])
    last_yaw = np.radians(poses[-1, 5])
    poses = np.vstack((poses[:1], poses, poses[-1:]))
    poses[0, :2] -= _BEYOND * np.array((np.cos(first_yaw), np.sin(first_yaw)))
    poses[-1, :2] += _BEYOND * np.array((np.cos(last_yaw), np.sin(last_yaw)))
    distance = _lengths(poses)
    path = DrivenPath(distance, poses, np.full(len(distance), np.inf))
    return RecordedPath(snapshot.elapsed[placed["frame"]], distance[1:-1], path)


def _lengths(places: FloatArray) -> FloatArray:
    """Distances from the first of places along all before: float64[n]."""
    dx, dy = np.diff(places[:, :2], axis=0).T
    return np.append(0.0, np.cumsum(np.hypot(dx, dy)))


# --- others ---------------------------------------------------------------------------------------------


def _models(snapshot: Snapshot) -> list[Model]:
    """The model of every life; a usual car where it has none."""
    blueprints = catalogue(snapshot)
    usual = typical_model()
    models = []
    for life in Actors.of(snapshot):
        if life.blueprint in blueprints:
            models.append(blueprints[life.blueprint].model)
        else:
            models.append(usual)
    return models


def road_users(snapshot: Snapshot, frames: range) -> StructuredArray:
    """Return the vehicles and walkers in these frames, dtype `ROAD_USER`, by frame."""
    actors = Actors.of(snapshot)
    tracks = Tracks(snapshot)
    placed = tracks.positions(None, frames)
    models = _models(snapshot)
    is_sound = np.ones(len(placed), np.bool_)
    for axis in "xyz":
        is_sound &= np.abs(placed[axis]) < FARTHEST * CM
    lives = actors.indices_of(placed["id"], placed["frame"])
    is_road_user = np.zeros(len(models) + 1, np.bool_)  # the last one is for ids of no life, with the index -1
    for life in actors:
        is_road_user[life.index] = life.is_road_user
    is_sound &= is_road_user[lives]
    placed = placed[is_sound]
    lives = lives[is_sound]
    users = np.zeros(len(placed), ROAD_USER)
    users["frame"] = placed["frame"]
    users["life"] = lives
    for axis in "xyz":
        users[axis] = placed[axis] / CM
    shapes = np.array([(model.above, model.half_length, model.half_width) for model in models])
    above, half_length, half_width = shapes.reshape(-1, 3)[lives].T / CM
    users["z"] -= above
    users["length"] = half_length
    users["width"] = half_width
    users["yaw"] = np.radians(np.nan_to_num(placed["yaw"]))
    # By places: an actor that a script moves may stand still by its Kinematics.
    no_kinematics = np.empty(0, tracks.dtype("kinematics"))
    speeds = speeds_of(tracks.around(None, frames), no_kinematics, snapshot.elapsed, frames)
    users["speed"] = np.nan_to_num(speeds_at(speeds, placed["id"], placed["frame"]))
    return users


def ground(snapshot: Snapshot, points: FloatArray) -> FloatArray:
    """Return the height of the ground in m and its heading in degrees at points x, y: shape (n, 2).

    Those of the lanes of the map, else of the nearest place where a road user was; 0 where nothing is known.
    """
    result = np.zeros((len(points), 2))
    step = Tracks(snapshot).count("positions") // _MOST + 1
    users = road_users(snapshot, range(0, len(snapshot), step))
    if len(users):
        for index, (x, y) in enumerate(points):
            nearest = users[np.argmin(np.hypot(users["x"] - x, users["y"] - y))]
            result[index, 0] = nearest["z"]
            result[index, 1] = np.degrees(nearest["yaw"])
    if snapshot.roads is not None:
        places = snapshot.roads.locate(points)
        on_lane = np.flatnonzero(places["lane"] >= 0)
        lane_points = snapshot.roads.lane_points(places["lane"][on_lane], places["s"][on_lane])
        result[on_lane, 0] = lane_points["z"]
        result[on_lane, 1] = places["heading_deg"][on_lane]
    return result


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


class _Obstacles(NamedTuple):
    """Road users on a path, by columns of shape (n,).

    Attributes:
        along: How far along the path they are, in m.
        half: Half their lengths along it, in m.
        speed: Their speeds along it, in m/s.
        life: Indices of their lives.
    """

    along: FloatArray
    half: FloatArray
    speed: FloatArray
    life: FloatArray


class Driver(NamedTuple):
    """A driver on a path among others: it heeds those on the path, and its leader near it.

    Attributes:
        path: The path.
        others: Other road users in each frame, dtype `ROAD_USER`.
        leader: The leader; None: none.
        model: Its own model.
        gap: The time in s that it keeps to those ahead.
        wait: The time in s that it stands first.
        is_exact: It has the speeds that it aims at, where no obstacle is ahead.
    """

    path: DrivenPath
    others: Sequence[StructuredArray]
    leader: Life | None
    model: Model
    gap: float
    wait: float
    is_exact: bool

    def _obstacles(self, frame: int, begin: float) -> _Obstacles:
        """The road users on the next 100 m from a place on the path."""
        others = self.others[frame]
        along = begin + np.arange(0.0, _SIGHT, _POINTS)
        poses = self.path.at(along)
        all_dx = others["x"][:, None] - poses[:, 0]
        all_dy = others["y"][:, None] - poses[:, 1]
        nearest = np.argmin(np.hypot(all_dx, all_dy), axis=1)
        dx = others["x"] - poses[nearest, 0]
        dy = others["y"] - poses[nearest, 1]
        dz = others["z"] - poses[nearest, 2]
        yaw = np.radians(poses[nearest, 5])
        turn = others["yaw"] - yaw
        cos = np.abs(np.cos(turn))
        sin = np.abs(np.sin(turn))
        half = others["length"] * cos + others["width"] * sin
        aside = np.abs(dy * np.cos(yaw) - dx * np.sin(yaw))
        aside -= others["width"] * cos + others["length"] * sin
        is_in_way = aside < self.model.half_width / CM
        if self.leader is not None:
            is_in_way |= others["life"] == self.leader.index
        is_near = (np.hypot(dx, dy) < _REACH) & (np.abs(dz) < _LEVEL)
        met = is_near & is_in_way
        there = along[nearest] + dx * np.cos(yaw) + dy * np.sin(yaw)
        speed = others["speed"] * np.cos(turn)
        return _Obstacles(there[met], half[met], speed[met], others["life"][met])

    def behind(self, leader: Life, leader_at: float) -> tuple[float, float]:
        """Return where it is at first, behind its leader and those behind that, and how fast it is.

        Args:
            leader: The leader.
            leader_at: How far along the path that is, in m.

        Returns:
            How far along the path in m, and the speed of the leader in m/s, at least 0.

        Raises:
            EditError: The leader is not there.
        """
        obstacles = self._obstacles(0, leader_at - _BEHIND)
        is_leader = np.flatnonzero(obstacles.life == leader.index)
        if not len(is_leader):
            raise EditError(
                say("Actor {actor}, the leader, is not there when its follower would be born.", actor=leader.actor)
            )
        first = float(obstacles.along[is_leader[0]])
        half = float(obstacles.half[is_leader[0]])
        speed = max(0.0, float(obstacles.speed[is_leader[0]]))
        least = self.model.half_length / CM + DRIVERS[self.model.kind][3]
        start = first - half - least - self.gap * speed
        others = zip(obstacles.along.tolist(), obstacles.half.tolist(), strict=True)
        nearest_first = sorted(others, reverse=True)
        for along, half in nearest_first:
            if along < first and abs(along - start) < half + least:
                start = along - half - least
        return start, speed

    def run(self, times: FloatArray, wanted: FloatArray, start: float, speed: float, progress: Progress) -> FloatArray:
        """Return how far along the path it is at each time: float64[n].

        Args:
            times: Times in s: float64[n].
            wanted: The speeds in m/s that it aims at: float64[n].
            start: How far along the path it is at first, in m.
            speed: How fast it is then, in m/s.
            progress: Of the run.

        Raises:
            Cancelled: The user cancelled it.
        """
        distance = np.full(len(times), start)
        along = start
        if self.wait:
            speed = 0.0
        else:
            speed = min(speed, self.path.limit_at(along))
        end = float(self.path.distance[-1])
        for index in progress.over(range(len(times) - 1), every=256):
            if times[index] - times[0] < self.wait - 1e-9:
                continue
            seconds = float(times[index + 1] - times[index])
            target = max(float(wanted[index + 1]), 1e-6)
            room, closing = self._room(index, along, speed)
            accel = self._acceleration(speed, target, room, closing)
            is_free = len(room) == 1 or accel > 0
            if self.is_exact and is_free:
                accel = (target - speed) / seconds
            fastest = min(max(speed, target), self.path.limit_at(along))
            speed = min(max(0.0, speed + accel * seconds), fastest)
            free = max(0.0, float(room[room > 0.0].min()) - _ROOM)
            moved = min(speed * seconds, free, end - along)
            along = along + moved
            speed = moved / seconds
            distance[index + 1] = along
        return distance

    def _room(self, frame: int, along: float, speed: float) -> tuple[FloatArray, FloatArray]:
        """Metres to the obstacles ahead and the speeds at which they come nearer; the last one stands for none."""
        obstacles = self._obstacles(frame, along)
        is_ahead = obstacles.along > along
        half_length = self.model.half_length / CM
        room = obstacles.along[is_ahead] - obstacles.half[is_ahead] - half_length - along
        closing = speed - np.append(obstacles.speed[is_ahead], 0.0)
        return np.append(room, np.inf), closing

    def _acceleration(self, speed: float, target: float, room: FloatArray, closing: FloatArray) -> float:
        """Its acceleration in m/s2 with obstacles ahead."""
        _, _, max_accel, min_gap = DRIVERS[self.model.kind]
        accel = idm_acceleration(
            (max_accel, min_gap), speed, target, gap=room[:, None], closing=closing[:, None], headway=self.gap
        )
        return float(accel[0])
