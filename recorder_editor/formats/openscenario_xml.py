"""The elements of an OpenSCENARIO file, a function each; it knows the standard and no recording.

What a file holds in numbers, objects, their first poses and trajectories, is written piece by piece: an element that
they are in has a `GAP` among its content, at which its text is split.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape  # xml.sax.saxutils would load what reads addresses
from typing import NamedTuple
from xml.etree.ElementTree import Element

GAP = "\0"
"""Stands where other pieces of the file are put in; no text of XML has this character."""

_INDENT = "  "
_FORBIDDEN = re.compile("[\x00-\x1f\ufffe\uffff\ud800-\udfff]")
"""What XML 1.0 does not allow, and white space that a reader would change."""

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_DEPTH = 2
"""Depth of objects, below `OpenSCENARIO` and `Entities`."""
_ACTION_DEPTH = 4
"""Depth of initial actions and of groups of maneuvers."""


class Size(NamedTuple):
    """The box of an entity in the standard's axes.

    Attributes:
        centre: x, y, z, m.
        length: Metres.
        width: Metres.
        height: Metres.
    """

    centre: tuple[float, float, float]
    length: float
    width: float
    height: float


class WorldPosition(NamedTuple):
    """A pose in the standard's axes.

    Attributes:
        x: Metres.
        y: Metres.
        z: Metres.
        heading: Radians.
        pitch: Radians.
        roll: Radians.
    """

    x: float
    y: float
    z: float
    heading: float
    pitch: float
    roll: float


# --- text -----------------------------------------------------------------------------------------------------


def text_of(element: Element) -> str:
    """Return an element as text; one with an empty text has a closing tag of its own.

    `ElementTree.tostring` writes a blank before the end of empty tags, and no closing tags of empty elements.
    """
    attributes = "".join(f" {name}={_quoted(value)}" for name, value in element.items())
    if element.text is None and not len(element):
        return f"<{element.tag}{attributes}/>"
    content = element.text or ""
    for child in element:
        content += text_of(child)
        content += child.tail or ""
    return f"<{element.tag}{attributes}>{content}</{element.tag}>"


def line_of(element: Element, depth: int) -> str:
    """Return an element as a line of its own."""
    return f"{_INDENT * depth}{text_of(element)}\n"


def _quoted(value: str) -> str:
    """Return the value of an attribute in quotes; characters that XML 1.0 does not allow are replaced."""
    text = escape(_FORBIDDEN.sub("\ufffd", value), quote=False)
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    return '"' + text.replace('"', "&quot;") + '"'


def _element(tag: str, children: Iterable[Element] = (), /, **attributes: str) -> Element:
    """Return an element that stands in the line of its parent."""
    element = Element(tag, attributes)
    element.extend(children)
    return element


def _container(tag: str, children: Sequence[Element], /, depth: int, **attributes: str) -> Element:
    """Return an element with children that are lines of their own; `depth` is that of the element."""
    element = _element(tag, children, **attributes)
    element.text = "\n" + _INDENT * (depth + 1)
    for child in children:
        child.tail = "\n" + _INDENT * (depth + 1)
    children[-1].tail = "\n" + _INDENT * depth
    return element


# --- the file -------------------------------------------------------------------------------------------------


def document(*, minor: str, date: str, description: str, logic_file: str, start: Element, stop: Element) -> list[str]:
    """Return the file in four parts, between which are the objects, the initial actions, and groups of maneuvers.

    Args:
        minor: The version of the standard behind `1.`.
        date: When the recording was made, in the form of ISO 8601.
        description: What the file is.
        logic_file: The road map; empty without one.
        start: The condition under which the act begins.
        stop: The condition under which the scenario ends.
    """
    root = _container(
        "OpenSCENARIO",
        [
            _element(
                "FileHeader", revMajor="1", revMinor=minor, date=date, author="Recorder Editor", description=description
            ),
            _element("CatalogLocations"),
            _road_network(logic_file),
            _entities(),
            _storyboard(start, stop),
        ],
        depth=0,
    )
    return f"{_DECLARATION}{text_of(root)}\n".split(GAP)


def _road_network(logic_file: str) -> Element:
    network = _element("RoadNetwork")
    network.text = ""
    if logic_file:
        network.append(_element("LogicFile", filepath=logic_file))
    return network


def _entities() -> Element:
    entities = _element("Entities")
    entities.text = f"\n{GAP}{_INDENT}"
    return entities


def _storyboard(start: Element, stop: Element) -> Element:
    actions = _element("Actions")
    actions.text = f"\n{GAP}{_INDENT * 3}"
    act = _container("Act", [_element("StartTrigger", [start])], depth=3, name="recording")
    act.text = f"\n{GAP}{_INDENT * _ACTION_DEPTH}"
    children = [
        _container("Init", [actions], depth=2),
        _container("Story", [act], depth=2, name="recording"),
        _element("StopTrigger", [stop]),
    ]
    return _container("Storyboard", children, depth=1)


# --- objects --------------------------------------------------------------------------------------------------


def vehicle(*, entity: str, name: str, category: str, size: Size, properties: Sequence[tuple[str, str]]) -> str:
    """Return the line of a vehicle.

    Args:
        entity: Its name in the scenario.
        name: Its blueprint.
        category: Its category in the standard.
        size: Its box.
        properties: Names and values of what else is known of it.
    """
    wheel = 0.7 if category in ("bicycle", "motorbike", "car", "van") else 1.0
    children = [
        _bounding_box(size),
        _element("Performance", maxSpeed="70.0", maxAcceleration="10.0", maxDeceleration="10.0"),
        _axles(size, wheel),
        _properties(properties),
    ]
    return _scenario_object(entity, _element("Vehicle", children, name=name, vehicleCategory=category))


def pedestrian(*, entity: str, name: str, size: Size, properties: Sequence[tuple[str, str]]) -> str:
    """Return the line of a walker; the arguments are those of `vehicle`."""
    children = [_bounding_box(size), _properties(properties)]
    attributes = {"name": name, "model": name, "mass": "80.0", "pedestrianCategory": "pedestrian"}
    return _scenario_object(entity, _element("Pedestrian", children, **attributes))


def misc_object(*, entity: str, name: str, size: Size, properties: Sequence[tuple[str, str]]) -> str:
    """Return the line of something that is neither vehicle nor walker; the arguments are those of `vehicle`."""
    children = [_bounding_box(size), _properties(properties)]
    attributes = {"name": name, "mass": "0.0", "miscObjectCategory": "none"}
    return _scenario_object(entity, _element("MiscObject", children, **attributes))


def _scenario_object(entity: str, described: Element) -> str:
    return line_of(_element("ScenarioObject", [described], name=entity), _DEPTH)


def _bounding_box(size: Size) -> Element:
    x, y, z = size.centre
    centre = _element("Center", x=repr(x), y=repr(y), z=repr(z))
    sides = {"width": repr(size.width), "length": repr(size.length), "height": repr(size.height)}
    return _element("BoundingBox", [centre, _element("Dimensions", **sides)])


def _axles(size: Size, wheel: float) -> Element:
    """Return two axles of a vehicle as long and wide as its box; no recording has the real ones.

    Args:
        size: The box of the vehicle.
        wheel: The diameter of its wheels, m.
    """
    middle = size.centre[0]
    front = _axle("FrontAxle", steering="0.5", wheel=wheel, width=size.width, place=middle + 0.3 * size.length)
    rear = _axle("RearAxle", steering="0.0", wheel=wheel, width=size.width, place=middle - 0.3 * size.length)
    return _element("Axles", [front, rear])


def _axle(tag: str, *, steering: str, wheel: float, width: float, place: float) -> Element:
    return _element(
        tag,
        maxSteering=steering,
        wheelDiameter=repr(wheel),
        trackWidth=repr(0.85 * width),
        positionX=repr(place),
        positionZ=repr(wheel / 2),
    )


def _properties(properties: Sequence[tuple[str, str]]) -> Element:
    element = _element("Properties")
    element.text = ""
    for name, value in properties:
        element.append(_element("Property", name=name, value=value))
    return element


# --- actions --------------------------------------------------------------------------------------------------


def private(entity: str, position: WorldPosition, speed: float) -> str:
    """Return the line of the initial actions of an entity.

    Args:
        entity: Its name in the scenario.
        position: Where it is put.
        speed: How fast it moves at the beginning, m/s; 0: nothing is said.
    """
    teleport = _element("TeleportAction", [_position(position)])
    actions = [_element("PrivateAction", [teleport])]
    if speed:
        drive = _element("LongitudinalAction", [_speed_action(speed)])
        actions.append(_element("PrivateAction", [drive]))
    return line_of(_element("Private", actions, entityRef=entity), _ACTION_DEPTH)


def _speed_action(speed: float) -> Element:
    dynamics = _element("SpeedActionDynamics", dynamicsShape="step", value="0.0", dynamicsDimension="time")
    target = _element("SpeedActionTarget", [_element("AbsoluteTargetSpeed", value=repr(speed))])
    return _element("SpeedAction", [dynamics, target])


def _position(position: WorldPosition) -> Element:
    attributes = {
        "x": repr(position.x),
        "y": repr(position.y),
        "z": repr(position.z),
        "h": repr(position.heading),
        "p": repr(position.pitch),
        "r": repr(position.roll),
    }
    return _element("Position", [_element("WorldPosition", **attributes)])


def from_time(seconds: float) -> Element:
    """Return the condition that time has come to so many seconds; only versions from 1.1 on have it."""
    return _time_condition(seconds, rule="greaterOrEqual", delay="0.0")


def past_time(seconds: float) -> Element:
    """Return the condition that time is past so many seconds."""
    return _time_condition(seconds, rule="greaterThan", delay="0")


def _time_condition(seconds: float, *, rule: str, delay: str) -> Element:
    by_value = _element("ByValueCondition", [_element("SimulationTimeCondition", value=repr(seconds), rule=rule)])
    condition = _element("Condition", [by_value], name="time", delay=delay, conditionEdge="none")
    return _element("ConditionGroup", [condition])


# --- trajectories ---------------------------------------------------------------------------------------------


def empty_maneuver_group() -> str:
    """Return the line of a group without actors; an act has one or more groups."""
    actors = _element("Actors", selectTriggeringEntities="false")
    return line_of(_element("ManeuverGroup", [actors], name="nobody", maximumExecutionCount="1"), _ACTION_DEPTH)


def maneuver_group(entity: str, start: Element, *, is_relative: bool, has_reference: bool) -> list[str]:
    """Return the group of maneuvers of an entity in two parts, between which are its `vertices`.

    Args:
        entity: The name of the entity in the scenario, which all parts of the group have, too.
        start: The condition under which it begins to move.
        is_relative: Whether the times of its path begin with its first point.
        has_reference: Whether a trajectory is in a `TrajectoryRef`, as in versions from 1.1 on.
    """
    follow = _follow_trajectory(entity, is_relative=is_relative, has_reference=has_reference)
    action = _element("PrivateAction", [_element("RoutingAction", [follow])])
    event = _element(
        "Event",
        [_element("Action", [action], name=entity), _element("StartTrigger", [start])],
        name=entity,
        priority="parallel",
        maximumExecutionCount="1",
    )
    actors = _element("Actors", [_element("EntityRef", entityRef=entity)], selectTriggeringEntities="false")
    children = [actors, _element("Maneuver", [event], name=entity)]
    group = _container("ManeuverGroup", children, depth=_ACTION_DEPTH, name=entity, maximumExecutionCount="1")
    return line_of(group, _ACTION_DEPTH).split(GAP)


def _follow_trajectory(entity: str, *, is_relative: bool, has_reference: bool) -> Element:
    polyline = _element("Polyline")
    polyline.text = f"\n{GAP}"
    trajectory = _element("Trajectory", [_element("Shape", [polyline])], name=entity, closed="false")
    if has_reference:
        trajectory = _element("TrajectoryRef", [trajectory])
    trajectory.tail = "\n"
    domain = "relative" if is_relative else "absolute"
    timing = _element("Timing", domainAbsoluteRelative=domain, scale="1.0", offset="0.0")
    mode = _element("TrajectoryFollowingMode", followingMode="position")
    follow = _element("FollowTrajectoryAction", [trajectory, _element("TimeReference", [timing]), mode])
    follow.text = "\n"
    return follow


def vertices(times: Sequence[float], positions: Sequence[Sequence[float]]) -> str:
    """Return the lines of points of a trajectory.

    Formatted at once, since there are millions of points, and as `text_of` would write the elements.

    Args:
        times: When the entity is at each point, s.
        positions: Where it is: for each point the values of a `WorldPosition`.
    """
    return "".join(
        f'<Vertex time="{time!r}"><Position>'
        f'<WorldPosition x="{x!r}" y="{y!r}" z="{z!r}" h="{heading!r}" p="{pitch!r}" r="{roll!r}"/>'
        "</Position></Vertex>\n"
        for time, (x, y, z, heading, pitch, roll) in zip(times, positions, strict=True)
    )
