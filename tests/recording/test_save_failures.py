"""Saving that is cancelled, that fails or that a system makes hard: the old file is whole, nothing lies beside it."""

import errno
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import recorder_editor
from recorder_editor import Recording
from recorder_editor.errors import Cancelled, SaveRefused
from recorder_editor.progress import Progress
from recorder_editor.recording import recording as recording_module
from recorder_editor.recording import save as save_module
from recorder_editor.recording.frames import RAW, FrameTable
from recorder_editor.recording.save import System, save
from recorder_editor.recording.store import Store
from tests import builders
from tests.recording.steps import (
    AS_ON_WINDOWS,
    BY_BLOCKS,
    BY_THE_KERNEL,
    DAMAGED,
    DRIVE,
    content,
    linux,
    names,
    posix,
    retime,
    turn,
)


def open_files() -> list[str]:
    """What this process has open, as Linux tells it."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(entry.readlink()))
        except FileNotFoundError:  # the descriptor that listed the folder
            continue
    return found


# --- progress, cancelling, failures -----------------------------------------------------------------------


@pytest.mark.parametrize("data", [DRIVE, DAMAGED, b""], ids=["sound", "damaged", "empty"])
@pytest.mark.parametrize("kernel", [True, False])
def test_progress_rises_to_the_whole(file: Path, data: bytes, kernel: bool, every_range_by_the_kernel: None) -> None:
    file.write_bytes(data)
    seen: list[tuple[int, int]] = []
    with recorder_editor.open(file) as opened:
        save(
            opened.snapshot,
            file,
            None,
            Progress(lambda done, total: seen.append((done, total))),
            system=System(kernel_copy=kernel, block=512),
        )
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def has_run_out(moments: Iterator[int]) -> bool:
    return next(moments, None) is None


@pytest.mark.parametrize("data", [DRIVE, DAMAGED], ids=["sound", "damaged"])
def test_cancelling_at_any_moment_leaves_everything_as_it_was(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with recorder_editor.open(file) as opened:
        opened.apply(retime(opened, slice(0, 1)))
        before, moments = opened.snapshot, 0
        system = System(kernel_copy=False, block=2048)
        while True:
            try:
                save(before, file, None, Progress(None, partial(has_run_out, iter(range(moments)))), system=system)
            except Cancelled:
                moments += 1
                assert file.read_bytes() == data
                assert names(file.parent) == [file.name]
                continue
            break
    assert moments > 5


class Failure(Exception):
    """What no code expects."""


def raising(*arguments: Any, **named: Any) -> Any:
    raise Failure


def failing_at(call: Callable[..., Any], number: int) -> Callable[..., Any]:
    """A call that fails the `number`th time and works before."""
    calls = iter(range(number))

    def counted(*arguments: Any, **named: Any) -> Any:
        if next(calls, None) is None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return call(*arguments, **named)

    return counted


FAILURES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "opening the temporary file": lambda patch: patch.setattr(os, "open", failing_at(os.open, 0)),
    "the first write": lambda patch: patch.setattr(os, "write", failing_at(os.write, 0)),
    "the second write": lambda patch: patch.setattr(os, "write", failing_at(os.write, 1)),
    "a later write": lambda patch: patch.setattr(os, "write", failing_at(os.write, 7)),
    "reading": lambda patch: patch.setattr(Store, "read_into", failing_at(Store.read_into, 3)),
    "passing permissions on": lambda patch: patch.setattr(os, "fchmod", failing_at(os.fchmod, 0)),
    "syncing": lambda patch: patch.setattr(os, "fsync", failing_at(os.fsync, 0)),
    "opening what was written": lambda patch: patch.setattr(Store, "add_file", raising),
    "reading back": lambda patch: patch.setattr(Store, "read", failing_at(Store.read, 0)),
    "scanning again": lambda patch: patch.setattr(save_module, "scan", raising),
    "replacing": lambda patch: patch.setattr(os, "replace", failing_at(os.replace, 0)),
}


@posix
@pytest.mark.parametrize("what", FAILURES)
@pytest.mark.parametrize("windows", [False, True], ids=["here", "as on windows"])
def test_a_failure_leaves_the_old_file_whole_and_nothing_beside_it(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, what: str, windows: bool
) -> None:
    recording.apply(retime(recording, slice(None)))
    before = recording.snapshot
    wanted = content(recording)
    system = System(kernel_copy=False, replaces_open_files=not windows, block=1024)
    with monkeypatch.context() as patch:
        patch.setattr(save_module, "System", lambda: system)
        FAILURES[what](patch)
        with pytest.raises((Failure, OSError)):
            recording.save()
    assert recording.snapshot is before
    assert recording.is_modified
    assert file.read_bytes() == DRIVE
    assert names(file.parent) == [file.name]
    assert content(recording) == wanted
    recording.save()
    assert file.read_bytes() == wanted


@linux
@pytest.mark.parametrize("what", FAILURES)
def test_a_failure_leaves_no_file_open(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    before = sorted(path for path in open_files() if path.startswith(str(file.parent)))
    with monkeypatch.context() as patch:
        FAILURES[what](patch)
        with pytest.raises((Failure, OSError)):
            save(recording.snapshot, file, None, system=System(kernel_copy=False, block=512))
    assert sorted(path for path in open_files() if path.startswith(str(file.parent))) == before


@linux
def test_a_failure_of_the_kernel_copy_leaves_the_old_file_whole(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, every_range_by_the_kernel: None
) -> None:
    monkeypatch.setattr(os, "copy_file_range", failing_at(os.copy_file_range, 0))
    with pytest.raises(OSError, match="Input/output"):
        save(recording.snapshot, file, None, system=BY_THE_KERNEL)
    assert file.read_bytes() == DRIVE
    assert names(file.parent) == [file.name]


@posix
def test_a_folder_that_cannot_be_synced_is_no_failure(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", failing_at(os.fsync, 1))
    recording.apply(turn(recording, 3))
    recording.save()
    assert file.read_bytes() == content(recording)


def altered_write(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """The byte at `at` of the file reaches the disk as another one."""
    write = os.write
    done = 0

    def altered(descriptor: int, data: bytes) -> int:
        nonlocal done
        changed = bytearray(data)
        if done <= at < done + len(changed):
            changed[at - done] ^= 0x40
        done += len(changed)
        return write(descriptor, changed)

    monkeypatch.setattr(os, "write", altered)


FIRST = len(builders.header())


@pytest.mark.parametrize(
    ("data", "at"),
    [
        (DRIVE, 3),
        (DRIVE, FIRST),
        (DRIVE, FIRST + 5),
        (DRIVE, FIRST + 13),
        (DRIVE, FIRST + 21),
        (DRIVE, FIRST + 29),
        (DRIVE, FIRST + 30),
        (DRIVE, len(DRIVE) - 5),
        (DAMAGED, 3100),
        (DAMAGED, 100),
    ],
)
def test_bytes_that_read_back_otherwise_are_not_put_in_place(
    file: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, at: int
) -> None:
    file.write_bytes(data)
    with recorder_editor.open(file) as opened:
        altered_write(monkeypatch, at)
        with pytest.raises(SaveRefused, match="does not read back as it should"):
            save(opened.snapshot, file, None, system=BY_BLOCKS)
    assert file.read_bytes() == data
    assert names(file.parent) == [file.name]


def test_rows_that_a_scan_sees_otherwise_are_compared_byte_by_byte(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(save_module, "scan", lambda *arguments, **named: SimpleNamespace(table=FrameTable()))
    recording.apply(retime(recording, slice(0, 9)))
    save(recording.snapshot, file, None, system=System(block=1000))
    assert file.read_bytes() == content(recording)


# --- where an open file cannot be replaced ------------------------------------------------------------------


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that neither renames open files nor replaces them, with a handle per thread to read them."""
    replace = os.replace

    def strict(one: Path, other: Path) -> None:
        if {str(one), str(other)} & set(open_files()):
            raise PermissionError(errno.EACCES, "The process cannot access the file")
        replace(one, other)

    monkeypatch.setattr(os, "replace", strict)
    monkeypatch.setattr(recording_module, "Store", partial(Store, positional=False))
    monkeypatch.setattr(save_module, "System", lambda: AS_ON_WINDOWS)


