"""Attached actors whose EventAdd holds an offset in the axes of their parent instead of a pose in the world.

Edits change poses in the world, so offsets are converted to the world and back. `recording/world.py` decides whether a
recording holds offsets.
"""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from ..recording import Actors, Life, RecordPlace, Snapshot
from ..recording.actor_state import ActorState
from ..recording.place import record_at
from ..recording.rigid import Pose, axes_of, composed, relative


def state_at(snapshot: Snapshot, life: Life, frame: int, *, own_events: bool = True) -> ActorState | None:
    """The state of a life in a frame (index), with or without the events of that frame; None if it is not alive."""
    world = Actors.of(snapshot).world_at(frame, own_events=own_events)
    return next((each for each in world.actors if each.life.index == life.index), None)


def pose_at(snapshot: Snapshot, life: Life, frame: int) -> Pose:
    """The pose of a life in a frame in which it is alive: float64[6], cm and degrees."""
    state = state_at(snapshot, life, frame)
    return np.array(life.transform if state is None else state.transform, np.float64)


def event_add_record(snapshot: Snapshot, life: Life, pose: bytes | None = None) -> bytes:
    """The EventAdd record of a life, with another pose (location and rotation as stored) if given."""
    record = record_at(snapshot, life.added)
    return record if pose is None else record[:5] + pose + record[5 + len(pose) :]


def parent_pose(snapshot: Snapshot, life: Life, frame: int) -> Pose | None:
    """The pose of the parent in a frame if the EventAdd of a life is an offset from it, else None.

    If the life has another parent by then, the pose in the frame of the EventAdd; of a destroyed parent, the last one.
    """
    mount = Actors.of(snapshot).offset_parent_of(life)
    if mount is None:
        return None
    last = min([len(snapshot), *(each.gone for each in (life, mount) if each.gone is not None)]) - 1
    at = max(life.born, min(frame, last))
    state = state_at(snapshot, life, at)
    if state is None or state.parent is None or state.parent.index != mount.index:
        at = life.born
    return pose_at(snapshot, mount, at)


def spawn_pose(snapshot: Snapshot, life: Life) -> Pose:
    """The pose in the world at which a life is created: float64[6]."""
    rides = Actors.of(snapshot).offset_parent_of(life) is not None
    return pose_at(snapshot, life, life.born) if rides else np.array(life.transform, np.float64)


def stored_world_pose(snapshot: Snapshot, life: Life) -> bytes | None:
    """The pose in the world, as stored, of a life that is created at an offset; None for others."""
    if Actors.of(snapshot).offset_parent_of(life) is None:
        return None
    state = state_at(snapshot, life, life.born)
    return None if state is None else state.pose


def detached_children(snapshot: Snapshot, leaving: Iterable[Life]) -> list[tuple[Life, bytes]]:
    """The children created at an offset from one of these lives, and their poses in the world (as stored)."""
    actors = Actors.of(snapshot)
    gone = {life.index for life in leaving}
    children = {each.child_life for each in actors.parents if each.parent_life in gone} - gone
    found = []
    for index in sorted(child for child in children if child is not None):
        life = actors.lives[index]
        mount = actors.offset_parent_of(life)
        pose = stored_world_pose(snapshot, life) if mount is not None and mount.index in gone else None
        if pose is not None:
            found.append((life, pose))
    return found


def waiting_children(snapshot: Snapshot, life: Life, frame: int) -> list[tuple[Life, bytes]]:
    """The children created attached to a life, and their poses in the world (as stored) in a frame.

    Created there, they keep their place on a life that is created in that frame. Without children that have a Position.
    """
    world = Actors.of(snapshot).world_at(frame, own_events=False)
    riding = [each for each in world.actors if each.pose_source == "attached" and each.parent == life]
    found = []
    for each in riding:
        at_birth = state_at(snapshot, each.life, each.life.born)
        if at_birth is not None and at_birth.parent == life and at_birth.pose_source != "position":
            found.append((each.life, each.pose))
    return found


def holds_offsets(snapshot: Snapshot) -> bool:
    """Whether EventAdds of a recording hold offsets; False if that is unknown."""
    actors = Actors.of(snapshot)
    children = {each.child_life for each in actors.parents}
    return any(actors.offset_parent_of(actors.lives[child]) is not None for child in children if child is not None)


def as_offsets(snapshot: Snapshot) -> Mapping[RecordPlace, bytes]:
    """Poses as offsets (as stored) for the EventAdds of actors that are attached when created, by place of the record.

    Without actors that have a Position in that frame: the replayer uses that.
    """
    actors = Actors.of(snapshot)
    children = [actors.lives[each.child_life] for each in actors.parents if each.child_life is not None]
    born: dict[int, set[int]] = {}
    for child in children:
        if child.born < len(snapshot) and not child.is_traffic:
            born.setdefault(child.born, set()).add(child.index)
    found: dict[RecordPlace, bytes] = {}
    for frame, those in sorted(born.items()):
        for each in actors.world_at(frame).actors:
            if each.life.index in those and each.parent is not None and each.pose_source != "position":
                place = np.array(each.life.transform, np.float64)
                made = relative(pose_at(snapshot, each.parent, frame), place)
                with np.errstate(all="ignore"):
                    found[each.life.added] = made.astype("<f4" if len(each.pose) == 24 else "<f8").tobytes()
    return found


def apply_in_world(parent: Pose, offset: Pose, change: Callable[[Pose], Pose]) -> Pose:
    """An offset (float64[6]) from a parent after a change of its pose in the world.

    Components that the change does not affect keep their bits.
    """
    with np.errstate(all="ignore"):
        before = composed(parent, offset)
        after = change(before.copy())
        made = offset.copy()
        made[:3] += axes_of(parent).T @ (after[:3] - before[:3])
        if (after[3:] != before[3:]).any():
            made[3:] = relative(parent, after)[3:]
        return made
