"""What a server would do with a file if it cannot print the report of it: it loses its place in it, or crashes."""

import shlex
from collections.abc import Collection
from pathlib import Path

import numpy as np

from ..format import DIALECTS, Dialect, PacketType, has_year, simulators_date
from ..recording import Snapshot
from ..texts import listed, say
from .text import HEAD_SIZE


def remarks(snapshot: Snapshot, path: Path, release: str | None, reads: Collection[str]) -> list[str]:
    """Return sentences on what to know of a report.

    Args:
        snapshot: What is reported.
        path: The file, for the command that converts it.
        release: The release of the server that prints the report, as `server_of` takes it; None for the one that
            wrote the recording.
        reads: The packets that the report of that server reads by their content; it skips others by their size.
    """
    if snapshot.header is None:
        return _of_the_header(snapshot)
    if release is None:
        return []
    server = server_of(snapshot.dialect, release)
    packets = _misread(snapshot, server, reads)
    if not packets:
        return []
    out = f"{path.stem}-{server.name}{path.suffix}"
    command = shlex.join(["recorder-editor", "convert", str(path), out, "--write-as", server.name])
    return [
        say(
            "A server of {server} loses its place in this file, since it reads {packets} "
            "otherwise. Convert the file before such a server gets it: {command}",
            server=server.releases,
            packets=listed(packets),
            command=command,
        )
    ]


def _of_the_header(snapshot: Snapshot) -> list[str]:
    """The remark on a file whose header is damaged, if the server takes it for a recording."""
    date = simulators_date(snapshot.read(0, HEAD_SIZE))
    if date is None:
        return []
    if has_year(date):
        remark = say(
            "A server takes this file for a recording by the mark at its beginning; what "
            "it would print is not known, since the rest of the file header is damaged."
        )
    else:
        remark = say(
            "A server takes this file for a recording, and crashes when it prints the date {date}: there is no report.",
            date=date,
        )
    return [remark]


def server_of(source: Dialect, release: str) -> Dialect:
    """Return the dialect that the server of a release reads: one of the engine of the recording, if it has one.

    Args:
        source: The dialect of the recording.
        release: The number of a release, or the name of a family or of a dialect.

    Raises:
        KeyError: No dialect has the release.
    """
    if release in DIALECTS:
        return DIALECTS[release]
    own = []
    others = []
    for dialect in DIALECTS.values():
        if dialect.engine == source.engine:
            own.append(dialect)
        else:
            others.append(dialect)
    for dialects in (own, others):
        for dialect in dialects:
            if dialect.holds(release):
                return dialect
        for dialect in dialects:
            if dialect.family == release:
                return dialect
    raise KeyError(release)


def _misread(snapshot: Snapshot, server: Dialect, reads: Collection[str]) -> list[str]:
    """The names of packets of the recording that a server takes for others, or for longer or shorter ones."""
    numbers = snapshot.table.column("layout")
    misread: dict[str, None] = {}
    for number in np.unique(numbers[numbers >= 0]).tolist():
        ids, _, sizes = snapshot.layouts.get(number)
        for packet in np.unique(ids[sizes > 2]).tolist():
            kind = snapshot.dialect.packet(packet)
            taken_for = server.packets.get(packet)
            if taken_for is not None and taken_for.name in reads and not _is_alike(kind, taken_for):
                misread[kind.name] = None
    return list(misread)


def _is_alike(kind: PacketType, other: PacketType) -> bool:
    """Whether two packets have the same bytes, whatever they mean."""
    return kind.body == other.body and kind.record.layout == other.record.layout
