"""Options of the verbs that print CARLA's own reports."""

from argparse import ArgumentTypeError

from ..reports.text import FAMILIES, family_named
from ..texts import listed, say
from .options import quoted
from .output import print_error
from .parsing import VerbParser


def add_release(parser: VerbParser) -> None:
    """Add --release and --utc."""
    parser.add_argument(
        "--release",
        type=release,
        metavar="R",
        help=say(
            "the release whose server prints it, any number; reports differ between {releases} (default: the one "
            "that wrote the file)",
            releases=listed(FAMILIES),
        ),
    )
    parser.add_argument("--utc", action="store_true", help=say("the date in UTC, not in local time"))


def release(given: str) -> str:
    """Parse the release of the server that prints a report; says which release prints the same.

    Raises:
        ArgumentTypeError: It is none.
    """
    try:
        family = family_named(given)
    except KeyError:
        raise ArgumentTypeError(
            say(
                "{given} is no release of CARLA that is known (reports differ between {releases})",
                given=quoted(given),
                releases=listed(FAMILIES),
            )
        ) from None
    if family != given:
        print_error(say("{release} prints reports as {family} does.", release=given, family=family))
    return given
