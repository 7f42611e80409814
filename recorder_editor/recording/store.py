"""The sources of a recording's bytes: opened files, files it was saved over, and a scratch file for edited bytes.

A span of bytes is (source, offset, size) and stays readable while its source is held. Numbers sources and counts
references; `files` reads them. Knows nothing of frames and packets.
"""

import os
import shutil
import threading
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Self

from ..errors import RecorderError, SourceGrown, SourceReplaced
from ..texts import say
from .files import Buffer, File, Identity, Scratch
from .locking import open_file
from .user_folders import usual_state_folder

SCRATCH = 0
"""The source number of the scratch file, which is created by the first `append`."""

SCRATCH_FOLDER = "scratch"
"""In the state folder: edited bytes, which are deleted with the process."""

CHOICE = "folder.txt"
"""In the usual state folder: the path of the one that was chosen in its place."""

_LONGEST_PATH = 1 << 15

MAX_SOURCES = 1 << 16
"""The frame table stores a source in two bytes."""


def state_folder() -> Path:
    """The folder of scratch files and journals, which must survive a crash. It may not exist yet.

    The one named in the file `CHOICE` of the usual folder, if it exists, so that all processes agree; else the usual
    one.
    """
    usual = usual_state_folder()
    with suppress(OSError, ValueError), open(open_file(usual / CHOICE, os.O_RDONLY), "rb") as file:
        chosen = Path(os.fsdecode(file.read(_LONGEST_PATH)))
        if chosen.is_absolute() and chosen.is_dir():
            return chosen
    return usual


