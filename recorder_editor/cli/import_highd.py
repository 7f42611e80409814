"""The verb `import-highd`: a highD recording as a recording of the simulator."""

import math
from argparse import Namespace

from ..formats.highd import DEFAULT_MAP, Origin, import_highd
from ..texts import N_, say
from . import options
from .files import Unreadable, WrongUsage
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
    parser.add_argument(
        "--map",
        default=DEFAULT_MAP,
        metavar="M",
        help=say("map name to write (default {highd_map})", highd_map=DEFAULT_MAP),
    )
    parser.add_argument(
        "--origin",
        default="0,0,0,0",
        metavar="X,Y,Z,YAW",
        help=say(
            "where highD's origin is in the world: metres, and degrees of its x axis (default 0,0,0,0; with a "
            "minus: --origin=-1,...)"
        ),
    )
    parser.add_argument(
        "--from", dest="start", type=options.finite, metavar="S", help=say("start, s since its first frame")
    )
    parser.add_argument("--to", dest="stop", type=options.finite, metavar="S", help=say("end (exclusive)"))
    options.add_new_dialect(parser)


def run(arguments: Namespace) -> None:
    """Write the recording."""
    if not arguments.raw.is_dir():
        raise Unreadable(say("{raw}: there is no such folder.", raw=arguments.raw))
    if len(arguments.map.encode()) > 255:
        raise WrongUsage(say("The name of a map is at most 255 bytes long."))
    import_highd(
        arguments.raw,
        arguments.number,
        arguments.out,
        map_name=arguments.map,
        origin=_origin(arguments.origin),
        start=arguments.start,
        stop=arguments.stop,
        dialect=arguments.dialect,
        overwrite=arguments.overwrite,
        progress=progress_bar(f"Writing {arguments.out.name}"),
    )


def _origin(text: str) -> Origin:
    try:
        x, y, z, yaw = (float(word) for word in text.split(","))
    except ValueError:
        x = y = z = yaw = math.nan
    if not all(map(math.isfinite, (x, y, z, yaw))):
        raise WrongUsage(f"--origin takes four numbers, X,Y,Z,YAW in metres and degrees; not {text}.")
    return Origin(x, y, z, yaw)
