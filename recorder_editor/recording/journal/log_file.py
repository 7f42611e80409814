"""The file of a journal: lines of a checksum and JSON, locked by its writer.

Reading stops at a truncated line or a wrong checksum. Knows nothing of edits.
"""

import json
import os
import secrets
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from ...format import JsonError, read_json
from ..locking import claim, open_file, remove

ENDING = ".journal"
Entry = dict[str, Any]


class LogLine(NamedTuple):
    """An `entry`, and the offset of its end in the file (`stop`)."""

    entry: Entry
    stop: int


class JournalFile:
    """An open and locked journal file; the lock shows that its writer is running. Attribute: `path`."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._end = os.fstat(descriptor).st_size

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A new file; raises OSError."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            file = cls._open(folder / f"{secrets.token_hex(12)}{ENDING}", os.O_CREAT | os.O_EXCL)
            if file is not None:
                return file

    @classmethod
    def open(cls, path: Path) -> Self | None:
        """An existing file; None if another process or window has locked it. Raises OSError."""
        return cls._open(path, 0)

    @classmethod
    def _open(cls, path: Path, flags: int) -> Self | None:
        descriptor = claim(path, os.O_APPEND | flags)
        if descriptor is not None:
            return cls(path, descriptor)
        return None

    def append(self, entries: Iterable[Entry], *, sync: bool = True) -> None:
        """Append entries, all or none of them."""
        data = b"".join(map(_line, entries))
        try:
            done = 0
            while done < len(data):
                done += os.write(self._descriptor, data[done:])
            if sync:
                os.fsync(self._descriptor)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._end)
            raise
        self._end += len(data)

    def cut(self, end: int) -> None:
        """Truncate the file: what follows could not be read or reapplied."""
        os.ftruncate(self._descriptor, end)
        self._end = end

    def close(self) -> None:
        """Close and unlock the file, and keep it."""
        descriptor = self._descriptor
        self._descriptor = -1
        if descriptor >= 0:
            os.close(descriptor)

    def remove(self) -> None:
        """Remove and close the file."""
        descriptor = self._descriptor
        self._descriptor = -1
        if descriptor >= 0:
            remove(self.path, descriptor)


class Text(NamedTuple):
    """The valid `lines` of a file; `is_all`: at most a truncated line follows them."""

    lines: list[LogLine]
    is_all: bool


def read_lines(path: Path) -> Text:
    """The valid lines of a journal file. Raises OSError."""
    lines: list[LogLine] = []
    at = 0
    with open(open_file(path, os.O_RDONLY), "rb") as file:
        for raw in file:
            entry = _entry(raw)
            if entry is None:
                return Text(lines, not raw.endswith(b"\n"))
            at += len(raw)
            lines.append(LogLine(entry, at))
    return Text(lines, True)


def as_json(value: object) -> str:
    """A value as it stands in a journal."""
    # Arguments of an operation may be numbers of numpy, or other objects; these are written as text.
    return json.dumps(value, separators=(",", ":"), default=lambda each: getattr(each, "tolist", each.__str__)())


def _line(entry: Entry) -> bytes:
    text = as_json(entry).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _entry(raw: bytes) -> Entry | None:
    if len(raw) < 10 or not raw.endswith(b"\n"):
        return None
    text = raw[9:-1]
    try:
        if int(raw[:8], 16) != zlib.crc32(text):
            return None
        entry = read_json(text, infinite=True)
    except (ValueError, JsonError):
        return None
    if isinstance(entry, dict):
        return entry
    return None
