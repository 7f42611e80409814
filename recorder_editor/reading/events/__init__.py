"""Traffic events: moments of a recording that matter, as near misses, hard braking, red lights passed."""

from .find import Events, find_events
from .kinds import EVENT, KINDS, NUMBERS, STANDARD, VERSION, EventKind, EventName, Thresholds

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
