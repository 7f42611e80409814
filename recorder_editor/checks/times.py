"""Frame ids, elapsed seconds and durations that no recorder writes, by columns of the frame table.

Times that a replay does not show are reported by `checks/replay.py`.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..edits import order_times
from ..edits.times import shift
from ..progress import SILENT, Progress
from ..recording import START_SIZE, Edit, Finding, Snapshot
from ..recording.blocks import runs
from ..texts import N_, say
from .rule import Fix, Rule, new_finding

_CLOSE = 1e-3  # s: real recordings agree within 1e-12, sums of floats of other writers within a few microseconds


def put_in_order(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that puts all ids and times of a recording in order; it fixes all findings of the rule at once."""
    return order_times(snapshot)


def start_at_zero(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that shifts times to begin at 0, or puts them in order if the first elapsed is not finite."""
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
    """Findings about ids and times, one for each run of frames."""
    frames = len(snapshot)
    ids = snapshot.frame_column("frame_id").astype(np.uint64)
    elapsed = snapshot.elapsed
    duration = snapshot.frame_column("duration")
    wrong = ids != np.arange(1, frames + 1, dtype=np.uint64)
    if wrong.any():
        at = int(np.argmax(wrong))
        number = int(np.count_nonzero(wrong))
        if number > 1:
            sentence = N_("Frame {at:,} has the id {id}, and {more:,} more have other ids than their number.")
        else:
            sentence = N_("Frame {at:,} has the id {id}.")
        message = say(sentence, at=at + 1, id=int(ids[at]), more=number - 1)
        yield _finding(snapshot, FRAME_IDS, at, message)
    with np.errstate(all="ignore"):
        back = ~np.isfinite(elapsed)
        back[1:] |= np.isfinite(elapsed[:-1]) & ~(elapsed[1:] > elapsed[:-1])
        left = elapsed[1:] - elapsed[:-1] - duration[:-1]
        # Frames that are never shown, and times that go back, have rules of their own.
        differs = (np.abs(left) > _CLOSE) & (duration[:-1] > 0) & (elapsed[1:] > elapsed[:-1])
    for at, stop in runs(back):
        yield _finding(snapshot, TIME_GOES_BACK, at, _back_text(elapsed, at, stop - at))
    for at, stop in runs(differs):
        gap = float(elapsed[at + 1]) - float(elapsed[at])
        if stop - at > 1:
            sentence = N_(
                "Frame {at:,} lasts {duration:g} s, but the next one begins {gap:g} s later; "
                "so do the {more:,} frames after it."
            )
        else:
            sentence = N_("Frame {at:,} lasts {duration:g} s, but the next one begins {gap:g} s later.")
        message = say(sentence, at=at + 1, duration=duration[at], gap=gap, more=stop - at - 1)
        yield _finding(snapshot, DURATION_DIFFERS, at, message)


def _finding(snapshot: Snapshot, rule: Rule, frame: int, message: str) -> Finding:
    row = snapshot.table.row_of_frame(frame)
    return new_finding(rule, message, snapshot.position(row), frame, row, START_SIZE)


def _back_text(elapsed: np.ndarray[tuple[int], np.dtype[np.float64]], at: int, number: int) -> str:
    codes = (
        (
            N_("Frame {at:,} has an elapsed of {elapsed}, which is not a time."),
            N_(
                "Frame {at:,} has an elapsed of {elapsed}, which is not a time. The {more:,} "
                "frames after it do not rise either."
            ),
        ),
        (
            N_(
                "Frame {at:,} is at {elapsed:g} s, which is not after frame {before:,} at "
                "{earlier:g} s: the simulator may skip it."
            ),
            N_(
                "Frame {at:,} is at {elapsed:g} s, which is not after frame {before:,} at "
                "{earlier:g} s: the simulator may skip it. The {more:,} frames after it do not "
                "rise either."
            ),
        ),
    )
    sentence = codes[bool(np.isfinite(elapsed[at]))][number > 1]
    return say(sentence, at=at + 1, elapsed=elapsed[at], before=at, earlier=elapsed[at - 1], more=number - 1)
