"""Adding an actor that was not there, with all that the simulator would have written of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
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
from ..blueprints import DRIVERS, Release
from ..intents import Moment, NamedActor, edit_of, frame_at, frames_between, lives_named, moment
from ..paths.edit_path import MAX_STEERING
from ..paths.motion import CM, rates, wrapped
from ..paths.moved_actors import elapsed_in
from ..uniform_frames import UniformFrames
from ..wrong_class import refuse_crash
from .blueprints import blueprint_of, catalogue
from .driven_paths import FARTHEST, DrivenPath, Driver, ground, path_through, recorded_path, road_users
from .writer import Record, Writer, rows, vehicle_states, walker_states

_CRAWL = 0.5  # m/s: below it wheels are straight
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
        gap: The time it keeps to whoever is ahead on its path, in s.
        copy: The actor, a selector, whose path and times it has, or its speeds on a path of its own.
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
        """Return what valid arguments of a script say, which call the moments `from` and `to`."""
        given: dict[str, Any] = {}
        for name, value in arguments.items():
            given[_KEYWORDS.get(name, name)] = value
        return cls(**given)

    def arguments(self) -> dict[str, object]:
        """Return what was given as arguments of a script."""
        names = {keyword: name for name, keyword in _KEYWORDS.items()}
        given: dict[str, object] = {}
        for field in fields(self):
            given[field.name] = getattr(self, field.name)
        return {names.get(name, name): value for name, value in given.items() if value is not None}


_KEYWORDS = {"from": "start", "to": "end"}
"""Arguments of a script that are no names in Python."""


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
    """Return the edit that adds an actor, as `add_actor`."""
    snapshot = recording.snapshot
    actor = NewActor(snapshot, wanted, progress)
    frames = actor.frames
    row_of = snapshot.table.row_of_frame
    gone = frames.stop if frames.stop < len(snapshot) else None
    refuse_new_id(snapshot, actor.id, frames.start, gone)
    plan = Plan(stream=actor.visit, streamed=range(row_of(frames.start), row_of(frames.stop - 1) + 1))
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

    Attributes: `id`, `blueprint`, `frames`, `times` (s); of each frame `poses` (x, y, z in m; roll, pitch, yaw in
    degrees; shape (n, 6)), `velocities` (x, y, z in m/s, heading in degrees/s; shape (n, 4)), `speed` (m/s along its
    heading).
    """

    @np.errstate(all="ignore")  # files may hold any number
    def __init__(self, snapshot: Snapshot, wanted: WantedActor, progress: Progress = SILENT) -> None:
        self._snapshot = snapshot
        self._wanted = wanted
        self._path = wanted.path or ()
        self._later = wanted.later or 0.0
        _refuse_numbers(wanted)
        self.blueprint = blueprint_of(snapshot, wanted.blueprint, wanted.uid)
        self.id = wanted.new_id or unused_id(snapshot)
        first = frame_at(snapshot, "#1" if wanted.start is None else wanted.start)
        if wanted.follow is None:
            self._leader = None
        else:
            self._leader = life_named(snapshot, wanted.follow, first)
        if wanted.copy is None:
            self._copied = None
        else:
            self._copied = life_named(snapshot, wanted.copy, first)
        self.frames = self._frames()
        self.times = elapsed_in(snapshot, self.frames)
        self.poses = self._moved(progress)
        self.poses[:, 2] += self.blueprint.model.above / CM
        if self.blueprint.model.kind == "walker":
            self.poses[:, 3:5] = 0.0
        self.velocities = rates(self.poses[:, (0, 1, 2, 5)], self.times)
        yaw = np.radians(self.poses[:, 5])
        self.speed = self.velocities[:, 0] * np.cos(yaw) + self.velocities[:, 1] * np.sin(yaw)
        self.poses[:, 5] = wrapped(self.poses[:, 5])
        self._writer = Writer(snapshot.dialect)

    def _frames(self) -> range:
        """Those of its life: of the actor that it follows or copies, unless it was given others or a path."""
        wanted = self._wanted
        like = self._copied or self._leader
        if like is not None and not self._path and wanted.start is None and wanted.end is None:
            same = shifted_frames(self._snapshot, self._snapshot, like, self._later)
            return range(same.start, same.stop)
        return frames_between(self._snapshot, wanted.start, wanted.end, inclusive=True)

    # --- its motion -------------------------------------------------------------------------------------

    def _moved(self, progress: Progress) -> FloatArray:
        """Its poses on the ground."""
        snapshot = self._snapshot
        wanted = self._wanted
        offset = np.array((*(wanted.offset or (0.0,) * 3), 0.0, 0.0, 0.0))
        points = np.array([point[:2] for point in self._path]).reshape(-1, 2)
        heights = []
        for at, (height, _) in zip(self._path, ground(snapshot, points), strict=True):
            heights.append((*at, height)[2])
        if len(self._path) == 1:
            pose = np.array([*points[0], *heights, 0.0, 0.0, wanted.yaw or 0.0])
            return np.tile(pose, (len(self.times), 1))
        speeds = np.full(len(self.times), self._wanted_speed())
        if self._copied is not None:
            times, distance, driven = recorded_path(snapshot, self._copied)
            then = self.times - self._later
            if not self._path:
                return np.asarray(driven.at(np.interp(then, times, distance)) + offset)
            if len(times) > 1:
                recorded = np.gradient(distance, times)
            else:
                recorded = distance
            speeds = np.interp(then, times, recorded)
        if self._path:
            driven = path_through(np.column_stack((points, heights)))
        elif self._leader is not None:
            times, distance, driven = recorded_path(snapshot, self._leader)
            driven = driven._replace(poses=driven.poses + offset)
        else:
            raise EditError(say("A new actor needs a place: a path, an actor to follow, or one to copy."))
        driver = self._driver(driven)
        if self._path:
            begin = 0.0
            speed = float(speeds[0])
        else:
            begin, speed = driver.behind(np.interp(self.times[0], times, distance))
        return driven.at(driver.run(self.times, speeds, begin, speed, progress))

    def _wanted_speed(self) -> float:
        """The speed it aims at, in m/s: that of its kind, or that at which it catches up with a leader."""
        if self._wanted.speed is not None:
            return self._wanted.speed
        slow, fast, *_ = DRIVERS[self.blueprint.model.kind]
        if self._leader is None:
            return (slow + fast) / 2
        return _HASTE * fast

    def _driver(self, driven: DrivenPath) -> Driver:
        """A driver on a path, with the road users around it where it has to heed them."""
        wanted = self._wanted
        heeds = self._leader is not None or wanted.gap is not None
        users = road_users(self._snapshot, self.frames if heeds else range(0))
        others = np.split(users, np.searchsorted(users["frame"], self.frames[1:]))
        gap = _GAP if wanted.gap is None else wanted.gap
        is_exact = self._copied is not None
        return Driver(driven, others, self._leader, self.blueprint.model, gap, wanted.wait or 0.0, is_exact)

    # --- its records ------------------------------------------------------------------------------------

    def births(self) -> Iterator[tuple[str, bytes]]:
        """Names of packets and records of the frame in which it is created."""
        dialect = self._snapshot.dialect
        life = self.blueprint.life
        model = self.blueprint.model
        pose = self.poses[0]
        if life is not None:
            held = dict(Actors.of(self._snapshot).lasting_records_of(life))
        else:
            held = {}
        of = TYPES.get(self.blueprint.name.partition(".")[0], "Other")
        frame = self._snapshot.frame(self.frames.start)
        added = of, *(pose * _CM).tolist(), self.blueprint.uid, self.blueprint.name, self._attributes()
        physics = model, np.append(pose[:3], np.radians(pose[3:]))
        for name, values in (("EventAdd", added), ("BoundingBox", model.box), ("PhysicsControl", physics)):
            kind = dialect.by_name(name)
            if kind is None or (name == "PhysicsControl" and of != "Vehicle"):
                continue
            # What is always written is absent only where the file has no additional data.
            is_recorded = not kind.additional or kind.presence != "always" or frame.packet(name) is not None
            if is_recorded:
                if name in held:
                    same = self.id.to_bytes(4, "little") + held[name].record[4:]
                else:
                    same = b""
                yield name, same or self._writer.records(kind, [(self.id, *values)]).tobytes()

    def _attributes(self) -> list[tuple[object, str, str]]:
        wanted = self._wanted
        kind = self.blueprint.model.kind
        held = self.blueprint.attributes
        if wanted.role is None:
            role = _ROLES.get(kind, "autopilot")
        else:
            role = wanted.role
        texts = {"role_name": role}
        if wanted.color is not None:
            texts["color"] = wanted.color
        known = {key for _, key, _ in held}
        attributes = [(type_, key, texts.get(key, value)) for type_, key, value in held]
        for key, text in texts.items():
            if key not in known:
                attributes.append((attribute_type(self._snapshot, key, text), key, text))
        return attributes

    def visit(self, uniform: UniformFrames) -> Iterator[tuple[UniformFrames, Streamed]]:
        """Uniform frames, and its records for those of its life."""
        at = self._snapshot.table.frame_of_row(uniform.block.first) + uniform.rows - self.frames.start
        within = (at >= 0) & (at < len(self.frames))
        if not within.all():
            yield select_frames(uniform, np.flatnonzero(~within)), {}
        if within.any():
            held = {records.kind.name for records in uniform.lists}
            states = self._states(at[within])
            kinds = []
            for kind in self._snapshot.dialect.kinds():
                if kind.name in held or kind.presence == "filled":
                    kinds.append(kind)
            made = {}
            for each in kinds:
                made[each.name] = self._writer.records(each, states.get(each.name, []))
            kept = {name: each for name, each in made.items() if each.size}
            yield select_frames(uniform, np.flatnonzero(within)), kept

    @np.errstate(all="ignore")
    def _states(self, at: IndexArray) -> dict[str, list[Record]]:
        """Its records in the frames `at` of its life, by packet name."""
        model = self.blueprint.model
        ids = np.full(len(at), self.id)
        times = self.times
        speed = self.speed
        made = {"Position": rows(ids, *(self.poses[at] * _CM).T)}
        if model.kind == "prop":
            # props have positions since 0.9.11
            if Release.of(self._snapshot.dialect).era >= 2:
                return made
            return {}
        vx, vy, vz, turn = self.velocities.T
        made["Kinematics"] = rows(ids, vx[at], vy[at], vz[at], 0.0 * at, 0.0 * at, turn[at])
        spin = -np.degrees(np.cumsum(speed * np.diff(times, prepend=times[0])) / model.drive[0])
        if model.kind == "walker":
            return made | walker_states(ids, np.abs(speed[at]), spin[at])
        bend = np.radians(turn) / np.where(np.abs(speed) > _CRAWL, speed, np.inf)
        steer = np.clip(np.degrees(np.arctan(bend * model.wheelbase)), -MAX_STEERING, MAX_STEERING)
        if len(times) > 1:
            accel = np.gradient(speed, times)
        else:
            accel = 0.0 * speed
        made["VehicleLight"] = rows(ids, np.full(len(at), self._wanted.lights or 0))
        return made | vehicle_states(
            ids,
            [model] * len(at),
            speed=speed[at],
            accel=accel[at],
            steer=steer[at],
            spin=spin[at],
            is_driven=np.full(len(at), len(self._path) != 1),
        )


