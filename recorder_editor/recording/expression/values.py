"""What a tree is worth: columns in, a column out. A name is a column of records, an operator is numpy's.

Numbers are calculated in 64 bits. A number that is typed is compared with a 32-bit field as that field would store it,
so that `location.z == 0.1` finds what `location.z = 0.1` wrote. Knows no packet and no file.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .grammar import Node

_COMPARE: Mapping[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "==": (np.equal, operator.eq), "!=": (np.not_equal, operator.ne),
    "<": (np.less, operator.lt), "<=": (np.less_equal, operator.le),
    ">": (np.greater, operator.gt), ">=": (np.greater_equal, operator.ge),
}  # fmt: skip
_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": np.abs, "min": np.minimum, "max": np.maximum, "round": np.round,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Texts:
    """A column of texts, each different one held once: text of entry i is `words[codes[i]]`; `codes` of any shape."""

    codes: npt.NDArray[np.integer[Any]]
    words: Sequence[str]

    def __getitem__(self, entries: Any) -> "Texts":
        return Texts(self.codes[entries], self.words)

    def which(self, test: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        """The entries whose text passes a test, which is made once for each different text."""
        passed = np.fromiter((test(word) for word in self.words), np.bool_, len(self.words))
        found: npt.NDArray[np.bool_] = passed[self.codes]
        return found

    def listed(self) -> list[str]:
        """All of them in order."""
        return [self.words[code] for code in self.codes.ravel().tolist()]


Column = npt.NDArray[Any] | Texts
Mask = npt.NDArray[np.bool_]


class Columns(Protocol):
    """Records as columns."""

    def column(self, name: str) -> Column:
        """A field or a derived value of every record."""


def worth(node: Node, columns: Columns) -> Any:
    """The value of a part: a column, a number (of Python: typed, or made of typed ones alone) or a text."""
    with np.errstate(all="ignore"):
        return _of(node, columns)


def truth(node: Node, columns: Columns, shape: tuple[int, ...]) -> Mask:
    """Which records meet a condition; what is neither 0 nor no counts as yes."""
    with np.errstate(all="ignore"):
        return np.broadcast_to(_yes(_of(node, columns)), shape)


def _yes(value: Any) -> Mask:
    return np.asarray(value).astype(np.bool_)


def _of(node: Node, columns: Columns) -> Any:
    if node.kind in ("number", "text"):
        return node.value
    if node.kind == "name":
        return columns.column(node.value)
    values = [_of(part, columns) for part in node.parts]
    if node.kind == "compare":
        return compared(node.value, values[0], values[1])
    if node.kind == "like":
        return _like(values[0], node.value)
    if node.kind == "in":
        found = _yes(compared("==", values[0], values[1]))
        for other in values[2:]:
            found = found | compared("==", values[0], other)
        return found
    if node.kind in ("and", "or"):
        join = np.logical_and if node.kind == "and" else np.logical_or
        held = _yes(values[0])
        for value in values[1:]:
            held = join(held, _yes(value))
        return held
    if node.kind == "not":
        return np.logical_not(_yes(values[0]))
    return _calculated(node, values)


def _calculated(node: Node, values: list[Any]) -> Any:
    typed = all(isinstance(value, (int, float)) for value in values)
    numbers = [np.asarray(value, np.float64) for value in values]
    if node.kind == "negative":
        if typed:
            return -values[0]
        made = np.negative(numbers[0])
    elif node.kind == "call":
        made = _FUNCTIONS[node.value](*numbers)
    else:
        made = numbers[0]
        for sign, number in zip(node.value, numbers[1:], strict=True):
            made = _ARITHMETIC[sign](made, number)
    # What is made of typed numbers alone is like a typed one.
    return float(made) if typed else made


def compared(sign: str, left: Any, right: Any) -> Any:
    """Two numbers or two texts, entry by entry."""
    numbers, texts = _COMPARE[sign]
    if isinstance(left, str) and isinstance(right, str):
        return np.bool_(texts(left, right))
    if isinstance(left, Texts) and isinstance(right, str):
        return left.which(lambda word: bool(texts(word, right)))
    if isinstance(left, str) and isinstance(right, Texts):
        return right.which(lambda word: bool(texts(left, word)))
    if isinstance(left, Texts) and isinstance(right, Texts):
        first, second = (np.array(one.words, np.object_)[one.codes] for one in (left, right))
        return _yes(numbers(first, second))
    return numbers(left, right)


def _like(value: Any, pattern: str) -> Any:
    if isinstance(value, Texts):
        return value.which(lambda word: fnmatchcase(word, pattern))
    return np.bool_(fnmatchcase(str(value), pattern))
