"""One pass over the frames that moves lives: their Position, velocities and EventAdd.

Attached actors move with their parent: those with a Position by their records, others by themselves. An EventAdd that
holds an offset stays if the parent is moved, and is changed in the axes of the parent if the actor itself is; one that
holds a place in the world is moved with the parent. Vectors in world axes of packets of users move with their actor.
Wheel places in PhysicsControl stay: the replayer ignores them.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NoReturn, Protocol

import numpy as np

from ...arrays import BoolArray, ByteArray, FloatArray, IntArray, UInt64Array
from ...errors import EditError, FieldError, NothingToDo
from ...format import Body, PacketType, decode
from ...progress import Progress
from ...reading import Actors, Life
from ...reading.motion import keys_of
from ...reading.rigid import Pose
from ...recording import START_SIZE, Bytes, Edit, FrameBlock, Snapshot, Splice
from ...texts import N_, say, say_count
from ..actors.rewrite import name_of, refuse_other_kinds
from ..attachments import apply_in_world, parent_pose
from ..block_rewrite import frames_within, patch_blocks
from ..intents import edit_of, frames_of, over_frames, seconds
from ..interpolation import is_rising
from ..records import RecordSelection, SelectedRecords
from ..uniform_frames import Patterns
from .world_vectors import PoseChanges, kinds_with_vectors

_SEARCHED_FRAMES = 3  # frames from the EventAdd on that are searched for a Position


class MotionChange(Protocol):
    """A change of poses and velocities. Arrays of n records; results that are NaN leave the value unchanged."""

    def pose(self, poses: FloatArray, frames: IntArray, lives: IntArray) -> FloatArray:
        """Return changed poses.

        Args:
            poses: Locations (cm) and rotations (roll, pitch, yaw; degrees), shape (n, 6).
            frames: Frame indices, shape (n,).
            lives: Indices of the lives, shape (n,).

        Returns:
            Poses of the same shape and units.
        """

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Return changed velocities.

        Args:
            velocities: Linear (m/s) and angular (degrees/s) velocities, shape (n, 6).
            frames: Frame indices, shape (n,).
            lives: Indices of the lives, shape (n,).
            places: Where the actors were before the change (x, y; cm), shape (n, 2); NaN if unknown.

        Returns:
            Velocities of the same shape and units.
        """


ChangeRecords = Callable[[SelectedRecords], Bytes]
"""A change of records: it returns their new bytes, shape (n, size)."""

ChangeBlock = Callable[[FrameBlock, int, RecordSelection, BoolArray], None]
"""A further change of a block: (block, index of its first frame, selection, bool[rows] to be set for changes)."""


