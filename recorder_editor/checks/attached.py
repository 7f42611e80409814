"""Attached actors that a simulator puts elsewhere: it takes their places in the world as offsets from their parents.

`reading/world.py` says what is an offset, and what the scene shows instead.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import StructuredArray
from ..edits.actors.rewrite import IdSpan, Plan, rewrite
from ..edits.attachments import as_offsets, holds_offsets, offset_record, pose_at
from ..edits.rows import patched, with_bodies
from ..errors import EditError
from ..progress import SILENT, Progress
from ..reading import Actors, Attachment, Life
from ..reading.rigid import Pose, are_offsets, composed
from ..reading.tracks import COLUMNS
from ..recording import Edit, Finding, Snapshot
from ..texts import N_, say, say_count
from .rule import Fix, LifeProblems, Rule, actor_text, finding_of, frames_text, kind_and_life, new_finding

_POSITION = COLUMNS["positions"][0]
_NEAR = 1.0  # cm: a place that close to the one that is meant is no problem


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Yield a finding for each EventAdd of an attached actor that holds a place in the world, at its EventParent.

    Either the recording as a whole holds such places, or the actor was attached after it was created, near the place
    where the parent was then.

    Raises:
        Cancelled: The user stopped it.
    """
    actors = Actors.of(snapshot, progress)
    for attachment in _first_attachments(actors):
        child = actors.lives[attachment.child_life or 0]
        parent = actors.lives[attachment.parent_life or 0]
        distance = _distance_off(snapshot, child=child, parent=parent, frame=attachment.frame_index)
        if distance is None:
            continue
        row = attachment.place.row
        packet = attachment.place.packet
        offset, size = snapshot.row(row).packets[packet].record_span(attachment.place.record)
        message = say(
            "Frame {frame:,} attaches actor {child} to actor {parent}, but the EventAdd of "
            "{child} holds a place in the world: the simulator takes it as the offset from "
            "{parent}, and shows {child} {distance:,.1f} m away from there.",
            frame=attachment.frame_index + 1,
            child=child.actor,
            parent=parent.actor,
            distance=distance / 100,
        )
        yield new_finding(
            REPLAY_PLACE_AS_OFFSET, message, offset=offset, frame=attachment.frame_index, row=row, size=size
        )


def _first_attachments(actors: Actors) -> Iterator[Attachment]:
    """Yield the first attachment of each life."""
    attached: set[int] = set()
    for attachment in actors.parents:
        child = attachment.child_life
        if child is not None and attachment.parent_life is not None and child not in attached:
            attached.add(child)
            yield attachment


def _distance_off(snapshot: Snapshot, child: Life, parent: Life, frame: int) -> float | None:
    """Return how far from its place in the world a simulator shows a life after its first attachment, cm.

    Returns:
        None if it is near enough, its EventAdd is an offset, or it has a Position.
    """
    actors = Actors.of(snapshot)
    if child.is_traffic or frame >= len(snapshot):
        return None
    if not actors.holds_places and (child.born == frame or actors.mount_of(child) is None):
        return None
    state = actors.world_at(frame).state_of(child.actor)
    if state is None or state.parent is None or state.parent.index != parent.index or state.pose_source == "position":
        return None
    place: Pose = np.array(child.transform, np.float64)
    carrying = pose_at(snapshot, parent, frame)
    if not actors.holds_places and are_offsets([place], [carrying]):
        return None
    with np.errstate(all="ignore"):
        distance = float(np.linalg.norm(composed(carrying, place)[:3] - place[:3]))
    if distance > _NEAR:
        return distance
    return None


