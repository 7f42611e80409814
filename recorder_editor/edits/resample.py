"""Resampling to frames of a fixed step.

A new frame holds what the replayer finds at its time: positions interpolated as the simulator does (format reference
6.3), also velocities and clocks; everything else is that of the frame at or before it. Events are moved to the first
new frame at or after them (`event_schedule`).
"""

import math
from itertools import chain

import numpy as np

from ..arrays import BoolArray, ByteArray, FloatArray, IntArray, StructuredArray
from ..errors import EditError, NothingToDo
from ..format import PACKET_HEADER, PacketType, decode
from ..progress import SILENT, Progress
from ..recording import (
    FRAME,
    FRAME_START_HEADER,
    START_SIZE,
    Bytes,
    Edit,
    FrameBlock,
    FrameTable,
    Intent,
    RecordingLike,
    Snapshot,
    Splice,
)
from ..recording.blocks import BLOCK, RecordArray, as_bytes, blocks, counts_of
from ..recording.frames import ROW
from ..texts import N_, say
from .event_schedule import EventSchedule, has_no_events
from .interpolation import interpolate, interpolate_records, is_rising, locate, tolerance
from .rows import insertion_index

MAX_FRAMES = 2_000_000
_DENSEST = 100  # largest number of new frames for each recorded one
_FEW_FRAMES = 10_000
_COUNTABLE = 1e15
_CLOCK = np.dtype("<f8")


def resample(recording: RecordingLike, step: float, *, progress: Progress = SILENT) -> Edit:
    """The edit that gives the recording a frame every `step` seconds, from its first frame on, ids from 1.

    The last one is at the recorded end or before it; if there are events after that, a further frame holds them.
    Events of several frames are merged; an EventAdd is never in the frame of the EventDel of its id, nor the other way
    round: the later one is moved by a frame, or removed after the last frame. Records that name a life are moved into a
    frame in which it is alive. Packets of other writers are copied once each. Raises `EditError` as `steps_in`, for
    damaged stretches, and if the disk has not enough space; `Cancelled`.
    """
    snapshot = recording.snapshot
    count = steps_in(snapshot, step) + 1
    times = snapshot.elapsed
    new = times[0] + np.arange(count + 1) * step
    found, share = locate(times, new)
    if found[count - 1] == len(times) - 1:
        most = count
    else:
        most = count + 1
    schedule = EventSchedule(snapshot, np.searchsorted(found, np.arange(len(times))), most, progress)
    count = max(count, schedule.frames)
    new, found, share = new[:count], found[:count], share[:count]
    _refuse_without_room(snapshot, count, int(np.count_nonzero(share)))
    made = _FrameBuilder(snapshot, schedule, found, share).rows(progress)
    made["elapsed"], made["duration"] = new, step
    made["duration"][-1] = -1.0
    made["duration"][:-1] = np.diff(new)
    made["frame_id"] = np.arange(1, len(new) + 1)
    if _are_the_same(made, snapshot.table.rows()):
        raise NothingToDo(say("The recording has a frame every {step:g} s already.", step=step))
    made["key"] = snapshot.keys.take(len(new))
    splice = Splice(0, len(snapshot.table), FrameTable.from_rows(made))
    is_last = abs(new[-1] - times[-1]) <= tolerance(times, new[-1:])[0]
    if is_last:
        template = N_("Resample to a frame every {step:g} s")
    else:
        template = N_("Resample to a frame every {step:g} s, the last at {last:.3f} s (recorded: {recorded:.3f} s)")
    label = say(template, step=step, last=float(new[-1]), recorded=float(times[-1]))
    return Edit(label, snapshot.version, (splice,), intent=Intent("resample", {"step": step}))