class MovedActors:
    """The lives to move, and the frames.

    Attributes:
        snapshot: The recording.
        lives: The lives as chosen.
        frames: The range of frames, within the recording.
        patterns: Patterns of packets, for this pass.
        chosen: The records that move, with those of attached actors.
        without_position: The lives that only the EventAdd places, by index.
        mounts: The pose of the parent of each life in `without_position` that has an offset in its EventAdd, by index
            of the life.
    """

    def __init__(
        self, snapshot: Snapshot, lives: Sequence[Life], frames: range | None, mount_frame: int | None = None
    ) -> None:
        """Find the records to move.

        Args:
            snapshot: The recording.
            lives: The lives to move.
            frames: Frame indices; None: from the first creation of the lives to the last end.
            mount_frame: The frame in which poses of parents are taken; None: the first of `frames`.

        Raises:
            EditError: There are no lives, one is a traffic actor, or the step of `frames` is not 1.
        """
        _refuse_immovable(lives)
        if frames is None:
            frames = frames_of(snapshot, lives)
        self.lives = tuple(lives)
        self.frames = frames_within(snapshot, frames)
        self.snapshot = snapshot
        self.patterns = Patterns(snapshot.dialect.packet)
        self._position = snapshot.dialect.by_name("Position")
        self._kinematics = snapshot.dialect.by_name("Kinematics")
        self._with_vectors = kinds_with_vectors(snapshot.dialect, (self._position, self._kinematics))
        self.without_position = {life.index: life for life in lives if not has_positions(snapshot, life)}
        if mount_frame is None:
            mount_frame = self.frames.start
        self.mounts: dict[int, Pose] = {}
        actors = Actors.of(snapshot)
        indices = {life.index for life in lives}
        self._carried: set[int] = set()
        for life in self.without_position.values():
            parent = parent_pose(snapshot, life, mount_frame)
            if parent is not None:
                self.mounts[life.index] = parent
            if _is_attached_to(actors, life, indices):
                self._carried.add(life.index)
        moving: dict[int, range] = {}
        for life in lives:
            if life.index not in self.without_position:
                moving[life.index] = life.within(self.frames)
        spans = _attached_spans(actors, self.frames, moving) | moving
        self.chosen = RecordSelection({index: actors.lives[index] for index in spans}, spans)

    def refuse_without_path(self) -> None:
        """Raise an error if a life has no Position.

        Raises:
            EditError: A life is placed by its EventAdd alone.
        """
        for life in self.without_position.values():
            raise EditError(say("Actor {actor} has no path: only its EventAdd says where it is.", actor=life.actor))

    def edit(
        self,
        operation: str,
        template: str,
        change: MotionChange,
        progress: Progress,
        *,
        at_rest: MotionChange | None = None,
        record_changes: Mapping[str, ChangeRecords] | None = None,
        change_block: ChangeBlock | None = None,
        timed: bool = True,
        **arguments: object,
    ) -> Edit:
        """Return the edit that moves the lives.

        Args:
            operation: The name of the operation, for the intent.
            template: The text of the label, with `{actors}` and names of `arguments`.
            change: The change of poses and velocities.
            progress: Reports progress and cancels.
            at_rest: The change of the EventAdd of lives without Position, in any frame; None: `change`.
            record_changes: Changes of records of other packets, by name of the packet.
            change_block: A further change of each block.
            timed: Whether the intent holds the frames.
            **arguments: Arguments of the operation, for the intent and the label.

        Raises:
            EditError: Nothing changes.
            NothingToDo: Nothing changes, although the lives have records in these frames.
            FieldError: A number is too large for its field.
            Cancelled: The user cancelled.
        """
        splices = self._patch(change, at_rest or change, record_changes or {}, change_block, progress)
        if not splices:
            self._refuse_unchanged()
        label = self._label(template, arguments)
        if timed:
            arguments |= seconds(self.snapshot, self.frames, self.lives)
        return edit_of(self.snapshot, operation, label, splices, self.lives, **arguments)

    def _patch(
        self,
        change: MotionChange,
        at_rest: MotionChange,
        record_changes: Mapping[str, ChangeRecords],
        change_block: ChangeBlock | None,
        progress: Progress,
    ) -> tuple[Splice, ...]:
        """Return the splices of all frames that change."""
        snapshot = self.snapshot
        births = _by_row(self._births_within())
        resting = self._resting()
        resting_by_row = _by_row(resting)

        def visit_resting(block: FrameBlock) -> BoolArray:
            touched = np.zeros(len(block), np.bool_)
            _move_births(snapshot, block, resting_by_row, at_rest, touched, self.mounts)
            return touched

        def visit(block: FrameBlock) -> BoolArray:
            touched = visit_resting(block)
            first = snapshot.table.frame_of_row(block.first)
            if len(self.chosen):
                self._change_motion(block, first, change, touched)
                self._change_records(block, first, record_changes, touched)
                if change_block is not None:
                    change_block(block, first, self.chosen, touched)
            _move_births(snapshot, block, births, change, touched, {})
            return touched

        frames = self.chosen.frames
        splices = patch_blocks(snapshot, frames, visit, progress)
        for born in {life.born for life in resting if life.born not in frames}:
            splices += patch_blocks(snapshot, range(born, born + 1), visit_resting)
        return splices

    def _births_within(self) -> list[Life]:
        """Return the lives with records to move that are created in the frames at a place in the world."""
        actors = Actors.of(self.snapshot)
        births: list[Life] = []
        for life in self.lives:
            if life.born in self.frames and life.index not in self.without_position:
                births.append(life)
        indices = {life.index for life in self.lives}
        for index, span in self.chosen.spans.items():
            life = actors.lives[index]
            if index not in indices and life.born in span and actors.offset_parent_of(life) is None:
                births.append(life)
        return births

    def _resting(self) -> list[Life]:
        """Return the lives that the EventAdd places, without those that move with their parent."""
        resting: list[Life] = []
        for life in self.without_position.values():
            if len(life.within(self.frames)) and life.index not in self._carried:
                resting.append(life)
        return resting

    def _change_motion(self, block: FrameBlock, first: int, change: MotionChange, touched: BoolArray) -> None:
        """Change the chosen Positions of a block, velocities by the places before, and vectors beside the actors."""
        keys = np.empty(0, np.uint64)
        before = np.empty((0, 6))
        after = np.empty((0, 6))
        for records in self._find(block, first, self._position):
            poses = _numbers_in(records)
            keys = np.concatenate((keys, keys_of(records.frames, records.lives)))
            before = np.concatenate((before, poses))
            with np.errstate(all="ignore"):
                values = _with_numbers(records, change.pose(poses, records.frames, records.lives))
            changed = records.put(values)
            after = np.concatenate((after, numbers_of(values[:, records.kind.record.six_numbers])))
            touched[records.rows[changed]] = True
        changes = PoseChanges(keys, before, after)
        for records in self._find(block, first, self._kinematics):
            places_before = _places_of(records, changes.keys, changes.before[:, :2])
            with np.errstate(all="ignore"):
                velocities = change.velocity(_numbers_in(records), records.frames, records.lives, places_before)
                changed = records.put(_with_numbers(records, velocities))
            touched[records.rows[changed]] = True
        if len(keys):
            self._change_vectors(block, first, changes, touched)

    def _change_vectors(self, block: FrameBlock, first: int, changes: PoseChanges, touched: BoolArray) -> None:
        """Move the vectors in world axes of further records of the actors in a block."""
        for kind in self._with_vectors:
            for records in self.chosen.find(block, first, kind, self.patterns, takes_all=True):
                changed = records.put(changes.moved(records))
                touched[records.rows[changed]] = True

    def _change_records(
        self, block: FrameBlock, first: int, record_changes: Mapping[str, ChangeRecords], touched: BoolArray
    ) -> None:
        """Change the chosen records of other packets of a block."""
        for name, change in record_changes.items():
            kind = self.snapshot.dialect.by_name(name)
            for records in self._find(block, first, kind):
                changed = records.put(change(records))
                touched[records.rows[changed]] = True

    def _find(self, block: FrameBlock, first: int, kind: PacketType | None) -> Iterator[SelectedRecords]:
        """Yield the chosen records of a packet type; none for a type that the dialect does not have."""
        if kind is not None:
            yield from self.chosen.find(block, first, kind, self.patterns)

    def _label(self, template: str, arguments: Mapping[str, object]) -> str:
        actor = self.lives[0].actor
        others = len(self.lives) - 1
        if others:
            names = say_count("{actor} and {count:,} other", "{actor} and {count:,} others", actor=actor, count=others)
        else:
            names = say("{actor}", actor=actor)
        label = say(template, actors=names, **arguments)
        frames = self.chosen.frames
        if frames:
            return over_frames(label, len(frames))
        return label

    def _refuse_unchanged(self) -> NoReturn:
        """Raise the error for lives that do not move."""
        if len(self.lives) > 1:
            template = N_("None of these actors has a position in these frames that this would change.")
        else:
            template = N_("Actor {actor} has no position in these frames that this would change.")
        reason = say(template, actor=self.lives[0].actor)
        if len(self.chosen):
            raise NothingToDo(reason)
        raise EditError(reason)


