"""The verb `info`: CARLA's file info text, or a summary as data."""

from argparse import Namespace
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from ..format import FileHeader
from ..reading import Actors
from ..reading.event_index import CLASSES
from ..recording import Recording
from ..reports.info import info_reads, info_report
from ..reports.remarks import remarks
from ..reports.statistics import duration, packet_counts, time_steps
from ..reports.text import family_named, family_of
from ..texts import N_, say
from . import options
from .files import open_input
from .output import finding_as_json, number_as_json, print_error, print_json, progress_bar, text_as_json, write_bytes
from .parsing import VerbParser
from .report_options import add_release

DESCRIPTION = N_(
    """\
With --all every packet's records as well; with --json a summary as data. Example: recorder-editor info a.log --all"""
)


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    options.add_recordings(parser)
    parser.add_argument("--all", action="store_true", help=say("the records of every packet, not events alone"))
    options.add_json(parser, help=say("a summary as JSON"))
    add_release(parser)
    options.add_many(parser)


def run(arguments: Namespace) -> None:
    """Print the text, or the summary."""
    with open_input(arguments.file, arguments.dialect) as recording:
        if arguments.json:
            print_json(_summary(arguments.file, recording))
            return
        bar = progress_bar(f"Reading {arguments.file.name}")
        release = arguments.release
        utc = arguments.utc
        family = family_named(release) if release else family_of(recording.snapshot)
        reads = info_reads(recording.dialect, family, show_all=arguments.all)
        for line in remarks(recording.snapshot, arguments.file, release, reads):
            print_error(line)
        write_bytes(info_report(recording.snapshot, show_all=arguments.all, family=family, utc=utc, progress=bar))


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
