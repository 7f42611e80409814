"""The verb `import-trajectories`: trajectories of another program as a recording of the simulator."""

from argparse import Namespace
from pathlib import Path

from ..formats.trajectories import IMPORTS
from ..texts import N_, say
from . import options
from .files import Unreadable, open_road_map
from .output import print_error, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
IN is a table (CSV or Parquet) with a row for each time and road user, or 00_tracks.csv of inD, rounD, exiD or uniD.
Every road user gets the blueprint of its class that is nearest in size, and keeps its own size. Example:
recorder-editor import-trajectories tracks.csv seven.log --unit time=ms --hero 1 --xodr Town03.xodr"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", type=Path, metavar="IN", help=say("the file of trajectories"))
    options.add_output(parser)
    parser.add_argument(
        "--xodr",
        type=Path,
        metavar="MAP",
        help=say("the road map (.xodr) that heights, slopes and the axes are found by"),
    )
    options.add_declared(parser, *(importer.options for importer in IMPORTS))


def run(arguments: Namespace) -> None:
    """Write the recording; remarks on the rows go to stderr."""
    source = arguments.file
    if not source.exists():
        raise Unreadable(say("{file}: there is no such file.", file=source))
    roads = None
    if arguments.xodr is not None:
        roads = open_road_map(arguments.xodr)
    importer = next(importer for importer in IMPORTS if importer.recognises(source))
    chosen = options.declared_options(arguments, importer.options, roads=roads)
    written = importer.make(
        source,
        chosen,
        arguments.out,
        progress_bar(say("Writing {name}", name=arguments.out.name)),
        overwrite=arguments.overwrite,
    )
    for remark in written.remarks:
        print_error(remark)
