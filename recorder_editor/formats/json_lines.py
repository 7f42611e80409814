"""Export of tables as JSON Lines."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import numpy as np

from ..format import Field
from ..progress import Progress
from .arrow_texts import ColumnValues
from .dump import column_texts
from .row_texts import lines_of, texts_with_gaps
from .table_format import TableFormat, TableOptions
from .tables import Table, TableBlock
from .text_file import write_pieces


class JsonLines(TableFormat[TableOptions]):
    """One strict JSON object a row."""

    name = "jsonl"
    title = "JSON Lines"
    suffixes = (".jsonl",)
    options = TableOptions

    def write_rows(
        self, stream: BinaryIO, table: Table, blocks: Iterator[TableBlock], options: TableOptions, progress: Progress
    ) -> None:
        """Write the lines of a table."""
        write_pieces(stream, json_lines(table.columns, blocks), progress)


def json_lines(columns: Sequence[Field], blocks: Iterable[TableBlock]) -> Iterator[bytes]:
    """Yield one strict JSON object a row, in batches of rows.

    Args:
        columns: The columns.
        blocks: The rows; missing values are null, numbers that are not finite are strings of their bits.
    """
    members = [f'"{column.path}": %s' for column in columns]
    yield from lines_of("{" + ", ".join(members) + "}", columns, blocks, _json_texts)


def _json_texts(column: Field, values: ColumnValues) -> list[str]:
    if column.type == "str":
        return [json.dumps(text, ensure_ascii=False) for text in values]
    if not isinstance(values, np.ndarray):
        return texts_with_gaps(column, values, missing="null", texts_of=column_texts)
    return column_texts(column, values)
