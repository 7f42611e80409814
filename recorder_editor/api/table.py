"""A table of a recording as arrays and frames of other libraries: the tables of `export`, without a file."""

from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import Any

import numpy as np

from ..arrays import AnyArray, StructuredArray
from ..format import Field
from ..formats.tables import DictionaryColumn, GappedColumn, Values
from ..formats.tables import Table as Source
from ..formats.tables.values import NUMPY
from ..reading import Subset
from ..texts import listed
from .libraries import load_library

_SHOWN = 10  # rows in a notebook


class Table:
    """Rows of a table of a recording, read when they are asked for. `Recording.table` returns one.

    Units and axes are those of the columns: names end with the unit, x, y and z are the recorded (left-handed) ones.

    Attributes:
        name: The name of the table.
        columns: The names of its columns.
    """

    def __init__(self, source: Source, subset: Subset) -> None:
        self.name = source.name
        self.columns = tuple(column.path for column in source.columns)
        self._source = source
        self._subset = subset

    def __repr__(self) -> str:
        return f"<Table {self.name}: {listed(self.columns)[:200]}>"

    def _repr_html_(self) -> str:
        rows = list(islice(self.rows(), _SHOWN))
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = ""
        for row in rows:
            body += "<tr>" + "".join(f"<td>{escape(_cell(value))}</td>" for value in row) + "</tr>"
        return f"<table><caption>{escape(self.name)}</caption><tr>{head}</tr>{body}</table>"

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as tuples of Python values; None is a missing value."""
        for block in self._source.blocks(self._subset):
            columns = [_column(field, values) for field, values in self._pairs(block.values)]
            yield from zip(*(column.tolist() for column in columns), strict=True)

    def to_dict(self) -> dict[str, AnyArray]:
        """Return the columns by name, of shape (rows,): texts of dtype object, missing numbers as NaN in float64."""
        parts: dict[str, list[AnyArray]] = {name: [] for name in self.columns}
        for block in self._source.blocks(self._subset):
            for field, values in self._pairs(block.values):
                parts[field.path].append(_column(field, values))
        columns = {}
        for field in self._source.columns:
            found = parts[field.path]
            columns[field.path] = np.concatenate(found) if found else np.empty(0, _dtype(field))
        return columns

    def to_numpy(self) -> StructuredArray:
        """Return the rows as one structured array: the fields are the columns, texts of dtype object."""
        columns = self.to_dict()
        rows = len(next(iter(columns.values()), ()))
        result = np.empty(rows, [(name, column.dtype) for name, column in columns.items()])
        for name, column in columns.items():
            result[name] = column
        return result

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame.

        Raises:
            RecorderError: pandas is not installed.
        """
        return load_library("pandas").DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """Return a polars DataFrame.

        Raises:
            RecorderError: polars is not installed.
        """
        library = load_library("polars", "analysis")
        columns = self.to_dict()
        return library.DataFrame(
            {name: column.tolist() if column.dtype.hasobject else column for name, column in columns.items()}
        )

    def to_arrow(self) -> Any:
        """Return a pyarrow Table.

        Raises:
            RecorderError: pyarrow is not installed.
        """
        return load_library("pyarrow", "parquet").table(self.to_dict())

    def _pairs(self, values: tuple[Values, ...]) -> Iterator[tuple[Field, Values]]:
        return zip(self._source.columns, values, strict=True)


def _dtype(field: Field) -> str:
    return NUMPY.get(field.type, "O")


def _column(field: Field, values: Values) -> AnyArray:
    """Return a column as an array; one with missing values as float64 with NaN, or as objects."""
    if isinstance(values, GappedColumn):
        return np.where(values.is_missing, np.nan, values.values)
    if not isinstance(values, DictionaryColumn):
        return values
    distinct = values.values
    if not isinstance(distinct, np.ndarray):
        distinct = list(distinct)
        if field.type == "str":
            distinct = np.array(distinct, object)
        elif None in distinct:
            distinct = np.array([np.nan if value is None else value for value in distinct], np.float64)
        else:
            distinct = np.array(distinct, _dtype(field))
    column: AnyArray = distinct[values.codes]
    return column


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
