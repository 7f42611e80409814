"""ScenarioRunner's metrics without a simulator: the log that a metric asks, and the running of its file.

The log reads CARLA's text report (`info --all`), as ScenarioRunner does, so numbers have its six digits. Its methods
are those of ScenarioRunner's documentation ("Metrics module"), many of them in a table. Frames are counted from 1;
where an actor, a frame or a state is missing, the answer is None. Importing this needs the simulator's package.
"""

import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache, cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from .. import resources
from ..analysis.libraries import library

carla = library("carla", "carla")
_TABLE = resources.table("reports")
_LINES = {name: [*said["lines"].values()][-1].rstrip() for name, said in _TABLE["records"].items()} | _TABLE["read"]
"""The line of each record as the newest release prints it; the first value is the id."""
_VALUE = r"([^\s,()]+)"
_PATTERNS = {"%d": _VALUE, "%g": _VALUE, "%s": "(.*)", "%b": r"((?:\n  (?!Id: ).*)*)", "%e": "()"}
_STAND_INS = (
    "srunner",
    "srunner.metrics",
    "srunner.metrics.examples",
    "srunner.metrics.examples.basic_metric",
    "srunner.metrics.tools",
    "srunner.metrics.tools.metrics_log",
)
"""The modules of ScenarioRunner that metrics import."""
_Values = tuple[Any, ...]
"""The values of a record behind its id, each a number or a text as the line of the record has it."""

_LASTING = ("BoundingBox", "TriggerVolume", "PhysicsControl", "SceneLight", "TrafficLightTime")


def _place(*centimetres: float) -> object:
    return carla.Location(*(each / 100 for each in centimetres))


def _box(*centimetres: float) -> object:
    """A box in metres; what is not finite is 0, as of sensors."""
    metres = []
    for each in centimetres:
        metres.append(each / 100 if abs(each) < 1e30 else 0.0)
    return carla.BoundingBox(carla.Location(*metres[:3]), carla.Vector3D(*metres[3:]))


def _control(steer: float, throttle: float, brake: float, handbrake: int, gear: int) -> object:
    return carla.VehicleControl(throttle, steer, brake, handbrake != 0, gear < 0, False, gear)


def _lights(text: str) -> list[object]:
    return [carla.VehicleLightState.names[each] for each in text.split() if each != "None"]


def _scene_light(on: str, intensity: float, *color: float) -> object:
    levels = (round(255 * min(1.0, max(0.0, each))) for each in color)
    return carla.LightState(intensity, carla.Color(*levels), carla.LightGroup.NONE, on == "True")


def _physics(text: str) -> object:
    if "\n   max_torque = " in text:
        return None  # of Unreal 5: the simulator's package for Unreal 4 has no class for them
    control = _set(carla.VehiclePhysicsControl(), re.findall(r"\n   (\w+) = ?(.*)", text))
    for name, kind, make in zip(("forward_gears", "wheels"), ("gear", "wheel"), ("Gear", "Wheel"), strict=True):
        lines = (re.findall(r"(\w+) (\(.*?\)|\S+)", each) for each in re.findall(rf"\n    {kind} \d+: (.*)", text))
        setattr(control, name, [_set(getattr(carla, f"{make}PhysicsControl")(), line) for line in lines])
    return control


def _set(thing: object, said: Iterable[tuple[str, str]]) -> object:
    """The thing with its attributes as a report tells them."""
    for name, text in said:
        numbers = []
        for each in re.findall(_VALUE, text):
            if name != "use_gear_auto_box":
                numbers.append(float(each))
        value: object = text == "true"
        if text.startswith("("):
            value = carla.Vector3D(*numbers[:3])
        elif numbers:
            value = numbers[0]
        if name.endswith("_curve"):
            value = []
            for each in zip(numbers[::2], numbers[1::2], strict=True):
                value.append(carla.Vector2D(*each))
        setattr(thing, name.lower().replace("auto_box", "autobox"), value)
    return thing


