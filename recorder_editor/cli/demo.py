"""A synthetic recording of a small town.

The same seed gives the same bytes. Example: recorder-editor demo town.log --seconds 30 --vehicles 24 --seed 7
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..exchange.demo import DEFAULT_DIALECT, make_town
from ..format.dialects import DIALECTS
from ..recording.atomic_file import written
from .files import WrongUsage
from .options import finite, whole


def add_arguments(parser: ArgumentParser) -> None:
    """OUT and the town's measures."""
    parser.add_argument("out", type=Path, metavar="OUT", help="the recording to write")
    parser.add_argument("--seconds", type=finite, default=30.0, metavar="S", help="length (default 30)")
    parser.add_argument("--vehicles", type=whole, default=24, metavar="N", help="vehicles (default 24)")
    parser.add_argument("--walkers", type=whole, default=16, metavar="N", help="walkers (default 16)")
    parser.add_argument("--lights", type=whole, default=4, metavar="N", help="traffic lights (default 4)")
    parser.add_argument("--seed", type=whole, default=1, metavar="K", help="another seed, another town (default 1)")
    parser.add_argument(
        "--dialect",
        choices=sorted(DIALECTS),
        default=DEFAULT_DIALECT,
        metavar="NAME",
        help=f"release family (default {DEFAULT_DIALECT})",
    )


def run(arguments: Namespace) -> bool:
    """Write the town."""
    try:
        pieces = make_town(
            arguments.seconds,
            vehicles=arguments.vehicles,
            walkers=arguments.walkers,
            lights=arguments.lights,
            seed=arguments.seed,
            dialect=arguments.dialect,
        )
    except ValueError as error:
        raise WrongUsage(str(error)) from None
    with written(arguments.out) as file:
        for piece in pieces:
            file.write(piece)
    return True
