"""Trim, cut and split: some frames are removed, and the others replay as before.

The first frame after a gap is rebuilt (see `boundary_frame`): the difference between the world before the gap (empty at
the start of a recording) and the world before this frame is written as events and lasting records, merged with those of
the frame. Of all other frames only ids and times in the frame table change.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise

import numpy as np

from ..arrays import BoolArray, StructuredArray
from ..errors import EditError, NothingToDo
from ..format import MAX_RECORDS, Body, Dialect, PacketType, decode, packet_bytes, without_records
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
    Packet,
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
from .rows import insertion_index, packet_ids, rows_of

_LAST = -1.0


@dataclass(frozen=True, slots=True)
class RecordingSize:
    """The size of a recording.

    Attributes:
        frames: Number of frames.
        seconds: From the first to the last frame.
        actors: Number of lives.
        size: Bytes as saved.
    """

    frames: int
    seconds: float
    actors: int
    size: int


def outcome(recording: RecordingLike, edit: Edit | None = None) -> RecordingSize:
    """Return the size of a recording, or that after an edit."""
    snapshot = recording.snapshot
    if edit is not None:
        snapshot = snapshot.after(edit)
    elapsed = snapshot.elapsed
    seconds = 0.0
    if len(elapsed):
        seconds = float(elapsed[-1] - elapsed[0])
    return RecordingSize(frames=len(snapshot), seconds=seconds, actors=len(Actors.of(snapshot)), size=snapshot.size)


def trim(recording: RecordingLike, frames: range, *, rebase_clocks: bool = False, progress: Progress = SILENT) -> Edit:
    """Return the edit that keeps some frames alone, so that they replay as before.

    The first one creates all living actors in their state there, and holds the lasting packets of forks; elapsed begins
    at 0, frame ids at 1, the last duration is -1. What is lost with the frames before it is in `losses` of the edit.

    Args:
        recording: The recording, which is not changed.
        frames: Frame indices, without steps.
        rebase_clocks: Whether VisualTime and PlatformTime begin at 0 as well; else they stay.
        progress: Reports progress and cancels.

    Raises:
        EditError: The frames are not there, or a packet would hold too many records.
        NothingToDo: These are all frames.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    _refuse_range(snapshot, frames)
    if len(frames) == len(snapshot):
        raise NothingToDo(say("These are all frames; nothing would be removed."))
    table = snapshot.table
    first = table.row_of_frame(frames.start)
    stop = table.row_of_frame(frames.stop - 1) + 1
    kept = table.rows(first, stop)
    if frames.start:
        Actors.of(snapshot, progress)
        opening = rows_of(snapshot, boundary_frame(snapshot, frames.start, None), like=first)
        kept = np.concatenate([opening.rows(), kept[1:]])
    empty = FrameTable()
    splices = [
        Splice(stop, snapshot.rows - stop, empty),
        Splice(0, first, empty),
        Splice(0, stop - first, FrameTable.from_rows(numbered(kept))),
    ]
    edit = Edit(
        say("Trim to {frames}", frames=_frames_text(frames)),
        snapshot.version,
        _without_empty(splices),
        intent=_intent("trim", snapshot, frames, rebase_clocks),
        losses=losses_before(snapshot, [frames], progress),
    )
    earlier: dict[str, float] = {}
    if rebase_clocks:
        earlier = _clocks(snapshot, frames.start)
    return _with_clocks(snapshot, edit, range(len(frames)), earlier, progress)


