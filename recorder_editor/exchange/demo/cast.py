"""Everyone and everything as the recorder introduces it: an actor with its blueprint, attributes, box and trigger.

Builds the introductions; moves nobody. Centimetres and degrees here, as in the file.
"""

from math import cos, degrees, pi, sin
from typing import Literal, NamedTuple

import numpy as np

from .catalog import CHILDREN, PROP_BOXES, Attributes, Model, Release
from .fleet import Fleet
from .geometry import ground
from .layout import Arm, Junction
from .pavements import Place
from .town import NOWHERE, Head, Town
from .walkers import Walkers

Kind = Literal["spectator", "vehicle", "walker", "light", "sign", "prop", "sensor"]
Triple = tuple[float, float, float]
NO_BOX: tuple[Triple, Triple] = ((-np.nan,) * 3, (-np.inf,) * 3)
WALKER_HALF_WIDTH = 18.75
CAR_LIMIT = "30"


class Actor(NamedTuple):
    """An actor as it is created: `location` cm and `rotation` (roll, pitch, yaw) degrees.

    `box` and `trigger` are (centre, half size) in cm; `model` tells a vehicle's physics.
    """

    id: int
    kind: Kind
    blueprint: str
    location: Triple
    rotation: Triple
    uid: int = 0
    attributes: Attributes = ()
    box: tuple[Triple, Triple] | None = None
    trigger: tuple[Triple, Triple] | None = None
    model: Model | None = None


def _height(x: float, y: float) -> float:
    return float(ground(np.array([x]), np.array([y]))[0])


def _on_ground(x: float, y: float, above: float = 0.0) -> Triple:
    return 100 * x, 100 * y, 100 * (_height(x, y) + above)


def spectator(actor: int, location: Triple, rotation: Triple) -> Actor:
    """The spectator: no blueprint number, and a box that is no box."""
    return Actor(actor, "spectator", "spectator", location, rotation, box=NO_BOX)


def light(actor: int, head: Head) -> Actor:
    """A traffic light, with the place where it is obeyed."""
    stop = _on_ground(*head.stop, above=0.9)
    trigger = (stop, (165.0, 165.0, 90.0))
    place = _on_ground(head.x, head.y, above=0.1)
    return Actor(actor, "light", "traffic.traffic_light", place, (0.0, 0.0, _yaw(head.yaw)), trigger=trigger)


def signs(town: Town, first: int) -> list[Actor]:
    """Signs to give way where no light helps, and speed limits where roads enter the map."""
    found: list[Actor] = []
    for number, junction in enumerate(town.layout.junctions):
        if town.crossroads[number].signal != NOWHERE or len(junction.arms) < 3:
            continue
        for place, arm in enumerate(junction.arms):
            if not arm.main:
                found.append(_stop_sign(first + len(found), town, junction, arm, town.ends[number][place].into))
    for lane in town.entries:
        curve = town.drawn[lane]
        x, y, heading = curve.at(8.0)
        x, y = x - 3.0 * sin(heading), y + 3.0 * cos(heading)
        name = f"traffic.speed_limit.{CAR_LIMIT}"
        box = (_on_ground(*curve.at(11.0)[:2], above=1.0), (180.0, 180.0, 100.0))
        facing = (0.0, 0.0, _yaw(heading + pi))
        found.append(Actor(first + len(found), "sign", name, _on_ground(x, y), facing, trigger=box))
    return found


def _stop_sign(actor: int, town: Town, junction: Junction, arm: Arm, lane: int) -> Actor:
    curve = town.drawn[lane]
    x, y = junction.end(arm.angle)
    x, y = x + 5.6 * sin(arm.angle), y - 5.6 * cos(arm.angle)
    trigger = (_on_ground(*curve.at(curve.length - 2.2)[:2], above=0.9), (150.0, 150.0, 90.0))
    return Actor(actor, "sign", "traffic.stop", _on_ground(x, y), (0.0, 0.0, _yaw(arm.angle)), trigger=trigger)


def prop(actor: int, kind: str, place: Place, release: Release) -> Actor:
    """A piece of street furniture."""
    name, uid, attributes = release.prop(kind)
    half = PROP_BOXES[kind]
    location = _on_ground(place.x, place.y)
    rotation = (0.0, 0.0, _yaw(place.heading))
    return Actor(actor, "prop", name, location, rotation, uid, attributes, ((0.0, 0.0, half[2]), half))


def vehicle(fleet: Fleet, row: int, release: Release) -> Actor:
    """The vehicle of a row, as it stands now."""
    model = fleet.model[row]
    if model is None:
        raise ValueError(f"row {row} of the fleet is empty")
    name, uid = release.blueprint(model)
    location = (100 * float(fleet.x[row]), 100 * float(fleet.y[row]), 100 * float(fleet.z[row]))
    rotation = (degrees(fleet.roll[row]), degrees(fleet.pitch[row]), degrees(fleet.yaw[row]))
    box = ((model.ahead, 0.0, model.above), (model.half_length, model.half_width, model.half_height))
    attributes = release.vehicle(model, fleet.color[row], fleet.role[row])
    return Actor(int(fleet.id[row]), "vehicle", name, location, rotation, uid, attributes, box, model=model)


def walker(walkers: Walkers, row: int, release: Release) -> Actor:
    """The walker of a row, as it stands now."""
    name, uid, attributes = release.walker(int(walkers.number[row]))
    location = (100 * float(walkers.x[row]), 100 * float(walkers.y[row]), 100 * float(walkers.z[row]))
    half = (WALKER_HALF_WIDTH, WALKER_HALF_WIDTH, 100 * float(walkers.height[row]))
    rotation = (0.0, 0.0, degrees(walkers.yaw[row]))
    return Actor(int(walkers.id[row]), "walker", name, location, rotation, uid, attributes, ((0.0, 0.0, 0.0), half))


def sensor(actor: int, name: str, role: str, mount: Triple, release: Release) -> Actor:
    """A sensor with its place on the actor that carries it, cm."""
    uid, attributes = release.sensor(name, role)
    return Actor(actor, "sensor", name, mount, (0.0, 0.0, 0.0), uid, attributes, NO_BOX)


def is_child(number: int) -> bool:
    """Whether a pedestrian blueprint is a child."""
    return number in CHILDREN


def _yaw(angle: float) -> float:
    return degrees((angle + pi) % (2 * pi) - pi)
