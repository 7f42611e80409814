"""The records of actors, read once for all rules about them."""

from collections.abc import Iterator

from ..progress import SILENT, Progress
from ..reading import Actors, Tracks
from ..reading.tracks import COLUMNS
from ..recording import Finding, Snapshot
from . import attached, numbers, physics, presence, reserved_ids

_Scan = (
    physics.MotionScan
    | attached.AttachedScan
    | numbers.ValueScan
    | presence.DuplicateScan
    | reserved_ids.ReservedIdScan
)


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Findings about the records of actors. Raises `Cancelled`."""
    actors = Actors.of(snapshot, progress.quiet())
    tracks = Tracks(snapshot)
    checked = {COLUMNS[track][0] for track in numbers.TRACKS}
    others = []
    for kind in snapshot.dialect.packets.values():
        if (
            kind.actor_field is not None
            and kind.dtype is not None
            and not kind.is_recorded_once
            and kind.name not in checked
        ):
            others.append(kind.name)
    for track, part in progress.parts([*numbers.TRACKS, *others]):
        scans: list[_Scan] = []
        if track == "positions":
            scans.append(physics.MotionScan(snapshot, actors))
            scans.append(attached.AttachedScan(snapshot, actors))
            scans.append(reserved_ids.ReservedIdScan(snapshot, actors))
        if track in numbers.TRACKS:
            scans.append(numbers.ValueScan(snapshot, actors, track))
        scans.append(presence.DuplicateScan(snapshot, COLUMNS[track][0] if track in COLUMNS else track))
        for block in tracks.blocks(track, progress=part):
            for scan in scans:
                scan.add(block)
        for scan in scans:
            yield from scan.findings()
