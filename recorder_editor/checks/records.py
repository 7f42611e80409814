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
    """Yield findings about the records of actors.

    Raises:
        Cancelled: The user stopped it.
    """
    actors = Actors.of(snapshot, progress.quiet())
    tracks = Tracks(snapshot)
    names = list(numbers.TRACKS)
    names.extend(_other_packets(snapshot))
    for track, part in progress.parts(names):
        scans: list[_Scan] = []
        if track == "positions":
            scans.append(physics.MotionScan(snapshot, actors))
            scans.append(attached.AttachedScan(snapshot, actors))
            scans.append(reserved_ids.ReservedIdScan(snapshot, actors))
        if track in numbers.TRACKS:
            scans.append(numbers.ValueScan(snapshot, actors, track))
        packet = COLUMNS[track][0] if track in COLUMNS else track
        scans.append(presence.DuplicateScan(snapshot, packet))
        for block in tracks.blocks(track, progress=part):
            for scan in scans:
                scan.add(block)
        for scan in scans:
            yield from scan.findings()


def _other_packets(snapshot: Snapshot) -> list[str]:
    """Return the names of packets of actors without a track of values, of which only the ids are checked."""
    checked = {COLUMNS[track][0] for track in numbers.TRACKS}
    names = []
    for kind in snapshot.dialect.packets.values():
        has_fixed_records = kind.actor_field is not None and kind.dtype is not None
        if has_fixed_records and not kind.is_recorded_once and kind.name not in checked:
            names.append(kind.name)
    return names
