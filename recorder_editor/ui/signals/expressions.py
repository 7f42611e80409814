"""Signals by expression: `Kinematics: abs(linear_velocity.x) * 3.6`, in the language of queries, with a name.

Knows recordings, no widget.
"""

import re

from ...arrays import FloatArray, IntArray, StructuredArray
from ...format import Dialect
from ...recording import Snapshot
from ...recording.expression import ExpressionError, Query, parse_value
from ...recording.expression.records import TrackRecords
from ...sentences import say
from ..signal_key import Key

_UNIT = re.compile(r"(.*?)\s*\[([^\[\]]*)\]\s*")


def parsed(text: str, dialect: Dialect) -> Query:
    """The value that a text means; raises `ExpressionError`, also for packets whose records differ in size."""
    query = parse_value(text, dialect)
    if query.kind.dtype is None:
        raise ExpressionError(say("ui.records_differ_in_size", packet=query.kind.name), 1)
    return query


def parsed_for(key: Key, dialect: Dialect) -> Query:
    """The value that a signal shows; raises `ExpressionError`, also where the actor is missing whose it is."""
    query = parsed(key.path, dialect)
    if query.kind.actor_field is not None and key.actor is None:
        raise ExpressionError(say("ui.select_an_actor", packet=query.kind.name), 1)
    return query


def name_and_unit(key: Key) -> tuple[str, str]:
    """What the signal of an expression is called, and its unit."""
    name = key.name.strip()
    match = _UNIT.fullmatch(name)
    return (match[1], match[2]) if match is not None else (name or key.path.partition(":")[2].strip(), "")


def values_of(query: Query, table: StructuredArray, snapshot: Snapshot) -> tuple[IntArray, FloatArray]:
    """Frames (int64[n], rising) and values (float64[n]) of the records of a track that meet the condition.

    Raises `ExpressionError` for lanes without a road map.
    """
    query.need_map(snapshot)
    records = TrackRecords(query.kind, table, snapshot)
    met = query.mask(records, table.shape)
    return records.frames[met], query.values(records, table.shape)[met]
