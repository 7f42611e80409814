"""What the window says of a traffic event. No Qt."""

import math
from html import escape

from ..reading import Life
from ..reading.events import Events
from ..texts import listed, say
from .units import Units

_DIGITS = 2


def kind_text(events: Events, row: int) -> str:
    """Return what an event is called; boxes that overlap without a record say so."""
    kind = events.kind(row)
    if kind.name == "collision" and not events.table["recorded"][row]:
        return say("Boxes overlap")
    return kind.title


def who_text(events: Events, row: int) -> str:
    """Return who is in an event, as `3890, 3932`."""
    return listed(str(life.actor) for life in lives_of(events, row))


def lives_of(events: Events, row: int) -> list[Life]:
    """Return the lives of an event, one or two."""
    lives = [events.life(row)]
    other = events.other(row)
    if other is not None:
        lives.append(other)
    return lives


def value_text(events: Events, row: int, units: Units) -> str:
    """Return the value of an event with its unit; empty where it has none."""
    value = float(events.table["value"][row])
    if not math.isfinite(value):
        return ""
    return units.text(value, events.kind(row).unit, _DIGITS)


def event_tip(events: Events, row: int, units: Units) -> str:
    """Return kind, actors, value and frames of an event, as a tooltip."""
    first = int(events.table["first"][row]) + 1
    last = int(events.table["last"][row]) + 1
    lines = [f"<b>{escape(kind_text(events, row))}</b>: {escape(who_text(events, row))}"]
    value = value_text(events, row, units)
    if value:
        lines.append(escape(say("{meaning}: {value}", meaning=events.kind(row).value, value=value)))
    lines.append(escape(say("frames {first:,} to {last:,}", first=first, last=last)))
    return "<br>".join(lines)


def event_sentence(events: Events, row: int, units: Units) -> str:
    """Return an event in one line, for a note and for a screen reader."""
    clauses = [f"{kind_text(events, row)}: {who_text(events, row)}"]
    value = value_text(events, row, units)
    if value:
        clauses.append(value)
    return listed(clauses, "clauses")
