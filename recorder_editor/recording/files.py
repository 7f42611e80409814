"""Open files that detect changes by other programs, and the append-only scratch file.

Files are read, never mapped: the simulator may rewrite a file while it is open, and accessing a map of a truncated file
kills the process. Knows nothing of source numbers, frames and packets.
"""

import errno
import hashlib
import io
import os
import shutil
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

from ..errors import SourceChanged
from ..texts import say
from .locking import FLAGS, lock

SCRATCH_ENDING = ".bytes"

_SUFFIXES = (".log", ".rec")
"""Of the recordings in a folder."""

Buffer = bytes | bytearray | memoryview

_END = 512
"""Bytes compared at each end, to distinguish a file that has grown from one that was rewritten."""

_SPACE_CHECK_INTERVAL = 32 << 20
_RESERVED_SPACE = 64 << 20
"""Bytes appended between two checks of the free space, and the space that edits leave free."""

_COPY_UNSUPPORTED = {errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM}
"""Errors of `copy_file_range` if a file system or kernel does not support it; all others are failures."""


def recordings_in(folder: Path, *, recursive: bool) -> list[Path]:
    """Find the recordings in a folder.

    Args:
        folder: The folder.
        recursive: Find also those in the folders in it.

    Returns:
        The paths, sorted. A file or folder that cannot be read is among them: opening it raises the error.

    Raises:
        OSError: The folder cannot be read.
    """
    os.scandir(folder).close()
    paths: list[Path] = []
    for place, _, names in os.walk(folder, onerror=lambda error: paths.append(Path(error.filename))):
        for name in names:
            if not name.startswith(".") and name.lower().endswith(_SUFFIXES):
                paths.append(Path(place, name))
        if not recursive:
            break
    return sorted(paths)


def content(path: str | Path) -> str:
    """The hash of a file's bytes, empty if there is none."""
    if not os.path.isfile(path):
        return ""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Identity(NamedTuple):
    """Identifies a file and its content when it was opened.

    Attributes:
        device: The number of the device, which may change when the system restarts.
        inode: The number of the file on the device.
        size: The size in bytes.
        modified: The time of the last change in nanoseconds.
        ends: A digest of the first and last bytes.
    """

    device: int
    inode: int
    size: int
    modified: int
    ends: str

    def has_content_of(self, other: "Identity") -> bool:
        """Whether both are the same file with the same content."""
        return self[1:] == other[1:]


class Handle:
    """A descriptor that is closed with the object."""

    def __init__(self, path: Path, flags: int = os.O_RDONLY) -> None:
        self.descriptor = -1
        # Without O_NONBLOCK, opening a pipe without a writer would block.
        self.descriptor = os.open(path, flags | FLAGS, 0o600)
        self._raw: io.FileIO | None = None

    def readinto(self, offset: int, view: memoryview) -> int:
        if self._raw is None:
            self._raw = io.FileIO(self.descriptor, closefd=False)
        self._raw.seek(offset)
        return self._raw.readinto(view)

    def close(self) -> None:
        descriptor = self.descriptor
        self.descriptor = -1
        if descriptor >= 0:
            os.close(descriptor)

    def __del__(self) -> None:
        self.close()


