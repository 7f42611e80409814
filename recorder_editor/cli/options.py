"""What options take: the types of argparse's arguments, each with a sentence for a text that is none.

Knows no verb and no file. Measures with units are in `measures`.
"""

import math
from argparse import ArgumentTypeError

_LONGEST_SHOWN = 40


def finite(given: str) -> float:
    """A finite number."""
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(f"{shown(given)} is no number")
    return value


def whole(given: str) -> int:
    """A whole number."""
    try:
        return int(given)
    except ValueError:
        raise ArgumentTypeError(f"{shown(given)} is no whole number") from None


def shown(given: str) -> str:
    """What was typed, in quotes, and not all of it where it is long."""
    return repr(given if len(given) <= _LONGEST_SHOWN else f"{given[: _LONGEST_SHOWN - 1]}…")
