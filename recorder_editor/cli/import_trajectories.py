"""The verb `import-trajectories`: trajectories of another program as a recording of the simulator."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from ..formats.trajectories import IMPORTS, TrajectoryImport
from ..option_specs import options_of
from ..texts import N_, say
from . import options
from .files import Unreadable, WrongUsage, open_road_map
from .output import print_error, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
IN is a table (CSV or Parquet) with a row for each time and road user, 00_tracks.csv of inD, rounD, exiD or uniD, or
an OSI file (MCAP) as omega-prime has it.
Every road user gets the blueprint of its class that is nearest in size, and keeps its own size.
Example: recorder-editor import-trajectories tracks.csv seven.log --unit time=ms --hero 1 --xodr Town03.xodr"""
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
    _refuse_others(importer, arguments)
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


def _refuse_others(importer: TrajectoryImport[Any], arguments: Namespace) -> None:
    """Refuse options of other importers.

    Raises:
        WrongUsage: One was given.
    """
    own = {declared.spec.flag for declared in options_of(importer.options)}
    for other in IMPORTS:
        for flag in options.given_options(arguments, other.options):
            if flag not in own:
                raise WrongUsage(say("{option} is for {formats}.", option=flag, formats=other.title))
