"""Command lines by chance: a verb, and of the arguments that its own parser tells of, values that may or may not do."""

import argparse
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random

from recorder_editor import cli
from recorder_editor.cli import window_parsers
from recorder_editor.cli.edit import DETAILS, OPTIONS
from recorder_editor.edits.operations.command import details
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.format.packets import LIGHT_STATES, VEHICLE_LIGHTS

from . import sentences
from .texts import some

IN, OTHER, SCRIPT, OUT, PARTS = "in.log", "other.log", "script.json", "out.log", "parts"
MADE, PICTURE, MAP, SCHEMA = "made.json", "out.png", "town.xodr", "gazes.packets.json"
LEFT_OUT = frozenset(("--help", "--workers", "--dask"))
"""Processes and clusters of their own."""
LIKELY = {
    "--damaged": 0.85,
    "--from": 0.7,
    "--to": 0.6,
    "--json": 0.35,
    "--list": 0.05,
    "--save-script": 0.2,
    "--schema": 0.3,
    "--dry-run": 0.1,
}
SELDOM = 0.12

ODD = (
    "nan",
    "inf",
    "-inf",
    "1e308",
    "1e300",
    "-1e30",
    "1e-300",
    "-1",
    "0",
    "",
    "x",
    "#0",
    "#99999999999999999999",
    "4294967296",
    "99999999999999999999999",
    "0x10",
    "1e3",
    "é" * 200,
    "x" * 70_000,
)
"""What fits hardly anywhere; one value in twelve."""
MOMENTS = ("0", "#1", "#2", "#3", "#5", "0.05", "0.1", "0.3", "1", "500ms", "999999")
SECONDS = ("0.05", "0.1", "0.02", "1", "3", "0.5", "1e-4", "1e6")
LENGTHS = ("0", "1", "-3.5", "150cm", "1e6", "0.25", "2km", "-0")
ANGLES = ("0", "90", "-180", "3.14rad", "0.5", "1e6")
IDS = ("174", "175", "176", "100", "101", "1", "7", "8", "214", "3932", "77777", "259")
ACTORS = (
    *IDS,
    "hero",
    "role:hero",
    "type:vehicle.*",
    "type:vehicle.*",
    "type:*",
    "type:*",
    "type:walker.*",
    "174@1",
    "100@2",
)
STRANGERS = ("100@999", "174@0", "role:", "type:[", "*")
TEXTS = (
    "Town05",
    "vehicle.tesla.model3",
    "vehicle.lincoln.mkz_2017",
    "hero",
    "number_of_wheels",
    "role_name",
    "color",
    "1,2,3",
    "=1+1",
)
NUMBERS = ("1", "2", "3", "7", "100", "65536")
DATES = (
    "2026-01-31T12:00:00",
    "1",
    "9223372036854775807",
    "9223372036854775808",
    "0001-01-01",
    "9999-12-31T23:59:59+14:00",
)
WEATHER = ("cloudiness", "fog_density", "sun_altitude_angle", "rain")
_WORD = re.compile(r"[A-Z]+\d*|yes\|no")


def _who(random: Random) -> str:
    words = (*ACTORS, random.choice((*STRANGERS, *ODD)))
    return ",".join(random.choice(words) for _ in range(some(random, 0.4)))


def _dialect(random: Random) -> str:
    return random.choice((*DIALECTS, *DIALECTS, "ue4-0.9.5"))


def _of(values: tuple[str, ...]) -> Callable[[Random], str]:
    """One of these, sometimes an odd one."""
    return lambda random: random.choice(values if random.random() < 0.92 else ODD)


def _only(values: tuple[str, ...]) -> Callable[[Random], str]:
    return lambda random: random.choice(values)


