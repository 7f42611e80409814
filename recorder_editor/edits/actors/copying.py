"""Copies of actors: in the same recording, shifted in space and time, or from another one.

A copy has an id of its own; collisions and attached actors are not copied. At another time, places, rotations,
velocities and controls are interpolated, and everything else is that of the original's frame at or before that time.
Records that the original has once, the copy has once, in the first frame that is not before them.
"""

import numpy as np

from ...arrays import FloatArray
from ...errors import EditError
from ...format import decode, encode_record
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import RAW, Edit, RecordingLike, Snapshot
from ...texts import say
from ..attachments import apply_in_world, event_add_record, parent_pose, spawn_pose, stored_world_pose
from ..convert.packet_map import attributes_apart
from ..intents import edit_of
from ..interpolation import LATEST, locate, tolerance
from ..wrong_class import refuse_crash
from .describing import FORMER_HERO, HERO, ROLE, uid_of
from .removing import spawn_records
from .rewrite import Plan, name_of, refuse_new_id, refuse_outside_frames, rewrite, unused_id
from .stream import Frames, RigidTransform, Stream

Metres = tuple[float, float, float]


def duplicate_actor(
    recording: RecordingLike,
    life: Life,
    *,
    offset: Metres = (0.0, 0.0, 0.0),
    turn: float = 0.0,
    seconds: float = 0.0,
    new_id: int | None = None,
    progress: Progress = SILENT,
) -> Edit:
    """Return the edit that adds a copy of a life.

    The copy is trimmed to the recording, as by `trim_life`. Without a shift in time it has the parent of the life, and
    an offset from it if the EventAdd of the life holds one; otherwise it is not attached. The copy of a hero gets the
    role name `autopilot`.

    Args:
        recording: The recording, which is not changed.
        life: The life to copy.
        offset: Shift of the path along the axes of the world, m.
        turn: Turn of the path about the place of the EventAdd, degrees.
        seconds: Delay of the copy.
        new_id: Its id; None: one above all.
        progress: Reports progress and cancels.

    Raises:
        EditError: The life belongs to the map, the id is in use, or the copy would lie outside of the recording.
        FieldError: The offset or the turn is too large.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_outside_frames(snapshot, [life])
    if not seconds:
        frames = _same_frames(snapshot, life)
    else:
        frames = shifted_frames(snapshot, snapshot, life, seconds)
    copy = _Copy(
        snapshot=snapshot,
        source=snapshot,
        life=life,
        frames=frames,
        rigid=_rigid(snapshot, life, offset, turn),
        new_id=new_id,
        attached=not seconds,
    )
    if not seconds:
        for attachment in Actors.of(snapshot).parents:
            if attachment.child_life == life.index:
                record = snapshot.dialect.attachment(copy.id, attachment.parent)
                copy.plan.add(attachment.place.row, "EventParent", record)
    edit = edit_of(
        snapshot,
        "duplicate_actor",
        say("Duplicate {actor} as {id}", actor=life.actor, id=copy.id),
        rewrite(snapshot, copy.plan, progress),
        [life],
        offset=list(offset),
        turn=turn,
        seconds=seconds,
        new_id=new_id,
    )
    return refuse_crash(snapshot, edit)


def paste_actor(
    recording: RecordingLike,
    other: Snapshot,
    life: Life,
    *,
    at: float = 0.0,
    offset: Metres = (0.0, 0.0, 0.0),
    turn: float = 0.0,
    new_id: int | None = None,
    progress: Progress = SILENT,
) -> Edit:
    """Return the edit that adds a life of another recording, with its track.

    The copy is not attached, and takes the uid of actors of this recording with its blueprint. The edit has no intent:
    scripts cannot repeat it.

    Args:
        recording: The recording to add it to, which is not changed.
        other: The other recording.
        life: A life of the other recording.
        at: When the copy is created, elapsed seconds of the recording.
        offset: As of `duplicate_actor`.
        turn: As of `duplicate_actor`.
        new_id: As of `duplicate_actor`.
        progress: Reports progress and cancels.

    Raises:
        EditError: The other recording is of another dialect, the life belongs to the map, the id is in use, or the copy
            would lie outside of the recording.
        FieldError: The offset or the turn is too large.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_other_dialect(snapshot, other)
    refuse_outside_frames(other, [life])
    born = float(other.elapsed[life.born])
    copy = _Copy(
        snapshot=snapshot,
        source=other,
        life=life,
        frames=shifted_frames(snapshot, other, life, at - born),
        rigid=_rigid(other, life, offset, turn),
        new_id=new_id,
    )
    splices = rewrite(snapshot, copy.plan, progress)
    edit = Edit(say("Paste {blueprint} as {id}", blueprint=life.blueprint, id=copy.id), snapshot.version, splices)
    return refuse_crash(snapshot, edit)


