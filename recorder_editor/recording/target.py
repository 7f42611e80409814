"""A file that appears under its name when it is whole, for everything that is written but recordings.

One idea: the bytes go to a temporary file beside the target, which takes its name at the end. `save` does more than
that for a recording; this is for what is made from one.
"""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import SaveRefused


@contextmanager
def written(target: Path) -> Iterator[BinaryIO]:
    """A file that takes the name of `target` when all went well, and leaves nothing behind when it did not.

    A link is followed and stays. Raises `SaveRefused` for what is no ordinary file, OSError with the target's name.
    """
    asked, target = target, Path(os.path.realpath(target))
    _refuse_target(asked, target)
    try:
        number, name = tempfile.mkstemp(prefix=f".{target.name[:50]}.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(asked)) from None
    try:
        with open(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            os.chmod(name, target.stat().st_mode & 0o7777)
        else:
            os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _refuse_target(asked: Path, target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(asked))
    if target.exists() and not target.is_file():
        raise SaveRefused(f"{asked} is not an ordinary file, and writing would replace it. Choose another name.")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(asked))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
