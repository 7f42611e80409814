"""The L1 table of highD recordings: kinematics, car following, safety and emissions, one row a frame and vehicle.

Writes OUT_DIR/recording_NN/L1_master_frame.parquet. Needs the extra [analysis]. Example: recorder-editor l1 highd out
--recordings 1,2,07
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..analysis.constants import STANDARD, Options
from ..analysis.fleet import free_memory, workers_for
from ..analysis.libraries import AnalysisError
from ..progress import SILENT, Progress
from .files import Unreadable, WrongUsage
from .options import positive
from .output import print_error, print_lines, progress_bar


def add_arguments(parser: ArgumentParser) -> None:
    """RAW_DIR, OUT_DIR and the pipeline's options."""
    parser.add_argument("raw", type=Path, metavar="RAW_DIR", help="the folder of highD's files, as NN_tracks.csv")
    parser.add_argument("out", type=Path, metavar="OUT_DIR", help="the folder to write to")
    parser.add_argument(
        "--recordings",
        default="all",
        metavar="N,...",
        help="numbers with commas, or all: those from 1 to 60 that are there (default)",
    )
    parser.add_argument(
        "--num-workers",
        "--workers",
        type=positive,
        metavar="N",
        help="processes (default: the cores, or fewer where memory is short; 1: this one, in order)",
    )
    parser.add_argument(
        "--smoothing", default="9,3", metavar="WINDOW,ORDER", help="of the Savitzky-Golay filter (default 9,3)"
    )
    # Set for both: of options that share a destination, argparse takes the default of the first.
    parser.set_defaults(raw_ttc=STANDARD.raw_ttc)
    safety = parser.add_mutually_exclusive_group()
    safety.add_argument(
        "--recompute-safety", dest="raw_ttc", action="store_false", help="TTC from the smoothed speeds (default)"
    )
    safety.add_argument("--use-raw-ttc", dest="raw_ttc", action="store_true", help="TTC as highD has it")
    parser.add_argument("--extra-columns", action="store_true", help="append further columns")
    parser.add_argument("--dask", metavar="ADDRESS", help="build on the cluster of this Dask scheduler")


def run(arguments: Namespace) -> bool:
    """Build the tables; prints each on stdout, and failures on stderr."""
    options, raw = _options(arguments), arguments.raw
    if not raw.is_dir():
        raise Unreadable(f"{raw}: there is no such folder.")
    from ..analysis.l1 import build_many, parse_recordings  # loads libraries that other verbs do not need

    try:
        numbers = parse_recordings(arguments.recordings, raw)
    except AnalysisError as error:
        raise WrongUsage(error.message) from None
    if not numbers:
        raise Unreadable(f"{raw} holds no highD recording; their files are called 01_tracks.csv and so on.")
    workers = arguments.num_workers or workers_for(len(numbers), free_memory())
    succeeded = True
    outcomes = build_many(
        raw, arguments.out, numbers, options, workers=workers, cluster=arguments.dask, progress=_progress
    )
    parallel = arguments.dask is not None or (workers > 1 and len(numbers) > 1)
    overall = progress_bar("Building the tables") if parallel else SILENT
    for done, outcome in enumerate(outcomes, 1):
        overall.update(done, len(numbers))
        if outcome.result is None:
            succeeded = False
            print_error(f"Recording {outcome.recording:02} was not built. {outcome.error}")
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
