"""One pass over the frames that moves lives: their Position, velocities and EventAdd.

Attached actors move with their parent: those with a Position by their records, others by themselves. An EventAdd that
holds an offset stays if the parent is moved, and is changed in the axes of the parent if the actor itself is; one that
holds a place in the world is moved with the parent. Wheel places in PhysicsControl stay: the replayer ignores them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

import numpy as np

from ...arrays import BoolArray, FloatArray, IntArray, UInt64Array
from ...errors import EditError, FieldError, NothingToDo
from ...format import Body, decode
from ...progress import Progress
from ...reading import Actors, Life
from ...reading.motion import keys_of
from ...reading.rigid import Pose
from ...recording import START_SIZE, Bytes, Edit, FrameBlock, Snapshot
from ...texts import N_, say, say_count
from ..actors.rewrite import name_of
from ..attachments import apply_in_world, parent_pose
from ..block_rewrite import frames_within, patch_blocks
from ..intents import edit_of, frames_of, seconds
from ..interpolation import is_rising
from ..records import RecordSelection, SelectedRecords
from ..uniform_frames import Patterns

_LOOKED_AT = 3  # frames from the EventAdd on that are searched for a Position


class MotionChange(Protocol):
    """A change of poses and velocities. Arrays of n records; results that are NaN leave the value unchanged."""

    def pose(self, poses: FloatArray, frames: IntArray, lives: IntArray) -> FloatArray:
        """Locations (cm) and rotations (roll, pitch, yaw), shape (n, 6)."""

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Linear (m/s) and angular (degrees/s) velocities, shape (n, 6), of actors that were at `places` (n, 2)."""


Bits = Callable[[SelectedRecords], Bytes]
"""A change of records: their bytes, shape (n, size)."""

Blockwise = Callable[[FrameBlock, int, RecordSelection, BoolArray], None]
"""A further change of a block: (block, index of its first frame, selection, bool[rows] to be set for changes)."""


