"""Operations on the command line: values of options are parsed, written and documented by their arguments."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...format import json_of
from ...reading import Actors, Life
from ...recording import Snapshot
from ...texts import N_, say
from .kinds import FILE, KEY, MeasureError, json_or_file, read_actors
from .schema import Argument, Operation, Option

Arguments = dict[str, Any]


# --- parsing --------------------------------------------------------------------------------------------


def metavar(operation: Operation, option: Option) -> str:
    """The placeholder of the value in the help, as in `ACTORS=DX,DY,DZ[,DYAW]`; empty for a switch."""
    values = _values(operation, option)
    after = "JSON" if option.is_json else ""
    for index, each in enumerate(values):
        sign = "," if index else ""
        after += f"[{sign}{each.typed}]" if index and not each.needed else sign + each.typed
    if _has_key(values):
        after = "=".join(each.typed for each in values)
    if operation.actors is None:
        return after
    actors = operation.actors.metavar
    if any(each.kind is FILE for each in operation.parameters):
        actors = f"{FILE.metavar}:{actors}"
    sign = ":" if _has_key(values) else "="
    if not after:
        return actors
    return f"{actors}[{sign}{after}]" if option.bare else f"{actors}{sign}{after}"


def details(operation: Operation, option: Option) -> Mapping[str, Argument]:
    """The options that may follow this one, by name."""
    return {
        each.detail: each
        for each in operation.parameters
        if each.detail and each.name not in option.values and each.name not in option.fixed
    }


def read(operation: Operation, option: Option, text: str) -> Arguments:
    """Parse the value of an option. Raises `MeasureError`."""
    values, made = _values(operation, option), Arguments()
    if option.is_json:
        if not isinstance(given := json_or_file(text), dict):
            raise MeasureError(say("{text} is not a JSON object of arguments.", text=text))
        return given
    if operation.actors is not None:
        if any(each.kind is FILE for each in operation.parameters):
            made["file"], text = _file(text)
        actors, sign, text = text.partition("=")
        if _has_key(values):
            return _keyed(values, actors, sign, text) | dict(option.fixed)
        if values and not sign and not option.bare:
            raise MeasureError(say("There is no “=” in it."))
        made["actors"] = read_actors(actors if values else actors + sign + text)
        if not sign:
            return made | dict(option.fixed)
    return made | _read_values(values, text) | dict(option.fixed)


def _values(operation: Operation, option: Option) -> list[Argument]:
    return [operation.arguments[name] for name in option.values]


def _has_key(values: Sequence[Argument]) -> bool:
    return bool(values) and values[0].kind is KEY


def _keyed(values: Sequence[Argument], left: str, sign: str, value: str) -> Arguments:
    """Parse ACTORS:KEY=VALUE, or ACTORS:KEY."""
    wants_value = len(values) > 1
    if wants_value and not sign:
        raise MeasureError(say("There is no “=” in it."))
    actors, colon, key = (left if wants_value else left + sign + value).rpartition(":")
    if not colon or not key:
        raise MeasureError(say("There is no “:” with an attribute after it."))
    return {"actors": read_actors(actors), "key": key, **({values[1].name: value} if wants_value else {})}


def _file(text: str) -> tuple[str, str]:
    """Split FILE:ACTORS[=...] into FILE and ACTORS[=...].

    Paths and actors may contain colons and signs; it is split at the last colon that leaves an actor.
    """
    left, sign, value = text.rpartition("=")
    if not sign or not re.fullmatch(r"[-+.,\s\w°]*", value):
        left, sign, value = text, "", ""
    found = re.fullmatch(r"(.+?):((?:role:|type:)?[^:/\\]+)", left)
    if found is None:
        raise MeasureError(say("There is no “:” with an actor after it."))
    return found[1], found[2] + sign + value


def _read_values(values: Sequence[Argument], text: str) -> Arguments:
    if not values:
        return {}
    first, *others = values
    if not others:
        return {first.name: first.kind.read(text)}
    most = sum(each.kind.parts for each in values)
    least = most - sum(each.kind.parts for each in others if not each.needed)
    # A text may contain commas: what follows the last one is the next value.
    parts = text.split(",") if first.kind.axes else text.rsplit(",", most - 1)
    if not least <= len(parts) <= most:
        template = (
            N_("“{text}” is not {first}, and perhaps {then}, with commas between.")
            if least < most
            else N_("“{text}” is not {first} and {then}, with commas between.")
        )
        raise MeasureError(say(template, text=text, first=say(first.kind.counted), then=say(others[0].kind.counted)))
    made: Arguments = {}
    for each in values:
        mine, parts = parts[: each.kind.parts], parts[each.kind.parts :]
        if mine:
            made[each.name] = each.kind.read(",".join(mine))
        elif each.default is not None and not callable(each.default):
            made[each.name] = each.default
    return made


# --- writing --------------------------------------------------------------------------------------------


def command_words(
    operation: Operation, arguments: Mapping[str, Any], actors: str, after: Sequence[str]
) -> list[str] | None:
    """The words after `edit IN OUT` for an operation on `actors` (as typed; empty: no actors); None if there are none.

    `after` are further options after the change: those of `frame_options`.
    """
    given = {name: value for name, value in arguments.items() if name not in ("from", "to")}
    for option in operation.options:
        if option.is_json:
            return [option.name, json_of({name: each for name, each in given.items() if each is not None}), *after]
        if _covers(operation, option, given):
            return [*_typed(operation, option, given, actors), *after, *_detail_words(operation, option, given)]
    return None


def _covers(operation: Operation, option: Option, given: Mapping[str, Any]) -> bool:
    """Whether the option and its details can express all arguments."""
    if any(given.get(name) != value for name, value in option.fixed.items()):
        return False
    values = _values(operation, option)
    needed = [] if option.bare else values if _has_key(values) else values[:1]
    covered = {*option.fixed, *option.values, *(each.name for each in details(operation, option).values())}
    return all(given.get(each.name) is not None for each in needed) and all(
        value is None or name in covered for name, value in given.items()
    )


def _typed(operation: Operation, option: Option, given: Mapping[str, Any], actors: str) -> list[str]:
    values = _values(operation, option)
    texts = [each.kind.write(given[each.name]) for each in values if given.get(each.name) is not None]
    if _has_key(values):
        return _option(option.name, f"{actors}:{'='.join(texts)}")
    sign = "=" if actors and texts else ""
    return _option(option.name, f"{actors}{sign}{','.join(texts)}")


def _detail_words(operation: Operation, option: Option, given: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for name, each in details(operation, option).items():
        value = given.get(each.name)
        if value is not None and value != each.default:
            words += _option(name, each.kind.write(value)) if each.typed else [name]
    return words


def _option(name: str, text: str) -> list[str]:
    """An option with its value; joined by `=` if the value begins with a minus."""
    if text.startswith("-"):
        return [f"{name}={text}"]
    return [name, text] if text else [name]


def format_lives(snapshot: Snapshot, lives: Sequence[Life]) -> str:
    """Lives by id, as in `174,180@12`: with a frame (from 1) if the id has several lives."""
    actors = Actors.of(snapshot)
    alone = {life.actor for life in lives if len(actors.of_id(life.actor)) == 1}
    return ",".join(str(life.actor) if life.actor in alone else f"{life.actor}@{life.born + 1}" for life in lives)


def frame_options(snapshot: Snapshot, frames: range | None) -> list[str]:
    """The options for a range of frames; empty for None."""
    if frames is None:
        return []
    until = ["--to", f"#{frames.stop + 1}"] if frames.stop < len(snapshot) else []
    return ["--from", f"#{frames.start + 1}", *until]
