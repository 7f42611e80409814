"""The rows and columns of the pane Events: the traffic events that the filter leaves, sorted."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt

from ....reading.events import Events
from ....texts import N_
from ....views.event_texts import SIGNS, event_tip, kind_text, lives_of, value_text
from ....views.units import Units
from ...session import Session
from ...style.theme import Theme
from ...widgets.table_columns import Column, NumberColumn, SortedModel, TextColumn, grouped


class EventRow(NamedTuple):
    """An event.

    Attributes:
        events: The events.
        row: Its row among them.
        seconds: The elapsed time of its worst moment.
    """

    events: Events
    row: int
    seconds: float

    @property
    def severity(self) -> float:
        """How bad it is, 0 to 1."""
        return float(self.events.table["severity"][self.row])

    @property
    def value(self) -> float:
        """Its value, in the unit of its kind."""
        return float(self.events.table["value"][self.row])

    def actor(self, number: int) -> float | None:
        """Return the id of its first (0) or second (1) actor; None without one."""
        lives = lives_of(self.events, self.row)
        if number < len(lives):
            return float(lives[number].actor)
        return None


def _icon(row: EventRow) -> str:
    return SIGNS[row.events.kind(row.row).name]


def _id_text(actor: float) -> str:
    return str(int(actor))


class _ValueColumn(NumberColumn[EventRow]):
    """The value with its unit, which depends on the kind; sorted within a kind."""

    def text(self, row: EventRow, units: Units) -> str:
        return value_text(row.events, row.row, units)


COLUMNS: Sequence[Column[EventRow]] = (
    TextColumn("kind", title=N_("Event"), icon=_icon, value=lambda row: kind_text(row.events, row.row)),
    NumberColumn(
        "time",
        title=N_("Time"),
        tooltip=N_("Its worst moment, elapsed seconds"),
        width=50,
        value=lambda row: row.seconds,
        format=lambda seconds: f"{seconds:.2f}",
    ),
    NumberColumn(
        "frame",
        title=N_("Frame"),
        tooltip=N_("The frame of its worst moment"),
        width=56,
        shown_from=420,
        value=lambda row: int(row.events.table["worst"][row.row]) + 1,
        format=grouped,
    ),
    NumberColumn("actor", title=N_("Actor"), width=46, value=lambda row: row.actor(0), format=_id_text),
    NumberColumn("other", title=N_("Other"), width=46, shown_from=300, value=lambda row: row.actor(1), format=_id_text),
    _ValueColumn(
        "value",
        title=N_("Value"),
        tooltip=N_("By its kind, as the least 2D-TTC of a near miss"),
        width=80,
        value=lambda row: row.value,
    ),
    NumberColumn(
        "severity",
        title=N_("Severity"),
        tooltip=N_("How bad it is, 0 to 100 %"),
        width=62,
        shown_from=360,
        value=lambda row: row.severity,
        format=lambda share: f"{100 * share:.0f} %",
    ),
)


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
        if events is not None and snapshot is not None:
            for row in rows:
                shown.append(EventRow(events, row, float(snapshot.elapsed[events.table["worst"][row]])))
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
