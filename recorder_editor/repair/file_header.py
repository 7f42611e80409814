"""The file header, rebuilt from its remains; files written in text mode; a second header in the file.

Frames are found without a header, so it is rebuilt from what is left of it, the given map name, a donor, the frames,
and the places of traffic lights, which tell the map.
"""

import os
import struct
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from math import isfinite
from typing import NamedTuple

import numpy as np

from .. import resources
from ..errors import FieldError
from ..format import LONGEST_MAP_NAME, FileHeader, parse_header
from ..format.header import MAGIC
from ..progress import Progress
from ..reading import Actors
from ..recording import FRAME_START_HEADER, RAW, START_SIZE, Finding, FrameTable, Snapshot, Splice
from ..recording.recording import detection_of
from ..recording.scan import scan
from ..texts import say
from .report import RepairChange, Tally
from .salvage import is_credible

_HEAD = struct.pack("<H", len(MAGIC)) + MAGIC
_FIXED = 28
_LOOKED_AT = 1 << 16
_BLOCK = 8 << 20
_PIECE = 1 << 20
_FEWEST_BREAKS = 4


# --- saved as text --------------------------------------------------------------------------------------


def is_text_mode(snapshot: Snapshot) -> bool:
    """Whether nearly every 0A follows a 0D, so that the file was written in text mode."""
    pairs = 0
    lone = 0
    for position in range(0, snapshot.size, _PIECE):
        # A piece begins with the last byte of the one before, which may be the 0D of a pair.
        overlap = 1 if position else 0
        data = snapshot.read(position - overlap, _PIECE + overlap)
        in_pairs = data.count(b"\r\n")
        pairs += in_pairs
        lone += data.count(b"\n", overlap) - in_pairs
        if lone > _FEWEST_BREAKS and 20 * lone > pairs:
            return False
    return pairs >= _FEWEST_BREAKS and 20 * lone <= pairs


def without_text_mode(snapshot: Snapshot, progress: Progress) -> tuple[Snapshot, int]:
    """Put 0A for every 0D 0A.

    Args:
        snapshot: The state of the recording.
        progress: Counts bytes.

    Returns:
        The recording, and the number of bytes removed.
    """
    store = snapshot.store
    begin = -1
    total = 0
    carry = b""
    for position in range(0, snapshot.size, _BLOCK):
        progress.update(position, snapshot.size)
        data = carry + snapshot.read(position, _BLOCK)
        # A 0D at the end of a block may belong to a 0A at the begin of the next one.
        is_split = data.endswith(b"\r") and position + _BLOCK < snapshot.size
        carry = b"\r" if is_split else b""
        text = data[: len(data) - len(carry)].replace(b"\r\n", b"\n")
        if text:
            source, offset = store.append(text)
            total += len(text)
            if begin < 0:
                begin = offset
    head = store.read(source, begin, min(total, _FIXED + 5 + LONGEST_MAP_NAME))
    header = None
    start = 0
    parsed = parse_header(head)
    if parsed is not None:
        header, start = parsed
    table = _scan(snapshot, source, begin + start, total - start, progress.part(1, 1), credible=parsed is not None)
    return _with_table(snapshot, table, header, head[:start]), snapshot.size - total


def _scan(
    snapshot: Snapshot, source: int, offset: int, size: int, progress: Progress, *, credible: bool = True
) -> FrameTable:
    """Return the frame table of bytes of a source, with the layouts and keys of a state."""
    scanned = scan(
        snapshot.store,
        source,
        offset,
        size,
        layouts=snapshot.layouts,
        keys=snapshot.keys,
        credible=credible,
        progress=progress,
    )
    return scanned.table


def _with_table(snapshot: Snapshot, table: FrameTable, header: FileHeader | None, raw: bytes) -> Snapshot:
    """Return the recording with other rows and another header, and the dialect detected anew unless it was given."""
    result = replace(snapshot.following(table), header=header, header_bytes=raw)
    if snapshot.detection.forced:
        return result
    return replace(result, detection=detection_of(result))


