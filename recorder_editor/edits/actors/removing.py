"""Removal of actors, of all others, or of a part of a life."""

from collections.abc import Iterable, Mapping, Sequence

from ...errors import EditError, NothingToDo
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import Edit, RecordingLike, Row, Snapshot, Splice
from ...recording.place import records_of
from ...texts import N_, N_count, Plural, say, say_count
from ..attachments import (
    children_by_parent,
    event_add_record,
    is_born_attached,
    next_attachment,
    state_at,
    stored_world_pose,
)
from ..block_rewrite import frames_within
from ..intents import edit_of, seconds
from .rewrite import (
    IdSpan,
    Plan,
    id_span_of,
    is_of_level,
    label_of,
    name_of,
    refuse_empty,
    refuse_outside_frames,
    rewrite,
)


def remove_actors(
    recording: RecordingLike, lives: Sequence[Life], *, children: bool = True, progress: Progress = SILENT
) -> Edit:
    """Return the edit that removes all records of lives; other lives of their ids stay.

    Collisions are removed with either actor; other collisions keep their numbers.

    Args:
        recording: The recording, which is not changed.
        lives: The lives to remove.
        children: Whether to remove the actors that were attached to them last, too, and theirs.
        progress: Reports progress and cancels.

    Raises:
        EditError: There are no lives, or one begins outside of frames.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_empty(lives)
    named = _once(lives)
    leaving = named
    if children:
        leaving = with_children(Actors.of(snapshot), lives)
    more = len(leaving) - len(named)
    template: str | Plural = N_("Remove {actors}")
    if more:
        template = N_count("Remove {actors} and {count:,} child", "Remove {actors} and {count:,} children")
    label = say(template, actors=label_of(named), count=more)
    return edit_of(snapshot, "remove_actors", label, _without(snapshot, leaving, progress), lives, children=children)


def remove_from_frame(recording: RecordingLike, lives: Sequence[Life], frame_index: int) -> Edit:
    """Return the edit that removes the places, controls, lights and velocities of lives in one frame.

    Events and lasting records stay.

    Args:
        recording: The recording, which is not changed.
        lives: The lives.
        frame_index: Index of the frame.

    Raises:
        EditError: The frame has no such records.
    """
    snapshot = recording.snapshot
    refuse_empty(lives)
    frame = snapshot.frame(frame_index)
    ids = {life.actor for life in lives}
    actors = label_of(_once(lives))
    plan = Plan(dropped=list(records_of(frame, ids, lambda kind: not kind.is_recorded_once)))
    if not plan.dropped:
        raise EditError(say("Frame {frame:,} has no such records of {actors}.", frame=frame_index + 1, actors=actors))
    label = say("Remove {actors} in frame {frame:,} only", actors=actors, frame=frame_index + 1)
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def keep_only_actors(recording: RecordingLike, lives: Sequence[Life], *, progress: Progress = SILENT) -> Edit:
    """Return the edit that removes all actors but some lives, their parents, and those attached to them.

    Actors of the map stay (see `is_of_level`).

    Args:
        recording: The recording, which is not changed.
        lives: The lives to keep.
        progress: Reports progress and cancels.

    Raises:
        EditError: There are no lives, or one that leaves begins outside of frames.
        NothingToDo: There are no other actors.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_empty(lives)
    actors = Actors.of(snapshot)
    kept = {life.index for life in _with_parents(actors, with_children(actors, lives))}
    leaving: list[Life] = []
    for life in actors:
        if life.index not in kept and not is_of_level(life):
            leaving.append(life)
    if not leaving:
        raise NothingToDo(say("There are no other actors to remove besides {actors}.", actors=label_of(_once(lives))))
    label = say("Keep only {actors}", actors=label_of(_once(lives)))
    return edit_of(snapshot, "keep_only_actors", label, _without(snapshot, leaving, progress), lives)


def with_children(actors: Actors, lives: Iterable[Life]) -> list[Life]:
    """Return lives and all that were attached to them last, directly or indirectly, once each."""
    family = {life.index: life for life in lives}
    waiting = list(family.values())
    while waiting:
        for child in actors.children_of(waiting.pop()):
            if child.index not in family:
                family[child.index] = child
                waiting.append(child)
    return list(family.values())


