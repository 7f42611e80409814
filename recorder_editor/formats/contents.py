"""What a file without a table holds, a row for each part of it, as its preview shows it."""

from typing import NamedTuple

from ..format import Field
from .export_format import ExportPreview
from .row_texts import plain_rows
from .tables import TableBlock


class Contents(NamedTuple):
    """The parts of a file.

    Attributes:
        columns: What is told of each part.
        block: A row for each part.
        size: The estimated size of the file in bytes.
        amount: What the file holds, in words: `5 topics, 1,953 messages`.
    """

    columns: tuple[Field, ...]
    block: TableBlock
    size: int
    amount: str

    def preview(self, rows: int) -> ExportPreview:
        """Return a preview of the first rows."""
        return ExportPreview(
            columns=tuple(column.path for column in self.columns),
            meanings=tuple(column.meaning for column in self.columns),
            rows=tuple(plain_rows(self.columns, self.block.between(0, rows))),
            total=self.block.rows,
            size=self.size,
            exact=True,
            amount=self.amount,
        )
