"""The verb `lanes`: the lanes of a road map as a table."""

from argparse import Namespace
from pathlib import Path

from ..formats.export import UnknownFormatError, export_lanes
from ..terminal import toned
from ..texts import N_, say
from . import options
from .files import WrongUsage, open_road_map
from .output import print_error, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
A row for each point along the middle of a lane, in the simulator's coordinates: metres, y to the south, headings
clockwise. Example: recorder-editor lanes Town01.xodr lanes.csv --spacing 5"""
)

_SHORTEST = 0.01


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", type=Path, metavar="MAP", help=say("a road map"))
    parser.add_written("out", kind="file", metavar="OUT", help=say("the file to write: .csv, .jsonl, .parquet"))
    parser.add_argument(
        "--spacing", type=options.finite, default=2.0, metavar="M", help=say("metres between points (default 2)")
    )


def run(arguments: Namespace) -> bool:
    """Write the table."""
    if arguments.spacing < _SHORTEST:
        raise WrongUsage(say("--spacing takes metres, from {least:g} on.", least=_SHORTEST))
    roads = open_road_map(arguments.file)
    for problem in roads.problems:
        print_error(toned(say("{name}: {message}", name=arguments.file.name, message=problem), name="warning"))
    try:
        bar = progress_bar(f"Writing {arguments.out.name}")
        export_lanes(roads, arguments.out, arguments.spacing, overwrite=arguments.overwrite, progress=bar)
    except UnknownFormatError as error:
        raise WrongUsage(error.message) from None
    return True
