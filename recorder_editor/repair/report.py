"""What a repair changes, keeps and loses, and the verification of its result by all rules."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..checks import check
from ..progress import SILENT, Progress
from ..recording import RAW, Finding, Snapshot, Splice, open_recording
from ..reports.statistics import packet_counts


@dataclass
class Tally:
    """Numbers of frames and bytes, and of packets and records by packet name.

    Attributes: `frames`, `bytes`, `packets_by_type`, `records_by_type`.
    """

    frames: int = 0
    bytes: int = 0
    packets_by_type: Counter[str] = field(default_factory=Counter)
    records_by_type: Counter[str] = field(default_factory=Counter)

    @property
    def packets(self) -> int:
        """Packets of all types."""
        return self.packets_by_type.total()

    @property
    def records(self) -> int:
        """Records of all types."""
        return self.records_by_type.total()

    def count(self, name: str, packets: int = 0, records: int = 0, size: int = 0) -> None:
        """Add packets and records of one type, and `size` bytes."""
        self.bytes += size
        if packets:
            self.packets_by_type[name] += packets
        if records:
            self.records_by_type[name] += records

    def add(self, other: "Tally") -> None:
        """Add another tally."""
        self.frames += other.frames
        self.bytes += other.bytes
        self.packets_by_type.update(other.packets_by_type)
        self.records_by_type.update(other.records_by_type)

    def __bool__(self) -> bool:
        return bool(self.frames or self.bytes or self.packets or self.records)

    def as_json(self) -> dict[str, object]:
        """JSON as documented in the guide."""
        names = sorted(name for name in self.packets_by_type | self.records_by_type)
        return {
            "frames": self.frames,
            "packets": self.packets,
            "records": self.records,
            "bytes": self.bytes,
            "by_type": {
                name: {"packets": self.packets_by_type[name], "records": self.records_by_type[name]} for name in names
            },
        }


def tally(snapshot: Snapshot) -> Tally:
    """The contents of frames and raw rows; FrameStart and FrameEnd count as the frame."""
    found = Tally(len(snapshot), snapshot.size - len(snapshot.header_bytes))
    for number, counted in packet_counts(snapshot).items():
        if number > 1:
            found.count(snapshot.dialect.packet(number).name, counted.count, counted.records)
    for row in np.flatnonzero(snapshot.table.column("kind") == RAW).tolist():
        for packet in snapshot.row(row).packets:
            if packet.id > 1:
                records = {"single": 1, "list": int.from_bytes(packet.body[:2], "little")}
                found.count(packet.name, 1, records.get(packet.type.body, 0))
    return found


@dataclass
class RepairChange:
    """What a step of a repair does.

    Attributes: `splices`, `findings`, `lost`, `doubled` (bytes removed without loss), `added` (bytes that are not in
    the file).
    """

    splices: list[Splice] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    lost: Tally = field(default_factory=Tally)
    doubled: int = 0
    added: int = 0

    def add(self, other: "RepairChange") -> None:
        """Add another change, which is made after this one."""
        self.splices += other.splices
        self.findings += other.findings
        self.lost.add(other.lost)
        self.doubled += other.doubled
        self.added += other.added


@dataclass(frozen=True)
class LossReport:
    """What a repair keeps and loses.

    Attributes: `kept` (contents of the result; `bytes`: those taken from the file), `lost` (contents of the file, and
    frames missing by id, that the result lacks), `doubled` (bytes removed without loss: duplicates and filler), `added`
    (bytes of the result that are not in the file), `actors` (ids without an actor, whose records were removed).
    """

    kept: Tally
    lost: Tally
    doubled: int = 0
    added: int = 0
    actors: tuple[int, ...] = ()

    @property
    def lossless(self) -> bool:
        """Whether nothing is known to be lost."""
        return not self.lost

    def as_json(self) -> dict[str, object]:
        """`kept`, `lost` and `lossless` as JSON, as documented in the guide."""
        lost = {**self.lost.as_json(), "actors": list(self.actors)}
        return {"lost": lost, "kept": self.kept.as_json(), "lossless": self.lossless}


# --- what is still wrong -----------------------------------------------------------------------------


def find_errors(snapshot: Snapshot, progress: Progress = SILENT) -> list[Finding]:
    """The findings of severity `error` in a state."""
    return [finding for finding in check(snapshot, progress) if finding.severity == "error"]


def find_errors_in_file(path: Path, dialect: str | None = None, progress: Progress = SILENT) -> list[Finding]:
    """The findings of severity `error` in a file, with those of the scan. Raises OSError, `Cancelled`."""
    with open_recording(path, dialect=dialect) as recording:
        found = find_errors(recording.snapshot, progress)
        known = {(finding.code, finding.offset) for finding in found}
        scanned = []
        for each in recording.findings:
            if each.severity == "error":
                scanned.append(each)
        return [each for each in scanned if (each.code, each.offset) not in known] + found
