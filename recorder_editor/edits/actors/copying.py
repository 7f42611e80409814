"""Copies of actors: in the same recording, shifted in space and time, or from another one.

A copy has an id of its own; collisions and attached actors are not copied. At another time, places, rotations,
velocities and controls are interpolated, and everything else is that of the original's frame at or before that time.
Records that the original has once, the copy has once, in the first frame that is not before them.
"""

from dataclasses import dataclass

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
    """The edit that adds a copy of a life under an id of its own (`new_id`, else one above all).

    The copy's path is turned by `turn` degrees about the place of its EventAdd, shifted by `offset` (metres, world
    axes) and delayed by `seconds`; it is trimmed to the recording, as by `trim_life`. Without a shift in time it has
    the parent of the life, and an offset from it if the EventAdd of the life holds one; otherwise it is not attached.
    The copy of a hero gets the role name `autopilot`. Raises `EditError` for actors of the map, for ids in use, and if
    the copy would lie outside of the recording.
    """
    snapshot = recording.snapshot
    refuse_outside_frames(snapshot, [life])
    if not seconds:
        frames = _same_frames(snapshot, life)
    else:
        frames = shifted_frames(snapshot, snapshot, life, seconds)
    copy = _Copy(snapshot, snapshot, life, frames, _rigid(snapshot, life, offset, turn), new_id, attached=not seconds)
    if not seconds:
        for each in Actors.of(snapshot).parents:
            if each.child_life == life.index:
                record = snapshot.dialect.attachment(copy.id, each.parent)
                copy.plan.add(each.place.row, "EventParent", record)
    splices = rewrite(snapshot, copy.plan, progress)
    label = say("Duplicate {actor} as {id}", actor=life.actor, id=copy.id)
    arguments: dict[str, object] = {"offset": list(offset), "turn": turn, "seconds": seconds, "new_id": new_id}
    return refuse_crash(snapshot, edit_of(snapshot, "duplicate_actor", label, splices, [life], **arguments))


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
    """The edit that adds a life of another recording, with its track, created at `at` (elapsed, s) of this one.

    `offset`, `turn` and `new_id` as in `duplicate_actor`. The copy is not attached, and takes the uid of actors of this
    recording with its blueprint. The edit has no intent: scripts cannot repeat it. Raises `EditError` for a recording
    of another dialect, for actors of the map and ids in use, and if the copy would lie outside of this recording.
    """
    snapshot = recording.snapshot
    _refuse_incompatible(snapshot, other)
    refuse_outside_frames(other, [life])
    born = float(other.elapsed[life.born])
    frames = shifted_frames(snapshot, other, life, at - born)
    copy = _Copy(snapshot, other, life, frames, _rigid(other, life, offset, turn), new_id)
    splices = rewrite(snapshot, copy.plan, progress)
    edit = Edit(say("Paste {blueprint} as {id}", blueprint=life.blueprint, id=copy.id), snapshot.version, splices)
    return refuse_crash(snapshot, edit)


def _refuse_incompatible(snapshot: Snapshot, other: Snapshot) -> None:
    mine = snapshot.dialect
    theirs = other.dialect
    if mine.name != theirs.name:
        raise EditError(
            say(
                "The other recording is one of {title}, this one of {here}: their bytes mean "
                "different things. Convert it first (recorder-editor convert, to {name}).",
                title=theirs.title,
                here=mine.title,
                name=mine.name,
            )
        )
    if numbered_apart := attributes_apart(mine, theirs):
        raise EditError(numbered_apart)


# --- source frames --------------------------------------------------------------------------------------


def _same_frames(snapshot: Snapshot, life: Life) -> Frames:
    frames = life.within(range(len(snapshot)))
    if not frames:
        raise EditError(
            say("{actor} is created and destroyed in one frame, so there is nothing to copy.", actor=name_of(life))
        )
    return Frames(life.born, np.arange(frames.start, frames.stop), np.zeros(len(frames)))


def shifted_frames(snapshot: Snapshot, source: Snapshot, life: Life, seconds: float) -> Frames:
    """For each frame of a recording the source frame `seconds` before, and the share of the way to the next one."""
    here, there = (_rising_times(each) for each in (snapshot, source))
    seconds = min(max(seconds, -3 * LATEST), 3 * LATEST)  # longer than any recording
    wanted = here - seconds
    found, share = locate(there, wanted, seconds)
    end = life.within(range(len(source))).stop
    within = wanted <= there[-1] + tolerance(there, wanted, seconds)
    (chosen,) = np.nonzero(within & (found >= life.born) & (found < end))
    if not len(chosen):
        raise EditError(say("Nothing of {actor} would lie within this recording at that time.", actor=name_of(life)))
    sources = found[chosen]
    # After its last frame the id may belong to another life.
    return Frames(int(chosen[0]), sources, np.where(sources + 1 < end, share[chosen], 0.0))


def _rising_times(snapshot: Snapshot) -> FloatArray:
    elapsed = snapshot.elapsed
    back = np.flatnonzero(~(elapsed[1:] >= elapsed[:-1]))
    if len(back) or not (np.abs(elapsed) <= LATEST).all() or not len(elapsed):
        if len(back):
            frame = int(back[0]) + 2
        else:
            frame = 1
        raise EditError(
            say("Time does not rise at frame {frame}; put the times in order first.", frame=frame), frame=frame
        )
    return elapsed


