"""What reports share: release families, header and footer, numbers as a C++ stream writes them, the rows to read."""

import math
import time
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from ..arrays import StructuredArray, run_starts
from ..format import Body, dialect_named, simulators_date
from ..format.schema import RawFloat
from ..progress import SILENT, Progress
from ..reading import Actors
from ..reading.actors import EVENT_KINDS
from ..recording import Row, Snapshot
from ..recording.layout_filter import LayoutFilter

Family = Literal["0.9.4", "0.9.6", "0.9.10", "0.9.13", "0.9.15", "newest"]
FAMILIES: tuple[Family, ...] = get_args(Family)
"""The releases whose reports differ, oldest first; 0.9.10 and 0.9.13 print alike."""

NOT_A_RECORDING = b"File is not a CARLA recorder\n"
"""The report of a file without the magic of a recording."""

HEAD_SIZE = 28
"""Bytes of a file header up to the map name."""


def report_without_header(snapshot: Snapshot) -> bytes:
    """Return the report of a file without a credible header.

    Empty where the server takes it for a recording all the same.

    `remarks` tells what becomes of such a report.
    """
    if simulators_date(snapshot.read(0, HEAD_SIZE)) is None:
        return NOT_A_RECORDING
    return b""


def family_of(snapshot: Snapshot) -> Family:
    """Return the family of the release that wrote the recording."""
    return next((family for family in FAMILIES if family == snapshot.dialect.family), "newest")


def family_named(release: str) -> Family:
    """Return the family of a release.

    Args:
        release: The number of a release, or the name of a family or of a dialect.

    Raises:
        KeyError: There is no such release.
    """
    name: str = release
    if release not in FAMILIES:
        name = dialect_named(release).family
    return next(family for family in FAMILIES if family == name)


def report_header(snapshot: Snapshot, *, utc: bool = False) -> bytes:
    """Return version, map and date with the empty line after them; the date in local time, or in UTC.

    The header must be credible.
    """
    header = snapshot.header
    assert header is not None
    if utc:
        moment = time.gmtime(header.date)
    else:
        moment = time.localtime(header.date)
    date = time.strftime("%m/%d/%y %H:%M:%S", moment)
    if isinstance(header.map_name, bytes):
        map_name = header.map_name
    else:
        map_name = header.map_name.encode()
    return b"Version: %d\nMap: %s\nDate: %s\n\n" % (header.version, map_name, date.encode())


def report_footer(snapshot: Snapshot, *, is_whole: bool = False) -> bytes:
    """Return frames and duration after an empty line; `is_whole`: the duration without decimals."""
    number = 0
    elapsed = 0.0
    if len(snapshot):
        number = snapshot[-1].frame_id
        elapsed = snapshot[-1].elapsed
    if is_whole:
        duration = format_whole(elapsed)
    else:
        duration = format_general(elapsed)
    return f"\nFrames: {number}\nDuration: {duration} seconds\n".encode()


def format_general(value: float) -> str:
    """Return a float as a stream with default flags writes it: `%g`, and the sign of NaN as glibc does."""
    return _with_nan_sign(f"{value:g}", value)


def format_fixed(value: float) -> str:
    """Return a float as `%f` of C writes it."""
    return _with_nan_sign(f"{value:f}", value)


def format_whole(value: float) -> str:
    """Return a float as a stream with `fixed` and no decimals writes it."""
    return _with_nan_sign(f"{value:.0f}", value)


def _with_nan_sign(text: str, value: float) -> str:
    if text != "nan":
        return text
    if isinstance(value, RawFloat):
        is_negative = value.bits >> value.width - 1
    else:
        is_negative = math.copysign(1.0, value) < 0
    if is_negative:
        return "-nan"
    return text


def pad(text: bytes) -> bytes:
    """Return a text padded on the right to 35 bytes; longer texts are not cut."""
    return text.ljust(35)


_ROWS_BETWEEN_UPDATES = 64


def rows_with_events(snapshot: Snapshot, kinds: Collection[str], progress: Progress = SILENT) -> Sequence[int]:
    """Return the numbers of the rows with events, rising; of all rows if the event index is incomplete.

    Args:
        snapshot: The recording.
        kinds: Kinds of events, of `EVENT_KINDS`.
        progress: Of reading the events.

    Raises:
        Cancelled: The user cancelled it.
    """
    actors = Actors.of(snapshot, progress.quiet())
    if not actors.is_whole:
        return range(snapshot.rows)
    numbers = [EVENT_KINDS.index(kind) for kind in kinds]
    is_wanted = np.isin(actors.events["kind"], numbers)
    rows: list[int] = np.unique(actors.events["row"][is_wanted]).tolist()
    return rows


def read_rows(snapshot: Snapshot, numbers: Sequence[int], progress: Progress) -> Iterator[Row]:
    """Return the rows of these numbers, one after the other, counted by `progress`.

    Raises:
        Cancelled: The user cancelled it.
    """
    return map(snapshot.row, progress.over(numbers, _ROWS_BETWEEN_UPDATES))


def rows_with_packets(snapshot: Snapshot, names: Collection[str]) -> Sequence[int]:
    """Return the numbers of the rows that may hold packets of these types with records, rising."""
    wanted = {kind.id for kind in snapshot.dialect.packets.values() if kind.name in names}

    def has_records(layout: int) -> bool:
        packets = snapshot.layouts.get(layout).packets()
        return any(number in wanted and size > 2 for number, _, size in packets)

    rows: list[int] = LayoutFilter(has_records).rows(snapshot.table).tolist()
    return rows


def read_runs(snapshot: Snapshot, needed: LayoutFilter, progress: Progress) -> Iterator[Row | StructuredArray]:
    """Read the rows that a filter finds; the others are not read.

    Args:
        snapshot: The recording.
        needed: Finds the rows of which the bytes are needed.
        progress: Counts rows.

    Yields:
        Each row of which the bytes are needed, and between them the others as rows of the frame table.

    Raises:
        Cancelled: The job was cancelled. Errors of reading as `Store.read`.
    """
    total = snapshot.rows
    before = 0
    for chunk in snapshot.table.chunks:
        is_needed = needed.mask(chunk)
        edges = np.flatnonzero(run_starts(is_needed)).tolist()
        edges.append(len(chunk))
        for first, stop in pairwise(edges):
            if not is_needed[first]:
                progress.update(before + first, total)
                yield chunk[first:stop]
                continue
            for number in range(before + first, before + stop):
                if number % _ROWS_BETWEEN_UPDATES == 0:
                    progress.update(number, total)
                yield snapshot.row(number)
        before += len(chunk)
    progress.update(total, total)


def added_actors(body: Body) -> Iterator[tuple[int, int, bytes]]:
    """Yield id, type code and blueprint of the records of an EventAdd; attributes are not read."""
    for index in range(len(body)):
        blueprint = body.leaf(index, "blueprint")
        start = body.span(index)[0]
        actor = int.from_bytes(body.data[start : start + 4], "little")
        yield actor, body.data[start + 4], body.data[blueprint.start + 2 : blueprint.stop]