def _refuse_immovable(lives: Sequence[Life]) -> None:
    """Raise `EditError` for no lives and for traffic actors, and `TypeError` for what is no life."""
    refuse_other_kinds(lives)
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


def _six_floats(values: Bytes) -> FloatArray:
    """Return a view of six components as stored: of 24 bytes as floats, of 48 bytes as doubles."""
    if values.shape[1] == 24:
        return np.ascontiguousarray(values).view("<f4")
    return np.ascontiguousarray(values).view("<f8")


def _numbers_in(records: SelectedRecords) -> FloatArray:
    """Return the six components of each record of Position or Kinematics, float64, shape (n, 6)."""
    return numbers_of(records.values[:, records.kind.record.six_numbers])


def numbers_of(values: Bytes) -> FloatArray:
    """Return six components for each record.

    Args:
        values: Their bytes, shape (n, 24) or (n, 48).

    Returns:
        float64 of shape (n, 6).
    """
    with np.errstate(invalid="ignore"):
        return _six_floats(values).astype(np.float64)


def _with_numbers(records: SelectedRecords, numbers: FloatArray) -> Bytes:
    """Return the records with these six components; raises errors as `_changed`."""
    values = records.values.copy()
    place = records.kind.record.six_numbers
    values[:, place] = _changed(records.values[:, place], numbers)
    return values


