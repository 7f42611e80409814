"""Edits that take over what a comparison has found, and why something cannot be taken over."""

from ...edits.actors.copying import refuse_other_dialect
from ...edits.taking import (
    frames_text,
    refuse_without_event,
    take_actor,
    take_bare_packet,
    take_frames,
    take_header,
    take_order,
    take_values,
)
from ...errors import EditError
from ...progress import SILENT, Progress
from ...recording import Edit, Snapshot
from ...texts import N_count, say
from .compare import Comparison
from .groups import FieldGroup, rows_of_spans
from .things import Thing


def take_thing(snapshot: Snapshot, comparison: Comparison, thing: Thing, progress: Progress = SILENT) -> Edit:
    """Return the edit that makes a thing as it is in the other recording.

    Args:
        snapshot: The recording, in the state that was compared.
        comparison: The comparison that found the thing.
        thing: The thing.
        progress: Reports progress and cancels.

    Raises:
        EditError: It cannot be taken over; `refusal_of` says so before.
        FieldError: A value of the header does not fit.
        NothingToDo: It is the same in both.
        Cancelled: The user cancelled.
    """
    other = comparison.b
    reason = refusal_of(snapshot, comparison, thing)
    if reason:
        raise EditError(reason)
    if thing.kind == "header":
        return take_header(snapshot, other)
    if thing.kind == "frames":
        return take_frames(snapshot, other, thing.first, thing.last + 1, there=thing.only == "b", progress=progress)
    rows = rows_of_spans(thing.spans)
    if thing.kind == "actor":
        return take_actor(snapshot, other, thing.ids[0], rows=rows, progress=progress)
    if thing.kind == "order":
        return take_order(snapshot, other, rows, progress=progress)
    if _names_actors(comparison, thing.packet):
        return take_bare_packet(snapshot, other, thing.packet, rows=rows, progress=progress)
    return take_values(snapshot, other, thing.packet, rows=rows, progress=progress)


def take_group(snapshot: Snapshot, comparison: Comparison, group: FieldGroup, progress: Progress = SILENT) -> Edit:
    """Return the edit that takes over the differences of a group in all its frames.

    Of a packet whose records have no id, the whole packet is taken over in these frames.

    Args and errors are those of `take_thing`.
    """
    rows = rows_of_spans(group.spans)
    return take_values(snapshot, comparison.b, group.packet, id=group.id, path=group.path, rows=rows, progress=progress)


def refusal_of(snapshot: Snapshot, comparison: Comparison, thing: Thing) -> str:
    """Return why a thing cannot be taken over; empty where it can.

    Args:
        snapshot: The recording, in the state that was compared.
        comparison: The comparison that found the thing.
        thing: The thing.
    """
    if thing.kind == "carried":
        return _carried_reason(thing)
    if thing.kind == "outside":
        return say("bytes outside of frames belong to no thing; Bytes shows and edits them")
    header = comparison.b.header
    has_headers = snapshot.header is not None and header is not None and not isinstance(header.map_name, bytes)
    if thing.kind == "header" and not has_headers:
        return say("one of the two files has no readable header")
    is_removal = thing.only == "a" and thing.kind in ("actor", "frames")
    try:
        if thing.kind != "header" and not is_removal:
            refuse_other_dialect(snapshot, comparison.b)
        if thing.kind == "actor" and not is_removal:
            refuse_without_event(snapshot, comparison.b, thing.ids[0], comparison.alignment.pairs)
    except EditError as error:
        return error.message
    return ""


def _carried_reason(thing: Thing) -> str:
    """Return `they come with frames 541 to 555`."""
    if thing.only == "b":
        template = N_count("it comes with {frames}", "they come with {frames}")
    else:
        template = N_count("it goes with {frames}", "they go with {frames}")
    return say(template, count=len(thing.ids), frames=frames_text(thing.first, thing.last))


def _names_actors(comparison: Comparison, name: str) -> bool:
    """Return whether the records of a packet each name one actor, in either recording."""
    for dialect in (comparison.a.dialect, comparison.b.dialect):
        kind = dialect.by_name(name)
        if kind is not None and kind.actor_field is not None:
            return True
    return False