def _with_parents(actors: Actors, lives: Iterable[Life]) -> list[Life]:
    """Return lives and their last parents, directly or indirectly, once each."""
    family: dict[int, Life] = {}
    for life in lives:
        ancestor: Life | None = life
        while ancestor is not None and ancestor.index not in family:
            family[ancestor.index] = ancestor
            ancestor = actors.parent_of(ancestor)
    return list(family.values())


def _once(lives: Iterable[Life]) -> list[Life]:
    """Return lives in order, once each."""
    return list({life.index: life for life in lives}.values())


def _without(snapshot: Snapshot, leaving: Sequence[Life], progress: Progress) -> tuple[Splice, ...]:
    """Return the splices that remove all records of lives."""
    refuse_outside_frames(snapshot, leaving)
    plan = Plan(leaving=[id_span_of(snapshot, life) for life in leaving])
    for life in leaving:
        plan.dropped.extend(life.events)
    release_children(snapshot, plan, leaving)
    return rewrite(snapshot, plan, progress)


# --- parts of lives -------------------------------------------------------------------------------------


def trim_life(recording: RecordingLike, life: Life, frames: range, *, progress: Progress = SILENT) -> Edit:
    """Return the edit that limits a life to some frames.

    It is created in the first one with its pose there (traffic actors: as created, to the bit), its parent, box,
    physics and open doors, and the attachments of its children are repeated. Its EventDel is in the frame after the
    last one. Its records in other frames are removed; its children stay, detached outside of these frames. Children
    without Position that were created attached to it are created together with it, so that they keep their offset.

    Args:
        recording: The recording, which is not changed.
        life: The life.
        frames: Frame indices, without steps.
        progress: Reports progress and cancels.

    Raises:
        EditError: It is not alive in these frames, or begins outside of frames.
        NothingToDo: It is alive in these frames alone.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_outside_frames(snapshot, [life])
    wanted = frames_within(snapshot, frames)
    whole = life.within(range(len(snapshot)))
    kept = life.within(wanted)
    if not kept:
        raise EditError(say("{actor} is not alive in these frames.", actor=name_of(life)))
    if kept == whole:
        raise NothingToDo(say("{actor} lives in these frames alone already.", actor=name_of(life)))
    id_span = id_span_of(snapshot, life)
    plan = Plan()
    first = kept.start
    if first > life.born:
        row = snapshot.table.row_of_frame(first)
        plan.leaving.append(IdSpan(life.actor, id_span.first, row - 1))
        plan.dropped.append(life.added)
        release_children(snapshot, plan, [life], until=first)
        for packet, record in spawn_records(snapshot, life, first, attached=True):
            plan.add(row, packet, record)
        _attach_again(snapshot, plan, life, first)
    if kept.stop < whole.stop:
        row = snapshot.table.row_of_frame(kept.stop)
        plan.leaving.append(IdSpan(life.actor, row, id_span.last))
        plan.dropped += life.events[1:]
        plan.add(row, "EventDel", snapshot.dialect.deletion(life.actor))
    label = say_count(
        "Trim {actor} to {count:,} frame", "Trim {actor} to {count:,} frames", actor=life.actor, count=len(kept)
    )
    splices = rewrite(snapshot, plan, progress)
    return edit_of(snapshot, "trim_life", label, splices, [life], **seconds(snapshot, wanted))


def spawn_records(snapshot: Snapshot, life: Life, frame: int, *, attached: bool) -> list[tuple[str, bytes]]:
    """Return the records that create a life in a later frame, in the recorder's order.

    Records that the frame itself holds are left out.

    Args:
        snapshot: The recording.
        life: The life.
        frame: Index of a frame in which it is alive.
        attached: Whether the frame will hold its EventParent, so that the pose of the EventAdd is an offset if the
            recording holds offsets.

    Returns:
        Packet name and bytes of each record.
    """
    state = state_at(snapshot, life, frame, own_events=False)
    assert state is not None
    own = snapshot.frame(frame)
    if attached:
        pose = state.spawn
    else:
        pose = state.pose
    records = [("EventAdd", event_add_record(snapshot, life, pose))]
    for kind in snapshot.dialect.kinds("lasting"):
        lasting = state.records_of_new(kind.name)
        if lasting and not _has_record(own, kind.name, life.actor):
            for record in lasting:
                records.append((kind.name, record))
    return records


def _has_record(frame: Row, packet_name: str, actor: int) -> bool:
    """Return whether a packet of a frame has a record of an actor (id)."""
    for packet in frame.packets:
        if packet.name != packet_name:
            continue
        if packet.decoded.find_actor(actor) is not None:
            return True
    return False


def release_children(snapshot: Snapshot, plan: Plan, leaving: Sequence[Life], *, until: int | None = None) -> None:
    """Plan what becomes of lives that are created attached to lives that leave.

    An EventAdd is an offset only if a parent is there, and remains one until the next attachment, in whatever frame
    that is. So they are created in the frame of the next one, with what they carry themselves, or, without one, at
    their place in the world.

    Args:
        snapshot: The recording.
        plan: The plan, which is extended.
        leaving: The lives that leave.
        until: Index of the frame in which they are created instead; None: they leave altogether.
    """
    begins = {life.index: until for life in leaving}
    waiting = list(leaving)
    children = children_by_parent(snapshot)
    while waiting:
        parent = waiting.pop()
        end = begins[parent.index]
        for child in children.get(parent.index, ()):
            is_later = end is not None and child.born >= end
            if child.index in begins or is_later or not is_born_attached(snapshot, child, parent):
                continue
            first = _next_frame(snapshot, child, parent, begins)
            if first is None:
                _create_in_world(snapshot, plan, child)
            elif first > child.born:  # else it is attached to another one where it is created
                begins[child.index] = first
                _create_later(snapshot, plan, child, first)
                waiting.append(child)


def _next_frame(snapshot: Snapshot, child: Life, parent: Life, begins: Mapping[int, int | None]) -> int | None:
    """Return the frame in which a child is attached again if its parent leaves or is created later, or None.

    Args:
        snapshot: The recording.
        child: The child.
        parent: Its parent, which is in `begins`.
        begins: By index of the life, the frame in which it is created instead; None if it leaves altogether.
    """
    next_frame = None
    if not Actors.of(snapshot).holds_places:
        next_frame = next_attachment(snapshot, child, begins)
    end = begins[parent.index]
    if end is None or (next_frame is not None and next_frame < end):
        return next_frame
    if child.is_alive(end):
        state = state_at(snapshot, child, end, own_events=False)
        if state is not None and state.parent == parent and state.pose_source != "position":
            return end
    return next_frame


def _create_in_world(snapshot: Snapshot, plan: Plan, life: Life) -> None:
    """Plan that a life that is created at an offset is created at its place in the world."""
    pose = stored_world_pose(snapshot, life)
    if pose is not None:
        plan.dropped.append(life.added)
        plan.add(life.added.row, "EventAdd", event_add_record(snapshot, life, pose))


def _create_later(snapshot: Snapshot, plan: Plan, life: Life, first: int) -> None:
    """Plan that a life is created in a later frame, in which it is attached."""
    row = snapshot.table.row_of_frame(first)
    plan.leaving.append(IdSpan(life.actor, id_span_of(snapshot, life).first, row - 1))
    plan.dropped.append(life.added)
    for packet, record in spawn_records(snapshot, life, first, attached=True):
        plan.add(row, packet, record)
    _attach_again(snapshot, plan, life, first)


def _attach_again(snapshot: Snapshot, plan: Plan, life: Life, frame: int) -> None:
    """Plan that the attachments of a life that were made before a frame are repeated there, each once."""
    row = snapshot.table.row_of_frame(frame)
    for child, parent in _attachments(snapshot, life, frame):
        packet = "EventParent"
        record = snapshot.dialect.attachment(child, parent)
        if (packet, record) not in plan.added.get(row, ()):
            plan.add(row, packet, record)


def _attachments(snapshot: Snapshot, life: Life, frame: int) -> list[tuple[int, int]]:
    """Return (child id, parent id) of the attachments of a life in a frame that were made before it."""
    actors = Actors.of(snapshot)
    row = snapshot.table.row_of_frame(frame)
    attached_here = {attachment.child for attachment in actors.parents if attachment.place.row == row}
    attachments: list[tuple[int, int]] = []
    for child, parent in actors.world_at(frame, own_events=False).parents:
        if life.index in (child.index, parent.index) and child.actor not in attached_here:
            attachments.append((child.actor, parent.actor))
    return attachments
