"""The columns of events: the names that expressions, the index of a folder and the pane know them by."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ...arrays import FloatArray
from ...format import Field
from ...texts import N_
from .find import Events

Cell = str | int | float | None


class EventColumn(NamedTuple):
    """A column.

    Attributes:
        field: Its name, type and title.
        value: The value of an event, by its row; None where there is none.
    """

    field: Field
    value: Callable[[Events, int, FloatArray], Cell]


def _time(name: str) -> Callable[[Events, int, FloatArray], Cell]:
    return lambda events, row, elapsed: float(elapsed[events.table[name][row]])


def _number(name: str) -> Callable[[Events, int, FloatArray], Cell]:
    return lambda events, row, _elapsed: float(events.table[name][row])


def _other(events: Events, row: int, _elapsed: FloatArray) -> Cell:
    other = events.other(row)
    return other.actor if other is not None else None


def _other_blueprint(events: Events, row: int, _elapsed: FloatArray) -> Cell:
    other = events.other(row)
    return other.blueprint if other is not None else ""


_COLUMNS = (
    EventColumn(Field("kind", "str", N_("Event")), lambda events, row, _: events.kind(row).name),
    EventColumn(Field("frame", "i64", N_("Frame")), lambda events, row, _: int(events.table["worst"][row]) + 1),
    EventColumn(Field("time", "f64", N_("Time, s")), _time("worst")),
    EventColumn(Field("actor", "i64", N_("Actor")), lambda events, row, _: events.life(row).actor),
    EventColumn(Field("blueprint", "str", N_("Blueprint")), lambda events, row, _: events.life(row).blueprint),
    EventColumn(Field("other", "i64", N_("Other")), _other),
    EventColumn(Field("other_blueprint", "str", N_("Other blueprint")), _other_blueprint),
    EventColumn(Field("value", "f64", N_("Value")), _number("value")),
    EventColumn(Field("unit", "str", N_("Unit")), lambda events, row, _: events.kind(row).unit),
    EventColumn(Field("severity", "f64", N_("Severity")), _number("severity")),
    EventColumn(Field("start_s", "f64", N_("Start, s")), _time("first")),
    EventColumn(Field("end_s", "f64", N_("End, s")), _time("last")),
)

EVENT_COLUMNS: Mapping[str, EventColumn] = {column.field.path: column for column in _COLUMNS}
"""The columns by name."""
