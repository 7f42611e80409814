"""A file that says by its lock whether the process that holds it still lives; no process ids are compared.

A lock goes with its process, however that ends: `kill -9` and a power cut included. To look whether a file is held is
no claim: it is never in the way of whoever locks the file.
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

_BEYOND = 1 << 30  # Windows keeps others from reading the locked byte
_TRIES = 100
_HELD = {errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}
NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
"""What a lock says on a file system that knows none."""

_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_NONBLOCK", 0)

if sys.platform == "win32":
    import msvcrt

    _SECONDS_FOR_LOOKS = 1.0

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _look(descriptor: int) -> None:
        """It has no shared locks: a look and a claim exclude each other for that moment."""
        _lock(descriptor)
        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

    _share = _lock

    def _is_looked_at(descriptor: int) -> bool:
        return True  # nobody can tell

else:
    import fcntl

    _SECONDS_FOR_LOOKS = 30.0

    def _lock(descriptor: int) -> None:
        # Not `lockf`: its lock goes as soon as the process closes any other descriptor of the file.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _share(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def _look(descriptor: int) -> None:
        _share(descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _is_looked_at(descriptor: int) -> bool:
        return _attempt(_look, descriptor)


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed; False where another one holds it. Raises OSError where nobody can.

    Waits for those who only look or sweep: a matter of microseconds, unless the machine holds them up.
    """
    until = time.monotonic() + _SECONDS_FOR_LOOKS
    while not _attempt(_lock, descriptor):
        if not _is_looked_at(descriptor) or time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


def is_held(path: Path) -> bool:
    """Somebody holds the lock of a file; whoever asks takes none that lasts. Raises OSError."""
    descriptor = open_file(path, os.O_RDONLY)
    try:
        return not _attempt(_look, descriptor)
    finally:
        os.close(descriptor)


def claim(path: Path, flags: int = 0, mode: int = 0o600) -> int | None:
    """The descriptor of a file, open for reading and writing, and locked; None where another one holds it, or has
    taken and removed it meanwhile. `flags` are more of `os.open`, `mode` is that of a new file. Raises OSError.

    Whoever makes a file tries another name after None: until it is locked, a file looks as if its maker were gone.
    """
    return _locked(path, lock, flags, mode)


def _locked(path: Path, locks: Callable[[int], bool], flags: int = 0, mode: int = 0o600) -> int | None:
    descriptor = open_file(path, os.O_RDWR | flags, mode)
    try:
        if locks(descriptor) and os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return descriptor
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def create(name: Callable[[], Path], mode: int = 0o600) -> tuple[Path, int]:
    """A new file that is claimed, and its descriptor; `name` gives another path at each call.

    Where the file system knows no locks it is merely made, and never swept. Raises OSError.
    """
    for _ in range(_TRIES):
        path = name()
        try:
            descriptor = claim(path, os.O_CREAT | os.O_EXCL, mode)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            return path, open_file(path, os.O_RDWR)
        if descriptor is not None:
            return path, descriptor
    raise FileExistsError(errno.EEXIST, "New files are removed again and again", str(path.parent))


def remove(path: Path, descriptor: int) -> None:
    """Remove a claimed file and let go of it; where an open file cannot be removed, the other way round."""
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
    """Remove the files whose makers are gone. `keeps` is asked while nobody else can claim the file.

    The lock for that is a shared one: whoever claims the file meanwhile waits, and is not told that another holds it.
    """
    for path in paths:
        with suppress(OSError):
            descriptor = _locked(path, partial(_attempt, _share))
            if descriptor is None:
                continue
            try:
                kept = keeps(path)
            except BaseException:
                os.close(descriptor)
                raise
            if kept:
                os.close(descriptor)
            else:
                remove(path, descriptor)


def open_file(path: Path, flags: int, mode: int = 0o600) -> int:
    """The descriptor of an ordinary file; raises OSError for any other thing, and never waits for a pipe."""
    descriptor = os.open(path, flags | _FLAGS, mode)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "This is not an ordinary file", str(path))
    return descriptor


def _attempt(does: Callable[[int], None], descriptor: int) -> bool:
    try:
        does(descriptor)
    except OSError as error:
        if error.errno in _HELD:
            return False
        raise
    return True
