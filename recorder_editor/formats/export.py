"""Export to CSV, JSON Lines, Parquet, OpenSCENARIO and MCAP, with a preview.

The ending of the file name selects the format, `table` the columns, `subset` the actors and frames. Only one block of
rows is in memory at a time. Dictionary-encoded values are formatted once, and lines in batches of rows; floats are the
shortest decimals that read back as the same value in their width. pyarrow is imported only when Parquet is written.
"""

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ..arrays import AnyArray
from ..errors import RecorderError, SaveRefused
from ..extras import remedy
from ..format import Field
from ..progress import SILENT, Progress
from ..reading import Subset
from ..reading.selectors import find_subset
from ..recording import Snapshot, atomic_write, write_file
from ..roads import RoadMap
from ..texts import listed, say
from .dump import column_texts
from .openscenario import STANDARD, ScenarioStyle, preview_scenario, scenario
from .signals import McapStyle
from .tables import DictionaryColumn, Table, TableBlock, Values, find_table, road_map_table
from .tables.values import NUMPY

__all__ = [
    "DEFAULT_TABLE",
    "ENDINGS",
    "ExportError",
    "ExportPreview",
    "Kept",
    "export",
    "export_lanes",
    "files_beside",
    "preview",
]

ENDINGS = (".csv", ".jsonl", ".parquet", ".xosc", ".mcap")
"""The endings of the files that can be written."""

WHOLE = (".xosc", ".mcap")
"""Those that hold no table."""

DEFAULT_TABLE = "positions"

Style = ScenarioStyle | McapStyle
"""How a file without a table is written."""

Sampling = tuple[int, int]
_SPREAD_SAMPLES: Sampling = (32, 1)  # samples, and frames in each, from which the file size is estimated
_LONG_SAMPLES: Sampling = (2, 512)  # the same for formats that compress neighbouring rows


class Kept(NamedTuple):
    """A file beside the target that exists with another content, and the content that the export has for it."""

    path: Path
    data: bytes


class ExportError(RecorderError):
    """The file cannot be exported in this format; nothing was written."""


@dataclass(frozen=True)
class ExportPreview:
    """What an export would write.

    Attributes: `columns` (names, with their units), `meanings` (a line for each), `rows` (the first ones, as in CSV),
    `total` (rows in all), `size` (bytes), `exact` (False: total and size are estimated from samples of the
    recording; the size of a Parquet, OpenSCENARIO or MCAP file is always an estimate).
    """

    columns: tuple[str, ...]
    meanings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    size: int
    exact: bool


def export(
    snapshot: Snapshot,
    target: Path,
    table: str = DEFAULT_TABLE,
    subset: Subset | None = None,
    *,
    guard_formulas: bool = False,
    style: Style | None = None,
    overwrite: bool = False,
    overwrite_beside: bool = False,
    progress: Progress = SILENT,
) -> tuple[Kept, ...]:
    """Write the chosen rows to `target` in the format of its ending, atomically.

    Returns the files beside the target that hold something else than belongs there, and were kept; `overwrite_beside`
    replaces them. `overwrite` replaces what nothing makes again, as a recording, at `target`.

    `table` is a name of `tables(snapshot)`; OpenSCENARIO (`.xosc`) has none and holds the trajectories of moving
    actors, and MCAP (`.mcap`) what `write_mcap` writes, each in its own `style`. `subset` comes from
    `find_subset`; None is everything. `guard_formulas` puts `'` before texts of CSV that a spreadsheet would take for a
    formula. `progress` counts frames or points. Raises `ExportError` (unknown format, or its library is not installed),
    `ScenarioError`, `SelectorError` (no such table, or one without actors), `Cancelled`, `WouldReplace`, `SaveRefused`,
    OSError, and errors of reading as `Store.read`.
    """
    ending = _check_ending(target.suffix)
    if snapshot.store.sources_at(target):
        raise SaveRefused(
            say("{name} is the recording itself, and would be replaced. Choose another name.", name=target.name)
        )
    chosen = find_subset(snapshot) if subset is None else subset
    if ending == ".xosc":
        with atomic_write(target, overwrite=overwrite) as stream:
            _write_pieces(
                stream,
                scenario(snapshot, chosen, progress, style=_scenario_style(style), folder=target.parent),
                progress,
            )
        return ()
    if ending == ".mcap":
        how = style or McapStyle()
        layout: bytes = _mcap().write_mcap(target, snapshot, chosen, how, progress, overwrite=overwrite)
        return _write_beside(layout_path(target), layout, overwrite_beside)
    found = find_table(snapshot, table)
    with atomic_write(target, overwrite=overwrite) as stream:
        _write(stream, ending, found, found.blocks(chosen, progress), progress, guard=guard_formulas)
    return ()


def layout_path(target: Path) -> Path:
    """The layout for Foxglove of an MCAP file."""
    return target.with_suffix(".layout.json")


def files_beside(target: Path) -> tuple[Path, ...]:
    """The files that `export` writes beside a target."""
    return (layout_path(target),) if target.suffix.lower() == ".mcap" else ()


