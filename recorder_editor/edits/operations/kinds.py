"""The kinds of arguments: valid JSON values, and how they are parsed and written on the command line.

Forms choose their widgets by kind, and the random drivers of the tests their values. Typed numbers may have a unit;
without one they are metres, degrees or seconds.
"""

import errno
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeGuard

from ...errors import error_sentence
from ...format import DIALECTS, LIGHT_STATES, VEHICLE_LIGHTS, JsonError, dialect_named, json_of, read_json
from ...format.packet_file import LARGEST_ID
from ...reading.moments import frame_number, seconds_of
from ...texts import N_, listed, say
from ..intents import is_moment, is_number
from ..paths.keyed import are_keys

Units = Mapping[str, float]

LENGTHS: Units = {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0}
ANGLES: Units = {"": 1.0, "deg": 1.0, "°": 1.0, "rad": 180.0 / math.pi}
TIMES: Units = {"": 1.0, "s": 1.0, "ms": 0.001, "min": 60.0}
NUMBERS: Units = {"": 1.0}

_DIVISORS = {"cm": 100.0, "mm": 1000.0, "ms": 1000.0}
"""Units that divide the plain one: a division rounds once, a multiplication by 0.01 twice."""


class MeasureError(ValueError):
    """A text is not a number, or has an unknown unit."""


def measure(text: str, units: Units) -> float:
    """Parse a number, and return it in the plain unit (m, °, s).

    Args:
        text: The typed number, with or without a unit.
        units: The units that it may have, and how many of the plain one they are.

    Raises:
        MeasureError: The text is not a number, has another unit, or is too large.
    """
    match = re.fullmatch(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\W\d]*|°)\s*", text, re.ASCII)
    if match is None or match[2] not in units:
        names = listed(name for name in units if name)
        if names:
            template = N_("“{text}” is not a number, with or without a unit ({names}).")
        else:
            template = N_("“{text}” is not a number.")
        raise MeasureError(say(template, text=text, names=names))
    number = float(match[1])
    unit = match[2]
    if unit in _DIVISORS:
        value = number / _DIVISORS[unit]
    else:
        value = number * units[unit]
    if not math.isfinite(value):
        raise MeasureError(say("“{text}” is too large a number.", text=text))
    return value


def whole(text: str) -> int:
    """Parse a whole number, decimal or hexadecimal (0x31).

    Raises:
        MeasureError: The text is not a whole number.
    """
    match = re.fullmatch(r"\s*([+-]?\d{1,20}|0[xX][0-9a-fA-F]{1,16})\s*", text, re.ASCII)
    if match is None:
        raise MeasureError(say("“{text}” is not a whole number.", text=text))
    digits = match[1]
    if digits.startswith(("0x", "0X")):
        return int(digits, 16)
    return int(digits)


def word(text: str) -> int:
    """Parse a whole number of 32 bits.

    Raises:
        MeasureError: The text is not a number from 0 to 4294967295.
    """
    number = whole(text)
    if not 0 <= number <= _LARGEST:
        raise MeasureError(say("“{text}” is not a number from 0 to {most}.", text=text, most=_LARGEST))
    return number


def ground(text: str) -> list[float]:
    """Parse X,Y (m).

    Raises:
        MeasureError: The text is not two numbers.
    """
    parts = text.split(",")
    if len(parts) != 2:
        raise MeasureError(say("“{text}” is not two numbers of metres with a comma between.", text=text))
    return [measure(part, LENGTHS) for part in parts]


_LARGEST = 0xFFFFFFFF


KindName = Literal[
    "number",
    "length",
    "angle",
    "seconds",
    "whole",
    "bits",
    "stamp",
    "version",
    "text",
    "key",
    "value",
    "blueprint",
    "expression",
    "packet",
    "packets",
    "field",
    "file",
    "xodr",
    "state",
    "dialect",
    "mode",
    "flag",
    "actors",
    "actor",
    "pair",
    "moment",
    "at",
    "space",
    "ground",
    "place",
    "values",
    "substitutes",
    "keys",
    "points",
    "life",
    "frame",
]


