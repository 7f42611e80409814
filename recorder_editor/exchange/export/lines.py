"""Tables as CSV with a header line, or as JSON Lines.

Dictionary-encoded values are formatted once, and lines in batches of rows. Floats are the shortest decimals that read
back as the same value in their width.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...arrays import AnyArray
from ...format.schema import Field
from ..dump import column_texts
from ..tables import Block, DictionaryColumn
from ..tables.values import NUMPY

Column = Sequence[Any] | AnyArray
Texts = Callable[[Field, Column], list[str]]

_ROWS = 1 << 14  # formatted together
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(columns: Sequence[Field], blocks: Iterable[Block], *, guard: bool = False) -> Iterator[bytes]:
    """CSV by RFC 4180, but with plain line feeds; missing values are empty, others may be `nan`, `inf`, `-inf`.

    `guard` puts `'` before texts that a spreadsheet would take for a formula.
    """
    yield (",".join(column.path for column in columns) + "\n").encode()
    yield from _lines(",".join(["%s"] * len(columns)), columns, blocks, partial(_texts, guard=guard, quote=True))


def json_lines(columns: Sequence[Field], blocks: Iterable[Block]) -> Iterator[bytes]:
    """One strict JSON object a row; missing values are null, non-finite numbers strings of their bits."""
    line = "{" + ", ".join(f'"{column.path}": %s' for column in columns) + "}"
    yield from _lines(line, columns, blocks, _json_texts)


def plain_rows(columns: Sequence[Field], block: Block, *, guard: bool = False) -> Iterator[tuple[str, ...]]:
    """The texts of each row as in CSV, without quotes."""
    prepared = _formatters(columns, block, partial(_texts, guard=guard, quote=False))
    return zip(*(column(0, block.rows) for column in prepared), strict=True)


def _lines(line: str, columns: Sequence[Field], blocks: Iterable[Block], texts: Texts) -> Iterator[bytes]:
    for block in blocks:
        prepared = _formatters(columns, block, texts)
        for start in range(0, block.rows, _ROWS):
            part = zip(*(column(start, start + _ROWS) for column in prepared), strict=True)
            yield ("\n".join([line % row for row in part]) + "\n").encode("utf-8", "backslashreplace")


def _formatters(columns: Sequence[Field], block: Block, texts: Texts) -> list[Callable[[int, int], list[str]]]:
    """A function for each column that formats the rows `[start, stop)`."""

    def coded(column: Field, values: DictionaryColumn) -> Callable[[int, int], list[str]]:
        known = np.array(texts(column, values.values), object)
        return lambda start, stop: known[values.codes[start:stop]].tolist()

    def plain(column: Field, values: AnyArray) -> Callable[[int, int], list[str]]:
        return lambda start, stop: texts(column, values[start:stop])

    return [
        coded(column, values) if isinstance(values, DictionaryColumn) else plain(column, values)
        for column, values in zip(columns, block.values, strict=True)
    ]


def _texts(column: Field, values: Column, *, guard: bool, quote: bool) -> list[str]:
    """Values as in CSV; `quote` texts that need it, `guard` against formulas."""
    if column.type == "str":
        texts = [f"'{text}" if guard and text.startswith(_FORMULA) else text for text in values]
        return [_quoted(text) for text in texts] if quote else texts
    if not isinstance(values, np.ndarray):
        numbers = [None if value is None else _single_value(column, value) for value in values]
        return ["" if each is None else _texts(column, each, guard=guard, quote=quote)[0] for each in numbers]
    texts = column_texts(column, values)
    if values.dtype.kind == "f":
        for index in np.flatnonzero(~np.isfinite(values)).tolist():
            texts[index] = str(float(values[index]))
    return texts


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n') else text


def _json_texts(column: Field, values: Column) -> list[str]:
    if column.type == "str":
        return [json.dumps(text, ensure_ascii=False) for text in values]
    if not isinstance(values, np.ndarray):
        return ["null" if value is None else column_texts(column, _single_value(column, value))[0] for value in values]
    return column_texts(column, values)


def _single_value(column: Field, value: Any) -> AnyArray:
    return np.array([value], NUMPY[column.type])
