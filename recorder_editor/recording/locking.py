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
    """Lock an open file until it is closed; False if it is locked already. Raises OSError if locks are unsupported.

    Waits while another process only tests the lock or sweeps, which takes microseconds on an idle machine.
    """
    until = time.monotonic() + _TEST_TIMEOUT
    while not _attempt(_lock, descriptor):
        if not _is_tested(descriptor) or time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


def is_held(path: Path) -> bool:
    """Whether a file is locked; leaves no lock. Raises OSError."""
    descriptor = open_file(path, os.O_RDONLY)
    try:
        return not _attempt(_test, descriptor)
    finally:
        os.close(descriptor)


def claim(path: Path, flags: int = 0, mode: int = 0o600, try_lock: Callable[[int], bool] | None = None) -> int | None:
    """Open a file for reading and writing and lock it; None if another process has locked, or removed, it.

    `flags` are added to those of `os.open`, `mode` is that of a new file, `try_lock` locks in another way than `lock`.
    A new file may be swept before it is locked: after None, try another name. Raises OSError.
    """
    descriptor = open_file(path, os.O_RDWR | flags, mode)
    try:
        if (try_lock or lock)(descriptor) and os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return descriptor
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def create(name: Callable[[], Path], mode: int = 0o600) -> tuple[Path, int]:
    """A new locked file and its descriptor; `name` returns another path at each call.

    On a file system without locks it is not locked, and never swept. Raises OSError.
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


def sweep(paths: Iterable[Path], keeps: Callable[[Path], bool] = lambda path: False) -> None:
    """Remove the files whose processes have ended, unless `keeps`, which is called with the file locked.

    The lock is a shared one, so that `claim` waits for it instead of returning None.
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
    """The descriptor of a regular file; raises OSError for anything else, and does not block on a pipe."""
    descriptor = os.open(path, flags | FLAGS, mode)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, say("This is not an ordinary file"), str(path))
    return descriptor


def _attempt(operation: Callable[[int], None], descriptor: int) -> bool:
    try:
        operation(descriptor)
    except OSError as error:
        if error.errno in _HELD:
            return False
        raise
    return True
