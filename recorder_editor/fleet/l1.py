"""The L1 table of highD recordings, of one or of many.

Needs the extra `[analysis]`; imported only when a table is built.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.constants import STANDARD, Options, metadata
from ..analysis.highd import NUMBERS, Raw, load, merge, recordings_in
from ..analysis.libraries import AnalysisError, library_missing
from ..analysis.steps import STEPS, Setting
from ..analysis.table import build_table, write
from ..progress import SILENT, Progress
from ..texts import say
from .pool import Outcome, run_many

if TYPE_CHECKING:
    import polars as pl

__all__ = ["build_many", "build_one", "parse_recordings", "table_path"]

_PARTS = len(STEPS) + 4  # and reading, merging, ordering, writing


class BuiltTable(NamedTuple):
    """A written table: the number of its recording, its file, its number of rows."""

    recording: int
    path: Path
    rows: int


def l1_table(
    raw: Raw, options: Options = STANDARD, progress: Progress = SILENT
) -> "tuple[pl.DataFrame, dict[str, object]]":
    """Steps 2 to 10: the table of a recording, and its metadata. Raises `AnalysisError`."""
    setting = Setting(1 / raw.rate, options, raw.picture)
    rows = merge(raw)
    for done, step in enumerate(STEPS, 2):
        progress.update(done, _PARTS)
        rows |= step(rows, setting)
    progress.update(_PARTS - 2, _PARTS)
    max_x = float((rows["x_raw"] + rows["width"] / 2).max())
    about = metadata(options, recording=raw.number, frame_rate=raw.rate, max_x=max_x, picture=raw.picture)
    return build_table(rows, options.extra), about


def build_one(
    raw_dir: Path,
    out_dir: Path,
    recording: int,
    options: Options = STANDARD,
    progress: Progress = SILENT,
    *,
    overwrite: bool = False,
) -> BuiltTable:
    """Build the table of one recording: `out_dir`/recording_NN/L1_master_frame.parquet.

    `progress` counts parts of the work. Replaces a table; `overwrite`: also what nothing makes again. Raises
    `AnalysisError` for missing or damaged files, `WouldReplace`, and OSError; then the old file stays.
    """
    progress.update(0, _PARTS)
    raw = load(raw_dir, recording)
    progress.update(1, _PARTS)
    table, about = l1_table(raw, options, progress)
    del raw
    target = table_path(out_dir, recording)
    target.parent.mkdir(parents=True, exist_ok=True)
    progress.update(_PARTS - 1, _PARTS)
    write(table, target, about, overwrite=overwrite)
    progress.update(_PARTS, _PARTS)
    return BuiltTable(recording, target, len(table))


def build_many(
    raw_dir: Path,
    out_dir: Path,
    recordings: Sequence[int] | None = None,
    options: Options = STANDARD,
    *,
    workers: int = 1,
    cluster: str | None = None,
    overwrite: bool = False,
    progress: Callable[[int], Progress] = lambda _: SILENT,
) -> Iterator[Outcome[int, BuiltTable]]:
    """Build the tables of recordings (None: of all in the folder); yields the outcomes as they complete.

    With one worker they are built in this process and in order, and `progress(recording)` gives the progress
    of `build_one`; with more, in processes; `cluster` is the address of a Dask scheduler, whose workers have to see
    both folders. A missing or damaged recording does not stop the others. Raises `AnalysisError` for a cluster
    that does not answer, and `LibraryMissing`.
    """
    for name in ("scipy", "pyarrow"):
        if find_spec(name) is None:
            raise library_missing(name)
    if recordings is None:
        numbers = recordings_in(raw_dir)
    else:
        numbers = list(dict.fromkeys(recordings))
    work = partial(build_one, raw_dir.absolute(), out_dir.absolute(), options=options, overwrite=overwrite)
    if cluster is None and min(workers, len(numbers)) == 1:
        return run_many(lambda number: work(number, progress=progress(number)), numbers)
    return run_many(work, numbers, workers, cluster)


def table_path(out_dir: Path, recording: int) -> Path:
    """The path of the table of a recording."""
    return out_dir / f"recording_{recording:02}" / "L1_master_frame.parquet"


def parse_recordings(text: str, raw_dir: Path) -> list[int]:
    """The recordings of a list such as `1, 2,07`, or of `all`; raises `AnalysisError` for other texts."""
    if text.strip().lower() == "all":
        return recordings_in(raw_dir)
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and int(word) in NUMBERS for word in words):
        raise AnalysisError(
            say(
                "“{text}” names no recordings; write numbers from {first} to {last} with commas between them, or all.",
                text=text,
                first=NUMBERS[0],
                last=NUMBERS[-1],
            )
        )
    return list(dict.fromkeys(int(word) for word in words))
