"""What a rule is: a code, how grave it is, a sentence, the reason, and the edit that mends it where there is one.

Knows nothing of how findings are made; every subject lists its own rules.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..edits.place import Place
from ..errors import EditError
from ..recording.findings import Finding, Severity
from ..recording.history import Edit
from ..recording.snapshot import Snapshot

Mend = Callable[[Snapshot, Sequence[Finding]], Edit]
"""The edit that mends findings of one rule, one or many. Raises `EditError` where they can not be mended any more."""

Subject = Literal["structure", "references", "time", "physics", "replay"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is looked for.

    Attributes: `code` (of its findings), `severity`, `title` (a sentence: what is wrong), `why` (what comes of it),
    `subject`, `mend` (None: there is no edit that mends it), `fix` (what that edit does, as a command; empty without
    one), `may_mend` (asked for one finding where not all can be mended).
    """

    code: str
    severity: Severity
    title: str
    why: str
    subject: Subject
    mend: Mend | None = None
    fix: str = ""
    may_mend: Callable[[Snapshot, Finding], bool] | None = None

    def found(
        self, message: str, offset: int | None = None, frame: int | None = None, row: int | None = None, size: int = 0
    ) -> Finding:
        """A finding of this rule."""
        return Finding(self.code, self.severity, message, offset, frame, row, size)

    def found_in_frame(self, snapshot: Snapshot, frame: int, message: str) -> Finding:
        """A finding about the times of a frame."""
        row = snapshot.table.row_of_frame(frame)
        return self.found(message, snapshot.position(row), frame, row, 29)


def place_of(snapshot: Snapshot, finding: Finding) -> Place:
    """The packet, and the record where it begins in one, that a finding is about.

    Raises `EditError` where none is there.
    """
    row = None if finding.offset is None else snapshot.row_at(finding.offset)
    if row is None or finding.offset is None:
        raise EditError("What was found is not there any more.")
    packets = snapshot.row(row).packets
    # The first one that ends behind the place; what is told of an empty body stands where the next packet begins.
    found = bisect_right(packets, finding.offset, key=lambda packet: packet.offset + 5 + max(packet.size, 1))
    for packet in packets[found : found + 1]:
        within = finding.offset - packet.offset - 5
        if within >= -5:
            record, _ = packet.decoded.at(within) if within >= 0 else (None, None)
            return Place(row, packet.index, record)
    raise EditError("What was found is in no packet that could be changed.", offset=finding.offset)


def runs(mask: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of true values as (first, number)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8))).reshape(-1, 2)
    return [(first, stop - first) for first, stop in edges.tolist()]
