"""File locks that show whether the process that holds a file is still running; no process ids are compared.

A lock ends with its process, also after `kill -9` and a power cut. Testing a lock never keeps another process from
locking the file.
"""

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from ..texts import say

_LOCKED_BYTE = 1 << 30  # beyond the content: on Windows the locked byte cannot be read
_ATTEMPTS = 100
_HELD = {errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}
LOCKS_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
"""Errors of locking on a file system without locks."""

FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags of `os.open` for all files: bytes, not inherited, and not blocked by a pipe without a writer."""

if sys.platform == "win32":
    import msvcrt

    _TEST_TIMEOUT = 1.0

    def _lock(descriptor: int, mode: int = msvcrt.LK_NBLCK) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, mode, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)  # where writing begins

    def _test(descriptor: int) -> None:
        """Without shared locks, a test excludes a lock for a moment."""
        _lock(descriptor)
        _lock(descriptor, msvcrt.LK_UNLCK)

    _lock_shared = _lock

    def _is_tested(descriptor: int) -> bool:
        return True  # unknown

else:
    import fcntl

    _TEST_TIMEOUT = 30.0

    def _lock(descriptor: int) -> None:
        # Not `lockf`: its lock ends when the process closes any other descriptor of the file.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _lock_shared(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def _test(descriptor: int) -> None:
        _lock_shared(descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _is_tested(descriptor: int) -> bool:
        return _attempt(_test, descriptor)


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed.

    Waits while another process only tests the lock or sweeps, which takes microseconds on an idle machine.

    Returns:
        False if it is locked already.

    Raises:
        OSError: The file system has no locks.
    """
    until = time.monotonic() + _TEST_TIMEOUT
    while not _attempt(_lock, descriptor):
        if not _is_tested(descriptor) or time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


def is_held(path: Path) -> bool:
    """Whether a file is locked; leaves no lock.

    Raises:
        OSError: The file cannot be opened, or the file system has no locks.
    """
    descriptor = open_file(path, os.O_RDONLY)
    try:
        return not _attempt(_test, descriptor)
    finally:
        os.close(descriptor)


def claim(path: Path, flags: int = 0, mode: int = 0o600, try_lock: Callable[[int], bool] | None = None) -> int | None:
    """Open a file for reading and writing and lock it.

    Args:
        path: The file.
        flags: Further flags of `os.open`.
        mode: The mode of a new file.
        try_lock: Locks the file; None: `lock`.

    Returns:
        The descriptor; None if another process has locked, or removed, the file. A new file may be swept before it is
        locked: after None, try another name.

    Raises:
        OSError: The file cannot be opened or locked.
    """
    if try_lock is None:
        try_lock = lock
    descriptor = open_file(path, os.O_RDWR | flags, mode)
    try:
        if try_lock(descriptor) and os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return descriptor
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def create(name: Callable[[], Path], mode: int = 0o600) -> tuple[Path, int]:
    """Create a locked file. On a file system without locks it is not locked, and never swept.

    Args:
        name: Returns another path at each call.
        mode: The mode of the file.

    Returns:
        Its path and its descriptor.

    Raises:
        OSError: It cannot be created.
    """
    for _ in range(_ATTEMPTS):
        path = name()
        try:
            descriptor = claim(path, os.O_CREAT | os.O_EXCL, mode)
        except OSError as error:
            if error.errno not in LOCKS_UNSUPPORTED:
                raise
            return path, open_file(path, os.O_RDWR)
        if descriptor is not None:
            return path, descriptor
    raise FileExistsError(errno.EEXIST, say("New files are removed again and again"), str(path.parent))


def remove(path: Path, descriptor: int) -> None:
    """Remove and close a locked file; it is closed first if an open file cannot be removed."""
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        os.close(descriptor)
        descriptor = -1
        path.unlink(missing_ok=True)
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _keep_none(_path: Path) -> bool:
    return False


def sweep(paths: Iterable[Path], keeps: Callable[[Path], bool] = _keep_none) -> None:
    """Remove the files that no process has locked: their processes have ended.

    The lock is a shared one, so that `claim` waits for it instead of returning None.

    Args:
        paths: The files.
        keeps: Whether a file has to stay; it is called with the file locked.
    """
    for path in paths:
        with suppress(OSError):
            descriptor = claim(path, try_lock=partial(_attempt, _lock_shared))
            if descriptor is None:
                continue
            is_kept = True
            try:
                is_kept = keeps(path)
            finally:
                if is_kept:
                    os.close(descriptor)
            if not is_kept:
                remove(path, descriptor)


def open_file(path: Path, flags: int, mode: int = 0o600) -> int:
    """Open a regular file; does not block on a pipe.

    Args:
        path: The file.
        flags: The flags of `os.open`.
        mode: The mode of a new file.

    Returns:
        The descriptor.

    Raises:
        OSError: It cannot be opened, or is no regular file.
    """
    descriptor = os.open(path, flags | FLAGS, mode)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, say("This is not an ordinary file"), str(path))
    return descriptor


def _attempt(operation: Callable[[int], None], descriptor: int) -> bool:
    """Do something with a lock; False if another process has locked the file."""
    try:
        operation(descriptor)
    except OSError as error:
        if error.errno in _HELD:
            return False
        raise
    return True
