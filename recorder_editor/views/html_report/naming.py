"""What a report calls moments, actors and places."""

from collections.abc import Sequence

import numpy as np

from ...reading import Life
from ...reading.actors import NO_ACTOR
from ...reading.lives import short_blueprint
from ...reading.road_users import boxes_of
from ...roads.towns import town_of
from ...texts import Measure, say
from ..conflict import touching_place
from .drawing import color_of, rows_by_life
from .subject import Contact, Subject


def seconds_text(subject: Subject, frame: int) -> str:
    """Return the time of a frame, as `23.100 s`."""
    return say("{seconds:.3f} s", seconds=Measure(subject.snapshot.elapsed[frame]))


def actor_text(actor: int, life: Life | None) -> str:
    """Return an actor with its blueprint, as `3891 diamondback.century`."""
    if actor == NO_ACTOR:
        return say("an object")
    if life is None:
        return str(actor)
    text = f"{actor} {short_blueprint(life.blueprint)}"
    if life.is_hero:
        return say("{actor} (hero)", actor=text)
    return text


def short_text(life: Life) -> str:
    """Return what a label says of an actor."""
    if life.is_hero:
        return say("{actor} hero", actor=life.actor)
    return str(life.actor)


def label_color(life: Life) -> str:
    """Return the name of the colour of what is said of a road user."""
    if life.is_hero:
        return "hero"
    return color_of(life)


def span_text(subject: Subject, contact: Contact) -> str:
    """Return seconds and frames of a contact, as `23.100 to 24.950 s, frames 463 to 500`."""
    elapsed = subject.snapshot.elapsed
    if contact.first == contact.last:
        return say("{time}, frame {frame:,}", time=seconds_text(subject, contact.first), frame=contact.first + 1)
    return say(
        "{start:.3f} to {end:.3f} s, frames {first:,} to {last:,}",
        start=Measure(elapsed[contact.first]),
        end=Measure(elapsed[contact.last]),
        first=contact.first + 1,
        last=contact.last + 1,
    )


def map_name(subject: Subject) -> str:
    """Return the town of a recording; empty without one."""
    header = subject.overview.header
    if header is None:
        return ""
    name = header.map_name
    if isinstance(name, bytes):
        name = name.decode("utf-8", "backslashreplace")
    return town_of(name)


def place_of(rows: Sequence[np.void]) -> tuple[float, float] | None:
    """Return where one or two road users touch, m; None where none has a position."""
    if not rows:
        return None
    if len(rows) == 1:
        return float(rows[0]["x"]), float(rows[0]["y"])
    boxes = boxes_of(np.array(rows, rows[0].dtype))
    return touching_place(boxes.take(slice(0, 1)), boxes.take(slice(1, 2)))


def rows_of(subject: Subject, lives: Sequence[Life], frame: int) -> list[np.void]:
    """Return the rows of lives that have a position in a frame."""
    rows = rows_by_life(subject.users.rows(range(frame, frame + 1), {life.actor for life in lives}))
    return [rows[life.index] for life in lives if life.index in rows]
