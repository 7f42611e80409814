"""Trim, cut and split: some frames are removed, and the others replay as before.

The first frame after a gap is rebuilt (see `boundary_frame`); of all others only ids and times in the frame table
change.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from ..arrays import BoolArray, StructuredArray
from ..errors import EditError, NothingToDo
from ..progress import SILENT, Progress
from ..recording.actors import Actors
from ..recording.blocks import Block
from ..recording.frames import RAW, START_SIZE, FrameTable
from ..recording.history import Edit, Intent, Splice
from ..recording.snapshot import Snapshot
from .actors.renumbering import with_unused_ids
from .block_rewrite import patch_blocks
from .boundary_frame import boundary_frame, id_clashes
from .intents import until
from .place import RecordingLike
from .rows import rows_of

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
    snapshot = recording.snapshot if edit is None else recording.snapshot.after(edit)
    elapsed = snapshot.elapsed
    seconds = float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0
    return RecordingSize(len(snapshot), seconds, len(Actors.of(snapshot)), snapshot.size)


def trim(recording: RecordingLike, frames: range, *, rebase_clocks: bool = False, progress: Progress = SILENT) -> Edit:
    """The edit that keeps `frames` (indices from 0) alone, so that they replay as before.

    The first one creates all living actors in their state there; elapsed begins at 0, frame ids at 1, the last duration
    is -1. VisualTime and PlatformTime stay, or begin at 0 as well (`rebase_clocks`). Raises `EditError`, `Cancelled`.
    """
    snapshot = recording.snapshot
    _refuse_range(snapshot, frames)
    if len(frames) == len(snapshot):
        raise NothingToDo("These are all frames; nothing would be removed.")
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
    edit = Edit(f"Trim to {_named(frames)}", snapshot.version, _without_empty(splices), intent=intent)
    earlier = _clocks(snapshot, frames.start) if rebase_clocks else {}
    return _with_clocks(snapshot, edit, range(len(frames)), earlier, progress)


def cut(recording: RecordingLike, frames: range, *, rebase_clocks: bool = False, progress: Progress = SILENT) -> Edit:
    """The edit that removes `frames` (indices from 0) and closes the gap.

    The frame after the gap gets the events of the removed frames. Time continues from the first removed frame, the
    clocks too with `rebase_clocks`. If an id passes from one actor to another at the gap, the later one gets another
    id. Errors as `trim`.
    """
    snapshot = recording.snapshot
    _refuse_range(snapshot, frames)
    if len(frames) == len(snapshot):
        raise EditError("These are all frames; nothing would be left.")
    intent = Intent("cut", {**until(snapshot, frames), "rebase_clocks": rebase_clocks})
    label = f"Cut out {_named(frames)}"
    if not frames.start or frames.stop == len(snapshot):
        rest = range(frames.start) if frames.start else range(frames.stop, len(snapshot))
        trimmed = trim(snapshot, rest, rebase_clocks=rebase_clocks and not frames.start, progress=progress)
        return replace(trimmed, label=label, intent=intent)
    actors = Actors.of(snapshot, progress)
    before = actors.world_at(frames.start - 1)
    late = [actors.lives[index] for index in id_clashes(snapshot, frames.stop, before)]
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
    edit = Edit(label, snapshot.version, _without_empty(splices), intent=intent)
    gone: dict[str, float] = {}
    if rebase_clocks:
        from_there, to_there = _clocks(snapshot, frames.stop), _clocks(snapshot, frames.start)
        gone = {name: time - to_there[name] for name, time in from_there.items() if name in to_there}
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
            f"Frames {frames.start + 1} to {frames.stop} are not there; the recording has {len(snapshot):,} frames."
        )


def _named(frames: range) -> str:
    first, last = frames.start + 1, frames.stop
    return f"frame {first:,}" if first == last else f"frames {first:,} to {last:,}"


def _without_empty(splices: Sequence[Splice]) -> tuple[Splice, ...]:
    return tuple(splice for splice in splices if splice.removed or len(splice.inserted))


# --- clocks ---------------------------------------------------------------------------------------------


def _clocks(snapshot: Snapshot, frame_index: int) -> dict[str, float]:
    """The clocks of a frame (seconds), by packet name."""
    packets = {packet.name: packet for packet in snapshot.frame(frame_index) if packet.type.is_clock}
    return {name: float(packet.array["time"][0]) for name, packet in packets.items() if len(packet.decoded)}


def _with_clocks(
    snapshot: Snapshot, edit: Edit, frames: range, earlier: Mapping[str, float], progress: Progress
) -> Edit:
    """The edit, with `earlier` subtracted from the clocks of these frames (indices after the edit)."""
    if not earlier:
        return edit
    after = snapshot.after(edit)
    kinds = [(kind, seconds) for name, seconds in earlier.items() if (kind := snapshot.dialect.by_name(name))]

    def visit(block: Block) -> BoolArray:
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
        raise EditError(f"A part cannot last {seconds:g} s; the time is a number above 0.")
    elapsed = snapshot.elapsed
    if not (elapsed[1:] >= elapsed[:-1]).all() or not np.isfinite(elapsed).all():
        raise EditError("Time does not rise in this recording; split it by frames instead.")
    # A tolerance of a microsecond: elapsed is a sum of floats.
    with np.errstate(over="ignore"):
        numbers = np.floor((elapsed - elapsed[:1] + 1e-6) / seconds)
    if not np.isfinite(numbers).all():
        raise EditError(f"The recording is too long to be split every {seconds:g} s; split it by frames instead.")
    return _ranges(np.flatnonzero(np.diff(numbers, prepend=-1.0)).tolist(), len(elapsed))


def parts_of_frames(recording: RecordingLike, frames: int) -> list[range]:
    """Parts of `frames` frames; the last one may be shorter. Raises `EditError`."""
    _refuse_empty(recording.snapshot)
    if frames < 1:
        raise EditError(f"A part cannot have {frames} frames.")
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
        opening = len(boundary_frame(snapshot, first, None)) if first else int(positions[1] - positions[0])
        limit = size - len(snapshot.header_bytes) - opening + int(positions[first + 1])
        stop = int(np.searchsorted(positions, limit, side="right")) - 1
        if stop <= first:
            least = len(snapshot.header_bytes) + opening
            raise EditError(
                f"Frame {first + 1} alone, with all living actors, takes {least:,} bytes; parts of {size:,} bytes "
                "are too small.",
                frame=first + 1,
            )
        yield range(first, stop)
        first = stop


def part(recording: RecordingLike, frames: range) -> Snapshot:
    """The state with these frames alone. Raises `EditError`."""
    snapshot = recording.snapshot
    return snapshot if len(frames) == len(snapshot) else snapshot.after(trim(snapshot, frames))


def _refuse_empty(snapshot: Snapshot) -> None:
    if not len(snapshot):
        raise EditError("The recording has no frames; there is nothing to split.")


def _ranges(starts: list[int], end: int) -> list[range]:
    return [range(start, stop) for start, stop in zip(starts, [*starts[1:], end], strict=True)]


def _positions(snapshot: Snapshot) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The offset of each frame and of the end, without bytes outside of frames."""
    table = snapshot.table
    sizes = table.column("size")[table.column("kind") != RAW] + START_SIZE
    return np.concatenate(([0], np.cumsum(sizes)))