def cut(recording: RecordingLike, frames: range, *, rebase_clocks: bool = False, progress: Progress = SILENT) -> Edit:
    """Return the edit that removes some frames and closes the gap.

    The frame after the gap gets the events of the removed frames and the lasting packets of forks. What is lost with
    them is in `losses` of the edit. Time continues from the first removed frame. If an id passes from one actor to
    another at the gap, the later one gets another id.

    Args:
        recording: The recording, which is not changed.
        frames: Frame indices, without steps.
        rebase_clocks: Whether VisualTime and PlatformTime continue, too; else they stay.
        progress: Reports progress and cancels.

    Raises:
        EditError: The frames are not there, or are all, or a packet would hold too many records.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    _refuse_range(snapshot, frames)
    if len(frames) == len(snapshot):
        raise EditError(say("These are all frames; nothing would be left."))
    intent = _intent("cut", snapshot, frames, rebase_clocks)
    label = say("Cut out {frames}", frames=_frames_text(frames))
    if not frames.start:
        rest = range(frames.stop, len(snapshot))
        trimmed = trim(snapshot, rest, rebase_clocks=rebase_clocks, progress=progress)
        return replace(trimmed, label=label, intent=intent)
    if frames.stop == len(snapshot):
        trimmed = trim(snapshot, range(frames.start), progress=progress)
        return replace(trimmed, label=label, intent=intent)
    splices = _splices_of_gap(snapshot, frames, progress)
    removed = range(snapshot.table.row_of_frame(frames.start), snapshot.table.row_of_frame(frames.stop))
    losses = lost_packets(Bodies.of(snapshot).undeclared(removed, progress))
    edit = Edit(label, snapshot.version, _without_empty(splices), intent=intent, losses=losses)
    gap: dict[str, float] = {}
    if rebase_clocks:
        starts = _clocks(snapshot, frames.start)
        for name, time in _clocks(snapshot, frames.stop).items():
            if name in starts:
                gap[name] = time - starts[name]
    return _with_clocks(snapshot, edit, range(frames.start, len(snapshot) - len(frames)), gap, progress)


def _splices_of_gap(snapshot: Snapshot, frames: range, progress: Progress) -> list[Splice]:
    """Return the splices that remove frames within a recording, rebuild the frame after them, and close the gap."""
    actors = Actors.of(snapshot, progress)
    before = actors.world_at(frames.start - 1)
    renamed = [actors.lives[index] for index in id_clashes(snapshot, frames.stop, before)]
    id_splices = with_unused_ids(snapshot, renamed, progress)
    present = snapshot.after(Edit("", snapshot.version, id_splices))
    first = present.table.row_of_frame(frames.start)
    behind = present.table.row_of_frame(frames.stop)
    opening = rows_of(present, boundary_frame(present, frames.stop, before), like=behind)
    later = np.concatenate([opening.rows(), present.table.rows(behind + 1)])
    elapsed = snapshot.elapsed
    with np.errstate(all="ignore"):  # times of a file may be not finite
        later["elapsed"] -= elapsed[frames.stop] - elapsed[frames.start]
    later["stored"] = 0
    earlier = present.table.rows(0, first)
    rows = numbered(np.concatenate([earlier, later]))
    splices = list(id_splices)
    splices.append(Splice(first, behind - first, FrameTable()))
    splices.append(Splice(first, present.rows - behind, FrameTable.from_rows(rows[first:])))
    if (rows[:first] != earlier).any():
        splices.append(Splice(0, first, FrameTable.from_rows(rows[:first])))
    return splices


def _intent(operation: str, snapshot: Snapshot, frames: range, rebase_clocks: bool) -> Intent:
    """Return the intent of a trim or a cut."""
    arguments: dict[str, object] = dict(until(snapshot, frames))
    arguments["rebase_clocks"] = rebase_clocks
    return Intent(operation, arguments)


def numbered(rows: StructuredArray, frame_id: int = 1, elapsed: float = 0.0) -> StructuredArray:
    """Return a copy of rows with frame ids and times in order, and a last duration of -1.

    Equal values keep their stored bytes.

    Args:
        rows: Of the frame table.
        frame_id: The first frame id.
        elapsed: The first time, s.
    """
    result = np.ascontiguousarray(rows).copy()
    frames = np.flatnonzero(result["kind"] != RAW)
    if len(frames):
        result["frame_id"][frames] = np.uint64(frame_id) + np.arange(len(frames), dtype=np.uint64)
        if result["elapsed"][frames[0]] != elapsed:
            with np.errstate(all="ignore"):  # times of a file may be not finite
                result["elapsed"][frames] += elapsed - result["elapsed"][frames[0]]
        result["duration"][frames[-1]] = _LAST
    for name in ("frame_id", "elapsed", "duration"):
        before = np.ascontiguousarray(rows[name]).view(np.uint64)
        result["stored"][result[name].view(np.uint64) != before] = 0
    return result


def _refuse_range(snapshot: Snapshot, frames: object) -> None:
    if not isinstance(frames, range):
        raise TypeError(say("Frames are a range, as in range(10, 20), not {value}.", value=repr(frames)[:60]))
    if frames.step != 1 or not 0 <= frames.start < frames.stop <= len(snapshot):
        raise EditError(
            say(
                "Frames {start} to {stop} are not there; the recording has {frames:,} frames.",
                start=frames.start + 1,
                stop=frames.stop,
                frames=len(snapshot),
            )
        )


def _frames_text(frames: range) -> str:
    """Return frames as a text in labels."""
    if len(frames) == 1:
        return say("frame {frame:,}", frame=frames.start + 1)
    return say("frames {first:,} to {last:,}", first=frames.start + 1, last=frames.stop)


def _without_empty(splices: Sequence[Splice]) -> tuple[Splice, ...]:
    return tuple(splice for splice in splices if splice.removed or len(splice.inserted))


# --- clocks ---------------------------------------------------------------------------------------------


def _clocks(snapshot: Snapshot, frame_index: int) -> dict[str, float]:
    """Return the clocks of a frame (seconds), by packet name; of several the last one."""
    packets: dict[str, Packet] = {}
    for packet in snapshot.frame(frame_index):
        if packet.type.clock is not None:
            packets[packet.name] = packet
    clocks: dict[str, float] = {}
    for name, packet in packets.items():
        if len(packet.decoded):
            clocks[name] = float(packet.array["time"][0])
    return clocks


def _with_clocks(
    snapshot: Snapshot, edit: Edit, frames: range, earlier: Mapping[str, float], progress: Progress
) -> Edit:
    """Return the edit, with `earlier` subtracted from the clocks of frames (indices after the edit)."""
    if not earlier:
        return edit
    after = snapshot.after(edit)
    kinds: list[tuple[PacketType, float]] = []
    for name, seconds in earlier.items():
        kind = snapshot.dialect.by_name(name)
        if kind is not None:
            kinds.append((kind, seconds))

    def visit(block: FrameBlock) -> BoolArray:
        touched = np.zeros(len(block), np.bool_)
        for kind, seconds in kinds:
            for records in islice(block.records(kind), 1):
                with np.errstate(all="ignore"):
                    records.values["time"] -= seconds
                touched |= bool(records.shape[1])
        return touched

    return replace(edit, splices=edit.splices + patch_blocks(after, frames, visit, progress))


# --- split ----------------------------------------------------------------------------------------------


def parts_of_seconds(recording: RecordingLike, seconds: float) -> list[range]:
    """Return parts (frame indices) that begin every so many seconds.

    Raises:
        EditError: There are no frames, the time is not above 0, or times fall or are too large.
    """
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
    """Return parts (frame indices) of so many frames; the last one may be shorter.

    Raises:
        EditError: There are no frames, or a part would have none.
    """
    _refuse_empty(recording.snapshot)
    if frames < 1:
        raise EditError(say("A part cannot have {frames} frames.", frames=frames))
    number = len(recording.snapshot)
    return _ranges(list(range(0, number, frames)), number)


def parts_of_bytes(recording: RecordingLike, size: int) -> Iterator[range]:
    """Yield the longest parts (frame indices) of at most `size` bytes as files.

    Raises:
        EditError: There are no frames, or the size is too small for one.
    """
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


def part_of(recording: RecordingLike, frames: range) -> Snapshot:
    """Return the state with some frames (indices) alone; raises `EditError` as `trim`."""
    snapshot = recording.snapshot
    if len(frames) == len(snapshot):
        return snapshot
    return snapshot.after(trim(snapshot, frames))


def losses_before(
    recording: RecordingLike, parts: Iterable[range], progress: Progress = SILENT
) -> tuple[LostPackets, ...]:
    """Return what parts lack when each is a recording of its own, each packet counted once.

    These are the packets before the first frame of a part with ids that are in no table: what they set may hold on in
    it. Those of declared ids are carried on or belong to their frame.

    Args:
        recording: The recording.
        parts: Frame indices.
        progress: Reports progress and cancels.

    Raises:
        Cancelled: The user cancelled.
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
    """Return ranges from each start to the next one; the last ends at `end`."""
    return [range(start, stop) for start, stop in pairwise([*starts, end])]


