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
    """A written table.

    Attributes:
        recording: The number of its recording.
        path: Its file.
        rows: Its number of rows.
    """

    recording: int
    path: Path
    rows: int


def l1_table(
    raw: Raw, options: Options = STANDARD, progress: Progress = SILENT
) -> "tuple[pl.DataFrame, dict[str, object]]":
    """Return the table of a recording, and its metadata: steps 2 to 10.

    Args:
        raw: The recording as it was read.
        options: The numbers of the steps.
        progress: Counts parts of the work.

    Raises:
        AnalysisError: The recording is damaged.
        Cancelled: The user cancelled it.
    """
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

    A table that is there is replaced; after an error it stays.

    Args:
        raw_dir: The folder of highD.
        out_dir: The folder of the tables.
        recording: The number of the recording.
        options: The numbers of the steps.
        progress: Counts parts of the work.
        overwrite: Also replace a file that nothing makes again.

    Raises:
        AnalysisError: A file is missing or damaged.
        WouldReplace: A file that nothing makes again would be replaced.
        OSError: The table cannot be written.
        Cancelled: The user cancelled it.
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
    """Build the tables of recordings, and yield the outcomes as they complete.

    A missing or damaged recording does not stop the others.

    Args:
        raw_dir: The folder of highD.
        out_dir: The folder of the tables.
        recordings: Numbers of recordings; None: all in the folder.
        options: The numbers of the steps.
        workers: With one the tables are built in this process and in order, with more in processes.
        cluster: The address of a Dask scheduler; its workers have to see both folders. None: no cluster.
        overwrite: Also replace files that nothing makes again.
        progress: Gives the progress of a recording; only in this process.

    Raises:
        AnalysisError: The cluster does not answer.
        LibraryMissing: SciPy, pyarrow or distributed is not installed.
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
    libraries = ("polars", "pyarrow.parquet", "scipy.signal")
    return run_many(work, numbers, workers, cluster, works_here=True, libraries=libraries)


def table_path(out_dir: Path, recording: int) -> Path:
    """Return the path of the table of a recording."""
    return out_dir / f"recording_{recording:02}" / "L1_master_frame.parquet"


def parse_recordings(text: str, raw_dir: Path) -> list[int]:
    """Return the recordings of a list such as `1, 2,07`, or of `all`.

    Raises:
        AnalysisError: The text is no such list.
    """
    if text.strip().lower() == "all":
        return recordings_in(raw_dir)
    numbers = []
    for word in text.split(","):
        digits = word.strip()
        if not (digits.isascii() and digits.isdigit() and int(digits) in NUMBERS):
            raise AnalysisError(_no_recordings(text))
        numbers.append(int(digits))
    return list(dict.fromkeys(numbers))


def _no_recordings(text: str) -> str:
    return say(
        "“{text}” names no recordings; write numbers from {first} to {last} with commas between them, or all.",
        text=text,
        first=NUMBERS[0],
        last=NUMBERS[-1],
    )
