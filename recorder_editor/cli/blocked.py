"""CARLA's report of blocked actors, byte for byte as the server prints it.

Who moved less than --min-distance (centimetres) for at least --min-time (seconds), the longest first. With --json the
same as data, without the report's slips. Example: recorder-editor blocked a.log --min-time 10
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from ..queries.reports import CENTIMETRES, SECONDS, blocked, blocked_report
from .collisions import who
from .files import opened
from .info import add_release
from .options import add_input, finite, shown
from .output import moments, number, progress, say_bytes, say_json


def add_arguments(parser: ArgumentParser) -> None:
    """FILE, --min-time, --min-distance, --json, --release, --utc."""
    add_input(parser)
    parser.add_argument("--min-time", type=_moderate, default=SECONDS, metavar="S", help="seconds (default 30)")
    parser.add_argument(
        "--min-distance", type=_moderate, default=CENTIMETRES, metavar="CM", help="centimetres (default 10)"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_release(parser)


def _moderate(given: str) -> float:
    value = finite(given)
    if not -1e15 < value < 1e15:
        raise ArgumentTypeError(f"{shown(given)} is too large")
    return value


def run(arguments: Namespace) -> bool:
    """Print the report, or its rows as data."""
    limits = arguments.min_time, arguments.min_distance
    with opened(arguments.file, arguments.dialect) as recording:
        shown = progress(f"Reading {arguments.file.name}")
        if not arguments.json:
            release, utc = arguments.release, arguments.utc
            say_bytes(blocked_report(recording.snapshot, *limits, family=release, utc=utc, progress=shown))
            return True
        moment = moments(recording.snapshot)
        rows = [
            {**who(each.actor, each.life), **moment(each.frame), "duration": number(each.duration)}
            for each in blocked(recording.snapshot, *limits, shown)
        ]
    say_json({"file": str(arguments.file), "min_time_s": limits[0], "min_distance_cm": limits[1], "blocked": rows})
    return True
