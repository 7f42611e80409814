"""Id spans: the rows in which an id means one life; and which ids are in use.

A life has its id from the row of its EventAdd to that of its EventDel, so that a record belongs to a life by its id and
row. EventAdd and EventDel need their exact place: two lives of an id may have one in the same row.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...errors import EditError, say
from ...recording import RAW, Actors, Life, Snapshot

EXACT = ("EventAdd", "EventDel")
"""Packets whose records are identified by their place."""


class IdSpan(NamedTuple):
    """The rows `[first, last]` in which an id means one life; empty if `last` is before `first`.

    They include the row of the EventDel: a collision of that frame belongs to the life.
    """

    actor: int
    first: int
    last: int


def id_span_of(snapshot: Snapshot, life: Life) -> IdSpan:
    """The rows in which the id of a life means this life."""
    last = snapshot.rows - 1
    if life.gone is not None and life.gone < len(snapshot):
        last = snapshot.table.row_of_frame(life.gone)
    of_id = Actors.of(snapshot).of_id(life.actor)
    later = next((other for other in of_id if other.index > life.index), None)
    if later is not None:
        last = min(last, later.added.row - 1)
    return IdSpan(life.actor, life.added.row, last)


def refuse_outside_frames(snapshot: Snapshot, lives: Iterable[Life]) -> None:
    """Raises `EditError` for a life whose EventAdd is outside of frames, which only `repair` can fix."""
    for life in lives:
        if int(snapshot.table.row(life.added.row)["kind"]) == RAW:
            raise EditError(
                say("edits.created_outside_frames", actor=life.actor), offset=snapshot.position(life.added.row)
            )


def refuse_empty(lives: Sequence[Life]) -> None:
    """Raises `EditError` if there are no lives."""
    if not lives:
        raise EditError(say("edits.no_actor"))


def name_of(life: Life) -> str:
    """A life in sentences: `vehicle.tesla.model3 174`."""
    return f"{life.blueprint} {life.actor}"


def label_of(lives: Sequence[Life]) -> str:
    """Lives in labels of edits: `174`, or `3 actors`."""
    return say("edits.actors", count=len(lives), actor=lives[0].actor)


def is_of_level(life: Life) -> bool:
    """Whether it belongs to the map: traffic lights and signs, the spectator, and `static.*` of the first frame.

    The simulator destroys the movable meshes of the level before a replay; only their EventAdd creates them again
    (format reference 6.1).
    """
    return life.is_traffic or life.blueprint == "spectator" or (life.blueprint.startswith("static.") and not life.born)


def unused_id(snapshot: Snapshot) -> int:
    """An unused id: one above the highest, or the lowest free one if there is none above."""
    actors = Actors.of(snapshot)
    used = {life.actor for life in actors} | {each for pair in actors.parents for each in (pair.child, pair.parent)}
    highest = max(used, default=0)
    if highest + 1 < 0xFFFFFFFF:
        return highest + 1
    return next(number for number in range(1, len(used) + 2) if number not in used)


def refuse_used_id(snapshot: Snapshot, actor: int, born: int, gone: int | None, among: Sequence[Life] = ()) -> None:
    """Raises `EditError` if another life has this id within the frames from `born` to `gone` (None: to the end).

    Lives in `among` do not count. A life that ends in the frame in which the other begins is refused, too: within a
    frame adds run before deletes.
    """
    if not 0 < actor < 0xFFFFFFFF:
        raise EditError(say("edits.not_an_id", actor=actor))
    mine = {life.index for life in among}
    for other in Actors.of(snapshot).of_id(actor):
        if other.index in mine or (gone is not None and other.born > gone):
            continue
        if other.gone is None or other.gone >= born:
            code = "edits.id_in_use" if other.gone is None else "edits.id_in_use_until"
            raise EditError(say(code, actor=name_of(other), id=actor, born=other.born + 1, gone=other.gone))
