"""The verb `blocked`: CARLA's report of blocked actors, or its rows as data."""

from argparse import ArgumentTypeError, Namespace

from ..reports.blocked import BLOCKED_READS, blocked, blocked_report
from ..reports.remarks import remarks
from ..texts import N_, say
from . import options
from .collisions import actor_as_json
from .files import open_input
from .output import frame_times, number_as_json, print_error, print_json, progress_bar, write_bytes
from .parsing import VerbParser
from .report_options import add_release

DESCRIPTION = N_(
    """\
Actors that moved less than --min-distance (centimetres) for at least --min-time (seconds), the longest first. With
--json the same as data, without the report's quirks. Example: recorder-editor blocked a.log --min-time 10"""
)


def limit(given: str) -> float:
    """Parse a number that CARLA's reports can compare with.

    Raises:
        ArgumentTypeError: It is none.
    """
    value = options.finite(given)
    if not -1e15 < value < 1e15:
        raise ArgumentTypeError(say("{given} is too large", given=options.quoted(given)))
    return value


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recording(parser)
    parser.add_argument("--min-time", type=limit, default=30.0, metavar="S", help=say("seconds (default 30)"))
    parser.add_argument("--min-distance", type=limit, default=10.0, metavar="CM", help=say("centimetres (default 10)"))
    options.add_json(parser)
    add_release(parser)


def run(arguments: Namespace) -> None:
    """Print the report, or its rows as data."""
    min_time = arguments.min_time
    min_distance = arguments.min_distance
    with open_input(arguments.file, arguments.dialect) as recording:
        bar = progress_bar(f"Reading {arguments.file.name}")
        if not arguments.json:
            for line in remarks(recording.snapshot, arguments.file, arguments.release, BLOCKED_READS):
                print_error(line)
            report = blocked_report(recording.snapshot, min_time, min_distance, utc=arguments.utc, progress=bar)
            write_bytes(report)
            return
        time_of = frame_times(recording.snapshot)
        rows = []
        for stop in blocked(recording.snapshot, min_time, min_distance, bar):
            row = actor_as_json(stop.actor, stop.life)
            row.update(time_of(stop.frame))
            row["duration"] = number_as_json(stop.duration)
            rows.append(row)
    print_json({"file": str(arguments.file), "min_time_s": min_time, "min_distance_cm": min_distance, "blocked": rows})
