"""Adding an actor that was not recorded, with all that the simulator would have written of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays import FloatArray, IndexArray
from ...errors import EditError
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import Edit, RecordingLike, Snapshot
from ...texts import say
from ..actors.copying import shifted_frames
from ..actors.describing import TYPES, attribute_type
from ..actors.rewrite import Plan, Streamed, refuse_new_id, rewrite, unused_id
from ..block_rewrite import select_frames
from ..blueprints import DRIVERS, Model, Release
from ..intents import Moment, NamedActor, edit_of, frame_at, frames_between, lives_of_names, moment
from ..paths.motion import CM, rates, wrapped
from ..paths.moved_actors import elapsed_in
from ..uniform_frames import UniformFrames
from ..wrong_class import refuse_crash
from .blueprints import blueprint_of, catalogue
from .driven_paths import FARTHEST, DrivenPath, Driver, ground, path_through, recorded_path, road_users
from .writer import Record, Writer, front_wheel_angles, rows, vehicle_states, walker_states

_GAP = 1.5  # s to a leader
_HASTE = 4.0  # of the usual speed, to which a follower goes to catch up
_CM = np.array([CM] * 3 + [1.0] * 3)  # from metres to the file's units
_ROLES = {"walker": "pedestrian", "prop": "prop"}


@dataclass(frozen=True, kw_only=True)
class WantedActor:
    """What a new actor is to be; what is None was not given.

    Attributes:
        blueprint: Its blueprint.
        path: A point where it stands, or several that it drives through: x, y or x, y, z in m.
        yaw: Its heading where it stands, in degrees.
        follow: The leader, a selector; without a path the actor is born behind it, on its path.
        gap: The time it keeps to road users ahead on its path, in s.
        copy: An actor, a selector: it has the path and the times of that, or its speeds on a path of its own.
        later: How much later than that actor it is, in s.
        offset: The shift of the path that it takes from another actor: x, y, z in m.
        speed: The speed it aims at, in m/s.
        wait: How long it stands before it goes, in s.
        role: Its role name.
        color: Its colour, as in `255,0,0`.
        lights: The bits of its lights, all its life.
        uid: The number of the blueprint, if it is not known.
        new_id: Its id.
        start: The first moment of its life, as in a script: a time or `#frame`.
        end: The last one.
    """

    blueprint: str
    path: Sequence[Sequence[float]] | None = None
    yaw: float | None = None
    follow: NamedActor | None = None
    gap: float | None = None
    copy: NamedActor | None = None
    later: float | None = None
    offset: Sequence[float] | None = None
    speed: float | None = None
    wait: float | None = None
    role: str | None = None
    color: str | None = None
    lights: int | None = None
    uid: int | None = None
    new_id: int | None = None
    start: Moment = None
    end: Moment = None

    @classmethod
    def of_arguments(cls, arguments: Mapping[str, object]) -> "WantedActor":
        """Return the actor that valid arguments of a script describe; they call the moments `from` and `to`."""
        given: dict[str, Any] = {}
        for name, value in arguments.items():
            given[_KEYWORDS.get(name, name)] = value
        return cls(**given)

    def arguments(self) -> dict[str, object]:
        """Return what was given as arguments of a script."""
        given = {}
        for name, value in vars(self).items():
            if value is not None:
                given[_SCRIPT_NAMES.get(name, name)] = value
        return given


_KEYWORDS = {"from": "start", "to": "end"}
"""Arguments of a script that are no names in Python."""
_SCRIPT_NAMES = {"start": "from", "end": "to"}
"""The same the other way round."""


def add_actor(  # noqa: PLR0913 - a keyword for each thing that can be chosen
    recording: RecordingLike,
    blueprint: str,
    *,
    path: Sequence[Sequence[float]] | None = None,
    yaw: float | None = None,
    follow: NamedActor | None = None,
    gap: float | None = None,
    copy: NamedActor | None = None,
    later: float | None = None,
    offset: Sequence[float] | None = None,
    speed: float | None = None,
    wait: float | None = None,
    role: str | None = None,
    color: str | None = None,
    lights: int | None = None,
    uid: int | None = None,
    new_id: int | None = None,
    start: Moment = None,
    end: Moment = None,
    progress: Progress = SILENT,
) -> Edit:
    """Return the edit that adds an actor, with everything that the simulator would have written of it.

    Packets that the recording does not have stay absent. The arguments are those of `WantedActor`.

    Raises:
        EditError: The actor cannot be as it is wanted, its blueprint has no known uid, or its id is in use.
        SelectorError: A leader or an actor to copy is named wrongly.
        Cancelled: The user cancelled it.
    """
    wanted = WantedActor(
        blueprint=blueprint,
        path=path,
        yaw=yaw,
        follow=follow,
        gap=gap,
        copy=copy,
        later=later,
        offset=offset,
        speed=speed,
        wait=wait,
        role=role,
        color=color,
        lights=lights,
        uid=uid,
        new_id=new_id,
        start=start,
        end=end,
    )
    return add_wanted(recording, wanted, progress)


def add_wanted(recording: RecordingLike, wanted: WantedActor, progress: Progress = SILENT) -> Edit:
    """Return the edit that adds an actor; errors as of `add_actor`."""
    snapshot = recording.snapshot
    actor = NewActor(snapshot, wanted, progress)
    frames = actor.frames
    row_of = snapshot.table.row_of_frame
    gone = None
    if frames.stop < len(snapshot):
        gone = frames.stop
    refuse_new_id(snapshot, actor.id, frames.start, gone)
    rows_of_life = range(row_of(frames.start), row_of(frames.stop - 1) + 1)
    plan = Plan(stream=actor.visit, streamed=rows_of_life)
    for name, record in actor.births():
        plan.add(row_of(frames.start), name, record)
    if gone is not None:
        plan.add(row_of(gone), "EventDel", snapshot.dialect.deletion(actor.id))
    splices = rewrite(snapshot, plan, progress)
    label = say("Add {blueprint} as {id}", blueprint=wanted.blueprint, id=actor.id)
    edit = edit_of(snapshot, "add_actor", label, splices, None, **wanted.arguments())
    return refuse_crash(snapshot, edit)


class NewActor:
    """A new actor as `add_actor` takes it: its motion and its records.

    Attributes:
        blueprint: Its blueprint.
        id: Its id.
        frames: The frames of its life.
        times: Times of these, in s: float64[n].
        poses: x, y, z in m; roll, pitch, yaw in degrees: shape (n, 6).
        velocities: x, y, z in m/s, heading in degrees/s: shape (n, 4).
        speed: Its speed along its heading, in m/s: float64[n].
    """

    @np.errstate(all="ignore")  # files may hold any number
    def __init__(self, snapshot: Snapshot, wanted: WantedActor, progress: Progress = SILENT) -> None:
        self._snapshot = snapshot
        self._wanted = wanted
        _refuse_numbers(wanted)
        self.blueprint = blueprint_of(snapshot, wanted.blueprint, wanted.uid)
        self.id = wanted.new_id or unused_id(snapshot)
        self._writer = Writer(snapshot.dialect)
        course = _Course(snapshot, wanted, self.blueprint.model)
        self.frames = course.frames
        self.times = course.times
        self.poses = course.poses(progress)
        self.poses[:, 2] += self.blueprint.model.above / CM
        if self.blueprint.model.kind == "walker":
            self.poses[:, 3:5] = 0.0
        self.velocities = rates(self.poses[:, (0, 1, 2, 5)], self.times)
        yaw = np.radians(self.poses[:, 5])
        self.speed = self.velocities[:, 0] * np.cos(yaw) + self.velocities[:, 1] * np.sin(yaw)
        self.poses[:, 5] = wrapped(self.poses[:, 5])

    # --- its records ------------------------------------------------------------------------------------

    def births(self) -> Iterator[tuple[str, bytes]]:
        """Yield names of packets and records of the frame in which it is created."""
        dialect = self._snapshot.dialect
        frame = self._snapshot.frame(self.frames.start)
        recorded = {}
        if self.blueprint.life is not None:
            recorded = dict(Actors.of(self._snapshot).lasting_records_of(self.blueprint.life))
        for name, record in self._birth_records():
            kind = dialect.by_name(name)
            if kind is None:
                continue
            # What is always written is absent only where the file has no additional data.
            if kind.additional and kind.presence == "always" and frame.packet(name) is None:
                continue
            if name in recorded:
                yield name, self.id.to_bytes(4, "little") + recorded[name].record[4:]
            else:
                yield name, self._writer.records(kind, [record]).tobytes()

    def _birth_records(self) -> list[tuple[str, Record]]:
        """The records of its birth by packet name, as the writer takes them."""
        blueprint = self.blueprint
        class_ = TYPES.get(blueprint.name.partition(".")[0], "Other")
        pose = self.poses[0]
        x, y, z, roll, pitch, yaw = (pose * _CM).tolist()
        attributes = self._attributes()
        added = (self.id, class_, x, y, z, roll, pitch, yaw, blueprint.uid, blueprint.name, attributes)
        box = (self.id, *blueprint.model.box)
        records: list[tuple[str, Record]] = [("EventAdd", added), ("BoundingBox", box)]
        if class_ == "Vehicle":
            radians = np.append(pose[:3], np.radians(pose[3:]))
            records.append(("PhysicsControl", (self.id, blueprint.model, radians)))
        return records

    def _attributes(self) -> list[tuple[object, str, str]]:
        """Those of its blueprint, with its role name and colour."""
        wanted = self._wanted
        texts = {}
        if wanted.role is None:
            texts["role_name"] = _ROLES.get(self.blueprint.model.kind, "autopilot")
        else:
            texts["role_name"] = wanted.role
        if wanted.color is not None:
            texts["color"] = wanted.color
        attributes = []
        added = dict(texts)
        for type_, key, value in self.blueprint.attributes:
            attributes.append((type_, key, texts.get(key, value)))
            added.pop(key, None)
        for key, text in added.items():
            attributes.append((attribute_type(self._snapshot, key, text), key, text))
        return attributes

    def visit(self, uniform: UniformFrames) -> Iterator[tuple[UniformFrames, Streamed]]:
        """Yield uniform frames, with its records for those of its life."""
        first = self._snapshot.table.frame_of_row(uniform.block.first)
        index = first + uniform.rows - self.frames.start
        is_within = (index >= 0) & (index < len(self.frames))
        if not is_within.all():
            yield select_frames(uniform, np.flatnonzero(~is_within)), {}
        if is_within.any():
            present = {records.kind.name for records in uniform.lists}
            states = self._states(index[is_within])
            streamed = {}
            for kind in self._snapshot.dialect.kinds():
                if kind.name in present or kind.presence == "filled":
                    records = self._writer.records(kind, states.get(kind.name, []))
                    if records.size:
                        streamed[kind.name] = records
            yield select_frames(uniform, np.flatnonzero(is_within)), streamed

    @np.errstate(all="ignore")
    def _states(self, index: IndexArray) -> dict[str, list[Record]]:
        """Its records in frames of its life, by packet name."""
        model = self.blueprint.model
        ids = np.full(len(index), self.id)
        times = self.times
        speed = self.speed
        poses = self.poses[index] * _CM
        states = {"Position": rows(ids, *poses.T)}
        if model.kind == "prop":
            # props have positions since 0.9.11
            if Release.of(self._snapshot.dialect).era >= 2:
                return states
            return {}
        vx, vy, vz, turn = self.velocities.T
        zero = 0.0 * index
        states["Kinematics"] = rows(ids, vx[index], vy[index], vz[index], zero, zero, turn[index])
        distance = np.cumsum(speed * np.diff(times, prepend=times[0]))
        spin = -np.degrees(distance / model.drive[0])
        if model.kind == "walker":
            return states | walker_states(ids, np.abs(speed[index]), spin[index])
        steer = front_wheel_angles(speed, turn, model.wheelbase)
        if len(times) > 1:
            accel = np.gradient(speed, times)
        else:
            accel = 0.0 * speed
        stands = self._wanted.path is not None and len(self._wanted.path) == 1
        states["VehicleLight"] = rows(ids, np.full(len(index), self._wanted.lights or 0))
        return states | vehicle_states(
            ids,
            [model] * len(index),
            speed=speed[index],
            accel=accel[index],
            steer=steer[index],
            spin=spin[index],
            is_driven=np.full(len(index), not stands),
        )


class _Course:
    """When and where a new actor is.

    Attributes:
        frames: The frames of its life.
        times: Times of these, in s: float64[n].
    """

    def __init__(self, snapshot: Snapshot, wanted: WantedActor, model: Model) -> None:
        self._snapshot = snapshot
        self._wanted = wanted
        self._model = model
        self._path = wanted.path or ()
        self._later = wanted.later or 0.0
        offset = wanted.offset or (0.0, 0.0, 0.0)
        self._offset = np.append(offset, (0.0, 0.0, 0.0))
        start = wanted.start
        if start is None:
            start = "#1"
        first = frame_at(snapshot, start)
        self._leader: Life | None = None
        if wanted.follow is not None:
            self._leader = life_named(snapshot, wanted.follow, first)
        self._copied: Life | None = None
        if wanted.copy is not None:
            self._copied = life_named(snapshot, wanted.copy, first)
        self.frames = self._frames()
        self.times = elapsed_in(snapshot, self.frames)

    def _frames(self) -> range:
        """Those of the actor that it follows or copies, unless it was given others or a path."""
        wanted = self._wanted
        model = self._copied or self._leader
        if model is not None and not self._path and wanted.start is None and wanted.end is None:
            frames = shifted_frames(self._snapshot, self._snapshot, model, self._later)
            return range(frames.start, frames.stop)
        return frames_between(self._snapshot, wanted.start, wanted.end, inclusive=True)

    def poses(self, progress: Progress) -> FloatArray:
        """Return its poses on the ground, shape (n, 6).

        Raises:
            EditError: It has no place, or cannot be where it is wanted.
            Cancelled: The user cancelled it.
        """
        if len(self._path) == 1:
            return self._standing()
        if self._copied is not None and not self._path:
            return self._copy_of(self._copied)
        if self._path:
            return self._on_own_path(progress)
        if self._leader is not None:
            return self._behind(self._leader, progress)
        raise EditError(say("A new actor needs a place: a path, an actor to follow, or one to copy."))

    def _points(self) -> FloatArray:
        """The points of its path with their heights, those of the ground where none were given: shape (n, 3)."""
        points = np.array([point[:2] for point in self._path])
        heights = []
        for point, (height, _) in zip(self._path, ground(self._snapshot, points), strict=True):
            if len(point) > 2:
                heights.append(point[2])
            else:
                heights.append(height)
        return np.column_stack((points, heights))

    def _standing(self) -> FloatArray:
        """Its poses where it stands at a point."""
        x, y, z = self._points()[0]
        pose = np.array([x, y, z, 0.0, 0.0, self._wanted.yaw or 0.0])
        return np.tile(pose, (len(self.times), 1))

    def _copy_of(self, life: Life) -> FloatArray:
        """Its poses where it drives as another actor did, later and beside that."""
        recorded = recorded_path(self._snapshot, life)
        distance = np.interp(self.times - self._later, recorded.times, recorded.distance)
        return np.asarray(recorded.path.at(distance) + self._offset)

    def _on_own_path(self, progress: Progress) -> FloatArray:
        """Its poses on the path through its points."""
        speeds = np.full(len(self.times), self._wanted_speed())
        if self._copied is not None:
            speeds = self._speeds_of(self._copied)
        driver = self._driver(path_through(self._points()))
        distance = driver.run(self.times, speeds, 0.0, float(speeds[0]), progress)
        return driver.path.at(distance)

    def _behind(self, leader: Life, progress: Progress) -> FloatArray:
        """Its poses behind a leader, on the path of that."""
        recorded = recorded_path(self._snapshot, leader)
        path = recorded.path._replace(poses=recorded.path.poses + self._offset)
        driver = self._driver(path)
        leader_at = np.interp(self.times[0], recorded.times, recorded.distance)
        start, speed = driver.behind(leader, leader_at)
        speeds = np.full(len(self.times), self._wanted_speed())
        distance = driver.run(self.times, speeds, start, speed, progress)
        return path.at(distance)

    def _speeds_of(self, life: Life) -> FloatArray:
        """The speeds of another actor, later, in m/s: float64[n]."""
        recorded = recorded_path(self._snapshot, life)
        speeds = recorded.distance
        if len(recorded.times) > 1:
            speeds = np.gradient(recorded.distance, recorded.times)
        return np.interp(self.times - self._later, recorded.times, speeds)

    def _wanted_speed(self) -> float:
        """The speed it aims at, in m/s: that of its kind, or that at which it catches up with a leader."""
        if self._wanted.speed is not None:
            return self._wanted.speed
        slowest, fastest, _, _ = DRIVERS[self._model.kind]
        if self._leader is None:
            return (slowest + fastest) / 2
        return _HASTE * fastest

    def _driver(self, path: DrivenPath) -> Driver:
        """A driver on a path, with the road users around it where it has to heed them."""
        wanted = self._wanted
        frames = range(0)
        if self._leader is not None or wanted.gap is not None:
            frames = self.frames
        users = road_users(self._snapshot, frames)
        gap = wanted.gap
        if gap is None:
            gap = _GAP
        return Driver(
            path=path,
            others=np.split(users, np.searchsorted(users["frame"], self.frames[1:])),
            leader=self._leader,
            model=self._model,
            gap=gap,
            wait=wanted.wait or 0.0,
            is_exact=self._copied is not None,
        )


def _refuse_numbers(wanted: WantedActor) -> None:
    """Refuse numbers that no actor has. Raises EditError."""
    never_negative = _given(wanted.speed, wanted.gap, wanted.wait)
    numbers = never_negative + _given(wanted.yaw, wanted.later)
    numbers.extend(wanted.offset or ())
    for point in wanted.path or ():
        numbers.extend(point)
    if not (np.abs(numbers) < FARTHEST).all() or min(never_negative, default=0.0) < 0:
        raise EditError(
            say(
                "The numbers of a new actor must be finite and no further than 10,000 km; "
                "speeds, gap and wait must not be negative."
            )
        )


def _given(*values: float | None) -> list[float]:
    return [value for value in values if value is not None]


def life_named(snapshot: Snapshot, named: NamedActor, frame: int) -> Life:
    """Return the life that a selector or an object names; of several the one in a frame.

    Args:
        snapshot: The recording.
        named: A selector, or an object that names a life.
        frame: The index of a frame.

    Raises:
        SelectorError: As `lives_of_names`.
    """
    lives = lives_of_names(snapshot, [named])
    return next((life for life in lives if life.is_alive(frame)), lives[0])


# --- actors that are added at once ----------------------------------------------------------------------

_ASIDE = 4.0  # m from the middle of the hero's path, where a walker begins and ends
_SPEED = 1.5  # m/s of a walker
_LEAD = 2.0  # s before the front of the hero is there; one of them it loses until it goes at that speed
_SOON = 4.0  # s after a frame
_NEAREST = 8.0  # m before a hero that stands
_FRONT = 3.0  # m from the middle of the hero to its front


@np.errstate(all="ignore")  # files may hold any number
def parked_car(snapshot: Snapshot, place: tuple[float, float]) -> WantedActor:
    """Return a car that stands at a place (m) from beginning to end, along the lane or as others drove there."""
    heading = float(ground(snapshot, np.array([place]))[0, 1])
    return WantedActor(blueprint=usual(snapshot, "car"), path=[list(place)], yaw=heading, role="parked")


def follower(snapshot: Snapshot, frame_index: int) -> WantedActor:
    """Return a car behind the hero, from a frame on."""
    return WantedActor(blueprint=usual(snapshot, "car"), follow="hero", start=moment(snapshot, frame_index))


@np.errstate(all="ignore")
def crossing_walker(snapshot: Snapshot, frame_index: int, place: tuple[float, float] | None = None) -> WantedActor:
    """Return a walker that crosses the hero's path shortly before it comes.

    Args:
        snapshot: The recording.
        frame_index: The frame that the hero is looked for in.
        place: x, y in m; it crosses at the point of the path that is nearest. None: where the front of the hero is 4 s
            after the frame.

    Raises:
        SelectorError: There is no hero.
        EditError: The hero has no positions.
    """
    hero = life_named(snapshot, "hero", frame_index)
    now = float(snapshot.elapsed[frame_index])
    recorded = recorded_path(snapshot, hero)
    if place is None:
        here, soon = np.interp((now, now + _SOON), recorded.times, recorded.distance)
        crossing = max(here + _NEAREST, soon + _FRONT)
    else:
        dx, dy = (recorded.path.poses[:, :2] - place).T
        nearest = recorded.path.distance[np.argmin(np.hypot(dx, dy))]
        crossing = max(nearest, recorded.distance[0] + _NEAREST)  # not where the hero is from the beginning
    x, y, _, _, _, yaw = recorded.path.at(np.array([crossing]))[0]
    right = np.array([-np.sin(np.radians(yaw)), np.cos(np.radians(yaw))])
    begin = (x, y) + _ASIDE * right
    end = (x, y) - _ASIDE * right
    hero_comes = float(np.interp(crossing - _FRONT, recorded.distance, recorded.times))
    starts = hero_comes - _LEAD - _ASIDE / _SPEED
    born = snapshot.frame_at_time(min(now, starts))  # before the frame if it would come too late
    wait = max(0.001, starts - float(snapshot.elapsed[born]))
    return WantedActor(
        blueprint=usual(snapshot, "walker"),
        path=[begin.tolist(), end.tolist()],
        speed=_SPEED,
        wait=round(wait, 3),
        start=moment(snapshot, born),
    )


def usual(snapshot: Snapshot, kind: str) -> str:
    """Return a blueprint of a kind, of the recording if it has one."""
    blueprints = catalogue(snapshot).values()
    return next(blueprint.name for blueprint in blueprints if blueprint.model.kind == kind and blueprint.uid)