WORDS: Mapping[str, Callable[[Random], str]] = {
    "FILE": lambda random: IN if random.random() < 0.6 else OTHER,
    "IN": _only((IN, IN, OTHER)),
    "A": _only((IN,)),
    "B": _only((IN, OTHER, OTHER)),
    "OUT": _only((OUT,)),
    "OUTDIR": _only((PARTS,)),
    "D": _only((PARTS,)),
    "SCRIPT": _only((SCRIPT,)),
    "ACTORS": _who,
    "ACTOR": _who,
    "ID": _of(IDS),
    "UID": _of(IDS),
    "X": _of(MOMENTS),
    "S": _of(SECONDS),
    "CM": _of(LENGTHS),
    "M": _of(LENGTHS),
    "MAP": _of((MAP, MAP, IN)),
    "DX": _of(LENGTHS),
    "DY": _of(LENGTHS),
    "DZ": _of(LENGTHS),
    "Y": _of(LENGTHS),
    "Z": _of(LENGTHS),
    "YAW": _of(ANGLES),
    "DYAW": _of(ANGLES),
    "N": _of(NUMBERS),
    "BYTES": _of(("1", "100", "5000", "20000")),
    "K": _of(NUMBERS),
    "NAME": _of(TEXTS),
    "KEY": _of(TEXTS),
    "VALUE": _of((*TEXTS, *LENGTHS)),
    "DATE": _of(DATES),
    "FACTOR": _of((*SECONDS, "2")),
    "EXPR": lambda random: sentences.query(random, DIALECTS[random.choice(sentences.NAMES)]),
    "T": _of(
        ("states", "Position", "EventAdd", "l1", "lanes", "lanes", "Kinematics", "FrameStart", "actors", "frames")
    ),
    "TYPE": _of(("h", "v", "w", "t", "o", "a")),
    "STATE": _of(tuple(name.lower() for name in LIGHT_STATES.values())),
    "NAMES": _of((*VEHICLE_LIGHTS.values(), "none", "Brake,Fog", "0xffffffff")),
    "yes|no": _of(("yes", "no")),
}
"""What may stand for the words of a metavar; any other word stands for a text."""

ENDS: Mapping[str, tuple[str, ...]] = {"--from": ("0", "#1", "#2", "0.05"), "--to": ("#3", "#4", "0.3", "1", "999999")}
"""Of a range in which something lies."""

SPECIAL: Mapping[tuple[str, str], Callable[[Random], str]] = {
    ("export", "OUT"): _only(
        ("out.csv", "out.jsonl", "out.parquet", "out.xosc", "out.mcap", "out.omega.mcap", "out.CSV")
    ),
    ("demo", "--seconds"): _only(("0.2", "1", "0", "nan", "-1", "1e300")),
    ("demo", "--vehicles"): _only(("0", "1", "5", "-1")),
    ("demo", "--walkers"): _only(("0", "1", "5", "-1")),
    ("demo", "--lights"): _only(("0", "1", "4", "-1", "1000")),
    ("edit", "--save-script"): _only((MADE,)),
    ("edit", "--convert"): _dialect,
    ("edit", "--set-map"): _of(TEXTS),
    ("edit", "--set-weather"): lambda random: f"{random.choice(WEATHER)}={random.choice(LENGTHS)}",
    ("dump", "--packets"): _of(("Position", "EventAdd,FrameStart", "Unknown 77")),
    ("dump", "--frames"): _of(("1:2", "2:", "1", ":", "9:1", "99999999999999999999:")),
    ("diff", "--tolerance"): _of(("0", "0.1", "1e300")),
    ("check", "--fix"): _only((OUT,)),
    ("screenshot", "IN"): _only((IN,)),
    ("screenshot", "OUT.png"): _only((PICTURE,)),
    ("screenshot", "--size"): _of(("320x240", "640x480", "1440x900")),
}
"""Arguments whose metavar says less than it should."""


@lru_cache
def parsers() -> Mapping[str, argparse.ArgumentParser]:
    """The parsers of the verbs."""
    verbs = {name: cli.verb_parser(name) for name in cli.VERBS}
    return {**verbs, "screenshot": window_parsers.screenshot_parser()}