@dataclass(frozen=True)
class ArgumentKind:
    """A kind of argument.

    Attributes:
        name: Its name.
        wanted: What it takes, marked by `N_`.
        fits: Returns whether a JSON value is valid.
        read: Parses typed text. Raises `MeasureError`.
        write: Returns what is typed for a value.
        metavar: The placeholder in the help.
        unit: The unit of its field.
        axes: The names of the parts of a list, which are typed with commas between.
        counted: These parts in words, marked by `N_`.
        value: Returns the value that an edit takes for a JSON value.
    """

    name: KindName
    wanted: str
    fits: Callable[[object], bool]
    _: KW_ONLY
    read: Callable[[str], object] = str
    write: Callable[[Any], str] = str
    metavar: str = ""
    unit: str = ""
    axes: tuple[str, ...] = ()
    counted: str = ""
    value: Callable[[Any], object] = lambda value: value

    @property
    def takes(self) -> str:
        """The JSON values in words."""
        return say(self.wanted, names=listed(DIALECTS), most=_LARGEST)

    @property
    def parts(self) -> int:
        """The number of parts that are typed with commas between."""
        return len(self.axes) or 1


# --- validation -----------------------------------------------------------------------------------------


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return _is_integer(value) and 0 <= value <= _LARGEST


def _is_row(value: object, length: int) -> TypeGuard[list[object]]:
    return isinstance(value, list) and len(value) == length


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_packet(value: object) -> bool:
    return isinstance(value, str) or (_is_integer(value) and 0 <= value <= LARGEST_ID)


def _are_packets(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_packet, value))


def _is_name(value: object) -> bool:
    """Return whether it is an actor: a selector, or an object."""
    if isinstance(value, str):
        return bool(value.strip())
    if not isinstance(value, dict) or not {"id"} <= set(value) <= {"id", "blueprint", "role", "life", "place"}:
        return False
    for text in (value.get("blueprint", ""), value.get("role", "")):
        if not isinstance(text, str):
            return False
    if not _is_whole(value["id"]) or not _is_whole(value.get("life", 0)):
        return False
    place = value.get("place", [0, 0, 0])
    return _is_row(place, 3) and all(isinstance(axis, int) for axis in place)


def _is_place(value: object) -> bool:
    """Return whether it is a point in metres: two numbers, or three."""
    return (_is_row(value, 2) or _is_row(value, 3)) and all(map(is_number, value))


def _are_points(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_place, value))


def _are_actors(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_name, value))


# --- parsing and writing --------------------------------------------------------------------------------


def plain(number: float) -> str:
    """Return the shortest text of a number that is read as the same number."""
    return repr(float(number)).removesuffix(".0")


def _measured(units: Units) -> Callable[[str], float]:
    return lambda text: measure(text, units)


def _lengths(text: str) -> list[float]:
    return [measure(part, LENGTHS) for part in text.split(",")]


def _length_or_none(text: str) -> float | None:
    if text.strip():
        return measure(text, LENGTHS)
    return None


def _lengths_or_none(text: str) -> list[float | None]:
    return [_length_or_none(part) for part in text.split(",")]


def _number_or_none(value: float | None) -> float | None:
    if value is None:
        return None
    return float(value)


def _point(values: Sequence[float | None]) -> tuple[float | None, ...]:
    return tuple(_number_or_none(value) for value in values)


def _text_of(value: float | None) -> str:
    if value is None:
        return ""
    return plain(value)


def _listed(values: Sequence[float | None]) -> str:
    return ",".join(_text_of(value) for value in values)


def read_actors(text: str) -> list[str]:
    """Parse selectors of actors with commas between.

    Raises:
        MeasureError: No actor is named.
    """
    selectors = [selector.strip() for selector in text.split(",")]
    if not all(selectors):
        raise MeasureError(say("No actor is named."))
    return selectors


