"""Export of tables with tabs between the columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from recorder_editor.formats.row_texts import plain_rows
from recorder_editor.formats.table_format import TableFormat, TableOptions
from recorder_editor.formats.tables import Table, TableBlock
from recorder_editor.option_specs import OptionSpec, option
from recorder_editor.progress import Progress


@dataclass(frozen=True)
class TsvOptions(TableOptions):
    """What may be chosen of a file with tabs."""

    no_names: bool = option(
        False, OptionSpec(flag="--no-names", kind="switch", label="No names", help="leave out the line of column names")
    )


class Tsv(TableFormat[TsvOptions]):
    """A line for each row, with tabs between the columns."""

    name = "tsv"
    title = "TSV"
    suffixes = (".tsv",)
    options = TsvOptions

    def write_rows(
        self, stream: BinaryIO, table: Table, blocks: Iterator[TableBlock], options: TsvOptions, progress: Progress
    ) -> None:
        """Write the lines of a table."""
        if not options.no_names:
            names = [column.path for column in table.columns]
            stream.write(("\t".join(names) + "\n").encode())
        for block in blocks:
            progress.check()
            stream.writelines(("\t".join(row) + "\n").encode() for row in plain_rows(table.columns, block))
