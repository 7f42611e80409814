"""What a recording is: header, dialect, frames, packets, actors, health.

Example: recorder-editor info a.log --json
"""

from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import Any

from ..queries.statistics import duration, packet_counts, time_steps
from ..recording.recording import Recording
from .check import report
from .files import add_input, number, opened, say, say_json, text


def add_arguments(parser: ArgumentParser) -> None:
    """FILE, --json."""
    add_input(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: Namespace) -> bool:
    """Print the summary."""
    with opened(arguments.file, arguments.dialect) as recording:
        summary = _summary(arguments.file, recording)
    if arguments.json:
        say_json(summary)
    else:
        say(_lines(summary))
    return True


def _summary(path: Path, recording: Recording) -> dict[str, Any]:
    snapshot, header = recording.snapshot, recording.header
    counts = sorted(packet_counts(snapshot).items())
    when = header.when if header is not None else None
    classes = Counter(life.class_ for life in recording.actors)
    return {
        "file": str(path),
        "size": snapshot.size,
        "header": None if header is None else {
            "version": header.version, "magic": header.magic.decode("ascii"), "date": header.date,
            "utc": when.isoformat() if when is not None else None, "map": text(header.map_name),
        },
        "dialect": recording.dialect.name,
        "dialect_title": recording.dialect.title,
        "dialect_reason": list(recording.detection.reasons),
        "frames": len(recording),
        "duration": number(duration(snapshot)),
        "time_steps": time_steps(snapshot),
        "packets": {
            snapshot.dialect.packet(one).name: {"count": found.count, "bytes": found.bytes, "records": found.records}
            for one, found in counts
        },
        "actors": dict(sorted(classes.items())),
        "collisions": len(recording.actors.collisions),
        "damage": report(path, recording, recording.findings)["findings"],
    }  # fmt: skip


def _lines(summary: dict[str, Any]) -> list[str]:
    header = summary["header"]
    steps = summary["time_steps"]
    seconds = summary["duration"]
    lines = [
        f"File      {summary['file']} ({summary['size']:,} bytes)",
        f"Map       {header['map']}" if header else "Header    not readable",
        *([f"Recorded  {header['utc']}"] if header else []),
        f"Written   {summary['dialect_title']}",
        *(f"          {reason}" for reason in summary["dialect_reason"]),
        f"Frames    {summary['frames']:,} in {seconds} s",
    ]
    if steps["median"] is not None:
        kind = "fixed" if steps["fixed"] else "variable"
        least, median, most = (f"{steps[name]:.4f}" for name in ("least", "median", "greatest"))
        lines.append(f"Steps     {kind}, {least} to {most} s, median {median} s")
    lines.append("Actors    " + ", ".join(f"{count} {name}" for name, count in summary["actors"].items()))
    lines.append(f"Collisions {summary['collisions']:,}")
    lines.append("Packets" + " " * 17 + "count         bytes       records")
    for name, found in summary["packets"].items():
        lines.append(f"  {name:<20}{found['count']:>9,}{found['bytes']:>14,}{found['records']:>14,}")
    lines.append(f"Damage    {len(summary['damage'])} findings" if summary["damage"] else "Damage    none")
    return lines
