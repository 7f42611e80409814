"""Attached actors whose EventAdd holds an offset in the axes of their parent instead of a place in the world.

One idea: an edit means places in the world, so an offset is carried there, changed, and carried back. Whether it is one
`recording/world.py` tells; who changes what, and why, is not known here.
"""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from ..recording.actor_state import ActorState
from ..recording.actors import Actors
from ..recording.lives import Life, RecordPlace
from ..recording.rigid import Pose, axes_of, composed, relative
from ..recording.snapshot import Snapshot
from .place import record_at


def state_at(snapshot: Snapshot, life: Life, frame: int, *, own_events: bool = True) -> ActorState | None:
    """The state of a life in a frame (index), with or without its events; None where it is not there."""
    world = Actors.of(snapshot).world_at(frame, own_events=own_events)
    return next((each for each in world.actors if each.life.index == life.index), None)


def pose_at(snapshot: Snapshot, life: Life, frame: int) -> Pose:
    """Where a life is in a frame in which it lives: float64[6], cm and degrees."""
    state = state_at(snapshot, life, frame)
    return np.array(life.transform if state is None else state.transform, np.float64)


def event_add_record(snapshot: Snapshot, life: Life, pose: bytes | None = None) -> bytes:
    """The record of a life's EventAdd, with another pose (location and rotation as stored) where one is given."""
    record = record_at(snapshot, life.added)
    return record if pose is None else record[:5] + pose + record[5 + len(pose) :]


def parent_pose(snapshot: Snapshot, life: Life, frame: int) -> Pose | None:
    """Where that stands in a frame to which the EventAdd of a life is an offset; None where it holds a place.

    The parent at the life's birth, where it rides on another one by then; the last pose of a parent that is gone.
    """
    mount = Actors.of(snapshot).mount_of(life)
    if mount is None:
        return None
    last = min([len(snapshot), *(each.gone for each in (life, mount) if each.gone is not None)]) - 1
    at = max(life.born, min(frame, last))
    state = state_at(snapshot, life, at)
    if state is None or state.parent is None or state.parent.index != mount.index:
        at = life.born
    return pose_at(snapshot, mount, at)


def spawn_pose(snapshot: Snapshot, life: Life) -> Pose:
    """The pose in the world that the EventAdd of a life creates it with: float64[6]."""
    rides = Actors.of(snapshot).mount_of(life) is not None
    return pose_at(snapshot, life, life.born) if rides else np.array(life.transform, np.float64)


def stored_world_pose(snapshot: Snapshot, life: Life) -> bytes | None:
    """The place in the world, as stored, of who is born with an offset; None for all others."""
    if Actors.of(snapshot).mount_of(life) is None:
        return None
    state = state_at(snapshot, life, life.born)
    return None if state is None else state.pose


def detached_children(snapshot: Snapshot, leaving: Iterable[Life]) -> list[tuple[Life, bytes]]:
    """Who stays and was born riding on one of these, and the place in the world (as stored) that it is born in then."""
    actors = Actors.of(snapshot)
    gone = {life.index for life in leaving}
    children = {each.child_life for each in actors.parents if each.parent_life in gone} - gone
    found = []
    for index in sorted(child for child in children if child is not None):
        life = actors.lives[index]
        mount = actors.mount_of(life)
        pose = stored_world_pose(snapshot, life) if mount is not None and mount.index in gone else None
        if pose is not None:
            found.append((life, pose))
    return found


def waiting_children(snapshot: Snapshot, life: Life, frame: int) -> list[tuple[Life, bytes]]:
    """Who was born riding on a life, and where in the world (as stored) it has to wait until that comes in a frame.

    There it is in that frame, so that it rides on in its old place. Who has Positions of its own waits for nobody.
    """
    world = Actors.of(snapshot).world_at(frame, own_events=False)
    riding = [each for each in world.actors if each.how == "attached" and each.parent == life]
    found = []
    for each in riding:
        at_birth = state_at(snapshot, each.life, each.life.born)
        if at_birth is not None and at_birth.parent == life and at_birth.how != "position":
            found.append((each.life, each.pose))
    return found


def holds_offsets(snapshot: Snapshot) -> bool:
    """Whether EventAdds of a recording hold offsets; not so where nothing tells it."""
    actors = Actors.of(snapshot)
    children = {each.child_life for each in actors.parents}
    return any(actors.mount_of(actors.lives[child]) is not None for child in children if child is not None)


def as_offsets(snapshot: Snapshot) -> Mapping[RecordPlace, bytes]:
    """What EventAdds that hold places in the world would hold as offsets: poses as stored, of who rides from birth on.

    Who has a Position when it is born is shown there, whatever its EventAdd holds, and is none of them.
    """
    actors = Actors.of(snapshot)
    children = [actors.lives[each.child_life] for each in actors.parents if each.child_life is not None]
    born: dict[int, set[int]] = {}
    for child in children:
        if child.born < len(snapshot) and not child.blueprint.startswith("traffic."):
            born.setdefault(child.born, set()).add(child.index)
    found: dict[RecordPlace, bytes] = {}
    for frame, those in sorted(born.items()):
        for each in actors.world_at(frame).actors:
            if each.life.index in those and each.parent is not None and each.how != "position":
                place = np.array(each.life.transform, np.float64)
                made = relative(pose_at(snapshot, each.parent, frame), place)
                with np.errstate(all="ignore"):
                    found[each.life.added] = made.astype("<f4" if len(each.pose) == 24 else "<f8").tobytes()
    return found


def apply_in_world(parent: Pose, offset: Pose, change: Callable[[Pose], Pose]) -> Pose:
    """An offset (float64[6]) whose place in the world becomes another one, the parent staying where it is.

    What the change leaves stays to the bit: the rotation where it does not turn, axes along which it does not go.
    """
    with np.errstate(all="ignore"):
        before = composed(parent, offset)
        after = change(before.copy())
        made = offset.copy()
        made[:3] += axes_of(parent).T @ (after[:3] - before[:3])
        if (after[3:] != before[3:]).any():
            made[3:] = relative(parent, after)[3:]
        return made
