"""Traffic events: moments of a recording that matter, as near misses, hard braking, red lights passed."""

from ..thresholds import STANDARD, Thresholds
from .find import Events, find_events
from .kinds import EVENT, KINDS, NUMBERS, VERSION, EventKind, EventName

__all__ = [
    "EVENT",
    "KINDS",
    "NUMBERS",
    "STANDARD",
    "VERSION",
    "EventKind",
    "EventName",
    "Events",
    "Thresholds",
    "find_events",
]
