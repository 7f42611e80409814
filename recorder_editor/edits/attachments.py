"""Attached actors whose EventAdd holds an offset in the axes of their parent instead of a pose in the world.

Edits change poses in the world, so offsets are converted to the world and back. `reading/world.py` decides whether a
recording holds offsets, and says what a simulator makes of an EventAdd and an EventParent in different frames.
"""

from collections.abc import Callable, Mapping

import numpy as np

from ..reading import Actors, Life
from ..reading.actor_state import ActorState
from ..reading.rigid import Pose, axes_of, composed, relative
from ..recording import RecordPlace, Snapshot
from ..recording.place import record_at


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
    if pose is None:
        return record
    place = snapshot.dialect.event_add.record.six_numbers
    return record[: place.start] + pose + record[place.stop :]


def parent_pose(snapshot: Snapshot, life: Life, frame: int) -> Pose | None:
    """The pose of the parent in a frame if the EventAdd of a life is an offset from it, else None.

    If the life is not yet or no longer attached to it, the pose in the frame of the EventParent; of a destroyed parent,
    the last one.
    """
    mount = Actors.of(snapshot).mount_of(life)
    if mount is None:
        return None
    parent = mount.parent
    last = min([len(snapshot), *(each.gone for each in (life, parent) if each.gone is not None)]) - 1
    at = max(mount.frame_index, min(frame, last))
    state = state_at(snapshot, life, at)
    if state is None or state.parent is None or state.parent.index != parent.index:
        at = mount.frame_index
    return pose_at(snapshot, parent, at)


def spawn_pose(snapshot: Snapshot, life: Life) -> Pose:
    """The pose in the world at which a life is created: float64[6]."""
    rides = Actors.of(snapshot).offset_parent_of(life) is not None
    if rides:
        return pose_at(snapshot, life, life.born)
    return np.array(life.transform, np.float64)


def stored_world_pose(snapshot: Snapshot, life: Life) -> bytes | None:
    """The pose in the world, as stored, of a life that is created at an offset; None for others."""
    if Actors.of(snapshot).offset_parent_of(life) is None:
        return None
    state = state_at(snapshot, life, life.born)
    if state is None:
        return None
    return state.pose


def children_by_parent(snapshot: Snapshot) -> Mapping[int, list[Life]]:
    """The lives that were ever attached to a life, by its index, in order of birth."""
    actors = Actors.of(snapshot)
    found: dict[int, set[int]] = {}
    for each in actors.parents:
        if each.child_life is not None and each.parent_life is not None:
            found.setdefault(each.parent_life, set()).add(each.child_life)
    return {parent: [actors.lives[child] for child in sorted(children)] for parent, children in found.items()}


def is_born_attached(snapshot: Snapshot, child: Life, parent: Life) -> bool:
    """Whether a life is attached to another one in the frame in which it is created, and has no Position there."""
    if child.is_traffic or child.born >= len(snapshot):
        return False
    state = state_at(snapshot, child, child.born)
    return state is not None and state.parent == parent and state.pose_source != "position"


def next_attachment(snapshot: Snapshot, child: Life, begins: Mapping[int, int | None]) -> int | None:
    """The first frame in which a living child is attached to a life that is there, or None.

    `begins`: by index of the life, the frame in which it is created instead, None if it leaves altogether.
    """
    for each in Actors.of(snapshot).parents:
        if each.child_life != child.index or each.parent_life is None or not child.is_alive(each.frame_index):
            continue
        begin = begins.get(each.parent_life, 0)
        if begin is not None and each.frame_index >= begin:
            return each.frame_index
    return None


def holds_offsets(snapshot: Snapshot) -> bool | None:
    """Whether EventAdds of attached actors hold offsets and not places in the world; None without such actors."""
    actors = Actors.of(snapshot)
    if actors.holds_places:
        return False
    children = {each.child_life for each in actors.parents}
    mounted = any(actors.mount_of(actors.lives[child]) is not None for child in children if child is not None)
    if mounted:
        return True
    return None


def as_offsets(snapshot: Snapshot) -> Mapping[RecordPlace, bytes]:
    """Poses as offsets (as stored) for the EventAdds of attached actors that hold places in the world, by place of the
    record.

    An actor gets its offset in the frame in which it is attached first. Without actors that have a Position there.
    """
    actors = Actors.of(snapshot)
    attached: dict[int, dict[int, Life]] = {}
    known: set[int] = set()
    for each in actors.parents:
        child = each.child_life
        if child is None or each.parent_life is None or child in known:
            continue
        known.add(child)
        life = actors.lives[child]
        if each.frame_index < len(snapshot) and not life.is_traffic:
            attached.setdefault(each.frame_index, {})[child] = life
    found: dict[RecordPlace, bytes] = {}
    for frame, children in sorted(attached.items()):
        for state in actors.world_at(frame).actors:
            if state.life.index in children and state.parent is not None and state.pose_source != "position":
                found[state.life.added] = offset_record(snapshot, state.life, state.parent, frame)
    return found


def offset_record(snapshot: Snapshot, life: Life, parent: Life, frame: int) -> bytes:
    """The pose of an EventAdd as an offset (as stored) from a parent at its pose in a frame."""
    with np.errstate(all="ignore"):
        offset = relative(pose_at(snapshot, parent, frame), np.array(life.transform, np.float64))
        return offset.astype("<f8" if snapshot.dialect.wide else "<f4").tobytes()


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
