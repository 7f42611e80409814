"""A synthetic recording of a small town.

The same seed gives the same bytes. Example: recorder-editor demo town.log --seconds 30 --vehicles 24 --seed 7
"""

from argparse import ArgumentParser, Namespace

from ..exchange.demo import make_town
from .files import WrongUsage, write_recording
from .options import add_new_dialect, add_output, finite, whole


def add_arguments(parser: ArgumentParser) -> None:
    """OUT and the parameters of the town."""
    add_output(parser)
    parser.add_argument("--seconds", type=finite, default=30.0, metavar="S", help="length (default 30)")
    parser.add_argument("--vehicles", type=whole, default=24, metavar="N", help="vehicles (default 24)")
    parser.add_argument("--walkers", type=whole, default=16, metavar="N", help="walkers (default 16)")
    parser.add_argument("--lights", type=whole, default=4, metavar="N", help="traffic lights (default 4)")
    parser.add_argument("--seed", type=whole, default=1, metavar="K", help="seed of the generated town (default 1)")
    add_new_dialect(parser)


def run(arguments: Namespace) -> None:
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
    write_recording(arguments.out, pieces)
