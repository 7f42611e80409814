"""Encodes and decodes journal entries: states of a file, edits, rows and the bytes that these refer to.

A row of an entry refers to the scratch file (source 0), to the recording's file (source 1), or to another file that the
entry names. All other bytes are copied into the scratch file first.
"""

import errno
import os
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...arrays import IntArray, StructuredArray
from ...errors import RecorderError
from ...format import DIALECTS, Detection, FileHeader, read_json
from ...texts import Text, packed, say, unpacked
from ..files import Identity
from ..frames import NO_LAYOUT, ROW, START_SIZE, FrameTable, Layouts, frozen
from ..history import Intent, Splice, Step
from ..snapshot import Snapshot
from ..source_refs import copy_rows
from ..store import Store
from .log_file import Entry, as_json

FILE = 1
"""The source number of the recording's file in an entry."""

_LARGE = 16 << 20
_RESERVED_SPACE = 64 << 20
"""Free space in bytes that copying for a journal leaves."""

_CHECKED = ("kind", "size", "frame_id", "elapsed")


class BytesMissing(RecorderError):
    """An entry refers to bytes that do not exist."""


# --- writing --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Writer:
    """Encodes changes as entries. `file` is the source number of the recording's file."""

    store: Store
    layouts: Layouts
    file: int
    _files: dict[int, list[object]] = field(default_factory=dict)

    def move(self, step: Step) -> Entry:
        """The entry of a step, after its rows and their bytes are copied to the scratch file. Raises OSError."""
        self._files = {}
        entry = {
            "label": step.label,
            "sentence": sentence_entry(step.label),
            "splices": [[each.at, each.removed, *self._table(each.inserted)] for each in step.forward],
            "intent": intent_entry(step.intent) if step.intent is not None else None,
            "headers": [header_entry(each) for each in step.headers] if step.headers is not None else None,
            "detection": detection_entry(step.detections[1]) if step.detections is not None else None,
            "gesture": step.gesture,
            "files": self._files or None,
        }
        return {name: value for name, value in entry.items() if value is not None}

    def _table(self, table: FrameTable) -> list[object]:
        """[blobs of rows, their layouts]"""
        blobs: list[list[int]] = []
        layouts: set[int] = set()
        check_free_space(self.store, len(table) * ROW.itemsize)
        for chunk in table.chunks:
            rows = self._portable(chunk)
            layouts.update(np.unique(rows["layout"]).tolist())
            data = rows.tobytes()
            _, offset = self.store.append(data)
            blobs.append([offset, len(rows), zlib.crc32(data)])
        layouts.discard(NO_LAYOUT)
        return [blobs, {str(each): self.layouts.headers_of(each).hex() for each in sorted(layouts)}]

    def _portable(self, rows: StructuredArray) -> StructuredArray:
        portable = rows.copy()
        for source in np.unique(rows["source"]).tolist():
            chosen = rows["source"] == source
            if source == self.file:
                portable["source"][chosen] = FILE
            elif source != Store.scratch and self.store.is_replaced(source):
                check_free_space(self.store, int(rows["size"][chosen].sum()) + START_SIZE * int(chosen.sum()))
                copy_rows(self.store, self.store, portable, np.flatnonzero(chosen))
            elif source != Store.scratch:
                number = source + FILE  # neither FILE nor the scratch file
                self._files[number] = [str(self.store.path(source)), *self.store.identity(source)]
                portable["source"][chosen] = number
        return portable

    def file_state(self, snapshot: Snapshot, path: Path, number: int, *, exact: bool) -> Entry:
        """The entry of a state of the recording's file. `exact`: a scan of the file gives the same rows."""
        table = snapshot.table
        entry: Entry = {"base": number, "path": str(path), "identity": list(self.store.identity(self.file))}
        if not exact:
            entry["table"] = [*self._table(table), len(snapshot.header_bytes), header_entry(snapshot.header)]
        entry["digest"] = digest(table)
        keys = table.column("key")
        if exact and len(keys) and not np.array_equal(keys, np.arange(len(keys))):
            data = zlib.compress(np.diff(keys, prepend=0).tobytes(), 1)
            _, offset = self.store.append(data)
            entry["keys"] = [offset, len(data), zlib.crc32(data)]
        if snapshot.detection.forced:
            entry["detection"] = detection_entry(snapshot.detection)
        return entry


