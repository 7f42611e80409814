"""Texts about a repair: what its steps do and cost. Knows proposals, no widget."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..recording import Finding
from ..repair import STEPS, Proposal, RepairStep, Tally
from ..repair.report import LossReport
from ..texts import N_count, listed, say, say_count

_AMOUNTS = {
    "frame": N_count("1 frame", "{count:,} frames"),
    "packet": N_count("1 packet", "{count:,} packets"),
    "record": N_count("1 record", "{count:,} records"),
    "byte": N_count("1 byte", "{count:,} bytes"),
}
_MOST_FINDINGS = 6
_MOST_IDS = 3


def _amounts(numbers: Mapping[str, int]) -> str:
    """Return the amounts that are not 0, as a list in words."""
    amounts = [say(_AMOUNTS[unit], count=number) for unit, number in numbers.items() if number]
    return listed(amounts)


def title_of(step: RepairStep, proposal: Proposal) -> str:
    """Return the title of a step, with what it is about where that is a single thing.

    Args:
        step: A step of the proposal.
        proposal: The proposal.

    Returns:
        One line.
    """
    texts = STEPS[step.code]
    if step.title != texts.title:
        return step.title
    match step.code:
        case "map-name":
            return _map_title(step, proposal)
        case "junk" | "doubled-block":
            return _removal_title(step)
        case "actors":
            return _actors_title(step, proposal)
        case "missing-frames" if step.lost.frames:
            return say_count("1 frame stays missing", "{count:,} frames stay missing", count=step.lost.frames)
    number = max(1, len(_own_findings(step)))
    if texts.counted is not None:
        return say(texts.counted, count=number)
    if texts.many and number > 1:
        return say(texts.many, count=number)
    if texts.short:
        return say(texts.short, frame=step.frames.start + 1)
    return say(step.title)


def _own_findings(step: RepairStep) -> list[Finding]:
    """Return the findings that gave a step its code."""
    return [finding for finding in step.findings if finding.code == step.code]


def _map_title(step: RepairStep, proposal: Proposal) -> str:
    header = proposal.after.header
    if step.is_taken and header is not None:
        name = header.map_name
        if isinstance(name, str) and name:
            return say("Set the map name to {name}", name=name)
    return say(step.title)


def _removal_title(step: RepairStep) -> str:
    findings = _own_findings(step)
    number = max(1, len(findings))
    if len(findings) == 1 and findings[0].offset is not None:
        start = findings[0].offset
        if step.code != "junk":
            return say("Leave out the copy at 0x{start:06x}", start=start)
        return say("Leave out 0x{start:06x} to 0x{stop:06x}", start=start, stop=start + max(1, findings[0].size))
    if step.code != "junk":
        return say_count("Leave out a duplicate block", "Leave out {count:,} duplicate blocks", count=number)
    if number > 1:
        return say("Leave out non-packet bytes in {count:,} places", count=number)
    return say(step.title)


def _actors_title(step: RepairStep, proposal: Proposal) -> str:
    ids = proposal.report.actors
    if not step.is_taken or not ids:
        return say(step.title)
    if len(ids) > _MOST_IDS:
        return say("Leave out the records of {count:,} unknown actors", count=len(ids))
    actors = listed((listed(map(str, ids[:-1])), str(ids[-1])), "and")
    if len(ids) == 1:
        return say("Leave out the records of actor {actor}", actor=actors)
    return say("Leave out the records of actors {actors}", actors=actors)


def cost_of(step: RepairStep, proposal: Proposal) -> str:
    """Return where a step does something, and what is lost by it.

    Args:
        step: A step of the proposal.
        proposal: The proposal.

    Returns:
        Half a line.
    """
    parts = []
    place = _place(step, proposal)
    if place:
        parts.append(place)
    if not step.is_taken:
        parts.append(say("stays as it is"))
    elif step.code == "missing-frames" and step.lost.frames:
        parts.append(say("another copy may have them"))
    else:
        lost = loss_text(_in_short(step.lost))
        if lost:
            parts.append(say("{lost} lost", lost=lost))
        else:
            parts.append(say("nothing is lost"))
    return listed(parts, "parts")


def _in_short(lost: Tally) -> Tally:
    """Leave out the packets and records of whole frames, which go without saying."""
    if lost.frames and lost.bytes:
        return Tally(lost.frames, lost.bytes)
    return lost


def _place(step: RepairStep, proposal: Proposal) -> str:
    frames = step.frames
    if not len(frames) or not len(proposal.before) or step.code == "last-good-frame":
        return ""
    if len(frames) == 1:
        return say("frame {frame:,}", frame=frames.start + 1)
    return say("frames {start:,} to {stop:,}", start=frames.start + 1, stop=frames.stop)


def loss_text(lost: Tally) -> str:
    """Return the amounts that are lost in words; empty where nothing is."""
    return _amounts({"frame": lost.frames, "packet": lost.packets, "record": lost.records, "byte": lost.bytes})


def balance_text(before: int, after: int, lost: int) -> str:
    """Return how a number before a repair, the lost ones and the number after it add up.

    Args:
        before: Frames, packets, records or actors before the repair.
        after: Those after it.
        lost: Those that are lost.

    Returns:
        The sum in words; empty where `before - lost` is `after`.
    """
    rest = after - (before - lost)
    if not rest:
        return ""
    if rest < 0:
        return say(
            "{before:,} before − {lost:,} lost − {rest:,} left out otherwise = {after:,} after",
            before=before,
            lost=lost,
            rest=-rest,
            after=after,
        )
    total = say(
        "{before:,} before − {lost:,} lost + {rest:,} that could not be read = {after:,} after",
        before=before,
        lost=lost,
        rest=rest,
        after=after,
    )
    reason = say("What could not be read is found or made anew, or is among the lost.")
    return f"{total}\n{reason}"


def bytes_text(before: int, after: int, report: LossReport) -> str:
    """Return how the bytes before a repair, lost, left out, made anew and after it add up.

    Args:
        before: Bytes before the repair.
        after: Bytes after it.
        report: The loss report.

    Returns:
        The sum in words; empty where no bytes were left out as duplicates or made anew.
    """
    if not report.added and not report.doubled:
        return ""
    text = say("{before:,} before − {bytes:,} lost", before=before, bytes=report.lost.bytes)
    if report.doubled:
        text = say("{sum} − {doubled:,} duplicate or without data", sum=text, doubled=report.doubled)
    if report.added:
        text = say("{sum} + {added:,} made anew", sum=text, added=report.added)
    return say("{sum} = {after:,} after", sum=text, after=after)


def tip_of(step: RepairStep, proposal: Proposal) -> str:
    """Return the tooltip of a step: what it does, the findings, and what it costs."""
    lines = [say("{title}.", title=say(step.title))]
    for finding in step.findings[:_MOST_FINDINGS]:
        lines.append(f"• {finding.message}")
    more = len(step.findings) - _MOST_FINDINGS
    if more > 0:
        lines.append(say_count("and 1 more like these", "and {count:,} more like these", count=more))
    lines.append(cost_of(step, proposal))
    return "\n".join(lines)


def report_lines(file: Path, proposal: Proposal, errors: Sequence[Finding] | None) -> Iterator[str]:
    """Yield the lines of the loss report.

    Args:
        file: File that is repaired.
        proposal: The proposal.
        errors: Errors that are left in the result; None: it was not checked.
    """
    yield say("Repair of {name}", name=file.name)
    yield ""
    if proposal.problem is not None:
        yield proposal.problem
        return
    for step in proposal.steps:
        yield from _step_lines(step, proposal)
    yield ""
    yield from _amount_lines(proposal.report)
    if errors is not None:
        yield say_count("1 error is left in the result.", "{count:,} errors are left in the result.", count=len(errors))
        for finding in errors:
            yield f"  {finding.message} [{finding.code}]"


def _step_lines(step: RepairStep, proposal: Proposal) -> Iterator[str]:
    yield say(
        "{mark} {title} ({code}): {cost}",
        mark="[x]" if step.is_taken else "[ ]",
        title=title_of(step, proposal),
        code=step.code,
        cost=cost_of(step, proposal),
    )
    for finding in step.findings:
        if finding.offset is None:
            yield f"      {finding.message}"
        else:
            yield say("      0x{offset:06x}: {message}", offset=finding.offset, message=finding.message)


def _amount_lines(report: LossReport) -> Iterator[str]:
    lost = report.lost
    yield say("Kept: {amounts}", amounts=loss_text(report.kept) or say("nothing"))
    yield say("Lost: {amounts}", amounts=loss_text(lost) or say("nothing"))
    for name in sorted(lost.packets_by_type | lost.records_by_type):
        amounts = _amounts({"packet": lost.packets_by_type[name], "record": lost.records_by_type[name]})
        yield say("  {name}: {amounts}", name=say(name), amounts=amounts)
    if report.actors:
        yield say("Ids of actors whose creation is lost: {ids}", ids=listed(map(str, report.actors)))
    if report.doubled:
        yield say_count(
            "1 byte held no data, or was a duplicate.",
            "{count:,} bytes held no data, or were duplicates.",
            count=report.doubled,
        )
    if report.added:
        yield say_count("1 byte was rebuilt.", "{count:,} bytes were rebuilt.", count=report.added)
