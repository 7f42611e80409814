"""The arguments of the verbs, as `resources/verbs.json` tells them, and their types."""

import math
from argparse import ArgumentTypeError, _ActionsContainer
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .. import resources
from ..edits.segments import PATTERN
from ..format import DEFAULT_DIALECT, DIALECTS, dialect_named
from ..formats.export import DEFAULT_TABLE, ENDINGS
from ..formats.highd import DEFAULT_MAP
from ..reports.text import FAMILIES, family_named
from ..texts import LANGUAGES, language, listed, say
from .output import print_error

_MAX_SHOWN = 40


def finite(given: str) -> float:
    """A finite number."""
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(f"{quoted(given)} is not a number")
    return value


def whole(given: str) -> int:
    """A whole number."""
    try:
        return int(given)
    except ValueError:
        raise ArgumentTypeError(f"{quoted(given)} is not a whole number") from None


def positive(given: str) -> int:
    """A whole number from 1 on."""
    if (value := whole(given)) < 1:
        raise ArgumentTypeError(f"{quoted(given)} is not a whole number from 1 on")
    return value


def quoted(given: str) -> str:
    """A typed text in quotes, shortened if it is long."""
    return repr(given if len(given) <= _MAX_SHOWN else f"{given[: _MAX_SHOWN - 1]}…")


def not_negative(given: str) -> float:
    """A number from 0 on."""
    if (value := finite(given)) < 0:
        raise ArgumentTypeError(f"{quoted(given)} is not a number from 0 on")
    return value


def limit(given: str) -> float:
    """A number that CARLA's reports can compare with."""
    if not -1e15 < (value := finite(given)) < 1e15:
        raise ArgumentTypeError(f"{quoted(given)} is too large")
    return value


def substitute(given: str) -> tuple[str, str]:
    """A blueprint and what stands in for it, as `OLD=NEW`."""
    old, sign, new = given.partition("=")
    if not (old and sign and new):
        raise ArgumentTypeError(f"{quoted(given)} is not OLD=NEW")
    return old, new


def dialect(given: str) -> str:
    """The name of a dialect, which the number of a release may stand for."""
    try:
        found = dialect_named(given)
    except KeyError:
        raise ArgumentTypeError(
            say(
                "{given} is no dialect and no release of CARLA; dialects are {names}",
                given=quoted(given),
                names=listed(DIALECTS),
            )
        ) from None
    if found.name != given:
        print_error(
            say("{release} belongs to {dialect} ({title}).", release=given, dialect=found.name, title=found.releases)
        )
    return found.name


def release(given: str) -> str:
    """A release whose server prints a report; says which release prints the same."""
    try:
        family = family_named(given)
    except KeyError:
        raise ArgumentTypeError(
            say(
                "{given} is no release of CARLA that is known (reports differ between {releases})",
                given=quoted(given),
                releases=listed(FAMILIES),
            )
        ) from None
    if family != given:
        print_error(say("{release} prints reports as {family} does.", release=given, family=family))
    return given


_TYPES: Mapping[str, Callable[[str], Any]] = {
    "path": Path,
    **{each.__name__: each for each in (finite, whole, positive, not_negative, limit, substitute, dialect, release)},
}
_FORMATS = [ending.removeprefix(".") for ending in ENDINGS]
_CHOICES = {"dialects": tuple(DIALECTS), "languages": LANGUAGES, "formats": _FORMATS}
_NAMES: Mapping[str, str | Iterable[str]] = {
    "dialects": DIALECTS,
    "releases": FAMILIES,
    "endings": ENDINGS,
    "formats": _FORMATS,
    "table": DEFAULT_TABLE,
    "new_dialect": DEFAULT_DIALECT,
    "highd_map": DEFAULT_MAP,
    "file_names": PATTERN,
}
"""What the texts of the table name."""

_NOT_FOR_ARGPARSE = ("label", "unset", "unit", "step", "writes")
"""What an argument has for the forms of the window, and for `outputs`."""

TABLE: Mapping[str, Any] = resources.table("verbs")


def add_arguments(parser: _ActionsContainer, verb: str, *, is_many: bool = False) -> None:
    """Add the arguments of a verb to its parser; `is_many`: with many inputs, and none that is the output.

    A verb that writes files has the option that replaces some.
    """
    _add(parser, TABLE[verb], is_many)
    if outputs(verb):
        _add(parser, ["overwrite"])


def outputs(verb: str) -> dict[str, str]:
    """What a verb writes where its arguments say: `recording`, `file` or `folder`, by the name of the argument."""
    return dict(_outputs(TABLE[verb]))


def _outputs(arguments: Iterable[str | Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for each in arguments:
        if isinstance(each, str):
            yield from _outputs(TABLE["shared"][each])
        elif "one of" in each:
            yield from _outputs(each["one of"])
        elif "writes" in each:
            yield each.get("dest", each["name"].removeprefix("--").replace("-", "_")), each["writes"]


@cache
def _names(_language: str) -> Mapping[str, str]:
    """What the texts of the table name, in the language that is set."""
    return {key: value if isinstance(value, str) else listed(value) for key, value in _NAMES.items()}


def _add(parser: _ActionsContainer, arguments: Iterable[str | Mapping[str, Any]], is_many: bool = False) -> None:
    """Add arguments: names of `shared` ones, members of which `one of` may be given, or words for `argparse`."""
    for each in arguments:
        if isinstance(each, str):
            _add(parser, TABLE["shared"][each], is_many)
        elif "one of" in each:
            _add(parser.add_mutually_exclusive_group(required=each["required"]), each["one of"])
        elif is_many and each["name"] == "out":
            parser.set_defaults(out=None)
        else:
            said = {**each, "help": say(each["help"])}
            if is_many and each["name"] == "file":
                said["nargs"] = "+"
            names = _names(language())
            words: dict[str, Any] = {
                key: value.format_map(names) if isinstance(value, str) else value
                for key, value in said.items()
                if key not in _NOT_FOR_ARGPARSE
            }
            for key, known in (("type", _TYPES), ("choices", _CHOICES)):
                if isinstance(words.get(key), str):
                    words[key] = known[words[key]]
            options = [words.pop(key) for key in ("name", "alias") if key in words]
            parser.add_argument(*options, **words)
