"""Columns and blocks of rows.

A column of a block is an array, or dictionary-encoded, since frames, times and names repeat from row to row.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...arrays import AnyArray, BoolArray, FloatArray
from ...format import WIDTHS, Field

_SUFFIXES: Mapping[str, str] = {
    "": "",
    "s": "s",
    "m": "m",
    "cm": "cm",
    "rpm": "rpm",
    "kg": "kg",
    "°": "deg",
    "m/s": "mps",
    "m/s²": "mps2",
    "cm/s": "cmps",
    "km/h": "kmph",
    "°/s": "degps",
    "%": "percent",
    "kg·m²": "kgm2",
    "N·m": "Nm",
}
"""The suffix of a column name, by unit."""

NUMPY = {name: f"{name[0]}{width}" for name, width in WIDTHS.items()} | {"bool": "?"}
"""The dtype of a column's array, by the type of its field."""


class DictionaryColumn(NamedTuple):
    """A dictionary-encoded column: the value of a row is `values[codes[row]]`.

    Attributes:
        values: An array of the column's dtype, or a sequence in which None is a missing value; texts are unique.
        codes: The index in `values` for each row, int32[n].
    """

    values: Sequence[Any] | AnyArray
    codes: AnyArray


class GappedColumn(NamedTuple):
    """A column in which values are missing.

    Attributes:
        values: The values, of shape (n,); any where one is missing.
        is_missing: Whether a value is missing, bool[n].
    """

    values: AnyArray
    is_missing: BoolArray


Values = AnyArray | DictionaryColumn | GappedColumn
"""A column of a block; texts are always dictionary-encoded."""


class TableBlock(NamedTuple):
    """Rows of a table.

    Attributes:
        rows: The number of rows.
        values: The values of each column.
    """

    rows: int
    values: tuple[Values, ...]

    def between(self, start: int, stop: int) -> "TableBlock":
        """Return the rows `[start, stop)`."""
        part = slice(start, stop)
        values: list[Values] = []
        for column in self.values:
            if isinstance(column, DictionaryColumn):
                values.append(DictionaryColumn(column.values, column.codes[part]))
            elif isinstance(column, GappedColumn):
                values.append(GappedColumn(column.values[part], column.is_missing[part]))
            else:
                values.append(column[part])
        return TableBlock(len(range(self.rows)[part]), tuple(values))


def column_for(path: str, field: Field, prefix: str = "") -> Field:
    """Return a field as a column, named by its path with `_` for dots, and its unit: `location_x_cm`, `max_rpm`.

    A unit without a suffix of its own is written in letters: `1/min` as `1_per_min`.

    Args:
        path: The path of the field in its record or element.
        field: The field.
        prefix: What the name begins with, as the path of a list and a dot.
    """
    name = (prefix + path).replace(".", "_")
    unit = _SUFFIXES.get(field.unit)
    if unit is None:
        unit = re.sub(r"[^0-9A-Za-z]+", "_", field.unit.replace("/", "_per_")).strip("_")
    if unit and not name.endswith(f"_{unit}"):
        name = f"{name}_{unit}"
    return Field(name, field.type, field.meaning, field.unit)


def snake_case(name: str) -> str:
    """Return a name in snake case: `LowBeam` as `low_beam`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def text_column(texts: Iterable[str]) -> DictionaryColumn:
    """Return texts as a column."""
    code_of: dict[str, int] = {}
    codes = [code_of.setdefault(text, len(code_of)) for text in texts]
    return DictionaryColumn(list(code_of), np.array(codes, np.int32))


def stored_column(values: AnyArray, field: Field) -> AnyArray:
    """Return stored values as a column of a field's type."""
    if field.type == "bool":
        is_set: BoolArray = values != 0
        return is_set
    return np.ascontiguousarray(values)


def column_of(field: Field, values: Sequence[Any]) -> Values:
    """Return Python values as a column of a field's type; None is a missing value."""
    if field.type == "str":
        return text_column(map(as_text, values))
    if None in values:
        return DictionaryColumn(values, np.arange(len(values), dtype=np.int32))
    return np.array(values, NUMPY[field.type])


def or_nothing(values: FloatArray) -> Values:
    """Return a column in which NaN is a missing value."""
    missing = np.isnan(values)
    if not missing.any():
        return np.ascontiguousarray(values)
    return GappedColumn(np.ascontiguousarray(values), missing)


def numbers_of(column: Values) -> FloatArray:
    """Return a column of numbers, float64[n]; NaN where a value is missing."""
    if isinstance(column, DictionaryColumn):
        return np.array(column.values, np.float64)[column.codes]
    if isinstance(column, GappedColumn):
        return np.where(column.is_missing, np.nan, column.values)
    return column.astype(np.float64)


def with_missing(values: AnyArray) -> list[Any]:
    """Return values and, behind them, one that is missing."""
    result: list[Any] = values.tolist()
    result.append(None)
    return result


def block_of(columns: Sequence[Field], rows: Sequence[Sequence[Any]]) -> TableBlock:
    """Return a block of rows of Python values."""
    values: list[Values] = []
    for column, column_values in zip(columns, zip(*rows, strict=True), strict=False):  # no values if there are no rows
        values.append(column_of(column, column_values))
    return TableBlock(len(rows), tuple(values))


def as_text(value: str | bytes) -> str:
    """Return a value as text; bytes that are not UTF-8 are escaped as `\\xff`."""
    if isinstance(value, str):
        return value
    return value.decode("utf-8", "backslashreplace")