def damaged_bytes(snapshot: Snapshot) -> int:
    """Return the number of bytes outside of frames, with the header if it cannot be read."""
    kinds = snapshot.table.column("kind")
    sizes = snapshot.table.column("size")
    return int(sizes[kinds == RAW].sum())


# --- the header -----------------------------------------------------------------------------------------


def rebuild_header(
    snapshot: Snapshot, map_name: str | None, donor: Snapshot | None, progress: Progress
) -> tuple[Snapshot, RepairChange] | None:
    """Rebuild the file header.

    Args:
        snapshot: The state of the recording, without a header.
        map_name: The name of the map; None: what can be read, that of the donor, or a guess.
        donor: Another copy of the recording, or None.
        progress: Counts bytes.

    Returns:
        The recording with a header, and the change, in which the header is lost if a field had to be guessed or given;
        None if no frame is found.
    """
    head = snapshot.read(0, _LOOKED_AT)
    size = _size_of_header(head)
    row = snapshot.table.row(0)
    begin = int(row["offset"]) + size
    stored = int(row["size"]) - size
    table = _scan(snapshot, int(row["source"]), begin, stored, progress)
    if not table.frames:
        return None
    bare = _with_table(snapshot, table, None, b"")
    header, lost = _rebuilt(head[:size], bare, map_name, donor)
    after = _with_table(bare, table, header, header.encode())
    if not lost:
        text = say("The file header is damaged, and all of its values can be read.")
    elif len(lost) == 1:
        text = say("The file header is damaged; its {value} cannot be read any more.", value=lost[0])
    else:
        text = say("The file header is damaged; its date, map name cannot be read any more.")
    change = RepairChange(
        splices=[Splice(0, snapshot.rows, after.table)],
        findings=[Finding("no-header", "error", text, 0, None, None, size)],
        added=len(after.header_bytes) - size,
    )
    if lost:
        change.lost = Tally(bytes=size, packets_by_type=Counter(Header=1))
        change.added = len(after.header_bytes)
    return after, change


def _size_of_header(head: bytes) -> int:
    """Return the number of bytes of the damaged header; 0 if there is none."""
    declared = _FIXED + int.from_bytes(head[26:28], "little")
    if declared <= _FIXED + LONGEST_MAP_NAME and head[declared : declared + 5] == FRAME_START_HEADER:
        return declared
    last = _FIXED + LONGEST_MAP_NAME + 5
    offset = head.find(FRAME_START_HEADER, 0, last)
    while offset >= 0:
        if is_credible(head[offset + 5 : offset + START_SIZE].ljust(24, b"\0")):
            return offset
        offset = head.find(FRAME_START_HEADER, offset + 1, last)
    return 0


def _rebuilt(
    raw: bytes, bare: Snapshot, map_name: str | None, donor: Snapshot | None
) -> tuple[FileHeader, tuple[str, ...]]:
    """Return the header, and the names of fields that are lost; most of the magic must be in place to read values.

    Args:
        raw: The bytes of the damaged header.
        bare: The recording without a header.
        map_name: The name of the map that is given, or None.
        donor: Another copy of the recording, or None.
    """
    in_place = _is_in_place(raw)
    template = donor.header if donor is not None else None
    lost: list[str] = []
    version = int.from_bytes(raw[:2], "little") if in_place else 0
    if version not in (1, 2):
        version = template.version if template is not None else bare.dialect.header_version
    date = int.from_bytes(raw[18:26], "little") if in_place else 0
    if not _is_date(date):
        if template is not None:
            date = template.date
        else:
            lost.append(say("date"))
            date = _date_of_file(bare)
    name: str | bytes | None = map_name
    if name is None and (in_place or len(raw) > _FIXED):
        name = _name_in(raw)
    if name is None and template is not None:
        name = template.map_name
    elif name is None:
        lost.append(say("map name"))
        name = guess_map(bare)
    return FileHeader(version, date, name or ""), tuple(lost)


