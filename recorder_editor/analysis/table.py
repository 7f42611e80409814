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

_FEW_VALUES = frozenset(
    column.name
    for column in COLUMNS
    if column.type in ("i1", "i4", "i8", "str") or column.name in ("width", "height", "dt")
)


def columns_of(extra: bool) -> tuple[Column, ...]:
    """The columns of a table with or without the extra ones."""
    if extra:
        return COLUMNS + EXTRA
    return COLUMNS


def build_table(rows: Rows, extra: bool = False) -> pl.DataFrame:
    """Step 10: the table, from columns of equal length that hold at least those of `columns_of`."""
    return pl.DataFrame([_series(column, rows) for column in columns_of(extra)])


def _series(column: Column, rows: Rows) -> pl.Series:
    if column.type == "str":
        texts = pl.Series([VEHICLE_TYPES.get(number, "") for number in range(max(VEHICLE_TYPES) + 1)])
        return texts.gather(rows["veh_class"].astype(np.uint32)).alias(column.name)
    with np.errstate(over="ignore", invalid="ignore"):
        return pl.Series(column.name, np.ascontiguousarray(rows[column.name], np.dtype(column.type)))


def write(table: pl.DataFrame, target: Path, metadata: Mapping[str, object], *, overwrite: bool = False) -> None:
    """Write a table atomically.

    The ending of `target` selects the format; `metadata` goes into the metadata of a Parquet file, with a unit and a
    meaning for each column.

    Without `overwrite` a file that nothing makes again stays. Raises `AnalysisError` for another ending,
    `LibraryMissing`, `WouldReplace`, `SaveRefused` and OSError.
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
    pa = library("pyarrow")
    parquet = library("pyarrow.parquet")
    known = {column.name: column for column in COLUMNS + EXTRA}
    arrow = table.to_arrow(compat_level=pl.CompatLevel.oldest())
    fields = []
    for field in arrow.schema:
        fields.append(
            pa.field(
                field.name,
                pa.string() if known[field.name].type == "str" else field.type,
                metadata=_metadata(known[field.name]),
            )
        )
    schema = pa.schema(fields, metadata={METADATA: json.dumps(metadata, allow_nan=False)})
    with atomic_write(target, overwrite=overwrite) as file:
        # Dictionary encoding of measurements would take long.
        repeating = [name for name in table.columns if name in _FEW_VALUES]
        parquet.write_table(arrow.cast(schema), file, use_dictionary=repeating)


def _metadata(column: Column) -> dict[str, str]:
    return {"meaning": column.meaning, **({"unit": column.unit} if column.unit else {})}
