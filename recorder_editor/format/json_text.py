"""Strict reading of untrusted JSON with one error class, and values as JSON."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn

from ..errors import RecorderError
from ..texts import say

_LONGEST_SHOWN = 40

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{\n]')
"""Where objects, lists and lines begin in JSON; a bracket in a text is none."""


class JsonError(RecorderError):
    """A text is not valid JSON.

    Attributes:
        line: The line, from 1, or None.
        column: The column, from 1, or None.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def read_json(text: str | bytes, *, unique: bool = False, infinite: bool = False) -> Any:
    """The value of a JSON text.

    Args:
        text: The text, or its UTF-8 bytes.
        unique: A name must not occur twice in one object.
        infinite: Infinities and NaN are allowed, as Python writes them.

    Raises:
        JsonError: The text is not JSON, or is nested too deep, or a number is too large for a float or has thousands of
            digits.
    """
    parse_constant: Callable[[str], float] | None = _no_constant
    if infinite:
        parse_constant = None
    object_pairs_hook: Callable[[list[tuple[str, object]]], object] | None = None
    if unique:
        object_pairs_hook = _unique
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text, parse_constant=parse_constant, parse_float=_finite, object_pairs_hook=object_pairs_hook)
    except json.JSONDecodeError as error:
        message = say("This is not JSON: {msg}, at column {colno}.", msg=error.msg, colno=error.colno)
        raise JsonError(message, error.lineno, error.colno) from None
    except UnicodeDecodeError:
        raise JsonError(say("This is not JSON: it is not UTF-8.")) from None
    except RecursionError:
        raise JsonError(say("This is nested too deep.")) from None
    except ValueError:  # Python does not parse integers of thousands of digits
        raise JsonError(say("This holds a number of too many digits.")) from None


@dataclass(frozen=True)
class JsonLines:
    """The value of a JSON text, and the lines on which its objects and lists begin.

    Attributes:
        value: The value.
    """

    value: Any
    _lines: Mapping[int, int]

    def line_of(self, place: object) -> int | None:
        """The line, from 1, of an object or a list of the value; None for anything else."""
        return self._lines.get(id(place))


def read_json_lines(text: bytes) -> JsonLines:
    """The value of the UTF-8 bytes of a JSON text; an object with a name twice is refused.

    Raises:
        JsonError: As `read_json`.
    """
    value = read_json(text, unique=True)
    lines = []
    line = 1
    for match in _BRACKETS.finditer(text.decode("utf-8")):
        if match[0] == "\n":
            line += 1
        elif match[0] in "[{":
            lines.append(line)
    return JsonLines(value, dict(zip(map(id, _containers(value)), lines, strict=True)))


def _containers(value: object) -> Iterator[object]:
    """The objects and lists of a value, in the order in which they begin in its text."""
    waiting = [value]
    while waiting:
        place = waiting.pop()
        if isinstance(place, dict):
            waiting.extend(reversed(place.values()))
            yield place
        elif isinstance(place, list):
            waiting.extend(reversed(place))
            yield place


def first_object(text: str) -> dict[str, Any]:
    """The object that a JSON text begins with, behind the brackets of a list, whatever follows it.

    Empty where there is none, so that a file of which only the beginning was read can be told by it.
    """
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip("[, \t\r\n"))
    except (ValueError, RecursionError):
        return {}
    if isinstance(value, dict):
        return value
    return {}


def json_of(value: object) -> str:
    """A value as a line of JSON that can be written as UTF-8.

    Raises:
        ValueError: It holds an infinity or NaN.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    # A lone surrogate, as from a name that is not UTF-8, can only be written as an escape.
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)


def shown(value: object) -> str:
    """A value as JSON for a message, truncated if it is long."""
    try:
        text = json_of(value)
    except RecursionError:
        return say("something nested too deep")
    if len(text) <= _LONGEST_SHOWN:
        return text
    return f"{text[: _LONGEST_SHOWN - 1]}…"


def _no_constant(word: str) -> NoReturn:
    raise JsonError(say("{word} is not a number that JSON may hold.", word=word))


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise JsonError(say("{text} is too large a number.", text=text[:_LONGEST_SHOWN]))
    return number


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = sorted(name for name, _ in pairs)
    for before, name in pairwise(names):
        if before == name:
            raise JsonError(say("“{name}” is twice in one object.", name=name))
    return dict(pairs)
