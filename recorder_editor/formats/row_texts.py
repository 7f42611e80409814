"""Rows of tables as texts, column by column.

Dictionary-encoded values are formatted once, and lines in batches of rows. Floats are the shortest decimals that read
back as the same value in their width.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

import numpy as np

from ..arrays import AnyArray
from ..format import Field
from .arrow_texts import ColumnValues, FormatColumn, arrow_lines
from .dump import column_texts
from .tables import DictionaryColumn, GappedColumn, TableBlock
from .tables.values import NUMPY

_FormatRows = Callable[[int, int], list[str]]

_ROWS = 1 << 14  # formatted together
_ARROW_ROWS = 1 << 16  # likewise, by pyarrow
_MANY = 1 << 15  # rows of a block from which on it is worth the time to load pyarrow
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def lines_of(
    pattern: str, columns: Sequence[Field], blocks: Iterable[TableBlock], format_column: FormatColumn
) -> Iterator[bytes]:
    """Yield the lines of a file in batches of rows.

    Args:
        pattern: A line, with `%s` for the text of each column.
        columns: The columns.
        blocks: The rows.
        format_column: What makes texts of values.
    """
    for block in blocks:
        if block.rows >= _MANY:
            with suppress(ImportError):
                for start in range(0, block.rows, _ARROW_ROWS):
                    rows = block.between(start, start + _ARROW_ROWS)
                    yield arrow_lines(pattern, columns, rows, format_column)
                continue
        formatters = _formatters(columns, block, format_column)
        for start in range(0, block.rows, _ROWS):
            texts = [format_rows(start, start + _ROWS) for format_rows in formatters]
            lines = [pattern % row for row in zip(*texts, strict=True)]
            yield ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")


def plain_rows(columns: Sequence[Field], block: TableBlock) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each row as in CSV, without quotes."""
    texts = [format_rows(0, block.rows) for format_rows in _formatters(columns, block, plain_texts)]
    return zip(*texts, strict=True)


def plain_texts(column: Field, values: ColumnValues, *, guard: bool = False) -> list[str]:
    """Return values as texts: missing ones are empty, others may be `nan`, `inf` and `-inf`.

    Args:
        column: The column.
        values: Its values.
        guard: Put `'` before texts that a spreadsheet would take for a formula.
    """
    if column.type == "str":
        texts = [str(value) for value in values]
        if guard:
            return [guarded(text) for text in texts]
        return texts
    if not isinstance(values, np.ndarray):
        return texts_with_gaps(column, values, missing="", texts_of=plain_texts)
    texts = column_texts(column, values)
    if values.dtype.kind == "f":
        for index in np.flatnonzero(~np.isfinite(values)).tolist():
            texts[index] = str(float(values[index]))
    return texts


def guarded(text: str) -> str:
    """Return a text with `'` before it if a spreadsheet would take it for a formula."""
    if text.startswith(_FORMULA):
        return f"'{text}"
    return text


def texts_with_gaps(
    column: Field, values: Sequence[object], *, missing: str, texts_of: Callable[[Field, AnyArray], list[str]]
) -> list[str]:
    """Return the texts of values of which some are None.

    Args:
        column: The column.
        values: Its values.
        missing: The text of None.
        texts_of: Returns the texts of an array of the column.
    """
    present = [value for value in values if value is not None]
    texts_of_present = iter(texts_of(column, np.array(present, NUMPY[column.type])))
    texts = []
    for value in values:
        if value is None:
            texts.append(missing)
        else:
            texts.append(next(texts_of_present))
    return texts


def _formatters(columns: Sequence[Field], block: TableBlock, format_column: FormatColumn) -> list[_FormatRows]:
    """Return a function for each column that formats the rows `[start, stop)`."""
    formatters: list[_FormatRows] = []
    for column, values in zip(columns, block.values, strict=True):
        if isinstance(values, DictionaryColumn):
            formatters.append(_dictionary_formatter(format_column(column, values.values), values.codes))
        elif isinstance(values, GappedColumn):
            formatters.append(_gapped_formatter(column, values, format_column))
        else:
            formatters.append(_array_formatter(column, values, format_column))
    return formatters


def _dictionary_formatter(texts: list[str], codes: AnyArray) -> _FormatRows:
    values = np.array(texts, object)

    def format_rows(start: int, stop: int) -> list[str]:
        rows: list[str] = values[codes[start:stop]].tolist()
        return rows

    return format_rows


def _array_formatter(column: Field, values: AnyArray, format_column: FormatColumn) -> _FormatRows:
    def format_rows(start: int, stop: int) -> list[str]:
        return format_column(column, values[start:stop])

    return format_rows


def _gapped_formatter(column: Field, values: GappedColumn, format_column: FormatColumn) -> _FormatRows:
    (missing,) = format_column(column, [None])

    def format_rows(start: int, stop: int) -> list[str]:
        texts = format_column(column, values.values[start:stop])
        for index in np.flatnonzero(values.is_missing[start:stop]).tolist():
            texts[index] = missing
        return texts

    return format_rows
