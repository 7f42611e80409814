"""Trim, cut and split: some frames are removed, and the others replay as before.

The first frame after a gap is rebuilt (see `boundary_frame`): the difference between the world before the gap (empty at
the start of a recording) and the world before this frame is written as events and lasting records, merged with those of
the frame. Of all other frames only ids and times in the frame table change.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np

from ..arrays import BoolArray, StructuredArray
from ..errors import EditError, NothingToDo
from ..format import MAX_RECORDS, Body, Dialect, decode, packet_bytes, without_records
from ..progress import SILENT, Progress
from ..reading import Actors
from ..reading.actor_state import ActorState, World
from ..reading.bodies import Bodies, is_empty
from ..recording import (
    RAW,
    START_SIZE,
    Edit,
    Frame,
    FrameBlock,
    FrameTable,
    Intent,
    LostPackets,
    RecordingLike,
    Snapshot,
    Splice,
)
from ..recording.history import lost_packets
from ..texts import say
from .actors.renumbering import with_unused_ids
from .attachments import event_add_record
from .block_rewrite import patch_blocks
from .intents import until
from .interpolation import does_not_fall
from .rows import insertion_index, rows_of

_LAST = -1.0


@dataclass(frozen=True, slots=True)
class RecordingSize:
    """The size of a recording.

    Attributes: `frames`, `seconds` (from the first to the last frame), `actors` (number of lives), `size` (bytes as
    saved).
    """

    frames: int
    seconds: float
    actors: int
    size: int


def outcome(recording: RecordingLike, edit: Edit | None = None) -> RecordingSize:
    """The size of a recording, or that after an edit."""
    if edit is None:
        snapshot = recording.snapshot
    else:
        snapshot = recording.snapshot.after(edit)
    elapsed = snapshot.elapsed
    if len(elapsed):
        seconds = float(elapsed[-1] - elapsed[0])
    else:
        seconds = 0.0
    return RecordingSize(len(snapshot), seconds, len(Actors.of(snapshot)), snapshot.size)


def trim(recording: RecordingLike, frames: range, *, rebase_clocks: bool = False, progress: Progress = SILENT) -> Edit:
    """The edit that keeps `frames` (indices from 0) alone, so that they replay as before.

    The first one creates all living actors in their state there, and holds the lasting packets of forks; elapsed begins
    at 0, frame ids at 1, the last duration is -1. VisualTime and PlatformTime stay, or begin at 0 as well
    (`rebase_clocks`). What is lost with the frames before it is in `losses` of the edit. Raises `EditError`,
    `Cancelled`.
    """
    snapshot = recording.snapshot
    _refuse_range(snapshot, frames)
    if len(frames) == len(snapshot):
        raise NothingToDo(say("These are all frames; nothing would be removed."))
    table = snapshot.table
    first, stop = table.row_of_frame(frames.start), table.row_of_frame(frames.stop - 1) + 1
    kept = table.rows(first, stop)
    if frames.start:
        Actors.of(snapshot, progress)
        made = rows_of(snapshot, boundary_frame(snapshot, frames.start, None), like=first)
        kept = np.concatenate([made.rows(), kept[1:]])
    nothing = FrameTable()
    splices = [
        Splice(stop, snapshot.rows - stop, nothing),
        Splice(0, first, nothing),
        Splice(0, stop - first, FrameTable.from_rows(numbered(kept))),
    ]
    intent = Intent("trim", {**until(snapshot, frames), "rebase_clocks": rebase_clocks})
    label = say("Trim to {frames}", frames=_named(frames))
    losses = losses_before(snapshot, [frames], progress)
    edit = Edit(label, snapshot.version, _without_empty(splices), intent=intent, losses=losses)
    if rebase_clocks:
        earlier = _clocks(snapshot, frames.start)
    else:
        earlier = {}
    return _with_clocks(snapshot, edit, range(len(frames)), earlier, progress)


def cut(recording: RecordingLike, frames: range, *, rebase_clocks: bool = False, progress: Progress = SILENT) -> Edit:
    """The edit that removes `frames` (indices from 0) and closes the gap.

    The frame after the gap gets the events of the removed frames and the lasting packets of forks. What is lost with
    them is in `losses` of the edit. Time continues from the first removed frame, the
    clocks too with `rebase_clocks`. If an id passes from one actor to another at the gap, the later one gets another
    id. Errors as `trim`.
    """
    snapshot = recording.snapshot
    _refuse_range(snapshot, frames)
    if len(frames) == len(snapshot):
        raise EditError(say("These are all frames; nothing would be left."))
    intent = Intent("cut", {**until(snapshot, frames), "rebase_clocks": rebase_clocks})
    label = say("Cut out {frames}", frames=_named(frames))
    if not frames.start or frames.stop == len(snapshot):
        if frames.start:
            rest = range(frames.start)
        else:
            rest = range(frames.stop, len(snapshot))
        trimmed = trim(snapshot, rest, rebase_clocks=rebase_clocks and not frames.start, progress=progress)
        return replace(trimmed, label=label, intent=intent)
    actors = Actors.of(snapshot, progress)
    before = actors.world_at(frames.start - 1)
    late = []
    for index in id_clashes(snapshot, frames.stop, before):
        late.append(actors.lives[index])
    freed = with_unused_ids(snapshot, late, progress)
    present = snapshot.after(Edit("", snapshot.version, freed))
    first, behind = (present.table.row_of_frame(index) for index in (frames.start, frames.stop))
    made = rows_of(present, boundary_frame(present, frames.stop, before), like=behind)
    later = np.concatenate([made.rows(), present.table.rows(behind + 1)])
    elapsed = snapshot.elapsed
    with np.errstate(all="ignore"):  # times of a file may be not finite
        later["elapsed"] -= elapsed[frames.stop] - elapsed[frames.start]
    later["stored"] = 0
    rows = numbered(np.concatenate([present.table.rows(0, first), later]))
    splices = [
        *freed,
        Splice(first, behind - first, FrameTable()),
        Splice(first, present.rows - behind, FrameTable.from_rows(rows[first:])),
    ]
    if (rows[:first] != present.table.rows(0, first)).any():
        splices.append(Splice(0, first, FrameTable.from_rows(rows[:first])))
    removed = range(snapshot.table.row_of_frame(frames.start), snapshot.table.row_of_frame(frames.stop))
    losses = lost_packets(Bodies.of(snapshot).undeclared(removed, progress))
    edit = Edit(label, snapshot.version, _without_empty(splices), intent=intent, losses=losses)
    gone: dict[str, float] = {}
    if rebase_clocks:
        from_there = _clocks(snapshot, frames.stop)
        to_there = _clocks(snapshot, frames.start)
        gone = {}
        for name, time in from_there.items():
            if name in to_there:
                gone[name] = time - to_there[name]
    return _with_clocks(snapshot, edit, range(frames.start, len(snapshot) - len(frames)), gone, progress)


def numbered(rows: StructuredArray, frame_id: int = 1, elapsed: float = 0.0) -> StructuredArray:
    """A copy of rows with frame ids from `frame_id` and times from `elapsed` on, and a last duration of -1.

    Equal values keep their stored bytes.
    """
    made = np.ascontiguousarray(rows).copy()
    (frames,) = np.nonzero(made["kind"] != RAW)
    if len(frames):
        made["frame_id"][frames] = np.uint64(frame_id) + np.arange(len(frames), dtype=np.uint64)
        if made["elapsed"][frames[0]] != elapsed:
            with np.errstate(all="ignore"):  # times of a file may be not finite
                made["elapsed"][frames] += elapsed - made["elapsed"][frames[0]]
        made["duration"][frames[-1]] = _LAST
    for name in ("frame_id", "elapsed", "duration"):
        made["stored"][made[name].view(np.uint64) != np.ascontiguousarray(rows[name]).view(np.uint64)] = 0
    return made


def _refuse_range(snapshot: Snapshot, frames: range) -> None:
    if frames.step != 1 or not 0 <= frames.start < frames.stop <= len(snapshot):
        raise EditError(
            say(
                "Frames {start} to {stop} are not there; the recording has {frames:,} frames.",
                start=frames.start + 1,
                stop=frames.stop,
                frames=len(snapshot),
            )
        )


def _named(frames: range) -> str:
    if len(frames) == 1:
        return say("frame {frame:,}", frame=frames.start + 1)
    return say("frames {first:,} to {last:,}", first=frames.start + 1, last=frames.stop)


def _without_empty(splices: Sequence[Splice]) -> tuple[Splice, ...]:
    return tuple(splice for splice in splices if splice.removed or len(splice.inserted))


# --- clocks ---------------------------------------------------------------------------------------------


def _clocks(snapshot: Snapshot, frame_index: int) -> dict[str, float]:
    """The clocks of a frame (seconds), by packet name."""
    packets = {}
    for packet in snapshot.frame(frame_index):
        if packet.type.clock is not None:
            packets[packet.name] = packet
    return {name: float(packet.array["time"][0]) for name, packet in packets.items() if len(packet.decoded)}


def _with_clocks(
    snapshot: Snapshot, edit: Edit, frames: range, earlier: Mapping[str, float], progress: Progress
) -> Edit:
    """The edit, with `earlier` subtracted from the clocks of these frames (indices after the edit)."""
    if not earlier:
        return edit
    after = snapshot.after(edit)
    kinds = [(kind, seconds) for name, seconds in earlier.items() if (kind := snapshot.dialect.by_name(name))]

    def visit(block: FrameBlock) -> BoolArray:
        touched = np.zeros(len(block), np.bool_)
        for kind, seconds in kinds:
            for records in islice(block.records(kind), 1):
                with np.errstate(all="ignore"):
                    records.values["time"] -= seconds
                touched |= bool(records.shape[1])
        return touched

    return replace(edit, splices=(*edit.splices, *patch_blocks(after, frames, visit, progress)))


# --- split ----------------------------------------------------------------------------------------------


def parts_of_seconds(recording: RecordingLike, seconds: float) -> list[range]:
    """Parts (frame indices) that begin every so many seconds. Raises `EditError`."""
    snapshot = recording.snapshot
    _refuse_empty(snapshot)
    if not (math.isfinite(seconds) and seconds > 0):
        raise EditError(say("A part cannot last {seconds:g} s; the time is a number above 0.", seconds=seconds))
    elapsed = snapshot.elapsed
    if not does_not_fall(elapsed):
        raise EditError(say("Time does not rise in this recording; split it by frames instead."))
    # A tolerance of a microsecond: elapsed is a sum of floats.
    with np.errstate(over="ignore"):
        numbers = np.floor((elapsed - elapsed[:1] + 1e-6) / seconds)
    if not np.isfinite(numbers).all():
        raise EditError(
            say(
                "The recording is too long to be split every {seconds:g} s; split it by frames instead.",
                seconds=seconds,
            )
        )
    return _ranges(np.flatnonzero(np.diff(numbers, prepend=-1.0)).tolist(), len(elapsed))


def parts_of_frames(recording: RecordingLike, frames: int) -> list[range]:
    """Parts of `frames` frames; the last one may be shorter. Raises `EditError`."""
    _refuse_empty(recording.snapshot)
    if frames < 1:
        raise EditError(say("A part cannot have {frames} frames.", frames=frames))
    number = len(recording.snapshot)
    return _ranges(list(range(0, number, frames)), number)


def parts_of_bytes(recording: RecordingLike, size: int) -> Iterator[range]:
    """The longest parts of at most `size` bytes as files. Raises `EditError` if that is too small for a frame."""
    snapshot = recording.snapshot
    _refuse_empty(snapshot)
    positions = _positions(snapshot)
    first = 0
    while first < len(snapshot):
        # Bytes before the second frame: the header, and the first frame with the state of the world.
        if first:
            opening = len(boundary_frame(snapshot, first, None))
        else:
            opening = int(positions[1] - positions[0])
        limit = size - len(snapshot.header_bytes) - opening + int(positions[first + 1])
        stop = int(np.searchsorted(positions, limit, side="right")) - 1
        if stop <= first:
            least = len(snapshot.header_bytes) + opening
            raise EditError(
                say(
                    "Frame {first} alone, with all living actors, takes {least:,} bytes; parts of "
                    "{size:,} bytes are too small.",
                    first=first + 1,
                    least=least,
                    size=size,
                ),
                frame=first + 1,
            )
        yield range(first, stop)
        first = stop


def part(recording: RecordingLike, frames: range) -> Snapshot:
    """The state with these frames alone. Raises `EditError`."""
    snapshot = recording.snapshot
    if len(frames) == len(snapshot):
        return snapshot
    return snapshot.after(trim(snapshot, frames))


def losses_before(
    recording: RecordingLike, parts: Iterable[range], progress: Progress = SILENT
) -> tuple[LostPackets, ...]:
    """What parts (frame indices) lack when each is a recording of its own, each packet counted once.

    These are the packets before the first frame of a part whose ids are in no table: what they set may hold on in it.
    Those of declared ids are carried on or belong to their frame. Raises `Cancelled`.
    """
    snapshot = recording.snapshot
    first = max((frames.start for frames in parts), default=0)
    if not first:
        return ()
    rows = range(snapshot.table.row_of_frame(first))
    return lost_packets(Bodies.of(snapshot).undeclared(rows, progress))


def _refuse_empty(snapshot: Snapshot) -> None:
    if not len(snapshot):
        raise EditError(say("The recording has no frames; there is nothing to split."))


def _ranges(starts: list[int], end: int) -> list[range]:
    return [range(start, stop) for start, stop in zip(starts, [*starts[1:], end], strict=True)]


def _positions(snapshot: Snapshot) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The offset of each frame and of the end, without bytes outside of frames."""
    table = snapshot.table
    sizes = table.column("size")[table.column("kind") != RAW] + START_SIZE
    return np.concatenate(([0], np.cumsum(sizes)))


