"""The rows and columns of the pane Events: the traffic events that the filter leaves, sorted."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt

from ....reading import Life
from ....reading.events import Events
from ....texts import N_
from ....views.event_signs import EVENT_SIGNS, EventSign
from ....views.event_texts import event_tip, kind_text, lives_of
from ....views.units import Units
from ...session import Session
from ...style.theme import Theme
from ...widgets.cells import Bar, Piece
from ...widgets.table_columns import NOTHING, BarColumn, Column, NumberColumn, PiecesColumn, SortedModel, grouped


class EventRow(NamedTuple):
    """An event.

    Attributes:
        events: The events.
        row: Its row among them.
        seconds: The elapsed time of its worst moment.
        end: The elapsed time of the last frame.
    """

    events: Events
    row: int
    seconds: float
    end: float

    @property
    def severity(self) -> float:
        """How bad it is, 0 to 1."""
        return float(self.events.table["severity"][self.row])

    @property
    def value(self) -> float:
        """Its value, in the unit of its kind."""
        return float(self.events.table["value"][self.row])

    @property
    def has_value(self) -> bool:
        """Whether it has a value."""
        return math.isfinite(self.value)

    @property
    def unit(self) -> str:
        """The unit of its value."""
        return self.events.kind(self.row).unit

    @property
    def sign(self) -> EventSign:
        """The sign of its kind."""
        return EVENT_SIGNS[self.events.kind(self.row).name]

    @property
    def lives(self) -> list[Life]:
        """The lives of its actors, one or two."""
        return lives_of(self.events, self.row)


def _kind_pieces(row: EventRow, _units: Units) -> Sequence[Piece]:
    return Piece(icon=row.sign.icon, color=row.sign.color), Piece(kind_text(row.events, row.row))


def _time_pieces(row: EventRow, units: Units) -> Sequence[Piece]:
    text, unit = units.time_parts(row.seconds, row.end)
    if not unit:
        return (Piece(text, font="mono"),)
    return Piece(text, font="mono"), Piece(unit, font="small", color="muted", gap=3)


def _actor_pieces(row: EventRow, _units: Units) -> Sequence[Piece]:
    """Return the ids of the actors, the second one muted, and a star where one of them is a hero."""
    first, *others = row.lives
    pieces = [Piece(str(first.actor), font="mono")]
    pieces.extend(Piece(str(life.actor), font="mono", color="muted") for life in others)
    if any(life.is_hero for life in row.lives):
        pieces.append(Piece(icon="star", color="hero"))
    return pieces


def _value_pieces(row: EventRow, units: Units) -> Sequence[Piece]:
    if not row.has_value:
        return (Piece(NOTHING, font="mono"),)
    number, _, _ = units.text(row.value, row.unit).rpartition(" ")
    return (Piece(number, font="mono"),)


def _unit_pieces(row: EventRow, units: Units) -> Sequence[Piece]:
    unit = units.unit(row.unit) if row.has_value else ""
    return (Piece(unit, font="small", color="muted"),)


COLUMNS: Sequence[Column[EventRow]] = (
    PiecesColumn("kind", title=N_("Kind"), pieces=_kind_pieces, key_of=lambda row: kind_text(row.events, row.row)),
    PiecesColumn(
        "time",
        title=N_("Time"),
        tooltip=N_("Its worst moment, elapsed time"),
        width=72,
        is_number=True,
        pieces=_time_pieces,
        key_of=lambda row: row.seconds,
    ),
    NumberColumn(
        "frame",
        title=N_("Frame"),
        tooltip=N_("The frame of its worst moment"),
        width=56,
        shown_from=560,
        value=lambda row: int(row.events.table["worst"][row.row]) + 1,
        format=grouped,
    ),
    PiecesColumn(
        "actors",
        title=N_("Actors"),
        tooltip=N_("One or two; a star where one of them is a hero"),
        width=104,
        pieces=_actor_pieces,
        key_of=lambda row: row.lives[0].actor,
    ),
    PiecesColumn(
        "value",
        title=N_("Value"),
        tooltip=N_("By its kind, as the minimum 2D-TTC of a near miss"),
        width=54,
        shown_from=340,
        is_number=True,
        pieces=_value_pieces,
        key_of=lambda row: row.value if row.has_value else -math.inf,
    ),
    PiecesColumn(
        "unit",
        title=N_("Unit"),
        tooltip=N_("The unit of the value"),
        width=36,
        shown_from=380,
        pieces=_unit_pieces,
        key_of=lambda row: row.unit,
    ),
    BarColumn(
        "severity",
        title=N_("Severity"),
        tooltip=N_("How bad it is, 0 to 100 %"),
        width=76,
        shown_from=440,
        bar=lambda row: Bar(row.severity, row.sign.color),
    ),
)

SEVERITY = len(COLUMNS) - 1
"""The column that the table is sorted by at first."""


class EventsModel(SortedModel[EventRow]):
    """One row an event that is shown, in the order that was asked for.

    Attributes:
        session: The session.
    """

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, COLUMNS, parent)
        self.session = session

    def show_events(self, events: Events | None, rows: Sequence[int]) -> None:
        """Show some of the events, by their rows."""
        shown: list[EventRow] = []
        snapshot = self.session.events.snapshot
        if events is not None and snapshot is not None and len(snapshot):
            elapsed = snapshot.elapsed
            end = float(elapsed[-1])
            for row in rows:
                shown.append(EventRow(events, row, float(elapsed[events.table["worst"][row]]), end))
        self.beginResetModel()
        self.arrange(shown)
        self.endResetModel()

    def row_of(self, event: int) -> int | None:
        """Return where an event is shown, by its row among all; None where it is not."""
        for number, row in enumerate(self.rows):
            if row.row == event:
                return number
        return None

    def identity(self, row: EventRow) -> int:
        return row.row

    def natural_key(self, row: EventRow) -> tuple[float, float]:
        """Return what a row is sorted by where no column is: the worst ones first."""
        return -row.severity, row.seconds

    def shown(self, row: EventRow, column: int, role: int) -> object:
        """Return what a cell has for a role: also a tooltip with all that is known."""
        if role == Qt.ItemDataRole.ToolTipRole:
            return event_tip(row.events, row.row, self.theme.units)
        return super().shown(row, column, role)
