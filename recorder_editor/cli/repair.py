"""The verb `repair`: what can be saved of a damaged recording."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from ..recording import Finding, Recording
from ..repair import Proposal, find_errors, find_errors_in_file, propose
from ..terminal import Line, Span, toned
from ..texts import N_, listed, say, say_count
from . import options
from .files import open_input
from .output import TONES, Exit, finding_as_json, print_error, print_json, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Every whole frame is kept byte for byte, and of a torn one every whole packet and record. OUT is opened again
and checked before success is reported. Exit code 0 when nothing is lost, 3 when something is, 1 when nothing
could be saved or OUT still has errors. A sound recording is copied.
Example: recorder-editor repair crashed.log saved.log --donor copy.log"""
)

_MAX_LINES = 20


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_input(parser, help=say("a damaged recording"))
    options.add_output(parser)
    parser.add_argument("--dry-run", action="store_true", help=say("say what would be saved, and write nothing"))
    options.add_json(parser, help=say("the report as JSON"))
    parser.add_argument("--donor", type=Path, metavar="FILE", help=say("another copy of IN, to take good frames from"))
    parser.add_argument("--map", metavar="NAME", help=say("the name of the map, if the header has lost it"))
    options.add_dialect(parser)
    options.add_many(parser)


def run(arguments: Namespace) -> Exit:
    """Write the repaired recording."""
    with ExitStack() as stack:
        recording = stack.enter_context(open_input(arguments.file, arguments.dialect, quiet=True))
        donor = None
        if arguments.donor is not None:
            donor = stack.enter_context(open_input(arguments.donor, arguments.dialect, quiet=True)).snapshot
        bar = progress_bar(say("Repairing {name}", name=arguments.file.name))
        proposal = propose(recording.snapshot, progress=bar, donor=donor, map_name=arguments.map)
        errors = _write(arguments, recording, proposal)
        if arguments.json:
            print_json(report(file=arguments.file, out=arguments.out, proposal=proposal, errors=errors))
        else:
            print_lines(_lines(arguments, proposal))
        for finding in errors[:_MAX_LINES]:
            text = say(
                "{name}: {message} [{code}]", name=arguments.out.name, message=finding.message, code=finding.code
            )
            print_error(toned(text, name="error"))
        if proposal.needs_map:
            text = say("The name of the map is lost and cannot be found in the file; give it with --map NAME.")
            print_error([Span(text, "error")])
    if proposal.problem is not None or errors:
        return Exit.FAILED
    if proposal.report.lossless:
        return Exit.OK
    return Exit.LOSS


def _write(arguments: Namespace, recording: Recording, proposal: Proposal) -> list[Finding]:
    """Write and check OUT; returns the errors that are left.

    With --dry-run what would be written is checked.
    """
    if proposal.problem is not None:
        return []
    if arguments.dry_run:
        return find_errors(proposal.after, progress_bar(say("Checking what would be written")))
    if not proposal.is_copy:
        recording.apply(proposal.edit())
    bar = progress_bar(say("Writing {name}", name=arguments.out.name))
    recording.save(arguments.out, overwrite=arguments.overwrite, progress=bar)
    dialect = recording.dialect.name if arguments.dialect is not None else None
    bar = progress_bar(say("Checking {name}", name=arguments.out.name))
    return find_errors_in_file(arguments.out, dialect, bar)


def report(file: Path, out: Path, proposal: Proposal, errors: Sequence[Finding]) -> dict[str, object]:
    """Return the report as the guide documents it.

    Args:
        file: The damaged recording.
        out: The repaired one.
        proposal: What is saved of it.
        errors: The errors that are left.
    """
    is_fixable = proposal.problem is None
    steps = []
    for step in proposal.steps:
        steps.append(
            {"code": step.code, "title": step.title, "findings": len(step.findings), "lost": step.lost.as_json()}
        )
    remaining = []
    for error in errors:
        remaining.append({"code": error.code, "offset": error.offset, "message": error.message})
    return {
        "file": str(file),
        "out": str(out),
        "findings": [finding_as_json(proposal.before, finding, fixable=is_fixable) for finding in proposal.findings],
        "steps": steps,
        **proposal.report.as_json(),
        "remaining": remaining,
    }


def _lines(arguments: Namespace, proposal: Proposal) -> Iterator[Line]:
    name = arguments.file.name
    if proposal.problem is not None:
        yield toned(say("{name}: {message}", name=name, message=proposal.problem), name="error")
        return
    if proposal.is_sound:
        if arguments.dry_run:
            text = say("{name}: nothing to repair; it would be copied as it is.", name=name)
        else:
            text = say("{name}: nothing to repair; it was copied as it is.", name=name)
        yield toned(text, name="fine")
        return
    yield from _step_lines(proposal)
    yield _kept_line(name, proposal, is_dry_run=arguments.dry_run)
    if proposal.report.lossless:
        yield [Span(say("Nothing is lost."), "fine")]
    else:
        yield from _lost_lines(proposal)


def _step_lines(proposal: Proposal) -> Iterator[Line]:
    """Yield each step, with the first of its findings."""
    for step in proposal.steps:
        yield say("{title}:", title=say(step.title))
        for finding in step.findings[:_MAX_LINES]:
            if finding.offset is None:
                template = N_("  {message} [{kind}]")
            else:
                template = N_("  {message} [{kind} at 0x{offset:06x}]")
            text = say(template, message=finding.message, kind=finding.code, offset=finding.offset)
            yield toned(text, kind=TONES[finding.severity])
        if len(step.findings) > _MAX_LINES:
            yield say("  and {more:,} more like these", more=len(step.findings) - _MAX_LINES)


def _kept_line(name: str, proposal: Proposal, *, is_dry_run: bool) -> str:
    if is_dry_run:
        template = N_(
            "{name}: {frames:,} frames, {packets:,} packets and {records:,} records would "
            "be kept ({bytes:,} of {size:,} bytes)."
        )
    else:
        template = N_(
            "{name}: {frames:,} frames, {packets:,} packets and {records:,} records kept ({bytes:,} of {size:,} bytes)."
        )
    kept = proposal.report.kept
    return say(
        template,
        name=name,
        frames=kept.frames,
        packets=kept.packets,
        records=kept.records,
        bytes=kept.bytes,
        size=proposal.before.size,
    )


def _lost_lines(proposal: Proposal) -> Iterator[Line]:
    """Yield what is lost: in all, by packet type, and the actors that lost their creation."""
    lost = proposal.report.lost
    parts = []
    if lost.frames:
        parts.append(say_count("1 frame", "{count:,} frames", count=lost.frames))
    if lost.packets:
        parts.append(say_count("1 packet", "{count:,} packets", count=lost.packets))
    if lost.records:
        parts.append(say_count("1 record", "{count:,} records", count=lost.records))
    parts.append(say("{size:,} bytes", size=lost.bytes))
    yield toned(say("Lost: {parts}.", parts=listed(parts)), parts="warning")
    for kind in sorted(lost.packets_by_type | lost.records_by_type):
        packets = lost.packets_by_type[kind]
        records = lost.records_by_type[kind]
        yield say("  {packet}: {packets:,} packets, {records:,} records", packet=kind, packets=packets, records=records)
    actors = proposal.report.actors
    if actors:
        if len(actors) > _MAX_LINES:
            template = N_("  Ids of actors whose creation is lost: {actors} and {more:,} more")
        else:
            template = N_("  Ids of actors whose creation is lost: {actors}")
        yield say(template, actors=listed(map(str, actors[:_MAX_LINES])), more=len(actors) - _MAX_LINES)
