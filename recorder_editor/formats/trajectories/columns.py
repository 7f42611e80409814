"""What the columns of a table mean: by options, else by their usual names, with units."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ... import resources
from ...suggestions import did_you_mean
from ...texts import N_, listed, say, say_count
from .trajectories import TrajectoryError

TIME_UNITS: Final = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0}
LENGTH_UNITS: Final = {"m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0, "ft": 0.3048}
ANGLE_UNITS: Final = {"rad": 1.0, "deg": 0.017453292519943295}
SPEED_UNITS: Final = {"m/s": 1.0, "km/h": 1 / 3.6, "cm/s": 0.01, "mph": 0.44704, "ft/s": 0.3048}

_SPELLINGS: Final = {
    "sec": "s",
    "second": "s",
    "seconds": "s",
    "msec": "ms",
    "millis": "ms",
    "milliseconds": "ms",
    "usec": "us",
    "micros": "us",
    "nsec": "ns",
    "nanos": "ns",
    "nanoseconds": "ns",
    "meter": "m",
    "meters": "m",
    "metre": "m",
    "metres": "m",
    "feet": "ft",
    "radians": "rad",
    "degrees": "deg",
    "degree": "deg",
    "°": "deg",
    "mps": "m/s",
    "kmh": "km/h",
    "kph": "km/h",
    "fps": "ft/s",
}
"""Other words for units."""


class MissingColumnError(TrajectoryError):
    """No column tells something that is needed.

    Attributes:
        meaning: What none tells, a key of `MEANINGS`.
        frame_column: The name of a column that counts frames, whose rate would tell the time; empty: there is none.
    """

    def __init__(self, message: str, meaning: str, frame_column: str = "") -> None:
        super().__init__(message)
        self.meaning = meaning
        self.frame_column = frame_column


class Meaning(NamedTuple):
    """What a column may mean.

    Attributes:
        label: In words, marked by `N_`.
        units: By name what a value is multiplied by; empty for texts and counts. The first one is assumed.
    """

    label: str
    units: Mapping[str, float] = {}


MEANINGS: Final[Mapping[str, Meaning]] = {
    "time": Meaning(N_("time"), TIME_UNITS),
    "frame": Meaning(N_("frame")),
    "id": Meaning(N_("id")),
    "class": Meaning(N_("class")),
    "subclass": Meaning(N_("subclass")),
    "x": Meaning(N_("x of the centre"), LENGTH_UNITS),
    "y": Meaning(N_("y of the centre"), LENGTH_UNITS),
    "z": Meaning(N_("z of the centre"), LENGTH_UNITS),
    "yaw": Meaning(N_("heading"), ANGLE_UNITS),
    "pitch": Meaning(N_("pitch"), ANGLE_UNITS),
    "roll": Meaning(N_("roll"), ANGLE_UNITS),
    "vx": Meaning(N_("velocity along x"), SPEED_UNITS),
    "vy": Meaning(N_("velocity along y"), SPEED_UNITS),
    "vz": Meaning(N_("velocity along z"), SPEED_UNITS),
    "speed": Meaning(N_("speed"), SPEED_UNITS),
    "length": Meaning(N_("length"), LENGTH_UNITS),
    "width": Meaning(N_("width"), LENGTH_UNITS),
    "height": Meaning(N_("height"), LENGTH_UNITS),
    "blueprint": Meaning(N_("blueprint")),
    "role": Meaning(N_("role name")),
}
"""What columns may mean, by the names that options have for it."""

_USUAL_NAMES: Final[Mapping[str, Sequence[str]]] = resources.table("trajectories")["columns"]
"""By meaning the usual names of columns, small letters and digits only, the likeliest first."""

TEXTS: Final = ("id", "class", "subclass", "blueprint", "role")
"""Meanings of texts; all others are numbers."""

NEEDED: Final = ("id", "x", "y")


class Column(NamedTuple):
    """A column that is used.

    Attributes:
        place: Where it is in the table, from 0.
        name: Its name in the file.
        meaning: What it means, a key of `MEANINGS`.
        unit: Its unit; empty for texts and counts.
        is_unit_told: Whether the file or an option told the unit.
    """

    place: int
    name: str
    meaning: str
    unit: str
    is_unit_told: bool

    @property
    def factor(self) -> float:
        """What a value is multiplied by to have it in s, m, rad or m/s."""
        return MEANINGS[self.meaning].units.get(self.unit, 1.0)


def find_columns(
    names: Sequence[str], columns: Mapping[str, str], units: Mapping[str, str], told_units: Sequence[str] = ()
) -> dict[str, Column]:
    """Return the columns that are used, by meaning.

    Args:
        names: The names of all columns, in order.
        columns: By meaning the name, or the number from 1 on, of the column that was chosen; empty: none.
        units: By meaning the unit that was chosen.
        told_units: By column what the file tells of its unit; empty where it tells nothing.

    Raises:
        TrajectoryError: There is no such column, meaning or unit.
    """
    chosen: dict[str, Column] = {}
    taken: set[int] = set()
    for meaning, name in columns.items():
        _refuse_unknown(meaning)
        if name:
            index = _index_of(names, name)
            taken.add(index)
            chosen[meaning] = _column(index, names[index], meaning, units, told_units)
    for meaning, spec in MEANINGS.items():
        if meaning in columns:
            continue
        for usual in _USUAL_NAMES[meaning]:
            place = _usual_index(names, usual, taken, spec)
            if place is not None:
                taken.add(place)
                chosen[meaning] = _column(place, names[place], meaning, units, told_units)
                break
    for meaning in units:
        _refuse_unknown(meaning)
    return chosen


def refuse_missing(columns: Mapping[str, Column], names: Sequence[str], source: str, *, has_rate: bool) -> None:
    """Refuse a table that does not tell times, ids or places.

    Args:
        columns: The columns that are used, by meaning.
        names: The names of all columns.
        source: The name of the file.
        has_rate: Whether frames can be taken for times.

    Raises:
        MissingColumnError: A column is missing; the message says which, and what there is.
    """
    shown = _shown_names(names)
    if "time" not in columns and not (has_rate and "frame" in columns):
        if "frame" in columns:
            raise MissingColumnError(
                say(
                    "{source}: no column tells the time, only {frame} counts frames. Give their rate: --frame-rate 25.",
                    source=source,
                    frame=columns["frame"].name,
                ),
                meaning="time",
                frame_column=columns["frame"].name,
            )
        raise MissingColumnError(
            say(
                "{source}: no column tells the time. There are {names}; name one: --column time=NAME.",
                source=source,
                names=shown,
            ),
            meaning="time",
        )
    for meaning in NEEDED:
        if meaning not in columns:
            raise MissingColumnError(
                say(
                    "{source}: no column tells {what}. There are {names}; name one: --column {meaning}=NAME.",
                    source=source,
                    what=say(MEANINGS[meaning].label),
                    names=shown,
                    meaning=meaning,
                ),
                meaning=meaning,
            )


def unused_remark(columns: Mapping[str, Column], names: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence that names the columns that are not used; none where all are.

    Args:
        columns: The columns that are used, by meaning.
        names: The names of all columns.
    """
    used = {column.place for column in columns.values()}
    unused = [name for place, name in enumerate(names) if place not in used and name]
    if not unused:
        return ()
    sentence = say_count(
        "A column is not used: {names}.",
        "Columns that are not used: {names}.",
        count=len(unused),
        names=_shown_names(unused),
    )
    return (sentence,)


