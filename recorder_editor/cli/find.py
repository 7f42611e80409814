"""The verb `find`: the rows of an index that an expression is true of."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..fleet.catalogue import COLUMNS, SHOWN, Kind, NoIndex, find
from ..terminal import printable
from ..texts import N_, Measure, say
from . import options
from .files import Unreadable, refuse_missing_folder
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
    parser.add_argument("--events", action="store_true", help=say("list traffic events, not recordings"))
    options.add_json(parser)


def run(arguments: Namespace) -> None:
    """Print the rows, in the order of their paths."""
    kind: Kind = "recordings"
    if arguments.events:
        kind = "events"
    names = list(COLUMNS[kind] if arguments.json else SHOWN[kind])
    refuse_missing_folder(arguments.folder)
    try:
        rows = find(arguments.folder, arguments.where or "", kind, names)
    except NoIndex as error:
        raise Unreadable(error.message) from None
    if arguments.json:
        print_json({"folder": str(arguments.folder), kind: [_row_as_json(names, row) for row in rows]})
        return
    numbers = []
    for index, name in enumerate(names):
        if COLUMNS[kind][name].type != "str":
            numbers.append(index)
    lines = [names]
    for row in rows:
        lines.append([_cell(value) for value in row])
    print_lines(aligned(lines, right=numbers))


def _row_as_json(names: Sequence[str], row: Iterable[object]) -> dict[str, object]:
    values = dict(zip(names, row, strict=True))
    for name, value in values.items():
        if isinstance(value, float):
            values[name] = number_as_json(value)
    return values


def _cell(value: object) -> str:
    if value in (None, ""):
        return "-"
    if isinstance(value, float):
        return f"{Measure(value):.3f}"
    return printable(str(value))
