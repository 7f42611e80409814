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
from ...format import DIALECTS, Detection, FileHeader, PacketType, read_json
from ...format.packet_files import entries_of, with_entries
from ...texts import Text, say, text_from_json, text_to_json
from ..files import Identity
from ..frames import NO_LAYOUT, ROW, START_SIZE, FrameTable, Layouts, frozen
from ..history import SEVERAL, Intent, Splice, Step
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
    """Encodes changes as entries.

    Attributes:
        store: The sources of the recording.
        layouts: The pool of layouts.
        file: The source number of the recording's file.
    """

    store: Store
    layouts: Layouts
    file: int
    _files: dict[int, list[object]] = field(default_factory=dict)  # other files that the entry refers to

    def move(self, step: Step) -> Entry:
        """The entry of a step, after its rows and their bytes are copied to the scratch file.

        Raises:
            OSError: They cannot be copied.
        """
        self._files = {}
        entry: Entry = {"label": step.label}
        sentence = sentence_entry(step.label)
        if sentence is not None:
            entry["sentence"] = sentence
        splices = []
        for splice in step.forward:
            blobs, layouts = self._table(splice.inserted)
            splices.append([splice.row, splice.removed, blobs, layouts])
        entry["splices"] = splices
        if step.intent is not None:
            entry["intent"] = intent_entry(step.intent)
        if step.headers is not None:
            before, after = step.headers
            entry["headers"] = [header_entry(before), header_entry(after)]
        if step.detections is not None:
            _, detection = step.detections
            entry["detection"] = detection_entry(detection)
        if step.gesture is not None:
            entry["gesture"] = step.gesture
        if self._files:
            entry["files"] = self._files
        return entry

    def _table(self, table: FrameTable) -> tuple[list[list[int]], dict[str, str]]:
        """Copy rows to the scratch file.

        Returns:
            The offset of each blob of rows, the number of rows in it and a checksum; and the packet headers of their
            layouts, by number.
        """
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
        return blobs, {str(number): self.layouts.headers_of(number).hex() for number in sorted(layouts)}

    def _portable(self, rows: StructuredArray) -> StructuredArray:
        """The rows with the source numbers of the entry; bytes of files that are gone are copied."""
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
        """The entry of a state of the recording's file.

        Args:
            snapshot: The state.
            path: The path of the file.
            number: The number of the state in the journal.
            exact: A scan of the file gives the same rows.

        Raises:
            OSError: Rows or keys cannot be copied to the scratch file.
        """
        table = snapshot.table
        entry: Entry = {"base": number, "path": str(path), "identity": list(self.store.identity(self.file))}
        if not exact:
            blobs, layouts = self._table(table)
            entry["table"] = [blobs, layouts, len(snapshot.header_bytes), header_entry(snapshot.header)]
        entry["digest"] = digest(table)
        keys = table.column("key")
        if exact and len(keys) and not np.array_equal(keys, np.arange(len(keys))):
            data = zlib.compress(np.diff(keys, prepend=0).tobytes(), 1)
            _, offset = self.store.append(data)
            entry["keys"] = [offset, len(data), zlib.crc32(data)]
        if snapshot.detection.forced or snapshot.dialect.described:
            entry["detection"] = detection_entry(snapshot.detection)
        given = snapshot.context.packets.given
        if given:
            entry["schema"] = [str(file.path) for file in given]
        return entry


def check_free_space(store: Store, size: int) -> None:
    """Check that appending many bytes to the scratch file does not fill the disk.

    Raises:
        OSError: It would.
    """
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
    """Decodes entries for a recording that was opened again.

    Attributes:
        store: The sources of the recording.
        layouts: The pool of layouts.
    """

    store: Store
    layouts: Layouts
    _opened: dict[tuple[str, Identity], int] = field(default_factory=dict)

    def move(self, entry: Entry) -> Step:
        """The change of an entry, as a step of which only the way forward is known.

        Raises:
            BytesMissing: Bytes of the change do not exist.
            KeyError, ValueError, TypeError: The entry is invalid.
        """
        files = {}
        for number, file in entry.get("files", {}).items():
            files[int(number)] = self._file(*file)
        splices = []
        for at, removed, blobs, layouts in entry["splices"]:
            splices.append(Splice(int(at), int(removed), self._table(blobs, layouts, files)))
        intent = None
        if entry.get("intent") is not None:
            intent = intent_of(entry["intent"])
        headers = None
        if entry.get("headers") is not None:
            before, after = entry["headers"]
            headers = (header_of(before), header_of(after))
        detections = None
        if entry.get("detection") is not None:
            detection = detection_of(*entry["detection"])
            detections = (detection, detection)
        return Step(
            number=0,
            label=label_of(entry),
            intent=intent,
            forward=tuple(splices),
            backward=(),
            headers=headers,
            gesture=entry.get("gesture"),
            detections=detections,
        )

    def table(self, blobs: Sequence[Sequence[int]], layouts: dict[str, str]) -> FrameTable:
        """The rows of a state that was saved.

        Args:
            blobs: The offset of each blob of rows in the scratch file, the number of rows in it and a checksum.
            layouts: The packet headers of their layouts, by number.

        Raises:
            BytesMissing: Bytes of the rows do not exist.
        """
        return self._table(blobs, layouts, {})

    def keys(self, entry: Sequence[int], rows: int) -> IntArray:
        """The keys of the rows of a state that was saved.

        Args:
            entry: The offset of the compressed keys in the scratch file, their size and a checksum.
            rows: The number of rows.

        Returns:
            int64 (rows,).

        Raises:
            BytesMissing: The keys do not exist.
        """
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
        old_layouts = rows["layout"].copy()
        old_sources = rows["source"].copy()
        rows["stored"] = 0  # the bytes before the row may have changed
        for old in np.unique(old_layouts).tolist():
            chosen = old_layouts == old
            number = layouts.get(old, NO_LAYOUT)
            rows["layout"][chosen] = number
            if number != NO_LAYOUT and (rows["size"][chosen] != self.layouts.get(number).end).any():
                raise ValueError("a layout of other packets than those of its rows")
        for old in np.unique(old_sources).tolist():
            if old == Store.scratch:
                source = Store.scratch
            elif old == FILE:
                source = self.store.file
            else:
                source = files[old]
            chosen = old_sources == old
            rows["source"][chosen] = source
            self._check(rows[chosen])
        return frozen(rows)

    def _check(self, rows: StructuredArray) -> None:
        """Raise `BytesMissing` if rows of one source refer to bytes that it lacks."""
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
    """The entry of a label that can be translated again; None for another one, or if JSON cannot hold its values."""
    entry = text_to_json(label)
    if isinstance(label, Text) and _label_in(read_json(as_json(entry))) == label:
        return entry
    return None


