"""What the window says of a traffic event. No Qt."""

import math
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

import numpy as np

from ..reading import Life
from ..reading.events import Events
from ..reading.pair_signals import PAIR_MEASURES
from ..reading.road_users import boxes_of
from ..texts import listed, say, say_count
from .signal_key import Key
from .units import Units

MEASURED = ("ttc2d", "distance", "closing", "drac")
"""The measures of the two of an event that are told of its worst moment."""

PLOTTED = ("ttc2d", "distance")
"""Those of them that are plotted."""

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


def title_text(events: Events, row: int) -> str:
    """Return kind and actors of an event, as `Near miss of 3890 and 3932`."""
    actors = [str(life.actor) for life in lives_of(events, row)]
    return say("{kind} of {actors}", kind=kind_text(events, row), actors=listed(actors, "and"))


def lasting_text(events: Events, row: int, units: Units) -> str:
    """Return what is so within how many frames, as `2D-TTC below 1.5 s within 26 frames`; an event may have gaps."""
    kind = events.kind(row)
    event = events.table[row]
    count = int(event["last"]) - int(event["first"]) + 1
    limit = kind.limit(events.thresholds)
    if limit is None:
        return say_count("1 frame", "{count:,} frames", count=count)
    what = say(kind.limit_text, limit=units.short(limit, kind.unit))
    return say_count("{what} in 1 frame", "{what} within {count:,} frames", count=count, what=what)


class Measured(NamedTuple):
    """A number about the worst moment of an event.

    Attributes:
        name: What it is: the name of a measure, `value`, `x` or `y`.
        title: Its title.
        value: The number; NaN where it has none.
        unit: Its unit.
    """

    name: str
    title: str
    value: float
    unit: str


def measured(events: Events, row: int) -> Iterator[Measured]:
    """Yield the numbers about the worst moment of an event: its value, the measures of the two, and its place.

    Raises:
        RecorderError: The recording cannot be read any more.
        OSError: As RecorderError.
    """
    kind = events.kind(row)
    event = events.table[row]
    other = events.other(row)
    if not kind.measure:
        yield Measured("value", kind.value, float(event["value"]), kind.unit)
    if other is not None:
        indices = np.array([events.life(row).index, other.index])
        boxes = boxes_of(events.users.find(indices, np.repeat(event["worst"], 2)))
        first = boxes.take(slice(0, 1))
        second = boxes.take(slice(1, 2))
        for name in MEASURED:
            measure = PAIR_MEASURES[name]
            yield Measured(name, say(measure.title_text), float(measure.function(first, second)[0]), measure.unit)
    yield Measured("x", "x", float(event["x"]), "m")
    yield Measured("y", "y", float(event["y"]), "m")


def plotted(events: Events, row: int) -> tuple[Key, ...]:
    """Return the signals of the two of an event; none for an event of one, and where one is no vehicle or walker."""
    lives = lives_of(events, row)
    if len(lives) < 2 or not all(life.is_road_user for life in lives):
        return ()
    actor, other = (life.actor for life in lives)
    return tuple(Key("pair", name, actor=actor, other=other) for name in PLOTTED)


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