def _positions(snapshot: Snapshot) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the offset of each frame and of the end, without bytes outside of frames."""
    table = snapshot.table
    sizes = table.column("size")[table.column("kind") != RAW] + START_SIZE
    return np.concatenate(([0], np.cumsum(sizes)))


# --- the first frame after a gap ------------------------------------------------------------------------


class FrameDraft:
    """The packets of a frame, to be changed record by record.

    All other bytes stay; a missing packet is inserted in the recorder's order.

    Attributes:
        packets: Id and body of each packet.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._dialect: Dialect = frame.dialect
        self.packets: list[tuple[int, bytes]] = [(packet.id, packet.body) for packet in frame.packets]

    def to_bytes(self) -> bytes:
        """Return the bytes of the frame, with FrameStart."""
        data = b"".join(packet_bytes(packet_id, body) for packet_id, body in self.packets)
        last = self._frame.packets[-1]
        return data + self._frame.data[last.offset + 5 + last.size - self._frame.offset :]

    def records(self, name: str) -> list[bytes]:
        """Return the whole records of all packets of a name, in file order."""
        records: list[bytes] = []
        for _, body in self._bodies(name):
            for ordinal in range(len(body)):
                records.append(body.raw(ordinal))
        return records

    def drop(self, name: str, is_dropped: Callable[[bytes], bool]) -> None:
        """Remove records; an empty packet is removed if the recorder writes none.

        Args:
            name: Of the packet.
            is_dropped: Decides for each record, in file order.
        """
        emptied: tuple[int, bytes] | None = None
        for index, body in self._bodies(name):
            dropped: list[int] = []
            for ordinal in range(len(body)):
                if is_dropped(body.raw(ordinal)):
                    dropped.append(ordinal)
            if dropped:
                self.packets[index] = (body.type.id, without_records(body, dropped))
                emptied = None
                if body.type.presence == "filled":
                    emptied = (body.type.id, b"\0\0")
        self.packets[:] = [packet for packet in self.packets if packet != emptied]

    def put_first(self, name: str, records: Sequence[bytes]) -> None:
        """Insert records before those of the first packet of a name.

        Raises:
            EditError: The packet would hold too many.
        """
        kind = self._dialect.by_name(name)
        if not records or kind is None:
            return
        ids = packet_ids(self.packets)
        if kind.id in ids:
            index = ids.index(kind.id)
        else:
            index = insertion_index(self._dialect, ids, kind.id)
            self.packets.insert(index, (kind.id, b"\0\0"))
        _, body = self.packets[index]
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
        ids = packet_ids(self.packets)
        for packet_id, present in self.packets:
            if packet_id == number and not is_empty(present):
                return
        if number in ids:
            self.packets[ids.index(number)] = (number, body)
        else:
            self.packets.insert(insertion_index(self._dialect, ids, number), (number, body))

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
        kinds = [self._dialect.packet(packet_id) for packet_id, _ in self.packets]
        for kind in dict.fromkeys(kinds):
            if kind.body == "list" and kind.actor_offsets:
                self.drop(kind.name, partial(_names_any, actors, kind.actor_offsets))

    def _bodies(self, name: str) -> Iterator[tuple[int, Body]]:
        """Yield the index and the body of each packet of a name."""
        for index, (packet_id, body) in enumerate(self.packets):
            kind = self._dialect.packet(packet_id)
            if kind.name == name:
                yield index, decode(kind, body)