def refuse_other_dialect(snapshot: Snapshot, other: Snapshot) -> None:
    """Raise `EditError` for recordings with records that differ."""
    own = snapshot.dialect
    foreign = other.dialect
    if own.name != foreign.name:
        raise EditError(
            say(
                "The other recording is one of {title}, this one of {here}: their bytes mean "
                "different things. Convert it first (recorder-editor convert, to {name}).",
                title=foreign.title,
                here=own.title,
                name=own.name,
            )
        )
    difference = attributes_apart(own, foreign)
    if difference:
        raise EditError(difference)


# --- source frames --------------------------------------------------------------------------------------


def _same_frames(snapshot: Snapshot, life: Life) -> Frames:
    """Return the frames of a life, each with itself as its source."""
    frames = life.within(range(len(snapshot)))
    if not frames:
        raise EditError(
            say("{actor} is created and destroyed in one frame, so there is nothing to copy.", actor=name_of(life))
        )
    return Frames(start=life.born, sources=np.arange(frames.start, frames.stop), shares=np.zeros(len(frames)))


def shifted_frames(snapshot: Snapshot, source: Snapshot, life: Life, seconds: float) -> Frames:
    """Return the frames of a recording in which a delayed copy of a life is there, with their sources.

    Args:
        snapshot: The recording that gets the copy.
        source: The recording of the life.
        life: The life.
        seconds: How much later the copy is.

    Raises:
        EditError: Nothing of the life would lie within the recording, or times do not rise.
    """
    times = _rising_times(snapshot)
    source_times = _rising_times(source)
    seconds = min(max(seconds, -3 * LATEST), 3 * LATEST)  # longer than any recording
    wanted = times - seconds
    sources, shares = locate(source_times, wanted, seconds)
    end = life.within(range(len(source))).stop
    is_within = wanted <= source_times[-1] + tolerance(source_times, wanted, seconds)
    chosen = np.flatnonzero(is_within & (sources >= life.born) & (sources < end))
    if not len(chosen):
        raise EditError(say("Nothing of {actor} would lie within this recording at that time.", actor=name_of(life)))
    sources = sources[chosen]
    # After its last frame the id may belong to another life.
    shares = np.where(sources + 1 < end, shares[chosen], 0.0)
    return Frames(start=int(chosen[0]), sources=sources, shares=shares)


def _rising_times(snapshot: Snapshot) -> FloatArray:
    """Return the times of all frames; raises `EditError` if they do not rise, or are too large."""
    elapsed = snapshot.elapsed
    backwards = np.flatnonzero(~(elapsed[1:] >= elapsed[:-1]))
    if len(backwards) or not (np.abs(elapsed) <= LATEST).all() or not len(elapsed):
        frame = 1
        if len(backwards):
            frame = int(backwards[0]) + 2
        raise EditError(
            say("Time does not rise at frame {frame}; put the times in order first.", frame=frame), frame=frame
        )
    return elapsed


# --- the copy -------------------------------------------------------------------------------------------


