"""The operations on fields: by an expression, of one actor over frames, of the file header."""

from collections.abc import Sequence
from typing import Any

from ...format.values import parse_value
from ...recording.history import Edit
from ..fields import ActorField, add_over, set_over
from ..header import set_header
from ..intents import id_named
from ..replace import replace_where
from .common import ONE, RANGE
from .kinds import EXPRESSION, FIELD, NUMBER, PACKET, STAMP, TEXT, VALUE, VERSION
from .schema import Argument, Call, Operation, Option

_PACKET = Argument("packet", PACKET, help="its name, as in Position")
_FIELD = Argument("field", FIELD, help="its path, as in location.x")


def _set_over(call: Call) -> Edit:
    target, frames = _target(call)
    return set_over(call.snapshot, target, parse_value(target.field, call["value"]), frames, progress=call.progress)


def _add_over(call: Call) -> Edit:
    target, frames = _target(call)
    return add_over(call.snapshot, target, call.number("delta"), frames, progress=call.progress)


def _target(call: Call) -> tuple[ActorField, range]:
    """The field and the frames of a call; the id may be one without an EventAdd."""
    named: Sequence[Any] = call["actors"]
    if len(named) == 1 and not isinstance(named[0], str) and "blueprint" not in named[0]:
        actor = id_named(call.snapshot, named[0])
        frames = range(len(call.snapshot)) if call.frames is None else call.frames
    else:
        actor, frames = call.life.actor, call.frames_or(call.life)
    return ActorField.named(call.snapshot, call["packet"], call["field"], actor), frames


OPERATIONS = (
    Operation(
        replace_where,
        "Find and replace",
        "Set fields of the records that a condition finds",
        (Argument("text", EXPRESSION, help="an expression, as in Find and replace"), *RANGE),
        (Option("--set", "fields, as in 'Position where id == 174 and location.z < 0: location.z = 0'", ("text",)),),
        over="recording",
    ),
    Operation(
        set_header,
        "File header",
        "Set map, date and version of the file",
        (
            Argument("map_name", TEXT, False, "M", help="the map"),
            Argument("date", STAMP, False, help="seconds since 1970"),
            Argument("version", VERSION, False, help="one that fits the content"),
        ),
        (
            Option("--set-map", "the map in the header", ("map_name",)),
            Option("--set-date", "the date in the header: 2026-01-31T12:00:00 (UTC), or seconds since 1970", ("date",)),
            Option("--set-version", "the version in the header, one that fits the content", ("version",)),
        ),
    ),
    Operation(
        set_over,
        "Set a field",
        "Set a field of one actor in many frames",
        (_PACKET, ONE, _FIELD, Argument("value", VALUE, help="as typed in the window"), *RANGE),
        over="life",
        run=_set_over,
    ),
    Operation(
        add_over,
        "Add to a field",
        "Add to a field of one actor in many frames",
        (_PACKET, ONE, _FIELD, Argument("delta", NUMBER, help="the number to add"), *RANGE),
        over="life",
        run=_add_over,
    ),
)
"""The operations on values."""
