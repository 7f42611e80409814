"""Stands in for Windows: what its calls refuse, and what is not there. What else Windows does differently is not shown.

A file that is open, by whichever of its names, is neither renamed, replaced nor removed, and a folder is not opened;
there are no calls that read at a position, copy in the kernel or change owners; locks are those of `msvcrt`.
"""

import errno
import fcntl
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from recorder_editor.recording import atomic_file, files, locking, save
from recorder_editor.recording import recording as recording_module
from recorder_editor.recording.store import Store

HELD = "The process cannot access the file because it is being used by another process"
MISSING = ("preadv", "pread", "copy_file_range", "fchmod", "fchown", "listxattr")
LOCKING = ("_lock", "_lock_shared", "_test", "_is_tested", "_TEST_TIMEOUT")


def _open_files() -> Iterator[tuple[int, int]]:
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the descriptor that listed the folder
            status = entry.stat()
            yield status.st_dev, status.st_ino


def _refusing(call: Callable[..., Any], *paths: Any, **named: Any) -> Any:
    """The call, unless one of its files is open."""
    held = set(_open_files())
    for path in paths:
        with suppress(FileNotFoundError):
            status = os.stat(path)
            if (status.st_dev, status.st_ino) in held:
                raise PermissionError(errno.EACCES, HELD, str(path))
    return call(*paths, **named)


def _lock(descriptor: int, mode: int, _count: int) -> None:
    try:
        fcntl.flock(descriptor, mode)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


def _open(call: Callable[..., int], path: Any, *options: Any, **named: Any) -> int:
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))
    return call(path, *options, **named)


def as_on_windows(module: ModuleType) -> ModuleType:
    """A module as it is on Windows, with a `msvcrt` made of the locks of this system."""
    kinds = {"LK_NBLCK": fcntl.LOCK_EX | fcntl.LOCK_NB, "LK_UNLCK": fcntl.LOCK_UN}
    spec = importlib.util.spec_from_file_location(f"{module.__name__}_of_windows", module.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=_lock, **kinds))  # type: ignore[arg-type]
        patch.setattr(sys, "platform", "win32")
        spec.loader.exec_module(module)
    return module


def stand_in(patch: pytest.MonkeyPatch) -> None:
    """From now on the recording sees Windows."""
    for name in ("replace", "rename", "unlink", "remove"):
        patch.setattr(os, name, partial(_refusing, getattr(os, name)))
    for name in MISSING:
        patch.delattr(os, name, raising=False)
    patch.setattr(os, "open", partial(_open, os.open))
    windows = as_on_windows(locking)
    for name in LOCKING:
        patch.setattr(locking, name, getattr(windows, name))
    for module in (atomic_file, files):
        patch.setattr(module, "sys", SimpleNamespace(platform="win32"))
    patch.setattr(save, "System", as_on_windows(save).System)
    patch.setattr(recording_module, "Store", partial(Store, positional=False))