def boundary_frame(snapshot: Snapshot, frame_index: int, before: World | None) -> bytes:
    """Return the bytes of a frame that follows another state of the world.

    Records of actors that are no longer alive are removed, with their EventDel; other events of the frame stay.

    Args:
        snapshot: The recording.
        frame_index: Index of the frame.
        before: The world before it, without lives that have the id of another one there (see `id_clashes`); None: an
            empty one.

    Raises:
        EditError: A packet would hold too many records.
    """
    after = Actors.of(snapshot).world_at(frame_index, own_events=False)
    draft = FrameDraft(snapshot.frame(frame_index))
    previous: dict[int, ActorState] = {}
    if before is not None:
        previous = {state.life.index: state for state in before.actors}
    staying = {state.life.index for state in after.actors}
    ending: dict[int, None] = {}
    for index, state in previous.items():
        if index not in staying:
            ending[state.life.actor] = None
    _add_event_dels(snapshot, frame_index, draft, after, ending)
    _add_state(snapshot.dialect, draft, after, before, previous)
    births: list[bytes] = []
    for state in after.actors:
        if state.life.index not in previous:
            births.append(event_add_record(snapshot, state.life, state.spawn))
    draft.put_first("EventAdd", births)
    _add_bodies(snapshot, frame_index, draft, before)
    return draft.to_bytes()


