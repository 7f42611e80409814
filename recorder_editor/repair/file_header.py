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
from ..texts import N_, say
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
    pairs = lone = 0
    for position in range(0, snapshot.size, _PIECE):
        data = snapshot.read(max(position - 1, 0), _PIECE + (position > 0))
        breaks = data.count(b"\n", position > 0)
        behind = data.count(b"\r\n")
        pairs, lone = pairs + behind, lone + breaks - behind
        if lone > _FEWEST_BREAKS and 20 * lone > pairs:
            return False
    return pairs >= _FEWEST_BREAKS and 20 * lone <= pairs


def without_text_mode(snapshot: Snapshot, progress: Progress) -> tuple[Snapshot, int]:
    """The recording with 0A for every 0D 0A, and the number of bytes removed."""
    store = snapshot.store
    begin = -1
    total = 0
    carry = b""
    for position in range(0, snapshot.size, _BLOCK):
        progress.update(position, snapshot.size)
        data = carry + snapshot.read(position, _BLOCK)
        carry = b"\r" if data.endswith(b"\r") and position + _BLOCK < snapshot.size else b""
        made = data[: len(data) - len(carry)].replace(b"\r\n", b"\n")
        if made:
            source, offset = store.append(made)
            begin = offset if begin < 0 else begin
            total += len(made)
    head = store.read(source, begin, min(total, _FIXED + 5 + LONGEST_MAP_NAME))
    parsed = parse_header(head)
    if parsed is not None:
        header, start = parsed
    else:
        header, start = (None, 0)
    table = _scan(snapshot, source, begin + start, total - start, progress.part(1, 1), credible=parsed is not None)
    return _with_table(snapshot, table, header, head[:start]), snapshot.size - total


def _scan(
    snapshot: Snapshot, source: int, offset: int, size: int, progress: Progress, *, credible: bool = True
) -> FrameTable:
    layouts = snapshot.layouts
    keys = snapshot.keys
    return scan(
        snapshot.store, source, offset, size, layouts=layouts, keys=keys, credible=credible, progress=progress
    ).table


def _with_table(snapshot: Snapshot, table: FrameTable, header: FileHeader | None, raw: bytes) -> Snapshot:
    made = replace(snapshot.following(table), header=header, header_bytes=raw)
    if snapshot.detection.forced:
        return made
    return replace(made, detection=detection_of(made))


def damaged_bytes(snapshot: Snapshot) -> int:
    """Number of bytes outside of frames, with the header if it cannot be read."""
    kinds = snapshot.table.column("kind")
    sizes = snapshot.table.column("size")
    return int(sizes[kinds == RAW].sum())


# --- the header -----------------------------------------------------------------------------------------


def rebuild_header(
    snapshot: Snapshot, map_name: str | None, donor: Snapshot | None, progress: Progress
) -> tuple[Snapshot, RepairChange] | None:
    """The recording with a rebuilt header; None if no frame is found. The header is lost if a field had to be guessed
    or given."""
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
    made = _with_table(bare, table, header, header.encode())
    codes = (
        N_("The file header is damaged, and all of its values can be read."),
        N_("The file header is damaged; its {value} cannot be read any more."),
        N_("The file header is damaged; its date, map name cannot be read any more."),
    )
    text = say(codes[len(lost)], value=lost[0] if lost else "")
    finding = Finding("no-header", "error", text, 0, None, None, size)
    if lost:
        tally = Tally(bytes=size, packets_by_type=Counter(Header=1))
    else:
        tally = Tally()
    added = len(made.header_bytes) - (0 if lost else size)
    return made, RepairChange([Splice(0, snapshot.rows, made.table)], [finding], tally, added=added)


def _size_of_header(head: bytes) -> int:
    """Number of bytes of the damaged header; 0 if there is none."""
    declared = _FIXED + int.from_bytes(head[26:28], "little")
    if declared <= _FIXED + LONGEST_MAP_NAME and head[declared : declared + 5] == FRAME_START_HEADER:
        return declared
    at = head.find(FRAME_START_HEADER, 0, _FIXED + LONGEST_MAP_NAME + 5)
    while at >= 0:
        if is_credible(head[at + 5 : at + START_SIZE].ljust(24, b"\0")):
            return at
        at = head.find(FRAME_START_HEADER, at + 1, _FIXED + LONGEST_MAP_NAME + 5)
    return 0