# --- the first frame after a gap ------------------------------------------------------------------------


class FrameDraft:
    """The packets of a frame, to be changed record by record.

    All other bytes stay; a missing packet is inserted in the recorder's order.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._dialect: Dialect = frame.dialect
        self.packets: list[tuple[int, bytes]] = [(packet.id, packet.body) for packet in frame.packets]

    def to_bytes(self) -> bytes:
        """The bytes of the frame, with FrameStart."""
        data = b"".join(packet_bytes(number, body) for number, body in self.packets)
        last = self._frame.packets[-1]
        return data + self._frame.data[last.offset + 5 + last.size - self._frame.offset :]

    def records(self, name: str) -> list[bytes]:
        """The whole records of all packets of a name, in file order."""
        return [body.raw(record) for _, body in self._bodies(name) for record in range(len(body))]

    def drop(self, name: str, is_dropped: Callable[[bytes], bool]) -> None:
        """Remove records, asked for in file order; an empty packet is removed if the recorder writes none."""
        emptied: tuple[int, bytes] | None = None
        for index, body in self._bodies(name):
            gone = []
            for record in range(len(body)):
                if is_dropped(body.raw(record)):
                    gone.append(record)
            if gone:
                self.packets[index] = (body.type.id, without_records(body, gone))
                emptied = None
                if body.type.presence == "filled":
                    emptied = (body.type.id, b"\0\0")
        self.packets[:] = [each for each in self.packets if each != emptied]

    def put_first(self, name: str, records: Sequence[bytes]) -> None:
        """Insert records before those of the first packet of a name. Raises `EditError` for too many."""
        kind = self._dialect.by_name(name)
        if not records or kind is None:
            return
        numbers = [number for number, _ in self.packets]
        if kind.id not in numbers:
            at = insertion_index(self._dialect, numbers, kind.id)
            self.packets.insert(at, (kind.id, b"\0\0"))
            numbers.insert(at, kind.id)
        index = numbers.index(kind.id)
        body = self.packets[index][1]
        count = int.from_bytes(body[:2], "little") + len(records)
        if count > MAX_RECORDS:
            raise EditError(
                say(
                    "{name} of frame {frame} would hold {count:,} records; its count ends at {most:,}.",
                    name=name,
                    frame=self._frame.index + 1,
                    count=count,
                    most=MAX_RECORDS,
                ),
                frame=self._frame.index + 1,
            )
        self.packets[index] = (kind.id, count.to_bytes(2, "little") + b"".join(records) + body[2:])

    def put_body(self, number: int, body: bytes) -> None:
        """Insert a packet that is not decoded, or fill an empty one, unless there is one that is not empty."""
        numbers = [each for each, _ in self.packets]
        present = []
        for index, each in enumerate(numbers):
            if each == number:
                present.append(index)
        if any(not is_empty(self.packets[index][1]) for index in present):
            return
        if present:
            self.packets[present[0]] = (number, body)
        else:
            self.packets.insert(insertion_index(self._dialect, numbers, number), (number, body))

    def drop_bodies(self, bodies: Mapping[int, bytes]) -> None:
        """Remove the first packets of these ids that repeat their body, so that it stays in force."""
        held = dict(bodies)
        kept: list[tuple[int, bytes]] = []
        for number, body in self.packets:
            if held.get(number) == body:
                continue
            if not is_empty(body):
                held.pop(number, None)
            kept.append((number, body))
        self.packets[:] = kept

    def drop_naming(self, actors: Collection[int]) -> None:
        """Remove the records that hold one of these actor ids."""
        for kind in dict.fromkeys(self._dialect.packet(number) for number, _ in self.packets):
            if kind.body == "list" and kind.actor_offsets:
                self.drop(kind.name, partial(_names_one, actors, kind.actor_offsets))

    def _bodies(self, name: str) -> Iterator[tuple[int, Body]]:
        """The index and the body of each packet of a name."""
        for index, (number, body) in enumerate(self.packets):
            kind = self._dialect.packet(number)
            if kind.name == name:
                yield index, decode(kind, body)


def boundary_frame(snapshot: Snapshot, frame_index: int, before: World | None) -> bytes:
    """The bytes of a frame that follows the world `before` (None: an empty one).

    Records of actors that are no longer alive are removed, with their EventDel; other events of the frame stay. No life
    may have the id of another one in `before` (see `id_clashes`). Raises `EditError` if a packet would hold too many
    records.
    """
    after = Actors.of(snapshot).world_at(frame_index, own_events=False)
    frame = snapshot.frame(frame_index)
    draft = FrameDraft(frame)
    if before is not None:
        previous = {state.life.index: state for state in before.actors}
    else:
        previous = {}
    staying = {state.life.index for state in after.actors}
    ending = {state.life.actor: None for state in previous.values() if state.life.index not in staying}
    _add_event_dels(snapshot, frame_index, draft, after, ending)
    _add_state(snapshot.dialect, draft, after, before, previous)
    draft.put_first(
        "EventAdd",
        [event_add_record(snapshot, each.life, each.spawn) for each in after.actors if each.life.index not in previous],
    )
    _add_bodies(snapshot, frame_index, draft, before)
    return draft.to_bytes()


def id_clashes(snapshot: Snapshot, frame_index: int, before: World) -> list[int]:
    """Indices of lives that need another id: another life of theirs ends in this frame, and adds run before deletes."""
    actors = Actors.of(snapshot)
    after = actors.world_at(frame_index, own_events=False)
    coming = {state.life.index for state in after.actors}
    ending = set()
    for each in before.actors:
        if each.life.index not in coming:
            ending.add(each.life.actor)
    known = {each.life.index for each in before.actors}
    born = []
    for life in actors.alive(frame_index):
        if life.born == frame_index:
            born.append(life)
    return [
        life.index
        for life in (*(each.life for each in after.actors), *born)
        if life.index not in known and life.actor in ending
    ]


def _add_event_dels(
    snapshot: Snapshot, frame_index: int, draft: FrameDraft, after: World, ending: dict[int, None]
) -> None:
    """Add the EventDel of actors that are no longer alive, and remove records of unknown ones."""
    actors = Actors.of(snapshot)
    if frame_index:
        alive_before = {life.actor for life in actors.alive(frame_index - 1)}
    else:
        alive_before = set()
    own = {int.from_bytes(record[:4], "little") for record in draft.records("EventAdd")}
    missing = dict(ending)
    unknown: set[int] = set()

    def is_unknown(record: bytes) -> bool:
        actor = _number(record, 0)
        if actor in missing:
            del missing[actor]
        elif actor in alive_before and actor not in own:
            unknown.add(actor)
            return True
        return False

    draft.drop("EventDel", is_unknown)
    draft.put_first("EventDel", [snapshot.dialect.deletion(actor) for actor in missing])
    unknown -= {state.life.actor for state in after.actors}
    if unknown:
        draft.drop_naming(unknown)


def _add_state(
    dialect: Dialect, draft: FrameDraft, after: World, before: World | None, previous: Mapping[int, ActorState]
) -> None:
    """Add attachments and lasting records that differ from those before, unless the frame has them itself."""
    attached = {}
    for index, state in previous.items():
        if state.parent is not None:
            attached[index] = state.parent.index
    draft.put_first(
        "EventParent",
        [
            dialect.attachment(each.life.actor, each.parent.actor)
            for each in after.actors
            if each.parent is not None
            and (attached.get(each.life.index) != each.parent.index or each.parent.index not in previous)
        ],
    )
    for kind in dialect.kinds("lasting"):
        present = set()
        for record in draft.records(kind.name):
            present.add(kind.key_of(record))
        if before is not None:
            held = before.records(kind.name)
        else:
            held = {}
        records = []
        for key, record in after.records(kind.name).items():
            if held.get(key) != record:
                records.append(record)
        for each in after.actors:
            earlier = previous.get(each.life.index)
            if earlier is None:
                records += each.records_of_new(kind.name)
            elif each.records(kind.name) != earlier.records(kind.name):
                records += each.records(kind.name)
        draft.put_first(
            kind.name,
            [each for each in records if kind.key_of(each) not in present and kind.every_key(each) not in present],
        )


def _add_bodies(snapshot: Snapshot, frame_index: int, draft: FrameDraft, before: World | None) -> None:
    """Add lasting packets that are not decoded and differ from those before, unless the frame has them itself."""
    bodies = Bodies.of(snapshot)
    table = snapshot.table
    held: Mapping[int, bytes] = {}
    if before is not None:
        held = bodies.at(table.row_of_frame(before.frame_index + 1))
    for number, body in bodies.at(table.row_of_frame(frame_index)).items():
        if held.get(number) != body:
            draft.put_body(number, body)


def _names_one(actors: Collection[int], offsets: Sequence[int], record: bytes) -> bool:
    return any(_number(record, at) in actors for at in offsets)


def _number(record: bytes, at: int) -> int:
    return int.from_bytes(record[at : at + 4], "little")
