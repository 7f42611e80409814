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
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from .. import resources
from ..analysis.libraries import library

carla = library("carla", "carla")
_TABLE = resources.table("reports")
_VALUE = r"([^\s,()]+)"
_PATTERNS = {"%d": _VALUE, "%g": _VALUE, "%s": "(.*)", "%b": r"((?:\n  (?!Id: ).*)*)", "%e": "()"}
"""What stands in the report for each part of a line."""
_READERS: Mapping[str, Callable[[str], Any]] = {"%d": int, "%g": float}
"""What reads a part of a line; others are texts."""
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


def _lines() -> dict[str, str]:
    """The line of each record as the newest release prints it; the first value is the id."""
    lines: dict[str, str] = {}
    for name, record in _TABLE["records"].items():
        by_release = list(record["lines"].values())
        lines[name] = by_release[-1].rstrip()
    lines.update(_TABLE["read"])
    return lines


_LINES = _lines()


# --- values of records as objects of the simulator's package ---------------------------------------------


def _location(x: float, y: float, z: float) -> Any:
    """A place that a report has in centimetres."""
    return carla.Location(x / 100, y / 100, z / 100)


def _box(values: _Values) -> Any:
    """A box in metres; what is not finite is 0, as of sensors."""
    metres = []
    for centimetres in values:
        if abs(centimetres) < 1e30:
            metres.append(centimetres / 100)
        else:
            metres.append(0.0)
    x, y, z, length, width, height = metres
    return carla.BoundingBox(carla.Location(x, y, z), carla.Vector3D(length, width, height))


def _lights(text: str) -> list[Any]:
    return [carla.VehicleLightState.names[name] for name in text.split() if name != "None"]


def _level(share: float) -> int:
    """A part of a colour from 0 to 255."""
    return round(255 * min(1.0, max(0.0, share)))


def _physics(text: str) -> object:
    if "\n   max_torque = " in text:
        return None  # of Unreal 5: the simulator's package for Unreal 4 has no class for them
    control = carla.VehiclePhysicsControl()
    _set_attributes(control, re.findall(r"\n   (\w+) = ?(.*)", text))
    gears = []
    for line in re.findall(r"\n    gear \d+: (.*)", text):
        gear = carla.GearPhysicsControl()
        _set_attributes(gear, _attributes_of(line))
        gears.append(gear)
    control.forward_gears = gears
    wheels = []
    for line in re.findall(r"\n    wheel \d+: (.*)", text):
        wheel = carla.WheelPhysicsControl()
        _set_attributes(wheel, _attributes_of(line))
        wheels.append(wheel)
    control.wheels = wheels
    return control


def _attributes_of(line: str) -> list[tuple[str, str]]:
    """Names and texts of the values of a gear or a wheel."""
    return re.findall(r"(\w+) (\(.*?\)|\S+)", line)


def _set_attributes(thing: object, attributes: Iterable[tuple[str, str]]) -> None:
    """Set attributes to what the texts of a report mean."""
    for name, text in attributes:
        value = _attribute(name, text)
        setattr(thing, name.lower().replace("auto_box", "autobox"), value)


def _attribute(name: str, text: str) -> object:
    """The value of a text: a curve, a vector, a number or a truth value."""
    if name == "use_gear_auto_box":
        return text == "true"
    numbers = [float(number) for number in re.findall(_VALUE, text)]
    if name.endswith("_curve"):
        points = zip(numbers[::2], numbers[1::2], strict=True)
        return [carla.Vector2D(x, y) for x, y in points]
    if text.startswith("("):
        return carla.Vector3D(*numbers[:3])
    if numbers:
        return numbers[0]
    return False


# --- the log --------------------------------------------------------------------------------------------