class File:
    """An open file that checks whether it is still the one that was opened."""

    def __init__(self, path: Path, positional: bool) -> None:
        self.path = path
        self.is_aside = False
        self._positional = positional
        self._handle = Handle(path)
        try:
            status = os.fstat(self._handle.descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(say("{path} is a folder, not a recording.", path=path))
            if not stat.S_ISREG(status.st_mode):
                raise OSError(say("{path} is not an ordinary file.", path=path))
        except BaseException:
            self._handle.close()
            raise
        self.size = status.st_size
        self._identity = (status.st_dev, status.st_ino)
        self._opened = (status.st_size, status.st_mtime_ns)
        self._verified = self._opened
        self._ends = self._read_ends()
        self._lock = threading.Lock()

    @property
    def identity(self) -> Identity:
        device, inode = self._identity
        size, modified = self._opened
        ends = hashlib.sha256(self._ends).hexdigest()
        return Identity(device=device, inode=inode, size=size, modified=modified, ends=ends)

    # --- changes ----------------------------------------------------------------------------------------

    def check_span(self, offset: int, size: int) -> None:
        if offset < 0 or size < 0 or offset + size > self.size:
            raise ValueError(f"{size} bytes at {offset} reach beyond the {self.size} bytes of {self.path.name}")

    @property
    def grown_by(self) -> int:
        size, _ = self._verified
        return size - self.size

    def check_unchanged(self) -> None:
        """Raise `SourceChanged` if the file was rewritten since it was opened; it may have grown."""
        status = os.fstat(self._handle.descriptor)
        now = (status.st_size, status.st_mtime_ns)
        if now == self._verified:
            return
        # A recording in progress is only appended to.
        if status.st_size > self.size and self._read_ends() == self._ends:
            self._verified = now
        else:
            raise SourceChanged(
                say(
                    "Another program has rewritten {name} since it was opened, and what was not "
                    "read before is gone. Open the file again.",
                    name=self.path.name,
                )
            )

    def _read_ends(self) -> bytes:
        """The first and last bytes of the opened size; by a handle of its own, since other threads may be reading."""
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
        return not self.is_at(self.path)

    def is_at(self, path: Path) -> bool:
        try:
            status = os.stat(path)
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._identity

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, offset: int, size: int) -> bytes:
        if self._positional:
            descriptor = self._handle.descriptor
            data = os.pread(descriptor, size, offset)
            # A read may return less than requested, as on Linux above 2 GiB.
            while len(data) < size:
                more = os.pread(descriptor, size - len(data), offset + len(data))
                if not more:
                    break
                data += more
            if len(data) == size:
                self.check_unchanged()
                return data
        whole = bytearray(size)
        with memoryview(whole) as view:
            self.read_into(offset, view)
        return bytes(whole)

    def read_into(self, offset: int, view: memoryview) -> None:
        if self._positional:
            descriptor = self._handle.descriptor
            self._fill(offset, view, lambda position, rest: os.preadv(descriptor, [rest], position))
            self.check_unchanged()
        else:
            with self._lock:
                self._fill(offset, view, self._handle.readinto)
                self.check_unchanged()

    def _fill(self, offset: int, view: memoryview, readinto: Callable[[int, memoryview], int]) -> None:
        done = 0
        while done < len(view):
            count = readinto(offset + done, view[done:])
            if count <= 0:
                self.check_unchanged()
                raise OSError(say("{name} could not be read at {offset}.", name=self.path.name, offset=offset + done))
            done += count

    def copy_to(self, offset: int, size: int, descriptor: int) -> int:
        if sys.platform != "linux":
            return 0
        try:
            count = os.copy_file_range(self._handle.descriptor, descriptor, size, offset)
        except OSError as error:
            if error.errno in _COPY_UNSUPPORTED:
                return 0
            raise
        self.check_unchanged()
        return count

    # --- moving and closing -----------------------------------------------------------------------------

    @contextmanager
    def aside(self, path: Path) -> Iterator[None]:
        """See `Store.set_aside`."""
        present = Path(os.path.realpath(self.path))
        current = present
        with self._lock:
            # Open by either name, the file could be replaced by neither.
            self._handle.close()
            try:
                os.replace(present, present)  # fails if another program holds the file
                try:
                    os.link(present, path)  # so that the old name always has a file
                except OSError:
                    os.replace(present, path)
                try:
                    yield
                except BaseException:
                    if present.exists():
                        os.unlink(path)
                    else:
                        os.replace(path, present)
                    raise
                current = path
                self.path = path
                self.is_aside = True
            finally:
                self._handle = Handle(current)

    def move(self, to: Path, path: Path) -> None:
        """See `Store.rename`."""
        present = Path(os.path.realpath(self.path))
        current = present
        if self._positional:
            os.replace(present, to)
        else:
            with self._lock:
                self._handle.close()
                try:
                    os.replace(present, to)
                    current = to
                finally:
                    self._handle = Handle(current)
        self.path = path

    def close(self) -> None:
        self._handle.close()
        if self.is_aside:
            self.path.unlink(missing_ok=True)


class Scratch(File):
    """An append-only file: its bytes never change and need no check."""

    def __init__(self, path: Path, positional: bool, flags: int = 0) -> None:
        self._writer = Handle(path, os.O_RDWR | flags)
        self._is_locked = True
        with suppress(OSError):  # a file system without locks
            self._is_locked = lock(self._writer.descriptor)
        super().__init__(path, positional)
        self._checked_until = self.size + _SPACE_CHECK_INTERVAL

    @classmethod
    def create(cls, folder: Path, positional: bool) -> Self:
        while True:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                scratch = cls(folder / f"{os.urandom(12).hex()}{SCRATCH_ENDING}", positional, os.O_CREAT | os.O_EXCL)
                if scratch._is_locked and not scratch.is_replaced:
                    return scratch
                scratch.release()  # another process removed it before it was locked

    def check_unchanged(self) -> None:
        return

    def append(self, data: Buffer) -> int:
        """Append bytes; returns their offset."""
        offset = self.size
        if offset + len(data) >= self._checked_until:
            self._check_free_space(len(data))
        os.lseek(self._writer.descriptor, offset, os.SEEK_SET)
        with memoryview(data).cast("B") as view:
            done = 0
            while done < len(view):
                done += os.write(self._writer.descriptor, view[done:])
            self.size = offset + done
        return offset

    def _check_free_space(self, size: int) -> None:
        """Raise OSError before the disk is full."""
        folder = self.path.parent
        disk = shutil.disk_usage(folder)
        if disk.total and disk.free < size + _RESERVED_SPACE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        self._checked_until = self.size + size + _SPACE_CHECK_INTERVAL

    def sync(self) -> None:
        os.fsync(self._writer.descriptor)

    def release(self) -> None:
        self.close()
        self._writer.close()

    def delete(self) -> None:
        self.release()
        self.path.unlink(missing_ok=True)
