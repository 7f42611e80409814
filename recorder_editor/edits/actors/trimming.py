"""One actor there for a part of its life only."""

from collections.abc import Iterable

from ...errors import EditError, NothingToDo
from ...progress import SILENT, Progress
from ...recording.actors import Actors
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ..attachments import detached_children, event_add_record, state_at, waiting_children
from ..block_rewrite import frames_within
from ..intents import edit_of, seconds
from ..place import RecordingLike
from .id_spans import IdSpan, event_dels, id_span_of, name_of, refuse_outside_frames
from .rewrite import Plan, rewrite


def trim_life(recording: RecordingLike, life: Life, frames: range, *, progress: Progress = SILENT) -> Edit:
    """The edit after which a life lasts from the first of these frames (indices from 0) to the last, and no longer.

    It is created in the first one, where it is then (traffic actors: where they were told to be, to the bit), with what
    it is attached to, its box, physics and open doors; whoever is attached to it is told so again. Its EventDel comes
    in the frame after the last one. All other records of it are gone; those attached to it stay, detached outside of
    its time. Who was born on it, and has no Position, waits in the world where it meets it, so that it rides on as
    before. Raises `EditError` where it is not alive in these frames or is there no longer than that anyway.
    """
    snapshot = recording.snapshot
    refuse_outside_frames(snapshot, [life])
    wanted, whole = frames_within(snapshot, frames), life.within(range(len(snapshot)))
    kept = life.within(wanted)
    if not kept:
        raise EditError(f"{name_of(life)} is not alive in these frames.")
    if kept == whole:
        raise NothingToDo(f"{name_of(life)} lives in these frames alone already.")
    id_span = id_span_of(snapshot, life)
    plan = Plan()
    first = kept.start
    if first > life.born:
        row = snapshot.table.row_of_frame(first)
        plan.leaving.append(IdSpan(life.actor, id_span.first, row - 1))
        plan.dropped.append(life.added)
        detach_children(snapshot, plan, [life], waiting_children(snapshot, life, first))
        for packet, record in spawn_records(snapshot, life, first, attached=True):
            plan.add(row, packet, record)
        for child, parent in _attachments(snapshot, life, first):
            plan.add(row, "EventParent", child.to_bytes(4, "little") + parent.to_bytes(4, "little"))
    if kept.stop < whole.stop:
        row = snapshot.table.row_of_frame(kept.stop)
        plan.leaving.append(IdSpan(life.actor, row, id_span.last))
        plan.dropped.extend(event_dels(snapshot, [life]).values())
        plan.add(row, "EventDel", life.actor.to_bytes(4, "little"))
    label = f"Trim {life.actor} to {len(kept):,} {'frame' if len(kept) == 1 else 'frames'}"
    splices = rewrite(snapshot, plan, progress)
    return edit_of(snapshot, "trim_life", label, splices, [life], **seconds(snapshot, wanted))


def spawn_records(snapshot: Snapshot, life: Life, frame: int, *, attached: bool) -> list[tuple[str, bytes]]:
    """The records that create a life in a later frame as it is then: packet name and bytes, in the recorder's order.

    What the frame itself tells of it is left out. What it is attached to is not told by these, but whether that will be
    told in the frame (`attached`) decides how its EventAdd says where it is.
    """
    state = state_at(snapshot, life, frame, own_events=False)
    assert state is not None
    own = snapshot.frame(frame)

    def is_recorded(name: str) -> bool:
        return any(packet.name == name and packet.decoded.find_actor(life.actor) is not None for packet in own.packets)

    records = [("EventAdd", event_add_record(snapshot, life, state.spawn if attached else state.pose))]
    for kind in snapshot.dialect.kinds("lasting"):
        lasting = state.records_of_new(kind.name)
        if lasting and not is_recorded(kind.name):
            records += [(kind.name, record) for record in lasting]
    return records


def detach_children(
    snapshot: Snapshot, plan: Plan, leaving: Iterable[Life], moved: Iterable[tuple[Life, bytes]] = ()
) -> None:
    """Plan that those who stay, and were born at an offset from one of these, are born where that was in the world.

    Or `elsewhere`: lives and the places in the world, as stored, that they are born in.
    """
    places = {child.index: (child, pose) for child, pose in (*detached_children(snapshot, leaving), *moved)}
    for child, pose in places.values():
        plan.dropped.append(child.added)
        plan.add(child.added.row, "EventAdd", event_add_record(snapshot, child, pose))


def _attachments(snapshot: Snapshot, life: Life, frame: int) -> list[tuple[int, int]]:
    """Child and parent of the attachments of a life that hold in a frame and were made before it."""
    actors = Actors.of(snapshot)
    row = snapshot.table.row_of_frame(frame)
    made_here = {each.child for each in actors.parents if each.place.row == row}
    return [
        (child.actor, parent.actor)
        for child, parent in actors.world_at(frame, own_events=False).parents
        if life.index in (child.index, parent.index) and child.actor not in made_here
    ]
