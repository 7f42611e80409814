"""A highD recording as a recording of the simulator.

Boxes keep their true size, blueprints are the nearest ones. Example: recorder-editor import-highd highd 7 seven.log
--from 60 --to 120
"""

import math
from argparse import Namespace

from ..formats.highd import Origin, import_highd
from ..texts import say
from .files import Unreadable, WrongUsage
from .output import progress_bar


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
