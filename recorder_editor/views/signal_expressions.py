"""Signals by expression: `Kinematics: abs(linear_velocity.x) * 3.6`, in the language of queries, with a name.

Knows recordings, no widget.
"""

import re

from ..format import Dialect
from ..reading.expression import ExpressionError, Query, parse_value
from ..texts import say
from .signal_key import Key

_UNIT = re.compile(r"(.*?)\s*\[([^\[\]]*)\]\s*")


def parse_expression(key: Key, dialect: Dialect) -> Query:
    """Parse the expression of a signal.

    Args:
        key: Signal of the kind "expression".
        dialect: Dialect of the recording.

    Raises:
        ExpressionError: It is no expression, or its packet is recorded for each actor and the signal has none.
    """
    query = parse_value(key.path, dialect)
    if query.kind.actor_field is not None and key.actor is None:
        raise ExpressionError(say("{packet} is recorded for each actor: select one first.", packet=query.kind.name), 1)
    return query


def name_and_unit(key: Key) -> tuple[str, str]:
    """Return the title of the signal of an expression, and its unit."""
    name = key.name.strip()
    match = _UNIT.fullmatch(name)
    if match is not None:
        return match[1], match[2]
    if not name:
        name = key.path.partition(":")[2].strip()
    return name, ""
