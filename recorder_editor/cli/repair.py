"""What can be saved of a damaged recording, and a report of what cannot.

Every whole frame is kept byte for byte, and of a torn one every whole packet and record. OUT is opened again
and checked before success is reported. Exit code 0 when nothing is lost, 3 when something is, 1 when nothing
could be saved or OUT still has errors. A sound recording is copied.
Example: recorder-editor repair crashed.log saved.log --donor copy.log
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ..recording import Finding, Recording
from ..repair import Proposal, find_errors, find_errors_in_file, propose
from ..sentences import listed, say, translated
from .files import open_input
from .output import Exit, finding_as_json, print_error, print_json, print_lines, progress_bar

_MAX_LINES = 20


def run(arguments: Namespace) -> Exit:
    """Write the repaired recording."""
    with ExitStack() as stack:
        recording = stack.enter_context(open_input(arguments.file, arguments.dialect, quiet=True))
        donor = None
        if arguments.donor is not None:
            donor = stack.enter_context(open_input(arguments.donor, arguments.dialect, quiet=True)).snapshot
        bar = progress_bar(say("cli.repairing", name=arguments.file.name))
        proposal = propose(recording.snapshot, progress=bar, donor=donor, map_name=arguments.map)
        errors = _write(arguments, recording, proposal)
        if arguments.json:
            print_json(report(arguments.file, arguments.out, proposal, errors))
        else:
            print_lines(_lines(arguments, proposal))
        for finding in errors[:_MAX_LINES]:
            print_error(say("cli.error_left", name=arguments.out.name, message=finding.message, code=finding.code))
        if proposal.needs_map:
            print_error(say("cli.the_name_of_the_map_is"))
    if proposal.problem is not None or errors:
        return Exit.FAILED
    return Exit.OK if proposal.report.lossless else Exit.LOSS


def _write(arguments: Namespace, recording: Recording, proposal: Proposal) -> list[Finding]:
    """Write and check OUT; returns the errors that are left."""
    if proposal.problem is not None:
        return []
    if arguments.dry_run:
        return find_errors(proposal.after, progress_bar(say("cli.checking_written")))
    if not proposal.is_copy:
        recording.apply(proposal.edit())
    bar = progress_bar(say("cli.writing", name=arguments.out.name))
    recording.save(arguments.out, overwrite=arguments.overwrite, progress=bar)
    dialect = recording.dialect.name if arguments.dialect is not None else None
    return find_errors_in_file(arguments.out, dialect, progress_bar(say("cli.checking", name=arguments.out.name)))


def report(file: Path, out: Path, proposal: Proposal, errors: Sequence[Finding]) -> dict[str, Any]:
    """The report as the guide documents it."""
    fixable = proposal.problem is None
    return {
        "file": str(file),
        "out": str(out),
        "findings": [finding_as_json(proposal.before, each, fixable=fixable) for each in proposal.findings],
        "steps": [
            {"code": step.code, "title": step.title, "findings": len(step.findings), "lost": step.lost.as_json()}
            for step in proposal.steps
        ],
        **proposal.report.as_json(),
        "remaining": [{"code": each.code, "offset": each.offset, "message": each.message} for each in errors],
    }


def _lines(arguments: Namespace, proposal: Proposal) -> Iterator[str]:
    name = arguments.file.name
    if proposal.problem is not None:
        yield say("cli.file_message", name=name, message=proposal.problem)
        return
    if proposal.is_sound:
        yield say("cli.would_be_copied" if arguments.dry_run else "cli.copied", name=name)
        return
    for step in proposal.steps:
        yield say("cli.step", title=translated(step.title))
        for finding in step.findings[:_MAX_LINES]:
            code = "cli.step_finding" if finding.offset is None else "cli.step_finding_at"
            yield say(code, message=finding.message, kind=finding.code, offset=finding.offset)
        if len(step.findings) > _MAX_LINES:
            yield say("cli.more_findings", more=len(step.findings) - _MAX_LINES)
    kept, lost = proposal.report.kept, proposal.report.lost
    numbers = {"frames": kept.frames, "packets": kept.packets, "records": kept.records, "bytes": kept.bytes}
    yield say("cli.would_be_kept" if arguments.dry_run else "cli.kept", name=name, size=proposal.before.size, **numbers)
    if proposal.report.lossless:
        yield say("cli.nothing_is_lost")
        return
    counts = {"cli.frames": lost.frames, "cli.packets": lost.packets, "cli.records": lost.records}
    parts = [say(code, count=number) for code, number in counts.items() if number]
    yield say("cli.lost", parts=listed([*parts, say("cli.bytes", size=lost.bytes)]))
    for kind in sorted(lost.packets_by_type | lost.records_by_type):
        packets, records = lost.packets_by_type[kind], lost.records_by_type[kind]
        yield say("cli.lost_of", packet=kind, packets=packets, records=records)
    actors = proposal.report.actors
    if actors:
        code = "cli.lost_actors_more" if len(actors) > _MAX_LINES else "cli.lost_actors"
        yield say(code, actors=listed(map(str, actors[:_MAX_LINES])), more=len(actors) - _MAX_LINES)
