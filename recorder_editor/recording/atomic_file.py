"""The place where a file is to be written: what stands there, who else writes there, the temporary file beside it.

A file appears under its name when it is whole. Until then its bytes are in a temporary file in the same folder, and a
lock file beside it keeps other windows and processes of this program from writing to the same name. What stands under
the name is compared once more directly before it is replaced. Temporary and lock files are locked by whoever made them;
those that nobody holds any more are removed (`sweep_folder`). Knows no recording.
"""

import errno
import os
import re
import secrets
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..errors import SaveRefused
from .locking import NO_LOCKS, claim, create, is_held, remove, sweep

_MINE = "recorder-editor"
_LEFT = re.compile(rf"\..+-[0-9a-f]{{8}}\.{_MINE}\.(tmp|lock)", re.DOTALL)
_TRIES = 100
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class Target:
    """The place of a file that is to be written.

    Attributes: `asked` (the path as it was given), `final` (the file itself, which a link leads to), `present` (what
    stood there at the beginning, None for nothing).
    """

    asked: Path
    final: Path
    present: os.stat_result | None

    def beside(self, ending: str) -> Path:
        """A new name for a hidden file in the same folder."""
        return _beside(self.final, secrets.token_hex(4), ending)

    def create(self) -> tuple[Path, int]:
        """A temporary file beside the target and its descriptor, open for writing and locked where that is possible.

        In the place of a file it can be read by its owner alone until `copy_attributes` is called; for a new one the
        system decides. Raises OSError with the name of the target.
        """
        try:
            return create(lambda: self.beside("tmp"), 0o666 if self.present is None else 0o600)
        except OSError as error:
            raise self.named(error) from None

    def copy_attributes(self, descriptor: int) -> None:
        """Give a new file what the old one has: owner where allowed, permissions, access lists, other attributes."""
        if sys.platform == "win32" or self.present is None:
            return
        for owner, group in ((-1, self.present.st_gid), (self.present.st_uid, -1)):
            with suppress(OSError):
                os.fchown(descriptor, owner, group)
        os.fchmod(descriptor, stat.S_IMODE(self.present.st_mode))
        if sys.platform == "linux":
            with suppress(OSError):
                for name in os.listxattr(self.final):
                    with suppress(OSError):
                        os.setxattr(descriptor, name, os.getxattr(self.final, name))

    def verify(self) -> None:
        """Raises `SaveRefused` where something else stands there than at the beginning."""
        try:
            now = os.stat(self.final)
        except FileNotFoundError:
            now = None
        if _told(now) == _told(self.present):
            return
        if now is None:
            what = "was removed by another program"
        elif self.present is None:
            what = "was made by another program"
        else:
            what = "was changed or replaced by another program"
        raise SaveRefused(
            f"{self.final.name} {what} while this was written. It was left as it is; choose another name, or try again."
        )

    def named(self, error: OSError) -> OSError:
        """The same error of the system, told of the target and not of a hidden file."""
        return OSError(error.errno, error.strerror, str(self.asked)) if error.errno is not None else error


@contextmanager
def reserve(asked: Path) -> Iterator[Target]:
    """The place of a file; no other window or process of this program writes there meanwhile.

    A link is followed. What killed processes left in the folder is removed. Raises `SaveRefused` where somebody writes
    there, or for what is no ordinary file, and OSError where the file cannot be replaced.
    """
    final = Path(os.path.realpath(asked))
    # Before the lock: one who just ends writing there has changed it in the eyes of who begins.
    present = _present(final, asked)
    sweep_folder(final.parent)
    lock = _beside(final, f"{zlib.crc32(os.fsencode(final.name)):08x}", "lock")
    descriptor = _locked(lock, final.name)
    try:
        yield Target(asked, final, present)
    finally:
        if descriptor is not None:
            with suppress(OSError):
                remove(lock, descriptor)


@contextmanager
def atomic_write(asked: Path) -> Iterator[BinaryIO]:
    """A file that takes the name `asked` when all went well, and leaves nothing behind when it did not.

    For everything that is written but recordings. Raises what `reserve` raises, `SaveRefused` where the target was
    changed meanwhile, OSError with the target's name.
    """
    with reserve(asked) as target:
        path, descriptor = target.create()
        file = open(descriptor, "w+b")  # noqa: SIM115 - it is closed before the renaming on Windows, after it elsewhere
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            target.copy_attributes(file.fileno())
            if sys.platform == "win32":
                file.close()
            target.verify()
            try:
                os.replace(path, target.final)
            except OSError as error:
                raise target.named(error) from None
            sync_folder(target.final.parent)
        except BaseException:
            with suppress(OSError):  # what a full disk refused is refused once more
                file.close()
            path.unlink(missing_ok=True)
            raise
        file.close()


def sweep_folder(folder: Path) -> None:
    """Remove the temporary and lock files of this program in a folder whose makers are gone."""
    with suppress(OSError), os.scandir(folder) as entries:
        sweep([Path(entry.path) for entry in entries if _LEFT.fullmatch(entry.name)])


def sync_folder(folder: Path) -> None:
    """Make a renaming last, where the system can."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _beside(final: Path, token: str, ending: str) -> Path:
    # Names have 255 bytes at most, and a character up to four.
    return final.with_name(f".{final.name[:50]}-{token}.{_MINE}.{ending}")


def _locked(path: Path, name: str) -> int | None:
    """The descriptor of a lock file that is held; None where the folder or its file system keeps none.

    Raises `SaveRefused` where another one holds it.
    """
    for _ in range(_TRIES):
        try:
            descriptor = claim(path, os.O_CREAT | _NOFOLLOW)
            if descriptor is not None:
                return descriptor
            if is_held(path):
                break
        except FileNotFoundError:
            if not path.parent.is_dir():
                return None  # whoever writes the file will say so
        except OSError as error:
            if error.errno in NO_LOCKS:
                with suppress(OSError):
                    path.unlink()
            return None
    raise SaveRefused(f"{name} is just being written by another window or process. Choose another name, or try again.")


def _present(final: Path, asked: Path) -> os.stat_result | None:
    """What stands at a place, None for nothing; raises where it cannot be replaced."""
    try:
        present = os.stat(final)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(present.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(asked))
    if not stat.S_ISREG(present.st_mode):
        raise SaveRefused(f"{asked.name} is not an ordinary file, and writing would replace it. Choose another name.")
    if not os.access(final, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(asked))
    return present


def _told(status: os.stat_result | None) -> tuple[int, ...] | None:
    """What tells a file from another one, and from the same one after a change."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns) if status is not None else None
