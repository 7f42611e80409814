"""All rules, the check that runs them on a snapshot, the fixes of what they find, and findings after an edit."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from ..errors import Cancelled, EditError, RecorderError
from ..extensions import NotTaken, offer_extensions, reason_of_exception
from ..progress import SILENT, Progress
from ..recording import Edit, Finding, Recording, Snapshot
from ..recording.findings import Severity
from ..texts import N_, listed, say
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
from .rule import EXTENSION_FAILED, MAX_PER_CODE, DeferredFinding, Find, Found, MoreFindings, Rule, RuleSet, new_finding

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


def _own_rules() -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for module in _MODULES:
        rules.extend(module.RULES)
    rules.append(EXTENSION_FAILED)
    return tuple(rules)


RULES: tuple[Rule, ...] = _own_rules()
"""The rules of this program, in the order in which their findings are fixed."""


@cache
def rule_sets() -> tuple[RuleSet, ...]:
    """Return the rules that installed packages add."""
    sets: list[RuleSet] = []
    codes = {rule.code for rule in RULES}

    def add_rules(value: object) -> None:
        if not isinstance(value, RuleSet):
            raise NotTaken(say("It is no {kind}.", kind="RuleSet"))
        new_codes = {rule.code for rule in value.rules}
        if codes & new_codes:
            raise NotTaken(say("There is a rule with the code {code} already.", code=min(codes & new_codes)))
        codes.update(new_codes)
        sets.append(value)

    offer_extensions("recorder_editor.rules", add_rules)
    return tuple(sets)


@cache
def all_rules() -> Mapping[str, Rule]:
    """Return the rules of this program and of installed packages by code, in the order of their fixes."""
    rules = list(RULES)
    for rule_set in rule_sets():
        rules.extend(rule_set.rules)
    return {rule.code: rule for rule in rules}


def rule(code: str) -> Rule:
    """Return the rule of a code.

    Raises:
        KeyError: No rule has this code.
    """
    return all_rules()[code]


def check(snapshot: Snapshot, progress: Progress = SILENT, *, rows: range | None = None) -> list[Finding]:
    """Return the findings of all rules in a recording, in file order.

    Args:
        snapshot: The state of the recording.
        progress: Counts rows or frames.
        rows: Check the structure of these rows alone; None: all rules.

    Returns:
        At most 1,000 findings of one code; a last one of severity `info` counts the rest.

    Raises:
        Cancelled: The user stopped it.
        OSError: The recording cannot be read; as `Store.read`.
    """
    findings, counts = _find(snapshot, progress, MAX_PER_CODE, rows)
    return _listed(findings, counts)


def _find(
    snapshot: Snapshot, progress: Progress, most: int, rows: range | None = None
) -> tuple[list[Finding], "_Counts"]:
    """Return the findings in file order, at most `most` of each code, and the number of all by code."""
    counts = _Counts()
    findings: Iterable[Found]
    if rows is not None:
        findings = structure.find(snapshot, progress, rows)
    else:
        findings = _all(snapshot, progress)
    return sorted(_first(most, findings, counts), key=in_file_order), counts


def in_file_order(finding: Finding) -> tuple[int, int]:
    """Return the place of a finding in the file, to sort by."""
    return finding.offset or 0, finding.row or 0


class _Counts(Counter[str]):
    """The number of findings by code.

    Attributes:
        least: The codes of which there may be more.
    """

    def __init__(self) -> None:
        super().__init__()
        self.least: set[str] = set()


def _first(most: int, findings: Iterable[Found], counts: _Counts) -> Iterator[Finding]:
    """Yield the first `most` findings of each code; `counts` counts all."""
    for finding in findings:
        if isinstance(finding, MoreFindings):
            counts[finding.code] += finding.number
            if finding.is_least:
                counts.least.add(finding.code)
            continue
        counts[finding.code] += 1
        if counts[finding.code] > most:
            continue
        if isinstance(finding, DeferredFinding):
            yield finding.make()
        else:
            yield finding


def _listed(findings: Iterable[Finding], counts: _Counts) -> list[Finding]:
    """Return at most 1,000 findings of each code, and a finding that counts the rest."""
    result = list(_first(MAX_PER_CODE, findings, _Counts()))
    for code, number in counts.items():
        if number > MAX_PER_CODE:
            template = N_("{number:,} more findings of the kind {value} are not listed.")
            if code in counts.least:
                template = N_("More than {number:,} further findings of the kind {value} are not listed.")
            result.append(Finding(code, "info", say(template, number=number - MAX_PER_CODE, value=code)))
    return result


def _all(snapshot: Snapshot, progress: Progress) -> Iterator[Found]:
    finders: list[Find] = [structure.find]
    if snapshot.header is not None and len(snapshot):
        for subject in _SUBJECTS:
            finders.append(subject.find)
        for rule_set in rule_sets():
            finders.append(partial(_find_of_package, rule_set))
    for find, part in progress.parts(finders):
        yield from find(snapshot, part)
    progress.update(len(snapshot), len(snapshot))


def _find_of_package(rule_set: RuleSet, snapshot: Snapshot, progress: Progress) -> Iterator[Found]:
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
    rule = all_rules().get(finding.code)
    if rule is None or rule.fix is None or finding.severity != rule.severity or finding.offset is None:
        return False
    if rule.fix.applies is None:
        return True
    try:
        return rule.fix.applies(snapshot, finding)
    except EditError:
        return False


def fixable(snapshot: Snapshot, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that an edit can fix."""
    return [finding for finding in findings if is_fixable(snapshot, finding)]


