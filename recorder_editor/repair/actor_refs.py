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

    Attribute: `actors` (ids whose records are removed).
    """

    actors: tuple[int, ...] = ()


def remove_unknown_actors(snapshot: Snapshot, progress: Progress = SILENT) -> UnknownActors:
    """Find records of actors that do not exist, and the splices that remove them. Raises `Cancelled`."""
    found = list[Finding]()
    unknown = dict[int, None]()
    change = UnknownActors()
    for finding in replay.find(snapshot, progress):
        if finding.row is None or int(snapshot.table.row(finding.row)["kind"]) == RAW:
            continue
        if finding.code == replay.REPLAY_ADDED_TWICE.code:
            life, before = duplicate_life(snapshot, finding)
            record = record_at(snapshot, life.added)
            if record == record_at(snapshot, before.added):
                change.doubled += len(record)
                change.findings.append(finding)
        elif finding.code in _UNKNOWN and (actors := _unknown(snapshot, finding)):
            unknown |= dict.fromkeys(actors)
            found.append(finding)
    plan = plan_without_unknown(snapshot, found)
    plan.dropped += [duplicate_life(snapshot, finding)[0].added for finding in change.findings]
    change.splices, change.actors = list(rewrite(snapshot, plan)), tuple(unknown)
    change.findings += found
    if change.splices:
        after = snapshot.after(Edit("", snapshot.version, tuple(change.splices)))
        records = tally(snapshot).records_by_type - tally(after).records_by_type
        del records["EventAdd"]
        change.lost = Tally(bytes=snapshot.size - after.size - change.doubled, records_by_type=records)
    return change


def _unknown(snapshot: Snapshot, finding: Finding) -> list[int]:
    """The ids in the record of a finding that no living actor has."""
    kind, place, actor = record_of(snapshot, finding)
    if kind.keyed != "actors":
        return [actor]
    record = record_at(snapshot, place)
    actors = Actors.of(snapshot)
    frame = snapshot.table.frame_of_row(place.row)
    pair = (int.from_bytes(record[at : at + 4], "little") for at in kind.actor_offsets)
    return [each for each in pair if actors.at(each, frame) is None]
