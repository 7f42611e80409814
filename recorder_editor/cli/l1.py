"""The verb `l1`: the L1 table of highD recordings."""

import sys
from argparse import Namespace
from pathlib import Path

from ..analysis.constants import Options
from ..analysis.libraries import AnalysisError
from ..fleet.pool import free_memory, workers_for
from ..format.ind import is_family_file, other_importer
from ..progress import SILENT, Progress
from ..recording.existing import refuse_existing
from ..terminal import Span
from ..texts import N_, say
from . import options
from .files import Unreadable, WrongUsage, refuse_missing_folder
from .output import print_error, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Writes OUT_DIR/recording_NN/L1_master_frame.parquet. Needs the extra [analysis]. Example: recorder-editor l1 highd out
--recordings 1,2,07"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_highd(parser)
    parser.add_written("out", kind="folder", metavar="OUT_DIR", help=say("the folder to write to"))
    parser.add_argument(
        "--recordings",
        default="all",
        metavar="N,...",
        help=say("numbers with commas, or all: those from 1 to 60 that are there (default)"),
    )
    parser.add_argument(
        "--workers",
        type=options.positive,
        metavar="N",
        help=say("processes (default: the cores, or fewer where memory is short; 1: this one, in order)"),
    )
    parser.add_argument(
        "--smoothing", default="9,3", metavar="WINDOW,ORDER", help=say("of the Savitzky-Golay filter (default 9,3)")
    )
    ttc = parser.add_mutually_exclusive_group()
    ttc.add_argument(
        "--recompute-safety",
        dest="raw_ttc",
        action="store_false",
        default=False,
        help=say("TTC from the smoothed speeds (default)"),
    )
    ttc.add_argument("--use-raw-ttc", dest="raw_ttc", action="store_true", help=say("TTC as highD has it"))
    parser.add_argument("--extra-columns", action="store_true", help=say("append further columns"))
    parser.add_argument("--dask", metavar="ADDRESS", help=say("build on the cluster of this Dask scheduler"))


def _no_recording(raw: Path) -> str:
    """Say that a folder has no recordings of highD, or that those of inD, whose numbers begin with 00, are others."""
    for path in sorted(raw.glob("*_tracks.csv")):
        if is_family_file(path):
            return other_importer(path)
    return say("{raw} holds no highD recording; their files are called 01_tracks.csv and so on.", raw=raw)


def run(arguments: Namespace) -> bool:
    """Build the tables; prints each on stdout, and failures on stderr."""
    settings = _settings(arguments)
    raw = arguments.raw
    refuse_missing_folder(raw)
    from ..fleet.l1 import build_many, parse_recordings, table_path

    try:
        numbers = parse_recordings(arguments.recordings, raw)
    except AnalysisError as error:
        raise WrongUsage(error.message) from None
    if not numbers:
        raise Unreadable(_no_recording(raw))
    if not arguments.overwrite:
        refuse_existing([table_path(arguments.out, number) for number in numbers], is_recording=False)
    workers = arguments.workers or workers_for(len(numbers), free_memory())
    has_failed = False
    outcomes = build_many(
        raw,
        arguments.out,
        numbers,
        settings,
        workers=workers,
        cluster=arguments.dask,
        overwrite=arguments.overwrite,
        progress=_progress,
    )
    overall = SILENT
    if arguments.dask is not None or (workers > 1 and len(numbers) > 1):
        overall = progress_bar("Building the tables")
    for done, outcome in enumerate(outcomes, 1):
        overall.update(done, len(numbers))
        if outcome.result is None:
            has_failed = True
            text = say("Recording {number:02} was not built. {reason}", number=outcome.item, reason=outcome.error)
            print_error([Span(text, "error")])
        else:
            print_lines([f"{outcome.result.path}: {outcome.result.rows:,} rows"])
            sys.stdout.flush()
    return not has_failed


def _progress(recording: int) -> Progress:
    return progress_bar(f"Recording {recording:02}")


def _settings(arguments: Namespace) -> Options:
    texts = arguments.smoothing.split(",")
    try:
        window, order = map(int, texts)
        return Options(window, order, arguments.raw_ttc, arguments.extra_columns)
    except ValueError as error:
        message = say("--smoothing takes a window and an order, as in 9,3; not {value}.", value=arguments.smoothing)
        if len(texts) == 2 and all(text.strip().isdigit() for text in texts):
            message = error.args[0]  # which values there may be
        raise WrongUsage(message) from None
