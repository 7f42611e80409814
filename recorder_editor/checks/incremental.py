"""Findings of one state of a recording, updated for the next one.

An edit of a few frames moves the findings after them; only the structure of the changed frames is checked again. Other
findings stay as they are until the next full check.
"""

from collections.abc import Sequence
from dataclasses import replace

from ..recording.findings import Finding
from ..recording.snapshot import Snapshot
from .checking import check, in_file_order, rule

MAX_ROWS = 64
MAX_BYTES = 1 << 20
"""Larger edits are left to the full check."""

_MAX_FINDINGS = 2_000

Splices = Sequence[tuple[int, int, int]]
"""(row, rows removed, rows inserted), to be applied one after another."""


def updated_findings(
    findings: Sequence[Finding], before: Snapshot, after: Snapshot, splices: Splices
) -> tuple[Finding, ...]:
    """The findings after an edit, in file order, without a full check.

    The structure of changed rows is checked at once; other findings in them are kept while the row exists.
    """
    if before.header is None or after.header is None or len(findings) > _MAX_FINDINGS:
        return tuple(findings)
    changed = _changed(splices)
    if len(changed) > MAX_ROWS or sum(after.position(row + 1) - after.position(row) for row in changed) > MAX_BYTES:
        return tuple(findings)
    kept = [moved for finding in findings if (moved := _moved(finding, before, after, splices)) is not None]
    found = [one for row in changed for one in check(after, rows=range(row, row + 1)) if one.row == row]
    return tuple(sorted([*kept, *found], key=in_file_order))


def _changed(splices: Splices) -> list[int]:
    """The rows of the new state that changed."""
    rows: set[int] = set()
    for at, removed, inserted in splices:
        rows = {row if row < at else row + inserted - removed for row in rows if not at <= row < at + removed}
        rows.update(range(at, at + min(inserted, MAX_ROWS + 1)))
    return sorted(rows)


def _moved(finding: Finding, before: Snapshot, after: Snapshot, splices: Splices) -> Finding | None:
    """The finding in the new state; None if its row is checked again or removed."""
    if finding.row is None or not 0 <= finding.row < before.rows:
        return finding
    row, touched = finding.row, False
    for at, removed, inserted in splices:
        if at <= row < at + removed:
            touched = True
            if removed != inserted:
                return None
        elif row >= at + removed:
            row += inserted - removed
    if touched and rule(finding.code).subject == "structure":
        return None
    offset, frame = finding.offset, finding.frame_index
    if offset is not None:
        offset += after.position(row) - before.position(finding.row)
    if frame is not None:
        frame += after.table.frame_of_row(row) - before.table.frame_of_row(finding.row)
    return replace(finding, row=row, offset=offset, frame_index=frame)
