"""The verb `demo`: a synthetic recording of a small town."""

from argparse import Namespace

from ..demo import make_town
from ..texts import N_, say
from . import options
from .files import WrongUsage, write_recording
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
The same seed gives the same bytes. Example: recorder-editor demo town.log --seconds 30 --vehicles 24 --seed 7"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_output(parser)
    parser.add_argument("--seconds", type=options.finite, default=30.0, metavar="S", help=say("length (default 30)"))
    parser.add_argument("--vehicles", type=options.whole, default=24, metavar="N", help=say("vehicles (default 24)"))
    parser.add_argument("--walkers", type=options.whole, default=16, metavar="N", help=say("walkers (default 16)"))
    parser.add_argument("--lights", type=options.whole, default=4, metavar="N", help=say("traffic lights (default 4)"))
    parser.add_argument(
        "--seed", type=options.whole, default=1, metavar="K", help=say("seed of the generated town (default 1)")
    )
    parser.add_argument(
        "--no-collision", dest="collision", action="store_false", help=say("the same traffic, but nothing collides")
    )
    options.add_new_dialect(parser)


def run(arguments: Namespace) -> None:
    """Write the town."""
    try:
        pieces = make_town(
            arguments.seconds,
            vehicles=arguments.vehicles,
            walkers=arguments.walkers,
            lights=arguments.lights,
            seed=arguments.seed,
            dialect=arguments.write_as,
            collision=arguments.collision,
        )
    except ValueError as error:
        raise WrongUsage(error.args[0]) from None
    write_recording(arguments.out, pieces, overwrite=arguments.overwrite)