def _is_in_place(raw: bytes) -> bool:
    """Whether at least half of the bytes of the magic are where they belong."""
    same = 0
    for byte, expected in zip(raw[2:18], _HEAD, strict=False):
        if byte == expected:
            same += 1
    return same >= len(_HEAD) // 2


def _is_date(date: int) -> bool:
    try:
        FileHeader(1, date, "").encode()
    except FieldError:
        return False
    return True


def _name_in(raw: bytes) -> str | None:
    """Return the map name at the end of the header; None if it is no plain name."""
    name = raw[_FIXED:]
    letters = name.replace(b"_", b"").replace(b"/", b"")
    if name.isascii() and len(name) >= 3 and letters.isalnum() and name[:1].isalpha():
        return name.decode("ascii")
    return None


def _date_of_file(snapshot: Snapshot) -> int:
    """Return the modification time of the file (seconds since 1970), which is the end of the recording; else 2020."""
    try:
        date = int(os.stat(snapshot.store.path(snapshot.store.file)).st_mtime)
    except OSError:
        date = 0
    if _is_date(date):
        return date
    return int(datetime(2020, 1, 1, tzinfo=UTC).timestamp())


# --- a second recording in the same file ----------------------------------------------------------------


class SecondHeader(NamedTuple):
    """A file header within the raw rows.

    Attributes:
        row: The row that holds it.
        place: Its offset in the row.
        header: The header.
        size: The number of its bytes.
    """

    row: int
    place: int
    header: FileHeader
    size: int


def find_second_header(snapshot: Snapshot) -> SecondHeader | None:
    """Find the first file header within the raw rows, or None."""
    kinds = snapshot.table.column("kind")
    for row in np.flatnonzero(kinds == RAW).tolist():
        record = snapshot.table.row(row)
        source = int(record["source"])
        offset = int(record["offset"])
        size = int(record["size"])
        for begin in range(0, size, _BLOCK):
            data = snapshot.store.read(source, offset + begin, min(_BLOCK + _LOOKED_AT, size - begin))
            index = data.find(_HEAD)
            while index >= 2:
                place = begin + index - 2
                raw = snapshot.store.read(source, offset + place, min(_FIXED + LONGEST_MAP_NAME, size - place))
                parsed = parse_header(raw)
                if parsed is not None:
                    header, header_size = parsed
                    return SecondHeader(row, place, header, header_size)
                index = data.find(_HEAD, index + 1)
    return None


def split_at(snapshot: Snapshot, second: SecondHeader) -> tuple[Snapshot, Snapshot]:
    """Return the recording before a second header, and the recording that begins with it."""
    table = snapshot.table
    row = second.row
    record = table.rows(row, row + 1).copy()
    before = record.copy()
    before["size"] = second.place
    before["layout"] = -1
    behind = record.copy()
    behind["offset"] += second.place + second.size
    behind["size"] -= second.place + second.size
    behind["layout"] = -1
    behind["key"] = snapshot.keys.take(1)
    first_table = table.splice(row, len(table) - row, before[before["size"] > 0])
    second_table = table.slice(row, len(table)).splice(0, 1, behind[behind["size"] > 0])
    first = snapshot.following(first_table)
    return first, _with_table(snapshot, second_table, second.header, second.header.encode())


# --- the map -----------------------------------------------------------------------------------------


_LIGHTS = {name: frozenset(map(tuple, places)) for name, places in resources.table("lights").items()}
"""By town a dozen of its lights: x and y in centimetres, truncated as the replayer does (`resources/lights.json`)."""

_ENOUGH = 0.75


def guess_map(snapshot: Snapshot) -> str | None:
    """Return the name of the map by the places of its traffic lights, or None if they are unknown."""
    places = set()
    for life in Actors.of(snapshot).lives:
        x = life.transform.x
        y = life.transform.y
        if life.blueprint.startswith("traffic.traffic_light") and isfinite(x) and isfinite(y):
            places.add((int(x), int(y)))
    shares = {name: len(lights & places) / len(lights) for name, lights in _LIGHTS.items()}
    best = max(shares, key=lambda name: shares[name])
    if shares[best] >= _ENOUGH:
        return best
    return None
