"""Attached actors with an EventAdd that holds an offset in the axes of the parent instead of a pose in the world.

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
    """Return the state of a life in a frame; None if it is not alive.

    Args:
        snapshot: The recording.
        life: The life.
        frame: Index of the frame.
        own_events: Whether the events of that frame count.
    """
    for state in Actors.of(snapshot).world_at(frame, own_events=own_events).actors:
        if state.life.index == life.index:
            return state
    return None


def pose_at(snapshot: Snapshot, life: Life, frame: int) -> Pose:
    """Return the pose of a life in a frame (index) in which it is alive: float64[6], cm and degrees."""
    state = state_at(snapshot, life, frame)
    if state is None:
        return np.array(life.transform, np.float64)
    return np.array(state.transform, np.float64)


def event_add_record(snapshot: Snapshot, life: Life, pose: bytes | None = None) -> bytes:
    """Return the EventAdd record of a life.

    Args:
        snapshot: The recording.
        life: The life.
        pose: Another location and rotation, as stored; None: its own.
    """
    record = record_at(snapshot, life.added)
    if pose is None:
        return record
    place = snapshot.dialect.event_add.record.six_numbers
    return record[: place.start] + pose + record[place.stop :]


def parent_pose(snapshot: Snapshot, life: Life, frame: int) -> Pose | None:
    """Return the pose of the parent in a frame (index) if the EventAdd of a life is an offset from it, else None.

    If the life is not yet or no longer attached to it, the pose in the frame of the EventParent; of a destroyed parent,
    the last one.
    """
    mount = Actors.of(snapshot).mount_of(life)
    if mount is None:
        return None
    parent = mount.parent
    end = len(snapshot)
    if life.gone is not None:
        end = min(end, life.gone)
    if parent.gone is not None:
        end = min(end, parent.gone)
    at = max(mount.frame_index, min(frame, end - 1))
    state = state_at(snapshot, life, at)
    if state is None or state.parent is None or state.parent.index != parent.index:
        at = mount.frame_index
    return pose_at(snapshot, parent, at)


def spawn_pose(snapshot: Snapshot, life: Life) -> Pose:
    """Return the pose in the world at which a life is created: float64[6], cm and degrees."""
    if Actors.of(snapshot).offset_parent_of(life) is not None:
        return pose_at(snapshot, life, life.born)
    return np.array(life.transform, np.float64)


def stored_world_pose(snapshot: Snapshot, life: Life) -> bytes | None:
    """Return the pose in the world, as stored, of a life that is created at an offset; None for others."""
    if Actors.of(snapshot).offset_parent_of(life) is None:
        return None
    state = state_at(snapshot, life, life.born)
    if state is None:
        return None
    return state.pose


def children_by_parent(snapshot: Snapshot) -> Mapping[int, list[Life]]:
    """Return the lives that were ever attached to a life, by its index, in order of birth."""
    actors = Actors.of(snapshot)
    indices: dict[int, set[int]] = {}
    for attachment in actors.parents:
        if attachment.child_life is not None and attachment.parent_life is not None:
            indices.setdefault(attachment.parent_life, set()).add(attachment.child_life)
    lives: dict[int, list[Life]] = {}
    for parent, children in indices.items():
        lives[parent] = [actors.lives[child] for child in sorted(children)]
    return lives


def is_born_attached(snapshot: Snapshot, child: Life, parent: Life) -> bool:
    """Return whether a life is created attached to another one, and has no Position in that frame."""
    if child.is_traffic or child.born >= len(snapshot):
        return False
    state = state_at(snapshot, child, child.born)
    return state is not None and state.parent == parent and state.pose_source != "position"


def next_attachment(snapshot: Snapshot, child: Life, begins: Mapping[int, int | None]) -> int | None:
    """Return the first frame in which a living child is attached to a life that is there, or None.

    Args:
        snapshot: The recording.
        child: The child.
        begins: By index of the life, the frame in which it is created instead, None if it leaves altogether.
    """
    for attachment in Actors.of(snapshot).parents:
        if attachment.child_life != child.index or attachment.parent_life is None:
            continue
        if not child.is_alive(attachment.frame_index):
            continue
        begin = begins.get(attachment.parent_life, 0)
        if begin is not None and attachment.frame_index >= begin:
            return attachment.frame_index
    return None


def holds_offsets(snapshot: Snapshot) -> bool | None:
    """Return whether EventAdds of attached actors hold offsets, not places in the world; None without such actors."""
    actors = Actors.of(snapshot)
    if actors.holds_places:
        return False
    children = {attachment.child_life for attachment in actors.parents}
    for child in children:
        if child is not None and actors.mount_of(actors.lives[child]) is not None:
            return True
    return None


def as_offsets(snapshot: Snapshot) -> Mapping[RecordPlace, bytes]:
    """Return poses as offsets for the EventAdds of attached actors that hold places in the world.

    An actor gets its offset in the frame in which it is attached first. Without actors that have a Position there.

    Returns:
        The poses as stored, by place of the record.
    """
    actors = Actors.of(snapshot)
    attached: dict[int, set[int]] = {}
    seen: set[int] = set()
    for attachment in actors.parents:
        child = attachment.child_life
        if child is None or attachment.parent_life is None or child in seen:
            continue
        seen.add(child)
        if attachment.frame_index < len(snapshot) and not actors.lives[child].is_traffic:
            attached.setdefault(attachment.frame_index, set()).add(child)
    offsets: dict[RecordPlace, bytes] = {}
    for frame, children in sorted(attached.items()):
        for state in actors.world_at(frame).actors:
            if state.life.index in children and state.parent is not None and state.pose_source != "position":
                offsets[state.life.added] = offset_record(snapshot, state.life, state.parent, frame)
    return offsets


def offset_record(snapshot: Snapshot, life: Life, parent: Life, frame: int) -> bytes:
    """Return the pose of an EventAdd as an offset (as stored) from a parent at its pose in a frame (index)."""
    with np.errstate(all="ignore"):
        offset = relative(pose_at(snapshot, parent, frame), np.array(life.transform, np.float64))
        return offset.astype("<f8" if snapshot.dialect.wide else "<f4").tobytes()


def apply_in_world(parent: Pose, offset: Pose, change: Callable[[Pose], Pose]) -> Pose:
    """Return an offset from a parent after a change of its pose in the world.

    Components that the change does not affect keep their bits.

    Args:
        parent: The pose of the parent, float64[6].
        offset: The offset, float64[6].
        change: Returns the changed pose in the world of a pose in the world.
    """
    with np.errstate(all="ignore"):
        before = composed(parent, offset)
        after = change(before.copy())
        changed = offset.copy()
        changed[:3] += axes_of(parent).T @ (after[:3] - before[:3])
        if (after[3:] != before[3:]).any():
            changed[3:] = relative(parent, after)[3:]
        return changed
