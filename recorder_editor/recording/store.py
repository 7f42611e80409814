"""Where the bytes are: files that were opened, files they were saved over, and a scratch file for what was edited.

One idea: a span of bytes is (source, offset, size), and it stays readable as long as its source is held.  Files are
read, never mapped: the simulator may rewrite a file while it is open, and a map of a shortened file kills the
process.  Knows nothing of frames and packets.
"""

import errno
import hashlib
import io
import os
import secrets
import shutil
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from weakref import WeakSet

from ..errors import RecorderError, SourceChanged, SourceGrown, SourceReplaced
from .locking import lock

SCRATCH = 0
"""The scratch file's number among the sources; the file itself exists from the first `append` on."""

SCRATCH_FOLDER, SCRATCH_ENDING = "scratch", ".bytes"

MOST_SOURCES = 1 << 16
"""The frame table keeps a source in two bytes."""

Buffer = bytes | bytearray | memoryview

_END = 512
"""So many bytes at each end tell a file that became longer from one that was written anew."""

_LOOK_EVERY = 32 << 20
_SPARE = 64 << 20
"""What edits leave free of a disk, and after how many bytes it is looked at again."""

_NOT_BY_THE_KERNEL = {errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM}
"""What `copy_file_range` says where a file system or a kernel cannot do it; everything else is a failure."""


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


class Identity(NamedTuple):
    """What tells a file from every other one, as it was when it was opened; the device's number may change with a
    restart of the system. `ends`: a digest of its first and its last bytes."""

    device: int
    inode: int
    size: int
    modified: int
    ends: str

    def is_that_of(self, other: "Identity") -> bool:
        """They tell the same file, with the same content."""
        return self[1:] == other[1:]


class Store:
    """All sources of a recording, by small numbers. Any thread may read and append.

    `path` is opened as the first file.  `state` is the folder for the scratch file (default: `state_folder()`);
    `scratch` is one that was left behind, and is gone on with.
    `positional` chooses how files are read: one descriptor and `os.preadv`, or a handle for each thread with seek and
    readinto, which is all that Windows has (default: the first where it exists).  Close it, or use it in a `with`.
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
        self._files: dict[int, _File] = {}
        self._scratch: _Scratch | None = None
        self._next = self.file
        self._closed = False
        self._lock = threading.Lock()
        if path is not None:
            self.add_file(path)
        if scratch is not None:
            try:
                self._scratch = _Scratch(scratch, self._positional)
            except BaseException:
                self.close()
                raise

    # --- sources ----------------------------------------------------------------------------------------

    def add_file(self, path: str | os.PathLike[str]) -> int:
        """Open a file and return its number; it is held once. Errors of the operating system pass through."""
        file = _File(Path(os.path.abspath(path)), self._positional)
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
                self._scratch = _Scratch.create((self._state or state_folder()) / SCRATCH_FOLDER, self._positional)
            return SCRATCH, self._scratch.append(data)

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

    def _end(self) -> "_Scratch | None":
        with self._lock:
            self._closed = True
            files, self._files = list(self._files.values()), {}
            scratch, self._scratch = self._scratch, None
        for file in files:
            file.close()
        return scratch

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _file(self, source: int) -> "_File":
        file = self._scratch if source == SCRATCH else self._files.get(source)
        if file is None:
            raise ValueError(f"there is no source {source}")
        return file


class _Handle:
    """A descriptor that closes itself when its thread is gone."""

    def __init__(self, path: Path, flags: int = os.O_RDONLY) -> None:
        self.descriptor = -1
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
        extra = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_NONBLOCK", 0)
        self.descriptor = os.open(path, flags | extra, 0o600)
        self._raw: io.FileIO | None = None

    def readinto(self, offset: int, view: memoryview) -> int:
        if self._raw is None:
            self._raw = io.FileIO(self.descriptor, closefd=False)
        self._raw.seek(offset)
        return self._raw.readinto(view)

    def close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __del__(self) -> None:
        self.close()


class _File:
    """An open file, and the proof that it is still the one that was opened."""

    def __init__(self, path: Path, positional: bool) -> None:
        self.path = path
        self.holders = 1
        self.is_aside = False
        self._positional = positional
        self._first = _Handle(path)
        try:
            status = os.fstat(self._first.descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(f"{path} is a folder, not a recording.")
            if not stat.S_ISREG(status.st_mode):
                raise OSError(f"{path} is not an ordinary file.")
        except BaseException:
            self._first.close()
            raise
        self.size = status.st_size
        self._identity = status.st_dev, status.st_ino
        self._verified = self._opened = status.st_size, status.st_mtime_ns
        self._ends = self._read_ends()
        self._lock = threading.Lock()
        self._handles: WeakSet[_Handle] = WeakSet()
        self._mine = threading.local()

    @property
    def identity(self) -> Identity:
        return Identity(*self._identity, *self._opened, hashlib.sha256(self._ends).hexdigest())

    # --- is it still the same? --------------------------------------------------------------------------

    def check_span(self, offset: int, size: int) -> None:
        if offset < 0 or size < 0 or offset + size > self.size:
            raise ValueError(f"{size} bytes at {offset} reach beyond the {self.size} bytes of {self.path.name}")

    @property
    def grown_by(self) -> int:
        return self._verified[0] - self.size

    def check_unchanged(self) -> None:
        status = os.fstat(self._first.descriptor)
        now = status.st_size, status.st_mtime_ns
        if now == self._verified:
            return
        # A recording in progress: it is written at its end alone.
        if now[0] > self.size and self._read_ends() == self._ends:
            self._verified = now
        else:
            raise SourceChanged(
                f"Another program has rewritten {self.path.name} since it was opened, "
                "and what was not read before is gone. Open the file again."
            )

    def _read_ends(self) -> bytes:
        """The first and the last bytes of what was opened; of a handle of its own, since others may be reading."""
        try:
            with open(self.path, "rb", buffering=0) as file:
                status = os.fstat(file.fileno())
                if (status.st_dev, status.st_ino) != self._identity:
                    return b""
                first = file.read(_END)
                file.seek(max(0, self.size - _END))
                return first + file.read(min(_END, self.size))
        except OSError:
            return b""

    @property
    def is_replaced(self) -> bool:
        return not self.stands_at(self.path)

    def stands_at(self, path: Path) -> bool:
        try:
            status = os.stat(path)
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._identity

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, offset: int, size: int) -> bytes:
        if self._positional:
            data = os.pread(self._first.descriptor, size, offset)
            if len(data) == size:
                self.check_unchanged()
                return data
        whole = bytearray(size)
        with memoryview(whole) as view:
            self.read_into(offset, view)
        return bytes(whole)

    def read_into(self, offset: int, view: memoryview) -> None:
        if self._positional:
            descriptor = self._first.descriptor
            self._fill(offset, view, lambda at, rest: os.preadv(descriptor, [rest], at))
        elif handle := self._own_handle():
            self._fill(offset, view, handle.readinto)
        else:
            with self._lock:
                self._fill(offset, view, self._first.readinto)
        self.check_unchanged()

    def _fill(self, offset: int, view: memoryview, readinto: Callable[[int, memoryview], int]) -> None:
        done = 0
        while done < len(view):
            count = readinto(offset + done, view[done:])
            if count <= 0:
                self.check_unchanged()
                raise OSError(f"{self.path.name} could not be read at {offset + done}.")
            done += count

    def _own_handle(self) -> _Handle | None:
        """This thread's handle; None where the path now leads to another file, and the first handle must do."""
        handle: _Handle | None = getattr(self._mine, "handle", None)
        if handle is not None and handle.descriptor >= 0:
            return handle
        try:
            handle = _Handle(self.path)
        except OSError:
            return None
        status = os.fstat(handle.descriptor)
        if (status.st_dev, status.st_ino) != self._identity:
            handle.close()
            return None
        self._mine.handle = handle
        with self._lock:
            self._handles.add(handle)
        return handle

    def copy_to(self, offset: int, size: int, descriptor: int) -> int:
        if sys.platform != "linux":
            return 0
        try:
            count = os.copy_file_range(self._first.descriptor, descriptor, size, offset)
        except OSError as error:
            if error.errno in _NOT_BY_THE_KERNEL:
                return 0
            raise
        self.check_unchanged()
        return count

    # --- moving and closing -----------------------------------------------------------------------------

    def set_aside(self, path: Path) -> None:
        try:
            # So there is a file under the name at every moment.
            self._go_to(path, os.link)
        except OSError:
            self._go_to(path, os.replace)
        self.path = path
        self.is_aside = True

    def move(self, to: Path, path: Path) -> None:
        # Replacing one name of a file by another of the same file would leave both.
        is_there = self.stands_at(to) and Path(os.path.realpath(self.path)) != Path(os.path.realpath(to))
        self._go_to(to, _drop_first if is_there else os.replace)
        self.path = path
        self.is_aside = False

    def _go_to(self, to: Path, does: Callable[[Path, Path], None]) -> None:
        present = Path(os.path.realpath(self.path))
        if self._positional:
            does(present, to)
            return
        self._close_handles()
        now = present
        try:
            does(present, to)
            now = to
        finally:
            self._first = _Handle(now)

    def close(self) -> None:
        self._close_handles()
        if self.is_aside:
            self.path.unlink(missing_ok=True)

    def _close_handles(self) -> None:
        with self._lock:
            handles = list(self._handles)
        for handle in (self._first, *handles):
            handle.close()


