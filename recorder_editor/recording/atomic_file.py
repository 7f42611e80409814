"""Atomic writing of files: a temporary file in the same folder is renamed over the target when it is complete.

A lock file keeps other windows and processes of this program from writing the same target, and the target is checked
for changes directly before it is replaced. What has to stay (`existing`) is not replaced unasked. Temporary and lock
files are locked by their process; those of ended processes are removed (`sweep_folder`). Knows no recording.
"""

import errno
import os
import re
import stat
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from ..errors import FileBusy, FileChanged, SaveRefused
from ..texts import N_, say
from .existing import refuse_existing
from .locking import LOCKS_UNSUPPORTED, claim, create, is_held, remove, sweep

_MINE = "recorder-editor"
_LEFT = re.compile(rf"\..+-[0-9a-f]{{8}}\.{_MINE}\.(tmp|lock)", re.DOTALL)
_ATTEMPTS = 100
_REWRITES = 5  # attempts to replace a file that other programs write without a lock
_SECONDS_BETWEEN_LOOKS = 0.005
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class Target:
    """A file to be written.

    Attributes:
        asked: The given path.
        final: The path with links resolved.
        present: The status of the existing file at the beginning; None without one.
    """

    asked: Path
    final: Path
    present: os.stat_result | None

    def beside(self, ending: str) -> Path:
        """A new name for a hidden file in the same folder."""
        return _beside(self.final, os.urandom(4).hex(), ending)

    def create(self) -> tuple[Path, int]:
        """Create a temporary file beside the target, locked if possible.

        If it replaces a file, only its owner can read it until `copy_attributes` is called; else the umask decides.

        Returns:
            Its path, and its descriptor, which is open for writing.

        Raises:
            OSError: It cannot be created; the error has the name of the target.
        """
        mode = 0o600
        if self.present is None:
            mode = 0o666
        try:
            return create(lambda: self.beside("tmp"), mode)
        except OSError as error:
            raise self.named(error) from None

    def copy_attributes(self, descriptor: int) -> None:
        """Copy owner (if allowed), permissions, access lists and other attributes of the old file."""
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
        """Check that the target is as it was at the beginning.

        Raises:
            FileChanged: It was changed, created or removed.
        """
        try:
            now = os.stat(self.final)
        except FileNotFoundError:
            now = None
        if _identity(now) == _identity(self.present):
            return
        if now is None:
            template = N_(
                "{name} was removed by another program while this was written. It was left as "
                "it is; choose another name, or try again."
            )
        elif self.present is None:
            template = N_(
                "{name} was created by another program while this was written. It was left as "
                "it is; choose another name, or try again."
            )
        else:
            template = N_(
                "{name} was changed or replaced by another program while this was written. It "
                "was left as it is; choose another name, or try again."
            )
        raise FileChanged(say(template, name=self.final.name))

    def renewed(self) -> "Target":
        """The same target as it is now; errors as `reserve` for the file there."""
        return replace(self, present=_present(self.final, self.asked))

    def named(self, error: OSError) -> OSError:
        """The same error with the path of the target instead of the temporary file."""
        if error.errno is not None:
            return OSError(error.errno, error.strerror, str(self.asked))
        return error


@contextmanager
def reserve(
    asked: Path, *, overwrite: bool = False, is_recording: bool = False, patience: float = 0.0
) -> Iterator[Target]:
    """Reserve a target, so that no other window or process of this program writes it meanwhile.

    Links are followed. Files left by killed processes in the folder are removed.

    Args:
        asked: The path of the target.
        overwrite: Any file may be replaced.
        is_recording: A recording is written: without `overwrite` no file that holds a byte is replaced, else none that
            nothing makes again.
        patience: Seconds to wait for another window or process that has it.

    Raises:
        WouldReplace: A file has to stay.
        FileBusy: The target is being written.
        SaveRefused: The target is no regular file.
        OSError: It cannot be replaced.
    """
    final = Path(os.path.realpath(asked))
    # Before the lock, so that a file replaced while waiting counts as changed.
    present = _present(final, asked)
    sweep_folder(final.parent)
    lock = _lock_of(final)
    descriptor = _locked(lock, final.name, patience)
    try:
        # What is read here is what is replaced: `verify` refuses a file that changed since `present`.
        if not overwrite:
            refuse_existing([asked], is_recording=is_recording)
        yield Target(asked, final, present)
    finally:
        if descriptor is not None:
            with suppress(OSError):
                remove(lock, descriptor)


@contextmanager
def atomic_write(asked: Path, *, overwrite: bool = False, is_recording: bool = False) -> Iterator[BinaryIO]:
    """Open a file for a `with` statement that is renamed to the target on success and removed on failure.

    For new recordings and all other files; `save` writes recordings that are open.

    Args:
        asked: The path of the target.
        overwrite: As for `reserve`.
        is_recording: As for `reserve`.

    Raises:
        WouldReplace: A file has to stay.
        FileBusy: The target is being written.
        SaveRefused: The target is no regular file, or was changed meanwhile.
        OSError: The file cannot be written; the error has the name of the target.
    """
    with reserve(asked, overwrite=overwrite, is_recording=is_recording) as target, _replacing(target) as file:
        yield file


