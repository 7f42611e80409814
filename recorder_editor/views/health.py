"""The state of a recording: whether it can be read and replayed, and what to know. No Qt."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..checks import rule
from ..recording import Finding, Snapshot
from ..repair import Proposal
from ..texts import listed, say, say_count

Tone = Literal["error", "warning", "fine"]

_COMMANDS = {
    "check": "recorder-editor check FILE",
    "info": "info --carla FILE",
    "repair": "recorder-editor repair --dry-run FILE",
}


class Health(NamedTuple):
    """The state of a recording.

    Attributes:
        lines: Tone and sentence of each line, the most important first.
        next: What to type next, and what it does.
        word: The state in few words, for a table.
        damage: Where it is damaged, and what of it can be kept; empty where it is not.
        errors: The number of errors that the check finds.
        warnings: The number of warnings.
        kinds: What the errors, or else the warnings, are about; empty without any.
        replays: It can be read, and no rule on replay finds anything.
    """

    lines: Sequence[tuple[Tone, str]]
    next: Sequence[tuple[str, str]]
    word: str
    damage: str = ""
    errors: int = 0
    warnings: int = 0
    kinds: str = ""
    replays: bool = False

    @property
    def tone(self) -> Tone:
        """The worst of the tones."""
        if self.damage or self.errors:
            return "error"
        if self.warnings:
            return "warning"
        return "fine"


def health_of(
    snapshot: Snapshot, damage: Sequence[Finding], findings: Sequence[Finding], proposal: Proposal | None
) -> Health:
    """Return the state of a recording.

    That a simulator can replay it is said where no rule on replay finds anything; no simulator is asked.

    Args:
        snapshot: The state of the recording.
        damage: What the scan of the file found.
        findings: What the check finds.
        proposal: What can be repaired; None where nothing is damaged.
    """
    own_text = (_COMMANDS["info"], say("prints CARLA's own text"))
    if proposal is not None:
        place = _damage_text(snapshot, damage, proposal)
        repair = (_COMMANDS["repair"], say("says what can be saved"))
        useful = repair if proposal.problem is None else own_text
        return Health([("error", place)], [useful], say("damaged"), damage=place)
    errors = [finding for finding in findings if finding.severity == "error"]
    warnings = [finding for finding in findings if finding.severity == "warning"]
    blocks_replay = any(rule(finding.code).subject == "replay" for finding in errors + warnings)
    replays = not errors and not blocks_replay
    lines: list[tuple[Tone, str]] = []
    if replays:
        lines.append(("fine", say("readable to the last byte; a simulator can replay it")))
    if errors:
        text = say_count("1 error: {kinds}", "{count:,} errors: {kinds}", count=len(errors), kinds=_kinds(errors))
        lines.append(("error", text))
    if warnings:
        text = say_count(
            "1 warning: {kinds}", "{count:,} warnings: {kinds}", count=len(warnings), kinds=_kinds(warnings)
        )
        lines.append(("warning", text))
    if not errors and not warnings:
        return Health(lines, [own_text], say("sound"), replays=True)
    word = say_count("1 warning", "{count:,} warnings", count=len(warnings))
    if errors:
        word = say_count("1 error", "{count:,} errors", count=len(errors))
    return Health(
        lines=lines,
        next=[(_COMMANDS["check"], say("says where")), own_text],
        word=word,
        errors=len(errors),
        warnings=len(warnings),
        kinds=_kinds(errors or warnings),
        replays=replays,
    )


def _damage_text(snapshot: Snapshot, damage: Sequence[Finding], proposal: Proposal) -> str:
    first = next((finding for finding in damage if finding.severity == "error"), None)
    place = ""
    if first is not None and first.offset is not None:
        place = say("damaged at 0x{offset:06x}", offset=first.offset)
    if place and first is not None and first.frame_index is not None and first.frame_index < len(snapshot):
        place = listed((place, say("frame {frame}", frame=first.frame_index + 1)))
    if proposal.problem is not None:
        return say("{place}: {problem}", place=place or say("damaged"), problem=proposal.problem)
    kept = proposal.report.kept.frames
    return say(
        "{place}: {kept:,} of {frames:,} frames can be kept",
        place=place or say("damaged"),
        kept=kept,
        frames=kept + proposal.report.lost.frames,
    )


def _kinds(findings: Sequence[Finding]) -> str:
    """Return what the findings are about: the title of the most frequent rule, and how many others there are."""
    counts: dict[str, int] = {}
    for finding in findings:
        counts[finding.code] = counts.get(finding.code, 0) + 1
    most = max(counts, key=lambda code: counts[code])
    title = rule(most).shown_title().rstrip(".。")
    if len(counts) == 1:
        return title
    return say_count(
        "{title}, and 1 other kind", "{title}, and {count} other kinds", count=len(counts) - 1, title=title
    )
