"""A highD recording as a recording of the simulator.

Boxes keep their true size, blueprints are the nearest ones. Example: recorder-editor import-highd highd 7 seven.log
--from 60 --to 120
"""

import math
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..exchange.highd import DEFAULT_MAP, Origin, import_highd
from .files import Unreadable, WrongUsage
from .options import add_new_dialect, add_output, finite, whole
from .output import progress_bar


def add_arguments(parser: ArgumentParser) -> None:
    """RAW_DIR, NN, OUT, --map, --origin, --from, --to."""
    parser.add_argument("raw", type=Path, metavar="RAW_DIR", help="the folder of highD's files, as NN_tracks.csv")
    parser.add_argument("number", type=whole, metavar="NN", help="the number of the recording")
    add_output(parser)
    parser.add_argument("--map", default=DEFAULT_MAP, metavar="M", help=f"map name to write (default {DEFAULT_MAP})")
    parser.add_argument(
        "--origin",
        default="0,0,0,0",
        metavar="X,Y,Z,YAW",
        help="where highD's origin is in the world: metres, and degrees of its x axis (default 0,0,0,0; "
        "with a minus: --origin=-1,...)",
    )
    parser.add_argument("--from", dest="start", type=finite, metavar="S", help="start, s since its first frame")
    parser.add_argument("--to", dest="stop", type=finite, metavar="S", help="end (exclusive)")
    add_new_dialect(parser)


def run(arguments: Namespace) -> None:
    """Write the recording."""
    if not arguments.raw.is_dir():
        raise Unreadable(f"{arguments.raw}: there is no such folder.")
    if len(arguments.map.encode()) > 255:
        raise WrongUsage("The name of a map is at most 255 bytes long.")
    import_highd(
        arguments.raw,
        arguments.number,
        arguments.out,
        map_name=arguments.map,
        origin=_origin(arguments.origin),
        start=arguments.start,
        stop=arguments.stop,
        dialect=arguments.dialect,
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
