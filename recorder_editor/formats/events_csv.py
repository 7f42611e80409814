"""Chosen traffic events as CSV, with the columns of the table of events."""

from ..reading.events import Events
from ..recording import Snapshot
from .csv_format import csv_lines
from .tables.road_users import EVENT_COLUMNS, event_block


def events_as_csv(snapshot: Snapshot, events: Events) -> bytes:
    """Return events as CSV."""
    return b"".join(csv_lines(EVENT_COLUMNS, [event_block(snapshot, events)]))
