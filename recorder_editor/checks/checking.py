"""All rules, the check that runs them on a snapshot, the fixes of what they find, and findings after an edit."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

from ..errors import Cancelled, EditError, RecorderError
from ..extensions import NotTaken, offer_extensions, reason_of_exception
from ..progress import SILENT, Progress
from ..recording import Edit, Finding, Recording, Snapshot
from ..recording.findings import Severity
from ..texts import listed, say
from . import (
    attached,
    blueprints,
    lane_use,
    numbers,
    overlaps,
    physics,
    pointers,
    presence,
    records,
    repeated_packets,
    replay,
    reserved_ids,
    simulator_crashes,
    structure,
    times,
)
from .rule import EXTENSION_FAILED, Find, Rule, RuleSet, new_finding

MAX_PER_CODE = 1_000
"""Maximum number of findings of one code that are listed."""

MAX_FIXED_AT_ONCE = 1 << 16
"""Maximum number of findings of one code that `fix_all` keeps in memory and fixes in one step."""

_MAX_ROUNDS = 200

_SUBJECTS = (
    replay,
    attached,
    blueprints,
    repeated_packets,
    simulator_crashes,
    pointers,
    times,
    records,
    overlaps,
    lane_use,
)

_MODULES = (
    structure,
    replay,
    attached,
    reserved_ids,
    simulator_crashes,
    blueprints,
    pointers,
    times,
    physics,
    numbers,
    presence,
    repeated_packets,
    overlaps,
    lane_use,
)
"""The modules with rules, in the order in which the findings of their rules are fixed."""

RULES: tuple[Rule, ...] = (*chain.from_iterable(module.RULES for module in _MODULES), EXTENSION_FAILED)
"""The rules of this program, in the order in which their findings are fixed."""


@cache
def rule_sets() -> tuple[RuleSet, ...]:
    """Return the rules that installed packages add."""
    sets: list[RuleSet] = []
    codes = {rule.code for rule in RULES}

    def take(value: object) -> None:
        if not isinstance(value, RuleSet):
            raise NotTaken(say("It is no {kind}.", kind="RuleSet"))
        own = {rule.code for rule in value.rules}
        if codes & own:
            raise NotTaken(say("There is a rule with the code {code} already.", code=min(codes & own)))
        codes.update(own)
        sets.append(value)

    offer_extensions("recorder_editor.rules", take)
    return tuple(sets)


@cache
def all_rules() -> Mapping[str, Rule]:
    """Return the rules of this program and of installed packages by code, in the order of their fixes."""
    rules = list(RULES)
    for rule_set in rule_sets():
        rules += rule_set.rules
    return {rule.code: rule for rule in rules}


def rule(code: str) -> Rule:
    """Return the rule of a code.

    Raises:
        KeyError: No rule has this code.
    """
    return all_rules()[code]


def check(snapshot: Snapshot, progress: Progress = SILENT, *, rows: range | None = None) -> list[Finding]:
    """The findings of all rules in a recording, in file order; with `rows`, of the structure of these rows alone.

    At most 1,000 findings of one code are listed; a last one of severity `info` counts the rest. Raises `Cancelled`,
    and errors of reading as `Store.read`.
    """
    return _listed(*_find(snapshot, progress, MAX_PER_CODE, rows))


def _find(
    snapshot: Snapshot, progress: Progress, most: int, rows: range | None = None
) -> tuple[list[Finding], Counter[str]]:
    """The findings in file order, at most `most` of each code, and the number of all by code."""
    counts: Counter[str] = Counter()
    if rows is not None:
        findings = structure.find(snapshot, progress, rows)
    else:
        findings = _all(snapshot, progress)
    return sorted(_first(most, findings, counts), key=in_file_order), counts


def in_file_order(finding: Finding) -> tuple[int, int]:
    """Sort key: the place of a finding in the file."""
    return finding.offset or 0, finding.row or 0


def _first(most: int, findings: Iterable[Finding], counts: Counter[str]) -> Iterator[Finding]:
    """The first `most` findings of each code; `counts` counts all."""
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= most:
            yield finding


def _listed(findings: Iterable[Finding], counts: Mapping[str, int]) -> list[Finding]:
    """At most 1,000 findings of each code, and a finding that counts the rest."""
    listed = list(_first(MAX_PER_CODE, findings, Counter()))
    for code, number in counts.items():
        if number > MAX_PER_CODE:
            message = say(
                "{number:,} more findings of the kind {value} are not listed.", number=number - MAX_PER_CODE, value=code
            )
            listed.append(Finding(code, "info", message))
    return listed


def _all(snapshot: Snapshot, progress: Progress) -> Iterator[Finding]:
    finders: list[Find] = [structure.find]
    if snapshot.header is not None and len(snapshot):
        finders += [subject.find for subject in _SUBJECTS]
        finders += [partial(_find_of_package, rule_set) for rule_set in rule_sets()]
    for find, part in progress.parts(finders):
        yield from find(snapshot, part)
    progress.update(len(snapshot), len(snapshot))


def _find_of_package(rule_set: RuleSet, snapshot: Snapshot, progress: Progress) -> Iterator[Finding]:
    """Yield what the rules of an installed package find, or a finding that says why they could not run."""
    try:
        yield from rule_set.find(snapshot, progress)
    except (Cancelled, RecorderError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - code of a package, which must not end the check
        codes = listed(rule.code for rule in rule_set.rules)
        reason = reason_of_exception(error)
        message = say("The rules {codes} could not run: {reason}", codes=codes, reason=reason)
        yield new_finding(EXTENSION_FAILED, message)


# --- fixes ----------------------------------------------------------------------------------------------


def is_fixable(snapshot: Snapshot, finding: Finding) -> bool:
    """Whether an edit can fix a finding."""
    known = all_rules().get(finding.code)
    if known is None or known.fix is None or finding.severity != known.severity or finding.offset is None:
        return False
    try:
        return known.fix.applies is None or known.fix.applies(snapshot, finding)
    except EditError:
        return False


def fixable(snapshot: Snapshot, findings: Iterable[Finding]) -> list[Finding]:
    """The findings that an edit can fix."""
    return [finding for finding in findings if is_fixable(snapshot, finding)]


def fix(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that fixes findings of one code. Raises `EditError` if there is none."""
    chosen = fixable(snapshot, findings)
    known = None
    if chosen:
        known = rule(findings[0].code).fix
    if known is None or len({finding.code for finding in findings}) != 1:
        raise EditError(say("There is no fix for this finding."))
    return known.make(snapshot, chosen)


