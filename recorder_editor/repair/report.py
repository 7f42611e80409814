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

    Attributes:
        frames: The number of frames.
        bytes: The number of bytes.
        packets_by_type: The number of packets, by name.
        records_by_type: The number of records, by name of the packet.
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
        """Add packets and records of one type.

        Args:
            name: The name of the packet.
            packets: The number of packets.
            records: The number of records.
            size: The number of bytes.
        """
        self.bytes += size
        if packets:
            self.packets_by_type[name] += packets
        if records:
            self.records_by_type[name] += records

    def add(self, more: "Tally") -> None:
        """Add another tally."""
        self.frames += more.frames
        self.bytes += more.bytes
        self.packets_by_type.update(more.packets_by_type)
        self.records_by_type.update(more.records_by_type)

    def __bool__(self) -> bool:
        return bool(self.frames or self.bytes or self.packets or self.records)

    def as_json(self) -> dict[str, object]:
        """Return the numbers as JSON, as documented in the guide."""
        by_type = {}
        for name in sorted(self.packets_by_type | self.records_by_type):
            by_type[name] = {"packets": self.packets_by_type[name], "records": self.records_by_type[name]}
        return {
            "frames": self.frames,
            "packets": self.packets,
            "records": self.records,
            "bytes": self.bytes,
            "by_type": by_type,
        }


def tally(snapshot: Snapshot) -> Tally:
    """Count the contents of frames and raw rows; FrameStart and FrameEnd count as the frame."""
    result = Tally(len(snapshot), snapshot.size - len(snapshot.header_bytes))
    for number, counted in packet_counts(snapshot).items():
        if number > 1:
            result.count(snapshot.dialect.packet(number).name, counted.count, counted.records)
    for row in np.flatnonzero(snapshot.table.column("kind") == RAW).tolist():
        for packet in snapshot.row(row).packets:
            if packet.id <= 1:
                continue
            records = 0
            if packet.type.body == "single":
                records = 1
            elif packet.type.body == "list":
                records = int.from_bytes(packet.body[:2], "little")
            result.count(packet.name, 1, records)
    return result


@dataclass
class RepairChange:
    """What a step of a repair does.

    Attributes:
        splices: The rows that it replaces.
        findings: The problems that it repairs.
        lost: What it loses.
        doubled: The number of bytes removed without loss.
        added: The number of bytes that are not in the file.
    """

    splices: list[Splice] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    lost: Tally = field(default_factory=Tally)
    doubled: int = 0
    added: int = 0

    def add(self, change: "RepairChange") -> None:
        """Add a change that is made after this one."""
        self.splices += change.splices
        self.findings += change.findings
        self.lost.add(change.lost)
        self.doubled += change.doubled
        self.added += change.added


@dataclass(frozen=True)
class LossReport:
    """What a repair keeps and loses.

    Attributes:
        kept: The contents of the result; `bytes` are those taken from the file.
        lost: The contents of the file, and frames missing by id, that the result lacks.
        doubled: The number of bytes removed without loss: duplicates and filler.
        added: The number of bytes of the result that are not in the file.
        actors: The ids without an actor; their records were removed.
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
        """Return `kept`, `lost` and `lossless` as JSON, as documented in the guide."""
        lost = self.lost.as_json()
        lost["actors"] = list(self.actors)
        return {"lost": lost, "kept": self.kept.as_json(), "lossless": self.lossless}


# --- what is still wrong -----------------------------------------------------------------------------


def find_errors(snapshot: Snapshot, progress: Progress = SILENT) -> list[Finding]:
    """Return the findings of severity `error` in a state."""
    return [finding for finding in check(snapshot, progress) if finding.severity == "error"]


def find_errors_in_file(path: Path, dialect: str | None = None, progress: Progress = SILENT) -> list[Finding]:
    """Return the findings of severity `error` in a file, those of the scan first.

    Args:
        path: The file.
        dialect: The name of its dialect; None to detect it.
        progress: Counts the work of the checks.

    Raises:
        OSError: The file cannot be read.
        Cancelled: The user stopped it.
    """
    with open_recording(path, dialect=dialect) as recording:
        checked = find_errors(recording.snapshot, progress)
        places = {(finding.code, finding.offset) for finding in checked}
        errors = []
        for finding in recording.findings:
            if finding.severity == "error" and (finding.code, finding.offset) not in places:
                errors.append(finding)
        return errors + checked