class MovedActors:
    """The lives to move, and the frames.

    Attributes: `snapshot`, `lives` (as chosen), `frames` (the range, within the recording), `patterns` (of packets, for
    this pass), `chosen` (the records that move, with those of attached actors), `without_position` (lives that only the
    EventAdd places, by index), `mounts` (by index, for those of them whose EventAdd is an offset: the pose of the
    parent in frame `at`, or in the first of the range).
    """

    def __init__(self, snapshot: Snapshot, lives: Sequence[Life], frames: range | None, at: int | None = None) -> None:
        """Raises `EditError` for no lives, for traffic actors and for a step other than 1."""
        if not lives:
            raise EditError(say("No actor that can be moved is chosen."))
        for life in lives:
            if life.is_traffic:
                raise EditError(
                    say(
                        "{actor} cannot be moved: the simulator finds traffic actors by their position.",
                        actor=name_of(life),
                    )
                )
        self.lives = tuple(lives)
        self.frames = frames_within(snapshot, frames_of(snapshot, lives) if frames is None else frames)
        self.snapshot = snapshot
        self.patterns = Patterns(snapshot.dialect.packet)
        actors = Actors.of(snapshot)
        self.without_position = {life.index: life for life in lives if not has_positions(snapshot, life)}
        parents = (
            (life.index, parent_pose(snapshot, life, self.frames.start if at is None else at))
            for life in self.without_position.values()
        )
        self.mounts = {index: pose for index, pose in parents if pose is not None}
        chosen = {life.index for life in lives}
        self._carried = {life.index for life in self.without_position.values() if _is_attached_to(actors, life, chosen)}
        moving = {life.index: life.within(self.frames) for life in lives if life.index not in self.without_position}
        spans = _attached(actors, self.frames, moving) | moving
        self.chosen = RecordSelection({index: actors.lives[index] for index in spans}, spans)

    def refuse_without_path(self) -> None:
        """Raises `EditError` if a life has no Position."""
        for life in self.without_position.values():
            raise EditError(say("Actor {actor} has no path: only its EventAdd says where it is.", actor=life.actor))

    def _born_within(self) -> list[Life]:
        """The lives with a Position, and those attached to them, whose EventAdd is in the frames and no offset."""
        actors = Actors.of(self.snapshot)
        known = {life.index for life in self.lives}
        attached = (actors.lives[index] for index in self.chosen.spans if index not in known)
        return [life for life in self.lives if life.born in self.frames and life.index not in self.without_position] + [
            life
            for life in attached
            if life.born in self.chosen.spans[life.index] and actors.offset_parent_of(life) is None
        ]

    def edit(
        self,
        operation: str,
        template: str,
        change: MotionChange,
        progress: Progress,
        *,
        at_rest: MotionChange | None = None,
        bits: Mapping[str, Bits] | None = None,
        extra: Blockwise | None = None,
        timed: bool = True,
        **arguments: object,
    ) -> Edit:
        """The edit that moves the lives; `arguments` are those of the operation, for the intent.

        `code` is that of the label. `at_rest` changes the EventAdd of those without Position, in any
        frame; `bits` changes records of other packets, by name; `timed`: the intent has the frames. Raises `EditError`
        if nothing changes, `Cancelled`.
        """
        snapshot = self.snapshot
        births = _by_row(self._born_within())
        # Lives that the EventAdd places, without those that move with their parent.
        resting = _by_row(
            [
                life
                for life in self.without_position.values()
                if len(life.within(self.frames)) and life.index not in self._carried
            ]
        )
        kinds = snapshot.dialect.by_name

        def visit_resting(block: FrameBlock) -> BoolArray:
            touched = np.zeros(len(block), np.bool_)
            _move_births(snapshot, block, resting, at_rest or change, touched, self.mounts)
            return touched

        def visit(block: FrameBlock) -> BoolArray:
            touched = visit_resting(block)
            first = snapshot.table.frame_of_row(block.first)
            if len(self.chosen):
                self._visit(block, first, change, touched)
                for name, turned in (bits or {}).items():
                    kind = kinds(name)
                    for found in self.chosen.find(block, first, kind, self.patterns) if kind is not None else ():
                        touched[found.rows[found.put(turned(found))]] = True
                if extra is not None:
                    extra(block, first, self.chosen, touched)
            _move_births(snapshot, block, births, change, touched)
            return touched

        frames = self.chosen.frames
        others = len(self.lives) - 1
        splices = patch_blocks(snapshot, frames, visit, progress)
        for born in {life.born for lives in resting.values() for life in lives if life.born not in frames}:
            splices += patch_blocks(snapshot, range(born, born + 1), visit_resting)
        if not splices:
            why = say(
                N_("None of these actors has a position in these frames that this would change.")
                if others
                else N_("Actor {actor} has no position in these frames that this would change."),
                actor=self.lives[0].actor,
            )
            raise (NothingToDo if any(map(len, self.chosen.spans.values())) else EditError)(why)
        actor = self.lives[0].actor
        if others:
            who = say_count("{actor} and {count:,} other", "{actor} and {count:,} others", actor=actor, count=others)
        else:
            who = say("{actor}", actor=actor)
        label = say(template, actors=who, **arguments)
        if frames:
            label = say_count("{label} in 1 frame", "{label} over {count:,} frames", label=label, count=len(frames))
        if timed:
            arguments |= seconds(snapshot, self.frames, self.lives)
        else:
            arguments |= {}
        return edit_of(snapshot, operation, label, splices, self.lives, **arguments)

    def _visit(self, block: FrameBlock, first: int, change: MotionChange, touched: BoolArray) -> None:
        placed, moving = (self.snapshot.dialect.by_name(name) for name in ("Position", "Kinematics"))
        keys = np.empty(0, np.uint64)
        places = np.empty((0, 2))
        for found in self.chosen.find(block, first, placed) if placed is not None else ():
            before = numbers_of(found.values[:, found.kind.record.six_numbers])
            keys = np.concatenate((keys, keys_of(found.frames, found.lives)))
            places = np.concatenate((places, before[:, :2]))
            with np.errstate(all="ignore"):
                changed = found.put(_with_numbers(found, change.pose(before, found.frames, found.lives)))
            touched[found.rows[changed]] = True
        order = np.argsort(keys, kind="stable")
        keys, places = keys[order], places[order]
        for found in self.chosen.find(block, first, moving) if moving is not None else ():
            at = _positions_of(found, keys, places)
            with np.errstate(all="ignore"):
                before = numbers_of(found.values[:, found.kind.record.six_numbers])
                changed = found.put(_with_numbers(found, change.velocity(before, found.frames, found.lives, at)))
            touched[found.rows[changed]] = True


def numbers_of(values: Bytes) -> FloatArray:
    """Six components for each record, from 24 or 48 bytes."""
    with np.errstate(invalid="ignore"):
        return np.ascontiguousarray(values).view("<f4" if values.shape[1] == 24 else "<f8").astype(np.float64)


def _with_numbers(found: SelectedRecords, numbers: FloatArray) -> Bytes:
    """Records with these six components. Errors as `_changed`."""
    made = found.values.copy()
    place = found.kind.record.six_numbers
    made[:, place] = _changed(found.values[:, place], numbers)
    return made


