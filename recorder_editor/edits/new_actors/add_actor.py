"""Adding an actor that was not there, with all that the simulator would have written of it."""

from collections.abc import Iterator, Mapping
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
from ..intents import edit_of, frame_at, frames_between, lives_named, moment
from ..paths.edit_path import MAX_STEERING
from ..paths.motion import CM, rates, wrapped
from ..paths.moved_actors import elapsed_in
from ..uniform_frames import UniformFrames
from ..wrong_class import refuse_crash
from .blueprints import blueprint_of, catalogue
from .driven_paths import FARTHEST, Driver, ground, path_through, recorded_path, road_users
from .writer import Writer, rows, vehicle_states, walker_states

_CRAWL = 0.5  # m/s: below it wheels are straight
_GAP = 1.5  # s to a leader
_HASTE = 4.0  # of the usual speed, to which a follower goes to catch up
_CM = np.array([CM] * 3 + [1.0] * 3)  # from metres to the file's units
_ROLES = {"walker": "pedestrian", "prop": "prop"}
_USUAL: Mapping[str, Any] = {"path": (), "yaw": 0.0, "later": 0.0, "offset": (0.0,) * 3, "wait": 0.0, "lights": 0}


def add_actor(recording: RecordingLike, about: Mapping[str, Any], *, progress: Progress = SILENT) -> Edit:
    """The edit that adds an actor, with everything that the simulator would have written of it in this release.

    `about` are the arguments as a script has them: `blueprint`, and what the guide's page on operations says. Packets
    that the recording does not have stay absent. Raises `EditError` if the actor cannot be as it is wanted, for a
    blueprint without a known uid and for an id in use; `SelectorError`, `Cancelled`.
    """
    snapshot = recording.snapshot
    actor = NewActor(snapshot, about, progress)
    frames, row_of = actor.frames, snapshot.table.row_of_frame
    gone = frames.stop if frames.stop < len(snapshot) else None
    refuse_new_id(snapshot, actor.id, frames.start, gone)
    plan = Plan(stream=actor.visit, streamed=range(row_of(frames.start), row_of(frames.stop - 1) + 1))
    for name, record in actor.births():
        plan.add(row_of(frames.start), name, record)
    if gone is not None:
        plan.add(row_of(gone), "EventDel", snapshot.dialect.deletion(actor.id))
    splices, label = (
        rewrite(snapshot, plan, progress),
        say("Add {blueprint} as {id}", blueprint=about["blueprint"], id=actor.id),
    )
    return refuse_crash(snapshot, edit_of(snapshot, "add_actor", label, splices, **about))