class _Copy:
    """A copy of a life in preparation.

    Attributes:
        id: Its id.
        plan: What adds it to the recording.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        source: Snapshot,
        life: Life,
        frames: Frames,
        rigid: RigidTransform,
        new_id: int | None,
        attached: bool = False,
    ) -> None:
        """Plan the copy.

        Args:
            snapshot: The recording that gets the copy.
            source: The recording of the life.
            life: The life.
            frames: Frames of the copy, with their sources.
            rigid: What moves it.
            new_id: Its id; None: one above all.
            attached: Whether it has the parents of the life.
        """
        self._snapshot = snapshot
        self._source = source
        self._life = life
        self._frames = frames
        self._rigid = rigid
        self._attached = attached
        self._uid = self._find_uid()
        if new_id is None:
            new_id = unused_id(snapshot)
        self.id = new_id
        gone = frames.stop if frames.stop < len(snapshot) else None
        refuse_new_id(snapshot, self.id, frames.start, gone)
        self.plan = Plan()
        self._plan_events(gone)
        stream = Stream(snapshot, source, life.actor, frames, rigid, self.id)
        row_of_frame = snapshot.table.row_of_frame
        self.plan.stream = stream.visit
        self.plan.streamed = range(row_of_frame(frames.start), row_of_frame(frames.stop - 1) + 1)

    def _find_uid(self) -> int:
        """Return the uid that the copy gets; raises `EditError` for actors that cannot be copied."""
        name = name_of(self._life)
        if self._life.is_traffic or self._life.is_spectator:
            raise EditError(
                say(
                    "{name} cannot be copied: traffic lights, signs and the spectator belong to "
                    "the map, and the simulator creates none.",
                    name=name,
                )
            )
        uid = self._life.uid
        if self._source is not self._snapshot or not uid:
            uid = uid_of(self._snapshot, self._life.blueprint) or uid
        if not uid:
            raise EditError(
                say("{name} cannot be copied: its blueprint has no number (uid), so nothing would appear.", name=name)
            )
        return uid

    def _plan_events(self, gone: int | None) -> None:
        """Plan the records in single frames; the copy ends in the frame `gone` (None: with the recording)."""
        frames = self._frames
        first = int(frames.sources[0])
        if first == self._life.born:
            pose = None
            if not self._attached:
                pose = stored_world_pose(self._source, self._life)
            self._add(frames.start, "EventAdd", event_add_record(self._source, self._life, pose))
        else:
            for name, record in spawn_records(self._source, self._life, first, attached=self._attached):
                self._add(frames.start, name, record)
        for frame, name, record in _lasting_records(self._source, self._life):
            if first <= frame <= frames.sources[-1]:
                self._add(frames.first_from(frame), name, record)
        if gone is not None:
            row = self._snapshot.table.row_of_frame(gone)
            self.plan.add(row, "EventDel", self._snapshot.dialect.deletion(self.id))

    def _add(self, frame: int, name: str, record: bytes) -> None:
        """Plan the copy of a record of the life in a frame of the recording."""
        if name == "EventAdd":
            copied = self._described(record)
        else:
            copied = self._moved(name, record)
        self.plan.add(self._snapshot.table.row_of_frame(frame), name, copied)

    def _moved(self, name: str, record: bytes) -> bytes:
        """Return a record with the id of the copy and its world coordinates moved."""
        kind = self._source.dialect.by_name(name)
        assert kind is not None
        moved = self._rigid.records(kind, np.frombuffer(record, np.uint8).reshape(1, -1)).tobytes()
        start = kind.actor_offsets[0]
        return moved[:start] + self.id.to_bytes(4, "little") + moved[start + 4 :]

    def _described(self, record: bytes) -> bytes:
        """Return an EventAdd with the id, uid and pose of the copy, without the hero role."""
        kind = self._source.dialect.event_add
        place = kind.record.six_numbers
        moved = record[: place.start] + self._moved_pose(record[place]) + record[place.stop :]
        values = decode(kind, b"\x01\x00" + moved).record(0)
        values["id"] = self.id
        values["uid"] = self._uid
        for attribute in values["attributes"]:
            if attribute["id"] == ROLE and attribute["value"] == HERO:
                attribute["value"] = FORMER_HERO
        return encode_record(kind.record, values)

    def _moved_pose(self, pose: bytes) -> bytes:
        """Return the pose of an EventAdd, moved in the world, also if it is an offset from the parent."""
        parent = None
        if self._attached:
            parent = parent_pose(self._source, self._life, self._life.born)
        if parent is None:
            return self._rigid.pose(pose)
        with np.errstate(all="ignore"):
            stored = np.frombuffer(pose, "<f4" if len(pose) == 24 else "<f8").copy()
            offset = stored.astype(np.float64)
            moved = apply_in_world(parent, offset, self._rigid.numbers)
            changed = moved != offset
            stored[changed] = moved[changed]
        return stored.tobytes()


def _rigid(source: Snapshot, life: Life, metres: Metres, degrees: float) -> RigidTransform:
    """Return a turn about the spawn point of a life, then a shift."""
    x, y = spawn_pose(source, life)[:2].tolist()
    return RigidTransform.of(metres, degrees, (x, y))


def _lasting_records(source: Snapshot, life: Life) -> list[tuple[int, str, bytes]]:
    """Return the records that a life has in single frames: frame, packet name and bytes, in file order."""
    table = source.table
    records: list[tuple[int, str, bytes]] = []
    for name, lasting in Actors.of(source).lasting_records_of(life):
        if int(table.row(lasting.row)["kind"]) != RAW:
            records.append((table.frame_of_row(lasting.row), name, lasting.record))
    return records
