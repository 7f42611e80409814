"""The lanes of a road map (OpenDRIVE, .xodr) as a table, by the ending of OUT.

A row for each point along the middle of a lane, in the simulator's coordinates: metres, y to the south, headings
clockwise. Example: recorder-editor lanes Town01.xodr lanes.csv --step 5
"""

from argparse import Namespace

from ..formats.export import ExportError, export_lanes
from .files import WrongUsage, open_road_map
from .output import print_error, progress_bar

_SHORTEST = 0.01


def run(arguments: Namespace) -> bool:
    """Write the table."""
    if arguments.step < _SHORTEST:
        raise WrongUsage(f"--step takes metres, from {_SHORTEST:g} on.")
    roads = open_road_map(arguments.file)
    for problem in roads.problems:
        print_error(f"{arguments.file.name}: {problem}")
    try:
        bar = progress_bar(f"Writing {arguments.out.name}")
        export_lanes(roads, arguments.out, arguments.step, overwrite=arguments.overwrite, progress=bar)
    except ExportError as error:
        if arguments.out.suffix.lower() == ".parquet":
            raise
        raise WrongUsage(error.message) from None
    return True
