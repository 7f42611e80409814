"""What a repair does and costs, in sentences. Knows proposals, no widget."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..recording import Finding
from ..repair import WORDS, Proposal, RepairStep, Tally
from ..repair.report import LossReport
from ..sentences import listed, say
from .language import put, tr

_AMOUNTS = {
    "frame": "recording.frames",
    "packet": "recording.packets",
    "record": "recording.records",
    "byte": "recording.bytes",
}
_MOST_TOLD = 6
_MOST_IDS = 3


def _many(number: int, one: str, many: str) -> str:
    return (tr(one) if number == 1 else tr(many)).replace("%1", f"{number:,}")


def _listed(numbers: Mapping[str, int]) -> str:
    amounts = [say(_AMOUNTS[what], count=number) for what, number in numbers.items() if number]
    return listed(amounts)


def title_of(step: RepairStep, proposal: Proposal) -> str:
    """A step as one line, with what it is about where that is a single thing."""
    number = max(1, sum(finding.code == step.code for finding in step.findings))
    words = WORDS[step.code]
    if step.title != words["title"]:
        return step.title
    match step.code:
        case "map-name":
            header = proposal.after.header
            name = header.map_name if step.is_taken and header is not None else ""
            is_known = isinstance(name, str) and name
            return put(tr("Set the map name to %1"), name) if is_known else tr(step.title)
        case "junk" | "doubled-block":
            return _removal(step, number)
        case "actors":
            return _dropped(step, proposal)
        case "missing-frames" if step.lost.frames:
            return _many(step.lost.frames, "1 frame stays missing", "%1 frames stay missing")
    if "one" in words:
        return _many(number, words["one"], words["many"])
    return tr(words["short"]).replace("%1", f"{step.frames.start + 1:,}") if "short" in words else tr(step.title)


def _removal(step: RepairStep, number: int) -> str:
    own = [finding for finding in step.findings if finding.code == step.code]
    if len(own) == 1 and own[0].offset is not None:
        span = (f"0x{own[0].offset:06x}", f"0x{own[0].offset + max(1, own[0].size):06x}")
        words = tr("Leave out %1 to %2") if step.code == "junk" else tr("Leave out the copy at %1")
        return words.replace("%1", span[0]).replace("%2", span[1])
    if step.code == "junk":
        return _many(number, "Leave out bytes that are not packets", "Leave out non-packet bytes in %1 places")
    return _many(number, "Leave out a duplicate block", "Leave out %1 duplicate blocks")


def _dropped(step: RepairStep, proposal: Proposal) -> str:
    ids = proposal.report.actors if step.is_taken else ()
    if not ids:
        return tr(step.title)
    if len(ids) <= _MOST_IDS:
        named = listed((listed(map(str, ids[:-1])), str(ids[-1])), "list.and")
        words = tr("Leave out the records of actor %1") if len(ids) == 1 else tr("Leave out the records of actors %1")
        return words.replace("%1", named)
    return _many(len(ids), "Leave out the records of 1 actor", "Leave out the records of %1 unknown actors")


def cost_of(step: RepairStep, proposal: Proposal) -> str:
    """Where a step does something, and what goes with it, as half a line."""
    parts = [place] if (place := _place(step, proposal)) else []
    if not step.is_taken:
        return listed((*parts, tr("stays as it is")), "list.parts")
    if step.code == "missing-frames" and step.lost.frames:
        return listed((*parts, tr("another copy may have them")), "list.parts")
    lost = loss_text(_in_short(step.lost))
    return listed((*parts, tr("%1 lost").replace("%1", lost) if lost else tr("nothing is lost")), "list.parts")


def _in_short(lost: Tally) -> Tally:
    """Of whole frames it goes without saying what was in them."""
    return Tally(lost.frames, lost.bytes) if lost.frames and lost.bytes else lost


def _place(step: RepairStep, proposal: Proposal) -> str:
    frames = step.frames
    if not len(frames) or not len(proposal.before) or step.code == "last-good-frame":
        return ""
    if len(frames) == 1:
        return tr("frame %1").replace("%1", f"{frames.start + 1:,}")
    return tr("frames %1 to %2").replace("%1", f"{frames.start + 1:,}").replace("%2", f"{frames.stop:,}")


def loss_text(lost: Tally) -> str:
    """What is lost as a list of numbers; empty where nothing is."""
    return _listed({"frame": lost.frames, "packet": lost.packets, "record": lost.records, "byte": lost.bytes})


def balance_text(before: int, after: int, lost: int) -> str:
    """How frames, packets, records or actors before a repair, lost and after it add up; empty where they just do."""
    rest = after - (before - lost)
    if not rest:
        return ""
    numbers = f"{before:,}", f"{lost:,}", f"{abs(rest):,}", f"{after:,}"
    if rest < 0:
        return put(tr("%1 before − %2 lost − %3 left out otherwise = %4 after"), *numbers)
    found = put(tr("%1 before − %2 lost + %3 that could not be read = %4 after"), *numbers)
    reason = tr("What could not be read is found or made anew, or is among the lost.")
    return f"{found}\n{reason}"


def bytes_text(before: int, after: int, report: LossReport) -> str:
    """How the bytes before a repair, lost, left out, made anew and after it add up; empty where they just do."""
    if not report.added and not report.doubled:
        return ""
    text = put(tr("%1 before − %2 lost"), f"{before:,}", f"{report.lost.bytes:,}")
    if report.doubled:
        text = put(tr("%1 − %2 duplicate or without data"), text, f"{report.doubled:,}")
    if report.added:
        text = put(tr("%1 + %2 made anew"), text, f"{report.added:,}")
    return put(tr("%1 = %2 after"), text, f"{after:,}")


def tip_of(step: RepairStep, proposal: Proposal) -> str:
    """All of it: what the step does, what was found, what it costs."""
    told = [f"• {finding.message}" for finding in step.findings[:_MOST_TOLD]]
    more = len(step.findings) - _MOST_TOLD
    if more > 0:
        told.append(_many(more, "and 1 more like these", "and %1 more like these"))
    return "\n".join([put(tr("%1."), tr(step.title)), *told, cost_of(step, proposal)])


def report_lines(file: Path, proposal: Proposal, errors: Sequence[Finding] | None) -> Iterator[str]:
    """The loss report as a text of its own; `errors` are those of the result (None: not looked for)."""
    yield tr("Repair of %1").replace("%1", file.name)
    yield ""
    if proposal.problem is not None:
        yield proposal.problem
        return
    for step in proposal.steps:
        mark = "[x]" if step.is_taken else "[ ]"
        yield put(tr("%1 %2 (%3): %4"), mark, title_of(step, proposal), step.code, cost_of(step, proposal))
        for finding in step.findings:
            words = tr("      %1: %2") if finding.offset is not None else "      %2"
            yield put(words, f"0x{finding.offset or 0:06x}", finding.message)
    yield ""
    report = proposal.report
    kept, lost = report.kept, report.lost
    yield tr("Kept: %1").replace("%1", loss_text(kept) or tr("nothing"))
    yield tr("Lost: %1").replace("%1", loss_text(lost) or tr("nothing"))
    for name in sorted(lost.packets_by_type | lost.records_by_type):
        packets, records = lost.packets_by_type[name], lost.records_by_type[name]
        yield put(tr("  %1: %2"), tr(name), _listed({"packet": packets, "record": records}))
    if report.actors:
        yield tr("Ids of actors whose creation is lost: %1").replace("%1", listed(map(str, report.actors)))
    if report.doubled:
        yield _many(
            report.doubled, "1 byte held no data, or was a duplicate.", "%1 bytes held no data, or were duplicates."
        )
    if report.added:
        yield _many(report.added, "1 byte was rebuilt.", "%1 bytes were rebuilt.")
    if errors is not None:
        yield _many(len(errors), "1 error is left in the result.", "%1 errors are left in the result.")
        yield from (f"  {finding.message} [{finding.code}]" for finding in errors)
