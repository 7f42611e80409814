"""What was found about one state of a recording, carried to the next one.

One idea: an edit of a few frames moves what is found behind them and changes what is found in them; only those frames
are looked at again. What concerns the whole recording stays as it was told until everything is checked anew.
"""

from collections.abc import Sequence
from dataclasses import replace

from ..recording.findings import Finding
from ..recording.snapshot import Snapshot
from .checking import check, in_file_order, rule

MOST_ROWS = 64
MOST_BYTES = 1 << 20
"""An edit of more is left to the check of the whole."""

_MOST_FINDINGS = 2_000

Splices = Sequence[tuple[int, int, int]]
"""(row, rows removed, rows inserted), to be applied one after another."""


def followed(findings: Sequence[Finding], before: Snapshot, after: Snapshot, splices: Splices) -> tuple[Finding, ...]:
    """The findings after an edit, as far as they are known without looking at everything; in file order.

    Those about structure in rows that changed are looked for at once; others there are kept where the rows still are.
    """
    if before.header is None or after.header is None or len(findings) > _MOST_FINDINGS:
        return tuple(findings)
    changed = _changed(splices)
    if len(changed) > MOST_ROWS or sum(after.position(row + 1) - after.position(row) for row in changed) > MOST_BYTES:
        return tuple(findings)
    kept = [moved for finding in findings if (moved := _moved(finding, before, after, splices)) is not None]
    found = [one for row in changed for one in check(after, rows=range(row, row + 1)) if one.row == row]
    return tuple(sorted([*kept, *found], key=in_file_order))


def _changed(splices: Splices) -> list[int]:
    """The rows of the new state that are others now."""
    rows: set[int] = set()
    for at, removed, inserted in splices:
        rows = {row if row < at else row + inserted - removed for row in rows if not at <= row < at + removed}
        rows.update(range(at, at + min(inserted, MOST_ROWS + 1)))
    return sorted(rows)


def _moved(finding: Finding, before: Snapshot, after: Snapshot, splices: Splices) -> Finding | None:
    """The finding in the new state; None where it is looked for anew, or its row is gone."""
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