def fix_all(recording: Recording, severities: Container[Severity], progress: Progress = SILENT) -> list[Finding]:
    """Fix all findings of these severities, code by code; returns the findings that are left.

    At most `MAX_FIXED_AT_ONCE` findings of one code are fixed in one step, after which all rules run again. A code
    whose fix does not reduce the number of its findings is skipped.
    """
    least: dict[str, int] = {}
    for _ in range(_MAX_ROUNDS):
        found, counts = _find(recording.snapshot, progress, MAX_FIXED_AT_ONCE)
        kinds: dict[str, list[Finding]] = {}
        for finding in found:
            if finding.severity in severities:
                kinds.setdefault(finding.code, []).append(finding)
        codes = (code for code in all_rules() if code in kinds)
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
    """Whether findings of one code can be fixed, and their number is smaller than after the last fix."""
    code = findings[0].code
    number = len(fixable(snapshot, findings))
    if not number:
        return False
    number += counts[code] - len(findings)  # those that were not kept may be fixable
    before = least.get(code, number + 1)
    least[code] = number
    return number < before


# --- after an edit -----------------------------------------------------------------------------------


MAX_ROWS = 64
MAX_BYTES = 1 << 20
"""Larger edits are left to the full check."""
Splices = Sequence[tuple[int, int, int]]
"""(row, rows removed, rows inserted), to be applied one after another."""


def updated_findings(
    findings: Sequence[Finding], before: Snapshot, after: Snapshot, splices: Splices
) -> tuple[Finding, ...]:
    """The findings after an edit of few neighbouring rows, in file order, without a full check.

    The structure of changed rows is checked at once; other findings in them are kept while the row exists.
    """
    if before.header is None or after.header is None or len(splices) != 1:
        return tuple(findings)
    ((at, removed, inserted),) = splices
    end = at + removed
    stop = at + inserted
    if inserted > MAX_ROWS or after.position(stop) - after.position(at) > MAX_BYTES:
        return tuple(findings)
    longer = after.position(stop) - before.position(end)
    more = after.table.frame_of_row(stop) - before.table.frame_of_row(end)
    kept: list[Finding] = []
    for finding in findings:
        if finding.row is None or finding.row < at:
            kept.append(finding)
        elif finding.row >= end:
            offset = finding.offset
            frame = finding.frame_index
            offset, frame = None if offset is None else offset + longer, None if frame is None else frame + more
            kept.append(replace(finding, row=finding.row + stop - end, offset=offset, frame_index=frame))
        elif removed == inserted and rule(finding.code).subject != "structure":
            kept.append(finding)
    if inserted:
        found = check(after, rows=range(at, stop))
    else:
        found = []
    kept += [each for each in found if each.row is not None and at <= each.row < stop]
    return tuple(sorted(kept, key=in_file_order))
