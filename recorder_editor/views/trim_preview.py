"""What a recording would be without some of its frames: at once what is known, and as a job what is exact.

Numbers for a person to look at before; knows no widget, and changes nothing.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import edits
from ..checks import check
from ..progress import Progress
from ..reading import Actors
from ..reading.bodies import is_empty
from ..recording import RAW, START_SIZE, Edit, Finding, Frame, Snapshot

_SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Glance:
    """What frames that stay are, as far as the lives and the frame table tell.

    Attributes: `frames`, `length` (s, from the first to where time goes on behind the last), `plays` (s; the last frame
    is never shown), `size` (bytes, an estimate), `ended` (who goes at the gap), `carried` (who is created where the
    frames begin, or behind the gap), `vehicles` (of those), `born` (who comes in later frames), `collisions` (records).
    """

    frames: int
    length: float
    plays: float
    size: int
    ended: int
    carried: int
    vehicles: int
    born: int
    collisions: int


class Glances:
    """Glances at one state of a recording."""

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self.snapshot = snapshot
        self._elapsed = snapshot.elapsed
        table = snapshot.table
        sizes = table.column("size")[table.column("kind") != RAW].astype(np.int64) + START_SIZE
        self._ends = np.concatenate(([0], np.cumsum(sizes)))
        self._born, self._gone = actors.spans
        self._drives = np.array([life.class_ in ("vehicle", "two-wheeler") for life in actors], np.bool_)
        self._hits = actors.collisions["frame_index"]

    def whole(self) -> Glance:
        """The recording as it is."""
        return self.of(range(len(self.snapshot)), cuts=False)

    def of(self, frames: range, *, cuts: bool) -> Glance:
        """What is left when these frames alone stay, or when they go."""
        end = len(self.snapshot)
        if cuts and (not frames.start or frames.stop == end):
            if frames.start:
                frames = range(frames.start)
            else:
                frames = range(frames.stop, end)
            cuts = False
        start, stop = frames.start, frames.stop
        born = self._born
        gone = self._gone
        elapsed = self._elapsed
        number = len(frames)
        size = int(self._ends[stop] - self._ends[start])
        length, plays = (float(elapsed[last] - elapsed[start]) for last in (min(stop, end - 1), stop - 1))
        # Who is there before the first frame behind a cut, and in it; from its first frame on a recording has somebody.
        before = np.zeros_like(self._drives)
        if start:
            there = (born < start) & (gone > start)
        else:
            there = born == 0
        if cuts:
            before = (born < start) & (gone > start - 1)
            there = (born < stop) & (gone > stop)
            number, size = end - number, int(self._ends[-1]) - size
            length = plays = float(elapsed[-1] - elapsed[0]) - length
        come, hits = (((each >= start) & (each < stop)) != cuts for each in (born, self._hits))
        carried = there & ~before
        ended = before & ~there & (gone != stop)
        counts = []
        for mask in (ended, carried, carried & self._drives, come & (born > 0), hits):
            counts.append(int(mask.sum()))
        return Glance(number, length, plays, len(self.snapshot.header_bytes) + size, *counts)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """An edit, and what the recording would be after it.

    Attributes: `edit`, `outcome`, `written` (records by packet name that are told where the frames begin or go on, and
    were not, and packets that are not decoded), `findings` (of the checks and of the replay model, the gravest first).
    """

    edit: Edit
    outcome: edits.RecordingSize
    written: Mapping[str, int]
    findings: tuple[Finding, ...]


def foresee(snapshot: Snapshot, frames: range, cuts: bool, rebase_clocks: bool, progress: Progress) -> Foreseen:
    """The edit that keeps these frames, or takes them out, looked at closely. Raises `EditError`, `Cancelled`."""
    make = edits.cut if cuts else edits.trim
    edit = make(snapshot, frames, rebase_clocks=rebase_clocks, progress=progress)
    after = snapshot.after(edit)
    told = frames.stop if cuts else frames.start
    at = (frames.start if frames.stop < len(snapshot) else 0) if cuts else 0
    written: Mapping[str, int] = {}
    if told < len(snapshot) and (told or at):
        # Positive counts alone: what frames have in common is not written.
        written = _records(after.frame(at)) - _records(snapshot.frame(told))
    findings = sorted(check(after, progress), key=lambda finding: _SEVERITIES.index(finding.severity))
    return Foreseen(edit, edits.outcome(after), written, tuple(findings))


def _records(frame: Frame) -> Counter[str]:
    counts: Counter[str] = Counter()
    for packet in frame:
        if packet.type.body == "list":
            counts[packet.name] += len(packet.decoded)
        elif packet.type.body == "opaque" and not is_empty(packet.body):
            counts[packet.name] += 1
    return counts
