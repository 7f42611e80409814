"""Frame ids, elapsed seconds and durations that no recorder writes, by columns of the frame table.

Times that a replay does not show are reported by `checks/replay.py`.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import FloatArray
from ..edits import order_times
from ..edits.times import shift
from ..progress import SILENT, Progress
from ..recording import START_SIZE, Edit, Finding, Snapshot
from ..recording.blocks import runs
from ..texts import N_, say
from .rule import Fix, Rule, new_finding

_CLOSE = 1e-3  # s: real recordings agree within 1e-12, sums of floats of other writers within a few microseconds


def put_in_order(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that puts all ids and times of a recording in order; it fixes all findings of the rule."""
    return order_times(snapshot)


def start_at_zero(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that shifts times to begin at 0, or puts them in order if the first elapsed is not finite."""
    first = float(snapshot.elapsed[0])
    if np.isfinite(first):
        return shift(snapshot, -first)
    return order_times(snapshot)


FRAME_IDS = Rule(
    "frame-ids",
    subject="time",
    severity="warning",
    title=N_("Frame ids do not count 1, 2, 3."),
    why=N_(
        "The simulator does not use them, but its reports print them, and people and programs take them for the "
        "frame's number."
    ),
    fix=Fix(N_("Put ids and times in order"), put_in_order),
)

TIME_GOES_BACK = Rule(
    "time-goes-back",
    subject="time",
    severity="warning",
    title=N_("Elapsed seconds do not rise, or are not a number."),
    why=N_(
        "The simulator runs forward through the file: a frame that lies before the time already reached is skipped. "
        "The elapsed of the last frame is the length of the replay."
    ),
    fix=Fix(N_("Put ids and times in order"), put_in_order),
)

DURATION_DIFFERS = Rule(
    "duration-differs",
    subject="time",
    severity="warning",
    title=N_("A frame does not last until the next one begins."),
    why=N_(
        "The simulator shows a frame from its elapsed for as long as its duration. Where that ends early, positions "
        "are stretched beyond the frame; where it ends late, the next frame is partly skipped."
    ),
    fix=Fix(N_("Put ids and times in order"), put_in_order),
)

RULES = (FRAME_IDS, TIME_GOES_BACK, DURATION_DIFFERS)
"""The rules of this module, in the order in which their findings are fixed."""


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Yield findings about ids and times, one for each run of frames."""
    frames = len(snapshot)
    ids = snapshot.frame_column("frame_id").astype(np.uint64)
    elapsed = snapshot.elapsed
    duration = snapshot.frame_column("duration")
    is_wrong = ids != np.arange(1, frames + 1, dtype=np.uint64)
    if is_wrong.any():
        index = int(np.argmax(is_wrong))
        number = int(np.count_nonzero(is_wrong))
        sentence = N_("Frame {at:,} has the id {id}.")
        if number > 1:
            sentence = N_("Frame {at:,} has the id {id}, and {more:,} more have other ids than their number.")
        message = say(sentence, at=index + 1, id=int(ids[index]), more=number - 1)
        yield _finding(snapshot, FRAME_IDS, index, message)
    with np.errstate(all="ignore"):
        back = ~np.isfinite(elapsed)
        back[1:] |= np.isfinite(elapsed[:-1]) & ~(elapsed[1:] > elapsed[:-1])
        left = elapsed[1:] - elapsed[:-1] - duration[:-1]
        # Frames that are never shown, and times that go back, have rules of their own.
        differs = (np.abs(left) > _CLOSE) & (duration[:-1] > 0) & (elapsed[1:] > elapsed[:-1])
    for first, stop in runs(back):
        yield _finding(snapshot, TIME_GOES_BACK, first, _back_text(elapsed, first, stop - first))
    for first, stop in runs(differs):
        gap = float(elapsed[first + 1]) - float(elapsed[first])
        if stop - first > 1:
            sentence = N_(
                "Frame {at:,} lasts {duration:g} s, but the next one begins {gap:g} s later; "
                "so do the {more:,} frames after it."
            )
        else:
            sentence = N_("Frame {at:,} lasts {duration:g} s, but the next one begins {gap:g} s later.")
        message = say(sentence, at=first + 1, duration=duration[first], gap=gap, more=stop - first - 1)
        yield _finding(snapshot, DURATION_DIFFERS, first, message)


def _finding(snapshot: Snapshot, rule: Rule, frame: int, message: str) -> Finding:
    row = snapshot.table.row_of_frame(frame)
    return new_finding(rule, message, offset=snapshot.position(row), frame=frame, row=row, size=START_SIZE)


def _back_text(elapsed: FloatArray, first: int, number: int) -> str:
    """Return the message about a run of so many frames without a rising time, of which `first` is the index."""
    if not np.isfinite(elapsed[first]):
        sentence = N_("Frame {at:,} has an elapsed of {elapsed}, which is not a time.")
        if number > 1:
            sentence = N_(
                "Frame {at:,} has an elapsed of {elapsed}, which is not a time. The {more:,} "
                "frames after it do not rise either."
            )
    else:
        sentence = N_(
            "Frame {at:,} is at {elapsed:g} s, which is not after frame {before:,} at "
            "{earlier:g} s: the simulator may skip it."
        )
        if number > 1:
            sentence = N_(
                "Frame {at:,} is at {elapsed:g} s, which is not after frame {before:,} at "
                "{earlier:g} s: the simulator may skip it. The {more:,} frames after it do not "
                "rise either."
            )
    return say(
        sentence, at=first + 1, elapsed=elapsed[first], before=first, earlier=elapsed[first - 1], more=number - 1
    )
