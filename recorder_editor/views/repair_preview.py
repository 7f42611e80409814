"""The preview of a repair, computed as a job: the proposal, amounts before and after, and the frames lost.

Knows snapshots and the file of another copy, no widget; changes nothing.
"""

import shlex
from collections.abc import Iterable
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
_MOST_SPANS = 4000


class RepairRequest(NamedTuple):
    """The input of a preview: the state, the steps that are left out, and what a person entered.

    Attributes:
        snapshot: State to repair.
        passed_over: Codes of the steps that are left out.
        last_good_frame: Index of the last frame that may stay; None: all may.
        map_name: Name of the map; None: as the file has it.
        donor: File of another copy of the recording, or None.
    """

    snapshot: Snapshot
    passed_over: frozenset[str] = frozenset()
    last_good_frame: int | None = None
    map_name: str | None = None
    donor: Path | None = None

    @property
    def parts(self) -> frozenset[str] | None:
        """Codes of the steps to take; None for all."""
        if self.passed_over:
            return frozenset(TITLES) - self.passed_over
        return None

    @property
    def is_whole(self) -> bool:
        """Whether all steps are taken, and no frames left out but those that are damaged."""
        return not self.passed_over and self.last_good_frame is None

    def is_same(self, other: "RepairRequest | None") -> bool:
        """Return whether another request is for the same preview of the same state."""
        return other is not None and other.snapshot is self.snapshot and other[1:] == self[1:]

    def command_line(self, source: str, target: str, more: Iterable[str] = ()) -> str:
        """Return the command that repairs a file in this way; it cannot express a request that is not `is_whole`.

        Args:
            source: Path of the damaged file.
            target: Path of the repaired file.
            more: Further words.
        """
        arguments = ["recorder-editor", "repair", source, target]
        if self.donor is not None:
            arguments += ["--donor", str(self.donor)]
        if self.map_name:
            arguments += ["--map", self.map_name]
        arguments += more
        return shlex.join(arguments)


@dataclass(frozen=True, slots=True)
class Amount:
    """How much a state holds.

    Attributes:
        frames: Number of frames.
        seconds: Length, s, without that of missing frames.
        packets: Number of packets.
        records: Number of records.
        actors: Number of actors.
        size: Number of bytes.
    """

    frames: int = 0
    seconds: float = 0.0
    packets: int = 0
    records: int = 0
    actors: int = 0
    size: int = 0


@dataclass(frozen=True)
class RepairPreview:
    """A proposal and its effect.

    Attributes:
        request: The request.
        proposal: The proposal.
        now: Amount before the repair.
        after: Amount after it; zeros where nothing can be repaired.
        seconds_lost: Length that is lost or missing, s.
        frames_lost: Spans of frame indices in the damaged recording, rising, without overlap.
    """

    request: RepairRequest
    proposal: Proposal
    now: Amount
    after: Amount
    seconds_lost: float
    frames_lost: tuple[range, ...]

    def step(self, code: str) -> RepairStep | None:
        """Return the proposed step of a code; None where there is none."""
        for step in self.proposal.steps:
            if step.code == code:
                return step
        return None


def preview_repair(wanted: RepairRequest, progress: Progress = SILENT) -> RepairPreview:
    """Compute the preview of a repair.

    Args:
        wanted: The request.
        progress: Told how far it is.

    Raises:
        EditError: The donor is no copy of the recording.
        OSError: A file cannot be read; also further errors of reading.
        Cancelled: The progress was cancelled.
    """
    if wanted.donor is None:
        proposal = _propose(wanted, None, progress)
    else:
        with open_recording(wanted.donor, progress=progress.part(0, 0)) as donor:
            proposal = _propose(wanted, donor.snapshot, progress)
    now = _amount(proposal.before)
    if proposal.problem is not None:
        return RepairPreview(
            request=wanted, proposal=proposal, now=now, after=Amount(), seconds_lost=now.seconds, frames_lost=()
        )
    after = _amount(proposal.after)
    return RepairPreview(
        request=wanted,
        proposal=proposal,
        now=now,
        after=after,
        seconds_lost=max(0.0, now.seconds - after.seconds) + _missing_seconds(proposal.after),
        frames_lost=frames_lost(proposal),
    )


def _propose(wanted: RepairRequest, donor: Snapshot | None, progress: Progress) -> Proposal:
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
    counts = tally(snapshot)
    size = outcome(snapshot)
    seconds = 0.0
    if np.isfinite(size.seconds) and size.seconds > 0:
        seconds = size.seconds
    missing = min(_missing_seconds(snapshot), seconds)
    return Amount(
        frames=counts.frames,
        seconds=seconds - missing,
        packets=counts.packets,
        records=counts.records,
        actors=size.actors,
        size=snapshot.size,
    )


def _missing_seconds(snapshot: Snapshot) -> float:
    """Return the length of frames whose numbers are missing between two frames, s."""
    ids = snapshot.frame_column("frame_id").astype(np.uint64)
    with np.errstate(invalid="ignore", over="ignore"):  # the times of a damaged file may be any number
        steps = np.diff(snapshot.elapsed)
        is_finite = np.isfinite(steps)
        if not is_finite.any():
            return 0.0
        is_jump = ids[1:] > ids[:-1] + np.uint64(1)
        excess = steps[is_finite & is_jump] - np.median(steps[is_finite])
        return float(np.sum(excess[excess > 0]))


def frames_lost(proposal: Proposal) -> tuple[range, ...]:
    """Return the frames of the damaged recording that are not in the repaired one, neither they nor their numbers.

    Returns:
        Spans of frame indices, rising, the first 4,000; none where the repair writes the whole recording anew.
    """
    if proposal.problem is not None or _makes_all_anew(proposal):
        return ()
    before = proposal.before.table
    after = proposal.after.table
    is_frame = before.column("kind") != RAW
    is_lost = ~np.isin(before.column("key")[is_frame], after.column("key"))
    is_lost &= ~np.isin(before.column("frame_id")[is_frame], after.column("frame_id"))
    padded = np.concatenate(([False], is_lost, [False]))
    edges = np.flatnonzero(np.diff(padded.astype(np.int8)))
    spans = edges.reshape(-1, 2)[:_MOST_SPANS].tolist()
    return tuple(range(start, stop) for start, stop in spans)


def _makes_all_anew(proposal: Proposal) -> bool:
    return any(step.is_taken and step.code in _MAKE_ALL_ANEW for step in proposal.steps)
