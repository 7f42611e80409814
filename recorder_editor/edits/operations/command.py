"""Operations on the command line: values of options are parsed, written and documented by their arguments."""

import re
from collections.abc import Mapping, Sequence

from ...format import json_of
from ...reading import Actors, Life
from ...recording import Snapshot
from ...texts import N_, say
from .kinds import FILE, KEY, MeasureError, json_or_file, read_actors
from .schema import Argument, Arguments, Operation, Option

# --- documenting ----------------------------------------------------------------------------------------


def metavar(operation: Operation, option: Option) -> str:
    """Return the placeholder of the value in the help, as in `ACTORS=DX,DY,DZ[,DYAW]`; empty for a switch."""
    values = _values(operation, option)
    typed = _typed_values(option, values)
    if operation.actors is None:
        return typed
    actors = operation.actors.metavar
    if _has_file(operation):
        actors = f"{FILE.metavar}:{actors}"
    if not typed:
        return actors
    sign = ":" if _has_key(values) else "="
    if option.values_optional:
        return f"{actors}[{sign}{typed}]"
    return f"{actors}{sign}{typed}"


def _typed_values(option: Option, values: Sequence[Argument]) -> str:
    """Return the placeholder of the values, without that of the actors."""
    if option.is_json:
        return "JSON"
    if _has_key(values):
        return "=".join(value.typed for value in values)
    text = ""
    for index, value in enumerate(values):
        if index == 0:
            text = value.typed
        elif value.needed:
            text += f",{value.typed}"
        else:
            text += f"[,{value.typed}]"
    return text


def details(operation: Operation, option: Option) -> Mapping[str, Argument]:
    """Return the arguments that options after this one give, by the names of those."""
    result = {}
    for argument in operation.parameters:
        is_given = argument.name in option.values or argument.name in option.fixed
        if argument.detail and not is_given:
            result[argument.detail] = argument
    return result


def _values(operation: Operation, option: Option) -> list[Argument]:
    return [operation.arguments[name] for name in option.values]


def _has_key(values: Sequence[Argument]) -> bool:
    return bool(values) and values[0].kind is KEY


def _has_file(operation: Operation) -> bool:
    return any(argument.kind is FILE for argument in operation.parameters)


# --- parsing --------------------------------------------------------------------------------------------


def read(operation: Operation, option: Option, text: str) -> dict[str, object]:
    """Parse the value of an option.

    Args:
        operation: The operation.
        option: Its option.
        text: The typed value.

    Returns:
        Arguments by name.

    Raises:
        MeasureError: The text is no such value.
    """
    if option.is_json:
        given = json_or_file(text)
        if not isinstance(given, dict):
            raise MeasureError(say("{text} is not a JSON object of arguments.", text=text))
        return given
    values = _values(operation, option)
    if operation.actors is None:
        return _read_values(values, text) | dict(option.fixed)
    if _has_key(values):
        return _read_keyed(values, text) | dict(option.fixed)
    arguments: dict[str, object] = {}
    if _has_file(operation):
        arguments["file"], text = _split_file(text)
    if not values:
        arguments["actors"] = read_actors(text)
        return arguments | dict(option.fixed)
    actors, sign, text = text.partition("=")
    if not sign and not option.values_optional:
        raise MeasureError(say("There is no “=” in it."))
    arguments["actors"] = read_actors(actors)
    if sign:
        arguments |= _read_values(values, text)
    return arguments | dict(option.fixed)


def _read_keyed(values: Sequence[Argument], text: str) -> dict[str, object]:
    """Parse ACTORS:KEY=VALUE, or ACTORS:KEY."""
    if len(values) == 1:
        actors, key = _split_key(text)
        return {"actors": read_actors(actors), "key": key}
    left, sign, value = text.partition("=")
    if not sign:
        raise MeasureError(say("There is no “=” in it."))
    actors, key = _split_key(left)
    return {"actors": read_actors(actors), "key": key, values[1].name: value}


def _split_key(text: str) -> tuple[str, str]:
    """Split ACTORS:KEY."""
    actors, colon, key = text.rpartition(":")
    if not colon or not key:
        raise MeasureError(say("There is no “:” with an attribute after it."))
    return actors, key


def _split_file(text: str) -> tuple[str, str]:
    """Split FILE:ACTORS[=...] into FILE and ACTORS[=...].

    Paths and actors may contain colons and signs; it is split at the last colon that leaves an actor.
    """
    left, sign, value = text.rpartition("=")
    if not sign or not re.fullmatch(r"[-+.,\s\w°]*", value):
        return _split_at_colon(text)
    file, actors = _split_at_colon(left)
    return file, f"{actors}={value}"


