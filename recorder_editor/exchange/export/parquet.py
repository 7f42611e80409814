"""A table as Parquet: a row group for each block, units and meanings as metadata of the columns.

The one module that imports pyarrow, and only when a file is written. Texts are dictionaries of their values. Knows
columns and blocks, nothing of recordings.
"""

from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from ...errors import RecorderError
from ...format.schema import Field
from ..tables import Block, DictionaryColumn, Table, Values
from ..tables.values import NUMPY


class ExportError(RecorderError):
    """The file cannot be written in this form, for the reason given; nothing was written."""


def write_parquet(stream: BinaryIO, table: Table, blocks: Iterable[Block]) -> None:
    """Write the blocks of a table; raises `ExportError` without pyarrow."""
    pa = _pyarrow()
    schema = pa.schema(
        [pa.field(column.path, _kind(pa, column), metadata=_about(column)) for column in table.columns],
        metadata={"table": table.name, "meaning": table.meaning},
    )
    with pa.parquet.ParquetWriter(stream, schema) as writer:
        for block in blocks:
            arrays = [_array(pa, field.type, values) for field, values in zip(schema, block.values, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=block.rows)


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ExportError(
            "Parquet files need pyarrow, which is not installed: pip install 'recorder-editor[parquet]'."
        ) from None
    return pyarrow


def _about(column: Field) -> dict[str, str]:
    return {"meaning": column.meaning, **({"unit": column.unit} if column.unit else {})}


def _kind(pa: Any, column: Field) -> Any:
    return pa.dictionary(pa.int32(), pa.string()) if column.type == "str" else pa.from_numpy_dtype(NUMPY[column.type])


def _array(pa: Any, kind: Any, values: Values) -> Any:
    if not isinstance(values, DictionaryColumn):
        return pa.array(values, kind)
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(values.codes, pa.array(values.values, pa.string()))
    if isinstance(values.values, np.ndarray):
        return pa.array(values.values[values.codes], kind)
    return pa.array(values.values, kind).take(pa.array(values.codes))
