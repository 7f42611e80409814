"""Which events an expression is true of, as `kind == 'near-miss' and value < 1`."""

from types import SimpleNamespace

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...format import PacketType
from ...format.schema import Struct
from ..expression.query import parse_condition
from ..expression.values import column_of
from .columns import EVENT_COLUMNS
from .find import Events

_FIELDS = tuple(column.field for column in EVENT_COLUMNS.values())
_SHAPE = PacketType(-1, "Event", "list", Struct("event", _FIELDS), "")


def names_kind(text: str) -> bool:
    """Return whether an expression asks for kinds.

    Args:
        text: The expression.

    Raises:
        ExpressionError: The expression is wrong.
    """
    return "kind" in parse_condition(text, _SHAPE).names


def matching(events: Events, text: str, elapsed: FloatArray) -> BoolArray:
    """Return which events an expression is true of, bool[n]; all for an empty one.

    Args:
        events: The events.
        text: The expression.
        elapsed: The seconds of every frame.

    Raises:
        ExpressionError: The expression is wrong.
    """
    query = parse_condition(text, _SHAPE)
    columns = {}
    for name in query.names:
        column = EVENT_COLUMNS[name]
        values = [column.value(events, row, elapsed) for row in range(len(events))]
        columns[name] = column_of(values, is_text=column.field.type == "str")
    mask = query.mask(SimpleNamespace(column=columns.__getitem__), (len(events),))
    return np.asarray(mask, np.bool_)