class NewActor:
    """A new actor as `add_actor` takes it: its motion and its records.

    Attributes: `id`, `blueprint`, `frames`, `times` (s); of each frame `poses` (x, y, z in m; roll, pitch, yaw in
    degrees; shape (n, 6)), `velocities` (x, y, z in m/s, heading in degrees/s; shape (n, 4)), `speed` (m/s along its
    heading).
    """

    @np.errstate(all="ignore")  # files may hold any number
    def __init__(self, snapshot: Snapshot, about: Mapping[str, Any], progress: Progress = SILENT) -> None:
        about = {**_USUAL, **{name: value for name, value in about.items() if value is not None}}
        self._snapshot, self._about = snapshot, about
        never_less = [about.get(name, 0.0) for name in ("speed", "gap", "wait")]
        numbers = np.concatenate((never_less, (about["yaw"], about["later"]), about["offset"], *about["path"]))
        if not (np.abs(numbers) < FARTHEST).all() or min(never_less) < 0:
            raise EditError(
                say(
                    "The numbers of a new actor must be finite and no further than 10,000 km; "
                    "speeds, gap and wait must not be negative."
                )
            )
        self.blueprint = blueprint_of(snapshot, about["blueprint"], about.get("uid"))
        self.id = about.get("new_id") or unused_id(snapshot)
        first = frame_at(snapshot, about.get("from", "#1"))
        self._leader = life_named(snapshot, about["follow"], first) if "follow" in about else None
        self._copied = life_named(snapshot, about["copy"], first) if "copy" in about else None
        like = self._copied or self._leader
        if like is not None and not about["path"] and not {"from", "to"} & about.keys():
            same = shifted_frames(snapshot, snapshot, like, about["later"])
            self.frames = range(same.start, same.stop)
        else:
            self.frames = frames_between(snapshot, about.get("from"), about.get("to"), inclusive=True)
        self.times = elapsed_in(snapshot, self.frames)
        self.poses = self._moved(progress)
        self.poses[:, 2] += self.blueprint.model.above / CM
        self.poses[:, 3:5] *= self.blueprint.model.kind != "walker"
        self.velocities = rates(self.poses[:, (0, 1, 2, 5)], self.times)
        yaw = np.radians(self.poses[:, 5])
        self.speed = self.velocities[:, 0] * np.cos(yaw) + self.velocities[:, 1] * np.sin(yaw)
        self.poses[:, 5] = wrapped(self.poses[:, 5])
        self._writer = Writer(snapshot.dialect)

    # --- its motion -------------------------------------------------------------------------------------

    def _moved(self, progress: Progress) -> FloatArray:
        """Its poses on the ground."""
        snapshot, about, leader, model = self._snapshot, self._about, self._leader, self.blueprint.model
        path, offset = about["path"], np.array((*about["offset"], 0.0, 0.0, 0.0))
        points = np.array([point[:2] for point in path]).reshape(-1, 2)
        heights = [(*at, height)[2] for at, (height, _) in zip(path, ground(snapshot, points), strict=True)]
        if len(path) == 1:
            return np.tile(np.array([*points[0], *heights, 0.0, 0.0, about["yaw"]]), (len(self.times), 1))
        slow, fast, *_ = DRIVERS[model.kind]
        usual = (slow + fast) / 2 if leader is None else _HASTE * fast
        wanted = np.full(len(self.times), about.get("speed", usual))
        if self._copied is not None:
            times, distance, driven = recorded_path(snapshot, self._copied)
            then = self.times - about["later"]
            if not path:
                return np.asarray(driven.at(np.interp(then, times, distance)) + offset)
            wanted = np.interp(then, times, np.gradient(distance, times) if len(times) > 1 else distance)
        if path:
            driven = path_through(np.column_stack((points, heights)))
        elif leader is not None:
            times, distance, driven = recorded_path(snapshot, leader)
            driven = driven._replace(poses=driven.poses + offset)
        else:
            raise EditError(say("A new actor needs a place: a path, an actor to follow, or one to copy."))
        users = road_users(snapshot, self.frames if leader is not None or "gap" in about else range(0))
        others = np.split(users, np.searchsorted(users["frame"], self.frames[1:]))
        driver = Driver(driven, others, leader, model, about.get("gap", _GAP), about["wait"], self._copied is not None)
        begin, speed = (0.0, float(wanted[0])) if path else driver.behind(np.interp(self.times[0], times, distance))
        return driven.at(driver.run(self.times, wanted, begin, speed, progress))

    # --- its records ------------------------------------------------------------------------------------

    def births(self) -> Iterator[tuple[str, bytes]]:
        """Names of packets and records of the frame in which it is created."""
        dialect, life, model, pose = self._snapshot.dialect, self.blueprint.life, self.blueprint.model, self.poses[0]
        held = dict(Actors.of(self._snapshot).lasting_records_of(life)) if life is not None else {}
        of, frame = TYPES.get(self.blueprint.name.partition(".")[0], "Other"), self._snapshot.frame(self.frames.start)
        added = of, *(pose * _CM).tolist(), self.blueprint.uid, self.blueprint.name, self._attributes()
        physics = model, np.append(pose[:3], np.radians(pose[3:]))
        for name, values in (("EventAdd", added), ("BoundingBox", model.box), ("PhysicsControl", physics)):
            kind = dialect.by_name(name)
            if kind is None or (name == "PhysicsControl" and of != "Vehicle"):
                continue
            # What is always written is absent only where the file has no additional data.
            is_recorded = not kind.additional or kind.presence != "always" or frame.packet(name) is not None
            if is_recorded:
                same = self.id.to_bytes(4, "little") + held[name].record[4:] if name in held else b""
                yield name, same or self._writer.records(kind, [(self.id, *values)]).tobytes()

    def _attributes(self) -> list[tuple[Any, str, str]]:
        about, kind, held = self._about, self.blueprint.model.kind, self.blueprint.attributes
        texts = {"role_name": about.get("role", _ROLES.get(kind, "autopilot"))}
        texts |= {"color": about["color"]} if "color" in about else {}
        known = {key for _, key, _ in held}
        own = [(attribute_type(self._snapshot, key, texts[key]), key, texts[key]) for key in texts if key not in known]
        return [*((of, key, texts.get(key, value)) for of, key, value in held), *own]

    def visit(self, uniform: UniformFrames) -> Iterator[tuple[UniformFrames, Streamed]]:
        """Uniform frames, and its records for those of its life."""
        at = self._snapshot.table.frame_of_row(uniform.block.first) + uniform.rows - self.frames.start
        within = (at >= 0) & (at < len(self.frames))
        if not within.all():
            yield select_frames(uniform, np.flatnonzero(~within)), {}
        if within.any():
            held, states = {records.kind.name for records in uniform.lists}, self._states(at[within])
            kinds = [kind for kind in self._snapshot.dialect.kinds() if kind.name in held or kind.presence == "filled"]
            made = {each.name: self._writer.records(each, states.get(each.name, [])) for each in kinds}
            kept = {name: each for name, each in made.items() if each.size}
            yield select_frames(uniform, np.flatnonzero(within)), kept

    @np.errstate(all="ignore")
    def _states(self, at: IndexArray) -> dict[str, list[Any]]:
        """Its records in the frames `at` of its life, by packet name."""
        model, ids, times, speed = self.blueprint.model, np.full(len(at), self.id), self.times, self.speed
        made: dict[str, list[Any]] = {"Position": rows(ids, *(self.poses[at] * _CM).T)}
        if model.kind == "prop":
            return made if Release.of(self._snapshot.dialect).era >= 2 else {}  # props have positions since 0.9.11
        vx, vy, vz, turn = self.velocities.T
        made["Kinematics"] = rows(ids, vx[at], vy[at], vz[at], 0.0 * at, 0.0 * at, turn[at])
        spin = -np.degrees(np.cumsum(speed * np.diff(times, prepend=times[0])) / model.drive[0])
        if model.kind == "walker":
            return made | walker_states(ids, np.abs(speed[at]), spin[at])
        bend = np.radians(turn) / np.where(np.abs(speed) > _CRAWL, speed, np.inf)
        steer = np.clip(np.degrees(np.arctan(bend * model.wheelbase)), -MAX_STEERING, MAX_STEERING)
        accel = np.gradient(speed, times) if len(times) > 1 else 0.0 * speed
        motion = speed, accel, steer, spin, np.full(len(times), len(self._about["path"]) != 1)
        made["VehicleLight"] = rows(ids, np.full(len(at), self._about["lights"]))
        return made | vehicle_states(ids, [model] * len(at), [column[at] for column in motion])


