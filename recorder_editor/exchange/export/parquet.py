"""Tables as Parquet: a row group for each block, units and meanings as column metadata.

The only module that imports pyarrow, and only when a file is written. Texts are dictionary-encoded.
"""

from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from ...errors import RecorderError
from ...format.schema import Field
from ..tables import Block, DictionaryColumn, Table, Values
from ..tables.values import NUMPY


class ExportError(RecorderError):
    """The file cannot be exported in this format; nothing was written."""


def write_parquet(stream: BinaryIO, table: Table, blocks: Iterable[Block]) -> None:
    """Write the blocks of a table; raises `ExportError` without pyarrow."""
    pa = _pyarrow()
    schema = pa.schema(
        [pa.field(column.path, _arrow_type(pa, column), metadata=_metadata(column)) for column in table.columns],
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


def _metadata(column: Field) -> dict[str, str]:
    return {"meaning": column.meaning, **({"unit": column.unit} if column.unit else {})}


def _arrow_type(pa: Any, column: Field) -> Any:
    return pa.dictionary(pa.int32(), pa.string()) if column.type == "str" else pa.from_numpy_dtype(NUMPY[column.type])


def _array(pa: Any, type_: Any, values: Values) -> Any:
    if not isinstance(values, DictionaryColumn):
        return pa.array(values, type_)
    if pa.types.is_dictionary(type_):
        return pa.DictionaryArray.from_arrays(values.codes, pa.array(values.values, pa.string()))
    if isinstance(values.values, np.ndarray):
        return pa.array(values.values[values.codes], type_)
    return pa.array(values.values, type_).take(pa.array(values.codes))