def _write_beside(path: Path, data: bytes, overwrite: bool) -> tuple[Kept, ...]:
    """Write a file beside the target; one that holds something else is kept, and returned, unless `overwrite`."""
    with suppress(FileNotFoundError):
        if path.stat().st_size == len(data) and path.read_bytes() == data:
            return ()
        if not overwrite and path.stat().st_size:
            return (Kept(path, data),)
    write_file(path, data, overwrite=overwrite)
    return ()


def export_lanes(
    roads: RoadMap, target: Path, step: float = 2.0, *, overwrite: bool = False, progress: Progress = SILENT
) -> None:
    """Write points along the lanes of a road map, every `step` metres, to a table (.csv, .jsonl, .parquet), atomically.

    Without `overwrite` a file that nothing makes again stays. Raises `ExportError`, `WouldReplace`, `Cancelled` and
    OSError.
    """
    ending = _check_ending(target.suffix)
    if ending in WHOLE:
        raise ExportError(say("Lanes are a table and no scenario; give a name that ends in .csv, .jsonl or .parquet."))
    table = road_map_table(roads, step)
    with atomic_write(target, overwrite=overwrite) as stream:
        _write(stream, ending, table, table.blocks(Subset(range(0), None), progress), progress)


def _check_ending(ending: str) -> str:
    lower = ending.lower()
    if lower not in ENDINGS:
        raise ExportError(
            say(
                "Files that end in “{ending}” cannot be written; there are {endings}.",
                ending=ending,
                endings=listed(ENDINGS),
            )
        )
    return lower


def _write(
    stream: BinaryIO,
    ending: str,
    table: Table,
    blocks: Iterator[TableBlock],
    progress: Progress = SILENT,
    *,
    guard: bool = False,
) -> None:
    if ending == ".parquet":
        _write_parquet(stream, table, blocks)
    elif ending == ".csv":
        _write_pieces(stream, csv_lines(table.columns, blocks, guard=guard), progress)
    else:
        _write_pieces(stream, json_lines(table.columns, blocks), progress)


def _write_pieces(stream: BinaryIO, pieces: Iterator[bytes], progress: Progress) -> None:
    for piece in pieces:
        progress.check()
        stream.write(piece)


# --- preview ----------------------------------------------------------------------------------------------


def preview(
    snapshot: Snapshot,
    ending: str,
    table: str = DEFAULT_TABLE,
    subset: Subset | None = None,
    *,
    rows: int = 100,
    style: Style | None = None,
    progress: Progress = SILENT,
) -> ExportPreview:
    """The first rows that `export` would write to a file of an ending (`.csv`), and how many rows and bytes in all.

    Arguments and errors as of `export`; OpenSCENARIO lists its actors, MCAP its channels. A few frames are read; all
    positions for OpenSCENARIO and for the table of actors.
    """
    known = _check_ending(ending)
    chosen = find_subset(snapshot) if subset is None else subset
    if known in WHOLE:
        if known == ".mcap":
            columns, block, size = _mcap().preview_mcap(snapshot, chosen, style or McapStyle(), progress)
        else:
            columns, block, size = preview_scenario(snapshot, chosen, _scenario_style(style), progress)
        lines = tuple(plain_rows(columns, block.between(0, rows)))
        return ExportPreview(*_names_and_meanings(columns), lines, block.rows, size, True)
    shown = find_table(snapshot, table)
    sample, share = _sample(shown, chosen, progress.quiet(), _LONG_SAMPLES if known == ".parquet" else _SPREAD_SAMPLES)
    empty, full = _written_size(known, shown, []), _written_size(known, shown, sample)
    total = round(sum(block.rows for block in sample) * share)
    first = tuple(_first_rows(shown, chosen, rows, progress.quiet()))
    return ExportPreview(
        *_names_and_meanings(shown.columns), first, total, round(empty + (full - empty) * share), share == 1
    )


