"""Export to CSV, JSON Lines, Parquet and OpenSCENARIO, with a preview.

The ending of the file name selects the format, `table` the columns, `subset` the actors and frames. Only one block of
rows is in memory at a time.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ...errors import SaveRefused
from ...format.schema import Field
from ...progress import SILENT, Progress
from ...recording.atomic_file import atomic_write
from ...recording.selectors import Subset, find_subset
from ...recording.snapshot import Snapshot
from ..openscenario import preview_scenario, scenario
from ..tables import Block, Table, find_table
from .lines import csv_lines, json_lines, plain_rows
from .parquet import ExportError, write_parquet

__all__ = ["DEFAULT_TABLE", "ENDINGS", "ExportError", "ExportPreview", "export", "preview"]

ENDINGS = (".csv", ".jsonl", ".parquet", ".xosc")
"""The endings of the files that can be written."""

DEFAULT_TABLE = "positions"

Sampling = tuple[int, int]
_SPREAD_SAMPLES: Sampling = (32, 1)  # samples, and frames in each, from which the file size is estimated
_LONG_SAMPLES: Sampling = (2, 512)  # the same for formats that compress neighbouring rows


@dataclass(frozen=True)
class ExportPreview:
    """What an export would write.

    Attributes: `columns` (names, with their units), `meanings` (a line for each), `rows` (the first ones, as in CSV),
    `total` (rows in all), `size` (bytes), `exact` (False: total and size are estimated from samples of the
    recording; the size of a Parquet or OpenSCENARIO file is always an estimate).
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
    progress: Progress = SILENT,
) -> None:
    """Write the chosen rows to `target` in the format of its ending, atomically.

    `table` is a name of `tables(snapshot)`; OpenSCENARIO (`.xosc`) has none and holds the trajectories of moving
    actors. `subset` comes from `find_subset`; None is everything. `guard_formulas` puts `'` before texts of CSV that a
    spreadsheet would take for a formula. `progress` counts frames or points. Raises
    `ExportError` (unknown format, or its library is not installed), `ScenarioError`, `SelectorError` (no such
    table, or one without actors), `Cancelled`, `SaveRefused`, OSError, and errors of reading as `Store.read`.
    """
    ending = _check_ending(target.suffix)
    if snapshot.store.sources_at(target):
        raise SaveRefused(f"{target.name} is the recording itself, and would be replaced. Choose another name.")
    chosen = find_subset(snapshot) if subset is None else subset
    if ending == ".xosc":
        with atomic_write(target) as stream:
            _write_pieces(stream, scenario(snapshot, chosen, progress), progress)
        return
    found = find_table(snapshot, table)
    with atomic_write(target) as stream:
        _write(stream, ending, found, found.blocks(chosen, progress), progress, guard=guard_formulas)


def _check_ending(ending: str) -> str:
    lower = ending.lower()
    if lower not in ENDINGS:
        raise ExportError(f"Files that end in “{ending}” cannot be written; there are {', '.join(ENDINGS)}.")
    return lower


def _write(
    stream: BinaryIO, ending: str, table: Table, blocks: Iterator[Block], progress: Progress = SILENT, *, guard: bool
) -> None:
    if ending == ".parquet":
        write_parquet(stream, table, blocks)
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
    guard_formulas: bool = False,
    progress: Progress = SILENT,
) -> ExportPreview:
    """The first rows that `export` would write to a file of an ending (`.csv`), and how many rows and bytes in all.

    Arguments and errors as of `export`; OpenSCENARIO lists its actors. A few frames are read; all positions for
    OpenSCENARIO and for the table of actors.
    """
    known = _check_ending(ending)
    chosen = find_subset(snapshot) if subset is None else subset
    if known == ".xosc":
        found = preview_scenario(snapshot, chosen, progress)
        lines = tuple(plain_rows(found.columns, found.block.between(0, rows)))
        return ExportPreview(*_names_and_meanings(found.columns), lines, found.block.rows, found.size, True)
    shown = find_table(snapshot, table)
    sample, share = _sample(shown, chosen, progress.quiet(), _LONG_SAMPLES if known == ".parquet" else _SPREAD_SAMPLES)
    guard = guard_formulas and known == ".csv"
    empty, full = _written_size(known, shown, [], guard), _written_size(known, shown, sample, guard)
    total = round(sum(block.rows for block in sample) * share)
    first = tuple(_first_rows(shown, chosen, rows, progress.quiet(), guard))
    return ExportPreview(
        *_names_and_meanings(shown.columns), first, total, round(empty + (full - empty) * share), share == 1
    )


def _names_and_meanings(columns: tuple[Field, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(column.path for column in columns), tuple(column.meaning for column in columns)


def _sample(table: Table, subset: Subset, progress: Progress, sampling: Sampling) -> tuple[list[Block], float]:
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


def _written_size(ending: str, table: Table, blocks: list[Block], guard: bool) -> int:
    stream = io.BytesIO()
    _write(stream, ending, table, iter(blocks), guard=guard)
    return len(stream.getvalue())


def _first_rows(table: Table, subset: Subset, rows: int, progress: Progress, guard: bool) -> Iterator[tuple[str, ...]]:
    """The texts of the first rows; frames are read in growing portions."""
    at, portion = 0, max(1, len(subset.frames) if table.where is None else 1)
    while rows > 0 and at < len(subset.frames):
        for block in table.blocks(Subset(subset.frames[at : at + portion], subset.spans), progress):
            yield from plain_rows(table.columns, block.between(0, rows), guard=guard)
            rows -= min(rows, block.rows)
            if not rows:
                return
        at, portion = at + portion, portion * 8
