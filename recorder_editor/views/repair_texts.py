"""What a repair does and costs, in sentences. Knows proposals, no widget."""

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
_MOST_TOLD = 6
_MOST_IDS = 3


def _listed(numbers: Mapping[str, int]) -> str:
    amounts = []
    for what, number in numbers.items():
        if number:
            amounts.append(say(_AMOUNTS[what], count=number))
    return listed(amounts)


def title_of(step: RepairStep, proposal: Proposal) -> str:
    """A step as one line, with what it is about where that is a single thing."""
    number = max(1, sum(finding.code == step.code for finding in step.findings))
    texts = STEPS[step.code]
    if step.title != texts.title:
        return step.title
    match step.code:
        case "map-name":
            header = proposal.after.header
            name = header.map_name if step.is_taken and header is not None else ""
            is_known = isinstance(name, str) and name
            if is_known:
                return say("Set the map name to {name}", name=name)
            return say(step.title)
        case "junk" | "doubled-block":
            return _removal(step, number)
        case "actors":
            return _dropped(step, proposal)
        case "missing-frames" if step.lost.frames:
            return say_count("1 frame stays missing", "{count:,} frames stay missing", count=step.lost.frames)
    if texts.counted is not None:
        return say(texts.counted, count=number)
    if texts.many and number > 1:
        return say(texts.many, count=number)
    if texts.short:
        return say(texts.short, frame=step.frames.start + 1)
    return say(step.title)


def _removal(step: RepairStep, number: int) -> str:
    own = []
    for finding in step.findings:
        if finding.code == step.code:
            own.append(finding)
    if len(own) == 1 and own[0].offset is not None:
        start = own[0].offset
        if step.code != "junk":
            return say("Leave out the copy at 0x{start:06x}", start=start)
        return say("Leave out 0x{start:06x} to 0x{stop:06x}", start=start, stop=start + max(1, own[0].size))
    if step.code != "junk":
        return say_count("Leave out a duplicate block", "Leave out {count:,} duplicate blocks", count=number)
    if number > 1:
        return say("Leave out non-packet bytes in {count:,} places", count=number)
    return say(step.title)


def _dropped(step: RepairStep, proposal: Proposal) -> str:
    ids = proposal.report.actors if step.is_taken else ()
    if not ids:
        return say(step.title)
    if len(ids) <= _MOST_IDS:
        named = listed((listed(map(str, ids[:-1])), str(ids[-1])), "and")
        if len(ids) == 1:
            return say("Leave out the records of actor {actor}", actor=named)
        return say("Leave out the records of actors {actors}", actors=named)
    return say("Leave out the records of {count:,} unknown actors", count=len(ids))


def cost_of(step: RepairStep, proposal: Proposal) -> str:
    """Where a step does something, and what goes with it, as half a line."""
    if place := _place(step, proposal):
        parts = [place]
    else:
        parts = []
    if not step.is_taken:
        return listed((*parts, say("stays as it is")), "parts")
    if step.code == "missing-frames" and step.lost.frames:
        return listed((*parts, say("another copy may have them")), "parts")
    lost = loss_text(_in_short(step.lost))
    return listed((*parts, say("{lost} lost", lost=lost) if lost else say("nothing is lost")), "parts")


def _in_short(lost: Tally) -> Tally:
    """Of whole frames it goes without saying what was in them."""
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
    """What is lost as a list of numbers; empty where nothing is."""
    return _listed({"frame": lost.frames, "packet": lost.packets, "record": lost.records, "byte": lost.bytes})


def balance_text(before: int, after: int, lost: int) -> str:
    """How frames, packets, records or actors before a repair, lost and after it add up; empty where they just do."""
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
    found = say(
        "{before:,} before − {lost:,} lost + {rest:,} that could not be read = {after:,} after",
        before=before,
        lost=lost,
        rest=rest,
        after=after,
    )
    reason = say("What could not be read is found or made anew, or is among the lost.")
    return f"{found}\n{reason}"


def bytes_text(before: int, after: int, report: LossReport) -> str:
    """How the bytes before a repair, lost, left out, made anew and after it add up; empty where they just do."""
    if not report.added and not report.doubled:
        return ""
    text = say("{before:,} before − {bytes:,} lost", before=before, bytes=report.lost.bytes)
    if report.doubled:
        text = say("{sum} − {doubled:,} duplicate or without data", sum=text, doubled=report.doubled)
    if report.added:
        text = say("{sum} + {added:,} made anew", sum=text, added=report.added)
    return say("{sum} = {after:,} after", sum=text, after=after)


def tip_of(step: RepairStep, proposal: Proposal) -> str:
    """All of it: what the step does, what was found, what it costs."""
    told = []
    for finding in step.findings[:_MOST_TOLD]:
        told.append(f"• {finding.message}")
    more = len(step.findings) - _MOST_TOLD
    if more > 0:
        told.append(say_count("and 1 more like these", "and {count:,} more like these", count=more))
    return "\n".join([say("{title}.", title=say(step.title)), *told, cost_of(step, proposal)])


def report_lines(file: Path, proposal: Proposal, errors: Sequence[Finding] | None) -> Iterator[str]:
    """The loss report as a text of its own; `errors` are those of the result (None: not looked for)."""
    yield say("Repair of {name}", name=file.name)
    yield ""
    if proposal.problem is not None:
        yield proposal.problem
        return
    for step in proposal.steps:
        mark = "[x]" if step.is_taken else "[ ]"
        yield say(
            "{mark} {title} ({code}): {cost}",
            mark=mark,
            title=title_of(step, proposal),
            code=step.code,
            cost=cost_of(step, proposal),
        )
        for finding in step.findings:
            if finding.offset is None:
                yield f"      {finding.message}"
            else:
                yield say("      0x{offset:06x}: {message}", offset=finding.offset, message=finding.message)
    yield ""
    report = proposal.report
    kept = report.kept
    lost = report.lost
    yield say("Kept: {amounts}", amounts=loss_text(kept) or say("nothing"))
    yield say("Lost: {amounts}", amounts=loss_text(lost) or say("nothing"))
    for name in sorted(lost.packets_by_type | lost.records_by_type):
        packets = lost.packets_by_type[name]
        records = lost.records_by_type[name]
        yield say("  {name}: {amounts}", name=say(name), amounts=_listed({"packet": packets, "record": records}))
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
    if errors is not None:
        yield say_count("1 error is left in the result.", "{count:,} errors are left in the result.", count=len(errors))
        yield from (f"  {finding.message} [{finding.code}]" for finding in errors)
