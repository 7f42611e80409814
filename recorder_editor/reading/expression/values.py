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
    """A column of texts; the text of entry i is `words[codes[i]]`.

    Attributes:
        codes: The index of each entry's text, of any shape.
        words: The texts, of which some may be equal.
    """

    codes: npt.NDArray[np.integer]
    words: Sequence[str]

    def __getitem__(self, entries: BoolArray | IndexArray | tuple[IndexArray, ...]) -> "Texts":
        return Texts(self.codes[entries], self.words)

    def which(self, test: Callable[[str], bool]) -> BoolArray:
        """Find the entries with a text that passes a test, which is called once for each distinct text."""
        passed = np.fromiter(map(test, self.words), np.bool_, len(self.words))
        return np.asarray(passed[self.codes])

    def listed(self) -> list[str]:
        """Return all texts in order."""
        return [self.words[code] for code in self.codes.ravel().tolist()]


Column = AnyArray | Texts


def column_of(values: Sequence[float | str | None], *, is_text: bool) -> Column:
    """Return values as a column: of texts, or of numbers, NaN where there is none."""
    if not is_text:
        return np.array(values, np.float64)
    texts = [str(value) for value in values]
    words = list(dict.fromkeys(texts))
    codes = {word: code for code, word in enumerate(words)}
    return Texts(np.array([codes[text] for text in texts], np.intp), words)


Truth = BoolArray | np.bool_
"""The outcome of a condition, of columns or of constants."""

Outcome = Column | np.bool_ | int | float | str
"""The value of an expression: a column or a constant."""

T = TypeVar("T", bound=Outcome)


class InexactError(Exception):
    """An integer is too large for exact arithmetic; `args` are the entry and the number."""


class Columns(Protocol):
    """Records as columns."""

    def column(self, name: str) -> Column:
        """Return a field or a derived value of every record."""


def evaluate(node: Node, columns: Columns, *, whole: bool = False) -> Outcome:
    """Compute the value of a node.

    Args:
        node: A node with its names resolved.
        columns: What gives the columns of names.
        whole: Whether the result is written as an integer, and must be exact.

    Returns:
        A column, a constant number or a text.

    Raises:
        InexactError: With `whole`, an integer in the calculation may have been rounded.
    """
    with np.errstate(all="ignore"):
        return _evaluate(node, columns, whole)


def evaluate_mask(node: Node, columns: Columns, shape: tuple[int, ...]) -> BoolArray:
    """Find the records that meet a condition; any number but 0 is true.

    Args:
        node: The condition, with its names resolved.
        columns: What gives the columns of names.
        shape: The shape of the records.

    Returns:
        bool[shape].
    """
    with np.errstate(all="ignore"):
        return np.broadcast_to(_as_bool(_evaluate(node, columns, False)), shape)


def _as_bool(value: Outcome) -> BoolArray:
    return np.asarray(value).astype(np.bool_)


def _evaluate(node: Node, columns: Columns, whole: bool) -> Outcome:
    """Compute the value of a node; numpy's warnings are silenced by the caller."""
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
        return _is_any(values[0], values[1:])
    if node.kind == "and":
        return _joined(np.logical_and, values)
    if node.kind == "or":
        return _joined(np.logical_or, values)
    if node.kind == "not":
        return np.logical_not(_as_bool(values[0]))
    if node.kind == "sum":
        total = values[0]
        for sign, value in zip(node.value, values[1:], strict=True):
            total = _calculated(sign, [total, value], whole)
        return total
    if node.kind == "negative":
        return _calculated("negative", values, whole)
    return _calculated(node.value, values, whole)


def _is_any(value: Outcome, options: Sequence[Outcome]) -> BoolArray:
    """Find the entries that equal one of some values."""
    matches = _as_bool(compare("==", value, options[0]))
    for option in options[1:]:
        matches = matches | compare("==", value, option)
    return matches


def _joined(join: np.ufunc, values: Sequence[Outcome]) -> BoolArray:
    """Join conditions by a logical function of two."""
    truth = _as_bool(values[0])
    for value in values[1:]:
        truth = join(truth, _as_bool(value))
    return truth


def _calculated(name: str, values: list[Outcome], whole: bool) -> AnyArray | int | float:
    """Apply a function of `_CALCULATE`; a calculation with constants gives a constant."""
    of_columns, of_integers = _CALCULATE[name]
    if of_integers is not None and _are_all(values, int):
        integer: int = of_integers(*values)
        if abs(integer) < INTEGER_LIMIT:
            return integer
        return float(integer)
    numbers = [np.asarray(value, np.float64) for value in values]
    result: AnyArray = of_columns(*numbers)
    if whole:
        for value, number in zip(values, numbers, strict=True):
            if _is_whole(value):
                _refuse_inexact(number)
        if name in "+-*/":
            _refuse_inexact(result)
    if _are_all(values, (int, float)):
        return float(result)
    return result


def _are_all(values: Sequence[Outcome], types: type | tuple[type, ...]) -> bool:
    return all(isinstance(value, types) for value in values)


def _is_whole(value: Outcome) -> bool:
    """Whether a value is an integer, or a column of integers."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind in "iu"
    return isinstance(value, int)


def _refuse_inexact(numbers: FloatArray) -> None:
    """Raise `InexactError` for the first finite number that is not exact as a 64-bit float."""
    large = np.isfinite(numbers) & (np.abs(numbers) >= _EXACT)
    if large.any():
        entry = int(np.argmax(large))
        raise InexactError(entry, float(np.ravel(numbers)[entry]))


def compare(sign: str, left: Outcome, right: Outcome) -> Truth:
    """Compare numbers or texts, entry by entry.

    Args:
        sign: A key of `_COMPARE`.
        left: A column or a constant.
        right: A column or a constant; a text if the other one is.

    Returns:
        The truth of each entry, or one for two constants.
    """
    test = _COMPARE[sign]
    if isinstance(left, (int, float, str)) and isinstance(right, (int, float, str)):
        return np.bool_(test(left, right))
    if isinstance(left, Texts) and isinstance(right, str):
        return left.which(lambda word: bool(test(word, right)))
    if isinstance(left, str) and isinstance(right, Texts):
        return right.which(lambda word: bool(test(left, word)))
    if isinstance(left, Texts) and isinstance(right, Texts):
        left_texts = np.array(left.words, np.object_)[left.codes]
        right_texts = np.array(right.words, np.object_)[right.codes]
        return _as_bool(test(left_texts, right_texts))
    truth: Truth = test(bool_as_number(left), bool_as_number(right))
    return truth


def bool_as_number(value: T) -> T | AnyArray:
    """Return booleans as 1 and 0, which numpy can compare with integers beyond 63 bits; other values unchanged."""
    if getattr(value, "dtype", None) == np.bool_:
        return np.asarray(value, np.uint8)
    return value


def _like(value: Outcome, pattern: str) -> Truth:
    """Find the entries with a text that matches a pattern with wildcards."""
    if isinstance(value, Texts):
        return value.which(lambda word: fnmatchcase(word, pattern))
    return np.bool_(fnmatchcase(str(value), pattern))
