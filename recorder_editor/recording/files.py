"""A file that is open, with the proof that it is still the one that was opened; and the scratch file, which only grows.

Files are read, never mapped: the simulator may rewrite a file while it is open, and a map of a shortened file kills the
process.  Knows no numbers of sources, and nothing of frames and packets.
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
from typing import NamedTuple, Self

from ..errors import SourceChanged
from .locking import lock

SCRATCH_ENDING = ".bytes"

Buffer = bytes | bytearray | memoryview

_END = 512
"""So many bytes at each end tell a file that became longer from one that was written anew."""

_LOOK_EVERY = 32 << 20
_SPARE = 64 << 20
"""What edits leave free of a disk, and after how many bytes it is looked at again."""

_NOT_BY_THE_KERNEL = {errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM}
"""What `copy_file_range` says where a file system or a kernel cannot do it; everything else is a failure."""


class Identity(NamedTuple):
    """What tells a file from every other one, as it was when it was opened; the device's number may change with a
    restart of the system. `ends`: a digest of its first and its last bytes."""

    device: int
    inode: int
    size: int
    modified: int
    ends: str

    def has_content_of(self, other: "Identity") -> bool:
        """They tell the same file, with the same content."""
        return self[1:] == other[1:]


class Handle:
    """A descriptor that is closed with the object."""

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


class File:
    """An open file, and the proof that it is still the one that was opened."""

    def __init__(self, path: Path, positional: bool) -> None:
        self.path = path
        self.holders = 1
        self.is_aside = False
        self._positional = positional
        self._handle = Handle(path)
        try:
            status = os.fstat(self._handle.descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(f"{path} is a folder, not a recording.")
            if not stat.S_ISREG(status.st_mode):
                raise OSError(f"{path} is not an ordinary file.")
        except BaseException:
            self._handle.close()
            raise
        self.size = status.st_size
        self._identity = status.st_dev, status.st_ino
        self._verified = self._opened = status.st_size, status.st_mtime_ns
        self._ends = self._read_ends()
        self._lock = threading.Lock()

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
        status = os.fstat(self._handle.descriptor)
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
            descriptor = self._handle.descriptor
            data = os.pread(descriptor, size, offset)
            # A system may give less than it is asked for, as Linux does above 2 GiB.
            while len(data) < size and (more := os.pread(descriptor, size - len(data), offset + len(data))):
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
            self._fill(offset, view, lambda at, rest: os.preadv(descriptor, [rest], at))
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
                raise OSError(f"{self.path.name} could not be read at {offset + done}.")
            done += count

    def copy_to(self, offset: int, size: int, descriptor: int) -> int:
        if sys.platform != "linux":
            return 0
        try:
            count = os.copy_file_range(self._handle.descriptor, descriptor, size, offset)
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
        self._handle.close()
        now = present
        try:
            does(present, to)
            now = to
        finally:
            self._handle = Handle(now)

    def close(self) -> None:
        self._handle.close()
        if self.is_aside:
            self.path.unlink(missing_ok=True)


def _drop_first(one: Path, _other: Path) -> None:
    """Of two names of one file, keep the second."""
    one.unlink()


class Scratch(File):
    """A file that only grows. What stands in it stays true, so nothing is verified."""

    def __init__(self, path: Path, positional: bool, flags: int = 0) -> None:
        self._writer = Handle(path, os.O_RDWR | flags)
        self._is_mine = True
        with suppress(OSError):  # a file system without locks
            self._is_mine = lock(self._writer.descriptor)
        super().__init__(path, positional)
        self._looked_until = self.size + _LOOK_EVERY

    @classmethod
    def create(cls, folder: Path, positional: bool) -> Self:
        while True:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                made = cls(folder / f"{secrets.token_hex(12)}{SCRATCH_ENDING}", positional, os.O_CREAT | os.O_EXCL)
                if made._is_mine and not made.is_replaced:
                    return made
                made.leave()  # somebody swept it before it was locked

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
