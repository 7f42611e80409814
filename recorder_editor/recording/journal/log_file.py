"""The file of a journal: lines of JSON behind their checksums, locked by whoever writes it.

A line that is torn, or does not fit its checksum, ends what can be read. Knows nothing of edits.
"""

import json
import os
import secrets
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from ...format.json_text import JsonError, read_json
from ..locking import claim, open_file, remove

ENDING = ".journal"
Entry = dict[str, Any]


class Line(NamedTuple):
    """An `entry`, and the offset in the file where it `stop`s."""

    entry: Entry
    stop: int


class JournalFile:
    """A journal's file, open and locked; others see by the lock that its writer lives. Attribute: `path`."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._end = os.fstat(descriptor).st_size

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A new file; raises OSError."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            made = cls._taken(folder / f"{secrets.token_hex(12)}{ENDING}", os.O_CREAT | os.O_EXCL)
            if made is not None:
                return made

    @classmethod
    def take(cls, path: Path) -> Self | None:
        """A file that was left; None where its writer lives, or somebody else has taken it. Raises OSError."""
        return cls._taken(path, 0)

    @classmethod
    def _taken(cls, path: Path, flags: int) -> Self | None:
        descriptor = claim(path, os.O_APPEND | flags)
        return cls(path, descriptor) if descriptor is not None else None

    def append(self, entries: Iterable[Entry], *, sync: bool = True) -> None:
        """Write entries behind the others, all or none of them."""
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
        """Let the file end here: what stands behind could not be read, or not be done again."""
        os.ftruncate(self._descriptor, end)
        self._end = end

    def close(self) -> None:
        """Let go of the file, and leave it."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def remove(self) -> None:
        """Remove the file, and let go of it."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            remove(self.path, descriptor)


class Text(NamedTuple):
    """The `lines` of a file, as far as they are whole, and whether that `is_all`: at most a torn line follows."""

    lines: list[Line]
    is_all: bool


def read_lines(path: Path) -> Text:
    """What a file holds. Raises OSError."""
    found: list[Line] = []
    at = 0
    with open(open_file(path, os.O_RDONLY), "rb") as file:
        for raw in file:
            entry = _entry(raw)
            if entry is None:
                return Text(found, not raw.endswith(b"\n"))
            at += len(raw)
            found.append(Line(entry, at))
    return Text(found, True)


def _line(entry: Entry) -> bytes:
    text = json.dumps(entry, separators=(",", ":")).encode()
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
    return entry if isinstance(entry, dict) else None
