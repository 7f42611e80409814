"""One actor, reduced to a part of its life."""

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
    """The edit that limits a life to these frames (indices from 0).

    It is created in the first one with its pose there (traffic actors: as created, to the bit), its parent, box,
    physics and open doors, and the attachments of its children are repeated. Its EventDel is in the frame after the
    last one. Its records in other frames are removed; its children stay, detached outside of these frames. Children
    without Position that were created attached to it are created at the place in the world where they will be attached.
    Raises `EditError` if it is not alive in these frames or only in these.
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
    """The records that create a life in a later frame: packet name and bytes, in the recorder's order.

    Records that the frame itself holds are left out. `attached`: the frame will hold its EventParent, so that the pose
    of the EventAdd is an offset if the recording holds offsets.
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
    """Plan that children of these lives that were created at an offset are created at their place in the world.

    `moved`: further lives and the poses in the world, as stored, that they are created with.
    """
    places = {child.index: (child, pose) for child, pose in (*detached_children(snapshot, leaving), *moved)}
    for child, pose in places.values():
        plan.dropped.append(child.added)
        plan.add(child.added.row, "EventAdd", event_add_record(snapshot, child, pose))


def _attachments(snapshot: Snapshot, life: Life, frame: int) -> list[tuple[int, int]]:
    """(child id, parent id) of attachments of a life in a frame that were made before it."""
    actors = Actors.of(snapshot)
    row = snapshot.table.row_of_frame(frame)
    made_here = {each.child for each in actors.parents if each.place.row == row}
    return [
        (child.actor, parent.actor)
        for child, parent in actors.world_at(frame, own_events=False).parents
        if life.index in (child.index, parent.index) and child.actor not in made_here
    ]
