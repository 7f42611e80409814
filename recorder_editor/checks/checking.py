"""All rules, and the checks that go through them.

One idea: each subject looks at a snapshot and tells what it finds; here it is bounded, put in order and mended.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ..errors import EditError
from ..progress import SILENT, Progress
from ..recording.findings import Finding, Severity
from ..recording.history import Edit
from ..recording.recording import Recording
from ..recording.snapshot import Snapshot
from . import numbers, overlaps, physics, presence, references, simulator_crashes, structure, times
from .rule import Rule

MOST_OF_A_KIND = 1_000
"""Findings of one code that are listed."""

MOST_AT_ONCE = 1 << 16
"""Findings of one code that `mend` keeps in memory and mends in one step."""

_MOST_ROUNDS = 200

RULES = (
    *structure.RULES,
    *references.RULES,
    *presence.RULES,
    *simulator_crashes.RULES,
    *times.RULES,
    *physics.RULES,
    *numbers.RULES,
    *overlaps.RULES,
)
"""Everything that is looked for."""

_BY_CODE: Mapping[str, Rule] = {rule.code: rule for rule in RULES}


def rule(code: str) -> Rule:
    """The rule behind the findings of a code; raises KeyError."""
    return _BY_CODE[code]


def check(snapshot: Snapshot, progress: Progress = SILENT, *, rows: range | None = None) -> list[Finding]:
    """Everything that is wrong with a recording, in file order; of `rows` alone, what a row tells of itself.

    At most 1,000 findings of one code are listed; how many more there are is said in the last one. Raises `Cancelled`,
    and errors of reading as `Store.read`.
    """
    found, counts = _found(snapshot, progress, MOST_OF_A_KIND, rows)
    return _listed(found, counts)


def _found(
    snapshot: Snapshot, progress: Progress, most: int, rows: range | None = None
) -> tuple[list[Finding], Counter[str]]:
    """What is wrong, in file order, at most so many findings of each code; and how many there are."""
    counts: Counter[str] = Counter()
    found = structure.found(snapshot, progress, rows) if rows is not None else _all(snapshot, progress)
    kept = list(_first(most, found, counts))
    return sorted(kept, key=lambda finding: (finding.offset or 0, finding.row or 0)), counts


def _first(most: int, findings: Iterable[Finding], counts: Counter[str]) -> Iterator[Finding]:
    """The first so many of each code; all are counted."""
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= most:
            yield finding


def _listed(found: Iterable[Finding], counts: Mapping[str, int]) -> list[Finding]:
    """Findings as they are told: at most 1,000 of a code, and how many more there are."""
    return [
        *_first(MOST_OF_A_KIND, found, Counter()),
        *(
            Finding(code, "info", f"{number - MOST_OF_A_KIND:,} more findings of the kind {code} are not listed.")
            for code, number in counts.items()
            if number > MOST_OF_A_KIND
        ),
    ]


def _all(snapshot: Snapshot, progress: Progress) -> Iterator[Finding]:
    yield from structure.found(snapshot, progress.part(0.0, 0.3))
    if snapshot.header is None or not len(snapshot):
        return
    yield from references.found(snapshot, progress.part(0.3, 0.5))
    yield from presence.repeated(snapshot, progress.part(0.5, 0.6))
    yield from times.found(snapshot)
    yield from simulator_crashes.found(snapshot, progress.part(0.6, 0.6))
    yield from physics.found(snapshot, progress.part(0.6, 0.7))
    yield from numbers.found(snapshot, progress.part(0.7, 0.9))
    yield from overlaps.found(snapshot, progress.part(0.9, 1.0))
    progress.update(len(snapshot), len(snapshot))


# --- mending --------------------------------------------------------------------------------------------


def is_fixable(snapshot: Snapshot, finding: Finding) -> bool:
    """There is an edit that mends a finding."""
    known = _BY_CODE.get(finding.code)
    if known is None or known.mend is None or finding.severity != known.severity or finding.offset is None:
        return False
    if known.may_mend is None:
        return True
    try:
        return known.may_mend(snapshot, finding)
    except EditError:
        return False


def fix(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that mends findings of one code. Raises `EditError` where that is not possible."""
    codes = {finding.code for finding in findings}
    mendable = fixable(snapshot, findings)
    if len(codes) != 1 or not mendable:
        raise EditError("There is no fix for what was found.")
    make = rule(codes.pop()).mend
    assert make is not None
    return make(snapshot, mendable)


def fixable(snapshot: Snapshot, findings: Iterable[Finding]) -> list[Finding]:
    """Those findings that an edit mends."""
    return [finding for finding in findings if is_fixable(snapshot, finding)]


def mend(recording: Recording, severities: Container[Severity], progress: Progress = SILENT) -> list[Finding]:
    """Apply every fix there is to findings of these severities, kind by kind; returns what is found afterwards.

    All of a kind are mended in one step (`MOST_AT_ONCE` at the most), after which everything is checked anew. A kind
    that its fix does not make fewer is left alone.
    """
    least: dict[str, int] = {}
    for _ in range(_MOST_ROUNDS):
        found, counts = _found(recording.snapshot, progress, MOST_AT_ONCE)
        kinds: dict[str, list[Finding]] = {}
        for finding in found:
            if finding.severity in severities:
                kinds.setdefault(finding.code, []).append(finding)
        codes = (each.code for each in RULES if each.code in kinds)
        chosen = next((code for code in codes if _is_fewer(recording.snapshot, kinds[code], counts, least)), None)
        if chosen is None:
            break
        try:
            recording.apply(fix(recording.snapshot, kinds[chosen]))
        except EditError:
            least[chosen] = 0
    return _listed(found, counts)


def _is_fewer(
    snapshot: Snapshot, findings: Sequence[Finding], counts: Mapping[str, int], least: dict[str, int]
) -> bool:
    """Some findings of one code can be mended, and of these there are fewer than before."""
    code, number = findings[0].code, len(fixable(snapshot, findings))
    if not number:
        return False
    number += counts[code] - len(findings)  # of those that were not kept, nobody knows
    before = least.get(code)
    least[code] = number
    return before is None or number < before