def check_free_space(store: Store, size: int) -> None:
    """Raises OSError if appending a large `size` to the scratch file would fill the disk."""
    if size >= _LARGE and store.room is not None and store.room < size + _RESERVED_SPACE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(store.state))


def digest(table: FrameTable) -> list[int]:
    """The number of rows of a scanned table, and a checksum of them."""
    checksum = 0
    for chunk in table.chunks:
        for name in _CHECKED:
            checksum = zlib.crc32(chunk[name].tobytes(), checksum)
    return [len(table), checksum]


# --- reading --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Reader:
    """Decodes entries for a recording that was opened again."""

    store: Store
    layouts: Layouts
    _opened: dict[tuple[str, Identity], int] = field(default_factory=dict)

    def move(self, entry: Entry) -> Step:
        """The change of an entry as a step whose other side is not known.

        Raises `BytesMissing`; KeyError, ValueError, TypeError for an invalid entry.
        """
        files = {}
        for number, file in entry.get("files", {}).items():
            files[int(number)] = self._file(*file)
        splices = tuple(
            Splice(int(at), int(removed), self._table(blobs, layouts, files))
            for at, removed, blobs, layouts in entry["splices"]
        )
        headers = entry.get("headers")
        detection = entry.get("detection")
        return Step(
            0,
            label_of(entry),
            intent_of(entry["intent"]) if entry.get("intent") is not None else None,
            splices,
            (),
            (header_of(headers[0]), header_of(headers[1])) if headers is not None else None,
            entry.get("gesture"),
            (detection_of(*detection),) * 2 if detection is not None else None,
        )

    def table(self, blobs: Sequence[Sequence[int]], layouts: dict[str, str]) -> FrameTable:
        """The rows of a state that was saved."""
        return self._table(blobs, layouts, {})

    def keys(self, entry: Sequence[int], rows: int) -> IntArray:
        """The keys of the rows of a state that was saved, int64[rows]."""
        offset, size, checksum = entry
        # The limit holds for a damaged journal, too; 0 would mean no limit.
        data = zlib.decompressobj().decompress(self._blob(offset, size, checksum), rows * 8 or 1)
        return np.cumsum(np.frombuffer(data, np.int64))

    def _blob(self, offset: int, size: int, checksum: int) -> bytes:
        try:
            data = self.store.read(Store.scratch, offset, size)
        except ValueError:
            data = b""
        if len(data) != size or zlib.crc32(data) != checksum:
            raise BytesMissing(say("Bytes of these edits did not reach the disk."))
        return data

    def _table(self, blobs: Sequence[Sequence[int]], layouts: dict[str, str], files: dict[int, int]) -> FrameTable:
        numbers = {}
        for old, headers in layouts.items():
            numbers[int(old)] = self.layouts.add(bytes.fromhex(headers))
        chunks = [self._chunk(blob, numbers, files) for blob in blobs]
        return FrameTable(chunk for chunk in chunks if len(chunk))

    def _chunk(self, blob: Sequence[int], layouts: dict[int, int], files: dict[int, int]) -> StructuredArray:
        offset, count, checksum = blob
        rows = np.frombuffer(self._blob(offset, count * ROW.itemsize, checksum), ROW).copy()
        was = rows["layout"].copy()
        used = rows["source"].copy()
        rows["stored"] = 0  # the bytes before the row may have changed
        for old in np.unique(was).tolist():
            number = layouts.get(old, NO_LAYOUT)
            rows["layout"][was == old] = number
            if number != NO_LAYOUT and (rows["size"][was == old] != self.layouts.get(number).end).any():
                raise ValueError("a layout of other packets than those of its rows")
        for old in np.unique(used).tolist():
            if old in (Store.scratch, FILE):
                source = old
            else:
                source = files[old]
            chosen = used == old
            rows["source"][chosen] = source if old != FILE else self.store.file
            self._check(rows[chosen])
        return frozen(rows)

    def _check(self, rows: StructuredArray) -> None:
        ends = rows["offset"] + rows["size"]
        if int(ends.max()) > self.store.size(int(rows["source"][0])) or int(rows["offset"].min()) < 0:
            raise BytesMissing(say("Bytes of these edits are not where they were."))

    def _file(self, name: str, device: int, inode: int, size: int, modified: int, ends: str) -> int:
        path = Path(name)
        identity = Identity(device=device, inode=inode, size=size, modified=modified, ends=ends)
        number = self._opened.get((name, identity))
        if number is None:
            try:
                number = self.store.add_file(path)
            except OSError as error:
                raise BytesMissing(
                    say("{name}, which was put into this recording, cannot be read any more.", name=path.name)
                ) from error
            if not self.store.identity(number).has_content_of(identity):
                self.store.drop(number)
                raise BytesMissing(
                    say("{name}, which was put into this recording, is another file by now.", name=path.name)
                )
            self._opened[name, identity] = number
        return number