def fix(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that fixes findings of one code.

    Args:
        snapshot: The state of the recording.
        findings: The findings; those that cannot be fixed are left out.

    Raises:
        EditError: There is none, or the findings are of several codes.
    """
    chosen = fixable(snapshot, findings)
    codes = {finding.code for finding in findings}
    if not chosen or len(codes) != 1:
        raise EditError(say("There is no fix for this finding."))
    rule_fix = rule(codes.pop()).fix
    if rule_fix is None:
        raise EditError(say("There is no fix for this finding."))
    return rule_fix.make(snapshot, chosen)


def fix_all(recording: Recording, severities: Container[Severity], progress: Progress = SILENT) -> list[Finding]:
    """Fix all findings of these severities, code by code.

    At most `MAX_FIXED_AT_ONCE` findings of one code are fixed in one step, after which all rules run again. A code is
    skipped when its fix does not reduce the number of its findings.

    Args:
        recording: The recording; each step becomes one of its history.
        severities: The severities.
        progress: Counts rows or frames of each run of the rules.

    Returns:
        The findings that are left, as of `check`.

    Raises:
        Cancelled: The user stopped it.
        OSError: The recording cannot be read.
    """
    least: dict[str, int] = {}
    for _ in range(_MAX_ROUNDS):
        findings, counts = _find(recording.snapshot, progress, MAX_FIXED_AT_ONCE)
        by_code: dict[str, list[Finding]] = {}
        for finding in findings:
            if finding.severity in severities:
                by_code.setdefault(finding.code, []).append(finding)
        code = _next_code(recording.snapshot, by_code, counts=counts, least=least)
        if code is None:
            break
        try:
            recording.apply(fix(recording.snapshot, by_code[code]))
        except EditError:
            least[code] = 0
    return _listed(findings, counts)


def _next_code(
    snapshot: Snapshot, by_code: Mapping[str, Sequence[Finding]], counts: Mapping[str, int], least: dict[str, int]
) -> str | None:
    """Return the first code of the order of fixes that has findings to fix; None if there is none."""
    for code in all_rules():
        if code in by_code and _is_fewer(snapshot, by_code[code], counts=counts, least=least):
            return code
    return None


def _is_fewer(
    snapshot: Snapshot, findings: Sequence[Finding], counts: Mapping[str, int], least: dict[str, int]
) -> bool:
    """Whether findings of one code can be fixed, and their number is smaller than after the last fix.

    Args:
        snapshot: The state of the recording.
        findings: Those of the code that were kept.
        counts: The number of all findings, by code.
        least: The number after the last fix, by code; it gets that of now.
    """
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
"""Row, number of rows removed, number of rows inserted of each, to be applied one after another."""


def updated_findings(
    findings: Sequence[Finding], before: Snapshot, after: Snapshot, splices: Splices
) -> tuple[Finding, ...]:
    """Return the findings after an edit of few neighbouring rows, in file order, without a full check.

    The structure of changed rows is checked at once; other findings in them are kept while the row exists.

    Args:
        findings: Those of the state before.
        before: The state before the edit.
        after: The state after it.
        splices: The splices of the edit.

    Returns:
        The findings; those of before where the edit is larger than `MAX_ROWS` or `MAX_BYTES`, or has several splices.

    Raises:
        OSError: The recording cannot be read.
    """
    if before.header is None or after.header is None or len(splices) != 1:
        return tuple(findings)
    ((first, removed, inserted),) = splices
    end = first + removed
    stop = first + inserted
    if inserted > MAX_ROWS or after.position(stop) - after.position(first) > MAX_BYTES:
        return tuple(findings)
    more_bytes = after.position(stop) - before.position(end)
    more_frames = after.table.frame_of_row(stop) - before.table.frame_of_row(end)
    kept: list[Finding] = []
    for finding in findings:
        if finding.row is None or finding.row < first:
            kept.append(finding)
        elif finding.row >= end:
            kept.append(_moved(finding, rows=stop - end, size=more_bytes, frames=more_frames))
        elif removed == inserted and rule(finding.code).subject != "structure":
            kept.append(finding)
    if inserted:
        for finding in check(after, rows=range(first, stop)):
            if finding.row is not None and first <= finding.row < stop:
                kept.append(finding)
    return tuple(sorted(kept, key=in_file_order))


def _moved(finding: Finding, *, rows: int, size: int, frames: int) -> Finding:
    """Return a finding at a place so many rows, bytes and frames further on."""
    row = finding.row
    offset = finding.offset
    frame = finding.frame_index
    return replace(
        finding,
        row=None if row is None else row + rows,
        offset=None if offset is None else offset + size,
        frame_index=None if frame is None else frame + frames,
    )
