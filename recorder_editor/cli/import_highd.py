"""The verb `import-highd`: a highD recording as a recording of the simulator."""

from argparse import Namespace

from ..format import LONGEST_MAP_NAME
from ..formats.highd import Highd, HighdOptions
from ..texts import N_, say
from . import options
from .files import WrongUsage, refuse_missing_folder
from .output import progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Boxes keep their true size, blueprints are the nearest ones. Example: recorder-editor import-highd highd 7 seven.log
--from 60 --to 120"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_highd(parser)
    parser.add_argument("number", type=options.whole, metavar="NN", help=say("the number of the recording"))
    options.add_output(parser)
    options.add_declared(parser, HighdOptions)


def run(arguments: Namespace) -> None:
    """Write the recording."""
    refuse_missing_folder(arguments.raw)
    chosen = options.declared_options(arguments, HighdOptions, number=arguments.number)
    if len(chosen.map_name.encode()) > LONGEST_MAP_NAME:
        raise WrongUsage(say("The name of a map is at most 255 bytes long."))
    Highd().write(
        arguments.raw,
        chosen,
        arguments.out,
        progress_bar(f"Writing {arguments.out.name}"),
        overwrite=arguments.overwrite,
    )
