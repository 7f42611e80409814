"""The changes that `edit` can make: how each is typed, and which operation with which arguments it becomes.

One idea: a change is an option, and the details that follow it belong to it. Knows the forms of options; what an
operation does, and to whom words mean, is `edits`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ..edits.intents import lives_named
from ..edits.operations import OPERATIONS, wrong_with
from ..edits.script import ScriptStep
from ..format.dialects import DIALECTS
from ..format.packets import LIGHT_STATES, VEHICLE_LIGHTS
from ..recording.choice import find_frames
from ..recording.snapshot import Snapshot
from .files import WrongUsage
from .measures import ANGLE, LENGTH, NUMBER, TIME, NoMeasure, Units, ground, measure, place, whole, word

Arguments = dict[str, Any]

PASTE = "paste_actor"
"""The one change that is no operation of scripts: it needs another recording."""

_UP_TO_THE_END = ("trim", "cut")
"""Operations whose `to` is the frame behind the last one."""


class Option(NamedTuple):
    """How a change is typed.

    Attributes: `operation`, `metavar` (None: it takes no value), `says` (for the help), `read` (value to arguments,
    raises `NoMeasure`), `joins` (several in a row that say the same of different actors are one change), `each` (of
    several actors it is done to one after another).
    """

    operation: str
    metavar: str | None
    says: str
    read: Callable[[str], Arguments]
    joins: bool = False
    each: bool = False


class Detail(NamedTuple):
    """An option that belongs to the change before it: `argument` of the operation, `metavar`, `says`, `read`."""

    argument: str
    metavar: str | None
    says: str
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Change:
    """One change that is wanted.

    Attributes: `option` (as typed, for sentences), `operation`, `arguments` (actors as words), `frames` (the words of
    --from and --to), `joins` and `each` as of the option.
    """

    option: str
    operation: str
    arguments: Mapping[str, Any]
    frames: tuple[str | None, str | None] = (None, None)
    joins: bool = False
    each: bool = False

    def steps(self, snapshot: Snapshot) -> Iterator[ScriptStep]:
        """The steps that it is on a state of a recording. Raises `ChoiceError` for words that name nobody."""
        arguments = dict(self.arguments)
        frames = None
        if self.frames != (None, None):
            frames = find_frames(snapshot, *self.frames)
            last = frames.stop + 1 if self.operation in _UP_TO_THE_END else frames.stop
            arguments |= {"from": f"#{frames.start + 1}", "to": f"#{last}"}
        if self.operation == "place_actors" and "at" not in arguments:
            first = lives_named(snapshot, arguments["actors"])[0]
            arguments["at"] = f"#{max(first.born, frames.start if frames is not None else 0) + 1}"
        if not self.each:
            yield ScriptStep(self.operation, arguments)
            return
        for life in lives_named(snapshot, arguments["actors"]):
            yield ScriptStep(self.operation, {**arguments, "actors": [f"{life.actor}@{life.born + 1}"]})


# --- values ---------------------------------------------------------------------------------------------


def _who(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise NoMeasure("It names nobody.")
    return words


def _of(text: str, missing: str = "") -> tuple[list[str], str]:
    """WHO=VALUE."""
    who, sign, value = text.partition("=")
    if not sign and not missing:
        raise NoMeasure("There is no “=” in it.")
    return _who(who), value if sign else missing


def _actors(text: str) -> Arguments:
    return {"actors": _who(text)}


def _number(argument: str, units: Units) -> Callable[[str], Arguments]:
    return lambda value: {argument: measure(value, units)}


def _of_actors(argument: str, read: Callable[[str], Any]) -> Callable[[str], Arguments]:
    def arguments(text: str) -> Arguments:
        who, value = _of(text)
        return {"actors": who, argument: read(value)}

    return arguments


def _moved(text: str, missing: str = "") -> Arguments:
    who, value = _of(text, missing)
    *offset, turn = place(value)
    return {"actors": who, "offset": offset, "turn": turn}


def _pasted(text: str) -> Arguments:
    # A path may hold colons itself, and so may WHO: what follows the last one that leaves an actor is WHO.
    left, sign, value = text.rpartition("=")
    if not sign or not re.fullmatch(r"[-+.,\s\w°]*", value):
        left, value = text, "0,0,0"
    found = re.fullmatch(r"(.+?):((?:role:|type:)?[^:/\\]+)", left)
    if found is None:
        raise NoMeasure("There is no “:” with an actor behind it.")
    *offset, turn = place(value)
    return {"file": found[1], "actors": _who(found[2]), "offset": offset, "turn": turn}


def _placed(text: str) -> Arguments:
    who, value = _of(text)
    parts = value.split(",")
    if not 3 <= len(parts) <= 4:
        raise NoMeasure(f"“{value}” is not X,Y,Z[,YAW], of which each may be empty.")
    told = [
        measure(part, ANGLE if index == 3 else LENGTH) if part.strip() else None for index, part in enumerate(parts)
    ]
    return {"actors": who, "location": told[:3], "yaw": told[3] if len(told) == 4 else None}


def _mirrored(text: str) -> Arguments:
    who, value = _of(text)
    point, _, angle = value.rpartition(",")
    return {"actors": who, "point": ground(point), "angle": measure(angle, ANGLE)}


def _blueprint(text: str) -> Arguments:
    who, value = _of(text)
    name, comma, uid = value.rpartition(",")
    if not comma:
        name, uid = value, ""
    return {"actors": who, "blueprint": name.strip(), **({"uid": word(uid)} if uid else {})}


def _attribute(text: str) -> Arguments:
    left, sign, value = text.partition("=")
    if not sign:
        raise NoMeasure("There is no “=” in it.")
    return {**_no_attribute(left), "value": value}


def _no_attribute(text: str) -> Arguments:
    who, colon, key = text.rpartition(":")
    if not colon or not key:
        raise NoMeasure("There is no “:” with an attribute behind it.")
    return {"actors": _who(who), "key": key, "value": None}


def _lights(mode: str) -> Callable[[str], Arguments]:
    return lambda text: {**_of_actors("mask", _mask)(text), "mode": mode}


def _mask(text: str) -> int:
    names = {name.lower(): bit for bit, name in VEHICLE_LIGHTS.items()}
    mask = 0
    for name in text.split(","):
        bit = names.get(name.strip().lower())
        if bit is None and name.strip().lower() != "none":
            if not name.strip()[:1].isdigit():
                raise NoMeasure(f"“{name}” is no light; there are {', '.join(VEHICLE_LIGHTS.values())}, and none.")
            bit = word(name)
        mask |= bit or 0
    return mask


def _state(text: str) -> str:
    names = [name.lower() for name in LIGHT_STATES.values()]
    if text.strip().lower() not in names:
        raise NoMeasure(f"“{text}” is no state; there are {', '.join(names)}.")
    return text.strip().lower()


def _weather(text: str) -> Arguments:
    values: dict[str, float] = {}
    for part in text.split(","):
        name, sign, value = part.partition("=")
        if not sign:
            raise NoMeasure(f"There is no “=” in “{part}”.")
        values[name.strip()] = measure(value, NUMBER)
    return {"values": values}


def _date(text: str) -> Arguments:
    if re.fullmatch(r"-?\d{1,19}", text.strip(), re.ASCII):
        return {"date": int(text)}
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise NoMeasure(f"“{text}” is no date, as in 2026-01-31T12:00:00, and no seconds since 1970.") from None
    return {"date": int((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp())}


def _dialect(text: str) -> Arguments:
    if text not in DIALECTS:
        raise NoMeasure(f"“{text}” is no dialect; there are {', '.join(DIALECTS)}.")
    return {"dialect": text}


def _answer(text: str) -> bool:
    if text not in ("yes", "no"):
        raise NoMeasure(f"“{text}” is neither yes nor no.")
    return text == "yes"


def _moment(text: str) -> float | str:
    return text.strip() if text.strip().startswith("#") else measure(text, TIME)


def _nothing(_text: str) -> Arguments:
    return {}


# --- the options ----------------------------------------------------------------------------------------

OPTIONS: Mapping[str, Option] = {
    "--set": Option(
        "replace_where", "EXPR", "fields, as in 'Position where id == 174 and location.z < 0: location.z = 0'",
        lambda text: {"text": text},
    ),
    "--set-map": Option("set_header", "M", "the map in the header", lambda text: {"map_name": text}),
    "--set-date": Option(
        "set_header", "DATE", "the date in the header: 2026-01-31T12:00:00 (UTC), or seconds since 1970", _date
    ),
    "--set-version": Option(
        "set_header", "N", "the version in the header, one that fits the content", lambda text: {"version": whole(text)}
    ),
    "--remove-actor": Option("remove_actors", "WHO", "take actors out, with those attached to them", _actors, True),
    "--only-actor": Option("keep_only_actors", "WHO", "take everybody else out", _actors, True),
    "--trim-actor": Option("trim_life", "WHO", "let an actor be there in a range only (--from, --to)", _actors),
    "--set-blueprint": Option("set_blueprint", "WHO=NAME[,UID]", "another blueprint", _blueprint, True),
    "--set-attribute": Option("set_attribute", "WHO:KEY=VALUE", "an attribute of the EventAdd", _attribute, True),
    "--remove-attribute": Option("set_attribute", "WHO:KEY", "an attribute less", _no_attribute, True),
    "--set-role": Option("set_role", "WHO=NAME", "the role name", _of_actors("role", str), True),
    "--set-hero": Option("set_hero", "WHO", "make an actor the hero, and the only one", _actors),
    "--set-id": Option("set_actor_id", "WHO=ID", "another id, everywhere", _of_actors("new_id", word)),
    "--swap": Option("swap_actors", "WHO,WHO", "let two actors change places", _actors),
    "--duplicate": Option(
        "duplicate_actor", "WHO[=DX,DY,DZ[,DYAW]]", "a copy, shifted and turned (m, °); --later, --as",
        lambda text: _moved(text, "0,0,0"), each=True,
    ),
    "--paste": Option(
        PASTE, "FILE:WHO[=DX,DY,DZ[,DYAW]]", "an actor of another recording; --at, --as", _pasted
    ),
    "--move": Option("move_actors", "WHO=DX,DY,DZ[,DYAW]", "shift and turn paths (m, °)", _moved, True),
    "--rotate": Option("move_actors", "WHO=DYAW", "turn paths (°)", _of_actors("turn", lambda v: measure(v, ANGLE)),
                       True),
    "--place": Option(
        "place_actors", "WHO=X,Y,Z[,YAW]", "put an actor there, its path going along; each may be empty; --at", _placed
    ),
    "--sideways": Option(
        "offset_path", "WHO=M", "shift a path to the right of its own heading (m), as in a change of lanes",
        _of_actors("metres", lambda value: measure(value, LENGTH)), each=True,
    ),
    "--smooth": Option(
        "smooth_path", "WHO=S", "the mean of a path over a window (s)",
        _of_actors("window", lambda value: measure(value, TIME)), each=True,
    ),
    "--mirror": Option("mirror_path", "WHO=X,Y,YAW", "mirror paths at a line through a point (m, m, °)", _mirrored,
                       True),
    "--set-traffic-light": Option(
        "set_traffic_lights", "WHO=STATE", "red, yellow, green, off or unknown; --frozen, --since",
        _of_actors("state", _state), True,
    ),
    "--set-lights": Option(
        "set_vehicle_lights", "WHO=NAMES", "exactly these lights of vehicles (LowBeam,Fog), or none",
        _lights("set"), True,
    ),
    "--lights-on": Option("set_vehicle_lights", "WHO=NAMES", "switch lights on", _lights("add"), True),
    "--lights-off": Option("set_vehicle_lights", "WHO=NAMES", "switch lights off", _lights("remove"), True),
    "--set-weather": Option("set_weather", "NAME=VALUE[,NAME=VALUE]", "the weather, by its fields", _weather),
    "--retime": Option("retime", "FACTOR", "let everything last so many times as long", _number("factor", NUMBER)),
    "--fixed-step": Option("resample", "S", "a frame every so many seconds", _number("step", TIME)),
    "--shift": Option("shift", "S", "let everything be later", _number("seconds", TIME)),
    "--order-times": Option("order_times", None, "put frame ids and times in order", _nothing),
    "--trim": Option("trim", None, "keep a range only (--from, --to), as the verb does", _nothing),
    "--cut": Option("cut", None, "remove a range (--from, --to), as the verb does", _nothing),
    "--convert": Option("convert", "NAME", "make it a recording of another release, as the verb does", _dialect),
}  # fmt: skip
"""The changes by option."""

DETAILS: Mapping[str, Detail] = {
    "--from": Detail("from", "X", "over frames from here on: seconds (12.5) or a frame (#250)", str),
    "--to": Detail("to", "X", "up to here, which is left out", str),
    "--ease-in": Detail("ease_in", "S", "let it grow from nothing", lambda text: measure(text, TIME)),
    "--ease-out": Detail("ease_out", "S", "let it go back to nothing", lambda text: measure(text, TIME)),
    "--pivot": Detail("pivot", "X,Y", "turn about this point (m)", ground),
    "--at": Detail("at", "X", "when: seconds or a frame", _moment),
    "--later": Detail("seconds", "S", "the copy comes so much later", lambda text: measure(text, TIME)),
    "--as": Detail("new_id", "ID", "the copy's id", word),
    "--since": Detail("elapsed", "S", "how long the light is in that state already", lambda text: measure(text, TIME)),
    "--frozen": Detail("frozen", "yes|no", "the light stays as it is", _answer),
    "--keep-children": Detail("children", None, "those attached stay", lambda _text: False),
    "--rebase-clocks": Detail("rebase_clocks", None, "wall clock and visual time go on without a gap", lambda _: True),
}
"""What may stand behind a change, by option."""


# --- from what was typed to changes ---------------------------------------------------------------------


@dataclass
class _Typed:
    """A change and the details behind it, as typed."""

    option: str
    value: str
    details: dict[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        return f"{self.option} {self.value}".strip()


def wanted(typed: Iterable[tuple[str, str]]) -> list[Change]:
    """The changes that options mean, in their order. Raises `WrongUsage`."""
    found: list[_Typed] = []
    for option, value in typed:
        if option in OPTIONS:
            found.append(_Typed(option, value))
        elif not found:
            raise WrongUsage(f"{option} belongs to the change before it, and there is none; name that first.")
        elif option in found[-1].details:
            raise WrongUsage(f"{found[-1].words} has {option} twice.")
        else:
            found[-1].details[option] = value
    return _joined([_change(each) for each in found])


def _change(typed: _Typed) -> Change:
    option = OPTIONS[typed.option]
    try:
        arguments = option.read(typed.value)
    except NoMeasure as error:
        form = f" Write it as {typed.option} {option.metavar}." if option.metavar else ""
        raise WrongUsage(f"{typed.words}: {error}{form}") from None
    takes = _details_of(option, arguments)
    frames: dict[str, str] = {}
    for name, value in typed.details.items():
        detail = DETAILS[name]
        if name not in takes:
            may = f"it takes {', '.join(takes)}" if takes else "it takes none"
            raise WrongUsage(f"{name} says nothing of {typed.option}; {may}.")
        try:
            told = detail.read(value)
        except NoMeasure as error:
            raise WrongUsage(f"{name}: {error}") from None
        (frames if detail.argument in ("from", "to") else arguments)[detail.argument] = told
    needed = {"at": 0, **arguments} if option.operation == "place_actors" else arguments
    wrong = wrong_with(option.operation, needed) if option.operation != PASTE else None
    if wrong is not None:
        raise WrongUsage(f"{typed.words}: {wrong}")
    if option.operation in (*_UP_TO_THE_END, "trim_life") and not frames:
        raise WrongUsage(f"{typed.option} needs a range: --from, --to, or both behind it.")
    span = frames.get("from"), frames.get("to")
    return Change(typed.words, option.operation, arguments, span, option.joins, option.each)


def _details_of(option: Option, arguments: Mapping[str, Any]) -> list[str]:
    """The options that may stand behind a change."""
    known: Iterable[str] = ("at", "new_id") if option.operation == PASTE else OPERATIONS[option.operation].arguments
    return [name for name, detail in DETAILS.items() if detail.argument in known and detail.argument not in arguments]


def _joined(changes: Sequence[Change]) -> list[Change]:
    """The changes, those in a row as one that say the same of different actors.

    Somebody who is attached to another one would else be moved twice, or be gone when it is their turn.
    """
    made: list[Change] = []
    for change in changes:
        last = made[-1] if made else None
        if last is not None and change.joins and _but_actors(last) == _but_actors(change):
            actors = [*last.arguments["actors"], *change.arguments["actors"]]
            made[-1] = replace(
                last, option=f"{last.option} {change.option}", arguments={**last.arguments, "actors": actors}
            )
        else:
            made.append(change)
    return made


def _but_actors(change: Change) -> tuple[Any, ...]:
    others = {name: value for name, value in change.arguments.items() if name != "actors"}
    return change.operation, others, change.frames