def _changed(values: Bytes, numbers: FloatArray) -> Bytes:
    """Return six components with these numbers, as stored; equal numbers and NaNs keep the stored bits.

    Raises:
        FieldError: A number is too large for its field.
    """
    before = numbers_of(values)
    changed = (numbers != before) & ~np.isnan(numbers)
    stored = _six_floats(values).copy()
    stored[changed] = numbers[changed]
    if not np.isfinite(stored[changed & np.isfinite(before)]).all():
        raise FieldError(say("A path that is moved so far has positions that are too large for a recording."))
    return stored.view(np.uint8)


def _places_of(records: SelectedRecords, keys: UInt64Array, places: FloatArray) -> FloatArray:
    """Return the places (x, y) of the actors of these records, shape (n, 2); NaN if unknown.

    Args:
        records: Records of actors in frames.
        keys: `keys_of` the frames and lives of `places`, rising.
        places: The known places, shape (len(keys), 2).
    """
    result = np.full((len(records), 2), np.nan)
    if len(keys):
        wanted = keys_of(records.frames, records.lives)
        indices = np.maximum(keys.searchsorted(wanted, side="right") - 1, 0)
        is_known = keys[indices] == wanted
        result[is_known] = places[indices[is_known]]
    return result


def has_positions(snapshot: Snapshot, life: Life) -> bool:
    """Return whether a life has a Position; sensors and attached props are placed by their EventAdd alone."""
    for index in range(life.born, min(life.born + _SEARCHED_FRAMES, len(snapshot))):
        packet = snapshot.frame(index).packet("Position")
        if packet is not None and packet.decoded.find_actor(life.actor) is not None:
            return True
    return False


def _is_attached_to(actors: Actors, life: Life, others: Collection[int]) -> bool:
    """Return whether its EventAdd is an offset from one of the others, directly or indirectly."""
    parent = actors.offset_parent_of(life)
    while parent is not None and parent.index not in others:
        parent = actors.offset_parent_of(parent)
    return parent is not None


