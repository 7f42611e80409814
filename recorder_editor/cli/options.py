"""Arguments that several verbs take, and types of arguments."""

import math
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from ..exchange.demo import DEFAULT_DIALECT
from ..format.dialects import DIALECTS

_MAX_SHOWN = 40


def finite(given: str) -> float:
    """A finite number."""
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(f"{quoted(given)} is not a number")
    return value


def whole(given: str) -> int:
    """A whole number."""
    try:
        return int(given)
    except ValueError:
        raise ArgumentTypeError(f"{quoted(given)} is not a whole number") from None


def positive(given: str) -> int:
    """A whole number from 1 on."""
    if (value := whole(given)) < 1:
        raise ArgumentTypeError(f"{quoted(given)} is not a whole number from 1 on")
    return value


def quoted(given: str) -> str:
    """A typed text in quotes, shortened if it is long."""
    return repr(given if len(given) <= _MAX_SHOWN else f"{given[: _MAX_SHOWN - 1]}…")


def add_input(parser: ArgumentParser) -> None:
    """The positional FILE and `--dialect`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a recording")
    add_dialect(parser)


def add_output(parser: ArgumentParser) -> None:
    """The positional OUT."""
    parser.add_argument("out", type=Path, metavar="OUT", help="the recording to write")


def add_dialect(
    parser: ArgumentParser, name: str = "--dialect", says: str = "read it as this dialect", **more: Any
) -> None:
    """`--dialect` or another option that takes a dialect: read the recording as it instead of the detected one."""
    parser.add_argument(name, choices=sorted(DIALECTS), metavar="NAME", help=says, **more)


def add_road_map(parser: ArgumentParser) -> None:
    """`--xodr`: the road map that lanes are found on."""
    parser.add_argument("--xodr", type=Path, metavar="MAP", help="the road map (.xodr) that lanes are found on")


def add_new_dialect(parser: ArgumentParser) -> None:
    """`--dialect` of a recording that is created."""
    add_dialect(parser, says=f"dialect to write (default {DEFAULT_DIALECT})", default=DEFAULT_DIALECT)


def add_damaged(parser: ArgumentParser) -> None:
    """`--damaged`: allow a damaged recording."""
    parser.add_argument("--damaged", action="store_true", help="accept a damaged recording, and keep its damage")


def add_dry_run(parser: ArgumentParser) -> None:
    """`--dry-run`."""
    parser.add_argument("--dry-run", action="store_true", help="say what would be written, and write nothing")
