"""A synthetic recording of a small town.

The same seed gives the same bytes. Example: recorder-editor demo town.log --seconds 30 --vehicles 24 --seed 7
"""

from argparse import Namespace

from ..demo import make_town
from .files import WrongUsage, write_recording


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
    write_recording(arguments.out, pieces, overwrite=arguments.overwrite)