def _refuse_numbers(wanted: WantedActor) -> None:
    """Refuse numbers that no actor has. Raises `EditError`."""
    never_less = []
    for value in (wanted.speed, wanted.gap, wanted.wait):
        if value is not None:
            never_less.append(value)
    others = []
    for value in (wanted.yaw, wanted.later):
        if value is not None:
            others.append(value)
    numbers = np.concatenate((never_less, others, wanted.offset or (), *(wanted.path or ())))
    if not (np.abs(numbers) < FARTHEST).all() or min(never_less, default=0.0) < 0:
        raise EditError(
            say(
                "The numbers of a new actor must be finite and no further than 10,000 km; "
                "speeds, gap and wait must not be negative."
            )
        )


def life_named(snapshot: Snapshot, named: NamedActor, frame: int) -> Life:
    """The life that a selector or an object names, of several the one in a frame. Errors as `lives_named`."""
    lives = lives_named(snapshot, [named])
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
    """Return a walker that crosses the hero's path shortly before it comes, at the point that is nearest to a place.

    Without a place it is the point where the front of the hero is 4 s after a frame.
    """
    hero = life_named(snapshot, "hero", frame_index)
    now = float(snapshot.elapsed[frame_index])
    times, distance, driven = recorded_path(snapshot, hero)
    at = np.add(np.interp((now, now + _SOON), times, distance), (_NEAREST, _FRONT)).max()
    if place is not None:
        nearest = driven.distance[np.argmin(np.hypot(*(driven.poses[:, :2] - place).T))]
        at = max(nearest, distance[0] + _NEAREST)  # not where the hero is from the beginning
    x, y, _, _, _, yaw = driven.at(np.array([at]))[0]
    aside = _ASIDE * np.array([-np.sin(np.radians(yaw)), np.cos(np.radians(yaw))])
    starts = float(np.interp(at - _FRONT, distance, times)) - _LEAD - _ASIDE / _SPEED
    born = snapshot.frame_at_time(min(now, starts))  # before the frame if it would come too late
    return WantedActor(
        blueprint=usual(snapshot, "walker"),
        path=[((x, y) + side * aside).tolist() for side in (1, -1)],
        speed=_SPEED,
        wait=round(max(0.001, starts - float(snapshot.elapsed[born])), 3),
        start=moment(snapshot, born),
    )


def usual(snapshot: Snapshot, kind: str) -> str:
    """A blueprint of a kind, of the recording if it has one."""
    return next(each.name for each in catalogue(snapshot).values() if each.model.kind == kind and each.uid)