_STATES: Mapping[str, tuple[str, Callable[..., object]]] = {
    "get_actor_bounding_box": ("BoundingBox", _box),
    "get_traffic_light_trigger_volume": ("TriggerVolume", _box),
    "get_actor_transform": ("Position", lambda *v: carla.Transform(_place(*v[:3]), carla.Rotation(v[4], v[5], v[3]))),
    "get_actor_angular_velocity": ("Kinematics", lambda *values: carla.Vector3D(*values[3:])),
    "get_vehicle_control": ("AnimVehicle", _control),
    "get_vehicle_physics_control": ("PhysicsControl", _physics),
    "get_walker_speed": ("AnimWalker", float),
    "get_traffic_light_state": ("State", lambda *values: carla.TrafficLightState.values.get(ord(values[0]) - ord("0"))),
    "is_traffic_light_frozen": ("State", lambda *values: values[1] != 0),
    "get_traffic_light_elapsed_time": ("State", lambda *values: values[2]),
    "get_vehicle_lights": ("VehicleLight", _lights),
    "get_scene_light_state": ("SceneLight", _scene_light),
}
"""The record that a method reads, and what it makes of the values behind the id."""


class MetricsLog:
    """What a metric may ask of a recording; `text` is the report of the newest release with all records."""

    def __init__(self, text: str) -> None:
        self._text, self._records = text, cache(self._find)
        frames = [*re.finditer(r"\nFrame \d+ at (\S+) seconds", text)]
        self._starts = [each.start() for each in frames]
        self._times = [float(each[1]) for each in frames]
        vars(self).update({name: partial(self._state, *said) for name, said in _STATES.items()})
        for one in ("transform", "velocity", "angular_velocity", "acceleration"):
            read = getattr(self, f"get_actor_{one}")
            many = re.sub("y$", "ie", one) + "s"
            setattr(self, f"get_all_actor_{many}", partial(self._over_time, read))
            setattr(self, f"get_actor_{many}_at_frame", partial(self._of_all, read))

    def get_total_frame_count(self) -> int:
        """The number of frames."""
        return len(self._times)

    def get_elapsed_time(self, frame: int) -> float | None:
        """Seconds since the start."""
        if 1 <= frame <= len(self._times):
            return self._times[frame - 1]
        return None

    def get_delta_time(self, frame: int) -> float | None:
        """Seconds since the frame before; 0 in the first one."""
        now = self.get_elapsed_time(frame)
        before = self.get_elapsed_time(max(frame - 1, 1))
        if now is None or before is None:
            return None
        return round(now - before, 6)

    def get_platform_time(self, frame: int) -> object:
        """Seconds of the computer's clock since the start."""
        return self._state("PlatformTime", float, 0, frame)

    def get_collisions(self, actor_id: int) -> list[dict[str, object]]:
        """The ids that an actor collides with in a frame; it may be either actor of a record."""
        return [{"frame": frame, "other_id": ids} for frame, ids in self.get_actor_collisions(actor_id).items()]

    def get_actor_collisions(self, actor_id: int) -> dict[int, list[int]]:
        """The same by frame, as ScenarioRunner has it by now."""
        records = (each for found in self._records("Collision").values() for each in found.items())
        both = ((at, *pair) for at, (one, _, two) in records for pair in ((one, two), (two, one)))
        others = sorted({(at, other) for at, actor, other in both if actor == actor_id})
        return {frame: [other for at, other in others if at == frame] for frame, _ in others}

    def get_ego_vehicle_id(self) -> int | None:
        """The first actor with the role name `hero`."""
        return next(iter(self.get_actor_ids_with_role_name("hero")), None)

    def get_actor_ids_with_role_name(self, role_name: str) -> list[int]:
        """The actors with a role name."""
        return [actor for actor, said in self._actors.items() if said.get("role_name") == role_name]

    def get_actor_ids_with_type_id(self, type_id: str) -> list[int]:
        """The actors whose blueprint matches a pattern (`fnmatch`)."""
        return [actor for actor, said in self._actors.items() if fnmatch(said["type_id"], type_id)]

    def get_actor_attributes(self, actor_id: int) -> dict[str, Any] | None:
        """The attributes of the last life of an id; and `type_id`, `location`, `created` and, if it is, `destroyed`."""
        return self._actors.get(actor_id)

    def get_actor_alive_frames(self, actor_id: int) -> tuple[int | None, int | None]:
        """The first and the last frame of an actor."""
        said = self._actors.get(actor_id)
        if said:
            return (said["created"], said.get("destroyed", len(self._times) + 1) - 1)
        return (None, None)

    def get_actor_velocity(self, actor_id: int, frame: int) -> object:
        """The recorded velocity; where a recording has none, the derivative of positions."""
        if self._records("Kinematics"):
            record, unit = ("Kinematics", 1)
        else:
            record, unit = ("Position", 100)
        read = partial(self._state, record, lambda *values: carla.Vector3D(*(each / unit for each in values[:3])))
        if unit == 1:
            return read(actor_id, frame)
        return self._derivative(read, actor_id, frame)

    def get_actor_acceleration(self, actor_id: int, frame: int) -> object:
        """The derivative of velocities."""
        return self._derivative(self.get_actor_velocity, actor_id, frame)

    def get_traffic_light_state_time(self, traffic_light_id: int, state: object, frame: int) -> object:
        """How long a state lasts, in seconds, as last recorded."""
        times = self._values("TrafficLightTime", traffic_light_id, frame)
        return times and dict(zip(("Green", "Yellow", "Red"), times, strict=True)).get(str(state))

    def is_vehicle_light_active(self, light: object, vehicle_id: int, frame: int) -> bool:
        """Whether a light is on."""
        values = self._values("VehicleLight", vehicle_id, frame)
        return values is not None and light in _lights(*values)

    def _state(
        self, record: str, make: Callable[..., object], key: int = 0, frame: int | None = None, **named: int
    ) -> object:
        """What is made of the values of a record at a frame, as `_values`.

        An id may be `named`, as each method names it.
        """
        values = self._values(record, next(iter(named.values()), key), frame)
        if values is not None:
            return make(*values)
        return None

    def _values(self, record: str, key: int, frame: int | None) -> _Values | None:
        """The values of a record at a frame; of what lasts, those told last (None: at the end)."""
        if frame is None:
            at = len(self._times)
        else:
            at = frame
        found = self._records(record).get(key, {})
        if record in _LASTING and at <= len(self._times):
            at = max((each for each in found if each <= at), default=0)
        return found.get(at)

    def _derivative(self, read: Callable[[int, int], Any], actor_id: int, frame: int) -> object:
        """The change since the frame before, or to the next one where an actor begins; zero for a single frame."""
        before, now, after = (read(actor_id, each) for each in (frame - 1, frame, frame + 1))
        for one, other, at in ((before, now, frame), (now, after, frame + 1)):
            if one is not None and other is not None and (step := self.get_delta_time(at)):
                return (other - one) / step
        return now and carla.Vector3D()

    def _over_time(
        self, read: Callable[[int, int], object], actor_id: int, first_frame: int = 1, last_frame: int | None = None
    ) -> list[object]:
        if last_frame is None:
            last = len(self._times)
        else:
            last = last_frame
        return [read(actor_id, frame) for frame in range(first_frame or 1, last + 1)]

    def _of_all(
        self, read: Callable[[int, int], object], frame: int, actor_list: Sequence[int] | None = None
    ) -> dict[int, object]:
        actors = actor_list or self._records("Position")
        return {actor: value for actor in actors if (value := read(actor, frame)) is not None}

    def _find(self, record: str) -> dict[int, dict[int, _Values]]:
        """The values of a record, by id and frame."""
        found: dict[int, dict[int, _Values]] = {}
        title = _TABLE["records"].get(record, {}).get("title")
        reads = []
        for kind in re.findall("%[a-z]", _LINES[record]):
            reads.append({"%d": int, "%g": float}.get(kind, str))
        section = re.compile(rf"\n {title}: \d+((?:\n  .*)*)" if title else "(?s:(.+))")
        line = re.compile("\n" + re.sub("%[a-z]", lambda part: _PATTERNS[part[0]], re.escape(_LINES[record])))
        for part in section.finditer(self._text):
            for each in line.finditer(self._text, *part.span(1)):
                made: list[Any] = []
                for read, text in zip(reads, each.groups(), strict=True):
                    made.append(read(text))
                found.setdefault(made[0] or 0, {})[bisect_right(self._starts, each.start())] = tuple(made[1:])
        return found

    @cached_property
    def _actors(self) -> dict[int, dict[str, Any]]:
        actors: dict[int, dict[str, Any]] = {}
        for actor, lives in self._records("EventAdd").items():
            created, (blueprint, _, x, y, z, text) = max(lives.items())
            said = {"type_id": blueprint, "location": _place(x, y, z), "created": created}
            gone = []
            for each in self._records("EventDel").get(actor, ()):
                if each > created:
                    gone.append(each)
            if gone:
                said |= {"destroyed": gone[0]}
            else:
                said |= {}
            actors[actor] = dict(re.findall(r"\n  (.*?) = (.*)", text)) | said
        return actors


