"""The verb `find`: the rows of an index that an expression is true of."""

from argparse import Namespace
from pathlib import Path

from ..fleet.catalogue import COLUMNS, SHOWN, Kind, find
from ..terminal import printable
from ..texts import N_, Measure, say
from . import options
from .output import aligned, number_as_json, print_json, print_lines
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
The guide lists the names; without an expression all are listed. Example: recorder-editor find recordings "town ==
'Town05' and collisions > 0\""""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("folder", type=Path, metavar="DIR", help=say("a folder that has an index"))
    parser.add_argument("where", nargs="?", metavar="EXPR", help=say("what is to be true of a row"))
    parser.add_argument("--events", action="store_true", help=say("list collisions and risks, not recordings"))
    options.add_json(parser)


def run(arguments: Namespace) -> None:
    """Print the rows, in the order of their paths."""
    kind: Kind = "recordings"
    if arguments.events:
        kind = "events"
    names = [*COLUMNS[kind]] if arguments.json else SHOWN[kind]
    found = find(arguments.folder, arguments.where or "", kind, names)
    if arguments.json:
        told = ((number_as_json(each) if isinstance(each, float) else each for each in row) for row in found)
        print_json({"folder": str(arguments.folder), kind: [dict(zip(names, row, strict=True)) for row in told]})
    else:
        numbers = []
        for at, name in enumerate(names):
            if COLUMNS[kind][name].type != "str":
                numbers.append(at)
        print_lines(aligned([names, *([*map(_shown, row)] for row in found)], numbers))


def _shown(value: object) -> str:
    if value in (None, ""):
        return "-"
    if isinstance(value, float):
        return f"{Measure(value):.3f}"
    return printable(str(value))