class Store:
    """All sources of a recording by number. Any thread may read and append. Close it, or use it in a `with`.

    Attributes:
        file: The number of the recording's file: the one opened first, later the one that it was saved to.
        scratch: The number of the scratch file.
        state: The folder for the scratch file and journals.
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
        """Make a store.

        Args:
            path: The first file to open; None: none.
            state: The folder for the scratch file; None: the present `state_folder()`.
            positional: Read files with `os.preadv`, or else with seek and readinto behind a lock, as Windows needs it;
                None: with `os.preadv` where it exists.
            scratch: An existing scratch file to continue; None: the first `append` creates one.
        """
        if state is None:
            state = state_folder()
        if positional is None:
            positional = hasattr(os, "preadv")
        self.state = state
        self._positional = positional
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
        """Open a file and return its number.

        Raises:
            RecorderError: The store was closed, or has too many files.
            OSError: The file cannot be opened.
        """
        file = File(Path(os.path.abspath(path)), self._positional)
        with self._lock:
            if self._closed or self._next >= MAX_SOURCES:
                file.close()
                raise RecorderError(say("This recording was closed, or was saved too often to go on with it."))
            number = self._next
            self._next += 1
            self._files[number] = file
        return number

    def drop(self, source: int) -> None:
        """Close a file; its number is not used again."""
        if source != SCRATCH:
            with self._lock:
                file = self._file(source)
                del self._files[source]
            file.close()

    @property
    def scratch_path(self) -> Path | None:
        """The path of the scratch file; None while nothing was appended."""
        if self._scratch:
            return self._scratch.path
        return None

    def size(self, source: int) -> int:
        """The size of the source in bytes when it was opened (scratch file: now)."""
        return self._file(source).size

    def path(self, source: int) -> Path:
        """The path of the source."""
        return self._file(source).path

    def identity(self, source: int) -> Identity:
        """The identity of the file when it was opened."""
        return self._file(source).identity

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, source: int, offset: int, size: int) -> bytes:
        """Read bytes of a source.

        Args:
            source: The number of the source.
            offset: The offset of the first byte.
            size: The number of bytes.

        Raises:
            SourceChanged: The file was rewritten since it was opened; growing is allowed.
            ValueError: The span is outside of the source, or there is no such source.
        """
        file = self._file(source)
        file.check_span(offset, size)
        return file.read(offset, size)

    def read_into(self, source: int, offset: int, buffer: bytearray | memoryview) -> None:
        """Fill a whole buffer with bytes of a source from an offset on; errors as `read`."""
        file = self._file(source)
        with memoryview(buffer).cast("B") as view:
            file.check_span(offset, len(view))
            file.read_into(offset, view)

    def verify(self, source: int) -> None:
        """Check that a file is unchanged and still at its path.

        Raises:
            SourceChanged: It was rewritten.
            SourceGrown: It only became longer.
            SourceReplaced: Another file, or none, is at its path.
        """
        file = self._file(source)
        file.check_unchanged()
        if file.grown_by:
            raise SourceGrown(
                say(
                    "{name} is {grown_by:,} bytes longer than when it was opened: it is still "
                    "being written, or was continued. Open the file again to see the rest.",
                    name=file.path.name,
                    grown_by=file.grown_by,
                )
            )
        if file.is_replaced:
            raise SourceReplaced(
                say(
                    "{name} was replaced or removed. The opened file can still be read: save it "
                    "under another name to keep it.",
                    name=file.path.name,
                )
            )

    def is_replaced(self, source: int) -> bool:
        """Another file (or none) is now at the path; the opened one is still readable."""
        return self._file(source).is_replaced

    def sources_at(self, path: Path) -> tuple[int, ...]:
        """The sources with a file that is now at a path."""
        with self._lock:
            files = list(self._files.items())
        return tuple(number for number, file in files if file.is_at(path))

    def rename(self, source: int, to: Path, *, path: Path | None = None) -> None:
        """Rename a file (not a link to it), and keep reading it.

        Args:
            source: The number of the file.
            to: Its new path; a file there is replaced.
            path: The path that it has from now on in this store; None: `to`.
        """
        self._file(source).move(to, path or to)

    def set_aside(self, source: int, path: Path) -> AbstractContextManager[None]:
        """Free the name of a file for the time of a `with` statement, for systems that cannot replace open files.

        Meanwhile the file is closed, its name may be replaced, and other threads wait. With hard links the old name
        remains until it is replaced. After an error all is as before.

        Args:
            source: The number of the file.
            path: The path that it has afterwards; it is deleted when it is closed.
        """
        return self._file(source).aside(path)

    # --- writing ----------------------------------------------------------------------------------------

    def copy_to(self, source: int, offset: int, size: int, descriptor: int) -> int:
        """Copy bytes of a source by the kernel; errors as `read`.

        Args:
            source: The number of the source.
            offset: The offset of the first byte.
            size: The most bytes to copy.
            descriptor: The file to write to, at its file position, which advances.

        Returns:
            The number of bytes that were copied; 0 if that is not supported.
        """
        file = self._file(source)
        file.check_span(offset, size)
        return file.copy_to(offset, size, descriptor)

    def append(self, data: Buffer) -> tuple[int, int]:
        """Append bytes to the scratch file. A failed write appends nothing.

        Returns:
            The number of the scratch file, and the offset of the bytes.

        Raises:
            RecorderError: The store was closed.
            OSError: The bytes cannot be written.
        """
        with self._lock:
            if self._closed:
                raise RecorderError(say("This recording was closed."))
            if self._scratch is None:
                self._scratch = Scratch.create(self.state / SCRATCH_FOLDER, self._positional)
            return SCRATCH, self._scratch.append(data)

    @property
    def room(self) -> int | None:
        """Free bytes for the scratch file; None if the file system does not report them."""
        folder = self.state
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        disk = shutil.disk_usage(folder)
        if disk.total:
            return disk.free
        return None

    def sync(self) -> None:
        """Sync everything appended so far to the disk."""
        scratch = self._scratch
        if scratch is not None:
            scratch.sync()  # without the lock, so that edits do not wait for the disk

    # --- the end ----------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close every file and delete the scratch file. No thread may be reading."""
        scratch = self._end()
        if scratch is not None:
            scratch.delete()

    def release(self) -> None:
        """Close every file, and keep the scratch file for the recovery from the journal that names it."""
        scratch = self._end()
        if scratch is not None:
            scratch.release()

    def _end(self) -> Scratch | None:
        with self._lock:
            self._closed = True
            files = list(self._files.values())
            self._files = {}
            scratch = self._scratch
            self._scratch = None
        for file in files:
            file.close()
        return scratch

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _file(self, source: int) -> File:
        file: File | None
        if source == SCRATCH:
            file = self._scratch
        else:
            file = self._files.get(source)
        if file is not None:
            return file
        if self._closed:
            # Another thread may close what a view still shows, as when reading is cancelled.
            raise RecorderError(say("This recording was closed."))
        raise ValueError(f"there is no source {source}")
