"""What a file without a table holds, a row for each part of it, as its preview shows it."""

from collections.abc import Sequence
from typing import NamedTuple

from ..format import Field
from ..texts import N_, listed, say_count
from .export_format import ExportPreview
from .row_texts import plain_rows
from .tables import TableBlock
from .tables.values import block_of


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


_CHANNEL_COLUMNS = (
    Field("topic", "str", N_("Name of the channel")),
    Field("schema", "str", N_("Schema of its messages")),
    Field("messages", "u32", N_("Number of its messages")),
)


def channel_contents(channels: Sequence[tuple[str, str, int]], size: int) -> Contents:
    """Return the channels of an MCAP file.

    Args:
        channels: Name, schema and number of messages of each channel.
        size: The estimated size of the file in bytes.
    """
    messages = sum(count for _, _, count in channels)
    topics_text = say_count("1 topic", "{count:,} topics", count=len(channels))
    messages_text = say_count("1 message", "{count:,} messages", count=messages)
    amount = listed((topics_text, messages_text), "clauses")
    return Contents(_CHANNEL_COLUMNS, block_of(_CHANNEL_COLUMNS, channels), size, amount)
