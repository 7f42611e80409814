"""Which events an expression is true of, as `kind == 'near-miss' and value < 1`."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...format import Field, PacketType
from ...format.schema import Struct
from ...texts import N_
from ..expression.query import parse_condition
from ..expression.values import Column, Texts
from .find import Events

FIELDS = (
    Field("kind", "str", N_("Event")),
    Field("frame", "i64", N_("Frame")),
    Field("time", "f64", N_("Time, s")),
    Field("start_s", "f64", N_("Start, s")),
    Field("end_s", "f64", N_("End, s")),
    Field("actor", "i64", N_("Actor")),
    Field("blueprint", "str", N_("Blueprint")),
    Field("other", "i64", N_("Other")),
    Field("other_blueprint", "str", N_("Other blueprint")),
    Field("value", "f64", N_("Value")),
    Field("severity", "f64", N_("Severity")),
)
"""The names that an expression about events may have."""

_SHAPE = PacketType(-1, "Event", "list", Struct("event", FIELDS), "")


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
    columns = {name: _column(events, name, elapsed) for name in query.names}
    mask = query.mask(SimpleNamespace(column=columns.__getitem__), (len(events),))
    return np.asarray(mask, np.bool_)


def _column(events: Events, name: str, elapsed: FloatArray) -> Column:
    table = events.table
    rows = range(len(events))
    others = [events.other(row) for row in rows]
    if name == "kind":
        return _texts([events.kind(row).name for row in rows])
    if name == "blueprint":
        return _texts([events.life(row).blueprint for row in rows])
    if name == "other_blueprint":
        return _texts([other.blueprint if other is not None else "" for other in others])
    if name == "actor":
        return np.array([events.life(row).actor for row in rows], np.float64)
    if name == "other":
        return np.array([other.actor if other is not None else np.nan for other in others], np.float64)
    if name == "frame":
        return np.asarray(table["worst"] + 1, np.float64)
    times = {"time": "worst", "start_s": "first", "end_s": "last"}
    if name in times:
        return np.asarray(elapsed[table[times[name]]])
    return np.asarray(table[name], np.float64)


def _texts(texts: Sequence[str]) -> Texts:
    names = list(dict.fromkeys(texts))
    number = {name: index for index, name in enumerate(names)}
    return Texts(np.array([number[text] for text in texts], np.intp), names)