def write_offsets(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that writes offsets from the parents into EventAdds.

    Args:
        snapshot: The state of the recording.
        findings: The EventAdds; all of a recording that holds places as a whole.

    Raises:
        EditError: The data of a finding no longer exists, or the offsets would still be read as places.
    """
    actors = Actors.of(snapshot)
    if actors.holds_places:
        poses = dict(as_offsets(snapshot))
    else:
        poses = {}
        for finding in findings:
            _, life = kind_and_life(snapshot, finding)
            mount = actors.mount_of(life)
            if mount is None:
                raise EditError(say("The data of this finding no longer exists."), offset=finding.offset)
            poses[life.added] = offset_record(snapshot, life, mount.parent, mount.frame_index)
    # Id and type come before the pose.
    patches = ((place, 5, pose) for place, pose in poses.items())
    splices = with_bodies(snapshot, patched(snapshot, patches))
    edit = Edit(
        say_count(
            "Write the offset of 1 attached actor", "Write the offsets of {count:,} attached actors", count=len(poses)
        ),
        snapshot.version,
        splices,
    )
    if holds_offsets(snapshot.after(edit)) is False:
        raise EditError(
            say(
                "The offsets would still be read as places in the world, because the attached "
                "actors are farther from their parents than these are from the middle of the "
                "map. Remove the attached actors, or edit their EventAdds."
            )
        )
    return edit


# --- Positions ------------------------------------------------------------------------------------------


class AttachedScan:
    """Finds Positions of attached actors, which simulators from 0.9.12 on take as offsets."""

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self._snapshot = snapshot
        self._actors = actors
        self._spans: dict[int, list[range]] = {}
        if snapshot.dialect.attached_positions == "offset":
            self._spans = attached_spans(snapshot)
        ids = {actors.lives[index].actor for index in self._spans}
        self._ids = np.array(sorted(ids), np.uint32)
        self._problems = LifeProblems(len(actors))

    def add(self, block: StructuredArray) -> None:
        """Add Positions in file order: columns `frame` and `id`."""
        if not len(self._ids):
            return
        chosen = block[np.isin(block["id"], self._ids)]
        lives = self._actors.indices_of(chosen["id"], chosen["frame"])
        for index in np.unique(lives).tolist():
            frames = chosen["frame"][lives == index]
            is_attached = np.zeros(len(frames), np.bool_)
            for span in self._spans.get(index, ()):
                is_attached |= (frames >= span.start) & (frames < span.stop)
            attached_frames = frames[is_attached].astype(np.int32)
            number = len(attached_frames)
            self._problems.add(np.full(number, index, np.int32), attached_frames, np.zeros(number))

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each life, at its first such Position."""
        for life, first, number, _ in self._problems.lives(self._actors):
            state = self._actors.world_at(first).state_of(life.actor)
            parent = ""
            if state is not None and state.parent is not None:
                parent = str(state.parent.actor)
            frames = frames_text(first, number)
            message = say(
                "{actor} is attached to actor {parent}, but has a Position in {frames}: the "
                "simulator takes that place in the world as the offset from {parent}.",
                actor=actor_text(life),
                parent=parent,
                frames=frames,
            )
            yield finding_of(
                self._snapshot, REPLAY_ATTACHED_POSITION, life, packet=_POSITION, frame=first, message=message
            )


def attached_spans(snapshot: Snapshot) -> dict[int, list[range]]:
    """Return the frames in which lives are attached, by index of the life."""
    actors = Actors.of(snapshot)
    spans: dict[int, list[range]] = {}
    for attachment in actors.parents:
        child = attachment.child_life
        parent = attachment.parent_life
        if child is None or parent is None:
            continue
        stop = len(snapshot)
        for life in (actors.lives[child], actors.lives[parent]):
            if life.gone is not None:
                stop = min(stop, life.gone)
        if attachment.frame_index < stop:
            spans.setdefault(child, []).append(range(attachment.frame_index, stop))
    return spans


def rides_from_birth(snapshot: Snapshot, finding: Finding) -> bool:
    """Whether the actor is attached in the frame of its EventAdd, so that it can do without Positions."""
    _, life = kind_and_life(snapshot, finding)
    spans = attached_spans(snapshot).get(life.index, [])
    return bool(spans) and spans[0].start == life.born


def delete_positions(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that removes Positions of attached actors: they stay at their offsets from the parents."""
    others = [kind.name for kind in snapshot.dialect.packets.values() if kind.name != _POSITION]
    plan = Plan(spared=others)
    row_of = snapshot.table.row_of_frame
    spans = attached_spans(snapshot)
    for finding in findings:
        _, life = kind_and_life(snapshot, finding)
        for span in spans.get(life.index, ()):
            plan.leaving.append(IdSpan(life.actor, row_of(span.start), row_of(span.stop - 1)))
    label = say_count(
        "Delete the positions of 1 attached actor",
        "Delete the positions of {count:,} attached actors",
        count=len(findings),
    )
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


REPLAY_ATTACHED_POSITION = Rule(
    "replay-attached-position",
    subject="replay",
    severity="warning",
    title=N_("An attached actor has a Position."),
    why=N_(
        "Positions are places in the world. From 0.9.12 on the simulator takes the one of an attached actor as its "
        "offset from the parent, and shows it as far away as it is from the middle of the map. Without Positions it "
        "stays at the offset of its EventAdd."
    ),
    fix=Fix(N_("Delete its positions while it is attached"), delete_positions, applies=rides_from_birth),
)

REPLAY_PLACE_AS_OFFSET = Rule(
    "replay-place-as-offset",
    subject="replay",
    severity="warning",
    title=N_("The EventAdd of an attached actor holds a place in the world."),
    why=N_(
        "The simulator keeps the relative place when it attaches an actor, in whatever frame that is: it takes the "
        "place in the EventAdd as the offset from the parent."
    ),
    fix=Fix(N_("Write offsets from the parents"), write_offsets),
)

RULES = (REPLAY_ATTACHED_POSITION, REPLAY_PLACE_AS_OFFSET)
"""The rules of this module, in the order in which their findings are fixed."""