@contextmanager
def _replacing(target: Target) -> Iterator[BinaryIO]:
    """A file that is renamed to a reserved target on success and removed on failure."""
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
        with suppress(OSError):  # closing flushes again, which fails again on a full disk
            file.close()
        path.unlink(missing_ok=True)
        raise
    file.close()


def write_file(path: Path, data: bytes | bytearray | memoryview, *, overwrite: bool = False) -> None:
    """Write a small file, as `atomic_write` does."""
    with atomic_write(path, overwrite=overwrite) as file:
        file.write(data)


def rewrite_file(path: Path, make: Callable[[], bytes | None], *, patience: float = 0.0) -> None:
    """Read a small file and write it anew, under one lock: of several that do so none loses what another wrote.

    Args:
        path: The file; there may be none yet.
        make: Reads the file and returns its new bytes; None leaves it as it is. Called again if a program that knows
            no lock wrote the file meanwhile.
        patience: Seconds to wait while another window or process writes the file.

    Raises:
        FileBusy: Others went on writing the file.
        SaveRefused: It is no regular file.
        OSError: It cannot be written.
    """
    try:
        with reserve(path, overwrite=True, patience=patience) as reserved:  # `make` has what was there
            for _ in range(_REWRITES):
                # Of now: while the lock was waited for, its holder replaced the file.
                target = reserved.renewed()
                data = make()
                if data is None:
                    return
                try:
                    with _replacing(target) as file:
                        file.write(data)
                except FileChanged:
                    continue
                return
    except FileBusy:
        # Its message offers to choose another name, which is not possible for a file that belongs beside a recording.
        lock = _lock_of(Path(os.path.realpath(path)))
        raise FileBusy(
            say(
                "{name} is being written by another window or process, which holds the file "
                "{lock} beside it; if nothing writes it, delete that file.",
                name=path.name,
                lock=lock.name,
            )
        ) from None
    raise FileBusy(say("{name} is written by another program again and again.", name=path.name))


def sweep_folder(folder: Path) -> None:
    """Remove the temporary and lock files of ended processes of this program in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        sweep([Path(entry.path) for entry in entries if _LEFT.fullmatch(entry.name)])


def sync_folder(folder: Path) -> None:
    """Sync a folder after a renaming, if the system supports it; Windows opens no folders."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _beside(final: Path, token: str, ending: str) -> Path:
    """The path of a hidden file in the folder of a target."""
    # Names have 255 bytes at most, and a character up to four.
    return final.with_name(f".{final.name[:50]}-{token}.{_MINE}.{ending}")


def _lock_of(final: Path) -> Path:
    """The lock file of a target."""
    return _beside(final, f"{zlib.crc32(os.fsencode(final.name)):08x}", "lock")


def _locked(path: Path, name: str, patience: float) -> int | None:
    """Lock the lock file of a target.

    Args:
        path: The lock file.
        name: The name of the target, for the message.
        patience: Seconds to wait for another window or process that has locked it.

    Returns:
        The descriptor of the lock file; None if the folder or file system does not support one.

    Raises:
        FileBusy: It stays locked.
    """
    until = time.monotonic() + patience
    attempts = 0
    while attempts < _ATTEMPTS:
        try:
            descriptor = claim(path, os.O_CREAT | _NOFOLLOW)
            if descriptor is not None:
                return descriptor
            if not is_held(path):
                attempts += 1
            elif time.monotonic() < until:
                time.sleep(_SECONDS_BETWEEN_LOOKS)
            else:
                break
        except FileNotFoundError:
            if not path.parent.is_dir():
                return None  # writing the file will raise the error
            attempts += 1
            if attempts == _ATTEMPTS:  # no file can be created there, as in /proc
                return None
        except OSError as error:
            if error.errno in LOCKS_UNSUPPORTED:
                with suppress(OSError):
                    path.unlink()
            return None
    raise FileBusy(
        say(
            "{name} is being written by another window or process, which holds the file "
            "{lock} beside it. Choose another name, or try again; if nothing writes it, "
            "delete that file.",
            name=name,
            lock=path.name,
        )
    )


def _present(final: Path, asked: Path) -> os.stat_result | None:
    """The status of an existing file, or None; raises `SaveRefused` or OSError if it cannot be replaced."""
    try:
        present = os.stat(final)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(present.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(asked))
    if not stat.S_ISREG(present.st_mode):
        raise SaveRefused(
            say("{name} is not an ordinary file, and writing would replace it. Choose another name.", name=asked.name)
        )
    if not os.access(final, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(asked))
    return present


def _identity(status: os.stat_result | None) -> tuple[int, ...] | None:
    """Identifies a file and its state."""
    if status is not None:
        return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return None
