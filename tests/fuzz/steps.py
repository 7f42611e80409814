"""Edit scripts by chance, from the table of operations: arguments of the kinds it names, and some that are not."""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from recorder_editor.edits.operations import (
    ACTORS,
    AT,
    DIALECT,
    FLAG,
    GROUND,
    MODE,
    MOMENT,
    NUMBER,
    OPERATIONS,
    PARTS,
    SPACE,
    STAMP,
    TEXT,
    VALUES,
    WHOLE,
    Argument,
)
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.format.packets import LIGHT_STATES

from . import sentences
from .texts import as_json, mangled, odd_value, some, worse

REALS = (0, 0.0, 1, -1.0, 0.05, 0.3, 2.5, 90, -720.5, 1e6, 1e15, 1e30, 3.5e38, 1e300, -1e308, 1e-300)
IDS = (174, 175, 176, 100, 101, 0, 1, 7, 8, 9, 2**32 - 1)
MOMENTS = (None, 0, 0.05, 0.3, 1, -1, 1e300, "#1", "#2", "#5", "#999999999999999999")
BLUEPRINTS = (
    "vehicle.lincoln.mkz_2017",
    "vehicle.tesla.model3",
    "walker.pedestrian.0001",
    "traffic.traffic_light",
    "",
    "x" * 40_000,
)


def _actor(random: Random) -> Any:
    if random.random() < 0.6:
        return random.choice(("hero", "type:vehicle.*", "type:*", "role:hero", "174@1", "100@3", *map(str, IDS)))
    told: dict[str, Any] = {"id": random.choice(IDS)}
    for key, values in (
        ("blueprint", BLUEPRINTS),
        ("role", ("hero", "")),
        ("life", (0, 1, 9)),
        ("place", ([3000, 40, 10], [0, 0, 2**70])),
    ):
        if random.random() < 0.3:
            told[key] = random.choice(values)
    return told


def _row(values: tuple[Any, ...], number: int) -> Callable[[Random], Any]:
    return lambda random: [random.choice(values) for _ in range(number)]


KINDS: Mapping[str, Callable[[Random], Any]] = {
    NUMBER.takes: lambda random: random.choice(REALS), WHOLE.takes: lambda random: random.choice(IDS),
    STAMP.takes: lambda random: random.choice((0, 1, 2, -1, 2**31, 2**40, 2**63 - 1, 2**63, 10**30)),
    FLAG.takes: lambda random: random.random() < 0.5, MOMENT.takes: lambda random: random.choice(MOMENTS),
    AT.takes: lambda random: random.choice(MOMENTS[1:]), SPACE.takes: _row(REALS, 3), GROUND.takes: _row(REALS, 2),
    PARTS.takes: _row((*REALS, None, None), 3), MODE.takes: lambda random: random.choice(("set", "add", "remove")),
    DIALECT.takes: lambda random: random.choice(list(DIALECTS)),
    ACTORS.takes: lambda random: [_actor(random) for _ in range(some(random, 0.5))],
    VALUES.takes: lambda random: {random.choice(("cloudiness", "fog_density", "x")): random.choice(REALS)},
}  # fmt: skip
TEXTS: Mapping[str, Callable[[Random], str]] = {
    "text": lambda random: sentences.query(random, DIALECTS[random.choice(sentences.NAMES)]),
    "packet": lambda random: random.choice(("Position", "EventAdd", "State", "AnimVehicle", "Kinematics",
    "FrameStart", "x")),
    "field": lambda random: random.choice(("location.x", "rotation.yaw", "id", "steering", "gear", "handbrake",
    "elapsed", "x")),
    "value": lambda random: random.choice(("0", "1", "-1", "true", "1e39", "nan", "f32:7f800001", "5000000000",
    "hero", "")),
    "blueprint": lambda random: random.choice(BLUEPRINTS), "role": lambda random: random.choice(("hero", "",
    "\x1b[2J", "é" * 30_000)),
    "state": lambda random: random.choice((*(name.lower() for name in LIGHT_STATES.values()), "x")),
    "map_name": lambda random: random.choice(("Town05", "", "é" * 200, "\x00")),
    "key": lambda random: random.choice(("role_name", "color", "", "x" * 70_000)),
}  # fmt: skip


def step(random: Random) -> dict[str, Any]:
    """A step that is well formed, mostly."""
    operation = random.choice(list(OPERATIONS))
    taken = OPERATIONS[operation].arguments
    arguments = {
        name: _argument(random, name, argument)
        for name, argument in taken.items() if argument.needed or random.random() < 0.4
    }  # fmt: skip
    return {"operation": operation, "arguments": arguments, "label": random.choice(("", "a step"))}


def _argument(random: Random, name: str, argument: Argument) -> Any:
    for takes in (argument.takes, argument.takes.removesuffix(", or null")):
        if takes == TEXT.takes:
            return TEXTS.get(name, TEXTS["value"])(random)
        if takes in KINDS:
            return KINDS[takes](random)
    return odd_value(random)


def script(random: Random) -> str:
    """The text of a script; some of them are spoilt."""
    value: Any = {"script": 1, "steps": [step(random) for _ in range(some(random, 0.8))]}
    spoil = random.random()
    if spoil < 0.2:
        value = worse(value, random)
    text = as_json(value, random)
    return mangled(text, random) if spoil > 0.9 else text


def well_formed(random: Random) -> str:
    """The same, not spoilt."""
    return json.dumps({"script": 1, "steps": [step(random) for _ in range(some(random, 0.8))]})
