"""What a repair would make of a recording, worked out as a job: the proposal, numbers of both states, what goes.

Knows snapshots and the file of another copy, no widget; it changes nothing.
"""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..edits import outcome
from ..progress import SILENT, Progress
from ..recording import RAW, Snapshot, open_recording
from ..repair import TITLES, Proposal, RepairStep, propose
from ..repair.report import tally

_MAKE_ALL_ANEW = frozenset({"no-header", "second-recording", "text-mode"})
_MOST_STRETCHES = 4000


class RepairRequest(NamedTuple):
    """What is asked for: the state, the steps that are passed over, and what a person said.

    Attributes: `snapshot`, `passed_over` (codes of steps), `last_good_frame` (index; None: all may stay), `map_name`
    (None: as the file tells it), `donor` (the file of another copy, or None).
    """

    snapshot: Snapshot
    passed_over: frozenset[str] = frozenset()
    last_good_frame: int | None = None
    map_name: str | None = None
    donor: Path | None = None

    @property
    def parts(self) -> frozenset[str] | None:
        """The codes of the steps to take; None where all are."""
        if self.passed_over:
            return frozenset(TITLES) - self.passed_over
        return None

    @property
    def is_whole(self) -> bool:
        """Nothing is passed over, and nothing left out that was not asked for by the damage."""
        return not self.passed_over and self.last_good_frame is None

    def is_same(self, other: "RepairRequest | None") -> bool:
        """It asks for the very same."""
        return other is not None and other.snapshot is self.snapshot and other[1:] == self[1:]

    def command_line(self, source: str, target: str) -> str:
        """The command that repairs a file so, where `is_whole`."""
        words = ["recorder-editor", "repair", source, target]
        if self.donor is not None:
            words += ["--donor", str(self.donor)]
        if self.map_name:
            words += ["--map", self.map_name]
        return shlex.join(words)


@dataclass(frozen=True, slots=True)
class Amount:
    """How much a state holds. Attributes: `frames`, `seconds` (without those that are missing), `packets`, `records`,
    `actors`, `size` (bytes)."""

    frames: int = 0
    seconds: float = 0.0
    packets: int = 0
    records: int = 0
    actors: int = 0
    size: int = 0


@dataclass(frozen=True)
class RepairPreview:
    """A proposal and what it comes to.

    Attributes: `wanted`, `proposal`, `now` and `after` (of both states), `seconds_lost`, `frames_lost` (indices in the
    damaged recording, rising, none overlapping another).
    """

    wanted: RepairRequest
    proposal: Proposal
    now: Amount
    after: Amount
    seconds_lost: float
    frames_lost: tuple[range, ...]

    def step(self, code: str) -> RepairStep | None:
        """The proposed step of this code; None where there is none."""
        return next((step for step in self.proposal.steps if step.code == code), None)


def preview_repair(wanted: RepairRequest, progress: Progress = SILENT) -> RepairPreview:
    """Work it out. Raises `EditError` (the donor is no copy), OSError, `Cancelled`, and errors of reading."""
    if wanted.donor is None:
        proposal = _proposed(wanted, None, progress)
    else:
        with open_recording(wanted.donor, progress=progress.part(0, 0)) as donor:
            proposal = _proposed(wanted, donor.snapshot, progress)
    before, after = proposal.before, proposal.after
    now = _amount(before)
    if proposal.problem is not None:
        return RepairPreview(wanted, proposal, now, Amount(), now.seconds, ())
    saved = _amount(after)
    lost = max(0.0, now.seconds - saved.seconds) + _missing(after)
    return RepairPreview(wanted, proposal, now, saved, lost, frames_lost(proposal))


def _proposed(wanted: RepairRequest, donor: Snapshot | None, progress: Progress) -> Proposal:
    return propose(
        wanted.snapshot,
        progress=progress,
        donor=donor,
        last_good_frame=wanted.last_good_frame,
        map_name=wanted.map_name,
        parts=wanted.parts,
    )


def _amount(snapshot: Snapshot) -> Amount:
    if not len(snapshot):
        return Amount(size=snapshot.size)
    found = tally(snapshot)
    known = outcome(snapshot)
    seconds = known.seconds if np.isfinite(known.seconds) and known.seconds > 0 else 0.0
    missing = min(_missing(snapshot), seconds)
    return Amount(found.frames, seconds - missing, found.packets, found.records, known.actors, snapshot.size)


def _missing(snapshot: Snapshot) -> float:
    """The seconds of frames whose numbers are missing between two that are there."""
    ids = snapshot.frame_column("frame_id").astype(np.uint64)
    with np.errstate(invalid="ignore", over="ignore"):  # the times of a damaged file may be any number
        steps = np.diff(snapshot.elapsed)
        known = np.isfinite(steps)
        if not known.any():
            return 0.0
        jumps = steps[known & (ids[1:] > ids[:-1] + np.uint64(1))] - np.median(steps[known])
        return float(np.sum(jumps[jumps > 0]))


def frames_lost(proposal: Proposal) -> tuple[range, ...]:
    """The frames of the damaged recording that are no more in the repaired one: neither they nor their numbers."""
    if proposal.problem is not None or any(step.code in _MAKE_ALL_ANEW for step in proposal.steps if step.is_taken):
        return ()
    before, after = proposal.before.table, proposal.after.table
    framed = before.column("kind") != RAW
    gone = ~np.isin(before.column("key")[framed], after.column("key"))
    gone &= ~np.isin(before.column("frame_id")[framed], after.column("frame_id"))
    edges = np.flatnonzero(np.diff(np.concatenate(([False], gone, [False])).astype(np.int8)))
    return tuple(range(a, b) for a, b in edges.reshape(-1, 2)[:_MOST_STRETCHES].tolist())
