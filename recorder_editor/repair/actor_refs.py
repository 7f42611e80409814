"""Removal of records of actors that do not exist: never created, already deleted, created twice, unknown parents.

The rules of `checks/replay.py` find them; unlike their fixes, this keeps every EventAdd but exact repetitions.
"""

from dataclasses import dataclass

from ..checks import replay
from ..checks.fixes import duplicate_life, plan_without_unknown
from ..checks.rule import record_of
from ..edits.actors.rewrite import rewrite
from ..progress import SILENT, Progress
from ..reading import Actors
from ..recording import RAW, Edit, Finding, Snapshot
from ..recording.place import record_at
from .report import RepairChange, Tally, tally

_UNKNOWN = (
    replay.REPLAY_MOVES_UNKNOWN.code,
    replay.REPLAY_UNKNOWN_ACTOR.code,
    replay.REPLAY_DELETED_UNKNOWN.code,
    replay.REPLAY_PARENT_UNKNOWN.code,
)


@dataclass
class UnknownActors(RepairChange):
    """The removal of records of actors that do not exist; `doubled` are the bytes of repeated EventAdd records.

    Attributes:
        actors: The ids that do not exist; their records are removed.
    """

    actors: tuple[int, ...] = ()


def remove_unknown_actors(snapshot: Snapshot, progress: Progress = SILENT) -> UnknownActors:
    """Find records of actors that do not exist, and the splices that remove them.

    Args:
        snapshot: The state of the recording.
        progress: Counts the work of the check.

    Raises:
        Cancelled: The user stopped it.
    """
    change = UnknownActors()
    repeated: list[Finding] = []
    findings: list[Finding] = []
    actors: dict[int, None] = {}
    for finding in replay.find(snapshot, progress):
        if finding.row is None or int(snapshot.table.row(finding.row)["kind"]) == RAW:
            continue
        if finding.code == replay.REPLAY_ADDED_TWICE.code:
            life, before = duplicate_life(snapshot, finding)
            record = record_at(snapshot, life.added)
            if record == record_at(snapshot, before.added):
                change.doubled += len(record)
                repeated.append(finding)
        elif finding.code in _UNKNOWN:
            unknown = _unknown_in(snapshot, finding)
            if unknown:
                actors.update(dict.fromkeys(unknown))
                findings.append(finding)
    plan = plan_without_unknown(snapshot, findings)
    for finding in repeated:
        life, _ = duplicate_life(snapshot, finding)
        plan.dropped.append(life.added)
    change.splices = list(rewrite(snapshot, plan))
    change.actors = tuple(actors)
    change.findings = repeated + findings
    if change.splices:
        after = snapshot.after(Edit("", snapshot.version, tuple(change.splices)))
        records = tally(snapshot).records_by_type - tally(after).records_by_type
        del records["EventAdd"]
        change.lost = Tally(bytes=snapshot.size - after.size - change.doubled, records_by_type=records)
    return change


def _unknown_in(snapshot: Snapshot, finding: Finding) -> list[int]:
    """Return the ids in the record of a finding that no living actor has."""
    kind, place, actor = record_of(snapshot, finding)
    if kind.keyed != "actors":
        return [actor]
    record = record_at(snapshot, place)
    actors = Actors.of(snapshot)
    frame = snapshot.table.frame_of_row(place.row)
    unknown = []
    for offset in kind.actor_offsets:
        id_ = int.from_bytes(record[offset : offset + 4], "little")
        if actors.at(id_, frame) is None:
            unknown.append(id_)
    return unknown
