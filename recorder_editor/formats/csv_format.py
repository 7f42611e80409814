"""Export of tables as CSV."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from ..format import Field
from ..option_specs import OptionSpec, option
from ..progress import Progress
from ..texts import N_
from .arrow_texts import ColumnValues
from .row_texts import lines_of, plain_texts
from .table_format import TableFormat, TableOptions
from .tables import Table, TableBlock
from .text_file import write_pieces


@dataclass(frozen=True)
class CsvOptions(TableOptions):
    """What may be chosen of a CSV file.

    Attributes:
        guard_formulas: Put `'` before texts that a spreadsheet would run as a formula.
    """

    guard_formulas: bool = option(
        False,
        OptionSpec(
            flag="--guard-formulas",
            kind="switch",
            label=N_("Guard formulas"),
            help=N_("in CSV, put ' before texts that a spreadsheet would run as a formula"),
        ),
    )


class Csv(TableFormat[CsvOptions]):
    """CSV by RFC 4180."""

    name = "csv"
    title = "CSV"
    suffixes = (".csv",)
    options = CsvOptions

    def write_rows(
        self, stream: BinaryIO, table: Table, blocks: Iterator[TableBlock], options: CsvOptions, progress: Progress
    ) -> None:
        """Write the lines of a table."""
        write_pieces(stream, csv_lines(table.columns, blocks, guard=options.guard_formulas), progress)


def csv_lines(columns: Sequence[Field], blocks: Iterable[TableBlock], *, guard: bool = False) -> Iterator[bytes]:
    """Yield CSV by RFC 4180, but with plain line feeds, in batches of rows.

    Args:
        columns: The columns.
        blocks: The rows; missing values are empty, others may be `nan`, `inf`, `-inf`.
        guard: Put `'` before texts that a spreadsheet would take for a formula.
    """
    names = [column.path for column in columns]
    yield (",".join(names) + "\n").encode()
    pattern = ",".join(["%s"] * len(columns))

    def csv_texts(column: Field, values: ColumnValues) -> list[str]:
        texts = plain_texts(column, values, guard=guard)
        if column.type == "str":
            return [_quoted(text) for text in texts]
        return texts

    yield from lines_of(pattern, columns, blocks, csv_texts)


def _quoted(text: str) -> str:
    if set(text) & set(',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text
