"""What a rule is: a code, how grave it is, a sentence, the reason, and the edit that fixes it where there is one.

Knows nothing of how findings are made; every subject lists its own rules.
"""

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

    Attributes: `title` (what is done, as a command), `make` (the edit for findings of the rule, one or many; raises
    `EditError` where they cannot be fixed any more), `applies` (asked for one finding where not all can be fixed).
    """

    title: str
    make: Callable[[Snapshot, Sequence[Finding]], Edit]
    applies: Callable[[Snapshot, Finding], bool] | None = None

    @classmethod
    def titled(
        cls, title: str, applies: Callable[[Snapshot, Finding], bool] | None = None
    ) -> Callable[[Callable[[Snapshot, Sequence[Finding]], Edit]], "Fix"]:
        """A decorator that makes a fix of the function that makes its edit."""
        return lambda make: cls(title, make, applies)


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is looked for.

    Attributes: `code` (of its findings), `title` (a sentence: what is wrong), `why` (what comes of it), `fix` (or
    None), `subject`, `severity`.
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
    """The packet, and the record where it begins in one, that a finding is about.

    Raises `EditError` where none is there.
    """
    row = None if finding.offset is None else snapshot.row_at(finding.offset)
    if row is None or finding.offset is None:
        raise EditError("What was found is not there any more.")
    packets = snapshot.row(row).packets
    # The first one that ends behind the place; a finding about an empty body stands where the next packet begins.
    index = bisect_right(packets, finding.offset, key=lambda packet: packet.offset + 5 + max(packet.size, 1))
    for packet in packets[index : index + 1]:
        within = finding.offset - packet.offset - 5
        if within >= -5:
            record, _ = packet.decoded.at(within) if within >= 0 else (None, None)
            return Place(row, packet.index, record)
    raise EditError("What was found is in no packet that could be changed.", offset=finding.offset)


def record_of(snapshot: Snapshot, finding: Finding) -> tuple[PacketType, RecordPlace, int]:
    """Type, place and actor of the record that a finding begins with. Raises `EditError`."""
    row, index, record, _ = place_of(snapshot, finding)
    if index is None or record is None:
        raise EditError("What was found is no record.", offset=finding.offset)
    packet = snapshot.row(row).packets[index]
    if not packet.type.actor_places:
        raise EditError("What was found is no record of an actor.", offset=finding.offset)
    actor = packet.type.actor_in(packet.body[slice(*packet.decoded.span(record))])
    return packet.type, RecordPlace(row, index, record), actor


def counted(number: int, one: str, several: str) -> str:
    """`1 packet`, `1,024 packets`."""
    return f"{number:,} {one if number == 1 else several}"