def _drop_first(one: Path, _other: Path) -> None:
    """Of two names of one file, keep the second."""
    one.unlink()


class _Scratch(_File):
    """A file that only grows. What stands in it stays true, so nothing is verified."""

    def __init__(self, path: Path, positional: bool, flags: int = 0) -> None:
        self._writer = _Handle(path, os.O_RDWR | flags)
        with suppress(OSError):  # a file system without locks
            lock(self._writer.descriptor)
        super().__init__(path, positional)
        self._looked_until = self.size + _LOOK_EVERY

    @classmethod
    def create(cls, folder: Path, positional: bool) -> Self:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return cls(folder / f"{secrets.token_hex(12)}{SCRATCH_ENDING}", positional, os.O_CREAT | os.O_EXCL)

    def check_unchanged(self) -> None:
        return

    def append(self, data: Buffer) -> int:
        at = self.size
        if at + len(data) >= self._looked_until:
            self._look_for_room(len(data))
        os.lseek(self._writer.descriptor, at, os.SEEK_SET)
        with memoryview(data).cast("B") as view:
            done = 0
            while done < len(view):
                done += os.write(self._writer.descriptor, view[done:])
            self.size = at + done
        return at

    def _look_for_room(self, size: int) -> None:
        """Raises OSError before bulk work fills the disk to its last byte."""
        folder = self.path.parent
        disk = shutil.disk_usage(folder)
        if disk.total and disk.free < size + _SPARE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        self._looked_until = self.size + size + _LOOK_EVERY

    def sync(self) -> None:
        os.fsync(self._writer.descriptor)

    def leave(self) -> None:
        self.close()
        self._writer.close()

    def delete(self) -> None:
        self.leave()
        self.path.unlink(missing_ok=True)
