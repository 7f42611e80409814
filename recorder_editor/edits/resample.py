"""Resampling to frames of a fixed step.

A new frame holds what the replayer finds at its time: positions interpolated as the simulator does (format reference
6.3), also velocities and clocks; everything else is that of the frame at or before it. Events are moved to the first
new frame at or after them (`event_schedule`).
"""

import math

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
from .rows import RawPacket, insertion_index, packet_ids

MAX_FRAMES = 2_000_000
_DENSEST = 100  # largest number of new frames for each recorded one
_FEW_FRAMES = 10_000
_COUNTABLE = 1e15
_CLOCK = np.dtype("<f8")


def resample(recording: RecordingLike, step: float, *, progress: Progress = SILENT) -> Edit:
    """Return the edit that gives the recording a frame every `step` seconds, from its first frame on, ids from 1.

    The last one is at the recorded end or before it; if there are events after that, a further frame holds them.
    Events of several frames are merged; an EventAdd is never in the frame of the EventDel of its id, nor the other way
    round: the later one is moved by a frame, or removed after the last frame. Records that name a life are moved into a
    frame in which it is alive. Packets of other writers are copied once each.

    Args:
        recording: The recording, which is not changed.
        step: Seconds.
        progress: Reports progress and cancels.

    Raises:
        EditError: As `steps_in`; also for damaged stretches, and if the disk has not enough space.
        NothingToDo: The recording has such frames already.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    count = steps_in(snapshot, step) + 1
    times = snapshot.elapsed
    new_times = times[0] + np.arange(count + 1) * step
    sources, shares = locate(times, new_times)
    most = count + 1
    if sources[count - 1] == len(times) - 1:
        most = count
    schedule = EventSchedule(snapshot, np.searchsorted(sources, np.arange(len(times))), most, progress)
    count = max(count, schedule.frames)
    new_times = new_times[:count]
    shares = shares[:count]
    _refuse_without_room(snapshot, count, int(np.count_nonzero(shares)))
    rows = _FrameBuilder(snapshot, schedule, sources[:count], shares).rows(progress)
    rows["elapsed"] = new_times
    rows["duration"] = step
    rows["duration"][-1] = -1.0
    rows["duration"][:-1] = np.diff(new_times)
    rows["frame_id"] = np.arange(1, len(new_times) + 1)
    if _are_the_same(rows, snapshot.table.rows()):
        raise NothingToDo(say("The recording has a frame every {step:g} s already.", step=step))
    rows["key"] = snapshot.keys.take(len(new_times))
    splice = Splice(0, len(snapshot.table), FrameTable.from_rows(rows))
    if abs(new_times[-1] - times[-1]) <= tolerance(times, new_times[-1:])[0]:
        template = N_("Resample to a frame every {step:g} s")
    else:
        template = N_("Resample to a frame every {step:g} s, the last at {last:.3f} s (recorded: {recorded:.3f} s)")
    label = say(template, step=step, last=float(new_times[-1]), recorded=float(times[-1]))
    return Edit(label, snapshot.version, (splice,), intent=Intent("resample", {"step": step}))


def steps_in(snapshot: Snapshot, step: float) -> int:
    """Return the number of whole steps from the first frame to the last.

    Args:
        snapshot: The recording.
        step: Seconds.

    Raises:
        EditError: The step is invalid or longer than the recording, times do not rise, or there would be more than 100
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
        steps = math.floor(number)
        raise EditError(
            say(
                "A step of {step:g} s would make {made:,} frames, about {size:,} bytes, of the "
                "{times:,} recorded; {most:,} are the most. Take a longer step.",
                step=step,
                made=steps + 1,
                size=steps * snapshot.size // len(times),
                times=len(times),
                most=most,
            )
        )
    return math.floor(number)


def _times(snapshot: Snapshot) -> FloatArray:
    """Return the times of all frames; raises `EditError` if they do not rise, and for damaged stretches."""
    if not len(snapshot):
        raise EditError(say("The recording has no frames."))
    if snapshot.table.frames != len(snapshot.table):
        raise EditError(say("There is damage between the frames; `repair` the recording first."))
    times = snapshot.elapsed
    if not is_rising(times):
        raise EditError(say("Time does not rise in this recording; put its times in order first."))
    return times


