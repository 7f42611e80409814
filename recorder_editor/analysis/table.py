"""Builds the L1 table of columns, and writes it as Parquet, CSV or JSON Lines.

Needs polars, and pyarrow for Parquet; imported only when a table is built.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..recording import atomic_write
from ..texts import listed, say
from .constants import COLUMNS, EXTRA, VEHICLE_TYPES, Column
from .libraries import AnalysisError, library, library_missing
from .steps import Rows

try:
    import polars as pl
except ImportError:
    raise library_missing("polars") from None

ENDINGS = (".parquet", ".csv", ".jsonl")
METADATA = "l1"
"""The key of the Parquet metadata that holds options, constants and facts of the recording as JSON."""

_FEW_VALUES = ("width", "height", "dt")
"""Measurements that repeat from row to row."""


def columns_of(extra: bool) -> tuple[Column, ...]:
    """Return the columns of a table with or without the extra ones."""
    if extra:
        return COLUMNS + EXTRA
    return COLUMNS


def build_table(rows: Rows, extra: bool = False) -> pl.DataFrame:
    """Step 10: return the table.

    Args:
        rows: Columns of equal length, at least those of `columns_of`.
        extra: Whether the table has the extra columns.
    """
    return pl.DataFrame([_series(column, rows) for column in columns_of(extra)])


def _series(column: Column, rows: Rows) -> pl.Series:
    """Return a column in its type; the one of texts is that of the vehicle types."""
    if column.type == "str":
        texts = pl.Series([VEHICLE_TYPES.get(kind, "") for kind in range(max(VEHICLE_TYPES) + 1)])
        return texts.gather(rows["veh_class"].astype(np.uint32)).alias(column.name)
    with np.errstate(over="ignore", invalid="ignore"):
        return pl.Series(column.name, np.ascontiguousarray(rows[column.name], np.dtype(column.type)))


def write(table: pl.DataFrame, target: Path, metadata: Mapping[str, object], *, overwrite: bool = False) -> None:
    """Write a table atomically.

    Args:
        table: The table.
        target: The file; its ending selects the format.
        metadata: Goes into the metadata of a Parquet file, with a unit and a meaning for each column.
        overwrite: Whether a file that nothing makes again may be replaced.

    Raises:
        AnalysisError: The ending is another one.
        LibraryMissing: pyarrow is not installed.
        WouldReplace: There is a file that nothing makes again.
        SaveRefused: The file cannot be written safely.
        OSError: The file cannot be written.
    """
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise AnalysisError(
            say(
                "A table cannot be written as “{ending}”; there are {endings}.",
                ending=target.suffix,
                endings=listed(ENDINGS),
            )
        )
    if ending == ".parquet":
        _write_parquet(table, target, metadata, overwrite)
        return
    with atomic_write(target, overwrite=overwrite) as file:
        if ending == ".csv":
            table.write_csv(file)
        else:
            table.write_ndjson(file)


def _write_parquet(table: pl.DataFrame, target: Path, metadata: Mapping[str, object], overwrite: bool) -> None:
    """Write a table as Parquet; errors as `write`."""
    pa = library("pyarrow")
    parquet = library("pyarrow.parquet")
    columns = {column.name: column for column in COLUMNS + EXTRA}
    arrow = table.to_arrow(compat_level=pl.CompatLevel.oldest())
    fields = []
    for field in arrow.schema:
        column = columns[field.name]
        type_ = field.type
        if column.type == "str":
            type_ = pa.string()
        fields.append(pa.field(field.name, type_, metadata=_metadata(column)))
    schema = pa.schema(fields, metadata={METADATA: json.dumps(metadata, allow_nan=False)})
    with atomic_write(target, overwrite=overwrite) as file:
        # Dictionary encoding of measurements would take long.
        repeating = [name for name in table.columns if _repeats(columns[name])]
        parquet.write_table(arrow.cast(schema), file, use_dictionary=repeating)


def _repeats(column: Column) -> bool:
    """Return whether a column has few values in many rows."""
    return column.name in _FEW_VALUES or column.type in ("i1", "i4", "i8", "str")


def _metadata(column: Column) -> dict[str, str]:
    """Return the metadata of a column of a Parquet file."""
    metadata = {"meaning": column.meaning}
    if column.unit:
        metadata["unit"] = column.unit
    return metadata
