"""Export of tables as Parquet, with units and meanings in the metadata. pyarrow is loaded when a file is written."""

from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from ..extras import remedy
from ..format import Field
from ..progress import Progress
from ..texts import say
from .export_format import ExportError
from .table_format import Sampling, TableFormat, TableOptions
from .tables import DictionaryColumn, GappedColumn, Table, TableBlock, Values
from .tables.values import NUMPY

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter


_ARROW_SCHEMA = "ARROW:schema"
"""Where Arrow looks in the metadata of a file for the types and the metadata of its columns."""

_BATCH = 1 << 16  # values of a column that are encoded together; the default of 1024 takes longer


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
            from pyarrow.parquet import ParquetWriter
        except ImportError:
            raise ExportError(
                say("Parquet files need pyarrow, which is not installed. {remedy}", remedy=remedy("parquet"))
            ) from None
        schema = pa.schema(_written_fields(table))
        first = next(blocks, None)
        repeating = _repeating_columns(table, first)
        with ParquetWriter(
            stream,
            schema,
            store_schema=False,
            use_dictionary=repeating,
            write_statistics=repeating,
            write_batch_size=_BATCH,
        ) as writer:
            writer.add_key_value_metadata(_file_metadata(table))
            if first is not None:
                _write_blocks(writer, schema, chain((first,), blocks))


def _write_blocks(writer: "ParquetWriter", schema: "pa.Schema", blocks: Iterator[TableBlock]) -> None:
    """Write blocks, each in a thread while the next one is made."""
    import pyarrow as pa

    def write(block: TableBlock) -> None:
        arrays = []
        for field, values in zip(schema, block.values, strict=True):
            arrays.append(_array(field.type, values))
        writer.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=block.rows)

    with ThreadPoolExecutor(max_workers=1) as thread:
        pending: Future[None] | None = None
        for block in blocks:
            if pending is not None:
                pending.result()
            pending = thread.submit(write, block)
        if pending is not None:
            pending.result()


def _written_fields(table: Table) -> "list[pa.Field]":
    """Return the fields by which columns are written: texts with a dictionary, which is faster than one by one."""
    import pyarrow as pa

    fields = []
    for column in table.columns:
        type_ = _arrow_type(column)
        if column.type == "str":
            type_ = pa.dictionary(pa.int32(), type_)
        fields.append(pa.field(column.path, type_))
    return fields


def _file_metadata(table: Table) -> dict[str, str | bytes]:
    """Return the metadata of a file, with the schema by which Arrow reads it: texts are plain strings.

    Dictionaries would be read as categories, which cannot be searched as texts.
    """
    import pyarrow as pa

    about: dict[str, str | bytes] = {"table": table.name, "meaning": table.meaning}
    fields = []
    for column in table.columns:
        fields.append(pa.field(column.path, _arrow_type(column), metadata=_metadata(column)))
    schema = pa.schema(fields, metadata=about)
    return about | {_ARROW_SCHEMA: b64encode(schema.serialize().to_pybytes())}


def _repeating_columns(table: Table, block: TableBlock | None) -> list[str]:
    """Return the columns that get a dictionary and statistics in the file: of doubles those with a dictionary here.

    Others hardly repeat, and their least and greatest values are about those of the whole table in every row group.
    """
    if block is None:
        return []
    names = []
    for column, values in zip(table.columns, block.values, strict=True):
        if column.type != "f64" or isinstance(values, DictionaryColumn):
            names.append(column.path)
    return names


def _metadata(column: Field) -> dict[str, str]:
    metadata = {"meaning": column.meaning}
    if column.unit:
        metadata["unit"] = column.unit
    return metadata


def _arrow_type(column: Field) -> "pa.DataType":
    import pyarrow as pa

    if column.type == "str":
        return pa.string()
    return pa.from_numpy_dtype(NUMPY[column.type])


def _array(type_: "pa.DataType", values: Values) -> "pa.Array":
    import pyarrow as pa

    if isinstance(values, GappedColumn):
        return pa.array(values.values, type_, mask=values.is_missing)
    if not isinstance(values, DictionaryColumn):
        return pa.array(values, type_)
    if pa.types.is_dictionary(type_):
        return pa.DictionaryArray.from_arrays(values.codes, pa.array(values.values, pa.string()))
    if isinstance(values.values, np.ndarray):
        return pa.array(values.values[values.codes], type_)
    return pa.array(values.values, type_).take(pa.array(values.codes))