def _refuse_without_room(snapshot: Snapshot, count: int, written: int) -> None:
    """Raise `EditError` if the disk has not enough space for the new frames."""
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


def _are_the_same(new: StructuredArray, rows: StructuredArray) -> bool:
    """Return whether new rows are the recorded ones, apart from keys."""
    if len(new) != len(rows):
        return False
    for name in ("source", "offset", "size", "frame_id", "elapsed", "duration"):
        if new[name].tobytes() != rows[name].tobytes():
            return False
    return True


class _FrameBuilder:
    """Makes the new frames, block by block of the old ones."""

    def __init__(self, snapshot: Snapshot, schedule: EventSchedule, sources: IntArray, shares: FloatArray) -> None:
        """Prepare the new frames.

        Args:
            snapshot: The recording.
            schedule: Its events.
            sources: For each new frame the old one at or before it.
            shares: For each new frame the share of the way to the next old one.
        """
        self._snapshot = snapshot
        self._schedule = schedule
        self._sources = sources
        self._shares = shares
        self._rows = np.zeros(len(sources), ROW)
        self._rows["kind"] = FRAME
        self._special = schedule.has_events(len(sources))

    def rows(self, progress: Progress) -> StructuredArray:
        """Return the rows of all new frames, without times, ids and keys."""
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
        return self._rows

    def _put(self, block: FrameBlock, first: int, following: FrameBlock | None, progress: Progress) -> None:
        """Make the new frames between the frames of a block (`first` 0), or at and after its last one (-1)."""
        last = block.first + len(block) - 1
        bounds = (block.first, last)
        if first:
            bounds = (last, last + 1)
        begin, end = np.searchsorted(self._sources, bounds).tolist()
        chosen = np.arange(begin, end)
        if not len(chosen):
            return
        is_plain = self._is_plain(block, chosen)
        is_copy = self._equal_old(block, chosen, is_plain)
        self._copy(block, chosen[is_copy])
        is_within = is_plain & ~is_copy & (following is block)
        within = chosen[is_within]
        portion = max(1, BLOCK // block.data.shape[1])
        for start in range(0, len(within), portion):
            progress.check()
            self._interpolate(block, within[start : start + portion])
        for count, number in enumerate(chosen[~is_within & ~is_copy].tolist()):
            if count % 256 == 0:
                progress.check()
            self._put_one(number, block, following)

    def _is_plain(self, block: FrameBlock, chosen: IntArray) -> BoolArray:
        """Return which new frames have no events, and are of old frames without events, bool[n]."""
        if not has_no_events(block.layout, self._snapshot.dialect):
            return np.zeros(len(chosen), np.bool_)
        return np.asarray(self._is_of_frame(block, chosen) & ~self._special[chosen])

    def _equal_old(self, block: FrameBlock, chosen: IntArray, is_plain: BoolArray) -> BoolArray:
        """Return which new frames equal an old one, apart from times, bool[n]."""
        is_equal: BoolArray = (self._shares[chosen] == 0.0) & self._is_of_frame(block, chosen)
        for index in np.flatnonzero(is_equal & ~is_plain).tolist():
            number = int(chosen[index])
            is_equal[index] = self._schedule.is_unchanged(number, int(self._sources[number]))
        return is_equal

    def _is_of_frame(self, block: FrameBlock, chosen: IntArray) -> BoolArray:
        """Return which new frames are of an old frame that has an end, bool[n]."""
        return np.asarray(block.rows["kind"][self._sources[chosen] - block.first] == FRAME)

    # --- many at once -----------------------------------------------------------------------------------

    def _copy(self, block: FrameBlock, chosen: IntArray) -> None:
        """Reuse the bytes of old frames."""
        rows = block.rows[self._sources[chosen] - block.first]
        for name in ("source", "offset", "size", "layout"):
            self._rows[name][chosen] = rows[name]

    def _interpolate(self, block: FrameBlock, chosen: IntArray) -> None:
        """Make frames without events, between frames of one layout."""
        before = self._sources[chosen] - block.first
        share = self._shares[chosen]
        data = block.data[before]
        is_odd = np.zeros(len(chosen), np.bool_)
        for packet_id, offset, size in block.layout.packets():
            kind = self._snapshot.dialect.packet(packet_id)
            start = START_SIZE + offset + 5
            body = data[:, start : start + size]
            following = block.data[before + 1, start : start + size]
            if kind.clock is not None and size == kind.record.size:
                place = slice(kind.clock, kind.clock + _CLOCK.itemsize)
                time = np.ascontiguousarray(body[:, place]).view(_CLOCK)
                next_time = np.ascontiguousarray(following[:, place]).view(_CLOCK)
                body[:, place] = as_bytes(interpolate(time, next_time, share[:, None]))
            elif kind.is_continuous and size >= 2:
                is_odd |= self._records(kind, body, following, share, before + 1 + block.first)
        self._write(block, chosen[~is_odd], data[~is_odd])
        for number in chosen[is_odd].tolist():
            self._put_one(number, block, block)

    def _records(
        self, kind: PacketType, body: Bytes, following: Bytes, share: FloatArray, next_frames: IntArray
    ) -> BoolArray:
        """Interpolate records in place, and return which frames have records that do not match one to one, bool[n]."""
        records = RecordArray(kind, body)
        next_records = RecordArray(kind, following)
        _, whole, size = records.bytes.shape
        is_odd: BoolArray = counts_of(body) * size + 2 != body.shape[1]
        is_odd |= (body[:, :2] != following[:, :2]).any(axis=1)
        is_odd |= np.isin(next_frames, self._schedule.id_reuses)
        if not whole or is_odd.all():
            return is_odd
        start = kind.actor_offsets[0]
        ids = records.bytes[:, :, start : start + 4]
        is_odd |= (ids != next_records.bytes[:, :, start : start + 4]).any(axis=(1, 2)) | _repeats(ids)
        records.bytes[:] = interpolate_records(kind, records.bytes, next_records.bytes, share[:, None])
        return is_odd

    def _write(self, block: FrameBlock, chosen: IntArray, data: Bytes) -> None:
        """Write the bytes of new frames, shape (n, bytes), and set their rows."""
        if not len(chosen):
            return
        source, offset = self._snapshot.store.append(np.ascontiguousarray(data).reshape(-1).data)
        self._rows["source"][chosen] = source
        self._rows["offset"][chosen] = offset + START_SIZE + np.arange(len(chosen)) * data.shape[1]
        self._rows["size"][chosen] = data.shape[1] - START_SIZE
        self._rows["layout"][chosen] = int(block.rows["layout"][0])

    # --- one by one -------------------------------------------------------------------------------------

    def _put_one(self, number: int, block: FrameBlock, following: FrameBlock | None) -> None:
        """Make one new frame, from an old one and the frame after it."""
        frame = int(self._sources[number])
        share = float(self._shares[number])
        packets = self._packets(block, frame)
        next_packets: list[RawPacket] = []
        if following is not None and share:
            next_packets = self._packets(following, frame + 1)
        scheduled = self._schedule.bodies_of(number)
        dialect = self._snapshot.dialect
        result: list[RawPacket] = []
        for index, (packet_id, body) in enumerate(packets):
            kind = dialect.packet(packet_id)
            if kind.is_recorded_once:
                if packet_id in scheduled:
                    for event_body in scheduled.pop(packet_id):
                        result.append((packet_id, event_body))
                elif kind.presence == "always" or body == b"\x00\x00":
                    present = packet_ids(result)
                    if packet_id not in present:
                        result.append((packet_id, b"\x00\x00"))
                continue
            next_body = _same_packet(packets, index, next_packets)
            if share and next_body is not None:
                body = self._between_two(kind, body, next_body, share, frame)
            result.append((packet_id, self._schedule.without_delayed(kind, body, number)))
        for packet_id, bodies in scheduled.items():
            start = insertion_index(dialect, packet_ids(result), packet_id)
            result[start:start] = [(packet_id, event_body) for event_body in bodies]
        self._write_one(number, result)

    def _between_two(self, kind: PacketType, body: bytes, after: bytes, share: float, frame: int) -> bytes:
        """Return a body interpolated with that of the next frame; records without a counterpart stay."""
        if kind.clock is not None and len(body) == len(after) == kind.record.size:
            earlier = np.frombuffer(body, _CLOCK, 1, kind.clock)
            later = np.frombuffer(after, _CLOCK, 1, kind.clock)
            time = interpolate(earlier, later, np.array([share])).tobytes()
            return body[: kind.clock] + time + body[kind.clock + len(time) :]
        if not kind.is_continuous:
            return body
        decoded = decode(kind, body)
        next_decoded = decode(kind, after)
        if decoded.damage is not None or next_decoded.damage is not None:
            message = say(
                "{name} of frame {frame} is damaged; `repair` the recording first.", name=kind.name, frame=frame + 1
            )
            raise EditError(message, frame=frame + 1)
        if not len(decoded) or not len(next_decoded):
            return body
        records = decoded.array.copy()
        order = np.argsort(next_decoded.array["id"], kind="stable")
        ids = next_decoded.array["id"][order]
        index = np.maximum(ids.searchsorted(records["id"], side="right") - 1, 0)
        is_same = (ids[index] == records["id"]) & ~self._schedule.is_reused(records["id"], frame + 1)
        counterparts = np.ascontiguousarray(next_decoded.array[order[index]])
        values = records.view(np.uint8).reshape(-1, records.dtype.itemsize)
        next_values = counterparts.view(np.uint8).reshape(-1, counterparts.dtype.itemsize)
        share_of_all = np.full(1, share)
        values[is_same] = interpolate_records(kind, values[is_same], next_values[is_same], share_of_all)
        return body[:2] + values.tobytes()

    def _write_one(self, number: int, packets: list[RawPacket]) -> None:
        """Write the bytes of one new frame, and set its row."""
        headers: list[bytes] = []
        parts = [FRAME_START_HEADER, bytes(24)]
        for packet_id, body in [*packets, (1, b"")]:
            header = PACKET_HEADER.pack(packet_id, len(body))
            headers.append(header)
            parts.append(header)
            parts.append(body)
        data = b"".join(parts)
        source, offset = self._snapshot.store.append(data)
        row = self._rows[number]
        row["source"] = source
        row["offset"] = offset + START_SIZE
        row["size"] = len(data) - START_SIZE
        row["layout"] = self._snapshot.layouts.add(b"".join(headers))

    def _packets(self, block: FrameBlock, frame: int) -> list[RawPacket]:
        """Return the packets of a frame that are decoded, between its FrameStart and its FrameEnd."""
        data = block.data[frame - block.first]
        packets: list[RawPacket] = []
        for packet_id, offset, size in block.layout.packets():
            if packet_id != 1 and self._snapshot.dialect.packet(packet_id).body != "opaque":
                start = START_SIZE + offset + 5
                packets.append((packet_id, data[start : start + size].tobytes()))
        return packets


def _same_packet(packets: list[RawPacket], index: int, others: list[RawPacket]) -> bytes | None:
    """Return the body of the corresponding packet in another frame: the n-th of its kind; None if there is none."""
    number, _ = packets[index]
    ordinal = 0
    for packet_id, _ in packets[:index]:
        if packet_id == number:
            ordinal += 1
    matching = [body for packet_id, body in others if packet_id == number]
    if ordinal < len(matching):
        return matching[ordinal]
    return None


def _repeats(ids: ByteArray) -> BoolArray:
    """Return in which frames an id occurs twice, bool[frames]."""
    numbers = np.sort(np.ascontiguousarray(ids).view("<u4")[:, :, 0], axis=1)
    return np.asarray((numbers[:, 1:] == numbers[:, :-1]).any(axis=1))
