"""`Rule` and `Fix`, and the packet, record and actor that a finding is about. Each subject lists its own rules."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..edits.place import Place
from ..errors import EditError
from ..format.schema import PacketType
from ..recording.findings import Finding, Severity
from ..recording.history import Edit
from ..recording.lives import RecordPlace
from ..recording.snapshot import Snapshot

Subject = Literal["structure", "references", "time", "physics", "replay"]


@dataclass(frozen=True, slots=True)
class Fix:
    """How findings of one rule are fixed.

    Attributes: `title` (a command), `make` (the edit that fixes findings of the rule; raises `EditError`), `applies`
    (whether a finding can be fixed; None: all can).
    """

    title: str
    make: Callable[[Snapshot, Sequence[Finding]], Edit]
    applies: Callable[[Snapshot, Finding], bool] | None = None

    @classmethod
    def titled(
        cls, title: str, applies: Callable[[Snapshot, Finding], bool] | None = None
    ) -> Callable[[Callable[[Snapshot, Sequence[Finding]], Edit]], "Fix"]:
        """A decorator that makes a fix of its `make` function."""
        return lambda make: cls(title, make, applies)


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of problem.

    Attributes: `code` (of its findings), `title` (a sentence: what is wrong), `why` (the consequence), `fix` (or None),
    `subject`, `severity`.
    """

    code: str
    title: str
    why: str
    fix: Fix | None = None
    subject: Subject = "structure"
    severity: Severity = "error"

    def finding(
        self, message: str, offset: int | None = None, frame: int | None = None, row: int | None = None, size: int = 0
    ) -> Finding:
        """A finding of this rule."""
        return Finding(self.code, self.severity, message, offset, frame, row, size)


def place_of(snapshot: Snapshot, finding: Finding) -> Place:
    """The packet, and the record if the offset is in one, that a finding is about. Raises `EditError`."""
    row = None if finding.offset is None else snapshot.row_at(finding.offset)
    if row is None or finding.offset is None:
        raise EditError("The data of this finding no longer exists.")
    packets = snapshot.row(row).packets
    # The first packet that ends after the offset; that of a finding about an empty body is the end of its packet.
    index = bisect_right(packets, finding.offset, key=lambda packet: packet.offset + 5 + max(packet.size, 1))
    for packet in packets[index : index + 1]:
        within = finding.offset - packet.offset - 5
        if within >= -5:
            record, _ = packet.decoded.at(within) if within >= 0 else (None, None)
            return Place(row, packet.index, record)
    raise EditError("This finding is in no packet that can be changed.", offset=finding.offset)


def record_of(snapshot: Snapshot, finding: Finding) -> tuple[PacketType, RecordPlace, int]:
    """Packet type, place and actor id of the record of a finding. Raises `EditError`."""
    row, index, record, _ = place_of(snapshot, finding)
    if index is None or record is None:
        raise EditError("This finding is not about a record.", offset=finding.offset)
    packet = snapshot.row(row).packets[index]
    if not packet.type.actor_offsets:
        raise EditError("This finding is not about a record of an actor.", offset=finding.offset)
    actor = packet.type.actor_in(packet.decoded.raw(record))
    return packet.type, RecordPlace(row, index, record), actor
