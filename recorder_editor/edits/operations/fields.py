"""The operations on values: fields by an expression, fields of one actor over frames, the file header."""

from collections.abc import Sequence
from typing import Any

from ...format.values import parse_value
from ...recording.history import Edit
from ..fields import add_of_actor, field_of, set_of_actor
from ..header import set_header
from ..intents import id_named
from ..replace import replace_where
from .common import ONE, RANGE
from .kinds import EXPRESSION, FIELD, NUMBER, PACKET, STAMP, TEXT, VALUE, VERSION
from .schema import Argument, By, Call, Operation, Option

_PACKET = Argument("packet", PACKET, says="its name, as in Position")
_FIELD = Argument("field", FIELD, says="its path, as in location.x")


def _replace(call: Call) -> Edit:
    return replace_where(call.snapshot, call["text"], frames=call.frames, progress=call.progress)


def _set_over(call: Call) -> Edit:
    actor, frames = _of_one_id(call)
    _, leaf = field_of(call.snapshot, call["packet"], call["field"])
    value = parse_value(leaf, call["value"])
    return set_of_actor(call.snapshot, call["packet"], call["field"], actor, value, frames, progress=call.progress)


def _add_over(call: Call) -> Edit:
    actor, frames = _of_one_id(call)
    delta = call.number("delta")
    return add_of_actor(call.snapshot, call["packet"], call["field"], actor, delta, frames, progress=call.progress)


def _of_one_id(call: Call) -> tuple[int, range]:
    """The id whose records are meant, which may be one that was never born, and in which frames."""
    named: Sequence[Any] = call["actors"]
    if len(named) == 1 and not isinstance(named[0], str) and "blueprint" not in named[0]:
        every = range(len(call.snapshot))
        return id_named(call.snapshot, named[0]), every if call.frames is None else call.frames
    return call.life.actor, call.frames_or(call.life)


OPERATIONS = (
    Operation(
        "replace_where",
        "Find and replace",
        "Set fields of the records that a condition finds",
        _replace,
        (Argument("text", EXPRESSION, says="an expression, see Find and replace"), *RANGE),
        (Option("--set", "fields, as in 'Position where id == 174 and location.z < 0: location.z = 0'", ("text",)),),
        over="recording",
    ),
    Operation(
        "set_header",
        "File header",
        "Set map, date and version of the file",
        By(set_header),
        (
            Argument("map_name", TEXT, False, "M", says="the map"),
            Argument("date", STAMP, False, says="seconds since 1970"),
            Argument("version", VERSION, False, says="one that fits the content"),
        ),
        (
            Option("--set-map", "the map in the header", ("map_name",)),
            Option("--set-date", "the date in the header: 2026-01-31T12:00:00 (UTC), or seconds since 1970", ("date",)),
            Option("--set-version", "the version in the header, one that fits the content", ("version",)),
        ),
    ),
    Operation(
        "set_over",
        "Set a field",
        "Set a field of one actor in many frames",
        _set_over,
        (_PACKET, ONE, _FIELD, Argument("value", VALUE, says="as typed in the window"), *RANGE),
        over="life",
    ),
    Operation(
        "add_over",
        "Add to a field",
        "Add to a field of one actor in many frames",
        _add_over,
        (_PACKET, ONE, _FIELD, Argument("delta", NUMBER, says="what is added"), *RANGE),
        over="life",
    ),
)
"""The operations on values."""