def _rebuilt(
    raw: bytes, bare: Snapshot, map_name: str | None, donor: Snapshot | None
) -> tuple[FileHeader, tuple[str, ...]]:
    """The header, and the names of fields that are lost; values are read only where most of the magic is in place."""
    in_place = _is_in_place(raw)
    template = donor.header if donor is not None else None
    lost: list[str] = []
    if in_place:
        version = int.from_bytes(raw[:2], "little")
    else:
        version = 0
    if version not in (1, 2):
        version = template.version if template is not None else bare.dialect.header_version
    if in_place:
        date = int.from_bytes(raw[18:26], "little")
    else:
        date = 0
    if not _is_date(date):
        if template is None:
            lost.append(say("date"))
        if template is not None:
            date = template.date
        else:
            date = _date_of_file(bare)
    name: str | bytes | None = None
    if in_place or len(raw) > _FIXED:
        name = _name_in(raw)
    if map_name is not None:
        name = map_name
    elif name is None and template is not None:
        name = template.map_name
    elif name is None:
        lost.append(say("map name"))
        name = guess_map(bare)
    return FileHeader(version, date, name or ""), tuple(lost)


def _is_in_place(raw: bytes) -> bool:
    same = sum(a == b for a, b in zip(raw[2:18], _HEAD, strict=False))
    return same >= len(_HEAD) // 2


def _is_date(date: int) -> bool:
    try:
        FileHeader(1, date, "").encode()
    except FieldError:
        return False
    return True


def _name_in(raw: bytes) -> str | None:
    """The map name at the end of the header; None if it is no plain name."""
    name = raw[_FIXED:]
    letters = name.replace(b"_", b"").replace(b"/", b"")
    is_name = name.isascii() and len(name) >= 3 and letters.isalnum() and name[:1].isalpha()
    if is_name:
        return name.decode("ascii")
    return None


def _date_of_file(snapshot: Snapshot) -> int:
    """The modification time of the file (seconds since 1970), which is the end of the recording; 2020 without one."""
    try:
        date = int(os.stat(snapshot.store.path(snapshot.store.file)).st_mtime)
    except OSError:
        date = 0
    if _is_date(date):
        return date
    return int(datetime(2020, 1, 1, tzinfo=UTC).timestamp())


# --- a second recording in the same file ----------------------------------------------------------------


def second_header(snapshot: Snapshot) -> tuple[int, int, FileHeader, int] | None:
    """(row, offset in it, header, its size) of the first file header within the raw rows, or None."""
    kinds = snapshot.table.column("kind")
    for row in np.flatnonzero(kinds == RAW).tolist():
        record = snapshot.table.row(row)
        source = int(record["source"])
        offset = int(record["offset"])
        size = int(record["size"])
        for begin in range(0, size, _BLOCK):
            data = snapshot.store.read(source, offset + begin, min(_BLOCK + _LOOKED_AT, size - begin))
            at = data.find(_HEAD)
            while at >= 2:
                place = begin + at - 2
                raw = snapshot.store.read(source, offset + place, min(_FIXED + LONGEST_MAP_NAME, size - place))
                parsed = parse_header(raw)
                if parsed is not None:
                    return row, place, *parsed
                at = data.find(_HEAD, at + 1)
    return None


def split_at(snapshot: Snapshot, row: int, place: int, header: FileHeader, size: int) -> tuple[Snapshot, Snapshot]:
    """The recording before a second header, and the recording that begins with it."""
    table = snapshot.table
    record = table.rows(row, row + 1).copy()
    before = record.copy()
    behind = record.copy()
    before["size"], before["layout"] = place, -1
    behind["offset"] += place + size
    behind["size"] -= place + size
    behind["layout"] = -1
    behind["key"] = snapshot.keys.take(1)
    first = table.splice(row, len(table) - row, before[before["size"] > 0])
    second = table.slice(row, len(table)).splice(0, 1, behind[behind["size"] > 0])
    return snapshot.following(first), _with_table(snapshot, second, header, header.encode())


# --- the map -----------------------------------------------------------------------------------------


_LIGHTS = {name: frozenset(map(tuple, places)) for name, places in resources.table("lights").items()}
"""By town a dozen of its lights: x and y in centimetres, truncated as the replayer does (`resources/lights.json`)."""

_ENOUGH = 0.75


def guess_map(snapshot: Snapshot) -> str | None:
    """The name of the map, or None if its lights are unknown."""
    lives = Actors.of(snapshot).lives
    places = set()
    for life in lives:
        if (
            life.blueprint.startswith("traffic.traffic_light")
            and isfinite(life.transform.x)
            and isfinite(life.transform.y)
        ):
            places.add((int(life.transform.x), int(life.transform.y)))
    shares = {name: len(lights & places) / len(lights) for name, lights in _LIGHTS.items()}
    best = max(shares, key=lambda name: shares[name])
    if shares[best] >= _ENOUGH:
        return best
    return None
