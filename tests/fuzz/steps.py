"""Edit scripts by chance, from the table of operations: arguments of the kinds it names, and some that are not."""

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from recorder_editor.edits.operations import OPERATIONS, Argument
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.format.packets import LIGHT_STATES

from . import sentences
from .texts import as_json, mangled, odd_value, some, worse

REALS = (0, 0.0, 1, -1.0, 0.05, 0.3, 2.5, 90, -720.5)
HUGE = (1e6, 1e15, 1e30, 3.5e38, 1e300, -1e308, 1e-300)
IDS = (174, 175, 176, 100, 101, 1, 7, 8, 9, 14)
WORDS = ("type:vehicle.*", "type:vehicle.*", "type:*", "hero", "role:hero", "type:walker.*")
STRANGERS = ("174@1", "100@3", "type:[", "4294967295", "x", "#1", "")
MOMENTS = (None, None, 0, 0.05, 0.3, "#1", "#2", "#3")
LATER = (1, -1, 1e300, "#5", "#999999999999999999")
BLUEPRINTS = (
    "vehicle.lincoln.mkz_2017",
    "vehicle.tesla.model3",
    "walker.pedestrian.0001",
    "traffic.traffic_light",
    "",
    "x" * 40_000,
)
PACKETS = ("Position", "EventAdd", "State", "AnimVehicle", "Kinematics", "FrameStart", "x")


def _actor(random: Random, ids: Sequence[int]) -> Any:
    if random.random() < 0.85:
        return random.choice((*WORDS, *map(str, ids), *map(str, ids), random.choice(STRANGERS)))
    told: dict[str, Any] = {"id": random.choice(ids)}
    for key, values in (
        ("blueprint", BLUEPRINTS),
        ("role", ("hero", "")),
        ("life", (0, 1, 9)),
        ("place", ([3000, 40, 10], [0, 0, 2**70])),
    ):
        if random.random() < 0.3:
            told[key] = random.choice(values)
    return told


def _mostly(usual: tuple[Any, ...], odd: tuple[Any, ...]) -> Callable[[Random], Any]:
    """One of the usual values, now and then an odd one."""
    return lambda random: random.choice(usual if random.random() < 0.9 else odd)


def _row(value: Callable[[Random], Any], number: int) -> Callable[[Random], Any]:
    return lambda random: [value(random) for _ in range(number)]


_real = _mostly(REALS, HUGE)
_moment = _mostly(MOMENTS, LATER)
_whole = _mostly((*IDS, 77_777), (0, 2**31, 2**32 - 1))
_stamp = _mostly((0, 1, 2, -1, 2**31), (2**40, 2**63 - 1, 2**63, 10**30))
_text = _mostly(("Town05", "hero", ""), ("\x1b[2J", "é" * 200, "é" * 30_000, "\x00"))


def _keys(random: Random) -> list[dict[str, Any]]:
    """Keys of a path, in order mostly, of which each says something else."""
    keys = [{random.choice(("at", "at", "distance")): 0.2 * n * random.random()} for n in range(random.randint(1, 6))]
    others: Mapping[str, Callable[[Random], Any]] = {
        **dict.fromkeys(("x", "y", "time", "pace", "speed", "time"), _real),
        **dict.fromkeys(("tangent", "bend"), _row(_real, 2)),
        "plain": lambda random: random.random() < 0.9,
    }
    for key in keys:
        key.update({name: make(random) for name, make in others.items() if random.random() < 0.15})
    return keys if random.random() < 0.2 else sorted(keys, key=lambda key: key.get("at", key.get("distance", 0.0)))


KINDS: Mapping[str, Callable[[Random], Any]] = {
    **dict.fromkeys(("number", "length", "angle", "seconds"), _real),
    **dict.fromkeys(("whole", "bits"), _whole),
    **dict.fromkeys(("stamp", "version"), _stamp),
    "flag": lambda random: random.random() < 0.5,
    "moment": _moment,
    "at": lambda random: _moment(random) or 0,
    "space": _row(_real, 3),
    "ground": _row(_real, 2),
    "place": _row(_mostly((*REALS, None, None), HUGE), 3),
    "mode": lambda random: random.choice(("set", "add", "remove")),
    "dialect": lambda random: random.choice(list(DIALECTS)),
    "values": lambda random: {random.choice(("cloudiness", "fog_density", "x")): _real(random)},
    "expression": lambda random: sentences.query(random, DIALECTS[random.choice(sentences.NAMES)]),
    "packet": lambda random: random.choice(PACKETS),
    "packets": lambda random: random.choice(
        (None, [random.choice((*PACKETS, "139")) for _ in range(random.randint(0, 3))])
    ),
    "field": lambda random: random.choice(
        ("location.x", "rotation.yaw", "id", "steering", "gear", "handbrake", "elapsed", "x")
    ),
    "value": lambda random: random.choice(
        ("0", "1", "-1", "true", "1e39", "nan", "f32:7f800001", "5000000000", "hero", "")
    ),
    "blueprint": lambda random: random.choice(BLUEPRINTS),
    "substitutes": lambda random: {
        random.choice((*BLUEPRINTS, "*")): random.choice((*BLUEPRINTS, "nearest")) for _ in range(random.randint(0, 2))
    },
    "text": _text,
    "keys": _keys,
    "points": lambda random: [
        [_real(random) for _ in range(random.choice((2, 2, 3)))] for _ in range(random.randint(1, 6))
    ],
    "life": lambda random: random.choice(("hero", *map(str, IDS), "nobody")),
    "frame": _whole,
    "xodr": lambda random: random.choice(("town.xodr", "missing.xodr", "")),
    "state": lambda random: random.choice((*(name.lower() for name in LIGHT_STATES.values()), "x")),
    "key": lambda random: random.choice(("role_name", "color", "", "x" * 70_000)),
}
"""What an argument may be, by the name of its kind."""


def step(random: Random, ids: Sequence[int] = IDS) -> dict[str, Any]:
    """A step that is well formed, mostly; `ids` are those of actors."""
    operation = random.choice(list(OPERATIONS))
    taken = OPERATIONS[operation].arguments
    arguments = {
        name: _argument(random, name, argument, ids)
        for name, argument in taken.items()
        if argument.needed or random.random() < 0.4
    }
    return {"operation": operation, "arguments": arguments, "label": random.choice(("", "a step"))}


def _argument(random: Random, name: str, argument: Argument, ids: Sequence[int]) -> Any:
    if name == "actors":
        return [_actor(random, ids) for _ in range(some(random, 0.2))]
    return KINDS[argument.kind.name](random) if random.random() < 0.98 else odd_value(random)


def script(random: Random, ids: Sequence[int] = IDS) -> str:
    """The text of a script; some of them are spoilt."""
    value: Any = {"script": random.choice((1, 2, 2)), "steps": [step(random, ids) for _ in range(some(random, 0.8))]}
    spoil = random.random()
    if spoil < 0.2:
        value = worse(value, random)
    text = as_json(value, random)
    return mangled(text, random) if spoil > 0.9 else text


def well_formed(random: Random, ids: Sequence[int] = IDS) -> str:
    """The same, not spoilt."""
    return json.dumps({"script": 2, "steps": [step(random, ids) for _ in range(some(random, 0.8))]})