class MetricsLog:
    """What a metric may ask of a recording.

    Args:
        text: The report of the newest release with all records.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._records = cache(self._find)
        self._starts: list[int] = []
        self._times: list[float] = []
        for frame in re.finditer(r"\nFrame \d+ at (\S+) seconds", text):
            self._starts.append(frame.start())
            self._times.append(float(frame[1]))

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
        values = self._values("PlatformTime", 0, frame)
        if values is None:
            return None
        return float(values[0])

    def get_collisions(self, actor_id: int) -> list[dict[str, object]]:
        """The ids that an actor collides with in a frame; it may be either actor of a record."""
        collisions: list[dict[str, object]] = []
        for frame, ids in self.get_actor_collisions(actor_id).items():
            collisions.append({"frame": frame, "other_id": ids})
        return collisions

    def get_actor_collisions(self, actor_id: int) -> dict[int, list[int]]:
        """The same by frame, as ScenarioRunner has it by now."""
        others: set[tuple[int, int]] = set()
        for by_frame in self._records("Collision").values():
            for frame, (first, _, second) in by_frame.items():
                if first == actor_id:
                    others.add((frame, second))
                if second == actor_id:
                    others.add((frame, first))
        collisions: dict[int, list[int]] = {}
        for frame, actor in sorted(others):
            collisions.setdefault(frame, []).append(actor)
        return collisions

    def get_ego_vehicle_id(self) -> int | None:
        """The first actor with the role name `hero`."""
        heroes = self.get_actor_ids_with_role_name("hero")
        if heroes:
            return heroes[0]
        return None

    def get_actor_ids_with_role_name(self, role_name: str) -> list[int]:
        """The actors with a role name."""
        actors = self._actors.items()
        return [actor for actor, attributes in actors if attributes.get("role_name") == role_name]

    def get_actor_ids_with_type_id(self, type_id: str) -> list[int]:
        """The actors with a blueprint that matches a pattern (`fnmatch`)."""
        actors = self._actors.items()
        return [actor for actor, attributes in actors if fnmatch(attributes["type_id"], type_id)]

    def get_actor_attributes(self, actor_id: int) -> dict[str, Any] | None:
        """The attributes of the last life of an id; and `type_id`, `location`, `created` and, if it is, `destroyed`."""
        return self._actors.get(actor_id)

    def get_actor_bounding_box(self, actor_id: int, frame: int | None = None) -> object:
        """The box of an actor."""
        values = self._values("BoundingBox", actor_id, frame)
        if values is None:
            return None
        return _box(values)

    def get_traffic_light_trigger_volume(self, traffic_light_id: int, frame: int | None = None) -> object:
        """The trigger volume of a traffic light."""
        values = self._values("TriggerVolume", traffic_light_id, frame)
        if values is None:
            return None
        return _box(values)

    def get_actor_alive_frames(self, actor_id: int) -> tuple[int | None, int | None]:
        """The first and the last frame of an actor."""
        attributes = self._actors.get(actor_id)
        if attributes:
            destroyed = attributes.get("destroyed", len(self._times) + 1)
            return (attributes["created"], destroyed - 1)
        return (None, None)

    # --- states of actors ---

    def get_actor_transform(self, actor_id: int, frame: int | None = None) -> object:
        """The pose of an actor."""
        values = self._values("Position", actor_id, frame)
        if values is None:
            return None
        x, y, z, roll, pitch, yaw = values
        return carla.Transform(_location(x, y, z), carla.Rotation(pitch, yaw, roll))

    def get_actor_velocity(self, actor_id: int, frame: int) -> object:
        """The recorded velocity; where a recording has none, the derivative of positions."""
        if self._records("Kinematics"):
            values = self._values("Kinematics", actor_id, frame)
            if values is None:
                return None
            x, y, z, _, _, _ = values
            return carla.Vector3D(x, y, z)
        return self._derivative(self._place, actor_id, frame)

    def _place(self, actor_id: int, frame: int) -> object:
        """The place of an actor in m, as a vector."""
        values = self._values("Position", actor_id, frame)
        if values is None:
            return None
        x, y, z, _, _, _ = values
        return carla.Vector3D(x / 100, y / 100, z / 100)

    def get_actor_angular_velocity(self, actor_id: int, frame: int | None = None) -> object:
        """The recorded angular velocity."""
        values = self._values("Kinematics", actor_id, frame)
        if values is None:
            return None
        _, _, _, x, y, z = values
        return carla.Vector3D(x, y, z)

    def get_actor_acceleration(self, actor_id: int, frame: int) -> object:
        """The derivative of velocities."""
        return self._derivative(self.get_actor_velocity, actor_id, frame)

    def get_all_actor_transforms(
        self, actor_id: int, first_frame: int = 1, last_frame: int | None = None
    ) -> list[object]:
        """The poses of an actor in a span of frames."""
        return self._over_time(self.get_actor_transform, actor_id, first_frame, last_frame)

    def get_all_actor_velocities(
        self, actor_id: int, first_frame: int = 1, last_frame: int | None = None
    ) -> list[object]:
        """The velocities of an actor in a span of frames."""
        return self._over_time(self.get_actor_velocity, actor_id, first_frame, last_frame)

    def get_all_actor_angular_velocities(
        self, actor_id: int, first_frame: int = 1, last_frame: int | None = None
    ) -> list[object]:
        """The angular velocities of an actor in a span of frames."""
        return self._over_time(self.get_actor_angular_velocity, actor_id, first_frame, last_frame)

    def get_all_actor_accelerations(
        self, actor_id: int, first_frame: int = 1, last_frame: int | None = None
    ) -> list[object]:
        """The accelerations of an actor in a span of frames."""
        return self._over_time(self.get_actor_acceleration, actor_id, first_frame, last_frame)

    def get_actor_transforms_at_frame(self, frame: int, actor_list: Sequence[int] | None = None) -> dict[int, object]:
        """The poses of actors, all that have a position in the recording unless some are given."""
        return self._of_all(self.get_actor_transform, frame, actor_list)

    def get_actor_velocities_at_frame(self, frame: int, actor_list: Sequence[int] | None = None) -> dict[int, object]:
        """The velocities of actors, likewise."""
        return self._of_all(self.get_actor_velocity, frame, actor_list)

    def get_actor_angular_velocities_at_frame(
        self, frame: int, actor_list: Sequence[int] | None = None
    ) -> dict[int, object]:
        """The angular velocities of actors, likewise."""
        return self._of_all(self.get_actor_angular_velocity, frame, actor_list)

    def get_actor_accelerations_at_frame(
        self, frame: int, actor_list: Sequence[int] | None = None
    ) -> dict[int, object]:
        """The accelerations of actors, likewise."""
        return self._of_all(self.get_actor_acceleration, frame, actor_list)

    # --- states of vehicles, walkers and lights ---

    def get_vehicle_control(self, vehicle_id: int, frame: int | None = None) -> object:
        """The controls of a vehicle."""
        values = self._values("AnimVehicle", vehicle_id, frame)
        if values is None:
            return None
        steer, throttle, brake, handbrake, gear = values
        return carla.VehicleControl(throttle, steer, brake, handbrake != 0, gear < 0, False, gear)

    def get_vehicle_physics_control(self, vehicle_id: int, frame: int | None = None) -> object:
        """The physics of a vehicle."""
        values = self._values("PhysicsControl", vehicle_id, frame)
        if values is None:
            return None
        return _physics(values[0])

    def get_walker_speed(self, walker_id: int, frame: int | None = None) -> object:
        """The speed of a walker, as it is recorded."""
        values = self._values("AnimWalker", walker_id, frame)
        if values is None:
            return None
        return float(values[0])

    def get_traffic_light_state(self, traffic_light_id: int, frame: int | None = None) -> object:
        """The lamp of a traffic light."""
        values = self._values("State", traffic_light_id, frame)
        if values is None:
            return None
        number = ord(values[0]) - ord("0")
        return carla.TrafficLightState.values.get(number)

    def is_traffic_light_frozen(self, traffic_light_id: int, frame: int | None = None) -> object:
        """Whether a traffic light is frozen."""
        values = self._values("State", traffic_light_id, frame)
        if values is None:
            return None
        return values[1] != 0

    def get_traffic_light_elapsed_time(self, traffic_light_id: int, frame: int | None = None) -> object:
        """How long a traffic light is in its state, in seconds."""
        values = self._values("State", traffic_light_id, frame)
        if values is None:
            return None
        return values[2]

    def get_traffic_light_state_time(self, traffic_light_id: int, state: object, frame: int) -> object:
        """How long a state lasts, in seconds, as last recorded."""
        values = self._values("TrafficLightTime", traffic_light_id, frame)
        if values is None:
            return None
        green, yellow, red = values
        times = {"Green": green, "Yellow": yellow, "Red": red}
        return times.get(str(state))

    def get_vehicle_lights(self, vehicle_id: int, frame: int | None = None) -> object:
        """The lights of a vehicle that are on."""
        values = self._values("VehicleLight", vehicle_id, frame)
        if values is None:
            return None
        return _lights(values[0])

    def is_vehicle_light_active(self, light: object, vehicle_id: int, frame: int) -> bool:
        """Whether a light is on."""
        values = self._values("VehicleLight", vehicle_id, frame)
        return values is not None and light in _lights(values[0])

    def get_scene_light_state(self, light_id: int, frame: int | None = None) -> object:
        """The state of a street lamp."""
        values = self._values("SceneLight", light_id, frame)
        if values is None:
            return None
        is_on, intensity, red, green, blue = values
        color = carla.Color(_level(red), _level(green), _level(blue))
        return carla.LightState(intensity, color, carla.LightGroup.NONE, is_on == "True")

    # --- reading the report ---

    def _values(self, record: str, key: int, frame: int | None) -> _Values | None:
        """The values of a record at a frame; of what lasts, those told last (None: at the end)."""
        if frame is None:
            frame = len(self._times)
        by_frame = self._records(record).get(key, {})
        if record in _LASTING and frame <= len(self._times):
            frame = max((recorded for recorded in by_frame if recorded <= frame), default=0)
        return by_frame.get(frame)

    def _derivative(self, read: Callable[[int, int], Any], actor_id: int, frame: int) -> object:
        """The change since the frame before, or to the next one where an actor begins; zero for a single frame."""
        before = read(actor_id, frame - 1)
        now = read(actor_id, frame)
        after = read(actor_id, frame + 1)
        step = self.get_delta_time(frame)
        if before is not None and now is not None and step:
            return (now - before) / step
        step = self.get_delta_time(frame + 1)
        if now is not None and after is not None and step:
            return (after - now) / step
        if now is None:
            return None
        return carla.Vector3D()

    def _over_time(
        self, read: Callable[[int, int], object], actor_id: int, first_frame: int, last_frame: int | None
    ) -> list[object]:
        if last_frame is None:
            last_frame = len(self._times)
        return [read(actor_id, frame) for frame in range(first_frame or 1, last_frame + 1)]

    def _of_all(
        self, read: Callable[[int, int], object], frame: int, actor_list: Sequence[int] | None
    ) -> dict[int, object]:
        values = {}
        for actor in actor_list or self._records("Position"):
            value = read(actor, frame)
            if value is not None:
                values[actor] = value
        return values

    def _find(self, record: str) -> dict[int, dict[int, _Values]]:
        """The values of a record, by id and frame."""
        by_id: dict[int, dict[int, _Values]] = {}
        line = _LINES[record]
        readers = [_READERS.get(part, str) for part in re.findall("%[a-z]", line)]
        pattern = re.sub("%[a-z]", lambda part: _PATTERNS[part[0]], re.escape(line))
        line_pattern = re.compile("\n" + pattern)
        title = _TABLE["records"].get(record, {}).get("title")
        section_pattern = "(?s:(.+))"
        if title:
            section_pattern = rf"\n {title}: \d+((?:\n  .*)*)"
        for section in re.finditer(section_pattern, self._text):
            start, end = section.span(1)
            for match in line_pattern.finditer(self._text, start, end):
                values = []
                for reader, text in zip(readers, match.groups(), strict=True):
                    values.append(reader(text))
                frame = bisect_right(self._starts, match.start())
                by_id.setdefault(values[0] or 0, {})[frame] = tuple(values[1:])
        return by_id

    @cached_property
    def _actors(self) -> dict[int, dict[str, Any]]:
        """The attributes of the last life of each id."""
        actors: dict[int, dict[str, Any]] = {}
        for actor, lives in self._records("EventAdd").items():
            created = max(lives)
            blueprint, _, x, y, z, text = lives[created]
            attributes: dict[str, Any] = dict(re.findall(r"\n  (.*?) = (.*)", text))
            attributes["type_id"] = blueprint
            attributes["location"] = _location(x, y, z)
            attributes["created"] = created
            for frame in self._records("EventDel").get(actor, ()):
                if frame > created:
                    attributes["destroyed"] = frame
                    break
            actors[actor] = attributes
        return actors


class BasicMetric:
    """The base of metrics where ScenarioRunner is not installed: runs the metric when it is made."""

    def __init__(self, town_map: object, log: object, criteria: object = None) -> None:
        self._create_metric(town_map, log, criteria)

    def _create_metric(self, town_map: object, log: object, criteria: object) -> None:
        raise NotImplementedError


def run_metric(path: Path, source: bytes, town_map: object, log: MetricsLog, criteria: object) -> bool:
    """Run the first class of a metric file, by name, that has a first base called BasicMetric.

    One module stands in for all of ScenarioRunner's where it is not installed.

    Args:
        path: The file.
        source: What it holds.
        town_map: The map that the metric is given.
        log: The log that it is given.
        criteria: The criteria that it is given.

    Returns:
        Whether there is such a class.

    Raises:
        Exception: Whatever the file raises.
    """
    module = ModuleType(f"metric_{path.stem}")
    module.__file__ = str(path)
    before = list(sys.path)
    places = _chosen_places(before)
    names: tuple[str, ...] = _STAND_INS
    if _is_installed("srunner.metrics.examples.basic_metric", places):  # a folder `srunner` for results is not enough
        names = ()
    modules = _stand_ins(names)
    modules[module.__name__] = module
    sys.modules.update(modules)
    sys.path[:] = [str(path.parent), *places]
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
        metric = _metric_of(module)
        if metric is None:
            return False
        metric(town_map, log, criteria)
        return True
    finally:
        sys.path[:] = before
        for name in modules:
            del sys.modules[name]


def _stand_ins(names: Sequence[str]) -> dict[str, ModuleType]:
    """One module under these names, which is its own submodule."""
    module = ModuleType("srunner")
    namespace = vars(module)
    for name in names:
        namespace[name.rpartition(".")[2]] = module
    namespace["BasicMetric"] = BasicMetric
    namespace["MetricsLog"] = MetricsLog
    return dict.fromkeys(names, module)


def _metric_of(module: ModuleType) -> Callable[..., object] | None:
    for _, kind in sorted(vars(module).items()):
        if isinstance(kind, type) and kind.__bases__ and kind.__bases__[0].__name__ == "BasicMetric":
            return kind
    return None


def _chosen_places(places: Sequence[str]) -> list[str]:
    """Where modules are looked for, without the working folder that `python -m` puts first.

    Files there were not chosen by the user.
    """
    if not sys.flags.safe_path and places and places[0] in ("", os.getcwd()):
        return list(places[1:])
    return list(places)


def _is_installed(name: str, places: Sequence[str]) -> bool:
    """Whether the file of a module is in these places: to ask for the module itself would run its package."""
    file = Path(*name.split(".")).with_suffix(".py")
    return any((Path(place) / file).is_file() for place in places)