def _names_and_meanings(columns: tuple[Field, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(column.path for column in columns), tuple(column.meaning for column in columns)


def _sample(table: Table, subset: Subset, progress: Progress, sampling: Sampling) -> tuple[list[TableBlock], float]:
    """Rows of sample frames, and the ratio of all frames that may have rows to the sampled ones."""
    number, length = sampling
    frames = table.where(subset.frames) if table.where is not None else None
    if frames is None or len(frames) <= number * length:
        return list(table.blocks(subset, progress)), 1.0
    begins = np.linspace(0, len(frames) - length, number).astype(np.int64)
    parts = [
        Subset(range(first, last + 1, subset.frames.step), subset.spans)
        for first, last in zip(frames[begins].tolist(), frames[begins + length - 1].tolist(), strict=True)
    ]
    return [block for part in parts for block in table.blocks(part, progress)], len(frames) / (number * length)


def _written_size(ending: str, table: Table, blocks: list[TableBlock]) -> int:
    stream = io.BytesIO()
    _write(stream, ending, table, iter(blocks))
    return len(stream.getvalue())


def _first_rows(table: Table, subset: Subset, rows: int, progress: Progress) -> Iterator[tuple[str, ...]]:
    """The texts of the first rows; frames are read in growing portions."""
    at, portion = 0, max(1, len(subset.frames) if table.where is None else 1)
    while rows > 0 and at < len(subset.frames):
        for block in table.blocks(Subset(subset.frames[at : at + portion], subset.spans), progress):
            yield from plain_rows(table.columns, block.between(0, rows))
            rows -= min(rows, block.rows)
            if not rows:
                return
        at, portion = at + portion, portion * 8


# --- CSV and JSON Lines -----------------------------------------------------------------------------------


Column = Sequence[Any] | AnyArray
Texts = Callable[[Field, Column], list[str]]

_ROWS = 1 << 14  # formatted together
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(columns: Sequence[Field], blocks: Iterable[TableBlock], *, guard: bool = False) -> Iterator[bytes]:
    """CSV by RFC 4180, but with plain line feeds; missing values are empty, others may be `nan`, `inf`, `-inf`.

    `guard` puts `'` before texts that a spreadsheet would take for a formula.
    """
    yield (",".join(column.path for column in columns) + "\n").encode()
    yield from _lines(",".join(["%s"] * len(columns)), columns, blocks, partial(_texts, guard=guard, quote=True))


def json_lines(columns: Sequence[Field], blocks: Iterable[TableBlock]) -> Iterator[bytes]:
    """One strict JSON object a row; missing values are null, non-finite numbers strings of their bits."""
    line = "{" + ", ".join(f'"{column.path}": %s' for column in columns) + "}"
    yield from _lines(line, columns, blocks, _json_texts)


def plain_rows(columns: Sequence[Field], block: TableBlock) -> Iterator[tuple[str, ...]]:
    """The texts of each row as in CSV, without quotes."""
    prepared = _formatters(columns, block, partial(_texts, guard=False, quote=False))
    return zip(*(column(0, block.rows) for column in prepared), strict=True)


def _lines(line: str, columns: Sequence[Field], blocks: Iterable[TableBlock], texts: Texts) -> Iterator[bytes]:
    for block in blocks:
        prepared = _formatters(columns, block, texts)
        for start in range(0, block.rows, _ROWS):
            part = zip(*(column(start, start + _ROWS) for column in prepared), strict=True)
            yield ("\n".join([line % row for row in part]) + "\n").encode("utf-8", "backslashreplace")


def _formatters(columns: Sequence[Field], block: TableBlock, texts: Texts) -> list[Callable[[int, int], list[str]]]:
    """A function for each column that formats the rows `[start, stop)`."""

    def coded(column: Field, values: DictionaryColumn) -> Callable[[int, int], list[str]]:
        known = np.array(texts(column, values.values), object)
        return lambda start, stop: known[values.codes[start:stop]].tolist()

    def plain(column: Field, values: AnyArray) -> Callable[[int, int], list[str]]:
        return lambda start, stop: texts(column, values[start:stop])

    return [
        coded(column, values) if isinstance(values, DictionaryColumn) else plain(column, values)
        for column, values in zip(columns, block.values, strict=True)
    ]


def _texts(column: Field, values: Column, *, guard: bool, quote: bool) -> list[str]:
    """Values as in CSV; `quote` texts that need it, `guard` against formulas."""
    if column.type == "str":
        texts = [f"'{text}" if guard and text.startswith(_FORMULA) else text for text in values]
        return [_quoted(text) for text in texts] if quote else texts
    if not isinstance(values, np.ndarray):
        numbers = [None if value is None else _single_value(column, value) for value in values]
        return ["" if each is None else _texts(column, each, guard=guard, quote=quote)[0] for each in numbers]
    texts = column_texts(column, values)
    if values.dtype.kind == "f":
        for index in np.flatnonzero(~np.isfinite(values)).tolist():
            texts[index] = str(float(values[index]))
    return texts


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n') else text


def _json_texts(column: Field, values: Column) -> list[str]:
    if column.type == "str":
        return [json.dumps(text, ensure_ascii=False) for text in values]
    if not isinstance(values, np.ndarray):
        return ["null" if value is None else column_texts(column, _single_value(column, value))[0] for value in values]
    return column_texts(column, values)


def _single_value(column: Field, value: Any) -> AnyArray:
    return np.array([value], NUMPY[column.type])


# --- Parquet ----------------------------------------------------------------------------------------------


def _write_parquet(stream: BinaryIO, table: Table, blocks: Iterable[TableBlock]) -> None:
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


def _scenario_style(style: Style | None) -> ScenarioStyle:
    return style if isinstance(style, ScenarioStyle) else STANDARD


def _mcap() -> Any:
    try:
        return import_module(".mcap", __package__)
    except ImportError:
        raise ExportError(
            say("MCAP files need three packages that are not installed. {remedy}", remedy=remedy("mcap"))
        ) from None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ExportError(
            say("Parquet files need pyarrow, which is not installed. {remedy}", remedy=remedy("parquet"))
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