_MOST_SHOWN = 12
_LONGEST_SHOWN = 40


def _shown_names(names: Sequence[str]) -> str:
    shown = listed([name[:_LONGEST_SHOWN] for name in names[:_MOST_SHOWN]])
    if len(names) > _MOST_SHOWN:
        return say("{names} and {count:,} more", names=shown, count=len(names) - _MOST_SHOWN)
    return shown


def plain_name(name: str) -> tuple[str, str]:
    """Return a name of a column in small letters and digits without its unit, and that unit, empty without one.

    Of several words in brackets at the end the first one may be the unit: `heading (deg clockwise)`.
    """
    bracketed = re.fullmatch(r"(.+?)[\[(] *([^\s\])]+)\s[^\])]*[\])] *", name)
    if bracketed is not None and _unit_named(bracketed[2].lower()):
        name = f"{bracketed[1]} {bracketed[2]}"
    words = [word for word in re.split(r"[^a-z0-9/°]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()) if word]
    unit = ""
    if len(words) > 1:
        unit = _unit_named(words[-1])
    if len(words) > 2 and not unit and "/".join(words[-2:]) in SPEED_UNITS:
        unit = "/".join(words[-2:])
        words.pop()
    if unit:
        words.pop()
    return "".join(words), unit


def _unit_named(word: str) -> str:
    """The unit that a word in small letters means; empty if it means none."""
    unit = _SPELLINGS.get(word, word)
    for units in (TIME_UNITS, LENGTH_UNITS, ANGLE_UNITS, SPEED_UNITS):
        if unit in units:
            return unit
    return ""


def _usual_index(names: Sequence[str], usual: str, taken: set[int], spec: Meaning) -> int | None:
    """The first column with a usual name that is not taken, and whose unit fits."""
    for index, name in enumerate(names):
        plain, unit = plain_name(name)
        whole = re.sub("[^a-z0-9]", "", name.lower())
        fits = plain == usual and (not unit or unit in spec.units)
        if index not in taken and (fits or whole == usual):
            return index
    return None


def _column(index: int, name: str, meaning: str, units: Mapping[str, str], told_units: Sequence[str]) -> Column:
    known = MEANINGS[meaning].units
    if meaning in units:
        given = units[meaning]
        unit = _SPELLINGS.get(given, given)
        if unit not in known:
            if not known:
                raise TrajectoryError(say("{meaning} has no unit.", meaning=meaning))
            raise TrajectoryError(
                say(
                    "{given} is no unit of {meaning}; there are {names}.",
                    given=given,
                    meaning=meaning,
                    names=listed(known),
                )
            )
        return Column(index, name, meaning, unit, is_unit_told=True)
    _, unit = plain_name(name)
    if told_units and told_units[index]:
        unit = _SPELLINGS.get(told_units[index], told_units[index])
    if unit in known:
        return Column(index, name, meaning, unit, is_unit_told=True)
    return Column(index, name, meaning, next(iter(known), ""), is_unit_told=False)


def _index_of(names: Sequence[str], name: str) -> int:
    """The index of a column by its name, or by its number from 1 on."""
    if name in names:
        return names.index(name)
    if re.fullmatch("[0-9]{1,6}", name) and 1 <= int(name) <= len(names):
        return int(name) - 1
    raise TrajectoryError(say("There is no column {name}.{meant}", name=name, meant=did_you_mean(name, names)))


def _refuse_unknown(meaning: str) -> None:
    if meaning not in MEANINGS:
        raise TrajectoryError(
            say(
                "{meaning} is nothing that a column may be; there are {names}.", meaning=meaning, names=listed(MEANINGS)
            )
        )