def _attached_spans(actors: Actors, frames: range, carrying: Mapping[int, range]) -> dict[int, range]:
    """Return the frames in which attached actors move, directly or indirectly, by index of the life.

    Args:
        actors: The actors of the recording.
        frames: The frames that change.
        carrying: The frames in which the chosen lives move, by index of the life.
    """
    attachments = [attachment for attachment in actors.parents if attachment.child_life is not None]
    # An attachment ends with the next one of the same life.
    next_frames: dict[int, int] = {}
    ends: list[int] = []
    for attachment in reversed(attachments):
        child_index = attachment.child_life or 0
        ends.append(next_frames.get(child_index, frames.stop))
        next_frames[child_index] = attachment.frame_index
    ends.reverse()
    spans: dict[int, range] = {}
    for attachment, end in zip(attachments, ends, strict=True):
        if attachment.parent_life is None:
            continue
        parent_span = carrying.get(attachment.parent_life, spans.get(attachment.parent_life))
        child = actors.lives[attachment.child_life or 0]
        if parent_span is None or child.index in carrying or child.is_traffic:
            continue
        start = max(parent_span.start, attachment.frame_index)
        stop = min(parent_span.stop, end)
        spans[child.index] = child.within(range(start, stop))
    return spans


# --- EventAdd records -----------------------------------------------------------------------------------


def _by_row(lives: Sequence[Life]) -> dict[int, list[Life]]:
    """Return lives by the row of their EventAdd."""
    lives_of_row: dict[int, list[Life]] = {}
    for life in lives:
        lives_of_row.setdefault(life.added.row, []).append(life)
    return lives_of_row


def _move_births(
    snapshot: Snapshot,
    block: FrameBlock,
    births: Mapping[int, list[Life]],
    change: MotionChange,
    touched: BoolArray,
    mounts: Mapping[int, Pose],
) -> None:
    """Move the EventAdds in a block.

    Args:
        snapshot: The recording.
        block: The block, which is changed.
        births: The lives to move, by the row of their EventAdd.
        change: The change of poses.
        touched: bool[rows], set for rows that changed.
        mounts: The poses of parents that offsets refer to, by index of the life.
    """
    if not births:
        return
    place = snapshot.dialect.event_add.record.six_numbers
    for row in range(block.first, block.first + len(block)):
        if row not in births:
            continue
        data = block.data[row - block.first]
        bodies: dict[int, Body] = {}
        for life in births[row]:
            number = life.added.packet - 1
            body_start = START_SIZE + int(block.layout.offsets[number]) + 5
            if number not in bodies:  # sizes do not change, so that spans stay valid
                kind = snapshot.dialect.packet(int(block.layout.ids[number]))
                body_end = body_start + int(block.layout.sizes[number])
                bodies[number] = decode(kind, data[body_start:body_end].tobytes())
            start = body_start + bodies[number].span(life.added.record)[0]
            stored = data[start + place.start : start + place.stop]
            changed = _moved_birth(life, stored, change, mounts.get(life.index))
            if (changed != stored).any():
                stored[:] = changed
                touched[row - block.first] = True


def _moved_birth(life: Life, stored: ByteArray, change: MotionChange, parent: Pose | None) -> ByteArray:
    """Return the pose of an EventAdd after the change, as stored.

    Args:
        life: The life.
        stored: The bytes of the pose.
        change: The change of poses in the world.
        parent: The pose of the parent that the stored pose is an offset from; None: it is a place in the world.
    """

    def moved(pose: Pose) -> Pose:
        changed: Pose = change.pose(pose[None], np.array([life.born]), np.array([life.index]))[0]
        return changed

    with np.errstate(all="ignore"):
        before = numbers_of(stored[None])[0]
        if parent is None:
            pose = moved(before)
        else:
            pose = apply_in_world(parent, before, moved)
        stored_pose: ByteArray = _changed(stored[None], pose[None])[0]
    return stored_pose


def elapsed_in(snapshot: Snapshot, frames: range) -> FloatArray:
    """Return the times of frames.

    Args:
        snapshot: The recording.
        frames: Frame indices.

    Returns:
        Seconds since the recording began, shape (len(frames),).

    Raises:
        EditError: The times do not rise.
    """
    times = snapshot.elapsed[frames.start : frames.stop]
    if not is_rising(times):
        raise EditError(
            say("Time does not rise in these frames, so nothing can be smooth there; put the times in order first.")
        )
    return times
