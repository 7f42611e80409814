"""The operations on fields: by an expression, of one actor over frames, of the file header; and on whole packets."""

from ...format import parse_value
from ...recording import Edit
from ...texts import N_
from ..dropping import drop_packets
from ..fields import ActorField, add_over, set_over
from ..header import set_header
from ..intents import id_of_name
from ..replace import replace_where
from . import kinds
from .common import ACTOR, FROM, TO
from .schema import Argument, Operation, OperationCall, Option

PACKET = Argument("packet", kinds.PACKET, help=N_("its name or id, as in Position or 6"))
FIELD = Argument("field", kinds.FIELD, help=N_("its path, as in location.x"))


REPLACE_WHERE = Operation(
    edit=replace_where,
    title=N_("Find and replace"),
    summary=N_("Set fields of the records that a condition finds"),
    frame_range="recording",
    parameters=(Argument("text", kinds.EXPRESSION, help=N_("an expression, as in Find and replace")), FROM, TO),
    options=(
        Option(
            "--set",
            help=N_("fields, as in 'Position where id == 174 and location.z < 0: location.z = 0'"),
            values=("text",),
        ),
    ),
)

SET_HEADER = Operation(
    edit=set_header,
    title=N_("Set file header"),
    summary=N_("Set map, date and version of the file"),
    parameters=(
        Argument("map_name", kinds.TEXT, needed=False, metavar="M", help=N_("the map")),
        Argument("date", kinds.STAMP, needed=False, help=N_("seconds since 1970")),
        Argument("version", kinds.VERSION, needed=False, help=N_("one that fits the content")),
    ),
    options=(
        Option("--set-map", help=N_("the map in the header"), values=("map_name",)),
        Option(
            "--set-date",
            help=N_("the date in the header: 2026-01-31T12:00:00 (UTC), or seconds since 1970"),
            values=("date",),
        ),
        Option("--set-version", help=N_("the version in the header, one that fits the content"), values=("version",)),
    ),
)


# --- a field of an actor over frames --------------------------------------------------------------------


def _target(call: OperationCall) -> tuple[ActorField, range]:
    """Return the field and the frames of a call; the id may be one without an EventAdd."""
    named = call.named_actors
    if len(named) == 1 and not isinstance(named[0], str) and "blueprint" not in named[0]:
        actor = id_of_name(call.snapshot, named[0])
        frames = call.frames
        if frames is None:
            frames = range(len(call.snapshot))
    else:
        life = call.life
        actor = life.actor
        frames = call.frames_or(life)
    target = ActorField.named(call.snapshot, str(call["packet"]), call.text("field"), actor)
    return target, frames


def _set_over(call: OperationCall) -> Edit:
    target, frames = _target(call)
    value = parse_value(target.field, call.text("value"))
    return set_over(call.snapshot, target, value, frames, progress=call.progress)


def _add_over(call: OperationCall) -> Edit:
    target, frames = _target(call)
    return add_over(call.snapshot, target, call.number("delta"), frames, progress=call.progress)


SET_OVER = Operation(
    edit=set_over,
    run=_set_over,
    title=N_("Set a field"),
    summary=N_("Set a field of one actor in many frames"),
    frame_range="life",
    parameters=(PACKET, ACTOR, FIELD, Argument("value", kinds.VALUE, help=N_("as typed in the window")), FROM, TO),
)

ADD_OVER = Operation(
    edit=add_over,
    run=_add_over,
    title=N_("Add to a field"),
    summary=N_("Add to a field of one actor in many frames"),
    frame_range="life",
    parameters=(PACKET, ACTOR, FIELD, Argument("delta", kinds.NUMBER, help=N_("the number to add")), FROM, TO),
)

# --- whole packets --------------------------------------------------------------------------------------

DROP_PACKETS = Operation(
    edit=drop_packets,
    title=N_("Drop packets"),
    summary=N_("Remove packets from all frames, such as those of additional data"),
    parameters=(
        Argument(
            "packets",
            kinds.PACKETS,
            needed=False,
            help=N_("their names or ids, as in Kinematics,139; null: those of additional data"),
        ),
    ),
    options=(
        Option(
            "--drop-additional", help=N_("remove the packets of additional data, as if it had been recorded without")
        ),
        Option("--drop-packets", help=N_("remove packets by name or id, as in Kinematics,139"), values=("packets",)),
    ),
)

OPERATIONS = (REPLACE_WHERE, SET_HEADER, SET_OVER, ADD_OVER, DROP_PACKETS)
"""The operations on values and packets."""
