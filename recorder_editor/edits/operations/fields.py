"""The operations on fields: by an expression, of one actor over frames, of the file header."""

from collections.abc import Sequence
from typing import Any

from ...format import parse_value
from ...recording import Edit
from ..fields import ActorField, add_over, set_over
from ..header import set_header
from ..intents import id_named
from ..replace import replace_where
from .schema import OperationCall, operation


def _set_over(call: OperationCall) -> Edit:
    target, frames = _target(call)
    return set_over(call.snapshot, target, parse_value(target.field, call["value"]), frames, progress=call.progress)


def _add_over(call: OperationCall) -> Edit:
    target, frames = _target(call)
    return add_over(call.snapshot, target, call.number("delta"), frames, progress=call.progress)


def _target(call: OperationCall) -> tuple[ActorField, range]:
    """The field and the frames of a call; the id may be one without an EventAdd."""
    named: Sequence[Any] = call["actors"]
    if len(named) == 1 and not isinstance(named[0], str) and "blueprint" not in named[0]:
        actor = id_named(call.snapshot, named[0])
        frames = range(len(call.snapshot)) if call.frames is None else call.frames
    else:
        actor, frames = call.life.actor, call.frames_or(call.life)
    return ActorField.named(call.snapshot, str(call["packet"]), call["field"], actor), frames


OPERATIONS = (
    operation(replace_where),
    operation(set_header),
    operation(set_over, run=_set_over),
    operation(add_over, run=_add_over),
)
"""The operations on values."""
