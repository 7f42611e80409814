"""The file of a journal: lines of a checksum and JSON, locked by its writer.

Reading stops at a truncated line or a wrong checksum. Knows nothing of edits.
"""

import json
import os
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from ...format import JsonError, read_json
from ..locking import claim, open_file, remove

ENDING = ".journal"
Entry = dict[str, Any]


class LogLine(NamedTuple):
    """A line of the file.

    Attributes:
        entry: Its entry.
        stop: The offset of its end in the file.
    """

    entry: Entry
    stop: int


class JournalFile:
    """An open and locked journal file; the lock shows that its writer is running.

    Attributes:
        path: Its path.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._end = os.fstat(descriptor).st_size

    @classmethod
    def create(cls, folder: Path) -> Self:
        """Create a file.

        Raises:
            OSError: It cannot be created.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            file = cls._open(folder / f"{os.urandom(12).hex()}{ENDING}", os.O_CREAT | os.O_EXCL)
            if file is not None:
                return file

    @classmethod
    def open(cls, path: Path) -> Self | None:
        """Open an existing file.

        Returns:
            None if another process or window has locked it.

        Raises:
            OSError: It cannot be opened.
        """
        return cls._open(path, 0)

    @classmethod
    def _open(cls, path: Path, flags: int) -> Self | None:
        descriptor = claim(path, os.O_APPEND | flags)
        if descriptor is None:
            return None
        return cls(path, descriptor)

    def append(self, entries: Iterable[Entry], *, sync: bool = True) -> None:
        """Append entries, all or none of them.

        Args:
            entries: The entries.
            sync: Sync them to the disk.

        Raises:
            OSError: They cannot be written.
        """
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


class LogText(NamedTuple):
    """The text of a file.

    Attributes:
        lines: The valid lines.
        is_all: At most a truncated line follows them.
    """

    lines: list[LogLine]
    is_all: bool


def read_lines(path: Path) -> LogText:
    """The valid lines of a journal file.

    Raises:
        OSError: It cannot be opened.
    """
    lines: list[LogLine] = []
    end = 0
    with open(open_file(path, os.O_RDONLY), "rb") as file:
        for raw in file:
            entry = _entry(raw)
            if entry is None:
                return LogText(lines, is_all=not raw.endswith(b"\n"))
            end += len(raw)
            lines.append(LogLine(entry, end))
    return LogText(lines, is_all=True)


def as_json(value: object) -> str:
    """A value as it stands in a journal."""
    return json.dumps(value, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    """Numbers and arrays of numpy, as arguments of an operation may be, as those of Python; other objects as text."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    return str(value)


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
