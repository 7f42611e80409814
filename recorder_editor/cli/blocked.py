"""CARLA's report of blocked actors, byte for byte as the server prints it.

Actors that moved less than --min-distance (centimetres) for at least --min-time (seconds), the longest first. With
--json the same as data, without the report's quirks. Example: recorder-editor blocked a.log --min-time 10
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from ..queries.reports.blocked import CENTIMETRES, SECONDS, blocked, blocked_report
from .collisions import actor_as_json
from .files import open_input
from .info import add_release
from .options import add_input, finite, quoted
from .output import frame_times, number_as_json, print_json, progress_bar, write_bytes


def add_arguments(parser: ArgumentParser) -> None:
    """FILE, --min-time, --min-distance, --json, --release, --utc."""
    add_input(parser)
    parser.add_argument("--min-time", type=_limit, default=SECONDS, metavar="S", help="seconds (default 30)")
    parser.add_argument(
        "--min-distance", type=_limit, default=CENTIMETRES, metavar="CM", help="centimetres (default 10)"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_release(parser)


def _limit(given: str) -> float:
    value = finite(given)
    if not -1e15 < value < 1e15:
        raise ArgumentTypeError(f"{quoted(given)} is too large")
    return value


def run(arguments: Namespace) -> None:
    """Print the report, or its rows as data."""
    limits = arguments.min_time, arguments.min_distance
    with open_input(arguments.file, arguments.dialect) as recording:
        bar = progress_bar(f"Reading {arguments.file.name}")
        if not arguments.json:
            write_bytes(blocked_report(recording.snapshot, *limits, utc=arguments.utc, progress=bar))
            return
        time_of = frame_times(recording.snapshot)
        rows = [
            {**actor_as_json(each.actor, each.life), **time_of(each.frame), "duration": number_as_json(each.duration)}
            for each in blocked(recording.snapshot, *limits, bar)
        ]
    print_json({"file": str(arguments.file), "min_time_s": limits[0], "min_distance_cm": limits[1], "blocked": rows})