# --- small values ---------------------------------------------------------------------------------------


def sentence_entry(label: str) -> object:
    """The entry of a label that can be said in another language; None where its values cannot be written as JSON."""
    entry = packed(label)
    if isinstance(label, Text) and _label_in(read_json(as_json(entry))) == label:
        return entry
    return None


def label_of(entry: Entry) -> str:
    """The label of a change, in the language that is set if it can be said in it."""
    return _label_in(entry.get("sentence")) or str(entry["label"])


def _label_in(entry: object) -> str:
    """The label in the entry of a sentence; empty if it cannot be said."""
    try:
        label = unpacked(entry)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError):
        return ""
    if isinstance(label, Text):
        return label
    return ""


def intent_entry(intent: Intent) -> list[object]:
    """The entry of an intent; a list for one with several parts."""
    if len(intent.parts) != 1 or intent.parts[0] is not intent:
        return [intent_entry(each) for each in intent.parts]
    return [intent.operation, dict(intent.arguments)]


def intent_of(entry: Sequence[Any]) -> Intent:
    """The intent of an entry."""
    if entry and isinstance(entry[0], list):
        return Intent("several", {"intents": tuple(intent_of(each) for each in entry)})
    return Intent(str(entry[0]), dict(entry[1]))


def header_entry(header: FileHeader | None) -> list[object] | None:
    """The entry of a file header, or None."""
    if header is None:
        return None
    name = header.map_name
    return [header.version, header.date, name if isinstance(name, str) else [name.hex()], header.magic.hex()]


def header_of(entry: Sequence[Any] | None) -> FileHeader | None:
    """The header of an entry."""
    if entry is not None:
        return _header(*entry)
    return None


def _header(version: int, date: int, name: str | list[str], magic: str) -> FileHeader:
    map_name = name if isinstance(name, str) else bytes.fromhex(name[0])
    return FileHeader(version, date, map_name, bytes.fromhex(magic))


def detection_entry(detection: Detection) -> list[object]:
    """The entry of a detection: dialect, reasons, and the packets that it has from other dialects."""
    dialect = detection.dialect
    own = DIALECTS[dialect.name].packets
    foreign = {}
    for number, kind in dialect.packets.items():
        if own.get(number) is not kind:
            foreign[number] = kind
    borrowed = {}
    for number, kind in foreign.items():
        borrowed[str(number)] = next(
            (other.name for other in DIALECTS.values() if other.packets.get(number) == kind), ""
        )
    return [dialect.name, list(detection.reasons), detection.forced, borrowed]


def detection_of(name: str, reasons: Iterable[str], forced: bool, borrowed: dict[str, str]) -> Detection:
    """The detection of the values of an entry; raises KeyError for an unknown dialect."""
    dialect = DIALECTS[name]
    if borrowed:
        more = {}
        for number, other in borrowed.items():
            if other:
                more[int(number)] = DIALECTS[other].packets[int(number)]
        dialect = replace(dialect, packets={**dialect.packets, **more})
    return Detection(dialect, tuple(reasons), bool(forced))