def steps_in(snapshot: Snapshot, step: float) -> int:
    """The number of whole steps from the first frame to the last.

    Raises `EditError` for an invalid step or one longer than the recording, if times do not rise, and for more than 100
    times the recorded frames (10,000 are always allowed, `MAX_FRAMES` never exceeded).
    """
    if not (math.isfinite(step) and step > 0):
        raise EditError(say("A step is a number of seconds above 0."))
    times = _times(snapshot)
    span = float(times[-1] - times[0])
    reach = span + min(float(tolerance(times, times[-1:])[0]), step / 4)
    if step > reach and len(times) > 1:
        raise EditError(
            say("A step of {step:g} s is longer than the recording, which lasts {span:g} s.", step=step, span=span)
        )
    most = min(MAX_FRAMES, max(_FEW_FRAMES, _DENSEST * len(times)))
    number = reach / step
    if number >= most:
        if number >= _COUNTABLE:
            raise EditError(
                say(
                    "A step of {step:g} s would make countless frames of the {times:,} recorded; "
                    "{most:,} are the most. Take a longer step.",
                    step=step,
                    times=len(times),
                    most=most,
                )
            )
        made = math.floor(number)
        raise EditError(
            say(
                "A step of {step:g} s would make {made:,} frames, about {size:,} bytes, of the "
                "{times:,} recorded; {most:,} are the most. Take a longer step.",
                step=step,
                made=made + 1,
                size=made * snapshot.size // len(times),
                times=len(times),
                most=most,
            )
        )
    return math.floor(number)


def _times(snapshot: Snapshot) -> FloatArray:
    if not len(snapshot):
        raise EditError(say("The recording has no frames."))
    if snapshot.table.frames != len(snapshot.table):
        raise EditError(say("There is damage between the frames; `repair` the recording first."))
    times = snapshot.elapsed
    if not is_rising(times):
        raise EditError(say("Time does not rise in this recording; put its times in order first."))
    return times


def _refuse_without_room(snapshot: Snapshot, count: int, written: int) -> None:
    """Raises `EditError` if the disk has not enough space for the new frames."""
    size = written * snapshot.size // len(snapshot)
    room = snapshot.store.room
    if room is not None and size > room:
        raise EditError(
            say(
                "{count:,} frames would be made, about {size:,} bytes, and {room:,} bytes are "
                "free for unsaved edits. Take a longer step.",
                count=count,
                size=size,
                room=room,
            )
        )


def _are_the_same(made: StructuredArray, rows: StructuredArray) -> bool:
    names = ("source", "offset", "size", "frame_id", "elapsed", "duration")
    return len(made) == len(rows) and all(made[name].tobytes() == rows[name].tobytes() for name in names)