def id_clashes(snapshot: Snapshot, frame_index: int, before: World) -> list[int]:
    """Return lives of a frame that need another id: another life of theirs ends there, and adds run before deletes.

    Args:
        snapshot: The recording.
        frame_index: Index of the frame.
        before: The world that it follows.

    Returns:
        Indices of the lives.
    """
    actors = Actors.of(snapshot)
    after = actors.world_at(frame_index, own_events=False)
    lives = [state.life for state in after.actors]
    staying = {life.index for life in lives}
    present = {state.life.index for state in before.actors}
    ending: set[int] = set()
    for state in before.actors:
        if state.life.index not in staying:
            ending.add(state.life.actor)
    for life in actors.alive(frame_index):
        if life.born == frame_index:
            lives.append(life)
    return [life.index for life in lives if life.index not in present and life.actor in ending]


def _add_event_dels(
    snapshot: Snapshot, frame_index: int, draft: FrameDraft, after: World, ending: dict[int, None]
) -> None:
    """Add the EventDel of actors that are no longer alive, and remove records of unknown ones."""
    alive_before: set[int] = set()
    if frame_index:
        alive_before = {life.actor for life in Actors.of(snapshot).alive(frame_index - 1)}
    own = {_number(record, 0) for record in draft.records("EventAdd")}
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
    attachments: list[bytes] = []
    for state in after.actors:
        if state.parent is not None and not _is_attached_already(state, previous):
            attachments.append(dialect.attachment(state.life.actor, state.parent.actor))
    draft.put_first("EventParent", attachments)
    for kind in dialect.kinds("lasting"):
        present = {kind.key_of(record) for record in draft.records(kind.name)}
        records = [
            record
            for record in _changed_records(kind, after, before, previous)
            if kind.key_of(record) not in present and kind.every_key(record) not in present
        ]
        draft.put_first(kind.name, records)


def _is_attached_already(state: ActorState, previous: Mapping[int, ActorState]) -> bool:
    """Return whether an attached actor was attached to the same parent before, which was there, too."""
    earlier = previous.get(state.life.index)
    if earlier is None or earlier.parent is None or state.parent is None:
        return False
    return earlier.parent.index == state.parent.index and state.parent.index in previous


def _changed_records(
    kind: PacketType, after: World, before: World | None, previous: Mapping[int, ActorState]
) -> list[bytes]:
    """Return the records of a lasting packet that differ from those before."""
    records: list[bytes] = []
    held: Mapping[bytes, bytes] = {}
    if before is not None:
        held = before.records(kind.name)
    for key, record in after.records(kind.name).items():
        if held.get(key) != record:
            records.append(record)
    for state in after.actors:
        earlier = previous.get(state.life.index)
        if earlier is None:
            records += state.records_of_new(kind.name)
        elif state.records(kind.name) != earlier.records(kind.name):
            records += state.records(kind.name)
    return records


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


def _names_any(actors: Collection[int], offsets: Sequence[int], record: bytes) -> bool:
    """Return whether a record holds one of the actor ids at one of the offsets."""
    return any(_number(record, offset) in actors for offset in offsets)


def _number(record: bytes, offset: int) -> int:
    """Return the u32 at an offset of a record."""
    return int.from_bytes(record[offset : offset + 4], "little")