class BasicMetric:
    """The base of metrics where ScenarioRunner is not installed: runs the metric when it is made."""

    def __init__(self, town_map: object, log: object, criteria: object = None) -> None:
        self._create_metric(town_map, log, criteria)

    def _create_metric(self, town_map: object, log: object, criteria: object) -> None:
        raise NotImplementedError


def run_metric(path: Path, source: bytes, town_map: object, log: MetricsLog, criteria: object) -> bool:
    """Run the first class of a metric file, by name, whose first base is called BasicMetric; whether there is one.

    One module stands in for all of ScenarioRunner's where it is not installed. Raises whatever the file does.
    """
    module = ModuleType(f"metric_{path.stem}")
    ours = ModuleType("srunner")
    module.__file__ = str(path)
    names: tuple[str, ...] = _STAND_INS
    before = list(sys.path)
    places = _chosen_places(before)
    if _is_installed("srunner.metrics.examples.basic_metric", places):  # a folder `srunner` for results is not enough
        names = ()
    vars(ours).update({name.rpartition(".")[2]: ours for name in names}, BasicMetric=BasicMetric, MetricsLog=MetricsLog)
    made = dict.fromkeys(names, ours) | {module.__name__: module}
    sys.modules.update(made)
    sys.path[:] = [str(path.parent), *places]
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
        classes: list[type] = []
        for _, kind in sorted(vars(module).items()):
            if isinstance(kind, type):
                classes.append(kind)
        metrics = []
        for kind in classes:
            if [base.__name__ for base in kind.__bases__[:1]] == ["BasicMetric"]:
                metrics.append(kind)
        return bool([metric(town_map, log, criteria) for metric in metrics[:1]])
    finally:
        sys.path[:] = before
        for name in made:
            del sys.modules[name]


def _chosen_places(places: Sequence[str]) -> list[str]:
    """Where modules are looked for, without the working folder that `python -m` puts first: nobody chose its files."""
    if not sys.flags.safe_path and places and places[0] in ("", os.getcwd()):
        return list(places[1:])
    return list(places)


def _is_installed(name: str, places: Sequence[str]) -> bool:
    """Whether the file of a module is in these places: to ask for the module itself would run its package."""
    file = Path(*name.split(".")).with_suffix(".py")
    return any((Path(place) / file).is_file() for place in places)
