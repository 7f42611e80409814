"""What a report tells of one recording, read once: numbers, findings, trajectories, contacts, risks, notes, edits."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from ...analysis.constants import RISK_TTC
from ...analysis.libraries import AnalysisError, LibraryMissing
from ...analysis.recording import RISK, Analysis, of_recording
from ...arrays import StructuredArray
from ...checks import check
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...reading.actors import NO_ACTOR
from ...reading.lanes import LaneUse
from ...reading.road_users import RoadUsers
from ...reading.trajectories import Trajectories, Trajectory, find_trajectories
from ...recording import Finding, Snapshot
from ...recording.findings import DAMAGE
from ...recording.note import Note
from ...repair import propose
from ...reports.overview import Overview
from ...roads import RoadMap
from ..health import Health, health_of
from ..streets import Streets, streets_of

RISKY: Final[float] = RISK_TTC[0]
"""TTC (s) below which there is a risk."""

VERY_RISKY: Final[float] = RISK_TTC[1]
"""TTC (s) below which it is a high one."""

_PIECE = 4 << 20  # bytes that are hashed at a time


class Source(NamedTuple):
    """A state of a recording that is to be reported.

    Attributes:
        path: The file.
        snapshot: The state.
        edits: The names of the edits since the file was opened, oldest first.
    """

    path: Path
    snapshot: Snapshot
    edits: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Contact:
    """Two actors that collide in frames that follow one another.

    Attributes:
        first: Index of its first frame.
        last: Index of its last frame.
        records: The number of records.
        actors: The ids of both, a hero first; `NO_ACTOR` for an object that is no actor.
        lives: Their lives; None: no actor of the id is alive.
    """

    first: int
    last: int
    records: int
    actors: tuple[int, int]
    lives: tuple[Life | None, Life | None]

    @property
    def known(self) -> list[Life]:
        """The lives that are known."""
        return [life for life in self.lives if life is not None]


@dataclass(frozen=True, slots=True)
class Risk:
    """The worst moment of a road user that comes near the one ahead of it.

    Attributes:
        life: The one behind.
        leader: The one ahead.
        frame: Index of the frame.
        ttc: Time to collision, s.
        gap: From bumper to bumper along its way, m; negative where they overlap.
        closing: How fast the gap closes, m/s.
        times: How often the two come near each other.
    """

    life: Life
    leader: Life
    frame: int
    ttc: float
    gap: float
    closing: float
    times: int


@dataclass(frozen=True, eq=False)
class Subject:
    """What is known of a recording.

    Attributes:
        source: The state that is reported.
        overview: What it holds.
        findings: What the check finds.
        health: Its state.
        digest: SHA-256 of its bytes, as 64 digits.
        trajectories: The trajectories of all actors.
        users: The boxes of its road users.
        analysis: Who follows whom; None where that cannot be computed.
        no_analysis: Why it cannot.
        mover: The hero, or else the road user that drives farthest; None without one that moves.
        contacts: The contacts in order of time.
        risks: The worst moment of each pair that has no contact, the worst first.
        roads: Its road map; None without one that fits.
        streets: The streets that recorded paths make.
    """

    source: Source
    overview: Overview
    findings: Sequence[Finding]
    health: Health
    digest: str
    trajectories: Trajectories
    users: RoadUsers
    analysis: Analysis | None
    no_analysis: str
    mover: Trajectory | None
    contacts: Sequence[Contact]
    risks: Sequence[Risk]
    roads: RoadMap | None
    streets: Streets

    @property
    def snapshot(self) -> Snapshot:
        """The state that is reported."""
        return self.source.snapshot

    @property
    def notes(self) -> Sequence[Note]:
        """The notes in the order of their frames, those of frames that are gone last."""
        return sorted(self.snapshot.context.notes, key=lambda note: note.place)

    @property
    def has_hero(self) -> bool:
        """Whether the one that the charts are about is a hero."""
        return self.mover is not None and self.mover.life is not None and self.mover.life.is_hero

    @property
    def every_risk(self) -> StructuredArray:
        """All stretches at risk, dtype `RISK`; none where they cannot be computed."""
        if self.analysis is None:
            return np.zeros(0, RISK)
        return self.analysis.risks


def read_subject(source: Source, progress: Progress = SILENT) -> Subject:
    """Read what a report tells of a recording.

    Args:
        source: The state.
        progress: Counts parts of the work.

    Raises:
        LibraryMissing: SciPy is not installed.
        Cancelled: The user stopped it.
        OSError: The file cannot be read, as by `Store.read`.
    """
    snapshot = source.snapshot
    trajectories = find_trajectories(snapshot, progress.part(0.0, 0.1))
    overview = Overview.of(snapshot, progress.part(0.1, 0.15), trajectories)
    findings = check(snapshot, progress.part(0.15, 0.4))
    proposal = None
    damage = [finding for finding in findings if finding.code in DAMAGE and finding.severity == "error"]
    if damage:
        proposal = propose(snapshot, progress=progress.part(0.4, 0.5))
    analysis = None
    no_analysis = ""
    try:
        analysis = of_recording(snapshot, progress=progress.part(0.5, 0.95))
    except LibraryMissing:
        raise
    except AnalysisError as error:
        no_analysis = str(error)
    contacts = _contacts(trajectories.actors, len(snapshot))
    return Subject(
        source=source,
        overview=overview,
        findings=findings,
        health=health_of(snapshot, damage, findings, proposal),
        digest=_digest(snapshot, progress.part(0.95, 1.0)),
        trajectories=trajectories,
        users=RoadUsers(snapshot, progress.quiet()),
        analysis=analysis,
        no_analysis=no_analysis,
        mover=_mover(trajectories),
        contacts=contacts,
        risks=_risks(analysis, contacts),
        roads=_fitting_roads(snapshot, progress.quiet()),
        streets=streets_of(trajectories),
    )


def _digest(snapshot: Snapshot, progress: Progress) -> str:
    """Return the SHA-256 of the bytes of a state."""
    hasher = hashlib.sha256()
    for start in range(0, snapshot.size, _PIECE):
        progress.update(start, snapshot.size)
        hasher.update(snapshot.read(start, min(_PIECE, snapshot.size - start)))
    return hasher.hexdigest()


def _fitting_roads(snapshot: Snapshot, progress: Progress) -> RoadMap | None:
    """Return the road map of a state, unless it is that of another town."""
    use = LaneUse.of(snapshot, progress)
    if use is not None and not use.fits:
        return None
    return snapshot.roads


def _mover(trajectories: Trajectories) -> Trajectory | None:
    """Return the hero that drives farthest, or else the road user that does; None where none moves."""
    best: Trajectory | None = None
    for trajectory in trajectories.trajectories:
        life = trajectory.life
        if life is None or not life.is_road_user or not len(trajectory.path):
            continue
        if not life.is_hero and not trajectory.distance > 0:
            continue
        if best is None or _rank(trajectory) > _rank(best):
            best = trajectory
    return best


def _rank(trajectory: Trajectory) -> tuple[bool, float]:
    is_hero = trajectory.life is not None and trajectory.life.is_hero
    return is_hero, trajectory.distance


def _contacts(actors: Actors, frames: int) -> list[Contact]:
    contacts = []
    for row in actors.contacts:
        first = int(row["first"])
        last = int(row["last"])
        if last >= frames:  # a packet behind the last frame
            continue
        sides = [(actor, actors.at(actor, first)) for actor in (int(row["actor1"]), int(row["actor2"]))]
        sides.sort(key=lambda side: (side[0] == NO_ACTOR, side[1] is None or not side[1].is_hero))
        contact = Contact(
            first=first,
            last=last,
            records=int(row["records"]),
            actors=(sides[0][0], sides[1][0]),
            lives=(sides[0][1], sides[1][1]),
        )
        contacts.append(contact)
    return contacts


def _risks(analysis: Analysis | None, contacts: Sequence[Contact]) -> list[Risk]:
    """Return the worst moment of each pair without a contact, the worst first."""
    if analysis is None:
        return []
    touching = {frozenset(life.index for life in contact.known) for contact in contacts}
    by_pair: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for life, leader, ttc, worst in analysis.risks[["life", "leader", "ttc", "worst"]].tolist():
        if frozenset((life, leader)) not in touching:
            by_pair.setdefault((life, leader), []).append((ttc, worst))
    risks = []
    for (life, leader), moments in by_pair.items():
        ttc, frame = min(moments)
        row = analysis.row_at(life, frame)
        if row is None:
            continue
        risk = Risk(
            life=analysis.actors.lives[life],
            leader=analysis.actors.lives[leader],
            frame=frame,
            ttc=ttc,
            gap=float(analysis.columns["dist_headway"][row]),
            closing=float(analysis.columns["rel_velocity"][row]),
            times=len(moments),
        )
        risks.append(risk)
    return sorted(risks, key=lambda risk: (risk.ttc, risk.gap, risk.frame))