def label_of(entry: Entry) -> str:
    """The label of a change, in the language that is set if it can be translated."""
    return _label_in(entry.get("sentence")) or str(entry["label"])


def _label_in(entry: object) -> str:
    """The label in the entry of a sentence; empty if it is none."""
    try:
        label = text_from_json(entry)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError):
        return ""
    if isinstance(label, Text):
        return label
    return ""


def intent_entry(intent: Intent) -> list[object]:
    """The entry of an intent; a list for one with several parts."""
    if intent.operation == SEVERAL:
        return [intent_entry(part) for part in intent.parts]
    return [intent.operation, dict(intent.arguments)]


def intent_of(entry: Sequence[Any]) -> Intent:
    """The intent of an entry."""
    if entry and isinstance(entry[0], list):
        return Intent(SEVERAL, {"intents": tuple(intent_of(part) for part in entry)})
    operation, arguments = entry
    return Intent(str(operation), dict(arguments))


def header_entry(header: FileHeader | None) -> list[object] | None:
    """The entry of a file header, or None; a map name that is no text is hexadecimal in a list."""
    if header is None:
        return None
    name: str | list[str]
    if isinstance(header.map_name, str):
        name = header.map_name
    else:
        name = [header.map_name.hex()]
    return [header.version, header.date, name, header.magic.hex()]


def header_of(entry: Sequence[Any] | None) -> FileHeader | None:
    """The file header of an entry, or None."""
    if entry is None:
        return None
    version, date, name, magic = entry
    if not isinstance(name, str):
        name = bytes.fromhex(name[0])
    return FileHeader(version=version, date=date, map_name=name, magic=bytes.fromhex(magic))


def detection_entry(detection: Detection) -> list[object]:
    """The entry of a detection: dialect, reasons, and the packets that it has from other dialects."""
    dialect = detection.dialect
    own = DIALECTS[dialect.name].packets
    borrowed = {}
    for number, kind in dialect.packets.items():
        if own.get(number) is not kind and number not in dialect.described:
            borrowed[str(number)] = _lender(number, kind)
    entry: list[object] = [dialect.name, list(detection.reasons), detection.forced, borrowed]
    if dialect.described:
        entry.append(entries_of(dialect))
    return entry


def _lender(number: int, kind: PacketType) -> str:
    """The name of the first dialect that has a packet type under an id; empty if none has it."""
    for dialect in DIALECTS.values():
        if dialect.packets.get(number) == kind:
            return dialect.name
    return ""


def detection_of(
    name: str, reasons: Iterable[str], forced: bool, borrowed: dict[str, str], described: object = None
) -> Detection:
    """The detection of an entry.

    Args:
        name: The name of the dialect.
        reasons: The reasons for it.
        forced: The user chose it.
        borrowed: The ids of packets that it has from other dialects, with the names of these; an empty name: its own.
        described: The packets of users, as `entries_of` gives them; None: there are none.

    Raises:
        KeyError: There is no such dialect.
        PacketFileError: The packets of users are not valid.
    """
    dialect = DIALECTS[name]
    if borrowed:
        packets = dict(dialect.packets)
        for number, lender in borrowed.items():
            if lender:
                packets[int(number)] = DIALECTS[lender].packets[int(number)]
        dialect = replace(dialect, packets=packets)
    if described is not None:
        dialect = with_entries(dialect, described)
    return Detection(dialect, tuple(reasons), bool(forced))