def _split_at_colon(text: str) -> tuple[str, str]:
    """Split FILE:ACTORS."""
    match = re.fullmatch(r"(.+?):((?:role:|type:)?[^:/\\]+)", text)
    if match is None:
        raise MeasureError(say("There is no “:” with an actor after it."))
    return match[1], match[2]


def _read_values(values: Sequence[Argument], text: str) -> dict[str, object]:
    if not values:
        return {}
    if len(values) == 1:
        return {values[0].name: values[0].kind.read(text)}
    parts = _split_values(values, text)
    arguments: dict[str, object] = {}
    for value in values:
        number = value.kind.parts
        if parts:
            arguments[value.name] = value.kind.read(",".join(parts[:number]))
        elif value.default is not None and not callable(value.default):
            arguments[value.name] = value.default
        parts = parts[number:]
    return arguments


def _split_values(values: Sequence[Argument], text: str) -> list[str]:
    """Split several values; those that are not needed may be missing."""
    first = values[0]
    second = values[1]
    most = 0
    least = 0
    for index, value in enumerate(values):
        most += value.kind.parts
        if value.needed or index == 0:
            least += value.kind.parts
    # A text may contain commas: what follows the last one is the next value.
    if first.kind.axes:
        parts = text.split(",")
    else:
        parts = text.rsplit(",", most - 1)
    if least <= len(parts) <= most:
        return parts
    if least < most:
        template = N_("“{text}” is not {first}, and perhaps {then}, with commas between.")
    else:
        template = N_("“{text}” is not {first} and {then}, with commas between.")
    raise MeasureError(say(template, text=text, first=say(first.kind.counted), then=say(second.kind.counted)))


# --- writing --------------------------------------------------------------------------------------------


def command_words(operation: Operation, arguments: Arguments, actors: str, after: Sequence[str]) -> list[str] | None:
    """Return the words after `edit IN OUT` for an operation; None if there are none.

    Args:
        operation: The operation.
        arguments: Its arguments.
        actors: The actors as typed; empty: no actors.
        after: Further options after the change: those of `frame_options`.
    """
    given = {}
    for name, value in arguments.items():
        if name not in ("from", "to") and value is not None:
            given[name] = value
    for option in operation.options:
        if option.is_json:
            return [option.name, json_of(given), *after]
        if _expresses(operation, option, given):
            change = _change_words(operation, option, given, actors)
            return change + list(after) + _detail_words(operation, option, given)
    return None


def _expresses(operation: Operation, option: Option, given: Arguments) -> bool:
    """Return whether the option and its details can express all arguments that are given."""
    for name, value in option.fixed.items():
        if given.get(name) != value:
            return False
    expressed = set(option.fixed) | set(option.values)
    for argument in details(operation, option).values():
        expressed.add(argument.name)
    return expressed.issuperset(given) and given.keys() >= _needed_names(operation, option)


def _needed_names(operation: Operation, option: Option) -> set[str]:
    """Return the names of the arguments without which the value of an option cannot be written."""
    if option.values_optional:
        return set()
    if _has_key(_values(operation, option)):
        return set(option.values)
    return set(option.values[:1])


def _change_words(operation: Operation, option: Option, given: Arguments, actors: str) -> list[str]:
    values = _values(operation, option)
    texts = []
    for value in values:
        if value.name in given:
            texts.append(value.kind.write(given[value.name]))
    if _has_key(values):
        return _option_words(option.name, f"{actors}:{'='.join(texts)}")
    sign = ""
    if actors and texts:
        sign = "="
    return _option_words(option.name, f"{actors}{sign}{','.join(texts)}")


def _detail_words(operation: Operation, option: Option, given: Arguments) -> list[str]:
    words: list[str] = []
    for name, argument in details(operation, option).items():
        value = given.get(argument.name)
        if value is None or value == argument.default:
            continue
        if argument.typed:
            words += _option_words(name, argument.kind.write(value))
        else:
            words.append(name)
    return words


def _option_words(name: str, text: str) -> list[str]:
    """Return an option with its value; joined by `=` if the value begins with a minus."""
    if text.startswith("-"):
        return [f"{name}={text}"]
    if text:
        return [name, text]
    return [name]


def format_lives(snapshot: Snapshot, lives: Sequence[Life]) -> str:
    """Return lives by id, as in `174,180@12`: with a frame (from 1) if the id has several lives."""
    actors = Actors.of(snapshot)
    texts = []
    for life in lives:
        if len(actors.of_id(life.actor)) == 1:
            texts.append(str(life.actor))
        else:
            texts.append(f"{life.actor}@{life.born + 1}")
    return ",".join(texts)


def frame_options(snapshot: Snapshot, frames: range | None) -> list[str]:
    """Return the options for a range of frames; empty for None."""
    if frames is None:
        return []
    options = ["--from", f"#{frames.start + 1}"]
    if frames.stop < len(snapshot):
        options += ["--to", f"#{frames.stop + 1}"]
    return options
