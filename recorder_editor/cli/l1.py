"""The L1 table of highD recordings: kinematics, car following, safety and emissions, one row a frame and vehicle.

Writes OUT_DIR/recording_NN/L1_master_frame.parquet. Needs the extra [analysis]. Example: recorder-editor l1 highd out
--recordings 1,2,07
"""

import sys
from argparse import Namespace

from ..analysis.constants import Options
from ..analysis.libraries import AnalysisError
from ..fleet.pool import free_memory, workers_for
from ..progress import SILENT, Progress
from ..recording.existing import refuse_existing
from ..texts import say
from .files import Unreadable, WrongUsage
from .output import print_error, print_lines, progress_bar


def run(arguments: Namespace) -> bool:
    """Build the tables; prints each on stdout, and failures on stderr."""
    options, raw = _options(arguments), arguments.raw
    if not raw.is_dir():
        raise Unreadable(say("{raw}: there is no such folder.", raw=raw))
    from ..fleet.l1 import build_many, parse_recordings, table_path

    try:
        numbers = parse_recordings(arguments.recordings, raw)
    except AnalysisError as error:
        raise WrongUsage(error.message) from None
    if not numbers:
        raise Unreadable(
            say("{raw} holds no highD recording; their files are called 01_tracks.csv and so on.", raw=raw)
        )
    if not arguments.overwrite:
        refuse_existing([table_path(arguments.out, number) for number in numbers], is_recording=False)
    workers = arguments.num_workers or workers_for(len(numbers), free_memory())
    succeeded = True
    outcomes = build_many(
        raw,
        arguments.out,
        numbers,
        options,
        workers=workers,
        cluster=arguments.dask,
        overwrite=arguments.overwrite,
        progress=_progress,
    )
    parallel = arguments.dask is not None or (workers > 1 and len(numbers) > 1)
    overall = progress_bar("Building the tables") if parallel else SILENT
    for done, outcome in enumerate(outcomes, 1):
        overall.update(done, len(numbers))
        if outcome.result is None:
            succeeded = False
            print_error(f"Recording {outcome.item:02} was not built. {outcome.error}")
        else:
            print_lines([f"{outcome.result.path}: {outcome.result.rows:,} rows"])
            sys.stdout.flush()
    return succeeded


def _progress(recording: int) -> Progress:
    return progress_bar(f"Recording {recording:02}")


def _options(arguments: Namespace) -> Options:
    words = arguments.smoothing.split(",")
    try:
        window, order = (int(word) for word in words)
        return Options(window, order, arguments.raw_ttc, arguments.extra_columns)
    except ValueError as error:
        message = str(error) if len(words) == 2 and all(word.strip().isdigit() for word in words) else None
        raise WrongUsage(
            message or f"--smoothing takes a window and an order, as in 9,3; not {arguments.smoothing}."
        ) from None