def _changed(values: Bytes, numbers: FloatArray) -> Bytes:
    """Six components with these numbers, as stored; equal numbers and NaNs keep the stored bits.

    Raises `FieldError` for numbers that are too large for their field.
    """
    before = numbers_of(values)
    changed = (numbers != before) & ~np.isnan(numbers)
    made = np.ascontiguousarray(values).view("<f4" if values.shape[1] == 24 else "<f8").copy()
    made[changed] = numbers[changed]
    if not np.isfinite(made[changed & np.isfinite(before)]).all():
        raise FieldError(say("A path that is moved so far has positions that are too large for a recording."))
    return made.view(np.uint8)


def _positions_of(found: SelectedRecords, keys: UInt64Array, places: FloatArray) -> FloatArray:
    """The places (x, y) of the actors of these records; NaN if unknown."""
    made = np.full((len(found), 2), np.nan)
    if len(keys):
        wanted = keys_of(found.frames, found.lives)
        at = np.maximum(keys.searchsorted(wanted, side="right") - 1, 0)
        here = keys[at] == wanted
        made[here] = places[at[here]]
    return made


def has_positions(snapshot: Snapshot, life: Life) -> bool:
    """Whether a life has a Position; sensors and attached props are placed by their EventAdd alone."""
    for index in range(life.born, min(life.born + _LOOKED_AT, len(snapshot))):
        packet = snapshot.frame(index).packet("Position")
        if packet is not None and packet.decoded.find_actor(life.actor) is not None:
            return True
    return False


def _is_attached_to(actors: Actors, life: Life, others: Collection[int]) -> bool:
    """Whether its EventAdd is an offset from one of the others, directly or indirectly."""
    above = actors.offset_parent_of(life)
    while above is not None and above.index not in others:
        above = actors.offset_parent_of(above)
    return above is not None


def _attached(actors: Actors, frames: range, carrying: Mapping[int, range]) -> dict[int, range]:
    """The frames in which attached actors move, directly or indirectly, by index of the life."""
    spans: dict[int, range] = {}
    attachments = [one for one in actors.parents if one.child_life is not None]
    following: dict[int, int] = {}
    ends: list[int] = []
    for one in reversed(attachments):
        ends.append(following.get(one.child_life or 0, frames.stop))
        following[one.child_life or 0] = one.frame_index
    for one, until in zip(attachments, reversed(ends), strict=True):
        parent = one.parent_life
        if parent is None:
            above = None
        else:
            above = carrying.get(parent, spans.get(parent))
        child = actors.lives[one.child_life or 0]
        if above is None or child.index in carrying or child.is_traffic:
            continue
        spans[child.index] = child.within(range(max(above.start, one.frame_index), min(above.stop, until)))
    return spans


# --- EventAdd records -----------------------------------------------------------------------------------


def _by_row(lives: Sequence[Life]) -> dict[int, list[Life]]:
    found: dict[int, list[Life]] = {}
    for life in lives:
        found.setdefault(life.added.row, []).append(life)
    return found


def _move_births(
    snapshot: Snapshot,
    block: FrameBlock,
    births: Mapping[int, list[Life]],
    change: MotionChange,
    touched: BoolArray,
    mounts: Mapping[int, Pose] | None = None,
) -> None:
    """Move the EventAdds in a block; `mounts` holds the poses of parents that offsets refer to."""
    place = snapshot.dialect.event_add.record.six_numbers
    for row in range(block.first, block.first + len(block)) if len(births) else ():
        bodies: dict[int, Body] = {}
        for life in births.get(row, ()):
            number = life.added.packet - 1
            at = START_SIZE + int(block.layout.offsets[number]) + 5
            length = int(block.layout.sizes[number])
            data = block.data[row - block.first]
            if number not in bodies:  # sizes do not change, so that spans stay valid
                kind = snapshot.dialect.packet(int(block.layout.ids[number]))
                bodies[number] = decode(kind, data[at : at + length].tobytes())
            start = at + bodies[number].span(life.added.record)[0]
            pose_bytes = data[start + place.start : start + place.stop]
            parent = (mounts or {}).get(life.index)

            def moved(pose: Pose, life: Life = life) -> Pose:
                made: Pose = change.pose(pose[None], np.array([life.born]), np.array([life.index]))[0]
                return made

            with np.errstate(all="ignore"):
                before = numbers_of(pose_bytes[None])[0]
                if parent is None:
                    pose = moved(before)
                else:
                    pose = apply_in_world(parent, before, moved)
                made = _changed(pose_bytes[None], pose[None])[0]
            if (made != pose_bytes).any():
                pose_bytes[:] = made
                touched[row - block.first] = True


def elapsed_in(snapshot: Snapshot, frames: range) -> FloatArray:
    """The times of the frames. Raises `EditError` if they do not rise."""
    times = snapshot.elapsed[frames.start : frames.stop]
    if not is_rising(times):
        raise EditError(
            say("Time does not rise in these frames, so nothing can be smooth there; put the times in order first.")
        )
    return times