def life_named(snapshot: Snapshot, named: Any, frame: int) -> Life:
    """The life that a selector or an object names, of several the one in a frame. Errors as `lives_named`."""
    lives = lives_named(snapshot, [named])
    return next((life for life in lives if life.is_alive(frame)), lives[0])


_ASIDE, _SPEED = 4.0, 1.5  # m from the middle of the hero's path, where a walker begins and ends, and its m/s
_LEAD = 2.0  # s before the front of the hero is there; one of them it loses until it goes at that speed
_SOON, _NEAREST, _FRONT = 4.0, 8.0, 3.0  # s after a frame; m before a hero that stands; m from its middle to its front


@np.errstate(all="ignore")  # files may hold any number
def parked_car(snapshot: Snapshot, frame_index: int, place: tuple[float, float]) -> dict[str, Any]:
    """A car that stands at a place (m) from beginning to end, along the lane or as others drove there."""
    heading = float(ground(snapshot, np.array([place]))[0, 1])
    return {"blueprint": usual(snapshot, "car"), "path": [list(place)], "yaw": heading, "role": "parked"}


def follower(snapshot: Snapshot, frame_index: int, place: object = None) -> dict[str, Any]:
    """A car behind the hero, from a frame on."""
    return {"blueprint": usual(snapshot, "car"), "follow": "hero", "from": moment(snapshot, frame_index)}


@np.errstate(all="ignore")
def crossing_walker(snapshot: Snapshot, frame_index: int, place: tuple[float, float] | None = None) -> dict[str, Any]:
    """A walker that crosses the hero's path shortly before it comes, at the point of it that is nearest to a place
    (None: where its front is 4 s after a frame)."""
    hero, now = life_named(snapshot, "hero", frame_index), float(snapshot.elapsed[frame_index])
    times, distance, driven = recorded_path(snapshot, hero)
    at = np.add(np.interp((now, now + _SOON), times, distance), (_NEAREST, _FRONT)).max()
    if place is not None:
        nearest = driven.distance[np.argmin(np.hypot(*(driven.poses[:, :2] - place).T))]
        at = max(nearest, distance[0] + _NEAREST)  # not where the hero is from the beginning
    x, y, _, _, _, yaw = driven.at(np.array([at]))[0]
    aside = _ASIDE * np.array([-np.sin(np.radians(yaw)), np.cos(np.radians(yaw))])
    starts = float(np.interp(at - _FRONT, distance, times)) - _LEAD - _ASIDE / _SPEED
    born = snapshot.frame_at_time(min(now, starts))  # before the frame if it would come too late
    return {
        "blueprint": usual(snapshot, "walker"),
        "path": [((x, y) + side * aside).tolist() for side in (1, -1)],
        "speed": _SPEED,
        "wait": round(max(0.001, starts - float(snapshot.elapsed[born])), 3),
        "from": moment(snapshot, born),
    }


def usual(snapshot: Snapshot, kind: str) -> str:
    """A blueprint of a kind, of the recording if it has one."""
    return next(each.name for each in catalogue(snapshot).values() if each.model.kind == kind and each.uid)