class _FrameBuilder:
    """Makes the new frames, block by block of the old ones."""

    def __init__(self, snapshot: Snapshot, schedule: EventSchedule, found: IntArray, share: FloatArray) -> None:
        self._snapshot = snapshot
        self._schedule = schedule
        self._found = found
        self._share = share
        self._made = np.zeros(len(found), ROW)
        self._made["kind"] = FRAME
        self._special = schedule.has_events(len(found))

    def rows(self, progress: Progress) -> StructuredArray:
        """The rows of all new frames, without times, ids and keys."""
        earlier: FrameBlock | None = None
        total = self._snapshot.rows
        for block in blocks(self._snapshot, 0, total):
            progress.check()
            # Frames after the last one of a block need the first one of the next.
            if earlier is not None:
                self._put(earlier, -1, block, progress)
            self._put(block, 0, block, progress)
            earlier = block
            progress.update(block.first + len(block), total)
        assert earlier is not None
        self._put(earlier, -1, None, progress)
        return self._made

    def _put(self, block: FrameBlock, first: int, following: FrameBlock | None, progress: Progress) -> None:
        """Make the new frames between the frames of a block (`first` 0), or at and after its last one (-1)."""
        last = block.first + len(block) - 1
        begin, end = np.searchsorted(self._found, (last, last + 1) if first else (block.first, last)).tolist()
        chosen = np.arange(begin, end)
        if not len(chosen):
            return
        plain = self._is_plain(block, chosen)
        hits = self._equal_old(block, chosen, plain)
        self._copy(block, chosen[hits])
        together = plain & ~hits & (following is block)
        rest = chosen[together]
        portion = max(1, BLOCK // block.data.shape[1])
        for at in range(0, len(rest), portion):
            progress.check()
            self._interpolate(block, rest[at : at + portion])
        for count, number in enumerate(chosen[~together & ~hits].tolist()):
            if count % 256 == 0:
                progress.check()
            self._put_one(number, block, following)

    def _is_plain(self, block: FrameBlock, chosen: IntArray) -> BoolArray:
        """bool[n]: new frames without events, of old frames without events."""
        if not has_no_events(block.layout, self._snapshot.dialect):
            return np.zeros(len(chosen), np.bool_)
        return np.asarray((block.rows["kind"][self._found[chosen] - block.first] == FRAME) & ~self._special[chosen])

    def _equal_old(self, block: FrameBlock, chosen: IntArray, plain: BoolArray) -> BoolArray:
        """bool[n]: new frames that equal an old one, apart from times."""
        hits: BoolArray = (self._share[chosen] == 0.0) & (
            block.rows["kind"][self._found[chosen] - block.first] == FRAME
        )
        for at in np.flatnonzero(hits & ~plain).tolist():
            hits[at] = self._schedule.is_unchanged(int(chosen[at]), int(self._found[chosen[at]]))
        return hits

    # --- many at once -----------------------------------------------------------------------------------

    def _copy(self, block: FrameBlock, chosen: IntArray) -> None:
        """Reuse the bytes of old frames."""
        rows = block.rows[self._found[chosen] - block.first]
        for name in ("source", "offset", "size", "layout"):
            self._made[name][chosen] = rows[name]

    def _interpolate(self, block: FrameBlock, chosen: IntArray) -> None:
        """Frames without events, between frames of one layout."""
        before = self._found[chosen] - block.first
        share = self._share[chosen]
        data = block.data[before]
        odd = np.zeros(len(chosen), np.bool_)
        for number, offset, size in block.layout.packets():
            kind = self._snapshot.dialect.packet(number)
            at = START_SIZE + offset + 5
            body = data[:, at : at + size]
            following = block.data[before + 1, at : at + size]
            if kind.clock is not None and size == kind.record.size:
                place = slice(kind.clock, kind.clock + _CLOCK.itemsize)
                one, two = (np.ascontiguousarray(each[:, place]).view(_CLOCK) for each in (body, following))
                body[:, place] = as_bytes(interpolate(one, two, share[:, None]))
            elif kind.is_continuous and size >= 2:
                odd |= self._records(kind, body, following, share, before + 1 + block.first)
        self._write(block, chosen[~odd], data[~odd])
        for number in chosen[odd].tolist():
            self._put_one(number, block, block)

    def _records(
        self, kind: PacketType, body: Bytes, following: Bytes, share: FloatArray, next_frames: IntArray
    ) -> BoolArray:
        """Interpolate records in place; returns bool[n]: frames whose records do not match one to one."""
        mine = RecordArray(kind, body)
        other = RecordArray(kind, following)
        _, whole, size = mine.bytes.shape
        odd: BoolArray = (counts_of(body) * size + 2 != body.shape[1]) | (body[:, :2] != following[:, :2]).any(axis=1)
        odd |= np.isin(next_frames, self._schedule.id_reuses)
        if not whole or odd.all():
            return odd
        ids = mine.bytes[:, :, :4]
        odd |= (ids != other.bytes[:, :, :4]).any(axis=(1, 2)) | _repeats(ids)
        mine.bytes[:] = interpolate_records(kind, mine.bytes, other.bytes, share[:, None])
        return odd

    def _write(self, block: FrameBlock, chosen: IntArray, data: Bytes) -> None:
        if not len(chosen):
            return
        source, offset = self._snapshot.store.append(np.ascontiguousarray(data).reshape(-1).data)
        self._made["source"][chosen] = source
        self._made["offset"][chosen] = offset + START_SIZE + np.arange(len(chosen)) * data.shape[1]
        self._made["size"][chosen] = data.shape[1] - START_SIZE
        self._made["layout"][chosen] = int(block.rows["layout"][0])

    # --- one by one -------------------------------------------------------------------------------------

    def _put_one(self, number: int, block: FrameBlock, following: FrameBlock | None) -> None:
        """Make one new frame, from an old one and the frame after it."""
        frame = int(self._found[number])
        share = float(self._share[number])
        packets = self._packets(block, frame)
        if following is not None and share:
            others = self._packets(following, frame + 1)
        else:
            others = []
        scheduled = self._schedule.bodies_of(number)
        dialect = self._snapshot.dialect
        made: list[tuple[int, bytes]] = []
        for index, (kind_id, body) in enumerate(packets):
            kind = dialect.packet(kind_id)
            if kind.is_recorded_once:
                if kind_id in scheduled:
                    made += [(kind_id, each) for each in scheduled.pop(kind_id)]
                elif (kind.presence == "always" or body == b"\x00\x00") and all(kind_id != other for other, _ in made):
                    made.append((kind_id, b"\x00\x00"))
                continue
            after = _same_packet(packets, index, others)
            if share and after is not None:
                body = self._between_two(kind, body, after, share, frame)
            made.append((kind_id, self._schedule.without_delayed(kind, body, number)))
        for kind_id, bodies in scheduled.items():
            at = insertion_index(dialect, [other for other, _ in made], kind_id)
            made[at:at] = [(kind_id, each) for each in bodies]
        self._write_one(number, made)

    def _between_two(self, kind: PacketType, body: bytes, after: bytes, share: float, frame: int) -> bytes:
        """A body interpolated with that of the next frame; records without a counterpart stay."""
        if kind.clock is not None and len(body) == len(after) == kind.record.size:
            earlier, later = (np.frombuffer(each, _CLOCK, 1, kind.clock) for each in (body, after))
            time = interpolate(earlier, later, np.array([share])).tobytes()
            return body[: kind.clock] + time + body[kind.clock + len(time) :]
        if not kind.is_continuous:
            return body
        mine = decode(kind, body)
        other = decode(kind, after)
        if mine.damage is not None or other.damage is not None:
            message = say(
                "{name} of frame {frame} is damaged; `repair` the recording first.", name=kind.name, frame=frame + 1
            )
            raise EditError(message, frame=frame + 1)
        if not len(mine) or not len(other):
            return body
        records = mine.array.copy()
        order = np.argsort(other.array["id"], kind="stable")
        ids = other.array["id"][order]
        at = np.maximum(ids.searchsorted(records["id"], side="right") - 1, 0)
        same = (ids[at] == records["id"]) & ~self._schedule.is_reused(records["id"], frame + 1)
        one, two = (
            each.view(np.uint8).reshape(-1, each.dtype.itemsize)
            for each in (records, np.ascontiguousarray(other.array[order[at]]))
        )
        one[same] = interpolate_records(kind, one[same], two[same], np.full(1, share))
        return body[:2] + one.tobytes()

    def _write_one(self, number: int, packets: list[tuple[int, bytes]]) -> None:
        packets = [*packets, (1, b"")]
        headers = []
        for kind, body in packets:
            headers.append(PACKET_HEADER.pack(kind, len(body)))
        bodies = (body for _, body in packets)
        data = b"".join((FRAME_START_HEADER, bytes(24), *chain.from_iterable(zip(headers, bodies, strict=True))))
        source, offset = self._snapshot.store.append(data)
        row = self._made[number]
        row["source"], row["offset"], row["size"] = source, offset + START_SIZE, len(data) - START_SIZE
        row["layout"] = self._snapshot.layouts.add(b"".join(headers))

    def _packets(self, block: FrameBlock, frame: int) -> list[tuple[int, bytes]]:
        """The packets of a frame that are decoded, between its FrameStart and its FrameEnd: (id, body)."""
        data = block.data[frame - block.first]
        return [
            (number, data[START_SIZE + at + 5 : START_SIZE + at + 5 + size].tobytes())
            for number, at, size in block.layout.packets()
            if number != 1 and self._snapshot.dialect.packet(number).body != "opaque"
        ]


def _same_packet(packets: list[tuple[int, bytes]], index: int, others: list[tuple[int, bytes]]) -> bytes | None:
    """The body of the corresponding packet in another frame: the n-th of its kind; None if there is none."""
    number = packets[index][0]
    ordinal = sum(kind == number for kind, _ in packets[:index])
    matching = [body for kind, body in others if kind == number]
    if ordinal < len(matching):
        return matching[ordinal]
    return None


def _repeats(ids: ByteArray) -> BoolArray:
    """bool[frames]: frames in which an id occurs twice."""
    numbers = np.sort(np.ascontiguousarray(ids).view("<u4")[:, :, 0], axis=1)
    return np.asarray((numbers[:, 1:] == numbers[:, :-1]).any(axis=1))
