"""Actors with two records in a packet of a frame, and gaps in positions: by the ids of records alone."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..edits.actors.rewrite import Plan, rewrite
from ..edits.interpolation import interpolate_records
from ..errors import EditError
from ..progress import SILENT, Progress
from ..recording.actors import Actors
from ..recording.columns import Table
from ..recording.findings import Finding
from ..recording.history import Edit
from ..recording.lives import Life
from ..recording.snapshot import Snapshot
from ..recording.tracks import Tracks
from . import fixes
from .lives import Integers, LifeProblems, finding_of, found_life, frames_of, frames_text
from .rule import Fix, Rule, counted

_POSITION = "Position"


@Fix.titled("Put it on the way in between")
def fill_holes(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that fills gaps in positions by interpolation between the frames before and after."""
    plan, lives = Plan(), [found_life(snapshot, finding)[1] for finding in findings]
    for life in lives:
        for row, record in _missing(snapshot, life):
            plan.add(row, _POSITION, record)
    if not plan.added:
        raise EditError("What was found is not there any more.")
    label = f"Fill the holes in the positions of {counted(len(lives), 'actor', 'actors')}"
    return Edit(label, snapshot.version, rewrite(snapshot, plan))


def _missing(snapshot: Snapshot, life: Life) -> Iterator[tuple[int, bytes]]:
    """The rows in which the position of a life is missing, and the interpolated records."""
    frames = Tracks(snapshot).positions([life.actor], frames_of(snapshot, life))["frame"]
    kind, elapsed = snapshot.dialect.by_name(_POSITION), snapshot.elapsed
    assert kind is not None
    for before, after in pairwise(frames.tolist()):
        if after - before < 2:
            continue
        one, two = (_record(snapshot, frame, life.actor) for frame in (before, after))
        length = float(elapsed[after] - elapsed[before])
        for frame in range(before + 1, after):
            packet = snapshot.frame(frame).packet(_POSITION)
            if packet is not None and len(packet.decoded):
                share = float(elapsed[frame] - elapsed[before]) / length if length > 0 else 0.0
                share = share if 0.0 <= share <= 1.0 else (frame - before) / (after - before)
                yield snapshot.table.row_of_frame(frame), interpolate_records(kind, one, two, np.array(share)).tobytes()


def _record(snapshot: Snapshot, frame: int, actor: int) -> npt.NDArray[np.uint8]:
    packet = snapshot.frame(frame).packet(_POSITION)
    record = packet.decoded.find_actor(actor) if packet is not None else None
    assert packet is not None
    assert record is not None
    return np.frombuffer(packet.body[slice(*packet.decoded.span(record))], np.uint8)


_rule = partial(Rule, subject="references", severity="warning")

HOLE = _rule(
    "position-hole",
    "An actor has no position in a frame, but before and after it.",
    "The simulator leaves it standing for that time, and trajectories made from the recording are torn there.",
    fill_holes,
)
TWICE = _rule(
    "told-twice",
    "A packet of one frame holds two records of one actor.",
    "The last of the two counts for the simulator; other programs take the first one, or both.",
    Fix("Delete the first one", fixes.delete_found_records.make),
)

RULES = (HOLE, TWICE)


class Holes:
    """Finds gaps in positions that are sorted by life."""

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self._snapshot, self._actors = snapshot, actors
        self._has_positions = np.zeros(len(snapshot), np.bool_)  # frames with positions
        self._gaps = LifeProblems(len(actors))

    def add(self, life: Integers, frame: Integers, before: Integers) -> None:
        """Add records: life, frame, and the previous frame of the life (-1: none)."""
        self._has_positions[frame] = True
        number = np.concatenate(([0], np.cumsum(self._has_positions)))
        missing = np.where(before >= 0, number[frame] - number[before + 1], 0)
        gaps = missing > 0
        self._gaps.add(life[gaps], before[gaps], missing[gaps].astype(np.float64))

    def findings(self) -> Iterator[Finding]:
        """One finding for each life with gaps, at the record before the first one."""
        for life, before, number, longest in self._gaps.lives(self._actors):
            first = before + 1 + int(np.argmax(self._has_positions[before + 1 :]))
            frames = frames_text(first, int(longest))
            others = f" It is missing {number:,} times." if number > 1 else ""
            message = f"{life.blueprint} {life.actor} has no position in {frames}, but before and after.{others}"
            yield finding_of(self._snapshot, HOLE, life, _POSITION, before, message)


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Records that are followed by another one of the same actor in the packet. Raises `Cancelled`."""
    tracks = Tracks(snapshot)
    kinds = [
        kind
        for kind in snapshot.dialect.packets.values()
        if kind.actor_field is not None and kind.dtype is not None and not kind.happens
    ]
    for kind, part in progress.parts(kinds):
        for block in tracks.blocks(kind.name, progress=part):
            for frame in _repeating(block):
                yield from _repeats(snapshot, kind.name, frame)


def _repeating(block: Table) -> list[int]:
    """The frames of a block in which an id occurs twice."""
    ids, frames = np.ascontiguousarray(block["id"]), np.ascontiguousarray(block["frame"])
    starts = np.flatnonzero(np.concatenate(([True], frames[1:] != frames[:-1])))
    counts = np.diff(np.append(starts, len(ids)))
    runs = np.flatnonzero(np.concatenate(([True], counts[1:] != counts[:-1])))
    found: list[int] = []
    for first, stop in zip(runs.tolist(), [*runs[1:].tolist(), len(counts)], strict=True):
        table = ids[starts[first] :][: int(counts[first]) * (stop - first)].reshape(stop - first, -1)
        # Most frames have the ids of the frame before, and need no check.
        fresh = np.concatenate(([True], (table[1:] != table[:-1]).any(axis=1)))
        ranked = np.sort(table[fresh], axis=1)
        twice = (ranked[:, 1:] == ranked[:, :-1]).any(axis=1)
        found += frames[starts[first:stop][twice[np.cumsum(fresh) - 1]]].tolist()
    return found


def _repeats(snapshot: Snapshot, name: str, frame_index: int) -> Iterator[Finding]:
    frame = snapshot.frame(frame_index)
    for packet in frame.packets:
        if packet.name != name:
            continue
        ids = packet.decoded.actors
        last = {actor: record for record, actor in enumerate(ids)}
        for record, actor in enumerate(ids):
            if last[actor] != record:
                offset, size = packet.record_span(record)
                message = f"{name} tells of actor {actor} twice in frame {frame_index + 1:,}."
                yield TWICE.finding(message, offset, frame_index, frame.row, size)