# --- the copy -------------------------------------------------------------------------------------------


@dataclass
class _Copy:
    """Makes the plan of a copy. Attributes: `id`, `plan`."""

    snapshot: Snapshot
    source: Snapshot
    life: Life
    frames: Frames
    rigid: RigidTransform
    new_id: int | None
    attached: bool = False

    def __post_init__(self) -> None:
        self._refuse_of_the_map()
        gone = self.frames.stop if self.frames.stop < len(self.snapshot) else None
        if self.new_id is None:
            self.id = unused_id(self.snapshot)
        else:
            self.id = self.new_id
        refuse_new_id(self.snapshot, self.id, self.frames.start, gone)
        self.plan = Plan()
        row_of = self.snapshot.table.row_of_frame
        first = int(self.frames.sources[0])
        if first == self.life.born:
            if self.attached:
                place = None
            else:
                place = stored_world_pose(self.source, self.life)
            self._add(self.frames.start, "EventAdd", event_add_record(self.source, self.life, place))
        else:
            for name, record in spawn_records(self.source, self.life, first, attached=self.attached):
                self._add(self.frames.start, name, record)
        for frame, name, record in _setting_records(self.source, self.life):
            if first <= frame <= self.frames.sources[-1]:
                self._add(self.frames.first_from(frame), name, record)
        if gone is not None:
            self.plan.add(row_of(gone), "EventDel", self.snapshot.dialect.deletion(self.id))
        stream = Stream(self.snapshot, self.source, self.life.actor, self.frames, self.rigid, self.id)
        self.plan.stream = stream.visit
        self.plan.streamed = range(row_of(self.frames.start), row_of(self.frames.stop - 1) + 1)

    def _refuse_of_the_map(self) -> None:
        name = name_of(self.life)
        if self.life.is_traffic or self.life.blueprint == "spectator":
            raise EditError(
                say(
                    "{name} cannot be copied: traffic lights, signs and the spectator belong to "
                    "the map, and the simulator creates none.",
                    name=name,
                )
            )
        self.uid = self.life.uid
        if self.source is not self.snapshot or not self.uid:
            self.uid = uid_of(self.snapshot, self.life.blueprint) or self.uid
        if not self.uid:
            raise EditError(
                say("{name} cannot be copied: its blueprint has no number (uid), so nothing would appear.", name=name)
            )

    def _add(self, frame: int, name: str, record: bytes) -> None:
        if name == "EventAdd":
            made = self._described(record)
        else:
            made = self._moved(name, record)
        self.plan.add(self.snapshot.table.row_of_frame(frame), name, made)

    def _moved(self, name: str, record: bytes) -> bytes:
        """A record with the id of the copy and its world coordinates moved."""
        kind = self.source.dialect.by_name(name)
        assert kind is not None
        made = self.rigid.records(kind, np.frombuffer(record, np.uint8).reshape(1, -1)).tobytes()
        at = kind.actor_offsets[0]
        return made[:at] + _u32(self.id) + made[at + 4 :]

    def _described(self, record: bytes) -> bytes:
        """An EventAdd with the id, uid and pose of the copy, without the hero role."""
        kind = self.source.dialect.event_add
        place = kind.record.six_numbers
        moved = record[: place.start] + self._placed(record[place]) + record[place.stop :]
        values = decode(kind, b"\x01\x00" + moved).record(0)
        attributes = []
        for each in values["attributes"]:
            attributes.append({**each, "value": FORMER_HERO} if each["id"] == ROLE and each["value"] == HERO else each)
        return encode_record(kind.record, {**values, "id": self.id, "uid": self.uid, "attributes": attributes})

    def _placed(self, pose: bytes) -> bytes:
        """The pose of an EventAdd, moved in the world, also if it is an offset from the parent."""
        parent = None
        if self.attached:
            parent = parent_pose(self.source, self.life, self.life.born)
        if parent is None:
            return self.rigid.pose(pose)
        with np.errstate(all="ignore"):
            stored = np.frombuffer(pose, "<f4" if len(pose) == 24 else "<f8").copy()
            offset = stored.astype(np.float64)
            made = apply_in_world(parent, offset, self.rigid.numbers)
            changed = made != offset
            stored[changed] = made[changed]
        return stored.tobytes()


def _rigid(source: Snapshot, life: Life, metres: Metres, degrees: float) -> RigidTransform:
    """A turn about the spawn point of a life, then a shift."""
    x, y = spawn_pose(source, life)[:2].tolist()
    return RigidTransform.of(metres, degrees, (x, y))


def _setting_records(source: Snapshot, life: Life) -> list[tuple[int, str, bytes]]:
    """Records that a life has in single frames: frame, packet name and bytes, in file order."""
    table = source.table
    return [
        (table.frame_of_row(each.row), name, each.record)
        for name, each in Actors.of(source).lasting_records_of(life)
        if int(table.row(each.row)["kind"]) != RAW
    ]


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "little")
