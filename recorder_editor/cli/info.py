"""The verb `info`: what a recording holds, for people; CARLA's file info text; or a summary as data."""

import sys
from argparse import Namespace
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from shutil import get_terminal_size

from ..format import FileHeader
from ..reading import Actors
from ..reading.event_index import CLASSES
from ..recording import Finding, Recording
from ..reports.info import info_reads, info_report
from ..reports.remarks import remarks
from ..reports.statistics import duration, packet_counts, time_steps
from ..reports.text import family_named, family_of
from ..terminal import Span, is_coloured
from ..texts import N_, say
from . import options
from .files import WrongUsage, open_input
from .output import (
    finding_as_json,
    number_as_json,
    print_error,
    print_json,
    print_spans,
    progress_bar,
    text_as_json,
    write_bytes,
)
from .parsing import VerbParser
from .report_options import add_release

WIDTH = 100
"""The columns of the screen where there is no terminal."""

DESCRIPTION = N_(
    """\
On a terminal a screen for people, of several recordings a table; elsewhere, and with --carla, --all, --release or
--utc, CARLA's own text, byte for byte as the server of the release prints it. Example: recorder-editor info a.log"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recordings(parser)
    parser.add_argument("--summary", action="store_true", help=say("the screen for people, where there is no terminal"))
    parser.add_argument("--carla", action="store_true", help=say("CARLA's own text, on a terminal, too"))
    parser.add_argument(
        "--all", action="store_true", help=say("CARLA's own text with the records of every packet, not events alone")
    )
    options.add_json(parser, help=say("a summary as JSON"))
    add_release(parser)
    options.add_many(parser)
    parser.set_defaults(prepare=_choose)


def _choose(arguments: Namespace) -> dict[str, object]:
    """Choose the screen for people or CARLA's text, before jobs for several recordings have streams of their own."""
    wants_carla = arguments.carla or arguments.all or arguments.release is not None or arguments.utc
    if arguments.summary and (wants_carla or arguments.json):
        raise WrongUsage(say("{option} is one of several kinds of output; give one of them.", option="--summary"))
    is_terminal = sys.stdout.isatty() and arguments.out_dir is None
    arguments.summary = arguments.summary or (is_terminal and not wants_carla and not arguments.json)
    arguments.width = get_terminal_size((WIDTH, 1)).columns if is_terminal else WIDTH
    arguments.encoding = sys.stdout.encoding if is_terminal else "utf-8"
    arguments.coloured = is_terminal and is_coloured(sys.stdout)
    arguments.in_table = arguments.summary and arguments.is_one_of_many and arguments.out_dir is None
    if arguments.in_table:
        from .info_screen import table_head  # loads what CARLA's text does not need

        print_spans([table_head()], coloured=arguments.coloured)
    return {}


def run(arguments: Namespace) -> None:
    """Print the screen, the text, or the summary as data."""
    with open_input(arguments.file, arguments.dialect, quiet=arguments.summary) as recording:
        if arguments.json:
            print_json(_summary(arguments.file, recording))
            return
        if arguments.summary:
            print_spans(_screen(arguments, recording), coloured=arguments.coloured)
            return
        bar = progress_bar(f"Reading {arguments.file.name}")
        release = arguments.release
        utc = arguments.utc
        family = family_named(release) if release else family_of(recording.snapshot)
        reads = info_reads(recording.dialect, family, show_all=arguments.all)
        for line in remarks(recording.snapshot, arguments.file, release, reads):
            print_error(line)
        write_bytes(info_report(recording.snapshot, show_all=arguments.all, family=family, utc=utc, progress=bar))


def _screen(arguments: Namespace, recording: Recording) -> list[list[Span]]:
    """Return the screen of a recording, or its row of a table."""
    # The rules, the repair and the motion are loaded by the screen alone.
    from ..checks import check
    from ..repair import propose
    from ..reports.overview import Overview
    from ..views.health import health_of
    from .info_screen import Signs, screen_lines, table_row

    snapshot = recording.snapshot
    overview = Overview.of(snapshot, progress_bar(say("Reading {name}", name=arguments.file.name)))
    proposal = None
    findings: list[Finding] = []
    bar = progress_bar(say("Checking {name}", name=arguments.file.name))
    if any(finding.severity == "error" for finding in recording.findings):
        proposal = propose(snapshot, progress=bar)
    else:
        findings = check(snapshot, bar)
    health = health_of(snapshot, recording.findings, findings, proposal)
    signs = Signs.of(arguments.encoding)
    if arguments.in_table:
        return [table_row(arguments.file, overview, health, signs=signs)]
    return screen_lines(recording, overview, health, width=arguments.width, signs=signs)


def _summary(path: Path, recording: Recording) -> dict[str, object]:
    snapshot = recording.snapshot
    header = recording.header
    actors = Actors.of(snapshot, progress_bar(f"Reading {path.name}"))
    classes = Counter(life.class_ for life in actors)
    packets = {}
    for number, count in sorted(packet_counts(snapshot).items()):
        packets[snapshot.dialect.packet(number).name] = asdict(count)
    return {
        "file": str(path),
        "size": snapshot.size,
        "header": None if header is None else _header(header),
        "dialect": recording.dialect.name,
        "dialect_title": recording.dialect.title,
        "dialect_reason": list(recording.detection.reasons),
        "frames": len(snapshot),
        "duration": number_as_json(duration(snapshot)),
        "time_steps": time_steps(snapshot)._asdict(),
        "packets": packets,
        "actors": {name: classes[name] for name in CLASSES if classes[name]},
        "collisions": {"records": len(actors.collisions), "contacts": len(actors.contacts)},
        "damage": _damage(recording),
    }


def _header(header: FileHeader) -> dict[str, object]:
    return {
        "version": header.version,
        "magic": header.magic.decode("ascii"),
        "date": header.date,
        "utc": None if header.when is None else header.when.isoformat(),
        "map": text_as_json(header.map_name),
    }


def _damage(recording: Recording) -> list[dict[str, object]]:
    """Return the damage that was found when the recording was opened, as `check` has it in JSON."""
    if not recording.findings:
        return []
    from ..checks import is_fixable  # loads all rules and edits, which a sound recording does not need

    snapshot = recording.snapshot
    damage = []
    for finding in recording.findings:
        damage.append(finding_as_json(snapshot, finding, fixable=is_fixable(snapshot, finding)))
    return damage
