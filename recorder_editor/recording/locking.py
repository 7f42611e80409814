"""A file that says by its lock whether the process that holds it still lives; no process ids are compared.

A lock goes with its process, however that ends: `kill -9` and a power cut included.
"""

import errno
import os
import sys

_BEYOND = 1 << 30  # Windows keeps others from reading the locked byte
_HELD = {errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # Not `lockf`: its lock goes as soon as the process closes any other descriptor of the file.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed; False where another one holds it. Raises OSError where nobody can."""
    try:
        _lock(descriptor)
    except OSError as error:
        if error.errno in _HELD:
            return False
        raise
    return True