def command(random: Random, verb: str) -> tuple[str, ...]:
    """A command line of that verb."""
    parser = parsers()[verb]
    places: list[str] = []
    options: list[str] = []
    groups = parser._mutually_exclusive_groups  # argparse has no other way
    chosen = {random.choice(group._group_actions).dest: group for group in groups}  # as above
    exclusive = {each.dest: group for group in groups for each in group._group_actions}  # as above
    for action in parser._actions:  # as above
        option = action.option_strings[0] if action.option_strings else ""
        if (
            option in LEFT_OUT
            or "-h" in action.option_strings
            or option in OPTIONS
            or (verb == "edit" and option in DETAILS)
        ):
            continue
        if not option:
            places += _positional(random, verb, action)
        elif action.dest in exclusive and action.dest not in chosen:
            continue
        elif (
            action.required
            or (action.dest in exclusive and exclusive[action.dest].required)
            or _is_wanted(random, option)
        ):
            options += _given(random, verb, option, action)
    if verb == "edit":
        options += _changes(random, parser)
    if verb == "run" and not any(option.startswith("--out-dir") for option in options):
        places = [SCRIPT, random.choice((IN, OTHER)), OUT]
    return (verb, *places, *options)


def _is_wanted(random: Random, option: str) -> bool:
    return random.random() < LIKELY.get(option, SELDOM)


def _positional(random: Random, verb: str, action: argparse.Action) -> list[str]:
    many = {"+": 1 + (random.random() < 0.4), "*": random.choice((0, 0, 2, 1)), "?": int(random.random() < 0.9)}
    number = many.get(str(action.nargs), 1)
    if verb == "join" and action.nargs == "+" and random.random() < 0.95:
        number = random.choice((2, 2, 3))
    return [_value(random, verb, str(action.metavar), action) for _ in range(number)]


def _given(random: Random, verb: str, option: str, action: argparse.Action) -> list[str]:
    if action.nargs == 0:
        return [option]
    return [f"{option}={_value(random, verb, option, action)}"]


def _value(random: Random, verb: str, name: str, action: argparse.Action) -> str:
    if name in ENDS and random.random() < 0.7:
        return random.choice(ENDS[name])
    if name == "--schema":
        return random.choice((SCHEMA, SCHEMA, SCHEMA, SCRIPT))
    if (verb, name) in SPECIAL:
        return SPECIAL[verb, name](random)
    if action.choices is not None and random.random() < 0.97:
        return str(random.choice(list(action.choices)))
    return _spelled(random, str(action.metavar))


def _spelled(random: Random, metavar: str) -> str:
    """A metavar such as ACTORS[=DX,DY,DZ[,DYAW]] with values for its words; what is in brackets may be missing."""
    while "[" in metavar:
        begin = metavar.rindex("[")
        end = metavar.index("]", begin)
        inner = metavar[begin + 1 : end] if random.random() < 0.5 else ""
        metavar = metavar[:begin] + inner + metavar[end + 1 :]
    metavar = metavar.removesuffix(",...")
    return _WORD.sub(lambda found: WORDS.get(found[0], _of(TEXTS))(random), metavar)


def _changes(random: Random, parser: argparse.ArgumentParser) -> list[str]:
    """Changes of `edit`, each with what may stand behind it."""
    actions = {each.option_strings[0]: each for each in parser._actions if each.option_strings}  # as above
    given: list[str] = []
    for _ in range(some(random, 0.6)):
        option = random.choice(list(OPTIONS))
        given += _given(random, "edit", option, actions[option])
        operation, change = OPTIONS[option]
        taken = list(details(operation, change)) if random.random() < 0.95 else list(DETAILS)
        number = 2 if operation.needs_frames else random.choice((0, 0, 1, 2))
        for detail in random.sample(taken, min(number, len(taken))):
            given += _given(random, "edit", detail, actions[detail])
    return given