def _read_packets(text: str) -> list[str]:
    """Parse names or ids of packets with commas between. Raises `MeasureError`."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise MeasureError(say("No packet is named."))
    return names


def _write_packets(packets: Sequence[str | int]) -> str:
    return ",".join(map(str, packets))


def _answer(text: str) -> bool:
    if text not in ("yes", "no"):
        raise MeasureError(say("“{text}” is neither yes nor no.", text=text))
    return text == "yes"


def _moment(text: str) -> float | str:
    number = frame_number(text)
    if number is not None:
        return f"#{number}"
    if ":" in text:
        with suppress(ValueError):
            return seconds_of(text)
    return measure(text, TIMES)


def _yes_or_no(value: object) -> str:
    if value:
        return "yes"
    return "no"


def _moment_text(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return plain(value)


def _date(text: str) -> int:
    if re.fullmatch(r"-?\d{1,19}", text.strip(), re.ASCII):
        return int(text)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise MeasureError(
            say("“{text}” is not a date, as in 2026-01-31T12:00:00, nor seconds since 1970.", text=text)
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp())


def _state(text: str) -> str:
    names = [name.lower() for name in LIGHT_STATES.values()]
    state = text.strip().lower()
    if state not in names:
        raise MeasureError(say("“{text}” is not a state; there are {names}.", text=text, names=listed(names)))
    return state


def _is_dialect(text: str) -> bool:
    try:
        dialect_named(text)
    except KeyError:
        return False
    return True


def _dialect(text: str) -> str:
    try:
        return dialect_named(text).name
    except KeyError:
        raise MeasureError(
            say("“{text}” is not a dialect; there are {names}.", text=text, names=listed(DIALECTS))
        ) from None


def _mask(text: str) -> int:
    """Parse names of lights with commas between, or numbers of their bits."""
    bits = {name.lower(): bit for bit, name in VEHICLE_LIGHTS.items()}
    bits["none"] = 0
    mask = 0
    for name in text.split(","):
        key = name.strip().lower()
        if key in bits:
            mask |= bits[key]
        elif key[:1].isdigit():
            mask |= word(name)
        else:
            names = listed(VEHICLE_LIGHTS.values())
            raise MeasureError(say("“{name}” is not a light; there are {names}, and none.", name=name, names=names))
    return mask


def _lights(mask: int) -> str:
    if mask & ~sum(VEHICLE_LIGHTS):
        return hex(mask)
    names = [name for bit, name in VEHICLE_LIGHTS.items() if mask & bit]
    return ",".join(names) or "none"


def _values(text: str) -> dict[str, float]:
    values: dict[str, float] = {}
    for part in text.split(","):
        name, sign, value = part.partition("=")
        if not sign:
            raise MeasureError(say("There is no “=” in “{part}”.", part=part))
        values[name.strip()] = measure(value, NUMBERS)
    return values


def _named_values(values: Mapping[str, float]) -> str:
    return ",".join(f"{name}={plain(value)}" for name, value in values.items())


def _substitute(text: str) -> tuple[str, str]:
    """Parse `OLD=NEW`: a blueprint and what stands in for it. Raises MeasureError."""
    before, sign, after = text.partition("=")
    old = before.strip()
    new = after.strip()
    if not (old and sign and new):
        raise MeasureError(say("{part} is no blueprint and what stands in for it; write OLD=NEW", part=text))
    return old, new


def _substitutes(text: str) -> dict[str, str]:
    return dict(_substitute(part) for part in text.split(","))


def _named_substitutes(values: Mapping[str, str]) -> str:
    return ",".join(f"{old}={new}" for old, new in values.items())


def _are_substitutes(value: object) -> bool:
    """Whether it is an object of texts that are not empty."""
    if not isinstance(value, dict) or not value:
        return False
    return all(isinstance(name, str) and name for name in value.values())


def json_or_file(text: str) -> object:
    """Parse a JSON list or object, or a file of it.

    Raises:
        MeasureError: The text or the file is not JSON, or the file cannot be read.
    """
    if "\0" in text:  # no system has a file of such a name, and Python does not ask for it
        missing = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
        raise MeasureError(error_sentence(missing))
    source: str | bytes = text
    try:
        if not text.lstrip().startswith(("[", "{")):
            source = Path(text).read_bytes()
        value: object = read_json(source, unique=True)
    except OSError as error:
        raise MeasureError(error_sentence(error)) from None
    except JsonError as error:
        raise MeasureError(error.message) from None
    return value


# --- the kinds ------------------------------------------------------------------------------------------


def _real(name: KindName, units: Units, *, unit: str = "", metavar: str, counted: str = "") -> ArgumentKind:
    return ArgumentKind(
        name,
        N_("a number"),
        is_number,
        read=_measured(units),
        write=plain,
        metavar=metavar,
        unit=unit,
        counted=counted,
        value=float,
    )


def _text(name: KindName, *, read: Callable[[str], str] = str, metavar: str = "") -> ArgumentKind:
    return ArgumentKind(name, N_("a text"), _is_text, read=read, metavar=metavar)


def _some_actors(name: KindName, *, metavar: str) -> ArgumentKind:
    return ArgumentKind(
        name,
        N_('a list of actors: words such as "hero" or "type:vehicle.*", or objects with "id" and "blueprint"'),
        _are_actors,
        read=read_actors,
        metavar=metavar,
    )


def _is_row_of_lengths(value: object, length: int) -> bool:
    return _is_row(value, length) and all(map(is_number, value))


def _is_row_with_gaps(value: object, length: int) -> bool:
    return _is_row(value, length) and all(number is None or is_number(number) for number in value)


NUMBER = _real("number", NUMBERS, metavar="FACTOR")
LENGTH = _real("length", LENGTHS, unit="m", metavar="M")
ANGLE = _real("angle", ANGLES, unit="°", metavar="YAW", counted=N_("one of degrees"))
SECONDS = _real("seconds", TIMES, unit="s", metavar="S")

WHOLE = ArgumentKind("whole", N_("a whole number from 0 to {most}"), _is_whole, read=word, metavar="ID")
BITS = ArgumentKind(
    "bits", N_("a whole number from 0 to {most}"), _is_whole, read=_mask, write=_lights, metavar="NAMES"
)
STAMP = ArgumentKind("stamp", N_("a whole number"), _is_integer, read=_date, metavar="DATE")
VERSION = ArgumentKind("version", N_("a whole number"), _is_integer, read=whole, metavar="N")

TEXT = _text("text", metavar="NAME")
KEY = _text("key", metavar="KEY")
VALUE = _text("value", metavar="VALUE")
BLUEPRINT = _text("blueprint", read=str.strip, metavar="NAME")
EXPRESSION = _text("expression", metavar="EXPR")
PACKET = ArgumentKind("packet", N_("the name of a packet, or the number of its id"), _is_packet, value=str)
PACKETS = ArgumentKind(
    "packets",
    N_("a list of packets, each by its name or the number of its id"),
    _are_packets,
    read=_read_packets,
    write=_write_packets,
    metavar="NAME[,NAME]",
)
FIELD = _text("field")
FILE = _text("file", metavar="FILE")
ROAD_MAP = _text("xodr", metavar="MAP")
STATE = _text("state", read=_state, metavar="STATE")
DIALECT = ArgumentKind(
    "dialect",
    N_("one of {names}"),
    lambda value: isinstance(value, str) and _is_dialect(value),
    read=_dialect,
    metavar="NAME",
)
MODE = ArgumentKind("mode", N_('"set", "add" or "remove"'), lambda value: value in ("set", "add", "remove"))
FLAG = ArgumentKind(
    "flag", N_("true or false"), lambda value: isinstance(value, bool), read=_answer, write=_yes_or_no, metavar="yes|no"
)

ACTORS = _some_actors("actors", metavar="ACTORS")
ACTOR = _some_actors("actor", metavar="ACTOR")
PAIR = _some_actors("pair", metavar="ACTOR,ACTOR")

MOMENT = ArgumentKind("moment", N_('seconds, a frame such as "f250", or null'), is_moment, metavar="X")
AT = ArgumentKind(
    "at",
    N_('seconds or a frame such as "f250"'),
    lambda value: value is not None and is_moment(value),
    read=_moment,
    write=_moment_text,
    metavar="X",
    unit="s",
)

SPACE = ArgumentKind(
    "space",
    N_("a list of three numbers"),
    lambda value: _is_row_of_lengths(value, 3),
    read=_lengths,
    write=_listed,
    metavar="DX,DY,DZ",
    unit="m",
    axes=("x", "y", "z"),
    counted=N_("three numbers of metres"),
    value=_point,
)
GROUND = ArgumentKind(
    "ground",
    N_("a list of two numbers"),
    lambda value: _is_row_of_lengths(value, 2),
    read=ground,
    write=_listed,
    metavar="X,Y",
    unit="m",
    axes=("x", "y"),
    counted=N_("two numbers of metres"),
    value=_point,
)
PLACE = ArgumentKind(
    "place",
    N_("a list of three numbers or nulls"),
    lambda value: _is_row_with_gaps(value, 3),
    read=_lengths_or_none,
    write=_listed,
    metavar="X,Y,Z",
    unit="m",
    axes=("x", "y", "z"),
    counted=N_("three numbers of metres, of which each may be empty"),
    value=_point,
)
VALUES = ArgumentKind(
    "values",
    N_("an object of names and numbers"),
    lambda value: isinstance(value, dict) and bool(value) and all(map(is_number, value.values())),
    read=_values,
    write=_named_values,
    metavar="NAME=VALUE[,NAME=VALUE]",
)
SUBSTITUTES = ArgumentKind(
    "substitutes",
    N_("an object of blueprints and what stands in for them"),
    _are_substitutes,
    read=_substitutes,
    write=_named_substitutes,
    metavar="OLD=NEW[,OLD=NEW]",
)
KEYS = ArgumentKind(
    "keys", N_("a list of two or more keys of a path"), are_keys, read=json_or_file, write=json_of, metavar="KEYS.json"
)
POINTS = ArgumentKind(
    "points", N_("a list of points in metres, each [x, y] or [x, y, z]"), _are_points, read=json_or_file, write=json_of
)
LIFE = ArgumentKind("life", N_('an actor: a text like "174" or "hero", or an object with id'), _is_name)
FRAME = ArgumentKind("frame", N_("a frame of this recording alone"), _is_integer)
