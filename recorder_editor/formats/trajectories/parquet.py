"""Tables of trajectories in Parquet files, read with pyarrow."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...extras import remedy
from ...texts import say
from .delimited import MOST_COLUMNS, Block, TextColumn
from .trajectories import BLOCK_ROWS, TrajectoryError


class ParquetFile:
    """A table in a Parquet file; attributes as of `DelimitedFile`, with rows in place of bytes and lines."""

    delimiter = ""

    def __init__(self, path: Path) -> None:
        """Read what it tells of its columns.

        Raises:
            TrajectoryError: pyarrow is missing, or it is no Parquet file.
            OSError: It cannot be read.
        """
        try:
            import pyarrow as pa
            import pyarrow.parquet
        except ImportError:
            raise TrajectoryError(
                say("Parquet files need pyarrow, which is not installed. {remedy}", remedy=remedy("parquet"))
            ) from None
        self.path = path
        self._errors = (pa.ArrowException, ValueError)
        with path.open("rb"):
            pass  # so that a file that cannot be read is an OSError with its path
        try:
            self._file = pyarrow.parquet.ParquetFile(path)
            schema = self._file.schema_arrow
        except (*self._errors, OSError) as error:
            raise self._damaged(error) from None
        self.size = int(self._file.metadata.num_rows)
        self.names = list(schema.names)
        if len(self.names) > MOST_COLUMNS:
            raise TrajectoryError(
                say(
                    "{source} has {count:,} columns; a table of trajectories has at most {most:,}.",
                    source=path.name,
                    count=len(self.names),
                    most=MOST_COLUMNS,
                )
            )
        units = []
        for field in schema:
            metadata = field.metadata or {}
            units.append(metadata.get(b"unit", b"").decode("utf-8", "replace"))
        self.told_units = tuple(units)

    @property
    def first_rows(self) -> list[list[str]]:
        """The first rows as texts, for a person to see."""
        try:
            batch = next(self._file.iter_batches(batch_size=3), None)
        except (*self._errors, OSError):
            return []
        if batch is None:
            return []
        columns = [[str(value) for value in column.to_pylist()] for column in batch.columns]
        return [list(row) for row in zip(*columns, strict=True)]

    def blocks(self, numbers: Sequence[int], texts: Sequence[int]) -> Iterator[Block]:
        """Yield the rows in blocks, as `DelimitedFile.blocks`.

        Raises:
            TrajectoryError: The file is damaged, or a column of numbers holds none.
        """
        names = [self.names[index] for index in (*numbers, *texts)]
        done = 0
        try:
            for batch in self._file.iter_batches(batch_size=BLOCK_ROWS, columns=names):
                values = {index: self._numbers(batch, index) for index in numbers}
                words = {index: self._texts(batch, index) for index in texts}
                lines = np.arange(done + 1, done + 1 + len(batch))
                done += len(batch)
                yield Block(lines, values, words, done)
        except (*self._errors, OSError) as error:
            raise self._damaged(error) from None

    def _numbers(self, batch: Any, index: int) -> Any:
        import pyarrow as pa

        column = batch.column(batch.schema.get_field_index(self.names[index]))
        try:
            if pa.types.is_timestamp(column.type):
                column = column.cast(pa.timestamp("ns")).cast(pa.int64())
                return column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) * 1e-9
            values = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        except pa.ArrowException:
            raise TrajectoryError(
                say("Column {column} of {source} holds no numbers.", column=self.names[index], source=self.path.name)
            ) from None
        return np.where(np.isfinite(values), values, np.nan)

    def _texts(self, batch: Any, index: int) -> TextColumn:
        import pyarrow as pa

        column = batch.column(batch.schema.get_field_index(self.names[index]))
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
        values = ["" if value is None else str(value).strip() for value in column.dictionary.to_pylist()]
        missing = codes < 0
        if missing.any():
            codes = np.where(missing, len(values), codes).astype(np.int32)
            values.append("")
        return TextColumn(values, codes)

    def _damaged(self, error: Exception) -> TrajectoryError:
        reason = str(error).partition("\n")[0].rstrip(".")
        return TrajectoryError(say("{name} cannot be read: {reason}.", name=self.path.name, reason=reason))