@linux
def test_the_open_file_is_set_aside_where_it_cannot_be_replaced(windows: None, file: Path) -> None:
    with recorder_editor.open(file) as opened:
        states = [DRIVE]
        for frame in (3, 5, 7):
            opened.apply(turn(opened, frame))
            states.append(content(opened))
            opened.save()
            assert file.read_bytes() == states[-1]
        # What undo needs of a file set aside is copied in time, and then the file goes.
        assert {name.rpartition(".")[2] for name in names(file.parent)} <= {"old", "log"}
        for state in reversed(states[:-1]):
            opened.undo()
            assert content(opened) == state
        opened.save()
        assert file.read_bytes() == DRIVE
    assert names(file.parent) == [file.name]


@linux
@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_cannot_be_replaced_comes_back_from_aside(
    windows: None, file: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    with recorder_editor.open(file) as opened:
        opened.apply(turn(opened, 3))
        wanted = content(opened)
        with monkeypatch.context() as patch:
            calls = iter([os.replace, raising] if links else [os.replace, os.replace, raising, os.replace])

            def replace(one: Path, other: Path) -> None:
                next(calls)(one, other)

            if not links:
                patch.setattr(os, "link", failing_at(os.link, 0))
            patch.setattr(os, "replace", replace)
            with pytest.raises(Failure):
                opened.save()
        assert next(calls, None) is None
        assert file.read_bytes() == DRIVE
        assert names(file.parent) == [file.name]
        assert content(opened) == wanted
        opened.save()
        assert file.read_bytes() == wanted
    assert names(file.parent) == [file.name]


@linux
def test_a_damaged_file_is_set_aside_too(windows: None, file: Path) -> None:
    file.write_bytes(DAMAGED)
    with recorder_editor.open(file) as opened:
        assert (opened.snapshot.table.column("kind") == RAW).any()
        opened.save()
        opened.save()
    assert file.read_bytes() == DAMAGED
    assert names(file.parent) == [file.name]
