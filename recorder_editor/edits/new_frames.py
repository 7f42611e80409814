"""The edit that appends frames in which nothing happens, with the packets that a recorder writes in each."""

import math

from ..errors import EditError
from ..recording import FRAME, Edit, FrameTable, RecordingLike, Splice
from ..texts import say, say_count
from .new_actors.writer import Writer
from .rows import rows_of

MAX_FRAMES = 100_000
"""The most frames that are appended at once."""


def append_frames(recording: RecordingLike, count: int, step: float = 0.05) -> Edit:
    """Return the edit that appends frames without actors and events, as a recorder of the release writes them.

    Args:
        recording: The recording, which is not changed.
        count: How many, 1 to `MAX_FRAMES`.
        step: Seconds from frame to frame, and from the last frame that there is to the first new one.

    Raises:
        EditError: A number is out of range, or the last frame is damaged or has no time.
    """
    snapshot = recording.snapshot
    if not 1 <= count <= MAX_FRAMES:
        raise EditError(say("{count:,} frames cannot be appended: 1 to {most:,} can.", count=count, most=MAX_FRAMES))
    if not (math.isfinite(step) and step > 0):
        raise EditError(say("A step of {step:g} s is none: it is a number above 0.", step=step))
    start = snapshot.dialect.packet(0).name
    clocks = []
    for kind in snapshot.dialect.kinds():
        if kind.body == "single" and kind.presence == "always" and kind.name != start:
            clocks.append(kind.name)
    writer = Writer(snapshot.dialect)
    last = snapshot.table.rows(max(0, snapshot.rows - 1)).copy()
    number = 0
    begin = 0.0
    if len(last):
        number = int(last["frame_id"][0])
        begin = float(last["elapsed"][0]) + step
        if last["kind"][0] != FRAME or not math.isfinite(begin):
            raise EditError(
                say("Nothing can be appended: the recording does not end with a whole frame that has a time.")
            )
        last["duration"] = step
        last["stored"] = 0
    pieces = []
    for index in range(count):
        elapsed = begin + index * step
        duration = -1.0 if index == count - 1 else step
        packets: dict[str, list[tuple[float, ...]]] = {name: [(elapsed,)] for name in clocks}
        packets[start] = [(number + 1 + index, duration, elapsed)]
        pieces.append(writer.frame(packets))
    label = say_count("Append 1 frame", "Append {count:,} frames", count=count)
    splices = [Splice(snapshot.rows, 0, rows_of(snapshot, b"".join(pieces)))]
    if len(last):
        splices.append(Splice(snapshot.rows - 1, 1, FrameTable.from_rows(last)))
    return Edit(label, snapshot.version, tuple(splices))
