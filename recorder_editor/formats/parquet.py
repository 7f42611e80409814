"""Export of tables as Parquet, with units and meanings in the metadata. pyarrow is loaded when a file is written."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from ..extras import remedy
from ..format import Field
from ..progress import Progress
from ..texts import say
from .export_format import ExportError
from .table_format import Sampling, TableFormat, TableOptions
from .tables import DictionaryColumn, Table, TableBlock, Values
from .tables.values import NUMPY

if TYPE_CHECKING:
    import pyarrow as pa


class Parquet(TableFormat[TableOptions]):
    """Parquet; a row group for each block of rows."""

    name = "parquet"
    title = "Parquet"
    suffixes = (".parquet",)
    options = TableOptions
    sampling = Sampling(samples=2, frames=512)  # neighbouring rows are compressed together

    def write_rows(
        self, stream: BinaryIO, table: Table, blocks: Iterator[TableBlock], options: TableOptions, progress: Progress
    ) -> None:
        """Write the rows of a table."""
        try:
            import pyarrow as pa
            import pyarrow.parquet as parquet
        except ImportError:
            raise ExportError(
                say("Parquet files need pyarrow, which is not installed. {remedy}", remedy=remedy("parquet"))
            ) from None
        fields = []
        for column in table.columns:
            fields.append(pa.field(column.path, _arrow_type(column), metadata=_metadata(column)))
        schema = pa.schema(fields, metadata={"table": table.name, "meaning": table.meaning})
        with parquet.ParquetWriter(stream, schema) as writer:
            for block in blocks:
                arrays = []
                for field, values in zip(schema, block.values, strict=True):
                    arrays.append(_array(field.type, values))
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=block.rows)


def _metadata(column: Field) -> dict[str, str]:
    metadata = {"meaning": column.meaning}
    if column.unit:
        metadata["unit"] = column.unit
    return metadata


def _arrow_type(column: Field) -> "pa.DataType":
    import pyarrow as pa

    if column.type == "str":
        return pa.dictionary(pa.int32(), pa.string())
    return pa.from_numpy_dtype(NUMPY[column.type])


def _array(type_: "pa.DataType", values: Values) -> "pa.Array":
    import pyarrow as pa

    if not isinstance(values, DictionaryColumn):
        return pa.array(values, type_)
    if pa.types.is_dictionary(type_):
        return pa.DictionaryArray.from_arrays(values.codes, pa.array(values.values, pa.string()))
    if isinstance(values.values, np.ndarray):
        return pa.array(values.values[values.codes], type_)
    return pa.array(values.values, type_).take(pa.array(values.codes))
