"""Evaluates expressions over columns with numpy.

Numbers are 64-bit floats, except that constant integers are exact. A constant is compared with a 32-bit field in 32
bits, so that `location.z == 0.1` finds what `location.z = 0.1` wrote. Knows no packets and files.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ...arrays import AnyArray, BoolArray, FloatArray, IndexArray
from .grammar import INTEGER_LIMIT, Node

_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_CALCULATE: Mapping[str, tuple[Callable[..., Any], Callable[..., Any] | None]] = {
    "+": (np.add, operator.add),
    "-": (np.subtract, operator.sub),
    "*": (np.multiply, operator.mul),
    "/": (np.divide, None),
    "negative": (np.negative, operator.neg),
    "abs": (np.abs, abs),
    "min": (np.minimum, min),
    "max": (np.maximum, max),
    "round": (np.round, round),
    "isnan": (np.isnan, None),
    "isfinite": (np.isfinite, None),
}
"""The functions for columns, and for constant integers."""

_EXACT = 2**53
"""Integers below it are exact as 64-bit floats."""


@dataclass(frozen=True, slots=True)
class Texts:
    """A column of texts, each stored once: the text of entry i is `words[codes[i]]`; `codes` of any shape."""

    codes: npt.NDArray[np.integer]
    words: Sequence[str]

    def __getitem__(self, entries: BoolArray | IndexArray | tuple[IndexArray, ...]) -> "Texts":
        return Texts(self.codes[entries], self.words)

    def which(self, test: Callable[[str], bool]) -> BoolArray:
        """The entries whose text passes a test, which is called once for each distinct text."""
        passed = np.fromiter((test(word) for word in self.words), np.bool_, len(self.words))
        return np.asarray(passed[self.codes])

    def listed(self) -> list[str]:
        """All texts in order."""
        return [self.words[code] for code in self.codes.ravel().tolist()]


Column = AnyArray | Texts

Truth = BoolArray | np.bool_
"""The outcome of a condition, of columns or of constants."""

Outcome = Column | np.bool_ | int | float | str
"""The value of an expression: a column or a constant."""

T = TypeVar("T", bound=Outcome)


class InexactError(Exception):
    """An integer is too large for exact arithmetic; `args`: the entry, the number."""


class Columns(Protocol):
    """Records as columns."""

    def column(self, name: str) -> Column:
        """A field or a derived value of every record."""


def evaluate(node: Node, columns: Columns, *, whole: bool = False) -> Outcome:
    """The value of a node: a column, a constant number or a text.

    `whole`: the result is an integer; raises `InexactError` if an integer in its calculation may have been rounded.
    """
    with np.errstate(all="ignore"):
        return _evaluate(node, columns, whole)


def evaluate_mask(node: Node, columns: Columns, shape: tuple[int, ...]) -> BoolArray:
    """Which records meet a condition: bool[shape]; any number but 0 is true."""
    with np.errstate(all="ignore"):
        return np.broadcast_to(_as_bool(_evaluate(node, columns, False)), shape)


def _as_bool(value: Outcome) -> BoolArray:
    return np.asarray(value).astype(np.bool_)


def _evaluate(node: Node, columns: Columns, whole: bool) -> Outcome:
    if node.kind in ("number", "text"):
        constant: int | float | str = node.value
        return constant
    if node.kind == "name":
        return columns.column(node.value)
    values = [_evaluate(part, columns, whole) for part in node.parts]
    if node.kind == "compare":
        return compare(node.value, values[0], values[1])
    if node.kind == "like":
        return _like(values[0], node.value)
    if node.kind == "in":
        found = _as_bool(compare("==", values[0], values[1]))
        for other in values[2:]:
            found = found | compare("==", values[0], other)
        return found
    if node.kind in ("and", "or"):
        join = np.logical_and if node.kind == "and" else np.logical_or
        held = _as_bool(values[0])
        for value in values[1:]:
            held = join(held, _as_bool(value))
        return held
    if node.kind == "not":
        return np.logical_not(_as_bool(values[0]))
    if node.kind != "sum":
        return _calculated(node.kind if node.kind == "negative" else node.value, values, whole)
    made = values[0]
    for sign, value in zip(node.value, values[1:], strict=True):
        made = _calculated(sign, [made, value], whole)
    return made


def _calculated(name: str, values: list[Outcome], whole: bool) -> AnyArray | int | float:
    of_columns, of_whole = _CALCULATE[name]
    if of_whole is not None and all(isinstance(value, int) for value in values):
        typed = of_whole(*values)
        return typed if abs(typed) < INTEGER_LIMIT else float(typed)
    numbers = [np.asarray(value, np.float64) for value in values]
    made = of_columns(*numbers)
    if whole:
        _refuse_inexact([number for value, number in zip(values, numbers, strict=True) if _is_whole(value)])
        _refuse_inexact([made] if name in "+-*/" else [])
    # A calculation with constants gives a constant.
    return float(made) if all(isinstance(value, (int, float)) for value in values) else made


def _is_whole(value: Outcome) -> bool:
    return isinstance(value, int) or getattr(value, "dtype", np.dtype(np.float64)).kind in "iu"


def _refuse_inexact(numbers: Sequence[FloatArray]) -> None:
    for each in numbers:
        large = np.isfinite(each) & (np.abs(each) >= _EXACT)
        if large.any():
            entry = int(np.argmax(large))
            raise InexactError(entry, float(np.ravel(each)[entry]))


def compare(sign: str, left: Outcome, right: Outcome) -> Truth:
    """Compare numbers or texts, entry by entry."""
    test = _COMPARE[sign]
    if isinstance(left, (int, float, str)) and isinstance(right, (int, float, str)):
        return np.bool_(test(left, right))
    if isinstance(left, Texts) and isinstance(right, str):
        return left.which(lambda word: bool(test(word, right)))
    if isinstance(left, str) and isinstance(right, Texts):
        return right.which(lambda word: bool(test(left, word)))
    if isinstance(left, Texts) and isinstance(right, Texts):
        first, second = (np.array(one.words, np.object_)[one.codes] for one in (left, right))
        return _as_bool(test(first, second))
    truth: Truth = test(bool_as_number(left), bool_as_number(right))
    return truth


def bool_as_number(value: T) -> T | AnyArray:
    """Booleans as 1 and 0, since numpy cannot compare them with integers beyond 63 bits."""
    if getattr(value, "dtype", None) == np.bool_:
        return np.asarray(value, np.uint8)
    return value


def _like(value: Outcome, pattern: str) -> Truth:
    if isinstance(value, Texts):
        return value.which(lambda word: fnmatchcase(word, pattern))
    return np.bool_(fnmatchcase(str(value), pattern))
