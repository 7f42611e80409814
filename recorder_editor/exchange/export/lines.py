"""A table as lines of text: CSV with a line of names, or JSON Lines.

One idea: values that come again are formatted once, and lines are made of some thousand rows together. Floats are the
shortest decimals that read back equal in their own width. Knows columns and blocks, nothing of recordings.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...format.schema import Field
from ..dump import column_texts
from ..tables import Block, Coded
from ..tables.values import NUMPY

Column = Sequence[Any] | npt.NDArray[Any]
Texts = Callable[[Field, Column], list[str]]

_ROWS = 1 << 14  # formatted together
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(columns: Sequence[Field], blocks: Iterable[Block], *, guard: bool = False) -> Iterator[bytes]:
    """As RFC 4180 has it, but for the plain line feed; nothing where there is no value, and `nan`, `inf`, `-inf`.

    `guard` puts `'` before texts that a spreadsheet would take for a formula.
    """
    yield (",".join(column.path for column in columns) + "\n").encode()
    yield from _lines(",".join(["%s"] * len(columns)), columns, blocks, _guarded_csv_texts if guard else _csv_texts)


def json_lines(columns: Sequence[Field], blocks: Iterable[Block]) -> Iterator[bytes]:
    """One strict object a row; null where there is no value, numbers that are not finite by their bits."""
    line = "{" + ", ".join(f'"{column.path}": %s' for column in columns) + "}"
    yield from _lines(line, columns, blocks, _json_texts)


def plain_rows(columns: Sequence[Field], block: Block, *, guard: bool = False) -> Iterator[tuple[str, ...]]:
    """The texts of each row as in CSV, without quotes."""
    prepared = _prepared(columns, block, _guarded_texts if guard else _plain_texts)
    return zip(*(column(0, block.rows) for column in prepared), strict=True)


def _lines(line: str, columns: Sequence[Field], blocks: Iterable[Block], texts: Texts) -> Iterator[bytes]:
    for block in blocks:
        prepared = _prepared(columns, block, texts)
        for start in range(0, block.rows, _ROWS):
            part = zip(*(column(start, start + _ROWS) for column in prepared), strict=True)
            yield ("\n".join([line % row for row in part]) + "\n").encode("utf-8", "backslashreplace")


def _prepared(columns: Sequence[Field], block: Block, texts: Texts) -> list[Callable[[int, int], list[str]]]:
    """For each column what gives the texts of the rows `[start, stop)`."""

    def coded(column: Field, values: Coded) -> Callable[[int, int], list[str]]:
        known = np.array(texts(column, values.values), object)
        return lambda start, stop: known[values.codes[start:stop]].tolist()

    def plain(column: Field, values: npt.NDArray[Any]) -> Callable[[int, int], list[str]]:
        return lambda start, stop: texts(column, values[start:stop])

    return [
        coded(column, values) if isinstance(values, Coded) else plain(column, values)
        for column, values in zip(columns, block.values, strict=True)
    ]


def _csv_texts(column: Field, values: Column) -> list[str]:
    return [_quoted(text) for text in values] if column.type == "str" else _plain_texts(column, values)


def _guarded_csv_texts(column: Field, values: Column) -> list[str]:
    texts = _guarded_texts(column, values)
    return [_quoted(text) for text in texts] if column.type == "str" else texts


def _guarded_texts(column: Field, values: Column) -> list[str]:
    texts = _plain_texts(column, values)
    return [f"'{text}" if text.startswith(_FORMULA) else text for text in texts] if column.type == "str" else texts


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n') else text


def _plain_texts(column: Field, values: Column) -> list[str]:
    if column.type == "str":
        return list(values)
    if not isinstance(values, np.ndarray):
        return ["" if value is None else _plain_texts(column, _alone(column, value))[0] for value in values]
    texts = column_texts(column, values)
    if values.dtype.kind == "f":
        for index in np.flatnonzero(~np.isfinite(values)).tolist():
            texts[index] = str(float(values[index]))
    return texts


def _json_texts(column: Field, values: Column) -> list[str]:
    if column.type == "str":
        return [json.dumps(text, ensure_ascii=False) for text in values]
    if not isinstance(values, np.ndarray):
        return ["null" if value is None else column_texts(column, _alone(column, value))[0] for value in values]
    return column_texts(column, values)


def _alone(column: Field, value: Any) -> npt.NDArray[Any]:
    return np.array([value], NUMPY[column.type])
