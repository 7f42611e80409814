"""Where the bytes are: files that were opened, files they were saved over, and a scratch file for what was edited.

One idea: a span of bytes is (source, offset, size), and it stays readable as long as its source is held.  Knows how
sources are numbered and held; how a file is read is told in `files`.  Knows nothing of frames and packets.
"""

import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Self

from ..errors import RecorderError, SourceGrown, SourceReplaced
from .files import Buffer, File, Identity, Scratch

SCRATCH = 0
"""The scratch file's number among the sources; the file itself exists from the first `append` on."""

SCRATCH_FOLDER, REPORTS_FOLDER = "scratch", "reports"
"""Of the state folder: what was edited, and the texts that windows show; both go with the process."""

MOST_SOURCES = 1 << 16
"""The frame table keeps a source in two bytes."""


def state_folder() -> Path:
    """The folder that keeps what must outlive a crash: scratch files and journals. It may not exist yet.

    RECORDER_EDITOR_STATE_DIR where that is set; else the system's own place for state, never a temporary folder.
    """
    if place := os.environ.get("RECORDER_EDITOR_STATE_DIR"):
        return Path(place)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return base / "recorder-editor"


class Store:
    """All sources of a recording, by small numbers. Any thread may read and append.

    `path` is opened as the first file.  `state` is the folder for the scratch file (default: `state_folder()`);
    `scratch` is one that was left behind, and is gone on with.
    `positional` chooses how files are read: with `os.preadv`, or with seek and readinto behind a lock, as Windows
    needs it (default: the first where it exists).  Close it, or use it in a `with`.
    Attributes: `file` (number of the file the recording is: the first that is opened, later the one it was saved to),
    `scratch` (number of the scratch file).
    """

    file = SCRATCH + 1
    scratch = SCRATCH

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        state: Path | None = None,
        positional: bool | None = None,
        scratch: Path | None = None,
    ) -> None:
        self._state = state
        self._positional = hasattr(os, "preadv") if positional is None else positional
        self._files: dict[int, File] = {}
        self._scratch: Scratch | None = None
        self._next = self.file
        self._closed = False
        self._lock = threading.Lock()
        if path is not None:
            self.add_file(path)
        if scratch is not None:
            try:
                self._scratch = Scratch(scratch, self._positional)
            except BaseException:
                self.close()
                raise

    # --- sources ----------------------------------------------------------------------------------------

    def add_file(self, path: str | os.PathLike[str]) -> int:
        """Open a file and return its number; it is held once. Errors of the operating system pass through."""
        file = File(Path(os.path.abspath(path)), self._positional)
        with self._lock:
            if self._closed or self._next >= MOST_SOURCES:
                file.close()
                raise RecorderError("This recording was closed, or was saved too often to go on with it.")
            number, self._next = self._next, self._next + 1
            self._files[number] = file
        return number

    def hold(self, source: int) -> None:
        """Keep a source readable until it is dropped once more."""
        if source != SCRATCH:
            with self._lock:
                self._file(source).holders += 1

    def drop(self, source: int) -> None:
        """Take one hold back; a file that nobody holds is closed and its number never returns."""
        if source == SCRATCH:
            return
        with self._lock:
            file = self._file(source)
            file.holders -= 1
            if file.holders > 0:
                return
            del self._files[source]
        file.close()

    @property
    def scratch_path(self) -> Path | None:
        """Where the scratch file is, or None while nothing was appended."""
        return self._scratch.path if self._scratch else None

    def size(self, source: int) -> int:
        """Bytes of the source, as it was opened (scratch: as it is now)."""
        return self._file(source).size

    def path(self, source: int) -> Path:
        """The path the source was opened under (or set aside to)."""
        return self._file(source).path

    def identity(self, source: int) -> Identity:
        """What the file was when it was opened."""
        return self._file(source).identity

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, source: int, offset: int, size: int) -> bytes:
        """Exactly `size` bytes from `offset` on.

        Raises `SourceChanged` when the file is no longer what was opened (a file that only became longer is),
        ValueError for a span outside of it.
        """
        file = self._file(source)
        file.check_span(offset, size)
        return file.read(offset, size)

    def read_into(self, source: int, offset: int, buffer: bytearray | memoryview) -> None:
        """Fill the whole buffer from `offset` on; errors as `read`."""
        file = self._file(source)
        with memoryview(buffer).cast("B") as view:
            file.check_span(offset, len(view))
            file.read_into(offset, view)

    def verify(self, source: int) -> None:
        """Make sure the file is still what was opened, and still the one under its name.

        Raises `SourceChanged` (`SourceGrown` where it only became longer) or `SourceReplaced`.
        """
        file = self._file(source)
        file.check_unchanged()
        if file.grown_by:
            raise SourceGrown(
                f"{file.path.name} is {file.grown_by:,} bytes longer than when it was opened: it is still being "
                "written, or was continued. Open the file again to see the rest."
            )
        if file.is_replaced:
            raise SourceReplaced(
                f"Another file now stands in the place of {file.path.name}, or none does. "
                "What was opened can still be read: save it under another name to keep it."
            )

    def is_replaced(self, source: int) -> bool:
        """Another file (or none) now stands under the path; the one that was opened is still readable."""
        return self._file(source).is_replaced

    def sources_at(self, path: Path) -> tuple[int, ...]:
        """The sources whose file is the one that stands under `path` now; none where nothing does."""
        with self._lock:
            files = list(self._files.items())
        return tuple(number for number, file in files if file.stands_at(path))

    def rename(self, source: int, to: Path, *, path: Path | None = None) -> None:
        """Give the file itself (no link to it) another name, replacing what has it, and keep reading it.

        From now on it counts as opened under `path` (default: `to`). Where a handle must be closed for that, no
        other thread may be reading the file.
        """
        self._file(source).move(to, path or to)

    def set_aside(self, source: int, path: Path) -> None:
        """Give the file the name `path`, keep reading it from there, and delete it when it is closed.

        For systems that refuse to replace a file while it is open: no other thread may be reading it. Under its own
        name it stays, too, where the file system can give a file two names. `rename` gives it one that lasts.
        """
        self._file(source).set_aside(path)

    # --- writing ----------------------------------------------------------------------------------------

    def copy_to(self, source: int, offset: int, size: int, descriptor: int) -> int:
        """Let the kernel copy up to `size` bytes from `offset` on; returns how many, 0 where it cannot.

        They go to the place in the file `descriptor` where that stands, which moves on. Errors as `read`.
        """
        file = self._file(source)
        file.check_span(offset, size)
        return file.copy_to(offset, size, descriptor)

    def append(self, data: Buffer) -> tuple[int, int]:
        """Write bytes to the end of the scratch file; returns (source, offset). Nothing is kept of a failed write."""
        with self._lock:
            if self._closed:
                raise RecorderError("This recording was closed.")
            if self._scratch is None:
                self._scratch = Scratch.create((self._state or state_folder()) / SCRATCH_FOLDER, self._positional)
            return SCRATCH, self._scratch.append(data)

    @property
    def room(self) -> int | None:
        """Bytes that are free for the scratch file; None where the file system does not tell."""
        folder = self._state or state_folder()
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        disk = shutil.disk_usage(folder)
        return disk.free if disk.total else None

    def sync(self) -> None:
        """Bring everything appended so far to the disk."""
        scratch = self._scratch
        if scratch is not None:
            scratch.sync()  # without the lock: whoever edits does not wait for the disk

    # --- the end ----------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close every file and delete the scratch file. Nobody may be reading any more."""
        scratch = self._end()
        if scratch is not None:
            scratch.delete()

    def leave(self) -> None:
        """Close every file, and leave the scratch file to whoever reads the journal that names it."""
        scratch = self._end()
        if scratch is not None:
            scratch.leave()

    def _end(self) -> Scratch | None:
        with self._lock:
            self._closed = True
            files, self._files = list(self._files.values()), {}
            scratch, self._scratch = self._scratch, None
        for file in files:
            file.close()
        return scratch

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _file(self, source: int) -> File:
        file = self._scratch if source == SCRATCH else self._files.get(source)
        if file is None:
            raise ValueError(f"there is no source {source}")
        return file
