"""Export of the L1 table, which analyses the vehicles of a recording; polars writes it."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ..analysis.constants import COLUMNS, L1, L1_MEANING
from ..format import Field
from ..format.schema import FieldType
from ..progress import Progress
from ..reading import SelectorError
from ..texts import say
from .export_format import ExportFormat, ExportPreview, ExportSource, FileBeside, FormatTable
from .table_format import TableOptions

if TYPE_CHECKING:
    import polars as pl

    from ..analysis import Analysis

_TYPES: Mapping[str, FieldType] = {"i1": "i8", "i4": "i32", "i8": "i64", "f4": "f32", "f8": "f64", "str": "str"}
"""Types of fields, by those of the columns of the table."""

_SAMPLE = 1000  # rows, by which the size is estimated


def _fields() -> tuple[Field, ...]:
    """Return the columns of the table as fields."""
    fields = []
    for column in COLUMNS:
        fields.append(Field(path=column.name, type=_TYPES[column.type], meaning=column.meaning, unit=column.unit))
    return tuple(fields)


class L1Table(ExportFormat[TableOptions]):
    """The L1 table as Parquet, CSV or JSON Lines."""

    name = "l1"
    title = "L1"
    suffixes = (".parquet", ".csv", ".jsonl")
    options = TableOptions
    tables = (FormatTable(name=L1, meaning=L1_MEANING, columns=_fields()),)

    def preview(
        self, source: ExportSource, options: TableOptions, suffix: str, rows: int, progress: Progress
    ) -> ExportPreview:
        """Show the first rows, and a size by that of a thousand rows."""
        from ..analysis.recording import lives_in

        analysis = _analyse(source, progress)
        table = analysis.table(lives_in(analysis, source.subset))
        meanings = {column.name: column.meaning for column in COLUMNS}
        first_rows = []
        for line in table.head(rows).write_csv(include_header=False).splitlines():
            first_rows.append(tuple(line.split(",")))
        return ExportPreview(
            columns=tuple(table.columns),
            meanings=tuple(meanings[name] for name in table.columns),
            rows=tuple(first_rows),
            total=len(table),
            size=_size(table, suffix),
            exact=False,
        )

    def write(
        self, source: ExportSource, options: TableOptions, target: Path, *, overwrite: bool, progress: Progress
    ) -> tuple[FileBeside, ...]:
        """Write the table, atomically."""
        from ..analysis.recording import lives_in

        analysis = _analyse(source, progress)
        analysis.export(target, lives_in(analysis, source.subset), overwrite=overwrite)
        return ()


def _analyse(source: ExportSource, progress: Progress) -> "Analysis":
    """Return the analysis of the chosen frames.

    Raises:
        SelectorError: Frames are left out.
    """
    from ..analysis.recording import of_recording

    frames = source.subset.frames
    if frames.step != 1:
        raise SelectorError(say("The table l1 takes frames as they follow one another; leave --step away."))
    if frames not in source.analyses:
        source.analyses[frames] = of_recording(source.snapshot, frames=frames, progress=progress)
    return source.analyses[frames]


def _size(table: "pl.DataFrame", suffix: str) -> int:
    sample = table.head(_SAMPLE)
    stream = BytesIO()
    if suffix == ".csv":
        sample.write_csv(stream)
    elif suffix == ".jsonl":
        sample.write_ndjson(stream)
    else:
        sample.write_parquet(stream)
    return round(len(stream.getvalue()) * len(table) / max(1, len(sample)))
