"""JSON that somebody else wrote, read strictly and with one way to fail; and values as JSON."""

import json
import math
import re
from itertools import pairwise
from typing import Any, NoReturn

from ..errors import RecorderError

_LONGEST_SHOWN = 40


class JsonError(RecorderError):
    """A text is no JSON; `line` and `column` (from 1) say where, None where that is not known."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def read_json(text: str | bytes, *, unique: bool = False, infinite: bool = False) -> Any:
    """The value that a text is; bytes are UTF-8. Raises `JsonError`.

    Refused are infinities and NaN (except with `infinite`, which Python's own writer gives), numbers too large for a
    float or of thousands of digits, what is nested too deep, and with `unique` a name that stands twice in one object.
    """
    try:
        told = text.decode("utf-8") if isinstance(text, bytes) else text
        return json.loads(
            told,
            parse_constant=None if infinite else _no_constant,
            parse_float=_finite,
            object_pairs_hook=_unique if unique else None,
        )
    except json.JSONDecodeError as error:
        message = f"This is no JSON: {error.msg}, at column {error.colno}."
        raise JsonError(message, error.lineno, error.colno) from None
    except UnicodeDecodeError:
        raise JsonError("This is no JSON: it is not UTF-8.") from None
    except RecursionError:
        raise JsonError("This is nested too deep.") from None
    except ValueError:  # Python reads no whole number of thousands of digits
        raise JsonError("This holds a number of too many digits.") from None


def json_of(value: Any) -> str:
    """A value as a line of JSON that can be written as UTF-8. Raises ValueError for infinities and NaN."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    # Half a character, as from a name that was never UTF-8, can be written as an escape only.
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def shown(value: Any) -> str:
    """A value that was read, as a sentence names it: JSON, and not all of it where it is long."""
    try:
        text = json_of(value)
    except RecursionError:
        return "something nested too deep"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _no_constant(word: str) -> NoReturn:
    raise JsonError(f"{word} is no number that JSON may hold.")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise JsonError(f"{text[:_LONGEST_SHOWN]} is too large a number.")
    return number


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for name, other in pairwise(sorted(name for name, _ in pairs)):
        if name == other:
            raise JsonError(f"“{name}” stands twice in one object.")
    return dict(pairs)
