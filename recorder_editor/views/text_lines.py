"""A text of any length as lines: written by a job into a file of its own, read a screenful at a time.

Every 64th line's place is kept, so that a hundred million lines cost a few megabytes. Knows no widget.
"""

import os
import secrets
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ..progress import SILENT, Progress
from ..recording.locking import create
from ..recording.store import REPORTS_FOLDER, state_folder

STRIDE = 64
MOST_HITS = 100_000
_BLOCK = 4 << 20
_NEWLINE = 10


class TextLines:
    """Lines of bytes in a temporary file of the state folder; `close` removes it.

    Attributes: `lines` (how many), `longest` (bytes of one), `size` (bytes). One thread writes it, and others read when
    that one is through.
    """

    def __init__(self) -> None:
        folder = state_folder() / REPORTS_FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Its lock says that it is in use; the text of a process that is gone is swept.
        self._path, number = create(lambda: folder / f"report-{secrets.token_hex(8)}.txt")
        self._file = os.fdopen(number, "w+b")
        # A dialog may be destroyed with its window, without being closed.
        self._remove = weakref.finalize(self, _removed, self._file, self._path)
        self._places = [0]
        self.lines = self.longest = self.size = self._start = 0

    def close(self) -> None:
        """Let go of the text."""
        self._remove()

    def write(self, pieces: Iterable[bytes]) -> None:
        """Take in a text; pieces may end anywhere."""
        for piece in pieces:
            self._file.write(piece)
            ends = np.flatnonzero(np.frombuffer(piece, np.uint8) == _NEWLINE)
            starts = np.append(self._start - self.size, ends + 1)
            self._start = self.size + int(starts[-1])
            self.longest = max(self.longest, int((ends - starts[:-1]).max(initial=0)))
            # The lines that begin after every 64th newline.
            first = -(self.lines + 1) % STRIDE
            self._places += (self.size + ends[first::STRIDE] + 1).tolist()
            self.lines += len(ends)
            self.size += len(piece)
        self._file.flush()

    def read(self, first: int, count: int) -> list[bytes]:
        """Up to `count` lines from line `first` (from 0) on, without their ends."""
        first = max(0, first)
        stop = min(first + count, self.lines)
        if first >= stop:
            return []
        begin = self._places[first // STRIDE]
        after = -(-stop // STRIDE)
        end = self._places[after] if after < len(self._places) else self.size
        self._file.seek(begin)
        lines = self._file.read(end - begin).split(b"\n")
        skip = first - first // STRIDE * STRIDE
        return lines[skip : skip + stop - first]

    def blocks(self) -> Iterator[bytes]:
        """The whole text in blocks, by a handle of its own: for another thread."""
        with open(self._path, "rb") as file:
            while block := file.read(_BLOCK):
                yield block

    def find(self, words: str, progress: Progress = SILENT) -> tuple[list[int], int]:
        """The numbers of the lines that hold the words, whatever their case (at most 100,000), and how many there are.

        Raises `Cancelled`.
        """
        wanted, total = words.lower().encode("utf-8"), 0
        found: list[int] = []
        if not wanted:
            return [], 0
        line, rest = 0, b""
        for block in self.blocks():
            progress.check()
            data = (rest + block).lower()
            cut = data.rfind(b"\n") + 1
            rest = (rest + block)[cut:] if cut else rest + block
            whole = data[:cut]
            if wanted in whole:
                for number, text in enumerate(whole.split(b"\n")[:-1], line):
                    if wanted in text:
                        total += 1
                        if len(found) < MOST_HITS:
                            found.append(number)
            line += whole.count(b"\n")
        return found, total


def _removed(file: BinaryIO, path: Path) -> None:
    file.close()
    path.unlink(missing_ok=True)
